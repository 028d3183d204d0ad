//! Checks that ops with regions share: what a region starts and ends with.

use caustic_ir::{BlockId, Body, Diagnostic, OpDef, OpId, Type, ValueId};

type Checked<T> = Result<T, Diagnostic>;

pub fn types(body: &Body, values: &[ValueId]) -> Vec<Type> {
    values.iter().map(|&v| body.ty(v)).collect()
}

fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

pub fn error<T>(body: &Body, op: OpId, message: impl std::fmt::Display) -> Checked<T> {
    Err(Diagnostic::invalid_ir(body.loc(op), format!("{}: {message}", body.op(op).def.name)))
}

/// The name of region `index` in messages.
fn region_name(body: &Body, op: OpId, index: usize) -> String {
    let names = body.op(op).def.regions;
    match names.get(index) {
        Some(name) if !name.starts_with("more_") => format!("region `{name}`"),
        _ => format!("region {index}"),
    }
}

/// The block of region `index`, whose arguments must have these types.
pub fn block_with(body: &Body, op: OpId, index: usize, args: &[Type]) -> Checked<BlockId> {
    let Some(block) = body.region_block(op, index) else {
        return error(body, op, format!("{} is empty", region_name(body, op, index)));
    };
    let found = types(body, body.args(block));
    if found != args {
        let name = region_name(body, op, index);
        return error(body, op, format!("{name} has arguments ({}), but must have ({})", list(&found), list(args)));
    }
    Ok(block)
}

/// The block ends with `end`, whose operands from `skip` on have these types.
pub fn ends_with(body: &Body, block: BlockId, end: &'static OpDef, skip: usize, expected: &[Type]) -> Checked<()> {
    // A block without a terminator has been reported already.
    let (Some(last), Some(around)) = (body.last_op(block), body.parent_op(block)) else { return Ok(()) };
    if !body.is(last, end) {
        return error(body, last, format!("a region of {} ends with {}", body.op(around).def.name, end.name));
    }
    let found = types(body, body.operands(last).get(skip..).unwrap_or(&[]));
    if found != expected {
        let text = format!("gives ({}), but {} needs ({})", list(&found), body.op(around).def.name, list(expected));
        return error(body, last, text);
    }
    Ok(())
}
