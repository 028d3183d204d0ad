//! Runs the suite's cases on a GPU, in two steps: where LLVM is available they are compiled into a
//! folder, and where a GPU is available they are run from it.
//!
//! [`pack`] takes every step with `%backend` that succeeds and has expectations about its output,
//! and writes its kernel as PTX and JSON to `kernels/`, beside copies of the case and of the files
//! that its options name. [`run`] reads the cases again, launches each kernel in a process of its
//! own with a time limit, and compares the output with the expectations of the case. The compiler
//! refuses what a GPU cannot do; these cases are counted separately.
//!
//! Numbers are compared as everywhere: exactly, unless the case states a tolerance. A GPU's
//! mathematical functions differ by a few ulps (see docs/functions-of-floats.md), which only
//! affects the cases in [`DIFFERENT`].

use crate::Suite;
use crate::case::{self, Case, Step};
use crate::command::Stage;
use crate::ptx::{REFUSALS, for_emit, kept, options};
use crate::runner::{Output, judge};
use crate::source::{self, nvrtc};
use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Cases whose output differs on a GPU, with the reason why that is right.
const DIFFERENT: [(&str, &str); 12] = [
    ("cases/gpu/byte_views.mlir", "a scalar in memory lies at a multiple of its size"),
    ("cases/gpu/groupshared_begins_zero.mlir", "threads of a wave go in step: each reads before another writes"),
    ("cases/lanes/functions.slang", "the case is about bits, and functions of floats differ in the last ones"),
    ("cases/lanes/printed.slang", "threads print when they come to it, not in the order of their numbers"),
    ("cases/lanes/tapes.slang", "the case is about bits, and functions of floats differ in the last ones"),
    ("cases/lanes/waves.slang", "the case is about bits, and a GPU sums whole waves in another order"),
    ("cases/language/pointers/numbers_bound_to_buffers.slang", "a compiled kernel takes numbers for numbers"),
    ("cases/language/threads/printf.slang", "threads print when they come to it, not in the order of their numbers"),
    ("cases/run/large_locals.slang", "a thread has less local memory than that"),
    ("cases/run/printf_order.slang", "groups print when they come to it, not in the order of their numbers"),
    ("cases/run/printf_text.slang", "threads print when they come to it, not in the order of their numbers"),
    ("cases/source/faults/arithmetic.slang", "the case is about bits, and functions of floats differ in the last ones"),
];

/// Instructions by which lanes of a wave exchange values. The results of a kernel with these may
/// depend on which lanes the machine runs together, which can change from run to run, so such a
/// kernel runs [`TIMES`] times.
const EXCHANGES: [&str; 4] = ["vote.sync", "shfl.sync", "match.any.sync", "redux.sync"];
const TIMES: usize = 10;

const FOLDERS: [&str; 2] = ["test-suite/cases", "test-suite/regressions"];
const REFUSED: &str = "refused";

/// A step that a GPU could run, with its expectations.
struct Launch {
    path: String,
    text: String,
    step: Step,
    prefix: Option<String>,
    stage: Stage,
}

impl Launch {
    /// The kernel's name, which is also a file name.
    fn name(&self) -> String {
        let path = self.path.trim_start_matches("test-suite/").replace(['/', ' '], ".");
        format!("{path}.{}", self.step.line)
    }

    fn place(&self) -> String {
        format!("{}:{}", self.path, self.step.line)
    }
}

fn said(what: &str) -> impl Fn(std::io::Error) -> String + '_ {
    move |error| format!("{what}: {error}")
}

/// The steps of a case that a GPU could run.
fn launches(path: &str, text: &str, case: &Case) -> Result<Vec<Launch>, String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let values = [("%s", path), ("%S", folder), ("%examples", "examples"), ("%backend", "cuda")];
    let mut found = Vec::new();
    for step in case.steps.iter().filter(|s| s.command.contains("%backend") && s.expected_exit() == 0) {
        let (stages, prefix) = case.parts(step, &values)?;
        let [stage] = &stages[..] else { continue };
        let mut step = step.clone();
        // A launcher does not repeat the compiler's diagnostics. It has those about what is bound.
        step.diagnostics.retain(|d| d.file == "<command-line>");
        step.exact.retain(|e| !e.stderr);
        let says = step.json.is_some() || prefix.is_some() || !step.exact.is_empty();
        if says && stage.tool == "caustic" && stage.args.first().is_some_and(|a| a == "run") {
            found.push(Launch { path: path.into(), text: text.into(), step, prefix, stage: stage.clone() });
        }
    }
    Ok(found)
}

