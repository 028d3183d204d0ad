//! `mark-ranges`: what is known of indices and loops, told to the code generators.
//!
//! Marks are attributes: what they say follows from the code, so that code without them means the same and is only slower.

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::optimize::access::{Step, read_of, write_of};
use crate::optimize::ranges::{is_surely_inside, most_iterations};
use crate::passes;
use caustic_dialects::{agg, arith, func, scf};
use caustic_ir::{Attr, SymbolOp};

/// Loops with fewer iterations than this are not worth several at once.
const FEW: i64 = 16;

passes! {
    /// Marks reads and writes of arrays whose indices are inside for sure (`inside`), and loops that never run often (`few`).
    ///
    /// The ranges of indices follow from the bounds of loops, from arithmetic, and from what loops add to integers that they carry.
    pub static MARK_RANGES: "mark-ranges" {
        level: function, options: none, before: "func scf arith math vector agg gpu", after: "the same",
        statistics: [("inside", "accesses that need no check"), ("few", "loops with few iterations")],
        run: run,
    }
}

fn run(symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport) -> PassResult {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Ok(Changed::No);
    }
    let body = &mut symbol.body;
    let (mut inside, mut few) = (0, 0);
    for op in body.walk_all() {
        if scf::For::is(body, op) {
            let known = [0, 1].iter().all(|&n| arith::constant_of(body, body.operand(op, n)).is_some());
            if !known && most_iterations(body, op).is_some_and(|n| n < FEW) {
                body.set_attr(op, scf::FEW, Attr::unit());
                few += 1;
            }
        } else if agg::Extract::is(body, op) || agg::Insert::is(body, op) {
            let access = read_of(body, op).map(|r| (r.from, r.path));
            let access = access.or_else(|| write_of(body, op).map(|w| (w.into, w.path)));
            let Some((whole, path)) = access.filter(|(_, path)| path.iter().any(|s| matches!(s, Step::By(_)))) else {
                continue;
            };
            if is_surely_inside(body, op, body.ty(whole), &path) {
                body.set_attr(op, agg::INSIDE, Attr::unit());
                inside += 1;
            }
        }
    }
    report.count("inside", inside);
    report.count("few", few);
    Ok(Changed::from(inside + few > 0))
}
