//! `hl`: what the front end knows. Functions with parameters as written, local variables as
//! addresses, structured control flow with break, continue and return anywhere; generic functions,
//! interfaces and how types conform to them.
//!
//! Value computations are `arith`, `math`, `vector` and `agg` ops where the types are settled, else
//! `hl.poly`. `passes/specialize` removes what is generic ([`generics`], `generic_ops`),
//! `passes/normalize` the rest.

pub mod expand;
mod generic_ops;
pub mod generics;
mod ops;
pub mod source;
mod verify;

pub use generic_ops::*;
pub use ops::*;

use caustic_ir::{Attr, Dialect, Type};

pub static DIALECT: Dialect = Dialect {
    name: "hl",
    doc: "What the front end knows: functions as written, local variables as addresses, control flow with early exits, generic code.",
    ops: &[HL_OPS, GENERIC_OPS],
    types: &[
        (
            "ref",
            "`!hl.ref<T>`: the address of a local variable, of an element of a buffer, or of a part of one. Refs never alias unless they are made from the same variable or buffer.",
        ),
        (
            "param",
            "`!hl.param<\"T\">`: the argument for type parameter `T` of the enclosing symbol; where a value has this type, without its signedness.",
        ),
        (
            "vector",
            "`!hl.vector<T, N>`: a vector whose element or size depends on parameters. Sizes are integer arguments: `3`, `\"N\"`, `{op = \"add\", args = [\"N\", 1]}`.",
        ),
        ("matrix", "`!hl.matrix<T, R, C>`: a matrix whose element or size depends on parameters."),
        ("array", "`!hl.array<T, N>`: an array whose size depends on parameters."),
        ("assoc", "`!hl.assoc<w, \"Key\">`: the type that witness `w` has for a requirement."),
        ("differential", "`!hl.differential<T>`: the type of the differential of a `T` that depends on parameters."),
        ("existential", "`!hl.existential<@IFoo, args…>`: a value of any type that conforms to the interface."),
    ],
};

/// `!hl.ref<T>`
pub fn ref_type(ty: Type) -> Type {
    Type::dialect("hl.ref", vec![Attr::ty(ty)])
}

/// The type of what a ref points to.
pub fn as_ref(ty: Type) -> Option<Type> {
    ty.dialect_params("hl.ref")?.first()?.as_type()
}
