//! `mark-uniform-waves`: which wave operations all lanes of a wave come to.
//!
//! A machine runs together the lanes that are there; what to do with those it has to ask, and to
//! have code for any number of them. In a kernel whose groups are whole waves, all lanes come to an
//! op if nothing around it is chosen by what differs between them. Such ops are marked
//! [`simt::COMPLETE`]; the reference evaluation traps where the mark is wrong.
//!
//! The pass works on kernels after inlining; who calls another function it does not know.

use crate::analysis::effects::Summary;
use crate::analysis::kernels::numthreads;
use crate::analysis::varying::{Among, is_in_step, varying};
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::simt::{self, WAVE_SIZE, WaveOp};
use caustic_ir::{Attr, Body, Module, OpId, SymbolOp, ValueId};
use rustc_hash::FxHashSet;

passes! {
    /// Marks wave operations that all lanes of a wave come to.
    pub static MARK_UNIFORM_WAVES: "mark-uniform-waves" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("marked", "operations that no lane is missing from")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let summary = Summary::of(module);
    each_kernel(module, |module, kernel| {
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        let waves =
            |&op: &OpId| WaveOp::of(&symbol.body, op).is_some() && symbol.body.attr(op, simt::COMPLETE).is_none();
        let ops: Vec<OpId> = symbol.body.walk_all().into_iter().filter(waves).collect();
        if ops.is_empty() {
            return Ok(Changed::No);
        }
        let complete = Complete::of(symbol, &summary);
        let mut marked = 0;
        for op in ops {
            if complete.is_reached_by_all(&symbol.body, op) {
                symbol.body.set_attr(op, simt::COMPLETE, Attr::unit());
                marked += 1;
            }
        }
        report.count("marked", marked);
        Ok(Changed::from(marked > 0))
    })
}

/// Where in a kernel all lanes of each wave run together; it stays true while code is added.
pub struct Complete {
    /// Values that differ between lanes, if waves are whole.
    differ: Option<FxHashSet<ValueId>>,
}

impl Complete {
    pub fn of(kernel: &SymbolOp, summary: &Summary) -> Complete {
        let numthreads = numthreads(kernel);
        let whole = numthreads.iter().product::<i64>() % i64::from(WAVE_SIZE) == 0;
        Complete { differ: whole.then(|| varying(&kernel.body, summary, Among::Wave(numthreads))) }
    }

    /// Whether `op` stands where all lanes of a wave come to in the same iteration of all loops.
    #[mutant(Site::CompleteBranches => self.differ.is_some())]
    pub fn is_reached_by_all(&self, body: &Body, op: OpId) -> bool {
        let Some(differ) = &self.differ else { return false };
        let around = |op: &OpId| body.op(*op).block.and_then(|block| body.parent_op(block));
        let mut outer = std::iter::successors(around(&op), around);
        outer.all(|outer| is_in_step(body, outer, differ))
    }
}
