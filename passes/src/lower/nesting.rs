//! `unnest-branches`: what stands too deep inside of branches is run behind them.
//!
//! Drivers and validators hold a fixed number of branches in each other; some lose what is further
//! inside, and say nothing. Where an op is too deep, each branch around it is parted there, from
//! the inside out:
//!
//! ```text
//! if a { A; deep; Z }   =>   here, of A = if a { A; true } else { false }
//!                            if here { deep }
//!                            if here { Z }
//! ```
//!
//! The second part is one `if` however many branches were parted, since its condition goes out of
//! each. What is a branch's last op in what is done otherwise does not count: targets write such
//! chains one after the other.
//!
//! Invariant: the same lanes come to an op as before, and what has effects keeps its order.

use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::agg;
use caustic_dialects::arith;
use caustic_dialects::call_graph::{CallGraph, callee};
use caustic_dialects::func;
use caustic_dialects::scf;
use caustic_dialects::signature::holds_handle;
use caustic_ir::{Attr, BlockId, Body, Builder, Module, Name, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Runs what stands deep inside of branches behind them.
    pub static UNNEST_BRANCHES: "unnest-branches" {
        level: module,
        options: NestingOptions {
            most: i64 = "32", "Branches that may be around an op of a function; twice as many with its callees.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("moved", "ops that were moved out of branches")],
        run: |module: &mut Module, options: &NestingOptions, report: &mut PassReport| run(module, options, report),
    }
}

/// Fewer branches than this are left around an op: parting them costs two.
const FEWEST: usize = 4;

fn run(module: &mut Module, options: &NestingOptions, report: &mut PassReport) -> PassResult {
    let most = usize::try_from(options.most).unwrap_or(usize::MAX).max(FEWEST);
    let summary = Summary::of(module);
    let mut heights: FxHashMap<Name, usize> = FxHashMap::default();
    let mut moved = 0;
    for name in CallGraph::of_calls(module).post_order() {
        let Some(symbol) = module.get_mut(name).filter(|s| func::Func::of_symbol(s).is_some()) else { continue };
        let Some(entry) = symbol.body.entry() else { continue };
        let mut nest =
            Nest { body: &mut symbol.body, summary: &summary, heights: &heights, most, made: FxHashSet::default() };
        let mut stays = FxHashSet::default();
        while let Some((op, around)) = nest.too_deep(entry, &stays) {
            match nest.move_out(op, &around) {
                Some(()) => moved += 1,
                None => {
                    stays.insert(op);
                }
            }
        }
        let height = nest.height(entry);
        heights.insert(name, height);
    }
    report.count("moved", moved);
    Ok(Changed::from(moved > 0))
}

struct Nest<'a> {
    body: &'a mut Body,
    summary: &'a Summary,
    /// Of functions that are called.
    heights: &'a FxHashMap<Name, usize>,
    most: usize,
    /// Branches that were made for what was moved: where they do not run, nothing happens, and
    /// nobody reads what they give.
    made: FxHashSet<OpId>,
}

/// An op, and the branches around it up to the next loop or the function, the innermost first.
type Deep = (OpId, Vec<OpId>);

