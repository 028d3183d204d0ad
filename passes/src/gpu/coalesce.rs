//! `coalesce-stores`: what the lanes of a wave store, or add, in steps is stored in rows.
//!
//! A thread that stores the fields of its own struct, one after the other, is beside threads that
//! do the same: each store of the wave touches as many pieces of memory as there are lanes, and
//! writes a part of each. So the values change places first ([`simt::WaveTranspose`]), and each
//! store of the wave writes one row of words that stand beside each other. Of eight words a thread
//! this takes half of the time of stores that memory waits for, of sixteen a quarter; for less than
//! seven it gains nothing. Of atomic additions three words take 0.6 of the time, eight a quarter
//! (measured on an H200). A store of a whole struct of floats, or of a part of one, is a store of
//! each of its words.
//!
//! Nobody can tell, if all lanes of the wave are there and what they store is one range of the
//! buffer. Both are asked when the kernel runs: where one of them does not hold, threads store as
//! the program says.
//! Since another lane writes a thread's words, nobody may access the buffer behind them, but for
//! what a barrier of the group comes before. Stores move down to the last of their block, past what
//! does nothing to their buffer. Those that
//! are the version of others which looks at indices stay ([`agg::LOOKS`]).

use super::additions::{is_addition, leaves_alone, seen_from};
use super::words;
use crate::analysis::costs::{bytes, is_loop};
use crate::analysis::effects::Summary;
use crate::analysis::kernels::numthreads;
use crate::analysis::varying::{Among, is_in_step, varying};
use crate::lower::conditions::sum_of;
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::reflect::{GROUPSHARED, resource_type};
use caustic_dialects::scf::{self, empty_region};
use caustic_dialects::simt::{self, WAVE_SIZE};
use caustic_dialects::{agg, gpu};
use caustic_ir::{Attr, BlockId, Body, Builder, Module, Name, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Words of a thread that stand beside each other, which are stored or added, at least and at most.
const FEWEST_STORED: usize = 7;
const FEWEST_ADDED: usize = 3;
const MOST: u64 = 32;
/// Bytes of the group's memory that the values of all its threads may take, and that a group may
/// have in all. Each row of 32 words may be longer by one.
const BYTES: u64 = 32 << 10;
const ALL_BYTES: u64 = 48 << 10;
const WORD: u64 = 4;
/// Indices that are computed in 32 bits end here.
const LIMIT: i64 = 1 << 31;

passes! {
    /// Stores in rows what the lanes of a wave store in steps.
    pub static COALESCE_STORES: "coalesce-stores" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("stores", "stores and additions that are made in rows"), ("runs", "ranges that they write")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let runs = runs(module, kernel, &summary);
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        for run in &runs {
            report.count("stores", run.stores.len() as u64);
            report.count("runs", 1);
            run.make(&mut symbol.body);
        }
        Ok(Changed::from(!runs.is_empty()))
    })
}

/// A store of one word, or an addition to one, whose index is `stride` times the thread's number
/// along a wave, more by `offset`, more by what is the same for the lanes of a wave. An op may
/// store several.
#[derive(Clone)]
struct Store {
    op: OpId,
    /// Which word of what the op stores.
    part: usize,
    /// Words of an element of the buffer, and which of them this is.
    words: i64,
    within: i64,
    adds: bool,
    buffer: Name,
    /// The buffer, or the floats in it.
    seen: ValueId,
    /// What of the index is no constant.
    of: Vec<(ValueId, i64)>,
    stride: i64,
    offset: i64,
}

impl Store {
    /// Whether no store before it in `stores` is of the same op.
    fn is_first_of(&self, stores: &[Store]) -> bool {
        stores.iter().find(|s| s.op == self.op).is_some_and(|first| first.part == self.part)
    }

    /// Of how many this is to be one.
    fn fewest(&self) -> usize {
        if self.adds { FEWEST_ADDED } else { FEWEST_STORED }
    }
}

/// Stores of a block to words that stand beside each other, in the order of these.
struct Run {
    stores: Vec<Store>,
    /// The last in the block.
    last: OpId,
    /// These, and those of the block whose words are others of the same threads.
    beside: Vec<OpId>,
}

