//! `trim-signatures`: private functions are not given what they know, and do not give what their
//! callers know.
//!
//! Differentiation makes functions for all callers that there could be: they say of each cotangent
//! whether it was reached, and take flags for tangents that may not be. Where a program calls them,
//! most of these are constants.
//!
//! Invariant: functions that the programmer wrote keep their signatures, as do those that something
//! names without calling them.

use super::inline::is_private;
use crate::manager::{Changed, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::call_graph::{callee, mentioned};
use caustic_dialects::signature::{LINKS, PARAMS};
use caustic_dialects::{agg, arith, func};
use caustic_ir::module::FUNCTION_TYPE;
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Removes parameters and results of private functions that are constants or that nobody reads.
    ///
    /// Of the program's own functions none is changed.
    pub static TRIM_SIGNATURES: "trim-signatures" {
        level: module, options: none, before: "func scf arith strong math vector agg gpu simt tex", after: "the same",
        statistics: [("trimmed", "parameters and results removed")],
        run: |module: &mut Module, report: &mut PassReport| -> PassResult {
            let trimmed = run(module);
            report.count("trimmed", trimmed);
            Ok(Changed::from(trimmed > 0))
        },
    }
}

/// Parts of an aggregate beyond which it is not made again.
const MOST_PARTS: usize = 64;

/// A value that can be made again anywhere.
#[derive(Clone, PartialEq, Eq)]
enum Known {
    Constant(Attr, Type),
    Zero(Type),
    Made(Vec<Known>, Type),
}

impl Known {
    fn of(body: &Body, value: ValueId) -> Option<Known> {
        let ty = body.ty(value);
        if let Some(attr) = arith::constant_of(body, value) {
            return Some(Known::Constant(attr, ty));
        }
        let op = body.def_op(value)?;
        if agg::Zero::is(body, op) {
            return Some(Known::Zero(ty));
        }
        let parts = body.operands(op);
        if !agg::Make::is(body, op) || parts.len() > MOST_PARTS {
            return None;
        }
        let parts = parts.iter().map(|&part| Known::of(body, part)).collect::<Option<_>>()?;
        Some(Known::Made(parts, ty))
    }

    fn build(&self, b: &mut Builder<'_>) -> ValueId {
        match self {
            Known::Constant(attr, ty) => arith::constant(b, *attr, *ty),
            Known::Zero(ty) => agg::Zero::build(b, *ty, &[]),
            Known::Made(parts, ty) => {
                let parts: Vec<ValueId> = parts.iter().map(|part| part.build(b)).collect();
                agg::Make::build(b, &parts, *ty, &[])
            }
        }
    }
}

/// What a caller has in the place of a result that is not given any more.
#[derive(Clone)]
enum Instead {
    Unread,
    Known(Known),
    Operand(usize),
    Result(usize),
}

/// What goes of a signature.
#[derive(Default)]
struct Trimmed {
    inputs: FxHashMap<usize, Option<Known>>,
    results: FxHashMap<usize, Instead>,
}

/// The functions that are called and that nothing mentions otherwise, but for what others say of
/// their derivatives.
pub fn only_called(module: &Module) -> FxHashSet<Name> {
    let (mut called, mut named) = (FxHashSet::default(), FxHashSet::default());
    for symbol in module.symbols() {
        let calls: Vec<Name> = symbol.body.walk_all().into_iter().filter_map(|op| callee(&symbol.body, op)).collect();
        let mut mentions: FxHashMap<Name, usize> = FxHashMap::default();
        let mut symbol = symbol.clone();
        LINKS.iter().for_each(|link| symbol.remove_attr(link));
        mentioned(&symbol, &mut |name| *mentions.entry(name).or_default() += 1);
        for name in &calls {
            if let Some(left) = mentions.get_mut(name) {
                *left -= 1;
            }
        }
        called.extend(calls);
        named.extend(mentions.into_iter().filter(|&(_, left)| left > 0).map(|(name, _)| name));
    }
    called.retain(|name| !named.contains(name));
    called
}

/// How many parameters and results were removed.
pub fn run(module: &mut Module) -> u64 {
    let found = plan(module);
    if found.is_empty() {
        return 0;
    }
    for symbol in module.symbols_mut() {
        for op in symbol.body.walk_all() {
            if let Some(trimmed) = called_by(&symbol.body, op).and_then(|name| found.get(&name)) {
                trim_call(&mut symbol.body, op, trimmed);
            }
        }
        if let Some(trimmed) = found.get(&symbol.name) {
            trim_function(symbol, trimmed);
        }
    }
    found.values().map(|t| (t.inputs.len() + t.results.len()) as u64).sum()
}

fn called_by(body: &Body, op: OpId) -> Option<Name> {
    callee(body, op).filter(|_| func::Call::is(body, op))
}

