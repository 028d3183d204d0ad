//! `promote-reductions`: what a loop adds to one place in each iteration is summed up in a
//! register, and added once behind the loop.
//!
//! The derivative of a loop adds to the derivative of a parameter in each iteration: atomically,
//! and for a wave or a group after its lanes have exchanged what they have. Where the place is the
//! same in all iterations a thread's own sum comes first.
//!
//! Right if nobody can tell: the old value is not used, nothing in the loop touches the buffer but
//! additions, and nothing in it brings threads together. Of a loop without iterations a zero is
//! added, of which nothing comes but, at most, the sign of a zero that was there. Sums of floats
//! come in another order, as those of atomic additions do anyway. The pass works on kernels after
//! inlining, and behind `hoist-atomics`: an addition in a branch stays.

use super::additions::{self, leaves_alone, target};
use super::lift::{is_addition_at_all, made_of_outside, same_place};
use crate::analysis::access::build_zero;
use crate::analysis::effects::Summary;

use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::arith;
use caustic_dialects::carried::ForParts;
use caustic_ir::{Body, Builder, Cloner, Module, Name, OpId, ValueId};

/// Sums of one loop: as many values are alive as long as it runs.
const MOST: usize = 16;

passes! {
    /// Sums up in a register what a loop adds to a place that is the same in all of its iterations.
    pub static PROMOTE_REDUCTIONS: "promote-reductions" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("additions", "additions that moved behind a loop"), ("sums", "what is added there")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let mut changed = false;
        let ops = module.get(kernel).map(|s| s.body.walk_all()).unwrap_or_default();
        // From the inside out, so that a sum leaves all loops around it.
        for op in ops.into_iter().rev() {
            let sums = sums_of(module, kernel, op, &summary);
            let Some(symbol) = module.get_mut(kernel).filter(|_| !sums.is_empty()) else { continue };
            report.count("additions", sums.iter().map(|s| s.len() as u64).sum());
            report.count("sums", sums.len() as u64);
            for sum in sums {
                changed |= leave(&mut symbol.body, op, &sum).is_some();
            }
        }
        Ok(Changed::from(changed))
    })
}

/// The additions that stand in the body of a loop and may leave it: those to one place together.
fn sums_of(module: &Module, kernel: Name, op: OpId, summary: &Summary) -> Vec<Vec<OpId>> {
    let Some(body) = module.get(kernel).map(|s| &s.body) else { return Vec::new() };
    let Some(parts) = ForParts::of(body, op).filter(|_| !body.is_erased(op)) else { return Vec::new() };
    let ops = body.block_ops(parts.body);
    let mut sums: Vec<Vec<OpId>> = Vec::new();
    for &addition in &ops {
        let Some(buffer) = target(module, body, addition) else { continue };
        let alone = || ops.iter().all(|&o| is_addition_at_all(body, o) || leaves_alone(body, summary, o, buffer));
        if made_of_outside(body, &body.operands(addition)[1..], op).is_none() || !alone() {
            continue;
        }
        match sums.iter().position(|sum| same_place(body, sum[0], addition)) {
            Some(n) => sums[n].push(addition),
            None if sums.len() < MOST => sums.push(vec![addition]),
            None => {}
        }
    }
    sums
}

/// Carries the sum of what is added through the loop, and adds it behind.
fn leave(body: &mut Body, op: OpId, additions: &[OpId]) -> Option<()> {
    let parts = ForParts::of(body, op)?;
    let (block, next) = (body.op(op).block?, body.next_op(op));
    let first = *additions.first()?;
    let (ty, loc) = (body.ty(body.operand(first, 0)), body.loc(first));
    let (place, fields) = (body.operands(first)[1..].to_vec(), additions::fields(body, first));
    let steps = made_of_outside(body, &place, op)?;
    let zero = build_zero(&mut Builder::before(body, op)?, ty);
    let start = [body.operands(op), &[zero]].concat();
    body.set_operands(op, &start);
    let carried = body.add_arg(parts.body, ty);
    let sum = summed(body, carried, additions)?;
    let ends = [body.operands(parts.end), &[sum]].concat();
    body.set_operands(parts.end, &ends);
    let total = body.add_result(op, ty);
    let mut outside = Cloner::new();
    for step in steps {
        outside.clone_within(body, step, block, next);
    }
    let place: Vec<ValueId> = place.into_iter().map(|v| outside.get(v)).collect();
    additions::add(&mut Builder { body, block, before: next, loc }, total, place[0], &place[1..], &fields);
    additions.iter().for_each(|&op| body.erase_op(op));
    Some(())
}

/// The sum of a value and of what is added, each where it is added.
#[mutant(Site::IterationsFirst with additions = &additions[1..])]
fn summed(body: &mut Body, first: ValueId, additions: &[OpId]) -> Option<ValueId> {
    let mut sum = first;
    for &addition in additions {
        let value = body.operand(addition, 0);
        let mut b = Builder::before(body, addition)?;
        sum = match b.ty(value).is_float() {
            true => arith::AddF::build(&mut b, sum, value, &[]),
            false => arith::AddI::build(&mut b, sum, value, &[]),
        };
    }
    Some(sum)
}
