//! Which forms of linear halves a round makes: transposition of a whole module.
//!
//! A caller's code decides which form of a half it calls, and what the half gives back decides what
//! the caller knows of its own cotangents. Both follow from the code that is differentiated:
//! nothing else in the module changes a number of its derivative.

use super::requests::{nested, reverse_roots, waits};
use super::space::Spaces;
use super::transpose;
use super::verify::checked;
use super::zero_masks::{self, Given, Unzipped, ZeroMasks};
use crate::analysis::derivative_links::{Form, Links, linked};
use crate::analysis::stage;
use crate::autodiff::Errors;
use crate::manager::{PassReport, Threads};
use crate::passes;
use caustic_dialects::ad;
use caustic_ir::{Diagnostic, Module, Name, SymbolOp, Type};
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

/// What is known of the cotangents that the halves give which earlier rounds made.
fn given_before(module: &Module, links: &Links) -> FxHashMap<(Name, Form), Vec<Given>> {
    let calls = |s: &SymbolOp| s.body.walk_all().into_iter().filter(|&op| ad::LinearCall::is(&s.body, op)).collect();
    let unzipped = module.symbols().iter().filter(|s| stage::is_stage(s, stage::UNZIPPED));
    let callees = unzipped.flat_map(|s| {
        let calls: Vec<_> = calls(s);
        calls.into_iter().filter_map(|op| s.body.callee(op))
    });
    let mut found = FxHashMap::default();
    for key in callees.collect::<FxHashSet<Name>>() {
        for form in Form::NAMED {
            let Some(half) = links.backward(key, form).and_then(|name| module.get(name)) else { continue };
            let given = half.function_type().map_or(&[][..], |(_, given)| given);
            // Behind the cotangents stands a flag for each part of them.
            let cotangents = (0..=given.len()).map(|n| parts_of(given[..n].iter().copied()));
            let types = cotangents.into_iter().enumerate().find(|(n, types)| n + types.len() == given.len());
            let known =
                half.attr(stage::GIVES).zip(types).and_then(|(gives, (_, types))| Given::from_attr(gives, &types));
            found.extend(known.map(|known| ((key, form), known)));
        }
    }
    found
}

/// The types of the flagged parts of inputs with these differential types.
fn parts_of(differentials: impl IntoIterator<Item = Type>) -> Vec<Type> {
    differentials.into_iter().flat_map(stage::flagged_parts).collect()
}

/// Whether the halves of a function may have other forms than those that each instance names, where
/// their cotangents are of the tangent types among these.
fn has_other_forms(types: &[Type]) -> bool {
    let tangents = types.iter().filter(|t| ad::is_tangent(**t)).map(|&t| ad::strip_tangent(t));
    zero_masks::has_other_forms(&parts_of(tangents))
}

