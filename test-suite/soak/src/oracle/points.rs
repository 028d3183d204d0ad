//! Points and directions for the kernels, and checks of the numbers at them: the dot-product
//! identity, finite differences, symmetry.

use super::run::Batch;
use crate::tree::print::Layout;
use caustic_test_suite::random::Rng;

/// The step of finite differences, in f64. It is small, so that two samples rarely have a jump
/// between them; one-sided differences detect those that do.
pub const STEP: f64 = 2e-5;
/// The multiples of the step at which a difference needs values.
pub const OFFSETS: [f64; 5] = [0.0, 1.0, -1.0, 0.5, -0.5];

/// The tolerance between both modes, which compute the same sums in different orders.
pub const DOT_TOLERANCE: f64 = 1e-8;
/// The tolerance of finite differences with this step, which have eight digits for a smooth
/// function. A wrong rule is not that close to the right one.
pub const DIFFERENCE_TOLERANCE: f64 = 2e-5;
/// The largest derivative at which differences and reordered sums are exact enough to be compared.
pub const STEEP: f64 = 1e5;

/// A point, two directions and weights, as the data of one thread.
#[derive(Clone, Debug)]
pub struct Point {
    pub data: Vec<f64>,
    pub ints: Vec<i32>,
}

/// Random points that depend on the seed and the layout only.
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

/// Each point moved along one of its directions, by each of the offsets.
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

/// The derivative from the values at the offsets; `None` at a kink or a jump, or if there is none.
pub fn difference(values: [f64; 5]) -> Option<f64> {
    let [center, p1, m1, p2, m2] = values;
    let d1 = (p1 - m1) / (2.0 * STEP);
    let d2 = (p2 - m2) / STEP;
    // In a smooth function the one-sided differences differ by f'' · step, so halving the step
    // halves the difference; at a kink or a jump it does not.
    let side1 = (p1 - 2.0 * center + m1) / STEP;
    let side2 = (p2 - 2.0 * center + m2) / (STEP / 2.0);
    let scale = 1.0 + d1.abs() + d2.abs();
    let kinked = (side1 - 2.0 * side2).abs() > 1e-4 * scale || (d1 - d2).abs() > 1e-4 * scale;
    let value = (4.0 * d2 - d1) / 3.0;
    (value.is_finite() && !kinked).then_some(value)
}

/// Whether two numbers are equal up to a relative rounding error of this size. All NaNs are equal.
pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * 1f64.max(a.abs()).max(b.abs())
}

/// The inner product, and the sum of the magnitudes of its terms.
pub fn dot(a: &[f64], b: &[f64], active: &[bool]) -> (f64, f64) {
    let terms = a.iter().zip(b).zip(active).filter(|(_, on)| **on).map(|((x, y), _)| x * y);
    terms.fold((0.0, 0.0), |(sum, size), t: f64| (sum + t, size + t.abs()))
}

/// The parts of a result.
pub struct Parts<'a> {
    pub value: &'a [f64],
    pub forward_value: &'a [f64],
    pub along: &'a [f64],
    pub gradient: &'a [f64],
    /// The product of the second derivative and the second direction, by forward over reverse mode.
    pub second_u: &'a [f64],
    /// The product of the second derivative and the first direction, by reverse over forward mode.
    pub second_v: &'a [f64],
    /// The second derivative in both directions, by forward over forward mode.
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
