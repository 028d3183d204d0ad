//! The matrix of differentiation: every way to declare a function, on every kind of data, in every
//! nesting of two modes, as generated programs whose numbers are compared with finite differences
//! of the function.
//!
//! A cell of the page `docs/matrix.md` is one such comparison, on every back end. The page is
//! generated from the lists here. A cell that a list calls refused must be refused, and every other
//! cell must pass, or its test fails.

pub mod carried;
pub mod custom;
mod positions;
mod program;

use crate::json;
use crate::rename::{Renaming, vocabulary};
use crate::runner::{BACKENDS, Suite};
use program::{DECLARATIONS, SHAPES, source};
use std::collections::BTreeSet;

/// The modes, in which the outermost comes last, with the index of their number in the output and
/// the index of the number to compare it with.
const MODES: [(&str, usize, usize); 6] =
    [("fwd", 0, 6), ("bwd", 1, 6), ("fwd∘fwd", 2, 7), ("bwd∘fwd", 3, 7), ("fwd∘bwd", 4, 7), ("bwd∘bwd", 5, 7)];

/// Five-point differences of order h⁴ with h = 10⁻³ in `double`: the error is about 10⁻¹² times a
/// fifth derivative of a few hundred, and rounding 10⁻¹⁶ / h times the size of the values.
const TOLERANCE: f64 = 1e-7;

/// The page that the matrix is written to.
pub const PAGE: &str = "docs/matrix.md";

/// The name of each generated program, with the indices of its declaration and its shape.
pub fn cells() -> Vec<(String, usize, usize)> {
    let mut out = Vec::new();
    for (d, (declaration, _)) in DECLARATIONS.iter().enumerate() {
        for (s, shape) in SHAPES.iter().enumerate() {
            out.push((format!("matrix/{declaration}/{}", shape.name), d, s));
        }
    }
    out
}

/// A generated program. Every other one uses names that are traps.
pub fn text(declaration: usize, shape: usize) -> Result<String, String> {
    let text = source(DECLARATIONS[declaration].0, &SHAPES[shape]);
    if (declaration + shape).is_multiple_of(2) { Ok(text) } else { renamed(&text, shape as u64) }
}

/// How such a program is run.
pub fn args(backend: &str) -> Vec<String> {
    let args = ["run", "-", "--backend", backend, "--buffer", "output=zero:64", "--buffer", "table=zero:16"];
    args.iter().chain(&["--read", "output", "--format", "json"]).map(|a| a.to_string()).collect()
}

/// Runs one program on every back end and compares its numbers.
pub fn run(suite: &Suite, declaration: usize, shape: usize) -> Result<(), String> {
    let text = text(declaration, shape)?;
    for backend in BACKENDS {
        let output = suite.run_text("caustic", &args(backend), &text)?;
        compare(&numbers(&output)).map_err(|why| format!("with {backend}: {why}\n{text}"))?;
    }
    Ok(())
}

/// The program with other names, except for the buffers.
fn renamed(text: &str, seed: u64) -> Result<String, String> {
    let staying = ["output", "table"];
    Ok(Renaming::of(&[text], &staying, BTreeSet::new(), vocabulary::shared()?, seed).source(text))
}

/// The numbers that a program of the matrix wrote.
fn numbers(output: &str) -> Vec<f64> {
    json::first_list(output).iter().flat_map(|n| n.parse()).collect()
}

/// A description in the form of a part of a test's name.
fn test_name(about: &str) -> String {
    about.replace([' ', ','], "_").replace(['`', ':', '\'', '?'], "")
}

fn compare(numbers: &[f64]) -> Result<(), String> {
    let mut wrong = Vec::new();
    for (mode, at, by) in MODES {
        let (Some(&value), Some(&reference)) = (numbers.get(at), numbers.get(by)) else {
            return Err(format!("numbers are missing: {numbers:?}"));
        };
        let close = (value - reference).abs() <= TOLERANCE * reference.abs().max(1.0);
        if !close || reference == 0.0 {
            wrong.push(format!("{mode} gives {value}, differences give {reference}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

/// The page up to the rows of the last table: a table for each kind of data, the list of holders,
/// and the head of the table of attributes.
fn head() -> String {
    let mut out = String::from(
        "# What can be differentiated, in which modes\n\nWritten by `cargo xtask bless matrix` and held current by the test `matrix/page`. Each cell is a \
         generated program (`test-suite/src/matrix`) that runs on\nevery back end; ✓ means that its derivative agrees with differences of the function \
         in `double` to 10⁻⁷. `a∘b` is the derivative `a` of a\nfunction that uses the derivative `b`.\n",
    );
    for shape in SHAPES {
        out.push_str(&format!("\n## {}\n\n{}\n\n| declared as |", shape.name, shape.about));
        MODES.iter().for_each(|(mode, ..)| out.push_str(&format!(" {mode} |")));
        out.push_str("\n| --- |");
        MODES.iter().for_each(|_| out.push_str(" --- |"));
        for (_, about) in DECLARATIONS {
            out.push_str(&format!("\n| {about} |"));
            MODES.iter().for_each(|_| out.push_str(" ✓ |"));
        }
        out.push('\n');
    }
    out + &carried::section() + &custom::head()
}

/// Compares the page with the generated one, except for the rows that have tests of their own, or
/// writes it.
pub fn check_page(suite: &Suite) -> Result<(), String> {
    let (head, rows) = (head(), custom::rows());
    if suite.bless {
        let lines: Result<Vec<_>, _> = rows.iter().map(|(_, i)| custom::line(suite, *i)).collect();
        let text = head + &lines?.join("\n") + "\n";
        return std::fs::write(suite.root.join(PAGE), text).map_err(|e| format!("cannot write {PAGE}: {e}"));
    }
    let text = read_page(suite)?;
    let fits = text.strip_prefix(&head).is_some_and(|rest| rest.lines().count() == rows.len());
    if fits { Ok(()) } else { Err(OUT_OF_DATE.into()) }
}

/// Compares one row of attributes with the page.
pub fn check_row(suite: &Suite, row: usize) -> Result<(), String> {
    if suite.bless {
        return Ok(());
    }
    let (line, text) = (custom::line(suite, row)?, read_page(suite)?);
    match text.lines().nth(head().lines().count() + row) {
        Some(written) if written == line => Ok(()),
        written => Err(format!("{OUT_OF_DATE}\nit says {}\nand it is {line}", written.unwrap_or("nothing"))),
    }
}

const OUT_OF_DATE: &str = "docs/matrix.md is out of date; write it with `cargo xtask bless matrix`";

fn read_page(suite: &Suite) -> Result<String, String> {
    std::fs::read_to_string(suite.root.join(PAGE)).map_err(|e| format!("cannot read {PAGE}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_number_is_found() {
        assert!(compare(&[1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0]).is_ok());
        assert!(compare(&[1.0, 1.0, 2.0, 2.0, 2.0, -2.0, 1.0, 2.0]).unwrap_err().contains("bwd∘bwd"));
        assert!(compare(&[f64::NAN, 1.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0]).unwrap_err().contains("fwd gives NaN"));
        assert!(compare(&[0.0; 8]).is_err());
        assert!(compare(&[1.0; 7]).is_err());
    }
}
