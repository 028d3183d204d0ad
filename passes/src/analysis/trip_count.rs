//! How often a counted loop runs: `i = init; while (i pred bound) i += step`.
//!
//! Counters wrap around as integers do. Counts are exact: where a counter could wrap before its
//! test fails, and only then, the count is [`NEVER_ENDS`]; that is right for steps that are powers
//! of two, since such a counter meets the same values again after the wrap. Other steps are only
//! accepted where the bound rules the wrap out.

use caustic_dialects::arith::{self, IntPredicate, num};
use caustic_ir::{Builder, Type, ValueId};

/// The count of a loop that runs for ever.
pub const NEVER_ENDS: i64 = i64::MAX;

/// A counter with its test. `bound` is the right operand of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    pub predicate: IntPredicate,
    pub init: ValueId,
    pub bound: ValueId,
    pub step: i64,
}

/// The predicate with its operands exchanged.
pub fn swapped(p: IntPredicate) -> IntPredicate {
    use IntPredicate::*;
    match p {
        Eq => Eq,
        Ne => Ne,
        Slt => Sgt,
        Sle => Sge,
        Sgt => Slt,
        Sge => Sle,
        Ult => Ugt,
        Ule => Uge,
        Ugt => Ult,
        Uge => Ule,
    }
}

/// Direction (is it counting up), signedness and inclusiveness of an order.
fn order(p: IntPredicate) -> Option<(bool, bool, bool)> {
    use IntPredicate::*;
    Some(match p {
        Slt => (true, true, false),
        Sle => (true, true, true),
        Sgt => (false, true, false),
        Sge => (false, true, true),
        Ult => (true, false, false),
        Ule => (true, false, true),
        Ugt => (false, false, false),
        Uge => (false, false, true),
        Eq | Ne => return None,
    })
}

fn read(value: i64, ty: Type, signed: bool) -> i128 {
    if signed { num::signed(value, ty) as i128 } else { num::unsigned(value, ty) as i128 }
}

