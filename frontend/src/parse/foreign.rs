//! Reads on behind a word that other languages have at its place: `struct S s`, `float const x`,
//! `new S()`, `elif`. The error names the word, and the text is built as if it were not there, so
//! that the error causes no others.

use super::causes::{is_name_char, leading_word};
use super::mend::Piece;
use super::{Ctx, P, machine};

/// A word of another language.
struct Foreign {
    at: usize,
    message: String,
    note: String,
    /// The text without the word. Offsets stay valid.
    mended: Option<String>,
}

/// How other languages write `else if`.
const ELSE_IF: [&str; 3] = ["elif", "elsif", "elseif"];

pub(super) fn is_else_if(word: &str) -> bool {
    ELSE_IF.contains(&word)
}

impl Ctx<'_> {
    /// Reports a word of another language because of which the piece cannot be read at `at`, and
    /// builds the piece without it. Returns whether there is one.
    pub(super) fn report_foreign(
        &mut self,
        pair: &P,
        at: usize,
        piece: Piece,
        build: &mut dyn FnMut(&mut Self, P),
    ) -> bool {
        let (text, start) = (pair.as_str(), pair.start());
        let Some(found) = foreign(text, at) else { return false };
        let farther = |mended: &str| machine::parse(piece.one, mended).map_or_else(|e| e.at > at, |_| true);
        let word = leading_word(&text[found.at..]);
        let mut mended = found.mended.filter(|m| farther(m));
        // A piece that was not understood ends at a `}`, and this one goes on.
        if text.trim_end().ends_with('}') && pair.rest_of_line().trim_start().starts_with(';') {
            let whole = mended.as_ref().map(|m| format!("{m};"));
            mended = whole.filter(|m| machine::read(piece.one, m).is_some()).or(mended);
        }
        // What looks like such a word can be one of the program.
        if mended.is_none() && !is_operator(word) && word != "new" {
            return false;
        }
        let span = self.one_at(start + found.at);
        let d = self.error(caustic_ir::codes::E0100, span, format!("syntax error: {}", found.message));
        d.label = "unexpected here".to_string();
        d.notes.push(found.note);
        match mended.filter(|_| self.may_mend()) {
            Some(mended) => {
                self.build_text(&mended, start, piece, build);
                self.note_branch(pair, word);
            }
            None => self.note_broken(text),
        }
        true
    }

    /// Builds an `else` or a branch that follows one which was mended. Returns whether it is one:
    /// all of them are one mistake.
    pub(super) fn builds_branch(&mut self, pair: &P, piece: Piece, build: &mut dyn FnMut(&mut Self, P)) -> bool {
        let text = pair.as_str();
        let follows = self.branches.and_then(|end| end.checked_sub(self.base));
        let word = leading_word(text);
        let goes_on = matches!(word, "else" | "catch" | "finally") || is_else_if(word);
        if !goes_on || !follows.is_some_and(|end| pair.follows(end as usize)) {
            return false;
        }
        if matches!(word, "catch" | "finally") {
            self.note_broken(text);
            self.note_branch(pair, word);
            return true;
        }
        let with = if word == "else" { "" } else { "if" };
        self.build_text(&replaced(text, 0, word, with), pair.start(), piece, build);
        self.note_branch(pair, word);
        true
    }

    fn note_branch(&mut self, pair: &P, word: &str) {
        if matches!(word, "else" | "catch" | "finally") || is_else_if(word) {
            self.branches = Some(self.base + (pair.start() + pair.as_str().trim_end().len()) as u32);
        }
    }
}

fn is_operator(word: &str) -> bool {
    matches!(word, "fwd_diff" | "bwd_diff")
}

/// The text with `with` at the end of what the word at `at` took.
fn replaced(text: &str, at: usize, word: &str, with: &str) -> String {
    let blanks = " ".repeat(word.len().saturating_sub(with.len()));
    format!("{}{blanks}{with}{}", &text[..at], &text[at + word.len()..])
}

/// The last word of a text, with its offset.
fn last_word(text: &str) -> (usize, &str) {
    let text = text.trim_end();
    let word = text.rsplit(|c: char| !is_name_char(c)).next().unwrap_or_default();
    (text.len() - word.len(), word)
}

fn foreign(text: &str, at: usize) -> Option<Foreign> {
    let (before, after) = (text.get(..at)?, text.get(at..)?);
    let (last, word) = last_word(before);
    let (first, word_before) = last_word(&before[..last]);
    let next = leading_word(after);
    let begin = text.len() - text.trim_start().len();
    let first_word = leading_word(&text[begin..]);
    let found = |at: usize, word: &str, with: &str, message: String, note: String| {
        Some(Foreign { at, message, note, mended: Some(replaced(text, at, word, with)) })
    };
    if is_else_if(first_word) {
        let message = format!("`{first_word}` is no word of the language");
        return found(begin, first_word, "if", message, "write `else if`".to_string());
    }
    let operators = [(begin, first_word), (last, word)];
    if let Some((at, word)) = operators.into_iter().find(|(at, w)| is_operator(w) && names_next(&text[at + w.len()..]))
    {
        let f = leading_word(text[at + word.len()..].trim_start());
        let message = format!("expected `(` after `{word}`");
        return Some(Foreign { at, message, note: format!("write `{word}({f})(…)`"), mended: None });
    }
    let says_kind = |w: &str| matches!(w, "struct" | "class" | "enum");
    let kind = if says_kind(word_before) && !word.is_empty() && !next.is_empty() {
        Some((first, word_before, word))
    } else {
        // Where a type is expected, the word itself is not.
        let name = leading_word(after.get(next.len()..)?.trim_start());
        (says_kind(next) && !name.is_empty()).then_some((at, next, name))
    };
    if let Some((at, kind, name)) = kind {
        let message = format!("`{kind}` stands where a type is declared");
        return found(at, kind, "", message, format!("where it is used, its name is enough: `{name}`"));
    }
    let type_before = !word_before.is_empty() || before[..last].trim_end().ends_with(['>', ']', '*']);
    if word == "const" && type_before && !next.is_empty() {
        return found(
            last,
            word,
            "",
            "`const` stands in front of the type".to_string(),
            format!("write `const {}`", if word_before.is_empty() { "T" } else { word_before }),
        );
    }
    if word == "new" && !next.is_empty() {
        let message = "`new` makes no object".to_string();
        let mut found = found(last, word, "", message, format!("a value is made by `{next}(…)`"))?;
        let called = after[next.len()..].trim_start().starts_with(['(', '<']);
        found.mended = found.mended.filter(|_| called);
        return Some(found);
    }
    None
}

fn names_next(text: &str) -> bool {
    text.starts_with(' ') && !leading_word(text.trim_start()).is_empty()
}
