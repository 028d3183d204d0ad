//! The optimizing backend: a lowered module through LLVM, for this machine's processor and for
//! NVIDIA's.
//!
//! Ops are emitted by [`caustic_codegen`] through the assembler here; on this machine the code runs
//! as Cranelift's does, with the host's side of [`caustic_native`]. The interpreter is the judge of
//! what an op means; this crate must not know the syntax tree nor the dialects `hl` and `ad`.

mod approximate;
mod assembler;
mod budget;
mod conditions;
mod converge;
mod counters;
mod debug;
mod elementary;
mod embed;
mod families;
mod flow;
mod gpu;
mod header;
mod host;
mod ir;
mod lanes;
mod math;
mod moves;
mod names;
mod narrow;
mod optimize;
mod peers;
mod pressure;
mod quotients;
mod sink;
mod splice;
mod texels;
mod transpose;
mod values;
mod wide;

pub use gpu::{Ptx, PtxOptions, PtxParam, compile_ptx};
pub use host::{Object, Options, compile, compile_kernel, compile_object, compile_text};
