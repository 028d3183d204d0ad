//! Interpreter values to memory and back, tapes included: how the host calls a compiled function.
//!
//! `unsafe`: it writes to and reads from memory that the heap of the call made, at the offsets of
//! the type's layout.

use crate::flat::{self, Leaf};
use crate::heap::{Desc, Heap, Tape};
use caustic_dialects::agg;
use caustic_ir::Type;
use caustic_ir::attr::sign_extend;
use caustic_ir::eval::Val;
use half::f16;

fn leaf_bits(leaf: Leaf, value: &Val) -> u64 {
    match leaf {
        Leaf::F16 => f16::from_f64(value.as_float()).to_bits() as u64,
        Leaf::F32 => (value.as_float() as f32).to_bits() as u64,
        Leaf::F64 => value.as_float().to_bits(),
        Leaf::I1 => value.as_int() as u64 & 1,
        _ => value.as_int() as u64,
    }
}

/// Writes `value`, of type `ty`; `None` if the value is not of that type or there is no memory for
/// it.
///
/// # Safety
/// `at` is valid for the type; where the type has tapes, it holds valid ones.
pub unsafe fn write(heap: &mut Heap, at: *mut u8, ty: Type, value: &Val) -> Option<()> {
    if let Some(leaf) = Leaf::of(ty) {
        let bytes = leaf_bits(leaf, value).to_le_bytes();
        unsafe { at.copy_from_nonoverlapping(bytes.as_ptr(), leaf.size() as usize) };
        return Some(());
    }
    let parts = value.parts();
    if let Some(elem) = agg::as_tape(ty) {
        let (desc, size) = (Desc::of(elem)?, flat::layout(elem)?.size);
        for (i, part) in parts.iter().enumerate() {
            let place = unsafe { heap.grow(&desc, size, at.cast::<Tape>(), i as u64) }?;
            unsafe { write(heap, place, elem, part) }?;
        }
        return Some(());
    }
    for (i, part) in parts.iter().enumerate() {
        // The interpreter keeps the scalars of a matrix in one list.
        let (offset, part_ty) = if ty.is_vector() {
            (Leaf::of(ty.elem())?.size() * i as u64, ty.elem())
        } else {
            flat::part_offset(ty, i as i64)?
        };
        unsafe { write(heap, at.add(offset as usize), part_ty, part) }?;
    }
    let count = if ty.is_vector() { ty.num_elements() } else { agg::num_parts(ty) };
    (parts.len() == count).then_some(())
}

/// Reads a value of type `ty`.
///
/// # Safety
/// `at` holds one.
pub unsafe fn read(at: *const u8, ty: Type) -> Option<Val> {
    if let Some(leaf) = Leaf::of(ty) {
        let mut bytes = [0u8; 8];
        unsafe { bytes.as_mut_ptr().copy_from_nonoverlapping(at, leaf.size() as usize) };
        let bits = u64::from_le_bytes(bytes);
        return Some(match leaf {
            Leaf::F16 => Val::Float(f16::from_bits(bits as u16).to_f64()),
            Leaf::F32 => Val::Float(f32::from_bits(bits as u32) as f64),
            Leaf::F64 => Val::Float(f64::from_bits(bits)),
            Leaf::I1 => Val::bool(bits != 0),
            leaf => Val::Int(sign_extend(bits as i64, leaf.bits())),
        });
    }
    let (first, count, elem) = if let Some(elem) = agg::as_tape(ty) {
        let tape = unsafe { &*at.cast::<Tape>() };
        (tape.data.cast_const(), tape.len as usize, Some(elem))
    } else if ty.is_vector() {
        (at, ty.num_elements(), Some(ty.elem()))
    } else {
        (at, agg::num_parts(ty), agg::as_array(ty).map(|(_, elem)| elem))
    };
    let mut parts = Vec::with_capacity(count);
    match elem {
        Some(elem) => {
            let size = flat::layout(elem)?.size as usize;
            for i in 0..count {
                parts.push(unsafe { read(first.add(i * size), elem) }?);
            }
        }
        None => {
            agg::StructType::of(ty)?;
            for i in 0..count {
                let (offset, field) = flat::part_offset(ty, i as i64)?;
                parts.push(unsafe { read(at.add(offset as usize), field) }?);
            }
        }
    }
    Some(Val::agg(parts))
}
