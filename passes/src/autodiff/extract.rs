//! Step 6, extract: a transposed function becomes a primal half and a linear one, or two forms of it, joined by a context.
//!
//! The primal half takes the primal inputs and gives the primal results and a struct of what the linear half reads, the *context*; the backward half
//! takes the context, the references to resources among the primal inputs, and the cotangents of the active results, and gives those
//! of the active inputs (seeds: paper 5.3.4), then for each of these whether anything reached it: an exact zero must stay one for the caller. Contexts of calls are part of the caller's. Tangents are plain data afterwards.

use super::lower_linear::{data_type, lower_linear};
use super::space::Spaces;
use crate::analysis::derivative_links::Form;
use crate::analysis::derivative_links::{Forms, Links};
use crate::analysis::stage;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::signature::holds_handle;
use caustic_dialects::{func, signature};
use caustic_ir::codes;
use caustic_ir::{Attr, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueDef, ValueId};
use rustc_hash::FxHashMap;

/// Context types by instance.
pub type Contexts = FxHashMap<Name, Type>;

/// The forms of the instance that a function of a stage belongs to.
fn forms_of(symbol: &SymbolOp, links: &Links) -> Result<Forms> {
    let forms = stage::instance_of(symbol).and_then(|i| links.forms(i));
    forms.ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, format!("@{} names no `ad.instance`", symbol.name)))
}

