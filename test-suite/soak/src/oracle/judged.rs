//! The oracle of the independent judge: all results of a program, including each gradient, forward
//! derivative and second derivative, must equal those of [`crate::judge`] for the program as
//! written.
//!
//! The other oracles compare the compiler with itself, or with finite differences, which have eight
//! digits and do not apply where derivatives end on purpose. Only this oracle finds an error that
//! both modes share, or one as small as a wrong last digit of a constant.

use super::points::Point;
use super::run::{Numbers, TABLE, interp};
use super::{Outcome, Run, Seen};
use crate::judge::{Judge, Judged, Real, SAFETY, Unjudged, Value};
use crate::tree::print::{Layout, Style, print};
use caustic_ir::attr::round_to;
use caustic_ir::{FloatKind, Module};
use caustic_passes::pipelines;

/// The precision to which a program's numbers are compared.
pub struct Precision {
    /// The type of the numbers that the program reads and writes.
    kind: FloatKind,
    /// The judge's bound only counts the rounding errors of the judge's operations. The compiler's
    /// formula for a partial derivative that is exact there (1, of 9 / 9) may round by a few units
    /// of the result. Cancellation in sums of such terms is part of the judge's bound.
    units: f64,
    /// A bound that is larger than this, relative to the number, is useless.
    useful: f64,
}

/// In `double`, a number with a bound of a millionth is the difference of numbers that are a
/// billion times as large: the point is too close to a kink.
pub const WIDE: Precision = Precision { kind: FloatKind::F64, units: 16.0 * f64::EPSILON, useful: 1e-6 };
/// `float` and `half` only have three reliable digits, and fewer in sums of several terms.
pub const NARROW: Precision = Precision { kind: FloatKind::F32, units: 16.0 * f32::EPSILON as f64, useful: 0.1 };

impl Precision {
    /// The tolerance around the judge's number; `None` if it would be useless.
    pub fn bound(&self, Real { value, error }: Real) -> Option<f64> {
        let bound = SAFETY * error + self.units * value.abs();
        (bound <= self.useful * value.abs().max(1.0)).then_some(bound)
    }

    /// Whether a number equals the judge's, if that can be decided.
    pub fn agrees(&self, got: f64, judged: Real) -> Option<bool> {
        self.bound(judged).map(|bound| (got - judged.value).abs() <= bound)
    }
}

/// The judge's results at a point: each number of a thread's result.
fn results(module: &Module, point: &Point, layout: &Layout, kind: FloatKind) -> Judged<Vec<Real>> {
    let reals = |v: &[f64]| v.iter().map(|&v| Value::real(round_to(v, kind))).collect::<Vec<_>>();
    let mut judge = Judge::new(module, 0);
    judge.bind("table", reals(&TABLE))?;
    judge.bind("data", reals(&point.data))?;
    judge.bind("ints", point.ints.iter().map(|&v| Value::Int(i64::from(v))).collect())?;
    judge.bind("result", vec![Value::real(0.0); layout.result_stride()])?;
    judge.run("gradMain")?;
    judge.contents("result").iter().map(|v| Ok(v.num()?.base())).collect()
}

/// Compares the program's results at the points with the judge's results for its code as the front
/// end leaves it.
fn compare(run: &Run<'_>, hl: &Module, numbers: &Numbers, precision: &Precision, seen: &mut Seen) -> Outcome {
    for i in run.good()? {
        let judged = match results(hl, &run.points[i], &run.layout, precision.kind) {
            Ok(judged) => judged,
            Err(Unjudged::Singular(_)) => {
                seen.singular += 1;
                continue;
            }
            Err(Unjudged::Unknown(what)) => return Err(format!("the judge does not know: {what}\n{}", run.point(i))),
        };
        for (k, (&got, &judged)) in numbers[i].iter().zip(&judged).enumerate() {
            let Some(agrees) = precision.agrees(got, judged) else { continue };
            seen.judged += 1;
            if !agrees {
                let (name, Real { value, .. }) = (part_of(k, &run.layout), judged);
                return Err(format!(
                    "{name} in {:?}: {got}, the judge says {value} (±{:.1e})\n{}",
                    precision.kind,
                    precision.bound(judged).unwrap_or_default(),
                    run.point(i)
                ));
            }
        }
    }
    Ok(())
}

/// The name of number `k` in a thread's result.
fn part_of(k: usize, layout: &Layout) -> String {
    let (no, ni) = (layout.outputs, layout.reals);
    let parts = [
        ("value", no),
        ("value beside the derivative", no),
        ("forward derivative", no),
        ("gradient", ni),
        ("forward over reverse", ni),
        ("reverse over forward", ni),
        ("forward over forward", 1),
    ];
    let mut at = k;
    for (name, count) in parts {
        if at < count {
            return format!("{name}, component {at}");
        }
        at -= count;
    }
    format!("number {k}")
}

pub fn judged(run: &Run<'_>, seen: &mut Seen) -> Outcome {
    compare(run, &run.hl, run.gradient()?, &WIDE, seen)?;
    // The other half of the programs is compared on all back ends.
    if !run.case.seed.is_multiple_of(2) || run.spoiled {
        return Ok(());
    }
    let hl = super::compile(&print(&run.case.program, &Style { narrow: true, ..Style::default() }))?;
    let mut module = hl.clone();
    for pipeline in [pipelines::NORMALIZE, pipelines::DIFFERENTIATE] {
        super::apply_all(&mut module, pipeline)?;
    }
    let numbers = interp(&module, "gradMain")?.run(&super::points::batch(&run.points), &run.layout, true)?;
    compare(run, &hl, &numbers, &NARROW, seen)
}
