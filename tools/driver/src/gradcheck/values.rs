//! Values as points and directions: drawing them at random, moving along a differential, and inner
//! products.

use super::constants::Side;
use caustic_dialects::ad::{differential_fields, differential_type};
use caustic_dialects::agg::{StructType, part_types, zero_value};
use caustic_ir::eval::{Val, normalize};
use caustic_ir::{Type, TypeKind};

/// xorshift64*: the samples depend on the seed and on nothing else.
#[derive(Clone, Copy)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // Neighbouring seeds must not give neighbouring streams; zero is the generator's only fixed
        // point.
        let mixed = (seed ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Random(if mixed == 0 { 1 } else { mixed })
    }
    /// A stream of its own for each list of numbers.
    pub fn of(numbers: &[u64]) -> Random {
        // The finalizer of splitmix64 spreads each over all bits.
        let hash = numbers.iter().fold(numbers.len() as u64, |hash, n| {
            let hash = (hash ^ n).wrapping_add(0x9E37_79B9_7F4A_7C15);
            let hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            hash ^ (hash >> 31)
        });
        Random::new(hash)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// Uniform in [low, high).
    pub fn float(&mut self, low: f64, high: f64) -> f64 {
        low + (self.next() >> 11) as f64 / (1u64 << 53) as f64 * (high - low)
    }
    /// One of so many.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() >> 33) as usize % count.max(1)
    }
}

/// The parts of an aggregate with their types: scalars of a vector, fields, elements.
fn parts(ty: Type) -> Option<Vec<Type>> {
    match ty.kind() {
        TypeKind::Vector { elem, .. } => Some(vec![*elem; ty.num_elements()]),
        _ => part_types(ty),
    }
}

/// Which fields of a struct hold nothing, by the value that it has; its numbers and flags do.
fn is_absent(s: StructType, value: &[Val], field: usize) -> bool {
    let number = |place: usize| match value.get(place) {
        Some(Val::Int(n)) => *n,
        _ => 0,
    };
    match (s.choices(), s.presence()) {
        (Some(choices), _) => field > 0 && choices.get(field - 1) != Some(&number(0)),
        (None, Some(flag)) => field != flag && number(flag) == 0,
        (None, None) => false,
    }
}

/// Where numbers are drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Domain<'a> {
    pub floats: Floats<'a>,
    pub integers: Integers<'a>,
}

#[derive(Clone, Copy, Debug)]
pub enum Floats<'a> {
    Range(f64, f64),
    /// Beside numbers, each in its turn; not `always`, but where something has several floats.
    Near {
        sides: &'a [Side],
        turn: u64,
        always: bool,
        plain: (f64, f64),
    },
    /// One of these, each in its turn; not `always`, but where something has several floats.
    At {
        points: &'a [f64],
        turn: u64,
        always: bool,
        plain: (f64, f64),
    },
    /// All of them about so far apart, by turns above and below the same number.
    Together {
        gap: f64,
        turn: u64,
        plain: (f64, f64),
    },
    /// Of all magnitudes up to about a thousand.
    Far(Sign),
}

#[derive(Clone, Copy, Debug)]
pub enum Sign {
    Plus,
    Minus,
    Any,
}

