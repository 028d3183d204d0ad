//! Programs that write memory and read it again by other names, checked by a second evaluator.
//!
//! Comparing back ends does not find an error that all of them share, such as a read that misses a
//! write, or a wrong bound. [`judge`](judge) knows nothing of the compiler, and the final contents
//! of all buffers must equal its results to the bit, on every back end and after every pipeline
//! ([`check::WAYS`]). Programs are trees ([`tree`]) that [`generate`] makes and [`shrink`] reduces.

pub mod check;
pub mod generate;
pub mod judge;
mod layout;
pub mod print;
pub mod shrink;
pub mod tree;

use crate::oracle::Failure;
use crate::shrink::signature;
use crate::soak::{Options, Running, each_seed, is_first};
use check::{Seen, check};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tree::Program;

/// The results of a run.
#[derive(Default, Debug)]
pub struct Report {
    pub programs: u64,
    /// The number of programs with undefined results, by reason.
    pub open: BTreeMap<&'static str, u64>,
    /// The number of runs whose contents were compared.
    pub runs: u64,
    pub bytes: u64,
    /// The number of accesses that were out of range.
    pub outside: u64,
    pub took: Duration,
    /// Failures: their number, and the first program for each, reduced.
    pub failures: BTreeMap<String, (u64, String)>,
}

/// Runs until the time is over or all programs are done.
pub fn run(options: &Options) -> Report {
    let report = Mutex::new(Report::default());
    let took = each_seed(options, "memory", |_, seed, running| {
        one(options, seed, &report, running);
        report.lock().is_ok_and(|r| !r.failures.is_empty())
    });
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.took = took;
    report
}

/// Checks the program of a seed.
pub(crate) fn one(options: &Options, seed: u64, report: &Mutex<Report>, running: &Running) {
    let program = generate::program(seed);
    running.is(seed, || print::print(&program).0);
    let outcome = check(&program, seed, None);
    let lock = || report.lock().unwrap_or_else(|e| e.into_inner());
    lock().programs += 1;
    let failure = match outcome {
        Ok(Seen::Open(why)) => {
            *lock().open.entry(why).or_default() += 1;
            return;
        }
        Ok(Seen::Compared { runs, bytes, outside }) => {
            let mut r = lock();
            r.runs += runs as u64;
            r.bytes += bytes as u64;
            r.outside += outside as u64;
            return;
        }
        Err(failure) => failure,
    };
    let name = signature(&failure);
    if !is_first(&mut lock().failures, &name) || options.until_failure {
        return;
    }
    (options.say)(&format!("failed (seed {seed}): {name}"));
    let (small, failure) = shrink::shrink(&program, seed, failure, options.shrink, running);
    let text = shown(&small, seed, &failure);
    if let Some(folder) = &options.folder {
        let _ = std::fs::write(folder.join(format!("{seed:016x}.memory.slang")), &text);
    }
    lock().failures.entry(name).or_default().1 = text;
}

/// The program, preceded by comments with its command line and its failure.
pub fn shown(program: &Program, seed: u64, failure: &Failure) -> String {
    let detail: String = failure.detail.lines().map(|l| format!("// {l}\n")).collect();
    format!(
        "// seed {seed}\n// {}\n{detail}// caustic run {}\n{}",
        failure.oracle,
        check::options(program),
        print::print(program).0
    )
}

impl Report {
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{} programs in {:.0} s, {} runs compared, {} bytes, {} accesses outside\n",
            self.programs,
            self.took.as_secs_f64(),
            self.runs,
            self.bytes,
            self.outside
        );
        for (why, count) in &self.open {
            out.push_str(&format!("{count:6} left open: {why}\n"));
        }
        for (name, (count, text)) in &self.failures {
            out.push_str(&format!("\n==== {count} × {name}\n{text}"));
        }
        out
    }
}
