//! The numbers that a function compares with, or clamps to: what it computes beyond one of them may
//! be other code, with a derivative that is wrong there only.

use super::thresholds;
use caustic_dialects::call_graph::{callee, mentioned};
use caustic_dialects::{agg, arith, func, scf, vector};
use caustic_ir::{Attr, AttrKind, Body, Module, Name, OpId, ValueId};
use std::collections::HashSet;

/// Sides that are drawn from at most.
const MOST: usize = 64;
/// Beyond this, differences have few digits, and what counts up to it takes long.
const LARGEST: f64 = 1e6;
const LARGEST_INTEGER: u64 = 330;
/// Smaller ones are as zero: between them and zero there is no room for differences.
const SMALLEST: f64 = 1e-4;
/// The same where points are looked for that lie between such numbers.
const NARROWEST: f64 = 4e-5;
/// Integers that are looked at by themselves, since few samples reach them.
const FAR: usize = 32;
/// Bits of masks.
const BITS: usize = 16;
/// How far apart values may be that are compared with each other, at most.
const WIDEST: f64 = 4.0;
const GAPS: usize = 2;
/// The integers of plain samples.
const SMALL: std::ops::Range<i64> = 0..6;
/// What all points are drawn from reaches so far.
const USUAL: f64 = 1.9;

/// One side of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    pub of: f64,
    pub above: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// Both sides of each; first of those that no other point is beyond.
    pub sides: Vec<Side>,
    pub integers: Vec<i64>,
    /// Where floats are when what is computed of them reaches one: first those that no other point
    /// is beyond.
    pub places: Vec<f64>,
    /// Integers beyond the others, or where what is computed of integers reaches one.
    pub far: Vec<i64>,
    /// Integers of one bit, each of a mask.
    pub bits: Vec<i64>,
    /// How far apart floats are where one of them reaches another.
    pub gaps: Vec<f64>,
}

impl Constants {
    /// Those of functions of a module and of all that these call.
    pub fn of(module: &Module, reached: &HashSet<Name>) -> Constants {
        let mut found = Found::default();
        for symbol in module.symbols().iter().filter(|s| reached.contains(&s.name)) {
            let body = &symbol.body;
            body.walk_all().into_iter().for_each(|op| found.add(module, body, op));
        }
        found.in_order()
    }

    /// Those of which one side is within a range of floats.
    pub fn within(mut self, (low, high): (f64, f64)) -> Constants {
        self.sides.retain(
            |side| if side.above { low <= side.of && side.of < high } else { low < side.of && side.of <= high },
        );
        self
    }

    pub fn is_empty(&self) -> bool {
        self.sides.is_empty() && self.integers.is_empty()
    }
}

/// What functions compare with, as it is found.
#[derive(Default)]
struct Found {
    floats: Vec<f64>,
    integers: Vec<i64>,
    places: Vec<f64>,
    /// Where integers are when what is computed of them reaches one.
    solved: Vec<f64>,
    bits: Vec<f64>,
    gaps: Vec<f64>,
}

impl Found {
    fn add(&mut self, module: &Module, body: &Body, op: OpId) {
        // What calls hand on and give, callees and callers may compare with.
        if has_sides(body, op) || callee(body, op).is_some() || func::Return::is(body, op) {
            for &v in body.operands(op) {
                self.numbers(body, v);
            }
        }
        if has_sides(body, op)
            && let [a, b] = *body.operands(op)
        {
            self.comparison(module, body, a, b);
            self.comparison(module, body, b, a);
            if arith::CmpF::is(body, op) && [a, b].iter().all(|&v| constant(body, v).is_none()) {
                self.gaps.extend(thresholds::gaps(body, [a, b]));
            }
        }
        if arith::AndI::is(body, op)
            && let [a, b] = *body.operands(op)
        {
            for (of, mask) in [(a, b), (b, a)] {
                let (mut masks, mut floats) = (Vec::new(), Vec::new());
                constant(body, mask).into_iter().for_each(|mask| scalars(mask, &mut floats, &mut masks));
                let Some(mask) = masks.into_iter().find(|mask| *mask > 0) else { continue };
                let each = (0..i32::BITS).map(|k| 1i64 << k).filter(|bit| mask & bit != 0);
                self.bits.extend(each.filter_map(|bit| lowest(&thresholds::places(module, body, of, bit as f64))));
            }
        }
        if let Some(switch) = scf::IndexSwitch::cast(body, op) {
            let cases = switch.cases(body).unwrap_or_default();
            if let Some(&of) = body.operands(op).first() {
                for &n in cases.iter().take(MOST) {
                    let places = thresholds::places(module, body, of, n as f64);
                    self.solved.extend(&places);
                    self.places.extend(places);
                }
            }
            self.integers.extend(cases);
        }
    }

    /// The numbers that a value is, or is one of.
    fn numbers(&mut self, body: &Body, value: ValueId) {
        tabled(body, value).into_iter().for_each(|attr| scalars(attr, &mut self.floats, &mut self.integers));
    }

    /// Where what a value is computed of is when it reaches a number.
    fn comparison(&mut self, module: &Module, body: &Body, of: ValueId, with: ValueId) {
        if constant(body, of).is_some() {
            return;
        }
        let (mut floats, mut integers) = (Vec::new(), Vec::new());
        tabled(body, with).into_iter().for_each(|attr| scalars(attr, &mut floats, &mut integers));
        for x in floats {
            let origin = thresholds::origin(module, body, of, x);
            self.gaps.extend(thresholds::gaps_at(body, &origin));
            self.places.extend(origin.places);
        }
        for n in integers {
            let places = thresholds::places(module, body, of, n as f64);
            self.solved.extend(&places);
            self.places.extend(places);
        }
    }

