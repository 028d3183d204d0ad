//! Takes out of sums what all of their terms have in common, and adds up terms that differ by a
//! number only, in whatever order factors and terms stand.
//!
//! Rows that reorder would find it, after they have filled the graph with all orders. Here terms
//! are read as a number times powers of classes, which have no order. What is written is one sum:
//! the row `common-factor` and reordering, many times at once. Where a reading would say that
//! something is zero, or that a factor and a divisor cancel, which holds of numbers other than 0
//! and infinity alone, nothing is done.
//!
//! Must not know: which ops add and multiply ([`FieldOp`] does).

use super::graph::{self, EGraph, Head, Node, add, node_of};
use super::search::literal;
use crate::rows::condition::least_normal;
use crate::rows::field::FieldOp;
use caustic_ir::{Attr, Attrs, Type};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Terms of a sum that is looked at.
const MOST_TERMS: usize = 8;
/// Nodes that are read for one sum.
const MOST_READ: u32 = 64;
/// The largest power that is read.
const MOST_POWER: i32 = 16;
/// Sums within each other that are made for one.
const DEEPEST: u64 = 4;

/// A number times powers of classes, in the order of their numbers.
#[derive(Clone, PartialEq, Debug)]
struct Monomial {
    number: f64,
    powers: SmallVec<[(Id, i32); 6]>,
}

impl Default for Monomial {
    fn default() -> Monomial {
        Monomial { number: 1.0, powers: SmallVec::new() }
    }
}

impl Monomial {
    /// Multiplies by a power of a class; `None` if it would cancel.
    fn raise(&mut self, class: Id, power: i32) -> Option<()> {
        match self.powers.binary_search_by_key(&class, |p| p.0) {
            Ok(at) => {
                let known = &mut self.powers[at].1;
                if known.signum() != power.signum() || (*known + power).abs() > MOST_POWER {
                    return None;
                }
                *known += power;
            }
            Err(at) => self.powers.insert(at, (class, power)),
        }
        Some(())
    }

    fn scale(&mut self, number: f64, power: i32) -> Option<()> {
        self.number *= number.powi(power);
        self.number.is_normal().then_some(())
    }

    fn times(&mut self, other: &Monomial) -> Option<()> {
        self.number *= other.number;
        other.powers.iter().try_for_each(|&(class, power)| self.raise(class, power))?;
        self.number.is_normal().then_some(())
    }

    /// What is left of it without `common`, whose powers it has.
    fn without(&self, common: &Monomial) -> Monomial {
        let of = |class: Id| common.powers.iter().find(|p| p.0 == class).map_or(0, |p| p.1);
        let left = self.powers.iter().map(|&(class, power)| (class, power - of(class))).filter(|p| p.1 != 0);
        Monomial { number: self.number / common.number, powers: left.collect() }
    }
}

/// What all of the terms have as a factor.
fn common(terms: &[Monomial]) -> Monomial {
    let Some((first, others)) = terms.split_first() else { return Monomial::default() };
    let mut out = first.clone();
    for term in others {
        let of = |class: Id| term.powers.iter().find(|p| p.0 == class).map_or(0, |p| p.1);
        for (class, power) in &mut out.powers {
            let other = of(*class);
            *power = if other.signum() == power.signum() { power.signum() * other.abs().min(power.abs()) } else { 0 };
        }
        out.powers.retain(|p| p.1 != 0);
        if term.number.abs() != out.number.abs() {
            out.number = 1.0;
        }
    }
    let is_negative = terms.iter().all(|t| t.number < 0.0);
    out.number = if is_negative { -out.number.abs() } else { out.number.abs() };
    out
}

fn field_op(graph: &EGraph, node: &Node) -> Option<FieldOp> {
    FieldOp::of(graph.analysis.head(node.head).def()?)
}

fn number_of(graph: &EGraph, class: Id) -> Option<f64> {
    graph::constant_of(graph, class).and_then(Attr::as_float)
}

