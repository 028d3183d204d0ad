//! Points where a function takes branches that no sample took: a custom derivative may be wrong
//! there only. Each is looked for from the samples that came closest, by Newton's method on what
//! the condition lacks. Such points decide nothing unless a derivative is wrong at one.

use super::branches::{Distance, Goal, Log, Ran, goals};
use super::drawing::{Beyond, Drawn, Kind, Source, Trapped};
use super::point::Point;
use super::probes;
use super::values::{Random, scalar_at, scalar_places, with_scalar};
use super::{Checked, arguments};
use caustic_dialects::call_graph::CallGraph;
use caustic_interp::{Interp, Limits};
use caustic_ir::eval::Val;
use caustic_ir::{CancelToken, Module, Name};
use caustic_passes::analysis::custom_derivatives;
use std::collections::HashSet;

/// Samples that are looked at, and those that the search begins at.
const SAMPLES: usize = 16;
const STARTS: usize = 2;
/// Branches that are looked for at most, and runs for each from each start.
const GOALS: usize = 16;
const RUNS: usize = 48;
/// Scalars that one step looks at.
const ALONG: usize = 8;
/// Steps for slopes, in parts of the scalar's size.
const STEPS: [f64; 3] = [1e-6, 1e-2, 0.5];
/// The same in parts of what is left, at most.
const CLOSE: f64 = 1e-3;
/// How much farther a step goes, so that it ends beyond the place that it aims at.
const BEYOND: f64 = 1.01;
/// How far beyond a place points are, in parts of the scalar's size.
const INSIDE: [f64; 4] = [0.1, 0.01, 1e-3, 2e-4];
/// Up to which part of what is left a step is taken at once.
const GOOD: f64 = 0.6;
/// How far a branch has to go on along the direction: beyond the steps of differences.
const STEADY: f64 = 4e-5;
/// Larger numbers are none that a function is meant for.
const LARGEST: f64 = 1e6;
/// Floats up to which points are as those beside constants.
const USUAL: f64 = 100.0;

/// One scalar of a point.
type Scalar = (Vec<usize>, bool);

pub struct Search<'a> {
    pub module: &'a Module,
    pub what: &'a Checked,
    pub source: &'a Source<'a>,
    pub steps: u64,
    pub cancel: &'a CancelToken,
}

/// Which of what is checked runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    Function,
    Forward,
    Backward,
    All,
}

impl<'a> Search<'a> {
    /// Points at which the function, or a derivative of it, goes a way that no sample goes.
    pub fn points(&self) -> Vec<Drawn> {
        let Checked { measured, forward, backward, .. } = *self.what;
        let graph = CallGraph::of_calls(self.module);
        let parts = [Some(measured), forward, backward]
            .map(|name| graph.reachable(name).into_iter().collect::<HashSet<Name>>());
        let is_custom = |name: &Name| self.module.get(*name).is_some_and(custom_derivatives::any);
        if !self.what.custom && !parts[0].iter().any(is_custom) {
            return Vec::new();
        }
        let goals = goals(self.module, &parts.each_ref());
        if goals.is_empty() {
            return Vec::new();
        }
        let allowed = Trapped::default();
        let samples = (0..SAMPLES).filter(|number| number % 3 != 2);
        let samples: Vec<Drawn> = samples.filter_map(|number| self.source.draw(number, 0, &allowed)).collect();
        let ran: Vec<Option<Ran<'a>>> = samples.iter().map(|drawn| self.run(drawn, Runs::All)).collect();
        let mut points = Vec::new();
        let mut left = GOALS;
        for (number, goal) in goals.iter().enumerate() {
            let from = ran.iter().enumerate().filter_map(|(k, ran)| Some((k, ran.as_ref()?.distance(goal))));
            let mut from: Vec<(usize, Distance)> = from.filter(|(_, d)| d.left.is_finite()).collect();
            if left == 0 || self.cancel.is_cancelled() {
                break;
            }
            if from.is_empty() || from.iter().any(|(_, d)| d.is_reached()) {
                continue;
            }
            left -= 1;
            from.sort_by(|a, b| a.1.level.cmp(&b.1.level).then(a.1.left.total_cmp(&b.1.left)));
            let runs = self.runs_of(goal, &parts);
            for &(start, distance) in from.iter().take(STARTS) {
                let mut walk = Walk {
                    search: self,
                    goal,
                    runs,
                    left: RUNS,
                    start: &samples[start],
                    r: Random::of(&[self.source.seed, number as u64, start as u64]),
                };
                points.extend(walk.to(distance).into_iter().filter(|drawn| self.is_steady(drawn)));
            }
        }
        points
    }

