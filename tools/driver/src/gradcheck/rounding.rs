//! How far derivatives are off by their own rounding: what they change where the arguments move by
//! a few units in the last place.
//!
//! Both modes compute the same sums in another order. Where these cancel, the modes differ by more
//! than a fixed tolerance, and each is as far off as the other. A wrong rule gives the same wrong
//! number at all of these points.

use super::drawing::Drawn;
use super::point::Point;
use super::sampling::dot;
use super::values::{Domain, Random, moved, random};
use super::{Checked, arguments};
use caustic_dialects::signature::Signature;
use caustic_interp::Interp;
use caustic_ir::CancelToken;
use caustic_ir::eval::{Trap, Val};

/// How far the arguments move: less than derivatives that are not rounded notice.
const STEPS: [f64; 3] = [1e-15, 1e-14, 1e-13];
/// Ways to go, for each of these.
const WAYS: u64 = 4;

/// The largest change of ⟨w, J v⟩ and of ⟨Jᵀ w, v⟩ from what they are at the point.
pub(super) fn rounding(
    interp: &Interp<'_>,
    what: &Checked,
    signature: &Signature,
    drawn: &Drawn,
    (forward, reverse): (f64, f64),
    cancel: &CancelToken,
) -> f64 {
    let mut largest = 0.0f64;
    for way in 0..WAYS {
        for step in STEPS {
            let Some(beside) = beside(signature, drawn, way, step) else { continue };
            let found = sums(interp, what, signature, &beside, cancel);
            if let Ok(Some((jv, jtw))) = found {
                let change = (jv - forward).abs().max((jtw - reverse).abs());
                largest = if change.is_finite() { largest.max(change) } else { largest };
            }
        }
    }
    largest
}

/// The same sample at a point beside its own.
fn beside(signature: &Signature, drawn: &Drawn, way: u64, step: f64) -> Option<Drawn> {
    let mut r = Random::new(way + 1);
    let mut next = |i: usize, at: &Val| -> Option<Val> {
        let Some(d) = signature.input_differential(i).filter(|_| drawn.v[i].is_some()) else {
            return Some(at.clone());
        };
        let d = random(d, Domain::of((-1.0, 1.0)), &mut r)?;
        Some(moved(signature.inputs[i], at, &d, step))
    };
    let point = drawn.point.iter().enumerate().map(|(i, at)| next(i, at)).collect::<Option<_>>()?;
    Some(drawn.at(point))
}

/// ⟨w, J v⟩ and ⟨Jᵀ w, v⟩.
fn sums(
    interp: &Interp<'_>,
    what: &Checked,
    signature: &Signature,
    drawn: &Drawn,
    cancel: &CancelToken,
) -> Result<Option<(f64, f64)>, Trap> {
    let point = Point::new(interp, what, signature, drawn, cancel)?;
    let (forward, backward) = arguments(signature, &drawn.point, &drawn.v, &point.w);
    let jv = point.forward(forward)?.map(|f| dot(&point.weights(), &f.tangents));
    let jtw = point.backward(backward)?.map(|(jtw, along)| dot(&jtw, &along));
    Ok(jv.zip(jtw))
}
