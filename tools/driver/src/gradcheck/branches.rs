//! Which branches of a program a run takes, and how far it is from taking the others: what a
//! comparison lacks to come out the other way is the distance of its operands.

use super::constants::{clamps, compares, constant};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_dialects::call_graph::callee;
use caustic_dialects::scf;
use caustic_interp::Observer;
use caustic_ir::eval::Val;
use caustic_ir::{Body, Loc, Module, Name, OpDef, OpId, ValueId};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

/// What is as far as the farthest: an op that did not run, and one that nothing is known of.
const NOT_RUN: f64 = 1e9;
const UNKNOWN: f64 = f64::INFINITY;
/// What a strict comparison of equal floats lacks.
const LEAST: f64 = 1e-12;
/// How deep conditions are looked through.
const DEEPEST: usize = 8;

/// How far a run is from something: first how many conditions around it are in the way, then what
/// the first of them lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    pub level: u32,
    pub left: f64,
}

impl Distance {
    pub fn is_reached(self) -> bool {
        self.level == 0 && self.left == 0.0
    }

    pub fn less(self, other: Distance) -> bool {
        self.level.cmp(&other.level).then(self.left.total_cmp(&other.left)) == Ordering::Less
    }
}

/// What a run has shown: by function and op, how close each of its ways came.
#[derive(Default)]
pub struct Log(Mutex<HashMap<(usize, OpId), Vec<f64>>>);

/// The ways that a run took, in order.
pub type Path = Vec<(usize, OpId, Vec<bool>)>;

impl Log {
    /// The way of the run up to here; what follows is another one.
    pub fn path(&self) -> Path {
        let log = std::mem::take(&mut *self.0.lock().unwrap_or_else(|e| e.into_inner()));
        let ways = |ways: Vec<f64>| ways.into_iter().map(|left| left == 0.0).collect();
        let mut path: Path = log.into_iter().map(|((body, op), left)| (body, op, ways(left))).collect();
        path.sort_by_key(|(body, op, _)| (*body, op.index()));
        path
    }
}

fn key(body: &Body) -> usize {
    std::ptr::from_ref(body) as usize
}

/// What two scalars lack for an op to come out as true, and as false; of a clamp, for the first to
/// be less, and greater.
fn ways(body: &Body, op: OpId, a: &Val, b: &Val) -> [f64; 2] {
    let (holds, lacks) = match (a, b) {
        (Val::Float(a), Val::Float(b)) => {
            let holds =
                FloatPredicate::of(body, op).filter(|_| arith::CmpF::is(body, op)).map_or(a < b, |p| p.holds(*a, *b));
            let lacks = (a - b).abs();
            (
                holds,
                if lacks.is_nan() {
                    UNKNOWN
                } else if lacks == 0.0 {
                    LEAST
                } else {
                    lacks
                },
            )
        }
        (Val::Int(a), Val::Int(b)) => {
            let ty = body.ty(body.operand(op, 0)).elem();
            let holds =
                IntPredicate::of(body, op).filter(|_| arith::CmpI::is(body, op)).map_or(a < b, |p| p.holds(*a, *b, ty));
            (holds, (*a as f64 - *b as f64).abs().max(1.0))
        }
        _ => return [UNKNOWN; 2],
    };
    if holds { [0.0, lacks] } else { [lacks, 0.0] }
}

impl Observer for Log {
    fn asks_for(&self, def: &'static OpDef) -> bool {
        [arith::CmpF::DEF, arith::CmpI::DEF, scf::IndexSwitch::DEF].iter().any(|d| std::ptr::eq(*d, def))
            || CLAMP_DEFS.iter().any(|d| std::ptr::eq(*d, def))
    }

