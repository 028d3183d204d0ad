//! Text that knows where in the files its characters were written.

use super::macros::glues;
use crate::source::Spelling;
use std::ops::Range;

/// A text with the places of its characters.
#[derive(Clone, Debug, Default)]
pub struct Traced {
    pub text: String,
    marks: Vec<Spelling>,
}

/// A part of a traced text.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub text: &'a str,
    /// Where the part starts in the whole, of which these are the marks.
    at: usize,
    marks: &'a [Spelling],
}

impl<'a> View<'a> {
    /// The text of a file, or one of which nothing is known.
    pub fn new(text: &'a str, marks: &'a [Spelling]) -> View<'a> {
        View { text, at: 0, marks }
    }

    pub fn part(self, range: Range<usize>) -> View<'a> {
        View { text: &self.text[range.clone()], at: self.at + range.start, marks: self.marks }
    }

    /// A part of this one, by the text alone.
    pub fn find(self, part: &str) -> View<'a> {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let start = start.min(self.text.len());
        self.part(start..(start + part.len()).min(self.text.len()))
    }

    pub fn trim(self) -> View<'a> {
        self.find(self.text.trim())
    }

    pub fn to_owned(self) -> Traced {
        let mut out = Traced::default();
        out.push(self);
        out
    }
}

impl Traced {
    /// A text that stands in no file.
    pub fn nowhere(text: String) -> Traced {
        Traced { text, marks: Vec::new() }
    }

    pub fn view(&self) -> View<'_> {
        View::new(&self.text, &self.marks)
    }

    /// Where its characters were written, by their offsets.
    pub fn marks(&self) -> &[Spelling] {
        &self.marks
    }

    pub fn push(&mut self, part: View) {
        let (start, end) = (part.at as u32, (part.at + part.text.len()) as u32);
        let shift = self.text.len() as u32;
        let first = part.marks.partition_point(|m| m.at <= start).checked_sub(1);
        match first.map(|i| part.marks[i]) {
            Some(m) if m.file.is_some() => {
                self.mark(Spelling { at: shift, file: m.file, from: m.from + (start - m.at) });
            }
            _ => self.mark(Spelling { at: shift, file: None, from: 0 }),
        }
        for m in part.marks[first.map_or(0, |i| i + 1)..].iter().take_while(|m| m.at < end) {
            self.mark(Spelling { at: shift + m.at.saturating_sub(start), ..*m });
        }
        self.text.push_str(part.text);
    }

    /// Appends text that stands in no file.
    pub fn push_str(&mut self, text: &str) {
        self.push(View::new(text, &[]));
    }

    pub fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.marks.retain(|m| (m.at as usize) < len);
    }

    fn mark(&mut self, mark: Spelling) {
        let goes_on = |last: &Spelling| {
            last.file == mark.file && (mark.file.is_none() || last.from + (mark.at - last.at) == mark.from)
        };
        if !self.marks.last().is_some_and(goes_on) {
            self.marks.push(mark);
        }
    }
}

/// A text made of pieces. Those that a macro or an argument put side by side stay tokens of their
/// own.
#[derive(Default)]
pub struct Pieces {
    pub out: Traced,
    /// The text ends with something that was put in the place of a name.
    pub seam: bool,
}

impl Pieces {
    /// Appends text as it is written.
    pub fn copy(&mut self, part: View) {
        if part.text.is_empty() {
            return;
        }
        if self.seam && glues(&self.out.text, part.text) {
            self.out.push_str(" ");
        }
        self.seam = false;
        self.out.push(part);
    }

    /// Appends what stands in the place of a name. Gives where it starts.
    pub fn put(&mut self, part: View) -> usize {
        if glues(&self.out.text, part.text) {
            self.out.push_str(" ");
        }
        self.seam = true;
        self.out.push(part);
        self.out.text.len() - part.text.len()
    }
}
