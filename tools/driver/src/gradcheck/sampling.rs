//! The check of one function: points drawn at random, and the derivatives there against each other
//! and against differences.

use super::beyond::begins_at_once;
use super::constants::{Constants, reached};
use super::differences::{DOUBT, Differences, Numeric, apart, at_many_steps, at_narrow_steps, differences};
use super::drawing::{Drawn, Source, Trapped};
use super::memory::Memory;
use super::point::{Forward, OtherValue, Point};
use super::probes;
use super::report::{Failure, Inputs, Mode, Row, Verdict};
use super::rounding::rounding;
use super::search::Search;
use super::values::has_own_coordinates;
use super::{Checked, DIFFERENCE_TOLERANCE, DOT_TOLERANCE, arguments};
use caustic_dialects::signature::Signature;
use caustic_interp::{Interp, Limits};
use caustic_ir::eval::{Trap, Val};
use caustic_ir::{CancelToken, Module, SymbolOp, Type};
use rayon::prelude::*;

/// Points drawn for one good sample before the function is given up.
const ATTEMPTS: usize = 40;
/// Values and derivatives beyond this size are not judged.
const LARGEST: f64 = 1e24;
/// How far the derivatives at a point are apart, and what they are.
struct Sample {
    /// Of forward and reverse mode; nothing where one is lacking.
    dot: Option<f64>,
    /// How far the modes may be apart.
    dot_tolerance: f64,
    difference: f64,
    /// They are further apart than differences can be off.
    differs: bool,
    /// How many times further.
    excess: f64,
    direction: Vec<Option<Val>>,
    /// Of the scalars of the results.
    weights: Vec<f64>,
    /// Derivatives of these along the direction.
    numeric: Numeric,
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
        self.ends || !self.numeric.values.is_empty()
    }

    /// Whether the derivatives are wrong here.
    fn is_wrong(&self, detaches: bool) -> bool {
        let modes_differ = self.dot.is_some_and(|dot| dot.is_nan() || dot > self.dot_tolerance);
        self.other_value.is_some() || self.compares() && (modes_differ || self.differs && !detaches)
    }

    /// How wrong they are, in parts of what they may be off; up to one if they are right. Modes may
    /// be as far apart as derivatives and differences.
    pub(super) fn badness(&self, detaches: bool) -> f64 {
        let value = self.other_value.map_or(0.0, |v| apart(v.expected, v.found) / DIFFERENCE_TOLERANCE);
        let modes = self.dot.map_or(0.0, |dot| dot / self.dot_tolerance.max(DIFFERENCE_TOLERANCE));
        let differences = if detaches { 0.0 } else { self.excess };
        let number = |x: f64| if x.is_nan() { f64::INFINITY } else { x };
        number(value).max(if self.compares() { number(modes).max(number(differences)) } else { 0.0 })
    }

    /// Whether there is something to compare: a direction among the arguments, or a derivative.
    fn moves(&self) -> bool {
        if self.numeric.values.is_empty() {
            return self.compares();
        }
        self.direction.iter().any(Option::is_some) || !self.is_zero()
    }

    /// Whether all derivatives are zero.
    fn is_zero(&self) -> bool {
        self.forward.iter().flatten().chain(&self.reverse).all(|v| *v == 0.0)
    }

    /// The scalar of the results at which forward mode is farthest from differences, if it is wrong
    /// by these.
    fn worst_forward(&self) -> Option<usize> {
        let forward = self.forward.as_deref()?;
        let far = |i: usize| apart(forward[i], self.numeric.values[i]) / self.numeric.tolerance(i);
        let farther = |best: usize, i: usize| {
            let [a, b] = [best, i].map(far);
            if b.is_nan() && !a.is_nan() || b > a { i } else { best }
        };
        let worst = (0..self.numeric.values.len()).reduce(farther)?;
        (far(worst).is_nan() || far(worst) > 1.0).then_some(worst)
    }

    /// What is wrong with the derivatives: the scalar of the results at which forward mode is
    /// farthest from differences, or else the sum that reverse mode gives.
    fn failure(&self, what: &Checked, symbol: &SymbolOp, signature: &Signature, point: &[Val]) -> Failure {
        let values = &self.numeric.values;
        let failure = |mode: Mode, expected: f64, found: f64| Failure {
            point: Inputs::point(symbol, signature, point),
            direction: Inputs::direction(signature, &self.direction),
            mode,
            value: false,
            result: None,
            weights: Vec::new(),
            expected,
            found,
            custom: what.custom,
        };
        if let Some(OtherValue { result, expected, found }) = self.other_value {
            return Failure { value: true, result, ..failure(Mode::Forward, expected, found) };
        }
        let sum = |values: &[f64]| self.weights.iter().zip(values).map(|(w, v)| w * v).sum::<f64>();
        let found = self.reverse.unwrap_or(f64::NAN);
        let expected = sum(values);
        let far = apart(expected, found);
        let tolerance = self.numeric.tolerance_of_sum(&self.weights, 1.0 + expected.abs().max(found.abs()));
        let is_right = far <= tolerance;
        // Differences see more than a derivative that is ended on purpose; of two modes the one
        // that gives what they see is right all the same.
        let told = |_: &usize| !what.detaches || self.reverse.is_some() && is_right;
        if let Some((forward, worst)) = self.forward.as_deref().zip(self.worst_forward().filter(told)) {
            let result = (values.len() > 1).then_some(worst);
            return Failure { result, ..failure(Mode::Forward, values[worst], forward[worst]) };
        }
        // Where differences cannot tell, the other mode is right, as far as anyone knows.
        let right = self.forward.as_ref().filter(|_| what.detaches || is_right).unwrap_or(values);
        match self.weights[..] {
            [weight] if weight != 0.0 => failure(Mode::Reverse, sum(right) / weight, found / weight),
            _ => Failure { weights: self.weights.clone(), ..failure(Mode::Reverse, sum(right), found) },
        }
    }
}

