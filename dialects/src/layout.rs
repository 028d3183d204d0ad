//! The memory layout of values: C's natural one, as on CPU and CUDA.
//!
//! A scalar is aligned to its size (a bool is one byte); a vector is as many scalars in a row with
//! the alignment of one (`float3` has size 12 and alignment 4); a matrix is its rows in order;
//! struct fields stand in order of declaration, each at the next multiple of its alignment, and the
//! whole is padded to a multiple of the largest.
//!
//! There is one algorithm, over [`Shape`]; IR types and reflected types both have one, so compiled
//! code and the host cannot disagree.

use crate::agg::{StructType, as_array};
use crate::reflect::DataType;
use caustic_ir::{Type, TypeKind};

/// What a type is made of, as far as its layout is concerned.
pub enum Parts<T> {
    Scalar {
        bytes: u64,
    },
    /// `len` elements one after the other: a vector, a matrix (of rows or of scalars, it makes no
    /// difference), an array.
    Sequence {
        len: u64,
        elem: T,
    },
    Fields(Vec<T>),
}

/// A type that has a layout.
pub trait Shape: Sized {
    /// `None` for types that have no place in memory (a function type, say).
    fn parts(&self) -> Option<Parts<Self>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes, padding included; also the distance between two elements of an array.
    pub size: u64,
    pub align: u64,
}

/// The layout of `shape`, or `None` if it has none or is larger than memory can be.
pub fn layout_of<T: Shape>(shape: &T) -> Option<Layout> {
    match shape.parts()? {
        Parts::Scalar { bytes } => Some(Layout { size: bytes, align: bytes.max(1) }),
        Parts::Sequence { len, elem } => {
            let elem = layout_of(&elem)?;
            Some(Layout { size: elem.size.checked_mul(len)?, align: elem.align })
        }
        Parts::Fields(fields) => struct_layout(&fields).map(|(layout, _)| layout),
    }
}

/// The layout of a struct and the offset of each of its fields.
pub fn struct_layout<T: Shape>(fields: &[T]) -> Option<(Layout, Vec<u64>)> {
    let mut end = 0u64;
    let mut align = 1;
    let mut offsets = Vec::with_capacity(fields.len());
    for field in fields {
        let layout = layout_of(field)?;
        let offset = end.checked_next_multiple_of(layout.align)?;
        offsets.push(offset);
        end = offset.checked_add(layout.size)?;
        align = align.max(layout.align);
    }
    Some((Layout { size: end.checked_next_multiple_of(align)?, align }, offsets))
}

impl Shape for Type {
    fn parts(&self) -> Option<Parts<Type>> {
        match self.kind() {
            TypeKind::Int(_) | TypeKind::Index | TypeKind::Float(_) => {
                Some(Parts::Scalar { bytes: self.scalar_bits()?.div_ceil(8) as u64 })
            }
            TypeKind::Vector { elem, .. } => {
                Some(Parts::Sequence { len: self.shape().iter().map(|&n| n as u64).product(), elem: *elem })
            }
            _ => match (StructType::of(*self), as_array(*self)) {
                (Some(s), _) => Some(Parts::Fields(s.fields().map(|f| f.ty).collect())),
                (_, Some((len, elem))) => Some(Parts::Sequence { len, elem }),
                _ => None,
            },
        }
    }
}

impl Shape for DataType {
    fn parts(&self) -> Option<Parts<DataType>> {
        let scalars = |len: u64, elem| Parts::Sequence { len, elem: DataType::Scalar(elem) };
        Some(match self {
            DataType::Scalar(s) => Parts::Scalar { bytes: s.size() as u64 },
            DataType::Vector { len, elem } => scalars(*len as u64, *elem),
            DataType::Matrix { rows, cols, elem, .. } => scalars(*rows as u64 * *cols as u64, *elem),
            DataType::Array { len, elem } => Parts::Sequence { len: *len, elem: (**elem).clone() },
            DataType::Resource(_) => Parts::Fields(Vec::new()),
            DataType::Struct { fields, .. } => Parts::Fields(fields.iter().map(|(_, ty)| ty.clone()).collect()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shape written by hand.
    #[derive(Clone)]
    enum T {
        S(u64),
        Seq(u64, Box<T>),
        Fields(Vec<T>),
        Nowhere,
    }
    impl Shape for T {
        fn parts(&self) -> Option<Parts<T>> {
            Some(match self {
                T::S(bytes) => Parts::Scalar { bytes: *bytes },
                T::Seq(len, elem) => Parts::Sequence { len: *len, elem: (**elem).clone() },
                T::Fields(fields) => Parts::Fields(fields.clone()),
                T::Nowhere => return None,
            })
        }
    }
    fn seq(len: u64, elem: T) -> T {
        T::Seq(len, Box::new(elem))
    }

    #[test]
    fn natural_layout() {
        let float3 = seq(3, T::S(4));
        assert_eq!(layout_of(&float3), Some(Layout { size: 12, align: 4 }));
        assert_eq!(layout_of(&seq(3, seq(4, T::S(8)))), Some(Layout { size: 96, align: 8 }));
        // struct { bool b; float3 v; double d; half h; }
        let (layout, offsets) = struct_layout(&[T::S(1), float3.clone(), T::S(8), T::S(2)]).unwrap();
        assert_eq!(layout, Layout { size: 32, align: 8 });
        assert_eq!(offsets, [0, 4, 16, 24]);
        // An array of a padded struct keeps the padding.
        let padded = T::Fields(vec![T::S(4), T::S(1)]);
        assert_eq!(layout_of(&seq(3, padded)), Some(Layout { size: 24, align: 4 }));
        assert_eq!(layout_of(&T::Fields(vec![])), Some(Layout { size: 0, align: 1 }));
    }

    #[test]
    fn what_has_no_layout_has_none() {
        assert_eq!(layout_of(&T::Fields(vec![T::S(4), T::Nowhere])), None);
        assert_eq!(layout_of(&seq(u64::MAX, T::S(8))), None);
        assert_eq!(layout_of(&T::Fields(vec![seq(u64::MAX, T::S(1)), T::S(8)])), None);
    }
}