fn all(suite: &Suite, filter: &str, with_left_out: bool) -> Result<Vec<Launch>, String> {
    let mut found = Vec::new();
    for folder in FOLDERS.iter().filter(|f| suite.root.join(f).is_dir()) {
        for path in suite.discover(folder).map_err(said(folder))?.into_iter().filter(|p| p.contains(filter)) {
            let text = std::fs::read_to_string(suite.root.join(&path)).map_err(said(&path))?;
            let case = case::parse(&text).map_err(|e| format!("{path}: {e}"))?;
            if with_left_out || !case.left_out {
                found.extend(launches(&path, &text, &case)?);
            }
        }
    }
    Ok(found)
}

/// Compiles the steps for a GPU of the cases whose paths contain `filter` into `folder`, to PTX or
/// to CUDA, which NVRTC compiles to PTX. Returns the report.
pub fn pack(suite: &Suite, folder: &Path, target: &str, arch: &str, filter: &str) -> Result<String, String> {
    let launches = all(suite, filter, false)?;
    let help = |command: &str| suite.run_text("caustic", &[command.to_string(), "--help".to_string()], "");
    let (run_help, emit_help) = (help("run")?, help("emit")?);
    let (run, emit) = (options(&run_help), options(&emit_help));
    std::fs::create_dir_all(folder.join("kernels")).map_err(said("the folder"))?;
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(launch) = launches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let done = compile(suite, folder, (target, arch), launch, (&run, &emit));
                    if let Ok(mut all) = results.lock() {
                        all.push((launch.place(), done));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by(|a, b| a.0.cmp(&b.0));
    let (mut refused, mut failed) = (String::new(), Vec::new());
    for (place, done) in &results {
        match done {
            Ok(None) => {}
            Ok(Some(why)) => refused += &format!("{place} {why}\n"),
            Err(why) => failed.push(format!("{place}: {why}")),
        }
    }
    std::fs::write(folder.join(REFUSED), &refused).map_err(said(REFUSED))?;
    let text = format!("{} runs, {} of them refused\n", results.len(), refused.lines().count());
    if failed.is_empty() { Ok(text) } else { Err(format!("{text}{}", failed.join("\n"))) }
}

/// Writes one kernel; the error states why there is none.
fn compile(
    suite: &Suite,
    folder: &Path,
    (target, arch): (&str, &str),
    launch: &Launch,
    (run, emit): (&[(&str, bool)], &[(&str, bool)]),
) -> Result<Option<String>, String> {
    let words = &launch.stage.args[1..];
    // Cases go out of range through pointers, too, and compare what they read.
    let mut args: Vec<String> = ["emit", "--target", target, "--bounds", "zero"].map(String::from).to_vec();
    args.extend(["--arch", arch].map(String::from).into_iter().filter(|_| target == "ptx"));
    args.extend(for_emit(words, run, emit));
    let emitted = |args: &[String]| match suite.run_text("caustic", args, "") {
        Ok(text) => Ok(Ok(text)),
        Err(why) => match REFUSALS.iter().find_map(|code| why.lines().find(|l| l.contains(code))) {
            Some(line) => Ok(Err(line.to_string())),
            None => Err(why),
        },
    };
    let code = match emitted(&args)? {
        Ok(code) => code,
        Err(refusal) => return Ok(Some(refusal)),
    };
    args.extend(["--format", "json"].map(String::from));
    let Ok(description) = emitted(&args)? else { return Err("the description is refused".into()) };
    let ptx = match target {
        "cuda" => {
            let flags = source::requires(&description)?;
            nvrtc::compile(&suite.root, &code, &arch.replace("sm_", "compute_"), &flags)?
        }
        _ => code,
    };
    let at = folder.join(kernel(launch));
    std::fs::write(&at, ptx).map_err(said("kernels"))?;
    std::fs::write(at.with_extension("json"), description).map_err(said("kernels"))?;
    let named = words.iter().filter_map(|w| w.split_once("=@").map(|(_, file)| file));
    for file in named.chain([launch.path.as_str()]) {
        let to = folder.join(file);
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent).map_err(said(file))?;
        }
        std::fs::copy(suite.root.join(file), to).map_err(said(file))?;
    }
    Ok(None)
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct How {
    /// The command that starts `caustic`, without its arguments.
    pub caustic: Vec<String>,
    /// The words of a command that runs it, such as `compute-sanitizer`.
    pub under: Vec<String>,
    pub limit: Duration,
    /// The time after which no more kernels are started.
    pub total: Option<Duration>,
    /// The number of simultaneous processes.
    pub jobs: usize,
    /// A part of the paths of the cases to run.
    pub filter: String,
}

