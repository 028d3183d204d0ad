//! Every row of arithmetic, by values: both sides are evaluated through the semantics of their ops,
//! on all combinations of special numbers and on random bits, in every type that fits. A new row is
//! tested by being there.
//!
//! Exact rows give equal bits (NaN is NaN, whatever its payload). Others lie within their bounds
//! (`rows/bound.rs` says of what), whatever signs and sizes the operands have. Conditions hold by
//! value of all inputs that are tried, and each is needed: without it there is an input on which
//! the sides differ.

use caustic_ir::eval::{Val, normalize};
use caustic_ir::{FloatKind, Type};
use caustic_passes::rows::typing::fits;
use caustic_passes::rows::{About, Class, Parsed, Row, Term, Values, all, bound};

struct Random(u64);
impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545f4914f6cdd1d)
    }
}

/// Whether many more inputs are to be tried: `CAUSTIC_THOROUGH=1`.
fn thorough() -> bool {
    std::env::var_os("CAUSTIC_THOROUGH").is_some()
}

fn types() -> Vec<Type> {
    vec![Type::f32(), Type::f16(), Type::f64(), Type::i1(), Type::i32(), Type::int(8), Type::i64(), Type::index()]
}

/// All ways to give the variables types: `(types of variables, type of the result)`. Rows of many
/// variables mix no types but `i1`.
fn typings(parsed: &Parsed) -> Vec<(Vec<Type>, Type)> {
    let n = parsed.variables.len();
    let mut out = Vec::new();
    let all = types();
    let choices: Vec<Vec<Type>> = if n <= 2 {
        vec![all.clone()]
    } else {
        all.iter().map(|&t| if t.is_i1() { vec![t] } else { vec![t, Type::i1()] }).collect()
    };
    for choice in choices {
        let total = choice.len().pow(n as u32);
        for code in 0..total {
            let mut rest = code;
            let vars: Vec<Type> = (0..n)
                .map(|_| {
                    let t = choice[rest % choice.len()];
                    rest /= choice.len();
                    t
                })
                .collect();
            for &result in &all {
                let of = |v: u8| vars.get(v as usize).copied();
                let labels_fit = parsed.root().is_some() && fits(&parsed.left, &of, result);
                if labels_fit && fits(&parsed.right, &of, result) && !out.contains(&(vars.clone(), result)) {
                    out.push((vars.clone(), result));
                }
            }
        }
    }
    out
}

fn specials(ty: Type) -> Vec<Val> {
    let Some(kind) = ty.float_kind() else {
        let bits = ty.scalar_bits().unwrap_or(64);
        let all = [
            0i64,
            1,
            2,
            3,
            -1,
            -2,
            5,
            8,
            12,
            31,
            100,
            i64::MAX,
            i64::MIN,
            1 << 31,
            (1 << 31) - 1,
            -(1 << 31),
            127,
            -128,
        ];
        let mut out: Vec<Val> = all.iter().map(|&v| normalize(Val::Int(v), ty)).collect();
        out.extend(
            [1i64 << (bits.min(63) - 1).min(62), (1i64 << (bits - 1).min(62)) - 1].map(|v| normalize(Val::Int(v), ty)),
        );
        if ty.is_i1() {
            out = vec![Val::Int(0), Val::Int(1)];
        }
        return out;
    };
    let (least, normal, most, ulp) = match kind {
        FloatKind::F16 => (2f64.powi(-24), 2f64.powi(-14), 65504.0, 2f64.powi(-10)),
        FloatKind::F32 => (2f64.powi(-149), f32::MIN_POSITIVE as f64, f32::MAX as f64, f32::EPSILON as f64),
        FloatKind::F64 => (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, f64::EPSILON),
    };
    let positive = [
        0.0,
        least,
        3.0 * least,
        normal - least,
        normal,
        normal + least,
        0.1,
        0.5,
        1.0 - ulp / 2.0,
        1.0,
        1.0 + ulp,
        1.5,
        2.0,
        3.0,
        7.3,
        2f64.powi(12),
        most / 2.0,
        most,
        f64::INFINITY,
    ];
    let mut out: Vec<Val> = positive.iter().flat_map(|&v| [v, -v]).map(|v| normalize(Val::Float(v), ty)).collect();
    out.push(Val::Float(f64::NAN));
    out
}

