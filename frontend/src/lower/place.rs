//! Places: expressions that can be read and written. Most are addresses. Swizzles, halves of pairs
//! and parts of these are written by reading the whole, replacing the part and writing the whole
//! back.

use super::func::{FuncLower, Slot};
use super::memory::Stored;
use crate::mutants::{Site, mutant};
use crate::sema::existentials::Packer;
use crate::sema::tree::{Const, Expr, ExprKind, FuncId, Missing};
use crate::sema::types::{Scalar, Ty, TyKind};
use caustic_dialects::hl::expand::{self, Step};
use caustic_dialects::{ad, agg, hl, tex, vector};
use caustic_ir::codes;
use caustic_ir::{Diagnostic, Type, ValueId};
use smallvec::SmallVec;

#[derive(Clone)]
pub(crate) enum Place {
    Ref {
        reference: ValueId,
        ty: Ty,
    },
    Part {
        base: Box<Place>,
        step: Step,
        ty: Ty,
    },
    Swizzle {
        base: Box<Place>,
        comps: SmallVec<[u8; 4]>,
        ty: Ty,
    },
    Pair {
        base: Box<Place>,
        differential: bool,
        ty: Ty,
    },
    /// A value in memory as words: its type is an interface, or contains one.
    Words {
        reference: ValueId,
        packer: Packer,
        ty: Ty,
    },
    /// Memory with column-major matrices in it.
    Stored {
        reference: ValueId,
        stored: Stored,
    },
    /// A row of a column-major matrix.
    Row {
        matrix: ValueId,
        row: Step,
        /// The type of the matrix.
        of: Ty,
    },
    Texel {
        texture: ValueId,
        at: ValueId,
        ty: Ty,
    },
    Access(Box<super::access::Accessed>),
    /// An integer that is read and written with the other signedness.
    Converted {
        base: Box<Place>,
        ty: Ty,
    },
}

impl Place {
    pub(crate) fn ty(&self) -> Ty {
        match self {
            Place::Ref { ty, .. }
            | Place::Part { ty, .. }
            | Place::Swizzle { ty, .. }
            | Place::Pair { ty, .. }
            | Place::Texel { ty, .. }
            | Place::Words { ty, .. }
            | Place::Converted { ty, .. } => *ty,
            Place::Stored { stored, .. } => stored.ty,
            Place::Row { of, .. } => of.indexed().unwrap_or(*of),
            Place::Access(a) => a.ty,
        }
    }
}

impl Place {
    /// Whether its parts can be read and written one by one.
    fn has_parts(&self) -> bool {
        matches!(self, Place::Ref { .. } | Place::Stored { .. } | Place::Row { .. })
    }

    /// Whether a compound assignment reads the old value after its right operand was computed.
    pub(super) fn is_read_late(&self) -> bool {
        match self {
            Place::Ref { .. } | Place::Stored { .. } | Place::Row { .. } | Place::Words { .. } => true,
            Place::Part { base, .. } => matches!(**base, Place::Texel { .. }) || base.is_read_late(),
            Place::Converted { base, .. } => base.is_read_late(),
            Place::Swizzle { .. } | Place::Pair { .. } | Place::Texel { .. } | Place::Access(_) => false,
        }
    }

    /// Whether what is read may differ from what was written: an accessor or a format stands
    /// between.
    pub(super) fn is_computed(&self) -> bool {
        match self {
            Place::Access(_) | Place::Texel { .. } => true,
            Place::Part { base, .. }
            | Place::Swizzle { base, .. }
            | Place::Pair { base, .. }
            | Place::Converted { base, .. } => base.is_computed(),
            Place::Ref { .. } | Place::Stored { .. } | Place::Row { .. } | Place::Words { .. } => false,
        }
    }
}

/// An array without a size that is no list of resources.
pub(crate) fn is_unsized_data(ty: Ty) -> bool {
    matches!(ty.kind(), TyKind::Array(t, None) if !t.is_resource())
}

/// A constant index that names a part of `of`. In an instance of generic code one may lie beyond
/// its end, where a condition keeps the program from getting there: it is like one that is
/// computed.
pub(crate) fn constant_index(of: Ty, index: &Expr) -> Option<i64> {
    let ExprKind::Const(Const::Int(i)) = index.kind else { return None };
    let count = match of.kind() {
        TyKind::Array(_, n) => *n,
        TyKind::Vector(_, n) | TyKind::Matrix(_, n, _) => Some(*n),
        _ => None,
    };
    count.is_none_or(|n| (0..i64::from(n)).contains(&i)).then_some(i)
}

