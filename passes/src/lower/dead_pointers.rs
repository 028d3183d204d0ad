//! `drop-dead-pointers`: parameters go that hold pointers and that nothing looks at.
//!
//! Where an access by a pointer has become one to a resource (`resolve-pointers`), the pointer is
//! still handed from function to function, as a number that means nothing any more.
//!
//! A parameter is dead if what it holds is only put into other aggregates, taken out of them, and
//! handed on to parameters that are dead. All are taken for dead until something else is seen.
//!
//! Invariant: functions that something names without calling them keep their signatures, as do
//! those that nothing in the module calls. Derivatives have been made by then: what functions say
//! of theirs is forgotten where signatures change.

use crate::manager::{Changed, PassReport, PassResult};
use crate::optimize::trim_signatures::only_called;
use crate::passes;
use caustic_dialects::call_graph::callee;
use caustic_dialects::signature::{Direction, LINKS, PARAMS, Signature};
use caustic_dialects::{agg, func};
use caustic_ir::module::FUNCTION_TYPE;
use caustic_ir::{Attr, Body, Builder, Module, Name, SymbolOp, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Removes parameters that hold pointers and that nothing looks at.
    pub static DROP_DEAD_POINTERS: "drop-dead-pointers" {
        level: module, options: none, before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("dropped", "parameters removed")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

/// A function and the number of an input.
type Input = (Name, usize);

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let mut dead = candidates(module);
    loop {
        let is_live = |&(name, input): &Input| {
            let body = module.get(name).map(|s| &s.body);
            let param = body.and_then(|b| Some((b, *b.args(b.entry()?).get(input)?)));
            param.is_none_or(|(body, param)| is_looked_at(body, param, &dead))
        };
        let live: Vec<Input> = dead.iter().copied().filter(|input| is_live(input)).collect();
        if live.is_empty() {
            break;
        }
        live.iter().for_each(|input| {
            dead.remove(input);
        });
    }
    report.count("dropped", dead.len() as u64);
    let mut by_function: FxHashMap<Name, Vec<usize>> = FxHashMap::default();
    for &(name, input) in &dead {
        by_function.entry(name).or_default().push(input);
    }
    for symbol in module.symbols_mut().iter_mut().filter(|_| !dead.is_empty()) {
        LINKS.iter().for_each(|link| symbol.remove_attr(link));
        drop_operands(&mut symbol.body, &by_function);
        if let Some(inputs) = by_function.get(&symbol.name) {
            drop_inputs(symbol, inputs);
        }
    }
    Ok(Changed::from(!dead.is_empty()))
}

/// Structs with pointers that functions are given that are called and nothing else.
fn candidates(module: &Module) -> FxHashSet<Input> {
    let free = only_called(module);
    let mut found = FxHashSet::default();
    let is_free = |s: &&SymbolOp| free.contains(&s.name);
    for symbol in module.symbols().iter().filter(|s| func::Func::of_symbol(s).is_some()).filter(is_free) {
        let Some(signature) = Signature::of(symbol) else { continue };
        let given = signature.params.iter().filter(|p| p.dir == Direction::In && holds_pointer(p.ty));
        found.extend(given.filter_map(|p| Some((symbol.name, p.input?))));
    }
    found
}

fn holds_pointer(ty: Type) -> bool {
    agg::StructType::of(ty).is_some_and(|s| s.fields().any(|f| f.ty == Type::i64() || holds_pointer(f.ty)))
}

/// Whether a value is used otherwise than to be part of something that is not looked at.
fn is_looked_at(body: &Body, value: ValueId, dead: &FxHashSet<Input>) -> bool {
    let (mut seen, mut work) = (FxHashSet::default(), vec![value]);
    while let Some(value) = work.pop() {
        for u in body.uses(value) {
            // An index that chooses a part is looked at.
            let parts = match () {
                () if agg::Make::is(body, u.op) => body.operands(u.op).len(),
                () if agg::Extract::is(body, u.op) => 1,
                () if agg::Insert::is(body, u.op) => 2,
                () => 0,
            };
            let handed = callee(body, u.op).is_some_and(|name| dead.contains(&(name, u.index as usize)));
            match () {
                () if handed => {}
                () if (u.index as usize) < parts => {
                    work.extend(body.results(u.op).iter().copied().filter(|&r| seen.insert(r)));
                }
                () => return true,
            }
        }
    }
    false
}

fn drop_operands(body: &mut Body, dead: &FxHashMap<Name, Vec<usize>>) {
    for op in body.walk_all() {
        let Some(inputs) = callee(body, op).and_then(|name| dead.get(&name)) else { continue };
        let kept = body.operands(op).iter().enumerate().filter(|(n, _)| !inputs.contains(n)).map(|(_, &v)| v);
        let kept: Vec<ValueId> = kept.collect();
        body.set_operands(op, &kept);
    }
}

fn drop_inputs(symbol: &mut SymbolOp, inputs: &[usize]) -> Option<()> {
    let (signature, (given, results)) = (Signature::of(symbol)?, symbol.function_type()?);
    let kept = given.iter().enumerate().filter(|(n, _)| !inputs.contains(n)).map(|(_, &ty)| ty);
    let ty = Type::function(&kept.collect::<Vec<_>>(), results);
    if let Some(written) = symbol.attr(PARAMS).and_then(|a| a.as_array()) {
        let goes = |n: usize| signature.params.get(n).and_then(|p| p.input).is_some_and(|i| inputs.contains(&i));
        let left: Vec<Attr> = written.iter().enumerate().filter(|(n, _)| !goes(*n)).map(|(_, a)| *a).collect();
        symbol.set_attr(PARAMS, Attr::array(left));
    }
    symbol.set_attr(FUNCTION_TYPE, Attr::ty(ty));
    let body = &mut symbol.body;
    let (entry, first) = (body.entry()?, body.first_op(body.entry()?)?);
    for &input in inputs {
        let param = body.args(entry)[input];
        if !body.is_unused(param) {
            let mut b = Builder::before(body, first)?;
            let zero = agg::Zero::build(&mut b, given[input], &[]);
            body.replace_uses(param, zero);
        }
    }
    body.remove_args(entry, |n| inputs.contains(&n));
    Some(())
}
