//! Lowers operations on tuples: selecting some elements, and comparison.

use super::func::FuncLower;
use super::place::Place;
use crate::ast::BinOp;
use crate::sema::types::{Shape, Ty};
use caustic_dialects::arith::{self, build};
use caustic_dialects::hl::expand::Step;
use caustic_dialects::{agg, vector};
use caustic_ir::{Type, ValueId};

impl FuncLower<'_, '_, '_> {
    /// The tuple of type `to` that consists of elements `comps` of `whole`.
    pub(crate) fn tuple_parts(&mut self, whole: ValueId, from: Ty, comps: &[u8], to: Ty) -> ValueId {
        let elements = self.lw.checker.tuple_elements(from).unwrap_or_default();
        let parts: Vec<ValueId> =
            comps.iter().map(|c| self.extract(whole, Step::Constant(*c as i64), elements[*c as usize])).collect();
        let ir = self.lw.ty(to);
        agg::Make::build(&mut self.b(), &parts, ir, &[])
    }

    /// Writes the elements of a tuple to elements `comps` of a place.
    pub(crate) fn store_tuple_parts(&mut self, base: &Place, v: ValueId, comps: &[u8]) {
        let elements = self.lw.checker.tuple_elements(base.ty()).unwrap_or_default();
        for (i, c) in comps.iter().enumerate() {
            let ty = elements[*c as usize];
            let part = self.extract(v, Step::Constant(i as i64), ty);
            let place = self.part(base.clone(), Step::Constant(*c as i64), ty);
            self.store(&place, part);
        }
    }

    /// Compares two tuples in lexicographic order.
    pub(crate) fn compare_tuples(&mut self, op: BinOp, l: ValueId, r: ValueId, ty: Ty) -> ValueId {
        let elements = self.lw.checker.tuple_elements(ty).unwrap_or_default();
        // From the last element to the first: the result for the later elements counts if these two
        // are equal.
        let at_end = matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge);
        let mut result = build::bool(&mut self.b(), at_end);
        if op == BinOp::Ne {
            let same = self.compare_tuples(BinOp::Eq, l, r, ty);
            let yes = build::bool(&mut self.b(), true);
            return self.logic(arith::XOrI::DEF, same, yes);
        }
        let strict = if matches!(op, BinOp::Lt | BinOp::Le) { BinOp::Lt } else { BinOp::Gt };
        for (i, t) in elements.iter().enumerate().rev() {
            let a = self.extract(l, Step::Constant(i as i64), *t);
            let b = self.extract(r, Step::Constant(i as i64), *t);
            let same = self.compare_parts(BinOp::Eq, a, b, *t);
            result = self.logic(arith::AndI::DEF, same, result);
            if op != BinOp::Eq {
                let before = self.compare_parts(strict, a, b, *t);
                result = self.logic(arith::OrI::DEF, before, result);
            }
        }
        result
    }

    fn compare_parts(&mut self, op: BinOp, a: ValueId, b: ValueId, ty: Ty) -> ValueId {
        if ty.as_struct().is_some() {
            return self.compare_tuples(op, a, b, ty);
        }
        let mut v = self.binary(op, a, b, ty, ty);
        if ty.shape() != Shape::Scalar {
            v = vector::reduction(&mut self.b(), "and", v);
        }
        v
    }

    fn logic(&mut self, op: &'static caustic_ir::OpDef, a: ValueId, b: ValueId) -> ValueId {
        self.b().create_one(op, &[a, b], Type::i1(), &[])
    }
}
