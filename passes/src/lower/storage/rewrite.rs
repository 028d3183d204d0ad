//! Ops on values in storage become ops on slots.
//!
//! Copies that happen at once (at the edge of a loop, before a call) are put in an order in which
//! none overwrites what another still reads; a cycle goes through a slot of its own.

use super::classes::{ClassId, Classes, Node, call_params, path_is_empty, terminator_operands};
use super::live::Liveness;
use super::{Counts, in_storage};
use caustic_dialects::agg::{self, StorageParams, needs_storage, slot_type};
use caustic_dialects::carried::BOUNDS;
use caustic_dialects::{func, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Loc, OpId, SymbolOp, Type, ValueDef, ValueId};
use rustc_hash::FxHashMap;

struct Rewriter<'a> {
    body: &'a mut Body,
    classes: &'a Classes,
    slots: FxHashMap<ClassId, ValueId>,
    /// Where slots are made.
    first: Option<OpId>,
    counts: Counts,
    /// Replaced ops, to be erased when nothing refers to their results any more.
    dead: Vec<OpId>,
}

pub fn rewrite(
    symbol: &mut SymbolOp,
    inputs: &[Type],
    outputs: &[Type],
    params: &StorageParams,
) -> Result<Counts, Diagnostic> {
    let body = &mut symbol.body;
    let Some(entry) = body.entry() else {
        set_type(symbol, inputs, outputs, params);
        return Ok(Counts::default());
    };
    let during: FxHashMap<OpId, StorageParams> = body
        .walk_all()
        .into_iter()
        .filter(|&op| func::Call::is(body, op))
        .map(|op| (op, call_params(body, op)))
        .collect();
    let live = Liveness::new(body, &|op, i| during.get(&op).is_some_and(|p| p.results[i].is_none()));
    let classes = Classes::new(body, &live, params)?;
    let first = body.first_op(entry);
    let mut r = Rewriter {
        body,
        classes: &classes,
        slots: FxHashMap::default(),
        first,
        counts: Counts::default(),
        dead: Vec::new(),
    };
    let ops = r.body.walk_all();
    r.parameters(entry, params, outputs);
    for &op in &ops {
        r.op(op, params)?;
    }
    for &op in &ops {
        r.forget_operands(op);
    }
    for op in std::mem::take(&mut r.dead).into_iter().rev() {
        r.body.erase_op(op);
    }
    for &op in &ops {
        r.forget_values(op);
    }
    for (value, ty) in r.body.args(entry).to_vec().into_iter().zip(inputs) {
        if needs_storage(*ty) {
            r.body.set_type(value, slot_type(*ty));
        }
    }
    let counts = r.counts;
    let leftover = body.walk_all().into_iter().find(|&op| body.operands(op).iter().any(|&v| in_storage(body, v)));
    if let Some(op) = leftover {
        return Err(Diagnostic::internal(
            body.loc(op),
            format!(
                "`{}` takes a value that is kept in storage, and lower-storage does not know it",
                body.op(op).def.name
            ),
        ));
    }
    set_type(symbol, inputs, outputs, params);
    Ok(counts)
}

/// The function's type with slots.
fn set_type(symbol: &mut SymbolOp, inputs: &[Type], outputs: &[Type], params: &StorageParams) {
    let slot = |ty: Type| if needs_storage(ty) { slot_type(ty) } else { ty };
    let own = params.results[params.inputs..].iter().flatten().filter_map(|&k| outputs.get(k));
    let inputs: Vec<Type> = inputs.iter().chain(own).map(|&ty| slot(ty)).collect();
    let outputs: Vec<Type> = outputs.iter().copied().filter(|&ty| !needs_storage(ty)).collect();
    symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, &outputs)));
}

