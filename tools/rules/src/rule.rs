//! An equality as it is proposed: two terms, the sorts of their variables, conditions.

use crate::ops::{Sort, Widths, short_name};
use crate::program::{Program, same};
use crate::samples::{Amount, all_inputs};
use caustic_dialects::arith::{CmpI, FloatPredicate, IntPredicate};
use caustic_ir::eval::Val;
use caustic_ir::{OpDef, Type};
use caustic_passes::rows::typing::operand_type;
use caustic_passes::rows::{About, Compare, Condition, NodeTerm, Parsed, Term};
use std::fmt::Write;

/// An equality of terms. A kept predicate stands for all that there are.
#[derive(Clone, Debug)]
pub struct Rule {
    pub parsed: Parsed,
    pub sorts: Vec<Sort>,
    pub result: Sort,
}

impl Rule {
    /// With the variables numbered as they come up in the left side. `None` if the right side has
    /// one that the left side lacks.
    pub fn new(left: &Term, right: &Term, when: &[Condition], sorts: &[Sort], result: Sort) -> Option<Rule> {
        let mut order: Vec<u8> = Vec::new();
        variables(left, &mut order);
        let number = |v: u8| order.iter().position(|&o| o == v).and_then(|n| u8::try_from(n).ok());
        let right = renamed(right, &number)?;
        let left = renamed(left, &number)?;
        let when: Option<Vec<Condition>> = when
            .iter()
            .map(|c| {
                let vars: Option<Vec<u8>> = c.vars.iter().map(|&v| number(v)).collect();
                Some(Condition { predicate: c.predicate, vars: vars? })
            })
            .collect();
        let sorts: Option<Vec<Sort>> = order.iter().map(|&v| sorts.get(v as usize).copied()).collect();
        let sorts = sorts?;
        let variables = names(&sorts);
        let parsed = Parsed { left, right, when: when?, variables, predicates: 0 };
        Some(Rule { parsed, sorts, result })
    }

    /// What it says, with each predicate that it keeps.
    pub fn instances(&self) -> Vec<(Term, Term)> {
        instances(&self.parsed)
    }

    /// Whether both sides are the same bits wherever the conditions hold, in every width.
    pub fn holds(&self, amount: Amount) -> bool {
        let instances = self.instances();
        self.typings().iter().all(|widths| instances.iter().all(|(l, r)| self.holds_of(l, r, *widths, amount)))
    }

    fn holds_of(&self, left: &Term, right: &Term, widths: Widths, amount: Amount) -> bool {
        let types: Vec<Type> = self.sorts.iter().map(|&s| widths.of(s)).collect();
        let result = widths.of(self.result);
        let sides = Program::of(left, &types, result).zip(Program::of(right, &types, result));
        let Some((left, right)) = sides else { return false };
        let mut stack = Vec::new();
        let values = self.parsed.when.iter().filter(|c| c.predicate.about != About::Code);
        let when: Vec<&Condition> = values.collect();
        all_inputs(&types, amount, |vars| {
            if !when.iter().all(|c| c.by_value(vars, &types)) {
                return true;
            }
            let left: Option<Val> = left.run(vars, &mut stack);
            left.zip(right.run(vars, &mut stack)).is_some_and(|(l, r)| same(&l, &r))
        })
    }

    /// The widths in which it has to hold. Booleans are integers too, where its numbers are numbers
    /// of theirs.
    fn typings(&self) -> Vec<Widths> {
        let (mut floats, mut ints, mut wide) = (false, false, false);
        let mut sorts = |sort: Sort, number: Option<f64>| {
            floats |= sort == Sort::Float;
            ints |= sort == Sort::Int;
            wide |= sort == Sort::Int && number.is_some_and(|n| n != 0.0 && n != 1.0);
        };
        self.sorts.iter().for_each(|&s| sorts(s, None));
        for side in [&self.parsed.left, &self.parsed.right] {
            self.visit(side, self.result, &mut sorts);
        }
        let mut out = vec![Widths::narrow()];
        if floats || ints {
            out.push(Widths { float: Type::f32(), int: Type::i32() });
            out.push(Widths { float: Type::f64(), int: Type::i64() });
        }
        if ints && !wide {
            out.push(Widths { float: Type::f16(), int: Type::i1() });
        }
        out
    }

    fn visit(&self, term: &Term, sort: Sort, found: &mut dyn FnMut(Sort, Option<f64>)) {
        match term {
            Term::Var(_) => {}
            Term::Literal(n) => found(sort, Some(*n)),
            Term::Node(node) => {
                found(sort, None);
                for (n, arg) in node.args.iter().enumerate() {
                    if let Some(sort) = self.operand_sort(node, n, sort) {
                        self.visit(arg, sort, found);
                    }
                }
            }
        }
    }

    fn operand_sort(&self, node: &NodeTerm, n: usize, result: Sort) -> Option<Sort> {
        let widths = Widths::narrow();
        let vars = |v: u8| self.sorts.get(v as usize).map(|&s| widths.of(s));
        let ty = operand_type(node, n, &vars, Some(widths.of(result)))?;
        Sort::ALL.into_iter().find(|&s| widths.of(s) == ty)
    }

