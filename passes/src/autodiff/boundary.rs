//! The functions a programmer calls: signatures of the paper's appendix E around the derivative
//! functions of an instance.
//!
//! `fwd_diff(f)`: each differentiable parameter becomes a pair, directions stay, a differentiable
//! result becomes a pair. `bwd_diff(f)`: a differentiable `in` becomes an `inout` pair whose
//! differential is written; `inout` too, its differential is read and replaced; `out` becomes an
//! `in` differential; of the others `inout` becomes `in` and `out` goes away; the cotangent of the
//! result comes last.

use super::pointers;
use super::space::Spaces;
use crate::analysis::derivative_links::{Forms, Instance};
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, pair_struct};
use caustic_dialects::agg;
use caustic_dialects::arith;
use caustic_dialects::func;
use caustic_dialects::signature::{
    DIFFERENTIABLE, Direction, PARAMS, PREFER, Signature, WRITTEN_RESULT, holds_handle, param_attr, written_as,
};
use caustic_ir::{Attr, Builder, Diagnostic, Name, Result, SymbolOp, Type, ValueId};

/// What a wrapper needs to know of the function it wraps.
pub struct Wrapped<'a> {
    /// The function that is differentiated.
    pub signature: &'a Signature,
    pub instance: &'a Instance,
    pub forms: Forms,
    pub active_results: &'a [bool],
    /// The backward derivative is the programmer's, and handed the inputs.
    pub given: bool,
    /// For a reverse derivative: the context's type.
    pub context: Option<Type>,
    pub spaces: &'a Spaces,
}

pub(super) fn part(b: &mut Builder<'_>, pair: ValueId, index: i64) -> ValueId {
    let ty = agg::part_type(b.ty(pair), index).unwrap_or_else(Type::index);
    agg::Extract::build(b, pair, &[], ty, &[("path", Attr::i64_array(&[index]))])
}

/// Replaces the `ad.derivative` symbol by a function.
pub fn wrapper(derivative: &SymbolOp, wrapped: &Wrapped<'_>) -> Result<SymbolOp> {
    let bad = || {
        Diagnostic::internal(
            derivative.loc,
            format!("@{} does not have the signature of a derivative", derivative.name),
        )
    };
    let (inputs, results) = derivative.function_type().ok_or_else(bad)?;
    let forward = ad::asks_forward(derivative);
    let mut out = stage::new_func(derivative.name, inputs, results, derivative.loc);
    out.set_attr(DIFFERENTIABLE, Attr::string("both"));
    for attr in [PARAMS, PREFER] {
        if let Some(value) = derivative.attr(attr) {
            out.set_attr(attr, value);
        }
    }
    let block = out.body.entry().ok_or_else(bad)?;
    let args = out.body.args(block).to_vec();
    name_args(&mut out, &args);
    let mut b = Builder::at_end(&mut out.body, block, derivative.loc);
    let returned = if forward { forward_body(&mut b, wrapped, &args) } else { backward_body(&mut b, wrapped, &args) };
    let returned = returned.ok_or_else(bad)?;
    let types: Vec<Type> = returned.iter().map(|&v| b.ty(v)).collect();
    if types != results {
        return Err(bad().with_note(format!(
            "expected {}, found {}",
            Type::function(inputs, results),
            Type::function(inputs, &types)
        )));
    }
    func::Return::build(&mut b, &returned, &[]);
    Ok(out)
}

/// A wrapper's arguments are called as the programmer calls its parameters.
fn name_args(wrapper: &mut SymbolOp, args: &[ValueId]) {
    let params = wrapper.attr(PARAMS).and_then(|p| p.as_array()).unwrap_or_default();
    let taken = params.iter().filter(|p| p.get("dir").and_then(|d| d.as_str()) != Some(Direction::Out.keyword()));
    for (&arg, param) in args.iter().zip(taken) {
        wrapper.body.set_hint(arg, param.get("name").and_then(|n| n.as_str()).map(Name::new));
    }
}

pub(super) fn make_pair(b: &mut Builder<'_>, primal: ValueId, differential: ValueId, ty: Type) -> Option<ValueId> {
    Some(agg::Make::build(b, &[primal, differential], pair_struct(ty)?, &[]))
}

/// The pair of a value and a differential that differentiation made, with the flags of the value.
#[mutant(Site::BoundaryFlags => make_pair(b, primal, differential, ty))]
pub(super) fn made_pair(b: &mut Builder<'_>, primal: ValueId, differential: ValueId, ty: Type) -> Option<ValueId> {
    let differential = ad::with_presence(b, differential, primal, ad::lower_pairs(ty));
    make_pair(b, primal, differential, ty)
}

pub(super) fn call(b: &mut Builder<'_>, callee: Name, operands: &[ValueId], types: &[Type]) -> Vec<ValueId> {
    let op = func::Call::build(b, operands, types, &[("callee", Attr::symbol(callee))]);
    b.body.results(op).to_vec()
}

