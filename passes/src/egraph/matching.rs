//! Finds where the left sides of rows stand in a graph.
//!
//! Commutative ops are matched in both orders. A row's conditions are asked where it matches. What
//! an earlier round has found is not found again: a row looks only at classes near which something
//! has changed since, unless its fuel ended before it had seen all.
//!
//! Invariants: the graph is rebuilt, so that children have their classes' own numbers, and does not
//! change while an index of it exists.

use super::graph::{self, Data, EGraph, Head, Node, Point};
use super::pattern::{Arg, CONSTANT, Numbers, Pattern};
use super::search::{Count, Fuel, Ways, literal, sorted_classes};
use crate::rows::typing::fits;
use crate::rows::{Compare, Known, Parsed, holds};
use caustic_dialects::arith;
use caustic_ir::fact::Fact;
use caustic_ir::{Attr, OpDef, Type};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Matches of a way in a round that are looked for in any case.
const FEWEST: usize = 240;

/// Steps for each of these.
const STEPS: usize = 30;

/// What the variables of a row stand for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Binding {
    pub vars: SmallVec<[Option<Id>; 6]>,
    pub predicates: SmallVec<[Option<i64>; 1]>,
}

pub struct Match {
    pub way: usize,
    pub class: Id,
    pub binding: Binding,
}

/// The nodes of a class, as a number that changes with them, and what is known of it.
type Seen = (u64, Fact, Point);

/// What is remembered of a round, so that the next one finds only what is new.
#[derive(Default)]
pub struct Memory {
    seen: FxHashMap<Id, Seen>,
    /// The ways that did not see all classes.
    unfinished: Vec<bool>,
    /// What was found: the way, the class, and what its variables stand for.
    found: FxHashSet<(u32, Id, Binding)>,
}

/// A rebuilt graph by the numbers of its classes.
struct Index<'g> {
    graph: &'g EGraph,
    classes: Vec<Id>,
    nodes: Vec<&'g [Node]>,
    /// The nodes of classes whose ops patterns know, by class and op, and where a class begins.
    known: Vec<(u32, &'g Node)>,
    begins: Vec<u32>,
    data: Vec<Option<&'g Data>>,
    defs: Vec<Option<&'static OpDef>>,
    constants: Vec<Option<Attr>>,
    /// By head, the number of the op that patterns know.
    ops: Vec<Option<u32>>,
    /// What a class holds, as bits.
    masks: Vec<u64>,
    /// The nodes of an op, by its number, in the order of their classes.
    by_op: Vec<Vec<Entry<'g>>>,
}

/// A node, its class, and what the classes of its children hold.
struct Entry<'g> {
    class: Id,
    node: &'g Node,
    holds: [u64; 3],
}

impl Entry<'_> {
    /// In which orders of its children the node may be what a pattern looks for.
    fn orders(&self, wanted: &Pattern) -> [bool; 2] {
        if self.node.children.len() != wanted.args.len() {
            return [false, false];
        }
        let holds = |i: usize| self.holds.get(i).copied().unwrap_or(u64::MAX);
        let fits = |i: usize, child: usize| wanted.needs[i] & !holds(child) == 0;
        let straight = (0..wanted.needs.len()).all(|i| fits(i, i));
        [straight, swaps(wanted, self.node) && fits(0, 1) && fits(1, 0)]
    }
}

/// Whether children in the other order are another match.
fn swaps(wanted: &Pattern, node: &Node) -> bool {
    wanted.commutes && node.children.len() == 2 && node.children[0] != node.children[1]
}

