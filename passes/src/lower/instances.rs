//! `mark-convergence`: tells dynamic instances of ops that bring threads together apart.
//!
//! A target that runs the threads of a group on one processor has to know which of them wait at the
//! same instance of a barrier or wave operation: each such op gets a number, and the loops and
//! calls around it say when they begin, go on and end. Code that never reaches such an op stays as
//! it is. Nothing may move across the marks, so the pass comes last.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::call_graph::{CallGraph, callee};
use caustic_dialects::scf;
use caustic_dialects::simt::{self, InstanceBegin, InstanceEnd, InstanceNext};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpDef, OpId, SymbolOp};
use rustc_hash::FxHashSet;

passes! {
    /// Numbers barriers and wave operations, and marks the loops and calls in which they stand.
    ///
    /// Functions that reach one are marked `convergent`. The threads that take part in such an op
    /// are those that come to the same dynamic instance of it: the same way into the function and
    /// the same iteration of every loop around the op.
    pub static MARK_CONVERGENCE: "mark-convergence" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same, with `simt.instance_*`",
        statistics: [("convergent", "functions that bring threads together")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let convergent = reaching(module, simt::converges);
    report.count("convergent", convergent.len() as u64);
    let mut changed = false;
    for symbol in module.symbols_mut().iter_mut().filter(|s| convergent.contains(&s.name)) {
        // Marked already.
        if symbol.attr(simt::CONVERGENT).is_some() {
            continue;
        }
        symbol.set_attr(simt::CONVERGENT, Attr::unit());
        mark(&mut symbol.body, &convergent);
        changed = true;
    }
    Ok(Changed::from(changed))
}

/// The functions that have ops of a sort, themselves or through calls.
pub(super) fn reaching(module: &Module, is: fn(&OpDef) -> bool) -> FxHashSet<Name> {
    let has = |s: &&SymbolOp| s.body.all_ops().any(|op| is(s.body.op(op).def));
    CallGraph::of_calls(module).reaching(module.symbols().iter().filter(has).map(|s| s.name))
}

fn mark(body: &mut Body, convergent: &FxHashSet<Name>) {
    let ops = body.walk_all();
    let meets = |body: &Body, op: OpId| {
        simt::converges(body.op(op).def) || callee(body, op).is_some_and(|c| convergent.contains(&c))
    };
    // Every op in which threads are brought together.
    let mut around: FxHashSet<OpId> = FxHashSet::default();
    for &op in ops.iter().filter(|&&op| meets(body, op)) {
        let mut outer = body.op(op).block.and_then(|b| body.parent_op(b));
        while let Some(op) = outer.filter(|op| around.insert(*op)) {
            outer = body.op(op).block.and_then(|b| body.parent_op(b));
        }
    }
    for (number, op) in ops.into_iter().enumerate() {
        let number = Attr::i64(number as i64);
        if simt::converges(body.op(op).def) {
            body.set_attr(op, simt::INSTANCE, number);
            continue;
        }
        let is_loop = around.contains(&op) && (scf::For::is(body, op) || scf::While::is(body, op));
        if !is_loop && !meets(body, op) {
            continue;
        }
        let loc = body.loc(op);
        if let Some(mut b) = Builder::before(body, op) {
            InstanceBegin::build(&mut b, &[("number", number)]);
        }
        if is_loop
            && let Some(first) = body.region_block(op, 0).and_then(|block| body.first_op(block))
            && let Some(mut b) = Builder::before(body, first)
        {
            InstanceNext::build(&mut b, &[]);
        }
        if let Some(block) = body.op(op).block {
            let next = body.next_op(op);
            let end = body.create_op(InstanceEnd::DEF, &[], &[], Default::default(), 0, loc);
            body.insert_op(end, block, next);
        }
    }
}
