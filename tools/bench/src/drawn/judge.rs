//! Whether results agree, and whose derivatives are right where they do not.
//!
//! Forward derivatives of drawn programs move all inputs by one, so that the sum of what they give
//! is the sum of all backward derivatives: who contradicts that is wrong.

use super::program::Drawn;
use crate::gradients::floats;

/// By how much of a buffer's largest number a result may differ, and in what part of the numbers it
/// may differ by more: next to a branch's bound either side may be taken.
const MOST: f32 = 2e-3;
const OUTLIERS: f64 = 1e-3;

/// Whether the results of a forward and a backward derivative say the same.
pub fn consistent(
    drawn: &Drawn,
    threads: [u32; 2],
    forward: Option<&[Vec<f32>]>,
    backward: Option<&[Vec<f32>]>,
) -> bool {
    let (Some(forward), Some(backward)) = (forward, backward) else { return false };
    let along = forward_sum(drawn, forward, threads);
    let size: f64 = backward.iter().flatten().map(|&x| f64::from(x.abs())).sum();
    (along - sum_of(backward)).abs() <= 1e-3 * size.max(1e-6)
}

fn sum_of(results: &[Vec<f32>]) -> f64 {
    results.iter().flatten().map(|&x| f64::from(x)).sum()
}

/// The sum of what forward derivatives, or functions, give, times what backward derivatives start
/// from.
pub fn forward_sum(drawn: &Drawn, results: &[Vec<f32>], threads: [u32; 2]) -> f64 {
    let Some(result) = results.last() else { return f64::NAN };
    let backward = drawn.entries.iter().find(|e| e.name == "backward");
    let cotangents = backward.and_then(|e| e.arguments().find(|&at| drawn.is_cotangent(at)));
    let Some(at) = cotangents else { return sum_of(std::slice::from_ref(result)) };
    let weights = floats(&drawn.contents(at, threads));
    result.iter().zip(weights).map(|(&x, w)| f64::from(x) * f64::from(w)).sum()
}

/// How results differ, if by more than rounding may explain.
pub fn differ(ours: &[f32], theirs: &[f32]) -> Option<(usize, String)> {
    let scale = theirs.iter().filter(|x| x.is_finite()).fold(1e-6f32, |m, x| m.max(x.abs()));
    let far = |(a, b): (&f32, &f32)| {
        let same = a.is_nan() && b.is_nan() || a == b;
        !(same || (a - b).abs() <= MOST * scale)
    };
    let count = ours.iter().zip(theirs).filter(|&(a, b)| far((a, b))).count();
    let first = ours.iter().zip(theirs).position(far);
    let allowed = if ours.len() > 10_000 { (ours.len() as f64 * OUTLIERS) as usize } else { 0 };
    let unlike = ours.len() != theirs.len();
    (unlike || count > allowed).then(|| {
        let at = first.unwrap_or(0);
        let text = format!(
            "differs in {count} of {} numbers (largest {scale}); at {at}: ours {:?}, slangc's {:?}",
            ours.len(),
            ours.get(at),
            theirs.get(at)
        );
        (at, text)
    })
}

#[cfg(test)]
mod tests {
    use super::differ;

    #[test]
    fn rounding_is_no_difference_and_more_is() {
        assert!(differ(&[1.0, 100.0], &[1.1, 100.0]).is_none());
        assert_eq!(differ(&[1.0, 100.0], &[3.0, 100.0]).map(|d| d.0), Some(0));
        assert!(differ(&[f32::NAN], &[1.0]).is_some());
        assert!(differ(&[f32::NAN], &[f32::NAN]).is_none());
        assert!(differ(&[1.0], &[1.0, 2.0]).is_some());
    }
}