fn runs(module: &Module, kernel: Name, summary: &Summary) -> Vec<Run> {
    let Some(symbol) = module.get(kernel) else { return Vec::new() };
    let threads = numthreads(symbol);
    let (body, wave) = (&symbol.body, i64::from(WAVE_SIZE));
    let in_rows = threads[0] % wave == 0 || threads[1] * threads[2] == 1;
    if threads.iter().product::<i64>() < wave || !in_rows || body.walk_all().len() < FEWEST_ADDED {
        return Vec::new();
    }
    let differ = varying(body, summary, Among::Wave(threads));
    let shared = module.symbols().iter().filter(|s| s.attr(GROUPSHARED).is_some()).filter_map(resource_type);
    let used: u64 = shared.map(|ty| bytes(agg::as_buffer(ty).map_or(ty, |(held, _)| held))).sum();
    let row = WORD * (threads.iter().product::<i64>() as u64).next_multiple_of(32) / 32 * 33;
    let most = (ALL_BYTES.saturating_sub(used).min(BYTES) / row).min(MOST) as usize;
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let blocks = body.walk_all().into_iter().filter_map(|op| body.op(op).block).filter(|&block| seen.insert(block));
    for block in blocks.filter(|&block| is_in_order(body, block, &differ)) {
        let mut open: Vec<Vec<Store>> = Vec::new();
        for op in body.block_ops(block) {
            let stores = stores_of(module, body, op, &differ).unwrap_or_default();
            let Some(store) = stores.first() else {
                close(&mut open, &mut found, most, |group| leaves_alone(body, summary, op, group[0].buffer));
                continue;
            };
            let same =
                |s: &Store| (s.adds, s.seen, s.stride, &s.of) == (store.adds, store.seen, store.stride, &store.of);
            // What another run stores to the buffer may be the same word.
            close(&mut open, &mut found, most, |group| group[0].buffer != store.buffer || same(&group[0]));
            match open.iter_mut().find(|group| same(&group[0])) {
                Some(group) => group.extend(stores),
                None => open.push(stores),
            }
        }
        close(&mut open, &mut found, most, |_| false);
    }
    found.retain(|run| is_last(body, summary, run, &differ));
    found
}

/// Whether nothing accesses the buffer of a run when its words may not have been written yet: what
/// is behind it, and in a loop the next iteration, in which lanes may come to it that part.
fn is_last(body: &Body, summary: &Summary, run: &Run, differ: &FxHashSet<ValueId>) -> bool {
    let ops = body.walk_all();
    let around = |op: OpId| body.op(op).block.and_then(|block| body.parent_op(block));
    let outer: Vec<OpId> = std::iter::successors(around(run.last), |&op| around(op)).collect();
    let loop_around = outer.iter().rposition(|&op| is_loop(body, op));
    if loop_around.is_some_and(|place| outer[..place].iter().any(|&op| !is_in_step(body, op, differ))) {
        return false;
    }
    let blocks: Vec<Option<BlockId>> = outer.iter().chain([&run.last]).map(|&op| body.op(op).block).collect();
    let Some(place) = ops.iter().position(|&op| op == run.last) else { return false };
    let behind = &ops[place + 1..];
    let meets = |&op: &OpId| gpu::Barrier::is(body, op) && blocks.contains(&body.op(op).block);
    let end = behind.iter().position(meets).unwrap_or(behind.len());
    let buffer = run.stores[0].buffer;
    let accesses = |op: OpId| {
        let own = run.beside.contains(&op) || outer.contains(&op) || gpu::Barrier::is(body, op);
        !own && body.op(op).regions.is_empty() && !leaves_alone(body, summary, op, buffer)
    };
    let again = |op: OpId| {
        loop_around.is_some_and(|l| std::iter::successors(around(op), |&o| around(o)).any(|o| o == outer[l]))
    };
    let later = behind[..end].iter().filter(|&&op| !excludes(body, &outer, run.last, op));
    !later.copied().any(accesses) && !ops.iter().any(|&op| again(op) && accesses(op))
}

/// Whether an op stands in another branch than `last`, whose ops around it are `outer`.
fn excludes(body: &Body, outer: &[OpId], last: OpId, op: OpId) -> bool {
    let region_in = |op: OpId, of: OpId| {
        let block = body.op(op).block;
        body.op(of).regions.iter().position(|&r| {
            block.is_some_and(|block| body.region(r).blocks.iter().any(|&b| body.is_block_within(block, b)))
        })
    };
    let common = outer.iter().copied().find(|&of| region_in(op, of).is_some());
    common.is_some_and(|of| scf::If::is(body, of) && region_in(op, of) != region_in(last, of))
}

/// Closes the groups of stores that are not to be kept.
fn close(open: &mut Vec<Vec<Store>>, found: &mut Vec<Run>, most: usize, keep: impl Fn(&[Store]) -> bool) {
    let (kept, closed): (Vec<_>, Vec<_>) = std::mem::take(open).into_iter().partition(|group| keep(group));
    *open = kept;
    found.extend(closed.into_iter().flat_map(|group| ranges(group, most)));
}