    /// What has to run to go a way.
    fn runs_of(&self, goal: &Goal<'_>, parts: &[HashSet<Name>; 3]) -> Runs {
        let all = [Runs::Function, Runs::Forward, Runs::Backward];
        let first = parts.iter().position(|part| part.contains(&goal.function));
        first.map_or(Runs::All, |first| all[first])
    }

    /// Whether the function goes the same way on both sides, so that differences are of one branch.
    fn is_steady(&self, drawn: &Drawn) -> bool {
        let log = Log::default();
        let interp = Interp::with_limits(self.module, self.limits()).observed(&log);
        let Ok(point) = Point::new(&interp, self.what, self.source.signature, drawn, self.cancel) else { return false };
        let here = log.path();
        [STEADY, -STEADY].into_iter().all(|step| point.values(step).is_ok() && log.path() == here)
    }

    fn limits(&self) -> Limits {
        Limits { steps: self.steps.min(probes::STEPS), ..Limits::default() }
    }

    fn run(&self, drawn: &Drawn, runs: Runs) -> Option<Ran<'a>> {
        let log = Log::default();
        {
            let interp = Interp::with_limits(self.module, self.limits()).observed(&log);
            let signature = self.source.signature;
            let point = Point::new(&interp, self.what, signature, drawn, self.cancel).ok()?;
            if runs != Runs::Function {
                let (forward, backward) = arguments(signature, &drawn.point, &drawn.v, &point.w);
                // What traps has taken its branches up to there.
                let is_asked = |one: Runs| runs == one || runs == Runs::All;
                is_asked(Runs::Forward).then(|| point.forward(forward));
                is_asked(Runs::Backward).then(|| point.backward(backward));
            }
        }
        Some(Ran::new(self.module, log))
    }
}

/// The way from one sample to a branch.
struct Walk<'s, 'a> {
    search: &'s Search<'a>,
    goal: &'s Goal<'a>,
    runs: Runs,
    left: usize,
    start: &'s Drawn,
    r: Random,
}

impl Walk<'_, '_> {
    fn distance(&mut self, point: &[Val]) -> Distance {
        let none = Distance { level: u32::MAX, left: f64::INFINITY };
        let Some(left) = self.left.checked_sub(1) else { return none };
        self.left = left;
        let ran = self.search.run(&self.start.at(point.to_vec()), self.runs);
        ran.map_or(none, |ran| ran.distance(self.goal))
    }

    /// The point with one scalar moved, within what is allowed.
    fn moved(&self, point: &[Val], (place, is_float): &Scalar, by: f64) -> Vec<Val> {
        let (low, high) = self.search.source.range.filter(|_| *is_float).unwrap_or((-LARGEST, LARGEST));
        let mut point = point.to_vec();
        if let Some(value) = place.first().and_then(|&first| point.get_mut(first)) {
            *value = with_scalar(value, &place[1..], &mut |x| (x + by).clamp(low, high));
        }
        point
    }

    fn value(&self, point: &[Val], place: &[usize]) -> f64 {
        point.get(place[0]).map_or(0.0, |value| scalar_at(value, &place[1..]))
    }

    fn size(&self, point: &[Val], place: &[usize]) -> f64 {
        self.value(point, place).abs().max(1.0)
    }

    /// Goes there, and gives points on the other side.
    fn to(&mut self, mut here: Distance) -> Vec<Drawn> {
        let types = &self.search.source.signature.inputs;
        let all: Vec<Scalar> = types
            .iter()
            .enumerate()
            .flat_map(|(i, &ty)| {
                let own = move |(mut place, is_float): Scalar| {
                    place.insert(0, i);
                    (place, is_float)
                };
                scalar_places(ty).into_iter().map(own)
            })
            .collect();
        let mut point = self.start.point.clone();
        while !here.is_reached() {
            let along = self.chosen(&all);
            let Some((next, found)) = self.step(&point, here, &along) else { return Vec::new() };
            (point, here) = (next, found);
        }
        self.inside(point, &all)
    }

    /// Some of the scalars.
    fn chosen(&mut self, all: &[Scalar]) -> Vec<Scalar> {
        if all.len() <= ALONG {
            return all.to_vec();
        }
        (0..ALONG).map(|_| all[self.r.below(all.len())].clone()).collect()
    }

