//! The primal half: the code without tangents, with residuals as extra results.

use super::needs::{is_linear, is_recomputed, is_replayed, snapshots};
use super::{Export, Key, Unzip};
use super::{induction, slice, undo};
use crate::analysis::costs;
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::agg::{self, array_type, tape_type};
use caustic_dialects::carried::BOUNDS;
use caustic_dialects::{arith, func, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, OpId, Result, Type, ValueDef, ValueId};
use rustc_hash::FxHashMap;

/// Whether a loop's argument follows from what is known of the loop: nothing of it is stored.
pub fn follows(body: &Body, arg: ValueId) -> bool {
    induction::of(body, arg).is_some() || undo::of(body, arg).is_some() || slice::of(body, arg).is_some()
}

/// The zero of any type, in the form that its dialect prefers.
pub fn build_zero(b: &mut Builder<'_>, ty: Type) -> ValueId {
    if ty.is_scalar() || ty.is_vector() { arith::zero(b, ty) } else { agg::Zero::build(b, ty, &[]) }
}

fn constant_index(body: &Body, value: ValueId) -> Option<i64> {
    arith::constant_of(body, value)?.as_int()
}

fn is_branch(body: &Body, op: OpId) -> bool {
    scf::If::is(body, op) || scf::IndexSwitch::is(body, op)
}

/// Where a residual comes out of a branch that was not taken, it is what it was before. `branches`
/// has the region that computes it.
fn hold(body: &mut Body, branches: &FxHashMap<ValueId, usize>, residual: ValueId, before: ValueId) {
    let mut residual = residual;
    while let (Some(&region), ValueDef::Result { op, index }) = (branches.get(&residual), body.def(residual)) {
        let mut computed = None;
        for k in 0..body.op(op).regions.len() {
            let Some(end) = body.region_block(op, k).and_then(|b| body.terminator(b)) else { continue };
            if k == region {
                computed = body.operands(end).get(index as usize).copied();
            } else {
                body.set_operand(end, index as usize, before);
            }
        }
        let Some(next) = computed else { return };
        residual = next;
    }
}

