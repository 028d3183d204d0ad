//! The check of one function: points drawn at random, and the derivatives there against each other
//! and against differences.

use super::differences::{apart, differences, finer_differences};
use super::memory::Memory;
use super::point::{Forward, OtherValue, Point};
use super::report::{Failure, Inputs, Mode, Row, Verdict};
use super::values::{Random, random};
use super::{Checked, DIFFERENCE_TOLERANCE, DOT_TOLERANCE, arguments};
use caustic_dialects::signature::Signature;
use caustic_interp::{Interp, Limits};
use caustic_ir::eval::{Trap, Val};
use caustic_ir::{CancelToken, Module, Type};
use rayon::prelude::*;

/// Points drawn for one good sample before the function is given up.
const ATTEMPTS: usize = 40;
/// Values and derivatives beyond this size are not judged.
const LARGEST: f64 = 1e24;
/// Where points come from: attempts go round. Narrow and positive ranges serve functions with small
/// domains.
pub(super) const RANGES: [(f64, f64); 4] = [(-2.0, 2.0), (0.1, 1.9), (-0.9, 0.9), (0.05, 0.95)];

/// How far the derivatives at a point are apart, and what they are.
struct Sample {
    /// Of forward and reverse mode; nothing where one is lacking.
    dot: Option<f64>,
    difference: f64,
    direction: Vec<Option<Val>>,
    /// Of the scalars of the results.
    weights: Vec<f64>,
    /// Derivatives of these along the direction.
    numeric: Vec<f64>,
    forward: Option<Vec<f64>>,
    /// What forward mode gives in the place of a value of the function.
    other_value: Option<OtherValue>,
    /// That of their weighted sum.
    reverse: Option<f64>,
    /// The function has results, and none of them is to have a derivative.
    ends: bool,
}

impl Sample {
    /// Whether the function gives anything that is known here.
    fn compares(&self) -> bool {
        self.ends || !self.numeric.is_empty()
    }

    /// Whether there is something to compare: a direction among the arguments, or a derivative.
    fn moves(&self) -> bool {
        if self.numeric.is_empty() {
            return self.compares();
        }
        self.direction.iter().any(Option::is_some) || !self.is_zero()
    }

    /// Whether all that was found is zero.
    fn is_zero(&self) -> bool {
        let found = self.numeric.iter().chain(self.forward.iter().flatten()).chain(&self.reverse);
        found.into_iter().all(|v| *v == 0.0)
    }

    /// What is wrong with the derivatives: the scalar of the results at which forward mode is
    /// farthest from differences, or else the sum that reverse mode gives.
    fn failure(&self, what: &Checked, signature: &Signature, point: &[Val]) -> Failure {
        let inputs = Inputs::point(signature, point);
        let direction = Inputs::direction(signature, &self.direction);
        let far = apart;
        let is_bad = |x: f64| x.is_nan() || x > DIFFERENCE_TOLERANCE;
        if let Some(OtherValue { result, expected, found }) = self.other_value {
            let (mode, custom, weights) = (Mode::Forward, what.custom, Vec::new());
            return Failure { point: inputs, direction, mode, value: true, result, weights, expected, found, custom };
        }
        let several = self.numeric.len() > 1;
        let farther = |best: usize, i: usize, forward: &[f64]| {
            let [a, b] = [best, i].map(|k| far(forward[k], self.numeric[k]));
            if b.is_nan() && !a.is_nan() || b > a { i } else { best }
        };
        if let Some(forward) = self.forward.as_deref().filter(|_| !what.detaches) {
            let worst = (0..self.numeric.len()).fold(0, |best, i| farther(best, i, forward));
            let pair = forward.get(worst).copied().zip(self.numeric.get(worst).copied());
            if let Some((found, expected)) = pair.filter(|(a, b)| is_bad(far(*a, *b))) {
                let result = several.then_some(worst);
                return Failure {
                    point: inputs,
                    direction,
                    mode: Mode::Forward,
                    value: false,
                    result,
                    weights: Vec::new(),
                    expected,
                    found,
                    custom: what.custom,
                };
            }
        }
        // Where differences cannot tell, the other mode is right, as far as anyone knows.
        let sum = |values: &[f64]| self.weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>();
        let found = self.reverse.unwrap_or(f64::NAN);
        let untold = what.detaches || !is_bad(far(sum(&self.numeric), found));
        let right = self.forward.as_ref().filter(|_| untold).unwrap_or(&self.numeric);
        let (expected, found, weights) = match self.weights[..] {
            [weight] if weight != 0.0 => (sum(right) / weight, found / weight, Vec::new()),
            _ => (sum(right), found, self.weights.clone()),
        };
        Failure {
            point: inputs,
            direction,
            mode: Mode::Reverse,
            value: false,
            result: None,
            weights,
            expected,
            found,
            custom: what.custom,
        }
    }
}

