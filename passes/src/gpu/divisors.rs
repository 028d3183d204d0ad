//! `unroll-divisors`: short loops that divide by numbers made of their counters become
//! straight-line code, so that the divisors are constants.
//!
//! A series divides by a function of the term's number. By a constant a GPU divides in half of the
//! instructions, and a function of floats of the counter alone needs none. LLVM counts a division
//! as one instruction like any other, and takes such a loop for too long to be unrolled.
//!
//! The pass works on kernels after inlining.

use super::registers::{Sizes, Weigh, counters};
use super::unroll_chosen::unroll_chosen;
use crate::manager::PassReport;
use crate::passes;
use caustic_dialects::arith;
use caustic_ir::{Body, Module, OpId};
use rustc_hash::FxHashSet;

/// Ops that a loop may become: 16 terms of a series with their derivatives.
const LOOP_OPS: usize = 512;
/// Ops that a divisor is looked through.
const DEPTH: u32 = 16;

passes! {
    /// Unrolls short loops whose divisors are made of their counters.
    pub static UNROLL_DIVISORS: "unroll-divisors" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("unrolled", "loops")],
        run: |module: &mut Module, report: &mut PassReport| unroll_chosen(module, report, chosen),
    }
}

/// The loops that make up what is divided by, and the arguments of functions, where nothing else
/// does.
fn chosen(body: &Body) -> FxHashSet<OpId> {
    let sizes = Sizes::all(body, LOOP_OPS, Weigh::Ops);
    let mut wanted = FxHashSet::default();
    if sizes.short.is_empty() {
        return wanted;
    }
    for op in body.all_ops() {
        let costly = match body.op(op).def.name {
            name if name == arith::DivF::NAME => &body.operands(op)[1..],
            _ if body.op(op).def.dialect() == "math" => body.operands(op),
            _ => continue,
        };
        let loops: Option<Vec<OpId>> = costly
            .iter()
            .map(|&value| counters(body, value, DEPTH))
            .try_fold(Vec::new(), |all, more| Some([all, more?].concat()));
        wanted.extend(loops.into_iter().flatten().filter(|l| sizes.short.contains_key(l)));
    }
    wanted
}
