//! What storing and computing cost: the numbers behind every choice, in one place, with a row for each kind of machine ([`CPU`], [`GPU`]).
//!
//! The unit is one simple operation on a scalar. The numbers need to be right in proportion only: what is close may go either way. They decide how a
//! derivative is computed, never what it is.

use crate::analysis::bound;
use crate::analysis::stage;
use caustic_dialects::agg::{StructType, as_array, as_tape};
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, OpId, Type};

/// What a kind of machine asks for: a row for each, in units of one simple operation on a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    pub machine: &'static str,
    /// A function of a float (`exp`, `sin`, a root).
    pub function: u64,
    /// Storing a byte in each iteration and reading it back: it goes through memory, and the more of it there is the farther away it lies.
    pub keep_byte: u64,
    /// Storing anything in each iteration, whatever its size: finding its place, twice.
    pub keep_each: u64,
    /// A byte of what stands outside of all loops: it is written once, and often not at all once halves are inlined.
    pub keep_byte_once: u64,
    /// An inner loop whose residuals would take more than this over all rounds of the loops around it is run again instead.
    pub largest_footprint: u64,
    /// Room for the snapshots of one loop, in bytes.
    pub snapshots: u64,
    /// The most iterations of a loop that runs whenever its function does for which residuals have arrays.
    pub largest_array: i64,
    /// What storing costs where all that a function stores in its loops lies close by.
    pub near: Option<Near>,
}

/// Storage that is quicker, and of which there is little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// Bytes that a function may store in its loops in all.
    pub room: u64,
    pub keep_byte: u64,
    pub keep_each: u64,
}

/// A core with caches of its own.
pub static CPU: Costs = Costs {
    machine: "cpu",
    function: 12,
    keep_byte: 4,
    keep_each: 2,
    keep_byte_once: 1,
    largest_footprint: 1 << 18,
    snapshots: 1 << 16,
    largest_array: 1 << 20,
    near: None,
};

/// Thousands of threads that share a cache: what each stores in a loop goes to the memory of the device, and units of their own compute functions. But for a little: the
/// first-level cache has 128 bytes for each thread that a processor can have (256 KB for 2048).
///
/// On an H200 the derivatives of two programs that choose differently, in ms, by `keep_byte` and `keep_each`: a path tracer, which stores 416, 384 and 256 bytes, takes 0.479 with 3
/// and 2, 0.403 with 4 to 12 and 2 to 4, 0.452 with 24 and 8 and more; a mixture 0.202 with the first, which stores 100 bytes in place of computing 25 exponentials again, 0.222 with
/// the others. Other kernels of the bench store the same with all of them.
pub static GPU: Costs = Costs {
    machine: "gpu",
    function: 8,
    keep_byte: 12,
    keep_each: 4,
    keep_byte_once: 1,
    largest_footprint: 1 << 13,
    snapshots: 1 << 10,
    largest_array: LARGEST_ARRAY,
    near: Some(Near { room: 128, keep_byte: 3, keep_each: 2 }),
};

/// Iterations of a loop of which nothing is known.
pub const UNKNOWN_TRIPS: u64 = 64;
/// Trip counts multiply up to here, so that products of costs fit.
const MOST_TRIPS: u64 = 1 << 32;

/// Bytes of a value, without padding; of a tape, of one element for each of [`UNKNOWN_TRIPS`].
pub fn bytes(ty: Type) -> u64 {
    if ty.is_vector() {
        return ty.num_elements() as u64 * bytes(ty.elem());
    }
    if let Some((count, elem)) = as_array(ty) {
        return count.saturating_mul(bytes(elem));
    }
    if let Some(elem) = as_tape(ty) {
        return UNKNOWN_TRIPS.saturating_mul(bytes(elem));
    }
    if let Some(s) = StructType::of(ty) {
        return s.fields().map(|f| bytes(f.ty)).fold(0, u64::saturating_add);
    }
    // An index is as wide as a pointer; what has no width is a handle.
    ty.scalar_bits().map_or(8, |bits| u64::from(bits).div_ceil(8))
}

/// Scalars that an op on this type works on.
fn lanes(ty: Type) -> u64 {
    if ty.is_scalar() { 1 } else { (bytes(ty) / 4).max(1) }
}

impl Costs {
    /// One execution of an op, without what its regions do.
    pub fn work(&self, body: &Body, op: OpId) -> u64 {
        let data = body.op(op);
        let lanes = data.results.iter().map(|&r| lanes(body.ty(r))).max().unwrap_or(1);
        match data.def.dialect() {
            _ if data.def.is_terminator() || data.operands.is_empty() => 0,
            "math" => self.function * lanes,
            _ => lanes,
        }
    }

    /// The same with storage that is close by.
    pub fn with(&self, near: Near) -> Costs {
        Costs { keep_byte: near.keep_byte, keep_each: near.keep_each, ..*self }
    }

