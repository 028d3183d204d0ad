//! The conditions that every module must satisfy: it is valid, its text is read back as the same
//! module, every pass leaves it valid and keeps its results to the last bit, and back ends agree.
//! For smooth modules also: both modes of differentiation agree with each other and with finite
//! differences.

use super::Case;
use super::generate::{INPUTS, MEMORY, OUTPUTS};
use crate::oracle::points::{DIFFERENCE_TOLERANCE, DOT_TOLERANCE, OFFSETS, STEEP, STEP, close, difference};
use crate::oracle::run::{Ready, apply, bytes, compiled, interp, passes, pipeline, reals};
use crate::oracle::{Failure, PANICS};
use caustic_ir::equal::first_difference;
use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_ir::verify::verify_module;
use caustic_ir::{Diagnostic, Module, Registry};
use caustic_passes::manager::Pipeline;
use caustic_passes::pipelines::{self, Standard};
use caustic_test_suite::random::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of threads that run a wild module, each with other numbers.
const THREADS: usize = 6;
/// The number of points at which derivatives are checked.
const POINTS: usize = 2;

/// Passes that keep the results in any order.
const FREE: [&str; 9] = [
    "any(canonicalize)",
    "any(cse)",
    "any(dce)",
    "any(licm)",
    "any(sink)",
    "any(uplift-while-to-for)",
    "any(unroll)",
    "inline",
    "symbol-dce",
];

#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub passes: u64,
    pub differences: u64,
}

/// The numbers that a module writes; float results come first.
#[derive(Clone, Debug, PartialEq)]
struct Written {
    reals: Vec<f64>,
    /// The bytes of the integers in memory.
    ints: Vec<u8>,
    memory: Vec<f64>,
}

/// The contents of the buffers that are read.
struct Input {
    reals: Vec<f64>,
    ints: Vec<i64>,
    threads: usize,
}

fn fail(oracle: &'static str) -> impl Fn(String) -> Failure {
    move |detail| Failure { oracle, detail }
}

fn listed(found: &[Diagnostic]) -> String {
    found.iter().take(4).map(|d| format!("{d}\n")).collect()
}

/// Checks everything about a module.
pub fn check(case: &Case) -> Result<Seen, Failure> {
    catch_unwind(AssertUnwindSafe(|| checked(case))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
        Err(Failure { oracle: PANICS, detail: said.unwrap_or_default() })
    })
}

fn checked(case: &Case) -> Result<Seen, Failure> {
    let registry = Registry::new(caustic_dialects::all());
    let module =
        parse_module(&case.text, "module.mlir", &registry).map_err(|d| fail("the parser takes it")(listed(&d)))?;
    let found = verify_module(&module);
    if !found.is_empty() {
        return Err(fail("it is valid")(listed(&found)));
    }
    let mut rng = Rng::new(case.seed ^ 0x0dd5);
    text(&module, &registry, &mut rng).map_err(fail("the text is read back"))?;
    let mut seen = Seen::default();
    if case.smooth {
        smooth(&module, &mut rng, &mut seen)?;
    } else {
        wild(&module, &mut rng, &mut seen)?;
    }
    Ok(seen)
}

fn text(module: &Module, registry: &Registry, rng: &mut Rng) -> Result<(), String> {
    let form = PrintOptions { generic: rng.one_in(2), locations: rng.one_in(2), aliases: rng.one_in(2) };
    let text = print_module(module, &form);
    let again = parse_module(&text, "again.mlir", registry).map_err(|d| format!("{form:?}: {}", listed(&d)))?;
    if let Some(difference) = first_difference(module, &again, form.locations) {
        return Err(format!("{form:?}: {difference}"));
    }
    if print_module(&again, &form) != text {
        return Err(format!("{form:?}: the second text is another one"));
    }
    Ok(())
}

/// All kinds of numbers for the threads.
fn wild_input(rng: &mut Rng) -> Input {
    const REALS: [f64; 12] =
        [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 65519.9, 4294967296.5];
    const INTS: [i64; 10] = [0, -1, 1, i64::MIN, i64::MAX, i32::MIN as i64, i32::MAX as i64, 255, 33, 1 << 40];
    let count = THREADS * INPUTS;
    let reals = (0..count).map(|_| if rng.one_in(3) { REALS[rng.below(12)] } else { rng.float(-4.0, 4.0) }).collect();
    let ints = (0..count).map(|_| if rng.one_in(3) { INTS[rng.below(10)] } else { rng.below(9) as i64 - 2 }).collect();
    Input { reals, ints, threads: THREADS }
}

