//! Structs among the tangent inputs of linear code, and among what calls and branches in it give,
//! are taken apart where they begin, so that each of their parts has a reached flag of its own.
//! Calls and ends of regions that take such a struct get one that is made of the parts again, right
//! before them.

use crate::analysis::stage;
use crate::autodiff::space::Spaces;
use caustic_dialects::ad::{self, is_tangent, strip_tangent, tangent_type};
use caustic_dialects::{agg, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, OpId, RegionId, Type, ValueId};
use rustc_hash::FxHashMap;

fn path(steps: &[i64]) -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(steps))]
}

/// The path of what an op reads of `whole`, if it begins with fixed steps to a part that is told
/// apart, or leads to a struct of such parts.
fn part_read(body: &Body, op: OpId, whole: ValueId, parts: &[Vec<i64>]) -> Option<Vec<i64>> {
    let read = ad::TExtract::cast(body, op).filter(|read| read.aggregate(body) == whole)?;
    let steps = read.path(body)?;
    parts.iter().any(|part| steps.starts_with(part) || part.starts_with(&steps)).then_some(steps)
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
        let paths = stage::flagged_paths(ty);
        // Sums of the programmer's own are taken of the whole.
        if paths.len() < 2 || has_given(ty, &paths, spaces) {
            continue;
        }
        let ops = body.walk(region);
        let reads = ops.iter().filter_map(|&op| Some((op, part_read(body, op, whole, &paths)?)));
        let reads: Vec<(OpId, Vec<i64>)> = reads.collect();
        let joins = |op: OpId| ad::TInsert::is(body, op) || ad::TMake::is(body, op);
        let hands_on = |op: OpId| ad::LinearCall::is(body, op) || body.op(op).def.is_terminator() || joins(op);
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
        let mut parts: Vec<(&[i64], ValueId)> = Vec::new();
        for steps in &paths {
            let Some(part) = agg::type_at_path(ty, steps) else { continue };
            parts.push((steps, ad::TExtract::build(&mut b, whole, &[], tangent_type(part), &path(steps))));
        }
        for (i, &(_, part)) in parts.iter().enumerate() {
            found.extend(body.def_op(part).map(|op| (op, (whole, i))));
        }
        for (op, steps) in reads {
            let within = parts.iter().find(|(part, _)| steps.starts_with(part));
            match within {
                Some(&(part, value)) if part.len() < steps.len() => {
                    body.set_operand(op, 0, value);
                    body.set_attr(op, "path", Attr::i64_array(&steps[part.len()..]));
                }
                _ => {
                    let Some(mut b) = Builder::before(body, op) else { continue };
                    let value = made(&mut b, ty, &steps, &parts);
                    let result = body.result(op, 0);
                    body.replace_uses(result, value);
                    body.erase_op(op);
                }
            }
        }
        for op in calls {
            put_together(body, op, whole, &mut |b| made(b, ty, &[], &parts));
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
            if is_tangent(body.ty(v)) && maker_elsewhere(body, op, v, spaces).is_some() {
                put_together(body, op, v, &mut |b| made_again(b, op, v, spaces));
            }
        }
    }
    found
}

/// Whether a struct among those of whose parts some are told apart has a sum of the programmer's
/// own.
fn has_given(ty: Type, paths: &[Vec<i64>], spaces: &Spaces) -> bool {
    let above = paths.iter().flat_map(|path| (0..path.len()).map(|n| &path[..n]));
    above.filter_map(|path| agg::type_at_path(ty, path)).any(|ty| spaces.is_given(ty))
}

/// The part at `at` of a value of type `ty`, made of the parts that are told apart.
fn made(b: &mut Builder<'_>, ty: Type, at: &[i64], parts: &[(&[i64], ValueId)]) -> ValueId {
    if let Some(&(_, value)) = parts.iter().find(|(path, _)| *path == at) {
        return value;
    }
    let here = agg::type_at_path(ty, at).unwrap_or(ty);
    let fields: Vec<ValueId> =
        (0..agg::num_parts(here) as i64).map(|i| made(b, ty, &[at, &[i]].concat(), parts)).collect();
    ad::TMake::build(b, &fields, tangent_type(here), &[])
}

/// The op that makes a struct of parts that are told apart, if it stands in another block than
/// `op`.
fn maker_elsewhere(body: &Body, op: OpId, value: ValueId, spaces: &Spaces) -> Option<OpId> {
    let maker = body.def_op(value).filter(|&m| ad::TMake::is(body, m))?;
    let ty = strip_tangent(body.ty(value));
    let elsewhere = body.op(maker).block != body.op(op).block;
    (elsewhere && stage::flags(ty) > 1 && !spaces.is_given(ty)).then_some(maker)
}

/// Such a struct, made once more in the block of `op`.
fn made_again(b: &mut Builder<'_>, op: OpId, value: ValueId, spaces: &Spaces) -> ValueId {
    let Some(maker) = maker_elsewhere(b.body, op, value, spaces) else { return value };
    let (ty, parts) = (b.ty(value), b.body.operands(maker).to_vec());
    let parts: Vec<ValueId> = parts.into_iter().map(|part| made_again(b, op, part, spaces)).collect();
    ad::TMake::build(b, &parts, ty, &[])
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
    if stage::flags(struct_ty) < 2 || spaces.is_given(struct_ty) {
        return;
    }
    let indices = ad::TInsert(op).indices(body).to_vec();
    let rest = rest.to_vec();
    let Some(mut b) = Builder::before(body, op) else { return };
    let Some(slot) = parts.get_mut(first as usize) else { return };
    *slot = if rest.is_empty() { part } else { ad::TInsert::build(&mut b, part, *slot, &indices, &path(&rest)) };
    let within = b.body.def_op(*slot).filter(|_| !rest.is_empty());
    let made = ad::TMake::build(&mut b, &parts, ty, &[]);
    let result = body.result(op, 0);
    body.replace_uses(result, made);
    body.erase_op(op);
    if let Some(within) = within {
        insert_part(body, within, spaces);
    }
}

/// Makes `whole` of its parts before an op that is handed it.
fn put_together(body: &mut Body, call: OpId, whole: ValueId, make: &mut dyn FnMut(&mut Builder<'_>) -> ValueId) {
    let Some(mut b) = Builder::before(body, call) else { return };
    let again = make(&mut b);
    for (i, v) in body.operands(call).to_vec().into_iter().enumerate() {
        if v == whole {
            body.set_operand(call, i, again);
        }
    }
}
