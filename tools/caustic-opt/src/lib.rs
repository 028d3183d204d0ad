//! `caustic-opt`: reads IR, runs a pipeline of passes, prints IR.
//!
//! The dialects and passes that it knows are arguments of [`main_with_registries`], so a crate that
//! adds some gets the whole tool with a `main` of one line.

mod cli;
mod expect;
mod run;

use caustic_ir::Registry;
use caustic_passes::manager::PassRegistry;
use caustic_tool::{FileSystem, run_tool};
use std::io::Write;

/// The tool with the dialects and passes of this project. The program's name is not one of the
/// arguments.
pub fn main_with(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
) -> i32 {
    let dialects = Registry::new(caustic_dialects::all());
    let passes = caustic_passes::registry();
    main_with_registries(args, out, err, files, &dialects, &passes)
}

/// The tool with these dialects and passes; returns its exit code.
pub fn main_with_registries(
    args: &[String],
    out: &mut (dyn Write + Send),
    err: &mut (dyn Write + Send),
    files: &dyn FileSystem,
    dialects: &Registry,
    passes: &PassRegistry,
) -> i32 {
    run_tool("caustic-opt", out, err, |console| match cli::parse(args, passes, console) {
        Ok(options) => run::run(&options, console, files, dialects, passes),
        Err(code) => code,
    })
}
