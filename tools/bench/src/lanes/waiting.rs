//! Kernels whose threads wait for each other, and one that keeps tapes: one thread after the other
//! beside those that run together.

use super::{Program, THREADS, Way, agree, module_of, numbers, run};
use caustic_runtime::Floats;
use std::fmt::Write;

const PROGRAM: Program = Program {
    title: "Threads that wait for each other, and tapes",
    source: include_str!("waiting.slang"),
    hand: "",
    shared: || vec![0.4, -0.3, 0.1, 32.0],
    own: |threads| numbers(threads, 0.1, 0.9),
    outputs: 1,
};

/// Entry points, and what the table calls them.
const ENTRIES: [(&str, &str); 4] = [
    ("reduction", "sum in the memory of a group"),
    ("waves", "sum and prefix sum of waves"),
    ("gradient", "gradient summed by waves"),
    ("taped", "derivative with a tape"),
];

/// Nanoseconds a thread, if the title contains `only`.
pub fn table(only: &str) -> Result<String, String> {
    let mut out = String::new();
    if !PROGRAM.title.contains(only) {
        return Ok(out);
    }
    let module = module_of(&PROGRAM)?;
    let _ = write!(out, "### {}\n\n| ns a thread |", PROGRAM.title);
    ENTRIES.iter().for_each(|(_, title)| out.push_str(&format!(" {title} |")));
    let _ = writeln!(out, "\n| --- |{}", " ---: |".repeat(ENTRIES.len()));
    let mut expected: Vec<Vec<f32>> = Vec::new();
    let lanes = |lanes| Way::Lanes(lanes, Floats::Exact);
    for (name, way) in [
        ("Cranelift", Way::Cranelift),
        ("LLVM, one thread after the other", lanes(1)),
        ("LLVM, 8 lanes", lanes(8)),
        ("LLVM, 16 lanes", lanes(16)),
        ("LLVM, 32 lanes", lanes(32)),
    ] {
        let _ = write!(out, "| {name} |");
        for (i, (entry, _)) in ENTRIES.iter().enumerate() {
            let (time, results) = run(&PROGRAM, &module, entry, way).map_err(|e| format!("{entry}: {e}"))?;
            let _ = write!(out, " {:.1} |", time.as_secs_f64() * 1e9 / THREADS as f64);
            if expected.len() == i {
                expected.push(results.clone());
            }
            if !agree(&expected[i], &results) {
                return Err(format!("{entry}: {name} gives other results than Cranelift"));
            }
        }
        out.push('\n');
    }
    out.push('\n');
    Ok(out)
}
