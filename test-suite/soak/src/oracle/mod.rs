//! The oracles: conditions that every program must satisfy, one row each. An oracle gets the
//! program, compiled and run by the reference, and reports errors.
//!
//! The reference is the interpreter on the normalized program. All oracles skip points where the
//! program is not finite, or too steep for meaningful numbers.

pub mod functions;
pub mod judged;
pub mod points;
pub mod rewritten;
pub mod run;
pub mod views;

use crate::tree::Program;
use crate::tree::names::renamed;
use crate::tree::print::{Layout, Style, print};
use crate::tree::twins::TWINS;
use caustic_ir::Module;
use caustic_passes::analysis::costs::GPU;
use caustic_passes::autodiff::{self, Policy};
use caustic_passes::pipelines;
use caustic_test_suite::random::Rng;
use points::{DIFFERENCE_TOLERANCE, DOT_TOLERANCE, OFFSETS, Parts, Point, STEEP, close, difference, dot};
use run::{BACKENDS, Numbers, Ready, apply, apply_all, compile, cranelift, interp, passes};
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of points at which a program is checked.
const POINTS: usize = 3;
/// The tolerance for results that are computed in another order; it is scaled by the steepness.
const SAME: f64 = 1e-9;

/// A program, and the seed of all random choices about it.
#[derive(Clone, Debug)]
pub struct Case {
    pub program: Program,
    pub seed: u64,
}

impl Case {
    /// The text of the program to check. Every other program uses names that are traps.
    pub fn text(&self) -> Result<String, String> {
        let text = print(&self.program, &Style::default());
        if self.seed.is_multiple_of(2) { Ok(text) } else { renamed(&self.program, &text, self.seed) }
    }
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub oracle: &'static str,
    pub detail: String,
}

/// The results of checking a program.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The number of points at which everything was finite.
    pub points: usize,
    /// The number of results that were compared with finite differences.
    pub differences: usize,
    /// The number of results that were compared with the judge's, and of points without a
    /// judgement.
    pub judged: usize,
    pub singular: usize,
    pub twins: usize,
    pub times: Vec<(&'static str, std::time::Duration)>,
}

/// The state of checking a program, which the oracles share.
pub struct Run<'c> {
    pub case: &'c Case,
    pub text: String,
    pub layout: Layout,
    pub points: Vec<Point>,
    hl: Module,
    normalized: OnceCell<Module>,
    differentiated: OnceCell<Module>,
    lowered: OnceCell<Module>,
    /// The results of the reference.
    primal: OnceCell<Numbers>,
    compiled: OnceCell<Ready<'static>>,
    gradient: OnceCell<Numbers>,
    /// Whether the derivatives were made wrong on purpose.
    spoiled: bool,
}

type Outcome = Result<(), String>;

/// An oracle, named after what it checks.
pub struct Oracle {
    pub name: &'static str,
    check: fn(&Run<'_>, &mut Seen) -> Outcome,
}

/// All oracles, in the order in which they run.
pub const ORACLES: [Oracle; 15] = [
    Oracle { name: "normalization keeps values", check: normalization },
    Oracle { name: "derivatives are made and finite", check: finite },
    Oracle { name: TRANSPOSES, check: transposes },
    Oracle { name: JUDGED, check: judged::judged },
    Oracle { name: FIRST, check: differences },
    Oracle { name: "second derivatives are symmetric", check: symmetric },
    Oracle { name: "second derivatives agree with differences", check: second_differences },
    Oracle { name: "each pass keeps numbers", check: each_pass },
    Oracle { name: "cheaper ways give nearly the same", check: rewritten::rewritten },
    Oracle { name: "back ends agree", check: backends },
    Oracle { name: "one thread at a time", check: one_by_one },
    Oracle { name: "narrow types agree", check: narrow },
    Oracle { name: "whatever is stored", check: policies },
    Oracle { name: "buffers carry derivatives", check: views::views },
    Oracle { name: "twins agree", check: twins },
];

/// The oracle that tells most about first derivatives; it also needs both modes.
pub const FIRST: &str = "derivatives agree with differences";

/// The oracle that compares the two modes.
pub const TRANSPOSES: &str = "forward mode is the transpose of reverse mode";

/// The oracle that needs neither another mode nor finite differences.
pub const JUDGED: &str = "derivatives are what the judge gives";

/// Failures that are reported before any oracle runs.
pub const COMPILES: &str = "the front end takes it";
pub const PANICS: &str = "nothing panics";

fn get<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T, String>) -> Result<&T, String> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    let value = make()?;
    Ok(cell.get_or_init(|| value))
}

