//! What can be chosen, as plain data.
//!
//! The structs have defaults and public fields, and will get more of them: make one with
//! `default()` and set what is to be otherwise.

pub use crate::backend::Backend;
use crate::diagnostics::{Diagnostics, Error, Texts};
use caustic_frontend::sema::types::MatrixLayout;
use caustic_frontend::version::Version;
use caustic_interp::Perturbation;
use caustic_ir::codes;
use caustic_ir::{Diagnostic, Loc, Name};
use caustic_runtime::Floats;
use std::time::Duration;

/// How source text is read; the same for all programs of a session.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Macros and what they stand for, in order.
    pub defines: Vec<(String, String)>,
    /// Where imports and includes are looked for, after the folder of the file that asks for them.
    pub include_dirs: Vec<String>,
    /// What files are written in that do not say so.
    pub version: Version,
    /// How matrices lie in memory where nothing is written about it.
    pub matrix_layout: MatrixLayout,
    /// Types that values of interface types can hold, as `TYPE:INTERFACE[=ID]` with the number that
    /// the host knows one by.
    pub conformances: Vec<String>,
    /// The types of the program's global generic parameters, in order.
    pub global_types: Vec<String>,
    /// Which entry point [`entry_types`](Options::entry_types) are for; the only one by default.
    pub entry: Option<String>,
    /// The types of the entry point's generic parameters, in order.
    pub entry_types: Vec<String>,
    /// The threads of a group, for entry points that do not say it (`[CUDAKernel]`).
    pub threads: Option<[u32; 3]>,
    /// Where no type is given for a generic parameter, a conforming one stands in. Such a program
    /// can only be checked.
    pub stand_ins: bool,
    /// Generic functions that have derivatives get instances, for
    /// [`Program::gradient_check`](crate::Program::gradient_check).
    pub sample_generics: bool,
    warnings: Vec<(codes::Code, WarningLevel)>,
}

/// What is done about a warning, if not to give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningLevel {
    /// It is not given.
    Allow,
    /// It is an error.
    Deny,
}

impl Options {
    /// Says what is done about the warning of this name, or about `all`. What is said last counts.
    ///
    /// # Errors
    /// There is no such warning; the text names what there is.
    pub fn set_warning(&mut self, name: &str, level: WarningLevel) -> Result<(), String> {
        let before = self.warnings.len();
        let meant = codes::warnings().filter(|row| name == "all" || row.name == name || row.code == name);
        self.warnings.extend(meant.map(|row| (row.code, level)));
        if self.warnings.len() > before {
            return Ok(());
        }
        let known = || codes::warnings().map(|row| row.name);
        Err(match caustic_ir::nearest::nearest(name, known()) {
            Some(near) => format!("there is no warning `{name}`; did you mean `{near}`?"),
            None => format!("there is no warning `{name}`; there are {}", known().collect::<Vec<_>>().join(", ")),
        })
    }

    /// What is done about the warning with this code.
    pub fn warning(&self, code: &str) -> Option<WarningLevel> {
        self.warnings.iter().rev().find(|(c, _)| *c == code).map(|(_, level)| *level)
    }
}

/// What a kernel can be compiled to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Text for the driver of NVIDIA's GPUs.
    Ptx,
    /// LLVM's representation for this machine, optimized.
    LlvmIr,
    /// This machine's instructions as text.
    Asm,
    /// An object file for programs in C.
    Obj,
    /// A shared library for them.
    So,
    /// Source text in C++17.
    Cpp,
    /// Source text in CUDA C++.
    CudaSource,
    /// Source text in GLSL for Vulkan.
    Glsl,
    /// Source text in HLSL, shader model 6.
    Hlsl,
    /// Source text in WGSL.
    Wgsl,
    /// Source text in Metal's language, MSL 3.
    Metal,
    /// Slang, with its derivatives written out.
    Slang,
    /// SPIR-V for Vulkan.
    Spirv,
    /// The same as text.
    SpirvAsm,
}

impl Target {
    /// What would run it.
    pub(crate) fn backend(self) -> Backend {
        match self {
            Target::Ptx => Backend::Cuda,
            Target::LlvmIr | Target::Asm | Target::Obj | Target::So => Backend::Llvm,
            Target::Cpp | Target::CudaSource | Target::Glsl | Target::Hlsl | Target::Wgsl | Target::Metal => {
                Backend::Interp
            }
            Target::Slang => Backend::Interp,
            Target::Spirv | Target::SpirvAsm => Backend::Interp,
        }
    }

