//! Rewriting above class exact: the cheapest way to compute that the rows of a class know gives
//! the same numbers, up to rounding.

use super::points;
use super::run::{apply, interp, pipeline};
use super::{Outcome, Run, Seen};
use caustic_test_suite::random::Rng;

/// The classes whose rows may change a result, each with the costs of the machines that use it.
const WAYS: [&str; 6] = [
    "class=fast costs=interp",
    "class=fast costs=simd fuse=false",
    "class=fast costs=gpu-fast fuse=false",
    "class=fast costs=cpu",
    "class=reassociate costs=cpu",
    "class=contract costs=cpu",
];

/// Rows are right within a few ulp (2^-52) of what is added. Sums that cancel enlarge that, and a
/// derivative of such a sum does so again: eight digits are left of sixteen.
const NEARLY: f64 = 1e-8;

/// How often a program is asked whether it decides by rounding.
const ASKED: usize = 64;
/// The bits at the end of its inputs that change then, at most: far less than [`NEARLY`].
const MOVED: usize = 16;

/// One way for each program, by its seed.
pub fn rewritten(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let way = WAYS[Rng::new(run.case.seed ^ 0x5eed).below(WAYS.len())];
    let mut module = run.lowered()?.clone();
    apply(&mut module, &pipeline(&format!("any(egraph{{{way}}},canonicalize,cse,dce)"))?)?;
    let got = interp(&module, "gradMain")?.run(&points::batch(&run.points), &run.layout, false)?;
    match run.compare(way, &got, run.gradient()?, NEARLY) {
        Err(_) if decides_by_rounding(run)? => Ok(()),
        outcome => outcome,
    }
}

/// Whether the last digits of inputs change results as a whole: a sum that cancels to nothing but
/// its rounding error is then compared with something. No order of operations is the right one.
fn decides_by_rounding(run: &Run<'_>) -> Result<bool, String> {
    let mut rng = Rng::new(run.case.seed ^ 0xd161);
    let lowered = interp(run.lowered()?, "gradMain")?;
    for _ in 0..ASKED {
        let mut batch = points::batch(&run.points);
        for value in &mut batch.data {
            let most = 1 << rng.below(MOVED);
            let units = rng.below(2 * most + 1) as f64 - most as f64;
            *value *= 1.0 + units * f64::EPSILON;
        }
        let moved = lowered.run(&batch, &run.layout, false)?;
        if run.compare("the last digits moved", &moved, run.gradient()?, NEARLY).is_err() {
            return Ok(true);
        }
    }
    Ok(false)
}
