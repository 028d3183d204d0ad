//! `guard-zero-slices`: what only makes zeros where a condition is false is computed where it is
//! true.
//!
//! Derivatives are full of values that nothing reached: `select(c, x, 0)`, and what is made of such
//! values. Of a block and a condition `c` the pass takes the ops that nobody needs where `c` is
//! false: each of their results is zero then, or only goes to others of them. They move into the
//! branch of an `scf.if` that gives zeros elsewhere. On a GPU a wave in which no lane has `c` jumps
//! over it.
//!
//! Zero is told exactly: the positive one, by what selects it and by ops that make it of zeros. A
//! product of such a zero with something that is not known is not one, since that may be infinite;
//! the differentiator puts a select behind such products. So no number changes, with any policy
//! about what is not a number.
//!
//! Only ops that compute move, and only if they are worth a jump. What they read has to wait in
//! registers until all of it is there, while ops that stand in no branch are computed as what they
//! read comes. So a slice stays where it would take more registers than a thread has to spare.

use crate::analysis::access::{build_zero, is_zero};
use crate::analysis::costs::{Frequencies, GPU, bytes};
use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::carried::branch_ends;
use caustic_dialects::simt;
use caustic_dialects::{agg, arith, func, scf, vector};
use caustic_ir::{BlockId, Body, Builder, Loc, OpId, SymbolOp, Type, Use, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Conditions of a block that are looked at.
const CONDITIONS: usize = 32;
/// What has to be saved, in simple operations: about twice what a jump and its end take.
const LEAST: u64 = 20;
/// Larger blocks are left alone.
const OPS: usize = 4000;
/// How often ops are left out that stand in the way of others.
const ROUNDS: usize = 8;
/// Bytes that may wait for a slice; a quarter of a thread's registers, which half of the threads of
/// a multiprocessor can have.
const WAITING: u64 = 256;

passes! {
    /// Computes what is zero unless a condition holds only where it holds.
    ///
    /// For code that does nothing but compute, and is worth a jump.
    pub static GUARD_ZERO_SLICES: "guard-zero-slices" {
        level: function,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("branches", "branches that were made"), ("ops", "ops that moved into them")],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, report: &mut PassReport| -> PassResult { Ok(run(symbol, view.effects(), report)) },
    }
}

fn run(symbol: &mut SymbolOp, summary: &Summary, report: &mut PassReport) -> Changed {
    let Some(entry) = symbol.body.entry().filter(|_| std::ptr::eq(symbol.def, func::Func::DEF)) else {
        return Changed::No;
    };
    let body = &mut symbol.body;
    let mut changed = false;
    let mut work = vec![entry];
    // Conditions within a slice mostly say the same as its own: slices are not cut again.
    let mut made: FxHashSet<OpId> = FxHashSet::default();
    let (mut effects, mut frequencies) = (summary.all_ops(body), Frequencies::of(body));
    while let Some(block) = work.pop() {
        while let Some(slice) = best(body, block, &effects, &frequencies) {
            report.count("branches", 1);
            report.count("ops", slice.ops.len() as u64);
            // What a branch is made of only computes.
            let branch = wrap(body, block, &slice);
            effects.resize(body.num_ops(), Effect::Pure);
            frequencies.add(body, branch);
            made.insert(branch);
            changed = true;
        }
        for op in body.block_ops(block).into_iter().filter(|op| !made.contains(op)) {
            work.extend(body.op(op).regions.iter().flat_map(|&r| body.region(r).blocks.iter().copied()));
        }
    }
    Changed::from(changed)
}

/// Ops of a block that are needed under a condition only.
struct Slice {
    condition: ValueId,
    /// In order.
    ops: Vec<OpId>,
    /// Results that others read; zero unless the condition holds.
    results: Vec<ValueId>,
    /// What follows from them and stands between them.
    followers: Vec<OpId>,
    saved: u64,
}

