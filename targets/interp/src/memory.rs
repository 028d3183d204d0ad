//! Values to bytes and back, in the layout of [`caustic_runtime::layout`].

use caustic_ir::attr::sign_extend;
use caustic_ir::eval::Val;
use caustic_ir::{Type, TypeKind, real};
use caustic_runtime::layout::{Parts, Shape, layout_of, struct_layout};

/// Bytes of the value at the start of `bytes`, as a value of type `ty`; `None` if the type has no
/// layout or bytes are missing.
pub(crate) fn read(ty: Type, bytes: &[u8]) -> Option<Val> {
    match ty.parts()? {
        Parts::Scalar { bytes: size } => {
            let mut word = [0; 8];
            word.get_mut(..size as usize)?.copy_from_slice(bytes.get(..size as usize)?);
            Some(scalar(ty, u64::from_le_bytes(word)))
        }
        Parts::Sequence { len, elem } => {
            let size = layout_of(&elem)?.size as usize;
            (0..len as usize).map(|i| read(elem, bytes.get(i * size..)?)).collect::<Option<Vec<_>>>().map(Val::agg)
        }
        Parts::Fields(fields) => {
            let (_, offsets) = struct_layout(&fields)?;
            let parts = fields.iter().zip(offsets).map(|(ty, at)| read(*ty, bytes.get(at as usize..)?));
            parts.collect::<Option<Vec<_>>>().map(Val::agg)
        }
    }
}

fn scalar(ty: Type, bits: u64) -> Val {
    match ty.float_kind() {
        Some(kind) => Val::Float(real::of_bits(bits, kind)),
        None => match ty.scalar_bits() {
            // Any byte but 0 is true, as in C.
            Some(1) => Val::bool(bits != 0),
            width => Val::Int(sign_extend(bits as i64, width.unwrap_or(64))),
        },
    }
}

/// Writes a value of type `ty` to the start of `out`. Padding keeps what is there.
pub(crate) fn write(ty: Type, value: &Val, out: &mut [u8]) -> Option<()> {
    match ty.parts()? {
        Parts::Scalar { bytes } => {
            let size = bytes as usize;
            out.get_mut(..size)?.copy_from_slice(&bits(ty, value).to_le_bytes()[..size]);
            Some(())
        }
        Parts::Sequence { len, elem } => {
            let size = layout_of(&elem)?.size as usize;
            let parts = value.parts();
            (0..len as usize).try_for_each(|i| write(elem, parts.get(i)?, out.get_mut(i * size..)?))
        }
        Parts::Fields(fields) => {
            let (_, offsets) = struct_layout(&fields)?;
            let parts = value.parts();
            fields
                .iter()
                .zip(offsets)
                .enumerate()
                .try_for_each(|(i, (ty, at))| write(*ty, parts.get(i)?, out.get_mut(at as usize..)?))
        }
    }
}

fn bits(ty: Type, value: &Val) -> u64 {
    match ty.float_kind() {
        Some(kind) => real::bits_of(value.as_float(), kind),
        None => value.as_int() as u64,
    }
}

/// Scalars of a value of type `ty`, as far as the type fixes them; saturating.
pub(crate) fn num_scalars(ty: Type) -> u64 {
    match ty.parts() {
        Some(Parts::Scalar { .. }) => 1,
        Some(Parts::Sequence { len, elem }) => len.saturating_mul(num_scalars(elem)),
        Some(Parts::Fields(fields)) => fields.into_iter().fold(0, |n, ty| n.saturating_add(num_scalars(ty))),
        // A wrapper of some dialect: about as large as what it wraps.
        None => match ty.kind() {
            TypeKind::Dialect { params, .. } => {
                params.iter().filter_map(|p| p.as_type()).map(num_scalars).max().unwrap_or(0)
            }
            _ => 0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::agg::{StructType, array_type};

    #[test]
    fn values_survive_memory() {
        let ty = StructType::get(
            "S",
            false,
            &[
                ("b", Type::i1(), false),
                ("h", Type::vector(&[3], Type::f16()), false),
                ("i", array_type(2, Type::i32()), false),
                ("m", Type::vector(&[2, 2], Type::f64()), false),
            ],
        );
        let floats = |v: &[f64]| Val::agg(v.iter().map(|&x| Val::Float(x)).collect());
        let value = Val::agg(vec![
            Val::bool(true),
            floats(&[1.5, -0.0, f64::INFINITY]),
            Val::agg(vec![Val::Int(-1), Val::Int(7)]),
            floats(&[1.0, 2.0, 3.0, 1e300]),
        ]);
        let size = layout_of(&ty).map(|l| l.size as usize).unwrap_or(0);
        let mut bytes = vec![0xaa; size];
        assert!(write(ty, &value, &mut bytes).is_some());
        assert_eq!(bytes[1], 0xaa, "padding is kept");
        assert_eq!(format!("{:?}", read(ty, &bytes)), format!("{:?}", Some(value)));
        assert!(read(ty, &bytes[1..]).is_none());
    }

    #[test]
    fn sizes_do_not_overflow() {
        let huge = array_type(u64::MAX >> 1, Type::f64());
        assert_eq!(num_scalars(array_type(1 << 40, huge)), u64::MAX);
        assert_eq!(num_scalars(Type::vector(&[3, 4], Type::f32())), 12);
        assert_eq!(num_scalars(Type::dialect("ad.tangent", vec![caustic_ir::Attr::ty(huge)])), u64::MAX >> 1);
    }
}