impl<'c> Run<'c> {
    fn new(case: &'c Case) -> Result<Run<'c>, String> {
        let text = case.text()?;
        let layout = Layout::of(&case.program);
        let points = points::points(&layout, POINTS, case.seed);
        let hl = compile(&text)?;
        Ok(Run {
            case,
            text,
            layout,
            points,
            hl,
            normalized: OnceCell::new(),
            differentiated: OnceCell::new(),
            lowered: OnceCell::new(),
            primal: OnceCell::new(),
            compiled: OnceCell::new(),
            gradient: OnceCell::new(),
            spoiled: false,
        })
    }

    fn normalized(&self) -> Result<&Module, String> {
        get(&self.normalized, || {
            let mut module = self.hl.clone();
            apply_all(&mut module, pipelines::NORMALIZE)?;
            Ok(module)
        })
    }
    fn differentiated(&self) -> Result<&Module, String> {
        get(&self.differentiated, || {
            let mut module = self.normalized()?.clone();
            for (_, pass) in passes(pipelines::DIFFERENTIATE)? {
                apply(&mut module, &pass)?;
            }
            Ok(module)
        })
    }
    fn lowered(&self) -> Result<&Module, String> {
        get(&self.lowered, || {
            let mut module = self.differentiated()?.clone();
            apply_all(&mut module, pipelines::OPTIMIZE)?;
            Ok(module)
        })
    }
    /// The values at the points, by the reference.
    fn primal(&self) -> Result<&Numbers, String> {
        get(&self.primal, || {
            // Values that are computed from derivatives exist only after differentiation.
            let module = if self.case.program.nests() { self.differentiated()? } else { self.normalized()? };
            interp(module, "primalMain")?.run(&points::batch(&self.points), &self.layout, false)
        })
    }
    fn gradient(&self) -> Result<&Numbers, String> {
        get(&self.gradient, || {
            interp(self.differentiated()?, "gradMain")?.run(&points::batch(&self.points), &self.layout, false)
        })
    }
    /// The derivatives' kernel as machine code.
    fn compiled(&self) -> Result<&Ready<'static>, String> {
        get(&self.compiled, || run::compiled(self.lowered()?, "gradMain"))
    }
    /// The indices of the points that can be checked.
    fn good(&self) -> Result<Vec<usize>, String> {
        let (values, all) = (self.primal()?, self.gradient()?);
        let fine = |i: &usize| {
            values[*i].iter().all(|v| v.is_finite()) && !all[*i].iter().any(|v| v.is_finite() && v.abs() > STEEP)
        };
        Ok((0..self.points.len()).filter(fine).collect())
    }

    fn compare(&self, what: &str, got: &Numbers, want: &Numbers, tolerance: f64) -> Outcome {
        for i in self.good()? {
            // Rounding errors grow with the derivatives.
            let steep = want[i].iter().filter(|v| v.is_finite()).fold(1f64, |m, v| m.max(v.abs()));
            for (k, (a, b)) in got[i].iter().zip(&want[i]).enumerate() {
                if !close(*a, *b, tolerance * steep) {
                    return Err(format!("{what}: number {k} at point {i} is {a}, not {b}\n{}", self.point(i)));
                }
            }
        }
        Ok(())
    }

    fn point(&self, i: usize) -> String {
        format!("point {i}: data {:?} ints {:?}\n", self.points[i].data, self.points[i].ints)
    }
}

/// Checks everything about a program; only one oracle, if `only` names it.
pub fn check(case: &Case, only: Option<&str>) -> Result<Seen, Failure> {
    check_spoiled(case, only, None)
}

