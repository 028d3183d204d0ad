//! Derivative operators: a level is opened, the function runs, and the derivative is read from what
//! the level has recorded.
//!
//! Forward mode gives each parameter its tangent and reads those of the results. Reverse mode gives
//! each parameter nodes on a tape, runs the function, and goes through the tape backwards. A custom
//! derivative is called with the numbers below the innermost level, because it is the derivative
//! for that level; lower levels differentiate its code.

use super::eval::{Called, Judge, Signature};
use super::number::{Level, Mode, Node, Num, Tape};
use super::value::{Value, differential, differential_of, unknown, with_differential, zero};
use super::{Judged, Unjudged};
use caustic_dialects::signature::{
    BACKWARD_DERIVATIVE, CUSTOM, DIFFERENTIABLE, Direction, FORWARD_DERIVATIVE, PRIMAL_SUBSTITUTE,
};
use caustic_ir::{FloatKind, Name, SymbolOp, Type};
use std::rc::Rc;

/// The deepest nesting of derivative operators. Each one doubles the cost of an operation.
const NESTED: usize = 12;

/// A call of a function with a custom derivative, on a tape.
pub struct GivenCall {
    backward: Name,
    /// The parameters of that function.
    params: Vec<(Direction, Option<Type>)>,
    /// The inputs, as lower levels see them.
    args: Vec<Value>,
    /// The inputs with the tape nodes that they came from.
    sources: Vec<Value>,
    /// The result with nodes of its own; `None` if it has no derivative.
    result: Option<(Type, Value)>,
    outs: Vec<Option<(Type, Value)>>,
}

/// Whether a parameter or a result with this type and mark has a derivative.
fn active(ty: Type, no_diff: bool) -> Judged<bool> {
    Ok(!no_diff && differential(ty)?.is_some())
}

impl<'m> Judge<'m> {
    /// Calls a derivative function.
    pub(super) fn derivative(&mut self, symbol: &'m SymbolOp, args: Vec<Value>) -> Judged<Called> {
        let of = symbol.attr("of").and_then(|a| a.as_symbol()).and_then(|n| self.module.get(n));
        let Some(of) = of else { return unknown("the derivative of nothing") };
        if symbol.attr("wrt").is_some() {
            return unknown("a derivative by some of the inputs");
        }
        match symbol.attr("mode").and_then(|a| a.as_str()) {
            Some("fwd") => self.differentiated(of, Mode::Forward, args),
            Some("bwd") => self.differentiated(of, Mode::Reverse, args),
            _ => unknown("a derivative in no mode"),
        }
    }

    /// Calls the derivative of a function with the arguments of its derivative function. Returns
    /// the result, followed by the values that are written to the parameters.
    pub fn derivative_of(&mut self, name: Name, mode: Mode, args: Vec<Value>) -> Judged<Vec<Value>> {
        let Some(of) = self.module.get(name) else { return unknown(format!("no function @{name}")) };
        self.prepare()?;
        let called = self.differentiated(of, mode, args)?;
        Ok(called.result.into_iter().chain(called.outs).collect())
    }

    fn differentiated(&mut self, of: &'m SymbolOp, mode: Mode, args: Vec<Value>) -> Judged<Called> {
        if self.nested >= NESTED {
            return unknown("derivatives are nested too deep");
        }
        self.nested += 1;
        let called = self.differentiated_here(of, mode, args);
        self.nested -= 1;
        called
    }

    fn differentiated_here(&mut self, of: &'m SymbolOp, mode: Mode, args: Vec<Value>) -> Judged<Called> {
        let signature = Signature::of(of)?;
        let mut args = args.into_iter();
        let mut next = || args.next().ok_or_else(|| Unjudged::Unknown("a derivative lacks an argument".into()));
        if mode == Mode::Reverse {
            return self.backward(of, &signature, next);
        }
        let inputs = signature.params.iter().map(|_| next()).collect::<Judged<Vec<_>>>()?;
        let level = self.levels.open(Mode::Forward);
        let called = self.forward(of, &signature, inputs, level);
        self.levels.close();
        called
    }

    fn forward(&mut self, of: &SymbolOp, s: &Signature, inputs: Vec<Value>, level: Level) -> Judged<Called> {
        let mut args = Vec::new();
        for (p, input) in s.params.iter().zip(inputs) {
            args.push(match (p.dir, active(p.ty, p.no_diff)?) {
                (Direction::Out, _) => zero(p.ty)?,
                (_, false) => input,
                (_, true) => self.seeded(p.ty, &input, level)?,
            });
        }
        let called = self.call(of.name, args)?;
        let mut outs = Vec::new();
        for (p, out) in s.params.iter().filter(|p| p.dir != Direction::In).zip(&called.outs) {
            outs.push(self.taken_apart(p.ty, p.no_diff, out, level)?);
        }
        let result = match (s.result, &called.result) {
            (Some(ty), Some(value)) => Some(self.taken_apart(ty, s.no_diff_result, value, level)?),
            _ => None,
        };
        Ok(Called { result, outs })
    }

