//! Barriers between what custom derivatives do to memory.
//!
//! Custom backward derivatives of stores and loads happen in the opposite order of these, and the
//! threads must meet between them as they did between the stores and the loads. So an op that
//! orders memory (`AdRule::Orders`) counts as a call of a function whose backward derivative is the
//! same op; that it happens exactly where and as often as the function passed it is what tokens are
//! for. A function that is called and not differentiated orders too: beside the call stands one of
//! each op of this sort in it, which is passed once more, if the call passes them whatever happens
//! in it; else that is an error.
//!
//! Where no custom derivative touches memory nothing has to be ordered, and such ops are of the
//! primal code alone.

use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::{Role, Variants};
use crate::analysis::effects::{Effect, Summary};
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::signature::{BACKWARD_DERIVATIVE, DIFFERENTIABLE, PARAMS, PRIVATE, VISIBILITY, ZERO};
use caustic_dialects::{func, gpu, simt};
use caustic_ir::codes;
use caustic_ir::{AdRule, Attr, BlockId, Body, Builder, Cloner, Diagnostic, Module, Name, OpId, Result, SymbolOp};
use rustc_hash::FxHashSet;

fn orders(body: &Body, op: OpId) -> bool {
    matches!(body.op(op).def.ad, AdRule::Orders)
}

fn callee(body: &Body, op: OpId) -> Option<Name> {
    body.callee(op).filter(|_| func::Call::is(body, op))
}

/// The functions that lead to such ops, if there are custom backward derivatives whose effects
/// these would stand between.
#[mutant(Site::BarriersPrimalOnly => FxHashSet::default())]
pub fn holders(module: &Module) -> FxHashSet<Name> {
    let holds = |s: &&SymbolOp| s.body.all_ops().any(|op| orders(&s.body, op));
    let found: FxHashSet<Name> = module.symbols().iter().filter(holds).map(|s| s.name).collect();
    let mut targets =
        module.symbols().iter().filter_map(|s| custom_derivatives::derivative(s, stage::REVERSE)).peekable();
    if found.is_empty() || targets.peek().is_none() {
        return FxHashSet::default();
    }
    let effects = Summary::of(module);
    let some = targets.any(|name| effects.function(name) > Effect::Pure);
    if some { custom_derivatives::leading_to(module, found, |_| true) } else { FxHashSet::default() }
}

/// An op that orders memory, of which function.
type Found = (Name, OpId);

/// Calls functions with derivatives in the place of what orders memory in `symbol`, and beside
/// calls of `holders` that are not differentiated; returns the names of what is called.
pub fn outline(
    module: &mut Module,
    variants: &mut Variants,
    holders: &FxHashSet<Name>,
    symbol: &mut SymbolOp,
) -> Result<Vec<Name>> {
    let mut names = Vec::new();
    for op in symbol.body.walk_all() {
        let own = orders(&symbol.body, op);
        let passed = match callee(&symbol.body, op).filter(|name| holders.contains(name)) {
            _ if own => vec![(symbol.name, op)],
            Some(callee) if !is_differentiated(module, symbol, op, callee) => {
                let mut passed = Vec::new();
                passed_in(module, holders, callee, &mut FxHashSet::default(), &mut passed)
                    .map_err(|at| conditional(symbol, op, callee, at))?;
                passed
            }
            _ => continue,
        };
        for (function, ordering) in passed {
            let body = if function == symbol.name { Some(&symbol.body) } else { module.get(function).map(|s| &s.body) };
            let Some(body) = body else { continue };
            let of = ordered(body, ordering);
            let [name, reverse] = [Role::Orders, Role::OrdersBackward].map(|role| variants.name(module, role, of));
            if !module.contains(name) {
                let Some(made) = functions(body, ordering, name, reverse) else { continue };
                made.into_iter().for_each(|s| module.put(s));
            }
            if let Some(mut b) = Builder::before(&mut symbol.body, op) {
                call(&mut b, name);
                names.push(name);
            }
        }
        if own {
            symbol.body.erase_op(op);
        }
    }
    Ok(names)
}

fn is_differentiated(module: &Module, symbol: &SymbolOp, op: OpId, callee: Name) -> bool {
    let how = module.get(callee).and_then(|s| s.attr(DIFFERENTIABLE)).and_then(|a| a.as_str());
    !func::Call(op).no_diff(&symbol.body) && how.is_some_and(|how| how != ZERO)
}

/// What a call of `name` passes for sure; the op that it may not pass where there is one.
fn passed_in(
    module: &Module,
    holders: &FxHashSet<Name>,
    name: Name,
    seen: &mut FxHashSet<Name>,
    out: &mut Vec<Found>,
) -> std::result::Result<(), Found> {
    let Some(symbol) = module.get(name).filter(|_| seen.insert(name)) else { return Ok(()) };
    let body = &symbol.body;
    let ops = |block: BlockId| body.block_ops(block).to_vec();
    let always: FxHashSet<OpId> = body.entry().map(ops).into_iter().flatten().collect();
    for op in body.all_ops() {
        let called = callee(body, op).filter(|name| holders.contains(name));
        if !(orders(body, op) || called.is_some()) {
            continue;
        }
        if !always.contains(&op) {
            return Err((name, op));
        }
        match called {
            Some(called) => passed_in(module, holders, called, seen, out)?,
            None => out.push((name, op)),
        }
    }
    Ok(())
}

fn conditional(symbol: &SymbolOp, op: OpId, callee: Name, (function, _): Found) -> Diagnostic {
    let text = format!(
        "the reverse derivative of '{}' would need a barrier for this call, and cannot know whether it is passed",
        symbol.name
    );
    let note = format!(
        "'{function}' has a barrier in a branch or a loop: mark '{callee}' `[Differentiable]` and call it without `no_diff`, or move the barrier out"
    );
    Diagnostic::error(codes::E0610, symbol.body.loc(op), text)
        .with_label("custom derivatives access memory before and after it")
        .with_note(note)
}

fn call(b: &mut Builder<'_>, name: Name) {
    func::Call::build(b, &[], &[], &[("callee", Attr::symbol(name))]);
}

/// What is ordered: the op, with the memory that it names.
fn ordered(body: &Body, op: OpId) -> Name {
    let memory = gpu::Barrier::cast(body, op).map(|barrier| barrier.memory(body));
    let memory = memory
        .or_else(|| Some(simt::Fence::cast(body, op)?.memory(body)))
        .flatten()
        .map_or(String::new(), |m| format!(".{m}"));
    Name::new(&format!("{}{memory}", body.op(op).def.name))
}

/// A function that does what an op that orders memory does, and its backward derivative, which does
/// the same.
fn functions(body: &Body, op: OpId, name: Name, reverse: Name) -> Option<[SymbolOp; 2]> {
    let around = |name: Name| {
        let mut out = stage::new_func(name, &[], &[], body.loc(op));
        out.set_attr(VISIBILITY, Attr::string(PRIVATE));
        out.set_attr(PARAMS, Attr::array(Vec::new()));
        // Forward derivatives, of reverse code too, are its own code.
        out.set_attr(DIFFERENTIABLE, Attr::string("both"));
        let block = out.body.entry()?;
        let mut b = Builder::at_end(&mut out.body, block, body.loc(op));
        Cloner::new().clone_op(body, op, &mut b);
        func::Return::build(&mut b, &[], &[]);
        Some(out)
    };
    let (mut primal, backward) = (around(name)?, around(reverse)?);
    primal.set_attr(BACKWARD_DERIVATIVE, Attr::symbol(reverse));
    Some([primal, backward])
}
