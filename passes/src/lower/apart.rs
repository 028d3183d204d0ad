//! Functions for callers outside of the module, which leave no result in the place of a parameter
//! that is only given.
//!
//! By [`StorageParams`] a result that is kept in storage takes the place of a parameter of its
//! type. Callers in the module count on that, so they get a function of their own where there are
//! any.

use caustic_dialects::agg::{StorageParams, needs_storage};
use caustic_dialects::func;
use caustic_dialects::signature::Signature;
use caustic_ir::{Attr, Builder, Module, Name, OpId, SymbolOp};

use crate::analysis::stage;

/// Attribute of functions that are called otherwise than their types say: a [`StorageParams`].
const APART: &str = "called_as";

/// How a function is called once its arrays and tapes are in storage.
pub(super) fn storage_params(symbol: &SymbolOp) -> StorageParams {
    let (inputs, outputs) = symbol.function_type().unwrap_or((&[], &[]));
    let own = symbol.attr(APART).and_then(|attr| StorageParams::of_attr(&attr));
    own.unwrap_or_else(|| StorageParams::of_types(inputs, outputs))
}

/// Has functions called as their signatures say, before `lower-storage`: of the results only those
/// of `out` and `inout` parameters take these parameters' places.
pub fn set_apart(module: &mut Module, functions: &[Name]) {
    for &name in functions {
        let Some(signature) = module.get(name).and_then(Signature::of) else { continue };
        let params = StorageParams::of_types(&signature.inputs, &signature.results);
        let own = own_params(&signature);
        if params == own {
            continue;
        }
        let inner = module.fresh_name(&format!("{name}_in_place"));
        let mut calls = 0;
        for symbol in module.symbols_mut() {
            let is_call = |op: &OpId| {
                let callee = func::Call::cast(&symbol.body, *op).and_then(|call| call.callee(&symbol.body));
                callee == Some(name)
            };
            let found: Vec<OpId> = symbol.body.walk_all().into_iter().filter(is_call).collect();
            calls += found.len();
            for op in found {
                symbol.body.set_attr(op, "callee", Attr::symbol(inner));
            }
        }
        let Some(symbol) = module.get_mut(name) else { continue };
        if calls == 0 {
            symbol.set_attr(APART, own.to_attr());
            continue;
        }
        let mut outer = caller(symbol, inner);
        outer.set_attr(APART, own.to_attr());
        let called = SymbolOp { name: inner, ..std::mem::replace(symbol, outer) };
        module.put(called);
    }
}

fn own_params(signature: &Signature) -> StorageParams {
    let carried = |i: usize| signature.params.iter().find(|p| p.input == Some(i)).and_then(|p| p.result);
    let fits = |i: usize, k: &usize| needs_storage(signature.inputs[i]) && signature.inputs[i] == signature.results[*k];
    let mut results: Vec<Option<usize>> =
        (0..signature.inputs.len()).map(|i| carried(i).filter(|k| fits(i, k))).collect();
    let others = (0..signature.results.len()).filter(|&k| needs_storage(signature.results[k]));
    let others: Vec<Option<usize>> = others.map(Some).filter(|k| !results.contains(k)).collect();
    results.extend(others);
    StorageParams { inputs: signature.inputs.len(), results }
}

/// The function as one that calls another.
fn caller(symbol: &SymbolOp, callee: Name) -> SymbolOp {
    let (inputs, results) = symbol.function_type().unwrap_or((&[], &[]));
    let mut out = stage::new_func(symbol.name, inputs, results, symbol.loc);
    out.attrs.clone_from(&symbol.attrs);
    let Some(block) = out.body.entry() else { return out };
    let args = out.body.args(block).to_vec();
    let named = symbol.body.entry().map(|b| symbol.body.args(b).to_vec()).unwrap_or_default();
    for (&arg, &of) in args.iter().zip(&named) {
        out.body.set_hint(arg, symbol.body.value(of).hint);
    }
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    let call = func::Call::build(&mut b, &args, results, &[("callee", Attr::symbol(callee))]);
    let results = b.body.results(call).to_vec();
    func::Return::build(&mut b, &results, &[]);
    out
}
