//! What a function computes where functions with a substitute are differentiated: derivatives are
//! those of the substitutes, so differences are taken of code that calls these in their place.
//!
//! Which calls that are, activity says: one that no derivative goes through calls the function
//! itself in derivatives, too.

use caustic_dialects::signature::{DIFFERENTIABLE, LINKS, Signature, VISIBILITY};
use caustic_ir::{Attr, Module, Name, OpId, SymbolOp};
use caustic_passes::analysis::custom_derivatives;
use caustic_passes::autodiff::{Activities, Instance};
use std::collections::HashMap;

/// The function of which differences are taken: `function` itself, or if it leads to a substitute,
/// a new one.
pub fn measured(module: &mut Module, function: Name) -> Name {
    let symbols = module.symbols().iter();
    let found = symbols.filter(|s| custom_derivatives::substitute(s).is_some()).map(|s| s.name).collect();
    // What calls functions whose derivatives are given is not differentiated.
    let leading = custom_derivatives::leading_to(module, found, |s| !custom_derivatives::any(s));
    let Some(symbol) = module.get(function).filter(|_| leading.contains(&function)) else { return function };
    let differentiated = custom_derivatives::differentiated(module, symbol);
    let Some(signature) = Signature::of(differentiated) else { return function };
    let first = Instance::all_active(differentiated, &signature);
    let mut is_other = differentiated.name != function;
    let mut activities = Activities::new(module);
    let mut copies =
        Copies { module, leading: &|name| leading.contains(&name), names: HashMap::new(), open: Vec::new() };
    let name = copies.of(&first);
    let mut made: Vec<SymbolOp> = Vec::new();
    while let Some(instance) = copies.open.pop() {
        // Differentiation tells of what cannot be differentiated.
        let Ok(activity) = activities.get(&instance) else { return function };
        let called = module.get(instance.func).map(|s| &s.body);
        is_other |= activity.calls.iter().any(|(&op, to)| called.and_then(|body| body.callee(op)) != Some(to.func));
        let calls: Vec<(OpId, Name)> = activity.calls.iter().map(|(&op, callee)| (op, copies.of(callee))).collect();
        let of = module.get(instance.func).zip(copies.names.get(&instance));
        made.extend(of.map(|(symbol, name)| copy(symbol, *name, &calls)));
    }
    if !is_other {
        return function;
    }
    made.into_iter().for_each(|copy| module.put(copy));
    name
}

/// A function by another name, with other callees, and without a derivative.
fn copy(of: &SymbolOp, name: Name, calls: &[(OpId, Name)]) -> SymbolOp {
    let mut copy = of.clone();
    copy.name = name;
    [DIFFERENTIABLE, VISIBILITY].iter().chain(&LINKS).for_each(|attr| copy.remove_attr(attr));
    for &(op, callee) in calls {
        copy.body.set_attr(op, "callee", Attr::symbol(callee));
    }
    copy
}

/// The names of copies, by what of a function is active.
struct Copies<'a> {
    module: &'a Module,
    /// Whether a function leads to one with a substitute.
    leading: &'a dyn Fn(Name) -> bool,
    names: HashMap<Instance, Name>,
    /// What is still to be copied.
    open: Vec<Instance>,
}

impl Copies<'_> {
    /// What is called in the place of an instance.
    fn of(&mut self, instance: &Instance) -> Name {
        let is_given = || self.module.get(instance.func).is_some_and(custom_derivatives::any);
        if !(self.leading)(instance.func) || is_given() {
            return instance.func;
        }
        if let Some(name) = self.names.get(instance) {
            return *name;
        }
        let name = self.module.fresh_name(&format!("gradcheck.in_place.{}", self.names.len()));
        self.names.insert(instance.clone(), name);
        self.open.push(instance.clone());
        name
    }
}
