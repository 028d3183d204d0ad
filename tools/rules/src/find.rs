//! Looks for equalities that those which are known do not make: terms of a course by size, what of
//! them is equal, and of that the fewest that the rest follows from.
//!
//! What is accepted is true as far as inputs can show, in every width ([`Rule::holds`]), and does
//! not follow from what was known or accepted before ([`follows`]).

use crate::courses::Course;
use crate::generalize::generalized;
use crate::known::{CONSTANTS, folds};
use crate::ops::{Sort, Symbol, Widths, symbols};
use crate::proof::follows;
use crate::reduce::Reducer;
use crate::rule::{Rule, variables};
use crate::samples::{Amount, Random, specials};
use crate::terms::{Raw, Terms, class_where};
use caustic_ir::Type;
use caustic_ir::eval::Val;
use caustic_ir::fact::Fact;
use caustic_passes::analysis::costs::{Costs, Machine};
use caustic_passes::egraph::ask::{Effort, Theory};
use caustic_passes::rows::condition::PREDICATES;
use caustic_passes::rows::{About, Class, Condition, Known, Parsed, Predicate, Row, Term, Use};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// What a search may use and spend.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Terms of a course that are evaluated.
    pub terms: usize,
    /// Ops in a term, where a course allows more.
    pub size: usize,
    /// Inputs on which what is proposed has to hold.
    pub amount: Amount,
    pub effort: Effort,
    /// How far what was found is looked through at the end for what follows from the rest.
    pub last_effort: Effort,
    /// Proofs that are tried in a course. What is left then is counted and not looked at.
    pub proofs: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            terms: 3_000_000,
            size: usize::MAX,
            amount: Amount { combinations: 1 << 17, random: 1 << 14 },
            effort: Effort { nodes: 300, rounds: 3 },
            last_effort: Effort { nodes: 1_000, rounds: 5 },
            proofs: 20_000,
        }
    }
}

/// What is known, and what was found.
pub struct Finder {
    budget: Budget,
    costs: &'static Costs,
    rows: Vec<(&'static Row, &'static Parsed)>,
    folds: Vec<Rule>,
    /// What was accepted, of all courses.
    pub found: Vec<Rule>,
}

/// What a course came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub terms: usize,
    pub classes: usize,
    pub candidates: usize,
    pub proofs: usize,
    pub refuted: usize,
    pub accepted: usize,
    /// The largest size of which all terms were looked at.
    pub whole: usize,
    /// Candidates that were left when proofs ran out.
    pub left: usize,
}

/// A course while it is under way.
struct Search {
    terms: Terms,
    reducer: Reducer,
    sorts: Vec<Sort>,
    outcome: Outcome,
    /// Texts of what was looked at.
    seen: FxHashSet<String>,
}

impl Finder {
    /// With these rows and what ops fold to; without both if `rows` is `None`.
    pub fn new(rows: Option<Vec<&'static Row>>, costs: Machine, budget: Budget) -> Finder {
        let folds = if rows.is_some() { folds(&symbols()) } else { Vec::new() };
        let exact = rows.unwrap_or_default().into_iter().filter(|r| r.class == Class::Exact);
        let rows = exact.filter_map(|r| Some((r, r.parsed()?))).collect();
        Finder { budget, costs: Costs::of_machine(costs), rows, folds, found: Vec::new() }
    }

