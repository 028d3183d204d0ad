//! The numbers that a function compares with, or clamps to: what it computes beyond one of them may
//! be other code, with a derivative that is wrong there only.

use super::thresholds;
use caustic_dialects::call_graph::{callee, mentioned};
use caustic_dialects::{arith, func, scf, vector};
use caustic_ir::{Attr, AttrKind, Body, Module, Name, OpId, ValueId};
use std::collections::HashSet;

/// Sides that are drawn from at most.
const MOST: usize = 64;
/// Beyond this, differences have few digits, and what counts up to it takes long.
const LARGEST: f64 = 1e6;
const LARGEST_INTEGER: u64 = 330;
/// Smaller ones are as zero: between them and zero there is no room for differences.
const SMALLEST: f64 = 1e-4;
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
}

impl Constants {
    /// Those of functions of a module and of all that these call.
    pub fn of(module: &Module, reached: &HashSet<Name>) -> Constants {
        let (mut floats, mut integers, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let symbols = module.symbols().iter().filter(|s| reached.contains(&s.name));
        for body in symbols.map(|s| &s.body) {
            for op in body.walk_all() {
                let mut add = |attr: Attr| scalars(attr, &mut floats, &mut integers);
                // What calls hand on and give, callees and callers may compare with.
                if compares(body, op) || callee(body, op).is_some() || func::Return::is(body, op) {
                    body.operands(op).iter().filter_map(|&v| constant(body, v)).for_each(&mut add);
                }
                if compares(body, op)
                    && let [a, b] = *body.operands(op)
                {
                    places.extend([(a, b), (b, a)].into_iter().flat_map(|(of, with)| places_of(body, of, with)));
                }
                if let Some(switch) = scf::IndexSwitch::cast(body, op) {
                    let cases = switch.cases(body).unwrap_or_default();
                    if let Some(&of) = body.operands(op).first() {
                        let cases = cases.iter().take(MOST);
                        places.extend(cases.flat_map(|&n| thresholds::places(body, of, n as f64)));
                    }
                    integers.extend(cases);
                }
            }
        }
        places.extend(&floats);
        let [floats, mut places] = [floats, places].map(in_order);
        places.truncate(MOST);
        integers.retain(|n| n.unsigned_abs() <= LARGEST_INTEGER);
        integers.sort_unstable();
        integers.dedup();
        let sides = floats.into_iter().flat_map(|of| [true, false].map(|above| Side { of, above }));
        Constants { sides: sides.take(MOST).collect(), integers, places }
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

/// Whether an op gives something else on both sides of an operand.
fn compares(body: &Body, op: OpId) -> bool {
    let clamps = [
        arith::MinNumF::is,
        arith::MaxNumF::is,
        arith::MinimumF::is,
        arith::MaximumF::is,
        arith::MinSI::is,
        arith::MaxSI::is,
        arith::MinUI::is,
        arith::MaxUI::is,
    ];
    arith::CmpF::is(body, op) || arith::CmpI::is(body, op) || clamps.iter().any(|is| is(body, op))
}

/// Those that can be drawn beside, first those beyond other points.
fn in_order(mut floats: Vec<f64>) -> Vec<f64> {
    floats.retain(|x| x.abs() <= LARGEST);
    floats.iter_mut().filter(|x| x.abs() < SMALLEST).for_each(|x| *x = 0.0);
    floats.sort_by(|a, b| (a.abs() <= USUAL).cmp(&(b.abs() <= USUAL)).then(a.total_cmp(b)));
    floats.dedup();
    floats
}

/// Where what a value is computed of is when it reaches a constant.
fn places_of(body: &Body, of: ValueId, with: ValueId) -> Vec<f64> {
    let (mut floats, mut integers) = (Vec::new(), Vec::new());
    if constant(body, of).is_none()
        && let Some(attr) = constant(body, with)
    {
        scalars(attr, &mut floats, &mut integers);
    }
    floats.extend(integers.into_iter().map(|n| n as f64));
    floats.into_iter().flat_map(|x| thresholds::places(body, of, x)).collect()
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
