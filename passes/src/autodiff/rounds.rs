//! The steps over whole modules, and rounds of them until no derivative is asked for.

use super::activity::{self, Activities, Instance};
use super::boundary::{Wrapped, wrapper};
use super::checkpoint::{self, Policy, Report};
use super::extract::{self, Contexts};
use super::partials::Corners;
use super::reach::{Reach, Reaches};
use super::space::{Spaces, differentiate_sums, is_space};
use super::{anchors, forms, generators, given, linearize, pairs, pointers, still, ungate, unzip};
use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::Form;
use crate::analysis::derivative_links::{Forms, Links, is_link};
use crate::analysis::stage;
use crate::manager::Threads;
use crate::optimize::tidy::tidy;
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_dialects::signature::Signature;
use caustic_dialects::{ad, agg, arith};
use caustic_ir::codes;
use caustic_ir::{Attr, Builder, CancelToken, Diagnostic, Loc, Module, Name, OpId, SymbolOp, Type};
use rustc_hash::{FxHashMap, FxHashSet};

type Errors = Vec<Diagnostic>;

/// Rounds that one module may need; each serves one more level of nested operators.
const MAX_ROUNDS: usize = 16;
/// Each level of nesting multiplies the code; these bound what all levels make of a small and of a large program.
const MAX_OPS: usize = 60_000;
const MAX_GROWTH: usize = 16;

/// The gated forward derivative of what a reverse derivative calls may come to be wanted, where tangents are carried
/// forward.
const CARRIED: &str = "carried";

fn is_request(symbol: &SymbolOp) -> bool {
    std::ptr::eq(symbol.def, ad::Derivative::DEF)
}

fn wants(symbol: &SymbolOp) -> &'static str {
    match symbol.attr("mode").and_then(|a| a.as_str()) {
        Some("fwd") => stage::FORWARD,
        _ => stage::REVERSE,
    }
}

/// The requests whose function, with all it calls, contains no further request.
fn ready_requests(module: &Module) -> Vec<Name> {
    let requests = || module.symbols().iter().filter(|s| is_request(s));
    if requests().next().is_none() {
        return Vec::new();
    }
    let graph = CallGraph::of_names(module, |symbol, names| {
        names.extend(callees(symbol).chain(custom_derivatives::substitute(symbol)));
    });
    // What leads to a request has to wait for it.
    let waiting = graph.reaching(requests().map(|s| s.name));
    let is_ready = |s: &&SymbolOp| s.symbol_attr("of").is_some_and(|of| !waiting.contains(&of));
    requests().filter(is_ready).map(|s| s.name).collect()
}

/// Whether requests are left for a later round.
pub(super) fn waits(module: &Module) -> bool {
    module.symbols().iter().filter(|s| is_request(s)).count() > ready_requests(module).len()
}

/// The functions whose derivatives, made in this round, are differentiated again: what requests are for that wait needs them.
pub(super) fn nested(module: &Module) -> FxHashSet<Name> {
    let ready: FxHashSet<Name> = ready_requests(module).into_iter().collect();
    let waiting = module.symbols().iter().filter(|s| is_request(s) && !ready.contains(&s.name));
    // A request leads to its function.
    let graph = CallGraph::of_names(module, |symbol, names| {
        names.extend(symbol.symbol_attr("of").filter(|_| is_request(symbol)));
        names.extend(symbol.body.all_ops().filter_map(|op| symbol.body.symbol_attr(op, "callee")));
        names.extend(custom_derivatives::substitute(symbol));
    });
    let of = |s: &SymbolOp| s.symbol_attr("of");
    let needed = graph.reachable(waiting.filter_map(of));
    let below = needed.into_iter().filter_map(|name| module.get(name)).filter(|s| is_request(s)).filter_map(of);
    graph.reachable(below)
}