    /// Storing each of some bytes that are made in a block so deep in loops, and what comes on top of that.
    pub fn keep(&self, depth: u32) -> (u64, u64) {
        if depth == 0 { (self.keep_byte_once, 0) } else { (self.keep_byte, self.keep_each) }
    }
}

/// The trip count of a loop, or a guess.
pub fn trips(body: &Body, op: OpId) -> u64 {
    let constant = |n: usize| caustic_dialects::arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
    let known = if scf::For::is(body, op) { constant(1) } else { None };
    let known = known.or_else(|| body.attr(op, "max_iters").and_then(|a| a.as_int()));
    known.map_or(UNKNOWN_TRIPS, |n| n.max(0) as u64)
}

pub fn is_loop(body: &Body, op: OpId) -> bool {
    scf::For::is(body, op) || scf::While::is(body, op)
}

/// A residual of a loop with more iterations than this goes to a tape, which takes only the room that is used.
const LARGEST_ARRAY: i64 = 1 << 16;
/// The same of a loop that may end before its counter does: most of the room could be for nothing.
const LARGEST_BOUND: i64 = 32;

/// The elements of the arrays for a loop's residuals, one for each iteration that there can be; nothing if they go to tapes.
pub fn room(body: &Body, op: OpId) -> Option<i64> {
    let int = |name: &str| body.attr(op, name).and_then(|a| a.as_int());
    match trip_count(body, op) {
        Some(count) => (count <= int(stage::ROOM).unwrap_or(LARGEST_ARRAY)).then_some(count),
        None => at_most(body, op).filter(|&n| n <= LARGEST_BOUND),
    }
}

/// Iterations that a loop without a constant trip count cannot exceed.
pub fn at_most(body: &Body, op: OpId) -> Option<i64> {
    if scf::While::is(body, op) {
        return bound::proven(body, op);
    }
    body.attr(op, stage::AT_MOST).and_then(|a| a.as_int())
}

fn trip_count(body: &Body, op: OpId) -> Option<i64> {
    if !scf::For::is(body, op) {
        return None;
    }
    caustic_dialects::arith::constant_of(body, body.operand(op, 1))?.as_int()
}

/// Marks loops with many iterations whose residuals may have arrays all the same: those that run to their end whenever the function does, so that no
/// room is made for nothing.
pub fn make_room(body: &mut Body, costs: &Costs) {
    for op in body.walk_all() {
        let whole = body.op(op).block.is_some() && body.op(op).block == body.entry();
        if whole && trip_count(body, op).is_some_and(|n| n > LARGEST_ARRAY && n <= costs.largest_array) {
            body.set_attr(op, stage::ROOM, caustic_ir::Attr::i64(costs.largest_array));
        }
    }
}

/// Whether a loop's trip count is a constant.
pub fn is_counted(body: &Body, op: OpId) -> bool {
    scf::For::is(body, op) && caustic_dialects::arith::constant_of(body, body.operand(op, 1)).is_some()
}

/// How often each block runs in one call: the product of the trip counts around it, and how many loops that are.
pub struct Frequencies {
    blocks: rustc_hash::FxHashMap<BlockId, (u64, u32)>,
}

impl Frequencies {
    pub fn of(body: &Body) -> Frequencies {
        let mut blocks: rustc_hash::FxHashMap<BlockId, (u64, u32)> = rustc_hash::FxHashMap::default();
        if let Some(entry) = body.entry() {
            blocks.insert(entry, (1, 0));
        }
        for op in body.walk_all() {
            let data = body.op(op);
            let (around, depth) = data.block.and_then(|b| blocks.get(&b).copied()).unwrap_or((1, 0));
            let own = if is_loop(body, op) {
                (around.saturating_mul(trips(body, op).max(1)).min(MOST_TRIPS), depth + 1)
            } else {
                (around, depth)
            };
            for &region in &data.regions {
                blocks.extend(body.region(region).blocks.iter().map(|&b| (b, own)));
            }
        }
        Frequencies { blocks }
    }

    pub fn runs(&self, block: BlockId) -> u64 {
        self.blocks.get(&block).map_or(1, |b| b.0)
    }
    pub fn depth(&self, block: BlockId) -> u32 {
        self.blocks.get(&block).map_or(0, |b| b.1)
    }

    /// One execution of an op with all that its regions do, calls left out.
    pub fn total_work(&self, costs: &Costs, body: &Body, op: OpId) -> u64 {
        let outside = body.op(op).block.map_or(1, |b| self.runs(b)).max(1);
        let mut sum = costs.work(body, op);
        for &region in &body.op(op).regions {
            for inner in body.walk(region) {
                let often = body.op(inner).block.map_or(1, |b| self.runs(b)) / outside;
                sum = sum.saturating_add(costs.work(body, inner).saturating_mul(often.max(1)));
            }
        }
        sum.min(1 << 40)
    }
}
