//! `mark-ranges`: what is known of indices and loops, told to the code generators.
//!
//! Marks are attributes: what they say follows from the code, so that code without them means the
//! same and is only slower.

use crate::analysis::access::{Step, read_of, write_of};
use crate::analysis::ranges::{is_surely_inside, most_iterations};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::carried::{BOUNDS, ForParts};
use caustic_dialects::{agg, arith, func, scf};
use caustic_ir::{Attr, Body, Builder, OpId, SymbolOp, Type, ValueId};

/// Loops with fewer iterations than this are not worth several at once.
const FEW: i64 = 16;

passes! {
    /// Marks reads and writes of arrays whose indices are inside for sure (`inside`), loops that
    /// never run often (`few`), and zeros of which nobody reads anything (`unread`), since a loop
    /// replaces one element after the other. Quotients whose dividend stays the same while a loop
    /// runs, by a number whose reciprocal is computed in it, too, are marked as products and a
    /// correction (`by_reciprocal`).
    ///
    /// The ranges of indices follow from the bounds of loops, from arithmetic, and from what loops
    /// add to integers that they carry.
    pub static MARK_RANGES: "mark-ranges" {
        level: function, options: none, before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("inside", "accesses that need no check"), ("few", "loops with few iterations"), ("unread", "zeros that are replaced before they are read"), ("quotients", "quotients beside a reciprocal")],
        run: run,
    }
}

fn run(symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport) -> PassResult {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Ok(Changed::No);
    }
    let body = &mut symbol.body;
    let (mut inside, mut few, mut unread, mut quotients) = (0, 0, 0, 0);
    for op in body.walk_all() {
        if scf::For::is(body, op) {
            for place in replaced(body, op) {
                let Some(mut b) = Builder::before(body, op) else { continue };
                let ty = b.ty(b.body.operand(op, place));
                // Others that begin with the same zero may read it.
                let zero = agg::Zero::build(&mut b, ty, &[(agg::UNREAD, Attr::unit())]);
                body.set_operand(op, place, zero);
                unread += 1;
            }
            let known = [0, 1].iter().all(|&n| arith::constant_of(body, body.operand(op, n)).is_some());
            if !known && most_iterations(body, op).is_some_and(|n| n < FEW) {
                body.set_attr(op, scf::FEW, Attr::unit());
                few += 1;
            }
        } else if arith::DivF::is(body, op) {
            if is_beside_reciprocal(body, op) {
                body.set_attr(op, arith::BY_RECIPROCAL, Attr::unit());
                quotients += 1;
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
    report.count("unread", unread);
    report.count("quotients", quotients);
    Ok(Changed::from(inside + few + unread + quotients > 0))
}

/// Whether a loop up to `end` replaces every element of an array.
#[mutant(Site::MarksUnread => true)]
fn covers(end: i64, count: u64) -> bool {
    i64::try_from(count) == Ok(end)
}

/// The operands of a loop that are zeros of arrays whose elements it replaces, each in one
/// iteration, and does not read.
fn replaced(body: &Body, op: OpId) -> Vec<usize> {
    let Some(parts) = ForParts::of(body, op) else { return Vec::new() };
    let constant = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
    let [Some(0), Some(end), Some(1)] = [0, 1, 2].map(constant) else { return Vec::new() };
    let args = body.args(parts.body);
    let is_replaced = |n: usize| -> Option<()> {
        let zero = body.def_op(body.operand(op, BOUNDS + n)).filter(|&z| agg::Zero::is(body, z))?;
        let (count, _) = agg::as_array(body.ty(body.result(zero, 0)))?;
        let [only] = body.uses(args[1 + n])[..] else { return None };
        let write = write_of(body, only.op).filter(|w| w.into == args[1 + n] && w.part != w.into && !w.adds)?;
        let [Step::By(index)] = write.path[..] else { return None };
        let whole = covers(end, count) && body.attr(zero, agg::UNREAD).is_none();
        let always = body.op(only.op).block == Some(parts.body);
        let new = body.result(only.op, 0);
        let goes_on = body.operand(parts.end, n) == new && body.uses(new).len() == 1;
        (whole && always && goes_on && is_counter(body, index, args[0])).then_some(())
    };
    (0..parts.carried).filter(|&n| is_replaced(n).is_some()).map(|n| BOUNDS + n).collect()
}

/// Whether the dividend of a quotient is made outside of the loop that it stands in and its divisor
/// inside, and the reciprocal of that stands there, too.
fn is_beside_reciprocal(body: &Body, op: OpId) -> bool {
    let [dividend, divisor] = body.operands(op)[..] else { return false };
    let Some(around) = innermost_loop(body, op).filter(|_| body.ty(dividend) == Type::f32()) else { return false };
    let inside = |v: ValueId| {
        let block = body.def_block(v);
        let mut regions = body.op(around).regions.iter().flat_map(|&r| &body.region(r).blocks);
        block.is_some_and(|block| regions.any(|&b| body.is_block_within(block, b)))
    };
    let is_reciprocal = |other: OpId| {
        let one = || arith::constant_of(body, body.operand(other, 0)).and_then(|a| a.as_float()) == Some(1.0);
        other != op && arith::DivF::is(body, other) && body.operand(other, 1) == divisor && one()
    };
    let together = |other: OpId| innermost_loop(body, other) == Some(around);
    !inside(dividend) && inside(divisor) && body.uses(divisor).iter().any(|u| is_reciprocal(u.op) && together(u.op))
}

fn innermost_loop(body: &Body, op: OpId) -> Option<OpId> {
    let mut outer = body.parent_op(body.op(op).block?)?;
    while !scf::For::is(body, outer) && !scf::While::is(body, outer) {
        outer = body.parent_op(body.op(outer).block?)?;
    }
    Some(outer)
}

/// Whether a value is the counter as it is, which is no less than zero and fits.
fn is_counter(body: &Body, value: ValueId, counter: ValueId) -> bool {
    let cast = |op: &OpId| [arith::IndexCast::is, arith::IndexCastUI::is].iter().any(|is| is(body, *op));
    let wide = |v: ValueId| body.ty(v) != Type::int(8) && body.ty(v) != Type::int(16) && body.ty(v) != Type::i1();
    value == counter
        || wide(value)
            && body.def_op(value).filter(cast).is_some_and(|op| is_counter(body, body.operand(op, 0), counter))
}
