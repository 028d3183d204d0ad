//! `cargo xtask faults`: who finds each fault on purpose (`passes/src/faults.rs`), and the page of the book that says so.
//!
//! The suite is built once with the faults in it, and run once for each, until its first failure. What found a fault last time is tried first.
//! Whatever takes longer than the limit counts as found: a fault may make a loop endless.

use crate::{cargo_output, say};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PAGE: &str = "docs/faults.md";
/// A whole run of the suite takes a minute or two.
const LIMIT: Duration = Duration::from_secs(600);
/// What the suite says before it ends because of `FAIL_FAST`.
const MARK: &str = "first failure: ";

struct Fault {
    name: String,
    what: String,
}

/// Runs the suite against the faults whose names contain one of the words; all without words, and then the page is written.
pub fn run(words: &[&str]) -> bool {
    let features = ["--features", "caustic-passes/faults"];
    let build = ["test", "-p", "caustic-test-suite", "-p", "caustic-passes", "--test", "suite", "--no-run"];
    let list = ["run", "-q", "-p", "caustic-passes", "--example", "faults"];
    let Some((_, built)) = cargo_output(&[&build[..], &features].concat()) else { return false };
    let Some((listed, _)) = cargo_output(&[&list[..], &features].concat()) else { return false };
    let Some(binary) = built.lines().find_map(|l| l.split_once("suite.rs (")?.1.strip_suffix(')')) else {
        say("cargo does not say where the suite is");
        return false;
    };
    let faults = listed.lines().filter_map(|line| line.split_once('\t'));
    let mut faults: Vec<Fault> = faults.map(|(name, what)| Fault { name: name.into(), what: what.into() }).collect();
    faults.retain(|f| words.is_empty() || words.iter().any(|w| f.name.contains(w)));
    let known = known_finders();
    let found: Mutex<BTreeMap<String, Option<String>>> = Mutex::default();
    let next = Mutex::new(faults.iter());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(fault) = next.lock().ok().and_then(|mut it| it.next()) else { return };
                    let start = Instant::now();
                    let first = known.get(&fault.name).and_then(|case| finder(binary, &fault.name, Some(case)));
                    let finder = first.or_else(|| finder(binary, &fault.name, None));
                    let seconds = start.elapsed().as_secs_f64();
                    say(&format!("{seconds:7.1} s  {}: {}", fault.name, finder.as_deref().unwrap_or("NOT FOUND")));
                    if let Ok(mut found) = found.lock() {
                        found.insert(fault.name.clone(), finder);
                    }
                }
            });
        }
    });
    let found = found.into_inner().unwrap_or_else(|e| e.into_inner());
    let lost = found.values().filter(|f| f.is_none()).count();
    say(&format!("{} faults, {lost} not found", found.len()));
    if !words.is_empty() {
        return lost == 0;
    }
    let written = std::fs::write(PAGE, page(&faults, &found));
    if let Err(error) = &written {
        say(&format!("cannot write {PAGE}: {error}"));
    }
    written.is_ok() && lost == 0
}

/// The test that fails with a fault on: of all, or this one alone.
fn finder(binary: &str, fault: &str, only: Option<&str>) -> Option<String> {
    let mut command = Command::new(binary);
    command.env("CAUSTIC_FAULT", fault).env("FAIL_FAST", "1").args(["--test-threads", "1", "-q"]);
    // The pages and the rules about the source tree say nothing about programs.
    command.args(["--skip", "tidy/", "--skip", "/page"]);
    command.args(only.into_iter().flat_map(|case| ["--exact", case]));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
    let stderr = child.stderr.take()?;
    let read = std::thread::spawn(move || std::io::read_to_string(stderr).unwrap_or_default());
    let start = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break Some(status),
            None if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let text = read.join().unwrap_or_default();
    let named = text.lines().find_map(|l| l.strip_prefix(MARK)).map(str::to_string);
    match status {
        Some(status) if status.success() => None,
        Some(_) => Some(named.unwrap_or_else(|| "the process ended".into())),
        None => Some(named.unwrap_or_else(|| "no end".into())),
    }
}

/// Fault to finder, as the page says.
fn known_finders() -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(PAGE).unwrap_or_default();
    let row = |line: &str| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.split('`').collect();
        Some((cells.first()?.to_string(), cells.get(cells.len().checked_sub(2)?)?.to_string()))
    };
    page.lines().filter_map(row).collect()
}

fn page(faults: &[Fault], found: &BTreeMap<String, Option<String>>) -> String {
    let count = found.values().filter(|f| f.is_some()).count();
    let mut out = format!(
        "# Faults on purpose\n\nGenerated by `cargo xtask faults`. Each line is a mistake that `passes/src/faults.rs` can make the compiler make, and the first \
         test of the suite that fails with it.\n\nFound: {count} of {}.\n\n| fault | what goes wrong | found by |\n| --- | --- | --- |\n",
        found.len()
    );
    for Fault { name, what } in faults {
        let what = what.replace('|', "\\|").replace('`', "'");
        let finder = match found.get(name).and_then(Option::as_ref) {
            Some(case) => format!("`{case}`"),
            None => "**nobody**".into(),
        };
        let _ = writeln!(out, "| `{name}` | {what} | {finder} |");
    }
    out
}
