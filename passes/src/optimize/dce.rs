//! `dce`: removes what no effect and no result of the function depends on.
//!
//! Liveness starts at effects and at what the function returns and goes backwards, so that values
//! which only keep each other alive are dead: a carried value that only computes its own next one,
//! an array that is filled but never read. Ops that read or compute can go; ops that write, print,
//! or call something that does stay.
//!
//! Results of the function and its parameters stay. A normalized while stays normalized: what goes,
//! goes on both sides of it.

use crate::analysis::effects::Summary;
use crate::analysis::liveness::{Liveness, Shape};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::{carried, func};
use caustic_ir::{Body, SymbolOp, ValueId};

passes! {
    /// Removes what no effect and no result of the function depends on, also what a loop carries
    /// only for itself.
    pub static DCE: "dce" {
        level: function, options: none, before: "func scf arith math vector agg ad", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, _: &mut PassReport| -> PassResult {
            Ok(Changed::from(run(symbol, view.effects())))
        },
    }
}

/// Removes dead code from a function; whether anything went.
pub fn run(symbol: &mut SymbolOp, effects: &Summary) -> bool {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return false;
    }
    let body = &mut symbol.body;
    let live = Liveness::of_effects(body, effects);
    sweep(body, &live)
}

fn sweep(body: &mut Body, live: &Liveness) -> bool {
    let mut changed = false;
    // Dead ops let go of what they read first: then a dead value is read by terminators only, in
    // places that go with it.
    for &op in &live.walk {
        let goes = match body.op(op).def.is_terminator() {
            true => body.op(op).block.and_then(|b| body.parent_op(b)).is_some_and(|p| !live.ops[p.index()]),
            false => !live.ops[op.index()],
        };
        if goes {
            body.set_operands(op, &[]);
        }
    }
    let is_live = |v: &ValueId| live.values[v.index()];
    for &op in live.walk.iter().filter(|op| live.ops[op.index()]) {
        let results: Vec<bool> = body.results(op).iter().map(is_live).collect();
        match &live.shapes[op.index()] {
            Shape::Branch(ends) if results.contains(&false) => {
                changed = true;
                carried::remove_branch_results(body, op, ends, &|k| !results[k]);
            }
            Shape::For(parts) => {
                let args = parts.carried_args(body);
                let kept: Vec<bool> = args.iter().zip(&results).map(|(a, &r)| r || is_live(a)).collect();
                if kept.contains(&false) {
                    changed = true;
                    parts.remove(body, op, &|k| !kept[k]);
                }
            }
            Shape::While(parts) => {
                let inputs: Vec<bool> = body.args(parts.before).iter().map(is_live).collect();
                let after = body.args(parts.after).iter().map(is_live);
                // A loop that forwards its arguments goes on to do so, as normalized ones must.
                let before = body.args(parts.before);
                let passed = |v: &ValueId| before.iter().position(|a| a == v).is_some_and(|k| inputs[k]);
                let passed = parts.forwarded(body).iter().map(passed);
                let forwarded: Vec<bool> = after.zip(&results).zip(passed).map(|((a, &r), p)| a || r || p).collect();
                if inputs.contains(&false) || forwarded.contains(&false) {
                    changed = true;
                    parts.remove_forwarded(body, op, &|k| !forwarded[k]);
                    parts.remove_inputs(body, op, &|k| !inputs[k]);
                }
            }
            _ => {}
        }
    }
    for &op in live.walk.iter().rev() {
        if !live.ops[op.index()] && !body.op(op).def.is_terminator() {
            changed = true;
            body.erase_op(op);
        }
    }
    changed
}
