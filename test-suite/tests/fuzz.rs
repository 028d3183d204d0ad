//! Fuzzing with a stable compiler: `cargo xtask fuzz TARGET --minutes N --seed S`, and a few
//! seconds of each target together with the other tests.
//!
//! `FUZZ_TARGET`, `FUZZ_MINUTES` and `FUZZ_SEED` are the settings. `FUZZ_CORPUS` writes a target's
//! inputs to a folder instead of running them, for fuzzers that need files. Failing inputs are left
//! in the folder for temporary files.

use caustic_test_suite::fuzz::drive::drive;
use caustic_test_suite::fuzz::{TARGETS, Tools, corpus};
use std::path::{Path, PathBuf};
use std::time::Duration;

const TOOLS: Tools = Tools { caustic: caustic::main_with, opt: caustic_opt::main_with };

fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|v| !v.is_empty())
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn named(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("caustic-fuzz-{}-{name}", std::process::id()))
}

fn write_corpus(target: &str, folder: &str) {
    std::fs::create_dir_all(folder).unwrap();
    for (i, input) in corpus::of(target, &root(), TOOLS).iter().enumerate() {
        std::fs::write(format!("{folder}/{i:04}"), input).unwrap();
    }
}

#[test]
fn targets_hold() {
    let chosen = setting("FUZZ_TARGET");
    if let (Some(target), Some(folder)) = (&chosen, setting("FUZZ_CORPUS")) {
        return write_corpus(target, &folder);
    }
    assert!(
        chosen.as_ref().is_none_or(|c| TARGETS.iter().any(|(name, ..)| name == c)),
        "there is no target {chosen:?}"
    );
    let time = setting("FUZZ_MINUTES")
        .and_then(|m| m.parse().ok())
        .map_or(Duration::from_secs(2), |minutes: f64| Duration::from_secs_f64(minutes * 60.0));
    let seed = setting("FUZZ_SEED").and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut failed = Vec::new();
    for (name, ..) in TARGETS.iter().filter(|(name, ..)| chosen.as_ref().is_none_or(|c| c == name)) {
        let done = drive(name, &root(), TOOLS, time, seed, &named(name)).unwrap();
        eprintln!("{name}: {} inputs, {} failures", done.tried, done.failures.len());
        assert!(done.tried > 0, "{name}: there is nothing to begin with");
        for (i, (why, input)) in done.failures.iter().enumerate() {
            let path = named(&format!("{name}-{i}"));
            std::fs::write(&path, input).unwrap();
            failed.push(format!("{}: {}", path.display(), why.chars().take(600).collect::<String>()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
