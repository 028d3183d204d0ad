//! Atomic updates: straight to the op on a buffer, since an address that was read and written back would not be one.

use super::func::FuncLower;
use crate::sema::tree::{AtomicOp, Const, Expr, ExprKind};
use crate::sema::types::{Ty, TyKind};
use caustic_dialects::{agg, tex};
use caustic_ir::{Attr, ValueId};

/// Where a number is: the buffer, the element's index, and the way into the element.
struct Where {
    buffer: ValueId,
    index: ValueId,
    path: Vec<i64>,
    indices: Vec<ValueId>,
}

impl FuncLower<'_, '_, '_> {
    pub(crate) fn atomic(&mut self, e: &Expr, op: AtomicOp, place: &Expr, args: &[Expr]) -> ValueId {
        if let ExprKind::BufferElem { buffer, index } = &place.kind
            && buffer.ty.as_texture().is_some()
        {
            return self.texel_update(e, op, (buffer, index), args);
        }
        let Some(at) = self.find(place) else {
            let text = "an atomic operation outside of buffers".to_string();
            self.lw.problems.push(caustic_ir::Diagnostic::internal(self.loc, text));
            return self.zero(e.ty);
        };
        let values: Vec<ValueId> = args.iter().map(|a| self.value(a)).collect();
        self.at(e);
        let path = ("path", Attr::i64_array(&at.path));
        match (op, values.as_slice()) {
            (AtomicOp::CompareExchange, [expected, new]) => {
                agg::AtomicCas::build(&mut self.b(), *expected, *new, at.buffer, at.index, &at.indices, &[path])
            }
            (_, [value]) => {
                let attrs = [("kind", Attr::string(kind(op, place.ty))), path];
                agg::AtomicRmw::build(&mut self.b(), *value, at.buffer, at.index, &at.indices, &attrs)
            }
            _ => self.zero(e.ty),
        }
    }

    fn texel_update(&mut self, e: &Expr, op: AtomicOp, (texture, at): (&Expr, &Expr), args: &[Expr]) -> ValueId {
        let (t, at) = (self.value(texture), self.value(at));
        let values: Vec<ValueId> = args.iter().map(|a| self.value(a)).collect();
        self.at(e);
        match (op, values.as_slice()) {
            (AtomicOp::CompareExchange, [expected, new]) => {
                tex::AtomicCas::build(&mut self.b(), *expected, *new, t, at, &[])
            }
            (_, [value]) => {
                let kind = ("kind", Attr::string(kind(op, e.ty)));
                tex::AtomicRmw::build(&mut self.b(), *value, t, at, &[kind])
            }
            _ => self.zero(e.ty),
        }
    }

    fn find(&mut self, place: &Expr) -> Option<Where> {
        match &place.kind {
            ExprKind::BufferElem { buffer, index } => {
                let buffer = self.value(buffer);
                let i = self.value(index);
                self.at(place);
                let index = self.index_value(i, index.ty);
                Some(Where { buffer, index, path: Vec::new(), indices: Vec::new() })
            }
            ExprKind::Field { base, index } => {
                let mut at = self.find(base)?;
                at.path.push(*index as i64);
                Some(at)
            }
            ExprKind::Index { base, index } => {
                let mut at = self.find(base)?;
                match index.kind {
                    ExprKind::Const(Const::Int(i)) => at.path.push(i),
                    _ => {
                        let i = self.value(index);
                        self.at(place);
                        at.path.push(-1);
                        at.indices.push(self.index_value(i, index.ty));
                    }
                }
                Some(at)
            }
            ExprKind::Swizzle { base, comps } => {
                let mut at = self.find(base)?;
                let &[c] = comps.as_slice() else { return None };
                match base.ty.kind() {
                    TyKind::Matrix(_, _, cols) => at.path.extend([(c as u32 / cols) as i64, (c as u32 % cols) as i64]),
                    _ => at.path.push(c as i64),
                }
                Some(at)
            }
            _ => None,
        }
    }
}

fn kind(op: AtomicOp, ty: Ty) -> &'static str {
    let scalar = ty.element_scalar();
    let (float, unsigned) = (scalar.is_some_and(|s| s.is_float()), scalar.is_some_and(|s| s.is_unsigned()));
    let choose = |of_float, of_unsigned, of_signed| match (float, unsigned) {
        (true, _) => of_float,
        (_, true) => of_unsigned,
        _ => of_signed,
    };
    match op {
        AtomicOp::Add => "add",
        AtomicOp::And => "and",
        AtomicOp::Or => "or",
        AtomicOp::Xor => "xor",
        AtomicOp::Min => choose("minnumf", "minui", "minsi"),
        AtomicOp::Max => choose("maxnumf", "maxui", "maxsi"),
        AtomicOp::Exchange | AtomicOp::CompareExchange => agg::EXCHANGE,
    }
}
