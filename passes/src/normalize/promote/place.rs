//! Places: what an address leads to, as a path into a variable's value or a buffer's element, and
//! reading and writing there.
//!
//! One form for one access, however it was written: an index that is a constant in range is a
//! static step; a path with static steps only in a variable that is a vector or matrix is
//! `vector.extract` or `vector.insert`, every other one `agg.extract` or `agg.insert`.

use super::Promoter;
use super::variables::Var;
use caustic_dialects::{agg, arith, hl, scf, vector};
use caustic_ir::{Attr, BlockId, Builder, Diagnostic, Loc, OpId, Result, Type, ValueId};

/// Longer arrays are read in a loop where they are read by parts.
const MAX_UNROLLED_PARTS: usize = 16;

#[derive(Clone, Copy, Debug)]
pub enum Root {
    Variable(Var),
    /// A buffer and the index of the element.
    Buffer(ValueId, ValueId),
}

#[derive(Clone, Debug)]
pub struct Place {
    root: Root,
    /// The type of the variable or element.
    ty: Option<Type>,
    /// As the `path` attribute of `agg` ops: -1 stands for the next of `indices`.
    path: Vec<i64>,
    indices: Vec<ValueId>,
}

impl Place {
    pub fn variable(var: Var) -> Place {
        Place { root: Root::Variable(var), ty: None, path: Vec::new(), indices: Vec::new() }
    }

    pub(super) fn is_in_memory(&self) -> bool {
        matches!(self.root, Root::Buffer(..))
    }
}