#[derive(Clone, Copy, Debug)]
pub enum Integers<'a> {
    /// From 0 to 5.
    Small,
    /// Also negative and larger ones: counts that reach other code, at the price of loops that run
    /// long and of indices that are out of range.
    Wide,
    /// Beside these, each in its turn.
    Near { of: &'a [i64], turn: u64 },
    /// This one; not `always`, but where something has several integers.
    At { n: i64, always: bool },
    /// Of these bits, the chosen ones, and as often others.
    Bits { of: &'a [i64], chosen: u64, always: bool },
}

/// The magnitudes of far numbers, as powers of two.
const MAGNITUDES: (f64, f64) = (0.5, 10.0);
/// How far beside a number points are, in parts of its size: far enough for differences.
const BESIDE: (f64, f64) = (0.02, 0.5);

impl<'a> Domain<'a> {
    /// Floats of this range, and small non-negative integers.
    pub fn of(floats: (f64, f64)) -> Domain<'a> {
        Domain { floats: Floats::Range(floats.0, floats.1), integers: Integers::Small }
    }

    /// The same with other turns.
    pub fn turned(self, by: u64, always: bool) -> Domain<'a> {
        let Domain { mut floats, mut integers } = self;
        if let Floats::Near { turn, always: is_always, .. } | Floats::At { turn, always: is_always, .. } = &mut floats {
            (*turn, *is_always) = (turn.wrapping_add(by), always);
        }
        if let Floats::Together { turn, plain, .. } = &mut floats {
            // The number that they are all beside is that of the probe.
            let base = Random::of(&[*turn]).float(plain.0, plain.1);
            (*turn, *plain) = (turn.wrapping_add(by), (base, base));
        }
        if let Integers::Near { turn, .. } = &mut integers {
            *turn = turn.wrapping_add(by);
        }
        Domain { floats, integers }
    }

    /// With small integers only: those in buffers are mostly places in others.
    pub fn of_places(self) -> Domain<'a> {
        Domain { integers: Integers::Small, ..self }
    }

    pub fn float(self, r: &mut Random) -> f64 {
        match self.floats {
            Floats::Range(low, high) => r.float(low, high),
            Floats::Far(sign) => {
                let size = r.float(MAGNITUDES.0, MAGNITUDES.1).exp2();
                match sign {
                    Sign::Minus => -size,
                    Sign::Any if r.next() >> 63 == 1 => -size,
                    Sign::Plus | Sign::Any => size,
                }
            }
            Floats::Together { gap, turn, plain } => {
                let part = if turn < 8 { r.float(0.2, 0.45) } else { r.float(-0.5, 0.5) };
                plain.0 + if turn % 2 == 0 { gap * part } else { -gap * part }
            }
            Floats::At { points, turn, always, plain } => {
                let kind = if always { 0 } else { r.below(4) };
                let at = if kind == 2 { r.next() >> 33 } else { turn };
                let point = points.get((at % points.len().max(1) as u64) as usize).filter(|_| kind < 3);
                point.copied().unwrap_or_else(|| r.float(plain.0, plain.1))
            }
            Floats::Near { sides, turn, always, plain } => {
                let other = if always { 0 } else { r.below(4) };
                let at = if other == 1 { r.next() >> 33 } else { turn };
                let Some(side) = sides.get((at % sides.len().max(1) as u64) as usize).filter(|_| other < 3) else {
                    return r.float(plain.0, plain.1);
                };
                let size = if side.of == 0.0 { 1.0 } else { side.of.abs() };
                // As often close as far.
                let distance = size * r.float(BESIDE.0.ln(), BESIDE.1.ln()).exp();
                if side.above { side.of + distance } else { side.of - distance }
            }
        }
    }

    pub fn integer(self, r: &mut Random) -> i64 {
        let small = (r.next() >> 33) as i64 % 6;
        match self.integers {
            Integers::Small => small,
            Integers::Near { of: [], .. } => small,
            Integers::At { n, always } => {
                if always || r.below(4) < 3 {
                    n
                } else {
                    small
                }
            }
            Integers::Bits { of, chosen, always } => {
                let chosen = if always || r.below(4) < 3 { chosen } else { r.next() >> 32 };
                of.iter().enumerate().filter(|(k, _)| chosen >> k & 1 == 1).map(|(_, bit)| bit).sum()
            }
            Integers::Near { of, turn } => {
                let at = (turn / 3 % of.len() as u64) as usize;
                if r.below(4) == 3 { small } else { of[at] + [0, 1, -1][(turn % 3) as usize] }
            }
            Integers::Wide => {
                let far = (r.next() >> 33) as i64;
                match r.next() >> 61 {
                    0 => -1 - far % 8,
                    1 | 2 => small,
                    3..=6 => 6 + far % 27,
                    _ => 33 + far % 268,
                }
            }
        }
    }
}

/// A random value of a domain. `None` for types without values (resources).
pub fn random(ty: Type, domain: Domain<'_>, r: &mut Random) -> Option<Val> {
    let mut value = drawn(ty, domain, r)?;
    if let (Some(s), Val::Agg(fields)) = (StructType::of(ty), &value) {
        let mut fields = fields.to_vec();
        if let Some(choices) = s.choices().filter(|choices| !choices.is_empty()) {
            fields[0] = Val::Int(choices[r.below(choices.len())]);
        }
        let absent: Vec<usize> = (0..fields.len()).filter(|&k| is_absent(s, &fields, k)).collect();
        for k in absent {
            fields[k] = zero_value(s.field(k)?.ty)?;
        }
        value = Val::agg(fields);
    }
    Some(value)
}

/// The same, before numbers and flags say what is there.
fn drawn(ty: Type, domain: Domain<'_>, r: &mut Random) -> Option<Val> {
    Some(match ty.kind() {
        TypeKind::Int(1) => Val::Int((r.next() >> 60 & 1) as i64),
        TypeKind::Int(_) | TypeKind::Index => normalize(Val::Int(domain.integer(r)), ty),
        TypeKind::Float(_) => Val::Float(domain.float(r)),
        _ => Val::agg(parts(ty)?.into_iter().map(|t| random(t, domain, r)).collect::<Option<_>>()?),
    })
}

