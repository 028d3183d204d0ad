//! Rewrites of `scf.for` and `scf.while`. Carried values that are only dead weight are `dce`'s to
//! remove.

use crate::analysis::ranges::range_of;
use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, bounds, branch_ends, defined_outside};
use caustic_dialects::{arith, scf};
use caustic_ir::{Body, OpId, ValueId};

rewrites! {
    pub static REWRITES: [
        "loop-never" Exact [scf::For] "a loop from a to at most a => its initial values" loop_never;
        "loop-once" Exact [scf::For] "a loop that runs once => its body" loop_once;
        "carried-constant" Exact [scf::For] "a carried value that stays what it was => the initial value" carried_constant;
        "result-of-same" Exact [scf::For] "what a loop that runs carries, if its next value is the same each time => that value" result_of_same;
        "result-of-counter" Exact [scf::For] "an integer that a loop adds a constant to, or takes one from => init +- constant * iterations" result_of_counter;
        "carried-twice" Exact [scf::For] "two carried values with the same start and the same next value => one" carried_twice;
        "while-never" Exact [scf::While] "a loop whose condition is false => what it forwards" while_never;
        "while-implied" Exact [scf::While] "a boolean in a loop's body that its condition decides about => true or false" while_implied;
        "while-stopped" Exact [scf::While] "what only a loop's condition asks of, chosen by a boolean that ends the loop anyhow => what is chosen if it goes on" while_stopped;
        "while-carried-constant" Exact [scf::While] "a carried value that stays what it was => the initial value" while_carried_constant;
        "while-carried-twice" Exact [scf::While] "two carried values with the same start and the same next value => one" while_carried_twice;
    ]
}

fn constant(r: &Rewriter<'_>, value: ValueId) -> Option<i64> {
    arith::constant_of(r.body, value)?.as_int()
}

/// The number of iterations, where bounds and step are constants and the step is positive.
fn trip_count(r: &Rewriter<'_>, op: OpId) -> Option<i128> {
    let bounds = bounds(r.body, op);
    let step = constant(r, bounds[2]).filter(|&s| s > 0)? as i128;
    if bounds[0] == bounds[1] {
        return Some(0);
    }
    let (lower, upper) = (constant(r, bounds[0])? as i128, constant(r, bounds[1])? as i128);
    Some(((upper - lower).max(0) + step - 1) / step)
}

fn loop_never(r: &mut Rewriter<'_>, op: OpId) -> bool {
    if ForParts::of(r.body, op).is_none() || trip_count(r, op) != Some(0) {
        return false;
    }
    let inits = scf::For(op).inits(r.body).to_vec();
    r.replace_op(op, &inits)
}

fn loop_once(r: &mut Rewriter<'_>, op: OpId) -> bool {
    if ForParts::of(r.body, op).is_none() || trip_count(r, op) != Some(1) {
        return false;
    }
    let mut args = vec![r.body.operand(op, 0)];
    args.extend_from_slice(scf::For(op).inits(r.body));
    let Some(values) = r.inline_region(op, 0, &args) else { return false };
    r.replace_op(op, &values)
}

/// Slots whose value is known to stay: the next one is the argument itself, or is the initial
/// value.
fn carried_constant(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = ForParts::of(r.body, op) else { return false };
    let mut gone = vec![false; parts.carried];
    for (k, gone) in gone.iter_mut().enumerate() {
        let (init, next) = (r.body.operand(op, BOUNDS + k), r.body.operand(parts.end, k));
        let arg = r.body.args(parts.body)[k + 1];
        if next == arg || next == init {
            *gone = true;
            let result = r.body.result(op, k);
            r.replace_value(arg, init);
            r.replace_value(result, init);
        }
    }
    remove_carried(r, op, parts, &gone)
}

fn result_of_same(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = ForParts::of(r.body, op) else { return false };
    if trip_count(r, op).is_none_or(|n| n == 0) {
        return false;
    }
    let mut changed = false;
    for k in 0..parts.carried {
        let (next, result) = (r.body.operand(parts.end, k), r.body.result(op, k));
        if !r.body.uses(result).is_empty() && defined_outside(r.body, next, op) {
            r.replace_value(result, next);
            changed = true;
        }
    }
    changed
}

