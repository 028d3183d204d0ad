//! `cargo xtask faults`: who finds each fault on purpose (`passes/src/faults.rs`), and the page of the book that says so.
//!
//! The tests are built once with the faults in them. Each fault is tried on the suite, until its first failure, and on the tests of the passes' rows and
//! rewrites; what nobody finds there, the generator of random programs looks for. What found a fault last time is asked first. A process has a limit of
//! processor time, so that a machine that does much else changes nothing; what is over it counts as found, since a fault may make a loop endless.
//!
//! `cargo xtask faults --patterns` asks the generator alone, about the [`patterns`] that users of other compilers were given wrong derivatives in.

mod page;
mod patterns;

use crate::{cargo_output, say};
use page::Page;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

/// Seconds of processor time. A whole run of the suite takes 20 to 60.
const LIMIT: u32 = 200;
/// What the suite says before it ends because of `FAIL_FAST`.
const MARK: &str = "first failure: ";
/// Minutes that the generator may look for a fault.
const MINUTES: f64 = 5.0;
/// What is built with the faults in it.
const FEATURES: [&str; 2] = ["--features", "caustic-passes/faults"];

struct Fault {
    name: String,
    what: String,
}

/// The programs that look for faults, by what cargo calls them.
struct Finders {
    /// Name and path.
    tests: Vec<(&'static str, String)>,
    soak: String,
}

/// Tests beside the suite, and the faults that they are asked about before it.
const TESTS: [(&str, &str, &[&str]); 4] = [
    ("suite", "suite.rs (", &[]),
    ("rows", "rows.rs (", &["rule/"]),
    ("optimize", "optimize/main.rs (", &["rewrite/", "fold/"]),
    ("normalize", "normalize/main.rs (", &["exits/", "promote/", "raise-for/", "unroll/"]),
];

impl Finders {
    fn build() -> Option<Finders> {
        let tests = ["--test", "suite", "--test", "rows", "--test", "optimize", "--test", "normalize", "--no-run"];
        let packages = ["test", "-p", "caustic-test-suite", "-p", "caustic-passes"];
        let (_, built) = cargo_output(&[&packages[..], &tests, &FEATURES].concat())?;
        let path = |mark: &str| Some(built.lines().find_map(|l| l.split_once(mark)?.1.strip_suffix(')'))?.to_string());
        let tests: Option<Vec<_>> = TESTS.iter().map(|(name, mark, _)| Some((*name, path(mark)?))).collect();
        let Some(tests) = tests else {
            say("cargo does not say where the tests are");
            return None;
        };
        let json = ["build", "-p", "caustic-soak", "--bin", "caustic-soak", "--message-format", "json"];
        let (messages, _) = cargo_output(&[&json[..], &FEATURES].concat())?;
        let soak = messages.lines().find_map(|l| l.split_once("\"executable\":\"")?.1.split('"').next());
        let Some(soak) = soak.map(str::to_string) else {
            say("cargo does not say where the soak is");
            return None;
        };
        let finders = Finders { tests, soak };
        // What cannot even start would seem to find every fault.
        let broken = finders
            .tests
            .iter()
            .find(|(_, path)| !limited(path, LIMIT).arg("--list").output().is_ok_and(|output| output.status.success()));
        if let Some((test, path)) = broken {
            say(&format!("{test} does not run: {path}"));
            return None;
        }
        Some(finders)
    }

    /// The test that fails with a fault on; `known` did so last time.
    fn find(&self, fault: &str, known: Option<&String>) -> Option<String> {
        if let Some(known) = known {
            let (test, case) = known.split_once("::").unwrap_or(("suite", known));
            let path = self.tests.iter().find(|(name, _)| *name == test);
            if let Some(found) = path.and_then(|t| failing(t, fault, Some(case))) {
                return Some(found);
            }
        }
        let is_of = |test: &str| {
            TESTS.iter().any(|(name, _, faults)| *name == test && faults.iter().any(|f| fault.starts_with(f)))
        };
        let mut order: Vec<_> = self.tests.iter().collect();
        order.sort_by_key(|(name, _)| !is_of(name));
        order.into_iter().find_map(|test| failing(test, fault, None)).or_else(|| {
            let found = self.generate(fault, MINUTES)?;
            Some(format!("the generator: {}", found.1))
        })
    }

