//! The rows of arithmetic: `arith`, `strong`.

use super::Accuracy::{Exact, Ulps};
use super::Cast::{Bits, FloatToSigned, FloatToUnsigned, Signed, SignedToFloat, Unsigned, UnsignedToFloat};
use super::How::{Cast, Float, Inst, Legalized, Operand, Std450};
use super::{Cast as By, rows};
use crate::grammar::{Op, std450};
use caustic_dialects::{arith, strong};

/// Passes that remove what instructions leave open.
const TOTAL: &str = "legalize-total";
const FUNCTIONS: &str = "legalize-functions";

rows! { pub static ROWS:
    arith::AddI | arith::SubI [Bool] Inst(Op::LogicalNotEqual), Exact;
    arith::MulI [Bool] Inst(Op::LogicalAnd), Exact;
    arith::AddI [Integer] Inst(Op::IAdd), Exact;
    arith::SubI [Integer] Inst(Op::ISub), Exact;
    arith::MulI [Integer] Inst(Op::IMul), Exact;
    arith::DivSI | arith::DivUI | arith::RemSI | arith::RemUI [Bool] Legalized(TOTAL), Exact;
    arith::DivSI [Integer] Inst(Op::SDiv), Exact;
    arith::DivUI [Integer] Inst(Op::UDiv), Exact;
    arith::RemSI [Integer] Inst(Op::SRem), Exact;
    arith::RemUI [Integer] Inst(Op::UMod), Exact;
    arith::AndI [Bool] Inst(Op::LogicalAnd), Exact;
    arith::OrI [Bool] Inst(Op::LogicalOr), Exact;
    arith::XOrI [Bool] Inst(Op::LogicalNotEqual), Exact;
    arith::AndI [Integer] Inst(Op::BitwiseAnd), Exact;
    arith::OrI [Integer] Inst(Op::BitwiseOr), Exact;
    arith::XOrI [Integer] Inst(Op::BitwiseXor), Exact;
    // The amount is taken modulo 1.
    arith::ShLI | arith::ShRSI | arith::ShRUI [Bool] Operand, Exact;
    arith::ShLI [Integer] Inst(Op::ShiftLeftLogical), Exact;
    arith::ShRSI [Integer] Inst(Op::ShiftRightArithmetic), Exact;
    arith::ShRUI [Integer] Inst(Op::ShiftRightLogical), Exact;
    // As signed, a set one is -1.
    arith::MinSI | arith::MaxUI [Bool] Inst(Op::LogicalOr), Exact;
    arith::MaxSI | arith::MinUI [Bool] Inst(Op::LogicalAnd), Exact;
    arith::MinSI [Integer] Std450(std450::S_MIN), Exact;
    arith::MaxSI [Integer] Std450(std450::S_MAX), Exact;
    arith::MinUI [Integer] Std450(std450::U_MIN), Exact;
    arith::MaxUI [Integer] Std450(std450::U_MAX), Exact;
    arith::NegF [Float] Float(Op::FNegate), Exact;
    arith::AddF [Float] Float(Op::FAdd), Exact;
    arith::SubF [Float] Float(Op::FSub), Exact;
    arith::MulF [Float] Float(Op::FMul), Exact;
    arith::DivF [Float] Float(Op::FDiv), Ulps(3);
    arith::RemF [Float] Legalized(FUNCTIONS), Exact;
    arith::MinNumF | arith::MaxNumF | arith::MinimumF | arith::MaximumF [Float] Legalized(TOTAL), Exact;
    arith::ExtSI | arith::IndexCast [Any] Cast(Signed), Exact;
    arith::ExtUI | arith::IndexCastUI | arith::TruncI [Any] Cast(Unsigned), Exact;
    arith::SIToFP [Any] Cast(SignedToFloat), Exact;
    arith::UIToFP [Any] Cast(UnsignedToFloat), Exact;
    arith::FPToSI [Any] Cast(FloatToSigned), Exact;
    arith::FPToUI [Any] Cast(FloatToUnsigned), Exact;
    arith::ExtF | arith::TruncF [Any] Cast(By::Float), Exact;
    arith::Bitcast [Any] Cast(Bits), Exact;
    strong::MulF | strong::GatedMulF [Float] Legalized(TOTAL), Exact;
}
