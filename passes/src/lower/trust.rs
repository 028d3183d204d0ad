//! `trust-bounds`: accesses to resources whose indices are in range by the programmer's word.
//!
//! A pointer has no length in the language (user guide, "Pointers"), and what it leads to out of
//! range is nobody's; a buffer has one, and gives zero there. So `pointers` marks accesses through
//! pointers alone.
//!
//! What is marked may not be moved in front of the condition that it stands behind: the passes that
//! follow move reads only to where they happen anyway.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::agg;
use caustic_dialects::func;
use caustic_dialects::place::place_of;
use caustic_dialects::reflect;
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Module, Name, OpId};
use rustc_hash::FxHashSet;

passes! {
    /// Marks accesses to resources as inside: nothing looks at their indices.
    pub static TRUST_BOUNDS: "trust-bounds" {
        level: module,
        options: TrustOptions {
            pointers: bool = "false", "Accesses through pointers only: buffers, which have a length, are looked at.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("accesses", "accesses that were marked")],
        run: |module: &mut Module, options: &TrustOptions, report: &mut PassReport| run(module, options, report),
    }
}

fn run(module: &mut Module, options: &TrustOptions, report: &mut PassReport) -> PassResult {
    let pointers: FxHashSet<Name> =
        module.symbols().iter().filter(|s| reflect::is_pointer_of_program(s)).map(|s| s.name).collect();
    let trusted = |resource: Name| !options.pointers || pointers.contains(&resource);
    let mut marked = 0;
    for symbol in module.symbols_mut().iter_mut().filter(|s| func::Func::of_symbol(s).is_some()) {
        let body = &mut symbol.body;
        let ops: Vec<OpId> = body.all_ops().filter(|&op| accessed(body, op).is_some_and(trusted)).collect();
        marked += ops.len();
        for op in ops {
            body.set_attr(op, agg::INSIDE, Attr::unit());
        }
    }
    report.count("accesses", marked as u64);
    Ok(Changed::from(marked > 0))
}

/// The resource that a host binds whose element an op accesses, as whatever it is seen.
fn accessed(body: &Body, op: OpId) -> Option<Name> {
    let place = place_of(body, op, &[Access::Reads, Access::Writes, Access::Updates])?;
    place.element?;
    let mut buffer = place.base;
    loop {
        let op = body.def_op(buffer)?;
        match agg::resource_name(body, op) {
            Some(name) => return Some(name),
            None if agg::View::is(body, op) => buffer = body.operand(op, 0),
            None => return None,
        }
    }
}
