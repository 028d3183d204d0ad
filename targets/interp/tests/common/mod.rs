//! Building small functions for the tests.
#![allow(dead_code)]

use caustic_dialects::{arith, func, scf};
use caustic_ir::eval::Val;
use caustic_ir::{Attr, BlockId, Builder, Loc, Module, Name, OpId, SymbolOp, Type, ValueId};

/// Adds the function `name`; `body` gets its parameters and gives the results.
pub fn function(
    module: &mut Module,
    name: &str,
    params: &[Type],
    results: &[Type],
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) {
    let mut symbol = SymbolOp::new(func::Func::DEF, Name::new(name), Loc::unknown());
    symbol.set_attr("function_type", Attr::ty(Type::function(params, results)));
    let root = symbol.body.root();
    let entry = symbol.body.add_block(root, params);
    let args = symbol.body.args(entry).to_vec();
    let mut b = Builder::at_end(&mut symbol.body, entry, Loc::unknown());
    let values = body(&mut b, &args);
    func::Return::build(&mut b, &values, &[]);
    assert!(module.add(symbol).is_ok(), "two functions @{name}");
}

/// A loop over `0..count`; `body` gets the index and the carried values and gives the next ones.
pub fn for_loop(
    b: &mut Builder<'_>,
    count: ValueId,
    inits: &[ValueId],
    body: impl FnOnce(&mut Builder<'_>, ValueId, &[ValueId]) -> Vec<ValueId>,
) -> Vec<ValueId> {
    let types: Vec<Type> = inits.iter().map(|&v| b.ty(v)).collect();
    let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
    let op = scf::For::build(b, zero, count, one, inits, &types, &[]);
    let mut args = vec![Type::index()];
    args.extend(&types);
    let block = b.add_block(op, 0, &args);
    fill(b, block, |b, args| body(b, args[0], &args[1..]));
    b.body.results(op).to_vec()
}

/// `if`: each side gives the results.
pub fn if_else(
    b: &mut Builder<'_>,
    condition: ValueId,
    results: &[Type],
    then: impl FnOnce(&mut Builder<'_>) -> Vec<ValueId>,
    otherwise: impl FnOnce(&mut Builder<'_>) -> Vec<ValueId>,
) -> Vec<ValueId> {
    let op = scf::If::build(b, condition, results, &[]);
    let block = b.add_block(op, 0, &[]);
    fill(b, block, |b, _| then(b));
    let block = b.add_block(op, 1, &[]);
    fill(b, block, |b, _| otherwise(b));
    b.body.results(op).to_vec()
}

pub fn fill(
    b: &mut Builder<'_>,
    block: BlockId,
    body: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) -> OpId {
    let mut inner = b.at(block);
    let args = inner.body.args(block).to_vec();
    let values = body(&mut inner, &args);
    scf::Yield::build(&mut inner, &values, &[])
}

pub fn call(b: &mut Builder<'_>, callee: &str, args: &[ValueId], results: &[Type]) -> Vec<ValueId> {
    let op = func::Call::build(b, args, results, &[("callee", Attr::symbol(Name::new(callee)))]);
    b.body.results(op).to_vec()
}

pub fn ints(values: &[i64]) -> Val {
    Val::agg(values.iter().map(|&v| Val::Int(v)).collect())
}

pub fn floats(values: &[f64]) -> Val {
    Val::agg(values.iter().map(|&v| Val::Float(v)).collect())
}

/// Results as text, for comparisons that show what differs.
pub fn text(result: &caustic_ir::eval::EvalResult) -> String {
    match result {
        Ok(values) => format!("{values:?}"),
        Err(trap) => format!("trap: {}", trap.message),
    }
}
