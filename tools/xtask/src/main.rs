//! The project's chores, as `cargo xtask TASK`. Each is a few calls of cargo, so that nothing here
//! knows how the project works.

mod cli;
mod mutants;
mod repeated;

use caustic_tool::arguments::{self, given};
use caustic_tool::{exit, run_tool};
use clap::ArgMatches;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut asked = None;
    let code = run_tool(cli::TOOL, &mut std::io::stdout(), &mut std::io::stderr(), |console| {
        match arguments::parse(cli::command(), &args, console) {
            Ok(matches) if matches.subcommand().is_some() => {
                asked = Some(matches);
                exit::SUCCESS
            }
            Ok(_) => arguments::wrong(cli::TOOL, "no task is given", Some("`cargo xtask --help` lists them"), console),
            Err(code) => code,
        }
    });
    let Some(matches) = asked else { return ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)) };
    if matches.subcommand().is_some_and(|(task, asked)| run(task, asked)) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Does a task; whether all went well.
fn run(task: &str, asked: &ArgMatches) -> bool {
    let words: Vec<&str> = match asked.try_get_many::<String>("words") {
        Ok(Some(words)) => words.map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let text = |name: &str| given(asked, name).unwrap_or_default();
    match task {
        "setup" => setup(),
        "lint" => lint(),
        "test" => test(),
        "bless" => suite(&words, true),
        "mutate" => mutate(text("count"), text("seed")),
        "soak" => soak(&words),
        "mutants" => mutants::run(&words),
        "fuzz" => fuzz(asked),
        "gpu-suite" => gpu_suite(&words),
        "find-rules" => find_rules(&words),
        "pictures" => cargo(&["test", "-p", "caustic", "--test", "snippets"], true),
        _ => {
            cargo(&["test", "-p", "caustic-dialects", "--test", "docs"], true)
                && cargo(&["test", "-p", "caustic", "--test", "book"], true)
        }
    }
}

/// Debian's packages for the back end that goes through LLVM.
const PACKAGES: [&str; 4] = ["llvm-19-dev", "zlib1g-dev", "libzstd-dev", "libclc-19"];

fn has_llvm() -> bool {
    let asked = Command::new("llvm-config-19").arg("--version").output();
    asked.is_ok_and(|output| output.status.success())
}

/// Whether LLVM is there at the end.
fn setup() -> bool {
    setup_compilers();
    setup_vulkan();
    setup_naga();
    setup_tint();
    setup_nvrtc();
    let llvm = setup_llvm();
    if llvm {
        setup_ptxas();
    }
    llvm
}

/// What source text is compiled with by tests, which fail without it.
fn setup_compilers() {
    let here = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    if ["g++", "clang++-19"].into_iter().all(here) {
        return;
    }
    let apt = |args: &[&str]| {
        say(&format!("+ apt-get {}", args.join(" ")));
        Command::new("apt-get").args(args).status().is_ok_and(|status| status.success())
    };
    let install = ["install", "-y", "-q", "--no-install-recommends", "g++", "clang-19"];
    if !(apt(&install) || (apt(&["update", "-q"]) && apt(&install))) {
        say("g++ and clang 19 are not here and cannot be installed: the tests of source text will fail");
    }
}

/// What compiles, validates and runs shaders in tests, which fail without it.
fn setup_vulkan() {
    let here = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    let driver = "/usr/share/vulkan/icd.d";
    let drivers = std::fs::read_dir(driver).into_iter().flatten().flatten();
    let lavapipe = drivers.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("lvp_icd"));
    if ["glslangValidator", "spirv-val"].into_iter().all(here) && lavapipe {
        return;
    }
    let apt = |args: &[&str]| {
        say(&format!("+ apt-get {}", args.join(" ")));
        Command::new("apt-get").args(args).status().is_ok_and(|status| status.success())
    };
    let mut install = vec!["install", "-y", "-q", "--no-install-recommends"];
    install.extend(["glslang-tools", "spirv-tools", "mesa-vulkan-drivers", "libvulkan1"]);
    if !(apt(&install) || (apt(&["update", "-q"]) && apt(&install))) {
        say(
            "glslang, SPIR-V's tools and lavapipe are not here and cannot be installed: the tests of shaders will fail",
        );
    }
}

/// What compiles WGSL in tests, which fail without it.
fn setup_naga() {
    if Command::new("naga").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return;
    }
    let args = ["install", "naga-cli", "--version", "30.0.1", "--locked", "--debug", "--quiet"];
    say(&format!("+ cargo {}", args.join(" ")));
    if !Command::new("cargo").args(args).status().is_ok_and(|status| status.success()) {
        say("naga is not here and cannot be installed: the tests of source text in WGSL will fail");
    }
}

