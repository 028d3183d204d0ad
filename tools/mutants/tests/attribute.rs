//! What the attribute makes of functions: nothing where no mutant is chosen; else the answer or the
//! argument of the one that is, and of no other.

use caustic_mutants::mutant;

caustic_mutants::sites! {
    Answer "test/answer" "the answer is two";
    Argument "test/argument" "numbers above one are zero";
}

#[mutant(Site::Answer => 2)]
fn answer() -> i32 {
    1
}

#[mutant(Site::Argument if n > 1 with n = 0)]
fn argument(n: i32) -> i32 {
    n
}

/// Run by itself, and by the test below once for each mutant.
#[test]
fn functions_are_as_the_chosen_mutant_has_them() {
    let expected = match caustic_mutants::chosen() {
        Some("test/answer") => (2, 1, 7),
        Some("test/argument") => (1, 1, 0),
        _ => (1, 1, 7),
    };
    assert_eq!((answer(), argument(1), argument(7)), expected);
}

#[cfg(feature = "on")]
#[test]
fn each_mutant_is_made_alone() {
    let itself = std::env::current_exe().expect("a test has a path");
    for name in SITES.iter().map(|(name, _)| *name).chain(["test/none"]) {
        let mut run = std::process::Command::new(&itself);
        run.args(["--exact", "functions_are_as_the_chosen_mutant_has_them"]).env("CAUSTIC_MUTANT", name);
        let output = run.output().expect("the test runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[cfg(not(feature = "on"))]
#[test]
fn without_the_feature_none_exists() {
    assert_eq!(SITES.len(), 2);
    assert!(!SITES.iter().any(|(name, _)| caustic_mutants::on(name)));
}
