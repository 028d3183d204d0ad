//! Checks random programs on several threads for a given time. Failures are reduced and written to
//! a folder.

use crate::coverage::Coverage;
use crate::generate::{Limits, program};
use crate::memory;
use crate::oracle::{Case, Failure, ORACLES, check};
use crate::shrink::{shrink, signature};
use caustic_test_suite::random::Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The stack size of the threads, which walk deep trees recursively.
pub(crate) const STACK_BYTES: usize = 512 << 20;

#[derive(Clone, Debug)]
pub struct Options {
    pub time: Duration,
    /// The most programs.
    pub programs: u64,
    pub seed: u64,
    pub threads: usize,
    /// The folder to which failures are written.
    pub folder: Option<PathBuf>,
    /// The time for reducing one failure.
    pub shrink: Duration,
    pub limits: Limits,
    /// Whether the run ends at the first failure, which is then not reduced.
    pub until_failure: bool,
    /// The only oracle to run; `None` for all of them.
    pub only: Option<&'static str>,
    /// Called with the progress.
    pub say: fn(&str),
}

/// Counts a failure; whether it is the first of its name.
pub fn is_first(failures: &mut BTreeMap<String, (u64, String)>, name: &str) -> bool {
    let known = failures.entry(name.to_string()).or_default();
    known.0 += 1;
    known.0 == 1
}

#[derive(Debug, Default)]
pub struct Report {
    pub programs: u64,
    pub points: u64,
    pub differences: u64,
    pub judged: u64,
    pub singular: u64,
    pub twins: u64,
    pub second: u64,
    pub times: BTreeMap<&'static str, Duration>,
    pub took: Duration,
    pub slowest: (Duration, u64),
    pub coverage: Coverage,
    /// The failures, by signature.
    pub failures: BTreeMap<String, Found>,
    /// The report about programs that write memory.
    pub memory: memory::Report,
}

/// One of this many programs is followed by one that writes memory.
const MEMORY: u64 = 2;

/// Failures with one signature.
#[derive(Debug)]
pub struct Found {
    pub count: u64,
    /// The first one, reduced.
    pub case: Case,
    pub failure: Failure,
}

impl Found {
    /// The program, preceded by comments with its failure.
    pub fn to_text(&self) -> String {
        let detail: String = self.failure.detail.lines().map(|l| format!("// {l}\n")).collect();
        let text = self.case.text().unwrap_or_else(|e| format!("// {e}\n"));
        format!("// seed {}\n// {}\n{detail}{text}", self.case.seed, self.failure.oracle)
    }
}

impl Report {
    /// The run as measurements: what, command, value, unit, where (`evidence/*.csv`).
    pub fn to_csv(&self, options: &Options) -> String {
        let minutes = self.took.as_secs_f64() / 60.0;
        let place = format!("\"seed {}, {minutes:.0} minutes, {} threads\"", options.seed, options.threads);
        let line = |what: &str, value: u64, unit: &str| {
            format!("\"{}\",cargo xtask soak,{value},{unit},{place}\n", what.replace('"', "\"\"").replace('|', "or"))
        };
        let failures = self.failures.values().map(|f| f.count).sum::<u64>();
        let counts = [
            ("programs", self.programs),
            ("programs with second derivatives", self.second),
            ("points", self.points),
            ("numbers compared with differences", self.differences),
            ("numbers compared with the judge's", self.judged),
            ("points of which the judge says nothing", self.singular),
            ("twins", self.twins),
            ("programs that write memory", self.memory.programs),
            ("bytes compared with the judge's", self.memory.bytes),
            ("failures", failures + self.memory.failures.values().map(|f| f.0).sum::<u64>()),
        ];
        let mut out = "what,command,value,unit,where\n".to_string();
        for (name, count) in counts {
            out += &line(&format!("a run of the soak / {name}"), count, "count");
        }
        for oracle in ORACLES {
            let took = self.times.get(oracle.name).map_or(0, Duration::as_secs);
            out += &line(&format!("seconds of each oracle / {}", oracle.name), took, "s");
        }
        for (name, count) in self.coverage.sums() {
            let name = name.replace(" / ", " over ");
            for (column, count) in ["programs", "second derivatives"].into_iter().zip(count) {
                out += &line(&format!("constructs in random programs / {name} / {column}"), count, "count");
            }
        }
        out
    }
}

