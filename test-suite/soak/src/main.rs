//! `caustic-soak`: checks random programs for a given time, and reports.

use caustic_soak::emit;
use caustic_soak::generate::{Limits, program};
use caustic_soak::ir;
use caustic_soak::memory;
use caustic_soak::oracle::{Case, ORACLES, check};
use caustic_soak::slangc::{Tools, compare};
use caustic_soak::soak::{Options, Report, run};
use caustic_soak::tree::Program;
use caustic_soak::tree::idioms::{IDIOMS, alone};
use caustic_soak::tree::print::{Style, print};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const HELP: &str = "\
Usage: caustic-soak [OPTIONS]

  --minutes N    How long (default 5)
  --seed S       Which programs (default 1)
  --until failure
                 Ends at the first failure, and says after how many programs
  --oracle WORDS Asks only the oracle whose name has these words
  --programs N   No more programs than this
  --threads N    Threads (default: one for each core)
  --out DIR      Where failing programs are written (default target/soak)
  --evidence FILE
                 Writes the figures of the run as measurements (evidence/soak.csv)
  --slangc PATH  Compares with this compiler's C++ target instead, which `c++` (or $CXX) compiles
  --ir yes       Checks random modules of IR instead of programs
  --memory yes   Checks random programs that write memory, by a second evaluator
  --emit yes     Checks random programs of both kinds as source text and SPIR-V: the tools of each
                 language compile and run them
  --target NAME  Asks only this target of them
  --mutants list Prints the mutants of all crates: the name of each, a tab, and what goes wrong
  --show-memory SEED
                 Prints the program of this seed, and what its check says
  --show-ir SEED Prints the module of this seed, and what its check says
  --idiom N      Prints the program of the N-th idiom, and what its check says
  --show-emit SEED
                 Prints the program of this seed, and what comes of it as source text
  --show SEED    Prints the program of this seed, and what its check says
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut options = Options {
        time: Duration::from_secs(300),
        programs: u64::MAX,
        seed: 1,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        folder: Some(PathBuf::from("target/soak")),
        shrink: Duration::from_secs(60),
        limits: Limits::default(),
        until_failure: false,
        only: None,
        say: |text| eprintln!("{text}"),
    };
    let (mut slangc, mut evidence, mut on_ir, mut on_memory) = (None, None, false, false);
    let (mut on_text, mut target) = (false, None);
    for pair in args.chunks(2) {
        let [name, value] = pair else {
            eprint!("{HELP}");
            return ExitCode::from(2);
        };
        let number = value.parse::<u64>();
        match (name.as_str(), number) {
            ("--minutes", _) if value.parse::<f64>().is_ok_and(|m| m >= 0.0) => {
                options.time = Duration::from_secs_f64(value.parse::<f64>().unwrap_or(5.0) * 60.0);
            }
            ("--seed", Ok(n)) => options.seed = n,
            ("--programs", Ok(n)) => options.programs = n,
            ("--threads", Ok(n)) => options.threads = n as usize,
            ("--out", _) => options.folder = Some(PathBuf::from(value)),
            ("--evidence", _) => evidence = Some(PathBuf::from(value)),
            ("--slangc", _) => slangc = Some(PathBuf::from(value)),
            ("--until", _) if value == "failure" => options.until_failure = true,
            ("--oracle", _) if ORACLES.iter().any(|o| o.name.contains(value)) => {
                options.only = ORACLES.iter().map(|o| o.name).find(|name| name.contains(value.as_str()));
            }
            ("--ir", _) => on_ir = true,
            ("--memory", _) => on_memory = true,
            ("--emit", _) => on_text = true,
            ("--target", _) if emit::is_target(value) => target = Some(value.clone()),
            ("--mutants", _) if value == "list" => return list_mutants(),
            ("--show-memory", Ok(seed)) => return show_memory(seed),
            ("--show-ir", Ok(seed)) => return show_ir(seed),
            ("--show-emit", Ok(seed)) => {
                print!("{}", emit::shown(seed, target.as_deref()));
                return ExitCode::SUCCESS;
            }
            ("--idiom", Ok(row)) => return show(&alone(row as usize % IDIOMS.len()), 0..12, options.only),
            ("--show", Ok(seed)) => {
                return show(&program(seed, options.limits), seed..seed + 1, options.only);
            }
            _ => {
                eprint!("{HELP}");
                return ExitCode::from(2);
            }
        }
    }
    let well = match (slangc, on_memory, on_ir) {
        _ if on_text => soak_text(&options, target.as_deref()),
        (Some(slangc), ..) => compare_with(slangc, options),
        (None, true, _) => soak_memory(&options),
        (None, false, true) => soak_ir(&options),
        (None, false, false) => soak(&options, evidence.as_deref()),
    };
    if well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compares with the compiler `slangc`. Returns whether this compiler was right wherever the two
