//! A first look at the text before it is parsed: comments are blanked, brackets are matched,
//! nesting is bounded.
//!
//! The parser and everything after it recurse on nesting, so what passes here cannot exhaust the
//! stack. Blanking keeps every offset (a comment becomes as many spaces, line ends stay).

use crate::ast::ImportKind;
use crate::indentation::odd_brace;

/// How deep brackets, and what else nests without a closing mark, may nest.
pub const MAX_NESTING: usize = 256;

/// What is wrong with the brackets of a text.
#[derive(Debug, PartialEq, Eq)]
pub enum ScanError {
    /// What stands at `at` (nothing, where the text ends) cannot stand before the bracket is
    /// closed.
    Unclosed {
        at: usize,
        found: Option<&'static str>,
        open_at: usize,
        open: char,
    },
    Unopened {
        at: usize,
        bracket: char,
    },
    /// By its indentation, what stands at `at` is behind the block whose brace is not closed.
    Lacking {
        at: usize,
        open_at: usize,
    },
    /// A brace that stands further in than the block that it closes, so that the one at `end`
    /// closes nothing.
    Surplus {
        at: usize,
        open_at: usize,
        end: usize,
    },
    Mismatched {
        at: usize,
        found: char,
        open_at: usize,
        open: char,
    },
    TooDeep {
        at: usize,
    },
    UnclosedComment {
        at: usize,
    },
    UnclosedString {
        at: usize,
    },
    UnclosedRawString {
        at: usize,
    },
}

impl ScanError {
    /// Where a bracket is wrong by the brackets alone.
    pub fn at(&self) -> Option<usize> {
        match *self {
            ScanError::Unclosed { at, .. } | ScanError::Unopened { at, .. } | ScanError::Mismatched { at, .. } => {
                Some(at)
            }
            _ => None,
        }
    }
}

/// What stands in a raw string for characters that mean something in other strings, once comments
/// are blanked: a raw string is read as any other from then on. None is written in source text, and
/// each is one byte, so that offsets stay.
pub const RAW: [(u8, &str); 4] = [(0x1c, "\""), (0x1d, "\n"), (0x1e, "\\"), (0x1f, "")];

/// A line end within a comment of a directive, which goes on behind the comment.
pub const LINE_IN_DIRECTIVE: u8 = 0x0b;

/// What stands before the `\` of a line that goes on where the line end has two bytes.
pub const JOINED_BEFORE: u8 = b'\r';

fn raw_byte(meaning: &str) -> u8 {
    RAW.iter().find(|(_, m)| *m == meaning).map_or(b' ', |(b, _)| *b)
}

/// A string that goes on over a line end behind `\` is written on one line.
fn join_lines(bytes: &[u8], start: usize, end: usize, out: &mut [u8]) {
    let mut i = start;
    while i < end {
        let joined = match &bytes[i..end] {
            [b'\\', b'\n', ..] => 2,
            [b'\\', b'\r', b'\n', ..] => 3,
            [b'\\', _, ..] => {
                i += 2;
                continue;
            }
            _ => {
                i += 1;
                continue;
            }
        };
        out[i..i + joined].fill(raw_byte(""));
        i += joined;
    }
}

/// Writes the raw string `R"mark(…)mark"` that starts at `at` as a string on one line. Gives its
/// end, `None` where it has none.
fn cook_raw(bytes: &[u8], at: usize, out: &mut [u8]) -> Option<usize> {
    let open = at + 2 + bytes[at + 2..].iter().position(|b| *b == b'(')?;
    let mark = &bytes[at + 2..open];
    let close = open
        + 1
        + bytes[open + 1..]
            .windows(mark.len() + 2)
            .position(|w| w[0] == b')' && &w[1..=mark.len()] == mark && w[mark.len() + 1] == b'"')?;
    let end = close + mark.len() + 2;
    out[at..end].fill(b' ');
    (out[open], out[close]) = (b'"', b'"');
    for (i, b) in bytes.iter().enumerate().take(close).skip(open + 1) {
        out[i] = match b {
            b'"' => raw_byte("\""),
            b'\n' => raw_byte("\n"),
            b'\\' => raw_byte("\\"),
            b'\r' if bytes.get(i + 1) == Some(&b'\n') => raw_byte(""),
            _ => *b,
        };
    }
    Some(end)
}