/// The instance that a request asks for.
fn requested(module: &Module, request: &SymbolOp) -> Result<(Instance, Signature), Diagnostic> {
    let of = request.symbol_attr("of");
    let target = of.and_then(|n| module.get(n)).map(|t| custom_derivatives::differentiated(module, t));
    let signature = target.and_then(Signature::of);
    match (target, signature) {
        (Some(t), Some(s)) => {
            let mut instance = Instance::all_active(t, &s);
            if request.attr(given::transposed::WRT).is_some() {
                let wrt = stage::mask_of(request, given::transposed::WRT);
                instance.active.iter_mut().zip(wrt).for_each(|(active, wanted)| *active &= wanted);
            }
            Ok((instance, s))
        }
        _ => Err(Diagnostic::invalid_ir(request.loc, format!("@{} is the derivative of no function", request.name))),
    }
}

/// The instances whose reverse derivatives this round's requests name.
pub(super) fn reverse_roots(module: &Module) -> Vec<Name> {
    let links = Links::of(module);
    let requests = ready_requests(module).into_iter().filter_map(|n| module.get(n));
    let reverse = requests.filter(|r| wants(r) == stage::REVERSE);
    reverse.filter_map(|r| Some(links.find(&requested(module, r).ok()?.0)?.instance)).collect()
}

/// Whether an earlier round made an instance's derivative in this mode.
fn made_before(module: &Module, forms: Forms, mode: &str) -> bool {
    match mode {
        stage::FORWARD => module.contains(forms.fwd),
        stage::GATED | CARRIED => module.contains(forms.gated),
        _ => Form::ALL.into_iter().any(|form| module.contains(forms.backward(form))) && module.contains(forms.primal),
    }
}

/// The context type of an instance whose primal half exists: its last result.
fn context_of(module: &Module, forms: Forms) -> Option<Type> {
    module.get(forms.primal)?.function_type()?.1.last().copied()
}

/// Whether the programmer decides what this derivative is, be it that there is none.
fn given_in(module: &Module, instance: &Instance, mode: &str) -> bool {
    module.get(instance.func).is_some_and(|s| {
        custom_derivatives::any(s)
            && (custom_derivatives::derivative(s, mode).is_some() || custom_derivatives::replaces_code(s))
    })
}

fn give(
    module: &Module,
    instance: &Instance,
    results: &[bool],
    mode: &str,
    spaces: &Spaces,
    links: &mut Links,
) -> Result<Vec<SymbolOp>, Diagnostic> {
    let symbol = module.get(instance.func);
    let Some((symbol, signature)) = symbol.and_then(|s| Some((s, Signature::of(s)?))) else {
        return Err(Diagnostic::internal(caustic_ir::Loc::unknown(), format!("no function @{}", instance.func)));
    };
    let forms = links.make(module, instance, &signature, results);
    given::functions(module, symbol, &signature, instance, forms, results, mode, spaces)
}

fn is_gated(mode: &str) -> bool {
    mode == stage::GATED || mode == CARRIED
}

