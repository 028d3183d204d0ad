//! Terms as an e-graph on `egg`: what a node is, and what is known of a class.
//!
//! A node is a *head* (an op with its attributes and result type, a constant, a value from outside
//! of the graph, …) and children. Everything is a scalar; vectors are one class a lane. Children of
//! commutative ops are kept in order, so that both ways of writing one are one node.
//!
//! Invariants: a class has one type. What is known of it is true wherever one of its nodes can be
//! computed. A class whose nodes need values of different regions belongs to the outermost of
//! these: only nodes that can be computed there are chosen for it. Once a row that does not keep
//! every bit was applied, a fact is one of the value that the program itself computes.
//!
//! Must not know: rows, costs, and how code is put back.

use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes};
use caustic_ir::fact::Fact;
use caustic_ir::{Attr, Attrs, Loc, Name, OpDef, OpId, Type, ValueId};
use egg::{Analysis, DidMerge, Id, Language};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Children of a node.
pub type Children = SmallVec<[Id; 3]>;
/// The classes of a value's scalars: one, or one a lane.
pub type Lanes = SmallVec<[Id; 4]>;

/// What a node computes of its children.
#[derive(Clone, Debug)]
pub enum Head {
    Op {
        def: &'static OpDef,
        attrs: Attrs,
        ty: Type,
    },
    Constant(Attr),
    /// A scalar of a value that the graph does not look into.
    Leaf {
        value: ValueId,
        lane: u32,
        vector: bool,
        ty: Type,
    },
    /// Its child where a branch or a loop has said something of it. The value is the child's, the
    /// class is another: what follows from what was said stays where it was said.
    Assumed {
        number: u32,
        ty: Type,
    },
    /// A scalar of a result of a branch that only computes: of the condition and of what both sides
    /// yield.
    Branch {
        op: OpId,
        result: u32,
        lane: u32,
        ty: Type,
    },
}

impl Head {
    pub fn ty(&self) -> Option<Type> {
        match self {
            Head::Constant(value) => caustic_dialects::arith::attr_type(*value),
            Head::Op { ty, .. } | Head::Leaf { ty, .. } | Head::Assumed { ty, .. } | Head::Branch { ty, .. } => {
                Some(*ty)
            }
        }
    }

    pub fn def(&self) -> Option<&'static OpDef> {
        match self {
            Head::Op { def, .. } => Some(def),
            _ => None,
        }
    }

    pub fn attr(&self, name: &str) -> Option<Attr> {
        match self {
            Head::Op { attrs, .. } => attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| *a),
            _ => None,
        }
    }

    /// What tells heads apart.
    fn key(&self) -> Key {
        match self {
            Head::Op { def, attrs, ty } => {
                let mut attrs = attrs.clone();
                attrs.sort_by_key(|(n, _)| *n);
                Key::Op(std::ptr::from_ref(*def), attrs, *ty)
            }
            Head::Constant(value) => Key::Constant(*value),
            Head::Leaf { value, lane, .. } => Key::Leaf(*value, *lane),
            Head::Assumed { number, .. } => Key::Assumed(*number),
            Head::Branch { op, result, lane, .. } => Key::Branch(*op, *result, *lane),
        }
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Op(*const OpDef, Attrs, Type),
    Constant(Attr),
    Leaf(ValueId, u32),
    Assumed(u32),
    Branch(OpId, u32, u32),
}

/// The number of a head, in the order in which heads came up: the same in every run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HeadId(u32);

impl HeadId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node {
    pub head: HeadId,
    pub children: Children,
}

impl Language for Node {
    /// `egg` keeps a list of classes for each of these, which only its own matcher reads.
    type Discriminant = ();
    fn discriminant(&self) {}
    fn matches(&self, other: &Node) -> bool {
        self.head == other.head && self.children.len() == other.children.len()
    }
    fn children(&self) -> &[Id] {
        &self.children
    }
    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}

impl std::fmt::Display for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.head.0)
    }
}

