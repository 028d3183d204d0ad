//! The rule that only the command mentions its options. Everything below it is a library, whose
//! hosts have none.
//!
//! A diagnostic of a library names the input that its host would change as data
//! (`caustic_ir::Input`), and the command words it.

use crate::tidy::{files, listed, read, test_files};
use std::path::Path;

/// The folder with the rows of the command's options.
const ROWS: &str = "tools/caustic/src/cli/";

/// The folders below the command.
const FOLDERS: [&str; 6] = ["dialects/", "passes/", "frontend/", "targets/", "tools/driver/", "tools/support/"];

/// The names of the options, from their rows.
fn names(rows: &str) -> Vec<&str> {
    let rows = rows.lines().filter_map(|line| line.split_once("name: \"--"));
    let mut names: Vec<&str> = rows.filter_map(|(_, rest)| Some(rest.split_once('"')?.0)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The option that a line mentions.
fn named<'n>(line: &str, names: &[&'n str]) -> Option<&'n str> {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    line.match_indices("--").find_map(|(at, _)| {
        let written = line[at + 2..].split(|c: char| !is_in_name(c)).next()?;
        let whole = !line[..at].ends_with(is_in_name);
        names.iter().copied().find(|name| whole && *name == written)
    })
}

pub(crate) fn rule(root: &Path) -> Result<(), String> {
    let mut rows = String::new();
    for path in files(root)?.iter().filter(|path| path.starts_with(ROWS) && !path.ends_with("/tests.rs")) {
        rows.push_str(&read(root, path)?);
    }
    let names = names(&rows);
    if names.is_empty() {
        return Err(format!("{ROWS} has no options; the rule looks at the wrong folder"));
    }
    let below = |p: &String| p.ends_with(".rs") && p.contains("/src/") && FOLDERS.iter().any(|f| p.starts_with(f));
    let mut texts = Vec::new();
    for path in files(root)?.into_iter().filter(below) {
        let text = read(root, &path)?;
        texts.push((path, text));
    }
    let tests = test_files(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut problems = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| !tests.contains(path.as_str())) {
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
        for (i, line) in code.lines().enumerate() {
            if let Some(name) = named(line, &names) {
                problems.push(format!("{path}:{}: `--{name}` is an option of the command: {}", i + 1, line.trim()));
            }
        }
    }
    listed(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_as_whole_words() {
        let rows = "Opt { name: \"--read\", value }\n    name: \"--trap-oob\",\n    name: \"--read\",\n";
        let names = names(rows);
        assert_eq!(names, ["read", "trap-oob"]);
        assert_eq!(named("d.with_note(\"bind it with --read\")", &names), Some("read"));
        assert_eq!(named("/// `--trap-oob` traps", &names), Some("trap-oob"));
        for line in ["--reads", "--trap", "a --ready b", "x--read", "i -- read", "// ----- reading"] {
            assert_eq!(named(line, &names), None, "{line}");
        }
    }
}
