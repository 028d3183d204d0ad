//! Data movement (`AdRule::Mirror`) on tangents: which operands matter, and the linear op that does the same move.

use crate::faults::{self, Site};
use caustic_dialects::ad::{self, differential_fields, differential_path, differential_type};
use caustic_dialects::agg::{self, StructType};
use caustic_ir::{Attr, Body, Builder, Mirror, OpId, Type, ValueId};

/// Upstream's marker of a dynamic position.
const DYNAMIC: i64 = i64::MIN;

/// The path of an extract-like or insert-like op, -1 for a dynamic step, whichever attribute the dialect keeps it in.
pub fn path_of(body: &Body, op: OpId) -> Vec<i64> {
    let path = body.attr(op, "path").or_else(|| body.attr(op, "static_position"));
    let steps = path.and_then(|a| a.as_i64_array()).unwrap_or_default();
    steps.into_iter().map(|s| if s == DYNAMIC { -1 } else { s }).collect()
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
        Mirror::Detach => active(operands[0]) && faults::on(Site::MirrorDetach),
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
    if faults::on(fault) { ad::TNeg::build(b, tangent, &[]) } else { tangent }
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
    let operands = src.operands(op).to_vec();
    let result_ty = src.ty(src.result(op, 0));
    let tangent_ty = ad::tangent_of(result_ty)?;
    let zero_for = |b: &mut Builder<'_>, ty: Type| ad::tangent_of(ty).map(|t| ad::TZero::build(b, t, &[]));
    Some(match kind {
        Mirror::Extract => {
            let t = tangent(b, operands[0])?;
            let path = differential_path(src.ty(operands[0]), &path_of(src, op))?;
            let indices: Vec<ValueId> = operands[1..].iter().map(|&v| primal(v)).collect();
            if faults::on(Site::MirrorExtract) {
                return None;
            }
            ad::TExtract::build(b, t, &indices, tangent_ty, &[("path", Attr::i64_array(&path))])
        }
        Mirror::Insert => {
            let aggregate = match tangent(b, operands[1]) {
                Some(t) if !faults::on(Site::MirrorInsertRest) => t,
                _ => zero_for(b, result_ty)?,
            };
            let Some(path) = differential_path(result_ty, &path_of(src, op)) else { return Some(aggregate) };
            let part = match tangent(b, operands[0]) {
                Some(t) if !faults::on(Site::MirrorInsertPart) => t,
                _ => zero_for(b, src.ty(operands[0]))?,
            };
            let indices: Vec<ValueId> = operands[2..].iter().map(|&v| primal(v)).collect();
            ad::TInsert::build(b, part, aggregate, &indices, &[("path", Attr::i64_array(&path))])
        }
        Mirror::Make => {
            let differential = differential_type(result_ty)?;
            let is_struct = StructType::of(result_ty).is_some();
            let count = if is_struct { agg::num_parts(differential) } else { operands.len() };
            let mut parts = vec![None; count];
            for (i, &v) in operands.iter().enumerate() {
                if let Some(part) = part_number(result_ty, i).and_then(|place| parts.get_mut(place)) {
                    let lost = i + 1 == operands.len() && faults::on(Site::MirrorMake);
                    *part = Some(match tangent(b, v) {
                        Some(t) if !lost => t,
                        _ => zero_for(b, src.ty(v))?,
                    });
                }
            }
            // A chosen differential may have parts that belong to no field.
            let filled: Option<Vec<ValueId>> = parts
                .into_iter()
                .enumerate()
                .map(|(i, p)| match p {
                    Some(p) => Some(p),
                    None => {
                        let ty = ad::tangent_type(agg::part_type(differential, i as i64)?);
                        Some(ad::TZero::build(b, ty, &[]))
                    }
                })
                .collect();
            let parts = filled?;
            ad::TMake::build(b, &parts, tangent_ty, &[])
        }
        Mirror::Splat => {
            let t = tangent(b, operands[0])?;
            let t = signed(b, t, Site::MirrorSplat);
            // Broadcasting a vector to itself moves nothing.
            if src.ty(operands[0]) == result_ty { t } else { ad::TSplat::build(b, t, tangent_ty, &[]) }
        }
        Mirror::Sum => {
            let t = tangent(b, operands[0])?;
            let t = signed(b, t, Site::MirrorSum);
            ad::TSum::build(b, t, tangent_ty, &[])
        }
        Mirror::Cast => {
            let t = tangent(b, operands[0])?;
            let t = signed(b, t, Site::MirrorCast);
            ad::TCast::build(b, t, tangent_ty, &[])
        }
        Mirror::Select => {
            let condition = primal(operands[0]);
            let pick = |b: &mut Builder<'_>, t: Option<ValueId>| match t {
                Some(t) => Some(t),
                None => zero_for(b, result_ty),
            };
            let (x, y) = (tangent(b, operands[1]), tangent(b, operands[2]));
            let (mut x, mut y) = (pick(b, x)?, pick(b, y)?);
            if faults::on(Site::MirrorSelect) {
                std::mem::swap(&mut x, &mut y);
            }
            ad::TSelect::build(b, condition, x, y, &[])
        }
        Mirror::Reshape => {
            let t = tangent(b, operands[0])?;
            let from = src.ty(operands[0]);
            let transposes = src.attr(op, "permutation").is_some();
            let scalar = ad::tangent_of(from.elem())?;
            let mut parts = Vec::new();
            for i in 0..result_ty.num_elements() {
                let i = if i + 1 == result_ty.num_elements() && faults::on(Site::MirrorReshape) { 0 } else { i };
                // The scalars stay in row-major order, or rows and columns change places.
                let at = match (transposes, result_ty.shape()) {
                    (true, &[_, cols]) => (i % cols as usize) * from.shape()[1] as usize + i / cols as usize,
                    _ => i,
                };
                let path: Vec<i64> = match from.shape() {
                    &[_, cols] => vec![(at / cols as usize) as i64, (at % cols as usize) as i64],
                    _ => vec![at as i64],
                };
                parts.push(ad::TExtract::build(b, t, &[], scalar, &[("path", Attr::i64_array(&path))]));
            }
            ad::TMake::build(b, &parts, tangent_ty, &[])
        }
        Mirror::Detach => return tangent(b, operands[0]).filter(|_| faults::on(Site::MirrorDetach)),
    })
}
