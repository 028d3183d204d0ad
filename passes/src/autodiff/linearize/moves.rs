//! Finds which parts of a tangent were reached, through ops that move data: those that make, read
//! and write parts, and those that choose.
//!
//! A tangent has a flag for each part of a struct, an array of flags for the elements of an array,
//! and a vector of flags for the lanes of a vector or a matrix (`reach::flag_types`).

use super::Linearizer;
use super::gated::{flag, merged, numbers};
use crate::analysis::access::{Step, build_read};
use crate::autodiff::gates::{self, Gate, Reached};
use crate::autodiff::mirror;
use crate::autodiff::reach::{flag_types, flags, flags_at};
use caustic_dialects::ad::{differential_path, differential_type};
use caustic_dialects::agg::{StructType, type_at_path};
use caustic_dialects::arith;
use caustic_ir::{Builder, Mirror, OpId, Type, ValueId};

impl Linearizer<'_> {
    /// Which parts of the tangent of moved data were reached. `None` where that does not matter, or
    /// where no more is known than of the whole.
    pub(super) fn moved_parts(&self, b: &mut Builder<'_>, op: OpId, kind: Mirror) -> Option<Vec<Reached>> {
        let src = self.src;
        let result = src.result(op, 0);
        if !self.reach.asked(result) {
            return None;
        }
        let types = flags(src, result);
        let ty = src.ty(result);
        differential_type(ty)?;
        match kind {
            Mirror::Make if StructType::of(ty).is_some() => self.make_struct_reached(b, op, types.len()),
            Mirror::Make => self.make_reached(b, op, &types),
            Mirror::Extract => self.extract_reached(b, op),
            Mirror::Insert => self.insert_reached(b, op),
            Mirror::Select => self.select_reached(b, op, types),
            Mirror::Reshape => self.reshape_reached(b, op, &types),
            _ => None,
        }
    }

    /// Applies the op that moves data to flags.
    fn move_flags(&self, b: &mut Builder<'_>, op: OpId, from: &[ValueId], ty: Type) -> Reached {
        let data = self.src.op(op);
        let attrs: Vec<_> = data.attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
        Reached::If(Gate::when(b.create_one(data.def, from, ty, &attrs)))
    }

    /// An index out of range reads nothing, so `part` was reached only if the index is in range.
    fn reached_if_inside(&self, b: &mut Builder<'_>, op: OpId, part: Reached) -> Reached {
        match gates::inside(b, self.src, op, &|v| self.primal.get(v)) {
            Some(inside) => part.behind(b, inside),
            None => part,
        }
    }

    fn make_struct_reached(&self, b: &mut Builder<'_>, op: OpId, count: usize) -> Option<Vec<Reached>> {
        let ty = self.src.ty(self.src.result(op, 0));
        let differential = differential_type(ty)?;
        let mut parts = vec![Reached::Never; count];
        for (i, &v) in self.src.operands(op).iter().enumerate() {
            if let Some(place) = mirror::part_number(ty, i) {
                self.put(b, &mut parts, differential, &[Step::At(place as i64)], v);
            }
        }
        Some(parts)
    }

    /// [`Self::moved_parts`] of a vector, a matrix or an array that is made of its parts.
    fn make_reached(&self, b: &mut Builder<'_>, op: OpId, types: &[Type]) -> Option<Vec<Reached>> {
        let operands = self.src.operands(op);
        let parts: Vec<Vec<Reached>> = operands.iter().map(|&v| self.reached(b, v)).collect();
        if parts.iter().flatten().all(|&r| r == Reached::Always) {
            return None;
        }
        if types[..] == [Type::i1()] {
            // One flag for all of a large array.
            return Some(vec![merged(b, parts.concat())]);
        }
        let made = |(k, &ty): (usize, &Type)| {
            let of =
                |(&v, known): (&ValueId, &Vec<Reached>)| Some(flag(b, *known.get(k)?, *flags(self.src, v).get(k)?));
            let from: Option<Vec<ValueId>> = operands.iter().zip(&parts).map(of).collect();
            Some(self.move_flags(b, op, &from?, ty))
        };
        types.iter().enumerate().map(made).collect()
    }

    /// The path of an op that reads or writes a part of `ty`, in what its tangent is made of. The
    /// indices that are computed are the operands from `first` on.
    fn path(&self, op: OpId, ty: Type, first: usize) -> Option<Vec<Step>> {
        let mut indices = self.src.operands(op)[first..].iter();
        let path = differential_path(ty, &mirror::path_of(self.src, op))?;
        let step =
            |i: i64| if i < 0 { indices.next().map(|&v| Step::By(self.primal.get(v))) } else { Some(Step::At(i)) };
        path.into_iter().map(step).collect()
    }

    /// [`Self::moved_parts`] of a part that is read.
    fn extract_reached(&self, b: &mut Builder<'_>, op: OpId) -> Option<Vec<Reached>> {
        let from = self.src.operand(op, 0);
        let ty = self.src.ty(from);
        let whole = self.reached(b, from);
        if whole.iter().all(|&r| r == Reached::Always) {
            return None;
        }
        let path = self.path(op, ty, 1)?;
        let differential = differential_type(ty)?;
        let at = flags_at(differential, &numbers(&path));
        let steps: Vec<Step> = at.steps.iter().map(|&k| path[k]).collect();
        let types = flag_types(differential);
        let mut parts = Vec::new();
        for k in at.range {
            parts.push(match *whole.get(k)? {
                Reached::If(gate) if b.ty(gate.condition) == types[k] && !steps.is_empty() => {
                    let from = gate.value(b);
                    let part = type_at_path(types[k], &numbers(&steps))?;
                    Reached::If(Gate::when(build_read(b, from, &steps, part)))
                }
                known => known,
            });
        }
        let wanted = flags(self.src, self.src.result(op, 0)).len();
        if !at.alone || parts.len() != wanted {
            // The part shares its flag with others.
            parts = vec![merged(b, parts); wanted];
        }
        Some(parts.into_iter().map(|part| self.reached_if_inside(b, op, part)).collect())
    }

    /// [`Self::moved_parts`] of a value into which a part is written.
    fn insert_reached(&self, b: &mut Builder<'_>, op: OpId) -> Option<Vec<Reached>> {
        let ty = self.src.ty(self.src.result(op, 0));
        let mut parts = self.reached(b, self.src.operand(op, 1));
        if let Some(path) = self.path(op, ty, 2) {
            self.put(b, &mut parts, differential_type(ty)?, &path, self.src.operand(op, 0));
        }
        Some(parts)
    }

    /// [`Self::moved_parts`] of lanes in another shape.
    fn reshape_reached(&self, b: &mut Builder<'_>, op: OpId, types: &[Type]) -> Option<Vec<Reached>> {
        let from = self.src.operand(op, 0);
        match (&self.reached(b, from)[..], types) {
            (&[Reached::If(gate)], &[ty]) if !gate.is_scalar(b) => {
                let from = gate.value(b);
                Some(vec![self.move_flags(b, op, &[from], ty)])
            }
            _ => None,
        }
    }

    fn select_reached(&self, b: &mut Builder<'_>, op: OpId, types: Vec<Type>) -> Option<Vec<Reached>> {
        let operands = self.src.operands(op);
        let condition = self.primal.get(operands[0]);
        if !b.ty(condition).is_scalar() && types[..] != [b.ty(condition)] {
            return None;
        }
        let (x, y) = (self.reached(b, operands[1]), self.reached(b, operands[2]));
        let mut either = |((x, y), lanes): ((Reached, Reached), Type)| match (x, y) {
            (x, y) if x == y => x,
            (x, y) if !lanes.is_scalar() => {
                let (x, y) = (flag(b, x, lanes), flag(b, y, lanes));
                Reached::If(Gate::when(arith::Select::build(b, condition, x, y, &[])))
            }
            (x, Reached::Never) => x.behind(b, Gate::side(condition, true)),
            (Reached::Never, y) => y.behind(b, Gate::side(condition, false)),
            (x, y) => {
                let (x, y) = (x.flag(b), y.flag(b));
                Reached::If(Gate::when(arith::Select::build(b, condition, x, y, &[])))
            }
        };
        Some(x.into_iter().zip(y).zip(types).map(&mut either).collect())
    }
}
