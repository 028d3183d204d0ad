//! Measurements as the tables of docs/evidence.md.

use crate::measure::Measured;
use std::fmt::Write;
use std::time::Duration;

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "-".to_string(), |b| format!("{:.0}", b as f64 / (1 << 20) as f64))
}

/// The exponent k of time = c * lines^k that fits best: 1 is linear growth.
fn exponent(points: &[(usize, Duration)]) -> f64 {
    let logs: Vec<(f64, f64)> =
        points.iter().map(|(n, t)| ((*n as f64).ln(), t.as_secs_f64().max(1e-9).ln())).collect();
    let count = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / count, logs.iter().map(|p| p.1).sum::<f64>() / count);
    let above: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    above / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
}

/// One kind of measurement at several sizes.
pub fn table(title: &str, runs: &[Measured]) -> String {
    let mut out = format!("### {title}\n\n| lines | ms | lines/s | peak MiB |\n| ---: | ---: | ---: | ---: |\n");
    // Writing to a string cannot fail.
    for run in runs {
        let speed = run.lines as f64 / run.total().as_secs_f64().max(1e-9);
        let peak = mebibytes(run.peak_bytes);
        let _ = writeln!(out, "| {} | {} | {speed:.0} | {peak} |", run.lines, millis(run.total()));
    }
    let totals: Vec<(usize, Duration)> = runs.iter().map(|r| (r.lines, r.total())).collect();
    if totals.len() > 1 {
        let _ = writeln!(out, "\nTime grows as lines^{:.2}.", exponent(&totals));
    }
    out
}

/// Where the time went at the largest size, and how each step grew since the size before it.
pub fn steps(runs: &[Measured]) -> String {
    let Some(last) = runs.last() else { return String::new() };
    let before = runs.len().checked_sub(2).and_then(|i| runs.get(i));
    let mut out = "\n| step | ms | share | growth |\n| :--- | ---: | ---: | ---: |\n".to_string();
    for (step, time) in &last.steps {
        let share = 100.0 * time.as_secs_f64() / last.total().as_secs_f64().max(1e-9);
        let earlier = before.and_then(|b| Some((b.lines, b.steps.iter().find(|(s, _)| s == step)?.1)));
        let growth = earlier.map_or_else(|| "-".to_string(), |e| format!("{:.2}", exponent(&[e, (last.lines, *time)])));
        let _ = writeln!(out, "| {step} | {} | {share:.1}% | {growth} |", millis(*time));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::exponent;
    use std::time::Duration;

    #[test]
    fn exponents_of_powers() {
        let points = |k: u32| [1u32, 2, 4, 9].map(|n| (n as usize * 1000, Duration::from_millis(n.pow(k).into())));
        for k in 1..4 {
            assert!((exponent(&points(k)) - f64::from(k)).abs() < 1e-6, "{k}");
        }
    }
}
