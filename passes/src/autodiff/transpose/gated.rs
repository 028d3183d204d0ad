//! What transposition makes of gates: products are taken as they come, and a cotangent is made an exact zero again where somebody else would see that it is none.
//!
//! A product of a gated cotangent with a partial may be no number though the gate is closed. Such a cotangent is *pending*: it is selected under its gate
//! before it is added to one that stands behind another gate, changes its shape, or leaves the block. So a chain of products takes one select, at its end.
//!
//! Parts of an aggregate are too many for a gate each. A cotangent of which nobody says where it is an exact zero is *unsure*, and what it is multiplied with
//! is taken in products in which a zero annihilates (`ad.scale` with `strong`). These stay what they are in the derivative of the derivative.

use super::Transposer;
use crate::autodiff::gates::Gate;
use crate::faults::{self, Site};
use caustic_dialects::ad;
use caustic_dialects::arith;
use caustic_ir::{Attr, BlockId, Builder, OpId, ValueId};
use rustc_hash::FxHashSet;

/// Whether something has flowed to a value, at the end of a region.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    Never,
    Always,
    If(Gate),
}

impl Reached {
    pub(super) fn flag(self, b: &mut Builder<'_>) -> ValueId {
        match self {
            Reached::Never => arith::bool(b, false),
            Reached::Always => arith::bool(b, true),
            Reached::If(gate) => gate.value(b),
        }
    }
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
        if self.unsure.contains(&cotangent) {
            self.unsure.insert(settled);
        }
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
        for set in [&mut self.pending, &mut self.unsure] {
            if set.contains(&from) {
                set.insert(to);
            }
        }
        to
    }

    /// Whether the cotangent has come wherever it stands.
    pub(super) fn is_sure(&self, cotangent: ValueId) -> bool {
        !self.unsure.contains(&cotangent) && !self.gates.contains_key(&cotangent)
    }

    /// Of a scalar cotangent that may be an exact zero a gate is made that says so, for what asks of control flow. A derivative of this derivative would take that
    /// zero for one to be kept, however it varies: none is made then.
    pub(super) fn tell(&mut self, b: &mut Builder<'_>, value: ValueId) {
        let Some(&c) = self.cotangents.get(&value) else { return };
        let ty = ad::strip_tangent(b.ty(c));
        if self.nested || !self.unsure.contains(&c) || !ty.is_float() {
            return;
        }
        let c = self.settled(b, c);
        let data = ad::Unwrap::build(b, c, ty, &[]);
        let zero = arith::zero(b, ty);
        let gate = Gate::when(arith::cmpf(b, arith::FloatPredicate::Une, data, zero));
        // One of its own: the value may stand elsewhere, too.
        let told = gate.select(b, c);
        self.gates.insert(told, gate);
        self.cotangents.insert(value, told);
    }

    /// Whether every part of what comes to `to` comes to `from` in the same block.
    pub(super) fn passes_whole(&self, from: ValueId, to: ValueId) -> bool {
        let src = self.src;
        let block = src.def_block(from);
        let (mut todo, mut seen) = (vec![to], FxHashSet::default());
        while let Some(value) = todo.pop() {
            if value == from {
                return true;
            }
            let Some(op) = src.def_op(value).filter(|&op| src.op(op).block == block && seen.insert(op)) else {
                continue;
            };
            if ad::TAdd::is(src, op) {
                todo.extend(src.operands(op));
            } else if ad::TNeg::is(src, op) || ad::TScale::is(src, op) || ad::TCast::is(src, op) {
                todo.push(src.operand(op, 0));
            }
        }
        false
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
        match (before, alone) {
            (Reached::Never, r) | (r, Reached::Never) => r,
            (Reached::If(g), Reached::If(h)) => g.or(b, h).map_or(Reached::Always, Reached::If),
            _ => Reached::Always,
        }
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
        let same = |g: &Gate, h: &Gate| g.condition == h.condition && g.when == h.when;
        let (mut x, mut y) = (old, cotangent);
        let pending = [old, cotangent].iter().any(|c| self.pending.contains(c));
        let together = before.zip(gate).is_some_and(|(g, h)| same(&g, &h));
        if pending && !together {
            x = self.settled(b, old);
            if let Some(g) = gate.filter(|_| self.pending.contains(&cotangent)) {
                y = g.select(b, cotangent);
            }
        }
        let unsure = !self.is_sure(old)
            && (gate.is_some() || self.unsure.contains(&cotangent))
            && [old, cotangent].iter().any(|c| self.unsure.contains(c));
        let sum = ad::TAdd::build(b, x, y, &[]);
        if unsure {
            self.unsure.insert(sum);
        }
        if pending && together {
            self.pending.insert(sum);
        }
        if let Some(both) = before.zip(gate).and_then(|(g, h)| g.or(b, h)) {
            self.gates.insert(sum, both);
        }
        self.cotangents.insert(value, sum);
    }

    /// A cotangent flows to a value; of a struct that is put together in `block` to each part on its own. `reached` says which parts there may be something of.
    pub(super) fn flow_parts(
        &mut self,
        b: &mut Builder<'_>,
        value: ValueId,
        cotangent: ValueId,
        reached: &[Reached],
        block: Option<BlockId>,
    ) {
        let src = self.src;
        let own = self.spaces.is_given(ad::strip_tangent(src.ty(value)));
        let here = |m: &OpId| ad::TMake::is(src, *m) && src.op(*m).block == block;
        let maker = src.def_op(value).filter(|m| !own && here(m));
        if let Some(maker) = maker.filter(|&m| reached.len() > 1 && src.operands(m).len() == reached.len()) {
            for (k, (&part, &reached)) in src.operands(maker).iter().zip(reached).enumerate() {
                let gate = match reached {
                    Reached::Never => continue,
                    Reached::Always => None,
                    Reached::If(gate) => Some(gate),
                };
                let path = [("path", Attr::i64_array(&[k as i64]))];
                let c = ad::TExtract::build(b, cotangent, &[], src.ty(part), &path);
                // Of a scalar part the flag tells.
                if self.unsure.contains(&cotangent) && (self.nested || !ad::strip_tangent(src.ty(part)).is_float()) {
                    self.unsure.insert(c);
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
