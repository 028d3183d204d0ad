//! The programs that look for mutants: tests, and the generator of random programs.
//!
//! A test that fails with a mutant on is asked again without it: what fails then too (a machine may
//! lack a tool) would seem to find every mutant, and is left out.

use super::List;
use crate::{cargo_output, say};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Seconds of processor time. A whole run of the suite takes 20 to 60.
const LIMIT: u64 = 200;
/// What the suite says before it ends because of `FAIL_FAST`.
const MARK: &str = "first failure: ";
/// Minutes that the generator may look for a mutant.
const MINUTES: f64 = 5.0;
/// What is built with the mutants in it.
const FEATURES: [&str; 2] = ["--features", "caustic-passes/mutants"];

/// Tests: their names, what cargo calls them, and the mutants that they are asked about before the
/// suite.
pub const TESTS: [(&str, &str, &[&str]); 5] = [
    ("suite", "suite.rs (", &[]),
    ("equalities", "equalities.rs (", &["rewrite/"]),
    ("rows", "rows.rs (", &["rule/"]),
    ("optimize", "optimize/main.rs (", &["rewrite/", "fold/"]),
    ("normalize", "normalize/main.rs (", &["exits/", "promote/", "uplift-while-to-for/", "unroll/"]),
];

/// What stands before an oracle of the generator that finds a mutant.
const GENERATOR: &str = "the generator: ";

pub fn is_generator(finder: &str) -> bool {
    finder.starts_with(GENERATOR)
}

/// When the search ends, if it has an end.
pub type Deadline = Option<Instant>;

fn left(deadline: Deadline) -> Duration {
    deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
}

/// A test program of [`TESTS`].
pub struct Test {
    pub name: &'static str,
    pub path: PathBuf,
    /// Cases that pass without a mutant, and those that do not.
    sound: Mutex<BTreeSet<String>>,
    broken: Mutex<BTreeSet<String>>,
    /// Whether all of it runs to its end without a mutant.
    ends: OnceLock<bool>,
}

/// What became of a run of a test program.
enum Run {
    Passed,
    Failed(String),
    /// It says no case: it was ended, or ended itself.
    Ended,
}

impl Test {
    fn new(name: &'static str, path: PathBuf) -> Test {
        let (sound, broken) = (Mutex::default(), Mutex::default());
        Test { name, path, sound, broken, ends: OnceLock::new() }
    }

    /// What fails with a mutant on and not without it: any case, or this one alone.
    fn failing(&self, mutant: &str, only: Option<&str>, deadline: Deadline) -> Option<String> {
        loop {
            match self.run(mutant, only, deadline) {
                Run::Passed => return None,
                Run::Failed(case) if self.is_sound(&case) => {
                    let is_suite = self.name == "suite";
                    return Some(if is_suite { case } else { format!("{}::{case}", self.name) });
                }
                Run::Failed(_) if only.is_some() => return None,
                Run::Failed(_) => {}
                Run::Ended => return self.ends().then(|| format!("{}: the process ended", self.name)),
            }
        }
    }

    fn run(&self, mutant: &str, only: Option<&str>, deadline: Deadline) -> Run {
        // A second more, so that what the end of the search ends is told apart by its time.
        let seconds = LIMIT.min(left(deadline).as_secs().saturating_add(1));
        let mut command = limited(&self.path, seconds);
        command.env("CAUSTIC_MUTANT", mutant).env("FAIL_FAST", "1").args(["--test-threads", "1", "-q"]);
        // The pages, the rules about the source tree and the limits of time say nothing about
        // programs; what compilers of other languages make of a program costs minutes, and a
        // mutant's fault shows in what the evaluator gives.
        command.args(["--skip", "tidy/", "--skip", "/page", "--skip", "limits/", "--skip", "source/"]);
        match only {
            Some(case) => {
                command.args(["--exact", case]);
            }
            None => {
                command.args(lock(&self.broken).iter().flat_map(|case| ["--skip", case]));
            }
        }
        if self.name != "suite" {
            command.current_dir("passes");
        }
        let Ok(output) = command.stdin(Stdio::null()).output() else { return Run::Passed };
        if output.status.success() {
            return Run::Passed;
        }
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let fast = err.lines().find_map(|l| l.strip_prefix(MARK));
        let named = || out.lines().find_map(|l| l.strip_prefix("---- "))?.split(' ').next();
        fast.or_else(named).map_or(Run::Ended, |case| Run::Failed(case.to_string()))
    }

    /// Whether a case passes without a mutant.
    fn is_sound(&self, case: &str) -> bool {
        if lock(&self.sound).contains(case) {
            return true;
        }
        // Another thread may have found out meanwhile.
        if lock(&self.broken).contains(case) {
            return false;
        }
        let sound = matches!(self.run("", Some(case), None), Run::Passed);
        if sound {
            lock(&self.sound).insert(case.to_string());
        } else if lock(&self.broken).insert(case.to_string()) {
            say(&format!("{} fails without a mutant and is left out: {case}", self.name));
        }
        sound
    }

