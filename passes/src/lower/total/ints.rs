//! Integers: quotients, shifts, and functions of bits.

use super::operands_of;
use crate::analysis::ranges::range_of;
use caustic_dialects::arith::{self, IntPredicate, cmpi, int};
use caustic_dialects::math;
use caustic_ir::{Builder, OpId, Type, ValueId};

/// Whether a constant operand makes an op defined.
fn constants(b: &Builder<'_>, value: ValueId, is: impl Fn(i64) -> bool) -> bool {
    let Some(constant) = arith::constant_of(b.body, value) else { return false };
    match constant.kind() {
        caustic_ir::AttrKind::Dense(items, _) => items.iter().all(|a| a.as_int().is_some_and(&is)),
        _ => constant.as_int().is_some_and(is),
    }
}

/// A quotient or remainder: by 1 where the divisor is none, and chosen again behind.
pub fn quotient(b: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let defs = [arith::DivSI::DEF, arith::DivUI::DEF, arith::RemSI::DEF, arith::RemUI::DEF];
    let [lhs, rhs] = operands_of(b.body, op, &defs)?;
    let (ty, def) = (b.ty(lhs), b.body.op(op).def);
    let is = |one: &'static caustic_ir::OpDef| std::ptr::eq(def, one);
    let quotient = is(arith::DivSI::DEF) || is(arith::DivUI::DEF);
    if ty.elem().is_i1() {
        // By a set one it is the dividend, and nothing is left.
        return Some(if quotient { arith::AndI::build(b, lhs, rhs, &[]) } else { int(b, 0, ty) });
    }
    let signed = is(arith::DivSI::DEF) || is(arith::RemSI::DEF);
    let is_defined = constants(b, rhs, |c| c != 0 && !(signed && c == -1));
    // Machines of shaders leave open what is left of a division with a negative number.
    let is_open = is(arith::RemSI::DEF) && [lhs, rhs].iter().any(|v| range_of(b.body, *v).0 < 0);
    if is_defined {
        return is_open.then(|| remainder(b, lhs, rhs));
    }
    let (zero, one) = (int(b, 0, ty), int(b, 1, ty));
    let none = cmpi(b, IntPredicate::Eq, rhs, zero);
    let mut instead = none;
    if signed {
        let bits = ty.elem().scalar_bits()?;
        let (least, minus_one) = (int(b, i64::MIN >> (64 - bits), ty), int(b, -1, ty));
        let first = cmpi(b, IntPredicate::Eq, lhs, least);
        let second = cmpi(b, IntPredicate::Eq, rhs, minus_one);
        let over = arith::AndI::build(b, first, second, &[]);
        instead = arith::OrI::build(b, none, over, &[]);
    }
    let divisor = arith::Select::build(b, instead, one, rhs, &[]);
    if is_open {
        return Some(remainder(b, lhs, divisor));
    }
    let value = b.create_one(def, &[lhs, divisor], ty, &[]);
    // What is left of a division by 1 is nothing.
    Some(if quotient { arith::Select::build(b, none, zero, value, &[]) } else { value })
}

/// A signed remainder, by the quotient; the divisor is neither 0, nor -1 of the least integer.
fn remainder(b: &mut Builder<'_>, lhs: ValueId, divisor: ValueId) -> ValueId {
    let quotient = arith::DivSI::build(b, lhs, divisor, &[]);
    let divided = arith::MulI::build(b, quotient, divisor, &[]);
    arith::SubI::build(b, lhs, divided, &[])
}

/// A shift, by the amount modulo the width.
pub fn shift(b: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let [lhs, rhs] = operands_of(b.body, op, &[arith::ShLI::DEF, arith::ShRSI::DEF, arith::ShRUI::DEF])?;
    let (ty, def) = (b.ty(lhs), b.body.op(op).def);
    let bits = ty.elem().scalar_bits()?;
    if bits == 1 {
        return Some(lhs);
    }
    if constants(b, rhs, |c| (0..i64::from(bits)).contains(&c)) {
        return None;
    }
    let mask = int(b, i64::from(bits) - 1, ty);
    let amount = arith::AndI::build(b, rhs, mask, &[]);
    Some(b.create_one(def, &[lhs, amount], ty, &[]))
}

