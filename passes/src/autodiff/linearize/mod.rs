//! Step 2, linearize: turns a function into its forward derivative, in which each active value has
//! a tangent beside it.
//!
//! Input: normalized functions. Output, for an instance: its linearization, which takes the primal
//! inputs, then the tangents of the active ones, and returns the primal results, then the tangents
//! of the active ones (seeds: paper 5.2.1).
//!
//! Invariant after it: every value of type `!ad.tangent` is computed by a linear op, by structured
//! control flow, or by `ad.jvp_call`. Primal code is unchanged, except for small branches on
//! integers (`integers`), and reads no tangent. The tangent code of an op follows the op. A tangent
//! that control flow makes zero stays an exact zero against an infinite partial (`gated`): partials
//! that are selects become selects of tangents, and the facts about where tangents were reached are
//! kept.

mod between;
mod gated;
mod integers;
mod moves;
mod regions;
pub mod step;

use crate::analysis::derivative_links::Forms;
use crate::analysis::stage;
use crate::autodiff::activity::{Activity, Instance};
use crate::autodiff::gates::{Gate, Reached};
use crate::autodiff::mirror;
use crate::autodiff::partials::{self, SingularPoints};
use crate::autodiff::reach::{Reach, flag_types, flags};
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, differential_type, tangent_of, tangent_type};
use caustic_dialects::func;
use caustic_dialects::signature::Signature;
use caustic_ir::{
    AdRule, Attr, BlockId, Body, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueId,
};
use rustc_hash::FxHashMap;

/// What a caller knows of an instance that it calls.
pub struct Callee {
    pub forms: Forms,
    pub results: Vec<bool>,
    /// Whether its backward derivative is a custom one.
    pub given: bool,
    /// Whether it has a keep-alive token.
    pub kept_alive: bool,
    /// Whether its results can change though no argument does.
    pub views: bool,
    /// Whether it leads to a function with a substitute: its own value is then another one than
    /// that which is differentiated.
    pub substituted: bool,
}

/// The form in which an instance is linearized.
pub struct Form<'a> {
    pub reach: &'a Reach,
    /// Whether flags that say which tangents were reached go with the tangents.
    pub gated: bool,
}

