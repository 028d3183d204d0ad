//! Differential types: D(T), pairs and tangents (seeds: user guide, "Differentiable Type System").

use crate::agg::{StructType, array_type, as_array, as_tape, tape_type};
use caustic_ir::{Attr, Name, Type};

/// D(T), the type of the differential of a `T`; `None` if values of the type carry no derivative.
///
/// Floats and vectors or matrices of them are their own. An array's is the array of its element's.
/// A differentiable struct's is what the programmer says; else the struct itself if every field is
/// its own differential, else a struct `Name.Differential` with one field for each that has one. A
/// pair's is the struct or pair of the same rule.
pub fn differential_type(ty: Type) -> Option<Type> {
    if (ty.is_scalar() || ty.is_vector()) && ty.elem().is_float() {
        return Some(ty);
    }
    if let Some((n, elem)) = as_array(ty) {
        return differential_type(elem).map(|d| array_type(n, d));
    }
    if let Some(elem) = as_tape(ty) {
        return differential_type(elem).map(tape_type);
    }
    if let Some(primal) = as_pair(ty) {
        // Types of an earlier order are ordinary structs to the next.
        return differential_type(pair_struct(primal)?);
    }
    let s = StructType::of(ty).filter(|s| s.differentiable())?;
    if let Some(chosen) = s.chosen_differential() {
        return Some(chosen);
    }
    if s.is_pair() {
        return pair_struct(differential_type(s.field(0)?.ty)?);
    }
    let fields = differential_fields(s);
    let same = |p: &PlacedField| s.field(p.field).is_some_and(|f| f.ty == p.ty);
    if fields.len() == s.num_fields() && fields.iter().all(same) {
        return Some(ty);
    }
    let parts: Vec<(&str, Type, bool)> =
        fields.iter().filter_map(|p| s.field(p.field).map(|f| (f.name, p.ty, false))).collect();
    Some(StructType::get(&format!("{}.Differential", s.name()), true, &parts))
}

/// A field of a struct that carries a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedField {
    pub field: usize,
    /// Its place among the parts of the struct's differential.
    pub place: usize,
    /// Its differential type.
    pub ty: Type,
}

/// The differentiable fields of a struct, in order. Their places in the differential follow one
/// another, unless the programmer has chosen the differential.
pub fn differential_fields(s: StructType) -> Vec<PlacedField> {
    let chosen = s.chosen_differential().is_some();
    let differentiable = s.fields().enumerate().filter(|(_, f)| !f.no_diff);
    let mut out = Vec::new();
    for (field, f) in differentiable {
        let place = if chosen { s.chosen_place(field) } else { Some(out.len()) };
        if let (Some(place), Some(ty)) = (place, differential_type(f.ty)) {
            out.push(PlacedField { field, place, ty });
        }
    }
    out
}

/// The path in D(`ty`) that corresponds to `path` in `ty`; `None` if it leads to a part without a
/// derivative. Dynamic steps (-1) stay.
pub fn differential_path(ty: Type, path: &[i64]) -> Option<Vec<i64>> {
    let mut ty = ty;
    let mut out = Vec::with_capacity(path.len());
    for &step in path {
        differential_type(ty)?;
        match StructType::of(ty) {
            Some(s) => {
                let part = differential_fields(s).into_iter().find(|p| p.field as i64 == step)?;
                out.push(part.place as i64);
            }
            None => out.push(step),
        }
        ty = crate::agg::part_type(ty, step)?;
    }
    differential_type(ty)?;
    Some(out)
}

/// `!ad.pair<T>`
pub fn pair_type(primal: Type) -> Type {
    Type::dialect("ad.pair", vec![Attr::ty(primal)])
}

/// The primal type of a pair.
pub fn as_pair(ty: Type) -> Option<Type> {
    ty.dialect_params("ad.pair")?.first()?.as_type()
}

/// The ordinary struct that a pair is laid out as: fields `p` and `d`.
pub fn pair_struct(primal: Type) -> Option<Type> {
    let d = differential_type(primal)?;
    let lowered = lower_pairs(primal);
    let d = lower_pairs(d);
    Some(StructType::pair(&format!("DifferentialPair<{}>", short_name(primal)), lowered, d))
}

/// The struct of a differentiable pointer and the pointer to its derivative: fields `p` and `d`.
pub fn pointer_pair(ty: Type) -> Option<Type> {
    let s = StructType::of(ty)?;
    let fields = [("p", ty, false), ("d", s.pointer_differential()?, false)];
    Some(StructType::get(&format!("DifferentialPtrPair<{}>", s.name()), false, &fields))
}

/// The type with every pair in it replaced by its struct.
pub fn lower_pairs(ty: Type) -> Type {
    if let Some(primal) = as_pair(ty) {
        return pair_struct(primal).unwrap_or(ty);
    }
    map_parts(ty, &lower_pairs)
}

/// The type rebuilt with `f` applied to the types it is directly made of (fields, elements,
/// function inputs and results, parameters).
pub fn map_parts(ty: Type, f: &dyn Fn(Type) -> Type) -> Type {
    use caustic_ir::TypeKind;
    match ty.kind() {
        TypeKind::Function { inputs, results } => Type::function(
            &inputs.iter().map(|&t| f(t)).collect::<Vec<_>>(),
            &results.iter().map(|&t| f(t)).collect::<Vec<_>>(),
        ),
        TypeKind::Dialect { name, params } => {
            let new: Vec<Attr> = params.iter().map(|&p| map_attr_types(p, f)).collect();
            if new == *params { ty } else { Type::dialect(name, new) }
        }
        _ => ty,
    }
}

fn map_attr_types(attr: Attr, f: &dyn Fn(Type) -> Type) -> Attr {
    if let Some(t) = attr.as_type() {
        return Attr::ty(f(t));
    }
    match attr.as_array() {
        Some(items) => Attr::array(items.iter().map(|&a| map_attr_types(a, f)).collect()),
        None => attr,
    }
}

/// A type as a programmer would call it, for the names of synthesized types.
fn short_name(ty: Type) -> String {
    match StructType::of(ty) {
        Some(s) => s.name().to_string(),
        None => match as_pair(ty) {
            Some(p) => format!("DifferentialPair<{}>", short_name(p)),
            None => ty.to_string(),
        },
    }
}

/// `!ad.tangent<D>`
pub fn tangent_type(differential: Type) -> Type {
    Type::dialect("ad.tangent", vec![Attr::ty(differential)])
}

/// The differential type inside a tangent.
pub fn as_tangent(ty: Type) -> Option<Type> {
    ty.dialect_params("ad.tangent")?.first()?.as_type()
}

pub fn is_tangent(ty: Type) -> bool {
    as_tangent(ty).is_some()
}

/// The type without a tangent wrapper around it.
pub fn strip_tangent(ty: Type) -> Type {
    as_tangent(ty).unwrap_or(ty)
}

/// `!ad.tangent<D(T)>`
pub fn tangent_of(ty: Type) -> Option<Type> {
    differential_type(ty).map(tangent_type)
}

/// `!ad.context<@key>`: what a call of the function needs to keep for its reverse pass. The key is
/// a derivative instance's name.
pub fn context_type(key: Name) -> Type {
    Type::dialect("ad.context", vec![Attr::symbol(key)])
}

pub fn as_context(ty: Type) -> Option<Name> {
    ty.dialect_params("ad.context")?.first()?.as_symbol()
}
