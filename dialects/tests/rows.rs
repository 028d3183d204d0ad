//! What must hold between the fields of a row: folding agrees with evaluation, results have their
//! types, and documentation, syntax and partials name what exists. Runs over every elementwise row,
//! so a new row is tested by being there.

use caustic_dialects::{agg, arith, math, scf, strong, vector};
use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_lanes, normalize};
use caustic_ir::op::{Access, AdRule, Asm, AttrClass, Effects, Fold, Folded, TypeRule};
use caustic_ir::{Attr, Body, Dialect, Loc, Name, OpDef, OpId, Type, TypeKind, ValueId};

fn dialects() -> [&'static Dialect; 4] {
    [&arith::DIALECT, &math::DIALECT, &vector::DIALECT, &strong::DIALECT]
}

fn all_ops() -> impl Iterator<Item = &'static OpDef> {
    dialects().into_iter().flat_map(|d| d.all_ops())
}

const SCALARS: fn() -> Vec<Type> = || {
    let mut types: Vec<Type> = [1, 8, 32, 64].map(Type::int).to_vec();
    types.extend([Type::index(), Type::f16(), Type::f32(), Type::f64()]);
    types
};

fn values(ty: Type) -> Vec<Val> {
    let raw: Vec<Val> = match ty.kind() {
        TypeKind::Float(_) => {
            [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-5, -7e4, 1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]
                .map(Val::Float)
                .to_vec()
        }
        _ => [0, 1, -1, 2, 3, 7, -5, 8, 31, 33, 127, -128, i32::MIN as i64, i32::MAX as i64, i64::MIN, i64::MAX]
            .map(Val::Int)
            .to_vec(),
    };
    raw.into_iter().map(|v| normalize(v, ty)).collect()
}

fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a == b,
        (Val::Float(a), Val::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Val::Agg(a), Val::Agg(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        _ => false,
    }
}

/// The types of the operands, once the free ones are given.
fn operand_types(def: &OpDef, free: Type) -> Option<Vec<Type>> {
    let mut known: Vec<Option<Type>> = vec![None; def.operands.len()];
    for _ in 0..def.operands.len() {
        for (i, spec) in def.operands.iter().enumerate() {
            if known[i].is_none() {
                known[i] = match spec.rule {
                    TypeRule::Class(class) if (class.contains)(free) => Some(free),
                    // The condition of a select.
                    TypeRule::Class(class) if i == 0 && (class.contains)(Type::i1()) => Some(Type::i1()),
                    TypeRule::Class(_) => None,
                    rule => rule.infer(&known),
                };
            }
        }
    }
    known.into_iter().collect()
}

fn attr_choices(def: &OpDef) -> Vec<Vec<(Name, Attr)>> {
    match def.attrs {
        [] => vec![vec![]],
        [only] if only.name == "predicate" => {
            let count = if def.name == "arith.cmpi" { 10 } else { 16 };
            (0..count).map(|n| vec![(Name::new("predicate"), Attr::i64(n))]).collect()
        }
        _ => vec![],
    }
}

struct Case {
    body: Body,
    op: OpId,
    result: Type,
}

/// The op on block arguments; `alias` makes all operands of one type the same value.
fn build(def: &'static OpDef, types: &[Type], result: Type, attrs: &[(Name, Attr)], alias: bool) -> Case {
    let mut body = Body::new();
    let root = body.root();
    let block = body.add_block(root, types);
    let args = body.args(block).to_vec();
    let operands: Vec<ValueId> = (0..types.len())
        .map(|i| if alias { args[types.iter().position(|t| *t == types[i]).unwrap_or(i)] } else { args[i] })
        .collect();
    let op = body.create_op(def, &operands, &[result], attrs.iter().copied().collect(), 0, Loc::unknown());
    body.insert_op(op, block, None);
    Case { body, op, result }
}

fn result_types(def: &OpDef, operands: &[Type]) -> Vec<Type> {
    match def.infer_results(operands) {
        Some(types) => types,
        None => SCALARS()
            .into_iter()
            .filter(|t| matches!(def.results[0].rule, TypeRule::Class(c) if (c.contains)(*t)))
            .collect(),
    }
}

fn tuples(types: &[Type]) -> Vec<Vec<Val>> {
    let mut out: Vec<Vec<Val>> = vec![vec![]];
    for ty in types {
        out = out
            .into_iter()
            .flat_map(|t| {
                values(*ty).into_iter().map(move |v| {
                    let mut t = t.clone();
                    t.push(v);
                    t
                })
            })
            .collect();
    }
    out
}

