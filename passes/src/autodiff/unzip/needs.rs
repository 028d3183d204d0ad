//! What linear code needs of primal code.

use super::{induction, slice, undo};
use crate::analysis::stage;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::carried::bounds;
use caustic_dialects::signature::holds_handle;
use caustic_dialects::{func, scf};
use caustic_ir::{BlockId, Body, Effects, OpId, ValueDef, ValueId};
use rustc_hash::FxHashSet;

/// Facts about a linearized function.
pub struct Needs {
    /// By value: linear code reads it, directly or to compute something again.
    needed: Vec<bool>,
    /// By op: it has tangent results and regions, so it stands in both halves.
    mixed: Vec<bool>,
    /// By op: it is replayed, and something needs that.
    replayed: Vec<bool>,
}

/// Whether an op without regions touches tangents.
pub fn is_linear(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    data.operands.iter().chain(&data.results).any(|&v| is_tangent(body.ty(v)))
}

/// Whether the op's results are computed again where linear code needs them.
pub fn is_recomputed(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    let marked =
        body.attr(op, stage::RECOMPUTE).is_some() && (data.def.effects != Effects::Call || func::Call::is(body, op));
    data.regions.is_empty() && !is_linear(body, op) && (marked || data.operands.is_empty() && data.def.is_pure())
}

/// Whether a branch, a loop or a call is run again as a whole where linear code needs it: its
/// results, what is kept of it, or both.
pub fn is_replayed(body: &Body, op: OpId) -> bool {
    body.attr(op, stage::RECOMPUTE).is_some() && (!body.op(op).regions.is_empty() || ad::JvpCall::is(body, op))
}

/// How many states of a loop the reverse pass keeps, for one that is run again from snapshots.
pub fn snapshots(body: &Body, op: OpId) -> Option<i64> {
    body.attr(op, stage::SNAPSHOTS)?.as_int()
}

/// The primal values from outside of `op` that its primal code reads, each once.
pub fn free_values(body: &Body, op: OpId) -> Vec<ValueId> {
    let data = body.op(op);
    let mut out: Vec<ValueId> = Vec::new();
    let mut seen: FxHashSet<ValueId> = FxHashSet::default();
    let mut read = |v: ValueId| {
        if !is_tangent(body.ty(v)) && seen.insert(v) {
            out.push(v);
        }
    };
    data.operands.iter().for_each(|&v| read(v));
    let mut inside: FxHashSet<BlockId> = FxHashSet::default();
    let mut ops: Vec<OpId> = Vec::new();
    for &region in &data.regions {
        inside.extend(body.region(region).blocks.iter().copied());
        ops.extend(body.walk(region));
    }
    for &inner in &ops {
        inside.extend(body.op(inner).regions.iter().flat_map(|&r| body.region(r).blocks.iter().copied()));
    }
    for inner in ops {
        let inner_data = body.op(inner);
        let plain = !is_linear(body, inner) || !inner_data.regions.is_empty() || inner_data.def.is_terminator();
        if plain || ad::JvpCall::is(body, inner) {
            for &v in &inner_data.operands {
                if !body.def_block(v).is_some_and(|b| inside.contains(&b)) {
                    read(v);
                }
            }
        }
    }
    out
}

/// What a call of a linearization hands to both halves: the references to resources among its
/// primal operands; all of these if the programmer gives the backward derivative, which is then
/// told what its caller has at hand rather than what a context kept.
pub fn handles(body: &Body, op: OpId) -> impl Iterator<Item = ValueId> + '_ {
    let all = body.attr(op, stage::HANDED).is_some();
    let handed = move |ty| if all { !is_tangent(ty) } else { holds_handle(ty) };
    body.operands(op).iter().copied().filter(move |&v| handed(body.ty(v)))
}

impl Needs {
    pub fn of(body: &Body) -> Needs {
        let mut needs = Needs {
            needed: vec![false; body.num_values()],
            mixed: vec![false; body.num_ops()],
            replayed: vec![false; body.num_ops()],
        };
        let mut work: Vec<ValueId> = Vec::new();
        for op in body.walk_all() {
            let data = body.op(op);
            // Linear code under an op without tangent results leads nowhere.
            let alive = data.block.and_then(|b| body.parent_op(b)).is_none_or(|p| needs.mixed[p.index()]);
            if !alive || data.def.is_terminator() {
                continue;
            }
            if ad::JvpCall::is(body, op) {
                if data.results.iter().any(|&r| is_tangent(body.ty(r))) {
                    work.extend(handles(body, op));
                    if is_replayed(body, op) {
                        needs.replay(body, op, &mut work);
                    }
                }
            } else if data.regions.is_empty() {
                if is_linear(body, op) {
                    work.extend(data.operands.iter().copied().filter(|&v| !is_tangent(body.ty(v))));
                }
            } else if data.results.iter().any(|&r| is_tangent(body.ty(r))) {
                needs.mixed[op.index()] = true;
                if is_replayed(body, op) || snapshots(body, op).is_some() {
                    needs.replay(body, op, &mut work);
                }
                // The linear counterpart of a while counts; others run under the same condition or
                // bounds.
                if scf::For::is(body, op) {
                    work.extend(bounds(body, op));
                } else if !scf::While::is(body, op) {
                    work.extend(data.operands.iter().copied());
                }
            }
        }
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut needs.needed[value.index()], true) {
                continue;
            }
            let ValueDef::Result { op, .. } = body.def(value) else {
                work.extend(induction::of(body, value).iter().flat_map(|i| i.reads()));
                work.extend(undo::of(body, value).iter().flat_map(|u| u.reads(body)));
                work.extend(slice::of(body, value).iter().flat_map(|s| s.inits.iter().chain(&s.reads)));
                continue;
            };
            if is_recomputed(body, op) {
                work.extend(body.operands(op));
            } else if is_replayed(body, op) {
                needs.replay(body, op, &mut work);
            }
        }
        needs
    }

    fn replay(&mut self, body: &Body, op: OpId, work: &mut Vec<ValueId>) {
        if !std::mem::replace(&mut self.replayed[op.index()], true) {
            work.extend(free_values(body, op));
        }
    }

    pub fn is_needed(&self, value: ValueId) -> bool {
        self.needed[value.index()]
    }
    /// Whether the op runs again in linear code.
    pub fn is_replay(&self, op: OpId) -> bool {
        self.replayed[op.index()]
    }
    pub fn is_mixed(&self, op: OpId) -> bool {
        self.mixed[op.index()]
    }
}
