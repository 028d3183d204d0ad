//! Facts say what rewrites need: expected ones of common expressions, so that no rule becomes sound
//! by saying nothing.

use caustic_dialects::arith::build::number_attr;
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_dialects::{facts, math, strong};
use caustic_ir::fact::{Fact, FloatFact, IntFact, Kinds};
use caustic_ir::{Attr, FloatKind, Name, OpDef, Type};

const F: fn() -> Type = Type::f32;

/// An expression on values of one type; operands with equal text are the same value.
#[derive(Clone)]
struct E {
    ty: Type,
    fact: Fact,
    text: String,
}

fn leaf(ty: Type) -> E {
    E { ty, fact: Fact::top(ty), text: format!("leaf {ty}") }
}

fn u() -> E {
    leaf(F())
}

fn n() -> E {
    leaf(Type::i32())
}

fn number(value: f64, ty: Type) -> E {
    let fact = Fact::constant(number_attr(value, ty));
    E { ty, fact, text: format!("{value}") }
}

fn op_with(def: &'static OpDef, args: &[&E], result: Type, attrs: &[(Name, Attr)]) -> E {
    let types: Vec<Type> = args.iter().map(|a| a.ty).collect();
    let known: Vec<Fact> = args.iter().map(|a| a.fact).collect();
    let first = |a: &E| args.iter().position(|b| b.text == a.text).unwrap_or(0);
    let same: Vec<usize> = args.iter().map(|a| first(a)).collect();
    let fact = facts::of_same(def, attrs, &types, result, &known, &same);
    let inner: Vec<&str> = args.iter().map(|a| a.text.as_str()).collect();
    E { ty: result, fact, text: format!("({} {attrs:?} {})", def.name, inner.join(" ")) }
}

fn op(def: &'static OpDef, args: &[&E]) -> E {
    let types: Vec<Type> = args.iter().map(|a| a.ty).collect();
    op_with(def, args, def.infer_results(&types).unwrap_or_default()[0], &[])
}

fn compare(p: Attr, a: &E, b: &E) -> Fact {
    let def = if a.ty.is_float() { arith::CmpF::DEF } else { arith::CmpI::DEF };
    op_with(def, &[a, b], Type::i1(), &[(Name::new("predicate"), p)]).fact
}

fn clamp(x: &E, lo: f64, hi: f64) -> E {
    op(arith::MinNumF::DEF, &[&op(arith::MaxNumF::DEF, &[x, &number(lo, x.ty)]), &number(hi, x.ty)])
}

fn saturate(x: &E) -> E {
    clamp(x, 0.0, 1.0)
}

const SOME: Kinds = Kinds::POS_NORMAL;

fn float(kinds: Kinds, lo: f64, hi: f64) -> Fact {
    FloatFact::new(FloatKind::F32, kinds, lo, hi).map_or(Fact::None, Fact::Float)
}

fn positive() -> Kinds {
    Kinds::POS_ZERO | Kinds::POS_SUBNORMAL | Kinds::POS_NORMAL
}

#[track_caller]
fn is(e: &E, wanted: Fact) {
    assert_eq!(e.fact, wanted, "{}", e.text);
}

const EPS: f64 = f32::EPSILON as f64;

