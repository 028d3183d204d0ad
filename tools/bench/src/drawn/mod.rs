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
#[cfg(feature = "llvm")]
mod slangc;
mod store;
mod tool;
mod write;

pub use program::Drawn;

/// What is asked for after `--drawn`.
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
}

/// Where the reference is, unless `--slangc` says so.
#[cfg(feature = "llvm")]
const SLANGC: &str = "slangc";

fn asked(words: &[&str]) -> Result<(Asked, Vec<String>), String> {
    let mut words = words.iter().peekable();
    // A pack knows its seed.
    let seed = words.next_if(|w| !w.starts_with("--")).map(|w| w.parse().map_err(|e| format!("the seed: {e}")));
    let mut asked = Asked {
        seed: seed.transpose()?.unwrap_or(1),
        count: 20,
        one: None,
        only: String::new(),
        slangc: None,
        floats: "exact".into(),
        arch: "sm_90".into(),
        folder: String::new(),
    };
    let mut modes = Vec::new();
    while let Some(&word) = words.next() {
        let mut value = || words.next().copied().ok_or_else(|| format!("`{word}` needs a value"));
        match word {
            "--count" => asked.count = value()?.parse().map_err(|e| format!("--count: {e}"))?,
            "--one" => asked.one = Some(value()?.parse().map_err(|e| format!("--one: {e}"))?),
            "--kind" => asked.only = value()?.to_string(),
            "--slangc" => asked.slangc = Some(value()?.to_string()),
            "--fp" => asked.floats = value()?.to_string(),
            "--arch" => asked.arch = value()?.to_string(),
            "--gpu-build" | "--gpu-run" => {
                asked.folder = value()?.to_string();
                modes.push(word.to_string());
            }
            "--gpu-one" => {
                asked.folder = value()?.to_string();
                modes.extend([word.to_string(), value()?.to_string()]);
            }
            "--cpu" | "--text" => modes.push(word.to_string()),
            _ => return Err(format!("`{word}` is not an option")),
        }
    }
    Ok((asked, modes))
}

/// The programs of a seed.
fn programs(asked: &Asked, adds: write::Adds) -> Vec<Drawn> {
    if let Some(seed) = asked.one {
        return vec![program::draw(seed, adds)];
    }
    let all = (0..).map(|n| program::draw(asked.seed.wrapping_mul(1_000_003).wrapping_add(n), adds));
    all.take(asked.count.saturating_mul(50)).filter(|p| p.kind.contains(&asked.only)).take(asked.count).collect()
}

pub fn report(words: &[&str]) -> Result<String, String> {
    let (asked, modes) = asked(words)?;
    match modes.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--text"] | [] => Ok(programs(&asked, write::Adds::Atomic)
            .iter()
            .map(|p| format!("// {} of seed {}\n{}\n", p.kind, p.seed, p.text))
            .collect()),
        #[cfg(feature = "llvm")]
        ["--cpu"] => cpu::report(&asked),
        #[cfg(feature = "llvm")]
        ["--gpu-build"] => gpu_build::build(&asked),
        ["--gpu-run"] => gpu::run(&asked),
        ["--gpu-one", number] => gpu::one(&asked, number),
        #[cfg(not(feature = "llvm"))]
        ["--cpu" | "--gpu-build"] => Err("this build has no LLVM: build with `--features llvm`".into()),
        _ => Err("`--drawn` takes one of `--text`, `--cpu`, `--gpu-build` and `--gpu-run`".into()),
    }
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