/// A differential of a value, with flags as the value has them, and zeros for what it does not
/// hold: what an `Optional` without a value would have, or the types that an interface's value is
/// not of.
pub fn of_held(ty: Type, value: &Val, d: &Val) -> Val {
    let Some(s) = StructType::of(ty) else {
        let types = if ty.is_float() || ty.is_vector() { Vec::new() } else { parts(ty).unwrap_or_default() };
        if types.is_empty() {
            return d.clone();
        }
        let all = types.iter().zip(value.parts().iter().zip(d.parts()));
        return Val::agg(all.map(|(t, (v, d))| of_held(*t, v, d)).collect());
    };
    let (fields, mut parts) = (value.parts(), d.parts().to_vec());
    let placed = differential_fields(s);
    // What a chosen differential has beside the derivatives of fields is none.
    let types = differential_type(ty).and_then(part_types).unwrap_or_default();
    for (place, (part, ty)) in parts.iter_mut().zip(types).enumerate() {
        if placed.iter().all(|p| p.place != place) {
            *part = zero_value(ty).unwrap_or(Val::Float(0.0));
        }
    }
    for p in placed {
        let (Some(f), Some(held), Some(part)) = (s.field(p.field), fields.get(p.field), parts.get_mut(p.place)) else {
            continue;
        };
        *part = match is_absent(s, fields, p.field) {
            true => zero_value(p.ty).unwrap_or(Val::Float(0.0)),
            false => of_held(f.ty, held, part),
        };
    }
    let flag_of = |ty: Type| StructType::of(ty).and_then(StructType::presence);
    if let (Some(from), Some(to)) = (s.presence(), differential_type(ty).and_then(flag_of))
        && let (Some(flag), Some(part)) = (fields.get(from), parts.get_mut(to))
    {
        *part = flag.clone();
    }
    Val::agg(parts)
}

/// Whether a differential of the type has floats, and none is the derivative of a field: what they
/// are of cannot be moved or compared.
pub fn has_own_coordinates(ty: Type) -> bool {
    let Some(s) = StructType::of(ty) else {
        return parts(ty).is_some_and(|all| all.into_iter().any(has_own_coordinates));
    };
    let placed = differential_fields(s);
    let types = differential_type(ty).and_then(part_types).unwrap_or_default();
    let holds_float = |ty: &Type| zero_value(*ty).is_some_and(|zero| floats(&zero) > 0);
    match placed.is_empty() {
        true => types.iter().any(holds_float),
        false => placed.iter().any(|p| s.field(p.field).is_some_and(|f| has_own_coordinates(f.ty))),
    }
}

/// How many integers of a value are drawn; flags are none.
pub fn integers_in(ty: Type) -> usize {
    match parts(ty) {
        Some(parts) => parts.into_iter().map(integers_in).sum(),
        None => usize::from(ty.is_int() && ty.scalar_bits() != Some(1)),
    }
}

/// The number of floats in a value.
fn floats(value: &Val) -> usize {
    match value {
        Val::Float(_) => 1,
        Val::Agg(items) => items.iter().map(floats).sum(),
        Val::Int(_) | Val::Handle(_) => 0,
    }
}

/// The value with other floats.
pub fn with_floats(value: &Val, f: &mut dyn FnMut(f64) -> f64) -> Val {
    match value {
        Val::Float(x) => Val::Float(f(*x)),
        Val::Agg(items) => Val::agg(items.iter().map(|v| with_floats(v, f)).collect()),
        other => other.clone(),
    }
}

/// Where the numbers of a value are that can be anything, and which are floats: flags and what says
/// which type a value is of are none.
pub fn scalar_places(ty: Type) -> Vec<(Vec<usize>, bool)> {
    if ty.is_float() || integers_in(ty) == 1 && ty.is_int() {
        return vec![(Vec::new(), ty.is_float())];
    }
    let is_chosen = |part: usize| part == 0 && StructType::of(ty).is_some_and(|s| s.choices().is_some());
    let below = |(part, ty): (usize, Type)| {
        scalar_places(ty).into_iter().map(move |(mut place, is_float)| {
            place.insert(0, part);
            (place, is_float)
        })
    };
    let types = if ty.is_int() { Vec::new() } else { parts(ty).unwrap_or_default() };
    types.into_iter().enumerate().filter(|&(part, _)| !is_chosen(part)).flat_map(below).collect()
}

/// The number at a place of a value.
pub fn scalar_at(value: &Val, place: &[usize]) -> f64 {
    match (value, place) {
        (Val::Float(x), _) => *x,
        (Val::Int(n), _) => *n as f64,
        (Val::Agg(parts), [first, rest @ ..]) => parts.get(*first).map_or(0.0, |part| scalar_at(part, rest)),
        _ => 0.0,
    }
}