    /// The value of a pair, with its differential as tangents of the level.
    fn seeded(&mut self, ty: Type, pair: &Value, level: Level) -> Judged<Value> {
        let [p, d] = pair.parts()? else { return unknown("no pair") };
        let levels = &self.levels;
        with_differential(ty, p, Some(d), &mut |x, t, _| match t {
            Some(t) => levels.with_tangent(level, x.clone(), t.clone()),
            None => x.clone(),
        })
    }

    /// A value as lower levels see it.
    fn below(&self, value: &Value, level: Level) -> Value {
        value.map(&mut |x| self.levels.split(x, level).0)
    }

    /// The pair of a value and its tangents; the value alone, if it has no derivative.
    fn taken_apart(&self, ty: Type, no_diff: bool, value: &Value, level: Level) -> Judged<Value> {
        let primal = self.below(value, level);
        if !active(ty, no_diff)? {
            return Ok(primal);
        }
        let d = differential_of(ty, value, &mut |x| self.levels.tangent(x, level))?;
        Ok(Value::agg(vec![primal, d]))
    }

    /// The value with a new tape node for every number that has a derivative.
    fn variables(&mut self, ty: Type, value: &Value, level: Level) -> Judged<Value> {
        let levels = &mut self.levels;
        with_differential(ty, value, None, &mut |x, _, kind| {
            levels.kind = kind;
            levels.with_node(level, x.clone(), Node::Input)
        })
    }

    fn backward(&mut self, of: &'m SymbolOp, s: &Signature, mut next: impl FnMut() -> Judged<Value>) -> Judged<Called> {
        let level = self.levels.open(Mode::Reverse);
        let run = self.recorded(of, s, &mut next, level);
        let tape = self.levels.close();
        let run = run?;
        let adjoints = self.pulled_back(&tape, run.cotangents, level)?;
        let mut outs = Vec::new();
        for (ty, primal, variables) in run.inputs {
            let d = differential_of(ty, &variables, &mut |x| match self.levels.node(x, level) {
                Some(n) => adjoints[n].clone(),
                None => Num::exact(0.0),
            })?;
            outs.push(Value::agg(vec![primal, d]));
        }
        Ok(Called { result: None, outs })
    }

    /// Runs a function while the level's tape records it.
    fn recorded(
        &mut self,
        of: &SymbolOp,
        s: &Signature,
        next: &mut impl FnMut() -> Judged<Value>,
        level: Level,
    ) -> Judged<Recorded> {
        let mut run = Recorded { inputs: Vec::new(), cotangents: Vec::new() };
        let mut args = Vec::new();
        // The cotangents of the function's outputs, in the order of the parameters.
        let mut weights = Vec::new();
        for p in &s.params {
            let is_active = active(p.ty, p.no_diff)?;
            args.push(match (p.dir, is_active) {
                (Direction::Out, _) => zero(p.ty)?,
                (_, false) => next()?,
                (dir, true) => {
                    let pair = next()?;
                    let [primal, d] = pair.parts()? else { return unknown("no pair") };
                    if dir == Direction::InOut {
                        weights.push(Some(d.clone()));
                    }
                    let variables = self.variables(p.ty, primal, level)?;
                    run.inputs.push((p.ty, primal.clone(), variables.clone()));
                    variables
                }
            });
            match (p.dir, is_active) {
                (Direction::Out, true) => weights.push(Some(next()?)),
                (Direction::Out | Direction::InOut, false) => weights.push(None),
                _ => {}
            }
        }
        let result_type = match s.result {
            Some(ty) if active(ty, s.no_diff_result)? => Some((ty, next()?)),
            _ => None,
        };
        let called = self.call(of.name, args)?;
        let outs = s.params.iter().filter(|p| p.dir != Direction::In).map(|p| p.ty);
        for ((ty, value), weight) in outs.zip(&called.outs).zip(weights) {
            if let Some(weight) = weight {
                self.weighted(ty, value, &weight, level, &mut run.cotangents)?;
            }
        }
        if let (Some((ty, weight)), Some(value)) = (result_type, &called.result) {
            self.weighted(ty, value, &weight, level, &mut run.cotangents)?;
        }
        Ok(run)
    }

