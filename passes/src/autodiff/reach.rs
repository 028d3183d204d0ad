//! Finds which tangents of a function may be zeros that control flow made, and where that matters:
//! this is what forward derivatives have to report of them.
//!
//! A tangent *may be unreached* if a branch, a loop or a call may leave it out. That matters where
//! an infinite partial may meet it: then the tangent is *asked*, and so are the tangents that it is
//! computed from. An asked tangent is accompanied by a condition (`linearize/gated`): out of
//! branches, round loops, and into and out of calls. For calls, a forward derivative has two forms.
//! The plain form assumes that every tangent that comes in was reached, and reports nothing about
//! those that it returns. The gated form takes a flag for each part of its tangents
//! ([`flag_types`]) and returns one for each part of its result tangents. Which form a call needs
//! follows from the caller's code and from the code of its callees.
//!
//! This module must not know how tangents are computed. It may take a tangent that is always
//! reached for one that may be unreached, never the other way round.

use super::activity::{Activities, Activity, Instance};
use super::gates;
use super::partials::{self, Expr, SingularPoints};
use crate::analysis::access::{Step, build_read, is_counter, write_of};
use crate::analysis::custom_derivatives;
use crate::analysis::stage;
use caustic_dialects::ad::{Strong, tangent_of};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::arith::constant_of;
use caustic_dialects::{ad, arith, scf};
use caustic_ir::{AdRule, Body, Builder, Mirror, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;

/// What a caller has to know of a function that it calls.
#[derive(Default)]
pub struct Summary {
    /// By result: whether its tangent may be unreached though all tangents that come in are
    /// reached.
    leaves: Vec<bool>,
    /// By input: whether an infinite partial may meet a tangent that is computed from this input's.
    asks: Vec<bool>,
}

/// The callee of a call.
enum Callee {
    /// A custom derivative. It computes all of its results as soon as one tangent that comes in was
    /// reached.
    Custom,
    /// A function whose results have tangents even if no tangent comes in, because they view
    /// memory.
    View,
    Made(Rc<Summary>),
}

/// How much of a tangent may be unreached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unreached {
    Nothing,
    Part,
    Whole,
}

/// The results of analyzing one form of an instance.
pub struct Reach {
    /// By value: how much of its tangent may be unreached.
    may: Vec<Unreached>,
    asked: Vec<bool>,
    /// The calls of the gated form.
    gated: FxHashSet<OpId>,
    /// Other calls that need one flag for each tangent that comes in, where a caller has reached
    /// only some of these tangents.
    apart: FxHashSet<OpId>,
    /// The calls of the plain form, and of custom derivatives, that may return something else than
    /// zero for tangents that are not reached.
    held: FxHashSet<OpId>,
}

/// A way of tangents through a loop or a branch: the values that arrive at one result, or at one
/// argument of a region.
pub struct Way {
    index: usize,
    pub to: ValueId,
    pub from: Vec<ValueId>,
}

/// The facts about the forms of a round's instances, each computed once.
pub struct Reaches<'m> {
    module: &'m Module,
    singular: SingularPoints,
    views: FxHashSet<Name>,
    done: FxHashMap<(Instance, bool), Rc<Reach>>,
    summaries: FxHashMap<Instance, Rc<Summary>>,
}

impl<'m> Reaches<'m> {
    pub fn new(module: &'m Module, singular: SingularPoints, views: FxHashSet<Name>) -> Self {
        Reaches { module, singular, views, done: FxHashMap::default(), summaries: FxHashMap::default() }
    }

    /// The facts about an instance's plain or gated form; `None` if the instance is not made from
    /// the code of its function.
    pub fn get(&mut self, activities: &mut Activities<'_>, instance: &Instance, gated: bool) -> Option<Rc<Reach>> {
        let key = (instance.clone(), gated);
        if let Some(found) = self.done.get(&key) {
            return Some(found.clone());
        }
        let finder = self.finder(activities, instance)?;
        let found = Rc::new(finder.find(gated, gated));
        self.done.insert(key, found.clone());
        Some(found)
    }

