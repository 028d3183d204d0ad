//! Programs with the names of `rename::traps`. The harness' buffers and kernels keep their names.

use super::Program;
use caustic_test_suite::rename::{Renaming, vocabulary};
use std::collections::BTreeSet;

/// Names that the oracles use.
const STAYING: [&str; 6] = ["primalMain", "gradMain", "table", "data", "ints", "result"];

/// The names of homes and of the functions in them, which are traps already.
pub fn of_homes(p: &Program) -> impl Iterator<Item = &str> {
    let functions = p.functions().filter(|f| f.home.is_some()).map(|f| f.name.as_str());
    p.homes.iter().map(|h| h.name.as_str()).chain(functions)
}

/// The text of a program with other names, which depend on the seed.
pub fn renamed(p: &Program, text: &str, seed: u64) -> Result<String, String> {
    let staying: Vec<&str> = STAYING.into_iter().chain(of_homes(p)).collect();
    Ok(Renaming::of(&[text], &staying, BTreeSet::new(), vocabulary::shared()?, seed).source(text))
}
