//! The command: arguments in, calls of the driver, text out.
//!
//! [`main_with`] is the whole tool as a function, so that tests run it in process. Exit codes are
//! in [`caustic_tool::exit`].

pub mod cli;
mod files;
mod fit;
mod init;
mod inputs;
mod job;
mod json;
mod launch;
mod pictures;
mod run;
mod table;

use caustic_tool::{Console, FileSystem, exit, run_tool};
use cli::Command;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs the tool with these arguments (the program's name is not one of them) and returns its exit
/// code.
pub fn main_with(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
) -> i32 {
    main_on_terminal(args, out, err, files, Terminal::default())
}

/// What the streams lead to, and how the user asks for an end. Without one there are no colours,
/// nothing is rewritten in place, and nobody asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminal {
    /// Whether diagnostics may be in colour; `--color` decides before that.
    pub color: bool,
    /// Whether a line on standard error can be rewritten in place.
    pub live: bool,
    /// Whether standard output is a terminal, too.
    pub output: bool,
    /// It is set when the user wants an end. Only a fit looks at it.
    pub stop: Option<&'static AtomicBool>,
}

impl Terminal {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The same on a terminal.
pub fn main_on_terminal(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
    terminal: Terminal,
) -> i32 {
    run_tool("caustic", out, err, |console| main_on(args, console, files, terminal))
}

fn main_on(args: &[String], console: &mut Console<'_>, files: &dyn FileSystem, terminal: Terminal) -> i32 {
    console.color = terminal.color;
    match cli::parse(args) {
        Ok(Command::Print(text)) => {
            console.out(&text);
            exit::SUCCESS
        }
        Ok(Command::Init(folder)) => init::init(&folder, console, files),
        Ok(Command::Run(options)) => run::run(&options, console, files),
        Ok(Command::Launch(options)) => launch::launch(&options, console, files),
        Ok(Command::Fit(options)) => fit::fit(&options, console, files, terminal),
        Ok(Command::Check(options)) => run::check(&options, console, files),
        Ok(Command::Emit(options)) => run::emit(&options, console, files),
        Ok(Command::Gradcheck(options)) => run::gradcheck(&options, console, files, terminal),
        Err(error) => {
            console.err(&format!("{error}\n"));
            exit::USAGE
        }
    }
}
