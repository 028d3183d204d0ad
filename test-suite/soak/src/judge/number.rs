//! Numbers that carry derivatives: dual numbers for forward mode and tape nodes for reverse mode,
//! nested to any depth.
//!
//! Every running derivative operator opens a *level*. A number is a real, or a number of lower
//! levels with what one level knows about it: its tangent (forward mode) or its node on the level's
//! tape (reverse mode). An operation works on the highest level of its operands and treats all else
//! as constant. So derivatives of derivatives need no rules of their own, and levels are never
//! confused.
//!
//! A real carries a bound of its rounding error, by a running error analysis of first order: the
//! errors of the operands are propagated to the result, and a rounding of the result in its type is
//! added. Values themselves are not rounded. A result that the program computes from exact operands
//! is exact if it fits the type, because the compiler computes it in the same order. Terms and sums
//! of derivatives are never exact, because the compiler may sum in another order, with other
//! roundings. Therefore tangents and adjoints have bounds of their own: the magnitude of the terms
//! that were summed, times the precision.
//!
//! Nothing is judged where a function has a kink, jumps or is singular at the value that a program
//! computes, or closer to it than rounding can tell: [`Levels::stopped`].

use super::math::{Binary, Numbers, Plain, Unary, partial, slope};
use caustic_ir::FloatKind;
use caustic_ir::attr::round_to;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// A result that is computed in another order may differ by this many times the bound. The bound
/// counts one rounding for each operation, but the compiler's formulas for partials and products
/// may have several.
pub const SAFETY: f64 = 64.0;
/// The error of library functions, in units in the last place.
const LIBRARY: f64 = 4.0;

/// A float, and a bound of its error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Real {
    pub value: f64,
    pub error: f64,
}

/// The number of a running derivative operator; a later one is a higher level.
pub type Level = u32;

#[derive(Clone, Debug)]
pub enum Num {
    Real(Real),
    Deep(Rc<Deep>),
}

/// A number of lower levels, with what one level knows about it.
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
    /// The highest level that knows something about it; 0 for reals.
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

/// A node of a tape.
#[derive(Clone, Debug)]
pub enum Node<C> {
    Input,
    /// The nodes that it was computed from, with the partial derivatives.
    Op(SmallVec<[(usize, Num); 2]>),
    /// A call whose outputs are later nodes, and which is differentiated by a call.
    Call(C),
}

/// A tape: nodes in the order of their creation, each with the type of its number.
pub struct Tape<C>(pub Vec<(Node<C>, FloatKind)>);

