//! What transposition makes of gates: products are taken as they come, and a cotangent is made an exact zero again where somebody else would see that it is none.
//!
//! A product of a gated cotangent with a partial may be no number though the gate is closed. Such a cotangent is *pending*: it is selected under its gate
//! before it is added to one that stands behind another gate, changes its shape, or leaves the block. So a chain of products takes one select, at its end.

use super::Transposer;
use crate::autodiff::gates::Gate;
use crate::faults::{self, Site};
use caustic_dialects::ad;
use caustic_dialects::arith;
use caustic_ir::{Attr, BlockId, Builder, OpId, ValueId};

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
        to
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
        let sum = ad::TAdd::build(b, x, y, &[]);
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
