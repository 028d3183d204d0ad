//! The optimizing backend: a lowered module through LLVM, for this machine's processor and for NVIDIA's.
//!
//! Ops are emitted by [`caustic_codegen`] through the assembler here; on this machine the code runs as Cranelift's does, with the host's side
//! of [`caustic_native`]. The interpreter is the judge of what an op means; this crate must not know the syntax tree nor the dialects
//! `hl` and `ad`.

mod approximate;
mod assembler;
mod converge;
mod debug;
mod elementary;
mod embed;
mod families;
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
mod quotients;
mod splice;
mod texels;
mod wide;

pub use gpu::{Ptx, PtxOptions, PtxParam, compile_ptx};
pub use host::{Object, Options, compile, compile_kernel, compile_object, compile_text};

use caustic_dialects::agg;
use caustic_ir::{Module, Name};

/// The resources that functions refer to, in the module's order.
fn resources(module: &Module, functions: &[Name]) -> Vec<Name> {
    let mut used = rustc_hash::FxHashSet::default();
    for symbol in functions.iter().filter_map(|&f| module.get(f)) {
        for op in symbol.body.walk_all() {
            used.extend(symbol.body.attr(op, "name").and_then(|a| a.as_symbol()));
        }
    }
    let resources = module.symbols().iter().filter(|s| std::ptr::eq(s.def, agg::Resource::DEF));
    resources.map(|s| s.name).filter(|name| used.contains(name)).collect()
}
