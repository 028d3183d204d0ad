//! Runs the suite's cases as source text: each case that runs is emitted in a language, compiled
//! and run, and its outcome is printed. See `caustic_test_suite::source`.
//!
//! `source_suite [--target cpp|cuda|glsl|hlsl|wgsl|metal|spirv] [--root DIR] [WORD]` takes the cases
//! whose paths contain the word; with `--root` those in `DIR/test-suite/cases`.

use caustic_test_suite::{Suite, source};
use caustic_tool::{exit, run_tool};
use std::io::{Write, stderr, stdout};
use std::path::Path;

fn main() -> std::process::ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut option = |name: &str| match words.iter().position(|w| w == name) {
        Some(at) if at + 1 < words.len() => words.drain(at..at + 2).nth(1),
        _ => None,
    };
    let (target, root) = (option("--target"), option("--root"));
    let word = words.into_iter().next().unwrap_or_default();
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let root = root.map_or_else(own, Into::into);
    let suite = Suite { root, tools: &[("caustic", caustic::main_with)], bless: false };
    let folders = ["test-suite/cases", "test-suite/regressions"];
    let found: Vec<String> = folders.iter().filter_map(|f| suite.discover(f).ok()).flatten().collect();
    let cases: Vec<String> = found.into_iter().filter(|path| path.contains(&word)).collect();
    let code = run_tool("source_suite", &mut stdout(), &mut stderr(), |console| {
        if cases.is_empty() {
            console.err(&format!("source_suite: no case's path contains `{word}`\n"));
            return exit::USAGE;
        }
        let target = target.as_deref().unwrap_or("cpp");
        let Some(language) = source::LANGUAGES.into_iter().find(|l| l.target == target) else {
            console.err(&format!("source_suite: `{target}` is no language\n"));
            return exit::USAGE;
        };
        match source::report(&suite, &cases, language, &mut |line| {
            // A long run is read while it goes on.
            let _ = writeln!(stdout(), "{line}");
        }) {
            Ok(true) => exit::SUCCESS,
            Ok(false) => exit::REJECTED,
            Err(why) => {
                console.err(&format!("{why}\n"));
                exit::USAGE
            }
        }
    });
    std::process::ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
