//! `trust-bounds`: accesses to resources whose indices are in range by the programmer's word.
//!
//! Last of all: what is marked may not be moved in front of the condition that it stands behind.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::agg;
use caustic_dialects::func;
use caustic_dialects::place::place_of;
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Module, OpId, ValueId};

passes! {
    /// Marks accesses to resources as inside: nothing looks at their indices.
    pub static TRUST_BOUNDS: "trust-bounds" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("accesses", "accesses that were marked")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let mut marked = 0;
    for symbol in module.symbols_mut().iter_mut().filter(|s| func::Func::of_symbol(s).is_some()) {
        let body = &mut symbol.body;
        let ops: Vec<OpId> = body.all_ops().filter(|&op| accesses_resource(body, op)).collect();
        marked += ops.len();
        for op in ops {
            body.set_attr(op, agg::INSIDE, Attr::unit());
        }
    }
    report.count("accesses", marked as u64);
    Ok(Changed::from(marked > 0))
}

fn accesses_resource(body: &Body, op: OpId) -> bool {
    let place = place_of(body, op, &[Access::Reads, Access::Writes, Access::Updates]);
    place.is_some_and(|place| place.element.is_some() && is_resource(body, place.base))
}

/// Whether a buffer is one that a host binds, as whatever it is seen.
fn is_resource(body: &Body, mut buffer: ValueId) -> bool {
    while let Some(op) = body.def_op(buffer) {
        if agg::resource_name(body, op).is_some() {
            return true;
        }
        if !agg::View::is(body, op) {
            return false;
        }
        buffer = body.operand(op, 0);
    }
    false
}
