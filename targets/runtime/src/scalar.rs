//! The scalar kinds that a resource's contents are made of: how they are named, parsed from decimal text and printed.
//!
//! These are kinds of *data*, so unlike IR types they know their signedness: an unsigned word prints differently from a
//! signed one. Contents are raw little-endian bits; nothing here knows which resource they belong to.

use std::fmt;

/// A scalar of a buffer's or a uniform's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One byte, 0 or 1. Never written on a command line: it is read and printed as a `u32` word.
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Scalar {
    /// The kinds that a command line can name.
    pub const NAMED: [Scalar; 11] = [
        Scalar::F16,
        Scalar::F32,
        Scalar::F64,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The kind with that name; `bool` included.
    pub fn from_name(name: &str) -> Option<Scalar> {
        if name == "bool" {
            return Some(Scalar::Bool);
        }
        Scalar::NAMED.into_iter().find(|s| s.name() == name)
    }

    /// Bytes of one scalar; also its alignment.
    pub fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Parses one decimal value and appends its bits, little-endian. Integers are taken modulo 2^bits; floats are
    /// rounded to nearest.
    pub fn parse_into(self, text: &str, out: &mut Vec<u8>) -> Result<(), String> {
        let wrong = || format!("`{text}` is not a decimal {}", if self.is_float() { "number" } else { "integer" });
        let bits = match self {
            Scalar::F16 => half::f16::from_f64(parse_float(text).ok_or_else(wrong)?).to_bits() as u64,
            // Parsed at its own precision: going through f64 would round twice.
            Scalar::F32 => match text.parse::<f32>() {
                Ok(value) if parse_float(text).is_some() => value.to_bits() as u64,
                _ => return Err(wrong()),
            },
            Scalar::F64 => parse_float(text).ok_or_else(wrong)?.to_bits(),
            _ => parse_wrapping(text).ok_or_else(wrong)?,
        };
        let bits = if self == Scalar::Bool { (bits != 0) as u64 } else { bits };
        out.extend_from_slice(&bits.to_le_bytes()[..self.size()]);
        Ok(())
    }

    /// The value in `bytes` (exactly [`Scalar::size`] of them) as text that JSON consumers read: an integer in decimal,
    /// a float with a point or an exponent that reads back as the same value, or `NaN`, `Infinity`, `-Infinity`.
    pub fn write(self, bytes: &[u8], out: &mut String) {
        let mut word = [0u8; 8];
        let count = bytes.len().min(self.size());
        word[..count].copy_from_slice(&bytes[..count]);
        let bits = u64::from_le_bytes(word);
        let text = match self {
            Scalar::F16 => float_text(f32::from(half::f16::from_bits(bits as u16))),
            Scalar::F32 => float_text(f32::from_bits(bits as u32)),
            Scalar::F64 => float_text(f64::from_bits(bits)),
            _ if self.is_signed() => {
                let unused = 64 - 8 * self.size() as u32;
                ((bits as i64) << unused >> unused).to_string()
            }
            _ => bits.to_string(),
        };
        out.push_str(&text);
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
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

/// A decimal float, `nan`, `inf` or `-inf`. Rust's parser takes more spellings of the last three, which the command line
/// does not promise.
fn parse_float(text: &str) -> Option<f64> {
    let magnitude = text.strip_prefix(['-', '+']).unwrap_or(text);
    let first = magnitude.bytes().next()?;
    if !(first.is_ascii_digit() || first == b'.' || matches!(magnitude, "nan" | "inf")) {
        return None;
    }
    text.parse().ok()
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
        kind.parse_into(text, &mut out).ok().map(|()| out)
    }

    fn print(kind: Scalar, bytes: &[u8]) -> String {
        let mut out = String::new();
        kind.write(bytes, &mut out);
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
        /// Whatever is printed reads back as the same bits; float text is never mistaken for an integer.
        #[test]
        fn printing_and_parsing_agree(bits: u64, which in 0..Scalar::NAMED.len()) {
            let kind = Scalar::NAMED[which];
            let bytes = &bits.to_le_bytes()[..kind.size()];
            let text = print(kind, bytes);
            if text.contains("NaN") || text.contains("Infinity") {
                return Ok(());
            }
            prop_assert_eq!(parse(kind, &text).as_deref(), Some(bytes));
            prop_assert_eq!(kind.is_float(), text.contains(['.', 'e']));
        }
    }
}
