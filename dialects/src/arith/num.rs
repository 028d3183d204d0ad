//! Reading signless integers as signed or unsigned, and the conversions that saturate or round.
//!
//! Values come as [`caustic_ir::eval`] keeps them: sign-extended to 64 bits, but for i1, which is 0
//! or 1.

use caustic_ir::{FloatKind, Type, real};

/// Width in bits of an int or index type.
pub fn width(ty: Type) -> u32 {
    ty.scalar_bits().unwrap_or(64)
}

/// The value read as two's complement; a set i1 is -1.
pub fn signed(value: i64, ty: Type) -> i64 {
    if ty.is_i1() { -(value & 1) } else { value }
}

/// The value read as unsigned.
pub fn unsigned(value: i64, ty: Type) -> u64 {
    match width(ty) {
        64.. => value as u64,
        bits => value as u64 & ((1 << bits) - 1),
    }
}

/// A shift amount, taken modulo the width (widths are powers of two).
pub fn shift_amount(value: i64, ty: Type) -> u32 {
    (value as u64 & (width(ty) as u64 - 1)) as u32
}

/// The nearest integer towards zero that fits, as signed; NaN gives 0.
pub fn float_to_signed(value: f64, ty: Type) -> i64 {
    match width(ty) {
        64.. => value as i64,
        bits => (value as i64).clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    }
}

/// The nearest integer towards zero that fits, as unsigned; NaN and negative values give 0.
pub fn float_to_unsigned(value: f64, ty: Type) -> i64 {
    match width(ty) {
        64.. => value as u64 as i64,
        bits => (value as u64).min((1 << bits) - 1) as i64,
    }
}

/// An integer rounded once to the float type.
pub fn signed_to_float(value: i64, kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F32 => value as f32 as f64,
        // Whatever f64 cannot hold is infinite in f16.
        FloatKind::F16 | FloatKind::F64 => value as f64,
    }
}

pub fn unsigned_to_float(value: u64, kind: FloatKind) -> f64 {
    match kind {
        FloatKind::F32 => value as f32 as f64,
        FloatKind::F16 | FloatKind::F64 => value as f64,
    }
}

/// The bits of a float of this kind, sign-extended.
pub fn float_bits(value: f64, kind: FloatKind) -> i64 {
    match kind {
        FloatKind::F16 => real::bits_of(value, kind) as i16 as i64,
        FloatKind::F32 => real::bits_of(value, kind) as i32 as i64,
        FloatKind::F64 => value.to_bits() as i64,
    }
}

/// The float of this kind with the given bits.
pub fn float_from_bits(bits: i64, kind: FloatKind) -> f64 {
    real::of_bits(bits as u64, kind)
}

/// IEEE 754-2019 minimum: NaN if either is, and -0 is less than +0.
pub fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { min_number(a, b) }
}

/// IEEE 754-2019 maximum: NaN if either is, and -0 is less than +0.
pub fn maximum(a: f64, b: f64) -> f64 {
    -minimum(-a, -b)
}

/// IEEE 754-2019 minimumNumber: the other operand if one is NaN, and -0 is less than +0.
pub fn min_number(a: f64, b: f64) -> f64 {
    if b.is_nan() || a < b || (a == b && a.is_sign_negative()) { a } else { b }
}

/// IEEE 754-2019 maximumNumber: the other operand if one is NaN, and -0 is less than +0.
pub fn max_number(a: f64, b: f64) -> f64 {
    -min_number(-a, -b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_order_zeros_and_treat_nan_as_documented() {
        let neg = |v: f64| v.is_sign_negative();
        assert!(neg(minimum(0.0, -0.0)) && neg(minimum(-0.0, 0.0)) && neg(min_number(0.0, -0.0)));
        assert!(!neg(maximum(0.0, -0.0)) && !neg(maximum(-0.0, 0.0)) && !neg(max_number(-0.0, 0.0)));
        assert!(minimum(f64::NAN, 1.0).is_nan() && maximum(1.0, f64::NAN).is_nan());
        assert_eq!((min_number(f64::NAN, 1.0), max_number(1.0, f64::NAN)), (1.0, 1.0));
        assert!(min_number(f64::NAN, f64::NAN).is_nan());
        assert_eq!((min_number(1.0, 2.0), max_number(1.0, 2.0)), (1.0, 2.0));
    }

    #[test]
    fn conversions_saturate() {
        assert_eq!(float_to_signed(1e10, Type::i32()), i32::MAX as i64);
        assert_eq!(float_to_signed(-1e10, Type::int(8)), -128);
        assert_eq!(float_to_signed(f64::NAN, Type::i64()), 0);
        assert_eq!(float_to_signed(-3.0, Type::i1()), -1);
        assert_eq!(float_to_unsigned(-1.0, Type::i32()), 0);
        assert_eq!(float_to_unsigned(1e30, Type::i64()), -1);
        assert_eq!(float_to_unsigned(300.0, Type::int(8)), 255);
    }

    #[test]
    fn integers_round_once() {
        // Through f64 this would be rounded down first and then to even.
        let value = (1i64 << 60) + (1 << 36) + 1;
        assert_eq!(signed_to_float(value, FloatKind::F32), value as f32 as f64);
        assert_eq!(signed_to_float(70000, FloatKind::F64), 70000.0);
    }
}
