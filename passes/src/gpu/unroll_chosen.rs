//! Unrolls the loops of kernels that a pass chooses.

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