fn dispatch(ready: &Ready<'_>, input: &Input) -> Result<Written, String> {
    let ints: Vec<u8> = input.ints.iter().flat_map(|v| v.to_le_bytes()).collect();
    let memory: Vec<f64> = (0..input.threads * MEMORY).map(|i| i as f64 * 0.5).collect();
    let empty = vec![0; input.threads * OUTPUTS * 8];
    let contents = [
        ("data", bytes(&input.reals, false)),
        ("ints", ints),
        ("memory", bytes(&memory, false)),
        ("out", empty.clone()),
        ("outi", empty),
    ];
    let mut got = ready.dispatch(input.threads, &contents, &["out", "outi", "memory"])?.into_iter();
    let mut next = || got.next().unwrap_or_default();
    let (reals_bytes, ints) = (next(), next());
    Ok(Written { reals: reals(&reals_bytes, false), ints, memory: reals(&next(), false) })
}

/// The first difference between two runs. All NaNs are equal.
fn differs(got: &Written, want: &Written) -> Option<String> {
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    let lists = [("real", &got.reals, &want.reals), ("element of memory", &got.memory, &want.memory)];
    for (what, got, want) in lists {
        if let Some(k) = got.iter().zip(want).position(|(a, b)| !same(*a, *b)) {
            return Some(format!("{what} {k} is {:?}, not {:?}", got[k], want[k]));
        }
    }
    let at = got.ints.chunks(8).zip(want.ints.chunks(8)).position(|(a, b)| a != b)?;
    let number = |b: &[u8]| b[at * 8..at * 8 + 8].try_into().map(i64::from_le_bytes).unwrap_or_default();
    Some(format!("integer {at} is {}, not {}", number(&got.ints), number(&want.ints)))
}

const MEANING: &str = "passes keep meaning";
const VALID: &str = "passes leave it valid";
const BACKENDS: &str = "back ends agree on IR";
const EVALUATES: &str = "the interpreter runs it";

fn judge(module: &Module, input: &Input, oracle: &'static str) -> Result<Written, Failure> {
    interp(module, "main").and_then(|k| dispatch(&k, input)).map_err(fail(oracle))
}

/// Applies the passes one by one, and compares after each.
fn each(
    module: &mut Module,
    list: &[(String, Pipeline)],
    want: &Written,
    input: &Input,
    seen: &mut Seen,
    same: fn(&Written, &Written) -> Option<String>,
) -> Result<(), Failure> {
    for (name, pass) in list {
        apply(module, pass).map_err(|e| fail(VALID)(format!("after {name}: {e}")))?;
        let got = interp(module, "main").and_then(|k| dispatch(&k, input));
        let got = got.map_err(|e| fail(MEANING)(format!("after {name}: {e}")))?;
        seen.passes += 1;
        if let Some(why) = same(&got, want) {
            return Err(fail(MEANING)(format!("after {name}: {why}")));
        }
    }
    Ok(())
}

fn standard(which: &[Standard]) -> Result<Vec<(String, Pipeline)>, Failure> {
    let lists: Result<Vec<_>, String> = which.iter().map(|s| passes(*s)).collect();
    Ok(lists.map_err(fail(VALID))?.concat())
}

/// Passes in an order that depends on the seed.
fn random_passes(rng: &mut Rng) -> Result<Vec<(String, Pipeline)>, Failure> {
    let chosen = (0..2 + rng.below(5)).map(|_| FREE[rng.below(FREE.len())]);
    chosen.map(|name| Ok((name.to_string(), pipeline(name).map_err(fail(VALID))?))).collect()
}

fn wild(module: &Module, rng: &mut Rng, seen: &mut Seen) -> Result<(), Failure> {
    let input = wild_input(rng);
    let want = judge(module, &input, EVALUATES)?;
    let mut straight = module.clone();
    each(
        &mut straight,
        &standard(&[pipelines::OPTIMIZE, pipelines::STORAGE, pipelines::INSTANCES])?,
        &want,
        &input,
        seen,
        differs,
    )?;
    let mut legal = module.clone();
    let mut list = standard(&[pipelines::OPTIMIZE, pipelines::STORAGE, pipelines::LEGALIZE_SPIRV])?;
    // Its functions round otherwise.
    list.retain(|(name, _)| !name.contains("legalize-functions"));
    each(&mut legal, &list, &want, &input, seen, differs)?;
    let mut random = module.clone();
    each(&mut random, &random_passes(rng)?, &want, &input, seen, differs)?;
    for (what, module) in [("as it stands", module), ("after passes", &random)] {
        let got = compiled(module, "main").and_then(|k| dispatch(&k, &input));
        let got = got.map_err(|e| fail(BACKENDS)(format!("{what}: {e}")))?;
        if let Some(why) = differs(&got, &want) {
            return Err(fail(BACKENDS)(format!("{what}: {why}")));
        }
    }
    Ok(())
}