enum Outcome {
    Good(Sample),
    /// No derivative here, or outside of the domain: draw again.
    Redraw,
    /// Both modes say that the derivative is no number, where differences are: an infinite partial
    /// meets a zero that was computed, or another one.
    Singular,
}

/// How often and how far a function is checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) samples: u32,
    pub(super) seed: u64,
    pub(super) steps: u64,
}

/// What a sample is of: a point, the memory there, a direction, and weights of the results.
pub(super) struct Drawn {
    pub(super) point: Vec<Val>,
    pub(super) memory: Memory,
    pub(super) v: Vec<Option<Val>>,
    pub(super) w: Vec<Option<Val>>,
    pub(super) along: Vec<Vec<f64>>,
}

impl Drawn {
    /// Nothing for a function that takes resources.
    fn new(s: &Signature, memory: &Memory, range: (f64, f64), r: &mut Random) -> Option<Drawn> {
        let point = s.inputs.iter().map(|&t| random(t, range, r)).collect::<Option<_>>()?;
        let mut memory = memory.clone();
        memory.draw(range, r);
        let mut draw = |d: Type| random(d, (-1.0, 1.0), r).unwrap_or(Val::Float(0.0));
        let v = (0..s.inputs.len()).map(|i| s.input_differential(i).map(&mut draw)).collect();
        let w = (0..s.results.len()).map(|i| s.result_differential(i).map(&mut draw)).collect();
        let along = memory.directions(r);
        Some(Drawn { point, memory, v, w, along })
    }
}

/// Samples that are computed at once, for each core.
const AHEAD: usize = 64;
/// Bytes that the memory of these may take: a program's buffers can be large.
const MOST_AHEAD: usize = 64 << 20;

/// Checks one function. Samples are drawn ahead as if each were good, computed at once, and taken
/// in their order up to the first that is not: what is found is what one core finds.
pub(super) fn check(module: &Module, what: &Checked, memory: &Memory, effort: Effort, cancel: &CancelToken) -> Row {
    let Effort { samples, seed, steps } = effort;
    let mut row = Row::new(&what.shown);
    let Some(signature) = module.get(what.function).and_then(Signature::of) else {
        return row.skipped("its signature is not concrete");
    };
    let limits = Limits { steps, ..Limits::default() };
    let mut r = Random::new(seed);
    let (mut attempt, mut ahead) = (0, 1);
    while row.samples < samples {
        let mut drawn = Vec::new();
        for k in 0..ahead.min((samples - row.samples) as usize) {
            let number = row.samples as usize + k + if k == 0 { attempt } else { 0 };
            // The last random numbers are those of the sample that is taken last.
            let mut next = drawn.last().map_or(r, |(_, after)| *after);
            match Drawn::new(&signature, memory, RANGES[number % RANGES.len()], &mut next) {
                Some(sample) => drawn.push((sample, next)),
                None => return row.skipped("a parameter is a resource"),
            }
        }
        let one = |(drawn, _): &(Drawn, Random)| {
            sample(&Interp::with_limits(module, limits), what, &signature, drawn, cancel)
        };
        let outcomes: Vec<Result<Outcome, Trap>> = match &drawn[..] {
            [single] => vec![one(single)],
            several => several.par_iter().map(one).collect(),
        };
        let size = drawn.first().map_or(1, |(one, _)| one.memory.size().max(1));
        ahead = (2 * ahead).min(AHEAD * rayon::current_num_threads()).min((MOST_AHEAD / size).max(1));
        for ((drawn, after), outcome) in drawn.into_iter().zip(outcomes) {
            r = after;
            match outcome {
                Ok(Outcome::Redraw) => {
                    attempt += 1;
                    ahead = (ahead / 4).max(1);
                    if attempt == ATTEMPTS {
                        return match row.samples {
                            0 => row.skipped("no point with a finite derivative was found"),
                            _ => row.concluded(),
                        };
                    }
                    break;
                }
                Ok(Outcome::Singular) => {
                    row.verdict = Verdict::Singular(Inputs::point(&signature, &drawn.point));
                    return row;
                }
                Ok(Outcome::Good(sample)) => {
                    attempt = 0;
                    if row.add(&sample, what.detaches) {
                        row.verdict = Verdict::Failed(Box::new(sample.failure(what, &signature, &drawn.point)));
                        return row;
                    }
                }
                Err(trap) => return row.skipped(trap.message),
            }
        }
    }
    row.concluded()
}

impl Row {
    fn skipped(mut self, why: impl Into<String>) -> Row {
        self.verdict = Verdict::Skipped(why.into());
        self
    }

    /// After the last sample.
    fn concluded(mut self) -> Row {
        if self.detached && self.one_mode {
            return self.skipped("it detaches, and has a derivative in one mode only");
        }
        if !self.moved {
            return self.skipped("nothing to compare: no argument, result or named buffer of it has a derivative");
        }
        self.verdict = Verdict::Passed;
        self
    }

