//! The text of modules: every row's format says all of its op, and samples of each pretty form
//! survive.

use caustic_ir::text::{PrintOptions, format, parse_module, print_module};
use caustic_ir::{Asm, Registry};

fn registry() -> Registry {
    Registry::new(caustic_dialects::all())
}

fn shown(diagnostics: Vec<caustic_ir::Diagnostic>) -> String {
    diagnostics.iter().map(|d| format!("{d}\n")).collect()
}

#[test]
fn every_format_says_all_of_its_op() {
    let mut wrong = Vec::new();
    for op in caustic_dialects::all().iter().flat_map(|d| d.all_ops()) {
        if let Asm::Format(text) = op.asm {
            match format::compile(op, text) {
                Ok(pieces) => wrong.extend(format::defects(op, &pieces)),
                Err(what) => wrong.push(what),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const SAMPLE: &str = r#"
// a comment
!P = !agg.struct<"P", "self", [["x", vector<3xf32>]]>
#where = loc("f.slang":3:5 to :9)
module @m attributes {a.b = 1 : i32, a.flag} {
  func.func private @decl(f32, !P) -> (f32, i1)
  func.func @main(%x: f32 {a.name = "x"}, %n: index, %c: i1, %v: vector<2x2xf32>) -> (f32, f32) attributes {entry = {stage = "compute"}} {
    %cst = arith.constant 1.5 : f32
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %d = arith.constant dense<[[1.0, 2.0], [3.0, 0x7FC00000]]> : vector<2x2xf32>
    %0 = arith.addf %x, %cst : f32 loc(#where)
    %1 = arith.cmpf olt, %0, %x : f32
    %2 = arith.select %1, %0, %x : f32
    %3:2 = scf.if %1 -> (f32, f32) {
      %s = arith.mulf %2, %2 : f32
      scf.yield %s, %s : f32, f32
    } else {
      %s = arith.subf %2, %2 : f32
      scf.yield %s, %x : f32, f32
    }
    %4 = scf.for %i = %c0 to %n step %n iter_args(%acc = %3#0) -> (f32) {
      scf.if %c {
        func.call @decl2() : () -> ()
      }
      %5 = scf.index_switch %i -> f32
      case 2 {
        scf.yield %acc : f32
      }
      default {
        scf.yield %x : f32
      }
      scf.yield %5 : f32
    }
    %6 = scf.while (%w = %4) : (f32) -> f32 {
      %7 = arith.cmpf ogt, %w, %x : f32
      scf.condition(%7) %w : f32
    } do {
    ^bb0(%w: f32):
      scf.yield %w : f32
    }
    "gpu.printf"(%6) {format = "a\22%f\n"} : (f32) -> ()
    gpu.printf "plain"
    %8 = gpu.thread_id x
    func.return %6, %3#1 : f32, f32
  }
  func.func private @decl2()
  module @inner {
  }
}
"#;

#[test]
fn samples_survive() {
    let registry = registry();
    let module = parse_module(SAMPLE, "s.mlir", &registry).unwrap_or_else(|d| panic!("{}", shown(d)));
    for generic in [false, true] {
        for locations in [false, true] {
            let options = PrintOptions { generic, locations, aliases: !generic };
            let text = print_module(&module, &options);
            let again = parse_module(&text, "t.mlir", &registry).unwrap_or_else(|d| panic!("{}\n{text}", shown(d)));
            let difference = caustic_ir::equal::first_difference(&module, &again, locations);
            assert_eq!(difference, None, "{text}");
            assert_eq!(print_module(&again, &options), text);
        }
    }
}

#[test]
fn unsigned_types_are_text_of_types_and_no_types_of_values() {
    let text = |of: &str| format!("func.func private @f() attributes {{of = {of}}}\n");
    for of in ["ui8", "ui16", "vector<3xui32>", "vector<2x4xui64>", "!agg.array<4, ui32>"] {
        let module = parse_module(&text(of), "t.mlir", &registry()).map_err(shown).expect("parses");
        let again = print_module(&module, &PrintOptions::default());
        assert!(again.contains(&format!("{{of = {of}}}")), "{again}");
    }
    for of in ["ui1", "ui7", "ui", "1 : ui32"] {
        assert!(parse_module(&text(of), "t.mlir", &registry()).is_err(), "{of}");
    }
    let value = "func.func private @f(%x: vector<2xui32>) {\n  func.return\n}\n";
    let module = parse_module(value, "t.mlir", &registry()).map_err(shown).expect("parses");
    let found = shown(caustic_ir::verify::verify_module(&module));
    assert!(found.contains("values are signless"), "{found}");
}
