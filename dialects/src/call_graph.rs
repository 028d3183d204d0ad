//! Who calls whom: one graph of a module's functions for all that walks along calls.
//!
//! Nodes are the symbols of the module and the symbols that edges name, in the order of the module;
//! the edges of a function are in the order in which they are given. What counts as an edge is the
//! caller's to say ([`CallGraph::of`]); calls of functions are the usual ones
//! ([`CallGraph::of_calls`]). All walks are iterative: a chain of calls may be as long as the
//! program.
//!
//! This module must not know: what is done with an order or a set.

use crate::func;
use caustic_ir::{Attr, AttrKind, Body, Module, Name, OpId, SymbolOp, TypeKind};
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, DfsPostOrder, EdgeRef, Reversed};
use rustc_hash::{FxHashMap, FxHashSet};

/// A module's call graph, with what its maker says of each edge.
#[derive(Clone, Debug)]
pub struct CallGraph<E = ()> {
    graph: DiGraph<Name, E>,
    nodes: FxHashMap<Name, NodeIndex>,
}

/// The function that a `func.call` calls.
pub fn callee(body: &Body, op: OpId) -> Option<Name> {
    func::Call::cast(body, op)?.callee(body)
}

/// What the `func.call` ops of a function call, in the order in which they were made, once for each
/// call.
pub fn callees(symbol: &SymbolOp) -> impl Iterator<Item = Name> + '_ {
    symbol.body.all_ops().filter_map(|op| callee(&symbol.body, op))
}

/// Hands every symbol that a symbol's attributes, types and code name to `f`.
pub fn mentioned(symbol: &SymbolOp, f: &mut dyn FnMut(Name)) {
    let mut attrs: Vec<Attr> = symbol.attrs.iter().map(|(_, a)| *a).collect();
    if let Some(nested) = &symbol.nested {
        nested.symbols().iter().for_each(|s| mentioned(s, f));
    }
    for op in symbol.body.walk_all() {
        attrs.extend(symbol.body.op(op).attrs.iter().map(|(_, a)| *a));
    }
    while let Some(attr) = attrs.pop() {
        match attr.kind() {
            AttrKind::Symbol(name) => f(*name),
            AttrKind::Array(items) => attrs.extend(items),
            AttrKind::Dict(entries) => attrs.extend(entries.iter().map(|(_, a)| *a)),
            AttrKind::Type(ty) => {
                if let TypeKind::Dialect { params, .. } = ty.kind() {
                    attrs.extend(params);
                }
            }
            _ => {}
        }
    }
}

impl CallGraph {
    /// Calls of functions by `func.call`.
    pub fn of_calls(module: &Module) -> CallGraph {
        CallGraph::of_names(module, |symbol, names| names.extend(callees(symbol)))
    }

    /// From each symbol to all that it mentions, whatever for.
    pub fn of_mentions(module: &Module) -> CallGraph {
        CallGraph::of_names(module, |symbol, names| mentioned(symbol, &mut |name| names.push(name)))
    }

    /// Edges of which nothing is said but their end.
    pub fn of_names(module: &Module, mut edges: impl FnMut(&SymbolOp, &mut Vec<Name>)) -> CallGraph {
        let mut names = Vec::new();
        CallGraph::of(module.symbols(), |symbol, out| {
            edges(symbol, &mut names);
            out.extend(names.drain(..).map(|name| (name, ())));
        })
    }
}

impl<E> CallGraph<E> {
    /// The graph whose edges `edges` lists for each symbol. Nested symbols are not looked at.
    pub fn of(symbols: &[SymbolOp], mut edges: impl FnMut(&SymbolOp, &mut Vec<(Name, E)>)) -> CallGraph<E> {
        let names = symbols.iter().map(|s| s.name);
        CallGraph::of_nodes(&names.collect::<Vec<_>>(), |i, list| edges(&symbols[i], list))
    }