/// differ.
fn compare_with(slangc: PathBuf, options: Options) -> bool {
    let cxx = std::env::var_os("CXX").unwrap_or_else(|| "c++".into()).into();
    let folder = options.folder.unwrap_or_default().join("slangc");
    let tools = Tools { slangc, cxx, folder };
    match compare(&tools, options.seed, options.limits, options.time, options.say) {
        Ok(tally) => {
            print!("{}", tally.to_text());
            tally.ours_wrong.is_empty()
        }
        Err(error) => {
            eprintln!("{error}");
            false
        }
    }
}

/// Checks programs that write memory. Returns whether none failed.
fn soak_memory(options: &Options) -> bool {
    let report = memory::run(options);
    found(options, report.programs, report.failures.keys().next().map(String::as_str));
    print!("{}", report.to_text());
    report.failures.is_empty()
}

/// Checks programs as source text. Returns whether none failed.
fn soak_text(options: &Options, target: Option<&str>) -> bool {
    let report = emit::run(options, target);
    found(options, report.programs, report.failures.keys().next().map(String::as_str));
    print!("{}", report.to_text());
    report.failures.is_empty()
}

/// Checks modules of IR. Returns whether none failed.
fn soak_ir(options: &Options) -> bool {
    let report = ir::run(options);
    let first = report.failures.iter().next().map(|(name, _)| name.as_str());
    found(options, report.modules, first);
    print!("{}", report.to_text());
    report.failures.is_empty()
}

/// Checks programs of all kinds, and writes the figures of the run. Returns whether none failed.
fn soak(options: &Options, evidence: Option<&Path>) -> bool {
    let report = run(options);
    let first = report.failures.values().next().map(|f| f.failure.oracle);
    found(options, report.programs, first.or(report.memory.failures.keys().next().map(String::as_str)));
    print_report(&report);
    if let Some(file) = evidence
        && let Err(error) = std::fs::write(file, report.to_csv(options))
    {
        eprintln!("cannot write {}: {error}", file.display());
        return false;
    }
    report.failures.is_empty() && report.memory.failures.is_empty()
}

fn print_report(report: &Report) {
    let per_minute = report.programs as f64 * 60.0 / report.took.as_secs_f64().max(1e-9);
    println!(
        "{} programs in {:.0} s ({per_minute:.0} a minute), {} of second order; {} points, {} differences, {} judged (of {} points nothing), {} twins; slowest {:.1} s (seed {})",
        report.programs,
        report.took.as_secs_f64(),
        report.second,
        report.points,
        report.differences,
        report.judged,
        report.singular,
        report.twins,
        report.slowest.0.as_secs_f64(),
        report.slowest.1
    );
    for (name, took) in &report.times {
        println!("{:8.1} s  {name}", took.as_secs_f64());
    }
    for (name, found) in &report.failures {
        println!("\n==== {} × {name}\n{}", found.count, found.to_text());
    }
    print!("{}", report.memory.to_text());
}

/// Prints the line that `cargo xtask mutants` reads.
fn found(options: &Options, programs: u64, oracle: Option<&str>) {
    if let (true, Some(oracle)) = (options.until_failure, oracle) {
        println!("found after {programs} programs: {oracle}");
    }
}

/// Lists the mutants of this build.
fn list_mutants() -> ExitCode {
    let sites = caustic_frontend::mutants::SITES.iter().map(|(name, what)| (name.to_string(), what.to_string()));
    for (name, what) in sites.chain(caustic_passes::mutants::all(caustic_passes::optimize::all_rewrites())) {
        println!("{name}\t{what}");
    }
    ExitCode::SUCCESS
}

fn show_memory(seed: u64) -> ExitCode {
    let program = memory::generate::program(seed);
    println!("{}// caustic run {}", memory::print::print(&program).0, memory::check::options(&program));
    memory::check::wanted(&program).lines().for_each(|line| println!("// {line}"));
    match memory::check::check(&program, seed, None) {
        Ok(seen) => println!("// well: {seen:?}"),
        Err(f) => println!("// {}: {}", f.oracle, f.detail),
    }
    ExitCode::SUCCESS
}

fn show_ir(seed: u64) -> ExitCode {
    let case = ir::case(seed);
    println!("{}", case.text);
    match ir::oracle::check(&case) {
        Ok(seen) => println!("// well: {seen:?}"),
        Err(f) => println!("// {}: {}", f.oracle, f.detail),
    }
    ExitCode::SUCCESS
}

/// Prints the program, and the result of checking it with each of the seeds.
fn show(program: &Program, seeds: Range<u64>, only: Option<&str>) -> ExitCode {
    println!("{}", print(program, &Style::default()));
    for seed in seeds {
        match check(&Case { program: program.clone(), seed }, only) {
            Ok(seen) => println!("// well: {seen:?}"),
            Err(f) => println!("// {}: {}", f.oracle, f.detail),
        }
    }
    ExitCode::SUCCESS
}
