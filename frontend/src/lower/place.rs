//! Places: what can be read and written. Most are addresses; swizzles, halves of pairs and parts of these are written by
//! reading the whole, replacing the part and writing the whole back.

use super::func::{FuncLower, Slot};
use crate::sema::tree::{Const, Expr, ExprKind};
use crate::sema::types::{Scalar, Ty, TyKind};
use caustic_dialects::{ad, agg, hl, vector};
use caustic_ir::{Attr, ValueId};
use smallvec::SmallVec;

#[derive(Clone)]
pub(crate) enum Step {
    Constant(i64),
    /// A value of type `index`.
    Dynamic(ValueId),
}

#[derive(Clone)]
pub(crate) enum Place {
    Ref { reference: ValueId, ty: Ty },
    Part { base: Box<Place>, step: Step, ty: Ty },
    Swizzle { base: Box<Place>, comps: SmallVec<[u8; 4]>, ty: Ty },
    Pair { base: Box<Place>, differential: bool, ty: Ty },
}

impl Place {
    pub(crate) fn ty(&self) -> Ty {
        match self {
            Place::Ref { ty, .. } | Place::Part { ty, .. } | Place::Swizzle { ty, .. } | Place::Pair { ty, .. } => *ty,
        }
    }
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
                // Written locals have refs; this is only for the robustness of the compiler.
                Slot::Value(v) => self.temporary(v, ty),
                Slot::None => {
                    let zero = self.zero(ty);
                    self.temporary(zero, ty)
                }
            },
            ExprKind::BufferElem { buffer, index } => {
                let b = self.value(buffer);
                let i = self.value(index);
                self.at(e);
                let i = self.index_value(i, index.ty);
                let ir = self.lw.ty(ty);
                let reference = hl::BufferElement::build(&mut self.b(), b, i, hl::ref_type(ir), &[]);
                Place::Ref { reference, ty }
            }
            ExprKind::Field { base, index } => {
                let base = self.place(base);
                self.at(e);
                self.part(base, Step::Constant(*index as i64), ty)
            }
            ExprKind::Index { base, index } => {
                let base = self.place(base);
                let step = match index.kind {
                    ExprKind::Const(Const::Int(i)) => Step::Constant(i),
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

    /// A fresh variable holding `v`.
    pub(crate) fn temporary(&mut self, v: ValueId, ty: Ty) -> Place {
        let ir = self.body.ty(v);
        let reference = hl::Var::build(&mut self.b(), hl::ref_type(ir), &[]);
        hl::Store::build(&mut self.b(), v, reference, &[]);
        Place::Ref { reference, ty }
    }

    /// Scalar `c` of a vector, or of a matrix counted row by row.
    fn component_place(&mut self, base: Place, from: Ty, c: u8, ty: Ty) -> Place {
        match from.kind() {
            TyKind::Matrix(s, _, cols) => {
                let row = self.part(base, Step::Constant((c as u32 / cols) as i64), Ty::vector(*s, *cols));
                self.part(row, Step::Constant((c as u32 % cols) as i64), ty)
            }
            _ => self.part(base, Step::Constant(c as i64), ty),
        }
    }

    fn part(&mut self, base: Place, step: Step, ty: Ty) -> Place {
        let Place::Ref { reference, .. } = base else { return Place::Part { base: base.into(), step, ty } };
        let ir = hl::ref_type(self.lw.ty(ty));
        let reference = match step {
            Step::Constant(i) => hl::Field::build(&mut self.b(), reference, ir, &[("index", Attr::i64(i))]),
            Step::Dynamic(i) => hl::Element::build(&mut self.b(), reference, i, ir, &[]),
        };
        Place::Ref { reference, ty }
    }

    pub(crate) fn load(&mut self, p: &Place) -> ValueId {
        match p {
            Place::Ref { reference, ty } => {
                let ir = self.lw.ty(*ty);
                hl::Load::build(&mut self.b(), *reference, ir, &[])
            }
            Place::Part { base, step, ty } => {
                let whole = self.load(base);
                self.extract(whole, step, *ty)
            }
            Place::Swizzle { base, comps, ty } => {
                let whole = self.load(base);
                self.swizzle(whole, base.ty(), comps, *ty)
            }
            Place::Pair { base, differential, ty } => {
                let whole = self.load(base);
                self.pair_part(whole, *differential, *ty)
            }
        }
    }

    pub(crate) fn store(&mut self, p: &Place, v: ValueId) {
        match p {
            Place::Ref { reference, .. } => {
                hl::Store::build(&mut self.b(), v, *reference, &[]);
            }
            Place::Part { base, step, .. } => {
                let whole = self.load(base);
                let (path, indices) = path_of(step);
                let new = agg::Insert::build(&mut self.b(), v, whole, &indices, &[("path", path)]);
                self.store(base, new);
            }
            // Only what is named is written: other threads may write its neighbours.
            Place::Swizzle { base, comps, .. } if matches!(**base, Place::Ref { .. }) => {
                let whole = base.ty();
                for (i, &c) in comps.iter().enumerate() {
                    let value = vector::extract(&mut self.b(), v, &[i as i64]);
                    let scalar = Ty::scalar(whole.element_scalar().unwrap_or(Scalar::F32));
                    let target = self.component_place((**base).clone(), whole, c, scalar);
                    self.store(&target, value);
                }
            }
            Place::Swizzle { base, comps, .. } => {
                let mut whole = self.load(base);
                let cols = match base.ty().kind() {
                    TyKind::Matrix(_, _, c) => Some(*c as i64),
                    _ => None,
                };
                for (i, &c) in comps.iter().enumerate() {
                    let part = vector::extract(&mut self.b(), v, &[i as i64]);
                    let at = component(c as i64, cols);
                    whole = vector::insert(&mut self.b(), part, whole, &at);
                }
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
        let ir = self.lw.ty(ty);
        if differential {
            ad::Differential::build(&mut self.b(), pair, ir, &[])
        } else {
            ad::Primal::build(&mut self.b(), pair, ir, &[])
        }
    }

    /// Part `step` of a value.
    pub(crate) fn extract(&mut self, whole: ValueId, step: &Step, ty: Ty) -> ValueId {
        if self.body.ty(whole).is_vector() {
            return match step {
                Step::Constant(i) => vector::extract(&mut self.b(), whole, &[*i]),
                Step::Dynamic(i) => vector::extract_at(&mut self.b(), whole, &[*i]),
            };
        }
        let (path, indices) = path_of(step);
        let ir = self.lw.ty(ty);
        agg::Extract::build(&mut self.b(), whole, &indices, ir, &[("path", path)])
    }

    pub(crate) fn swizzle(&mut self, whole: ValueId, from: Ty, comps: &[u8], ty: Ty) -> ValueId {
        let cols = match from.kind() {
            TyKind::Matrix(_, _, c) => Some(*c as i64),
            _ => None,
        };
        let mut parts = Vec::with_capacity(comps.len());
        for &c in comps {
            let at = component(c as i64, cols);
            parts.push(vector::extract(&mut self.b(), whole, &at));
        }
        if let [one] = parts.as_slice() {
            return *one;
        }
        let ir = self.lw.ty(ty);
        vector::from_elements(&mut self.b(), &parts, ir)
    }
}

/// The position of scalar `c`, counted row by row.
pub(crate) fn component(c: i64, cols: Option<i64>) -> SmallVec<[i64; 2]> {
    match cols {
        Some(n) => smallvec::smallvec![c / n, c % n],
        None => smallvec::smallvec![c],
    }
}

fn path_of(step: &Step) -> (Attr, Vec<ValueId>) {
    match step {
        Step::Constant(i) => (Attr::i64_array(&[*i]), Vec::new()),
        Step::Dynamic(v) => (Attr::i64_array(&[-1]), vec![*v]),
    }
}