/// Replaces comments and white space other than line ends by spaces. Strings stay, each on one line
/// (see [`RAW`]).
pub fn blank_comments(text: &str) -> Result<String, ScanError> {
    let mut out = text.as_bytes().to_vec();
    let bytes = text.as_bytes();
    // `line` is where a line starts that is no continuation of another.
    let (mut i, mut line) = (0, 0);
    while i < bytes.len() {
        match bytes[i] {
            b'"' if is_raw(bytes, i) => {
                let start = i - 1;
                i = cook_raw(bytes, start, &mut out).ok_or(ScanError::UnclosedRawString { at: start })?;
            }
            b'"' => {
                let end = string_end(bytes, i);
                join_lines(bytes, i, end, &mut out);
                i = end;
            }
            b'\'' => i = character_end(bytes, i).unwrap_or(i + 1),
            // The line goes on, whatever its end looks like.
            b'\\' if bytes[i + 1..].starts_with(b"\r\n") => {
                out[i..i + 2].copy_from_slice(&[JOINED_BEFORE, b'\\']);
                i += 3;
            }
            b'\\' if bytes.get(i + 1) == Some(&b'\n') => i += 2,
            b'\n' => {
                i += 1;
                line = i;
            }
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    // A backslash before the line end continues the comment.
                    if bytes[i] == b'\\' {
                        let end = if bytes.get(i + 1) == Some(&b'\r') { i + 2 } else { i + 1 };
                        if bytes.get(end) == Some(&b'\n') {
                            out[i..end].fill(b' ');
                            i = end + 1;
                            continue;
                        }
                    }
                    out[i] = b' ';
                    i += 1;
                }
            }
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                let start = i;
                let Some(len) = text[i + 2..].find("*/") else { return Err(ScanError::UnclosedComment { at: start }) };
                let end = i + 2 + len + 2;
                let directive = out[line..start].trim_ascii_start().starts_with(b"#");
                for (at, b) in out.iter_mut().enumerate().take(end).skip(start) {
                    match *b {
                        b'\n' if directive => *b = LINE_IN_DIRECTIVE,
                        b'\n' => line = at + 1,
                        _ => *b = b' ',
                    }
                }
                i = end;
            }
            b'\t' | b'\r' | 0x0b | 0x0c => {
                out[i] = b' ';
                i += 1;
            }
            // A byte order mark.
            0xef if bytes[i..].starts_with(b"\xef\xbb\xbf") => {
                out[i..i + 3].fill(b' ');
                i += 3;
            }
            _ => i += 1,
        }
    }
    // Only whole characters were overwritten by spaces.
    Ok(String::from_utf8(out).unwrap_or_else(|_| text.to_string()))
}

/// Whether the quotation mark at `i` opens a raw string: after an `R` that ends no name, with
/// nothing but a mark before the `(`.
fn is_raw(bytes: &[u8], i: usize) -> bool {
    let part_of_name = |b: &u8| is_name_byte(*b);
    let after_r = i > 0 && bytes[i - 1] == b'R' && (i == 1 || !part_of_name(&bytes[i - 2]));
    after_r && bytes[i + 1..].iter().find(|b| !part_of_name(b)) == Some(&b'(')
}

