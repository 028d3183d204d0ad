//! Runs the suite's cases as source text: each case that runs is emitted in C++, compiled and run,
//! and its outcome is printed. See `caustic_test_suite::source`.
//!
//! `source_suite [WORD]` takes the cases whose paths contain the word.

use caustic_test_suite::{Suite, source};
use caustic_tool::{exit, run_tool};
use std::io::{stderr, stdout};
use std::path::Path;

fn main() -> std::process::ExitCode {
    let word = std::env::args().nth(1).unwrap_or_default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let suite = Suite { root, tools: &[("caustic", caustic::main_with)], bless: false };
    let folders = ["test-suite/cases", "test-suite/regressions"];
    let found: Vec<String> = folders.iter().filter_map(|f| suite.discover(f).ok()).flatten().collect();
    let cases: Vec<String> = found.into_iter().filter(|path| path.contains(&word)).collect();
    let code = run_tool("source_suite", &mut stdout(), &mut stderr(), |console| {
        match source::report(&suite, &cases, &mut |line| console.out(&format!("{line}\n"))) {
            Ok(()) => exit::SUCCESS,
            Err(why) => {
                console.err(&format!("{why}\n"));
                exit::USAGE
            }
        }
    });
    std::process::ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
