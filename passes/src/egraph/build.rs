//! From code to the graph: one graph for a function, with all its regions.
//!
//! Pure elementwise ops become nodes, one a lane, sums of a vector's scalars a chain of additions;
//! moves between vectors and scalars become nothing.
//! Branches that only compute are nodes, too. All other ops are the *skeleton*: they stay where
//! they are, their results are leaves, and the values that they read are the roots of the graph.
//! Loads are skeleton, so what lies between them and a write cannot get lost.
//!
//! Within a branch, what its condition says is known: values that it speaks of are nodes of their
//! own there ([`Head::Assumed`]), and what was computed of them outside is looked at again.

use super::graph::{self, Children, EGraph, Head, Lanes, Node, Point, add, add_node, unite};
use super::said;
use crate::analysis::carried_facts::Known;
use crate::analysis::costs::GPU;
use crate::analysis::ranges::range_of;
use caustic_dialects::{arith, scf, vector};
use caustic_ir::eval::Eval;
use caustic_ir::fact::{Fact, IntFact};
use caustic_ir::{AttrKind, BlockId, Body, OpDef, OpId, Type, ValueId};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Vectors with more scalars stay whole.
const MOST_LANES: usize = 16;
/// Regions within each other that are looked into.
const DEEPEST: u32 = 200;
/// What costs as much or more stays in its branch, in operations.
const DEAR: u64 = 14;
/// Nodes that are looked at again for what one branch says.
const AGAIN: usize = 256;

/// A function as a graph.
pub struct Built {
    pub graph: EGraph,
    /// The classes of values that are in the graph.
    pub lanes: FxHashMap<ValueId, Lanes>,
    /// What skeleton ops read: the op, the number of the operand, the classes as they are known
    /// there.
    pub roots: Vec<(OpId, u32, Lanes)>,
    /// The position of each skeleton op.
    pub positions: FxHashMap<OpId, u32>,
    /// Ops that are in the graph, in the order of the text, and with what they make.
    pub originals: Vec<Original>,
    /// Branches that are nodes.
    pub branches: FxHashMap<OpId, [u32; 2]>,
    /// The block and the number of iterations of each scope.
    pub blocks: Vec<BlockId>,
    pub scope_of: FxHashMap<BlockId, u32>,
    /// Something was computed anew that a branch yields.
    pub moved: bool,
}

impl Built {
    /// Whether scalars that the code computes are known to be the same.
    pub fn computes_twice(&self) -> bool {
        let mut met: FxHashSet<Id> = FxHashSet::default();
        !self.originals.iter().flat_map(|o| &o.nodes).all(|(id, _)| met.insert(self.graph.find(*id)))
    }
}

/// An op of the code before: how each of its scalars is computed there.
pub struct Original {
    pub op: OpId,
    pub scope: u32,
    /// The nodes, with the classes they belong to at first.
    pub nodes: SmallVec<[(Id, Node); 1]>,
}

/// Whether each branch may compute this for itself.
fn is_cheap(def: &OpDef, ty: Type) -> bool {
    let cost = GPU.of(def, ty, &[None; 3]);
    u64::from(cost.each + cost.set_up.map_or(0, |s| s.cost)) < DEAR
}

struct Builder<'a> {
    body: &'a Body,
    out: Built,
    scope: u32,
    order: u32,
    /// For each scope, classes from outside as they are known within.
    known: Vec<FxHashMap<Id, Id>>,
    /// Whether anything is said in a scope.
    says: Vec<bool>,
    /// The node that first made a class.
    first: FxHashMap<Id, Node>,
    transparent: FxHashSet<OpId>,
    /// Whether anything is said in any branch.
    listens: bool,
    /// Whether what one branch yields is computed anew in another that knows which side it was.
    moves: bool,
    /// What is known of what loops carry.
    carried: &'a Known,
}

/// How a graph is made of code.
#[derive(Clone, Copy)]
pub struct How {
    /// What conditions say in their branches is known there.
    pub listens: bool,
    /// What a branch yields is computed anew in later ones under the same condition.
    pub moves: bool,
}

