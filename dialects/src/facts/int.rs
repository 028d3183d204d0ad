//! Rules of arithmetic on integers: both ranges, which wrap as the op does, and the bits.

use caustic_ir::fact::{Fact, FactArgs, IntFact};

/// Both ranges and the bits of a result before it is wrapped to its width.
#[derive(Clone, Copy)]
pub struct Wide {
    bits: u32,
    signed: Option<(i128, i128)>,
    unsigned: Option<(i128, i128)>,
    zeros: u64,
    ones: u64,
}

impl Wide {
    /// Nothing is known yet.
    pub fn new(bits: u32) -> Wide {
        Wide { bits, signed: None, unsigned: None, zeros: 0, ones: 0 }
    }

    /// The result read as signed is one of these, give or take whole turns.
    pub fn signed(self, range: Option<(i128, i128)>) -> Wide {
        Wide { signed: range, ..self }
    }

    pub fn unsigned(self, range: Option<(i128, i128)>) -> Wide {
        Wide { unsigned: range, ..self }
    }

    pub fn known(self, zeros: u64, ones: u64) -> Wide {
        Wide { zeros, ones, ..self }
    }

    pub fn fact(self) -> Option<IntFact> {
        let (top, turn) = (IntFact::top(self.bits), 1i128 << self.bits.min(64));
        // A range within one turn is a range of its width.
        let turned = |range: Option<(i128, i128)>, least: i128| {
            let (lo, hi) = range?;
            let turns = (lo - least).div_euclid(turn) * turn;
            Some((lo - turns, hi - turns)).filter(|r| r.1 < least + turn)
        };
        let mut fact = IntFact::with_bits(self.zeros, self.ones, self.bits)?;
        if let Some((lo, hi)) = turned(self.signed, i128::from(top.signed.0)) {
            fact = fact.meet(IntFact::between(lo as i64, hi as i64, self.bits)?)?;
        }
        if let Some((lo, hi)) = turned(self.unsigned, 0) {
            fact = fact.meet(IntFact::between_unsigned(lo as u64, hi as u64, self.bits)?)?;
        }
        Some(fact)
    }

    pub fn finish(self) -> Fact {
        self.fact().map_or(Fact::None, Fact::Int)
    }
}

pub type Range = (i128, i128);

pub fn signed(f: IntFact) -> Range {
    (f.signed.0.into(), f.signed.1.into())
}

pub fn unsigned(f: IntFact) -> Range {
    (f.unsigned.0.into(), f.unsigned.1.into())
}

/// The bits of a sum and a carry, as far as those of both sides tell which bits carry.
fn sum_bits(a: IntFact, (b_zeros, b_ones): (u64, u64), carry: u64) -> (u64, u64) {
    let greatest = (!a.zeros).wrapping_add(!b_zeros).wrapping_add(carry);
    let least = a.ones.wrapping_add(b_ones).wrapping_add(carry);
    let no_carry = !(greatest ^ a.zeros ^ b_zeros);
    let carries = least ^ a.ones ^ b_ones;
    let known = (a.zeros | a.ones) & (b_zeros | b_ones) & (no_carry | carries);
    (!greatest & known, least & known)
}

pub fn add(x: &FactArgs<'_>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    let plus = |(a, b): (Range, Range)| (a.0 + b.0, a.1 + b.1);
    let (mut zeros, ones) = sum_bits(a, (b.zeros, b.ones), 0);
    if x.are_same(0, 1) {
        zeros |= 1 | a.zeros << 1;
    }
    let wide = Wide::new(x.bits()).known(zeros, ones);
    wide.signed(Some(plus((signed(a), signed(b))))).unsigned(Some(plus((unsigned(a), unsigned(b))))).finish()
}

pub fn subtract(x: &FactArgs<'_>) -> Fact {
    if x.are_same(0, 1) {
        return Fact::Int(IntFact::constant(0, x.bits()));
    }
    let (a, b) = (x.int(0), x.int(1));
    let minus = |(a, b): (Range, Range)| (a.0 - b.1, a.1 - b.0);
    let (zeros, ones) = sum_bits(a, (b.ones, b.zeros), 1);
    let wide = Wide::new(x.bits()).known(zeros, ones);
    wide.signed(Some(minus((signed(a), signed(b))))).unsigned(Some(minus((unsigned(a), unsigned(b))))).finish()
}

/// The least and the greatest of what `f` gives at the ends; `None` if it gives nothing somewhere.
fn corners(a: Range, b: Range, f: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
    let all = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
    Some((all.into_iter().min()?, all.into_iter().max()?))
}

/// Bits from the lowest on that are known, and how many of them are zeros from the lowest on.
fn low_bits(f: IntFact) -> (u32, u32) {
    ((f.zeros | f.ones).trailing_ones(), f.zeros.trailing_ones())
}

