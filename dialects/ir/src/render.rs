//! Diagnostics as text: the first line that other programs parse, then the source with labels, then
//! the notes.
//!
//! Sources are asked for by file name and may be missing; then the labels are left out and the
//! notes stay.

use crate::codes;
use crate::diag::{Diagnostic, Severity};
use crate::loc::{Loc, LocKind};
use codespan_reporting::diagnostic::{Diagnostic as Report, Label};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term;
use std::ops::Range;

/// The text of `diagnostic`, ending with a newline. `source` gives the text of a file by its name
/// in locations.
pub fn render(diagnostic: &Diagnostic, source: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = format!("{diagnostic}\n");
    out.push_str(&snippet(diagnostic, source, false).unwrap_or_else(|| plain_notes(diagnostic)));
    out
}

/// The same in the colours of a terminal. Without its escape sequences it is the same text.
pub fn render_in_color(diagnostic: &Diagnostic, source: &dyn Fn(&str) -> Option<String>) -> String {
    let Diagnostic { code, message, .. } = diagnostic;
    let (severity, color) = match diagnostic.severity {
        Severity::Error => ("error", "\x1b[1;31m"),
        Severity::Warning => ("warning", "\x1b[1;33m"),
    };
    let place = diagnostic.loc.start_text();
    let mut out = format!("{place}: {color}{severity}[{code}]\x1b[0m\x1b[1m: {message}\x1b[0m\n");
    out.push_str(&snippet(diagnostic, source, true).unwrap_or_else(|| plain_notes(diagnostic)));
    out
}

/// The source lines at `loc` with `label` under them, ending with a newline; empty if the source is
/// not known.
pub fn render_place(loc: Loc, label: &str, source: &dyn Fn(&str) -> Option<String>) -> String {
    // The severity only colours, and there are no colours.
    snippet(&Diagnostic::error(codes::E9999, loc, "").with_label(label), source, false).unwrap_or_default()
}

fn plain_notes(diagnostic: &Diagnostic) -> String {
    let labels = diagnostic.labels.iter().map(|(loc, text)| format!("  note: {}: {text}\n", loc.start_text()));
    labels.chain(diagnostic.notes.iter().map(|note| format!("  note: {note}\n"))).collect()
}

/// The source lines with labels, and the notes; `None` if the primary place is not in a source that
/// is known.
fn snippet(diagnostic: &Diagnostic, source: &dyn Fn(&str) -> Option<String>, color: bool) -> Option<String> {
    let mut files: SimpleFiles<&str, String> = SimpleFiles::new();
    let mut known: Vec<(&str, usize, String)> = Vec::new();
    let mut place = |loc: Loc| -> Option<(usize, Range<usize>)> {
        let LocKind::Span { file, line, col, end_line, end_col } = loc.source().kind() else { return None };
        let name = file.as_str();
        if !known.iter().any(|(n, ..)| *n == name) {
            let text = source(name)?;
            known.push((name, files.add(name, text.clone()), text));
        }
        let (_, id, text) = known.iter().find(|(n, ..)| *n == name)?;
        let start = offset(text, *line, *col)?;
        let end = offset(text, *end_line, *end_col).unwrap_or(start).max(start);
        Some((*id, start..end))
    };
    let (id, range) = place(diagnostic.loc)?;
    let mut labels = vec![Label::primary(id, range).with_message(&diagnostic.label)];
    let mut notes = Vec::new();
    for (loc, text) in &diagnostic.labels {
        match place(*loc) {
            Some((id, range)) => labels.push(Label::secondary(id, range).with_message(text)),
            None => notes.push(format!("note: {}: {text}", loc.start_text())),
        }
    }
    notes.extend(diagnostic.notes.iter().map(|note| format!("note: {note}")));
    let report = match diagnostic.severity {
        Severity::Error => Report::error(),
        Severity::Warning => Report::warning(),
    };
    let report = report.with_labels(labels).with_notes(notes);
    let config = term::Config::default();
    let text = match color {
        true => {
            let styles = term::Styles::default();
            let mut bytes = term::termcolor::Ansi::new(Vec::new());
            let mut writer = term::StylesWriter::new(&mut bytes, &styles);
            term::emit_to_write_style(&mut writer, &config, &files, &report).ok()?;
            String::from_utf8(bytes.into_inner()).ok()?
        }
        false => term::emit_into_string(&config, &files, &report).ok()?,
    };
    // The first line is codespan's own header, which ours stands for.
    text.split_once('\n').map(|(_, rest)| format!("{}\n", rest.trim_end()))
}

/// Byte offset of a line and column (from 1, in characters); the end of the line for columns beyond
/// it.
fn offset(text: &str, line: u32, col: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let content = text[start..].split('\n').next().unwrap_or("");
    let within = content.char_indices().nth(col.saturating_sub(1) as usize).map_or(content.len(), |(at, _)| at);
    Some(start + within)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::intern::Name;

    fn span(file: &str, start: (u32, u32), end: (u32, u32)) -> Loc {
        Loc::span(Name::new(file), start, end)
    }

    #[test]
    fn source_labels_and_notes_are_shown() {
        let d = Diagnostic::error(codes::E0201, span("a.slang", (2, 5), (2, 6)), "no such name `y`")
            .with_label("not found")
            .with_label_at(span("a.slang", (1, 1), (1, 6)), "declared here")
            .with_note("did you mean `x`?");
        let text = render(&d, &|name| (name == "a.slang").then(|| "float x;\nx = y;\n".to_string()));
        assert!(text.starts_with("a.slang:2:5: error[E0201]: no such name `y`\n"), "{text}");
        for part in ["x = y;", "^ not found", "declared here", "note: did you mean `x`?"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn colours_change_nothing_else() {
        let d = Diagnostic::error(codes::E0201, span("a", (1, 1), (1, 2)), "m").with_label("l").with_note("n");
        let source = |_: &str| Some("x;\n".to_string());
        let colored = render_in_color(&d, &source);
        assert!(colored.starts_with("a:1:1: \x1b[1;31merror[E0201]\x1b[0m"), "{colored:?}");
        let mut plain = String::new();
        let mut parts = colored.split('\x1b');
        plain.push_str(parts.next().unwrap_or_default());
        parts.for_each(|part| plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest)));
        assert_eq!(plain, render(&d, &source));
    }

    #[test]
    fn what_is_unknown_or_out_of_range_does_no_harm() {
        let d = Diagnostic::error(codes::E0011, Loc::unknown(), "m").with_note("n");
        assert_eq!(render(&d, &|_| None), "<unknown>:0:0: error[E0011]: m\n  note: n\n");
        for at in [(9, 1), (1, 99), (0, 0), (u32::MAX, u32::MAX)] {
            let d = Diagnostic::warning(codes::W0211, span("b", at, (1, 1)), "m")
                .with_label_at(span("c", (1, 1), (1, 2)), "l");
            let text = render(&d, &|name| (name == "b").then(|| "é".to_string()));
            assert!(text.contains(": warning[W0211]: m\n") && text.contains("c:1:1: l"), "{text}");
        }
    }
}
