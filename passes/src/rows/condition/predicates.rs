//! The predicates that a row may name. A predicate on values has the name and the meaning of the
//! query on facts (`caustic_ir::fact`).

use super::{About, Known, Predicate};
use caustic_dialects::arith::num::{signed, unsigned, width};
use caustic_ir::eval::Val;
use caustic_ir::fact::{Fact, IntFact};
use caustic_ir::{FloatKind, Type};

/// For predicates that only constants and types decide.
fn undecided(_: &[Known]) -> bool {
    false
}

/// A query on the fact of the only value.
fn one(k: &[Known], asks: fn(Fact) -> bool) -> bool {
    matches!(k, [k] if asks(k.fact))
}

/// A query on the facts of two values.
fn two(k: &[Known], asks: fn(Fact, Fact) -> bool) -> bool {
    matches!(k, [a, b] if asks(a.fact, b.fact))
}

/// A query on the facts of two integers.
fn ints(k: &[Known], asks: fn(IntFact, IntFact) -> bool) -> bool {
    let [a, b] = k else { return false };
    a.fact.int().zip(b.fact.int()).is_some_and(|(a, b)| asks(a, b))
}

/// Whether each value is one of integer type `ty`, read as signed.
fn fits(fact: Fact, ty: Type) -> bool {
    let all = Fact::top(ty.elem()).int();
    fact.int().zip(all).is_some_and(|(f, all)| all.signed.0 <= f.signed.0 && f.signed.1 <= all.signed.1)
}

fn always(_: &[Val], _: &[Type]) -> bool {
    true
}

/// A predicate on the value of one float.
fn float(v: &[Val], holds: fn(f64) -> bool) -> bool {
    matches!(v, [Val::Float(x)] if holds(*x))
}

/// A predicate on the value of one number: a float, or an integer read as signed.
fn number(v: &[Val], t: &[Type], float: fn(f64) -> bool, int: fn(i64) -> bool) -> bool {
    match (v, t) {
        ([Val::Float(x)], _) => float(*x),
        ([Val::Int(x)], [ty]) => int(signed(*x, *ty)),
        _ => false,
    }
}

/// A predicate on two floats, true if one is NaN, or on two integers read as signed.
fn numbers(v: &[Val], t: &[Type], float: fn(f64, f64) -> bool, int: fn(i64, i64) -> bool) -> bool {
    match (v, t) {
        ([Val::Float(x), Val::Float(y)], _) => x.is_nan() || y.is_nan() || float(*x, *y),
        ([Val::Int(x), Val::Int(y)], [a, b]) => int(signed(*x, *a), signed(*y, *b)),
        _ => false,
    }
}

/// A predicate on two integers read as unsigned, with the type of the first one.
fn naturals(v: &[Val], t: &[Type], holds: fn(u64, u64, Type) -> bool) -> bool {
    matches!((v, t), ([Val::Int(x), Val::Int(y)], [a, b]) if holds(unsigned(*x, *a), unsigned(*y, *b), *a))
}

/// The least normal number of the type.
pub fn least_normal(ty: Type) -> f64 {
    match ty.float_kind() {
        Some(FloatKind::F16) => 2f64.powi(-14),
        Some(FloatKind::F32) => f32::MIN_POSITIVE as f64,
        _ => f64::MIN_POSITIVE,
    }
}

/// Whether this is a power of two or its negation, with a normal inverse: multiplying by either
/// only changes the exponent.
fn power_of_two(x: f64, ty: Type) -> bool {
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    mantissa == 0 && x.abs() >= least_normal(ty) && 1.0 / x.abs() >= least_normal(ty)
}

/// Declares the predicates: `name(arity) about "meaning" by value; by fact`
macro_rules! predicates {
    ( $( $name:ident ( $arity:literal ) $about:ident $doc:literal $by_value:expr; $by_fact:expr )* ) => {
        pub static PREDICATES: &[Predicate] = &[ $( Predicate {
            name: stringify!($name),
            doc: $doc,
            about: About::$about,
            arity: $arity,
            by_value: $by_value,
            by_fact: $by_fact,
        } ),* ];
    };
}

