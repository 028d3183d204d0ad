//! The gradient check: forward mode, reverse mode and finite differences against each other, in
//! f64.
//!
//! For each function, at random points x with random directions v and weights w: ⟨w, J v⟩ from
//! forward mode against ⟨Jᵀ w, v⟩ from reverse mode, which needs no step size and finds what
//! differs between the modes; and J v against central differences (Richardson-extrapolated), which
//! finds what both modes have in common. The program is widened to f64 first, so rounding does not
//! hide anything. Buffers hold what they are bound to, or numbers drawn at random; the elements of
//! one that has a buffer for its derivatives (`memory`) move like arguments do. Points where the
//! function has no derivative (a kink or a jump within the step) are told by one-sided differences
//! that disagree, and drawn again. Where the program ends derivatives on purpose, differences
//! decide nothing.

mod beyond;
mod blame;
mod branches;
mod constants;
mod detaching;
mod differences;
mod drawing;
mod kernels;
mod memory;
mod point;
mod probes;
mod report;
mod resources;
mod rounding;
#[cfg(test)]
mod rows;
mod sampling;
mod search;
mod substitutes;
mod threads;
mod thresholds;
mod unnamed;
mod values;
mod views;

use crate::bindings::Bindings;
use crate::context::Context;
use caustic_dialects::ad;
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::reflect::ENTRY;
use caustic_dialects::signature::{DIFFERENTIABLE, SYNTHESIZED, Signature, holds_handle};
use caustic_frontend::sema::samples::Unsampled;
use caustic_ir::codes;
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, Input, Loc, LocKind, Module, Name, SymbolOp, Type};
use caustic_passes::analysis::{custom_derivatives, stage};
use caustic_passes::autodiff::{custom, derivative_symbol, pointers};
use caustic_passes::optimize::symbol_dce::{self, Roots};
use caustic_runtime::KernelInterface;
use drawing::RANGES;
use memory::{Given, Memory};
use rayon::prelude::*;
pub use report::{Failure, Inputs, Mode, Report, Row, Unnamed, Verdict};
use resources::Buffers;
use sampling::{Effort, check};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use values::{Domain, Random, random};

/// Both modes compute the same sums in another order, in f64: what differs is rounding.
pub const DOT_TOLERANCE: f64 = 1e-10;
/// Richardson from steps 2e-5 and 1e-5 leaves an error of order 1e-19 · f⁽⁵⁾ and rounding of order
/// 1e-11 · f: six digits leave room for steep functions, and no wrong rule is that close to right.
pub const DIFFERENCE_TOLERANCE: f64 = 1e-6;

/// What is checked, and how.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GradcheckOptions {
    /// Only this function, not every differentiable one of the program's file.
    pub function: Option<String>,
    /// Random inputs for each function.
    pub samples: u32,
    /// Where the random inputs start.
    pub seed: u64,
    /// Where all floats are drawn from; otherwise from several ranges, and beside numbers that the
    /// function compares with.
    pub range: Option<(f64, f64)>,
    /// Operations that one call of a function may take.
    pub steps: u64,
    /// How derivatives are made.
    pub derivatives: crate::Derivatives,
    /// Buffers, each with the one that its derivatives are added to, besides those of `DiffBuffer`.
    pub gradients: Vec<(String, String)>,
}

impl Default for GradcheckOptions {
    fn default() -> Self {
        GradcheckOptions {
            function: None,
            samples: 16,
            seed: 1,
            range: None,
            steps: 1 << 26,
            derivatives: crate::Derivatives::default(),
            gradients: Vec::new(),
        }
    }
}

/// What is checked: a module (widened, derivatives made) that holds the function and its
/// derivatives.
struct Checked {
    function: Name,
    /// What the programmer calls it.
    shown: Name,
    /// What differences are taken of: the function, or one that calls substitutes in the place of
    /// what they stand for.
    measured: Name,
    /// In the modes in which there is one; without both, what there is is held against differences
    /// only.
    forward: Option<Name>,
    backward: Option<Name>,
    /// It, or what it calls, ends derivatives on purpose (`detach`, `no_diff`): differences see
    /// more than its derivative.
    detaches: bool,
    /// It has a custom derivative.
    custom: bool,
    /// It has one in reverse mode.
    custom_backward: bool,
}

