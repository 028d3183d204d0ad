//! What a user waits for at least: `caustic run` on a kernel of ten lines, from the start of the
//! process to its end.

use crate::{again, measure};
use caustic_tool::{Console, RealFiles, exit};
use std::time::{Duration, Instant};

const KERNEL: &str = include_str!("shapes/kernel.slang");

/// Runs the driver in this process and prints the process's peak memory.
pub fn run_here(file: &str, console: &mut Console<'_>) -> i32 {
    let args = ["run", file, "--buffer", "result=zero:256", "--read", "result"].map(str::to_string);
    let mut out = Vec::new();
    let mut err = Vec::new();
    let code = caustic::main_with(&args, &mut out, &mut err, &RealFiles);
    console.err(&String::from_utf8_lossy(&err));
    if code == exit::SUCCESS && out.is_empty() {
        console.err("the kernel printed nothing\n");
        return exit::INTERNAL;
    }
    console.out(&format!("{}\n", measure::peak_bytes().unwrap_or(0)));
    code
}

/// The best time and the memory of some runs.
pub fn report(repeat: usize) -> Result<String, String> {
    let file = std::env::temp_dir().join(format!("caustic-bench-{}.slang", std::process::id()));
    std::fs::write(&file, KERNEL).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
    let runs: Result<Vec<(Duration, u64)>, String> = (0..repeat.max(1) * 10)
        .map(|_| {
            let start = Instant::now();
            let text = again(&["--kernel", &file.to_string_lossy()])?;
            let peak = text.trim().parse().map_err(|_| format!("the kernel's run gave {text:?}"))?;
            Ok((start.elapsed(), peak))
        })
        .collect();
    // What is left behind in the folder for such files does no harm.
    let _ = std::fs::remove_file(&file);
    let runs = runs?;
    let mut times: Vec<Duration> = runs.iter().map(|r| r.0).collect();
    times.sort();
    let ms = |t: Duration| t.as_secs_f64() * 1e3;
    let peak = runs.iter().map(|r| r.1).max().unwrap_or(0) as f64 / (1 << 20) as f64;
    Ok(format!(
        "### `caustic run` on a kernel of ten lines\n\nBest {:.1} ms, median {:.1} ms, of {} runs; peak {peak:.0} MiB.\n",
        ms(times[0]),
        ms(times[times.len() / 2]),
        times.len()
    ))
}
