//! `--gradients`: reverse derivatives beside the same derivatives written by hand, both compiled by
//! the same back ends: time, and operations that the interpreter counts.
//!
//! Each program has an entry point for the function (`primal`), for its derivative (`reverse`) and
//! for what that is compared with. Results of entry points that compute the same must agree, or
//! there is no table. A C++ compiler, if there is one, gives a further column, of the same
//! computation with the same numbers; its results must agree too.

use caustic_driver::pipeline;
use caustic_frontend::MemoryLoader;
use caustic_interp::Interp;
use caustic_ir::{Diagnostic, Module};
use caustic_native::Kernel;
use caustic_passes::pipelines::{self, DIFFERENTIATE, NORMALIZE, OPTIMIZE, STORAGE};
use caustic_runtime::{Bindings, Executor, Grid, KernelInterface, Launch, PrintLog, Traps};
use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::cpp;

/// Compiles a lowered module.
type Compile = fn(&Module, &KernelInterface) -> Result<Kernel, Diagnostic>;

/// The back ends that code is measured on.
const BACKENDS: &[(&str, Compile)] = &[
    ("Cranelift", |module, interface| {
        caustic_cranelift::compile_kernel(module, interface, caustic_cranelift::Options::default())
    }),
    #[cfg(feature = "llvm")]
    ("LLVM", |module, interface| caustic_llvm::compile_kernel(module, interface, caustic_llvm::Options::default())),
];

/// The most groups of one thread that a dispatch has, which run one after the other: what it costs
/// to begin one is not measured. Fewer where they would take longer than this: on a machine that
/// does much else only what is short is ever undisturbed.
const GROUPS: u32 = 32;
const UNDISTURBED: Duration = Duration::from_micros(300);

/// A program, and what is measured of it.
struct Program {
    title: &'static str,
    source: &'static str,
    defines: &'static [(&'static str, &'static str)],
    /// Floats that it reads, and that it writes.
    parameters: fn() -> Vec<f32>,
    points: usize,
    results: usize,
    entries: &'static [&'static str],
    /// Entries whose results must be the same as `reverse`'s.
    same: &'static [&'static str],
    /// An entry by hand in C++, for which there may be a compiler: `gradient`, `take` and `give` of
    /// `gradients/main.cpp`.
    cpp: Option<&'static str>,
    cpp_is: &'static str,
}

/// Numbers without a pattern in a range.
fn numbers(count: usize, scale: f32) -> Vec<f32> {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1u32 << 24) as f32 - 0.5) * scale
    };
    (0..count).map(|_| next()).collect()
}

const GMM: usize = 25 + 250 + 25 * 55;
const MLP: usize = 32 + 2 * 1024 + 96 + 67;

fn sine_parameters() -> Vec<f32> {
    [129.0].into_iter().chain(numbers(64, 4.0)).collect()
}

