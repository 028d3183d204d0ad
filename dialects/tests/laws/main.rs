//! Laws of the text and of the verifier, over generated modules of all dialects.

mod generate;

use caustic_ir::equal::first_difference;
use caustic_ir::real::bits_of;
use caustic_ir::text::{PrintOptions, parse_attr, parse_module, parse_type, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Diagnostic, Module, Registry, Type};
use generate::{Generator, Random};
use proptest::prelude::*;

fn registry() -> Registry {
    Registry::new(caustic_dialects::all())
}

fn forms() -> Vec<PrintOptions> {
    let mut out = Vec::new();
    for generic in [false, true] {
        for locations in [false, true] {
            for aliases in [false, true] {
                out.push(PrintOptions { generic, locations, aliases });
            }
        }
    }
    out
}

fn shown(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(|d| format!("{d}\n")).collect()
}

fn generated(seed: u64) -> Module {
    Generator::new(seed, caustic_dialects::all()).module(0)
}

/// Printing and parsing gives the module back, and printing that gives the text back.
fn survives(module: &Module, options: &PrintOptions) -> Result<(), TestCaseError> {
    let text = print_module(module, options);
    let again = match parse_module(&text, "text.mlir", &registry()) {
        Ok(again) => again,
        Err(d) => return Err(TestCaseError::fail(format!("{options:?}\n{}{text}", shown(&d)))),
    };
    let difference = first_difference(module, &again, options.locations);
    prop_assert!(difference.is_none(), "{:?}\n{}\n{}", options, difference.unwrap_or_default(), text);
    prop_assert_eq!(print_module(&again, options), text);
    Ok(())
}

/// A text with something changed: a byte, a token, a line, an end.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let pieces = [
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "%",
        "%0",
        "@",
        "\"",
        "#",
        "!",
        ":",
        ",",
        "->",
        "-",
        "0x",
        "1.0",
        "e9",
        "\u{0}",
        "é",
        "loc(",
        "dense<[",
        "module",
        "func.func",
        "scf.for",
        "^bb0",
        "//",
        "99999999999999999999",
        "index",
        "!agg.struct<",
        "attributes",
    ];
    for _ in 0..1 + random.below(4) {
        if chars.is_empty() {
            break;
        }
        let at = random.below(chars.len());
        match random.below(6) {
            0 => {
                chars.remove(at);
            }
            1 => {
                let len = random.below(40).min(chars.len() - at);
                chars.drain(at..at + len);
            }
            2 => {
                let piece: Vec<char> = random.pick(&pieces).chars().collect();
                chars.splice(at..at, piece);
            }
            3 => {
                let len = random.below(200).min(chars.len() - at);
                let copy: Vec<char> = chars[at..at + len].to_vec();
                let to = random.below(chars.len());
                chars.splice(to..to, copy);
            }
            4 => chars.truncate(at),
            _ => {
                let other = random.below(chars.len());
                chars.swap(at, other);
            }
        }
    }
    chars.into_iter().collect()
}

fn cases(count: u32) -> ProptestConfig {
    // The generator shrinks nothing, so failures need no file of their own.
    ProptestConfig { cases: count, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn print_then_parse_is_the_identity(seed: u64) {
        let module = generated(seed);
        for options in forms() {
            survives(&module, &options)?;
        }
    }

    #[test]
    fn types_and_attributes_survive(seed: u64) {
        let mut generator = Generator::new(seed, caustic_dialects::all());
        for _ in 0..20 {
            let ty = generator.ty(0);
            prop_assert_eq!(parse_type(&ty.to_string(), &registry()).map_err(|d| shown(&d)), Ok(ty), "{}", ty);
            let attr = generator.attr(0);
            prop_assert_eq!(parse_attr(&attr.to_string(), &registry()).map_err(|d| shown(&d)), Ok(attr), "{}", attr);
        }
    }

    #[test]
    fn the_verifier_takes_anything(seed: u64) {
        let _ = verify_module(&generated(seed));
    }
}

/// Every f16, and f32 and f64 with few bits set, signalling NaNs among them: an attribute has the
/// bits of its text, and its text is read as the same attribute.
#[test]
fn bits_of_floats_survive() {
    let sparse = |bits: u32, exponent: u64| {
        let parts = (0..bits).map(|at| 1u64 << at).chain([0]);
        parts.flat_map(|part| [part, part | exponent]).collect::<Vec<u64>>()
    };
    let f16 = (0..=0xffffu64).collect();
    for (ty, all) in
        [(Type::f16(), f16), (Type::f32(), sparse(32, 0x7f80_0000)), (Type::f64(), sparse(64, 0x7ff << 52))]
    {
        let kind = ty.float_kind().unwrap();
        for bits in all {
            let text = format!("0x{bits:0digits$X} : {ty}", digits = kind.bits() as usize / 4);
            let attr = parse_attr(&text, &registry()).unwrap_or_else(|d| panic!("{text}: {}", shown(&d)));
            assert_eq!(attr.as_float().map(|value| bits_of(value, kind)), Some(bits), "{text}");
            assert_eq!(parse_attr(&attr.to_string(), &registry()).ok(), Some(attr), "{text}, printed as {attr}");
        }
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Broken text is parsed to something that can be verified and printed, or rejected with a
    /// place; never a panic.
    #[test]
    fn mutated_text_is_parsed_or_rejected(seed: u64) {
        let mut random = Random::new(seed);
        let options = random.pick(&forms());
        let text = mutated(&print_module(&generated(seed % 64), &options), &mut random);
        match parse_module(&text, "text.mlir", &registry()) {
            Ok(module) => {
                let _ = verify_module(&module);
                survives(&module, &options)?;
            }
            Err(found) => prop_assert!(!found.is_empty()),
        }
    }
}

/// Input of any depth is rejected, not a stack overflow: on the default stack of a test's thread.
#[test]
fn depth_is_limited() {
    let n = 100_000;
    let deep = [
        format!("!x = {}", "!agg.array<4, ".repeat(n)),
        format!("!x = {}", "(".repeat(n)),
        format!("#x = {}", "[".repeat(n)),
        format!("#x = {}", "{a = ".repeat(n)),
        format!("#x = dense<{}", "[".repeat(n)),
        "module {".repeat(n),
        "\"builtin.module\"() ({".repeat(n),
        format!("func.func @f(%c: i1) {{{}", "scf.if %c {\n".repeat(n)),
        format!("func.func @f(%c: i1) {{{}", "\"scf.if\"(%c) ({\n".repeat(n)),
        format!("func.func @f(%c: i1) {{{}", "hl.if %c : (i1) -> () {\n".repeat(n)),
        format!("func.func @f() loc({}", "\"a\"(".repeat(n)),
    ];
    for text in deep {
        let found = parse_module(&text, "deep.mlir", &registry()).expect_err("too deep");
        assert!(found.iter().any(|d| d.message.contains("deep")), "{}", shown(&found));
    }
    let aliases: String = (0..n).map(|i| format!("!a{i} = (!a{}) -> ()\n", i + 1)).collect();
    assert!(parse_module(&aliases, "deep.mlir", &registry()).is_err());
}

/// Nesting up to the limit works, on the same stack.
#[test]
fn depth_up_to_the_limit_works() {
    let n = 190;
    let text = format!("func.func @f(%c: i1) {{{}{} func.return }}", "scf.if %c {\n".repeat(n), "}\n".repeat(n));
    let module = parse_module(&text, "deep.mlir", &registry()).unwrap_or_else(|d| panic!("{}", shown(&d)));
    for options in forms() {
        survives(&module, &options).unwrap();
    }
    assert!(verify_module(&module).is_empty());
}
