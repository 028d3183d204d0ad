//! `caustic-bench`: how fast the compiler is, and how its time and memory grow with the program.
//!
//! Every measurement runs in a process of its own, which is this program started again.
//! docs/performance.md says how, and docs/evidence.md has the figures.

mod costs;
mod cpp;
mod drawn;
mod functions;
mod gpu;
mod gradients;
mod kernel;
#[cfg(feature = "llvm")]
mod lanes;
mod measure;
mod op_costs;
mod program;
mod report;
#[cfg(feature = "llvm")]
mod ulps;

use caustic_tool::{Console, exit, run_tool};
use measure::{Measured, What};
use std::io::{stderr, stdout};
use std::process::{Command, Stdio};

const HELP: &str = "\
Usage: caustic-bench [--lines N,N,...] [--repeat N] [--what front|check|compile|generic|kernel] [--steps]
       caustic-bench --program WHAT N
       caustic-bench --costs FILE.slang...
       caustic-bench --drawn SEED [--count N] [--kind WORD] [--one PROGRAM] [--fp exact|contract|fast] [--slangc PATH]
                     [--text|--cpu|--gpu-build DIR [--arch sm_NN]|--gpu-run DIR]
       caustic-bench --gradients [WORD]
       caustic-bench --lanes [WORD]
       caustic-bench --ulps [N] [WORD]
       caustic-bench --op-costs [--arch sm_NN] [WORD]
       caustic-bench --op-costs-build DIR [--arch sm_NN] [WORD]
       caustic-bench --op-costs-run DIR [WORD]
       caustic-bench --gpu [--arch sm_NN] [--slangc PATH] [WORD]
       caustic-bench --gpu-build DIR [--arch sm_NN] [--slangc PATH] [--rewrite auto|on|off] [WORD]
       caustic-bench --gpu-run DIR [--arch sm_NN] [--check|--counters|--errors] [WORD]

Prints time, speed and memory of the compiler on generated programs of N lines (default: 1000,2000,5000,10000,20000), the best of
`--repeat` runs (default: 3), and the time of `caustic run` on a kernel of ten lines. `--steps` adds the time of each step and its growth
between the last two sizes. `--program` prints the program that is generated for a measurement. `--costs` prints what derivatives
cost beside the functions of these files, and how that grows with trip counts and arrays (docs/costs.md). `--drawn` draws kernels as
users write them and compares ours with slangc's, on one core or on a GPU (docs/performance.md). `--gradients` measures reverse
derivatives beside the same derivatives written by hand, in programs whose title contains WORD; `--lanes` does so for kernels with many
threads on one core, and needs LLVM (`--features llvm`), as does `--ulps`, which compares functions of f32 whose name contains WORD with f64, for all arguments
or N times fewer. `--op-costs` measures what ops whose name contains WORD cost on each machine that is here, beside the table that passes
decide by; of a GPU in two steps if one machine has LLVM and another the GPU. `--gpu` measures the programs of test-suite/bench whose name contains WORD on an NVIDIA GPU,
beside `slangc` and derivatives by hand, which need `nvcc`; it takes two steps if one machine has LLVM and another the GPU.
`--check` only compares ours with the CPU, on few threads (for `compute-sanitizer`); `--counters` asks Nsight Compute (`ncu`) what each kernel does.
`--errors`, for both steps, measures how far functions of floats are off on the GPU.
";

struct Options {
    lines: Vec<usize>,
    repeat: usize,
    what: Vec<What>,
    kernel: bool,
    steps: bool,
}

fn main() -> std::process::ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // How this program calls itself for what `caustic` does.
    let code = match args.split_first() {
        Some((first, rest)) if first == "--caustic" => {
            caustic::main_with(rest, &mut stdout(), &mut stderr(), &caustic_tool::RealFiles)
        }
        _ => run_tool("caustic-bench", &mut stdout(), &mut stderr(), |console| run(&args, console)),
    };
    std::process::ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

