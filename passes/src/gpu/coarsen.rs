//! `coarsen`: one thread does the work of several, where that lets it add up what they add to one
//! place, or where much of their work is the same.
//!
//! Additions to a place that is the same for all threads cost a GPU more than what is added: a
//! vote, a sum over the wave, its address and an atomic operation each. And what is the same for
//! all threads each of them computes. So threads of a group that differ in one of their numbers
//! become one thread, which runs them in step: what is the same for all of them is computed once,
//! of everything else there are copies side by side, loops and branches whose conditions are the
//! same are run through together, and the copies of an addition to the same place become one.
//! Control flow that differs is run through for one copy after the other.
//!
//! A branch that differs and holds such additions or such work is a *guard*, as `if (id.x < count)`
//! around a kernel: where all copies come to it, they run through it in step, else one after the
//! other.
//!
//! A group is launched with fewer threads then: the entry point says how many, and how many of the
//! program's it [`covers`](Entry). Kernels with barriers, wave operations or memory of a group stay
//! as they are. The pass works on kernels after inlining.

use super::additions::{self, is_addition};
use super::shared::{Work, work_in_loops};
use crate::analysis::access::{Step, read_of, write_of};
use crate::analysis::costs::bytes;
use crate::analysis::effects::Summary;
use crate::analysis::kernels::numthreads;
use crate::analysis::pressure::most_alive;
use crate::analysis::varying::{Among, is_in_step, varying};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::agg::needs_storage;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, branch_ends};
use caustic_dialects::gpu;
use caustic_dialects::reflect::{ENTRY, Entry, GROUPSHARED};
use caustic_dialects::simt;
use caustic_dialects::simt::WAVE_SIZE;
use caustic_dialects::{agg, arith, func, scf};
use caustic_ir::{BlockId, Body, Builder, Cloner, Module, Name, OpDef, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Threads that become one: as many as their state leaves registers for.
const MOST: i64 = 4;
/// Bytes that all copies of what is alive at once, or of what a loop carries, may take: 64
/// registers, which leave half of the threads that a processor can have. With 132 for four copies
/// of the derivative of an image's loss it had 18 % of them, and took 0.39 ms; with 64 for two 0.32
/// (H200).
const STATE: u64 = 256;
/// Bytes of local arrays of all copies, where threads become one for their work alone: what the
/// nearest cache has for each thread that a processor can run. Of a mixture with 16 numbers in an
/// array, four copies take 0.123 ms in place of 0.109 by two (H200).
const LOCAL: u64 = 128;
/// Larger kernels are not copied.
const OPS: usize = 2000;
/// Nor are they above this size for work alone: of the dense layers, whose rows are straight-line
/// code of 500 ops and want their registers, two copies take 0.153 ms and one 0.112 (H200).
const OPS_FOR_WORK: usize = 400;
/// Threads share their work if it is at least a third of what each has for itself. On an H200 the
/// derivative of a series (twice as much is the same) takes 16.1 ms by four in place of 24.2, 256
/// shapes (0.9 times) 4.3 in place of 6.0 by four and their forward derivative (0.6 times) 6.6 in
/// place of 8.6 by two, a mixture (1.4 times) 0.086 in place of 0.098 by two.
const LEAST_SHARE: u64 = 3;

passes! {
    /// Lets one thread do the work of several, if these add to the same elements of buffers or much
    /// of their work is the same.
    pub static COARSEN: "coarsen" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("kernels", "kernels whose threads do the work of several"), ("additions", "additions that became one of several")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let plan = plan(module, kernel, &summary);
        let Some((plan, symbol)) = plan.zip(module.get_mut(kernel)) else { return Ok(Changed::No) };
        let Plan { dimension, copies, differ, guards } = plan;
        let parts = Entry::of(symbol).zip(symbol.body.entry());
        let Some((mut entry, block)) = parts else { return Ok(Changed::No) };
        let size = i64::from(entry.numthreads[dimension]);
        let mut jam = Jam {
            body: &mut symbol.body,
            differ,
            guards,
            copies: vec![Cloner::new(); copies as usize],
            dimension,
            numthreads: entry.numthreads.map(i64::from),
            step: size / copies,
            additions: 0,
        };
        jam.function(block);
        report.count("additions", jam.additions);
        report.count("kernels", 1);
        entry.numthreads[dimension] = (size / copies) as u32;
        symbol.set_attr(ENTRY, entry.to_attr());
        Ok(Changed::Yes)
    })
}