/// A function of the bits of an integer, by shifts and masks.
pub fn bits(b: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    if let Some([value]) = operands_of(b.body, op, &[math::AbsI::DEF]) {
        let ty = b.ty(value);
        if ty.elem().is_i1() {
            return Some(value);
        }
        let zero = int(b, 0, ty);
        let below = cmpi(b, IntPredicate::Slt, value, zero);
        let turned = arith::SubI::build(b, zero, value, &[]);
        return Some(arith::Select::build(b, below, turned, value, &[]));
    }
    let defs = [math::CtPop::DEF, math::CountLeadingZeros::DEF, math::CountTrailingZeros::DEF];
    let [value] = operands_of(b.body, op, &defs)?;
    let (ty, def) = (b.ty(value), b.body.op(op).def);
    let bits = ty.elem().scalar_bits()?;
    if bits == 1 {
        let count = std::ptr::eq(def, math::CtPop::DEF);
        let one = int(b, 1, ty);
        return Some(if count { value } else { arith::XOrI::build(b, value, one, &[]) });
    }
    Some(match () {
        () if std::ptr::eq(def, math::CtPop::DEF) => count(b, value, ty, bits),
        () if std::ptr::eq(def, math::CountTrailingZeros::DEF) => {
            // The bits below the lowest one that is set.
            let (one, all) = (int(b, 1, ty), int(b, -1, ty));
            let less = arith::SubI::build(b, value, one, &[]);
            let clear = arith::XOrI::build(b, value, all, &[]);
            let below = arith::AndI::build(b, clear, less, &[]);
            count(b, below, ty, bits)
        }
        () => {
            // The bits above the highest one that is set.
            let mut filled = value;
            let mut step = 1;
            while step < bits {
                let moved = shifted(b, filled, step, ty);
                filled = arith::OrI::build(b, filled, moved, &[]);
                step *= 2;
            }
            let all = int(b, -1, ty);
            let above = arith::XOrI::build(b, filled, all, &[]);
            count(b, above, ty, bits)
        }
    })
}

fn shifted(b: &mut Builder<'_>, value: ValueId, by: u32, ty: Type) -> ValueId {
    let by = int(b, i64::from(by), ty);
    arith::ShRUI::build(b, value, by, &[])
}

/// How many bits are set: of pairs, of fours, of bytes, and their sum.
fn count(b: &mut Builder<'_>, value: ValueId, ty: Type, bits: u32) -> ValueId {
    let masked = |b: &mut Builder<'_>, value: ValueId, mask: u64| {
        let mask = int(b, mask as i64, ty);
        arith::AndI::build(b, value, mask, &[])
    };
    let half = shifted(b, value, 1, ty);
    let half = masked(b, half, 0x5555_5555_5555_5555);
    let pairs = arith::SubI::build(b, value, half, &[]);
    let high = shifted(b, pairs, 2, ty);
    let (low, high) = (masked(b, pairs, 0x3333_3333_3333_3333), masked(b, high, 0x3333_3333_3333_3333));
    let fours = arith::AddI::build(b, low, high, &[]);
    let high = shifted(b, fours, 4, ty);
    let sum = arith::AddI::build(b, fours, high, &[]);
    let bytes = masked(b, sum, 0x0f0f_0f0f_0f0f_0f0f);
    if bits == 8 {
        return bytes;
    }
    let ones = int(b, 0x0101_0101_0101_0101, ty);
    let all = arith::MulI::build(b, bytes, ones, &[]);
    shifted(b, all, bits - 8, ty)
}
