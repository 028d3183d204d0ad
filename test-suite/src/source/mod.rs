//! Runs cases as source text: the kernels are emitted, compiled by compilers of that language, run,
//! and compared with the interpreter to the last bit.
//!
//! CUDA is judged by NVIDIA's compiler ([`nvrtc`]), and runs here through a shim (`shim.h`), in
//! which functions of floats are the reference's: the text is compared to the last bit, but the
//! errors of a GPU's own functions are not seen here. (`gpu` runs it on one.) Shaders run on
//! lavapipe, or with `SOURCE_MACHINE=gpu` on the GPU that the machine has.
//!
//! A host program runs a kernel and only knows its description ([`host`]). The data are those that
//! the case binds ([`launch`]). Many kernels are compiled as one program, each in a namespace of
//! its own. A default run takes a part of the cases, chosen by the seed `SOURCE_SEED`; `SOURCE=1`
//! takes all, and `SOURCE_CASE=WORD` those whose path contains the word. A case that the language
//! cannot express is refused with a code, which is no failure.

mod bounds;
mod closure;
pub mod coverage;
pub mod drawn;
pub mod engines;
pub mod faults;
mod guard;
mod host;
mod launch;
mod metal;
pub mod nvrtc;
pub mod readable;
mod spirv;
mod vulkan;
mod wgsl;

pub use launch::requires;

use crate::Suite;
use crate::case;
use crate::command::Stage;
use crate::matrix;
use crate::ptx::{REFUSALS, for_emit, options};
use crate::random::of_name;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A default run takes one case of this many.
const ONE_IN: u64 = 8;
/// The same of the matrix of differentiation, whose programs have all modes over each other.
const CELLS_ONE_IN: u64 = 12;
/// The number of kernels in one program.
const BATCH: usize = 16;

/// The C++ compilers, and their flags.
const COMPILERS: [&str; 2] = ["g++", "clang++-19"];
const FLAGS: [&str; 5] = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"];

