//! Single properties of what comes out.

use crate::{call, normalized, normalized_by_passes, parse, print};
use caustic_ir::Module;

/// The steps alone, and with simplification between them.
const BOTH: [fn(Module) -> Module; 2] = [normalized, normalized_by_passes];

/// `int f(int n)` with this code in place of `{…}`.
fn function(code: &str) -> Module {
    parse(&format!("hl.func @f(%n: i32) -> i32 {{\n{code}\n}}"))
}

fn errors(mut module: Module) -> Vec<&'static str> {
    match caustic_passes::normalize::run(&mut module) {
        Ok(()) => vec![],
        Err(found) => found.iter().map(|d| d.code.as_str()).collect(),
    }
}

/// `int s = 0; for (int i = 0; <condition>; i++) { <body> } return s;`, with `%i`, `%s` and the
/// bound as `%bound`.
fn summing(attrs: &str, bound: &str, body: &str) -> String {
    format!(
        r#"
  %s = hl.var {{name = "s"}} : !hl.ref<i32>
  %i = hl.var {{name = "i"}} : !hl.ref<i32>
  hl.loop {{test_first = true{attrs}}} {{
    {bound}
    %iv = hl.load %i : (!hl.ref<i32>) -> i32
    %c = arith.cmpi slt, %iv, %bound : i32
    hl.condition %c
  }} {{
    {body}
    %sv = hl.load %s : (!hl.ref<i32>) -> i32
    %ib = hl.load %i : (!hl.ref<i32>) -> i32
    %sum = arith.addi %sv, %ib : i32
    hl.store %sum, %s : (i32, !hl.ref<i32>) -> ()
    hl.yield
  }} {{
    %is = hl.load %i : (!hl.ref<i32>) -> i32
    %one = arith.constant 1 : i32
    %next = arith.addi %is, %one : i32
    hl.store %next, %i : (i32, !hl.ref<i32>) -> ()
    hl.yield
  }}
  %r = hl.load %s : (!hl.ref<i32>) -> i32
  hl.return %r : i32"#
    )
}

const FIVE: &str = "%bound = arith.constant 5 : i32";
const PARAMETER: &str = "%zero = arith.constant 0 : i32\n%bound = arith.addi %n, %zero : i32";
const BREAK_AT_N: &str = r#"
    %at = hl.load %i : (!hl.ref<i32>) -> i32
    %stop = arith.cmpi eq, %at, %n : i32
    hl.if %stop : (i1) -> () {
      hl.break
    } {
      hl.yield
    }"#;

#[test]
fn a_counted_loop_carries_only_what_it_computes() {
    for normalize in BOTH {
        let module = normalize(function(&summing("", PARAMETER, "")));
        let text = print(&module);
        assert!(text.contains("scf.for") && !text.contains("scf.while"), "{text}");
        assert!(text.contains("iter_args(%s") && text.contains("-> (i32)"), "the sum alone, by its name:\n{text}");
        assert_eq!(call(&module, "f", &[5]), [10]);
        assert_eq!(call(&module, "f", &[-5]), [0]);
    }
}

#[test]
fn a_loop_with_an_exit_is_bounded_by_its_counter() {
    for normalize in BOTH {
        let module = normalize(function(&summing("", FIVE, BREAK_AT_N)));
        let text = print(&module);
        assert!(text.contains("scf.while") && text.contains("max_iters = 5"), "{text}");
        assert_eq!(call(&module, "f", &[3]), [3]);
        assert_eq!(call(&module, "f", &[9]), [10]);
        let tighter = print(&normalize(function(&summing(", max_iters = 3", FIVE, BREAK_AT_N))));
        assert!(tighter.contains("max_iters = 3"), "{tighter}");
        let unbounded = print(&normalize(function(&summing("", PARAMETER, BREAK_AT_N))));
        assert!(!unbounded.contains("max_iters"), "{unbounded}");
    }
}

