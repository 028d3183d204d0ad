//! Operators and conversions on scalars, vectors and matrices: which op each is, by the signedness of the type.

use super::func::FuncLower;
use super::types::scalar_type;
use crate::ast::BinOp;
use crate::sema::tree::{Const, UnaryOp};
use crate::sema::types::{Scalar, Ty};
use caustic_dialects::arith::{self, FloatPredicate as F, IntPredicate as I, build};
use caustic_ir::{Attr, OpDef, Type, ValueId};

impl FuncLower<'_, '_, '_> {
    pub(crate) fn constant(&mut self, c: Const, ty: Ty) -> ValueId {
        let ir = self.lw.ty(ty);
        let b = &mut self.b();
        match c {
            Const::Bool(v) => build::bool(b, v),
            Const::Int(v) => build::int(b, v, ir),
            Const::Float(v) => build::float(b, v, ir),
        }
    }

    pub(crate) fn constant_attr(c: Const, s: Scalar) -> Attr {
        match c {
            Const::Bool(v) => Attr::bool(v),
            Const::Int(v) => Attr::int(v, scalar_type(s)),
            Const::Float(v) => Attr::float(v, scalar_type(s)),
        }
    }

    fn make(&mut self, def: &'static OpDef, operands: &[ValueId], ty: Type) -> ValueId {
        self.b().create_one(def, operands, ty, &[])
    }

    /// `from` and `to` have one shape.
    pub(crate) fn convert(&mut self, v: ValueId, from: Ty, to: Ty) -> ValueId {
        let (Some(f), Some(t)) = (from.element_scalar(), to.element_scalar()) else { return v };
        let ir = self.lw.ty(to);
        let source = self.body.ty(v);
        if f == t {
            return v;
        }
        if t == Scalar::Bool {
            let zero = build::zero(&mut self.b(), source);
            return if f.is_float() {
                arith::cmpf(&mut self.b(), F::Une, v, zero)
            } else {
                arith::cmpi(&mut self.b(), I::Ne, v, zero)
            };
        }
        let unsigned = f.is_unsigned() || f == Scalar::Bool;
        let def = match (f.is_float(), t.is_float()) {
            (true, true) if t.bits() > f.bits() => arith::ExtF::DEF,
            (true, true) => arith::TruncF::DEF,
            (true, false) if t.is_unsigned() => arith::FPToUI::DEF,
            (true, false) => arith::FPToSI::DEF,
            (false, true) if unsigned => arith::UIToFP::DEF,
            (false, true) => arith::SIToFP::DEF,
            (false, false) if t.bits() == f.bits() => return v,
            (false, false) if t.bits() < f.bits() => arith::TruncI::DEF,
            (false, false) if unsigned => arith::ExtUI::DEF,
            (false, false) => arith::ExtSI::DEF,
        };
        self.make(def, &[v], ir)
    }

    /// An integer as an `index`: signed ones may be negative, which is out of range everywhere.
    pub(crate) fn index_value(&mut self, v: ValueId, ty: Ty) -> ValueId {
        let unsigned = ty.as_scalar().is_some_and(Scalar::is_unsigned);
        let def = if unsigned { arith::IndexCastUI::DEF } else { arith::IndexCast::DEF };
        self.make(def, &[v], Type::index())
    }

    pub(crate) fn index_to_u32(&mut self, v: ValueId) -> ValueId {
        self.make(arith::IndexCastUI::DEF, &[v], Type::i32())
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, v: ValueId, ty: Ty) -> ValueId {
        let ir = self.body.ty(v);
        match op {
            UnaryOp::Neg if ty.element_scalar().is_some_and(Scalar::is_float) => self.make(arith::NegF::DEF, &[v], ir),
            UnaryOp::Neg => {
                let zero = build::zero(&mut self.b(), ir);
                self.make(arith::SubI::DEF, &[zero, v], ir)
            }
            UnaryOp::Not => {
                let ones = build::constant(&mut self.b(), build::splat_attr(Attr::bool(true), ir), ir);
                self.make(arith::XOrI::DEF, &[v, ones], ir)
            }
            UnaryOp::BitNot => {
                let ones = build::int(&mut self.b(), -1, ir);
                self.make(arith::XOrI::DEF, &[v, ones], ir)
            }
        }
    }

    /// Both operands have type `ty`; for shifts the right one may have another width, `rhs_ty`.
    pub(crate) fn binary(&mut self, op: BinOp, l: ValueId, r: ValueId, ty: Ty, rhs_ty: Ty) -> ValueId {
        use BinOp::*;
        let s = ty.element_scalar().unwrap_or(Scalar::I32);
        let (float, unsigned) = (s.is_float(), s.is_unsigned() || s == Scalar::Bool);
        if op.is_comparison() {
            if float {
                let p = match op {
                    Lt => F::Olt,
                    Le => F::Ole,
                    Gt => F::Ogt,
                    Ge => F::Oge,
                    Eq => F::Oeq,
                    _ => F::Une,
                };
                return arith::cmpf(&mut self.b(), p, l, r);
            }
            let p = match (op, unsigned) {
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
            return arith::cmpi(&mut self.b(), p, l, r);
        }
        let r = if op.is_shift() { self.shift_count(r, rhs_ty, ty) } else { r };
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
            (And | LogAnd, _) => arith::AndI::DEF,
            (Or | LogOr, _) => arith::OrI::DEF,
            (Xor, _) => arith::XOrI::DEF,
            (Shl, _) => arith::ShLI::DEF,
            (Shr, _) if unsigned => arith::ShRUI::DEF,
            _ => arith::ShRSI::DEF,
        };
        let ir = self.body.ty(l);
        self.make(def, &[l, r], ir)
    }

    /// Brings a shift count to the width of what is shifted. Only its low bits matter, so cutting and extending are right.
    fn shift_count(&mut self, r: ValueId, from: Ty, to: Ty) -> ValueId {
        match to.element_scalar() {
            Some(t) => self.convert(r, from, from.with_scalar(t)),
            None => r,
        }
    }
}
