//! Programs that write memory and read it again by other names, judged by a second evaluator.
//!
//! What all back ends get wrong alike no comparison of them finds: a read that does not see a
//! write, a part of memory taken for one that is not there. [`judge`](judge) knows nothing of the
//! compiler, and the final contents of all buffers must be what it says, to the bit, on every back
//! end and after every pipeline ([`check::WAYS`]). Programs are trees ([`tree`]), made by
//! [`generate`], and made small by [`shrink`].

pub mod check;
pub mod generate;
pub mod judge;
mod layout;
pub mod print;
pub mod shrink;
pub mod tree;

use crate::oracle::Failure;
use crate::shrink::signature;
use crate::soak::{Options, Running, each_seed};
use check::{Seen, check};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tree::Program;

/// What a run came to.
#[derive(Default, Debug)]
pub struct Report {
    pub programs: u64,
    /// Programs of which the language leaves something open, by what.
    pub open: BTreeMap<&'static str, u64>,
    /// Runs whose contents were compared.
    pub runs: u64,
    pub bytes: u64,
    /// Accesses that led nowhere.
    pub outside: u64,
    pub took: Duration,
    /// What failed: how often, and the first program that shows it, made small.
    pub failures: BTreeMap<String, (u64, String)>,
}

/// Runs until the time is over or the programs are done.
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
    {
        let mut r = lock();
        let known = r.failures.entry(name.clone()).or_default();
        known.0 += 1;
        if known.0 > 1 || options.until_failure {
            return;
        }
    }
    (options.say)(&format!("failed (seed {seed}): {name}"));
    let (small, failure) = shrink::shrink(&program, seed, failure, options.shrink, running);
    let text = shown(&small, seed, &failure);
    if let Some(folder) = &options.folder {
        let _ = std::fs::write(folder.join(format!("{seed:016x}.memory.slang")), &text);
    }
    lock().failures.entry(name).or_default().1 = text;
}

/// The program with how it is run, and what is wrong in comments before it.
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
