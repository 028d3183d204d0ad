//! Which cotangents loops make dense, and which stay so: what iterations pass on as a whole, and
//! arrays whose elements each have an iteration of their own.

use super::Analysis;
use crate::analysis::access::is_counter;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{agg, scf};
use caustic_ir::{BlockId, OpId, ValueId};
use rustc_hash::FxHashSet;

/// A value that a loop carries: what it starts from, the argument of the loop's block, and what an
/// iteration passes on.
struct Carried {
    init: ValueId,
    arg: ValueId,
    next: ValueId,
}

impl Analysis<'_> {
    /// Whether `from` gets all parts of the cotangent of `to`, in the same block: if that is dense,
    /// this is. A loop passes on the cotangent of its result if each of its iterations does; so
    /// does adding to an element in place (`a[i] += x`).
    pub(super) fn passes_all_parts(&self, from: ValueId, to: ValueId) -> bool {
        let src = self.src;
        let block = src.def_block(from);
        let (mut todo, mut seen) = (vec![to], FxHashSet::default());
        while let Some(value) = todo.pop() {
            if value == from {
                return true;
            }
            let Some(op) = src.def_op(value).filter(|&op| src.op(op).block == block && seen.insert((op, value))) else {
                continue;
            };
            if ad::TAdd::is(src, op) {
                todo.extend(src.operands(op));
            } else if ad::TNeg::is(src, op) || ad::TScale::is(src, op) || ad::TCast::is(src, op) {
                todo.push(src.operand(op, 0));
            } else if ad::TInsert::is(src, op) {
                todo.extend(
                    self.read_in_place(op)
                        .filter(|&old| self.passes_all_parts(old, src.operand(op, 0)))
                        .map(|_| src.operand(op, 1)),
                );
            } else if scf::For::is(src, op) {
                todo.extend(self.carried(op, value).filter(|c| self.passes_all_parts(c.arg, c.next)).map(|c| c.init));
            }
        }
        false
    }

    /// The element that an insertion replaces, as its block reads it.
    fn read_in_place(&self, insert: OpId) -> Option<ValueId> {
        let src = self.src;
        let (base, place) = (src.operand(insert, 1), ad::TInsert(insert).indices(src));
        let reads = |op: OpId| {
            ad::TExtract::is(src, op)
                && src.op(op).block == src.op(insert).block
                && src.operand(op, 0) == base
                && ad::TExtract(op).indices(src) == place
                && agg::path_of(src, op) == agg::path_of(src, insert)
        };
        src.uses(base).iter().map(|u| u.op).find(|&op| reads(op)).map(|op| src.result(op, 0))
    }

    /// The value that a loop carries for one of its results.
    fn carried(&self, op: OpId, result: ValueId) -> Option<Carried> {
        let src = self.src;
        let block = src.region_block(op, 0)?;
        let k = src.results(op).iter().position(|&r| r == result)?;
        let tangent = |v: &&ValueId| is_tangent(src.ty(**v));
        let arg = *src.args(block).iter().filter(tangent).nth(k)?;
        let init = *src.operands(op).iter().filter(tangent).nth(k)?;
        let next = *src.operands(src.terminator(block)?).get(k)?;
        Some(Carried { arg, init, next })
    }

    /// Whether an op of a loop's body reads or writes the element of an array whose number is the
    /// loop's counter, which has `count` values.
    fn is_at_counter(&self, op: OpId, block: BlockId, count: i64) -> bool {
        let src = self.src;
        let from = if ad::TExtract::is(src, op) { 1 } else { 2 };
        let steps = agg::path_of(src, op);
        let Some(&index) = src.operands(op).get(from).filter(|_| steps == [-1]) else { return false };
        src.op(op).block == Some(block) && is_counter(src, index, block, count)
    }

    /// Whether a loop that counts to `count` makes the cotangent of an array dense: each iteration
    /// reads the element whose number the counter is, and that element's cotangent is dense.
    pub(super) fn reaches_all(&self, array: ValueId, block: BlockId, count: Option<i64>) -> bool {
        let src = self.src;
        let Some((len, _)) = agg::as_array(ad::strip_tangent(src.ty(array))) else { return false };
        let Some(count) = count.filter(|&n| n >= len as i64) else { return false };
        let reads = |op: OpId| {
            self.dense_reads.contains(&op) && src.operand(op, 0) == array && self.is_at_counter(op, block, count)
        };
        src.uses(array).iter().any(|u| reads(u.op))
    }

    /// The op by which a loop writes the array that it carries as `arg`, if that is only at the
    /// element whose number its counter is. The cotangent of that element then is what it is behind
    /// the loop.
    pub(super) fn written_once(&self, arg: ValueId, next: ValueId, block: BlockId, count: Option<i64>) -> Option<OpId> {
        let src = self.src;
        let (len, _) = agg::as_array(ad::strip_tangent(src.ty(arg)))?;
        let count = count.filter(|&n| n <= len as i64);
        let op = src.def_op(next).filter(|&op| ad::TInsert::is(src, op) && src.operand(op, 1) == arg)?;
        self.is_at_counter(op, block, count?).then_some(op)
    }
}
