//! Where an index lies, as numbers that a kernel computes when it begins.
//!
//! An index such as `clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)` is no sum
//! of what is known at the beginning, but its least and its greatest value follow from `width` and
//! `height`: interval arithmetic that the kernel does itself, once, in 64 bits. What it takes for
//! granted on the way (no sum or product leaves 32 bits, no factor is negative) become conditions.
//!
//! A side that nothing bounds is never asked for: the greatest of an unknown number and 0 is no
//! less than 0. Where one side of a `min` or `max` is enough, the one is taken that is the same for
//! all threads; and bounds that are, rather than a thread's own value.
//!
//! This module must not know: what is made of the conditions.

use super::conditions::last_of;
use crate::analysis::ranges::range_of;
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::{scf, simt};
use caustic_ir::{Body, Builder, Cloner, OpId, Type, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values behind each other that are looked through, and in all.
const DEPTH: u32 = 16;
const MOST_NODES: usize = 96;
/// Ops that are written once more for one value.
const MOST_COPIED: usize = 12;
/// Ranges that follow from the program alone are taken if they are no wider than this: what follows
/// from a type says nothing.
const MOST_KNOWN: i64 = 1 << 20;
const LEAST_WORD: i64 = -(1 << 31);
const END_OF_WORDS: i64 = 1 << 31;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    Low,
    High,
}

/// How a value's span follows from others, by their numbers.
#[derive(Clone, Copy)]
enum Kind {
    Unknown,
    Range(i64, i64),
    /// A value that is known at the place, or that pure ops make of such, and whether it is the
    /// same for all threads.
    Exact(ValueId, bool),
    /// A counter from the one to before the other, by steps that are known if it begins with 0.
    Counter(usize, usize, i64),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Min(usize, usize),
    Max(usize, usize),
    /// Either of them.
    Either(usize, usize),
    /// From 0 to before this.
    Below(usize),
    /// The same, where it is no less than zero.
    Unsigned(usize),
}

/// What can be said of one side: whether it is the same for all threads that run in step; `None`,
/// if nothing bounds it.
type Known = Option<bool>;

#[derive(Clone, Copy)]
struct Node {
    kind: Kind,
    low: Known,
    high: Known,
}

/// How the spans of values follow from each other.
#[derive(Default)]
pub(crate) struct Spans {
    nodes: Vec<Node>,
    /// What is known at the place, of all that spans are computed from.
    pub leaves: FxHashSet<ValueId>,
    /// Ops that make more of it, each behind those that it takes the results of.
    copied: Vec<OpId>,
}

/// Finds the spans of values at one place of a kernel.
pub(crate) struct Finder<'a> {
    body: &'a Body,
    known: &'a dyn Fn(ValueId) -> bool,
    differ: &'a FxHashSet<ValueId>,
    spans: Spans,
    of: FxHashMap<ValueId, usize>,
}

/// The code of spans, as it is written.
pub(crate) struct Written<'a> {
    spans: &'a Spans,
    copies: Cloner,
    sides: FxHashMap<(usize, Side), ValueId>,
    checked: FxHashSet<usize>,
    pub flags: Vec<ValueId>,
}

/// A side that both bounds are needed for.
fn both(a: Known, b: Known) -> Known {
    Some(a? && b?)
}

/// A side that one bound is enough for: of two that both tell, if one differs between threads, the
/// other.
fn either(a: Known, b: Known) -> Known {
    Some(a.or(b)? || b.unwrap_or(false))
}

impl Spans {
    pub fn is_uniform(&self, node: usize) -> bool {
        let Node { low, high, .. } = self.nodes[node];
        low == Some(true) && high == Some(true)
    }

    fn add(&mut self, kind: Kind) -> usize {
        let of = |n: usize| (self.nodes[n].low, self.nodes[n].high);
        let whole = |n: usize| both(of(n).0, of(n).1);
        let (low, high) = match kind {
            Kind::Unknown => (None, None),
            Kind::Range(..) => (Some(true), Some(true)),
            Kind::Exact(_, uniform) => (Some(uniform), Some(uniform)),
            Kind::Counter(from, to, _) => (of(from).0, of(to).1),
            // What may wrap says nothing.
            Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Mul(a, b) => (both(whole(a), whole(b)), both(whole(a), whole(b))),
            Kind::Min(a, b) => (both(of(a).0, of(b).0), either(of(a).1, of(b).1)),
            Kind::Max(a, b) => (either(of(a).0, of(b).0), both(of(a).1, of(b).1)),
            Kind::Either(a, b) => (both(of(a).0, of(b).0), both(of(a).1, of(b).1)),
            Kind::Below(a) => (whole(a), whole(a)),
            Kind::Unsigned(a) => (of(a).0, whole(a)),
        };
        self.nodes.push(Node { kind, low, high });
        self.nodes.len() - 1
    }

