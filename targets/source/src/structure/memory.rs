//! Places: slots, elements of buffers, parts of variables, and what reads and writes them.

use super::build::{Build, Out};
use super::counts_words;
use super::fold::Fold;
use super::signs;
use crate::ops;
use crate::tree::{Access, Buffer, Expr, Kind, Literal, Place, Root, Step, Stmt};
use crate::types::{INDEX, Ty, is_integer};
use caustic_dialects::agg::{self, as_buffer, is_byte_view, is_pointee};
use caustic_dialects::arith;
use caustic_dialects::place::places;
use caustic_dialects::reflect::{COUNT, Scalar};
use caustic_dialects::vector;
use caustic_ir::{Diagnostic, Name, OpDef, OpId, Type, ValueId};

impl Build<'_> {
    /// An index: a number that widening does not change is left as it is.
    pub fn index(&mut self, value: ValueId) -> Result<Expr, Diagnostic> {
        let index = self.expr(value)?;
        Ok(match index.kind {
            Kind::Convert(inner) if inner.ty.scalar().is_some_and(|s| is_integer(s) && s.size() <= 4) => *inner,
            kind => Expr { ty: index.ty, kind, loc: index.loc },
        })
    }

    /// The steps of a path; negative ones are given by `indices`.
    pub fn steps(&mut self, path: &[i64], indices: &[ValueId]) -> Result<Vec<Step>, Diagnostic> {
        let mut indices = indices.iter();
        path.iter()
            .map(|&step| match usize::try_from(step) {
                Ok(part) => Ok(Step::Part(part)),
                Err(_) => {
                    let &index = indices.next().ok_or_else(|| self.internal("a path without its index"))?;
                    Ok(Step::Index(Box::new(self.index(index)?)))
                }
            })
            .collect()
    }

    /// The steps of `vector.extract` and `vector.insert`.
    pub fn position(&mut self, op: OpId, dynamic: &[ValueId]) -> Result<Vec<Step>, Diagnostic> {
        let steps = vector::static_position(self.body, op);
        self.steps(&steps, dynamic)
    }

    /// The type of what steps lead to.
    pub fn part_ty(&self, of: &Ty, steps: &[Step]) -> Result<Ty, Diagnostic> {
        let mut ty = of.clone();
        for step in steps {
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&ty, number);
            ty = part.ok_or_else(|| self.internal(format!("{ty:?} has no part {number}")))?;
        }
        Ok(ty)
    }

    pub fn read(&self, place: Place) -> Result<Expr, Diagnostic> {
        let ty = self.part_ty(&place.of, &place.steps)?;
        let kind = if ty.is_empty() { Kind::Zero } else { Kind::Read(place) };
        Ok(Expr::new(ty, kind))
    }

    /// A part of a value.
    pub fn part(&mut self, value: ValueId, steps: Vec<Step>) -> Result<Expr, Diagnostic> {
        let whole = self.expr(value)?;
        self.part_of(whole, steps)
    }

    pub fn part_of(&self, whole: Expr, steps: Vec<Step>) -> Result<Expr, Diagnostic> {
        let ty = self.part_ty(&whole.ty, &steps)?;
        let kind = match whole.kind {
            _ if steps.is_empty() => return Ok(whole),
            Kind::Zero => Kind::Zero,
            _ if ty.is_empty() => Kind::Zero,
            Kind::Read(mut place) => {
                place.steps.extend(steps);
                Kind::Read(place)
            }
            kind => Kind::Part(Box::new(Expr { ty: whole.ty, kind, loc: whole.loc }), steps),
        };
        Ok(Expr::new(ty, kind))
    }

    // ----- slots

    /// What a slot is: a variable, or the contents of a uniform.
    pub fn slot_place(&mut self, slot: ValueId) -> Result<Place, Diagnostic> {
        if let Some(op) = self.body.def_op(slot)
            && let Some(v) = agg::GlobalSlot::cast(self.body, op)
        {
            let name = v.name(self.body).ok_or_else(|| self.internal("no name"))?;
            let of = self.ty(slot)?;
            return Ok(Place { root: Root::Uniform(name, None), steps: Vec::new(), of });
        }
        let var = self.var(slot)?;
        Ok(Place::var(var, self.var_ty(var)))
    }

    pub fn storage(&mut self, op: OpId, view: agg::StorageView, out: &mut Out) -> Result<(), Diagnostic> {
        use agg::StorageView as V;
        let body = self.body;
        match view {
            V::Alloca(_) => {
                let var = self.var(body.result(op, 0))?;
                let ty = self.var_ty(var);
                self.assign(var, Expr::new(ty, Kind::Zero), out);
                Ok(())
            }
            V::Store(v) => {
                let mut place = self.slot_place(v.slot(body))?;
                place.steps = self.steps(&v.path(body).unwrap_or_default(), v.indices(body))?;
                self.store(place, v.value(body), out)
            }
            V::Clear(v) => {
                if v.unread(body) {
                    return Ok(());
                }
                let mut place = self.slot_place(v.slot(body))?;
                place.steps = self.steps(&v.path(body).unwrap_or_default(), v.indices(body))?;
                let ty = self.part_ty(&place.of, &place.steps)?;
                if !ty.is_empty() {
                    out.push(Stmt::Assign(place, Expr::new(ty, Kind::Zero)));
                }
                Ok(())
            }
            V::Copy(v) => {
                let (to_path, from_path) = (v.dst_path(body).unwrap_or_default(), v.path(body).unwrap_or_default());
                let dynamic = to_path.iter().filter(|&&s| s < 0).count();
                let (first, rest) = v.indices(body).split_at(dynamic.min(v.indices(body).len()));
                let (mut to, mut from) = (self.slot_place(v.dst(body))?, self.slot_place(v.src(body))?);
                to.steps = self.steps(&to_path, first)?;
                from.steps = self.steps(&from_path, rest)?;
                let value = self.read(from)?;
                if !value.ty.is_empty() {
                    out.push(Stmt::Assign(to, value));
                }
                Ok(())
            }
            V::ReadBuffer(v) => {
                let to = self.slot_place(v.slot(body))?;
                let from = self.buffer_place(op, v.buffer(body), v.index(body))?;
                let value = self.read(from)?;
                let value = self.coerce(value, &to.of)?;
                if !value.ty.is_empty() {
                    out.push(Stmt::Assign(to, value));
                }
                Ok(())
            }
            V::WriteBuffer(v) => {
                let to = self.buffer_place(op, v.buffer(body), v.index(body))?;
                let from = self.slot_place(v.slot(body))?;
                let value = self.read(from)?;
                if !value.ty.is_empty() {
                    out.push(Stmt::Assign(to, value));
                }
                Ok(())
            }
            V::Load(_) | V::SlotLength(_) | V::GlobalSlot(_) => {
                let value = self.op_expr(op)?;
                let var = self.var(body.result(op, 0))?;
                let value = self.coerce(value, &self.var_ty(var))?;
                self.assign(var, value, out);
                Ok(())
            }
        }
    }

    /// Writes a value to a place.
    pub fn store(&mut self, place: Place, value: ValueId, out: &mut Out) -> Result<(), Diagnostic> {
        let ty = self.part_ty(&place.of, &place.steps)?;
        if ty.is_empty() {
            return Ok(());
        }
        let value = self.expr_as(value, &ty)?;
        out.push(Stmt::Assign(place, value));
        Ok(())
    }

    /// `agg.insert` and `vector.insert`: a part of the variable changes in place.
    pub fn insert(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        let body = self.body;
        let (value, aggregate, result) = (body.operand(op, 0), body.operand(op, 1), body.result(op, 0));
        let indices = &body.operands(op)[2..];
        let var = self.var(result)?;
        let ty = self.var_ty(var);
        let kept = self.folding.value(aggregate) == Fold::Variable && self.var(aggregate)? == var;
        if !kept {
            let whole = self.expr_as(aggregate, &ty)?;
            self.assign(var, whole, out);
        }
        let steps = match agg::Insert::cast(body, op) {
            Some(v) => self.steps(&v.path(body).unwrap_or_default(), indices)?,
            None => self.position(op, indices)?,
        };
        let mut place = Place::var(var, ty);
        place.steps = steps;
        let part = self.part_ty(&place.of, &place.steps)?;
        let scalar = body.ty(value);
        if part.is_vector() && scalar.is_scalar() {
            // A scalar for a row fills it.
            let filled =
                self.expr_as(value, &Ty::Scalar(part.scalar().unwrap_or(caustic_dialects::reflect::Scalar::F32)))?;
            out.push(Stmt::Assign(place, Expr::new(part, Kind::Splat(Box::new(filled)))));
            return Ok(());
        }
        self.store(place, value, out)
    }

    // ----- buffers

    /// The buffer that a value is.
    pub fn buffer(&mut self, value: ValueId) -> Result<Buffer, Diagnostic> {
        let body = self.body;
        let Some(op) = body.def_op(value).filter(|_| self.folding.value(value) != Fold::Variable) else {
            return Ok(Buffer::Value(Box::new(self.expr(value)?)));
        };
        if let Some(v) = agg::PointerView::of(body, op) {
            return match v {
                agg::PointerView::Pointee(v) => Ok(Buffer::Pointee(Box::new(self.expr(v.address(body))?))),
                agg::PointerView::Address(_) => Err(self.internal("an address is no buffer")),
            };
        }
        match agg::AggView::of(body, op) {
            Some(agg::AggView::Global(v)) => {
                let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
                Ok(Buffer::Resource(name, None))
            }
            Some(agg::AggView::GlobalElement(v)) => {
                let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
                let index = self.expr(v.index(body))?;
                Ok(Buffer::Resource(name, Some(Box::new(index))))
            }
            Some(agg::AggView::View(v)) => {
                let of = self.buffer(v.buffer(body))?;
                if is_byte_view(body.ty(v.buffer(body))) {
                    return Ok(of);
                }
                if !is_byte_view(body.ty(value)) {
                    return Ok(Buffer::Retyped(Box::new(of), self.element(value)?));
                }
                Ok(Buffer::View(Box::new(of)))
            }
            Some(agg::AggView::Zero(_)) => Ok(Buffer::None),
            _ => {
                let value = self.expr(value)?;
                Ok(match value.kind {
                    Kind::Handle(buffer) => buffer,
                    kind => Buffer::Value(Box::new(Expr { ty: value.ty, kind, loc: value.loc })),
                })
            }
        }
    }

    /// The type of a buffer's elements.
    pub fn element(&self, buffer: ValueId) -> Result<Ty, Diagnostic> {
        let ty = self.body.ty(buffer);
        let (elem, _) = as_buffer(ty).ok_or_else(|| self.internal("not a buffer"))?;
        let of = self.body.def_op(buffer).and_then(|op| agg::resource_name(self.body, op));
        let declared = of.and_then(|name| self.module.contents(name));
        let found = declared.or_else(|| signs::words(ty)).or_else(|| Ty::of(elem, false));
        found.ok_or_else(|| self.refuse(format!("elements of type {elem}")))
    }

    /// The place in a buffer that an op reads or writes.
    pub fn buffer_place(&mut self, op: OpId, buffer: ValueId, index: ValueId) -> Result<Place, Diagnostic> {
        let body = self.body;
        let of = self.element(buffer)?;
        let place = places(body, op).into_iter().find(|p| p.base == buffer);
        let (path, indices) = place.map(|p| (p.path.unwrap_or_default(), p.indices.to_vec())).unwrap_or_default();
        let how = access(body.ty(buffer));
        let steps = self.steps(&path, &indices)?;
        let aligned = how != Access::Elements && counts_words(body, index);
        let index = Box::new(self.index(index)?);
        let buffer = self.buffer(buffer)?;
        Ok(Place { root: Root::Element { buffer, index, how, aligned }, steps, of })
    }

    pub fn atomic(&mut self, op: OpId, view: agg::AtomicView) -> Result<Expr, Diagnostic> {
        let body = self.body;
        let (kind, buffer, index, args) = match view {
            agg::AtomicView::AtomicRmw(v) => {
                let kind = agg::atomic_kind(body, op).ok_or_else(|| self.internal("no such atomic update"))?;
                (kind, v.buffer(body), v.index(body), vec![v.value(body)])
            }
            agg::AtomicView::AtomicCas(v) => {
                ("cas", v.buffer(body), v.index(body), vec![v.expected(body), v.value(body)])
            }
        };
        let place = self.buffer_place(op, buffer, index)?;
        let mut ty = self.part_ty(&place.of, &place.steps)?;
        // What is compared decides the sign, whatever the number is in memory.
        if kind.starts_with("min") || kind.starts_with("max") {
            ty = ty.with_sign(kind.ends_with("ui"));
        }
        let args = args.into_iter().map(|v| self.expr_as(v, &ty)).collect::<Result<Vec<_>, _>>()?;
        Ok(Expr::new(ty, Kind::Atomic { kind, place, args }))
    }

    pub fn address(&mut self, view: agg::Address) -> Result<Expr, Diagnostic> {
        let buffer = self.buffer(view.buffer(self.body))?;
        match buffer {
            Buffer::Resource(name, None) => Ok(Expr::new(INDEX, Kind::Address(self.resource_number(name)?))),
            Buffer::Resource(name, Some(index)) => self.address_of_element(name, *index),
            _ => Err(self.refuse("the address of a resource that is computed")),
        }
    }

    /// The elements of an array of resources have numbers one after the other. An index out of
    /// range is that of the last one, as it is where the array is read.
    fn address_of_element(&self, name: Name, index: Expr) -> Result<Expr, Diagnostic> {
        let first = self.resource_number(name)?;
        let count = self.module.ir.get(name).and_then(|s| s.attr(COUNT)).and_then(|a| a.as_int()).unwrap_or(1);
        let last = (count - 1).max(0);
        if let Some(Literal::Int(at)) = index.literal() {
            let at = if (0..count).contains(&at) { at } else { last };
            return Ok(Expr::new(INDEX, Kind::Address(first + at as usize)));
        }
        let op = |def: &'static OpDef, ty: Ty, args: Vec<Expr>| {
            let row = ops::row(def, &ty).ok_or_else(|| self.internal("no arithmetic of numbers"))?;
            Ok(Expr::new(ty, Kind::Op { row, args }))
        };
        let (unsigned, number) = (Ty::Scalar(Scalar::U64), |n: i64| Kind::Literal(Literal::Int(n)));
        let as_ty = |e: Expr, ty: Ty| if e.ty == ty { e } else { Expr::new(ty, Kind::Convert(Box::new(e))) };
        let inside = vec![as_ty(as_ty(index, INDEX), unsigned.clone()), Expr::new(unsigned.clone(), number(last))];
        let inside = as_ty(op(arith::MinUI::DEF, unsigned, inside)?, INDEX);
        let each = Expr::new(INDEX, number(1 << agg::OFFSET_BITS));
        let behind = op(arith::MulI::DEF, INDEX, vec![inside, each])?;
        op(arith::AddI::DEF, INDEX, vec![Expr::new(INDEX, Kind::Address(first)), behind])
    }
}

/// How an index of a buffer of this type counts.
fn access(ty: Type) -> Access {
    match (is_pointee(ty), is_byte_view(ty)) {
        (true, _) => Access::Parts,
        (_, true) => Access::Bytes,
        _ => Access::Elements,
    }
}
