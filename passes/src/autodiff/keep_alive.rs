//! Custom derivatives of functions that give nothing back are called all the same.
//!
//! Derivatives are made of what tangents and cotangents flow through. Out of a function without a
//! differentiable result none flow, but the programmer who gives it a derivative wants that called:
//! it may print or record, or put into its argument's derivative what follows from nothing else. So
//! the function gets an *keep-alive token*, a further result that is zero, and whatever leads to
//! it, in loops and branches too, sums tokens up and returns them. Tangent and cotangent of the sum
//! are zero; that there are such keeps the calls.
//!
//! Runs before linearize, for each mode by itself. Input and output are normalized functions; what
//! is kept-alive are copies (variants), and `bwd_diff(f)` becomes a call of the backward derivative
//! of the copy. Nothing else changes.

use super::boundary::{call, derivative_symbol};
use super::{barriers, custom, pairs};
use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::{Role, Variants};
use crate::analysis::stage;
use caustic_dialects::ad::pair_struct;
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_dialects::signature::{
    BACKWARD_DERIVATIVE, DIFFERENTIABLE, Direction, FORWARD_DERIVATIVE, PARAMS, PREFER, PRIMAL_SUBSTITUTE, PRIVATE,
    Signature, VISIBILITY, ZERO, param_attr,
};
use caustic_dialects::{ad, agg, arith, func, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Module, Name, OpId, Result, SymbolOp, Type, ValueId};
use rustc_hash::FxHashSet;

/// The mode of the derivatives that copies are made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Forward,
    Reverse,
}

impl Mode {
    fn of(request: &SymbolOp) -> Mode {
        if ad::asks_forward(request) { Mode::Forward } else { Mode::Reverse }
    }
    fn other(self) -> Mode {
        if self == Mode::Forward { Mode::Reverse } else { Mode::Forward }
    }
    fn stage(self) -> &'static str {
        if self == Mode::Forward { stage::FORWARD } else { stage::REVERSE }
    }
    /// The attribute that names the custom derivative, and that of the other mode.
    fn attributes(self) -> (&'static str, &'static str) {
        match self {
            Mode::Forward => (FORWARD_DERIVATIVE, BACKWARD_DERIVATIVE),
            Mode::Reverse => (BACKWARD_DERIVATIVE, FORWARD_DERIVATIVE),
        }
    }
    fn kept_alive(self) -> Role {
        if self == Mode::Forward { Role::KeptAliveForward } else { Role::KeptAliveBackward }
    }
    fn given(self) -> Role {
        if self == Mode::Forward { Role::KeptAliveForwardDerivative } else { Role::KeptAliveBackwardDerivative }
    }
}

/// Puts kept-alive functions in the place of those that requests name, and of all that leads to a
/// silent one from there.
pub fn run(module: &mut Module) -> Result<()> {
    keep_alive_in(module, Mode::Forward)?;
    keep_alive_in(module, Mode::Reverse)
}