/// The forms that a round makes of each unzipped function, by its instance: what its requests and
/// its functions call. What a later round may call is made in the forms that have names; of a
/// function that may have others a later round makes its own ([`drop_links`]).
fn first_forms(module: &Module, unzipped: &[&SymbolOp]) -> FxHashMap<Name, Vec<Form>> {
    let mut forms: FxHashMap<Name, Vec<Form>> = FxHashMap::default();
    if waits(module) {
        let closed =
            unzipped.iter().filter(|s| !has_other_forms(s.function_type().map_or(&[], |(_, results)| results)));
        forms.extend(closed.filter_map(|s| Some((stage::instance_of(s)?, Form::NAMED.to_vec()))));
    }
    for root in reverse_roots(module) {
        let known = forms.entry(root).or_default();
        if !known.contains(&Form::SURE) {
            known.push(Form::SURE);
        }
    }
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
        parts_of(inputs.iter().filter(|t| ad::is_tangent(**t)).map(|&t| ad::strip_tangent(t))).len()
    };
    let mut calls = zero_masks::Calls { nested, gives: given_before(module, &links) };
    let mut forms = first_forms(module, &selected);
    let functions = each(&selected, |s| Unzipped::of(s, &spaces))?;
    let mut done: FxHashMap<Name, Vec<(Form, ZeroMasks)>> = FxHashMap::default();
    let mut work: Vec<&SymbolOp> = selected.iter().copied().filter(|s| wanted(&forms, s).is_some()).collect();
    loop {
        while !work.is_empty() {
            claim(&mut calls, &by_key, &forms, &parts);
            let found = each(&work, |s| {
                let function = functions.get(&s.name).ok_or_else(|| unlinked(s))?;
                masks(s, function, &spaces, &calls, wanted(&forms, s).unwrap_or(&[Form::SURE]))
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
                    for (claim, (ty, seen)) in claims.iter_mut().zip(&half.gives) {
                        let holds = claim.both(*ty, seen);
                        if holds != *claim {
                            *claim = holds;
                            less.insert((key, *form));
                        }
                    }
                    for &(callee, form) in half.called.iter().filter(|(callee, _)| by_key.contains_key(callee)) {
                        let known = forms.entry(callee).or_default();
                        if !known.contains(&form) {
                            known.push(form);
                            known.sort();
                            more.insert(callee);
                            // Its caller did not know yet what it may assume.
                            less.extend((!calls.gives.contains_key(&(callee, form))).then_some((callee, form)));
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
        forms.insert(instance, vec![Form::SURE]);
    }
    let later = waits(module);
    let mut made = each(&selected, |s| {
        let found = functions.get(&s.name).zip(done.get(&s.name)).ok_or_else(|| unlinked(s))?;
        let mut transposed = transpose::transpose(s, found.0, found.1)?;
        for (form, half) in found.1.iter().filter(|_| later) {
            stage::set_gives(&mut transposed, *form, Given::to_attr(&half.gives));
        }
        Ok(transposed)
    })?;
    let made: Vec<SymbolOp> = selected.iter().filter_map(|s| made.remove(&s.name)).collect();
    let changed = !made.is_empty();
    let mut links = links;
    for symbol in selected.iter() {
        let Some(instance) = stage::instance_of(symbol) else { continue };
        for (form, _) in done.get(&symbol.name).into_iter().flatten() {
            links.name_half(module, instance, *form);
        }
    }
    for f in made {
        module.put(f);
    }
    links.store(module);
    Ok(changed)
}

/// Assumes of each half that is wanted in a new form all that can be known of what it gives.
fn claim(
    calls: &mut zero_masks::Calls,
    unzipped: &FxHashMap<Name, &SymbolOp>,
    forms: &FxHashMap<Name, Vec<Form>>,
    parts: &dyn Fn(&SymbolOp) -> usize,
) {
    for (&key, symbol) in unzipped {
        for &form in forms.get(&key).into_iter().flatten().chain(&Form::NAMED) {
            let all = || vec![Given::nothing_came(); parts(symbol)];
            calls.gives.entry((key, form)).or_insert_with(all);
        }
    }
}

/// Removes the links of instances of which a round makes only the forms that it calls: a later
/// round that needs another one makes its own.
pub(super) fn drop_links(module: &mut Module) {
    let transposed = module.symbols().iter().filter(|s| stage::is_stage(s, stage::TRANSPOSED));
    let open = transposed.filter(|s| has_other_forms(s.function_type().map_or(&[], |(inputs, _)| inputs)));
    let open: FxHashSet<Name> = open.filter_map(stage::instance_of).collect();
    module.retain(|s| !linked(s).is_some_and(|instance| open.contains(&instance)));
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
        let one_of_two = |s: &SymbolOp| s.attr(stage::KNOWN).is_some() || s.attr(stage::GATED).is_some();
        module.retain(|s| !one_of_two(s) || called.contains(&s.name));
        if module.symbols().len() == before {
            return;
        }
    }
}
