//! The commands, each a straight line through the pipeline; they return exit codes.

use crate::cli::{
    Backend, CheckOptions, EmitOptions, GradcheckOptions, RunOptions, SourceOptions, Stage, Target, WarningLevel,
};
use crate::launch;
use crate::pipeline::Derivatives;
use crate::sources::Sources;
use crate::{gradcheck, pipeline};
use caustic_cuda::{CudaError, Device};
use caustic_dialects::reflect;
use caustic_ir::render::render_place;
use caustic_ir::{Diagnostic, Loc, LocKind, Module, Name, Severity, codes};
use caustic_passes::autodiff::report;
use caustic_runtime::dispatch::with_time_limit;
use caustic_runtime::output::{default_scalar, write_outputs};
use caustic_runtime::{
    Bindings, Contents, Description, Format, Grid, InterfaceError, KernelInterface, Launch, PrintLog, Traps,
};
use caustic_tool::{Console, FileSystem, exit};

/// What the driver itself finds; codes of the 08 group are about running a kernel.
const E_ENTRY: &str = "E0803";
const E_NOT_SUPPORTED: &str = "E0804";

/// A command at work: where it writes, what it reads, and the program's texts for its findings.
pub(crate) struct Job<'a, 'c> {
    pub(crate) console: &'a mut Console<'c>,
    files: &'a dyn FileSystem,
    sources: Sources<'a>,
    source: &'a SourceOptions,
}

impl<'a, 'c> Job<'a, 'c> {
    pub(crate) fn new(source: &'a SourceOptions, console: &'a mut Console<'c>, files: &'a dyn FileSystem) -> Self {
        Job { console, files, sources: Sources::new(files, &source.include_dirs), source }
    }

    /// Reports findings and returns the exit code they ask for.
    fn report(&mut self, findings: &[Diagnostic]) -> i32 {
        self.console.report(findings, &|name| self.sources.text(name))
    }

    /// The findings without the warnings that are allowed, and with those that are denied as errors.
    fn judged(&self, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let level =
            |d: &Diagnostic| self.source.warnings.iter().rev().find(|(code, _)| *code == d.code).map(|(_, l)| *l);
        let judge = |mut d: Diagnostic| {
            match (d.severity, level(&d)) {
                (Severity::Error, _) => {}
                (Severity::Warning, Some(WarningLevel::Allow)) => return None,
                (Severity::Warning, Some(WarningLevel::Deny)) => d.severity = Severity::Error,
                (Severity::Warning, None) => {
                    d.notes.extend(codes::row(d.code).map(|r| format!("`--allow {}` silences this", r.name)));
                }
            }
            Some(d)
        };
        findings.into_iter().filter_map(judge).collect()
    }

    /// Front end and passes up to `stage`; on failure everything is reported and the exit code is the error.
    fn compile(&mut self, stage: Stage) -> Result<Module, i32> {
        if !self.files.is_file(&self.source.file) {
            self.console.err(&format!("caustic: error: there is no file `{}`\n", self.source.file));
            return Err(exit::USAGE);
        }
        let front = pipeline::front_end(self.source, &mut self.sources);
        let findings = self.judged(front.diagnostics);
        let failed = findings.iter().any(|d| d.severity == Severity::Error);
        let code = self.report(&findings);
        match front.module {
            Some(module) if !failed => pipeline::lower(module, stage).map_err(|findings| self.report(&findings)),
            _ if failed => Err(code),
            _ => {
                Err(self.report(&[Diagnostic::internal(Loc::unknown(), "the front end gave neither module nor error")]))
            }
        }
    }

    /// Brings a normalized module to `stage` with the derivatives of one function, or of each one in the program's file.
    fn differentiate(
        &mut self,
        mut module: Module,
        function: Option<&str>,
        how: Derivatives,
        stage: Stage,
    ) -> Result<Module, i32> {
        self.request(&mut module, function);
        let made = if stage == Stage::Forward { Ok(module) } else { pipeline::differentiate(module, how) };
        made.and_then(|module| pipeline::continue_from(module, Stage::Ad, stage)).map_err(|found| self.report(&found))
    }