    fn known(&self, node: usize, side: Side) -> Known {
        if side == Side::Low { self.nodes[node].low } else { self.nodes[node].high }
    }

    fn is_bound(&self, node: usize) -> bool {
        self.nodes[node].low.is_some() && self.nodes[node].high.is_some()
    }

    /// Which of two bounds of a `min` or `max` is taken alone, if one is.
    fn alone(&self, a: usize, b: usize, side: Side) -> Option<usize> {
        match (self.known(a, side), self.known(b, side)) {
            (Some(_), None) | (Some(true), Some(false)) => Some(a),
            (None, Some(_)) | (Some(false), Some(true)) => Some(b),
            _ => None,
        }
    }
}

impl<'a> Finder<'a> {
    /// At a place where these values are `known`, or can be, and of threads between which those
    /// differ.
    pub fn new(body: &'a Body, known: &'a dyn Fn(ValueId) -> bool, differ: &'a FxHashSet<ValueId>) -> Finder<'a> {
        Finder { body, known, differ, spans: Spans::default(), of: FxHashMap::default() }
    }

    pub fn spans(self) -> Spans {
        self.spans
    }

    /// The number of a value whose both sides can be computed.
    pub fn find(&mut self, value: ValueId) -> Option<usize> {
        let mut node = self.node(value, DEPTH);
        if !self.spans.is_uniform(node) && self.is_exact(value) {
            // It is looked at by itself.
            node = self.spans.add(Kind::Exact(value, false));
        }
        Some(node).filter(|&n| self.spans.is_bound(n) && self.spans.nodes.len() <= MOST_NODES)
    }

    pub fn is_uniform(&self, node: usize) -> bool {
        self.spans.is_uniform(node)
    }

    fn node(&mut self, value: ValueId, fuel: u32) -> usize {
        if let Some(&node) = self.of.get(&value) {
            return node;
        }
        let kind = self.kind(value, fuel).unwrap_or(Kind::Unknown);
        let node = self.spans.add(kind);
        self.of.insert(value, node);
        node
    }

    fn kind(&mut self, value: ValueId, fuel: u32) -> Option<Kind> {
        let body = self.body;
        let ty = body.ty(value);
        (ty == Type::int(32) || ty == Type::index()).then_some(())?;
        if let Some(constant) = arith::constant_of(body, value).and_then(|a| a.as_int()) {
            return Some(Kind::Range(constant, constant)).filter(|_| constant.abs() < END_OF_WORDS);
        }
        let fuel = fuel.checked_sub(1).filter(|_| self.spans.nodes.len() < MOST_NODES)?;
        let defined = body.def_op(value);
        if self.is_exact(value) {
            let uniform = !self.differ.contains(&value);
            let bounds = defined.filter(|_| !uniform).and_then(|op| self.of_op(op, fuel));
            return bounds.filter(|&kind| self.has_common_side(kind)).or(Some(Kind::Exact(value, uniform)));
        }
        let (least, greatest) = range_of(body, value);
        if least >= -MOST_KNOWN && greatest < MOST_KNOWN {
            return Some(Kind::Range(least, greatest));
        }
        if let ValueDef::Arg { block, index: 0 } = body.def(value) {
            let loop_ = scf::For::cast(body, body.parent_op(block)?)?;
            let step = arith::constant_of(body, loop_.step(body)).and_then(|a| a.as_int());
            let step = step.filter(|&n| n > 0)?;
            let [from, to] = [loop_.lower(body), loop_.upper(body)].map(|v| self.node(v, fuel));
            let begins_with_0 = matches!(self.spans.nodes[from].kind, Kind::Range(0, 0));
            return Some(Kind::Counter(from, to, if begins_with_0 { step } else { 1 }));
        }
        self.of_op(defined?, fuel)
    }

    /// Whether one side is the same for all threads: a condition on it then stands for what each of
    /// them would compute by itself.
    fn has_common_side(&mut self, kind: Kind) -> bool {
        let node = self.spans.add(kind);
        let Node { low, high, .. } = self.spans.nodes[node];
        self.spans.is_bound(node) && (low == Some(true) || high == Some(true))
    }

    /// Whether a value is known at the place, or pure ops make it of such values; then notes these.
    fn is_exact(&mut self, value: ValueId) -> bool {
        let (mut leaves, mut ops) = (Vec::new(), Vec::new());
        let exact = self.made_of(value, &mut leaves, &mut ops);
        if exact {
            self.spans.leaves.extend(leaves);
            let new: Vec<OpId> = ops.into_iter().filter(|op| !self.spans.copied.contains(op)).collect();
            self.spans.copied.extend(new);
        }
        exact
    }

    fn made_of(&self, value: ValueId, leaves: &mut Vec<ValueId>, ops: &mut Vec<OpId>) -> bool {
        if (self.known)(value) {
            leaves.push(value);
            return true;
        }
        let Some(op) = self.body.def_op(value).filter(|_| ops.len() < MOST_COPIED) else { return false };
        if ops.contains(&op) {
            return true;
        }
        let data = self.body.op(op);
        let pure = data.regions.is_empty() && data.def.is_pure() && !simt::converges(data.def);
        let made = pure && data.operands.iter().all(|&v| self.made_of(v, leaves, ops));
        if made {
            ops.push(op);
        }
        made
    }

    fn of_op(&mut self, op: OpId, fuel: u32) -> Option<Kind> {
        let body = self.body;
        let constant = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
        let mut part = |n: usize| self.node(body.operand(op, n), fuel);
        Some(match () {
            _ if arith::AddI::is(body, op) => Kind::Add(part(0), part(1)),
            _ if arith::SubI::is(body, op) => Kind::Sub(part(0), part(1)),
            _ if arith::MulI::is(body, op) => Kind::Mul(part(0), part(1)),
            _ if arith::MinSI::is(body, op) => Kind::Min(part(0), part(1)),
            _ if arith::MaxSI::is(body, op) => Kind::Max(part(0), part(1)),
            // Of numbers without a sign the lesser is below each that is none below zero.
            _ if arith::MinUI::is(body, op) => {
                let (a, b) = (part(0), part(1));
                let bound: Vec<usize> = [b, a].into_iter().filter(|&n| self.spans.is_bound(n)).collect();
                let uniform = bound.iter().find(|&&n| self.spans.is_uniform(n));
                let most = *uniform.or(bound.first())?;
                let one = self.spans.add(Kind::Range(1, 1));
                Kind::Below(self.spans.add(Kind::Add(most, one)))
            }
            _ if arith::RemUI::is(body, op) => Kind::Below(part(1)),
            _ if arith::AndI::is(body, op) => {
                let mask = constant(1).or_else(|| constant(0)).filter(|m| (0..MOST_KNOWN).contains(m))?;
                Kind::Range(0, mask)
            }
            _ if arith::Select::is(body, op) => Kind::Either(part(1), part(2)),
            _ if arith::IndexCast::is(body, op) => return Some(self.cast(op, fuel, false)),
            _ if arith::IndexCastUI::is(body, op) => return Some(self.cast(op, fuel, true)),
            _ => return None,
        })
    }

    fn cast(&mut self, op: OpId, fuel: u32, unsigned: bool) -> Kind {
        let from = self.body.operand(op, 0);
        let node = self.node(from, fuel);
        // A number of 64 bits that is cut off is one of 32, or it is none.
        let is_word = self.body.ty(from) == Type::int(32);
        if unsigned || !is_word { Kind::Unsigned(node) } else { self.spans.nodes[node].kind }
    }
}

impl<'a> Written<'a> {
    pub fn new(b: &mut Builder<'_>, spans: &'a Spans) -> Written<'a> {
        let mut copies = Cloner::new();
        for &op in &spans.copied {
            copies.clone_within(b.body, op, b.block, b.before);
        }
        Written { spans, copies, sides: FxHashMap::default(), checked: FxHashSet::default(), flags: Vec::new() }
    }

