//! `--verify-diagnostics`: expectations in comments, compared with what was found.
//!
//! `// expected-error {{text}}` expects an error on its own line whose message or notes contain the
//! text; `@+2`, `@-1`, `@above` and `@below` after `error` name another line, and `[E0501]` the
//! diagnostic's code. `expected-warning` likewise.

use caustic_ir::{Diagnostic, LocKind, Severity};

struct Expected {
    line: u32,
    severity: Severity,
    /// Empty is any.
    code: String,
    text: String,
    /// Where the comment stands.
    at: u32,
}

/// Every difference between the expectations in `source` and the diagnostics; empty if there is
/// none.
pub fn differences(file: &str, source: &str, found: &[Diagnostic]) -> Vec<String> {
    let mut out = Vec::new();
    let mut expected = Vec::new();
    for (i, line) in source.lines().enumerate() {
        read_line(file, line, i as u32 + 1, &mut expected, &mut out);
    }
    for d in found {
        let line = match d.loc.source().kind() {
            LocKind::Span { file: f, line, .. } if *f == file => *line,
            _ => 0,
        };
        let said = |text: &str| d.message.contains(text) || d.notes.iter().any(|n| n.contains(text));
        let is = |e: &Expected| {
            e.line == line && e.severity == d.severity && (e.code.is_empty() || d.code == e.code) && said(&e.text)
        };
        match expected.iter().position(is) {
            Some(at) => {
                expected.remove(at);
            }
            None => out.push(format!("{d}\n  note: this was not expected")),
        }
    }
    for e in expected {
        let kind = if e.severity == Severity::Error { "error" } else { "warning" };
        out.push(format!("{file}:{}:1: expected {kind} \"{}\" on line {} was not produced", e.at, e.text, e.line));
    }
    out
}

fn read_line(file: &str, line: &str, number: u32, expected: &mut Vec<Expected>, wrong: &mut Vec<String>) {
    let mut rest = line;
    while let Some(at) = rest.find("expected-") {
        rest = &rest[at + "expected-".len()..];
        let severity = if let Some(after) = rest.strip_prefix("error") {
            rest = after;
            Severity::Error
        } else if let Some(after) = rest.strip_prefix("warning") {
            rest = after;
            Severity::Warning
        } else {
            continue;
        };
        let parsed = (|| {
            let open = rest.find("{{")?;
            let place = rest[..open].trim();
            let text = &rest[open + 2..];
            let close = text.find("}}")?;
            let (place, code) = match place.split_once('[') {
                Some((place, code)) => (place.trim(), code.strip_suffix(']')?),
                None => (place, ""),
            };
            let line = match place.strip_prefix('@') {
                None if place.is_empty() => number,
                None => return None,
                Some("above") => number.checked_sub(1)?,
                Some("below") => number + 1,
                Some(offset) if offset.starts_with(['+', '-']) => {
                    u32::try_from(i64::from(number) + offset.parse::<i64>().ok()?).ok()?
                }
                Some(line) => line.parse().ok()?,
            };
            rest = &text[close + 2..];
            Some(Expected { line, severity, code: code.to_string(), text: text[..close].to_string(), at: number })
        })();
        match parsed {
            Some(one) => expected.push(one),
            None => {
                wrong.push(format!("{file}:{number}:1: expected `expected-error@… {{{{text}}}}`"));
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_ir::{Loc, Name};

    fn error(line: u32, text: &str) -> Diagnostic {
        Diagnostic::error(caustic_ir::codes::E0011, Loc::span(Name::new("f"), (line, 1), (line, 2)), text)
    }

    #[test]
    fn expectations_and_diagnostics_are_matched() {
        let source = "// expected-error@+1 {{two}}\nx // expected-error {{one}}\n// expected-error@above {{three}}";
        let all = [error(2, "says one"), error(2, "says two"), error(2, "says three")];
        assert!(differences("f", source, &all).is_empty());
        assert_eq!(differences("f", source, &all[..2]).len(), 1);
        assert_eq!(differences("f", source, &[error(3, "one")]).len(), 4);
        assert_eq!(differences("f", "// expected-error@x {{a}}", &[]).len(), 1);
        assert!(differences("f", "// expected-error@2 [E0011] {{one}}", &all[1..2]).len() == 2);
        assert!(differences("f", "// expected-error@2 [E0011] {{two}}", &all[1..2]).is_empty());
        assert_eq!(differences("f", "// expected-error@2 [E0002] {{two}}", &all[1..2]).len(), 2);
    }
}
