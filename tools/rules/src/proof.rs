//! Whether an equality follows from others: both sides in an e-graph, with what the conditions say
//! of the variables.

use crate::ops::{Sort, Widths};
use crate::rule::Rule;
use crate::samples::all_of;
use caustic_ir::eval::Val;
use caustic_ir::fact::{Fact, FloatFact, Kinds};
use caustic_ir::{FloatKind, Type};
use caustic_passes::egraph::ask::{Effort, Question, Theory};
use caustic_passes::rows::{About, Condition};

/// Floats in which least is true by chance, and integers of which facts are found by trying all.
const WIDTHS: fn() -> Widths = || Widths { float: Type::f64(), int: Type::int(8) };

/// Whether the theory makes both sides one, whatever predicate is kept.
pub fn follows(theory: &Theory<'_>, rule: &Rule, effort: Effort) -> bool {
    let widths = WIDTHS();
    let vars: Vec<(Type, Fact)> =
        rule.sorts.iter().enumerate().map(|(v, &sort)| (widths.of(sort), fact(sort, v, &rule.parsed.when))).collect();
    rule.instances().iter().all(|(left, right)| {
        theory.proves(&Question { left, right, vars: &vars, result: widths.of(rule.result) }, effort)
    })
}

/// What the conditions on one variable say of it.
fn fact(sort: Sort, var: usize, when: &[Condition]) -> Fact {
    let ty = WIDTHS().of(sort);
    let own = |c: &&Condition| c.predicate.about == About::Values && matches!(c.vars[..], [v] if v as usize == var);
    let own: Vec<&Condition> = when.iter().filter(own).collect();
    let holds = |value: &Val| own.iter().all(|c| (c.predicate.by_value)(std::slice::from_ref(value), &[ty]));
    if own.is_empty() {
        return Fact::top(ty);
    }
    match all_of(ty) {
        Some(all) => {
            let constants = all.iter().filter(|v| holds(v)).filter_map(|v| v.to_attr(ty)).map(Fact::constant);
            constants.reduce(Fact::join).unwrap_or(Fact::top(ty))
        }
        None => float_fact(&holds).map_or(Fact::top(ty), Fact::Float),
    }
}

/// The kinds of floats of which it holds: a number of a kind stands for all of it.
fn float_fact(holds: &dyn Fn(&Val) -> bool) -> Option<FloatFact> {
    let least = f64::from_bits(1);
    let numbers = [0.0, least, 3.0 * least, 1.0, 1.5, f64::MAX, f64::INFINITY];
    let mut kinds = Kinds::NONE;
    for x in numbers.into_iter().flat_map(|x| [x, -x]).chain([f64::NAN]) {
        let kind = Kinds::of(x, FloatKind::F64);
        if holds(&Val::Float(x)) {
            // Of a kind of which it holds for some numbers only, more is allowed than need be.
            kinds = kinds | kind;
        }
    }
    FloatFact::new(FloatKind::F64, kinds, f64::NEG_INFINITY, f64::INFINITY)
}
