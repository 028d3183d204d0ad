//! `legalize-atomics`: atomic updates that a machine lacks, by comparison and exchange.
//!
//! The new number is computed of the one that is there and put in its place unless another thread
//! has changed it meanwhile; then it is tried again.

use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::arith::{self, IntPredicate, cmpi};
use caustic_dialects::{agg, combine, func, scf};
use caustic_ir::{Attr, Body, Builder, OpId, SymbolOp, Type, ValueId};

passes! {
    /// Writes atomic updates as loops that compare and exchange.
    pub static LEGALIZE_ATOMICS: "legalize-atomics" {
        level: function,
        options: AtomicsOptions {
            floats: bool = "true", "All of floats but exchanges.";
            products: bool = "true", "Products of integers.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("loops", "updates that are loops")],
        run: run,
    }
}

fn run(symbol: &mut SymbolOp, _: &ModuleView<'_>, options: &AtomicsOptions, report: &mut PassReport) -> PassResult {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return Ok(Changed::No);
    }
    let body = &mut symbol.body;
    let mut changed = 0;
    for op in body.walk_all() {
        let Some(kind) = agg::AtomicRmw::cast(body, op).and_then(|_| agg::atomic_kind(body, op)) else { continue };
        let float = body.ty(body.operand(op, 0)).is_float();
        let wanted = if float { options.floats && kind != agg::EXCHANGE } else { options.products && kind == "mul" };
        if wanted && exchange(body, op, kind).is_some() {
            changed += 1;
        }
    }
    report.count("loops", changed);
    Ok(Changed::from(changed > 0))
}

/// The loop in the place of an update.
fn exchange(body: &mut Body, op: OpId, kind: &str) -> Option<()> {
    let v = agg::AtomicRmw(op);
    let (value, buffer, index) = (v.value(body), v.buffer(body), v.index(body));
    let (indices, path) = (v.indices(body).to_vec(), v.path(body).unwrap_or_default());
    let ty = body.ty(value);
    let def = combine::combine_def(kind, ty)?;
    let attrs = [("path", Attr::i64_array(&path))];
    let result = body.result(op, 0);
    let mut b = Builder::before(body, op)?;
    let first = agg::BufferLoad::build(&mut b, buffer, index, &indices, ty, &attrs);
    let (flag, start) = (Type::i1(), arith::bool(&mut b, true));
    let trial = scf::While::build(&mut b, &[first, start], &[ty, flag], &[]);
    let (before, after) = (b.add_block(trial, 0, &[ty, flag]), b.add_block(trial, 1, &[ty, flag]));
    let mut inner = b.at(before);
    let state = inner.body.args(before).to_vec();
    scf::Condition::build(&mut inner, state[1], &state, &[]);
    let mut inner = b.at(after);
    let old = inner.body.args(after)[0];
    let new = inner.create_one(def, &[old, value], ty, &[]);
    let seen = agg::AtomicCas::build(&mut inner, old, new, buffer, index, &indices, &attrs);
    let (seen_bits, old_bits) = (bits(&mut inner, seen), bits(&mut inner, old));
    let changed = cmpi(&mut inner, IntPredicate::Ne, seen_bits, old_bits);
    scf::Yield::build(&mut inner, &[seen, changed], &[]);
    let new = body.result(trial, 0);
    body.replace_uses(result, new);
    body.erase_op(op);
    Some(())
}

/// What decides whether a number is the one that was expected.
fn bits(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    let ty = b.ty(value);
    match ty.float_kind() {
        Some(kind) => arith::Bitcast::build(b, value, Type::int(kind.bits()), &[]),
        None => value,
    }
}
