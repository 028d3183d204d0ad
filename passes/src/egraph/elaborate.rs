//! Puts the chosen nodes back into code.
//!
//! A class is computed once, in the innermost region around all that reads it, in front of the
//! first skeleton op that needs it there. Vectors are put together again: where all lanes of a
//! value are computed alike, they are one op on vectors. What shares a set-up is computed together,
//! as far as it can be: back ends share it within a block only.
//!
//! Invariants: the skeleton keeps its ops and their order. Nothing is changed unless everything can
//! be placed.

use super::build::Built;
use super::graph::{Head, Lanes, Node};
use caustic_dialects::{arith, scf, vector};
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Loc, OpId, Type, ValueId};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The nodes of the classes that the code needs, by class.
pub type Chosen = FxHashMap<Id, Node>;

/// What is wanted: a scalar, or all lanes of a vector of this type.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Item {
    lanes: Lanes,
    vector: Option<Type>,
}

impl Item {
    fn scalar(id: Id) -> Item {
        Item { lanes: SmallVec::from_elem(id, 1), vector: None }
    }
}

struct Elaborator<'a> {
    body: &'a mut Body,
    built: &'a Built,
    chosen: &'a Chosen,
    places: FxHashMap<Id, u32>,
    values: FxHashMap<Id, ValueId>,
    /// Classes that are lanes of a vector.
    within: FxHashMap<Id, (ValueId, u32)>,
    packs: FxHashMap<Item, ValueId>,
    /// What costs nothing is made where it is read, once in a region.
    near: FxHashMap<(Item, u32), ValueId>,
    /// Results of branches that are chosen.
    branches: FxHashMap<OpId, Vec<(u32, u32, Id)>>,
    emitted: FxHashSet<OpId>,
    hints: FxHashMap<Id, ValueId>,
    companions: Companions,
    /// When the code as it stood first computed a class.
    order: FxHashMap<Id, u32>,
    /// Where a value was read that was not computed.
    missing: Option<Loc>,
}

/// An item that is to be computed: what it reads of the plan, and when the code computed it before.
struct Planned {
    item: Item,
    below: SmallVec<[usize; 3]>,
    rank: u32,
}

/// Where new ops go.
#[derive(Clone, Copy)]
struct Site {
    scope: u32,
    block: BlockId,
    before: Option<OpId>,
}

/// Classes that share a set-up.
#[derive(Default)]
struct Companions {
    groups: Vec<Vec<Id>>,
    group_of: FxHashMap<Id, usize>,
    /// The lanes that were one op on vectors, by each of them.
    vectors: FxHashMap<Id, Item>,
}

impl Companions {
    fn new(body: &Body, built: &Built, groups: &[Vec<Id>]) -> Companions {
        let group_of: FxHashMap<Id, usize> =
            groups.iter().enumerate().flat_map(|(n, ids)| ids.iter().map(move |&id| (id, n))).collect();
        let mut vectors = FxHashMap::default();
        for original in &built.originals {
            let lanes: Lanes = original.nodes.iter().map(|n| built.graph.find(n.0)).collect();
            let ty = body.op(original.op).results.first().map(|&r| body.ty(r));
            if lanes.iter().any(|l| group_of.contains_key(l)) && ty.is_some_and(|t| t.is_vector()) {
                for &lane in &lanes {
                    vectors.entry(lane).or_insert_with(|| Item { lanes: lanes.clone(), vector: ty });
                }
            }
        }
        Companions { groups: groups.to_vec(), group_of, vectors }
    }
}

