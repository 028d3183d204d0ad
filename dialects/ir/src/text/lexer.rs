//! Tokens of MLIR text. Every byte sequence has tokens; what belongs to none is [`Kind::Bad`].

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Eof,
    /// `a.b`, keywords included.
    Ident,
    /// `%x`, `%0#1`
    Value,
    /// `@f`, `@"any text"`
    Symbol,
    /// `^bb0`
    Block,
    /// `!a.b`
    Type,
    /// `#a.b`
    Attr,
    /// Decimal or hexadecimal, without a sign.
    Int,
    Float,
    /// With its quotes.
    String,
    Arrow,
    Punct,
    /// A character that no token starts with, or an open string.
    Bad,
}

#[derive(Clone, Copy, Debug)]
pub struct Token<'s> {
    pub kind: Kind,
    pub text: &'s str,
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The token at or after byte `at`, past space and comments.
pub fn token(source: &str, at: usize) -> Token<'_> {
    let start = skip_space(source, at);
    let rest = &source[start..];
    let (kind, len) = scan(rest);
    Token { kind, text: &rest[..len], start }
}

fn skip_space(source: &str, mut at: usize) -> usize {
    let bytes = source.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'/') if bytes.get(at + 1) == Some(&b'/') => {
                at = source[at..].find('\n').map_or(source.len(), |n| at + n);
            }
            _ => return at,
        }
    }
}

fn is_ident_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_'
}
fn is_ident(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'.')
}

fn count(bytes: &[u8], pred: fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|b| pred(**b)).count()
}

fn digits(bytes: &[u8]) -> usize {
    count(bytes, |b| b.is_ascii_digit())
}

/// The length of what may follow `%`, `^`, `!` or `#`.
fn suffix(bytes: &[u8], hyphens: bool) -> usize {
    match bytes.first() {
        Some(b) if b.is_ascii_digit() => digits(bytes),
        Some(_) => {
            let mut n = 0;
            while let Some(&b) = bytes.get(n) {
                // `->` ends a name that hyphens may be part of.
                let hyphen = hyphens && b == b'-' && bytes.get(n + 1) != Some(&b'>');
                if !is_ident(b) && !hyphen {
                    break;
                }
                n += 1;
            }
            n
        }
        None => 0,
    }
}

fn scan(rest: &str) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let Some(&first) = bytes.first() else { return (Kind::Eof, 0) };
    match first {
        b'%' => match suffix(&bytes[1..], true) {
            0 => (Kind::Bad, 1),
            n => {
                let number = match bytes.get(n + 1) {
                    Some(b'#') => digits(&bytes[n + 2..]),
                    _ => 0,
                };
                (Kind::Value, 1 + n + if number > 0 { 1 + number } else { 0 })
            }
        },
        b'^' => match suffix(&bytes[1..], true) {
            0 => (Kind::Bad, 1),
            n => (Kind::Block, 1 + n),
        },
        b'!' => match suffix(&bytes[1..], false) {
            0 => (Kind::Bad, 1),
            n => (Kind::Type, 1 + n),
        },
        b'#' => match suffix(&bytes[1..], false) {
            0 => (Kind::Bad, 1),
            n => (Kind::Attr, 1 + n),
        },
        b'@' => match bytes.get(1) {
            Some(b'"') => match string(&bytes[1..]) {
                Some(n) => (Kind::Symbol, 1 + n),
                None => (Kind::Bad, 2),
            },
            Some(&b) if is_ident_start(b) => (Kind::Symbol, 1 + count(&bytes[1..], is_ident)),
            _ => (Kind::Bad, 1),
        },
        b'"' => match string(bytes) {
            Some(n) => (Kind::String, n),
            None => (Kind::Bad, 1),
        },
        b'-' if bytes.get(1) == Some(&b'>') => (Kind::Arrow, 2),
        b if is_ident_start(b) => (Kind::Ident, count(bytes, is_ident)),
        b if b.is_ascii_digit() => number(bytes),
        b if b"(){}[]<>,:=-+*?|/".contains(&b) => (Kind::Punct, 1),
        _ => (Kind::Bad, rest.chars().next().map_or(1, char::len_utf8)),
    }
}

fn number(bytes: &[u8]) -> (Kind, usize) {
    if bytes[0] == b'0' && bytes.get(1) == Some(&b'x') {
        let n = count(&bytes[2..], |b| b.is_ascii_hexdigit());
        if n > 0 {
            return (Kind::Int, 2 + n);
        }
    }
    let whole = digits(bytes);
    if bytes.get(whole) != Some(&b'.') {
        return (Kind::Int, whole);
    }
    let mut end = whole + 1 + digits(&bytes[whole + 1..]);
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(&bytes[(end + 1 + sign).min(bytes.len())..]);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    (Kind::Float, end)
}

/// The length of the string literal at the start, quotes included.
fn string(bytes: &[u8]) -> Option<usize> {
    let mut n = 1;
    loop {
        match bytes.get(n)? {
            b'"' => return Some(n + 1),
            b'\n' => return None,
            b'\\' if bytes.get(n + 1) != Some(&b'\n') => n += 2,
            _ => n += 1,
        }
    }
}

/// The text of a string literal, escapes resolved; None if an escape is wrong or the bytes are no
/// UTF-8.
pub fn unquoted(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.bytes();
    while let Some(b) = bytes.next() {
        if b != b'\\' {
            out.push(b);
            continue;
        }
        out.push(match bytes.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            c @ (b'"' | b'\\') => c,
            high => {
                let hex = |b: u8| (b as char).to_digit(16);
                (hex(high)? * 16 + hex(bytes.next()?)?) as u8
            }
        });
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Kind, &str)> {
        let mut out = Vec::new();
        let mut at = 0;
        loop {
            let t = token(source, at);
            if t.kind == Kind::Eof {
                return out;
            }
            out.push((t.kind, t.text));
            at = t.end();
        }
    }

    #[test]
    fn tokens() {
        use Kind::*;
        assert_eq!(
            kinds("%c-1_i32 %0#1 %a->// x\n @\"a b\" ^bb0 !agg.array<4,f32> 1.5e-3 0x1F \"a\\22\" é"),
            vec![
                (Value, "%c-1_i32"),
                (Value, "%0#1"),
                (Value, "%a"),
                (Arrow, "->"),
                (Symbol, "@\"a b\""),
                (Block, "^bb0"),
                (Type, "!agg.array"),
                (Punct, "<"),
                (Int, "4"),
                (Punct, ","),
                (Ident, "f32"),
                (Punct, ">"),
                (Float, "1.5e-3"),
                (Int, "0x1F"),
                (String, "\"a\\22\""),
                (Bad, "é"),
            ]
        );
        assert_eq!(kinds("\"open\n"), vec![(Bad, "\""), (Ident, "open")]);
        assert_eq!(kinds("1.e 2."), vec![(Float, "1."), (Ident, "e"), (Float, "2.")]);
    }

    #[test]
    fn strings() {
        assert_eq!(unquoted(r#""a\22\\\n\C3\A4""#).as_deref(), Some("a\"\\\nä"));
        assert_eq!(unquoted(r#""\FF""#), None);
        assert_eq!(unquoted(r#""\g""#), None);
    }
}
