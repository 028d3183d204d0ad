//! Finds which parts of a tangent were reached, through ops that move data: those that make, read
//! and write parts, and those that choose.
//!
//! A tangent has a flag for each part of a struct, and a vector of flags for the lanes of a vector.
//! Lanes are moved by the op itself, applied to flags.

use super::Linearizer;
use super::gated::{flag, merged};
use crate::autodiff::gates::{self, Gate, Reached};
use crate::autodiff::mirror;
use crate::autodiff::reach::{flags, flags_at};
use caustic_dialects::ad::{differential_path, differential_type};
use caustic_dialects::agg::StructType;
use caustic_dialects::{arith, vector};
use caustic_ir::{Attr, Builder, Mirror, OpId, Type, ValueId};

impl Linearizer<'_> {
    /// Which parts of the tangent of moved data were reached. `None` where that does not matter, or
    /// where no more is known than of the whole.
    pub(super) fn moved_parts(&self, b: &mut Builder<'_>, op: OpId, kind: Mirror) -> Option<Vec<Reached>> {
        let src = self.src;
        let result = src.result(op, 0);
        let operands = src.operands(op);
        if !self.reach.asked(result) {
            return None;
        }
        let types = flags(src, result);
        let lanes = types.first().copied()?;
        let ty = src.ty(result);
        differential_type(ty)?;
        let is_vector = |ty: Type| ty.shape().len() == 1;
        match kind {
            Mirror::Make if StructType::of(ty).is_some() => self.make_struct_reached(b, op, types.len()),
            Mirror::Make if is_vector(ty) && operands.len() == ty.num_elements() => {
                self.make_vector_reached(b, op, lanes)
            }
            Mirror::Extract if is_vector(src.ty(operands[0])) && lanes.is_scalar() => self.lane_reached(b, op),
            Mirror::Insert if is_vector(ty) && src.ty(operands[0]).is_scalar() => {
                self.insert_lane_reached(b, op, lanes)
            }
            Mirror::Extract => self.extract_reached(b, op, types.len()),
            Mirror::Insert => self.insert_reached(b, op),
            Mirror::Select => self.select_reached(b, op, types),
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
                self.put(b, &mut parts, differential, &[place as i64], v);
            }
        }
        Some(parts)
    }

    fn make_vector_reached(&self, b: &mut Builder<'_>, op: OpId, lanes: Type) -> Option<Vec<Reached>> {
        let parts: Vec<Reached> = self.src.operands(op).iter().map(|&v| self.any_reached(b, v)).collect();
        if parts.iter().all(|&r| r == Reached::Always) {
            return None;
        }
        let parts: Vec<ValueId> = parts.into_iter().map(|r| r.flag(b)).collect();
        Some(vec![self.move_flags(b, op, &parts, lanes)])
    }

    /// [`Self::moved_parts`] of a scalar that is read from a vector.
    fn lane_reached(&self, b: &mut Builder<'_>, op: OpId) -> Option<Vec<Reached>> {
        let operands = self.src.operands(op);
        let whole = *self.reached(b, operands[0]).first()?;
        let Reached::If(gate) = whole else { return None };
        let mut part = whole;
        if !gate.is_scalar(b) {
            let mut from = vec![gate.value(b)];
            from.extend(operands[1..].iter().map(|&v| self.primal.get(v)));
            part = self.move_flags(b, op, &from, Type::i1());
        }
        Some(vec![self.reached_if_inside(b, op, part)])
    }

    /// [`Self::moved_parts`] of a vector into which a scalar is written.
    fn insert_lane_reached(&self, b: &mut Builder<'_>, op: OpId, lanes: Type) -> Option<Vec<Reached>> {
        let operands = self.src.operands(op);
        let (part, whole) = (self.any_reached(b, operands[0]), self.reached(b, operands[1]));
        if part == Reached::Always && whole == [Reached::Always] {
            return None;
        }
        let mut from = vec![part.flag(b), flag(b, *whole.first()?, lanes)];
        from.extend(operands[2..].iter().map(|&v| self.primal.get(v)));
        Some(vec![self.move_flags(b, op, &from, lanes)])
    }

    /// [`Self::moved_parts`] of a part that is read from an aggregate. The part has `count` flags.
    fn extract_reached(&self, b: &mut Builder<'_>, op: OpId, count: usize) -> Option<Vec<Reached>> {
        let from = self.src.operand(op, 0);
        let ty = self.src.ty(from);
        let whole = self.parts.get(self.tangents.get(&from)?)?;
        let path = differential_path(ty, &mirror::path_of(self.src, op))?;
        let (range, steps) = flags_at(differential_type(ty)?, &path);
        let parts = whole.get(range)?.to_vec();
        if steps == path.len() && parts.len() == count {
            return Some(parts);
        }
        let lane = path.get(steps).filter(|&&lane| lane >= 0 && steps + 1 == path.len());
        let part = match (&parts[..], lane) {
            (&[Reached::If(gate)], Some(&lane)) if b.ty(gate.condition).is_vector() => {
                let from = gate.value(b);
                let at = [("static_position", Attr::i64_array(&[lane]))];
                Reached::If(Gate::when(b.create_one(vector::Extract::DEF, &[from], Type::i1(), &at)))
            }
            // The part shares its flag with others.
            _ => merged(b, parts),
        };
        Some(vec![self.reached_if_inside(b, op, part); count])
    }

    /// [`Self::moved_parts`] of an aggregate into which a part is written.
    fn insert_reached(&self, b: &mut Builder<'_>, op: OpId) -> Option<Vec<Reached>> {
        let ty = self.src.ty(self.src.result(op, 0));
        let mut parts = self.reached(b, self.src.operand(op, 1));
        if let Some(path) = differential_path(ty, &mirror::path_of(self.src, op)) {
            self.put(b, &mut parts, differential_type(ty)?, &path, self.src.operand(op, 0));
        }
        Some(parts)
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