/// The graph of a function of whose loops `carried` is known; `None` if it is nested too deeply.
pub fn build(body: &Body, carried: &Known, mut graph: EGraph, how: How) -> Option<Built> {
    let entry = body.entry()?;
    graph.analysis.scopes.parents = vec![0];
    let out = Built {
        graph,
        lanes: FxHashMap::default(),
        roots: Vec::new(),
        positions: FxHashMap::default(),
        originals: Vec::new(),
        branches: FxHashMap::default(),
        blocks: vec![entry],
        scope_of: FxHashMap::default(),
        moved: false,
    };
    let mut builder = Builder {
        body,
        out,
        scope: 0,
        order: 0,
        known: vec![FxHashMap::default()],
        says: vec![false],
        first: FxHashMap::default(),
        transparent: transparent(body),
        listens: how.listens,
        moves: how.moves,
        carried,
    };
    builder.out.scope_of.insert(entry, 0);
    builder.block(entry)?;
    builder.out.graph.rebuild();
    Some(builder.out)
}

/// Scalars that a value of this type has in the graph; 0 if it is none of the graph's.
pub fn width(ty: Type) -> usize {
    let scalar = ty.elem().is_int_or_index() || ty.elem().is_float();
    match (scalar, ty.is_vector()) {
        (true, false) => 1,
        (true, true) if ty.num_elements() <= MOST_LANES => ty.num_elements(),
        _ => 0,
    }
}

/// Whether the op is computed scalar by scalar.
fn is_elementwise(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    let (true, true, &[result]) = (data.def.is_pure(), data.regions.is_empty(), &data.results[..]) else {
        return false;
    };
    let lanes = width(body.ty(result));
    let fits = |&v: &ValueId| matches!(width(body.ty(v)), n if n == lanes || (n == 1 && !body.ty(v).is_vector()));
    matches!(data.def.eval, Eval::Scalar(_)) && lanes > 0 && data.operands.iter().all(fits)
}

/// Whether the op only moves scalars between vectors that the graph knows.
fn is_move(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    let known = |&v: &ValueId| width(body.ty(v)) > 0;
    let all = data.operands.iter().all(known) && data.results.iter().all(known);
    let fixed = || vector::static_position(body, op).iter().all(|&p| p >= 0);
    all && (vector::FromElements::is(body, op)
        || vector::Broadcast::is(body, op)
        || vector::ShapeCast::is(body, op)
        || (vector::Extract::is(body, op) && fixed()))
}

/// Whether the op adds up the scalars of a vector that the graph knows.
fn is_sum(body: &Body, op: OpId) -> bool {
    vector::Reduction::is(body, op)
        && vector::reduction_kind(body, op) == Some("add")
        && body.operands(op).iter().all(|&v| width(body.ty(v)) > 0)
}

fn is_constant(body: &Body, op: OpId) -> bool {
    arith::Constant::is(body, op) && width(body.ty(body.result(op, 0))) > 0
}

/// Branches in which nothing stands but what the graph knows.
fn transparent(body: &Body) -> FxHashSet<OpId> {
    let mut out: FxHashSet<OpId> = FxHashSet::default();
    // Inner ones first.
    for op in body.walk_all().into_iter().rev() {
        if !scf::If::is(body, op) || body.results(op).is_empty() {
            continue;
        }
        let plain = |inner: OpId| {
            is_elementwise(body, inner)
                || is_move(body, inner)
                || is_sum(body, inner)
                || is_constant(body, inner)
                || out.contains(&inner)
        };
        let side = |n: usize| {
            let ops = body.region_block(op, n).map(|b| body.block_ops(b)).unwrap_or_default();
            ops.split_last().is_some_and(|(end, ops)| scf::Yield::is(body, *end) && ops.iter().all(|&o| plain(o)))
        };
        if body.results(op).iter().all(|&r| width(body.ty(r)) > 0) && side(0) && side(1) {
            out.insert(op);
        }
    }
    out
}

