//! The rule about the pages of the book: each stands in one part, is short enough to be read, and
//! holds no dates and no names of machines. Measurements stand in `evidence/*.csv`.

use crate::tidy::{files, listed, read};
use std::path::Path;

const SUMMARY: &str = "docs/SUMMARY.md";
const PARTS: [&str; 4] = ["Getting started", "How-to", "Reference", "Explanation"];
const MAX_WORDS: usize = 1500;
const MAX_COLUMNS: usize = 120;

/// Pages that a command writes, whose length and lines follow from what they list. (Those of
/// `docs/dialects` are written, too.)
const GENERATED: [&str; 9] = [
    "docs/command-line.md",
    "docs/diagnostics.md",
    "docs/evidence.md",
    "docs/matrix.md",
    "docs/mutants.md",
    "docs/mypow.md",
    "docs/passes.md",
    "docs/rewrites.md",
    "docs/singular.md",
];

/// The page of measurements, which says where and when they were made.
const EVIDENCE: &str = "docs/evidence.md";

/// Names of machines that a measurement may be of.
const MACHINES: [&str; 8] = ["H100", "H200", "A100", "B200", "RTX", "EPYC", "Xeon", "Ryzen"];

/// The rule `tidy/pages`.
pub fn rule(root: &Path) -> Result<(), String> {
    let pages: Vec<String> =
        files(root)?.into_iter().filter(|p| p.starts_with("docs/") && p.ends_with(".md") && p != SUMMARY).collect();
    let mut problems = parts(&read(root, SUMMARY)?, &pages);
    for path in &pages {
        let text = read(root, path)?;
        if path != EVIDENCE {
            problems.extend(dated(&text).into_iter().map(|problem| format!("{path}:{problem}")));
        }
        if !path.starts_with("docs/dialects/") && !GENERATED.contains(&path.as_str()) {
            problems.extend(long(&text).into_iter().map(|problem| format!("{path}{problem}")));
        }
    }
    listed(problems)
}

/// What is wrong with the list of pages: the four parts in order, each page once.
fn parts(summary: &str, pages: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let heads: Vec<&str> = summary.lines().filter_map(|l| l.strip_prefix("# ")).skip(1).collect();
    if heads != PARTS {
        problems.push(format!("{SUMMARY}: the parts are {heads:?}, not {PARTS:?}"));
    }
    for page in pages {
        let name = page.trim_start_matches("docs/");
        let count = summary.matches(&format!("]({name})")).count();
        if count != 1 {
            problems.push(format!("{SUMMARY} has {count} links to {page}, not one"));
        }
    }
    problems
}

/// The lines of a text that are no code, neither in a fenced block nor indented, with their
/// numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let fence = line.starts_with("```");
        fenced ^= fence;
        (!fenced && !fence && !line.starts_with("    ")).then_some((i + 1, line))
    })
}

/// Too many words, and lines of prose that are too long. (A row of a table is one line.)
fn long(text: &str) -> Vec<String> {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let words = prose(text).flat_map(|(_, line)| line.split_whitespace()).filter(is_word).count();
    let mut problems = Vec::new();
    if words > MAX_WORDS {
        problems.push(format!(" has {words} words; {MAX_WORDS} is the limit"));
    }
    let wide = prose(text).filter(|(_, l)| l.chars().count() > MAX_COLUMNS && !l.trim_start().starts_with('|'));
    problems.extend(wide.map(|(number, _)| format!(":{number}: more than {MAX_COLUMNS} columns")));
    problems
}

/// Lines with a date or the name of a machine.
fn dated(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in line.split(|c: char| !c.is_alphanumeric() && c != '-') {
            let shape: String = word.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            if shape == "0000-00-00" {
                problems.push(format!("{}: the date {word}; measurements stand in evidence/*.csv", number + 1));
            } else if MACHINES.contains(&word) {
                problems.push(format!("{}: the machine {word}; measurements stand in evidence/*.csv", number + 1));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pages_are_told() {
        let code = format!("```text\n{}\n```\n    {}\n| {} |\n", "w ".repeat(2000), "w ".repeat(2000), "x".repeat(200));
        assert_eq!(long(&code), Vec::<String>::new());
        assert_eq!(long(&"word\n".repeat(MAX_WORDS + 1)), [" has 1501 words; 1500 is the limit"]);
        assert_eq!(long(&format!("a\n{}b\n", "a ".repeat(60))), [":2: more than 120 columns"]);
    }

    #[test]
    fn dates_and_machines_are_told() {
        assert_eq!(dated("1-2-3, 2^64, `H1000` and sm_90\n"), Vec::<String>::new());
        assert_eq!(dated("On 2026-11-23.\nan H200\n").len(), 2);
    }

    #[test]
    fn each_page_is_in_one_part() {
        let summary =
            "# Summary\n# Getting started\n- [a](a.md)\n# How-to\n# Reference\n# Explanation\n- [b](x/b.md)\n";
        assert_eq!(parts(summary, &["docs/a.md".into(), "docs/x/b.md".into()]), Vec::<String>::new());
        assert_eq!(parts(summary, &["docs/c.md".into()]).len(), 1);
        assert_eq!(parts(&summary.replace("# How-to\n", ""), &[]).len(), 1);
    }
}
