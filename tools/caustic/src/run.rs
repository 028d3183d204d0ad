//! The commands, each a straight line through the pipeline; they return exit codes.

use crate::cli::{Backend, CheckOptions, EmitOptions, GradcheckOptions, RunOptions, SourceOptions, Stage};
use crate::pipeline;
use caustic_ir::{Diagnostic, Loc, Module, Name, Severity};
use caustic_runtime::output::{default_scalar, write_outputs};
use caustic_runtime::{Bindings, Contents, Grid, KernelInterface, Launch, PrintLog};
use caustic_tool::{Console, FileSystem, exit};

/// What the driver itself finds; codes of the 08 group are about running a kernel.
const E_ENTRY: &str = "E0803";
const E_NOT_SUPPORTED: &str = "E0804";

/// Front end and passes up to `stage`; on failure everything is reported and the exit code is the error.
fn compile(
    source: &SourceOptions,
    stage: Stage,
    console: &mut Console<'_>,
    files: &dyn FileSystem,
) -> Result<Module, i32> {
    if !files.is_file(&source.file) {
        console.err(&format!("caustic: error: there is no file `{}`\n", source.file));
        return Err(exit::USAGE);
    }
    let front = pipeline::front_end(source, files);
    let failed = front.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let code = console.report(&front.diagnostics, files);
    if failed {
        return Err(code);
    }
    pipeline::lower(front.module, stage).map_err(|findings| console.report(&findings, files))
}

/// The place that findings about the command line's names point to: the program's first character.
fn whole_file(source: &SourceOptions) -> Loc {
    Loc::span(Name::new(&source.file), (1, 1), (1, 1))
}

pub fn check(options: &CheckOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    // Some rules about derivatives can only be checked by making the derivatives.
    match compile(&options.source, Stage::Reverse, console, files) {
        Ok(_) => exit::SUCCESS,
        Err(code) => code,
    }
}

pub fn run(options: &RunOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let loc = whole_file(&options.source);
    if let Some(finding) = unsupported(options, loc) {
        return console.report(&[finding], files);
    }
    let module = match compile(&options.source, Stage::Lowered, console, files) {
        Ok(module) => module,
        Err(code) => return code,
    };
    let interface = match KernelInterface::of_module(&module, options.entry.as_deref()) {
        Ok(interface) => interface,
        Err(error) => return console.report(&[Diagnostic::error(E_ENTRY, loc, error.to_string())], files),
    };
    let bindings = match bind(options, &interface, files, loc) {
        Ok(bindings) => bindings,
        Err(BindFailure::File(message)) => {
            console.err(&format!("caustic: error: {message}\n"));
            return exit::USAGE;
        }
        Err(BindFailure::Program(findings)) => return console.report(&findings, files),
    };
    let executor = match pipeline::executor(options.backend, module, &interface) {
        Ok(executor) => executor,
        Err(findings) => return console.report(&findings, files),
    };
    let prints = PrintLog::default();
    let grid = Grid { groups: options.dispatch, numthreads: interface.numthreads };
    let launch = Launch { grid, bindings: &bindings, prints: &prints, trap_oob: options.trap_oob };
    let outcome = executor.run(&launch);
    console.out(&prints.into_text());
    if let Err(trap) = outcome {
        console.err(&format!("{trap}\n"));
        return exit::TRAP;
    }
    let outputs = options.reads.iter().filter_map(|request| {
        // Names were checked before the dispatch.
        let (buffer, param) = bindings.read_buffer(&interface, &request.name).ok()?;
        let scalar = request.scalar.unwrap_or_else(|| default_scalar(param));
        Some((request.name.clone(), scalar, buffer.to_bytes()))
    });
    let outputs: Vec<_> = outputs.collect();
    if !outputs.is_empty() || options.format == caustic_runtime::Format::Json {
        console.out(&write_outputs(options.format, &outputs));
    }
    exit::SUCCESS
}

/// An option that is understood and cannot be obeyed yet.
fn unsupported(options: &RunOptions, loc: Loc) -> Option<Diagnostic> {
    let named = [
        ("--texture", options.textures.first().map(|(n, _)| n.as_str())),
        ("--sampler", options.samplers.first().map(|(n, _)| n.as_str())),
        ("--conformance", options.conformances.first().map(String::as_str)),
        ("--counter", options.counters.first().map(|(n, _)| n.as_str())),
        (
            "--backend",
            match options.backend {
                Backend::Llvm | Backend::Cuda => Some(options.backend.name()),
                Backend::Cranelift | Backend::Interp => None,
            },
        ),
    ];
    let (option, what) = named.into_iter().find_map(|(option, what)| what.map(|w| (option, w)))?;
    Some(Diagnostic::error(E_NOT_SUPPORTED, loc, format!("`{option}` is not supported yet (given for `{what}`)")))
}

enum BindFailure {
    /// A file of contents cannot be read: the command line is wrong.
    File(String),
    /// A name that the program lacks.
    Program(Vec<Diagnostic>),
}

fn bind(
    options: &RunOptions,
    interface: &KernelInterface,
    files: &dyn FileSystem,
    loc: Loc,
) -> Result<Bindings, BindFailure> {
    let mut load = |path: &str| files.read(path).map_err(|error| format!("cannot read `{path}`: {error}"));
    let mut bytes = |contents: &Contents| contents.clone().into_bytes(&mut load).map_err(BindFailure::File);
    let mut bindings = Bindings::new(interface);
    let mut findings = Vec::new();
    for (name, contents) in &options.buffers {
        let result = bindings.bind_buffer(interface, name, &bytes(contents)?);
        findings.extend(result.err().map(|e| e.into_diagnostic(loc)));
    }
    for (name, contents) in &options.uniforms {
        let result = bindings.bind_uniform(interface, name, &bytes(contents)?);
        findings.extend(result.err().map(|e| e.into_diagnostic(loc)));
    }
    for request in &options.reads {
        findings.extend(bindings.read_buffer(interface, &request.name).err().map(|e| e.into_diagnostic(loc)));
    }
    if findings.is_empty() { Ok(bindings) } else { Err(BindFailure::Program(findings)) }
}

pub fn emit(options: &EmitOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let Some(stage) = options.stage else { return exit::USAGE };
    let module = match compile(&options.source, stage, console, files) {
        Ok(module) => module,
        Err(code) => return code,
    };
    match pipeline::print(&module, options.function.as_deref()) {
        Ok(text) => {
            console.out(&text);
            exit::SUCCESS
        }
        Err(message) => {
            let finding = Diagnostic::error(E_ENTRY, whole_file(&options.source), message);
            console.report(&[finding], files)
        }
    }
}

pub fn gradcheck(options: &GradcheckOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let module = match compile(&options.source, Stage::Ad, console, files) {
        Ok(module) => module,
        Err(code) => return code,
    };
    match pipeline::gradcheck(module, options) {
        Ok((table, passed)) => {
            console.out(&table);
            if passed { exit::SUCCESS } else { exit::REJECTED }
        }
        Err(findings) => console.report(&findings, files),
    }
}
