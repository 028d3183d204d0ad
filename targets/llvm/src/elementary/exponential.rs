//! Powers of e and 2, and what is made of them.
//!
//! `t = x log2 e` is an integer and a rest of at most a half, which a polynomial takes; the integer
//! is added to the exponent. Beyond 2^160, and below its reciprocal, all that is left of a result
//! is infinity, or zero.

use super::calc::{Calc, ONE};
use crate::ir::Value;
use std::f64::consts::LOG2_E;

/// Powers beyond this, of 2, are beyond f32, and so are those below its negative.
const MOST: f64 = 160.0;

/// `(2^r - 1) / r` for r within a half of 0, within 2^-32 of its size.
const RISE: [f64; 7] = [
    0.6931471805815643,
    0.24022650920052843,
    0.0555041072758739,
    0.009618057036540093,
    0.00133336694695587,
    0.00015461330098689318,
    1.5252714585621853e-05,
];

/// 2^t.
pub fn power_of_two(c: &mut Calc<'_>, t: Value) -> Value {
    let t = c.clamp(t, MOST);
    let split = c.split(t);
    let rise = c.poly(split.rest, &RISE);
    let one = c.n(1.0);
    let part = c.fma(split.rest, rise, one);
    let (exponent, bits) = (c.left(split.bits, 52), c.bits(part));
    let bits = c.plus(bits, exponent);
    c.of_bits(bits)
}

/// 2^t - 1, which is as accurate near 0.
fn power_less_one(c: &mut Calc<'_>, t: Value) -> Value {
    let split = c.split(t);
    let rise = c.poly(split.rest, &RISE);
    let part = c.mul(split.rest, rise);
    let exponent = c.left(split.bits, 52);
    let one = c.i(ONE);
    let bits = c.plus(exponent, one);
    let scale = c.of_bits(bits);
    let less = c.add_n(scale, -1.0);
    c.fma(scale, part, less)
}

pub fn exp2(c: &mut Calc<'_>, args: &[Value]) -> Value {
    power_of_two(c, args[0])
}

pub fn exp(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let t = c.mul_n(args[0], LOG2_E);
    power_of_two(c, t)
}

pub fn expm1(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let t = c.mul_n(args[0], LOG2_E);
    let t = c.clamp(t, MOST);
    let value = power_less_one(c, t);
    c.with_sign_of(value, args[0])
}

/// `(p + p / (p + 1)) / 2` for `p = e^|x| - 1`.
pub fn sinh(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let size = c.abs(args[0]);
    let t = c.mul_n(size, LOG2_E);
    let t = c.clamp(t, MOST);
    let p = power_less_one(c, t);
    let more = c.add_n(p, 1.0);
    let quotient = c.div(p, more);
    let sum = c.add(p, quotient);
    let value = c.mul_n(sum, 0.5);
    c.with_sign_of(value, args[0])
}

pub fn cosh(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let t = c.mul_n(args[0], LOG2_E);
    let power = power_of_two(c, t);
    let one = c.n(1.0);
    let other = c.div(one, power);
    let sum = c.add(power, other);
    c.mul_n(sum, 0.5)
}

/// `p / (p + 2)` for `p = e^2x - 1`.
pub fn tanh(c: &mut Calc<'_>, args: &[Value]) -> Value {
    // From 2^64 on nothing but 1 is left.
    const END: f64 = 64.0;
    let t = c.mul_n(args[0], 2.0 * LOG2_E);
    let t = c.clamp(t, END);
    let p = power_less_one(c, t);
    let more = c.add_n(p, 2.0);
    let value = c.div(p, more);
    c.with_sign_of(value, args[0])
}
