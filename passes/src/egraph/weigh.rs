//! The graph as a problem of extraction: which nodes may be chosen for a class, what they cost, how
//! often they run.

use super::bounds::Bounds;
use super::build::Built;
use super::extract::{Candidate, Choice, Problem};
use super::graph::{self, Head, Node};
use super::search::sorted_classes;
use crate::analysis::costs::{Costs, Frequencies, SetUpKey};
use crate::rows::Class;
use caustic_dialects::arith;
use caustic_ir::{Attr, Body, Loc, OpId};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// What a branch costs besides what it holds, once for all of its results.
const JUMP: u32 = 3;
/// What each scalar that a branch yields costs: it comes from two sides into one register.
const MERGE: u32 = 1;
/// Work in a branch counts half.
const SCALE: u64 = 16;

/// By what is weighed.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    pub costs: &'a Costs,
    /// Fused ops take in the signs of their operands.
    pub signs_are_free: bool,
    /// What nodes are off, and the most that all may be together.
    pub bounds: &'a Bounds,
    pub cap: Option<u32>,
}

impl<'a> Weights<'a> {
    pub fn new(settings: &'a super::Settings<'_>, bounds: &'a Bounds) -> Weights<'a> {
        let signs_are_free = settings.class >= Class::Contract;
        Weights { costs: settings.costs, signs_are_free, bounds, cap: settings.ulps }
    }
}

/// A problem, and what its numbers stand for.
pub struct Weighed {
    pub problem: Problem,
    pub classes: Vec<Id>,
    /// What the code cost as it stood, before anything was found equal.
    pub before: u64,
    /// The node of each candidate.
    pub nodes: Vec<Vec<Node>>,
    /// The numbers of set-ups that are jumps.
    jumps: FxHashSet<u32>,
}

impl Weighed {
    /// The classes of `order` that prepare the same operand in the same way, where several do.
    pub fn sharing(&self, choice: &Choice, order: &[u32]) -> Vec<Vec<Id>> {
        let mut groups: FxHashMap<u32, Vec<Id>> = FxHashMap::default();
        let mut keys = Vec::new();
        for &c in order {
            let node = choice[c as usize].and_then(|k| self.problem.classes[c as usize].get(k as usize));
            if let Some((key, _)) = node.and_then(|n| n.set_up).filter(|s| !self.jumps.contains(&s.0)) {
                let group = groups.entry(key).or_default();
                if group.is_empty() {
                    keys.push(key);
                }
                group.push(self.classes[c as usize]);
            }
        }
        keys.into_iter().filter_map(|key| groups.remove(&key)).filter(|g| g.len() > 1).collect()
    }
}

/// Numbers of parts that several nodes share: what an operand is prepared by, and jumps.
#[derive(Default)]
struct SetUps {
    operands: FxHashMap<(SetUpKey, Id), u32>,
    jumps: FxHashMap<OpId, u32>,
}

impl SetUps {
    fn count(&self) -> usize {
        self.operands.len() + self.jumps.len()
    }

    fn of_operand(&mut self, key: SetUpKey, operand: Id) -> u32 {
        let next = self.count() as u32;
        *self.operands.entry((key, operand)).or_insert(next)
    }

