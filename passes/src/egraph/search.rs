//! Adds the right sides of rows where their left sides stand ([`super::matching`]), under fuel:
//! counts only, never time.
//!
//! All rows are looked for before any is applied, so that the order of rows within a round decides
//! nothing but what fuel leaves out.

use super::bounds::Log;
use super::factors::{Factored, Factors, Shares, factored, shares};
use super::graph::{self, Children, EGraph, Head, Node, add, constant_of, node_of, unite};
use super::matching::{Binding, Match, Memory, search};
use super::pattern::{Numbers, Pattern};
use crate::rows::typing::fits;
use crate::rows::{Class, NodeTerm, Parsed, Row, Term, Use};
use caustic_ir::{Attr, Attrs, Name, Type};
use egg::Id;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// Rounds that every graph gets.
const FIRST: usize = 3;

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub struct Fuel {
    /// Nodes of a graph.
    pub nodes: usize,
    pub rounds: usize,
    /// Nodes that all rounds but the first [`FIRST`] may look at: almost all that is worth
    /// anything in a large graph is found early.
    pub looks: usize,
    /// Matches of a row in a round.
    pub matches: usize,
    /// Unions in all; to find the one that breaks a program.
    pub unions: u64,
}

/// A row, one way.
pub struct Way<'a> {
    pub name: &'a str,
    pub class: Class,
    /// How far the sides may be apart.
    pub ulps: u32,
    pub parsed: &'a Parsed,
    pub reversed: bool,
    /// The row is used in both directions.
    pub is_both: bool,
}

impl<'a> Way<'a> {
    /// All ways in which an equality is used.
    pub fn both(
        (name, class, ulps): (&'a str, Class, u32),
        used: Use,
        parsed: &'a Parsed,
    ) -> impl Iterator<Item = Way<'a>> {
        let forth = matches!(parsed.left, Term::Node(_));
        let back = used == Use::Both && matches!(parsed.right, Term::Node(_)) && binds_all(parsed);
        let ways = [(forth, false), (back, true)].into_iter().filter(|(is_used, _)| *is_used);
        let is_both = used == Use::Both;
        ways.map(move |(_, reversed)| Way { name, class, ulps, parsed, reversed, is_both })
    }

    /// Whether all that changes is an order.
    fn reorders(&self) -> bool {
        self.class == Class::Reassociate && self.parsed.left.size() == self.parsed.right.size() && self.is_both
    }

    pub(super) fn left(&self) -> &Term {
        if self.reversed { &self.parsed.right } else { &self.parsed.left }
    }
    pub(super) fn right(&self) -> &Term {
        if self.reversed { &self.parsed.left } else { &self.parsed.right }
    }
}

/// Ways, with what the matcher looks for on behalf of each. They are the same for all functions.
#[derive(Default)]
pub struct Ways<'a> {
    all: Vec<Way<'a>>,
    /// `None` for a way that begins with no op.
    pub(super) patterns: Vec<Option<Pattern>>,
    pub(super) numbers: Numbers,
    /// How many steps below its root a way looks at nodes, and at what is known of classes.
    pub(super) reach: Vec<[u8; 2]>,
}

impl<'a> Extend<Way<'a>> for Ways<'a> {
    fn extend<T: IntoIterator<Item = Way<'a>>>(&mut self, ways: T) {
        for way in ways {
            self.patterns.push(Pattern::of(way.left(), &mut self.numbers));
            self.reach.push(depths(&way));
            self.all.push(way);
        }
    }
}