impl<'g> Index<'g> {
    fn new(graph: &'g EGraph, numbers: &Numbers) -> Index<'g> {
        let classes = sorted_classes(graph);
        let size = classes.last().map_or(0, |&id| usize::from(id) + 1);
        let defs: Vec<Option<&'static OpDef>> = graph.analysis.heads().map(|(_, h)| h.def()).collect();
        let ops: Vec<Option<u32>> = defs.iter().map(|def| numbers.of(def.as_ref()?)).collect();
        let mut out = Index {
            graph,
            classes: Vec::new(),
            nodes: vec![&[]; size],
            known: Vec::new(),
            begins: vec![0; size + 1],
            data: vec![None; size],
            defs,
            constants: vec![None; size],
            ops,
            masks: vec![0; size],
            by_op: (0..numbers.count()).map(|_| Vec::new()).collect(),
        };
        let mut begun = 0;
        for &class in &classes {
            let here = &graph[class];
            let at = usize::from(class);
            out.nodes[at] = &here.nodes;
            out.data[at] = Some(&here.data);
            out.constants[at] = graph::constant_of(graph, class);
            let mut mask = if out.constants[at].is_some() { CONSTANT } else { 0 };
            // Classes without nodes are between this one and the last.
            out.begins[begun..=at].fill(out.known.len() as u32);
            begun = at + 1;
            let first = out.known.len();
            for node in &here.nodes {
                if let Some(op) = out.ops.get(node.head.index()).copied().flatten() {
                    mask |= Numbers::bit(op);
                    out.by_op[op as usize].push(Entry { class, node, holds: [0; 3] });
                    out.known.push((op, node));
                }
            }
            out.known[first..].sort_by_key(|(op, _)| *op);
            out.masks[at] = mask;
        }
        out.begins[begun..].fill(out.known.len() as u32);
        for entry in out.by_op.iter_mut().flatten() {
            for (holds, &child) in entry.holds.iter_mut().zip(&entry.node.children) {
                *holds = out.masks.get(usize::from(child)).copied().unwrap_or(0);
            }
        }
        out.classes = classes;
        out
    }

    /// What is known of a class, by its own number.
    fn data(&self, class: Id) -> &'g Data {
        self.data.get(usize::from(class)).copied().flatten().unwrap_or_else(|| &self.graph[class].data)
    }

    /// Whether a class holds all that the bits ask for.
    fn holds(&self, class: Id, bits: u64) -> bool {
        bits & !self.masks.get(usize::from(class)).copied().unwrap_or(0) == 0
    }

    fn nodes(&self, class: Id) -> &'g [Node] {
        self.nodes.get(usize::from(class)).copied().unwrap_or_default()
    }

    /// The nodes of a class that are an op, by its number.
    fn nodes_of(&self, class: Id, op: u32) -> impl Iterator<Item = &'g Node> + use<'g, '_> {
        let at = usize::from(class);
        let bounds = self.begins.get(at).zip(self.begins.get(at + 1));
        let known = bounds.map_or(&[][..], |(&from, &to)| &self.known[from as usize..to as usize]);
        let first = known.partition_point(|(number, _)| *number < op);
        known[first..].iter().take_while(move |(number, _)| *number == op).map(|(_, node)| *node)
    }

    fn def(&self, node: &Node) -> Option<&'static OpDef> {
        self.defs.get(node.head.index()).copied().flatten()
    }

    fn constant(&self, class: Id) -> Option<Attr> {
        *self.constants.get(usize::from(class))?
    }

    /// How near to each class something is that is new to `memory`: by the number of a class, the
    /// least number of steps down to a class with other nodes, and to one of which something else
    /// is known.
    fn distances(&self, memory: &mut Memory, most: u8) -> [Vec<u8>; 2] {
        let mut far = [vec![u8::MAX; self.nodes.len()], vec![u8::MAX; self.nodes.len()]];
        for &class in &self.classes {
            let mut hasher = FxHasher::default();
            self.nodes(class).hash(&mut hasher);
            let data = self.data(class);
            let now = (hasher.finish(), data.fact, data.at);
            let before = memory.seen.insert(class, now);
            let changed = |same: fn(&Seen, &Seen) -> bool| before.is_none_or(|before| !same(&before, &now));
            if changed(|a, b| a.0 == b.0) {
                far[0][usize::from(class)] = 0;
            }
            if changed(|a, b| (a.1, a.2) == (b.1, b.2)) {
                far[1][usize::from(class)] = 0;
            }
        }
        for far in &mut far {
            for step in 0..most {
                for &class in &self.classes {
                    let here = usize::from(class);
                    let near = |child: &Id| far.get(usize::from(*child)) == Some(&step);
                    if far[here] > step && self.nodes(class).iter().any(|node| node.children.iter().any(near)) {
                        far[here] = step + 1;
                    }
                }
            }
        }
        far
    }
}

