//! Two passes: from arithmetic to `soft.plus`, and back.

use crate::op::Plus;
use caustic_dialects::{arith, math};
use caustic_ir::{Attr, Body, Builder, OpId, SymbolOp, ValueId};
use caustic_passes::manager::{Changed, ModuleView, PassReport};
use caustic_passes::passes;

passes! {
    /// Finds `log(1 + exp(x))`, and makes it one op.
    pub static FIND: "find-softplus" {
        level: function, options: none, before: "normalized code", after: "the same with soft",
        statistics: [("found", "ops that were made")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            Ok(replace(&mut symbol.body, report, softplus_of, |b, x| Plus::build(b, x, &[])))
        },
    }

    /// Makes arithmetic of `soft.plus`, for all who do not know it.
    pub static EXPAND: "expand-softplus" {
        level: function, options: none, before: "any with soft", after: "the same without soft",
        statistics: [("found", "ops that were replaced")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            Ok(replace(&mut symbol.body, report, |body, op| Some(Plus::cast(body, op)?.operand(body)), expanded))
        },
    }
}

/// The `x` of an op that computes `log(1 + exp(x))`.
fn softplus_of(body: &Body, op: OpId) -> Option<ValueId> {
    let sum = arith::AddF::cast(body, body.def_op(math::Log::cast(body, op)?.operand(body))?)?;
    let is_one = |v| arith::constant_of(body, v).and_then(Attr::as_float) == Some(1.0);
    let other = match (is_one(sum.lhs(body)), is_one(sum.rhs(body))) {
        (true, _) => sum.rhs(body),
        (_, true) => sum.lhs(body),
        _ => return None,
    };
    Some(math::Exp::cast(body, body.def_op(other)?)?.operand(body))
}

/// `max(x, 0) + log1p(exp(-abs(x)))`
fn expanded(b: &mut Builder<'_>, x: ValueId) -> ValueId {
    let zero = arith::zero(b, b.ty(x));
    let above = arith::MaximumF::build(b, x, zero, &[]);
    let size = math::AbsF::build(b, x, &[]);
    let minus = arith::NegF::build(b, size, &[]);
    let small = math::Exp::build(b, minus, &[]);
    let rest = math::Log1p::build(b, small, &[]);
    arith::AddF::build(b, above, rest, &[])
}

/// Puts what `make` builds in the place of each op in which `find` finds an `x`.
fn replace(
    body: &mut Body,
    report: &mut PassReport,
    find: fn(&Body, OpId) -> Option<ValueId>,
    make: fn(&mut Builder<'_>, ValueId) -> ValueId,
) -> Changed {
    let mut changed = Changed::No;
    for op in body.walk_all() {
        let Some(x) = find(body, op) else { continue };
        let Some(mut builder) = Builder::before(body, op) else { continue };
        let new = make(&mut builder, x);
        body.replace_uses(body.result(op, 0), new);
        body.erase_op(op);
        report.count("found", 1);
        changed = Changed::Yes;
    }
    changed
}
