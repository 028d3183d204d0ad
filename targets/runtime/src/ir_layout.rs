//! The layout of IR types, and where the part at a path lies in one.
//!
//! The one algorithm of [`caustic_dialects::layout`], applied to what compiled code calls types;
//! the host's view is the reflected type.

use caustic_dialects::agg::{StructType, as_array, as_buffer, is_byte_view, is_pointee, is_unsized_array};
use caustic_dialects::layout::{layout_of, struct_layout};
use caustic_ir::Type;

/// How the elements of a buffer of some type are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferView {
    pub elem: Type,
    /// An index is the offset of the element's first byte.
    pub by_bytes: bool,
    /// Whether a part needs its own bytes only to exist.
    pub by_parts: bool,
}

impl BufferView {
    pub fn of(ty: Type) -> Option<BufferView> {
        as_buffer(ty).map(|(elem, _)| BufferView { elem, by_bytes: is_byte_view(ty), by_parts: is_pointee(ty) })
    }
}

/// A part of a value in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub ty: Type,
    /// Bytes from the start of the whole; `None` if an index on the way is out of range.
    pub offset: Option<u64>,
    /// Whether it lies in an array without a size, and so beyond the whole.
    pub beyond: bool,
}

/// The part of `ty` that `path` leads to: field numbers of structs, elements of arrays, rows of
/// matrices, components of vectors. `None` if there is no such part whatever the indices.
pub fn place_at(ty: Type, path: &[i64]) -> Option<Place> {
    let mut place = Place { ty, offset: Some(0), beyond: false };
    for &step in path {
        let index = u64::try_from(step).ok();
        let (part, offset) = match (place.ty.shape(), StructType::of(place.ty)) {
            ([rows, rest @ ..], _) => {
                let elem = place.ty.elem();
                let part = if rest.is_empty() { elem } else { Type::vector(rest, elem) };
                (part, sequence_offset(index, *rows as u64, part))
            }
            ([], Some(s)) => {
                let fields: Vec<Type> = s.fields().map(|f| f.ty).collect();
                let at = usize::try_from(step).ok()?;
                let (_, offsets) = struct_layout(&fields)?;
                (*fields.get(at)?, offsets.get(at).copied())
            }
            _ => {
                let (len, elem) = as_array(place.ty)?;
                let is_unsized = is_unsized_array(place.ty);
                place.beyond |= is_unsized;
                (elem, sequence_offset(index, if is_unsized { u64::MAX } else { len }, elem))
            }
        };
        let offset = place.offset.zip(offset).and_then(|(a, b)| a.checked_add(b));
        place = Place { ty: part, offset, ..place };
    }
    Some(place)
}

fn sequence_offset(index: Option<u64>, len: u64, part: Type) -> Option<u64> {
    layout_of(&part)?.size.checked_mul(index.filter(|&i| i < len)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::agg::{array_type, unsized_array_type};

    fn sample() -> Type {
        let matrix = Type::vector(&[2, 3], Type::f32());
        StructType::get(
            "S",
            false,
            &[("b", Type::i1(), false), ("m", array_type(4, matrix), false), ("d", Type::f64(), false)],
        )
    }

    #[test]
    fn ir_types_have_the_natural_layout() {
        let layout = layout_of(&sample()).unwrap();
        assert_eq!((layout.size, layout.align), (112, 8));
        assert_eq!(layout_of(&Type::i1()).map(|l| l.size), Some(1));
        assert_eq!(layout_of(&Type::function(&[], &[])), None);
        assert_eq!(layout_of(&array_type(u64::MAX, Type::f64())), None);
    }

    #[test]
    fn paths_lead_to_places() {
        let at = |path: &[i64]| place_at(sample(), path).map(|p| (p.ty, p.offset));
        let row = Type::vector(&[3], Type::f32());
        assert_eq!(at(&[2]), Some((Type::f64(), Some(104))));
        assert_eq!(at(&[1, 3, 1]), Some((row, Some(4 + 72 + 12))));
        assert_eq!(at(&[1, 0, 1, 2]), Some((Type::f32(), Some(4 + 20))));
        assert_eq!(at(&[1, 4, 1]), Some((row, None)), "an index out of range still has a type");
        assert_eq!(at(&[1, -1, 0, 0]), Some((Type::f32(), None)));
        assert_eq!(at(&[3]), None);
        assert_eq!(at(&[0, 0]), None);
    }

    #[test]
    fn an_array_without_a_size_adds_its_alignment_and_goes_on() {
        let tail = unsized_array_type(Type::f64());
        let ty = StructType::get("T", false, &[("n", Type::i32(), false), ("tail", tail, false)]);
        assert_eq!(layout_of(&ty).map(|l| (l.size, l.align)), Some((8, 8)));
        let at = |path: &[i64]| place_at(ty, path).map(|p| (p.offset, p.beyond));
        assert_eq!(at(&[0]), Some((Some(0), false)));
        assert_eq!(at(&[1, 0]), Some((Some(8), true)));
        assert_eq!(at(&[1, 1000]), Some((Some(8008), true)));
        assert_eq!(at(&[1, -1]), Some((None, true)));
        assert_eq!(at(&[1, i64::MAX]), Some((None, true)), "no offset is that large");
    }
}
