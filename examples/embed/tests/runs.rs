//! Tests that the example runs and prints the expected numbers.

use std::process::Command;

#[test]
fn values_and_gradients_are_printed() {
    let run = Command::new(env!("CARGO_BIN_EXE_embed")).output().unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success() && run.stderr.is_empty(), "{text}{}", String::from_utf8_lossy(&run.stderr));
    assert!(text.starts_with("a wrong program:\ntypo.slang:1:27: error["), "{text}");
    let numbers = |line: &str| -> Vec<f64> {
        let found = text.lines().find_map(|l| l.trim().strip_prefix(line)).unwrap_or_else(|| panic!("{line}: {text}"));
        let words = found.split(|c: char| !(c.is_ascii_digit() || "-.e".contains(c)));
        words.filter_map(|w| w.parse().ok()).collect()
    };
    // The program computes in `float`, whose rounding is 6e-8; a few roundings follow each other.
    let near = |line: &str, expected: &[f64]| {
        let found = numbers(line);
        assert!(found.len() == expected.len(), "{line}: {found:?}");
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{line}: {found:?}, not {expected:?}");
    };
    let bump = |x: f64| (-x * x).exp();
    let slope = |x: f64| -2.0 * x * bump(x);
    near("bump(0.5, 1.0) =", &[bump(0.5)]);
    near("by x:", &[slope(0.5)]);
    near("by width:", &[-0.5 * slope(0.5)]);
    let positions = [-1.0, 0.0, 0.5, 1.0];
    near("heights", &positions.map(bump));
    near("slopes", &positions.map(slope));
}
