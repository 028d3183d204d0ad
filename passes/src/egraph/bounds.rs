//! How far what is computed for a class may be from what the class stands for, as the bounds of the
//! rows tell it.
//!
//! A class stands for what the program computes, or for one of its nodes if that is not in it. From
//! there a path of rows leads to each of its other nodes. The bounds along the shortest one add up,
//! with those of the other nodes that the rows on the way speak of.
//!
//! Nodes that no row has joined are equal to the last bit.

use super::build::Built;
use super::graph::{EGraph, Head, Node, canonical};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More than any bound that somebody asks for.
const FAR: u32 = 1 << 24;
/// How often bounds are computed anew with those of what rows have matched.
const TIMES: usize = 8;

/// A use of a row.
struct Step {
    left: Node,
    right: Node,
    /// What stands below the roots, and what the right side is if it is a variable: it may be off
    /// from what its own class stands for.
    inner: SmallVec<[Node; 4]>,
    ulps: u32,
}

/// All uses of rows.
#[derive(Default)]
pub struct Log(Vec<Step>);

impl Log {
    /// Takes note of a row that was applied. The nodes of each side, its root last; `otherwise` is
    /// the root of a right side that is a variable.
    pub fn push(&mut self, mut left: Vec<Node>, mut right: Vec<Node>, otherwise: Option<Node>, ulps: u32) {
        let Some(root) = left.pop() else { return };
        let mut inner: SmallVec<[Node; 4]> = left.into_iter().collect();
        let end = match otherwise {
            Some(node) => {
                inner.push(node.clone());
                Some(node)
            }
            None => right.pop(),
        };
        inner.extend(right);
        if let Some(right) = end {
            self.0.push(Step { left: root, right, inner, ulps });
        }
    }
}

/// The bound of each node, in units in the last place of what its class stands for.
#[derive(Default)]
pub struct Bounds(FxHashMap<Node, u32>);

impl Bounds {
    pub fn of(&self, graph: &EGraph, node: &Node) -> u32 {
        self.0.get(&canonical(graph, node)).copied().unwrap_or(0)
    }

    pub fn new(built: &Built, log: &Log) -> Bounds {
        let paths = Paths::new(built, log);
        let mut known = vec![0; paths.classes.len()];
        for _ in 0..TIMES {
            let next = paths.bounds(&known);
            if next == known {
                break;
            }
            known = next;
        }
        // What still grows has no bound.
        let last = paths.bounds(&known);
        let settled = |(&a, &b): (&u32, &u32)| if a == b { a } else { FAR };
        let bounds: Vec<u32> = known.iter().zip(&last).map(settled).collect();
        Bounds(paths.numbers.into_iter().map(|(node, v)| (node, bounds[v])).filter(|b| b.1 > 0).collect())
    }
}

/// A step between two nodes, by their numbers.
struct Edge {
    to: usize,
    ulps: u32,
    step: usize,
}

struct Paths {
    numbers: FxHashMap<Node, usize>,
    /// By node, the number of its class.
    classes: Vec<usize>,
    members: Vec<Vec<usize>>,
    edges: Vec<Vec<Edge>>,
    inner: Vec<SmallVec<[usize; 4]>>,
    /// The nodes that the program has.
    ideals: FxHashSet<usize>,
}

impl Paths {
    fn new(built: &Built, log: &Log) -> Paths {
        let graph = &built.graph;
        let mut paths = Paths {
            numbers: FxHashMap::default(),
            classes: Vec::new(),
            members: Vec::new(),
            edges: Vec::new(),
            inner: Vec::new(),
            ideals: FxHashSet::default(),
        };
        for class in super::search::sorted_classes(graph) {
            let mut members = Vec::new();
            for node in &graph[class].nodes {
                let next = paths.classes.len();
                let number = *paths.numbers.entry(canonical(graph, node)).or_insert(next);
                if number == next {
                    paths.classes.push(paths.members.len());
                    members.push(number);
                }
                if matches!(graph.analysis.head(node.head), Head::Leaf { .. } | Head::Assumed { .. }) {
                    paths.ideals.insert(number);
                }
            }
            paths.members.push(members);
        }
        paths.edges.resize_with(paths.classes.len(), Vec::new);
        for (_, node) in built.originals.iter().flat_map(|o| &o.nodes) {
            paths.ideals.extend(paths.numbers.get(&canonical(graph, node)));
        }
        for step in &log.0 {
            let number = |node: &Node| paths.numbers.get(&canonical(graph, node)).copied();
            let (Some(a), Some(b)) = (number(&step.left), number(&step.right)) else { continue };
            if a == b || paths.classes[a] != paths.classes[b] {
                continue;
            }
            let inner = step.inner.iter().filter_map(number).collect();
            let step = (paths.inner.len(), step.ulps);
            paths.inner.push(inner);
            paths.edges[a].push(Edge { to: b, ulps: step.1, step: step.0 });
            paths.edges[b].push(Edge { to: a, ulps: step.1, step: step.0 });
        }
        paths
    }

    /// The bounds of all nodes, where those of what rows have matched are `known`.
    fn bounds(&self, known: &[u32]) -> Vec<u32> {
        let weights: Vec<u32> = self.inner.iter().map(|i| i.iter().map(|&v| known[v]).sum::<u32>().min(FAR)).collect();
        let mut bounds = vec![0; self.classes.len()];
        for members in &self.members {
            if members.iter().all(|&v| self.edges[v].is_empty()) {
                continue;
            }
            let ideals: Vec<usize> = members.iter().copied().filter(|v| self.ideals.contains(v)).collect();
            for &ideal in ideals.iter().chain(members.first().filter(|_| ideals.is_empty())) {
                for (v, far) in self.from(ideal, members, &weights) {
                    bounds[v] = bounds[v].max(far);
                }
            }
        }
        bounds
    }

    /// The distance of each node of a class from one.
    fn from(&self, ideal: usize, members: &[usize], weights: &[u32]) -> Vec<(usize, u32)> {
        let mut far: FxHashMap<usize, u32> = FxHashMap::default();
        // Nodes to which no row leads are equal to the ideal.
        let starts = members.iter().filter(|v| self.ideals.contains(v)).chain(members);
        for &start in std::iter::once(&ideal).chain(starts) {
            if far.contains_key(&start) {
                continue;
            }
            let mut queue = BinaryHeap::from([Reverse((0u32, start))]);
            while let Some(Reverse((here, v))) = queue.pop() {
                if far.contains_key(&v) {
                    continue;
                }
                far.insert(v, here);
                for edge in &self.edges[v] {
                    let there = (here + edge.ulps + weights[edge.step]).min(FAR);
                    queue.push(Reverse((there, edge.to)));
                }
            }
        }
        far.into_iter().collect()
    }
}
