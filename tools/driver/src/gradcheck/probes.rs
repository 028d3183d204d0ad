//! Points close beside what a function compares with: code may be wrong in a narrow window there,
//! where few other points lie. They are looked at after all others, and decide nothing unless a
//! derivative is wrong at one.

use super::constants::Constants;
use super::values::Random;

/// How far beside a place points are, in parts of its size, as they are taken in turn.
const WINDOWS: [f64; 5] = [0.03, 0.1, 0.01, 0.3, 0.001];
/// What these are multiplied by.
const SPREAD: (f64, f64) = (0.8, 1.25);
/// Points for each sample of the function at most.
const EACH: usize = 3;
/// Operations of one call.
pub const STEPS: u64 = 1 << 16;
/// Points that are looked at together.
pub const TOGETHER: usize = 8;
/// Of those that trap, as many end the search.
pub const TRAPS: usize = 3;
/// What tells their numbers from those of samples.
const FIRST: usize = 1 << 32;

/// Where floats are to be: on both sides of each place, and in the middle between neighbours.
pub fn points(constants: &Constants, range: Option<(f64, f64)>, seed: u64, samples: u32) -> Vec<f64> {
    let mut sorted = constants.places.clone();
    sorted.sort_by(f64::total_cmp);
    let mut r = Random::of(&[seed, FIRST as u64]);
    let mut beside = |window: f64| -> Vec<f64> {
        let sides = constants.places.iter().flat_map(|&place| [(place, -1.0), (place, 1.0)]);
        let size = |place: f64| if place == 0.0 { 1.0 } else { place.abs() };
        let point = |(place, sign): (f64, f64)| place + sign * size(place) * window * r.float(SPREAD.0, SPREAD.1);
        sides.map(point).collect()
    };
    let mut points = beside(WINDOWS[0]);
    points.extend(sorted.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 2.0));
    points.extend(WINDOWS[1..].iter().flat_map(|&window| beside(window)));
    points.retain(|point| range.is_none_or(|(low, high)| low <= *point && *point <= high));
    points.truncate(EACH * samples as usize);
    points
}

/// One point that is looked at.
#[derive(Clone, Copy, Debug)]
pub enum Probe {
    /// Floats are at one of the points, the one of this number first.
    Beside(usize),
    /// Integers are this one.
    Integer(i64),
    /// Integers are of these bits.
    Bits(u64),
    /// Floats are so far apart.
    Together(f64),
}

/// How many probes there are of each kind at most, beside points.
const INTEGERS: usize = 16;
const SUBSETS: u64 = 8;
const PAIRS: usize = 6;

/// The probes, in lists: points that trap end only their own.
pub fn lists(constants: &Constants, points: usize) -> [Vec<Probe>; 4] {
    let beside = |by: i64| constants.far.iter().map(move |n| Probe::Integer(n + by));
    let integers = beside(0).chain(beside(1)).chain(beside(-1)).take(INTEGERS);
    let subsets = 1u64.checked_shl(constants.bits.len() as u32).unwrap_or(u64::MAX);
    let mut r = Random::of(&[subsets]);
    let chosen = |k: u64| if subsets <= SUBSETS { k } else { r.next() >> 32 };
    let subsets = if constants.bits.is_empty() { 0 } else { subsets.min(SUBSETS) };
    let bits = (0..subsets).map(chosen).map(Probe::Bits);
    let pairs = constants.gaps.iter().flat_map(|&gap| [Probe::Together(gap); PAIRS]);
    [(0..points).map(Probe::Beside).collect(), integers.collect(), bits.collect(), pairs.collect()]
}

/// The number of one of them among samples.
pub fn number(probe: usize) -> usize {
    FIRST + probe
}