impl Checked {
    /// Asks for the derivatives of a function in the modes in which it has one; nothing if there is
    /// none.
    fn request(module: &mut Module, shown: Name, function: Name, facts: &Facts) -> Option<Checked> {
        let measured = substitutes::measured(module, function);
        let symbol = module.get(function)?;
        let custom = module.get(shown).is_some_and(custom_derivatives::any);
        let given = |s: &SymbolOp| custom_derivatives::derivative(s, stage::REVERSE).is_some();
        let custom_backward = module.get(function).is_some_and(given);
        let made = [(true, &facts.lacking[0]), (false, &facts.lacking[1])].map(|(forward, lacking)| {
            let wanted = !lacking.contains(&function);
            wanted.then(|| derivative_symbol(symbol, forward)).flatten()
        });
        let [forward, backward] = made.map(|derivative| {
            let mut derivative = derivative?;
            // The program may ask for the same derivatives under the same names; these are the
            // check's own.
            derivative.name = module.fresh_name(&format!("gradcheck.{}", derivative.name));
            let name = derivative.name;
            module.put(derivative);
            Some(name)
        });
        let detaches = match measured == function {
            true => facts.detaching.contains(&function),
            false => detaching::functions(module).contains(&measured),
        };
        (forward.is_some() || backward.is_some()).then_some(Checked {
            function,
            shown,
            measured,
            forward,
            backward,
            detaches,
            custom,
            custom_backward,
        })
    }
}

/// What of a module decides how its functions are checked.
struct Facts {
    detaching: HashSet<Name>,
    /// The functions without a derivative in forward and in reverse mode.
    lacking: [HashSet<Name>; 2],
}

impl Facts {
    fn of(module: &Module) -> Facts {
        let lacking = [stage::FORWARD, stage::REVERSE].map(|mode| custom::lacking(module, mode).into_iter().collect());
        Facts { detaching: detaching::functions(module), lacking }
    }
}

/// Differentiable functions with code that the program has.
fn written(module: &Module) -> impl Iterator<Item = &SymbolOp> {
    let is_written = |s: &&SymbolOp| s.attr(SYNTHESIZED).is_none() && s.body.entry().is_some();
    module.symbols().iter().filter(|s| s.attr(DIFFERENTIABLE).is_some()).filter(is_written)
}

/// Functions that can be checked by their arguments: differentiable ones with code that the program
/// has.
pub fn candidates(module: &Module) -> Vec<Name> {
    let moves = |t: Type| ad::differential_type(t).is_some() || holds_handle(t) || detaching::holds_pointer(t);
    // A derivative that is given is one of something.
    let is_of_something = |s: &&SymbolOp| {
        custom_derivatives::any(s) || Signature::of(s).is_some_and(|s| s.inputs.iter().any(|&t| moves(t)))
    };
    written(module).filter(is_of_something).map(|s| s.name).collect()
}

/// The arguments of the forward derivative with these tangents, and of the backward one with these
/// cotangents, at a point.
pub(crate) fn arguments(s: &Signature, point: &[Val], v: &[Option<Val>], w: &[Option<Val>]) -> (Vec<Val>, Vec<Val>) {
    let pair = |p: &Val, d: &Val| Val::agg(vec![p.clone(), d.clone()]);
    let zero = |d: Type| caustic_dialects::agg::zero_value(d).unwrap_or(Val::Float(0.0));
    let places = |i: usize| {
        let ty = s.params.iter().find(|p| p.input == Some(i)).and_then(pointers::of_parameter)?;
        Some(pair_of_places(ty, &point[i]))
    };
    let forward = (0..s.inputs.len()).map(|i| match &v[i] {
        Some(d) => pair(&point[i], d),
        None => places(i).unwrap_or_else(|| point[i].clone()),
    });
    let mut backward = Vec::new();
    for p in &s.params {
        let weight = p.result.and_then(|k| w[k].clone());
        match (p.input, p.differential()) {
            (None, Some(_)) => backward.extend(weight),
            (None, None) => {}
            (Some(i), None) => backward.push(places(i).unwrap_or_else(|| point[i].clone())),
            (Some(i), Some(d)) => backward.push(pair(&point[i], &weight.unwrap_or_else(|| zero(d)))),
        }
    }
    backward.extend(w.iter().take(s.num_returned).flatten().cloned());
    (forward.collect(), backward)
}

