//! "Did you mean …?": the known word nearest to one that was mistyped.

/// The candidate nearest to `word`, if one is near enough to be what was meant. Case and the
/// difference between `-` and `_` count for little. Words of one or two letters are near to too
/// many: of these only case counts.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    let limit = word.len() / 3;
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, &folded(candidate)), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

fn folded(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c }).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words = ["--buffer", "--uniform", "--read", "gOut"];
        assert_eq!(nearest("--bufer", words), Some("--buffer"));
        assert_eq!(nearest("--unifrom", words), Some("--uniform"));
        assert_eq!(nearest("GOUT", words), Some("gOut"));
        assert_eq!(nearest("--zzzzzz", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest("x", []), None);
    }
}