/// The offset after the string literal that starts at `i`; a literal ends with its line at the
/// latest.
pub fn string_end(bytes: &[u8], mut i: usize) -> usize {
    i += 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' if bytes[i + 1..].starts_with(b"\r\n") => i += 3,
            b'\\' => i += 2,
            b'"' => return i + 1,
            b'\n' => return i,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// The offset after the character literal that starts at `i`; `None` where the mark is only an
/// apostrophe.
pub fn character_end(bytes: &[u8], i: usize) -> Option<usize> {
    if i > 0 && (bytes[i - 1].is_ascii_alphanumeric() || bytes[i - 1] == b'_') {
        return None;
    }
    // As long as an escaped character can be, or one of several bytes.
    const LONGEST: usize = 12;
    let escaped = bytes.get(i + 1) == Some(&b'\\');
    let first = i + if escaped { 3 } else { 2 };
    let rest = bytes.get(first..bytes.len().min(i + LONGEST))?;
    let end = rest.iter().position(|b| matches!(b, b'\'' | b'\n')).filter(|n| rest[*n] == b'\'')?;
    let one = escaped || rest[..end].iter().all(|b| !b.is_ascii()) && bytes[i + 1] != b'\'';
    one.then_some(first + end + 1)
}

/// The offset after the literal of text that starts at `i`, if one does.
pub fn literal_end(bytes: &[u8], i: usize) -> Option<usize> {
    match bytes[i] {
        b'"' => Some(string_end(bytes, i)),
        b'\'' => character_end(bytes, i),
        _ => None,
    }
}

/// The bracket that closes one.
pub fn closing(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// Checks that brackets match and that nothing nests deeper than [`MAX_NESTING`].
pub fn check_nesting(text: &str) -> Result<(), ScanError> {
    match check_brackets(text) {
        Err(e @ (ScanError::Unclosed { .. } | ScanError::Mismatched { .. })) => {
            let at_end = matches!(e, ScanError::Unclosed { found: None, open: '{', .. });
            let by_lines = || if at_end { odd_brace(text, true, text.len()) } else { None };
            Err(missing_bracket(text).or_else(by_lines).unwrap_or(e))
        }
        Err(e @ ScanError::Unopened { at, bracket: '}' }) => Err(odd_brace(text, false, at).unwrap_or(e)),
        done => done,
    }
}

/// Where a bracket is missing in a text whose brackets do not match: the first `;` inside of `(…)`,
/// `[…]` or the braces of a list, or the first `{` there that begins neither a list nor the body of
/// a lambda expression, or the first `else` in a block without an `if`, whose `}` is then missing.
/// What the next closing bracket is may be pages away.
fn missing_bracket(text: &str) -> Option<ScanError> {
    #[derive(PartialEq)]
    enum Inside {
        Block,
        List,
        /// The head of a `for` has two `;` of its own, of which so many have come.
        For(usize),
    }
    let bytes = text.as_bytes();
    let mut stack: Vec<(u8, usize, Inside)> = Vec::new();
    // For each open bracket, how many `if` an `else` can belong to.
    let mut branches: Vec<usize> = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        let before = || text[..i].trim_end();
        branches.resize(stack.len(), 0);
        match b {
            b'"' | b'\'' => {
                i = literal_end(bytes, i).unwrap_or(i + 1);
                continue;
            }
            b if is_name_byte(b) => {
                let end = i + bytes[i..].iter().take_while(|b| is_name_byte(**b)).count();
                let word = &text[i..end];
                if let (Some((b'{', open_at, Inside::Block)), Some(ifs)) = (stack.last(), branches.last_mut()) {
                    // These go on with the statement before them.
                    let begins = before().ends_with([';', '{', '}']) && !matches!(word, "else" | "while" | "catch");
                    *ifs = if begins { 0 } else { *ifs };
                    match word {
                        "if" => *ifs += 1,
                        "else" if *ifs == 0 => {
                            return Some(ScanError::Unclosed {
                                at: i,
                                found: Some("else"),
                                open_at: *open_at,
                                open: '{',
                            });
                        }
                        "else" => *ifs -= 1,
                        _ => {}
                    }
                }
                i = end;
                continue;
            }
            b'(' if before().ends_with("for") => stack.push((b, i, Inside::For(0))),
            b'(' | b'[' => stack.push((b, i, Inside::List)),
            b'{' => {
                let lambda = before().ends_with("=>");
                let list = !lambda
                    && before().ends_with(['=', ',', '(', '{'])
                    && stack.last().is_some_and(|(open, _, inside)| {
                        *open != b'{' || *inside == Inside::List || before().ends_with('=')
                    });
                match stack.last() {
                    Some((open @ (b'(' | b'['), open_at, _)) if !lambda && !list => {
                        return Some(ScanError::Unclosed {
                            at: i,
                            found: Some("{"),
                            open_at: *open_at,
                            open: *open as char,
                        });
                    }
                    _ => stack.push((b, i, if list { Inside::List } else { Inside::Block })),
                }
            }
            b';' => {
                if let Some((_, _, Inside::For(come))) = stack.last_mut()
                    && *come < 2
                {
                    *come += 1;
                } else if let Some((open, open_at, Inside::List | Inside::For(_))) = stack.last() {
                    let (mut open_at, mut open) = (*open_at, *open as char);
                    // `float f( { return 1; }`: what the parentheses hold are statements.
                    let outer = stack.len().checked_sub(2).and_then(|k| stack.get(k));
                    if let Some((b'(', around, _)) = outer
                        && open == '{'
                        && is_statement(&text[open_at + 1..i])
                    {
                        let (at, found) = (open_at, Some("{"));
                        (open_at, open) = (*around, '(');
                        return Some(ScanError::Unclosed { at, found, open_at, open });
                    }
                    return Some(ScanError::Unclosed { at: i, found: Some(";"), open_at, open });
                }
            }
            b')' | b']' | b'}' => match stack.pop() {
                Some((open, ..)) if closing(open) == b => {}
                // What closes too much is as good a place as any.
                _ => return None,
            },
            _ => {}
        }
        i += 1;
    }
    None
}

/// Whether text up to a `;` is a statement and no value: it begins with a word of its own, or with
/// two words of which the first is a type.
fn is_statement(text: &str) -> bool {
    let begin = text.trim_start();
    let word = &begin[..begin.bytes().take_while(|b| is_name_byte(*b)).count()];
    let after = begin[word.len()..].trim_start();
    let keyword = matches!(word, "return" | "if" | "for" | "while" | "do" | "break" | "continue" | "discard");
    let assigned = || after.starts_with(['=', '.', '[']) || after.starts_with(|c: char| c.is_alphabetic());
    keyword || !word.is_empty() && (after.is_empty() || assigned())
}

/// What closes all brackets that are open at the end of a text.
pub fn closing_all(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut open, mut i) = (Vec::new(), 0);
    while i < bytes.len() {
        match bytes[i] {
            b'"' | b'\'' => {
                i = literal_end(bytes, i).unwrap_or(i + 1);
                continue;
            }
            b @ (b'(' | b'[' | b'{') => open.push(closing(b) as char),
            b')' | b']' | b'}' => drop(open.pop()),
            _ => {}
        }
        i += 1;
    }
    open.iter().rev().collect()
}

