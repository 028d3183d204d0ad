//! Where each op stands in its function: numbers in the order of the text, and what is around it.
//!
//! This module must not know: any op but by its regions.

use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, OpId};

/// Positions of ops: an op with regions has one where it begins and one where it ends.
pub struct Order {
    start: Vec<u32>,
    end: Vec<u32>,
    /// The ops in the order of their beginnings.
    pub ops: Vec<OpId>,
}

impl Order {
    pub fn of(body: &Body) -> Order {
        let count = body.num_ops();
        let mut order = Order { start: vec![0; count], end: vec![0; count], ops: body.walk_all() };
        // An op ends when the first one that is not inside of it begins.
        let mut next = 1;
        let mut open: Vec<OpId> = Vec::new();
        for &op in &order.ops {
            let parent = parent(body, op);
            while let Some(&last) = open.last()
                && Some(last) != parent
            {
                order.end[last.index()] = next;
                next += 1;
                open.pop();
            }
            order.start[op.index()] = next;
            next += 1;
            open.push(op);
        }
        while let Some(last) = open.pop() {
            order.end[last.index()] = next;
            next += 1;
        }
        order
    }

    pub fn start(&self, op: OpId) -> u32 {
        self.start[op.index()]
    }

    pub fn end(&self, op: OpId) -> u32 {
        self.end[op.index()]
    }
}

/// The op around `op`.
pub fn parent(body: &Body, op: OpId) -> Option<OpId> {
    body.op(op).block.and_then(|block| body.parent_op(block))
}

pub fn is_loop(body: &Body, op: OpId) -> bool {
    scf::For::is(body, op) || scf::While::is(body, op)
}

/// The op of `block` that `op` is or is inside of.
pub fn ancestor_in(body: &Body, op: OpId, block: BlockId) -> Option<OpId> {
    let mut op = op;
    loop {
        if body.op(op).block == Some(block) {
            return Some(op);
        }
        op = parent(body, op)?;
    }
}

/// The loops that `op` is inside of and `block` is not, the innermost first. `None` if `op` is not
/// below `block`.
pub fn loops_between(body: &Body, op: OpId, block: BlockId) -> Option<Vec<OpId>> {
    let mut loops = Vec::new();
    let mut op = op;
    while body.op(op).block != Some(block) {
        op = parent(body, op)?;
        if is_loop(body, op) {
            loops.push(op);
        }
    }
    Some(loops)
}
