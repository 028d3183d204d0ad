//! Every elementwise row, on every scalar type and shape that it takes, compiled and interpreted on
//! random values.

mod common;

use caustic_ir::eval::Eval;
use caustic_ir::op::{OpDef, TypeRule};
use caustic_ir::{Attr, Body, Builder, Name, OpId, Type, TypeClass};
use common::*;

fn shapes() -> Vec<Box<dyn Fn(Type) -> Type>> {
    vec![Box::new(|t| t), Box::new(|t| Type::vector(&[3], t)), Box::new(|t| Type::vector(&[2, 2], t))]
}

fn scalars() -> Vec<Type> {
    let ints = [1, 8, 16, 32, 64].map(Type::int);
    ints.into_iter().chain([Type::index(), Type::f16(), Type::f32(), Type::f64()]).collect()
}

/// Every list of operand types that the row takes, of one shape.
fn operand_types(def: &OpDef) -> Vec<Vec<Type>> {
    let mut all: Vec<Vec<Type>> = Vec::new();
    for shape in shapes() {
        let mut lists: Vec<Vec<Type>> = vec![vec![]];
        for spec in def.operands {
            assert!(!spec.variadic, "{}", def.name);
            let mut next = Vec::new();
            for list in &lists {
                let known: Vec<Option<Type>> = list.iter().map(|&t| Some(t)).collect();
                match (spec.rule.infer(&known), spec.rule) {
                    (Some(ty), _) => next.push(list.iter().copied().chain([ty]).collect()),
                    (None, TypeRule::Class(TypeClass { contains, .. })) => {
                        let fits = scalars().into_iter().map(&shape).filter(|&t| contains(t));
                        next.extend(fits.map(|t| list.iter().copied().chain([t]).collect::<Vec<_>>()));
                    }
                    _ => {}
                }
            }
            lists = next;
        }
        all.extend(lists);
    }
    all
}

fn result_types(def: &OpDef, operands: &[Type]) -> Vec<Type> {
    let known: Vec<Option<Type>> = operands.iter().map(|&t| Some(t)).collect();
    let rule = def.results[0].rule;
    match (rule.infer(&known), rule) {
        (Some(ty), _) => vec![ty],
        (None, TypeRule::Class(class)) => {
            let all = scalars().into_iter().map(|t| operands.first().map_or(t, |o| o.with_elem(t)));
            all.filter(|&t| (class.contains)(t)).collect()
        }
        _ => vec![],
    }
}

fn valid(body: &Body, op: OpId, def: &OpDef) -> bool {
    def.verify.is_none_or(|verify| verify(body, op).is_ok())
}

#[test]
fn elementwise_rows_agree_with_the_interpreter() {
    let mut symbols = Vec::new();
    let mut cases: Vec<(Name, Vec<Type>)> = Vec::new();
    let mut rows = 0;
    for dialect in caustic_dialects::all() {
        for def in dialect.all_ops() {
            if !matches!(def.eval, Eval::Scalar(_)) || dialect.name == "ad" {
                continue;
            }
            rows += 1;
            let before = cases.len();
            let predicates: Vec<Option<i64>> = match def.attrs.iter().any(|a| a.name == "predicate") {
                true => (0..16).map(Some).collect(),
                false => vec![None],
            };
            for operands in operand_types(def) {
                for result in result_types(def, &operands) {
                    for &predicate in &predicates {
                        let attrs: Vec<(&str, Attr)> =
                            predicate.map(|p| ("predicate", Attr::i64(p))).into_iter().collect();
                        let name = format!("f{}", cases.len());
                        let mut ok = false;
                        let symbol = function(&name, &operands, |b: &mut Builder<'_>, args| {
                            let op = b.create(def, args, &[result], &attrs, 0);
                            ok = valid(b.body, op, def);
                            vec![b.body.result(op, 0)]
                        });
                        if ok {
                            symbols.push(symbol);
                            cases.push((Name::new(&name), operands.clone()));
                        }
                    }
                }
            }
            assert!(cases.len() > before, "{} was never built", def.name);
        }
    }
    assert!(rows > 60, "{rows} rows");
    let module = module(symbols);
    let names: Vec<&str> = cases.iter().map(|(n, _)| n.as_str()).collect();
    let jit = jit(&module, &names);
    let interp = caustic_interp::Interp::new(&module);
    let mut rng = rng(1);
    let mut wrong = Vec::new();
    for (name, operands) in &cases {
        for _ in 0..12 {
            let args: Vec<_> = operands.iter().map(|&t| random(t, &mut rng)).collect();
            let expected = interp.call(name, args.clone()).unwrap();
            let got = jit.call(name, &args).unwrap();
            if !all_same(&expected, &got) {
                let op = module.get(*name).unwrap().body.walk_all()[0];
                let body = &module.get(*name).unwrap().body;
                let predicate = body.attr(op, "predicate");
                let text =
                    format!("{} {predicate:?} {operands:?} -> {}", body.op(op).def.name, body.ty(body.result(op, 0)));
                wrong.push(format!("{text}: {args:?}: interp {expected:?} cranelift {got:?}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
