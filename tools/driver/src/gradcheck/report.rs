//! What a gradient check finds, as data.

use caustic_dialects::signature::Signature;
use caustic_ir::eval::Val;

/// What a gradient check says of a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All samples agree.
    Passed,
    /// With the input at which it failed.
    Failed(String),
    /// With an input at which both derivatives are no number, though differences are one: an
    /// infinite partial meets a zero that was computed, or another infinite one.
    Singular(String),
    /// It has no derivative though it should: the diagnostic, with its place.
    Underivable(String),
    /// Nothing was checked, because …
    Skipped(String),
}

/// One function's result.
#[derive(Clone, Debug)]
pub struct Row {
    /// As the program calls it.
    pub function: String,
    /// Random inputs at which it was checked.
    pub samples: u32,
    /// How far the two modes are apart at most.
    pub worst_dot: f64,
    /// How far derivatives and differences are apart at most.
    pub worst_difference: f64,
    /// Differences disagree, as they may where derivatives are ended on purpose.
    pub detached: bool,
    /// There is a derivative in one mode only: it was held against differences.
    pub one_mode: bool,
    /// What is said of it.
    pub verdict: Verdict,
}

impl Row {
    pub(crate) fn new(function: &str) -> Row {
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
    /// One for each function, in the order of the program.
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
}

/// The input of a function, by parameter.
pub(crate) fn point_text(signature: &Signature, point: &[Val]) -> String {
    let inputs = signature.params.iter().filter_map(|p| p.input.map(|i| format!("{} = {:?}", p.name, point[i])));
    inputs.collect::<Vec<_>>().join(", ")
}
