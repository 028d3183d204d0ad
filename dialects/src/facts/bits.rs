//! Rules of ops on the bits of integers: logic, shifts, counts.

use super::int::{Range, Wide, signed, unsigned};
use caustic_ir::fact::{Fact, FactArgs, IntFact};

pub fn and(x: &FactArgs<'_>) -> Fact {
    if x.are_same(0, 1) {
        return x.fact(0);
    }
    let (a, b) = (x.int(0), x.int(1));
    let most = a.unsigned.1.min(b.unsigned.1);
    Wide::new(x.bits()).known(a.zeros | b.zeros, a.ones & b.ones).unsigned(Some((0, most.into()))).finish()
}

pub fn or(x: &FactArgs<'_>) -> Fact {
    if x.are_same(0, 1) {
        return x.fact(0);
    }
    let (a, b) = (x.int(0), x.int(1));
    let range = (a.unsigned.0.max(b.unsigned.0).into(), a.mask().into());
    Wide::new(x.bits()).known(a.zeros & b.zeros, a.ones | b.ones).unsigned(Some(range)).finish()
}

pub fn exclusive_or(x: &FactArgs<'_>) -> Fact {
    if x.are_same(0, 1) {
        return Fact::Int(IntFact::constant(0, x.bits()));
    }
    let (a, b) = (x.int(0), x.int(1));
    let zeros = a.zeros & b.zeros | a.ones & b.ones;
    let wide = Wide::new(x.bits()).known(zeros, a.zeros & b.ones | a.ones & b.zeros);
    // With all bits set the other one is mirrored.
    let mirrored = |other: IntFact| {
        let (lo, hi) = signed(other);
        wide.signed(Some((-1 - hi, -1 - lo)))
    };
    match () {
        _ if b.ones == b.mask() => mirrored(a).finish(),
        _ if a.ones == a.mask() => mirrored(b).finish(),
        _ => wide.finish(),
    }
}

/// The facts of `a` shifted by each amount that is possible, joined. Amounts count modulo the
/// width.
fn shifted(x: &FactArgs<'_>, by: fn(IntFact, u32) -> Option<IntFact>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    let bits = x.bits();
    let (zeros, ones) = (b.zeros & u64::from(bits - 1), b.ones & u64::from(bits - 1));
    let within = b.unsigned.1 < u64::from(bits);
    let mut found: Option<IntFact> = None;
    for amount in 0..bits {
        let n = u64::from(amount);
        let possible = if within { b.contains(n as i64) } else { n & zeros == 0 && n & ones == ones };
        if !possible {
            continue;
        }
        let Some(one) = by(a, amount) else { return Fact::None };
        found = match found {
            None => Some(one),
            Some(f) => f.join(one),
        };
        if found == Some(IntFact::top(bits)) {
            break;
        }
    }
    found.map_or(Fact::None, Fact::Int)
}

pub fn shift_left(x: &FactArgs<'_>) -> Fact {
    shifted(x, |a, n| {
        let up = |r: Range| Some((r.0 << n, r.1 << n));
        Wide::new(a.bits())
            .known(a.zeros << n | !(u64::MAX << n), a.ones << n)
            .signed(up(signed(a)))
            .unsigned(up(unsigned(a)))
            .fact()
    })
}

pub fn shift_right_unsigned(x: &FactArgs<'_>) -> Fact {
    shifted(x, |a, n| {
        let (lo, hi) = unsigned(a);
        let above = !(a.mask() >> n);
        Wide::new(a.bits()).known(a.zeros >> n | above, a.ones >> n).unsigned(Some((lo >> n, hi >> n))).fact()
    })
}

pub fn shift_right_signed(x: &FactArgs<'_>) -> Fact {
    shifted(x, |a, n| {
        let (lo, hi) = signed(a);
        // Bits below those that the sign is repeated into.
        let below = a.mask() >> n;
        let known = Wide::new(a.bits()).known(a.zeros >> n & below, a.ones >> n & below);
        known.signed(Some((lo >> n, hi >> n))).fact()
    })
}

fn count(x: &FactArgs<'_>, least: u32, most: u32) -> Fact {
    Wide::new(x.bits()).unsigned(Some((least.into(), most.into()))).finish()
}

pub fn set_bits(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    count(x, a.ones.count_ones(), (a.mask() & !a.zeros).count_ones())
}

pub fn leading_zeros(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    let zeros = |v: u64| v.leading_zeros().saturating_sub(64 - a.bits().min(64));
    count(x, zeros(a.unsigned.1), zeros(a.unsigned.0))
}

pub fn trailing_zeros(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    let zeros = |v: u64| v.trailing_zeros().min(a.bits());
    let most = if a.never_zero() { zeros(a.ones).min(a.bits().saturating_sub(1)) } else { zeros(a.ones) };
    count(x, zeros(a.mask() & !a.zeros), most)
}