    /// All that is known by now.
    pub fn theory(&self) -> Theory<'_> {
        let mut theory = self.known();
        self.found.iter().for_each(|rule| theory.add("found", Class::Exact, used(&rule.parsed), &rule.parsed));
        theory
    }

    /// What was known at the beginning.
    fn known(&self) -> Theory<'_> {
        let mut theory = Theory::default();
        for (row, parsed) in &self.rows {
            theory.add(row.name, Class::Exact, row.used, parsed);
        }
        self.folds.iter().for_each(|rule| theory.add("folds", Class::Exact, used(&rule.parsed), &rule.parsed));
        theory
    }

    /// What an op costs alone on the machine.
    fn cost_of(&self, symbol: &Symbol) -> u32 {
        let widths = Widths { float: Type::f32(), int: Type::i32() };
        self.costs.of(symbol.def, widths.of(symbol.result), &[]).alone()
    }

    pub fn cost(&self, term: &Term) -> u32 {
        let Term::Node(node) = term else { return 0 };
        let own = self.costs.of(node.def, Type::f32(), &[]).alone();
        node.args.iter().map(|a| self.cost(a)).fold(own, u32::saturating_add)
    }

    /// Looks through a course. What it accepts stands in `found`.
    pub fn run(&mut self, course: &Course) -> Outcome {
        let before = self.found.len();
        let mut search = self.start(course);
        let size = course.size.min(self.budget.size);
        let assuming = course.size_assuming.min(size);
        for n in 1..=size {
            let room = self.budget.terms.saturating_sub(search.terms.evaluated);
            let level = search.terms.grow(&search.reducer, n < size || n <= assuming, room);
            search.outcome.whole += usize::from(level.is_whole);
            search.outcome.candidates += level.candidates.len();
            self.select(&mut search, level.candidates, &[]);
            if !level.is_whole {
                break;
            }
        }
        if assuming > 0 {
            let given = conditions(&search);
            for when in given {
                self.assuming(&mut search, &when, assuming);
            }
        }
        search.outcome.terms = search.terms.evaluated;
        search.outcome.classes = search.terms.nodes.len();
        search.outcome.accepted = self.found.len() - before;
        search.outcome
    }

    /// Leaves out of what was found what the rest proves with more effort, the least general first.
    /// How many were left out.
    pub fn minimize(&mut self) -> usize {
        let before = self.found.len();
        let mut order: Vec<usize> = (0..before).collect();
        order.sort_by_cached_key(|&n| Reverse(generality(&self.found[n])));
        let mut kept = vec![true; before];
        for n in order {
            kept[n] = false;
            let mut theory = self.known();
            let others = self.found.iter().zip(&kept).filter(|(_, kept)| **kept);
            others.for_each(|(rule, _)| theory.add("found", Class::Exact, used(&rule.parsed), &rule.parsed));
            kept[n] = !follows(&theory, &self.found[n], self.budget.last_effort);
        }
        let mut kept = kept.iter();
        self.found.retain(|_| kept.next().copied().unwrap_or(true));
        before - self.found.len()
    }

    fn start(&self, course: &Course) -> Search {
        let sorts: Vec<Sort> = course.variables.to_vec();
        let has = |sort: Sort| sort == Sort::Bool || sorts.contains(&sort);
        let usable = |s: &Symbol| s.is_rounded() && has(s.result) && s.operands.iter().all(|&o| has(o));
        let symbols: Vec<Symbol> = symbols().into_iter().filter(|s| course.names(s) && usable(s)).collect();
        let costs = symbols.iter().map(|s| self.cost_of(s)).collect();
        let number =
            |c: &&(Sort, f64)| c.0 == Sort::Bool || course.constants.iter().any(|n| n.to_bits() == c.1.to_bits());
        let constants: Vec<(Sort, f64)> = CONSTANTS.iter().filter(number).filter(|c| has(c.0)).copied().collect();
        let terms = Terms::new(symbols, costs, &sorts, &constants, inputs(&sorts));
        let mut reducer = Reducer::default();
        for (_, parsed) in &self.rows {
            reducer.add(&terms, parsed);
        }
        for rule in self.folds.iter().chain(&self.found) {
            reducer.add(&terms, &rule.parsed);
        }
        Search { terms, reducer, sorts, outcome: Outcome::default(), seen: FxHashSet::default() }
    }

    /// Of equalities the fewest from which all follow.
    fn select(&mut self, search: &mut Search, pairs: Vec<(Raw, u32)>, when: &[Condition]) {
        let mut rules: Vec<(Rule, Raw, u32)> = Vec::new();
        for (raw, known) in pairs {
            let term = search.terms.raw_term(&raw);
            let result = search.terms.nodes[known as usize].sort;
            let other = search.terms.term(known);
            // The dearer side is the left one.
            let (mut left, mut right) = (&term, &other);
            if self.cost(right) > self.cost(left) && matches!(right, Term::Node(_)) {
                std::mem::swap(&mut left, &mut right);
            }
            let rule = Rule::new(left, right, when, &search.sorts, result);
            let rule = rule.or_else(|| Rule::new(right, left, when, &search.sorts, result));
            let Some(rule) = rule.filter(|r| matches!(r.parsed.left, Term::Node(_))) else { continue };
            if search.seen.insert(rule.text()) {
                rules.push((rule, raw, known));
            }
        }
        rules.sort_by_cached_key(|(rule, ..)| generality(rule));
        let mut theory = self.theory();
        for (n, (rule, raw, known)) in rules.iter().enumerate() {
            if search.is_reducible(raw, *known) {
                continue;
            }
            if search.outcome.proofs >= self.budget.proofs {
                search.outcome.left += rules.len() - n;
                return;
            }
            search.outcome.proofs += 1;
            if follows(&theory, rule, self.budget.effort) {
                continue;
            }
            if !rule.holds(self.budget.amount) {
                search.outcome.refuted += 1;
                continue;
            }
            drop(theory);
            let rule = generalized(rule, self.budget.amount).unwrap_or_else(|| rule.clone());
            search.reducer.add(&search.terms, &rule.parsed);
            self.found.push(rule);
            theory = self.theory();
        }
    }

    /// What is equal where conditions on variables hold, and not elsewhere.
    fn assuming(&mut self, search: &mut Search, when: &[Condition], size: usize) {
        let types: Vec<_> = search.sorts.iter().map(|&s| Widths::narrow().of(s)).collect();
        let holds = |input: &Vec<Val>| when.iter().all(|c| c.by_value(input, &types));
        let mask: Vec<bool> = search.terms.inputs.iter().map(holds).collect();
        search.reducer.mask = Some(mask);
        let mut classes: FxHashMap<_, u32> = FxHashMap::default();
        let mut pairs: Vec<(Raw, u32)> = Vec::new();
        for level in 0..=size.min(search.terms.levels.len() - 1) {
            for n in 0..search.terms.levels[level].len() {
                let id = search.terms.levels[level][n];
                let node = &search.terms.nodes[id as usize];
                let class = class_where(node.sort, &node.values, &mut |i| search.reducer.counts(i));
                match classes.get(&class) {
                    Some(&known) => match &node.raw {
                        Some(raw) => pairs.push((raw.clone(), known)),
                        // The conditions leave nothing of a variable.
                        None => return search.reducer.mask = None,
                    },
                    None => {
                        classes.insert(class, id);
                    }
                }
            }
            search.outcome.candidates += pairs.len();
            self.select(search, std::mem::take(&mut pairs), when);
        }
        search.reducer.mask = None;
    }
}

