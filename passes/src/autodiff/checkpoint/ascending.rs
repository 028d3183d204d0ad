//! Loops whose reverse sweep goes through the iterations in their own order.
//!
//! Such a loop only adds to the tangents that it carries: `t(k+1) = t(k) + L_k(c)`. Each iteration
//! then hands the cotangent of `t` on as it is, and what flows to `c` is a sum, so the sweep may
//! begin with the first iteration (`stage::ASCENDING`). State without a derivative, such as that of
//! a random number generator, is had by the loop's own steps: nothing is stored, undone or kept.
//!
//! Only loops that have such state are chosen, by what stands in them and not by costs: the order
//! of a sum decides its last bit, and the choice of a machine may not. A loop stays as it is if its
//! sweep may call a custom derivative that acts on memory, since the order of these calls shows.

use super::Facts;
use crate::analysis::costs;
use crate::analysis::stage;
use crate::autodiff::unzip::{induction, slice};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::scf;
use caustic_dialects::signature::holds_handle;
use caustic_ir::{Attr, BlockId, Body, OpId, ValueDef, ValueId};

/// Marks these loops, and their state.
pub fn mark(body: &mut Body, facts: &Facts<'_>) {
    for op in body.walk_all() {
        let tangents = body.results(op).iter().any(|&r| is_tangent(body.ty(r)));
        if !tangents || !costs::is_loop(body, op) || !only_adds(body, op) || acts(body, facts, op) {
            continue;
        }
        let states = states(body, facts, op);
        if states.is_empty() {
            continue;
        }
        body.set_attr(op, stage::ASCENDING, Attr::unit());
        let stepping = stepping(body, facts, &states);
        if let Some(numbers) = slice::mark_of(body, op, 0, &stepping).filter(|_| !stepping.is_empty()) {
            body.set_attr(op, stage::SLICE, Attr::i64_array(&numbers));
        }
    }
}

/// The block of a loop that an iteration runs, and its arguments but for a counter.
fn iteration(body: &Body, op: OpId) -> Option<(BlockId, Vec<ValueId>)> {
    let counts = scf::For::is(body, op);
    let block = body.region_block(op, usize::from(!counts))?;
    Some((block, body.args(block).iter().copied().skip(usize::from(counts)).collect()))
}

fn acts(body: &Body, facts: &Facts<'_>, op: OpId) -> bool {
    let inner = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
    inner.into_iter().any(|o| facts.acts_backwards.contains(&o))
}

/// The arguments without a derivative that do not follow from the iteration's number.
fn states(body: &Body, facts: &Facts<'_>, op: OpId) -> Vec<ValueId> {
    let Some((_, mut args)) = iteration(body, op) else { return Vec::new() };
    args.retain(|&arg| {
        let changes = || induction::carried(body, arg).is_some_and(|(_, _, next)| next != arg);
        !is_tangent(body.ty(arg)) && !facts.is_active(arg) && induction::of(body, arg).is_none() && changes()
    });
    args
}

/// Those of the states that are led to by steps which may run again.
fn stepping(body: &Body, facts: &Facts<'_>, states: &[ValueId]) -> Vec<ValueId> {
    let mut found: Vec<ValueId> = Vec::new();
    for &state in states {
        let Some(steps) = slice::steps(body, &[state], &|o| facts.may_run_again(o)) else { continue };
        if !steps.states.iter().any(|&s| facts.is_active(s) || holds_handle(body.ty(s))) {
            found.extend(steps.states.into_iter().filter(|s| !found.contains(s)).collect::<Vec<_>>());
        }
    }
    found
}

/// Whether a loop does nothing with the tangents that it carries but to add to them.
fn only_adds(body: &Body, op: OpId) -> bool {
    let Some((block, args)) = iteration(body, op) else { return false };
    let (Some(end), first) = (body.terminator(block), usize::from(scf::For::is(body, op))) else { return false };
    args.into_iter().enumerate().filter(|&(_, a)| is_tangent(body.ty(a))).all(|(slot, arg)| {
        debug_assert_eq!(body.args(block)[first + slot], arg);
        let carried = induction::carried(body, arg).is_some();
        let mut way = Way { body, arg, on: Vec::new() };
        carried && way.leads_through(end, slot) && way.holds_all_uses()
    })
}

/// The way of a carried tangent through an iteration.
struct Way<'a> {
    body: &'a Body,
    arg: ValueId,
    /// What reads the sum on its way: ops, and the numbers of their operands.
    on: Vec<(OpId, usize)>,
}

impl Way<'_> {
    /// Whether an operand is what was carried and what is added to it.
    fn leads_through(&mut self, op: OpId, operand: usize) -> bool {
        let Some(&value) = self.body.operands(op).get(operand) else { return false };
        self.on.push((op, operand));
        self.leads_to(value)
    }

    fn leads_to(&mut self, value: ValueId) -> bool {
        let body = self.body;
        if value == self.arg {
            return true;
        }
        let ValueDef::Result { op, index } = body.def(value) else { return false };
        if ad::TAccumulate::is(body, op) {
            return self.leads_through(op, 1);
        }
        if ad::TAdd::is(body, op) {
            let before = self.on.len();
            return (0..2).any(|operand| {
                self.on.truncate(before);
                self.leads_through(op, operand)
            });
        }
        scf::If::is(body, op)
            && (0..2).all(|k| {
                let end = body.region_block(op, k).and_then(|block| body.terminator(block));
                end.is_some_and(|end| self.leads_through(end, index as usize))
            })
    }

    /// Whether nothing else reads the sum.
    fn holds_all_uses(&self) -> bool {
        let body = self.body;
        self.on.iter().all(|&(op, operand)| {
            let value = body.operand(op, operand);
            body.uses(value).iter().all(|u| self.on.contains(&(u.op, u.index as usize)))
        })
    }
}