fn check_fold(def: &OpDef, case: &Case, args: &[Val], constant: &[bool], expected: &Val) {
    let Fold::With(fold) = def.fold else { return };
    let types: Vec<Type> = case.body.operands(case.op).iter().map(|&v| case.body.ty(v)).collect();
    let constants: Vec<Option<Attr>> =
        args.iter().zip(constant).zip(&types).map(|((v, c), ty)| if *c { v.to_attr(*ty) } else { None }).collect();
    let folded = match fold(&case.body, case.op, &constants) {
        Some(Folded::Operand(n)) => args[n].clone(),
        Some(Folded::Constant(attr)) => Val::from_attr(attr).unwrap(),
        None => return,
    };
    assert!(
        same(&folded, expected),
        "{}: {args:?} (constant: {constant:?}) folds to {folded:?}, evaluates to {expected:?}",
        def.name
    );
}

#[test]
fn folding_agrees_with_evaluation() {
    let mut rows = 0;
    for def in all_ops() {
        let Eval::Scalar(f) = def.eval else { continue };
        rows += 1;
        for free in SCALARS() {
            let Some(types) = operand_types(def, free) else { continue };
            for result in result_types(def, &types) {
                for attrs in attr_choices(def) {
                    let case = build(def, &types, result, &attrs, false);
                    if def.verify.is_some_and(|v| v(&case.body, case.op).is_err()) {
                        continue;
                    }
                    let alias = build(def, &types, result, &attrs, true);
                    let scalar = ScalarTypes { operands: &types, result, attrs: &attrs };
                    for args in tuples(&types) {
                        let value = eval_lanes(f, &args, result, &scalar);
                        assert!(
                            same(&value, &normalize(value.clone(), result)),
                            "{}: {value:?} is no {result}",
                            def.name
                        );
                        assert_eq!(matches!(value, Val::Float(_)), result.is_float(), "{} to {result}", def.name);
                        for mask in 0..1u32 << args.len() {
                            let constant: Vec<bool> = (0..args.len()).map(|i| mask >> i & 1 != 0).collect();
                            check_fold(def, &case, &args, &constant, &value);
                        }
                        let aliased = (0..args.len()).all(|i| {
                            let first = types.iter().position(|t| *t == types[i]).unwrap_or(i);
                            same(&args[first], &args[i])
                        });
                        if aliased {
                            check_fold(def, &alias, &args, &vec![false; args.len()], &value);
                        }
                        if def.commutative {
                            let swapped = eval_lanes(f, &[args[1].clone(), args[0].clone()], case.result, &scalar);
                            assert!(same(&value, &swapped), "{}: {args:?} does not commute", def.name);
                        }
                    }
                }
            }
        }
    }
    assert!(rows > 70, "only {rows} elementwise rows were found");
}

#[test]
fn vectors_are_evaluated_lane_by_lane() {
    let v = |items: &[f64]| Val::agg(items.iter().map(|&x| Val::Float(x)).collect());
    let ty = Type::vector(&[2], Type::f32());
    let Eval::Scalar(add) = arith::AddF::DEF.eval else { panic!() };
    let types = ScalarTypes { operands: &[Type::f32(), Type::f32()], result: Type::f32(), attrs: &[] };
    assert!(same(&eval_lanes(add, &[v(&[1.0, 2.0]), v(&[0.5, 0.25])], ty, &types), &v(&[1.5, 2.25])));
    let Eval::Scalar(select) = arith::Select::DEF.eval else { panic!() };
    let types = ScalarTypes { operands: &[Type::i1(), Type::f32(), Type::f32()], result: Type::f32(), attrs: &[] };
    let (a, b) = (v(&[1.0, 2.0]), v(&[3.0, 4.0]));
    let lanes = Val::agg(vec![Val::Int(0), Val::Int(1)]);
    assert!(same(&eval_lanes(select, &[lanes, a.clone(), b.clone()], ty, &types), &v(&[3.0, 2.0])));
    assert!(same(&eval_lanes(select, &[Val::Int(1), a.clone(), b], ty, &types), &a));
}

/// Folds a `vector` op on constants of these types.
fn fold_vector(def: &'static OpDef, operands: &[(Type, Val)], result: Type, attrs: &[(&str, Attr)]) -> Option<Val> {
    let types: Vec<Type> = operands.iter().map(|(ty, _)| *ty).collect();
    let attrs: Vec<(Name, Attr)> = attrs.iter().map(|(n, a)| (Name::new(n), *a)).collect();
    let case = build(def, &types, result, &attrs, false);
    assert!(def.verify.is_none_or(|v| v(&case.body, case.op).is_ok()), "{} is not valid", def.name);
    let constants: Vec<Option<Attr>> = operands.iter().map(|(ty, v)| v.to_attr(*ty)).collect();
    let Fold::With(fold) = def.fold else { return None };
    match fold(&case.body, case.op, &constants)? {
        Folded::Constant(attr) => Val::from_attr(attr),
        Folded::Operand(n) => Some(operands[n].1.clone()),
    }
}

