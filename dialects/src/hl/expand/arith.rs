//! Operators and conversions on scalars, vectors and matrices: which op each is, by the signedness
//! of the type.

use crate::arith::{self, FloatPredicate as F, IntPredicate as I, build};
use crate::hl::source::{counts_up, erase};
use caustic_ir::{Attr, Builder, OpDef, Type, ValueId};

macro_rules! operators {
    ( $(#[doc = $doc:literal])+ $name:ident { $($op:ident $text:literal),* $(,)? } ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($op),* }
        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$op),*];
            /// The word for it in the IR.
            pub fn keyword(self) -> &'static str {
                match self { $($name::$op => $text),* }
            }
            pub fn from_keyword(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|op| op.keyword() == word)
            }
        }
    };
}

operators! {
    /// Operators with one operand: `-x`, `!x`, `~x`.
    UnaryOp { Neg "neg", Not "not", BitNot "bitnot" }
}

operators! {
    /// Operators with two operands. `And`, `Or` and `Xor` are by bit, which on truth values is the
    /// logical operator.
    BinaryOp {
        Add "add", Sub "sub", Mul "mul", Div "div", Rem "rem", And "and", Or "or", Xor "xor", Shl "shl", Shr "shr",
        Lt "lt", Le "le", Gt "gt", Ge "ge", Eq "eq", Ne "ne",
    }
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
    /// Whether it works on the bits of integers, not on numbers.
    pub fn is_bitwise(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}

fn make(b: &mut Builder<'_>, def: &'static OpDef, operands: &[ValueId], ty: Type) -> ValueId {
    b.create_one(def, operands, ty, &[])
}

/// `v` over another scalar; `from` and `to` have one shape.
pub fn convert(b: &mut Builder<'_>, v: ValueId, from: Type, to: Type) -> ValueId {
    let (f, t) = (from.elem(), to.elem());
    if f == t {
        return v;
    }
    if t.is_i1() {
        let ty = b.ty(v);
        let zero = build::zero(b, ty);
        return if f.is_float() { arith::cmpf(b, F::Une, v, zero) } else { arith::cmpi(b, I::Ne, v, zero) };
    }
    let (from_bits, to_bits) = (f.scalar_bits(), t.scalar_bits());
    let def = match (f.is_float(), t.is_float()) {
        (true, true) if to_bits > from_bits => arith::ExtF::DEF,
        (true, true) => arith::TruncF::DEF,
        (true, false) if t.is_unsigned() => arith::FPToUI::DEF,
        (true, false) => arith::FPToSI::DEF,
        (false, true) if counts_up(f) => arith::UIToFP::DEF,
        (false, true) => arith::SIToFP::DEF,
        (false, false) if to_bits == from_bits => return v,
        (false, false) if to_bits < from_bits => arith::TruncI::DEF,
        (false, false) if counts_up(f) => arith::ExtUI::DEF,
        (false, false) => arith::ExtSI::DEF,
    };
    make(b, def, &[v], erase(to))
}

/// The bits of each scalar as those of another of the same width.
pub fn bitcast(b: &mut Builder<'_>, v: ValueId, to: Type) -> ValueId {
    make(b, arith::Bitcast::DEF, &[v], erase(to))
}

/// An integer as an `index`: signed ones may be negative, which is out of range everywhere.
pub fn to_index(b: &mut Builder<'_>, v: ValueId, from: Type) -> ValueId {
    let def = if from.is_unsigned() { arith::IndexCastUI::DEF } else { arith::IndexCast::DEF };
    make(b, def, &[v], Type::index())
}

/// An `index` that is not negative as an integer.
pub fn from_index(b: &mut Builder<'_>, v: ValueId, to: Type) -> ValueId {
    make(b, arith::IndexCastUI::DEF, &[v], erase(to))
}

pub fn unary(b: &mut Builder<'_>, op: UnaryOp, v: ValueId, of: Type) -> ValueId {
    let ty = b.ty(v);
    match op {
        UnaryOp::Neg if of.elem().is_float() => make(b, arith::NegF::DEF, &[v], ty),
        UnaryOp::Neg => {
            let zero = build::zero(b, ty);
            make(b, arith::SubI::DEF, &[zero, v], ty)
        }
        UnaryOp::Not => {
            let ones = build::constant(b, build::splat_attr(Attr::bool(true), ty), ty);
            make(b, arith::XOrI::DEF, &[v, ones], ty)
        }
        UnaryOp::BitNot => {
            let ones = build::int(b, -1, ty);
            make(b, arith::XOrI::DEF, &[v, ones], ty)
        }
    }
}

/// Both operands have type `of`; a shift's right one may have another width, its type is `rhs`.
pub fn binary(b: &mut Builder<'_>, op: BinaryOp, l: ValueId, r: ValueId, of: Type, rhs: Type) -> ValueId {
    use BinaryOp::*;
    let (float, unsigned) = (of.elem().is_float(), counts_up(of));
    if op.is_comparison() {
        return if float { arith::cmpf(b, float_predicate(op), l, r) } else { compare_ints(b, op, l, r, unsigned) };
    }
    // Only the low bits of a shift count matter, so cutting and extending are both right.
    let r = if op.is_shift() { convert(b, r, rhs, rhs.with_elem(of.elem())) } else { r };
    let def = match (op, float) {
        (Add, true) => arith::AddF::DEF,
        (Sub, true) => arith::SubF::DEF,
        (Mul, true) => arith::MulF::DEF,
        (Div, true) => arith::DivF::DEF,
        (Rem, true) => arith::RemF::DEF,
        (Add, false) => arith::AddI::DEF,
        (Sub, false) => arith::SubI::DEF,
        (Mul, false) => arith::MulI::DEF,
        (Div, false) if unsigned => arith::DivUI::DEF,
        (Div, false) => arith::DivSI::DEF,
        (Rem, false) if unsigned => arith::RemUI::DEF,
        (Rem, false) => arith::RemSI::DEF,
        (And, _) => arith::AndI::DEF,
        (Or, _) => arith::OrI::DEF,
        (Xor, _) => arith::XOrI::DEF,
        (Shl, _) => arith::ShLI::DEF,
        (Shr, _) if unsigned => arith::ShRUI::DEF,
        _ => arith::ShRSI::DEF,
    };
    let ty = b.ty(l);
    make(b, def, &[l, r], ty)
}

fn float_predicate(op: BinaryOp) -> F {
    match op {
        BinaryOp::Lt => F::Olt,
        BinaryOp::Le => F::Ole,
        BinaryOp::Gt => F::Ogt,
        BinaryOp::Ge => F::Oge,
        BinaryOp::Eq => F::Oeq,
        _ => F::Une,
    }
}

fn compare_ints(b: &mut Builder<'_>, op: BinaryOp, l: ValueId, r: ValueId, unsigned: bool) -> ValueId {
    use BinaryOp::*;
    let predicate = match (op, unsigned) {
        (Lt, false) => I::Slt,
        (Le, false) => I::Sle,
        (Gt, false) => I::Sgt,
        (Ge, false) => I::Sge,
        (Lt, true) => I::Ult,
        (Le, true) => I::Ule,
        (Gt, true) => I::Ugt,
        (Ge, true) => I::Uge,
        (Eq, _) => I::Eq,
        _ => I::Ne,
    };
    arith::cmpi(b, predicate, l, r)
}