#[test]
fn forced_unrolling() {
    let force = r#", unroll = "force""#;
    for (body, normalize) in ["", "", BREAK_AT_N, BREAK_AT_N].into_iter().zip(BOTH.into_iter().cycle()) {
        let module = normalize(function(&summing(force, FIVE, body)));
        let text = print(&module);
        assert!(!text.contains("scf.for") && !text.contains("scf.while"), "{text}");
        assert_eq!(call(&module, "f", &[3]), [if body.is_empty() { 10 } else { 3 }]);
        assert_eq!(call(&module, "f", &[9]), [10]);
    }
    assert_eq!(errors(function(&summing(force, PARAMETER, ""))), ["E0402"]);
    // A long loop that only adds up stays; one that ends early does not.
    let long = "%bound = arith.constant 900000 : i32";
    assert_eq!(errors(function(&summing(force, long, ""))), [""; 0]);
    assert_eq!(errors(function(&summing(force, long, BREAK_AT_N))), ["E0403"]);
}

#[test]
fn a_counter_that_multiplies_is_unrolled_by_evaluation() {
    let module = function(
        r#"
  %p = hl.var : !hl.ref<i32>
  %one = arith.constant 1 : i32
  hl.store %one, %p : (i32, !hl.ref<i32>) -> ()
  %s = hl.var : !hl.ref<i32>
  hl.loop {test_first = true, unroll = "force"} {
    %pv = hl.load %p : (!hl.ref<i32>) -> i32
    %c100 = arith.constant 100 : i32
    %c = arith.cmpi slt, %pv, %c100 : i32
    hl.condition %c
  } {
    %sv = hl.load %s : (!hl.ref<i32>) -> i32
    %t = arith.addi %sv, %n : i32
    hl.store %t, %s : (i32, !hl.ref<i32>) -> ()
    hl.yield
  } {
    %pv = hl.load %p : (!hl.ref<i32>) -> i32
    %c2 = arith.constant 2 : i32
    %p2 = arith.muli %pv, %c2 : i32
    hl.store %p2, %p : (i32, !hl.ref<i32>) -> ()
    hl.yield
  }
  %r = hl.load %s : (!hl.ref<i32>) -> i32
  hl.return %r : i32"#,
    );
    let module = normalized(module);
    assert!(!print(&module).contains("scf."), "{}", print(&module));
    assert_eq!(call(&module, "f", &[3]), [21]);
}

#[test]
fn an_early_return_becomes_a_branch_without_flags() {
    let module = normalized(function(
        r#"
  %zero = arith.constant 0 : i32
  %c = arith.cmpi slt, %n, %zero : i32
  hl.if %c : (i1) -> () {
    hl.return %zero : i32
  } {
    hl.yield
  }
  %two = arith.constant 2 : i32
  %d = arith.muli %n, %two : i32
  hl.return %d : i32"#,
    ));
    let text = print(&module);
    assert_eq!(text.matches("scf.if").count(), 1, "{text}");
    assert!(!text.contains("arith.constant true"), "{text}");
    assert_eq!((call(&module, "f", &[-4]), call(&module, "f", &[4])), (vec![0], vec![8]));
}

#[test]
fn forced_inlining() {
    let module = normalized(parse(
        r#"
hl.func @twice(%x: i32) -> i32 attributes {force_inline} {
  %y = arith.addi %x, %x : i32
  hl.return %y : i32
}
hl.func @f(%x: i32) -> i32 attributes {force_inline} {
  %a = hl.call @twice(%x) : (i32) -> i32
  %b = hl.call @twice(%a) : (i32) -> i32
  hl.return %b : i32
}
hl.func @g(%x: i32) -> i32 {
  %a = hl.call @f(%x) : (i32) -> i32
  hl.return %a : i32
}"#,
    ));
    assert!(!print(&module).contains("call"), "{}", print(&module));
    assert_eq!(call(&module, "g", &[3]), [12]);
}

