//! The table of what ops cost: the numbers.
//!
//! `interp`, `cpu` and `simd` are measured (`caustic-bench --op-costs` prints both). Of `gpu` and
//! `gpu-fast` quotients, roots and functions are the instructions of what they become; the errors
//! are those of docs/functions-of-floats.md, and where it has none those that OpenCL asks of the
//! library.

use super::Machine;
use super::ops::{Cells, Row, SetUpKey, When, row};
use caustic_dialects::{arith as a, math as m, strong};
use caustic_ir::op::OpDef;

/// Results are the exact ones.
const EXACT: Cells<f32> = [0.0; Machine::COUNT];
/// Results are the nearest numbers that there are.
const ROUNDED: Cells<f32> = [0.5; Machine::COUNT];

/// Within so much of what is exact: a function's result in f64 that is rounded, our own of f32 for
/// vectors, on a GPU, and by its approximate instructions.
const fn near(simd: f32, gpu: f32, fast: f32) -> Cells<f32> {
    [0.5, 0.5, simd, gpu, fast]
}

/// The table. A column is a machine, in the order of [`Machine::ALL`].
pub static ROWS: &[Row] = &[
    //                                                              interp cpu simd gpu gpu-fast
    row(&[a::Constant::DEF], EXACT, [0, 0, 0, 0, 0]),
    row(&[a::AddF::DEF, a::SubF::DEF, a::MulF::DEF], ROUNDED, [1, 1, 1, 1, 1]),
    row(&[m::Fma::DEF], ROUNDED, [1, 1, 1, 1, 1]),
    // A GPU's instructions take operands with their signs flipped, and magnitudes.
    row(&[a::NegF::DEF, m::AbsF::DEF], EXACT, [1, 1, 1, 0, 0]),
    row(&[m::CopySign::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::MinimumF::DEF, a::MaximumF::DEF, a::MinNumF::DEF, a::MaxNumF::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::CmpI::DEF, a::CmpF::DEF, a::Select::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[strong::MulF::DEF], ROUNDED, [1, 3, 3, 3, 3]),
    row(&[strong::GatedMulF::DEF], ROUNDED, [1, 3, 3, 3, 3]),
    // Quotients.
    row(&[a::DivF::DEF], near(0.5, 0.5, 1.0), [1, 4, 4, 1, 0]).when(When::One(0)).set_up(
        SetUpKey::Divisor,
        1,
        [0, 0, 0, 9, 5],
    ),
    row(&[a::DivF::DEF], near(0.5, 0.5, 1.0), [1, 4, 4, 4, 1]).when(When::Constant(1)).set_up(
        SetUpKey::Divisor,
        1,
        [0, 0, 0, 2, 0],
    ),
    row(&[a::DivF::DEF], near(0.5, 0.5, 2.0), [1, 4, 4, 4, 1]).set_up(SetUpKey::Divisor, 1, [0, 0, 0, 9, 5]),
    row(&[a::RemF::DEF], EXACT, [1, 20, 20, 40, 40]),
    // Roots.
    row(&[m::Sqrt::DEF], near(0.5, 0.5, 1.0), [1, 6, 6, 12, 6]),
    row(&[m::Rsqrt::DEF], near(1.0, 2.0, 2.0), [1, 10, 10, 6, 4]),
    row(&[m::Cbrt::DEF], near(0.501, 2.0, 2.0), [1, 12, 20, 20, 20]),
    // Functions.
    row(&[m::Exp::DEF], near(0.502, 2.4, f32::INFINITY), [1, 12, 12, 9, 3]),
    row(&[m::Exp2::DEF], near(0.502, 2.4, 2.0), [1, 12, 12, 9, 2]),
    row(&[m::ExpM1::DEF], near(0.505, 3.0, 3.0), [1, 12, 12, 14, 14]),
    row(&[m::Log::DEF], near(0.501, 0.9, f32::INFINITY), [1, 12, 12, 16, 3]),
    row(&[m::Log2::DEF], near(0.501, 0.6, f32::INFINITY), [1, 12, 12, 16, 3]),
    row(&[m::Log10::DEF], near(0.501, 0.7, f32::INFINITY), [1, 12, 12, 16, 3]),
    row(&[m::Log1p::DEF], near(0.501, 2.0, 2.0), [1, 12, 12, 20, 20]),
    row(&[m::Sin::DEF, m::Cos::DEF], near(0.501, 1.5, f32::INFINITY), [1, 12, 12, 22, 2]),
    row(&[m::Tan::DEF], near(0.501, 3.5, f32::INFINITY), [1, 12, 20, 30, 30]),
    row(&[m::Asin::DEF], near(0.501, 0.9, 0.9), [1, 12, 20, 20, 20]),
    row(&[m::Acos::DEF], near(0.501, 1.3, 1.3), [1, 12, 20, 20, 20]),
    row(&[m::Atan::DEF], near(0.501, 1.3, 1.3), [1, 12, 20, 20, 20]),
    row(&[m::Sinh::DEF, m::Cosh::DEF], near(0.504, 2.4, 2.4), [1, 12, 20, 20, 20]),
    row(&[m::Tanh::DEF], near(0.504, 1.9, 2.0), [1, 12, 20, 14, 2]),
    row(&[m::Asinh::DEF, m::Acosh::DEF, m::Atanh::DEF], near(0.501, 5.0, 5.0), [1, 24, 30, 40, 40]),
    row(&[m::Atan2::DEF], near(0.501, 2.4, 2.4), [1, 20, 30, 35, 35]),
    row(&[m::PowF::DEF], near(0.502, 4.2, f32::INFINITY), [1, 30, 30, 34, 10]),
    // To integers.
    row(&[m::Floor::DEF, m::Ceil::DEF, m::Trunc::DEF, m::RoundEven::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[m::Round::DEF], EXACT, [1, 4, 4, 4, 4]),
    // Integers.
    row(&[a::AddI::DEF, a::SubI::DEF, a::MulI::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::AndI::DEF, a::OrI::DEF, a::XOrI::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::ShLI::DEF, a::ShRSI::DEF, a::ShRUI::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::MinSI::DEF, a::MaxSI::DEF, a::MinUI::DEF, a::MaxUI::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[m::AbsI::DEF], EXACT, [1, 2, 1, 1, 1]),
    row(&[m::CtPop::DEF, m::CountLeadingZeros::DEF, m::CountTrailingZeros::DEF], EXACT, [1, 1, 2, 2, 2]),
    row(&[a::DivSI::DEF, a::DivUI::DEF], EXACT, [1, 3, 3, 4, 4]).when(When::Constant(1)),
    row(&[a::RemSI::DEF, a::RemUI::DEF], EXACT, [1, 5, 5, 6, 6]).when(When::Constant(1)),
    row(&[a::DivSI::DEF, a::DivUI::DEF], EXACT, [1, 8, 20, 24, 24]),
    row(&[a::RemSI::DEF, a::RemUI::DEF], EXACT, [1, 8, 20, 26, 26]),
    // Conversions.
    row(&[a::ExtSI::DEF, a::ExtUI::DEF, a::TruncI::DEF, a::ExtF::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::IndexCast::DEF, a::IndexCastUI::DEF, a::Bitcast::DEF], EXACT, [1, 1, 1, 1, 1]),
    row(&[a::SIToFP::DEF, a::UIToFP::DEF, a::TruncF::DEF], ROUNDED, [1, 1, 1, 1, 1]),
    row(&[a::FPToSI::DEF, a::FPToUI::DEF], EXACT, [1, 3, 3, 1, 1]),
];

/// How many times more an op on f64 costs than one on f32.
pub(super) const WIDE: Cells<u32> = [1, 1, 2, 2, 2];
/// The most that a function of f64 is off, on any machine.
pub(super) const WIDE_ULPS: f32 = 3.0;

/// Ops that a GPU has instructions for which flip the signs of their operands.
pub(super) const TAKE_SIGNS: &[&OpDef] = &[
    a::AddF::DEF,
    a::SubF::DEF,
    a::MulF::DEF,
    m::Fma::DEF,
    a::CmpF::DEF,
    a::MinimumF::DEF,
    a::MaximumF::DEF,
    a::MinNumF::DEF,
    a::MaxNumF::DEF,
];
