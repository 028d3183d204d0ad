//! The table that a gradient check prints.

use caustic_driver::gradcheck::{Report, Verdict};
use std::fmt::Write;

/// A line for each function.
pub fn gradients(report: &Report) -> String {
    let width = report.rows.iter().map(|r| r.function.chars().count()).max().unwrap_or(0).max("function".len());
    let mut out = format!("{:width$}  samples  forward/reverse  differences  verdict\n", "function");
    for r in &report.rows {
        let verdict = match &r.verdict {
            Verdict::Passed => {
                let how = match r {
                    _ if r.detached => "ok by forward/reverse; it detaches",
                    _ if r.one_mode => "ok by differences; one mode only",
                    _ => "ok",
                };
                format!("{how}{}", if r.all_zero { "; all derivatives were zero" } else { "" })
            }
            Verdict::Failed(failure) => format!("FAILED {failure}"),
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
