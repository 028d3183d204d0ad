//! Types: as values have them, and as memory that hosts see has them, which says where each part
//! is.
//!
//! A vector of 2 to 4 scalars is one of the machine's; any other, and a matrix, which is its rows,
//! is an array. A truth value is a byte in memory.

use crate::assembly::{Id, Number, Operand};
use crate::emit::Emit;
use crate::grammar::{Op, capability, decoration};
use caustic_dialects::agg::{StructType, as_array, as_tape, is_unsized_array, num_parts, part_type};
use caustic_ir::{Diagnostic, Type, TypeKind};
use caustic_runtime::layout::{layout_of, struct_layout};

/// Whether values of the type are the machine's own scalars or vectors.
pub fn is_native(ty: Type) -> bool {
    ty.is_scalar() || matches!(ty.shape(), [2..=4])
}

/// Whether a value of it has no scalars.
pub fn is_empty(ty: Type) -> bool {
    match (StructType::of(ty), as_array(ty)) {
        (Some(s), _) => s.fields().all(|f| is_empty(f.ty)),
        (_, Some((count, elem))) => count == 0 || is_empty(elem),
        _ => false,
    }
}

/// How many scalars and machine's vectors it is made of.
pub fn pieces(ty: Type) -> u64 {
    if is_native(ty) {
        return 1;
    }
    match (StructType::of(ty), as_array(ty)) {
        (Some(s), _) => s.fields().map(|f| pieces(f.ty)).fold(0, u64::saturating_add),
        (_, Some((count, elem))) => pieces(elem).saturating_mul(count),
        _ => part_type(ty, 0).map_or(1, |part| pieces(part).saturating_mul(num_parts(ty) as u64)),
    }
}

/// Which member of a struct in memory is a field: what holds nothing is none.
pub fn member(ty: Type, field: u32) -> u32 {
    let Some(s) = StructType::of(ty) else { return field };
    s.fields().take(field as usize).filter(|f| !is_empty(f.ty)).count() as u32
}

