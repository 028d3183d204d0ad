//! The test suite: every case file and every tidy rule is one test of this binary.
//!
//! `BLESS=1` rewrites exact texts in place (`cargo xtask bless`); `TIMES=1` writes to standard error how long each case took.

use caustic_test_suite::{Suite, matrix, singular, tidy};
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let args = Arguments::from_args();
    // The package's own folder is known when the test is built; the root of the repository is above it.
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let is_set = |name| std::env::var_os(name).is_some_and(|v| v == "1");
    let (bless, times) = (is_set("BLESS"), is_set("TIMES"));
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
    trials.extend(matrix::cells().into_iter().map(|(name, declaration, shape)| {
        let suite = suite.clone();
        Trial::test(name, move || matrix::run(&suite, declaration, shape).map_err(Into::into))
    }));
    let for_page = suite.clone();
    let for_points = suite.clone();
    trials.push(Trial::test("singular/page", move || singular::check_page(&for_points).map_err(Into::into)));
    trials.push(Trial::test("matrix/page", move || matrix::check_page(&for_page).map_err(Into::into)));
    let folders = ["test-suite/cases", "test-suite/regressions"];
    let found: Result<Vec<_>, _> = folders.iter().map(|f| suite.discover(f)).collect();
    match found.map(|f| f.concat()) {
        Ok(cases) => trials.extend(cases.into_iter().map(|path| {
            let suite = suite.clone();
            let name = path.trim_start_matches("test-suite/").trim_start_matches("cases/").to_string();
            Trial::test(name, move || {
                let start = Instant::now();
                let result = suite.run(&path);
                if times {
                    eprintln!("{:9.1} ms  {path}", start.elapsed().as_secs_f64() * 1e3);
                }
                result.map_err(Into::into)
            })
        })),
        Err(error) => {
            let message = error.to_string();
            trials.push(Trial::test("discovery", move || Err(message.into())));
        }
    }
    libtest_mimic::run(&args, trials).exit();
}