/// A region and the op in it from which on something is there: regions nest, and ops of one are in
/// order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    /// Number of the region in [`Scopes`].
    pub scope: u32,
    /// Position of the op in the order of the text; 0 for what is there from the beginning.
    pub order: u32,
}

/// The regions of a function, a tree.
#[derive(Default)]
pub struct Scopes {
    pub parents: Vec<u32>,
    pub depths: Vec<u32>,
}

impl Scopes {
    /// Whether `outer` is `inner`, or around it.
    pub fn is_around(&self, outer: u32, mut inner: u32) -> bool {
        while self.depths[inner as usize] > self.depths[outer as usize] {
            inner = self.parents[inner as usize];
        }
        inner == outer
    }

    /// The innermost region around both.
    pub fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if self.depths[a as usize] >= self.depths[b as usize] {
                a = self.parents[a as usize];
            } else {
                b = self.parents[b as usize];
            }
        }
        a
    }

    /// Where both are there; `None` if they stand in regions of which neither is around the other.
    pub fn later(&self, a: Point, b: Point) -> Option<Point> {
        let (deep, other) =
            if self.depths[a.scope as usize] >= self.depths[b.scope as usize] { (a, b) } else { (b, a) };
        let nested = self.is_around(other.scope, deep.scope);
        nested.then_some(Point { scope: deep.scope, order: deep.order.max(other.order) })
    }

    fn earlier(&self, a: Point, b: Point) -> Point {
        let key = |p: Point| (self.depths[p.scope as usize], p.order, p.scope);
        if key(a) <= key(b) { a } else { b }
    }
}

/// What is known of a class.
#[derive(Clone, Debug)]
pub struct Data {
    pub ty: Type,
    pub fact: Fact,
    /// Where the fact comes from.
    pub origin: Origin,
    /// The first point where one of its nodes can be computed.
    pub at: Point,
    pub loc: Loc,
}

/// Where the fact of a class comes from. It matters once values that are only nearly equal are one
/// class: from then on what the program itself says of a class outlives what rows add to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// A node that is looked at again, since its children's facts have changed.
    Again,
    /// A node that a row has made.
    Row,
    /// The program, or rows that keep every bit of it.
    Program,
}

/// Everything that the graph knows besides its nodes.
pub struct Knowledge {
    heads: Vec<Head>,
    numbers: FxHashMap<Key, HeadId>,
    /// Of ops without attributes, which come up most.
    plain: FxHashMap<(*const OpDef, Type), HeadId>,
    pub scopes: Scopes,
    /// Where the values of leaves are there.
    pub leaves: FxHashMap<ValueId, Point>,
    /// What is known of the values of leaves where they are there.
    pub ranges: FxHashMap<ValueId, Fact>,
    /// What is assumed, and from where on. Without a fact nothing is known of it here, not even
    /// what is known of the value itself: the class may be one that equals it in its scope alone.
    pub assumptions: Vec<(Option<Fact>, u32)>,
    /// The location of what is being added.
    pub loc: Loc,
    /// What is added and united now comes from a row that does not keep every bit.
    is_inexact: bool,
    /// Such a row was applied. Equal classes then need not have equal values, nor have nodes whose
    /// children have become one class: facts are no longer met, and nodes are not asked again.
    has_inexact: bool,
    /// Branches that may become choices, with the scopes of their sides.
    pub cheap: FxHashMap<OpId, [u32; 2]>,
    /// Where all is there that a branch reads from outside.
    pub branches: FxHashMap<OpId, Point>,
    /// The scopes of the sides of branches.
    pub sides: FxHashMap<OpId, [u32; 2]>,
}

impl Knowledge {
    pub fn new(loc: Loc) -> Knowledge {
        Knowledge {
            heads: Vec::new(),
            numbers: FxHashMap::default(),
            plain: FxHashMap::default(),
            scopes: Scopes { parents: vec![0], depths: vec![0] },
            leaves: FxHashMap::default(),
            ranges: FxHashMap::default(),
            assumptions: Vec::new(),
            loc,
            is_inexact: false,
            has_inexact: false,
            cheap: FxHashMap::default(),
            branches: FxHashMap::default(),
            sides: FxHashMap::default(),
        }
    }