/// What judges WGSL in tests, which fail without it: the program `tint`, or Dawn's in a package of
/// npm, unpacked into `target/webgpu`.
fn setup_tint() {
    let here = |program: &str, question: &str| Command::new(program).arg(question).output().is_ok();
    let folder = "target/webgpu";
    let fetched = std::path::Path::new(folder).join("node_modules/webgpu").is_dir();
    if here("tint", "--help") || fetched && here("node", "--version") {
        return;
    }
    let run = |program: &str, args: &[&str]| {
        say(&format!("+ {program} {}", args.join(" ")));
        Command::new(program).args(args).status().is_ok_and(|status| status.success())
    };
    let install = ["install", "-y", "-q", "--no-install-recommends", "nodejs", "npm"];
    if !(here("node", "--version") && here("npm", "--version") || run("apt-get", &install)) {
        run("apt-get", &["update", "-q"]);
        run("apt-get", &install);
    }
    if !run("npm", &["install", "--no-audit", "--no-fund", "--prefix", folder, "webgpu@0.6.2"]) {
        say("tint is not here and cannot be fetched: the tests of source text in WGSL will fail");
    }
}

/// CUDA's assembler, if there is none: a package of PyPI has it, unpacked into `target/ptxas`.
fn setup_ptxas() {
    let here = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    let folder = "target/ptxas";
    let found = std::env::var_os("PTXAS").is_some()
        || std::env::var_os("CUDA_HOME").is_some()
        || here("ptxas")
        || here(&format!("{folder}/nvidia/cuda_nvcc/bin/ptxas"));
    if found {
        return;
    }
    let args = ["-m", "pip", "install", "-q", "--no-deps", "--target", folder, "nvidia-cuda-nvcc-cu12==12.9.86"];
    say(&format!("+ python3 {}", args.join(" ")));
    if !Command::new("python3").args(args).status().is_ok_and(|status| status.success()) {
        say(
            "CUDA's assembler is not here and cannot be fetched: PTX is not assembled by tests (set PTXAS to have it done)",
        );
    }
}

/// NVIDIA's compiler of CUDA as a library, if there is none: a package of PyPI has it, unpacked
/// into `target/nvrtc`. Tests of source text in CUDA fail without it.
fn setup_nvrtc() {
    let folder = "target/nvrtc";
    let library = format!("{folder}/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    if std::env::var_os("NVRTC").is_some() || std::path::Path::new(&library).is_file() {
        return;
    }
    let args = ["-m", "pip", "install", "-q", "--no-deps", "--target", folder, "nvidia-cuda-nvrtc-cu12==12.9.86"];
    say(&format!("+ python3 {}", args.join(" ")));
    if !Command::new("python3").args(args).status().is_ok_and(|status| status.success()) {
        say(
            "NVRTC is not here and cannot be fetched: the tests of source text in CUDA will fail (set NVRTC to a libnvrtc.so)",
        );
    }
}

fn setup_llvm() -> bool {
    if has_llvm() {
        return true;
    }
    let apt = |args: &[&str]| {
        say(&format!("+ apt-get {}", args.join(" ")));
        Command::new("apt-get").args(args).status().is_ok_and(|status| status.success())
    };
    let mut install = vec!["install", "-y", "-q", "--no-install-recommends"];
    install.extend(PACKAGES);
    let installed = (apt(&install) || (apt(&["update", "-q"]) && apt(&install))) && has_llvm();
    if !installed {
        say(&format!(
            "LLVM 19 is not here and cannot be installed: what needs it is LEFT OUT ({})",
            PACKAGES.join(" ")
        ));
    }
    installed
}

/// What is added to calls of cargo about the whole workspace.
fn workspace() -> Vec<&'static str> {
    if setup() {
        vec!["--workspace", "--features", "caustic/llvm,caustic-test-suite/llvm"]
    } else {
        vec!["--workspace", "--exclude", "caustic-llvm"]
    }
}

fn lint() -> bool {
    let mut args = vec!["clippy"];
    args.extend(workspace());
    args.extend(["--all-targets", "--", "-D", "warnings"]);
    cargo(&args, false)
}