    fn sees(&self, body: &Body, op: OpId, operands: &[&Val]) {
        let found = match operands {
            [Val::Agg(a), Val::Agg(b)] => {
                let lanes = a.iter().zip(b.iter()).map(|(a, b)| ways(body, op, a, b));
                let closest = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].min(b[1])];
                lanes.reduce(closest).map(Vec::from).unwrap_or_default()
            }
            [a, b] => ways(body, op, a, b).to_vec(),
            [Val::Int(n)] => {
                let cases = scf::IndexSwitch::cast(body, op).and_then(|switch| switch.cases(body)).unwrap_or_default();
                let chosen = cases.contains(n);
                let case = |k: &i64| (*k as f64 - *n as f64).abs();
                std::iter::once(f64::from(u8::from(chosen))).chain(cases.iter().map(case)).collect()
            }
            _ => return,
        };
        // A lock is poisoned only by a panic, which goes on to whoever guards against it.
        let mut log = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let known = log.entry((key(body), op)).or_insert_with(|| vec![UNKNOWN; found.len()]);
        known.iter_mut().zip(found).for_each(|(known, found)| *known = known.min(found));
    }
}

const CLAMP_DEFS: [&OpDef; 8] = [
    arith::MinNumF::DEF,
    arith::MaxNumF::DEF,
    arith::MinimumF::DEF,
    arith::MaximumF::DEF,
    arith::MinSI::DEF,
    arith::MaxSI::DEF,
    arith::MinUI::DEF,
    arith::MaxUI::DEF,
];

/// A way that the program can go.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// A condition has this value.
    Value(ValueId, bool),
    /// An op goes the way of this number.
    Arm(OpId, usize),
}

#[derive(Clone, Copy)]
pub struct Goal<'m> {
    body: &'m Body,
    op: OpId,
    way: Way,
    pub function: Name,
}

/// The ways that functions can go. Code that was made of other code goes the ways of that.
pub fn goals<'m>(module: &'m Module, functions: &[&HashSet<Name>]) -> Vec<Goal<'m>> {
    let (mut goals, mut known) = (Vec::new(), HashSet::new());
    let mut done: HashSet<Name> = HashSet::new();
    for symbol in functions.iter().flat_map(|set| module.symbols().iter().filter(|s| set.contains(&s.name))) {
        if !done.insert(symbol.name) {
            continue;
        }
        let body = &symbol.body;
        for op in body.walk_all() {
            let place: Loc = body.loc(op).source();
            let mut add = |number: usize, way: Way| {
                if known.insert((place, body.op(op).def.name, number)) {
                    goals.push(Goal { body, op, way, function: symbol.name });
                }
            };
            let is_flag = |v: ValueId| body.ty(v).scalar_bits() == Some(1) && !body.ty(v).is_vector();
            if compares(body, op) || body.results(op).len() == 1 && joins(body, op) && is_flag(body.result(op, 0)) {
                [true, false].into_iter().for_each(|way| add(usize::from(way), Way::Value(body.result(op, 0), way)));
            } else if clamps(body, op) {
                (0..2).for_each(|arm| add(arm, Way::Arm(op, arm)));
            } else if let Some(cases) = scf::IndexSwitch::cast(body, op).and_then(|switch| switch.cases(body)) {
                (0..=cases.len()).for_each(|arm| add(arm, Way::Arm(op, arm)));
            }
        }
    }
    goals
}

/// Whether an op makes a condition of others.
fn joins(body: &Body, op: OpId) -> bool {
    arith::AndI::is(body, op) || arith::OrI::is(body, op) || scf::If::is(body, op) || arith::Select::is(body, op)
}

/// What is known after a run.
pub struct Ran<'m> {
    module: &'m Module,
    log: HashMap<(usize, OpId), Vec<f64>>,
}

