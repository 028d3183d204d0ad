//! Making and recognising constants.

use super::Constant;
use caustic_ir::{Attr, Body, Builder, Type, ValueId};

/// The constant attribute of type `ty` with `scalar` in every lane.
pub fn splat_attr(scalar: Attr, ty: Type) -> Attr {
    if ty.is_vector() { Attr::dense(vec![scalar; ty.num_elements()], ty) } else { scalar }
}

/// `value` as an attribute of type `ty`, an integer or float type or a vector of one, in every
/// lane.
pub fn number_attr(value: f64, ty: Type) -> Attr {
    let elem = ty.elem();
    splat_attr(if elem.is_float() { Attr::float(value, elem) } else { Attr::int(value as i64, elem) }, ty)
}

/// A constant of type `ty`, which is the attribute's own.
pub fn constant(b: &mut Builder<'_>, value: Attr, ty: Type) -> ValueId {
    Constant::build(b, ty, &[("value", value)])
}

/// An integer constant, in every lane if `ty` is a vector.
pub fn int(b: &mut Builder<'_>, value: i64, ty: Type) -> ValueId {
    constant(b, splat_attr(Attr::int(value, ty.elem()), ty), ty)
}

/// A float constant, in every lane if `ty` is a vector.
pub fn float(b: &mut Builder<'_>, value: f64, ty: Type) -> ValueId {
    constant(b, splat_attr(Attr::float(value, ty.elem()), ty), ty)
}

/// 0 in every lane of a scalar, vector or matrix type.
pub fn zero(b: &mut Builder<'_>, ty: Type) -> ValueId {
    constant(b, number_attr(0.0, ty), ty)
}

pub fn bool(b: &mut Builder<'_>, value: bool) -> ValueId {
    constant(b, Attr::bool(value), Type::i1())
}

pub fn index(b: &mut Builder<'_>, value: i64) -> ValueId {
    int(b, value, Type::index())
}

/// The constant that `value` is.
pub fn constant_of(body: &Body, value: ValueId) -> Option<Attr> {
    let op = body.def_op(value)?;
    Constant::cast(body, op)?;
    body.attr(op, "value")
}
