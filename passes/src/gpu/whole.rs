//! `mark-whole-loops`: short loops with known bounds are marked, so that their iterations become
//! straight-line code.
//!
//! A thread waits for what it reads. Where the iterations stand beside each other, their reads are
//! on the way together, what is made of the counter is a constant, and nothing counts. A loop that
//! becomes too long stays: code that does not fit the cache for instructions is read again and
//! again.
//!
//! Works on kernels after inlining, late: other passes read loops.

use super::registers::{Sizes, Weigh};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::scf;
use caustic_ir::{Attr, Body, Module, OpId};

/// Scalar instructions that a loop may become, with all loops in it.
const MOST: usize = 512;

passes! {
    /// Marks short loops whose iterations are to be straight-line code.
    pub static MARK_WHOLE_LOOPS: "mark-whole-loops" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("marked", "loops")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    each_kernel(module, |module, kernel| {
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        let body = &mut symbol.body;
        let short: Vec<OpId> = Sizes::all(body, MOST, Weigh::Lanes).short.into_keys().collect();
        report.count("marked", short.len() as u64);
        short.iter().for_each(|&op| mark(body, op));
        Ok(Changed::from(!short.is_empty()))
    })
}

fn mark(body: &mut Body, op: OpId) {
    body.set_attr(op, scf::WHOLE, Attr::unit());
}
