//! What transposition makes of gates: products are taken as they come, and a cotangent is made an exact zero again where somebody else would see that it is none.
//!
//! A product of a gated cotangent with a partial may be no number though the gate is closed. Such a cotangent is *pending*: it is selected under its gate
//! before it is added to one that stands behind another gate, changes its shape, or leaves the block. So a chain of products takes one select, at its end.
//!
//! Parts of an aggregate are too many for a gate each. A cotangent of which nobody says where it is an exact zero is *unsure*, and what it is multiplied with
//! is taken in products in which a zero annihilates (`ad.scale` with `strong`). These stay what they are in the derivative of the derivative.
//! Which parts of one have come is known as long as they are named ([`Cover`], always where its gate is open): when all of them have, it is unsure no more.

use super::Transposer;
use super::cover::Cover;
use crate::autodiff::gates::{self, Gate, Reached};
use crate::faults::{self, Site};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, BlockId, Builder, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

/// Counters of so many values are the same in any integer type.
const NARROW: i64 = 127;

/// What a loop carries.
struct Carried {
    init: ValueId,
    arg: ValueId,
    next: ValueId,
}

impl Transposer<'_> {
    /// The cotangent, an exact zero where its gate is closed.
    pub(super) fn settled(&mut self, b: &mut Builder<'_>, cotangent: ValueId) -> ValueId {
        if !self.pending.contains(&cotangent) {
            return cotangent;
        }
        let Some(gate) = self.gates.get(&cotangent).copied() else { return cotangent };
        let settled = gate.select(b, cotangent);
        self.gates.insert(settled, gate);
        self.doubt(settled, self.cover(cotangent));
        settled
    }

    /// Settles what has flowed to a value.
    pub(super) fn settle(&mut self, b: &mut Builder<'_>, value: ValueId) {
        if let Some(&c) = self.cotangents.get(&value) {
            let settled = self.settled(b, c);
            self.cotangents.insert(value, settled);
        }
    }

    /// What is made of a cotangent whose shape stays as pending as it is.
    pub(super) fn inherit(&mut self, from: ValueId, to: ValueId) -> ValueId {
        if self.pending.contains(&from) {
            self.pending.insert(to);
        }
        self.doubt(to, self.cover(from));
        to
    }

    /// Which parts of a cotangent have come where its gate is open.
    pub(super) fn cover(&self, cotangent: ValueId) -> Cover {
        self.unsure.get(&cotangent).cloned().unwrap_or_else(Cover::whole)
    }

    /// Only these parts of a cotangent have come for sure.
    pub(super) fn doubt(&mut self, cotangent: ValueId, cover: Cover) {
        if !cover.is_whole() {
            self.unsure.insert(cotangent, cover);
        }
    }

    /// Which parts have come, for a region's end: a gate on lanes ends there.
    pub(super) fn leaving(&self, b: &Builder<'_>, cotangent: ValueId) -> Cover {
        let lanes = self.gates.get(&cotangent).is_some_and(|g| !g.is_scalar(b));
        if lanes { Cover::default() } else { self.cover(cotangent) }
    }

    /// Whether a part of what flows to a value has come wherever its flag says that it was reached ([`Self::part_reached`]).
    pub(super) fn part_sure(&self, b: &Builder<'_>, whole: ValueId, part: usize) -> bool {
        let now = || self.cotangents.get(&whole).is_none_or(|&c| self.leaving(b, c).is_whole());
        let told = |part: Option<usize>| self.sure.get(&(whole, part)).copied();
        match told(None) {
            None => now(),
            Some(before) => before && told(Some(part)).unwrap_or(true),
        }
    }

    /// Whether the cotangent has come wherever it stands.
    pub(super) fn is_sure(&self, cotangent: ValueId) -> bool {
        !self.unsure.contains_key(&cotangent) && !self.gates.contains_key(&cotangent)
    }

    /// The gate behind which code that these cotangents lead to need not run: the one they have in common. A scalar that may be an exact zero tells by its value;
    /// where it is one, that code gives what it would if it ran, so this decides about time and about no number. A derivative of this derivative would take that zero
    /// for one to be kept, however it varies: then no value is asked.
    pub(super) fn skips(&mut self, b: &mut Builder<'_>, results: &[ValueId]) -> Option<Gate> {
        let may_be_zero = |t: &Self, c: ValueId| {
            t.gates.get(&c).is_some_and(|g| g.is_scalar(b))
                || !t.nested && t.unsure.contains_key(&c) && ad::strip_tangent(b.ty(c)).is_float()
        };
        if results.iter().filter_map(|r| self.cotangents.get(r)).all(|&c| may_be_zero(self, c)) {
            results.iter().for_each(|&r| self.tell(b, r));
        }
        self.common_gate(b, results)
    }

    /// Puts a cotangent that may be an exact zero behind a gate that asks its value.
    fn tell(&mut self, b: &mut Builder<'_>, value: ValueId) {
        let Some(&c) = self.cotangents.get(&value) else { return };
        let ty = ad::strip_tangent(b.ty(c));
        if self.nested || !self.unsure.contains_key(&c) || !ty.is_float() {
            return;
        }
        let c = self.settled(b, c);
        let data = ad::Unwrap::build(b, c, ty, &[]);
        let zero = arith::zero(b, ty);
        let gate = Gate::when(arith::cmpf(b, arith::FloatPredicate::Une, data, zero));
        // One of its own: the value may stand elsewhere, too.
        let told = gate.select(b, c);
        self.gates.insert(told, gate);
        if !faults::on(Site::FormsTold) {
            self.doubt(told, self.cover(c));
        }
        self.cotangents.insert(value, told);
    }

    /// Where what an op writes has a place behind `gate`: an index out of range has none.
    pub(super) fn made(&self, b: &mut Builder<'_>, op: OpId, gate: Option<Gate>) -> Option<Gate> {
        match (gate, gates::inside(b, self.src, op, &|v| self.primal.get(v))) {
            (Some(outer), Some(inside)) => Some(outer.and(b, inside)),
            (gate, inside) => gate.or(inside),
        }
    }

    /// Whether every part of what comes to `to` comes to `from` in the same block. A loop passes on what it is given if each of its iterations does; so does what adds
    /// to an element in place (`a[i] += x`).
    pub(super) fn passes_whole(&self, from: ValueId, to: ValueId) -> bool {
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
                        .filter(|&old| self.passes_whole(old, src.operand(op, 0)))
                        .map(|_| src.operand(op, 1)),
                );
            } else if scf::For::is(src, op) {
                todo.extend(self.carried(op, value).filter(|c| self.passes_whole(c.arg, c.next)).map(|c| c.init));
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

    /// What stands for a loop's result in the loop.
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

    /// Whether an op of a loop's body reads or writes the element of an array whose number is the loop's counter, which has `count` values.
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
            if ty != Type::index() && ty != Type::i32() && count > NARROW {
                return false;
            }
            at = src.operand(cast, 0);
        }
        src.op(op).block == Some(block) && src.args(block).first() == Some(&at)
    }

    /// Whether a loop that counts to `count` has reached every element of an array for sure: each iteration reads the one whose number the counter is.
    pub(super) fn reaches_all(&self, array: ValueId, block: BlockId, count: Option<i64>) -> bool {
        let src = self.src;
        let Some((len, _)) = agg::as_array(ad::strip_tangent(src.ty(array))) else { return false };
        let Some(count) = count.filter(|&n| n >= len as i64) else { return false };
        let reads =
            |op: OpId| self.came.contains(&op) && src.operand(op, 0) == array && self.is_at_counter(op, block, count);
        src.uses(array).iter().any(|u| reads(u.op))
    }

    /// Whether a loop writes the array that it carries as `arg` only at the element whose number its counter is: what comes to that element then is what came to it
    /// behind the loop. The op that writes.
    pub(super) fn written_once(&self, arg: ValueId, next: ValueId, block: BlockId, count: Option<i64>) -> Option<OpId> {
        let src = self.src;
        let (len, _) = agg::as_array(ad::strip_tangent(src.ty(arg)))?;
        let count = count.filter(|&n| n <= len as i64);
        let op = src.def_op(next).filter(|&op| ad::TInsert::is(src, op) && src.operand(op, 1) == arg)?;
        self.is_at_counter(op, block, count?).then_some(op)
    }

    pub(super) fn reached(&self, b: &Builder<'_>, value: ValueId) -> Reached {
        match self.cotangents.get(&value).map(|c| self.gates.get(c)) {
            _ if faults::on(Site::TransposeReached) => Reached::Never,
            None => Reached::Never,
            Some(Some(g)) if g.is_scalar(b) => Reached::If(*g),
            Some(_) => Reached::Always,
        }
    }

    /// Whether a part of a struct was reached, by itself or with the whole.
    pub(super) fn part_reached(&self, b: &mut Builder<'_>, whole: ValueId, part: usize) -> Reached {
        let Some(&before) = self.reached.get(&(whole, None)) else { return self.reached(b, whole) };
        let alone = self.reached.get(&(whole, Some(part))).copied().unwrap_or(Reached::Never);
        before.or(b, alone)
    }

    /// The gate that all cotangents of an op's results lie behind.
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
        let old = self.cotangents.get(&value).copied().filter(|_| !faults::on(Site::TransposeAccumulate));
        let Some(old) = old else {
            if let Some(g) = gate {
                self.gates.insert(cotangent, g);
            }
            self.cotangents.insert(value, cotangent);
            return;
        };
        let before = self.gates.get(&old).copied();
        let (mut x, mut y) = (old, cotangent);
        let pending = [old, cotangent].iter().any(|c| self.pending.contains(c));
        let together = before.zip(gate).is_some_and(|(g, h)| g == h);
        if pending && !together {
            x = self.settled(b, old);
            if let Some(g) = gate.filter(|_| self.pending.contains(&cotangent)) {
                y = g.select(b, cotangent);
            }
        }
        let sum = ad::TAdd::build(b, x, y, &[]);
        let open = before.zip(gate).and_then(|(g, h)| g.or(b, h));
        let mut cover = Cover::default();
        for (c, own) in [(old, before), (cotangent, gate)] {
            if own.is_none() || own == open {
                cover.put(ad::strip_tangent(b.ty(sum)), &[], &self.cover(c));
            }
        }
        // Behind two gates it has come where either is open: everywhere, if they are the two sides of one condition.
        let sides = before.zip(gate).is_some_and(|(g, h)| g.condition == h.condition);
        let known = [old, cotangent].iter().all(|c| !self.unsure.contains_key(c));
        if !(known && (open.is_some() || sides)) {
            self.doubt(sum, cover);
        }
        if pending && together {
            self.pending.insert(sum);
        }
        if let Some(both) = open {
            self.gates.insert(sum, both);
        }
        self.cotangents.insert(value, sum);
    }

    /// What puts a struct of so many parts together in `block`: cotangents that come to the struct there flow to its parts.
    pub(super) fn taken_apart(&self, value: ValueId, parts: usize, block: Option<BlockId>) -> Option<OpId> {
        let src = self.src;
        let own = self.spaces.is_given(ad::strip_tangent(src.ty(value)));
        let fits = |m: &OpId| ad::TMake::is(src, *m) && src.op(*m).block == block && src.operands(*m).len() == parts;
        src.def_op(value).filter(|m| !own && parts > 1 && fits(m))
    }

    /// A cotangent flows to a value; of a struct that is put together in `block` to each part on its own. `reached` says which parts there may be something of, and
    /// `sure`, which of these have come as a whole where there is something.
    pub(super) fn flow_parts(
        &mut self,
        b: &mut Builder<'_>,
        value: ValueId,
        cotangent: ValueId,
        reached: &[Reached],
        sure: &[bool],
        block: Option<BlockId>,
    ) {
        let src = self.src;
        if let Some(maker) = self.taken_apart(value, reached.len(), block) {
            for (k, (&part, &reached)) in src.operands(maker).iter().zip(reached).enumerate() {
                let gate = match reached {
                    Reached::Never => continue,
                    Reached::Always => None,
                    Reached::If(gate) => Some(gate),
                };
                let path = [("path", Attr::i64_array(&[k as i64]))];
                let c = ad::TExtract::build(b, cotangent, &[], src.ty(part), &path);
                if !sure.get(k).is_some_and(|s| *s) {
                    self.doubt(c, self.cover(cotangent).part(&[k as i64]));
                }
                self.flow(b, part, c, gate);
            }
            return;
        }
        let mut any: Option<Gate> = None;
        for &r in reached {
            let gate = match r {
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