const PROGRAMS: &[Program] = &[
    Program {
        title: "Gaussian mixture, 10 dimensions, 25 components, 40 points",
        source: include_str!("gradients/gmm.slang"),
        defines: &[],
        parameters: || numbers(GMM, 1.0),
        points: 400,
        results: GMM,
        entries: &["copies", "primal", "byHand", "reverse"],
        same: &["byHand"],
        cpp: Some(include_str!("gradients/gmm.cpp")),
        cpp_is: "reverse",
    },
    Program {
        title: "Dense layers 32, 32, 32, 3 with tanh",
        source: include_str!("gradients/mlp.slang"),
        defines: &[],
        parameters: || numbers(MLP, 0.5),
        points: 0,
        results: MLP,
        entries: &["copies", "primal", "byHand", "reverse"],
        same: &["byHand"],
        cpp: Some(include_str!("gradients/mlp.cpp")),
        cpp_is: "reverse",
    },
    Program {
        title: "Taylor series of 128 terms, 64 arguments",
        source: include_str!("gradients/sine.slang"),
        defines: &[],
        parameters: sine_parameters,
        points: 0,
        results: 64,
        entries: &["primal", "byHand", "reverse", "factor1", "factor2", "factor4", "factor8", "factor16", "factor32"],
        same: &["byHand", "factor1", "factor2", "factor4", "factor8", "factor16", "factor32"],
        cpp: Some(include_str!("gradients/sine.cpp")),
        cpp_is: "reverse",
    },
    Program {
        title: "100000 updates of an array of 16 elements",
        source: include_str!("gradients/array.slang"),
        defines: &[("SIZE", "16")],
        parameters: || numbers(16, 1.0),
        points: 0,
        results: 16,
        entries: &["primal", "forward", "reverse", "carried"],
        same: &[],
        cpp: Some(concat!("#define SIZE 16\n", include_str!("gradients/array.cpp"))),
        cpp_is: "reverse",
    },
    Program {
        title: "100000 updates of an array of 4096 elements",
        source: include_str!("gradients/array.slang"),
        defines: &[("SIZE", "4096")],
        parameters: || numbers(4096, 1.0),
        points: 0,
        results: 4096,
        entries: &["primal", "forward", "reverse", "carried"],
        same: &[],
        cpp: Some(concat!("#define SIZE 4096\n", include_str!("gradients/array.cpp"))),
        cpp_is: "reverse",
    },
    Program {
        title: "100000 updates, counted at run time, of an array of 16 elements",
        source: include_str!("gradients/array.slang"),
        defines: &[("SIZE", "16"), ("COUNTED", "1")],
        parameters: || numbers(16, 1.0).into_iter().chain([100_000.0]).collect(),
        points: 0,
        results: 16,
        entries: &["primal", "forward", "reverse", "carried"],
        same: &[],
        cpp: Some(concat!("#define COUNTED\n#define SIZE 16\n", include_str!("gradients/array.cpp"))),
        cpp_is: "reverse",
    },
    Program {
        title: "100000 updates, counted at run time, of an array of 4096 elements",
        source: include_str!("gradients/array.slang"),
        defines: &[("SIZE", "4096"), ("COUNTED", "1")],
        parameters: || numbers(4096, 1.0).into_iter().chain([100_000.0]).collect(),
        points: 0,
        results: 4096,
        entries: &["primal", "forward", "reverse", "carried"],
        same: &[],
        cpp: Some(concat!("#define COUNTED\n#define SIZE 4096\n", include_str!("gradients/array.cpp"))),
        cpp_is: "reverse",
    },
];

struct Figures {
    /// Of one thread, for each back end.
    times: Vec<Duration>,
    operations: u64,
    results: Vec<f32>,
}

fn told(found: Vec<Diagnostic>) -> String {
    found.first().map_or_else(|| "nothing was found".into(), |d| d.to_string())
}

fn wrong(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn front_end(program: &Program) -> Result<Module, String> {
    const FILE: &str = "gradients.slang";
    let options = caustic_frontend::Options {
        defines: program.defines.iter().map(|(n, v)| (n.to_string(), Some(v.to_string()))).collect(),
        ..Default::default()
    };
    let compiled = caustic_frontend::compile(&mut MemoryLoader::new(FILE, program.source), FILE, &options);
    compiled.module.ok_or_else(|| told(compiled.diagnostics))
}

/// The best of some dispatches, for at least this long together.
const LONG_ENOUGH: Duration = Duration::from_millis(1000);

pub fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

pub fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|w| f32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
}

