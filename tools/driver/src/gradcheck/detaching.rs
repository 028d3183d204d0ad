//! Which functions end derivatives on purpose (`detach`, `no_diff`): finite differences see more of
//! them than their derivatives do.
//!
//! Only what depends on an input with a derivative can end one, be it by a differentiable pointer,
//! or by a view that pairs a buffer with that of its derivatives: a constant that is handed to a
//! `no_diff` parameter, or what is read of a plain buffer, ends nothing. What is read by such a
//! pointer, or of the buffer of values in such a view, has a derivative in functions with one of
//! their own alone; elsewhere reading ends it.
//!
//! Invariant: errs on the side of dependence. Truth values and integers carry no derivative, and so
//! no dependence.

use super::resources;
use caustic_dialects::ad;
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::{DIFFERENTIABLE, NO_DIFF_RESULT, Param, Signature, ZERO, holds_handle};
use caustic_ir::{Body, Module, Name, OpId, SymbolOp, Type, ValueId};
use caustic_passes::analysis::custom_derivatives;
use std::collections::HashSet;

/// The functions that end a derivative, or that call one of these with what has one.
pub fn functions(module: &Module) -> HashSet<Name> {
    let views = &Views(resources::declared_views(module));
    let calls = |given: bool| {
        CallGraph::of_names(module, move |symbol, names| {
            let dependent = Dependent::of(symbol, views);
            let calls = symbol.body.all_ops().filter(|&op| dependent.reaches(op));
            let follows = given || !custom_derivatives::any(symbol);
            names.extend(calls.filter_map(|op| symbol.body.callee(op)).filter(|_| follows));
            // A derivative detaches where its function does.
            names.extend(ad::requested(symbol));
        })
    };
    let found = |ends: &dyn Fn(&SymbolOp) -> bool| {
        module.symbols().iter().filter(|s| ends(s)).map(|s| s.name).collect::<Vec<Name>>()
    };
    let mut all: HashSet<Name> = calls(true).reaching(found(&|s| ends(module, s, views))).into_iter().collect();
    // What functions with derivatives of their own read has one.
    let reading = found(&|s| !custom_derivatives::any(s) && reads_by_pointer(module, s, views));
    if !reading.is_empty() {
        all.extend(calls(false).reaching(reading));
    }
    all
}

/// The views that the program declares.
struct Views(Vec<Type>);

impl Views {
    /// Whether a parameter leads to something with a derivative. `no_diff` changes nothing about
    /// views: what is read of them adds to their derivatives by itself.
    fn carries(&self, p: &Param) -> bool {
        self.within(p.ty) && !(p.no_diff && holds_pointer(p.ty))
    }

    /// Whether a type is that of a differentiable pointer or of a view, or has one in it.
    fn within(&self, ty: Type) -> bool {
        holds_pointer(ty)
            || resources::is_view(ty)
            || self.0.contains(&ty)
            || agg::as_array(ty).is_some_and(|(_, elem)| self.within(elem))
            || StructType::of(ty).is_some_and(|s| s.fields().any(|f| self.within(f.ty)))
    }
}

/// Whether a function reads a float by a differentiable pointer, or of a view's buffer of values;
/// or hands that buffer to a function that gives a float for it, and has no derivative of its own.
fn reads_by_pointer(module: &Module, symbol: &SymbolOp, views: &Views) -> bool {
    let body = &symbol.body;
    let gives = |op: OpId| body.results(op).first().is_some_and(|&v| ad::differential_type(body.ty(v)).is_some());
    let reads = |op: OpId| agg::BufferLoad::is(body, op) && gives(op);
    let calls = |op: OpId| {
        gives(op) && body.callee(op).and_then(|callee| module.get(callee)).is_some_and(|s| !custom_derivatives::any(s))
    };
    if !body.all_ops().any(|op| reads(op) || calls(op)) {
        return false;
    }
    let by_pointer = Dependent::on(symbol, views, true);
    let is_plain = |v: &ValueId| by_pointer.values.contains(v) && !views.within(body.ty(*v));
    body.all_ops().any(|op| match reads(op) {
        true => by_pointer.values.contains(&body.operand(op, 0)),
        false => calls(op) && body.operands(op).iter().any(is_plain),
    })
}