    fn finder(&mut self, activities: &mut Activities<'_>, instance: &Instance) -> Option<Finder<'m>> {
        let symbol = self.module.get(instance.func)?;
        let activity = activities.get(instance).ok().filter(|a| a.broken.is_none())?;
        let mut calls = FxHashMap::default();
        for (&op, callee) in &activity.calls {
            calls.insert(op, self.callee(activities, callee));
        }
        symbol.body.entry()?;
        Some(Finder { symbol, activity, calls, singular: self.singular })
    }

    fn callee(&mut self, activities: &mut Activities<'_>, instance: &Instance) -> Callee {
        let symbol = self.module.get(instance.func);
        if self.views.contains(&instance.func) {
            return Callee::View;
        }
        let given = |s: &SymbolOp| {
            custom_derivatives::derivative(s, stage::FORWARD).is_some() || custom_derivatives::replaces_code(s)
        };
        if symbol.is_none_or(|s| custom_derivatives::any(s) && given(s)) {
            return Callee::Custom;
        }
        if let Some(found) = self.summaries.get(instance) {
            return Callee::Made(found.clone());
        }
        let Some(finder) = self.finder(activities, instance) else { return Callee::Custom };
        let plain = finder.find(false, false);
        let summary = Summary { leaves: finder.leaves(&plain), asks: finder.asks(&finder.find(true, false)) };
        let summary = Rc::new(summary);
        self.done.insert((instance.clone(), false), Rc::new(plain));
        self.summaries.insert(instance.clone(), summary.clone());
        Callee::Made(summary)
    }
}

impl Reach {
    /// Whether it matters where a value's tangent is unreached.
    pub fn asked(&self, value: ValueId) -> bool {
        self.asked.get(value.index()).copied().unwrap_or(false)
    }
    fn may(&self, value: ValueId) -> Unreached {
        self.may.get(value.index()).copied().unwrap_or(Unreached::Nothing)
    }
    pub fn is_gated(&self, call: OpId) -> bool {
        self.gated.contains(&call)
    }
    pub fn is_held(&self, call: OpId) -> bool {
        self.held.contains(&call)
    }
    pub fn is_apart(&self, call: OpId) -> bool {
        self.apart.contains(&call)
    }

    /// Whether result `index` of a loop or a branch needs a flag that tells whether its tangent was
    /// reached. Otherwise the control flow tells it: an `if` with one side that has no tangent, or
    /// a loop that did not run and whose iterations all reach the tangent.
    pub fn carries(&self, body: &Body, activity: &Activity, op: OpId, index: usize) -> bool {
        let Some(&result) = body.results(op).get(index) else { return false };
        let may = |v: ValueId| !activity.is_active(v) || self.may(v) > Unreached::Nothing;
        let ends = ends(body, op, index);
        if !is_loop(body, op) {
            let none = ends.iter().filter(|&&v| !activity.is_active(v)).count();
            let one_side = scf::If::is(body, op) && none == 1 && ends.iter().any(|&v| !may(v));
            return self.asked(result) && !one_side;
        }
        let carried = args(body, op, index);
        let passes = scf::For::is(body, op) || ends.first() == carried.first();
        let by_result = self.asked(result) && (!passes || ends.last().is_some_and(|&v| may(v)));
        by_result || carried.iter().any(|&a| self.asked(a))
    }
}

fn is_loop(body: &Body, op: OpId) -> bool {
    scf::For::is(body, op) || scf::While::is(body, op)
}

/// The values that the regions yield for result `index`.
fn ends(body: &Body, op: OpId, index: usize) -> Vec<ValueId> {
    let regions = (0..body.op(op).regions.len()).filter_map(|k| body.terminator(body.region_block(op, k)?));
    let value = |end: OpId| body.operands(end).get(index + usize::from(scf::Condition::is(body, end))).copied();
    regions.filter_map(value).collect()
}

/// The arguments of a loop's regions that carry result `index`.
fn args(body: &Body, op: OpId, index: usize) -> Vec<ValueId> {
    let first = usize::from(scf::For::is(body, op));
    let blocks = (0..body.op(op).regions.len()).filter_map(|k| body.region_block(op, k));
    blocks.filter_map(|block| body.args(block).get(first + index).copied()).collect()
}

/// The constant number of an iteration's counter that a `for` begins with, and the one before which
/// it ends.
fn bounds(body: &Body, op: OpId) -> Option<(i64, i64)> {
    let bound = |k: usize| constant_of(body, body.operand(op, k)).and_then(|a| a.as_int());
    Some((bound(0)?, bound(1)?))
}

fn surely_runs(body: &Body, op: OpId) -> bool {
    bounds(body, op).is_some_and(|(first, end)| first < end)
}

/// All ways through a loop or a branch.
pub fn ways(body: &Body, op: OpId) -> Vec<Way> {
    let mut out = Vec::new();
    for (index, &to) in body.results(op).iter().enumerate() {
        let mut way = |to: ValueId, from: &[ValueId]| out.push(Way { index, to, from: from.to_vec() });
        let ends = ends(body, op, index);
        let args = args(body, op, index);
        let first = if scf::For::is(body, op) { 3 } else { 0 };
        let init = body.operands(op).get(first + index).copied();
        match (init.filter(|_| is_loop(body, op)), &ends[..], &args[..]) {
            (Some(init), &[next], &[arg]) if scf::For::is(body, op) => {
                way(arg, &[init, next]);
                let before = Some(init).filter(|_| !surely_runs(body, op));
                way(to, &before.into_iter().chain([next]).collect::<Vec<_>>());
            }
            (Some(init), &[held, next], &[before, after]) => {
                way(before, &[init, next]);
                way(after, &[held]);
                if held == before { way(to, &[init, next]) } else { way(to, &[held]) }
            }
            _ => way(to, &ends),
        }
    }
    out
}

struct Finder<'m> {
    symbol: &'m SymbolOp,
    activity: Rc<Activity>,
    calls: FxHashMap<OpId, Callee>,
    singular: SingularPoints,
}

