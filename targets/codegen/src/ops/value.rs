//! Constants, and values made of parts that live in registers: structs, vectors, matrices.

use crate::assembler::{Assembler, Compare, Flat, Lane};
use crate::emit::Emit;
use caustic_dialects::{agg, arith, vector};
use caustic_ir::{Attr, AttrKind, Diagnostic, OpId, Type, ValueId};
use caustic_native::Leaf;
use caustic_native::flat;

/// One step of a path.
#[derive(Clone, Copy)]
pub enum Step<V> {
    Static(i64),
    /// As an i64; negative is out of range.
    Dynamic(V),
    /// Known to be in range.
    Inside(V),
}

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// `arith.constant`.
    pub(super) fn constant_op(&mut self, view: arith::Constant) -> Result<(), Diagnostic> {
        let value = view.value(self.body).ok_or_else(|| self.internal("a constant without a value"))?;
        let out = self.constant(value)?;
        self.set_result(view.0, out);
        Ok(())
    }

    /// `arith.select` with one condition for all of a vector, which is not a lane's; false if it is
    /// elementwise.
    pub(super) fn select_op(&mut self, view: arith::Select) -> Result<bool, Diagnostic> {
        let body = self.body;
        let condition = self.get(view.condition(body))?;
        let (x, y) = (self.get(view.true_value(body))?, self.get(view.false_value(body))?);
        if condition.len() == self.leaves(self.ty(body.result(view.0, 0)))?.len() {
            return Ok(false);
        }
        let out = x.iter().zip(&y).map(|(&x, &y)| self.a.select(condition[0], x, y)).collect();
        self.set_result(view.0, out);
        Ok(true)
    }

    /// A part of a vector or matrix.
    pub(super) fn vector_access(&mut self, op: OpId, view: vector::AccessView) -> Result<(), Diagnostic> {
        let body = self.body;
        let out = match view {
            vector::AccessView::Extract(v) => {
                let path = self.position(op, v.dynamic_position(body))?;
                self.extract(v.vector(body), &path)?
            }
            vector::AccessView::Insert(v) => {
                let path = self.position(op, v.dynamic_position(body))?;
                self.insert(v.source(body), v.dest(body), &path)?
            }
        };
        self.set_result(op, out);
        Ok(())
    }

    /// A vector from scalars or in another shape.
    pub(super) fn vector_shape(&mut self, op: OpId, view: vector::ShapeView) -> Result<(), Diagnostic> {
        use vector::ShapeView as V;
        let body = self.body;
        let out = match view {
            V::FromElements(v) => self.get_all(v.elements(body))?,
            V::Broadcast(v) => {
                let scalar = self.get1(v.source(body))?;
                std::iter::repeat_n(scalar, self.ty(body.result(op, 0)).num_elements()).collect()
            }
            V::ShapeCast(v) => self.get(v.source(body))?,
            V::Transpose(v) => {
                let matrix = v.vector(body);
                let scalars = self.get(matrix)?;
                let &[rows, cols] = self.ty(matrix).shape() else { return Err(self.internal("not a matrix")) };
                let (rows, cols) = (rows as usize, cols as usize);
                (0..cols * rows).map(|i| scalars[i % rows * cols + i / rows]).collect()
            }
            V::Reduction(_) => self.reduction(op)?,
        };
        self.set_result(op, out);
        Ok(())
    }

    fn constant(&mut self, attr: Attr) -> Result<Flat<A::Value>, Diagnostic> {
        let scalar = |e: &mut Self, attr: Attr| match attr.kind() {
            AttrKind::Int(v, ty) => Leaf::of(*ty).map(|leaf| e.a.int(leaf, *v)),
            AttrKind::Float(bits, ty) => Leaf::of(*ty).map(|leaf| e.a.float(leaf, f64::from_bits(*bits))),
            _ => None,
        };
        let scalars: Option<Flat<A::Value>> = match attr.kind() {
            AttrKind::Dense(items, _) => items.iter().map(|&a| scalar(self, a)).collect(),
            _ => scalar(self, attr).map(|v| Flat::from_slice(&[v])),
        };
        scalars.ok_or_else(|| self.internal("not a constant"))
    }

    /// All scalars of a vector combined in order.
    fn reduction(&mut self, op: OpId) -> Result<Flat<A::Value>, Diagnostic> {
        let vector = self.body.operand(op, 0);
        let leaf = self.leaf_of(vector)?;
        let name = match vector::reduction_kind(self.body, op).unwrap_or("add") {
            "add" if leaf.is_float() => arith::AddF::NAME,
            "mul" => arith::MulI::NAME,
            "and" => arith::AndI::NAME,
            "or" => arith::OrI::NAME,
            "xor" => arith::XOrI::NAME,
            "minsi" => arith::MinSI::NAME,
            "maxsi" => arith::MaxSI::NAME,
            "minui" => arith::MinUI::NAME,
            "maxui" => arith::MaxUI::NAME,
            _ => arith::AddI::NAME,
        };
        let scalars = self.get(vector)?;
        let mut scalars = scalars.into_iter();
        let mut sum = scalars.next().ok_or_else(|| self.internal("an empty vector"))?;
        for next in scalars {
            let args = [sum, next];
            let lane = Lane { name, args: &args, from: &[leaf, leaf], to: leaf, predicate: -1 };
            sum = self.a.lane(&lane).ok_or_else(|| self.internal("no such reduction"))?;
        }
        Ok(Flat::from_slice(&[sum]))
    }

    // ----- paths

    /// An index operand as an i64.
    pub(super) fn index(&mut self, value: ValueId) -> Result<A::Value, Diagnostic> {
        let leaf = self.leaf_of(value)?;
        let scalar = self.get1(value)?;
        // The interpreter's integers are sign-extended, but for i1.
        Ok(self.a.resize(leaf, Leaf::I64, scalar, leaf != Leaf::I1))
    }

    /// The steps of a path, dynamic ones from `indices`.
    pub(super) fn path(
        &mut self,
        op: OpId,
        path: Option<Vec<i64>>,
        indices: &[ValueId],
    ) -> Result<Vec<Step<A::Value>>, Diagnostic> {
        self.steps(op, &path.unwrap_or_default(), |step| step < 0, indices)
    }

    fn position(&mut self, op: OpId, indices: &[ValueId]) -> Result<Vec<Step<A::Value>>, Diagnostic> {
        let steps = vector::static_position(self.body, op);
        self.steps(op, &steps, |step| step == vector::DYNAMIC, indices)
    }

    fn steps(
        &mut self,
        op: OpId,
        steps: &[i64],
        dynamic: fn(i64) -> bool,
        indices: &[ValueId],
    ) -> Result<Vec<Step<A::Value>>, Diagnostic> {
        let mut indices = indices.iter();
        let inside = self.body.attr(op, agg::INSIDE).is_some();
        let mut out = Vec::with_capacity(steps.len());
        for &step in steps {
            out.push(if dynamic(step) {
                let &index = indices.next().ok_or_else(|| self.internal("a path without its index"))?;
                let index = self.index(index)?;
                if inside { Step::Inside(index) } else { Step::Dynamic(index) }
            } else {
                Step::Static(step)
            });
        }
        Ok(out)
    }

    pub(super) fn extract(
        &mut self,
        aggregate: ValueId,
        path: &[Step<A::Value>],
    ) -> Result<Flat<A::Value>, Diagnostic> {
        let mut scalars = self.get(aggregate)?;
        let mut ty = self.ty(aggregate);
        for &step in path {
            (scalars, ty) = self.extract_step(&scalars, ty, step)?;
        }
        Ok(scalars)
    }

    fn extract_step(
        &mut self,
        scalars: &[A::Value],
        ty: Type,
        step: Step<A::Value>,
    ) -> Result<(Flat<A::Value>, Type), Diagnostic> {
        let loc = self.loc;
        let no_part = || Diagnostic::internal(loc, format!("{ty} has no such part"));
        match step {
            Step::Static(index) => {
                let (at, part) = flat::part_span(ty, index).ok_or_else(no_part)?;
                let count = flat::leaves(part).ok_or_else(no_part)?.len();
                Ok((scalars.get(at..at + count).ok_or_else(no_part)?.iter().copied().collect(), part))
            }
            Step::Dynamic(index) | Step::Inside(index) => {
                let (_, part) = flat::part_span(ty, 0).ok_or_else(no_part)?;
                let leaves = self.leaves(part)?;
                let mut out = self.zeros(&leaves);
                for (i, elem) in scalars.chunks(leaves.len().max(1)).enumerate() {
                    let number = self.i64(i as i64);
                    let here = self.a.compare(Compare::Equal, Leaf::I64, index, number);
                    for (out, &v) in out.iter_mut().zip(elem) {
                        *out = self.a.select(here, v, *out);
                    }
                }
                Ok((out, part))
            }
        }
    }

    pub(super) fn insert(
        &mut self,
        value: ValueId,
        aggregate: ValueId,
        path: &[Step<A::Value>],
    ) -> Result<Flat<A::Value>, Diagnostic> {
        let (value, mut scalars) = (self.get(value)?, self.get(aggregate)?);
        let ty = self.ty(aggregate);
        self.insert_step(&mut scalars, ty, path, &value, None)?;
        Ok(scalars)
    }

    /// Replaces the part at `path` where `condition` holds.
    fn insert_step(
        &mut self,
        scalars: &mut [A::Value],
        ty: Type,
        path: &[Step<A::Value>],
        value: &[A::Value],
        condition: Option<A::Value>,
    ) -> Result<(), Diagnostic> {
        let loc = self.loc;
        let no_part = || Diagnostic::internal(loc, format!("{ty} has no such part"));
        match path {
            [] => {
                for (old, &new) in scalars.iter_mut().zip(value) {
                    *old = match condition {
                        Some(c) => self.a.select(c, new, *old),
                        None => new,
                    };
                }
            }
            [Step::Static(index), rest @ ..] => {
                let (at, part) = flat::part_span(ty, *index).ok_or_else(no_part)?;
                let count = flat::leaves(part).ok_or_else(no_part)?.len();
                let part_scalars = scalars.get_mut(at..at + count).ok_or_else(no_part)?;
                self.insert_step(part_scalars, part, rest, value, condition)?;
            }
            [Step::Dynamic(index) | Step::Inside(index), rest @ ..] => {
                let (_, part) = flat::part_span(ty, 0).ok_or_else(no_part)?;
                let count = self.leaves(part)?.len().max(1);
                for (i, elem) in scalars.chunks_mut(count).enumerate() {
                    let number = self.i64(i as i64);
                    let mut here = self.a.compare(Compare::Equal, Leaf::I64, *index, number);
                    if let Some(c) = condition {
                        here = self.and(here, c);
                    }
                    self.insert_step(elem, part, rest, value, Some(here))?;
                }
            }
        }
        Ok(())
    }
}
