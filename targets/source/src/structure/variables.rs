//! Which variable each value is kept in.
//!
//! Values that flow into each other (what a loop carries, what branches yield, the versions of an
//! aggregate) and those with one name share a variable if their lives do not meet, so that text
//! assigns in place as the program did.
//!
//! A life is a list of spans of positions, four to each of [`Order`]: a statement reads its
//! operands at its own, and writes its result there, but what is handed over to be changed is
//! written just before ([`EARLY`]), so that no other operand is in the same variable. What is only
//! read in branches is not alive in those that do not read it.
//!
//! Invariant: at each position a variable holds the value of its class that is alive there.

use super::Module;
use super::fold::{BOUND, Fold, Folding};
use super::order::{Order, ancestor_in, loops_between};
use super::signature::Plan;
use crate::types::Ty;
use caustic_dialects::agg::{self, as_slot};
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, branch_ends};
use caustic_dialects::{func, scf, vector};
use caustic_ir::{BlockId, Body, Name, OpId, Use, ValueDef, ValueId};

/// How much before an op something is that it changes in place.
const EARLY: u32 = 1;

type Span = (u32, u32);

struct Class {
    spans: Vec<Span>,
    name: Option<Name>,
    ty: Option<Ty>,
    /// The block around all definitions; `None` of parameters.
    block: Option<BlockId>,
    /// Where the first definition is.
    first: u32,
    parameter: bool,
    /// It is shared with nothing.
    alone: bool,
}

/// The variables of a function: classes of values. Those of results that parameters take back come
/// after the values.
pub struct Variables {
    parent: Vec<usize>,
    classes: Vec<Class>,
}

/// What it takes to find variables.
pub struct Input<'a> {
    pub module: &'a Module<'a>,
    pub body: &'a Body,
    pub order: &'a Order,
    pub folding: &'a Folding,
    pub plan: &'a Plan,
    pub types: &'a dyn Fn(ValueId) -> Option<Ty>,
}

impl Input<'_> {
    fn at(&self, op: OpId) -> u32 {
        4 * self.order.start(op)
    }
    fn after(&self, op: OpId) -> u32 {
        4 * self.order.end(op)
    }

    /// Where a use reads.
    fn reads_at(&self, site: Use) -> u32 {
        let (body, at) = (self.body, self.at(site.op));
        if scf::For::is(body, site.op) && BOUND.contains(&site.index) {
            return self.after(site.op);
        }
        if changes_in_place(self.module, body, site) { at.saturating_sub(EARLY) } else { at }
    }

    /// Where an op writes its result `index`.
    fn writes_at(&self, op: OpId, index: usize) -> u32 {
        let body = self.body;
        if !body.op(op).regions.is_empty() {
            return self.after(op);
        }
        let insert = is_insert(body, op);
        let by_place = || self.module.callee(body, op).is_some_and(|plan| plan.place_of_result(index).is_some());
        let early = insert || (func::Call::is(body, op) && by_place());
        if early { self.at(op).saturating_sub(EARLY) } else { self.at(op) }
    }
}

/// Whether an op makes another version of its second operand.
fn is_insert(body: &Body, op: OpId) -> bool {
    agg::Insert::is(body, op) || vector::Insert::is(body, op)
}

/// Whether an op changes the variable of an operand, which becomes that of a result.
fn changes_in_place(module: &Module<'_>, body: &Body, site: Use) -> bool {
    let index = site.index as usize;
    if is_insert(body, site.op) {
        return index == 1;
    }
    let both = |plan: &Plan| plan.params.iter().any(|p| p.input == Some(index) && p.result.is_some());
    func::Call::is(body, site.op) && module.callee(body, site.op).is_some_and(both)
}

