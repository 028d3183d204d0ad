//! `version-kernels`: one look at the sizes of buffers for a whole kernel.
//!
//! A kernel reads and writes elements that follow from the thread's number, from constants and from
//! counters. Whether all of them exist is known when the thread begins (`conditions`), and nearly
//! always they do. So the rest of the kernel gets a version in which these accesses do not look
//! ([`agg::INSIDE`]); the other runs where a buffer is too short. What `version-loops` does for one
//! loop or block this does for reads that are apart, and for writes.
//!
//! The kernel is what stands below guards such as `if (id.x < count)`. What has to be known is
//! known in front of its first access, but for pure ops, which move there.
//!
//! Kernels in which lanes come together stay as they are if the condition may differ between them,
//! and so do long ones, for which two versions take long to compile.

use crate::analysis::effects::Summary;
use crate::analysis::kernels::numthreads;
use crate::analysis::varying::{Among, varying};
use crate::lower::conditions::{Indexed, Term, at, build, elements, indexed, is_known, parts_threads, raise, weighted};
use crate::lower::spans::{Finder, Written};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::agg;
use caustic_dialects::arith;
use caustic_dialects::scf::{self, empty_region};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Module, OpId, ValueId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Accesses that are worth a version, ops for each of them, and ops in all.
const FEWEST: usize = 2;
const ACCESS_OPS: usize = 60;
const MOST_OPS: usize = 800;
/// Values that are read together.
const MOST_VALUES: usize = 16;

passes! {
    /// Looks at the sizes of buffers once for a kernel.
    pub static VERSION_KERNELS: "version-kernels" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("accesses", "accesses that have a version that does not look"), ("conditions", "what is looked at for them")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let accesses = indexed(module, kernel, &summary, false);
        let Some((accesses, symbol)) = accesses.zip(module.get_mut(kernel)) else { return Ok(Changed::No) };
        let among = Among::Wave(numthreads(symbol));
        let differ = varying(&symbol.body, &summary, among);
        let made = version(&mut symbol.body, &accesses, &differ);
        let (count, conditions) = made.unwrap_or_default();
        report.count("accesses", count as u64);
        report.count("conditions", conditions as u64);
        Ok(Changed::from(count > 0))
    })
}

/// The block that holds most of a kernel: its own, or that of a guard which ends it.
fn main_block(body: &Body) -> Option<BlockId> {
    let mut block = body.entry()?;
    loop {
        let ops = body.block_ops(block);
        let [.., guard, _] = ops[..] else { return Some(block) };
        let ends = scf::If::is(body, guard) && body.op(guard).results.is_empty();
        let sizes: Vec<usize> = body.op(guard).regions.iter().map(|&r| body.walk(r).len()).collect();
        let Some(larger) = (0..sizes.len()).max_by_key(|&k| sizes[k]).filter(|_| ends) else { return Some(block) };
        let inner = body.region_block(guard, larger)?;
        // What stands beside it is the guard, and what computes its condition.
        if sizes.iter().sum::<usize>() > sizes[larger] + 2 || sizes[larger] < ops.len() {
            return Some(block);
        }
        block = inner;
    }
}

/// The op of a block that an op is or stands in.
fn within(body: &Body, op: OpId, block: BlockId) -> Option<OpId> {
    let mut op = op;
    while body.op(op).block != Some(block) {
        op = body.parent_op(body.op(op).block?)?;
    }
    Some(op)
}