fn run(args: &[String], console: &mut Console<'_>) -> i32 {
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words[..] {
        ["--help" | "-h"] => {
            console.out(HELP);
            exit::SUCCESS
        }
        ["--program", what, lines] => match (What::of_name(what), lines.parse()) {
            (Some(what), Ok(lines)) => {
                console.out(&what.program(lines));
                exit::SUCCESS
            }
            _ => usage(console, "--program takes what is measured and a number of lines"),
        },
        ["--costs", ref files @ ..] => tables(costs::report(files), console),
        ["--drawn", ref rest @ ..] => tables(drawn::report(rest), console),
        ["--gradients"] => tables(gradients::report(""), console),
        ["--gradients", only] => tables(gradients::report(only), console),
        #[cfg(feature = "llvm")]
        ["--lanes"] => tables(lanes::report(""), console),
        #[cfg(feature = "llvm")]
        ["--lanes", only] => tables(lanes::report(only), console),
        #[cfg(feature = "llvm")]
        ["--ulps", ref rest @ ..] => tables(ulps::report(rest), console),
        #[cfg(not(feature = "llvm"))]
        ["--lanes" | "--ulps", ..] => {
            tables(Err("this build has no LLVM: build with `--features llvm`".into()), console)
        }
        [step @ ("--gpu" | "--gpu-build" | "--gpu-run" | "--gpu-variant" | "--gpu-phases"), ref rest @ ..] => {
            tables(gpu::report(step, rest), console)
        }
        [step @ ("--op-costs" | "--op-costs-build" | "--op-costs-run"), ref rest @ ..] => {
            tables(op_costs::report(step, rest), console)
        }
        // How this program calls itself.
        ["--measure", what, lines] => match (What::of_name(what), lines.parse()) {
            (Some(what), Ok(lines)) => measure_here(what, lines, console),
            _ => usage(console, "--measure takes what and a number of lines"),
        },
        ["--kernel", file] => kernel::run_here(file, console),
        _ => match parse(&words) {
            Ok(options) => match report_all(&options, console) {
                Ok(()) => exit::SUCCESS,
                Err(message) => {
                    console.err(&format!("caustic-bench: error: {message}\n"));
                    exit::REJECTED
                }
            },
            Err(message) => usage(console, &message),
        },
    }
}

fn tables(made: Result<String, String>, console: &mut Console<'_>) -> i32 {
    match made {
        Ok(text) => {
            console.out(&text);
            exit::SUCCESS
        }
        Err(message) => {
            console.err(&format!("caustic-bench: error: {message}\n"));
            exit::REJECTED
        }
    }
}

fn usage(console: &mut Console<'_>, message: &str) -> i32 {
    console.err(&format!("caustic-bench: error: {message}\n{HELP}"));
    exit::USAGE
}

fn parse(words: &[&str]) -> Result<Options, String> {
    let lines = vec![1_000, 2_000, 5_000, 10_000, 20_000];
    let mut options = Options { lines, repeat: 3, what: What::ALL.to_vec(), kernel: true, steps: false };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut value = || words.next().copied().ok_or_else(|| format!("`{word}` needs a value"));
        match word {
            "--lines" => {
                let sizes: Result<Vec<usize>, _> = value()?.split(',').map(str::parse).collect();
                options.lines = sizes.map_err(|e| format!("--lines: {e}"))?;
            }
            "--repeat" => options.repeat = value()?.parse().map_err(|e| format!("--repeat: {e}"))?,
            "--what" => {
                let name = value()?;
                options.what = What::of_name(name).into_iter().collect();
                options.kernel = name == "kernel";
                if options.what.is_empty() && !options.kernel {
                    return Err(format!("`{name}` cannot be measured"));
                }
            }
            "--steps" => options.steps = true,
            _ => return Err(format!("`{word}` is not an option")),
        }
    }
    Ok(options)
}

fn report_all(options: &Options, console: &mut Console<'_>) -> Result<(), String> {
    for &what in &options.what {
        let runs: Result<Vec<Measured>, String> =
            options.lines.iter().map(|&n| best(what, n, options.repeat)).collect();
        let runs = runs?;
        console.out(&report::table(what.title(), &runs));
        if options.steps {
            console.out(&report::steps(&runs));
        }
        console.out("\n");
    }
    if options.kernel {
        console.out(&kernel::report(options.repeat)?);
    }
    Ok(())
}

/// The fastest of some runs: what else the machine does only adds.
fn best(what: What, lines: usize, repeat: usize) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    for _ in 0..repeat.max(1) {
        let text = again(&["--measure", what.name(), &lines.to_string()])?;
        let found = Measured::of_text(&text).ok_or_else(|| format!("a measurement gave {text:?}"))?;
        if best.as_ref().is_none_or(|b| found.total() < b.total()) {
            best = Some(found);
        }
    }
    best.ok_or_else(|| "nothing was measured".to_string())
}

/// Starts this program again and gives what it printed.
fn again(args: &[&str]) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let output = Command::new(program).args(args).stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("cannot start this program again: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{} failed", args.join(" "))) }
}

fn measure_here(what: What, lines: usize, console: &mut Console<'_>) -> i32 {
    match measure::measure(what, lines) {
        Ok(measured) => {
            console.out(&measured.to_text());
            exit::SUCCESS
        }
        Err(diagnostics) => console.report(&diagnostics, &|_| Some(what.program(lines))),
    }
}