/// The slice of a block that saves most.
fn best(body: &Body, block: BlockId, effects: &[Effect], frequencies: &Frequencies) -> Option<Slice> {
    let ops = body.block_ops(block);
    if ops.len() > OPS {
        return None;
    }
    // What holds, or does not, in all of the block.
    let around: Vec<ValueId> = std::iter::successors(body.parent_op(block), |&op| body.parent_op(body.op(op).block?))
        .filter(|&op| scf::If::is(body, op))
        .map(|op| body.operand(op, 0))
        .collect();
    let mut conditions: Vec<ValueId> = Vec::new();
    for &op in &ops {
        let condition = match () {
            _ if arith::Select::is(body, op) => {
                Some(body.operand(op, 0)).filter(|_| is_zero(body, body.operand(op, 2)))
            }
            _ if scf::If::is(body, op) && !body.results(op).is_empty() => Some(body.operand(op, 0)),
            _ => None,
        };
        let Some(condition) = condition.filter(|&c| body.ty(c) == Type::i1()) else { continue };
        let new = !conditions.contains(&condition) && !around.contains(&condition);
        if new && arith::constant_of(body, condition).is_none() {
            conditions.push(condition);
        }
    }
    let in_block = Block::new(body, &ops, effects, frequencies);
    let slices = conditions.into_iter().take(CONDITIONS).filter_map(|c| in_block.slice(c));
    let mut slices: Vec<Slice> = slices.filter(|s| s.saved >= LEAST).collect();
    // Of equals the last one.
    slices.reverse();
    slices.sort_by_key(|s| Reverse(s.saved));
    slices.into_iter().find(|s| in_block.has_room(s))
}

/// The ops of a block by their positions in it. What is nested in an op counts as the op.
struct Block<'a> {
    body: &'a Body,
    ops: &'a [OpId],
    effects: &'a [Effect],
    frequencies: &'a Frequencies,
    position: FxHashMap<OpId, u32>,
    /// The ops whose results an op reads.
    sources: Vec<SmallVec<[u32; 4]>>,
    /// The ops that read a result, by op and result; [`OUTSIDE`] for those of other blocks.
    readers: Vec<SmallVec<[SmallVec<[u32; 4]>; 1]>>,
    /// Whether an op computes and nothing else.
    computes: Vec<bool>,
}

/// The position of what stands in no op of the block.
const OUTSIDE: u32 = u32::MAX;

