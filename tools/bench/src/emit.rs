//! How long `caustic emit` takes from the start of the process to the text, for each program of
//! `test-suite/bench` and each target.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The programs whose derivatives are measured on GPUs.
const PROGRAMS: [&str; 7] = ["pbr", "normal", "loss", "mlp", "mixture", "vertex", "sine"];
const TARGETS: [&str; 7] = ["cpp", "cuda", "glsl", "hlsl", "wgsl", "metal", "spirv-asm"];

/// What is told is the fastest of so many runs.
const RUNS: usize = 5;

/// Measurements as in `evidence/*.csv`; with a word only of programs whose name contains it.
pub fn report(word: &str) -> Result<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-suite/bench");
    let mut out = "what,command,value,unit,where\n".to_string();
    let (command, profile) = match cfg!(debug_assertions) {
        true => ("cargo run -p caustic-bench -- --emit", ", profile dev"),
        false => ("cargo run --release -p caustic-bench -- --emit", ""),
    };
    for program in PROGRAMS.into_iter().filter(|name| name.contains(word)) {
        let file = folder.join(format!("{program}.slang"));
        for target in TARGETS {
            let mut best = Duration::MAX;
            for _ in 0..RUNS {
                best = best.min(once(&file, target).map_err(|why| format!("{program} to {target}: {why}"))?);
            }
            let value = (best.as_secs_f64() * 1e4).round() / 10.0;
            out += &format!(
                "\"source to text, a process / {program} reverse / {target}\",\
                 {command},{value},ms,\"two cores, best of {RUNS}{profile}\"\n"
            );
        }
    }
    Ok(out)
}

/// The time of one process.
fn once(file: &Path, target: &str) -> Result<Duration, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let mut emit = Command::new(program);
    emit.args(["--caustic", "emit"]).arg(file).args(["--entry", "reverse", "--target", target]);
    let start = Instant::now();
    let done = emit.output().map_err(|e| e.to_string())?;
    let took = start.elapsed();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if done.status.success() { Ok(took) } else { Err(said) }
}