#[test]
fn intervals_of_floats() {
    let s = saturate(&u());
    // `max(-0, +0)` is +0, and `max(NaN, 0)` too.
    is(&s, float(positive(), 0.0, 1.0));
    is(&clamp(&u(), 0.25, 4.0), float(SOME, 0.25, 4.0));
    is(&op(math::AbsF::DEF, &[&u()]), float(Kinds::POSITIVE | Kinds::POS_ZERO | Kinds::NAN, 0.0, f64::INFINITY));
    is(&op(arith::AddF::DEF, &[&op(arith::MulF::DEF, &[&s, &s]), &number(0.5, F())]), float(SOME, 0.5, 1.5));
    let square = op(arith::MulF::DEF, &[&u(), &u()]);
    is(&square, float(Kinds::POSITIVE | Kinds::POS_ZERO | Kinds::NAN, 0.0, f64::INFINITY));
    // No root is subnormal.
    let root = Kinds::POS_ZERO | SOME | Kinds::POS_INF | Kinds::NAN;
    is(&op(math::Sqrt::DEF, &[&square]), float(root, 0.0, f64::INFINITY));
    is(&op(math::Sqrt::DEF, &[&s]), float(Kinds::POS_ZERO | SOME, 0.0, 1.0));
    let exp = op(math::Exp::DEF, &[&u()]);
    is(&exp, float(Kinds::POSITIVE | Kinds::POS_ZERO | Kinds::NAN, 0.0, f64::INFINITY));
    // A target may be wrong by two units in the last place.
    let two = 1.0 + 2.0 * EPS;
    let sin = op(math::Sin::DEF, &[&u()]);
    is(&sin, float(Kinds::INFINITE.complement(), -two, two));
    assert!(op(math::Sin::DEF, &[&s]).fact.never_negative() && op(math::Cos::DEF, &[&s]).fact.positive());
    assert!(op(math::Sin::DEF, &[&clamp(&u(), 0.0, 3.0)]).fact.never_negative());
    is(&op(math::Exp::DEF, &[&op(arith::NegF::DEF, &[&s])]), {
        let least = f64::from((-1.0f32).exp());
        let unit = f64::from(f32::from_bits(1.0f32.to_bits() + 1)) - 1.0;
        float(SOME, least - 3.0 * unit / 4.0, 1.0 + 3.0 * EPS)
    });
    let x = clamp(&u(), 0.0, 65535.0);
    let rcp = op(arith::DivF::DEF, &[&number(1.0, F()), &op(arith::AddF::DEF, &[&x, &number(1.0, F())])]);
    is(&rcp, float(SOME, 1.0 / 65536.0, 1.0));
    let log = op(math::Log::DEF, &[&op(arith::AddF::DEF, &[&x, &number(1.0, F())])]).fact;
    assert!(log.finite() && log.never_negative() && log.never_negative_zero() && log.never_subnormal());
    assert!(log.at_most(number(11.2, F()).fact));
}

#[test]
fn signs_and_zeros() {
    let s = saturate(&u());
    let exp = op(math::Exp::DEF, &[&u()]);
    assert!(exp.fact.never_negative_zero() && exp.fact.never_negative() && !exp.fact.never_nan());
    // `s - s` is zero where `s` is finite.
    let zero = op(arith::SubF::DEF, &[&s, &s]);
    assert_eq!(zero.fact.as_constant(F()), Some(Attr::float(0.0, F())));
    assert!(op(arith::SubF::DEF, &[&u(), &u()]).fact.as_constant(F()).is_none());
    let c = clamp(&u(), 0.01, 100.0);
    assert!(c.fact.positive() && c.fact.finite() && c.fact.never_zero());
    is(&op(arith::DivF::DEF, &[&c, &c]), number(1.0, F()).fact);
    assert!(op(math::PowF::DEF, &[&c, &number(-0.58, F())]).fact.positive());
    assert!(op(math::PowF::DEF, &[&u(), &number(2.0, F())]).fact.never_negative());
    assert!(op(math::PowF::DEF, &[&s, &number(5.0, F())]).fact.finite());
    // A fused square and something that is not below zero.
    let fused = op(math::Fma::DEF, &[&u(), &u(), &s]);
    assert!(fused.fact.never_negative() && fused.fact.never_negative_zero());
    is(&op(math::Fma::DEF, &[&s, &s, &number(1.0, F())]), float(SOME, 1.0, 2.0));
    // A strong zero stays one.
    let gated = op(strong::MulF::DEF, &[&number(0.0, F()), &u()]);
    assert_eq!(gated.fact.as_constant(F()), Some(Attr::float(0.0, F())));
    assert!(op(math::CopySign::DEF, &[&u(), &s]).fact.never_negative());
    let rest = op(arith::RemF::DEF, &[&u(), &number(1.0, F())]).fact;
    assert!(rest.below(number(1.0, F()).fact) && rest.never_infinite());
    assert!(op(math::Floor::DEF, &[&u()]).fact.never_subnormal() && op(math::Round::DEF, &[&s]).fact.never_subnormal());
    assert!(op(math::Tanh::DEF, &[&u()]).fact.at_most(number(1.001, F()).fact));
    // The sum of what is not subnormal may be.
    assert!(!op(arith::SubF::DEF, &[&c, &clamp(&leaf(F()), 0.25, 4.0)]).fact.never_zero());
}

