//! Unrolls the loops of kernels that a pass chooses.

use super::registers::{Sizes, Weigh};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::normalize::unroll;
use caustic_ir::{Attr, Body, Module, OpId};

/// Makes the loops that `choose` finds in each kernel straight-line code, and reports how many it
/// were.
pub fn unroll_chosen<L: IntoIterator<Item = OpId>>(
    module: &mut Module,
    report: &mut PassReport,
    choose: impl Fn(&Body) -> L,
) -> PassResult {
    each_kernel(module, |module, kernel| {
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        let mut any = false;
        for op in choose(&symbol.body) {
            symbol.body.set_attr(op, "unroll", Attr::string("force"));
            any = true;
        }
        if any {
            report.count("unrolled", unroll::run(symbol).map_err(|d| vec![d])?);
        }
        Ok(Changed::from(any))
    })
}

/// The same of short loops, which become no more than so many ops; `pays` is given how often each
/// runs.
pub fn unroll_short(
    module: &mut Module,
    report: &mut PassReport,
    most_ops: usize,
    pays: impl Fn(&Body, OpId, usize) -> bool,
) -> PassResult {
    unroll_chosen(module, report, |body| {
        let sizes = Sizes::all(body, most_ops, Weigh::Ops);
        let chosen = |&op: &OpId| sizes.trips_of(op).is_some_and(|trips| pays(body, op, trips));
        sizes.short.keys().copied().filter(chosen).collect::<Vec<_>>()
    })
}
