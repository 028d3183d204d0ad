//! How much of what a kernel does in loops is the same for all of its threads.
//!
//! A GPU computes it once for each thread all the same: numbers made of a loop's counter, reads of
//! what all threads read, reciprocals of divisors that are one number. Threads that become one
//! (`coarsen`) share it. It must not know how threads become one.

use crate::analysis::costs::{Frequencies, GPU};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Body, OpId, ValueId};
use rustc_hash::FxHashSet;

/// Instructions of a division: what its divisor asks for alone (the start of its reciprocal, a step
/// of Newton's, a branch), and the rest.
const DIVISION: (u64, u64) = (6, 6);
/// Instructions of a read: an address, a look at the size, the read.
const READ: u64 = 3;
/// Of an iteration: the counter and the jump.
const ITERATION: u64 = 2;

/// Instructions that a thread executes in loops, weighed by how often they run.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Work {
    /// Those that would be the same for every thread.
    pub shared: u64,
    pub own: u64,
}

/// The work of `ops`, of which the values in `differ` differ between threads. `together` says of an
/// op whether all threads come to it at once.
pub fn work_in_loops(
    body: &Body,
    ops: &[OpId],
    differ: &FxHashSet<ValueId>,
    mut together: impl FnMut(OpId) -> bool,
) -> Work {
    let often = Frequencies::of(body);
    let differs = |v: &ValueId| differ.contains(v);
    let mut work = Work::default();
    for &op in ops {
        let Some(block) = body.op(op).block.filter(|&b| often.depth(b) > 0) else { continue };
        let same = !body.results(op).is_empty() && !body.results(op).iter().any(differs);
        let (alike, other) = match () {
            _ if ends_iteration(body, op) => (ITERATION, 0),
            _ if arith::DivF::is(body, op) && !differs(&body.operand(op, 1)) => DIVISION,
            _ if arith::DivF::is(body, op) => (0, DIVISION.0 + DIVISION.1),
            _ if agg::BufferLoad::is(body, op) => (0, READ),
            _ => (0, GPU.work(body, op)),
        };
        let (shared, own) = match together(op) {
            true if same => (alike + other, 0),
            true => (alike, other),
            false => (0, alike + other),
        };
        work.shared = work.shared.saturating_add(shared.saturating_mul(often.runs(block)));
        work.own = work.own.saturating_add(own.saturating_mul(often.runs(block)));
    }
    work
}

/// Whether an op is the end of a loop's body.
fn ends_iteration(body: &Body, op: OpId) -> bool {
    let around = body.op(op).block.and_then(|block| body.parent_op(block));
    scf::Yield::is(body, op) && around.is_some_and(|l| scf::For::is(body, l) || scf::While::is(body, l))
}
