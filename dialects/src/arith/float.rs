//! Float arithmetic, lane by lane. Every result is the exact one rounded to its type; NaNs carry no
//! payload that a program may rely on.

use super::num;
use crate::classes::FLOAT_LIKE;
use crate::facts::float as facts;
use caustic_ir::attr::AttrKind;
use caustic_ir::eval::{Eval, Val};
use caustic_ir::op::{AdRule, Asm, Fold, Folded};
use caustic_ir::{Attr, Body, OpId, ops};

/// Whether a constant is the float `wanted` in every lane, the sign of a zero included.
fn is_float(attr: Option<Attr>, wanted: f64) -> bool {
    let same = |a: &Attr| a.as_float().is_some_and(|v| v.to_bits() == wanted.to_bits());
    match attr.map(Attr::kind) {
        Some(AttrKind::Float(bits, _)) => *bits == wanted.to_bits(),
        Some(AttrKind::Dense(items, _)) => !items.is_empty() && items.iter().all(same),
        _ => false,
    }
}

/// Folds `x op right` and `left op x` to x. Only what holds for every x belongs here: infinities
/// and -0 included.
fn fold_identity(constants: &[Option<Attr>], right: Option<f64>, left: Option<f64>) -> Option<Folded> {
    if right.is_some_and(|c| is_float(constants.get(1).copied().flatten(), c)) {
        return Some(Folded::Operand(0));
    }
    left.filter(|&c| is_float(constants.first().copied().flatten(), c)).map(|_| Folded::Operand(1))
}

fn fold_same(body: &Body, op: OpId) -> Option<Folded> {
    let operands = body.operands(op);
    (operands.first() == operands.get(1)).then_some(Folded::Operand(0))
}

/// Rows of ops of two floats: `name commutative: evaluation, fold, facts, partials`.
macro_rules! float_binary {
    ( $( $(#[doc = $doc:literal])+ $view:ident $name:literal $comm:literal $f:expr, $fold:expr, $facts:expr, $partials:expr; )* ) => {
        ops! { pub static FLOAT_OPS as FloatView: [ $(
            $(#[doc = $doc])+
            $view $name {
                operands: (lhs: Class(&FLOAT_LIKE), rhs: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
                effects: Pure, commutative: $comm,
                asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($result)"),
                verify: None, fold: $fold,
                eval: Eval::Scalar(|args, _| {
                    const F: fn(f64, f64) -> f64 = $f;
                    match args {
                        [a, b] => Val::Float(F(a.as_float(), b.as_float())),
                        _ => Val::Float(f64::NAN),
                    }
                }),
                facts: $facts,
                ad: AdRule::Partials(&$partials),
            }
        )*
            /// The value with its sign flipped. `%b = arith.negf %a : f32`
            NegF "arith.negf" {
                operands: (operand: Class(&FLOAT_LIKE)), results: infer(SameAs(0)), attrs: (), regions: (),
                effects: Pure, commutative: false, asm: Asm::Format("$operand attr-dict `:` type($result)"),
                verify: None, fold: Fold::Eval,
                eval: Eval::Scalar(|args, _| Val::Float(args.first().map_or(f64::NAN, |a| -a.as_float()))),
                facts: facts::monotone,
                ad: AdRule::Partials(&["-1"]),
            }
        ] }
    };
}

float_binary! {
    /// Sum. `%c = arith.addf %a, %b : f32`
    AddF "arith.addf" true |a, b| a + b, Fold::With(|_, _, c| fold_identity(c, Some(-0.0), Some(-0.0))), facts::monotone, ["1", "1"];
    /// Difference. `%c = arith.subf %a, %b : f32`
    SubF "arith.subf" false |a, b| a - b, Fold::With(|_, _, c| fold_identity(c, Some(0.0), None)), facts::monotone, ["1", "-1"];
    /// Product. `%c = arith.mulf %a, %b : f32`
    MulF "arith.mulf" true |a, b| a * b, Fold::With(|_, _, c| fold_identity(c, Some(1.0), Some(1.0))), facts::monotone, ["rhs", "lhs"];
    /// Quotient. `%c = arith.divf %a, %b : f32`
    ///
    /// Both partials are told by one reciprocal: a vector divided by a number takes one for all of
    /// its parts.
    DivF "arith.divf" false |a, b| a / b, Fold::With(|_, _, c| fold_identity(c, Some(1.0), None)), facts::monotone,
        ["1 / rhs", "-result * (1 / rhs)"];
    /// Remainder of the division rounded towards zero, with the sign of the dividend (C's `fmod`,
    /// HLSL's `fmod`). `%c = arith.remf %a, %b : f32`
    ///
    /// Derivative: 1 for the dividend, `-trunc(a / b)` for the divisor; at the jumps that of the
    /// side further from zero.
    RemF "arith.remf" false |a, b| a % b, Fold::Eval, facts::remainder, ["1", "-trunc(lhs / rhs)"];
    /// The lesser; NaN if either is NaN, and -0 is less than +0. `%c = arith.minimumf %a, %b : f32`
    ///
    /// Derivative: that of the lesser; where both are equal, half of each.
    MinimumF "arith.minimumf" true num::minimum, Fold::With(|body, op, _| fold_same(body, op)), facts::monotone,
        ["select(lhs == result, select(lhs == rhs, 0.5, 1), 0)", "select(lhs == result, select(lhs == rhs, 0.5, 0), 1)"];
    /// The greater; NaN if either is NaN, and -0 is less than +0.
    /// `%c = arith.maximumf %a, %b : f32`
    ///
    /// Derivative: that of the greater; where both are equal, half of each.
    MaximumF "arith.maximumf" true num::maximum, Fold::With(|body, op, _| fold_same(body, op)), facts::monotone,
        ["select(lhs == result, select(lhs == rhs, 0.5, 1), 0)", "select(lhs == result, select(lhs == rhs, 0.5, 0), 1)"];
    /// The lesser; the other one if one is NaN, and -0 is less than +0 (HLSL's `min`).
    /// `%c = arith.minnumf %a, %b : f32`
    ///
    /// Derivative: that of the lesser; where both are equal, half of each.
    MinNumF "arith.minnumf" true num::min_number, Fold::With(|body, op, _| fold_same(body, op)), facts::monotone,
        ["select(lhs == result, select(lhs == rhs, 0.5, 1), 0)", "select(lhs == result, select(lhs == rhs, 0.5, 0), 1)"];
    /// The greater; the other one if one is NaN, and -0 is less than +0 (HLSL's `max`).
    /// `%c = arith.maxnumf %a, %b : f32`
    ///
    /// Derivative: that of the greater; where both are equal, half of each.
    MaxNumF "arith.maxnumf" true num::max_number, Fold::With(|body, op, _| fold_same(body, op)), facts::monotone,
        ["select(lhs == result, select(lhs == rhs, 0.5, 1), 0)", "select(lhs == result, select(lhs == rhs, 0.5, 0), 1)"];
}
