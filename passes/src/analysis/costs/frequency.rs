//! How often code runs and how many bytes values take: what costs of ops and of storage are
//! multiplied by.
//!
//! It must not know what any op costs but through [`Costs`].

use super::Costs;
use crate::analysis::bound;
use crate::analysis::stage;
use caustic_dialects::agg::{StructType, as_array, as_tape};
use caustic_dialects::{arith, scf};
use caustic_ir::{BlockId, Body, OpId, Type};

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

/// The trip count of a loop, or a guess.
pub fn trips(body: &Body, op: OpId) -> u64 {
    let upper = scf::For::cast(body, op).map(|counted| counted.upper(body));
    let known = upper.and_then(|upper| arith::constant_of(body, upper)?.as_int());
    let known = known.or_else(|| scf::max_iters(body, op));
    known.map_or(UNKNOWN_TRIPS, |n| n.max(0) as u64)
}

pub fn is_loop(body: &Body, op: OpId) -> bool {
    scf::For::is(body, op) || scf::While::is(body, op)
}

/// A residual of a loop with more iterations than this goes to a tape, which takes only the room
/// that is used.
pub(super) const LARGEST_ARRAY: i64 = 1 << 16;
/// The same of a loop that may end before its counter does: most of the room could be for nothing.
const LARGEST_BOUND: i64 = 32;

/// The elements of the arrays for a loop's residuals, one for each iteration that there can be;
/// nothing if they go to tapes.
pub fn room(body: &Body, op: OpId) -> Option<i64> {
    let int = |name: &str| body.attr(op, name).and_then(|a| a.as_int());
    match trip_count(body, op) {
        Some(count) => (count <= int(stage::ROOM).unwrap_or(LARGEST_ARRAY)).then_some(count),
        None => {
            let largest = int(stage::ROOM).unwrap_or(LARGEST_BOUND);
            at_most(body, op).filter(|&n| n <= largest).or(int(stage::PROMISED))
        }
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

/// Marks loops with many iterations whose residuals may have arrays all the same: those that run to
/// their end whenever the function does, so that no room is made for nothing.
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

/// How often each block runs in one call: the product of the trip counts around it, and how many
/// loops that are.
pub struct Frequencies {
    blocks: rustc_hash::FxHashMap<BlockId, (u64, u32)>,
}

impl Frequencies {
    pub fn of(body: &Body) -> Frequencies {
        let mut out = Frequencies { blocks: rustc_hash::FxHashMap::default() };
        out.blocks.extend(body.entry().map(|entry| (entry, (1, 0))));
        for op in body.walk_all() {
            out.add(body, op);
        }
        out
    }

    /// The blocks of an op; what is around it is known.
    pub fn add(&mut self, body: &Body, op: OpId) {
        let data = body.op(op);
        let (around, depth) = data.block.and_then(|b| self.blocks.get(&b).copied()).unwrap_or((1, 0));
        let own = if is_loop(body, op) {
            (around.saturating_mul(trips(body, op).max(1)).min(MOST_TRIPS), depth + 1)
        } else {
            (around, depth)
        };
        for &region in &data.regions {
            self.blocks.extend(body.region(region).blocks.iter().map(|&b| (b, own)));
        }
    }

    pub fn runs(&self, block: BlockId) -> u64 {
        self.blocks.get(&block).map_or(1, |b| b.0)
    }
    pub fn depth(&self, block: BlockId) -> u32 {
        self.blocks.get(&block).map_or(0, |b| b.1)
    }

    /// One execution of an op with all that its regions do, calls left out.
    pub fn total_work(&self, costs: &Costs, body: &Body, op: OpId) -> u64 {
        self.total(body, op, |op| costs.work(body, op))
    }

    /// The same of an op that runs again for its derivative ([`Costs::work_again`]).
    pub fn total_work_again(&self, costs: &Costs, body: &Body, op: OpId) -> u64 {
        self.total(body, op, |op| costs.work_again(body, op))
    }

    fn total(&self, body: &Body, op: OpId, once: impl Fn(OpId) -> u64) -> u64 {
        let outside = body.op(op).block.map_or(1, |b| self.runs(b)).max(1);
        let mut sum = once(op);
        for &region in &body.op(op).regions {
            for inner in body.walk(region) {
                let often = body.op(inner).block.map_or(1, |b| self.runs(b)) / outside;
                sum = sum.saturating_add(once(inner).saturating_mul(often.max(1)));
            }
        }
        sum.min(1 << 40)
    }
}
