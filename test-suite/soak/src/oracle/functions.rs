//! Applies the judge to the functions of any program, not only of generated ones: each
//! differentiable function of plain values is differentiated by the compiler in both modes at
//! random points, and must give the results of [`crate::judge`].

use super::judged::{NARROW, Precision, WIDE};
use super::run::apply_all;
use crate::judge::number::Mode;
use crate::judge::{Judge, Judged, Real, Unjudged, Value};
use caustic_dialects::agg::{StructType, as_array, scalars_of};
use caustic_dialects::signature::{DIFFERENTIABLE, Direction, NO_DIFF_RESULT, PARAMS, param_attr};
use caustic_dialects::{ad, hl};
use caustic_interp::{Interp, Limits};
use caustic_ir::attr::round_to;
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Module, Name, SymbolOp, Type, TypeKind};
use caustic_passes::pipelines;
use caustic_test_suite::random::Rng;

/// The number of points for each function.
const POINTS: usize = 3;
/// The most ops that a function may execute.
const STEPS: u64 = 1 << 20;

/// The results for the functions of a program.
#[derive(Clone, Debug, Default)]
pub struct Judgements {
    /// The number of functions and of numbers that were compared.
    pub functions: usize,
    pub numbers: usize,
    /// Functions without a judgement, with the reason.
    pub unknown: Vec<(Name, String)>,
    /// Descriptions of the differences.
    pub wrong: Vec<String>,
}

/// A function of plain values: its inputs, whether they are `no_diff`, and its result.
struct Function {
    name: Name,
    inputs: Vec<(Type, bool)>,
    result: Type,
}

/// Whether values of the type consist of numbers.
fn is_plain(ty: Type) -> bool {
    match ty.kind() {
        TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Vector { .. } => true,
        _ => match (StructType::of(ty), as_array(ty)) {
            (Some(s), _) => !s.is_pointer() && s.fields().all(|f| is_plain(f.ty)),
            (_, Some((n, elem))) => n <= 64 && is_plain(elem),
            _ => false,
        },
    }
}

fn function(symbol: &SymbolOp) -> Option<Function> {
    let is_candidate = std::ptr::eq(symbol.def, hl::Func::DEF)
        && symbol.attr("generics").is_none()
        && symbol.attr(NO_DIFF_RESULT).is_none()
        && symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some("both");
    let (inputs, &[result]) = symbol.function_type().filter(|_| is_candidate)? else { return None };
    let params = symbol.attr(PARAMS)?.as_array()?;
    let input = |(ty, p): (&Type, &Attr)| {
        let is_in = p.get("dir").and_then(|d| d.as_str()) == Some(Direction::In.keyword());
        (is_in && is_plain(*ty)).then_some((*ty, p.get("no_diff").is_some()))
    };
    let inputs: Vec<_> = inputs.iter().zip(params).map(input).collect::<Option<_>>()?;
    let active = inputs.iter().any(|&(ty, no_diff)| !no_diff && ad::differential_type(ty).is_some());
    let fits = active && is_plain(result) && ad::differential_type(result).is_some();
    fits.then_some(Function { name: symbol.name, inputs, result })
}

impl Function {
    fn request(&self, mode: Mode) -> Name {
        Name::new(&format!("{} in {mode:?} mode, judged", self.name))
    }

    /// The derivative op for a mode, as `fwd_diff` and `bwd_diff` make it.
    fn derivative(&self, mode: Mode, of: &SymbolOp) -> SymbolOp {
        let mut symbol = SymbolOp::new(ad::Derivative::DEF, self.request(mode), of.loc);
        let (mut types, mut params) = (Vec::new(), Vec::new());
        for (i, &(ty, no_diff)) in self.inputs.iter().enumerate() {
            let is_active = !no_diff && ad::differential_type(ty).is_some();
            let written = is_active && mode == Mode::Reverse;
            let passed = if is_active { ad::pair_type(ty) } else { ty };
            types.push(if written { hl::ref_type(passed) } else { passed });
            let dir = if written { Direction::InOut } else { Direction::In };
            params.push(param_attr(&format!("p{i}"), dir, no_diff));
        }
        let mut results = Vec::new();
        match (mode, ad::differential_type(self.result)) {
            (Mode::Reverse, Some(d)) => {
                types.push(d);
                params.push(param_attr("dResult", Direction::In, false));
            }
            _ => results.push(ad::pair_type(self.result)),
        }
        symbol.set_attr("of", Attr::symbol(self.name));
        symbol.set_attr("mode", Attr::string(if mode == Mode::Forward { "fwd" } else { "bwd" }));
        symbol.set_attr("function_type", Attr::ty(Type::function(&types, &results)));
        symbol.set_attr(PARAMS, Attr::array(params));
        symbol
    }