    fn holds(&mut self, b: &mut Builder<'_>, predicate: IntPredicate, value: ValueId, bound: i64) {
        let bound = arith::index(b, bound);
        let flag = arith::cmpi(b, predicate, value, bound);
        self.flags.push(flag);
    }

    /// The flags that say that both sides of a value are numbers of 32 bits.
    fn is_word(&mut self, b: &mut Builder<'_>, low: ValueId, high: ValueId) {
        self.holds(b, IntPredicate::Sge, low, LEAST_WORD);
        self.holds(b, IntPredicate::Slt, high, END_OF_WORDS);
    }

    /// That a value is inside of `end` elements.
    pub fn inside(&mut self, b: &mut Builder<'_>, node: usize, end: ValueId) -> Option<()> {
        if matches!(self.spans.nodes[node].kind, Kind::Add(..) | Kind::Sub(..) | Kind::Mul(..)) {
            // What is inside is a number of 32 bits.
            self.checked.insert(node);
        }
        let low = self.side(b, node, Side::Low)?;
        let high = self.side(b, node, Side::High)?;
        if low == high {
            let flag = arith::cmpi(b, IntPredicate::Ult, high, end);
            self.flags.push(flag);
            return Some(());
        }
        self.holds(b, IntPredicate::Sge, low, 0);
        let flag = arith::cmpi(b, IntPredicate::Slt, high, end);
        self.flags.push(flag);
        Some(())
    }

