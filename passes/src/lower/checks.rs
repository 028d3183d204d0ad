//! `version-loops`: one look at the size of a buffer for several reads.
//!
//! A read looks whether its index is inside of the buffer, which takes a GPU several times as many
//! instructions as the read. So reads get a version that does not look ([`agg::INSIDE`]), which is
//! taken where a condition holds that was looked at once (`conditions`): small loops as a whole,
//! else the reads of a block.
//!
//! A loop in which lanes of a wave come together has one version for all of them, and one with a
//! barrier or a call has one version.
//!
//! Where threads run as one (`together`) a condition that differs between them would be two sides
//! under masks, and neighbours are read as vectors as they are: only what is the same for all of
//! them is looked at.
//!
//! The pass works on kernels after inlining. Reads of buffers that somebody writes stay where they
//! are.

use super::conditions::{Condition, Read, Term, build, find, is_known, parts_threads, raise, weighted};
use super::rolled;
use crate::analysis::costs::bytes;
use crate::analysis::effects::Summary;
use crate::analysis::kernels::numthreads;
use crate::analysis::varying::{Among, varying};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::arith;
use caustic_dialects::scf::empty_region;
use caustic_dialects::simt;
use caustic_dialects::{agg, scf};
use caustic_ir::{Attr, Body, Builder, Cloner, Module, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Loops with more ops are not made twice, unless they do no more with each read than to multiply
/// and to add: then looking is most of what they do. Those that compute more have other things to
/// keep in registers, and reads that stand together wait for memory once. And no more loops than
/// this in a kernel.
const LOOP_OPS: usize = 64;
const READ_OPS: usize = 4;
const LOOPS: usize = 16;
/// Bytes of arrays in local memory that leave room in the caches for those of all threads that fit
/// otherwise, and ops of a kernel that is long.
const ARRAYS: u64 = 96;
const LONG: usize = 1500;
/// Reads that are brought together: as many values are alive at once.
const MOST: usize = 16;

passes! {
    /// Looks at the sizes of buffers once for several reads, or for all iterations of a loop.
    pub static VERSION_LOOPS: "version-loops" {
        level: module,
        options: CheckOptions {
            together: bool = "false", "For threads that run as one: reads of which they make different ones stay as they are.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("reads", "reads that have a version that does not look"), ("conditions", "what is looked at for them")],
        run: |module: &mut Module, options: &CheckOptions, report: &mut PassReport| run(module, options, report),
    }
}

/// Whether registers that the versions which look do not take any more do no harm. Then more
/// threads run at once, and if each has arrays in local memory these have no place in the caches:
/// the derivative of the layers (784 bytes a thread) took 0.80 ms with 99 registers and 1.28 with
/// 54, the function 0.12 and 0.15 with 79 and 58 (H200). Of long kernels the time to compile
/// matters more, and they need their registers for the rest.
pub fn may_have_fewer_registers(body: &Body) -> bool {
    let ops = body.walk_all();
    let local = |&op: &OpId| agg::Zero::is(body, op) && agg::needs_storage(body.ty(body.result(op, 0)));
    let arrays: u64 = ops.iter().filter(|op| local(op)).map(|&op| bytes(body.ty(body.result(op, 0)))).sum();
    arrays <= ARRAYS || ops.len() > LONG
}

fn run(module: &mut Module, options: &CheckOptions, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let found = find(module, kernel, &summary, options.together);
        let Some(((reads, conditions), symbol)) = found.zip(module.get_mut(kernel)) else { return Ok(Changed::No) };
        let waits = symbol.body.all_ops().any(|op| simt::is_wave_op(symbol.body.op(op).def));
        let among = Among::Wave(numthreads(symbol));
        let differ = if waits { varying(&symbol.body, &summary, among) } else { FxHashSet::default() };
        let body = &mut symbol.body;
        let worth = |c: &Condition| c.reads > 1 || c.hoisted;
        let flags: Vec<Option<ValueId>> =
            conditions.iter().map(|c| if worth(c) { build(body, c) } else { None }).collect();
        let reads: Vec<Read> = reads.into_iter().filter(|r| flags[r.condition].is_some()).collect();
        report.count("reads", reads.len() as u64);
        report.count("conditions", flags.iter().flatten().count() as u64);
        let changed = Changed::from(!reads.is_empty());
        let small = !options.together && may_have_fewer_registers(body);
        let mut made = Made { conditions: &conditions, flags: &flags, small, differ, instead: Cloner::new() };
        let rest = made.loops(body, reads);
        made.blocks(body, rest);
        Ok(changed)
    })
}

