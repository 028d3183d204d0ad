//! Gates: zero masks as code.
//!
//! A value that was not used has a derivative of zero, and zero times an infinite partial is not a
//! number. So a zero that comes from control flow (the other arm of a select, a branch not taken, a
//! loop that ran no iteration) is told from one that was computed: with it goes a condition outside
//! of which it is an exact zero.
//!
//! For cotangents `zero_masks` finds these conditions before there is code, and transposition makes
//! gates of them. Linearization keeps gates of tangents as it goes, and takes products with
//! partials that can be infinite where the operand is finite under them. They follow tangents
//! through sums (either was let through), selects within selects (both), out of branches and out of
//! loops (any iteration).
//!
//! A write at an index out of range is not made and a read there gives zero: such a place is one
//! that control flow leaves out ([`inside`]).

use crate::analysis::access::{Step, count, read_of, write_of};
use crate::analysis::ranges::is_surely_inside;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, as_tangent, strip_tangent};
use caustic_dialects::agg::{as_array, part_type};
use caustic_dialects::{arith, scf};
use caustic_ir::{Attr, AttrKind, Body, Builder, OpId, Type, ValueId};

/// How far it is followed what a condition implies.
const MOST_STEPS: usize = 4;

/// A cotangent, or a tangent, that is zero unless the condition has this value. The condition may
/// be a vector: it speaks about lanes then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    pub condition: ValueId,
    pub when: bool,
}

/// Whether two values are one, or are computed in the same way from the same.
fn is_same(body: &Body, x: ValueId, y: ValueId) -> bool {
    let ops = body.def_op(x).zip(body.def_op(y));
    x == y
        || ops.is_some_and(|(x, y)| {
            let (a, b) = (body.op(x), body.op(y));
            let alike = std::ptr::eq(a.def, b.def) && a.operands == b.operands && a.attrs == b.attrs;
            alike && a.def.is_pure() && a.regions.is_empty() && a.results.len() == 1
        })
}

impl Gate {
    pub fn when(condition: ValueId) -> Gate {
        Gate { condition, when: true }
    }

    /// What the condition of a select tells, on one of its sides.
    pub fn side(condition: ValueId, when: bool) -> Gate {
        Gate { condition, when }
    }

    /// Whether it speaks about the whole cotangent.
    pub fn is_scalar(self, b: &Builder<'_>) -> bool {
        b.ty(self.condition) == Type::i1()
    }

    /// The gate as a boolean.
    pub fn value(self, b: &mut Builder<'_>) -> ValueId {
        if self.when {
            return self.condition;
        }
        let ty = b.ty(self.condition);
        let all = if ty.is_scalar() { arith::bool(b, true) } else { arith::int(b, 1, ty) };
        arith::XOrI::build(b, self.condition, all, &[])
    }

    /// The same without the negations that its condition is made by.
    fn plain(self, body: &Body) -> Gate {
        let negated = body.def_op(self.condition).filter(|&op| arith::XOrI::is(body, op));
        let of = negated.filter(|&op| {
            let is_true = |a: &Attr| a.as_bool() == Some(true) || a.as_int().is_some_and(|v| v & 1 == 1);
            let all = arith::constant_of(body, body.operand(op, 1));
            all.is_some_and(|a| match a.kind() {
                AttrKind::Dense(items, _) => items.iter().all(is_true),
                _ => is_true(&a),
            })
        });
        match of {
            Some(op) => Gate { condition: body.operand(op, 0), when: !self.when }.plain(body),
            None => self,
        }
    }

    /// Whether it is open only where the other one is, as far as conditions and branches say so.
    fn implies(self, body: &Body, other: Gate, depth: usize) -> bool {
        let (plain, other) = (self.plain(body), other.plain(body));
        if plain.when == other.when && is_same(body, plain.condition, other.condition) {
            return true;
        }
        let either = body.def_op(other.condition).filter(|&op| other.when && depth > 0 && arith::OrI::is(body, op));
        if either.is_some_and(|op| body.operands(op).iter().any(|&c| self.implies(body, Gate::when(c), depth - 1))) {
            return true;
        }
        let Some(op) = body.def_op(self.condition).filter(|_| self.when && depth > 0) else { return false };
        if arith::AndI::is(body, op) {
            return body.operands(op).iter().any(|&c| Gate::when(c).implies(body, other, depth - 1));
        }
        let Some(index) = body.results(op).iter().position(|&r| r == self.condition) else { return false };
        scf::If::is(body, op)
            && [true, false].into_iter().enumerate().all(|(arm, when)| {
                let end = body.region_block(op, arm).and_then(|block| body.terminator(block));
                let given = end.and_then(|end| body.operands(end).get(index).copied());
                let never = given.and_then(|v| arith::constant_of(body, v)).and_then(|a| a.as_bool()) == Some(false);
                never
                    || Gate::side(body.operand(op, 0), when).implies(body, other, depth - 1)
                    || given.is_some_and(|v| Gate::when(v).implies(body, other, depth - 1))
            })
    }

    /// Open where either is; `None` if that is everywhere, or not known.
    pub fn or(self, b: &mut Builder<'_>, other: Gate) -> Option<Gate> {
        if other.implies(b.body, self, MOST_STEPS) {
            return Some(self);
        }
        if self.implies(b.body, other, MOST_STEPS) {
            return Some(other);
        }
        // Where one is closed the other is open.
        if (Gate { when: !other.when, ..other }).implies(b.body, self, MOST_STEPS) {
            return None;
        }
        let ty = b.ty(self.condition);
        if self.condition == other.condition || ty != b.ty(other.condition) || as_array(ty).is_some() {
            return None;
        }
        let (x, y) = (self.value(b), other.value(b));
        Some(Gate::when(arith::OrI::build(b, x, y, &[])))
    }

