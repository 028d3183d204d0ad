//! Finds the words of a program's text that may be names: those outside of comments, strings,
//! numbers and file names.

use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub range: Range<usize>,
    /// Whether it stands after a `.` or `->`.
    pub member: bool,
    /// Whether it is part of the name of a module.
    pub module: bool,
}

fn is_part(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

pub fn is_word(text: &str) -> bool {
    text.bytes().all(is_part) && text.bytes().next().is_some_and(|b| !b.is_ascii_digit())
}

/// Directives of the preprocessor that are not followed by names of macros.
const OPAQUE: [&str; 5] = ["include", "pragma", "error", "warning", "line"];
/// Words before the names of modules.
const BEFORE_MODULES: [&str; 5] = ["import", "__import", "__include", "implementing", "module"];
/// Words before registers and capabilities.
const BEFORE_PLACES: [&str; 3] = ["register", "packoffset", "require"];

pub fn words(text: &str) -> Vec<Word> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    // The end of the name of a module.
    let mut module_until = 0;
    let line_end = |at: usize| text[at..].find('\n').map_or(bytes.len(), |n| at + n);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |n| at + n + 4)
            }
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at += 1;
            }
            // A character literal, as opposed to a mark between digits.
            b'\'' => {
                let escaped = bytes.get(at + 1) == Some(&b'\\');
                let end =
                    text[at + 1 + usize::from(escaped)..].find(['\'', '\n']).map(|n| at + 1 + usize::from(escaped) + n);
                at = end.filter(|e| bytes[*e] == b'\'').map_or(at + 1, |e| e + 1);
            }
            b'#' => {
                let word = text[at + 1..].trim_start();
                at = if OPAQUE.iter().any(|w| word.starts_with(w)) { line_end(at) } else { at + 1 };
            }
            // A raw string ends with the delimiter that it began with.
            b'R' if bytes.get(at + 1) == Some(&b'"') && text[at..].contains('(') => {
                let open = text[at..].find('(').map_or(at, |n| at + n);
                let end = format!("){}\"", &text[at + 2..open]);
                at = text[open..].find(&end).map_or(bytes.len(), |n| open + n + end.len());
            }
            b if b.is_ascii_digit() => {
                // A number with its suffixes, such as `1.5e3f` and `1.0#INFf`; `1.0.x` is a
                // component of one.
                while at < bytes.len() && (is_part(bytes[at]) || bytes[at] == b'.' || text[at..].starts_with("#INF")) {
                    at += 1;
                }
            }
            b if is_part(b) => {
                while at < bytes.len() && is_part(bytes[at]) {
                    at += 1;
                }
                let word = &text[start..at];
                let rest = text[at..].trim_start();
                let before = text[..start].trim_end();
                let member = before.ends_with('.') || before.ends_with("->");
                out.push(Word { range: start..at, member, module: start < module_until });
                if BEFORE_MODULES.contains(&word) && rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    module_until = text[at..].find(';').map_or(0, |n| at + n);
                }
                if BEFORE_PLACES.contains(&word) && rest.starts_with('(') {
                    at = text[at..].find(')').map_or(bytes.len(), |n| at + n);
                }
            }
            _ => at += 1,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_may_be_names() {
        let text = "#include \"a\"\n#define B c // d\nimport e.f;\nx.y = 1.5e3f + 1.0#INFf + \"g\" /* h */ : register(t0) 'i' '\\n' j->k;";
        let all = words(text);
        let shown: Vec<&str> = all.iter().map(|w| &text[w.range.clone()]).collect();
        assert_eq!(shown, ["define", "B", "c", "import", "e", "f", "x", "y", "register", "j", "k"]);
        assert_eq!(all.iter().filter(|w| w.module).count(), 2);
        assert_eq!(all.iter().filter(|w| w.member).count(), 3);
    }
}
