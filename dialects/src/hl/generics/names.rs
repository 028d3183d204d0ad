//! Names of instances that a programmer recognizes: `dot<float, 3>`.

use super::{IntExpr, as_existential, split_instance};
use crate::ad::as_pair;
use crate::agg::{StructType, as_array};
use caustic_ir::{Attr, FloatKind, Type, TypeKind};

fn scalar(ty: Type) -> String {
    let word = match ty.kind() {
        TypeKind::Int(1) => "bool",
        TypeKind::Int(32) => "int",
        TypeKind::UInt(32) => "uint",
        TypeKind::Float(FloatKind::F16) => "half",
        TypeKind::Float(FloatKind::F32) => "float",
        TypeKind::Float(FloatKind::F64) => "double",
        TypeKind::Int(bits) => return format!("int{bits}_t"),
        TypeKind::UInt(bits) => return format!("uint{bits}_t"),
        _ => return ty.to_string(),
    };
    word.to_string()
}

/// A settled type as a programmer would write it.
pub fn readable_type(ty: Type) -> String {
    match ty.shape() {
        [n] => return format!("{}{n}", scalar(ty.elem())),
        [r, c] => return format!("{}{r}x{c}", scalar(ty.elem())),
        _ => {}
    }
    if let Some(s) = StructType::of(ty) {
        return s.name().to_string();
    }
    if let Some((n, elem)) = as_array(ty) {
        return format!("{}[{n}]", readable_type(elem));
    }
    if let Some(primal) = as_pair(ty) {
        return format!("DifferentialPair<{}>", readable_type(primal));
    }
    match as_existential(ty).and_then(split_instance) {
        Some((interface, args)) => readable_instance(&interface, args),
        None => scalar(ty),
    }
}

/// A settled argument as a programmer would write it; a witness is not written.
pub fn readable(arg: Attr) -> Option<String> {
    match (arg.as_type(), IntExpr::of(arg)) {
        (Some(ty), _) => Some(readable_type(ty)),
        (None, Some(IntExpr::Known(n))) => Some(n.to_string()),
        _ => None,
    }
}

/// `name<float, 3>`
pub fn readable_instance(name: &str, args: &[Attr]) -> String {
    let words: Vec<String> = args.iter().filter_map(|&a| readable(a)).collect();
    if words.is_empty() { name.to_string() } else { format!("{name}<{}>", words.join(", ")) }
}