impl<'a> Block<'a> {
    fn new(body: &'a Body, ops: &'a [OpId], effects: &'a [Effect], frequencies: &'a Frequencies) -> Block<'a> {
        let mut position: FxHashMap<OpId, u32> = FxHashMap::default();
        for (at, &op) in ops.iter().enumerate() {
            position.insert(op, at as u32);
            for &region in &body.op(op).regions {
                position.extend(body.walk(region).into_iter().map(|nested| (nested, at as u32)));
            }
        }
        let mut sources: Vec<SmallVec<[u32; 4]>> = vec![SmallVec::new(); ops.len()];
        let mut readers = Vec::with_capacity(ops.len());
        for (at, &op) in ops.iter().enumerate() {
            let of_result = |&result: &ValueId| {
                let own = |u: &Use| position.get(&u.op).copied().unwrap_or(OUTSIDE);
                let mut out: SmallVec<[u32; 4]> = body.uses(result).iter().map(own).collect();
                out.sort_unstable();
                out.dedup();
                out
            };
            let by_result: SmallVec<[SmallVec<[u32; 4]>; 1]> = body.results(op).iter().map(of_result).collect();
            for &reader in by_result.iter().flatten().filter(|&&reader| reader != OUTSIDE) {
                // Sources come in their order, each once.
                let of_reader = &mut sources[reader as usize];
                if of_reader.last() != Some(&(at as u32)) {
                    of_reader.push(at as u32);
                }
            }
            readers.push(by_result);
        }
        let computes = ops.iter().map(|&op| computes(body, effects, op)).collect();
        Block { body, ops, effects, frequencies, position, sources, readers, computes }
    }

    /// What is needed under `condition` only; `None` if nothing is.
    fn slice(&self, condition: ValueId) -> Option<Slice> {
        let zeros = self.zeros(condition);
        let mut out = vec![false; self.ops.len()];
        if let Some(&at) = self.body.def_op(condition).and_then(|op| self.position.get(&op)) {
            out[at as usize] = true;
        }
        for _ in 0..ROUNDS {
            let inside = self.needed(&zeros, &out);
            let (first, last) = (inside.iter().position(|&i| i)?, inside.iter().rposition(|&i| i)?);
            // What follows from the slice moves behind it. An op of the slice that needs such a
            // thing, or comes after one that stays, is none of it.
            let mut following = vec![false; self.ops.len()];
            let (mut is_new, mut stays) = (false, false);
            for at in first..=last {
                let reads = |of: &[bool]| self.sources[at].iter().any(|&o| of[o as usize]);
                if inside[at] {
                    if stays || reads(&following) {
                        is_new |= !std::mem::replace(&mut out[at], true);
                    }
                } else if reads(&inside) || reads(&following) {
                    let effect = self.effects.get(self.ops[at].index());
                    stays |= effect.is_none_or(|&e| e > Effect::ReadsConstant);
                    following[at] = true;
                }
            }
            if !is_new {
                return self.cut(condition, &zeros, &inside, &following);
            }
        }
        None
    }

    /// The slice of these ops; `None` if nobody reads what it makes.
    fn cut(
        &self,
        condition: ValueId,
        zeros: &FxHashSet<ValueId>,
        inside: &[bool],
        following: &[bool],
    ) -> Option<Slice> {
        let chosen =
            |of: &[bool]| -> Vec<OpId> { self.ops.iter().zip(of).filter(|(_, is)| **is).map(|(&op, _)| op).collect() };
        let is_inside = |&at: &u32| at != OUTSIDE && inside[at as usize];
        let mut results: Vec<ValueId> = Vec::new();
        for (at, &op) in self.ops.iter().enumerate().filter(|(at, _)| inside[*at]) {
            let read = self.body.results(op).iter().zip(&self.readers[at]);
            results.extend(read.filter(|(_, readers)| !readers.iter().all(is_inside)).map(|(&v, _)| v));
        }
        let (ops, followers) = (chosen(inside), chosen(following));
        let saved: u64 = ops.iter().map(|&op| self.cost(op, condition, zeros)).sum();
        let saved = saved.saturating_sub(results.len() as u64);
        (!results.is_empty()).then_some(Slice { condition, ops, results, followers, saved })
    }

    /// Whether what waits for a slice fits into registers, or takes little more of them than the
    /// block as it stands.
    fn has_room(&self, slice: &Slice) -> bool {
        let mut moved: Vec<bool> = vec![false; self.ops.len()];
        for op in slice.ops.iter().chain(&slice.followers) {
            moved[self.position[op] as usize] = true;
        }
        let last = slice.ops.last().map_or(0, |op| self.position[op]);
        let is_late = |&r: &u32| r == OUTSIDE || r > last || moved[r as usize];
        let mut waiting = 0;
        for at in (0..=last).filter(|&at| !moved[at as usize]) {
            let late = self.readers[at as usize].iter().enumerate().filter(|(_, readers)| readers.iter().any(is_late));
            waiting += late.map(|(n, _)| self.bytes(at, n)).sum::<u64>();
        }
        waiting <= WAITING || waiting <= self.most_alive().saturating_mul(5) / 4
    }

    /// Bytes of a result of an op; a constant takes none.
    fn bytes(&self, at: u32, result: usize) -> u64 {
        let (body, op) = (self.body, self.ops[at as usize]);
        let constant = body.operands(op).is_empty() && body.op(op).regions.is_empty();
        if constant { 0 } else { bytes(body.ty(body.results(op)[result])) }
    }

    /// The most bytes that results of the block fill at one of its ops.
    fn most_alive(&self) -> u64 {
        // By op: what is made there, and what was read for the last time before it.
        let mut made = vec![(0, 0); self.ops.len() + 1];
        for (at, by_result) in self.readers.iter().enumerate() {
            for (n, readers) in by_result.iter().enumerate() {
                let Some(&last) = readers.last() else { continue };
                let of_result = self.bytes(at as u32, n);
                made[at].0 += of_result;
                made[self.ops.len().min(last as usize)].1 += of_result;
            }
        }
        let alive = made.iter().scan(0, |alive, (new, old)| {
            *alive = *alive + new - old;
            Some(*alive)
        });
        alive.max().unwrap_or(0)
    }

    /// What an op costs where `condition` does not hold.
    fn cost(&self, op: OpId, condition: ValueId, zeros: &FxHashSet<ValueId>) -> u64 {
        let tested = self.body.operands(op).first().filter(|_| scf::If::is(self.body, op));
        if tested.is_some_and(|c| *c == condition || zeros.contains(c)) {
            return 0;
        }
        self.frequencies.total_work(&GPU, self.body, op)
    }

    /// The ops without which everything outside is as it was, where all of `zeros` are zero.
    /// Constants go along with what reads them.
    fn needed(&self, zeros: &FxHashSet<ValueId>, out: &[bool]) -> Vec<bool> {
        let body = self.body;
        let mut inside = vec![false; self.ops.len()];
        // From the last to the first: what makes a zero, and what that reads.
        let made = zeros.iter().filter_map(|&v| self.position.get(&body.def_op(v)?).copied());
        let mut work: BinaryHeap<u32> = made.collect();
        let mut before = OUTSIDE;
        while let Some(place) = work.pop() {
            let at = place as usize;
            if std::mem::replace(&mut before, place) == place || out[at] || !self.computes[at] {
                continue;
            }
            let op = self.ops[at];
            let constant = body.operands(op).is_empty() && body.op(op).regions.is_empty();
            let skipped = |(result, readers): (&ValueId, &SmallVec<[u32; 4]>)| {
                let only = readers.iter().all(|&reader| reader != OUTSIDE && inside[reader as usize]);
                if constant { only && !readers.is_empty() } else { only || zeros.contains(result) }
            };
            if body.results(op).iter().zip(&self.readers[at]).all(skipped) {
                inside[at] = true;
                work.extend(&self.sources[at]);
            }
        }
        inside
    }

    /// The values of the block that are zero, or false, where `condition` is.
    fn zeros(&self, condition: ValueId) -> FxHashSet<ValueId> {
        let body = self.body;
        let mut zeros: FxHashSet<ValueId> = FxHashSet::from_iter([condition]);
        // From the first to the last: what reads the condition, and what reads a zero.
        let readers = body.uses(condition).iter().filter_map(|u| self.position.get(&u.op));
        let mut work: BinaryHeap<Reverse<u32>> = readers.map(|&at| Reverse(at)).collect();
        let mut before = OUTSIDE;
        while let Some(Reverse(at)) = work.pop() {
            if std::mem::replace(&mut before, at) == at {
                continue;
            }
            let op = self.ops[at as usize];
            for n in self.zero_results(op, &zeros) {
                let result = body.results(op)[n];
                if !is_zero(body, result) && zeros.insert(result) {
                    let readers = self.readers[at as usize][n].iter().filter(|&&reader| reader != OUTSIDE);
                    work.extend(readers.map(|&reader| Reverse(reader)));
                }
            }
        }
        zeros.remove(&condition);
        zeros
    }

    /// The results of an op that are zero where all of `zeros` are.
    fn zero_results(&self, op: OpId, zeros: &FxHashSet<ValueId>) -> Vec<usize> {
        let body = self.body;
        let operands = body.operands(op);
        let zero = |v: ValueId| zeros.contains(&v) || is_zero(body, v);
        if scf::If::is(body, op) {
            let never = zeros.contains(&operands[0]);
            let Some(ends) = branch_ends(body, op).filter(|ends| ends.len() == 2) else { return Vec::new() };
            let given = |&n: &usize| zero(body.operand(ends[1], n)) && (never || zero(body.operand(ends[0], n)));
            return (0..body.results(op).len()).filter(given).collect();
        }
        let all = match () {
            _ if arith::AndI::is(body, op) || arith::MulI::is(body, op) => operands.iter().any(|&v| zero(v)),
            _ if arith::Select::is(body, op) => {
                (zeros.contains(&operands[0]) || zero(operands[1])) && zero(operands[2])
            }
            _ => keeps_zero(body, op) && operands.iter().all(|&v| zero(v)),
        };
        if all { (0..body.results(op).len()).collect() } else { Vec::new() }
    }
}