/// The path of a kernel in the folder.
fn kernel(launch: &Launch) -> String {
    format!("kernels/{}.ptx", launch.name())
}

/// The outcome of one run.
enum Outcome {
    Passed,
    /// The output differs, for this reason.
    Different(&'static str),
    Failed(String),
}

/// The options of `run`, with whether they take a value, and those of `launch`.
type Known<'a> = (&'a [(&'a str, bool)], &'a [(&'a str, bool)]);

/// Runs the packed kernels. Returns the report, as an error if a run fails.
pub fn run(folder: &Path, how: &How) -> Result<String, String> {
    let suite = Suite { root: folder.to_path_buf(), tools: &[], bless: false };
    let mut launches = all(&suite, &how.filter, true)?;
    launches.retain(|l| folder.join(kernel(l)).is_file());
    let alone = How { under: Vec::new(), ..how.clone() };
    let help = |command: &str| process(folder, &[command.to_string(), "--help".to_string()], &alone).map(|o| o.stdout);
    let (run_help, launch_help) = (help("run")?, help("launch")?);
    let (run, launch) = (options(&run_help), options(&launch_help));
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..how.jobs.max(1) {
            scope.spawn(|| {
                while how.total.is_none_or(|total| start.elapsed() < total)
                    && let Some(case) = launches.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let outcome = one(folder, case, how, (&run, &launch));
                    if let Ok(mut all) = results.lock() {
                        all.push((case.place(), outcome));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by(|a, b| a.0.cmp(&b.0));
    let refused = std::fs::read_to_string(folder.join(REFUSED)).unwrap_or_default();
    let refused: Vec<&str> = refused.lines().filter(|l| l.contains(&how.filter)).collect();
    let (mut text, failed) = tell(&results, &refused);
    let left = launches.len() - results.len();
    if left > 0 {
        let _ = writeln!(text, "{left} were not run: the time was over");
    }
    if failed || left > 0 { Err(text) } else { Ok(text) }
}

/// The report, and whether a run failed.
fn tell(results: &[(String, Outcome)], refused: &[&str]) -> (String, bool) {
    let (mut passed, mut different, mut failed) = (0, 0, 0);
    let mut out = String::new();
    for (place, outcome) in results {
        let _ = match outcome {
            Outcome::Passed => {
                passed += 1;
                Ok(())
            }
            Outcome::Different(reason) => {
                different += 1;
                writeln!(out, "different {place}: {reason}")
            }
            Outcome::Failed(why) => {
                failed += 1;
                writeln!(out, "failed {place}: {why}")
            }
        };
    }
    for line in refused {
        let _ = writeln!(out, "refused {line}");
    }
    let _ = writeln!(
        out,
        "{} runs: {passed} passed, {different} different on GPUs, {failed} failed; {} more are refused by the compiler",
        results.len(),
        refused.len()
    );
    (out, failed > 0)
}

/// Runs a kernel as often as necessary, or until it fails.
fn one(folder: &Path, launch: &Launch, how: &How, known: Known<'_>) -> Outcome {
    let kernel = kernel(launch);
    // If there is no kernel, the launcher reports that.
    let ptx = std::fs::read_to_string(folder.join(&kernel)).unwrap_or_default();
    let exchanges = EXCHANGES.iter().any(|word| ptx.contains(word));
    for n in 1..=if exchanges { TIMES } else { 1 } {
        match once(folder, launch, &kernel, how, known) {
            Outcome::Passed => {}
            Outcome::Failed(why) if n > 1 => return Outcome::Failed(format!("in run {n}: {why}")),
            other => return other,
        }
    }
    Outcome::Passed
}

fn once(folder: &Path, launch: &Launch, kernel: &str, how: &How, (run, taken): Known<'_>) -> Outcome {
    // A launch has options of a run: those that are not about how a program is compiled.
    let words = kept(&launch.stage.args[1..], run, &|name| taken.iter().any(|(n, _)| *n == name));
    let source = words.iter().position(|w| w.ends_with(".slang") || w.ends_with(".mlir"));
    let mut args = vec!["launch".to_string()];
    let placed = |(i, word)| if Some(i) == source { kernel.to_string() } else { word };
    args.extend(words.into_iter().enumerate().map(placed));
    let output = match process(folder, &args, how) {
        Ok(output) => output,
        Err(why) => return Outcome::Failed(why),
    };
    match judge(
        &launch.path,
        &launch.text,
        &launch.step,
        launch.prefix.clone(),
        launch.stage.merge_stderr,
        &output,
        None,
    ) {
        Ok(()) => Outcome::Passed,
        Err(why) => match DIFFERENT.iter().find(|(path, _)| launch.path.ends_with(path)) {
            Some((_, reason)) => Outcome::Different(reason),
            None => Outcome::Failed(why),
        },
    }
}

/// Runs `caustic` in the folder with these arguments, within the time limit.
fn process(folder: &Path, args: &[String], how: &How) -> Result<Output, String> {
    let mut words = how.under.iter().chain(&how.caustic).chain(args);
    let program = words.next().ok_or("no program")?;
    let mut command = Command::new(program);
    command.args(words).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Descendants of the process end with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(said(program))?;
    let (out, err) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(said(program))? {
            Some(status) => break status,
            None if start.elapsed() > how.limit => {
                let group = Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status();
                if !group.is_ok_and(|s| s.success()) {
                    let _ = child.kill();
                }
                let _ = child.wait();
                return Err(format!("it did not end within {} s", how.limit.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let text = |reader: std::thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
    };
    let (mut stdout, mut stderr) = (text(out), text(err));
    let exit = status.code().unwrap_or(-1);
    if exit == 0 && !how.under.is_empty() {
        // The tool's own lines, which it also prints when it finds nothing.
        let own = |text: &str| text.lines().filter(|l| !l.starts_with("=====")).map(|l| format!("{l}\n")).collect();
        (stdout, stderr) = (own(&stdout), own(&stderr));
    }
    Ok(Output { stdout, stderr, exit })
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outcome for the case at this path, with a `caustic` that prints `printed`.
    fn outcome(path: &str, expected: &str, printed: &str) -> String {
        let text =
            format!("// RUN: caustic run %s --backend %backend --read a --format json\n// EXPECT-JSON: {expected}\n");
        let case = case::parse(&text).unwrap();
        let launches = launches(path, &text, &case).unwrap();
        let how = How {
            caustic: ["sh", "-c", printed].map(String::from).to_vec(),
            under: Vec::new(),
            limit: Duration::from_millis(300),
            total: None,
            jobs: 1,
            filter: String::new(),
        };
        let run = [("--backend", true), ("--read", true), ("--format", true)];
        match one(Path::new("."), &launches[0], &how, (&run, &run[1..])) {
            Outcome::Passed => "passed".into(),
            Outcome::Different(reason) => format!("different {reason}"),
            Outcome::Failed(why) => format!("failed {why}"),
        }
    }

    #[test]
    fn runs_are_told_apart() {
        let expected = "{\"a\": [1.0, 3]}";
        assert_eq!(outcome("a.slang", expected, "echo '{\"a\": [1.0, 3]}'"), "passed");
        assert!(outcome("a.slang", expected, "echo '{\"a\": [1.0001, 3]}'").starts_with("failed `a`[0]"));
        assert!(outcome("a.slang", expected, "echo '{\"a\": [1.0, 4]}'").starts_with("failed"));
        assert!(
            outcome("a.slang", expected, "echo '{\"a\": [1.0, 3]}'; exit 3").contains("expected exit code 0, got 3")
        );
        assert!(outcome("a.slang", expected, "sleep 5").contains("did not end"));
    }

    #[test]
    fn a_case_that_differs_on_gpus_says_why() {
        let (path, reason) = DIFFERENT[0];
        assert_eq!(outcome(path, "{\"a\": [1]}", "echo '{\"a\": [1]}'"), "passed");
        assert_eq!(outcome(path, "{\"a\": [1]}", "echo '{\"a\": [2]}'"), format!("different {reason}"));
    }

    #[test]
    fn only_what_says_something_is_run() {
        let count = |text: &str| launches("a.slang", text, &case::parse(text).unwrap()).unwrap().len();
        assert_eq!(count("// RUN: caustic run %s --backend %backend\n"), 0);
        assert_eq!(count("// RUN: caustic run %s --backend %backend\n// EXPECT-TRAP: 3:1 x\n"), 0);
        assert_eq!(count("// RUN: caustic run %s --backend %backend | FileCheck %s\n// CHECK: x\n"), 1);
        assert_eq!(count("// RUN: caustic run %s --backend %backend\n// STDOUT:\n//| x\n"), 1);
        assert_eq!(count("// RUN: caustic run %s\n// STDOUT:\n//| x\n"), 0);
    }
}