/// The open levels, and arithmetic on their numbers. `C` is a tape's record of a call of a custom
/// derivative.
pub struct Levels<C> {
    /// The levels that differentiate the running code; the innermost is the last.
    pub active: Vec<(Level, Mode)>,
    tapes: FxHashMap<Level, Tape<C>>,
    last: Level,
    /// The type to which results are rounded.
    pub kind: FloatKind,
    /// The reason why nothing can be said about the program here.
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

/// Whether the second type contains every number of the first.
fn widens(from: FloatKind, to: FloatKind) -> bool {
    unit(to).0 <= unit(from).0
}

/// Whether multiplying by it only changes exponent and sign.
fn is_power_of_two(x: Real) -> bool {
    x.error == 0.0 && x.value.is_normal() && x.value.to_bits() << 12 == 0
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

    /// Ends the innermost level. Returns its tape.
    pub fn close(&mut self) -> Tape<C> {
        let level = self.active.pop().map_or(0, |(level, _)| level);
        self.tapes.remove(&level).unwrap_or(Tape(Vec::new()))
    }

    pub fn stop(&mut self, why: &str) {
        self.stopped.get_or_insert_with(|| why.to_string());
    }

    /// A number with a tangent. A tangent that happens to be zero is kept: its product with an
    /// infinite partial is NaN, and a kink still counts.
    pub fn with_tangent(&self, level: Level, under: Num, tangent: Num) -> Num {
        Num::Deep(Rc::new(Deep { level, under, part: Part::Tangent(tangent) }))
    }

    /// A number with a new node on the level's tape.
    pub fn with_node(&mut self, level: Level, under: Num, node: Node<C>) -> Num {
        let kind = self.kind;
        let Some(tape) = self.tapes.get_mut(&level) else {
            self.stop("internal: a level has no tape");
            return under;
        };
        tape.0.push((node, kind));
        Num::Deep(Rc::new(Deep { level, under, part: Part::Node(tape.0.len() - 1) }))
    }

    /// Appends a call to the level's tape. Returns its index.
    pub fn record(&mut self, level: Level, call: C) -> usize {
        let kind = self.kind;
        let Some(tape) = self.tapes.get_mut(&level) else {
            self.stop("internal: a level has no tape");
            return 0;
        };
        tape.0.push((Node::Call(call), kind));
        tape.0.len() - 1
    }

    /// Replaces the call at an index of the level's tape.
    pub fn replace(&mut self, level: Level, at: usize, call: C) {
        match self.tapes.get_mut(&level).and_then(|t| t.0.get_mut(at)) {
            Some(place) => place.0 = Node::Call(call),
            None => self.stop("internal: a level has no tape"),
        }
    }

    /// The number without what `level` knows about it, and that knowledge.
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

    /// The sum of terms of a derivative. The order of the terms is not defined, and one order may
    /// round where another does not. So each term counts as rounded, even if the sum is exact in
    /// this order.
    pub fn add(&mut self, a: &Num, b: &Num) -> Num {
        match (a, b) {
            _ if a.is_exactly(0.0) => b.clone(),
            _ if b.is_exactly(0.0) => a.clone(),
            (Num::Real(a), Num::Real(b)) => {
                self.bounded(a.value + b.value, a.error + b.error, a.value.abs() + b.value.abs())
            }
            _ => {
                let level = a.level().max(b.level());
                let ((under_a, part_a), (under_b, part_b)) = (self.split(a, level), self.split(b, level));
                let under = self.add(&under_a, &under_b);
                let terms = [part_a, part_b].into_iter().flatten().map(|p| (p, Num::exact(1.0)));
                let terms: SmallVec<[_; 2]> = terms.collect();
                self.follow(level, under, &terms)
            }
        }
    }

    /// A term of a derivative: a product of partial derivatives, whose order is not defined either.
    pub fn scale(&mut self, factor: &Num, x: &Num) -> Num {
        match (factor, x) {
            _ if factor.is_exactly(1.0) => x.clone(),
            _ if factor.is_exactly(-1.0) => self.unary(Unary::Neg, x),
            (Num::Real(_), Num::Real(_)) if factor.is_exactly(0.0) || x.is_exactly(0.0) => Num::exact(0.0),
            (Num::Real(a), Num::Real(b)) => {
                let value = a.value * b.value;
                self.bounded(value, a.value.abs() * b.error + b.value.abs() * a.error, value.abs())
            }
            _ => {
                let level = factor.level().max(x.level());
                let ((under_a, part_a), (under_b, part_b)) = (self.split(factor, level), self.split(x, level));
                let under = self.scale(&under_a, &under_b);
                let terms = [(part_a, under_b), (part_b, under_a)].into_iter().filter_map(|(p, by)| Some((p?, by)));
                let terms: SmallVec<[_; 2]> = terms.collect();
                self.follow(level, under, &terms)
            }
        }
    }

    /// `a · b + c`, rounded once.
    pub fn fused(&mut self, a: &Num, b: &Num, c: &Num) -> Num {
        if let (Num::Real(x), Num::Real(y), Num::Real(z)) = (a, b, c) {
            let value = x.value.mul_add(y.value, z.value);
            let propagated = x.value.abs() * y.error + y.value.abs() * x.error + z.error;
            return self.bounded(value, propagated, value.abs());
        }
        let level = a.level().max(b.level()).max(c.level());
        let [(a, part_a), (b, part_b), (c, part_c)] = [a, b, c].map(|x| self.split(x, level));
        let under = self.fused(&a, &b, &c);
        let terms = [(part_a, b), (part_b, a), (part_c, Num::exact(1.0))];
        let terms: SmallVec<[_; 3]> = terms.into_iter().filter_map(|(p, by)| Some((p?, by))).collect();
        self.follow(level, under, &terms)
    }

    /// A value with the propagated errors of the operands, and the rounding of a number of that
    /// magnitude.
    fn bounded(&mut self, value: f64, propagated: f64, magnitude: f64) -> Num {
        let (unit, smallest) = unit(self.kind);
        self.exactly(value, propagated + unit * magnitude + smallest)
    }

    /// A value that is not rounded, because the type contains it if it is finite there.
    fn exactly(&mut self, value: f64, error: f64) -> Num {
        if !round_to(value, self.kind).is_finite() {
            self.stop("a number is not finite in its type");
        }
        Num::Real(Real { value, error })
    }

    fn fits(&self, value: f64) -> bool {
        round_to(value, self.kind) == value
    }

    /// The result of a conversion in the program, from a number of the type `from` to the current
    /// type. A number that is known exactly is rounded as the program rounds it. For others the
    /// rounding is not known and adds to the error.
    pub fn converted(&mut self, x: &Num, from: FloatKind) -> Num {
        match x {
            Num::Real(r) if r.error == 0.0 => self.exactly(round_to(r.value, self.kind), 0.0),
            Num::Real(_) => self.carried(x, from),
            Num::Deep(d) => {
                let under = self.converted(&d.under, from);
                self.carried_part(d, under, from)
            }
        }
    }

    /// A term of a derivative of the type `from`, in the current type. It is not defined whether
    /// the compiler rounds the term or its factors, so a rounding adds to the error unless there is
    /// nothing to round. Equal conversions in the program may be merged; then their terms are
    /// summed before they are widened.
    pub fn carried(&mut self, x: &Num, from: FloatKind) -> Num {
        match x {
            Num::Real(r) if widens(from, self.kind) => self.exactly(r.value, r.error + unit(from).0 * r.value.abs()),
            Num::Real(r) if r.error == 0.0 && self.fits(r.value) => self.exactly(r.value, r.error),
            Num::Real(r) => self.bounded(r.value, r.error, r.value.abs()),
            Num::Deep(d) => {
                let under = self.carried(&d.under, from);
                self.carried_part(d, under, from)
            }
        }
    }

    fn carried_part(&mut self, d: &Deep, under: Num, from: FloatKind) -> Num {
        let part = match &d.part {
            Part::Tangent(t) => Part::Tangent(self.carried(t, from)),
            node => node.clone(),
        };
        self.follow(d.level, under, &[(part, Num::exact(1.0))])
    }

    /// A result of the level, from its value on lower levels and the partial derivative for each
    /// operand that the level knows.
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

    /// Whether rounding could make `distance` zero.
    fn is_within(distance: f64, error: f64) -> bool {
        distance.abs() <= SAFETY * error
    }

    /// The values of the operands of a comparison. Stops if they cannot be told apart.
    pub fn compared(&mut self, a: &Num, b: &Num) -> (f64, f64) {
        let (a, b) = (a.base(), b.base());
        // Operands with equal values and errors were computed in the same way. If only the values
        // are equal, as those of a number and its conversion, invisible roundings may decide.
        if a != b && Self::is_within(a.value - b.value, a.error + b.error) {
            self.stop("rounding decides a comparison");
        }
        (a.value, b.value)
    }

    /// Stops if it is not known on which side of a jump `x` is.
    fn check_jump(&mut self, f: Unary, x: Real, differentiated: bool) {
        let distance = f.to_jump(x.value);
        if Self::is_within(distance, x.error) && (x.error > 0.0 || differentiated) {
            self.stop("rounding decides on which side of a jump it is");
        }
    }

    /// Stops if a function of a number that is differentiated has no derivative at `x`.
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
            // 0 to a power, or a negative number to a power that is differentiated by its exponent.
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
        // A constant of a formula, which the type need not contain.
        if self.fits(value) { self.exactly(value, 0.0) } else { self.bounded(value, 0.0, value.abs()) }
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
                    Unary::Sqrt => r.error == 0.0 && value.mul_add(value, -r.value) == 0.0 && self.fits(value),
                    _ => f.steps(),
                };
                if exact {
                    return self.exactly(value, propagated);
                }
                let ulps = if f == Unary::Sqrt { 1.0 } else { LIBRARY };
                self.bounded(value, propagated, ulps * value.abs())
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
            // Exact for all operands of the type. A power of two keeps all digits of a normal
            // number.
            let (unit, smallest) = unit(self.kind);
            let is_normal = value.abs() >= smallest / unit;
            let is_zero = |x: &Real| x.value == 0.0 && x.error == 0.0;
            let always_exact = match f {
                Binary::Add | Binary::Sub => is_zero(a) || is_zero(b),
                Binary::Mul => is_zero(a) || is_zero(b) || is_normal && (is_power_of_two(*a) || is_power_of_two(*b)),
                Binary::Div => is_normal && is_power_of_two(*b),
                Binary::Min | Binary::Max | Binary::CopySign | Binary::Rem => true,
                Binary::Atan2 | Binary::Pow => false,
            };
            // Exact for these operands, but not for others near them, so they must be known
            // exactly.
            let exact_here = match f {
                _ if a.error > 0.0 || b.error > 0.0 || !self.fits(value) => false,
                Binary::Add | Binary::Sub => {
                    let b = if f == Binary::Sub { -b.value } else { b.value };
                    let rest = value - a.value;
                    (a.value - (value - rest)) + (b - rest) == 0.0
                }
                Binary::Mul => a.value.mul_add(b.value, -value) == 0.0,
                Binary::Div => value.mul_add(b.value, -a.value) == 0.0,
                _ => false,
            };
            if f == Binary::Rem {
                let ratio = a.value / b.value;
                let error = (a.error + ratio.abs() * b.error) / b.value.abs();
                self.check_jump(Unary::Trunc, Real { value: ratio, error }, false);
            }
            if f == Binary::CopySign && b.error > 0.0 && Self::is_within(b.value, b.error) {
                self.stop("rounding decides a sign");
            }
            if always_exact || exact_here {
                return self.exactly(value, propagated);
            }
            let ulps = if matches!(f, Binary::Atan2 | Binary::Pow) { LIBRARY } else { 1.0 };
            return self.bounded(value, propagated, ulps * value.abs());
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
