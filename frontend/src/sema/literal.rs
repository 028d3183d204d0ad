//! Literals: the type of a number follows from its value and suffix.

use super::types::Scalar;
use super::*;
use crate::mutants::{Site, mutant};
use ast::{ExprKind as E, UnOp};
use caustic_ir::codes;

/// `-` before a decimal literal that is one too large for a signed type: the smallest value of that
/// type.
#[mutant(Site::LiteralSmallest if matches!(literal, E::Int { value: 0x8000_0000_0000_0000, .. }) => None)]
pub(super) fn smallest(op: UnOp, literal: &E, span: Span) -> Option<Expr> {
    let (UnOp::Neg, E::Int { value, suffix, radix: 10 }) = (op, literal) else { return None };
    let s = match (suffix.as_str(), *value) {
        ("" | "l", 0x8000_0000) => Scalar::I32,
        ("" | "l" | "ll" | "z", 0x8000_0000_0000_0000) => Scalar::I64,
        _ => return None,
    };
    Some(Expr::int((*value as i64).wrapping_neg(), Ty::scalar(s), span))
}

const OCTAL_INSTEAD: &str = "leave out the zero, or write what is meant in hexadecimal";

impl Checker<'_> {
    pub(crate) fn int_literal(&mut self, value: u128, suffix: Name, radix: u32, span: Span) -> Expr {
        let suffix = suffix.as_str();
        match suffix.chars().next() {
            Some('\'') => {
                self.error(codes::E0210, span, "a character literal holds one character");
                return Expr::error(span);
            }
            // The parser has reported it.
            Some(c) if c.is_ascii_digit() => return Expr::error(span),
            _ => {}
        }
        let decimal = radix == 10;
        // The digits up to 7 mean the same in both.
        if radix == 8 && value > 7 && !self.cx.in_prelude {
            let text = format!("with a leading zero this number is octal: it is {value}");
            self.warn(codes::W0212, span, text).notes.push(OCTAL_INSTEAD.to_string());
        }
        let fits = |s: Scalar| match s {
            Scalar::I32 => value <= i32::MAX as u128,
            Scalar::U32 => value <= u32::MAX as u128,
            Scalar::I64 => value <= i64::MAX as u128,
            _ => value <= u64::MAX as u128,
        };
        // Without a suffix the value decides. Hexadecimal literals try the unsigned type of each
        // width too.
        let ladder: &[Scalar] = match suffix {
            "" | "l" if decimal => &[Scalar::I32, Scalar::I64, Scalar::U64],
            "" | "l" => &[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64],
            "u" | "ul" | "lu" => &[Scalar::U32, Scalar::U64],
            "ll" | "z" => &[Scalar::I64, Scalar::U64],
            "ull" | "llu" | "uz" | "zu" => &[Scalar::U64],
            _ => {
                let d = self.error(codes::E0210, span, format!("`{suffix}` is not a suffix of an integer literal"));
                d.notes.push(match suffix {
                    "f" | "h" | "lf" | "hf" if decimal => {
                        format!("a floating-point literal has a point: `{value}.0{suffix}`")
                    }
                    _ => "the suffixes are u, l, ul, ll, ull".to_string(),
                });
                return Expr::error(span);
            }
        };
        match ladder.iter().find(|s| fits(**s)) {
            Some(&Scalar::U64) if decimal && !suffix.contains('u') => {
                let text = "this number is too large for a type with a sign, and is a `uint64_t`";
                self.warn(codes::W0210, span, text).notes.push(format!("write `{value}ull` if it is meant"));
                Expr::int(value as u64 as i64, Ty::scalar(Scalar::U64), span)
            }
            Some(&s) => Expr::int(value as u64 as i64, Ty::scalar(s), span),
            None => {
                self.error(codes::E0210, span, "this integer does not fit into 64 bits");
                Expr::error(span)
            }
        }
    }

    pub(crate) fn float_literal(&mut self, value: ast::Real, suffix: Name, span: Span) -> Expr {
        let s = match suffix.as_str() {
            "" | "f" => Scalar::F32,
            "h" | "hf" => Scalar::F16,
            "l" | "lf" | "fl" => Scalar::F64,
            other => {
                self.error(codes::E0210, span, format!("`{other}` is not a suffix of a floating-point literal"))
                    .notes
                    .push("the suffixes are f, h, lf".to_string());
                return Expr::error(span);
            }
        };
        let rounded = match s {
            Scalar::F16 => value.half,
            Scalar::F32 => value.float,
            _ => value.double,
        };
        if rounded.is_infinite() && !value.is_infinite || rounded == 0.0 && !value.is_zero {
            let (ty, becomes) = (s.name(), if rounded == 0.0 { "zero" } else { "infinity" });
            let d = self.warn(codes::W0210, span, format!("this number does not fit in `{ty}` and becomes {becomes}"));
            if s != Scalar::F64 {
                d.notes.push("a literal with the suffix `lf` is a `double`".to_string());
            }
        }
        Expr { ty: Ty::scalar(s), span, kind: ExprKind::Const(Const::Float(rounded)) }
    }
}