    /// Says whether what is added and united from now on comes from a row that does not keep every
    /// bit.
    pub fn set_inexact(&mut self, is_inexact: bool) {
        self.is_inexact = is_inexact;
        self.has_inexact |= is_inexact;
    }

    pub fn is_inexact(&self) -> bool {
        self.is_inexact
    }

    pub fn head(&self, id: HeadId) -> &Head {
        &self.heads[id.0 as usize]
    }

    pub fn heads(&self) -> impl Iterator<Item = (HeadId, &Head)> {
        self.heads.iter().enumerate().map(|(i, h)| (HeadId(i as u32), h))
    }

    /// The number of a head that came up already.
    pub fn known_head(&self, head: &Head) -> Option<HeadId> {
        self.numbers.get(&head.key()).copied()
    }

    pub fn head_id(&mut self, head: Head) -> HeadId {
        // Most ops have no attributes, and come up often.
        let plain = match &head {
            Head::Op { def, attrs, ty } if attrs.is_empty() => Some((std::ptr::from_ref(*def), *ty)),
            _ => None,
        };
        if let Some(&id) = plain.and_then(|key| self.plain.get(&key)) {
            return id;
        }
        let id = self.numbered(head);
        if let Some(key) = plain {
            self.plain.insert(key, id);
        }
        id
    }

    fn numbered(&mut self, head: Head) -> HeadId {
        let key = head.key();
        if let Some(&id) = self.numbers.get(&key) {
            return id;
        }
        let id = HeadId(self.heads.len() as u32);
        self.numbers.insert(key, id);
        self.heads.push(head);
        id
    }
}

pub type EGraph = egg::EGraph<Node, Knowledge>;

impl Analysis<Node> for Knowledge {
    type Data = Data;

    fn make(graph: &mut EGraph, node: &Node, id: Id) -> Data {
        // The id of a new node is the number of nodes before it; others are made again.
        let is_new = usize::from(id) == graph.nodes().len();
        let origin = match graph.analysis.has_inexact {
            false => Origin::Program,
            true if is_new => Origin::Row,
            true => Origin::Again,
        };
        let k = &graph.analysis;
        let head = k.head(node.head);
        let ty = head.ty().unwrap_or_else(Type::index);
        let mut at = match head {
            Head::Leaf { value, .. } => k.leaves.get(value).copied().unwrap_or(Point { scope: 0, order: 0 }),
            Head::Assumed { number, .. } => {
                let scope = k.assumptions.get(*number as usize).map_or(0, |a| a.1);
                Point { scope, order: 0 }
            }
            Head::Branch { op, .. } => k.branches.get(op).copied().unwrap_or(Point { scope: 0, order: 0 }),
            _ => Point { scope: 0, order: 0 },
        };
        // What both sides of a branch yield is computed inside of it.
        let outside = if matches!(head, Head::Branch { .. }) { 1 } else { node.children.len() };
        for &child in &node.children[..outside] {
            let there = graph[child].data.at;
            // Of neither order the node cannot be computed anywhere; the deeper one keeps it from
            // being chosen outside.
            at = k.scopes.later(at, there).unwrap_or(
                if k.scopes.depths[at.scope as usize] > k.scopes.depths[there.scope as usize] { at } else { there },
            );
        }
        let is_unknown = origin == Origin::Again || k.is_inexact;
        let fact = if is_unknown { Fact::top(ty) } else { fact_of(graph, node, head, ty) };
        Data { ty, fact, origin, at, loc: k.loc }
    }

