//! Which forms of linear halves a round makes: transposition of a whole module.
//!
//! A caller's code decides which form of a half it calls, and what the half gives back decides what the caller knows of
//! its own cotangents. Both follow from the code that is differentiated: nothing else in the module changes a number of
//! its derivative.

use super::requests::{nested, reverse_roots, waits};
use super::space::Spaces;
use super::transpose;
use crate::analysis::derivative_links::Form;
use crate::analysis::derivative_links::Links;
use crate::analysis::stage;
use crate::manager::Threads;
use caustic_dialects::ad;
use caustic_ir::{Diagnostic, Module, Name, SymbolOp};
use rustc_hash::{FxHashMap, FxHashSet};

type Errors = Vec<Diagnostic>;

/// Of the halves that earlier rounds made: which parts of the cotangents that they give are dense.
fn given_before(module: &Module, links: &Links) -> FxHashMap<(Name, Form), Vec<bool>> {
    let calls = |s: &SymbolOp| s.body.walk_all().into_iter().filter(|&op| ad::LinearCall::is(&s.body, op)).collect();
    let unzipped = module.symbols().iter().filter(|s| stage::is_stage(s, stage::UNZIPPED));
    let callees = unzipped.flat_map(|s| {
        let calls: Vec<_> = calls(s);
        calls.into_iter().filter_map(|op| s.body.attr(op, "callee")?.as_symbol())
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

/// The forms that a round makes of each unzipped function, by its instance: what its requests and its functions call.
/// What a later round may call is made in both.
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

/// Transposes every unzipped function, in each form that is asked for. At first each half assumes that all it calls
/// gives cotangents that are dense wherever their flag is set. An assumption that does not hold is dropped, and who
/// relied on it is transposed again: assumptions only get fewer, so this ends. What becomes of a half follows from its
/// code and from what it calls, whoever else is in the module.
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
    let mut calls = transpose::Calls { nested, gives: given_before(module, &links) };
    for (&key, symbol) in &by_key {
        calls.gives.extend(Form::ALL.map(|form| ((key, form), vec![true; parts(symbol)])));
    }
    let mut forms = first_forms(module, &selected);
    let mut done: FxHashMap<Name, transpose::Transposed> = FxHashMap::default();
    let mut work: Vec<&SymbolOp> = selected.iter().copied().filter(|s| wanted(&forms, s).is_some()).collect();
    loop {
        while !work.is_empty() {
            let mut errors = Errors::new();
            let run =
                |s: &SymbolOp| transpose::transpose(s, &spaces, &calls, wanted(&forms, s).unwrap_or(&[Form::Sure]));
            let again = Threads::Shared.map_symbols(work.clone(), run);
            for (symbol, result) in work.iter().zip(again) {
                match result {
                    Ok(transposed) => {
                        done.insert(symbol.name, transposed);
                    }
                    Err(e) => errors.push(e),
                }
            }
            if !errors.is_empty() {
                return Err(errors);
            }
            let mut less: FxHashSet<(Name, Form)> = FxHashSet::default();
            let mut more: FxHashSet<Name> = FxHashSet::default();
            for symbol in &work {
                let (Some(made), Some(key)) = (done.get(&symbol.name), stage::instance_of(symbol)) else {
                    continue;
                };
                for half in &made.halves {
                    let Some(claims) = calls.gives.get_mut(&(key, half.form)) else { continue };
                    for (claim, seen) in claims.iter_mut().zip(&half.gives).filter(|(claim, seen)| **claim && !**seen) {
                        *claim = *seen;
                        less.insert((key, half.form));
                    }
                    for &(callee, form) in half.calls.iter().filter(|(callee, _)| by_key.contains_key(callee)) {
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
                let relies =
                    |t: &transpose::Transposed| t.halves.iter().flat_map(|h| &h.calls).any(|c| less.contains(c));
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
    let mut made = Vec::new();
    for mut transposed in selected.iter().filter_map(|s| done.remove(&s.name)) {
        if later {
            for half in &transposed.halves {
                stage::set_gives(&mut transposed.symbol, half.form, &half.gives);
            }
        }
        made.push(transposed.symbol);
    }
    let changed = !made.is_empty();
    for f in made {
        module.put(f);
    }
    Ok(changed)
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
            .flat_map(|s| s.body.all_ops().filter_map(|op| s.body.attr(op, "callee")?.as_symbol()).collect::<Vec<_>>())
            .collect();
        let before = module.symbols().len();
        let one_of_two = |s: &SymbolOp| s.attr(stage::UNSURE).is_some() || s.attr(stage::GATED).is_some();
        module.retain(|s| !one_of_two(s) || called.contains(&s.name));
        if module.symbols().len() == before {
            return;
        }
    }
}
