//! `launch`: a kernel that was compiled before, on the GPU. No compiler takes part.

use crate::cli::RunOptions;
use crate::job::{Job, write_files, write_reads};
use caustic_driver::{CudaError, Error, Kernel};
use caustic_tool::{Console, FileSystem, exit};
use std::path::Path;

pub fn launch(options: &RunOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let beside = Path::new(&options.source.file).with_extension("json").to_string_lossy().into_owned();
    let read = |path: &str| {
        let bytes = files.read(path).map_err(|error| format!("cannot read `{path}`: {error}"))?;
        String::from_utf8(bytes).map_err(|_| format!("`{path}` is no text"))
    };
    let kernel = |ptx: String, text: &str| Kernel::from_ptx(ptx, text).map_err(|why| format!("`{beside}`: {why}"));
    let kernel = match read(&options.source.file).and_then(|ptx| kernel(ptx, &read(&beside)?)) {
        Ok(kernel) => kernel.with_file(&options.source.file),
        Err(message) => {
            console.err(&format!("caustic: error: {message}\n"));
            return exit::USAGE;
        }
    };
    let mut job = Job::new(console, files, &options.source);
    let mut bindings = kernel.bindings();
    if let Err(code) = job.bind(options, &mut bindings).and_then(|()| job.check_writes(options, &bindings)) {
        return code;
    }
    job.note_left_out(&kernel, options, &bindings, [1; 3], |_| false);
    match kernel.dispatch(&mut bindings, options.dispatch()) {
        Ok(_) => {
            write_reads(options, &bindings, job.console);
            write_files(options, &bindings, &mut job).err().unwrap_or(exit::SUCCESS)
        }
        // Without a GPU nothing else runs PTX.
        Err(Error::Device(error)) => job.failed(Error::Device(CudaError { input: None, ..error })),
        Err(error) => job.failed(error),
    }
}
