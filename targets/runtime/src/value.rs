//! Scalars of a resource's contents: parsed from decimal text, printed as JSON consumers read them.
//!
//! Contents are raw little-endian bits; nothing here knows which resource they belong to.

use caustic_dialects::reflect::Scalar;
use caustic_ir::{FloatKind, real};
use std::fmt;

/// Parses one decimal value of kind `scalar` and appends its bits. Integers are taken modulo
/// 2^bits; floats are rounded to nearest. The error says what is wrong with the text.
pub fn parse_scalar(scalar: Scalar, text: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let wrong = || format!("`{text}` is not a decimal {}", if scalar.is_float() { "number" } else { "integer" });
    let bits = match scalar {
        Scalar::F16 => half::f16::from_f64(parse_float(text, FloatKind::F16).ok_or_else(wrong)?).to_bits() as u64,
        Scalar::F32 => (parse_float(text, FloatKind::F32).ok_or_else(wrong)? as f32).to_bits() as u64,
        Scalar::F64 => parse_float(text, FloatKind::F64).ok_or_else(wrong)?.to_bits(),
        Scalar::Bool => (parse_wrapping(text).ok_or_else(wrong)? != 0) as u64,
        _ => parse_wrapping(text).ok_or_else(wrong)?,
    };
    out.extend_from_slice(&bits.to_le_bytes()[..scalar.size()]);
    Ok(())
}

/// Appends the value in `bytes` as text: an integer in decimal, a float with a point or an exponent
/// that reads back as the same value, or `NaN`, `Infinity`, `-Infinity`. Bytes that are missing are
/// zero.
pub fn print_scalar(scalar: Scalar, bytes: &[u8], out: &mut String) {
    let mut word = [0u8; 8];
    let count = bytes.len().min(scalar.size());
    word[..count].copy_from_slice(&bytes[..count]);
    let bits = u64::from_le_bytes(word);
    let text = match scalar {
        // Few enough digits to say exactly what the half is, for readers that compare in another
        // precision.
        Scalar::F16 => float_text(half::f16::from_bits(bits as u16).to_f64()),
        Scalar::F32 => float_text(f32::from_bits(bits as u32)),
        Scalar::F64 => float_text(f64::from_bits(bits)),
        _ if scalar.is_signed() => {
            let unused = 64 - 8 * scalar.size() as u32;
            ((bits as i64) << unused >> unused).to_string()
        }
        _ => bits.to_string(),
    };
    out.push_str(&text);
}

/// Decimal digits with an optional sign, modulo 2^64, of any length.
fn parse_wrapping(text: &str) -> Option<u64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0u64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value.wrapping_mul(10).wrapping_add((digit - b'0') as u64);
    }
    Some(if negative { value.wrapping_neg() } else { value })
}

/// A decimal float, `nan`, `inf` or `-inf`. Rust's parser takes more spellings of the last three,
/// which the command line does not promise.
fn parse_float(text: &str, kind: FloatKind) -> Option<f64> {
    let magnitude = text.strip_prefix(['-', '+']).unwrap_or(text);
    let first = magnitude.bytes().next()?;
    if !(first.is_ascii_digit() || first == b'.' || matches!(magnitude, "nan" | "inf")) {
        return None;
    }
    real::from_decimal(text, kind)
}

/// The shortest decimal that reads back as `value`, always recognisable as a float.
fn float_text<F: Into<f64> + Copy + fmt::Display + fmt::LowerExp>(value: F) -> String {
    let wide: f64 = value.into();
    if wide.is_nan() {
        return "NaN".into();
    }
    if wide.is_infinite() {
        return if wide > 0.0 { "Infinity".into() } else { "-Infinity".into() };
    }
    let magnitude = wide.abs();
    if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        return format!("{value:e}");
    }
    let text = format!("{value}");
    if text.contains('.') { text } else { text + ".0" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(kind: Scalar, text: &str) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        parse_scalar(kind, text, &mut out).ok().map(|()| out)
    }

    fn print(kind: Scalar, bytes: &[u8]) -> String {
        let mut out = String::new();
        print_scalar(kind, bytes, &mut out);
        out
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(parse(Scalar::U8, "256"), Some(vec![0]));
        assert_eq!(parse(Scalar::U8, "-1"), Some(vec![255]));
        assert_eq!(parse(Scalar::I16, "65535"), Some(vec![255, 255]));
        assert_eq!(parse(Scalar::U64, "18446744073709551617"), Some(vec![1, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!(print(Scalar::I16, &[255, 255]), "-1");
        assert_eq!(print(Scalar::U16, &[255, 255]), "65535");
        assert_eq!(print(Scalar::I64, &[255; 8]), "-1");
        assert_eq!(print(Scalar::U64, &[255; 8]), "18446744073709551615");
    }

    #[test]
    fn malformed_values_are_refused() {
        for text in ["", "-", "1.5", "0x10", "1e3", "one", "+-1", "1 "] {
            assert_eq!(parse(Scalar::I32, text), None, "{text}");
        }
        for text in ["", "-", "x", "infinity", "NaN", "1,5", "--1", "e5", "."] {
            assert_eq!(parse(Scalar::F32, text), None, "{text}");
            assert_eq!(parse(Scalar::F16, text), None, "{text}");
            assert_eq!(parse(Scalar::F64, text), None, "{text}");
        }
    }

    #[test]
    fn floats_print_as_floats() {
        let f32s = |v: f32| print(Scalar::F32, &v.to_le_bytes());
        assert_eq!(f32s(1.0), "1.0");
        assert_eq!(f32s(-0.0), "-0.0");
        assert_eq!(f32s(0.1), "0.1");
        assert_eq!(f32s(1e20), "1e20");
        assert_eq!(f32s(1.5e-7), "1.5e-7");
        assert_eq!(f32s(f32::NAN), "NaN");
        assert_eq!(f32s(f32::INFINITY), "Infinity");
        assert_eq!(f32s(f32::NEG_INFINITY), "-Infinity");
        assert_eq!(print(Scalar::F16, &half::f16::from_f32(0.5).to_bits().to_le_bytes()), "0.5");
        assert_eq!(print(Scalar::F64, &f64::MAX.to_le_bytes()), "1.7976931348623157e308");
    }

    #[test]
    fn special_floats_parse() {
        assert_eq!(parse(Scalar::F32, "inf"), Some(f32::INFINITY.to_le_bytes().to_vec()));
        assert_eq!(parse(Scalar::F64, "-inf"), Some(f64::NEG_INFINITY.to_le_bytes().to_vec()));
        assert_eq!(parse(Scalar::F16, "nan").map(|b| b[1] & 0x7c), Some(0x7c));
        assert_eq!(parse(Scalar::F32, "1e999"), Some(f32::INFINITY.to_le_bytes().to_vec()));
        assert_eq!(parse(Scalar::F32, ".5"), parse(Scalar::F32, "5e-1"));
    }

    proptest! {
        /// Whatever is printed reads back as the same bits; float text is never mistaken for an
        /// integer.
        #[test]
        fn printing_and_parsing_agree(bits: u64, which in 1..Scalar::ALL.len()) {
            let kind = Scalar::ALL[which];
            let bytes = &bits.to_le_bytes()[..kind.size()];
            let text = print(kind, bytes);
            if text.contains("NaN") || text.contains("Infinity") {
                return Ok(());
            }
            prop_assert_eq!(parse(kind, &text), Some(bytes.to_vec()));
            prop_assert_eq!(kind.is_float(), text.contains(['.', 'e']));
        }
    }
}
