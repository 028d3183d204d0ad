//! Entry points, compiled, and their dispatch.

use crate::bindings::Bindings;
use crate::context::Context;
use crate::diagnostics::{Diagnostics, Error, Failure, Texts, Trap, told};
use crate::emit::{self, Emitted, unknown_size};
use crate::function::memory_named;
use crate::options::{
    Backend, Bounds, CodeOptions, Derivatives, Dispatch, EmitOptions, KernelOptions, Machine, Passes, Stage, Target,
    Traps, no_llvm, whole_file,
};
use crate::program::Program;
use crate::session::judged;
use crate::{pipeline, stack};
use caustic_cuda::Device;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::{self, ParamKind};
use caustic_ir::codes;
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name, SymbolOp};
use caustic_passes::manager::Timing;
use caustic_passes::pipelines;
use caustic_runtime::{Description, Executor, Grid, KernelInterface, KernelParam, Launch, PrintLog};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// How often a dispatch with a time limit looks whether it was cancelled.
const POLL: Duration = Duration::from_millis(5);

/// An entry point that can be compiled: [`Program::entry_point`].
pub struct EntryPoint {
    module: Module,
    interface: Arc<KernelInterface>,
    file: String,
    texts: Texts,
    cx: Context,
}

impl EntryPoint {
    pub(crate) fn new(module: Module, interface: KernelInterface, of: &Program) -> EntryPoint {
        let interface = Arc::new(interface);
        EntryPoint { module, interface, file: of.file.clone(), texts: of.texts.clone(), cx: of.cx.clone() }
    }

    /// Contents for its parameters, of which none is bound.
    pub fn bindings(&self) -> Bindings {
        Bindings::new(&self.interface, &self.file)
    }

    /// Compiles it.
    ///
    /// # Errors
    /// [`Error::Rejected`]: it cannot be compiled. [`Error::Device`]: there is no GPU.
    pub fn compile(&self, options: &KernelOptions) -> Result<Kernel, Error> {
        let cx = self.cx.fresh();
        let lowered = stack::with_room(|| self.code(options, &cx)).map_err(|f| told(f, &cx.cancel, &self.texts))?;
        Ok(Kernel {
            code: lowered.code,
            bound: self.interface.clone(),
            launched: lowered.launched,
            uniforms: lowered.uniforms,
            place: self.module.get(self.interface.entry).map_or(Loc::unknown(), |s| s.loc),
            traps: options.traps,
            file: self.file.clone(),
            texts: self.texts.clone(),
            timing: cx.timing("kernel"),
            cancel: cx.cancel,
        })
    }

    /// The threads of a group in each dimension, as the program has them.
    pub fn group_size(&self) -> [u32; 3] {
        self.interface.numthreads
    }

