//! `wave-masks`: which lanes of a wave take part in each of its operations, as values of the
//! program.
//!
//! A machine may run lanes together that are in different iterations of a loop, and apart those
//! that are in the same one. So who takes part is never asked where it matters: a mask is made
//! where control flow parts, by the lanes that were together until then. The mask of a kernel is
//! its waves' threads; of a branch, a ballot on the condition; of a loop, a ballot at its entry and
//! in each iteration on whether there is another one; of any other function, an argument. Where the
//! lanes cannot differ in what they do, the mask around is the mask inside. An operation waits for
//! exactly the lanes of its mask, which are those that come to the same dynamic instance.
//!
//! Where a mask is all lanes of a wave the operation is [`simt::COMPLETE`]. Nothing may be moved
//! across a branch or a loop's end any more, so the pass comes last but for `mark-convergence`.

use super::instances::reaching;
use crate::analysis::effects::Summary;
use crate::analysis::kernels::{kernels, numthreads};
use crate::analysis::varying::{Among, is_in_step, varying};
use crate::manager::{Changed, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::call_graph::callee;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts};
use caustic_dialects::gpu;
use caustic_dialects::reflect::Entry;
use caustic_dialects::scf;
use caustic_dialects::simt::{self, WAVE_SIZE};
use caustic_ir::codes;
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashSet;

passes! {
    /// Gives each wave operation a mask, the lanes that take part in it (`masked`), or marks it as
    /// one that all lanes of a wave come to (`complete`).
    ///
    /// A machine whose lanes wait for those of a mask needs nothing else to tell dynamic instances
    /// apart.
    pub static WAVE_MASKS: "wave-masks" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [
            ("masked", "operations that are given a mask"),
            ("branches", "branches that make masks of their own"),
            ("loops", "loops whose masks lose the lanes that leave"),
        ],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

#[mutant(Site::MasksNone => Ok(Changed::No))]
fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let reached = reaching(module, simt::is_wave_op);
    let summary = Summary::of(module);
    let kernels: FxHashSet<Name> = kernels(module).into_iter().collect();
    let mut changed = false;
    for name in &reached {
        let Some(symbol) = module.get_mut(*name).filter(|s| s.attr(simt::MASKED).is_none()) else { continue };
        symbol.set_attr(simt::MASKED, Attr::unit());
        let differ = varying(&symbol.body, &summary, lanes_of(symbol));
        let around = entry_lanes(symbol)?;
        let (body, blocks) = (&mut symbol.body, FxHashSet::default());
        let mut masks = Masks { body, differ, functions: &reached, kernels: &kernels, blocks, report };
        masks.function(around).map_err(|d| vec![d])?;
        changed = true;
    }
    Ok(Changed::from(changed))
}

/// How the lanes that run a function are numbered. Of one that is called nothing is known.
fn lanes_of(symbol: &SymbolOp) -> Among {
    Among::Wave(if Entry::of(symbol).is_some() { numthreads(symbol) } else { [2; 3] })
}

/// The lanes that come to a place together.
#[derive(Clone, Copy)]
enum Lanes {
    /// All of a wave.
    All,
    Of(ValueId),
}

impl Lanes {
    fn mask(self, b: &mut Builder<'_>) -> ValueId {
        match self {
            Lanes::All => arith::int(b, -1, Type::i32()),
            Lanes::Of(mask) => mask,
        }
    }
}

