//! The rows of arithmetic: `arith`, `strong`.
//!
//! Ops here are defined for all operands, which no language's operators are: where one is not
//! (signed sums of C++, quotients by zero, shifts beyond the width) a function of ours stands.

use super::Spelling::{Call, Convert, Guarded, Infix, Prefix, Refuse, Snippet, Template};
use super::{Accuracy, Guard, prec, rows};
use caustic_dialects::{arith, strong};

rows! { pub static ROWS:
    arith::AddI [Bool] Tied =>
        cpp: Infix("!=", prec::EQUAL), Accuracy::Exact; glsl: Infix("^^", prec::EQUAL), Accuracy::Exact;
    arith::AddI [Small] Tied =>
        cpp: Snippet("add", "wrap"), Accuracy::Exact; glsl: Snippet("add", "wrap"), Accuracy::Exact;
    arith::AddI [Unsigned] Tied =>
        cpp: Infix("+", prec::ADD), Accuracy::Exact; glsl: Infix("+", prec::ADD), Accuracy::Exact;
    arith::AddI [Signed] Tied =>
        cpp: Snippet("add", "wrap"), Accuracy::Exact; glsl: Infix("+", prec::ADD), Accuracy::Exact;
    arith::SubI [Bool] Tied =>
        cpp: Infix("!=", prec::EQUAL), Accuracy::Exact; glsl: Infix("^^", prec::EQUAL), Accuracy::Exact;
    arith::SubI [Small] Tied =>
        cpp: Snippet("sub", "wrap"), Accuracy::Exact; glsl: Snippet("sub", "wrap"), Accuracy::Exact;
    arith::SubI [Unsigned] Tied =>
        cpp: Infix("-", prec::ADD), Accuracy::Exact; glsl: Infix("-", prec::ADD), Accuracy::Exact;
    arith::SubI [Signed] Tied =>
        cpp: Snippet("sub", "wrap"), Accuracy::Exact; glsl: Infix("-", prec::ADD), Accuracy::Exact;
    arith::MulI [Bool] Tied =>
        cpp: Infix("&&", prec::AND), Accuracy::Exact; glsl: Infix("&&", prec::AND), Accuracy::Exact;
    arith::MulI [Small] Tied =>
        cpp: Snippet("mul", "wrap"), Accuracy::Exact; glsl: Snippet("mul", "wrap"), Accuracy::Exact;
    arith::MulI [Unsigned] Tied =>
        cpp: Infix("*", prec::MUL), Accuracy::Exact; glsl: Infix("*", prec::MUL), Accuracy::Exact;
    arith::MulI [Signed] Tied =>
        cpp: Snippet("mul", "wrap"), Accuracy::Exact; glsl: Infix("*", prec::MUL), Accuracy::Exact;
    arith::DivSI [Integer] Signed =>
        cpp: Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), Accuracy::Exact; glsl: Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), Accuracy::Exact;
    arith::DivSI [Bool] Signed =>
        cpp: Refuse("a division of truth values"), Accuracy::Exact; glsl: Refuse("a division of truth values"), Accuracy::Exact;
    arith::DivUI [Integer] Unsigned =>
        cpp: Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), Accuracy::Exact; glsl: Guarded("/", prec::MUL, Guard::Divisor, "div", "div"), Accuracy::Exact;
    arith::DivUI [Bool] Unsigned =>
        cpp: Refuse("a division of truth values"), Accuracy::Exact; glsl: Refuse("a division of truth values"), Accuracy::Exact;
    arith::RemSI [Integer] Signed =>
        cpp: Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), Accuracy::Exact; glsl: Snippet("mod", "mod"), Accuracy::Exact;
    arith::RemSI [Bool] Signed =>
        cpp: Refuse("a division of truth values"), Accuracy::Exact; glsl: Refuse("a division of truth values"), Accuracy::Exact;
    arith::RemUI [Integer] Unsigned =>
        cpp: Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), Accuracy::Exact; glsl: Guarded("%", prec::MUL, Guard::Divisor, "mod", "mod"), Accuracy::Exact;
    arith::RemUI [Bool] Unsigned =>
        cpp: Refuse("a division of truth values"), Accuracy::Exact; glsl: Refuse("a division of truth values"), Accuracy::Exact;
    arith::AndI [Bool] Tied =>
        cpp: Infix("&&", prec::AND), Accuracy::Exact; glsl: Infix("&&", prec::AND), Accuracy::Exact;
    arith::AndI [Small] Tied =>
        cpp: Snippet("bits_and", "small"), Accuracy::Exact; glsl: Infix("&", prec::BIT_AND), Accuracy::Exact;
    arith::AndI [Any] Tied =>
        cpp: Infix("&", prec::BIT_AND), Accuracy::Exact; glsl: Infix("&", prec::BIT_AND), Accuracy::Exact;
    arith::OrI [Bool] Tied =>
        cpp: Infix("||", prec::OR), Accuracy::Exact; glsl: Infix("||", prec::OR), Accuracy::Exact;
    arith::OrI [Small] Tied =>
        cpp: Snippet("bits_or", "small"), Accuracy::Exact; glsl: Infix("|", prec::BIT_OR), Accuracy::Exact;
    arith::OrI [Any] Tied =>
        cpp: Infix("|", prec::BIT_OR), Accuracy::Exact; glsl: Infix("|", prec::BIT_OR), Accuracy::Exact;
    arith::XOrI [Bool] Tied =>
        cpp: Infix("!=", prec::EQUAL), Accuracy::Exact; glsl: Infix("^^", prec::EQUAL), Accuracy::Exact;
    arith::XOrI [Small] Tied =>
        cpp: Snippet("bits_xor", "small"), Accuracy::Exact; glsl: Infix("^", prec::BIT_XOR), Accuracy::Exact;
    arith::XOrI [Any] Tied =>
        cpp: Infix("^", prec::BIT_XOR), Accuracy::Exact; glsl: Infix("^", prec::BIT_XOR), Accuracy::Exact;
    arith::ShLI [Unsigned] Tied =>
        cpp: Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shift"), Accuracy::Exact; glsl: Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shift"), Accuracy::Exact;
    arith::ShLI [Integer] Tied =>
        cpp: Snippet("shl", "shift"), Accuracy::Exact; glsl: Guarded("<<", prec::SHIFT, Guard::Shift, "shl", "shift"), Accuracy::Exact;
    arith::ShRSI [Integer] Signed =>
        cpp: Snippet("shr", "shift"), Accuracy::Exact; glsl: Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift"), Accuracy::Exact;
    arith::ShRUI [Unsigned] Unsigned =>
        cpp: Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift"), Accuracy::Exact; glsl: Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift"), Accuracy::Exact;
    arith::ShRUI [Integer] Unsigned =>
        cpp: Snippet("shr", "shift"), Accuracy::Exact; glsl: Guarded(">>", prec::SHIFT, Guard::Shift, "shr", "shift"), Accuracy::Exact;
    arith::ShLI [Bool] Tied =>
        cpp: Refuse("a shift of a truth value"), Accuracy::Exact; glsl: Refuse("a shift of a truth value"), Accuracy::Exact;
    arith::ShRSI [Bool] Tied =>
        cpp: Refuse("a shift of a truth value"), Accuracy::Exact; glsl: Refuse("a shift of a truth value"), Accuracy::Exact;
    arith::ShRUI [Bool] Tied =>
        cpp: Refuse("a shift of a truth value"), Accuracy::Exact; glsl: Refuse("a shift of a truth value"), Accuracy::Exact;
    arith::MinSI [Integer] Signed =>
        cpp: Snippet("min", "min"), Accuracy::Exact; glsl: Call("min"), Accuracy::Exact;
    arith::MinSI [Bool] Signed =>
        cpp: Refuse("an order of truth values"), Accuracy::Exact; glsl: Refuse("an order of truth values"), Accuracy::Exact;
    arith::MaxSI [Integer] Signed =>
        cpp: Snippet("max", "max"), Accuracy::Exact; glsl: Call("max"), Accuracy::Exact;
    arith::MaxSI [Bool] Signed =>
        cpp: Refuse("an order of truth values"), Accuracy::Exact; glsl: Refuse("an order of truth values"), Accuracy::Exact;
    arith::MinUI [Integer] Unsigned =>
        cpp: Snippet("min", "min"), Accuracy::Exact; glsl: Call("min"), Accuracy::Exact;
    arith::MinUI [Bool] Unsigned =>
        cpp: Refuse("an order of truth values"), Accuracy::Exact; glsl: Refuse("an order of truth values"), Accuracy::Exact;
    arith::MaxUI [Integer] Unsigned =>
        cpp: Snippet("max", "max"), Accuracy::Exact; glsl: Call("max"), Accuracy::Exact;
    arith::MaxUI [Bool] Unsigned =>
        cpp: Refuse("an order of truth values"), Accuracy::Exact; glsl: Refuse("an order of truth values"), Accuracy::Exact;
    arith::NegF [Float] Free =>
        cpp: Prefix("-"), Accuracy::Exact; glsl: Prefix("-"), Accuracy::Exact;
    arith::AddF [Float] Free =>
        cpp: Infix("+", prec::ADD), Accuracy::Exact; glsl: Infix("+", prec::ADD), Accuracy::Exact;
    arith::SubF [Float] Free =>
        cpp: Infix("-", prec::ADD), Accuracy::Exact; glsl: Infix("-", prec::ADD), Accuracy::Exact;
    arith::MulF [Float] Free =>
        cpp: Infix("*", prec::MUL), Accuracy::Exact; glsl: Infix("*", prec::MUL), Accuracy::Exact;
    arith::DivF [Float] Free =>
        cpp: Infix("/", prec::MUL), Accuracy::Exact; glsl: Infix("/", prec::MUL), Accuracy::Ulps(2.5);
    arith::RemF [Float] Free =>
        cpp: Snippet("fmod", "fmod"), Accuracy::Exact; glsl: Snippet("fmod", "fmod"), Accuracy::Absolute(f64::INFINITY);
    arith::MinNumF [Float] Free =>
        cpp: Snippet("min", "min"), Accuracy::Exact; glsl: Snippet("fmin", "fmin"), Accuracy::Exact;
    arith::MaxNumF [Float] Free =>
        cpp: Snippet("max", "max"), Accuracy::Exact; glsl: Snippet("fmax", "fmax"), Accuracy::Exact;
    arith::MinimumF [Float] Free =>
        cpp: Snippet("minimum", "minimum"), Accuracy::Exact; glsl: Snippet("minimum", "minimum"), Accuracy::Exact;
    arith::MaximumF [Float] Free =>
        cpp: Snippet("maximum", "maximum"), Accuracy::Exact; glsl: Snippet("maximum", "maximum"), Accuracy::Exact;
    arith::ExtSI [Bool] FromSigned =>
        cpp: Template("{t}(-int({0}))", ""), Accuracy::Exact; glsl: Template("{t}(-int({0}))", ""), Accuracy::Exact;
    arith::ExtSI [Any] FromSigned =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::ExtUI [Any] FromUnsigned =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::IndexCast [Bool] FromSigned =>
        cpp: Template("{t}(-int({0}))", ""), Accuracy::Exact; glsl: Template("{t}(-int({0}))", ""), Accuracy::Exact;
    arith::IndexCast [Any] FromSigned =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::IndexCastUI [Any] FromUnsigned =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::TruncI [Any] Free =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::SIToFP [Bool] FromSigned =>
        cpp: Template("{t}(-int({0}))", ""), Accuracy::Exact; glsl: Template("{t}(-int({0}))", ""), Accuracy::Exact;
    arith::SIToFP [Any] FromSigned =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::UIToFP [Any] FromUnsigned =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::FPToSI [Any] Signed =>
        cpp: Template("saturate_to<{t}>({0})", "saturate"), Accuracy::Exact; glsl: Snippet("to_int", "to_int"), Accuracy::Exact;
    arith::FPToUI [Any] Unsigned =>
        cpp: Template("saturate_to<{t}>({0})", "saturate"), Accuracy::Exact; glsl: Snippet("to_uint", "to_uint"), Accuracy::Exact;
    arith::ExtF [Any] Free =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::TruncF [Any] Free =>
        cpp: Convert, Accuracy::Exact; glsl: Convert, Accuracy::Exact;
    arith::Bitcast [Any] Free =>
        cpp: Template("bits_as<{t}>({0})", "bits_as"), Accuracy::Exact; glsl: Template("bits_as_{t}({0})", "bits_as"), Accuracy::Exact;
    strong::MulF [Float] Free =>
        cpp: Snippet("strong_mul", "strong_mul"), Accuracy::Exact; glsl: Snippet("strong_mul", "strong_mul"), Accuracy::Exact;
    strong::GatedMulF [Float] Free =>
        cpp: Snippet("gated_mul", "gated_mul"), Accuracy::Exact; glsl: Snippet("gated_mul", "gated_mul"), Accuracy::Exact;
}
