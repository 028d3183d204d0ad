//! Floats: conversions to integers, extremes, products with strong zeros, and signs.

use super::{bits_type, operands_of};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate, cmpf, cmpi, float, int, zero};
use caustic_dialects::{math, strong};
use caustic_ir::{Builder, FloatKind, OpId, Type, ValueId, real};

/// A product in which a zero annihilates.
pub fn product(b: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let gated = operands_of(b.body, op, &[strong::GatedMulF::DEF]);
    let [lhs, rhs] = gated.or_else(|| operands_of(b.body, op, &[strong::MulF::DEF]))?;
    let none = zero(b, b.body.ty(lhs));
    let mut annihilates = is_zero(b, lhs)?;
    if gated.is_none() {
        let right = is_zero(b, rhs)?;
        annihilates = arith::OrI::build(b, annihilates, right, &[]);
    }
    let value = arith::MulF::build(b, lhs, rhs, &[]);
    Some(arith::Select::build(b, annihilates, none, value, &[]))
}

/// The lesser or greater of two floats, the sign of a number, and the nearest integer.
pub fn extreme(b: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    if let Some([value, sign]) = operands_of(b.body, op, &[math::CopySign::DEF]) {
        return copy_sign(b, value, sign);
    }
    if let Some([value]) = operands_of(b.body, op, &[math::Round::DEF]) {
        return round(b, value);
    }
    let defs = [arith::MinNumF::DEF, arith::MaxNumF::DEF, arith::MinimumF::DEF, arith::MaximumF::DEF];
    let [lhs, rhs] = operands_of(b.body, op, &defs)?;
    let is = |def| b.body.is(op, def);
    let least = is(arith::MinNumF::DEF) || is(arith::MinimumF::DEF);
    let number = is(arith::MinNumF::DEF) || is(arith::MaxNumF::DEF);
    let before = if least { FloatPredicate::Olt } else { FloatPredicate::Ogt };
    let first = cmpf(b, before, lhs, rhs);
    let equal = cmpf(b, FloatPredicate::Oeq, lhs, rhs);
    // Of two zeros the negative one is the lesser.
    let (ty, none) = (bits_type(b.ty(lhs))?, IntPredicate::Slt);
    let raw = arith::Bitcast::build(b, if least { lhs } else { rhs }, ty, &[]);
    let nothing = int(b, 0, ty);
    let negative = cmpi(b, none, raw, nothing);
    let by_sign = arith::AndI::build(b, equal, negative, &[]);
    let mut takes = arith::OrI::build(b, first, by_sign, &[]);
    if number {
        let missing = is_nan(b, rhs)?;
        takes = arith::OrI::build(b, takes, missing, &[]);
        return Some(arith::Select::build(b, takes, lhs, rhs, &[]));
    }
    let chosen = arith::Select::build(b, takes, lhs, rhs, &[]);
    // The right one is what is left if it is no number.
    let missing = is_nan(b, lhs)?;
    Some(arith::Select::build(b, missing, lhs, chosen, &[]))
}

/// The bits of a float without that of its sign, their type, and the sort of float. What is asked
/// of them no compiler simplifies by what it takes to be true of floats.
fn magnitude(b: &mut Builder<'_>, value: ValueId) -> Option<(ValueId, Type, FloatKind)> {
    let ty = b.ty(value);
    let (kind, ints) = (ty.elem().float_kind()?, bits_type(ty)?);
    let raw = arith::Bitcast::build(b, value, ints, &[]);
    let mask = int(b, !(1i64.wrapping_shl(kind.bits() - 1)), ints);
    Some((arith::AndI::build(b, raw, mask, &[]), ints, kind))
}

/// Whether a float is zero, by its bits.
fn is_zero(b: &mut Builder<'_>, value: ValueId) -> Option<ValueId> {
    let (magnitude, ints, _) = magnitude(b, value)?;
    let nothing = int(b, 0, ints);
    Some(cmpi(b, IntPredicate::Eq, magnitude, nothing))
}

/// Whether a float is none, by its bits.
fn is_nan(b: &mut Builder<'_>, value: ValueId) -> Option<ValueId> {
    let (magnitude, ints, kind) = magnitude(b, value)?;
    let infinity = int(b, real::bits_of(f64::INFINITY, kind) as i64, ints);
    Some(cmpi(b, IntPredicate::Ugt, magnitude, infinity))
}

