//! What linear code needs of primal code.

use super::super::stage;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::scf;
use caustic_ir::{Body, OpId, ValueDef, ValueId};

/// Facts about a linearized function.
pub struct Needs {
    /// By value: linear code reads it, directly or to compute something again.
    needed: Vec<bool>,
    /// By op: it has tangent results and regions, so it stands in both halves.
    mixed: Vec<bool>,
}

/// Whether an op without regions touches tangents.
pub fn is_linear(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    data.operands.iter().chain(&data.results).any(|&v| is_tangent(body.ty(v)))
}

/// Whether the op's results are computed again where linear code needs them.
pub fn is_recomputed(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    data.regions.is_empty()
        && data.def.is_pure()
        && !is_linear(body, op)
        && (data.operands.is_empty() || body.attr(op, stage::RECOMPUTE).is_some())
}

impl Needs {
    pub fn of(body: &Body) -> Needs {
        let mut needs = Needs { needed: vec![false; body.num_values()], mixed: vec![false; body.num_ops()] };
        let mut work: Vec<ValueId> = Vec::new();
        for op in body.walk_all() {
            let data = body.op(op);
            // Linear code under an op without tangent results leads nowhere.
            let alive = data.block.and_then(|b| body.parent_op(b)).is_none_or(|p| needs.mixed[p.index()]);
            if !alive || data.def.is_terminator() {
                continue;
            }
            if data.regions.is_empty() {
                if is_linear(body, op) && !ad::JvpCall::is(body, op) {
                    work.extend(data.operands.iter().copied().filter(|&v| !is_tangent(body.ty(v))));
                }
            } else if data.results.iter().any(|&r| is_tangent(body.ty(r))) {
                needs.mixed[op.index()] = true;
                // The linear counterpart of a while counts; others run under the same condition or bounds.
                if scf::For::is(body, op) {
                    work.extend(&data.operands[..3]);
                } else if !scf::While::is(body, op) {
                    work.extend(data.operands.iter().copied());
                }
            }
        }
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut needs.needed[value.index()], true) {
                continue;
            }
            if let ValueDef::Result { op, .. } = body.def(value)
                && is_recomputed(body, op)
            {
                work.extend(body.operands(op));
            }
        }
        needs
    }

    pub fn is_needed(&self, value: ValueId) -> bool {
        self.needed[value.index()]
    }
    pub fn is_mixed(&self, op: OpId) -> bool {
        self.mixed[op.index()]
    }
}
