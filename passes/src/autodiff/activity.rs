//! Activity: which values carry a derivative, forward from the active inputs of a function, through
//! calls.
//!
//! A value is active if its type has a differential and it depends on an active input through ops
//! that pass derivatives on. The result is part of an instance: (function, active inputs, results
//! that the caller uses). A result that nobody uses has no derivative, so what only it needs cannot
//! disturb the others (a NaN times a zero that is computed is a NaN). What is active but not needed
//! otherwise is removed later as dead code.

use super::custom;
use super::mirror;
use super::partials;
use crate::analysis::custom_derivatives;
pub use crate::analysis::derivative_links::Instance;
use crate::analysis::effects::{Effect, Summary};
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::differential_type;
use caustic_dialects::signature::{DIFFERENTIABLE, Signature};
use caustic_dialects::{func, scf};
use caustic_ir::codes;
use caustic_ir::{AdRule, Body, Diagnostic, Loc, Module, Name, OpId, Result, SymbolOp, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is active in one instance.
pub struct Activity {
    /// By value id of the function's body.
    values: Vec<bool>,
    pub results: Vec<bool>,
    /// For each active call: the instance it calls.
    pub calls: FxHashMap<OpId, Instance>,
    /// Why no derivative can be made from the code, for a function with a custom derivative in one
    /// of the modes.
    pub broken: Option<Diagnostic>,
}

impl Activity {
    pub fn is_active(&self, value: ValueId) -> bool {
        self.values.get(value.index()).copied().unwrap_or(false)
    }

    /// Makes a value active, if its type has a differential; whether it was not before.
    fn mark(&mut self, body: &Body, value: ValueId) -> bool {
        let new = differential_type(body.ty(value)).is_some() && !self.values[value.index()];
        self.values[value.index()] |= new;
        new
    }
}

/// Activity of all instances asked for, computed once each.
pub struct Activities<'m> {
    module: &'m Module,
    done: FxHashMap<Instance, Rc<Activity>>,
    running: Vec<Instance>,
    /// Functions that lead to one with a custom derivative: what they return can carry a derivative
    /// that came in by no argument.
    sources: FxHashSet<Name>,
    /// What functions do to memory, once it is asked for.
    memory: Option<Summary>,
}

impl<'m> Activities<'m> {
    pub fn new(module: &'m Module) -> Self {
        let mut sources = custom_derivatives::sources(module);
        sources.extend(custom_derivatives::leading_to(module, custom_derivatives::hidden_reads(module), |_| true));
        Activities { module, done: FxHashMap::default(), running: Vec::new(), sources, memory: None }
    }

    /// The functions whose results can change though no argument does, since a custom derivative
    /// that they lead to reads memory: views of buffers.
    pub fn views(&self) -> FxHashSet<Name> {
        let mut views = custom_derivatives::hidden_reads(self.module);
        let given: Vec<&SymbolOp> = self.module.symbols().iter().filter(|s| custom_derivatives::any(s)).collect();
        if !given.is_empty() {
            let memory = Summary::of(self.module);
            let reads = |mode: &str, s: &SymbolOp| {
                custom_derivatives::derivative(s, mode).is_some_and(|d| memory.function(d) > Effect::Pure)
            };
            let views_of = |s: &&&SymbolOp| reads(stage::FORWARD, s) || reads(stage::REVERSE, s);
            views.extend(given.iter().filter(views_of).map(|s| s.name));
        }
        custom_derivatives::leading_to(self.module, views, |_| true)
    }

    pub fn get(&mut self, instance: &Instance) -> Result<Rc<Activity>> {
        if let Some(found) = self.done.get(instance) {
            return Ok(found.clone());
        }
        let symbol = self.module.get(instance.func);
        let Some((symbol, signature)) = symbol.and_then(|s| Some((s, Signature::of(s)?))) else {
            let text = format!("the function @{} is not defined here", instance.func);
            return Err(Diagnostic::internal(caustic_ir::Loc::unknown(), text));
        };
        if self.running.iter().any(|i| i.func == instance.func) {
            let text = format!("cannot differentiate the recursive function '{}'", instance.func);
            return Err(Diagnostic::error(codes::E0601, symbol.loc, text)
                .with_label("calls itself, directly or through others")
                .with_note(
                    "write the recursion as a loop, or mark the call `no_diff` if no derivative should flow through it",
                ));
        }
        let given = custom_derivatives::any(symbol);
        let nothing =
            || Activity { values: Vec::new(), results: Vec::new(), calls: FxHashMap::default(), broken: None };
        let mut activity = if given && custom_derivatives::replaces_code(symbol) {
            nothing()
        } else {
            self.running.push(instance.clone());
            let result = self.analyze(symbol, &signature, instance);
            self.running.pop();
            match result {
                Ok(activity) => activity,
                Err(e) if given => Activity { broken: Some(e), ..nothing() },
                Err(e) => return Err(e),
            }
        };
        if given {
            // Both modes agree on what has a derivative.
            let results = 0..signature.results.len();
            activity.results = results
                .map(|i| instance.wanted.get(i) != Some(&false) && signature.result_differential(i).is_some())
                .collect();
        }
        let activity = Rc::new(activity);
        self.done.insert(instance.clone(), activity.clone());
        Ok(activity)
    }

