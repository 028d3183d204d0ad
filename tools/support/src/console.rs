//! Where the tool writes: standard output and error, and diagnostics as text.

use crate::exit;
use caustic_ir::Diagnostic;
use std::io::{self, Write};

/// Diagnostics that are shown with the lines of the source that they are about.
const MAX_EXCERPTS: usize = 100;

/// The two streams. What is written to standard output is kept until the end, or until someone
/// waits for it; a failing write is noticed once.
pub struct Console<'a> {
    out: &'a mut (dyn Write + Send),
    err: &'a mut (dyn Write + Send),
    pending: Vec<u8>,
    /// Why what was written before its time did not come to standard output.
    failed: Option<io::Error>,
    /// Whether diagnostics have the colours of a terminal.
    pub color: bool,
}

impl<'a> Console<'a> {
    pub fn new(out: &'a mut (dyn Write + Send), err: &'a mut (dyn Write + Send)) -> Self {
        Console { out, err, pending: Vec::new(), failed: None, color: false }
    }

    pub fn out(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The same of what is no text.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Writes out what is pending before the end, for who waits for it.
    pub fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if self.failed.is_none() {
            self.failed = self.out.write_all(&pending).and_then(|()| self.out.flush()).err();
        }
    }

    pub fn err(&mut self, text: &str) {
        // There is nowhere left to complain about standard error.
        let _ = self.err.write_all(text.as_bytes());
    }

    /// Writes diagnostics to standard error and returns the exit code they ask for. `source` gives
    /// a file's text by its name.
    pub fn report(&mut self, diagnostics: &[Diagnostic], source: &dyn Fn(&str) -> Option<String>) -> i32 {
        // Nobody reads more excerpts, and each costs a walk through the source; what was found is
        // still all there.
        for (i, d) in diagnostics.iter().enumerate() {
            let text = match self.color {
                _ if i >= MAX_EXCERPTS => format!("{d}\n"),
                true => caustic_ir::render::render_in_color(d, source),
                false => caustic_ir::render::render(d, source),
            };
            self.err(&text);
        }
        exit::code_of(diagnostics)
    }

    /// Writes out what is pending and returns the exit code.
    pub fn finish(mut self, tool: &str, code: i32) -> i32 {
        self.flush();
        match self.failed {
            None => code,
            // The reader has seen enough, as `head` does.
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => code,
            Some(error) => {
                let _ = writeln!(self.err, "{tool}: error: cannot write the output: {error}");
                exit::USAGE
            }
        }
    }
}