/// What is wanted of the instance that a call is of, where its caller is wanted in this mode.
fn modes_of(mode: &'static str, reach: Option<&Reach>, call: OpId) -> Vec<&'static str> {
    let (gated, apart) = (reach.is_some_and(|r| r.is_gated(call)), reach.is_some_and(|r| r.is_apart(call)));
    match mode {
        stage::REVERSE if gated || apart => vec![CARRIED, stage::REVERSE],
        stage::FORWARD | stage::GATED if gated => vec![stage::GATED],
        stage::GATED => vec![stage::FORWARD],
        CARRIED if gated || apart => vec![CARRIED],
        CARRIED => Vec::new(),
        mode => vec![mode],
    }
}

/// Makes the linearizations that this round's requests need, with those of all functions that derivatives flow through.
/// What an earlier round has made is used again, as it is.
pub fn linearize_module(module: &mut Module, corners: Corners) -> Result<bool, Errors> {
    lower_pairs_module(module);
    resolve_corners(module, corners);
    linearize_ready(module, corners)
}

/// [`linearize_module`] where there are no pairs.
fn linearize_ready(module: &mut Module, corners: Corners) -> Result<bool, Errors> {
    still::leave_out(module);
    given::transposed::make(module).map_err(|e| vec![e])?;
    pointers::pair(module).map_err(|e| vec![e])?;
    anchors::anchor(module).map_err(|e| vec![e])?;
    differentiate_sums(module);
    generators::expand(module);
    let ready = ready_requests(module);
    if ready.is_empty() {
        return match module.symbols().iter().find(|s| is_request(s)) {
            Some(stuck) => Err(vec![
                Diagnostic::error(codes::E0604, stuck.loc, format!("'{}' needs its own derivative", stuck.name))
                    .with_note("a function whose body contains a derivative of itself cannot be differentiated"),
            ]),
            None => Ok(false),
        };
    }
    let mut errors = Errors::new();
    let mut made: Vec<SymbolOp> = Vec::new();
    let spaces = Spaces::of(module);
    let mut links = Links::of(module);
    {
        let mut activities = Activities::new(module);
        let views = activities.views();
        let mut reaches = Reaches::new(module, corners, views.clone());
        // Each instance with the modes it is wanted in, in a stable order.
        let mut modes: Vec<(Instance, FxHashSet<&'static str>)> = Vec::new();
        let mut at: FxHashMap<Instance, usize> = FxHashMap::default();
        // With what was asked for that it is wanted for.
        let mut work: Vec<(Instance, &'static str, Loc)> = Vec::new();
        for name in &ready {
            let Some(request) = module.get(*name) else { continue };
            match requested(module, request) {
                Ok((instance, _)) => work.push((instance, wants(request), request.loc)),
                Err(e) => errors.push(e),
            }
        }
        work.reverse();
        while let Some((instance, mode, asked)) = work.pop() {
            let index = *at.entry(instance.clone()).or_insert_with(|| {
                modes.push((instance.clone(), FxHashSet::default()));
                modes.len() - 1
            });
            if !modes[index].1.insert(mode) {
                continue;
            }
            if links.find(&instance).is_some_and(|forms| made_before(module, forms, mode)) {
                modes[index].1.remove(mode);
                continue;
            }
            match activities.get(&instance) {
                Ok(activity) if given_in(module, &instance, mode) => {
                    modes[index].1.remove(mode);
                    match give(module, &instance, &activity.results, mode, &spaces, &mut links) {
                        Ok(functions) => made.extend(functions),
                        Err(e) => errors.push(e),
                    }
                }
                Ok(activity) if activity.broken.is_some() => {
                    errors.extend(activity.broken.clone().map(|e| activity::asked_at(e, asked)));
                }
                Ok(activity) => {
                    let mut calls: Vec<_> = activity.calls.iter().collect();
                    calls.sort_by_key(|(op, _)| **op);
                    let caller = module.get(instance.func);
                    calls.retain(|(op, callee)| {
                        let given = caller.filter(|_| given_in(module, callee, mode));
                        let lost = given.and_then(|caller| pointers::check_call(module, caller, **op, callee));
                        errors.extend(lost.clone());
                        lost.is_none()
                    });
                    let reach = reaches.get(&mut activities, &instance, is_gated(mode));
                    for (op, callee) in calls.into_iter().rev() {
                        work.extend(
                            modes_of(mode, reach.as_deref(), *op).into_iter().map(|m| (callee.clone(), m, asked)),
                        );
                    }
                }
                Err(e) => errors.push(activity::asked_at(e, asked)),
            }
        }
        if !errors.is_empty() {
            // What is wrong in both modes is told once.
            let mut told = Errors::new();
            for error in errors {
                if !told.contains(&error) {
                    told.push(error);
                }
            }
            return Err(told);
        }
        let mut keys: FxHashMap<Instance, linearize::Callee> = FxHashMap::default();
        for (instance, _) in &modes {
            if let (Some(symbol), Ok(activity)) = (module.get(instance.func), activities.get(instance))
                && let Some(signature) = Signature::of(symbol)
            {
                let forms = links.make(module, instance, &signature, &activity.results);
                // What exists decides: its callers rely on its type.
                let results = links.results(forms.instance).unwrap_or(&activity.results).to_vec();
                let given = given_in(module, instance, stage::REVERSE);
                let views = views.contains(&instance.func);
                let anchored = symbol.attr(stage::ANCHORED).is_some();
                keys.insert(instance.clone(), linearize::Callee { forms, results, given, anchored, views });
            }
        }
        for (instance, wanted) in &modes {
            let Some(symbol) = module.get(instance.func).filter(|_| !wanted.is_empty()) else { continue };
            let (Some(signature), Ok(activity)) = (Signature::of(symbol), activities.get(instance)) else { continue };
            for gated in [false, true] {
                let wanted = |mode: &str| wanted.contains(mode) && is_gated(mode) == gated;
                if ![stage::FORWARD, stage::REVERSE, stage::GATED, CARRIED].into_iter().any(wanted) {
                    continue;
                }
                let Some(reach) = reaches.get(&mut activities, instance, gated) else { continue };
                let form = linearize::Form { reach: &reach, gated };
                match linearize::linearize(symbol, &signature, instance, &activity, &keys, corners, &form) {
                    Ok(mut f) => {
                        if wanted(stage::FORWARD) || wanted(stage::GATED) {
                            f.set_attr(stage::FORWARD, Attr::unit());
                        }
                        if wanted(stage::REVERSE) {
                            f.set_attr(stage::REVERSE, Attr::unit());
                        }
                        made.push(f);
                    }
                    Err(e) => errors.push(e),
                }
            }
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    links.store(module);
    for f in made {
        module.put(f);
    }
    Ok(true)
}

/// Chooses a mode for each loop of every linearized function whose reverse derivative is wanted.
pub fn choose_modes_module(module: &mut Module, policy: &Policy) -> Result<bool, Errors> {
    let choices = checkpoint::choose_modes_module(module, policy).map_err(|e| vec![e])?;
    Ok(ungate::free_module(module) | choices.iter().any(|c| c.forward))
}

/// Marks what the reverse pass computes again, in every linearized function whose reverse derivative is wanted.
pub fn checkpoint_module(module: &mut Module, policy: &Policy) -> Result<bool, Errors> {
    checkpoint::checkpoint_module(module, policy).map_err(|e| vec![e])?;
    Ok(true)
}

/// Makes a function of each symbol in a stage; errors are collected.
fn each(
    module: &mut Module,
    select: impl Fn(&SymbolOp) -> bool,
    step: impl Fn(&SymbolOp) -> Result<SymbolOp, Diagnostic> + Sync + Send,
) -> Result<bool, Errors> {
    let mut made = Vec::new();
    let mut errors = Errors::new();
    let selected: Vec<&SymbolOp> = module.symbols().iter().filter(|s| select(s)).collect();
    for result in Threads::Shared.map_symbols(selected, step) {
        match result {
            Ok(f) => made.push(f),
            Err(e) => errors.push(e),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let changed = !made.is_empty();
    for f in made {
        module.put(f);
    }
    Ok(changed)
}

/// Unzips every linearized function whose reverse derivative is wanted.
pub fn unzip_module(module: &mut Module) -> Result<bool, Errors> {
    ungate::free_module(module);
    let wanted = |s: &SymbolOp| stage::is_stage(s, stage::LINEARIZED) && s.attr(stage::REVERSE).is_some();
    let links = Links::of(module);
    each(module, wanted, |s| unzip::unzip(s, &links))
}

/// Turns the round's functions into functions on data, puts functions with the programmer's signatures in the place of the requests,
/// and removes the intermediate forms.
pub fn extract_module(module: &mut Module) -> Result<bool, Errors> {
    let mut errors = Errors::new();
    let mut made: Vec<SymbolOp> = Vec::new();
    let mut contexts = Contexts::default();
    let (spaces, links) = (Spaces::of(module), Links::of(module));
    for symbol in module.symbols().iter().filter(|s| stage::is_stage(s, stage::TRANSPOSED)) {
        // Halves that an earlier round made.
        let known =
            extract::context_keys(symbol).into_iter().filter_map(|k| Some((k, context_of(module, links.forms(k)?)?)));
        contexts.extend(known);
    }
    // Callees first: a caller's context holds theirs.
    let mut order: Vec<Name> = Vec::new();
    let mut visited: FxHashSet<Name> = FxHashSet::default();
    let transposed = |instance: Name| {
        links.forms(instance).and_then(|f| module.get(f.rev)).filter(|s| stage::is_stage(s, stage::TRANSPOSED))
    };
    for symbol in module.symbols().iter().filter(|s| stage::is_stage(s, stage::TRANSPOSED)) {
        let mut stack: Vec<_> = stage::instance_of(symbol).map(|i| (i, false)).into_iter().collect();
        while let Some((key, done)) = stack.pop() {
            if done {
                order.push(key);
            } else if visited.insert(key) {
                stack.push((key, true));
                if let Some(s) = transposed(key) {
                    stack.extend(extract::context_keys(s).into_iter().map(|k| (k, false)));
                }
            }
        }
    }
    for key in order {
        let Some(symbol) = transposed(key) else { continue };
        match extract::extract(symbol, &contexts, &spaces, &links) {
            Ok((halves, context)) => {
                contexts.insert(key, context);
                made.extend(halves);
            }
            Err(e) => errors.push(e),
        }
    }
    for symbol in module.symbols().iter().filter(|s| stage::is_stage(s, stage::LINEARIZED)) {
        if symbol.attr(stage::FORWARD).is_some() {
            match extract::extract_forward(symbol, &spaces, &links) {
                Ok(f) => made.push(f),
                Err(e) => errors.push(e),
            }
        }
    }
    if !errors.is_empty() {
        // What serves the requests would only miss what could not be made.
        return Err(errors);
    }
    for name in ready_requests(module) {
        let Some(request) = module.get(name) else { continue };
        match serve(module, request, &contexts, &spaces, &links) {
            Ok(f) => made.push(f),
            Err(e) => errors.push(e),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    module.retain(|s| s.attr(stage::STAGE).is_none());
    let changed = !made.is_empty();
    for f in made {
        module.put(f);
    }
    if !module.symbols().iter().any(is_request) {
        module.retain(|s| !is_space(s) && !is_link(s));
        forms::forget_unused(module);
    }
    Ok(changed)
}

fn serve(
    module: &Module,
    request: &SymbolOp,
    contexts: &Contexts,
    spaces: &Spaces,
    links: &Links,
) -> Result<SymbolOp, Diagnostic> {
    let (instance, signature) = requested(module, request)?;
    let is_made = |f: &Forms| module.contains(f.jvp) || made_before(module, *f, wants(request));
    let forms = links.find(&instance).filter(is_made).ok_or_else(|| {
        Diagnostic::invalid_ir(request.loc, format!("@{} has not been linearized", instance.func))
            .with_note("run linearize, checkpoint, unzip and transpose before extract")
    })?;
    let active_results = links.results(forms.instance).unwrap_or_default();
    let context = contexts.get(&forms.instance).copied().or_else(|| context_of(module, forms));
    wrapper(
        request,
        &Wrapped {
            signature: &signature,
            instance: &instance,
            forms,
            active_results,
            given: given_in(module, &instance, stage::REVERSE),
            context,
            spaces,
        },
    )
}

/// Replaces pairs by structs in the whole module; the symbols in which there were any.
pub fn lower_pairs_module(module: &mut Module) -> Vec<Name> {
    let mut changed = Vec::new();
    for symbol in module.symbols_mut() {
        let is_code =
            symbol.body.entry().is_some() || is_request(symbol) || std::ptr::eq(symbol.def, agg::Resource::DEF);
        if is_code && pairs::lower(symbol) {
            changed.push(symbol.name);
        }
    }
    changed
}

/// Decides what functions of the prelude are at corners; the symbols in which there was something to decide.
fn resolve_corners(module: &mut Module, corners: Corners) -> Vec<Name> {
    let mut changed = Vec::new();
    for symbol in module.symbols_mut() {
        let body = &mut symbol.body;
        let ops: Vec<_> = body.all_ops().filter(|&op| ad::CornerZero::is(body, op)).collect();
        if !ops.is_empty() {
            changed.push(symbol.name);
        }
        for op in ops {
            let Some(mut b) = Builder::before(body, op) else { continue };
            let decided = arith::bool(&mut b, corners == Corners::Zero);
            let result = body.result(op, 0);
            body.replace_uses(result, decided);
            body.erase_op(op);
        }
    }
    changed
}

/// Serves all requests, round after round. What is not needed goes after each linearization and each round: dead code must go before a step looks at it.
/// It runs on what the round has made or changed.
pub fn differentiate(module: &mut Module, policy: &Policy) -> Result<(), Errors> {
    differentiate_under(module, policy, &mut Report::default(), &CancelToken::default())
}

/// [`differentiate`], and what was decided about the reverse derivatives; `cancel` ends it.
pub fn differentiate_under(
    module: &mut Module,
    policy: &Policy,
    report: &mut Report,
    cancel: &CancelToken,
) -> Result<(), Errors> {
    let size = |m: &Module| m.symbols().iter().map(|s| s.body.all_ops().count()).sum::<usize>();
    let most = MAX_OPS + MAX_GROWTH * size(module);
    for _ in 0..MAX_ROUNDS {
        if let Some(left) = module.symbols().iter().find(|s| is_request(s))
            && size(module) > most
        {
            return Err(vec![too_deep(left, format!("nested derivatives make more than {most} operations"))]);
        }
        let mut settled: FxHashSet<Name> = module.symbols().iter().filter(|s| !is_request(s)).map(|s| s.name).collect();
        for changed in lower_pairs_module(module) {
            settled.remove(&changed);
        }
        for changed in resolve_corners(module, policy.corners) {
            settled.remove(&changed);
        }
        let fresh = |m: &Module| m.symbols().iter().map(|s| s.name).filter(|n| !settled.contains(n)).collect();
        if !linearize_ready(module, policy.corners)? {
            module.retain(|s| !is_space(s) && !is_link(s));
            return Ok(());
        }
        tidy(module, fresh(module), cancel)?;
        let carried = checkpoint::plan(module, policy, checkpoint::Step::Modes, report).map_err(|e| vec![e])?;
        let freed = ungate::free_module(module);
        if carried || freed {
            tidy(module, fresh(module), cancel)?;
        }
        if carried {
            checkpoint::forget_unused(module, reverse_roots(module));
        }
        checkpoint::plan(module, policy, checkpoint::Step::Marks, report).map_err(|e| vec![e])?;
        unzip_module(module)?;
        forms::transpose_module(module)?;
        tidy(module, fresh(module), cancel)?;
        extract_module(module)?;
        tidy(module, fresh(module), cancel)?;
    }
    let left = module.symbols().iter().find(|s| is_request(s));
    match left {
        None => Ok(()),
        Some(s) => Err(vec![too_deep(s, format!("derivatives are nested more than {MAX_ROUNDS} deep"))]),
    }
}

fn too_deep(request: &SymbolOp, text: String) -> Diagnostic {
    Diagnostic::error(codes::E0605, request.loc, text)
        .with_label(format!("'{}' is yet to be made", request.name))
        .with_note("use fewer nested fwd_diff and bwd_diff operators")
}
