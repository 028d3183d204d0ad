//! The types of generic code. Each is made through a function here that gives the plain type where
//! nothing is open.

use super::{IntExpr, readable_instance};
use crate::agg::{self, StructType};
use caustic_ir::{Attr, AttrKind, Name, Type, TypeKind};
use rustc_hash::FxHashMap;

/// More scalars than any vector or matrix has.
const MAX_SIZE: i64 = 4096;

/// `!hl.param<"T">`
pub fn param_type(name: &str) -> Type {
    Type::dialect("hl.param", vec![Attr::string(name)])
}

pub fn as_param(ty: Type) -> Option<Name> {
    ty.dialect_params("hl.param")?.first()?.as_str().map(Name::new)
}

fn known_size(n: Attr) -> Option<u32> {
    match IntExpr::of(n)? {
        IntExpr::Known(n) if (1..=MAX_SIZE).contains(&n) => Some(n as u32),
        _ => None,
    }
}

fn is_element(ty: Type) -> bool {
    ty.is_scalar() || ty.is_unsigned()
}

/// A vector of `n` (an integer argument) scalars.
pub fn vector_of(elem: Type, n: Attr) -> Type {
    match known_size(n) {
        Some(n) if is_element(elem) => Type::vector(&[n], elem),
        _ => Type::dialect("hl.vector", vec![Attr::ty(elem), n]),
    }
}

/// A matrix of `rows` by `cols` (integer arguments) scalars.
pub fn matrix_of(elem: Type, rows: Attr, cols: Attr) -> Type {
    match (known_size(rows), known_size(cols)) {
        (Some(r), Some(c)) if is_element(elem) => Type::vector(&[r, c], elem),
        _ => Type::dialect("hl.matrix", vec![Attr::ty(elem), rows, cols]),
    }
}

/// An array of `n` (an integer argument) values.
pub fn array_of(elem: Type, n: Attr) -> Type {
    match IntExpr::of(n) {
        Some(IntExpr::Known(n)) if n >= 0 => agg::array_type(n as u64, elem),
        _ => Type::dialect("hl.array", vec![Attr::ty(elem), n]),
    }
}

/// The entry `key` of a witness, a type.
pub fn assoc_type(witness: Attr, key: &str) -> Type {
    Type::dialect("hl.assoc", vec![witness, Attr::string(key)])
}

/// D(T) of a type that is not known yet, by the rule of `ad`.
pub fn differential_of(ty: Type) -> Type {
    // That of a value of an interface's type waits for the layout.
    if is_dependent(ty) || as_existential(ty).is_some() {
        return Type::dialect("hl.differential", vec![Attr::ty(ty)]);
    }
    crate::ad::differential_type(ty).unwrap_or(ty)
}

/// A value of any type that conforms to the interface.
pub fn existential_type(interface: Name, args: &[Attr]) -> Type {
    let mut params = vec![Attr::symbol(interface)];
    params.extend_from_slice(args);
    Type::dialect("hl.existential", params)
}

/// The interface of an existential, as an attribute with its arguments.
pub fn as_existential(ty: Type) -> Option<Attr> {
    match ty.dialect_params("hl.existential")? {
        [interface] => Some(*interface),
        params => Some(Attr::array(params.to_vec())),
    }
}

/// A struct that has generic arguments: its name gets them once they are known, and until then the
/// type keeps them.
pub fn struct_instance(name: &str, differentiable: bool, fields: &[(&str, Type, bool)], args: &[Attr]) -> Type {
    if args.iter().all(|&a| !attr_is_dependent(a)) {
        let name = if args.is_empty() { name.to_string() } else { readable_instance(name, args) };
        return StructType::get(&name, differentiable, fields);
    }
    match StructType::get(name, differentiable, fields).kind() {
        TypeKind::Dialect { name, params } => {
            let mut params = params.clone();
            params.push(Attr::array(args.to_vec()));
            Type::dialect(name, params)
        }
        _ => Type::index(),
    }
}

