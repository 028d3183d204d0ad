//! The rows of functions: `math`.
//!
//! C++ computes them in `double` and rounds once, as the reference does; GLSL has its own, which
//! Vulkan's specification bounds loosely.

use super::Spelling::{Call, Refuse, Snippet};
use super::{Accuracy, rows};
use caustic_dialects::math;

rows! { pub static ROWS:
    math::AbsF [Float] Free =>
        cpp: Snippet("abs", "abs"), Accuracy::Exact; glsl: Call("abs"), Accuracy::Exact;
    math::Sqrt [Float] Free =>
        cpp: Snippet("sqrt", "sqrt"), Accuracy::Exact; glsl: Call("sqrt"), Accuracy::Ulps(2.5);
    math::Rsqrt [Float] Free =>
        cpp: Snippet("rsqrt", "rsqrt"), Accuracy::Exact; glsl: Call("inversesqrt"), Accuracy::Ulps(2.0);
    math::Cbrt [Float] Free =>
        cpp: Snippet("cbrt", "cbrt"), Accuracy::Exact; glsl: Snippet("cbrt", "cbrt"), Accuracy::Ulps(64.0);
    math::Sin [Float] Free =>
        cpp: Snippet("sin", "sin"), Accuracy::Exact; glsl: Call("sin"), Accuracy::Absolute(0.001);
    math::Cos [Float] Free =>
        cpp: Snippet("cos", "cos"), Accuracy::Exact; glsl: Call("cos"), Accuracy::Absolute(0.001);
    math::Tan [Float] Free =>
        cpp: Snippet("tan", "tan"), Accuracy::Exact; glsl: Call("tan"), Accuracy::Absolute(0.001);
    math::Asin [Float] Free =>
        cpp: Snippet("asin", "asin"), Accuracy::Exact; glsl: Call("asin"), Accuracy::Absolute(0.001);
    math::Acos [Float] Free =>
        cpp: Snippet("acos", "acos"), Accuracy::Exact; glsl: Call("acos"), Accuracy::Absolute(0.001);
    math::Atan [Float] Free =>
        cpp: Snippet("atan", "atan"), Accuracy::Exact; glsl: Call("atan"), Accuracy::Absolute(0.001);
    math::Sinh [Float] Free =>
        cpp: Snippet("sinh", "sinh"), Accuracy::Exact; glsl: Call("sinh"), Accuracy::Absolute(0.001);
    math::Cosh [Float] Free =>
        cpp: Snippet("cosh", "cosh"), Accuracy::Exact; glsl: Call("cosh"), Accuracy::Absolute(0.001);
    math::Tanh [Float] Free =>
        cpp: Snippet("tanh", "tanh"), Accuracy::Exact; glsl: Call("tanh"), Accuracy::Absolute(0.001);
    math::Asinh [Float] Free =>
        cpp: Snippet("asinh", "asinh"), Accuracy::Exact; glsl: Call("asinh"), Accuracy::Absolute(0.001);
    math::Acosh [Float] Free =>
        cpp: Snippet("acosh", "acosh"), Accuracy::Exact; glsl: Call("acosh"), Accuracy::Absolute(0.001);
    math::Atanh [Float] Free =>
        cpp: Snippet("atanh", "atanh"), Accuracy::Exact; glsl: Call("atanh"), Accuracy::Absolute(0.001);
    math::Exp [Float] Free =>
        cpp: Snippet("exp", "exp"), Accuracy::Exact; glsl: Call("exp"), Accuracy::Ulps(35.0);
    math::Exp2 [Float] Free =>
        cpp: Snippet("exp2", "exp2"), Accuracy::Exact; glsl: Call("exp2"), Accuracy::Ulps(35.0);
    math::ExpM1 [Float] Free =>
        cpp: Snippet("expm1", "expm1"), Accuracy::Exact; glsl: Snippet("expm1", "expm1"), Accuracy::Absolute(1e-5);
    math::Log [Float] Free =>
        cpp: Snippet("log", "log"), Accuracy::Exact; glsl: Call("log"), Accuracy::Ulps(64.0);
    math::Log2 [Float] Free =>
        cpp: Snippet("log2", "log2"), Accuracy::Exact; glsl: Call("log2"), Accuracy::Ulps(64.0);
    math::Log10 [Float] Free =>
        cpp: Snippet("log10", "log10"), Accuracy::Exact; glsl: Snippet("log10", "log10"), Accuracy::Ulps(64.0);
    math::Log1p [Float] Free =>
        cpp: Snippet("log1p", "log1p"), Accuracy::Exact; glsl: Snippet("log1p", "log1p"), Accuracy::Absolute(1e-5);
    math::Floor [Float] Free =>
        cpp: Snippet("floor", "floor"), Accuracy::Exact; glsl: Call("floor"), Accuracy::Exact;
    math::Ceil [Float] Free =>
        cpp: Snippet("ceil", "ceil"), Accuracy::Exact; glsl: Call("ceil"), Accuracy::Exact;
    math::Trunc [Float] Free =>
        cpp: Snippet("trunc", "trunc"), Accuracy::Exact; glsl: Call("trunc"), Accuracy::Exact;
    math::Round [Float] Free =>
        cpp: Snippet("round_away", "round_away"), Accuracy::Exact; glsl: Snippet("round_away", "round_away"), Accuracy::Exact;
    math::RoundEven [Float] Free =>
        cpp: Snippet("round_even", "round_even"), Accuracy::Exact; glsl: Call("roundEven"), Accuracy::Exact;
    math::Atan2 [Float] Free =>
        cpp: Snippet("atan2", "atan2"), Accuracy::Exact; glsl: Call("atan"), Accuracy::Absolute(0.001);
    math::PowF [Float] Free =>
        cpp: Snippet("pow", "pow"), Accuracy::Exact; glsl: Snippet("power", "power"), Accuracy::Ulps(256.0);
    math::CopySign [Float] Free =>
        cpp: Snippet("copysign", "copysign"), Accuracy::Exact; glsl: Snippet("copysign", "copysign"), Accuracy::Exact;
    math::Fma [Float] Free =>
        cpp: Snippet("fma", "fma"), Accuracy::Exact; glsl: Call("fma"), Accuracy::Exact;
    math::AbsI [Integer] Signed =>
        cpp: Snippet("abs", "abs"), Accuracy::Exact; glsl: Call("abs"), Accuracy::Exact;
    math::CtPop [Integer] Unsigned =>
        cpp: Snippet("popcount", "popcount"), Accuracy::Exact; glsl: Snippet("popcount", "popcount"), Accuracy::Exact;
    math::CountLeadingZeros [Integer] Unsigned =>
        cpp: Snippet("leading_zeros", "leading_zeros"), Accuracy::Exact; glsl: Snippet("leading_zeros", "leading_zeros"), Accuracy::Exact;
    math::CountTrailingZeros [Integer] Unsigned =>
        cpp: Snippet("trailing_zeros", "trailing_zeros"), Accuracy::Exact; glsl: Snippet("trailing_zeros", "trailing_zeros"), Accuracy::Exact;
    math::AbsI [Bool] Free =>
        cpp: Refuse("bits of a truth value"), Accuracy::Exact; glsl: Refuse("bits of a truth value"), Accuracy::Exact;
    math::CtPop [Bool] Free =>
        cpp: Refuse("bits of a truth value"), Accuracy::Exact; glsl: Refuse("bits of a truth value"), Accuracy::Exact;
    math::CountLeadingZeros [Bool] Free =>
        cpp: Refuse("bits of a truth value"), Accuracy::Exact; glsl: Refuse("bits of a truth value"), Accuracy::Exact;
    math::CountTrailingZeros [Bool] Free =>
        cpp: Refuse("bits of a truth value"), Accuracy::Exact; glsl: Refuse("bits of a truth value"), Accuracy::Exact;
}