fn measure(program: &Program, module: &Module, entry: &str) -> Result<Figures, String> {
    let mut module = module.clone();
    let interface = KernelInterface::of_module(&module, Some(entry)).map_err(wrong)?;
    pipeline::keep_only(&mut module, interface.entry);
    for standard in [NORMALIZE, DIFFERENTIATE, OPTIMIZE] {
        pipelines::run(&mut module, standard, false).map_err(told)?;
    }
    let mut bindings = Bindings::new(&interface);
    for (name, contents) in [
        ("parameters", (program.parameters)()),
        ("points", numbers(program.points, 2.0)),
        ("result", vec![0.0; program.results]),
    ] {
        // What an entry does not use is not there.
        let _ = bindings.bind_buffer(&interface, name, &bytes(&contents));
    }
    let prints = PrintLog::default();
    let grid = |groups| Grid { groups: [groups, 1, 1], numthreads: interface.numthreads };
    let launch = |groups| Launch { grid: grid(groups), bindings: &bindings, prints: &prints, traps: Traps::default() };
    let interp = Interp::new(&module);
    caustic_interp::Kernel::new(&interp, &interface).run(&launch(1)).map_err(wrong)?;
    let operations = interp.steps();
    let mut compiled = module.clone();
    pipelines::run(&mut compiled, STORAGE, false).map_err(told)?;
    let mut times = Vec::new();
    for (_, compile) in BACKENDS {
        let kernel = compile(&compiled, &interface).map_err(wrong)?;
        let (start, mut time) = (Instant::now(), Duration::MAX);
        let mut groups = 1;
        while start.elapsed() < LONG_ENOUGH {
            let once = Instant::now();
            kernel.run(&launch(groups)).map_err(wrong)?;
            time = time.min(once.elapsed() / groups);
            groups = (UNDISTURBED.as_nanos() / time.as_nanos().max(1)).clamp(1, GROUPS.into()) as u32;
        }
        times.push(time);
    }
    let (buffer, _) = bindings.read_buffer(&interface, "result").map_err(|e| format!("{e:?}"))?;
    let results = floats(&buffer.to_bytes());
    Ok(Figures { times, operations, results })
}

fn agree(a: &[f32], b: &[f32]) -> bool {
    let scale = a.iter().fold(1e-3f32, |m, x| m.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-3 * scale)
}

/// The tables of the programs whose title contains `only`.
pub fn report(only: &str) -> Result<String, String> {
    let mut out = String::new();
    for program in PROGRAMS.iter().filter(|p| p.title.contains(only)) {
        let module = front_end(program)?;
        let backends: String = BACKENDS.iter().map(|(name, _)| format!(" {name}, µs |")).collect();
        let line = " ---: |".repeat(BACKENDS.len());
        let _ = writeln!(out, "### {}\n\n| |{backends} operations |\n| --- |{line} ---: |", program.title);
        let mut results: Vec<(&str, Vec<f32>)> = Vec::new();
        let micros = |time: &Duration| time.as_secs_f64() * 1e6;
        for &entry in program.entries {
            let figures = measure(program, &module, entry).map_err(|e| format!("{}: {entry}: {e}", program.title))?;
            let times: String = figures.times.iter().map(|time| format!(" {:.2} |", micros(time))).collect();
            let _ = writeln!(out, "| {entry} |{times} {} |", figures.operations);
            results.push((entry, figures.results));
        }
        let inputs = [(program.parameters)(), numbers(program.points, 2.0)];
        for found in program.cpp.map(|source| cpp::measure(source, &inputs, program.results)).unwrap_or_default() {
            let empty = "| ".repeat(BACKENDS.len() - 1);
            let _ = writeln!(out, "| by hand in C++, `{}` {empty}| {:.2} | |", found.command, micros(&found.time));
            if !agree(&found.results, results.iter().find(|(n, _)| *n == program.cpp_is).map_or(&[], |(_, r)| r)) {
                return Err(format!(
                    "{}: the code in C++ gives other results than `{}`",
                    program.title, program.cpp_is
                ));
            }
        }
        out.push('\n');
        let of = |name: &str| results.iter().find(|(n, _)| *n == name).map(|(_, r)| &r[..]).unwrap_or_default();
        for name in program.same {
            if !agree(of("reverse"), of(name)) {
                return Err(format!("{}: `{name}` gives other results than `reverse`", program.title));
            }
        }
    }
    Ok(out)
}