/// Reads sums and products of a graph.
struct Reader<'g> {
    graph: &'g EGraph,
    /// Classes that are being read.
    path: SmallVec<[Id; 16]>,
    read: Vec<Node>,
    left: u32,
}

impl<'g> Reader<'g> {
    fn new(graph: &'g EGraph) -> Reader<'g> {
        Reader { graph, path: SmallVec::new(), read: Vec::new(), left: MOST_READ }
    }

    /// A node of a class that does one of these, of children that are not being read.
    fn node(&mut self, class: Id, is_wanted: impl Fn(FieldOp) -> bool) -> Option<(FieldOp, &'g Node)> {
        self.left = self.left.checked_sub(1)?;
        let graph = self.graph;
        let fits = |node: &&Node| node.children.iter().all(|&c| !self.path.contains(&graph.find(c)));
        let found = graph[class].nodes.iter().filter_map(|n| Some((field_op(graph, n)?, n)));
        let (op, node) = found.filter(|(op, n)| is_wanted(*op) && fits(n)).min_by_key(|(op, _)| *op as u8)?;
        self.read.push(node.clone());
        Some((op, node))
    }

    fn product(&mut self, class: Id, power: i32, out: &mut Monomial) -> Option<()> {
        let class = self.graph.find(class);
        if let Some(number) = number_of(self.graph, class) {
            return out.scale(number, power);
        }
        self.path.push(class);
        let done = match self.node(class, |op| !op.is_sum()) {
            Some((FieldOp::Product, n)) => {
                self.product(n.children[0], power, out).and_then(|()| self.product(n.children[1], power, out))
            }
            Some((FieldOp::Quotient, n)) => {
                self.product(n.children[0], power, out).and_then(|()| self.product(n.children[1], -power, out))
            }
            Some((_, n)) => {
                if power % 2 != 0 {
                    out.number = -out.number;
                }
                self.product(n.children[0], power, out)
            }
            None => out.raise(class, power),
        };
        self.path.pop();
        done
    }

    /// The terms of a sum, times a number.
    fn sum(&mut self, class: Id, by: f64, out: &mut Vec<Monomial>) -> Option<()> {
        let class = self.graph.find(class);
        self.path.push(class);
        let done = match self.node(class, FieldOp::is_sum) {
            Some((op, n)) => {
                let other = if op == FieldOp::Sum { by } else { -by };
                self.sum(n.children[0], by, out).and_then(|()| self.sum(n.children[1], other, out))
            }
            None => self.term(class, by, out),
        };
        self.path.pop();
        done
    }

    /// A term that is no sum itself, but may be a number times one.
    fn term(&mut self, class: Id, by: f64, out: &mut Vec<Monomial>) -> Option<()> {
        self.path.pop();
        let mut term = Monomial { number: by, ..Monomial::default() };
        let done = self.product(class, 1, &mut term);
        self.path.push(class);
        done?;
        match term.powers[..] {
            [(inner, 1)] if inner != class && !self.path.contains(&inner) => self.sum(inner, term.number, out),
            _ => {
                out.push(term);
                (out.len() <= MOST_TERMS && self.left > 0).then_some(())
            }
        }
    }
}

/// A sum as it was written, and what all of its terms have in common.
pub struct Factored {
    pub class: Id,
    common: Monomial,
    rest: Vec<Monomial>,
    read: Vec<Node>,
}

impl Factored {
    /// Whether its terms, without what they have in common, are products of three or more: then it
    /// matters in which order they are multiplied, which what other sums have tells.
    pub fn waits(&self) -> bool {
        let size = |t: &Monomial| t.powers.iter().map(|p| p.1.unsigned_abs()).sum::<u32>();
        self.rest.iter().any(|t| size(t) > 2)
    }
}

/// How many sums each class is a factor in.
pub type Shares = FxHashMap<Id, u32>;

pub fn shares(sums: &[Factored]) -> Shares {
    let mut out = Shares::default();
    for sum in sums {
        let terms = sum.rest.iter().chain([&sum.common]);
        let mut of: Vec<Id> = terms.flat_map(|t| t.powers.iter().map(|p| p.0)).collect();
        of.sort_unstable();
        of.dedup();
        of.into_iter().for_each(|class| *out.entry(class).or_insert(0) += 1);
    }
    out
}

/// Reads the sum that a class is; `None` if nothing can be said of it.
pub fn factored(graph: &EGraph, class: Id) -> Option<Factored> {
    let class = graph.find(class);
    let is_sum = |n: &Node| field_op(graph, n).is_some_and(FieldOp::is_sum);
    if !graph[class].nodes.iter().any(is_sum) || number_of(graph, class).is_some() {
        return None;
    }
    let mut reader = Reader::new(graph);
    let mut read = Vec::new();
    reader.sum(class, 1.0, &mut read)?;
    let count = read.len();
    let mut terms: Vec<Monomial> = Vec::new();
    for term in read {
        match terms.iter_mut().find(|t| t.powers == term.powers) {
            Some(known) => {
                known.number += term.number;
                if !known.number.is_normal() {
                    return None;
                }
            }
            None => terms.push(term),
        }
    }
    // What stands in regions of which neither is around the other can be read nowhere.
    let scopes = &graph.analysis.scopes;
    let mut points = terms.iter().flat_map(|t| &t.powers).map(|p| graph[p.0].data.at);
    let start = graph::Point { scope: 0, order: 0 };
    points.try_fold(start, |at, other| scopes.later(at, other))?;
    let common = common(&terms);
    let says = terms.len() < count || !common.powers.is_empty() || common.number.abs() != 1.0;
    if count < 2 || !says {
        return None;
    }
    let rest = terms.iter().map(|t| t.without(&common)).collect();
    // The first node is that of the class: it is last in what was there.
    let mut read = reader.read;
    read.reverse();
    Some(Factored { class, common, rest, read })
}

/// What was written for a sum.
pub struct Found {
    pub class: Id,
    /// The nodes that were read, and those that were written, the root last.
    pub read: Vec<Node>,
    pub written: Vec<Node>,
}

impl Found {
    /// How far both sides may be apart: each op rounds once.
    pub fn ulps(&self) -> u32 {
        (self.read.len() + self.written.len()) as u32
    }
}

/// What is remembered of a graph: the classes that were read.
#[derive(Default)]
pub struct Factors {
    seen: FxHashSet<Id>,
}

impl Factors {
    /// The classes that are sums and were not read before.
    pub fn fresh(&mut self, graph: &EGraph) -> Vec<Id> {
        let is_sum = |n: &Node| field_op(graph, n).is_some_and(FieldOp::is_sum);
        let mut out: Vec<Id> =
            graph.classes().filter(|c| c.data.ty.is_float() && c.nodes.iter().any(is_sum)).map(|c| c.id).collect();
        out.retain(|&class| self.seen.insert(class));
        out.sort_unstable();
        out
    }

