//! Programs in C++ that are measured beside ours: compiled by whatever compiler there is, run once,
//! with the numbers that ours have.

use crate::gradients::{bytes, floats};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What surrounds the code by hand: reads its input, measures it, writes its results.
const MAIN: &str = include_str!("gradients/main.cpp");

/// Flags: scalar code, what the compiler makes of that by itself, and everything that it can do.
const FLAGS: [&[&str]; 3] = [&["-O2", "-fno-tree-vectorize"], &["-O2"], &["-O3", "-march=native"]];

pub struct Measured {
    pub command: String,
    pub time: Duration,
    pub results: Vec<f32>,
}

/// One measurement for each choice of flags; none without a compiler.
pub fn measure(source: &str, inputs: &[Vec<f32>; 2], results: usize) -> Vec<Measured> {
    let folder = std::env::temp_dir().join(format!("caustic-gradients-{}", std::process::id()));
    if std::fs::create_dir_all(&folder).is_err() {
        return Vec::new();
    }
    let found = FLAGS.iter().filter_map(|flags| run(&folder, source, flags, inputs, results)).collect();
    // What is left behind in the folder for such files does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    found
}

fn run(folder: &Path, source: &str, flags: &[&str], inputs: &[Vec<f32>; 2], results: usize) -> Option<Measured> {
    std::fs::write(folder.join("hand.cpp"), format!("{source}\n{MAIN}")).ok()?;
    for (name, contents) in [("parameters", &inputs[0]), ("points", &inputs[1])] {
        std::fs::write(folder.join(name), bytes(contents)).ok()?;
    }
    let compiler = ["g++", "clang++"].into_iter().find(|compiler| {
        let run = Command::new(compiler).args(flags).args(["-o", "hand", "hand.cpp"]).current_dir(folder).output();
        run.is_ok_and(|o| o.status.success())
    })?;
    let out = Command::new(folder.join("hand")).current_dir(folder).output().ok()?;
    let nanos: f64 = String::from_utf8(out.stdout).ok()?.trim().parse().ok()?;
    let mut results_found = floats(&std::fs::read(folder.join("result")).ok()?);
    results_found.truncate(results);
    Some(Measured {
        command: format!("{compiler} {}", flags.join(" ")),
        time: Duration::from_secs_f64(nanos * 1e-9),
        results: results_found,
    })
}
