//! Every rewrite of the canonicalizer has a function in `rewrites.mlir` where it applies; the
//! results stay there.

use crate::generate::{Choices, argument};
use crate::{parse, print};
use caustic_dialects::ad;
use caustic_dialects::arith::Constant;
use caustic_interp::Interp;
use caustic_ir::eval::Val;
use caustic_ir::{Module, Type};
use caustic_passes::optimize::canonicalize::{Fuel, run_traced};
use caustic_passes::optimize::rules;
use caustic_passes::rows::Class;
use std::collections::HashMap;

/// Arguments without infinities and NaNs, for which linear rewrites are exact too.
fn finite(c: &mut Choices<'_>, ty: Type) -> Val {
    fn clean(v: &mut Val) {
        match v {
            Val::Float(x) if !x.is_finite() || *x == 0.0 => *x = 2.5,
            Val::Agg(parts) => std::sync::Arc::make_mut(parts).iter_mut().for_each(clean),
            _ => {}
        }
    }
    let mut value = argument(c, ad::lower_pairs(ty));
    clean(&mut value);
    value
}

/// Linear rewrites may change the sign of a zero.
fn results(module: &Module, name: &str, args: &[Val], class: Class) -> String {
    fn plain(v: &mut Val) {
        match v {
            Val::Float(x) => *x += 0.0,
            Val::Agg(parts) => std::sync::Arc::make_mut(parts).iter_mut().for_each(plain),
            _ => {}
        }
    }
    let mut found = Interp::new(module).call(name, args.to_vec());
    if let (Ok(values), Class::Linear) = (&mut found, class) {
        values.iter_mut().for_each(plain);
    }
    format!("{found:?}")
}

#[test]
fn every_rewrite_applies_in_its_function_and_keeps_the_results() {
    let module = parse(include_str!("rewrites.mlir"));
    let found = caustic_ir::verify::verify_module(&module);
    assert!(found.is_empty(), "{found:?}");
    let classes: HashMap<&str, Class> = rules::all().iter().map(|r| (r.name(), r.class())).collect();
    let mut seen = Vec::new();
    for symbol in module.symbols() {
        let name = symbol.name.as_str();
        let class = *classes.get(name).unwrap_or_else(|| panic!("no rewrite is called {name}"));
        let mut after = Module::new();
        after.put(symbol.clone());
        let mut applied = Vec::new();
        if let Some(symbol) = after.get_mut(symbol.name) {
            let done = run_traced(symbol, Fuel::default(), &mut |rewrite| applied.push(rewrite));
            assert!(done.is_ok(), "{name}: {done:?}");
        }
        assert!(applied.contains(&name), "{name} does not apply:\n{}", print(&after));
        let found = caustic_ir::verify::verify_module(&after);
        assert!(found.is_empty(), "{name}: {found:?}\n{}", print(&after));
        let inputs = symbol.function_type().map_or(&[][..], |(i, _)| i);
        for seed in 0u32..40 {
            let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
            let bytes: Vec<u8> = std::iter::repeat_with(|| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) as u8
            })
            .take(80)
            .collect();
            let mut c = Choices::new(&bytes);
            let args: Vec<Val> = inputs
                .iter()
                .map(
                    |&ty| {
                        if class == Class::Exact { argument(&mut c, ad::lower_pairs(ty)) } else { finite(&mut c, ty) }
                    },
                )
                .collect();
            let (x, y) = (results(&module, name, &args, class), results(&after, name, &args, class));
            assert_eq!(x, y, "{name} {args:?}\n{}", print(&after));
        }
        seen.push(name);
    }
    let missing: Vec<&str> =
        rules::tables().flat_map(|t| t.rewrites).map(|r| r.name).filter(|n| !seen.contains(n)).collect();
    assert!(missing.is_empty(), "rewrites without a function in rewrites.mlir: {missing:?}");
}

/// `folds.mlir` has a function for each row that folds.
#[test]
fn every_fold_applies_in_its_function_and_keeps_the_results() {
    let module = parse(include_str!("folds.mlir"));
    let found = caustic_ir::verify::verify_module(&module);
    assert!(found.is_empty(), "{found:?}");
    for symbol in module.symbols() {
        let name = symbol.name.as_str();
        let mut after = Module::new();
        after.put(symbol.clone());
        let mut left = true;
        if let Some(symbol) = after.get_mut(symbol.name) {
            let done = run_traced(symbol, Fuel::default(), &mut |_| {});
            assert!(done.is_ok(), "{name}: {done:?}");
            left = symbol.body.all_ops().any(|op| symbol.body.op(op).def.name == name);
        }
        assert!(!left, "{name} does not fold:\n{}", print(&after));
        let inputs = symbol.function_type().map_or(&[][..], |(i, _)| i);
        for seed in 1..9u8 {
            let bytes = [seed; 8];
            let mut c = Choices::new(&bytes);
            let args: Vec<Val> = inputs.iter().map(|&ty| finite(&mut c, ty)).collect();
            let [x, y] = [&module, &after].map(|m| results(m, name, &args, Class::Exact));
            assert_eq!(x, y, "{name} {args:?}\n{}", print(&after));
        }
    }
    let ops = caustic_dialects::all().iter().flat_map(|d| d.all_ops());
    // A constant is what others fold to.
    let folds =
        ops.filter(|def| matches!(def.fold, caustic_ir::op::Fold::With(_)) && !std::ptr::eq(*def, Constant::DEF));
    let missing: Vec<&str> = folds.map(|def| def.name).filter(|n| !module.contains(caustic_ir::Name::new(n))).collect();
    assert!(missing.is_empty(), "ops that fold without a function in folds.mlir: {missing:?}");
}

#[test]
fn names_are_unique_and_documented() {
    let mut names: Vec<&str> = rules::all().iter().map(|r| r.name()).collect();
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for rewrite in rules::tables().flat_map(|t| t.rewrites) {
        assert!(rewrite.doc.contains("=>"), "{}: the documentation has no arrow", rewrite.name);
    }
}
