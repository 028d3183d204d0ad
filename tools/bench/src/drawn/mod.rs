//! `--drawn`: kernels as users write them, drawn at random, so that nothing can be tuned to them.
//!
//! A program follows from its seed alone: its Slang text, its arguments and its launch. The same
//! text goes to both compilers; where `slangc` has no atomic functions (its C++ target), additions
//! are written as plain ones for it.

#[cfg(feature = "llvm")]
mod cpu;
mod entries;
mod expressions;
mod kinds;
mod names;
mod program;
mod random;
#[cfg(feature = "llvm")]
mod slangc;
mod store;
mod write;

pub use program::Drawn;

/// What is asked for after `--drawn`.
#[derive(Clone, Debug)]
pub struct Asked {
    pub seed: u64,
    pub count: usize,
    /// Only kinds whose name contains this.
    pub only: String,
    pub slangc: Option<String>,
    pub floats: String,
}

/// Where the reference is, unless `--slangc` says so.
const SLANGC: &str = "slangc";

fn asked(words: &[&str]) -> Result<(Asked, Vec<String>), String> {
    let mut words = words.iter();
    let seed = words.next().and_then(|w| w.parse().ok()).ok_or("`--drawn` needs a number, the seed")?;
    let mut asked = Asked { seed, count: 20, only: String::new(), slangc: None, floats: "exact".into() };
    let mut modes = Vec::new();
    while let Some(&word) = words.next() {
        let mut value = || words.next().copied().ok_or_else(|| format!("`{word}` needs a value"));
        match word {
            "--count" => asked.count = value()?.parse().map_err(|e| format!("--count: {e}"))?,
            "--kind" => asked.only = value()?.to_string(),
            "--slangc" => asked.slangc = Some(value()?.to_string()),
            "--fp" => asked.floats = value()?.to_string(),
            "--cpu" | "--text" => modes.push(word.to_string()),
            _ => return Err(format!("`{word}` is not an option")),
        }
    }
    Ok((asked, modes))
}

/// The programs of a seed.
fn programs(asked: &Asked, adds: write::Adds) -> Vec<Drawn> {
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
        _ => Err("`--drawn` takes one of `--text`, `--cpu`".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::program::draw;
    use super::write::Adds;
    use caustic_frontend::{MemoryLoader, Options, compile};

    #[test]
    fn drawn_programs_are_the_same_for_a_seed_and_are_accepted() {
        for seed in 0..40 {
            let program = draw(seed, Adds::Atomic);
            assert_eq!(program, draw(seed, Adds::Atomic), "{seed}");
            let compiled = compile(&mut MemoryLoader::new("p.slang", &program.text), "p.slang", &Options::default());
            assert!(!compiled.failed(), "{seed}: {:?}\n{}", compiled.diagnostics, program.text);
        }
    }
}
