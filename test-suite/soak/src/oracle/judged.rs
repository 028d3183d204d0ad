//! The oracle of the independent judge: whatever a program computes, each gradient, forward
//! derivative and second derivative among it, is what [`crate::judge`] gives for the program as
//! written.
//!
//! The other oracles compare the compiler with itself, or with differences, which know eight digits
//! and nothing where derivatives end on purpose. An error that both modes share, or one as small as
//! a wrong last digit of a constant, is told only here.

use super::points::Point;
use super::run::{Numbers, TABLE, interp};
use super::{Outcome, Run, Seen};
use crate::judge::{Judge, Judged, Real, SAFETY, Unjudged, Value};
use crate::tree::print::{Layout, Style, print};
use caustic_ir::attr::round_to;
use caustic_ir::{FloatKind, Module};
use caustic_passes::pipelines;

/// What a program's numbers are held to.
pub struct Precision {
    /// The type in which it reads and writes.
    kind: FloatKind,
    /// The judge's bound counts the rounding errors of the judge's operations. A partial derivative
    /// that is exact there (1, of 9 / 9) the compiler's formula may round: a few units of the
    /// result. What is lost in sums of such terms the judge counts itself.
    units: f64,
    /// A bound that is larger, relative to the number, says nothing about what is wrong.
    useful: f64,
}

/// In `double` a number whose bound is a millionth is the difference of numbers a billion times as
/// large: a point too near to a corner.
pub const WIDE: Precision = Precision { kind: FloatKind::F64, units: 16.0 * f64::EPSILON, useful: 1e-6 };
/// In `float` and `half` three digits are all there is, of sums of some terms less.
pub const NARROW: Precision = Precision { kind: FloatKind::F32, units: 16.0 * f32::EPSILON as f64, useful: 0.1 };

impl Precision {
    /// Within what the number that the judge gives is right; `None` if that says nothing.
    pub fn bound(&self, Real { value, error }: Real) -> Option<f64> {
        let bound = SAFETY * error + self.units * value.abs();
        (bound <= self.useful * value.abs().max(1.0)).then_some(bound)
    }

    /// Whether a number is what the judge gives, if that can be said.
    pub fn agrees(&self, got: f64, judged: Real) -> Option<bool> {
        self.bound(judged).map(|bound| (got - judged.value).abs() <= bound)
    }
}

/// What the judge says of a point: what each number of a thread's result is.
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

/// Compares what the program computes at the points with what the judge says of its code as the
/// front end leaves it.
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

/// What number `k` of a thread's result is.
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
    // The other half is compared on all back ends.
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
