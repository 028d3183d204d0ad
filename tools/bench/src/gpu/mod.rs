//! `--gpu`: the programs of `test-suite/bench` on an NVIDIA GPU, beside the same sources compiled
//! by `slangc` and `nvcc`, and beside derivatives by hand in CUDA.
//!
//! Two steps, since the machine with the GPU need not have LLVM: `--gpu-build DIR` compiles,
//! `--gpu-run DIR` measures and compares with the CPU. `--gpu` does both.

#[cfg(feature = "llvm")]
mod build;
mod ceilings;
mod counters;
mod errors;
#[cfg(feature = "llvm")]
mod phases;
pub mod programs;
mod run;
pub use run::median_time;

use caustic_tool::arguments::given;
use clap::ArgMatches;
use std::path::{Path, PathBuf};

/// Who made a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Slangc,
    Ours,
    OursContracted,
    OursFast,
    /// Of the CUDA that is emitted, without and with contraction.
    Source,
    SourceContracted,
    Hand,
    HandFast,
}

impl Way {
    const ALL: [Way; 8] = [
        Way::Slangc,
        Way::Ours,
        Way::OursContracted,
        Way::OursFast,
        Way::Source,
        Way::SourceContracted,
        Way::Hand,
        Way::HandFast,
    ];

    fn is_ours(self) -> bool {
        matches!(self, Way::Ours | Way::OursContracted | Way::OursFast)
    }
    /// Whether its kernel takes buffers as ours do, as two parameters.
    fn takes_as_ours(self) -> bool {
        self.is_ours() || matches!(self, Way::Source | Way::SourceContracted)
    }
    fn title(self) -> &'static str {
        match self {
            Way::Slangc => "slangc, nvcc -O3",
            Way::Ours => "ours",
            Way::OursContracted => "ours, `--fp contract`",
            Way::OursFast => "ours, `--fp fast`",
            Way::Source => "emitted CUDA, nvcc -O3 -fmad=false",
            Way::SourceContracted => "emitted CUDA, nvcc -O3",
            Way::Hand => "by hand, nvcc -O3",
            Way::HandFast => "by hand, nvcc -O3 -use_fast_math",
        }
    }
    fn word(self) -> &'static str {
        match self {
            Way::Slangc => "slangc",
            Way::Ours => "ours",
            Way::OursContracted => "contract",
            Way::OursFast => "fast",
            Way::Source => "source",
            Way::SourceContracted => "sourcecontract",
            Way::Hand => "hand",
            Way::HandFast => "handfast",
        }
    }
}

/// Where a kernel lies between the two steps.
fn file(folder: &Path, program: &str, variant: usize, entry: &str, way: Way, kind: &str) -> PathBuf {
    folder.join(format!("{program}.{variant}.{entry}.{}.{kind}", way.word()))
}

/// What is asked for, after `--gpu`, `--gpu-build DIR` or `--gpu-run DIR`.
// Some of it is for what is built with LLVM.
#[cfg_attr(not(feature = "llvm"), allow(dead_code))]
struct Asked<'a> {
    only: &'a str,
    arch: &'a str,
    slangc: Option<&'a str>,
    purpose: run::Purpose,
    /// What the hardware counts, in place of times.
    counters: bool,
    /// How far functions are off, in place of times.
    errors: bool,
    /// What the compiler is told of the e-graph: `auto`, `on` or `off`.
    rewrite: &'a str,
}

fn asked(matches: &ArgMatches) -> Asked<'_> {
    let is_set = |name: &str| matches.get_flag(name);
    Asked {
        only: given(matches, "word").unwrap_or_default(),
        arch: given(matches, "arch").unwrap_or("sm_90"),
        slangc: given(matches, "slangc"),
        purpose: match (is_set("check"), is_set("count")) {
            (_, true) => run::Purpose::Count,
            (true, _) => run::Purpose::Check,
            _ => run::Purpose::Time,
        },
        counters: is_set("counters"),
        errors: is_set("errors"),
        rewrite: given(matches, "rewrite").unwrap_or("auto"),
    }
}

/// The tables of a task.
pub fn report(task: &str, matches: &ArgMatches) -> Result<String, String> {
    let text = |name: &str| given(matches, name).unwrap_or_default();
    let folder = Path::new(text("folder"));
    match task {
        "gpu" => {
            let folder = std::env::temp_dir().join(format!("caustic-gpu-{}", std::process::id()));
            let asked = asked(matches);
            let made = compile(&folder, &asked).and_then(|table| Ok(table + "\n" + &measure(&folder, &asked)?));
            // What is left behind in the folder for such files does no harm.
            let _ = std::fs::remove_dir_all(&folder);
            made
        }
        "gpu-variant" => {
            run::run_variant(folder, text("gpu"), text("program"), text("variant"), asked(matches).purpose)
        }
        #[cfg(feature = "llvm")]
        "gpu-phases" => {
            let program = programs::PROGRAMS.iter().find(|p| p.name == text("program"));
            let program = program.ok_or("there is no such program")?;
            let variant = text("variant").parse().ok().and_then(|n: usize| program.variants.get(n));
            phases::run(program, variant.ok_or("there is no such variant")?, text("entry"), text("gpu"))
        }
        "gpu-build" => compile(folder, &asked(matches)),
        "gpu-run" => measure(folder, &asked(matches)),
        _ => Err("this build has no LLVM: build with `--features llvm`".into()),
    }
}

fn measure(folder: &Path, asked: &Asked<'_>) -> Result<String, String> {
    match (asked.counters, asked.errors) {
        (true, _) => counters::run(folder, asked),
        (_, true) => errors::run(folder, asked.only),
        _ => run::run(folder, asked),
    }
}

#[cfg(feature = "llvm")]
fn compile(folder: &Path, asked: &Asked<'_>) -> Result<String, String> {
    build::build(folder, asked)
}

#[cfg(not(feature = "llvm"))]
fn compile(_: &Path, _: &Asked<'_>) -> Result<String, String> {
    Err("this build has no LLVM: build with `--features llvm`".into())
}
