//! Sine, cosine and tangent of f32.
//!
//! An argument is a multiple of π (of π / 2 for the tangent) and a rest, which a polynomial takes.
//! Below [`FAR`] the rest is found with two parts of π and fused multiply-adds, which loses nothing
//! even where it nearly vanishes: of no f32 is it below 2^-31. Beyond, the argument is an integer
//! times a power of two, and the table has what that power leaves of 1 / π when multiples of 4 are
//! taken away.

use super::calc::{Calc, FRACTION};
use crate::ir::Value;
use caustic_native::Leaf;
use std::f64::consts::{FRAC_1_PI, FRAC_2_PI, FRAC_PI_2, PI};

/// Where the multiple is no longer sure to be found by rounding.
pub const FAR: f64 = 268_435_456.0;

/// What π exceeds its f64 by.
const PI_MORE: f64 = 1.2246467991473532e-16;

/// `(sin r - r) / r³` by r² for r up to π / 2, within 2^-35 of the sine.
const SINE: [f64; 5] =
    [-0.16666666626129298, 0.008333331107710692, -0.00019840868089238744, 2.752537804951e-06, -2.3888794017419504e-08];
/// The same up to π / 4, within 2^-37.
const SHORT_SINE: [f64; 4] =
    [-0.16666666640786668, 0.008333329303638223, -0.00019839311880065613, 2.7181178935178377e-06];
/// `(cos r - 1) / r²` by r² for r up to π / 4, within 2^-43.
const SHORT_COSINE: [f64; 5] =
    [-0.4999999999948912, 0.04166666655338089, -0.0013888880656903314, 2.4798960198753962e-05, -2.717475104054353e-07];

/// A number of turns to be taken away, its lowest bit, and the angle that is left.
struct Rest {
    bits: Value,
    angle: Value,
}

fn sine(c: &mut Calc<'_>, rest: Rest) -> Value {
    let r = rest.angle;
    let z = c.mul(r, r);
    let (sum, one) = (c.poly(z, &SINE), c.n(1.0));
    let sum = c.fma(z, sum, one);
    let value = c.mul(r, sum);
    c.negated_if_odd(value, rest.bits)
}

fn tangent(c: &mut Calc<'_>, rest: Rest) -> Value {
    let r = rest.angle;
    let z = c.mul(r, r);
    let (sum, one) = (c.poly(z, &SHORT_SINE), c.n(1.0));
    let sum = c.fma(z, sum, one);
    let s = c.mul(r, sum);
    let sum = c.poly(z, &SHORT_COSINE);
    let k = c.fma(z, sum, one);
    let lowest = c.and(rest.bits, 1);
    let zero = c.i(0);
    let odd = c.ir.icmp(crate::ir::IntCc::LLVMIntNE, lowest, zero);
    let (above, below) = (c.select(odd, k, s), c.select(odd, s, k));
    let value = c.div(above, below);
    c.negated_if_odd(value, rest.bits)
}

/// `x - n unit`.
fn less_turns(c: &mut Calc<'_>, x: Value, n: Value, unit: f64, more: f64) -> Value {
    let (unit, more) = (c.n(-unit), c.n(-more));
    let rest = c.fma(n, unit, x);
    c.fma(n, more, rest)
}

pub fn sin(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let turns = c.mul_n(args[0], FRAC_1_PI);
    let split = c.split(turns);
    let angle = less_turns(c, args[0], split.whole, PI, PI_MORE);
    sine(c, Rest { bits: split.bits, angle })
}

/// The sine of what lacks half of π to a multiple of π.
pub fn cos(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let (per, half) = (c.n(FRAC_1_PI), c.n(-0.5));
    let turns = c.fma(args[0], per, half);
    let split = c.split(turns);
    let whole = c.add_n(split.whole, 0.5);
    let angle = less_turns(c, args[0], whole, PI, PI_MORE);
    let bits = next(c, split.bits);
    sine(c, Rest { bits, angle })
}

