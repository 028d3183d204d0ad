//! Converts values to 32-bit words and back: the representation of values of interface types in
//! memory.
//!
//! Everything here makes plain expressions of the tree. Scalars that are smaller or larger than a
//! word are assembled by shifts.

use super::types::{Scalar, TyKind};
use super::*;
use ast::BinOp;

/// A scalar of a value, and its offset in bytes.
pub(super) struct Piece {
    pub at: u64,
    pub value: Expr,
}

/// How the parts of a value are laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// C's layout, as for elements of buffers.
    InMemory,
    /// As `sizeof` counts, without padding at the end of a part: the layout within a value of an
    /// interface.
    Natural,
}

fn cast(e: Expr, to: Scalar) -> Expr {
    let span = e.span;
    match e.ty.as_scalar() {
        Some(s) if s == to => e,
        _ => Expr { ty: Ty::scalar(to), span, kind: ExprKind::Convert(e.into()) },
    }
}

fn bits(e: Expr, to: Scalar) -> Expr {
    let span = e.span;
    match e.ty.as_scalar() {
        Some(s) if s == to => e,
        Some(s) if s.is_int() && to.is_int() => cast(e, to),
        _ => Expr { ty: Ty::scalar(to), span, kind: ExprKind::Bitcast(e.into()) },
    }
}

fn binary(op: BinOp, lhs: Expr, rhs: Expr) -> Expr {
    let (ty, span) = (lhs.ty, lhs.span);
    Expr { ty, span, kind: ExprKind::Binary { op, lhs: lhs.into(), rhs: rhs.into() } }
}

fn shifted(op: BinOp, e: Expr, by: u64) -> Expr {
    if by == 0 {
        return e;
    }
    let count = Expr::int(by as i64, e.ty, e.span);
    binary(op, e, count)
}

fn unsigned_of(bytes: u64) -> Scalar {
    match bytes {
        1 => Scalar::U8,
        2 => Scalar::U16,
        4 => Scalar::U32,
        _ => Scalar::U64,
    }
}

