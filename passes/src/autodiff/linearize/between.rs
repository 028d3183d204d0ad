//! The derivative of a value that is held between two constants: `min(max(x, low), high)`, as
//! `clamp` and `saturate` compute it, and the same with the bounds in the other order.
//!
//! By the rules of `min` and `max` the tangent is chosen twice, and each bound halves it at a tie.
//! Where the bounds are constants and `low < high`, only one bound can be reached, so that one
//! choice says the same: the value is inside, where it is the result, and half of the tangent
//! comes where it is one of the bounds (docs/singular.md).

use super::Linearizer;
use super::gated::Row;
use crate::autodiff::partials;
use caustic_dialects::arith;
use caustic_ir::{Body, Builder, Diagnostic, OpDef, OpId, Result, ValueId};

/// The derivative by `x`, as a row of an op would have it.
const PARTIAL: &[&str] = &["select(x == result, select(x == inner || x == outer, 0.5, 1), 0)"];

/// A value between bounds.
pub(super) struct Between {
    x: ValueId,
    inner: ValueId,
    outer: ValueId,
}

impl Between {
    /// What `op` is, if it is the second of two bounds.
    pub(super) fn of(src: &Body, op: OpId) -> Option<Between> {
        let (least, greatest) = (is(src, op, arith::MinNumF::DEF), is(src, op, arith::MaxNumF::DEF));
        let &[bounded, outer] = src.operands(op) else { return None };
        let first = src.def_op(bounded).filter(|&first| match (least, greatest) {
            (true, _) => is(src, first, arith::MaxNumF::DEF),
            (_, true) => is(src, first, arith::MinNumF::DEF),
            _ => false,
        })?;
        let &[x, inner] = src.operands(first) else { return None };
        let (before, after) = (partials::number_of(src, inner)?, partials::number_of(src, outer)?);
        let ordered = if least { before < after } else { after < before };
        ordered.then_some(Between { x, inner, outer })
    }
}

fn is(src: &Body, op: OpId, def: &'static OpDef) -> bool {
    std::ptr::eq(src.op(op).def, def)
}

impl Linearizer<'_> {
    /// The tangent of a value between bounds.
    pub(super) fn between(&mut self, op: OpId, found: &Between, b: &mut Builder<'_>) -> Result<Option<ValueId>> {
        let Some(&t) = self.tangents.get(&found.x) else { return Ok(None) };
        let loc = b.loc;
        let broken = |e: &str| Diagnostic::internal(loc, format!("the partial of a value between bounds: {e}"));
        let exprs = partials::of_row(PARTIAL).as_ref().map_err(|e| broken(e))?;
        let result = self.primal.get(self.src.result(op, 0));
        let [x, inner, outer] = [found.x, found.inner, found.outer].map(|v| self.primal.get(v));
        let lookup = |name: &str| match name {
            "x" => Some(x),
            "inner" => Some(inner),
            "outer" => Some(outer),
            _ => Some(result),
        };
        let row =
            Row { ty: b.ty(result), singular: self.singular, lookup: &lookup, known: &|_| None, finite: &|_| false };
        let Some(expr) = exprs.first() else { return Ok(None) };
        self.term(b, expr, t, &row).map_err(|e| broken(&e))
    }
}
