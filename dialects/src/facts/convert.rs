//! Rules of conversions between scalar types.

use super::int::{Wide, signed, unsigned};
use super::pieces::{Gathered, pieces};
use crate::arith::num;
use caustic_ir::eval::Val;
use caustic_ir::fact::{Fact, FactArgs, FloatFact, IntFact, Kinds};
use caustic_ir::{FloatKind, Type};

/// The value read as signed, to any width.
pub fn signed_to_int(x: &FactArgs<'_>) -> Fact {
    let (a, bits) = (x.int(0), x.bits());
    // Bits above the sign are as the sign, which the range knows.
    Wide::new(bits).known(a.zeros, a.ones).signed(Some(signed(a))).finish()
}

/// The value read as unsigned, to any width.
pub fn unsigned_to_int(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    Wide::new(x.bits()).known(a.zeros | !a.mask(), a.ones).unsigned(Some(unsigned(a))).finish()
}

/// The low bits of the value.
pub fn truncate(x: &FactArgs<'_>) -> Fact {
    let a = x.int(0);
    Wide::new(x.bits()).known(a.zeros, a.ones).signed(Some(signed(a))).unsigned(Some(unsigned(a))).finish()
}

/// A whole number between the two as a float.
fn whole(x: &FactArgs<'_>, lo: f64, hi: f64, never_zero: bool) -> Fact {
    let zero = Kinds::NEG_ZERO | Kinds::POS_ZERO.only_if(never_zero);
    let kinds = (Kinds::NAN | Kinds::SUBNORMAL | zero).complement();
    FloatFact::new(x.format(), kinds, lo, hi).map_or(Fact::None, Fact::Float)
}

pub fn signed_to_float(x: &FactArgs<'_>) -> Fact {
    let (a, format) = (x.int(0), x.format());
    let to = |v: i64| caustic_ir::attr::round_to(num::signed_to_float(v, format), format);
    whole(x, to(a.signed.0), to(a.signed.1), a.never_zero())
}

pub fn unsigned_to_float(x: &FactArgs<'_>) -> Fact {
    let (a, format) = (x.int(0), x.format());
    let to = |v: u64| caustic_ir::attr::round_to(num::unsigned_to_float(v, format), format);
    whole(x, to(a.unsigned.0), to(a.unsigned.1), a.never_zero())
}

/// Towards zero, with ends that saturate; NaN gives 0.
pub fn float_to_int(x: &FactArgs<'_>) -> Fact {
    let mut found: Option<IntFact> = None;
    for (lo, hi) in pieces(x.float(0)) {
        let ends = [lo, hi].map(|v| x.eval(&[Val::Float(v)]).map_or(0, |v| v.as_int()));
        let ends = ends.map(|v| IntFact::constant(v, x.bits()));
        // Between the ends of a piece a conversion is monotone; read as signed or as unsigned, as
        // its sign is.
        let between = match ends {
            [a, b] if a == b => Some(a),
            [a, b] if hi < 0.0 => IntFact::between(a.signed.0, b.signed.0, x.bits()),
            [a, b] => IntFact::between_unsigned(a.unsigned.0, b.unsigned.0, x.bits()),
        };
        let Some(between) = between else { return Fact::None };
        found = match found {
            None => Some(between),
            Some(f) => f.join(between),
        };
    }
    found.map_or(Fact::None, Fact::Int)
}

/// The same bits: of floats without a sign, and of integers without one, in the same order.
pub fn bits(x: &FactArgs<'_>) -> Fact {
    let (from, to) = (x.elem(0), x.result.elem());
    match (from.is_float(), to.is_float()) {
        (true, false) => bits_of_float(x.float(0), to),
        (false, true) => float_of_bits(x.int(0), x.format()),
        _ => x.fact(0),
    }
}

fn bits_of_float(f: FloatFact, to: Type) -> Fact {
    let width = num::width(to);
    if f.kinds.meets(Kinds::NAN) {
        return Fact::None;
    }
    let bits = |v: f64| num::float_bits(v, f.format()) as u64 & IntFact::top(width).mask();
    let mut found: Option<IntFact> = None;
    for (lo, hi) in pieces(f) {
        let (a, b) = (bits(lo), bits(hi));
        let Some(piece) = IntFact::between_unsigned(a.min(b), a.max(b), width) else { return Fact::None };
        found = match found {
            None => Some(piece),
            Some(f) => f.join(piece),
        };
    }
    found.map_or(Fact::None, Fact::Int)
}

fn float_of_bits(i: IntFact, format: FloatKind) -> Fact {
    let sign = i.sign();
    let float = |bits: u64| num::float_from_bits(bits as i64, format);
    let infinity = num::float_bits(f64::INFINITY, format) as u64 & i.mask();
    let mut out = Gathered::new(format);
    // With and without the sign's bit; magnitudes go up with the bits, to NaN behind infinity.
    for bit in [0, sign] {
        let half = IntFact::between_unsigned(bit, bit | (sign - 1), i.bits()).and_then(|h| h.meet(i));
        let Some(half) = half else { continue };
        let (lo, hi) = (half.unsigned.0 & !sign, half.unsigned.1 & !sign);
        if hi > infinity {
            out.nan();
        }
        if lo <= infinity {
            let (least, most) = (float(lo | bit), float(hi.min(infinity) | bit));
            out.span(least.min(most), least.max(most));
        }
    }
    out.finish()
}
