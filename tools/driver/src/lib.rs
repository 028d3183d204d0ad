//! Caustic as a library: programs in Slang, compiled, differentiated and run within a host program.
//!
//! A [`Session`] has texts and options. What it compiles is a [`Program`]. From there a
//! [`Function`] is called with its derivatives, or a [`Kernel`] is dispatched over [`Bindings`];
//! [`Program::emit`] and [`Program::print`] give code and text, [`Program::gradient_check`]
//! compares derivatives with differences; [`fit`] has parameters follow their gradient.
//!
//! ```
//! use caustic_driver::{FunctionOptions, Options, Session, Value};
//!
//! # fn main() -> Result<(), caustic_driver::Error> {
//! let mut session = Session::new(Options::default());
//! session.add_source("square.slang", "[Differentiable] float square(float x) { return x * x; }");
//! let square = session.compile("square.slang")?.function("square", &FunctionOptions::default())?;
//! assert_eq!(square.call(&[3.0.into()])?, [Value::Float(9.0)]);
//! assert_eq!(square.gradient(&[3.0.into()])?, [("x".to_string(), Value::Float(6.0))]);
//! # Ok(())
//! # }
//! ```
//!
//! Nothing here writes to standard output or error or ends the process. What is wrong with a
//! program is a [`Diagnostic`], as data; no input makes the library panic, and a defect of the
//! compiler is an internal error. Sessions share nothing but interned names and types, of which a
//! process keeps each once for as long as it lives. The stack of a calling thread may be small.
//! Work under way ends soon after a [`CancelToken`] is set, with [`Error::Cancelled`].
//!
//! It must not know: command lines, streams, exit codes.

#![warn(missing_docs)]

mod array;
mod available;
mod backend;
mod bindings;
mod contents;
mod context;
mod diagnostics;
mod emit;
pub mod fit;
mod function;
pub mod gradcheck;
mod kernel;
mod library;
mod optimizations;
mod options;
mod perturb;
pub mod pipeline;
mod program;
mod session;
mod sources;
mod stack;
mod value;

pub use array::Array;
pub use bindings::Bindings;
pub use contents::Given;
pub use context::{Context, PassDump, PassSink, Watched};
pub use diagnostics::{Diagnostics, Error, Trap};
pub use emit::Emitted;
pub use function::{Function, FunctionOptions, Parameter, Shape};
pub use kernel::{Dispatched, EntryPoint, Kernel};
pub use library::LibraryOptions;
pub use optimizations::OptimizationReport;
pub use options::{
    ARCHITECTURES, Backend, Bounds, CodeOptions, Derivatives, Dispatch, EmitOptions, KernelOptions, Machine, Modes,
    Options, Passes, Rewrite, SingularPoints, Stage, Target, TextForm, Traps, WarningLevel,
};
pub use perturb::parse_perturbation;
pub use program::{CheckpointReport, GradientCheck, Program};
pub use session::Session;
pub use sources::{FileLoader, SourceLoader};
pub use value::{Element, Value};

pub use caustic_cuda::CudaError;
pub use caustic_dialects::reflect::Scalar;
pub use caustic_frontend::sema::types::MatrixLayout;
pub use caustic_frontend::version::Version;
pub use caustic_interp::{OpError, Perturbation};
pub use caustic_ir::codes;
pub use caustic_ir::texels::Sampler;
pub use caustic_ir::{CancelToken, Diagnostic, Fault, Loc, LocKind, Severity};
pub use caustic_passes::manager::{PassSet, Timing};
pub use caustic_runtime::dispatch::ThreadId;
pub use caustic_runtime::{Floats, TextureContents, parse_sampler};