fn computes(body: &Body, effects: &[Effect], op: OpId) -> bool {
    let data = body.op(op);
    let pure = effects.get(op.index()).is_some_and(|&e| e == Effect::Pure);
    // Ops that bring threads together compute, too, and stay where all of these come; arrays
    // stay where they are updated in place.
    let stays = |&op: &OpId| {
        let data = body.op(op);
        simt::is_thread_op(data.def) || data.results.iter().any(|&r| agg::needs_storage(body.ty(r)))
    };
    let nested = data.regions.iter().flat_map(|&r| body.walk(r));
    pure && !data.def.is_terminator()
        && !data.results.is_empty()
        && !std::iter::once(op).chain(nested).any(|o| stays(&o))
}

/// Ops that make zeros of zeros, positive ones of positive ones.
fn keeps_zero(body: &Body, op: OpId) -> bool {
    let is = |def| body.is(op, def);
    // An op without operands would pass as one whose operands are all zero.
    !body.operands(op).is_empty()
        && ([arith::AddF::DEF, arith::AddI::DEF, arith::SubI::DEF, arith::OrI::DEF, arith::XOrI::DEF, arith::MulF::DEF]
            .into_iter()
            .any(is)
            || [vector::FromElements::DEF, vector::Broadcast::DEF, agg::Make::DEF].into_iter().any(is)
            || (vector::Extract::is(body, op) || agg::Extract::is(body, op)) && body.operands(op).len() == 1)
}