/// The number of iterations as a value in front of the loop.
fn iterations(r: &mut Rewriter<'_>, op: OpId) -> Option<ValueId> {
    let upper = r.body.operand(op, 1);
    if let Some(n) = trip_count(r, op).and_then(|n| i64::try_from(n).ok()) {
        let ty = r.body.ty(upper);
        return Some(arith::int(&mut r.before(op), n, ty));
    }
    let simple = constant(r, r.body.operand(op, 0)) == Some(0) && constant(r, r.body.operand(op, 2)) == Some(1);
    (simple && range_of(r.body, upper).0 >= 0).then_some(upper)
}

fn result_of_counter(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = ForParts::of(r.body, op) else { return false };
    let mut changed = false;
    for k in 0..parts.carried {
        let (next, result, arg) = (r.body.operand(parts.end, k), r.body.result(op, k), r.body.args(parts.body)[k + 1]);
        let ty = r.body.ty(result);
        let Some(step) = r.body.def_op(next) else { continue };
        let def = r.body.op(step).def;
        if !arith::AddI::is(r.body, step) && !arith::SubI::is(r.body, step) {
            continue;
        }
        let counts = ty.is_scalar() && ty.is_int_or_index() && !ty.is_i1() && r.body.operand(step, 0) == arg;
        let Some(by) = constant(r, r.body.operand(step, 1)).filter(|_| counts) else { continue };
        if r.body.uses(result).is_empty() {
            continue;
        }
        let Some(count) = iterations(r, op) else { return changed };
        let init = r.body.operand(op, BOUNDS + k);
        let mut b = r.before(op);
        let from = b.ty(count);
        let count = match (from.is_index(), ty.is_index()) {
            _ if from == ty => count,
            (true, _) | (_, true) => arith::IndexCast::build(&mut b, count, ty, &[]),
            _ if from.scalar_bits() > ty.scalar_bits() => arith::TruncI::build(&mut b, count, ty, &[]),
            _ => arith::ExtSI::build(&mut b, count, ty, &[]),
        };
        let added = match by {
            1 => count,
            _ => {
                let by = arith::int(&mut b, by, ty);
                arith::MulI::build(&mut b, count, by, &[])
            }
        };
        let end = b.create_one(def, &[init, added], ty, &[]);
        r.replace_value(result, end);
        changed = true;
    }
    changed
}

fn remove_carried(r: &mut Rewriter<'_>, op: OpId, parts: ForParts, gone: &[bool]) -> bool {
    if !gone.contains(&true) {
        return false;
    }
    let lost: Vec<ValueId> = r.body.operands(op).iter().chain(r.body.operands(parts.end)).copied().collect();
    parts.remove(r.body, op, &|k| gone[k]);
    lost.into_iter().for_each(|v| r.touch_def(v));
    true
}

/// Whether `f`, a slot's start and next value, is the same for an earlier slot, which then stands
/// for it.
fn earlier_twin(pairs: &[(ValueId, ValueId)], k: usize) -> Option<usize> {
    pairs[..k].iter().position(|p| *p == pairs[k])
}

fn carried_twice(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = ForParts::of(r.body, op) else { return false };
    let pairs: Vec<(ValueId, ValueId)> =
        (0..parts.carried).map(|k| (r.body.operand(op, BOUNDS + k), r.body.operand(parts.end, k))).collect();
    let mut gone = vec![false; parts.carried];
    for (k, gone) in gone.iter_mut().enumerate() {
        if let Some(twin) = earlier_twin(&pairs, k) {
            *gone = true;
            let (arg, twin_arg) = (r.body.args(parts.body)[k + 1], r.body.args(parts.body)[twin + 1]);
            r.replace_value(arg, twin_arg);
            let (result, twin_result) = (r.body.result(op, k), r.body.result(op, twin));
            r.replace_value(result, twin_result);
        }
    }
    remove_carried(r, op, parts, &gone)
}