impl Builder<'_> {
    fn graph(&mut self) -> &mut EGraph {
        &mut self.out.graph
    }

    fn block(&mut self, block: BlockId) -> Option<()> {
        for &arg in self.body.args(block) {
            self.leaf(arg);
        }
        for op in self.body.block_ops(block) {
            self.order += 1;
            self.out.graph.analysis.loc = self.body.loc(op);
            if is_constant(self.body, op) {
                self.constant(op);
            } else if is_move(self.body, op) {
                self.moved(op);
            } else if is_elementwise(self.body, op) {
                self.elementwise(op);
            } else if is_sum(self.body, op) {
                self.sum(op);
            } else if self.transparent.contains(&op) {
                self.branch(op)?;
            } else {
                self.skeleton(op)?;
            }
        }
        Some(())
    }

    fn leaf(&mut self, value: ValueId) {
        let ty = self.body.ty(value);
        let n = width(ty);
        let at = Point { scope: self.scope, order: self.order };
        self.graph().analysis.leaves.insert(value, at);
        let top = Fact::top(ty);
        let mut known = self.carried.get(&value).copied().unwrap_or(top);
        if let (1, false, Fact::Int(all)) = (n, ty.is_i1(), top) {
            let (least, most) = range_of(self.body, value);
            let range = IntFact::between(least, most, all.bits()).map_or(top, Fact::Int);
            known = known.meet(range).unwrap_or(known);
        }
        if n > 0 && known != top {
            self.graph().analysis.ranges.insert(value, known);
        }
        let lanes = (0..n as u32).map(|lane| {
            let head = Head::Leaf { value, lane, vector: ty.is_vector(), ty: ty.elem() };
            self.node(head, &[])
        });
        let lanes: Lanes = lanes.collect();
        if n > 0 {
            self.out.lanes.insert(value, lanes);
        }
    }

    fn node(&mut self, head: Head, children: &[Id]) -> Id {
        self.added(head, children).0
    }

    /// Adds a node; its class, and the node as the code has it.
    fn added(&mut self, head: Head, children: &[Id]) -> (Id, Node) {
        let id = self.graph().analysis.head_id(head);
        let node = Node { head: id, children: Children::from_slice(children) };
        let id = add_node(self.graph(), node.clone());
        self.first.entry(id).or_insert_with(|| node.clone());
        (id, node)
    }

    fn constant(&mut self, op: OpId) {
        let value = self.body.result(op, 0);
        let Some(attr) = arith::constant_of(self.body, value) else { return };
        let scalars: SmallVec<[caustic_ir::Attr; 4]> = match attr.kind() {
            AttrKind::Dense(items, _) => items.iter().copied().collect(),
            _ => SmallVec::from_slice(&[attr]),
        };
        let lanes: Lanes = scalars.iter().map(|&a| self.node(Head::Constant(a), &[])).collect();
        if lanes.len() == width(self.body.ty(value)) {
            self.out.lanes.insert(value, lanes);
        }
    }

    fn moved(&mut self, op: OpId) {
        let body = self.body;
        let result = body.result(op, 0);
        let n = width(body.ty(result));
        let all: Lanes = body.operands(op).iter().flat_map(|&v| self.here(v)).collect();
        let lanes: Lanes = if vector::Broadcast::is(body, op) {
            all.first().map(|&x| SmallVec::from_elem(x, n)).unwrap_or_default()
        } else if vector::Extract::is(body, op) {
            let ty = body.ty(body.operand(op, 0));
            let (mut first, mut count) = (0usize, ty.num_elements());
            for (&step, &size) in vector::static_position(body, op).iter().zip(ty.shape()) {
                count /= size.max(1) as usize;
                first += step as usize * count;
            }
            all.get(first..first + n).map(Lanes::from_slice).unwrap_or_default()
        } else {
            all
        };
        if lanes.len() == n {
            self.out.lanes.insert(result, lanes);
        } else {
            self.leaf(result);
        }
    }

    fn elementwise(&mut self, op: OpId) {
        let body = self.body;
        let data = body.op(op);
        let result = data.results[0];
        let ty = body.ty(result);
        let operands: SmallVec<[Lanes; 3]> = data.operands.iter().map(|&v| self.here(v)).collect();
        let mut nodes = SmallVec::new();
        let lanes: Lanes = (0..width(ty))
            .map(|lane| {
                let mut children = Children::new();
                for l in &operands {
                    children.extend(l.get(lane).or(l.first()).copied());
                }
                let head = Head::Op { def: data.def, attrs: data.attrs.clone(), ty: ty.elem() };
                let (id, node) = match self.decided(op, &head, lane) {
                    Some(decided) => (decided, Node { head: self.graph().analysis.head_id(head), children }),
                    None => self.added(head, &children),
                };
                nodes.push((id, node));
                id
            })
            .collect();
        self.out.lanes.insert(result, lanes);
        self.out.originals.push(Original { op, scope: self.scope, nodes });
    }

    /// What a branch around it says of a comparison. Of its operands something may be known there,
    /// too, so that it would be another one.
    fn decided(&mut self, op: OpId, head: &Head, lane: usize) -> Option<Id> {
        if self.scope == 0 || !head.ty().is_some_and(|ty| ty.is_i1()) {
            return None;
        }
        let outside = |v: &ValueId| self.out.lanes.get(v).and_then(|l| l.get(lane).or(l.first())).copied();
        let children: Option<Children> = self.body.operands(op).iter().map(outside).collect();
        let node = graph::node_of(self.graph(), head.clone(), &children?);
        let id = self.out.graph.lookup(node)?;
        let known = self.known_here(self.scope, id);
        graph::constant_of(&self.out.graph, known).map(|_| known)
    }

    /// Sums of a vector's scalars from the first to the last, as the op is defined.
    fn sum(&mut self, op: OpId) {
        let body = self.body;
        let result = body.result(op, 0);
        let ty = body.ty(result);
        let def = if ty.is_float() { arith::AddF::DEF } else { arith::AddI::DEF };
        let mut nodes = SmallVec::new();
        let lanes = self.here(body.operand(op, 0));
        let total = lanes.into_iter().reduce(|sum, lane| {
            let head = Head::Op { def, attrs: SmallVec::new(), ty };
            let children = Children::from_slice(&[sum, lane]);
            let (id, node) = self.added(head, &children);
            nodes.push((id, node));
            id
        });
        match total {
            Some(total) => {
                self.out.lanes.insert(result, SmallVec::from_elem(total, 1));
                self.out.originals.push(Original { op, scope: self.scope, nodes });
            }
            None => self.leaf(result),
        }
    }

    fn skeleton(&mut self, op: OpId) -> Option<()> {
        self.out.positions.insert(op, self.order);
        for (n, &operand) in self.body.operands(op).iter().enumerate() {
            let lanes = self.here(operand);
            if !lanes.is_empty() {
                self.out.roots.push((op, n as u32, lanes));
            }
        }
        let condition = scf::If::is(self.body, op).then(|| self.here(self.body.operand(op, 0)));
        for n in 0..self.body.op(op).regions.len() {
            let said = condition.as_ref().and_then(|c| c.first()).map(|&c| (c, n == 0));
            self.region(op, n, said)?;
        }
        for &result in self.body.results(op) {
            self.leaf(result);
        }
        Some(())
    }

    /// Looks into a region; the number of its scope.
    fn region(&mut self, op: OpId, n: usize, said: Option<(Id, bool)>) -> Option<u32> {
        let outer = self.scope;
        let block = self.body.region_block(op, n)?;
        let scopes = &mut self.out.graph.analysis.scopes;
        let scope = scopes.parents.len() as u32;
        let depth = scopes.depths[outer as usize] + 1;
        if depth > DEEPEST {
            return None;
        }
        scopes.parents.push(outer);
        scopes.depths.push(depth);
        self.out.blocks.push(block);
        self.out.scope_of.insert(block, scope);
        self.known.push(FxHashMap::default());
        let said = said.filter(|_| self.listens);
        self.says.push(said.is_some());
        self.scope = scope;
        if let Some((condition, holds)) = said {
            self.say(condition, holds);
        }
        self.block(block)?;
        self.scope = outer;
        Some(scope)
    }

    fn branch(&mut self, op: OpId) -> Option<()> {
        let body = self.body;
        let condition = *self.here(body.operand(op, 0)).first()?;
        let mut sides: SmallVec<[Vec<Lanes>; 2]> = SmallVec::new();
        let mut scopes = [0; 2];
        for (n, scope) in scopes.iter_mut().enumerate() {
            let inner = self.region_without_end(op, n, (condition, n == 0))?;
            *scope = inner.0;
            sides.push(inner.1);
        }
        self.out.branches.insert(op, scopes);
        self.graph().analysis.sides.insert(op, scopes);
        let at = self.reads_from_outside(op);
        self.graph().analysis.branches.insert(op, at);
        self.out.graph.analysis.loc = body.loc(op);
        let cheap = (0..2).all(|n| self.is_cheap(op, n));
        for (k, &result) in body.results(op).iter().enumerate() {
            let ty = body.ty(result).elem();
            let mut nodes = SmallVec::new();
            let lanes: Lanes = (0..width(body.ty(result)))
                .filter_map(|lane| {
                    let (a, b) = (*sides[0].get(k)?.get(lane)?, *sides[1].get(k)?.get(lane)?);
                    let head = Head::Branch { op, result: k as u32, lane: lane as u32, ty };
                    let children = [condition, a, b];
                    let (id, node) = self.added(head, &children);
                    nodes.push((id, node));
                    if cheap {
                        self.graph().analysis.cheap.insert(op, scopes);
                        let select = Head::Op { def: arith::Select::DEF, attrs: SmallVec::new(), ty };
                        let selected = add(self.graph(), select, &children);
                        unite(self.graph(), id, selected, "branch-as-select");
                    }
                    Some(id)
                })
                .collect();
            self.out.lanes.insert(result, lanes);
            self.out.originals.push(Original { op, scope: self.scope, nodes });
        }
        Some(())
    }

    /// The first point where all is there that stands outside of a branch and is read in it, as it
    /// is known around the branch: rows within it may have used what is said there.
    fn reads_from_outside(&mut self, op: OpId) -> Point {
        let body = self.body;
        let regions = &body.op(op).regions;
        let outer = |v: ValueId| {
            let block = body.def_block(v);
            block.is_some_and(|b| {
                !regions.iter().flat_map(|&r| &body.region(r).blocks).any(|&r| body.is_block_within(b, r))
            })
        };
        let inside = regions.iter().flat_map(|&r| body.walk(r));
        let mut read: Vec<ValueId> =
            inside.flat_map(|o| body.operands(o).iter().copied()).filter(|&v| outer(v)).collect();
        read.sort_unstable();
        read.dedup();
        let mut at = Point { scope: 0, order: 0 };
        for value in read {
            for class in self.here(value) {
                let there = self.out.graph[class].data.at;
                at = self.out.graph.analysis.scopes.later(at, there).unwrap_or(at);
            }
        }
        at
    }

    /// The classes that a side of a branch yields.
    fn region_without_end(&mut self, op: OpId, n: usize, said: (Id, bool)) -> Option<(u32, Vec<Lanes>)> {
        let block = self.body.region_block(op, n)?;
        let end = self.body.terminator(block)?;
        let before = self.out.roots.len();
        let scope = self.region(op, n, Some(said))?;
        // What it yields is read where the branch is chosen, and only then.
        let mut yields: Vec<Lanes> = vec![Lanes::new(); self.body.operands(end).len()];
        for (reader, index, lanes) in self.out.roots.split_off(before) {
            if reader == end {
                yields[index as usize] = lanes;
            } else {
                self.out.roots.push((reader, index, lanes));
            }
        }
        Some((scope, yields))
    }

    /// Whether a side of a branch computes so little that it may run where it is not wanted.
    fn is_cheap(&self, op: OpId, n: usize) -> bool {
        let Some(block) = self.body.region_block(op, n) else { return false };
        // By the numbers of GPUs on every machine, whose functions cost most beside a jump.
        let costs = &GPU;
        self.body.block_ops(block).iter().all(|&o| !scf::If::is(self.body, o) && costs.work(self.body, o) < DEAR)
    }

    /// The classes of a value as it is known in this scope.
    fn here(&mut self, value: ValueId) -> Lanes {
        let mut lanes = self.out.lanes.get(&value).cloned().unwrap_or_default();
        for id in &mut lanes {
            *id = self.known_here(self.scope, *id);
        }
        lanes
    }

    fn known_here(&mut self, scope: u32, id: Id) -> Id {
        if scope == 0 {
            return id;
        }
        let parent = self.out.graph.analysis.scopes.parents[scope as usize];
        let outer = self.known_here(parent, id);
        if !self.says[scope as usize] {
            return outer;
        }
        let mut fuel = AGAIN;
        self.again(scope, outer, &mut fuel, 0)
    }

    /// A class from outside of a scope that says something, as it is known within: itself, unless
    /// it was computed of what is spoken of.
    fn again(&mut self, scope: u32, id: Id, fuel: &mut usize, depth: u32) -> Id {
        if let Some(&known) = self.known[scope as usize].get(&id) {
            return known;
        }
        if *fuel == 0 || depth > 12 {
            return id;
        }
        *fuel -= 1;
        let Some(node) = self.first.get(&id).cloned() else { return id };
        let head = self.out.graph.analysis.head(node.head).clone();
        // What ops of the scope read is computed there as they need it. What is behind that stays
        // as general as it can be, since what belongs to a scope cannot leave it.
        let is_branch = matches!(head, Head::Branch { .. });
        let taken = if is_branch && (depth > 0 || !self.moves) { None } else { self.taken(scope, &head, &node, fuel) };
        let anew = match taken {
            Some(arm) => arm,
            None if is_branch && depth > 0 => return id,
            None if matches!(head, Head::Op { .. }) => {
                let children: Children = node.children.iter().map(|&c| self.again(scope, c, fuel, depth + 1)).collect();
                if children == node.children { id } else { self.node(head, &children) }
            }
            None => id,
        };
        if anew == id {
            self.known[scope as usize].insert(id, id);
            return id;
        }
        // What is there outside as well is not to be found by way of what it equals here only.
        if self.out.graph[anew].data.at.scope == scope {
            let same = self.assume(scope, id, None);
            unite(self.graph(), anew, same, "known-in-branch");
        }
        self.known[scope as usize].insert(id, anew);
        anew
    }

    /// What a choice or a branch yields within a scope that knows its condition.
    fn taken(&mut self, scope: u32, head: &Head, node: &Node, fuel: &mut usize) -> Option<Id> {
        let &[condition, yes, no] = &node.children[..] else { return None };
        let chooses = match head {
            Head::Branch { .. } => true,
            Head::Op { def, .. } => std::ptr::eq(*def, arith::Select::DEF),
            _ => false,
        };
        if !chooses {
            return None;
        }
        let known = self.again(scope, condition, fuel, 1);
        let holds = graph::constant_of(&self.out.graph, known)?.as_bool()?;
        let arm = self.moved_here(scope, if holds { yes } else { no }, fuel, 1);
        self.out.moved |= arm.is_some() && matches!(head, Head::Branch { .. });
        arm
    }

    /// A class that may stand in another branch, computed in this scope; `None` if something that
    /// it needs is there only.
    fn moved_here(&mut self, scope: u32, id: Id, fuel: &mut usize, depth: u32) -> Option<Id> {
        let at = self.out.graph[id].data.at;
        if self.out.graph.analysis.scopes.is_around(at.scope, scope) {
            return Some(self.again(scope, id, fuel, 0));
        }
        if *fuel == 0 || depth > 12 {
            return None;
        }
        *fuel -= 1;
        let node = self.first.get(&id).cloned()?;
        let head = self.out.graph.analysis.head(node.head).clone();
        match head {
            // What was said there need not hold here; the value is the same.
            Head::Assumed { .. } => self.moved_here(scope, *node.children.first()?, fuel, depth + 1),
            // Each branch computes it anew.
            Head::Op { def, ty, .. } if is_cheap(def, ty) => {
                let moved = node.children.iter().map(|&c| self.moved_here(scope, c, fuel, depth + 1));
                let children: Option<Children> = moved.collect();
                Some(self.node(head, &children?))
            }
            Head::Constant(_) => Some(id),
            Head::Op { .. } | Head::Leaf { .. } | Head::Branch { .. } => None,
        }
    }

    /// A class of `id` in a scope, with what is said of it there.
    fn assume(&mut self, scope: u32, id: Id, fact: Option<Fact>) -> Id {
        let ty = self.out.graph[id].data.ty;
        let number = self.out.graph.analysis.assumptions.len() as u32;
        self.graph().analysis.assumptions.push((fact, scope));
        self.node(Head::Assumed { number, ty }, &[id])
    }

    /// The comparison that holds where this one does not: the code may have it, too.
    fn inverse_of(&mut self, node: &Node, head: &Head) -> Option<Id> {
        let number = head.attr("predicate").and_then(|a| a.as_int())?;
        let Head::Op { def, attrs, ty } = head else { return None };
        let inverse = match std::ptr::eq(*def, arith::CmpF::DEF) {
            true => arith::FloatPredicate::from_number(number)?.inverse().number(),
            false => arith::IntPredicate::from_number(number)?.inverse().number(),
        };
        let mut attrs = attrs.clone();
        caustic_ir::body::set_attr(&mut attrs, "predicate", caustic_ir::Attr::i64(inverse));
        Some(self.node(Head::Op { def, attrs, ty: *ty }, &node.children))
    }

    /// The condition of a choice of which one side cannot have the `fact`, and whether it holds.
    fn chosen_by(&self, id: Id, fact: Fact) -> Option<(Id, bool)> {
        let graph = &self.out.graph;
        let node = self.first.get(&id)?;
        let &[condition, yes, no] = &node.children[..] else { return None };
        let chooses = match graph.analysis.head(node.head) {
            Head::Branch { .. } => true,
            Head::Op { def, .. } => std::ptr::eq(*def, arith::Select::DEF),
            _ => false,
        };
        // What a side is where it is taken: the condition may speak of it.
        let side = |arm: Id, holds: bool| {
            let known = graph[arm].data.fact;
            let Some(by) = self.first.get(&condition) else { return known };
            let (Head::Op { def, attrs, .. }, &[x, y]) = (graph.analysis.head(by.head), &by.children[..]) else {
                return known;
            };
            let (fx, fy) = said::refine(def, attrs, holds, graph[x].data.fact, graph[y].data.fact);
            match () {
                () if arm == x => fx,
                () if arm == y => fy,
                () => known,
            }
        };
        let fits = |arm: Id, holds: bool| side(arm, holds).meet(fact).is_some();
        match (chooses, fits(yes, true), fits(no, false)) {
            (true, true, false) => Some((condition, true)),
            (true, false, true) => Some((condition, false)),
            _ => None,
        }
    }

    /// Within the current scope `condition` is `holds`.
    fn say(&mut self, condition: Id, holds: bool) {
        let scope = self.scope;
        let mut pending = vec![(condition, holds)];
        let mut facts: Vec<(Id, Fact)> = Vec::new();
        while let Some((id, holds)) = pending.pop() {
            if self.known[scope as usize].get(&id).is_some_and(|&k| graph::constant_of(&self.out.graph, k).is_some()) {
                continue;
            }
            match graph::constant_of(&self.out.graph, id).and_then(|c| c.as_bool()) {
                Some(known) if known == holds => continue,
                // The branch is never taken; what follows from what is false would hold of the
                // constants themselves, and so everywhere.
                Some(_) => {
                    self.known[scope as usize].clear();
                    self.says[scope as usize] = false;
                    return;
                }
                None => {}
            }
            let truth = self.node(Head::Constant(caustic_ir::Attr::bool(holds)), &[]);
            self.known[scope as usize].insert(id, truth);
            let Some(node) = self.first.get(&id).cloned() else { continue };
            let head = self.out.graph.analysis.head(node.head).clone();
            let Head::Op { def, attrs, .. } = &head else { continue };
            let (is, &[a, b]) = (|d| std::ptr::eq(*def, d), &node.children[..]) else { continue };
            if (is(arith::AndI::DEF) && holds) || (is(arith::OrI::DEF) && !holds) {
                pending.extend([(a, holds), (b, holds)]);
            } else if is(arith::XOrI::DEF)
                && graph::constant_of(&self.out.graph, b).is_some_and(|c| c.as_bool() == Some(true))
            {
                pending.push((a, !holds));
            } else if is(arith::CmpF::DEF) || is(arith::CmpI::DEF) {
                if let Some(other) = self.inverse_of(&node, &head) {
                    pending.push((other, !holds));
                }
                let of = |id: Id| self.out.graph[id].data.fact;
                let (fa, fb) = said::refine(def, attrs, holds, of(a), of(b));
                pending.extend([(a, fa), (b, fb)].into_iter().filter_map(|(id, fact)| self.chosen_by(id, fact)));
                facts.extend([(a, fa), (b, fb)]);
            }
        }
        facts.sort_by_key(|f| f.0);
        for (id, fact) in facts {
            let old = self.again(scope, id, &mut AGAIN.clone(), 0);
            let known = self.out.graph[old].data.fact;
            if known.meet(fact).is_some_and(|f| f != known) {
                let said = self.assume(scope, old, Some(fact));
                self.known[scope as usize].insert(id, said);
            }
        }
    }
}
