//! `lower-storage` keeps what a program computes, and compiled code computes it too.

mod common;

use caustic_dialects::agg::{self, SlotCell, StorageParams, slot_cell};
use caustic_interp::Interp;
use caustic_ir::eval::Val;
use caustic_ir::{Module, Name, Type};
use caustic_passes::lower::storage;
use common::programs::program;
use common::*;
use proptest::prelude::*;

fn lowered(module: &Module) -> Module {
    let mut module = module.clone();
    for symbol in module.symbols_mut() {
        storage::lower(symbol).unwrap_or_else(|d| panic!("{d}"));
    }
    module
}

/// Calls a lowered function as the one it was made from, in the interpreter.
fn call_lowered(module: &Module, name: &str, args: &[Val]) -> Vec<Val> {
    let symbol = module.get(Name::new(name)).unwrap();
    let Some(params) = StorageParams::of(symbol) else {
        return Interp::new(module).call(name, args.to_vec()).unwrap_or_else(|t| panic!("lowered: {t:?}"));
    };
    let (inputs, outputs) = symbol.function_type().unwrap();
    let values: Vec<Val> = inputs
        .iter()
        .enumerate()
        .map(|(i, &ty)| match agg::as_slot(ty) {
            Some(_) => SlotCell::handle(args.get(i).cloned()),
            None => args[i].clone(),
        })
        .collect();
    let mut plain =
        Interp::new(module).call(name, values.clone()).unwrap_or_else(|t| panic!("lowered: {t:?}")).into_iter();
    let count = outputs.len() + params.results.iter().flatten().count();
    (0..count)
        .map(|k| match params.results.iter().position(|r| *r == Some(k)) {
            Some(i) => slot_cell(&values[i]).unwrap().get().expect("a result was written"),
            None => plain.next().unwrap(),
        })
        .collect()
}

fn inputs(module: &Module) -> Vec<Type> {
    module.get(Name::new("main")).unwrap().function_type().unwrap().0.to_vec()
}

/// Interpreted before and after lowering, and compiled: all the same.
fn check(bytes: &[u8], seed: u64) {
    let module = program(bytes);
    let args: Vec<Val> = inputs(&module).into_iter().map(|ty| random(ty, &mut rng(seed))).collect();
    let expected = Interp::new(&module).call("main", args.clone()).unwrap_or_else(|t| panic!("{t:?}"));
    let after = lowered(&module);
    let text = || format!("{}\n=== lowered ===\n{}", print(&module), print(&after));
    let got = call_lowered(&after, "main", &args);
    assert!(all_same(&expected, &got), "lowering: {expected:?} became {got:?} for {args:?}\n{}", text());
    let jit = jit(&after, &["main"]);
    let got = jit.call("main", &args).unwrap_or_else(|t| panic!("cranelift: {t:?}"));
    assert!(all_same(&expected, &got), "compiling: {expected:?} became {got:?} for {args:?}\n{}", text());
}

fn print(module: &Module) -> String {
    caustic_ir::text::print_module(module, &Default::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_programs_keep_their_meaning(bytes in prop::collection::vec(any::<u8>(), 0..400), seed: u64) {
        check(&bytes, seed);
    }
}
