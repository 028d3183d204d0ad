//! Whether a text shows the fault.
//!
//! The tools run in this process, with the candidate in the place of the file; what may end the
//! process runs in one of its own.

use crate::cli::Options;
use caustic_tool::{FileSystem, exit};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub enum Predicate {
    Error(String),
    Signal,
    Gradient(Option<String>),
    Miscompare(String, String),
    Pipelines(String, String),
    Verifier(String),
    Script(String),
}

impl Predicate {
    pub fn describe(&self) -> String {
        match self {
            Predicate::Error(text) => format!("nothing says `{text}`"),
            Predicate::Signal => "no signal ends the compiler".into(),
            Predicate::Gradient(Some(function)) => format!("no derivative of `{function}` is wrong"),
            Predicate::Gradient(None) => "no derivative is wrong".into(),
            Predicate::Miscompare(a, b) => format!("`{a}` and `{b}` give the same numbers, or one of them fails"),
            Predicate::Pipelines(..) => "both pipelines give the same numbers, or one of them fails".into(),
            Predicate::Verifier(_) => "no pass leaves invalid IR".into(),
            Predicate::Script(script) => format!("`{script}` does not exit with 0"),
        }
    }
}

/// The files with a candidate in the place of one of them.
struct Overlay<'a> {
    path: &'a str,
    text: &'a str,
    files: &'a dyn FileSystem,
}

impl FileSystem for Overlay<'_> {
    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        if path == self.path { Ok(self.text.as_bytes().to_vec()) } else { self.files.read(path) }
    }
    fn is_file(&self, path: &str) -> bool {
        path == self.path || self.files.is_file(path)
    }
}

/// Operations of one call in a gradient check: a loop that a change made endless is no wrong
/// gradient.
const STEPS: &str = "1000000";

/// What a tool did.
struct Outcome {
    code: i32,
    out: String,
    err: String,
}

pub struct Test<'a> {
    pub options: &'a Options,
    pub files: &'a dyn FileSystem,
}

impl Test<'_> {
    pub fn holds(&self, text: &str) -> bool {
        let arguments = |extra: &[&str]| -> Vec<String> {
            let given = self.options.arguments.iter().map(|a| a.replace("%s", &self.options.file));
            given.chain(extra.iter().map(|a| a.to_string())).collect()
        };
        match &self.options.predicate {
            Predicate::Error(wanted) => self.caustic(text, &self.limited(arguments(&[]))).err.contains(wanted),
            Predicate::Signal => {
                let Ok(program) = std::env::current_exe().map(|exe| exe.with_file_name("caustic")) else {
                    return false;
                };
                let mut command = Command::new(program);
                self.with_file(text, |path| {
                    command.args(self.options.arguments.iter().map(|a| a.replace("%s", path)));
                    run(&mut command, self.options.limit).is_some_and(|status| status.code().is_none())
                })
            }
            Predicate::Gradient(function) => {
                let mut args: Vec<String> =
                    ["gradcheck", &self.options.file, "--samples", "4", "--steps", STEPS].map(str::to_string).to_vec();
                args.extend(function.iter().flat_map(|f| ["--function".to_string(), f.clone()]));
                let outcome = self.caustic(text, &args);
                // What is rejected gives the same code, and no table.
                outcome.code == exit::REJECTED && outcome.err.is_empty() && !outcome.out.is_empty()
            }
            Predicate::Miscompare(a, b) => {
                let [x, y] =
                    [a, b].map(|backend| self.caustic(text, &self.limited(arguments(&["--backend", backend]))));
                self.differ(&x, &y)
            }
            Predicate::Pipelines(p, q) => {
                let run = |pipeline: &str| {
                    let lowered = self.opt(text, pipeline);
                    if lowered.code != exit::SUCCESS {
                        return lowered;
                    }
                    self.caustic(&lowered.out, &self.limited(arguments(&["--backend", "interp"])))
                };
                self.differ(&run(p), &run(q))
            }
            Predicate::Verifier(pipeline) => self.opt(text, pipeline).code == exit::INTERNAL,
            Predicate::Script(script) => self.with_file(text, |path| {
                let mut command = Command::new("sh");
                command.args(["-c", &format!("{script} \"$1\""), "sh", path]);
                run(&mut command, self.options.limit).is_some_and(|status| status.success())
            }),
        }
    }

    /// Arguments of `run` with a limit on time.
    fn limited(&self, mut args: Vec<String>) -> Vec<String> {
        if args.first().is_some_and(|a| a == "run") && !args.iter().any(|a| a.starts_with("--time-limit")) {
            args.extend(["--time-limit".to_string(), self.options.limit.as_secs_f64().to_string()]);
        }
        args
    }

    fn caustic(&self, text: &str, args: &[String]) -> Outcome {
        self.tool(text, |out, err, files| caustic::main_with(args, out, err, files))
    }

    fn opt(&self, text: &str, pipeline: &str) -> Outcome {
        let args = [self.options.file.clone(), format!("--pass-pipeline={pipeline}"), "--reproducer=".to_string()];
        self.tool(text, |out, err, files| caustic_opt::main_with(&args, out, err, files))
    }

    fn tool(&self, text: &str, call: impl FnOnce(&mut Vec<u8>, &mut Vec<u8>, &Overlay<'_>) -> i32) -> Outcome {
        let overlay = Overlay { path: &self.options.file, text, files: self.files };
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = call(&mut out, &mut err, &overlay);
        let string = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Outcome { code, out: string(out), err: string(err) }
    }

    /// Both succeed, and some number is another one.
    fn differ(&self, a: &Outcome, b: &Outcome) -> bool {
        if a.code != exit::SUCCESS || b.code != exit::SUCCESS {
            return false;
        }
        let (x, y) = (numbers(&a.out), numbers(&b.out));
        let apart = |x: f64, y: f64| {
            if !(x.is_finite() && y.is_finite()) {
                return x != y && !(x.is_nan() && y.is_nan());
            }
            (x - y).abs() > self.options.tolerance * x.abs().max(y.abs())
        };
        x.len() != y.len() || x.iter().zip(&y).any(|(&x, &y)| apart(x, y))
    }

    /// Hands over the text in a file of its own, beside the original so that imports are found.
    fn with_file(&self, text: &str, job: impl FnOnce(&str) -> bool) -> bool {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let extension = if self.options.file.ends_with(".mlir") { "mlir" } else { "slang" };
        let path = format!("{}.try{}-{number}.{extension}", self.options.file, std::process::id());
        if std::fs::write(&path, text).is_err() {
            return false;
        }
        let result = job(&path);
        // A file that stays is litter, no error.
        let _ = std::fs::remove_file(&path);
        result
    }
}

/// Runs a command to its end; `None` if it cannot be run or takes too long.
fn run(command: &mut Command, limit: Duration) -> Option<std::process::ExitStatus> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().ok()? {
            return Some(status);
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The numbers in a text, in order.
fn numbers(text: &str) -> Vec<f64> {
    let number = |word: &str| match word {
        "Infinity" | "inf" => Some(f64::INFINITY),
        "-Infinity" | "-inf" => Some(f64::NEG_INFINITY),
        _ => word.parse().ok(),
    };
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '-' | '+'))).filter_map(number).collect()
}