fn random(ty: Type, r: &mut Random) -> Val {
    match ty.float_kind() {
        None if ty.is_i1() => Val::Int((r.next() & 1) as i64),
        None => normalize(Val::Int(r.next() as i64), ty),
        Some(FloatKind::F64) => Val::Float(f64::from_bits(r.next())),
        Some(_) => normalize(Val::Float(f32::from_bits(r.next() as u32) as f64), ty),
    }
}

fn same(a: &Val, b: &Val) -> bool {
    match (a, b) {
        (Val::Float(x), Val::Float(y)) => x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()),
        (Val::Int(x), Val::Int(y)) => x == y,
        _ => false,
    }
}

/// Inputs: all combinations of special values where these are few, else of some of them, and random
/// ones.
fn inputs(types: &[Type], count: usize, mut with: impl FnMut(Vec<Val>)) {
    let mut r = Random(0x9e3779b97f4a7c15);
    let specials: Vec<Vec<Val>> = types.iter().map(|&t| specials(t)).collect();
    let total: usize = specials.iter().map(Vec::len).fold(1, usize::saturating_mul);
    let most = if thorough() { 400_000 } else { 6_000 };
    for n in 0..total.min(most) {
        let mut rest = if total <= most { n } else { (r.next() % total as u64) as usize };
        with(
            specials
                .iter()
                .map(|s| {
                    let v = s[rest % s.len()].clone();
                    rest /= s.len();
                    v
                })
                .collect(),
        );
    }
    for _ in 0..count {
        with(
            types
                .iter()
                .zip(&specials)
                .map(|(&t, s)| {
                    if r.next().is_multiple_of(4) {
                        s[(r.next() % s.len() as u64) as usize].clone()
                    } else {
                        random(t, &mut r)
                    }
                })
                .collect(),
        );
    }
}

/// Both sides for an input; `None` if a condition about values does not hold. `left_out` is not
/// asked.
fn sides(
    (row, parsed): (&Row, &Parsed),
    types: &[Type],
    result: Type,
    vars: Vec<Val>,
    predicate: i64,
    left_out: Option<usize>,
) -> Option<(Val, Val)> {
    let mut values = Values { vars, types: types.to_vec(), predicates: vec![predicate; parsed.predicates] };
    values.label(parsed, result);
    for (n, condition) in parsed.when.iter().enumerate() {
        if Some(n) != left_out && !condition.by_value(&values.vars, &values.types) {
            return None;
        }
    }
    Some((values.of(&parsed.left, Some(result))?, row.right_value(parsed, &values, result)?))
}

fn exact() -> impl Iterator<Item = (&'static Row, &'static Parsed)> {
    all().filter(|r| r.class == Class::Exact).filter_map(|r| Some((r, r.parsed()?)))
}

#[test]
fn rows_are_well_formed() {
    let mut names = std::collections::BTreeSet::new();
    for row in all() {
        assert!(names.insert(row.name), "{} is there twice", row.name);
        match row.checked() {
            Err(e) => panic!("{}: {e}", row.name),
            Ok(parsed) => assert!(!typings(parsed).is_empty(), "{} fits no types", row.name),
        }
    }
}

fn predicates(parsed: &Parsed) -> Vec<i64> {
    fn is_int(term: &Term) -> Option<bool> {
        let Term::Node(n) = term else { return None };
        match n.compare {
            Some(_) => Some(n.def.name.ends_with("cmpi")),
            None => n.args.iter().find_map(is_int),
        }
    }
    match (parsed.predicates, is_int(&parsed.left)) {
        (0, _) => vec![0],
        (_, Some(true)) => (0..10).collect(),
        _ => (0..16).collect(),
    }
}

