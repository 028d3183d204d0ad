//! `arith`: numbers. The op names, syntax and meaning are upstream MLIR's.
//!
//! Where upstream leaves behaviour undefined, it is defined here, so that no target may differ: an
//! integer divided by zero gives 0 (and remainder 0), the smallest integer divided by -1 wraps,
//! shift amounts are taken modulo the width, a float too large for an integer type saturates and
//! NaN becomes 0. Integers are signless; an i1 read as signed is 0 or -1.

pub mod build;
mod cast;
mod cmp;
mod float;
mod int;
pub mod num;

pub use build::{bool, constant, constant_of, float, index, int, zero};
pub use cast::*;
pub use cmp::*;
pub use float::*;
pub use int::*;

use crate::classes::SCALAR_LIKE;
use crate::facts::shape;
use caustic_ir::attr::AttrKind;
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, AsmShape, Fold, Folded};
use caustic_ir::{Attr, Body, Diagnostic, Dialect, OpId, Type, ops};

/// Mark of an `arith.divf` beside the reciprocal of its divisor, whose dividend does not change
/// while the loop around both runs.
pub const BY_RECIPROCAL: &str = "by_reciprocal";

pub static DIALECT: Dialect = Dialect {
    name: "arith",
    doc: "Arithmetic, comparison, selection and conversion of integers and floats, and of vectors and matrices of them \
          lane by lane. Nothing is undefined: an integer division by zero gives 0, the smallest integer divided by -1 \
          wraps, shift amounts are taken modulo the width, conversion of a float to an integer saturates (NaN gives 0). \
          Integers have no sign of their own; an i1 read as signed is 0 or -1.",
    ops: &[CONSTANT_OPS, INT_OPS, FLOAT_OPS, CMP_OPS, CAST_OPS],
    types: &[],
};

/// The type of a constant attribute.
pub fn attr_type(attr: Attr) -> Option<Type> {
    match attr.kind() {
        AttrKind::Int(_, ty) | AttrKind::Float(_, ty) | AttrKind::Dense(_, ty) => Some(*ty),
        _ => None,
    }
}

fn verify_constant(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let result = body.ty(body.result(op, 0));
    match body.attr(op, "value").and_then(attr_type) {
        Some(ty) if ty == result => Ok(()),
        Some(ty) => Err(Diagnostic::invalid_ir(
            body.loc(op),
            format!("arith.constant: the value has type {ty}, but the result has type {result}"),
        )),
        None => Err(Diagnostic::invalid_ir(
            body.loc(op),
            "arith.constant: the value is not an int, float or dense constant",
        )),
    }
}

fn fold_constant(body: &Body, op: OpId, _: &[Option<Attr>]) -> Option<Folded> {
    body.attr(op, "value").map(Folded::Constant)
}

fn eval_constant(_: &mut dyn Machine, body: &Body, op: OpId, _: Vec<Val>) -> EvalResult {
    match body.attr(op, "value").and_then(Val::from_attr) {
        Some(value) => Ok(vec![value]),
        None => Err(Trap::new(body.loc(op), "a constant without a value")),
    }
}

ops! { pub static CONSTANT_OPS as ConstantView: [
    /// A constant: an int, a float, or a vector or matrix of them.
    ///
    /// `%half = arith.constant 5.0e-01 : f32`, `%v = arith.constant dense<[1, 2]> : vector<2xi32>`
    Constant "arith.constant" {
        operands: (), results: one(Class(&SCALAR_LIKE)), attrs: (value: Constant), regions: (),
        effects: Pure, commutative: false, asm: Asm::Shape(AsmShape::Constant),
        verify: Some(verify_constant), fold: Fold::With(fold_constant), eval: Eval::Full(eval_constant), facts: shape::constant,
        ad: AdRule::Inactive,
    }
] }