fn keep_alive_in(module: &mut Module, mode: Mode) -> Result<()> {
    let silent: FxHashSet<Name> =
        module.symbols().iter().filter(|s| custom_derivatives::is_silent(s, &[mode.stage()])).map(|s| s.name).collect();
    // A tangent is stored and loaded beside its value, so that the function's own barriers order
    // both.
    let holders = if mode == Mode::Reverse { barriers::holders(module) } else { FxHashSet::default() };
    if silent.is_empty() && holders.is_empty() {
        return Ok(());
    }
    let passes_on = |s: &SymbolOp| {
        let differentiable = s.attr(DIFFERENTIABLE).and_then(|a| a.as_str());
        custom_derivatives::derivative(s, mode.stage()).is_none() && differentiable.is_some_and(|d| d != ZERO)
    };
    let differentiated = |name: &Name| module.get(*name).is_some_and(passes_on);
    let seeds = silent.iter().copied().chain(holders.iter().copied().filter(differentiated)).collect();
    let mut leading = custom_derivatives::leading_to(module, seeds, passes_on);
    let asked = |s: &&SymbolOp| Mode::of(s) == mode && ad::requested(s).is_some_and(|of| leading.contains(&of));
    let requests: Vec<SymbolOp> = module.symbols().iter().filter(asked).cloned().collect();
    let graph = CallGraph::of_names(module, |symbol, names| {
        if !silent.contains(&symbol.name) {
            names.extend(callees(symbol).filter(|c| leading.contains(c)).chain(symbol.symbol_attr(PRIMAL_SUBSTITUTE)));
        }
    });
    let mut variants = Variants::of(module);
    let is_made =
        |module: &Module, v: &Variants, name| v.get(mode.kept_alive(), name).is_some_and(|n| module.contains(n));
    for name in graph.pre_order_from(requests.iter().filter_map(ad::requested)) {
        if is_made(module, &variants, name) {
            continue;
        }
        let Some(mut symbol) = module.get(name).cloned() else { continue };
        if silent.contains(&name) {
            put_silent(module, &mut variants, &symbol, mode)?;
            continue;
        }
        if holders.contains(&name) {
            let barriers = barriers::outline(module, &mut variants, &holders, &mut symbol)?;
            leading.extend(&barriers);
            for barrier in barriers.into_iter().rev() {
                let left = module.get(barrier).filter(|_| !is_made(module, &variants, barrier));
                if let Some(barrier) = left.cloned() {
                    put_silent(module, &mut variants, &barrier, mode)?;
                }
            }
        }
        let kept_alive = with_token(module, &mut variants, &symbol, mode, Some(&leading))?;
        module.put(kept_alive);
    }
    for request in requests {
        let kept_alive = ad::requested(&request).and_then(|n| variants.get(mode.kept_alive(), n));
        let Some(of) = kept_alive.and_then(|n| module.get(n)) else { continue };
        let inner = derivative_symbol(of, mode == Mode::Forward);
        let made = inner.and_then(|mut inner| {
            pairs::lower(&mut inner);
            Some((forwarding(&request, of, &inner, mode)?, inner))
        });
        let Some((outer, inner)) = made else {
            return Err(Diagnostic::internal(request.loc, "an kept-alive function without a signature"));
        };
        module.put(outer);
        module.put(inner);
    }
    variants.store(module);
    Ok(())
}

/// The kept-alive copy of a silent function, and its custom derivatives with the token's cotangent
/// or pair.
fn put_silent(module: &mut Module, variants: &mut Variants, symbol: &SymbolOp, mode: Mode) -> Result<()> {
    let own = variants.name(module, mode.given(), symbol.name);
    let mut kept_alive = with_token(module, variants, symbol, mode, None)?;
    kept_alive.set_attr(mode.attributes().0, Attr::symbol(own));
    let mut made = vec![custom_with_token(module, own, symbol, mode)?];
    // Of code in this mode the other mode's derivative may be asked for next.
    let other = mode.other();
    if custom_derivatives::is_silent(symbol, &[other.stage()]) {
        let given = variants.name(module, other.given(), symbol.name);
        kept_alive.set_attr(other.attributes().0, Attr::symbol(given));
        made.push(custom_with_token(module, given, symbol, other)?);
    }
    made.push(kept_alive);
    made.into_iter().for_each(|s| module.put(s));
    Ok(())
}

/// The function in a request's place: it calls the kept-alive one's derivative, with a cotangent of
/// zero for the token.
fn forwarding(request: &SymbolOp, of: &SymbolOp, inner: &SymbolOp, mode: Mode) -> Option<SymbolOp> {
    let (inputs, results) = request.function_type()?;
    let (_, inner_results) = inner.function_type()?;
    let signature = Signature::of(of)?;
    let mut out = stage::new_func(request.name, inputs, results, request.loc);
    out.set_attr(DIFFERENTIABLE, Attr::string("both"));
    for attr in [PARAMS, PREFER] {
        if let Some(value) = request.attr(attr) {
            out.set_attr(attr, value);
        }
    }
    let block = out.body.entry()?;
    let mut args = out.body.args(block).to_vec();
    let mut b = Builder::at_end(&mut out.body, block, request.loc);
    if mode == Mode::Reverse {
        // The token's parameter is the function's last: only cotangents of what it returns come
        // behind it.
        let returned = (0..signature.num_returned).filter(|&i| signature.result_differential(i).is_some()).count();
        let zero = arith::float(&mut b, 0.0, Type::f32());
        args.insert(args.len() - returned, zero);
    }
    // A forward derivative gives the token's pair last.
    let values = call(&mut b, inner.name, &args, inner_results);
    func::Return::build(&mut b, &values[..results.len()], &[]);
    Some(out)
}