impl Rewriter<'_> {
    fn in_storage(&self, value: ValueId) -> bool {
        in_storage(self.body, value)
    }

    // ----- slots

    /// Parameters in storage are slots; after them come those of results that no parameter carries.
    fn parameters(&mut self, entry: BlockId, params: &StorageParams, outputs: &[Type]) {
        for value in self.body.args(entry).to_vec() {
            if let Some(class) = self.classes.of_value(value) {
                self.slots.insert(class, value);
            }
        }
        for &k in params.results[params.inputs..].iter().flatten() {
            if let (Some(class), Some(&ty)) = (self.classes.of(Node::Result(k)), outputs.get(k)) {
                let slot = self.body.add_arg(entry, slot_type(ty));
                self.slots.insert(class, slot);
            }
        }
    }

    fn alloca(&mut self, ty: Type) -> Option<ValueId> {
        let loc = self.first.map_or_else(Loc::unknown, |op| self.body.loc(op));
        let mut b = Builder::before(self.body, self.first?)?;
        b.loc = loc;
        self.counts.slots += 1;
        Some(agg::Alloca::build(&mut b, slot_type(ty), &[]))
    }

    /// The slot that holds `value`.
    fn slot(&mut self, value: ValueId) -> Result<ValueId, Diagnostic> {
        let lost = || Diagnostic::internal(Loc::unknown(), "a value in storage without a slot");
        let class = self.classes.of_value(value).ok_or_else(lost)?;
        let slot = match self.slots.get(&class) {
            Some(&slot) => slot,
            None => {
                let slot = self.alloca(self.value_type(value)).ok_or_else(lost)?;
                self.slots.insert(class, slot);
                slot
            }
        };
        // A slot is called as the first of its values with a name. A zero is shared by values with
        // other names.
        let is_zero = matches!(self.body.def(value), ValueDef::Result { op, .. } if agg::Zero::is(self.body, op));
        if self.body.value(slot).hint.is_none() && !is_zero {
            self.body.set_hint(slot, self.body.value(value).hint);
        }
        Ok(slot)
    }

    fn value_type(&self, value: ValueId) -> Type {
        let ty = self.body.ty(value);
        agg::as_slot(ty).unwrap_or(ty)
    }

    // ----- copies

    fn copy(&mut self, before: OpId, dst: ValueId, dst_path: &[i64], src: ValueId, path: &[i64], indices: &[ValueId]) {
        if let Some(mut b) = Builder::before(self.body, before) {
            let attrs = [("dst_path", Attr::i64_array(dst_path)), ("path", Attr::i64_array(path))];
            agg::Copy::build(&mut b, dst, src, indices, &attrs);
        }
    }

    /// Copies between slots, all at once, before `op`.
    fn copy_all(&mut self, op: OpId, pairs: Vec<(ValueId, ValueId)>) -> Result<(), Diagnostic> {
        let mut todo: Vec<(ValueId, ValueId)> = pairs.into_iter().filter(|(dst, src)| dst != src).collect();
        self.counts.copies += todo.len() as u64;
        while !todo.is_empty() {
            // One whose target nobody reads any more.
            let free = todo.iter().position(|&(dst, _)| todo.iter().all(|&(_, src)| src != dst));
            match free {
                Some(at) => {
                    let (dst, src) = todo.remove(at);
                    self.copy(op, dst, &[], src, &[], &[]);
                }
                None => {
                    // Only cycles are left: one value steps aside.
                    let (_, src) = todo[0];
                    let ty = self.value_type(src);
                    let aside = self.alloca(ty);
                    let aside =
                        aside.ok_or_else(|| Diagnostic::internal(self.body.loc(op), "a function without code"))?;
                    self.copy(op, aside, &[], src, &[], &[]);
                    todo.iter_mut().filter(|(_, s)| *s == src).for_each(|(_, s)| *s = aside);
                }
            }
        }
        Ok(())
    }

    /// [`Self::copy_all`] from values to values, of those in storage.
    fn flow(&mut self, op: OpId, dst: &[ValueId], src: &[ValueId]) -> Result<(), Diagnostic> {
        let mut pairs = Vec::new();
        for (&dst, &src) in dst.iter().zip(src) {
            if self.in_storage_or_slot(dst) && self.in_storage_or_slot(src) {
                pairs.push((self.slot(dst)?, self.slot(src)?));
            }
        }
        self.copy_all(op, pairs)
    }

    /// Parameters are slots already, by the time that something flows out of them.
    fn in_storage_or_slot(&self, value: ValueId) -> bool {
        self.classes.of_value(value).is_some()
    }

    // ----- ops

    fn op(&mut self, op: OpId, params: &StorageParams) -> Result<(), Diagnostic> {
        let operands = self.body.operands(op).to_vec();
        let results = self.body.results(op).to_vec();
        if let Some(view) = agg::AggView::of(self.body, op) {
            return self.aggregate(op, view, &operands, &results);
        }
        if let Some(view) = scf::ScfView::of(self.body, op) {
            return self.control(op, view, &operands, &results);
        }
        match func::FuncView::of(self.body, op) {
            Some(func::FuncView::Call(_)) => self.call(op, &operands, &results),
            Some(func::FuncView::Return(_)) => self.return_(op, &operands, params),
            Some(func::FuncView::Func(_)) | None => Ok(()),
        }
    }

    /// An op on aggregates, which are values before and slots afterwards.
    fn aggregate(
        &mut self,
        op: OpId,
        view: agg::AggView,
        operands: &[ValueId],
        results: &[ValueId],
    ) -> Result<(), Diagnostic> {
        use agg::AggView as A;
        let stored = results.first().copied().filter(|&v| self.in_storage_or_slot(v));
        let path = agg::path_of(self.body, op);
        match view {
            A::Zero(_) => {
                let Some(result) = stored else { return Ok(()) };
                let slot = self.slot(result)?;
                if let Some(mut b) = Builder::before(self.body, op) {
                    let unread = b.body.attr(op, agg::UNREAD).map(|a| (agg::UNREAD, a));
                    let attrs: Vec<_> = [("path", Attr::i64_array(&[]))].into_iter().chain(unread).collect();
                    agg::Clear::build(&mut b, slot, &[], &attrs);
                }
                self.dead.push(op);
            }
            A::Make(_) => {
                let Some(result) = stored else { return Ok(()) };
                let slot = self.slot(result)?;
                for (i, &part) in operands.iter().enumerate() {
                    self.put(op, slot, &[i as i64], part, &[])?;
                }
                self.dead.push(op);
            }
            A::Extract(_) => self.extract(op, operands, results, stored, &path)?,
            A::Length(_) => {
                let from = self.slot(operands[0])?;
                if let Some(mut b) = Builder::before(self.body, op) {
                    let length = agg::SlotLength::build(&mut b, from, Type::index(), &[]);
                    self.body.replace_uses(results[0], length);
                }
                self.dead.push(op);
            }
            A::Insert(_) => self.insert(op, operands, stored, &path)?,
            A::BufferLoad(_) => {
                let Some(result) = stored else { return Ok(()) };
                let slot = self.slot(result)?;
                if let Some(mut b) = Builder::before(self.body, op) {
                    let attrs = [("path", Attr::i64_array(&path))];
                    agg::ReadBuffer::build(&mut b, slot, operands[0], operands[1], &operands[2..], &attrs);
                }
                self.dead.push(op);
            }
            A::BufferStore(_) => {
                if !self.in_storage_or_slot(operands[0]) {
                    return Ok(());
                }
                let slot = self.slot(operands[0])?;
                if let Some(mut b) = Builder::before(self.body, op) {
                    let attrs = [("path", Attr::i64_array(&path))];
                    agg::WriteBuffer::build(&mut b, slot, operands[1], operands[2], &operands[3..], &attrs);
                }
                self.dead.push(op);
            }
            A::Global(global) => {
                let Some(result) = stored else { return Ok(()) };
                let (ty, name) = (slot_type(self.body.ty(result)), global.name(self.body));
                if let (Some(mut b), Some(name)) = (Builder::before(self.body, op), name) {
                    let slot = agg::GlobalSlot::build(&mut b, ty, &[("name", Attr::symbol(name))]);
                    self.slots.extend(self.classes.of_value(result).map(|class| (class, slot)));
                }
                self.dead.push(op);
            }
            // Of what stays in storage these give or take a number, a resource or a part of one.
            A::Resource(_)
            | A::GlobalElement(_)
            | A::View(_)
            | A::BufferCount(_)
            | A::CheckBounds(_)
            | A::CheckIndex(_)
            | A::BufferLen(_) => {}
        }
        Ok(())
    }

    /// What flows into regions, round them and out of them.
    fn control(
        &mut self,
        op: OpId,
        view: scf::ScfView,
        operands: &[ValueId],
        results: &[ValueId],
    ) -> Result<(), Diagnostic> {
        use scf::ScfView as S;
        match view {
            S::For(_) => self.for_loop(op, operands)?,
            S::While(_) => self.while_loop(op, operands)?,
            S::If(_) | S::IndexSwitch(_) => {
                let held = |v: ValueId| self.in_storage(v) || self.in_storage_or_slot(v);
                if !results.iter().any(|&v| held(v)) {
                    return Ok(());
                }
                for i in 0..self.body.op(op).regions.len() {
                    let block = self.region(op, i)?;
                    let (end, yielded) = self.terminator(block)?;
                    self.flow(end, results, &yielded)?;
                }
            }
            // Their operands flow with the op around them.
            S::Condition(_) | S::Yield(_) => {}
        }
        Ok(())
    }

    /// A part of a value in storage is copied out of it, or loaded.
    fn extract(
        &mut self,
        op: OpId,
        operands: &[ValueId],
        results: &[ValueId],
        stored: Option<ValueId>,
        path: &[i64],
    ) -> Result<(), Diagnostic> {
        if !self.in_storage_or_slot(operands[0]) {
            return Ok(());
        }
        let from = self.slot(operands[0])?;
        match stored {
            Some(result) if path_is_empty(self.body, op) => self.flow(op, &[result], &operands[..1])?,
            Some(result) => {
                let to = self.slot(result)?;
                self.counts.copies += 1;
                self.copy(op, to, &[], from, path, &operands[1..]);
            }
            None => {
                let ty = self.body.ty(results[0]);
                if let Some(mut b) = Builder::before(self.body, op) {
                    let attrs = with_mark(b.body, op, path);
                    let loaded = agg::Load::build(&mut b, from, &operands[1..], ty, &attrs);
                    self.body.replace_uses(results[0], loaded);
                }
            }
        }
        self.dead.push(op);
        Ok(())
    }

    /// The value with a part replaced: in place where nothing else reads what was there.
    fn insert(
        &mut self,
        op: OpId,
        operands: &[ValueId],
        stored: Option<ValueId>,
        path: &[i64],
    ) -> Result<(), Diagnostic> {
        let Some(result) = stored else { return Ok(()) };
        if path_is_empty(self.body, op) {
            self.flow(op, &[result], &operands[..1])?;
        } else {
            let before = self.counts.copies;
            self.flow(op, &[result], &operands[1..2])?;
            self.counts.in_place += (self.counts.copies == before) as u64;
            let slot = self.slot(result)?;
            self.put(op, slot, path, operands[0], &operands[2..])?;
        }
        self.dead.push(op);
        Ok(())
    }

    fn for_loop(&mut self, op: OpId, operands: &[ValueId]) -> Result<(), Diagnostic> {
        let block = self.region(op, 0)?;
        let args = self.body.args(block).get(1..).unwrap_or(&[]).to_vec();
        let inits = operands.get(BOUNDS..).unwrap_or_default();
        self.flow(op, &args, inits)?;
        let (end, yielded) = self.terminator(block)?;
        self.flow(end, &args, &yielded)
    }

    fn while_loop(&mut self, op: OpId, operands: &[ValueId]) -> Result<(), Diagnostic> {
        let (before, after) = (self.region(op, 0)?, self.region(op, 1)?);
        let (before_args, after_args) = (self.body.args(before).to_vec(), self.body.args(after).to_vec());
        self.flow(op, &before_args, operands)?;
        let (end, forwarded) = self.terminator(before)?;
        self.flow(end, &after_args, forwarded.get(1..).unwrap_or(&[]))?;
        let (end, yielded) = self.terminator(after)?;
        self.flow(end, &before_args, &yielded)
    }

    fn region(&self, op: OpId, index: usize) -> Result<BlockId, Diagnostic> {
        let block = self.body.region_block(op, index);
        block.ok_or_else(|| Diagnostic::invalid_ir(self.body.loc(op), "a region without code"))
    }

    fn terminator(&self, block: BlockId) -> Result<(OpId, Vec<ValueId>), Diagnostic> {
        terminator_operands(self.body, block).map(|(op, operands)| (op, operands.to_vec()))
    }

    /// Writes `part` to the part of `slot` at `path`.
    fn put(
        &mut self,
        op: OpId,
        slot: ValueId,
        path: &[i64],
        part: ValueId,
        indices: &[ValueId],
    ) -> Result<(), Diagnostic> {
        if self.in_storage_or_slot(part) {
            let from = self.slot(part)?;
            self.copy(op, slot, path, from, &[], indices);
        } else if let Some(mut b) = Builder::before(self.body, op) {
            let attrs = with_mark(b.body, op, path);
            agg::Store::build(&mut b, part, slot, indices, &attrs);
        }
        Ok(())
    }

    /// The slots of results that parameters carry hold the arguments when the call starts.
    fn call(&mut self, op: OpId, operands: &[ValueId], results: &[ValueId]) -> Result<(), Diagnostic> {
        if !operands.iter().chain(results).any(|&v| self.in_storage_or_slot(v)) {
            return Ok(());
        }
        // From the types before anything was replaced.
        let types = |values: &[ValueId]| values.iter().map(|&v| self.value_type(v)).collect::<Vec<_>>();
        let params = StorageParams::of_types(&types(operands), &types(results));
        let mut args = operands.to_vec();
        let (mut to, mut from) = (Vec::new(), Vec::new());
        for (i, carried) in params.results.iter().enumerate() {
            match carried {
                Some(k) if i < params.inputs => {
                    to.push(results[*k]);
                    from.push(operands[i]);
                    args[i] = self.slot(results[*k])?;
                }
                Some(k) => args.push(self.slot(results[*k])?),
                None if self.in_storage_or_slot(operands[i]) => args[i] = self.slot(operands[i])?,
                None => {}
            }
        }
        self.flow(op, &to, &from)?;
        let plain: Vec<ValueId> = results.iter().copied().filter(|&v| !self.in_storage(v)).collect();
        let plain_types: Vec<Type> = plain.iter().map(|&v| self.body.ty(v)).collect();
        let attrs = self.body.op(op).attrs.clone();
        if let Some(mut b) = Builder::before(self.body, op) {
            let new = func::Call::build(&mut b, &args, &plain_types, &[]);
            for (name, attr) in attrs {
                self.body.set_attr(new, &name, attr);
            }
            for (i, &old) in plain.iter().enumerate() {
                let value = self.body.result(new, i);
                self.body.replace_uses(old, value);
            }
        }
        self.dead.push(op);
        Ok(())
    }

    fn return_(&mut self, op: OpId, operands: &[ValueId], params: &StorageParams) -> Result<(), Diagnostic> {
        let Some(block) = self.body.op(op).block else { return Ok(()) };
        let mut pairs = Vec::new();
        for (i, k) in params.results.iter().enumerate() {
            if let Some(&value) = k.and_then(|k| operands.get(k)) {
                // Slots of results stand where the numbering has them.
                pairs.push((self.body.args(block)[i], self.slot(value)?));
            }
        }
        self.copy_all(op, pairs)?;
        let plain: Vec<ValueId> = operands.iter().copied().filter(|&v| !self.in_storage_or_slot(v)).collect();
        self.body.set_operands(op, &plain);
        Ok(())
    }

    /// Takes the values in storage out of what flows into and out of regions.
    fn forget_operands(&mut self, op: OpId) {
        use scf::ScfView as S;
        let takes = match S::of(self.body, op) {
            Some(S::For(_) | S::While(_) | S::Yield(_) | S::Condition(_)) => true,
            // Conditions and cases are no values in storage.
            Some(S::If(_) | S::IndexSwitch(_)) | None => false,
        };
        let operands = self.body.operands(op);
        let plain: Vec<ValueId> = operands.iter().copied().filter(|&v| !self.in_storage_or_slot(v)).collect();
        if takes && plain.len() != operands.len() {
            self.body.set_operands(op, &plain);
        }
    }

    /// Removes results and arguments that nothing refers to any more.
    fn forget_values(&mut self, op: OpId) {
        if self.body.is_erased(op) || self.body.op(op).regions.is_empty() {
            return;
        }
        for region in self.body.op(op).regions.clone() {
            for block in self.body.region(region).blocks.clone() {
                let stored: Vec<bool> = self.body.args(block).iter().map(|&v| self.in_storage_or_slot(v)).collect();
                self.body.remove_args(block, |i| stored[i]);
            }
        }
        let stored: Vec<bool> = self.body.results(op).iter().map(|&v| self.in_storage_or_slot(v)).collect();
        self.body.remove_results(op, |i| stored[i]);
    }
}

/// The path, and the mark of the access that is being replaced.
fn with_mark(body: &Body, op: OpId, path: &[i64]) -> Vec<(&'static str, Attr)> {
    let mark = body.attr(op, agg::INSIDE).map(|mark| (agg::INSIDE, mark));
    std::iter::once(("path", Attr::i64_array(path))).chain(mark).collect()
}