/// Writes the chosen code into the body; whether it could, or an internal error, after which the
/// body is of no use. `order` has the chosen classes, children first; those of a list of `sharing`
/// share a set-up.
pub fn elaborate(
    body: &mut Body,
    built: &Built,
    chosen: &Chosen,
    order: &[Id],
    sharing: &[Vec<Id>],
) -> Result<bool, Diagnostic> {
    if !is_in_order(built, chosen, order) {
        return Ok(false);
    }
    let Some(places) = places(body, built, chosen, order) else { return Ok(false) };
    let mut hints = FxHashMap::default();
    for original in &built.originals {
        if let ([(id, _)], [value]) = (&original.nodes[..], &body.op(original.op).results[..]) {
            hints.entry(built.graph.find(*id)).or_insert(*value);
        }
    }
    let mut branches: FxHashMap<OpId, Vec<(u32, u32, Id)>> = FxHashMap::default();
    for &id in order {
        if let Some(node) = chosen.get(&id)
            && let Head::Branch { op, result, lane, .. } = built.graph.analysis.head(node.head)
        {
            branches.entry(*op).or_default().push((*result, *lane, id));
        }
    }
    branches.values_mut().for_each(|b| b.sort_unstable());
    let companions = Companions::new(body, built, sharing);
    let mut ranks: FxHashMap<Id, u32> = FxHashMap::default();
    for (n, original) in built.originals.iter().enumerate() {
        for (id, _) in &original.nodes {
            ranks.entry(built.graph.find(*id)).or_insert(n as u32);
        }
    }
    let mut e = Elaborator {
        body,
        built,
        chosen,
        places,
        values: FxHashMap::default(),
        within: FxHashMap::default(),
        packs: FxHashMap::default(),
        near: FxHashMap::default(),
        branches,
        emitted: FxHashSet::default(),
        hints,
        companions,
        order: ranks,
        missing: None,
    };
    e.run();
    match e.missing {
        Some(loc) => Err(Diagnostic::internal(loc, "egraph: a value is read that was not computed")),
        None => Ok(true),
    }
}

/// Whether the chosen classes can be computed one after the other, where all results of a branch
/// come at once.
fn is_in_order(built: &Built, chosen: &Chosen, order: &[Id]) -> bool {
    let mut first: FxHashMap<OpId, Id> = FxHashMap::default();
    let mut group: FxHashMap<Id, Id> = FxHashMap::default();
    for &id in order {
        let of = match chosen.get(&id).map(|n| built.graph.analysis.head(n.head)) {
            Some(Head::Branch { op, .. }) => *first.entry(*op).or_insert(id),
            _ => id,
        };
        group.insert(id, of);
    }
    let mut waits: FxHashMap<Id, u32> = FxHashMap::default();
    let mut readers: FxHashMap<Id, Vec<Id>> = FxHashMap::default();
    for &id in order {
        let reader = group[&id];
        waits.entry(reader).or_insert(0);
        for &child in chosen.get(&id).into_iter().flat_map(|n| &n.children) {
            let Some(&child) = group.get(&built.graph.find(child)) else { continue };
            *waits.entry(reader).or_insert(0) += 1;
            readers.entry(child).or_default().push(reader);
        }
    }
    let mut ready: Vec<Id> = waits.iter().filter(|w| *w.1 == 0).map(|w| *w.0).collect();
    let mut done = 0;
    while let Some(id) = ready.pop() {
        done += 1;
        for reader in readers.get(&id).into_iter().flatten() {
            if let Some(left) = waits.get_mut(reader) {
                *left -= 1;
                if *left == 0 {
                    ready.push(*reader);
                }
            }
        }
    }
    done == waits.len()
}

/// Where each class is computed: the innermost region around all that reads it. The chosen results
/// of one branch have one place.
fn places(body: &Body, built: &Built, chosen: &Chosen, order: &[Id]) -> Option<FxHashMap<Id, u32>> {
    let scopes = &built.graph.analysis.scopes;
    let mut branches: FxHashMap<OpId, u32> = FxHashMap::default();
    loop {
        let places = places_with(body, built, chosen, order, &branches)?;
        let mut moved = false;
        for &id in order {
            let (Some(node), Some(&place)) = (chosen.get(&id), places.get(&id)) else { continue };
            if let Head::Branch { op, .. } = built.graph.analysis.head(node.head) {
                let known = branches.entry(*op).or_insert(place);
                let common = scopes.common(*known, place);
                moved |= common != *known || common != place;
                *known = common;
            }
        }
        // Places only move outwards.
        if !moved {
            return Some(places);
        }
    }
}