fn plan(module: &Module) -> FxHashMap<Name, Trimmed> {
    let free = only_called(module);
    let is_made = |s: &&SymbolOp| {
        func::Func::of_symbol(s).is_some() && is_private(s) && s.attr(PARAMS).is_none() && free.contains(&s.name)
    };
    let made: Vec<&SymbolOp> = module.symbols().iter().filter(is_made).collect();
    let mut calls: FxHashMap<Name, Vec<(&Body, OpId)>> = made.iter().map(|s| (s.name, Vec::new())).collect();
    for symbol in module.symbols() {
        for op in symbol.body.walk_all() {
            let Some(name) = callee(&symbol.body, op) else { continue };
            if !func::Call::is(&symbol.body, op) {
                calls.remove(&name);
            } else if let Some(sites) = calls.get_mut(&name) {
                sites.push((&symbol.body, op));
            }
        }
    }
    let found = made.into_iter().filter_map(|s| Some((s.name, trimmed(&s.body, calls.get(&s.name)?)?)));
    found.collect()
}

/// What all calls hand to a parameter, if it is known and the same.
#[mutant(Site::TrimFirstCaller with calls = &calls[..calls.len().min(1)])]
fn given_by_all(calls: &[(&Body, OpId)], parameter: usize) -> Option<Known> {
    let mut all = calls.iter().map(|&(caller, op)| Known::of(caller, caller.operand(op, parameter)));
    let first = all.next().flatten();
    first.filter(|first| all.all(|other| other.as_ref() == Some(first)))
}

fn trimmed(body: &Body, calls: &[(&Body, OpId)]) -> Option<Trimmed> {
    let entry = body.entry()?;
    let (params, end) = (body.args(entry), body.terminator(entry)?);
    let mut found = Trimmed::default();
    for (i, &param) in params.iter().enumerate() {
        let unread = body.is_unused(param);
        let known = given_by_all(calls, i);
        if unread || known.is_some() {
            found.inputs.insert(i, known.filter(|_| !unread));
        }
    }
    let returned = body.operands(end);
    for (k, &value) in returned.iter().enumerate() {
        let same = || returned[..k].iter().position(|&before| before == value).map(Instead::Result);
        let given = || params.iter().position(|&p| p == value).map(Instead::Operand);
        let instead = match calls.iter().all(|&(caller, op)| caller.is_unused(caller.result(op, k))) {
            true => Some(Instead::Unread),
            false => Known::of(body, value).map(Instead::Known).or_else(given).or_else(same),
        };
        // What stands for another result is that of the first, which may not go.
        let instead = instead.filter(|i| !matches!(i, Instead::Result(first) if found.results.contains_key(first)));
        if let Some(instead) = instead {
            found.results.insert(k, instead);
        }
    }
    (!found.inputs.is_empty() || !found.results.is_empty()).then_some(found)
}

fn trim_call(body: &mut Body, op: OpId, trimmed: &Trimmed) {
    let (operands, results) = (body.operands(op).to_vec(), body.results(op).to_vec());
    for (k, &result) in results.iter().enumerate() {
        let value = match trimmed.results.get(&k) {
            Some(Instead::Operand(i)) => operands.get(*i).copied(),
            Some(Instead::Result(first)) => results.get(*first).copied(),
            Some(Instead::Known(known)) if !body.is_unused(result) => {
                let loc = body.loc(op);
                Builder::before(body, op).map(|mut b| {
                    b.loc = loc;
                    known.build(&mut b)
                })
            }
            _ => None,
        };
        if let Some(value) = value {
            body.replace_uses(result, value);
        }
    }
    let kept = operands.iter().enumerate().filter(|(i, _)| !trimmed.inputs.contains_key(i)).map(|(_, &v)| v);
    body.set_operands(op, &kept.collect::<Vec<_>>());
    body.remove_results(op, |k| trimmed.results.contains_key(&k));
}

fn trim_function(symbol: &mut SymbolOp, trimmed: &Trimmed) -> Option<()> {
    LINKS.iter().for_each(|link| symbol.remove_attr(link));
    let (inputs, results) = symbol.function_type()?;
    let left = |types: &[Type], goes: &dyn Fn(&usize) -> bool| -> Vec<Type> {
        types.iter().enumerate().filter(|(n, _)| !goes(n)).map(|(_, &ty)| ty).collect()
    };
    let inputs = left(inputs, &|i| trimmed.inputs.contains_key(i));
    let results = left(results, &|k| trimmed.results.contains_key(k));
    symbol.set_attr(FUNCTION_TYPE, Attr::ty(Type::function(&inputs, &results)));
    let body = &mut symbol.body;
    let entry = body.entry()?;
    let (first, end) = (body.first_op(entry)?, body.terminator(entry)?);
    let kept = body.operands(end).iter().enumerate().filter(|(k, _)| !trimmed.results.contains_key(k));
    let kept: Vec<ValueId> = kept.map(|(_, &v)| v).collect();
    body.set_operands(end, &kept);
    for (&i, known) in &trimmed.inputs {
        let param = body.args(entry)[i];
        if let Some(known) = known {
            let value = known.build(&mut Builder::before(body, first)?);
            body.replace_uses(param, value);
        }
    }
    body.remove_args(entry, |i| trimmed.inputs.contains_key(&i));
    Some(())
}
