//! The syntax of `arith`, `math` and `vector`: text as upstream's own printer writes it is read, verified, and survives a
//! round trip through either form. `text/numbers.mlir` has each op at least once.

use caustic_ir::equal::first_difference;
use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Module, Registry};

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
