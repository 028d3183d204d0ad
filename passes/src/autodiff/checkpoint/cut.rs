//! The residual set as a minimum cut.
//!
//! A value that linear code needs is stored, or computed again from values that are then needed in
//! its place. In the network, a value is a node on the source's side if it is needed; the arc from
//! it to the op that makes it costs what storing it does, and the arc from the op to the sink what
//! computing it again does; from the op unlimited arcs go to what it reads. A cheapest cut is a
//! cheapest choice, for the whole function with all its loops at once: each cost counts as often as
//! its block runs.
//!
//! Not computed again, at any price: what has effects or reads memory that may change, arguments of
//! loops and of the function, results of loops that carry a derivative. Computed again for nothing:
//! induction variables, state that can be undone or whose steps run again by themselves (`slices`),
//! what depends on no input whose derivative is wanted, and what nothing else needs (`spared`).
//! Never stored: references to resources. A function's own are handed to both of its halves.
//! Constraints (`[PreferRecompute]`,
//! `[PreferCheckpoint]`) are unlimited arcs.

use super::flow::{Network, UNLIMITED};
use super::{Callee, Facts, Prefer, invariant, spared};
use crate::analysis::costs::{self, Costs, Frequencies};
use crate::analysis::liveness::Liveness;
use crate::autodiff::unzip::needs::{free_values, handles, is_linear};
use crate::autodiff::unzip::{induction, slice, undo};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::agg::needs_storage;
use caustic_dialects::signature::holds_handle;
use caustic_dialects::{func, scf};
use caustic_ir::{Body, Effects, OpId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

struct Cut<'a> {
    body: &'a Body,
    facts: &'a Facts<'a>,
    costs: &'a Costs,
    frequencies: &'a Frequencies,
    network: Network,
    source: usize,
    sink: usize,
    values: FxHashMap<ValueId, usize>,
    /// The ops that can be computed again, with their nodes.
    ops: FxHashMap<OpId, usize>,
    /// Contexts of calls, and their nodes.
    contexts: FxHashMap<OpId, usize>,
    replayed: &'a [OpId],
    /// What is stored once, and not in each iteration.
    once: FxHashSet<OpId>,
    /// What the primal half computes in any case, if that is not all.
    anyway: Option<Liveness>,
    /// Values and ops whose arcs are still to be made.
    work: Vec<ValueId>,
}

/// The ops to compute again, by `costs`.
pub fn choose(
    body: &Body,
    facts: &Facts<'_>,
    costs: &Costs,
    frequencies: &Frequencies,
    replayed: &[OpId],
) -> Vec<OpId> {
    let mut network = Network::default();
    let (source, sink) = (network.add_node(), network.add_node());
    let mut cut = Cut {
        body,
        facts,
        costs,
        frequencies,
        network,
        source,
        sink,
        values: FxHashMap::default(),
        ops: FxHashMap::default(),
        contexts: FxHashMap::default(),
        replayed,
        once: invariant::of(body, facts),
        anyway: None,
        work: Vec::new(),
    };
    if !facts.value_is_used {
        cut.anyway = Some(spared::computed_anyway(body, facts, &|op| cut.may_run_again(op)));
    }
    cut.demands();
    while let Some(value) = cut.work.pop() {
        cut.value(value);
    }
    let Cut { network, source, sink, ops, .. } = cut;
    let needed = network.cut(source, sink);
    let mut chosen: Vec<OpId> = ops.into_iter().filter(|&(_, node)| needed[node]).map(|(op, _)| op).collect();
    chosen.sort();
    chosen
}