    fn merge(&mut self, a: &mut Data, b: Data) -> DidMerge {
        let before = (a.fact, a.origin, a.at);
        let at = self.scopes.earlier(a.at, b.at);
        let fact = if self.has_inexact {
            match a.origin.cmp(&b.origin) {
                Ordering::Greater => a.fact,
                Ordering::Less => b.fact,
                // Both are nearly equal: only what holds for either is known of what is chosen.
                Ordering::Equal => a.fact.join(b.fact),
            }
        } else if a.at.scope == b.at.scope {
            // Where both exclude each other the code never runs.
            a.fact.meet(b.fact).unwrap_or(a.fact)
        } else if at == a.at {
            // What is known further inside need not hold outside.
            a.fact
        } else {
            b.fact
        };
        let origin = a.origin.max(b.origin);
        (a.fact, a.origin, a.at) = (fact, origin, at);
        DidMerge((fact, origin, at) != before, (fact, at) != (b.fact, b.at))
    }

    fn modify(graph: &mut EGraph, id: Id) {
        let data = &graph[id].data;
        let (ty, fact) = (data.ty, data.fact);
        let Some(value) = fact.as_constant(ty) else { return };
        let head = graph.analysis.head_id(Head::Constant(value));
        let constant = Node { head, children: Children::new() };
        if graph.lookup(constant.clone()).is_some_and(|c| graph.find(c) == graph.find(id)) {
            return;
        }
        let known = graph.add(constant);
        unite(graph, id, known, "fold");
    }
}

/// Lets two classes be one, for a reason.
pub fn unite(graph: &mut EGraph, a: Id, b: Id, reason: &str) -> bool {
    if graph.are_explanations_enabled() { graph.union_trusted(a, b, reason) } else { graph.union(a, b) }
}

fn fact_of(graph: &EGraph, node: &Node, head: &Head, ty: Type) -> Fact {
    let of = |id: Id| graph[id].data.fact;
    match head {
        Head::Constant(value) => Fact::constant(*value),
        Head::Leaf { value, .. } => graph.analysis.ranges.get(value).copied().unwrap_or(Fact::top(ty)),
        Head::Assumed { number, .. } => {
            let Some(assumed) = graph.analysis.assumptions.get(*number as usize).and_then(|a| a.0) else {
                return Fact::top(ty);
            };
            let child = node.children.first().map_or(Fact::top(ty), |&c| of(c));
            // Where both exclude each other the code never runs.
            assumed.meet(child).unwrap_or(child)
        }
        Head::Branch { .. } => match node.children[..] {
            [_, a, b] => of(a).join(of(b)),
            _ => Fact::top(ty),
        },
        Head::Op { def, attrs, ty } => {
            let mut facts: SmallVec<[Fact; 3]> = SmallVec::new();
            let mut types: SmallVec<[Type; 3]> = SmallVec::new();
            let mut same: SmallVec<[usize; 3]> = SmallVec::new();
            for &child in &node.children {
                let class = &graph[child];
                facts.push(class.data.fact);
                types.push(class.data.ty);
                same.push(usize::from(class.id));
            }
            if let Some(value) = evaluated(graph, &node.children, def, attrs, *ty, &types) {
                return Fact::constant(value);
            }
            caustic_dialects::facts::of_same(def, attrs, &types, *ty, &facts, &same)
        }
    }
}

/// The value of an op whose operands are all constants, never a NaN.
fn evaluated(
    graph: &EGraph,
    children: &[Id],
    def: &'static OpDef,
    attrs: &[(Name, Attr)],
    ty: Type,
    types: &[Type],
) -> Option<Attr> {
    let Eval::Scalar(eval) = def.eval else { return None };
    if matches!(def.fold, caustic_ir::op::Fold::None) {
        return None;
    }
    let constants: Option<SmallVec<[Val; 3]>> =
        children.iter().map(|&c| Val::from_attr(constant_of(graph, c)?)).collect();
    let value = eval_lanes(eval, &constants?, ty, &ScalarTypes { operands: types, result: ty, attrs });
    match value {
        Val::Float(v) if v.is_nan() => None,
        value => value.to_attr(ty),
    }
}