    /// Whether its code can end a dispatch.
    pub(crate) fn traps(self) -> bool {
        matches!(self, Target::Ptx | Target::LlvmIr | Target::Asm | Target::Obj | Target::So)
    }

    /// Whether it is no text.
    pub fn is_binary(self) -> bool {
        matches!(self, Target::Obj | Target::So | Target::Spirv)
    }

    /// Whether it is source text in another language.
    pub fn is_source(self) -> bool {
        self.language().is_some()
    }

    /// The language, if it is source text.
    pub(crate) fn language(self) -> Option<&'static caustic_source::Language> {
        match self {
            Target::Cpp => Some(&caustic_source::lang::cpp::LANGUAGE),
            Target::CudaSource => Some(&caustic_source::lang::cuda::LANGUAGE),
            Target::Glsl => Some(&caustic_source::lang::glsl::LANGUAGE),
            Target::Hlsl => Some(&caustic_source::lang::hlsl::LANGUAGE),
            Target::Wgsl => Some(&caustic_source::lang::wgsl::LANGUAGE),
            Target::Metal => Some(&caustic_source::lang::metal::LANGUAGE),
            Target::Slang => Some(&caustic_source::lang::slang::LANGUAGE),
            Target::Ptx | Target::LlvmIr | Target::Asm | Target::Obj | Target::So => None,
            Target::Spirv | Target::SpirvAsm => None,
        }
    }

    /// Whether what it is for computes with doubles.
    pub(crate) fn has_doubles(self) -> bool {
        !matches!(self, Target::Wgsl | Target::Metal)
    }

    /// Whether it is SPIR-V.
    pub(crate) fn is_spirv(self) -> bool {
        matches!(self, Target::Spirv | Target::SpirvAsm)
    }

    /// Whether this build has it: source text and SPIR-V always, the others with the feature
    /// `llvm`.
    pub fn is_available(self) -> bool {
        self.language().is_some() || self.is_spirv() || cfg!(feature = "llvm")
    }

    /// That this build has it.
    ///
    /// # Errors
    /// [`Error::Rejected`] with what is missing to compile `file`.
    pub fn require(self, file: &str) -> Result<(), Error> {
        if self.is_available() { Ok(()) } else { Err(missing(file)) }
    }
}

pub(crate) fn missing(file: &str) -> Error {
    Error::Rejected(Diagnostics::new(vec![no_llvm(file)], Texts::default()))
}

/// The diagnostic that this build lacks LLVM, which `file` was to be compiled with.
pub(crate) fn no_llvm(file: &str) -> Diagnostic {
    Diagnostic::error(codes::E0804, whole_file(file), "this build has no LLVM").with_note(
        "install LLVM 19 (Debian: llvm-19-dev libzstd-dev zlib1g-dev) and install with `cargo install --locked --path tools/caustic --features llvm`",
    )
}

/// The place that diagnostics about names that a host uses point to: the program's first character.
pub(crate) fn whole_file(file: &str) -> Loc {
    Loc::span(Name::new(file), (1, 1), (1, 1))
}

/// A level of the representation that programs are printed at, in the order in which a program
/// reaches them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// What the front end emits.
    Hl,
    /// Normalized, with the requests for derivatives still in it.
    Ad,
    /// Linearized: a tangent beside each active value.
    Forward,
    /// With all derivatives made.
    Reverse,
    /// As targets take it.
    Lowered,
}

/// How ops are spelled in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextForm {
    /// Each op in the syntax of its row.
    #[default]
    Pretty,
    /// Every op in MLIR's generic form, which needs no row to be read.
    Generic,
}

/// How derivatives are made: the options of the pass that makes them, as they are declared there.
pub use caustic_passes::autodiff::DifferentiateOptions as Derivatives;
pub use caustic_passes::autodiff::{Machine, Modes, SingularPoints};

/// Whether the e-graph chooses among equal ways to compute (docs/egraph.md).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rewrite {
    /// For the evaluator and for Cranelift, which have no other optimizer of arithmetic.
    #[default]
    Auto,
    /// For any back end.
    On,
    /// For none.
    Off,
}

/// What an access to a resource in emitted code does whose index is out of range (docs/buffers.md).
/// What is run here reads zero and writes nothing there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Of a buffer or a texture, which have a size, as [`Bounds::Zero`]; of a pointer, which has
    /// none in the language, as [`Bounds::Trust`].
    #[default]
    Buffers,
    /// It reads zero and writes nothing.
    Zero,
    /// There is none, by the programmer's word: nothing looks.
    Trust,
    /// It ends the dispatch: PTX traps, a function of an object returns another number than 0. So
    /// does an index out of range into an array of a thread.
    Trap,
}

