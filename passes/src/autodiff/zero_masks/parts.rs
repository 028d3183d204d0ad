//! Structs among the tangent inputs of linear code, and among what calls and branches in it give,
//! are taken apart where they begin, so that each of their parts has a reached flag of its own.
//! Calls and ends of regions that take such a struct get one that is made of the parts again, right
//! before them.

use crate::analysis::stage;
use crate::autodiff::space::Spaces;
use caustic_dialects::ad::{self, is_tangent, strip_tangent, tangent_type};
use caustic_dialects::{agg, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, OpId, RegionId, ValueId};
use rustc_hash::FxHashMap;

fn path(steps: &[i64]) -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(steps))]
}

/// The number of the part that an op reads of `whole`, if that is fixed.
fn part_read(body: &Body, op: OpId, whole: ValueId) -> Option<(i64, Vec<i64>)> {
    let read = ad::TExtract::cast(body, op).filter(|read| read.aggregate(body) == whole)?;
    let steps = read.path(body)?;
    let (&first, rest) = steps.split_first()?;
    (first >= 0).then(|| (first, rest.to_vec()))
}

/// Takes the structs apart among `inputs`, the arguments of linear code, and among results of calls
/// and branches. Gives the ops that read the parts, each with its struct and the part's number;
/// they stand right behind the struct.
pub fn split(
    body: &mut Body,
    region: RegionId,
    block: BlockId,
    inputs: &[ValueId],
    spaces: &Spaces,
) -> FxHashMap<OpId, (ValueId, usize)> {
    let mut found = FxHashMap::default();
    let branch = |op: OpId| scf::If::is(body, op) || scf::IndexSwitch::is(body, op);
    let ops = body.walk(region).into_iter().filter(|&op| ad::LinearCall::is(body, op) || branch(op));
    let given: Vec<ValueId> = ops.flat_map(|op| body.results(op).to_vec()).collect();
    for whole in inputs.iter().copied().chain(given) {
        if !is_tangent(body.ty(whole)) {
            continue;
        }
        let ty = strip_tangent(body.ty(whole));
        let count = stage::flags(ty);
        // Sums of the programmer's own are taken of the whole.
        if count < 2 || spaces.is_given(ty) {
            continue;
        }
        let ops = body.walk(region);
        let reads: Vec<OpId> = ops.iter().copied().filter(|&op| part_read(body, op, whole).is_some()).collect();
        let hands_on =
            |op: OpId| ad::LinearCall::is(body, op) || body.op(op).def.is_terminator() || ad::TInsert::is(body, op);
        let is_call = |op: &OpId| hands_on(*op) && body.operands(*op).contains(&whole);
        let calls: Vec<OpId> = ops.iter().copied().filter(is_call).collect();
        let first = match body.def_op(whole) {
            Some(call) => body.next_op(call),
            None => body.first_op(block),
        };
        let Some(mut b) =
            first.filter(|_| !reads.is_empty() || !calls.is_empty()).and_then(|f| Builder::before(body, f))
        else {
            continue;
        };
        let mut parts = Vec::new();
        for i in 0..count {
            let Some(part) = agg::part_type(ty, i as i64) else { continue };
            let value = ad::TExtract::build(&mut b, whole, &[], tangent_type(part), &path(&[i as i64]));
            parts.push(value);
        }
        for (i, &part) in parts.iter().enumerate() {
            found.extend(body.def_op(part).map(|op| (op, (whole, i))));
        }
        for op in reads {
            let Some((i, rest)) = part_read(body, op, whole) else { continue };
            let Some(&part) = parts.get(i as usize) else { continue };
            if rest.is_empty() {
                let result = body.result(op, 0);
                body.replace_uses(result, part);
                body.erase_op(op);
            } else {
                body.set_operand(op, 0, part);
                body.set_attr(op, "path", Attr::i64_array(&rest));
            }
        }
        for op in calls {
            put_together(body, op, whole, &parts, tangent_type(ty));
        }
    }
    for op in body.walk(region) {
        insert_part(body, op, spaces);
    }
    // What is put together outside of the region where it is handed on.
    for op in body.walk(region) {
        if !ad::LinearCall::is(body, op) && !body.op(op).def.is_terminator() {
            continue;
        }
        for v in body.operands(op).to_vec() {
            let Some(maker) = body.def_op(v).filter(|&m| ad::TMake::is(body, m)) else { continue };
            let ty = body.ty(v);
            let own = is_tangent(ty) && spaces.is_given(strip_tangent(ty));
            if is_tangent(ty)
                && !own
                && stage::flags(strip_tangent(ty)) > 1
                && body.op(maker).block != body.op(op).block
            {
                let parts = body.operands(maker).to_vec();
                put_together(body, op, v, &parts, ty);
            }
        }
    }
    found
}

/// Writing a part of what is put together is putting it together of others.
fn insert_part(body: &mut Body, op: OpId, spaces: &Spaces) {
    let steps = ad::TInsert::cast(body, op).and_then(|put| put.path(body));
    let Some((&first, rest)) = steps.as_deref().and_then(|s| s.split_first()).filter(|(s, _)| **s >= 0) else { return };
    let (part, base) = (body.operand(op, 0), body.operand(op, 1));
    let ty = body.ty(base);
    let Some(maker) = body.def_op(base).filter(|&m| ad::TMake::is(body, m)) else { return };
    let mut parts = body.operands(maker).to_vec();
    let struct_ty = strip_tangent(ty);
    if stage::flags(struct_ty) < 2 || parts.len() != stage::flags(struct_ty) || spaces.is_given(struct_ty) {
        return;
    }
    let indices = ad::TInsert(op).indices(body).to_vec();
    let rest = rest.to_vec();
    let Some(mut b) = Builder::before(body, op) else { return };
    let Some(slot) = parts.get_mut(first as usize) else { return };
    *slot = if rest.is_empty() { part } else { ad::TInsert::build(&mut b, part, *slot, &indices, &path(&rest)) };
    let made = ad::TMake::build(&mut b, &parts, ty, &[]);
    let result = body.result(op, 0);
    body.replace_uses(result, made);
    body.erase_op(op);
}

/// Makes `whole` of its parts before an op that is handed it.
fn put_together(body: &mut Body, call: OpId, whole: ValueId, parts: &[ValueId], ty: caustic_ir::Type) {
    let Some(mut b) = Builder::before(body, call) else { return };
    let again = ad::TMake::build(&mut b, parts, ty, &[]);
    for (i, v) in body.operands(call).to_vec().into_iter().enumerate() {
        if v == whole {
            body.set_operand(call, i, again);
        }
    }
}
