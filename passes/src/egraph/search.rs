//! Finds the left sides of rows in the graph and adds their right sides, under fuel: counts only,
//! never time.
//!
//! Commutative ops are matched in both orders. A row's conditions are asked where it matches. All
//! rows are looked for before any is applied, so that the order of rows within a round decides
//! nothing but what fuel leaves out.

use super::graph::{self, Children, EGraph, Head, Node, add, unite};
use crate::rows::typing::fits;
use crate::rows::{Class, Compare, Known, NodeTerm, Parsed, Row, Term, Use, holds};
use caustic_ir::fact::Fact;
use caustic_ir::{Attr, Attrs, Name, OpDef, Type};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Matches of a way in a round that are looked for in any case.
const FEWEST: usize = 240;

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub struct Fuel {
    /// Nodes of a graph.
    pub nodes: usize,
    pub rounds: usize,
    /// Matches of a row in a round.
    pub matches: usize,
    /// Unions in all; to find the one that breaks a program.
    pub unions: u64,
}

/// A row, one way.
pub struct Way<'a> {
    pub name: &'a str,
    pub class: Class,
    pub parsed: &'a Parsed,
    pub reversed: bool,
}

impl<'a> Way<'a> {
    /// All ways in which an equality is used.
    pub fn both(name: &'a str, class: Class, used: Use, parsed: &'a Parsed) -> impl Iterator<Item = Way<'a>> {
        let forth = matches!(parsed.left, Term::Node(_));
        let back = used == Use::Both && matches!(parsed.right, Term::Node(_)) && binds_all(parsed);
        let ways = [(forth, false), (back, true)].into_iter().filter(|(is_used, _)| *is_used);
        ways.map(move |(_, reversed)| Way { name, class, parsed, reversed })
    }

    fn left(&self) -> &Term {
        if self.reversed { &self.parsed.right } else { &self.parsed.left }
    }
    fn right(&self) -> &Term {
        if self.reversed { &self.parsed.left } else { &self.parsed.right }
    }
}

/// What a row did, and what kept it from doing more.
#[derive(Clone, Default, Debug)]
pub struct Count {
    pub matches: u64,
    pub unions: u64,
    /// Matches that a condition refused, by the condition's name.
    pub refused: Vec<(&'static str, u64)>,
}

/// Why the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Nothing new can be found.
    Saturated,
    Nodes,
    Rounds,
    Unions,
}

impl Stop {
    pub fn keyword(self) -> &'static str {
        match self {
            Stop::Saturated => "saturated",
            Stop::Nodes => "nodes",
            Stop::Rounds => "rounds",
            Stop::Unions => "unions",
        }
    }
}

/// The rows of `class` and below, each way that it is used. `only` and `without` name rows.
pub fn ways(
    rows: impl Iterator<Item = &'static Row>,
    allows: impl Fn(Class) -> bool,
    only: &[&str],
    without: &[&str],
) -> Vec<Way<'static>> {
    let mut out = Vec::new();
    for row in rows {
        let named = (only.is_empty() || only.contains(&row.name)) && !without.contains(&row.name);
        let (true, Some(parsed)) = (named && allows(row.class), row.parsed()) else { continue };
        out.extend(Way::both(row.name, row.class, row.used, parsed));
    }
    out
}

/// Whether the right side has every variable, so that it can be read as a left one.
fn binds_all(parsed: &Parsed) -> bool {
    fn vars(term: &Term, out: &mut FxHashSet<u8>) {
        match term {
            Term::Var(v) => {
                out.insert(*v);
            }
            Term::Literal(_) => {}
            Term::Node(n) => n.args.iter().for_each(|a| vars(a, out)),
        }
    }
    let mut found = FxHashSet::default();
    vars(&parsed.right, &mut found);
    found.len() == parsed.variables.len() && parsed.predicates == 0
}

/// What the variables of a row stand for.
#[derive(Clone, Debug)]
pub struct Binding {
    pub vars: SmallVec<[Option<Id>; 6]>,
    pub predicates: SmallVec<[Option<i64>; 1]>,
}

