//! `--lanes`: kernels with many threads, on one core: their threads as the lanes of vectors beside
//! one thread after the other, Cranelift, and the same derivatives by hand in C++, for one thread
//! and for 8 and 16 at once. Kernels whose threads wait for each other have a table of their own.
//!
//! Results of all of them must agree, or there is no table.

mod waiting;

use caustic_driver::pipeline;
use caustic_frontend::MemoryLoader;
use caustic_passes::pipelines::{self, DIFFERENTIATE, INSTANCES, NORMALIZE, OPTIMIZE, OPTIMIZE_LLVM, STORAGE};
use caustic_runtime::{Bindings, Executor, Floats, Grid, KernelInterface, Launch, PrintLog, Traps};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A kernel of which each thread has `inputs` floats of its own and gives `outputs`.
struct Program {
    title: &'static str,
    source: &'static str,
    hand: &'static str,
    shared: fn() -> Vec<f32>,
    own: fn(usize) -> Vec<f32>,
    outputs: usize,
}

const HEAD: &str = include_str!("lanes/hand.hpp");
/// The first that there is compiles what is by hand.
const COMPILERS: [&str; 3] = ["clang++-19", "clang++", "g++"];
const THREADS: usize = 1 << 14;
const GROUP: usize = 256;

fn numbers(count: usize, low: f32, high: f32) -> Vec<f32> {
    let mut state = 12345u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * ((state >> 8) as f32 / (1u32 << 24) as f32)
    };
    (0..count).map(|_| next()).collect()
}

const PROGRAMS: &[Program] = &[
    Program {
        title: "Taylor series of 64 terms, known at run time",
        source: include_str!("lanes/sine.slang"),
        hand: include_str!("lanes/sine.cpp"),
        shared: || vec![65.0],
        own: |threads| numbers(threads, -2.0, 2.0),
        outputs: 1,
    },
    Program {
        title: "PBR shading",
        source: include_str!("lanes/pbr.slang"),
        hand: include_str!("lanes/pbr.cpp"),
        shared: || vec![0.3, -0.2],
        own: |threads| numbers(threads * 8, 0.15, 0.85),
        outputs: 5,
    },
    Program {
        title: "Bundle adjustment, residual and its Jacobian",
        source: include_str!("lanes/bundle.slang"),
        hand: include_str!("lanes/bundle.cpp"),
        shared: || vec![THREADS as f32],
        own: |threads| numbers(threads * 17, 0.1, 0.9),
        outputs: 30,
    },
    Program {
        title: "Gaussian mixture, 10 dimensions, 25 components",
        source: include_str!("lanes/mixture.slang"),
        hand: include_str!("lanes/mixture.cpp"),
        shared: || numbers(25 * 21, 0.2, 1.2),
        own: |threads| numbers(threads * 10, 0.0, 1.5),
        outputs: 10,
    },
    Program {
        title: "Dense layers 16, 16, 16, 1 with tanh",
        source: include_str!("lanes/layers.slang"),
        hand: include_str!("lanes/layers.cpp"),
        shared: || numbers(2 * 256 + 16 + 32, -0.4, 0.4),
        own: |threads| numbers(threads * 16, -1.0, 1.0),
        outputs: 16,
    },
];

