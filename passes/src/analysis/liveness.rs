//! What has to run for the sake of some ops and values: goes backwards from these, so that values
//! which only keep each other alive are dead.
//!
//! What a loop carries and what a branch gives is looked at one by one. Nothing is changed here.

use crate::analysis::effects::{Effect, Summary};
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, bounds, branch_ends};
use caustic_ir::{Body, OpId, ValueDef, ValueId};

/// What a region op does with values; found once per op.
#[derive(Clone)]
pub enum Shape {
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

pub struct Liveness {
    /// By op number: it has to run.
    pub ops: Vec<bool>,
    /// By value number.
    pub values: Vec<bool>,
    /// By op number, for ops with regions.
    pub shapes: Vec<Shape>,
    /// Every op, in order.
    pub walk: Vec<OpId>,
}

impl Liveness {
    /// What effects and results of the function depend on.
    pub fn of_effects(body: &Body, summary: &Summary) -> Liveness {
        let effects = summary.all_ops(body);
        let is_root = |op: OpId| match body.op(op).def.is_terminator() {
            true => body.op(op).block.is_some_and(|b| body.parent_op(b).is_none()),
            false => effects[op.index()] == Effect::Writes,
        };
        Liveness::of(body, &is_root, &[])
    }

    /// What these ops and values depend on.
    pub fn of(body: &Body, is_root: &dyn Fn(OpId) -> bool, roots: &[ValueId]) -> Liveness {
        let walk = body.walk_all();
        let mut shapes = vec![Shape::Plain; body.num_ops()];
        for &op in &walk {
            shapes[op.index()] = shape(body, op);
        }
        let mut live =
            Liveness { ops: vec![false; body.num_ops()], values: vec![false; body.num_values()], shapes, walk };
        let mut work = Vec::new();
        for op in live.walk.clone().into_iter().filter(|&op| is_root(op)) {
            live.mark_op(body, op, &mut work);
        }
        roots.iter().for_each(|&v| live.mark(v, &mut work));
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