/// The most flags of a struct with a flag for each field. Structs with more have one for the whole.
const MOST_FLAGS: usize = 64;
/// The most elements of an array with a flag for each element. Arrays with more have one for the
/// whole.
const MOST_ELEMENTS: u64 = 64;

fn fields(differential: Type) -> Vec<Type> {
    let count = StructType::of(differential).map_or(0, |s| s.num_fields());
    (0..count).filter_map(|i| agg::part_type(differential, i as i64)).collect()
}

/// The flags of a struct, by field; `None` if the struct has one flag for the whole.
fn apart(differential: Type) -> Option<Vec<Vec<Type>>> {
    let fields: Vec<Vec<Type>> = fields(differential).into_iter().map(flag_types).collect();
    (1..=MOST_FLAGS).contains(&fields.iter().map(Vec::len).sum()).then_some(fields)
}

/// The count and the type of the elements of an array with a flag for each element.
fn elements(differential: Type) -> Option<(u64, Type)> {
    let all = |ty: Type| {
        let (mut count, mut ty) = (1u64, ty);
        while let Some((n, elem)) = agg::as_array(ty) {
            (count, ty) = (count.saturating_mul(n), elem);
        }
        count
    };
    agg::as_array(differential).filter(|_| (1..=MOST_ELEMENTS).contains(&all(differential)))
}

/// The types of the flags that accompany a tangent: those of the fields of a struct, arrays of the
/// flags of an array's elements, a vector of flags for the lanes of a vector or a matrix, or one
/// flag for the whole.
pub fn flag_types(differential: Type) -> Vec<Type> {
    if let Some(fields) = apart(differential) {
        return fields.concat();
    }
    if let Some((count, elem)) = elements(differential) {
        return flag_types(elem).into_iter().map(|flag| agg::array_type(count, flag)).collect();
    }
    match differential.shape() {
        [] => vec![Type::i1()],
        shape => vec![Type::vector(shape, Type::i1())],
    }
}

/// The flags that tell about a part.
pub struct FlagsAt {
    /// Which of the flags of the whole.
    pub range: Range<usize>,
    /// The steps of the path that lead into each of these flags, by their places in the path.
    pub steps: Vec<usize>,
    /// Whether they tell about the part alone.
    pub alone: bool,
}

/// The flags of a tangent that tell about the part at `path`.
pub fn flags_at(differential: Type, path: &[i64]) -> FlagsAt {
    let (mut ty, mut range) = (differential, 0..flag_types(differential).len());
    let mut steps = Vec::new();
    for (k, &step) in path.iter().enumerate() {
        if let Some(fields) = apart(ty) {
            let at = usize::try_from(step).ok().and_then(|at| Some((at, fields.get(at)?)));
            let Some((at, flags)) = at else { return FlagsAt { range, steps, alone: false } };
            let start = range.start + fields[..at].iter().map(Vec::len).sum::<usize>();
            range = start..start + flags.len();
        } else if elements(ty).is_some() || ty.is_vector() {
            steps.push(k);
        } else {
            return FlagsAt { range, steps, alone: false };
        }
        let Some(part) = agg::part_type(ty, step) else { return FlagsAt { range, steps, alone: false } };
        ty = part;
    }
    FlagsAt { range, steps, alone: true }
}