    fn in_order(mut self) -> Constants {
        self.places.extend(&self.floats);
        let (floats, mut places) = (in_order(self.floats, SMALLEST), in_order(self.places, NARROWEST));
        places.truncate(MOST);
        let mut far: Vec<i64> = self.integers.iter().copied().filter(|n| is_far(*n)).collect();
        self.integers.retain(|n| !is_far(*n));
        sort(&mut self.integers);
        far.extend(self.solved.iter().filter(|x| x.abs() <= f64::from(i32::MAX)).map(|x| *x as i64));
        far.retain(|n| !self.integers.contains(n) && !SMALL.contains(n) && *n <= i64::from(i32::MAX));
        sort(&mut far);
        far.truncate(FAR);
        let mut bits: Vec<i64> = self.bits.iter().filter(|x| **x <= f64::from(i32::MAX)).map(|x| *x as i64).collect();
        sort(&mut bits);
        bits.truncate(BITS);
        let mut gaps = self.gaps;
        gaps.retain(|gap| (NARROWEST..=WIDEST).contains(gap));
        gaps.sort_by(f64::total_cmp);
        gaps.dedup();
        gaps.truncate(GAPS);
        let sides = floats.into_iter().flat_map(|of| [true, false].map(|above| Side { of, above }));
        Constants { sides: sides.take(MOST).collect(), integers: self.integers, places, far, bits, gaps }
    }
}

fn is_far(n: i64) -> bool {
    n.unsigned_abs() > LARGEST_INTEGER
}

fn sort(numbers: &mut Vec<i64>) {
    numbers.sort_unstable();
    numbers.dedup();
}

fn lowest(places: &[f64]) -> Option<f64> {
    places.iter().copied().filter(|x| *x > 0.0).reduce(f64::min)
}

/// All symbols that code leads to from these.
pub fn reached(module: &Module, from: impl IntoIterator<Item = Name>) -> HashSet<Name> {
    let mut open: Vec<Name> = from.into_iter().collect();
    let mut found: HashSet<Name> = open.iter().copied().collect();
    while let Some(symbol) = open.pop().map(|name| module.get(name)) {
        let Some(symbol) = symbol else { continue };
        mentioned(symbol, &mut |name| {
            if found.insert(name) {
                open.push(name);
            }
        });
    }
    found
}

/// Whether an op compares its operands.
pub(super) fn compares(body: &Body, op: OpId) -> bool {
    arith::CmpF::is(body, op) || arith::CmpI::is(body, op)
}

/// Whether an op gives the smaller or the larger one of its operands.
pub(super) fn clamps(body: &Body, op: OpId) -> bool {
    let kinds = [
        arith::MinNumF::is,
        arith::MaxNumF::is,
        arith::MinimumF::is,
        arith::MaximumF::is,
        arith::MinSI::is,
        arith::MaxSI::is,
        arith::MinUI::is,
        arith::MaxUI::is,
    ];
    kinds.iter().any(|is| is(body, op))
}

/// Whether an op gives something else on both sides of an operand.
fn has_sides(body: &Body, op: OpId) -> bool {
    compares(body, op) || clamps(body, op)
}

/// Those that can be drawn beside, first those beyond other points.
fn in_order(mut floats: Vec<f64>, smallest: f64) -> Vec<f64> {
    floats.retain(|x| x.abs() <= LARGEST);
    floats.iter_mut().filter(|x| x.abs() < smallest).for_each(|x| *x = 0.0);
    floats.sort_by(|a, b| (a.abs() <= USUAL).cmp(&(b.abs() <= USUAL)).then(a.total_cmp(b)));
    floats.dedup();
    floats
}

/// The constant that a value is, or all of a table that it is an element of.
fn tabled(body: &Body, value: ValueId) -> Vec<Attr> {
    if let Some(attr) = constant(body, value) {
        return vec![attr];
    }
    let Some(op) = body.def_op(value).filter(|&op| agg::Extract::is(body, op)) else { return Vec::new() };
    let table = body.operands(op).first().and_then(|&table| body.def_op(table));
    let Some(table) = table.filter(|&table| agg::Make::is(body, table)) else { return Vec::new() };
    body.operands(table).iter().take(MOST).filter_map(|&v| constant(body, v)).collect()
}

/// The constant that a value is in each lane, or made of.
pub(super) fn constant(body: &Body, value: ValueId) -> Option<Attr> {
    let op = body.def_op(value)?;
    match vector::Broadcast::is(body, op) {
        true => arith::constant_of(body, *body.operands(op).first()?),
        false => arith::constant_of(body, value),
    }
}

fn scalars(attr: Attr, floats: &mut Vec<f64>, integers: &mut Vec<i64>) {
    match attr.kind() {
        AttrKind::Dense(items, _) => items.iter().for_each(|&item| scalars(item, floats, integers)),
        AttrKind::Int(n, ty) if ty.scalar_bits() != Some(1) => integers.push(*n),
        AttrKind::Float(..) => floats.extend(attr.as_float().filter(|x| x.is_finite())),
        _ => {}
    }
}
