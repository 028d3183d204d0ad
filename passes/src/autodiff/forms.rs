//! Which forms of linear halves a round makes: transposition of a whole module.
//!
//! A caller's code decides which form of a half it calls, and what the half gives back decides what
//! the caller knows of its own cotangents. Both follow from the code that is differentiated:
//! nothing else in the module changes a number of its derivative.

use super::requests::{nested, reverse_roots, waits};
use super::space::Spaces;
use super::transpose;
use super::verify::checked;
use super::zero_masks::{self, Unzipped, ZeroMasks};
use crate::analysis::derivative_links::Form;
use crate::analysis::derivative_links::Links;
use crate::analysis::stage;
use crate::autodiff::Errors;
use crate::manager::{PassReport, Threads};
use crate::passes;
use caustic_dialects::ad;
use caustic_ir::{Diagnostic, Module, Name, SymbolOp};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Runs the linear code of unzipped functions backwards: cotangents of the results to
    /// cotangents of the inputs.
    pub static TRANSPOSE: "ad-transpose" {
        level: module, options: none, before: "unzipped functions", after: "transposed functions", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = transpose_module(module);
            checked(module, result)
        },
    }
}

/// Of the halves that earlier rounds made: which parts of the cotangents that they give are dense.
fn given_before(module: &Module, links: &Links) -> FxHashMap<(Name, Form), Vec<bool>> {
    let calls = |s: &SymbolOp| s.body.walk_all().into_iter().filter(|&op| ad::LinearCall::is(&s.body, op)).collect();
    let unzipped = module.symbols().iter().filter(|s| stage::is_stage(s, stage::UNZIPPED));
    let callees = unzipped.flat_map(|s| {
        let calls: Vec<_> = calls(s);
        calls.into_iter().filter_map(|op| s.body.callee(op))
    });
    let mut found = FxHashMap::default();
    for key in callees.collect::<FxHashSet<Name>>() {
        for form in Form::ALL {
            let backward = links.forms(key).and_then(|forms| module.get(forms.backward(form)));
            let made = backward.filter(|s| s.attr(stage::GIVES).is_some());
            found.extend(made.map(|s| ((key, form), stage::mask_of(s, stage::GIVES))));
        }
    }
    found
}

/// The forms that a round makes of each unzipped function, by its instance: what its requests and
/// its functions call. What a later round may call is made in both.
fn first_forms(module: &Module, unzipped: &[&SymbolOp]) -> FxHashMap<Name, Vec<Form>> {
    let mut forms: FxHashMap<Name, Vec<Form>> = FxHashMap::default();
    if waits(module) {
        forms.extend(unzipped.iter().filter_map(|s| Some((stage::instance_of(s)?, Form::ALL.to_vec()))));
        return forms;
    }
    let roots = reverse_roots(module);
    forms.extend(roots.into_iter().map(|key| (key, vec![Form::Sure])));
    forms
}

