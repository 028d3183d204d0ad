//! Branches in loops that give derivatives and state without one are taken apart: what has no
//! derivative and does not read it becomes a branch of its own before them, so that its steps can
//! run again by themselves (`slices.rs`).

use super::Facts;
use crate::analysis::costs;
use crate::autodiff::unzip::needs::is_linear;
use caustic_dialects::ad::is_tangent;
use caustic_dialects::carried::{branch_ends, remove_branch_results};
use caustic_dialects::scf;
use caustic_dialects::signature::holds_handle;
use caustic_ir::{Body, Builder, Cloner, OpId, ValueId};

/// More ops than this are not taken out of a branch.
const MOST: usize = 64;

/// The branches of loops, inner ones first.
fn candidates(body: &Body) -> Vec<OpId> {
    let loops = body.walk_all().into_iter().filter(|&op| costs::is_loop(body, op));
    let mut found: Vec<OpId> = Vec::new();
    for op in loops.flat_map(|l| body.op(l).regions.iter().flat_map(|&r| body.walk(r)).collect::<Vec<_>>()) {
        let branch = scf::If::is(body, op) || scf::IndexSwitch::is(body, op);
        if branch && !found.contains(&op) && body.results(op).iter().any(|&r| is_tangent(body.ty(r))) {
            found.push(op);
        }
    }
    let depth = |op: &OpId| {
        let mut block = body.op(*op).block;
        std::iter::from_fn(|| block.and_then(|b| body.parent_op(b)).inspect(|&p| block = body.op(p).block)).count()
    };
    found.sort_by_key(|op| std::cmp::Reverse(depth(op)));
    found
}

/// The ops of an arm that lead to a value it gives, if they only compute.
fn steps(body: &Body, end: OpId, value: ValueId, facts: &Facts<'_>, ops: &mut Vec<OpId>) -> bool {
    let block = body.op(end).block;
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        let Some(op) = body.def_op(value).filter(|&op| body.op(op).block == block) else { continue };
        if ops.contains(&op) {
            continue;
        }
        let inside: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).chain([op]).collect();
        let linear = |&o: &OpId| is_linear(body, o) || body.results(o).iter().any(|&r| is_tangent(body.ty(r)));
        if ops.len() + inside.len() > MOST || inside.iter().any(linear) || !facts.may_run_again(op) {
            return false;
        }
        ops.push(op);
        todo.extend(inside.iter().flat_map(|&o| body.operands(o).to_vec()));
    }
    true
}

/// Takes the next branch apart; `false` if there is none.
pub fn split_one(body: &mut Body, facts: &Facts<'_>) -> bool {
    for op in candidates(body) {
        let Some(ends) = branch_ends(body, op) else { continue };
        let mut ops: Vec<OpId> = Vec::new();
        let mut taken: Vec<usize> = Vec::new();
        for (i, &r) in body.results(op).iter().enumerate() {
            let ty = body.ty(r);
            // Only what goes into the next iteration is state.
            let state = body.uses(r).iter().any(|u| body.op(u.op).def.is_terminator());
            if is_tangent(ty) || holds_handle(ty) || facts.is_active(r) || !state {
                continue;
            }
            let mut more = ops.clone();
            if ends.iter().all(|&end| steps(body, end, body.operand(end, i), facts, &mut more)) {
                ops = more;
                taken.push(i);
            }
        }
        if taken.is_empty() {
            continue;
        }
        let src = body.clone();
        let types: Vec<_> = taken.iter().map(|&i| src.ty(src.result(op, i))).collect();
        let data = src.op(op);
        let Some(mut b) = Builder::before(body, op) else { continue };
        let new = b.body.create_op(data.def, &data.operands, &types, data.attrs.clone(), data.regions.len(), data.loc);
        b.body.insert_op(new, b.block, b.before);
        for (k, &end) in ends.iter().enumerate() {
            let mut arm = Cloner::new();
            let block = b.add_block(new, k, &[]);
            let mut inner = Builder::at_end(b.body, block, src.loc(op));
            let own = src.op(end).block;
            for o in src.block_ops(own.unwrap_or(block)).into_iter().filter(|o| ops.contains(o)) {
                arm.clone_op(&src, o, &mut inner);
            }
            let given: Vec<ValueId> = taken.iter().map(|&i| arm.get(src.operand(end, i))).collect();
            scf::Yield::build(&mut inner, &given, &[]);
        }
        for (n, &i) in taken.iter().enumerate() {
            let value = body.result(new, n);
            body.replace_uses(src.result(op, i), value);
            // In its arm the branch has it from there, too.
            for &end in &ends {
                let given = src.operand(end, i);
                if src.def_op(given).is_some_and(|o| src.op(o).block == src.op(end).block) {
                    body.replace_uses(given, value);
                }
            }
            let hint = src.value(src.result(op, i)).hint;
            body.set_hint(value, hint);
        }
        remove_branch_results(body, op, &ends, &|i| taken.contains(&i));
        return true;
    }
    false
}
