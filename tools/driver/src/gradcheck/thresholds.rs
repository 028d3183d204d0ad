//! Where a value has to be for what is computed of it to reach a constant that the function
//! compares with: `int(x) == 7` begins at 7 and ends at 8, and `x * 20 + 3 > 203` begins at 10.

use super::constants::constant;
use caustic_dialects::call_graph::callee;
use caustic_dialects::{arith, func, math};
use caustic_ir::{Body, Module, OpId, ValueId};
use std::f64::consts::PI;

/// Ops that are gone through at most.
const DEEPEST: usize = 16;
/// Places of one comparison at most: each rounding doubles them.
const MOST: usize = 8;

type Is = fn(&Body, OpId) -> bool;

/// Where the operand is, by what the result is.
type Inverse = fn(f64) -> &'static [fn(f64) -> f64];

fn same(_: f64) -> &'static [fn(f64) -> f64] {
    &[|y| y]
}

/// What rounds toward zero gives 0 between -1 and 1.
fn toward_zero(y: f64) -> &'static [fn(f64) -> f64] {
    match y {
        y if y > 0.0 => &[f64::floor, |y| y.floor() + 1.0],
        y if y < 0.0 => &[f64::ceil, |y| y.ceil() - 1.0],
        _ => &[|_| -1.0, |_| 1.0],
    }
}

fn down(_: f64) -> &'static [fn(f64) -> f64] {
    &[f64::floor, |y| y.floor() + 1.0]
}

fn up(_: f64) -> &'static [fn(f64) -> f64] {
    &[f64::ceil, |y| y.ceil() - 1.0]
}

fn nearest(_: f64) -> &'static [fn(f64) -> f64] {
    &[|y| y - 0.5, |y| y + 0.5]
}

fn both(_: f64) -> &'static [fn(f64) -> f64] {
    &[|y| y, |y| -y]
}

/// Places that are none are no numbers.
const UNARY: [(Is, Inverse); 40] = [
    (arith::NegF::is, |_| &[|y| -y]),
    (math::AbsF::is, both),
    (math::AbsI::is, both),
    (arith::SIToFP::is, same),
    (arith::UIToFP::is, same),
    (arith::ExtF::is, same),
    (arith::TruncF::is, same),
    (arith::ExtSI::is, same),
    (arith::ExtUI::is, same),
    (arith::TruncI::is, same),
    (arith::IndexCast::is, same),
    (arith::IndexCastUI::is, same),
    (arith::FPToSI::is, toward_zero),
    (arith::FPToUI::is, toward_zero),
    (math::Trunc::is, toward_zero),
    (math::Floor::is, down),
    (math::Ceil::is, up),
    (math::Round::is, nearest),
    (math::RoundEven::is, nearest),
    (math::Sqrt::is, |_| &[|y| y * y]),
    (math::Exp::is, |_| &[f64::ln]),
    (math::Exp2::is, |_| &[f64::log2]),
    (math::Log::is, |_| &[f64::exp]),
    (math::Log2::is, |_| &[f64::exp2]),
    (math::Log10::is, |_| &[|y| 10f64.powf(y)]),
    (math::Log1p::is, |_| &[f64::exp_m1]),
    (math::ExpM1::is, |_| &[f64::ln_1p]),
    (math::Cbrt::is, |_| &[|y| y * y * y]),
    (math::Rsqrt::is, |_| &[|y| 1.0 / (y * y)]),
    // What repeats itself gets there in its first period.
    (math::Sin::is, |_| &[f64::asin, |y| PI - y.asin()]),
    (math::Cos::is, |_| &[f64::acos, |y| -y.acos()]),
    (math::Tan::is, |_| &[f64::atan]),
    (math::Asin::is, |_| &[f64::sin]),
    (math::Acos::is, |_| &[f64::cos]),
    (math::Atan::is, |_| &[f64::tan]),
    (math::Sinh::is, |_| &[f64::asinh]),
    (math::Cosh::is, |_| &[f64::acosh, |y| -y.acosh()]),
    (math::Tanh::is, |_| &[f64::atanh]),
    (math::Asinh::is, |_| &[f64::sinh]),
    (math::Acosh::is, |_| &[f64::cosh]),
];

/// Of the result and the constant.
type Places = fn(f64, f64) -> [f64; 2];

const NONE: Places = |_, _| [f64::NAN; 2];
/// What repeats itself gets there in its first period, and in the second.
const REPEATED: Places = |y, k| [y, y + k];

/// With the constant on the right, and on the left.
const BINARY: [(Is, Places, Places); 18] = [
    (arith::AddF::is, |y, k| [y - k; 2], |y, k| [y - k; 2]),
    (arith::AddI::is, |y, k| [y - k; 2], |y, k| [y - k; 2]),
    (arith::SubF::is, |y, k| [y + k; 2], |y, k| [k - y; 2]),
    (arith::SubI::is, |y, k| [y + k; 2], |y, k| [k - y; 2]),
    (arith::MulF::is, |y, k| [y / k; 2], |y, k| [y / k; 2]),
    (arith::MulI::is, |y, k| [y / k; 2], |y, k| [y / k; 2]),
    (arith::DivF::is, |y, k| [y * k; 2], |y, k| [k / y; 2]),
    (arith::DivSI::is, |y, k| [y * k, (y + 1.0) * k], NONE),
    (arith::DivUI::is, |y, k| [y * k, (y + 1.0) * k], NONE),
    (arith::ShRSI::is, |y, k| [y * k.exp2(), (y + 1.0) * k.exp2()], NONE),
    (arith::ShRUI::is, |y, k| [y * k.exp2(), (y + 1.0) * k.exp2()], NONE),
    (arith::RemF::is, REPEATED, NONE),
    (arith::RemSI::is, REPEATED, NONE),
    (arith::RemUI::is, REPEATED, NONE),
    (arith::AndI::is, |y, k| [y, y + k + 1.0], |y, k| [y, y + k + 1.0]),
    (arith::MinNumF::is, |y, _| [y; 2], |y, _| [y; 2]),
    (arith::MaxNumF::is, |y, _| [y; 2], |y, _| [y; 2]),
    (math::PowF::is, |y, k| [y.powf(1.0 / k); 2], NONE),
];