    /// Asks for the derivatives of one function, or of each one in the program's file.
    fn request(&self, module: &mut Module, function: Option<&str>) {
        let file = self.source.file.as_str();
        pipeline::request_derivatives(module, |symbol| match function {
            Some(function) => symbol.name == function,
            None => matches!(symbol.loc.source().kind(), LocKind::Span { file: f, .. } if *f == file),
        });
    }
}

/// The place that findings about the command line's names point to: the program's first character.
fn whole_file(source: &SourceOptions) -> Loc {
    Loc::span(Name::new(&source.file), (1, 1), (1, 1))
}

/// The finding that this build lacks LLVM, if it does.
fn no_llvm(source: &SourceOptions) -> Option<Diagnostic> {
    let found = Diagnostic::error(E_NOT_SUPPORTED, whole_file(source), "this build has no LLVM");
    let found = found.with_note(
        "install LLVM 19 (Debian: llvm-19-dev libzstd-dev zlib1g-dev) and build with `cargo build --release --features llvm`",
    );
    (!cfg!(feature = "llvm")).then_some(found)
}

/// An option of `run` that is understood and cannot be obeyed.
fn unsupported(options: &RunOptions) -> Option<Diagnostic> {
    match options.backend() {
        Backend::Llvm | Backend::Cuda => no_llvm(&options.source),
        Backend::Cranelift | Backend::Interp => None,
    }
}

pub fn check(options: &CheckOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let source = SourceOptions { stand_ins: true, ..options.source.clone() };
    let mut job = Job::new(&source, console, files);
    // Some rules about derivatives can only be checked by making the derivatives, whether the program uses them or not.
    match job
        .compile(Stage::Ad)
        .and_then(|module| job.differentiate(module, None, Derivatives::default(), Stage::Reverse))
    {
        Ok(_) => exit::SUCCESS,
        Err(code) => code,
    }
}

pub fn run(options: &RunOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let source = SourceOptions { entry: options.entry.clone(), ..options.source.clone() };
    let mut job = Job::new(&source, console, files);
    if let Some(finding) = unsupported(options) {
        return job.report(&[finding]);
    }
    match run_kernel(options, &mut job) {
        Ok(code) | Err(code) => code,
    }
}

fn find_interface(job: &mut Job<'_, '_>, module: &Module, entry: Option<&str>) -> Result<KernelInterface, i32> {
    KernelInterface::of_module(module, entry).map_err(|error| {
        let loc = whole_file(job.source);
        job.report(&[Diagnostic::error(E_ENTRY, loc, error.to_string())])
    })
}

/// The entry point and what it needs, from `hl` to `last`.
fn lower_kernel(
    job: &mut Job<'_, '_>,
    mut module: Module,
    interface: &KernelInterface,
    how: Derivatives,
    last: Stage,
) -> Result<Module, i32> {
    pipeline::keep_only(&mut module, interface.entry);
    pipeline::lower(module, Stage::Ad)
        .and_then(|module| pipeline::differentiate(module, how))
        .and_then(|module| pipeline::continue_from(module, Stage::Ad, last))
        .map_err(|findings| job.report(&findings))
}

/// The same for a machine whose threads cannot store without end: what would, works from snapshots.
fn lower_for_gpu(
    job: &mut Job<'_, '_>,
    module: Module,
    interface: &KernelInterface,
    how: Derivatives,
) -> Result<Module, i32> {
    let lower = |job: &mut Job<'_, '_>, module: Module, how: Derivatives| {
        let module = lower_kernel(job, module, interface, how, Stage::Reverse)?;
        pipeline::optimize_for_gpu(module).map_err(|findings| job.report(&findings))
    };
    let lowered = lower(job, module.clone(), how)?;
    match pipeline::for_gpu(how) {
        Some(how) if pipeline::has_tapes(&lowered) => lower(job, module, how),
        _ => Ok(lowered),
    }
}