    /// Open where both are. Where the two speak about different shapes, the inner one is kept: less
    /// is known then, not something wrong.
    pub fn and(self, b: &mut Builder<'_>, inner: Gate) -> Gate {
        if b.ty(self.condition) != b.ty(inner.condition) {
            return inner;
        }
        if self.condition == inner.condition && self.when == inner.when {
            return inner;
        }
        let (x, y) = (self.value(b), inner.value(b));
        Gate::when(arith::AndI::build(b, x, y, &[]))
    }

    /// The cotangent where the gate is open, an exact zero where it is not.
    #[mutant(Site::GateOpen => cotangent)]
    pub fn select(self, b: &mut Builder<'_>, cotangent: ValueId) -> ValueId {
        let ty = b.ty(cotangent);
        // A gate on lanes applies to values of that shape only.
        let condition_ty = b.ty(self.condition);
        if condition_ty.is_vector() && as_tangent(ty).map(|t| t.shape()) != Some(condition_ty.shape()) {
            return cotangent;
        }
        let zero = ad::TZero::build(b, ty, &[]);
        let (x, y) = select_operands(self.when, cotangent, zero);
        ad::TSelect::build(b, self.condition, x, y, &[])
    }
}

/// What stands where a condition holds and where it does not, if a gate is open where it is `when`.
#[mutant(Site::GateFlipped with when = !when)]
fn select_operands(when: bool, open: ValueId, closed: ValueId) -> (ValueId, ValueId) {
    if when { (open, closed) } else { (closed, open) }
}

/// Whether something has flowed to a value or to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    Never,
    Always,
    If(Gate),
}

impl Reached {
    /// Whether it is known where the program is compiled.
    pub fn is_known(self) -> bool {
        !matches!(self, Reached::If(_))
    }

    pub fn flag(self, b: &mut Builder<'_>) -> ValueId {
        match self {
            Reached::Never => arith::bool(b, false),
            Reached::Always => arith::bool(b, true),
            Reached::If(gate) => gate.value(b),
        }
    }

    /// By either of two ways.
    pub fn or(self, b: &mut Builder<'_>, other: Reached) -> Reached {
        match (self, other) {
            (Reached::Never, r) | (r, Reached::Never) => r,
            (Reached::If(g), Reached::If(h)) => g.or(b, h).map_or(Reached::Always, Reached::If),
            _ => Reached::Always,
        }
    }

    /// Where a gate is open, too.
    pub fn behind(self, b: &mut Builder<'_>, gate: Gate) -> Reached {
        match self {
            Reached::Never => Reached::Never,
            Reached::Always => Reached::If(gate),
            Reached::If(inner) => Reached::If(gate.and(b, inner)),
        }
    }
}

/// Whether the place that an op of `src` reads or writes is one for sure.
#[mutant(Site::GateInside => true)]
pub fn is_inside(src: &Body, op: OpId) -> bool {
    let read = read_of(src, op).map(|r| (r.from, r.path));
    let Some((whole, path)) = read.or_else(|| write_of(src, op).map(|w| (w.into, w.path))) else { return true };
    let dynamic = path.iter().any(|step| matches!(step, Step::By(_)));
    !dynamic || is_surely_inside(src, op, strip_tangent(src.ty(whole)), &path)
}

/// Whether it has to be asked if the place that an op of `src` reads or writes is one: whether
/// [`inside`] gives a gate.
pub fn may_be_outside(src: &Body, op: OpId) -> bool {
    let read = read_of(src, op).map(|r| (r.from, r.path));
    let Some((whole, path)) = read.or_else(|| write_of(src, op).map(|w| (w.into, w.path))) else { return false };
    let (mut ty, mut asks) = (strip_tangent(src.ty(whole)), false);
    for step in &path {
        asks |= matches!(step, Step::By(_)) && count(ty).is_some();
        let at = if let Step::At(i) = step { *i } else { 0 };
        let Some(part) = part_type(ty, at) else { return false };
        ty = part;
    }
    asks && !is_inside(src, op)
}

/// Whether the place that an op of `src` reads or writes is one at all: `None` if it is for sure.
/// `new` gives an index in the code that is built.
pub fn inside(b: &mut Builder<'_>, src: &Body, op: OpId, new: &dyn Fn(ValueId) -> ValueId) -> Option<Gate> {
    let read = read_of(src, op).map(|r| (r.from, r.path));
    let (whole, path) = read.or_else(|| write_of(src, op).map(|w| (w.into, w.path)))?;
    if is_inside(src, op) {
        return None;
    }
    let mut ty = strip_tangent(src.ty(whole));
    let mut all: Option<Gate> = None;
    for step in &path {
        // A tape has every element that is asked for.
        if let (Step::By(index), Some(count)) = (step, count(ty)) {
            let mut index = new(*index);
            if b.ty(index) != Type::index() {
                // Indices are sign-extended, but for i1.
                index = match b.ty(index) == Type::i1() {
                    true => arith::IndexCastUI::build(b, index, Type::index(), &[]),
                    false => arith::IndexCast::build(b, index, Type::index(), &[]),
                };
            }
            let count = arith::index(b, count);
            // What is below zero is a large number.
            let here = Gate::when(arith::cmpi(b, arith::IntPredicate::Ult, index, count));
            all = Some(all.map_or(here, |outer| outer.and(b, here)));
        }
        let at = if let Step::At(i) = step { *i } else { 0 };
        ty = part_type(ty, at)?;
    }
    all
}
