//! Numbers that carry derivatives: dual numbers for forward mode, places on a tape for reverse mode, in each other to any depth.
//!
//! Every derivative operator that runs opens a *level*. A number is a real, or a number of lower levels with what one level knows about it: its tangent
//! (forward mode) or its place on the level's tape (reverse mode). An operation works on the highest level of its operands and treats the rest
//! as constants, so derivatives of derivatives come out of themselves, and levels cannot be taken for each other.
//!
//! A real carries a bound of its rounding error, by running error analysis to first order: what the errors of the operands make of the result, and a
//! rounding of the result in its type. Tangents, adjoints and partials are numbers like others, so each has a bound of its own, which is
//! the magnitude of the terms that it was summed from, times the precision.
//!
//! Where a function has a kink, jumps or is singular at (or nearer to than rounding can tell) what a program computes, nothing is judged: [`Levels::stopped`].

use super::math::{Binary, Numbers, Plain, Unary, partial, slope};
use caustic_ir::FloatKind;
use caustic_ir::attr::round_to;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Another order of computing the same stays within so many times the bound: the bound counts one rounding an operation, the compiler's
/// formulas for partials and products may have several where the judge has one.
pub const SAFETY: f64 = 64.0;
/// Units in the last place that library functions are off.
const LIBRARY: f64 = 4.0;

/// A float, and how far it may be off.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Real {
    pub value: f64,
    pub error: f64,
}

/// Derivative operators that run are counted; a later one is a higher level.
pub type Level = u32;

#[derive(Clone, Debug)]
pub enum Num {
    Real(Real),
    Deep(Rc<Deep>),
}

/// A number of lower levels with what one level knows about it.
#[derive(Debug)]
pub struct Deep {
    level: Level,
    under: Num,
    part: Part,
}

#[derive(Clone, Debug)]
pub enum Part {
    Tangent(Num),
    Node(usize),
}

impl Num {
    pub fn exact(value: f64) -> Num {
        Num::Real(Real { value, error: 0.0 })
    }
    pub fn base(&self) -> Real {
        match self {
            Num::Real(r) => *r,
            Num::Deep(d) => d.under.base(),
        }
    }
    /// The highest level that knows something about it; 0 of reals.
    fn level(&self) -> Level {
        match self {
            Num::Real(_) => 0,
            Num::Deep(d) => d.level,
        }
    }
    fn is_exactly(&self, value: f64) -> bool {
        matches!(self, Num::Real(r) if r.value == value && r.error == 0.0)
    }
}

/// A mode of differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Forward,
    Reverse,
}

/// What stands on a tape.
#[derive(Clone, Debug)]
pub enum Node<C> {
    Input,
    /// The nodes that it was made from, with the partial derivatives by them.
    Op(SmallVec<[(usize, Num); 2]>),
    /// What later nodes are outputs of, which is pulled back by a call.
    Call(C),
}

/// A tape: nodes in the order in which they were made, each with the type of its number.
pub struct Tape<C>(pub Vec<(Node<C>, FloatKind)>);

/// The levels that are open, and arithmetic on their numbers. `C` is what a tape holds of calls of given derivatives.
pub struct Levels<C> {
    /// Levels that differentiate the code that runs, the innermost last.
    pub active: Vec<(Level, Mode)>,
    tapes: FxHashMap<Level, Tape<C>>,
    last: Level,
    /// The type in which results are rounded.
    pub kind: FloatKind,
    /// Why nothing can be said about the program here.
    pub stopped: Option<String>,
}

fn unit(kind: FloatKind) -> (f64, f64) {
    // Half a unit in the last place, and half the smallest number.
    match kind {
        FloatKind::F16 => (0.5f64.powi(11), 0.5f64.powi(25)),
        FloatKind::F32 => (0.5f64.powi(24), 0.5f64.powi(150)),
        FloatKind::F64 => (0.5f64.powi(53), 0.0),
    }
}

impl<C> Default for Levels<C> {
    fn default() -> Levels<C> {
        Levels { active: Vec::new(), tapes: FxHashMap::default(), last: 0, kind: FloatKind::F64, stopped: None }
    }
}

impl<C: Clone> Levels<C> {
    pub fn open(&mut self, mode: Mode) -> Level {
        self.last += 1;
        self.active.push((self.last, mode));
        if mode == Mode::Reverse {
            self.tapes.insert(self.last, Tape(Vec::new()));
        }
        self.last
    }

    /// Ends the innermost level; what its tape holds.
    pub fn close(&mut self) -> Tape<C> {
        let level = self.active.pop().map_or(0, |(level, _)| level);
        self.tapes.remove(&level).unwrap_or(Tape(Vec::new()))
    }

    pub fn stop(&mut self, why: &str) {
        self.stopped.get_or_insert_with(|| why.to_string());
    }

    /// A number with a tangent. One that turns out to be zero is kept: times an infinite partial it is no number, and a corner is still one.
    pub fn with_tangent(&self, level: Level, under: Num, tangent: Num) -> Num {
        Num::Deep(Rc::new(Deep { level, under, part: Part::Tangent(tangent) }))
    }

