//! Lowers assignments: the place is evaluated first, then the value that is written to it.
//!
//! When a compound assignment reads the old value, depends on the place. An address is read after
//! the right operand was computed. All other places are copied into a variable before it, as for
//! an `inout` parameter: properties, bit fields, swizzles, texels.

use super::func::{FuncLower, Slot};
use super::place::Place;
use crate::ast::BinOp;
use crate::sema::tree::{Expr, ExprKind, LocalId};
use crate::sema::types::Ty;
use caustic_dialects::hl::expand;
use caustic_ir::ValueId;

impl FuncLower<'_, '_, '_> {
    /// The value of an assignment is the place read again: a setter may have kept another value.
    pub(super) fn assign(&mut self, e: &Expr, place: &Expr, value: &Expr) -> ValueId {
        let (place, v) = self.assigned_place(e, place, value);
        match place {
            Some(p) if p.is_computed() => self.load(&p),
            _ => v,
        }
    }

    /// Assigns, and returns the value and the place, if it is one.
    pub(super) fn assigned_place(&mut self, e: &Expr, place: &Expr, value: &Expr) -> (Option<Place>, ValueId) {
        // A local that holds a value within an expression has no declaration.
        if let ExprKind::Local(local) = place.kind
            && self.tree.locals[local.0 as usize].name.is_empty()
        {
            let v = self.operand(value, e);
            self.locals[local.0 as usize] = Slot::Value(v);
            return (None, v);
        }
        let p = self.place(place);
        if self.copy_handles(&p, value) {
            let v = self.zero(place.ty);
            return (Some(p), v);
        }
        let v = self.operand(value, e);
        self.store(&p, v);
        (Some(p), v)
    }

    /// `place = (place's type)((op type)place op value)`.
    pub(super) fn compound_assign(&mut self, e: &Expr, op: BinOp, place: &Expr, value: &Expr, op_ty: Ty) -> ValueId {
        let p = self.place(place);
        self.at(e);
        let before = (!p.is_read_late()).then(|| self.load(&p));
        let v = self.operand(value, e);
        let old = before.unwrap_or_else(|| self.load(&p));
        let old = self.convert(old, place.ty, op_ty);
        let result = self.binary(op, old, v, op_ty, value.ty);
        let new = self.convert(result, op_ty, place.ty);
        self.store(&p, new);
        new
    }

    /// `place = value`, where `value` reads the old value of the place as the local `old`.
    pub(super) fn update(&mut self, e: &Expr, place: &Expr, old: LocalId, value: &Expr) -> ValueId {
        let p = self.place(place);
        self.at(e);
        let before = self.load(&p);
        self.locals[old.0 as usize] = Slot::Value(before);
        let v = self.operand(value, e);
        self.store(&p, v);
        v
    }

    /// `++` and `--`, before or after the place.
    pub(super) fn increment(&mut self, e: &Expr, inc: bool, prefix: bool, place: &Expr) -> ValueId {
        let p = self.place(place);
        self.at(e);
        let old = self.load(&p);
        let of = self.lw.source(place.ty);
        let one = expand::one(&mut self.b(), of);
        let op = if inc { BinOp::Add } else { BinOp::Sub };
        let new = self.binary(op, old, one, place.ty, place.ty);
        self.store(&p, new);
        if prefix { new } else { old }
    }
}
