//! The kernels of a module.

use caustic_dialects::reflect::Entry;
use caustic_ir::{Module, Name, SymbolOp};

/// The entry points of a module.
pub fn kernels(module: &Module) -> Vec<Name> {
    module.symbols().iter().filter(|s| Entry::of(s).is_some()).map(|s| s.name).collect()
}

/// Threads in a group of a kernel, in each dimension.
pub fn numthreads(kernel: &SymbolOp) -> [i64; 3] {
    Entry::of(kernel).map_or([1; 3], |e| e.numthreads.map(i64::from))
}