    /// Writes a sum anew, and what is left of it, at most so many times. The classes are one then.
    pub fn write(&mut self, graph: &mut EGraph, sum: Factored, shares: &Shares, most: u64) -> Vec<Found> {
        let mut out = Vec::new();
        self.write_within(graph, sum, shares, most.min(DEEPEST) as usize, &mut out);
        out
    }

    fn write_within(
        &mut self,
        graph: &mut EGraph,
        sum: Factored,
        shares: &Shares,
        left: usize,
        out: &mut Vec<Found>,
    ) -> Option<()> {
        let left = left.checked_sub(1)?;
        let Factored { class, common, rest, read } = sum;
        let ty = graph[class].data.ty;
        let mut writer = Writer { graph, ty, shares, written: Vec::new() };
        let mut whole = common;
        match &rest[..] {
            [only] => whole.times(only)?,
            _ => {
                let sum = writer.sum(&rest)?;
                let written = std::mem::take(&mut writer.written);
                // The sum that is left may have a factor of its own.
                let sum = graph.find(sum);
                if self.seen.insert(sum)
                    && let Some(again) = factored(graph, sum)
                {
                    self.write_within(graph, again, shares, left, out);
                }
                let mut inner = Monomial::default();
                Reader::new(graph).product(sum, 1, &mut inner)?;
                whole.times(&inner)?;
                writer = Writer { graph, ty, shares, written };
            }
        }
        let right = writer.product(&whole)?;
        let written = writer.written;
        if graph.find(right) != graph.find(class) {
            graph::unite(graph, class, right, NAME);
            out.push(Found { class, read, written });
        }
        Some(())
    }
}

/// What such an equality is called in explanations.
pub const NAME: &str = "common-factors";

struct Writer<'g> {
    graph: &'g mut EGraph,
    ty: Type,
    shares: &'g Shares,
    written: Vec<Node>,
}

