//! Which values of a kernel differ between threads: those that differ in one of their numbers only,
//! or the lanes of a wave.
//!
//! What starts from such a number differs, and what is computed from what differs; what control
//! flow chooses by it; what loops carry that run differently often; what atomic updates give, what
//! is read from memory that somebody writes, and what functions give, in whose code nobody looks.

use crate::analysis::effects::{Effect, Summary};
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, bounds, branch_ends};
use caustic_dialects::func;
use caustic_dialects::gpu;
use caustic_dialects::simt;
use caustic_dialects::simt::{WAVE_SIZE, WaveOp};
use caustic_ir::{Attr, Body, OpId, ValueId};
use rustc_hash::FxHashSet;

/// The threads that are compared, each in the same iteration of the loops around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// Those that differ in this number only.
    Dimension(usize),
    /// The lanes of a wave, in a kernel with so many threads in a group.
    Wave([i64; 3]),
}

impl Among {
    /// Whether such threads differ in the number of this dimension.
    fn differ_in(self, dimension: usize) -> bool {
        match self {
            Among::Dimension(d) => d == dimension,
            // Lanes are numbered along the first dimension first: where that is a row of whole
            // waves, all of a wave's are in one row.
            Among::Wave([row, ..]) if dimension > 0 && row % i64::from(WAVE_SIZE) == 0 => false,
            Among::Wave(numthreads) => numthreads[dimension] > 1,
        }
    }
}

/// The values that may differ between these threads.
pub fn varying(body: &Body, effects: &Summary, among: Among) -> FxHashSet<ValueId> {
    let effects = effects.all_ops(body);
    let mut found = Varying { body, effects, among, values: FxHashSet::default(), changed: true };
    // A kernel is given nothing; what another function is given may differ.
    if let Some(entry) = body.entry() {
        found.add(body.args(entry));
    }
    let ops = body.walk_all();
    while std::mem::take(&mut found.changed) {
        for &op in &ops {
            found.op(op);
        }
    }
    found.values
}

/// Whether threads go through the regions of `op` together, of which these values differ: they take
/// the same branch, or as many iterations.
pub fn is_in_step(body: &Body, op: OpId, differ: &FxHashSet<ValueId>) -> bool {
    let same = |values: &[ValueId]| !values.iter().any(|v| differ.contains(v));
    match () {
        _ if ForParts::of(body, op).is_some() => same(bounds(body, op)),
        _ if branch_ends(body, op).is_some() => same(body.operands(op)),
        _ => WhileParts::of(body, op).is_some_and(|parts| same(&[parts.decides(body)])),
    }
}

struct Varying<'a> {
    body: &'a Body,
    effects: Vec<Effect>,
    among: Among,
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
            if self.any(bounds(body, op)) {
                self.add(body.args(parts.body));
                self.add(results);
            }
            let (inside, back) = (parts.carried_args(body), body.operands(parts.end));
            for (n, (&arg, &result)) in inside.iter().zip(results).enumerate() {
                // What goes in may be the same and what comes back not; what goes in is never
                // changed by what comes back.
                self.from(&[body.operand(op, BOUNDS + n), back[n]], &[arg, result]);
            }
        } else if let Some(parts) = WhileParts::of(body, op) {
            let (before, after) = (body.args(parts.before), body.args(parts.after));
            if self.any(&[parts.decides(body)]) {
                [before, after, results].into_iter().for_each(|values| self.add(values));
            }
            let (back, forwarded) = (body.operands(parts.end), parts.forwarded(body));
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
        } else if !self.makes_alike(op) {
            let unknown = !body.op(op).regions.is_empty() || self.effects[op.index()] >= Effect::Reads;
            if unknown || self.starts(op) || self.any(body.operands(op)) {
                self.add(results);
            }
        }
    }

    /// Whether the op gives lanes that come to it together the same, whatever they bring.
    fn makes_alike(&self, op: OpId) -> bool {
        matches!(self.among, Among::Wave(_)) && WaveOp::of(self.body, op).is_some_and(|wave| wave.gives_all_alike())
    }

    /// Whether the op gives the number itself.
    fn starts(&self, op: OpId) -> bool {
        use gpu::IdView as V;
        let body = self.body;
        let differs = |dim: Option<Attr>| (0..3).any(|d| self.among.differ_in(d) && dim == Some(gpu::dim_attr(d)));
        match V::of(body, op) {
            Some(V::ThreadId(id)) => differs(id.dimension(body)),
            Some(V::GlobalId(id)) => differs(id.dimension(body)),
            Some(V::BlockId(_) | V::BlockDim(_) | V::GridDim(_)) => false,
            Some(V::LaneId(_) | V::SubgroupId(_) | V::NumSubgroups(_) | V::SubgroupSize(_) | V::Printf(_)) | None => {
                func::Call::is(body, op) || simt::is_thread_op(body.op(op).def)
            }
        }
    }
}