fn copy_sign(b: &mut Builder<'_>, value: ValueId, sign: ValueId) -> Option<ValueId> {
    let ty = b.ty(value);
    let (kind, ints) = (ty.elem().float_kind()?, bits_type(ty)?);
    let (raw, from) = (arith::Bitcast::build(b, value, ints, &[]), arith::Bitcast::build(b, sign, ints, &[]));
    let top = 1i64.wrapping_shl(kind.bits() - 1);
    let (top, rest) = (int(b, top, ints), int(b, !top, ints));
    let magnitude = arith::AndI::build(b, raw, rest, &[]);
    let sign = arith::AndI::build(b, from, top, &[]);
    let both = arith::OrI::build(b, magnitude, sign, &[]);
    Some(arith::Bitcast::build(b, both, ty, &[]))
}

/// The nearest integer, of two the farther from zero.
fn round(b: &mut Builder<'_>, value: ValueId) -> Option<ValueId> {
    let ty = b.ty(value);
    let whole = math::Trunc::build(b, value, &[]);
    let rest = arith::SubF::build(b, value, whole, &[]);
    let rest = math::AbsF::build(b, rest, &[]);
    let (half, one, none) = (float(b, 0.5, ty), float(b, 1.0, ty), zero(b, ty));
    let far = cmpf(b, FloatPredicate::Oge, rest, half);
    let more = arith::Select::build(b, far, one, none, &[]);
    let magnitude = math::AbsF::build(b, whole, &[]);
    let magnitude = arith::AddF::build(b, magnitude, more, &[]);
    copy_sign(b, magnitude, value)
}

/// The nearest integer towards zero that there is; 0 for what is no number.
pub fn to_integer(b: &mut Builder<'_>, op: OpId) -> Option<ValueId> {
    let signed = operands_of(b.body, op, &[arith::FPToSI::DEF]);
    let [value] = signed.or_else(|| operands_of(b.body, op, &[arith::FPToUI::DEF]))?;
    let (from, to) = (b.ty(value), b.ty(b.body.result(op, 0)));
    let (bits, signed) = (to.elem().scalar_bits()?, signed.is_some());
    let kind = from.elem().float_kind()?;
    if bits == 1 {
        // A set one is -1, or 1.
        let one = float(b, if signed { -1.0 } else { 1.0 }, from);
        let reaches = if signed { FloatPredicate::Ole } else { FloatPredicate::Oge };
        return Some(cmpf(b, reaches, value, one));
    }
    // The first float beyond, and the last one on the other side.
    let beyond = 2f64.powi(bits as i32 - i32::from(signed));
    let (first, last) = (beyond, if signed { -beyond } else { 0.0 });
    let (most, least) = match signed {
        true => (i64::MAX >> (64 - bits), i64::MIN >> (64 - bits)),
        false => (-1, 0),
    };
    let nothing = zero(b, from);
    let (high, low) = (bound(b, first, kind, from), bound(b, last, kind, from));
    let above = cmpf(b, FloatPredicate::Oge, value, high);
    let below = cmpf(b, FloatPredicate::Ole, value, low);
    let under = cmpf(b, FloatPredicate::Olt, value, high);
    let over = cmpf(b, FloatPredicate::Ogt, value, low);
    let inside = arith::AndI::build(b, under, over, &[]);
    let near = arith::Select::build(b, inside, value, nothing, &[]);
    let converted = b.create_one(b.body.op(op).def, &[near], to, &[]);
    let (most, least) = (int(b, most, to), int(b, least, to));
    let value = arith::Select::build(b, above, most, converted, &[]);
    Some(arith::Select::build(b, below, least, value, &[]))
}

/// A bound as a float of this kind, infinite if there is none as large.
fn bound(b: &mut Builder<'_>, value: f64, kind: FloatKind, ty: Type) -> ValueId {
    let largest = 65504.0;
    let value = if kind == FloatKind::F16 && value.abs() > largest { value * f64::INFINITY } else { value };
    float(b, value, ty)
}
