//! What specialization leaves: nothing generic. A diagnostic is a fault of the compiler.

use super::{is_def, is_generic_op, is_template};
use caustic_dialects::hl;
use caustic_dialects::hl::generics::{GENERICS, mentions_generics};
use caustic_ir::{Diagnostic, Module};
use rustc_hash::FxHashMap;

/// Everything generic that is left in the module.
pub fn leftovers(module: &Module) -> Vec<Diagnostic> {
    let mut seen = FxHashMap::default();
    let mut found = Vec::new();
    for symbol in module.symbols() {
        let mut report = |loc, text: String| {
            found.push(Diagnostic::internal(loc, format!("@{}: not specialized: {text}", symbol.name)))
        };
        if is_template(symbol) || is_def(symbol, hl::Derivative::DEF) || symbol.attr(GENERICS).is_some() {
            report(symbol.loc, format!("{} is left", symbol.def.name));
        }
        for (name, attr) in &symbol.attrs {
            if let Some(ty) = attr.as_type().filter(|t| mentions_generics(*t, &mut seen)) {
                report(symbol.loc, format!("{name} = {ty}"));
            }
        }
        let body = &symbol.body;
        let args = body.entry().map_or(&[][..], |block| body.args(block));
        for &arg in args.iter().filter(|&&v| mentions_generics(body.ty(v), &mut seen)) {
            report(symbol.loc, format!("an argument of type {}", body.ty(arg)));
        }
        for op in body.walk_all() {
            let data = body.op(op);
            if is_generic_op(data.def) {
                report(data.loc, format!("{} is left", data.def.name));
            }
            for &v in data.results.iter().filter(|&&v| mentions_generics(body.ty(v), &mut seen)) {
                report(data.loc, format!("{} gives a {}", data.def.name, body.ty(v)));
            }
        }
    }
    found
}
