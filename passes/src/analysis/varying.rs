//! Which values of a kernel differ between threads that differ in one of their numbers only.
//!
//! What starts from that number differs, and what is computed from what differs; what control flow chooses by it; what loops carry that run differently
//! often; what atomic updates give, and what is read from memory that somebody writes.

use crate::analysis::effects::{Effect, Summary};
use crate::optimize::slots::{BOUNDS, ForParts, WhileParts, branch_ends};
use caustic_dialects::gpu;
use caustic_ir::{Body, OpId, ValueId};
use rustc_hash::FxHashSet;

/// The values that may differ between threads whose numbers in `dimension` do.
pub fn varying(body: &Body, effects: &Summary, dimension: usize) -> FxHashSet<ValueId> {
    let effects = effects.all_ops(body);
    let mut found = Varying { body, effects, dimension, values: FxHashSet::default(), changed: true };
    let ops = body.walk_all();
    while std::mem::take(&mut found.changed) {
        for &op in &ops {
            found.op(op);
        }
    }
    found.values
}

struct Varying<'a> {
    body: &'a Body,
    effects: Vec<Effect>,
    dimension: usize,
    values: FxHashSet<ValueId>,
    changed: bool,
}

impl Varying<'_> {
    fn add(&mut self, values: &[ValueId]) {
        for &value in values {
            self.changed |= self.values.insert(value);
        }
    }

    /// The places that any of `sources` goes to.
    fn from(&mut self, sources: &[ValueId], places: &[ValueId]) {
        if self.any(sources) {
            self.add(places);
        }
    }

    fn any(&self, values: &[ValueId]) -> bool {
        values.iter().any(|v| self.values.contains(v))
    }

    fn op(&mut self, op: OpId) {
        let body = self.body;
        let results = body.results(op);
        if let Some(parts) = ForParts::of(body, op) {
            if self.any(&body.operands(op)[..BOUNDS]) {
                self.add(body.args(parts.body));
                self.add(results);
            }
            let (inside, back) = (&body.args(parts.body)[1..], body.operands(parts.end));
            for (n, (&arg, &result)) in inside.iter().zip(results).enumerate() {
                // What goes in may be the same and what comes back not; what goes in is never changed by what comes back.
                self.from(&[body.operand(op, BOUNDS + n), back[n]], &[arg, result]);
            }
        } else if let Some(parts) = WhileParts::of(body, op) {
            let (before, after) = (body.args(parts.before), body.args(parts.after));
            if self.any(&body.operands(parts.condition)[..1]) {
                [before, after, results].into_iter().for_each(|values| self.add(values));
            }
            let (back, forwarded) = (body.operands(parts.end), &body.operands(parts.condition)[1..]);
            for (n, &arg) in before.iter().enumerate() {
                self.from(&[body.operand(op, n), back[n]], &[arg]);
            }
            for (n, (&arg, &result)) in after.iter().zip(results).enumerate() {
                self.from(&[forwarded[n]], &[arg, result]);
            }
        } else if let Some(ends) = branch_ends(body, op) {
            let chosen = self.any(body.operands(op));
            for (n, &result) in results.iter().enumerate() {
                if chosen || ends.iter().any(|&end| self.any(&[body.operands(end)[n]])) {
                    self.add(&[result]);
                }
            }
        } else {
            let unknown = !body.op(op).regions.is_empty() || self.effects[op.index()] >= Effect::Reads;
            if unknown || self.starts(op) || self.any(body.operands(op)) {
                self.add(results);
            }
        }
    }

    /// Whether the op gives the number itself.
    fn starts(&self, op: OpId) -> bool {
        let body = self.body;
        match () {
            _ if gpu::ThreadId::is(body, op) || gpu::GlobalId::is(body, op) => {
                body.attr(op, "dimension") == Some(gpu::dim_attr(self.dimension))
            }
            _ if gpu::BlockId::is(body, op) || gpu::BlockDim::is(body, op) || gpu::GridDim::is(body, op) => false,
            _ => body.op(op).def.dialect() == "gpu",
        }
    }
}