    fn code(&self, options: &KernelOptions, cx: &Context) -> Result<Lowered, Failure> {
        let KernelOptions { backend, mut derivatives, traps, .. } = *options;
        if !backend.is_available() {
            return Err(no_llvm(&self.file).into());
        }
        let gpu_passes = options.passes == Passes::Gpu;
        let cx = &cx.rewriting(options.code, if gpu_passes { Backend::Cuda } else { backend });
        let cx = &if traps.nan { cx.watching() } else { cx.clone() };
        derivatives.keep_non_finite = traps.nan;
        let watched = traps.nan || traps.overwrite || options.schedule.is_some() || options.perturbation.is_some();
        if watched && backend != Backend::Interp {
            let message = "values are watched or changed, and orders of threads drawn, by the reference evaluator only";
            return Err(Diagnostic::error(codes::E0804, whole_file(&self.file), message).into());
        }
        let entry = self.interface.entry;
        if backend == Backend::Cuda {
            return self.gpu_code(options, cx);
        }
        let cx = &cx.checking(traps.oob);
        let module = pipeline::checked(self.module.clone(), cx)?;
        // Where a function ends has to be known to tell its reads from those of its derivative.
        // What is folded to a constant has no error any more.
        let early = traps.overwrite || options.perturbation.is_some();
        let last = if early { Stage::Reverse } else { Stage::Lowered };
        let mut module = match gpu_passes {
            true => pipeline::lower_for_gpu(
                module,
                entry,
                Derivatives { machine: Machine::Gpu, ..derivatives },
                Bounds::Zero,
                cx,
            )?,
            false => pipeline::lower_kernel(module, entry, derivatives, last, cx)?,
        };
        if options.passes == Passes::Single {
            cx.run(&mut module, pipelines::SINGLE_TEXTURES)?;
        }
        // What a GPU is given has masks; lanes that come together in any order need them.
        if backend == Backend::Interp && (gpu_passes || options.schedule.is_some()) {
            cx.run(&mut module, pipelines::MASKS)?;
        }
        // Passes may have given groups memory, or fewer threads, and made buffers of pointers.
        let interface = self.interface.with_resources_of(&module).with_groups_of(&module);
        let interface =
            interface.map_err(|e| Diagnostic::error(codes::E0803, whole_file(&self.file), e.to_string()))?;
        let launched = Arc::new(interface);
        let uniforms = uniforms_of(&module, &launched);
        let code = backend.kernel(module, &launched, options, cx)?;
        let code = Code::Host { code, evaluated: backend == Backend::Interp };
        Ok(Lowered { code, launched, uniforms })
    }

    /// For the machine's first GPU.
    fn gpu_code(&self, options: &KernelOptions, cx: &Context) -> Result<Lowered, Failure> {
        let device = Device::open(0)?;
        let arch = device.arch()?;
        let how = Derivatives { machine: Machine::Gpu, ..options.derivatives };
        let module = pipeline::lower_for_gpu(self.module.clone(), self.interface.entry, how, Bounds::Zero, cx)?;
        let code = CodeOptions { bounds: Bounds::Zero, ..options.code };
        let emit = EmitOptions { arch: Some(arch), code, ..EmitOptions::default() };
        let ptx = emit::emit(&module, &self.interface, Target::Ptx, &emit, &self.file, cx)?;
        let description = Description::parse(&ptx.description).map_err(|e| Diagnostic::internal(Loc::unknown(), e))?;
        let Description { interface, counters } = description;
        let uniforms = uniforms_of(&module, &self.interface);
        Ok(Lowered { code: Code::Gpu { ptx: ptx.text, counters }, launched: Arc::new(interface), uniforms })
    }
}

impl Program {
    /// Compiles an entry point for a target; see [`Program::entry_point`] for its name.
    ///
    /// # Errors
    /// [`Error::Rejected`]: there is no such entry point, or it cannot be compiled for the target.
    pub fn emit(&self, target: Target, entry: Option<&str>, options: &EmitOptions) -> Result<Emitted, Error> {
        let emitted = self.work(|cx| {
            if !target.is_available() {
                return Err(no_llvm(&self.file).into());
            }
            if options.code.bounds == Bounds::Trap && !target.traps() {
                let message = "code for this target cannot stop at an access out of range: PTX, objects, shared libraries and what LLVM prints can";
                return Err(Diagnostic::error(codes::E0804, whole_file(&self.file), message).into());
            }
            let mut interface = self.interface_of(&self.module, entry, Some(target))?;
            self.leave_out_unsized(&mut interface)?;
            let lowered = self.lowered_for(target, &interface, options, cx);
            let made = lowered.and_then(|module| emit::emit(&module, &interface, target, options, &self.file, cx));
            let kernel = self.module.get(interface.entry).map_or(Loc::unknown(), |s| s.loc);
            made.map_err(|failure| emit::told_of(&self.module, Some(interface.entry), kernel, failure))
        })?;
        self.judged(emitted)
    }