impl FuncLower<'_, '_, '_> {
    /// Whether the expression can be lowered as a place: it goes back to a variable or a buffer.
    pub(crate) fn is_place(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(l) => matches!(self.locals[l.0 as usize], Slot::Ref(_)),
            ExprKind::BufferElem { .. } => true,
            ExprKind::Field { base, .. }
            | ExprKind::Index { base, .. }
            | ExprKind::Swizzle { base, .. }
            | ExprKind::PairPart { base, .. } => self.is_place(base),
            _ => false,
        }
    }

    pub(crate) fn place(&mut self, e: &Expr) -> Place {
        let ty = e.ty;
        match &e.kind {
            ExprKind::Local(l) => match self.locals[l.0 as usize] {
                Slot::Ref(reference) => Place::Ref { reference, ty },
                // Locals that are written have references; the other cases only keep the compiler
                // from failing.
                Slot::Value(v) => self.temporary(v, ty),
                Slot::None => {
                    let zero = self.zero(ty);
                    self.temporary(zero, ty)
                }
            },
            ExprKind::BufferElem { buffer, index } if buffer.ty.as_texture().is_some() => {
                let texture = self.value(buffer);
                let at = self.value(index);
                Place::Texel { texture, at, ty }
            }
            ExprKind::BufferElem { buffer, .. } if self.lw.keeps_blocks(buffer.ty) => {
                let why = "this buffer holds handles of blocks or scenes, which lie in no memory here".to_string();
                let v = self.unavailable(e, &Missing { code: codes::E0303, why, declared: e.span });
                self.temporary(v, ty)
            }
            ExprKind::BufferElem { buffer, index } => {
                let b = self.value(buffer);
                let i = self.value(index);
                self.at(e);
                let i = self.index_value(i, index.ty);
                let stored = self.lw.stored_elements(buffer.ty).part(ty);
                let ir = self.lw.memory_type(stored);
                let reference = hl::BufferElement::build(&mut self.b(), b, i, hl::ref_type(ir), &[]);
                self.place_in_memory(reference, stored)
            }
            ExprKind::Field { base, index } => {
                let base = self.place(base);
                self.at(e);
                self.part(base, Step::Constant(*index as i64), ty)
            }
            ExprKind::Index { base, index } => {
                let of = base.ty;
                let base = self.place(base);
                if is_unsized_data(of) && self.memory_of(&base).is_none() {
                    self.at(e);
                    self.refuse_unsized(of);
                }
                let step = match constant_index(of, index) {
                    Some(i) if !is_unsized_data(of) => Step::Constant(i),
                    _ => {
                        let i = self.value(index);
                        self.at(e);
                        Step::Dynamic(self.index_value(i, index.ty))
                    }
                };
                self.at(e);
                self.part(base, step, ty)
            }
            ExprKind::Swizzle { base, comps } => {
                let from = base.ty;
                let base = self.place(base);
                self.at(e);
                if let [c] = comps.as_slice() {
                    return self.component_place(base, from, *c, ty);
                }
                Place::Swizzle { base: base.into(), comps: comps.clone(), ty }
            }
            ExprKind::Access(a) => self.access_place(e, a),
            ExprKind::Assign { place, value } => {
                let (place, v) = self.assigned_place(e, place, value);
                place.unwrap_or_else(|| self.temporary(v, ty))
            }
            ExprKind::Retype(base) => self.place(base),
            ExprKind::Convert(base) if self.is_place(base) || matches!(base.kind, ExprKind::Access(_)) => {
                let base = self.place(base);
                Place::Converted { base: base.into(), ty }
            }
            ExprKind::PairPart { base, differential } => {
                let base = self.place(base);
                Place::Pair { base: base.into(), differential: *differential, ty }
            }
            _ => {
                let v = self.value(e);
                self.temporary(v, ty)
            }
        }
    }

    /// The type of the buffer that a place is in; `None` if it is in a variable.
    fn memory_of(&self, place: &Place) -> Option<Type> {
        let mut at = match place {
            Place::Ref { reference, .. } | Place::Stored { reference, .. } => *reference,
            Place::Row { matrix, .. } => *matrix,
            _ => return None,
        };
        loop {
            let op = self.body.def_op(at)?;
            let base = *self.body.operands(op).first()?;
            match () {
                _ if hl::BufferElement::is(&self.body, op) => return Some(self.body.ty(base)),
                _ if hl::Field::is(&self.body, op) || hl::Element::is(&self.body, op) => at = base,
                _ => return None,
            }
        }
    }

    /// Whether a place is all or a part of a pointer's target, and can be read as a whole.
    fn is_sized_pointee(&self, place: &Place) -> bool {
        self.memory_of(place).is_some_and(agg::is_pointee) && !self.lw.checker.ends_unsized(place.ty())
    }

    /// Reports an array without a size that is used as a value.
    pub(crate) fn refuse_unsized(&mut self, array: Ty) {
        let shown = self.lw.checker.show(array);
        let text = format!("a value has no elements in a `{shown}`");
        let note = "an array without a size has elements in memory only: read it through a pointer or in a buffer";
        self.lw.problems.push(Diagnostic::error(codes::E0215, self.loc, text).with_note(note));
    }

    pub(crate) fn call_plain(&mut self, f: FuncId, v: ValueId, result: Type) -> ValueId {
        let callee = self.lw.callee(f);
        let op = hl::Call::build(&mut self.b(), &[v], &[result], &[("callee", callee)]);
        self.body.result(op, 0)
    }

    /// A new variable with the value `v`.
    pub(crate) fn temporary(&mut self, v: ValueId, ty: Ty) -> Place {
        let ir = self.body.ty(v);
        let reference = hl::Var::build(&mut self.b(), hl::ref_type(ir), &[]);
        hl::Store::build(&mut self.b(), v, reference, &[]);
        Place::Ref { reference, ty }
    }

    /// The places of a vector's components.
    fn components(&mut self, p: &Place) -> Vec<Place> {
        let ty = p.ty();
        let scalar = Ty::scalar(ty.element_scalar().unwrap_or(Scalar::F32));
        (0..ty.shape().count()).map(|i| self.part(p.clone(), Step::Constant(i as i64), scalar)).collect()
    }

    /// The place of scalar `c` of a vector, or of a matrix whose scalars are counted row by row.
    fn component_place(&mut self, base: Place, from: Ty, c: u8, ty: Ty) -> Place {
        match from.kind() {
            TyKind::Matrix(s, _, cols) => {
                let row = self.part(base, Step::Constant((c as u32 / cols) as i64), Ty::vector(*s, *cols));
                self.part(row, Step::Constant((c as u32 % cols) as i64), ty)
            }
            _ => self.part(base, Step::Constant(c as i64), ty),
        }
    }

    #[mutant(Site::PointerPart if self.is_sized_pointee(&base) => Place::Part { base: base.into(), step, ty })]
    pub(crate) fn part(&mut self, base: Place, step: Step, ty: Ty) -> Place {
        match base {
            Place::Ref { reference, .. } => {
                let ir = self.lw.ty(ty);
                Place::Ref { reference: self.reference_to(reference, step, ir), ty }
            }
            Place::Stored { reference, stored } => self.stored_part(reference, stored, step, ty),
            Place::Row { matrix, row, of } => self.row_part(matrix, row, of, step),
            _ => Place::Part { base: base.into(), step, ty },
        }
    }

    pub(crate) fn load(&mut self, p: &Place) -> ValueId {
        match p {
            Place::Ref { reference, ty } => {
                let ir = self.lw.ty(*ty);
                hl::Load::build(&mut self.b(), *reference, ir, &[])
            }
            Place::Part { base, step, ty } => {
                let whole = self.load(base);
                self.extract(whole, *step, *ty)
            }
            Place::Swizzle { base, comps, ty } => {
                // Behind a pointer only the named components are read: the memory of the others
                // need not exist.
                if base.ty().as_struct().is_none() && self.memory_of(base).is_some_and(agg::is_pointee) {
                    return self.load_components(base, comps, *ty);
                }
                let whole = self.load(base);
                if base.ty().as_struct().is_some() {
                    return self.tuple_parts(whole, base.ty(), comps, *ty);
                }
                self.swizzle(whole, comps, *ty)
            }
            Place::Texel { texture, at, ty } => {
                let ir = self.lw.ty(*ty);
                let level = self.zero(Ty::int());
                tex::Load::build(&mut self.b(), *texture, *at, level, &[], ir, &[])
            }
            Place::Pair { base, differential, ty } => {
                let whole = self.load(base);
                self.pair_part(whole, *differential, *ty)
            }
            Place::Words { reference, packer, ty } => {
                let words = self.lw.ty(packer.words);
                let v = hl::Load::build(&mut self.b(), *reference, words, &[]);
                let ir = self.lw.ty(*ty);
                self.call_plain(packer.unpack, v, ir)
            }
            Place::Stored { stored, .. } if stored.is_handle() => self.read_handle(stored.ty),
            Place::Stored { reference, stored } => {
                let ir = self.lw.parameter_type(*stored);
                let data = hl::Load::build(&mut self.b(), *reference, ir, &[]);
                self.unpacked(data, *stored)
            }
            Place::Row { .. } => {
                let row = p.ty();
                let parts: Vec<ValueId> = self.components(p).iter().map(|c| self.load(c)).collect();
                let ir = self.lw.ty(row);
                vector::from_elements(&mut self.b(), &parts, ir)
            }
            Place::Access(a) => self.load_access(a),
            Place::Converted { base, ty } => {
                let v = self.load(base);
                self.convert(v, base.ty(), *ty)
            }
        }
    }

    /// A swizzle of a vector or matrix in memory; each component is read once.
    fn load_components(&mut self, base: &Place, comps: &[u8], ty: Ty) -> ValueId {
        let whole = base.ty();
        let scalar = Ty::scalar(whole.element_scalar().unwrap_or(Scalar::F32));
        let mut read: Vec<(u8, ValueId)> = Vec::new();
        for &c in comps {
            if read.iter().all(|(k, _)| *k != c) {
                let part = self.component_place(base.clone(), whole, c, scalar);
                read.push((c, self.load(&part)));
            }
        }
        let parts: Vec<ValueId> = comps.iter().filter_map(|c| read.iter().find(|(k, _)| k == c)).map(|r| r.1).collect();
        let ir = self.lw.ty(ty);
        vector::from_elements(&mut self.b(), &parts, ir)
    }

    pub(crate) fn store(&mut self, p: &Place, v: ValueId) {
        match p {
            Place::Ref { reference, .. } => {
                hl::Store::build(&mut self.b(), v, *reference, &[]);
            }
            Place::Words { reference, packer, .. } => {
                let ir = self.lw.ty(packer.words);
                let words = self.call_plain(packer.pack, v, ir);
                hl::Store::build(&mut self.b(), words, *reference, &[]);
            }
            Place::Texel { texture, at, .. } => {
                tex::Store::build(&mut self.b(), v, *texture, *at, &[]);
            }
            Place::Access(a) => self.store_access(a, v),
            Place::Converted { base, ty } => {
                let v = self.convert(v, *ty, base.ty());
                self.store(base, v);
            }
            Place::Stored { reference, stored } => {
                let data = self.packed(v, *stored);
                hl::Store::build(&mut self.b(), data, *reference, &[]);
            }
            Place::Row { .. } => {
                for (i, part) in self.components(p).into_iter().enumerate() {
                    let value = vector::extract(&mut self.b(), v, &[i as i64]);
                    self.store(&part, value);
                }
            }
            Place::Part { base, step, .. } => {
                let whole = self.load(base);
                let new = expand::with_part(&mut self.b(), v, whole, *step);
                self.store(base, new);
            }
            // Only the named components are written: other threads may write the others.
            Place::Swizzle { base, comps, .. } if base.ty().as_struct().is_some() => {
                self.store_tuple_parts(base, v, comps);
            }
            Place::Swizzle { base, comps, .. } if base.has_parts() => {
                let whole = base.ty();
                for (i, &c) in comps.iter().enumerate() {
                    let value = vector::extract(&mut self.b(), v, &[i as i64]);
                    let scalar = Ty::scalar(whole.element_scalar().unwrap_or(Scalar::F32));
                    let target = self.component_place((**base).clone(), whole, c, scalar);
                    self.store(&target, value);
                }
            }
            Place::Swizzle { base, comps, .. } => {
                let whole = self.load(base);
                let whole = expand::with_swizzle(&mut self.b(), v, whole, comps);
                self.store(base, whole);
            }
            Place::Pair { base, differential, .. } => {
                let pair = base.ty();
                let TyKind::Pair(primal_ty) = pair.kind() else { return };
                let whole = self.load(base);
                let (p, d) = if *differential {
                    (self.pair_part(whole, false, *primal_ty), v)
                } else {
                    let d = self.lw.checker.differential(*primal_ty).unwrap_or(*primal_ty);
                    (v, self.pair_part(whole, true, d))
                };
                let ir = self.lw.ty(pair);
                let new = ad::MakePair::build(&mut self.b(), p, d, ir, &[]);
                self.store(base, new);
            }
        }
    }

    pub(crate) fn pair_part(&mut self, pair: ValueId, differential: bool, ty: Ty) -> ValueId {
        let to = self.lw.source(ty);
        expand::pair_part(&mut self.b(), pair, differential, to)
    }

    /// Part `step` of a value.
    pub(crate) fn extract(&mut self, whole: ValueId, step: Step, ty: Ty) -> ValueId {
        let to = self.lw.source(ty);
        expand::part(&mut self.b(), whole, step, to)
    }

    pub(crate) fn swizzle(&mut self, whole: ValueId, comps: &[u8], ty: Ty) -> ValueId {
        let to = self.lw.source(ty);
        expand::swizzle(&mut self.b(), whole, comps, to)
    }
}