impl<'m> Ran<'m> {
    pub fn new(module: &'m Module, log: Log) -> Ran<'m> {
        Ran { module, log: log.0.into_inner().unwrap_or_else(|e| e.into_inner()) }
    }

    /// How far the run was from going a way.
    pub fn distance(&self, goal: &Goal<'_>) -> Distance {
        let left = match goal.way {
            Way::Value(value, way) => self.lacks(goal.body, value, way, DEEPEST),
            Way::Arm(op, arm) => self.arm(goal.body, op, arm),
        };
        if left < NOT_RUN { Distance { level: 0, left } } else { self.approach(goal.body, goal.op, DEEPEST) }
    }

    fn arm(&self, body: &Body, op: OpId, arm: usize) -> f64 {
        self.log.get(&(key(body), op)).and_then(|ways| ways.get(arm)).copied().unwrap_or(NOT_RUN)
    }

    /// What a condition lacks to have a value.
    fn lacks(&self, body: &Body, value: ValueId, way: bool, depth: usize) -> f64 {
        let Some(op) = body.def_op(value).filter(|_| depth > 0) else { return UNKNOWN };
        if let Some(known) = constant(body, value) {
            return if known.as_int().is_some_and(|n| (n != 0) == way) { 0.0 } else { UNKNOWN };
        }
        if compares(body, op) {
            return self.arm(body, op, usize::from(!way));
        }
        let operands = body.operands(op);
        let of = |v: ValueId, way: bool| self.lacks(body, v, way, depth - 1);
        let both = |a: ValueId, b: ValueId, way: bool| of(a, way) + of(b, way);
        let chosen = |condition: ValueId, ways: [ValueId; 2]| {
            let [first, second] = [(true, ways[0]), (false, ways[1])].map(|(c, v)| of(condition, c) + of(v, way));
            first.min(second)
        };
        match *operands {
            [a, b] if arith::AndI::is(body, op) || arith::OrI::is(body, op) => match arith::AndI::is(body, op) == way {
                true => both(a, b, way),
                false => of(a, way).min(of(b, way)),
            },
            [a, b] if arith::XOrI::is(body, op) => (of(a, true) + of(b, !way)).min(of(a, false) + of(b, way)),
            [condition, a, b] if arith::Select::is(body, op) => chosen(condition, [a, b]),
            [condition] if scf::If::is(body, op) => {
                let number = body.results(op).iter().position(|&r| r == value);
                let given = |region: usize| {
                    let end = body.terminator(body.region_block(op, region)?)?;
                    body.operands(end).get(number?).copied()
                };
                given(0).zip(given(1)).map_or(UNKNOWN, |(a, b)| chosen(condition, [a, b]))
            }
            _ => UNKNOWN,
        }
    }

    /// How far the run was from an op.
    fn approach(&self, body: &Body, op: OpId, depth: usize) -> Distance {
        let (mut level, mut inner) = (0, op);
        while let Some(outer) = body.op(inner).block.and_then(|block| body.parent_op(block)) {
            level += 1;
            let within = |region: usize| body.region_block(outer, region) == body.op(inner).block;
            let left = match *body.operands(outer) {
                [condition] if scf::If::is(body, outer) => self.lacks(body, condition, within(0), DEEPEST),
                [_] if scf::IndexSwitch::is(body, outer) => {
                    let region = (0..body.op(outer).regions.len()).find(|&region| within(region));
                    region.map_or(UNKNOWN, |region| self.arm(body, outer, region))
                }
                _ if scf::While::is(body, outer) && within(1) => {
                    let end = body.region_block(outer, 0).and_then(|block| body.terminator(block));
                    let condition = end.and_then(|end| body.operands(end).first().copied());
                    condition.map_or(UNKNOWN, |condition| self.lacks(body, condition, true, DEEPEST))
                }
                _ => UNKNOWN,
            };
            if left > 0.0 && left < NOT_RUN {
                return Distance { level, left };
            }
            inner = outer;
        }
        level += 1;
        // Of a function that was not called, how far the run was from the first call of it.
        let called = |symbol: &&caustic_ir::SymbolOp| key(&symbol.body) == key(body);
        let name = self.module.symbols().iter().find(called).map(|symbol| symbol.name);
        let call = name.filter(|_| depth > 0).and_then(|name| {
            let all = self.module.symbols().iter().filter(|s| s.name != name);
            all.map(|s| &s.body)
                .find_map(|b| Some((b, b.walk_all().into_iter().find(|&op| callee(b, op) == Some(name))?)))
        });
        match call {
            Some((body, op)) => {
                let found = self.approach(body, op, depth - 1);
                Distance { level: level + found.level, ..found }
            }
            None => Distance { level, left: UNKNOWN },
        }
    }
}
