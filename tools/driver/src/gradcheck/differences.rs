//! Derivatives by differences, and how far they can be trusted.

use caustic_ir::eval::Trap;

/// Small, so that a function with many jumps in a row does not look smooth.
const STEP: f64 = 2e-5;

/// Derivatives along a step by differences; nothing where there are none.
pub fn differences(center: &[f64], at: impl Fn(f64) -> Result<Vec<f64>, Trap>) -> Result<Option<Vec<f64>>, Trap> {
    if center.iter().any(|y| !y.is_finite()) {
        return Ok(None);
    }
    // Central differences at two steps, extrapolated; one-sided ones tell kinks.
    let (p1, m1, p2, m2) = (at(STEP)?, at(-STEP)?, at(STEP / 2.0)?, at(-STEP / 2.0)?);
    let mut numeric = Vec::new();
    for i in 0..center.len() {
        let d1 = (p1[i] - m1[i]) / (2.0 * STEP);
        let d2 = (p2[i] - m2[i]) / STEP;
        let richardson = (4.0 * d2 - d1) / 3.0;
        // Where it is smooth the sides differ by f'' · step: half of it with half the step.
        let side1 = (p1[i] - 2.0 * center[i] + m1[i]) / STEP;
        let side2 = (p2[i] - 2.0 * center[i] + m2[i]) / (STEP / 2.0);
        let scale = 1.0 + d1.abs() + d2.abs();
        let kinked = (side1 - 2.0 * side2).abs() > 1e-4 * scale || (d1 - d2).abs() > 1e-3 * scale;
        if !richardson.is_finite() || kinked {
            return Ok(None);
        }
        numeric.push(richardson);
    }
    Ok(Some(numeric))
}

/// How far two derivatives are apart, in parts of their size.
pub fn apart(a: f64, b: f64) -> f64 {
    (a - b).abs() / (1.0 + a.abs().max(b.abs()))
}

/// Differences with one step more, extrapolated twice, and how far they are from those of two
/// steps, `coarse`.
pub fn finer_differences(
    coarse: &[f64],
    at: impl Fn(f64) -> Result<Vec<f64>, Trap>,
) -> Result<Option<(Vec<f64>, Vec<f64>)>, Trap> {
    let steps = [STEP / 2.0, STEP / 4.0];
    let mut central = Vec::new();
    for step in steps {
        let (plus, minus) = (at(step)?, at(-step)?);
        central.push(plus.iter().zip(&minus).map(|(p, m)| (p - m) / (2.0 * step)).collect::<Vec<f64>>());
    }
    let mut finer = Vec::new();
    let mut errors = Vec::new();
    for (i, &coarse) in coarse.iter().enumerate() {
        let richardson = (4.0 * central[1][i] - central[0][i]) / 3.0;
        let value = (16.0 * richardson - coarse) / 15.0;
        if !value.is_finite() {
            return Ok(None);
        }
        finer.push(value);
        errors.push(apart(richardson, coarse));
    }
    Ok(Some((finer, errors)))
}
