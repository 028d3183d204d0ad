//! `symbol-dce`: functions go that nothing can call.
//!
//! Roots are the functions that are not private, or, if asked for, entry points and those named
//! only. What a root mentions stays, whatever way it mentions it. Resources stay: they are the
//! interface of the program, used or not.

use super::inline::is_private;
use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::ENTRY;
use caustic_ir::{Module, Name, SymbolOp};

passes! {
    /// Removes functions that nothing can call: private ones that no other mentions.
    pub static SYMBOL_DCE: "symbol-dce" {
        level: module,
        options: SymbolDceOptions {
            entries_only: bool = "false", "Keep entry points, what `keep` names, and what these need; all else goes, private or not.";
            keep: String = "", "Names of further functions to keep, separated by blanks.";
        },
        before: "any", after: "the same", statistics: [("removed", "functions removed")],
        run: |module: &mut Module, options: &SymbolDceOptions, report: &mut PassReport| -> PassResult {
            let named = options.keep.split_whitespace().map(Name::new).collect();
            let removed = run(module, &Roots { entries_only: options.entries_only, named });
            report.count("removed", removed);
            Ok(Changed::from(removed > 0))
        },
    }
}

/// What is kept for its own sake.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// Entry points and `named` only; else everything that is not private.
    pub entries_only: bool,
    pub named: Vec<Name>,
}

impl Roots {
    fn contains(&self, symbol: &SymbolOp) -> bool {
        // Functions at every level, and requests for derivatives, which become functions.
        let is_function = symbol.function_type().is_some();
        !is_function
            || symbol.attr(ENTRY).is_some()
            || self.named.contains(&symbol.name)
            || !self.entries_only && !is_private(symbol)
    }
}

/// Removes functions that no root reaches; how many.
pub fn run(module: &mut Module, roots: &Roots) -> u64 {
    let graph = CallGraph::of_mentions(module);
    let kept = graph.reachable(module.symbols().iter().filter(|s| roots.contains(s)).map(|s| s.name));
    let before = module.symbols().len();
    module.retain(|s| kept.contains(&s.name));
    (before - module.symbols().len()) as u64
}
