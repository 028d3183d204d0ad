//! Logarithms, what is made of them, powers, and the cube root.
//!
//! `u = 2^e m` with m between √½ and √2; `log m` is `2 artanh s` for `s = (m - 1) / (m + 1)`, an
//! odd series.

use super::calc::{Calc, FRACTION, ONE};
use super::exponential::power_of_two;
use crate::ir::Value;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E, LOG10_2, LOG10_E};

/// `(2 artanh s - 2 s) / s³` by s², within 2^-37 of the logarithm's size.
const SERIES: [f64; 4] = [0.6666666564502638, 0.40000335295985173, 0.2853730140615201, 0.23582294902119583];
/// The same within 2^-52, for powers.
const LONG_SERIES: [f64; 6] = [
    0.6666666666658716,
    0.40000000052302886,
    0.28571417124687054,
    0.22223368072187527,
    0.18123629517561798,
    0.1681998521075351,
];

/// e and m.
fn parts(c: &mut Calc<'_>, u: Value) -> (Value, Value) {
    let bits = c.bits(u);
    let shift = c.i(ONE - FRAC_1_SQRT_2.to_bits() as i64);
    let moved = c.plus(bits, shift);
    let number = c.right(moved, 52);
    let e = c.float_of(number);
    let e = c.add_n(e, -1023.0);
    let exponent = c.and(moved, !FRACTION);
    let fraction = c.minus(bits, exponent);
    let one = c.i(ONE);
    let m = c.plus(fraction, one);
    (e, c.of_bits(m))
}

/// `log(1 + f)`.
fn series(c: &mut Calc<'_>, f: Value, coefficients: &[f64]) -> Value {
    let below = c.add_n(f, 2.0);
    let s = c.div(f, below);
    let z = c.mul(s, s);
    let sum = c.poly(z, coefficients);
    let two = c.n(2.0);
    let sum = c.fma(z, sum, two);
    c.mul(s, sum)
}

/// The logarithm of what is not positive, infinite or NaN.
fn special(c: &mut Calc<'_>, value: Value, u: Value) -> Value {
    let [least, nan, most] = [f64::NEG_INFINITY, f64::NAN, f64::INFINITY].map(|v| c.n(v));
    let (zero, positive) = (c.equal_n(u, 0.0), c.above_n(u, 0.0));
    let other = c.select(zero, least, nan);
    let value = c.select(positive, value, other);
    let endless = c.equal(u, most);
    c.select(endless, most, value)
}

fn scaled(c: &mut Calc<'_>, u: Value, of_e: f64, of_m: f64) -> Value {
    let (e, m) = parts(c, u);
    let f = c.add_n(m, -1.0);
    let part = series(c, f, &SERIES);
    let (part, of_e) = (if of_m == 1.0 { part } else { c.mul_n(part, of_m) }, c.n(of_e));
    let value = c.fma(e, of_e, part);
    special(c, value, u)
}

pub fn log(c: &mut Calc<'_>, args: &[Value]) -> Value {
    scaled(c, args[0], LN_2, 1.0)
}
pub fn log2(c: &mut Calc<'_>, args: &[Value]) -> Value {
    scaled(c, args[0], 1.0, LOG2_E)
}
pub fn log10(c: &mut Calc<'_>, args: &[Value]) -> Value {
    scaled(c, args[0], LOG10_2, LOG10_E)
}

/// `x` may be any f64. Near zero it is what is to be added to 1, not rounded.
fn log_of_one_more(c: &mut Calc<'_>, x: Value) -> Value {
    let u = c.add_n(x, 1.0);
    let (e, m) = parts(c, u);
    let near = c.equal_n(e, 0.0);
    let f = c.add_n(m, -1.0);
    let f = c.select(near, x, f);
    let part = series(c, f, &SERIES);
    let of_e = c.n(LN_2);
    let value = c.fma(e, of_e, part);
    special(c, value, u)
}

pub fn log1p(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let value = log_of_one_more(c, args[0]);
    c.with_sign_of(value, args[0])
}

