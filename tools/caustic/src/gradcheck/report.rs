//! The table that a gradient check prints.

use caustic_dialects::signature::Signature;
use caustic_ir::eval::Val;
use std::fmt::Write;

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Passed,
    /// With the input at which it failed.
    Failed(String),
    /// With an input at which both derivatives are no number, though differences are one: an infinite partial meets a zero that was computed, or another infinite one.
    Singular(String),
    /// It has no derivative though it should: the finding, with its place.
    Underivable(String),
    /// Nothing was checked, because …
    Skipped(String),
}

/// One function's result.
#[derive(Clone, Debug)]
pub struct Row {
    pub function: String,
    pub samples: u32,
    pub worst_dot: f64,
    pub worst_difference: f64,
    /// Differences disagree, as they may where derivatives are ended on purpose.
    pub detached: bool,
    /// There is a derivative in one mode only: it was held against differences.
    pub one_mode: bool,
    pub verdict: Verdict,
}

impl Row {
    pub fn new(function: &str) -> Row {
        let verdict = Verdict::Skipped("nothing was checked".into());
        Row {
            function: function.into(),
            samples: 0,
            worst_dot: 0.0,
            worst_difference: 0.0,
            detached: false,
            one_mode: false,
            verdict,
        }
    }
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub rows: Vec<Row>,
}

impl Report {
    /// Whether something was checked, nothing failed, and every derivative is a number.
    pub fn passed(&self) -> bool {
        let wrong = |r: &Row| matches!(r.verdict, Verdict::Failed(_) | Verdict::Singular(_) | Verdict::Underivable(_));
        self.checked() && !self.rows.iter().any(wrong)
    }

    /// Whether something was checked.
    pub fn checked(&self) -> bool {
        self.rows.iter().any(|r| !matches!(r.verdict, Verdict::Skipped(_)))
    }

    pub fn to_text(&self) -> String {
        let width = self.rows.iter().map(|r| r.function.chars().count()).max().unwrap_or(0).max("function".len());
        let mut out = format!("{:width$}  samples  forward/reverse  differences  verdict\n", "function");
        for r in &self.rows {
            let verdict = match &r.verdict {
                Verdict::Passed if r.detached => "ok by forward/reverse; it detaches".to_string(),
                Verdict::Passed if r.one_mode => "ok by differences; one mode only".to_string(),
                Verdict::Passed => "ok".to_string(),
                Verdict::Failed(at) => format!("FAILED {at}"),
                Verdict::Singular(at) => format!("singular {at}"),
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
}

/// The input of a function, by parameter.
pub fn point_text(signature: &Signature, point: &[Val]) -> String {
    let inputs = signature.params.iter().filter_map(|p| p.input.map(|i| format!("{} = {:?}", p.name, point[i])));
    inputs.collect::<Vec<_>>().join(", ")
}