predicates! {
    const(1) Code "is a constant" always; |k| k.iter().all(|k| k.constant.is_some())
    apart(2) Code "are not the same value, nor one the negative of the other" always;
        |k| matches!(k, [a, b] if a.id != b.id && a.negative_of != Some(b.id) && b.negative_of != Some(a.id))
    // The e-graph keeps both sides, so the condition holds there.
    alone(0) Code "nothing else reads what the left side computes on the way" always; |_| true
    boolean(1) Types "is of type `i1`" |_, t| t.iter().all(|t| t.is_i1()); undecided
    integer(1) Types "is an integer and no index" |_, t| t.iter().all(|t| t.is_int()); undecided
    // A product of two such numbers has at most 48 bits.
    narrow_float(1) Types "is of type `f16` or `f32`" |_, t| t.iter().all(|t| t.float_kind() != Some(FloatKind::F64)); undecided
    narrower(2) Types "is of a type of fewer bits than" |_, t| matches!(t, [a, b] if width(*a) < width(*b)); undecided
    as_wide(2) Types "is of a type of at least as many bits as" |_, t| matches!(t, [a, b] if width(*a) >= width(*b)); undecided

    never_nan(1) Values "is never NaN" |v, _| float(v, |x| !x.is_nan()); |k| one(k, Fact::never_nan)
    never_infinite(1) Values "is never infinite" |v, _| float(v, |x| !x.is_infinite()); |k| one(k, Fact::never_infinite)
    finite(1) Values "is never NaN and never infinite" |v, _| float(v, f64::is_finite); |k| one(k, Fact::finite)
    positive(1) Values "is above zero" |v, t| number(v, t, |x| x > 0.0, |x| x > 0); |k| one(k, Fact::positive)
    negative(1) Values "is below zero" |v, t| number(v, t, |x| x < 0.0, |x| x < 0); |k| one(k, Fact::negative)
    never_negative(1) Values "is never below zero" |v, t| number(v, t, |x| x.is_nan() || x >= 0.0, |x| x >= 0); |k| one(k, Fact::never_negative)
    never_positive(1) Values "is never above zero" |v, t| number(v, t, |x| x.is_nan() || x <= 0.0, |x| x <= 0); |k| one(k, Fact::never_positive)
    never_zero(1) Values "is never zero" |v, t| number(v, t, |x| x != 0.0, |x| x != 0); |k| one(k, Fact::never_zero)
    never_negative_zero(1) Values "is never -0" |v, _| float(v, |x| x != 0.0 || !x.is_sign_negative()); |k| one(k, Fact::never_negative_zero)
    never_positive_zero(1) Values "is never +0" |v, _| float(v, |x| x != 0.0 || x.is_sign_negative()); |k| one(k, Fact::never_positive_zero)
    never_subnormal(1) Values "is never subnormal"
        |v, t| matches!((v, t), ([Val::Float(x)], [t]) if x.is_nan() || *x == 0.0 || x.abs() >= least_normal(*t)); |k| one(k, Fact::never_subnormal)
    below(2) Values "is less than, where neither is NaN," |v, t| numbers(v, t, |x, y| x < y, |x, y| x < y); |k| two(k, Fact::below)
    at_most(2) Values "is at most, where neither is NaN," |v, t| numbers(v, t, |x, y| x <= y, |x, y| x <= y); |k| two(k, Fact::at_most)
    power_of_two(1) Values "is a power of two or the opposite of one, normal like its inverse"
        |v, t| matches!((v, t), ([Val::Float(x)], [t]) if power_of_two(*x, *t)); undecided

    below_unsigned(2) Values "is less than, as unsigned integers," |v, t| naturals(v, t, |x, y, _| x < y); |k| two(k, Fact::below_unsigned)
    at_most_unsigned(2) Values "is at most, as unsigned integers," |v, t| naturals(v, t, |x, y, _| x <= y); |k| two(k, Fact::at_most_unsigned)
    disjoint(2) Values "has no bit in common with" |v, t| naturals(v, t, |x, y, _| x & y == 0); |k| ints(k, |a, b| (a.mask() & !a.zeros) & (b.mask() & !b.zeros) == 0)
    within_bits(2) Values "has only bits that are set in" |v, t| naturals(v, t, |x, y, _| x & !y == 0); |k| ints(k, |a, b| (a.mask() & !a.zeros) & !b.ones == 0)
    outside_bits(2) Values "has a bit that is not set in" |v, t| naturals(v, t, |x, y, _| x & !y != 0); undecided
    shift_amount(1) Values "is less than the number of bits, as an unsigned integer"
        |v, t| matches!((v, t), ([Val::Int(x)], [t]) if unsigned(*x, *t) < width(*t) as u64); |k| matches!(k, [k] if k.fact.int().is_some_and(|f| f.unsigned.1 < width(k.ty.elem()) as u64))
    sums_within(2) Values "has an unsigned sum that does not wrap, with"
        |v, t| naturals(v, t, |x, y, t| x as u128 + y as u128 <= unsigned(-1, t) as u128); |k| ints(k, |a, b| a.unsigned.1 as u128 + b.unsigned.1 as u128 <= a.mask() as u128)
    multiplies_within(2) Values "has an unsigned product that does not wrap, with"
        |v, t| naturals(v, t, |x, y, t| x as u128 * y as u128 <= unsigned(-1, t) as u128); |k| ints(k, |a, b| a.unsigned.1 as u128 * b.unsigned.1 as u128 <= a.mask() as u128)
    divides(2) Values "divides, as unsigned integers," |v, t| naturals(v, t, |x, y, _| x != 0 && y % x == 0); undecided
    same_number(2) Values "is the same number as, both read as signed,"
        |v, t| matches!((v, t), ([Val::Int(x), Val::Int(y)], [a, b]) if signed(*x, *a) == signed(*y, *b)); |k| matches!(k, [a, b] if fits(b.fact, a.ty))
}