impl Promoter<'_> {
    /// The place of a ref.
    pub(super) fn place(&self, reference: ValueId, loc: Loc) -> Result<Place> {
        let found = self.places.get(&reference).cloned();
        found.ok_or_else(|| Diagnostic::invalid_ir(loc, "an address that is made of no variable and no buffer"))
    }

    /// Translates an op that computes an address.
    pub(super) fn address(&mut self, op: OpId, to: BlockId) -> Result<()> {
        let (old, loc) = (self.old, self.old.loc(op));
        let result = old.result(op, 0);
        let place = if let Some(element) = hl::BufferElement::cast(old, op) {
            let (buffer, index) = (self.value(element.buffer(old), loc)?, self.value(element.index(old), loc)?);
            Place { root: Root::Buffer(buffer, index), ty: hl::as_ref(old.ty(result)), path: vec![], indices: vec![] }
        } else {
            let base = old.operand(op, 0);
            let mut place = self.place(base, loc)?;
            let inside =
                |&i: &i64| i >= 0 && hl::as_ref(old.ty(base)).is_some_and(|ty| agg::part_type(ty, i).is_some());
            match hl::Field::cast(old, op).and_then(|field| field.index(old)) {
                Some(step) if inside(&step) => place.path.push(step),
                // A component that constants of generic code lead to, but the type of this instance
                // lacks: as if the index were computed.
                Some(step) => {
                    place.path.push(-1);
                    place.indices.push(arith::index(&mut Builder::at_end(&mut self.new, to, loc), step));
                }
                _ if hl::Field::is(old, op) => return Err(Diagnostic::invalid_ir(loc, "hl.field: no index")),
                _ => {
                    let index = hl::Element(op).index(old);
                    let constant = arith::constant_of(old, index).and_then(|a| a.as_int());
                    match constant.filter(inside) {
                        Some(step) => place.path.push(step),
                        None => {
                            place.path.push(-1);
                            place.indices.push(self.value(index, loc)?);
                        }
                    }
                }
            }
            place
        };
        self.places.insert(result, place);
        Ok(())
    }

    pub(super) fn read(&mut self, place: &Place, to: BlockId, loc: Loc) -> Result<ValueId> {
        let whole = match place.root {
            Root::Variable(var) => self.current(var, loc)?,
            Root::Buffer(buffer, index) => {
                let ty = self.part_type(place, place.ty, loc)?;
                let path = Attr::i64_array(&place.path);
                let mut b = Builder::at_end(&mut self.new, to, loc);
                return Ok(agg::BufferLoad::build(&mut b, buffer, index, &place.indices, ty, &[("path", path)]));
            }
        };
        if place.path.is_empty() {
            return Ok(whole);
        }
        let whole_ty = self.new.ty(whole);
        let ty = self.part_type(place, Some(whole_ty), loc)?;
        let mut b = Builder::at_end(&mut self.new, to, loc);
        let path = Attr::i64_array(&place.path);
        Ok(if whole_ty.is_vector() && place.indices.is_empty() {
            vector::Extract::build(&mut b, whole, &[], ty, &[("static_position", path)])
        } else {
            agg::Extract::build(&mut b, whole, &place.indices, ty, &[("path", path)])
        })
    }

    /// Reads a value that a call changes in its place. Behind a pointer each part is read by
    /// itself: what of the value lies outside of the buffer is zero, the rest is what the call
    /// would find at the address, and what goes back is that.
    pub(super) fn read_in_place(&mut self, place: &Place, to: BlockId, loc: Loc) -> Result<ValueId> {
        match place.root {
            Root::Buffer(buffer, _) if agg::is_pointee(self.new.ty(buffer)) => self.read_parts(place, to, loc),
            _ => self.read(place, to, loc),
        }
    }

    fn read_parts(&mut self, place: &Place, to: BlockId, loc: Loc) -> Result<ValueId> {
        let ty = self.part_type(place, place.ty, loc)?;
        let count = agg::num_parts(ty);
        if count == 0 {
            return self.read(place, to, loc);
        }
        if agg::as_array(ty).is_some() && count > MAX_UNROLLED_PARTS {
            return self.read_elements(place, ty, count, to, loc);
        }
        let mut parts = Vec::with_capacity(count);
        for step in 0..count as i64 {
            let mut part = place.clone();
            part.path.push(step);
            parts.push(self.read_parts(&part, to, loc)?);
        }
        let mut b = Builder::at_end(&mut self.new, to, loc);
        let is_row = ty.is_vector() && ty.shape().len() == 1;
        Ok(if is_row {
            vector::FromElements::build(&mut b, &parts, ty, &[])
        } else {
            agg::Make::build(&mut b, &parts, ty, &[])
        })
    }

    /// The elements of a long array, in a loop.
    fn read_elements(&mut self, place: &Place, ty: Type, count: usize, to: BlockId, loc: Loc) -> Result<ValueId> {
        let zero = self.zero(ty, to, loc);
        let mut b = Builder::at_end(&mut self.new, to, loc);
        let [lower, upper, step] = [0, count as i64, 1].map(|n| arith::index(&mut b, n));
        let all = scf::For::build(&mut b, lower, upper, step, &[zero], &[ty], &[]);
        let block = b.add_block(all, 0, &[Type::index(), ty]);
        let (index, so_far) = (self.new.args(block)[0], self.new.args(block)[1]);
        let mut part = place.clone();
        part.path.push(-1);
        part.indices.push(index);
        let element = self.read_parts(&part, block, loc)?;
        let mut b = Builder::at_end(&mut self.new, block, loc);
        let with = agg::Insert::build(&mut b, element, so_far, &[index], &[("path", Attr::i64_array(&[-1]))]);
        scf::Yield::build(&mut b, &[with], &[]);
        Ok(self.new.result(all, 0))
    }

    pub(super) fn write(&mut self, place: &Place, value: ValueId, to: BlockId, loc: Loc) -> Result<()> {
        let path = Attr::i64_array(&place.path);
        let var = match place.root {
            Root::Variable(var) => var,
            Root::Buffer(buffer, index) => {
                let mut b = Builder::at_end(&mut self.new, to, loc);
                agg::BufferStore::build(&mut b, value, buffer, index, &place.indices, &[("path", path)]);
                return Ok(());
            }
        };
        let whole = self.current(var, loc)?;
        if place.path.is_empty() {
            self.assign(var, value);
            return Ok(());
        }
        let whole_ty = self.new.ty(whole);
        let is_vector = whole_ty.is_vector();
        let mut b = Builder::at_end(&mut self.new, to, loc);
        let updated = if is_vector && place.indices.is_empty() {
            vector::Insert::build(&mut b, value, whole, &[], &[("static_position", path)])
        } else {
            agg::Insert::build(&mut b, value, whole, &place.indices, &[("path", path)])
        };
        self.assign(var, updated);
        Ok(())
    }

    /// Writes these parts of a value.
    pub(super) fn write_parts(
        &mut self,
        place: &Place,
        value: ValueId,
        parts: &[Vec<i64>],
        to: BlockId,
        loc: Loc,
    ) -> Result<()> {
        for path in parts {
            let mut part = place.clone();
            part.path.extend(path);
            let ty = self.part_type(&part, part.ty, loc)?;
            let written = match path.is_empty() {
                true => value,
                false => {
                    let mut b = Builder::at_end(&mut self.new, to, loc);
                    agg::Extract::build(&mut b, value, &[], ty, &[("path", Attr::i64_array(path))])
                }
            };
            self.write(&part, written, to, loc)?;
        }
        Ok(())
    }

    fn part_type(&self, place: &Place, whole: Option<Type>, loc: Loc) -> Result<Type> {
        let part = whole.and_then(|ty| agg::type_at_path(ty, &place.path));
        part.ok_or_else(|| Diagnostic::invalid_ir(loc, "an address of a part that the type does not have"))
    }

    /// The all-zero value of a type.
    pub(super) fn zero(&mut self, ty: Type, to: BlockId, loc: Loc) -> ValueId {
        let mut b = Builder::at_end(&mut self.new, to, loc);
        if ty.is_scalar() || ty.is_vector() { arith::zero(&mut b, ty) } else { agg::Zero::build(&mut b, ty, &[]) }
    }
}
