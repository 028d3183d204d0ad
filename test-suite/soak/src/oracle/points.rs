//! Points and directions for the kernels, and what the numbers at them say: the dot-product
//! identity, differences, symmetry.

use super::run::Batch;
use crate::tree::print::Layout;
use caustic_test_suite::random::Rng;

/// Steps of differences, in f64. Small, so that a jump is rarely between two of them and one-sided
/// differences tell it if it is.
pub const STEP: f64 = 2e-5;
/// Multiples of the step at which a difference needs values.
pub const OFFSETS: [f64; 5] = [0.0, 1.0, -1.0, 0.5, -0.5];

/// Both modes compute the same sums in another order.
pub const DOT_TOLERANCE: f64 = 1e-8;
/// Differences of such steps have eight digits of a smooth function; no wrong rule is that close to
/// right.
pub const DIFFERENCE_TOLERANCE: f64 = 2e-5;
/// Beyond this neither differences nor sums in another order are exact enough to say anything.
pub const STEEP: f64 = 1e5;

/// A point, two directions and weights, as one thread's data.
#[derive(Clone, Debug)]
pub struct Point {
    pub data: Vec<f64>,
    pub ints: Vec<i32>,
}

/// Points that depend on the seed and the layout only.
pub fn points(layout: &Layout, count: usize, seed: u64) -> Vec<Point> {
    let mut rng = Rng::new(seed ^ 0x5eed_0f90_1175);
    let one = |_| {
        let x = (0..layout.reals).map(|_| rng.float(-1.5, 1.5)).collect::<Vec<_>>();
        let rest = (0..2 * layout.reals + layout.outputs).map(|_| rng.float(-1.0, 1.0)).collect::<Vec<_>>();
        let ints = (0..layout.ints).map(|_| rng.below(8) as i32).collect();
        Point { data: [x, rest].concat(), ints }
    };
    (0..count).map(one).collect()
}

/// Each point moved along one of its directions by each of the offsets.
pub fn moved(points: &[Point], layout: &Layout, direction: usize) -> Batch {
    let active = layout.active();
    let mut batch = Batch::default();
    for p in points {
        for offset in OFFSETS {
            let mut data = p.data.clone();
            for (i, _) in active.iter().enumerate().filter(|(_, a)| **a) {
                data[i] += offset * STEP * p.data[(direction + 1) * layout.reals + i];
            }
            batch.data.extend(data);
            batch.ints.extend(&p.ints);
            batch.threads += 1;
        }
    }
    batch
}

pub fn batch(points: &[Point]) -> Batch {
    let mut batch = Batch::default();
    for p in points {
        batch.data.extend(&p.data);
        batch.ints.extend(&p.ints);
        batch.threads += 1;
    }
    batch
}

/// The derivative from values at the offsets; `None` at a kink, a jump, or where there is none.
pub fn difference(values: [f64; 5]) -> Option<f64> {
    let [center, p1, m1, p2, m2] = values;
    let d1 = (p1 - m1) / (2.0 * STEP);
    let d2 = (p2 - m2) / STEP;
    // In a smooth function the sides differ by f'' · step, so halving the step halves the
    // difference; at a kink or jump it stays.
    let side1 = (p1 - 2.0 * center + m1) / STEP;
    let side2 = (p2 - 2.0 * center + m2) / (STEP / 2.0);
    let scale = 1.0 + d1.abs() + d2.abs();
    let kinked = (side1 - 2.0 * side2).abs() > 1e-4 * scale || (d1 - d2).abs() > 1e-4 * scale;
    let value = (4.0 * d2 - d1) / 3.0;
    (value.is_finite() && !kinked).then_some(value)
}

/// Whether two numbers are the same up to rounding of this relative size; two NaNs are.
pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * 1f64.max(a.abs()).max(b.abs())
}

/// The inner product, and the size of its terms.
pub fn dot(a: &[f64], b: &[f64], active: &[bool]) -> (f64, f64) {
    let terms = a.iter().zip(b).zip(active).filter(|(_, on)| **on).map(|((x, y), _)| x * y);
    terms.fold((0.0, 0.0), |(sum, size), t: f64| (sum + t, size + t.abs()))
}

/// A result taken apart.
pub struct Parts<'a> {
    pub value: &'a [f64],
    pub forward_value: &'a [f64],
    pub along: &'a [f64],
    pub gradient: &'a [f64],
    /// The second derivative times the second direction, by forward over reverse mode.
    pub second_u: &'a [f64],
    /// The same times the first direction, by reverse over forward mode.
    pub second_v: &'a [f64],
    /// Between both, by forward over forward mode.
    pub second: f64,
}

impl<'a> Parts<'a> {
    pub fn of(numbers: &'a [f64], layout: &Layout) -> Parts<'a> {
        let (no, ni) = (layout.outputs, layout.reals);
        let (value, rest) = numbers.split_at(no);
        let (forward_value, rest) = rest.split_at(no);
        let (along, rest) = rest.split_at(no);
        let (gradient, rest) = rest.split_at(ni);
        let (second_u, rest) = rest.split_at(ni);
        let (second_v, rest) = rest.split_at(ni);
        Parts {
            value,
            forward_value,
            along,
            gradient,
            second_u,
            second_v,
            second: rest.first().copied().unwrap_or(0.0),
        }
    }
}
