//! The target `pipeline` for `cargo fuzz run pipeline`; what it does is in `test-suite/src/fuzz`.
#![no_main]

use caustic_test_suite::fuzz::{Tools, pipeline};
use libfuzzer_sys::fuzz_target;

const TOOLS: Tools = Tools { caustic: caustic::main_with, opt: caustic_opt::main_with };

fuzz_target!(|bytes: &[u8]| assert_eq!(pipeline(TOOLS, bytes), Ok(())));
