//! `inline`: calls become the body of the function they call.
//!
//! Callees come first, so that what is inlined is already as it will be. A call is expanded if its
//! function is marked `force_inline`, is small, is called from this place alone and is private or
//! the caller an entry point, or asks how it may add to a buffer, which is known in the kernel
//! only; a function that calls itself, through whatever others, is never expanded. A function grows
//! to a limit at most.
//!
//! While derivatives are still asked for nothing is done: a call can mean something to
//! differentiation that the code of its function does not say.

use crate::analysis::stage;
use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::ENTRY;
use caustic_dialects::signature::{PRIVATE, VISIBILITY};
use caustic_dialects::simt;
use caustic_dialects::{ad, agg, func, tex};
use caustic_ir::{Body, Builder, Cloner, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;

passes! {
    /// Replaces calls by the body of what they call, where that is small, marked `force_inline`, or
    /// called once.
    ///
    /// Of the functions that are called once, the private ones and those that an entry point calls.
    /// Recursive functions are left. Nothing is done while derivatives are still asked for.
    pub static INLINE: "inline" {
        level: module,
        options: InlineOptions {
            small: i64 = "32", "Size in ops up to which a function is inlined wherever it is called.";
            once: i64 = "4000", "Size up to which a function is inlined where it is called, if that is one place and it is private, or the caller an entry point.";
            entries: bool = "true", "Whether a function that is called from one place is inlined, too, if it is not private and the caller an entry point.";
            made: i64 = "0", "Size up to which a private function, such as differentiation makes, is inlined wherever it is called.";
            largest: i64 = "20000", "No function grows beyond this size.";
            resources: bool = "false", "Functions that are given or give a resource, or follow a pointer, are inlined wherever they are called.";
        },
        before: "func scf arith math vector agg", after: "the same", statistics: [("inlined", "calls replaced")],
        run: |module: &mut Module, options: &InlineOptions, report: &mut PassReport| -> PassResult {
            let size = |n: i64| usize::try_from(n).unwrap_or(0);
            let policy = Policy {
                small: size(options.small),
                once: size(options.once),
                entries: options.entries,
                made: size(options.made),
                largest: size(options.largest),
                resources: options.resources,
            };
            let inlined = run(module, &policy);
            report.count("inlined", inlined);
            Ok(Changed::from(inlined > 0))
        },
    }
}

/// What is worth expanding; counts of ops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// A function of up to this size is expanded wherever it is called.
    pub small: usize,
    /// A function of up to this size is expanded where it is called, if that is one place and it is
    /// private or the caller an entry point.
    pub once: usize,
    /// Whether that is so of functions that an entry point calls, private or not.
    pub entries: bool,
    /// A private function of up to this size is expanded wherever it is called.
    pub made: usize,
    /// No function grows beyond this.
    pub largest: usize,
    /// A function that is given or gives a resource, or follows a pointer, is expanded wherever it
    /// is called.
    pub resources: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { small: 32, once: 4_000, entries: true, made: 0, largest: 20_000, resources: false }
    }
}

pub fn is_private(symbol: &SymbolOp) -> bool {
    symbol.attr(VISIBILITY).and_then(|a| a.as_str()) == Some(PRIVATE)
}

/// Whether a function is given or gives a resource, be it as part of something.
pub fn hands_resources(symbol: &SymbolOp) -> bool {
    let Some((inputs, results)) = symbol.function_type() else { return false };
    inputs.iter().chain(results).any(|&ty| holds_resource(ty))
}

/// Whether a function may follow a pointer that it is given, or that it makes of one.
fn follows_pointers(symbol: &SymbolOp) -> bool {
    symbol.body.all_ops().any(|op| agg::Pointee::is(&symbol.body, op))
}

fn holds_resource(ty: Type) -> bool {
    if let Some(of) = agg::StructType::of(ty) {
        return of.fields().any(|f| holds_resource(f.ty));
    }
    match agg::as_array(agg::as_slot(ty).unwrap_or(ty)) {
        Some((_, elem)) => holds_resource(elem),
        None => agg::as_buffer(ty).is_some() || tex::TextureType::of(ty).is_some() || tex::is_sampler(ty),
    }
}