/// The value with another number at a place.
pub fn with_scalar(value: &Val, place: &[usize], f: &mut dyn FnMut(f64) -> f64) -> Val {
    match (value, place) {
        (Val::Float(x), _) => Val::Float(f(*x)),
        (Val::Int(n), _) => Val::Int(f(*n as f64) as i64),
        (Val::Agg(parts), [first, rest @ ..]) => {
            let mut parts = parts.to_vec();
            if let Some(part) = parts.get_mut(*first) {
                *part = with_scalar(part, rest, f);
            }
            Val::agg(parts)
        }
        _ => value.clone(),
    }
}

/// The value with zeros in the place of all floats but one, `left` floats on.
fn with_one(value: &Val, left: &mut Option<usize>) -> Val {
    match value {
        Val::Float(x) => {
            let keeps = *left == Some(0);
            *left = left.and_then(|n| n.checked_sub(1));
            Val::Float(if keeps { *x } else { 0.0 })
        }
        Val::Agg(items) => Val::agg(items.iter().map(|v| with_one(v, left)).collect()),
        other => other.clone(),
    }
}

/// Makes a direction one along a single scalar of the arguments, or along one buffer, drawn at
/// random: what this moves is not hidden by what the others do.
pub fn keep_one(v: &mut [Option<Val>], along: &mut [Vec<f64>], r: &mut Random) {
    let arguments: usize = v.iter().flatten().map(floats).sum();
    let all = arguments + along.len();
    if all == 0 {
        return;
    }
    let kept = r.below(all);
    let mut left = Some(kept);
    for value in v.iter_mut().flatten() {
        *value = with_one(value, &mut left);
    }
    for (k, buffer) in along.iter_mut().enumerate() {
        if arguments + k != kept {
            buffer.fill(0.0);
        }
    }
}

/// `point` + `step` · `direction`, where the direction is of type D(`ty`).
pub fn moved(ty: Type, point: &Val, direction: &Val, step: f64) -> Val {
    if ty.is_float() {
        return Val::Float(point.as_float() + step * direction.as_float());
    }
    if let Some(s) = StructType::of(ty) {
        let mut fields = point.parts().to_vec();
        for p in differential_fields(s) {
            let d = direction.parts().get(p.place);
            if let (Some(f), Some(d), Some(field)) = (s.field(p.field), d, fields.get_mut(p.field)) {
                *field = moved(f.ty, field, d, step);
            }
        }
        return Val::agg(fields);
    }
    let types = parts(ty).unwrap_or_default();
    let moved = types.iter().zip(point.parts().iter().zip(direction.parts())).map(|(t, (p, d))| moved(*t, p, d, step));
    Val::agg(moved.collect())
}

/// The differentiable scalars of a value of type `ty`, in the order of D(`ty`).
pub fn differentiable_scalars(ty: Type, value: &Val, out: &mut Vec<f64>) {
    if ty.is_float() {
        out.push(value.as_float());
    } else if let Some(s) = StructType::of(ty) {
        // A chosen differential has its own order, and parts that are no field's: these are zero.
        let fields = differential_fields(s);
        for (place, d) in differential_type(ty).and_then(part_types).unwrap_or_default().into_iter().enumerate() {
            let placed = fields.iter().find(|p| p.place == place);
            match placed.and_then(|p| s.field(p.field).zip(value.parts().get(p.field))) {
                Some((f, v)) => differentiable_scalars(f.ty, v, out),
                None => derivative_scalars(&zero_value(d).unwrap_or(Val::Float(0.0)), out),
            }
        }
    } else if differential_type(ty).is_some() {
        for (t, v) in parts(ty).unwrap_or_default().into_iter().zip(value.parts()) {
            differentiable_scalars(t, v, out);
        }
    }
}

/// All scalars of a differential; those that are no floats tell nothing.
pub fn derivative_scalars(value: &Val, out: &mut Vec<f64>) {
    match value {
        Val::Float(v) => out.push(*v),
        Val::Int(_) => out.push(0.0),
        Val::Agg(items) => items.iter().for_each(|v| derivative_scalars(v, out)),
        Val::Handle(_) => {}
    }
}

/// All scalars of a value.
pub fn scalars(value: &Val, out: &mut Vec<f64>) {
    match value {
        Val::Float(v) => out.push(*v),
        Val::Int(v) => out.push(*v as f64),
        Val::Agg(items) => items.iter().for_each(|v| scalars(v, out)),
        Val::Handle(_) => {}
    }
}