    /// How many programs the generator needs to find a fault, and the oracle that tells.
    fn generate(&self, fault: &str, minutes: f64) -> Option<(u64, String)> {
        let levels = [&["--ir", "yes"][..], &["--memory", "yes"], &[]];
        for level in levels {
            let mut command = limited(&self.soak, 600);
            command.env("CAUSTIC_FAULT", fault).args([
                "--minutes",
                &(minutes / levels.len() as f64).to_string(),
                "--threads",
                "1",
            ]);
            let output = command.args(["--until", "failure"]).args(level).output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let found = text.lines().find_map(|l| l.strip_prefix("found after ")?.split_once(" programs: "));
            match found {
                Some((count, oracle)) => return Some((count.parse().unwrap_or(0), oracle.to_string())),
                None if output.status.success() => {}
                None => return Some((0, "the process ended".into())),
            }
        }
        None
    }
}

/// Runs the faults whose names contain one of the words, or all without words; `--patterns` as the head says. Writes the page.
pub fn run(words: &[&str]) -> bool {
    let Some(finders) = Finders::build() else { return false };
    let list = ["run", "-q", "-p", "caustic-passes", "--example", "faults"];
    let Some((listed, _)) = cargo_output(&[&list[..], &FEATURES].concat()) else { return false };
    let faults = listed.lines().filter_map(|line| line.split_once('\t'));
    let mut faults: Vec<Fault> = faults.map(|(name, what)| Fault { name: name.into(), what: what.into() }).collect();
    let mut page = Page::read();
    let lost = match words {
        ["--patterns"] => patterns::run(&finders, &mut page),
        _ => {
            let all: Vec<String> = faults.iter().map(|f| f.name.clone()).collect();
            faults.retain(|f| words.is_empty() || words.iter().any(|w| f.name.contains(w)));
            let lost = search(&finders, &faults, &mut page);
            page.faults.retain(|name, _| all.contains(name));
            lost
        }
    };
    if let Err(error) = page.write() {
        say(&format!("cannot write {}: {error}", page::PATH));
        return false;
    }
    lost == 0
}

/// Asks about every fault; how many nobody finds.
fn search(finders: &Finders, faults: &[Fault], page: &mut Page) -> usize {
    let known: BTreeMap<String, String> =
        page.faults.iter().filter_map(|(name, row)| Some((name.clone(), row.finder.clone()?))).collect();
    let found: Mutex<BTreeMap<String, Option<String>>> = Mutex::default();
    let next = Mutex::new(faults.iter());
    let workers = std::env::var("FAULT_JOBS").ok().and_then(|n| n.parse().ok());
    let workers = workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some(fault) = next.lock().ok().and_then(|mut it| it.next()) else { return };
                    let start = Instant::now();
                    let finder = finders.find(&fault.name, known.get(&fault.name));
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
    for fault in faults {
        let finder = found.get(&fault.name).cloned().flatten();
        page.faults.insert(fault.name.clone(), page::Row { what: fault.what.clone(), finder });
    }
    lost
}

/// A program with a limit of processor time in seconds, where the system has one, and behind what else the machine does.
fn limited(program: &str, seconds: u32) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -t {seconds}; exec nice \"$0\" \"$@\""), program]);
    command
}

/// What fails in a test program with a fault on: any case, or this one alone.
fn failing((test, path): &(&str, String), fault: &str, only: Option<&str>) -> Option<String> {
    let mut command = limited(path, LIMIT);
    command.env("CAUSTIC_FAULT", fault).env("FAIL_FAST", "1").args(["--test-threads", "1", "-q"]);
    // The pages, the rules about the source tree and the limits of time say nothing about programs.
    command.args(["--skip", "tidy/", "--skip", "/page", "--skip", "limits/"]);
    command.args(only.into_iter().flat_map(|case| ["--exact", case]));
    if *test != "suite" {
        command.current_dir("passes");
    }
    let output = command.stdin(Stdio::null()).output().ok()?;
    if output.status.success() {
        return None;
    }
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let fast = err.lines().find_map(|l| l.strip_prefix(MARK)).map(str::to_string);
    let named = || Some(format!("{test}::{}", out.lines().find_map(|l| l.strip_prefix("---- "))?.split(' ').next()?));
    Some(fast.or_else(named).unwrap_or_else(|| format!("{test}: the process ended")))
}