/// Makes the linearization of one instance. `callees` contains this instance and those that it
/// calls.
pub fn linearize(
    symbol: &SymbolOp,
    signature: &Signature,
    instance: &Instance,
    activity: &Activity,
    callees: &FxHashMap<Instance, Callee>,
    singular: SingularPoints,
    form: &Form<'_>,
) -> Result<SymbolOp> {
    let src = &symbol.body;
    let Some(Callee { forms, .. }) = callees.get(instance) else {
        return Err(Diagnostic::internal(symbol.loc, format!("@{} has no instance", instance.func)));
    };
    let (Some(entry), Some(end)) = (src.entry(), src.entry().and_then(|e| src.terminator(e))) else {
        return Err(Diagnostic::invalid_ir(symbol.loc, "a function without a return"));
    };
    let (mut inputs, mut results) = (signature.inputs.clone(), signature.results.clone());
    let active = |mask: &[bool]| (0..mask.len()).filter(|&i| mask[i]).collect::<Vec<_>>();
    let moving: Vec<Type> =
        active(&instance.active).into_iter().filter_map(|i| signature.input_differential(i)).collect();
    let moved: Vec<Type> =
        active(&activity.results).into_iter().filter_map(|i| signature.result_differential(i)).collect();
    if form.gated {
        inputs.extend(moving.iter().flat_map(|&d| flag_types(d)));
        results.extend(moved.iter().flat_map(|&d| flag_types(d)));
    }
    let first_tangent = inputs.len();
    inputs.extend(moving.into_iter().map(tangent_type));
    results.extend(moved.into_iter().map(tangent_type));
    let mut out =
        stage::new_func(forms.linearization(form.gated), &inputs, &results, symbol.loc.derived(Name::new("linearize")));
    out.set_attr(stage::STAGE, Attr::string(stage::LINEARIZED));
    out.set_attr(stage::INSTANCE, Attr::symbol(forms.instance));
    out.set_attr(stage::ACTIVE, stage::mask_attr(&instance.active));
    if form.gated {
        out.set_attr(stage::GATED, Attr::unit());
    }

    let mut lin = Linearizer {
        src,
        activity,
        callees,
        singular,
        reach: form.reach,
        primal: Cloner::new(),
        tangents: FxHashMap::default(),
        gates: FxHashMap::default(),
        parts: FxHashMap::default(),
    };
    let Some(block) = out.body.entry() else { return Err(Diagnostic::internal(symbol.loc, "no entry block")) };
    let new_args = out.body.args(block).to_vec();
    let mut next = first_tangent;
    let mut next_flag = signature.inputs.len();
    for (i, &arg) in src.args(entry).iter().enumerate() {
        out.body.set_hint(new_args[i], src.value(arg).hint);
        lin.primal.insert(arg, new_args[i]);
        if instance.active.get(i) == Some(&true) {
            lin.tangents.insert(arg, new_args[next]);
            hint_tangent(&mut out.body, new_args[next], src, arg);
            if form.gated {
                let parts = &new_args[next_flag..][..flags(src, arg).len()];
                next_flag += parts.len();
                let parts: Vec<Reached> = parts.iter().map(|&f| Reached::If(Gate::when(f))).collect();
                lin.set_reached(new_args[next], &parts);
            }
            next += 1;
        }
    }
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    // A value that is `no_diff` in this signature must stay so in derivatives of the derivative,
    // whose signature has no such marks.
    let detached = |b: &mut Builder<'_>, value: ValueId, differential: Option<Type>| {
        let kept = differential.is_some() || differential_type(b.ty(value)).is_none();
        if kept { value } else { ad::Detach::build(b, value, &[]) }
    };
    for (i, &arg) in src.args(entry).iter().enumerate() {
        let value = detached(&mut b, new_args[i], signature.input_differential(i));
        lin.primal.insert(arg, value);
    }
    lin.block(entry, &mut b)?;
    let results = src.operands(end).iter().enumerate();
    let mut returned: Vec<ValueId> =
        results.map(|(i, &v)| detached(&mut b, lin.primal.get(v), signature.result_differential(i))).collect();
    let moved = || src.operands(end).iter().enumerate().filter(|(i, _)| activity.results[*i]).map(|(_, &v)| v);
    for v in moved().filter(|_| form.gated) {
        returned.extend(lin.flags(&mut b, v));
    }
    for v in moved() {
        returned.push(lin.tangent_or_zero(&mut b, v)?);
    }
    b.loc = src.loc(end);
    func::Return::build(&mut b, &returned, &[]);
    Ok(out)
}

fn hint_tangent(body: &mut Body, tangent: ValueId, src: &Body, primal: ValueId) {
    if let Some(hint) = src.value(primal).hint {
        body.set_hint(tangent, Some(Name::new(&format!("{hint}_d"))));
    }
}

struct Linearizer<'a> {
    src: &'a Body,
    activity: &'a Activity,
    callees: &'a FxHashMap<Instance, Callee>,
    singular: SingularPoints,
    reach: &'a Reach,
    primal: Cloner,
    /// The tangents of active values, in the new body. An active value without an entry has a zero
    /// tangent.
    tangents: FxHashMap<ValueId, ValueId>,
    /// The gates of tangents (new values): where a tangent's gate is closed, the tangent is zero.
    gates: FxHashMap<ValueId, Gate>,
    /// Likewise for tangents of structs, by part.
    parts: FxHashMap<ValueId, Vec<Reached>>,
}