fn while_never(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = WhileParts::of(r.body, op) else { return false };
    if constant(r, r.body.operand(parts.condition, 0)) != Some(0) {
        return false;
    }
    let inits = r.body.operands(op).to_vec();
    let Some(values) = r.inline_region(op, 0, &inits) else { return false };
    r.replace_op(op, &values[1..])
}

/// The booleans that are known where `condition` holds, with what they are.
fn implied(body: &Body, condition: ValueId) -> Vec<(ValueId, bool)> {
    let mut known = vec![(condition, true)];
    let mut at = 0;
    while let Some(&(value, is)) = known.get(at) {
        at += 1;
        let Some(op) = body.def_op(value) else { continue };
        let operands = body.operands(op);
        if is && arith::AndI::is(body, op) || !is && arith::OrI::is(body, op) {
            known.extend(operands.iter().map(|&v| (v, is)));
        } else if arith::XOrI::is(body, op)
            && let Some(by) = arith::constant_of(body, operands[1]).and_then(|a| a.as_bool())
        {
            known.push((operands[0], is != by));
        }
    }
    known
}

fn while_implied(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = WhileParts::of(r.body, op) else { return false };
    let known = implied(r.body, r.body.operand(parts.condition, 0));
    let mut changed = false;
    for (m, &value) in parts.forwarded(r.body).to_vec().iter().enumerate() {
        let arg = r.body.args(parts.after)[m];
        let Some(&(_, is)) = known.iter().find(|(v, _)| *v == value) else { continue };
        if r.body.is_unused(arg) {
            continue;
        }
        let Some(&first) = r.body.block_ops(parts.after).first() else { continue };
        let constant = arith::bool(&mut r.before(first), is);
        r.replace_value(arg, constant);
        changed = true;
    }
    changed
}

/// The values of a choice, where its condition holds and where it does not.
fn choice(body: &Body, value: ValueId) -> Option<(ValueId, [ValueId; 2])> {
    let op = body.def_op(value)?;
    if arith::Select::is(body, op) {
        let &[condition, yes, no] = body.operands(op) else { return None };
        return Some((condition, [yes, no]));
    }
    let ends = branch_ends(body, op).filter(|_| scf::If::is(body, op))?;
    let index = body.results(op).iter().position(|&r| r == value)?;
    let &[yes, no] = &ends[..] else { return None };
    Some((body.operand(op, 0), [body.operand(yes, index), body.operand(no, index)]))
}

/// A value of the body of a loop as one that is known at its end: the value itself, or that of an
/// op that is done again there.
fn at_end(r: &mut Rewriter<'_>, value: ValueId, op: OpId, parts: WhileParts) -> Option<ValueId> {
    if defined_outside(r.body, value, op) {
        return Some(value);
    }
    let seen = |body: &Body, v: ValueId| {
        body.def_op(v).is_none_or(|op| body.op(op).block == Some(parts.after) || arith::constant_of(body, v).is_some())
    };
    let Some(op) = r.body.def_op(value).filter(|&op| r.body.op(op).block != Some(parts.after)) else {
        return Some(value);
    };
    let data = r.body.op(op);
    let again = data.def.is_pure() && data.regions.is_empty() && data.results.len() == 1;
    if !again || !data.operands.iter().all(|&v| seen(r.body, v)) {
        return None;
    }
    let (def, operands, attrs) = (data.def, data.operands.clone(), data.attrs.clone());
    let ty = r.body.ty(value);
    let mut here = Vec::with_capacity(operands.len());
    for v in operands {
        let constant = arith::constant_of(r.body, v);
        let ty = r.body.ty(v);
        here.push(constant.map_or(v, |c| arith::constant(&mut r.before(parts.end), c, ty)));
    }
    let b = r.before(parts.end);
    let new = b.body.create_op(def, &here, &[ty], attrs, 0, b.loc);
    b.body.insert_op(new, b.block, b.before);
    Some(r.body.result(new, 0))
}

