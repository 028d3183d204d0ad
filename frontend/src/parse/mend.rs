//! Reports text that is neither a statement nor a declaration, and recovers from it.
//!
//! A missing `;` is reported at the end of the construct that it should end, and inserted: the text
//! on both sides is built as if the `;` were there, so that the error causes no others. Of any
//! other piece, the names that it may have declared are kept, so that their uses are not reported
//! as undeclared.

use super::causes::{begins_otherwise, is_name_char, leading_word, open_brackets};
use super::slips::{meant_head, semicolons_for_commas, try_of_block};
use super::{Ctx, P, Rule, machine};
use crate::scan;
use crate::source::Span;
use caustic_ir::Name;
use caustic_ir::codes;

/// The most pieces of a file that are mended. A file with more is in another language.
const MAX_MENDED: u32 = 32;

/// The rules by which a piece of text is parsed.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// The rule for one statement or declaration.
    pub(super) one: Rule,
    /// The rule for the piece after it was mended, which can make it several.
    many: Rule,
    word: &'static str,
}

pub(super) const STATEMENT: Piece = Piece { one: Rule::one_stmt, many: Rule::stmts, word: "statement" };
pub(super) const DECLARATION: Piece = Piece { one: Rule::one_decl, many: Rule::file, word: "declaration" };

impl Ctx<'_> {
    /// Reports what is wrong with a piece that the recovery rules skipped, by parsing it again on
    /// its own. Passes the parts that can be built to `build`.
    pub(super) fn report_bad(&mut self, pair: &P, piece: Piece, build: &mut dyn FnMut(&mut Self, P)) {
        let text = pair.as_str();
        let start = pair.start();
        if self.builds_branch(pair, piece, build) {
            return;
        }
        // The names that the end of a declaration gives a type which was refused.
        if self.refused_type.and_then(|end| end.checked_sub(self.base)).is_some_and(|end| pair.follows(end as usize)) {
            self.note_broken(&format!("type {text}"));
            return;
        }
        let Err(e) = machine::parse(piece.one, text) else {
            // The piece parses alone: what surrounds it does not allow it.
            let span = self.span(pair);
            self.error(codes::E0100, span, "this cannot stand here");
            return;
        };
        if self.report_foreign(pair, e.at, piece, build) {
            return;
        }
        if let Some(mended) = semicolons_for_commas(text, e.at, piece.one).filter(|_| self.may_mend()) {
            self.report_parse_error(&e, text, start);
            self.build_text(&mended, start, piece, build);
            return;
        }
        let at = end_of_import(text).unwrap_or(e.at);
        let tried = try_of_block(text, e.at).is_some();
        let semicolon = if tried { None } else { self.with_semicolon(text, at, piece) };
        let Some((end, mended)) = semicolon else {
            self.report_parse_error(&e, text, start);
            self.note_broken(text);
            // Its `else` is no second mistake, nor is its `catch`.
            if meant_head(text.trim_start()) == Some("if") || tried {
                self.branches = Some(self.base + (start + text.trim_end().len()) as u32);
            }
            let names_follow = text.trim_start().starts_with("typedef") && text.trim_end().ends_with('}');
            self.refused_type = names_follow.then(|| self.base + (start + text.trim_end().len()) as u32);
            return;
        };
        self.report_semicolon(start + end, piece.word, pair.next_line(start + end));
        self.build_text(&mended, start, piece, build);
    }

    /// Builds a mended piece that begins at offset `start`.
    pub(super) fn build_text(&mut self, text: &str, start: usize, piece: Piece, build: &mut dyn FnMut(&mut Self, P)) {
        let (outer, branches, refused) = (self.base, self.branches.take(), self.refused_type.take());
        self.base += start as u32;
        if let Some(tree) = machine::read(piece.many, text) {
            for pair in tree.pairs().flat_map(|p| p.into_inner()).filter(|p| p.as_rule() != Rule::EOI) {
                build(self, pair);
            }
        }
        (self.base, self.branches, self.refused_type) = (outer, branches, refused);
    }

    /// Whether one more piece may be mended, which is counted.
    pub(super) fn may_mend(&mut self) -> bool {
        self.mended += 1;
        self.mended <= MAX_MENDED
    }

    /// Reports that a `;` is missing at `end`. If a later line goes on with `next`, the error is
    /// there, as of any other token that is not expected.
    pub(super) fn report_semicolon(&mut self, end: usize, ended: &str, next: Option<(usize, &str)>) {
        let (span, missing) = (self.one_at(end), "a `;` is missing here".to_string());
        let Some((next, token)) = next else {
            let message = format!("syntax error: expected `;` at the end of this {ended}");
            self.error(codes::E0100, span, message).label = missing;
            return;
        };
        let place = (self.loc)(span).0;
        let message = format!("syntax error: expected `;` before `{token}`, at the end of the {ended} above");
        let here = Span::new(self.base + next as u32, self.base + (next + token.len()) as u32);
        let d = self.error(codes::E0100, here, message);
        d.label = "unexpected here".to_string();
        d.labels.insert(0, (place, missing));
    }

    /// Returns the text with a `;` after what stands before `at`, and the offset of the `;`; `None`
    /// if a missing `;` is not the mistake. Offsets stay valid: the `;` replaces a blank or stands
    /// at the end.
    fn with_semicolon(&mut self, text: &str, at: usize, piece: Piece) -> Option<(usize, String)> {
        let at = before_attributes(text, at).unwrap_or(at);
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

    /// Notes the names that a piece may have declared: words after a type, and the name of a
    /// function.
    pub(super) fn note_broken(&mut self, text: &str) {
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

/// The place behind the name of a module where no `;` ends it: a name is no rule of the grammar
/// that could be stuck there.
fn end_of_import(text: &str) -> Option<usize> {
    let mut rest = text.trim_start();
    loop {
        let word = leading_word(rest);
        rest = rest[word.len()..].trim_start();
        match word {
            "public" | "private" | "internal" | "__exported" | "export" => {}
            "import" | "__import" | "module" | "implementing" | "__include" => break,
            _ => return None,
        }
    }
    let named = match rest.strip_prefix('"') {
        Some(inside) => inside.find('"')? + 2,
        None => rest.find(|c: char| !(is_name_char(c) || ".-/".contains(c))).unwrap_or(rest.len()),
    };
    let behind = rest[named..].trim_start();
    (named > 0 && !behind.starts_with(';')).then_some(text.len() - behind.len())
}

/// The place of the attributes that end at `at`, each on a line of its own: after a missing `;`
/// they are read as the sizes of arrays.
fn before_attributes(text: &str, at: usize) -> Option<usize> {
    let mut first = None;
    let mut before = text.get(..at)?.trim_end();
    while before.ends_with(']') {
        let depth = |i: usize| open_brackets(&before[..i]).len();
        let open = before.rmatch_indices('[').map(|(i, _)| i).find(|&i| depth(i) == 0)?;
        let named = before[open + 1..].trim_start().starts_with(|c: char| c.is_alphabetic());
        let outside = before[..open].trim_end();
        if !named || !before[outside.len()..open].contains('\n') {
            break;
        }
        (first, before) = (Some(open), outside);
    }
    first
}