/// The seed of the `n`-th program of a run.
pub fn seed_of(run: u64, n: u64) -> u64 {
    Rng::new(run.wrapping_mul(0x1_0000_0001).wrapping_add(n)).draw()
}

/// The file to which a thread writes each program that it is about to check, so that a program that
/// ends the process can be found.
pub(crate) struct Running(Option<PathBuf>);

impl Running {
    pub fn is(&self, seed: u64, text: impl FnOnce() -> String) {
        if let Some(file) = &self.0 {
            let _ = std::fs::write(file, format!("// seed {seed}\n{}", text()));
        }
    }
}

/// Calls `check` with the number and the seed of one program after the other, on all threads, until
/// the time is over or all programs are done. `check` returns whether something has failed. Returns
/// the time that it took.
pub(crate) fn each_seed(options: &Options, name: &str, check: impl Fn(u64, u64, &Running) -> bool + Sync) -> Duration {
    let (next, start) = (AtomicU64::new(0), Instant::now());
    if let Some(folder) = &options.folder {
        let _ = std::fs::create_dir_all(folder);
    }
    std::thread::scope(|scope| {
        for thread in 0..options.threads.max(1) {
            let (next, check) = (&next, &check);
            let work = move || {
                let running = Running(options.folder.as_ref().map(|f| f.join(format!("running-{thread}"))));
                while start.elapsed() < options.time {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= options.programs || check(n, seed_of(options.seed, n), &running) && options.until_failure {
                        break;
                    }
                }
                running.0.map(std::fs::remove_file);
            };
            let builder = std::thread::Builder::new().name(format!("{name} {thread}")).stack_size(STACK_BYTES);
            let _ = builder.spawn_scoped(scope, work);
        }
    });
    start.elapsed()
}

/// Runs until the time is over or all programs are done.
pub fn run(options: &Options) -> Report {
    let report = Mutex::new(Report::default());
    let of_memory = Mutex::new(memory::Report::default());
    // A panic is reported with its program, as a failure.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let took = each_seed(options, "soak", |n, seed, running| {
        one(options, seed, &report, running);
        if n.is_multiple_of(MEMORY) {
            memory::one(options, seed, &of_memory, running);
        }
        report.lock().is_ok_and(|r| !r.failures.is_empty()) || of_memory.lock().is_ok_and(|r| !r.failures.is_empty())
    });
    std::panic::set_hook(hook);
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    report.took = took;
    report.memory = of_memory.into_inner().unwrap_or_else(|e| e.into_inner());
    report.memory.took = report.took;
    report
}

fn one(options: &Options, seed: u64, report: &Mutex<Report>, running: &Running) {
    let case = Case { program: program(seed, options.limits), seed };
    running.is(seed, || case.text().unwrap_or_default());
    let start = Instant::now();
    let outcome = check(&case, options.only);
    let took = start.elapsed();
    let lock = || report.lock().unwrap_or_else(|e| e.into_inner());
    {
        let mut r = lock();
        r.programs += 1;
        r.second += u64::from(case.program.second);
        if took > r.slowest.0 {
            r.slowest = (took, seed);
        }
        if r.programs.is_multiple_of(500) {
            (options.say)(&format!("{} programs, {} sorts of failure", r.programs, r.failures.len()));
        }
    }
    let failure = match outcome {
        Ok(seen) => {
            let mut r = lock();
            r.points += seen.points as u64;
            r.differences += seen.differences as u64;
            r.judged += seen.judged as u64;
            r.singular += seen.singular as u64;
            r.twins += seen.twins as u64;
            for (name, took) in seen.times {
                *r.times.entry(name).or_default() += took;
            }
            r.coverage.add(&case.program);
            return;
        }
        Err(failure) => failure,
    };
    let name = signature(&failure);
    {
        let mut r = lock();
        if let Some(known) = r.failures.get_mut(&name) {
            known.count += 1;
            return;
        }
        // Inserted first, so that other threads do not reduce it too.
        r.failures.insert(name.clone(), Found { count: 1, case: case.clone(), failure: failure.clone() });
    }
    if options.until_failure {
        return;
    }
    let (small, failure) = shrink(&case, &failure, options.shrink, running);
    (options.say)(&format!("failed (seed {seed}): {name}"));
    let mut r = lock();
    let Some(found) = r.failures.get_mut(&name) else { return };
    (found.case, found.failure) = (small, failure);
    if let Some(folder) = &options.folder {
        let _ = std::fs::write(folder.join(format!("{seed:016x}.slang")), found.to_text());
    }
}
