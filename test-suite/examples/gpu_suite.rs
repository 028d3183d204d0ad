//! Runs the suite's cases on a GPU: `--pack` compiles them where LLVM is available, `--run` runs
//! them where a GPU is. See `caustic_test_suite::gpu`.
//!
//! `--run` needs no compiler: without the feature `llvm`, this program contains the launcher and
//! the code that compares numbers. Each run starts this program again, as `caustic`.

use caustic_test_suite::Suite;
use caustic_test_suite::gpu::{self, How};
use caustic_tool::{Console, exit, run_tool};
use std::io::{stderr, stdout};
use std::path::{Path, PathBuf};
use std::time::Duration;

const HELP: &str = "\
Usage: gpu_suite --pack DIR [--target ptx|cuda] [--arch sm_NN] [WORD]
       gpu_suite --run DIR [--under COMMAND] [--limit SECONDS] [--total SECONDS] [--jobs N] [WORD]

`--pack` compiles the runs of the cases whose paths contain WORD for a GPU (default: sm_90) and writes all that they take into DIR; it is run in the
repository; `--target cuda` emits CUDA, of which NVRTC makes PTX. `--run` launches them, each for 20 seconds at most or as `--limit` says and N at a time (default: 8), and compares what they give with what
the cases say; the exit code is 1 if a run fails. `--total` is when no more are started. `--under` has each run by a command, such as `compute-sanitizer --error-exitcode 9`.
";

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let code = match args.split_first() {
        Some((first, rest)) if first == "--caustic" => {
            caustic::main_with(rest, &mut stdout(), &mut stderr(), &caustic_tool::RealFiles)
        }
        _ => run_tool("gpu_suite", &mut stdout(), &mut stderr(), |console| run(&args, console)),
    };
    std::process::ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

fn run(args: &[String], console: &mut Console<'_>) -> i32 {
    let (step, folder, rest) = match args {
        [step, folder, rest @ ..] if ["--pack", "--run"].contains(&step.as_str()) => (step.as_str(), folder, rest),
        _ => return usage(console, "--pack or --run with a folder says what is to be done"),
    };
    let mut how = How {
        caustic: Vec::new(),
        under: Vec::new(),
        limit: Duration::from_secs(20),
        total: None,
        jobs: 8,
        filter: String::new(),
    };
    let (mut arch, mut target) = ("sm_90".to_string(), "ptx".to_string());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        if !word.starts_with('-') {
            how.filter = word.clone();
            continue;
        }
        let Some(value) = rest.next() else { return usage(console, &format!("{word} takes a value")) };
        let number = value.parse::<u32>().ok().filter(|n| *n > 0);
        match (word.as_str(), step, number) {
            ("--arch", "--pack", _) => arch.clone_from(value),
            ("--target", "--pack", _) if ["ptx", "cuda"].contains(&value.as_str()) => target.clone_from(value),
            ("--under", "--run", _) => how.under = value.split_whitespace().map(String::from).collect(),
            ("--limit", "--run", Some(n)) => how.limit = Duration::from_secs(n.into()),
            ("--total", "--run", Some(n)) => how.total = Some(Duration::from_secs(n.into())),
            ("--jobs", "--run", Some(n)) => how.jobs = n as usize,
            _ => return usage(console, &format!("{word} {value} makes no sense here")),
        }
    }
    let done = if step == "--pack" {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
        let suite = Suite { root, tools: &[("caustic", caustic::main_with)], bless: false };
        gpu::pack(&suite, Path::new(folder), &target, &arch, &how.filter)
    } else {
        let own = std::env::current_exe().map_or(String::new(), |path| path.to_string_lossy().into_owned());
        how.caustic = vec![own, "--caustic".into()];
        gpu::run(Path::new(folder), &how)
    };
    match done {
        Ok(text) => {
            console.out(&text);
            exit::SUCCESS
        }
        Err(text) => {
            console.out(&text);
            exit::REJECTED
        }
    }
}

fn usage(console: &mut Console<'_>, why: &str) -> i32 {
    console.err(&format!("gpu_suite: error: {why}\n{HELP}"));
    exit::USAGE
}
