//! Source locations: interned, copyable, and carried by every op.
//!
//! A location is a span in a file, or "derived from" another location (synthesized code names what
//! it was made from), or unknown. Lines and columns count from 1; a column counts characters, as
//! editors do.

#![warn(missing_docs)]

use crate::intern::{Interner, Name};
use std::fmt;

/// What a location says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LocKind {
    /// Nothing is known of where the code is from.
    Unknown,
    /// From `(line, col)` up to, not including, `(end_line, end_col)`.
    Span {
        /// The file as the front end was told its name.
        file: Name,
        /// Of the first character.
        line: u32,
        /// Of the first character.
        col: u32,
        /// Of the first character after the span.
        end_line: u32,
        /// Of the first character after the span.
        end_col: u32,
    },
    /// Code that the compiler made because of `from`; `why` names the step.
    Derived {
        /// What the code was made of.
        from: Loc,
        /// The step that made it.
        why: Name,
    },
}

/// An interned location.
#[derive(Clone, Copy)]
pub struct Loc(&'static LocKind);

static LOCS: Interner<LocKind> = Interner::new();

impl Loc {
    /// The location that says this.
    pub fn new(kind: LocKind) -> Loc {
        Loc(LOCS.intern(kind))
    }

    /// No place.
    pub fn unknown() -> Loc {
        Loc::new(LocKind::Unknown)
    }

    /// From `start` up to, not including, `end`, each a line and a column.
    pub fn span(file: Name, start: (u32, u32), end: (u32, u32)) -> Loc {
        Loc::new(LocKind::Span { file, line: start.0, col: start.1, end_line: end.0, end_col: end.1 })
    }

    /// The location of code synthesized because of `self`. Derivation is recorded once: what is
    /// derived from derived code points at the same source, with the newest reason.
    pub fn derived(self, why: Name) -> Loc {
        let from = self.source();
        if *from.kind() == LocKind::Unknown { from } else { Loc::new(LocKind::Derived { from, why }) }
    }

    /// Whether the compiler made the code that stands here of other code.
    pub fn is_derived(self) -> bool {
        matches!(self.0, LocKind::Derived { .. })
    }

    /// What the location says.
    pub fn kind(self) -> &'static LocKind {
        self.0
    }

    /// The place in the source text that this location goes back to.
    pub fn source(self) -> Loc {
        match self.0 {
            LocKind::Derived { from, .. } => from.source(),
            _ => self,
        }
    }

    /// `file:line:col`, or `<unknown>:0:0`.
    pub fn start_text(self) -> String {
        match self.source().0 {
            LocKind::Span { file, line, col, .. } => format!("{file}:{line}:{col}"),
            _ => "<unknown>:0:0".to_string(),
        }
    }
}

impl PartialEq for Loc {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Loc {}
impl std::hash::Hash for Loc {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0 as *const LocKind as usize).hash(state);
    }
}
impl fmt::Debug for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.start_text())
    }
}
