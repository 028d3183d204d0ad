//! Which values share a slot.
//!
//! Values that must share one (the argument and the result of a loop) are joined first; then those
//! that would be copied into each other are joined where none of one class is needed while one of
//! the other is written, the innermost copies first. Within a class no two values overlap, so it is
//! enough to compare a new value with its nearest neighbours (Boissinot et al. 2009: the next value
//! that dominates it, and those that it dominates while it is live).

use super::in_storage;
use super::live::{Liveness, Point};
use crate::mutants::{Site, mutant};
use caustic_dialects::agg::{self, StorageParams};
use caustic_dialects::{func, scf};
use caustic_ir::{BlockId, Body, Diagnostic, OpId, ValueId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What has a slot: a value, or the place of a result that no parameter carries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Node {
    Value(ValueId),
    /// Result number of the function.
    Result(usize),
}

/// A number of a node; nodes of one class share a slot.
pub type ClassId = usize;

pub struct Classes {
    index: FxHashMap<Node, usize>,
    nodes: Vec<Entry>,
    parent: Vec<usize>,
    members: Vec<BTreeMap<(u32, u32), usize>>,
}

struct Entry {
    node: Node,
    def: Point,
    /// Its storage belongs to somebody else and must not be written.
    read_only: bool,
}

/// `dst` gets the contents of `src`.
struct Affinity {
    dst: Node,
    src: Node,
    depth: u32,
}

impl Classes {
    pub fn new(body: &Body, live: &Liveness, params: &StorageParams) -> Result<Classes, Diagnostic> {
        let mut classes =
            Classes { index: FxHashMap::default(), nodes: Vec::new(), parent: Vec::new(), members: Vec::new() };
        let Some(entry) = body.entry() else { return Ok(classes) };
        classes.add_block(body, live, entry, &|i| params.results.get(i).is_none_or(|r| r.is_none()));
        if let Some(&first) = body.args(entry).first().or(None)
            && let Some(start) = live.def_point(body, first)
        {
            classes.add_results(params, start);
        } else {
            classes.add_results(params, Point { block: entry, at: 0 });
        }
        let ops = body.walk_all();
        for &op in &ops {
            let read_only = agg::Global::is(body, op);
            for &result in body.results(op) {
                if in_storage(body, result) {
                    classes.add(body, live, result, read_only);
                }
            }
            for &region in &body.op(op).regions {
                for &block in &body.region(region).blocks {
                    classes.add_block(body, live, block, &|_| false);
                }
            }
        }
        let (forced, mut wanted) = affinities(body, live, params, &ops)?;
        for (a, b) in forced {
            classes.join_nodes(Node::Value(a), Node::Value(b));
        }
        // Stable: among copies in equally deep loops the first of the text comes first.
        wanted.sort_by_key(|a| std::cmp::Reverse(a.depth));
        for Affinity { dst, src, .. } in wanted {
            classes.try_join(body, live, dst, src);
        }
        Ok(classes)
    }

    fn add_block(&mut self, body: &Body, live: &Liveness, block: BlockId, read_only: &dyn Fn(usize) -> bool) {
        for (i, &arg) in body.args(block).iter().enumerate() {
            if in_storage(body, arg) {
                self.add(body, live, arg, read_only(i));
            }
        }
    }

    fn add(&mut self, body: &Body, live: &Liveness, value: ValueId, read_only: bool) {
        if let Some(def) = live.def_point(body, value) {
            self.push(Entry { node: Node::Value(value), def, read_only });
        }
    }

    fn add_results(&mut self, params: &StorageParams, start: Point) {
        for &result in &params.results[params.inputs.min(params.results.len())..] {
            if let Some(k) = result {
                self.push(Entry { node: Node::Result(k), def: start, read_only: false });
            }
        }
    }

    fn push(&mut self, entry: Entry) {
        let n = self.nodes.len();
        self.index.insert(entry.node, n);
        self.parent.push(n);
        // The number keeps apart what is written at one point.
        self.members.push(BTreeMap::from([((entry.def.at, n as u32), n)]));
        self.nodes.push(entry);
    }

    fn root(&self, mut n: usize) -> usize {
        while self.parent[n] != n {
            n = self.parent[n];
        }
        n
    }

    /// The class of a node.
    pub fn of(&self, node: Node) -> Option<ClassId> {
        self.index.get(&node).map(|&n| self.root(n))
    }

    pub fn of_value(&self, value: ValueId) -> Option<ClassId> {
        self.of(Node::Value(value))
    }

    fn join_nodes(&mut self, a: Node, b: Node) {
        if let (Some(a), Some(b)) = (self.of(a), self.of(b)) {
            self.join(a, b);
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        // The smaller into the larger.
        let (small, large) = if self.members[a].len() < self.members[b].len() { (a, b) } else { (b, a) };
        let moved = std::mem::take(&mut self.members[small]);
        self.members[large].extend(moved);
        self.parent[small] = large;
    }

    fn try_join(&mut self, body: &Body, live: &Liveness, a: Node, b: Node) {
        let (Some(a), Some(b)) = (self.of(a), self.of(b)) else { return };
        if a == b || self.any_read_only(a) || self.any_read_only(b) {
            return;
        }
        let (small, large) = if self.members[a].len() < self.members[b].len() { (a, b) } else { (b, a) };
        if !self.interfere(body, live, small, large) {
            self.join(a, b);
        }
    }

    #[mutant(Site::StorageAlias => false)]
    fn interfere(&self, body: &Body, live: &Liveness, small: usize, large: usize) -> bool {
        self.members[small].values().any(|&n| self.interferes(body, live, n, large))
    }

    fn any_read_only(&self, class: usize) -> bool {
        // Such a node is never joined with another.
        self.members[class].len() == 1 && self.members[class].values().any(|&n| self.nodes[n].read_only)
    }

    /// Whether node `n` overlaps a member of `class`.
    fn interferes(&self, body: &Body, live: &Liveness, n: usize, class: usize) -> bool {
        let entry = &self.nodes[n];
        let members = &self.members[class];
        let at = entry.def.at;
        let live_at = |node: &Entry, point: Point| match node.node {
            Node::Value(value) => live.live_after(body, value, node.def, point),
            Node::Result(_) => false,
        };
        // Those written before, from the nearest: the first that dominates decides for all that
        // dominate it.
        for &m in members.range(..(at, 0)).rev().map(|(_, m)| m) {
            let member = &self.nodes[m];
            if live_at(member, entry.def) {
                return true;
            }
            if dominates(body, member.def, entry.def) {
                break;
            }
        }
        if members.range((at, 0)..=(at, u32::MAX)).next().is_some() {
            return true;
        }
        // Those written while this one may be live.
        let end = match entry.node {
            Node::Value(value) => live.end(value, entry.def),
            Node::Result(_) => at,
        };
        members.range((at + 1, 0)..=(end.max(at + 1), u32::MAX)).any(|(_, &m)| live_at(entry, self.nodes[m].def))
    }
}

/// Whether what is written at `a` is there at `b`, which comes later in the text.
fn dominates(body: &Body, a: Point, b: Point) -> bool {
    body.is_block_within(b.block, a.block)
}

/// The operands of a block's terminator.
pub fn terminator_operands(body: &Body, block: BlockId) -> Result<(OpId, &[ValueId]), Diagnostic> {
    let op = body
        .last_op(block)
        .ok_or_else(|| Diagnostic::invalid_ir(caustic_ir::Loc::unknown(), "a block without a terminator"))?;
    Ok((op, body.operands(op)))
}

type Pairs = (Vec<(ValueId, ValueId)>, Vec<Affinity>);

/// Which values have to share a slot, and which would be copied into which.
fn affinities(body: &Body, live: &Liveness, params: &StorageParams, ops: &[OpId]) -> Result<Pairs, Diagnostic> {
    use agg::AggView as A;
    use func::FuncView as F;
    use scf::ScfView as S;
    let mut forced = Vec::new();
    let mut wanted: Vec<Affinity> = Vec::new();
    let mut flows = |dst: &[ValueId], src: &[ValueId], depth: u32| {
        for (&dst, &src) in dst.iter().zip(src) {
            if in_storage(body, dst) {
                wanted.push(Affinity { dst: Node::Value(dst), src: Node::Value(src), depth });
            }
        }
    };
    let mut returns: Vec<(Node, ValueId)> = Vec::new();
    for &op in ops {
        let depth = live.depth(op);
        let (operands, results) = (body.operands(op), body.results(op));
        let region = |i: usize| {
            let block = body.region_block(op, i);
            block.ok_or_else(|| Diagnostic::invalid_ir(body.loc(op), "a region without code"))
        };
        match agg::AggView::of(body, op) {
            Some(A::Insert(v)) if path_is_empty(body, op) => flows(results, &[v.value(body)], depth),
            Some(A::Insert(v)) => flows(results, &[v.aggregate(body)], depth),
            Some(A::Extract(v)) if path_is_empty(body, op) => flows(results, &[v.aggregate(body)], depth),
            // What these give is copied, or made where it is.
            Some(
                A::Extract(_)
                | A::Make(_)
                | A::Zero(_)
                | A::Length(_)
                | A::Resource(_)
                | A::Global(_)
                | A::GlobalElement(_)
                | A::View(_)
                | A::BufferCount(_)
                | A::BufferLoad(_)
                | A::BufferStore(_)
                | A::CheckBounds(_)
                | A::CheckIndex(_)
                | A::BufferLen(_),
            )
            | None => {}
        }
        match scf::ScfView::of(body, op) {
            Some(S::If(_) | S::IndexSwitch(_)) if results.is_empty() => {}
            Some(S::If(_) | S::IndexSwitch(_)) => {
                for i in 0..body.op(op).regions.len() {
                    flows(results, terminator_operands(body, region(i)?)?.1, depth);
                }
            }
            Some(S::For(v)) => {
                let block = region(0)?;
                let args = &body.args(block)[1.min(body.args(block).len())..];
                forced.extend(args.iter().copied().zip(results.iter().copied()).filter(|(a, _)| in_storage(body, *a)));
                flows(args, terminator_operands(body, block)?.1, depth + 1);
                flows(args, v.inits(body), depth);
            }
            Some(S::While(v)) => {
                let (before, after) = (region(0)?, region(1)?);
                let (before_args, after_args) = (body.args(before), body.args(after));
                let same = after_args.iter().copied().zip(results.iter().copied());
                forced.extend(same.filter(|(a, _)| in_storage(body, *a)));
                let condition = terminator_operands(body, before)?.1;
                flows(after_args, condition.get(1..).unwrap_or(&[]), depth + 1);
                flows(before_args, terminator_operands(body, after)?.1, depth + 1);
                flows(before_args, v.inits(body), depth);
            }
            // Their operands flow with the op around them.
            Some(S::Yield(_) | S::Condition(_)) | None => {}
        }
        match func::FuncView::of(body, op) {
            Some(F::Call(_)) => {
                for (i, k) in tied(body, op) {
                    flows(&results[k..=k], &operands[i..=i], depth);
                }
            }
            Some(F::Return(_)) => {
                for (i, &k) in params.results.iter().enumerate() {
                    let entry = body.entry();
                    let param = entry.and_then(|e| body.args(e).get(i)).filter(|_| i < params.inputs);
                    if let Some((k, &value)) = k.and_then(|k| operands.get(k).map(|v| (k, v))) {
                        returns.push((param.map_or(Node::Result(k), |&p| Node::Value(p)), value));
                    }
                }
            }
            Some(F::Func(_)) | None => {}
        }
    }
    wanted.extend(returns.into_iter().map(|(dst, src)| Affinity { dst, src: Node::Value(src), depth: 0 }));
    Ok((forced, wanted))
}

pub fn path_is_empty(body: &Body, op: OpId) -> bool {
    agg::path_of(body, op).is_empty()
}

/// The types of a call's operands and results as its callee declared them.
pub fn call_params(body: &Body, op: OpId) -> StorageParams {
    let inputs: Vec<_> = body.operands(op).iter().map(|&v| body.ty(v)).collect();
    let outputs: Vec<_> = body.results(op).iter().map(|&v| body.ty(v)).collect();
    StorageParams::of_types(&inputs, &outputs)
}

/// Operands of a call whose slots carry a result: operand, result.
pub fn tied(body: &Body, op: OpId) -> Vec<(usize, usize)> {
    let params = call_params(body, op);
    params.results[..params.inputs].iter().enumerate().filter_map(|(i, k)| k.map(|k| (i, k))).collect()
}
