//! Conditions under which cotangents are exact zeros, as symbols: the code that computes them does
//! not stand yet.
//!
//! A condition names the value that it will be: a value of the primal code, a flag that some op of
//! the transposed code gives, or a combination of others. Each call of [`Predicates::or`] and its
//! kin makes a new condition, as each makes new code. What a condition implies is read off what it
//! is made of.
//!
//! This module must not know: cotangents, and how the code of a condition is built.

use super::Mask;
use caustic_dialects::{arith, scf};
use caustic_ir::{Body, OpId, Type, ValueId};
use rustc_hash::FxHashMap;

/// How far it is followed what a condition implies.
const MAX_IMPLICATION_STEPS: usize = 4;

/// A condition, by its number.
pub type ConditionId = usize;

/// Holds where the condition has this value. The condition may be a vector: it speaks about lanes
/// then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    pub condition: ConditionId,
    pub when: bool,
}

/// Which value a condition is.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A value of the code that is transposed.
    Primal(ValueId),
    /// A reached flag: a value that the transposed code of an op gives, or an argument. The
    /// transposer says which, as it makes it.
    Flag,
    /// A reached flag that an `if` under `condition` gives, with what is known of it at the end of
    /// each arm.
    Arms {
        condition: ConditionId,
        ends: [Mask; 2],
    },
    Not(Predicate),
    And(Predicate, Predicate),
    Or(Predicate, Predicate),
    /// A part of a condition on lanes.
    Lane(ConditionId, Vec<i64>),
    /// The index of a write is in range.
    Inside(OpId),
    /// A loop with this trip count runs an iteration.
    Runs(ValueId),
    /// The cotangent of a value is not zero.
    Nonzero(ValueId),
}

struct Node {
    condition: Condition,
    ty: Type,
}

/// All conditions of one linear half.
#[derive(Default)]
pub struct Predicates {
    nodes: Vec<Node>,
    primal: FxHashMap<ValueId, ConditionId>,
}

impl Predicates {
    pub fn get(&self, id: ConditionId) -> &Condition {
        &self.nodes[id].condition
    }

    fn new_condition(&mut self, condition: Condition, ty: Type) -> Predicate {
        self.nodes.push(Node { condition, ty });
        Predicate { condition: self.nodes.len() - 1, when: true }
    }

    /// A new condition that is one boolean.
    pub fn scalar(&mut self, condition: Condition) -> Predicate {
        self.new_condition(condition, Type::i1())
    }

    /// That a primal value is `when`.
    pub fn primal(&mut self, src: &Body, value: ValueId, when: bool) -> Predicate {
        if let Some(&condition) = self.primal.get(&value) {
            return Predicate { condition, when };
        }
        let Predicate { condition, .. } = self.new_condition(Condition::Primal(value), src.ty(value));
        self.primal.insert(value, condition);
        Predicate { condition, when }
    }

    /// The predicate as one that holds where its condition does.
    pub fn positive(&mut self, p: Predicate) -> Predicate {
        if p.when {
            return p;
        }
        self.new_condition(Condition::Not(p), self.ty(p))
    }

    /// The part of a condition on lanes at a path.
    pub fn lane(&mut self, p: Predicate, steps: &[i64]) -> Predicate {
        let ty = self.ty(p);
        let shape = ty.shape();
        let part = if steps.len() >= shape.len() { ty.elem() } else { Type::vector(&shape[steps.len()..], ty.elem()) };
        let lane = self.new_condition(Condition::Lane(p.condition, steps.to_vec()), part);
        Predicate { when: p.when, ..lane }
    }

    pub fn ty(&self, p: Predicate) -> Type {
        self.nodes[p.condition].ty
    }

    /// Whether it speaks about a cotangent as a whole.
    pub fn is_scalar(&self, p: Predicate) -> bool {
        self.ty(p).is_scalar()
    }

    /// Holds where both do. Where the two speak about different shapes, the inner one is kept: less
    /// is known then, not something wrong.
    pub fn and(&mut self, outer: Predicate, inner: Predicate) -> Predicate {
        if self.ty(outer) != self.ty(inner) || outer == inner {
            return inner;
        }
        self.new_condition(Condition::And(outer, inner), self.ty(outer))
    }

