//! The rule that attributes are read by the accessors that their rows have:
//! `scf::For(op).unroll(body)`, `ad::Space::of_symbol(s)`.
//!
//! The compiler does not find a read by a quoted name when a row changes. An attribute that several
//! rows have (a path, a dimension) has a function beside the rows in `dialects`. Marks that are in
//! no row are constants.

use crate::tidy::{code_lines, files, listed, read, test_files};
use std::path::Path;

/// The folders above the rows, in which the rule holds.
const FOLDERS: [&str; 4] = ["passes/src/", "frontend/src/lower/", "targets/", "tools/driver/src/"];

/// Places where names are data, with the reason.
const ALLOWED: [(&str, &str); 1] = [("passes/src/egraph/", "the heads of nodes hold attributes of any row")];

/// The quoted name by which a line reads an attribute.
fn read_by_name(line: &str) -> Option<&str> {
    let calls = line.match_indices(".attr(").chain(line.match_indices(".symbol_attr("));
    calls.into_iter().find_map(|(at, call)| {
        let mut depth = 1;
        let arguments = &line[at + call.len()..];
        let end = arguments.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        })?;
        let (_, rest) = arguments[..end].split_once('"')?;
        Some(rest.split_once('"')?.0)
    })
}

pub(crate) fn rule(root: &Path) -> Result<(), String> {
    let looked_at = |p: &String| {
        p.ends_with(".rs") && FOLDERS.iter().any(|f| p.starts_with(f)) && !ALLOWED.iter().any(|(f, _)| p.starts_with(f))
    };
    let mut texts = Vec::new();
    for path in files(root)?.into_iter().filter(looked_at) {
        let text = read(root, &path)?;
        texts.push((path, text));
    }
    let tests = test_files(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut problems = Vec::new();
    for (path, text) in texts.iter().filter(|(path, _)| !tests.contains(path.as_str()) && !path.contains("/tests/")) {
        for (number, line) in code_lines(text) {
            if let Some(name) = read_by_name(line) {
                problems.push(format!("{path}:{number}: the row has an accessor for `{name}`: {}", line.trim()));
            }
        }
    }
    listed(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_by_a_name_in_quotes_are_found() {
        assert_eq!(read_by_name("let ty = symbol.attr(\"type\").and_then(f);"), Some("type"));
        assert_eq!(read_by_name("self.body.attr(self.at(op), \"path\")"), Some("path"));
        assert_eq!(read_by_name("request.symbol_attr(\"of\")"), Some("of"));
        for line in ["s.attr(GATED)", "b.set_attr(op, \"path\", p)", "x.attr(name), f(\"a\")", "attr(\"x\")"] {
            assert_eq!(read_by_name(line), None, "{line}");
        }
    }
}