#[test]
fn vector_ops_fold_on_constants() {
    let ints = |v: &[i64]| Val::agg(v.iter().map(|&i| Val::Int(i)).collect());
    let (i, index) = (Type::i32(), Type::index());
    let (row, matrix) = (Type::vector(&[3], i), Type::vector(&[2, 3], i));
    let m = (matrix, ints(&[1, 2, 3, 4, 5, 6]));
    let at = |steps: &[i64]| [("static_position", Attr::i64_array(steps))];
    let check =
        |found: Option<Val>, wanted: Val| assert!(found.as_ref().is_some_and(|v| same(v, &wanted)), "{found:?}");

    let dynamic = [vector::DYNAMIC, 1];
    let pick = |k| fold_vector(vector::Extract::DEF, &[m.clone(), (index, Val::Int(k))], i, &at(&dynamic));
    check(pick(1), Val::Int(5));
    check(pick(2), Val::Int(0));
    check(pick(-1), Val::Int(0));
    check(fold_vector(vector::Extract::DEF, std::slice::from_ref(&m), row, &at(&[1])), ints(&[4, 5, 6]));
    let put = |k| {
        fold_vector(vector::Insert::DEF, &[(i, Val::Int(9)), m.clone(), (index, Val::Int(k))], matrix, &at(&dynamic))
    };
    check(put(0), ints(&[1, 9, 3, 4, 5, 6]));
    check(put(7), m.1.clone());
    let transposed = Type::vector(&[3, 2], i);
    let swap = [("permutation", Attr::i64_array(&[1, 0]))];
    check(fold_vector(vector::Transpose::DEF, std::slice::from_ref(&m), transposed, &swap), ints(&[1, 4, 2, 5, 3, 6]));
    check(fold_vector(vector::ShapeCast::DEF, &[m], Type::vector(&[6], i), &[]), ints(&[1, 2, 3, 4, 5, 6]));
    check(fold_vector(vector::Broadcast::DEF, &[(i, Val::Int(7))], row, &[]), ints(&[7, 7, 7]));
    let elements = [(i, Val::Int(3)), (i, Val::Int(4)), (i, Val::Int(5))];
    check(fold_vector(vector::FromElements::DEF, &elements, row, &[]), ints(&[3, 4, 5]));
    let reduce = |kind: &str, ty: Type, v: &[i64]| {
        let ty = Type::vector(&[v.len() as u32], ty);
        fold_vector(vector::Reduction::DEF, &[(ty, ints(v))], ty.elem(), &[("kind", vector::kind_attr(kind))])
    };
    check(reduce("add", Type::int(8), &[100, 27, 1]), Val::Int(-128));
    check(reduce("maxui", i, &[3, -1, 5]), Val::Int(-1));
    check(reduce("maxsi", i, &[3, -1, 5]), Val::Int(5));
    check(reduce("and", Type::i1(), &[1, 1, 0]), Val::Int(0));
    check(reduce("or", Type::i1(), &[0, 1, 0]), Val::Int(1));
}

/// Words of a partial that are not numbers.
fn words(expr: &str) -> Vec<&str> {
    expr.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
        .filter(|w| w.starts_with(|c: char| c.is_alphabetic()))
        .collect()
}

#[test]
fn partials_name_what_exists() {
    for def in all_ops() {
        let AdRule::Partials(partials) = def.ad else { continue };
        assert_eq!(partials.len(), def.operands.len(), "{}", def.name);
        for expr in partials {
            for word in words(expr) {
                let known = word == "result"
                    || matches!(word, "select" | "singular" | "strong" | "gated" | "gate")
                    || def.operands.iter().any(|o| o.name == word)
                    || all_ops().any(|op| op.name.split_once('.').is_some_and(|(_, short)| short == word));
                assert!(known, "{}: `{word}` in `{expr}`", def.name);
            }
        }
    }
}

#[test]
fn rows_are_documented_and_formats_name_their_parts() {
    let mut seen = std::collections::HashSet::new();
    for dialect in dialects() {
        for def in dialect.all_ops() {
            assert_eq!(def.dialect(), dialect.name);
            assert!(seen.insert(def.name), "{} is declared twice", def.name);
            assert!(def.doc.contains(def.name) || def.doc.contains("Derivative") || def.doc.len() > 20, "{}", def.name);
            assert!(def.doc.contains(&format!("= {} ", def.name)), "{}: no example in the documentation", def.name);
            let Asm::Format(format) = def.asm else { continue };
            for word in format.split('$').skip(1) {
                let name = word.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
                let known = def.operands.iter().chain(def.results).any(|o| o.name == name)
                    || def.attrs.iter().any(|a| a.name == name);
                assert!(known, "{}: `${name}` in its format", def.name);
            }
        }
    }
}

