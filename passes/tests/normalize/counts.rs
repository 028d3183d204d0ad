//! Counted loops: every count agrees with counting, wrap-around included.

use crate::{normalized, parse, print};
use caustic_dialects::arith::IntPredicate;
use caustic_interp::{Interp, Limits};
use caustic_ir::Type;
use caustic_ir::attr::sign_extend;
use caustic_ir::eval::Val;

/// Iterations and last value of the loop below, by counting; `None` if it never ends.
fn count(p: IntPredicate, init: i64, bound: i64, step: i64, test_first: bool) -> Option<(i64, i64)> {
    let (mut i, mut n) = (init, 0);
    while (n == 0 && !test_first) || p.holds(i, bound, Type::int(8)) {
        i = sign_extend(i + step, 8);
        n += 1;
        if n > 600 {
            return None;
        }
    }
    Some((n, i))
}

/// Counts the iterations in `n`, returns the counter's last value. A constant bound or start
/// replaces the parameter.
fn counting_loop(
    ty: &str,
    p: IntPredicate,
    step: i64,
    test_first: bool,
    start: Option<i64>,
    bound: Option<i64>,
) -> String {
    let predicate = p.keyword();
    let known = |name: &str, value: Option<i64>, parameter: &str| match value {
        Some(v) => format!("%{name} = arith.constant {v} : {ty}"),
        None => format!(
            "%zero_{name} = arith.constant 0 : {ty}\n    %{name} = arith.addi %{parameter}, %zero_{name} : {ty}"
        ),
    };
    let (init, bound) = (known("init", start, "a"), known("bound", bound, "b"));
    format!(
        r#"
hl.func @f(%a: {ty}, %b: {ty}, %n: !hl.ref<i32>) -> {ty}
    attributes {{params = [{{name = "a", dir = "in"}}, {{name = "b", dir = "in"}}, {{name = "n", dir = "out"}}]}} {{
  %i = hl.var : !hl.ref<{ty}>
  {init}
  hl.store %init, %i : ({ty}, !hl.ref<{ty}>) -> ()
  hl.loop {{test_first = {test_first}}} {{
    %v = hl.load %i : (!hl.ref<{ty}>) -> {ty}
    {bound}
    %c = arith.cmpi {predicate}, %v, %bound : {ty}
    hl.condition %c
  }} {{
    %m = hl.load %n : (!hl.ref<i32>) -> i32
    %one = arith.constant 1 : i32
    %m1 = arith.addi %m, %one : i32
    hl.store %m1, %n : (i32, !hl.ref<i32>) -> ()
    hl.yield
  }} {{
    %v = hl.load %i : (!hl.ref<{ty}>) -> {ty}
    %s = arith.constant {step} : {ty}
    %v1 = arith.addi %v, %s : {ty}
    hl.store %v1, %i : ({ty}, !hl.ref<{ty}>) -> ()
    hl.yield
  }}
  %r = hl.load %i : (!hl.ref<{ty}>) -> {ty}
  hl.return %r : {ty}
}}
"#
    )
}

const EDGES: [i64; 11] = [-128, -127, -126, -3, -1, 0, 1, 2, 100, 126, 127];

/// Runs the loop over i8 for these starts and bounds; whether it became a `for`.
fn check(p: IntPredicate, step: i64, test_first: bool, start: Option<i64>, bound: Option<i64>) -> bool {
    let module = normalized(parse(&counting_loop("i8", p, step, test_first, start, bound)));
    let text = print(&module);
    for &a in EDGES.iter().filter(|&&a| start.is_none_or(|s| s == a)) {
        for &b in EDGES.iter().filter(|&&b| bound.is_none_or(|s| s == b)) {
            let limits = Limits { steps: 6_000, ..Limits::default() };
            let found = Interp::with_limits(&module, limits).call("f", vec![Val::Int(a), Val::Int(b)]);
            let found = found.ok().map(|v| (v[1].as_int(), v[0].as_int()));
            let what = format!("i = {a}; i {} {b}; i += {step}; test first: {test_first}\n{text}", p.keyword());
            assert_eq!(found, count(p, a, b, step, test_first), "{what}");
        }
    }
    text.contains("scf.for")
}

#[test]
fn counts_of_run_time_bounds() {
    use IntPredicate::*;
    for &p in IntPredicate::ALL {
        for step in [1, -1, 2, -2, 3, -3, 16, -128] {
            for test_first in [true, false] {
                let raised = check(p, step, test_first, None, None);
                let up = matches!(p, Slt | Sle | Ult | Ule);
                let power = step.unsigned_abs().is_power_of_two();
                let expected = match p {
                    Eq => false,
                    Ne => step.abs() == 1,
                    _ => up == (step > 0) && power,
                };
                assert_eq!(raised, expected, "{} by {step}, test first: {test_first}", p.keyword());
            }
        }
    }
}

#[test]
fn counts_of_constant_bounds() {
    for &p in IntPredicate::ALL {
        for step in [1, -1, 3, -5] {
            for &bound in &EDGES {
                check(p, step, true, None, Some(bound));
                for &start in EDGES[..7].iter().step_by(3) {
                    check(p, step, false, Some(start), Some(bound));
                }
            }
        }
    }
    use IntPredicate::{Sge, Slt, Ule};
    assert!(check(Slt, 3, true, None, Some(100)), "a bound that rules the wrap out allows any step");
    assert!(!check(Ule, 1, true, Some(0), Some(-1)), "i <= 255 never ends");
    assert!(!check(Sge, -1, true, Some(0), Some(-128)), "i >= -128 never ends");
}

#[test]
fn counts_of_wide_counters() {
    use IntPredicate::*;
    let (least, greatest) = (i64::MIN, i64::MAX);
    for (p, step, a, b, n) in [
        (Slt, 1, 0, 5, 5),
        (Slt, 1, greatest - 2, greatest, 2),
        (Sle, 2, -3, 3, 4),
        (Sgt, -1, least + 3, least, 3),
        (Sge, -4, 10, 2, 3),
        (Ult, 2, -5, -2, 2),
        (Ule, 1, -4, -3, 2),
        (Ugt, -1, 3, 0, 3),
        (Ne, 1, greatest, least, 1),
        (Slt, 1, 5, 0, 0),
        (Ult, 1, -1, 0, 0),
    ] {
        for ty in ["i64", "index"] {
            let text = counting_loop(ty, p, step, true, None, None);
            let module = normalized(parse(&text));
            assert!(print(&module).contains("scf.for"), "{} {ty}", p.keyword());
            let limits = Limits { steps: 6_000, ..Limits::default() };
            let found = Interp::with_limits(&module, limits).call("f", vec![Val::Int(a), Val::Int(b)]);
            let found: Option<Vec<i64>> = found.ok().map(|v| v.iter().map(|v| v.as_int()).collect());
            let last = a.wrapping_add(step * n);
            assert_eq!(found, Some(vec![last, n]), "{} from {a} to {b} by {step}\n{}", p.keyword(), print(&module));
        }
    }
}
