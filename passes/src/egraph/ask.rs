//! Questions to rows that rewrite nothing: whether they make two terms one, and how often what they
//! look for stands in code.
//!
//! For those who look for rows. A theory is any list of equalities, those of the tables or others.

use super::build;
use super::graph::{self, EGraph, Head, add};
use super::matching::{self, Binding};
use super::search::{self, Fuel, Way, Ways};
use crate::analysis::carried_facts::carried_facts;
use crate::rows::{Class, Parsed, Term, Use};
use caustic_ir::fact::Fact;
use caustic_ir::{Loc, SymbolOp, Type, ValueId};
use egg::Id;
use smallvec::SmallVec;

/// Equalities that are taken for true.
#[derive(Default)]
pub struct Theory<'a> {
    ways: Ways<'a>,
    /// To which equality a way belongs, in the order in which they were added.
    numbers: Vec<usize>,
    added: usize,
}

/// Two terms of the same variables, and what is known of these.
pub struct Question<'a> {
    pub left: &'a Term,
    pub right: &'a Term,
    pub vars: &'a [(Type, Fact)],
    pub result: Type,
}

/// How far a proof is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub nodes: usize,
    pub rounds: usize,
}

impl<'a> Theory<'a> {
    /// Adds an equality, to be used as a row would be that says so.
    pub fn add(&mut self, name: &'a str, class: Class, used: Use, parsed: &'a Parsed) {
        self.ways.extend(Way::both((name, class, 0), used, parsed));
        self.numbers.resize(self.ways.len(), self.added);
        self.added += 1;
    }

    /// Whether the equalities make both terms one class of a graph, as far as the effort goes.
    pub fn proves(&self, question: &Question<'_>, effort: Effort) -> bool {
        let mut graph = EGraph::new(graph::Knowledge::new(Loc::unknown()));
        let vars: SmallVec<[Option<Id>; 6]> =
            question.vars.iter().enumerate().map(|(n, known)| Some(variable(&mut graph, n, *known))).collect();
        let binding = Binding { vars, predicates: SmallVec::new() };
        let side = |graph: &mut EGraph, term| search::instantiate(graph, term, &binding, Some(question.result));
        let (Some(left), Some(right)) = (side(&mut graph, question.left), side(&mut graph, question.right)) else {
            return false;
        };
        graph.rebuild();
        let fuel = Fuel { nodes: effort.nodes, rounds: 1, matches: effort.nodes, looks: usize::MAX, unions: u64::MAX };
        for _ in 0..effort.rounds {
            if graph.find(left) == graph.find(right) {
                return true;
            }
            let stop = search::saturate(&mut graph, &self.ways, None, fuel, None).stop;
            if matches!(stop, search::Stop::Saturated | search::Stop::Nodes) {
                break;
            }
        }
        graph.find(left) == graph.find(right)
    }

    /// How often the left side of each equality stands in a function where its conditions are known
    /// to hold, each scalar counted.
    pub fn occurrences(&self, symbol: &SymbolOp) -> Vec<u64> {
        let mut out = vec![0; self.added];
        let graph = EGraph::new(graph::Knowledge::new(symbol.loc));
        let carried = carried_facts(&symbol.body);
        let Some(built) = build::build(&symbol.body, &carried, graph, build::How { listens: true, moves: false })
        else {
            return out;
        };
        let fuel = Fuel { nodes: usize::MAX, rounds: 1, matches: 100_000, looks: usize::MAX, unions: u64::MAX };
        for (way, number) in matching::matches(&built.graph, &self.ways, fuel) {
            if !self.ways.get(way).is_some_and(|w| w.reversed) {
                out[self.numbers[way]] += number;
            }
        }
        out
    }
}

/// A value from outside of the graph of which something is known.
fn variable(graph: &mut EGraph, number: usize, (ty, fact): (Type, Fact)) -> Id {
    let value = ValueId(u32::try_from(number).unwrap_or(u32::MAX));
    let leaf = add(graph, Head::Leaf { value, lane: 0, vector: false, ty }, &[]);
    if fact == Fact::top(ty) {
        return leaf;
    }
    let known = u32::try_from(graph.analysis.assumptions.len()).unwrap_or(u32::MAX);
    graph.analysis.assumptions.push((Some(fact), 0));
    add(graph, Head::Assumed { number: known, ty }, &[leaf])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows;
    use caustic_dialects::arith;

    #[test]
    fn the_number_one_is_no_truth_value() {
        let row = rows::all().find(|row| row.name == "choose-true-else").and_then(|row| row.parsed());
        let row = row.expect("`select c x true` has a row");
        let mut graph = EGraph::new(graph::Knowledge::new(Loc::unknown()));
        let types = [Type::i1(), Type::f64()].map(|ty| (ty, Fact::top(ty)));
        let vars = types.into_iter().enumerate().map(|(n, known)| Some(variable(&mut graph, n, known))).collect();
        let binding = Binding { vars, predicates: SmallVec::new() };
        let choice = search::instantiate(&mut graph, &row.left, &binding, Some(Type::f64()));
        assert!(choice.is_some(), "`select c x 1.0` can be written");
        graph.rebuild();
        let ways = search::ways(rows::all(), |_| true, &[], &[]);
        let fuel = Fuel { nodes: 200, rounds: 4, matches: 1000, looks: usize::MAX, unions: u64::MAX };
        search::saturate(&mut graph, &ways, None, fuel, None);
        let is_or =
            |n: &graph::Node| graph.analysis.head(n.head).def().is_some_and(|d| std::ptr::eq(d, arith::OrI::DEF));
        assert!(!graph.classes().flat_map(|class| &class.nodes).any(is_or));
    }
}
