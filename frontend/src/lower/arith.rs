//! Lowers builtin operations: translates the types of the checked tree to source types of the IR,
//! from which `hl::expand` chooses the ops.

use super::func::FuncLower;
use super::types::scalar_type;
use crate::ast::BinOp;
use crate::sema::tree::{Const, UnaryOp};
use crate::sema::types::{Scalar, Ty};
use caustic_dialects::agg;
use caustic_dialects::arith::build;
use caustic_dialects::hl::expand::{self, BinaryOp};
use caustic_ir::{Attr, Name, Type, ValueId};

/// The operator in the IR. A logical operator whose operands are both evaluated is the bitwise one.
fn binary_op(op: BinOp) -> BinaryOp {
    match op {
        BinOp::Add => BinaryOp::Add,
        BinOp::Sub => BinaryOp::Sub,
        BinOp::Mul => BinaryOp::Mul,
        BinOp::Div => BinaryOp::Div,
        BinOp::Rem => BinaryOp::Rem,
        BinOp::And | BinOp::LogAnd => BinaryOp::And,
        BinOp::Or | BinOp::LogOr => BinaryOp::Or,
        BinOp::Xor => BinaryOp::Xor,
        BinOp::Shl => BinaryOp::Shl,
        BinOp::Shr => BinaryOp::Shr,
        BinOp::Lt => BinaryOp::Lt,
        BinOp::Le => BinaryOp::Le,
        BinOp::Gt => BinaryOp::Gt,
        BinOp::Ge => BinaryOp::Ge,
        BinOp::Eq => BinaryOp::Eq,
        BinOp::Ne => BinaryOp::Ne,
    }
}

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

    pub(crate) fn zero(&mut self, ty: Ty) -> ValueId {
        let of = self.lw.source(ty);
        expand::zero(&mut self.b(), of)
    }

    /// Converts a value. `from` and `to` have the same shape.
    pub(crate) fn convert(&mut self, v: ValueId, from: Ty, to: Ty) -> ValueId {
        if from == to {
            return v;
        }
        let (from, to) = (self.lw.source(from), self.lw.source(to));
        expand::convert(&mut self.b(), v, from, to)
    }

    pub(crate) fn index_value(&mut self, v: ValueId, ty: Ty) -> ValueId {
        let from = self.lw.source(ty);
        expand::to_index(&mut self.b(), v, from)
    }

    pub(crate) fn index_to_u32(&mut self, v: ValueId) -> ValueId {
        expand::from_index(&mut self.b(), v, Type::uint(32))
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, v: ValueId, ty: Ty) -> ValueId {
        let op = match op {
            UnaryOp::Neg => expand::UnaryOp::Neg,
            UnaryOp::Not => expand::UnaryOp::Not,
            UnaryOp::BitNot => expand::UnaryOp::BitNot,
        };
        let of = self.lw.source(ty);
        expand::unary(&mut self.b(), op, v, of)
    }

    /// Both operands have type `ty`; for shifts the right one may have another width, `rhs_ty`.
    pub(crate) fn binary(&mut self, op: BinOp, l: ValueId, r: ValueId, ty: Ty, rhs_ty: Ty) -> ValueId {
        if ty.as_struct().is_some() {
            return self.compare_tuples(op, l, r, ty);
        }
        let (of, rhs) = (self.lw.source(ty), self.lw.source(rhs_ty));
        expand::binary(&mut self.b(), binary_op(op), l, r, of, rhs)
    }

    /// Builds an op that the prelude names and that has no result.
    pub(crate) fn perform(&mut self, op: Name, values: &[ValueId]) {
        if !expand::perform(&mut self.b(), &op, values) {
            let text = format!("the prelude names an op `{op}` that does not exist");
            self.lw.problems.push(caustic_ir::Diagnostic::internal(self.loc, text));
        }
    }

    pub(crate) fn intrinsic(&mut self, op: Name, values: &[ValueId], ty: Ty) -> ValueId {
        let op = of_its_type(op, ty);
        let mut to = self.lw.source(ty);
        if *op == *agg::Pointee::NAME {
            to = agg::as_buffer(to).map_or(to, |(elem, _)| agg::pointee_type(elem));
        }
        match expand::intrinsic(&mut self.b(), &op, values, to) {
            Some(v) => v,
            None => {
                let text = format!("the prelude names an op `{op}` that does not exist");
                self.lw.problems.push(caustic_ir::Diagnostic::internal(self.loc, text));
                self.zero(Ty::int())
            }
        }
    }
}

/// Returns the name of an op for numbers of type `ty`. The prelude leaves the kind of number open
/// with a `*`: of `min*` and `max*` this is the op for the type.
fn of_its_type(op: Name, ty: Ty) -> Name {
    let Some((before, after)) = op.split_once('*') else { return op };
    let scalar = ty.element_scalar();
    let sort = match scalar {
        Some(s) if s.is_float() => "numf",
        Some(s) if s.is_unsigned() => "ui",
        _ => "si",
    };
    Name::new(&format!("{before}{sort}{after}"))
}