impl Unzip<'_> {
    /// Copies the primal ops of a block, but for its terminator.
    pub fn primal_block(&mut self, block: BlockId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        for op in src.block_ops(block) {
            let data = src.op(op);
            b.loc = data.loc;
            if data.def.is_terminator() {
                break;
            }
            if self.again && src.attr(op, stage::PRIMAL_ONLY).is_some() {
                continue;
            }
            if is_replayed(src, op) {
                // Nothing is kept of this run: it runs again where that is needed.
                let outer = std::mem::replace(&mut self.plain, true);
                self.primal_any(op, b)?;
                self.plain = outer;
            } else {
                self.primal_any(op, b)?;
            }
        }
        Ok(())
    }

    /// Copies one op, with what is kept of it unless the copy is a plain one.
    pub fn primal_any(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if ad::JvpCall::is(src, op) {
            if self.plain { self.plain_call(op, b) } else { self.primal_call(op, b) }
        } else if data.regions.is_empty() {
            if !is_linear(src, op) {
                let new = self.primal.clone_op(src, op, b);
                b.body.remove_attr(new, stage::RECOMPUTE);
                b.body.remove_attr(new, stage::ONCE);
                b.body.remove_attr(new, stage::PRIMAL_ONLY);
            }
            Ok(())
        } else if self.needs.is_mixed(op)
            || data.regions.iter().any(|&r| src.walk(r).iter().any(|&o| is_linear(src, o)))
        {
            self.primal_region_op(op, b)
        } else {
            let new = self.primal.clone_op(src, op, b);
            b.body.remove_attr(new, stage::RECOMPUTE);
            b.body.remove_attr(new, stage::PRIMAL_ONLY);
            Ok(())
        }
    }

    /// The residuals that stand directly in a block of the primal half, with their values there.
    pub fn block_residuals(&self, block: BlockId) -> Vec<(Key, ValueId)> {
        let src = self.src;
        let mut out = Vec::new();
        // The counter of a for loop is the linear loop's own.
        let counter = src.parent_op(block).filter(|&p| scf::For::is(src, p)).map(|_| src.args(block)[0]);
        for &arg in src.args(block) {
            if self.needs.is_needed(arg) && Some(arg) != counter && !follows(src, arg) {
                out.push((Key::Value(arg), self.primal.get(arg)));
            }
        }
        for op in src.block_ops(block) {
            if is_replayed(src, op) {
                continue;
            }
            if !is_recomputed(src, op) {
                for (i, &r) in src.results(op).iter().enumerate() {
                    if self.needs.is_needed(r) {
                        out.push((Key::Value(r), self.result(op, i)));
                    }
                }
            }
            let mut slot = 0;
            while let Some(&value) = self.slots.get(&(op, slot)) {
                out.push((Key::Slot(op, slot), value));
                slot += 1;
            }
        }
        out
    }

    /// A result of an op in the new code.
    #[mutant(Site::UnzipInitial if scf::For::is(self.src, op) => self.primal.get(self.src.operand(op, BOUNDS + n)))]
    fn result(&self, op: OpId, n: usize) -> ValueId {
        self.primal.get(self.src.result(op, n))
    }

    /// For how many iterations of a loop there is an array, if there is one.
    #[mutant(Site::UnzipBound => costs::room(self.src, op).map(|n| n - 1))]
    fn room(&self, op: OpId) -> Option<i64> {
        costs::room(self.src, op)
    }

    /// Whether a residual of a block is the same each time that the block runs.
    fn is_once(&self, block: BlockId, key: Key) -> bool {
        if let Key::Slot(op, slot) = key
            && let Some(branch) = self.exports.get(&op).filter(|_| is_branch(self.src, op))
        {
            return branch.get(slot).is_some_and(|e| e.once);
        }
        let op = match key {
            Key::Value(v) => self.src.def_op(v),
            Key::Slot(op, _) => Some(op).filter(|&op| ad::JvpCall::is(self.src, op)),
        };
        op.is_some_and(|op| self.src.op(op).block == Some(block) && self.src.attr(op, stage::ONCE).is_some())
    }

    /// A call whose context nobody needs: of the function itself.
    fn plain_call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let Some(callee) = src.attr(op, stage::PLAIN_CALLEE) else { return self.primal_call(op, b) };
        let primal = |&v: &ValueId| !is_tangent(src.ty(v));
        let count = ad::JvpCall(op).active(src).map_or(0, |a| a.len());
        let operands: Vec<ValueId> = data.operands[..count].iter().map(|&v| self.primal.get(v)).collect();
        let results: Vec<ValueId> = data.results.iter().copied().filter(primal).collect();
        let types: Vec<Type> = results.iter().map(|&r| src.ty(r)).collect();
        let new = func::Call::build(b, &operands, &types, &[("callee", callee)]);
        for (i, &r) in results.iter().enumerate() {
            let value = b.body.result(new, i);
            b.body.set_hint(value, src.value(r).hint);
            self.primal.insert(r, value);
        }
        Ok(())
    }

    fn primal_call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let Some(callee) = src.callee(op) else {
            return Err(Diagnostic::invalid_ir(data.loc, "a call without a callee"));
        };
        let primal = |&v: &ValueId| !is_tangent(src.ty(v));
        let operands: Vec<ValueId> =
            data.operands.iter().copied().filter(|v| primal(v)).map(|v| self.primal.get(v)).collect();
        let results: Vec<ValueId> = data.results.iter().copied().filter(primal).collect();
        let mut types: Vec<Type> = results.iter().map(|&r| src.ty(r)).collect();
        types.push(ad::context_type(callee));
        let attrs = super::call_attrs(src, op);
        let new = ad::PrimalCall::build(b, &operands, &types, &attrs);
        for (i, &r) in results.iter().enumerate() {
            let value = b.body.result(new, i);
            b.body.set_hint(value, src.value(r).hint);
            self.primal.insert(r, value);
        }
        self.slots.insert((op, 0), b.body.result(new, results.len()));
        Ok(())
    }

    fn primal_region_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let primal_of = |v: &ValueId| !is_tangent(src.ty(*v));
        let operands: Vec<ValueId> =
            data.operands.iter().copied().filter(primal_of).map(|v| self.primal.get(v)).collect();
        let results: Vec<ValueId> = data.results.iter().copied().filter(primal_of).collect();
        let types: Vec<Type> = results.iter().map(|&r| src.ty(r)).collect();
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), data.loc);
        b.body.remove_attr(new, stage::RECOMPUTE);
        let from_snapshots = snapshots(src, op).is_some();
        let keeps = self.needs.is_mixed(op) && !self.plain && !from_snapshots;
        b.body.remove_attr(new, stage::SNAPSHOTS);
        b.body.remove_attr(new, stage::SLICE);
        b.body.remove_attr(new, stage::ROOM);
        b.body.remove_attr(new, stage::PROMISED);
        let mut blocks = Vec::new();
        let mut exports: Vec<Export> = Vec::new();
        let mut values: Vec<ValueId> = Vec::new();
        let is_while = scf::While::is(src, op);
        let is_loop = is_while || scf::For::is(src, op);
        // Slot 0 of a while is its trip count.
        let first_slot = is_while as usize;
        for k in 0..data.regions.len() {
            let Some(block) = src.region_block(op, k) else { continue };
            let args: Vec<ValueId> = src.args(block).iter().copied().filter(primal_of).collect();
            let arg_types: Vec<Type> = args.iter().map(|&a| src.ty(a)).collect();
            let region = b.body.op(new).regions[k];
            let new_block = b.body.add_block(region, &arg_types);
            for (i, &arg) in args.iter().enumerate() {
                let value = b.body.args(new_block)[i];
                b.body.set_hint(value, src.value(arg).hint);
                self.primal.insert(arg, value);
            }
            let plain = self.plain;
            self.plain |= from_snapshots;
            self.primal_block(block, &mut Builder::at_end(b.body, new_block, data.loc))?;
            self.plain = plain;
            if keeps && !(is_while && k == 0) {
                for (key, value) in self.block_residuals(block) {
                    let once = self.is_once(block, key);
                    exports.push(Export { region: k, key, slot: first_slot + exports.len(), ty: b.ty(value), once });
                    values.push(value);
                }
            }
            let Some(end) = src.terminator(block) else {
                return Err(Diagnostic::invalid_ir(data.loc, "a region without a terminator"));
            };
            let yielded: Vec<ValueId> =
                src.operands(end).iter().copied().filter(primal_of).map(|v| self.primal.get(v)).collect();
            blocks.push((k, new_block, end, yielded));
        }
        if is_loop {
            self.finish_loop(op, new, b, &exports, &values, blocks)?;
        } else {
            for (k, block, end, mut yielded) in blocks {
                let mut inner = Builder::at_end(b.body, block, data.loc);
                for (e, &value) in exports.iter().zip(&values) {
                    // In the other branches nobody reads it.
                    yielded.push(if e.region == k { value } else { build_zero(&mut inner, e.ty) });
                }
                inner.create(src.op(end).def, &yielded, &[], &[], 0);
            }
            for e in &exports {
                let value = b.body.add_result(new, e.ty);
                self.slots.insert((op, e.slot), value);
                self.branches.insert(value, e.region);
            }
            b.body.insert_op(new, b.block, b.before);
        }
        for (i, &r) in results.iter().enumerate() {
            let value = b.body.result(new, i);
            b.body.set_hint(value, src.value(r).hint);
            self.primal.insert(r, value);
        }
        if keeps {
            self.exports.insert(op, exports);
        }
        Ok(())
    }

    /// Residuals of a loop: carried arrays or tapes, one element written an iteration. A while also
    /// carries its count.
    fn finish_loop(
        &mut self,
        op: OpId,
        new: OpId,
        b: &mut Builder<'_>,
        exports: &[Export],
        values: &[ValueId],
        blocks: Vec<(usize, BlockId, OpId, Vec<ValueId>)>,
    ) -> Result<()> {
        let src = self.src;
        let is_while = scf::While::is(src, op);
        let mixed = self.needs.is_mixed(op) && !self.plain;
        if mixed && !is_while {
            self.counts_from_zero(op)?;
        }
        let room = self.room(op);
        let mut storage: Vec<Type> = Vec::new();
        if is_while && mixed {
            storage.push(Type::index());
        }
        for e in exports {
            storage.push(match room {
                _ if e.once => e.ty,
                Some(n) => array_type(n.max(1) as u64, e.ty),
                None => tape_type(e.ty),
            });
        }
        let mut operands = b.body.operands(new).to_vec();
        let counters = storage.len() - exports.len();
        for (slot, &ty) in storage.iter().enumerate() {
            // An iteration reads what it has stored, and nothing else is read.
            let stored = mixed && slot >= counters && !exports[slot - counters].once && room.is_some();
            operands.push(match stored {
                true => agg::Zero::build(b, ty, &[(agg::UNREAD, Attr::unit())]),
                false => build_zero(b, ty),
            });
        }
        b.body.set_operands(new, &operands);
        for (k, block, end, mut yielded) in blocks {
            let extra: Vec<ValueId> = storage.iter().map(|&ty| b.body.add_arg(block, ty)).collect();
            let mut inner = Builder::at_end(b.body, block, src.loc(end));
            if is_while && k == 0 {
                // The condition goes on as it is; what is carried passes through.
                yielded.extend(&extra);
            } else {
                let (counter, stores) = if is_while {
                    (extra.first().copied(), extra.get(1..).unwrap_or(&[]))
                } else {
                    (inner.body.args(block).first().copied(), &extra[..])
                };
                if let Some(counter) = counter.filter(|_| mixed) {
                    if is_while {
                        let one = arith::index(&mut inner, 1);
                        yielded.push(arith::AddI::build(&mut inner, counter, one, &[]));
                    }
                    for ((&store, &value), e) in stores.iter().zip(values).zip(exports) {
                        if e.once {
                            hold(inner.body, &self.branches, value, store);
                            yielded.push(value);
                            continue;
                        }
                        yielded.push(with_element(&mut inner, store, counter, value));
                    }
                }
            }
            inner.create(src.op(end).def, &yielded, &[], &[], 0);
        }
        for (slot, &ty) in storage.iter().enumerate() {
            let value = b.body.add_result(new, ty);
            self.slots.insert((op, slot), value);
        }
        b.body.insert_op(new, b.block, b.before);
        Ok(())
    }

    fn counts_from_zero(&self, op: OpId) -> Result<()> {
        let operands = self.src.operands(op);
        let from_zero =
            constant_index(self.src, operands[0]) == Some(0) && constant_index(self.src, operands[2]) == Some(1);
        if from_zero {
            return Ok(());
        }
        Err(Diagnostic::invalid_ir(self.src.loc(op), "a loop that is differentiated must count from 0 by 1")
            .with_note("run the normalization passes first"))
    }
}

/// What a loop has stored once `value` is stored in an iteration.
#[mutant(Site::UnzipStoreOnce with iteration = arith::index(b, 0))]
fn with_element(b: &mut Builder<'_>, stored: ValueId, iteration: ValueId, value: ValueId) -> ValueId {
    agg::Insert::build(b, value, stored, &[iteration], &[("path", Attr::i64_array(&[-1]))])
}