/// How threads of a kernel become one.
struct Plan {
    /// The number in which they differ.
    dimension: usize,
    copies: i64,
    /// The values that differ between them.
    differ: FxHashSet<ValueId>,
    guards: Guards,
}

/// The branches that not all copies take, and which of their regions is run through in step.
type Guards = FxHashMap<OpId, usize>;

fn plan(module: &Module, kernel: Name, summary: &Summary) -> Option<Plan> {
    let symbol = module.get(kernel)?;
    let (body, numthreads) = (&symbol.body, numthreads(symbol));
    let ops = body.walk_all();
    let suits = |&op: &OpId| match () {
        _ if simt::is_thread_op(body.op(op).def) => is_number(body, op),
        // In a function's code nobody looks: it may ask which thread it is.
        _ if func::Call::is(body, op) => false,
        _ if agg::Global::is(body, op) || agg::GlobalElement::is(body, op) => {
            let name = agg::resource_name(body, op);
            name.is_some_and(|name| module.get(name).is_some_and(|s| s.attr(GROUPSHARED).is_none()))
        }
        _ => true,
    };
    (ops.len() <= OPS && ops.iter().all(suits)).then_some(())?;
    let threads: i64 = numthreads.iter().product();
    // The last number: the lanes of a wave are neighbours in the first.
    let dimension = (0..3).rev().find(|&d| numthreads[d] > 1)?;
    let differ = varying(body, summary, Among::Dimension(dimension));
    let additions = ops.iter().filter(|&&op| is_shared_addition(body, op, &differ));
    let around: Vec<Guards> = additions.filter_map(|&op| guards_of(body, op, &differ)).collect();
    let for_work_alone = around.is_empty();
    let guards = match for_work_alone {
        true => for_work(body, &ops, &differ)?,
        false => around.into_iter().flatten().collect(),
    };
    let carried = |op: OpId, counts: &dyn Fn(ValueId) -> bool| -> u64 {
        let counted = ForParts::of(body, op).map(|parts| parts.carried_args(body));
        let values = counted.or_else(|| WhileParts::of(body, op).map(|parts| body.args(parts.after)));
        let values = values.unwrap_or_default().iter().filter(|v| differ.contains(v) && counts(**v));
        values.map(|&v| bytes(body.ty(v))).sum()
    };
    let most_carried = |counts: &dyn Fn(ValueId) -> bool| ops.iter().map(|&op| carried(op, counts)).max().unwrap_or(0);
    // Arrays that no loop carries are local memory or go.
    let alive = most_alive(body, &|value| differ.contains(&value) && !needs_storage(body.ty(value)));
    let state = most_carried(&|_| true).max(alive).max(1);
    let indexed: FxHashSet<Type> = ops.iter().filter_map(|&op| indexed_array(body, op)).collect();
    let local = if for_work_alone { most_carried(&|v| indexed.contains(&body.ty(v))) } else { 0 };
    let fits = |n: &i64| {
        local.saturating_mul(*n as u64) <= LOCAL
            && numthreads[dimension] % n == 0
            && threads / n >= i64::from(WAVE_SIZE)
            && state.saturating_mul(*n as u64) <= STATE
    };
    let copies = [MOST, 2].into_iter().find(fits)?;
    Some(Plan { dimension, copies, differ, guards })
}

/// The type of an array that an op reads or writes at an index that is not known.
fn indexed_array(body: &Body, op: OpId) -> Option<Type> {
    let is_known = |path: &[Step]| path.iter().all(|step| matches!(step, Step::At(_)));
    let read = read_of(body, op).map(|r| (r.from, r.path));
    let (array, path) = read.or_else(|| write_of(body, op).map(|w| (w.into, w.path)))?;
    Some(body.ty(array)).filter(|&ty| needs_storage(ty) && !is_known(&path))
}

/// Guards around work in loops that threads may share; `None` if that is too little.
fn for_work(body: &Body, ops: &[OpId], differ: &FxHashSet<ValueId>) -> Option<Guards> {
    (ops.len() <= OPS_FOR_WORK).then_some(())?;
    let mut guards = Guards::default();
    let Work { shared, own } = work_in_loops(body, ops, differ, |op| {
        let around = guards_of(body, op, differ);
        guards.extend(around.iter().flatten());
        around.is_some()
    });
    (shared > 0 && shared.saturating_mul(LEAST_SHARE) >= own).then_some(guards)
}