enum Outcome {
    Good(Box<Sample>),
    /// Nothing to judge here: draw again.
    Redraw(Unfit),
    /// The same, since differences are too inexact to judge by.
    Untold,
    /// Both modes say that the derivative is no number, where differences are: an infinite partial
    /// meets a zero that was computed, or another one.
    Singular,
}

/// Why a point tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unfit {
    /// It is outside of the domain, or the function ends there.
    NotFinite,
    Kink,
    TooLarge,
}

impl Unfit {
    /// Why a function is left out of which no point tells more.
    fn text(self) -> &'static str {
        match self {
            Unfit::NotFinite => "no point with a finite derivative was found",
            Unfit::Kink => "it has a kink or a jump at the points that were tried",
            Unfit::TooLarge => "its values or derivatives are too large to judge at the points that were tried",
        }
    }
}

/// How often and how far a function is checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub(super) samples: u32,
    pub(super) seed: u64,
    pub(super) steps: u64,
    /// Where all floats are to come from.
    pub(super) range: Option<(f64, f64)>,
}

/// Why a function is left out whose differences are no measure.
const UNTOLD: &str = "differences are too inexact to judge by: its values are rounded too coarsely, or bend too much";

/// Samples that are computed at once, for each core.
const AHEAD: usize = 64;
/// Bytes that the memory of these may take: a program's buffers can be large.
const MOST_AHEAD: usize = 64 << 20;

