//! `--drawn`: kernels as users write them, drawn at random, so that nothing can be tuned to them.
//!
//! A program follows from its seed alone: its Slang text, its arguments and its launch. The same
//! text goes to both compilers; where `slangc` has no atomic functions (its C++ target), a function
//! of the host adds.

#[cfg(feature = "llvm")]
mod cpu;
mod entries;
mod expressions;
mod gpu;
#[cfg(feature = "llvm")]
mod gpu_build;
mod judge;
mod kinds;
mod mix;
mod names;
mod plan;
mod program;
mod random;
mod same_floats;
#[cfg(feature = "llvm")]
mod slangc;
mod store;
mod tool;
mod write;

use caustic_tool::arguments::given;
use clap::ArgMatches;
pub use program::Drawn;

/// What is asked for after `--drawn`.
// Some of it is for what is built with LLVM.
#[cfg_attr(not(feature = "llvm"), allow(dead_code))]
#[derive(Clone, Debug)]
pub struct Asked {
    pub seed: u64,
    pub count: usize,
    /// Only the program with this seed of its own.
    pub one: Option<u64>,
    /// Only kinds whose name contains this.
    pub only: String,
    pub slangc: Option<String>,
    pub floats: String,
    pub arch: String,
    /// Where a pack for a GPU is.
    pub folder: String,
    /// Where our own code is that stands in for `slangc`'s.
    pub beside: Option<String>,
}

/// Where the reference is, unless `--slangc` says so.
#[cfg(feature = "llvm")]
const SLANGC: &str = "slangc";

fn asked(matches: &ArgMatches) -> Asked {
    let text = |name: &str| given(matches, name).unwrap_or_default().to_string();
    let folder = ["gpu-build", "gpu-run", "gpu-one"].into_iter().find_map(|mode| given(matches, mode));
    Asked {
        // A pack knows its seed.
        seed: matches.get_one::<u64>("seed").copied().unwrap_or(1),
        count: matches.get_one::<usize>("count").copied().unwrap_or(20),
        one: matches.get_one::<u64>("one").copied(),
        only: text("kind"),
        slangc: given(matches, "slangc").map(str::to_string),
        floats: text("fp"),
        arch: text("arch"),
        folder: folder.unwrap_or_default().to_string(),
        beside: given(matches, "beside").map(str::to_string),
    }
}

/// The programs of a seed.
fn programs(asked: &Asked, adds: write::Adds) -> Vec<Drawn> {
    if let Some(seed) = asked.one {
        return vec![program::draw(seed, adds)];
    }
    let all = (0..).map(|n| program::draw(asked.seed.wrapping_mul(1_000_003).wrapping_add(n), adds));
    all.take(asked.count.saturating_mul(50)).filter(|p| p.kind.contains(&asked.only)).take(asked.count).collect()
}

pub fn report(matches: &ArgMatches) -> Result<String, String> {
    let asked = asked(matches);
    if matches.contains_id("gpu-run") {
        return gpu::run(&asked);
    }
    if let Some(number) = matches.get_many::<String>("gpu-one").and_then(|mut both| both.nth(1)) {
        return gpu::one(&asked, number);
    }
    #[cfg(feature = "llvm")]
    if matches.get_flag("cpu") {
        return cpu::report(&asked);
    } else if matches.contains_id("gpu-build") {
        return gpu_build::build(&asked);
    }
    #[cfg(not(feature = "llvm"))]
    if matches.get_flag("cpu") || matches.contains_id("gpu-build") {
        return Err("this build has no LLVM: build with `--features llvm`".into());
    }
    let programs = programs(&asked, write::Adds::Atomic);
    Ok(programs.iter().map(|p| format!("// {} of seed {}\n{}\n", p.kind, p.seed, p.text)).collect())
}

#[cfg(test)]
mod tests {
    use super::program::draw;
    use super::write::Adds;

    /// What `caustic check` says of a text, if it refuses it.
    fn refused(text: &str) -> Option<String> {
        let name = format!("caustic-drawn-test-{}.slang", std::process::id());
        let file = std::env::temp_dir().join(name);
        if let Err(why) = std::fs::write(&file, text) {
            return Some(why.to_string());
        }
        let args = ["check".to_string(), file.to_string_lossy().into_owned()];
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = caustic::main_with(&args, &mut out, &mut err, &caustic_tool::RealFiles);
        // What is left behind in the folder for such files does no harm.
        let _ = std::fs::remove_file(&file);
        (code != caustic_tool::exit::SUCCESS).then(|| String::from_utf8_lossy(&err).into_owned())
    }

    #[test]
    fn drawn_programs_are_the_same_for_a_seed_and_are_accepted() {
        let mut kinds = std::collections::HashSet::new();
        for seed in 0..40 {
            let program = draw(seed, Adds::Atomic);
            assert_eq!(program, draw(seed, Adds::Atomic), "{seed}");
            assert_eq!(refused(&program.text), None, "{seed}:\n{}", program.text);
            kinds.insert(program.kind);
        }
        assert!(kinds.len() > 6, "few kinds were drawn: {kinds:?}");
    }
}