fn forward_body(b: &mut Builder<'_>, w: &Wrapped<'_>, args: &[ValueId]) -> Option<Vec<ValueId>> {
    let s = w.signature;
    let mut primals = Vec::new();
    let mut tangents = Vec::new();
    for (i, &arg) in args.iter().enumerate() {
        if s.input_differential(i).is_some() {
            primals.push(part(b, arg, 0));
            if w.instance.active[i] {
                tangents.push(tangent_in(b, w, arg));
            }
        } else {
            primals.push(arg);
        }
    }
    primals.extend(tangents);
    let mut types = s.results.clone();
    types.extend((0..s.results.len()).filter(|&i| w.active_results[i]).filter_map(|i| s.result_differential(i)));
    let values = call(b, w.forms.fwd, &primals, &types);
    result_pairs(b, w, values)
}

/// The differential of a pair that comes in.
#[mutant(Site::BoundaryForwardInput => zero_in(b, w, pair))]
fn tangent_in(b: &mut Builder<'_>, w: &Wrapped<'_>, pair: ValueId) -> ValueId {
    part(b, pair, 1)
}

fn zero_in(b: &mut Builder<'_>, w: &Wrapped<'_>, pair: ValueId) -> ValueId {
    let differential = part(b, pair, 1);
    zero_like(b, w, differential)
}

/// The mistake of taking a differential for zero.
fn zero_like(b: &mut Builder<'_>, w: &Wrapped<'_>, differential: ValueId) -> ValueId {
    let ty = b.ty(differential);
    w.spaces.zero(b, ty)
}

/// The results of a forward derivative: results of the function, each with its tangent, which stand
/// behind them.
#[mutant(Site::BoundaryForward if values.len() > w.signature.results.len() with values = with_zero(b, w, values))]
fn result_pairs(b: &mut Builder<'_>, w: &Wrapped<'_>, values: Vec<ValueId>) -> Option<Vec<ValueId>> {
    let s = w.signature;
    let mut next = s.results.len();
    let mut out = Vec::new();
    for (i, &ty) in s.results.iter().enumerate() {
        let Some(d) = s.result_differential(i) else {
            out.push(values[i]);
            continue;
        };
        let tangent = if w.active_results[i] {
            next += 1;
            values[next - 1]
        } else {
            w.spaces.zero(b, d)
        };
        out.push(made_pair(b, values[i], tangent, ty)?);
    }
    Some(out)
}

/// The mistake of losing the last of the values.
fn with_zero(b: &mut Builder<'_>, w: &Wrapped<'_>, mut values: Vec<ValueId>) -> Vec<ValueId> {
    if let Some(last) = values.pop() {
        values.push(zero_like(b, w, last));
    }
    values
}

/// The cotangent that the programmer gives for what a parameter leaves: all of an argument, or the
/// differential of a pair.
#[mutant(Site::BoundaryOut if dir == Direction::Out => zero_like(b, w, argument))]
#[mutant(Site::BoundaryInout if dir == Direction::InOut => zero_in(b, w, argument))]
fn cotangent_in(b: &mut Builder<'_>, w: &Wrapped<'_>, dir: Direction, argument: ValueId) -> ValueId {
    if dir == Direction::Out { argument } else { part(b, argument, 1) }
}

fn backward_body(b: &mut Builder<'_>, w: &Wrapped<'_>, args: &[ValueId]) -> Option<Vec<ValueId>> {
    let s = w.signature;
    let mut next_arg = args.iter().copied();
    let mut primals: Vec<ValueId> = Vec::new();
    // Cotangent of each result that the programmer gives.
    let mut given: Vec<Option<ValueId>> = vec![None; s.results.len()];
    for p in &s.params {
        match (p.dir, p.differential()) {
            (Direction::Out, None) => {}
            (Direction::Out, Some(_)) => given[p.result?] = Some(cotangent_in(b, w, p.dir, next_arg.next()?)),
            (_, None) => primals.push(next_arg.next()?),
            (dir, Some(_)) => {
                let pair = next_arg.next()?;
                primals.push(part(b, pair, 0));
                if dir == Direction::InOut {
                    given[p.result?] = Some(cotangent_in(b, w, dir, pair));
                }
            }
        }
    }
    for (i, slot) in given.iter_mut().enumerate().take(s.num_returned) {
        if s.result_differential(i).is_some() {
            *slot = Some(next_arg.next()?);
        }
    }
    // A custom derivative asks nothing of the function, which then does nothing besides either.
    // Which cotangents have a value is what the programmer says.
    let context = if w.given {
        let kept: Vec<ValueId> = kept_for_flags(s, w.active_results).into_iter().filter_map(|i| given[i]).collect();
        agg::Make::build(b, &kept, w.context?, &[])
    } else {
        let mut types = s.results.clone();
        types.push(w.context?);
        *call(b, w.forms.primal, &primals, &types).last()?
    };
    let mut operands = vec![context];
    operands.extend(primals.iter().zip(&s.inputs).filter(|(_, t)| w.given || holds_handle(**t)).map(|(&v, _)| v));
    for (i, cot) in given.iter().enumerate() {
        if w.active_results[i] {
            operands.push((*cot)?);
        }
    }
    // All that the programmer gives counts as what may differ from zero.
    let active = (0..s.results.len()).filter(|&i| w.active_results[i]).filter_map(|i| s.result_differential(i));
    for _ in stage::result_flags(active) {
        operands.push(arith::bool(b, true));
    }
    let mut cot_types: Vec<Type> =
        (0..s.inputs.len()).filter(|&i| w.instance.active[i]).filter_map(|i| s.input_differential(i)).collect();
    // Behind them stands whether they were reached, which a programmer does not ask.
    cot_types.extend(stage::flag_types(cot_types.clone()));
    let inputs = w.instance.active.iter().filter(|active| **active).count();
    let mut cots = call(b, w.forms.bwd, &operands, &cot_types);
    cots.truncate(inputs);
    gradients(b, w, &primals, cots)
}

