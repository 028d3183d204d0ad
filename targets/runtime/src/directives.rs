//! The directives of a `printf` format, for targets whose code is formatted by something else.
//!
//! This module must not know: any target's words for types, how a value is formatted.

/// The letters of directives that take a value.
pub const LETTERS: &str = "diufFeEgGxXocs";

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'f> {
    Text(&'f str),
    /// A percent sign that is printed.
    Percent,
    Directive(Directive<'f>),
}

/// A directive without what stands for the size of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive<'f> {
    /// What the program has behind the percent sign.
    pub written: &'f str,
    /// Those that mean something, each once.
    pub flags: String,
    /// Width and precision.
    pub sizes: &'f str,
    pub letter: char,
}

/// The parts of a format, in order; none, if a width is a value.
pub fn pieces(format: &str) -> Option<Vec<Piece<'_>>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        if at > 0 {
            found.push(Piece::Text(&rest[..at]));
        }
        let behind = &rest[at + 1..];
        rest = behind.strip_prefix('%').unwrap_or(behind);
        if rest.len() < behind.len() {
            found.push(Piece::Percent);
            continue;
        }
        let end = rest.find(|c: char| !"-+ 0#123456789.*".contains(c)).unwrap_or(rest.len());
        let (spec, tail) = rest.split_at(end);
        if spec.contains('*') {
            return None;
        }
        let tail = tail.trim_start_matches(['h', 'l', 'L', 'z', 'j', 't', 'q']);
        let Some(letter) = tail.chars().next().filter(|c| LETTERS.contains(*c)) else {
            // No directive: printed as written.
            found.push(Piece::Percent);
            continue;
        };
        let after = &tail[letter.len_utf8()..];
        let written = &rest[..rest.len() - after.len()];
        let (flags, sizes) = parts(spec, letter);
        found.push(Piece::Directive(Directive { written, flags, sizes, letter }));
        rest = after;
    }
    if !rest.is_empty() {
        found.push(Piece::Text(rest));
    }
    Some(found)
}

/// The flags of a directive that mean something, each once, and its width and precision.
fn parts(spec: &str, letter: char) -> (String, &str) {
    let digits = spec.find(|c: char| "123456789.".contains(c)).unwrap_or(spec.len());
    let (flags, sizes) = spec.split_at(digits);
    let precise = sizes.contains('.');
    // Compilers warn of flags that mean nothing.
    let keep = |c: &char| match c {
        '0' => !(flags.contains('-') || "cs".contains(letter) || precise && "diuxXo".contains(letter)),
        ' ' => !flags.contains('+') && !"uxXocs".contains(letter),
        '+' => !"uxXocs".contains(letter),
        '#' => !"diucs".contains(letter),
        _ => true,
    };
    let mut seen = Vec::new();
    let kept = flags.chars().filter(keep).filter(|c| {
        let new = !seen.contains(c);
        seen.push(*c);
        new
    });
    (kept.collect(), sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(format: &str) -> String {
        let piece = |p: Piece<'_>| match p {
            Piece::Text(text) => format!("[{text}]"),
            Piece::Percent => "%".to_string(),
            Piece::Directive(d) => format!("<{} {}{}{}>", d.written, d.flags, d.sizes, d.letter),
        };
        pieces(format).map_or("computed".to_string(), |all| all.into_iter().map(piece).collect())
    }

    #[test]
    fn formats_are_taken_apart() {
        assert_eq!(shown("at %-05.2lld: 100%%\n"), "[at ]<-05.2lld -5.2d>[: 100]%[\n]");
        assert_eq!(shown("%q %"), "%[q ]%");
        assert_eq!(shown("%++x%*d"), "computed");
        assert_eq!(shown("%%*%+ u"), "%[*]<+ u u>");
    }
}
