//! From structured SSA to statements: which values are expressions, which share a variable, what
//! signs integers have, how functions are called.
//!
//! What goes in is a module whose arrays and tapes are in slots; what comes out is a [`Function`]
//! an IR function, in the same order of evaluation.
//!
//! This module must not know: any language, text.

mod alignment;
mod blocks;
mod build;
mod copies;
mod counters;
mod decided;
mod deep;
mod effects;
mod exits;
mod expr;
mod fold;
mod memory;
mod naming;
mod narrow;
mod nesting;
mod order;
mod prune;
mod ranges;
mod reached;
mod returns;
mod scopes;
mod signature;
mod signs;
mod simplify;
mod spoken;
mod switches;
mod swizzle;
mod tables;
mod trips;
mod unchanged;
mod variables;

pub use alignment::counts_words;
pub use blocks::Blocks;
pub use copies::forward_copies;
pub use counters::count_as_written;
pub use decided::decide_at_last;
pub use deep::split_deep;
pub use exits::{ask_as_written, leave_as_written};
pub use naming::wanted_names;
pub use narrow::narrow;
pub use nesting::{nested, unnest};
pub use prune::silence;
pub use ranges::{Ranges, shorten};
pub use reached::only_reached;
pub use returns::{return_as_written, return_at_once};
pub use scopes::{declare_missing, undeclared};
use signature::Plan;
pub use simplify::{ask_once, declare_late, no_certain_truths, no_literal_zero_divides, subtract_wide};
pub use spoken::{begin_at_fields, begin_in_heads, begin_with_constants, negate_inside, number_threads};
pub use switches::{chain_wide_switches, labels_as_written};
pub use swizzle::swizzle;
pub use tables::find_tables;
pub use unchanged::keep_unchanged;

use crate::tree::Function;
use crate::types::{Signs, Ty, is_unsigned};
use crate::{Offered, Options};
use caustic_dialects::agg::{StructType, as_array, as_buffer};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::{DataType, GROUPSHARED, Param};
use caustic_dialects::signature::WRITTEN;
use caustic_dialects::{agg, func};
use caustic_ir::{Body, Diagnostic, Name, OpId, SymbolOp, Type};
use caustic_runtime::{KernelInterface, resource_type};
use effects::Summary;
use rustc_hash::{FxHashMap, FxHashSet};

/// A module, and what is known of it as a whole.
pub struct Module<'m> {
    pub ir: &'m caustic_ir::Module,
    pub interface: &'m KernelInterface,
    /// The functions that are written for others; none in the text of a kernel.
    pub offered: &'m [Offered],
    pub options: Options,
    /// Files that code is from, if the text says its lines.
    pub files: Vec<Name>,
    pub signs: Signs,
    plans: FxHashMap<Name, Plan>,
    unsigned: FxHashMap<Name, Vec<bool>>,
    summary: Summary,
    contents: FxHashMap<Name, Ty>,
}