/// An equality that was found: by which way, of which class, and the numbers of the nodes that were
/// added for it.
pub struct Applied {
    pub way: usize,
    pub class: Id,
    pub added: std::ops::Range<usize>,
}

/// What a search did.
pub struct Searched {
    pub stop: Stop,
    pub rounds: usize,
    pub applied: Vec<Applied>,
    /// By way.
    pub counts: Vec<Count>,
}

struct Match {
    way: usize,
    class: Id,
    binding: Binding,
}

/// Adds what the rows say until nothing is new or fuel ends.
pub fn saturate(graph: &mut EGraph, ways: &[Way<'_>], fuel: Fuel) -> Searched {
    let mut done =
        Searched { stop: Stop::Rounds, rounds: 0, applied: Vec::new(), counts: vec![Count::default(); ways.len()] };
    while done.rounds < fuel.rounds {
        let found = search(graph, ways, fuel, &mut done.counts);
        let before = (graph.total_size(), done.applied.len());
        for m in found {
            if done.applied.len() as u64 >= fuel.unions {
                done.stop = Stop::Unions;
            } else if graph.total_size() > fuel.nodes {
                done.stop = Stop::Nodes;
            } else {
                let first = graph.nodes().len();
                if apply(graph, &ways[m.way], &m) {
                    done.counts[m.way].unions += 1;
                    done.applied.push(Applied { way: m.way, class: m.class, added: first..graph.nodes().len() });
                }
                continue;
            }
            graph.rebuild();
            return done;
        }
        graph.rebuild();
        reorder(graph);
        choose(graph);
        if (graph.total_size(), done.applied.len()) == before {
            done.stop = Stop::Saturated;
            return done;
        }
        done.rounds += 1;
    }
    done
}

/// How often each way matches with its conditions, by its number. What matches by its form and has
/// another side of another type does not count.
pub fn matches(graph: &EGraph, ways: &[Way<'_>], fuel: Fuel) -> Vec<(usize, u64)> {
    let mut counts = vec![Count::default(); ways.len()];
    let found = search(graph, ways, fuel, &mut counts);
    let mut out: Vec<(usize, u64)> = (0..ways.len()).map(|way| (way, 0)).collect();
    for m in &found {
        let of = |v: u8| m.binding.vars.get(v as usize).copied().flatten().map(|id| graph[id].data.ty);
        if fits(ways[m.way].right(), &of, graph[m.class].data.ty) {
            out[m.way].1 += 1;
        }
    }
    out
}

/// Puts the children of commutative nodes into order again where unions have changed it.
fn reorder(graph: &mut EGraph) {
    let mut moved: Vec<(Id, Head, Children)> = Vec::new();
    for class in sorted_classes(graph) {
        for node in &graph[class].nodes {
            let head = graph.analysis.head(node.head);
            if head.def().is_some_and(|d| d.commutative)
                && node.children.len() == 2
                && node.children[0] > node.children[1]
            {
                let swapped = Children::from_slice(&[node.children[1], node.children[0]]);
                let known = graph.lookup(Node { head: node.head, children: swapped.clone() });
                if known != Some(class) {
                    moved.push((class, head.clone(), swapped));
                }
            }
        }
    }
    for (class, head, children) in moved {
        let other = add(graph, head, &children);
        unite(graph, class, other, "commutes");
    }
    graph.rebuild();
}

/// A branch that yields what is assumed of a value yields the value: the choice can be made outside
/// of it.
fn choose(graph: &mut EGraph) {
    let mut found: Vec<(Id, [Id; 3], Type)> = Vec::new();
    for class in sorted_classes(graph) {
        for node in &graph[class].nodes {
            let (Head::Branch { op, ty, .. }, &[c, a, b]) = (graph.analysis.head(node.head), &node.children[..]) else {
                continue;
            };
            let Some(sides) = graph.analysis.cheap.get(op) else { continue };
            let (x, y) = (outside(graph, a, sides[0]), outside(graph, b, sides[1]));
            if (x, y) != (a, b) {
                found.push((class, [c, x, y], *ty));
            }
        }
    }
    for (class, children, ty) in found {
        let select = Head::Op { def: caustic_dialects::arith::Select::DEF, attrs: Attrs::new(), ty };
        let choice = add(graph, select, &children);
        if graph.find(choice) != graph.find(class) {
            unite(graph, class, choice, "known-outside");
        }
    }
    graph.rebuild();
}

/// The value of which a class is what is assumed in a scope, if it is that.
fn outside(graph: &EGraph, class: Id, scope: u32) -> Id {
    let assumed = graph[class].nodes.iter().find(|n| match graph.analysis.head(n.head) {
        Head::Assumed { number, .. } => graph.analysis.assumptions.get(*number as usize).is_some_and(|a| a.1 == scope),
        _ => false,
    });
    assumed.and_then(|n| n.children.first()).map_or(class, |&c| graph.find(c))
}

pub fn sorted_classes(graph: &EGraph) -> Vec<Id> {
    let mut ids: Vec<Id> = graph.classes().map(|c| c.id).collect();
    ids.sort_unstable();
    ids
}

fn search(graph: &EGraph, ways: &[Way<'_>], fuel: Fuel, counts: &mut [Count]) -> Vec<Match> {
    let mut by_def: FxHashMap<*const OpDef, Vec<Id>> = FxHashMap::default();
    let heads: Vec<Option<*const OpDef>> =
        graph.analysis.heads().map(|(_, h)| h.def().map(std::ptr::from_ref)).collect();
    for class in sorted_classes(graph) {
        let mut seen: SmallVec<[*const OpDef; 4]> = SmallVec::new();
        for node in &graph[class].nodes {
            let Some(def) = heads.get(node.head.index()).copied().flatten() else { continue };
            if !seen.contains(&def) {
                seen.push(def);
                by_def.entry(def).or_default().push(class);
            }
        }
    }
    let mut found = Vec::new();
    // More than is left of the graph's room need not be found; every way gets its part of it.
    let left = fuel.nodes.saturating_sub(graph.total_size());
    let matches = (left.saturating_mul(4) / ways.len().max(1)).clamp(FEWEST, fuel.matches.max(FEWEST));
    for (number, way) in ways.iter().enumerate() {
        let Term::Node(root) = way.left() else { continue };
        let Some(classes) = by_def.get(&std::ptr::from_ref(root.def)) else { continue };
        let mut finder = Finder {
            graph,
            binding: Binding {
                vars: SmallVec::from_elem(None, way.parsed.variables.len()),
                predicates: SmallVec::from_elem(None, way.parsed.predicates),
            },
            out: Vec::new(),
            room: matches,
            steps: 200 * matches,
        };
        for &class in classes {
            finder.node(root, class, &mut Vec::new());
            for binding in std::mem::take(&mut finder.out) {
                if !meet_somewhere(graph, &binding) {
                    finder.room += 1;
                    continue;
                }
                counts[number].matches += 1;
                match refusal(graph, way, &binding, graph[class].data.ty) {
                    Some(name) => {
                        let refused = &mut counts[number].refused;
                        match refused.iter_mut().find(|r| r.0 == name) {
                            Some(r) => r.1 += 1,
                            None => refused.push((name, 1)),
                        }
                        finder.room += 1;
                    }
                    None => found.push(Match { way: number, class, binding }),
                }
            }
        }
    }
    found
}

/// Whether there is a place in the code where all that is bound is there. A value outside of two
/// loops may be equal to sums of what either computes; what reads of both can stand nowhere.
fn meet_somewhere(graph: &EGraph, binding: &Binding) -> bool {
    let scopes = &graph.analysis.scopes;
    let mut bound = binding.vars.iter().flatten().map(|&id| graph[id].data.at);
    let Some(first) = bound.next() else { return true };
    bound.try_fold(first, |at, other| scopes.later(at, other)).is_some()
}

/// The condition that does not hold, if one does not.
fn refusal(graph: &EGraph, way: &Way<'_>, binding: &Binding, otherwise: Type) -> Option<&'static str> {
    let known = |v: u8| {
        let Some(id) = binding.vars.get(v as usize).copied().flatten() else {
            return Known { ty: otherwise, constant: None, fact: Fact::None, id: u32::MAX, negative_of: None };
        };
        let class = &graph[id];
        let negated = class.nodes.iter().find(|n| {
            graph.analysis.head(n.head).def().is_some_and(|d| std::ptr::eq(d, caustic_dialects::arith::NegF::DEF))
        });
        let number = |id: Id| usize::from(graph.find(id)) as u32;
        Known {
            ty: class.data.ty,
            constant: graph::constant_of(graph, id),
            fact: class.data.fact,
            id: number(id),
            negative_of: negated.and_then(|n| n.children.first()).map(|&c| number(c)),
        }
    };
    way.parsed.when.iter().find(|c| !holds(c, &known)).map(|c| c.predicate.name)
}

struct Finder<'a> {
    graph: &'a EGraph,
    binding: Binding,
    out: Vec<Binding>,
    room: usize,
    steps: usize,
}

impl<'a> Finder<'a> {
    /// All ways in which `class` is the term, and what waits behind it.
    fn term(&mut self, term: &'a Term, class: Id, rest: &mut Vec<(&'a Term, Id)>) {
        if self.room == 0 || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        match term {
            Term::Var(v) => {
                let v = *v as usize;
                let class = self.graph.find(class);
                match self.binding.vars[v] {
                    Some(bound) if bound == class => self.rest(rest),
                    Some(_) => {}
                    None => {
                        self.binding.vars[v] = Some(class);
                        self.rest(rest);
                        self.binding.vars[v] = None;
                    }
                }
            }
            Term::Literal(wanted) => {
                let ty = self.graph[class].data.ty;
                let known = graph::constant_of(self.graph, class);
                if known.is_some() && known == literal(*wanted, ty) {
                    self.rest(rest);
                }
            }
            Term::Node(node) => self.node(node, class, rest),
        }
    }

    fn rest(&mut self, rest: &mut Vec<(&'a Term, Id)>) {
        match rest.pop() {
            Some((term, class)) => {
                self.term(term, class, rest);
                rest.push((term, class));
            }
            None => {
                self.out.push(self.binding.clone());
                self.room -= 1;
            }
        }
    }

    fn node(&mut self, wanted: &'a NodeTerm, class: Id, rest: &mut Vec<(&'a Term, Id)>) {
        let graph = self.graph;
        for node in &graph[class].nodes {
            let head = graph.analysis.head(node.head);
            if !head.def().is_some_and(|d| std::ptr::eq(d, wanted.def)) || node.children.len() != wanted.args.len() {
                continue;
            }
            let Some(bound) = self.compare(wanted.compare, head) else { continue };
            // A labelled part is the class that it was found in.
            let mut labelled = None;
            if let Some(label) = wanted.label {
                let label = label as usize;
                let class = graph.find(class);
                match self.binding.vars[label] {
                    Some(known) if known != class => {
                        if let Some(p) = bound {
                            self.binding.predicates[p] = None;
                        }
                        continue;
                    }
                    Some(_) => {}
                    None => {
                        self.binding.vars[label] = Some(class);
                        labelled = Some(label);
                    }
                }
            }
            let swapped = wanted.def.commutative && node.children.len() == 2 && node.children[0] != node.children[1];
            for order in 0..1 + usize::from(swapped) {
                let depth = rest.len();
                for (i, arg) in wanted.args.iter().enumerate().rev() {
                    let child = if order == 1 { node.children[1 - i] } else { node.children[i] };
                    rest.push((arg, child));
                }
                self.rest(rest);
                rest.truncate(depth);
            }
            if let Some(p) = bound {
                self.binding.predicates[p] = None;
            }
            if let Some(label) = labelled {
                self.binding.vars[label] = None;
            }
        }
    }

    /// Whether a comparison compares as wanted; the predicate that became known by that.
    fn compare(&mut self, wanted: Option<Compare>, head: &Head) -> Option<Option<usize>> {
        let Some(wanted) = wanted else { return Some(None) };
        let number = head.attr("predicate").and_then(|a| a.as_int())?;
        let expected = match wanted {
            Compare::Int(p) => p.number(),
            Compare::Float(p) => p.number(),
            Compare::Any(p) => {
                let slot = self.binding.predicates.get_mut(p as usize)?;
                return match *slot {
                    Some(known) => (known == number).then_some(None),
                    None => {
                        *slot = Some(number);
                        Some(Some(p as usize))
                    }
                };
            }
            // Only right sides change predicates.
            Compare::Swapped(_) | Compare::Inverse(_) => return None,
        };
        (expected == number).then_some(None)
    }
}

/// A row's number as a constant of a type.
pub fn literal(value: f64, ty: Type) -> Option<Attr> {
    if ty.is_float() {
        return Some(Attr::float(value, ty));
    }
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    if ty.is_i1() {
        return (value == 0.0 || value == 1.0).then(|| Attr::bool(value == 1.0));
    }
    (ty.is_int_or_index() && whole).then(|| Attr::int(value as i64, ty))
}

fn apply(graph: &mut EGraph, way: &Way<'_>, m: &Match) -> bool {
    let ty = graph[m.class].data.ty;
    graph.analysis.loc = graph[m.class].data.loc;
    graph.analysis.set_inexact(way.class > Class::Linear);
    let right = instantiate(graph, way.right(), &m.binding, Some(ty));
    let changed = right.is_some_and(|right| {
        let same = graph.find(right) == graph.find(m.class);
        if same || graph[right].data.ty != ty {
            return false;
        }
        let left = if graph.are_explanations_enabled() {
            instantiate(graph, way.left(), &m.binding, Some(ty)).unwrap_or(m.class)
        } else {
            m.class
        };
        unite(graph, left, right, way.name)
    });
    graph.analysis.set_inexact(false);
    changed
}

/// Adds a term. `None` if something in it has no type.
pub fn instantiate(graph: &mut EGraph, term: &Term, binding: &Binding, expected: Option<Type>) -> Option<Id> {
    match term {
        Term::Var(v) => binding.vars.get(*v as usize).copied().flatten(),
        Term::Literal(value) => {
            let value = literal(*value, expected?)?;
            Some(add(graph, Head::Constant(value), &[]))
        }
        Term::Node(node) => {
            let mut ids: SmallVec<[Option<Id>; 3]> = SmallVec::from_elem(None, node.args.len());
            // Numbers last: their types are those of what stands beside them.
            for literals in [false, true] {
                for (i, arg) in node.args.iter().enumerate() {
                    if matches!(arg, Term::Literal(_)) == literals {
                        let wanted = operand_type(graph, node, i, &ids, expected);
                        ids[i] = Some(instantiate(graph, arg, binding, wanted)?);
                    }
                }
            }
            let children: Option<Children> = ids.into_iter().collect();
            let children = children?;
            let types: SmallVec<[Type; 3]> = children.iter().map(|&c| graph[c].data.ty).collect();
            let inferred = node.def.infer_results(&types);
            let ty = inferred.and_then(|t| t.first().copied()).or(expected)?;
            let attrs = predicate_attrs(node, binding)?;
            Some(add(graph, Head::Op { def: node.def, attrs, ty }, &children))
        }
    }
}

/// The type that operand `i` has to have, as far as the row of the op and its other operands tell.
fn operand_type(graph: &EGraph, node: &NodeTerm, i: usize, ids: &[Option<Id>], expected: Option<Type>) -> Option<Type> {
    use caustic_ir::op::TypeRule;
    let known = |n: usize| ids.get(n).copied().flatten().map(|id| graph[id].data.ty);
    let group = |n: usize| match node.def.operands.get(n).map(|o| o.rule) {
        Some(TypeRule::SameAs(k)) => k,
        _ => n,
    };
    let mine = group(i);
    if let Some(ty) = (0..ids.len()).filter(|&n| group(n) == mine).find_map(known) {
        return Some(ty);
    }
    match node.def.results.first().map(|r| r.rule) {
        Some(TypeRule::SameAs(k)) if group(k) == mine => expected,
        _ => None,
    }
}

fn predicate_attrs(node: &NodeTerm, binding: &Binding) -> Option<Attrs> {
    let Some(compare) = node.compare else { return Some(Attrs::new()) };
    let known: SmallVec<[i64; 2]> = binding.predicates.iter().map(|p| p.unwrap_or(-1)).collect();
    let number = compare.number(node.def, &known)?;
    Some(SmallVec::from_elem((Name::new("predicate"), Attr::i64(number)), 1))
}
