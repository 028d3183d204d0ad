//! The test suite: every case file and every tidy rule is one test of this binary.
//!
//! `BLESS=1` rewrites exact texts in place (`cargo xtask bless`).

use caustic_test_suite::{Suite, tidy};
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn main() {
    let args = Arguments::from_args();
    // The package's own folder is known when the test is built; the root of the repository is above it.
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let bless = std::env::var_os("BLESS").is_some_and(|v| v == "1");
    let suite = Arc::new(Suite {
        root,
        tools: &[("caustic", caustic::main_with), ("caustic-opt", caustic_opt::main_with)],
        bless,
    });

    let mut trials: Vec<Trial> = tidy::RULES
        .into_iter()
        .map(|(name, rule)| {
            let suite = suite.clone();
            Trial::test(format!("tidy/{name}"), move || rule(&suite.root).map_err(Into::into))
        })
        .collect();
    match suite.discover("test-suite/cases") {
        Ok(cases) => trials.extend(cases.into_iter().map(|path| {
            let suite = suite.clone();
            let name = path.trim_start_matches("test-suite/cases/").to_string();
            Trial::test(name, move || suite.run(&path).map_err(Into::into))
        })),
        Err(error) => {
            let message = error.to_string();
            trials.push(Trial::test("discovery", move || Err(message.into())));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