impl Bounds {
    /// Each by its name.
    pub const ALL: [(&'static str, Bounds); 4] =
        [("buffers", Bounds::Buffers), ("zero", Bounds::Zero), ("trust", Bounds::Trust), ("trap", Bounds::Trap)];

    /// The word that asks for it.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, bounds)| *bounds == self).map_or("", |(name, _)| name)
    }
}

/// How code is made of a lowered program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeOptions {
    /// Threads of a group that run together on the CPU, a power of two up to 32; `None` leaves it
    /// to the compiler.
    pub lanes: Option<usize>,
    /// Whether floats are computed exactly as the program says.
    pub floats: Floats,
    /// The most that the bounds of what is computed otherwise may add up to in a function, in units
    /// in the last place. What has no bound is exact then: code generators get no freedom.
    pub ulps: Option<u32>,
    /// Whether arithmetic is rewritten by the e-graph.
    pub rewrite: Rewrite,
    /// What accesses out of range do in code that is emitted.
    pub bounds: Bounds,
    /// Whether the code says which source lines it is from.
    pub lines: bool,
}

impl CodeOptions {
    /// What code generators may do to floats.
    pub(crate) fn freedom(self) -> Floats {
        if self.ulps.is_some() { Floats::Exact } else { self.floats }
    }
}

/// What ends a dispatch that could go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traps {
    /// A buffer access out of range; otherwise it reads zero and writes nothing.
    pub oob: bool,
    /// A number that is not finite and comes to a buffer. Only [`Backend::Interp`] can tell.
    pub nan: bool,
    /// A custom backward derivative that reads what was overwritten after its function. Only
    /// [`Backend::Interp`] can tell.
    pub overwrite: bool,
}

/// The passes that a kernel is compiled with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// Those of the back end.
    #[default]
    Own,
    /// Those for GPUs, though it runs on the CPU.
    Gpu,
    /// Textures are filtered in floats of 32 bits, as in WGSL and Metal.
    Single,
}

/// How a kernel is compiled.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct KernelOptions {
    /// What runs it.
    pub backend: Backend,
    /// How derivatives are made.
    pub derivatives: Derivatives,
    /// How LLVM compiles it.
    pub code: CodeOptions,
    /// What ends a dispatch.
    pub traps: Traps,
    /// Whether loops ask if the dispatch shall end, as a time limit or a
    /// [`CancelToken`](crate::CancelToken) wants. Otherwise a dispatch ends between two threads.
    pub interruptible: bool,
    /// What it is compiled with.
    pub passes: Passes,
    /// Threads that wait for each other run in an order that is drawn from this; with
    /// [`Backend::Interp`] only.
    pub schedule: Option<u64>,
    /// The results of some ops are off by so much; with [`Backend::Interp`] only.
    pub perturbation: Option<Perturbation>,
}

/// The architectures of GPUs that there is code for, the oldest first: those that LLVM 19 knows.
pub const ARCHITECTURES: [&str; 9] = ["sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"];

/// How a kernel is compiled for a [`Target`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct EmitOptions {
    /// The GPU's architecture, one of [`ARCHITECTURES`]; `sm_80` by default.
    pub arch: Option<String>,
    /// The file of CUDA's functions of floats, in place of libclc's.
    pub libdevice: Option<String>,
    /// How derivatives are made.
    pub derivatives: Derivatives,
    /// How LLVM compiles it.
    pub code: CodeOptions,
    /// What source text is in: a name space, or what its names begin with. The file's by default.
    pub prefix: Option<String>,
    /// The name of the file that source text goes to, for what says which lines are the text's own
    /// (with [`CodeOptions::lines`] and `map`).
    pub name: Option<String>,
    /// Whether source text comes with a source map ([`Emitted::map`](crate::Emitted::map)).
    pub map: bool,
}

/// One run of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatch {
    /// Thread groups in each dimension.
    pub groups: [u32; 3],
    /// A dispatch that takes longer is a trap.
    pub time_limit: Option<Duration>,
}

impl Dispatch {
    /// So many thread groups.
    pub fn groups(x: u32, y: u32, z: u32) -> Dispatch {
        Dispatch { groups: [x, y, z], time_limit: None }
    }
}