fn check_brackets(text: &str) -> Result<(), ScanError> {
    let bytes = text.as_bytes();
    // Each open bracket with the count of nested things without brackets that was running outside
    // it.
    let mut stack: Vec<(u8, usize, usize)> = Vec::new();
    let mut loose = 0usize;
    let mut outer = 0usize;
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        match b {
            b'"' => {
                let end = string_end(bytes, i);
                if bytes.get(end.wrapping_sub(1)) != Some(&b'"') || end == i + 1 {
                    return Err(ScanError::UnclosedString { at: i });
                }
                i = end;
                continue;
            }
            b'\'' => {
                i = character_end(bytes, i).unwrap_or(i + 1);
                continue;
            }
            b'(' | b'[' | b'{' => {
                stack.push((b, i, loose));
                outer += loose;
                loose = 0;
            }
            b')' | b']' | b'}' => match stack.pop() {
                None => return Err(ScanError::Unopened { at: i, bracket: b as char }),
                Some((open, open_at, saved)) => {
                    if closing(open) != b {
                        return Err(ScanError::Mismatched { at: i, found: b as char, open_at, open: open as char });
                    }
                    outer -= saved;
                    // After a block, what led to it is over; after `(…)` it may go on.
                    loose = if b == b'}' { 0 } else { saved };
                }
            },
            b';' if stack.last().is_none_or(|(open, ..)| *open == b'{') => loose = 0,
            b'=' if bytes.get(i + 1) == Some(&b'>') => {
                loose += 1;
                i += 1;
            }
            b'<' | b'?' => loose += 1,
            b'>' | b':' => loose = loose.saturating_sub(1),
            b'&' | b'|' if bytes.get(i + 1) == Some(&b) => {
                loose = loose.saturating_sub(1);
                i += 1;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => {
                let start = i;
                while i < bytes.len() && is_name_byte(bytes[i]) {
                    i += 1;
                }
                if matches!(&text[start..i], "if" | "for" | "while" | "do" | "switch" | "defer") {
                    let after_else = text[..start].trim_end().ends_with("else");
                    loose += usize::from(!after_else);
                }
                if stack.len() + loose + outer > MAX_NESTING {
                    return Err(ScanError::TooDeep { at: start });
                }
                continue;
            }
            _ => {}
        }
        if stack.len() + loose + outer > MAX_NESTING {
            return Err(ScanError::TooDeep { at: i });
        }
        i += 1;
    }
    match stack.pop() {
        Some((open, open_at, _)) => {
            Err(ScanError::Unclosed { at: text.len(), found: None, open_at, open: open as char })
        }
        None => Ok(()),
    }
}