/// Places where results of `branches` are computed there.
fn places_with(
    body: &Body,
    built: &Built,
    chosen: &Chosen,
    order: &[Id],
    branches: &FxHashMap<OpId, u32>,
) -> Option<FxHashMap<Id, u32>> {
    let scopes = &built.graph.analysis.scopes;
    let mut places: FxHashMap<Id, u32> = FxHashMap::default();
    let demand = |places: &mut FxHashMap<Id, u32>, id: Id, scope: u32| {
        places.entry(id).and_modify(|p| *p = scopes.common(*p, scope)).or_insert(scope);
    };
    for (op, _, lanes) in &built.roots {
        let scope = body.op(*op).block.and_then(|b| built.scope_of.get(&b)).copied()?;
        let position = built.positions.get(op).copied().unwrap_or(0);
        for &lane in lanes {
            let lane = real(built, chosen, lane);
            let at = built.graph[lane].data.at;
            if at.scope == scope && at.order >= position && !(at.order == position && position == 0) {
                return None;
            }
            demand(&mut places, lane, scope);
        }
    }
    for &id in order.iter().rev() {
        let (Some(node), Some(mut place)) = (chosen.get(&id), places.get(&id).copied()) else { continue };
        let head = built.graph.analysis.head(node.head);
        if let Head::Branch { op, .. } = head
            && let Some(&together) = branches.get(op)
        {
            place = scopes.common(place, together);
            places.insert(id, place);
        }
        if !scopes.is_around(built.graph[id].data.at.scope, place) {
            return None;
        }
        if let Head::Branch { op, .. } = head {
            let home = body.op(*op).block.and_then(|b| built.scope_of.get(&b)).copied()?;
            let inner = built.branches.get(op)?;
            if !scopes.is_around(home, place) {
                return None;
            }
            for (n, &child) in node.children.iter().enumerate() {
                let scope = if n == 0 { place } else { inner[n - 1] };
                demand(&mut places, real(built, chosen, child), scope);
            }
        } else {
            for &child in &node.children {
                demand(&mut places, real(built, chosen, child), place);
            }
        }
    }
    Some(places)
}

/// The class that is computed for `id`: what is assumed of a value is that value.
pub fn real(built: &Built, chosen: &Chosen, id: Id) -> Id {
    let mut id = built.graph.find(id);
    while let Some(node) = chosen.get(&id)
        && let (Head::Assumed { .. }, Some(&child)) = (built.graph.analysis.head(node.head), node.children.first())
    {
        id = built.graph.find(child);
    }
    id
}

