//! Ops one by one: what each is written by, and what its result is from then on.

use crate::assembly::Id;
use crate::emit::Emit;
use crate::grammar::Op;
use crate::memory::{Buffer, Place};
use crate::types::is_empty;
use caustic_dialects::agg::{self, as_buffer, as_slot};
use caustic_dialects::{arith, func, gpu, scf, simt, tex, vector};
use caustic_ir::{Attr, AttrKind, Diagnostic, OpId, Type, ValueId};

impl Emit<'_> {
    /// What stands for a value.
    pub fn value(&mut self, value: ValueId) -> Result<Id, Diagnostic> {
        if let Some(&known) = self.code.values.get(&value) {
            return Ok(known);
        }
        let (body, ty) = (self.body, self.body.ty(value));
        if let Some(&(narrow, signed)) = self.code.narrow.get(&value) {
            let to = self.ty(ty)?;
            return Ok(self.op(if signed { Op::SConvert } else { Op::UConvert }, to, &[narrow]));
        }
        if let Some(constant) = arith::constant_of(body, value) {
            return self.constant(constant, ty);
        }
        if as_buffer(ty).is_some() {
            return Err(self.refuse("a resource as a value"));
        }
        Err(self.refuse(format!("a value of type {ty}")))
    }

    /// An op that is no end of a block.
    pub fn statement(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        if let Some(view) = scf::ScfView::of(body, op) {
            return match view {
                scf::ScfView::If(_) => self.branch_op(op),
                scf::ScfView::For(_) => self.for_op(op),
                scf::ScfView::While(_) => self.while_op(op),
                scf::ScfView::IndexSwitch(_) => self.switch_op(op),
                scf::ScfView::Condition(_) | scf::ScfView::Yield(_) => Err(self.internal("an end in the middle")),
            };
        }
        if func::Call::is(body, op) {
            return self.call_op(op);
        }
        if let Some(view) = agg::StorageView::of(body, op) {
            return self.storage_op(op, view);
        }
        if let Some(view) = simt::ConvergeView::of(body, op) {
            if let simt::ConvergeView::Fence(v) = view {
                self.fence(v.memory(body).unwrap_or("group"));
            }
            return Ok(());
        }
        if let Some(v) = gpu::Barrier::cast(body, op) {
            self.barrier(v.memory(body).unwrap_or("group"));
            return Ok(());
        }
        if simt::is_wave_op(body.op(op).def) {
            return self.wave_op(op);
        }
        if gpu::Printf::is(body, op) {
            return self.print_op(op);
        }
        let Some(id) = self.computed(op)? else { return Ok(()) };
        self.bind_value(body.result(op, 0), id);
        Ok(())
    }

    /// What an op with one result gives; nothing, if it has none, or is no value here.
    fn computed(&mut self, op: OpId) -> Result<Option<Id>, Diagnostic> {
        let body = self.body;
        if arith::Constant::is(body, op) {
            return Ok(None);
        }
        if let Some(narrow) = self.widened(op)? {
            self.code.narrow.insert(body.result(op, 0), narrow);
            return Ok(None);
        }
        if let Some(view) = agg::AggView::of(body, op) {
            return self.agg_op(op, view);
        }
        if let Some(view) = agg::AtomicView::of(body, op) {
            return self.atomic_op(op, view).map(Some);
        }
        if let Some(view) = agg::PointerView::of(body, op) {
            return match view {
                agg::PointerView::Address(_) => self.address_op(op).map(Some),
                agg::PointerView::Pointee(_) => Ok(None),
            };
        }
        if let Some(view) = vector::AccessView::of(body, op) {
            return self.access_op(op, view).map(Some);
        }
        if let Some(view) = vector::ShapeView::of(body, op) {
            return self.shape_op(op, view).map(Some);
        }
        if let Some(view) = arith::CmpView::of(body, op) {
            return self.compare_op(op, view).map(Some);
        }
        if let Some(view) = gpu::IdView::of(body, op) {
            let id = self.id_op(op, view)?;
            if body.ty(body.result(op, 0)) == Type::i32() {
                return Ok(Some(id));
            }
            self.code.narrow.insert(body.result(op, 0), (id, false));
            return Ok(None);
        }
        if simt::AggregationOf::is(body, op) {
            return Ok(Some(self.out.truth(false)));
        }
        if tex::TexView::of(body, op).is_some() {
            return self.texture_op(op);
        }
        self.row_op(op).map(Some)
    }

    /// The number of 32 bits that an index is made of.
    fn widened(&mut self, op: OpId) -> Result<Option<(Id, bool)>, Diagnostic> {
        let body = self.body;
        let signed = arith::IndexCast::is(body, op);
        if (!signed && !arith::IndexCastUI::is(body, op)) || body.ty(body.result(op, 0)) != Type::index() {
            return Ok(None);
        }
        let from = body.operand(op, 0);
        if body.ty(from) != Type::i32() {
            return Ok(None);
        }
        Ok(Some((self.value(from)?, signed)))
    }

    pub fn constant(&mut self, value: Attr, ty: Type) -> Result<Id, Diagnostic> {
        match value.kind() {
            AttrKind::Int(v, _) => self.int_constant(*v, ty),
            AttrKind::Float(bits, _) => self.float_constant(f64::from_bits(*bits), ty),
            AttrKind::Dense(items, _) => {
                let scalars = items.iter().map(|&a| self.constant(a, ty.elem())).collect::<Result<Vec<Id>, _>>()?;
                self.constant_of_scalars(&scalars, ty)
            }
            _ => Err(self.internal("not a constant")),
        }
    }

    fn constant_of_scalars(&mut self, scalars: &[Id], ty: Type) -> Result<Id, Diagnostic> {
        use crate::assembly::Operand;
        let Some(&count) = ty.shape().first() else {
            return scalars.first().copied().ok_or_else(|| self.internal("no scalars"));
        };
        let part = agg::part_type(ty, 0).ok_or_else(|| self.internal("no parts"))?;
        let width = (scalars.len() / count.max(1) as usize).max(1);
        let mut parts = Vec::new();
        for of in scalars.chunks(width) {
            parts.push(Operand::Id(self.constant_of_scalars(of, part)?));
        }
        let id = self.ty(ty)?;
        Ok(self.out.unique(Op::ConstantComposite, Some(id), parts))
    }

    fn agg_op(&mut self, op: OpId, view: agg::AggView) -> Result<Option<Id>, Diagnostic> {
        use agg::AggView as V;
        let body = self.body;
        let is_handle = |v: ValueId| {
            let ty = body.ty(v);
            as_buffer(ty).is_some() || tex::TextureType::of(ty).is_some() || ty == tex::sampler_type()
        };
        Ok(match view {
            V::Global(v) => {
                if is_handle(body.result(op, 0)) {
                    return Ok(None);
                }
                let name = v.name(body).ok_or_else(|| self.internal("no name"))?;
                let ty = body.ty(body.result(op, 0));
                match self.uniform_place(name)? {
                    Some(place) => Some(self.load(place)?),
                    None if is_empty(ty) => Some(self.null(ty)?),
                    None => return Err(self.refuse(format!("a resource of {ty}"))),
                }
            }
            V::GlobalElement(_) => return Err(self.refuse("one of an array of resources")),
            V::View(_) => None,
            V::Zero(_) => {
                if is_handle(body.result(op, 0)) {
                    return Ok(None);
                }
                Some(self.null(body.ty(body.result(op, 0)))?)
            }
            V::BufferLen(v) => {
                let count = self.length(v.buffer(body))?;
                self.code.narrow.insert(body.result(op, 0), (count, false));
                None
            }
            V::Extract(v) => {
                let steps = self.steps(&v.path(body).unwrap_or_default(), v.indices(body))?;
                Some(self.extracted(op, v.aggregate(body), &steps)?)
            }
            V::Insert(v) => {
                let steps = self.steps(&v.path(body).unwrap_or_default(), v.indices(body))?;
                let part = self.value(v.value(body))?;
                Some(self.inserted(op, part, v.aggregate(body), &steps)?)
            }
            V::Make(v) => {
                let ty = body.ty(body.result(op, 0));
                if is_empty(ty) {
                    return Ok(Some(self.null(ty)?));
                }
                let parts = v.parts(body).iter().map(|&p| self.value(p)).collect::<Result<Vec<Id>, _>>()?;
                let id = self.ty(ty)?;
                Some(self.op(Op::CompositeConstruct, id, &parts))
            }
            V::BufferLoad(v) => Some(self.read_op(op, v.buffer(body), v.index(body), body.ty(body.result(op, 0)))?),
            V::BufferStore(v) => {
                let value = self.value(v.value(body))?;
                self.write_op(op, v.buffer(body), v.index(body), value)?;
                None
            }
            V::BufferCount(_) => Some(self.count_op(op)?),
            V::CheckBounds(_) | V::CheckIndex(_) => return Err(self.refuse("a program that stops")),
            V::Length(_) => return Err(self.refuse("an array that grows")),
            V::Resource(_) => return Err(self.internal("a declaration in code")),
        })
    }

    fn read_op(&mut self, op: OpId, buffer: ValueId, index: ValueId, ty: Type) -> Result<Id, Diagnostic> {
        match self.buffer(buffer)? {
            Buffer::Nothing => self.null(ty),
            _ if is_empty(ty) => self.null(ty),
            Buffer::Elements(name, elem) => {
                self.inside(op)?;
                let place = self.element_place(op, (name, elem), index)?;
                self.load(place)
            }
            of @ (Buffer::Bytes(_) | Buffer::Pointee(_)) => {
                let bytes = self.bytes(op, of, buffer, index)?;
                self.read_bytes(op, &bytes)
            }
        }
    }

    fn write_op(&mut self, op: OpId, buffer: ValueId, index: ValueId, value: Id) -> Result<(), Diagnostic> {
        match self.buffer(buffer)? {
            Buffer::Nothing => Ok(()),
            Buffer::Elements(name, elem) => {
                self.inside(op)?;
                self.resources.write(name);
                let place = self.element_place(op, (name, elem), index)?;
                self.store(place, value)
            }
            of @ (Buffer::Bytes(_) | Buffer::Pointee(_)) => {
                let bytes = self.bytes(op, of, buffer, index)?;
                self.write_bytes(&bytes, value)
            }
        }
    }

    /// An op on storage. Of a slot that is written, indices are inside.
    fn storage_op(&mut self, op: OpId, view: agg::StorageView) -> Result<(), Diagnostic> {
        use agg::StorageView as V;
        let body = self.body;
        let written = match view {
            V::Alloca(_) => Some(body.result(op, 0)),
            V::Store(v) => Some(v.slot(body)),
            V::Clear(v) => Some(v.slot(body)),
            V::Copy(v) => Some(v.dst(body)),
            _ => None,
        };
        // What a table holds is said where it is read.
        if written.is_some_and(|slot| self.code.tables.get(slot).is_some()) {
            return Ok(());
        }
        match view {
            V::Alloca(_) => {
                let slot = body.result(op, 0);
                let held = as_slot(body.ty(slot)).ok_or_else(|| self.internal("no slot"))?;
                let ty = self.ty(held)?;
                let pointer = self.variable(ty);
                self.bind_value(slot, pointer);
                Ok(())
            }
            V::GlobalSlot(_) => Ok(()),
            V::Load(v) => {
                let place = self.slot_part(op, v.slot(body), &v.path(body).unwrap_or_default(), v.indices(body))?;
                let value = self.load(place)?;
                self.bind_value(body.result(op, 0), value);
                Ok(())
            }
            V::Store(v) => {
                let place = self.slot_part(op, v.slot(body), &v.path(body).unwrap_or_default(), v.indices(body))?;
                let value = self.value(v.value(body))?;
                self.store(place, value)
            }
            V::Clear(v) => {
                if v.unread(body) {
                    return Ok(());
                }
                let place = self.slot_part(op, v.slot(body), &v.path(body).unwrap_or_default(), v.indices(body))?;
                self.clear(place)
            }
            V::Copy(v) => {
                let (to_path, from_path) = (v.dst_path(body).unwrap_or_default(), v.path(body).unwrap_or_default());
                let count = to_path.iter().filter(|&&s| s < 0).count();
                let (first, rest) = v.indices(body).split_at(count.min(v.indices(body).len()));
                let to = self.slot_part(op, v.dst(body), &to_path, first)?;
                let from = self.slot_part(op, v.src(body), &from_path, rest)?;
                self.copy(to, from)
            }
            V::ReadBuffer(v) => {
                let to = self.slot(v.slot(body))?;
                match self.buffer_part(op, v.buffer(body), v.index(body))? {
                    Some(from) => self.copy(to, from),
                    None => {
                        let value = self.read_op(op, v.buffer(body), v.index(body), to.ty)?;
                        self.store(to, value)
                    }
                }
            }
            V::WriteBuffer(v) => {
                let from = self.slot(v.slot(body))?;
                match self.buffer_part(op, v.buffer(body), v.index(body))? {
                    Some(to) => {
                        if let Buffer::Elements(name, _) = self.buffer(v.buffer(body))? {
                            self.resources.write(name);
                        }
                        self.copy(to, from)
                    }
                    None => {
                        let value = self.load(from)?;
                        self.write_op(op, v.buffer(body), v.index(body), value)
                    }
                }
            }
            V::SlotLength(_) => Err(self.refuse("an array that grows")),
        }
    }

    /// The part of a slot at a path.
    fn slot_part(&mut self, op: OpId, slot: ValueId, path: &[i64], indices: &[ValueId]) -> Result<Place, Diagnostic> {
        if !indices.is_empty() {
            self.inside(op)?;
        }
        let steps = self.steps(path, indices)?;
        let place = self.slot(slot)?;
        self.walk(place, &steps)
    }

    /// The place in elements of a buffer; none, if it is seen by bytes or is none at all.
    fn buffer_part(&mut self, op: OpId, buffer: ValueId, index: ValueId) -> Result<Option<Place>, Diagnostic> {
        let Buffer::Elements(name, elem) = self.buffer(buffer)? else { return Ok(None) };
        self.inside(op)?;
        self.element_place(op, (name, elem), index).map(Some)
    }
}
