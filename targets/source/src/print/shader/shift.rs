//! Shifts, and what is counted of bits, where a smaller integer is in 32 bits.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer};
use crate::ops::{Row, prec};
use crate::tree::{Expr, Kind, Literal};
use crate::types::Ty;
use caustic_dialects::math;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

/// An amount whose parts are below the width, if they are literals: compilers take no others.
fn with_literals_below(amount: &Expr, bits: i64) -> Expr {
    let mut amount = amount.clone();
    if let Kind::Make(parts) = &mut amount.kind {
        for part in parts {
            if let Kind::Literal(Literal::Int(n)) = &mut part.kind {
                *n &= bits - 1;
            }
        }
    }
    amount
}

impl Printer<'_> {
    pub(super) fn shader_shift(
        &mut self,
        f: &Frame<'_>,
        sign: &'static str,
        (a, b): (&Expr, &Expr),
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let unsigned = b.ty.with_scalar(Scalar::U32);
        let bits = ty.scalar().map_or(32, |s| 8 * s.size() as i64);
        let b = &with_literals_below(b, bits);
        let (left, right) = (self.bound(f, a)?, self.bound(f, b)?);
        // The language counts modulo 32.
        let literal = match b.literal() {
            Some(Literal::Int(n)) => Some(Self::amount(n & (bits - 1))),
            _ => None,
        };
        if !self.is_native(ty) {
            return self.shift_of_parts(sign, (left, a), (literal.as_ref().unwrap_or(&right), b), ty);
        }
        let word = self.shader_ty(&unsigned, false)?;
        if let Some(literal) = literal {
            return Ok(self.shifted(sign, (left, literal), if ty.is_vector() { &word } else { "" }));
        }
        if bits < 32 {
            let (own, mask) = (self.shader_ty(&b.ty, false)?, bits - 1);
            let amount = if own == word { right.within(prec::BIT_AND + 1) } else { format!("{word}({})", right.0) };
            let mask = if ty.is_vector() { format!("{word}({mask}u)") } else { format!("{mask}u") };
            return Ok(self.shifted(sign, (left, Bound(format!("({amount}) & {mask}"), prec::BIT_AND)), ""));
        }
        Ok(self.shifted(sign, (left, right), if b.ty == unsigned { "" } else { &word }))
    }

    /// A shift of each part of what is no vector of the language; the amount is one of each part's,
    /// or a literal for all.
    fn shift_of_parts(
        &mut self,
        sign: &'static str,
        (left, a): (Bound, &Expr),
        (right, b): (&Bound, &Expr),
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let literal = b.literal().is_some();
        let amount = if literal { Ty::Scalar(Scalar::U32) } else { b.ty.clone() };
        let by = if amount.is_unsigned() { "" } else { self.word(Scalar::U32) };
        let bits = ty.scalar().map_or(32, |s| 8 * s.size());
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
            let right = match bits < 32 && !literal {
                true => Bound(format!("{by}({}) & {}u", texts[1], bits - 1), prec::BIT_AND),
                false if by.is_empty() => atom(texts[1].clone()),
                false => atom(format!("{by}({})", texts[1])),
            };
            Ok(p.shifted(sign, (atom(texts[0].clone()), right), ""))
        };
        let small = if bits < 32 { bits.to_string() } else { String::new() };
        let name = format!("{}{small}", if sign == "<<" { "shift_left" } else { "shift_right" });
        self.lifted_call(&name, &[(left.0, a.ty.clone()), (right.0.clone(), amount)], ty, &mut one)
    }

    /// A shift by any amount, which counts modulo the width in the language as it does here.
    pub(super) fn shifted(&self, sign: &str, (a, b): (Bound, Bound), by: &str) -> Bound {
        let unary = prec::UNARY;
        let amount = if by.is_empty() { b.within(unary) } else { format!("{by}({})", b.0) };
        Bound(format!("{} {sign} {amount}", a.within(unary)), prec::SHIFT)
    }

    /// An amount of a shift that is a literal.
    pub(super) fn amount(value: i64) -> Bound {
        atom(format!("{}u", value & 31))
    }

    /// What is counted in the 32 bits that a smaller integer is in.
    pub(super) fn counted_bits(&mut self, row: &Row, text: Bound, args: &[Expr], ty: &Ty) -> Result<Bound, Diagnostic> {
        let Some(bits) = args.first().and_then(|a| a.ty.scalar()).map(|s| 8 * s.size()) else { return Ok(text) };
        let (leading, trailing) =
            (row.op.name == math::CountLeadingZeros::NAME, row.op.name == math::CountTrailingZeros::NAME);
        if !self.is_cut(ty) || !(leading || trailing) {
            return Ok(text);
        }
        let counted = move |text: &str, ty: &Ty| {
            let count = |n: usize| match ty {
                Ty::Vector { shape, .. } => format!("vec{}u({n}u)", shape.first().copied().unwrap_or(0)),
                _ => format!("{n}u"),
            };
            match leading {
                true => Bound(format!("{text} - {}", count(32 - bits)), prec::ADD),
                false => atom(format!("min({text}, {})", count(bits))),
            }
        };
        if self.is_native(ty) {
            return Ok(counted(&text.0, ty));
        }
        let mut one = |_: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| Ok(counted(&texts[0], ty));
        let name = format!("{}_of_{bits}", if leading { "leading" } else { "trailing" });
        self.lifted_call(&name, &[(text.0, ty.clone())], ty, &mut one)
    }
}
