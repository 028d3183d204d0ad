//! The rows of arithmetic: `arith`, `strong`.
//!
//! Ops here are defined for all operands, which no language's operators are: where one is not
//! (signed sums of C++, quotients by zero, shifts beyond the width) a function of ours stands.
//!
//! WGSL shifts modulo the width, and lets compilers round a product and a sum once, which is within
//! a unit in the last place of the sum of what two roundings give.

use super::Accuracy::Ulps;
use super::Column::AsCpp;
use super::Spelling::{Bits, Call, Convert, Guarded, Infix, Prefix, Refuse, Snippet, Template};
use super::{Guard, exact, prec, rows, within};
use caustic_dialects::{arith, strong};

rows! { pub static ROWS:
    arith::AddI [Bool] Tied => Infix("!=", prec::EQUAL), AsCpp, exact(Infix("!=", prec::EQUAL));
    arith::AddI [Small] Tied => Snippet("add", "wrap"), AsCpp, exact(Infix("+", prec::ADD)),
        metal = exact(Snippet("add", "add"));
    arith::AddI [Unsigned] Tied => Infix("+", prec::ADD), AsCpp, exact(Infix("+", prec::ADD));
    arith::AddI [Signed] Tied => Snippet("add", "wrap"), AsCpp, exact(Infix("+", prec::ADD)),
        metal = exact(Snippet("add", "add"));
    arith::SubI [Bool] Tied => Infix("!=", prec::EQUAL), AsCpp, exact(Infix("!=", prec::EQUAL));
    arith::SubI [Small] Tied => Snippet("sub", "wrap"), AsCpp, exact(Infix("-", prec::ADD)),
        metal = exact(Snippet("sub", "sub"));
    arith::SubI [Unsigned] Tied => Infix("-", prec::ADD), AsCpp, exact(Infix("-", prec::ADD));
    arith::SubI [Signed] Tied => Snippet("sub", "wrap"), AsCpp, exact(Infix("-", prec::ADD)),
        metal = exact(Snippet("sub", "sub"));
    arith::MulI [Bool] Tied => Infix("&&", prec::AND), AsCpp, exact(Infix("&&", prec::AND));
    arith::MulI [Small] Tied => Snippet("mul", "wrap"), AsCpp, exact(Infix("*", prec::MUL)),
        metal = exact(Snippet("mul", "mul"));
    arith::MulI [Unsigned] Tied => Infix("*", prec::MUL), AsCpp, exact(Infix("*", prec::MUL));
    arith::MulI [Signed] Tied => Snippet("mul", "wrap"), AsCpp, exact(Infix("*", prec::MUL)),
        metal = exact(Snippet("mul", "mul"));
    arith::DivSI [Integer] Signed =>
        Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), AsCpp,
        exact(Guarded("/", prec::MUL, Guard::Divisor, "div", "div_signed")),
        wgsl = exact(Guarded("/", prec::MUL, Guard::Divisor, "div", "div")),
        metal = exact(Guarded("/", prec::MUL, Guard::Divisor, "div", "div_signed"));
    arith::DivUI [Integer] Unsigned =>
        Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), AsCpp,
        exact(Guarded("/", prec::MUL, Guard::Divisor, "div", "div")),
        wgsl = exact(Guarded("/", prec::MUL, Guard::Divisor, "div", "div"));
    arith::RemSI [Integer] Signed =>
        Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), AsCpp,
        exact(Snippet("rem", "rem_signed")),
        wgsl = exact(Guarded("%", prec::MUL, Guard::Divisor, "rem", "rem")),
        metal = exact(Guarded("%", prec::MUL, Guard::Divisor, "rem", "rem_signed")),
        slang = exact(Infix("%", prec::MUL));
    arith::RemUI [Integer] Unsigned =>
        Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), AsCpp,
        exact(Guarded("%", prec::MUL, Guard::Divisor, "rem", "rem")),
        wgsl = exact(Guarded("%", prec::MUL, Guard::Divisor, "rem", "rem"));
    arith::AndI [Bool] Tied => Infix("&&", prec::AND), AsCpp, exact(Infix("&&", prec::AND));
    arith::AndI [Small] Tied =>
        Snippet("bits_and", "small"), AsCpp,
        exact(Infix("&", prec::BIT_AND));
    arith::AndI [Any] Tied => Infix("&", prec::BIT_AND), AsCpp, exact(Infix("&", prec::BIT_AND));
    arith::OrI [Bool] Tied => Infix("||", prec::OR), AsCpp, exact(Infix("||", prec::OR));
    arith::OrI [Small] Tied => Snippet("bits_or", "small"), AsCpp, exact(Infix("|", prec::BIT_OR));
    arith::OrI [Any] Tied => Infix("|", prec::BIT_OR), AsCpp, exact(Infix("|", prec::BIT_OR));
    arith::XOrI [Bool] Tied => Infix("!=", prec::EQUAL), AsCpp, exact(Infix("!=", prec::EQUAL));
    arith::XOrI [Small] Tied =>
        Snippet("bits_xor", "small"), AsCpp,
        exact(Infix("^", prec::BIT_XOR));
    arith::XOrI [Any] Tied => Infix("^", prec::BIT_XOR), AsCpp, exact(Infix("^", prec::BIT_XOR));
    arith::ShLI [Unsigned] Tied =>
        Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shift"), AsCpp,
        exact(Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shl")),
        wgsl = exact(Infix("<<", prec::SHIFT));
    arith::ShLI [Integer] Tied =>
        Snippet("shl", "shift"), AsCpp,
        exact(Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shl")),
        wgsl = exact(Infix("<<", prec::SHIFT)),
        metal = exact(Snippet("shl", "shl"));
    arith::ShRSI [Integer] Signed =>
        Snippet("shr", "shift"), AsCpp,
        exact(Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shr")),
        wgsl = exact(Infix(">>", prec::SHIFT));
    arith::ShRUI [Unsigned] Unsigned =>
        Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift"), AsCpp,
        exact(Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shr")),
        wgsl = exact(Infix(">>", prec::SHIFT));
    arith::ShRUI [Integer] Unsigned =>
        Snippet("shr", "shift"), AsCpp,
        exact(Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shr")),
        wgsl = exact(Infix(">>", prec::SHIFT));
    arith::MinSI [Integer] Signed => Snippet("min", "min"), AsCpp, exact(Snippet("least", "least")),
        wgsl = exact(Call("min")),
        metal = exact(Call("min")),
        slang = exact(Call("min"));
    arith::MaxSI [Integer] Signed => Snippet("max", "max"), AsCpp, exact(Snippet("most", "most")),
        wgsl = exact(Call("max")),
        metal = exact(Call("max")),
        slang = exact(Call("max"));
    arith::MinUI [Integer] Unsigned =>
        Snippet("min", "min"), AsCpp,
        exact(Snippet("least", "least")),
        wgsl = exact(Call("min")),
        metal = exact(Call("min")),
        slang = exact(Call("min"));
    arith::MaxUI [Integer] Unsigned => Snippet("max", "max"), AsCpp, exact(Snippet("most", "most")),
        wgsl = exact(Call("max")),
        metal = exact(Call("max")),
        slang = exact(Call("max"));
    arith::NegF [Float] Free => Prefix("-"), AsCpp, exact(Prefix("-"));
    arith::AddF [Float] Free => Infix("+", prec::ADD), AsCpp, exact(Infix("+", prec::ADD)),
        wgsl = within(Infix("+", prec::ADD), Ulps(1));
    arith::SubF [Float] Free => Infix("-", prec::ADD), AsCpp, exact(Infix("-", prec::ADD)),
        wgsl = within(Infix("-", prec::ADD), Ulps(1));
    arith::MulF [Float] Free => Infix("*", prec::MUL), AsCpp, exact(Infix("*", prec::MUL));
    arith::DivF [Float] Free =>
        Infix("/", prec::MUL), AsCpp,
        within(Infix("/", prec::MUL), Ulps(3)),
        metal = exact(Infix("/", prec::MUL));
    arith::RemF [Float] Free => Snippet("fmod", "fmod"), AsCpp, exact(Snippet("rem", "rem_float")),
        slang = exact(Call("fmod"));
    arith::MinNumF [Float] Free =>
        Snippet("min", "min"), AsCpp,
        exact(Snippet("min_num", "min_num")),
        wgsl = exact(Snippet("min_num", "min_num")),
        slang = exact(Call("min"));
    arith::MaxNumF [Float] Free =>
        Snippet("max", "max"), AsCpp,
        exact(Snippet("max_num", "max_num")),
        wgsl = exact(Snippet("max_num", "max_num")),
        slang = exact(Call("max"));
    arith::MinimumF [Float] Free =>
        Snippet("minimum", "minimum"), AsCpp,
        exact(Snippet("minimum", "minimum")),
        wgsl = exact(Snippet("minimum", "minimum"));
    arith::MaximumF [Float] Free =>
        Snippet("maximum", "maximum"), AsCpp,
        exact(Snippet("maximum", "maximum")),
        wgsl = exact(Snippet("maximum", "maximum"));
    arith::ExtSI | arith::IndexCast | arith::SIToFP [Bool] FromSigned =>
        Template("{t}(-int({0}))", ""), AsCpp,
        exact(Template("{t}(-int({0}))", "")),
        wgsl = exact(Template("{t}(-int({0}))", ""));
    arith::ExtSI | arith::IndexCast | arith::SIToFP [Any] FromSigned =>
        Convert, AsCpp,
        exact(Convert),
        wgsl = exact(Convert);
    arith::ExtUI | arith::IndexCastUI | arith::UIToFP [Any] FromUnsigned =>
        Convert, AsCpp,
        exact(Convert),
        wgsl = exact(Convert);
    arith::TruncI | arith::ExtF | arith::TruncF [Any] Free => Convert, AsCpp, exact(Convert),
        wgsl = exact(Convert);
    arith::FPToSI [Any] Signed =>
        Template("saturate_to<{t}>({0})", "saturate"), AsCpp,
        exact(Template("saturate_to_{t}({0})", "saturate")),
        wgsl = exact(Template("saturate_to_{t}({0})", "saturate")),
        slang = exact(Convert);
    arith::FPToUI [Any] Unsigned =>
        Template("saturate_to<{t}>({0})", "saturate"), AsCpp,
        exact(Template("saturate_to_{t}({0})", "saturate")),
        wgsl = exact(Template("saturate_to_{t}({0})", "saturate")),
        slang = exact(Convert);
    arith::Bitcast [Any] Free =>
        Template("bits_as<{t}>({0})", "bits_as"), AsCpp,
        exact(Bits),
        wgsl = exact(Bits);
    strong::MulF [Float] Free =>
        Snippet("strong_mul", "strong_mul"), AsCpp,
        exact(Snippet("strong_mul", "strong_mul")),
        wgsl = exact(Snippet("strong_mul", "strong_mul"));
    strong::GatedMulF [Float] Free =>
        Snippet("gated_mul", "gated_mul"), AsCpp,
        exact(Snippet("gated_mul", "gated_mul")),
        wgsl = exact(Snippet("gated_mul", "gated_mul"));
    arith::DivSI | arith::DivUI | arith::RemSI | arith::RemUI [Bool] Free =>
        Refuse("a division of truth values"), AsCpp,
        exact(Refuse("a division of truth values"));
    arith::ShLI | arith::ShRSI | arith::ShRUI [Bool] Free =>
        Refuse("a shift of a truth value"), AsCpp,
        exact(Refuse("a shift of a truth value"));
    arith::MinSI | arith::MaxSI | arith::MinUI | arith::MaxUI [Bool] Free =>
        Refuse("an order of truth values"), AsCpp,
        exact(Refuse("an order of truth values"));
}