#[test]
fn halves_are_rounded_once() {
    // Through f32 this would be rounded down to a tie, and then to even.
    let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
    assert_eq!(Attr::float(value, Type::f16()).as_float(), Some(1.0 + 2f64.powi(-10)));
    assert_eq!(Attr::float(1.0 + 2f64.powi(-11), Type::f16()).as_float(), Some(1.0));
    assert_eq!(Attr::float(-1e-300, Type::f16()).as_float().map(f64::to_bits), Some((-0.0f64).to_bits()));
    assert_eq!(Attr::float(1e300, Type::f16()).as_float(), Some(f64::INFINITY));
    assert_eq!(Attr::float(65519.0, Type::f16()).as_float(), Some(65504.0));
}

#[test]
fn each_row_knows_its_place_in_its_list() {
    for dialect in caustic_dialects::all() {
        for list in dialect.ops {
            for (place, row) in list.iter().enumerate() {
                assert_eq!(row.index, place, "{}", row.name);
                assert!(std::ptr::eq(row.list, list[0].list), "{} in {}", row.name, row.list.0);
            }
        }
    }
    let lists: Vec<_> = caustic_dialects::all().iter().flat_map(|d| d.ops).map(|list| list[0].list).collect();
    for (n, a) in lists.iter().enumerate() {
        assert!(lists[..n].iter().all(|b| !std::ptr::eq(*a, *b)), "two lists are told apart: {}", a.0);
    }
}

#[test]
fn a_view_is_that_of_the_op() {
    let mut body = Body::new();
    let no_op = |def| body.create_op(def, &[], &[], Default::default(), 0, Loc::unknown());
    let [for_, yield_, return_] = [scf::For::DEF, scf::Yield::DEF, caustic_dialects::func::Return::DEF].map(no_op);
    assert_eq!(scf::ScfView::of(&body, for_), Some(scf::ScfView::For(scf::For(for_))));
    assert_eq!(scf::ScfView::of(&body, yield_), Some(scf::ScfView::Yield(scf::Yield(yield_))));
    assert_eq!(scf::ScfView::of(&body, return_), None);
}

/// The rows of every dialect.
fn all_rows() -> impl Iterator<Item = &'static OpDef> {
    caustic_dialects::all().iter().flat_map(|d| d.all_ops())
}

#[test]
fn an_op_that_takes_a_slot_or_a_buffer_says_what_it_does_with_it() {
    let is_memory = |rule: TypeRule| match rule {
        TypeRule::Class(class) => std::ptr::eq(class, &agg::SLOT) || std::ptr::eq(class, &agg::BUFFER),
        _ => false,
    };
    // The ops of `hl` make references, of which nobody asks where they lead.
    for def in all_rows().filter(|def| def.dialect() != "hl") {
        for (n, spec) in def.operands.iter().enumerate().filter(|(_, spec)| is_memory(spec.rule)) {
            assert!(def.memory.iter().any(|m| m.operand == n), "{}: nothing is said of `{}`", def.name, spec.name);
        }
    }
}

#[test]
fn what_an_op_does_with_memory_is_what_its_effects_allow() {
    for def in all_rows().filter(|def| !def.memory.is_empty()) {
        let does = |access: Access| def.memory.iter().any(|m| m.access == access);
        let writes = does(Access::Writes) || does(Access::Updates);
        match def.effects {
            Effects::Pure => assert!(!writes && !does(Access::Reads), "{}: pure, and not pure", def.name),
            Effects::Reads => assert!(!writes && does(Access::Reads), "{}: only reads", def.name),
            // Asking for an element that is written later stays in order as well.
            Effects::Writes => assert!(writes || does(Access::Asks), "{}: writes what?", def.name),
            other => panic!("{}: {other:?} and memory", def.name),
        }
    }
}

#[test]
fn paths_in_memory_are_arrays_of_numbers_and_elements_are_indices() {
    for def in all_rows() {
        for entry in def.memory {
            let class = |name: &str| def.attrs.iter().find(|a| a.name == name).map(|a| (a.class, a.required));
            if let Some(path) = entry.path {
                assert_eq!(class(path), Some((AttrClass::IntArray, true)), "{}: `{path}`", def.name);
                assert!(def.operands.last().is_some_and(|o| o.variadic), "{}: no indices", def.name);
            }
            assert!(entry.element.is_none_or(|n| n == entry.operand + 1), "{}: the index comes next", def.name);
        }
    }
}

#[test]
fn a_call_names_what_it_calls() {
    for def in all_rows().filter(|def| def.effects == Effects::Call) {
        assert!(def.attrs.iter().any(|a| a.name == "callee"), "{}: no `callee`", def.name);
    }
}
