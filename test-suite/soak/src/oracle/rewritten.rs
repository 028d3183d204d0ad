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

/// One way for each program, by its seed.
pub fn rewritten(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let way = WAYS[Rng::new(run.case.seed ^ 0x5eed).below(WAYS.len())];
    let mut module = run.lowered()?.clone();
    apply(&mut module, &pipeline(&format!("any(egraph{{{way}}},canonicalize,cse,dce)"))?)?;
    let got = interp(&module, "gradMain")?.run(&points::batch(&run.points), &run.layout, false)?;
    run.compare(way, &got, run.gradient()?, NEARLY)
}
