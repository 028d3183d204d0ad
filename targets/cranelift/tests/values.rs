//! Vectors, matrices and structs in registers: each op of `vector` and `agg` that moves parts, with
//! constant and computed positions, in range and out of it.

mod common;

use caustic_dialects::{agg, arith, func, scf, vector};
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Builder, Module, Name, SymbolOp, Type, ValueId};
use common::*;

/// Builds one function for each case and compares it on random arguments.
struct Cases {
    symbols: Vec<SymbolOp>,
    inputs: Vec<(String, Vec<Type>)>,
}

impl Cases {
    fn add(&mut self, inputs: &[Type], build: impl FnOnce(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>) {
        let name = format!("f{}", self.symbols.len());
        let symbol = function(&name, inputs, build);
        for op in symbol.body.walk_all() {
            if let Some(verify) = symbol.body.op(op).def.verify {
                verify(&symbol.body, op).unwrap_or_else(|d| panic!("{d}"));
            }
        }
        self.symbols.push(symbol);
        self.inputs.push((name, inputs.to_vec()));
    }
    fn check(self) {
        let module: Module = module(self.symbols);
        let names: Vec<&str> = self.inputs.iter().map(|(n, _)| n.as_str()).collect();
        let compiled = jit(&module, &names);
        let mut rng = rng(3);
        for (name, inputs) in &self.inputs {
            for round in 0..24 {
                let args: Vec<Val> = inputs
                    .iter()
                    .map(|&ty| match ty.is_index() {
                        // Positions around the ends.
                        true => Val::Int(round % 8 - 2),
                        false => random(ty, &mut rng),
                    })
                    .collect();
                compare(&module, &compiled, name, &args);
            }
        }
    }
}

fn scalars() -> Vec<Type> {
    let ints = [1, 8, 16, 32, 64].map(Type::int);
    ints.into_iter().chain([Type::f16(), Type::f32(), Type::f64()]).collect()
}

#[test]
fn vector_ops() {
    let mut cases = Cases { symbols: Vec::new(), inputs: Vec::new() };
    let index = Type::index();
    for s in scalars() {
        let (v, m) = (Type::vector(&[4], s), Type::vector(&[3, 2], s));
        let row = Type::vector(&[2], s);
        cases.add(&[s], |b, a| vec![vector::broadcast(b, a[0], v), vector::broadcast(b, a[0], m)]);
        cases.add(&[s, s], |b, a| vec![vector::from_elements(b, &[a[0], a[1], a[1], a[0]], v)]);
        cases.add(&[v, s], |b, a| vec![vector::extract(b, a[0], &[2]), vector::insert(b, a[1], a[0], &[3])]);
        cases.add(&[v, s, index], |b, a| {
            vec![vector::extract_at(b, a[0], &[a[2]]), vector::insert_at(b, a[1], a[0], &[a[2]])]
        });
        cases.add(&[m, row, index], |b, a| {
            let put = vector::insert_at(b, a[1], a[0], &[a[2]]);
            vec![
                vector::extract_at(b, a[0], &[a[2]]),
                put,
                vector::extract(b, a[0], &[1]),
                vector::insert(b, a[1], a[0], &[2]),
            ]
        });
        cases.add(&[m, s, index, index], |b, a| {
            let put = vector::insert_at(b, a[1], a[0], &[a[2], a[3]]);
            vec![vector::extract_at(b, a[0], &[a[2], a[3]]), put, vector::extract(b, a[0], &[2, 1])]
        });
        cases.add(&[m], |b, a| vec![vector::transposed(b, a[0]), vector::shape_cast(b, a[0], Type::vector(&[6], s))]);
        let kinds: &[&str] = match s.is_float() {
            true => &["add"],
            false => &["add", "mul", "and", "or", "xor", "minsi", "minui", "maxsi", "maxui"],
        };
        for kind in kinds {
            cases.add(&[v], |b, a| vec![vector::reduction(b, kind, a[0])]);
        }
        cases.add(&[Type::i1(), v, v], |b, a| vec![arith::Select::build(b, a[0], a[1], a[2], &[])]);
        cases.add(&[Type::vector(&[4], Type::i1()), v, v], |b, a| vec![arith::Select::build(b, a[0], a[1], a[2], &[])]);
    }
    cases.check();
}

#[test]
fn structs_in_registers() {
    let mut cases = Cases { symbols: Vec::new(), inputs: Vec::new() };
    let m = Type::vector(&[2, 3], Type::f32());
    let inner = agg::StructType::get("I", false, &[("m", m, false), ("n", Type::int(8), false)]);
    let ty =
        agg::StructType::get("S", false, &[("h", Type::f16(), false), ("i", inner, false), ("b", Type::i1(), false)]);
    let path = |steps: &[i64]| [("path", Attr::i64_array(steps))];
    cases.add(&[ty], |b, a| {
        let i = agg::Extract::build(b, a[0], &[], inner, &path(&[1]));
        let h = agg::Extract::build(b, a[0], &[], Type::f16(), &path(&[0]));
        let t = agg::Extract::build(b, a[0], &[], Type::i1(), &path(&[2]));
        vec![agg::Make::build(b, &[h, i, t], ty, &[]), i]
    });
    for steps in [vec![1, 0, -1], vec![1, 0, -1, 2], vec![1, 0, 1, -1], vec![1, 0, -1, -1]] {
        let part = agg::type_at_path(ty, &steps).unwrap();
        let dynamic = steps.iter().filter(|&&s| s < 0).count();
        // A narrow index too: it is signed.
        for index in [Type::index(), Type::int(8)] {
            cases.add(&[ty, part, index, index], |b, a| {
                let indices = &a[2..2 + dynamic];
                let put = agg::Insert::build(b, a[1], a[0], indices, &path(&steps));
                vec![agg::Extract::build(b, a[0], indices, part, &path(&steps)), put]
            });
        }
    }
    cases.add(&[inner, ty], |b, a| {
        vec![agg::Insert::build(b, a[0], a[1], &[], &path(&[1])), agg::Zero::build(b, ty, &[])]
    });
    cases.check();
}

/// Values of many scalars through every kind of control flow, and through calls with none, one and
/// many results.
#[test]
fn control_flow_and_calls() {
    let v = Type::vector(&[3], Type::f64());
    let i8 = Type::int(8);
    let none = function("none", &[v], |_, _| vec![]);
    let many = function("many", &[v, i8], |b, a| {
        let sum = arith::AddF::build(b, a[0], a[0], &[]);
        let n = arith::AddI::build(b, a[1], a[1], &[]);
        vec![n, sum, a[1]]
    });
    let main = function("main", &[i8, v], |b, a| {
        let call = |b: &mut Builder<'_>, name: &str, args: &[ValueId], results: &[Type]| {
            let attrs = [("callee", Attr::symbol(Name::new(name)))];
            let op = b.create(func::Call::DEF, args, results, &attrs, 0);
            b.body.results(op).to_vec()
        };
        call(b, "none", &[a[1]], &[]);
        // Counts in i8 from the argument to 100 by 40, past which the counter would wrap.
        let (upper, step) = (arith::int(b, 100, i8), arith::int(b, 40, i8));
        let op = b.create(scf::For::DEF, &[a[0], upper, step, a[1], a[0]], &[v, i8], &[], 1);
        let block = b.add_block(op, 0, &[i8, v, i8]);
        let args = b.body.args(block).to_vec();
        let mut inner = b.at(block);
        let results = call(&mut inner, "many", &[args[1], args[0]], &[i8, v, i8]);
        let n = arith::XOrI::build(&mut inner, results[0], args[2], &[]);
        scf::Yield::build(&mut inner, &[results[1], n], &[]);
        let looped = b.body.results(op).to_vec();
        let wide = arith::IndexCast::build(b, a[0], Type::index(), &[]);
        let attrs = [("cases", Attr::i64_array(&[0, -1, 1, i64::MIN, 0]))];
        let op = b.create(scf::IndexSwitch::DEF, &[wide], &[v, i8], &attrs, 6);
        for k in 0..6 {
            let block = b.add_block(op, k, &[]);
            let mut inner = b.at(block);
            let n = arith::int(&mut inner, k as i64, i8);
            let x = if k % 2 == 0 { looped[0] } else { a[1] };
            scf::Yield::build(&mut inner, &[x, n], &[]);
        }
        [looped, b.body.results(op).to_vec()].concat()
    });
    let module = module(vec![none, many, main]);
    let compiled = jit(&module, &["main", "many", "none"]);
    let mut rng = rng(9);
    for n in [-128, -127, -1, 0, 1, 5, 59, 60, 61, 99, 100, 127] {
        compare(&module, &compiled, "main", &[Val::Int(n), random(v, &mut rng)]);
    }
    compare(&module, &compiled, "none", &[random(v, &mut rng)]);
    compare(&module, &compiled, "many", &[random(v, &mut rng), Val::Int(-128)]);
    assert!(compiled.call("many", &[]).is_err(), "too few arguments");
    assert!(compiled.call("many", &[Val::Int(1), Val::Int(1)]).is_err(), "an argument of another type");
    assert!(compiled.call("nobody", &[]).is_err());
}
