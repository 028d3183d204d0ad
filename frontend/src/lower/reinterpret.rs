//! The bytes of a value as another type: `bit_cast` and `reinterpret`. A scalar that stays where it is and what it is passes
//! through (with its derivative); others are put together from the bits that they overlap.

use super::func::FuncLower;
use super::types::scalar_type;
use crate::sema::types::{Scalar, Ty, TyKind};
use caustic_dialects::arith::{self, IntPredicate, build};
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::{ad, agg};
use caustic_ir::{Type, ValueId};

/// A scalar of a value, and where it lies in memory.
struct Piece {
    at: u64,
    scalar: Scalar,
    value: ValueId,
}

fn bytes(s: Scalar) -> u64 {
    (s.bits() as u64).div_ceil(8)
}

fn bits(s: Scalar) -> u32 {
    bytes(s) as u32 * 8
}

impl FuncLower<'_, '_, '_> {
    pub(crate) fn reinterpret(&mut self, value: ValueId, from: Ty, to: Ty) -> ValueId {
        let mut pieces = Vec::new();
        self.take_apart(value, from, 0, &mut pieces);
        self.assembled(to, 0, &pieces)
    }

    /// The types and places of the parts that a type is made of.
    fn layout(&mut self, ty: Ty) -> Vec<(Ty, u64)> {
        let parts: Vec<Ty> = match ty.kind() {
            TyKind::Vector(s, n) => vec![Ty::scalar(*s); *n as usize],
            TyKind::Matrix(s, r, c) => vec![Ty::vector(*s, *c); *r as usize],
            TyKind::Array(t, n) => vec![*t; n.unwrap_or(0) as usize],
            TyKind::Struct(id) => self.lw.checker.fields(*id).iter().map(|f| f.ty).collect(),
            TyKind::Pair(t) => vec![*t, self.lw.checker.differential(*t).unwrap_or(*t)],
            _ => Vec::new(),
        };
        let mut at = 0;
        let mut out = Vec::with_capacity(parts.len());
        for p in parts {
            let (size, align) = self.lw.checker.natural_size(p);
            at = u64::next_multiple_of(at, align);
            out.push((p, at));
            at += size;
        }
        out
    }

    fn take_apart(&mut self, value: ValueId, ty: Ty, at: u64, out: &mut Vec<Piece>) {
        if let Some(scalar) = ty.as_scalar() {
            return out.push(Piece { at, scalar, value });
        }
        for (i, (part, offset)) in self.layout(ty).into_iter().enumerate() {
            let v = match ty.kind() {
                TyKind::Pair(_) => self.pair_part(value, i == 1, part),
                _ => self.extract(value, Step::Constant(i as i64), part),
            };
            self.take_apart(v, part, at + offset, out);
        }
    }

    fn assembled(&mut self, ty: Ty, at: u64, pieces: &[Piece]) -> ValueId {
        if let Some(s) = ty.as_scalar() {
            return self.scalar_from(s, at, pieces);
        }
        let parts: Vec<ValueId> =
            self.layout(ty).into_iter().map(|(part, offset)| self.assembled(part, at + offset, pieces)).collect();
        let ir = self.lw.ty(ty);
        match (ty.kind(), parts.as_slice()) {
            (TyKind::Pair(_), [p, d]) => ad::MakePair::build(&mut self.b(), *p, *d, ir, &[]),
            _ if ty.is_arith() => expand::construct(&mut self.b(), &parts, ir),
            _ => agg::Make::build(&mut self.b(), &parts, ir, &[]),
        }
    }

    fn scalar_from(&mut self, s: Scalar, at: u64, pieces: &[Piece]) -> ValueId {
        let same = pieces.iter().find(|p| p.at == at && p.scalar == s);
        if let Some(p) = same {
            return p.value;
        }
        let word = Type::int(bits(s));
        let mut all: Option<ValueId> = None;
        for p in pieces.iter().filter(|p| p.at < at + bytes(s) && at < p.at + bytes(p.scalar)) {
            let v = self.as_word(p);
            let v = if p.at >= at {
                let v = self.resized(v, bits(p.scalar), bits(s));
                self.shifted(arith::ShLI::DEF, v, word, (p.at - at) * 8)
            } else {
                let v = self.shifted(arith::ShRUI::DEF, v, Type::int(bits(p.scalar)), (at - p.at) * 8);
                self.resized(v, bits(p.scalar), bits(s))
            };
            all = Some(match all {
                None => v,
                Some(old) => self.b().create_one(arith::OrI::DEF, &[old, v], word, &[]),
            });
        }
        let v = match all {
            Some(v) => v,
            None => build::zero(&mut self.b(), word),
        };
        match s {
            Scalar::Bool => {
                let zero = build::zero(&mut self.b(), word);
                arith::cmpi(&mut self.b(), IntPredicate::Ne, v, zero)
            }
            s if s.is_float() => self.b().create_one(arith::Bitcast::DEF, &[v], scalar_type(s), &[]),
            _ => v,
        }
    }

    /// A scalar's bits as an integer.
    fn as_word(&mut self, p: &Piece) -> ValueId {
        let word = Type::int(bits(p.scalar));
        match p.scalar {
            Scalar::Bool => self.b().create_one(arith::ExtUI::DEF, &[p.value], word, &[]),
            s if s.is_float() => self.b().create_one(arith::Bitcast::DEF, &[p.value], word, &[]),
            _ => p.value,
        }
    }

    fn resized(&mut self, v: ValueId, from: u32, to: u32) -> ValueId {
        match from.cmp(&to) {
            std::cmp::Ordering::Less => self.b().create_one(arith::ExtUI::DEF, &[v], Type::int(to), &[]),
            std::cmp::Ordering::Equal => v,
            std::cmp::Ordering::Greater => self.b().create_one(arith::TruncI::DEF, &[v], Type::int(to), &[]),
        }
    }

    fn shifted(&mut self, op: &'static caustic_ir::OpDef, v: ValueId, ty: Type, by: u64) -> ValueId {
        if by == 0 {
            return v;
        }
        let by = build::int(&mut self.b(), by as i64, ty);
        self.b().create_one(op, &[v, by], ty, &[])
    }
}