/// A custom derivative that takes the token's cotangent, or gives its pair, besides.
fn custom_with_token(module: &Module, name: Name, symbol: &SymbolOp, mode: Mode) -> Result<SymbolOp> {
    let target = custom_derivatives::derivative(symbol, mode.stage()).and_then(|n| module.get(n));
    let parts = target.and_then(|t| Some((t, t.function_type()?)));
    let Some((target, (inputs, results))) = parts else {
        return Err(custom::missing(module, symbol, mode.stage()));
    };
    let pair = pair_struct(Type::f32()).unwrap_or_else(Type::f32);
    let (mut all_inputs, mut all_results) = (inputs.to_vec(), results.to_vec());
    let dir = match mode {
        Mode::Forward => {
            all_results.push(pair);
            Direction::Out
        }
        Mode::Reverse => {
            all_inputs.push(Type::f32());
            Direction::In
        }
    };
    let mut out = stage::new_func(name, &all_inputs, &all_results, target.loc);
    out.set_attr(VISIBILITY, Attr::string(PRIVATE));
    out.set_attr(PARAMS, params_with(target, dir));
    if let Some(how) = target.attr(DIFFERENTIABLE) {
        out.set_attr(DIFFERENTIABLE, how);
    }
    let Some(block) = out.body.entry() else { return Err(Diagnostic::internal(target.loc, "no entry block")) };
    let args = out.body.args(block)[..inputs.len()].to_vec();
    let mut b = Builder::at_end(&mut out.body, block, target.loc);
    let mut values = call(&mut b, target.name, &args, results);
    if mode == Mode::Forward {
        let zero = arith::float(&mut b, 0.0, Type::f32());
        values.push(agg::Make::build(&mut b, &[zero, zero], pair, &[]));
    }
    func::Return::build(&mut b, &values, &[]);
    Ok(out)
}

/// The parameters of a function with one more at the end.
fn params_with(symbol: &SymbolOp, dir: Direction) -> Attr {
    let written = symbol.attr(PARAMS).and_then(|a| a.as_array()).map(<[Attr]>::to_vec);
    let unnamed = || {
        let count = symbol.function_type().map_or(0, |(inputs, _)| inputs.len());
        (0..count).map(|i| param_attr(&format!("arg{i}"), Direction::In, false)).collect()
    };
    let mut params = written.unwrap_or_else(unnamed);
    params.push(param_attr("token", dir, false));
    Attr::array(params)
}

/// The kept-alive copy of a function, with the tokens of the functions in `leading` that it calls;
/// without them, of a silent one.
fn with_token(
    module: &Module,
    variants: &mut Variants,
    symbol: &SymbolOp,
    mode: Mode,
    leading: Option<&FxHashSet<Name>>,
) -> Result<SymbolOp> {
    let broken = || Diagnostic::invalid_ir(symbol.loc, "a function without code");
    let mut out = symbol.clone();
    let mut kept_alive = |name: Name| variants.name(module, mode.kept_alive(), name);
    out.name = kept_alive(symbol.name);
    out.set_attr(VISIBILITY, Attr::string(PRIVATE));
    out.set_attr(PARAMS, params_with(symbol, Direction::Out));
    out.set_attr(stage::KEPT_ALIVE, Attr::unit());
    let (_, other) = mode.attributes();
    for attr in ["entry", "sym_name", other] {
        out.remove_attr(attr);
    }
    if leading.is_some()
        && let Some(substitute) = symbol.symbol_attr(PRIMAL_SUBSTITUTE)
    {
        out.set_attr(PRIMAL_SUBSTITUTE, Attr::symbol(kept_alive(substitute)));
    }
    let (inputs, results) = symbol.function_type().ok_or_else(broken)?;
    let mut results = results.to_vec();
    results.push(Type::f32());
    out.set_attr("function_type", Attr::ty(Type::function(inputs, &results)));
    let body = &mut out.body;
    let entry = body.entry().ok_or_else(broken)?;
    let sum = match leading {
        Some(leading) => in_block(body, entry, leading, &mut kept_alive),
        None => None,
    };
    let end = body.terminator(entry).ok_or_else(broken)?;
    let token = or_zero(body, end, sum).ok_or_else(broken)?;
    append(body, end, token);
    Ok(out)
}