    fn side(&mut self, b: &mut Builder<'_>, node: usize, side: Side) -> Option<ValueId> {
        if let Some(&value) = self.sides.get(&(node, side)) {
            return Some(value);
        }
        let value = self.written(b, node, side)?;
        self.sides.insert((node, side), value);
        Some(value)
    }

    fn written(&mut self, b: &mut Builder<'_>, node: usize, side: Side) -> Option<ValueId> {
        let first = self.checked.insert(node);
        Some(match self.spans.nodes[node].kind {
            Kind::Unknown => return None,
            Kind::Range(low, high) => arith::index(b, if side == Side::Low { low } else { high }),
            Kind::Exact(value, _) => self.exact(b, value, node),
            Kind::Counter(from, to, step) => match side {
                Side::Low => self.side(b, from, side)?,
                Side::High => {
                    let end = self.side(b, to, side)?;
                    last_of(b, end, step)
                }
            },
            Kind::Add(x, y) => {
                let [low, high] = [Side::Low, Side::High].map(|s| {
                    let (x, y) = (self.side(b, x, s)?, self.side(b, y, s)?);
                    Some(arith::AddI::build(b, x, y, &[]))
                });
                self.both(b, node, (low?, high?), first, side)
            }
            Kind::Sub(x, y) => {
                let low = (self.side(b, x, Side::Low)?, self.side(b, y, Side::High)?);
                let high = (self.side(b, x, Side::High)?, self.side(b, y, Side::Low)?);
                let [low, high] = [low, high].map(|(x, y)| arith::SubI::build(b, x, y, &[]));
                self.both(b, node, (low, high), first, side)
            }
            Kind::Mul(x, y) => {
                let lows = (self.side(b, x, Side::Low)?, self.side(b, y, Side::Low)?);
                let highs = (self.side(b, x, Side::High)?, self.side(b, y, Side::High)?);
                self.holds(b, IntPredicate::Sge, lows.0, 0);
                self.holds(b, IntPredicate::Sge, lows.1, 0);
                let [low, high] = [lows, highs].map(|(x, y)| arith::MulI::build(b, x, y, &[]));
                self.both(b, node, (low, high), first, side)
            }
            Kind::Min(x, y) | Kind::Max(x, y) => {
                let least = matches!(self.spans.nodes[node].kind, Kind::Min(..));
                // The side that one of the two bounds by itself.
                let bounded = if least { Side::High } else { Side::Low };
                let alone = self.spans.alone(x, y, side).filter(|_| side == bounded);
                if let Some(one) = alone {
                    return self.side(b, one, side);
                }
                let (x, y) = (self.side(b, x, side)?, self.side(b, y, side)?);
                if least { arith::MinSI::build(b, x, y, &[]) } else { arith::MaxSI::build(b, x, y, &[]) }
            }
            Kind::Either(x, y) => {
                let (x, y) = (self.side(b, x, side)?, self.side(b, y, side)?);
                match side {
                    Side::Low => arith::MinSI::build(b, x, y, &[]),
                    Side::High => arith::MaxSI::build(b, x, y, &[]),
                }
            }
            Kind::Below(end) => {
                let (low, high) = (self.side(b, end, Side::Low)?, self.side(b, end, Side::High)?);
                if first {
                    self.holds(b, IntPredicate::Sge, low, 1);
                }
                let (zero, less) = (arith::index(b, 0), arith::index(b, -1));
                if side == Side::Low { zero } else { arith::AddI::build(b, high, less, &[]) }
            }
            Kind::Unsigned(x) => {
                let low = self.side(b, x, Side::Low)?;
                if first {
                    self.holds(b, IntPredicate::Sge, low, 0);
                }
                self.side(b, x, side)?
            }
        })
    }

    /// A value by itself, in 64 bits.
    fn exact(&mut self, b: &mut Builder<'_>, value: ValueId, node: usize) -> ValueId {
        let value = self.copies.get(value);
        let is_thread = b.body.def_op(value).is_some_and(|op| simt::is_thread_op(b.body.op(op).def));
        let wide = if b.ty(value) == Type::index() {
            if !is_thread {
                self.is_word(b, value, value);
            }
            value
        } else {
            arith::IndexCast::build(b, value, Type::index(), &[])
        };
        self.sides.extend([Side::Low, Side::High].map(|s| ((node, s), wide)));
        wide
    }

    /// Notes both sides of a sum, which is to be a number of 32 bits.
    fn both(
        &mut self,
        b: &mut Builder<'_>,
        node: usize,
        (low, high): (ValueId, ValueId),
        first: bool,
        side: Side,
    ) -> ValueId {
        if first {
            self.is_word(b, low, high);
        }
        self.sides.extend([((node, Side::Low), low), ((node, Side::High), high)]);
        if side == Side::Low { low } else { high }
    }
}
