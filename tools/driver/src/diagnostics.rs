//! What went wrong, as data: the errors of this library, and diagnostics together with the texts
//! that they point into.

use caustic_cuda::CudaError;
use caustic_frontend::source::Origins;
use caustic_ir::codes;
use caustic_ir::render::{render, render_place};
use caustic_ir::{CancelToken, Diagnostic, Fault, Loc, Severity};
use caustic_runtime::dispatch::ThreadId;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The texts of a program's files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    /// By the names under which they were read.
    files: Arc<[(String, Arc<str>)]>,
    origins: Arc<Origins>,
}

impl Texts {
    pub(crate) fn new(files: Vec<(String, Arc<str>)>, origins: Origins) -> Texts {
        Texts { files: files.into(), origins: Arc::new(origins) }
    }

    fn get(&self, file: &str) -> Option<&str> {
        self.files.iter().find(|(name, _)| name == file).map(|(_, text)| &**text)
    }
}

/// Diagnostics in the order in which they were found, and the texts that they are about.
///
/// It is a slice of [`Diagnostic`]s. [`Display`](fmt::Display) gives all of them as text, with the
/// lines of the source.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    texts: Texts,
}

impl Diagnostics {
    pub(crate) fn new(list: Vec<Diagnostic>, texts: Texts) -> Diagnostics {
        Diagnostics { list, texts }
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|d| d.severity == Severity::Error)
    }

    /// Whether the compiler contradicted itself and the program is not to blame.
    pub fn is_internal(&self) -> bool {
        let mut errors = self.list.iter().filter(|d| d.severity == Severity::Error).peekable();
        errors.peek().is_some() && errors.all(|d| d.fault != Fault::User)
    }

    /// The text of a file that one of them may point into.
    pub fn text(&self, file: &str) -> Option<&str> {
        self.texts.get(file)
    }

    /// One of them as text, with the lines of the source that it is about. It ends with a newline.
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        render(diagnostic, &|name| self.text(name).map(str::to_string))
    }
}

/// Diagnostics about no text.
impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics::new(list, Texts::default())
    }
}

impl Deref for Diagnostics {
    type Target = [Diagnostic];

    fn deref(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.list.iter().try_for_each(|d| f.write_str(&self.render(d)))
    }
}

/// A thread of a kernel did what has no meaning, or ran into a limit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trap {
    /// What happened.
    pub message: String,
    /// Where in the program.
    pub loc: Loc,
    /// Which thread it was, if that is known.
    pub thread: Option<ThreadId>,
    /// What the kernel had printed until then, in the order of its threads.
    pub printed: String,
    texts: Texts,
}

impl Trap {
    pub(crate) fn new(trap: caustic_runtime::Trap, printed: String, texts: &Texts) -> Trap {
        let caustic_runtime::Trap { message, loc, thread } = trap;
        Trap { message, loc, thread, printed, texts: texts.clone() }
    }

    /// The trap with the lines of the source that it is about. It ends with a newline.
    pub fn render(&self) -> String {
        let place = render_place(self.loc, "here", &|name| self.texts.get(name).map(str::to_string));
        let mut told = Diagnostic::error(codes::E9999, self.loc, "");
        self.texts.origins.explain(&mut told);
        let labels = told.labels.iter().map(|(loc, text)| format!("{}: {text}", loc.start_text()));
        let notes: String = labels.chain(told.notes).map(|note| format!("  note: {note}\n")).collect();
        format!("{self}\n{place}{notes}")
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trap { message, loc, thread, .. } = self;
        caustic_runtime::Trap { message: message.clone(), loc: *loc, thread: *thread }.fmt(f)
    }
}

/// Why there is no result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The program, or what was asked of it, is wrong; the reasons, an error among them. Where
    /// [`Diagnostics::is_internal`] says so, the compiler is.
    Rejected(Diagnostics),
    /// The program ran and did not come to its end.
    Trapped(Trap),
    /// There is no such device here, or it failed.
    Device(CudaError),
    /// The session's [`CancelToken`] was set before the work was done.
    Cancelled,
}

impl Error {
    /// The diagnostics, if it is about the program.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Rejected(diagnostics) => diagnostics,
            _ => &[],
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Rejected(diagnostics) => f.write_str(diagnostics.to_string().trim_end()),
            Error::Trapped(trap) => f.write_str(trap.render().trim_end()),
            Error::Device(error) => error.fmt(f),
            Error::Cancelled => f.write_str("the work was cancelled"),
        }
    }
}

impl std::error::Error for Error {}

/// [`Error`] before it is known which texts it is about.
pub(crate) enum Failure {
    /// Nothing in the list means that a step was cancelled.
    Found(Vec<Diagnostic>),
    Device(CudaError),
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(found: Vec<Diagnostic>) -> Failure {
        Failure::Found(found)
    }
}

impl From<Diagnostic> for Failure {
    fn from(found: Diagnostic) -> Failure {
        Failure::Found(vec![found])
    }
}

impl From<CudaError> for Failure {
    fn from(error: CudaError) -> Failure {
        Failure::Device(error)
    }
}

/// What a caller is told of a failure. Once the end was asked for, that is the reason, whatever
/// else there is.
pub(crate) fn told(failure: Failure, cancel: &CancelToken, texts: &Texts) -> Error {
    match failure {
        _ if cancel.is_cancelled() => Error::Cancelled,
        Failure::Found(found) if found.is_empty() => {
            let found = Diagnostic::internal(Loc::unknown(), "a step of the compiler failed and did not say why");
            Error::Rejected(Diagnostics::new(vec![found], texts.clone()))
        }
        Failure::Found(mut found) => {
            texts.origins.explain_all(&mut found);
            Error::Rejected(Diagnostics::new(found, texts.clone()))
        }
        Failure::Device(error) => Error::Device(error),
    }
}