/// The same with derivatives that `spoil` changed after they were made, to see which oracle
/// notices.
pub fn check_spoiled(case: &Case, only: Option<&str>, spoil: Option<fn(&mut Module)>) -> Result<Seen, Failure> {
    let guarded = |name: &'static str, work: &mut dyn FnMut() -> Outcome| match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(detail)) => Err(Failure { oracle: name, detail }),
        Err(panic) => {
            let said = panic.downcast_ref::<String>().cloned();
            let said = said.or_else(|| panic.downcast_ref::<&str>().map(|s| s.to_string()));
            Err(Failure { oracle: PANICS, detail: format!("during “{name}”: {}", said.unwrap_or_default()) })
        }
    };
    let mut run = None;
    guarded(COMPILES, &mut || {
        let mut made = Run::new(case)?;
        if let Some(spoil) = spoil {
            let mut module = made.differentiated()?.clone();
            spoil(&mut module);
            made.differentiated = OnceCell::from(module);
            made.spoiled = true;
        }
        run = Some(made);
        Ok(())
    })?;
    let mut seen = Seen::default();
    let Some(run) = run else { return Ok(seen) };
    // A panic can occur in any oracle.
    for oracle in ORACLES.iter().filter(|o| only.is_none_or(|n| n == o.name || n == PANICS)) {
        let start = std::time::Instant::now();
        guarded(oracle.name, &mut || (oracle.check)(&run, &mut seen))?;
        seen.times.push((oracle.name, start.elapsed()));
    }
    Ok(seen)
}

/// The interpreter's results must stay the same after each pass of normalization.
fn normalization(run: &Run<'_>, _: &mut Seen) -> Outcome {
    if run.case.program.nests() {
        return Ok(());
    }
    let batch = points::batch(&run.points);
    let want = run.primal()?;
    let mut module = run.hl.clone();
    for (name, pass) in passes(pipelines::NORMALIZE)? {
        apply(&mut module, &pass)?;
        // The code cannot run before variables are values.
        if matches!(name.as_str(), "specialize" | "normalize-exits") {
            continue;
        }
        let got = interp(&module, "primalMain")?.run(&batch, &run.layout, false)?;
        for (i, (g, w)) in got.iter().zip(want).enumerate() {
            if let Some(k) = g.iter().zip(w).position(|(a, b)| !close(*a, *b, SAME)) {
                return Err(format!("after {name}: output {k} is {}, not {}\n{}", g[k], w[k], run.point(i)));
            }
        }
    }
    Ok(())
}

fn finite(run: &Run<'_>, seen: &mut Seen) -> Outcome {
    let good = run.good()?;
    seen.points = good.len();
    for i in good {
        if let Some(k) = run.gradient()?[i].iter().position(|v| !v.is_finite()) {
            return Err(format!("number {k} is {}\n{}", run.gradient()?[i][k], run.point(i)));
        }
        let parts = Parts::of(&run.gradient()?[i], &run.layout);
        for (k, v) in parts.value.iter().enumerate() {
            if !close(*v, run.primal()?[i][k], SAME) || !close(*v, parts.forward_value[k], SAME) {
                return Err(format!(
                    "output {k}: {v}, with the derivative {}\n{}",
                    parts.forward_value[k],
                    run.point(i)
                ));
            }
        }
    }
    Ok(())
}

fn transposes(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let ni = run.layout.reals;
    for i in run.good()? {
        let (parts, data) = (Parts::of(&run.gradient()?[i], &run.layout), &run.points[i].data);
        let (left, left_size) = dot(&data[3 * ni..], parts.along, &vec![true; run.layout.outputs]);
        let (right, right_size) = dot(&data[ni..2 * ni], parts.gradient, &run.layout.active());
        let scale = 1f64.max(left_size).max(right_size);
        if (left - right).abs() > DOT_TOLERANCE * scale {
            return Err(format!("forward mode gives {left}, reverse mode {right}\n{}", run.point(i)));
        }
    }
    Ok(())
}

/// The results at every offset along a direction, by point.
fn along(run: &Run<'_>, direction: usize) -> Result<Vec<Vec<Vec<f64>>>, String> {
    let batch = points::moved(&run.points, &run.layout, direction);
    let numbers = run.compiled()?.run(&batch, &run.layout, false)?;
    Ok(numbers.chunks(OFFSETS.len()).map(<[Vec<f64>]>::to_vec).collect())
}

