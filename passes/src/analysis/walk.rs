//! Orders of walking that several steps share.

use caustic_ir::{Body, OpId};

/// All ops, each after the ops nested in it, siblings in program order.
pub fn inside_out(body: &Body) -> Vec<OpId> {
    // The reverse of: each op before those nested in it, siblings from last to first.
    let mut out = Vec::new();
    let mut stack = Vec::new();
    for &block in &body.region(body.root()).blocks {
        stack.extend(body.block_ops(block));
    }
    while let Some(op) = stack.pop() {
        out.push(op);
        for &region in &body.op(op).regions {
            for &block in &body.region(region).blocks {
                stack.extend(body.block_ops(block));
            }
        }
    }
    out.reverse();
    out
}
