//! Which instances a round linearizes, and in which modes: those that its requests ask for, and
//! what these call.
//!
//! A mode is one of `stage::{FORWARD, REVERSE, GATED}` or [`CARRIED`]. What an earlier round made
//! is used as it is; a custom derivative takes the place of a linearization.

use super::activity::{self, Activities, Activity, Instance};
use super::custom;
use super::linearize;
use super::partials::SingularPoints;
use super::pointers;
use super::reach::{Reach, Reaches};
use super::requests::{requested, wants};
use super::space::Spaces;
use crate::analysis::custom_derivatives;
use crate::analysis::derivative_links::{Forms, Links};
use crate::analysis::stage;
use crate::autodiff::Errors;
use caustic_dialects::signature::Signature;
use caustic_ir::{Attr, Diagnostic, Loc, Module, Name, OpId, SymbolOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// The gated forward derivative of what a reverse derivative calls may come to be wanted, where
/// tangents are carried forward.
const CARRIED: &str = "carried";

/// Whether an earlier round made an instance's derivative in this mode.
pub(super) fn made_before(module: &Module, forms: Forms, mode: &str) -> bool {
    match mode {
        stage::FORWARD => module.contains(forms.fwd),
        stage::GATED | CARRIED => module.contains(forms.gated),
        _ => [forms.bwd, forms.unsure].into_iter().any(|half| module.contains(half)) && module.contains(forms.primal),
    }
}

/// Whether this derivative is a custom one, which may be that there is none.
pub(super) fn given_in(module: &Module, instance: &Instance, mode: &str) -> bool {
    module.get(instance.func).is_some_and(|s| {
        custom_derivatives::any(s)
            && (custom_derivatives::derivative(s, mode).is_some() || custom_derivatives::replaces_code(s))
    })
}

/// The functions of a custom derivative in one mode.
fn give(
    module: &Module,
    instance: &Instance,
    results: &[bool],
    mode: &str,
    spaces: &Spaces,
    links: &mut Links,
) -> Result<Vec<SymbolOp>, Diagnostic> {
    let symbol = module.get(instance.func);
    let Some((symbol, signature)) = symbol.and_then(|s| Some((s, Signature::of(s)?))) else {
        return Err(Diagnostic::internal(caustic_ir::Loc::unknown(), format!("no function @{}", instance.func)));
    };
    let forms = links.make(module, instance, &signature, results);
    custom::functions(module, symbol, &signature, instance, forms, results, mode, spaces)
}

/// Whether a mode asks for the form of the linearization with flags that say which tangents were
/// reached.
fn is_gated(mode: &str) -> bool {
    mode == stage::GATED || mode == CARRIED
}

/// What is wanted of the instance that a call is of, where its caller is wanted in this mode.
fn modes_of(mode: &'static str, reach: Option<&Reach>, call: OpId) -> Vec<&'static str> {
    let (gated, apart) = (reach.is_some_and(|r| r.is_gated(call)), reach.is_some_and(|r| r.is_apart(call)));
    match mode {
        stage::REVERSE if gated || apart => vec![CARRIED, stage::REVERSE],
        stage::FORWARD | stage::GATED if gated => vec![stage::GATED],
        stage::GATED => vec![stage::FORWARD],
        CARRIED if gated || apart => vec![CARRIED],
        CARRIED => Vec::new(),
        mode => vec![mode],
    }
}

/// The linearizations that requests need, with those of all functions that derivatives flow
/// through, and the custom derivatives of these; the links know the symbols of all of them.
pub(super) fn linearizations(
    module: &Module,
    requests: &[Name],
    singular: SingularPoints,
) -> Result<(Links, Vec<SymbolOp>), Errors> {
    let mut search = Search::new(module, singular);
    search.run(requests);
    if !search.errors.is_empty() {
        return Err(without_repeats(search.errors));
    }
    let callees = search.callees();
    search.linearize(&callees, singular);
    if !search.errors.is_empty() {
        return Err(search.errors);
    }
    Ok((search.links, search.made))
}

/// What is wrong in both modes is reported once.
fn without_repeats(errors: Errors) -> Errors {
    let mut out = Errors::new();
    for error in errors {
        if !out.contains(&error) {
            out.push(error);
        }
    }
    out
}

/// An instance that is wanted in a mode.
struct Wanted {
    instance: Instance,
    mode: &'static str,
    /// Where the derivative is asked for that needs it.
    asked: Loc,
}

/// The search for all instances that are wanted, and what was made of them.
struct Search<'m> {
    module: &'m Module,
    spaces: Spaces,
    links: Links,
    activities: Activities<'m>,
    reaches: Reaches<'m>,
    /// The functions that are views of buffers; see [`Activities::views`].
    views: FxHashSet<Name>,
    /// Each instance with the modes in which it is to be linearized, in a stable order.
    modes: Vec<(Instance, FxHashSet<&'static str>)>,
    /// Where an instance stands in `modes`.
    at: FxHashMap<Instance, usize>,
    made: Vec<SymbolOp>,
    errors: Errors,
}

impl<'m> Search<'m> {
    fn new(module: &'m Module, singular: SingularPoints) -> Search<'m> {
        let activities = Activities::new(module);
        let views = activities.views();
        Search {
            module,
            spaces: Spaces::of(module),
            links: Links::of(module),
            activities,
            reaches: Reaches::new(module, singular, views.clone()),
            views,
            modes: Vec::new(),
            at: FxHashMap::default(),
            made: Vec::new(),
            errors: Errors::new(),
        }
    }

    /// Finds what the requests want, and makes the custom derivatives among it.
    fn run(&mut self, requests: &[Name]) {
        let mut work: Vec<Wanted> = Vec::new();
        for request in requests.iter().filter_map(|name| self.module.get(*name)) {
            match requested(self.module, request) {
                Ok((instance, _)) => work.push(Wanted { instance, mode: wants(request), asked: request.loc }),
                Err(e) => self.errors.push(e),
            }
        }
        work.reverse();
        while let Some(wanted) = work.pop() {
            if self.is_new(&wanted) {
                self.follow(&wanted, &mut work);
            }
        }
    }

    /// Notes that an instance is wanted in a mode; whether it was not before, and no earlier round
    /// made it.
    fn is_new(&mut self, wanted: &Wanted) -> bool {
        let Wanted { instance, mode, .. } = wanted;
        let index = *self.at.entry(instance.clone()).or_insert_with(|| {
            self.modes.push((instance.clone(), FxHashSet::default()));
            self.modes.len() - 1
        });
        let made = || self.links.find(instance).is_some_and(|forms| made_before(self.module, forms, mode));
        !self.modes[index].1.contains(mode) && !made() && self.modes[index].1.insert(mode)
    }

    /// Makes the custom derivative that an instance has in this mode, or adds what its code calls
    /// to the work.
    fn follow(&mut self, wanted: &Wanted, work: &mut Vec<Wanted>) {
        let Wanted { instance, mode, asked } = wanted;
        match self.activities.get(instance) {
            Ok(activity) if given_in(self.module, instance, mode) => {
                if let Some(&index) = self.at.get(instance) {
                    self.modes[index].1.remove(mode);
                }
                match give(self.module, instance, &activity.results, mode, &self.spaces, &mut self.links) {
                    Ok(functions) => self.made.extend(functions),
                    Err(e) => self.errors.push(e),
                }
            }
            Ok(activity) => match &activity.broken {
                Some(e) => self.errors.push(activity::asked_at(e.clone(), *asked)),
                None => self.follow_calls(wanted, &activity, work),
            },
            Err(e) => self.errors.push(activity::asked_at(e, *asked)),
        }
    }

    fn follow_calls(&mut self, wanted: &Wanted, activity: &Activity, work: &mut Vec<Wanted>) {
        let &Wanted { ref instance, mode, asked } = wanted;
        let mut calls: Vec<_> = activity.calls.iter().collect();
        calls.sort_by_key(|(op, _)| **op);
        let caller = self.module.get(instance.func);
        calls.retain(|(op, callee)| {
            let custom = caller.filter(|_| given_in(self.module, callee, mode));
            let lost = custom.and_then(|caller| pointers::check_call(self.module, caller, **op, callee));
            self.errors.extend(lost.clone());
            lost.is_none()
        });
        let reach = self.reaches.get(&mut self.activities, instance, is_gated(mode));
        for (op, callee) in calls.into_iter().rev() {
            // A given forward derivative is not that of the code, and is never carried.
            let carries = !given_in(self.module, callee, stage::FORWARD);
            let modes = modes_of(mode, reach.as_deref(), *op).into_iter().filter(|&m| carries || m != CARRIED);
            work.extend(modes.map(|mode| Wanted { instance: callee.clone(), mode, asked }));
        }
    }

    /// What callers have to know of the instances that were found.
    fn callees(&mut self) -> FxHashMap<Instance, linearize::Callee> {
        let module = self.module;
        let mut callees = FxHashMap::default();
        for (instance, _) in &self.modes {
            if let (Some(symbol), Ok(activity)) = (module.get(instance.func), self.activities.get(instance))
                && let Some(signature) = Signature::of(symbol)
            {
                let forms = self.links.make(module, instance, &signature, &activity.results);
                // What exists decides: its callers rely on its type.
                let results = self.links.results(forms.instance).unwrap_or(&activity.results).to_vec();
                let given = given_in(module, instance, stage::REVERSE);
                let views = self.views.contains(&instance.func);
                let kept_alive = symbol.attr(stage::KEPT_ALIVE).is_some();
                callees.insert(instance.clone(), linearize::Callee { forms, results, given, kept_alive, views });
            }
        }
        callees
    }

    /// Linearizes the instances, each in the forms that its modes ask for.
    fn linearize(&mut self, callees: &FxHashMap<Instance, linearize::Callee>, singular: SingularPoints) {
        for (instance, wanted) in &self.modes {
            let Some(symbol) = self.module.get(instance.func).filter(|_| !wanted.is_empty()) else { continue };
            let (Some(signature), Ok(activity)) = (Signature::of(symbol), self.activities.get(instance)) else {
                continue;
            };
            for gated in [false, true] {
                if !wanted.iter().any(|mode| is_gated(mode) == gated) {
                    continue;
                }
                let wanted = |mode: &str| wanted.contains(mode) && is_gated(mode) == gated;
                let Some(reach) = self.reaches.get(&mut self.activities, instance, gated) else { continue };
                let form = linearize::Form { reach: &reach, gated };
                match linearize::linearize(symbol, &signature, instance, &activity, callees, singular, &form) {
                    Ok(mut f) => {
                        if wanted(stage::FORWARD) || wanted(stage::GATED) {
                            f.set_attr(stage::FORWARD, Attr::unit());
                        }
                        if wanted(stage::REVERSE) {
                            f.set_attr(stage::REVERSE, Attr::unit());
                        }
                        self.made.push(f);
                    }
                    Err(e) => self.errors.push(e),
                }
            }
        }
    }
}
