//! The rows of arithmetic: `arith`, `strong`.
//!
//! Ops here are defined for all operands, which no language's operators are: where one is not
//! (signed sums of C++, quotients by zero, shifts beyond the width) a function of ours stands.

use super::Column::AsCpp;
use super::Spelling::{Convert, Guarded, Infix, Prefix, Refuse, Snippet, Template};
use super::{Guard, prec, rows};
use caustic_dialects::{arith, strong};

rows! { pub static ROWS:
    arith::AddI [Bool] Tied => Infix("!=", prec::EQUAL), AsCpp;
    arith::AddI [Small] Tied => Snippet("add", "wrap"), AsCpp;
    arith::AddI [Unsigned] Tied => Infix("+", prec::ADD), AsCpp;
    arith::AddI [Signed] Tied => Snippet("add", "wrap"), AsCpp;
    arith::SubI [Bool] Tied => Infix("!=", prec::EQUAL), AsCpp;
    arith::SubI [Small] Tied => Snippet("sub", "wrap"), AsCpp;
    arith::SubI [Unsigned] Tied => Infix("-", prec::ADD), AsCpp;
    arith::SubI [Signed] Tied => Snippet("sub", "wrap"), AsCpp;
    arith::MulI [Bool] Tied => Infix("&&", prec::AND), AsCpp;
    arith::MulI [Small] Tied => Snippet("mul", "wrap"), AsCpp;
    arith::MulI [Unsigned] Tied => Infix("*", prec::MUL), AsCpp;
    arith::MulI [Signed] Tied => Snippet("mul", "wrap"), AsCpp;
    arith::DivSI [Integer] Signed => Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), AsCpp;
    arith::DivUI [Integer] Unsigned => Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), AsCpp;
    arith::RemSI [Integer] Signed => Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), AsCpp;
    arith::RemUI [Integer] Unsigned => Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), AsCpp;
    arith::AndI [Bool] Tied => Infix("&&", prec::AND), AsCpp;
    arith::AndI [Small] Tied => Snippet("bits_and", "small"), AsCpp;
    arith::AndI [Any] Tied => Infix("&", prec::BIT_AND), AsCpp;
    arith::OrI [Bool] Tied => Infix("||", prec::OR), AsCpp;
    arith::OrI [Small] Tied => Snippet("bits_or", "small"), AsCpp;
    arith::OrI [Any] Tied => Infix("|", prec::BIT_OR), AsCpp;
    arith::XOrI [Bool] Tied => Infix("!=", prec::EQUAL), AsCpp;
    arith::XOrI [Small] Tied => Snippet("bits_xor", "small"), AsCpp;
    arith::XOrI [Any] Tied => Infix("^", prec::BIT_XOR), AsCpp;
    arith::ShLI [Unsigned] Tied => Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shift"), AsCpp;
    arith::ShLI [Integer] Tied => Snippet("shl", "shift"), AsCpp;
    arith::ShRSI [Integer] Signed => Snippet("shr", "shift"), AsCpp;
    arith::ShRUI [Unsigned] Unsigned => Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift"), AsCpp;
    arith::ShRUI [Integer] Unsigned => Snippet("shr", "shift"), AsCpp;
    arith::MinSI [Integer] Signed => Snippet("min", "min"), AsCpp;
    arith::MaxSI [Integer] Signed => Snippet("max", "max"), AsCpp;
    arith::MinUI [Integer] Unsigned => Snippet("min", "min"), AsCpp;
    arith::MaxUI [Integer] Unsigned => Snippet("max", "max"), AsCpp;
    arith::NegF [Float] Free => Prefix("-"), AsCpp;
    arith::AddF [Float] Free => Infix("+", prec::ADD), AsCpp;
    arith::SubF [Float] Free => Infix("-", prec::ADD), AsCpp;
    arith::MulF [Float] Free => Infix("*", prec::MUL), AsCpp;
    arith::DivF [Float] Free => Infix("/", prec::MUL), AsCpp;
    arith::RemF [Float] Free => Snippet("fmod", "fmod"), AsCpp;
    arith::MinNumF [Float] Free => Snippet("min", "min"), AsCpp;
    arith::MaxNumF [Float] Free => Snippet("max", "max"), AsCpp;
    arith::MinimumF [Float] Free => Snippet("minimum", "minimum"), AsCpp;
    arith::MaximumF [Float] Free => Snippet("maximum", "maximum"), AsCpp;
    arith::ExtSI | arith::IndexCast | arith::SIToFP [Bool] FromSigned => Template("{t}(-int({0}))", ""), AsCpp;
    arith::ExtSI | arith::IndexCast | arith::SIToFP [Any] FromSigned => Convert, AsCpp;
    arith::ExtUI | arith::IndexCastUI | arith::UIToFP [Any] FromUnsigned => Convert, AsCpp;
    arith::TruncI | arith::ExtF | arith::TruncF [Any] Free => Convert, AsCpp;
    arith::FPToSI [Any] Signed => Template("saturate_to<{t}>({0})", "saturate"), AsCpp;
    arith::FPToUI [Any] Unsigned => Template("saturate_to<{t}>({0})", "saturate"), AsCpp;
    arith::Bitcast [Any] Free => Template("bits_as<{t}>({0})", "bits_as"), AsCpp;
    strong::MulF [Float] Free => Snippet("strong_mul", "strong_mul"), AsCpp;
    strong::GatedMulF [Float] Free => Snippet("gated_mul", "gated_mul"), AsCpp;
    arith::DivSI | arith::DivUI | arith::RemSI | arith::RemUI [Bool] Free => Refuse("a division of truth values"), AsCpp;
    arith::ShLI | arith::ShRSI | arith::ShRUI [Bool] Free => Refuse("a shift of a truth value"), AsCpp;
    arith::MinSI | arith::MaxSI | arith::MinUI | arith::MaxUI [Bool] Free => Refuse("an order of truth values"), AsCpp;
}
