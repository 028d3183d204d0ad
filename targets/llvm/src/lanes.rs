//! Instructions for a lane of an elementwise op, whatever the machine.

use crate::assembler::{Machine, float_condition};
use crate::ir::{FloatCc, IntCc, Ir, Opcode, Value};
use caustic_codegen::Lane;
use caustic_dialects::arith::{self as a, FloatPredicate, IntPredicate};
use caustic_dialects::math as m;
use caustic_dialects::strong;
use caustic_native::Leaf;

/// Code for a lane; `None` if there is none and the reference evaluation is to be called.
pub fn lane<M: Machine>(ir: &mut Ir, lane: &Lane<'_, Value>) -> Option<Value> {
    let to = lane.to;
    match *lane.args {
        [c, x, y] if lane.name == a::Select::NAME => Some(ir.select(c, x, y)),
        [x, y, z] if lane.name == m::Fma::NAME => match to {
            Leaf::F16 if M::HOSTED => None,
            _ => overloaded(ir, "llvm.fma", to, &[x, y, z]),
        },
        [x, y] if lane.name == a::CmpI::NAME => compare_ints(ir, lane, x, y),
        [x, y] if lane.name == a::CmpF::NAME => compare_floats(ir, lane, x, y),
        [x, y] if to.is_float() => float_binary::<M>(ir, lane.name, to, x, y).or_else(|| math::<M>(ir, lane)),
        [x, y] => int_binary(ir, lane.name, to, x, y),
        [x] => cast::<M>(ir, lane, x).or_else(|| unary::<M>(ir, lane, x)).or_else(|| math::<M>(ir, lane)),
        _ => None,
    }
}

fn overloaded(ir: &mut Ir, name: &str, leaf: Leaf, args: &[Value]) -> Option<Value> {
    let ty = ir.ty(leaf);
    Some(ir.intrinsic(name, &[ty], args))
}

/// Library functions, in f32 for f16.
fn math<M: Machine>(ir: &mut Ir, lane: &Lane<'_, Value>) -> Option<Value> {
    if !lane.to.is_float() || lane.from.iter().any(|&l| l != lane.to) {
        return None;
    }
    if lane.to != Leaf::F16 {
        return M::math(ir, lane.name, lane.to, lane.args);
    }
    let float = ir.ty(Leaf::F32);
    let args: Vec<Value> = lane.args.iter().map(|&x| ir.cast(Opcode::LLVMFPExt, x, float)).collect();
    let value = M::math(ir, lane.name, Leaf::F32, &args)?;
    let half = ir.ty(Leaf::F16);
    Some(ir.cast(Opcode::LLVMFPTrunc, value, half))
}

fn int_binary(ir: &mut Ir, name: &str, leaf: Leaf, x: Value, y: Value) -> Option<Value> {
    let op = match name {
        a::AddI::NAME => Opcode::LLVMAdd,
        a::SubI::NAME => Opcode::LLVMSub,
        a::MulI::NAME => Opcode::LLVMMul,
        a::AndI::NAME => Opcode::LLVMAnd,
        a::OrI::NAME => Opcode::LLVMOr,
        a::XOrI::NAME => Opcode::LLVMXor,
        a::ShLI::NAME => return Some(shift(ir, Opcode::LLVMShl, leaf, x, y)),
        a::ShRSI::NAME => return Some(shift(ir, Opcode::LLVMAShr, leaf, x, y)),
        a::ShRUI::NAME => return Some(shift(ir, Opcode::LLVMLShr, leaf, x, y)),
        a::MinSI::NAME => return overloaded(ir, "llvm.smin", leaf, &[x, y]),
        a::MaxSI::NAME => return overloaded(ir, "llvm.smax", leaf, &[x, y]),
        a::MinUI::NAME => return overloaded(ir, "llvm.umin", leaf, &[x, y]),
        a::MaxUI::NAME => return overloaded(ir, "llvm.umax", leaf, &[x, y]),
        a::DivSI::NAME | a::RemSI::NAME | a::DivUI::NAME | a::RemUI::NAME => {
            return Some(divide(ir, name, leaf, x, y));
        }
        _ => return None,
    };
    Some(ir.binary(op, x, y))
}

/// The amount is taken modulo the width.
fn shift(ir: &mut Ir, op: Opcode, leaf: Leaf, x: Value, y: Value) -> Value {
    if leaf == Leaf::I1 {
        return x;
    }
    let mask = ir.int(leaf, i64::from(leaf.bits()) - 1);
    let amount = ir.binary(Opcode::LLVMAnd, y, mask);
    ir.binary(op, x, amount)
}

