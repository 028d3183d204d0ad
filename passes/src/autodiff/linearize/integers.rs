//! Flattens branches that only choose between a few integer computations: both sides are computed,
//! and a select chooses each result.
//!
//! The reverse pass recovers the result of a branch only by running the branch again. The result of
//! a select is recomputed like any other value, and inverted where it is the state of a loop.
//! Integer ops are cheap and cannot fail, except for those that divide.

use caustic_dialects::{arith, scf};
use caustic_ir::{Body, Builder, Cloner, OpDef, OpId, ValueId};

/// The most ops of a branch that is flattened. Constants do not count.
const MOST_OPS: usize = 12;

/// Integer ops that are defined for all operands.
const TOTAL: [&OpDef; 15] = [
    arith::AddI::DEF,
    arith::SubI::DEF,
    arith::MulI::DEF,
    arith::AndI::DEF,
    arith::OrI::DEF,
    arith::XOrI::DEF,
    arith::ShLI::DEF,
    arith::ShRUI::DEF,
    arith::ShRSI::DEF,
    arith::CmpI::DEF,
    arith::Select::DEF,
    arith::IndexCast::DEF,
    arith::ExtSI::DEF,
    arith::ExtUI::DEF,
    arith::TruncI::DEF,
];

fn all_integers(body: &Body, values: &[ValueId]) -> bool {
    values.iter().all(|&v| body.ty(v).is_scalar() && body.ty(v).is_int_or_index())
}

/// Whether an op is a branch that can be flattened.
pub(super) fn is_flat(body: &Body, op: OpId) -> bool {
    let mut work = vec![op];
    let mut budget = MOST_OPS;
    if !scf::If::is(body, op) || body.results(op).is_empty() {
        return false;
    }
    while let Some(op) = work.pop() {
        if !all_integers(body, body.results(op)) {
            return false;
        }
        for k in 0..body.op(op).regions.len() {
            let Some(block) = body.region_block(op, k) else { return false };
            for inner in body.block_ops(block) {
                let def = body.op(inner).def;
                let constant = arith::Constant::is(body, inner);
                match () {
                    () if def.is_terminator() => {}
                    () if constant && all_integers(body, body.results(inner)) => {}
                    () if scf::If::is(body, inner) && budget > 0 => {
                        budget -= 1;
                        work.push(inner);
                    }
                    () if TOTAL.iter().any(|&t| std::ptr::eq(t, def)) && budget > 0 => {
                        budget -= 1;
                        if !all_integers(body, body.results(inner)) || !all_integers(body, body.operands(inner)) {
                            return false;
                        }
                    }
                    () => return false,
                }
            }
        }
    }
    true
}

/// Builds both sides, one after the other, and a select for each result.
pub(super) fn flatten(src: &Body, op: OpId, primal: &mut Cloner, b: &mut Builder<'_>) {
    let condition = primal.get(src.operand(op, 0));
    for k in 0..src.op(op).regions.len() {
        let ops = src.region_block(op, k).map(|block| src.block_ops(block)).unwrap_or_default();
        for inner in ops {
            if scf::If::is(src, inner) {
                // The number of ops limits the depth.
                flatten(src, inner, primal, b);
            } else if !src.op(inner).def.is_terminator() {
                primal.clone_op(src, inner, b);
            }
        }
    }
    let given = |k: usize| src.region_block(op, k).and_then(|block| src.terminator(block));
    let (Some(yes), Some(no)) = (given(0), given(1)) else { return };
    for (i, &result) in src.results(op).iter().enumerate() {
        let (x, y) = (primal.get(src.operand(yes, i)), primal.get(src.operand(no, i)));
        b.loc = src.loc(op);
        let value = arith::Select::build(b, condition, x, y, &[]);
        b.body.set_hint(value, src.value(result).hint);
        primal.insert(result, value);
    }
}
