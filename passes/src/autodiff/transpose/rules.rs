//! The transposes of ops without regions: a cotangent of the result becomes cotangents of the operands.
//!
//! Calls and ops with regions are in `regions`, `sweep` and `replay`.

use super::{Current, Transposer};
use crate::autodiff::gates::Gate;
use crate::autodiff::zero_masks::{is_finite, part_path};
use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, LinearView as L, strip_tangent};
use caustic_dialects::scf;
use caustic_ir::{Attr, Builder, Diagnostic, OpId, Result, Type, ValueId};

impl Transposer<'_> {
    /// Transposes one op: cotangents of its results flow to its operands.
    pub(super) fn op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.regions.is_empty() {
            return match () {
                _ if scf::For::is(src, op) => self.loop_op(op, b),
                _ if ad::Replay::is(src, op) => self.replay_op(op, b),
                _ => self.branch_op(op, b),
            };
        }
        if ad::LinearCall::is(src, op) {
            return self.call(op, b);
        }
        let Some(mut ct) = data.results.first().and_then(|r| self.cotangents.get(r)).copied() else { return Ok(()) };
        if !self.masks.keeps_pending(src, op, ct.id) {
            ct = self.applied(b, ct)?;
        }
        match L::of(src, op) {
            Some(L::TZero(_)) => Ok(()),
            Some(L::TAdd(_)) => (0..2).try_for_each(|i| self.flow_to(op, i, ct.value, b)),
            Some(L::TNeg(_)) => {
                let lost = mutants::on(Site::TransposeNeg);
                let c = if lost { ct.value } else { ad::TNeg::build(b, ct.value, &[]) };
                self.flow_to(op, 0, c, b)
            }
            Some(L::TScale(_)) => self.scale(op, ct, b),
            Some(L::TExtract(_)) => self.extract(op, ct.value, b),
            Some(L::TInsert(_)) => self.insert(op, ct.value, b),
            Some(L::TAccumulate(_)) => self.accumulate(op, ct.value, b),
            Some(L::TMake(_)) => self.make(op, ct.value, b),
            Some(L::TSplat(_)) => self.splat(op, ct.value, b),
            Some(L::TSum(_)) => self.sum(op, ct.value, b),
            Some(L::TCast(_)) => {
                let c = ad::TCast::build(b, ct.value, src.ty(src.operand(op, 0)), &[]);
                self.flow_to(op, 0, c, b)
            }
            Some(L::TSelect(_)) => self.select(op, ct.value, b),
            Some(L::LinearCall(_) | L::TransposeCall(_)) | None => {
                let text = format!("{} has no transpose", data.def.name);
                Err(Diagnostic::internal(data.loc, text))
            }
        }
    }

    /// `c` flows to an operand.
    fn flow_to(&mut self, op: OpId, operand: usize, c: ValueId, b: &mut Builder<'_>) -> Result<()> {
        self.flow(b, (op, operand), self.src.operand(op, operand), c)
    }

    fn path(&self, op: OpId) -> [(&'static str, Attr); 1] {
        [("path", self.src.attr(op, "path").unwrap_or_else(|| Attr::array(vec![])))]
    }

    /// The indices of a path, which are the operands from this one on.
    fn indices(&self, op: OpId, from: usize) -> Vec<ValueId> {
        self.src.operands(op)[from..].iter().map(|&v| self.primal.get(v)).collect()
    }

    fn scale(&mut self, op: OpId, ct: Current, b: &mut Builder<'_>) -> Result<()> {
        let (src, factor) = (self.src, self.src.operand(op, 1));
        // Exact zeros of a cotangent that is not dense annihilate, and so do factors that may be zero because nothing
        // reached them.
        let own = ad::Strong::of(src, op);
        let may_be_zero = !self.masks.get(ct.id).is_whole() && !is_finite(src, factor);
        let tangent = may_be_zero || own.is_some_and(ad::Strong::tangent);
        let strong = ad::Strong::from_sides(tangent, own.is_some_and(ad::Strong::factor));
        let attrs = ad::Strong::attrs(strong.filter(|_| !mutants::on(Site::TransposeStrong)));
        let lost = mutants::on(Site::TransposeScale);
        let c = if lost { ct.value } else { ad::TScale::build(b, ct.value, self.primal.get(factor), &attrs) };
        self.flow_to(op, 0, c, b)
    }

    /// Adds to the cotangent of the whole, in place.
    fn extract(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let operand = src.operand(op, 0);
        self.apply(b, operand)?;
        let lost = mutants::on(Site::TransposeExtract);
        let base = if lost { ad::TZero::build(b, src.ty(operand), &[]) } else { self.or_zero(b, operand) };
        let sum = ad::TAccumulate::build(b, ct, base, &self.indices(op, 1), &self.path(op));
        let flow = self.masks.flow(src, (op, 0))?;
        let sum = self.current(b, sum, flow.own)?;
        self.cotangents.insert(operand, sum);
        Ok(())
    }

    /// Reads the part's cotangent, and clears it in that of the base.
    fn insert(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let ty = self.src.ty(self.src.operand(op, 0));
        let (ix, path) = (self.indices(op, 2), self.path(op));
        let lost = mutants::on(Site::TransposeInsertPart);
        let part = if lost { ad::TZero::build(b, ty, &[]) } else { ad::TExtract::build(b, ct, &ix, ty, &path) };
        self.flow_to(op, 0, part, b)?;
        let zero = ad::TZero::build(b, ty, &[]);
        let kept = mutants::on(Site::TransposeClear);
        let cleared = if kept { ct } else { ad::TInsert::build(b, zero, ct, &ix, &path) };
        self.flow_to(op, 1, cleared, b)
    }

    /// Reads the part's cotangent; that of the base stays.
    fn accumulate(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let ty = self.src.ty(self.src.operand(op, 0));
        let part = ad::TExtract::build(b, ct, &self.indices(op, 2), ty, &self.path(op));
        self.flow_to(op, 0, part, b)?;
        let lost = mutants::on(Site::TransposeAccumulateBase);
        let base = if lost { ad::TZero::build(b, self.src.ty(self.src.operand(op, 1)), &[]) } else { ct };
        self.flow_to(op, 1, base, b)
    }

    fn make(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        for (i, &v) in src.operands(op).iter().enumerate() {
            let same = src.ty(v) == src.ty(src.operand(op, 0));
            let from = if same && mutants::on(Site::TransposeMake) { 0 } else { i };
            let path = [("path", Attr::i64_array(&part_path(src, op, from)))];
            let part = ad::TExtract::build(b, ct, &[], src.ty(v), &path);
            self.flow_to(op, i, part, b)?;
        }
        Ok(())
    }

    /// Sums the lanes up.
    fn splat(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let ty = src.ty(src.operand(op, 0));
        let first = vec![0; rank(src.ty(src.result(op, 0)))];
        let c = if mutants::on(Site::TransposeSplat) {
            ad::TExtract::build(b, ct, &[], ty, &[("path", Attr::i64_array(&first))])
        } else {
            ad::TSum::build(b, ct, ty, &[])
        };
        self.flow_to(op, 0, c, b)
    }

    fn sum(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let ty = self.src.ty(self.src.operand(op, 0));
        let mut c = ad::TSplat::build(b, ct, ty, &[]);
        if mutants::on(Site::TransposeSum) {
            let none = ad::TZero::build(b, ty, &[]);
            let first = vec![0; rank(ty)];
            c = ad::TInsert::build(b, ct, none, &[], &[("path", Attr::i64_array(&first))]);
        }
        self.flow_to(op, 0, c, b)
    }

    /// To each side flows the cotangent where that side was selected.
    fn select(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let condition = self.primal.get(self.src.operand(op, 0));
        for (i, when) in [(1, true), (2, false)] {
            let i = if mutants::on(Site::TransposeSelect) { 3 - i } else { i };
            let c = Gate::side(condition, when).select(b, ct);
            self.flow_to(op, i, c, b)?;
        }
        Ok(())
    }
}

/// How many steps lead to a scalar of a vector or matrix.
fn rank(tangent: Type) -> usize {
    strip_tangent(tangent).shape().len()
}
