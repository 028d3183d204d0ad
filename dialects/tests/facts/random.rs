//! Random facts, and random values that they allow.

use caustic_ir::eval::Val;
use caustic_ir::fact::{Fact, FloatFact, IntFact, Kinds, next_down, next_up};
use caustic_ir::real::{bits_of, of_bits};
use caustic_ir::{Attr, FloatKind, Type, TypeKind};

/// Numbers that follow from a seed (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// Any float of the format: special numbers, those of everyday, and any bits.
pub fn float(r: &mut Random, format: FloatKind) -> f64 {
    let ty = Type::float(format);
    let round = |v: f64| Attr::float(v, ty).as_float().unwrap_or(v);
    let limit = of_bits(bits_of(f64::INFINITY, format) - 1, format);
    let normal = match format {
        FloatKind::F16 => half::f16::MIN_POSITIVE.to_f64(),
        FloatKind::F32 => f32::MIN_POSITIVE.into(),
        FloatKind::F64 => f64::MIN_POSITIVE,
    };
    let special = [0.0, 1.0, 2.0, 0.5, 3.0, limit, normal, of_bits(1, format), f64::INFINITY, 1e-3, 100.0, 0.7, 1.3];
    let value = match r.below(8) {
        0 => f64::NAN,
        1..=3 => {
            let v = round(r.pick(&special));
            match r.below(4) {
                0 => next_up(v, format),
                1 => next_down(v, format),
                _ => v,
            }
        }
        4 | 5 => round(r.below(4001) as f64 / 1000.0),
        _ => of_bits(r.next() >> (64 - format.bits()), format),
    };
    if r.chance(2) { -value } else { value }
}

pub fn int(r: &mut Random, bits: u32) -> i64 {
    let v = match r.below(6) {
        0 => r.pick(&[0, 1, -1, 2, 3, 7, 8, 31, 64]),
        1 => r.pick(&[i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 127, -128]),
        2 | 3 => r.below(41) as i64 - 20,
        _ => r.next() as i64 >> r.below(64),
    };
    Attr::int(v, Type::int(bits)).as_int().unwrap_or(0)
}

/// Any value of the type.
pub fn any(r: &mut Random, ty: Type) -> Val {
    match ty.kind() {
        TypeKind::Float(format) => Val::Float(float(r, *format)),
        _ => Val::Int(Attr::int(int(r, ty.scalar_bits().unwrap_or(64)), ty).as_int().unwrap_or(0)),
    }
}

/// A random fact, and one that is no contradiction.
pub fn fact(r: &mut Random, ty: Type) -> Fact {
    loop {
        let found = match ty.kind() {
            TypeKind::Float(format) => float_fact(r, *format).map(Fact::Float),
            TypeKind::Int(bits) => int_fact(r, *bits).map(Fact::Int),
            _ => int_fact(r, 64).map(Fact::Int),
        };
        if let Some(found) = found {
            return found;
        }
    }
}

fn float_fact(r: &mut Random, format: FloatKind) -> Option<FloatFact> {
    let (a, b) = (float(r, format), float(r, format));
    let all = [
        Kinds::NAN,
        Kinds::NEG_INF,
        Kinds::NEG_NORMAL,
        Kinds::NEG_SUBNORMAL,
        Kinds::NEG_ZERO,
        Kinds::POS_ZERO,
        Kinds::POS_SUBNORMAL,
        Kinds::POS_NORMAL,
        Kinds::POS_INF,
    ];
    match r.below(6) {
        0 => Some(FloatFact::top(format)),
        1 => Some(FloatFact::constant(a, format)),
        2 => FloatFact::new(format, Kinds::NUMBER, a.min(b), a.max(b)),
        3 => FloatFact::new(format, Kinds::ALL, a.min(b), a.max(b)),
        _ => {
            let kinds = all.into_iter().filter(|_| r.chance(2)).fold(Kinds::NONE, |k, one| k | one);
            let (lo, hi) = if r.chance(2) { (a.min(b), a.max(b)) } else { (f64::NEG_INFINITY, f64::INFINITY) };
            FloatFact::new(format, kinds, lo, hi)
        }
    }
}

fn int_fact(r: &mut Random, bits: u32) -> Option<IntFact> {
    let (a, b) = (int(r, bits), int(r, bits));
    let mask = IntFact::top(bits).mask();
    let signed = IntFact::between(a.min(b), a.max(b), bits);
    let (c, d) = (int(r, bits) as u64 & mask, int(r, bits) as u64 & mask);
    let unsigned = IntFact::between_unsigned(c.min(d), c.max(d), bits);
    let known = r.next() & r.next() & mask;
    let with_bits = IntFact::with_bits(known & c, known & !c, bits);
    match r.below(7) {
        0 => Some(IntFact::top(bits)),
        1 => Some(IntFact::constant(a, bits)),
        2 => signed,
        3 => unsigned,
        4 => with_bits,
        5 => signed?.meet(unsigned?),
        _ => signed?.meet(with_bits?),
    }
}

/// A value that the fact allows; `None` if none was found.
pub fn value(r: &mut Random, fact: Fact, ty: Type) -> Option<Val> {
    (0..20).find_map(|_| {
        let tried = match fact {
            Fact::Float(f) => Val::Float(float_within(r, f)),
            Fact::Int(f) => Val::Int(Attr::int(int_within(r, f), ty).as_int()?),
            Fact::None => return None,
        };
        fact.contains(&tried, ty).then_some(tried)
    })
}

fn float_within(r: &mut Random, f: FloatFact) -> f64 {
    let format = f.format();
    match r.below(8) {
        0 => f.lo,
        1 => f.hi,
        2 => next_up(f.lo, format),
        3 => next_down(f.hi, format),
        4 => r.pick(&[0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
        5 => float(r, format),
        _ => {
            // As far along the floats between the bounds as may be.
            let order = |v: f64| {
                let bits = bits_of(v.abs(), format) as i64;
                if v < 0.0 { -bits } else { bits }
            };
            let (lo, hi) = (order(f.lo), order(f.hi));
            let at = lo.wrapping_add((r.next() % (hi.wrapping_sub(lo).unsigned_abs().max(1))) as i64);
            let magnitude = of_bits(at.unsigned_abs(), format);
            if at < 0 { -magnitude } else { magnitude }
        }
    }
}

fn int_within(r: &mut Random, f: IntFact) -> i64 {
    let ends = [f.signed.0, f.signed.1, f.unsigned.0 as i64, f.unsigned.1 as i64];
    let between = f.unsigned.0.wrapping_add(r.next() % (f.unsigned.1 - f.unsigned.0).max(1)) as i64;
    let near = f.signed.0.wrapping_add((r.next() % (f.signed.1.wrapping_sub(f.signed.0) as u64).max(1)) as i64);
    let v = match r.below(4) {
        0 => r.pick(&ends),
        1 => between,
        2 => near,
        _ => int(r, f.bits()),
    };
    if r.chance(2) { v } else { (v as u64 & !f.zeros | f.ones) as i64 }
}
