//! A limit on how deep code may nest: the passes behind it go down recursively, and no input may
//! exhaust the stack.

use caustic_ir::codes;
use caustic_ir::{Body, Diagnostic, Loc, OpId, Result};

/// Regions within regions. Far beyond what people write; a function with more early returns in a
/// row than this reaches it too.
pub const MAX_DEPTH: usize = 400;

/// Refuses a body that nests deeper than [`MAX_DEPTH`].
pub fn check(body: &Body, loc: Loc) -> Result<()> {
    let mut stack: Vec<(OpId, usize)> = Vec::new();
    let push = |region, depth: usize, stack: &mut Vec<(OpId, usize)>| {
        for &block in &body.region(region).blocks {
            stack.extend(
                body.block_ops(block).into_iter().filter(|&op| !body.op(op).regions.is_empty()).map(|op| (op, depth)),
            );
        }
    };
    push(body.root(), 1, &mut stack);
    while let Some((op, depth)) = stack.pop() {
        if depth > MAX_DEPTH {
            let at = body.loc(op);
            let at = if at == Loc::unknown() { loc } else { at };
            return Err(Diagnostic::error(
                codes::E0401,
                at,
                format!("control flow nests deeper than {MAX_DEPTH} levels"),
            )
            .with_label("this is too deep")
            .with_note("move a part of the function, or some of its early exits, into a function of its own"));
        }
        for &region in &body.op(op).regions {
            push(region, depth + 1, &mut stack);
        }
    }
    Ok(())
}
