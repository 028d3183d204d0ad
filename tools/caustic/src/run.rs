//! The commands about programs; they return exit codes.

use crate::cli::{CheckOptions, EmitOptions, GradcheckOptions, RunOptions, SourceOptions};
use crate::job::{Job, write_files, write_reads};
use crate::{Terminal, json, table};
use caustic_driver::gradcheck::Report;
use caustic_driver::{Machine, Target};
use caustic_runtime::Format;
use caustic_tool::{Console, FileSystem, exit};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;

/// An exit code, of what was reported or of success.
pub(crate) fn code(done: Result<i32, i32>) -> i32 {
    match done {
        Ok(code) | Err(code) => code,
    }
}

/// The source options with the entry point whose generic parameters `--entry-type` is about.
pub(crate) fn with_entry(source: &SourceOptions, entry: &Option<String>) -> SourceOptions {
    let mut source = source.clone();
    source.options.entry = entry.clone();
    source
}

pub fn check(options: &CheckOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let mut source = options.source.clone();
    source.options.stand_ins = true;
    let mut job = Job::new(console, files, &source).with_format(options.format);
    let done = job.compile().and_then(|program| {
        program.check_derivatives().map_err(|error| job.failed(error))?;
        Ok(exit::SUCCESS)
    });
    job.finish(Vec::new());
    code(done)
}

pub fn run(options: &RunOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let source = with_entry(&options.source, &options.entry);
    code(run_kernel(options, &mut Job::new(console, files, &source)))
}

fn run_kernel(options: &RunOptions, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    options.backend().require(&job.source.file).map_err(|error| job.failed(error))?;
    let program = job.compile()?;
    let entry = program.entry_point(options.entry.as_deref(), options.bound_names());
    let entry = entry.map_err(|error| job.failed(error))?;
    let mut bindings = entry.bindings();
    job.bind(options, &mut bindings)?;
    job.check_writes(options, &bindings)?;
    let kernel = entry.compile(&options.kernel()).map_err(|error| job.failed(error))?;
    job.note_left_out(&kernel, options, &bindings, entry.group_size(), |_| false);
    let dispatched = kernel.dispatch(&mut bindings, options.dispatch()).map_err(|error| job.failed(error))?;
    let printed = &dispatched.printed;
    job.console.out(printed);
    // What was printed stays as it is; what is read begins on a line of its own.
    if !options.reads.is_empty() && !printed.is_empty() && !printed.ends_with('\n') {
        job.console.out("\n");
    }
    write_reads(options, &bindings, job.console);
    write_files(options, &bindings, job)?;
    Ok(exit::SUCCESS)
}

pub fn emit(options: &EmitOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    if options.report_checkpoint {
        return code(report_checkpoint(options, &mut Job::new(console, files, &options.source)));
    }
    if options.report_optimization {
        let source = with_entry(&options.source, &options.entry);
        return code(report_optimization(options, &mut Job::new(console, files, &source)));
    }
    if let Some(library) = options.stage_as_slang() {
        return code(emit_target(&library, Target::Slang, &mut Job::new(console, files, &options.source)));
    }
    if let Some(target) = options.target {
        let alone = options.entry.clone().filter(|_| options.entries().is_none());
        let source = with_entry(&options.source, &alone);
        return code(emit_target(options, target, &mut Job::new(console, files, &source)));
    }
    let Some(stage) = options.stage else { return exit::USAGE };
    let source = with_entry(&options.source, &options.entry);
    let mut job = Job::new(console, files, &source);
    code(job.compile().and_then(|program| {
        // A stage has the whole program; the name must be one all the same.
        if let Some(entry) = &options.entry {
            program.entry_point(Some(entry), []).map_err(|error| job.failed(error))?;
        }
        let text = program.print(stage, options.function(), options.derivatives, options.form);
        let text = text.map_err(|error| job.failed(error))?;
        put(options, &text, &mut job)
    }))
}

/// Writes text to the file of `-o`; without it, and for `-`, to the standard output.
fn put(options: &EmitOptions, text: &str, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    match options.output.as_deref().filter(|path| *path != "-") {
        Some(path) => job.write_apart(&[(path.to_string(), text.as_bytes())])?,
        None => job.console.out(text),
    }
    Ok(exit::SUCCESS)
}

/// What the reverse derivatives of the program's functions store.
fn report_checkpoint(options: &EmitOptions, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    let program = job.compile()?;
    let mut how = options.derivatives;
    if options.target == Some(Target::Ptx) {
        how.machine = Machine::Gpu;
    }
    let report = program.checkpoints(options.function(), how).map_err(|error| job.failed(error))?;
    let text = match options.format {
        Format::Text => report.to_text(),
        Format::Json => report.to_json(),
    };
    put(options, &text, job)
}

/// What the choice among equal ways to compute did.
fn report_optimization(options: &EmitOptions, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    let program = job.compile()?;
    let report = program.optimizations(options.target, options.entry.as_deref(), &emit_options(options));
    let mut report = report.map_err(|error| job.failed(error))?;
    if let Some(function) = options.function() {
        report = report.of(function);
    }
    let text = match options.format {
        Format::Text => report.to_text(),
        Format::Json => report.to_json(),
    };
    put(options, &text, job)
}

