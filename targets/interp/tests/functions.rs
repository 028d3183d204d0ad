//! Functions called by name: arithmetic, control flow, calls, aggregates, limits, and code that is
//! wrong.

mod common;

use caustic_dialects::agg::{self, array_type};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate, cmpf, cmpi};
use caustic_dialects::{func, math, scf, vector};
use caustic_interp::{Interp, Limits};
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Builder, Loc, Module, Name, SymbolOp, Type, ValueId};
use common::*;
use std::sync::Arc;

fn run(module: &Module, name: &str, args: Vec<Val>) -> String {
    text(&Interp::new(module).call(name, args))
}

#[test]
fn arithmetic_rounds_to_its_type() {
    let mut m = Module::new();
    for ty in [Type::f16(), Type::f32(), Type::f64()] {
        function(&mut m, &format!("third_{ty}"), &[], &[ty], |b, _| {
            let (one, three) = (arith::float(b, 1.0, ty), arith::float(b, 3.0, ty));
            vec![arith::DivF::build(b, one, three, &[])]
        });
    }
    assert_eq!(run(&m, "third_f16", vec![]), "[0.333251953125]");
    assert_eq!(run(&m, "third_f32", vec![]), format!("[{:?}]", (1.0f32 / 3.0) as f64));
    assert_eq!(run(&m, "third_f64", vec![]), format!("[{:?}]", 1.0 / 3.0));
}

#[test]
fn vectors_and_scalars_mix() {
    let mut m = Module::new();
    let v3 = Type::vector(&[3], Type::f32());
    function(&mut m, "f", &[v3, Type::f32()], &[Type::f32()], |b, p| {
        let s = vector::broadcast(b, p[1], v3);
        let product = arith::MulF::build(b, p[0], s, &[]);
        let roots = math::Sqrt::build(b, product, &[]);
        let at = arith::index(b, 1);
        let middle = vector::extract_at(b, roots, &[at]);
        let swapped = vector::insert(b, middle, roots, &[0]);
        vec![vector::reduction(b, "add", swapped)]
    });
    assert_eq!(run(&m, "f", vec![floats(&[1.0, 2.0, 8.0]), Val::Float(2.0)]), "[8.0]");
}

#[test]
fn matrices_are_row_major() {
    let mut m = Module::new();
    let m23 = Type::vector(&[2, 3], Type::f32());
    let row = Type::vector(&[2], Type::f32());
    function(&mut m, "f", &[m23, Type::index()], &[row, Type::f32(), Type::vector(&[6], Type::f32())], |b, p| {
        let t = vector::transposed(b, p[0]);
        let row = vector::extract_at(b, t, &[p[1]]);
        let scalar = vector::extract(b, p[0], &[1, 0]);
        let flat = vector::shape_cast(b, t, Type::vector(&[6], Type::f32()));
        vec![row, scalar, flat]
    });
    let matrix = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let rest = "4.0, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]]";
    assert_eq!(run(&m, "f", vec![matrix.clone(), Val::Int(2)]), format!("[[3.0, 6.0], {rest}"));
    for outside in [3, -1, i64::MIN, i64::MAX] {
        assert_eq!(run(&m, "f", vec![matrix.clone(), Val::Int(outside)]), format!("[[0.0, 0.0], {rest}"));
    }
}

#[test]
fn writing_outside_of_a_vector_does_nothing() {
    let mut m = Module::new();
    let m22 = Type::vector(&[2, 2], Type::i32());
    let row = Type::vector(&[2], Type::i32());
    function(&mut m, "f", &[m22, row, Type::index()], &[m22], |b, p| vec![vector::insert_at(b, p[1], p[0], &[p[2]])]);
    let args = |i| vec![ints(&[1, 2, 3, 4]), ints(&[7, 8]), Val::Int(i)];
    assert_eq!(run(&m, "f", args(1)), "[[1, 2, 7, 8]]");
    assert_eq!(run(&m, "f", args(2)), "[[1, 2, 3, 4]]");
    assert_eq!(run(&m, "f", args(-1)), "[[1, 2, 3, 4]]");
}