/// Checks one function. Samples are drawn ahead as if each were good, computed at once, and taken
/// in their order up to the first that is not: what is found is what one core finds.
pub(super) fn check(module: &Module, what: &Checked, memory: &Memory, effort: Effort, cancel: &CancelToken) -> Row {
    let Effort { samples, seed, steps, range } = effort;
    let mut row = Row::new(&what.shown);
    let with_signature = module.get(what.function).and_then(|symbol| Some((symbol, Signature::of(symbol)?)));
    let Some((symbol, signature)) = with_signature else {
        return row.skipped("its signature is not concrete");
    };
    if let Some(why) = incomparable(&signature) {
        return row.skipped(why);
    }
    row.substituted = what.measured != what.function;
    row.not_compared = not_compared(&signature);
    let named = [Some(what.function), Some(what.measured), what.forward, what.backward];
    let reached = reached(module, named.into_iter().flatten());
    let constants = range.into_iter().fold(Constants::of(module, &reached), Constants::within);
    let memory = &memory.of_what(&reached);
    let source = Source { signature: &signature, memory, constants: &constants, range, seed };
    let one_of = |drawn: &Drawn, most: u64| {
        let interp = Interp::with_limits(module, Limits { steps: steps.min(most), ..Limits::default() });
        let sample = |drawn: &Drawn| sample(&interp, what, &signature, drawn, cancel);
        let outcome = sample(drawn)?;
        let is_told = match &outcome {
            Outcome::Good(found) if drawn.beyond.floats.is_some() && found.is_wrong(what.detaches) => {
                let badness = |drawn: &Drawn| match sample(drawn) {
                    Ok(Outcome::Good(found)) => Some(found.badness(what.detaches)),
                    _ => None,
                };
                begins_at_once(&source, drawn, &badness)
            }
            _ => true,
        };
        Ok(if is_told { outcome } else { Outcome::Untold })
    };
    let one = |drawn: &Drawn| one_of(drawn, drawn.beyond.steps());
    let (mut attempt, mut untold, mut unfit, mut ahead, mut trapped) = (0, 0, Vec::new(), 1, Trapped::default());
    while row.samples < samples {
        let mut drawn = Vec::new();
        for k in 0..ahead.min((samples - row.samples) as usize) {
            let attempt = if k == 0 { attempt } else { 0 };
            match source.draw(row.samples as usize + k + attempt, attempt, &trapped) {
                Some(sample) => drawn.push(sample),
                None => return row.skipped("a parameter is a resource"),
            }
        }
        let outcomes: Vec<Result<Outcome, Trap>> = match &drawn[..] {
            [single] => vec![one(single)],
            several => several.par_iter().map(one).collect(),
        };
        let size = drawn.first().map_or(1, |one| one.memory.size().max(1));
        ahead = (2 * ahead).min(AHEAD * rayon::current_num_threads()).min((MOST_AHEAD / size).max(1));
        for (drawn, outcome) in drawn.into_iter().zip(outcomes) {
            let outcome = match outcome {
                Err(_) if drawn.beyond.any() => {
                    trapped.add(drawn.beyond);
                    Ok(Outcome::Redraw(Unfit::NotFinite))
                }
                other => other,
            };
            match outcome {
                Ok(redraw @ (Outcome::Redraw(_) | Outcome::Untold)) => {
                    attempt += 1;
                    match redraw {
                        Outcome::Redraw(why) => unfit.push(why),
                        _ => untold += 1,
                    }
                    ahead = (ahead / 4).max(1);
                    if attempt == ATTEMPTS {
                        return match row.samples {
                            0 if 2 * untold > ATTEMPTS => row.skipped(UNTOLD),
                            0 => row.skipped(mostly(&unfit, range)),
                            _ => row.concluded(),
                        };
                    }
                    break;
                }
                Ok(Outcome::Singular) => {
                    row.verdict = Verdict::Singular(Inputs::point(symbol, &signature, &drawn.point));
                    return row;
                }
                Ok(Outcome::Good(sample)) => {
                    attempt = 0;
                    if row.add(&sample, what.detaches) {
                        row.verdict = Verdict::Failed(Box::new(sample.failure(what, symbol, &signature, &drawn.point)));
                        return row;
                    }
                }
                Err(trap) => return row.skipped(trap.message),
            }
        }
    }
    let search = Search { module, what, source: &source, steps, cancel };
    let beside = || wrong_beside(&source, samples, what.detaches, &one_of);
    let in_branch = || wrong_in_branch(search.points(), what.detaches, &one_of);
    if let Some((drawn, sample)) = row.moved.then(|| beside().or_else(in_branch)).flatten() {
        row.add(&sample, what.detaches);
        row.verdict = Verdict::Failed(Box::new(sample.failure(what, symbol, &signature, &drawn.point)));
        return row;
    }
    row.concluded()
}