    /// Holds where either does; `None` if that is everywhere, or not known.
    pub fn or(&mut self, src: &Body, p: Predicate, q: Predicate) -> Option<Predicate> {
        if self.implies(src, q, p, MAX_IMPLICATION_STEPS) {
            return Some(p);
        }
        if self.implies(src, p, q, MAX_IMPLICATION_STEPS) {
            return Some(q);
        }
        if p.condition == q.condition || self.ty(p) != self.ty(q) {
            return None;
        }
        Some(self.new_condition(Condition::Or(p, q), self.ty(p)))
    }

    /// Whether `p` holds only where `q` does, as far as conditions and branches say so.
    fn implies(&self, src: &Body, p: Predicate, q: Predicate, depth: usize) -> bool {
        if p == q {
            return true;
        }
        if !p.when || depth == 0 {
            return false;
        }
        match &self.nodes[p.condition].condition {
            Condition::And(x, y) => [*x, *y].into_iter().any(|x| x.when && self.implies(src, x, q, depth - 1)),
            Condition::Arms { condition, ends } => ends.iter().zip([true, false]).all(|(end, when)| {
                let by_end = match *end {
                    Mask::Zero => true,
                    Mask::Masked(inner) => inner.when && self.implies(src, inner, q, depth - 1),
                    Mask::Dense => false,
                };
                by_end || self.implies(src, Predicate { condition: *condition, when }, q, depth - 1)
            }),
            Condition::Primal(value) => self.value_implies(src, (*value, true), q, depth),
            _ => false,
        }
    }

    /// [`Self::implies`], of a primal value that is `when`.
    fn value_implies(&self, src: &Body, (value, when): (ValueId, bool), q: Predicate, depth: usize) -> bool {
        let same = matches!(self.nodes[q.condition].condition, Condition::Primal(other) if other == value);
        if same && q.when == when {
            return true;
        }
        let Some(op) = src.def_op(value).filter(|_| when && depth > 0) else { return false };
        if arith::AndI::is(src, op) {
            return src.operands(op).iter().any(|&c| self.value_implies(src, (c, true), q, depth - 1));
        }
        let Some(index) = src.results(op).iter().position(|&r| r == value) else { return false };
        scf::If::is(src, op)
            && [true, false].into_iter().enumerate().all(|(arm, when)| {
                let end = src.region_block(op, arm).and_then(|block| src.terminator(block));
                let given = end.and_then(|end| src.operands(end).get(index).copied());
                let never = given.and_then(|v| arith::constant_of(src, v)).and_then(|a| a.as_bool()) == Some(false);
                never
                    || self.value_implies(src, (src.operand(op, 0), when), q, depth - 1)
                    || given.is_some_and(|v| self.value_implies(src, (v, true), q, depth - 1))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, Mask, Predicate, Predicates};
    use caustic_ir::{Body, Type};

    #[test]
    fn what_is_implied_adds_nothing() {
        let (src, mut known) = (Body::new(), Predicates::default());
        let (p, q) = (known.scalar(Condition::Flag), known.scalar(Condition::Flag));
        let both = known.and(p, q);
        assert_eq!(known.or(&src, p, both), Some(p));
        assert_eq!(known.or(&src, both, q), Some(q));
        let either = known.or(&src, p, q);
        assert!(either.is_some_and(|e| e != p && e != q));
        // The two sides of one condition are everywhere.
        assert_eq!(known.or(&src, p, Predicate { when: false, ..p }), None);
    }

    #[test]
    fn a_flag_of_a_branch_implies_its_side() {
        let (src, mut known) = (Body::new(), Predicates::default());
        let (side, inner) = (known.scalar(Condition::Flag), known.scalar(Condition::Flag));
        let arms = |ends| Condition::Arms { condition: side.condition, ends };
        let taken = known.scalar(arms([Mask::Masked(inner), Mask::Zero]));
        assert_eq!(known.or(&src, side, taken), Some(side));
        assert_eq!(known.or(&src, inner, taken), Some(inner));
        let whole = known.scalar(arms([Mask::Dense, Mask::Masked(inner)]));
        assert!(known.or(&src, side, whole).is_some_and(|e| e != side));
    }

    #[test]
    fn a_mask_on_lanes_is_none_of_the_whole() {
        let (src, mut known) = (Body::new(), Predicates::default());
        let lanes = known.new_condition(Condition::Flag, Type::vector(&[3], Type::i1()));
        let lane = known.lane(lanes, &[1]);
        assert!(!known.is_scalar(lanes) && known.is_scalar(lane));
        let whole = known.scalar(Condition::Flag);
        assert_eq!(known.or(&src, lanes, whole), None);
        assert_eq!(known.and(lanes, whole), whole);
    }
}