/// Collatz steps of n: a while whose body is an if.
fn collatz(m: &mut Module) {
    let i64_ty = Type::i64();
    function(m, "collatz", &[i64_ty], &[i64_ty], |b, p| {
        let zero = arith::int(b, 0, i64_ty);
        let op = scf::While::build(b, &[p[0], zero], &[i64_ty, i64_ty], &[]);
        let before = b.add_block(op, 0, &[i64_ty, i64_ty]);
        let mut inner = b.at(before);
        let args = inner.body.args(before).to_vec();
        let one = arith::int(&mut inner, 1, i64_ty);
        let go = cmpi(&mut inner, IntPredicate::Ne, args[0], one);
        scf::Condition::build(&mut inner, go, &args, &[]);
        let after = b.add_block(op, 1, &[i64_ty, i64_ty]);
        fill(b, after, |b, args| {
            let (one, three) = (arith::int(b, 1, i64_ty), arith::int(b, 3, i64_ty));
            let odd = arith::AndI::build(b, args[0], one, &[]);
            let is_odd = cmpi(b, IntPredicate::Eq, odd, one);
            let next = if_else(
                b,
                is_odd,
                &[i64_ty],
                |b| {
                    let t = arith::MulI::build(b, args[0], three, &[]);
                    vec![arith::AddI::build(b, t, one, &[])]
                },
                |b| vec![arith::ShRUI::build(b, args[0], one, &[])],
            );
            vec![next[0], arith::AddI::build(b, args[1], one, &[])]
        });
        vec![b.body.result(op, 1)]
    });
}

#[test]
fn while_and_if() {
    let mut m = Module::new();
    collatz(&mut m);
    assert_eq!(run(&m, "collatz", vec![Val::Int(27)]), "[111]");
    assert_eq!(run(&m, "collatz", vec![Val::Int(1)]), "[0]");
}

#[test]
fn switch_takes_its_case() {
    let mut m = Module::new();
    function(&mut m, "f", &[Type::index()], &[Type::i32()], |b, p| {
        let cases = [("cases", Attr::i64_array(&[2, 5]))];
        let op = b.create(scf::IndexSwitch::DEF, &[p[0]], &[Type::i32()], &cases, 3);
        for k in 0..3 {
            let block = b.add_block(op, k, &[]);
            fill(b, block, |b, _| vec![arith::int(b, 10 * k as i64, Type::i32())]);
        }
        vec![b.body.result(op, 0)]
    });
    let taken = |v| run(&m, "f", vec![Val::Int(v)]);
    assert_eq!((taken(3), taken(2), taken(5)), ("[0]".into(), "[10]".into(), "[20]".into()));
}

#[test]
fn values_that_die_in_branches_and_loops() {
    let mut m = Module::new();
    let f = Type::f32();
    // x is read in both branches, after a loop that reads it too; y twice by one op.
    function(&mut m, "f", &[Type::i1(), f, f, Type::index()], &[f, f], |b, p| {
        let sums = for_loop(b, p[3], &[p[2]], |b, _, c| vec![arith::AddF::build(b, c[0], p[1], &[])]);
        let r = if_else(
            b,
            p[0],
            &[f],
            |b| vec![arith::AddF::build(b, p[1], p[1], &[])],
            |b| vec![arith::NegF::build(b, p[1], &[])],
        );
        vec![r[0], sums[0]]
    });
    let args = |c| vec![Val::bool(c), Val::Float(2.0), Val::Float(1.0), Val::Int(3)];
    assert_eq!(run(&m, "f", args(true)), "[4.0, 7.0]");
    assert_eq!(run(&m, "f", args(false)), "[-2.0, 7.0]");
}

