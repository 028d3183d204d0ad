//! Which functions are compiled, in which order, and how much native stack they take.

use caustic_dialects::{agg, func};
use caustic_ir::{Module, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// The resources that functions refer to, in the module's order.
pub fn resources(module: &Module, functions: &[Name]) -> Vec<Name> {
    let mut used = FxHashSet::default();
    for symbol in functions.iter().filter_map(|&f| module.get(f)) {
        for op in symbol.body.walk_all() {
            used.extend(symbol.body.attr(op, "name").and_then(|a| a.as_symbol()));
        }
    }
    let resources = module.symbols().iter().filter(|s| std::ptr::eq(s.def, agg::Resource::DEF));
    resources.map(|s| s.name).filter(|name| used.contains(name)).collect()
}

/// The functions that `roots` reach, callees before callers where no cycle forbids it, and those that are part of a cycle or
/// reach one.
pub fn reachable(module: &Module, roots: &[Name]) -> (Vec<Name>, FxHashSet<Name>) {
    let mut calls: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    let mut found: Vec<Name> = Vec::new();
    let mut todo: Vec<Name> = roots.iter().rev().copied().collect();
    while let Some(name) = todo.pop() {
        if calls.contains_key(&name) {
            continue;
        }
        let mut callees = Vec::new();
        if let Some(symbol) = module.get(name) {
            for op in symbol.body.walk_all() {
                if func::Call::is(&symbol.body, op) {
                    callees.extend(symbol.body.attr(op, "callee").and_then(|a| a.as_symbol()));
                }
            }
        }
        todo.extend(callees.iter().rev());
        calls.insert(name, callees);
        found.push(name);
    }
    // Peels off functions whose callees are all done; what stays is in a cycle or leads to one.
    let mut callers: FxHashMap<Name, Vec<Name>> = FxHashMap::default();
    let mut open: FxHashMap<Name, usize> = FxHashMap::default();
    for &name in &found {
        let mut distinct: Vec<Name> = calls[&name].clone();
        distinct.sort();
        distinct.dedup();
        open.insert(name, distinct.len());
        for callee in distinct {
            callers.entry(callee).or_default().push(name);
        }
    }
    let mut order: Vec<Name> = found.iter().copied().filter(|n| open[n] == 0).collect();
    let mut done = 0;
    while let Some(&name) = order.get(done) {
        done += 1;
        for &caller in callers.get(&name).map_or(&[][..], |c| c.as_slice()) {
            if let Some(count) = open.get_mut(&caller) {
                *count -= 1;
                if *count == 0 {
                    order.push(caller);
                }
            }
        }
    }
    let finished: FxHashSet<Name> = order.iter().copied().collect();
    let cyclic: FxHashSet<Name> = found.iter().copied().filter(|n| !finished.contains(n)).collect();
    order.extend(found.iter().copied().filter(|n| cyclic.contains(n)));
    (order, cyclic)
}

/// The most native stack that `root` needs, without cycles: its frame and the deepest of its callees'.
pub fn stack_need(module: &Module, order: &[Name], frames: &FxHashMap<Name, u64>) -> FxHashMap<Name, u64> {
    let mut need: FxHashMap<Name, u64> = FxHashMap::default();
    for &name in order {
        let Some(symbol) = module.get(name) else { continue };
        let mut deepest = 0;
        for op in symbol.body.walk_all() {
            if func::Call::is(&symbol.body, op) {
                let callee = symbol.body.attr(op, "callee").and_then(|a| a.as_symbol());
                deepest = deepest.max(callee.and_then(|c| need.get(&c)).copied().unwrap_or(0));
            }
        }
        need.insert(name, frames.get(&name).copied().unwrap_or(0) + deepest);
    }
    need
}