/// A flag that has the same value in all lanes and elements.
pub fn same_flag(b: &mut Builder<'_>, reached: bool, ty: Type) -> ValueId {
    match agg::as_array(ty) {
        Some((count, elem)) => {
            let part = same_flag(b, reached, elem);
            agg::Make::build(b, &vec![part; count as usize], ty, &[])
        }
        None if ty.is_vector() => arith::int(b, reached.into(), ty),
        None => arith::bool(b, reached),
    }
}

/// Whether either of two flags is set, by lane and element.
pub fn either_flag(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    let ty = b.ty(x);
    let Some((count, elem)) = agg::as_array(ty) else { return arith::OrI::build(b, x, y, &[]) };
    let part = |b: &mut Builder<'_>, i: i64| {
        let (x, y) = (build_read(b, x, &[Step::At(i)], elem), build_read(b, y, &[Step::At(i)], elem));
        either_flag(b, x, y)
    };
    let parts: Vec<ValueId> = (0..count as i64).map(|i| part(b, i)).collect();
    agg::Make::build(b, &parts, ty, &[])
}

/// The types of the flags that accompany a value's tangent.
pub fn flags(body: &Body, value: ValueId) -> Vec<Type> {
    tangent_of(body.ty(value)).map_or(vec![Type::i1()], |t| flag_types(ad::strip_tangent(t)))
}

