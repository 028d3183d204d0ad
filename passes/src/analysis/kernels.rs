//! The kernels of a module, and the resources that their ops name.

use caustic_dialects::agg;
use caustic_dialects::reflect::Entry;
use caustic_ir::{Body, Module, Name, OpId, SymbolOp};

/// The entry points of a module.
pub fn kernels(module: &Module) -> Vec<Name> {
    module.symbols().iter().filter(|s| Entry::of(s).is_some()).map(|s| s.name).collect()
}

/// Threads in a group of a kernel, in each dimension.
pub fn numthreads(kernel: &SymbolOp) -> [i64; 3] {
    Entry::of(kernel).map_or([1; 3], |e| e.numthreads.map(i64::from))
}

/// The resource that an op names.
pub fn named(body: &Body, op: OpId) -> Option<Name> {
    let names = agg::Global::is(body, op) || agg::GlobalElement::is(body, op);
    names.then(|| body.attr(op, "name").and_then(|a| a.as_symbol())).flatten()
}
