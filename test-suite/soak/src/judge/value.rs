//! Values of programs, parts of values at paths, and the derivatives that types have.
//!
//! Vectors and matrices are flat lists of scalars, row by row; structs, arrays and pairs are lists
//! of their parts. The dialect defines the differential of a type, for the judge as for everybody:
//! this is a definition of the language, not a step of differentiation.

use super::number::Num;
use super::{Judged, Unjudged};
use caustic_dialects::agg::{self, StructType, as_array};
use caustic_dialects::{ad, hl};
use caustic_ir::eval::Val;
use caustic_ir::{FloatKind, Name, Type, TypeKind};
use std::cell::RefCell;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub enum Value {
    Int(i64),
    Num(Num),
    Agg(Rc<Vec<Value>>),
    Ref(Rc<Place>),
    /// A resource, by its name.
    Buffer(Name),
    /// A value of an interface: its type, its witness table, and the value; `None` if it is not
    /// set.
    Any(Option<Rc<(Type, Name, Value)>>),
}

#[derive(Clone, Debug)]
pub enum Root {
    Cell(Rc<RefCell<Value>>),
    Element(Name, i64),
}

/// The target of a reference: a part of a variable or of an element of a buffer.
#[derive(Clone, Debug)]
pub struct Place {
    pub root: Root,
    /// The type of the root.
    pub ty: Type,
    pub path: Vec<i64>,
}

pub fn unknown<T>(what: impl Into<String>) -> Judged<T> {
    Err(Unjudged::Unknown(what.into()))
}

impl Value {
    pub fn agg(parts: Vec<Value>) -> Value {
        Value::Agg(Rc::new(parts))
    }
    pub fn real(value: f64) -> Value {
        Value::Num(Num::exact(value))
    }
    pub fn int(&self) -> Judged<i64> {
        match self {
            Value::Int(v) => Ok(*v),
            other => unknown(format!("an integer is {other:?}")),
        }
    }
    pub fn num(&self) -> Judged<&Num> {
        match self {
            Value::Num(n) => Ok(n),
            other => unknown(format!("a float is {other:?}")),
        }
    }
    pub fn parts(&self) -> Judged<&[Value]> {
        match self {
            Value::Agg(parts) => Ok(parts),
            other => unknown(format!("an aggregate is {other:?}")),
        }
    }
    /// The value with every number replaced by `f`.
    pub fn map(&self, f: &mut dyn FnMut(&Num) -> Num) -> Value {
        match self {
            Value::Num(n) => Value::Num(f(n)),
            Value::Agg(parts) => Value::agg(parts.iter().map(|p| p.map(f)).collect()),
            Value::Any(Some(any)) => Value::Any(Some(Rc::new((any.0, any.1, any.2.map(f))))),
            other => other.clone(),
        }
    }
    /// The value without any derivative.
    pub fn detached(&self) -> Value {
        self.map(&mut |n| Num::Real(n.base()))
    }
    /// The value in the form that the rows of integer ops take.
    pub fn to_val(&self) -> Judged<Val> {
        Ok(match self {
            Value::Int(v) => Val::Int(*v),
            Value::Num(n) => Val::Float(n.base().value),
            Value::Agg(parts) => Val::agg(parts.iter().map(Value::to_val).collect::<Judged<_>>()?),
            other => return unknown(format!("no plain value: {other:?}")),
        })
    }
    pub fn of_val(val: &Val) -> Judged<Value> {
        Ok(match val {
            Val::Int(v) => Value::Int(*v),
            Val::Float(v) => Value::real(*v),
            Val::Agg(parts) => Value::agg(parts.iter().map(Value::of_val).collect::<Judged<_>>()?),
            Val::Handle(_) => return unknown("a handle"),
        })
    }
}

/// The struct that a pair is laid out as; other types unchanged.
fn laid_out(ty: Type) -> Type {
    ad::as_pair(ty).and_then(ad::pair_struct).unwrap_or(ty)
}

/// The type of the part that a step leads to, even if the step is out of range.
fn part_type(ty: Type, step: i64) -> Judged<Type> {
    let ty = laid_out(ty);
    let any = if StructType::of(ty).is_some() { step } else { -1 };
    agg::part_type(ty, any).ok_or_else(|| Unjudged::Unknown(format!("{ty} has no part {step}")))
}

/// The value of a type whose scalars are all zero.
pub fn zero(ty: Type) -> Judged<Value> {
    let ty = laid_out(ty);
    Ok(match ty.kind() {
        TypeKind::Int(_) | TypeKind::Index => Value::Int(0),
        TypeKind::Float(_) => Value::real(0.0),
        TypeKind::Vector { elem, .. } => Value::agg(vec![zero(*elem)?; ty.num_elements()]),
        _ => {
            if hl::generics::as_existential(ty).is_some() {
                return Ok(Value::Any(None));
            }
            if let Some(s) = StructType::of(ty) {
                return Ok(Value::agg(s.fields().map(|f| zero(f.ty)).collect::<Judged<_>>()?));
            }
            match as_array(ty) {
                Some((n, elem)) => Value::agg(vec![zero(elem)?; n as usize]),
                None => return unknown(format!("zero of {ty}")),
            }
        }
    })
}

/// Whether a field carries no derivative, whatever its type.
fn is_cut(ty: Type, step: i64) -> bool {
    let Some(s) = StructType::of(ty) else { return false };
    !s.differentiable() || usize::try_from(step).ok().and_then(|i| s.field(i)).is_some_and(|f| f.no_diff)
}

