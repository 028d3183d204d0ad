//! Back ends: a row each, with its name, and what makes code for it from a lowered module.
//!
//! A new back end is a row of [`Backend`] and an arm in each `match` below; the compiler lists
//! these.
//!
//! This module must not know: how a program comes to be a module.

use crate::context::Context;
use crate::diagnostics::{Error, Failure};
#[cfg(feature = "llvm")]
use crate::emit::llvm_options;
use crate::function::{Call, FunctionOptions};
use crate::options::{KernelOptions, missing, no_llvm, whole_file};
use crate::stack;
use caustic_dialects::simt;
use caustic_interp::Perturbation;
use caustic_ir::{Diagnostic, Loc, Module, Name, codes};
use caustic_passes::analysis::costs::Machine;
use caustic_passes::pipelines::{self, Standard};
use caustic_runtime::{Bindings, Executor, Floats, Grid, KernelInterface, Launch, PrintLog, Traps};
use std::sync::Arc;

/// Declares the back ends: the variant, and its name for who chooses one by text.
macro_rules! backends {
    ( $(#[$meta:meta])* $vis:vis enum $enum:ident {
        $(#[doc = $doc0:literal])* $first:ident = $first_name:literal
        $(, $(#[doc = $doc:literal])* $variant:ident = $name:literal )* $(,)?
    } ) => {
        $(#[$meta])*
        $vis enum $enum {
            $(#[doc = $doc0])* #[default] $first,
            $( $(#[doc = $doc])* $variant ),*
        }
        impl $enum {
            /// Every back end, whether or not this build has it.
            pub const ALL: &'static [$enum] = &[$enum::$first, $($enum::$variant),*];
            /// The names of all, as a choice.
            pub const NAMES: &'static str = concat!($first_name, $("|", $name),*);
            /// The name.
            pub fn name(self) -> &'static str {
                match self {
                    $enum::$first => $first_name,
                    $( $enum::$variant => $name ),*
                }
            }
        }
    };
}

backends! {
    /// What runs a kernel. The first is the default.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Backend {
        /// Compiled in memory for this machine, within milliseconds. It is always there.
        Cranelift = "cranelift",
        /// Compiled in memory for this machine, optimized; with the feature `llvm`.
        Llvm = "llvm",
        /// The reference evaluator: slow, and the judge of what a program means.
        Interp = "interp",
        /// Compiled for the machine's first GPU and run there; with the feature `llvm` and NVIDIA's
        /// driver.
        Cuda = "cuda",
    }
}

type Code = Box<dyn Executor + Send + Sync>;

fn run_all(pipelines: &[Standard], module: &mut Module, cx: &Context) -> Result<(), Failure> {
    pipelines.iter().try_for_each(|&standard| cx.run(module, standard)).map_err(Failure::from)
}

impl Backend {
    /// Whether this build has it.
    pub fn is_available(self) -> bool {
        match self {
            Backend::Cranelift | Backend::Interp => true,
            Backend::Llvm | Backend::Cuda => cfg!(feature = "llvm"),
        }
    }

    /// That this build has it.
    ///
    /// # Errors
    /// [`Error::Rejected`] with what is missing to run `file`.
    pub fn require(self, file: &str) -> Result<(), Error> {
        if self.is_available() { Ok(()) } else { Err(missing(file)) }
    }

    /// The costs of the machine that it makes code for.
    pub(crate) fn machine(self, floats: Floats) -> Machine {
        match self {
            Backend::Interp => Machine::Interp,
            Backend::Cranelift => Machine::Cpu,
            Backend::Llvm => Machine::Simd,
            Backend::Cuda if floats.is_fast() => Machine::GpuFast,
            Backend::Cuda => Machine::Gpu,
        }
    }

    /// Whether its code generator fuses products and sums itself, where it may. It does so late,
    /// and unrolls loops by the ops that it sees before.
    pub(crate) fn fuses(self) -> bool {
        matches!(self, Backend::Llvm | Backend::Cuda)
    }

    /// Percent of a function's cost that the e-graph has to gain. On GPUs less is lost again: more
    /// values are alive at once.
    pub(crate) fn least_gain(self) -> i64 {
        if self == Backend::Cuda { 2 } else { 0 }
    }

    /// Whether the e-graph runs unless told otherwise: what it gains in operations it loses on GPUs
    /// by registers and by branches that become choices.
    pub(crate) fn is_rewritten(self) -> bool {
        match self {
            Backend::Interp | Backend::Cranelift | Backend::Llvm => true,
            Backend::Cuda => false,
        }
    }

    /// The code of a kernel for the CPU. The back end is available.
    pub(crate) fn kernel(
        self,
        mut module: Module,
        interface: &Arc<KernelInterface>,
        options: &KernelOptions,
        cx: &Context,
    ) -> Result<Code, Failure> {
        match self {
            Backend::Interp => {
                if simt::has_convergent_ops(&module) {
                    cx.run(&mut module, pipelines::INSTANCES)?;
                }
                let (interface, perturbation) = (interface.clone(), options.perturbation.clone());
                Ok(Box::new(Evaluated { module, interface, schedule: options.schedule, perturbation }))
            }
            Backend::Cranelift => {
                run_all(&[pipelines::STORAGE, pipelines::INSTANCES], &mut module, cx)?;
                let options = cranelift_options(options.interruptible, cx);
                let compile = || caustic_cranelift::compile_kernel(&module, interface, options);
                Ok(Box::new(cx.step("Cranelift", compile)?))
            }
            #[cfg(feature = "llvm")]
            Backend::Llvm => {
                run_all(&[pipelines::OPTIMIZE_LLVM, pipelines::STORAGE, pipelines::INSTANCES], &mut module, cx)?;
                let interruptible = options.interruptible;
                let options = caustic_llvm::Options { interruptible, ..llvm_options(options.code, cx) };
                Ok(Box::new(cx.step("LLVM", || caustic_llvm::compile_kernel(&module, interface, options))?))
            }
            #[cfg(not(feature = "llvm"))]
            Backend::Llvm => Err(Diagnostic::internal(Loc::unknown(), "this build has no LLVM").into()),
            Backend::Cuda => Err(Diagnostic::internal(Loc::unknown(), "this back end runs on no CPU").into()),
        }
    }

    /// What calls functions of a lowered module.
    pub(crate) fn functions(
        self,
        mut module: Module,
        roots: &[Name],
        options: &FunctionOptions,
        file: &str,
        cx: &Context,
    ) -> Result<Call, Failure> {
        if !self.is_available() {
            return Err(no_llvm(file).into());
        }
        match self {
            Backend::Interp => evaluated(module),
            Backend::Cranelift => {
                run_all(&[pipelines::STORAGE, pipelines::INSTANCES], &mut module, cx)?;
                let options = cranelift_options(options.interruptible, cx);
                let code = cx.step("Cranelift", || caustic_cranelift::compile(&module, roots, options))?;
                Ok(Box::new(move |name, args, cancel| code.call_until(&name, &args, Some(cancel.word()))))
            }
            #[cfg(feature = "llvm")]
            Backend::Llvm => {
                run_all(&[pipelines::OPTIMIZE_LLVM, pipelines::STORAGE, pipelines::INSTANCES], &mut module, cx)?;
                let interruptible = options.interruptible;
                let options = caustic_llvm::Options { interruptible, ..llvm_options(options.code, cx) };
                let code = cx.step("LLVM", || caustic_llvm::compile(&module, roots, options))?;
                Ok(Box::new(move |name, args, cancel| code.call_until(&name, &args, Some(cancel.word()))))
            }
            #[cfg(not(feature = "llvm"))]
            Backend::Llvm => Err(Diagnostic::internal(Loc::unknown(), "this build has no LLVM").into()),
            Backend::Cuda => {
                let message = "functions are called on the CPU";
                Err(Diagnostic::error(codes::E0804, whole_file(file), message).into())
            }
        }
    }
}

fn cranelift_options(interruptible: bool, cx: &Context) -> caustic_cranelift::Options {
    caustic_cranelift::Options { cancel: cx.cancel.clone(), interruptible, ..Default::default() }
}

/// Calls by the reference evaluator.
fn evaluated(module: Module) -> Result<Call, Failure> {
    let internal = |e: caustic_runtime::InterfaceError| Diagnostic::internal(Loc::unknown(), e.to_string());
    let interface = KernelInterface::of_resources(&module).map_err(internal)?;
    Ok(Box::new(move |name, args, cancel| {
        let evaluate = || {
            let interp = caustic_interp::Interp::new(&module);
            let (bindings, prints) = (Bindings::new(&interface), PrintLog::default());
            let grid = Grid { groups: [1; 3], numthreads: [1; 3] };
            let traps = Traps { stop: Some(cancel.word()), ..Traps::default() };
            let launch = Launch { grid, bindings: &bindings, prints: &prints, traps };
            Ok(interp.call_bound(&name, args, &interface, &launch))
        };
        stack::with_room(evaluate).unwrap_or_else(|failure| {
            let text = match failure {
                Failure::Found(found) => found.first().map(|d| d.message.clone()),
                Failure::Device(error) => Some(error.message),
            };
            Err(caustic_ir::eval::Trap::new(Loc::unknown(), text.unwrap_or_default()))
        })
    }))
}

/// A module that the reference evaluator runs.
struct Evaluated {
    module: Module,
    interface: Arc<KernelInterface>,
    schedule: Option<u64>,
    perturbation: Option<Perturbation>,
}

impl Executor for Evaluated {
    fn run(&self, launch: &Launch<'_>) -> Result<(), caustic_runtime::Trap> {
        let interp = caustic_interp::Interp::new(&self.module).perturbed(self.perturbation.clone());
        caustic_interp::Kernel::new(&interp, &self.interface).in_any_order(self.schedule).run(launch)
    }
}