fn wrong(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn bytes(floats: &[f32]) -> Vec<u8> {
    floats.iter().flat_map(|f| f.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|w| f32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect()
}

/// The best time of some dispatches, and what the last of them gave.
type Timed = (Duration, Vec<f32>);

fn run(program: &Program, module: &caustic_ir::Module, entry: &str, how: Way) -> Result<Timed, String> {
    let told = |found: Vec<caustic_ir::Diagnostic>| found.first().map_or_else(String::new, |d| d.to_string());
    let mut module = module.clone();
    let interface = KernelInterface::of_module(&module, Some(entry)).map_err(wrong)?;
    pipeline::keep_only(&mut module, interface.entry);
    let for_llvm = matches!(how, Way::Lanes(..)).then_some(OPTIMIZE_LLVM);
    for standard in [NORMALIZE, DIFFERENTIATE, OPTIMIZE].into_iter().chain(for_llvm).chain([STORAGE, INSTANCES]) {
        pipelines::run(&mut module, standard, false).map_err(told)?;
    }
    let mut bindings = Bindings::new(&interface);
    let buffers = [
        ("shared", (program.shared)()),
        ("own", (program.own)(THREADS)),
        ("result", vec![0.0; THREADS * program.outputs]),
    ];
    for (name, contents) in buffers {
        bindings.bind_buffer(&interface, name, &bytes(&contents)).map_err(|e| format!("{e:?}"))?;
    }
    let prints = PrintLog::default();
    let grid = Grid { groups: [(THREADS / GROUP) as u32, 1, 1], numthreads: interface.numthreads };
    let launch = Launch { grid, bindings: &bindings, prints: &prints, traps: Traps::default() };
    let kernel = match how {
        Way::Cranelift => caustic_cranelift::compile_kernel(&module, &interface, caustic_cranelift::Options::default()),
        Way::Lanes(lanes, floats) => {
            let options = caustic_llvm::Options { lanes: Some(lanes), floats, ..caustic_llvm::Options::default() };
            caustic_llvm::compile_kernel(&module, &interface, options)
        }
    };
    let kernel = kernel.map_err(wrong)?;
    let (start, mut time) = (Instant::now(), Duration::MAX);
    while start.elapsed() < Duration::from_millis(400) {
        let once = Instant::now();
        kernel.run(&launch).map_err(wrong)?;
        time = time.min(once.elapsed());
    }
    let (buffer, _) = bindings.read_buffer(&interface, "result").map_err(|e| format!("{e:?}"))?;
    Ok((time, floats(&buffer.to_bytes())))
}

#[derive(Clone, Copy)]
enum Way {
    Cranelift,
    Lanes(usize, Floats),
}

/// Code by hand: who compiled it, the times of primal and derivative, and what the derivative gave.
type Hand = (&'static str, [Duration; 2], Vec<f32>);

fn hand(program: &Program, lanes: usize, contract: bool) -> Option<Hand> {
    let folder = std::env::temp_dir().join(format!("caustic-lanes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let made = hand_in(program, lanes, contract, &folder);
    // What is left behind in the folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    made
}

fn hand_in(program: &Program, lanes: usize, contract: bool, folder: &Path) -> Option<Hand> {
    let file = |name: &str| folder.join(name);
    std::fs::write(file("hand.cpp"), format!("{HEAD}{}", program.hand)).ok()?;
    std::fs::write(file("shared"), bytes(&(program.shared)())).ok()?;
    std::fs::write(file("own"), bytes(&(program.own)(THREADS))).ok()?;
    let compiler = COMPILERS.into_iter().find(|compiler| {
        let run = Command::new(compiler)
            .args(["-O3", "-march=native", "-fno-math-errno", "-Wno-psabi", "-o"])
            .arg(file("hand"))
            .arg(format!("-DW={lanes}"))
            .args((!contract).then_some("-ffp-contract=off"))
            .arg(file("hand.cpp"))
            .args(["-lmvec", "-lm"])
            .output();
        run.is_ok_and(|o| o.status.success())
    });
    let results = THREADS * program.outputs;
    let compiler = compiler?;
    let out = Command::new(file("hand"))
        .args([file("shared"), file("own"), file("result")])
        .args([THREADS.to_string(), results.to_string()])
        .output();
    let text = String::from_utf8(out.ok()?.stdout).ok()?;
    let mut nanos = text.lines().map(|line| line.parse().map(Duration::from_nanos));
    let times = [nanos.next()?.ok()?, nanos.next()?.ok()?];
    Some((compiler, times, floats(&std::fs::read(file("result")).ok()?)))
}

fn agree(a: &[f32], b: &[f32]) -> bool {
    let scale = a.iter().fold(1e-3f32, |m, x| m.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-3 * scale)
}

/// The tables of the programs whose title contains `only`. Everything runs on one core.
pub fn report(only: &str) -> Result<String, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(wrong)?;
    pool.install(|| tables(only))
}

fn module_of(program: &Program) -> Result<caustic_ir::Module, String> {
    const FILE: &str = "lanes.slang";
    let options = caustic_frontend::Options::default();
    let compiled = caustic_frontend::compile(&mut MemoryLoader::new(FILE, program.source), FILE, &options);
    compiled
        .module
        .ok_or_else(|| compiled.diagnostics.first().map_or_else(|| "nothing was found".into(), |d| d.to_string()))
}

fn tables(only: &str) -> Result<String, String> {
    let mut out = String::new();
    for program in PROGRAMS.iter().filter(|p| p.title.contains(only)) {
        let module = module_of(program)?;
        let _ = writeln!(out, "### {}\n\n| ns a thread | primal | reverse |\n| --- | ---: | ---: |", program.title);
        let ns = |t: Duration| t.as_secs_f64() * 1e9 / THREADS as f64;
        let mut expected: Option<Vec<f32>> = None;
        for (name, way) in [
            ("Cranelift", Way::Cranelift),
            ("LLVM, one thread after the other", Way::Lanes(1, Floats::Exact)),
            ("LLVM, 8 lanes", Way::Lanes(8, Floats::Exact)),
            ("LLVM, 16 lanes", Way::Lanes(16, Floats::Exact)),
            ("LLVM, 16 lanes, contracted", Way::Lanes(16, Floats::Contracted)),
            ("LLVM, 8 lanes, fast", Way::Lanes(8, Floats::Fast)),
            ("LLVM, 16 lanes, fast", Way::Lanes(16, Floats::Fast)),
        ] {
            let (primal, _) = run(program, &module, "primal", way).map_err(|e| format!("{}: {e}", program.title))?;
            let (reverse, results) = run(program, &module, "reverse", way)?;
            let _ = writeln!(out, "| {name} | {:.1} | {:.1} |", ns(primal), ns(reverse));
            if !agree(expected.get_or_insert_with(|| results.clone()), &results) {
                return Err(format!("{}: {name} gives other results than Cranelift", program.title));
            }
        }
        for (name, lanes, contract) in [
            ("by hand", 1, true),
            ("by hand, 8 lanes", 8, true),
            ("by hand, 16 lanes", 16, true),
            ("by hand, 16 lanes, not contracted", 16, false),
        ] {
            let Some((compiler, [primal, reverse], results)) = hand(program, lanes, contract) else { continue };
            let _ = writeln!(out, "| {name} ({compiler} -O3) | {:.1} | {:.1} |", ns(primal), ns(reverse));
            if !expected.as_ref().is_some_and(|expected| agree(expected, &results)) {
                return Err(format!("{}: {name} gives other results", program.title));
            }
        }
        out.push('\n');
    }
    out.push_str(&waiting::table(only)?);
    Ok(out)
}