/// The thread's place in the dispatch, or the dispatch's shape.
fn is_number(body: &Body, op: OpId) -> bool {
    [gpu::ThreadId::DEF, gpu::GlobalId::DEF, gpu::BlockId::DEF, gpu::BlockDim::DEF, gpu::GridDim::DEF]
        .into_iter()
        .any(|def| body.is(op, def))
}

/// An addition that all copies make to one place.
fn is_shared_addition(body: &Body, op: OpId, differ: &FxHashSet<ValueId>) -> bool {
    let Some(&buffer) = body.operands(op).get(1).filter(|_| agg::AtomicRmw::is(body, op)) else { return false };
    let ty = body.ty(body.operand(op, 0));
    is_addition(body, op, buffer)
        && (ty.is_float() || ty.is_scalar())
        && !body.operands(op)[1..].iter().any(|v| differ.contains(v))
}

/// The guard around an op, if there is one; `None` if other control flow around it differs, too.
fn guards_of(body: &Body, op: OpId, differ: &FxHashSet<ValueId>) -> Option<Guards> {
    let mut guards = Guards::default();
    let mut block = body.op(op).block?;
    while let Some(outer) = body.parent_op(block) {
        if !is_in_step(body, outer, differ) {
            // Of what stands in a guard there is one version more: not of versions again.
            if !scf::If::is(body, outer) || !guards.is_empty() || branch_ends(body, outer).is_none() {
                return None;
            }
            let taken = (0..2).find(|&k| body.region_block(outer, k) == Some(block))?;
            guards.insert(outer, taken);
        }
        block = body.op(outer).block?;
    }
    Some(guards)
}

/// A kernel of which copies are made side by side. What does not differ stands for all copies in
/// each of their maps.
struct Jam<'a> {
    body: &'a mut Body,
    differ: FxHashSet<ValueId>,
    guards: Guards,
    copies: Vec<Cloner>,
    dimension: usize,
    /// Of the program.
    numthreads: [i64; 3],
    /// How far apart the threads are that become one.
    step: i64,
    additions: u64,
}

/// Where the copies go: into a block, before an op or at its end.
type Place = (BlockId, Option<OpId>);