    /// Arguments for the derivative: random values, with random directions or weights.
    fn arguments(&self, mode: Mode, rng: &mut Rng) -> Option<Vec<Val>> {
        let mut out = Vec::new();
        for &(ty, no_diff) in &self.inputs {
            let value = random(ty, rng)?;
            out.push(match ad::differential_type(ty).filter(|_| !no_diff) {
                Some(d) => Val::agg(vec![value, random(d, rng)?]),
                None => value,
            });
        }
        if mode == Mode::Reverse {
            out.push(random(ad::differential_type(self.result)?, rng)?);
        }
        Some(out)
    }

    fn precision(&self) -> &'static Precision {
        let types = self.inputs.iter().map(|&(ty, _)| ty).chain([self.result]);
        match types.map(scalars_of).all(|s| s.is_none_or(|s| s == Type::f64() || !s.is_float())) {
            true => &WIDE,
            false => &NARROW,
        }
    }
}

fn random(ty: Type, rng: &mut Rng) -> Option<Val> {
    Some(match ty.kind() {
        TypeKind::Int(1) => Val::Int(rng.below(2) as i64),
        TypeKind::Int(_) | TypeKind::Index => Val::Int(rng.below(4) as i64),
        TypeKind::Float(kind) => Val::Float(round_to(rng.float(0.1, 1.4), *kind)),
        TypeKind::Vector { elem, .. } => {
            Val::agg((0..ty.num_elements()).map(|_| random(*elem, rng)).collect::<Option<_>>()?)
        }
        _ => match (StructType::of(ty), as_array(ty)) {
            (Some(s), _) => Val::agg(s.fields().map(|f| random(f.ty, rng)).collect::<Option<_>>()?),
            (_, Some((n, elem))) => Val::agg((0..n).map(|_| random(elem, rng)).collect::<Option<_>>()?),
            _ => return None,
        },
    })
}

fn reals(values: &[Val], out: &mut Vec<f64>) {
    for value in values {
        match value {
            Val::Float(v) => out.push(*v),
            parts => reals(parts.parts(), out),
        }
    }
}

fn bounded(values: &[Value], out: &mut Vec<Real>) -> Judged<()> {
    for value in values {
        match value {
            Value::Num(n) => out.push(n.base()),
            Value::Agg(parts) => bounded(parts, out)?,
            _ => {}
        }
    }
    Ok(())
}

/// Judges the functions of a program as the front end leaves it.
pub fn judge_functions(hl: &Module, seed: u64) -> Result<Judgements, String> {
    let functions: Vec<Function> = hl.symbols().iter().filter_map(function).collect();
    let mut module = hl.clone();
    for f in &functions {
        let Some(of) = hl.get(f.name) else { continue };
        for mode in [Mode::Forward, Mode::Reverse] {
            module.put(f.derivative(mode, of));
        }
    }
    for pipeline in [pipelines::NORMALIZE, pipelines::DIFFERENTIATE] {
        apply_all(&mut module, pipeline)?;
    }
    let interp = Interp::with_limits(&module, Limits { steps: STEPS, ..Limits::default() });
    let mut rng = Rng::new(seed);
    let mut seen = Judgements::default();
    for f in &functions {
        let before = seen.numbers;
        for _ in 0..POINTS {
            for mode in [Mode::Forward, Mode::Reverse] {
                if let Err(Unjudged::Unknown(why)) = at_a_point(hl, &interp, f, mode, &mut rng, &mut seen) {
                    seen.unknown.push((f.name, why));
                }
            }
        }
        seen.functions += usize::from(seen.numbers > before);
    }
    Ok(seen)
}

fn at_a_point(
    hl: &Module,
    interp: &Interp<'_>,
    f: &Function,
    mode: Mode,
    rng: &mut Rng,
    seen: &mut Judgements,
) -> Judged<()> {
    let unknown = |why: String| Unjudged::Unknown(why);
    let args = f.arguments(mode, rng).ok_or_else(|| unknown("a type without values".into()))?;
    let inputs = args.iter().map(Value::of_val).collect::<Judged<Vec<_>>>()?;
    let (mut judged, mut got) = (Vec::new(), Vec::new());
    bounded(&Judge::new(hl, 0).derivative_of(f.name, mode, inputs)?, &mut judged)?;
    let results = interp.call(f.request(mode).as_str(), args.clone()).map_err(|t| unknown(t.message))?;
    reals(&results, &mut got);
    if got.len() != judged.len() {
        return Err(unknown(format!("{} numbers, and the judge has {}", got.len(), judged.len())));
    }
    let precision = f.precision();
    for (k, (&got, &judged)) in got.iter().zip(&judged).enumerate() {
        let Some(agrees) = precision.agrees(got, judged) else { continue };
        seen.numbers += 1;
        if !agrees {
            let Real { value, .. } = judged;
            seen.wrong.push(format!(
                "@{} in {mode:?} mode, number {k}: {got}, the judge says {value} (±{:.1e}), of {args:?}",
                f.name,
                precision.bound(judged).unwrap_or_default()
            ));
        }
    }
    Ok(())
}