/// What matches and is not known from an earlier round.
pub fn search(graph: &EGraph, ways: &Ways<'_>, fuel: Fuel, counts: &mut [Count], memory: &mut Memory) -> Vec<Match> {
    let index = Index::new(graph, &ways.numbers);
    memory.unfinished.resize(ways.len(), true);
    let reach = &ways.reach;
    let distances = index.distances(memory, reach.iter().flatten().copied().max().unwrap_or(0));
    let mut found = Vec::new();
    let mut rest = Vec::new();
    // More than is left of the graph's room need not be found; every way gets its part of it.
    let left = fuel.nodes.saturating_sub(graph.total_size());
    let matches = (left.saturating_mul(4) / ways.len().max(1)).clamp(FEWEST, fuel.matches.max(FEWEST));
    for ((number, way), root) in ways.iter().enumerate().zip(&ways.patterns) {
        let Some(root) = root else { continue };
        let mut finder = Finder {
            index: &index,
            binding: Binding {
                vars: SmallVec::from_elem(None, way.parsed.variables.len()),
                predicates: SmallVec::from_elem(None, way.parsed.predicates),
            },
            out: Vec::new(),
            room: matches,
            steps: STEPS * matches,
        };
        let all = std::mem::replace(&mut memory.unfinished[number], false);
        for entry in index.by_op.get(root.op as usize).into_iter().flatten() {
            let class = entry.class;
            let near = |which: usize| distances[which][usize::from(class)] <= reach[number][which];
            if !all && !near(0) && !near(1) {
                continue;
            }
            let orders = entry.orders(root);
            if orders == [false, false] {
                continue;
            }
            finder.at(root, class, entry.node, orders, &mut rest);
            for binding in std::mem::take(&mut finder.out) {
                if !meet_somewhere(&index, &binding) {
                    finder.room += 1;
                    continue;
                }
                counts[number].matches += 1;
                match refusal(&index, way.parsed, &binding, index.data(class).ty) {
                    Some(name) => {
                        let refused = &mut counts[number].refused;
                        match refused.iter_mut().find(|r| r.0 == name) {
                            Some(r) => r.1 += 1,
                            None => refused.push((name, 1)),
                        }
                        finder.room += 1;
                    }
                    // What was applied before is there.
                    None if !memory.found.insert((number as u32, class, binding.clone())) => {}
                    None => found.push(Match { way: number, class, binding }),
                }
            }
        }
        memory.unfinished[number] = finder.room == 0 || finder.steps == 0;
    }
    found
}

/// How often each way matches with its conditions, by its number. What matches by its form and has
/// another side of another type does not count.
pub fn matches(graph: &EGraph, ways: &Ways<'_>, fuel: Fuel) -> Vec<(usize, u64)> {
    let mut counts = vec![Count::default(); ways.len()];
    let found = search(graph, ways, fuel, &mut counts, &mut Memory::default());
    let mut out: Vec<(usize, u64)> = (0..ways.len()).map(|way| (way, 0)).collect();
    for m in &found {
        let of = |v: u8| m.binding.vars.get(v as usize).copied().flatten().map(|id| graph[id].data.ty);
        if fits(ways[m.way].right(), &of, graph[m.class].data.ty) {
            out[m.way].1 += 1;
        }
    }
    out
}

