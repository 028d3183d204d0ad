//! Random IR for testing passes: generates modules as text, and checks each.
//!
//! The modules contain what no program of the language may ever become: every op of `arith`,
//! numbers at which results change, indices out of range, all kinds of widths. A failing module is
//! made smaller by the IR part of `caustic-reduce`.

pub mod generate;
mod ops;
pub mod oracle;
mod types;

use crate::oracle::Failure;
use crate::shrink::signature;
use crate::soak::{Options, Running, each_seed, is_first};
use caustic_test_suite::random::Rng;
use generate::Size;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A module, and whether its derivatives are checked.
#[derive(Clone, Debug)]
pub struct Case {
    pub text: String,
    pub seed: u64,
    pub smooth: bool,
}

/// The case of a seed.
pub fn case(seed: u64) -> Case {
    let mut rng = Rng::new(seed ^ 0x1217);
    let smooth = rng.one_in(3);
    let size = match rng.below(8) {
        0 => Size { funcs: 3, statements: 8, depth: 3 },
        1..=3 => Size { funcs: 2, statements: 5, depth: 2 },
        _ => Size { funcs: 1, statements: 3, depth: 2 },
    };
    Case { text: generate::module(seed, smooth, size), seed, smooth }
}

/// The results of a run.
#[derive(Default, Debug)]
pub struct Report {
    pub modules: u64,
    /// The number of runs of a pass whose result was compared.
    pub passes: u64,
    /// The number of derivatives that were compared with finite differences.
    pub differences: u64,
    pub took: Duration,
    /// Failures, with their number and the first text for each.
    pub failures: BTreeMap<String, (u64, String)>,
}

/// Runs until the time is over or all modules are done.
pub fn run(options: &Options) -> Report {
    let report = Mutex::new(Report::default());
    let took = each_seed(options, "ir", |_, seed, running| {
        one(options, &case(seed), &report, running);
        report.lock().is_ok_and(|r| !r.failures.is_empty())
    });
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.took = took;
    report
}

fn one(options: &Options, case: &Case, report: &Mutex<Report>, running: &Running) {
    running.is(case.seed, || case.text.clone());
    let outcome = oracle::check(case);
    let lock = || report.lock().unwrap_or_else(|e| e.into_inner());
    lock().modules += 1;
    let failure = match outcome {
        Ok(seen) => {
            let mut r = lock();
            r.passes += seen.passes;
            r.differences += seen.differences;
            return;
        }
        Err(failure) => failure,
    };
    let name = signature(&failure);
    if !is_first(&mut lock().failures, &name) || options.until_failure {
        return;
    }
    (options.say)(&format!("failed (seed {}): {name}", case.seed));
    let (text, failure) = small(case, failure, running);
    let text = shown(case, &failure, &text);
    if let Some(folder) = &options.folder {
        let _ = std::fs::write(folder.join(format!("{:016x}.mlir", case.seed)), &text);
    }
    lock().failures.insert(name, (1, text));
}

/// A smaller module that fails in the same way.
fn small(case: &Case, failure: Failure, running: &Running) -> (String, Failure) {
    let name = signature(&failure);
    let start = Instant::now();
    let holds = |text: &str| {
        running.is(case.seed, || text.to_string());
        // After the time limit, the module is left as it is.
        start.elapsed() < SHRINK
            && oracle::check(&Case { text: text.to_string(), ..case.clone() }).is_err_and(|f| signature(&f) == name)
    };
    let text = caustic_reduce::smaller_ir(&case.text, &holds);
    let failure = oracle::check(&Case { text: text.clone(), ..case.clone() }).err().unwrap_or(failure);
    (text, failure)
}

/// The time limit for making a failing module smaller.
const SHRINK: Duration = Duration::from_secs(60);

fn shown(case: &Case, failure: &Failure, text: &str) -> String {
    let detail: String = failure.detail.lines().map(|l| format!("// {l}\n")).collect();
    format!("// seed {}: {}\n{detail}{text}", case.seed, failure.oracle)
}

impl Report {
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{} modules in {:.0} s, {} passes, {} differences\n",
            self.modules,
            self.took.as_secs_f64(),
            self.passes,
            self.differences
        );
        for (name, (count, text)) in &self.failures {
            out.push_str(&format!("\n==== {count} × {name}\n{text}"));
        }
        out
    }
}
