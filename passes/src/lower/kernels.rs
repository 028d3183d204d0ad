//! What passes over the kernels of a GPU share: which functions they are, the resources that their ops name, loops to unroll, and branches to build.

use crate::manager::{Changed, PassReport, PassResult};
use crate::normalize::unroll;
use caustic_dialects::reflect::Entry;
use caustic_dialects::{agg, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, Module, Name, OpId, SymbolOp, Type};

/// The entry points of a module.
pub fn kernels(module: &Module) -> Vec<Name> {
    module.symbols().iter().filter(|s| Entry::of(s).is_some()).map(|s| s.name).collect()
}

/// Makes the loops that `choose` finds in each kernel straight-line code, and reports how many it were.
pub fn unroll_chosen<L: IntoIterator<Item = OpId>>(
    module: &mut Module,
    report: &mut PassReport,
    choose: fn(&Body) -> L,
) -> PassResult {
    let mut changed = Changed::No;
    for name in kernels(module) {
        let Some(symbol) = module.symbols_mut().iter_mut().find(|s| s.name == name) else { continue };
        let mut any = false;
        for op in choose(&symbol.body) {
            symbol.body.set_attr(op, "unroll", Attr::string("force"));
            any = true;
        }
        if any {
            report.count("unrolled", unroll::run(symbol).map_err(|d| vec![d])?);
            changed = Changed::Yes;
        }
    }
    Ok(changed)
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

/// An empty branch or loop body at `index` of `op`, and a builder in it.
pub fn region(b: &mut Builder<'_>, op: OpId, index: usize, args: &[Type]) -> BlockId {
    let block = b.add_block(op, index, args);
    scf::Yield::build(&mut b.at(block), &[], &[]);
    block
}

/// A builder in front of the block's end.
pub fn within<'a>(b: &'a mut Builder<'_>, block: BlockId) -> Builder<'a> {
    let before = b.body.last_op(block);
    Builder { body: b.body, block, before, loc: b.loc }
}
