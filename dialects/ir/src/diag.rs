//! Diagnostics: what went wrong, where, and what would make it right.
//!
//! A [`Diagnostic`] is plain data: a code, a message, a primary [`Loc`], labels at other places and
//! notes. It is rendered to text only by the tools, through [`render`]. Nothing here reads files or
//! prints.
//!
//! Invariant: the first line of a rendered diagnostic is `FILE:LINE:COL: severity[CODE]: message`;
//! other programs parse it.

#![warn(missing_docs)]

use crate::codes::{self, Code};
use crate::input::Input;
use crate::loc::Loc;
use std::fmt;

pub use crate::render::render;

/// How bad a diagnostic is. Only [`Severity::Error`] makes a run fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is taken all the same.
    Warning,
    /// The program is rejected.
    Error,
}

/// Whose fault it is; decides the exit code that a tool ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program that was given is wrong (exit code 1).
    User,
    /// IR that breaks an invariant: a wrong `.mlir` input, or a pass with a bug.
    InvalidIr,
    /// An inconsistency inside the compiler, reported as such.
    Internal,
}

/// One diagnostic about a program, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the program is rejected for it.
    pub severity: Severity,
    /// Whose fault it is.
    pub fault: Fault,
    /// `E0123`; `W0123` for warnings.
    pub code: Code,
    /// One sentence, without its place.
    pub message: String,
    /// Where it is.
    pub loc: Loc,
    /// What is written under the primary location; empty means none.
    pub label: String,
    /// Further places with a text each.
    pub labels: Vec<(Loc, String)>,
    /// How to make it right, one sentence each.
    pub notes: Vec<String>,
    /// What the host would change, if it is something beside the source.
    pub input: Option<Input>,
}

impl Diagnostic {
    /// The program is rejected: it is wrong at `loc`.
    pub fn error(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            fault: Fault::User,
            code,
            message: message.into(),
            loc,
            label: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            input: None,
        }
    }

    /// The program is taken; something at `loc` deserves a look.
    pub fn warning(code: Code, loc: Loc, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, loc, message) }
    }

    /// IR that breaks an invariant of an op or a dialect.
    pub fn invalid_ir(loc: Loc, message: impl Into<String>) -> Self {
        Diagnostic { fault: Fault::InvalidIr, ..Self::error(codes::E9001, loc, message) }
    }

    /// A contradiction inside the compiler: never the user's fault.
    pub fn internal(loc: Loc, message: impl Into<String>) -> Self {
        Diagnostic { fault: Fault::Internal, ..Self::error(codes::E9999, loc, message) }
    }

    /// With a text under the primary place.
    pub fn with_label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    /// With a text at another place.
    pub fn with_label_at(mut self, loc: Loc, text: impl Into<String>) -> Self {
        self.labels.push((loc, text.into()));
        self
    }

    /// With what the host would change.
    pub fn with_input(mut self, input: Input) -> Self {
        self.input = Some(input);
        self
    }

    /// With a sentence that says how to make it right.
    pub fn with_note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{}: {severity}[{}]: {}", self.loc.start_text(), self.code, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// The result of a step that may fail with one diagnostic.
pub type Result<T> = std::result::Result<T, Diagnostic>;