/// Fills an array in a loop, every second element under a condition and through a call.
fn filler(m: &mut Module, n: u64) -> Type {
    let array = array_type(n, Type::f32());
    let path = [("path", Attr::i64_array(&[-1]))];
    function(m, "store", &[array, Type::index(), Type::f32()], &[array], |b, p| {
        vec![agg::Insert::build(b, p[2], p[0], &[p[1]], &path)]
    });
    function(m, "fill", &[array, Type::index()], &[array], |b, p| {
        for_loop(b, p[1], &[p[0]], |b, i, c| {
            let (one, half) = (arith::index(b, 1), arith::float(b, 0.5, Type::f32()));
            let old = agg::Extract::build(b, c[0], &[i], Type::f32(), &path);
            let new = arith::AddF::build(b, old, half, &[]);
            let bit = arith::AndI::build(b, i, one, &[]);
            let odd = cmpi(b, IntPredicate::Eq, bit, one);
            if_else(
                b,
                odd,
                &[array],
                |b| vec![agg::Insert::build(b, new, c[0], &[i], &path)],
                |b| call(b, "store", &[c[0], i, new], &[array]),
            )
        })
    });
    array
}

#[test]
fn arrays_are_updated_in_place() {
    let mut m = Module::new();
    filler(&mut m, 64);
    let array = Arc::new(vec![Val::Float(1.0); 64]);
    let before = Arc::as_ptr(&array);
    let result = Interp::new(&m).call("fill", vec![Val::Agg(array), Val::Int(64)]);
    match result.as_deref() {
        Ok([Val::Agg(after)]) => {
            assert_eq!(Arc::as_ptr(after), before, "the array was copied");
            assert!(after.iter().all(|v| v.as_float() == 1.5));
        }
        _ => panic!("{}", text(&result)),
    }
}

#[test]
fn shared_arrays_are_copied() {
    let mut m = Module::new();
    let array = filler(&mut m, 4);
    function(&mut m, "both", &[array], &[array, array], |b, p| {
        let two = arith::index(b, 2);
        let filled = call(b, "fill", &[p[0], two], &[array]);
        vec![p[0], filled[0]]
    });
    assert_eq!(run(&m, "both", vec![floats(&[0.0; 4])]), "[[0.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]]");
}

fn recursive(m: &mut Module) {
    let i = Type::i64();
    // sum(n) = n == 0 ? 0 : n + sum(n - 1)
    function(m, "sum", &[i], &[i], |b, p| {
        let zero = arith::int(b, 0, i);
        let done = cmpi(b, IntPredicate::Eq, p[0], zero);
        if_else(
            b,
            done,
            &[i],
            |_| vec![zero],
            |b| {
                let one = arith::int(b, 1, i);
                let less = arith::SubI::build(b, p[0], one, &[]);
                let rest = call(b, "sum", &[less], &[i]);
                vec![arith::AddI::build(b, rest[0], p[0], &[])]
            },
        )
    });
}

#[test]
fn recursion_is_limited_and_the_limit_fits_the_stack() {
    let mut m = Module::new();
    recursive(&mut m);
    assert_eq!(run(&m, "sum", vec![Val::Int(4000)]), "[8002000]");
    // Two levels a call: the function's block and the branch's.
    let deepest = Limits::default().depth as i64 / 2 - 1;
    assert_eq!(run(&m, "sum", vec![Val::Int(deepest)]), format!("[{}]", deepest * (deepest + 1) / 2));
    assert!(run(&m, "sum", vec![Val::Int(-1)]).starts_with("trap: calls and blocks are nested"));
}

#[test]
fn steps_are_counted_and_limited() {
    let mut m = Module::new();
    collatz(&mut m);
    let limits = Limits { steps: 5000, ..Limits::default() };
    // Zero never becomes one.
    let result = Interp::with_limits(&m, limits).call("collatz", vec![Val::Int(0)]);
    assert_eq!(text(&result), "trap: stopped after 5000 operations");
    let interp = Interp::new(&m);
    assert_eq!(text(&interp.call("collatz", vec![Val::Int(2)])), "[1]");
    let once = interp.steps();
    assert!(once > 5);
    let _ = interp.call("collatz", vec![Val::Int(2)]);
    assert_eq!(interp.steps(), 2 * once);
}

