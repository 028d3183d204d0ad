//! Functions of floats, with their derivatives.

use crate::classes::FLOAT_LIKE;
use crate::facts::float::{ALL, copysign, function, fused, monotone, monotone2, normal, swinging, tangent};
use crate::facts::function::power;
use caustic_ir::attr::round_to;
use caustic_ir::eval::{Eval, ScalarTypes, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{FloatKind, ops};
use std::f64::consts::{FRAC_PI_2, PI};

/// Rows of functions of one float: `name: evaluation, facts, differentiation rule`.
///
/// Facts are given by how many units in the last place a target may differ from the reference at
/// most: what docs/functions-of-floats.md has measured and the reference's own error; for functions
/// that it does not list, what OpenCL allows.
macro_rules! float_unary {
    ( $list:ident as $views:ident; $( $(#[doc = $doc:literal])+ $view:ident $name:literal $f:expr, $facts:expr, $ad:expr; )* ) => {
        ops! { pub static $list as $views: [ $(
            $(#[doc = $doc])+
            $view $name {
                operands: (operand: Class(&FLOAT_LIKE)), results: infer(SameAs(0)), attrs: (), regions: (),
                effects: Pure, commutative: false, asm: Asm::Format("$operand attr-dict `:` type($result)"),
                verify: None, fold: Fold::Eval,
                eval: Eval::Scalar(|args, _| {
                    const F: fn(f64) -> f64 = $f;
                    Val::Float(args.first().map_or(f64::NAN, |a| F(a.as_float())))
                }),
                facts: $facts,
                ad: $ad,
            }
        )* ] }
    };
}

use AdRule::Partials;

const INF: f64 = f64::INFINITY;

float_unary! { UNARY_OPS as UnaryView;
    /// Absolute value. `%b = math.absf %a : f32`
    ///
    /// Derivative: the sign; 0 at 0.
    AbsF "math.absf" f64::abs, monotone, Partials(&["select(operand != 0, select(operand < 0, -1, 1), singular(0, 0 / 0))"]);
    /// Square root. `%b = math.sqrt %a : f32`
    ///
    /// Derivative: 1 / (2 √a); infinite at 0.
    Sqrt "math.sqrt" f64::sqrt, |x| function(x, 0, (0.0, INF)), Partials(&["0.5 * (1 / result)"]);
    /// Cube root. `%b = math.cbrt %a : f32`
    ///
    /// Derivative: infinite at 0.
    Cbrt "math.cbrt" f64::cbrt, |x| function(x, 3, ALL), Partials(&["1 / (3 * result * result)"]);
    /// Sine of an angle in radians. `%b = math.sin %a : f32`
    Sin "math.sin" f64::sin, |x| swinging(x, 3, FRAC_PI_2), Partials(&["cos(operand)"]);
    /// Cosine of an angle in radians. `%b = math.cos %a : f32`
    Cos "math.cos" f64::cos, |x| swinging(x, 3, PI), Partials(&["-sin(operand)"]);
    /// Tangent of an angle in radians. `%b = math.tan %a : f32`
    Tan "math.tan" f64::tan, |x| tangent(x, 4), Partials(&["1 + result * result"]);
    /// Arc sine; NaN outside of [-1, 1]. `%b = math.asin %a : f32`
    ///
    /// Derivative: infinite at -1 and 1.
    Asin "math.asin" f64::asin, |x| function(x, 3, (-1.0, 1.0)), Partials(&["1 / sqrt((1 - operand) * (1 + operand))"]);
    /// Arc cosine; NaN outside of [-1, 1]. `%b = math.acos %a : f32`
    ///
    /// Derivative: infinite at -1 and 1.
    Acos "math.acos" f64::acos, |x| normal(function(x, 3, (-1.0, 1.0))), Partials(&["-1 / sqrt((1 - operand) * (1 + operand))"]);
    /// Arc tangent. `%b = math.atan %a : f32`
    Atan "math.atan" f64::atan, |x| function(x, 3, ALL), Partials(&["1 / (1 + operand * operand)"]);
    /// Hyperbolic sine. `%b = math.sinh %a : f32`
    Sinh "math.sinh" f64::sinh, |x| function(x, 4, ALL), Partials(&["cosh(operand)"]);
    /// Hyperbolic cosine. `%b = math.cosh %a : f32`
    Cosh "math.cosh" f64::cosh, |x| function(x, 4, ALL), Partials(&["sinh(operand)"]);
    /// Hyperbolic tangent. `%b = math.tanh %a : f32`
    Tanh "math.tanh" f64::tanh, |x| function(x, 4, ALL), Partials(&["1 - result * result"]);
    /// Inverse hyperbolic sine. `%b = math.asinh %a : f32`
    Asinh "math.asinh" asinh, |x| function(x, 5, ALL), Partials(&["1 / sqrt(1 + operand * operand)"]);
    /// Inverse hyperbolic cosine; NaN below 1. `%b = math.acosh %a : f32`
    ///
    /// Derivative: infinite at 1.
    Acosh "math.acosh" acosh, |x| function(x, 5, (1.0, INF)), Partials(&["1 / (sqrt(operand - 1) * sqrt(operand + 1))"]);
    /// Inverse hyperbolic tangent; infinite at -1 and 1, NaN outside. `%b = math.atanh %a : f32`
    ///
    /// Derivative: infinite at -1 and 1.
    Atanh "math.atanh" atanh, |x| function(x, 6, (-1.0, 1.0)), Partials(&["1 / ((1 - operand) * (1 + operand))"]);
    /// e to the power a. `%b = math.exp %a : f32`
    Exp "math.exp" f64::exp, |x| function(x, 3, ALL), Partials(&["result"]);
    /// 2 to the power a. `%b = math.exp2 %a : f32`
    Exp2 "math.exp2" f64::exp2, |x| function(x, 3, ALL), Partials(&["result * 0.6931471805599453"]);
    /// e to the power a, minus 1; accurate near 0. `%b = math.expm1 %a : f32`
    ExpM1 "math.expm1" f64::exp_m1, |x| function(x, 4, ALL), Partials(&["exp(operand)"]);
    /// Natural logarithm; -infinity at 0, NaN below. `%b = math.log %a : f32`
    ///
    /// Derivative: infinite at 0.
    Log "math.log" f64::ln, |x| normal(function(x, 4, (0.0, INF))), Partials(&["1 / operand"]);
    /// Logarithm to base 2. `%b = math.log2 %a : f32`
    Log2 "math.log2" f64::log2, |x| normal(function(x, 3, (0.0, INF))), Partials(&["1.4426950408889634 / operand"]);
    /// Logarithm to base 10. `%b = math.log10 %a : f32`
    Log10 "math.log10" f64::log10, |x| normal(function(x, 4, (0.0, INF))), Partials(&["0.4342944819032518 / operand"]);
    /// Natural logarithm of 1 + a; accurate near 0. `%b = math.log1p %a : f32`
    Log1p "math.log1p" f64::ln_1p, |x| function(x, 4, (-1.0, INF)), Partials(&["1 / (1 + operand)"]);
}

float_unary! { ROUNDING_OPS as RoundingView;
    /// The nearest integer not above. Its derivative is 0 everywhere, jumps included.
    /// `%b = math.floor %a : f32`
    Floor "math.floor" f64::floor, |x| normal(monotone(x)), AdRule::Inactive;
    /// The nearest integer not below. Its derivative is 0 everywhere, jumps included.
    /// `%b = math.ceil %a : f32`
    Ceil "math.ceil" f64::ceil, |x| normal(monotone(x)), AdRule::Inactive;
    /// The nearest integer, ties away from zero (C's `round`). Its derivative is 0 everywhere.
    /// `%b = math.round %a : f32`
    Round "math.round" f64::round, |x| normal(monotone(x)), AdRule::Inactive;
    /// The nearest integer, ties to even (HLSL's `round`). Its derivative is 0 everywhere.
    /// `%b = math.roundeven %a : f32`
    RoundEven "math.roundeven" f64::round_ties_even, |x| normal(monotone(x)), AdRule::Inactive;
    /// The nearest integer towards zero. Its derivative is 0 everywhere, jumps included.
    /// `%b = math.trunc %a : f32`
    Trunc "math.trunc" f64::trunc, |x| normal(monotone(x)), AdRule::Inactive;
}

/// Rows of functions of two floats: `name: evaluation, facts, partials`.
macro_rules! float_binary {
    ( $( $(#[doc = $doc:literal])+ $view:ident $name:literal $f:expr, $facts:expr, $partials:expr; )* ) => {
        ops! { pub static BINARY_OPS as BinaryView: [ $(
            $(#[doc = $doc])+
            $view $name {
                operands: (lhs: Class(&FLOAT_LIKE), rhs: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
                effects: Pure, commutative: false, asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($result)"),
                verify: None, fold: Fold::Eval,
                eval: Eval::Scalar(|args, _| {
                    const F: fn(f64, f64) -> f64 = $f;
                    match args {
                        [a, b] => Val::Float(F(a.as_float(), b.as_float())),
                        _ => Val::Float(f64::NAN),
                    }
                }),
                facts: $facts,
                ad: Partials(&$partials),
            }
        )* ] }
    };
}

float_binary! {
    /// The angle of the point (x = second operand, y = first operand), in (-π, π].
    /// `%b = math.atan2 %y, %x : f32`
    ///
    /// Derivative: NaN at the origin, which has no angle.
    Atan2 "math.atan2" f64::atan2, |x| monotone2(x, 4), ["rhs / (lhs * lhs + rhs * rhs)", "-lhs / (lhs * lhs + rhs * rhs)"];
    /// The first operand to the power of the second; NaN for a negative base with a fractional
    /// exponent. `%c = math.powf %a, %b : f32`
    ///
    /// Derivative by the base: 0 where the exponent is 0, whatever the base. By the exponent: 0 at
    /// a base that is not positive, where the power is constant or defined for integers only; so a
    /// zero tangent of the exponent never meets a NaN.
    PowF "math.powf" f64::powf, |x| power(x, 5), [
        "singular(select(rhs == 0, 0, rhs * powf(lhs, rhs - 1)), rhs * powf(lhs, rhs - 1))",
        "singular(select(lhs > 0, result * log(lhs), 0), result * log(lhs))"
    ];
    /// The magnitude of the first operand with the sign of the second.
    /// `%c = math.copysign %a, %b : f32`
    ///
    /// Derivative: 1 or -1 for the first operand (its sign bit decides, at zero too), 0 for the
    /// second.
    CopySign "math.copysign" f64::copysign, copysign, ["copysign(1, lhs) * copysign(1, rhs)", "0"];
}

/// Computed in the type itself: rounding an f64 result would round twice.
fn eval_fma(args: &[Val], types: &ScalarTypes<'_>) -> Val {
    let [a, b, c] = args else { return Val::Float(f64::NAN) };
    let (a, b, c) = (a.as_float(), b.as_float(), c.as_float());
    Val::Float(match types.result.float_kind() {
        Some(FloatKind::F32) => (a as f32).mul_add(b as f32, c as f32) as f64,
        // 53 bits hold every bit of an f16 result and of what is rounded away near a tie.
        Some(FloatKind::F16) => round_to(a.mul_add(b, c), FloatKind::F16),
        _ => a.mul_add(b, c),
    })
}

ops! { pub static FMA_OPS as FmaView: [
    /// a · b + c, rounded once. `%d = math.fma %a, %b, %c : f32`
    Fma "math.fma" {
        operands: (a: Class(&FLOAT_LIKE), b: SameAs(0), c: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$a `,` $b `,` $c attr-dict `:` type($result)"),
        verify: None, fold: Fold::Eval, eval: Eval::Scalar(eval_fma), facts: fused,
        ad: AdRule::Partials(&["b", "a", "1"]),
    }
] }

/// The root is rounded to the type as well: that is what machines have instructions for.
fn eval_rsqrt(args: &[Val], types: &ScalarTypes<'_>) -> Val {
    let root = args.first().map_or(f64::NAN, |a| a.as_float().sqrt());
    Val::Float(1.0 / types.result.float_kind().map_or(root, |kind| round_to(root, kind)))
}

ops! { pub static RSQRT_OPS as RsqrtOpsView: [
    /// 1 / √a, where √a is rounded, too. `%b = math.rsqrt %a : f32`
    ///
    /// Derivative: -1 / (2 a √a); infinite at 0.
    Rsqrt "math.rsqrt" {
        operands: (operand: Class(&FLOAT_LIKE)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$operand attr-dict `:` type($result)"),
        verify: None, fold: Fold::Eval, eval: Eval::Scalar(eval_rsqrt), facts: |x| function(x, 3, (0.0, INF)),
        ad: AdRule::Partials(&["-0.5 * result * result * result"]),
    }
] }

/// Not the standard library's, which loses accuracy near 0 and overflows for large values.
fn asinh(x: f64) -> f64 {
    let a = x.abs();
    let value = if a > 1e150 {
        a.ln() + std::f64::consts::LN_2
    } else {
        // asinh a = ln(1 + a + (√(1 + a²) - 1)), the last difference without cancellation.
        (a + a * a / (1.0 + (1.0 + a * a).sqrt())).ln_1p()
    };
    value.copysign(x)
}

fn acosh(x: f64) -> f64 {
    if x < 1.0 {
        return f64::NAN;
    }
    if x > 1e150 {
        return x.ln() + std::f64::consts::LN_2;
    }
    let t = x - 1.0;
    (t + (t * (x + 1.0)).sqrt()).ln_1p()
}

fn atanh(x: f64) -> f64 {
    let a = x.abs();
    (0.5 * (2.0 * a / (1.0 - a)).ln_1p()).copysign(x)
}