/// The lanes that come to a function: the threads of a kernel's wave, or an argument behind the
/// others.
fn entry_lanes(symbol: &mut SymbolOp) -> Result<Lanes, Vec<Diagnostic>> {
    let broken = |what: &str| vec![Diagnostic::internal(symbol.loc, format!("@{}: {what}", symbol.name))];
    let Some(entry) = symbol.body.entry() else { return Err(broken("a wave operation without code around it")) };
    if Entry::of(symbol).is_none() {
        let Some((inputs, results)) = symbol.function_type() else { return Err(broken("a function without a type")) };
        let inputs = [inputs, &[Type::i32()]].concat();
        symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, results)));
        return Ok(Lanes::Of(symbol.body.add_arg(entry, Type::i32())));
    }
    let (size, threads) = (i64::from(WAVE_SIZE), numthreads(symbol).iter().product::<i64>());
    let rest = threads % size;
    if rest == 0 {
        return Ok(Lanes::All);
    }
    let Some(first) = symbol.body.first_op(entry) else { return Err(broken("an empty function")) };
    let Some(mut b) = Builder::before(&mut symbol.body, first) else { return Err(broken("an op outside of a block")) };
    let few = arith::int(&mut b, (1 << rest) - 1, Type::i32());
    if threads < size {
        return Ok(Lanes::Of(few));
    }
    // The last wave lacks lanes.
    let wave = b.create_one(gpu::SubgroupId::DEF, &[], Type::index(), &[]);
    let last = arith::index(&mut b, threads / size);
    let is_last = arith::cmpi(&mut b, IntPredicate::Eq, wave, last);
    let all = arith::int(&mut b, -1, Type::i32());
    Ok(Lanes::Of(arith::Select::build(&mut b, is_last, few, all, &[])))
}

struct Masks<'a> {
    body: &'a mut Body,
    /// What differs between lanes that are at the same dynamic instance.
    differ: FxHashSet<ValueId>,
    /// The functions that take a mask, and kernels with wave operations.
    functions: &'a FxHashSet<Name>,
    kernels: &'a FxHashSet<Name>,
    /// Blocks in which, or in whose ops, masks are needed.
    blocks: FxHashSet<BlockId>,
    report: &'a mut PassReport,
}