fn differences(run: &Run<'_>, seen: &mut Seen) -> Outcome {
    transposes(run, seen)?;
    let values = along(run, 0)?;
    for i in run.good()? {
        let parts = Parts::of(&run.gradient()?[i], &run.layout);
        let numeric: Vec<Option<f64>> =
            (0..run.layout.outputs).map(|k| difference(std::array::from_fn(|o| values[i][o][k]))).collect();
        // A kink in one output may be a small jump in another.
        if numeric.iter().any(Option::is_none) {
            continue;
        }
        for (k, n) in numeric.into_iter().flatten().enumerate() {
            seen.differences += 1;
            if !run.case.program.detaches() && !close(parts.along[k], n, DIFFERENCE_TOLERANCE) {
                return Err(format!("output {k}: {}, differences give {n}\n{}", parts.along[k], run.point(i)));
            }
        }
    }
    Ok(())
}

fn symmetric(run: &Run<'_>, _: &mut Seen) -> Outcome {
    if !run.layout.second {
        return Ok(());
    }
    let (ni, active) = (run.layout.reals, run.layout.active());
    for i in run.good()? {
        let (parts, data) = (Parts::of(&run.gradient()?[i], &run.layout), &run.points[i].data);
        let (forward_reverse, a) = dot(&data[ni..2 * ni], parts.second_u, &active);
        let (reverse_forward, b) = dot(&data[2 * ni..3 * ni], parts.second_v, &active);
        let scale = 1f64.max(a).max(b);
        for (name, value) in [("forward∘reverse", forward_reverse), ("reverse∘forward", reverse_forward)] {
            if (value - parts.second).abs() > DOT_TOLERANCE * scale {
                return Err(format!("{name} gives {value}, forward∘forward {}\n{}", parts.second, run.point(i)));
            }
        }
    }
    Ok(())
}

fn second_differences(run: &Run<'_>, seen: &mut Seen) -> Outcome {
    if !run.layout.second || run.case.program.detaches() {
        return Ok(());
    }
    let numbers = along(run, 1)?;
    // Values have kinks where gradients jump.
    let active = run.layout.active();
    for i in run.good()? {
        let parts = Parts::of(&run.gradient()?[i], &run.layout);
        let start = 3 * run.layout.outputs;
        let numeric: Vec<Option<f64>> =
            (0..run.layout.reals).map(|k| difference(std::array::from_fn(|o| numbers[i][o][start + k]))).collect();
        if numeric.iter().any(Option::is_none) {
            continue;
        }
        for (k, n) in numeric.into_iter().flatten().enumerate().filter(|(k, _)| active[*k]) {
            seen.differences += 1;
            if !close(parts.second_u[k], n, 10.0 * DIFFERENCE_TOLERANCE) {
                return Err(format!("input {k}: {}, differences give {n}\n{}", parts.second_u[k], run.point(i)));
            }
        }
    }
    Ok(())
}

/// The interpreter's results must stay the same after each pass of optimization and lowering, and
/// with each pass left out.
fn each_pass(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let batch = points::batch(&run.points);
    let want = run.gradient()?;
    let mut module = run.differentiated()?.clone();
    for pipeline in [pipelines::OPTIMIZE, pipelines::STORAGE, pipelines::INSTANCES] {
        for (name, pass) in passes(pipeline)? {
            apply(&mut module, &pass)?;
            let got = interp(&module, "gradMain")?.run(&batch, &run.layout, false)?;
            run.compare(&format!("after {name}"), &got, want, SAME)?;
        }
    }
    let all = passes(pipelines::OPTIMIZE)?;
    let out = Rng::new(run.case.seed).below(all.len());
    let mut module = run.differentiated()?.clone();
    for (_, pass) in all.iter().enumerate().filter(|(i, _)| *i != out).map(|(_, p)| p) {
        apply(&mut module, pass)?;
    }
    let got = cranelift(&module, "gradMain")?.run(&batch, &run.layout, false)?;
    run.compare(&format!("without {}", all[out].0), &got, want, SAME)
}

fn backends(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let batch = points::batch(&run.points);
    for &(name, backend) in BACKENDS {
        let got = match name {
            // This run has been made already.
            "cranelift" => run.compiled()?.run(&batch, &run.layout, false)?,
            _ => backend(run.lowered()?, "gradMain")?.run(&batch, &run.layout, false)?,
        };
        run.compare(name, &got, run.gradient()?, SAME)?;
    }
    Ok(())
}