    /// Takes the arrays of resources without a size out of an interface. They are errors where the
    /// entry point uses them.
    fn leave_out_unsized(&self, interface: &mut KernelInterface) -> Result<(), Failure> {
        let arrays: Vec<&SymbolOp> = reflect::unsized_arrays(&self.module).collect();
        if arrays.is_empty() {
            return Ok(());
        }
        let reached = CallGraph::of_mentions(&self.module).reachable([interface.entry]);
        let used = arrays.iter().filter(|s| reached.contains(&s.name));
        let without: Vec<Diagnostic> = used.filter_map(|s| unknown_size(s)).collect();
        if !without.is_empty() {
            return Err(without.into());
        }
        interface.params.retain(|p| arrays.iter().all(|s| s.name != p.symbol));
        Ok(())
    }

    /// Compiles several entry points into one object or shared library, or one text of C++ or CUDA
    /// in which each has a name space of its own. The description is an object whose member
    /// `kernels` has that of each.
    ///
    /// # Errors
    /// [`Error::Rejected`]: what [`Program::emit`] says of one of them, or the target takes one.
    pub fn emit_together(&self, target: Target, entries: &[&str], options: &EmitOptions) -> Result<Emitted, Error> {
        let in_text = target.language().filter(|_| matches!(target, Target::Cpp | Target::CudaSource));
        if in_text.is_none() && !matches!(target, Target::Obj | Target::So) {
            let message = "several entry points go into an object, a shared library, C++ or CUDA, and no other target";
            return Err(self.told(Diagnostic::error(codes::E0804, whole_file(&self.file), message).into()));
        }
        let (mut parts, mut warnings, mut own) = (Vec::new(), Vec::new(), None);
        for entry in entries {
            let part = match in_text {
                Some(language) => {
                    let base = options.prefix.clone().unwrap_or_else(|| language.name_space(&self.file));
                    let word = entry.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                    let name = Some(options.name.clone().unwrap_or_else(|| format!("{base}.{}", language.name)));
                    own = own.or_else(|| name.clone().filter(|_| options.code.lines));
                    let options = EmitOptions { prefix: Some(format!("{base}_{word}")), name, ..options.clone() };
                    self.emit(target, Some(entry), &options)?
                }
                None => self.emit(Target::Obj, Some(entry), options)?,
            };
            warnings.extend(part.warnings.iter().cloned());
            parts.push(part);
        }
        let made = emit::together(parts, target, own.as_deref()).map_err(|found| self.told(found.into()))?;
        Ok(Emitted { warnings: Diagnostics::new(warnings, self.texts.clone()), ..made })
    }

    /// The warnings of what was emitted as the options say: none, or as errors.
    pub(crate) fn judged(&self, emitted: Emitted) -> Result<Emitted, Error> {
        let warnings = Diagnostics::new(judged(emitted.warnings.to_vec(), &self.options), self.texts.clone());
        if warnings.has_errors() {
            return Err(Error::Rejected(warnings));
        }
        Ok(Emitted { warnings, ..emitted })
    }

    /// An entry point as a target is given it.
    pub(crate) fn lowered_for(
        &self,
        target: Target,
        interface: &KernelInterface,
        options: &EmitOptions,
        cx: &Context,
    ) -> Result<Module, Failure> {
        let cx = &cx.rewriting(options.code, target.backend()).checking(options.code.bounds == Bounds::Trap);
        let module = pipeline::checked(self.module.clone(), cx)?;
        Ok(match target {
            Target::Ptx => {
                let how = Derivatives { machine: Machine::Gpu, ..options.derivatives };
                pipeline::lower_for_gpu(module, interface.entry, how, options.code.bounds, cx)?
            }
            // Code without this compiler's run time has no storage that grows either.
            Target::Obj | Target::So => {
                let how = Derivatives { machine: Machine::Cpu, ..options.derivatives };
                pipeline::lower_without_tapes(module, interface.entry, how, pipelines::OPTIMIZE, cx)?
            }
            Target::Cpp => pipeline::lower_for_source(module, interface.entry, options.derivatives, true, cx)?,
            Target::CudaSource
            | Target::Glsl
            | Target::Hlsl
            | Target::Wgsl
            | Target::Metal
            | Target::Slang
            | Target::Spirv
            | Target::SpirvAsm => {
                let how = Derivatives { machine: Machine::Gpu, ..options.derivatives };
                pipeline::lower_for_source(module, interface.entry, how, target.has_doubles(), cx)?
            }
            Target::LlvmIr | Target::Asm => {
                pipeline::lower_kernel(module, interface.entry, options.derivatives, Stage::Lowered, cx)?
            }
        })
    }
}

