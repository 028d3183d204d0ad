//! How IR types become machine values and bytes.
//!
//! A value that lives in registers is a flat list of scalars ([`Leaf`]s): vectors, matrices and
//! structs are taken apart. In memory a type has the runtime's C layout, the same for local
//! storage, buffers and uniforms, so that whole aggregates move by plain copies.
//!
//! How wide a scalar is in a register is the code generator's affair, but for the words that
//! helpers take. A tape in memory is a [`crate::heap::Tape`].

use caustic_dialects::agg::{self, StructType};
use caustic_dialects::tex;
use caustic_ir::{Diagnostic, FloatKind, Loc, Type, TypeKind};
use caustic_runtime::layout::{self, Layout, Parts, Shape};
use smallvec::SmallVec;

/// A scalar in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
    I1,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    /// An address.
    Addr,
}

impl Leaf {
    pub fn of(ty: Type) -> Option<Leaf> {
        Some(match ty.kind() {
            TypeKind::Int(1) => Leaf::I1,
            TypeKind::Int(8) => Leaf::I8,
            TypeKind::Int(16) => Leaf::I16,
            TypeKind::Int(32) => Leaf::I32,
            TypeKind::Int(64) | TypeKind::Index => Leaf::I64,
            TypeKind::Float(FloatKind::F16) => Leaf::F16,
            TypeKind::Float(FloatKind::F32) => Leaf::F32,
            TypeKind::Float(FloatKind::F64) => Leaf::F64,
            _ => return None,
        })
    }
    /// Bytes in memory.
    pub fn size(self) -> u64 {
        match self {
            Leaf::I1 | Leaf::I8 => 1,
            Leaf::I16 | Leaf::F16 => 2,
            Leaf::I32 | Leaf::F32 => 4,
            Leaf::I64 | Leaf::F64 | Leaf::Addr => 8,
        }
    }
    pub fn is_float(self) -> bool {
        matches!(self, Leaf::F16 | Leaf::F32 | Leaf::F64)
    }
    /// The integer as wide as a scalar in memory.
    pub fn bits_leaf(self) -> Leaf {
        match self {
            Leaf::F16 => Leaf::I16,
            Leaf::F32 => Leaf::I32,
            Leaf::F64 => Leaf::I64,
            leaf => leaf,
        }
    }
    /// Width of the IR type in bits.
    pub fn bits(self) -> u32 {
        match self {
            Leaf::I1 => 1,
            _ => self.size() as u32 * 8,
        }
    }
}

pub type Leaves = SmallVec<[Leaf; 4]>;

/// The scalars that a value of `ty` is in registers. Storage and buffers are addresses: a slot is
/// its address; a buffer is the address of its first element, the number of elements, and its
/// number among the module's resources; a texture or sampler the address of the host's.
pub fn leaves(ty: Type) -> Option<Leaves> {
    let mut out = Leaves::new();
    push_leaves(ty, &mut out)?;
    Some(out)
}

fn push_leaves(ty: Type, out: &mut Leaves) -> Option<()> {
    if let Some(leaf) = Leaf::of(ty) {
        out.push(leaf);
    } else if ty.is_vector() {
        let leaf = Leaf::of(ty.elem())?;
        out.extend(std::iter::repeat_n(leaf, ty.num_elements()));
    } else if let Some(s) = StructType::of(ty) {
        for field in s.fields() {
            push_leaves(field.ty, out)?;
        }
    } else if agg::as_slot(ty).is_some() || is_object(ty) {
        out.push(Leaf::Addr);
    } else if agg::as_buffer(ty).is_some() {
        out.extend([Leaf::Addr, Leaf::I64, Leaf::I64]);
    } else {
        return None;
    }
    Some(())
}

/// Whether a value of the type is the address of what the host has bound: a texture or a sampler.
pub fn is_object(ty: Type) -> bool {
    tex::TextureType::of(ty).is_some() || tex::is_sampler(ty)
}

/// [`leaves`], or a diagnostic at `loc`.
pub fn leaves_at(ty: Type, loc: Loc) -> Result<Leaves, Diagnostic> {
    leaves(ty).ok_or_else(|| {
        Diagnostic::internal(loc, format!("a value of type {ty} reached code generation"))
            .with_note("run the pass `lower-storage` before, which puts arrays and tapes into storage")
    })
}

/// Number of scalars before part `index` of `ty`, and in it; for values in registers.
pub fn part_span(ty: Type, index: i64) -> Option<(usize, Type)> {
    let part = agg::part_type(ty, index)?;
    if ty.is_vector() {
        return Some((usize::try_from(index).ok()? * part.num_elements(), part));
    }
    let s = StructType::of(ty)?;
    let before = s.fields().take(index as usize).try_fold(0, |n, f| Some(n + leaves(f.ty)?.len()))?;
    Some((before, part))
}

