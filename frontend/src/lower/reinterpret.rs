//! Lowers `bit_cast` and `reinterpret`, which read the bytes of a value as another type. A scalar
//! that keeps its offset and its type passes through with its derivative, and so does a value of an
//! interface type. Other scalars are assembled from the bits that they overlap.

use super::func::FuncLower;
use super::types::scalar_type;
use crate::mutants::{Site, mutant};
use crate::sema::types::{Scalar, Ty, TyKind};
use crate::sema::words::Packing;
use caustic_dialects::arith::{self, IntPredicate, build};
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::{ad, agg};
use caustic_ir::{Diagnostic, Type, ValueId};

/// A scalar of a value, and its offset in bytes.
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

/// The parts that a value consists of.
#[derive(Default)]
struct Pieces {
    scalars: Vec<Piece>,
    /// Values of interface types that keep their offset and type.
    kept: Vec<(u64, Ty, ValueId)>,
}

impl FuncLower<'_, '_, '_> {
    pub(crate) fn reinterpret(&mut self, value: ValueId, from: Ty, to: Ty) -> ValueId {
        let mut wanted = Vec::new();
        self.interfaces_at(to, 0, &mut wanted);
        let mut pieces = Pieces::default();
        self.take_apart(value, from, 0, &wanted, &mut pieces);
        self.assembled(to, 0, &pieces)
    }

    /// The types and offsets of the parts that a type is made of.
    fn layout(&mut self, ty: Ty) -> Vec<(Ty, u64)> {
        match self.lw.checker.parts_of(ty, Packing::Natural) {
            Some(parts) => parts,
            None => {
                let shown = self.lw.checker.show(ty);
                self.no_bits(format!("the bytes of a `{shown}`"));
                Vec::new()
            }
        }
    }

    fn no_bits(&mut self, what: String) {
        self.lw.problems.push(Diagnostic::internal(self.loc, what));
    }

    /// Collects the values of interface types in a type, with their offsets.
    fn interfaces_at(&mut self, ty: Ty, at: u64, out: &mut Vec<(u64, Ty)>) {
        if let TyKind::Interface(_) = ty.kind() {
            return out.push((at, ty));
        }
        let mut all = Vec::new();
        self.lw.checker.interfaces_in(ty, &mut all);
        if !all.is_empty() {
            for (part, offset) in self.layout(ty) {
                self.interfaces_at(part, at + offset, out);
            }
        }
    }

    #[mutant(Site::EnumBits if matches!(ty.kind(), TyKind::Enum(_)))]
    fn take_apart(&mut self, value: ValueId, ty: Ty, at: u64, wanted: &[(u64, Ty)], out: &mut Pieces) {
        if let Some(scalar) = self.lw.checker.scalar_of(ty) {
            return out.scalars.push(Piece { at, scalar, value });
        }
        if let TyKind::Interface(_) = ty.kind() {
            if wanted.contains(&(at, ty)) {
                return out.kept.push((at, ty, value));
            }
            let Some(packer) = self.lw.checker.packer(ty) else {
                return self.no_bits("a value of an interface's type has no words".to_string());
            };
            let ir = self.lw.ty(packer.words);
            let words = self.call_plain(packer.pack, value, ir);
            return self.take_apart(words, packer.words, at, wanted, out);
        }
        for (i, (part, offset)) in self.layout(ty).into_iter().enumerate() {
            let v = match ty.kind() {
                TyKind::Pair(_) => self.pair_part(value, i == 1, part),
                _ => self.extract(value, Step::Constant(i as i64), part),
            };
            self.take_apart(v, part, at + offset, wanted, out);
        }
    }

    fn assembled(&mut self, ty: Ty, at: u64, pieces: &Pieces) -> ValueId {
        if let Some(s) = self.lw.checker.scalar_of(ty) {
            return self.scalar_from(s, at, &pieces.scalars);
        }
        let ir = self.lw.ty(ty);
        if let TyKind::Interface(_) = ty.kind() {
            if let Some((_, _, value)) = pieces.kept.iter().find(|(place, of, _)| (*place, *of) == (at, ty)) {
                return *value;
            }
            let Some(packer) = self.lw.checker.packer(ty) else {
                self.no_bits("a value of an interface's type has no words".to_string());
                return self.zero(ty);
            };
            let words = self.assembled(packer.words, at, pieces);
            return self.call_plain(packer.unpack, words, ir);
        }
        let parts: Vec<ValueId> =
            self.layout(ty).into_iter().map(|(part, offset)| self.assembled(part, at + offset, pieces)).collect();
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