    fn analyze(&mut self, symbol: &SymbolOp, signature: &Signature, instance: &Instance) -> Result<Activity> {
        let body = &symbol.body;
        let mut activity = Activity {
            values: vec![false; body.num_values()],
            results: vec![],
            calls: FxHashMap::default(),
            broken: None,
        };
        let Some(entry) = body.entry() else {
            return Err(Diagnostic::error(
                codes::E0602,
                symbol.loc,
                format!("'{}' has no body to differentiate", symbol.name),
            ));
        };
        for (i, &arg) in body.args(entry).iter().enumerate() {
            activity.values[arg.index()] =
                instance.active.get(i).copied().unwrap_or(false) && !custom_derivatives::is_zero(symbol);
        }
        let ops = body.walk_all();
        self.settle(body, &ops, &mut activity)?;
        let Some(end) = body.terminator(entry) else {
            return Err(Diagnostic::invalid_ir(symbol.loc, "a function without a return"));
        };
        activity.results = body
            .operands(end)
            .iter()
            .enumerate()
            .map(|(i, &v)| {
                activity.is_active(v)
                    && instance.wanted.get(i) != Some(&false)
                    && signature.result_differential(i).is_some()
            })
            .collect();
        Ok(activity)
    }

    /// Whether a custom derivative reads from memory what it gives: that may be what is
    /// differentiated, as where the function was a view of a buffer.
    fn reads_what_may_be_active(&mut self, body: &Body, op: OpId, callee: &SymbolOp) -> bool {
        custom_derivatives::gives_differentiable(body, op)
            && self.memory.get_or_insert_with(|| Summary::of(self.module)).function(callee.name) > Effect::Pure
    }

    /// Loops carry activity backwards over their back edge: repeats until nothing changes. Each
    /// round adds a value or is the last.
    #[mutant(Site::ActivityOneRound => self.round(body, ops, activity).map(drop))]
    fn settle(&mut self, body: &Body, ops: &[OpId], activity: &mut Activity) -> Result<()> {
        while self.round(body, ops, activity)? {}
        Ok(())
    }

    /// Visits all ops once; whether anything is new.
    fn round(&mut self, body: &Body, ops: &[OpId], activity: &mut Activity) -> Result<bool> {
        let mut changed = false;
        for &op in ops {
            changed |= self.visit(body, op, activity)?;
        }
        Ok(changed)
    }

    /// Marks what becomes active by one op; whether that is anything new.
    fn visit(&mut self, body: &Body, op: OpId, activity: &mut Activity) -> Result<bool> {
        let data = body.op(op);
        let result = |activity: &mut Activity| activity.mark(body, data.results[0]);
        let any_operand = |activity: &Activity| data.operands.iter().any(|&v| activity.is_active(v));
        match data.def.ad {
            AdRule::Inactive | AdRule::Orders => Ok(false),
            AdRule::Partials(texts) => {
                let flows = match partials::of_row(texts) {
                    Ok(exprs) => {
                        let mut pairs = data.operands.iter().zip(exprs);
                        pairs.any(|(&v, partial)| activity.is_active(v) && partial.as_number() != Some(0.0))
                    }
                    // What is wrong with the row is reported when its derivative is made.
                    Err(_) => any_operand(activity),
                };
                Ok(flows && result(activity))
            }
            AdRule::Mirror(kind) => {
                if !mirror::is_active(body, op, kind, &|v| activity.is_active(v)) {
                    return Ok(false);
                }
                match mirror::refused(body, op, kind) {
                    Some(why) => Err(refused(body, op, why)),
                    None => Ok(result(activity)),
                }
            }
            AdRule::Refuse(why) if any_operand(activity) => Err(refused(body, op, why)),
            AdRule::Refuse(_) => Ok(false),
            AdRule::Custom if body.is(op, func::Call::DEF) => self.visit_call(body, op, activity),
            AdRule::Custom if body.is(op, scf::For::DEF) => Ok(visit_loop(body, op, (3, 1), activity)),
            AdRule::Custom if body.is(op, scf::While::DEF) => Ok(visit_loop(body, op, (0, 0), activity)),
            AdRule::Custom | AdRule::Linear(_) => Ok(visit_branch(body, op, activity)),
        }
    }

