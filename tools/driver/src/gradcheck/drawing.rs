//! What samples are drawn from. Each number depends on the seed, the number of the sample and the
//! place of what is drawn among what the function takes and reads, and on nothing else: what one
//! option adds to a check leaves the points of other functions alone, and names decide nothing.

use super::constants::Constants;
use super::memory::Memory;
use super::probes::{self, Probe};
use super::values::{Domain, Floats, Integers, Random, Sign, integers_in, keep_one, of_held, random, with_floats};
use caustic_dialects::signature::Signature;
use caustic_ir::Type;
use caustic_ir::eval::Val;

/// Where points come from: attempts go round. Narrow and positive ranges serve functions with small
/// domains.
pub const RANGES: [(f64, f64); 4] = [(-2.0, 2.0), (0.1, 1.9), (-0.9, 0.9), (0.05, 0.95)];

/// The kinds of samples, which go round as well. The first ones are plain: a function with a small
/// domain has no others.
const KINDS: [Kind; 16] = {
    use Kind::{Far, Near, Plain};
    [Plain, Plain, Near, Far, Plain, Plain, Near, Plain, Plain, Near, Plain, Far, Plain, Near, Plain, Plain]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// Beside what the function compares with.
    Near,
    /// Of magnitudes up to some hundreds.
    Far,
    /// With negative and larger integers.
    Wide,
}

/// What of a sample is drawn.
#[derive(Clone, Copy)]
enum What {
    Point,
    Memory,
    Direction,
    Weight,
    Along,
    Kept,
}

/// Samples of one kind that may trap before no more of it are drawn.
const TRAPS: usize = 3;

/// What samples of a function are drawn from.
pub struct Source<'a> {
    pub signature: &'a Signature,
    pub memory: &'a Memory,
    pub constants: &'a Constants,
    /// Where all floats are to come from.
    pub range: Option<(f64, f64)>,
    pub seed: u64,
}

/// What a sample is of: a point, the memory there, a direction, and weights of the results.
pub struct Drawn {
    pub point: Vec<Val>,
    pub memory: Memory,
    pub v: Vec<Option<Val>>,
    pub w: Vec<Option<Val>>,
    pub along: Vec<Vec<f64>>,
    /// For what the function may not be meant.
    pub beyond: Beyond,
}

impl Drawn {
    /// Between this sample and another of the same form, which differs in floats only.
    pub fn toward(&self, other: &Drawn, part: f64) -> Drawn {
        let points = self.point.iter().zip(&other.point);
        let mut between = self.at(points.map(|(a, b)| Drawn::between(a, b, part)).collect());
        between.memory.toward(&other.memory, part);
        between
    }

    fn between(a: &Val, b: &Val, part: f64) -> Val {
        match (a, b) {
            (Val::Float(a), Val::Float(b)) => Val::Float(a + part * (b - a)),
            (Val::Agg(a), Val::Agg(b)) => {
                Val::agg(a.iter().zip(b.iter()).map(|(a, b)| Drawn::between(a, b, part)).collect())
            }
            _ => a.clone(),
        }
    }

    /// The same at another point.
    pub fn at(&self, point: Vec<Val>) -> Drawn {
        let Drawn { memory, v, w, along, beyond, .. } = self;
        Drawn { point, memory: memory.clone(), v: v.clone(), w: w.clone(), along: along.clone(), beyond: *beyond }
    }
}

/// Which numbers of a sample are beyond the plain ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Beyond {
    pub floats: Option<Kind>,
    pub integers: bool,
}

impl Beyond {
    /// Operations of one call: such numbers may make loops long.
    pub fn steps(self) -> u64 {
        match (self.floats, self.integers) {
            (Some(_), _) => 1 << 18,
            (None, true) => 1 << 20,
            (None, false) => u64::MAX,
        }
    }

    /// Whether such a sample may take the function where it does not end, or traps.
    pub fn any(self) -> bool {
        self.floats.is_some() || self.integers
    }

    pub fn is_near(self) -> bool {
        self.floats == Some(Kind::Near)
    }

    pub fn is_far(self) -> bool {
        self.floats == Some(Kind::Far)
    }
}

/// How many samples of each kind trapped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trapped([usize; 3]);

impl Trapped {
    fn place(kind: Kind) -> Option<usize> {
        [Kind::Near, Kind::Far, Kind::Wide].iter().position(|&k| k == kind)
    }

    pub fn add(&mut self, beyond: Beyond) {
        for kind in beyond.floats.into_iter().chain(beyond.integers.then_some(Kind::Wide)) {
            if let Some(place) = Trapped::place(kind) {
                self.0[place] += 1;
            }
        }
    }

    fn allows(&self, kind: Kind) -> bool {
        Trapped::place(kind).is_none_or(|place| self.0[place] < TRAPS)
    }
}

impl<'a> Source<'a> {
    /// The same sample with plain floats, another one by each number.
    pub fn plain(&self, drawn: &Drawn, number: u64) -> Drawn {
        let r = |what: What, i: usize| Random::of(&[self.seed, number, what as u64, i as u64]);
        let (low, high) = self.range.unwrap_or(RANGES[number as usize % RANGES.len()]);
        let point = drawn.point.iter().enumerate();
        let point = point.map(|(i, value)| {
            let mut r = r(What::Point, i);
            with_floats(value, &mut |_| r.float(low, high))
        });
        let mut plain = drawn.at(point.collect());
        plain.memory.draw_floats(Domain::of((low, high)), &|i| r(What::Memory, i));
        plain
    }