fn append(body: &mut Body, op: OpId, value: ValueId) {
    let mut operands = body.operands(op).to_vec();
    operands.push(value);
    body.set_operands(op, &operands);
}

fn zero_before(body: &mut Body, op: OpId) -> Option<ValueId> {
    Builder::before(body, op).map(|mut b| arith::float(&mut b, 0.0, Type::f32()))
}

fn or_zero(body: &mut Body, before: OpId, value: Option<ValueId>) -> Option<ValueId> {
    value.or_else(|| zero_before(body, before))
}

fn plus(body: &mut Body, before: OpId, sum: Option<ValueId>, term: ValueId) -> ValueId {
    match (sum, Builder::before(body, before)) {
        (Some(sum), Some(mut b)) => arith::AddF::build(&mut b, sum, term, &[]),
        _ => term,
    }
}

/// The sum of the tokens of a block's calls, at its end.
fn in_block(
    body: &mut Body,
    block: BlockId,
    leading: &FxHashSet<Name>,
    kept_alive: &mut dyn FnMut(Name) -> Name,
) -> Option<ValueId> {
    let mut sum = None;
    let end = body.terminator(block)?;
    for op in body.block_ops(block) {
        let callee = body.callee(op);
        let term = if func::Call::is(body, op) {
            let Some(callee) = callee.filter(|c| leading.contains(c) && !func::Call(op).no_diff(body)) else {
                continue;
            };
            body.set_attr(op, "callee", Attr::symbol(kept_alive(callee)));
            Some(body.add_result(op, Type::f32()))
        } else {
            in_regions(body, op, leading, kept_alive)
        };
        if let Some(term) = term {
            sum = Some(plus(body, end, sum, term));
        }
    }
    sum
}

/// The sum over the regions of an op, as a further result of it.
fn in_regions(
    body: &mut Body,
    op: OpId,
    leading: &FxHashSet<Name>,
    kept_alive: &mut dyn FnMut(Name) -> Name,
) -> Option<ValueId> {
    let count = body.op(op).regions.len();
    let is_for = scf::For::is(body, op);
    let is_loop = is_for || scf::While::is(body, op);
    if !(is_loop || scf::If::is(body, op) || scf::IndexSwitch::is(body, op)) {
        return None;
    }
    let blocks: Vec<Option<BlockId>> = (0..count).map(|k| body.region_block(op, k)).collect();
    let mut sums: Vec<Option<ValueId>> = Vec::new();
    for block in &blocks {
        sums.push(block.and_then(|block| in_block(body, block, leading, kept_alive)));
    }
    if sums.iter().all(Option::is_none) {
        return None;
    }
    if is_loop {
        let init = zero_before(body, op)?;
        append(body, op, init);
    }
    for (k, (block, sum)) in blocks.into_iter().zip(sums).enumerate() {
        let block = match block {
            Some(block) => block,
            // A branch that was left out.
            None => {
                let region = body.op(op).regions[k];
                let block = body.add_block(region, &[]);
                let loc = body.loc(op);
                scf::Yield::build(&mut Builder::at_end(body, block, loc), &[], &[]);
                block
            }
        };
        let end = body.terminator(block)?;
        let value = if is_loop {
            let carried = body.add_arg(block, Type::f32());
            plus(body, end, sum, carried)
        } else {
            or_zero(body, end, sum)?
        };
        append(body, end, value);
    }
    Some(body.add_result(op, Type::f32()))
}