#[test]
fn comparisons_of_floats() {
    let c = clamp(&u(), 0.01, 100.0);
    let (t, f) = (Fact::constant(Attr::bool(true)), Fact::constant(Attr::bool(false)));
    assert_eq!(compare(FloatPredicate::Oeq.attr(), &c, &c), t);
    assert_eq!(compare(FloatPredicate::Olt.attr(), &c, &number(1000.0, F())), t);
    assert_eq!(compare(FloatPredicate::Olt.attr(), &c, &number(0.001, F())), f);
    assert_eq!(compare(FloatPredicate::Uno.attr(), &c, &c), f);
    let both = Fact::top(Type::i1());
    assert_eq!(compare(FloatPredicate::Oeq.attr(), &u(), &u()), both);
    assert_eq!(compare(FloatPredicate::Olt.attr(), &u(), &u()), f);
    assert_eq!(compare(FloatPredicate::Olt.attr(), &c, &number(1.0, F())), both);
    let zero = number(0.0, F());
    assert_eq!(compare(FloatPredicate::Une.attr(), &c, &zero), t);
    assert_eq!(compare(FloatPredicate::Oge.attr(), &saturate(&u()), &zero), t);
    assert_eq!(compare(FloatPredicate::Uge.attr(), &op(arith::MulF::DEF, &[&u(), &u()]), &zero), t);
}

fn int(e: &E) -> IntFact {
    e.fact.int().unwrap()
}

#[test]
fn ranges_and_bits_of_integers() {
    let i32 = Type::i32();
    let c = |v: i64| number(v as f64, i32);
    let low = op(arith::AndI::DEF, &[&n(), &c(15)]);
    assert_eq!(low.fact, Fact::Int(IntFact::between(0, 15, 32).unwrap()));
    assert_eq!(compare(IntPredicate::Ult.attr(), &low, &c(16)), Fact::constant(Attr::bool(true)));
    assert_eq!(compare(IntPredicate::Slt.attr(), &n(), &n()), Fact::constant(Attr::bool(false)));
    let eighth = op(arith::MulI::DEF, &[&n(), &c(8)]);
    assert!(eighth.fact.never_set(7) && int(&eighth).signed == (i32::MIN.into(), (i32::MAX - 7).into()));
    let row = op(arith::AddI::DEF, &[&op(arith::MulI::DEF, &[&low, &c(12)]), &c(5)]);
    assert_eq!(int(&row).signed, (5, 185));
    assert_eq!(int(&op(arith::DivUI::DEF, &[&row, &c(12)])).signed, (0, 15));
    assert_eq!(int(&op(arith::RemUI::DEF, &[&n(), &c(12)])).signed, (0, 11));
    assert_eq!(int(&op(arith::RemSI::DEF, &[&n(), &c(12)])).signed, (-11, 11));
    assert_eq!(int(&op(arith::ShRUI::DEF, &[&n(), &c(28)])).signed, (0, 15));
    assert_eq!(int(&op(arith::ShLI::DEF, &[&low, &c(4)])).signed, (0, 240));
    assert_eq!(op(arith::SubI::DEF, &[&n(), &n()]).fact, c(0).fact);
    assert_eq!(op(arith::OrI::DEF, &[&low, &c(-16)]).fact.int().map(|f| f.signed), Some((-16, -1)));
    // All bits but the sign's wrap together.
    let turned = op(arith::AddI::DEF, &[&op(arith::MaxSI::DEF, &[&n(), &c(i32::MAX.into())]), &c(1)]);
    assert_eq!(turned.fact, c(i32::MIN.into()).fact);
    let wide = op_with(arith::ExtUI::DEF, &[&leaf(Type::int(8))], i32, &[]);
    assert_eq!(int(&wide).signed, (0, 255));
    let index = op_with(arith::IndexCast::DEF, &[&row], Type::index(), &[]);
    assert_eq!(int(&index).signed, (5, 185));
    assert_eq!(int(&op_with(arith::IndexCast::DEF, &[&index], i32, &[])).signed, (5, 185));
    assert_eq!(int(&op(math::CtPop::DEF, &[&n()])).signed, (0, 32));
    assert_eq!(int(&op(math::AbsI::DEF, &[&low])).signed, (0, 15));
    assert_eq!(int(&op(arith::MinSI::DEF, &[&n(), &c(3)])).signed, (i32::MIN.into(), 3));
    let not = op(arith::XOrI::DEF, &[&low, &c(-1)]);
    assert_eq!(int(&not).signed, (-16, -1));
    assert!(op(arith::MulI::DEF, &[&n(), &n()]).fact.never_set(2));
}