/// An entry point as it is run.
struct Lowered {
    code: Code,
    launched: Arc<KernelInterface>,
    uniforms: Vec<Name>,
}

/// The names of the uniforms that are still read.
fn uniforms_of(module: &Module, interface: &KernelInterface) -> Vec<Name> {
    let named: HashSet<Name> = module.symbols().iter().flat_map(memory_named).map(|(name, _)| name).collect();
    let read = |p: &&KernelParam| p.kind == ParamKind::Uniform && p.layout.size > 0 && named.contains(&p.symbol);
    interface.params.iter().filter(read).map(|p| p.name).collect()
}

enum Code {
    Host {
        code: Box<dyn Executor + Send + Sync>,
        /// It recurses on the stack of who calls.
        evaluated: bool,
    },
    Gpu {
        ptx: String,
        counters: Vec<bool>,
    },
}

/// A kernel that is ready to run, as often as one likes and from several threads.
pub struct Kernel {
    code: Code,
    /// What its bindings are of.
    bound: Arc<KernelInterface>,
    /// What it is launched by: passes may have given groups memory, or fewer threads.
    launched: Arc<KernelInterface>,
    /// The uniforms that it reads.
    uniforms: Vec<Name>,
    /// Where the program declares it.
    place: Loc,
    traps: Traps,
    file: String,
    texts: Texts,
    timing: Timing,
    cancel: CancelToken,
}

/// What a dispatch gives besides the contents of buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatched {
    /// What the kernel printed, in the order of its threads. Nothing from a GPU.
    pub printed: String,
}

impl Kernel {
    /// A kernel that was compiled before: PTX and its description as JSON, as [`Program::emit`]
    /// gives them. It runs on the machine's first GPU; no compiler takes part.
    ///
    /// # Errors
    /// What is missing or malformed in the description.
    pub fn from_ptx(ptx: impl Into<String>, description: &str) -> Result<Kernel, String> {
        let Description { interface, counters } = Description::parse(description)?;
        let bound = Arc::new(interface);
        Ok(Kernel {
            code: Code::Gpu { ptx: ptx.into(), counters },
            launched: bound.clone(),
            uniforms: bound.params.iter().filter(|p| p.kind == ParamKind::Uniform).map(|p| p.name).collect(),
            place: Loc::unknown(),
            bound,
            traps: Traps::default(),
            file: String::new(),
            texts: Texts::default(),
            timing: Timing::new("kernel"),
            cancel: CancelToken::default(),
        })
    }

    /// With the file that diagnostics about names are to point to.
    pub fn with_file(mut self, file: impl Into<String>) -> Kernel {
        self.file = file.into();
        self
    }

    /// With a flag that ends its dispatches.
    pub fn with_cancel(mut self, cancel: CancelToken) -> Kernel {
        self.cancel = cancel;
        self
    }

    /// Contents for its parameters, of which none is bound.
    pub fn bindings(&self) -> Bindings {
        Bindings::new(&self.bound, &self.file)
    }

    /// The threads of a group in each dimension, as they are launched.
    pub fn group_size(&self) -> [u32; 3] {
        self.launched.numthreads
    }

    /// The uniforms that it reads and that have no contents: they are zero.
    pub fn unbound_uniforms<'k>(&'k self, bindings: &'k Bindings) -> impl Iterator<Item = &'k str> {
        self.uniforms.iter().map(|name| name.as_str()).filter(|name| !bindings.is_given(name))
    }

