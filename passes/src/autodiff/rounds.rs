//! The steps over whole modules, and rounds of them until no derivative is asked for.

use super::boundary::{Wrapped, wrapper};
use super::checkpoint::{self, Policy, Report};
use super::extract::{self, Contexts};
use super::instances::{self, given_in, made_before};
use super::partials::SingularPoints;
use super::requests::{is_request, ready_requests, requested, reverse_roots, wants};
use super::space::{Spaces, differentiate_sums, is_space};
use super::{custom, forms, generators, keep_alive, pairs, pointers, still, ungate, unzip};
use crate::analysis::derivative_links::{Forms, Links, is_link};
use crate::analysis::stage;
use crate::manager::Threads;
use crate::optimize::tidy::tidy;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::{ad, agg, arith};
use caustic_ir::codes;
use caustic_ir::{Builder, CancelToken, Diagnostic, Module, Name, SymbolOp, Type};
use rustc_hash::FxHashSet;

type Errors = Vec<Diagnostic>;

/// Rounds that one module may need; each serves one more level of nested operators.
const MAX_ROUNDS: usize = 16;
/// Each level of nesting multiplies the code; these bound what all levels make of a small and of a large program.
const MAX_OPS: usize = 60_000;
const MAX_GROWTH: usize = 16;

/// The context type of an instance whose primal half exists: its last result.
fn context_of(module: &Module, forms: Forms) -> Option<Type> {
    module.get(forms.primal)?.function_type()?.1.last().copied()
}

/// Makes the linearizations that this round's requests need, with those of all functions that derivatives flow through.
/// What an earlier round has made is used again, as it is.
pub fn linearize_module(module: &mut Module, singular: SingularPoints) -> Result<bool, Errors> {
    lower_pairs_module(module);
    resolve_singular_points(module, singular);
    linearize_ready(module, singular)
}

/// [`linearize_module`] where there are no pairs.
fn linearize_ready(module: &mut Module, singular: SingularPoints) -> Result<bool, Errors> {
    still::leave_out(module);
    custom::transposed::make(module).map_err(|e| vec![e])?;
    pointers::pair(module).map_err(|e| vec![e])?;
    keep_alive::run(module).map_err(|e| vec![e])?;
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
    let (mut links, made) = instances::linearizations(module, &ready, singular)?;
    links.store(module);
    for f in made {
        module.put(f);
    }
    Ok(true)
}

/// Chooses a mode for each loop of every linearized function whose reverse derivative is wanted.
pub fn choose_modes_module(module: &mut Module, policy: &Policy) -> Result<bool, Errors> {
    let mut report = Report::default();
    checkpoint::choose_modes(module, policy, &mut report).map_err(|e| vec![e])?;
    Ok(ungate::free_module(module) | report.choices.iter().any(|c| c.forward))
}

/// Marks what the reverse pass computes again, in every linearized function whose reverse derivative is wanted.
pub fn checkpoint_module(module: &mut Module, policy: &Policy) -> Result<bool, Errors> {
    checkpoint::mark_all(module, policy, &mut Report::default());
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

/// Turns the round's functions into functions on data, puts functions with the programmer's signatures in the place of
/// the requests, and removes the intermediate forms.
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
    let transposed = |instance: Name| {
        links.forms(instance).and_then(|f| module.get(f.rev)).filter(|s| stage::is_stage(s, stage::TRANSPOSED))
    };
    let is_transposed = |s: &&SymbolOp| stage::is_stage(s, stage::TRANSPOSED);
    let keys: Vec<Name> = module.symbols().iter().filter(is_transposed).filter_map(stage::instance_of).collect();
    let graph = CallGraph::of_nodes(&keys, |i, edges| {
        edges.extend(transposed(keys[i]).into_iter().flat_map(extract::context_keys).map(|key| (key, ())));
    });
    for key in graph.post_order_from(keys.iter().copied()) {
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

/// Decides what functions of the prelude are at singular; the symbols in which there was something to decide.
fn resolve_singular_points(module: &mut Module, singular: SingularPoints) -> Vec<Name> {
    let mut changed = Vec::new();
    for symbol in module.symbols_mut() {
        let body = &mut symbol.body;
        let ops: Vec<_> = body.all_ops().filter(|&op| ad::SingularZero::is(body, op)).collect();
        if !ops.is_empty() {
            changed.push(symbol.name);
        }
        for op in ops {
            let Some(mut b) = Builder::before(body, op) else { continue };
            let decided = arith::bool(&mut b, singular == SingularPoints::Zero);
            let result = body.result(op, 0);
            body.replace_uses(result, decided);
            body.erase_op(op);
        }
    }
    changed
}

/// Serves all requests, round after round. What is not needed goes after each linearization and each round: dead code
/// must go before a step looks at it. It runs on what the round has made or changed.
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
        for changed in resolve_singular_points(module, policy.singular) {
            settled.remove(&changed);
        }
        let fresh = |m: &Module| m.symbols().iter().map(|s| s.name).filter(|n| !settled.contains(n)).collect();
        if !linearize_ready(module, policy.singular)? {
            module.retain(|s| !is_space(s) && !is_link(s));
            return Ok(());
        }
        tidy(module, fresh(module), cancel)?;
        let carried = checkpoint::choose_modes(module, policy, report).map_err(|e| vec![e])?;
        let freed = ungate::free_module(module);
        if carried || freed {
            tidy(module, fresh(module), cancel)?;
        }
        if carried {
            checkpoint::forget_unused(module, reverse_roots(module));
        }
        checkpoint::mark_all(module, policy, report);
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