impl Nest<'_> {
    /// Whether an op is a branch or a loop.
    fn is_level(&self, op: OpId) -> bool {
        !self.body.op(op).regions.is_empty()
    }

    /// Whether an op is the next branch of the chain that its block is a part of.
    fn goes_on(&self, block: BlockId, op: OpId) -> bool {
        let otherwise = |outer: OpId| scf::If::is(self.body, outer) && self.body.region_block(outer, 1) == Some(block);
        let last = self.body.terminator(block).and_then(|end| self.body.prev_op(end));
        scf::If::is(self.body, op) && last == Some(op) && self.body.parent_op(block).is_some_and(otherwise)
    }

    /// All blocks of a function, with the branches and loops around them.
    fn blocks(&self, entry: BlockId) -> Vec<(BlockId, usize)> {
        let (mut all, mut at) = (vec![(entry, 0)], 0);
        while let Some(&(block, level)) = all.get(at) {
            at += 1;
            for op in self.body.block_ops(block) {
                let inside = level + usize::from(!self.goes_on(block, op));
                let regions = self.body.op(op).regions.iter();
                all.extend(regions.flat_map(|&r| &self.body.region(r).blocks).map(|&inner| (inner, inside)));
            }
        }
        all
    }

    /// The most branches and loops around an op, those of callees as well.
    fn height(&self, entry: BlockId) -> usize {
        let of = |(block, level): (BlockId, usize)| {
            let called = self.body.block_ops(block).into_iter().map(|op| self.called(op)).max();
            level + called.unwrap_or(0)
        };
        self.blocks(entry).into_iter().map(of).max().unwrap_or(0)
    }

    fn called(&self, op: OpId) -> usize {
        callee(self.body, op).and_then(|name| self.heights.get(&name).copied()).unwrap_or(0)
    }

    /// An op that is too deep and can be moved.
    fn too_deep(&self, entry: BlockId, stays: &FxHashSet<OpId>) -> Option<Deep> {
        for (block, level) in self.blocks(entry) {
            for op in self.body.block_ops(block) {
                let inside = level + usize::from(!self.goes_on(block, op));
                let called = self.called(op);
                let deep = self.is_level(op) && inside > self.most || called > 0 && level + called > 2 * self.most;
                if !deep || stays.contains(&op) {
                    continue;
                }
                let around = self.around(block);
                if around.len() >= FEWEST {
                    return Some((op, around));
                }
            }
        }
        None
    }

    /// The branches around a block up to the next loop or the function.
    fn around(&self, mut block: BlockId) -> Vec<OpId> {
        let mut all = Vec::new();
        while let Some(outer) = self.body.parent_op(block).filter(|&op| scf::If::is(self.body, op)) {
            all.push(outer);
            let Some(next) = self.body.op(outer).block else { break };
            block = next;
        }
        all
    }

    fn move_out(&mut self, op: OpId, around: &[OpId]) -> Option<()> {
        let mut inner = op;
        for (k, &outer) in around.iter().enumerate() {
            match self.part(outer, inner) {
                Some(moved) => inner = moved,
                // Some way out is better than none.
                None => return (k >= FEWEST).then_some(()),
            }
        }
        Some(())
    }

    /// Parts a branch where an op stands directly in it; what runs the op behind the branch.
    fn part(&mut self, outer: OpId, inner: OpId) -> Option<OpId> {
        let block = self.body.op(inner).block?;
        let side = usize::from(self.body.region_block(outer, 0) != Some(block));
        let end = self.body.terminator(block)?;
        let next = self.body.next_op(outer)?;
        let mut behind = Vec::new();
        let mut at = self.body.next_op(inner);
        while let Some(op) = at.filter(|&op| op != end) {
            behind.push(op);
            at = self.body.next_op(op);
        }
        let given = self.body.operands(end).to_vec();
        let results = self.body.results(outer).to_vec();
        let types = |body: &Body, values: &[ValueId]| -> Vec<Type> { values.iter().map(|&v| body.ty(v)).collect() };
        let (result_types, inner_types) = (types(self.body, &results), types(self.body, self.body.results(inner)));
        if result_types.iter().chain(&inner_types).any(|&ty| !can_be_carried(ty)) {
            return None;
        }
        let carried = self.carried(outer, block, inner, &behind, &given)?;
        let (here, outside) = self.give(outer, side, &carried)?;
        let mut map: FxHashMap<ValueId, ValueId> = carried.into_iter().zip(outside).collect();
        let moved = self.run_behind(inner, next, here, &map)?;
        for (old, new) in self.body.results(inner).to_vec().into_iter().zip(self.body.results(moved).to_vec()) {
            map.insert(old, new);
        }
        if !(behind.is_empty() && results.is_empty()) {
            let given: Vec<ValueId> = given.iter().map(|v| map.get(v).copied().unwrap_or(*v)).collect();
            let mut b = Builder::before(self.body, next)?;
            let rest = b.create(scf::If::DEF, &[here], &result_types, &[], 2);
            let [then, otherwise] = [0, 1].map(|k| b.add_block(rest, k, &[]));
            scf::Yield::build(&mut b.at(then), &given, &[]);
            for (k, &result) in results.iter().enumerate() {
                let whole = b.body.result(rest, k);
                let hint = b.body.value(result).hint;
                b.body.set_hint(whole, hint);
                b.body.replace_uses(result, whole);
            }
            scf::Yield::build(&mut b.at(otherwise), &results, &[]);
            let end = self.body.terminator(then)?;
            for op in behind {
                self.body.move_op(op, then, Some(end));
                self.read(op, &map);
            }
        }
        Some(moved)
    }

    /// The values of a branch that an op in it, and what stands behind that, read: what can stand
    /// before the branch is moved there.
    fn carried(
        &mut self,
        outer: OpId,
        block: BlockId,
        inner: OpId,
        behind: &[OpId],
        given: &[ValueId],
    ) -> Option<Vec<ValueId>> {
        let moved: FxHashSet<OpId> = behind.iter().copied().chain([inner]).collect();
        let mut read = given.to_vec();
        for &op in behind.iter().chain([&inner]) {
            read.extend(self.body.operands(op));
            let regions = self.body.op(op).regions.clone();
            let inside: Vec<OpId> = regions.iter().flat_map(|&region| self.body.walk(region)).collect();
            read.extend(inside.iter().flat_map(|&op| self.body.operands(op)));
        }
        let (mut found, mut seen, mut early) = (Vec::new(), FxHashSet::default(), Vec::new());
        for value in read {
            let Some(op) = self.body.def_op(value).filter(|&op| self.body.op(op).block == Some(block)) else {
                continue;
            };
            if moved.contains(&op) || !seen.insert(value) {
                continue;
            }
            let (constant, can) = (self.body.operands(op).is_empty(), can_be_carried(self.body.ty(value)));
            if (constant || !can) && self.can_be_early(op, block, &mut early) {
                continue;
            }
            if !can {
                return None;
            }
            found.push(value);
        }
        for op in early {
            let to = self.body.op(outer).block?;
            self.body.move_op(op, to, Some(outer));
        }
        Some(found)
    }

    /// Whether an op, and what it reads in the block, can run before the branch; in `ops`, in their
    /// order.
    fn can_be_early(&self, op: OpId, block: BlockId, ops: &mut Vec<OpId>) -> bool {
        if ops.contains(&op) {
            return true;
        }
        if !self.body.op(op).regions.is_empty() || self.summary.op(self.body, op) != Effect::Pure {
            return false;
        }
        let operands = self.body.operands(op).to_vec();
        let local = operands.iter().filter_map(|&v| self.body.def_op(v));
        let local: Vec<OpId> = local.filter(|&op| self.body.op(op).block == Some(block)).collect();
        let can = local.into_iter().all(|op| self.can_be_early(op, block, ops));
        ops.push(op);
        can
    }

    /// Lets a branch give whether it came to a place in one side of it, and values of there.
    fn give(&mut self, outer: OpId, side: usize, values: &[ValueId]) -> Option<(ValueId, Vec<ValueId>)> {
        let types: Vec<Type> = values.iter().map(|&v| self.body.ty(v)).collect();
        let results: Vec<Type> = self.body.results(outer).iter().map(|&v| self.body.ty(v)).collect();
        for k in [0, 1] {
            let block = self.body.region_block(outer, k);
            let mut b = Builder::before(self.body, outer)?;
            let block = block.unwrap_or_else(|| scf::empty_region(&mut b, outer, k, &[]));
            let end = b.body.terminator(block)?;
            let mut b = Builder::before(b.body, end)?;
            let here = arith::bool(&mut b, k == side);
            let mut ends = match k == side {
                true => results.iter().map(|&ty| nothing(&mut b, ty)).collect(),
                false => b.body.operands(end).to_vec(),
            };
            ends.push(here);
            match k == side {
                true => ends.extend(values),
                false => ends.extend(types.iter().map(|&ty| nothing(&mut b, ty)).collect::<Vec<_>>()),
            }
            b.body.set_operands(end, &ends);
        }
        let here = self.body.add_result(outer, Type::i1());
        self.body.set_hint(here, Some(Name::new("here")));
        let mut outside = Vec::new();
        for &value in values {
            let ty = self.body.ty(value);
            let result = self.body.add_result(outer, ty);
            let hint = self.body.value(value).hint;
            self.body.set_hint(result, hint);
            outside.push(result);
        }
        Some((here, outside))
    }

    /// Moves an op in front of another one, in a branch of its own.
    fn run_behind(
        &mut self,
        inner: OpId,
        next: OpId,
        here: ValueId,
        map: &FxHashMap<ValueId, ValueId>,
    ) -> Option<OpId> {
        let block = self.body.op(next).block?;
        if self.made.contains(&inner) {
            // It runs under its condition, which is false where the branch did not come here.
            let condition = self.body.operand(inner, 0);
            self.body.move_op(inner, block, Some(next));
            self.read(inner, map);
            if !map.contains_key(&condition) {
                let mut b = Builder::before(self.body, inner)?;
                let both = arith::AndI::build(&mut b, here, condition, &[]);
                self.body.set_operand(inner, 0, both);
            }
            return Some(inner);
        }
        let results = self.body.results(inner).to_vec();
        let types: Vec<Type> = results.iter().map(|&v| self.body.ty(v)).collect();
        let mut b = Builder::before(self.body, next)?;
        let made = b.create(scf::If::DEF, &[here], &types, &[], 2);
        let [then, otherwise] = [0, 1].map(|k| b.add_block(made, k, &[]));
        let none: Vec<ValueId> = types.iter().map(|&ty| nothing(&mut b.at(otherwise), ty)).collect();
        scf::Yield::build(&mut b.at(otherwise), &none, &[]);
        let end = scf_yield(&mut b.at(then), &results);
        self.body.move_op(inner, then, Some(end));
        self.read(inner, map);
        self.made.insert(made);
        Some(made)
    }

    /// Has an op, and what is inside of it, read other values.
    fn read(&mut self, op: OpId, map: &FxHashMap<ValueId, ValueId>) {
        let regions = self.body.op(op).regions.clone();
        let inside: Vec<OpId> = regions.iter().flat_map(|&region| self.body.walk(region)).collect();
        for op in inside.into_iter().chain([op]) {
            for (k, value) in self.body.operands(op).to_vec().into_iter().enumerate() {
                if let Some(&other) = map.get(&value) {
                    self.body.set_operand(op, k, other);
                }
            }
        }
    }
}

fn scf_yield(b: &mut Builder<'_>, values: &[ValueId]) -> OpId {
    b.create(scf::Yield::DEF, values, &[], &[], 0)
}

/// Whether a branch can give values of a type.
fn can_be_carried(ty: Type) -> bool {
    !holds_handle(ty) && agg::zero_value(ty).is_some()
}

/// A value that nobody reads.
fn nothing(b: &mut Builder<'_>, ty: Type) -> ValueId {
    match ty.is_scalar() || ty.is_vector() {
        true => arith::zero(b, ty),
        false => agg::Zero::build(b, ty, &[(agg::UNREAD, Attr::unit())]),
    }
}