fn one_by_one(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let got = run.compiled()?.run_one_by_one(&points::batch(&run.points), &run.layout)?;
    run.compare("alone", &got, run.gradient()?, SAME)
}

/// In `float` and `half`, back ends must agree with each other.
fn narrow(run: &Run<'_>, _: &mut Seen) -> Outcome {
    if run.case.seed.is_multiple_of(2) {
        return Ok(());
    }
    let batch = points::batch(&run.points);
    let mut module = compile(&print(&run.case.program, &Style { narrow: true, ..Style::default() }))?;
    apply_all(&mut module, pipelines::NORMALIZE)?;
    apply_all(&mut module, pipelines::DIFFERENTIATE)?;
    let want = interp(&module, "gradMain")?.run(&batch, &run.layout, true)?;
    apply_all(&mut module, pipelines::OPTIMIZE)?;
    for &(name, backend) in &BACKENDS[1..] {
        let got = backend(&module, "gradMain")?.run(&batch, &run.layout, true)?;
        // LLVM's mathematical functions are those of the C library, which may differ in the last
        // bit. If that decides how a `half` is rounded, the difference is 2^-11 of the value, and
        // more if several roundings follow each other.
        let tolerance = if name.starts_with("llvm") { 1e-2 } else { 1e-4 };
        run.compare(name, &got, &want, tolerance)?;
    }
    Ok(())
}

/// Policies for storing what the reverse pass needs; one for each program.
fn policies(run: &Run<'_>, _: &mut Seen) -> Outcome {
    let batch = points::batch(&run.points);
    // If every loop uses snapshots where it can, nothing is carried forward.
    let usual = Policy::default();
    let policies: [(&str, Policy); 4] = [
        ("snapshots", Policy { snapshots: Some(1), chooses_modes: false, ..usual }),
        ("snapshots", Policy { snapshots: Some(3), chooses_modes: false, ..usual }),
        ("snapshots", Policy { snapshots: Some(2), costs: &GPU, ..usual }),
        ("costs", Policy { costs: &GPU, ..usual }),
    ];
    let drawn = Rng::new(run.case.seed ^ 3).below(policies.len());
    for (name, policy) in policies.into_iter().skip(drawn).take(1) {
        let mut module = run.normalized()?.clone();
        let made = autodiff::differentiate(&mut module, &policy);
        made.map_err(|e| e.iter().map(|d| format!("{d}\n")).collect::<String>())?;
        apply_all(&mut module, pipelines::DIFFERENTIATE)?;
        apply_all(&mut module, pipelines::OPTIMIZE)?;
        let got = cranelift(&module, "gradMain")?.run(&batch, &run.layout, false)?;
        run.compare(name, &got, run.gradient()?, SAME)?;
    }
    Ok(())
}

/// Other programs with the same results; some for each program.
fn twins(run: &Run<'_>, seen: &mut Seen) -> Outcome {
    let batch = points::batch(&run.points);
    let mut rng = Rng::new(run.case.seed ^ 0x7717);
    let at = rng.below(TWINS.len());
    // Starting from a random twin, the first one that changes something.
    for offset in 0..TWINS.len() {
        let (name, twin) = TWINS[(at + offset) % TWINS.len()];
        let Some((program, style)) = twin(&run.case.program, &mut rng) else { continue };
        if seen.twins > 0 {
            break;
        }
        seen.twins += 1;
        let mut text = print(&program, &style);
        if style.other_names {
            text = renamed(&program, &text, !run.case.seed)?;
        }
        let say = |e: String| format!("{name}: {e}\n{text}");
        let module = run::lowered(&text).map_err(say)?;
        let mut got = cranelift(&module, "gradMain").and_then(|k| k.run(&batch, &run.layout, false)).map_err(say)?;
        if style.flat {
            // The twin has no second derivatives.
            let first = 3 * run.layout.outputs + run.layout.reals;
            for (g, w) in got.iter_mut().zip(run.gradient()?) {
                g[first..].copy_from_slice(&w[first..]);
            }
        }
        if style.same_bits {
            // The same back end with no reason to compute something else: all bits must be equal.
            run.compare(name, &got, &run.compiled()?.run(&batch, &run.layout, false)?, 0.0).map_err(say)?;
        }
        run.compare(name, &got, run.gradient()?, SAME).map_err(say)?;
    }
    Ok(())
}
