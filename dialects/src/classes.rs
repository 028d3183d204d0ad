//! Named sets of types that operands and results are declared with.

use caustic_ir::{Type, TypeClass};

fn elem_is(ty: Type, pred: fn(Type) -> bool) -> bool {
    (ty.is_scalar() || ty.is_vector()) && pred(ty.elem())
}

pub static ANY: TypeClass = TypeClass { desc: "any type", contains: |_| true };
pub static BOOL: TypeClass = TypeClass { desc: "i1", contains: |t| t.is_i1() };
pub static INDEX: TypeClass = TypeClass { desc: "index", contains: |t| t.is_index() };
pub static INT_OR_INDEX: TypeClass = TypeClass { desc: "an integer or index", contains: |t| t.is_int_or_index() };
pub static INT_LIKE: TypeClass = TypeClass {
    desc: "an integer or index, or a vector or matrix of integers",
    contains: |t| elem_is(t, |e| e.is_int_or_index()),
};
pub static FLOAT: TypeClass = TypeClass { desc: "a float", contains: |t| t.is_float() };
pub static FLOAT_LIKE: TypeClass =
    TypeClass { desc: "a float, or a vector or matrix of floats", contains: |t| elem_is(t, |e| e.is_float()) };
pub static SCALAR: TypeClass = TypeClass { desc: "a scalar", contains: |t| t.is_scalar() };
pub static SCALAR_LIKE: TypeClass =
    TypeClass { desc: "a scalar, vector or matrix", contains: |t| t.is_scalar() || t.is_vector() };
pub static VECTOR: TypeClass = TypeClass { desc: "a vector or matrix", contains: |t| t.is_vector() };
pub static BOOL_LIKE: TypeClass =
    TypeClass { desc: "i1, or a vector or matrix of i1", contains: |t| elem_is(t, |e| e.is_i1()) };
