//! The last step: functions on data of what a round has made, and functions with the programmer's
//! signatures in the place of its requests.
//!
//! This module must not know: how one function is taken apart.

use super::boundary::{Wrapped, wrapper};
use super::extract::{self, Contexts};
use super::forms;
use super::instances::{given_in, made_before};
use super::requests::{ready_requests, requested, wants};
use super::space::{Spaces, is_space};
use super::verify::checked;
use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::{Forms, Links, is_link};
use crate::analysis::stage;
use crate::autodiff::Errors;
use crate::manager::PassReport;
use crate::passes;
use caustic_dialects::ad::is_request;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::{PARAMS, Param, Signature, param_attr, written_as};
use caustic_ir::{Attr, Diagnostic, Module, Name, SymbolOp, Type};

passes! {
    /// Makes primal-with-context and backward functions of transposed ones and forward derivatives
    /// of linearized ones, all on plain data, and puts functions with the programmer's signatures
    /// in the place of the requests.
    pub static EXTRACT: "ad-extract" {
        level: module, options: none, before: "linearized and transposed functions", after: "func scf arith math vector agg", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = extract_module(module);
            checked(module, result)
        },
    }
}

/// The context type of an instance whose primal half exists: its last result.
fn context_of(module: &Module, forms: Forms) -> Option<Type> {
    module.get(forms.primal)?.function_type()?.1.last().copied()
}

/// Turns the round's functions into functions on data, puts functions with the programmer's
/// signatures in the place of the requests, and removes the intermediate forms.
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
    forms::drop_links(module);
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
    let mut made = wrapper(
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
    )?;
    let given = module.get(instance.func).and_then(|f| custom_derivatives::derivative(f, wants(request)));
    if let Some(given) = given.and_then(|name| module.get(name)) {
        hold_as_given(&mut made, given);
    }
    Ok(made)
}

/// The derivative of a custom derivative is its own: what this does not hold constant is not.
fn hold_as_given(made: &mut SymbolOp, given: &SymbolOp) {
    let Some((own, given)) = Signature::of(made).zip(Signature::of(given)) else { return };
    if own.params.len() == given.params.len() {
        let params = own.params.iter().zip(&given.params).enumerate();
        let entry = |own: &Param, given: &Param| param_attr(&own.name, own.dir, given.no_diff);
        let params = params.map(|(k, (own, given))| written_as(entry(own, given), made, k)).collect();
        made.set_attr(PARAMS, Attr::array(params));
    }
}
