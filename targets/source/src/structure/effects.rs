//! What calls do: which functions read or write memory that others see.
//!
//! A function's own slots are nobody else's. A slot that it is given is an argument by place, and a
//! call with one is a statement whatever this says.

use caustic_dialects::{agg, call_graph, simt};
use caustic_ir::op::Effects;
use caustic_ir::{Body, Module, Name, OpId};
use rustc_hash::FxHashMap;

/// From the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    Pure,
    Reads,
    Writes,
}

/// What the functions of a module do.
pub struct Summary(FxHashMap<Name, Effect>);

impl Summary {
    pub fn of(module: &Module) -> Summary {
        let mut summary = Summary(module.symbols().iter().map(|s| (s.name, Effect::Pure)).collect());
        let order = call_graph::CallGraph::of_calls(module).post_order();
        // Callees first; a second round is for circles.
        for _ in 0..2 {
            for name in &order {
                let Some(symbol) = module.get(*name) else { continue };
                let ops = symbol.body.walk_all();
                let all = ops.into_iter().filter(|&op| !is_local(&symbol.body, op));
                let effect = all.map(|op| summary.op(&symbol.body, op)).max().unwrap_or(Effect::Pure);
                summary.0.insert(*name, effect);
            }
        }
        summary
    }

    /// What an op does, that of its regions aside.
    pub fn op(&self, body: &Body, op: OpId) -> Effect {
        let aggregation = simt::AggregationOf::is(body, op);
        match body.op(op).def.effects {
            _ if aggregation || agg::Alloca::is(body, op) => Effect::Pure,
            Effects::Reads => Effect::Reads,
            Effects::Writes => Effect::Writes,
            // A slot that is handed over may be written.
            Effects::Call if body.operands(op).iter().any(|&v| agg::as_slot(body.ty(v)).is_some()) => Effect::Writes,
            Effects::Call => body.callee(op).and_then(|callee| self.0.get(&callee).copied()).unwrap_or(Effect::Writes),
            Effects::Pure | Effects::Regions | Effects::Terminator | Effects::Symbol => Effect::Pure,
        }
    }

    /// What an op and all in it do.
    pub fn all(&self, body: &Body, op: OpId) -> Effect {
        let regions = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
        regions.map(|inner| self.op(body, inner)).chain([self.op(body, op)]).max().unwrap_or(Effect::Pure)
    }
}

/// Whether an op touches slots only.
fn is_local(body: &Body, op: OpId) -> bool {
    use agg::StorageView as V;
    match agg::StorageView::of(body, op) {
        Some(V::ReadBuffer(_) | V::WriteBuffer(_)) | None => false,
        Some(
            V::Alloca(_) | V::GlobalSlot(_) | V::Load(_) | V::SlotLength(_) | V::Store(_) | V::Clear(_) | V::Copy(_),
        ) => true,
    }
}
