//! What is done about a piece of text that is no statement and no declaration.
//!
//! A missing `;` is said where it is missing, at the end of what it ends, and put in: what stands
//! on both sides is built as if it were there, so that nothing follows from the error. Of any other
//! piece the names are kept that it may have declared: that they are not there is no news.

use super::causes::{begins_otherwise, is_name_char, open_brackets};
use super::errors::position;
use super::{Ctx, P, Rule, machine};
use crate::scan;
use caustic_ir::Name;
use caustic_ir::codes;

/// So many `;` are put into a file; where more are missing, it is in another language.
const MAX_MENDED: u32 = 32;

/// What a piece is read as.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// It alone.
    one: Rule,
    /// What it is when a `;` has been put into it.
    many: Rule,
    word: &'static str,
}

pub(super) const STATEMENT: Piece = Piece { one: Rule::one_stmt, many: Rule::stmts, word: "statement" };
pub(super) const DECLARATION: Piece = Piece { one: Rule::one_decl, many: Rule::file, word: "declaration" };

impl Ctx<'_> {
    /// Reports what is wrong with a piece that the recovery rules swallowed: parses it again,
    /// alone. What can be made of it is handed to `build`.
    pub(super) fn report_bad(&mut self, pair: &P, piece: Piece, build: &mut dyn FnMut(&mut Self, P)) {
        let text = pair.as_str();
        let start = pair.start();
        let Err(e) = machine::parse(piece.one, text) else {
            // The piece parses alone: what surrounds it does not allow it.
            let span = self.span(pair);
            self.error(codes::E0100, span, "this cannot stand here");
            return;
        };
        let Some((end, mended)) = self.with_semicolon(text, position(&e), piece) else {
            self.report_parse_error(&e, text, start);
            self.note_broken(text);
            return;
        };
        self.report_semicolon(start + end, piece.word);
        let outer = self.base;
        self.base += start as u32;
        if let Some(tree) = machine::read(piece.many, &mended) {
            for pair in tree.pairs().flat_map(|p| p.into_inner()).filter(|p| p.as_rule() != Rule::EOI) {
                build(self, pair);
            }
        }
        self.base = outer;
    }

    /// At `end` a `;` is missing.
    pub(super) fn report_semicolon(&mut self, end: usize, ended: &str) {
        let span = self.one_at(end);
        let message = format!("syntax error: expected `;` at the end of this {ended}");
        self.error(codes::E0100, span, message).label = "a `;` is missing here".to_string();
    }

    /// The text with a `;` after what stands before `at`, if that is what is missing. Offsets stay:
    /// the `;` takes the place of a blank, or stands at the end.
    fn with_semicolon(&mut self, text: &str, at: usize, piece: Piece) -> Option<(usize, String)> {
        let before = text.get(..at)?.trim_end();
        let end = before.len();
        let (gap, rest) = (text.get(end..at)?, text.get(at..)?);
        let last = rest.trim().is_empty();
        let ends_something = before.ends_with(|c: char| is_name_char(c) || ")]}\">".contains(c))
            || before.ends_with("++")
            || before.ends_with("--");
        if self.mended >= MAX_MENDED
            || !ends_something
            || !last && gap.is_empty()
            || !open_brackets(before).is_empty()
            || begins_otherwise(text)
            || before.ends_with("let mut")
        {
            return None;
        }
        // A body without its head is no declaration.
        if matches!(piece.one, Rule::one_decl) && rest.starts_with('{') {
            return None;
        }
        machine::read(piece.one, &format!("{before};"))?;
        let alone = before.trim().chars().all(is_name_char);
        if !last && !gap.contains('\n') && (alone || machine::read(piece.one, rest).is_none()) {
            return None;
        }
        self.mended += 1;
        Some((end, format!("{before};{}", text.get(end + 1..).unwrap_or_default())))
    }

    /// The names that a piece may have declared: words behind a type, and the function's.
    fn note_broken(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (mut i, mut first, mut after_type) = (0, true, false);
        while i < bytes.len() {
            let b = bytes[i];
            if scan::is_name_byte(b) {
                let start = i;
                while i < bytes.len() && scan::is_name_byte(bytes[i]) {
                    i += 1;
                }
                if after_type || first && text[i..].trim_start().starts_with('(') {
                    self.broken.insert(Name::new(&text[start..i]));
                }
                (first, after_type) = (false, true);
                continue;
            }
            if let Some(end) = scan::literal_end(bytes, i) {
                i = end;
                after_type = false;
                continue;
            }
            if !b.is_ascii_whitespace() {
                after_type = matches!(b, b'>' | b']' | b'*' | b'&' | b',');
            }
            i += 1;
        }
    }
}