/// Finds the zero masks of every unzipped function, in each form that is asked for, and transposes
/// it by them. At first each half assumes that all it calls gives cotangents that are dense
/// wherever their flag is set. An assumption that does not hold is dropped, and the masks of who
/// relied on it are found again: assumptions only get fewer, so this ends. What becomes of a half
/// follows from its code and from what it calls, whoever else is in the module.
pub fn transpose_module(module: &mut Module) -> Result<bool, Errors> {
    let (spaces, links) = (Spaces::of(module), Links::of(module));
    let functions = nested(module);
    let is_nested = |i: &Name| links.function(*i).is_some_and(|f| functions.contains(&f));
    let nested = module.symbols().iter().filter_map(stage::instance_of).filter(is_nested).collect();
    let selected: Vec<&SymbolOp> = module.symbols().iter().filter(|s| stage::is_stage(s, stage::UNZIPPED)).collect();
    let by_key: FxHashMap<Name, &SymbolOp> =
        selected.iter().filter_map(|s| Some((stage::instance_of(s)?, *s))).collect();
    let parts = |s: &SymbolOp| {
        let inputs = s.function_type().map_or(&[][..], |(inputs, _)| inputs);
        let tangents = inputs.iter().filter(|t| ad::is_tangent(**t));
        tangents.map(|&t| stage::flags(ad::strip_tangent(t))).sum::<usize>()
    };
    let mut calls = zero_masks::Calls { nested, gives: given_before(module, &links) };
    for (&key, symbol) in &by_key {
        calls.gives.extend(Form::ALL.map(|form| ((key, form), vec![true; parts(symbol)])));
    }
    let mut forms = first_forms(module, &selected);
    let functions = each(&selected, |s| Unzipped::of(s, &spaces))?;
    let mut done: FxHashMap<Name, Vec<(Form, ZeroMasks)>> = FxHashMap::default();
    let mut work: Vec<&SymbolOp> = selected.iter().copied().filter(|s| wanted(&forms, s).is_some()).collect();
    loop {
        while !work.is_empty() {
            let found = each(&work, |s| {
                let function = functions.get(&s.name).ok_or_else(|| unlinked(s))?;
                masks(s, function, &spaces, &calls, wanted(&forms, s).unwrap_or(&[Form::Sure]))
            })?;
            done.extend(found);
            let mut less: FxHashSet<(Name, Form)> = FxHashSet::default();
            let mut more: FxHashSet<Name> = FxHashSet::default();
            for symbol in &work {
                let (Some(found), Some(key)) = (done.get(&symbol.name), stage::instance_of(symbol)) else {
                    continue;
                };
                for (form, half) in found {
                    let Some(claims) = calls.gives.get_mut(&(key, *form)) else { continue };
                    for (claim, seen) in claims.iter_mut().zip(&half.gives).filter(|(claim, seen)| **claim && !**seen) {
                        *claim = *seen;
                        less.insert((key, *form));
                    }
                    for &(callee, form) in half.called.iter().filter(|(callee, _)| by_key.contains_key(callee)) {
                        let known = forms.entry(callee).or_default();
                        if !known.contains(&form) {
                            known.push(form);
                            known.sort();
                            more.insert(callee);
                        }
                    }
                }
            }
            let again = |s: &SymbolOp| {
                let relies = |halves: &Vec<(Form, ZeroMasks)>| {
                    halves.iter().flat_map(|(_, h)| &h.called).any(|c| less.contains(c))
                };
                stage::instance_of(s).is_some_and(|i| more.contains(&i)) || done.get(&s.name).is_some_and(relies)
            };
            work = selected.iter().copied().filter(|s| again(s)).collect();
        }
        // What nothing leads to, in a module that somebody has put together.
        work.extend(selected.iter().copied().find(|s| !done.contains_key(&s.name)));
        let Some(symbol) = work.first() else { break };
        let instance = stage::instance_of(symbol).ok_or_else(|| vec![unlinked(symbol)])?;
        forms.insert(instance, vec![Form::Sure]);
    }
    let later = waits(module);
    let mut made = each(&selected, |s| {
        let found = functions.get(&s.name).zip(done.get(&s.name)).ok_or_else(|| unlinked(s))?;
        let mut transposed = transpose::transpose(s, found.0, found.1)?;
        for (form, half) in found.1.iter().filter(|_| later) {
            stage::set_gives(&mut transposed, *form, &half.gives);
        }
        Ok(transposed)
    })?;
    let made: Vec<SymbolOp> = selected.iter().filter_map(|s| made.remove(&s.name)).collect();
    let changed = !made.is_empty();
    for f in made {
        module.put(f);
    }
    Ok(changed)
}

/// What `work` makes of each of these symbols, by the symbol's name.
fn each<R: Send>(
    symbols: &[&SymbolOp],
    work: impl Fn(&SymbolOp) -> Result<R, Diagnostic> + Sync + Send,
) -> Result<FxHashMap<Name, R>, Errors> {
    let (mut made, mut errors) = (FxHashMap::default(), Errors::new());
    for (symbol, result) in symbols.iter().zip(Threads::Shared.map_symbols(symbols.to_vec(), work)) {
        match result {
            Ok(one) => drop(made.insert(symbol.name, one)),
            Err(e) => errors.push(e),
        }
    }
    if errors.is_empty() { Ok(made) } else { Err(errors) }
}

/// The zero masks of an unzipped function in each of these forms.
fn masks(
    symbol: &SymbolOp,
    function: &Unzipped,
    spaces: &Spaces,
    calls: &zero_masks::Calls,
    forms: &[Form],
) -> Result<Vec<(Form, ZeroMasks)>, Diagnostic> {
    let nested = stage::instance_of(symbol).is_some_and(|i| calls.nested.contains(&i));
    forms.iter().map(|&form| Ok((form, zero_masks::find(function, spaces, calls, form, nested)?))).collect()
}

fn unlinked(symbol: &SymbolOp) -> Diagnostic {
    Diagnostic::invalid_ir(symbol.loc, format!("@{} names no `ad.instance`", symbol.name))
}

/// The forms that are wanted of an unzipped function.
fn wanted<'f>(forms: &'f FxHashMap<Name, Vec<Form>>, symbol: &SymbolOp) -> Option<&'f [Form]> {
    forms.get(&stage::instance_of(symbol)?).map(Vec::as_slice)
}

/// Removes the derivatives in a form that nothing came to call.
pub(super) fn forget_unused(module: &mut Module) {
    loop {
        let called: FxHashSet<Name> = module
            .symbols()
            .iter()
            .flat_map(|s| s.body.all_ops().filter_map(|op| s.body.callee(op)).collect::<Vec<_>>())
            .collect();
        let before = module.symbols().len();
        let one_of_two = |s: &SymbolOp| s.attr(stage::UNSURE).is_some() || s.attr(stage::GATED).is_some();
        module.retain(|s| !one_of_two(s) || called.contains(&s.name));
        if module.symbols().len() == before {
            return;
        }
    }
}
