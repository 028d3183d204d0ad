//! The rule that one concept has one name: words that the glossary refuses occur in no file of the
//! tree.

use crate::tidy::{files, listed, read};
use std::path::Path;

const GLOSSARY: &str = "docs/glossary.md";
const TEXTS: [&str; 6] = [".rs", ".md", ".slang", ".mlir", ".test", ".toml"];

/// The rule `tidy/glossary`.
pub fn rule(root: &Path) -> Result<(), String> {
    let refused = refused(&read(root, GLOSSARY)?)?;
    let mut problems = Vec::new();
    for path in files(root)?.into_iter().filter(|p| *p != GLOSSARY && TEXTS.iter().any(|end| p.ends_with(end))) {
        let text = read(root, &path)?;
        for (number, line) in text.lines().enumerate() {
            for (word, name) in refused.iter().filter(|(word, _)| has_word(line, word)) {
                problems.push(format!("{path}:{}: `{word}` is called `{name}`", number + 1));
            }
        }
    }
    listed(problems)
}

/// The refused words of the last column, each with the name of its row.
fn refused(glossary: &str) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for line in glossary.lines().filter(|l| l.starts_with('|')).skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _meaning, words] = cells[..] else {
            return Err(format!("a row of {GLOSSARY} has not three cells: {line}"));
        };
        found.extend(words.split('`').skip(1).step_by(2).map(|word| (word.to_string(), name.to_string())));
    }
    if found.is_empty() { Err(format!("{GLOSSARY} refuses no word")) } else { Ok(found) }
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + word.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_words_are_read_with_their_names() {
        let text =
            "# x\n| name | what | refused |\n| --- | --- | --- |\n| new | x | `old-word`, `older` |\n| other | y | |\n";
        let found = refused(text).unwrap_or_default();
        assert_eq!(found, [("old-word".into(), "new".into()), ("older".into(), "new".into())]);
        assert!(refused("# x\n").is_err());
    }

    #[test]
    fn words_are_whole() {
        assert!(has_word("the pass `old-word` runs", "old-word"));
        assert!(!has_word("an old-words and a bold-word", "old-word"));
    }
}