/// `log(1 + |x| + x² / (1 + √(1 + x²)))`.
pub fn asinh(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let size = c.abs(args[0]);
    let square = c.mul(size, size);
    let root = c.add_n(square, 1.0);
    let root = c.sqrt(root);
    let root = c.add_n(root, 1.0);
    let more = c.div(square, root);
    let sum = c.add(size, more);
    let value = log_of_one_more(c, sum);
    let finite = c.less_n(size, f64::INFINITY);
    let value = c.select(finite, value, size);
    c.with_sign_of(value, args[0])
}

/// `log(1 + t + √(t (t + 2)))` for `t = x - 1`.
pub fn acosh(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let t = c.add_n(args[0], -1.0);
    let more = c.add_n(t, 2.0);
    let square = c.mul(t, more);
    let root = c.sqrt(square);
    let sum = c.add(t, root);
    let value = log_of_one_more(c, sum);
    let (below, nan) = (c.less_n(t, 0.0), c.n(f64::NAN));
    c.select(below, nan, value)
}

/// `log(1 + 2 |x| / (1 - |x|)) / 2`.
pub fn atanh(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let size = c.abs(args[0]);
    let (double, one) = (c.add(size, size), c.n(1.0));
    let rest = c.sub(one, size);
    let quotient = c.div(double, rest);
    let value = log_of_one_more(c, quotient);
    let value = c.mul_n(value, 0.5);
    c.with_sign_of(value, args[0])
}

/// `2^(y log2 |x|)`, and what C says about signs and the ends.
pub fn pow(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let (x, y) = (args[0], args[1]);
    let size = c.abs(x);
    let (e, m) = parts(c, size);
    let f = c.add_n(m, -1.0);
    let part = series(c, f, &LONG_SERIES);
    let of_m = c.n(LOG2_E);
    let log = c.fma(part, of_m, e);
    let (zero, least) = (c.equal_n(size, 0.0), c.n(f64::NEG_INFINITY));
    let log = c.select(zero, least, log);
    let finite = c.less_n(size, f64::INFINITY);
    let log = c.select(finite, log, size);
    let t = c.mul(y, log);
    // 1 to any power is 1, and so is -1 to an infinite one.
    let endless = c.abs(y);
    let endless = c.equal_n(endless, f64::INFINITY);
    let unit = c.equal_n(size, 1.0);
    let flat = c.both(unit, endless);
    let nothing = c.n(0.0);
    let t = c.select(flat, nothing, t);
    let value = power_of_two(c, t);

    let nearest = c.nearest(y);
    let whole = c.equal(y, nearest);
    let half = c.mul_n(y, 0.5);
    let nearest = c.nearest(half);
    let even = c.equal(half, nearest);
    let signed = c.with_sign_of(value, x);
    let value_even = c.select(even, value, signed);
    let (negative, bounded) = (c.less_n(x, 0.0), c.above_n(x, f64::NEG_INFINITY));
    let negative = c.both(negative, bounded);
    let nan = c.n(f64::NAN);
    let broken = c.select(negative, nan, value);
    let value = c.select(whole, value_even, broken);
    let (base, exponent) = (c.equal_n(x, 1.0), c.equal_n(y, 0.0));
    let trivial = c.either(base, exponent);
    let one = c.n(1.0);
    c.select(trivial, one, value)
}

/// A third of the exponent, and two of Halley's steps.
pub fn cbrt(c: &mut Calc<'_>, args: &[Value]) -> Value {
    /// What a third of an exponent's excess lacks, in units of 2^32, less a bit so that the error
    /// is as large on both sides.
    const EXCESS: f64 = 715_094_163.0;
    let size = c.abs(args[0]);
    let bits = c.bits(size);
    let high = c.right(bits, 32);
    let high = c.float_of(high);
    let third = c.mul_n(high, 1.0 / 3.0);
    let third = c.add_n(third, EXCESS);
    let split = c.split(third);
    let start = c.left(split.bits, 32);
    let mut root = c.of_bits(start);
    for _ in 0..2 {
        let square = c.mul(root, root);
        let cube = c.mul(square, root);
        let two = c.n(2.0);
        let above = c.fma(size, two, cube);
        let below = c.fma(cube, two, size);
        let quotient = c.div(above, below);
        root = c.mul(root, quotient);
    }
    let value = c.with_sign_of(root, args[0]);
    let (some, finite) = (c.above_n(size, 0.0), c.less_n(size, f64::INFINITY));
    let usual = c.both(some, finite);
    c.select(usual, value, args[0])
}