/// Whether a function itself ends a derivative.
fn ends(module: &Module, symbol: &SymbolOp, views: &Views) -> bool {
    let body = &symbol.body;
    let dependent = Dependent::of(symbol, views);
    let ends_here = |op: OpId| {
        let callee = body.callee(op).and_then(|callee| module.get(callee));
        ad::Detach::is(body, op) && dependent.reaches(op)
            || callee.is_some_and(|callee| dependent.is_handed_to_no_diff(op, callee))
    };
    symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some(ZERO)
        || symbol.attr(NO_DIFF_RESULT).is_some()
        || body.all_ops().any(ends_here)
}

/// Whether a type is that of a differentiable pointer, or has one in it.
pub fn holds_pointer(ty: Type) -> bool {
    agg::as_array(ty).is_some_and(|(_, elem)| holds_pointer(elem))
        || StructType::of(ty).is_some_and(|s| s.is_pointer() || s.fields().any(|f| holds_pointer(f.ty)))
}

/// The values of a function that depend on an input with a derivative.
struct Dependent<'a> {
    body: &'a Body,
    views: &'a Views,
    values: HashSet<ValueId>,
    /// Whether memory holds such a value.
    in_memory: bool,
    /// Only differentiable pointers and views count, and what is made of them.
    pointers: bool,
}

impl<'a> Dependent<'a> {
    fn of(symbol: &'a SymbolOp, views: &'a Views) -> Self {
        Self::on(symbol, views, false)
    }

    fn on(symbol: &'a SymbolOp, views: &'a Views, pointers: bool) -> Self {
        let body = &symbol.body;
        let mut found = Dependent { body, views, values: HashSet::new(), in_memory: false, pointers };
        let args = body.entry().map(|entry| body.args(entry)).unwrap_or_default();
        let signature = Signature::of(symbol);
        let moves = |i: usize| {
            let param = signature.as_ref().and_then(|s| s.params.iter().find(|p| p.input == Some(i)));
            param.is_none_or(|p| !pointers && p.differential().is_some() || views.carries(p))
        };
        args.iter().enumerate().filter(|&(i, _)| moves(i)).for_each(|(_, &arg)| {
            found.add(arg);
        });
        let ops = body.walk_all();
        while ops.iter().fold(false, |changed, &op| found.op(op) | changed) {}
        found
    }

    /// Adds a value, if its type carries a derivative, or leads to memory that may; whether it is
    /// new.
    fn add(&mut self, value: ValueId) -> bool {
        let ty = self.body.ty(value);
        let counts = !self.pointers && ad::differential_type(ty).is_some() || holds_handle(ty);
        counts && self.values.insert(value)
    }

    fn reaches(&self, op: OpId) -> bool {
        self.body.operands(op).iter().any(|v| self.values.contains(v))
    }

    /// Follows the values that go into an op; whether that found something new.
    fn op(&mut self, op: OpId) -> bool {
        let body = self.body;
        let data = body.op(op);
        let reads = self.in_memory && data.operands.iter().any(|&v| holds_handle(body.ty(v)));
        let inside = |found: &Self| data.regions.iter().flat_map(|&r| body.walk(r)).any(|inner| found.reaches(inner));
        let mut changed = false;
        if !(self.reaches(op) || reads || inside(self)) {
            // A view can be made of buffers that no argument leads to.
            for &made in data.results.iter().filter(|&&v| self.views.within(body.ty(v))) {
                changed |= self.add(made);
            }
            return changed;
        }
        if data.results.is_empty() && data.regions.is_empty() && !data.def.is_terminator() {
            changed |= !std::mem::replace(&mut self.in_memory, true);
        }
        let blocks = (0..data.regions.len()).filter_map(|k| body.region_block(op, k));
        let args: Vec<ValueId> = blocks.flat_map(|block| body.args(block).to_vec()).collect();
        for value in data.results.iter().copied().chain(args) {
            changed |= self.add(value);
        }
        changed
    }

    /// Whether a call hands such a value to a parameter that is `no_diff`.
    fn is_handed_to_no_diff(&self, call: OpId, callee: &SymbolOp) -> bool {
        let Some(signature) = Signature::of(callee).filter(|_| callee.attr(DIFFERENTIABLE).is_some()) else {
            return false;
        };
        let operands = self.body.operands(call).iter().enumerate();
        let carries = |i: usize| {
            let param = signature.params.iter().find(|p| p.input == Some(i));
            signature.input_differential(i).is_some() || param.is_some_and(|p| self.views.carries(p))
        };
        operands.filter(|(_, v)| self.values.contains(v)).any(|(i, _)| !carries(i))
    }
}