    /// A number with a place of its own on the level's tape.
    pub fn with_node(&mut self, level: Level, under: Num, node: Node<C>) -> Num {
        let kind = self.kind;
        let Some(tape) = self.tapes.get_mut(&level) else {
            self.stop("internal: a level has no tape");
            return under;
        };
        tape.0.push((node, kind));
        Num::Deep(Rc::new(Deep { level, under, part: Part::Node(tape.0.len() - 1) }))
    }

    /// Puts a call on the level's tape; its place.
    pub fn record(&mut self, level: Level, call: C) -> usize {
        let kind = self.kind;
        let Some(tape) = self.tapes.get_mut(&level) else {
            self.stop("internal: a level has no tape");
            return 0;
        };
        tape.0.push((Node::Call(call), kind));
        tape.0.len() - 1
    }

    /// Puts another call in a place of the level's tape.
    pub fn replace(&mut self, level: Level, at: usize, call: C) {
        match self.tapes.get_mut(&level).and_then(|t| t.0.get_mut(at)) {
            Some(place) => place.0 = Node::Call(call),
            None => self.stop("internal: a level has no tape"),
        }
    }

    /// The number without what `level` knows about it, and that.
    pub fn split(&self, x: &Num, level: Level) -> (Num, Option<Part>) {
        match x {
            Num::Deep(d) if d.level == level => (d.under.clone(), Some(d.part.clone())),
            _ => (x.clone(), None),
        }
    }

    pub fn tangent(&self, x: &Num, level: Level) -> Num {
        match self.split(x, level).1 {
            Some(Part::Tangent(t)) => t,
            _ => Num::exact(0.0),
        }
    }

    pub fn node(&self, x: &Num, level: Level) -> Option<usize> {
        match self.split(x, level).1 {
            Some(Part::Node(n)) => Some(n),
            _ => None,
        }
    }

    pub fn add(&mut self, a: &Num, b: &Num) -> Num {
        match () {
            () if a.is_exactly(0.0) => b.clone(),
            () if b.is_exactly(0.0) => a.clone(),
            () => self.binary(Binary::Add, a, b),
        }
    }

    pub fn scale(&mut self, factor: &Num, x: &Num) -> Num {
        match () {
            () if factor.is_exactly(1.0) => x.clone(),
            () if factor.is_exactly(-1.0) => self.unary(Unary::Neg, x),
            () => self.binary(Binary::Mul, factor, x),
        }
    }

    /// The value in the type at hand: `propagated` is what the operands' errors make of it.
    fn rounded(&mut self, value: f64, propagated: f64, exact: bool, ulps: f64) -> Num {
        let (unit, smallest) = unit(self.kind);
        let in_type = round_to(value, self.kind);
        if !in_type.is_finite() {
            self.stop("a number is not finite in its type");
        }
        let exact = exact && in_type == value;
        let own = if exact { 0.0 } else { ulps * unit * value.abs() + smallest };
        Num::Real(Real { value, error: propagated + own })
    }

    /// A number converted to the type at hand.
    pub fn converted(&mut self, x: &Num) -> Num {
        match x {
            Num::Real(r) => self.rounded(r.value, r.error, true, 1.0),
            Num::Deep(d) => {
                let under = self.converted(&d.under);
                let part = match &d.part {
                    Part::Tangent(t) => Part::Tangent(self.converted(t)),
                    node => node.clone(),
                };
                self.follow(d.level, under, &[(part, Num::exact(1.0))])
            }
        }
    }

    /// A result of the level, from its value on lower levels and, for each operand that the level knows, the partial derivative by it.
    fn follow(&mut self, level: Level, under: Num, terms: &[(Part, Num)]) -> Num {
        let mut tangent = Num::exact(0.0);
        let mut sources: SmallVec<[(usize, Num); 2]> = SmallVec::new();
        for (part, partial) in terms {
            match part {
                Part::Node(n) => sources.push((*n, partial.clone())),
                Part::Tangent(t) => {
                    let term = self.scale(partial, t);
                    tangent = self.add(&tangent, &term);
                }
            }
        }
        if sources.is_empty() {
            return self.with_tangent(level, under, tangent);
        }
        self.with_node(level, under, Node::Op(sources))
    }

    /// Whether rounding could bring `distance` to zero.
    fn is_within(distance: f64, error: f64) -> bool {
        distance.abs() <= SAFETY * error
    }

    /// Says of a comparison whether its operands can be told apart.
    pub fn compared(&mut self, a: &Num, b: &Num) -> (f64, f64) {
        let (a, b) = (a.base(), b.base());
        // What is equal to the last bit was computed alike.
        if a.value != b.value && Self::is_within(a.value - b.value, a.error + b.error) {
            self.stop("rounding decides a comparison");
        }
        (a.value, b.value)
    }

    /// Says of a function that jumps whether it is known where it is.
    fn check_jump(&mut self, f: Unary, x: Real, differentiated: bool) {
        let distance = f.to_jump(x.value);
        if Self::is_within(distance, x.error) && (x.error > 0.0 || differentiated) {
            self.stop("rounding decides on which side of a jump it is");
        }
    }

