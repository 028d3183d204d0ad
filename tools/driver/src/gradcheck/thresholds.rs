//! Where a value has to be for what is computed of it to reach a constant that the function
//! compares with: `int(x) == 7` begins at 7 and ends at 8, and `x * 20 + 3 > 203` begins at 10.

use super::constants::constant;
use caustic_dialects::{arith, math};
use caustic_ir::{Body, OpId, ValueId};

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
const UNARY: [(Is, Inverse); 24] = [
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

/// Where the values are that `value` is computed of, once it is `reached`. What is not computed of
/// one value and constants is taken as it is.
pub fn places(body: &Body, value: ValueId, reached: f64) -> Vec<f64> {
    let (mut value, mut places) = (value, vec![reached]);
    for _ in 0..DEEPEST {
        let Some((of, before)) = body.def_op(value).and_then(|op| before(body, op, &places)) else { break };
        places = before;
        places.retain(|x| x.is_finite());
        places.sort_by(f64::total_cmp);
        places.dedup();
        places.truncate(MOST);
        value = of;
    }
    places
}

/// The value that an op takes, and where it is.
fn before(body: &Body, op: OpId, places: &[f64]) -> Option<(ValueId, Vec<f64>)> {
    let number = |v: ValueId| constant(body, v).and_then(|attr| attr.as_float().or(attr.as_int().map(|n| n as f64)));
    match *body.operands(op) {
        [of] => {
            let (_, inverse) = UNARY.iter().find(|(is, _)| is(body, op))?;
            Some((of, places.iter().flat_map(|&y| inverse(y).iter().map(move |f| f(y))).collect()))
        }
        [a, b] if a == b && arith::MulF::is(body, op) => {
            Some((a, places.iter().flat_map(|&y| [y.sqrt(), -y.sqrt()]).collect()))
        }
        [a, b] => {
            let (_, right, left) = BINARY.iter().find(|(is, ..)| is(body, op))?;
            let (of, k, inverse) = match (number(a), number(b)) {
                (None, Some(k)) => (a, k, right),
                (Some(k), None) => (b, k, left),
                _ => return None,
            };
            Some((of, places.iter().flat_map(|&y| inverse(y, k)).collect()))
        }
        _ => None,
    }
}