/// The first point close beside what the function compares with at which derivatives are wrong.
fn wrong_beside(
    source: &Source<'_>,
    samples: u32,
    detaches: bool,
    sample: &(dyn Fn(&Drawn, u64) -> Result<Outcome, Trap> + Sync),
) -> Option<(Drawn, Box<Sample>)> {
    let points = &probes::points(source.constants, source.range, source.seed, samples);
    probes::lists(source.constants, points.len()).iter().find_map(|list| {
        let mut traps = 0;
        for first in (0..list.len()).step_by(probes::TOGETHER) {
            let turns = first..list.len().min(first + probes::TOGETHER);
            let drawn: Vec<Drawn> = turns.filter_map(|at| source.draw_at(list[at], points, at)).collect();
            let outcomes: Vec<Result<Outcome, Trap>> = drawn.par_iter().map(|one| sample(one, probes::STEPS)).collect();
            traps += outcomes.iter().filter(|outcome| outcome.is_err()).count();
            let wrong = drawn.into_iter().zip(outcomes).find_map(|(drawn, outcome)| match outcome {
                Ok(Outcome::Good(sample)) if sample.is_wrong(detaches) => Some((drawn, sample)),
                _ => None,
            });
            if wrong.is_some() || traps >= probes::TRAPS {
                return wrong;
            }
        }
        None
    })
}

/// The first of these points at which derivatives are wrong.
fn wrong_in_branch(
    points: Vec<Drawn>,
    detaches: bool,
    sample: &(dyn Fn(&Drawn, u64) -> Result<Outcome, Trap> + Sync),
) -> Option<(Drawn, Box<Sample>)> {
    let outcomes: Vec<Result<Outcome, Trap>> = points.par_iter().map(|one| sample(one, probes::STEPS)).collect();
    points.into_iter().zip(outcomes).find_map(|(drawn, outcome)| match outcome {
        Ok(Outcome::Good(sample)) if sample.is_wrong(detaches) => Some((drawn, sample)),
        _ => None,
    })
}

/// What most points were unfit for.
fn mostly(unfit: &[Unfit], range: Option<(f64, f64)>) -> String {
    let count = |why: Unfit| unfit.iter().filter(|w| **w == why).count();
    let most = [Unfit::NotFinite, Unfit::TooLarge, Unfit::Kink].into_iter().rev().max_by_key(|why| count(*why));
    let text = most.unwrap_or(Unfit::NotFinite).text();
    match range {
        Some((low, high)) => format!("{text}, and all were in the range {low}:{high}"),
        None => text.to_string(),
    }
}

/// Why differences say nothing about a function: its derivatives are in coordinates of their own.
fn incomparable(s: &Signature) -> Option<&'static str> {
    let own = |ty: &Type, d: Option<Type>| d.is_some() && has_own_coordinates(*ty);
    let results = s.results.iter().enumerate().any(|(i, ty)| own(ty, s.result_differential(i)));
    let moved = || s.inputs.iter().enumerate().filter(|(i, _)| s.input_differential(*i).is_some());
    let inputs = moved().next().is_some() && moved().all(|(_, ty)| has_own_coordinates(*ty));
    (results || inputs).then_some("the program chooses a differential with parts that are derivatives of no field")
}

