//! `unroll-reads`: short loops that wait for memory in each iteration become straight-line code, so
//! that memory is asked for all iterations at once.
//!
//! A sample of a pyramid of four images reads four texels of each level, and blends them. As a loop
//! a thread waits four times for its texels; as straight-line code it waits once, and one look at
//! the buffer's size stands for all reads (`version-kernels`). Reads whose addresses follow from
//! what an iteration before has computed have to wait anyhow; and a loop that computes much with
//! each number has other threads to run meanwhile, and no use for long code.
//!
//! The pass works on kernels after inlining.

use super::unroll_chosen::unroll_short;
use crate::analysis::costs::{Costs, Machine, is_loop};
use crate::analysis::effects::{Effect, Summary};
use crate::manager::PassReport;
use crate::passes;
use caustic_dialects::agg;
use caustic_dialects::carried::ForParts;
use caustic_dialects::place::place_of;
use caustic_ir::op::Access;
use caustic_ir::{Body, Module, OpId, ValueId};
use rustc_hash::FxHashSet;

/// Ops that a loop may become.
const LOOP_OPS: usize = 384;
/// Iterations whose reads are worth being asked for together.
const MOST_TRIPS: usize = 8;
/// Reads of an iteration, at least: of fewer a loop makes no more than threads hide, and the
/// registers of straight-line code leave room for fewer threads. And numbers that all iterations
/// read at most, since each waits in a register.
const FEWEST: usize = 6;
const MOST: usize = 40;
/// The most work for each number that is read.
const WORK: u64 = 20;

passes! {
    /// Unrolls short loops that read memory at places which are known before they run.
    pub static UNROLL_READS: "unroll-reads" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("unrolled", "loops")],
        run: |module: &mut Module, report: &mut PassReport| {
            let summary = Summary::of(module);
            unroll_short(module, report, LOOP_OPS, |body, op, trips| pays(body, op, trips, &summary))
        },
    }
}

/// Whether a loop reads enough in each iteration, at places that no iteration before decides.
fn pays(body: &Body, op: OpId, trips: usize, summary: &Summary) -> bool {
    let Some(parts) = ForParts::of(body, op).filter(|_| (2..=MOST_TRIPS).contains(&trips)) else { return false };
    let ops = body.block_ops(parts.body);
    if ops.iter().any(|&op| is_loop(body, op)) {
        return false;
    }
    let mut handed_on: FxHashSet<ValueId> = body.args(parts.body)[1..].iter().copied().collect();
    let (mut count, mut numbers) = (0, 0);
    for op in ops {
        let inside = body.op(op).regions.iter().flat_map(|&r| body.walk(r));
        let mut operands = inside.chain([op]).flat_map(|op| body.operands(op));
        if operands.any(|v| handed_on.contains(v)) {
            handed_on.extend(body.results(op));
        } else if reads(body, op) && summary.op(body, op) <= Effect::ReadsConstant {
            let ty = body.ty(body.result(op, 0));
            count += 1;
            numbers += if ty.is_vector() { ty.num_elements() } else { 1 };
        }
    }
    let costs = Costs::of_machine(Machine::Gpu);
    let work: u64 = body.walk(body.op(op).regions[0]).into_iter().map(|op| costs.work(body, op)).sum();
    count >= FEWEST && numbers * trips <= MOST && work <= WORK * numbers as u64
}

/// Whether an op reads an element of a buffer.
fn reads(body: &Body, op: OpId) -> bool {
    agg::BufferLoad::is(body, op) && place_of(body, op, &[Access::Reads]).is_some_and(|place| place.element.is_some())
}
