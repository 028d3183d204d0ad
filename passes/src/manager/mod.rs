//! The pass manager: passes as rows, pipelines as text, functions in parallel.
//!
//! A pass is one row, declared with [`passes!`](crate::passes) beside its code; its name, options,
//! help, documentation page, timing and statistics derive from it. A [`Pipeline`] is a value that
//! prints as the text it parses from. [`run_pipeline`] runs one.
//!
//! Invariants: what a pipeline does to a module depends on nothing but the module and the pipeline;
//! in particular it is the same for any number of threads. A function pass sees its own symbol and
//! the heads of the others ([`ModuleView`]), never their code. Nothing here reads or writes files
//! or knows a pass by name.

mod exec;
mod kernels;
pub mod parse;
mod pipeline;
mod registry;
mod report;
mod row;
mod run;
mod timing;
mod view;

pub(crate) use exec::Threads;
pub use kernels::{each_kernel, each_op_of_kernels};
pub use parse::parse_pipeline;
pub use pipeline::{Anchor, Item, PassRun, Pipeline};
pub use registry::{PassRegistry, Standard};
pub use report::PassReport;
pub use row::{
    Changed, FunctionPass, ModulePass, OptionDef, OptionKind, OptionType, PassDef, PassOptions, PassResult, Refusal,
    Run, Value,
};
pub use run::{Dump, Outcome, PassSet, RunOptions, Sink, When, run_pipeline};
pub use timing::Timing;
pub use view::{ModuleView, SymbolHead};
