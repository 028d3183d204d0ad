//! Reading and writing along paths: the reference semantics shared by `agg` and `ad`.

use super::types::{as_tape, part_type, zero_value};
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Type};
use std::sync::Arc;

/// The path of an op with the dynamic indices filled in.
pub fn resolve_path(path: Option<Attr>, indices: &[Val]) -> Vec<i64> {
    let mut dynamic = indices.iter().map(|v| v.as_int());
    path.and_then(|p| p.as_i64_array())
        .unwrap_or_default()
        .into_iter()
        // An index that is negative at run time is out of range; i64::MAX keeps it so without being
        // a marker.
        .map(|step| if step >= 0 { step } else { dynamic.next().filter(|&i| i >= 0).unwrap_or(i64::MAX) })
        .collect()
}

/// Position of part `step` in the flat list of scalars that a vector or matrix is evaluated as.
fn vector_span(ty: Type, step: i64) -> Option<(usize, usize)> {
    let shape = ty.shape();
    let rows = *shape.first()? as i64;
    let width: usize = shape[1..].iter().map(|&n| n as usize).product();
    (step < rows).then(|| (step as usize * width, width))
}

/// The part of `value` (of type `ty`) at `path`; zero outside.
pub fn get(value: &Val, ty: Type, path: &[i64]) -> Option<Val> {
    let [step, rest @ ..] = path else { return Some(value.clone()) };
    let any = if ty.is_vector() { 0 } else { (*step).min(i64::MAX - 1) };
    let part_ty = part_type(ty, if super::as_array(ty).is_some() { -1 } else { any })?;
    if ty.is_vector() {
        let inside = vector_span(ty, *step);
        return match inside {
            Some((at, _)) if !part_ty.is_vector() => value.parts().get(at).cloned(),
            Some((at, n)) => get(&Val::agg(value.parts().get(at..at + n)?.to_vec()), part_ty, rest),
            None => zero_value(super::type_at_path(part_ty, rest_types(rest).as_slice())?),
        };
    }
    match value.parts().get(usize::try_from(*step).unwrap_or(usize::MAX)) {
        Some(part) => get(part, part_ty, rest),
        None => get(&zero_value(part_ty)?, part_ty, rest),
    }
}

/// Steps within a vector or matrix for looking up a type only, where an index out of range must not
/// matter.
fn rest_types(rest: &[i64]) -> Vec<i64> {
    vec![-1; rest.len()]
}

/// Applies `f` to the part of `value` at `path` in place; nothing happens outside of an array or
/// vector, a tape grows.
pub fn update(value: &mut Val, ty: Type, path: &[i64], f: &mut dyn FnMut(&mut Val)) {
    let [step, rest @ ..] = path else { return f(value) };
    let Val::Agg(parts) = value else { return };
    if ty.is_vector() {
        let (Some((at, n)), Some(part_ty)) = (vector_span(ty, *step), part_type(ty, 0)) else { return };
        let parts = Arc::make_mut(parts);
        if !part_ty.is_vector() {
            if let Some(p) = parts.get_mut(at) {
                f(p);
            }
            return;
        }
        let Some(row) = parts.get_mut(at..at + n) else { return };
        let mut part = Val::agg(row.to_vec());
        update(&mut part, part_ty, rest, f);
        row.clone_from_slice(part.parts());
        return;
    }
    let index = if super::as_array(ty).is_some() { -1 } else { *step };
    let Some(part_ty) = part_type(ty, index) else { return };
    let at = usize::try_from(*step).unwrap_or(usize::MAX);
    if as_tape(ty).is_some() && at >= parts.len() {
        // A tape index comes from a loop counter: it never runs ahead of what is stored by more
        // than the loop's trip count.
        let Some(zero) = zero_value(part_ty).filter(|_| *step < i64::MAX) else { return };
        Arc::make_mut(parts).resize(at + 1, zero);
    }
    if at < parts.len() {
        update(&mut Arc::make_mut(parts)[at], part_ty, rest, f);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agg::array_type;

    #[test]
    fn outside_of_an_array_the_parts_of_an_element_are_zero_wherever_they_are() {
        let ty = array_type(2, Type::vector(&[2, 3], Type::f32()));
        let row = Val::agg((1..7).map(|i| Val::Float(i as f64)).collect());
        let value = Val::agg(vec![row.clone(), row]);
        let at = |path: &[i64]| get(&value, ty, path).map(|v| format!("{v:?}"));
        assert_eq!(at(&[1, 1, 2]).as_deref(), Some("6.0"));
        for outside in [[2, 0, 0], [0, 2, 0], [0, 0, 3], [9, 9, 9], [0, 5, 7], [i64::MAX, 0, i64::MAX]] {
            assert_eq!(at(&outside).as_deref(), Some("0.0"), "{outside:?}");
        }
        assert_eq!(at(&[0, 2]).as_deref(), Some("[0.0, 0.0, 0.0]"));
    }
}