    /// What a host has to know of it, as JSON: the entry point, the parameters with their layouts.
    pub fn description(&self) -> String {
        self.bound.to_json()
    }

    /// Where the time of its compilation went.
    pub fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Runs it. Buffers are changed in place.
    ///
    /// # Errors
    /// [`Error::Trapped`], [`Error::Device`]; [`Error::Rejected`] if the bindings are another
    /// kernel's.
    pub fn dispatch(&self, bindings: &mut Bindings, dispatch: Dispatch) -> Result<Dispatched, Error> {
        let told = |failure| told(failure, &self.cancel, &self.texts);
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if !Arc::ptr_eq(&bindings.interface, &self.bound) && bindings.interface.params != self.bound.params {
            let message = "the bindings are those of another kernel";
            return Err(told(Diagnostic::error(codes::E0802, whole_file(&self.file), message).into()));
        }
        let prints = PrintLog::default();
        let grid = Grid { groups: dispatch.groups, numthreads: self.launched.numthreads };
        let Traps { nan, overwrite, .. } = self.traps;
        let traps = caustic_runtime::Traps { non_finite: nan, overwritten: overwrite, stop: None };
        bindings.slots.count_as(&self.launched, &self.bound);
        let slots = &bindings.slots;
        let outcome = match &self.code {
            Code::Host { code, evaluated } => watched(dispatch.time_limit, &self.cancel, |stop| {
                let traps = caustic_runtime::Traps { stop: Some(stop), ..traps };
                let launch = Launch { grid, bindings: slots, prints: &prints, traps };
                match evaluated {
                    true => stack::with_room(|| Ok(code.run(&launch))),
                    false => Ok(code.run(&launch)),
                }
            })
            .map_err(told)?,
            Code::Gpu { ptx, counters } => {
                let traps = caustic_runtime::Traps { stop: Some(self.cancel.word()), ..traps };
                let launch = Launch { grid, bindings: slots, prints: &prints, traps };
                let device = Device::open(0).map_err(|e| told(e.into()))?;
                let kernel = caustic_cuda::Kernel::new(device, ptx, &self.launched, counters);
                kernel.dispatch(&launch).map_err(|e| told(e.into()))?;
                Ok(())
            }
        };
        bindings.slots.count_as(&self.bound, &self.bound);
        let printed = prints.into_text();
        match outcome {
            Ok(()) => Ok(Dispatched { printed }),
            Err(_) if self.cancel.is_cancelled() => Err(Error::Cancelled),
            Err(mut trap) => {
                // What ends a dispatch from outside is at no place of the code.
                if trap.loc == Loc::unknown() {
                    trap.loc = self.place;
                }
                Err(Error::Trapped(Trap::new(trap, printed, &self.texts)))
            }
        }
    }
}

/// Runs `job` with a word that is set after `limit`, or once `cancel` is.
pub(crate) fn watched<T>(limit: Option<Duration>, cancel: &CancelToken, job: impl FnOnce(&AtomicU32) -> T) -> T {
    let Some(limit) = limit else { return job(cancel.word()) };
    let (stop, (done, wait)) = (AtomicU32::new(0), mpsc::channel::<()>());
    let flag = &stop;
    std::thread::scope(move |scope| {
        scope.spawn(move || {
            let end = Instant::now() + limit;
            loop {
                let left = end.saturating_duration_since(Instant::now());
                // Ends early when the job's end of the channel is dropped.
                if wait.recv_timeout(left.min(POLL)) != Err(mpsc::RecvTimeoutError::Timeout) {
                    return;
                }
                if cancel.is_cancelled() || Instant::now() >= end {
                    flag.store(1, Ordering::Relaxed);
                    return;
                }
            }
        });
        let result = job(flag);
        drop(done);
        result
    })
}
