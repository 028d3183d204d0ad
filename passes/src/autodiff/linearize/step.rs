//! The linearization of a module: prepares the functions that this round's requests need, and makes
//! their linearizations.
//!
//! This module must not know how one function is linearized.

use crate::analysis::stage;
use crate::autodiff::Errors;
use crate::autodiff::pairs::lower_pairs_module;
use crate::autodiff::partials::SingularPoints;
use crate::autodiff::requests::ready_requests;
use crate::autodiff::space::differentiate_sums;
use crate::autodiff::verify::checked;
use crate::autodiff::{custom, generators, instances, keep_alive, pointers, still};
use crate::manager::PassReport;
use crate::passes;
use caustic_dialects::ad::is_request;
use caustic_dialects::{ad, arith};
use caustic_ir::codes;
use caustic_ir::{Attr, Builder, Diagnostic, Module, Name, SymbolOp};

passes! {
    /// Makes the forward derivative of every function that a request for a derivative needs, with a
    /// tangent beside each active value.
    ///
    /// Serves the requests (`ad.derivative`) whose function contains no further one; makes the
    /// linearization of each of their functions and all that derivatives flow through.
    pub static LINEARIZE: "ad-linearize" {
        level: module,
        options: LinearizeOptions { singular: SingularPoints = "convention", "What derivatives are at singular points."; },
        before: "func scf arith math vector agg, ad.derivative", after: "the same and linear ad ops", statistics: [],
        run: |module: &mut Module, options: &LinearizeOptions, _: &mut PassReport| {
            let result = linearize_module(module, options.singular);
            checked(module, result)
        },
    }
}

/// Makes the linearizations that this round's requests need, and those of all functions that
/// derivatives flow through. Linearizations of earlier rounds are reused.
pub fn linearize_module(module: &mut Module, singular: SingularPoints) -> Result<bool, Errors> {
    lower_pairs_module(module);
    resolve_singular_points(module, singular);
    linearize_ready(module, singular)
}

/// [`linearize_module`] for a module without pairs.
pub fn linearize_ready(module: &mut Module, singular: SingularPoints) -> Result<bool, Errors> {
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
    for mut f in made {
        keep_modes(&mut f, module);
        module.put(f);
    }
    Ok(true)
}

/// A linearization that stands in the module already is called by others there, in the modes in
/// which it was made: what takes its place is wanted in these, too.
fn keep_modes(made: &mut SymbolOp, module: &Module) {
    let before = module.get(made.name).filter(|s| stage::is_stage(s, stage::LINEARIZED));
    let Some(before) = before else { return };
    for mode in [stage::FORWARD, stage::REVERSE].into_iter().filter(|mode| before.attr(mode).is_some()) {
        made.set_attr(mode, Attr::unit());
    }
}

/// Decides the values of prelude functions at singular points. Returns the symbols in which there
/// was something to decide.
pub fn resolve_singular_points(module: &mut Module, singular: SingularPoints) -> Vec<Name> {
    let mut changed = Vec::new();
    for symbol in module.symbols_mut() {
        let body = &mut symbol.body;
        let ops: Vec<_> = body.all_ops().filter(|&op| ad::SingularZero::is(body, op)).collect();
        if !ops.is_empty() {
            changed.push(symbol.name);
        }
        for op in ops {
            let Some(mut b) = Builder::before(body, op) else { continue };
            let decided = arith::bool(&mut b, singular == SingularPoints::Convention);
            let result = body.result(op, 0);
            body.replace_uses(result, decided);
            body.erase_op(op);
        }
    }
    changed
}
