//! The law of every pass: the same results.

use crate::generate::{Choices, arguments, module};
use crate::{optimized, print};
use caustic_interp::{Interp, Limits};
use caustic_ir::Module;
use caustic_ir::eval::Val;
use proptest::prelude::*;

fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Int(a), Val::Int(b)) => a == b,
        (Val::Float(a), Val::Float(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
        (Val::Agg(a), Val::Agg(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b)),
        _ => false,
    }
}

fn run(module: &Module, args: &[Val]) -> Result<Vec<Val>, String> {
    let limits = Limits { steps: 1 << 22, ..Limits::default() };
    Interp::with_limits(module, limits).call("main", args.to_vec()).map_err(|t| t.message)
}

fn check(code: &[u8], inputs: &[u8], pipelines: &[&str]) -> Result<(), TestCaseError> {
    let module = module(&mut Choices::new(code));
    let found = caustic_ir::verify::verify_module(&module);
    prop_assert!(found.is_empty(), "the generator made {found:?}\n{}", print(&module));
    let mut inputs = Choices::new(inputs);
    let calls: Vec<Vec<Val>> = (0..4).map(|_| arguments(&mut inputs, &module)).collect();
    for pipeline in pipelines {
        let after = optimized(module.clone(), pipeline);
        for args in &calls {
            let (x, y) = (run(&module, args), run(&after, args));
            let equal = match (&x, &y) {
                (Ok(x), Ok(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y)),
                (x, y) => x.is_err() && y.is_err(),
            };
            prop_assert!(
                equal,
                "{pipeline}: {args:?}\ngives {x:?}\nthen  {y:?}\nbefore:\n{}\nafter:\n{}",
                print(&module),
                print(&after)
            );
        }
    }
    Ok(())
}

fn cases() -> u32 {
    std::env::var("OPTIMIZE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn passes_keep_results(
        code in proptest::collection::vec(any::<u8>(), 20..400),
        inputs in proptest::collection::vec(any::<u8>(), 60..200),
    ) {
        check(&code, &inputs, &["any(canonicalize)", "any(cse)", "any(dce)", "any(licm)", "inline", "any(egraph)", "any(egraph{costs=gpu})"])?;
    }

    #[test]
    fn pipelines_keep_results(
        code in proptest::collection::vec(any::<u8>(), 20..400),
        inputs in proptest::collection::vec(any::<u8>(), 60..200),
    ) {
        let optimize = caustic_passes::pipelines::OPTIMIZE.text;
        check(&code, &inputs, &["any(canonicalize,cse,dce)", "any(cse,dce,canonicalize,canonicalize,cse,dce)", "any(egraph,canonicalize,cse,dce)", optimize])?;
    }
}