#[test]
fn what_is_inlined_keeps_its_derivatives() {
    let program = |callee: &str| {
        format!(
            r#"
hl.func @f(%x: f32) -> f32 attributes {{force_inline, {callee}}} {{
  hl.return %x : f32
}}
hl.func @g(%x: f32) -> f32 attributes {{differentiable = "both"}} {{
  %a = hl.call @f(%x) : (f32) -> f32
  hl.return %a : f32
}}
hl.func @h(%x: f32) -> f32 {{
  %a = hl.call @f(%x) : (f32) -> f32
  hl.return %a : f32
}}"#
        )
    };
    let calls = |callee: &str| print(&normalized(parse(&program(callee)))).matches("func.call").count();
    assert_eq!(calls(r#"differentiable = "both""#), 0);
    for boundary in [
        r#"differentiable = "forward""#,
        r#"differentiable = "both", prefer = "checkpoint""#,
        r#"differentiable = "both", no_diff_result"#,
        r#"differentiable = "both", params = [{name = "x", dir = "in", no_diff}]"#,
        r#"params = [{name = "x", dir = "in"}]"#,
    ] {
        assert_eq!(calls(boundary), 1, "{boundary}");
    }
}

#[test]
fn recursion_is_refused_where_it_has_no_meaning() {
    let recursive = |attrs: &str| {
        parse(&format!(
            r#"
hl.func @even(%x: i32) -> i32 attributes {{{attrs}}} {{
  %a = hl.call @odd(%x) : (i32) -> i32
  hl.return %a : i32
}}
hl.func @odd(%x: i32) -> i32 attributes {{{attrs}}} {{
  %a = hl.call @even(%x) : (i32) -> i32
  hl.return %a : i32
}}"#
        ))
    };
    assert_eq!(errors(recursive("force_inline")), ["E0405"]);
    assert_eq!(errors(recursive(r#"differentiable = "both""#)), ["E0404"]);
    assert!(errors(recursive("")).is_empty());
}

#[test]
fn wrong_code_is_reported() {
    let out_of_loop = function("  hl.break");
    assert_eq!(errors(out_of_loop), ["E9001"]);
    let no_callee = function("  %a = hl.call @nowhere(%n) : (i32) -> i32\n  hl.return %a : i32");
    assert_eq!(errors(no_callee), ["E9001"]);
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let depth = 20_000;
    // Built by hand, since the parser has limits of its own.
    use caustic_dialects::{arith, hl};
    use caustic_ir::{Builder, Loc, Name, SymbolOp, Type};
    let mut symbol = SymbolOp::new(hl::Func::DEF, Name::new("f"), Loc::unknown());
    symbol.set_attr("function_type", caustic_ir::Attr::ty(Type::function(&[], &[])));
    let root = symbol.body.root();
    let mut block = symbol.body.add_block(root, &[]);
    let mut b = Builder::at_end(&mut symbol.body, block, Loc::unknown());
    let c = arith::bool(&mut b, true);
    for i in 0..depth {
        let mut b = Builder::at_end(&mut symbol.body, block, Loc::unknown());
        let op = hl::If::build(&mut b, c, &[], &[]);
        let (then, otherwise) = (b.add_block(op, 0, &[]), b.add_block(op, 1, &[]));
        hl::Yield::build(&mut b.at(otherwise), &[], &[]);
        if i == 0 {
            hl::Return::build(&mut b, &[], &[]);
        } else {
            hl::Yield::build(&mut b, &[], &[]);
        }
        block = then;
    }
    hl::Yield::build(&mut Builder::at_end(&mut symbol.body, block, Loc::unknown()), &[], &[]);
    let mut module = Module::new();
    assert!(module.add(symbol).is_ok());
    assert_eq!(errors(module), ["E0401"]);
}

#[test]
fn large_functions_take_linear_time() {
    use std::fmt::Write;
    let source = |n: usize| {
        let mut text = String::new();
        for i in 0..n {
            let _ = writeln!(text, "%v{i} = hl.var : !hl.ref<i32>\nhl.store %n, %v{i} : (i32, !hl.ref<i32>) -> ()");
            let _ = writeln!(text, "%c{i} = arith.cmpi eq, %n, %n : i32\nhl.if %c{i} : (i1) -> () {{");
            let _ = writeln!(text, "hl.store %n, %v{i} : (i32, !hl.ref<i32>) -> ()\nhl.yield\n}} {{\nhl.yield\n}}");
        }
        function(&(text + "hl.return %n : i32"))
    };
    let time = |n: usize| {
        let mut module = source(n);
        let start = std::time::Instant::now();
        assert!(caustic_passes::normalize::run(&mut module).is_ok());
        start.elapsed().as_secs_f64()
    };
    time(100);
    // Sixteen times the code; a quadratic step would take 256 times as long, every time. Other work
    // on the machine may double a time now and then.
    let is_linear = |_| time(8_000) < 64.0 * time(500).max(1e-3);
    assert!((0..8).any(is_linear), "{} s, {} s", time(500), time(8_000));
}