#[test]
fn conversions() {
    let low = op(arith::AndI::DEF, &[&n(), &number(15.0, Type::i32())]);
    let f = op_with(arith::SIToFP::DEF, &[&low], F(), &[]);
    is(&f, float(Kinds::POS_ZERO | SOME, 0.0, 15.0));
    let back = op_with(arith::FPToSI::DEF, &[&f], Type::i32(), &[]);
    assert_eq!(int(&back).signed, (0, 15));
    let all = op_with(
        arith::FPToSI::DEF,
        &[&op(arith::MulF::DEF, &[&saturate(&u()), &number(255.0, F())])],
        Type::i32(),
        &[],
    );
    assert_eq!(int(&all).signed, (0, 255));
    let bits = op_with(arith::Bitcast::DEF, &[&saturate(&u())], Type::i32(), &[]);
    assert_eq!(int(&bits).signed, (0, 1.0f32.to_bits().into()));
    let half = op_with(arith::TruncF::DEF, &[&saturate(&u())], Type::f16(), &[]);
    assert!(half.fact.finite() && half.fact.never_negative() && half.fact.never_negative_zero());
    // No half is subnormal as a float.
    assert!(op_with(arith::ExtF::DEF, &[&leaf(Type::f16())], F(), &[]).fact.never_subnormal());
}

#[test]
fn values_of_which_a_comparison_is_known() {
    use facts::compare::{Order, ordered, ordered_to_itself};
    let zero = number(0.0, F()).fact;
    let above = Order::of_floats(FloatPredicate::Ogt);
    let positive = ordered(u().fact, above, zero).unwrap();
    assert!(positive.positive() && positive.never_nan());
    // Where it is not above zero it may be NaN.
    let other = ordered(u().fact, above.inverse(), zero).unwrap();
    assert!(other.never_positive() && !other.never_nan());
    assert!(ordered(u().fact, Order::of_floats(FloatPredicate::One), zero).unwrap().never_zero());
    assert!(ordered_to_itself(u().fact, Order::of_floats(FloatPredicate::Oeq)).unwrap().never_nan());
    assert!(ordered(u().fact, Order::of_floats(FloatPredicate::Olt), number(f64::NEG_INFINITY, F()).fact).is_none());
    let below = ordered(n().fact, Order::of_ints(IntPredicate::Ult), number(16.0, Type::i32()).fact);
    assert_eq!(below, Some(Fact::Int(IntFact::between(0, 15, 32).unwrap())));
    let apart = ordered(n().fact, Order::of_ints(IntPredicate::Ne), number(0.0, Type::i32()).fact);
    assert!(apart.unwrap().never_zero());
}