/// A language, and how its texts are tried.
#[derive(Clone, Copy)]
pub struct Language {
    /// As the command says it, and tests are called.
    pub target: &'static str,
    /// As the command says it for the text.
    text: &'static str,
    /// Of its files.
    extension: &'static str,
    /// What its compiler has against a text.
    accept: fn(&Suite, &Kernel<'_>) -> Result<(), String>,
    /// Ways to run the interpreter, of which one gives what a text has to give.
    references: &'static [&'static [&'static str]],
    runs: Runs,
    /// Whether compilers of the language may take it that there are no infinities and no NaN: it is
    /// open what stands for them.
    finite: bool,
}

/// How a kernel is run.
#[derive(Clone, Copy)]
enum Runs {
    /// By a host program for kernels in these files, which a compiler of C++ takes.
    Hosted(fn(&[String], &[Kernel<'_>]) -> Result<String, String>),
    /// By a program of its own, which this makes of the text and its description.
    Alone(Make),
    /// As a shader, which this makes SPIR-V of, on a machine of Vulkan.
    Shader(Compile),
}

/// Makes a program of a kernel, with what is in the root of the project, in a folder.
type Make = fn(&Path, &Path, &Kernel<'_>) -> Result<PathBuf, String>;

/// Has a text compiled and validated, in a folder; its SPIR-V, whose entry point is called `main`.
type Compile = fn(&Path, &Kernel<'_>) -> Result<Vec<u8>, String>;

pub const LANGUAGES: [Language; 7] = [
    Language {
        target: "cpp",
        text: "cpp",
        extension: "cpp",
        // The compiler of the host program.
        accept: |_, _| Ok(()),
        references: &[&[]],
        runs: Runs::Hosted(|files, kernels| {
            let launchers = kernels.iter().map(|k| launch::launcher(&k.json)).collect::<Result<Vec<_>, _>>()?;
            Ok(host::text(files, &launchers))
        }),
        finite: false,
    },
    Language {
        target: "cuda",
        text: "cuda",
        extension: "cu",
        accept: |suite, kernel| {
            let flags = launch::requires(&kernel.json)?;
            let ptx = nvrtc::compile(&suite.root, &kernel.text, ARCHITECTURE, &flags)?;
            let name = launch::launched(&kernel.json)?.name;
            launch::same_arguments(&kernel.json, &nvrtc::parameters(&ptx, &name)?)
        },
        // Derivatives that are made for a GPU store other values, and sum floats in another order.
        references: &[&[], &["--passes", "gpu"]],
        runs: Runs::Hosted(|files, kernels| {
            let launched = kernels.iter().map(|k| launch::launched(&k.json)).collect::<Result<Vec<_>, _>>()?;
            Ok(host::device_text(files, &launched))
        }),
        finite: false,
    },
    Language {
        target: "glsl",
        text: "glsl",
        extension: "comp",
        // Each is compiled before it is run.
        accept: |_, _| Ok(()),
        references: &[&[], &["--passes", "gpu"]],
        runs: Runs::Shader(|folder, kernel| vulkan::compile(folder, &kernel.text)),
        finite: false,
    },
    Language {
        target: "wgsl",
        text: "wgsl",
        extension: "wgsl",
        // Each is compiled before it is run.
        accept: |_, _| Ok(()),
        references: &[&[], &["--passes", "gpu"], &["--passes", "single"]],
        runs: Runs::Shader(|folder, kernel| wgsl::compile(folder, &kernel.text)),
        finite: true,
    },
    HLSL,
    Language {
        target: "metal",
        text: "metal",
        extension: "metal",
        // What makes a program of it judges it.
        accept: |_, _| Ok(()),
        references: &[&[], &["--passes", "gpu"], &["--passes", "single"]],
        runs: Runs::Alone(metal::build),
        finite: false,
    },
    Language {
        target: "spirv",
        text: "spirv-asm",
        extension: "spvasm",
        accept: |suite, kernel| {
            let folder = Folder::new()?;
            spirv::same_binary(suite, &kernel.args, &kernel.run.text, &kernel.text, &folder.0)
        },
        references: &[&[], &["--passes", "gpu"]],
        runs: Runs::Shader(|folder, kernel| spirv::assemble(folder, &kernel.text)),
        finite: false,
    },
];

const HLSL: Language = Language {
    target: "hlsl",
    text: "hlsl",
    extension: "hlsl",
    accept: |suite, kernel| closure::check(suite, kernel, HLSL),
    references: &[&[], &["--passes", "gpu"]],
    runs: Runs::Shader(|folder, kernel| vulkan::compile_hlsl(folder, &kernel.text, &kernel.json)),
    finite: false,
};

/// What NVRTC compiles for.
const ARCHITECTURE: &str = "compute_80";

/// Cases that the host program cannot run, and why.
const LEFT_OUT: [(&str, &str); 3] = [
    ("cli/read_atomics_and_arrays.slang", "its text has numbers where the launcher prints words"),
    ("language/pointers/numbers_bound_to_buffers.slang", "it binds no addresses to numbers"),
    (
        "language/pointers/parts.slang",
        "it binds parts of elements, which are counted whole where a pointer is a buffer",
    ),
];

/// A sample reads up to sixteen texels, and lavapipe expands each call.
const SAMPLES: &str = "it takes minutes to compile many samples";

/// Cases that lavapipe computes wrong or does not end, or whose data no shader may be given, and
/// why. The texts are compiled, all the same.
const LAVAPIPE_LACKS: [(&str, &str); 20] = [
    ("autodiff/zero_cotangent_of_loop.slang", "it takes a product with the literal 0 to be 0"),
    ("autodiff/zero_meets_infinite_value.slang", "it takes a product with the literal 0 to be 0"),
    ("examples/texture_fit.test", SAMPLES),
    (
        "lanes/functions.slang",
        "sines of numbers beyond a turn and logarithms of subnormal ones, of which Vulkan says nothing",
    ),
    ("language/builtins/float_parts.slang", "it takes a product with the literal 0 to be 0, and quotients by products"),
    (
        "language/threads/quads_and_derivatives.slang",
        "it takes a sum with the literal 0 to be the other summand, -0, too",
    ),
    ("run/array_in_nested_loops.slang", "it ends loops after 65535 iterations in all"),
    ("loops/in_place.slang", "it ends loops after 65535 iterations in all"),
    ("run/large_locals.slang", "it does not end to compile a variable of a million numbers"),
    ("source/large_stacks.slang", "it does not end to compile a variable of so many numbers"),
    ("source/metal_bytes.slang", "its buffer of bytes is no multiple of four, which shaders ask for"),
    ("loops/structs_of_arrays_of_structs.slang", "it does not end to compile large structs"),
    ("cli/samplers.slang", SAMPLES),
    ("cli/texture_dims.slang", SAMPLES),
    ("gpu/texture_shapes.mlir", SAMPLES),
    ("gpu/textures.mlir", SAMPLES),
    ("resources/combined_comparing.slang", SAMPLES),
    ("resources/cube_seams.slang", SAMPLES),
    ("resources/texture_2d.slang", SAMPLES),
    ("resources/texture_shapes.slang", SAMPLES),
];

/// The same of GPUs.
const GPU_LACKS: [(&str, &str); 3] = [
    ("run/array_in_nested_loops.slang", "NVIDIA's driver does not end to compile a variable of a million numbers"),
    ("run/large_locals.slang", "NVIDIA's driver does not end to compile a variable of a million numbers"),
    ("lanes/functions.slang", "sines of numbers beyond a turn, of which Vulkan says nothing"),
];

/// The same of HLSL alone, whose samples compute with doubles of words.
const HLSL_LACKS: [(&str, &str); 2] =
    [("resources/depth_textures.slang", SAMPLES), ("resources/more_overloads.slang", SAMPLES)];

/// A step of a case that runs a kernel.
pub struct Run {
    path: String,
    line: usize,
    text: String,
    stage: Stage,
}

/// The outcome of a step.
pub enum Outcome {
    Right,
    /// Accepted by the language's compiler, but not run here, for this reason.
    Accepted(String),
    /// Refused by the compiler, with this message.
    Refused(String),
    Failed(String),
}

type Job = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

/// The steps of these cases that run on every back end and succeed.
fn runs(suite: &Suite, cases: &[String]) -> Vec<Run> {
    let mut found = Vec::new();
    for path in cases {
        let Ok(text) = std::fs::read_to_string(suite.root.join(path)) else { continue };
        let Ok(case) = case::parse(&text) else { continue };
        if case.left_out || LEFT_OUT.iter().any(|(left, _)| path.ends_with(left)) {
            continue;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let values = [("%s", path.as_str()), ("%S", folder), ("%examples", "examples"), ("%backend", "interp")];
        for step in case.steps.iter().filter(|s| s.command.contains("%backend") && s.expected_exit() == 0) {
            let Ok((stages, _)) = case.parts(step, &values) else { continue };
            let [stage] = &stages[..] else { continue };
            // Early ends of a program, and floats that need not be exact, differ between targets.
            let traps = stage.args.iter().any(|a| a.starts_with("--trap") || a == "--fp");
            if stage.tool == "caustic" && stage.args.first().is_some_and(|a| a == "run") && !traps {
                found.push(Run { path: path.clone(), line: step.line, text: text.clone(), stage: stage.clone() });
            }
        }
    }
    found
}

/// The cases of a run: one of so many, chosen by `SOURCE_SEED`; all, if the variable `all` is set;
/// with `SOURCE_CASE` those whose path contains it.
pub fn chosen(cases: &[String], all: &str, one_in: u64) -> Vec<String> {
    let setting = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    let (all, word) = (setting(all).is_some(), setting("SOURCE_CASE"));
    let seed = setting("SOURCE_SEED").and_then(|s| s.parse().ok()).unwrap_or(1);
    let takes = |path: &&String| match &word {
        Some(word) => path.contains(word.as_str()),
        None => all || of_name(path, seed).is_multiple_of(one_in),
    };
    cases.iter().filter(takes).cloned().collect()
}

/// The tests of a default run.
pub fn jobs(suite: &Arc<Suite>, cases: &[String]) -> Vec<Job> {
    let chosen = chosen(cases, "SOURCE", ONE_IN);
    let job = |language: Language, number: usize, batch: &[String]| -> Job {
        let (suite, batch) = (suite.clone(), batch.to_vec());
        let compiler = COMPILERS[number % COMPILERS.len()];
        let name = format!("source/{}/{number:02}", language.target);
        (name, Box::new(move || check(&suite, &batch, language, compiler)))
    };
    let batches = || chosen.chunks(BATCH).enumerate();
    let texts = LANGUAGES.iter().flat_map(|&l| batches().map(move |(n, batch)| (l, n, batch)));
    let mut jobs: Vec<Job> = texts.map(|(l, n, b)| job(l, n, b)).collect();
    // Every operation at the numbers at which languages differ.
    let edges: Vec<String> = cases.iter().filter(|path| path.contains("source/edges_of_")).cloned().collect();
    for language in LANGUAGES {
        let (suite, edges) = (suite.clone(), edges.clone());
        let job = move || check(&suite, &edges, language, COMPILERS[0]);
        jobs.push((format!("source/edges/{}", language.target), Box::new(job)));
    }
    for language in LANGUAGES {
        let suite = suite.clone();
        let job = move || check_runs(&suite, &cells(), language, COMPILERS[1]);
        jobs.push((format!("source/matrix/{}", language.target), Box::new(job)));
    }
    let suite = suite.clone();
    jobs.push(("source/metal/judge".into(), Box::new(move || metal::judge(&suite.root))));
    jobs
}

fn check(suite: &Suite, cases: &[String], language: Language, compiler: &str) -> Result<(), String> {
    check_runs(suite, &runs(suite, cases), language, compiler)
}

/// Steps that run generated programs of the matrix of differentiation: some are drawn, or all.
fn cells() -> Vec<Run> {
    let names: Vec<String> = matrix::cells().into_iter().map(|(name, ..)| name).collect();
    let drawn = chosen(&names, "SOURCE", CELLS_ONE_IN);
    let cells = matrix::cells().into_iter().filter(|(name, ..)| drawn.contains(name));
    let run = |(path, declaration, shape): (String, usize, usize)| {
        let text = matrix::text(declaration, shape).ok()?;
        let stage = Stage { tool: "caustic".to_string(), args: matrix::args("interp"), merge_stderr: false };
        Some(Run { path, line: 1, text, stage })
    };
    cells.filter_map(run).collect()
}

fn check_runs(suite: &Suite, runs: &[Run], language: Language, compiler: &str) -> Result<(), String> {
    let mut wrong = String::new();
    for (run, outcome) in try_all(suite, runs, language, compiler)? {
        if let Outcome::Failed(why) = outcome {
            let _ = writeln!(wrong, "{run}: {why}");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// What comes of these cases, for who wants to know how much a language can say; whether none
/// failed. Results are compared with the evaluator's, and not with those that a case expects.
pub fn report(suite: &Suite, cases: &[String], language: Language, told: &mut dyn FnMut(&str)) -> Result<bool, String> {
    let (mut right, mut accepted, mut refused, mut failed) = (0, 0, 0, 0);
    for path in cases {
        let text = std::fs::read_to_string(suite.root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        if let Err(why) = case::parse(&text) {
            failed += 1;
            told(&format!("FAILED {path}: it is no case: {why}"));
        }
    }
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, found) = std::sync::mpsc::channel();
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = cases.chunks(BATCH).nth(number) else { break };
                    let compiler = COMPILERS[number % COMPILERS.len()];
                    let _ = sender.send(try_all(suite, &runs(suite, batch), language, compiler));
                }
            });
        }
        drop(sender);
        for outcomes in found {
            for (run, outcome) in outcomes? {
                let line = match outcome {
                    Outcome::Right => {
                        right += 1;
                        continue;
                    }
                    Outcome::Accepted(why) => {
                        accepted += 1;
                        format!("not run {run}: {why}")
                    }
                    Outcome::Refused(why) => {
                        refused += 1;
                        format!("refused {run}: {why}")
                    }
                    Outcome::Failed(why) => {
                        failed += 1;
                        format!("FAILED {run}: {why}")
                    }
                };
                told(&line);
            }
        }
        Ok::<(), String>(())
    })?;
    told(&format!("{right} right, {accepted} accepted and not run, {refused} refused, {failed} failed"));
    Ok(failed == 0)
}

/// A kernel that was emitted.
pub struct Kernel<'r> {
    run: &'r Run,
    text: String,
    json: String,
    /// How it was emitted.
    args: Vec<String>,
}

/// Emits, compiles and runs; each step with its place and what came of it.
fn try_all(suite: &Suite, runs: &[Run], language: Language, compiler: &str) -> Result<Vec<(String, Outcome)>, String> {
    try_texts(suite, runs, language, compiler, &|text| text)
}

/// The same of texts that are changed before they are compiled.
fn try_texts(
    suite: &Suite,
    runs: &[Run],
    language: Language,
    compiler: &str,
    edit: &dyn Fn(String) -> String,
) -> Result<Vec<(String, Outcome)>, String> {
    let help = |command: &str| suite.run_text("caustic", &[command.to_string(), "--help".to_string()], "");
    let (run_help, emit_help) = (help("run")?, help("emit")?);
    let known = (options(&run_help), options(&emit_help));
    let mut outcomes = Vec::new();
    let mut kernels = Vec::new();
    for run in runs {
        match emit(suite, run, language.text, kernels.len(), (&known.0, &known.1)) {
            Ok(emitted) => {
                let kernel = Kernel { text: edit(emitted.text.clone()), ..emitted };
                match (language.accept)(suite, &kernel) {
                    Ok(()) => kernels.push(kernel),
                    Err(why) => outcomes.push((run.place(), Outcome::Failed(why))),
                }
            }
            Err(outcome) => outcomes.push((run.place(), outcome)),
        }
    }
    if kernels.is_empty() {
        return Ok(outcomes);
    }
    let folder = Folder::new()?;
    let host = match language.runs {
        Runs::Hosted(host) => host,
        Runs::Alone(make) => {
            for kernel in &kernels {
                let words = &kernel.run.stage.args[1..];
                let given = make(&suite.root, &folder.0, kernel)
                    .and_then(|program| launch::run(&suite.root, &kernel.json, words, &program, 0, &folder.0));
                outcomes.push((kernel.run.place(), compare(suite, kernel, language, given)));
            }
            return Ok(outcomes);
        }
        Runs::Shader(compile) => {
            outcomes.extend(kernels.iter().map(|k| (k.run.place(), shade(suite, k, language, (compile, &folder.0)))));
            return Ok(outcomes);
        }
    };
    let program = build(&folder.0, &kernels, (language, host), compiler);
    let compare = |kernel: &Kernel<'_>, program: &Path, number: usize| {
        let words = &kernel.run.stage.args[1..];
        let given = launch::run(&suite.root, &kernel.json, words, program, number, &folder.0);
        compare(suite, kernel, language, given)
    };
    for (number, kernel) in kernels.iter().enumerate() {
        let outcome = match &program {
            Ok(program) => compare(kernel, program, number),
            // Which of them it is that the compiler does not take.
            Err(_) => match build(&folder.0, std::slice::from_ref(kernel), (language, host), compiler) {
                Ok(program) => compare(kernel, &program, 0),
                Err(why) => Outcome::Failed(format!("{compiler} does not take it\n{why}")),
            },
        };
        outcomes.push((kernel.run.place(), outcome));
    }
    Ok(outcomes)
}

/// Whether shaders run on a GPU.
fn on_gpu() -> bool {
    std::env::var("SOURCE_MACHINE").is_ok_and(|machine| machine == "gpu")
}

/// Runs a shader and compares what it gives.
fn shade(suite: &Suite, kernel: &Kernel<'_>, language: Language, (compile, folder): (Compile, &Path)) -> Outcome {
    let code = match compile(folder, kernel) {
        Ok(code) => code,
        Err(why) => return Outcome::Failed(why),
    };
    let own: &[(&str, &str)] = if language.target == HLSL.target { &HLSL_LACKS } else { &[] };
    let here = if on_gpu() { [&GPU_LACKS[..], &[]] } else { [&LAVAPIPE_LACKS[..], own] };
    if let Some((_, why)) = here.into_iter().flatten().find(|(left, _)| kernel.run.path.ends_with(left)) {
        return Outcome::Accepted(why.to_string());
    }
    if !on_gpu() && launch::lanes(&kernel.json).is_some_and(|least| least > guard::LANES) {
        return Outcome::Accepted("lavapipe's waves have 8 lanes".to_string());
    }
    let words = &kernel.run.stage.args;
    compare(suite, kernel, language, launch::run_shader(&suite.root, &kernel.json, &words[1..], &code))
}

impl Run {
    fn place(&self) -> String {
        format!("{}:{}", self.path, self.line)
    }
}

/// A folder for a program, which is removed after the run.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, String> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("caustic-source-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Folder(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn emit<'r>(
    suite: &Suite,
    run: &'r Run,
    target: &str,
    number: usize,
    (known_run, known_emit): (&[(&str, bool)], &[(&str, bool)]),
) -> Result<Kernel<'r>, Outcome> {
    let words = for_emit(&run.stage.args[1..], known_run, known_emit);
    // Cases go out of range through pointers, too, and compare what they read.
    let head = ["emit", "--target", target, "--bounds", "zero"].map(String::from);
    // Kernels of C++ and CUDA are one program. A module of SPIR-V is no text; others stand alone,
    // and every second one has other names.
    let prefixed = match target {
        "cpp" | "cuda" => true,
        _ => !target.starts_with("spirv") && number % 2 == 1,
    };
    let prefix = ["--prefix".to_string(), format!("k{number}")].into_iter().filter(|_| prefixed);
    // Every fourth text says its lines, where it can.
    let lines = Some("-g".to_string()).filter(|_| number % 4 == 2 && target != "wgsl");
    let words = words.into_iter().filter(|word| word != "-g");
    let args: Vec<String> = head.into_iter().chain(prefix).chain(lines).chain(words).collect();
    let text = suite.run_text("caustic", &args, &run.text).map_err(|why| {
        let code = REFUSALS.iter().find_map(|code| why.lines().find(|l| l.contains(code)));
        match code {
            Some(line) => Outcome::Refused(line.to_string()),
            None => {
                Outcome::Failed(format!("{}\n{}", args.join(" "), why.lines().take(12).collect::<Vec<_>>().join("\n")))
            }
        }
    })?;
    let json: Vec<String> = args.iter().cloned().chain(["--format", "json"].map(String::from)).collect();
    let json = suite.run_text("caustic", &json, &run.text).map_err(Outcome::Failed)?;
    Ok(Kernel { run, text, json, args })
}

/// One program of several kernels.
fn build(
    folder: &Path,
    kernels: &[Kernel<'_>],
    (language, host): (Language, fn(&[String], &[Kernel<'_>]) -> Result<String, String>),
    compiler: &str,
) -> Result<PathBuf, String> {
    let mut names = Vec::new();
    for (number, kernel) in kernels.iter().enumerate() {
        let name = format!("kernel{number}.{}", language.extension);
        std::fs::write(folder.join(&name), &kernel.text).map_err(|e| e.to_string())?;
        names.push(name);
    }
    let (source, program) = (folder.join("host.cpp"), folder.join("host"));
    std::fs::write(&source, host(&names, kernels)?).map_err(|e| e.to_string())?;
    let made = Command::new(compiler).args(FLAGS).arg("-o").arg(&program).arg(&source).output();
    let made = made.map_err(|e| format!("{compiler}: {e}; `cargo xtask setup` installs it"))?;
    if made.status.success() {
        return Ok(program);
    }
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    Err(said.lines().take(30).collect::<Vec<_>>().join("\n"))
}

/// Compares what a kernel gives with what the interpreter gives.
fn compare(suite: &Suite, kernel: &Kernel<'_>, language: Language, given: Result<String, String>) -> Outcome {
    let words = &kernel.run.stage.args;
    let given = match given {
        Ok(given) => given,
        Err(why) => return Outcome::Failed(why),
    };
    let stated = match language.runs {
        Runs::Shader(_) => bounds::stated(&kernel.json),
        Runs::Hosted(_) | Runs::Alone(_) => Ok(None),
    };
    let stated = match stated {
        Ok(stated) => stated,
        Err(why) => return Outcome::Failed(why),
    };
    let mut first = None;
    for reference in language.references {
        let words: Vec<String> = words.iter().cloned().chain(reference.iter().map(|w| w.to_string())).collect();
        let wanted = suite.run_text("caustic", &words, &kernel.run.text);
        // What a shader prints goes to a debug layer, and none listens here, or is left out.
        let wanted = match language.runs {
            Runs::Shader(_) | Runs::Alone(_) => wanted.map(|text| bounds::last_lines(&text, &given)),
            Runs::Hosted(_) => wanted,
        };
        let given = match &wanted {
            Ok(wanted) if language.finite => bounds::where_finite(&given, wanted),
            _ => given.clone(),
        };
        match wanted {
            Ok(wanted) if wanted == given => return Outcome::Right,
            Ok(wanted) if bounds::near(suite, kernel, &words, (&given, &wanted), stated.as_deref()) => {
                return Outcome::Right;
            }
            Ok(wanted) => first = first.or(Some(wanted)),
            Err(why) => return Outcome::Failed(format!("the interpreter fails: {why}")),
        }
    }
    let wanted = first.unwrap_or_default();
    Outcome::Failed(format!("it gives something else\n--- wanted\n{wanted}--- given\n{given}"))
}

/// Whether a language's compiler takes the text of a library. An entry point that does nothing is
/// added: some validators want one.
pub fn accepts(suite: &Suite, target: &str, text: &str) -> Result<(), String> {
    let folder = Folder::new()?;
    match target {
        "cuda" => {
            let flags = ["--std=c++17", "--fmad=false"].map(String::from);
            let text = text.replacen("#pragma once\n", "", 1) + "\nextern \"C\" __global__ void nothing() {}\n";
            nvrtc::compile(&suite.root, &text, ARCHITECTURE, &flags).map(|_| ())
        }
        "glsl" => {
            let text = format!("#version 460\n{text}\nlayout(local_size_x = 1) in;\nvoid main() {{}}\n");
            vulkan::compile(&folder.0, &text).map(|_| ())
        }
        "hlsl" => {
            let text = format!("{text}\n[numthreads(1, 1, 1)]\nvoid nothing_() {{}}\n");
            vulkan::compile_hlsl(&folder.0, &text, "{\"launcher\": \"nothing_\"}").map(|_| ())
        }
        "wgsl" => {
            let text = format!("{text}\n@compute @workgroup_size(1)\nfn main() {{}}\n");
            wgsl::compile(&folder.0, &text).map(|_| ())
        }
        "metal" => metal::check(&suite.root, &folder.0, text),
        _ => Err(format!("`{target}` is no language whose texts are judged alone")),
    }
}