/// Least and greatest number of the type.
fn range(ty: Type, signed: bool) -> (i128, i128) {
    let bits = num::width(ty);
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// The count where everything is known; `None` if the counter would wrap or the count does not fit.
pub fn constant(predicate: IntPredicate, ty: Type, init: i64, bound: i64, step: i64) -> Option<i64> {
    if !predicate.holds(init, bound, ty) {
        return Some(0);
    }
    let count = match order(predicate) {
        None if predicate == IntPredicate::Eq => 1,
        None => {
            let distance = if step > 0 { bound.wrapping_sub(init) } else { init.wrapping_sub(bound) };
            let distance = num::unsigned(distance, ty) as i128;
            let step = (step as i128).abs();
            if distance % step != 0 {
                return None;
            }
            distance / step
        }
        Some((up, signed, inclusive)) => {
            if up != (step > 0) {
                return None;
            }
            let (i, b, s) = (read(init, ty, signed), read(bound, ty, signed), (step as i128).abs());
            let distance = if up { b - i } else { i - b } + inclusive as i128;
            let count = (distance + s - 1) / s;
            let last = if up { i + count * s } else { i - count * s };
            let (min, max) = range(ty, signed);
            if last < min || last > max {
                return None;
            }
            count
        }
    };
    i64::try_from(count).ok().filter(|&n| n < NEVER_ENDS)
}

/// Whether the counter's last value can lie outside of its type: what is known of the bound
/// decides.
fn may_wrap(counter: &Counter, ty: Type, bound: Option<i64>) -> bool {
    let Some((up, signed, inclusive)) = order(counter.predicate) else { return false };
    let step = (counter.step as i128).abs();
    if step == 1 && !inclusive {
        return false;
    }
    let Some(bound) = bound.map(|b| read(b, ty, signed)) else { return true };
    // The last value for which the test holds, and the next.
    let (min, max) = range(ty, signed);
    if up { bound - !inclusive as i128 + step > max } else { bound + !inclusive as i128 - step < min }
}

/// Whether [`build`] can express the count of this counter.
pub fn is_countable(counter: &Counter, ty: Type, init: Option<i64>, bound: Option<i64>) -> bool {
    if !ty.is_int_or_index() || ty.is_i1() || matches!(counter.step, 0 | i64::MIN) {
        return false;
    }
    if let (Some(i), Some(b)) = (init, bound) {
        return constant(counter.predicate, ty, i, b, counter.step).is_some();
    }
    let size = counter.step.unsigned_abs();
    match order(counter.predicate) {
        None => counter.predicate == IntPredicate::Ne && size == 1,
        Some((up, ..)) => up == (counter.step > 0) && (size.is_power_of_two() || !may_wrap(counter, ty, bound)),
    }
}

/// Builds the count as an i64. The counter must be countable.
pub fn build(b: &mut Builder<'_>, counter: &Counter) -> ValueId {
    let ty = b.ty(counter.init);
    let (init, bound) = (int_of(b, counter.init), int_of(b, counter.bound));
    if let (Some(i), Some(l)) = (init, bound)
        && let Some(count) = constant(counter.predicate, ty, i, l, counter.step)
    {
        return arith::int(b, count, Type::i64());
    }
    let wide = Type::i64();
    let Some((up, signed, inclusive)) = order(counter.predicate) else {
        // Around the circle from one to the other: right without any comparison.
        let (from, to) = if counter.step > 0 { (counter.init, counter.bound) } else { (counter.bound, counter.init) };
        let distance = sub(b, to, from);
        let distance = extend(b, distance, false);
        return if num::width(ty) < 64 { distance } else { clamp(b, distance) };
    };
    let step = counter.step.unsigned_abs() as i64;
    let wraps = may_wrap(counter, ty, bound);
    let zero = arith::int(b, 0, wide);
    if num::width(ty) < 64 {
        let (from, to) = (extend(b, counter.init, signed), extend(b, counter.bound, signed));
        let mut distance = if up { sub(b, to, from) } else { sub(b, from, to) };
        let rounding = inclusive as i64 + step - 1;
        if rounding != 0 {
            let more = arith::int(b, rounding, wide);
            distance = arith::AddI::build(b, distance, more, &[]);
        }
        // Not more than `step - 1` is added to a distance that is not positive, which the division
        // takes away again.
        let positive = arith::MaxSI::build(b, distance, zero, &[]);
        let count = divide(b, positive, step);
        if !wraps {
            return count;
        }
        let travelled = multiply(b, count, step);
        let last =
            if up { arith::AddI::build(b, from, travelled, &[]) } else { arith::SubI::build(b, from, travelled, &[]) };
        let (min, max) = range(ty, signed);
        let limit = arith::int(b, if up { max } else { min } as i64, wide);
        let outside = arith::cmpi(b, if up { IntPredicate::Sgt } else { IntPredicate::Slt }, last, limit);
        let never = arith::int(b, NEVER_ENDS, wide);
        return arith::Select::build(b, outside, never, count, &[]);
    }
    // 64 bits: there is no wider type, so the test comes first and the distance is read as
    // unsigned.
    let runs = arith::cmpi(b, counter.predicate, counter.init, counter.bound);
    let mut distance = if up { sub(b, counter.bound, counter.init) } else { sub(b, counter.init, counter.bound) };
    if !inclusive {
        let one = arith::int(b, 1, ty);
        distance = arith::SubI::build(b, distance, one, &[]);
    }
    // The number of iterations after the first one.
    let further = divide(b, distance, step);
    let further_wide = extend(b, further, false);
    let further_wide = clamp(b, further_wide);
    let one = arith::int(b, 1, wide);
    let some = arith::AddI::build(b, further_wide, one, &[]);
    let some = clamp(b, some);
    let mut total = arith::Select::build(b, runs, some, zero, &[]);
    if wraps {
        let travelled = multiply(b, further, step);
        let last_tested = if up {
            arith::AddI::build(b, counter.init, travelled, &[])
        } else {
            arith::SubI::build(b, counter.init, travelled, &[])
        };
        let (min, max) = range(ty, signed);
        let limit = if up { max - step as i128 } else { min + step as i128 };
        let limit = arith::int(b, limit as i64, ty);
        use IntPredicate::{Sgt, Slt, Ugt, Ult};
        let outside = match (up, signed) {
            (true, true) => Sgt,
            (true, false) => Ugt,
            (false, true) => Slt,
            (false, false) => Ult,
        };
        let outside = arith::cmpi(b, outside, last_tested, limit);
        let never = arith::int(b, NEVER_ENDS, wide);
        let endless = arith::Select::build(b, outside, never, total, &[]);
        total = arith::Select::build(b, runs, endless, zero, &[]);
    }
    total
}

/// The counter's value after `iterations` (an index): init + iterations * step, in the counter's
/// type.
pub fn value_after(b: &mut Builder<'_>, counter: &Counter, iterations: ValueId) -> ValueId {
    let ty = b.ty(counter.init);
    let steps = if ty.is_index() { iterations } else { arith::IndexCast::build(b, iterations, ty, &[]) };
    let travelled = multiply(b, steps, counter.step);
    if int_of(b, counter.init) == Some(0) { travelled } else { arith::AddI::build(b, counter.init, travelled, &[]) }
}

fn int_of(b: &Builder<'_>, value: ValueId) -> Option<i64> {
    arith::constant_of(b.body, value).and_then(|a| a.as_int())
}

/// Unsigned 64-bit numbers beyond the signed range are as good as the greatest: no loop gets there.
fn clamp(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    let greatest = arith::int(b, NEVER_ENDS, Type::i64());
    arith::MinUI::build(b, value, greatest, &[])
}

fn extend(b: &mut Builder<'_>, value: ValueId, signed: bool) -> ValueId {
    let (ty, wide) = (b.ty(value), Type::i64());
    if let Some(constant) = int_of(b, value) {
        return arith::int(b, read(constant, ty, signed) as i64, wide);
    }
    match ty {
        t if t == wide => value,
        t if t.is_index() => arith::IndexCast::build(b, value, wide, &[]),
        _ if signed => arith::ExtSI::build(b, value, wide, &[]),
        _ => arith::ExtUI::build(b, value, wide, &[]),
    }
}

fn sub(b: &mut Builder<'_>, x: ValueId, y: ValueId) -> ValueId {
    if int_of(b, y) == Some(0) { x } else { arith::SubI::build(b, x, y, &[]) }
}

fn divide(b: &mut Builder<'_>, value: ValueId, by: i64) -> ValueId {
    if by == 1 {
        return value;
    }
    let ty = b.ty(value);
    let by = arith::int(b, by, ty);
    arith::DivUI::build(b, value, by, &[])
}

fn multiply(b: &mut Builder<'_>, value: ValueId, by: i64) -> ValueId {
    if by == 1 {
        return value;
    }
    let ty = b.ty(value);
    let by = arith::int(b, by, ty);
    arith::MulI::build(b, value, by, &[])
}
