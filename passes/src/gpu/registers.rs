//! `unroll-arrays`: short loops that go through local arrays become straight-line code, so that the
//! arrays are registers.
//!
//! A GPU has no registers that can be indexed: an array with one index that is not known lies in
//! local memory as a whole. So a loop is unrolled if that leaves an array that only known indices
//! go into. Arrays that are one storage (what a loop carries, what an update makes of another) are
//! looked at together; loops that would become too long stay, and so do those of the arrays that
//! they index.
//!
//! An array that is local memory elsewhere may still be registers while one loop runs: inside of
//! the loop over the rows of a matrix, the vector that it is multiplied by has known indices once
//! the loop over a row is straight-line code. What goes in is read before the loop, what comes out
//! is written after it.
//!
//! The pass works on kernels after inlining.

use super::unroll_chosen::unroll_chosen;
use crate::analysis::access::{Path, Step, made_of, read_of, write_of};
use crate::analysis::consts::Constants;
use crate::analysis::costs::bytes;
use crate::manager::PassReport;
use crate::passes;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, branch_ends};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::eval::Eval;
use caustic_ir::{Body, Module, OpId, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Ops that a loop may become, and that may be added to a kernel.
const LOOP_OPS: usize = 2048;
const KERNEL_OPS: usize = 6000;
/// Loops that become more ops than this, and more for each access to a local array, stay: they
/// spend their time on other things, and straight-line code takes more registers (209 in place of
/// 110 for a sum of four samples, by ptxas for sm_90).
const SMALL: usize = 256;
const ACCESS_OPS: usize = 48;
/// Bytes of arrays that fit into a thread's registers beside everything else.
const BYTES: u64 = 256;
/// Ops that a function of floats becomes.
const FUNCTION_OPS: usize = 12;
/// Ops that an index is looked through.
const DEPTH: u32 = 16;

passes! {
    /// Unrolls short loops whose counters are the only unknown indices of local arrays.
    pub static UNROLL_ARRAYS: "unroll-arrays" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("unrolled", "loops")],
        run: |module: &mut Module, report: &mut PassReport| unroll_chosen(module, report, chosen),
    }
}

/// Values that are one storage, by union of sets.
#[derive(Default)]
struct Webs {
    parents: FxHashMap<ValueId, ValueId>,
}

impl Webs {
    fn find(&mut self, value: ValueId) -> ValueId {
        let mut root = value;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        let mut at = value;
        while at != root {
            let Some(next) = self.parents.insert(at, root) else { break };
            at = next;
        }
        root
    }
    fn join(&mut self, values: impl IntoIterator<Item = ValueId>) {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return };
        for other in values {
            let (a, b) = (self.find(first), self.find(other));
            if a != b {
                self.parents.insert(b, a);
            }
        }
    }

    /// What `op` makes one storage.
    fn add(&mut self, body: &Body, op: OpId) {
        let nth = |values: &[ValueId], n: usize| values.get(n).copied().filter(|&v| is_local(body.ty(v)));
        if let Some(parts) = ForParts::of(body, op) {
            for n in 0..parts.carried {
                let places = [
                    nth(body.operands(op), BOUNDS + n),
                    nth(body.args(parts.body), 1 + n),
                    nth(body.operands(parts.end), n),
                    nth(body.results(op), n),
                ];
                self.join(places.into_iter().flatten());
            }
        } else if let Some(parts) = WhileParts::of(body, op) {
            for n in 0..parts.inputs {
                let places =
                    [nth(body.operands(op), n), nth(body.args(parts.before), n), nth(body.operands(parts.end), n)];
                self.join(places.into_iter().flatten());
            }
            for n in 0..body.results(op).len() {
                let places = [
                    nth(body.operands(parts.condition), n + 1),
                    nth(body.args(parts.after), n),
                    nth(body.results(op), n),
                ];
                self.join(places.into_iter().flatten());
            }
        } else if let Some(ends) = branch_ends(body, op) {
            for n in 0..body.results(op).len() {
                let yielded: Vec<ValueId> = ends.iter().filter_map(|&end| nth(body.operands(end), n)).collect();
                self.join(yielded.into_iter().chain(nth(body.results(op), n)));
            }
        } else if made_of(body, op).is_some() || !body.results(op).is_empty() {
            let all = body.operands(op).iter().chain(body.results(op)).copied();
            self.join(all.filter(|&v| is_local(body.ty(v))).collect::<Vec<_>>());
        }
    }
}