    /// The graph of other names than those of symbols; `edges` lists those of a node by its place.
    pub fn of_nodes(names: &[Name], mut edges: impl FnMut(usize, &mut Vec<(Name, E)>)) -> CallGraph<E> {
        let mut found = CallGraph { graph: DiGraph::with_capacity(names.len(), 0), nodes: FxHashMap::default() };
        for &name in names {
            found.node(name);
        }
        let mut list = Vec::new();
        for (i, &name) in names.iter().enumerate() {
            edges(i, &mut list);
            let from = found.node(name);
            // The neighbours of a node come in the reverse order of their edges.
            for (name, edge) in list.drain(..).rev() {
                let to = found.node(name);
                found.graph.add_edge(from, to, edge);
            }
        }
        found
    }

    fn node(&mut self, name: Name) -> NodeIndex {
        let graph = &mut self.graph;
        *self.nodes.entry(name).or_insert_with(|| graph.add_node(name))
    }

    /// All nodes: the symbols, and what edges name besides.
    pub fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.graph.node_weights().copied()
    }

    /// What a function calls, in order, once for each edge.
    pub fn edges(&self, from: Name) -> impl Iterator<Item = (Name, &E)> {
        let node = self.nodes.get(&from).copied();
        node.into_iter().flat_map(|n| self.graph.edges(n)).map(|e| (self.graph[e.target()], e.weight()))
    }

    /// The functions that call `name`, once for each edge.
    pub fn callers(&self, name: Name) -> impl Iterator<Item = Name> + '_ {
        let node = self.nodes.get(&name).copied();
        let nodes = node.into_iter().flat_map(|n| self.graph.neighbors_directed(n, Direction::Incoming));
        nodes.map(|n| self.graph[n])
    }

    /// `roots` and all that they lead to.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Name>) -> FxHashSet<Name> {
        let mut dfs = Dfs::empty(&self.graph);
        self.walk(roots, |node, found| {
            dfs.move_to(node);
            while let Some(next) = dfs.next(&self.graph) {
                found.insert(self.graph[next]);
            }
        })
    }

    /// `ends` and all that leads to one of them.
    pub fn reaching(&self, ends: impl IntoIterator<Item = Name>) -> FxHashSet<Name> {
        let reversed = Reversed(&self.graph);
        let mut dfs = Dfs::empty(reversed);
        self.walk(ends, |node, found| {
            dfs.move_to(node);
            while let Some(next) = dfs.next(reversed) {
                found.insert(self.graph[next]);
            }
        })
    }

    fn walk(
        &self,
        from: impl IntoIterator<Item = Name>,
        mut each: impl FnMut(NodeIndex, &mut FxHashSet<Name>),
    ) -> FxHashSet<Name> {
        let mut found = FxHashSet::default();
        for name in from {
            match self.nodes.get(&name) {
                Some(&node) => each(node, &mut found),
                None => _ = found.insert(name),
            }
        }
        found
    }

    /// `roots` and all that they lead to, each before what is found through it: the last root
    /// first, and of what a function calls the last one first.
    pub fn pre_order_from(&self, roots: impl IntoIterator<Item = Name>) -> Vec<Name> {
        let mut dfs = Dfs::empty(&self.graph);
        dfs.stack = roots.into_iter().filter_map(|name| self.nodes.get(&name).copied()).collect();
        std::iter::from_fn(|| dfs.next(&self.graph)).map(|node| self.graph[node]).collect()
    }

    /// The strongly connected components, callees before their callers. What calls itself through
    /// nothing is one by itself.
    pub fn components(&self) -> Vec<Vec<Name>> {
        let names = |component: Vec<NodeIndex>| component.into_iter().map(|n| self.graph[n]).collect();
        kosaraju_scc(&self.graph).into_iter().map(names).collect()
    }

    /// All functions, callees before their callers where no circle forbids it.
    pub fn post_order(&self) -> Vec<Name> {
        self.post_order_from(self.graph.node_indices().map(|n| self.graph[n]))
    }

    /// [`Self::post_order`] of what `roots` lead to.
    pub fn post_order_from(&self, roots: impl IntoIterator<Item = Name>) -> Vec<Name> {
        let mut dfs = DfsPostOrder::empty(&self.graph);
        let mut order = Vec::new();
        for node in roots.into_iter().filter_map(|name| self.nodes.get(&name)) {
            dfs.move_to(*node);
            while let Some(next) = dfs.next(&self.graph) {
                order.push(self.graph[next]);
            }
        }
        order
    }

    /// Whether a component is a circle: more than one function, or one that calls itself.
    pub fn is_circle(&self, component: &[Name]) -> bool {
        match component {
            [one] => self.edges(*one).any(|(callee, _)| callee == *one),
            more => more.len() > 1,
        }
    }

    /// The functions that reach themselves.
    pub fn recursive(&self) -> FxHashSet<Name> {
        self.components().into_iter().filter(|c| self.is_circle(c)).flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_ir::Loc;

    /// Functions `a`, `b`, … with these edges.
    fn graph(edges: &[(&str, &str)]) -> CallGraph {
        let symbols: Vec<SymbolOp> =
            ["a", "b", "c", "d"].map(|n| SymbolOp::new(func::Func::DEF, Name::new(n), Loc::unknown())).into();
        CallGraph::of(&symbols, |symbol, out| {
            let own = edges.iter().filter(|(from, _)| symbol.name == *from);
            out.extend(own.map(|(_, to)| (Name::new(to), ())));
        })
    }
    fn text(names: impl IntoIterator<Item = Name>) -> String {
        let mut names: Vec<&str> = names.into_iter().map(|n| n.as_str()).collect();
        names.sort_unstable();
        names.concat()
    }

    #[test]
    fn callees_come_before_callers() {
        let order = graph(&[("a", "c"), ("a", "b"), ("b", "d"), ("c", "d")]).post_order();
        let at = |n: &str| order.iter().position(|name| *name == n);
        assert_eq!(order.len(), 4);
        assert!(at("d") < at("b") && at("d") < at("c") && at("b") < at("a") && at("c") < at("a"));
    }

    #[test]
    fn callers_come_before_what_is_found_through_them() {
        let graph = graph(&[("a", "b"), ("a", "c"), ("c", "b"), ("d", "a")]);
        assert_eq!(graph.pre_order_from([Name::new("d"), Name::new("a")]), ["a", "c", "b", "d"].map(Name::new));
    }

    #[test]
    fn edges_keep_their_order() {
        let names: Vec<Name> =
            graph(&[("a", "c"), ("a", "b"), ("a", "c")]).edges(Name::new("a")).map(|e| e.0).collect();
        assert_eq!(names, ["c", "b", "c"].map(Name::new));
    }

    #[test]
    fn sets_hold_what_is_reached_and_what_reaches() {
        let graph = graph(&[("a", "b"), ("b", "c"), ("c", "b")]);
        assert_eq!(text(graph.reachable([Name::new("b")])), "bc");
        assert_eq!(text(graph.reaching([Name::new("c")])), "abc");
        assert_eq!(text(graph.reachable([Name::new("elsewhere")])), "elsewhere");
        assert_eq!(text(graph.callers(Name::new("b"))), "ac");
    }

    #[test]
    fn circles_are_recursive_and_what_leads_to_one_is_not() {
        let graph = graph(&[("a", "b"), ("b", "c"), ("c", "b"), ("d", "d")]);
        assert_eq!(text(graph.recursive()), "bcd");
    }

    #[test]
    fn a_long_chain_of_calls_does_not_overflow_the_stack() {
        let name = |i: usize| Name::new(&format!("chain{i}"));
        let symbols: Vec<SymbolOp> =
            (0..50_000).map(|i| SymbolOp::new(func::Func::DEF, name(i), Loc::unknown())).collect();
        let mut next = 0;
        let graph = CallGraph::of(&symbols, |_, out| {
            next += 1;
            out.push((name(next), ()));
        });
        assert_eq!(graph.post_order().len(), 50_001);
        assert_eq!(graph.reachable([name(0)]).len(), 50_001);
    }
}