impl<'m> Module<'m> {
    /// # Errors
    /// A type that no language has.
    pub fn new(
        ir: &'m caustic_ir::Module,
        interface: &'m KernelInterface,
        offered: &'m [Offered],
        options: Options,
    ) -> Result<Module<'m>, Diagnostic> {
        let mut contents: FxHashMap<Name, Ty> =
            ir.symbols().iter().filter_map(|s| Some((s.name, contents(s)?))).collect();
        contents.extend(shared_contents(ir));
        let (signs, summary) = (signs::written(ir), Summary::of(ir));
        let (plans, unsigned) = (FxHashMap::default(), FxHashMap::default());
        let files = options.lines.map_or_else(Vec::new, |lines| crate::print::lines::files(ir, lines));
        let mut module = Module { ir, interface, offered, options, files, signs, plans, unsigned, summary, contents };
        let graph = CallGraph::of_calls(ir);
        let (recursive, order) = (graph.recursive(), graph.post_order());
        let function = |name: &Name| ir.get(*name).filter(|s| func::Func::of_symbol(s).is_some());
        // A function that calls itself is called before its body is known, so it has the signs that
        // its signature says.
        let said = |s: &SymbolOp| {
            let plan = Plan::of(s, &|_, _| false);
            Ok((s.name, plan.ok_or_else(|| Diagnostic::internal(s.loc, "a signature that no text has"))?))
        };
        let of_recursive = order.iter().filter(|name| recursive.contains(*name)).filter_map(function).map(said);
        module.plans = of_recursive.collect::<Result<_, _>>()?;
        for symbol in order.iter().filter_map(function) {
            let unsigned = signs::of(&module, symbol);
            let knows = !recursive.contains(&symbol.name);
            let args = symbol.body.entry().map(|b| symbol.body.args(b)).unwrap_or_default();
            let end = symbol.body.entry().and_then(|b| symbol.body.terminator(b));
            let returned = end.map(|t| symbol.body.operands(t)).unwrap_or_default();
            let is_unsigned = |input: bool, i: usize| {
                let value = if input { args.get(i) } else { returned.get(i) };
                knows && value.is_some_and(|v| unsigned[v.index()])
            };
            let plan = Plan::of(symbol, &is_unsigned);
            let plan = plan.ok_or_else(|| Diagnostic::internal(symbol.loc, "a signature that no text has"))?;
            module.plans.insert(symbol.name, plan);
            module.unsigned.insert(symbol.name, unsigned);
        }
        Ok(module)
    }

    /// How the function is called that an op calls.
    pub fn callee(&self, body: &Body, op: OpId) -> Option<&Plan> {
        if !func::Call::is(body, op) {
            return None;
        }
        self.plans.get(&body.callee(op)?)
    }

    /// How a function is called.
    pub fn plan(&self, function: Name) -> Option<&Plan> {
        self.plans.get(&function)
    }

    /// The type of a resource's elements, or of what a uniform holds.
    pub fn contents(&self, resource: Name) -> Option<Ty> {
        self.contents.get(&resource).cloned()
    }

    /// The structs that resources hold.
    pub fn held(&self) -> FxHashSet<Type> {
        let mut found = FxHashSet::default();
        let mut open: Vec<Ty> = self.contents.values().cloned().collect();
        while let Some(ty) = open.pop() {
            match ty {
                Ty::Struct(of) if found.insert(of) => {
                    open.extend((0..StructType(of).num_fields()).filter_map(|k| self.signs.field(of, k)));
                }
                Ty::Array(_, elem) => open.push(*elem),
                _ => {}
            }
        }
        found
    }

    /// The type of what steps lead to.
    pub fn part(&self, of: &Ty, steps: &[crate::tree::Step]) -> Option<Ty> {
        steps.iter().try_fold(of.clone(), |ty, step| {
            self.signs.part(&ty, if let crate::tree::Step::Part(k) = step { *k as i64 } else { -1 })
        })
    }

    /// What the text is written for: the kernel, or the functions that are offered.
    pub fn roots(&self) -> Vec<Name> {
        match self.offered {
            [] => vec![self.interface.entry],
            offered => offered.iter().map(|o| o.symbol).collect(),
        }
    }

    /// The functions that the text needs, in the order in which it declares them: the program's,
    /// but callees first, and roots last.
    pub fn functions(&self) -> Vec<&'m SymbolOp> {
        let (graph, roots) = (CallGraph::of_calls(self.ir), self.roots());
        let needed: FxHashSet<Name> = graph.post_order_from(roots.iter().copied()).into_iter().collect();
        let own =
            self.ir.symbols().iter().map(|s| s.name).filter(|name| needed.contains(name) && !roots.contains(name));
        let order = graph.post_order_from(own.chain(roots.iter().copied()).collect::<Vec<_>>());
        let all = order.into_iter().filter_map(|name| self.ir.get(name));
        all.filter(|s| func::Func::of_symbol(s).is_some() && s.body.entry().is_some()).collect()
    }

    /// # Errors
    /// What no language has, at its place.
    pub fn function(&self, symbol: &'m SymbolOp) -> Result<Function, Diagnostic> {
        build::function(self, symbol)
    }
}

fn contents(symbol: &SymbolOp) -> Option<Ty> {
    let ty = resource_type(symbol)?;
    let held = as_buffer(ty).map_or(ty, |(elem, _)| elem);
    let unsigned = Param::of(symbol).is_some_and(|p| is_unsigned(&p.ty)) && as_array(held).is_none();
    Ty::of(held, unsigned)
}

/// The contents of the memory of groups that the programmer wrote unsigned, where only scalars and
/// vectors are read and written: what is an array is made of signed integers elsewhere.
fn shared_contents(ir: &caustic_ir::Module) -> impl Iterator<Item = (Name, Ty)> + '_ {
    let wrote = |symbol: &&SymbolOp| symbol.attr(GROUPSHARED).is_some();
    let wrote = ir.symbols().iter().filter(wrote).filter_map(|symbol| {
        let written = DataType::from_attr(symbol.attr(WRITTEN)?)?;
        let ty = resource_type(symbol)?;
        let held = as_buffer(ty).map_or(ty, |(elem, _)| elem);
        Some((symbol.name, Ty::of(held, is_unsigned(&written))?))
    });
    wrote.filter(|(name, _)| ir.symbols().iter().all(|symbol| reached_by_parts(&symbol.body, *name)))
}

fn reached_by_parts(body: &Body, name: Name) -> bool {
    body.walk_all().into_iter().filter(|&op| agg::resource_name(body, op) == Some(name)).all(|op| {
        body.uses(body.result(op, 0)).iter().all(|site| {
            let accesses = agg::BufferLoad::is(body, site.op)
                || agg::BufferStore::is(body, site.op)
                || agg::AtomicView::of(body, site.op).is_some();
            let values = body.results(site.op).iter().chain(body.operands(site.op));
            let mut values = values.filter(|&&value| as_buffer(body.ty(value)).is_none());
            accesses && values.all(|&value| body.ty(value).is_scalar() || body.ty(value).is_vector())
        })
    })
}
