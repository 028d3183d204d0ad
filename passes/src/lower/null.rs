//! `null-addresses`: the address of an empty buffer is zero.
//!
//! A host hands over a null pointer as a buffer without bytes. What `agg.address` says of it is a
//! matter of the machine only where something is there; for targets the rest is written out.
//!
//! Works late: passes that follow pointers to their resources (`resolve-pointers`) read addresses.
//! Memory of a group or of a thread is never empty.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::reflect::{GROUPSHARED, PRIVATE};
use caustic_dialects::{agg, arith};
use caustic_ir::{Body, Builder, Module, Name, OpId, SymbolOp, Type};
use rustc_hash::FxHashSet;

passes! {
    /// Writes out that the address of an empty buffer is zero.
    pub static NULL_ADDRESSES: "null-addresses" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("addresses", "addresses that may be zero")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let is_own = |s: &&SymbolOp| [GROUPSHARED, PRIVATE].iter().any(|name| s.attr(name).is_some());
    let never_empty: FxHashSet<Name> = module.symbols().iter().filter(is_own).map(|s| s.name).collect();
    let mut found = 0;
    for symbol in module.symbols_mut() {
        let body = &mut symbol.body;
        let addresses: Vec<OpId> = body.all_ops().filter(|&op| agg::Address::is(body, op)).collect();
        for op in addresses.into_iter().filter(|&op| may_be_null(body, op, &never_empty)).collect::<Vec<_>>() {
            found += u64::from(select(body, op));
        }
    }
    report.count("addresses", found);
    Ok(Changed::from(found > 0))
}

fn may_be_null(body: &Body, op: OpId, never_empty: &FxHashSet<Name>) -> bool {
    let name = body.def_op(body.operand(op, 0)).and_then(|made| agg::resource_name(body, made));
    name.is_none_or(|name| !never_empty.contains(&name))
}

/// Puts a choice between zero and the address in the address's place.
fn select(body: &mut Body, op: OpId) -> bool {
    let (buffer, address) = (body.operand(op, 0), body.result(op, 0));
    let Some(mut b) = Builder::before(body, op) else { return false };
    let length = agg::BufferLen::build(&mut b, buffer, Type::index(), &[]);
    let zero = arith::index(&mut b, 0);
    let is_empty = arith::cmpi(&mut b, arith::IntPredicate::Eq, length, zero);
    let null = arith::build::int(&mut b, 0, Type::i64());
    let own = agg::Address::build(&mut b, buffer, Type::i64(), &[]);
    let chosen = arith::Select::build(&mut b, is_empty, null, own, &[]);
    body.replace_uses(address, chosen);
    body.erase_op(op);
    true
}
