//! Programs with the names of `rename::traps`: what the harness binds and launches keeps its name.

use caustic_test_suite::rename::{Renaming, vocabulary};
use std::collections::BTreeSet;

/// What the oracles say by name.
const STAYING: [&str; 6] = ["primalMain", "gradMain", "table", "data", "ints", "result"];

/// The program with other names, which depend on the seed.
pub fn renamed(text: &str, seed: u64) -> Result<String, String> {
    Ok(Renaming::of(&[text], &STAYING, BTreeSet::new(), vocabulary::shared()?, seed).source(text))
}
