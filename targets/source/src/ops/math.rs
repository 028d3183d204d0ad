//! The rows of functions: `math`.
//!
//! C++ computes them in `double` and rounds once, as the reference does. CUDA has functions of
//! `float` and of `double`; how far off they are (in units in the last place of either) is what the
//! CUDA C++ Programming Guide states in its tables "Mathematical Standard Library Functions with
//! Maximum ULP Error", the greater number where its editions differ.

// Metal's numbers are not yet compared with the table of its specification.
use super::Accuracy::{Absolute, Either, Ulps};
use super::Column::{AsCpp, Within};
use super::Spelling::{Call, Refuse, Snippet};
use super::{exact, rows, within};
use caustic_dialects::math;

rows! { pub static ROWS:
    math::AbsF [Float] Free => Snippet("abs", "abs"), AsCpp, exact(Call("abs")),
        wgsl = exact(Call("abs")),
        metal = exact(Call("abs"));
    math::Sqrt [Float] Free => Snippet("sqrt", "sqrt"), AsCpp, within(Call("sqrt"), Ulps(5)),
        wgsl = within(Call("sqrt"), Ulps(5)),
        metal = exact(Call("sqrt"));
    math::Rsqrt [Float] Free =>
        Snippet("rsqrt", "rsqrt"), Within(2, 1),
        within(Call("inversesqrt"), Ulps(2)),
        hlsl = within(Call("rsqrt"), Ulps(2)),
        wgsl = within(Call("inverseSqrt"), Ulps(2)),
        metal = within(Call("rsqrt"), Ulps(1));
    math::Cbrt [Float] Free =>
        Snippet("cbrt", "cbrt"), Within(1, 1),
        within(Snippet("cbrt", "cbrt"), Ulps(16)),
        metal = within(Snippet("cbrt", "cbrt"), Ulps(16));
    math::Sin [Float] Free =>
        Snippet("sin", "sin"), Within(2, 2),
        within(Call("sin"), Absolute(11)),
        wgsl = within(Call("sin"), Absolute(11)),
        metal = within(Call("sin"), Ulps(4));
    math::Cos [Float] Free =>
        Snippet("cos", "cos"), Within(2, 2),
        within(Call("cos"), Absolute(11)),
        wgsl = within(Call("cos"), Absolute(11)),
        metal = within(Call("cos"), Ulps(4));
    math::Tan [Float] Free =>
        Snippet("tan", "tan"), Within(4, 2),
        within(Call("tan"), Either(4096, 10)),
        wgsl = within(Call("tan"), Either(4096, 10)),
        metal = within(Call("tan"), Ulps(6));
    math::Asin [Float] Free =>
        Snippet("asin", "asin"), Within(4, 2),
        within(Call("asin"), Ulps(4104)),
        wgsl = within(Call("asin"), Either(4104, 13)),
        metal = within(Call("asin"), Ulps(4));
    math::Acos [Float] Free =>
        Snippet("acos", "acos"), Within(3, 2),
        within(Call("acos"), Either(4104, 11)),
        wgsl = within(Call("acos"), Either(4104, 11)),
        metal = within(Call("acos"), Ulps(4));
    math::Atan [Float] Free =>
        Snippet("atan", "atan"), Within(2, 2),
        within(Call("atan"), Ulps(4096)),
        wgsl = within(Call("atan"), Ulps(4096)),
        metal = within(Call("atan"), Ulps(5));
    math::Sinh [Float] Free =>
        Snippet("sinh", "sinh"), Within(3, 2),
        within(Call("sinh"), Either(184, 21)),
        wgsl = within(Call("sinh"), Either(184, 21)),
        metal = within(Call("sinh"), Ulps(4));
    math::Cosh [Float] Free =>
        Snippet("cosh", "cosh"), Within(2, 1),
        within(Call("cosh"), Ulps(184)),
        wgsl = within(Call("cosh"), Ulps(184)),
        metal = within(Call("cosh"), Ulps(4));
    math::Tanh [Float] Free =>
        Snippet("tanh", "tanh"), Within(2, 1),
        within(Call("tanh"), Either(372, 21)),
        wgsl = within(Call("tanh"), Either(372, 16)),
        metal = within(Call("tanh"), Ulps(5));
    math::Asinh [Float] Free =>
        Snippet("asinh", "asinh"), Within(3, 3),
        within(Call("asinh"), Either(16, 20)),
        hlsl = within(Snippet("asinh", "asinh"), Either(16, 20)),
        wgsl = within(Call("asinh"), Either(16, 20)),
        metal = within(Call("asinh"), Ulps(4)),
        slang = exact(Call("asinh"));
    math::Acosh [Float] Free =>
        Snippet("acosh", "acosh"), Within(4, 3),
        within(Call("acosh"), Either(16, 20)),
        hlsl = within(Snippet("acosh", "acosh"), Either(16, 20)),
        wgsl = within(Call("acosh"), Either(16, 20)),
        metal = within(Call("acosh"), Ulps(4)),
        slang = exact(Call("acosh"));
    math::Atanh [Float] Free =>
        Snippet("atanh", "atanh"), Within(3, 2),
        within(Call("atanh"), Either(16, 20)),
        hlsl = within(Snippet("atanh", "atanh"), Either(16, 20)),
        wgsl = within(Call("atanh"), Either(16, 20)),
        metal = within(Call("atanh"), Ulps(5)),
        slang = exact(Call("atanh"));
    math::Exp [Float] Free => Snippet("exp", "exp"), Within(2, 1), within(Call("exp"), Ulps(181)),
        wgsl = within(Call("exp"), Ulps(181)),
        metal = within(Call("exp"), Ulps(4));
    math::Exp2 [Float] Free =>
        Snippet("exp2", "exp2"), Within(2, 1),
        within(Call("exp2"), Ulps(259)),
        wgsl = within(Call("exp2"), Ulps(259)),
        metal = within(Call("exp2"), Ulps(4));
    math::ExpM1 [Float] Free =>
        Snippet("expm1", "expm1"), Within(1, 1),
        within(Snippet("expm1", "expm1"), Either(184, 21)),
        metal = within(Snippet("expm1", "expm1"), Either(184, 21));
    math::Log [Float] Free =>
        Snippet("log", "log"), Within(1, 1),
        within(Call("log"), Either(3, 21)),
        wgsl = within(Call("log"), Either(3, 21)),
        metal = within(Call("log"), Ulps(4));
    math::Log2 [Float] Free =>
        Snippet("log2", "log2"), Within(1, 1),
        within(Call("log2"), Either(3, 21)),
        wgsl = within(Call("log2"), Either(3, 21)),
        metal = within(Call("log2"), Ulps(4));
    math::Log10 [Float] Free =>
        Snippet("log10", "log10"), Within(2, 1),
        within(Snippet("log10", "log10"), Either(5, 21)),
        hlsl = within(Snippet("decimal_log", "log10"), Either(5, 21)),
        metal = within(Call("log10"), Ulps(4)),
        slang = exact(Call("log10"));
    math::Log1p [Float] Free =>
        Snippet("log1p", "log1p"), Within(1, 1),
        within(Snippet("log1p", "log1p"), Either(16, 21)),
        metal = within(Snippet("log1p", "log1p"), Either(16, 21));
    math::Floor [Float] Free => Snippet("floor", "floor"), AsCpp, exact(Call("floor")),
        wgsl = exact(Call("floor")),
        metal = exact(Call("floor"));
    math::Ceil [Float] Free => Snippet("ceil", "ceil"), AsCpp, exact(Call("ceil")),
        wgsl = exact(Call("ceil")),
        metal = exact(Call("ceil"));
    math::Trunc [Float] Free => Snippet("trunc", "trunc"), AsCpp, exact(Call("trunc")),
        wgsl = exact(Call("trunc")),
        metal = exact(Call("trunc"));
    math::Round [Float] Free =>
        Snippet("round_away", "round_away"), AsCpp,
        exact(Snippet("round_away", "round_away")),
        wgsl = exact(Snippet("round_away", "round_away")),
        slang = exact(Call("round"));
    math::RoundEven [Float] Free =>
        Snippet("round_even", "round_even"), AsCpp,
        exact(Call("roundEven")),
        hlsl = exact(Call("round")),
        wgsl = exact(Call("round")),
        metal = exact(Call("rint")),
        slang = exact(Call("rint"));
    math::Atan2 [Float] Free =>
        Snippet("atan2", "atan2"), Within(3, 2),
        within(Snippet("atan2", "atan2"), Ulps(4096)),
        hlsl = within(Snippet("arc_tangent", "atan2"), Ulps(4096)),
        metal = within(Call("atan2"), Ulps(6)),
        slang = exact(Call("atan2"));
    math::PowF [Float] Free =>
        Snippet("pow", "pow"), Within(4, 2),
        within(Snippet("power", "power"), Either(620, 14)),
        metal = within(Call("pow"), Ulps(16)),
        slang = exact(Call("pow"));
    math::CopySign [Float] Free =>
        Snippet("copysign", "copysign"), AsCpp,
        exact(Snippet("copysign", "copysign")),
        wgsl = exact(Snippet("copysign", "copysign")),
        metal = exact(Call("copysign")),
        slang = exact(Call("copysign"));
    math::Fma [Float] Free =>
        Snippet("fma", "fma"), AsCpp,
        within(Snippet("fused", "fused"), Ulps(1)),
        wgsl = within(Call("fma"), Ulps(1)),
        metal = exact(Call("fma")),
        slang = exact(Call("fma"));
    math::AbsI [Integer] Signed =>
        Snippet("abs", "abs"), AsCpp,
        exact(Snippet("magnitude", "magnitude")),
        wgsl = exact(Call("abs")),
        slang = exact(Call("abs"));
    math::CtPop [Integer] Unsigned =>
        Snippet("popcount", "popcount"), AsCpp,
        exact(Snippet("popcount", "popcount")),
        wgsl = exact(Call("countOneBits")),
        metal = exact(Call("popcount"));
    math::CountLeadingZeros [Integer] Unsigned =>
        Snippet("leading_zeros", "leading_zeros"), AsCpp,
        exact(Snippet("leading_zeros", "leading_zeros")),
        wgsl = exact(Call("countLeadingZeros")),
        metal = exact(Call("clz"));
    math::CountTrailingZeros [Integer] Unsigned =>
        Snippet("trailing_zeros", "trailing_zeros"), AsCpp,
        exact(Snippet("trailing_zeros", "trailing_zeros")),
        wgsl = exact(Call("countTrailingZeros")),
        metal = exact(Call("ctz"));
    math::AbsI | math::CtPop | math::CountLeadingZeros | math::CountTrailingZeros [Bool] Free =>
        Refuse("bits of a truth value"), AsCpp,
        exact(Refuse("bits of a truth value"));
}
