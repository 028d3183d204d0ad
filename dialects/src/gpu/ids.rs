//! Which thread this is, and printing.

use crate::classes::ANY;
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Attr, Body, Builder, OpId, Type, ValueId, ops};

/// `#gpu<dim x>` for 0, 1, 2.
pub fn dim_attr(dim: usize) -> Attr {
    Attr::opaque(["gpu<dim x>", "gpu<dim y>", "gpu<dim z>"][dim.min(2)])
}

/// The dimension of an id: 0, 1 or 2.
pub fn dimension(body: &Body, op: OpId) -> Option<usize> {
    let written = body.attr(op, "dimension");
    (0..3).find(|&d| written == Some(dim_attr(d)))
}

fn eval_id(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    let Some(dim) = dimension(body, op) else { return Err(Trap::new(body.loc(op), "an id without a dimension")) };
    let what = body.op(op).def.name.trim_start_matches("gpu.");
    Ok(vec![Val::Int(m.thread_index(what, dim))])
}

/// An id that has no dimensions.
fn eval_flat_id(m: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    Ok(vec![Val::Int(m.thread_index(body.op(op).def.name.trim_start_matches("gpu."), 0))])
}

fn eval_printf(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let format = body.attr(op, "format").and_then(|a| a.as_str()).unwrap_or("");
    let typed: Vec<(Val, Type)> = args.into_iter().zip(body.operands(op).iter().map(|&v| body.ty(v))).collect();
    m.print(format, &typed);
    Ok(vec![])
}

/// Builds one of the id ops in dimension 0, 1 or 2.
pub fn build_id(b: &mut Builder<'_>, def: &'static caustic_ir::OpDef, dim: usize) -> ValueId {
    b.create_one(def, &[], Type::index(), &[("dimension", dim_attr(dim))])
}

ops! { pub static ID_OPS as IdView: [
    /// The thread's number within its group, in one dimension.
    ThreadId "gpu.thread_id" {
        operands: (), results: one(Exactly(Type::index)), attrs: (dimension: Opaque), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("wrapped($dimension, `gpu<dim `, `>`) attr-dict"), verify: None, fold: Fold::None, eval: Eval::Full(eval_id), ad: AdRule::Inactive,
    }
    /// The group's number within the dispatch.
    BlockId "gpu.block_id" {
        operands: (), results: one(Exactly(Type::index)), attrs: (dimension: Opaque), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("wrapped($dimension, `gpu<dim `, `>`) attr-dict"), verify: None, fold: Fold::None, eval: Eval::Full(eval_id), ad: AdRule::Inactive,
    }
    /// Threads in a group.
    BlockDim "gpu.block_dim" {
        operands: (), results: one(Exactly(Type::index)), attrs: (dimension: Opaque), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("wrapped($dimension, `gpu<dim `, `>`) attr-dict"), verify: None, fold: Fold::None, eval: Eval::Full(eval_id), ad: AdRule::Inactive,
    }
    /// Groups in the dispatch.
    GridDim "gpu.grid_dim" {
        operands: (), results: one(Exactly(Type::index)), attrs: (dimension: Opaque), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("wrapped($dimension, `gpu<dim `, `>`) attr-dict"), verify: None, fold: Fold::None, eval: Eval::Full(eval_id), ad: AdRule::Inactive,
    }
    /// The thread's number within the dispatch: block_id * block_dim + thread_id.
    GlobalId "gpu.global_id" {
        operands: (), results: one(Exactly(Type::index)), attrs: (dimension: Opaque), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("wrapped($dimension, `gpu<dim `, `>`) attr-dict"), verify: None, fold: Fold::None, eval: Eval::Full(eval_id), ad: AdRule::Inactive,
    }
    /// The thread's number within its wave, which is 32 threads of a group in a row (x fastest).
    LaneId "gpu.lane_id" {
        operands: (), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("attr-dict"), verify: None, fold: Fold::None, eval: Eval::Full(eval_flat_id), ad: AdRule::Inactive,
    }
    /// The wave's number within the group.
    SubgroupId "gpu.subgroup_id" {
        operands: (), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"), verify: None, fold: Fold::None, eval: Eval::Full(eval_flat_id), ad: AdRule::Inactive,
    }
    /// Waves in a group; the last one may lack threads.
    NumSubgroups "gpu.num_subgroups" {
        operands: (), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"), verify: None, fold: Fold::None, eval: Eval::Full(eval_flat_id), ad: AdRule::Inactive,
    }
    /// Lanes of a wave.
    SubgroupSize "gpu.subgroup_size" {
        operands: (), results: one(Exactly(Type::index)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"), verify: None, fold: Fold::None, eval: Eval::Full(eval_flat_id), ad: AdRule::Inactive,
    }
    /// Prints; the format is C's, vectors are passed as their scalars.
    Printf "gpu.printf" {
        operands: (; args: Class(&ANY)), results: none, attrs: (format: String), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$format attr-dict ($args^ `:` type($args))?"), verify: None, fold: Fold::None, eval: Eval::Full(eval_printf), ad: AdRule::Inactive,
    }
] }