impl Elaborator<'_> {
    fn run(&mut self) {
        let Some(entry) = self.body.entry() else { return };
        let graph_ops: Vec<OpId> = self.graph_ops();
        let mut roots: FxHashMap<OpId, Vec<(u32, Lanes)>> = FxHashMap::default();
        for (op, index, lanes) in &self.built.roots {
            roots.entry(*op).or_default().push((*index, lanes.clone()));
        }
        self.region(entry, &roots, &graph_ops.iter().copied().collect());
        // Later ones read earlier ones; what a branch holds goes with it.
        for &op in graph_ops.iter().rev() {
            let unused = self.body.results(op).iter().all(|&r| self.body.is_unused(r));
            if unused && !self.body.is_erased(op) {
                self.body.erase_op(op);
            }
        }
    }

    /// The ops whose results the graph computes.
    fn graph_ops(&self) -> Vec<OpId> {
        let leaf = |v: &ValueId| self.built.graph.analysis.leaves.contains_key(v);
        let mut out = Vec::new();
        let mut all = self.body.walk_all();
        all.retain(|&op| {
            let results = self.body.results(op);
            !results.is_empty() && results.iter().all(|r| self.built.lanes.contains_key(r) && !leaf(r))
        });
        out.append(&mut all);
        out
    }

    fn region(&mut self, block: BlockId, roots: &FxHashMap<OpId, Vec<(u32, Lanes)>>, graph_ops: &FxHashSet<OpId>) {
        let Some(&scope) = self.built.scope_of.get(&block) else { return };
        for op in self.body.block_ops(block) {
            if graph_ops.contains(&op) {
                continue;
            }
            let site = Site { scope, block, before: Some(op) };
            let mut inside: Vec<OpId> = vec![op];
            for &region in &self.body.op(op).regions {
                inside.extend(self.body.walk(region));
            }
            let mut wanted = Vec::new();
            for reader in &inside {
                for (index, lanes) in roots.get(reader).into_iter().flatten() {
                    wanted.push(self.item(self.body.operand(*reader, *index as usize), lanes));
                }
            }
            self.prepare(wanted, site);
            for (index, lanes) in roots.get(&op).into_iter().flatten() {
                let old = self.body.operand(op, *index as usize);
                let item = self.item(old, lanes);
                let value = self.value(&item, site);
                if value != old {
                    self.body.set_operand(op, *index as usize, value);
                }
            }
            for n in 0..self.body.op(op).regions.len() {
                if let Some(inner) = self.body.region_block(op, n) {
                    self.region(inner, roots, graph_ops);
                }
            }
        }
    }

    fn item(&self, value: ValueId, lanes: &[Id]) -> Item {
        let ty = self.body.ty(value);
        let lanes = lanes.iter().map(|&l| real(self.built, self.chosen, l)).collect();
        Item { lanes, vector: ty.is_vector().then_some(ty) }
    }

    fn head(&self, id: Id) -> Option<(&Head, &Node)> {
        let node = self.chosen.get(&id)?;
        Some((self.built.graph.analysis.head(node.head), node))
    }

    fn is_there(&self, id: Id) -> bool {
        self.values.contains_key(&id) || self.within.contains_key(&id)
    }

    fn children(&self, id: Id) -> Lanes {
        let node = self.chosen.get(&id);
        node.into_iter().flat_map(|n| &n.children).map(|&c| real(self.built, self.chosen, c)).collect()
    }

    /// What must be there before a class is computed: of a branch what all of its chosen results
    /// read, since they come together.
    fn needs(&self, id: Id) -> Lanes {
        match self.head(id).map(|h| h.0) {
            Some(Head::Branch { op, .. }) => {
                let results = self.branches.get(op).into_iter().flatten();
                results.flat_map(|&(_, _, result)| self.children(result)).collect()
            }
            _ => self.children(id),
        }
    }

    /// Whether all lanes are computed by one op, in one place.
    fn is_alike(&self, item: &Item) -> bool {
        let Some(first) = item.lanes.first().and_then(|l| self.chosen.get(l)) else { return false };
        let is_op = matches!(self.built.graph.analysis.head(first.head), Head::Op { .. });
        let place = self.places.get(&item.lanes[0]);
        let distinct = (1..item.lanes.len()).all(|i| !item.lanes[..i].contains(&item.lanes[i]));
        is_op
            && distinct
            && item.vector.is_some()
            && item.lanes.iter().all(|l| {
                let same = self
                    .chosen
                    .get(l)
                    .is_some_and(|n| n.head == first.head && n.children.len() == first.children.len());
                same && self.places.get(l) == place
            })
    }

    /// What the vector op of an item reads.
    fn operands(&self, item: &Item) -> Vec<Item> {
        let Some(vector) = item.vector else { return Vec::new() };
        let count = self.children(item.lanes[0]).len();
        (0..count)
            .map(|j| {
                let lanes: Lanes = item.lanes.iter().filter_map(|&l| self.children(l).get(j).copied()).collect();
                let elem = lanes.first().map_or(vector.elem(), |&l| self.built.graph[l].data.ty);
                Item { lanes, vector: Some(vector.with_elem(elem)) }
            })
            .collect()
    }

    fn is_uniform(item: &Item) -> bool {
        item.lanes.iter().all(|l| *l == item.lanes[0])
    }

    /// Computes what the items need and what has its place here, in the order of the code before as
    /// far as what they read allows, so that values live as long as they did. (To compute each in
    /// front of what needs it first takes more registers in some kernels and fewer in others, and
    /// how much is alive at once does not tell which.)
    fn prepare(&mut self, items: Vec<Item>, site: Site) {
        let mut numbers: FxHashMap<Item, usize> = FxHashMap::default();
        let mut plan: Vec<Planned> = Vec::new();
        let mut stack: Vec<(Item, Option<SmallVec<[Item; 3]>>)> = items.into_iter().rev().map(|i| (i, None)).collect();
        while let Some((item, below)) = stack.pop() {
            if let Some(below) = below {
                let below: SmallVec<[usize; 3]> = below.iter().filter_map(|i| numbers.get(i).copied()).collect();
                let own = item.lanes.iter().filter_map(|l| self.order.get(l)).min().copied();
                let after = below.iter().map(|&n| plan[n].rank).max().unwrap_or(0);
                if let Some(&n) = numbers.get(&item) {
                    // What is not computed by the code as it stood comes right behind what it
                    // reads.
                    plan[n] = Planned { item, below, rank: own.unwrap_or(after) };
                }
                continue;
            }
            if self.packs.contains_key(&item)
                || item.lanes.iter().all(|&l| self.is_there(l))
                || numbers.contains_key(&item)
            {
                continue;
            }
            let below: SmallVec<[Item; 3]> = self.below(&item);
            numbers.insert(item.clone(), plan.len());
            plan.push(Planned { item: item.clone(), below: SmallVec::new(), rank: 0 });
            stack.push((item, Some(below.clone())));
            stack.extend(below.into_iter().rev().map(|i| (i, None)));
        }
        self.emit_in_order(&plan, site);
    }

    /// The items that one reads.
    fn below(&self, item: &Item) -> SmallVec<[Item; 3]> {
        if item.vector.is_some() && item.lanes.len() > 1 && !Self::is_uniform(item) {
            let alike = self.is_alike(item) && !item.lanes.iter().any(|&l| self.is_there(l));
            return match alike {
                true => self.operands(item).into(),
                false => item.lanes.iter().map(|&l| Item::scalar(l)).collect(),
            };
        }
        self.needs(item.lanes[0]).into_iter().map(Item::scalar).collect()
    }

    /// Emits what is planned, what it reads first, else by rank.
    fn emit_in_order(&mut self, plan: &[Planned], site: Site) {
        let mut waits: Vec<usize> = plan.iter().map(|p| p.below.len()).collect();
        let mut readers: Vec<SmallVec<[usize; 2]>> = vec![SmallVec::new(); plan.len()];
        for (n, planned) in plan.iter().enumerate() {
            for &below in &planned.below {
                readers[below].push(n);
            }
        }
        // Of equal ranks what was found last is nearest to what all others read.
        let entry = |n: usize| (Reverse(plan[n].rank), n);
        let mut ready: BinaryHeap<(Reverse<u32>, usize)> =
            (0..plan.len()).filter(|&n| waits[n] == 0).map(entry).collect();
        while let Some((_, n)) = ready.pop() {
            self.emit(&plan[n].item, site);
            for &reader in &readers[n] {
                waits[reader] -= 1;
                if waits[reader] == 0 {
                    ready.push(entry(reader));
                }
            }
        }
    }

    fn emit(&mut self, item: &Item, site: Site) {
        let place = |e: &Self, id: Id| e.places.get(&id).copied();
        if item.vector.is_some() && item.lanes.len() > 1 && !Self::is_uniform(item) {
            let here = place(self, item.lanes[0]) == Some(site.scope);
            if here && self.is_alike(item) && !item.lanes.iter().any(|&l| self.is_there(l)) {
                self.emit_vector(item, site);
                self.emit_companions(item.lanes[0], site);
                return;
            }
            // What it reads may have needed one of its lanes alone, so that the others come alone,
            // too.
            for &lane in &item.lanes {
                if place(self, lane) == Some(site.scope) && !self.is_there(lane) {
                    self.emit_scalar(lane, site);
                    self.emit_companions(lane, site);
                }
            }
            return;
        }
        let id = item.lanes[0];
        if place(self, id) == Some(site.scope) && !self.is_there(id) {
            self.emit_scalar(id, site);
            self.emit_companions(id, site);
        }
    }

    /// Computes what shares a set-up with a class that has just been computed and belongs here,
    /// too, if all that it reads is there.
    fn emit_companions(&mut self, id: Id, site: Site) {
        let Some(&group) = self.companions.group_of.get(&id) else { return };
        for other in self.companions.groups[group].clone() {
            if self.is_there(other) || self.places.get(&other) != Some(&site.scope) {
                continue;
            }
            let whole = self.companions.vectors.get(&other).cloned();
            let whole = whole.filter(|item| {
                self.is_alike(item) && item.lanes.iter().all(|&l| !self.is_there(l) && self.is_ready(l, site))
            });
            match whole {
                Some(item) => self.emit_vector(&item, site),
                None if self.is_ready(other, site) => self.emit_scalar(other, site),
                None => {}
            }
        }
    }

    /// Whether all that a class reads is there at this site.
    fn is_ready(&self, id: Id, site: Site) -> bool {
        let Some(here) = site.before.and_then(|op| self.built.positions.get(&op)).copied() else { return false };
        let scopes = &self.built.graph.analysis.scopes;
        let there = |child: Id| match self.head(child).map(|h| h.0) {
            Some(Head::Constant(_)) => true,
            Some(Head::Leaf { value, .. }) => {
                let at = self.built.graph.analysis.leaves.get(value);
                at.is_some_and(|at| scopes.is_around(at.scope, site.scope) && at.order < here)
            }
            _ => self.is_there(child),
        };
        self.children(id).into_iter().all(there)
    }

    fn builder(&mut self, site: Site, loc: Loc) -> Builder<'_> {
        Builder { body: self.body, block: site.block, before: site.before, loc }
    }

    fn emit_vector(&mut self, item: &Item, site: Site) {
        let first = item.lanes[0];
        let (Some((Head::Op { def, attrs, ty }, _)), Some(vector)) = (self.head(first), item.vector) else { return };
        let (def, attrs, ty) = (*def, attrs.clone(), vector.with_elem(*ty));
        let loc = self.built.graph[first].data.loc;
        let operands: Vec<ValueId> = self
            .operands(item)
            .into_iter()
            .enumerate()
            .map(|(j, operand)| {
                // One condition for all lanes stays one.
                let one = j == 0 && std::ptr::eq(def, arith::Select::DEF) && Self::is_uniform(&operand);
                let operand = if one { Item::scalar(operand.lanes[0]) } else { operand };
                self.value(&operand, site)
            })
            .collect();
        let value = self.create(def, &operands, ty, &attrs, site, loc);
        for (lane, &id) in item.lanes.iter().enumerate() {
            self.within.insert(id, (value, lane as u32));
        }
        self.packs.insert(item.clone(), value);
    }

    fn create(
        &mut self,
        def: &'static caustic_ir::OpDef,
        operands: &[ValueId],
        ty: Type,
        attrs: &caustic_ir::Attrs,
        site: Site,
        loc: Loc,
    ) -> ValueId {
        let op = self.body.create_op(def, operands, &[ty], attrs.clone(), 0, loc);
        self.body.insert_op(op, site.block, site.before);
        self.body.result(op, 0)
    }

    fn emit_scalar(&mut self, id: Id, site: Site) {
        let Some((head, _)) = self.head(id) else { return };
        match head.clone() {
            Head::Op { def, attrs, ty } => {
                let operands: Vec<ValueId> =
                    self.children(id).into_iter().map(|c| self.value(&Item::scalar(c), site)).collect();
                let loc = self.built.graph[id].data.loc;
                let value = self.create(def, &operands, ty, &attrs, site, loc);
                let hint = self.hints.get(&id).and_then(|&v| self.body.value(v).hint);
                self.body.set_hint(value, hint);
                self.values.insert(id, value);
            }
            Head::Branch { op, .. } => self.emit_branch(op, id, site),
            // These are made where they are read.
            Head::Constant(_) | Head::Leaf { .. } | Head::Assumed { .. } => {}
        }
    }

    /// Makes the branch that a chosen node is a result of, with all results of it that are chosen.
    fn emit_branch(&mut self, op: OpId, id: Id, site: Site) {
        let (Some(chosen), Some(&scopes)) = (self.branches.get(&op).cloned(), self.built.branches.get(&op)) else {
            return;
        };
        if !self.emitted.insert(op) {
            return;
        }
        let results = self.branch_results(op, &chosen);
        let children = self.children(id);
        let Some(&condition) = children.first() else { return };
        let condition = self.value(&Item::scalar(condition), site);
        let types: Vec<Type> = results.iter().map(|r| r.0).collect();
        let loc = self.body.loc(op);
        let mut b = self.builder(site, loc);
        let new = b.create(scf::If::DEF, &[condition], &types, &[], 2);
        for (n, &scope) in scopes.iter().enumerate() {
            let block = self.builder(site, loc).add_block(new, n, &[]);
            let inner = Site { scope, block, before: None };
            let mut yields = Vec::new();
            for (ty, ids) in &results {
                let lanes = ids.iter().filter_map(|&id| self.children(id).get(n + 1).copied()).collect();
                yields.push(Item { lanes, vector: ty.is_vector().then_some(*ty) });
            }
            self.prepare(yields.clone(), inner);
            let values: Vec<ValueId> = yields.iter().map(|item| self.value(item, inner)).collect();
            let mut b = self.builder(inner, loc);
            scf::Yield::build(&mut b, &values, &[]);
        }
        for (k, (ty, ids)) in results.iter().enumerate() {
            let value = self.body.result(new, k);
            for (lane, &id) in ids.iter().enumerate() {
                if ty.is_vector() {
                    self.within.insert(id, (value, lane as u32));
                } else {
                    self.values.insert(id, value);
                }
            }
            if ty.is_vector() {
                self.packs.insert(Item { lanes: ids.clone(), vector: Some(*ty) }, value);
            }
        }
    }

    /// The results that a branch has from now on: whole vectors where all of their scalars are
    /// wanted.
    fn branch_results(&self, op: OpId, chosen: &[(u32, u32, Id)]) -> Vec<(Type, Lanes)> {
        let mut out = Vec::new();
        for (k, &result) in self.body.results(op).iter().enumerate() {
            let ty = self.body.ty(result);
            let ids: Lanes = chosen.iter().filter(|c| c.0 == k as u32).map(|c| c.2).collect();
            if ty.is_vector() && ids.len() == ty.num_elements() {
                out.push((ty, ids));
            } else {
                out.extend(ids.into_iter().map(|id| (ty.elem(), SmallVec::from_elem(id, 1))));
            }
        }
        out
    }

    /// The value of an item, for an op at this site. What costs nothing is made here.
    fn value(&mut self, item: &Item, site: Site) -> ValueId {
        if let Some(&value) = self.packs.get(item) {
            return value;
        }
        if let Some(&value) = self.near.get(&(item.clone(), site.scope)) {
            return value;
        }
        match item.vector {
            None => {
                if let Some(&value) = self.values.get(&item.lanes[0]) {
                    return value;
                }
            }
            Some(ty) => {
                if let Some(value) = self.whole(item, ty) {
                    return value;
                }
            }
        }
        let value = match item.vector {
            None => self.scalar_value(item.lanes[0], site),
            Some(ty) => self.vector_value(item, ty, site),
        };
        self.near.insert((item.clone(), site.scope), value);
        value
    }

    /// The vector whose lanes these are, in order.
    fn whole(&self, item: &Item, ty: Type) -> Option<ValueId> {
        let lane = |id: Id| match self.within.get(&id) {
            Some(&(v, lane)) => Some((v, lane)),
            None => match self.head(id)?.0 {
                Head::Leaf { value, lane, vector: true, .. } => Some((*value, *lane)),
                _ => None,
            },
        };
        let (value, _) = lane(item.lanes[0])?;
        let all = item.lanes.iter().enumerate().all(|(i, &id)| lane(id) == Some((value, i as u32)));
        (all && self.body.ty(value) == ty).then_some(value)
    }

    fn scalar_value(&mut self, id: Id, site: Site) -> ValueId {
        let loc = self.built.graph[id].data.loc;
        let ty = self.built.graph[id].data.ty;
        if let Some(&(vector, lane)) = self.within.get(&id) {
            return self.extract(vector, lane, ty, site, loc);
        }
        match self.head(id).map(|h| h.0.clone()) {
            Some(Head::Constant(value)) => arith::constant(&mut self.builder(site, loc), value, ty),
            Some(Head::Leaf { value, vector: false, .. }) => value,
            Some(Head::Leaf { value, lane, .. }) => self.extract(value, lane, ty, site, loc),
            // Everything that is read has been chosen and placed. If not, the code is not used: the
            // pass ends in an error.
            _ => {
                self.missing = Some(loc);
                arith::zero(&mut self.builder(site, loc), ty)
            }
        }
    }

    fn extract(&mut self, vector: ValueId, lane: u32, ty: Type, site: Site, loc: Loc) -> ValueId {
        let mut rest = lane as usize;
        let mut position: SmallVec<[i64; 2]> = SmallVec::new();
        for &size in self.body.ty(vector).shape().iter().rev() {
            position.push((rest % size.max(1) as usize) as i64);
            rest /= size.max(1) as usize;
        }
        position.reverse();
        let attrs = [("static_position", Attr::i64_array(&position))];
        self.builder(site, loc).create_one(vector::Extract::DEF, &[vector], ty, &attrs)
    }

    fn vector_value(&mut self, item: &Item, ty: Type, site: Site) -> ValueId {
        let loc = self.built.graph[item.lanes[0]].data.loc;
        let constants: Option<Vec<Attr>> = item
            .lanes
            .iter()
            .map(|&l| match self.head(l)?.0 {
                Head::Constant(value) => Some(*value),
                _ => None,
            })
            .collect();
        if let Some(items) = constants {
            return arith::constant(&mut self.builder(site, loc), Attr::dense(items, ty), ty);
        }
        if Self::is_uniform(item) && item.lanes.len() > 1 {
            let scalar = self.value(&Item::scalar(item.lanes[0]), site);
            return vector::Broadcast::build(&mut self.builder(site, loc), scalar, ty, &[]);
        }
        let scalars: Vec<ValueId> = item.lanes.iter().map(|&l| self.value(&Item::scalar(l), site)).collect();
        self.builder(site, loc).create_one(vector::FromElements::DEF, &scalars, ty, &[])
    }
}
