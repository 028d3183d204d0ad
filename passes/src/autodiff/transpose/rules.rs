//! The transposes of ops without regions: a cotangent of the result becomes cotangents of the
//! operands.
//!
//! Calls and ops with regions are in `regions`, `sweep` and `replay`.

use super::{Current, Transposer};
use crate::analysis::facts::is_finite;
use crate::autodiff::gates::Gate;
use crate::autodiff::zero_masks::part_path;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, LinearView as L, strip_tangent};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, Builder, Diagnostic, OpId, Result, Type, ValueId};

/// What is known of the lanes of a cotangent.
struct Lanes {
    /// Lane by lane: it is dense.
    dense: Vec<bool>,
    /// The others are exact zeros.
    certain: bool,
}

/// A constant flag for each lane of a vector of type `ty`.
fn flags(b: &mut Builder<'_>, lanes: &[bool], ty: Type) -> ValueId {
    let flags = Type::vector(ty.shape(), Type::i1());
    let items: Vec<Attr> = lanes.iter().map(|&lane| Attr::bool(lane)).collect();
    arith::constant(b, Attr::dense(items, flags), flags)
}

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
        self.named(data.results[0], ct.value, b);
        match L::of(src, op) {
            Some(L::TZero(_)) => Ok(()),
            Some(L::TAdd(_)) => (0..2).try_for_each(|i| self.flow_to(op, i, ct.value, b)),
            Some(L::TNeg(_)) => self.neg(op, ct.value, b),
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
        [("path", Attr::i64_array(&agg::path_of(self.src, op)))]
    }

    /// The indices of a path, which are the operands from this one on.
    fn indices(&self, op: OpId, from: usize) -> Vec<ValueId> {
        self.src.operands(op)[from..].iter().map(|&v| self.primal.get(v)).collect()
    }

    #[mutant(Site::TransposeNeg => self.flow_to(op, 0, ct, b))]
    fn neg(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let c = ad::TNeg::build(b, ct, &[]);
        self.flow_to(op, 0, c, b)
    }

    #[mutant(Site::TransposeScale => self.flow_to(op, 0, ct.value, b))]
    fn scale(&mut self, op: OpId, ct: Current, b: &mut Builder<'_>) -> Result<()> {
        let factor = self.primal.get(self.src.operand(op, 1));
        let scaled = |b: &mut Builder<'_>, sides| ad::TScale::build(b, ct.value, factor, &ad::Strong::attrs(sides));
        let c = match self.lanes(op, ct) {
            None => scaled(b, self.strong_sides(op, ct)),
            Some(Lanes { dense, certain }) => {
                let factor_side = ad::Strong::of(self.src, op).is_some_and(ad::Strong::factor);
                let computed = scaled(b, ad::Strong::from_sides(false, factor_side));
                let ty = b.ty(computed);
                let others = if certain { ad::TZero::build(b, ty, &[]) } else { scaled(b, self.strong_sides(op, ct)) };
                let dense = flags(b, &dense, strip_tangent(ty));
                ad::TSelect::build(b, dense, computed, others, &[])
            }
        };
        self.flow_to(op, 0, c, b)
    }

    /// The lanes of a vector's cotangent of which it is known whether a zero was computed, where
    /// that decides about the product with a partial that may be infinite.
    fn lanes(&self, op: OpId, ct: Current) -> Option<Lanes> {
        let ty = strip_tangent(self.src.ty(self.src.result(op, 0)));
        let known = self.masks.get(ct.id).parts();
        if !ty.is_vector() || known.is_dense() || is_finite(self.src, self.src.operand(op, 1)) {
            return None;
        }
        let dense = known.dense.lanes(ty)?;
        let certain = known.is_certain(ty);
        (certain || dense.contains(&true)).then_some(Lanes { dense, certain })
    }

    /// The sides of a product whose zeros annihilate.
    #[mutant(Site::TransposeStrong => None)]
    fn strong_sides(&self, op: OpId, ct: Current) -> Option<ad::Strong> {
        let (src, factor) = (self.src, self.src.operand(op, 1));
        // Exact zeros of a cotangent that is not dense annihilate, and so do factors that may be
        // zero because nothing reached them.
        let own = ad::Strong::of(src, op);
        let may_be_zero = !self.masks.get(ct.id).is_whole() && !is_finite(src, factor);
        let tangent = may_be_zero || own.is_some_and(ad::Strong::tangent);
        ad::Strong::from_sides(tangent, own.is_some_and(ad::Strong::factor))
    }

    /// The cotangent of the whole that a part was read from, so far.
    #[mutant(Site::TransposeExtract => ad::TZero::build(b, self.src.ty(whole), &[]))]
    fn whole_so_far(&self, b: &mut Builder<'_>, whole: ValueId) -> ValueId {
        self.or_zero(b, whole)
    }

    /// Adds to the cotangent of the whole, in place.
    fn extract(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let operand = src.operand(op, 0);
        self.apply(b, operand)?;
        let base = self.whole_so_far(b, operand);
        let sum = ad::TAccumulate::build(b, ct, base, &self.indices(op, 1), &self.path(op));
        let flow = self.masks.flow(src, (op, 0))?;
        let flow =
            flow.ok_or_else(|| Diagnostic::internal(b.loc, "the cotangent of a part that was read is nothing"))?;
        let sum = self.current(b, sum, flow.own)?;
        self.cotangents.insert(operand, sum);
        Ok(())
    }

    /// Reads the part's cotangent, and clears it in that of the base.
    fn insert(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let ty = self.src.ty(self.src.operand(op, 0));
        let (ix, path) = (self.indices(op, 2), self.path(op));
        let part = ad::TExtract::build(b, ct, &ix, ty, &path);
        self.flow_to_inserted(op, part, b)?;
        let cleared = self.cleared(op, ct, b);
        self.flow_to(op, 1, cleared, b)
    }

    #[mutant(Site::TransposeInsertPart => Ok(()))]
    fn flow_to_inserted(&mut self, op: OpId, part: ValueId, b: &mut Builder<'_>) -> Result<()> {
        self.flow_to(op, 0, part, b)
    }

    /// The cotangent of what an insertion overwrites a part of.
    #[mutant(Site::TransposeClear => ct)]
    fn cleared(&self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> ValueId {
        let zero = ad::TZero::build(b, self.src.ty(self.src.operand(op, 0)), &[]);
        ad::TInsert::build(b, zero, ct, &self.indices(op, 2), &self.path(op))
    }

    #[mutant(Site::TransposeAccumulateBase => Ok(()))]
    fn flow_to_base(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        self.flow_to(op, 1, ct, b)
    }

    /// The steps to the part of a cotangent that belongs to part `i` of what is put together.
    #[mutant(Site::TransposeMake if self.src.ty(self.src.operand(op, i)) == self.src.ty(self.src.operand(op, 0)) with i = 0)]
    fn part_of_made(&self, op: OpId, i: usize) -> Vec<i64> {
        part_path(self.src, op, i)
    }

    /// A side of a select gets what flows to it.
    #[mutant(Site::TransposeSelect with side = 3 - side)]
    fn flow_to_side(&mut self, op: OpId, side: usize, c: ValueId, b: &mut Builder<'_>) -> Result<()> {
        self.flow_to(op, side, c, b)
    }

    /// Reads the part's cotangent; that of the base stays.
    fn accumulate(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let ty = self.src.ty(self.src.operand(op, 0));
        let part = ad::TExtract::build(b, ct, &self.indices(op, 2), ty, &self.path(op));
        self.flow_to(op, 0, part, b)?;
        self.flow_to_base(op, ct, b)
    }

    fn make(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        for (i, &v) in src.operands(op).iter().enumerate() {
            let path = [("path", Attr::i64_array(&self.part_of_made(op, i)))];
            let part = ad::TExtract::build(b, ct, &[], src.ty(v), &path);
            self.flow_to(op, i, part, b)?;
        }
        Ok(())
    }

    /// Sums the lanes up.
    fn splat(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let c = of_lanes(b, ct, self.src.ty(self.src.operand(op, 0)));
        self.flow_to(op, 0, c, b)
    }

    fn sum(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let c = to_lanes(b, ct, self.src.ty(self.src.operand(op, 0)));
        self.flow_to(op, 0, c, b)
    }

    /// To each side flows the cotangent where that side was selected.
    fn select(&mut self, op: OpId, ct: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let condition = self.primal.get(self.src.operand(op, 0));
        for (i, when) in [(1, true), (2, false)] {
            let c = Gate::side(condition, when).select(b, ct);
            self.flow_to_side(op, i, c, b)?;
        }
        Ok(())
    }
}

/// The cotangent of a scalar of those of all lanes.
#[mutant(Site::TransposeSplat => ad::TExtract::build(b, lanes, &[], ty, &first_lane(b.ty(lanes))))]
fn of_lanes(b: &mut Builder<'_>, lanes: ValueId, ty: Type) -> ValueId {
    ad::TSum::build(b, lanes, ty, &[])
}

/// The cotangents of summands.
#[mutant(Site::TransposeSum => only_first(b, ct, ty))]
fn to_lanes(b: &mut Builder<'_>, ct: ValueId, ty: Type) -> ValueId {
    ad::TSplat::build(b, ct, ty, &[])
}

/// The mistake of taking a sum for its first summand.
fn only_first(b: &mut Builder<'_>, ct: ValueId, ty: Type) -> ValueId {
    let none = ad::TZero::build(b, ty, &[]);
    ad::TInsert::build(b, ct, none, &[], &first_lane(ty))
}

/// The steps to the first scalar of a vector or matrix.
fn first_lane(tangent: Type) -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(&vec![0; strip_tangent(tangent).shape().len()]))]
}