/// The ranges of a group of stores that are worth it.
fn ranges(group: Vec<Store>, most: usize) -> Vec<Run> {
    let mut latest: Vec<Store> = Vec::new();
    let order: Vec<OpId> = group.iter().map(|s| s.op).collect();
    let words_of = |op: OpId| order.iter().filter(|&&o| o == op).count();
    for store in group {
        // A word that is stored twice stays as it is, with all others.
        if latest.iter().any(|s| s.offset == store.offset) {
            return Vec::new();
        }
        latest.push(store);
    }
    latest.sort_by_key(|s| s.offset);
    let mut made: Vec<Vec<Store>> = Vec::new();
    for store in latest {
        let follows = |run: &&mut Vec<Store>| {
            let (first, last) = (run[0].offset, run[run.len() - 1].offset);
            last + 1 == store.offset && store.offset - first < store.stride && run.len() < most
        };
        match made.last_mut().filter(follows) {
            Some(run) => run.push(store),
            None => made.push(vec![store]),
        }
    }
    let last_of = |run: &[Store]| order.iter().rev().copied().find(|&op| run.iter().any(|s| s.op == op));
    // An op stores all of its words in one run, or by itself.
    let is_whole = |run: &[Store], op: OpId| run.iter().filter(|s| s.op == op).count() == words_of(op);
    let is_worth = |run: &Vec<Store>| run.len() >= run[0].fewest() && run.iter().all(|s| is_whole(run, s.op));
    let run = |stores: Vec<Store>| Some(Run { last: last_of(&stores)?, stores, beside: order.clone() });
    made.into_iter().filter(is_worth).filter_map(run).collect()
}

/// Whether nothing but branches is between a block and its kernel in which lanes part.
fn is_in_order(body: &Body, block: BlockId, differ: &FxHashSet<ValueId>) -> bool {
    let mut around = body.parent_op(block);
    while let Some(op) = around {
        if !scf::If::is(body, op) && !is_in_step(body, op, differ) {
            return false;
        }
        around = body.op(op).block.and_then(|block| body.parent_op(block));
    }
    true
}

/// What an op stores, word by word.
fn stores_of(module: &Module, body: &Body, op: OpId, differ: &FxHashSet<ValueId>) -> Option<Vec<Store>> {
    let &[value, seen, index] = body.operands(op) else { return None };
    let adds = is_addition(body, op, seen);
    let path = agg::path_of(body, op);
    let is_store = adds && path.is_empty() || agg::BufferStore::is(body, op);
    if !is_store || body.attr(op, agg::LOOKS).is_some() {
        return None;
    }
    let ty = body.ty(value);
    let source = body.def_op(seen_from(body, seen)).filter(|&op| agg::Global::is(body, op))?;
    let buffer = agg::resource_name(body, source)?;
    if module.get(buffer)?.attr(GROUPSHARED).is_some() {
        return None;
    }
    let elem = agg::as_buffer(body.ty(seen))?.0;
    let is_word = ty.is_scalar() && ty.scalar_bits() == Some(32);
    let (words, parts, within) = match is_word && path.is_empty() {
        true => (1, 1, 0),
        false if agg::is_byte_view(body.ty(seen)) || agg::scalars_of(elem) != Some(Type::f32()) => return None,
        false => (words::count(elem)?, words::count(ty)?, words::offset(elem, &path)?),
    };
    let sum = sum_of(body, index, 16)?;
    let mut varying = sum.terms.iter().filter(|t| differ.contains(&t.0));
    let (&(number, steps), None) = (varying.next()?, varying.next()) else { return None };
    let (stride, constant) = (steps.checked_mul(words)?, sum.constant.checked_mul(words)?);
    let mut of = sum.terms.clone();
    of.sort_by_key(|t| t.0.index());
    let first = Store { op, part: 0, words, within, adds, buffer, seen, of, stride, offset: constant + within };
    let at =
        |part: i64| Store { part: part as usize, within: within + part, offset: first.offset + part, ..first.clone() };
    let wanted = follows_lanes(body, number) && stride >= first.fewest() as i64 && parts <= MOST as i64;
    wanted.then(|| (0..parts).map(at).collect())
}

/// Whether the value is one more for each lane of a wave, in 32 bits.
fn follows_lanes(body: &Body, value: ValueId) -> bool {
    let Some(op) = body.def_op(value) else { return false };
    let row = Some(gpu::dim_attr(0));
    use gpu::IdView as V;
    match V::of(body, op) {
        Some(V::GlobalId(id)) => id.dimension(body) == row,
        Some(V::ThreadId(id)) => id.dimension(body) == row,
        _ => false,
    }
}