impl Search {
    /// Whether a side of an equality can be made smaller: then it follows from that and from what
    /// the smaller side equals.
    fn is_reducible(&self, raw: &Raw, known: u32) -> bool {
        let within = |id: u32| self.reducer.is_reducible_within(&self.terms, id);
        self.reducer.is_reducible(&self.terms, raw) || raw.args.iter().any(|&a| within(a)) || within(known)
    }
}

/// A rule is used both ways by proofs if neither side has more ops: what makes terms larger fills
/// graphs.
fn used(parsed: &Parsed) -> Use {
    if parsed.left.size() == parsed.right.size() { Use::Both } else { Use::EGraph }
}

/// Orders rules: those first that say most. Few constants, many variables, a small right side.
fn generality(rule: &Rule) -> (usize, usize, usize, Reverse<usize>, String) {
    let (left, right) = (&rule.parsed.left, &rule.parsed.right);
    let mut vars = Vec::new();
    variables(left, &mut vars);
    let size = left.size() + right.size();
    (left.size(), literals(left) + literals(right), size, Reverse(vars.len()), rule.text())
}

fn literals(term: &Term) -> usize {
    match term {
        Term::Literal(_) => 1,
        Term::Var(_) => 0,
        Term::Node(node) => node.args.iter().map(literals).sum(),
    }
}