/// The parameters that do not move, since their derivatives are in coordinates of their own.
fn not_compared(s: &Signature) -> Vec<String> {
    let own = |i: usize| s.input_differential(i).is_some() && has_own_coordinates(s.inputs[i]);
    let params = s.params.iter().filter(|p| p.input.is_some_and(own));
    params.map(|p| p.name.to_string()).collect()
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
        let is_zero = !sample.numeric.values.is_empty() && sample.is_zero();
        self.all_zero = (self.samples == 0 || self.all_zero) && is_zero;
        self.samples += 1;
        self.worst_dot = self.worst_dot.max(dot);
        self.dot_tolerance = self.dot_tolerance.max(sample.dot_tolerance);
        self.one_mode |= sample.dot.is_none();
        self.worst_difference = self.worst_difference.max(sample.difference);
        self.moved |= sample.moves();
        let differs = sample.differs;
        self.detached |= detaches && differs;
        let is_wrong = sample.is_wrong(detaches);
        if is_wrong {
            // A maximum passes over what is no number.
            self.worst_dot = if dot.is_nan() { f64::NAN } else { self.worst_dot };
            self.worst_difference = if sample.difference.is_nan() { f64::NAN } else { self.worst_difference };
        }
        is_wrong
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// What is computed at a point beside the function.
struct AtPoint<'a> {
    weights: &'a [f64],
    forward: Option<Vec<f64>>,
    /// Jᵀ w and the direction.
    reverse: Option<(Vec<f64>, Vec<f64>)>,
}

impl AtPoint<'_> {
    /// ⟨w, J v⟩ against ⟨Jᵀ w, v⟩, and what this is in parts of.
    fn against(&self, jv: &[f64], (jtw, along): &(Vec<f64>, Vec<f64>)) -> (f64, f64) {
        let size = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x * y).abs()).sum::<f64>();
        let scale = 1.0f64.max(size(self.weights, jv)).max(size(jtw, along));
        ((dot(self.weights, jv) - dot(jtw, along)).abs() / scale, scale)
    }

    /// How far the modes are apart, and what this is in parts of, where there are both.
    fn agreement(&self) -> Option<(f64, f64)> {
        let modes = self.forward.as_ref().zip(self.reverse.as_ref());
        modes.map(|(jv, reverse)| self.against(jv, reverse))
    }

    /// ⟨w, J v⟩ and ⟨Jᵀ w, v⟩.
    fn sums(&self) -> Option<(f64, f64)> {
        let (jv, (jtw, along)) = self.forward.as_ref().zip(self.reverse.as_ref())?;
        Some((dot(self.weights, jv), dot(jtw, along)))
    }

    /// How far derivatives are from differences, each with what it may be.
    fn distances(&self, numeric: &Numeric) -> Vec<(f64, f64)> {
        match (&self.forward, &self.reverse) {
            (Some(jv), _) => {
                let each = jv.iter().zip(&numeric.values).enumerate();
                each.map(|(i, (a, n))| (apart(*a, *n), numeric.tolerance(i))).collect()
            }
            // Differences stand in for forward mode.
            (None, Some(reverse)) => {
                let (far, scale) = self.against(&numeric.values, reverse);
                vec![(far, numeric.tolerance_of_sum(self.weights, scale))]
            }
            (None, None) => Vec::new(),
        }
    }

    fn is_far(&self, numeric: &Numeric) -> bool {
        self.distances(numeric).iter().any(|(far, most)| far > most)
    }
}