/// Whether values of this type are arrays, or hold some.
fn is_local(ty: Type) -> bool {
    ty.is_vector() || agg::is_aggregate(ty)
}

/// Loops with known bounds that `value` is computed from with constants alone; `None` if it needs
/// anything else.
pub(super) fn counters(body: &Body, value: ValueId, depth: u32) -> Option<Vec<OpId>> {
    if arith::constant_of(body, value).is_some() {
        return Some(Vec::new());
    }
    if let ValueDef::Arg { block, index: 0 } = body.def(value) {
        return body.parent_op(block).filter(|&op| scf::For::is(body, op)).map(|op| vec![op]);
    }
    let op = body.def_op(value).filter(|&op| matches!(body.op(op).def.eval, Eval::Scalar(_)))?;
    let depth = depth.checked_sub(1)?;
    let mut found = Vec::new();
    for &operand in body.operands(op) {
        found.extend(counters(body, operand, depth)?);
    }
    Some(found)
}

/// How much an op counts.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Weigh {
    /// As one, however many lanes it has.
    Ops,
    /// As one for each lane.
    Lanes,
}

/// The loops of a function that become no more than so many ops if they are unrolled, each with
/// their number.
pub(super) struct Sizes {
    most: usize,
    weigh: Weigh,
    constants: Constants,
    pub(super) short: FxHashMap<OpId, usize>,
    trips: FxHashMap<OpId, usize>,
}

impl Sizes {
    pub(super) fn all(body: &Body, most: usize, weigh: Weigh) -> Sizes {
        let (short, trips) = (FxHashMap::default(), FxHashMap::default());
        let mut sizes = Sizes { most, weigh, constants: Constants::default(), short, trips };
        for op in body.entry().map(|entry| body.block_ops(entry)).unwrap_or_default() {
            sizes.of(body, op);
        }
        sizes
    }

    /// How often a short loop runs.
    pub(super) fn trips_of(&self, op: OpId) -> Option<usize> {
        self.trips.get(&op).copied()
    }

    fn of(&mut self, body: &Body, op: OpId) -> usize {
        let mut inside = 0;
        for &region in &body.op(op).regions {
            for &block in &body.region(region).blocks {
                inside += body.block_ops(block).into_iter().map(|op| self.of(body, op)).sum::<usize>();
            }
        }
        if let Some(trips) = self.constants.trips(body, op)
            && let Some(size) = trips.checked_mul(inside).filter(|&size| size <= self.most)
        {
            self.short.insert(op, size);
            self.trips.insert(op, trips);
            return size;
        }
        inside + self.own(body, op)
    }

    /// What an op counts without what is in it.
    fn own(&mut self, body: &Body, op: OpId) -> usize {
        let results = body.results(op);
        // In straight-line code counters are numbers, and so is what is computed from them.
        let loops = results.first().and_then(|&r| counters(body, r, DEPTH));
        if loops.is_some_and(|all| all.iter().all(|&l| self.constants.trips(body, l).is_some())) {
            return 0;
        }
        let lanes = results.first().map_or(1, |&r| body.ty(r).num_elements());
        let each = if body.op(op).def.dialect() == "math" { FUNCTION_OPS } else { 1 };
        each * if self.weigh == Weigh::Lanes { lanes.max(1) } else { 1 }
    }

    /// Without loops that do much else for each access to a local array.
    fn leave_heavy(&mut self, body: &Body, accesses: impl Iterator<Item = OpId>) {
        let mut counts: FxHashMap<OpId, usize> = FxHashMap::default();
        for access in accesses {
            let (mut op, mut times) = (access, 1usize);
            while let Some(outer) = body.op(op).block.and_then(|b| body.parent_op(b)) {
                times = times.saturating_mul(self.trips.get(&outer).copied().unwrap_or(1));
                *counts.entry(outer).or_default() += times;
                op = outer;
            }
        }
        let accesses = |op: &OpId| counts.get(op).copied().unwrap_or(0);
        self.short.retain(|op, size| *size <= SMALL || *size <= ACCESS_OPS.saturating_mul(accesses(op)));
    }
}

