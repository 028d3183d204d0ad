//! The error bound of a row, computed on values.
//!
//! A difference can lose all digits of its operands, so no sum has a bound that is relative to
//! itself. The unit of a bound is one in the last place of the *magnitude*: the greater side,
//! computed with the magnitudes of all that is added or subtracted (`|x| + |y|` for `x - y`).
//! Without sums that is the result itself. This is what the standard analysis of rounding errors
//! gives: with `n` roundings on both sides together, `n` units are enough.
//!
//! A row states nothing where an intermediate result is neither a normal number nor a zero that is
//! exact.

use super::condition::least_normal;
use super::eval::{Values, apply, literal};
use super::row::Row;
use super::term::{NodeTerm, Parsed, Term};
use super::typing::{operand_type, result_type};
use caustic_dialects::{arith, math};
use caustic_ir::eval::Val;
use caustic_ir::{FloatKind, OpDef, Type};
use smallvec::SmallVec;

/// A value and its magnitude: what it would be if every intermediate result were replaced by its
/// absolute value.
struct Measured {
    value: Val,
    magnitude: f64,
}

/// Returns the distance of the two sides, in units of the bound. `None` where the row states
/// nothing, or is not about floats.
pub fn error(row: &Row, parsed: &Parsed, values: &Values, ty: Type) -> Option<f64> {
    let left = measure(values, &parsed.left, ty)?;
    let right = measure(values, &parsed.right, ty)?;
    let told = row.told(right.value, ty);
    let (Val::Float(l), Val::Float(r)) = (&left.value, &told) else { return None };
    let magnitude = left.magnitude.max(right.magnitude);
    if l == r {
        return Some(0.0);
    }
    magnitude.is_finite().then(|| (l - r).abs() / unit(magnitude, ty))
}

/// One unit in the last place of a number.
fn unit(magnitude: f64, ty: Type) -> f64 {
    let digits = match ty.float_kind() {
        Some(FloatKind::F16) => 10,
        Some(FloatKind::F32) => 23,
        _ => 52,
    };
    let size = magnitude.max(least_normal(ty)).log2().floor() as i32;
    2f64.powi(size) * 2f64.powi(-digits)
}

fn measure(values: &Values, term: &Term, expected: Type) -> Option<Measured> {
    let value = match term {
        Term::Var(v) => values.vars.get(*v as usize)?.clone(),
        Term::Literal(number) => literal(*number, expected),
        Term::Node(node) => return measure_node(values, node, expected),
    };
    let magnitude = magnitude_of(&value, expected)?;
    Some(Measured { value, magnitude })
}

/// The magnitude of a value: 0 if it is no float, and `None` if a row states nothing about it.
fn magnitude_of(value: &Val, ty: Type) -> Option<f64> {
    match value {
        Val::Float(x) => (*x == 0.0 || (x.is_finite() && x.abs() >= least_normal(ty))).then(|| x.abs()),
        _ => Some(0.0),
    }
}

fn measure_node(values: &Values, node: &NodeTerm, expected: Type) -> Option<Measured> {
    let vars = |v: u8| values.types.get(v as usize).copied();
    let result = result_type(node, &vars, Some(expected))?;
    let is = |def: &OpDef| std::ptr::eq(node.def, def);
    if is(arith::Select::DEF) {
        // The operand that is not chosen does not matter.
        let condition = values.of(node.args.first()?, Some(Type::i1()))?;
        return measure(values, node.args.get(if condition.as_bool() { 1 } else { 2 })?, result);
    }
    let mut args: SmallVec<[Val; 3]> = SmallVec::new();
    let mut types: SmallVec<[Type; 3]> = SmallVec::new();
    let mut sizes: SmallVec<[f64; 3]> = SmallVec::new();
    for (n, arg) in node.args.iter().enumerate() {
        let ty = operand_type(node, n, &vars, Some(result))?;
        let measured = measure(values, arg, ty)?;
        args.push(measured.value);
        types.push(ty.elem());
        sizes.push(measured.magnitude);
    }
    let predicate = match node.compare {
        Some(compare) => Some(compare.number(node.def, &values.predicates)?),
        None => None,
    };
    let value = apply(node.def, predicate, &args, &types, result)?;
    let own = magnitude_of(&value, result)?;
    let multiplies = is(arith::MulF::DEF);
    let adds = is(arith::AddF::DEF) || is(arith::SubF::DEF) || is(math::Fma::DEF);
    let is_zero = |value: &Val| matches!(value, Val::Float(x) if *x == 0.0);
    if is_zero(&value) && !adds && !args.iter().any(is_zero) {
        // The result is too small for the type.
        return None;
    }
    let magnitude = match sizes[..] {
        [a, b] if adds => a + b,
        [a, b] if multiplies => a * b,
        [a, _] if is(arith::DivF::DEF) => a / args.get(1)?.as_float().abs(),
        [a, b, c] if is(math::Fma::DEF) => a * b + c,
        [a] if is(arith::NegF::DEF) || is(math::AbsF::DEF) => a,
        _ => own,
    };
    // The magnitude can be NaN although the value, which was checked above, is not; then the
    // value's own magnitude counts.
    Some(Measured { value, magnitude: if magnitude.is_nan() { own } else { magnitude } })
}