impl Cut<'_> {
    /// What linear code reads, whatever is chosen.
    fn demands(&mut self) {
        let body = self.body;
        let mut mixed = vec![false; body.num_ops()];
        for op in body.walk_all() {
            let data = body.op(op);
            let alive = data.block.and_then(|b| body.parent_op(b)).is_none_or(|p| mixed[p.index()]);
            if !alive || data.def.is_terminator() {
                continue;
            }
            let gives_tangents = data.results.iter().any(|&r| is_tangent(body.ty(r)));
            if ad::JvpCall::is(body, op) {
                if gives_tangents {
                    self.context(op);
                    handles(body, op).for_each(|v| self.demand(v));
                }
            } else if data.regions.is_empty() {
                if is_linear(body, op) {
                    data.operands.iter().for_each(|&v| self.demand(v));
                }
            } else if gives_tangents {
                mixed[op.index()] = true;
                let count = match () {
                    _ if scf::For::is(body, op) => 3,
                    _ if scf::While::is(body, op) => 0,
                    _ => data.operands.len(),
                };
                data.operands[..count].iter().for_each(|&v| self.demand(v));
            }
        }
        for &op in self.replayed {
            free_values(body, op).into_iter().for_each(|v| self.demand(v));
        }
    }

    fn demand(&mut self, value: ValueId) {
        if !is_tangent(self.body.ty(value)) {
            let node = self.node(value);
            self.network.add_arc(self.source, node, UNLIMITED);
        }
    }

    fn node(&mut self, value: ValueId) -> usize {
        if let Some(&node) = self.values.get(&value) {
            return node;
        }
        let node = self.network.add_node();
        self.values.insert(value, node);
        self.work.push(value);
        node
    }

    /// Keeping a value of this size, with so many elements of tapes in it, that is made in the op's
    /// or argument's block.
    fn keep(&self, bytes: u64, on_tapes: u64, block: Option<caustic_ir::BlockId>, maker: Option<OpId>) -> u64 {
        let Some(mut block) = block else { return UNLIMITED };
        if maker.is_some_and(|m| self.once.contains(&m)) {
            // Where the loop stands.
            let home = invariant::home(self.body, block).unwrap_or(block);
            block = self.body.parent_op(home).and_then(|p| self.body.op(p).block).unwrap_or(block);
        }
        let depth = self.frequencies.depth(block);
        let (per_byte, each) = self.costs.keep(depth);
        let inner = on_tapes * u64::from(depth > 0) + u64::from(self.is_on_inner_tape(block));
        let each = each.saturating_add(inner.saturating_mul(self.costs.keep_on_inner_tape));
        bytes.saturating_mul(per_byte).saturating_add(each).saturating_mul(self.frequencies.runs(block))
    }

    /// Whether what is stored in a block is on a tape that an iteration of a loop makes.
    fn is_on_inner_tape(&self, mut block: caustic_ir::BlockId) -> bool {
        let mut on_tape = false;
        while let Some(op) = self.body.parent_op(block) {
            if costs::is_loop(self.body, op) {
                if on_tape {
                    return true;
                }
                on_tape = !costs::is_counted(self.body, op) && costs::room(self.body, op).is_none();
            }
            let Some(around) = self.body.op(op).block else { return false };
            block = around;
        }
        false
    }

    fn value(&mut self, value: ValueId) {
        let body = self.body;
        let Some(&node) = self.values.get(&value) else { return };
        let mut keep = self.keep(costs::bytes(body.ty(value)), 0, body.def_block(value), body.def_op(value));
        if holds_handle(body.ty(value)) {
            keep = UNLIMITED;
        }
        match body.def(value) {
            ValueDef::Arg { block, index } => {
                if let Some(moves) = induction::of(body, value) {
                    for read in moves.reads() {
                        let read = self.node(read);
                        self.network.add_arc(node, read, UNLIMITED);
                    }
                    return;
                }
                if let Some(undo) = undo::of(body, value) {
                    for read in undo.reads(body) {
                        let read = self.node(read);
                        self.network.add_arc(node, read, UNLIMITED);
                    }
                    return;
                }
                if let Some(steps) = slice::of(body, value) {
                    for &read in steps.inits.iter().chain(&steps.reads) {
                        let read = self.node(read);
                        self.network.add_arc(node, read, UNLIMITED);
                    }
                    return;
                }
                let owner = body.parent_op(block);
                if owner.is_none() && holds_handle(body.ty(value)) {
                    return;
                }
                // The counter is the linear loop's own.
                let counter = index == 0 && owner.is_some_and(|o| scf::For::is(body, o));
                if !counter {
                    // What a function is given its caller has: most often it is not stored at all.
                    let keep = if owner.is_none() { keep / 4 } else { keep };
                    self.network.add_arc(node, self.sink, keep.max(1));
                }
            }
            ValueDef::Result { op, .. } => {
                let data = body.op(op);
                let constant = data.operands.is_empty() && data.regions.is_empty() && data.def.is_pure();
                if constant || self.replayed.contains(&op) {
                    return;
                }
                match self.again(op) {
                    Some(again) => self.network.add_arc(node, again, keep.max(1)),
                    None => self.network.add_arc(node, self.sink, keep.max(1)),
                }
            }
        }
    }

    /// Whether computing an op again is allowed.
    fn may_run_again(&self, op: OpId) -> bool {
        let body = self.body;
        let data = body.op(op);
        let branch = scf::If::is(body, op) || scf::IndexSwitch::is(body, op);
        if ad::JvpCall::is(body, op) {
            self.facts.callee(body, op).may_run_again
        } else if data.regions.is_empty() {
            let other_call = data.def.effects == Effects::Call && !func::Call::is(body, op);
            !is_linear(body, op) && !other_call && self.facts.may_run_again(op)
        } else {
            let inactive_loop = costs::is_loop(body, op) && !data.results.iter().any(|&r| is_tangent(body.ty(r)));
            (inactive_loop || branch && !self.holds_calls_or_loops(op)) && self.facts.may_run_again(op)
        }
    }

    /// The node of computing an op again, if that is allowed.
    fn again(&mut self, op: OpId) -> Option<usize> {
        if let Some(&node) = self.ops.get(&op) {
            return Some(node);
        }
        let body = self.body;
        let data = body.op(op);
        if !self.may_run_again(op) {
            return None;
        }
        let node = self.network.add_node();
        self.ops.insert(op, node);
        let runs = data.block.map_or(1, |b| self.frequencies.runs(b));
        let plain = func::Call::is(body, op);
        let work = if ad::JvpCall::is(body, op) {
            self.facts.callee(body, op).work
        } else if plain {
            self.facts.plain_work(body, op)
        } else {
            // An array that is made again is copied: the one that it is made from is needed too.
            let copied = data.results.iter().filter(|&&r| needs_storage(body.ty(r))).map(|&r| costs::bytes(body.ty(r)));
            self.frequencies.total_work_again(self.costs, body, op).saturating_add(copied.sum())
        };
        // What follows from inputs without a derivative is not stored.
        let inactive =
            !plain && !data.results.iter().any(|&r| self.facts.is_active(r)) && !self.holds_calls_or_loops(op);
        let spared = self.anyway.as_ref().is_some_and(|anyway| !anyway.ops[op.index()]);
        let price = match () {
            _ if spared => 0,
            _ if inactive => 1,
            _ => work.saturating_mul(runs).max(1),
        };
        self.network.add_arc(node, self.sink, price);
        let reads = if data.regions.is_empty() { body.operands(op).to_vec() } else { free_values(body, op) };
        for v in reads.into_iter().filter(|&v| !is_tangent(body.ty(v))) {
            let read = self.node(v);
            self.network.add_arc(node, read, UNLIMITED);
        }
        Some(node)
    }

    fn holds_calls_or_loops(&self, op: OpId) -> bool {
        let body = self.body;
        let inner = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
        inner.into_iter().any(|o| costs::is_loop(body, o) || body.callee(o).is_some())
    }

    /// The context of a call that linear code reads.
    fn context(&mut self, op: OpId) {
        if self.contexts.contains_key(&op) {
            return;
        }
        let node = self.network.add_node();
        self.contexts.insert(op, node);
        self.network.add_arc(self.source, node, UNLIMITED);
        let Callee { prefer, context_bytes, on_tapes, .. } = self.facts.callee(self.body, op);
        let keep = self.keep(context_bytes, on_tapes, self.body.op(op).block, Some(op)).max(1);
        match self.again(op) {
            Some(again) => {
                let keep = match prefer {
                    Some(Prefer::Recompute) => UNLIMITED,
                    Some(Prefer::Checkpoint) => 0,
                    None => keep,
                };
                self.network.add_arc(node, again, keep);
            }
            None => self.network.add_arc(node, self.sink, keep),
        }
    }
}
