//! The command: arguments in, calls of the driver, text out.
//!
//! [`main_with`] is the whole tool as a function, so that tests run it in process. Exit codes are
//! in [`caustic_tool::exit`].

pub mod cli;
mod files;
mod inputs;
mod job;
mod json;
mod launch;
mod run;
mod table;

use caustic_tool::{Console, FileSystem, exit, run_tool};
use cli::Command;
use std::io::Write;

/// Runs the tool with these arguments (the program's name is not one of them) and returns its exit
/// code.
pub fn main_with(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
) -> i32 {
    main_in_color(args, out, err, files, false)
}

/// The same where diagnostics may be in colour; `--color` decides before that.
pub fn main_in_color(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
    color: bool,
) -> i32 {
    run_tool("caustic", out, err, |console| main_on(args, console, files, color))
}

fn main_on(args: &[String], console: &mut Console<'_>, files: &dyn FileSystem, color: bool) -> i32 {
    console.color = color;
    match cli::parse(args) {
        Ok(Command::Print(text)) => {
            console.out(&text);
            exit::SUCCESS
        }
        Ok(Command::Run(options)) => run::run(&options, console, files),
        Ok(Command::Launch(options)) => launch::launch(&options, console, files),
        Ok(Command::Check(options)) => run::check(&options, console, files),
        Ok(Command::Emit(options)) => run::emit(&options, console, files),
        Ok(Command::Gradcheck(options)) => run::gradcheck(&options, console, files),
        Err(error) => {
            console.err(&format!("{error}\n"));
            exit::USAGE
        }
    }
}
