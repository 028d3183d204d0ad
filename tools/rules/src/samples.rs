//! Inputs: the special numbers of a type, all numbers of a narrow one, and random ones. The same in
//! every run.

use caustic_ir::eval::{Val, normalize};
use caustic_ir::{FloatKind, Type};

/// Numbers without a pattern, from a seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound.max(1) as u64) as usize
    }

    /// Any value of the type. Half of the floats are of ordinary size, where sums of two round.
    pub fn value(&mut self, ty: Type) -> Val {
        let bits = self.bits();
        match ty.float_kind() {
            None if ty.is_i1() => Val::Int((bits & 1) as i64),
            None => normalize(Val::Int(bits as i64), ty),
            Some(_) if bits & 1 == 1 => {
                let (size, sign) = (self.below(12) as i32 - 6, if bits & 2 == 0 { 1.0 } else { -1.0 });
                let mantissa = 1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64;
                normalize(Val::Float(sign * mantissa * 2f64.powi(size)), ty)
            }
            Some(FloatKind::F64) => Val::Float(f64::from_bits(self.bits())),
            Some(FloatKind::F32) => Val::Float(f64::from(f32::from_bits(self.bits() as u32))),
            Some(FloatKind::F16) => half(self.bits() as u16),
        }
    }
}

/// The number of type `f16` with these bits.
fn half(bits: u16) -> Val {
    let (exponent, mantissa) = (i32::from(bits >> 10) & 31, f64::from(bits & 0x3ff));
    let size = match exponent {
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => mantissa * 2f64.powi(-24),
        _ => (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    };
    Val::Float(if bits >> 15 == 1 { -size } else { size })
}

/// All values of a type that has few.
pub fn all_of(ty: Type) -> Option<Vec<Val>> {
    match (ty.float_kind(), ty.scalar_bits()?) {
        (Some(FloatKind::F16), _) => Some((0..=u16::MAX).map(half).collect()),
        (None, bits @ 1..=8) if !ty.is_index() => Some((0..1i64 << bits).map(|v| normalize(Val::Int(v), ty)).collect()),
        _ => None,
    }
}

/// Numbers at which something changes, the most important ones first.
pub fn specials(ty: Type) -> Vec<Val> {
    let Some(kind) = ty.float_kind() else {
        if ty.is_i1() {
            return vec![Val::Int(0), Val::Int(1)];
        }
        let bits = ty.scalar_bits().unwrap_or(64).min(64);
        let least = i64::MIN >> (64 - bits);
        let all = [0, 1, -1, 2, -2, least, !least, 3, 5, 7, 8, i64::from(bits), i64::from(bits) - 1, least / 2, 12, -5];
        return all.map(|v| normalize(Val::Int(v), ty)).to_vec();
    };
    let (least, normal, most, ulp) = match kind {
        FloatKind::F16 => (2f64.powi(-24), 2f64.powi(-14), 65504.0, 2f64.powi(-10)),
        FloatKind::F32 => (2f64.powi(-149), f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX), f64::from(f32::EPSILON)),
        FloatKind::F64 => (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, f64::EPSILON),
    };
    let all = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        least,
        -least,
        2.0,
        -2.0,
        most,
        -most,
        0.5,
        normal,
        1.0 + ulp,
        -1.5,
        3.0,
        1.0 - ulp / 2.0,
        0.1,
        -normal,
        normal - least,
        3.0 * least,
        -7.3,
        most / 2.0,
        2f64.powi(12) + 1.0,
    ];
    all.map(|v| normalize(Val::Float(v), ty)).to_vec()
}

/// How many inputs are tried at most where these are not all.
#[derive(Clone, Copy, Debug)]
pub struct Amount {
    /// Combinations of values: all, or of special ones.
    pub combinations: usize,
    pub random: usize,
}

/// Inputs of these types until one is refused: all combinations of all values if there are so few,
/// else of special ones and random ones. Whether none was refused.
pub fn all_inputs(types: &[Type], amount: Amount, mut holds: impl FnMut(&[Val]) -> bool) -> bool {
    let product = |lists: &[Vec<Val>]| lists.iter().map(Vec::len).fold(1, usize::saturating_mul);
    let full: Option<Vec<Vec<Val>>> = types.iter().map(|&t| all_of(t)).collect();
    if let Some(full) = full.filter(|f| product(f) <= amount.combinations) {
        return (0..product(&full)).all(|n| holds(&combination(&full, n)));
    }
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let lists: Vec<Vec<Val>> = types.iter().map(|&t| specials(t)).collect();
    let total = product(&lists);
    let few = amount.combinations.min(1 << 16);
    let mut special = (0..total.min(few)).map(|n| if total <= few { n } else { n.wrapping_mul(7919 * 31) % total });
    if !special.all(|n| holds(&combination(&lists, n))) {
        return false;
    }
    (0..amount.random).all(|_| {
        let one = |(ty, list): (&Type, &Vec<Val>)| {
            let special = random.below(4) == 0;
            if special { list[random.below(list.len())].clone() } else { random.value(*ty) }
        };
        let input: Vec<Val> = types.iter().zip(&lists).map(one).collect();
        holds(&input)
    })
}

fn combination(lists: &[Vec<Val>], mut n: usize) -> Vec<Val> {
    let one = |list: &Vec<Val>| {
        let value = list[n % list.len()].clone();
        n /= list.len();
        value
    };
    lists.iter().map(one).collect()
}
