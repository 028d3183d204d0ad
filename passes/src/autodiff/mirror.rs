//! Data movement (`AdRule::Mirror`) on tangents: which operands matter, and the linear op that does
//! the same move.

use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, differential_fields, differential_path, differential_type};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::place::place_of;
use caustic_dialects::vector;
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Builder, Mirror, OpId, Type, ValueId};

/// The path of an extract-like or insert-like op, -1 for a dynamic step.
pub fn path_of(body: &Body, op: OpId) -> Vec<i64> {
    let place = place_of(body, op, &[Access::Projects, Access::Replaces]);
    let steps = place.and_then(|place| place.path).unwrap_or_default();
    steps.into_iter().map(|step| step.max(-1)).collect()
}

/// Whether the result of a data-moving op carries a derivative, given which operands do.
pub fn is_active(body: &Body, op: OpId, kind: Mirror, active: &dyn Fn(ValueId) -> bool) -> bool {
    let operands = body.operands(op);
    let result = body.ty(body.result(op, 0));
    if differential_type(result).is_none() {
        return false;
    }
    match kind {
        Mirror::Extract => active(operands[0]) && differential_path(body.ty(operands[0]), &path_of(body, op)).is_some(),
        Mirror::Insert => {
            active(operands[1]) || (active(operands[0]) && differential_path(result, &path_of(body, op)).is_some())
        }
        Mirror::Make => operands.iter().enumerate().any(|(i, &v)| active(v) && part_number(result, i).is_some()),
        Mirror::Select => active(operands[1]) || active(operands[2]),
        Mirror::Splat | Mirror::Sum | Mirror::Cast | Mirror::Reshape => active(operands[0]),
        Mirror::Detach => passes_detach() && active(operands[0]),
    }
}

/// Why an op of this kind is not linear after all, if it is not.
pub fn refused(body: &Body, op: OpId, kind: Mirror) -> Option<&'static str> {
    let sums = || vector::reduction_kind(body, op).is_none_or(|kind| kind == "add");
    (kind == Mirror::Sum && !sums())
        .then_some("only sums of a vector's components are differentiable; write products, minima and maxima out")
}

/// The number of part `index` of `ty` within D(`ty`).
pub(super) fn part_number(ty: Type, index: usize) -> Option<usize> {
    match StructType::of(ty) {
        Some(s) => differential_fields(s).into_iter().find(|p| p.field == index).map(|p| p.place),
        None => Some(index),
    }
}

/// Whether a tangent goes through `detach`.
#[mutant(Site::MirrorDetach => true)]
fn passes_detach() -> bool {
    false
}

/// The tangent of the result. `tangent` gives an operand's tangent in the new code, `primal` its
/// value there.
pub fn build(
    src: &Body,
    op: OpId,
    kind: Mirror,
    b: &mut Builder<'_>,
    tangent: &mut dyn FnMut(&mut Builder<'_>, ValueId) -> Option<ValueId>,
    primal: &dyn Fn(ValueId) -> ValueId,
) -> Option<ValueId> {
    let operands = src.operands(op);
    let ty = src.ty(src.result(op, 0));
    let tangent_ty = ad::tangent_of(ty)?;
    let mut mirrored = Mirrored { src, op, operands, ty, tangent_ty, tangent, primal };
    Some(match kind {
        Mirror::Extract => return mirrored.extract(b),
        Mirror::Insert => return mirrored.insert(b),
        Mirror::Make => return mirrored.make(b),
        Mirror::Select => return mirrored.select(b),
        Mirror::Reshape => return mirrored.reshape(b),
        Mirror::Splat => {
            let t = mirrored.of_first(b)?;
            mirrored.splat(b, t)
        }
        Mirror::Sum => {
            let t = mirrored.of_first(b)?;
            mirrored.sum(b, t)
        }
        Mirror::Cast => {
            let t = mirrored.of_first(b)?;
            mirrored.cast(b, t)
        }
        Mirror::Detach => return if passes_detach() { mirrored.of_first(b) } else { None },
    })
}

fn zero(b: &mut Builder<'_>, ty: Type) -> Option<ValueId> {
    ad::tangent_of(ty).map(|t| ad::TZero::build(b, t, &[]))
}

/// An op whose tangent is built.
struct Mirrored<'a> {
    src: &'a Body,
    op: OpId,
    operands: &'a [ValueId],
    /// The type of the op's result, and that of its tangent.
    ty: Type,
    tangent_ty: Type,
    /// The tangent of a value of the source in the new code, and the value itself.
    tangent: &'a mut dyn FnMut(&mut Builder<'_>, ValueId) -> Option<ValueId>,
    primal: &'a dyn Fn(ValueId) -> ValueId,
}