    fn ends(&self) -> bool {
        *self.ends.get_or_init(|| {
            let ends = !matches!(self.run("", None, None), Run::Ended);
            if !ends {
                say(&format!("{} does not run to its end without a mutant either", self.name));
            }
            ends
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

pub struct Finders {
    pub tests: Vec<Test>,
    pub soak: PathBuf,
}

impl Finders {
    /// Builds them with the mutants in them, and says which mutants there are.
    pub fn build() -> Option<(Finders, List)> {
        let named = TESTS.iter().flat_map(|(name, ..)| ["--test", name]);
        let tests: Vec<&str> = named.chain(["--no-run"]).collect();
        let packages = ["test", "-p", "caustic-test-suite", "-p", "caustic-passes"];
        let (_, built) = cargo_output(&[&packages[..], &tests, &FEATURES].concat())?;
        let path = |mark: &str| {
            let path = built.lines().find_map(|l| l.split_once(mark)?.1.strip_suffix(')'))?;
            // Tests run in folders of their own.
            std::fs::canonicalize(path).ok()
        };
        let tests: Option<Vec<_>> = TESTS.iter().map(|(name, mark, _)| Some(Test::new(name, path(mark)?))).collect();
        let Some(tests) = tests else {
            say("cargo does not say where the tests are");
            return None;
        };
        let json = ["build", "-p", "caustic-soak", "--bin", "caustic-soak", "--message-format", "json"];
        let (messages, _) = cargo_output(&[&json[..], &FEATURES].concat())?;
        let soak = messages.lines().find_map(|l| l.split_once("\"executable\":\"")?.1.split('"').next());
        let Some(soak) = soak.map(PathBuf::from) else {
            say("cargo does not say where the soak is");
            return None;
        };
        let finders = Finders { tests, soak }.checked()?;
        let listed = Command::new(&finders.soak).args(["--mutants", "list"]).output().ok()?;
        Some((finders, List::parse(&String::from_utf8_lossy(&listed.stdout))))
    }

    /// Those that lie in a folder under their own names.
    pub fn at(folder: &Path) -> Option<Finders> {
        let tests = TESTS.iter().map(|(name, ..)| Test::new(name, folder.join(name))).collect();
        Finders { tests, soak: folder.join("soak") }.checked()
    }

    /// What cannot even start would seem to find every mutant.
    fn checked(self) -> Option<Finders> {
        let starts = |path: &Path, arguments: &[&str]| {
            limited(path, LIMIT).args(arguments).output().is_ok_and(|output| output.status.success())
        };
        let tests = self.tests.iter().map(|test| (&test.path, &["--list"][..]));
        let soak = (&self.soak, &["--show-ir", "1"][..]);
        let broken = tests.chain([soak]).find(|(path, arguments)| !starts(path, arguments));
        if let Some((path, _)) = broken {
            say(&format!("this does not run: {}", path.display()));
            return None;
        }
        Some(self)
    }

    /// The test that fails with a mutant on; `known` did so last time.
    pub fn find(&self, mutant: &str, known: Option<&String>, deadline: Deadline) -> Option<String> {
        if let Some(known) = known {
            let (test, case) = known.split_once("::").unwrap_or(("suite", known));
            let test = self.tests.iter().find(|t| t.name == test);
            if let Some(found) = test.and_then(|t| t.failing(mutant, Some(case), deadline)) {
                return Some(found);
            }
        }
        let is_of = |test: &str| {
            TESTS.iter().any(|(name, _, mutants)| *name == test && mutants.iter().any(|f| mutant.starts_with(f)))
        };
        let mut order: Vec<_> = self.tests.iter().collect();
        order.sort_by_key(|test| !is_of(test.name));
        order.into_iter().find_map(|test| test.failing(mutant, None, deadline)).or_else(|| {
            let found = self.generate(mutant, MINUTES.min(left(deadline).as_secs_f64() / 60.0))?;
            Some(format!("{GENERATOR}{}", found.1))
        })
    }

    /// How many programs the generator needs to find a mutant, and the oracle that tells.
    pub fn generate(&self, mutant: &str, minutes: f64) -> Option<(u64, String)> {
        let levels = [&["--ir", "yes"][..], &["--memory", "yes"], &[]];
        for level in levels {
            let mut command = limited(&self.soak, 600);
            command.env("CAUSTIC_MUTANT", mutant).args([
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

/// A program with a limit of processor time in seconds, where the system has one, and behind what
/// else the machine does.
fn limited(program: &Path, seconds: u64) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -t {seconds}; exec nice \"$0\" \"$@\"")]).arg(program);
    command
}
