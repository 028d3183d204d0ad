//! What every command-line tool of the project needs around its library calls: streams, files,
//! command lines, exit codes, and a guard against panics and deep recursion.
//!
//! With it a tool is one function of its arguments, so tests run whole tools in process. It knows
//! no pass and no target.

pub mod arguments;
pub mod console;
pub mod exit;
mod guard;
pub mod io;

pub use console::Console;
pub use io::{FileSystem, MemoryFiles, RealFiles};

use std::io::Write;

/// Runs a tool's work with a console over these streams and returns its exit code. A panic in
/// `work` is reported as an internal error of `tool`.
pub fn run_tool(
    tool: &str,
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    work: impl FnOnce(&mut Console<'_>) -> i32 + Send,
) -> i32 {
    let mut console = Console::new(out, err);
    let code = guard::guarded(|| work(&mut console)).unwrap_or_else(|said| {
        console.err(&format!(
            "{tool}: internal error: the compiler panicked\n{said}\n  note: this is a bug in the compiler, not in the program; \
             please report it with the program\n"
        ));
        exit::INTERNAL
    });
    console.finish(tool, code)
}