impl Checker<'_> {
    /// The types of the parts of plain data; `None` for types that are no plain data or have no
    /// parts.
    pub(crate) fn part_types(&mut self, ty: Ty) -> Option<Vec<Ty>> {
        Some(match ty.kind() {
            TyKind::Vector(s, n) => vec![Ty::scalar(*s); *n as usize],
            TyKind::Matrix(s, r, c) => vec![Ty::vector(*s, *c); *r as usize],
            TyKind::Array(t, Some(n)) => vec![*t; *n as usize],
            // Only `specialize` knows its layout.
            TyKind::Struct(id) if self.differential_of_interface(*id).is_some() => return None,
            TyKind::Struct(id) => self.fields(*id).iter().map(|f| f.ty).collect(),
            TyKind::Pair(t) => vec![*t, self.differential(*t)?],
            _ => return None,
        })
    }

    /// The types of the parts with their offsets.
    pub(crate) fn parts_of(&mut self, ty: Ty, packing: Packing) -> Option<Vec<(Ty, u64)>> {
        let types = self.part_types(ty)?;
        let mut at = 0u64;
        let mut out = Vec::with_capacity(types.len());
        for t in types {
            let (size, align) = match packing {
                Packing::InMemory => self.size_and_align(t),
                Packing::Natural => self.natural_size(t),
            };
            at = at.next_multiple_of(align.max(1));
            out.push((t, at));
            at += size;
        }
        Some(out)
    }

    /// The scalars of a value; `None` if it has parts that are no plain data. Statements that this
    /// needs are appended to `body`.
    pub(super) fn pieces(
        &mut self,
        value: Expr,
        at: u64,
        packing: Packing,
        body: &mut Body,
        out: &mut Vec<Piece>,
    ) -> Option<()> {
        let value = self.enum_to_int(value);
        if value.ty.as_scalar().is_some() {
            out.push(Piece { at, value });
            return Some(());
        }
        if let TyKind::Interface(i) = value.ty.kind() {
            self.interface_pieces(*i, value, at, body, out);
            return Some(());
        }
        for (k, (ty, offset)) in self.parts_of(value.ty, packing)?.into_iter().enumerate() {
            let (base, span) = (Box::new(value.clone()), value.span);
            let kind = match value.ty.kind() {
                TyKind::Struct(_) => ExprKind::Field { base, index: k as u32 },
                TyKind::Pair(_) => ExprKind::PairPart { base, differential: k == 1 },
                _ => ExprKind::Index { base, index: Expr::int(k as i64, Ty::int(), span).into() },
            };
            self.pieces(Expr { ty, span, kind }, at + offset, packing, body, out)?;
        }
        Some(())
    }

    /// The words that consist of these scalars.
    pub(super) fn words(&mut self, pieces: &[Piece], count: u64, span: Span) -> Vec<Expr> {
        let mut out: Vec<Option<Expr>> = vec![None; count as usize];
        let mut put = |word: u64, e: Expr| {
            let Some(slot) = out.get_mut(word as usize) else { return };
            *slot = Some(match slot.take() {
                Some(old) => binary(BinOp::Or, old, e),
                None => e,
            });
        };
        for p in pieces {
            let Some(s) = p.value.ty.as_scalar() else { continue };
            let (value, word) = (p.value.clone(), p.at / 4);
            if s.bits() == 64 {
                let whole = bits(value, Scalar::U64);
                put(word, cast(whole.clone(), Scalar::U32));
                put(word + 1, cast(shifted(BinOp::Shr, whole, 32), Scalar::U32));
                continue;
            }
            let small = match s {
                Scalar::Bool => cast(value, Scalar::U32),
                s => cast(bits(value, unsigned_of(s.bits() as u64 / 8)), Scalar::U32),
            };
            put(word, shifted(BinOp::Shl, small, p.at % 4 * 8));
        }
        out.into_iter().map(|w| w.unwrap_or_else(|| Expr::int(0, Ty::uint(), span))).collect()
    }

    /// The value of type `ty` at offset `at` in the words. Words beyond their end are zero.
    pub(super) fn value_from_words(
        &mut self,
        words: &[Expr],
        at: u64,
        ty: Ty,
        packing: Packing,
        span: Span,
    ) -> Option<Expr> {
        if let TyKind::Enum(id) = ty.kind() {
            let base = self.enum_base(*id);
            let bits = self.value_from_words(words, at, base, packing, span)?;
            return Some(Expr { ty, span, kind: ExprKind::Retype(bits.into()) });
        }
        if let Some(s) = ty.as_scalar() {
            let word = |k: u64| words.get(k as usize).cloned().unwrap_or_else(|| Expr::int(0, Ty::uint(), span));
            let k = at / 4;
            if s.bits() == 64 {
                let (low, high) = (cast(word(k), Scalar::U64), cast(word(k + 1), Scalar::U64));
                return Some(bits(binary(BinOp::Or, low, shifted(BinOp::Shl, high, 32)), s));
            }
            let part = shifted(BinOp::Shr, word(k), at % 4 * 8);
            if s == Scalar::Bool {
                let byte = binary(BinOp::And, part, Expr::int(0xff, Ty::uint(), span));
                return Some(cast(byte, Scalar::Bool));
            }
            return Some(bits(cast(part, unsigned_of(s.bits() as u64 / 8)), s));
        }
        if let TyKind::Interface(i) = ty.kind() {
            return Some(self.interface_from_words(*i, words, at, span));
        }
        let mut parts = Vec::new();
        for (t, offset) in self.parts_of(ty, packing)? {
            parts.push(self.value_from_words(words, at + offset, t, packing, span)?);
        }
        Some(Expr { ty, span, kind: ExprKind::Construct(parts) })
    }
}
