//! The name spaces of upstream's dialects hold upstream's ops alone: an op of ours there would be
//! taken for one of MLIR's by whoever reads the text, and may become one with another meaning.
//!
//! `upstream/mlir-19.txt` lists the ops that MLIR 19 defines in
//! `arith builtin func gpu math scf vector`, one a line, from its `.td` files.

use std::collections::BTreeSet;

const UPSTREAM: &str = include_str!("upstream/mlir-19.txt");

fn upstream() -> BTreeSet<&'static str> {
    UPSTREAM.lines().collect()
}

#[test]
fn ops_in_upstream_name_spaces_are_upstream_s() {
    let upstream = upstream();
    let spaces: BTreeSet<&str> =
        upstream.iter().filter_map(|name| name.split_once('.')).map(|(space, _)| space).collect();
    let ours: Vec<&str> = caustic_dialects::all()
        .iter()
        .filter(|dialect| spaces.contains(dialect.name))
        .flat_map(|dialect| dialect.all_ops())
        .map(|op| op.name)
        .filter(|name| !upstream.contains(name))
        .collect();
    assert!(ours.is_empty(), "MLIR 19 has no ops {ours:?}: they belong into a dialect of ours");
}

#[test]
fn the_list_is_of_the_dialects_that_are_shared_with_upstream() {
    for space in ["arith", "builtin", "func", "gpu", "math", "scf", "vector"] {
        assert!(caustic_dialects::all().iter().any(|dialect| dialect.name == space), "{space}");
        assert!(
            upstream().iter().any(|name| name.strip_prefix(space).is_some_and(|op| op.starts_with('.'))),
            "{space}"
        );
    }
    assert!(UPSTREAM.lines().is_sorted(), "one name a line, in order");
}