/// The body of `run`; an error is the exit code of what was reported.
fn run_kernel(options: &RunOptions, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    let mut module = job.compile(Stage::Hl)?;
    reflect::size_arrays(&mut module, options.bound_names());
    let interface = find_interface(job, &module, options.entry.as_deref())?;
    let bindings = bind(options, &interface, job)?;
    if options.backend() == Backend::Cuda {
        return run_on_gpu(options, module, &interface, &bindings, job);
    }
    let module = pipeline::checked(module, options.traps().oob).map_err(|findings| job.report(&findings))?;
    let module = match options.gpu_passes {
        true => lower_for_gpu(job, module, &interface, Derivatives { gpu: true, ..options.derivatives })?,
        false => lower_kernel(job, module, &interface, options.derivatives, options.last_stage())?,
    };
    // What a GPU is given has masks; lanes that come together in any order need them.
    let masked = options.backend() == Backend::Interp && (options.gpu_passes || options.schedule.is_some());
    let module = if masked { pipeline::mask_waves(module) } else { Ok(module) };
    let module = module.map_err(|findings| job.report(&findings))?;
    // Passes may have given groups memory, or fewer threads.
    let interface = interface.with_groups_of(&module).map_err(|error| {
        let loc = whole_file(job.source);
        job.report(&[Diagnostic::error(E_ENTRY, loc, error.to_string())])
    })?;
    let prints = PrintLog::default();
    let grid = Grid { groups: options.dispatch, numthreads: interface.numthreads };
    let outcome = with_time_limit(options.time_limit, |stop| {
        let traps = Traps { stop, ..options.traps() };
        let launch = Launch { grid, bindings: &bindings, prints: &prints, traps };
        pipeline::dispatch(options.backend(), &module, &interface, &launch, options.schedule, options.code)
    });
    let outcome = outcome.map_err(|findings| job.report(&findings))?;
    job.console.out(&prints.into_text());
    if let Err(trap) = outcome {
        let place = render_place(trap.loc, "here", &|name| job.sources.text(name));
        job.console.err(&format!("{trap}\n{place}"));
        return Err(exit::TRAP);
    }
    write_reads(options, &interface, &bindings, job.console);
    Ok(exit::SUCCESS)
}

/// Compiles the kernel for the machine's first GPU and runs it there.
fn run_on_gpu(
    options: &RunOptions,
    module: Module,
    interface: &KernelInterface,
    bindings: &Bindings,
    job: &mut Job<'_, '_>,
) -> Result<i32, i32> {
    let failed = |job: &mut Job<'_, '_>, error: &CudaError| {
        job.console.err(&launch::said(error));
        exit::TRAP
    };
    let device = Device::open(0).map_err(|e| failed(job, &e))?;
    let arch = device.arch().map_err(|e| failed(job, &e))?;
    let how = Derivatives { gpu: true, ..options.derivatives };
    let module = lower_for_gpu(job, module, interface, how)?;
    let emit = EmitOptions { arch: Some(arch), code: options.code, ..EmitOptions::default() };
    let ptx = pipeline::emit(&module, interface, Target::Ptx, &emit).map_err(|findings| job.report(&findings))?;
    let description = Description::parse(&ptx.description);
    let description = description.map_err(|e| job.report(&[Diagnostic::internal(Loc::unknown(), e)]))?;
    let prints = PrintLog::default();
    let grid = Grid { groups: options.dispatch, numthreads: description.interface.numthreads };
    let launch = Launch { grid, bindings, prints: &prints, traps: options.traps() };
    launch::dispatch(&ptx.text, &description, &launch).map_err(|e| failed(job, &e))?;
    write_reads(options, interface, bindings, job.console);
    Ok(exit::SUCCESS)
}

/// Prints what `--read` asks for; names were checked before the dispatch.
pub(crate) fn write_reads(
    options: &RunOptions,
    interface: &KernelInterface,
    bindings: &Bindings,
    console: &mut Console<'_>,
) {
    let outputs = options.reads.iter().filter_map(|request| {
        let (buffer, param) = bindings.read_buffer(interface, &request.name).ok()?;
        let scalar = request.scalar.unwrap_or_else(|| default_scalar(param));
        Some((request.name.clone(), scalar, buffer.to_bytes()))
    });
    let outputs: Vec<_> = outputs.collect();
    if !outputs.is_empty() || options.format == Format::Json {
        console.out(&write_outputs(options.format, &outputs));
    }
}

