//! Derivatives that call themselves without end.
//!
//! The transpose of a custom forward derivative calls the backward derivatives of what the given
//! function calls on tangents. Where these are transposes, too, they may lead back to it, and no
//! condition is between. That the given function calls its own function is found before
//! (`custom::linearity`).

use super::custom::transposed::TRANSPOSE_OF;
use caustic_dialects::call_graph::callee;
use caustic_ir::{Diagnostic, Module, Name, SymbolOp, codes};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a function calls whenever it is called itself.
fn always_called(symbol: &SymbolOp) -> Vec<Name> {
    let Some(entry) = symbol.body.entry() else { return Vec::new() };
    symbol.body.block_ops(entry).into_iter().filter_map(|op| callee(&symbol.body, op)).collect()
}

/// # Errors
/// Each custom forward derivative whose transpose cannot end.
pub fn check(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let transposes: Vec<&SymbolOp> = module.symbols().iter().filter(|s| s.attr(TRANSPOSE_OF).is_some()).collect();
    if transposes.is_empty() {
        return Ok(());
    }
    let calls: FxHashMap<Name, Vec<Name>> = module.symbols().iter().map(|s| (s.name, always_called(s))).collect();
    let found = transposes.into_iter().filter(|s| reaches_itself(s.name, &calls)).map(|s| {
        let given = s.attr(TRANSPOSE_OF).and_then(|a| a.as_symbol()).unwrap_or(s.name);
        Diagnostic::error(codes::E0606, s.loc, format!("the transpose of '{given}' would call itself without end"))
            .with_label("it calls its function on tangents, whose backward derivative is this transpose")
            .with_note("compute the derivative without the function, or give a backward derivative with `[BackwardDerivative]`")
    });
    let found: Vec<Diagnostic> = found.collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn reaches_itself(name: Name, calls: &FxHashMap<Name, Vec<Name>>) -> bool {
    let mut seen: FxHashSet<Name> = FxHashSet::default();
    let mut todo = vec![name];
    while let Some(at) = todo.pop() {
        for &next in calls.get(&at).into_iter().flatten() {
            if next == name {
                return true;
            }
            if seen.insert(next) {
                todo.push(next);
            }
        }
    }
    false
}