/// What a value is computed of, and where that is.
pub struct Origin {
    pub value: ValueId,
    pub places: Vec<f64>,
}

/// Where the value is that `value` is computed of, once it is `reached`. What is not computed of
/// one value and constants is taken as it is.
pub fn origin(module: &Module, body: &Body, value: ValueId, reached: f64) -> Origin {
    followed(module, body, Origin { value, places: vec![reached] }, DEEPEST)
}

/// The places alone.
pub fn places(module: &Module, body: &Body, value: ValueId, reached: f64) -> Vec<f64> {
    origin(module, body, value, reached).places
}

fn followed(module: &Module, body: &Body, mut origin: Origin, depth: usize) -> Origin {
    for left in (0..depth).rev() {
        let Some(op) = body.def_op(origin.value) else { break };
        let Some(mut next) = before(body, op, &origin.places).or_else(|| through(module, body, op, &origin, left))
        else {
            break;
        };
        next.places.retain(|x| x.is_finite());
        next.places.sort_by(f64::total_cmp);
        next.places.dedup();
        next.places.truncate(MOST);
        origin = next;
    }
    origin
}

/// What a called function computes its result of, if that is one of its arguments.
fn through(module: &Module, body: &Body, call: OpId, origin: &Origin, depth: usize) -> Option<Origin> {
    let called = &module.get(callee(body, call)?)?.body;
    let result = body.results(call).iter().position(|&v| v == origin.value)?;
    let given = called.walk_all().into_iter().filter(|&op| func::Return::is(called, op));
    let [given] = given.collect::<Vec<_>>()[..] else { return None };
    let value = *called.operands(given).get(result)?;
    let within = followed(module, called, Origin { value, places: origin.places.clone() }, depth);
    let argument = called.args(called.entry()?).iter().position(|&arg| arg == within.value)?;
    Some(Origin { value: *body.operands(call).get(argument)?, places: within.places })
}

/// The value that an op takes, and where it is.
fn before(body: &Body, op: OpId, places: &[f64]) -> Option<Origin> {
    let number = |v: ValueId| constant(body, v).and_then(|attr| attr.as_float().or(attr.as_int().map(|n| n as f64)));
    let origin = |value: ValueId, places: Vec<f64>| Some(Origin { value, places });
    match *body.operands(op) {
        [of] => {
            let (_, inverse) = UNARY.iter().find(|(is, _)| is(body, op))?;
            origin(of, places.iter().flat_map(|&y| inverse(y).iter().map(move |f| f(y))).collect())
        }
        [a, b] if a == b && arith::MulF::is(body, op) => {
            origin(a, places.iter().flat_map(|&y| [y.sqrt(), -y.sqrt()]).collect())
        }
        // A fraction gets there in the periods beside zero, which end at one and at zero.
        [a, b] if arith::SubF::is(body, op) && is_floor_of(body, b, a) => {
            origin(a, places.iter().flat_map(|&y| [y, y - 1.0, 1.0]).collect())
        }
        [a, b] => {
            let (_, right, left) = BINARY.iter().find(|(is, ..)| is(body, op))?;
            let (of, k, inverse) = match (number(a), number(b)) {
                (None, Some(k)) => (a, k, right),
                (Some(k), None) => (b, k, left),
                _ => return None,
            };
            origin(of, places.iter().flat_map(|&y| inverse(y, k)).collect())
        }
        _ => None,
    }
}

fn is_floor_of(body: &Body, value: ValueId, of: ValueId) -> bool {
    body.def_op(value).is_some_and(|op| math::Floor::is(body, op) && body.operands(op).first() == Some(&of))
}

/// How far apart two values are where one of them reaches the other: the numbers that are added to
/// them, or that they are scaled by.
pub fn gaps(body: &Body, compared: [ValueId; 2]) -> Vec<f64> {
    let mut gaps = Vec::new();
    for mut value in compared {
        for _ in 0..DEEPEST {
            let Some(op) = body.def_op(value) else { break };
            let [a, b] = *body.operands(op) else { break };
            let number = |v: ValueId| constant(body, v).and_then(|attr| attr.as_float());
            let (of, k) = match (number(a), number(b)) {
                (None, Some(k)) => (a, k),
                (Some(k), None) => (b, k),
                _ => break,
            };
            match () {
                () if arith::AddF::is(body, op) || arith::SubF::is(body, op) => gaps.push(k.abs()),
                () if arith::MulF::is(body, op) => gaps.push((k - 1.0).abs()),
                () => break,
            }
            value = of;
        }
    }
    gaps
}

/// How far apart two values are when their difference is at places.
pub fn gaps_at(body: &Body, origin: &Origin) -> Vec<f64> {
    let differs = |op: OpId| {
        let [a, b] = *body.operands(op) else { return false };
        arith::SubF::is(body, op) && [a, b].iter().all(|&v| constant(body, v).is_none())
    };
    match body.def_op(origin.value) {
        Some(op) if differs(op) => origin.places.iter().map(|x| x.abs()).collect(),
        _ => Vec::new(),
    }
}