    /// Says where a function of a number that is differentiated has no derivative.
    fn check_corner(&mut self, f: Unary, x: Real) {
        use Unary::*;
        let to_corner = match f {
            Abs | Sqrt | Rsqrt | Cbrt | Log | Log2 | Log10 => x.value,
            Asin | Acos | Atanh => 1.0 - x.value.abs(),
            Acosh => 1.0 - x.value,
            Log1p => 1.0 + x.value,
            _ => return,
        };
        if Self::is_within(to_corner, x.error) {
            self.stop("a function is differentiated at a corner");
        }
    }

    fn check_corner_of_two(&mut self, f: Binary, a: Real, b: Real, by_second: bool) {
        let error = a.error + b.error;
        let at_corner = match f {
            Binary::Min | Binary::Max => Self::is_within(a.value - b.value, error),
            Binary::Atan2 => Self::is_within(a.value.hypot(b.value), error),
            Binary::Div => Self::is_within(b.value, b.error),
            // 0 to a power, or a power of what is negative by its exponent.
            Binary::Pow => Self::is_within(a.value, a.error) || by_second && a.value < 0.0,
            Binary::CopySign => Self::is_within(a.value, a.error),
            _ => false,
        };
        if at_corner {
            self.stop("a function of two numbers is differentiated at a corner");
        }
    }
}

impl<C: Clone> Numbers for Levels<C> {
    type N = Num;

    fn real(&mut self, value: f64) -> Num {
        // A constant of a formula, which need not be a number of the type.
        self.rounded(value, 0.0, true, 1.0)
    }

    fn value(&self, x: &Num) -> f64 {
        x.base().value
    }

    fn unary(&mut self, f: Unary, x: &Num) -> Num {
        match x {
            Num::Real(r) => {
                self.check_jump(f, *r, false);
                let value = f.value(r.value);
                let propagated = match r.error {
                    0.0 => 0.0,
                    error => slope(&mut Plain, f, &r.value, &value).abs() * error,
                };
                let exact = match f {
                    Unary::Neg | Unary::Abs => true,
                    Unary::Sqrt => value.mul_add(value, -r.value) == 0.0,
                    _ => f.steps(),
                };
                let ulps = if f == Unary::Sqrt { 1.0 } else { LIBRARY };
                self.rounded(value, propagated, exact, ulps)
            }
            Num::Deep(d) => {
                self.check_corner(f, x.base());
                self.check_jump(f, x.base(), true);
                let under = self.unary(f, &d.under);
                if f.steps() {
                    return under;
                }
                let partial = slope(self, f, &d.under, &under);
                self.follow(d.level, under, &[(d.part.clone(), partial)])
            }
        }
    }

    fn binary(&mut self, f: Binary, a: &Num, b: &Num) -> Num {
        if let (Num::Real(a), Num::Real(b)) = (a, b) {
            let value = f.value(a.value, b.value);
            let mut propagated = 0.0;
            for (first, error) in [(true, a.error), (false, b.error)] {
                if error != 0.0 {
                    propagated += partial(&mut Plain, f, first, &a.value, &b.value, &value).abs() * error;
                }
            }
            let exact = match f {
                Binary::Add | Binary::Sub => {
                    let b = if f == Binary::Sub { -b.value } else { b.value };
                    let rest = value - a.value;
                    (a.value - (value - rest)) + (b - rest) == 0.0
                }
                Binary::Mul => a.value.mul_add(b.value, -value) == 0.0,
                Binary::Div => value.mul_add(b.value, -a.value) == 0.0,
                Binary::Min | Binary::Max | Binary::CopySign | Binary::Rem => true,
                Binary::Atan2 | Binary::Pow => false,
            };
            if f == Binary::Rem {
                let ratio = a.value / b.value;
                let error = (a.error + ratio.abs() * b.error) / b.value.abs();
                self.check_jump(Unary::Trunc, Real { value: ratio, error }, false);
            }
            if f == Binary::CopySign && b.error > 0.0 && Self::is_within(b.value, b.error) {
                self.stop("rounding decides a sign");
            }
            let ulps = if matches!(f, Binary::Atan2 | Binary::Pow) { LIBRARY } else { 1.0 };
            return self.rounded(value, propagated, exact, ulps);
        }
        let level = a.level().max(b.level());
        let ((under_a, part_a), (under_b, part_b)) = (self.split(a, level), self.split(b, level));
        self.check_corner_of_two(f, a.base(), b.base(), part_b.is_some());
        if f == Binary::Rem {
            let (a, b) = (a.base(), b.base());
            self.check_jump(Unary::Trunc, Real { value: a.value / b.value, error: 0.0 }, true);
        }
        let under = self.binary(f, &under_a, &under_b);
        let mut terms: SmallVec<[(Part, Num); 2]> = SmallVec::new();
        for (first, part) in [(true, part_a), (false, part_b)] {
            if let Some(part) = part {
                terms.push((part, partial(self, f, first, &under_a, &under_b, &under)));
            }
        }
        self.follow(level, under, &terms)
    }
}
