//! Step 5, checkpoint: which primal values the reverse pass stores and which it computes again.
//!
//! It stands between linearize and unzip: there, primal values and what reads them are still in one scope, so the choice is a mark on
//! each op (`ad.recompute`) that a person can see and edit, and unzip stores all else. (What the reverse pass reads is the same before
//! and after transposition: the primal operands of linear ops.)
//!
//! A [`Policy`] decides; the first one recomputes within an iteration and stores loop state (seeds: paper 5.3.1). Whatever it
//! says, loop-carried values, results of calls, loads and region ops are stored, so that recomputation never repeats a loop.

use super::stage;
use caustic_dialects::ad::is_tangent;
use caustic_dialects::agg::needs_storage;
use caustic_dialects::scf;
use caustic_ir::{Attr, Body, OpId, SymbolOp, ValueId};

/// A pure op of primal code without regions: a candidate for recomputation.
pub struct Candidate<'a> {
    pub body: &'a Body,
    pub op: OpId,
    /// How many loops are around it.
    pub loop_depth: usize,
}

impl Candidate<'_> {
    /// Loops around the definition of `value`.
    pub fn depth_of(&self, value: ValueId) -> usize {
        self.body.def_block(value).map_or(0, |b| loop_depth(self.body, b))
    }
}

/// Decides between storing and recomputing.
pub trait Policy: Sync {
    fn recompute(&self, candidate: &Candidate<'_>) -> bool;
}

/// Recomputes inside an iteration from the loop's state and what stands outside, and stores the rest. Never recomputes what reads an
/// array that the loop changes: its elements are stored, not the array.
pub struct RecomputeInLoops;

impl Policy for RecomputeInLoops {
    fn recompute(&self, candidate: &Candidate<'_>) -> bool {
        let data = candidate.body.op(candidate.op);
        candidate.loop_depth > 0
            && !data.results.iter().any(|&r| needs_storage(candidate.body.ty(r)))
            && data.operands.iter().all(|&v| {
                let ty = candidate.body.ty(v);
                !needs_storage(ty) || candidate.depth_of(v) == 0
            })
    }
}

fn loop_depth(body: &Body, block: caustic_ir::BlockId) -> usize {
    let mut depth = 0;
    let mut parent = body.parent_op(block);
    while let Some(op) = parent {
        depth += (scf::For::is(body, op) || scf::While::is(body, op)) as usize;
        parent = body.op(op).block.and_then(|b| body.parent_op(b));
    }
    depth
}

/// Marks the ops of a linearized function that are to be recomputed.
pub fn checkpoint(symbol: &mut SymbolOp, policy: &dyn Policy) {
    let body = &mut symbol.body;
    // One walk, with the depth of each block known from its parent's.
    let mut depths = vec![0usize; body.num_ops()];
    for op in body.walk_all() {
        let parent = body.op(op).block.and_then(|b| body.parent_op(b));
        let depth =
            parent.map_or(0, |p| depths[p.index()] + (scf::For::is(body, p) || scf::While::is(body, p)) as usize);
        depths[op.index()] = depth;
        let data = body.op(op);
        let candidate = data.regions.is_empty()
            && data.def.is_pure()
            && !data.operands.iter().chain(&data.results).any(|&v| is_tangent(body.ty(v)));
        if candidate && policy.recompute(&Candidate { body, op, loop_depth: depth }) {
            body.set_attr(op, stage::RECOMPUTE, Attr::unit());
        }
    }
}
