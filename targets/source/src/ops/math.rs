//! The rows of functions: `math`.
//!
//! C++ computes them in `double` and rounds once, as the reference does.

use super::Spelling::{Refuse, Snippet};
use super::rows;
use caustic_dialects::math;

rows! { pub static ROWS:
    math::AbsF [Float] Free => Snippet("abs", "abs");
    math::Sqrt [Float] Free => Snippet("sqrt", "sqrt");
    math::Rsqrt [Float] Free => Snippet("rsqrt", "rsqrt");
    math::Cbrt [Float] Free => Snippet("cbrt", "cbrt");
    math::Sin [Float] Free => Snippet("sin", "sin");
    math::Cos [Float] Free => Snippet("cos", "cos");
    math::Tan [Float] Free => Snippet("tan", "tan");
    math::Asin [Float] Free => Snippet("asin", "asin");
    math::Acos [Float] Free => Snippet("acos", "acos");
    math::Atan [Float] Free => Snippet("atan", "atan");
    math::Sinh [Float] Free => Snippet("sinh", "sinh");
    math::Cosh [Float] Free => Snippet("cosh", "cosh");
    math::Tanh [Float] Free => Snippet("tanh", "tanh");
    math::Asinh [Float] Free => Snippet("asinh", "asinh");
    math::Acosh [Float] Free => Snippet("acosh", "acosh");
    math::Atanh [Float] Free => Snippet("atanh", "atanh");
    math::Exp [Float] Free => Snippet("exp", "exp");
    math::Exp2 [Float] Free => Snippet("exp2", "exp2");
    math::ExpM1 [Float] Free => Snippet("expm1", "expm1");
    math::Log [Float] Free => Snippet("log", "log");
    math::Log2 [Float] Free => Snippet("log2", "log2");
    math::Log10 [Float] Free => Snippet("log10", "log10");
    math::Log1p [Float] Free => Snippet("log1p", "log1p");
    math::Floor [Float] Free => Snippet("floor", "floor");
    math::Ceil [Float] Free => Snippet("ceil", "ceil");
    math::Trunc [Float] Free => Snippet("trunc", "trunc");
    math::Round [Float] Free => Snippet("round_away", "round_away");
    math::RoundEven [Float] Free => Snippet("round_even", "round_even");
    math::Atan2 [Float] Free => Snippet("atan2", "atan2");
    math::PowF [Float] Free => Snippet("pow", "pow");
    math::CopySign [Float] Free => Snippet("copysign", "copysign");
    math::Fma [Float] Free => Snippet("fma", "fma");
    math::AbsI [Integer] Signed => Snippet("abs", "abs");
    math::CtPop [Integer] Unsigned => Snippet("popcount", "popcount");
    math::CountLeadingZeros [Integer] Unsigned => Snippet("leading_zeros", "leading_zeros");
    math::CountTrailingZeros [Integer] Unsigned => Snippet("trailing_zeros", "trailing_zeros");
    math::AbsI | math::CtPop | math::CountLeadingZeros | math::CountTrailingZeros [Bool] Free => Refuse("bits of a truth value");
}
