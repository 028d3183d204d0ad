//! The driver: arguments in, library calls, text out.
//!
//! [`main_with`] is the whole tool as a function, so that tests run it in process. Exit codes are in [`exit`].

pub mod cli;
pub mod exit;
mod guard;
pub mod io;
pub mod pipeline;
mod report;
mod run;

use cli::Command;
use io::FileSystem;
use report::Console;
use std::io::Write;

/// Runs the tool with these arguments (the program's name is not one of them) and returns its exit code.
pub fn main_with(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
) -> i32 {
    let mut console = Console::new(out, err);
    let command = match cli::parse(args) {
        Ok(command) => command,
        Err(error) => {
            console.err(&format!("{error}\n"));
            return console.finish(exit::USAGE);
        }
    };
    let outcome = guard::guarded(|| match &command {
        Command::Print(text) => {
            console.out(text);
            exit::SUCCESS
        }
        Command::Run(options) => run::run(options, &mut console, files),
        Command::Check(options) => run::check(options, &mut console, files),
        Command::Emit(options) => run::emit(options, &mut console, files),
        Command::Gradcheck(options) => run::gradcheck(options, &mut console, files),
    });
    let code = outcome.unwrap_or_else(|said| {
        console.err(&format!(
            "caustic: internal error: the compiler panicked\n{said}\n  note: this is a bug in the compiler, not in the program; \
             please report it with the program\n"
        ));
        exit::INTERNAL
    });
    console.finish(code)
}