/// The value of an op on classes that are constants, never a NaN.
pub fn folded(graph: &EGraph, head: &Head, children: &[Id]) -> Option<Attr> {
    let Head::Op { def, attrs, ty } = head else { return None };
    let types: SmallVec<[Type; 3]> = children.iter().map(|&c| graph[c].data.ty).collect();
    evaluated(graph, children, def, attrs, *ty, &types)
}

/// The constant that a class equals.
pub fn constant_of(graph: &EGraph, id: Id) -> Option<Attr> {
    let data = &graph[id].data;
    if let Some(value) = data.fact.as_constant(data.ty) {
        return Some(value);
    }
    graph[id].nodes.iter().find_map(|n| match graph.analysis.head(n.head) {
        Head::Constant(value) => Some(*value),
        _ => None,
    })
}

/// Numbers that rows of the class fast take for the same at most, as a share of the larger one.
const NEARLY: f64 = 1e-3;

/// Whether numbers that differ are one class: the graph holds something that is false.
pub fn contradicts_itself(graph: &EGraph) -> bool {
    let differ = |a: Attr, b: Attr| match (Val::from_attr(a), Val::from_attr(b)) {
        (Some(Val::Float(a)), Some(Val::Float(b))) if graph.analysis.has_inexact => {
            (a - b).abs() > NEARLY * a.abs().max(b.abs())
        }
        (Some(Val::Float(a)), Some(Val::Float(b))) => a.to_bits() != b.to_bits() && !(a.is_nan() && b.is_nan()),
        _ => a != b,
    };
    graph.classes().any(|class| {
        let mut constants = class.nodes.iter().filter_map(|n| match graph.analysis.head(n.head) {
            Head::Constant(value) => Some(*value),
            _ => None,
        });
        constants.next().is_some_and(|first| constants.any(|other| differ(first, other)))
    })
}

/// Adds a node. What is the same in either order of its children is added in one.
pub fn add(graph: &mut EGraph, head: Head, children: &[Id]) -> Id {
    let head = graph.analysis.head_id(head);
    add_node(graph, Node { head, children: Children::from_slice(children) })
}

/// The same for a node whose head has a number.
pub fn add_node(graph: &mut EGraph, node: Node) -> Id {
    let node = ordered(graph, node);
    if graph.are_explanations_enabled() { graph.add_uncanonical(node) } else { graph.add(node) }
}

/// A node as [`add`] adds it.
pub fn node_of(graph: &mut EGraph, head: Head, children: &[Id]) -> Node {
    let head = graph.analysis.head_id(head);
    ordered(graph, Node { head, children: Children::from_slice(children) })
}

fn ordered(graph: &EGraph, mut node: Node) -> Node {
    if !graph.are_explanations_enabled() {
        node.children.iter_mut().for_each(|c| *c = graph.find(*c));
    }
    let commutes = graph.analysis.head(node.head).def().is_some_and(|d| d.commutative);
    if commutes && node.children.len() == 2 && graph.find(node.children[0]) > graph.find(node.children[1]) {
        node.children.reverse();
    }
    node
}

/// A node by the numbers that its children have now, those of commutative ops in order.
pub fn canonical(graph: &EGraph, node: &Node) -> Node {
    let mut children: Children = node.children.iter().map(|&c| graph.find(c)).collect();
    if graph.analysis.head(node.head).def().is_some_and(|d| d.commutative) {
        children.sort_unstable();
    }
    Node { head: node.head, children }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_differ_are_a_contradiction() {
        let mut graph = EGraph::new(Knowledge::new(Loc::unknown()));
        let numbers = [Attr::i64(1), Attr::i64(2)];
        let [one, two] = numbers.map(|n| add(&mut graph, Head::Constant(n), &[]));
        assert!(!contradicts_itself(&graph));
        unite(&mut graph, one, two, "test");
        graph.rebuild();
        assert!(contradicts_itself(&graph));
    }
}