/// The halves of a transposed function, the primal one first, and its context type, which serves all forms of the linear half. The contexts of what it calls must be known.
pub fn extract(
    symbol: &SymbolOp,
    contexts: &Contexts,
    spaces: &Spaces,
    links: &Links,
) -> Result<(Vec<SymbolOp>, Type)> {
    let (names, forms) = (forms_of(symbol, links)?, stage::forms(symbol));
    let filled = with_linear_code(symbol, &forms);
    let symbol = filled.as_ref().unwrap_or(symbol);
    let src = &symbol.body;
    let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
    let (Some(entry), Some((inputs, _))) = (src.entry(), symbol.function_type()) else {
        return Err(bad("a transposed function without code"));
    };
    let linears: Option<Vec<OpId>> = forms.iter().map(|&form| linear_code(symbol, form)).collect();
    let (Some(linears), Some(end)) = (linears.filter(|l| !l.is_empty()), src.terminator(entry)) else {
        return Err(bad("a transposed function without linear code"));
    };
    let resolve = |name: Name| contexts.get(&name).copied();

    // What linear code reads from around it, in order of first use; constants are made again instead.
    let mut captured: Vec<ValueId> = Vec::new();
    let mut constants: Vec<OpId> = Vec::new();
    for op in linears.iter().flat_map(|&linear| src.walk(src.op(linear).regions[0])) {
        for &v in src.operands(op) {
            if src.def_block(v) != Some(entry) {
                continue;
            }
            match src.def(v) {
                ValueDef::Result { op: d, .. }
                    if src.op(d).def.is_pure() && src.operands(d).is_empty() && src.op(d).regions.is_empty() =>
                {
                    if !constants.contains(&d) {
                        constants.push(d);
                    }
                }
                _ => {
                    if !captured.contains(&v) {
                        captured.push(v);
                    }
                }
            }
        }
    }
    let is_input = |v: ValueId| src.args(entry).contains(&v);
    // Behind the cotangents stands which of them may differ from zero.
    let cotangent_inputs = inputs.iter().filter(|&&t| is_tangent(t)).map(|&t| ad::strip_tangent(t));
    let flags_in = stage::result_flags(cotangent_inputs);
    let (inputs, _) =
        inputs.split_at_checked(inputs.len().wrapping_sub(flags_in.len())).ok_or_else(|| bad("no flags"))?;
    let flag_args = &src.args(entry)[inputs.len()..];
    captured.retain(|v| !flag_args.contains(v));
    let kept: Vec<ValueId> = captured.iter().copied().filter(|&v| !holds_handle(src.ty(v))).collect();
    let fields: Vec<(String, Type, bool)> = kept
        .iter()
        .enumerate()
        .map(|(i, &v)| {
            let name = src.value(v).hint.map_or(format!("c{i}"), |h| format!("{h}_{i}"));
            (name, data_type(src.ty(v), &resolve), false)
        })
        .collect();
    let field_refs: Vec<(&str, Type, bool)> = fields.iter().map(|(n, t, d)| (n.as_str(), *t, *d)).collect();
    let context = StructType::get(&names.context(), true, &field_refs);

    // Each linear half gives cotangents, last, and behind them whether they were reached.
    let returned = src.operands(end);
    let cotangents: Vec<Type> = returned.iter().map(|&v| src.ty(v)).filter(|&t| is_tangent(t)).collect();
    let flags = stage::flag_types(cotangents.iter().map(|&t| ad::strip_tangent(t))).len();
    let (from_primal, from_linear) = returned
        .split_at_checked(returned.len().wrapping_sub(cotangents.len() + flags))
        .ok_or_else(|| bad("no reached flags"))?;
    let each = from_linear.len() / linears.len();
    let is_data = |t: &&Type| !is_tangent(**t);
    let mut primal_results: Vec<Type> = from_primal.iter().map(|&v| src.ty(v)).collect();
    primal_results.push(context);
    let primal_inputs: Vec<Type> = inputs.iter().filter(is_data).copied().collect();
    let mut primal = stage::new_func(names.primal, &primal_inputs, &primal_results, symbol.loc);
    if let Some(&v) = captured.iter().find(|&&v| holds_handle(src.ty(v)) && !is_input(v)) {
        let loc = src.def_op(v).map_or(symbol.loc, |op| src.loc(op));
        let text = "the reverse pass needs a resource that was chosen here, and cannot choose it again";
        return Err(Diagnostic::error(codes::E0609, loc, text)
            .with_note("resources that come from the function's parameters or from globals can be used, and a choice among them by a value that this function computes itself: `bool second = …; if (second) b = q;`"));
    }
    let handles = inputs.iter().copied().filter(|&t| !is_tangent(t) && holds_handle(t));
    let tangents = inputs.iter().copied().filter(|&t| is_tangent(t));
    let bwd_inputs: Vec<Type> =
        std::iter::once(context).chain(handles).chain(tangents).chain(flags_in.iter().copied()).collect();
    let made = |f: &mut SymbolOp| {
        f.set_attr(signature::DIFFERENTIABLE, Attr::string("both"));
        f.set_attr(signature::VISIBILITY, Attr::string(signature::PRIVATE));
    };
    made(&mut primal);

    let Some(block) = primal.body.entry() else { return Err(bad("no entry block")) };
    let mut map = Cloner::new();
    let primal_args = primal.body.args(block).to_vec();
    let mut next_primal = primal_args.iter();
    for &arg in &src.args(entry)[..inputs.len()] {
        if !is_tangent(src.ty(arg))
            && let Some(&new) = next_primal.next()
        {
            primal.body.set_hint(new, src.value(arg).hint);
            map.insert(arg, new);
        }
    }
    let mut b = Builder::at_end(&mut primal.body, block, symbol.loc);
    for op in src.block_ops(entry) {
        if !linears.contains(&op) && op != end {
            map.clone_op(src, op, &mut b);
        }
    }
    let parts: Vec<ValueId> = kept.iter().map(|&v| map.get(v)).collect();
    b.loc = symbol.loc;
    let ctx = agg::Make::build(&mut b, &parts, context, &[]);
    let mut results: Vec<ValueId> = from_primal.iter().map(|&v| map.get(v)).collect();
    results.push(ctx);
    b.loc = src.loc(end);
    func::Return::build(&mut b, &results, &[]);
    let mut halves = vec![lower_linear(&primal, &resolve, spaces, links)?];

    for (n, (&form, &linear)) in forms.iter().zip(&linears).enumerate() {
        let from_linear = &from_linear[n * each..][..each];
        let bwd_results: Vec<Type> = from_linear.iter().map(|&v| src.ty(v)).collect();
        let mut bwd = stage::new_func(names.backward(form), &bwd_inputs, &bwd_results, symbol.loc);
        made(&mut bwd);
        if form == Form::Unsure {
            bwd.set_attr(stage::UNSURE, Attr::unit());
        }
        if let Some(gives) = stage::gives(symbol, form) {
            bwd.set_attr(stage::GIVES, gives);
        }
        let Some(block) = bwd.body.entry() else { return Err(bad("no entry block")) };
        let linear_block = src.region_block(linear, 0).ok_or_else(|| bad("linear code without a block"))?;
        let (ctx_arg, more) = (bwd.body.args(block)[0], bwd.body.args(block)[1..].to_vec());
        bwd.body.set_hint(ctx_arg, Some(Name::new("context")));
        let (more, new_flags) = more.split_at(more.len() - flags_in.len());
        let (handle_args, cot_args) = more.split_at(more.iter().filter(|&&v| !is_tangent(bwd.body.ty(v))).count());
        let (mut next_cot, mut next_handle) = (cot_args.iter(), handle_args.iter());
        let mut map = Cloner::new();
        let mut cot_map = FxHashMap::default();
        for &arg in &src.args(entry)[..inputs.len()] {
            let hint = src.value(arg).hint;
            if is_tangent(src.ty(arg)) {
                if let Some(&new) = next_cot.next() {
                    bwd.body.set_hint(new, hint);
                    cot_map.insert(arg, new);
                }
            } else if holds_handle(src.ty(arg))
                && let Some(&new) = next_handle.next()
            {
                bwd.body.set_hint(new, hint);
                map.insert(arg, new);
            }
        }
        let mut b = Builder::at_end(&mut bwd.body, block, src.loc(linear));
        for (&old, &new) in flag_args.iter().zip(new_flags) {
            map.insert(old, new);
        }
        for (i, &v) in kept.iter().enumerate() {
            let path = [("path", Attr::i64_array(&[i as i64]))];
            let value = agg::Extract::build(&mut b, ctx_arg, &[], fields[i].1, &path);
            b.body.set_hint(value, src.value(v).hint);
            map.insert(v, value);
        }
        for &op in &constants {
            map.clone_op(src, op, &mut b);
        }
        for (&operand, &arg) in src.operands(linear).iter().zip(src.args(linear_block)) {
            let cot = cot_map.get(&operand).copied();
            map.insert(arg, cot.ok_or_else(|| bad("linear code whose operands are no inputs"))?);
        }
        let Some(yields) = src.terminator(linear_block) else { return Err(bad("linear code without a yield")) };
        for op in src.block_ops(linear_block) {
            if op != yields {
                map.clone_op(src, op, &mut b);
            }
        }
        // The function returns the linear op's results, in the order of the return; a flag that is always the same may have become a constant.
        let mut given = Vec::new();
        for &v in from_linear {
            given.push(match src.results(linear).iter().position(|&r| r == v) {
                Some(k) => map.get(src.operands(yields)[k]),
                None => {
                    let constant = src.def_op(v).filter(|&d| src.op(d).def.is_pure() && src.operands(d).is_empty());
                    let constant =
                        constant.ok_or_else(|| bad("a returned tangent that the linear code does not give"))?;
                    map.clone_op(src, constant, &mut b);
                    map.get(v)
                }
            });
        }
        func::Return::build(&mut b, &given, &[]);
        halves.push(lower_linear(&bwd, &resolve, spaces, links)?);
    }
    Ok((halves, context))
}

