//! `hl`: what the front end knows. Functions with parameters as written, local variables as addresses, structured control flow with
//! break, continue and return anywhere.
//!
//! Value computations are `arith`, `math`, `vector` and `agg` ops. `passes/normalize` removes this dialect.

pub mod expand;
mod ops;
pub mod source;
mod verify;

pub use ops::*;

use caustic_ir::{Attr, Dialect, Type};

pub static DIALECT: Dialect = Dialect {
    name: "hl",
    doc: "What the front end knows: functions as written, local variables as addresses, control flow with early exits.",
    ops: &[HL_OPS],
    types: &[(
        "ref",
        "`!hl.ref<T>`: the address of a local variable, of an element of a buffer, or of a part of one. Refs never alias unless they are made from the same variable or buffer.",
    )],
};

/// `!hl.ref<T>`
pub fn ref_type(ty: Type) -> Type {
    Type::dialect("hl.ref", vec![Attr::ty(ty)])
}

/// The type of what a ref points to.
pub fn as_ref(ty: Type) -> Option<Type> {
    ty.dialect_params("hl.ref")?.first()?.as_type()
}
