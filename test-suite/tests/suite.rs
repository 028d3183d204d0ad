//! The test suite: every case file and every tidy rule is a test of this binary.
//!
//! `RENAMED=1` runs every step of every case with other names; the default is one step of one
//! case in eight. `RENAMED_SEED` selects the names. `BLESS=1` rewrites exact texts in place
//! (`cargo xtask bless`). `TIMES=1` writes the time of each case to standard error. `FAIL_FAST=1`
//! ends at the first failure and prints its name (`cargo xtask mutants`); the tests that compare
//! the most numbers then run first.

mod library;

use caustic_test_suite::random::of_name;
use caustic_test_suite::rename::suite::{self as renamed, Extent};
use caustic_test_suite::rename::vocabulary;
use caustic_test_suite::{
    Suite, beside, bits, counted, legalized, limits, matrix, ptx, rewrites, scheduled, singular, source, tidy,
};
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The name of a test, with the function that runs it.
type Job = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

/// The order of folders when looking for a mutant: derivatives, then passes, then the rest, and
/// last the tests about time and texts.
const ASKED_FIRST: [&str; 12] = [
    "patterns",
    "autodiff",
    "loops",
    "checkpoint",
    "regressions",
    "normalize",
    "passes",
    "specialize",
    "examples",
    "ir",
    "samples",
    "matrix",
];
const ASKED_LAST: [&str; 5] = ["reduce", "cli", "diagnostics", "singular", "limits"];

/// The position of a test in that order.
fn rank(name: &str) -> usize {
    let folder = name.split('/').next().unwrap_or(name);
    let place = |list: &[&str]| list.iter().position(|f| *f == folder);
    let first = place(&ASKED_FIRST);
    first.unwrap_or_else(|| ASKED_FIRST.len() + place(&ASKED_LAST).map_or(0, |at| at + 1))
}

/// Cases with other names. By default only a part of them, because all take as long as the whole
/// suite.
fn renamed_jobs(suite: &Arc<Suite>, cases: &[String], all: bool) -> Vec<Job> {
    const ONE_IN: u64 = 8;
    let seed = std::env::var("RENAMED_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let chosen = cases.iter().filter(|path| {
        let renames = !path.ends_with(".mlir") && !renamed::LEFT_OUT.iter().any(|(p, _)| path.ends_with(p));
        renames && (all || of_name(path, seed).is_multiple_of(ONE_IN))
    });
    chosen
        .map(|path| -> Job {
            let suite = suite.clone();
            let name = format!("renamed/{}", path.trim_start_matches("test-suite/").trim_start_matches("cases/"));
            let path = path.clone();
            let extent = if all { Extent::All } else { Extent::One };
            let job = move || renamed::run(&suite, vocabulary::shared()?, &path, seed, extent);
            (name, Box::new(job))
        })
        .collect()
}

fn main() {
    let args = Arguments::from_args();
    // The package's own folder is known when the test is built; the root of the repository is above
    // it.
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let is_set = |name| std::env::var_os(name).is_some_and(|v| v == "1");
    let (bless, times, fail_fast) = (is_set("BLESS"), is_set("TIMES"), is_set("FAIL_FAST"));
    let suite = Arc::new(Suite {
        root,
        tools: &[
            ("caustic", caustic::main_with),
            ("caustic-opt", caustic_opt::main_with),
            ("caustic-reduce", caustic_reduce::main_with),
        ],
        bless,
    });

    let mut jobs: Vec<Job> = Vec::new();
    for (name, rule) in tidy::RULES {
        let suite = suite.clone();
        jobs.push((format!("tidy/{name}"), Box::new(move || rule(&suite.root))));
    }
    for (name, declaration, shape) in matrix::cells() {
        let suite = suite.clone();
        jobs.push((name, Box::new(move || matrix::run(&suite, declaration, shape))));
    }
    for (name, row) in matrix::custom::rows() {
        let suite = suite.clone();
        jobs.push((name, Box::new(move || matrix::check_row(&suite, row))));
    }
    for (name, holder) in matrix::carried::rows() {
        let suite = suite.clone();
        jobs.push((name, Box::new(move || matrix::carried::run(&suite, holder))));
    }
    for (name, size) in bits::sizes() {
        let suite = suite.clone();
        jobs.push((name, Box::new(move || bits::run(&suite, size))));
    }
    for limit in limits::LIMITS {
        let suite = suite.clone();
        jobs.push((format!("limits/{}", limit.0), Box::new(move || limits::run(suite.tools, limit))));
    }
    let (for_page, for_points) = (suite.clone(), suite.clone());
    jobs.push(("singular/page".into(), Box::new(move || singular::check_page(&for_points))));
    for corners in ["zero", "ieee"] {
        let suite = suite.clone();
        jobs.push((format!("singular/beside-{corners}"), Box::new(move || beside::check(&suite, corners))));
    }
    let for_calls = suite.clone();
    jobs.push(("autodiff/equal-calls".into(), Box::new(move || counted::check(&for_calls))));
    jobs.extend(rewrites::jobs(&suite));
    jobs.push(("matrix/page".into(), Box::new(move || matrix::check_page(&for_page))));
    let folders = ["test-suite/cases", "test-suite/regressions"];
    let found: Result<Vec<_>, _> = folders.iter().map(|f| suite.discover(f)).collect();
    let found = found.map(|f| f.concat());
    if let (true, Some(assembler), Ok(cases)) = (cfg!(feature = "llvm"), ptx::assembler(&suite.root), &found) {
        jobs.extend(ptx::jobs(&suite, &assembler, cases));
    }
    if let Ok(cases) = &found {
        jobs.extend(renamed_jobs(&suite, cases, is_set("RENAMED")));
        jobs.extend(scheduled::jobs(&suite, cases));
        jobs.extend(legalized::jobs(&suite, cases));
        jobs.extend(source::jobs(&suite, cases));
        jobs.extend(source::faults::jobs(&suite));
        jobs.extend(source::engines::jobs(&suite));
        jobs.extend(source::readable::jobs(&suite));
        jobs.extend(source::coverage::jobs(&suite, cases));
        jobs.extend(library::jobs(&suite, cases));
    }
    match found {
        Ok(cases) => jobs.extend(cases.into_iter().map(|path| -> Job {
            let suite = suite.clone();
            let name = path.trim_start_matches("test-suite/").trim_start_matches("cases/").to_string();
            let job = move || {
                let start = Instant::now();
                let result = suite.run(&path);
                if times {
                    eprintln!("{:9.1} ms  {path}", start.elapsed().as_secs_f64() * 1e3);
                }
                result
            };
            (name, Box::new(job))
        })),
        Err(error) => {
            let message = error.to_string();
            jobs.push(("discovery".into(), Box::new(move || Err(message))));
        }
    }
    if fail_fast {
        jobs.sort_by_key(|(name, _)| rank(name));
    }
    let trial = |(name, job): Job| {
        Trial::test(name.clone(), move || {
            let result = job();
            if fail_fast && result.is_err() {
                eprintln!("first failure: {name}");
                std::process::exit(1);
            }
            result.map_err(Into::into)
        })
    };
    libtest_mimic::run(&args, jobs.into_iter().map(trial).collect()).exit();
}