    /// The sample with a number, which counts attempts as well, at this attempt. Nothing for a
    /// function that takes resources.
    pub fn draw(&self, number: usize, attempt: usize, trapped: &Trapped) -> Option<Drawn> {
        self.draw_of(self.domain(number, trapped), number, attempt)
    }

    /// The sample that a probe asks for, which is this one of its list. Nothing where the function
    /// takes none of what it is about.
    pub fn draw_at(&self, probe: Probe, points: &[f64], place: usize) -> Option<Drawn> {
        let plain = self.range.unwrap_or(RANGES[place % RANGES.len()]);
        let is_about_integers = matches!(probe, Probe::Integer(_) | Probe::Bits(_));
        let integers: usize = self.signature.inputs.iter().map(|&t| integers_in(t)).sum();
        if is_about_integers && integers == 0 {
            return None;
        }
        let always = integers == 1;
        let turn = place as u64;
        let floats = match probe {
            Probe::Beside(turn) => Floats::At { points, turn: turn as u64, always: false, plain },
            Probe::Together(gap) => Floats::Together { gap, turn, plain },
            Probe::Integer(_) | Probe::Bits(_) => Floats::Range(plain.0, plain.1),
        };
        let integers = match probe {
            Probe::Integer(n) => Integers::At { n, always },
            Probe::Bits(chosen) => Integers::Bits { of: &self.constants.bits, chosen, always },
            Probe::Beside(_) | Probe::Together(_) => Integers::Small,
        };
        let floats_beyond = (!is_about_integers).then_some(Kind::Near);
        let beyond = Beyond { floats: floats_beyond, integers: is_about_integers };
        self.draw_of((Domain { floats, integers }, beyond), probes::number(place), 0)
    }

    fn draw_of(&self, (domain, beyond): (Domain<'_>, Beyond), number: usize, attempt: usize) -> Option<Drawn> {
        let s = self.signature;
        let r = |what: What, i: usize| Random::of(&[self.seed, number as u64, attempt as u64, what as u64, i as u64]);
        // The first one begins with the first constant.
        let is_together = matches!(domain.floats, Floats::Together { .. });
        let turn = |i: usize| match i {
            _ if is_together => i as u64,
            0 => 0,
            _ => Random::of(&[i as u64]).next() >> 33,
        };
        let inputs = s.inputs.iter().enumerate();
        let is_at = matches!(domain.floats, Floats::At { .. });
        let always = |t: Type| t.is_float() && (!is_at || s.inputs.len() == 1);
        let point = inputs.map(|(i, &t)| random(t, domain.turned(turn(i), always(t)), &mut r(What::Point, i)));
        let point = point.collect::<Option<Vec<Val>>>()?;
        let mut memory = self.memory.clone();
        memory.draw(domain, &|i| r(What::Memory, i));
        let unit = Domain::of((-1.0, 1.0));
        let draw = |d: Type, r: &mut Random| random(d, unit, r).unwrap_or(Val::Float(0.0));
        let mut v = Vec::new();
        for (i, value) in point.iter().enumerate() {
            let one = |d: Type| of_held(s.inputs[i], value, &draw(d, &mut r(What::Direction, i)));
            v.push(s.input_differential(i).map(one));
        }
        let weight = |i: usize| s.result_differential(i).map(|d| draw(d, &mut r(What::Weight, i)));
        let w = (0..s.results.len()).map(weight).collect();
        let mut along = memory.directions(&|i| r(What::Along, i));
        if number % 3 == 2 {
            keep_one(&mut v, &mut along, &mut r(What::Kept, 0));
        }
        Some(Drawn { point, memory, v, w, along, beyond })
    }

    /// Where the numbers of a sample are drawn from.
    fn domain(&self, number: usize, trapped: &Trapped) -> (Domain<'a>, Beyond) {
        let plain = self.range.unwrap_or(RANGES[number % RANGES.len()]);
        let round = number / KINDS.len();
        let nth = |kind: Kind| {
            let count = |kinds: &[Kind]| kinds.iter().filter(|k| **k == kind).count();
            round * count(&KINDS) + count(&KINDS[..number % KINDS.len()])
        };
        let kind = KINDS[number % KINDS.len()];
        let is_drawn = match kind {
            Kind::Near => !self.constants.is_empty(),
            Kind::Far => self.range.is_none(),
            Kind::Plain | Kind::Wide => false,
        };
        let kind = if is_drawn && trapped.allows(kind) { kind } else { Kind::Plain };
        let wide = number % 5 == 4 && trapped.allows(Kind::Wide);
        let turn = nth(kind) as u64;
        let floats = match kind {
            Kind::Near => Floats::Near { sides: &self.constants.sides, turn, always: false, plain },
            Kind::Far => Floats::Far([Sign::Plus, Sign::Any, Sign::Plus, Sign::Minus][nth(kind) % 4]),
            Kind::Plain | Kind::Wide => Floats::Range(plain.0, plain.1),
        };
        let integers = match kind {
            // Counts beside constants make loops long: every other time.
            Kind::Near if nth(kind).is_multiple_of(2) || self.constants.sides.is_empty() => {
                Integers::Near { of: &self.constants.integers, turn }
            }
            _ if wide => Integers::Wide,
            _ => Integers::Small,
        };
        let integers_beyond = wide && !matches!(integers, Integers::Near { .. });
        (
            Domain { floats, integers },
            Beyond { floats: (kind != Kind::Plain).then_some(kind), integers: integers_beyond },
        )
    }
}