/// What derivatives take in the place of a pointer, or of an array of pointers: the pair of it and
/// of the place of its derivative, which is taken to lie where the pointer leads in another buffer.
fn pair_of_places(ty: Type, point: &Val) -> Val {
    if let (Some((_, elem)), Val::Agg(elements)) = (agg::as_array(ty), point) {
        return Val::agg(elements.iter().map(|e| pair_of_places(elem, e)).collect());
    }
    let fields: Vec<Type> = StructType::of(ty).map(|s| s.fields().map(|f| f.ty).collect()).unwrap_or_default();
    let parts = |ty: &Type| StructType::of(*ty).map(|s| s.fields().map(|f| (f.name, f.ty)).collect::<Vec<_>>());
    let derivative = match fields[..] {
        [p, d] if p != d && parts(&p) != parts(&d) => agg::zero_value(d).unwrap_or_else(|| point.clone()),
        _ => point.clone(),
    };
    Val::agg(vec![point.clone(), derivative])
}

/// A point at which to call a function; `None` if it takes resources.
pub fn random_point(s: &Signature, seed: u64) -> Option<Vec<Val>> {
    let mut r = Random::new(seed);
    s.inputs.iter().map(|&t| random(t, Domain::of(RANGES[1]), &mut r)).collect()
}

/// Arguments for both derivatives at a point, in a direction that is one everywhere.
pub fn derivative_arguments(s: &Signature, point: &[Val]) -> (Vec<Val>, Vec<Val>) {
    let mut r = Random::new(1);
    let mut one = |d: Type| random(d, Domain::of((1.0, 1.0)), &mut r).unwrap_or(Val::Float(1.0));
    let v: Vec<Option<Val>> = (0..s.inputs.len()).map(|i| s.input_differential(i).map(&mut one)).collect();
    let w: Vec<Option<Val>> = (0..s.results.len()).map(|i| s.result_differential(i).map(&mut one)).collect();
    arguments(s, point, &v, &w)
}

/// Which functions to check, and how.
pub(crate) struct Request<'a> {
    /// Only this one; otherwise all differentiable functions of `file`.
    pub function: Option<&'a str>,
    pub file: &'a str,
    /// This file, and those that its module joins by `__include`.
    pub own_files: &'a [String],
    pub samples: u32,
    pub seed: u64,
    /// See [`GradcheckOptions::range`].
    pub range: Option<(f64, f64)>,
    /// Operations that one call may take.
    pub steps: u64,
    pub derivatives: crate::Derivatives,
    /// The program's resources, and what they are bound to.
    pub interface: &'a KernelInterface,
    pub bindings: &'a Bindings,
    /// See [`GradcheckOptions::gradients`].
    pub gradients: &'a [(String, String)],
    /// The functions that cannot be run, and why.
    pub unavailable: &'a HashMap<Name, String>,
    /// Generic functions without an instance.
    pub unsampled: &'a [Unsampled],
    /// Is given how many functions are done, and how many there are.
    pub told: &'a (dyn Fn(usize, usize) + Sync),
}

impl Request<'_> {
    /// The number of the program's own file in which something stands.
    fn own_file(&self, loc: Loc) -> Option<usize> {
        let LocKind::Span { file, .. } = loc.source().kind() else { return None };
        self.own_files.iter().position(|own| **file == **own)
    }

    /// Whether what is called so, and stands there, is to be checked.
    fn asks_for(&self, name: Name, loc: Loc) -> bool {
        match self.function {
            Some(f) => is_named(name, f),
            None => self.own_file(loc).is_some(),
        }
    }
}

/// The rows of generic functions of which there is no instance.
fn unsampled(request: &Request<'_>) -> Report {
    let mut report = Report::default();
    for missing in request.unsampled {
        if request.asks_for(missing.name, missing.loc) {
            let mut row = Row::new(&missing.name);
            row.verdict = Verdict::Skipped(missing.why.clone());
            report.rows.push(row);
            report.lacks_types = true;
        }
    }
    report
}

/// The rows of other entry points that are marked differentiable: what they read and write is no
/// argument.
fn entry_points(module: &Module, request: &Request<'_>) -> Vec<Row> {
    let marked = |s: &&SymbolOp| s.attr(ENTRY).is_some() && s.attr(DIFFERENTIABLE).is_some();
    let asked = |s: &&SymbolOp| request.asks_for(s.name, s.loc);
    let row = |s: &SymbolOp| {
        let mut row = Row::new(&s.name);
        row.verdict = Verdict::Skipped("it is an entry point: move its body into a function that it calls".into());
        row
    };
    module.symbols().iter().filter(marked).filter(asked).map(row).collect()
}

/// Whether a function is called so, or is an instance or a derivative of one that is.
fn is_named(name: Name, written: &str) -> bool {
    name.strip_prefix(written).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '(']))
}