/// Makes the versions; how many accesses do not look in one, and what it looks at instead.
fn version(body: &mut Body, accesses: &[Indexed], differ: &FxHashSet<ValueId>) -> Option<(usize, usize)> {
    let block = main_block(body)?;
    let here: Vec<(usize, OpId)> =
        accesses.iter().enumerate().filter_map(|(n, a)| Some((n, within(body, a.op, block)?))).collect();
    let order = body.block_ops(block);
    let start = order.iter().position(|op| here.iter().any(|(_, at)| at == op))?;
    let (&end, first) = (order.last()?, order[start]);
    if !body.operands(end).is_empty() {
        return None;
    }
    let known = |value: ValueId| is_known(body, value, block, first, 12);
    let inside: FxHashSet<usize> = here.iter().map(|&(n, _)| n).collect();
    let (conditions, mut chosen) = at(body, first, accesses, &known)?;
    chosen.retain(|n| inside.contains(n));
    let mut finder = Finder::new(body, &known, differ);
    let others = || inside.iter().copied().filter(|n| !chosen.contains(n)).collect::<BTreeSet<_>>();
    let spanned: Vec<(usize, usize)> =
        others().into_iter().filter_map(|n| Some((n, finder.find(accesses[n].index)?))).collect();
    let tail: Vec<OpId> = order[start..order.len() - 1].to_vec();
    let all: Vec<OpId> = tail.iter().flat_map(|&op| [vec![op], nested(body, op)].concat()).collect();
    let differs = conditions.iter().flat_map(|c| &c.terms).any(|t| differ.contains(&t.value))
        || spanned.iter().any(|&(_, node)| !finder.is_uniform(node));
    let spans = finder.spans();
    let summed = chosen.clone();
    chosen.extend(spanned.iter().map(|&(n, _)| n));
    let pays = chosen.len() >= FEWEST && all.len() <= MOST_OPS && all.len() <= ACCESS_OPS * chosen.len();
    if !pays || parts_threads(body, all, differs) {
        return None;
    }
    for term in conditions.iter().flat_map(|c| &c.terms) {
        raise(body, term.value, first);
    }
    let leaves: BTreeSet<ValueId> = spans.leaves.iter().copied().collect();
    leaves.into_iter().for_each(|value| raise(body, value, first));
    let mut flags: Vec<ValueId> = conditions.iter().map(|c| build(body, c)).collect::<Option<_>>()?;
    let mut b = Builder::before(body, first)?;
    let mut written = Written::new(&mut b, &spans);
    for &(n, node) in &spanned {
        let end = elements(&mut b, accesses[n].buffer, accesses[n].ty);
        written.inside(&mut b, node, end)?;
    }
    flags.extend(written.flags);
    let flag = flags.into_iter().reduce(|a, c| arith::AndI::build(&mut b, a, c, &[]))?;
    let branch = b.create(scf::If::DEF, &[flag], &[], &[], 2);
    let then = empty_region(&mut b, branch, 0, &[]);
    let other = empty_region(&mut b, branch, 1, &[]);
    let (then_end, other_end) = (body.last_op(then)?, body.last_op(other)?);
    let tail: Vec<OpId> =
        body.block_ops(block).into_iter().skip_while(|&op| op != first).filter(|&op| op != end).collect();
    let mut cloner = Cloner::new();
    let copies: Vec<OpId> = tail.iter().map(|&op| cloner.clone_within(body, op, then, Some(then_end))).collect();
    let places: Vec<(OpId, OpId)> = tail.iter().zip(&copies).flat_map(|(&a, &b)| pairs(body, a, b)).collect();
    for &n in &chosen {
        let copy = copy_of(&places, accesses[n].op)?;
        if accesses[n].reads && summed.contains(&n) {
            // In 64 bits, so that what stands beside each other is seen to.
            let sum = &accesses[n].sum;
            let term = |&(value, factor): &(ValueId, i64)| Term { value: cloner.get(value), steps: None, factor };
            let terms: Vec<Term> = sum.terms.iter().map(term).collect();
            let index = weighted(&mut Builder::before(body, copy)?, &terms, sum.constant);
            body.set_operand(copy, 1, index);
        }
        body.set_attr(copy, agg::INSIDE, Attr::unit());
        body.set_attr(accesses[n].op, agg::LOOKS, Attr::unit());
    }
    for &op in &tail {
        body.move_op(op, other, Some(other_end));
    }
    let early = chosen.iter().filter(|&&n| accesses[n].moves).filter_map(|&n| copy_of(&places, accesses[n].op));
    together(body, then, &early.collect::<Vec<_>>());
    Some((chosen.len(), conditions.len()))
}

fn copy_of(places: &[(OpId, OpId)], op: OpId) -> Option<OpId> {
    places.iter().find(|(old, _)| *old == op).map(|(_, copy)| *copy)
}

/// Moves the first reads of a block to its front, so that memory is asked for all of them at once:
/// control flow behind them is nothing that they wait for.
fn together(body: &mut Body, block: BlockId, reads: &[OpId]) -> Option<()> {
    let first = body.block_ops(block).into_iter().find(|op| reads.contains(op))?;
    let mut values = 0;
    for &read in reads {
        let ty = body.ty(body.result(read, 0));
        values += if ty.is_vector() { ty.num_elements() } else { 1 };
        if values > MOST_VALUES {
            break;
        }
        let index = body.operand(read, 1);
        if read != first && body.op(read).block == Some(block) && is_known(body, index, block, first, 12) {
            for operand in body.operands(read).to_vec() {
                raise(body, operand, first);
            }
            body.move_op(read, block, Some(first));
        }
    }
    Some(())
}

fn nested(body: &Body, op: OpId) -> Vec<OpId> {
    body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect()
}

/// An op and what stands in it, each beside its copy.
fn pairs(body: &Body, op: OpId, copy: OpId) -> Vec<(OpId, OpId)> {
    let own = |op: OpId| [vec![op], nested(body, op)].concat();
    own(op).into_iter().zip(own(copy)).collect()
}