#[test]
fn huge_values_trap() {
    let mut m = Module::new();
    let huge = array_type(1 << 50, array_type(1 << 50, Type::f32()));
    function(&mut m, "f", &[], &[huge], |b, _| vec![agg::Zero::build(b, huge, &[])]);
    assert!(run(&m, "f", vec![]).contains("too large"));
}

/// Wrong code traps; it never panics.
#[test]
fn wrong_code_traps() {
    let mut m = Module::new();
    function(&mut m, "missing_operand", &[], &[Type::f32()], |b, _| {
        vec![b.create_one(arith::AddF::DEF, &[], Type::f32(), &[])]
    });
    function(&mut m, "unknown_callee", &[], &[], |b, _| call(b, "nobody", &[], &[]));
    function(&mut m, "bad_position", &[Type::vector(&[2], Type::f32())], &[Type::f32()], |b, p| {
        vec![vector::extract(b, p[0], &[1, 2, 3])]
    });
    function(&mut m, "no_constant", &[], &[Type::i32()], |b, _| {
        vec![b.create_one(arith::Constant::DEF, &[], Type::i32(), &[])]
    });
    function(&mut m, "no_predicate", &[Type::f32()], &[Type::i1()], |b, p| {
        vec![arith::CmpF::build(b, p[0], p[0], &[])]
    });
    function(&mut m, "use_before_definition", &[], &[Type::f32()], |b, _| {
        let late = arith::float(b, 1.0, Type::f32());
        let early = b.body.def_op(late);
        b.before = early;
        let negated: ValueId = arith::NegF::build(b, late, &[]);
        b.before = None;
        vec![negated]
    });
    let mut open = SymbolOp::new(func::Func::DEF, Name::new("open"), Loc::unknown());
    let root = open.body.root();
    let block = open.body.add_block(root, &[]);
    arith::bool(&mut Builder::at_end(&mut open.body, block, Loc::unknown()), true);
    assert!(m.add(open).is_ok());
    assert!(m.add(SymbolOp::new(func::Func::DEF, Name::new("declared"), Loc::unknown())).is_ok());

    let trap = |name: &str, args: Vec<Val>, wanted: &str| {
        let result = run(&m, name, args);
        assert!(result.starts_with("trap: ") && result.contains(wanted), "{name}: {result}");
    };
    trap("missing_operand", vec![], "wrong number of operands");
    trap("unknown_callee", vec![], "@nobody does not exist");
    trap("no_constant", vec![], "without a value");
    trap("use_before_definition", vec![], "before it is defined");
    trap("open", vec![], "without a terminator");
    trap("declared", vec![], "no code at this level");
    trap("nobody", vec![], "does not exist");
    trap("no_predicate", vec![], "entered with 0 values, but takes 1");
    assert_eq!(run(&m, "no_predicate", vec![Val::Float(1.0)]), "[0]");
    assert_eq!(run(&m, "bad_position", vec![floats(&[1.0, 2.0])]), "[2.0]");
}

/// The cost of an instruction, to notice when it grows. Run with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement, not a check"]
fn speed() {
    let mut m = Module::new();
    let f = Type::f32();
    function(&mut m, "f", &[Type::index()], &[f], |b, p| {
        let x = arith::float(b, 1.0, f);
        for_loop(b, p[0], &[x], |b, _, c| {
            let k = arith::float(b, 0.999, f);
            let y = arith::MulF::build(b, c[0], k, &[]);
            let z = math::Sin::build(b, y, &[]);
            let less = cmpf(b, FloatPredicate::Olt, z, k);
            vec![arith::Select::build(b, less, z, y, &[])]
        })
    });
    let interp = Interp::new(&m);
    let start = std::time::Instant::now();
    let _ = interp.call("f", vec![Val::Int(1_000_000)]);
    let ns = start.elapsed().as_nanos() as f64;
    println!("{:.1} ns an op ({} ops)", ns / interp.steps() as f64, interp.steps());
    let start = std::time::Instant::now();
    for _ in 0..1000 {
        let _ = interp.call("f", vec![Val::Int(1)]);
    }
    println!("{:.1} us a call", start.elapsed().as_micros() as f64 / 1000.0);
}
