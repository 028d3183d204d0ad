//! Which failures are a callee's. A function that calls one whose custom derivative is wrong has a
//! wrong derivative itself, and its author has nothing to mend there.
//!
//! A failure is inherited if a custom derivative that it uses fails, and nothing shows that the
//! function is wrong by itself: with derivatives that are made from the callees' code it passes, or
//! these cannot be trusted either.

use super::memory::{Given, Memory};
use super::report::{Row, Verdict};
use super::resources::{self, Buffers};
use super::sampling::{Effort, check};
use super::{Checked, Facts, only};
use crate::context::Context;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::{BACKWARD_DERIVATIVE, CUSTOM, DIFFERENTIABLE, FORWARD_DERIVATIVE};
use caustic_ir::{Attr, Module, Name};
use caustic_passes::analysis::custom_derivatives;
use caustic_passes::analysis::derivative_links::{Role, Variants};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// How functions are checked once more.
pub(super) struct Again<'a> {
    /// The module before its derivatives are made.
    pub asked: &'a Module,
    pub how: crate::Derivatives,
    pub given: &'a Given<'a>,
    pub pairs: &'a [Buffers],
    pub effort: Effort,
    pub cx: &'a Context,
}

impl Again<'_> {
    /// Tells inherited failures from others. The rows are those of the checks.
    pub fn judge(&self, checks: &[Checked], rows: &mut [Row]) {
        let failed: Vec<usize> = (0..rows.len()).filter(|&i| matches!(rows[i].verdict, Verdict::Failed(_))).collect();
        if failed.is_empty() {
            return;
        }
        let graph = CallGraph::of_calls(self.asked);
        let written = self.written();
        let with_custom = |name: &Name| self.asked.get(*name).is_some_and(custom_derivatives::any);
        // In the order of the program, so that names decide nothing.
        let used = |check: &Checked| -> Vec<Name> {
            let found = graph.reachable([check.function]);
            let others = |name: &Name| *name != check.function && *name != check.shown;
            let names = self.asked.symbols().iter().map(|symbol| symbol.name).filter(|name| found.contains(name));
            let names = names.map(|name| written.get(&name).copied().unwrap_or(name));
            let names = names.filter(|name| others(name) && with_custom(name)).collect::<Vec<Name>>();
            names.iter().enumerate().filter(|(i, name)| !names[..*i].contains(name)).map(|(_, name)| *name).collect()
        };
        let uses: Vec<Vec<Name>> = failed.iter().map(|&i| used(&checks[i])).collect();
        let mut all: Vec<Name> = uses.iter().flatten().copied().collect();
        all.sort_by_key(|name| name.as_str());
        all.dedup();
        let is_wrong = |name: &Name| {
            let row = checks.iter().zip(&*rows).find(|(check, _)| check.shown == *name).map(|(_, row)| row.clone());
            let row = row.or_else(|| self.row(self.asked.clone(), *name, *name));
            row.is_some_and(|row| matches!(row.verdict, Verdict::Failed(_)))
        };
        let wrong: BTreeMap<&str, bool> = all.par_iter().map(|name| (name.as_str(), is_wrong(name))).collect();
        let judged: Vec<Option<Name>> = failed
            .par_iter()
            .zip(&uses)
            .map(|(&i, uses)| {
                let wrong: Vec<Name> = uses.iter().copied().filter(|name| wrong[name.as_str()]).collect();
                let first = *wrong.first()?;
                (!self.is_wrong_itself(&checks[i], &wrong)).then_some(first)
            })
            .collect();
        for (i, callee) in failed.into_iter().zip(judged) {
            let Some(callee) = callee else { continue };
            if let Verdict::Failed(failure) = &rows[i].verdict {
                rows[i].verdict = Verdict::Inherited(callee.to_string(), failure.clone());
            }
        }
    }

    /// The functions as written of those that take pairs of pointers.
    fn written(&self) -> HashMap<Name, Name> {
        let variants = Variants::of(self.asked);
        let symbols = self.asked.symbols().iter();
        symbols.filter_map(|symbol| Some((variants.get(Role::Paired, symbol.name)?, symbol.name))).collect()
    }

    /// Whether a function fails where these have derivatives made from their code, which are right.
    fn is_wrong_itself(&self, check: &Checked, wrong: &[Name]) -> bool {
        let mut plain = self.asked.clone();
        let written = self.written();
        let is_wrong = |name: Name| wrong.contains(written.get(&name).unwrap_or(&name));
        for symbol in plain.symbols_mut().iter_mut().filter(|symbol| is_wrong(symbol.name)) {
            symbol.remove_attr(FORWARD_DERIVATIVE);
            symbol.remove_attr(BACKWARD_DERIVATIVE);
            if symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some(CUSTOM) {
                symbol.set_attr(DIFFERENTIABLE, Attr::string("both"));
            }
        }
        let verdict = |shown: Name, function: Name| self.row(plain.clone(), shown, function).map(|row| row.verdict);
        let are_right = wrong.iter().all(|&name| verdict(name, name) == Some(Verdict::Passed));
        are_right && matches!(verdict(check.shown, check.function), Some(Verdict::Failed(_)))
    }

    /// Checks one function of a module without derivatives; nothing if it has none.
    fn row(&self, mut module: Module, shown: Name, function: Name) -> Option<Row> {
        let made = resources::with_buffers(&mut module, function).ok()?;
        let mut pairs = self.pairs.to_vec();
        pairs.extend(made.iter().flat_map(|made| &made.pairs).map(|&pair| Buffers::pair(pair)));
        let function = made.map_or(function, |made| made.function);
        let facts = Facts::of(&module);
        let check_ = Checked::request(&mut module, shown, function, &facts)?;
        let module = only(&module, &[&check_], self.how, self.cx).ok()?;
        let memory = Memory::new(&module, Some(self.given), &pairs).ok()?;
        Some(check(&module, &check_, &memory, self.effort, &self.cx.cancel))
    }
}