/// Places in local arrays, with what is indexed.
fn accesses(body: &Body, op: OpId) -> Option<(ValueId, Path)> {
    let read = || read_of(body, op).map(|r| (r.from, r.path));
    write_of(body, op).map(|w| (w.into, w.path)).or_else(read)
}

/// A place in a local array: what is indexed, how large it is as a whole, and the loops whose
/// counters the indices are made of, `None` if they are made of anything else.
struct Access {
    array: ValueId,
    bytes: u64,
    loops: Option<Vec<OpId>>,
}

impl Access {
    fn of(body: &Body, op: OpId) -> Option<Access> {
        let (array, path) = accesses(body, op)?;
        let mut loops = Some(Vec::new());
        for step in path {
            let Step::By(index) = step else { continue };
            loops = loops.zip(counters(body, index, DEPTH)).map(|(all, more)| [all, more].concat());
        }
        Some(Access { array, bytes: bytes(body.ty(array)), loops })
    }
}

/// The loops that leave nothing but known indices of whole storages, where `ops` are unrolled that
/// are `short`.
fn of_storages(
    body: &Body,
    ops: &[OpId],
    places: &FxHashMap<OpId, Access>,
    short: &dyn Fn(&OpId) -> bool,
    room: u64,
) -> FxHashSet<OpId> {
    let mut webs = Webs::default();
    for &op in ops {
        webs.add(body, op);
    }
    // Of each storage its size and the loops that index it; `None` where one is not short, or an
    // index is something else.
    let mut loops: FxHashMap<ValueId, (u64, Option<Vec<OpId>>)> = FxHashMap::default();
    for place in ops.iter().filter_map(|op| places.get(op)) {
        let found = place.loops.clone().filter(|all| all.iter().all(short)).filter(|_| place.bytes <= BYTES);
        let (size, all) = loops.entry(webs.find(place.array)).or_insert_with(|| (0, Some(Vec::new())));
        *size = (*size).max(place.bytes);
        *all = all.take().zip(found).map(|(all, more)| [all, more].concat());
    }
    let indexed = |(size, all): (u64, Option<Vec<OpId>>)| all.filter(|all| !all.is_empty()).map(|all| (size, all));
    let mut found: Vec<(u64, Vec<OpId>)> = loops.into_values().filter_map(indexed).collect();
    if found.iter().map(|(size, _)| size).sum::<u64>() > room {
        found.clear();
    }
    found.into_iter().flat_map(|(_, all)| all).collect()
}

/// The loops to unroll.
fn chosen(body: &Body) -> Vec<OpId> {
    let mut sizes = Sizes::all(body, LOOP_OPS, Weigh::Ops);
    if sizes.short.is_empty() {
        return Vec::new();
    }
    let ops = body.walk(body.root());
    let places: FxHashMap<OpId, Access> = ops.iter().filter_map(|&op| Access::of(body, op).map(|a| (op, a))).collect();
    sizes.leave_heavy(body, places.keys().copied());
    let mut wanted = of_storages(body, &ops, &places, &|l| sizes.short.contains_key(l), u64::MAX);
    for &outer in ops.iter().filter(|&&op| scf::For::is(body, op) || scf::While::is(body, op)) {
        let inside: Vec<OpId> = body.op(outer).regions.iter().flat_map(|&region| body.walk(region)).collect();
        if inside.iter().any(|op| sizes.short.contains_key(op)) {
            let among: FxHashSet<OpId> = inside.iter().copied().collect();
            let short = |l: &OpId| among.contains(l) && sizes.short.contains_key(l);
            let all = [&[outer], &inside[..]].concat();
            wanted.extend(of_storages(body, &all, &places, &short, BYTES));
        }
    }
    let mut budget = KERNEL_OPS;
    let mut fits = |op: &OpId| match sizes.short.get(op).and_then(|&size| budget.checked_sub(size)) {
        Some(rest) => {
            budget = rest;
            true
        }
        None => false,
    };
    ops.into_iter().filter(|op| wanted.contains(op)).filter(|op| fits(op)).collect()
}
