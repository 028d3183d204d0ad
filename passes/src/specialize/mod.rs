//! `specialize`: what generic arguments decide is decided (the first pass behind the front end).
//!
//! Dictionary passing, undone at compile time: every place that needs a generic function names it
//! with all arguments, types, integers and witnesses, so there is no search. Work starts at what is
//! not generic; each function and derivative that is asked for with new arguments becomes an
//! instance.
//!
//! 1. [`check`]: interfaces, tables and parameter lists are well formed.
//! 2. [`instances`]: the instances, from a work list with fuel; in each, [`rewrite`] puts the
//!    arguments in ([`resolve`]) and expands `hl.poly`.
//! 3. [`dynamic`]: values of an interface's type become structs, and one function per requirement
//!    chooses among the conforming types ([`dispatch`]).
//!
//! Afterwards nothing in the module is generic, which [`leftovers`](fn@leftovers) checks. A module
//! without generic code only costs a scan of its ops. Nothing here knows source syntax.

mod check;
mod dispatch;
mod dynamic;
mod instances;
mod leftovers;
mod resolve;
mod rewrite;
mod size;

pub use leftovers::leftovers;
/// The pass of this folder.
pub static PASSES: &[&PassDef] = &[&SPECIALIZE];

use crate::manager::{Changed, PassDef, PassReport};
use crate::passes;
use caustic_dialects::hl;
use caustic_dialects::hl::generics::{GENERICS, mentions_generics};
use caustic_ir::{Diagnostic, Module, OpDef, SymbolOp, Type};
use rustc_hash::FxHashMap;

passes! {
    /// Makes an instance of each generic function and derivative for each list of arguments that it
    /// is used with, and removes all that is generic.
    ///
    /// Type and integer parameters, witnesses and associated types are replaced by their arguments;
    /// `hl.poly` becomes the ops that it stands for. A value of an interface's type becomes a
    /// struct of a number that tells the conforming type and one field for each such type; a call
    /// through it, a call of a function that switches over that number.
    pub static SPECIALIZE: "specialize" {
        level: module, options: none, before: "hl with generic code", after: "hl without generic code",
        statistics: [("instances", "functions and derivatives made of generic ones"), ("dispatchers", "functions that choose by the type of a value")],
        run: |module: &mut Module, report: &mut PassReport| {
            Ok(match run(module)? {
                None => Changed::No,
                Some(made) => {
                    report.count("instances", made.instances);
                    report.count("dispatchers", made.dispatchers);
                    Changed::Yes
                }
            })
        },
    }
}

/// What was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    pub instances: u64,
    pub dispatchers: u64,
}

fn is_def(symbol: &SymbolOp, def: &'static OpDef) -> bool {
    std::ptr::eq(symbol.def, def)
}

fn is_generic_op(def: &'static OpDef) -> bool {
    [hl::CallGeneric::DEF, hl::Poly::DEF, hl::MakeExistential::DEF, hl::IsDynamic::DEF, hl::AsDynamic::DEF]
        .iter()
        .any(|generic| std::ptr::eq(def, *generic))
}

/// A symbol that only other symbols use, and that `specialize` removes.
fn is_template(symbol: &SymbolOp) -> bool {
    let list = symbol.attr(GENERICS).and_then(|a| a.as_array());
    is_def(symbol, hl::Interface::DEF) || is_def(symbol, hl::WitnessTable::DEF) || list.is_some_and(|l| !l.is_empty())
}

/// Whether anything in the symbol is generic; `seen` keeps the answers for types.
fn is_generic(symbol: &SymbolOp, seen: &mut FxHashMap<Type, bool>) -> bool {
    let body = &symbol.body;
    symbol.attr(GENERICS).is_some()
        || is_template(symbol)
        || is_def(symbol, hl::Derivative::DEF)
        || symbol.attrs.iter().any(|(_, a)| a.as_type().is_some_and(|t| mentions_generics(t, seen)))
        || body.walk_all().into_iter().any(|op| {
            let data = body.op(op);
            is_generic_op(data.def) || data.results.iter().any(|&v| mentions_generics(body.ty(v), seen))
        })
}

/// Specializes the module; `None` if nothing in it is generic.
pub fn run(module: &mut Module) -> Result<Option<Made>, Vec<Diagnostic>> {
    let mut seen = FxHashMap::default();
    if !module.symbols().iter().any(|s| is_generic(s, &mut seen)) {
        return Ok(None);
    }
    check::check(module)?;
    let (symbols, made) = instances::specialize(module)?;
    let mut new = Module::new();
    (new.name, new.attrs) = (module.name, module.attrs.clone());
    for symbol in symbols {
        new.add(symbol).map_err(|taken| {
            vec![Diagnostic::internal(taken.loc, format!("two symbols are called @{}", taken.name))]
        })?;
    }
    *module = new;
    let found = leftovers(module);
    if found.is_empty() { Ok(Some(made)) } else { Err(found) }
}