    /// Adds a sample; whether the derivative is wrong there.
    fn add(&mut self, sample: &Sample, detaches: bool) -> bool {
        let dot = sample.dot.unwrap_or(0.0);
        let is_zero = !sample.numeric.is_empty() && sample.is_zero();
        self.all_zero = (self.samples == 0 || self.all_zero) && is_zero;
        self.samples += 1;
        self.worst_dot = self.worst_dot.max(dot);
        self.one_mode |= sample.dot.is_none();
        self.worst_difference = self.worst_difference.max(sample.difference);
        self.moved |= sample.moves();
        let bad = |x: f64, limit: f64| x.is_nan() || x > limit;
        let differs = bad(sample.difference, DIFFERENCE_TOLERANCE);
        self.detached |= detaches && differs;
        let is_wrong =
            sample.other_value.is_some() || sample.compares() && (bad(dot, DOT_TOLERANCE) || differs && !detaches);
        if is_wrong {
            // A maximum passes over what is no number.
            self.worst_dot = if dot.is_nan() { f64::NAN } else { self.worst_dot };
            self.worst_difference = if sample.difference.is_nan() { f64::NAN } else { self.worst_difference };
        }
        is_wrong
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn sample(
    interp: &Interp<'_>,
    what: &Checked,
    signature: &Signature,
    drawn: &Drawn,
    cancel: &CancelToken,
) -> Result<Outcome, Trap> {
    let point = Point::new(interp, what, signature, drawn, cancel)?;
    let at = &|step: f64| point.values(step);
    let here = point.values_here();
    let Some(mut numeric) = differences(&here, at)? else { return Ok(Outcome::Redraw) };
    // Of numbers like these, small parts that matter elsewhere are lost on the way.
    if here.iter().chain(&numeric).any(|x| x.abs() > LARGEST) {
        return Ok(Outcome::Redraw);
    }
    let (forward_args, args) = arguments(signature, &drawn.point, &drawn.v, &drawn.w);
    let weights = point.weights();
    let (jv, other_value) = match point.forward(forward_args)? {
        Some(Forward { tangents, other_value }) => (Some(tangents), other_value),
        None => (None, None),
    };
    let reverse = point.backward(args)?;

    let size = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x * y).abs()).sum::<f64>();
    // ⟨w, J v⟩ against ⟨Jᵀ w, v⟩.
    let against = |jv: &[f64], (jtw, along): &(Vec<f64>, Vec<f64>)| {
        let scale = 1.0f64.max(size(&weights, jv)).max(size(jtw, along));
        (dot(&weights, jv) - dot(jtw, along)).abs() / scale
    };
    let agreement = jv.as_ref().zip(reverse.as_ref()).map(|(jv, jtw)| against(jv, jtw));
    let from = |numeric: &[f64]| match (&jv, &reverse) {
        (Some(jv), _) => jv.iter().zip(numeric).map(|(a, n)| apart(*a, *n)).collect(),
        // Differences stand in for forward mode.
        (None, Some(jtw)) => vec![against(numeric, jtw)],
        (None, None) => Vec::new(),
    };
    let is_far = |all: &[f64]| all.iter().any(|d| *d > DIFFERENCE_TOLERANCE);
    let mut difference: Vec<f64> = from(&numeric);
    if is_far(&difference) && !what.detaches {
        // Differences have errors, too: those of a third step tell how large.
        let Some((finer, errors)) = finer_differences(&numeric, at)? else { return Ok(Outcome::Redraw) };
        difference = from(&finer);
        let error = errors.iter().fold(0.0, |m: f64, e| m.max(*e));
        let untold = error > DIFFERENCE_TOLERANCE / 4.0 && difference.iter().all(|d| *d < 8.0 * error);
        if is_far(&difference) && untold {
            return Ok(Outcome::Redraw);
        }
        numeric = finer;
    }
    let sum = reverse.map(|(jtw, along)| dot(&jtw, &along));
    let no_number = |values: &Option<Vec<f64>>| values.as_ref().is_some_and(|v| v.iter().any(|x| x.is_nan()));
    if no_number(&jv) && sum.is_some_and(f64::is_nan) {
        return Ok(Outcome::Singular);
    }
    // A NaN must not be lost in a maximum.
    let difference =
        difference.into_iter().fold(0.0, |m: f64, x| if m.is_nan() || x.is_nan() { f64::NAN } else { m.max(x) });
    Ok(Outcome::Good(Sample {
        dot: agreement,
        difference,
        direction: drawn.v.clone(),
        weights,
        numeric,
        forward: jv,
        other_value,
        reverse: sum,
        ends: !signature.results.is_empty(),
    }))
}