/// Whether a byte can be part of a name: all bytes of characters beyond ASCII can.
pub fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii()
}

/// The words of a text and its `;`, strings left out.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            match bytes[at] {
                b'"' | b'\'' => at = literal_end(bytes, at).unwrap_or(at + 1),
                b';' => {
                    at += 1;
                    return Some(&text[start..at]);
                }
                b if is_name_byte(b) => {
                    while at < bytes.len() && is_name_byte(bytes[at]) {
                        at += 1;
                    }
                    return Some(&text[start..at]);
                }
                _ => at += 1,
            }
        }
        None
    })
}

/// `import a.b;` or another declaration that names a module.
#[derive(Debug, PartialEq, Eq)]
pub struct ModuleWord {
    /// `None` for `module a;`.
    pub kind: Option<ImportKind>,
    pub exported: bool,
    /// As written, without quotes.
    pub path: String,
    pub quoted: bool,
    /// Where the path stands.
    pub at: usize,
    pub end: usize,
}

impl ModuleWord {
    pub fn is_module_name(&self) -> bool {
        self.kind.is_none()
    }
}

/// What stands at the beginning of a text up to its `;`, if it names a module. Where the `;` is
/// missing, which the parser reports, it is what stands on the line; the second value tells which.
fn module_path(text: &str) -> Option<(&str, bool)> {
    let names = |written: &str| {
        let path = written.trim();
        let of_name = |b: u8| is_name_byte(b) || b"-./".contains(&b);
        let quoted = path.strip_prefix('"').and_then(|p| p.strip_suffix('"')).is_some_and(|p| !p.contains('"'));
        let mut parts = path.split('.').map(str::trim);
        quoted || !path.is_empty() && parts.all(|part| part.bytes().all(of_name))
    };
    let (whole, begin) = (text.find(';').map(|end| &text[..end]), text.len() - text.trim_start().len());
    if let Some(whole) = whole.filter(|w| names(w)) {
        return Some((whole, true));
    }
    let line = &text[..begin + text[begin..].find('\n').unwrap_or(text.len() - begin)];
    if names(line) {
        return Some((line, false));
    }
    // `import m float f() { … }` lacks the `;` behind `m`.
    let end = begin + line[begin..].find(char::is_whitespace)?;
    let (word, next) = (&line[..end], line[end..].trim_start());
    let otherwise = ["as", "from"].iter().any(|w| next.split_whitespace().next() == Some(w));
    let declares = next.starts_with(|c: char| c.is_alphabetic() || c == '[') && !otherwise;
    (declares && names(word)).then_some((word, false))
}