    /// A point that is closer.
    fn step(&mut self, point: &[Val], here: Distance, along: &[Scalar]) -> Option<(Vec<Val>, Distance)> {
        for size in STEPS {
            let mut slopes: Vec<(&Scalar, f64)> = Vec::new();
            let mut best: Option<(Vec<Val>, Distance)> = None;
            for scalar in along {
                // Where little is left, a long step would be one over the place.
                let one = self.size(point, &scalar.0);
                let by = match scalar.1 {
                    true if size == STEPS[0] => (size * one).min(CLOSE * here.left).max(f64::EPSILON * one),
                    true => size * one,
                    false => (size * 4.0).ceil(),
                };
                for by in [by, -by] {
                    let next = self.moved(point, scalar, by);
                    let found = self.distance(&next);
                    if found.less(Distance { left: 0.0, ..here }) || found.is_reached() {
                        return Some((next, found));
                    }
                    if found.level == here.level && found.left != here.left {
                        slopes.push((scalar, (found.left - here.left) / by));
                        if !scalar.1 && found.less(here) && best.as_ref().is_none_or(|(_, b)| found.less(*b)) {
                            best = Some((next, found));
                        }
                        break;
                    }
                }
            }
            for next in self.newton(point, here, &slopes) {
                let found = self.distance(&next);
                if found.less(Distance { left: GOOD * here.left, ..here }) {
                    return Some((next, found));
                }
                if found.less(best.as_ref().map_or(here, |(_, b)| *b)) {
                    best = Some((next, found));
                }
            }
            if best.is_some() || self.left == 0 {
                return best;
            }
        }
        None
    }

    /// Where the distance would be zero, were it as it is here: along one scalar, which is first
    /// the one that it depends on most, and along all floats.
    fn newton(&mut self, point: &[Val], here: Distance, slopes: &[(&Scalar, f64)]) -> Vec<Vec<Val>> {
        let mut sorted = slopes.to_vec();
        sorted.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let mut points = Vec::new();
        let floats: Vec<_> = sorted.iter().filter(|(scalar, _)| scalar.1).collect();
        let square: f64 = floats.iter().map(|(_, slope)| slope * slope).sum();
        for part in [BEYOND, 1.0, 0.5, 0.1] {
            if floats.len() > 1 {
                let one = |point: Vec<Val>, (scalar, slope): &&(&Scalar, f64)| {
                    self.moved(&point, scalar, -part * here.left * slope / square)
                };
                points.push(floats.iter().fold(point.to_vec(), one));
            }
            for (scalar, slope) in sorted.iter().take(2) {
                let by = -part * here.left / slope;
                points.push(self.moved(point, scalar, if scalar.1 { by } else { by.round() }));
            }
        }
        points
    }

    /// Points at which derivatives can be judged: not too close to where the branch begins.
    fn inside(&mut self, point: Vec<Val>, all: &[Scalar]) -> Vec<Drawn> {
        self.left = self.left.max(2 * INSIDE.len());
        let mut points = vec![point.clone()];
        for part in INSIDE {
            let mut sides = Vec::new();
            for sign in [1.0, -1.0] {
                let (mut next, mut moves) = (point.clone(), false);
                for scalar in all.iter().filter(|scalar| scalar.1) {
                    let way = self.value(&point, &scalar.0) - self.value(&self.start.point, &scalar.0);
                    if way != 0.0 {
                        let by = sign * way.signum() * part * self.size(&point, &scalar.0);
                        next = self.moved(&next, scalar, by);
                        moves = true;
                    }
                }
                if moves && self.distance(&next).is_reached() {
                    sides.push(next);
                }
            }
            if !sides.is_empty() {
                points.extend(sides);
                if points.len() > 3 {
                    break;
                }
            }
        }
        points.reverse();
        points.into_iter().map(|point| self.drawn(point, all)).collect()
    }

    fn drawn(&self, point: Vec<Val>, all: &[Scalar]) -> Drawn {
        let moves = |scalar: &&Scalar| self.value(&point, &scalar.0) != self.value(&self.start.point, &scalar.0);
        let floats = all.iter().filter(|scalar| scalar.1);
        let far = floats.clone().any(|scalar| self.value(&point, &scalar.0).abs() > USUAL);
        let kind = if far { Kind::Far } else { Kind::Near };
        let is_moved = floats.clone().any(|scalar| moves(&scalar));
        let integers = all.iter().filter(|scalar| !scalar.1).any(|scalar| moves(&scalar));
        let floats = if is_moved { Some(kind) } else { self.start.beyond.floats };
        let beyond = Beyond { floats, integers: integers || self.start.beyond.integers };
        Drawn { beyond, ..self.start.at(point) }
    }
}
