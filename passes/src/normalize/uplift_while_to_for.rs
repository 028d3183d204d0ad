//! Step 4, `uplift-while-to-for` (scf.while -> scf.for): loops that count.
//!
//! A canonical `while` whose condition compares a carried integer with a value that the loop does
//! not change, and whose iterations add a constant to that integer, becomes `scf.for` over an index
//! from 0 by 1. The counter is no longer carried: it is computed from the index, and its value
//! behind the loop from the trip count. A `do … while` of that kind (the carried condition compares
//! the counter after its step) runs once more than its condition counts; where the carried
//! condition starts as the same comparison of the first counter, as it does if it reads memory, it
//! is a `while` like any other.
//!
//! A loop that has other conditions too stays a `while`; if its counter alone bounds it by a
//! constant, that becomes its `max_iters`.

use crate::analysis::bound;
use crate::analysis::consts::Constants;
use crate::analysis::trip_count;
use crate::analysis::walk;
use crate::analysis::while_loops::{Counted, WhileLoop};
use crate::manager::{Changed, ModuleView, PassReport};
use crate::passes;
use caustic_dialects::arith::{self};
use caustic_dialects::scf;
use caustic_ir::{Attr, Body, Builder, SymbolOp, Type, ValueId};

passes! {
    /// Turns loops that count into `scf.for` from 0 by 1, and bounds others by their counter.
    ///
    /// The counter may be of any integer type, go up or down by any constant, and be tested before
    /// or behind an iteration. Counts are exact, also where the counter could wrap around.
    pub static UPLIFT_WHILE_TO_FOR: "uplift-while-to-for" {
        level: function, options: none, before: "canonical scf.while", after: "scf.for where it counts",
        statistics: [("raised", "loops that became scf.for"), ("bounded", "other loops that got a max_iters")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let found = run(symbol);
            report.count("raised", found.raised);
            report.count("bounded", found.bounded);
            Ok(Changed::from(found != Found::default()))
        },
    }
}

/// What the pass did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    pub raised: u64,
    pub bounded: u64,
}

/// Raises the counted loops of a function, inner ones first.
pub fn run(symbol: &mut SymbolOp) -> Found {
    let body = &mut symbol.body;
    let mut found = Found::default();
    for op in walk::inside_out(body) {
        let Some(shape) = WhileLoop::of(body, op) else { continue };
        match shape.counted(body) {
            Some(counted) => {
                raise(body, &shape, &counted);
                found.raised += 1;
            }
            None => {
                let written = scf::max_iters(body, op).unwrap_or(i64::MAX);
                if let Some(bound) = bound::proven(body, op).filter(|&b| b < written) {
                    body.set_attr(op, "max_iters", Attr::i64(bound));
                    found.bounded += 1;
                }
            }
        }
    }
    found
}

fn raise(body: &mut Body, shape: &WhileLoop, counted: &Counted) {
    let op = shape.op;
    for &hoisted in &counted.hoist {
        if let Some(block) = body.op(op).block {
            body.move_op(hoisted, block, Some(op));
        }
    }
    let Some(mut b) = Builder::before(body, op) else { return };
    let mut counter = counted.counter;
    let ty = b.ty(counter.init);
    if let Some(limit) = counted.limit {
        counter.bound = arith::int(&mut b, limit, ty);
    }
    let mut tested = counter;
    let last = counted.flag.is_some_and(|flag| flag.last);
    let flag = counted.flag.map(|flag| flag.slot);
    if last {
        let known = Constants::default().int(b.body, counter.init);
        tested.init = match known {
            Some(init) => arith::int(&mut b, init.wrapping_add(counter.step), ty),
            None => {
                let step = arith::int(&mut b, counter.step, ty);
                arith::AddI::build(&mut b, counter.init, step, &[])
            }
        };
    } else if let Some(init) = Constants::default().int(b.body, counter.init) {
        tested.init = arith::int(&mut b, init, ty);
    }
    let mut trips = trip_count::build(&mut b, &tested);
    if last {
        trips = once_more(&mut b, trips);
    }
    let known_trips = arith::constant_of(b.body, trips).and_then(|a| a.as_int());
    let trips = match known_trips {
        Some(n) => arith::index(&mut b, n),
        None => arith::IndexCast::build(&mut b, trips, Type::index(), &[]),
    };
    let (zero, one) = (arith::index(&mut b, 0), arith::index(&mut b, 1));
    let kept: Vec<usize> = (0..b.body.operands(op).len()).filter(|&k| k != counted.slot && Some(k) != flag).collect();
    let inits: Vec<ValueId> = kept.iter().map(|&k| b.body.operand(op, k)).collect();
    let types: Vec<Type> = inits.iter().map(|&v| b.ty(v)).collect();
    let attrs: Vec<(&str, Attr)> =
        ["max_iters", "unroll"].into_iter().filter_map(|name| Some((name, b.body.attr(op, name)?))).collect();
    let new = scf::For::build(&mut b, zero, trips, one, &inits, &types, &attrs);
    let mut arg_types = vec![Type::index()];
    arg_types.extend(&types);
    let block = b.add_block(new, 0, &arg_types);

    let mut inner = b.at(block);
    let index = inner.body.args(block)[0];
    let value = trip_count::value_after(&mut inner, &counter, index);
    let old_args = inner.body.args(shape.after).to_vec();
    inner.body.replace_uses(old_args[counted.slot], value);
    if let Some(flag) = flag.filter(|&f| !inner.body.is_unused(old_args[f])) {
        let yes = arith::bool(&mut inner, true);
        inner.body.replace_uses(old_args[flag], yes);
    }
    for (i, &k) in kept.iter().enumerate() {
        let arg = body.args(block)[i + 1];
        body.replace_uses(old_args[k], arg);
    }
    for moved in body.block_ops(shape.after) {
        body.move_op(moved, block, None);
    }
    let next: Vec<ValueId> = kept.iter().map(|&k| body.operand(shape.yields, k)).collect();
    body.set_operands(shape.yields, &next);

    let results = body.results(op).to_vec();
    for (i, &k) in kept.iter().enumerate() {
        let value = body.result(new, i);
        body.replace_uses(results[k], value);
    }
    let Some(mut b) = Builder::before(body, op) else { return };
    if !b.body.is_unused(results[counted.slot]) {
        let last = trip_count::value_after(&mut b, &counter, trips);
        b.body.replace_uses(results[counted.slot], last);
    }
    if let Some(flag) = flag.filter(|&f| !b.body.is_unused(results[f])) {
        let no = arith::bool(&mut b, false);
        b.body.replace_uses(results[flag], no);
    }
    body.erase_op(op);
}

/// count + 1, but for a loop that never ends.
fn once_more(b: &mut Builder<'_>, count: ValueId) -> ValueId {
    if let Some(n) = arith::constant_of(b.body, count).and_then(|a| a.as_int()) {
        return arith::int(b, n.saturating_add(1), Type::i64());
    }
    let one = arith::int(b, 1, Type::i64());
    let more = arith::AddI::build(b, count, one, &[]);
    let never = arith::int(b, trip_count::NEVER_ENDS, Type::i64());
    arith::MinUI::build(b, more, never, &[])
}
