//! Which terms an equality makes smaller: ordered rewriting, at the root of a term whose parts
//! cannot be made smaller.
//!
//! Each equality is read both ways; an instance counts if the other side is less in the order of
//! terms.

use crate::ops::{Sort, Widths};
use crate::rule::instances;
use crate::terms::{Key, Raw, Terms, wide};
use caustic_ir::Type;
use caustic_ir::eval::Val;
use caustic_passes::rows::{About, Condition, Parsed, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A side of an equality over the symbols of a course.
#[derive(Clone)]
enum Pattern {
    Var(u8),
    Leaf(u32),
    Node(u16, Vec<Pattern>),
}

struct Reduction {
    from: Vec<Pattern>,
    /// All ways to read the other side. The variables' sorts decide.
    to: Vec<Pattern>,
    when: Vec<Condition>,
}

type Bound = SmallVec<[Option<u32>; 8]>;

/// Equalities that are known.
#[derive(Default)]
pub struct Reducer {
    by_symbol: FxHashMap<u16, Vec<Reduction>>,
    /// Which inputs count, where not all do: those of which an assumption holds.
    pub mask: Option<Vec<bool>>,
}

impl Reducer {
    /// Adds an equality, as far as the course has its symbols.
    pub fn add(&mut self, terms: &Terms, parsed: &Parsed) {
        for (left, right) in instances(parsed) {
            for (from, to) in [(&left, &right), (&right, &left)] {
                for sort in Sort::ALL {
                    self.add_one_way(terms, from, to, sort, &parsed.when);
                }
            }
        }
    }

    fn add_one_way(&mut self, terms: &Terms, from: &Term, to: &Term, sort: Sort, when: &[Condition]) {
        if !has_all_variables(from, to) {
            return;
        }
        let to = patterns(terms, to, sort);
        for from in patterns(terms, from, sort) {
            let (Pattern::Node(symbol, args), false) = (from, to.is_empty()) else { continue };
            let reduction = Reduction { from: args, to: to.clone(), when: when.to_vec() };
            self.by_symbol.entry(symbol).or_default().push(reduction);
        }
    }

    /// Whether an equality makes the term smaller as a whole.
    pub fn is_reducible(&self, terms: &Terms, raw: &Raw) -> bool {
        let Some(reductions) = self.by_symbol.get(&raw.symbol) else { return false };
        let key = terms.raw_key(raw);
        let commutes = terms.symbols[raw.symbol as usize].def.commutative && raw.args.len() == 2;
        reductions.iter().any(|r| {
            (0..1 + usize::from(commutes)).any(|order| {
                let arg = |n: usize| if order == 1 { raw.args[1 - n] } else { raw.args[n] };
                let mut rest: Vec<(&Pattern, u32)> = r.from.iter().enumerate().map(|(n, p)| (p, arg(n))).collect();
                let mut bound: Bound = SmallVec::from_elem(None, 8);
                matches(terms, &mut rest, &mut bound, &mut |bound| {
                    let smaller = |to| instance(terms, to, bound).is_some_and(|(_, k)| k < key);
                    self.allows(terms, &r.when, bound) && r.to.iter().any(smaller)
                })
            })
        })
    }

    /// Whether a kept term, or a part of it, can be made smaller.
    pub fn is_reducible_within(&self, terms: &Terms, id: u32) -> bool {
        match &terms.nodes[id as usize].raw {
            Some(raw) => self.is_reducible(terms, raw) || raw.args.iter().any(|&a| self.is_reducible_within(terms, a)),
            None => false,
        }
    }

    /// Whether the conditions hold of all inputs that count. Only leaves are asked: what is known
    /// of other terms is not known to those who apply a row.
    fn allows(&self, terms: &Terms, when: &[Condition], bound: &Bound) -> bool {
        let widest = Widths { float: Type::f64(), int: Type::i64() };
        when.iter().all(|condition| {
            let ids: Option<SmallVec<[u32; 3]>> =
                condition.vars.iter().map(|&v| bound.get(v as usize).copied().flatten()).collect();
            let Some(ids) = ids else { return false };
            let nodes: SmallVec<[_; 3]> = ids.iter().map(|&id| &terms.nodes[id as usize]).collect();
            let by_value = condition.predicate.by_value;
            match condition.predicate.about {
                About::Code => nodes.iter().all(|n| n.is_constant),
                About::Types => {
                    let types: SmallVec<[Type; 3]> = nodes.iter().map(|n| widest.of(n.sort)).collect();
                    by_value(&[], &types)
                }
                About::Values => {
                    let types: SmallVec<[Type; 3]> = nodes.iter().map(|n| Widths::narrow().of(n.sort)).collect();
                    nodes.iter().all(|n| n.raw.is_none())
                        && (0..terms.inputs.len()).filter(|&i| self.counts(i)).all(|i| {
                            let vals: SmallVec<[Val; 3]> = nodes.iter().map(|n| wide(n.sort, n.values[i])).collect();
                            by_value(&vals, &types)
                        })
                }
            }
        })
    }

    pub fn counts(&self, input: usize) -> bool {
        self.mask.as_ref().is_none_or(|m| m.get(input).copied().unwrap_or(false))
    }
}

fn has_all_variables(from: &Term, to: &Term) -> bool {
    let (mut has, mut needs) = (Vec::new(), Vec::new());
    crate::rule::variables(from, &mut has);
    crate::rule::variables(to, &mut needs);
    needs.iter().all(|v| has.contains(v))
}

/// All ways to read a term over the symbols of a course, as a value of this sort.
fn patterns(terms: &Terms, term: &Term, sort: Sort) -> Vec<Pattern> {
    let node = match term {
        Term::Var(v) => return vec![Pattern::Var(*v)],
        Term::Literal(_) => return terms.leaf_of(term, sort).map(Pattern::Leaf).into_iter().collect(),
        Term::Node(node) => node,
    };
    let mut out = Vec::new();
    for (number, symbol) in (0u16..).zip(&terms.symbols) {
        let same = std::ptr::eq(symbol.def, node.def) && symbol.compare == node.compare && symbol.result == sort;
        if !same || symbol.operands.len() != node.args.len() {
            continue;
        }
        let mut all: Vec<Vec<Pattern>> = vec![Vec::new()];
        for (arg, &sort) in node.args.iter().zip(&symbol.operands) {
            let choices = patterns(terms, arg, sort);
            let with = |list: &Vec<Pattern>, choice: &Pattern| [list.as_slice(), std::slice::from_ref(choice)].concat();
            all = all.iter().flat_map(|list| choices.iter().map(move |c| with(list, c))).collect();
        }
        out.extend(all.into_iter().map(|args| Pattern::Node(number, args)));
    }
    out
}

/// Whether the patterns match these terms in a way that is accepted.
fn matches<'p>(
    terms: &Terms,
    rest: &mut Vec<(&'p Pattern, u32)>,
    bound: &mut Bound,
    accept: &mut dyn FnMut(&Bound) -> bool,
) -> bool {
    let Some((pattern, id)) = rest.pop() else { return accept(bound) };
    let found = match pattern {
        Pattern::Leaf(leaf) => *leaf == id && matches(terms, rest, bound, accept),
        Pattern::Var(v) => match bound[*v as usize] {
            Some(known) => known == id && matches(terms, rest, bound, accept),
            None => {
                bound[*v as usize] = Some(id);
                let found = matches(terms, rest, bound, accept);
                bound[*v as usize] = None;
                found
            }
        },
        Pattern::Node(symbol, args) => match &terms.nodes[id as usize].raw {
            Some(raw) if raw.symbol == *symbol => {
                let commutes = terms.symbols[*symbol as usize].def.commutative && args.len() == 2;
                (0..1 + usize::from(commutes)).any(|order| {
                    let depth = rest.len();
                    for (n, arg) in args.iter().enumerate() {
                        rest.push((arg, if order == 1 { raw.args[1 - n] } else { raw.args[n] }));
                    }
                    let found = matches(terms, rest, bound, accept);
                    rest.truncate(depth);
                    found
                })
            }
            _ => false,
        },
    };
    rest.push((pattern, id));
    found
}

/// The sort and the key of what a pattern stands for. `None` if its ops are none of these sorts.
fn instance(terms: &Terms, pattern: &Pattern, bound: &Bound) -> Option<(Sort, Key)> {
    let known = |id: u32| terms.nodes.get(id as usize).map(|n| (n.sort, n.key.clone()));
    match pattern {
        Pattern::Var(v) => known(bound.get(*v as usize).copied().flatten()?),
        Pattern::Leaf(id) => known(*id),
        Pattern::Node(number, args) => {
            let symbol = terms.symbols.get(*number as usize)?;
            let mut keys: SmallVec<[Key; 3]> = SmallVec::new();
            for (arg, sort) in args.iter().zip(&symbol.operands) {
                let (own, key) = instance(terms, arg, bound)?;
                if own != *sort {
                    return None;
                }
                keys.push(key);
            }
            Some((symbol.result, terms.key(*number, keys)))
        }
    }
}