/// Expands calls of a module's functions; how many.
pub fn run(module: &mut Module, policy: &Policy) -> u64 {
    if module.symbols().iter().any(|s| std::ptr::eq(s.def, ad::Derivative::DEF)) {
        return 0;
    }
    let mut symbols = module.take_symbols();
    let mut functions = Functions::of(&symbols);
    let mut expanded = 0;
    for caller in functions.order.clone() {
        let mut body = std::mem::take(&mut symbols[caller].body);
        let mut size = functions.sizes[caller];
        let is_entry = symbols[caller].attr(ENTRY).is_some();
        for (call, callee) in functions.calls[caller].clone() {
            // Where none can be handed a resource, not even these are kept.
            let needed = policy.resources && (hands_resources(&symbols[callee]) || follows_pointers(&symbols[callee]));
            let kept = symbols[callee].attr(func::NO_INLINE).is_some() && !needed;
            let wanted = !functions.recursive[callee]
                && !kept
                && size + functions.sizes[callee] <= policy.largest
                && (func::Func::of_symbol(&symbols[callee]).is_some_and(|f| f.force_inline(&symbols[callee]))
                    || functions.sizes[callee] <= policy.small
                    || needed
                    || functions.asks[callee] && functions.sizes[callee] <= policy.once
                    || is_private(&symbols[callee]) && functions.sizes[callee] <= policy.made
                    || functions.callers[callee] == 1
                        && (is_entry && policy.entries || is_private(&symbols[callee]))
                        && functions.sizes[callee] <= policy.once);
            if wanted && expand_call(&mut body, call, &symbols[callee].body) {
                size += functions.sizes[callee];
                functions.asks[caller] |= functions.asks[callee];
                expanded += 1;
            }
        }
        functions.sizes[caller] = size;
        symbols[caller].body = body;
    }
    for symbol in symbols {
        module.put(symbol);
    }
    expanded
}

/// Puts a copy of a normalized function's code in the place of a call of it; false, and nothing
/// changed, if it has another form.
pub fn expand_call(body: &mut Body, call: OpId, callee: &Body) -> bool {
    let Some(entry) = callee.entry() else { return false };
    let Some(end) = callee.terminator(entry).filter(|&t| func::Return::is(callee, t)) else { return false };
    let fits =
        callee.args(entry).len() == body.operands(call).len() && callee.operands(end).len() == body.results(call).len();
    if !fits {
        return false;
    }
    let mut cloner = Cloner::new();
    for (&arg, &value) in callee.args(entry).iter().zip(body.operands(call)) {
        cloner.insert(arg, value);
    }
    // Storage is a function's own: it stands where the caller begins.
    let own = body.entry().and_then(|entry| body.first_op(entry));
    let Some(mut b) = own.and_then(|first| Builder::before(body, first)) else { return false };
    let (storage, ops): (Vec<OpId>, Vec<OpId>) =
        callee.block_ops(entry).into_iter().partition(|&op| agg::Alloca::is(callee, op));
    for op in storage {
        cloner.clone_op(callee, op, &mut b);
    }
    let Some(mut b) = Builder::before(body, call) else { return false };
    for op in ops {
        if op != end {
            cloner.clone_op(callee, op, &mut b);
        }
    }
    let values: Vec<ValueId> = callee.operands(end).iter().map(|&v| cloner.get(v)).collect();
    for (old, new) in body.results(call).to_vec().into_iter().zip(values) {
        body.replace_uses(old, new);
    }
    body.erase_op(call);
    true
}

/// What is known of a module's functions before any is expanded, by position in the module.
struct Functions {
    /// Calls that may be expanded.
    calls: Vec<Vec<(OpId, usize)>>,
    /// How many calls of each function there are, of every kind.
    callers: Vec<usize>,
    sizes: Vec<usize>,
    /// Functions with a `simt.aggregation`.
    asks: Vec<bool>,
    /// Functions that reach themselves.
    recursive: Vec<bool>,
    /// Callees before their callers.
    order: Vec<usize>,
}

impl Functions {
    fn of(symbols: &[SymbolOp]) -> Functions {
        let index: FxHashMap<Name, usize> = symbols.iter().enumerate().map(|(i, s)| (s.name, i)).collect();
        let n = symbols.len();
        let mut callers = vec![0; n];
        let mut asks = vec![false; n];
        let mut sizes = vec![0; n];
        // What is between the steps of differentiation is looked up by its links and stays in its
        // form.
        let is_code = |s: &SymbolOp| {
            std::ptr::eq(s.def, func::Func::DEF) && s.body.entry().is_some() && s.attr(stage::STAGE).is_none()
        };
        let mut at = 0;
        let graph = CallGraph::of(symbols, |symbol, edges: &mut Vec<(Name, OpId)>| {
            let body = &symbol.body;
            let ops = body.walk_all();
            sizes[at] = ops.len();
            for op in ops {
                asks[at] |= simt::AggregationOf::is(body, op);
                let Some(name) = body.callee(op) else { continue };
                let Some(&callee) = index.get(&name) else { continue };
                callers[callee] += 1;
                if func::Call::is(body, op) && is_code(symbol) && is_code(&symbols[callee]) {
                    edges.push((name, op));
                }
            }
            at += 1;
        });
        let calls = symbols.iter().map(|s| graph.edges(s.name).map(|(callee, op)| (*op, index[&callee])).collect());
        let mut recursive = vec![false; n];
        let mut order = Vec::with_capacity(n);
        for component in graph.components() {
            let circle = graph.is_circle(&component);
            for function in component.iter().map(|name| index[name]) {
                recursive[function] = circle;
                order.push(function);
            }
        }
        Functions { calls: calls.collect(), callers, sizes, asks, recursive, order }
    }
}