/// The declarations of a text that name modules: those at the start of a declaration, outside of
/// all brackets but those of name spaces.
pub fn module_words(text: &str) -> Vec<ModuleWord> {
    let bytes = text.as_bytes();
    let (mut out, mut depth, mut i) = (Vec::new(), 0usize, 0);
    // Whether a declaration may begin here, and whether `__exported` stands before it.
    let (mut fresh, mut exported) = (true, false);
    // How many of the open brackets are those of name spaces, and whether the next one may be.
    let (mut spaces, mut names_space) = (0usize, false);
    while i < bytes.len() {
        match bytes[i] {
            b'"' => i = string_end(bytes, i),
            b if is_name_byte(b) && !b.is_ascii_digit() => {
                let start = i;
                while i < bytes.len() && is_name_byte(bytes[i]) {
                    i += 1;
                }
                let kind = match &text[start..i] {
                    "namespace" if fresh => {
                        (fresh, names_space) = (false, true);
                        continue;
                    }
                    "import" | "__import" => Some(Some(ImportKind::Import)),
                    "__include" => Some(Some(ImportKind::Include)),
                    "implementing" => Some(Some(ImportKind::Implementing)),
                    "module" => Some(None),
                    "public" | "export" if fresh => continue,
                    "__exported" if fresh => {
                        exported = true;
                        continue;
                    }
                    _ => None,
                };
                if let (Some(kind), true) = (kind, fresh && depth == spaces)
                    && let Some((written, whole)) = module_path(&text[i..])
                {
                    let at = i + (written.len() - written.trim_start().len());
                    let path = written.trim();
                    let end = at + path.len();
                    let quoted = path.starts_with('"');
                    // Blanks may stand around the dots of a path.
                    let joined = path.split('.').map(str::trim).collect::<Vec<_>>().join(".");
                    let path = if quoted { path.trim_matches('"').to_string() } else { joined };
                    out.push(ModuleWord { kind, exported, path, quoted, at, end });
                    if !whole {
                        (fresh, exported, i) = (true, false, end);
                        continue;
                    }
                }
                (fresh, exported) = (false, false);
            }
            b => {
                match b {
                    b'{' | b'(' | b'[' => {
                        spaces += usize::from(b == b'{' && names_space && depth == spaces);
                        depth += 1;
                    }
                    b'}' | b')' | b']' => {
                        depth = depth.saturating_sub(1);
                        spaces = spaces.min(depth);
                    }
                    _ => {}
                }
                if !b.is_ascii_whitespace() {
                    names_space &= b == b':';
                    fresh = matches!(b, b';' | b'}' | b']' | b'{') && depth == spaces;
                }
                i += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_keep_offsets() {
        assert_eq!(blank_comments("a//b\nc/*d\ne*/f").unwrap(), "a   \nc   \n   f");
        assert_eq!(blank_comments("\"//x\"").unwrap(), "\"//x\"");
        assert_eq!(blank_comments("a/*"), Err(ScanError::UnclosedComment { at: 1 }));
    }

    #[test]
    fn module_words_are_found_where_declarations_begin() {
        let text = "module m; import a.b-c;\n__exported import \"x y\"; namespace n { import z; }\n\
                    struct S { int module; } __include p; float import; int f(module x); implementing q;";
        let found: Vec<_> = module_words(text).into_iter().map(|w| (w.kind, w.exported, w.path, w.quoted)).collect();
        let word = |kind, exported, path: &str, quoted| (kind, exported, path.to_string(), quoted);
        let expected = [
            word(None, false, "m", false),
            word(Some(ImportKind::Import), false, "a.b-c", false),
            word(Some(ImportKind::Import), true, "x y", true),
            word(Some(ImportKind::Import), false, "z", false),
            word(Some(ImportKind::Include), false, "p", false),
            word(Some(ImportKind::Implementing), false, "q", false),
        ];
        assert_eq!(found, expected);
        let at = module_words(text).remove(1);
        assert_eq!(&text[at.at..at.end], "a.b-c");
    }

    #[test]
    fn brackets_are_matched() {
        assert_eq!(check_nesting("f(a[1]) { }"), Ok(()));
        assert!(matches!(check_nesting("f(a]"), Err(ScanError::Mismatched { at: 3, .. })));
        assert!(matches!(check_nesting("f { {"), Err(ScanError::Unclosed { at: 5, open_at: 4, .. })));
        assert!(matches!(check_nesting("f { g(a; }"), Err(ScanError::Unclosed { at: 7, open_at: 5, .. })));
        assert!(matches!(check_nesting("f(for (a; b { c; }"), Err(ScanError::Unclosed { at: 12, open_at: 6, .. })));
        assert!(matches!(check_nesting("f{for(a;b;c d;}"), Err(ScanError::Unclosed { at: 13, open_at: 5, .. })));
        assert!(matches!(check_nesting("f { a = {1, {2}; }"), Err(ScanError::Unclosed { at: 15, open_at: 8, .. })));
        assert!(matches!(check_nesting("f { g((x) => { h; }; }"), Err(ScanError::Unclosed { at: 19, open_at: 5, .. })));
        assert!(matches!(check_nesting("}"), Err(ScanError::Unopened { at: 0, .. })));
    }

    #[test]
    fn deep_nesting_is_refused_in_every_form() {
        for deep in ["(", "{", "[", "if (x) ", "a < ", "a ? b, ", "for (;;) "] {
            let text = deep.repeat(2000);
            assert!(matches!(check_nesting(&text), Err(ScanError::TooDeep { .. })), "{deep}");
        }
        let chain = "a < b && ".repeat(2000) + "c;";
        assert_eq!(check_nesting(&chain), Ok(()));
    }
}