impl Jam<'_> {
    fn function(&mut self, block: BlockId) {
        let ops = self.body.block_ops(block);
        let Some((&end, ops)) = ops.split_last() else { return };
        self.ops(ops, (block, Some(end)));
        for &op in ops.iter().rev() {
            self.body.erase_op(op);
        }
    }

    fn ops(&mut self, ops: &[OpId], to: Place) {
        for &op in ops {
            match () {
                _ if is_number(self.body, op) => self.number(op, to),
                _ if self.body.op(op).regions.is_empty() => self.simple(op, to),
                _ if is_in_step(self.body, op, &self.differ) => self.in_step(op, to),
                _ => match self.guards.get(&op) {
                    Some(&taken) => self.guarded(op, taken, to),
                    None => self.one_by_one(op, to),
                },
            }
        }
    }

    fn builder(&mut self, op: OpId, (block, before): Place) -> Builder<'_> {
        let loc = self.body.loc(op);
        Builder { body: self.body, block, before, loc }
    }

    /// Threads of the program by those that are launched.
    fn number(&mut self, op: OpId, to: Place) {
        let dimension = gpu::dimension(self.body, op).unwrap_or(0);
        let (size, step, copies) = (self.numthreads[dimension], self.step, self.copies.len() as i64);
        let is = |body: &Body, def: &'static OpDef| body.is(op, def);
        let (global, local, shape) =
            (is(self.body, gpu::GlobalId::DEF), is(self.body, gpu::ThreadId::DEF), is(self.body, gpu::BlockDim::DEF));
        let result = self.body.result(op, 0);
        let split = dimension == self.dimension;
        let mut b = self.builder(op, to);
        let values: Vec<ValueId> = if shape {
            vec![arith::index(&mut b, size)]
        } else if split && (global || local) {
            let thread = gpu::build_id(&mut b, gpu::ThreadId::DEF, dimension);
            let first = if global {
                let (group, size) = (gpu::build_id(&mut b, gpu::BlockId::DEF, dimension), arith::index(&mut b, size));
                let start = arith::MulI::build(&mut b, group, size, &[]);
                arith::AddI::build(&mut b, start, thread, &[])
            } else {
                thread
            };
            (0..copies).map(|k| if k == 0 { first } else { number_of_copy(&mut b, first, k, step) }).collect()
        } else {
            self.once(op, to);
            return;
        };
        for (k, copy) in self.copies.iter_mut().enumerate() {
            copy.insert(result, values[k.min(values.len() - 1)]);
        }
    }

    /// One op that stands for all.
    fn once(&mut self, op: OpId, to: Place) {
        self.copies[0].clone_within(self.body, op, to.0, to.1);
        let results = self.body.results(op).to_vec();
        let first = self.copies[0].clone();
        for copy in &mut self.copies[1..] {
            results.iter().for_each(|&r| copy.insert(r, first.get(r)));
        }
    }

    fn one_by_one(&mut self, op: OpId, to: Place) {
        for copy in &mut self.copies {
            copy.clone_within(self.body, op, to.0, to.1);
        }
    }

    fn simple(&mut self, op: OpId, to: Place) {
        if is_shared_addition(self.body, op, &self.differ) {
            return self.addition(op, to);
        }
        let data = self.body.op(op);
        let computes = !data.results.is_empty() && !data.results.iter().any(|v| self.differ.contains(v));
        if computes { self.once(op, to) } else { self.one_by_one(op, to) }
    }

    /// What stands for a value in each copy.
    #[mutant(Site::CoarsenCopies => vec![self.copies[0].get(value); self.copies.len()])]
    fn in_copies(&self, value: ValueId) -> Vec<ValueId> {
        self.copies.iter().map(|c| c.get(value)).collect()
    }

    /// The sum of what all copies add.
    fn addition(&mut self, op: OpId, to: Place) {
        let fields = additions::fields(self.body, op);
        let operands = self.body.operands(op).to_vec();
        let values = self.in_copies(operands[0]);
        let places: Vec<ValueId> = operands[1..].iter().map(|&v| self.copies[0].get(v)).collect();
        let mut b = self.builder(op, to);
        let is_float = b.ty(values[0]).is_float();
        let add = |x, y| match is_float {
            true => arith::AddF::build(&mut b, x, y, &[]),
            false => arith::AddI::build(&mut b, x, y, &[]),
        };
        let Some(sum) = values.into_iter().reduce(add) else { return };
        additions::add(&mut b, sum, places[0], &places[1..], &fields);
        self.additions += 1;
    }

    /// What each of `values` is for all copies, where the place that it goes to differs; else what
    /// it is for all.
    fn expanded(&self, values: &[ValueId], places: &[ValueId]) -> Vec<ValueId> {
        let one = |(&value, place): (&ValueId, &ValueId)| -> Vec<ValueId> {
            let copies = if self.differ.contains(place) { self.copies.len() } else { 1 };
            self.copies[..copies].iter().map(|c| c.get(value)).collect()
        };
        values.iter().zip(places).flat_map(one).collect()
    }

    fn types(&self, places: &[ValueId]) -> Vec<Type> {
        let one = |&place: &ValueId| {
            let copies = if self.differ.contains(&place) { self.copies.len() } else { 1 };
            vec![self.body.ty(place); copies]
        };
        places.iter().flat_map(one).collect()
    }

    /// Says of `places` that the new values, made for them as [`Jam::types`] says, are theirs.
    fn bind(&mut self, places: &[ValueId], new: &[ValueId]) {
        let mut new = new.iter().copied();
        for &place in places {
            let differs = self.differ.contains(&place);
            let mut last = None;
            for copy in &mut self.copies {
                if differs || last.is_none() {
                    last = new.next();
                }
                if let Some(value) = last {
                    copy.insert(place, value);
                }
            }
        }
    }

    /// A branch that not all copies take, in step where all come to the region `taken` of it.
    fn guarded(&mut self, op: OpId, taken: usize, to: Place) {
        let results = self.body.results(op).to_vec();
        let condition = self.body.operand(op, 0);
        let conditions: Vec<ValueId> = self.copies.iter().map(|c| c.get(condition)).collect();
        let types = self.types(&results);
        let mut b = self.builder(op, to);
        let Some(condition) = conditions.into_iter().reduce(|x, y| joined(&mut b, taken, x, y)) else { return };
        let new = b.create(scf::If::DEF, &[condition], &types, &[], 2);
        let blocks = [0, 1].map(|k| b.add_block(new, k, &[]));
        let (together, apart) = (blocks[taken], blocks[1 - taken]);
        if let Some(block) = self.body.region_block(op, taken) {
            let ops = self.body.block_ops(block);
            let Some((&end, ops)) = ops.split_last() else { return };
            self.ops(ops, (together, None));
            self.end(op, end, &results, (together, None));
        }
        self.one_by_one(op, (apart, None));
        let values = self.expanded(&results, &results);
        scf::Yield::build(&mut self.builder(op, (apart, None)), &values, &[]);
        let made = self.body.results(new).to_vec();
        self.bind(&results, &made);
    }

    /// A loop or branch for all copies at once.
    fn in_step(&mut self, op: OpId, to: Place) {
        let results = self.body.results(op).to_vec();
        let operands = self.body.operands(op).to_vec();
        let (fixed, places): (usize, Vec<ValueId>) = if let Some(parts) = ForParts::of(self.body, op) {
            (BOUNDS, parts.carried_args(self.body).to_vec())
        } else if let Some(parts) = WhileParts::of(self.body, op) {
            (0, self.body.args(parts.before).to_vec())
        } else {
            (1, Vec::new())
        };
        let mut inputs: Vec<ValueId> = operands[..fixed].iter().map(|&v| self.copies[0].get(v)).collect();
        inputs.extend(self.expanded(&operands[fixed..], &places));
        let data = self.body.op(op).clone();
        let types = self.types(&results);
        let new = self.body.create_op(data.def, &inputs, &types, data.attrs, data.regions.len(), data.loc);
        self.body.insert_op(new, to.0, to.1);
        for (k, &region) in data.regions.iter().enumerate() {
            let Some(&block) = self.body.region(region).blocks.first() else { continue };
            let args = self.body.args(block).to_vec();
            let types = self.types(&args);
            let target = self.body.op(new).regions[k];
            let inside = self.body.add_block(target, &types);
            let made = self.body.args(inside).to_vec();
            self.bind(&args, &made);
            let ops = self.body.block_ops(block);
            let Some((&end, ops)) = ops.split_last() else { continue };
            self.ops(ops, (inside, None));
            self.end(op, end, &results, (inside, None));
        }
        let made = self.body.results(new).to_vec();
        self.bind(&results, &made);
    }

    /// The terminator `end` of a region of `op`.
    fn end(&mut self, op: OpId, end: OpId, results: &[ValueId], to: Place) {
        let values = self.body.operands(end).to_vec();
        let forwards = scf::Condition::is(self.body, end);
        let places = match WhileParts::of(self.body, op) {
            Some(parts) if !forwards => self.body.args(parts.before).to_vec(),
            _ => results.to_vec(),
        };
        let fixed = usize::from(forwards);
        let mut operands: Vec<ValueId> = values[..fixed].iter().map(|&v| self.copies[0].get(v)).collect();
        operands.extend(self.expanded(&values[fixed..], &places));
        let data = self.body.op(end).clone();
        let new = self.body.create_op(data.def, &operands, &[], data.attrs, 0, data.loc);
        self.body.insert_op(new, to.0, to.1);
    }
}

/// The number of the thread that a copy stands for; `first` is that of the first copy.
#[mutant(Site::CoarsenPlaces with copy = 0)]
fn number_of_copy(b: &mut Builder<'_>, first: ValueId, copy: i64, step: i64) -> ValueId {
    let offset = arith::index(b, copy * step);
    arith::AddI::build(b, first, offset, &[])
}

/// The condition of a branch whose region `taken` all copies come to together: all take the first
/// region if all conditions hold, and the second if none does.
#[mutant(Site::CoarsenReturns with taken = 0)]
fn joined(b: &mut Builder<'_>, taken: usize, x: ValueId, y: ValueId) -> ValueId {
    match taken {
        0 => arith::AndI::build(b, x, y, &[]),
        _ => arith::OrI::build(b, x, y, &[]),
    }
}
