//! `dce`: removes what no effect and no result of the function depends on.
//!
//! Liveness starts at effects and at what the function returns and goes backwards, so that values
//! which only keep each other alive are dead: a carried value that only computes its own next one,
//! an array that is filled but never read. Ops that read or compute can go; ops that write, print,
//! or call something that does stay.
//!
//! Results of the function and its parameters stay. A normalized while stays normalized: what goes,
//! goes on both sides of it.

use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::passes;
use caustic_dialects::carried::{self, BOUNDS, ForParts, WhileParts, bounds, branch_ends};
use caustic_dialects::func;
use caustic_ir::{Body, OpId, SymbolOp, ValueDef, ValueId};

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
    let live = Liveness::of(body, effects);
    sweep(body, &live)
}

/// What a region op does with values; found once per op.
#[derive(Clone)]
enum Shape {
    Plain,
    Branch(Vec<OpId>),
    For(ForParts),
    While(WhileParts),
    /// Nothing is known: all it reads and all that its regions end with is live with it.
    Other,
}

fn shape(body: &Body, op: OpId) -> Shape {
    if body.op(op).regions.is_empty() {
        return Shape::Plain;
    }
    if let Some(ends) = branch_ends(body, op) {
        return Shape::Branch(ends);
    }
    match (ForParts::of(body, op), WhileParts::of(body, op)) {
        (Some(parts), _) => Shape::For(parts),
        (_, Some(parts)) => Shape::While(parts),
        _ => Shape::Other,
    }
}

struct Liveness {
    ops: Vec<bool>,
    values: Vec<bool>,
    /// By op number, for ops with regions.
    shapes: Vec<Shape>,
    walk: Vec<OpId>,
}

impl Liveness {
    fn of(body: &Body, summary: &Summary) -> Liveness {
        let walk = body.walk_all();
        let effects = summary.all_ops(body);
        let mut shapes = vec![Shape::Plain; body.num_ops()];
        for &op in &walk {
            shapes[op.index()] = shape(body, op);
        }
        let mut live =
            Liveness { ops: vec![false; body.num_ops()], values: vec![false; body.num_values()], shapes, walk };
        let mut work = Vec::new();
        for &op in &live.walk.clone() {
            let data = body.op(op);
            let root = match data.def.is_terminator() {
                true => data.block.is_some_and(|b| body.parent_op(b).is_none()),
                false => effects[op.index()] == Effect::Writes,
            };
            if root {
                live.mark_op(body, op, &mut work);
            }
        }
        while let Some(value) = work.pop() {
            live.reach(body, value, &mut work);
        }
        live
    }

    fn mark(&mut self, value: ValueId, work: &mut Vec<ValueId>) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            work.push(value);
        }
    }

    /// The op has to run: so have the ops around it, and what decides whether and how often it does
    /// is live.
    fn mark_op(&mut self, body: &Body, op: OpId, work: &mut Vec<ValueId>) {
        let mut next = Some(op);
        while let Some(op) = next {
            if std::mem::replace(&mut self.ops[op.index()], true) {
                return;
            }
            let operands = body.operands(op);
            match self.shapes[op.index()].clone() {
                Shape::Plain => operands.iter().for_each(|&v| self.mark(v, work)),
                Shape::Branch(_) => operands.iter().take(1).for_each(|&v| self.mark(v, work)),
                Shape::For(_) => bounds(body, op).iter().for_each(|&v| self.mark(v, work)),
                Shape::While(parts) => self.mark(body.operand(parts.condition, 0), work),
                Shape::Other => {
                    operands.iter().for_each(|&v| self.mark(v, work));
                    for &region in &body.op(op).regions {
                        for &block in &body.region(region).blocks {
                            if let Some(end) = body.last_op(block) {
                                body.operands(end).iter().for_each(|&v| self.mark(v, work));
                            }
                        }
                    }
                }
            }
            next = body.op(op).block.and_then(|b| body.parent_op(b));
        }
    }

    /// Marks what a live value depends on.
    fn reach(&mut self, body: &Body, value: ValueId, work: &mut Vec<ValueId>) {
        match body.def(value) {
            ValueDef::Result { op, index } => {
                let k = index as usize;
                self.mark_op(body, op, work);
                match self.shapes[op.index()].clone() {
                    Shape::Plain | Shape::Other => {}
                    Shape::Branch(ends) => ends.iter().for_each(|&end| self.mark(body.operand(end, k), work)),
                    Shape::For(parts) => {
                        self.mark(body.operand(op, BOUNDS + k), work);
                        self.mark(body.operand(parts.end, k), work);
                    }
                    Shape::While(parts) => self.mark(body.operand(parts.condition, k + 1), work),
                }
            }
            ValueDef::Arg { block, index } => {
                let Some(op) = body.parent_op(block) else { return };
                let k = index as usize;
                self.mark_op(body, op, work);
                match self.shapes[op.index()].clone() {
                    Shape::For(parts) if k > 0 => {
                        self.mark(body.operand(op, BOUNDS + k - 1), work);
                        self.mark(body.operand(parts.end, k - 1), work);
                    }
                    Shape::While(parts) if block == parts.before => {
                        self.mark(body.operand(op, k), work);
                        self.mark(body.operand(parts.end, k), work);
                    }
                    Shape::While(parts) => self.mark(body.operand(parts.condition, k + 1), work),
                    _ => {}
                }
            }
        }
    }
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
                let forwarded: Vec<bool> =
                    after.zip(&results).enumerate().map(|(k, (a, &r))| a || r || (parts.normal && inputs[k])).collect();
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