    /// Adds the tape nodes of a value's numbers, with their cotangents.
    fn weighted(
        &self,
        ty: Type,
        value: &Value,
        weight: &Value,
        level: Level,
        to: &mut Vec<(usize, Num)>,
    ) -> Judged<()> {
        with_differential(ty, value, Some(weight), &mut |x, w, _| {
            to.extend(self.levels.node(x, level).zip(w.cloned()));
            x.clone()
        })?;
        Ok(())
    }

    /// The derivatives with respect to every node of a tape, given the cotangents of its last
    /// nodes.
    fn pulled_back(
        &mut self,
        tape: &Tape<Rc<GivenCall>>,
        cotangents: Vec<(usize, Num)>,
        level: Level,
    ) -> Judged<Vec<Num>> {
        let mut adjoints = vec![Num::exact(0.0); tape.0.len()];
        for (n, weight) in cotangents {
            self.accumulate(&mut adjoints, tape, n, &weight, tape.0[n].1);
        }
        for at in (0..tape.0.len()).rev() {
            match &tape.0[at].0 {
                Node::Input => {}
                Node::Op(sources) => {
                    let adjoint = adjoints[at].clone();
                    for (source, partial) in sources {
                        self.levels.kind = tape.0[at].1;
                        let term = self.levels.scale(partial, &adjoint);
                        self.accumulate(&mut adjoints, tape, *source, &term, tape.0[at].1);
                    }
                }
                Node::Call(call) => {
                    for (source, term) in self.given_back(call, &adjoints, level)? {
                        self.accumulate(&mut adjoints, tape, source, &term, tape.0[source].1);
                    }
                }
            }
        }
        Ok(adjoints)
    }

    /// Adds a term to the adjoint of a node. The term has type `from` if it comes back through a
    /// conversion.
    fn accumulate(&mut self, adjoints: &mut [Num], tape: &Tape<Rc<GivenCall>>, n: usize, term: &Num, from: FloatKind) {
        self.levels.kind = tape.0[n].1;
        // A cotangent has the type of the value that it belongs to.
        let term = self.levels.carried(term, from);
        adjoints[n] = self.levels.add(&adjoints[n], &term);
    }

    /// Calls the custom derivative of a function for the mode of the innermost level; `None` if the
    /// function's own code is differentiated.
    pub(super) fn given(&mut self, symbol: &'m SymbolOp, args: &[Value]) -> Judged<Option<Called>> {
        let named = |attr: &str| symbol.attr(attr).and_then(|a| a.as_symbol());
        let (forward, backward) = (named(FORWARD_DERIVATIVE), named(BACKWARD_DERIVATIVE));
        let Some(&(level, mode)) = self.levels.active.last() else { return Ok(None) };
        let only_given = symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some(CUSTOM);
        let signature = Signature::of(symbol)?;
        match (mode, forward, backward) {
            (Mode::Forward, Some(f), _) => self.given_forward(f, &signature, args, level).map(Some),
            (Mode::Reverse, _, Some(b)) => self.given_backward(symbol, b, &signature, args, level).map(Some),
            (Mode::Forward, None, Some(_)) | (Mode::Reverse, Some(_), None) if only_given => {
                unknown("a derivative in a mode in which none is given")
            }
            _ => match named(PRIMAL_SUBSTITUTE) {
                Some(substitute) => self.call(substitute, args.to_vec()).map(Some),
                None => Ok(None),
            },
        }
    }

    /// Runs `work` below the innermost level.
    fn beneath<T>(&mut self, work: impl FnOnce(&mut Self) -> Judged<T>) -> Judged<T> {
        let innermost = self.levels.active.pop();
        let outcome = work(self);
        self.levels.active.extend(innermost);
        outcome
    }

    fn given_forward(&mut self, f: Name, s: &Signature, args: &[Value], level: Level) -> Judged<Called> {
        let mut inputs = Vec::new();
        for (p, arg) in s.params.iter().zip(args) {
            inputs.push(match (p.dir, active(p.ty, p.no_diff)?) {
                (Direction::Out, true) => {
                    let Some(d) = differential(p.ty)? else { return unknown("no differential") };
                    Value::agg(vec![zero(p.ty)?, zero(d)?])
                }
                _ => self.taken_apart(p.ty, p.no_diff, arg, level)?,
            });
        }
        let called = self.beneath(|judge| judge.call(f, inputs))?;
        let mut again = |ty: Type, no_diff: bool, value: &Value| match active(ty, no_diff)? {
            true => self.seeded(ty, value, level),
            false => Ok(value.clone()),
        };
        let mut outs = Vec::new();
        for (p, out) in s.params.iter().filter(|p| p.dir != Direction::In).zip(&called.outs) {
            outs.push(again(p.ty, p.no_diff, out)?);
        }
        let result = match (s.result, &called.result) {
            (Some(ty), Some(value)) => Some(again(ty, s.no_diff_result, value)?),
            _ => None,
        };
        Ok(Called { result, outs })
    }