/// Binds what the options name. A name that the program lacks is a finding, a file that cannot be read a wrong command line.
pub(crate) fn bind(options: &RunOptions, interface: &KernelInterface, job: &mut Job<'_, '_>) -> Result<Bindings, i32> {
    let loc = whole_file(&options.source);
    let files = job.files;
    let mut load = |path: &str| files.read(path).map_err(|error| format!("cannot read `{path}`: {error}"));
    let mut bindings = Bindings::new(interface);
    let mut findings = Vec::new();
    let buffers = options.buffers.iter().map(|b| (b, true));
    let uniforms = options.uniforms.iter().map(|u| (u, false));
    for ((name, contents), is_buffer) in buffers.chain(uniforms) {
        let bytes = Contents::into_bytes(contents.clone(), &mut load).map_err(|message| {
            job.console.err(&format!("caustic: error: {message}\n"));
            exit::USAGE
        })?;
        let bound = if is_buffer {
            bindings.bind_buffer(interface, name, &bytes)
        } else {
            bindings.bind_uniform(interface, name, &bytes)
        };
        findings.extend(bound.err());
    }
    for (name, count) in &options.counters {
        findings.extend(bindings.set_counter(interface, name, *count).err());
    }
    for (name, contents) in &options.textures {
        findings.extend(bindings.bind_texture(interface, name, contents).err());
    }
    for (name, sampler) in &options.samplers {
        findings.extend(bindings.bind_sampler(interface, name, *sampler).err());
    }
    for request in &options.reads {
        findings.extend(bindings.read_buffer(interface, &request.name).err());
    }
    if findings.is_empty() {
        return Ok(bindings);
    }
    let findings: Vec<Diagnostic> = findings.into_iter().map(|e| e.into_diagnostic(loc)).collect();
    Err(job.report(&findings))
}