/// What has been made of conditions.
struct Made<'a> {
    conditions: &'a [Condition],
    flags: &'a [Option<ValueId>],
    /// Versions that look are to be little code.
    small: bool,
    /// Values that differ between lanes of a wave, in a kernel with wave operations.
    differ: FxHashSet<ValueId>,
    /// What stands for results that are known in one version only.
    instead: Cloner,
}

impl Made<'_> {
    fn term(&self, (mut value, factor): (ValueId, i64)) -> Term {
        while self.instead.get(value) != value {
            value = self.instead.get(value);
        }
        Term { value, steps: None, factor }
    }

    /// `new` in the place of `old`, but for what is made of `old` from now on.
    fn replace(&mut self, body: &mut Body, old: &[ValueId], new: &[ValueId]) {
        for (&old, &new) in old.iter().zip(new) {
            body.replace_uses(old, new);
            self.instead.insert(old, new);
        }
    }

    /// Makes small loops twice, if conditions of reads in them stand outside; the reads that are
    /// left.
    fn loops(&mut self, body: &mut Body, reads: Vec<Read>) -> Vec<Read> {
        let mut budget = LOOPS;
        let mut rest = reads;
        for op in body.walk_all() {
            let Some(block) = body.region_block(op, 0).filter(|_| scf::For::is(body, op) && budget > 0) else {
                continue;
            };
            let inner: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
            let nested = |&i: &OpId| scf::For::is(body, i) || scf::While::is(body, i);
            if inner.iter().any(nested) {
                continue;
            }
            let (small, work) = (inner.len() <= LOOP_OPS, work(body, &inner));
            let within_loop: FxHashSet<OpId> = inner.into_iter().collect();
            let outside = |r: &Read| !body.is_block_within(self.conditions[r.condition].block, block);
            let (here, others): (Vec<Read>, Vec<Read>) =
                rest.into_iter().partition(|r| within_loop.contains(&r.op) && outside(r));
            rest = others;
            let too_large = !small && work > READ_OPS * (here.len() + 1);
            let terms = here.iter().flat_map(|r| &self.conditions[r.condition].terms);
            let differs = terms.into_iter().any(|t| self.differ.contains(&t.value));
            if here.is_empty() || too_large || parts_threads(body, within_loop, differs) {
                rest.extend(here);
                continue;
            }
            budget -= 1;
            if self.versions(body, op, &here).is_none() {
                rest.extend(here);
            }
        }
        rest
    }

    fn versions(&mut self, body: &mut Body, op: OpId, reads: &[Read]) -> Option<()> {
        let types: Vec<Type> = body.results(op).iter().map(|&r| body.ty(r)).collect();
        let mut b = Builder::before(body, op)?;
        let mut seen = FxHashSet::default();
        let mut all: Option<ValueId> = None;
        for flag in reads.iter().filter_map(|r| self.flags[r.condition]).filter(|&f| seen.insert(f)) {
            all = Some(all.map_or(flag, |a| arith::AndI::build(&mut b, a, flag, &[])));
        }
        let branch = b.create(scf::If::DEF, &[all?], &types, &[], 2);
        let then = empty_region(&mut b, branch, 0, &[]);
        let other = empty_region(&mut b, branch, 1, &[]);
        let (then_end, other_end) = (body.last_op(then)?, body.last_op(other)?);
        let mut cloner = Cloner::new();
        let fast = cloner.clone_within(body, op, then, Some(then_end));
        for read in reads {
            let copy = body.def_op(cloner.get(body.result(read.op, 0)))?;
            let inner = |t: Term| Term { value: cloner.get(t.value), ..t };
            let terms: Vec<Term> = read.sum.terms.iter().map(|&t| inner(self.term(t))).collect();
            let index = weighted(&mut Builder::before(body, copy)?, &terms, read.sum.constant);
            body.set_operand(copy, 1, index);
            body.set_attr(copy, agg::INSIDE, Attr::unit());
        }
        let (old, made, fast) = (body.results(op).to_vec(), body.results(branch).to_vec(), body.results(fast).to_vec());
        self.replace(body, &old, &made);
        body.move_op(op, other, Some(other_end));
        body.set_operands(then_end, &fast);
        body.set_operands(other_end, &old);
        self.shorten(body, reads.iter());
        Some(())
    }

    /// Less code for reads that look.
    fn shorten<'r>(&self, body: &mut Body, reads: impl Iterator<Item = &'r Read>) {
        if self.small {
            rolled::roll(body, &reads.filter(|r| r.moves).map(|r| r.op).collect::<Vec<_>>());
        }
    }

    /// Branches around the reads of a block that one condition tells about, or several that are
    /// known in front of all of them.
    fn blocks(&mut self, body: &mut Body, mut reads: Vec<Read>) {
        // Loops that stay as they are have given theirs back last; a branch stands at the first.
        let order: FxHashMap<OpId, usize> = body.walk_all().into_iter().enumerate().map(|(n, op)| (op, n)).collect();
        reads.sort_by_key(|r| order.get(&r.op).copied());
        let mut runs: Vec<Vec<Read>> = Vec::new();
        for read in reads {
            let fits = |run: &&mut Vec<Read>| {
                let same = |r: &Read| {
                    r.moves && r.condition == read.condition && body.op(r.op).block == body.op(read.op).block
                };
                read.moves && run.len() < MOST && run.first().is_some_and(same)
            };
            match runs.iter_mut().find(fits) {
                Some(run) => run.push(read),
                None => runs.push(vec![read]),
            }
        }
        // A branch for one read is worth it only if looking at the condition is not part of it.
        runs.retain(|run| run.len() > 1 || self.conditions[run[0].condition].hoisted);
        let mut groups: Vec<Vec<Read>> = Vec::new();
        for run in runs {
            let Some(flag) = self.flags[run[0].condition] else { continue };
            let joins = |group: &&mut Vec<Read>| {
                let (first, block) = (group[0].op, body.op(group[0].op).block);
                let beside = group.iter().chain(&run).all(|r| r.moves) && block == body.op(run[0].op).block;
                beside
                    && group.len() + run.len() <= MOST
                    && block.is_some_and(|block| is_known(body, flag, block, first, 16))
            };
            match groups.last_mut().filter(joins) {
                Some(group) => group.extend(run),
                None => groups.push(run),
            }
        }
        for group in groups {
            self.branch(body, &group);
        }
    }

    /// Whether all conditions of reads hold, known in front of the first.
    fn all_hold(&self, body: &mut Body, run: &[Read]) -> Option<ValueId> {
        let first = run.first()?.op;
        let mut flags: Vec<ValueId> = run.iter().filter_map(|r| self.flags[r.condition]).collect();
        flags.dedup();
        if flags.len() > 1 {
            flags.iter().for_each(|&flag| raise(body, flag, first));
        }
        let mut b = Builder::before(body, first)?;
        flags.into_iter().reduce(|a, flag| arith::AndI::build(&mut b, a, flag, &[]))
    }

    fn branch(&mut self, body: &mut Body, run: &[Read]) -> Option<()> {
        let flag = self.all_hold(body, run)?;
        let first = run.first()?.op;
        let types: Vec<Type> = run.iter().map(|r| body.ty(body.result(r.op, 0))).collect();
        for read in &run[1..] {
            raise(body, body.operand(read.op, 0), first);
            raise(body, body.operand(read.op, 1), first);
        }
        let mut b = Builder::before(body, first)?;
        let made = b.create(scf::If::DEF, &[flag], &types, &[], 2);
        let then = empty_region(&mut b, made, 0, &[]);
        let mut t = b.before_end(then);
        let mut copies = Vec::new();
        // What all have in common comes first, since an address begins with that.
        let all: Vec<Vec<Term>> =
            run.iter().map(|r| r.sum.terms.iter().map(|&term| self.term(term)).collect()).collect();
        let in_all = |term: &Term| all.iter().all(|terms| terms.contains(term));
        for (read, terms) in run.iter().zip(all.clone()) {
            let op = t.body.op(read.op).clone();
            let (same, own): (Vec<_>, Vec<_>) = terms.into_iter().partition(in_all);
            let index = weighted(&mut t, &[same, own].concat(), read.sum.constant);
            let ty = t.ty(t.body.result(read.op, 0));
            let copy = t.create(agg::BufferLoad::DEF, &[op.operands[0], index], &[ty], &[], 0);
            t.body.set_attrs(copy, op.attrs);
            t.body.set_attr(copy, agg::INSIDE, Attr::unit());
            copies.push(t.body.result(copy, 0));
        }
        let other = empty_region(&mut b, made, 1, &[]);
        let (then_end, other_end) = (body.last_op(then)?, body.last_op(other)?);
        let (results, old): (Vec<ValueId>, Vec<ValueId>) =
            (body.results(made).to_vec(), run.iter().map(|r| body.result(r.op, 0)).collect());
        self.replace(body, &old, &results);
        for read in run {
            body.move_op(read.op, other, Some(other_end));
        }
        body.set_operands(then_end, &copies);
        body.set_operands(other_end, &old);
        self.shorten(body, run.iter());
        Some(())
    }
}

/// Ops besides constants and the arithmetic of indices.
fn work(body: &Body, ops: &[OpId]) -> usize {
    let integers = |op: OpId| {
        let results = body.results(op);
        !results.is_empty()
            && body.op(op).def.dialect() == arith::DIALECT.name
            && results.iter().all(|&r| body.ty(r).is_int_or_index())
    };
    ops.iter().filter(|&&op| !arith::Constant::is(body, op) && !integers(op)).count()
}