/// Values of variables of these sorts: special ones, all combinations of the first two variables
/// that are no booleans; and random ones.
fn inputs(sorts: &[Sort]) -> Vec<Vec<Val>> {
    let mut random = Random::new(0x0005_deec_e66d);
    let types: Vec<_> = sorts.iter().map(|&s| Widths::narrow().of(s)).collect();
    let lists: Vec<Vec<Val>> = types.iter().map(|&t| specials(t)).collect();
    let numbers: Vec<usize> = (0..sorts.len()).filter(|&v| sorts[v] != Sort::Bool).take(2).collect();
    let most = |v: usize| lists[v].len().min(18);
    let total: usize = numbers.iter().map(|&v| most(v)).product();
    let mut out = Vec::new();
    for round in 0..2 {
        for n in 0..total {
            let mut rest = n;
            let mut input: Vec<Val> = lists.iter().map(|l| l[random.below(l.len())].clone()).collect();
            for &v in &numbers {
                input[v] = lists[v][rest % most(v)].clone();
                rest /= most(v);
            }
            if round == 0 || sorts.len() > numbers.len() {
                out.push(input);
            }
        }
    }
    out.extend((0..96).map(|_| types.iter().map(|&t| random.value(t)).collect()));
    out
}

/// What may be assumed of a variable: every conjunction of at most three predicates that says
/// something of its own, the weakest first.
fn conditions(search: &Search) -> Vec<Vec<Condition>> {
    let mut out: Vec<(usize, Vec<Condition>)> = Vec::new();
    for sort in [Sort::Float, Sort::Int] {
        let Some(var) = search.sorts.iter().position(|&s| s == sort).and_then(|v| u8::try_from(v).ok()) else {
            continue;
        };
        let ty = Widths::narrow().of(sort);
        let values: Vec<Val> = crate::samples::all_of(ty).unwrap_or_default();
        let mask = |p: &Predicate| -> Vec<bool> {
            values.iter().map(|v| (p.by_value)(std::slice::from_ref(v), &[ty])).collect()
        };
        // What only constants can show says nothing of a variable.
        let by_facts = |p: &&Predicate| specials(ty).iter().any(|v| shows(p, v, ty));
        let unary = PREDICATES.iter().filter(|p| p.arity == 1 && p.about == About::Values).filter(by_facts);
        let all: Vec<(Condition, Vec<bool>)> =
            unary.map(|predicate| (Condition { predicate, vars: vec![var] }, mask(predicate))).collect();
        let mut known: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        let mut last: Vec<(usize, Vec<Condition>, Vec<bool>)> = vec![(0, Vec::new(), vec![true; values.len()])];
        known.insert(vec![true; values.len()], 0);
        for _ in 0..3 {
            let mut next = Vec::new();
            for (from, when, mask) in &last {
                for (n, (condition, own)) in all.iter().enumerate().skip(*from) {
                    let both: Vec<bool> = mask.iter().zip(own).map(|(a, b)| *a && *b).collect();
                    let count = both.iter().filter(|b| **b).count();
                    let ordinary = values.iter().zip(&both).any(|(v, b)| *b && is_ordinary(v));
                    if !ordinary || known.contains_key(&both) {
                        continue;
                    }
                    known.insert(both.clone(), count);
                    let when = [when.as_slice(), std::slice::from_ref(condition)].concat();
                    out.push((count, when.clone()));
                    next.push((n + 1, when, both));
                }
            }
            last = next;
        }
    }
    out.sort_by_key(|(count, _)| Reverse(*count));
    out.into_iter().map(|(_, when)| when).collect()
}

/// Whether a fact can show a predicate: that of a value shows it of this value.
fn shows(predicate: &Predicate, value: &Val, ty: Type) -> bool {
    let Some(constant) = value.to_attr(ty) else { return false };
    let known = Known { ty, constant: None, fact: Fact::constant(constant), id: 0, negative_of: None };
    (predicate.by_fact)(&[known])
}

/// A number as programs compute with.
fn is_ordinary(value: &Val) -> bool {
    match value {
        Val::Float(x) => x.abs() == 2.0,
        Val::Int(n) => n.abs() == 2,
        _ => false,
    }
}
