//! `strong`: products in which a zero is *strong*: it annihilates whatever it is multiplied by,
//! infinity and NaN included.
//!
//! Derivatives take them where a factor may be zero because nothing reached it.

use crate::classes::FLOAT_LIKE;
use crate::facts::float::monotone;
use caustic_ir::eval::{Eval, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Dialect, ops};

pub static DIALECT: Dialect = Dialect {
    name: "strong",
    doc: "Products of floats in which a zero is strong: it annihilates whatever it is multiplied by, infinity and NaN included.",
    ops: &[PRODUCT_OPS],
    types: &[],
};

/// The product in which a zero annihilates, be the other factor infinite or no number.
pub fn mul(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// The product that the left factor gates: zero where that is, be the right one infinite or no
/// number.
pub fn gated_mul(a: f64, b: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a * b }
}

fn eval(args: &[Val], product: fn(f64, f64) -> f64) -> Val {
    match args {
        [a, b] => Val::Float(product(a.as_float(), b.as_float())),
        _ => Val::Float(f64::NAN),
    }
}

ops! { pub static PRODUCT_OPS as ProductView: [
    /// Product in which a zero annihilates: zero where either operand is, be the other infinite or
    /// no number. `%c = strong.mulf %a, %b : f32`
    ///
    /// What derivatives take where either may be zero because nothing reached it. It is one itself
    /// in the derivative of the derivative: a choice by the operand's value would lose the term in
    /// which that varies.
    MulF "strong.mulf" {
        operands: (lhs: Class(&FLOAT_LIKE), rhs: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: true, asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($result)"),
        verify: None, fold: Fold::Eval, eval: Eval::Scalar(|args, _| eval(args, mul)), facts: monotone,
        ad: AdRule::Partials(&["strong(rhs)", "strong(lhs)"]),
    }
    /// Product that the left operand gates: zero where that is, be the right one infinite or no
    /// number. `%c = strong.gated_mulf %a, %b : f32`
    ///
    /// What derivatives take where the left operand may be zero because nothing reached it, while a
    /// zero on the right was computed. Its partials are such products again.
    GatedMulF "strong.gated_mulf" {
        operands: (lhs: Class(&FLOAT_LIKE), rhs: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($result)"),
        verify: None, fold: Fold::Eval, eval: Eval::Scalar(|args, _| eval(args, gated_mul)), facts: monotone,
        ad: AdRule::Partials(&["gated(rhs)", "gate(lhs)"]),
    }
] }