impl<'a> std::ops::Deref for Ways<'a> {
    type Target = [Way<'a>];
    fn deref(&self) -> &[Way<'a>] {
        &self.all
    }
}

/// How many steps below its root a way looks at nodes, and at what is known of classes.
fn depths(way: &Way<'_>) -> [u8; 2] {
    fn deepest(term: &Term, with_variables: bool) -> u8 {
        let Term::Node(node) = term else { return 0 };
        let counts = |arg: &&Term| with_variables || !matches!(arg, Term::Var(_));
        node.args.iter().filter(counts).map(|arg| deepest(arg, with_variables) + 1).max().unwrap_or(0)
    }
    // A number is known by a fact, and where values stand together follows from all of them.
    [deepest(way.left(), false), deepest(way.left(), true)]
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
    allows: impl Fn(&Row) -> bool,
    only: &[&str],
    without: &[&str],
) -> Ways<'static> {
    let mut out = Ways::default();
    for row in rows {
        let named = (only.is_empty() || only.contains(&row.name)) && !without.contains(&row.name);
        let (true, Some(parsed)) = (named && allows(row), row.parsed()) else { continue };
        out.extend(Way::both((row.name, row.class, row.ulps), row.used, parsed));
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
    /// What bounds follow from, if they are wanted.
    pub log: Option<Log>,
}

/// Adds what the rows say until nothing is new or fuel ends; with a `log` if bounds are wanted.
///
/// Rows that only put sums and products into another order would fill every graph, and are what
/// other rows need now and then: what they found waits until these have had their turn, and gets
/// a quarter of the room that is left in each round.
///
/// `factors` is the way on whose behalf common factors are taken out of whole sums.
pub fn saturate(
    graph: &mut EGraph,
    ways: &Ways<'_>,
    factors: Option<usize>,
    mut fuel: Fuel,
    log: Option<Log>,
) -> Searched {
    let counts = vec![Count::default(); ways.len()];
    let mut done = Searched { stop: Stop::Rounds, rounds: 0, applied: Vec::new(), counts, log };
    let mut memory = Memory::default();
    let mut waiting: VecDeque<Match> = VecDeque::new();
    let mut sums = Factors::default();
    let most = fuel.nodes.saturating_add(fuel.nodes / 8);
    let mut looks = 0;
    while done.rounds < fuel.rounds {
        looks += graph.total_size();
        if done.rounds >= FIRST && looks > fuel.looks {
            break;
        }
        let before = (graph.total_size(), done.applied.len());
        if let Some(way) = factors {
            // What is added to whole sums takes no room from the rows, up to an eighth of it.
            let size = graph.total_size();
            factor(graph, way, fuel, &mut sums, &mut done);
            fuel.nodes = (fuel.nodes + graph.total_size().saturating_sub(size)).min(most);
        }
        let found = search(graph, ways, fuel, &mut done.counts, &mut memory);
        let (late, first): (Vec<Match>, Vec<Match>) = found.into_iter().partition(|m| ways[m.way].reorders());
        waiting.extend(late);
        // What keeps every bit first: nothing more is known of a class once it holds other values.
        let (first, inexact): (Vec<Match>, Vec<Match>) =
            first.into_iter().partition(|m| ways[m.way].class <= Class::Linear);
        let mut ended = first.iter().find_map(|m| apply_within(graph, ways, m, fuel, &mut done));
        if ended.is_none() && !inexact.is_empty() {
            graph.rebuild();
            ended = inexact.iter().find_map(|m| apply_within(graph, ways, m, fuel, &mut done));
        }
        let size = graph.total_size();
        let room = size + fuel.nodes.saturating_sub(size).div_ceil(4);
        while ended.is_none()
            && graph.total_size() < room
            && let Some(m) = waiting.pop_front()
        {
            ended = apply_within(graph, ways, &m, fuel, &mut done);
        }
        graph.rebuild();
        while settle(graph) {
            graph.rebuild();
        }
        if let Some(stop) = ended {
            done.stop = stop;
            return done;
        }
        let reordered = reorder(graph);
        if choose(graph, &mut done.log) || reordered {
            graph.rebuild();
        }
        if (graph.total_size(), done.applied.len()) == before && waiting.is_empty() {
            done.stop = Stop::Saturated;
            return done;
        }
        done.rounds += 1;
    }
    done
}

/// Applies what was found, unless fuel has ended.
fn apply_within(graph: &mut EGraph, ways: &[Way<'_>], m: &Match, fuel: Fuel, done: &mut Searched) -> Option<Stop> {
    if done.applied.len() as u64 >= fuel.unions {
        return Some(Stop::Unions);
    }
    if graph.total_size() > fuel.nodes {
        return Some(Stop::Nodes);
    }
    let first = graph.nodes().len();
    if apply(graph, &ways[m.way], m, &mut done.log) {
        done.counts[m.way].unions += 1;
        done.applied.push(Applied { way: m.way, class: m.class, added: first..graph.nodes().len() });
    }
    None
}

/// Takes common factors out of the sums that are new.
fn factor(graph: &mut EGraph, way: usize, fuel: Fuel, sums: &mut Factors, done: &mut Searched) {
    let none = Shares::default();
    let mut late = Vec::new();
    for class in sums.fresh(graph) {
        match factored(graph, class) {
            Some(sum) if sum.waits() => late.push(class),
            Some(sum) => write_sum(graph, way, fuel, (sums, &none), done, sum),
            None => {}
        }
    }
    // What was written since is read in them.
    let late: Vec<Factored> = late.into_iter().filter_map(|class| factored(graph, class)).collect();
    let shares = shares(&late);
    for sum in late {
        write_sum(graph, way, fuel, (sums, &shares), done, sum);
    }
    graph.rebuild();
}

fn write_sum(
    graph: &mut EGraph,
    way: usize,
    fuel: Fuel,
    (sums, shares): (&mut Factors, &Shares),
    done: &mut Searched,
    sum: Factored,
) {
    let left = fuel.unions.saturating_sub(done.applied.len() as u64);
    if graph.total_size() > fuel.nodes {
        return;
    }
    graph.analysis.loc = graph[sum.class].data.loc;
    graph.analysis.set_inexact(true);
    let first = graph.nodes().len();
    let found = sums.write(graph, sum, shares, left);
    graph.analysis.set_inexact(false);
    for found in found {
        done.counts[way].matches += 1;
        done.counts[way].unions += 1;
        done.applied.push(Applied { way, class: found.class, added: first..graph.nodes().len() });
        if let Some(log) = &mut done.log {
            let ulps = found.ulps();
            log.push(found.read, found.written, None, ulps);
        }
    }
}

/// Puts the children of commutative nodes into order again where unions have changed it. Whether
/// there were some; the graph is not rebuilt then.
fn reorder(graph: &mut EGraph) -> bool {
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
    let any = !moved.is_empty();
    for (class, head, children) in moved {
        let other = add(graph, head, &children);
        unite(graph, class, other, "commutes");
    }
    any
}

/// A branch that yields what is assumed of a value yields the value: the choice can be made outside
/// of it. Whether there were some; the graph is not rebuilt then.
fn choose(graph: &mut EGraph, log: &mut Option<Log>) -> bool {
    let mut found: Vec<(Id, Node, [Id; 3], Type)> = Vec::new();
    for class in sorted_classes(graph) {
        for node in &graph[class].nodes {
            let (Head::Branch { op, ty, .. }, &[c, a, b]) = (graph.analysis.head(node.head), &node.children[..]) else {
                continue;
            };
            let [c, a, b] = [c, a, b].map(|child| graph.find(child));
            let Some(sides) = graph.analysis.cheap.get(op) else { continue };
            let (x, y) = (outside(graph, a, sides[0]), outside(graph, b, sides[1]));
            if (x, y) != (a, b) {
                found.push((class, node.clone(), [c, x, y], *ty));
            }
        }
    }
    let any = !found.is_empty();
    for (class, branch, children, ty) in found {
        let select = Head::Op { def: caustic_dialects::arith::Select::DEF, attrs: Attrs::new(), ty };
        let choice = add(graph, select.clone(), &children);
        if let Some(log) = log {
            let node = node_of(graph, select, &children);
            log.push(vec![branch], vec![node], None, 0);
        }
        if graph.find(choice) != graph.find(class) {
            unite(graph, class, choice, "known-outside");
        }
    }
    any
}

/// What a side assumes that is always taken holds outside as well, where the branch is now what
/// that side yields: else nothing could compute it there. Whether there was some; the graph is not
/// rebuilt then.
fn settle(graph: &mut EGraph) -> bool {
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    for class in graph.classes() {
        for node in &class.nodes {
            if let Head::Branch { op, .. } = graph.analysis.head(node.head)
                && let Some(sides) = graph.analysis.sides.get(op)
                && let Some(condition) = constant_of(graph, node.children[0]).and_then(|c| c.as_bool())
            {
                taken.insert(sides[usize::from(!condition)]);
            }
        }
    }
    let is_settled =
        |number: u32| graph.analysis.assumptions.get(number as usize).is_some_and(|a| taken.contains(&a.1));
    let mut same: Vec<(Id, Id)> = Vec::new();
    for class in graph.classes() {
        for node in &class.nodes {
            if let Head::Assumed { number, .. } = graph.analysis.head(node.head)
                && is_settled(*number)
                && graph.find(node.children[0]) != class.id
            {
                same.push((class.id, node.children[0]));
            }
        }
    }
    same.sort_unstable();
    same.iter().fold(false, |any, &(a, b)| unite(graph, a, b, "always-taken") || any)
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

fn apply(graph: &mut EGraph, way: &Way<'_>, m: &Match, log: &mut Option<Log>) -> bool {
    let ty = graph[m.class].data.ty;
    // `true` is the number 1, too, in a pattern.
    let of = |v: u8| m.binding.vars.get(v as usize).copied().flatten().map(|id| graph[id].data.ty);
    if !fits(way.right(), &of, ty) {
        return false;
    }
    graph.analysis.loc = graph[m.class].data.loc;
    graph.analysis.set_inexact(way.class > Class::Linear);
    let mut nodes = log.is_some().then(Vec::new);
    let right = instantiate_into(graph, way.right(), &m.binding, Some(ty), &mut nodes);
    if let (Some(log), Some(right)) = (log, right)
        && graph[right].data.ty == ty
    {
        note(graph, way, m, (right, nodes.unwrap_or_default()), log);
    }
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

/// Takes note of a row whose right side was added, with its nodes.
fn note(graph: &mut EGraph, way: &Way<'_>, m: &Match, (right, nodes): (Id, Vec<Node>), log: &mut Log) {
    let ty = graph[m.class].data.ty;
    let mut left = Some(Vec::new());
    if instantiate_into(graph, way.left(), &m.binding, Some(ty), &mut left).is_none() {
        return;
    }
    // What a variable stands for is what the program computes for it, or any of its nodes.
    let otherwise = match way.right() {
        Term::Var(_) => graph.nodes().get(usize::from(right)).cloned(),
        _ => None,
    };
    log.push(left.unwrap_or_default(), nodes, otherwise, way.ulps);
}

/// Adds a term. `None` if something in it has no type.
pub fn instantiate(graph: &mut EGraph, term: &Term, binding: &Binding, expected: Option<Type>) -> Option<Id> {
    instantiate_into(graph, term, binding, expected, &mut None)
}

/// The same, where `nodes` get those of the term, its root last.
fn instantiate_into(
    graph: &mut EGraph,
    term: &Term,
    binding: &Binding,
    expected: Option<Type>,
    nodes: &mut Option<Vec<Node>>,
) -> Option<Id> {
    match term {
        Term::Var(v) => binding.vars.get(*v as usize).copied().flatten(),
        Term::Literal(value) => {
            let head = Head::Constant(literal(*value, expected?)?);
            if let Some(nodes) = nodes {
                nodes.push(node_of(graph, head.clone(), &[]));
            }
            Some(add(graph, head, &[]))
        }
        Term::Node(node) => {
            let mut ids: SmallVec<[Option<Id>; 3]> = SmallVec::from_elem(None, node.args.len());
            // Numbers last: their types are those of what stands beside them.
            for literals in [false, true] {
                for (i, arg) in node.args.iter().enumerate() {
                    if matches!(arg, Term::Literal(_)) == literals {
                        let wanted = operand_type(graph, node, i, &ids, expected);
                        ids[i] = Some(instantiate_into(graph, arg, binding, wanted, nodes)?);
                    }
                }
            }
            let children: Option<Children> = ids.into_iter().collect();
            let children = children?;
            let types: SmallVec<[Type; 3]> = children.iter().map(|&c| graph[c].data.ty).collect();
            let inferred = node.def.infer_results(&types);
            let ty = inferred.and_then(|t| t.first().copied()).or(expected)?;
            let attrs = predicate_attrs(node, binding)?;
            let head = Head::Op { def: node.def, attrs, ty };
            // Numbers of a row's own are computed here: what is off by rounding gives no facts.
            if graph.analysis.is_inexact()
                && let Some(value) = graph::folded(graph, &head, &children)
            {
                let head = Head::Constant(value);
                if let Some(nodes) = nodes {
                    nodes.push(node_of(graph, head.clone(), &[]));
                }
                return Some(add(graph, head, &[]));
            }
            if let Some(nodes) = nodes {
                nodes.push(node_of(graph, head.clone(), &children));
            }
            Some(add(graph, head, &children))
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
