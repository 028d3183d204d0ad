//! The option `ulps` of the pass `egraph`: where intermediate results are normal and nothing
//! cancels, what is computed otherwise is off by that many units in the last place more than what
//! roundings of the program itself may do.

use caustic_interp::Interp;
use caustic_ir::Registry;
use caustic_ir::eval::Val;
use caustic_ir::text::parse_module;
use caustic_passes::manager::parse_pipeline;
use caustic_passes::manager::{RunOptions, run_pipeline};
use std::fmt::Write;

struct Random(u64);
impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
    /// A number from 0.5 to 2.
    fn number(&mut self) -> f64 {
        f64::from((0.5 + 1.5 * self.below(1 << 30) as f64 / f64::from(1 << 30)) as f32)
    }
}

const VARIABLES: u64 = 5;

/// A function of positive numbers: products, quotients and sums, in which each intermediate result
/// is read once.
fn drawn(seed: u64) -> String {
    let mut r = Random(seed);
    let params: Vec<String> = (0..VARIABLES).map(|n| format!("%x{n}: f32")).collect();
    let mut text = format!("func.func @f({}) -> f32 {{\n", params.join(", "));
    let mut free: Vec<String> = (0..6 + r.below(4)).map(|_| format!("%x{}", r.below(VARIABLES))).collect();
    let mut next = 0;
    while free.len() > 1 {
        let (a, b) = (r.below(free.len() as u64) as usize, r.below(free.len() as u64 - 1) as usize);
        let (a, b) = (free.swap_remove(a), free.swap_remove(b));
        let op = ["arith.mulf", "arith.mulf", "arith.divf", "arith.addf"][r.below(4) as usize];
        let _ = writeln!(text, "  %v{next} = {op} {a}, {b} : f32");
        free.push(format!("%v{next}"));
        next += 1;
    }
    text + &format!("  return {} : f32\n}}\n", free[0])
}

/// What the function gives at some points, after a pipeline, and how much it costs less.
fn results(text: &str, pipeline: &str, points: &[Vec<f64>]) -> (Vec<f64>, u64) {
    let mut module = parse_module(text, "drawn.mlir", &Registry::new(caustic_dialects::all())).expect("valid text");
    let pipeline = parse_pipeline(pipeline, &caustic_passes::registry()).expect("a valid pipeline");
    let outcome = run_pipeline(&mut module, &pipeline, &RunOptions::default(), &mut ());
    assert!(outcome.ok, "{:?}", outcome.diagnostics);
    let of = |name: &str| outcome.statistics.iter().filter(|s| s.1 == name).map(|s| s.2).sum::<u64>();
    let interp = Interp::new(&module);
    let at = |x: &Vec<f64>| {
        let args = x.iter().map(|&x| Val::Float(x)).collect();
        interp.call("f", args).map(|v| v[0].as_float()).unwrap_or(f64::NAN)
    };
    (points.iter().map(at).collect(), of("cost-before") - of("cost-after"))
}

#[test]
fn what_is_rewritten_stays_within_the_bound() {
    let mut gained = [0u64; 5];
    for seed in 0..150 {
        let text = drawn(seed);
        let mut r = Random(seed + 1000);
        let points: Vec<Vec<f64>> = (0..40).map(|_| (0..VARIABLES).map(|_| r.number()).collect()).collect();
        let (exact, _) = results(&text, "any(canonicalize)", &points);
        let (real, _) = results(&text.replace("f32", "f64"), "any(canonicalize)", &points);
        // Each op rounds by half a unit at most.
        let roundings = 0.5 * text.matches("arith.").count() as f64;
        let mut before = 0;
        for (way, most) in [0u32, 1, 2, 4, 12].into_iter().enumerate() {
            let pipeline = format!("any(egraph{{class=fast costs=gpu-fast ulps={most}}})");
            let (got, gain) = results(&text, &pipeline, &points);
            assert!(most > 0 || got == exact, "bits change without a bound:\n{text}");
            for ((x, got), real) in points.iter().zip(&got).zip(&real) {
                // A unit is 2^-23 of a power of two, and so at most of the number.
                let off = (got - real).abs() / (real * 2f64.powi(-23));
                assert!(off <= (f64::from(most) + roundings) * 1.0001, "{off} units at {x:?}, {most} allowed:\n{text}");
            }
            assert!(way == 0 || gain >= before || most < 12, "less is gained within {most} units:\n{text}");
            before = gain;
            gained[way] += gain;
        }
    }
    assert!(gained.windows(2).all(|g| g[0] < g[1]), "more is found where more may change: {gained:?}");
}