/// What the reverse derivatives of the program's functions store.
fn report_checkpoint(options: &EmitOptions, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    let mut module = job.compile(Stage::Ad)?;
    job.request(&mut module, options.function.as_deref());
    let how = Derivatives { gpu: options.target == Some(Target::Ptx), ..options.derivatives };
    let mut report = pipeline::checkpoints(module, how).map_err(|findings| job.report(&findings))?;
    if let Some(function) = &options.function {
        // Instances are named after their function.
        let own = |key: &str| {
            key.strip_prefix(function.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        report.stored.retain(|r| own(&r.function));
        report.choices.retain(|c| own(&c.function));
        report.schedules.retain(|s| own(&s.function));
    }
    let place = |loc: Loc| loc.source().start_text();
    job.console.out(&match options.format {
        Format::Text => report::to_text(&report, &place),
        Format::Json => report::to_json(&report, &place),
    });
    Ok(exit::SUCCESS)
}

pub fn emit(options: &EmitOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    if options.report_checkpoint {
        let mut job = Job::new(&options.source, console, files);
        return match report_checkpoint(options, &mut job) {
            Ok(code) | Err(code) => code,
        };
    }
    if let Some(target) = options.target {
        let source = SourceOptions { entry: options.entry.clone(), ..options.source.clone() };
        let mut job = Job::new(&source, console, files);
        return match emit_target(options, target, &mut job) {
            Ok(code) | Err(code) => code,
        };
    }
    let Some(stage) = options.stage else { return exit::USAGE };
    let mut job = Job::new(&options.source, console, files);
    // The stages of differentiation show every derivative that could be asked for, not only those that the program uses.
    let module = if matches!(stage, Stage::Forward | Stage::Reverse) {
        job.compile(Stage::Ad)
            .and_then(|module| job.differentiate(module, options.function.as_deref(), options.derivatives, stage))
    } else {
        job.compile(stage)
    };
    let module = match module {
        Ok(module) => module,
        Err(code) => return code,
    };
    match pipeline::print(&module, options.function.as_deref()) {
        Ok(text) => {
            job.console.out(&text);
            exit::SUCCESS
        }
        Err(message) => job.report(&[Diagnostic::error(E_ENTRY, whole_file(&options.source), message)]),
    }
}

/// What code by itself cannot have: an array with as many elements as a run of it binds.
fn unknown_size((name, loc): (Name, Loc)) -> Diagnostic {
    Diagnostic::error(
        "E0853",
        loc,
        format!("how many elements `{name}` has is known only when something is bound to them"),
    )
    .with_label("an array of resources without a size")
    .with_note("write its size, as in `many[4]`; `run` takes as many as are given")
}

/// Compiles the entry point for a target.
fn emit_target(options: &EmitOptions, target: Target, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    if let Some(finding) = no_llvm(&options.source) {
        return Err(job.report(&[finding]));
    }
    let module = job.compile(Stage::Hl)?;
    let without: Vec<Diagnostic> = reflect::unsized_arrays(&module).map(unknown_size).collect();
    if !without.is_empty() {
        return Err(job.report(&without));
    }
    let interface = find_interface(job, &module, options.entry.as_deref())?;
    let module = match target {
        // Code without this compiler's run time has no storage that grows either.
        Target::Ptx | Target::Obj | Target::So => {
            let how = Derivatives { gpu: target == Target::Ptx, ..options.derivatives };
            lower_for_gpu(job, module, &interface, how)?
        }
        _ => lower_kernel(job, module, &interface, options.derivatives, Stage::Lowered)?,
    };
    let emitted = pipeline::emit(&module, &interface, target, options).map_err(|findings| job.report(&findings))?;
    let Some(path) = &options.output else {
        if target.is_binary() && options.format != Format::Json {
            job.console.err("caustic: error: what is no text goes to a file: give it with `-o FILE`\n");
            return Err(exit::USAGE);
        }
        job.console.out(if options.format == Format::Json { &emitted.description } else { &emitted.text });
        return Ok(exit::SUCCESS);
    };
    let beside = std::path::Path::new(path).with_extension("json");
    let header = std::path::Path::new(path).with_extension("h");
    let mut written: Vec<(String, &[u8])> = vec![
        (path.clone(), emitted.text.as_bytes()),
        (beside.to_string_lossy().into_owned(), emitted.description.as_bytes()),
    ];
    if let Some((bytes, declared)) = &emitted.binary {
        written[0].1 = bytes;
        written.push((header.to_string_lossy().into_owned(), declared.as_bytes()));
    }
    for (path, bytes) in written {
        if let Err(error) = job.files.write(&path, bytes) {
            job.console.err(&format!("caustic: error: cannot write `{path}`: {error}\n"));
            return Err(exit::USAGE);
        }
    }
    Ok(exit::SUCCESS)
}

pub fn gradcheck(options: &GradcheckOptions, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let mut job = Job::new(&options.source, console, files);
    match check_gradients(options, &mut job) {
        Ok(code) | Err(code) => code,
    }
}

fn check_gradients(options: &GradcheckOptions, job: &mut Job<'_, '_>) -> Result<i32, i32> {
    let bound = RunOptions {
        source: options.source.clone(),
        buffers: options.buffers.clone(),
        uniforms: options.uniforms.clone(),
        ..RunOptions::default()
    };
    let mut module = job.compile(Stage::Ad)?;
    reflect::size_arrays(&mut module, bound.bound_names());
    let failed = |e: InterfaceError| Diagnostic::error(E_ENTRY, whole_file(&options.source), e.to_string());
    let interface = KernelInterface::of_resources(&module).map_err(|e| job.report(&[failed(e)]))?;
    let bindings = bind(&bound, &interface, job)?;
    let names = || bound.buffers.iter().chain(&bound.uniforms).map(|(name, _)| name.as_str());
    // A part is named `a.b` or `a[1]`.
    let is_given =
        |name: &str| names().any(|n| n == name || n.strip_prefix(name).is_some_and(|r| r.starts_with(['.', '['])));
    let request = gradcheck::Request {
        function: options.function.as_deref(),
        file: &options.source.file,
        samples: options.samples,
        seed: options.seed,
        steps: options.steps,
        derivatives: options.derivatives,
        interface: &interface,
        bindings: &bindings,
        is_given: &is_given,
        gradients: &options.gradients,
    };
    let report = gradcheck::run(module, &request).map_err(|findings| job.report(&findings))?;
    job.console.out(&report.to_text());
    if !report.checked() {
        job.console.err("caustic: nothing was checked: no differentiable function could be sampled\n");
    }
    Ok(if report.passed() { exit::SUCCESS } else { exit::REJECTED })
}