impl Linearizer<'_> {
    /// Copies the ops of a block, except for its terminator, with their tangents.
    fn block(&mut self, block: BlockId, b: &mut Builder<'_>) -> Result<()> {
        for op in self.src.block_ops(block) {
            if self.src.op(op).def.is_terminator() {
                break;
            }
            self.op(op, b)?;
        }
        Ok(())
    }

    fn tangent_or_zero(&mut self, b: &mut Builder<'_>, value: ValueId) -> Result<ValueId> {
        if let Some(&t) = self.tangents.get(&value) {
            return Ok(t);
        }
        self.zero_tangent(b, value)
    }

    fn zero_tangent(&self, b: &mut Builder<'_>, value: ValueId) -> Result<ValueId> {
        let ty = tangent_of(self.src.ty(value))
            .ok_or_else(|| Diagnostic::internal(b.loc, format!("{} has no tangent", self.src.ty(value))))?;
        Ok(ad::TZero::build(b, ty, &[]))
    }

    fn op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let data = self.src.op(op);
        let derived = data.loc.derived(Name::new("linearize"));
        b.loc = data.loc;
        let any_active = data.results.iter().any(|&r| self.activity.is_active(r));
        if !any_active {
            match integers::is_flat(self.src, op) {
                true => integers::flatten(self.src, op, &mut self.primal, b),
                false => {
                    self.primal.clone_op(self.src, op, b);
                }
            }
            return Ok(());
        }
        if let Some(instance) = self.activity.calls.get(&op) {
            b.loc = derived;
            return self.call(op, &instance.clone(), b);
        }
        if !data.regions.is_empty() {
            return self.region_op(op, b);
        }
        self.primal.clone_op(self.src, op, b);
        b.loc = derived;
        let result = data.results[0];
        let tangent = match data.def.ad {
            AdRule::Partials(texts) => match between::Between::of(self.src, op) {
                Some(found) => self.between(op, &found, b)?,
                None => self.partials(op, texts, b)?,
            },
            AdRule::Mirror(kind) => {
                let (tangents, primal) = (&self.tangents, &self.primal);
                let t = mirror::build(self.src, op, kind, b, &mut |_, v| tangents.get(&v).copied(), &|v| primal.get(v));
                if let Some(t) = t {
                    self.moved_gate(b, op, kind, t);
                }
                t
            }
            _ => {
                let text = format!("{} has no differentiation rule but carries a derivative", data.def.name);
                return Err(Diagnostic::internal(data.loc, text));
            }
        };
        if let Some(t) = tangent {
            hint_tangent(b.body, t, self.src, result);
            self.tangents.insert(result, t);
        }
        Ok(())
    }

    /// Σ partial_i · tangent_i.
    fn partials(&mut self, op: OpId, texts: &'static [&'static str], b: &mut Builder<'_>) -> Result<Option<ValueId>> {
        let data = self.src.op(op);
        let result = self.primal.get(data.results[0]);
        let ty = b.ty(result);
        let operands: Vec<ValueId> = data.operands.iter().map(|&v| self.primal.get(v)).collect();
        let mut sum: Option<ValueId> = None;
        let broken = |e: &str| Diagnostic::internal(data.loc, format!("the partials of {}: {e}", data.def.name));
        let exprs = partials::of_row(texts).as_ref().map_err(|e| broken(e))?;
        let exprs = partials::as_made(data.def, exprs);
        for (&operand, expr) in data.operands.iter().zip(&*exprs) {
            let Some(&t) = self.tangents.get(&operand) else { continue };
            let lookup = |name: &str| {
                let at = data.def.operands.iter().position(|o| o.name == name);
                at.map(|k| operands[k]).or((name == "result").then_some(result))
            };
            let known = |name: &str| partials::known(self.src, op, name);
            let finite = |name: &str| partials::is_finite(self.src, op, name);
            let row = gated::Row { ty, singular: self.singular, lookup: &lookup, known: &known, finite: &finite };
            let found = self.term(b, expr, t, &row).map_err(|e| broken(&e))?;
            let Some(term) = found else { continue };
            sum = Some(self.sum_with(b, sum, term));
        }
        Ok(sum)
    }

    /// Adds a term to the sum of the terms so far.
    #[mutant(Site::LinearizeSum with sum = None)]
    fn sum_with(&mut self, b: &mut Builder<'_>, sum: Option<ValueId>, term: ValueId) -> ValueId {
        let Some(sum) = sum else { return term };
        let open = self.gates.get(&sum).copied().zip(self.gates.get(&term).copied());
        let open = open.and_then(|(g, h)| {
            let (g, h) = gated::alike(b, g, h);
            g.or(b, h)
        });
        let both = ad::TAdd::build(b, sum, term, &[]);
        self.gates.extend(open.map(|g| (both, g)));
        both
    }

    /// The tangent that is passed to a call.
    #[mutant(Site::LinearizeCallTangent => self.zero_tangent(b, value))]
    fn passed_tangent(&mut self, b: &mut Builder<'_>, value: ValueId) -> Result<ValueId> {
        self.tangent_or_zero(b, value)
    }

    fn call(&mut self, op: OpId, instance: &Instance, b: &mut Builder<'_>) -> Result<()> {
        let data = self.src.op(op);
        let Some(Callee { forms, results: active_results, given, kept_alive, views, substituted }) =
            self.callees.get(instance)
        else {
            return Err(Diagnostic::internal(data.loc, format!("no linearization of @{}", instance.func)));
        };
        let mut operands: Vec<ValueId> = data.operands.iter().map(|&v| self.primal.get(v)).collect();
        let gated = self.reach.is_gated(op);
        let moving = data.operands.iter().zip(&instance.active).filter(|(_, active)| **active).map(|(&v, _)| v);
        for v in moving.filter(|_| gated) {
            let flags = self.flags(b, v);
            operands.extend(flags);
        }
        for (i, &v) in data.operands.iter().enumerate() {
            if instance.active[i] {
                operands.push(self.passed_tangent(b, v)?);
            }
        }
        let mut types: Vec<Type> = data.results.iter().map(|&r| self.src.ty(r)).collect();
        let moved = || data.results.iter().zip(active_results).filter(|(_, a)| **a).map(|(&r, _)| r);
        for r in moved().filter(|_| gated) {
            types.extend(flags(self.src, r));
        }
        let first_tangent = types.len();
        types.extend(moved().filter_map(|r| tangent_of(self.src.ty(r))));
        let attrs = [
            ("callee", Attr::symbol(forms.instance)),
            ("active", stage::mask_attr(&instance.active)),
            ("active_results", stage::mask_attr(active_results)),
        ];
        let new = ad::JvpCall::build(b, &operands, &types, &attrs);
        if !*substituted {
            b.body.set_attr(new, stage::PLAIN_CALLEE, Attr::symbol(instance.func));
        }
        if *given {
            b.body.set_attr(new, stage::HANDED, Attr::unit());
        }
        if *kept_alive {
            b.body.set_attr(new, stage::KEPT_ALIVE, Attr::unit());
        }
        if gated {
            b.body.set_attr(new, stage::GATED, Attr::unit());
        } else if self.reach.is_apart(op) {
            b.body.set_attr(new, stage::APART, Attr::unit());
        }
        let gate = if *views { None } else { self.call_gate(b, op, instance) };
        let (mut next, mut next_flag) = (first_tangent, data.results.len());
        for (i, &r) in data.results.iter().enumerate() {
            let value = b.body.result(new, i);
            b.body.set_hint(value, self.src.value(r).hint);
            self.primal.insert(r, value);
            if active_results[i] {
                let mut t = b.body.result(new, next);
                next += 1;
                if let Some(g) = gate {
                    if self.reach.is_held(op) {
                        t = self.held(b, g, t);
                    }
                    self.gates.insert(t, g);
                }
                if gated {
                    let count = flags(self.src, r).len();
                    let parts = (next_flag..next_flag + count).map(|k| Gate::when(b.body.result(new, k)));
                    let parts: Vec<Reached> = parts.map(Reached::If).collect();
                    next_flag += count;
                    self.set_reached(t, &parts);
                }
                if self.activity.is_active(r) {
                    hint_tangent(b.body, t, self.src, r);
                    self.tangents.insert(r, t);
                }
            }
        }
        Ok(())
    }
}
