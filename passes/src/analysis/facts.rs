//! What the code behind a value says of it: the rules of the ops' rows, followed through straight
//! code. Counters of loops are between the bounds; what else comes by arguments of blocks, loops,
//! branches and calls is any value of its type.

use super::ranges::range_of;
use caustic_dialects::arith::constant_of;
use caustic_dialects::{facts, scf};
use caustic_ir::fact::{Fact, IntFact};
use caustic_ir::{Body, Type, ValueDef, ValueId};
use smallvec::SmallVec;

/// Ops that are looked at for one answer.
const MOST_OPS: u32 = 32;

/// What is known of each scalar of `value`.
pub fn fact_of(body: &Body, value: ValueId) -> Fact {
    follow(body, value, &mut MOST_OPS.clone())
}

/// Whether each scalar of `value` is a number and no infinity, whatever the operands are.
pub fn is_finite(body: &Body, value: ValueId) -> bool {
    fact_of(body, value).finite()
}

fn follow(body: &Body, value: ValueId, left: &mut u32) -> Fact {
    let top = Fact::top(body.ty(value).elem());
    if let Some(constant) = constant_of(body, value) {
        return top.meet(Fact::constant(constant)).unwrap_or(top);
    }
    if *left == 0 {
        return top;
    }
    *left -= 1;
    let Some(op) = body.def_op(value) else { return counter(body, value).unwrap_or(top) };
    let data = body.op(op);
    if data.def.facts.is_none() || !data.regions.is_empty() || data.results.len() != 1 {
        return top;
    }
    let types: SmallVec<[Type; 3]> = data.operands.iter().map(|&v| body.ty(v)).collect();
    let known: SmallVec<[Fact; 3]> = data.operands.iter().map(|&v| follow(body, v, left)).collect();
    let same: SmallVec<[usize; 3]> = data.operands.iter().map(|v| v.index()).collect();
    facts::of_same(data.def, &data.attrs, &types, body.ty(value), &known, &same)
}

/// What is known of the counter of a loop.
pub fn counter(body: &Body, value: ValueId) -> Option<Fact> {
    let ValueDef::Arg { block, index: 0 } = body.def(value) else { return None };
    let counts = body.parent_op(block).is_some_and(|op| scf::For::is(body, op));
    let (true, Fact::Int(all)) = (counts, Fact::top(body.ty(value))) else { return None };
    let (least, most) = range_of(body, value);
    IntFact::between(least, most, all.bits()).map(Fact::Int)
}