    /// Runs the function itself for its values, and records the call on the tape.
    fn given_backward(
        &mut self,
        symbol: &SymbolOp,
        backward: Name,
        s: &Signature,
        args: &[Value],
        level: Level,
    ) -> Judged<Called> {
        let below: Vec<Value> = args.iter().map(|a| self.below(a, level)).collect();
        let mut called = self.beneath(|judge| judge.call(symbol.name, below.clone()))?;
        let mut params = Vec::new();
        for p in &s.params {
            params.push((p.dir, active(p.ty, p.no_diff)?.then_some(p.ty)));
        }
        // The record stands before the nodes of the function's outputs. They are not known yet, so
        // it is replaced when they are.
        let at = self.levels.record(level, Rc::new(GivenCall::empty(backward)));
        let mut outs = Vec::new();
        for (out, p) in called.outs.iter_mut().zip(s.params.iter().filter(|p| p.dir != Direction::In)) {
            outs.push(if active(p.ty, p.no_diff)? {
                *out = self.variables(p.ty, out, level)?;
                Some((p.ty, out.clone()))
            } else {
                None
            });
        }
        let mut result = None;
        if let (Some(ty), Some(value)) = (s.result, &mut called.result)
            && active(ty, s.no_diff_result)?
        {
            *value = self.variables(ty, value, level)?;
            result = Some((ty, value.clone()));
        }
        let call = GivenCall { backward, params, args: below, sources: args.to_vec(), result, outs };
        self.levels.replace(level, at, Rc::new(call));
        Ok(called)
    }

    /// Calls a custom backward derivative. Returns the contributions to the nodes of its inputs.
    fn given_back(&mut self, call: &GivenCall, adjoints: &[Num], level: Level) -> Judged<Vec<(usize, Num)>> {
        let cotangent = |judge: &Self, ty: Type, value: &Value| {
            differential_of(ty, value, &mut |x| match judge.levels.node(x, level) {
                Some(n) => adjoints[n].clone(),
                None => Num::exact(0.0),
            })
        };
        let mut outs = call.outs.iter();
        let mut operands = Vec::new();
        let mut written = Vec::new();
        for (i, (dir, ty)) in call.params.iter().enumerate() {
            let out = if *dir == Direction::In { None } else { outs.next().cloned().flatten() };
            match (dir, ty) {
                (Direction::Out, None) => {}
                (Direction::Out, Some(_)) => {
                    let Some((ty, value)) = out else { return unknown("an output without a type") };
                    operands.push(cotangent(self, ty, &value)?);
                }
                (_, None) => operands.push(call.args[i].clone()),
                (_, &Some(ty)) => {
                    let d = match out {
                        Some((ty, value)) => cotangent(self, ty, &value)?,
                        None => {
                            let Some(d) = differential(ty)? else { return unknown("no differential") };
                            zero(d)?
                        }
                    };
                    operands.push(Value::agg(vec![call.args[i].clone(), d]));
                    written.push((i, ty));
                }
            }
        }
        if let Some((ty, value)) = &call.result {
            operands.push(cotangent(self, *ty, value)?);
        }
        let called = self.call(call.backward, operands)?;
        let mut terms = Vec::new();
        for ((i, ty), pair) in written.into_iter().zip(&called.outs) {
            let [_, d] = pair.parts()? else { return unknown("a custom derivative gives no pair") };
            self.weighted(ty, &call.sources[i], d, level, &mut terms)?;
        }
        Ok(terms)
    }
}

impl GivenCall {
    fn empty(backward: Name) -> GivenCall {
        GivenCall {
            backward,
            params: Vec::new(),
            args: Vec::new(),
            sources: Vec::new(),
            result: None,
            outs: Vec::new(),
        }
    }
}

/// The result of recording a function on the tape.
struct Recorded {
    /// For each parameter with a derivative: the type, the value, and the value with its tape
    /// nodes.
    inputs: Vec<(Type, Value, Value)>,
    /// The tape nodes of the outputs, with their cotangents.
    cotangents: Vec<(usize, Num)>,
}