    fn of_jump(&mut self, op: OpId) -> u32 {
        let next = self.count() as u32;
        *self.jumps.entry(op).or_insert(next)
    }
}

pub fn weigh(body: &Body, built: &Built, weights: Weights<'_>) -> Weighed {
    let graph = &built.graph;
    let classes = sorted_classes(graph);
    let numbers: FxHashMap<Id, u32> = classes.iter().enumerate().map(|(n, &id)| (id, n as u32)).collect();
    let runs = scope_runs(body, built);
    let mut set_ups = SetUps::default();
    let originals = originals(built);
    let unconditional = unconditional(body, built, weights, &runs);
    let mut problem = Problem { cap: weights.cap, ..Problem::default() };
    let mut nodes = Vec::new();
    for &id in &classes {
        let class = &graph[id];
        let at = class.data.at;
        let mut kept = Vec::new();
        let mut candidates = Vec::new();
        for node in &class.nodes {
            let head = graph.analysis.head(node.head);
            if !can_be_computed(built, node, head, id) {
                continue;
            }
            let children: SmallVec<[u32; 3]> =
                node.children.iter().filter_map(|&c| numbers.get(&graph.find(c)).copied()).collect();
            let (mut cost, set_up, error) = cost_of(built, weights, node, head, &mut set_ups);
            if is_select(head) {
                cost = cost.saturating_add(work_moved_out(built, class, node, &unconditional));
            }
            let original = originals.get(&id).map_or_else(|| is_given(head), |o| o == node);
            let bound = weights.cap.map_or(0, |_| weights.bounds.of(graph, node));
            if !original && weights.cap.is_some_and(|cap| bound > cap) {
                continue;
            }
            candidates.push(Candidate { children, cost, set_up, error, bound, original });
            kept.push(node.clone());
        }
        // What is known of a value within a branch may turn out to be known outside of it, where
        // nothing was assumed of it: no op of the code is computed in that way.
        if !candidates.iter().any(|c| c.original)
            && let Some(first) = candidates.first_mut()
        {
            first.original = true;
        }
        problem.classes.push(candidates);
        problem.runs.push(runs.get(at.scope as usize).copied().unwrap_or(SCALE).max(1));
        nodes.push(kept);
    }
    problem.set_ups = set_ups.count();
    let mut homes: FxHashMap<Id, u64> = FxHashMap::default();
    for original in &built.originals {
        let weight = hoisted(built, &runs, original.scope, original.nodes.first().map(|n| n.0));
        for (id, _) in &original.nodes {
            let home = homes.entry(graph.find(*id)).or_insert(weight);
            *home = (*home).min(weight);
        }
    }
    for (id, weight) in homes {
        if let Some(&n) = numbers.get(&id) {
            problem.runs[n as usize] = weight.max(1);
        }
    }
    problem.roots = built
        .roots
        .iter()
        .flat_map(|(_, _, lanes)| lanes)
        .filter_map(|&l| numbers.get(&graph.find(l)).copied())
        .collect();
    problem.roots.sort_unstable();
    problem.roots.dedup();
    let before = cost_before(built, weights, &runs);
    let jumps = set_ups.jumps.into_values().collect();
    Weighed { problem, classes, before, nodes, jumps }
}

/// What all ops of the graph cost where they stand.
fn cost_before(built: &Built, weights: Weights<'_>, runs: &[u64]) -> u64 {
    let mut set_ups = SetUps::default();
    let mut shared: FxHashMap<u32, u64> = FxHashMap::default();
    let mut sum = 0u64;
    for original in &built.originals {
        let weight = hoisted(built, runs, original.scope, original.nodes.first().map(|n| n.0)).max(1);
        for (_, node) in &original.nodes {
            let head = built.graph.analysis.head(node.head);
            let (cost, set_up, _) = cost_of(built, weights, node, head, &mut set_ups);
            sum = sum.saturating_add(u64::from(cost) * weight);
            if let Some((key, cost)) = set_up {
                let known = shared.entry(key).or_default();
                *known = (*known).max(u64::from(cost) * weight);
            }
        }
    }
    shared.values().fold(sum, |sum, &s| sum.saturating_add(s))
}

/// A cost as a number of simple operations in a run.
pub fn simple(cost: u64) -> u64 {
    cost.div_ceil(SCALE)
}

/// What code costs, by where it is from.
#[derive(Default)]
pub struct Ledger {
    pub before: Vec<(Loc, u64)>,
    pub after: Vec<(Loc, u64)>,
}

impl Ledger {
    /// The numbers of the code as it stood and of a choice.
    pub fn of(
        body: &Body,
        built: &Built,
        weighed: &Weighed,
        choice: &Choice,
        order: &[u32],
        weights: Weights<'_>,
    ) -> Ledger {
        let runs = scope_runs(body, built);
        let mut set_ups = SetUps::default();
        let mut paid: FxHashMap<u32, ()> = FxHashMap::default();
        let mut before = Vec::new();
        for original in &built.originals {
            let weight = hoisted(built, &runs, original.scope, original.nodes.first().map(|n| n.0)).max(1);
            for (_, node) in &original.nodes {
                let head = built.graph.analysis.head(node.head);
                let (cost, set_up, _) = cost_of(built, weights, node, head, &mut set_ups);
                // Who comes first pays for what is shared.
                let shared = set_up.filter(|s| paid.insert(s.0, ()).is_none()).map_or(0, |s| s.1);
                before.push((body.loc(original.op), u64::from(cost + shared) * weight));
            }
        }
        paid.clear();
        let mut after = Vec::new();
        for &c in order {
            let problem = &weighed.problem;
            let Some(node) = choice[c as usize].and_then(|k| problem.classes[c as usize].get(k as usize)) else {
                continue;
            };
            let shared = node.set_up.filter(|s| paid.insert(s.0, ()).is_none()).map_or(0, |s| s.1);
            let loc = built.graph[weighed.classes[c as usize]].data.loc;
            after.push((loc, u64::from(node.cost + shared) * problem.runs[c as usize]));
        }
        Ledger { before, after }
    }
}

/// How a class was computed before: by the first op of it.
fn originals(built: &Built) -> FxHashMap<Id, Node> {
    let graph = &built.graph;
    let mut out: FxHashMap<Id, Node> = FxHashMap::default();
    // Leaves and constants first: what an op was found to equal need not be computed.
    for class in graph.classes() {
        if let Some(node) = class.nodes.iter().find(|n| is_given(graph.analysis.head(n.head))) {
            out.insert(class.id, node.clone());
        }
    }
    for original in &built.originals {
        for (id, node) in &original.nodes {
            let id = graph.find(*id);
            let children = node.children.iter().map(|&c| graph.find(c)).collect();
            let mut node = Node { head: node.head, children };
            if graph.analysis.head(node.head).def().is_some_and(|d| d.commutative) && node.children.len() == 2 {
                node.children.sort_unstable();
            }
            // The node as the graph has it; in either order if that was not kept.
            let known = graph[id].nodes.iter().find(|n| **n == node).or_else(|| {
                node.children.reverse();
                graph[id].nodes.iter().find(|n| **n == node)
            });
            if let Some(known) = known {
                out.entry(id).or_insert_with(|| known.clone());
            }
        }
    }
    out
}

fn is_given(head: &Head) -> bool {
    matches!(head, Head::Constant(_) | Head::Leaf { .. } | Head::Assumed { .. })
}

/// Whether a node can be computed wherever its class is there.
fn can_be_computed(built: &Built, node: &Node, head: &Head, class: Id) -> bool {
    let graph = &built.graph;
    let scopes = &graph.analysis.scopes;
    let at = graph[class].data.at;
    let mut need = match head {
        Head::Leaf { value, .. } => graph.analysis.leaves.get(value).copied().unwrap_or(at),
        Head::Assumed { number, .. } => {
            let scope = graph.analysis.assumptions.get(*number as usize).map_or(0, |a| a.1);
            graph::Point { scope, order: 0 }
        }
        Head::Branch { op, .. } => graph.analysis.branches.get(op).copied().unwrap_or(at),
        _ => graph::Point { scope: 0, order: 0 },
    };
    let outside = if matches!(head, Head::Branch { .. }) { 1 } else { node.children.len() };
    for &child in &node.children[..outside] {
        if graph.find(child) == class {
            return false;
        }
        match scopes.later(need, graph[child].data.at) {
            Some(later) => need = later,
            None => return false,
        }
    }
    if let (Head::Branch { op, .. }, Some(inner)) = (head, node.children.get(1..)) {
        let Some(sides) = built.branches.get(op) else { return false };
        let fits = |(&child, &side): (&Id, &u32)| {
            graph.find(child) != class && scopes.is_around(graph[child].data.at.scope, side)
        };
        if !inner.iter().zip(sides).all(fits) {
            return false;
        }
    }
    scopes.is_around(need.scope, at.scope) && need.order <= at.order
}

fn is_select(head: &Head) -> bool {
    head.def().is_some_and(|d| std::ptr::eq(d, arith::Select::DEF))
}

/// For each branch that may become choices: what the work of its sides costs more where it always
/// runs, as a share of each scalar that the branch yields.
fn unconditional(body: &Body, built: &Built, weights: Weights<'_>, runs: &[u64]) -> FxHashMap<OpId, u32> {
    let parents = &built.graph.analysis.scopes.parents;
    let mut work: FxHashMap<u32, u64> = FxHashMap::default();
    for original in &built.originals {
        let nodes = original.nodes.iter();
        let cost: u64 = nodes
            .map(|(_, node)| {
                let (cost, set_up, _) =
                    cost_of(built, weights, node, built.graph.analysis.head(node.head), &mut SetUps::default());
                u64::from(cost + set_up.map_or(0, |s| s.1))
            })
            .sum();
        *work.entry(original.scope).or_default() += cost;
    }
    let share = |(&op, sides): (&OpId, &[u32; 2])| {
        let lanes: usize = body.results(op).iter().map(|&r| super::build::width(body.ty(r))).sum();
        let more: u64 = sides
            .iter()
            .map(|&side| {
                let outside = runs.get(parents[side as usize] as usize).copied().unwrap_or(SCALE).max(1);
                let inside = runs.get(side as usize).copied().unwrap_or(outside).min(outside);
                work.get(&side).copied().unwrap_or(0) * (outside - inside) / outside
            })
            .sum();
        (op, more.div_ceil(lanes.max(1) as u64) as u32)
    };
    built.graph.analysis.cheap.iter().map(share).collect()
}

/// What a choice costs besides itself if it stands for a branch and reads what its sides compute.
fn work_moved_out(
    built: &Built,
    class: &egg::EClass<Node, super::graph::Data>,
    select: &Node,
    unconditional: &FxHashMap<OpId, u32>,
) -> u32 {
    let graph = &built.graph;
    let same =
        |branch: &Node| branch.children.iter().zip(&select.children).all(|(&a, &b)| graph.find(a) == graph.find(b));
    let stands_for = |node: &&Node| matches!(graph.analysis.head(node.head), Head::Branch { .. }) && same(node);
    let moved = |node: &Node| match graph.analysis.head(node.head) {
        Head::Branch { op, .. } => unconditional.get(op).copied().unwrap_or(0),
        _ => 0,
    };
    class.nodes.iter().filter(stands_for).map(moved).max().unwrap_or(0)
}

fn cost_of(
    built: &Built,
    weights: Weights<'_>,
    node: &Node,
    head: &Head,
    set_ups: &mut SetUps,
) -> (u32, Option<(u32, u32)>, f32) {
    let graph = &built.graph;
    match head {
        Head::Constant(_) | Head::Leaf { .. } | Head::Assumed { .. } => (0, None, 0.0),
        Head::Branch { op, .. } => (MERGE, Some((set_ups.of_jump(*op), JUMP)), 0.0),
        Head::Op { def, ty, .. } => {
            let constants: SmallVec<[Option<Attr>; 3]> =
                node.children.iter().map(|&c| graph::constant_of(graph, c)).collect();
            let cost = weights.costs.of(def, *ty, &constants);
            let set_up = cost.set_up.and_then(|s| {
                let operand = graph.find(*node.children.get(s.operand)?);
                Some((set_ups.of_operand(s.key, operand), s.cost))
            });
            let free = weights.signs_are_free && std::ptr::eq(*def, caustic_dialects::arith::NegF::DEF);
            let error = if cost.ulps.is_finite() { cost.ulps } else { 64.0 };
            (if free { 0 } else { cost.each }, set_up, error)
        }
    }
}

/// How often each scope runs, in sixteenths.
fn scope_runs(body: &Body, built: &Built) -> Vec<u64> {
    let frequencies = Frequencies::of(body);
    let mut sides: FxHashMap<u32, ()> = FxHashMap::default();
    for (n, &block) in built.blocks.iter().enumerate() {
        let branch = body.parent_op(block).is_some_and(|op| body.op(op).def.runs_regions_once());
        if branch {
            sides.insert(n as u32, ());
        }
    }
    let parents = &built.graph.analysis.scopes.parents;
    let mut halves = vec![0u32; built.blocks.len()];
    for n in 1..built.blocks.len() {
        halves[n] = halves[parents[n] as usize] + u32::from(sides.contains_key(&(n as u32)));
    }
    let runs = |(n, &block): (usize, &caustic_ir::BlockId)| {
        // Loops multiply; what is large is large enough.
        let often = frequencies.runs(block).min(1 << 20) * SCALE;
        (often >> halves[n].min(3)).max(1)
    };
    built.blocks.iter().enumerate().map(runs).collect()
}

/// How often an op of a scope runs once what does not change in a loop has been taken out of it.
fn hoisted(built: &Built, runs: &[u64], mut scope: u32, class: Option<Id>) -> u64 {
    let scopes = &built.graph.analysis.scopes;
    let Some(at) = class.map(|c| built.graph[c].data.at.scope) else { return 1 };
    let mut least = runs.get(scope as usize).copied().unwrap_or(1);
    while scope != at && scopes.is_around(at, scope) && scope != 0 {
        scope = scopes.parents[scope as usize];
        least = least.min(runs.get(scope as usize).copied().unwrap_or(1).max(1));
    }
    least
}
