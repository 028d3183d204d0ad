//! Source types: the types of the IR, but with unsigned integers (`ui8 ui16 ui32 ui64`) told from
//! signed ones.
//!
//! Which op a builtin operation is depends on the type that the programmer wrote; values of the IR
//! are signless. So generic arguments, and the types that `hl.poly` names, are source types, and
//! [`erase`] gives the type that a value of one has. Scalars, vectors, matrices and arrays are told
//! apart; the fields of a struct are erased in its own type. A type parameter stands for a source
//! type, and where a value has its type, for the erased one.

use crate::ad::map_parts;
use caustic_ir::{Type, TypeKind};

/// The type that values of a source type have.
pub fn erase(ty: Type) -> Type {
    match ty.kind() {
        TypeKind::UInt(bits) => Type::int(*bits),
        TypeKind::Vector { elem, .. } => ty.with_elem(erase(*elem)),
        TypeKind::Int(_) | TypeKind::Index | TypeKind::Float(_) => ty,
        TypeKind::Dialect { name, .. } if keeps_source_types(name) => ty,
        TypeKind::Function { .. } | TypeKind::Dialect { .. } => map_parts(ty, &erase),
    }
}

/// Types whose parameters are generic arguments, or erased already.
fn keeps_source_types(name: &str) -> bool {
    matches!(name, "agg.struct" | "hl.param" | "hl.assoc" | "hl.existential")
}

/// Whether integers of this scalar, or of this vector's or matrix's scalars, count from zero up.
/// Truth values do.
pub fn counts_up(ty: Type) -> bool {
    ty.elem().is_unsigned() || ty.elem().is_i1()
}

/// Whether a source type is a scalar, vector or matrix of numbers or truth values: what builtin
/// operations work on.
pub fn is_number(ty: Type) -> bool {
    let elem = ty.elem();
    elem.is_int() || elem.is_unsigned() || elem.is_float()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agg::array_type;

    #[test]
    fn erasing_leaves_no_unsigned_type() {
        let source = array_type(4, Type::vector(&[2, 3], Type::uint(16)));
        assert_eq!(erase(source), array_type(4, Type::vector(&[2, 3], Type::int(16))));
        assert_eq!(erase(erase(source)), erase(source));
        let function = Type::function(&[Type::uint(8), Type::f32()], &[Type::uint(64)]);
        assert_eq!(erase(function), Type::function(&[Type::int(8), Type::f32()], &[Type::i64()]));
    }
}
