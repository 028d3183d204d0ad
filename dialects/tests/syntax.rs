//! The syntax of `arith`, `math` and `vector`: text as upstream's own printer writes it is read,
//! verified, and survives a round trip through either form. `text/numbers.mlir` has each op at
//! least once.

use caustic_ir::equal::first_difference;
use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Module, Registry};
use std::io::Write;
use std::process::{Command, Stdio};

const TEXT: &str = include_str!("text/numbers.mlir");

fn parse(text: &str) -> Module {
    match parse_module(text, "numbers.mlir", &Registry::new(caustic_dialects::all())) {
        Ok(module) => module,
        Err(errors) => panic!("{}", errors.iter().map(|e| format!("{e}\n")).collect::<String>()),
    }
}

fn print(module: &Module, generic: bool) -> String {
    print_module(module, &PrintOptions { generic, ..PrintOptions::default() })
}

#[test]
fn upstream_text_is_understood_and_survives() {
    let module = parse(TEXT);
    let errors = verify_module(&module);
    assert!(errors.is_empty(), "{errors:#?}");
    for generic in [false, true] {
        let text = print(&module, generic);
        assert_eq!(first_difference(&module, &parse(&text), false), None, "{text}");
    }
}

/// Lines without the names of values, which are the printer's own choice.
fn shape(text: &str) -> Vec<String> {
    let nameless = |line: &str| {
        line.trim()
            .split_inclusive(' ')
            .map(|word| {
                if word.starts_with('%') {
                    word.trim_start_matches(|c: char| !matches!(c, ',' | '[' | ' '))
                } else {
                    word
                }
            })
            .collect::<String>()
    };
    text.lines().filter(|l| l.contains(" = ")).map(nameless).collect()
}

#[test]
fn what_is_printed_is_what_upstream_prints() {
    let printed = print(&parse(TEXT), false);
    let (ours, theirs) = (shape(&printed), shape(TEXT));
    assert_eq!(ours.len(), theirs.len());
    for (a, b) in ours.iter().zip(&theirs) {
        // How a float is written is our choice too: the shortest text that reads back.
        if !a.contains("arith.constant") {
            assert_eq!(a, b);
        }
    }
}

#[test]
fn every_op_is_in_the_text() {
    for dialect in
        [&caustic_dialects::arith::DIALECT, &caustic_dialects::math::DIALECT, &caustic_dialects::vector::DIALECT]
    {
        for op in dialect.all_ops() {
            assert!(TEXT.contains(&format!(" = {} ", op.name)), "{}", op.name);
        }
    }
}

/// Upstream's tool reads what we print, and prints what we read as the same. Needs `mlir-opt` of
/// MLIR 19 (the variable `MLIR_OPT`, or on the path); without it there is nothing to compare with.
#[test]
fn upstream_understands_what_is_printed() {
    let Some(tool) = mlir_opt() else {
        eprintln!("no mlir-opt of MLIR 19: skipped");
        return;
    };
    let module = parse(TEXT);
    for generic in [false, true] {
        let theirs = pipe(&tool, &print(&module, generic));
        assert_eq!(first_difference(&module, &parse(&theirs), false), None, "{theirs}");
    }
}

fn mlir_opt() -> Option<String> {
    let named = std::env::var("MLIR_OPT").ok();
    named.into_iter().chain(["mlir-opt-19".to_string(), "mlir-opt".to_string()]).find(|tool| {
        let version = Command::new(tool).arg("--version").output();
        version.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).contains("version 19."))
    })
}

fn pipe(tool: &str, input: &str) -> String {
    let piped = || Stdio::piped();
    let mut child = Command::new(tool).stdin(piped()).stdout(piped()).stderr(piped()).spawn().expect("the tool starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the tool reads its input");
    drop(stdin);
    let out = child.wait_with_output().expect("the tool ends");
    assert!(out.status.success(), "{}\n{input}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}