    /// The rule as a row, without a name, a class and a use.
    pub fn text(&self) -> String {
        let (left, right) =
            (self.written(&self.parsed.left, self.result), self.written(&self.parsed.right, self.result));
        let mut out = format!("{left} = {right}");
        for (n, c) in self.parsed.when.iter().enumerate() {
            let vars: Vec<&str> =
                c.vars.iter().filter_map(|&v| self.parsed.variables.get(v as usize)).map(String::as_str).collect();
            let _ = write!(out, "{} {}({})", if n == 0 { " if" } else { "," }, c.predicate.name, vars.join(", "));
        }
        out
    }

    fn written(&self, term: &Term, sort: Sort) -> String {
        match term {
            Term::Var(v) => self.parsed.variables.get(*v as usize).cloned().unwrap_or_default(),
            Term::Literal(n) if sort == Sort::Bool => (*n != 0.0).to_string(),
            Term::Literal(n) if n.is_sign_negative() => format!("({n})"),
            Term::Literal(n) => n.to_string(),
            Term::Node(node) => {
                let mut out = format!("({}", short_name(node.def));
                if let Some(compare) = node.compare {
                    let _ = write!(out, " {}", predicate_text(compare));
                }
                for (n, arg) in node.args.iter().enumerate() {
                    let sort = self.operand_sort(node, n, sort).unwrap_or(sort);
                    let _ = write!(out, " {}", self.written(arg, sort));
                }
                out + ")"
            }
        }
    }
}

fn predicate_text(compare: Compare) -> String {
    match compare {
        Compare::Int(p) => p.keyword().to_string(),
        Compare::Float(p) => p.keyword().to_string(),
        Compare::Any(_) => "p".to_string(),
        Compare::Swapped(_) => "(swapped p)".to_string(),
        Compare::Inverse(_) => "(inverse p)".to_string(),
    }
}

/// Booleans are conditions, all else is a number.
fn names(sorts: &[Sort]) -> Vec<String> {
    let (mut conditions, mut numbers) = (["c", "d", "e", "f"].iter(), ["x", "y", "z", "w"].iter());
    let mut name = |sort: &Sort| if *sort == Sort::Bool { conditions.next() } else { numbers.next() };
    sorts.iter().enumerate().map(|(n, s)| name(s).map_or(format!("v{n}"), |s| s.to_string())).collect()
}

/// The variables of a term, in the order in which they come up.
pub fn variables(term: &Term, out: &mut Vec<u8>) {
    match term {
        Term::Var(v) if !out.contains(v) => out.push(*v),
        Term::Node(node) => node.args.iter().for_each(|a| variables(a, out)),
        _ => {}
    }
}

/// The term with other numbers for its variables.
fn renamed(term: &Term, number: &dyn Fn(u8) -> Option<u8>) -> Option<Term> {
    Some(match term {
        Term::Var(v) => Term::Var(number(*v)?),
        Term::Literal(n) => Term::Literal(*n),
        Term::Node(node) => {
            let args: Option<Vec<Term>> = node.args.iter().map(|a| renamed(a, number)).collect();
            Term::Node(NodeTerm { args: args?, label: None, ..node.clone() })
        }
    })
}

/// Whether an op compares integers.
pub fn compares_ints(def: &OpDef) -> bool {
    std::ptr::eq(def, CmpI::DEF)
}

/// Both sides of an equality with each predicate that it may keep in the place of its only one.
pub fn instances(parsed: &Parsed) -> Vec<(Term, Term)> {
    if parsed.predicates == 0 {
        return vec![(parsed.left.clone(), parsed.right.clone())];
    }
    let ints = kept_of(&parsed.left).is_some_and(compares_ints);
    let count = if ints { IntPredicate::ALL.len() } else { FloatPredicate::ALL.len() };
    let with = |term: &Term, p: i64| compared(term, &|c, def| fixed(c, def, p));
    (0..count as i64).filter_map(|p| with(&parsed.left, p).zip(with(&parsed.right, p))).collect()
}

/// The comparison whose predicate is kept.
fn kept_of(term: &Term) -> Option<&'static OpDef> {
    let Term::Node(node) = term else { return None };
    match node.compare {
        Some(Compare::Any(_)) => Some(node.def),
        _ => node.args.iter().find_map(kept_of),
    }
}

/// How a comparison compares where the kept predicate is this one.
pub fn fixed(compare: Compare, def: &OpDef, predicate: i64) -> Option<Compare> {
    let number = compare.number(def, &[predicate, predicate])?;
    let int = || IntPredicate::from_number(number).map(Compare::Int);
    if compares_ints(def) { int() } else { FloatPredicate::from_number(number).map(Compare::Float) }
}

/// The term with other comparisons.
pub fn compared(term: &Term, other: &dyn Fn(Compare, &'static OpDef) -> Option<Compare>) -> Option<Term> {
    let Term::Node(node) = term else { return Some(term.clone()) };
    let args: Option<Vec<Term>> = node.args.iter().map(|a| compared(a, other)).collect();
    let compare = match node.compare {
        Some(compare) => Some(other(compare, node.def)?),
        None => None,
    };
    Some(Term::Node(NodeTerm { args: args?, compare, label: None, ..node.clone() }))
}