/// Like [`differs`], with a tolerance: derivatives are summed in different orders, and mathematical
/// functions are not the same to the last bit everywhere.
fn nearly(got: &Written, want: &Written) -> Option<String> {
    let steep = want.reals.iter().filter(|v| v.is_finite()).fold(1f64, |m, v| m.max(v.abs()));
    let at = got.reals.iter().zip(&want.reals).position(|(a, b)| !close(*a, *b, 1e-9 * steep))?;
    Some(format!("real {at} is {}, not {}", got.reals[at], want.reals[at]))
}

/// The indices of a thread's numbers in the smooth kernel's output.
const VALUE: usize = 0;
const ALONG: usize = 2;
const GRADIENT: usize = 3;

fn smooth(module: &Module, rng: &mut Rng, seen: &mut Seen) -> Result<(), Failure> {
    let mut input = Input { reals: Vec::new(), ints: Vec::new(), threads: POINTS * OFFSETS.len() };
    for _ in 0..POINTS {
        let x: Vec<f64> = (0..3).map(|_| rng.float(-1.5, 1.5)).collect();
        let v: Vec<f64> = (0..3).map(|_| rng.float(-1.0, 1.0)).collect();
        let n = rng.below(8) as i64;
        for offset in OFFSETS {
            input.reals.extend(x.iter().zip(&v).map(|(x, v)| x + offset * STEP * v));
            input.reals.extend(&v);
            input.ints.extend([n, 0, 0, 0]);
        }
    }
    let mut tidied = module.clone();
    let before: Vec<_> = random_passes(rng)?.into_iter().filter(|(name, _)| !name.contains("inline")).collect();
    for (name, pass) in &before {
        apply(&mut tidied, pass).map_err(|e| fail(VALID)(format!("after {name}: {e}")))?;
    }
    let mut made = module.clone();
    for (name, pass) in standard(&[pipelines::DIFFERENTIATE])? {
        apply(&mut made, &pass).map_err(|e| fail("derivatives are made")(format!("{name}: {e}")))?;
        apply(&mut tidied, &pass).map_err(|e| fail("derivatives are made")(format!("{name}, after passes: {e}")))?;
    }
    let want = judge(&made, &input, EVALUATES)?;
    derivatives(&input, &want, seen)?;
    let list = standard(&[pipelines::OPTIMIZE, pipelines::STORAGE, pipelines::INSTANCES])?;
    each(&mut tidied, &list, &want, &input, seen, nearly)?;
    let got = compiled(&made, "main").and_then(|k| dispatch(&k, &input)).map_err(fail(BACKENDS))?;
    match nearly(&got, &want) {
        Some(why) => Err(fail(BACKENDS)(why)),
        None => Ok(()),
    }
}

/// Compares reverse mode with forward mode, and forward mode with finite differences.
fn derivatives(input: &Input, want: &Written, seen: &mut Seen) -> Result<(), Failure> {
    let thread = |t: usize| &want.reals[t * OUTPUTS..(t + 1) * OUTPUTS];
    for p in 0..POINTS {
        let first = p * OFFSETS.len();
        let (center, v) = (thread(first), &input.reals[first * 6 + 3..first * 6 + 6]);
        let gradient = &center[GRADIENT..GRADIENT + 3];
        let finite = center[..6].iter().all(|x| x.is_finite() && x.abs() < STEEP);
        if !finite {
            continue;
        }
        let terms: Vec<f64> = gradient.iter().zip(v).map(|(g, v)| g * v).collect();
        let (sum, scale) = (terms.iter().sum::<f64>(), terms.iter().fold(1f64, |m, t| m.max(t.abs())));
        if (sum - center[ALONG]).abs() > DOT_TOLERANCE * scale {
            let text = format!("forward mode gives {}, reverse mode {sum} (point {p})", center[ALONG]);
            return Err(fail("modes agree on IR")(text));
        }
        let values = std::array::from_fn(|o| thread(first + o)[VALUE]);
        let Some(numeric) = difference(values) else { continue };
        seen.differences += 1;
        if !close(center[ALONG], numeric, DIFFERENCE_TOLERANCE) {
            let text = format!("the derivative is {}, differences give {numeric} (point {p})", center[ALONG]);
            return Err(fail("derivatives of IR agree with differences")(text));
        }
    }
    Ok(())
}