/// The results with flags whose cotangents come in: the context of a custom derivative has a
/// differential of each, for its flags.
pub(super) fn kept_for_flags(s: &Signature, active_results: &[bool]) -> Vec<usize> {
    (0..s.results.len()).filter(|&i| active_results[i] && ad::has_presence(s.results[i])).collect()
}

/// What a backward derivative writes: pairs of the inputs and their cotangents.
#[mutant(Site::BoundaryResult with cots = with_zero(b, w, cots))]
fn gradients(b: &mut Builder<'_>, w: &Wrapped<'_>, primals: &[ValueId], cots: Vec<ValueId>) -> Option<Vec<ValueId>> {
    let s = w.signature;
    let mut cots = cots.into_iter();
    let mut by_input = Vec::new();
    for i in 0..s.inputs.len() {
        by_input.push(if w.instance.active[i] { cots.next() } else { None });
    }
    let mut out = Vec::new();
    for p in &s.params {
        let (Some(input), Some(d)) = (p.input, p.differential()) else { continue };
        let cot = by_input[input].unwrap_or_else(|| w.spaces.zero(b, d));
        out.push(made_pair(b, primals[input], cot, p.ty)?);
    }
    Some(out)
}

/// The request for a derivative of a normalized function, with the signature of appendix E; `None`
/// if its attributes contradict its type, or what it gives is a pointer, of which only pairs are
/// asked for.
pub fn derivative_symbol(target: &SymbolOp, forward: bool) -> Option<SymbolOp> {
    let s = Signature::of(target).filter(|_| !pointers::gives_pair(target))?;
    let name = if forward { "fwd_diff" } else { "bwd_diff" };
    let mut out = SymbolOp::new(ad::Derivative::DEF, Name::new(&format!("{name}({})", target.name)), target.loc);
    out.set_attr("of", Attr::symbol(target.name));
    out.set_attr("mode", Attr::string(if forward { "fwd" } else { "bwd" }));
    let (mut params, mut inputs, mut outs, mut returned) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, p) in s.params.iter().enumerate() {
        let d = p.differential();
        let (dir, ty) = match (forward, d) {
            (_, None) if let Some(pair) = pointers::of_parameter(p) => (Direction::In, pair),
            (true, None) => (p.dir, p.ty),
            (true, Some(_)) => (p.dir, ad::pair_type(p.ty)),
            (false, None) if p.dir == Direction::Out => continue,
            (false, None) => (Direction::In, p.ty),
            (false, Some(d)) if p.dir == Direction::Out => (Direction::In, d),
            (false, Some(_)) => (Direction::InOut, ad::pair_type(p.ty)),
        };
        let entry = param_attr(&p.name, dir, p.no_diff);
        params.push(if ty == p.ty { written_as(entry, target, number) } else { entry });
        if dir != Direction::Out {
            inputs.push(ty);
        }
        if dir != Direction::In {
            outs.push(ty);
        }
    }
    for i in 0..s.num_returned {
        match (forward, s.result_differential(i)) {
            (true, Some(_)) => returned.push(ad::pair_type(s.results[i])),
            (true, None) => {
                returned.push(s.results[i]);
                target.attr(WRITTEN_RESULT).into_iter().for_each(|ty| out.set_attr(WRITTEN_RESULT, ty));
            }
            (false, Some(d)) => {
                params.push(param_attr("result_d", Direction::In, false));
                inputs.push(d);
            }
            (false, None) => {}
        }
    }
    returned.extend(outs);
    out.set_attr("function_type", Attr::ty(Type::function(&inputs, &returned)));
    out.set_attr(PARAMS, Attr::array(params));
    Some(out)
}