#[test]
fn exact_rows_give_equal_bits() {
    let mut wrong = Vec::new();
    for (row, parsed) in exact() {
        'row: for (types, result) in typings(parsed) {
            for predicate in predicates(parsed) {
                let mut found = None;
                let count = if thorough() {
                    200_000
                } else if predicate == 0 {
                    3_000
                } else {
                    500
                };
                inputs(&types, count, |vars| {
                    if found.is_none()
                        && let Some((a, b)) = sides((row, parsed), &types, result, vars.clone(), predicate, None)
                        && !same(&a, &b)
                    {
                        found = Some(format!("{}: {types:?} {vars:?}: {a:?} and {b:?}", row.name));
                    }
                });
                if let Some(text) = found {
                    wrong.push(text);
                    break 'row;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn conditions_are_needed() {
    let mut idle = Vec::new();
    for (row, parsed) in exact() {
        for (n, condition) in parsed.when.iter().enumerate() {
            if condition.predicate.about == About::Code {
                continue;
            }
            let kept = predicates(parsed);
            let needed = typings(parsed).into_iter().any(|(types, result)| {
                let mut needed = false;
                inputs(&types, 3_000, |vars| {
                    let differs = |p: &i64| {
                        sides((row, parsed), &types, result, vars.clone(), *p, Some(n))
                            .is_some_and(|(a, b)| !same(&a, &b))
                    };
                    needed = needed || kept.iter().any(differs);
                });
                needed
            });
            // Conditions on types keep rows from types in which literals mean something else.
            if !needed && condition.predicate.about == About::Values {
                idle.push(format!("{}: {}", row.name, condition.predicate.name));
            }
        }
    }
    assert!(idle.is_empty(), "conditions that nothing needs: {idle:?}");
}

/// Rows above exact, with the types in which their bounds are looked at.
fn inexact() -> impl Iterator<Item = (&'static Row, &'static Parsed, Vec<Type>, Type)> {
    let rows = all().filter(|r| r.class > Class::Linear).filter_map(|r| Some((r, r.parsed()?)));
    rows.flat_map(|(row, parsed)| {
        let floats = |ty: Type| {
            move |(types, result): &(Vec<Type>, Type)| *result == ty && types.iter().all(|t| *t == ty || t.is_i1())
        };
        [Type::f64(), Type::f32()].into_iter().filter_map(move |ty| {
            let (types, result) = typings(parsed).into_iter().find(floats(ty))?;
            Some((row, parsed, types, result))
        })
    })
}

/// Numbers of any sign and of sizes that differ, and such as nearly cancel one that came before.
fn mixed(types: &[Type], r: &mut Random) -> Vec<Val> {
    let mut out: Vec<Val> = Vec::new();
    let spread = 1 << (r.next() % 6);
    for &ty in types {
        let bits = r.next();
        let earlier = out.get((bits >> 8) as usize % out.len().max(1)).cloned();
        out.push(match (ty.is_i1(), earlier) {
            (true, _) => Val::Int((bits & 1) as i64),
            (false, Some(Val::Float(x))) if bits.is_multiple_of(4) => {
                let near = x * (1.0 + ((bits >> 20) % 64) as f64 * f64::from(f32::EPSILON));
                normalize(Val::Float(if bits & 64 == 0 { near } else { -near }), ty)
            }
            _ => {
                let sign = if bits & 64 == 0 { 1.0 } else { -1.0 };
                let mantissa = 1.0 + (bits >> 12) as f64 / (1u64 << 52) as f64;
                let size = (r.next() % (2 * spread + 1)) as i32 - spread as i32;
                normalize(Val::Float(sign * mantissa * 2f64.powi(size)), ty)
            }
        });
    }
    out
}

/// The values where the conditions hold, but for one.
fn values_of(parsed: &Parsed, types: &[Type], result: Type, vars: Vec<Val>, left_out: Option<usize>) -> Option<Values> {
    let mut values = Values { vars, types: types.to_vec(), predicates: vec![0; parsed.predicates] };
    values.label(parsed, result);
    let holds = |(n, c): (usize, &caustic_passes::rows::Condition)| {
        Some(n) == left_out || c.by_value(&values.vars, &values.types)
    };
    parsed.when.iter().enumerate().all(holds).then_some(values)
}

/// Rows whose bounds are those of a GPU's own functions, which the reference keeps easily.
const OF_MACHINES: [&str; 1] = ["reciprocal-root"];

/// Where all on the way is normal the sides lie within the bound, whatever signs and sizes there
/// are; and no bound is far from what is seen.
#[test]
fn other_rows_keep_their_bounds() {
    let mut wrong = Vec::new();
    let mut worst: std::collections::BTreeMap<&str, (f64, u32)> = Default::default();
    for (row, parsed, types, result) in inexact() {
        let mut r = Random(7);
        let count = if thorough() { 1_000_000 } else { 12_000 };
        let mut told = 0;
        for _ in 0..count {
            let vars = mixed(&types, &mut r);
            let Some(values) = values_of(parsed, &types, result, vars, None) else { continue };
            let Some(error) = bound::error(row, parsed, &values, result) else { continue };
            told += 1;
            let most = worst.entry(row.name).or_insert((0.0, row.ulps));
            most.0 = most.0.max(error);
        }
        if told < count / 20 {
            wrong.push(format!("{}: only {told} inputs of {result:?} say something", row.name));
        }
    }
    for (name, (error, ulps)) in worst {
        let bound = f64::from(ulps);
        let is_loose = ulps > 1 && error < bound / 8.0 && !OF_MACHINES.contains(&name);
        if error > bound || is_loose {
            wrong.push(format!("{name}: {error} units, and the bound is {bound}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A NaN that goes in comes out of both sides, or of neither.
#[test]
fn other_rows_keep_nan() {
    let mut wrong = Vec::new();
    for (row, parsed, types, result) in inexact() {
        let mut r = Random(11);
        for n in 0..6_000 {
            let mut vars = mixed(&types, &mut r);
            let at = n % vars.len();
            if types[at].is_float() {
                vars[at] = Val::Float(f64::NAN);
            }
            let Some(values) = values_of(parsed, &types, result, vars, None) else { continue };
            let sides = (values.of(&parsed.left, Some(result)), row.right_value(parsed, &values, result));
            if let (Some(Val::Float(a)), Some(Val::Float(b))) = sides
                && a.is_nan() != b.is_nan()
            {
                wrong.push(format!("{}: {:?}: {a} and {b}", row.name, values.vars));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of ordinary numbers, zeros and infinities a row makes no NaN that was none, and what was NaN is
/// no finite number: infinite at most.
#[test]
fn other_rows_make_no_nan() {
    const NUMBERS: [f64; 9] = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 6.0, f64::INFINITY, f64::NEG_INFINITY];
    let mut wrong = Vec::new();
    for (row, parsed, types, result) in inexact().filter(|(.., result)| *result == Type::f64()) {
        let floats: Vec<usize> = (0..types.len()).filter(|&n| types[n].is_float()).collect();
        let mut r = Random(13);
        for code in 0..NUMBERS.len().pow(floats.len() as u32) {
            let mut vars = mixed(&types, &mut r);
            for (k, &at) in floats.iter().enumerate() {
                vars[at] = Val::Float(NUMBERS[code / NUMBERS.len().pow(k as u32) % NUMBERS.len()]);
            }
            let Some(values) = values_of(parsed, &types, result, vars, None) else { continue };
            let sides = (values.of(&parsed.left, Some(result)), row.right_value(parsed, &values, result));
            if let (Some(Val::Float(a)), Some(Val::Float(b))) = sides
                && (a.is_nan() && b.is_finite() || b.is_nan() && !a.is_nan())
            {
                wrong.push(format!("{}: {:?}: {a} and {b}", row.name, values.vars));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without a condition of a row above exact there is an input on which the sides lie further apart
/// than the bound, or on which one is NaN or infinite and the other is not.
#[test]
fn conditions_of_other_rows_are_needed() {
    let mut idle = Vec::new();
    for (row, parsed, types, result) in inexact().filter(|(.., result)| *result == Type::f64()) {
        for (n, condition) in parsed.when.iter().enumerate() {
            if condition.predicate.about != About::Values {
                continue;
            }
            let breaks = |vars: Vec<Val>| {
                let Some(values) = values_of(parsed, &types, result, vars, Some(n)) else { return false };
                if condition.by_value(&values.vars, &values.types) {
                    return false;
                }
                let far = bound::error(row, parsed, &values, result).is_some_and(|e| e > f64::from(row.ulps));
                let sides = (values.of(&parsed.left, Some(result)), row.right_value(parsed, &values, result));
                let (Some(Val::Float(a)), Some(Val::Float(b))) = sides else { return far };
                far || a.is_nan() != b.is_nan() || a.is_infinite() != b.is_infinite()
            };
            let mut needed = false;
            inputs(&types, 3_000, |vars| needed = needed || breaks(vars));
            if !needed {
                idle.push(format!("{}: {}", row.name, condition.predicate.name));
            }
        }
    }
    assert!(idle.is_empty(), "conditions that nothing needs: {idle:?}");
}
