//! `choose-aggregation`: how what many threads add to a buffer comes together is decided where it
//! is added.
//!
//! The library offers several ways of adding and asks by `simt.aggregation` which of them are open;
//! see `AutomaticAggregation`. An addition is exclusive if the indices of all writes to the buffer
//! in the kernel are the same linear form of the thread's numbers, but for a small rest, and no two
//! threads of the dispatch have the same value of it. That depends on the size of the dispatch most
//! often, and is then a condition in the code. The pass works on kernels after inlining: in a
//! function that is called nothing is known.

use crate::analysis::effects::Summary;
use crate::analysis::threads::{Form, Threads};
use crate::manager::{Changed, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::optimize::{canonicalize, dce};
use crate::passes;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::place::places;
use caustic_dialects::reflect::Entry;
use caustic_dialects::simt::{Aggregation, AggregationOf};
use caustic_dialects::{agg, arith};
use caustic_ir::op::Access;
use caustic_ir::{Body, Builder, Module, Name, OpId, Result, SymbolOp, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Answers which ways of adding to an element of a buffer are open.
    ///
    /// Plain addition where the element is provably the thread's own.
    pub static CHOOSE_AGGREGATION: "choose-aggregation" {
        level: module,
        options: ChooseOptions {
            shared: bool = "false", "No element is taken for a thread's own, so that no condition asks for the dispatch.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same, without `simt.aggregation`",
        statistics: [("exclusive", "additions that are plain, perhaps under a condition")],
        run: |module: &mut Module, options: &ChooseOptions, report: &mut PassReport| -> PassResult {
            run(module, options.shared, report).map(Changed::from).map_err(|e| vec![e])
        },
    }
}

fn questions(body: &Body) -> Vec<OpId> {
    body.walk_all().into_iter().filter(|&op| AggregationOf::is(body, op)).collect()
}

fn run(module: &mut Module, shared: bool, report: &mut PassReport) -> Result<bool> {
    let asking = |s: &&SymbolOp| !questions(&s.body).is_empty();
    let names: Vec<Name> = module.symbols().iter().filter(asking).map(|s| s.name).collect();
    if names.is_empty() {
        return Ok(false);
    }
    let summary = Summary::of(module);
    for &name in &names {
        // The buffers have come through structs and calls.
        if let Some(symbol) = module.get_mut(name).filter(|s| Entry::of(s).is_some()) {
            canonicalize::run(symbol)?;
            dce::run(symbol, &summary);
        }
    }
    let summary = Summary::of(module);
    for name in names {
        let elsewhere = written_elsewhere(module, name);
        let Some(symbol) = module.get_mut(name) else { continue };
        let numthreads = Entry::of(symbol).filter(|_| !shared).map(|e| e.numthreads.map(i64::from));
        let body = &mut symbol.body;
        let answers = match numthreads {
            Some(numthreads) => {
                let constant = |name: Name| !summary.is_written(name);
                let threads = Threads { body, numthreads, constant: &constant };
                let mut forms = FxHashMap::default();
                let choose = |op| (op, choose(&threads, op, &elsewhere, &mut forms));
                questions(body).into_iter().map(choose).collect()
            }
            None => questions(body).into_iter().map(|op| (op, Answer::No)).collect::<Vec<_>>(),
        };
        let numthreads = numthreads.unwrap_or([1; 3]);
        for (op, answer) in answers {
            let Some(mut b) = Builder::before(body, op) else { continue };
            let value = match answer {
                Answer::No => None,
                Answer::If(form) => {
                    let condition = form.is_one_to_one(&mut b, numthreads);
                    report.count("exclusive", u64::from(condition.is_some()));
                    condition
                }
            };
            let value = value.unwrap_or_else(|| unknown(&mut b));
            let result = body.result(op, 0);
            body.replace_uses(result, value);
            body.erase_op(op);
        }
    }
    Ok(true)
}

/// What is not known to be one thread's own is shared.
#[mutant(Site::AggregationShared => arith::bool(b, true))]
fn unknown(b: &mut Builder<'_>) -> ValueId {
    arith::bool(b, false)
}

enum Answer {
    No,
    /// If no two threads have the same value of the form.
    If(Form),
}

fn choose(
    threads: &Threads<'_>,
    op: OpId,
    elsewhere: &FxHashSet<Name>,
    forms: &mut FxHashMap<Name, Option<Form>>,
) -> Answer {
    let body = threads.body;
    match Aggregation::of(body, op) {
        Some(Aggregation::Exclusive) => {
            let mut source = body.def_op(body.operand(op, 0));
            if let Some(view) = source.filter(|&op| agg::View::is(body, op)) {
                source = body.def_op(body.operand(view, 0));
            }
            let source = source.filter(|&op| agg::Global::is(body, op));
            let name = source.and_then(|op| agg::Global(op).name(body));
            let Some(name) = name.filter(|name| !elsewhere.contains(name)) else { return Answer::No };
            let form = forms.entry(name).or_insert_with(|| form_of_writes(threads, name));
            form.clone().map_or(Answer::No, Answer::If)
        }
        _ => Answer::No,
    }
}

/// A form that the index of every write to the buffer in the kernel has. All of these count the
/// same: elements, or the floats in them.
fn form_of_writes(threads: &Threads<'_>, name: Name) -> Option<Form> {
    let body = threads.body;
    let named = |op: &OpId| agg::resource_name(body, *op) == Some(name);
    let mut joined: Option<(Form, Type)> = None;
    let mut values: Vec<ValueId> =
        body.walk_all().into_iter().filter(named).flat_map(|op| body.results(op).to_vec()).collect();
    while let Some(r) = values.pop() {
        let counted = body.ty(r);
        for u in body.uses(r) {
            if agg::View::is(body, u.op) && !agg::is_byte_view(body.ty(body.result(u.op, 0))) {
                values.push(body.result(u.op, 0));
                continue;
            }
            let Some(index) = written_index(body, u.op, r)? else { continue };
            let form = threads.form(index)?;
            joined = Some(match joined {
                Some((other, ty)) if ty == counted => (other.joined(&form)?, ty),
                Some(_) => return None,
                None => (form, counted),
            });
        }
    }
    joined.map(|(form, _)| form)
}

/// The index at which an op that uses a buffer writes to it; `Some(None)` if it does not, `None` if
/// it may do anything.
fn written_index(body: &Body, op: OpId, buffer: ValueId) -> Option<Option<ValueId>> {
    let place = places(body, op).into_iter().find(|place| place.base == buffer)?;
    match place.access {
        Access::Reads => Some(None),
        // An element that is asked for is one that is written later.
        Access::Asks => Some(place.element),
        Access::Writes | Access::Updates => place.element.map(Some),
        Access::Views | Access::Exposes => None,
        Access::Projects | Access::Replaces | Access::Adds | Access::Becomes => None,
    }
}

/// The buffers that the functions that `kernel` calls do more with than read them.
fn written_elsewhere(module: &Module, kernel: Name) -> FxHashSet<Name> {
    let mut found = FxHashSet::default();
    let mut called = CallGraph::of_calls(module).reachable([kernel]);
    called.remove(&kernel);
    for body in called.into_iter().filter_map(|name| module.get(name)).map(|s| &s.body) {
        for op in body.all_ops().filter(|&op| agg::Global::is(body, op) || agg::GlobalElement::is(body, op)) {
            let read = |r: &ValueId| body.uses(*r).iter().all(|u| written_index(body, u.op, *r) == Some(None));
            found.extend(agg::resource_name(body, op).filter(|_| !body.results(op).iter().all(read)));
        }
    }
    found
}