/// Errors of differences up to which they are trusted; where the values are rough, up to which they
/// show that a derivative is wrong.
const TRUSTED: f64 = 2e-5;
const TRUSTED_IN_ROUGH: f64 = 3e-6;

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
    let is_large = |values: &[f64]| values.iter().any(|x| x.abs() > LARGEST);
    let few = match differences(&here, at)? {
        Differences::None => return Ok(Outcome::Redraw(Unfit::Kink)),
        Differences::NotFinite => return Ok(Outcome::Redraw(Unfit::NotFinite)),
        // Of numbers like these, small parts that matter elsewhere are lost on the way.
        Differences::Smooth(values) if is_large(&values) => return Ok(Outcome::Redraw(Unfit::TooLarge)),
        _ if is_large(&here) => return Ok(Outcome::Redraw(Unfit::TooLarge)),
        Differences::Smooth(values) => Some(Numeric::exact(values)),
        Differences::Rough => None,
    };
    let (forward_args, args) = arguments(signature, &drawn.point, &drawn.v, &point.w);
    let weights = point.weights();
    let (forward, other_value) = match point.forward(forward_args)? {
        Some(Forward { tangents, other_value }) => (Some(tangents), other_value),
        None => (None, None),
    };
    let found = AtPoint { weights: &weights, forward, reverse: point.backward(args)? };
    let is_rough = few.is_none();
    let numeric = match few {
        Some(numeric) if what.detaches || !found.is_far(&numeric) => numeric,
        // Differences have errors, too: those of other steps tell how large.
        _ => {
            let trusted = |many: &Numeric| many.worst_error() <= TRUSTED;
            let many = match at_many_steps(&here, at)?.filter(trusted) {
                None if drawn.beyond.is_near() => at_narrow_steps(&here, at)?.filter(trusted),
                many => many,
            };
            let Some(many) = many else { return Ok(Outcome::Untold) };
            if is_rough && many.worst_error() > TRUSTED_IN_ROUGH && found.is_far(&many) {
                return Ok(Outcome::Untold);
            }
            many
        }
    };
    let agreement = found.agreement();
    // Sums that cancel are off by more than the tolerance in both modes: asked where it counts.
    let dot_tolerance = match agreement.zip(found.sums()) {
        Some(((apart, scale), sums)) if apart > DOT_TOLERANCE => {
            let off = rounding(interp, what, signature, drawn, sums, cancel) / scale;
            // Large arguments have large products, which cancel.
            if drawn.beyond.is_far() && DOUBT * off > DIFFERENCE_TOLERANCE {
                return Ok(Outcome::Untold);
            }
            DOT_TOLERANCE.max((DOUBT * off).min(DIFFERENCE_TOLERANCE))
        }
        _ => DOT_TOLERANCE,
    };
    let distances = found.distances(&numeric);
    let AtPoint { forward, reverse, .. } = found;
    let reverse = reverse.map(|(jtw, along)| dot(&jtw, &along));
    let no_number = |values: &Option<Vec<f64>>| values.as_ref().is_some_and(|v| v.iter().any(|x| x.is_nan()));
    let is_none = |values: &Option<Vec<f64>>| values.as_ref().is_some_and(|v| v.iter().any(|x| !x.is_finite()));
    // What overflows on the way is no derivative of a function that is meant for smaller numbers.
    if drawn.beyond.is_far() && (is_none(&forward) || reverse.is_some_and(|sum| !sum.is_finite())) {
        return Ok(Outcome::Redraw(Unfit::NotFinite));
    }
    if no_number(&forward) && reverse.is_some_and(f64::is_nan) {
        if drawn.beyond.any() {
            return Ok(Outcome::Redraw(Unfit::NotFinite));
        }
        return Ok(Outcome::Singular);
    }
    // A NaN must not be lost in a maximum.
    let larger = |m: f64, x: f64| if m.is_nan() || x.is_nan() { f64::NAN } else { m.max(x) };
    Ok(Outcome::Good(Box::new(Sample {
        dot: agreement.map(|(apart, _)| apart),
        dot_tolerance,
        difference: distances.iter().map(|d| d.0).fold(0.0, larger),
        differs: distances.iter().any(|(far, most)| far.is_nan() || far > most),
        excess: distances.iter().map(|(far, most)| far / most).fold(0.0, larger),
        direction: drawn.v.clone(),
        weights,
        numeric,
        forward,
        other_value,
        reverse,
        ends: !signature.results.is_empty(),
    })))
}