impl Variables {
    pub fn of(input: &Input<'_>) -> Variables {
        let body = input.body;
        let values = body.num_values();
        let outs: Vec<usize> = (0..input.plan.params.len()).filter(|&i| input.plan.params[i].input.is_none()).collect();
        let mut variables = Variables { parent: (0..values + outs.len()).collect(), classes: Vec::new() };
        for value in 0..values as u32 {
            variables.classes.push(class(input, ValueId(value)));
        }
        for &out in &outs {
            let param = &input.plan.params[out];
            let spans = Vec::new();
            let ty = Some(param.ty.clone());
            let (name, block) = (param.name, None);
            variables.classes.push(Class { spans, name, ty, block, first: 0, parameter: true, alone: false });
        }
        variables.flow_spans(input, values, &outs);
        let mut pairs = Vec::new();
        flows(input, values, &outs, &mut pairs);
        for (a, b) in pairs {
            variables.join(input, a, b);
        }
        variables.join_names(input);
        variables
    }

    pub fn class(&self, of: usize) -> usize {
        let mut at = of;
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    pub fn name(&self, class: usize) -> Option<Name> {
        self.classes[class].name
    }
    pub fn block(&self, class: usize) -> Option<BlockId> {
        self.classes[class].block
    }
    pub fn first(&self, class: usize) -> u32 {
        self.classes[class].first
    }
    pub fn ty(&self, class: usize) -> Option<&Ty> {
        self.classes[class].ty.as_ref()
    }

    /// Spans in which a variable holds what flows on without being read: from where it is assigned
    /// at the end of a region.
    fn flow_spans(&mut self, input: &Input<'_>, values: usize, outs: &[usize]) {
        let body = input.body;
        // What a loop leaves with as it came in, and where that is decided.
        let mut same = Vec::new();
        for &op in &input.order.ops {
            let mut moment = |value: usize, at: u32, until: u32| self.classes[value].spans.push((at, until));
            if let Some(parts) = ForParts::of(body, op) {
                let end = input.at(parts.end);
                parts.carried_args(body).iter().for_each(|v| moment(v.index(), end, input.after(op)));
            }
            if let Some(parts) = WhileParts::of(body, op) {
                let (end, decided) = (input.at(parts.end), input.at(parts.condition));
                body.args(parts.before).iter().for_each(|v| moment(v.index(), end, input.after(op)));
                let forwarded = parts.forwarded(body).iter().zip(body.args(parts.before));
                for (v, (of, arg)) in body.results(op).iter().zip(forwarded) {
                    match of == arg {
                        true => same.push((arg.index(), v.index(), decided)),
                        false => moment(v.index(), decided, decided + 1),
                    }
                }
            }
            if let Some(ends) = branch_ends(body, op) {
                let results = body.results(op);
                ends.iter().for_each(|&e| {
                    let at = input.at(e);
                    results.iter().for_each(|v| moment(v.index(), at, at + 1));
                });
            }
            if func::Return::is(body, op) {
                let at = input.at(op);
                let taken = |(i, p): (usize, &super::signature::TextParam)| {
                    p.result?;
                    let out = outs.iter().position(|&o| o == i).map(|k| values + k);
                    out.or_else(|| Some(body.args(body.entry()?).get(p.input?)?.index()))
                };
                let all = input.plan.params.iter().enumerate().filter_map(taken);
                all.collect::<Vec<_>>().into_iter().for_each(|v| moment(v, at, at + 1));
            }
        }
        // In one variable it is not assigned.
        for (arg, result, decided) in same {
            self.join(input, arg, result);
            let class = self.class(result);
            if class != self.class(arg) {
                self.classes[class].spans.push((decided, decided + 1));
            }
        }
    }

    /// Puts two values into one variable, if nothing speaks against it.
    fn join(&mut self, input: &Input<'_>, a: usize, b: usize) {
        let (a, b) = (self.class(a), self.class(b));
        if a == b {
            return;
        }
        let (x, y) = (&self.classes[a], &self.classes[b]);
        let fits = x.ty.is_some()
            && x.ty == y.ty
            && !x.alone
            && !y.alone
            && !(x.parameter && y.parameter)
            && (x.name == y.name || x.name.is_none() || y.name.is_none());
        let meet = |x: &Class, y: &Class| x.spans.iter().any(|s| y.spans.iter().any(|t| s.0 < t.1 && t.0 < s.1));
        if !fits || x.spans.len() * y.spans.len() > 1 << 16 || meet(x, y) {
            return;
        }
        let (keep, gone) = if y.parameter { (b, a) } else { (a, b) };
        self.parent[gone] = keep;
        let (spans, name, block, first) = {
            let gone = &mut self.classes[gone];
            (std::mem::take(&mut gone.spans), gone.name, gone.block, gone.first)
        };
        let kept = &mut self.classes[keep];
        kept.spans.extend(spans);
        kept.name = kept.name.or(name);
        kept.first = kept.first.min(first);
        kept.block = match (kept.block, block) {
            (Some(a), Some(b)) => around_both(input.body, a, b),
            _ => None,
        };
    }

    /// Values with one name whose lives do not meet are one variable, as in the program.
    fn join_names(&mut self, input: &Input<'_>) {
        let mut named: Vec<usize> = (0..self.classes.len()).filter(|&v| self.class(v) == v).collect();
        named.retain(|&v| self.classes[v].name.is_some() && self.classes[v].ty.is_some());
        named.sort_by_key(|&v| self.classes[v].first);
        let mut seen: rustc_hash::FxHashMap<Name, Vec<usize>> = rustc_hash::FxHashMap::default();
        for v in named {
            let Some(name) = self.classes[v].name else { continue };
            let before = seen.entry(name).or_default();
            let others = before.clone();
            before.push(v);
            for other in others.into_iter().rev().take(8) {
                let (a, b) = (self.class(other), self.class(v));
                let nested = match (self.classes[a].block, self.classes[b].block) {
                    (Some(x), Some(y)) => input.body.is_block_within(y, x),
                    (None, _) => true,
                    _ => false,
                };
                if nested {
                    self.join(input, a, b);
                }
            }
        }
    }
}

/// The class of one value.
fn class(input: &Input<'_>, value: ValueId) -> Class {
    let body = input.body;
    let name = body.value(value).hint;
    let (at, block, parameter) = match body.def(value) {
        ValueDef::Result { op, index } => (input.writes_at(op, index as usize), body.op(op).block, false),
        ValueDef::Arg { block, .. } => match body.parent_op(block) {
            // What a loop carries is assigned before it; what a branch of a loop is given, inside.
            Some(op) => {
                let parts = WhileParts::of(body, op).filter(|parts| parts.after == block);
                (input.at(parts.map_or(op, |parts| parts.condition)), body.op(op).block, false)
            }
            None => (0, None, true),
        },
    };
    let standing = match body.def(value) {
        ValueDef::Result { op, .. } => !body.is_erased(op) && body.op(op).block.is_some(),
        // Those of loops that were removed are nobody's parameters.
        ValueDef::Arg { block: of, .. } => block.is_some() || body.entry() == Some(of),
    };
    let slot = as_slot(body.ty(value)).is_some();
    let counter = matches!(body.def(value), ValueDef::Arg { block, index: 0 }
        if body.parent_op(block).is_some_and(|op| scf::For::is(body, op)));
    let variable = standing && input.folding.value(value) == Fold::Variable;
    let ty = if variable { (input.types)(value) } else { None };
    let mut spans = Vec::new();
    if variable {
        let reads = |from: BlockId| {
            let reads = input.folding.sites(body, value).into_iter().filter_map(|site| {
                let loops = loops_between(body, site.op, from)?;
                let until = loops.last().map_or(0, |&outer| input.after(outer));
                // A part is computed of what it is put into before it is.
                let own = is_insert(body, site.op) && body.operand(site.op, 1) == value;
                let reads = if own { input.at(site.op) - EARLY } else { input.reads_at(site) };
                Some((site.op, until.max(reads)))
            });
            reads.collect::<Vec<_>>()
        };
        match body.def_block(value) {
            Some(from) => life(input, from, (at, at + 1), &reads(from), &mut spans),
            None => spans.push((at, at + 1)),
        }
    }
    Class { spans, name, ty, block, first: at, parameter, alone: slot || counter }
}

/// The spans in which a value is kept that is alive from the first position of `span` on, and is
/// read below `block` by these ops, each with the position until which it is needed.
///
/// Of branches only one runs: what is read last in branches alone is not alive in the others.
fn life(input: &Input<'_>, block: BlockId, span: Span, reads: &[(OpId, u32)], spans: &mut Vec<Span>) {
    let body = input.body;
    let child = |op: OpId| ancestor_in(body, op, block).unwrap_or(op);
    let last = reads.iter().map(|(op, _)| child(*op)).max_by_key(|op| input.order.start(*op));
    let branches = last.filter(|&last| scf::If::is(body, last) || scf::IndexSwitch::is(body, last));
    let inside = |op: OpId| branches.is_some_and(|last| op != last && child(op) == last);
    let others = reads.iter().filter(|(op, _)| !inside(*op)).map(|(_, until)| *until);
    let until = others.chain(branches.map(|last| input.at(last))).fold(span.1, u32::max);
    spans.push((span.0, until));
    let Some(last) = branches else { return };
    for region in 0..body.op(last).regions.len() {
        let Some(branch) = body.region_block(last, region) else { continue };
        let is_in = |op: OpId| body.op(op).block.is_some_and(|of| body.is_block_within(of, branch));
        let reads: Vec<(OpId, u32)> = reads.iter().copied().filter(|(op, _)| inside(*op) && is_in(*op)).collect();
        let Some(first) = body.first_op(branch).filter(|_| !reads.is_empty()) else { continue };
        let begins = input.at(first).saturating_sub(2 * EARLY);
        life(input, branch, (begins, begins + EARLY), &reads, spans);
    }
}

/// Pairs of values of which one becomes the other.
fn flows(input: &Input<'_>, values: usize, outs: &[usize], pairs: &mut Vec<(usize, usize)>) {
    let body = input.body;
    let mut versions = Vec::new();
    for &op in &input.order.ops {
        let results = body.results(op);
        let mut all = |a: &[ValueId], b: &[ValueId]| pairs.extend(a.iter().zip(b).map(|(a, b)| (a.index(), b.index())));
        if let Some(parts) = ForParts::of(body, op) {
            let args = parts.carried_args(body);
            all(args, &body.operands(op)[BOUNDS..]);
            all(args, results);
            all(args, body.operands(parts.end));
        }
        if let Some(parts) = WhileParts::of(body, op) {
            let args = body.args(parts.before);
            all(args, body.operands(op));
            all(args, body.operands(parts.end));
            all(parts.forwarded(body), body.args(parts.after));
            all(parts.forwarded(body), results);
        }
        if let Some(ends) = branch_ends(body, op) {
            ends.iter().for_each(|&end| all(results, body.operands(end)));
        }
        if is_insert(body, op) {
            versions.push((body.operand(op, 1).index(), results[0].index()));
        }
        if let Some(plan) = input.module.callee(body, op).filter(|_| func::Call::is(body, op)) {
            let both =
                plan.params.iter().filter_map(|p| Some((body.operands(op).get(p.input?)?, results.get(p.result?)?)));
            versions.extend(both.map(|(a, b)| (a.index(), b.index())));
        }
        if func::Return::is(body, op) {
            let returned = body.operands(op);
            for (i, param) in input.plan.params.iter().enumerate() {
                let Some(&value) = param.result.and_then(|k| returned.get(k)) else { continue };
                let own = outs.iter().position(|&o| o == i).map(|k| values + k);
                let arg = || Some(body.args(body.entry()?).get(param.input?)?.index());
                versions.extend(own.or_else(arg).map(|p| (p, value.index())));
            }
        }
    }
    pairs.extend(versions);
}

/// The innermost block that both are in.
fn around_both(body: &Body, a: BlockId, b: BlockId) -> Option<BlockId> {
    let mut block = a;
    while !body.is_block_within(b, block) {
        block = body.parent_op(block).and_then(|op| body.op(op).block)?;
    }
    Some(block)
}
