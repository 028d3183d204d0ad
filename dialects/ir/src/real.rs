//! Numbers as text to values of a type of floats: rounded once, from the digits, to nearest with
//! ties to even.
//!
//! Reading a number as `f64` and rounding that again is wrong for what lies next to the middle of
//! two values of the narrower type.

use crate::attr::round_to;
use crate::types::FloatKind;
use std::cmp::Ordering;

/// What a decimal number is worth, as Rust writes them: a sign, digits with or without a point, an
/// exponent; also `inf` and `nan`.
pub fn from_decimal(text: &str, kind: FloatKind) -> Option<f64> {
    match kind {
        FloatKind::F64 => text.parse().ok(),
        FloatKind::F32 => text.parse::<f32>().ok().map(f64::from),
        FloatKind::F16 => {
            let near: f64 = text.parse().ok()?;
            let magnitude = near.abs();
            // Only what is read as the middle of two values may be on one side of it.
            let Some((below, middle, above)) = halves_around(magnitude).filter(|h| h.1 == magnitude) else {
                return Some(round_to(near, kind));
            };
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            let rounded = match digits_of(digits)?.cmp(&digits_of(&format!("{middle:.30}"))?) {
                Ordering::Less => below,
                Ordering::Equal => round_to(magnitude, kind),
                Ordering::Greater => round_to(above, kind),
            };
            Some(rounded.copysign(near))
        }
    }
}

/// The values of type `half` next to a magnitude, and their middle. What is behind the largest one
/// rounds to infinity.
fn halves_around(magnitude: f64) -> Option<(f64, f64, f64)> {
    const BEHIND_THE_LAST: f64 = 65536.0;
    if magnitude >= BEHIND_THE_LAST || magnitude.is_nan() {
        return None;
    }
    let near = round_to(magnitude, FloatKind::F16);
    let mut bits = half::f16::from_f64(near).to_bits();
    if near > magnitude {
        bits -= 1;
    }
    let (below, above) = (half::f16::from_bits(bits).to_f64(), half::f16::from_bits(bits + 1).to_f64());
    let above = if above.is_finite() { above } else { BEHIND_THE_LAST };
    Some((below, (below + above) / 2.0, above))
}

/// A number that is not zero as a power of ten, and the digits of a fraction that does not begin or
/// end with zero. Numbers compare as these do.
fn digits_of(text: &str) -> Option<(i64, Vec<u8>)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut power = exponent.parse::<i64>().ok()?.checked_add(whole.len() as i64)?;
    let mut digits: Vec<u8> = whole.bytes().chain(part.bytes()).collect();
    let zeros = digits.iter().take_while(|d| **d == b'0').count();
    digits.drain(..zeros);
    power = power.checked_sub(zeros as i64)?;
    digits.truncate(digits.iter().rposition(|d| *d != b'0').map_or(0, |last| last + 1));
    Some((power, digits))
}

/// Bits of the mantissa, and of the exponent's place, of a kind that is narrower than f64.
fn fields(kind: FloatKind) -> Option<(u32, u64)> {
    match kind {
        FloatKind::F16 => Some((10, 0x7c00)),
        FloatKind::F32 => Some((23, 0x7f80_0000)),
        FloatKind::F64 => None,
    }
}

/// The value of a float of this kind with the given bits. A NaN keeps its sign and payload, and
/// stays a signalling one: that is what copies of it do on every machine, while conversions by
/// hardware make it quiet.
pub fn of_bits(bits: u64, kind: FloatKind) -> f64 {
    let value = match kind {
        FloatKind::F16 => half::f16::from_bits(bits as u16).to_f64(),
        FloatKind::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatKind::F64 => return f64::from_bits(bits),
    };
    let Some((mantissa, exponent)) = fields(kind).filter(|_| value.is_nan()) else { return value };
    let sign = bits & ((exponent << 1) & !exponent);
    let payload = (bits & ((1 << mantissa) - 1)) << (52 - mantissa);
    f64::from_bits(u64::from(sign != 0) << 63 | 0x7ff << 52 | payload)
}

/// The bits of a value that is rounded to a float of this kind, the other way of [`of_bits`]. A NaN
/// whose payload does not fit is a quiet one.
pub fn bits_of(value: f64, kind: FloatKind) -> u64 {
    let Some((mantissa, exponent)) = fields(kind) else { return value.to_bits() };
    if value.is_nan() {
        let payload = (value.to_bits() >> (52 - mantissa)) & ((1 << mantissa) - 1);
        let sign = if value.is_sign_negative() { (exponent << 1) & !exponent } else { 0 };
        let quiet = if payload == 0 { 1 << (mantissa - 1) } else { 0 };
        return sign | exponent | payload | quiet;
    }
    let rounded = round_to(value, kind);
    match kind {
        FloatKind::F16 => u64::from(half::f16::from_f32(rounded as f32).to_bits()),
        _ => u64::from((rounded as f32).to_bits()),
    }
}