impl Masks<'_> {
    fn function(&mut self, lanes: Lanes) -> Result<(), Diagnostic> {
        for op in self.body.walk_all().into_iter().filter(|&op| self.takes_mask(op)).collect::<Vec<_>>() {
            let mut block = self.body.op(op).block;
            while let Some(at) = block.filter(|&at| self.blocks.insert(at)) {
                block = self.body.parent_op(at).and_then(|outer| self.body.op(outer).block);
            }
        }
        let mut work: Vec<(BlockId, Lanes)> = self.body.entry().map(|entry| (entry, lanes)).into_iter().collect();
        while let Some((block, lanes)) = work.pop() {
            for op in self.body.block_ops(block) {
                if self.takes_mask(op) {
                    self.give(op, lanes)?;
                } else if self.regions(op).next().is_some() {
                    self.inside(op, lanes, &mut work)?;
                }
            }
        }
        Ok(())
    }

    /// A wave operation of which nothing is said yet, or a call of a function that asks for a mask.
    fn takes_mask(&self, op: OpId) -> bool {
        let said = |name: &str| self.body.attr(op, name).is_some();
        let open = || !said(simt::COMPLETE) && !said(simt::MASKED);
        simt::is_wave_op(self.body.op(op).def) && open()
            || callee(self.body, op).is_some_and(|f| self.functions.contains(&f))
    }

    /// The regions of an op in which masks are needed.
    fn regions(&self, op: OpId) -> impl Iterator<Item = (usize, BlockId)> + '_ {
        let all = 0..self.body.op(op).regions.len();
        let blocks = all.filter_map(move |k| Some((k, self.body.region_block(op, k)?)));
        blocks.filter(|(_, block)| self.blocks.contains(block))
    }

    fn before(&mut self, op: OpId) -> Result<Builder<'_>, Diagnostic> {
        let loc = self.body.loc(op);
        Builder::before(self.body, op).ok_or_else(|| Diagnostic::internal(loc, "an op outside of a block"))
    }

    /// Gives a wave operation its mask, or a call what the function asks for.
    fn give(&mut self, op: OpId, lanes: Lanes) -> Result<(), Diagnostic> {
        if callee(self.body, op).is_some_and(|f| self.kernels.contains(&f)) {
            let message = "a kernel with wave operations cannot be called on a GPU";
            return Err(Diagnostic::error(codes::E0853, self.body.loc(op), message)
                .with_note("move what it does into a function of its own, which takes the lanes that are here"));
        }
        let is_wave_op = simt::is_wave_op(self.body.op(op).def);
        let known = |v: ValueId| arith::constant_of(self.body, v).and_then(|c| c.as_bool());
        if simt::WaveBallot::is(self.body, op) && known(self.body.operand(op, 0)) == Some(true) {
            let mask = lanes.mask(&mut self.before(op)?);
            self.body.replace_uses(self.body.result(op, 0), mask);
            self.body.erase_op(op);
            return Ok(());
        }
        if is_wave_op && matches!(lanes, Lanes::All) {
            self.body.set_attr(op, simt::COMPLETE, Attr::unit());
            return Ok(());
        }
        let mask = lanes.mask(&mut self.before(op)?);
        let operands = [self.body.operands(op), &[mask]].concat();
        self.body.set_operands(op, &operands);
        if is_wave_op {
            self.body.set_attr(op, simt::MASKED, Attr::unit());
            self.report.count("masked", 1);
        }
        Ok(())
    }

    /// The lanes inside of the op's regions.
    fn inside(&mut self, op: OpId, lanes: Lanes, work: &mut Vec<(BlockId, Lanes)>) -> Result<(), Diagnostic> {
        if is_in_step(self.body, op, &self.differ) {
            self.as_around(op, lanes, work)
        } else if scf::For::is(self.body, op) || scf::While::is(self.body, op) {
            self.inside_loop(op, lanes, work)
        } else {
            self.inside_branch(op, lanes, work)
        }
    }

    /// The regions have the lanes of what is around.
    fn as_around(&mut self, op: OpId, lanes: Lanes, work: &mut Vec<(BlockId, Lanes)>) -> Result<(), Diagnostic> {
        work.extend(self.regions(op).map(|(_, block)| (block, lanes)));
        Ok(())
    }

    #[mutant(Site::MasksLoop => self.as_around(op, lanes, work))]
    fn inside_loop(&mut self, op: OpId, lanes: Lanes, work: &mut Vec<(BlockId, Lanes)>) -> Result<(), Diagnostic> {
        self.report.count("loops", 1);
        if scf::For::is(self.body, op) { self.for_loop(op, lanes, work) } else { self.while_loop(op, lanes, work) }
    }

    #[mutant(Site::MasksBranch => self.as_around(op, lanes, work))]
    fn inside_branch(&mut self, op: OpId, lanes: Lanes, work: &mut Vec<(BlockId, Lanes)>) -> Result<(), Diagnostic> {
        let regions: Vec<(usize, BlockId)> = self.regions(op).collect();
        self.report.count("branches", 1);
        let loc = self.body.loc(op);
        let chosen = self.body.operands(op).first().copied();
        let chosen = chosen.ok_or_else(|| Diagnostic::internal(loc, "a branch without a condition"))?;
        if scf::If::is(self.body, op) {
            let b = &mut self.before(op)?;
            let taken = ballot(b, lanes, chosen);
            let around = lanes.mask(b);
            for (k, block) in regions {
                let mask = if k == 0 { taken } else { arith::XOrI::build(&mut self.before(op)?, around, taken, &[]) };
                work.push((block, Lanes::Of(mask)));
            }
        } else if scf::IndexSwitch::is(self.body, op) {
            let cases = scf::IndexSwitch(op).cases(self.body).unwrap_or_default();
            for (k, block) in regions {
                let b = &mut self.before(op)?;
                // The first region is for what is no case.
                let takes = match k.checked_sub(1) {
                    Some(k) => {
                        let case = cases.get(k).ok_or_else(|| Diagnostic::internal(loc, "a region without a case"))?;
                        is_case(b, chosen, *case)
                    }
                    None => {
                        let none = arith::bool(b, true);
                        cases.iter().fold(none, |none, &case| {
                            let (same, no) = (is_case(b, chosen, case), arith::bool(b, false));
                            arith::Select::build(b, same, no, none, &[])
                        })
                    }
                };
                let mask = ballot(b, lanes, takes);
                work.push((block, Lanes::Of(mask)));
            }
        } else {
            return Err(Diagnostic::internal(loc, format!("no masks are known for {}", self.body.op(op).def.name)));
        }
        Ok(())
    }

    /// A loop whose number of iterations differs: the mask goes along, and in each iteration loses
    /// the lanes that have no further one.
    fn for_loop(&mut self, op: OpId, lanes: Lanes, work: &mut Vec<(BlockId, Lanes)>) -> Result<(), Diagnostic> {
        let parts = ForParts::of(self.body, op).ok_or_else(|| self.malformed(op))?;
        let [lower, upper, step] = [0, 1, 2].map(|n| self.body.operand(op, n));
        let one = arith::constant_of(self.body, step).and_then(|c| c.as_int()) == Some(1);
        let counter = self.body.args(parts.body)[0];
        let b = &mut self.before(op)?;
        let enters = arith::cmpi(b, IntPredicate::Slt, lower, upper);
        let first = ballot(b, lanes, enters);
        let mask = self.body.add_arg(parts.body, Type::i32());
        let b = &mut self.before(parts.end)?;
        let next = arith::AddI::build(b, counter, step, &[]);
        let mut again = arith::cmpi(b, IntPredicate::Slt, next, upper);
        if !one {
            // Counting on past the largest integer ends the loop.
            let no_wrap = arith::cmpi(b, IntPredicate::Slt, counter, next);
            again = arith::AndI::build(b, again, no_wrap, &[]);
        }
        let rest = ballot(b, Lanes::Of(mask), again);
        debug_assert_eq!(self.body.operands(op).len(), BOUNDS + parts.carried);
        self.carry(op, first);
        self.carry(parts.end, rest);
        self.body.add_result(op, Type::i32());
        work.push((parts.body, Lanes::Of(mask)));
        Ok(())
    }

    fn while_loop(&mut self, op: OpId, lanes: Lanes, work: &mut Vec<(BlockId, Lanes)>) -> Result<(), Diagnostic> {
        let parts = WhileParts::of(self.body, op).ok_or_else(|| self.malformed(op))?;
        let goes_on = self.body.operand(parts.condition, 0);
        let first = lanes.mask(&mut self.before(op)?);
        let [before, after] = [parts.before, parts.after].map(|block| self.body.add_arg(block, Type::i32()));
        let rest = ballot(&mut self.before(parts.condition)?, Lanes::Of(before), goes_on);
        self.carry(op, first);
        self.carry(parts.condition, rest);
        self.carry(parts.end, after);
        self.body.add_result(op, Type::i32());
        let inside = [(parts.before, Lanes::Of(before)), (parts.after, Lanes::Of(after))];
        work.extend(inside.into_iter().filter(|(block, _)| self.blocks.contains(block)));
        Ok(())
    }

    /// Adds an operand behind the others.
    fn carry(&mut self, op: OpId, value: ValueId) {
        let operands = [self.body.operands(op), &[value]].concat();
        self.body.set_operands(op, &operands);
    }

    fn malformed(&self, op: OpId) -> Diagnostic {
        Diagnostic::internal(self.body.loc(op), "a malformed loop")
    }
}

fn is_case(b: &mut Builder<'_>, value: ValueId, case: i64) -> ValueId {
    let case = arith::index(b, case);
    arith::cmpi(b, IntPredicate::Eq, value, case)
}

/// Those of the lanes for which the condition holds.
fn ballot(b: &mut Builder<'_>, lanes: Lanes, condition: ValueId) -> ValueId {
    match lanes {
        Lanes::All => simt::WaveBallot::build(b, condition, &[], Type::i32(), &[(simt::COMPLETE, Attr::unit())]),
        Lanes::Of(mask) => simt::WaveBallot::build(b, condition, &[mask], Type::i32(), &[(simt::MASKED, Attr::unit())]),
    }
}
