//! Lowers atomic updates to the op on the buffer itself: reading the value and writing it back
//! would not be atomic.

use super::func::FuncLower;
use super::memory::Stored;
use super::place::{constant_index, is_unsized_data};
use crate::sema::tree::{AtomicOp, Expr, ExprKind};
use crate::sema::types::{Ty, TyKind};
use caustic_dialects::hl::expand::Step;
use caustic_dialects::{agg, tex};
use caustic_ir::{Attr, ValueId};

/// The location of a number in memory: the buffer, the element's index, and the path within the
/// element.
struct Where {
    buffer: ValueId,
    index: ValueId,
    steps: Vec<Step>,
    /// The type and layout of what the steps lead to.
    stored: Stored,
    /// The row of a column-major matrix, until its component is known.
    row: Option<Step>,
}

impl Where {
    fn step(&mut self, step: Step, to: Stored) {
        if self.stored.is_by_columns() {
            self.row = Some(step);
        } else {
            self.steps.push(step);
            self.steps.extend(self.row.take());
        }
        self.stored = to;
    }
    fn path(&self) -> Vec<i64> {
        self.steps.iter().map(|s| if let Step::Constant(k) = s { *k } else { -1 }).collect()
    }
    fn indices(&self) -> Vec<ValueId> {
        self.steps.iter().filter_map(|s| if let Step::Dynamic(v) = s { Some(*v) } else { None }).collect()
    }
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
        let path = ("path", Attr::i64_array(&at.path()));
        let indices = at.indices();
        match (op, values.as_slice()) {
            (AtomicOp::CompareExchange, [expected, new]) => {
                agg::AtomicCas::build(&mut self.b(), *expected, *new, at.buffer, at.index, &indices, &[path])
            }
            (_, [value]) => {
                let attrs = [("kind", Attr::string(kind(op, place.ty))), path];
                agg::AtomicRmw::build(&mut self.b(), *value, at.buffer, at.index, &indices, &attrs)
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
                let buffer_ty = buffer.ty;
                let buffer = self.value(buffer);
                let i = self.value(index);
                self.at(place);
                let index = self.index_value(i, index.ty);
                let stored = self.lw.stored_elements(buffer_ty).part(place.ty);
                Some(Where { buffer, index, steps: Vec::new(), stored, row: None })
            }
            ExprKind::Field { base, index } => {
                let mut at = self.find(base)?;
                let field = base.ty.as_struct().and_then(|id| self.lw.checker.fields(id).get(*index as usize).cloned());
                let to = field.map_or(at.stored.part(place.ty), |f| self.lw.stored_field(&f));
                at.step(Step::Constant(*index as i64), to);
                Some(at)
            }
            ExprKind::Index { base, index } => {
                let mut at = self.find(base)?;
                let step = match constant_index(base.ty, index) {
                    Some(i) if !is_unsized_data(base.ty) => Step::Constant(i),
                    _ => {
                        let i = self.value(index);
                        self.at(place);
                        Step::Dynamic(self.index_value(i, index.ty))
                    }
                };
                at.step(step, at.stored.part(place.ty));
                Some(at)
            }
            ExprKind::Swizzle { base, comps } => {
                let mut at = self.find(base)?;
                let &[c] = comps.as_slice() else { return None };
                let to = at.stored.part(place.ty);
                match base.ty.kind() {
                    TyKind::Matrix(s, _, cols) => {
                        at.step(Step::Constant((c as u32 / cols) as i64), to.part(Ty::vector(*s, *cols)));
                        at.step(Step::Constant((c as u32 % cols) as i64), to);
                    }
                    _ => at.step(Step::Constant(c as i64), to),
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
