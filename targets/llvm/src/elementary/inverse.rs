//! Angles of sines, cosines and tangents.

use super::calc::Calc;
use crate::ir::{FloatCc, Value};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// `(atan t - t) / t³` by t² for t up to tan(π/8), within 2^-40 of the angle.
const ATAN: [f64; 7] = [
    -0.333333332956425,
    0.1999999431616489,
    -0.14285423216652282,
    0.11103996522214778,
    -0.0899677317625726,
    0.06990918644906749,
    -0.03791911760974498,
];
/// `(asin s - s) / s³` by s² for s up to a half, within 2^-39 of the angle.
const ASIN: [f64; 8] = [
    0.16666666626721524,
    0.07500005042347845,
    0.04464068761113605,
    0.03042684439058481,
    0.021862985413993244,
    0.020659154808296217,
    0.001948150344021444,
    0.03294207577035031,
];
/// tan(π/8) and tan(3π/8).
const LOW: f64 = 0.41421356237309503;
const HIGH: f64 = 2.414213562373095;

/// `t + t³ p(t²)` for `z = t²`.
fn odd(c: &mut Calc<'_>, t: Value, z: Value, coefficients: &[f64]) -> Value {
    let sum = c.poly(z, coefficients);
    let one = c.n(1.0);
    let sum = c.fma(z, sum, one);
    c.mul(t, sum)
}

fn angle(c: &mut Calc<'_>, above: Value, below: Value, base: Value) -> Value {
    let t = c.div(above, below);
    let z = c.mul(t, t);
    let rest = odd(c, t, z, &ATAN);
    c.add(base, rest)
}

/// Turned by a quarter or an eighth of a circle the angle is small.
pub fn atan(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let size = c.abs(args[0]);
    let (large, middle) = (c.above_n(size, HIGH), c.above_n(size, LOW));
    let (less, more) = (c.add_n(size, -1.0), c.add_n(size, 1.0));
    let [zero, one, minus, eighth, quarter] = [0.0, 1.0, -1.0, FRAC_PI_4, FRAC_PI_2].map(|v| c.n(v));
    let choose = |c: &mut Calc<'_>, x: Value, y: Value, z: Value| {
        let other = c.select(middle, y, z);
        c.select(large, x, other)
    };
    let (above, below) = (choose(c, minus, less, size), choose(c, size, more, one));
    let base = choose(c, quarter, eighth, zero);
    let value = angle(c, above, below, base);
    c.with_sign_of(value, args[0])
}

pub fn atan2(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let (y, x) = (args[0], args[1]);
    let (up, along) = (c.abs(y), c.abs(x));
    let steep = c.less(along, up);
    let (large, small) = (c.select(steep, up, along), c.select(steep, along, up));
    let bound = c.mul_n(large, LOW);
    let middle = c.less(bound, small);
    let (less, more) = (c.sub(small, large), c.add(small, large));
    let [zero, one, eighth, quarter, half] = [0.0, 1.0, FRAC_PI_4, FRAC_PI_2, PI].map(|v| c.n(v));
    let (above, below) = (c.select(middle, less, small), c.select(middle, more, large));
    let base = c.select(middle, eighth, zero);
    // Of two infinities the angle is that of equal numbers, of two zeros that of x = 1.
    let endless = c.equal_n(small, f64::INFINITY);
    let nowhere = c.equal_n(large, 0.0);
    let flat = c.either(endless, nowhere);
    let (above, below) = (c.select(flat, zero, above), c.select(flat, one, below));
    let base = c.select(endless, eighth, base);
    let value = angle(c, above, below, base);
    let turned = c.sub(quarter, value);
    let value = c.select(steep, turned, value);
    // The sign of zero counts.
    let side = c.with_sign_of(one, x);
    let behind = c.less_n(side, 0.0);
    let turned = c.sub(half, value);
    let value = c.select(behind, turned, value);
    let value = c.with_sign_of(value, y);
    let nan = c.add(x, y);
    let unknown = c.ir.fcmp(FloatCc::LLVMRealUNO, x, y);
    c.select(unknown, nan, value)
}

/// The angle whose sine is |x|, or √((1 - |x|) / 2) beyond a half; and whether it is that.
fn half_angle(c: &mut Calc<'_>, x: Value) -> (Value, Value) {
    let size = c.abs(x);
    let beyond = c.above_n(size, 0.5);
    let (one, square) = (c.n(1.0), c.mul(size, size));
    let rest = c.sub(one, size);
    let rest = c.mul_n(rest, 0.5);
    let z = c.select(beyond, rest, square);
    let root = c.sqrt(z);
    let s = c.select(beyond, root, size);
    (odd(c, s, z, &ASIN), beyond)
}

pub fn asin(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let (angle, beyond) = half_angle(c, args[0]);
    let (double, quarter) = (c.add(angle, angle), c.n(FRAC_PI_2));
    let other = c.sub(quarter, double);
    let value = c.select(beyond, other, angle);
    c.with_sign_of(value, args[0])
}

pub fn acos(c: &mut Calc<'_>, args: &[Value]) -> Value {
    let (angle, beyond) = half_angle(c, args[0]);
    let (double, quarter, half) = (c.add(angle, angle), c.n(FRAC_PI_2), c.n(PI));
    let (negative, other) = (c.less_n(args[0], 0.0), c.sub(half, double));
    let large = c.select(negative, other, double);
    let signed = c.with_sign_of(angle, args[0]);
    let small = c.sub(quarter, signed);
    c.select(beyond, large, small)
}
