//! Which functions are compiled, in which order, and how much native stack they take.

use caustic_dialects::agg;
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_ir::{Body, Module, Name, OpId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The resource that an op names, as a value or as a place.
fn named(body: &Body, op: OpId) -> Option<Name> {
    agg::resource_name(body, op).or_else(|| agg::GlobalSlot::cast(body, op)?.name(body))
}

/// The resources that functions refer to, in the module's order.
pub fn resources(module: &Module, functions: &[Name]) -> Vec<Name> {
    let mut used = FxHashSet::default();
    for symbol in functions.iter().filter_map(|&f| module.get(f)) {
        for op in symbol.body.walk_all() {
            used.extend(named(&symbol.body, op));
        }
    }
    let resources = module.symbols().iter().filter(|s| std::ptr::eq(s.def, agg::Resource::DEF));
    resources.map(|s| s.name).filter(|name| used.contains(name)).collect()
}

/// The functions that `roots` reach, callees before callers where no cycle forbids it, and those
/// that are part of a cycle or reach one.
pub fn reachable(module: &Module, roots: &[Name]) -> (Vec<Name>, FxHashSet<Name>) {
    let graph = CallGraph::of_calls(module);
    let order = graph.post_order_from(roots.iter().copied());
    let leading = graph.reaching(graph.recursive());
    let cyclic = order.iter().copied().filter(|name| leading.contains(name)).collect();
    (order, cyclic)
}

/// The most native stack that `root` needs, without cycles: its frame and the deepest of its
/// callees'.
pub fn stack_need(module: &Module, order: &[Name], frames: &FxHashMap<Name, u64>) -> FxHashMap<Name, u64> {
    let mut need: FxHashMap<Name, u64> = FxHashMap::default();
    for &name in order {
        let Some(symbol) = module.get(name) else { continue };
        let mut deepest = 0;
        for callee in callees(symbol) {
            deepest = deepest.max(need.get(&callee).copied().unwrap_or(0));
        }
        need.insert(name, frames.get(&name).copied().unwrap_or(0) + deepest);
    }
    need
}