/// The functions that are asked for. What one reads may have a derivative though none of its
/// arguments has one; one that is named is told of whatever it is.
fn chosen(module: &Module, request: &Request<'_>) -> Vec<Name> {
    let all = candidates(module);
    let reading = custom_derivatives::sources(module);
    let may_read = |s: &SymbolOp| s.attr(ENTRY).is_none() && (request.function.is_some() || reading.contains(&s.name));
    let has_something = |s: &SymbolOp| all.contains(&s.name) || may_read(s);
    let asked = written(module).filter(|s| request.asks_for(s.name, s.loc) && has_something(s));
    asked.map(|s| s.name).collect()
}

/// These functions only, with what they need, and their derivatives.
fn only(asked: &Module, which: &[&Checked], how: crate::Derivatives, cx: &Context) -> Result<Module, Vec<Diagnostic>> {
    let own = |c: &&Checked| [Some(c.function), Some(c.measured), c.forward, c.backward];
    let named: Vec<Name> = which.iter().flat_map(own).flatten().collect();
    let mut module = asked.clone();
    module.retain(|s| s.attr(ENTRY).is_none());
    symbol_dce::run(&mut module, &Roots { entries_only: true, named });
    crate::pipeline::serve(&mut module, how, cx).map(|_| module)
}

/// Makes the derivatives that are checked. A function that has none gets a row that says why and
/// leaves the others to be judged. Where none of them has one, or what is wrong is none of theirs,
/// that is an error.
fn serve(
    module: &mut Module,
    checks: &mut Vec<Checked>,
    report: &mut Report,
    how: crate::Derivatives,
    cx: &Context,
) -> Result<(), Vec<Diagnostic>> {
    let asked = module.clone();
    let Err(errors) = crate::pipeline::serve(module, how, cx) else { return Ok(()) };
    let of = |which: &[&Checked]| only(&asked, which, how, cx);
    let results: Vec<Result<Module, Vec<Diagnostic>>> = checks.iter().map(|c| of(&[c])).collect();
    let good: Vec<&Checked> = checks.iter().zip(&results).filter(|(_, r)| r.is_ok()).map(|(c, _)| c).collect();
    if good.is_empty() || good.len() == checks.len() {
        return Err(errors);
    }
    *module = of(&good)?;
    let mut results = results.into_iter();
    checks.retain(|check| {
        let Some(Err(why)) = results.next() else { return true };
        let mut row = Row::new(&check.shown);
        row.verdict = Verdict::Underivable(why.first().map(finding_text).unwrap_or_default());
        report.rows.push(row);
        false
    });
    Ok(())
}

/// A diagnostic on one line, with its place.
fn finding_text(diagnostic: &Diagnostic) -> String {
    let place = match diagnostic.loc.source().kind() {
        LocKind::Span { file, line, col, .. } => format!("{file}:{line}:{col}: "),
        _ => String::new(),
    };
    format!("{place}{} {}", diagnostic.code, diagnostic.message)
}