/// What `mantissa`, hexadecimal digits with or without a point, times two to the `power` is worth.
pub fn from_hexadecimal(mantissa: &str, power: i64, kind: FloatKind) -> f64 {
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // The first 61 to 64 bits; the last one is set if any bit behind them is.
    let (mut bits, mut exponent) = (0u64, power);
    for (at, d) in whole.chars().chain(part.chars()).enumerate() {
        let digit = u64::from(d.to_digit(16).unwrap_or(0));
        let is_part = at >= whole.len();
        if bits >> 60 == 0 {
            bits = bits << 4 | digit;
            exponent -= if is_part { 4 } else { 0 };
        } else {
            bits |= u64::from(digit != 0);
            exponent += if is_part { 0 } else { 4 };
        }
    }
    if bits == 0 {
        return 0.0;
    }
    let (precision, least, most): (i64, i64, i64) = match kind {
        FloatKind::F16 => (11, -14, 15),
        FloatKind::F32 => (24, -126, 127),
        FloatKind::F64 => (53, -1022, 1023),
    };
    let width = 64 - i64::from(bits.leading_zeros());
    let first = exponent + width - 1;
    if first > most {
        return f64::INFINITY;
    }
    // The power of two that the last bit of the result stands for.
    let unit = first.max(least) - (precision - 1);
    let drop = unit - exponent;
    let count = match drop {
        ..=0 => bits << -drop,
        1..=64 => {
            let (bits, drop) = (u128::from(bits), drop as u32);
            let (kept, rest, half) = (bits >> drop, bits & ((1 << drop) - 1), 1u128 << (drop - 1));
            (kept + u128::from(rest > half || rest == half && kept & 1 == 1)) as u64
        }
        _ => 0,
    };
    // Both factors and the product are values of the type, or the product is too large for it.
    let value = count as f64 * power_of_two(unit);
    round_to(value, kind)
}

/// Two to a power from -1074 to 1023.
fn power_of_two(power: i64) -> f64 {
    match power {
        -1022.. => f64::from_bits(((power + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (power + 1074)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_next_to_the_middle_of_two_values_go_to_their_side() {
        let half = |text: &str| from_decimal(text, FloatKind::F16);
        // The middle of 1 and the next half is 1.00048828125; of the next two 1.00146484375.
        assert_eq!(half("1.00048828125"), Some(1.0));
        assert_eq!(half("1.00048828125000000000000001"), Some(1.0009765625));
        assert_eq!(half("1.00048828124999999999999999"), Some(1.0));
        assert_eq!(half("-1.00146484374999999999999999"), Some(-1.0009765625));
        assert_eq!(half("100146484375000000000000001e-26"), Some(1.001953125));
        // Half of the smallest half, and the middle of the largest one and infinity.
        assert_eq!(half("2.98023223876953125e-8"), Some(0.0));
        assert_eq!(half("0.0000000298023223876953125000000000001"), Some(5.960464477539063e-8));
        assert_eq!(half("65519.99999999999999999"), Some(65504.0));
        assert_eq!(half("65520"), Some(f64::INFINITY));
        assert_eq!(half("1e400"), Some(f64::INFINITY));
        assert_eq!(half("1e-400"), Some(0.0));
        let float = |text: &str| from_decimal(text, FloatKind::F32);
        assert_eq!(float("16777217.0000000000000001"), Some(16777218.0));
        assert_eq!(float("16777218.99999999999999999"), Some(16777218.0));
    }

    #[test]
    fn every_half_and_every_middle_of_two_is_read_from_its_digits() {
        for bits in 0..0x7bffu16 {
            let (below, above) = (half::f16::from_bits(bits), half::f16::from_bits(bits + 1));
            let middle = (below.to_f64() + above.to_f64()) / 2.0;
            let even = if bits & 1 == 0 { below } else { above };
            let text = format!("{middle:.30}");
            assert_eq!(from_decimal(&format!("{:.30}", below.to_f64()), FloatKind::F16), Some(below.to_f64()));
            assert_eq!(from_decimal(&text, FloatKind::F16), Some(even.to_f64()), "{text}");
            assert_eq!(from_decimal(&format!("{text}1"), FloatKind::F16), Some(above.to_f64()), "{text}1");
        }
    }

    #[test]
    fn hexadecimal_digits_are_exact() {
        assert_eq!(from_hexadecimal("1.8", 1, FloatKind::F32), 3.0);
        assert_eq!(from_hexadecimal("1.000001", 0, FloatKind::F32), 1.0);
        assert_eq!(
            from_hexadecimal("1.00000100000000000000000000000001", 0, FloatKind::F32),
            1.0 + f64::from(f32::EPSILON)
        );
        assert_eq!(from_hexadecimal("10000", -1090, FloatKind::F64), f64::from_bits(1));
        assert_eq!(from_hexadecimal("0.00000000000000000000000000000001", 1151, FloatKind::F64), 2f64.powi(1023));
        assert_eq!(from_hexadecimal("1", -1075, FloatKind::F64), 0.0);
        assert_eq!(from_hexadecimal("1.8", -1075, FloatKind::F64), f64::from_bits(1));
        assert_eq!(from_hexadecimal("1.fffffffffffff8", 1023, FloatKind::F64), f64::INFINITY);
        assert_eq!(from_hexadecimal("1.ffffff", 127, FloatKind::F32), f64::INFINITY);
        assert_eq!(from_hexadecimal("1.fffffe", 127, FloatKind::F32), f64::from(f32::MAX));
        assert_eq!(from_hexadecimal("1", i64::from(i32::MIN), FloatKind::F16), 0.0);
        assert_eq!(from_hexadecimal("1", -24, FloatKind::F16), 5.960464477539063e-8);
        assert_eq!(from_hexadecimal("0.0", 5, FloatKind::F16), 0.0);
    }
}