pub fn tan(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let turns = c.mul_n(args[0], FRAC_2_PI);
    let split = c.split(turns);
    let angle = less_turns(c, args[0], split.whole, FRAC_PI_2, PI_MORE / 2.0);
    tangent(c, Rest { bits: split.bits, angle })
}

fn next(c: &mut Calc<'_>, bits: Value) -> Value {
    let one = c.i(1);
    c.plus(bits, one)
}

// ----- far from zero, for one thread

/// 1 / π, its first bit that of a half.
const PER_PI: [u32; 8] =
    [0x517c_c1b7, 0x2722_0a94, 0xfe13_abe8, 0xfa9a_6ee0, 0x6db1_4acc, 0x9e21_c820, 0xff28_b1d5, 0xef5d_e2b0];
/// Powers of two by which an integer of 24 bits is multiplied: those of arguments from [`FAR`] on.
const FIRST: i64 = 5;
const LAST: i64 = 104;
/// Bits of the parts of an entry: times the integer a part must be exact. The last part has all
/// that fit.
const PART_BITS: [u32; 3] = [29, 29, 53];

/// For each power of two what its product with 1 / π is, multiples of 4 taken away, as three
/// numbers.
fn table() -> Vec<f64> {
    let mut out = Vec::new();
    for power in FIRST..=LAST {
        // The first bit that stays stands for 2.
        let mut at = power - 2;
        let mut weight = 2;
        for bits in PART_BITS {
            let mut part = 0u64;
            for _ in 0..bits {
                let word = usize::try_from(at / 32).ok().and_then(|word| PER_PI.get(word));
                let bit = word.map_or(0, |word| word >> (31 - at % 32) & 1);
                part = part << 1 | u64::from(bit);
                at += 1;
            }
            weight -= i64::from(bits);
            out.push(part as f64 * 2f64.powi(weight as i32));
        }
    }
    out
}

/// The turns of `unit = 1 / 2^halvings` of π in an argument, less `less` of them.
fn far(c: &mut Calc<'_>, x: Value, times: f64, less: f64) -> Rest {
    let bits = c.bits(x);
    let exponent = c.right(bits, 52);
    let exponent = c.and(exponent, 0x7ff);
    let first = c.i(1023 + 23 + FIRST);
    let entry = c.minus(exponent, first);
    // Infinities and NaN have an exponent beyond the table.
    let (word, last) = (c.ir.ty(Leaf::I64), c.i(LAST - FIRST));
    let entry = c.ir.intrinsic("llvm.umin", &[word], &[entry, last]);
    let integer = c.and(bits, FRACTION);
    let integer = c.or(integer, (1023 + 23) << 52);
    let integer = c.of_bits(integer);
    let integer = c.with_sign_of(integer, x);
    let integer = c.mul_n(integer, times);
    let size = c.i(24);
    let offset = c.ir.binary(crate::ir::Opcode::LLVMMul, entry, size);
    let place = c.ir.table("caustic.turns", table);
    let place = c.ir.at(place, offset);
    let parts = [0, 8, 16].map(|offset| {
        let (double, offset) = (c.ir.ty(Leaf::F64), c.i(offset));
        let at = c.ir.at(place, offset);
        let part = c.ir.load(double, at, 8);
        c.mul(integer, part)
    });
    let turns = c.add_n(parts[0], -less);
    let whole = c.split(turns);
    let sum = c.add(whole.rest, parts[1]);
    let sum = c.add(sum, parts[2]);
    // The small parts may lead over to the next.
    let more = c.split(sum);
    let bits = c.plus(whole.bits, more.bits);
    let angle = c.mul_n(more.rest, PI / times);
    // Where there is no angle there is NaN.
    let none = c.sub(x, x);
    Rest { bits, angle: c.add(angle, none) }
}

pub fn sin_far(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let rest = far(c, args[0], 1.0, 0.0);
    sine(c, rest)
}

pub fn cos_far(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let rest = far(c, args[0], 1.0, 0.5);
    let bits = next(c, rest.bits);
    sine(c, Rest { bits, ..rest })
}

pub fn tan_far(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let rest = far(c, args[0], 2.0, 0.0);
    tangent(c, rest)
}
