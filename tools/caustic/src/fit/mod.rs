//! `fit`: the driver's fit, told of as it goes on.

mod progress;

use crate::cli::FitOptions;
use crate::job::{Job, write_files, write_reads};
use crate::run::{code, with_entry};
use crate::{Terminal, json};
use caustic_driver::fit::{Error, Fit, NotFinite};
use caustic_driver::{Bindings, Kernel};
use caustic_runtime::output::{Format, ReadRequest};
use caustic_tool::{Console, FileSystem, exit};
use progress::Progress;

/// The exit code after the user has asked for the end, as shells have it for that signal.
const INTERRUPTED: i32 = 130;

pub fn fit(options: &FitOptions, console: &mut Console<'_>, files: &dyn FileSystem, terminal: Terminal) -> i32 {
    let source = with_entry(&options.run.source, &options.run.entry);
    let mut job = Job::new(console, files, &source).with_format(options.run.format);
    let mut progress = Progress::new(options, terminal);
    let done = fit_kernel(options, terminal, &mut job, &mut progress);
    let (losses, read) = match &done {
        Ok((_, read)) => (progress.losses(), read.clone()),
        Err(_) => (progress.losses(), json::Values::default()),
    };
    let last = progress.last();
    job.finish(vec![("steps", last.0), ("loss", last.1), ("losses", losses), ("read", read.into())]);
    code(done.map(|(code, _)| code))
}

fn fit_kernel(
    options: &FitOptions,
    terminal: Terminal,
    job: &mut Job<'_, '_>,
    progress: &mut Progress,
) -> Result<(i32, json::Values), i32> {
    let run = &options.run;
    run.backend().require(&job.source.file).map_err(|error| job.failed(error))?;
    let program = job.compile()?;
    let entry = program.entry_point(run.entry.as_deref(), options.bound_names());
    let entry = entry.map_err(|error| job.failed(error))?;
    let mut bindings = entry.bindings();
    let mut all = run.clone();
    let zeros = options.zeros.iter().map(|name| ReadRequest { name: name.clone(), scalar: None });
    all.reads.extend(options.requests().cloned().chain(zeros));
    job.bind(&all, &mut bindings)?;
    let mut fit = Fit::new(options.plan(), &mut bindings).map_err(|error| unfit(error, job))?;
    job.check_writes(run, &bindings)?;
    let kernel = entry.compile(&run.kernel()).map_err(|error| job.failed(error))?;
    // All threads may share the parameters.
    let is_shared = |name: &str| options.requests().any(|request| request.name == name);
    job.note_left_out(&kernel, run, &bindings, entry.group_size(), is_shared);
    let ended = descend(&mut fit, options, &kernel, &mut bindings, terminal, job, progress);
    progress.end(job.console);
    let code = ended?;
    let read = match run.format {
        Format::Json => json::values(&run.reads, &bindings),
        Format::Text => {
            write_reads(run, &bindings, job.console);
            json::Values::default()
        }
    };
    write_files(run, &bindings, job)?;
    Ok((code, read))
}

/// All steps; the exit code.
fn descend(
    fit: &mut Fit,
    options: &FitOptions,
    kernel: &Kernel,
    bindings: &mut Bindings,
    terminal: Terminal,
    job: &mut Job<'_, '_>,
    progress: &mut Progress,
) -> Result<i32, i32> {
    let steps = options.steps.unwrap_or(0);
    loop {
        let step = fit.steps();
        let evaluated = fit.evaluate(kernel, bindings).map_err(|error| {
            progress.end(job.console);
            if let Error::NotFinite { what: NotFinite::Loss(_, printed), .. } = &error {
                progress.printed(printed, job.console);
            }
            let trapped = matches!(error, Error::Failed(_));
            let code = unfit(error, job);
            if trapped {
                job.console.err(&format!("  note: this was in step {step} of the fit\n"));
            }
            code
        })?;
        progress.printed(&evaluated.printed, job.console);
        let ends = step >= steps || terminal.is_stopped();
        progress.step(step, evaluated.loss, ends, job.console);
        if ends {
            break;
        }
        fit.update(bindings).map_err(|error| {
            progress.end(job.console);
            unfit(error, job)
        })?;
    }
    if progress.is_before(steps) {
        job.refused("the fit was interrupted");
        return Ok(INTERRUPTED);
    }
    Ok(exit::SUCCESS)
}

/// Tells why there is no fit, or none any more; the exit code.
fn unfit(error: Error, job: &mut Job<'_, '_>) -> i32 {
    match error {
        Error::Failed(error) => job.failed(error),
        Error::NotFinite { .. } => {
            job.refused(&error.to_string());
            if job.document.is_none() {
                let note = "  note: a smaller rate may help; `caustic run --trap-nan` shows what makes the number\n";
                job.console.err(note);
            }
            exit::TRAP
        }
        Error::NoFloats { ref name, .. } => {
            job.refused(&format!("{error}; if its bytes are floats say of which type, as in `{name}:f32`"))
        }
        Error::NoContents(ref name) => job.refused(&format!("{error}: give them with --buffer {name}=…")),
        error => job.refused(&error.to_string()),
    }
}
