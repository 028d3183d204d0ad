//! The functions of floats whose errors are measured, what each is compared with, and how far apart
//! two results are: one list for the CPU (`--ulps`) and for GPUs (`--errors`).
//!
//! Exact is what the op's own evaluation gives in f64, which is the C library's function where
//! there is one, itself within 1 ulp of f64.

use caustic_dialects::{arith, math as m};
use caustic_ir::eval::{Eval, ScalarTypes, Val};
use caustic_ir::op::OpDef;
use caustic_ir::{FloatKind, Type};

/// What a result is compared with.
pub enum Reference {
    /// The op, in f64.
    Near(&'static OpDef),
    /// The same bits, of f32.
    Same(fn(f32, f32) -> f32),
}
use Reference::{Near, Same};

pub struct Function {
    pub name: &'static str,
    /// In the language, of x and y; nothing if it has no such function.
    pub apply: Option<&'static str>,
    /// Of two numbers.
    pub pairs: bool,
    pub reference: Reference,
}

impl Function {
    /// The op, if it is of the dialect `math`.
    #[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "asked for by what measures code of LLVM"))]
    pub fn op(&self) -> Option<&'static OpDef> {
        match self.reference {
            Near(op) if op.name.starts_with("math.") => Some(op),
            _ => None,
        }
    }
}

const fn one(name: &'static str, op: &'static OpDef, apply: &'static str) -> Function {
    Function { name, apply: Some(apply), pairs: false, reference: Near(op) }
}

const fn pair(name: &'static str, op: &'static OpDef, apply: &'static str) -> Function {
    Function { name, apply: Some(apply), pairs: true, reference: Near(op) }
}

/// Of one number, and made by the compiler only.
const fn hidden(name: &'static str, op: &'static OpDef) -> Function {
    Function { name, apply: None, pairs: false, reference: Near(op) }
}

const fn same(name: &'static str, apply: &'static str, pairs: bool, of: fn(f32, f32) -> f32) -> Function {
    Function { name, apply: Some(apply), pairs, reference: Same(of) }
}

pub const FUNCTIONS: [Function; 36] = [
    same("divide", "x / y", true, |x, y| x / y),
    same("divide_and_reciprocal", "x / y + REAL(1) / y", true, |x, y| x / y + 1.0 / y),
    same("divide_by_integer", "x / REAL(int(y))", true, |x, y| x / (y as i32) as f32),
    same("divide_by_three", "x / REAL(3)", false, |x, _| x / 3.0),
    same("divide_by_tenth", "x / REAL(0.1)", false, |x, _| x / 0.1),
    same("divide_by_most", "x / REAL(2.1e9)", false, |x, _| x / 2.1e9),
    same("divide_by_least", "x / REAL(9.5e-10)", false, |x, _| x / 9.5e-10),
    same("reciprocal", "REAL(1) / x", false, |x, _| 1.0 / x),
    same("root", "sqrt(x)", false, |x, _| x.sqrt()),
    same("reciprocal_root", "REAL(1) / sqrt(x)", false, |x, _| 1.0 / x.sqrt()),
    same("two_by_root", "REAL(2) / sqrt(x)", false, |x, _| 2.0 / x.sqrt()),
    same("three_by_root", "REAL(3) / sqrt(x)", false, |x, _| 3.0 / x.sqrt()),
    same("divide_by_root", "y / sqrt(x)", true, |x, y| y / x.sqrt()),
    one("exp", m::Exp::DEF, "exp(x)"),
    one("exp2", m::Exp2::DEF, "exp2(x)"),
    hidden("expm1", m::ExpM1::DEF),
    one("log", m::Log::DEF, "log(x)"),
    one("log2", m::Log2::DEF, "log2(x)"),
    one("log10", m::Log10::DEF, "log10(x)"),
    hidden("log1p", m::Log1p::DEF),
    one("sin", m::Sin::DEF, "sin(x)"),
    one("cos", m::Cos::DEF, "cos(x)"),
    one("tan", m::Tan::DEF, "tan(x)"),
    one("asin", m::Asin::DEF, "asin(x)"),
    one("acos", m::Acos::DEF, "acos(x)"),
    one("atan", m::Atan::DEF, "atan(x)"),
    one("sinh", m::Sinh::DEF, "sinh(x)"),
    one("cosh", m::Cosh::DEF, "cosh(x)"),
    one("tanh", m::Tanh::DEF, "tanh(x)"),
    hidden("asinh", m::Asinh::DEF),
    hidden("acosh", m::Acosh::DEF),
    hidden("atanh", m::Atanh::DEF),
    hidden("cbrt", m::Cbrt::DEF),
    pair("pow", m::PowF::DEF, "pow(x, y)"),
    pair("atan2", m::Atan2::DEF, "atan2(x, y)"),
    pair("fmod", arith::RemF::DEF, "fmod(x, y)"),
];

/// What an op of f64 gives.
pub fn exact(op: &OpDef, pairs: bool, x: f64, y: f64) -> f64 {
    let Eval::Scalar(eval) = op.eval else { return f64::NAN };
    let double = Type::float(FloatKind::F64);
    let operands = [double; 2];
    let args = [Val::Float(x), Val::Float(y)];
    let count = 1 + usize::from(pairs);
    let types = ScalarTypes { operands: &operands[..count], result: double, attrs: &[] };
    eval(&args[..count], &types).as_float()
}

/// Digits of the significand of f32, its least exponent, and the first number that there is none
/// for.
pub const F32: (i32, i32, f64) = (24, -149, 2.0 * (1u128 << 127) as f64);

/// Distance in units of the last place of a format with so many digits of the significand and that
/// least exponent.
pub fn distance(found: f64, expected: f64, (digits, least, beyond): (i32, i32, f64)) -> f64 {
    if found.is_nan() || expected.is_nan() {
        return if found.is_nan() && expected.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let unit = |exponent: i32| 2f64.powi((exponent - digits + 1).max(least));
    if found.is_infinite() || expected.abs() >= beyond {
        // An infinity stands for the first number that there is none for.
        let clamp = |v: f64| v.clamp(-beyond, beyond);
        return (clamp(found) - clamp(expected)).abs() / unit(beyond.log2() as i32 - 1);
    }
    let exponent = ((expected.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    (found - expected).abs() / unit(exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance(1.0, 1.0 + 2f64.powi(-23), F32), 1.0);
        assert_eq!(distance(f64::from(f32::from_bits(3)), f64::from(f32::from_bits(1)), F32), 2.0);
        assert_eq!(distance(f64::INFINITY, f64::from(f32::MAX), F32), 1.0);
        assert_eq!(distance(f64::NAN, 1.0, F32), f64::INFINITY);
        assert_eq!(exact(m::PowF::DEF, true, 2.0, 10.0), 1024.0);
    }
}
