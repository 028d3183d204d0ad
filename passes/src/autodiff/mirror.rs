//! Data movement (`AdRule::Mirror`) on tangents: which operands matter, and the linear op that does the same move.

use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, differential_fields, differential_path, differential_type};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::place::place_of;
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
        Mirror::Detach => active(operands[0]) && mutants::on(Site::MirrorDetach),
    }
}

/// Why an op of this kind is not linear after all, if it is not.
pub fn refused(body: &Body, op: OpId, kind: Mirror) -> Option<&'static str> {
    let sums = body.attr(op, "kind").is_none_or(|k| k.to_string().contains("<add>"));
    (kind == Mirror::Sum && !sums)
        .then_some("only sums of a vector's components are differentiable; write products, minima and maxima out")
}

/// The number of part `index` of `ty` within D(`ty`).
pub(super) fn part_number(ty: Type, index: usize) -> Option<usize> {
    match StructType::of(ty) {
        Some(s) => differential_fields(s).into_iter().find(|p| p.field == index).map(|p| p.place),
        None => Some(index),
    }
}

/// With the wrong sign if that fault is on.
fn signed(b: &mut Builder<'_>, tangent: ValueId, fault: Site) -> ValueId {
    if mutants::on(fault) { ad::TNeg::build(b, tangent, &[]) } else { tangent }
}

/// The tangent of the result. `tangent` gives an operand's tangent in the new code, `primal` its value there.
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
            let t = signed(b, t, Site::MirrorSplat);
            // Broadcasting a vector to itself moves nothing.
            if src.ty(operands[0]) == ty { t } else { ad::TSplat::build(b, t, tangent_ty, &[]) }
        }
        Mirror::Sum => {
            let t = mirrored.of_first(b)?;
            let t = signed(b, t, Site::MirrorSum);
            ad::TSum::build(b, t, tangent_ty, &[])
        }
        Mirror::Cast => {
            let t = mirrored.of_first(b)?;
            let t = signed(b, t, Site::MirrorCast);
            ad::TCast::build(b, t, tangent_ty, &[])
        }
        Mirror::Detach => return mirrored.of_first(b).filter(|_| mutants::on(Site::MirrorDetach)),
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

    fn extract(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let t = self.of_first(b)?;
        let path = differential_path(self.src.ty(self.operands[0]), &path_of(self.src, self.op))?;
        let indices = self.indices(1);
        if mutants::on(Site::MirrorExtract) {
            return None;
        }
        Some(ad::TExtract::build(b, t, &indices, self.tangent_ty, &[("path", Attr::i64_array(&path))]))
    }

    fn insert(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let (part, base) = (self.operands[0], self.operands[1]);
        let aggregate = match (self.tangent)(b, base) {
            Some(t) if !mutants::on(Site::MirrorInsertRest) => t,
            _ => zero(b, self.ty)?,
        };
        let Some(path) = differential_path(self.ty, &path_of(self.src, self.op)) else { return Some(aggregate) };
        let part = match (self.tangent)(b, part) {
            Some(t) if !mutants::on(Site::MirrorInsertPart) => t,
            _ => zero(b, self.src.ty(part))?,
        };
        let indices = self.indices(2);
        Some(ad::TInsert::build(b, part, aggregate, &indices, &[("path", Attr::i64_array(&path))]))
    }

    fn make(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let differential = differential_type(self.ty)?;
        let is_struct = StructType::of(self.ty).is_some();
        let count = if is_struct { agg::num_parts(differential) } else { self.operands.len() };
        let mut parts = vec![None; count];
        for (i, &v) in self.operands.iter().enumerate() {
            if let Some(part) = part_number(self.ty, i).and_then(|place| parts.get_mut(place)) {
                let lost = i + 1 == self.operands.len() && mutants::on(Site::MirrorMake);
                *part = Some(match (self.tangent)(b, v) {
                    Some(t) if !lost => t,
                    _ => zero(b, self.src.ty(v))?,
                });
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
        let (x, y) = ((self.tangent)(b, self.operands[1]), (self.tangent)(b, self.operands[2]));
        let mut x = x.or_else(|| zero(b, self.ty))?;
        let mut y = y.or_else(|| zero(b, self.ty))?;
        if mutants::on(Site::MirrorSelect) {
            std::mem::swap(&mut x, &mut y);
        }
        Some(ad::TSelect::build(b, condition, x, y, &[]))
    }

    fn reshape(&mut self, b: &mut Builder<'_>) -> Option<ValueId> {
        let t = self.of_first(b)?;
        let from = self.src.ty(self.operands[0]);
        let transposes = self.src.attr(self.op, "permutation").is_some();
        let scalar = ad::tangent_of(from.elem())?;
        let count = self.ty.num_elements();
        let mut parts = Vec::new();
        for i in 0..count {
            let i = if i + 1 == count && mutants::on(Site::MirrorReshape) { 0 } else { i };
            // The scalars stay in row-major order, or rows and columns change places.
            let at = match (transposes, self.ty.shape()) {
                (true, &[_, cols]) => (i % cols as usize) * from.shape()[1] as usize + i / cols as usize,
                _ => i,
            };
            let path: Vec<i64> = match from.shape() {
                &[_, cols] => vec![(at / cols as usize) as i64, (at % cols as usize) as i64],
                _ => vec![at as i64],
            };
            parts.push(ad::TExtract::build(b, t, &[], scalar, &[("path", Attr::i64_array(&path))]));
        }
        Some(ad::TMake::build(b, &parts, self.tangent_ty, &[]))
    }
}