/// Whether there is a place in the code where all that is bound is there. A value outside of two
/// loops may be equal to sums of what either computes; what reads of both can stand nowhere.
fn meet_somewhere(index: &Index<'_>, binding: &Binding) -> bool {
    let scopes = &index.graph.analysis.scopes;
    if scopes.parents.len() == 1 {
        return true;
    }
    let mut bound = binding.vars.iter().flatten().map(|&id| index.data(id).at);
    let Some(first) = bound.next() else { return true };
    bound.try_fold(first, |at, other| scopes.later(at, other)).is_some()
}

/// The condition that does not hold, if one does not.
fn refusal(index: &Index<'_>, row: &Parsed, binding: &Binding, otherwise: Type) -> Option<&'static str> {
    let known = |v: u8| {
        let Some(id) = binding.vars.get(v as usize).copied().flatten() else {
            return Known { ty: otherwise, constant: None, fact: Fact::None, id: u32::MAX, negative_of: None };
        };
        let data = index.data(id);
        let is_negative = |n: &&Node| index.def(n).is_some_and(|d| std::ptr::eq(d, arith::NegF::DEF));
        let negated = index.nodes(id).iter().find(is_negative);
        let number = |id: Id| usize::from(id) as u32;
        Known {
            ty: data.ty,
            constant: index.constant(id),
            fact: data.fact,
            id: number(id),
            negative_of: negated.and_then(|n| n.children.first()).map(|&c| number(c)),
        }
    };
    row.when.iter().find(|c| !holds(c, &known)).map(|c| c.predicate.name)
}

struct Finder<'a> {
    index: &'a Index<'a>,
    binding: Binding,
    out: Vec<Binding>,
    room: usize,
    steps: usize,
}

impl<'a> Finder<'a> {
    /// All ways in which `class` is the term, and what waits behind it.
    fn term(&mut self, term: &'a Arg, class: Id, rest: &mut Vec<(&'a Arg, Id)>) {
        if self.room == 0 || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        match term {
            Arg::Var(v) => {
                let v = *v as usize;
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
            Arg::Literal(wanted) => {
                let known = self.index.constant(class);
                if known.is_some() && known == literal(*wanted, self.index.data(class).ty) {
                    self.rest(rest);
                }
            }
            Arg::Node(node) => self.node(node, class, rest),
        }
    }

    fn rest(&mut self, rest: &mut Vec<(&'a Arg, Id)>) {
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

    /// The same for a node and a class by its own number.
    fn node(&mut self, wanted: &'a Pattern, class: Id, rest: &mut Vec<(&'a Arg, Id)>) {
        let index = self.index;
        for node in index.nodes_of(class, wanted.op) {
            if node.children.len() != wanted.args.len() {
                continue;
            }
            let fits = |i: usize, child: usize| index.holds(node.children[child], wanted.needs[i]);
            let straight = (0..wanted.needs.len()).all(|i| fits(i, i));
            let orders = [straight, swaps(wanted, node) && fits(0, 1) && fits(1, 0)];
            if orders != [false, false] {
                self.at(wanted, class, node, orders, rest);
            }
        }
    }

    /// The same for a node in these orders of its children.
    fn at(&mut self, wanted: &'a Pattern, class: Id, node: &'a Node, orders: [bool; 2], rest: &mut Vec<(&'a Arg, Id)>) {
        let head = self.index.graph.analysis.head(node.head);
        let Some(bound) = self.compare(wanted.compare, head) else { return };
        // A labelled part is the class that it was found in.
        let mut labelled = None;
        if let Some(label) = wanted.label.map(usize::from) {
            match self.binding.vars[label] {
                Some(known) if known != class => {
                    if let Some(p) = bound {
                        self.binding.predicates[p] = None;
                    }
                    return;
                }
                Some(_) => {}
                None => {
                    self.binding.vars[label] = Some(class);
                    labelled = Some(label);
                }
            }
        }
        let child = |i: usize, order: usize| node.children[if order == 1 { 1 - i } else { i }];
        for order in (0..2).filter(|&order| orders[order]) {
            let depth = rest.len();
            rest.extend(wanted.args.iter().enumerate().rev().map(|(i, arg)| (arg, child(i, order))));
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