/// An IR type as the runtime's layout algorithm sees it.
#[derive(Clone, Copy)]
struct Memory(Type);

impl Shape for Memory {
    fn parts(&self) -> Option<Parts<Memory>> {
        let ty = self.0;
        if let Some(leaf) = Leaf::of(ty) {
            return Some(Parts::Scalar { bytes: leaf.size() });
        }
        if ty.is_vector() {
            return Some(Parts::Sequence { len: ty.num_elements() as u64, elem: Memory(ty.elem()) });
        }
        if let Some(s) = StructType::of(ty) {
            return Some(Parts::Fields(s.fields().map(|f| Memory(f.ty)).collect()));
        }
        if let Some((len, elem)) = agg::as_array(ty) {
            return Some(Parts::Sequence { len, elem: Memory(elem) });
        }
        if is_object(ty) {
            return Some(Parts::Scalar { bytes: 8 });
        }
        // Address, length and capacity; of a buffer what is in registers for it.
        (agg::as_tape(ty).is_some() || agg::as_buffer(ty).is_some())
            .then(|| Parts::Sequence { len: 3, elem: Memory(Type::i64()) })
    }
}

/// Size and alignment of a type in memory.
pub fn layout(ty: Type) -> Option<Layout> {
    // Addresses are computed with signed 64-bit arithmetic.
    layout::layout_of(&Memory(ty)).filter(|l| l.size <= i64::MAX as u64 / 2)
}

/// Offset and type of part `index` of an aggregate in memory; not for tapes.
pub fn part_offset(ty: Type, index: i64) -> Option<(u64, Type)> {
    let part = agg::part_type(ty, index)?;
    if let Some(s) = StructType::of(ty) {
        let fields: Vec<Memory> = s.fields().map(|f| Memory(f.ty)).collect();
        let (_, offsets) = layout::struct_layout(&fields)?;
        return Some((*offsets.get(usize::try_from(index).ok()?)?, part));
    }
    Some((layout(part)?.size.checked_mul(u64::try_from(index).ok()?)?, part))
}

/// Offset and kind of every scalar of a type without arrays and tapes, in the order of [`leaves`].
pub fn leaf_offsets(ty: Type) -> Option<Vec<(u64, Leaf)>> {
    let mut out = Vec::new();
    push_offsets(ty, 0, &mut out)?;
    Some(out)
}

fn push_offsets(ty: Type, at: u64, out: &mut Vec<(u64, Leaf)>) -> Option<()> {
    if let Some(leaf) = Leaf::of(ty.elem()) {
        out.extend((0..ty.num_elements() as u64).map(|i| (at + i * leaf.size(), leaf)));
        return Some(());
    }
    if is_object(ty) || agg::as_buffer(ty).is_some() {
        out.extend(leaves(ty)?.into_iter().enumerate().map(|(i, leaf)| (at + i as u64 * 8, leaf)));
        return Some(());
    }
    let s = StructType::of(ty)?;
    for i in 0..s.num_fields() {
        let (offset, field) = part_offset(ty, i as i64)?;
        push_offsets(field, at + offset, out)?;
    }
    Some(())
}

/// Whether a type without tapes has no padding.
pub fn is_dense(ty: Type) -> bool {
    fn data(ty: Type) -> Option<u64> {
        if let Some((count, elem)) = agg::as_array(ty) {
            return data(elem)?.checked_mul(count);
        }
        match StructType::of(ty) {
            Some(s) => s.fields().try_fold(0, |sum: u64, f| sum.checked_add(data(f.ty)?)),
            None => Some(layout(ty)?.size),
        }
    }
    data(ty).is_some_and(|bytes| layout(ty).is_some_and(|l| l.size == bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_and_memory() {
        let inner =
            StructType::get("P", false, &[("on", Type::i1(), false), ("pos", Type::vector(&[3], Type::f32()), false)]);
        let ty =
            StructType::get("Q", false, &[("p", inner, false), ("d", Type::f64(), false), ("h", Type::f16(), false)]);
        use Leaf::*;
        assert_eq!(leaves(ty).unwrap().as_slice(), [I1, F32, F32, F32, F64, F16]);
        assert_eq!(leaf_offsets(ty).unwrap(), [(0, I1), (4, F32), (8, F32), (12, F32), (16, F64), (24, F16)]);
        assert_eq!(layout(ty), Some(Layout { size: 32, align: 8 }));
        assert_eq!(part_span(ty, 1), Some((4, Type::f64())));
        assert_eq!(part_offset(ty, 2), Some((24, Type::f16())));
        let array = agg::array_type(5, inner);
        assert_eq!(leaves(array), None);
        assert_eq!(part_offset(array, 3).map(|p| p.0), Some(48));
    }
}
