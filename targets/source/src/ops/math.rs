//! The rows of functions: `math`.
//!
//! C++ computes them in `double` and rounds once, as the reference does. CUDA has functions of
//! `float` and of `double`; how far off they are (in units in the last place of either) is what the
//! CUDA C++ Programming Guide states in its tables "Mathematical Standard Library Functions with
//! Maximum ULP Error", the greater number where its editions differ.

use super::Column::{AsCpp, Within};
use super::Spelling::{Refuse, Snippet};
use super::rows;
use caustic_dialects::math;

rows! { pub static ROWS:
    math::AbsF [Float] Free => Snippet("abs", "abs"), AsCpp;
    math::Sqrt [Float] Free => Snippet("sqrt", "sqrt"), AsCpp;
    math::Rsqrt [Float] Free => Snippet("rsqrt", "rsqrt"), Within(2, 1);
    math::Cbrt [Float] Free => Snippet("cbrt", "cbrt"), Within(1, 1);
    math::Sin [Float] Free => Snippet("sin", "sin"), Within(2, 2);
    math::Cos [Float] Free => Snippet("cos", "cos"), Within(2, 2);
    math::Tan [Float] Free => Snippet("tan", "tan"), Within(4, 2);
    math::Asin [Float] Free => Snippet("asin", "asin"), Within(4, 2);
    math::Acos [Float] Free => Snippet("acos", "acos"), Within(3, 2);
    math::Atan [Float] Free => Snippet("atan", "atan"), Within(2, 2);
    math::Sinh [Float] Free => Snippet("sinh", "sinh"), Within(3, 2);
    math::Cosh [Float] Free => Snippet("cosh", "cosh"), Within(2, 1);
    math::Tanh [Float] Free => Snippet("tanh", "tanh"), Within(2, 1);
    math::Asinh [Float] Free => Snippet("asinh", "asinh"), Within(3, 3);
    math::Acosh [Float] Free => Snippet("acosh", "acosh"), Within(4, 3);
    math::Atanh [Float] Free => Snippet("atanh", "atanh"), Within(3, 2);
    math::Exp [Float] Free => Snippet("exp", "exp"), Within(2, 1);
    math::Exp2 [Float] Free => Snippet("exp2", "exp2"), Within(2, 1);
    math::ExpM1 [Float] Free => Snippet("expm1", "expm1"), Within(1, 1);
    math::Log [Float] Free => Snippet("log", "log"), Within(1, 1);
    math::Log2 [Float] Free => Snippet("log2", "log2"), Within(1, 1);
    math::Log10 [Float] Free => Snippet("log10", "log10"), Within(2, 1);
    math::Log1p [Float] Free => Snippet("log1p", "log1p"), Within(1, 1);
    math::Floor [Float] Free => Snippet("floor", "floor"), AsCpp;
    math::Ceil [Float] Free => Snippet("ceil", "ceil"), AsCpp;
    math::Trunc [Float] Free => Snippet("trunc", "trunc"), AsCpp;
    math::Round [Float] Free => Snippet("round_away", "round_away"), AsCpp;
    math::RoundEven [Float] Free => Snippet("round_even", "round_even"), AsCpp;
    math::Atan2 [Float] Free => Snippet("atan2", "atan2"), Within(3, 2);
    math::PowF [Float] Free => Snippet("pow", "pow"), Within(4, 2);
    math::CopySign [Float] Free => Snippet("copysign", "copysign"), AsCpp;
    math::Fma [Float] Free => Snippet("fma", "fma"), AsCpp;
    math::AbsI [Integer] Signed => Snippet("abs", "abs"), AsCpp;
    math::CtPop [Integer] Unsigned => Snippet("popcount", "popcount"), AsCpp;
    math::CountLeadingZeros [Integer] Unsigned => Snippet("leading_zeros", "leading_zeros"), AsCpp;
    math::CountTrailingZeros [Integer] Unsigned => Snippet("trailing_zeros", "trailing_zeros"), AsCpp;
    math::AbsI | math::CtPop | math::CountLeadingZeros | math::CountTrailingZeros [Bool] Free => Refuse("bits of a truth value"), AsCpp;
}
