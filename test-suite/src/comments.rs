//! The rule that comments are at most 100 columns wide. `rustfmt` does not wrap them.
//!
//! Lines that cannot be broken are exempt: rows of tables, code spans, code between fences, and
//! separators.

use crate::tidy::{files, listed, read};
use std::path::Path;

const WIDTH: usize = 100;

/// The folders in which the rule holds.
const FOLDERS: [&str; 7] = ["passes/", "dialects/", "targets/", "tools/", "frontend/", "test-suite/", "examples/"];

/// The text of a comment, without the marks before it.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim())
}

/// The numbers of the lines with comments that are too wide.
fn wide(text: &str) -> Vec<usize> {
    let (mut found, mut fenced) = (Vec::new(), false);
    for (i, line) in text.lines().enumerate() {
        let Some(said) = comment(line) else {
            fenced = false;
            continue;
        };
        if said.starts_with("```") {
            fenced = !fenced;
        }
        let free = fenced || said.starts_with(['|', '`']) || said.contains("--------");
        if !free && line.chars().count() > WIDTH {
            found.push(i + 1);
        }
    }
    found
}

pub(crate) fn rule(root: &Path) -> Result<(), String> {
    let mut problems = Vec::new();
    let holds = |p: &String| p.ends_with(".rs") && FOLDERS.iter().any(|f| p.starts_with(f));
    for path in files(root)?.into_iter().filter(holds) {
        let text = read(root, &path)?;
        problems.extend(wide(&text).into_iter().map(|n| format!("{path}:{n}: a comment wider than {WIDTH} columns")));
    }
    listed(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_comments_are_found_unless_they_cannot_be_broken() {
        let long = "word ".repeat(30);
        assert_eq!(wide(&format!("//! {long}\nlet x = 1;\n    /// {long}\n")), [1, 3]);
        for free in [format!("/// | {long} |"), format!("/// `{long}`"), format!("/// ```\n/// {long}\n/// ```")] {
            assert!(wide(&free).is_empty(), "{free}");
        }
        assert!(wide(&format!("let s = \"{long}{long}\";\n// short")).is_empty());
    }
}