impl Mirrored<'_> {
    fn of_first(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        (self.tangent)(b, self.operands[0])
    }

    /// The indices of a path, which are the operands from this one on.
    fn indices(&self, from: usize) -> Vec<ValueId> {
        self.operands[from..].iter().map(|&v| (self.primal)(v)).collect()
    }

    #[mutant(Site::MirrorSplat with t = ad::TNeg::build(b, t, &[]))]
    fn splat(&self, b: &mut Builder<'_>, t: ValueId) -> ValueId {
        // Broadcasting a vector to itself moves nothing.
        if b.ty(t) == self.tangent_ty { t } else { ad::TSplat::build(b, t, self.tangent_ty, &[]) }
    }

    #[mutant(Site::MirrorSum with t = ad::TNeg::build(b, t, &[]))]
    fn sum(&self, b: &mut Builder<'_>, t: ValueId) -> ValueId {
        ad::TSum::build(b, t, self.tangent_ty, &[])
    }

    #[mutant(Site::MirrorCast with t = ad::TNeg::build(b, t, &[]))]
    fn cast(&self, b: &mut Builder<'_>, t: ValueId) -> ValueId {
        ad::TCast::build(b, t, self.tangent_ty, &[])
    }

    /// An operand's tangent, zero if it has none.
    fn or_zero(&mut self, b: &mut Builder<'_>, n: usize) -> Option<ValueId> {
        let value = self.operands[n];
        (self.tangent)(b, value).or_else(|| zero(b, self.src.ty(value)))
    }

    #[mutant(Site::MirrorExtract => None)]
    fn extract(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let t = self.of_first(b)?;
        let path = differential_path(self.src.ty(self.operands[0]), &path_of(self.src, self.op))?;
        let indices = self.indices(1);
        Some(ad::TExtract::build(b, t, &indices, self.tangent_ty, &[("path", Attr::i64_array(&path))]))
    }

    /// The tangent of what a part is inserted into.
    #[mutant(Site::MirrorInsertRest => zero(b, self.ty))]
    fn rest(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        self.or_zero(b, 1)
    }

    /// The tangent of the part that is inserted.
    #[mutant(Site::MirrorInsertPart => zero(b, self.src.ty(self.operands[0])))]
    fn inserted(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        self.or_zero(b, 0)
    }

    /// The tangent of a part that something is made of.
    #[mutant(Site::MirrorMake if n + 1 == self.operands.len() => zero(b, self.src.ty(self.operands[n])))]
    fn made_of(&mut self, b: &mut Builder<'_>, n: usize) -> Option<ValueId> {
        self.or_zero(b, n)
    }

    /// The tangent of an arm of a select.
    #[mutant(Site::MirrorSelect with n = 3 - n)]
    fn arm(&mut self, b: &mut Builder<'_>, n: usize) -> Option<ValueId> {
        self.or_zero(b, n)
    }

    /// The steps to the scalar that becomes scalar `i` of a reshaped value, in row-major order.
    #[mutant(Site::MirrorReshape if i + 1 == self.ty.num_elements() with i = 0)]
    fn scalar_before(&self, i: usize) -> Vec<i64> {
        let from = self.src.ty(self.operands[0]);
        let transposes = vector::Transpose::is(self.src, self.op);
        // The scalars stay in row-major order, or rows and columns change places.
        let at = match (transposes, self.ty.shape()) {
            (true, &[_, cols]) => (i % cols as usize) * from.shape()[1] as usize + i / cols as usize,
            _ => i,
        };
        match from.shape() {
            &[_, cols] => vec![(at / cols as usize) as i64, (at % cols as usize) as i64],
            _ => vec![at as i64],
        }
    }

    fn insert(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let aggregate = self.rest(b)?;
        let Some(path) = differential_path(self.ty, &path_of(self.src, self.op)) else { return Some(aggregate) };
        let part = self.inserted(b)?;
        let indices = self.indices(2);
        Some(ad::TInsert::build(b, part, aggregate, &indices, &[("path", Attr::i64_array(&path))]))
    }

    fn make(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let differential = differential_type(self.ty)?;
        let is_struct = StructType::of(self.ty).is_some();
        let count = if is_struct { agg::num_parts(differential) } else { self.operands.len() };
        let mut parts = vec![None; count];
        for i in 0..self.operands.len() {
            if let Some(part) = part_number(self.ty, i).and_then(|place| parts.get_mut(place)) {
                *part = Some(self.made_of(b, i)?);
            }
        }
        // A chosen differential may have parts that belong to no field.
        let mut filled = |(i, part): (usize, Option<ValueId>)| match part {
            Some(part) => Some(part),
            None => {
                let ty = ad::tangent_type(agg::part_type(differential, i as i64)?);
                Some(ad::TZero::build(b, ty, &[]))
            }
        };
        let parts: Vec<ValueId> = parts.into_iter().enumerate().map(&mut filled).collect::<Option<_>>()?;
        Some(ad::TMake::build(b, &parts, self.tangent_ty, &[]))
    }

    fn select(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let condition = (self.primal)(self.operands[0]);
        let (x, y) = (self.arm(b, 1)?, self.arm(b, 2)?);
        Some(ad::TSelect::build(b, condition, x, y, &[]))
    }

    fn reshape(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let t = self.of_first(b)?;
        let from = self.src.ty(self.operands[0]);
        let scalar = ad::tangent_of(from.elem())?;
        let count = self.ty.num_elements();
        let mut parts = Vec::new();
        for i in 0..count {
            let path = self.scalar_before(i);
            parts.push(ad::TExtract::build(b, t, &[], scalar, &[("path", Attr::i64_array(&path))]));
        }
        Some(ad::TMake::build(b, &parts, self.tangent_ty, &[]))
    }
}