/// Division by zero gives 0 and leaves 0, and the one overflow wraps; for LLVM both are undefined.
fn divide(ir: &mut Ir, name: &str, leaf: Leaf, x: Value, y: Value) -> Value {
    let (one, zero) = (ir.int(leaf, 1), ir.int(leaf, 0));
    let by_zero = ir.icmp(IntCc::LLVMIntEQ, y, zero);
    if matches!(name, a::DivUI::NAME | a::RemUI::NAME) {
        let divisor = ir.select(by_zero, one, y);
        if name == a::RemUI::NAME {
            return ir.binary(Opcode::LLVMURem, x, divisor);
        }
        let quotient = ir.binary(Opcode::LLVMUDiv, x, divisor);
        return ir.select(by_zero, zero, quotient);
    }
    let all_ones = ir.int(leaf, -1);
    let by_minus_one = ir.icmp(IntCc::LLVMIntEQ, y, all_ones);
    let special = ir.binary(Opcode::LLVMOr, by_zero, by_minus_one);
    let divisor = ir.select(special, one, y);
    if name == a::RemSI::NAME {
        return ir.binary(Opcode::LLVMSRem, x, divisor);
    }
    let quotient = ir.binary(Opcode::LLVMSDiv, x, divisor);
    let negated = ir.binary(Opcode::LLVMSub, zero, x);
    let quotient = ir.select(by_minus_one, negated, quotient);
    ir.select(by_zero, zero, quotient)
}

fn float_binary<M: Machine>(ir: &mut Ir, name: &str, leaf: Leaf, x: Value, y: Value) -> Option<Value> {
    let op = match name {
        a::AddF::NAME => Opcode::LLVMFAdd,
        a::SubF::NAME => Opcode::LLVMFSub,
        a::MulF::NAME => Opcode::LLVMFMul,
        a::DivF::NAME => Opcode::LLVMFDiv,
        a::RemF::NAME => Opcode::LLVMFRem,
        strong::MulF::NAME => {
            let zero = ir.float(leaf, 0.0);
            let product = ir.binary(Opcode::LLVMFMul, x, y);
            let x_zero = ir.fcmp(FloatCc::LLVMRealOEQ, x, zero);
            let y_zero = ir.fcmp(FloatCc::LLVMRealOEQ, y, zero);
            let any = ir.binary(Opcode::LLVMOr, x_zero, y_zero);
            return Some(ir.select(any, zero, product));
        }
        strong::GatedMulF::NAME => {
            let zero = ir.float(leaf, 0.0);
            let product = ir.binary(Opcode::LLVMFMul, x, y);
            let closed = ir.fcmp(FloatCc::LLVMRealOEQ, x, zero);
            return Some(ir.select(closed, zero, product));
        }
        a::MinimumF::NAME => return overloaded(ir, "llvm.minimum", leaf, &[x, y]),
        a::MaximumF::NAME => return overloaded(ir, "llvm.maximum", leaf, &[x, y]),
        a::MinNumF::NAME | a::MaxNumF::NAME => {
            let least = name == a::MinNumF::NAME;
            if M::ORDERS_ZEROS && leaf != Leaf::F16 {
                return overloaded(ir, if least { "llvm.minnum" } else { "llvm.maxnum" }, leaf, &[x, y]);
            }
            let both = overloaded(ir, if least { "llvm.minimum" } else { "llvm.maximum" }, leaf, &[x, y])?;
            let x_nan = ir.fcmp(FloatCc::LLVMRealUNO, x, x);
            let y_nan = ir.fcmp(FloatCc::LLVMRealUNO, y, y);
            let value = ir.select(x_nan, y, both);
            return Some(ir.select(y_nan, x, value));
        }
        m::CopySign::NAME => return overloaded(ir, "llvm.copysign", leaf, &[x, y]),
        _ => return None,
    };
    Some(ir.binary(op, x, y))
}

fn unary<M: Machine>(ir: &mut Ir, lane: &Lane<'_, Value>, x: Value) -> Option<Value> {
    let to = lane.to;
    let name = match lane.name {
        a::NegF::NAME => return Some(ir.fneg(x)),
        m::AbsF::NAME => "llvm.fabs",
        m::Sqrt::NAME => "llvm.sqrt",
        m::Floor::NAME => "llvm.floor",
        m::Ceil::NAME => "llvm.ceil",
        m::Trunc::NAME => "llvm.trunc",
        m::Round::NAME => "llvm.round",
        m::RoundEven::NAME => "llvm.roundeven",
        m::Rsqrt::NAME if M::ROOTS && to == Leaf::F32 => {
            return Some(ir.intrinsic("llvm.nvvm.rsqrt.approx.f", &[], &[x]));
        }
        m::Rsqrt::NAME => {
            let root = overloaded(ir, "llvm.sqrt", to, &[x])?;
            let one = ir.float(to, 1.0);
            return Some(ir.binary(Opcode::LLVMFDiv, one, root));
        }
        m::AbsI::NAME | m::CountLeadingZeros::NAME | m::CountTrailingZeros::NAME => {
            let (ty, defined) = (ir.ty(to), ir.flag(false));
            let name = match lane.name {
                m::AbsI::NAME => "llvm.abs",
                m::CountLeadingZeros::NAME => "llvm.ctlz",
                _ => "llvm.cttz",
            };
            return Some(ir.intrinsic(name, &[ty], &[x, defined]));
        }
        m::CtPop::NAME => "llvm.ctpop",
        _ => return None,
    };
    overloaded(ir, name, to, &[x])
}

