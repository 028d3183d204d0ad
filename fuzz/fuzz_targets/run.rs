//! The target `run` for `cargo fuzz run run`; what it does is in `test-suite/src/fuzz`.
#![no_main]

use caustic_test_suite::fuzz::{Tools, run};
use libfuzzer_sys::fuzz_target;

const TOOLS: Tools = Tools { caustic: caustic::main_with, opt: caustic_opt::main_with };

fuzz_target!(|bytes: &[u8]| assert_eq!(run(TOOLS, bytes), Ok(())));