impl Run {
    /// Makes the stores where the last one stands.
    fn make(&self, body: &mut Body) -> Option<()> {
        let (first, count) = (self.stores.first()?, self.stores.len() as i64);
        let (stride, wave) = (first.stride, i64::from(WAVE_SIZE));
        let mut buffer = body.operand(first.op, 1);
        let mut b = Builder::before(body, self.last)?;
        let values = self.values(&mut b);
        // The index of the first word of the wave, if nothing wraps around.
        let mut own = b.body.operand(first.op, 2);
        if b.ty(own) != Type::index() {
            own = arith::IndexCastUI::build(&mut b, own, Type::index(), &[]);
        }
        if first.words > 1 {
            let (words, within) = (arith::index(&mut b, first.words), arith::index(&mut b, first.within));
            own = arith::MulI::build(&mut b, own, words, &[]);
            own = arith::AddI::build(&mut b, own, within, &[]);
            // Its length is a number of floats.
            buffer = agg::View::build(&mut b, buffer, agg::buffer_type(Type::f32(), true), &[]);
        }
        let lane = gpu::LaneId::build(&mut b, Type::index(), &[]);
        let by = arith::index(&mut b, stride);
        let before = arith::MulI::build(&mut b, lane, by, &[]);
        let start = arith::SubI::build(&mut b, own, before, &[]);
        let span = arith::index(&mut b, (wave - 1) * stride + count);
        let end = arith::AddI::build(&mut b, start, span, &[]);
        let inside = self.stores.iter().all(|s| b.body.attr(s.op, agg::INSIDE).is_some());
        let limit = match inside {
            true => arith::index(&mut b, LIMIT),
            false => {
                let (length, most) =
                    (agg::BufferLen::build(&mut b, buffer, Type::index(), &[]), arith::index(&mut b, LIMIT));
                arith::MinSI::build(&mut b, length, most, &[])
            }
        };
        let zero = arith::index(&mut b, 0);
        let begins = arith::cmpi(&mut b, IntPredicate::Sge, start, zero);
        let ends = arith::cmpi(&mut b, IntPredicate::Sle, end, limit);
        let fits = arith::AndI::build(&mut b, begins, ends, &[]);
        let lanes = simt::WaveBallot::build(&mut b, fits, &[], Type::i32(), &[]);
        let all = arith::int(&mut b, -1, Type::i32());
        let complete = arith::cmpi(&mut b, IntPredicate::Eq, lanes, all);
        let branch = b.create(scf::If::DEF, &[complete], &[], &[], 2);
        let then = empty_region(&mut b, branch, 0, &[]);
        let other = empty_region(&mut b, branch, 1, &[]);
        let mut t = b.before_end(then);
        let types: Vec<Type> = values.iter().map(|&v| t.ty(v)).collect();
        let transposed = t.create(simt::WaveTranspose::DEF, &values, &types, &[(simt::COMPLETE, Attr::unit())], 0);
        for (row, value) in t.body.results(transposed).to_vec().into_iter().enumerate() {
            let at = arith::index(&mut t, row as i64 * wave);
            let mut place = arith::AddI::build(&mut t, lane, at, &[]);
            if count < stride {
                // Between the words of two threads others stand.
                let (of, more) = (arith::index(&mut t, count), arith::index(&mut t, stride - count));
                let threads = arith::DivUI::build(&mut t, place, of, &[]);
                let between = arith::MulI::build(&mut t, threads, more, &[]);
                place = arith::AddI::build(&mut t, place, between, &[]);
            }
            let index = arith::AddI::build(&mut t, start, place, &[]);
            let attrs = t.body.op(first.op).attrs.clone();
            let (def, results) = (t.body.op(first.op).def, if first.adds { &types[..1] } else { &[] });
            let store = t.create(def, &[value, buffer, index], results, &[], 0);
            t.body.set_attrs(store, attrs);
            t.body.set_attr(store, "path", Attr::i64_array(&[]));
            t.body.set_attr(store, agg::INSIDE, Attr::unit());
        }
        let end = body.last_op(other);
        for store in self.stores.iter().filter(|store| store.is_first_of(&self.stores)) {
            body.move_op(store.op, other, end);
        }
        Some(())
    }

    /// What is stored, as words of one type.
    fn values(&self, b: &mut Builder<'_>) -> Vec<ValueId> {
        let mut taken: FxHashMap<OpId, Vec<ValueId>> = FxHashMap::default();
        let word = |s: &Store| {
            let value = b.body.operand(s.op, 0);
            taken.entry(s.op).or_insert_with(|| words::of(b, value))[s.part]
        };
        self.stores.iter().map(word).collect()
    }
}
