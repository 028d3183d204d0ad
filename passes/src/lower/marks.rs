//! `mark-ranges`: what is known of indices and loops, told to the code generators.
//!
//! Marks are attributes: what they say follows from the code, so that code without them means the
//! same and is only slower.

use crate::analysis::access::{Step, read_of, write_of};
use crate::analysis::ranges::{is_surely_inside, most_iterations};
use crate::lower::conditions::{are_same, is_one_less};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::carried::{BOUNDS, ForParts};
use caustic_dialects::{agg, arith, func, scf};
use caustic_ir::{Attr, Body, Builder, OpId, SymbolOp, Type, Use, ValueDef, ValueId};
use rustc_hash::FxHashSet;

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
/// iteration, and does not read: all of them, or as many as are read behind it.
fn replaced(body: &Body, op: OpId) -> Vec<usize> {
    let Some(parts) = ForParts::of(body, op) else { return Vec::new() };
    let constant = |n: usize| constant(body, body.operand(op, n));
    let (Some(0), Some(1)) = (constant(0), constant(2)) else { return Vec::new() };
    let end = body.operand(op, 1);
    let args = body.args(parts.body);
    let is_replaced = |n: usize| -> Option<()> {
        let zero = body.def_op(body.operand(op, BOUNDS + n)).filter(|&z| agg::Zero::is(body, z))?;
        let (count, _) = agg::as_array(body.ty(body.result(zero, 0)))?;
        let [only] = body.uses(args[1 + n])[..] else { return None };
        let write = write_of(body, only.op).filter(|w| w.into == args[1 + n] && w.part != w.into && !w.adds)?;
        let [Step::By(index)] = write.path[..] else { return None };
        if body.attr(zero, agg::UNREAD).is_some() {
            return None;
        }
        let always = body.op(only.op).block == Some(parts.body);
        let new = body.result(only.op, 0);
        let goes_on = body.operand(parts.end, n) == new && body.uses(new).len() == 1;
        let all = || constant(1).is_some_and(|end| covers(end, count));
        let replaces = always && goes_on && is_counter(body, index, args[0]);
        (replaces && (all() || is_read_up_to(body, body.result(op, n), end))).then_some(())
    };
    (0..parts.carried).filter(|&n| is_replaced(n).is_some()).map(|n| BOUNDS + n).collect()
}

fn constant(body: &Body, value: ValueId) -> Option<i64> {
    arith::constant_of(body, value).and_then(|a| a.as_int())
}

/// Whether all that is read of an array, and of what is made from it by replacing elements, are
/// elements below `end`.
fn is_read_up_to(body: &Body, array: ValueId, end: ValueId) -> bool {
    let mut seen = FxHashSet::from_iter([array]);
    let mut work = vec![array];
    while let Some(array) = work.pop() {
        for &Use { op, index } in body.uses(array) {
            let index = index as usize;
            let next: Option<Vec<ValueId>> = if let Some(read) = read_of(body, op) {
                is_below(body, &read.path, end).then(Vec::new)
            } else if let Some(write) = write_of(body, op) {
                let changes = write.into == array && write.part != array;
                (changes && (!write.adds || is_below(body, &write.path, end))).then(|| body.results(op).to_vec())
            } else if let Some(parts) = ForParts::of(body, op) {
                let carried = index.checked_sub(BOUNDS);
                carried.map(|n| vec![body.args(parts.body)[1 + n], body.result(op, n)])
            } else if scf::Yield::is(body, op) {
                handed_on(body, op, index)
            } else {
                None
            };
            let Some(next) = next else { return false };
            work.extend(next.into_iter().filter(|&v| seen.insert(v)));
        }
    }
    true
}

/// What a branch or an iteration of a counted loop hands on as its `index`th value.
fn handed_on(body: &Body, end: OpId, index: usize) -> Option<Vec<ValueId>> {
    let around = body.parent_op(body.op(end).block?)?;
    if scf::If::is(body, around) {
        return Some(vec![body.result(around, index)]);
    }
    let parts = ForParts::of(body, around)?;
    Some(vec![body.args(parts.body)[1 + index], body.result(around, index)])
}

/// Whether a path leads to an element below `end` of an array.
fn is_below(body: &Body, path: &[Step], end: ValueId) -> bool {
    let within = |upper: ValueId| {
        are_same(body, upper, end)
            || constant(body, upper).zip(constant(body, end)).is_some_and(|(upper, end)| upper <= end)
    };
    match path.first() {
        Some(&Step::At(at)) => constant(body, end).is_some_and(|end| at < end),
        Some(&Step::By(index)) => counted_up_to(body, index).is_some_and(within),
        None => false,
    }
}

/// The end of a loop that begins at zero or behind it, and whose counter, or what that lacks to the
/// last one, a value is.
fn counted_up_to(body: &Body, value: ValueId) -> Option<ValueId> {
    let counter = |value: ValueId| {
        let ValueDef::Arg { block, index: 0 } = body.def(uncast(body, value)) else { return None };
        let op = body.parent_op(block).filter(|&op| ForParts::of(body, op).is_some())?;
        let starts = constant(body, body.operand(op, 0));
        starts.is_some_and(|first| first >= 0).then(|| body.operand(op, 1))
    };
    counter(value).or_else(|| {
        let op = body.def_op(uncast(body, value)).filter(|&op| arith::SubI::is(body, op))?;
        let end = counter(body.operand(op, 1))?;
        is_one_less(body, body.operand(op, 0), end).then_some(end)
    })
}

/// What an index was before it was widened.
fn uncast(body: &Body, value: ValueId) -> ValueId {
    let cast = |op: &OpId| [arith::IndexCast::is, arith::IndexCastUI::is].iter().any(|is| is(body, *op));
    let wide = body.ty(value) == Type::index() || body.ty(value).scalar_bits().is_some_and(|bits| bits >= 32);
    match body.def_op(value).filter(cast) {
        Some(op) if wide => uncast(body, body.operand(op, 0)),
        _ => value,
    }
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
