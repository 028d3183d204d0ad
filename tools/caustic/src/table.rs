//! The table that a gradient check prints.

use caustic_driver::gradcheck::{Report, Unnamed, Verdict};
use std::fmt::Write;

/// Says once for each buffer which option may be missing.
pub fn missing_options(report: &Report) -> String {
    let mut told: Vec<(&str, &str)> = Vec::new();
    let mut out = String::new();
    for Unnamed { function, primal, derivative, .. } in report.rows.iter().filter_map(|row| row.unnamed.as_ref()) {
        if !told.contains(&(primal, derivative)) {
            told.push((primal, derivative));
            let _ = writeln!(
                out,
                "note: `{function}` reads `{primal}`, and its derivative uses `{derivative}`; if that is where derivatives by \
                 `{primal}` go, say so: --gradient {primal}={derivative}"
            );
        }
    }
    out
}

/// A line for each function.
pub fn gradients(report: &Report) -> String {
    let width = report.rows.iter().map(|r| r.function.chars().count()).max().unwrap_or(0).max("function".len());
    let mut out = format!("{:width$}  samples  forward/reverse  differences  verdict\n", "function");
    for r in &report.rows {
        let substitutes = if r.substituted { "; compared with substitutes" } else { "" };
        let verdict = match &r.verdict {
            Verdict::Passed => {
                let how = match r {
                    _ if r.detached => "ok by forward/reverse; it detaches",
                    _ if r.one_mode => "ok by differences; one mode only",
                    _ => "ok",
                };
                let zero = if r.all_zero { "; all derivatives were zero" } else { "" };
                let names: Vec<String> = r.not_compared.iter().map(|name| format!("`{name}`")).collect();
                let own = match &names[..] {
                    [] => String::new(),
                    names => format!("; not compared: {}, of a differential of its own", names.join(", ")),
                };
                format!("{how}{substitutes}{zero}{own}")
            }
            Verdict::Failed(failure) => format!("FAILED {failure}{substitutes}"),
            Verdict::Inherited(callee, failure) => {
                format!("calls `{callee}`, whose custom derivative fails: {failure}")
            }
            Verdict::Singular(point) => format!("singular at {point}"),
            Verdict::Underivable(why) => format!("no derivative: {why}"),
            Verdict::Skipped(why) => format!("skipped: {why}"),
        };
        let number = |x: f64| if r.samples == 0 { "-".to_string() } else { format!("{x:.1e}") };
        let _ = writeln!(
            out,
            "{:width$}  {:>7}  {:>15}  {:>11}  {verdict}",
            r.function,
            r.samples,
            if r.one_mode { "-".into() } else { number(r.worst_dot) },
            number(r.worst_difference)
        );
    }
    out
}