/// The range of a matrix row's scalars, or the index of another part; `None` if out of range.
fn span(ty: Type, step: i64, len: usize) -> Option<std::ops::Range<usize>> {
    let at = usize::try_from(step).ok()?;
    let width = match ty.shape() {
        [_, columns] => *columns as usize,
        _ => 1,
    };
    let range = at.checked_mul(width)?..at.checked_mul(width)?.checked_add(width)?;
    (range.end <= len).then_some(range)
}

/// The part at a path; zero if out of range.
pub fn get(value: &Value, ty: Type, path: &[i64]) -> Judged<Value> {
    let [step, rest @ ..] = path else { return Ok(value.clone()) };
    let ty = laid_out(ty);
    let inner = part_type(ty, *step)?;
    let parts = value.parts()?;
    let part = match span(ty, *step, parts.len()) {
        None => zero(inner)?,
        Some(range) if inner.is_vector() && ty.is_vector() => Value::agg(parts[range].to_vec()),
        Some(range) => parts[range.start].clone(),
    };
    let part = if is_cut(ty, *step) { part.detached() } else { part };
    get(&part, inner, rest)
}

/// Replaces the part at a path; does nothing if out of range.
pub fn set(value: &mut Value, ty: Type, path: &[i64], new: Value) -> Judged<()> {
    let [step, rest @ ..] = path else {
        *value = new;
        return Ok(());
    };
    let ty = laid_out(ty);
    let inner = part_type(ty, *step)?;
    let Value::Agg(parts) = value else { return unknown("an aggregate is none") };
    let parts = Rc::make_mut(parts);
    let Some(range) = span(ty, *step, parts.len()) else { return Ok(()) };
    if !(inner.is_vector() && ty.is_vector()) {
        return set(&mut parts[range.start], inner, rest, new);
    }
    let mut row = Value::agg(parts[range.clone()].to_vec());
    set(&mut row, inner, rest, new)?;
    parts[range].clone_from_slice(row.parts()?);
    Ok(())
}

/// The differential of a type, if its values carry derivatives that the judge can represent.
pub fn differential(ty: Type) -> Judged<Option<Type>> {
    if hl::generics::as_existential(ty).is_some() {
        return unknown("the differential of a value of an interface's type");
    }
    Ok(ad::differential_type(ty))
}

/// The differential of a value: `of` applied to each scalar that has one, in the form of the type's
/// differential.
pub fn differential_of(ty: Type, value: &Value, of: &mut dyn FnMut(&Num) -> Num) -> Judged<Value> {
    let ty = laid_out(ty);
    if ty.elem().is_float() && (ty.is_scalar() || ty.is_vector()) {
        return Ok(value.map(of));
    }
    if let Some((_, elem)) = as_array(ty) {
        let parts = value.parts()?.iter().map(|p| differential_of(elem, p, of));
        return Ok(Value::agg(parts.collect::<Judged<_>>()?));
    }
    let (Some(s), Some(d)) = (StructType::of(ty), differential(ty)?) else {
        return unknown(format!("the differential of {ty}"));
    };
    let mut out = zero(d)?;
    for (field, place) in fields(s)? {
        let Some(f) = s.field(field) else { continue };
        let Some(part) = value.parts()?.get(field) else { return unknown("a field is missing") };
        let part = differential_of(f.ty, part, of)?;
        set(&mut out, d, &[place as i64], part)?;
    }
    Ok(out)
}

/// The fields of a struct that carry derivatives, with their indices in the differential.
fn fields(s: StructType) -> Judged<Vec<(usize, usize)>> {
    if s.is_pair() {
        return Ok(vec![(0, 0), (1, 1)]);
    }
    let mut out = Vec::new();
    let chosen = s.chosen_differential().is_some();
    for (i, f) in s.fields().enumerate() {
        if f.no_diff || differential(f.ty)?.is_none() {
            continue;
        }
        let place = if chosen { s.chosen_place(i) } else { Some(out.len()) };
        out.extend(place.map(|p| (i, p)));
    }
    Ok(out)
}

/// The value with every scalar that has a derivative replaced by the result of `f`, which gets the
/// scalar, its differential if one is given, and its type.
pub fn with_differential(
    ty: Type,
    value: &Value,
    d: Option<&Value>,
    f: &mut dyn FnMut(&Num, Option<&Num>, FloatKind) -> Num,
) -> Judged<Value> {
    let ty = laid_out(ty);
    let part_of = |d: Option<&Value>, i: usize| -> Judged<Option<Value>> {
        let Some(d) = d else { return Ok(None) };
        match d.parts()?.get(i) {
            Some(part) => Ok(Some(part.clone())),
            None => unknown("a part of a differential is missing"),
        }
    };
    if let Some(kind) = ty.float_kind() {
        let d = d.map(Value::num).transpose()?;
        return Ok(Value::Num(f(value.num()?, d, kind)));
    }
    let mut parts = value.parts()?.to_vec();
    if let (Some(s), Some(_)) = (StructType::of(ty), differential(ty)?) {
        for (field, place) in fields(s)? {
            let (Some(inner), Some(part)) = (s.field(field), parts.get_mut(field)) else {
                return unknown("a field is missing");
            };
            *part = with_differential(inner.ty, part, part_of(d, place)?.as_ref(), f)?;
        }
        return Ok(Value::agg(parts));
    }
    let elem = match as_array(ty) {
        Some((_, elem)) => elem,
        None if ty.is_vector() && ty.elem().is_float() => ty.elem(),
        None => return unknown(format!("the differential of {ty}")),
    };
    for (i, part) in parts.iter_mut().enumerate() {
        *part = with_differential(elem, part, part_of(d, i)?.as_ref(), f)?;
    }
    Ok(Value::agg(parts))
}