fn while_stopped(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = WhileParts::of(r.body, op).filter(|p| p.normal) else { return false };
    let asked = r.body.block_ops(parts.before);
    let harmless = |&o: &OpId| r.body.op(o).def.is_pure() && r.body.op(o).regions.is_empty();
    if !asked.iter().filter(|&&o| o != parts.condition).all(harmless) {
        return false;
    }
    // What ends the loop if it is not this.
    let args = r.body.args(parts.before).to_vec();
    let known = implied(r.body, parts.decides(r.body));
    let next = |body: &Body, k: usize| body.operand(parts.end, k);
    let goes_on: Vec<(ValueId, bool)> =
        known.iter().filter_map(|(v, is)| Some((next(r.body, args.iter().position(|a| a == v)?), *is))).collect();
    let mut changed = false;
    for k in 0..parts.inputs {
        if !r.body.is_unused(r.body.result(op, k)) {
            continue;
        }
        let Some((condition, values)) = choice(r.body, next(r.body, k)) else { continue };
        let Some(&(_, is)) = goes_on.iter().find(|(v, _)| *v == condition) else { continue };
        let Some(value) = at_end(r, values[usize::from(!is)], op, parts) else { continue };
        r.set_operand(parts.end, k, value);
        changed = true;
    }
    changed
}

fn while_carried_constant(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = WhileParts::of(r.body, op) else { return false };
    let mut gone = vec![false; parts.inputs];
    for (k, gone) in gone.iter_mut().enumerate() {
        let (init, next) = (r.body.operand(op, k), r.body.operand(parts.end, k));
        let arg = r.body.args(parts.before)[k];
        // What comes back is what was forwarded, if that is what came in.
        let returned = r.body.args(parts.after).iter().position(|&a| a == next);
        let same = returned.is_some_and(|m| r.body.operand(parts.condition, m + 1) == arg);
        if same || next == init || next == arg {
            *gone = true;
            r.replace_value(arg, init);
        }
    }
    if !gone.contains(&true) {
        return false;
    }
    // What is forwarded from outside needs no forwarding; this keeps a normalized loop one.
    let forwarded: Vec<ValueId> = parts.forwarded(r.body).to_vec();
    let outside: Vec<bool> = forwarded.iter().map(|&v| defined_outside(r.body, v, op)).collect();
    for (m, &value) in forwarded.iter().enumerate().filter(|(m, _)| outside[*m]) {
        let (arg, result) = (r.body.args(parts.after)[m], r.body.result(op, m));
        r.replace_value(arg, value);
        r.replace_value(result, value);
    }
    remove_pairs(r, op, parts, &gone, &outside)
}

fn remove_pairs(r: &mut Rewriter<'_>, op: OpId, parts: WhileParts, inputs: &[bool], forwarded: &[bool]) -> bool {
    let lost: Vec<ValueId> =
        [op, parts.end, parts.condition].iter().flat_map(|&o| r.body.operands(o).to_vec()).collect();
    parts.remove_forwarded(r.body, op, &|k| forwarded[k]);
    parts.remove_inputs(r.body, op, &|k| inputs[k]);
    lost.into_iter().for_each(|v| r.touch_def(v));
    true
}

fn while_carried_twice(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(parts) = WhileParts::of(r.body, op).filter(|p| p.normal) else { return false };
    let pairs: Vec<(ValueId, ValueId)> =
        (0..parts.inputs).map(|k| (r.body.operand(op, k), r.body.operand(parts.end, k))).collect();
    let mut gone = vec![false; parts.inputs];
    for (k, gone) in gone.iter_mut().enumerate() {
        if let Some(twin) = earlier_twin(&pairs, k) {
            *gone = true;
            for block in [parts.before, parts.after] {
                let (arg, twin_arg) = (r.body.args(block)[k], r.body.args(block)[twin]);
                r.replace_value(arg, twin_arg);
            }
            let (result, twin_result) = (r.body.result(op, k), r.body.result(op, twin));
            r.replace_value(result, twin_result);
        }
    }
    gone.contains(&true) && remove_pairs(r, op, parts, &gone, &gone)
}
