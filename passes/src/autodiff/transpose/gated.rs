//! What is known of where a cotangent is zero, as it flows.
//!
//! A product of a masked cotangent with a partial may be NaN though the gate is closed: the partial may be infinite.
//! Products are taken as they come, and the gate of such a cotangent is *pending*. It is applied (a select) before the
//! cotangent is added to one behind another gate, changes its shape, or leaves the block. So a chain of products takes
//! one select, at its end.
//!
//! Parts of an aggregate are too many for a gate each. A cotangent that is not dense, and of which no gate says where
//! it is an exact zero, takes part in products in which a zero annihilates (`ad.scale` with `strong`). These stay what
//! they are in the derivative of the derivative. Its dense parts are known as long as they are named ([`DenseParts`],
//! always where its gate is open). When all parts are dense, the cotangent is.

use super::dense::DenseParts;
use super::{Flow, Transposer};
use crate::autodiff::gates::{self, Gate, Reached};
use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, BlockId, Builder, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

/// A counter with so many values is the same in any integer type.
const MAX_NARROW_COUNT: i64 = 127;

/// A value that a loop carries: what it starts from, the argument of the loop's block, and what an iteration passes on.
struct Carried {
    init: ValueId,
    arg: ValueId,
    next: ValueId,
}

impl Transposer<'_> {
    /// The cotangent after its pending gate is applied: an exact zero where that is closed.
    pub(super) fn gate_applied(&mut self, b: &mut Builder<'_>, cotangent: ValueId) -> ValueId {
        if !self.gate_pending.contains(&cotangent) {
            return cotangent;
        }
        let Some(gate) = self.gates.get(&cotangent).copied() else { return cotangent };
        let applied = gate.select(b, cotangent);
        self.gates.insert(applied, gate);
        self.set_dense_parts(applied, self.dense_parts(cotangent));
        applied
    }

    /// Applies the pending gate of a value's cotangent.
    pub(super) fn apply_gate(&mut self, b: &mut Builder<'_>, value: ValueId) {
        if let Some(&c) = self.cotangents.get(&value) {
            let applied = self.gate_applied(b, c);
            self.cotangents.insert(value, applied);
        }
    }

    /// `to` is made of `from` and keeps its shape: the gate is pending for it if it is for `from`, and it is as dense.
    pub(super) fn inherit(&mut self, from: ValueId, to: ValueId) {
        if self.gate_pending.contains(&from) {
            self.gate_pending.insert(to);
        }
        self.set_dense_parts(to, self.dense_parts(from));
    }

    /// Which parts of a cotangent are dense where its gate is open.
    pub(super) fn dense_parts(&self, cotangent: ValueId) -> DenseParts {
        self.partly_dense.get(&cotangent).cloned().unwrap_or_else(DenseParts::whole)
    }

    /// Notes that only these parts of a cotangent are surely dense.
    pub(super) fn set_dense_parts(&mut self, cotangent: ValueId, dense: DenseParts) {
        if !dense.is_whole() {
            self.partly_dense.insert(cotangent, dense);
        }
    }

    /// The dense parts of a cotangent that leaves a region: a gate on lanes ends there, and takes its knowledge along.
    pub(super) fn dense_parts_at_end(&self, b: &Builder<'_>, cotangent: ValueId) -> DenseParts {
        let lanes = self.gates.get(&cotangent).is_some_and(|g| !g.is_scalar(b));
        if lanes { DenseParts::none() } else { self.dense_parts(cotangent) }
    }

    /// Whether a part of a value's cotangent is dense wherever its flag says that it was reached
    /// ([`Self::part_reached`]).
    pub(super) fn part_is_dense(&self, b: &Builder<'_>, whole: ValueId, part: usize) -> bool {
        match self.split.get(&whole) {
            None => self.cotangents.get(&whole).is_none_or(|&c| self.dense_parts_at_end(b, c).is_whole()),
            Some(split) => split.whole.dense && split.parts.get(&part).is_none_or(|p| p.dense),
        }
    }

    /// Whether a part of a value's cotangent was reached, and is dense where it was.
    pub(super) fn part_flow(&self, b: &mut Builder<'_>, whole: ValueId, part: usize) -> Flow {
        Flow { reached: self.part_reached(b, whole, part), dense: self.part_is_dense(b, whole, part) }
    }

    /// Whether the cotangent is dense without a condition.
    pub(super) fn is_dense(&self, cotangent: ValueId) -> bool {
        !self.partly_dense.contains_key(&cotangent) && !self.gates.contains_key(&cotangent)
    }

    /// The gate under which alone an op with these results has to be transposed: the one that their cotangents have in
    /// common. A scalar that may be an exact zero gets a gate that asks its value. Where the value is zero, the op
    /// gives zeros whether it runs or not, so this decides about time and about no number. A derivative of this
    /// derivative would take such a zero for a constant and lose its term: then no value is asked.
    pub(super) fn skip_gate(&mut self, b: &mut Builder<'_>, results: &[ValueId]) -> Option<Gate> {
        let may_be_zero = |t: &Self, c: ValueId| {
            t.gates.get(&c).is_some_and(|g| g.is_scalar(b))
                || !t.differentiated_again && t.partly_dense.contains_key(&c) && ad::strip_tangent(b.ty(c)).is_float()
        };
        if results.iter().filter_map(|r| self.cotangents.get(r)).all(|&c| may_be_zero(self, c)) {
            results.iter().for_each(|&r| self.gate_by_value(b, r));
        }
        self.common_gate(b, results)
    }

    /// Puts a cotangent that may be an exact zero behind a gate that asks its value.
    fn gate_by_value(&mut self, b: &mut Builder<'_>, value: ValueId) {
        let Some(&c) = self.cotangents.get(&value) else { return };
        let ty = ad::strip_tangent(b.ty(c));
        if self.differentiated_again || !self.partly_dense.contains_key(&c) || !ty.is_float() {
            return;
        }
        let c = self.gate_applied(b, c);
        let data = ad::Unwrap::build(b, c, ty, &[]);
        let zero = arith::zero(b, ty);
        let gate = Gate::when(arith::cmpf(b, arith::FloatPredicate::Une, data, zero));
        // A value of its own: `c` may be the cotangent of other values, too.
        let gated = gate.select(b, c);
        self.gates.insert(gated, gate);
        if !mutants::on(Site::FormsTold) {
            self.set_dense_parts(gated, self.dense_parts(c));
        }
        self.cotangents.insert(value, gated);
    }

    /// The gate of the cotangent of what an op writes, if that of the whole stands behind `gate`. An index out of range
    /// writes nothing, so the cotangent is an exact zero there.
    pub(super) fn gate_of_write(&self, b: &mut Builder<'_>, op: OpId, gate: Option<Gate>) -> Option<Gate> {
        match (gate, gates::inside(b, self.src, op, &|v| self.primal.get(v))) {
            (Some(outer), Some(inside)) => Some(outer.and(b, inside)),
            (gate, inside) => gate.or(inside),
        }
    }

    /// Whether `from` gets all parts of the cotangent of `to`, in the same block: if that is dense, this is. A loop
    /// passes on the cotangent of its result if each of its iterations does; so does adding to an element in place
    /// (`a[i] += x`).
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
        let (base, place) = (src.operand(insert, 1), &src.operands(insert)[2..]);
        let reads = |op: OpId| {
            ad::TExtract::is(src, op)
                && src.op(op).block == src.op(insert).block
                && src.operand(op, 0) == base
                && &src.operands(op)[1..] == place
                && src.attr(op, "path") == src.attr(insert, "path")
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

    /// Whether an op of a loop's body reads or writes the element of an array whose number is the loop's counter, which
    /// has `count` values.
    fn is_at_counter(&self, op: OpId, block: BlockId, count: i64) -> bool {
        let src = self.src;
        let from = if ad::TExtract::is(src, op) { 1 } else { 2 };
        let steps = src.attr(op, "path").and_then(|p| p.as_i64_array());
        let Some(&index) = src.operands(op).get(from).filter(|_| steps.as_deref() == Some(&[-1])) else { return false };
        let mut at = index;
        while let Some(cast) =
            src.def_op(at).filter(|&o| arith::IndexCast::is(src, o) || arith::IndexCastUI::is(src, o))
        {
            let ty = src.ty(at);
            if ty != Type::index() && ty != Type::i32() && count > MAX_NARROW_COUNT {
                return false;
            }
            at = src.operand(cast, 0);
        }
        src.op(op).block == Some(block) && src.args(block).first() == Some(&at)
    }

    /// Whether a loop that counts to `count` makes the cotangent of an array dense: each iteration reads the element
    /// whose number the counter is, and that element's cotangent is dense.
    pub(super) fn reaches_all(&self, array: ValueId, block: BlockId, count: Option<i64>) -> bool {
        let src = self.src;
        let Some((len, _)) = agg::as_array(ad::strip_tangent(src.ty(array))) else { return false };
        let Some(count) = count.filter(|&n| n >= len as i64) else { return false };
        let reads = |op: OpId| {
            self.dense_reads.contains(&op) && src.operand(op, 0) == array && self.is_at_counter(op, block, count)
        };
        src.uses(array).iter().any(|u| reads(u.op))
    }

    /// The op by which a loop writes the array that it carries as `arg`, if that is only at the element whose number
    /// its counter is. The cotangent of that element then is what it is behind the loop.
    pub(super) fn written_once(&self, arg: ValueId, next: ValueId, block: BlockId, count: Option<i64>) -> Option<OpId> {
        let src = self.src;
        let (len, _) = agg::as_array(ad::strip_tangent(src.ty(arg)))?;
        let count = count.filter(|&n| n <= len as i64);
        let op = src.def_op(next).filter(|&op| ad::TInsert::is(src, op) && src.operand(op, 1) == arg)?;
        self.is_at_counter(op, block, count?).then_some(op)
    }

    /// Whether a value's cotangent may differ from an exact zero.
    pub(super) fn reached(&self, b: &Builder<'_>, value: ValueId) -> Reached {
        match self.cotangents.get(&value).map(|c| self.gates.get(c)) {
            _ if mutants::on(Site::TransposeReached) => Reached::Never,
            None => Reached::Never,
            Some(Some(g)) if g.is_scalar(b) => Reached::If(*g),
            Some(_) => Reached::Always,
        }
    }

    /// Whether a part of a struct was reached, by itself or with the whole.
    pub(super) fn part_reached(&self, b: &mut Builder<'_>, whole: ValueId, part: usize) -> Reached {
        let Some(split) = self.split.get(&whole) else { return self.reached(b, whole) };
        split.whole.reached.or(b, split.parts.get(&part).map_or(Reached::Never, |p| p.reached))
    }

    /// The gate that all cotangents of an op's results stand behind.
    pub(super) fn common_gate(&self, b: &mut Builder<'_>, results: &[ValueId]) -> Option<Gate> {
        let mut common: Option<Gate> = None;
        for r in results {
            let Some(c) = self.cotangents.get(r) else { continue };
            let gate = self.gates.get(c).copied().filter(|g| g.is_scalar(b))?;
            common = Some(match common {
                Some(g) => g.or(b, gate)?,
                None => gate,
            });
        }
        common
    }

    /// Adds `cotangent` to what has flowed to `value`.
    pub(super) fn flow(&mut self, b: &mut Builder<'_>, value: ValueId, cotangent: ValueId, gate: Option<Gate>) {
        let old = self.cotangents.get(&value).copied().filter(|_| !mutants::on(Site::TransposeAccumulate));
        let Some(old) = old else {
            if let Some(g) = gate {
                self.gates.insert(cotangent, g);
            }
            self.cotangents.insert(value, cotangent);
            return;
        };
        let before = self.gates.get(&old).copied();
        let (mut x, mut y) = (old, cotangent);
        let pending = [old, cotangent].iter().any(|c| self.gate_pending.contains(c));
        let together = before.zip(gate).is_some_and(|(g, h)| g == h);
        if pending && !together {
            x = self.gate_applied(b, old);
            if let Some(g) = gate.filter(|_| self.gate_pending.contains(&cotangent)) {
                y = g.select(b, cotangent);
            }
        }
        let sum = ad::TAdd::build(b, x, y, &[]);
        let open = before.zip(gate).and_then(|(g, h)| g.or(b, h));
        let mut dense = DenseParts::none();
        for (c, own) in [(old, before), (cotangent, gate)] {
            if own.is_none() || own == open {
                dense.put(ad::strip_tangent(b.ty(sum)), &[], &self.dense_parts(c));
            }
        }
        // Of two dense cotangents behind gates the sum is dense where either is open: everywhere, if the gates are the
        // two sides of one condition.
        let sides = before.zip(gate).is_some_and(|(g, h)| g.condition == h.condition);
        let both_dense = [old, cotangent].iter().all(|c| !self.partly_dense.contains_key(c));
        if !(both_dense && (open.is_some() || sides)) {
            self.set_dense_parts(sum, dense);
        }
        if pending && together {
            self.gate_pending.insert(sum);
        }
        if let Some(both) = open {
            self.gates.insert(sum, both);
        }
        self.cotangents.insert(value, sum);
    }

    /// The op that makes a struct of so many parts in `block`: cotangents of the struct flow to its parts there.
    pub(super) fn maker_of(&self, value: ValueId, parts: usize, block: Option<BlockId>) -> Option<OpId> {
        let src = self.src;
        let own = self.spaces.is_given(ad::strip_tangent(src.ty(value)));
        let fits = |m: &OpId| ad::TMake::is(src, *m) && src.op(*m).block == block && src.operands(*m).len() == parts;
        src.def_op(value).filter(|m| !own && parts > 1 && fits(m))
    }

    /// Adds a cotangent to what has flowed to a value, which has as many parts as there are `flows`. Of a struct that
    /// is made in `block` each part gets its own. `flows` says which parts were reached, and are dense where they were.
    pub(super) fn flow_parts(
        &mut self,
        b: &mut Builder<'_>,
        value: ValueId,
        cotangent: ValueId,
        flows: &[Flow],
        block: Option<BlockId>,
    ) {
        let src = self.src;
        if let Some(maker) = self.maker_of(value, flows.len(), block) {
            for (k, (&part, flow)) in src.operands(maker).iter().zip(flows).enumerate() {
                let gate = match flow.reached {
                    Reached::Never => continue,
                    Reached::Always => None,
                    Reached::If(gate) => Some(gate),
                };
                let path = [("path", Attr::i64_array(&[k as i64]))];
                let c = ad::TExtract::build(b, cotangent, &[], src.ty(part), &path);
                if !flow.dense {
                    self.set_dense_parts(c, self.dense_parts(cotangent).part(&[k as i64]));
                }
                self.flow(b, part, c, gate);
            }
            return;
        }
        let mut any: Option<Gate> = None;
        for flow in flows {
            let gate = match flow.reached {
                Reached::Never => continue,
                Reached::Always => return self.flow(b, value, cotangent, None),
                Reached::If(gate) => gate,
            };
            any = match any.map_or(Some(gate), |g| g.or(b, gate)) {
                None => return self.flow(b, value, cotangent, None),
                known => known,
            };
        }
        self.flow(b, value, cotangent, any);
    }
}