impl Emit<'_> {
    fn scalar_ty(&mut self, ty: Type, stored: bool) -> Option<Id> {
        Some(match ty.kind() {
            TypeKind::Int(1) if stored => self.out.int(8),
            TypeKind::Int(1) => self.out.bool(),
            TypeKind::Int(bits) => self.out.int(*bits),
            TypeKind::Index => self.out.int(64),
            TypeKind::Float(kind) => {
                self.floats.insert(kind.bits());
                self.out.float(kind.bits())
            }
            _ => return None,
        })
    }

    /// The type of a scalar or of a machine's vector.
    fn native_ty(&mut self, ty: Type, stored: bool) -> Option<Id> {
        let scalar = self.scalar_ty(ty.elem(), stored)?;
        match ty.shape() {
            [] => Some(scalar),
            &[count @ 2..=4] => Some(self.out.vector(scalar, count)),
            _ => None,
        }
    }

    /// The type of values.
    pub fn ty(&mut self, ty: Type) -> Result<Id, Diagnostic> {
        if let Some(&known) = self.registers.get(&ty) {
            return Ok(known);
        }
        let id = if let Some(native) = self.native_ty(ty, false) {
            native
        } else if let Some(s) = StructType::of(ty) {
            let mut fields = s.fields().map(|f| self.ty(f.ty)).collect::<Result<Vec<Id>, _>>()?;
            if fields.is_empty() {
                // Drivers know no struct without a member.
                fields.push(self.out.int(32));
            }
            let id = self.out.distinct(Op::TypeStruct, None, fields.into_iter().map(Operand::Id).collect());
            self.name_struct(id, s, "", &|_| true);
            id
        } else {
            let (count, elem) = self.elements(ty)?;
            let elem = self.ty(elem)?;
            let count = self.out.word(count);
            self.out.unique(Op::TypeArray, None, vec![Operand::Id(elem), Operand::Id(count)])
        };
        self.registers.insert(ty, id);
        Ok(id)
    }

    /// How many elements an array, or what is one here, has; there is no array of none.
    fn elements(&mut self, ty: Type) -> Result<(u32, Type), Diagnostic> {
        if as_tape(ty).is_some() {
            return Err(self.refuse("an array that grows"));
        }
        if is_unsized_array(ty) {
            return Err(self.refuse("an array without a size"));
        }
        let found = match as_array(ty) {
            Some((count, elem)) => Some((count, elem)),
            None => part_type(ty, 0).map(|part| (num_parts(ty) as u64, part)),
        };
        let (count, elem) = found.ok_or_else(|| self.refuse(format!("a value of type {ty}")))?;
        let count = u32::try_from(count.max(1)).map_err(|_| self.refuse("an array as large as that"))?;
        Ok((count, elem))
    }

    fn name_struct(&mut self, id: Id, s: StructType, suffix: &str, is_member: &dyn Fn(Type) -> bool) {
        self.out.name(id, &format!("{}{suffix}", s.name()));
        for (index, field) in s.fields().filter(|f| is_member(f.ty)).enumerate() {
            self.out.member_name(id, index as u32, field.name);
        }
    }

    /// The type in memory that hosts see.
    pub fn memory_ty(&mut self, ty: Type) -> Result<Id, Diagnostic> {
        if let Some(&known) = self.in_memory.get(&ty) {
            return Ok(known);
        }
        let id = if let Some(native) = self.native_ty(ty, true) {
            native
        } else if let Some(s) = StructType::of(ty) {
            let types: Vec<Type> = s.fields().map(|f| f.ty).collect();
            let layout = struct_layout(&types).ok_or_else(|| self.refuse("a struct without a layout"))?;
            let members: Vec<(Type, u64)> = types.into_iter().zip(layout.1).filter(|(ty, _)| !is_empty(*ty)).collect();
            let fields = members.iter().map(|(ty, _)| self.memory_ty(*ty)).collect::<Result<Vec<Id>, _>>()?;
            let id = self.out.distinct(Op::TypeStruct, None, fields.into_iter().map(Operand::Id).collect());
            for (index, &(_, offset)) in members.iter().enumerate() {
                self.out.decorate_member(id, index as u32, decoration::OFFSET, Some(offset as u32));
            }
            self.name_struct(id, s, ".memory", &|ty| !is_empty(ty));
            id
        } else {
            let (count, elem) = self.elements(ty)?;
            let stride = self.size(elem)?.max(1);
            let elem = self.memory_ty(elem)?;
            let count = self.out.word(count);
            let id = self.out.distinct(Op::TypeArray, None, vec![Operand::Id(elem), Operand::Id(count)]);
            self.out.decorate(id, decoration::ARRAY_STRIDE, Some(stride as u32));
            id
        };
        self.in_memory.insert(ty, id);
        Ok(id)
    }

    /// Bytes of a value in memory.
    pub fn size(&self, ty: Type) -> Result<u64, Diagnostic> {
        layout_of(&ty).map(|l| l.size).ok_or_else(|| self.refuse("a part without a size"))
    }

    /// What it takes to have the type in memory that hosts see.
    pub fn note_memory(&mut self, ty: Type, uniform: bool) {
        if let Some(s) = StructType::of(ty) {
            return s.fields().for_each(|f| self.note_memory(f.ty, uniform));
        }
        if let Some((_, elem)) = as_array(ty) {
            return self.note_memory(elem, uniform);
        }
        match (ty.elem().scalar_bits(), uniform) {
            (Some(1 | 8), false) => self.out.capability(capability::STORAGE_8BIT),
            (Some(1 | 8), true) => self.out.capability(capability::UNIFORM_8BIT),
            (Some(16), false) => self.out.capability(capability::STORAGE_16BIT),
            (Some(16), true) => self.out.capability(capability::UNIFORM_16BIT),
            _ => {}
        }
    }

    // ----- constants

    /// A constant of a scalar type, or of a machine's vector with the scalar in each place.
    pub fn int_constant(&mut self, value: i64, ty: Type) -> Result<Id, Diagnostic> {
        let elem = ty.elem();
        let scalar = match elem.kind() {
            TypeKind::Int(1) => self.out.truth(value & 1 != 0),
            _ => {
                let bits = elem.scalar_bits().unwrap_or(64);
                let id = self.ty(elem)?;
                let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                self.out.constant(id, Number::Int(value as u64 & mask, bits))
            }
        };
        self.filled_constant(scalar, ty)
    }

    pub fn float_constant(&mut self, value: f64, ty: Type) -> Result<Id, Diagnostic> {
        let kind = ty.elem().float_kind().ok_or_else(|| self.internal("no float"))?;
        let id = self.ty(ty.elem())?;
        let bits = caustic_ir::real::bits_of(value, kind);
        let scalar = self.out.constant(id, Number::Float(bits, kind.bits()));
        self.filled_constant(scalar, ty)
    }

    /// A constant whose parts are all the same scalar.
    pub fn filled_constant(&mut self, scalar: Id, ty: Type) -> Result<Id, Diagnostic> {
        let [count, rest @ ..] = ty.shape() else { return Ok(scalar) };
        let part = if rest.is_empty() { ty.elem() } else { Type::vector(rest, ty.elem()) };
        let part = self.filled_constant(scalar, part)?;
        let id = self.ty(ty)?;
        Ok(self.out.unique(Op::ConstantComposite, Some(id), vec![Operand::Id(part); *count as usize]))
    }

    pub fn null(&mut self, ty: Type) -> Result<Id, Diagnostic> {
        let id = self.ty(ty)?;
        Ok(self.out.null(id))
    }
}