fn emit_options(options: &EmitOptions) -> caustic_driver::EmitOptions {
    let mut how = caustic_driver::EmitOptions::default();
    (how.arch, how.libdevice) = (options.arch.clone(), options.libdevice.clone());
    (how.derivatives, how.code) = (options.derivatives, options.code);
    how.prefix = options.prefix.clone();
    how.name = options.output.clone().filter(|path| path != "-");
    how.map = options.source_map.is_some();
    how
}

/// Compiles the entry point for a target.
fn emit_target(options: &EmitOptions, target: Target, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    target.require(&job.source.file).map_err(|error| job.failed(error))?;
    let program = job.compile()?;
    let emitted = match options.library {
        true => {
            let mut library = options.offered.clone().unwrap_or_default();
            library.functions.clone_from(&options.functions);
            program.library(target, &library, &emit_options(options))
        }
        false => match options.entries() {
            Some(entries) => program.emit_together(target, &entries, &emit_options(options)),
            None => program.emit(target, options.entry.as_deref(), &emit_options(options)),
        },
    };
    let emitted = emitted.map_err(|error| job.failed(error))?;
    job.report(&emitted.warnings);
    let map = options.source_map.as_ref().zip(emitted.map.as_ref());
    let map = map.map(|(path, map)| (path.clone(), map.as_bytes()));
    let Some(path) = options.output.as_ref().filter(|path| *path != "-") else {
        match &emitted.binary {
            _ if map.as_ref().is_some_and(|(path, _)| path != "-") => {
                job.write_apart(&map.into_iter().collect::<Vec<_>>())?;
                job.console.out(&emitted.text);
            }
            _ if map.is_some() => job.console.out(emitted.map.as_deref().unwrap_or_default()),
            _ if options.format == Format::Json => job.console.out(&emitted.description),
            // It is no text for a terminal: who wants it there says so.
            Some(_) if options.output.is_none() => {
                return Err(job.refused("what is no text goes to a file: give it with `-o FILE`"));
            }
            Some((bytes, _)) => job.console.bytes(bytes),
            None => job.console.out(&emitted.text),
        }
        return Ok(exit::SUCCESS);
    };
    let beside = |extension: &str| Path::new(path).with_extension(extension).to_string_lossy().into_owned();
    let (bytes, header) = match &emitted.binary {
        Some((bytes, declared)) => (bytes.as_slice(), declared.as_str()),
        None => (emitted.text.as_bytes(), ""),
    };
    let mut written: Vec<(String, &[u8])> = vec![(path.clone(), bytes)];
    written.extend(map);
    // Beside a device stands nothing, nor beside the derivatives of a stage.
    if !options.as_slang && !Path::new(path).starts_with("/dev") {
        written.push((beside("json"), emitted.description.as_bytes()));
        written.extend((!header.is_empty()).then(|| (beside("h"), header.as_bytes())));
    }
    job.write_apart(&written)?;
    Ok(exit::SUCCESS)
}

pub fn gradcheck(
    options: &GradcheckOptions,
    console: &mut Console<'_>,
    files: &dyn FileSystem,
    terminal: Terminal,
) -> i32 {
    let mut source = options.source.clone();
    source.options.sample_generics = true;
    let mut job = Job::new(console, files, &source).with_format(options.format);
    let done = check_gradients(options, &mut job, terminal);
    let passed = done.as_ref().is_ok_and(Report::passed);
    let rows = done.as_ref().map_or_else(|_| json::gradients(&Report::default()), json::gradients);
    job.finish(vec![("passed", passed.into()), ("functions", rows)]);
    match done {
        Err(code) => code,
        Ok(_) if passed => exit::SUCCESS,
        Ok(_) => exit::REJECTED,
    }
}

fn check_gradients(options: &GradcheckOptions, job: &mut Job<'_, '_>, terminal: Terminal) -> Result<Report, i32> {
    let bound = RunOptions {
        source: options.source.clone(),
        buffers: options.buffers.clone(),
        uniforms: options.uniforms.clone(),
        ..RunOptions::default()
    };
    let program = job.compile()?;
    let check = program.gradient_check(bound.bound_names()).map_err(|error| job.failed(error))?;
    let mut bindings = check.bindings();
    job.bind(&bound, &mut bindings)?;
    let bar = terminal.live.then(|| {
        let style = ProgressStyle::with_template("{pos} of {len} functions");
        style.map_or_else(|_| ProgressBar::new(0), |style| ProgressBar::new(0).with_style(style))
    });
    let told = |done: usize, all: usize| {
        if let Some(bar) = &bar {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        }
    };
    let report = check.run_told(&bindings, &options.check, &told);
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    let report = report.map_err(|error| job.failed(error))?;
    if options.format == Format::Json {
        return Ok(report);
    }
    job.console.out(&table::gradients(&report));
    job.console.err(&table::missing_options(&report));
    if !report.checked() {
        let left_out = "caustic: nothing was checked: the table says why each differentiable function was left out\n";
        job.console.err(match report.rows.is_empty() {
            true => {
                "caustic: nothing was checked: the file has no differentiable function\n\
                     note: mark a function [Differentiable]; those of imported files are checked by themselves\n"
            }
            false => left_out,
        });
        if report.lacks_types {
            let note = "note: a generic function is checked with types of the program that conform: declare one, or call it from a \
                      [Differentiable] function with the types that are meant\n";
            job.console.err(note);
        }
    }
    Ok(report)
}
