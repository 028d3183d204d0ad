//! Updating an array in place: what the lowering promises, counted and not timed.

mod common;

use caustic_dialects::{agg, arith, func, scf};
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Builder, Module, Name, Type, ValueId};
use caustic_passes::lower::storage::{self, Counts};
use common::*;

fn array() -> Type {
    agg::array_type(4096, Type::f32())
}

fn insert(b: &mut Builder<'_>, value: ValueId, array: ValueId, index: ValueId) -> ValueId {
    agg::Insert::build(b, value, array, &[index], &[("path", Attr::i64_array(&[-1]))])
}
fn extract(b: &mut Builder<'_>, array: ValueId, index: ValueId) -> ValueId {
    agg::Extract::build(b, array, &[index], Type::f32(), &[("path", Attr::i64_array(&[-1]))])
}

/// `for i in 0..n` with one carried value.
fn counted(
    b: &mut Builder<'_>,
    n: i64,
    init: ValueId,
    body: impl FnOnce(&mut Builder<'_>, ValueId, ValueId) -> ValueId,
) -> ValueId {
    let ty = b.ty(init);
    let (lower, upper, step) = (arith::index(b, 0), arith::index(b, n), arith::index(b, 1));
    let op = b.create(scf::For::DEF, &[lower, upper, step, init], &[ty], &[], 1);
    let block = b.add_block(op, 0, &[Type::index(), ty]);
    let (i, carried) = (b.body.args(block)[0], b.body.args(block)[1]);
    let mut inner = b.at(block);
    let next = body(&mut inner, i, carried);
    scf::Yield::build(&mut inner, &[next], &[]);
    b.body.result(op, 0)
}

fn branch(
    b: &mut Builder<'_>,
    condition: ValueId,
    ty: Type,
    then: impl FnOnce(&mut Builder<'_>) -> ValueId,
    otherwise: impl FnOnce(&mut Builder<'_>) -> ValueId,
) -> ValueId {
    let op = b.create(scf::If::DEF, &[condition], &[ty], &[], 2);
    let (yes, no) = (b.add_block(op, 0, &[]), b.add_block(op, 1, &[]));
    let mut inner = b.at(yes);
    let value = then(&mut inner);
    scf::Yield::build(&mut inner, &[value], &[]);
    let mut inner = b.at(no);
    let value = otherwise(&mut inner);
    scf::Yield::build(&mut inner, &[value], &[]);
    b.body.result(op, 0)
}

fn lower(module: &mut Module) -> Counts {
    let mut all = Counts::default();
    for symbol in module.symbols_mut() {
        let counts = storage::lower(symbol).unwrap_or_else(|d| panic!("{d}")).unwrap_or_default();
        all = Counts {
            slots: all.slots + counts.slots,
            copies: all.copies + counts.copies,
            in_place: all.in_place + counts.in_place,
        };
    }
    all
}

/// An array that is carried through nested loops and branches, read before and after it is written:
/// one slot, no copy. With 10^5 updates of 4096 elements, copying would move 1.6 GB.
#[test]
fn an_array_carried_through_loops_and_branches_keeps_one_slot() {
    let f = function("f", &[Type::index()], |b, args| {
        let shift = args[0];
        let zero = agg::Zero::build(b, array(), &[]);
        let full = counted(b, 1000, zero, |b, i, a| {
            counted(b, 100, a, |b, j, a| {
                let hundred = arith::index(b, 100);
                let at = arith::MulI::build(b, i, hundred, &[]);
                let at = arith::AddI::build(b, at, j, &[]);
                let at = arith::AddI::build(b, at, shift, &[]);
                let size = arith::index(b, 4096);
                let at = arith::RemUI::build(b, at, size, &[]);
                let old = extract(b, a, at);
                let one = arith::float(b, 1.0, Type::f32());
                let limit = arith::float(b, 20.0, Type::f32());
                let more = arith::cmpf(b, arith::FloatPredicate::Olt, old, limit);
                let new = arith::AddF::build(b, old, one, &[]);
                branch(
                    b,
                    more,
                    array(),
                    |b| {
                        let a = insert(b, new, a, at);
                        let first = arith::index(b, 0);
                        let x = extract(b, a, at);
                        insert(b, x, a, first)
                    },
                    |_| a,
                )
            })
        });
        let zero = arith::float(b, 0.0, Type::f32());
        let sum = counted(b, 4096, zero, |b, i, sum| {
            let x = extract(b, full, i);
            arith::AddF::build(b, sum, x, &[])
        });
        vec![sum]
    });
    let reference = module(vec![f]);
    let mut lowered = reference.clone();
    assert_eq!(lower(&mut lowered), Counts { slots: 1, copies: 0, in_place: 2 });
    let compiled = jit(&lowered, &["f"]);
    compare(&reference, &compiled, "f", &[Val::Int(5)]);
}

/// A function that takes an array and gives it back changed works in the caller's slot.
#[test]
fn calls_pass_arrays_on() {
    let callee = function("bump", &[array(), Type::index()], |b, args| {
        let x = extract(b, args[0], args[1]);
        let one = arith::float(b, 1.0, Type::f32());
        let x = arith::AddF::build(b, x, one, &[]);
        vec![insert(b, x, args[0], args[1])]
    });
    let main = function("f", &[], |b, _| {
        let zero = agg::Zero::build(b, array(), &[]);
        let a = counted(b, 100_000, zero, |b, i, a| {
            let size = arith::index(b, 4096);
            let at = arith::RemUI::build(b, i, size, &[]);
            let attrs = [("callee", Attr::symbol(Name::new("bump")))];
            let call = func::Call::build(b, &[a, at], &[array()], &attrs);
            b.body.result(call, 0)
        });
        let seven = arith::index(b, 7);
        vec![extract(b, a, seven)]
    });
    let reference = module(vec![callee, main]);
    let mut lowered = reference.clone();
    assert_eq!(lower(&mut lowered), Counts { slots: 1, copies: 0, in_place: 1 });
    compare(&reference, &jit(&lowered, &["f"]), "f", &[]);
}

/// A tape that a loop fills and another reads from the end, with a tape in each of its elements.
#[test]
fn tapes_of_tapes_grow_in_place() {
    let inner = agg::tape_type(Type::f32());
    let outer = agg::tape_type(inner);
    let f = function("f", &[Type::index()], |b, args| {
        let n = args[0];
        let zero = agg::Zero::build(b, outer, &[]);
        let full = counted(b, 300, zero, |b, i, t| {
            counted(b, 40, t, |b, j, t| {
                let x = arith::AddI::build(b, i, j, &[]);
                let x = arith::IndexCast::build(b, x, Type::i32(), &[]);
                let x = arith::SIToFP::build(b, x, Type::f32(), &[]);
                agg::Insert::build(b, x, t, &[i, j], &[("path", Attr::i64_array(&[-1, -1]))])
            })
        });
        let zero = arith::float(b, 0.0, Type::f32());
        let sum = counted(b, 300, zero, |b, i, sum| {
            let at = arith::SubI::build(b, n, i, &[]);
            let row = agg::Extract::build(b, full, &[at], inner, &[("path", Attr::i64_array(&[-1]))]);
            let x = agg::Extract::build(b, row, &[i], Type::f32(), &[("path", Attr::i64_array(&[-1]))]);
            arith::AddF::build(b, sum, x, &[])
        });
        vec![sum, full]
    });
    let reference = module(vec![f]);
    let mut lowered = reference.clone();
    assert_eq!(lower(&mut lowered), Counts { slots: 0, copies: 0, in_place: 1 }, "the rows are read where they are");
    compare(&reference, &jit(&lowered, &["f"]), "f", &[Val::Int(299)]);
}

/// Where both versions are needed there is a copy, and only there.
#[test]
fn old_versions_are_kept_where_they_are_needed() {
    let f = function("f", &[Type::index()], |b, args| {
        let zero = agg::Zero::build(b, array(), &[]);
        let one = arith::float(b, 1.0, Type::f32());
        let a = insert(b, one, zero, args[0]);
        let two = arith::float(b, 2.0, Type::f32());
        let changed = insert(b, two, a, args[0]);
        let other = arith::index(b, 3);
        let y = extract(b, changed, other);
        let at = arith::FPToSI::build(b, y, Type::i64(), &[]);
        let x = agg::Extract::build(b, a, &[at], Type::f32(), &[("path", Attr::i64_array(&[-1]))]);
        vec![arith::SubF::build(b, y, x, &[])]
    });
    let reference = module(vec![f]);
    let mut lowered = reference.clone();
    assert_eq!(lower(&mut lowered), Counts { slots: 2, copies: 1, in_place: 1 });
    compare(&reference, &jit(&lowered, &["f"]), "f", &[Val::Int(9)]);
}

/// Two arrays that change places in each iteration.
#[test]
fn swapped_arrays_go_through_a_third() {
    let ty = agg::array_type(3, Type::i32());
    let f = function("f", &[ty, ty], |b, args| {
        let (lower, upper, step) = (arith::index(b, 0), arith::index(b, 5), arith::index(b, 1));
        let op = b.create(scf::For::DEF, &[lower, upper, step, args[0], args[1]], &[ty, ty], &[], 1);
        let block = b.add_block(op, 0, &[Type::index(), ty, ty]);
        let (i, x, y) = (b.body.args(block)[0], b.body.args(block)[1], b.body.args(block)[2]);
        let mut inner = b.at(block);
        let n = arith::IndexCast::build(&mut inner, i, Type::i32(), &[]);
        let changed = agg::Insert::build(&mut inner, n, x, &[i], &[("path", Attr::i64_array(&[-1]))]);
        scf::Yield::build(&mut inner, &[y, changed], &[]);
        b.body.results(op).to_vec()
    });
    let reference = module(vec![f]);
    let mut lowered = reference.clone();
    assert_eq!(lower(&mut lowered).slots, 1);
    let arg = |v: i64| Val::agg(vec![Val::Int(v), Val::Int(v + 1), Val::Int(v + 2)]);
    compare(&reference, &jit(&lowered, &["f"]), "f", &[arg(10), arg(20)]);
}

/// Ten thousand updates in a row: the classes stay cheap to find and the code has no recursion.
#[test]
fn long_and_deep_functions() {
    let ty = agg::array_type(8, Type::i32());
    let long = function("long", &[ty], |b, args| {
        let mut a = args[0];
        for k in 0..10_000 {
            let value = arith::int(b, k, Type::i32());
            a = agg::Insert::build(b, value, a, &[], &[("path", Attr::i64_array(&[k % 8]))]);
        }
        vec![a]
    });
    let deep = function("deep", &[ty, Type::i1()], |b, args| {
        fn nest(b: &mut Builder<'_>, a: ValueId, c: ValueId, levels: usize) -> ValueId {
            let ty = b.ty(a);
            if levels == 0 {
                let value = arith::int(b, 3, Type::i32());
                return agg::Insert::build(b, value, a, &[], &[("path", Attr::i64_array(&[1]))]);
            }
            branch(b, c, ty, |b| nest(b, a, c, levels - 1), |_| a)
        }
        vec![nest(b, args[0], args[1], 300)]
    });
    let reference = module(vec![long, deep]);
    let mut lowered = reference.clone();
    let counts = lower(&mut lowered);
    assert_eq!((counts.slots, counts.copies), (0, 0));
    let jit = jit(&lowered, &["long", "deep"]);
    let arg = Val::agg((0..8).map(Val::Int).collect());
    compare(&reference, &jit, "long", std::slice::from_ref(&arg));
    compare(&reference, &jit, "deep", &[arg.clone(), Val::bool(true)]);
    compare(&reference, &jit, "deep", &[arg, Val::bool(false)]);
}

/// What differentiation leaves: an accumulator that is taken out, cleared, and put back added to,
/// the clearing folded away.
#[test]
fn old_versions_that_need_not_be_kept_are_not() {
    let path = [("path", Attr::i64_array(&[-1]))];
    let f = function("f", &[array(), Type::index()], |b, args| {
        let a = counted(b, 50, args[0], |b, i, a| {
            let at = arith::AddI::build(b, i, args[1], &[]);
            let x = extract(b, a, at);
            let zero = arith::float(b, 0.0, Type::f32());
            let cleared = insert(b, zero, a, at);
            let y = extract(b, cleared, at);
            let sum = arith::AddF::build(b, x, y, &[]);
            // From the version before it was cleared.
            let put = insert(b, sum, a, at);
            // Read after the update, though from before it.
            let next = arith::AddI::build(b, at, i, &[]);
            let z = arith::float(b, 2.0, Type::f32());
            let last = insert(b, z, put, next);
            let w = agg::Extract::build(b, put, &[at], Type::f32(), &path);
            let w = arith::AddF::build(b, w, w, &[]);
            insert(b, w, last, i)
        });
        vec![a]
    });
    let reference = module(vec![f]);
    let mut lowered = reference.clone();
    let counts = lower(&mut lowered);
    assert_eq!((counts.slots, counts.copies), (0, 0));
    let compiled = jit(&lowered, &["f"]);
    for at in [0, 3, 4090, -20, 1 << 40] {
        let array = Val::agg((0..4096).map(|i| Val::Float(i as f64)).collect());
        compare(&reference, &compiled, "f", &[array, Val::Int(at)]);
    }
}

/// Updates at one place in both branches: neither comes before the other.
#[test]
fn branches_update_the_same_place() {
    let f = function("f", &[array(), Type::i1(), Type::index()], |b, args| {
        let (a, at) = (args[0], args[2]);
        let (one, two) = (arith::float(b, 1.0, Type::f32()), arith::float(b, 2.0, Type::f32()));
        let changed = branch(b, args[1], array(), |b| insert(b, one, a, at), |b| insert(b, two, a, at));
        // The old version is still needed.
        vec![changed, a]
    });
    let reference = module(vec![f]);
    let mut lowered = reference.clone();
    assert_eq!(lower(&mut lowered).in_place, 0);
    let array = Val::agg((0..4096).map(|i| Val::Float(i as f64)).collect());
    for c in [false, true] {
        compare(&reference, &jit(&lowered, &["f"]), "f", &[array.clone(), Val::bool(c), Val::Int(7)]);
    }
}
