//! Elements of buffers as their floats, which [`agg::View`] counts: how many there are, where those
//! of a part stand, and what they are of a value.
//!
//! Nothing lies between the floats of an element that is made of nothing else. How matrices lie is
//! not for this module to know: elements that hold them have no words.

use caustic_dialects::{agg, vector};
use caustic_ir::{Attr, Builder, Type, ValueId};

/// The parts of a type whose values have parts, in order.
fn parts(ty: Type) -> Option<Vec<Type>> {
    if let Some((count, elem)) = agg::as_array(ty) {
        return usize::try_from(count).ok().map(|count| vec![elem; count]);
    }
    if let Some(s) = agg::StructType::of(ty) {
        return Some(s.fields().map(|f| f.ty).collect());
    }
    match ty.shape() {
        &[count] => Some(vec![ty.elem(); count as usize]),
        _ => None,
    }
}

/// How many floats of 32 bits a value of this type is, if it is nothing else.
pub fn count(ty: Type) -> Option<i64> {
    if ty == Type::f32() {
        return Some(1);
    }
    if let Some((count, elem)) = agg::as_array(ty) {
        return self::count(elem)?.checked_mul(i64::try_from(count).ok()?);
    }
    parts(ty)?.into_iter().try_fold(0i64, |sum, part| sum.checked_add(count(part)?))
}

/// The number of the first float of the part that the path leads to.
pub fn offset(ty: Type, path: &[i64]) -> Option<i64> {
    let Some((&first, rest)) = path.split_first() else { return Some(0) };
    let (parts, first) = (parts(ty)?, usize::try_from(first).ok()?);
    let before = parts.iter().take(first).try_fold(0, |sum, &part| Some(sum + count(part)?))?;
    Some(before + offset(*parts.get(first)?, rest)?)
}

/// The floats of a value, in order.
pub fn of(b: &mut Builder<'_>, value: ValueId) -> Vec<ValueId> {
    let ty = b.ty(value);
    if let &[count] = ty.shape() {
        return (0..i64::from(count)).map(|lane| vector::extract(b, value, &[lane])).collect();
    }
    let Some(parts) = parts(ty) else { return vec![value] };
    let mut found = Vec::new();
    for (number, part) in parts.into_iter().enumerate() {
        let path = [("path", Attr::i64_array(&[number as i64]))];
        let part = agg::Extract::build(b, value, &[], part, &path);
        found.extend(of(b, part));
    }
    found
}
