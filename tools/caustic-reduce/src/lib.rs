//! `caustic-reduce`: makes a program smaller that shows a fault, as long as it still shows it.
//!
//! What a fault is says a [`predicate`]. A `.slang` file is changed as a tree of tokens ([`text`]),
//! a `.mlir` file as IR ([`ir`]). Each change is tried on the whole predicate, several at once, and
//! the first in order that keeps the fault is taken ([`search`]), so that the result does not
//! depend on how many are tried at a time. Every text on the way shows the fault, and so is as
//! valid as the predicate asks: what is about numbers asks for a program that compiles and runs.

mod cli;
mod ir;
mod predicate;
mod search;
mod text;
mod tokens;

use caustic_tool::{Console, FileSystem, exit, run_tool};
use cli::Options;
use std::io::Write;

/// Runs the tool with these arguments (the program's name is not one of them) and returns its exit
/// code.
pub fn main_with(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
) -> i32 {
    run_tool("caustic-reduce", out, err, |console| {
        let options = match cli::parse(args, console) {
            Ok(options) => options,
            Err(code) => return code,
        };
        match reduce(&options, console, files) {
            Ok(()) => exit::SUCCESS,
            Err((code, message)) => {
                console.err(&format!("caustic-reduce: error: {message}\n"));
                code
            }
        }
    })
}

/// A smaller text of IR of which the same holds, for programs that know themselves what a fault is.
pub fn smaller_ir(text: &str, holds: &(dyn Fn(&str) -> bool + Sync)) -> String {
    let mut state = search::State::new(text.to_string(), 1);
    search::run(&mut state, ir::PASSES, holds);
    state.text
}

fn reduce(options: &Options, console: &mut Console<'_>, files: &dyn FileSystem) -> Result<(), (i32, String)> {
    let cannot_read = |e: &dyn std::fmt::Display| (exit::USAGE, format!("cannot read `{}`: {e}", options.file));
    let bytes = files.read(&options.file).map_err(|e| cannot_read(&e))?;
    let original = String::from_utf8(bytes).map_err(|e| cannot_read(&e))?;
    let test = predicate::Test { options, files };
    if !test.holds(&original) {
        let text = format!("`{}` does not show the fault as it stands: {}", options.file, options.predicate.describe());
        return Err((exit::REJECTED, text));
    }
    let mut state = search::State::new(original.clone(), options.jobs);
    let passes = if options.file.ends_with(".mlir") { ir::PASSES } else { text::PASSES };
    let tried = search::run(&mut state, passes, &|candidate| test.holds(candidate));
    let (before, after) = (lines(&original), lines(&state.text));
    let output = options.output();
    if output == "-" {
        console.out(&state.text);
    } else {
        files
            .write(&output, state.text.as_bytes())
            .map_err(|e| (exit::USAGE, format!("cannot write `{output}`: {e}")))?;
        console.out(&format!("{output}: {before} lines became {after} ({tried} programs tried)\n"));
    }
    Ok(())
}

fn lines(text: &str) -> usize {
    text.lines().filter(|l| !l.trim().is_empty()).count()
}
