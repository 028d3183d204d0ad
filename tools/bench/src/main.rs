//! `caustic-bench`: how fast the compiler is, and how its time and memory grow with the program.
//!
//! Every measurement runs in a process of its own, which is this program started again.
//! docs/performance.md says how, and docs/evidence.md has the figures.

mod cli;
mod costs;
mod cpp;
mod drawn;
mod emit;
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
mod rewrites;
#[cfg(feature = "llvm")]
mod ulps;

use caustic_tool::arguments::{self, given};
use caustic_tool::{Console, exit, run_tool};
use clap::ArgMatches;
use measure::{Measured, What};
use std::io::{stderr, stdout};
use std::process::{Command, Stdio};

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
        _ => run_tool(cli::TOOL, &mut stdout(), &mut stderr(), |console| run(&args, console)),
    };
    std::process::ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

fn run(args: &[String], console: &mut Console<'_>) -> i32 {
    let matches = match arguments::parse(cli::command(), args, console) {
        Ok(matches) => matches,
        Err(code) => return code,
    };
    let Some((task, asked)) = matches.subcommand() else {
        return tables(report_all(&options(&matches), console).map(|()| String::new()), console);
    };
    let word = given(asked, "word").unwrap_or_default();
    let what = || given(asked, "what").and_then(What::of_name);
    match task {
        "program" => {
            let lines = asked.get_one::<usize>("lines").copied().unwrap_or_default();
            tables(what().map(|what| what.program(lines)).ok_or_else(|| "nothing is measured so".into()), console)
        }
        "costs" => tables(costs::report(&words(asked, "files")), console),
        "emit" => tables(emit::report(word), console),
        "drawn" => tables(drawn::report(asked), console),
        "rewrites" => tables(rewrites::report(word), console),
        "gradients" => tables(gradients::report(word), console),
        #[cfg(feature = "llvm")]
        "lanes" => tables(lanes::report(word), console),
        #[cfg(feature = "llvm")]
        "ulps" => tables(ulps::report(&words(asked, "words")), console),
        "gpu" | "gpu-build" | "gpu-run" | "gpu-variant" | "gpu-phases" => tables(gpu::report(task, asked), console),
        "op-costs" | "op-costs-build" | "op-costs-run" => tables(op_costs::report(task, asked), console),
        "measure" => match (what(), given(asked, "lines").and_then(|n| n.parse().ok())) {
            (Some(what), Some(lines)) => measure_here(what, lines, console),
            _ => arguments::wrong(cli::TOOL, "--measure takes what and a number of lines", None, console),
        },
        "kernel" => kernel::run_here(given(asked, "file").unwrap_or_default(), console),
        _ => tables(Err("this build has no LLVM: build with `--features llvm`".into()), console),
    }
}

/// The texts of an argument that takes several.
fn words<'m>(matches: &'m ArgMatches, name: &str) -> Vec<&'m str> {
    matches.get_many::<String>(name).into_iter().flatten().map(String::as_str).collect()
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

fn options(matches: &ArgMatches) -> Options {
    let what = given(matches, "what");
    Options {
        lines: matches.get_many::<usize>("lines").into_iter().flatten().copied().collect(),
        repeat: matches.get_one::<usize>("repeat").copied().unwrap_or(1),
        what: what.map_or_else(|| What::ALL.to_vec(), |name| What::of_name(name).into_iter().collect()),
        kernel: what.is_none_or(|name| name == "kernel"),
        steps: matches.get_flag("steps"),
    }
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
