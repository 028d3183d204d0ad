//! `share-branches`: what a branch of an `if` computed and gives is not computed again under the
//! same condition.
//!
//! Where two `scf.if` have one condition and the first stands in scope of the second, their
//! branches of the same side run together. So an op of the second's branch that repeats one of the
//! first's is replaced by the first's result, if it gives one. Values between that it does not give
//! are followed: they stand for what the first computed, and what is made of them is found by that.
//!
//! Reverse derivatives are full of this, once they are inlined beside what they differentiate.

use super::cse::Key;
use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::carried::branch_ends;
use caustic_dialects::{ad, scf};
use caustic_ir::{BlockId, Body, OpId, SymbolOp, ValueId};
use rustc_hash::FxHashMap;

passes! {
    /// Takes what a branch of an `if` gives in place of computing it again in a later `if` of the
    /// same condition.
    pub static SHARE_BRANCHES: "share-branches" {
        level: function, options: none, before: "func scf arith math vector agg", after: "the same",
        statistics: [("replaced", "ops that repeated what a branch had computed")],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, report: &mut PassReport| -> PassResult {
            let replaced = run(symbol, view.effects());
            report.count("replaced", replaced);
            Ok(Changed::from(replaced > 0))
        },
    }
}

/// Earlier ifs of the same condition that are looked at.
const MOST: usize = 4;

/// How many ops were replaced.
pub fn run(symbol: &mut SymbolOp, effects: &Summary) -> u64 {
    let Some(entry) = symbol.body.entry() else { return 0 };
    let body = &mut symbol.body;
    let effects = effects.moved_ops(body);
    let mut pass = Branches { body, effects, seen: Vec::new(), replaced: 0 };
    pass.all(entry);
    pass.replaced
}

struct Branches<'a> {
    body: &'a mut Body,
    effects: Vec<Effect>,
    /// The ifs in scope that give something, in order.
    seen: Vec<OpId>,
    replaced: u64,
}

enum Task {
    Block(BlockId),
    Op(OpId),
    /// Forget all but so many.
    Forget(usize),
    Remember(OpId),
}

impl Branches<'_> {
    fn all(&mut self, entry: BlockId) {
        let mut tasks = vec![Task::Block(entry)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Block(block) => tasks.extend(self.body.block_ops(block).into_iter().rev().map(Task::Op)),
                Task::Forget(len) => self.seen.truncate(len),
                Task::Remember(op) => self.seen.push(op),
                Task::Op(op) => {
                    let is_if = scf::If::is(self.body, op);
                    if is_if {
                        self.share(op);
                    }
                    if is_if && !self.body.results(op).is_empty() {
                        tasks.push(Task::Remember(op));
                    }
                    // Linear code is meant to be computed again.
                    if ad::Linear::is(self.body, op) {
                        continue;
                    }
                    for &region in &self.body.op(op).regions {
                        for &block in &self.body.region(region).blocks {
                            tasks.push(Task::Forget(self.seen.len()));
                            tasks.push(Task::Block(block));
                        }
                    }
                }
            }
        }
    }

    /// Looks at the ifs before `second`, the last of them first.
    fn share(&mut self, second: OpId) {
        let condition = self.body.operand(second, 0);
        let firsts = self.seen.iter().rev().filter(|&&first| self.body.operand(first, 0) == condition);
        for first in firsts.take(MOST).copied().collect::<Vec<_>>() {
            for side in 0..2 {
                self.share_side(first, second, side, side);
            }
        }
    }

    /// Takes what the branch `from` of the first computes for what the branch `to` of the second
    /// would.
    #[mutant(Site::BranchesOther with from = 1 - to)]
    fn share_side(&mut self, first: OpId, second: OpId, from: usize, to: usize) {
        let ends = branch_ends(self.body, first).filter(|ends| ends.len() == 2);
        let (Some(ends), Some(block)) = (ends, self.body.region_block(second, to)) else { return };
        let Some(computed) = self.body.region_block(first, from) else { return };
        // What the branch gives, and what stands for it outside; of two results that are the same
        // value the first.
        let (given, results) = (self.body.operands(ends[from]).to_vec(), self.body.results(first).to_vec());
        let mut outside: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        let mut same: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        for (&inner, &result) in given.iter().zip(&results) {
            // Also where the value comes from around the branch: then both names are one value.
            same.insert(result, inner);
            outside.entry(inner).or_insert(result);
        }
        let mut known: FxHashMap<Key, OpId> = FxHashMap::default();
        for op in self.body.block_ops(computed).into_iter().filter(|&op| self.is_simple(op)) {
            let key = Key::of(self.body, op, None, |v| v);
            known.entry(key).or_insert(op);
        }
        if known.is_empty() {
            return;
        }
        for op in self.body.block_ops(block).into_iter().filter(|&op| self.is_simple(op)).collect::<Vec<_>>() {
            let key = Key::of(self.body, op, None, |v| same.get(&v).copied().unwrap_or(v));
            let Some(&found) = known.get(&key) else { continue };
            let pairs: Vec<(ValueId, ValueId)> =
                self.body.results(op).iter().copied().zip(self.body.results(found).iter().copied()).collect();
            if pairs.iter().all(|(_, inner)| outside.contains_key(inner)) {
                for (old, inner) in pairs {
                    self.body.replace_uses(old, outside[&inner]);
                }
                self.body.erase_op(op);
                self.replaced += 1;
            } else {
                same.extend(pairs);
            }
        }
    }

    /// Ops that compute and nothing else.
    fn is_simple(&self, op: OpId) -> bool {
        let data = self.body.op(op);
        let pure = self.effects.get(op.index()).is_some_and(|&e| e == Effect::Pure);
        pure && data.regions.is_empty() && !data.def.is_terminator() && !data.results.is_empty()
    }
}