impl Finder<'_> {
    /// Analyzes one form of the function. `handed`: tangents that come in may be unreached.
    /// `gives`: the form reports whether the tangents that it returns are reached.
    fn find(&self, handed: bool, gives: bool) -> Reach {
        let body = &self.symbol.body;
        let size = body.num_values();
        let mut reach = Reach {
            may: vec![Unreached::Nothing; size],
            asked: vec![false; size],
            gated: FxHashSet::default(),
            apart: FxHashSet::default(),
            held: FxHashSet::default(),
        };
        let args = body.entry().map(|e| body.args(e).to_vec()).unwrap_or_default();
        for arg in args.iter().filter(|&&a| handed && self.activity.is_active(a)) {
            reach.may[arg.index()] = Unreached::Whole;
        }
        let ops: Vec<OpId> = body.walk_all();
        let active = |op: &OpId| body.results(*op).iter().any(|&r| self.activity.is_active(r));
        let ops: Vec<OpId> = ops.into_iter().filter(active).collect();
        while ops.iter().fold(false, |changed, &op| self.rise(op, &mut reach) | changed) {}
        if gives {
            for (i, v) in self.returned().into_iter().enumerate() {
                self.ask(v, self.activity.results.get(i) == Some(&true), &mut reach);
            }
        }
        while ops.iter().rev().fold(false, |changed, &op| self.sink(op, &mut reach) | changed) {}
        for (&op, callee) in &self.calls {
            self.choose(op, callee, &mut reach);
        }
        reach
    }

    fn returned(&self) -> Vec<ValueId> {
        let body = &self.symbol.body;
        let end = body.entry().and_then(|e| body.terminator(e));
        end.map(|end| body.operands(end).to_vec()).unwrap_or_default()
    }

    fn leaves(&self, reach: &Reach) -> Vec<bool> {
        let active = |i: usize| self.activity.results.get(i) == Some(&true);
        self.returned().into_iter().enumerate().map(|(i, v)| active(i) && self.may(v, reach)).collect()
    }

    fn asks(&self, reach: &Reach) -> Vec<bool> {
        let body = &self.symbol.body;
        let args = body.entry().map(|e| body.args(e).to_vec()).unwrap_or_default();
        args.into_iter().map(|a| reach.asked(a)).collect()
    }

    /// How much of a value's tangent may be unreached: all of it, if the value has no derivative.
    fn unreached(&self, value: ValueId, reach: &Reach) -> Unreached {
        if self.activity.is_active(value) { reach.may(value) } else { Unreached::Whole }
    }

    fn may(&self, value: ValueId, reach: &Reach) -> bool {
        self.unreached(value, reach) > Unreached::Nothing
    }

    /// The operands of a call whose tangents are passed to it.
    fn incoming(&self, op: OpId) -> Vec<ValueId> {
        let active = self.activity.calls.get(&op).map(|i| i.active.clone()).unwrap_or_default();
        let operands = self.symbol.body.operands(op).iter().zip(active);
        operands.filter(|(_, active)| *active).map(|(&v, _)| v).collect()
    }

    /// Marks the results and arguments of an op whose tangents may be unreached. Returns whether
    /// that changed something.
    fn rise(&self, op: OpId, reach: &mut Reach) -> bool {
        let body = &self.symbol.body;
        let data = body.op(op);
        let may = |v: ValueId| self.unreached(v, reach);
        let most = |found: bool| if found { Unreached::Whole } else { Unreached::Nothing };
        let is_active = |v: ValueId| self.activity.is_active(v);
        let found: Vec<(ValueId, Unreached)> = match data.def.ad {
            _ if self.calls.contains_key(&op) => {
                let incoming = self.incoming(op);
                let some = |&v: &ValueId| may(v) > Unreached::Nothing;
                let (any, all) = (incoming.iter().any(some), incoming.iter().all(some));
                let results = data.results.iter().enumerate();
                results
                    .map(|(i, &r)| match self.calls.get(&op) {
                        Some(Callee::Made(summary)) => (r, most(any || summary.leaves.get(i) == Some(&true))),
                        Some(Callee::Custom) => (r, most(all && !incoming.is_empty())),
                        _ => (r, Unreached::Nothing),
                    })
                    .collect()
            }
            AdRule::Partials(texts) => {
                let exprs = partials::of_row(texts).as_ref();
                let terms = data.operands.iter().zip(exprs.map(Vec::as_slice).unwrap_or_default());
                let terms = terms.filter(|(v, p)| is_active(**v) && p.as_number() != Some(0.0));
                let term = |(&v, p): (&ValueId, &Expr)| may(v).max(most(p.may_be_zero(self.singular)));
                vec![(data.results[0], terms.map(term).min().unwrap_or(Unreached::Whole))]
            }
            AdRule::Mirror(kind) => vec![(data.results[0], self.moved(op, kind, &may))],
            _ => {
                let all = |w: &Way| w.from.iter().map(|&v| may(v)).max().unwrap_or(Unreached::Nothing);
                let is_result = |w: &Way| data.results.get(w.index) == Some(&w.to);
                let filled = |w: &Way| self.fill(op, w.index).filter(|_| is_result(w)).map(may);
                ways(body, op).into_iter().map(|w| (w.to, filled(&w).unwrap_or_else(|| all(&w)))).collect()
            }
        };
        let mut changed = false;
        for (v, found) in found.into_iter().filter(|&(v, _)| is_active(v)) {
            changed |= found > reach.may[v.index()];
            reach.may[v.index()] = found.max(reach.may[v.index()]);
        }
        changed
    }

    /// What a loop writes to each element of the array that it carries as result `index`: to the
    /// element whose number its counter is.
    fn fill(&self, op: OpId, index: usize) -> Option<ValueId> {
        let body = &self.symbol.body;
        let block = body.region_block(op, 0).filter(|_| scf::For::is(body, op))?;
        let step = constant_of(body, body.operand(op, 2)).and_then(|a| a.as_int());
        let (Some((0, end)), Some(1)) = (bounds(body, op), step) else { return None };
        let (next, carried) = (*ends(body, op, index).first()?, *args(body, op, index).first()?);
        let def = body.def_op(next).filter(|&def| body.op(def).block == Some(block))?;
        let (len, _) = agg::as_array(body.ty(carried))?;
        let write = write_of(body, def).filter(|write| write.into == carried && end >= len as i64)?;
        let [Step::By(counter)] = write.path[..] else { return None };
        is_counter(body, counter, block, end).then_some(write.part)
    }

    /// How much of the tangent of moved data may be unreached.
    fn moved(&self, op: OpId, kind: Mirror, may: &dyn Fn(ValueId) -> Unreached) -> Unreached {
        let body = &self.symbol.body;
        let operands = body.operands(op);
        let ty = body.ty(body.result(op, 0));
        let in_parts = StructType::of(ty).is_some() || ty.is_vector() || agg::as_array(ty).is_some();
        let parts = |values: &[ValueId]| {
            let parts = values.iter().filter(|&&v| tangent_of(body.ty(v)).is_some()).map(|&v| may(v));
            let (least, most) = parts.fold((Unreached::Whole, Unreached::Nothing), |(a, b), p| (a.min(p), b.max(p)));
            if in_parts { least.max(most.min(Unreached::Part)) } else { least }
        };
        match kind {
            Mirror::Select => may(operands[1]).max(may(operands[2])),
            Mirror::Make if in_parts => parts(operands),
            Mirror::Make => {
                let active: Vec<ValueId> = operands.iter().copied().filter(|&v| self.activity.is_active(v)).collect();
                parts(&active)
            }
            Mirror::Insert => parts(&operands[..2]),
            Mirror::Extract if !gates::is_inside(body, op) => Unreached::Whole,
            Mirror::Extract if may(operands[0]) > Unreached::Nothing => Unreached::Whole,
            // A sum was reached if one of its terms was.
            Mirror::Sum if may(operands[0]) == Unreached::Part => Unreached::Nothing,
            _ => may(operands[0]),
        }
    }

    fn ask(&self, value: ValueId, asked: bool, reach: &mut Reach) -> bool {
        let asked = asked && self.activity.is_active(value) && reach.may(value) > Unreached::Nothing;
        asked && !std::mem::replace(&mut reach.asked[value.index()], true)
    }

    /// Marks the operands of an op whose tangents are asked: those that an infinite partial may
    /// meet, and those that an asked result is computed from. Returns whether that changed
    /// something.
    fn sink(&self, op: OpId, reach: &mut Reach) -> bool {
        let body = &self.symbol.body;
        let data = body.op(op);
        let mut found: Vec<ValueId> = Vec::new();
        let asked = data.results.iter().any(|&r| reach.asked(r));
        match data.def.ad {
            _ if self.calls.contains_key(&op) => {
                let asks = match self.calls.get(&op) {
                    Some(Callee::Made(summary)) => &summary.asks[..],
                    _ => &[],
                };
                let inner = data.operands.iter().zip(asks).filter(|(_, asks)| **asks).map(|(&v, _)| v);
                let incoming = self.incoming(op);
                found.extend(inner.filter(|v| incoming.contains(v)));
                found.extend(incoming.iter().filter(|_| asked));
            }
            AdRule::Partials(texts) => {
                let exprs = partials::of_row(texts).as_ref();
                let known = |name: &str| partials::known(body, op, name);
                let finite = |name: &str| partials::is_finite(body, op, name);
                for (&v, partial) in data.operands.iter().zip(exprs.map(Vec::as_slice).unwrap_or_default()) {
                    let annihilates = matches!(partial.strong(), Some(Strong::Tangent | Strong::Both));
                    let flows = partial.as_number() != Some(0.0);
                    if flows && (asked || partial.may_be_infinite(&known, &finite) && !annihilates) {
                        found.push(v);
                    }
                }
            }
            AdRule::Mirror(kind) => {
                let from = if kind == Mirror::Select { 1 } else { 0 };
                found.extend(data.operands[from..].iter().filter(|_| asked));
            }
            _ => {
                let ways = ways(body, op).into_iter().filter(|w| self.activity.is_active(data.results[w.index]));
                found.extend(ways.filter(|w| reach.asked(w.to)).flat_map(|w| w.from));
            }
        }
        found.into_iter().fold(false, |changed, v| self.ask(v, true, reach) | changed)
    }

    /// Chooses the form of a call. If only one flag comes in, it can mask all that comes out, which
    /// needs no gated form.
    fn choose(&self, op: OpId, callee: &Callee, reach: &mut Reach) {
        let Callee::Made(summary) = callee else {
            reach.held.insert(op);
            return;
        };
        let body = &self.symbol.body;
        let incoming = self.incoming(op);
        // Elements may be reached one by one, and lanes if only some of them are.
        let by_parts = |&v: &ValueId| match flags(body, v)[..] {
            [flag] if flag.is_vector() => reach.may(v) == Unreached::Part,
            [flag] => agg::as_array(flag).is_some(),
            _ => true,
        };
        let several = incoming.len() > 1 || incoming.iter().any(by_parts);
        let asked: Vec<usize> = (0..body.results(op).len()).filter(|&i| reach.asked(body.results(op)[i])).collect();
        let leaves = asked.iter().any(|&i| summary.leaves.get(i) == Some(&true));
        let any = incoming.iter().any(|&v| self.may(v, reach));
        let mut asks = body.operands(op).iter().zip(&summary.asks).filter(|(_, asks)| **asks);
        let met = asks.clone().any(|(&v, _)| self.may(v, reach));
        if leaves || several && (any && !asked.is_empty() || met) {
            reach.gated.insert(op);
            return;
        }
        if met {
            reach.held.insert(op);
        }
        let has_parts = |&v: &ValueId| flags(body, v)[..] != [Type::i1()];
        if (incoming.len() > 1 || incoming.iter().any(has_parts)) && asks.next().is_some() {
            reach.apart.insert(op);
        }
    }
}