/// Moves a slice into the branch of an `scf.if`, and what follows from it behind that.
fn wrap(body: &mut Body, block: BlockId, slice: &Slice) -> OpId {
    let next = slice.ops.last().and_then(|&last| body.next_op(last));
    let loc = slice.ops.first().map_or_else(Loc::unknown, |&first| body.loc(first));
    let types: Vec<Type> = slice.results.iter().map(|&v| body.ty(v)).collect();
    let branch = {
        let mut b = Builder { body, block, before: next, loc };
        b.create(scf::If::DEF, &[slice.condition], &types, &[], 2)
    };
    let mut b = Builder { body, block, before: next, loc };
    let (then, other) = (b.add_block(branch, 0, &[]), b.add_block(branch, 1, &[]));
    for (&old, new) in slice.results.iter().zip(body.results(branch).to_vec()) {
        // Uses inside move along: they are put back below.
        body.replace_uses(old, new);
    }
    for &op in &slice.ops {
        body.move_op(op, then, None);
    }
    let back: Vec<(ValueId, ValueId)> =
        body.results(branch).iter().copied().zip(slice.results.iter().copied()).collect();
    let region = body.op(branch).regions[0];
    for op in body.walk(region) {
        let operands = body.operands(op).to_vec();
        for (n, operand) in operands.into_iter().enumerate() {
            if let Some((_, old)) = back.iter().find(|(new, _)| *new == operand) {
                body.set_operand(op, n, *old);
            }
        }
    }
    scf::Yield::build(&mut Builder::at_end(body, then, loc), &slice.results, &[]);
    let mut b = Builder::at_end(body, other, loc);
    let zeros: Vec<ValueId> = types.iter().map(|&ty| build_zero(&mut b, ty)).collect();
    scf::Yield::build(&mut b, &zeros, &[]);
    for &op in &slice.followers {
        body.move_op(op, block, next);
    }
    branch
}
