//! What the ops of `hl` with regions, and those that leave them, must keep.

use super::{Break, Condition, Continue, Loop, Return, Switch, Yield};
use crate::structure::{block_with, ends_with, error, types};
use caustic_ir::{BlockId, Body, Diagnostic, OpId, Type};

type Checked = Result<(), Diagnostic>;

/// The block ends with a yield of values of these types, or leaves early.
fn ends_normally(body: &Body, block: BlockId, results: &[Type]) -> Checked {
    let early = |op: OpId| Return::is(body, op) || Break::is(body, op) || Continue::is(body, op);
    match body.last_op(block) {
        Some(op) if early(op) => Ok(()),
        _ => ends_with(body, block, Yield::DEF, 0, results),
    }
}

pub fn verify_if(body: &Body, op: OpId) -> Checked {
    let results = types(body, body.results(op));
    let has_else = body.region_block(op, 1).is_some();
    for region in 0..if has_else || !results.is_empty() { 2 } else { 1 } {
        ends_normally(body, block_with(body, op, region, &[])?, &results)?;
    }
    Ok(())
}

pub fn verify_loop(body: &Body, op: OpId) -> Checked {
    ends_with(body, block_with(body, op, 0, &[])?, Condition::DEF, 1, &[])?;
    ends_normally(body, block_with(body, op, 1, &[])?, &[])?;
    ends_with(body, block_with(body, op, 2, &[])?, Yield::DEF, 0, &[])
}

pub fn verify_switch(body: &Body, op: OpId) -> Checked {
    let mut cases = body.attr(op, "cases").and_then(|a| a.as_i64_array()).unwrap_or_default();
    let regions = body.op(op).regions.len();
    if regions != cases.len() + 1 {
        return error(body, op, format!("has {} cases, but {} regions besides the default", cases.len(), regions - 1));
    }
    cases.sort_unstable();
    if cases.windows(2).any(|pair| pair[0] == pair[1]) {
        return error(body, op, "has a case twice");
    }
    (0..regions).try_for_each(|i| ends_normally(body, block_with(body, op, i, &[])?, &[]))
}

/// `hl.break` and `hl.continue` stand in what they leave.
pub fn verify_exit(body: &Body, op: OpId) -> Checked {
    let mut block = body.op(op).block;
    while let Some(around) = block.and_then(|b| body.parent_op(b)) {
        if Loop::is(body, around) || (Switch::is(body, around) && Break::is(body, op)) {
            return Ok(());
        }
        block = body.op(around).block;
    }
    error(body, op, if Break::is(body, op) { "stands in no loop or switch" } else { "stands in no loop" })
}
