//! What a wrong derivative at a point beyond the usual ones is worth.
//!
//! Code that is wrong beyond a threshold is wrong at once there. A series that was cut off and is
//! given the derivative of its limit, sums that cancel, and waves that differences cannot follow
//! are off by more and more with larger arguments: of these nothing is said. So the points between
//! a right one and the wrong one decide.

use super::drawing::{Drawn, Source};

/// How wrong a derivative is beyond a threshold, and before it, in parts of what it may be off.
const BEHIND: f64 = 30.0;
const BEFORE: f64 = 0.03;
/// How many times as wrong it is behind a threshold that lies between large values.
const JUMP: f64 = 1e4;
/// Where both are looked for, in parts of how far the threshold is.
const BESIDE: [f64; 3] = [0.01, 0.02, 0.03];
/// How close the threshold is searched for, in parts of how far it is.
const CLOSE: f64 = 1e-4;
/// How close is close enough, where there are kinks at which nothing is judged.
const ENOUGH: f64 = 0.02;
/// Points that are tried as the right one.
const TRIED: u64 = 4;
/// Where in what is left the next point is looked for.
const PARTS: [f64; 5] = [0.5, 0.37, 0.63, 0.2, 0.8];

/// Whether derivatives are wrong from a place on, on the way from a plain point to one at which
/// they are wrong. `badness` tells how wrong they are, up to one if they are right.
pub fn begins_at_once(source: &Source<'_>, wrong: &Drawn, badness: &dyn Fn(&Drawn) -> Option<f64>) -> bool {
    let plain = (0..TRIED).map(|number| source.plain(wrong, number));
    let Some((plain, found)) = plain.filter_map(|plain| badness(&plain).map(|found| (plain, found))).next() else {
        return true;
    };
    if found > 1.0 {
        return true;
    }
    if !badness(wrong).is_some_and(|found| found > 1.0) {
        return false;
    }
    let on_way = |at: f64| badness(&plain.toward(wrong, at));
    let (mut right, mut left) = (0.0, 1.0);
    while left - right > CLOSE * left {
        let mut next = PARTS.iter().map(|part| right + part * (left - right));
        match next.find_map(|at| on_way(at).map(|found| (at, found))) {
            Some((at, found)) if found > 1.0 => left = at,
            Some((at, _)) => right = at,
            None => break,
        }
    }
    let on_way = &on_way;
    // What is wrong in a narrow window only is so up to the wrong point.
    let beside =
        |from: f64, sign: f64| BESIDE.iter().filter_map(move |part| on_way((from + sign * part * left).min(1.0)));
    let (before, behind) = (beside(right, -1.0).reduce(f64::max), beside(left, 1.0).reduce(f64::max));
    // What is rounded is off a little before it, too.
    let jumps = |(before, behind): (f64, f64)| behind > BEHIND && (before < BEFORE || before * JUMP < behind);
    left - right <= ENOUGH * left && before.zip(behind).is_some_and(jumps)
}