impl Writer<'_> {
    fn op(&mut self, op: FieldOp, children: &[Id]) -> Id {
        let head = Head::Op { def: op.def(), attrs: Attrs::new(), ty: self.ty };
        self.add(head, children)
    }

    fn add(&mut self, head: Head, children: &[Id]) -> Id {
        let node = node_of(self.graph, head.clone(), children);
        self.written.push(node);
        add(self.graph, head, children)
    }

    fn number(&mut self, value: f64) -> Option<Id> {
        let value = literal(value, self.ty)?;
        value.as_float().filter(|v| v.is_finite() && v.abs() >= least_normal(self.ty))?;
        Some(self.add(Head::Constant(value), &[]))
    }

    fn power(&mut self, class: Id, power: u32) -> Id {
        match power {
            0 | 1 => class,
            _ => {
                let half = self.power(class, power / 2);
                let square = self.op(FieldOp::Product, &[half, half]);
                if power % 2 == 1 { self.op(FieldOp::Product, &[square, class]) } else { square }
            }
        }
    }

    /// A product without its sign: what most sums share first, the number last. `None` if a number
    /// is none of the type.
    fn magnitude(&mut self, of: &Monomial) -> Option<Id> {
        let mut powers = of.powers.clone();
        let share = |class: Id| self.shares.get(&class).copied().unwrap_or(0);
        powers.sort_by_key(|&(class, power)| (std::cmp::Reverse(share(class)), power, class));
        let mut out: Option<Id> = None;
        for (class, power) in powers {
            let base = if power < 0 {
                let one = self.number(1.0)?;
                self.op(FieldOp::Quotient, &[one, class])
            } else {
                class
            };
            let factor = self.power(base, power.unsigned_abs());
            out = Some(out.map_or(factor, |known| self.op(FieldOp::Product, &[known, factor])));
        }
        let number = of.number.abs();
        match out {
            Some(known) if number == 1.0 => Some(known),
            Some(known) => {
                let number = self.number(number)?;
                Some(self.op(FieldOp::Product, &[known, number]))
            }
            None => self.number(number),
        }
    }

    fn product(&mut self, of: &Monomial) -> Option<Id> {
        let known = self.magnitude(of)?;
        Some(if of.number < 0.0 { self.op(FieldOp::Negative, &[known]) } else { known })
    }

    /// A sum of which one term at least is not negative.
    fn sum(&mut self, terms: &[Monomial]) -> Option<Id> {
        let first = terms.iter().position(|t| t.number > 0.0)?;
        let mut out = self.magnitude(&terms[first])?;
        for (_, term) in terms.iter().enumerate().filter(|t| t.0 != first) {
            let op = if term.number > 0.0 { FieldOp::Sum } else { FieldOp::Difference };
            let term = self.magnitude(term)?;
            out = self.op(op, &[out, term]);
        }
        Some(out)
    }
}
