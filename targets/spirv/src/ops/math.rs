//! The rows of functions: `math`.
//!
//! What GLSL.std.450 lacks, or defines for fewer operands than C does, the pass
//! `legalize-functions` writes with what it has; all functions of doubles but roots, too.

use super::Accuracy::{Absolute, Either, Exact, Ulps};
use super::How::{Legalized, Std450};
use super::rows;
use crate::grammar::std450;
use caustic_dialects::math;

const TOTAL: &str = "legalize-total";
const FUNCTIONS: &str = "legalize-functions";

rows! { pub static ROWS:
    math::AbsF [Float] Std450(std450::F_ABS), Exact;
    math::Sqrt [Float] Std450(std450::SQRT), Ulps(5);
    math::Rsqrt [Float] Std450(std450::INVERSE_SQRT), Ulps(2);
    math::Cbrt [Float] Legalized(FUNCTIONS), Ulps(16);
    math::Sin [Float] Std450(std450::SIN), Absolute(11);
    math::Cos [Float] Std450(std450::COS), Absolute(11);
    math::Tan [Float] Std450(std450::TAN), Either(4096, 10);
    math::Asin [Float] Std450(std450::ASIN), Ulps(4104);
    math::Acos [Float] Std450(std450::ACOS), Either(4104, 11);
    math::Atan [Float] Std450(std450::ATAN), Ulps(4096);
    math::Sinh [Float] Std450(std450::SINH), Either(184, 21);
    math::Cosh [Float] Std450(std450::COSH), Ulps(184);
    math::Tanh [Float] Std450(std450::TANH), Either(372, 21);
    math::Asinh [Float] Std450(std450::ASINH), Either(16, 20);
    math::Acosh [Float] Std450(std450::ACOSH), Either(16, 20);
    math::Atanh [Float] Std450(std450::ATANH), Either(16, 20);
    math::Exp [Float] Std450(std450::EXP), Ulps(181);
    math::Exp2 [Float] Std450(std450::EXP2), Ulps(259);
    math::ExpM1 [Float] Legalized(FUNCTIONS), Either(184, 21);
    math::Log [Float] Std450(std450::LOG), Either(3, 21);
    math::Log2 [Float] Std450(std450::LOG2), Either(3, 21);
    math::Log10 [Float] Legalized(FUNCTIONS), Either(5, 21);
    math::Log1p [Float] Legalized(FUNCTIONS), Either(16, 21);
    math::Floor [Float] Std450(std450::FLOOR), Exact;
    math::Ceil [Float] Std450(std450::CEIL), Exact;
    math::Trunc [Float] Std450(std450::TRUNC), Exact;
    math::Round [Float] Legalized(TOTAL), Exact;
    math::RoundEven [Float] Std450(std450::ROUND_EVEN), Exact;
    math::Atan2 [Float] Legalized(FUNCTIONS), Ulps(4096);
    math::PowF [Float] Legalized(FUNCTIONS), Either(620, 14);
    math::CopySign [Float] Legalized(TOTAL), Exact;
    math::Fma [Float] Legalized(FUNCTIONS), Ulps(1);
    math::AbsI | math::CtPop | math::CountLeadingZeros | math::CountTrailingZeros [Any]
        Legalized(TOTAL), Exact;
}