/// The linear code in this form of a transposed function.
fn linear_code(symbol: &SymbolOp, form: Form) -> Option<OpId> {
    let body = &symbol.body;
    let is_it = |&op: &OpId| ad::Linear::is(body, op) && stage::form_of(body, op) == form;
    body.block_ops(body.entry()?).into_iter().find(is_it)
}

/// The function with an empty `ad.linear` of each form that has none: where nothing is active, what is left of it has been removed as dead.
fn with_linear_code(symbol: &SymbolOp, forms: &[Form]) -> Option<SymbolOp> {
    let missing: Vec<Form> = forms.iter().copied().filter(|&form| linear_code(symbol, form).is_none()).collect();
    if missing.is_empty() {
        return None;
    }
    let mut out = symbol.clone();
    let end = out.body.terminator(out.body.entry()?)?;
    for form in missing {
        let mut b = Builder::before(&mut out.body, end)?;
        let attrs: &[_] = if form == Form::Unsure { &[(stage::UNSURE, Attr::unit())] } else { &[] };
        let linear = ad::Linear::build(&mut b, &[], &[], attrs);
        let block = b.add_block(linear, 0, &[]);
        ad::Yield::build(&mut b.at(block), &[], &[]);
    }
    Some(out)
}

/// The forward derivative as a function on data: the linearization without tangents.
pub fn extract_forward(symbol: &SymbolOp, spaces: &Spaces, links: &Links) -> Result<SymbolOp> {
    let forms = forms_of(symbol, links)?;
    let mut out = lower_linear(symbol, &|_| None, spaces, links)?;
    out.name = forms.forward(symbol.attr(stage::GATED).is_some());
    stage::forget(&mut out);
    out.set_attr(signature::DIFFERENTIABLE, Attr::string("both"));
    out.set_attr(signature::VISIBILITY, Attr::string(signature::PRIVATE));
    Ok(out)
}

/// The instances whose contexts a function's code mentions.
pub fn context_keys(symbol: &SymbolOp) -> Vec<Name> {
    let body = &symbol.body;
    let calls = body.walk_all().into_iter().filter(|&op| ad::PrimalCall::is(body, op));
    calls.filter_map(|op| body.attr(op, "callee").and_then(|a| a.as_symbol())).collect()
}
