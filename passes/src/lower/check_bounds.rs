//! `check-bounds`: an access to a resource out of range ends the program, for those who ask for it;
//! without the pass it reads zero and writes nothing.
//!
//! It runs before the passes that move reads. A read that was moved to where the program makes none
//! does no harm out of range; a check has an effect and stays where it is.
//!
//! This module must not know: how elements lie in memory.

use crate::manager::{Changed, ModuleView, PassReport};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::agg;
use caustic_dialects::place::place_of;
use caustic_ir::op::Access;
use caustic_ir::{Attr, Builder, SymbolOp};

passes! {
    /// Puts a check before each access to a resource: where the element does not exist, the program
    /// traps.
    pub static CHECK_BOUNDS: "check-bounds" {
        level: function, options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("checks", "checks added")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let added = run(symbol);
            report.count("checks", added);
            Ok(Changed::from(added > 0))
        },
    }
}

#[mutant(Site::BoundsReads => &[Access::Reads])]
fn checked() -> &'static [Access] {
    &[Access::Reads, Access::Writes, Access::Updates]
}

/// How many checks were added.
fn run(symbol: &mut SymbolOp) -> u64 {
    let mut added = 0;
    for op in symbol.body.walk_all() {
        let body = &symbol.body;
        let Some(place) = place_of(body, op, checked()) else { continue };
        let Some(index) = place.element.filter(|_| agg::as_buffer(body.ty(place.base)).is_some()) else { continue };
        let (base, path, indices) = (place.base, place.path.unwrap_or_default(), place.indices.to_vec());
        let Some(mut b) = Builder::before(&mut symbol.body, op) else { continue };
        agg::CheckBounds::build(&mut b, base, index, &indices, &[("path", Attr::i64_array(&path))]);
        added += 1;
    }
    added
}