/// Widens a normalized module, makes the derivatives of what is asked for, and checks them.
pub(crate) fn run(mut module: Module, request: &Request<'_>, cx: &Context) -> Result<Report, Vec<Diagnostic>> {
    kernels::as_functions(&mut module);
    let chosen = chosen(&module, request);
    let mut report = unsampled(request);
    report.rows.extend(entry_points(&module, request));
    if let Some(f) = request.function.filter(|_| chosen.is_empty() && report.rows.is_empty()) {
        let whole = Loc::span(Name::new(request.file), (1, 1), (1, 1));
        let diagnostic = Diagnostic::error(codes::E0805, whole, format!("there is no differentiable function '{f}'"));
        let near = caustic_ir::nearest::nearest(f, written(&module).map(|s| s.name.as_str()));
        return Err(vec![match near {
            Some(n) => diagnostic.with_note(format!("did you mean '{n}'?")),
            None => diagnostic.with_note("mark the function [Differentiable]"),
        }]);
    }
    // What is checked in the place of what takes buffers.
    let mut instead: HashMap<Name, Name> = HashMap::new();
    let mut not_checked: HashMap<Name, String> = HashMap::new();
    let mut pointed: Vec<(Name, Name)> = Vec::new();
    not_checked.extend(request.unavailable.iter().map(|(name, why)| (*name, why.clone())));
    for &f in &chosen {
        match resources::with_buffers(&mut module, f) {
            Ok(Some(made)) => {
                pointed.extend(made.pairs);
                instead.insert(f, made.function);
            }
            Ok(None) => {}
            Err(why) => drop(not_checked.insert(f, why)),
        }
    }
    for (name, narrow) in caustic_passes::widen::widen(&mut module) {
        let place = match narrow.loc.source().kind() {
            LocKind::Span { file, line, col, .. } => format!("{file}:{line}:{col}: "),
            _ => String::new(),
        };
        not_checked.entry(name).or_insert_with(|| format!("{place}{}", narrow.why));
    }
    let mut pairs = resources::pairs(&module);
    pairs.extend(pointed.into_iter().map(Buffers::pair));
    let symbol_of = |name: &str| request.interface.params.iter().find(|p| p.name == *name).map(|p| p.symbol);
    for (primal, derivative) in request.gradients {
        for name in [primal, derivative] {
            if symbol_of(name).is_none() {
                let whole = Loc::span(Name::new(request.file), (1, 1), (1, 1));
                let text = format!("the program has no buffer '{name}'");
                return Err(vec![Diagnostic::error(codes::E0801, whole, text).with_input(Input::Gradient)]);
            }
        }
        let pair = symbol_of(primal).zip(symbol_of(derivative));
        // A pair that a view has made counts once.
        let is_new = |&(p, d): &(Name, Name)| !pairs.iter().any(|b| (b.primal, b.derivative) == (p, d));
        pairs.extend(pair.filter(is_new).map(Buffers::pair));
    }
    let facts = Facts::of(&module);
    let mut checks = Vec::new();
    for &shown in &chosen {
        let function = instead.get(&shown).copied().unwrap_or(shown);
        let why = not_checked.get(&shown).or_else(|| not_checked.get(&function));
        if why.is_some() || !module.contains(function) {
            let mut row = Row::new(&shown);
            row.verdict = Verdict::Skipped(why.cloned().unwrap_or_else(|| "it is not in the widened program".into()));
            report.rows.push(row);
            continue;
        }
        checks.extend(Checked::request(&mut module, shown, function, &facts));
    }
    let asked = module.clone();
    serve(&mut module, &mut checks, &mut report, request.derivatives, cx)?;
    let is_given = |name: &str| request.bindings.is_given(name);
    let given = Given { interface: request.interface, bindings: &request.bindings.slots, is_given: &is_given };
    let memory = Memory::new(&module, Some(&given), &pairs).map_err(|e| vec![e])?;
    let effort = Effort { samples: request.samples, seed: request.seed, steps: request.steps, range: request.range };
    let done = AtomicUsize::new(0);
    let told = |row: Row| {
        (request.told)(done.fetch_add(1, Ordering::Relaxed) + 1, checks.len());
        row
    };
    let mut rows = threads::on_all(|| {
        let rows = checks.par_iter().map(|checked| told(check(&module, checked, &memory, effort, &cx.cancel)));
        rows.collect::<Vec<Row>>()
    });
    if !cx.cancel.is_cancelled() {
        let again = blame::Again { asked: &asked, how: request.derivatives, given: &given, pairs: &pairs, effort, cx };
        threads::on_all(|| again.judge(&checks, &mut rows));
    }
    if cx.cancel.is_cancelled() {
        return Err(Vec::new());
    }
    let search = unnamed::Search::new(&asked, request.interface, &pairs);
    for (row, checked) in rows.iter_mut().zip(&checks) {
        let is_wrong = matches!(row.verdict, Verdict::Failed(_) | Verdict::Inherited(..));
        row.unnamed = if is_wrong || !row.moved { search.of(checked.function) } else { None };
    }
    report.rows.extend(rows);
    in_order(&mut report.rows, &asked, request);
    Ok(report)
}

/// Sorts rows by the places of their functions in the file.
fn in_order(rows: &mut [Row], module: &Module, request: &Request<'_>) {
    let place = |row: &Row| {
        let unsampled = request.unsampled.iter().find(|u| *u.name == *row.function).map(|u| u.loc);
        let loc = module.get(Name::new(&row.function)).map(|symbol| symbol.loc).or(unsampled);
        let file = loc.and_then(|loc| request.own_file(loc)).unwrap_or(usize::MAX);
        match loc.map(|loc| loc.source().kind()) {
            Some(LocKind::Span { line, col, .. }) => (file, *line, *col),
            _ => (file, u32::MAX, 0),
        }
    };
    rows.sort_by_cached_key(place);
}
