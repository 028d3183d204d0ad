//! The rows of arithmetic: `arith`, `strong`.
//!
//! Ops here are defined for all operands, which no language's operators are: where one is not
//! (signed sums of C++, quotients by zero, shifts beyond the width) a function of ours stands.

use super::Spelling::{Convert, Guarded, Infix, Prefix, Refuse, Snippet, Template};
use super::{Guard, prec, rows};
use caustic_dialects::{arith, strong};

rows! { pub static ROWS:
    arith::AddI [Bool] Tied => Infix("!=", prec::EQUAL);
    arith::AddI [Small] Tied => Snippet("add", "wrap");
    arith::AddI [Unsigned] Tied => Infix("+", prec::ADD);
    arith::AddI [Signed] Tied => Snippet("add", "wrap");
    arith::SubI [Bool] Tied => Infix("!=", prec::EQUAL);
    arith::SubI [Small] Tied => Snippet("sub", "wrap");
    arith::SubI [Unsigned] Tied => Infix("-", prec::ADD);
    arith::SubI [Signed] Tied => Snippet("sub", "wrap");
    arith::MulI [Bool] Tied => Infix("&&", prec::AND);
    arith::MulI [Small] Tied => Snippet("mul", "wrap");
    arith::MulI [Unsigned] Tied => Infix("*", prec::MUL);
    arith::MulI [Signed] Tied => Snippet("mul", "wrap");
    arith::DivSI [Integer] Signed => Guarded("/", prec::MUL, Guard::Divisor, "div", "div");
    arith::DivUI [Integer] Unsigned => Guarded("/", prec::MUL, Guard::Divisor, "div", "div");
    arith::RemSI [Integer] Signed => Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod");
    arith::RemUI [Integer] Unsigned => Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod");
    arith::AndI [Bool] Tied => Infix("&&", prec::AND);
    arith::AndI [Small] Tied => Snippet("bits_and", "small");
    arith::AndI [Any] Tied => Infix("&", prec::BIT_AND);
    arith::OrI [Bool] Tied => Infix("||", prec::OR);
    arith::OrI [Small] Tied => Snippet("bits_or", "small");
    arith::OrI [Any] Tied => Infix("|", prec::BIT_OR);
    arith::XOrI [Bool] Tied => Infix("!=", prec::EQUAL);
    arith::XOrI [Small] Tied => Snippet("bits_xor", "small");
    arith::XOrI [Any] Tied => Infix("^", prec::BIT_XOR);
    arith::ShLI [Unsigned] Tied => Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shift");
    arith::ShLI [Integer] Tied => Snippet("shl", "shift");
    arith::ShRSI [Integer] Signed => Snippet("shr", "shift");
    arith::ShRUI [Unsigned] Unsigned => Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift");
    arith::ShRUI [Integer] Unsigned => Snippet("shr", "shift");
    arith::MinSI [Integer] Signed => Snippet("min", "min");
    arith::MaxSI [Integer] Signed => Snippet("max", "max");
    arith::MinUI [Integer] Unsigned => Snippet("min", "min");
    arith::MaxUI [Integer] Unsigned => Snippet("max", "max");
    arith::NegF [Float] Free => Prefix("-");
    arith::AddF [Float] Free => Infix("+", prec::ADD);
    arith::SubF [Float] Free => Infix("-", prec::ADD);
    arith::MulF [Float] Free => Infix("*", prec::MUL);
    arith::DivF [Float] Free => Infix("/", prec::MUL);
    arith::RemF [Float] Free => Snippet("fmod", "fmod");
    arith::MinNumF [Float] Free => Snippet("min", "min");
    arith::MaxNumF [Float] Free => Snippet("max", "max");
    arith::MinimumF [Float] Free => Snippet("minimum", "minimum");
    arith::MaximumF [Float] Free => Snippet("maximum", "maximum");
    arith::ExtSI | arith::IndexCast | arith::SIToFP [Bool] FromSigned => Template("{t}(-int({0}))", "");
    arith::ExtSI | arith::IndexCast | arith::SIToFP [Any] FromSigned => Convert;
    arith::ExtUI | arith::IndexCastUI | arith::UIToFP [Any] FromUnsigned => Convert;
    arith::TruncI | arith::ExtF | arith::TruncF [Any] Free => Convert;
    arith::FPToSI [Any] Signed => Template("saturate_to<{t}>({0})", "saturate");
    arith::FPToUI [Any] Unsigned => Template("saturate_to<{t}>({0})", "saturate");
    arith::Bitcast [Any] Free => Template("bits_as<{t}>({0})", "bits_as");
    strong::MulF [Float] Free => Snippet("strong_mul", "strong_mul");
    strong::GatedMulF [Float] Free => Snippet("gated_mul", "gated_mul");
    arith::DivSI | arith::DivUI | arith::RemSI | arith::RemUI [Bool] Free => Refuse("a division of truth values");
    arith::ShLI | arith::ShRSI | arith::ShRUI [Bool] Free => Refuse("a shift of a truth value");
    arith::MinSI | arith::MaxSI | arith::MinUI | arith::MaxUI [Bool] Free => Refuse("an order of truth values");
}
