//! The rule that functions must not be too long to be read at once.
//!
//! Lines are counted from `fn` to the closing brace. A function that is a table, with one short arm
//! for each of many cases, may be longer if [`TABLES`] states the reason. An exception that is no
//! longer needed is an error.

use crate::tidy::{code_lines, files, listed, read, test_files};
use std::path::Path;

const MAX_LINES: usize = 100;

/// Functions that are tables: the file, the function, and the content of the table.
const TABLES: [(&str, &str, &str); 0] = [];

/// A function of a file: the line of its `fn`, and its number of lines.
#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    line: usize,
    lines: usize,
}

/// The rule `tidy/functions`.
pub fn rule(root: &Path) -> Result<(), String> {
    let mut texts = Vec::new();
    for path in files(root)?.into_iter().filter(|p| p.ends_with(".rs")) {
        let text = read(root, &path)?;
        texts.push((path, text));
    }
    let tests = test_files(texts.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    texts.retain(|(path, _)| !tests.contains(path) && !path.contains("/tests/") && !path.contains("/benches/"));
    let exceptions = TABLES.iter().map(|(p, name, _)| (p, name));
    let gone = exceptions.filter(|(p, _)| !texts.iter().any(|(path, _)| path == *p));
    let mut problems: Vec<String> = gone.map(|(p, name)| format!("{p}: there is no such file for `{name}`")).collect();
    for (path, text) in &texts {
        let found = functions(text);
        problems.extend(found.iter().filter_map(|f| too_long(path, f)));
        problems.extend(stale(path, &found));
    }
    listed(problems)
}

fn too_long(path: &str, f: &Function) -> Option<String> {
    let is_table = TABLES.iter().any(|(p, name, _)| *p == path && *name == f.name);
    let Function { name, line, lines } = f;
    (*lines > MAX_LINES && !is_table)
        .then(|| format!("{path}:{line}: `{name}` has {lines} lines; {MAX_LINES} is the limit"))
}

/// Exceptions for a file that none of its functions needs.
fn stale(path: &str, found: &[Function]) -> Vec<String> {
    let exceptions = TABLES.iter().map(|(p, name, _)| (p, name));
    let needed = |name: &str| found.iter().any(|f| f.name == name && f.lines > MAX_LINES);
    exceptions
        .filter(|(p, name)| **p == path && !needed(name))
        .map(|(_, name)| format!("{path}: `{name}` is short now; take it from the list in functions.rs"))
        .collect()
}

/// The functions of a file, except for tests.
fn functions(text: &str) -> Vec<Function> {
    let end = code_lines(text).last().map_or(0, |(line, _)| *line);
    let code = without_texts(text);
    let mut out = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let before = code[..at].chars().next_back();
        let line = code[..at].matches('\n').count() + 1;
        if before.is_some_and(is_word) || line > end {
            continue;
        }
        let rest = &code[at + "fn ".len()..];
        let name: String = rest.chars().take_while(|c| is_word(*c)).collect();
        if let Some(length) = length(&rest[name.len()..]).filter(|_| !name.is_empty()) {
            let lines = rest[..name.len() + length].matches('\n').count() + 1;
            out.push(Function { name, line, lines });
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of the function whose name was just read, up to its end; `None` if it has no body.
fn length(code: &str) -> Option<usize> {
    let (mut brackets, mut braces) = (0, 0);
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if brackets == 0 && braces == 0 => return None,
            // Braces in the signature are constants within the brackets of types.
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if brackets == 0 && braces == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The same lines without comments and without the contents of literals.
fn without_texts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let skipped = skipped(text, at);
        let next = at + if skipped > 0 { skipped } else { c.len_utf8() };
        match skipped {
            0 => out.push(c),
            _ => out.extend(text[at..next].chars().filter(|c| *c == '\n')),
        }
        at = next;
    }
    out
}

/// The length of the comment or literal that begins here; 0 if none does.
fn skipped(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let until = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |to| from + to + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment(rest);
    }
    let in_word = text[..at].chars().next_back().is_some_and(is_word);
    let raw = rest.trim_start_matches(['b', 'c']).strip_prefix('r').filter(|_| !in_word);
    if let Some(hashes) = raw.map(|r| r.len() - r.trim_start_matches('#').len())
        && let Some(opened) = raw.and_then(|r| r[hashes..].strip_prefix('"'))
    {
        return until(&format!("\"{}", "#".repeat(hashes)), rest.len() - opened.len());
    }
    match rest.chars().next() {
        Some('"') => quoted(rest, '"'),
        // `'a` is a lifetime, `'a'` a character.
        Some('\'') if rest[1..].starts_with('\\') || rest[1..].chars().nth(1) == Some('\'') => quoted(rest, '\''),
        _ => 0,
    }
}

/// The length of a literal with escapes at the start of `rest`, quotes included.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// The length of a comment `/* … */` at the start of `rest`; such comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let step = match rest.get(at..at + 2) {
            Some("/*") => {
                depth += 1;
                2
            }
            Some("*/") => {
                depth -= 1;
                2
            }
            _ => rest[at..].chars().next().map_or(1, char::len_utf8),
        };
        at += step;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_and_counted() {
        let text = "//! fn no() {\nfn a<const N: usize>(f: fn(u8) -> u8) -> [u8; { 1 }]\n{\n    /* } /* } */ */\n    \
                    ['}', '\\'', '{']; \"}\\\"}\"; r#\"}\"}\"#; let x: &'static str;\n}\ntrait T { fn b(&self); fn c() {} }\n\
                    #[cfg(test)]\nmod tests {\n fn d() {} }\n";
        let found: Vec<_> = functions(text).into_iter().map(|f| (f.name, f.line, f.lines)).collect();
        assert_eq!(found, [("a".to_string(), 2, 5), ("c".to_string(), 7, 1)]);
    }

    #[test]
    fn long_functions_are_reported() {
        let f = |lines| Function { name: "f".into(), line: 3, lines };
        assert_eq!(too_long("x.rs", &f(MAX_LINES)), None);
        assert!(too_long("x.rs", &f(MAX_LINES + 1)).is_some_and(|t| t.starts_with("x.rs:3: `f` has 101 lines")));
    }
}
