//! Rewrites of `scf.for` and `scf.while`. Carried values that are only dead weight are `dce`'s to
//! remove.

use crate::analysis::ranges::range_of;
use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts, bounds, defined_outside};
use caustic_dialects::{arith, scf};
use caustic_ir::{OpId, ValueId};

rewrites! {
    pub static REWRITES: [
        "loop-never" Exact [scf::For] "a loop from a to at most a => its initial values" loop_never;
        "loop-once" Exact [scf::For] "a loop that runs once => its body" loop_once;
        "carried-constant" Exact [scf::For] "a carried value that stays what it was => the initial value" carried_constant;
        "result-of-same" Exact [scf::For] "what a loop that runs carries, if its next value is the same each time => that value" result_of_same;
        "result-of-counter" Exact [scf::For] "an integer that a loop adds a constant to, or takes one from => init +- constant * iterations" result_of_counter;
        "carried-twice" Exact [scf::For] "two carried values with the same start and the same next value => one" carried_twice;
        "while-never" Exact [scf::While] "a loop whose condition is false => what it forwards" while_never;
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