    /// Results of a call are active as its callee says of the instance that is called.
    fn visit_call(&mut self, body: &Body, op: OpId, activity: &mut Activity) -> Result<bool> {
        let data = body.op(op);
        if func::Call(op).no_diff(body) {
            return Ok(false);
        }
        let callee = body.callee(op).and_then(|n| self.module.get(n));
        let differentiable = |c: &&SymbolOp| c.attr(DIFFERENTIABLE).is_some() && !custom_derivatives::is_zero(c);
        let Some(callee) = callee.filter(differentiable) else {
            let active = data.operands.iter().any(|&v| activity.is_active(v));
            return match callee.filter(|_| body.attr(op, custom_derivatives::CUSTOM_CALL).is_some()) {
                Some(callee) if active || self.reads_what_may_be_active(body, op, callee) => Err(underived(callee)),
                _ => Ok(false),
            };
        };
        let callee = custom_derivatives::differentiated(self.module, callee);
        let Some(signature) = Signature::of(callee) else { return Ok(false) };
        let operands = data.operands.iter().enumerate();
        let is_active = |(i, &v)| activity.is_active(v) && signature.input_differential(i).is_some();
        let active: Vec<bool> = operands.map(is_active).collect();
        if !active.contains(&true) && !self.sources.contains(&callee.name) {
            return Ok(false);
        }
        let instance = Instance { func: callee.name, active, wanted: wanted_results(body, op, &signature) };
        let inner = self.get(&instance)?;
        if inner.results.contains(&true) {
            activity.calls.insert(op, instance);
        }
        let mut changed = false;
        for (i, &r) in data.results.iter().enumerate() {
            if is_active_result(&inner, i) {
                changed |= activity.mark(body, r);
            }
        }
        Ok(changed)
    }
}

/// The results of a call that its function uses. Those without a differential count as used, so
/// that they make no two instances of one.
fn wanted_results(body: &Body, op: OpId, signature: &Signature) -> Vec<bool> {
    let results = body.results(op);
    (0..results.len()).map(|i| is_used(body, results, i) || signature.result_differential(i).is_none()).collect()
}

#[mutant(Site::ActivityUnwanted if results[i + 1..].iter().all(|&r| body.is_unused(r)) => false)]
fn is_used(body: &Body, results: &[ValueId], i: usize) -> bool {
    !body.is_unused(results[i])
}

/// Whether a result of a function has a derivative.
#[mutant(Site::ActivityCallResult if result == 0 => false)]
fn is_active_result(callee: &Activity, result: usize) -> bool {
    callee.results.get(result) == Some(&true)
}

/// What a loop carries is active as a whole: if it starts so, or if an iteration passes it on so.
/// `carried` says from which operand and from which argument of its blocks on that is.
fn visit_loop(body: &Body, op: OpId, carried: (usize, usize), activity: &mut Activity) -> bool {
    let (first_operand, first_arg) = carried;
    let data = body.op(op);
    let blocks: Vec<_> = (0..data.regions.len()).filter_map(|k| body.region_block(op, k)).collect();
    let last = data.regions.len().checked_sub(1).and_then(|k| body.region_block(op, k));
    let end = last.and_then(|block| body.terminator(block));
    let mut changed = false;
    for (i, &r) in data.results.iter().enumerate() {
        let args = blocks.iter().filter_map(|&block| body.args(block).get(i + first_arg).copied());
        let args: Vec<ValueId> = args.collect();
        let yielded = end.and_then(|t| body.operands(t).get(i).copied());
        let init = data.operands.get(first_operand + i).copied();
        let passed_on: Vec<ValueId> = yielded.into_iter().chain(args.iter().copied()).collect();
        if is_carried(activity, init, &passed_on) {
            changed |= activity.mark(body, r);
            for a in args {
                changed |= activity.mark(body, a);
            }
        }
    }
    changed
}

/// Whether a loop that starts with `init` carries something active.
#[mutant(Site::ActivityInit with passed_on = &passed_on[..0])]
fn is_carried(activity: &Activity, init: Option<ValueId>, passed_on: &[ValueId]) -> bool {
    init.iter().chain(passed_on).any(|&v| activity.is_active(v))
}

/// What any branch yields as active is.
fn visit_branch(body: &Body, op: OpId, activity: &mut Activity) -> bool {
    let data = body.op(op);
    let mut changed = false;
    for k in 0..data.regions.len() {
        let Some(end) = body.region_block(op, k).and_then(|block| body.terminator(block)) else { continue };
        for (&r, &yielded) in data.results.iter().zip(body.operands(end)) {
            if activity.is_active(yielded) {
                changed |= activity.mark(body, r);
            }
        }
    }
    changed
}

/// An op through which a derivative would flow, and cannot.
fn refused(body: &Body, op: OpId, why: &str) -> Diagnostic {
    let data = body.op(op);
    Diagnostic::error(codes::E0603, data.loc, format!("cannot differentiate through {}", data.def.name))
        .with_label("a derivative would flow through this")
        .with_note(why)
}

/// A custom derivative has to be differentiated and cannot be.
fn underived(callee: &SymbolOp) -> Diagnostic {
    let given = callee.attr(custom::transposed::TRANSPOSE_OF).and_then(|a| a.as_symbol()).unwrap_or(callee.name);
    let text = format!("a derivative of the derivative '{}' is needed, and it is not differentiable", given);
    Diagnostic::error(codes::E0607, callee.loc, text)
        .with_label("given as a derivative")
        .with_note("mark it `[Differentiable]`, or give it derivatives of its own; of the library's views `SecondOrderDiffBuffer` has them")
}

/// Says of an error about a custom derivative, which may stand in the library, which derivative
/// leads to it.
pub fn asked_at(error: Diagnostic, asked: Loc) -> Diagnostic {
    if error.code == codes::E0607 && error.labels.is_empty() {
        error.with_label_at(asked, "for this derivative")
    } else {
        error
    }
}
