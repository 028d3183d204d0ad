//! Rewrites of linear code and of pairs. A symbolic zero is one to these rules whatever it is
//! multiplied with: that is what makes code disappear that only carries zeros, and keeps an
//! infinite partial from turning a derivative into NaN that is not taken.

use super::parts::write_to_made;
use crate::analysis::access::*;
use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::ad;
use caustic_dialects::arith::constant_of;
use caustic_ir::{AttrKind, OpId, ValueId};

rewrites! {
    pub static REWRITES: [
        "add-zero" Linear [ad::TAdd] "x + zero => x" add_zero;
        "of-zero" Linear [ad::TNeg, ad::TScale, ad::TSplat, ad::TSum, ad::TCast] "a linear op of zero => zero" of_zero;
        "scale-by-constant" Exact [ad::TScale] "x * 1 => x, x * -1 => -x" scale_by_constant;
        "scale-by-zero" Linear [ad::TScale] "x * 0 => zero" scale_by_zero;
        "negated-twice" Exact [ad::TNeg] "--x => x" negated_twice;
        "selected-same" Exact [ad::TSelect] "c ? x : x => x, true ? x : y => x" selected_same;
        "selected-twice" Exact [ad::TSelect] "c ? (c ? x : y) : z => c ? x : z, c ? x : (c ? y : z) => c ? x : z" selected_twice;
        "accumulate-zero" Linear [ad::TAccumulate] "a + zero at p => a" accumulate_zero;
        "accumulate-to-zero" Linear [ad::TAccumulate] "zero + x at p => zero with x at p" accumulate_to_zero;
        "accumulate-to-cleared" Linear [ad::TAccumulate] "(a with zero at p) + x at p => a with x at p" accumulate_to_cleared;
        "accumulate-to-made" Exact [ad::TAccumulate] "make(x, y) + z at 0 => make(x + z, y)" write_to_made;
        "read-of-accumulated" Exact [ad::TExtract] "(a + x at p)[p] => a[p] + x, if p is inside and read once" read_of_accumulated;
        "wrapped-and-unwrapped" Exact [ad::Unwrap, ad::Wrap] "unwrap(wrap(x)) => x, wrap(unwrap(t)) => t" wrapped_and_unwrapped;
        "part-of-pair" Exact [ad::Primal, ad::Differential] "primal(pair(p, d)) => p, differential(pair(p, d)) => d" part_of_pair;
        "pair-of-parts" Exact [ad::MakePair] "pair(primal(x), differential(x)) => x" pair_of_parts;
    ]
}

fn is_symbolic_zero(r: &Rewriter<'_>, value: ValueId) -> bool {
    r.body.def_op(value).is_some_and(|op| ad::TZero::is(r.body, op))
}

fn replace_with_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let ty = r.body.ty(r.body.result(op, 0));
    let zero = build_zero(&mut r.before(op), ty);
    r.replace_op(op, &[zero])
}

fn add_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = (r.body.operand(op, 0), r.body.operand(op, 1));
    if is_symbolic_zero(r, b) {
        return r.replace_op(op, &[a]);
    }
    is_symbolic_zero(r, a) && r.replace_op(op, &[b])
}

fn of_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    is_symbolic_zero(r, r.body.operand(op, 0)) && replace_with_zero(r, op)
}

/// The factor of a scale, if it is the same constant in every lane.
fn constant_factor(r: &Rewriter<'_>, op: OpId) -> Option<f64> {
    let attr = constant_of(r.body, r.body.operand(op, 1))?;
    match attr.kind() {
        AttrKind::Dense(items, _) => {
            let first = items.first()?;
            if items.iter().all(|a| a == first) { first.as_float() } else { None }
        }
        _ => attr.as_float(),
    }
}

fn scale_by_constant(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let tangent = r.body.operand(op, 0);
    // Of -0 such a product makes 0.
    if ad::Strong::of(r.body, op).is_some() {
        return false;
    }
    match constant_factor(r, op) {
        Some(1.0) => r.replace_op(op, &[tangent]),
        Some(-1.0) => {
            let negated = ad::TNeg::build(&mut r.before(op), tangent, &[]);
            r.replace_op(op, &[negated])
        }
        _ => false,
    }
}

fn scale_by_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    constant_factor(r, op) == Some(0.0) && replace_with_zero(r, op)
}

fn negated_twice(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let inner = r.body.def_op(r.body.operand(op, 0)).and_then(|d| ad::TNeg::cast(r.body, d));
    inner.is_some_and(|n| {
        let x = n.tangent(r.body);
        r.replace_op(op, &[x])
    })
}

