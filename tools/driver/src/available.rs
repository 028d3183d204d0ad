//! What can be run: code that reaches no function which is only declared, and entry points of this machine's stage.
//!
//! A program may declare what it cannot run here (prototypes, functions of other stages), and is checked all the same. This looks at
//! `hl`, before any pass: there every call stands where the program has it.

use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::{BACKWARD_DERIVATIVE, ELSEWHERE, FORWARD_DERIVATIVE, PRIMAL_SUBSTITUTE, UNAVAILABLE};
use caustic_ir::{Attr, Diagnostic, Loc, Module, Name, SymbolOp, codes};
use caustic_passes::optimize::symbol_dce::mentioned;
use std::collections::HashMap;

/// Why a symbol is only declared.
fn reason(symbol: &SymbolOp, key: &str) -> Option<String> {
    symbol.attr(key).and_then(|a| a.as_str()).map(str::to_string)
}

fn graph(module: &Module) -> CallGraph {
    CallGraph::of_names(module, |symbol, names| mentioned(symbol, &mut |name| names.push(name)))
}

/// Checks that `root` and all that it reaches can be run.
///
/// # Errors
/// Each place where something is named that is only declared.
pub(crate) fn check(module: &Module, root: Name) -> Result<(), Vec<Diagnostic>> {
    let errors = [(ELSEWHERE, codes::E0282), (UNAVAILABLE, codes::E0303)];
    for (key, code) in errors {
        let why = module.get(root).and_then(|symbol| Some((symbol.loc, reason(symbol, key)?)));
        if let Some((loc, why)) = why {
            return Err(vec![Diagnostic::error(code, loc, why)]);
        }
    }
    let declared = declared(module);
    if declared.is_empty() {
        return Ok(());
    }
    let mut found = Vec::new();
    let reached = graph(module).reachable([root]);
    for symbol in module.symbols().iter().filter(|s| reached.contains(&s.name) && !declared.contains_key(&s.name)) {
        for (named, at) in named_by(symbol) {
            let Some((why, loc)) = declared.get(&named) else { continue };
            // One reason for each place.
            if !found.iter().any(|d: &Diagnostic| d.loc == at) {
                found.push(Diagnostic::error(codes::E0303, at, why.clone()).with_label_at(*loc, "only declared here"));
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// For each function that reaches something which is only declared: why.
pub(crate) fn unavailable(module: &Module) -> HashMap<Name, String> {
    let mut out = HashMap::new();
    let declared = declared(module);
    if declared.is_empty() {
        return out;
    }
    let graph = graph(module);
    for symbol in module.symbols() {
        let Some((why, _)) = declared.get(&symbol.name) else { continue };
        for caller in graph.reaching([symbol.name]) {
            out.entry(caller).or_insert_with(|| format!("it needs what is only declared: {why}"));
        }
    }
    out
}

/// The functions that are only declared, and their derivatives unless these are given: why, and where each is declared.
fn declared(module: &Module) -> HashMap<Name, (String, Loc)> {
    let own = module.symbols().iter().filter_map(|s| Some((s.name, (reason(s, UNAVAILABLE)?, s.loc))));
    let mut out: HashMap<Name, (String, Loc)> = own.collect();
    // A derivative stands behind what it is of.
    for symbol in module.symbols() {
        let Some(of) = symbol.symbol_attr("of") else { continue };
        let given = module.get(of).is_some_and(|of| {
            let backward = symbol.attr("mode").and_then(|a| a.as_str()) == Some("bwd");
            let has = |key: &str| of.attr(key).is_some();
            has(PRIMAL_SUBSTITUTE) || has(FORWARD_DERIVATIVE) || backward && has(BACKWARD_DERIVATIVE)
        });
        if let Some(found) = out.get(&of).cloned().filter(|_| !given) {
            out.insert(symbol.name, found);
        }
    }
    out
}

/// What a symbol's code names, and where; what its attributes name, at the symbol.
fn named_by(symbol: &SymbolOp) -> Vec<(Name, Loc)> {
    let mut out = Vec::new();
    for op in symbol.body.walk_all() {
        let op = symbol.body.op(op);
        out.extend(op.attrs.iter().filter_map(|(_, a): &(Name, Attr)| Some((a.as_symbol()?, op.loc))));
    }
    // What a derivative is of need not be run for it.
    out.extend(
        symbol.attrs.iter().filter(|(key, _)| *key != "of").filter_map(|(_, a)| Some((a.as_symbol()?, symbol.loc))),
    );
    out
}