pub fn multiply(x: &FactArgs<'_>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    let product = |a: i128, b: i128| a.checked_mul(b);
    let mut wide = Wide::new(x.bits()).signed(corners(signed(a), signed(b), product)).unsigned(corners(
        unsigned(a),
        unsigned(b),
        product,
    ));
    let ((known_a, zeros_a), (known_b, zeros_b)) = (low_bits(a), low_bits(b));
    // The factors without their low zeros: as many bits are known as of the one of which fewer are.
    let known = zeros_a + zeros_b + (known_a - zeros_a).min(known_b - zeros_b);
    let mask = if known >= 64 { u64::MAX } else { (1 << known) - 1 };
    let low = a.ones.wrapping_mul(b.ones) & mask;
    let mut zeros = mask & !low;
    if x.are_same(0, 1) {
        // A square is 0 or 1 modulo 4.
        zeros |= 2;
        let (lo, hi) = signed(a);
        let least = if lo <= 0 && hi >= 0 { 0 } else { lo.abs().min(hi.abs()) };
        wide = wide.signed(Some((least * least, lo.abs().max(hi.abs()).pow(2))));
    }
    wide.known(zeros, low).finish()
}

/// The ranges of divisors without zero, negative ones first.
fn divisors(b: Range) -> impl Iterator<Item = Range> {
    [(b.0, b.1.min(-1)), (b.0.max(1), b.1)].into_iter().filter(|r| r.0 <= r.1)
}

fn hull(ranges: impl Iterator<Item = Range>) -> Option<Range> {
    ranges.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The quotient towards zero, 0 of a zero divisor.
fn quotient(a: Range, b: Range) -> Option<Range> {
    let by_zero = (b.0 <= 0 && b.1 >= 0).then_some((0, 0));
    let others = divisors(b).filter_map(|b| corners(a, b, |a, b| a.checked_div(b)));
    hull(by_zero.into_iter().chain(others))
}

pub fn divide_signed(x: &FactArgs<'_>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    Wide::new(x.bits()).signed(quotient(signed(a), signed(b))).finish()
}

pub fn divide_unsigned(x: &FactArgs<'_>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    Wide::new(x.bits()).unsigned(quotient(unsigned(a), unsigned(b))).finish()
}

/// The remainder with the sign of the dividend, 0 of a zero divisor.
fn remainder(a: Range, b: Range) -> Range {
    let most = b.0.abs().max(b.1.abs()) - 1;
    let zero = b.0 <= 0 && b.1 >= 0;
    let least = if zero { 0 } else { b.0.abs().min(b.1.abs()) };
    if most < 0 {
        return (0, 0);
    }
    // A dividend that is smaller than each divisor stays.
    if a.0.abs().max(a.1.abs()) < least {
        return a;
    }
    if b.0 == b.1 && (a.0 >= 0 || a.1 <= 0) && a.0 / b.0 == a.1 / b.0 {
        return (a.0 % b.0, a.1 % b.0);
    }
    (if a.0 < 0 { a.0.max(-most) } else { 0 }, if a.1 > 0 { a.1.min(most) } else { 0 })
}

pub fn remainder_signed(x: &FactArgs<'_>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    Wide::new(x.bits()).signed(Some(remainder(signed(a), signed(b)))).finish()
}

pub fn remainder_unsigned(x: &FactArgs<'_>) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    let wide = Wide::new(x.bits()).unsigned(Some(remainder(unsigned(a), unsigned(b))));
    // By a power of two the low bits stay.
    match b.as_constant().map(|_| b.unsigned.0).filter(|n| n.is_power_of_two()) {
        Some(n) => wide.known(a.zeros | !(n - 1), a.ones & (n - 1)).finish(),
        None => wide.finish(),
    }
}

/// Ops that give one of their operands: bits that both have, and a range made of theirs.
fn chosen(x: &FactArgs<'_>, of_signed: bool, choose: fn(i128, i128) -> i128) -> Fact {
    let (a, b) = (x.int(0), x.int(1));
    let Some(either) = a.join(b) else { return Fact::None };
    let both = |a: Range, b: Range| Some((choose(a.0, b.0), choose(a.1, b.1)));
    let wide = Wide::new(x.bits());
    let range =
        if of_signed { wide.signed(both(signed(a), signed(b))) } else { wide.unsigned(both(unsigned(a), unsigned(b))) };
    range.fact().and_then(|r| r.meet(either)).map_or(Fact::None, Fact::Int)
}

pub fn min_signed(x: &FactArgs<'_>) -> Fact {
    chosen(x, true, i128::min)
}

pub fn max_signed(x: &FactArgs<'_>) -> Fact {
    chosen(x, true, i128::max)
}

pub fn min_unsigned(x: &FactArgs<'_>) -> Fact {
    chosen(x, false, i128::min)
}

pub fn max_unsigned(x: &FactArgs<'_>) -> Fact {
    chosen(x, false, i128::max)
}

/// The magnitude, which as unsigned never wraps.
pub fn absolute(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    let (lo, hi) = signed(a);
    let least = if lo <= 0 && hi >= 0 { 0 } else { lo.abs().min(hi.abs()) };
    // Changing the sign keeps the zeros below the lowest set bit.
    let (_, zeros) = low_bits(a);
    let zeros = if zeros >= 64 { u64::MAX } else { (1 << zeros) - 1 };
    Wide::new(x.bits()).known(zeros, 0).unsigned(Some((least, lo.abs().max(hi.abs())))).finish()
}