fn compare_ints(ir: &mut Ir, lane: &Lane<'_, Value>, x: Value, y: Value) -> Option<Value> {
    let cc = match IntPredicate::from_number(lane.predicate)? {
        IntPredicate::Eq => IntCc::LLVMIntEQ,
        IntPredicate::Ne => IntCc::LLVMIntNE,
        IntPredicate::Slt => IntCc::LLVMIntSLT,
        IntPredicate::Sle => IntCc::LLVMIntSLE,
        IntPredicate::Sgt => IntCc::LLVMIntSGT,
        IntPredicate::Sge => IntCc::LLVMIntSGE,
        IntPredicate::Ult => IntCc::LLVMIntULT,
        IntPredicate::Ule => IntCc::LLVMIntULE,
        IntPredicate::Ugt => IntCc::LLVMIntUGT,
        IntPredicate::Uge => IntCc::LLVMIntUGE,
    };
    Some(ir.icmp(cc, x, y))
}

fn compare_floats(ir: &mut Ir, lane: &Lane<'_, Value>, x: Value, y: Value) -> Option<Value> {
    let predicate = FloatPredicate::from_number(lane.predicate)?;
    Some(match float_condition(predicate) {
        Some(cc) => ir.fcmp(cc, x, y),
        None => ir.int(Leaf::I1, matches!(predicate, FloatPredicate::True) as i64),
    })
}

// ----- conversions

fn cast<M: Machine>(ir: &mut Ir, lane: &Lane<'_, Value>, x: Value) -> Option<Value> {
    let &[from] = lane.from else { return None };
    let to = lane.to;
    let ty = ir.ty(to);
    Some(match lane.name {
        a::ExtSI::NAME | a::IndexCast::NAME => resize(ir, from, to, x, true),
        a::ExtUI::NAME | a::TruncI::NAME | a::IndexCastUI::NAME => resize(ir, from, to, x, false),
        a::SIToFP::NAME | a::UIToFP::NAME => {
            let op = if lane.name == a::SIToFP::NAME { Opcode::LLVMSIToFP } else { Opcode::LLVMUIToFP };
            if to != Leaf::F16 {
                return Some(ir.cast(op, x, ty));
            }
            // 53 bits hold what decides the rounding of all integers that are not beyond f16
            // anyway.
            let double = ir.ty(Leaf::F64);
            let wide = ir.cast(op, x, double);
            M::round_to_f16(ir, wide)
        }
        a::FPToSI::NAME | a::FPToUI::NAME => {
            let name = if lane.name == a::FPToSI::NAME { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
            let source = ir.ty(from);
            ir.intrinsic(name, &[ty, source], &[x])
        }
        a::ExtF::NAME if from != to => ir.cast(Opcode::LLVMFPExt, x, ty),
        a::TruncF::NAME if from != to => match (from, to) {
            (Leaf::F64, Leaf::F16) => M::round_to_f16(ir, x),
            _ => ir.cast(Opcode::LLVMFPTrunc, x, ty),
        },
        a::ExtF::NAME | a::TruncF::NAME => x,
        a::Bitcast::NAME if from == to => x,
        a::Bitcast::NAME => ir.cast(Opcode::LLVMBitCast, x, ty),
        _ => return None,
    })
}

/// An integer in another width.
pub fn resize(ir: &mut Ir, from: Leaf, to: Leaf, x: Value, signed: bool) -> Value {
    let ty = ir.ty(to);
    let op = match (from.bits().cmp(&to.bits()), signed) {
        (std::cmp::Ordering::Equal, _) => return x,
        (std::cmp::Ordering::Greater, _) => Opcode::LLVMTrunc,
        (std::cmp::Ordering::Less, true) => Opcode::LLVMSExt,
        (std::cmp::Ordering::Less, false) => Opcode::LLVMZExt,
    };
    ir.cast(op, x, ty)
}

/// An f64 whose value is one of `leaf`.
pub fn narrow<M: Machine>(ir: &mut Ir, leaf: Leaf, value: Value) -> Value {
    let float = ir.ty(Leaf::F32);
    match leaf {
        Leaf::F32 => ir.cast(Opcode::LLVMFPTrunc, value, float),
        Leaf::F16 => {
            // In two steps, which are exact for such a value: not every machine has the one.
            let (single, half) = (ir.cast(Opcode::LLVMFPTrunc, value, float), ir.ty(Leaf::F16));
            ir.cast(Opcode::LLVMFPTrunc, single, half)
        }
        _ => value,
    }
}
