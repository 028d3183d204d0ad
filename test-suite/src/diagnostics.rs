//! Diagnostics of the tools: those that a case expects on standard error, and those found there.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Error,
    Warning,
    Trap,
}

/// An expected diagnostic: `LINE:COL CODE text` of an `EXPECT-…` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub kind: Kind,
    /// The end of the file's name; empty for the case itself.
    pub file: String,
    pub line: usize,
    pub col: usize,
    /// The code; empty for traps.
    pub code: String,
    pub text: String,
}

impl Expected {
    /// Parses a directive that stands on line `here` (from 1).
    pub fn parse(kind: Kind, text: &str, here: usize) -> Result<Expected, String> {
        let form = if kind == Kind::Trap { "[FILE:]LINE:COL text" } else { "[FILE:]LINE:COL CODE text" };
        let wrong = || format!("`{text}` is not of the form {form}");
        let (place, rest) = text.split_once(' ').ok_or_else(wrong)?;
        let (code, message) = match kind {
            Kind::Trap => ("", rest),
            _ => rest.trim_start().split_once(' ').ok_or_else(wrong)?,
        };
        let (before, col) = place.rsplit_once(':').ok_or_else(wrong)?;
        let (file, line) = before.rsplit_once(':').unwrap_or(("", before));
        let line = match line.strip_prefix('@') {
            Some("") => here,
            Some(offset) => here.checked_add_signed(offset.parse().map_err(|_| wrong())?).ok_or_else(wrong)?,
            None => line.parse().map_err(|_| wrong())?,
        };
        let message = message.trim();
        if message.is_empty() {
            return Err(wrong());
        }
        let col = col.parse().map_err(|_| wrong())?;
        Ok(Expected { kind, file: file.into(), line, col, code: code.into(), text: message.into() })
    }

    fn matches(&self, found: &Found, case: &str) -> bool {
        let file = if self.file.is_empty() { found.file == case } else { found.file.ends_with(&self.file) };
        file && self.kind == found.kind
            && (self.line, self.col) == (found.line, found.col)
            && self.code == found.code
            && found.message.contains(&self.text)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.code.is_empty() { "" } else { " " };
        write!(f, "{:?} at {}:{}{space}{}: {}", self.kind, self.line, self.col, self.code, self.text)
    }
}

/// A diagnostic that a tool wrote: `FILE:LINE:COL: error[CODE]: message`, or
/// `FILE:LINE:COL: trap: message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub kind: Kind,
    pub file: String,
    pub line: usize,
    pub col: usize,
    pub code: String,
    pub message: String,
}

/// The diagnostics on a tool's standard error. Other lines are ignored.
pub fn parse_all(stderr: &str) -> Vec<Found> {
    stderr.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<Found> {
    let (at, kind, marker) = [(Kind::Error, ": error["), (Kind::Warning, ": warning["), (Kind::Trap, ": trap: ")]
        .into_iter()
        .filter_map(|(kind, marker)| line.find(marker).map(|at| (at, kind, marker)))
        .min_by_key(|(at, ..)| *at)?;
    let (place, rest) = (&line[..at], &line[at + marker.len()..]);
    let (code, message) = match kind {
        Kind::Trap => ("", rest),
        _ => rest.split_once("]: ")?,
    };
    let (before, col) = place.rsplit_once(':')?;
    let (file, line) = before.rsplit_once(':')?;
    Some(Found {
        kind,
        file: file.to_string(),
        line: line.parse().ok()?,
        col: col.parse().ok()?,
        code: code.to_string(),
        message: message.to_string(),
    })
}

/// Checks that each expected diagnostic was found once, and no other.
pub fn compare(expected: &[Expected], found: &[Found], case: &str) -> Result<(), String> {
    let mut rest: Vec<&Found> = found.iter().collect();
    let mut problems = Vec::new();
    for want in expected {
        match rest.iter().position(|f| want.matches(f, case)) {
            Some(at) => drop(rest.remove(at)),
            None => problems.push(format!("missing:    {want}")),
        }
    }
    let describe =
        |f: &&Found| format!("unexpected: {:?} at {}:{}:{} {}: {}", f.kind, f.file, f.line, f.col, f.code, f.message);
    problems.extend(rest.iter().map(describe));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(text: &str) -> Expected {
        Expected::parse(Kind::Error, text, 10).unwrap()
    }

    #[test]
    fn places_are_absolute_or_relative() {
        assert_eq!((expected("3:7 E0001 x y").line, expected("3:7 E0001 x y").col), (3, 7));
        assert_eq!(expected("@:1 E0001 x").line, 10);
        assert_eq!(expected("@+2:1 E0001 x").line, 12);
        assert_eq!(expected("@-9:1 E0001 x").line, 1);
        assert_eq!(expected("lib.slang:3:7 E0001 x").file, "lib.slang");
        for bad in ["3:7", "3 E0001 x", "3:7 E0001", "x:1 E0001 t", "@-99:1 E0001 t", "3:x E0001 t", "3:1 E0001  "] {
            assert!(Expected::parse(Kind::Error, bad, 10).is_err(), "{bad}");
        }
    }

    #[test]
    fn diagnostics_are_read_from_standard_error() {
        let found = parse_all(
            "c/a.slang:3:7: error[E0001]: no `x`: it is gone\n  |\n3 | y\nb:1:2: trap: index (thread)\nnoise: error\n",
        );
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].file.as_str(), found[0].code.as_str()), ("c/a.slang", "E0001"));
        assert_eq!(found[0].message, "no `x`: it is gone");
        assert_eq!((found[1].kind, found[1].line), (Kind::Trap, 1));
    }

    #[test]
    fn missing_and_unexpected_diagnostics_fail() {
        let found = parse_all("a:3:7: error[E0001]: one\na:4:1: error[E0002]: two\n");
        let want = [expected("3:7 E0001 one"), expected("4:1 E0002 tw")];
        assert_eq!(compare(&want, &found, "a"), Ok(()));
        assert!(compare(&want[..1], &found, "a").unwrap_err().contains("unexpected"));
        assert!(compare(&want, &found[..1], "a").unwrap_err().contains("missing"));
        assert!(compare(&want, &found, "b").is_err(), "another file's diagnostics do not count");
        for wrong in ["3:8 E0001 one", "2:7 E0001 one", "3:7 E0009 one", "3:7 E0001 three"] {
            assert!(compare(&[expected(wrong)], &found[..1], "a").is_err(), "{wrong}");
        }
    }
}