/// The arguments that a struct's type still keeps.
pub fn struct_args(ty: Type) -> Option<&'static [Attr]> {
    ty.dialect_params("agg.struct")?.get(3)?.as_array()
}

/// The type of part `index` of an aggregate whose element or size may be open.
pub fn part_type(ty: Type, index: i64) -> Option<Type> {
    let TypeKind::Dialect { name, params } = ty.kind() else { return agg::part_type(ty, index) };
    let elem = || params.first()?.as_type();
    match name.as_str() {
        "hl.vector" | "hl.array" => elem(),
        "hl.matrix" => Some(vector_of(elem()?, *params.get(2)?)),
        _ => agg::part_type(ty, index),
    }
}

/// The type names of generic code; `specialize` leaves none.
pub fn is_generic_type_name(name: &str) -> bool {
    matches!(
        name,
        "hl.param" | "hl.vector" | "hl.matrix" | "hl.array" | "hl.assoc" | "hl.differential" | "hl.existential"
    )
}

/// Whether the type is made of any type of generic code.
pub fn mentions_generics(ty: Type, seen: &mut FxHashMap<Type, bool>) -> bool {
    mentions(ty, &is_generic_type_name, seen)
}

fn mentions(ty: Type, wanted: &dyn Fn(&str) -> bool, seen: &mut FxHashMap<Type, bool>) -> bool {
    match ty.kind() {
        TypeKind::Int(_) | TypeKind::UInt(_) | TypeKind::Index | TypeKind::Float(_) | TypeKind::Vector { .. } => false,
        TypeKind::Function { inputs, results } => inputs.iter().chain(results).any(|&t| mentions(t, wanted, seen)),
        TypeKind::Dialect { name, params } => {
            if let Some(&known) = seen.get(&ty) {
                return known;
            }
            let found = wanted(name)
                || name.as_str() == "agg.struct" && params.len() > 3
                || params.iter().any(|&p| attr_mentions(p, wanted, seen));
            seen.insert(ty, found);
            found
        }
    }
}

fn attr_mentions(attr: Attr, wanted: &dyn Fn(&str) -> bool, seen: &mut FxHashMap<Type, bool>) -> bool {
    match attr.kind() {
        AttrKind::Type(t) => mentions(*t, wanted, seen),
        AttrKind::Array(items) => items.iter().any(|&a| attr_mentions(a, wanted, seen)),
        AttrKind::Dict(items) => items.iter().any(|&(_, a)| attr_mentions(a, wanted, seen)),
        _ => false,
    }
}

/// Whether arguments can still change the type. An existential is settled if its arguments are, and
/// so is the differential of one.
pub fn is_dependent(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Dialect { .. } | TypeKind::Function { .. } => {
            mentions(
                ty,
                &|name| is_generic_type_name(name) && !matches!(name, "hl.existential" | "hl.differential"),
                &mut FxHashMap::default(),
            ) || open_existential(ty)
        }
        _ => false,
    }
}

fn open_existential(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Function { inputs, results } => inputs.iter().chain(results).any(|&t| open_existential(t)),
        TypeKind::Dialect { name, params } if name.as_str() == "hl.existential" => {
            params[1.min(params.len())..].iter().any(|&a| attr_is_dependent(a))
        }
        TypeKind::Dialect { params, .. } => params.iter().any(|p| match p.kind() {
            AttrKind::Type(t) => open_existential(*t),
            AttrKind::Array(items) => {
                items.iter().filter_map(|a| a.as_array()).flatten().any(|a| a.as_type().is_some_and(open_existential))
            }
            _ => false,
        }),
        _ => false,
    }
}

/// Whether a generic argument still depends on parameters.
pub fn attr_is_dependent(attr: Attr) -> bool {
    match attr.kind() {
        AttrKind::Type(t) => is_dependent(*t),
        // In the place of an argument a string names a parameter.
        AttrKind::String(_) | AttrKind::Dict(_) => true,
        AttrKind::Array(items) => items.iter().any(|&a| attr_is_dependent(a)),
        _ => false,
    }
}
