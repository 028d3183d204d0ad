//! Checks before indexed accesses to arrays, vectors and matrices, for those who ask for them: an
//! index out of range reads zero and drops writes, and with the checks it is a trap.
//!
//! It runs on high-level code as written. Later the accesses are pure ops, which may be moved to
//! where the program would not have made them; the checks have an effect and stay where they are.

use crate::manager::{Changed, ModuleView, PassReport};
use crate::passes;
use caustic_dialects::place::place_of;
use caustic_dialects::{agg, hl};
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Builder, OpId, SymbolOp, Type, ValueId};

passes! {
    /// Puts a check before each access by a computed index: where it is out of range, the program
    /// traps.
    pub static CHECK_INDICES: "check-indices" {
        level: function, options: none, before: "hl", after: "the same", statistics: [("checks", "checks added")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let added = run(symbol);
            report.count("checks", added);
            Ok(Changed::from(added > 0))
        },
    }
}

/// How many checks were added.
pub fn run(symbol: &mut SymbolOp) -> u64 {
    let mut added = 0;
    for op in symbol.body.walk_all() {
        for (index, count) in accesses(&symbol.body, op) {
            let Some(block) = symbol.body.op(op).block else { continue };
            let loc = symbol.body.loc(op);
            let mut b = Builder { body: &mut symbol.body, block, before: Some(op), loc };
            agg::CheckIndex::build(&mut b, index, &[("count", Attr::int(count, Type::i64()))]);
            added += 1;
        }
    }
    added
}

/// The indices that an op computes with, each with what it must be below.
fn accesses(body: &Body, op: OpId) -> Vec<(ValueId, i64)> {
    if let Some(element) = hl::Element::cast(body, op) {
        let of = hl::as_ref(body.ty(element.reference(body)));
        return of.and_then(count).map(|n| (element.index(body), n)).into_iter().collect();
    }
    let Some(place) = place_of(body, op, &[Access::Projects, Access::Replaces]) else { return Vec::new() };
    let mut ty = Some(body.ty(place.base));
    let mut indices = place.indices.iter();
    let mut out = Vec::new();
    for &step in place.path.iter().flatten() {
        let Some(of) = ty else { break };
        if step < 0
            && let Some((&index, n)) = indices.next().zip(count(of))
        {
            out.push((index, n));
        }
        ty = agg::part_type(of, step.max(-1));
    }
    out
}

/// The number of elements of what an index leads into; a tape's is its own affair.
fn count(ty: Type) -> Option<i64> {
    if agg::as_tape(ty).is_some() {
        return None;
    }
    i64::try_from(agg::num_parts(ty)).ok().filter(|n| *n > 0)
}
