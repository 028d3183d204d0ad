//! `launch`: a kernel that was compiled before, on the GPU. No compiler takes part.

use crate::cli::RunOptions;
use crate::run::{Job, bind, write_reads};
use caustic_cuda::{CudaError, Device, Kernel};
use caustic_runtime::{Description, Grid, Launch, PrintLog};
use caustic_tool::{Console, FileSystem, exit};
use std::path::Path;

pub fn launch(options: &RunOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let beside = Path::new(&options.source.file).with_extension("json").to_string_lossy().into_owned();
    let read = |path: &str| {
        let bytes = files.read(path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
        String::from_utf8(bytes).map_err(|_| format!("`{path}` is no text"))
    };
    let described = |text: String| Description::parse(&text).map_err(|why| format!("`{beside}`: {why}"));
    let (ptx, description) = match read(&options.source.file).and_then(|ptx| Ok((ptx, described(read(&beside)?)?))) {
        Ok(both) => both,
        Err(message) => {
            console.err(&format!("caustic: error: {message}\n"));
            return exit::USAGE;
        }
    };
    let mut job = Job::new(&options.source, console, files);
    let bindings = match bind(options, &description.interface, &mut job) {
        Ok(bindings) => bindings,
        Err(code) => return code,
    };
    let grid = Grid { groups: options.dispatch, numthreads: description.interface.numthreads };
    let prints = PrintLog::default();
    let launch = Launch { grid, bindings: &bindings, prints: &prints, traps: options.traps() };
    match dispatch(&ptx, &description, &launch) {
        Ok(()) => {
            write_reads(options, &description.interface, &bindings, console);
            exit::SUCCESS
        }
        Err(error) => {
            console.err(&said(&error));
            exit::TRAP
        }
    }
}

/// Runs the kernel on the machine's first device.
pub fn dispatch(ptx: &str, description: &Description, launch: &Launch<'_>) -> Result<(), CudaError> {
    let device = Device::open(0)?;
    Kernel::new(device, ptx, &description.interface, &description.counters).dispatch(launch)
}

pub fn said(error: &CudaError) -> String {
    let note = error.note.map_or(String::new(), |note| format!("  note: {note}\n"));
    format!("caustic: error: {error}\n{note}")
}