/// Runs everything, whatever fails on the way. The suite is last, so that the last line is the
/// summary of its cases.
fn test() -> bool {
    let mut units = vec!["test"];
    units.extend(workspace());
    units.extend(["--exclude", "caustic-test-suite", "--no-fail-fast"]);
    let mut runner = vec!["test", "-p", "caustic-test-suite", "--lib"];
    runner.extend(suite_features());
    let mut cases = vec!["test", "-p", "caustic-test-suite", "--test", "suite"];
    cases.extend(suite_features());
    let mut all_passed = true;
    let mut failures = Vec::new();
    for args in [units, runner, cases] {
        let (passed, told) = repeated::run(cargo_command(&args, &[("BLESS", "0")]));
        all_passed &= passed;
        if !passed {
            failures.push(format!("cargo {}", args.join(" ")));
            failures.extend(told.into_iter().map(|line| format!("    {line}")));
        }
    }
    if !failures.is_empty() {
        eprintln!("\nFailed:\n{}", failures.join("\n"));
    }
    all_passed
}

fn suite_features() -> &'static [&'static str] {
    if has_llvm() { &["--features", "llvm"] } else { &[] }
}

/// A change of a program is checked in a millisecond or so, optimized.
fn mutate(count: &str, seed: &str) -> bool {
    let args = ["test", "--release", "-p", "caustic-test-suite", "--test", "mutations", "--", "--nocapture"];
    cargo_with(&args, &[("MUTATIONS", count), ("MUTATION_SEED", seed)])
}

/// The targets of `test-suite/src/fuzz`, by the driver that needs no fuzzer.
fn fuzz(asked: &ArgMatches) -> bool {
    let names =
        [("target", "FUZZ_TARGET"), ("minutes", "FUZZ_MINUTES"), ("seed", "FUZZ_SEED"), ("corpus", "FUZZ_CORPUS")];
    let variables: Vec<_> =
        names.iter().filter_map(|(name, variable)| Some((*variable, given(asked, name)?))).collect();
    let args = ["test", "--profile", "soak", "-p", "caustic-test-suite", "--test", "fuzz", "--", "--nocapture"];
    cargo_with(&args, &variables)
}

/// With every assertion, optimized.
fn soak(options: &[&str]) -> bool {
    let mut args = vec!["run", "--profile", "soak", "-p", "caustic-soak"];
    args.extend(suite_features());
    args.push("--");
    args.extend(options);
    cargo(&args, false)
}

/// Millions of terms are evaluated.
fn find_rules(options: &[&str]) -> bool {
    let mut args = vec!["run", "--release", "-p", "caustic-rules", "--"];
    args.extend(options);
    cargo(&args, false)
}

/// Compiling takes LLVM, running does not.
fn gpu_suite(options: &[&str]) -> bool {
    let mut args = vec!["run", "-p", "caustic-test-suite", "--example", "gpu_suite"];
    if options.first() == Some(&"--pack") {
        args.extend(suite_features());
    }
    args.push("--");
    args.extend(options);
    cargo(&args, false)
}

fn suite(filter: &[&str], bless: bool) -> bool {
    let mut args = vec!["test", "-p", "caustic-test-suite", "--test", "suite"];
    args.extend(suite_features());
    args.push("--");
    args.extend(filter);
    cargo(&args, bless)
}

fn cargo(args: &[&str], bless: bool) -> bool {
    cargo_with(args, &[("BLESS", if bless { "1" } else { "0" })])
}

fn cargo_with(args: &[&str], variables: &[(&str, &str)]) -> bool {
    match cargo_command(args, variables).status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run cargo: {error}");
            false
        }
    }
}

/// A call of cargo, which is printed.
fn cargo_command(args: &[&str], variables: &[(&str, &str)]) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    eprintln!("+ cargo {}", args.join(" "));
    let mut command = Command::new(cargo);
    command.args(args).envs(variables.iter().copied());
    command
}

/// What a call of cargo with light optimization writes to its two streams; nothing if it fails, and
/// then its errors are shown.
fn cargo_output(args: &[&str]) -> Option<(String, String)> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    eprintln!("+ cargo {}", args.join(" "));
    let mut command = Command::new(cargo);
    // What is run hundreds of times is worth optimizing a little.
    command.args(args).env("CARGO_PROFILE_DEV_OPT_LEVEL", "1");
    let output = command.output().map_err(|error| eprintln!("cannot run cargo: {error}")).ok()?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (out, err) = (text(output.stdout), text(output.stderr));
    if !output.status.success() {
        eprint!("{err}");
        return None;
    }
    Some((out, err))
}

fn say(text: &str) {
    eprintln!("{text}");
}
