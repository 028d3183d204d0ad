//! The pass `egraph` with rows of another crate.

use caustic_ir::Registry;
use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_passes::manager::{PassDef, RunOptions, parse_pipeline, run_pipeline};
use caustic_passes::rows::rows;

rows! {
    static CUBE: [ "cube" Fast EGraph (powf x 3) = (mulf x (mulf x x)) within 4 ulp; ]
}
rows! {
    static MISTAKEN: [ "mistaken" Exact EGraph (no_op x) = x; ]
}
rows! {
    static TWICE: [ "cube" Exact EGraph (addf x y) = (addf y x); ]
}
rows! {
    static KNOWN: [ "quotient-as-product" Exact EGraph (addf x y) = (addf y x); ]
}
caustic_passes::egraph_with! { static WITH_CUBE: "egraph" = [CUBE] }
caustic_passes::egraph_with! { static WITH_MISTAKE: "egraph" = [CUBE, MISTAKEN] }
caustic_passes::egraph_with! { static WITH_TWO: "egraph" = [CUBE, TWICE] }
caustic_passes::egraph_with! { static WITH_KNOWN: "egraph" = [KNOWN] }

const TEXT: &str = "func.func @f(%x: f32) -> f32 {
  %c = arith.constant 3.0 : f32
  %p = math.powf %x, %c : f32
  return %p : f32
}";

fn run(pass: &'static PassDef, options: &str) -> Result<String, String> {
    let mut passes = caustic_passes::registry();
    passes.add(pass);
    let mut module = parse_module(TEXT, "own.mlir", &Registry::new(caustic_dialects::all())).expect("valid text");
    let pipeline = parse_pipeline(&format!("any(egraph{{{options}}})"), &passes).expect("a valid pipeline");
    let outcome = run_pipeline(&mut module, &pipeline, &RunOptions::default(), &mut ());
    match outcome.ok {
        true => Ok(print_module(&module, &PrintOptions::default())),
        false => Err(outcome.diagnostics.into_iter().map(|d| d.message).collect()),
    }
}

#[test]
fn rows_of_another_crate_are_used_as_others_are() {
    let is_cube = |options| run(&WITH_CUBE, options).is_ok_and(|text| text.matches("arith.mulf").count() == 2);
    assert!(is_cube("class=fast"));
    assert!(is_cube("class=fast only=cube"));
    assert!(is_cube("class=fast ulps=4"));
    assert!(!is_cube("class=fast without=cube"));
    assert!(!is_cube("class=fast ulps=3"));
    assert!(!is_cube("class=exact"));
}

#[test]
fn wrong_rows_are_refused() {
    let why = |pass| run(pass, "class=fast").err().unwrap_or_default();
    assert_eq!(why(&WITH_MISTAKE), "egraph: the row `mistaken` is wrong: there is no op `no_op`");
    assert_eq!(why(&WITH_TWO), "egraph: two rows are called `cube`");
    assert_eq!(why(&WITH_KNOWN), "egraph: two rows are called `quotient-as-product`");
}