fn selected_same(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let s = ad::TSelect(op);
    let (a, b) = (s.a(r.body), s.b(r.body));
    if a == b {
        return r.replace_op(op, &[a]);
    }
    if is_symbolic_zero(r, a) && is_symbolic_zero(r, b) {
        return replace_with_zero(r, op);
    }
    let Some(condition) = constant_of(r.body, s.condition(r.body)) else { return false };
    let all = |wanted: bool| match condition.kind() {
        AttrKind::Dense(items, _) => items.iter().all(|c| c.as_bool() == Some(wanted)),
        _ => condition.as_bool() == Some(wanted),
    };
    if all(true) {
        return r.replace_op(op, &[a]);
    }
    all(false) && r.replace_op(op, &[b])
}

fn selected_twice(r: &mut Rewriter<'_>, op: OpId) -> bool {
    for n in [1, 2] {
        let inner = r.body.def_op(r.body.operand(op, n)).and_then(|d| ad::TSelect::cast(r.body, d));
        if let Some(inner) = inner
            && inner.condition(r.body) == r.body.operand(op, 0)
        {
            let taken = r.body.operand(inner.0, n);
            r.set_operand(op, n, taken);
            return true;
        }
    }
    false
}

fn accumulate_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    is_symbolic_zero(r, write.part) && r.replace_op(op, &[write.into])
}

fn accumulate_to_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    if !is_symbolic_zero(r, write.into) {
        return false;
    }
    let value = build_write(&mut r.before(op), write.part, write.into, &write.path, false);
    r.replace_op(op, &[value])
}

/// Outside of the aggregate neither write happens.
fn accumulate_to_cleared(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    let Some(inner) = r.body.def_op(write.into).and_then(|d| write_of(r.body, d)) else { return false };
    if inner.adds || inner.path != write.path || !is_symbolic_zero(r, inner.part) {
        return false;
    }
    let value = build_write(&mut r.before(op), write.part, inner.into, &write.path, false);
    r.replace_op(op, &[value])
}

fn read_of_accumulated(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(read) = read_of(r.body, op) else { return false };
    let Some(write) = r.body.def_op(read.from).and_then(|d| write_of(r.body, d)) else { return false };
    let equal = write.adds && relation(r.body, &write.path, &read.path) == Relation::Equal;
    // Every sum is taken out once: nothing else reads this part of it, and nothing reads the whole.
    let mut others = r.body.uses(read.from).iter().filter(|u| u.op != op);
    let once = others.all(|u| {
        let other = read_of(r.body, u.op).filter(|_| u.index == 0);
        other.is_some_and(|o| relation(r.body, &write.path, &o.path) == Relation::Disjoint)
    });
    if !equal || !once || !is_inside(r.body, r.body.ty(write.into), &write.path) {
        return false;
    }
    let ty = r.body.ty(r.body.result(op, 0));
    let mut b = r.before(op);
    let old = build_read(&mut b, write.into, &read.path, ty);
    let sum = ad::TAdd::build(&mut b, old, write.part, &[]);
    r.replace_op(op, &[sum])
}

fn wrapped_and_unwrapped(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(inner) = r.body.def_op(r.body.operand(op, 0)) else { return false };
    let opposite = if ad::Wrap::is(r.body, op) { ad::Unwrap::is(r.body, inner) } else { ad::Wrap::is(r.body, inner) };
    if !opposite {
        return false;
    }
    let value = r.body.operand(inner, 0);
    r.body.ty(value) == r.body.ty(r.body.result(op, 0)) && r.replace_op(op, &[value])
}

fn part_of_pair(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let pair = r.body.def_op(r.body.operand(op, 0)).and_then(|d| ad::MakePair::cast(r.body, d));
    pair.is_some_and(|p| {
        let part = if ad::Primal::is(r.body, op) { p.primal(r.body) } else { p.differential(r.body) };
        r.replace_op(op, &[part])
    })
}

fn pair_of_parts(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let def = |n: usize| r.body.def_op(r.body.operand(op, n));
    let primal = def(0).and_then(|d| ad::Primal::cast(r.body, d)).map(|p| p.pair(r.body));
    let differential = def(1).and_then(|d| ad::Differential::cast(r.body, d)).map(|d| d.pair(r.body));
    let same = primal.is_some() && primal == differential;
    let pair = primal.filter(|&p| same && r.body.ty(p) == r.body.ty(r.body.result(op, 0)));
    pair.is_some_and(|p| r.replace_op(op, &[p]))
}
