//! What functions cost their callers: the work of a call, of its tangents and of its reverse
//! derivative.

use super::Facts;
use crate::analysis::costs::{Costs, Frequencies};
use crate::autodiff::unzip::needs::is_linear;
use caustic_dialects::{ad, func};
use caustic_ir::{Body, OpId, SymbolOp};

/// Work of a call of a function that is not looked into.
const OPAQUE_CALL: u64 = 64;

/// Works are no larger, so that sums of them fit.
const MAX_WORK: u64 = 1 << 40;

/// The work of one call of a function; each that it calls counts as much as a few ops.
pub(super) fn own_work(costs: &Costs, symbol: &SymbolOp) -> u64 {
    let body = &symbol.body;
    let frequencies = Frequencies::of(body);
    let runs = |op: OpId| body.op(op).block.map_or(1, |b| frequencies.runs(b));
    let once = |op: OpId| if func::Call::is(body, op) { OPAQUE_CALL } else { costs.work(body, op) };
    let works = body.walk_all().into_iter().map(|op| once(op).saturating_mul(runs(op)));
    works.fold(0, u64::saturating_add).min(MAX_WORK)
}

/// A half of a linearized function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Primal,
    Tangents,
}

/// The work of one half in one call, with what it calls.
pub(super) fn work_of(body: &Body, facts: &Facts<'_>, half: Half) -> u64 {
    let frequencies = Frequencies::of(body);
    let mut sum = 0u64;
    for op in body.walk_all() {
        let linear = body.op(op).regions.is_empty() && is_linear(body, op);
        let once = match half {
            _ if ad::JvpCall::is(body, op) => {
                let callee = facts.callee(body, op);
                if half == Half::Primal { callee.work } else { callee.forward }
            }
            Half::Primal if linear => 0,
            Half::Tangents if !linear => 0,
            _ => facts.costs.work(body, op),
        };
        let runs = body.op(op).block.map_or(1, |b| frequencies.runs(b));
        sum = sum.saturating_add(once.saturating_mul(runs));
    }
    sum.min(MAX_WORK)
}
