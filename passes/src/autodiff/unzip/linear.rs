//! The linear half: the tangent code, reading residuals where the primal values are out of reach.

use super::induction;
use super::needs::{free_values, handles, is_linear, is_recomputed, snapshots};
use super::primal::build_zero;
use super::slice;
use super::undo::{self, Undo};
use super::{Export, Key, Unzip};
use crate::analysis::costs;
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Diagnostic, OpDef, OpId, RegionId, Result, Type, ValueId};
use rustc_hash::FxHashMap;

/// What a loop of `count` iterations stored in iteration `k`.
#[mutant(Site::UnzipIntegers if is_integers(ty) => build_zero(b, ty))]
#[mutant(Site::UnzipOuterIteration if !ty.is_scalar() && !ty.is_vector() with k = arith::index(b, 0))]
#[mutant(Site::UnzipLastIteration with k = moved_by(b, count, -1))]
#[mutant(Site::UnzipNextIteration with k = moved_by(b, k, 1))]
fn element(b: &mut Builder<'_>, stored: ValueId, (count, k): (ValueId, ValueId), ty: Type) -> ValueId {
    agg::Extract::build(b, stored, &[k], ty, &[("path", Attr::i64_array(&[-1]))])
}

/// The mistake of taking a number for one nearby.
fn moved_by(b: &mut Builder<'_>, number: ValueId, by: i64) -> ValueId {
    let by = arith::index(b, by);
    arith::AddI::build(b, number, by, &[])
}

fn is_integers(ty: Type) -> bool {
    let scalar = agg::as_array(ty).map_or(ty, |(_, elem)| elem);
    scalar.is_scalar() && !scalar.is_float()
}

/// The iterations that a loop's residuals have arrays for, if nothing but the program's word says
/// that there are no more.
fn promised(src: &Body, op: OpId) -> Option<i64> {
    src.attr(op, stage::PROMISED)?.as_int()
}

fn is_more(b: &mut Builder<'_>, count: ValueId, most: i64) -> ValueId {
    let most = arith::index(b, most);
    arith::cmpi(b, arith::IntPredicate::Ugt, count, most)
}

/// A tangent; NaN, if the loop that gives it ran more often than it keeps residuals for. No proof
/// against a broken promise: what only the iterations behind the last one kept would reach is zero.
#[mutant(Site::UnzipOverrun => tangent)]
fn or_nan(b: &mut Builder<'_>, overrun: ValueId, tangent: ValueId) -> ValueId {
    let ty = b.ty(tangent);
    let Some(scalar) = agg::only_float(ad::strip_tangent(ty)) else { return tangent };
    let [nan, one] = [f64::NAN, 1.0].map(|x| arith::float(b, x, scalar));
    let factor = arith::Select::build(b, overrun, nan, one, &[]);
    ad::TScale::build(b, tangent, factor, &[])
}

/// The state of the iteration that the builder stands in.
fn undone(src: &Body, b: &mut Builder<'_>, undo: &Undo, reads: &[(ValueId, ValueId)]) -> ValueId {
    let read = |v: ValueId| reads.iter().find(|(old, _)| *old == v).map_or(v, |(_, new)| *new);
    let last = read(undo.last);
    let ty = b.ty(last);
    let op = ad::Undo::build(b, last, ty, &[]);
    let op = b.body.def_op(op).unwrap_or(OpId(0));
    let block = b.add_block(op, 0, &[ty]);
    let after = b.body.args(block)[0];
    let loc = b.loc;
    let mut inner = Builder::at_end(b.body, block, loc);
    let before = undo.build(src, &mut inner, after, &read);
    ad::Yield::build(&mut inner, &[before], &[]);
    b.body.result(op, 0)
}

impl Unzip<'_> {
    /// What linear code uses for a primal value.
    fn read(&self, value: ValueId) -> Result<ValueId> {
        let found = self.access.get(&Key::Value(value)).copied();
        found.ok_or_else(|| {
            Diagnostic::internal(
                self.src.def_op(value).map_or(caustic_ir::Loc::unknown(), |o| self.src.loc(o)),
                "a residual was not kept",
            )
        })
    }

    fn read_slot(&self, op: OpId, slot: usize) -> Result<ValueId> {
        let found = self.access.get(&Key::Slot(op, slot)).copied();
        found.ok_or_else(|| Diagnostic::internal(self.src.loc(op), "a residual of an op was not kept"))
    }

    fn tangent(&self, value: ValueId) -> Result<ValueId> {
        let found = self.tangents.get(&value).copied();
        found.ok_or_else(|| Diagnostic::internal(caustic_ir::Loc::unknown(), "a tangent that no linear op computes"))
    }

    /// The tangents among a terminator's operands.
    pub fn yielded_tangents(&self, end: OpId) -> Result<Vec<ValueId>> {
        let tangents = self.src.operands(end).iter().filter(|&&v| is_tangent(self.src.ty(v)));
        tangents.map(|&v| self.tangent(v)).collect()
    }

    /// Emits the linear counterpart of a block, but for its terminator.
    pub fn linear_block(&mut self, block: BlockId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let ops = src.block_ops(block);
        // First what is computed again, in the order of the primal code.
        for &op in &ops {
            if is_recomputed(src, op) && src.results(op).iter().any(|&r| self.needs.is_needed(r)) {
                let data = src.op(op);
                b.loc = data.loc;
                let operands: Vec<ValueId> = data.operands.iter().map(|&v| self.read(v)).collect::<Result<_>>()?;
                let types: Vec<Type> = data.results.iter().map(|&r| src.ty(r)).collect();
                let attrs: Vec<(&str, Attr)> =
                    data.attrs.iter().filter(|(n, _)| *n != stage::RECOMPUTE).map(|(n, a)| (n.as_str(), *a)).collect();
                let new = b.create(data.def, &operands, &types, &attrs, 0);
                for (i, &r) in data.results.iter().enumerate() {
                    let value = b.body.result(new, i);
                    b.body.set_hint(value, src.value(r).hint);
                    self.access.insert(Key::Value(r), value);
                }
            } else if self.needs.is_replay(op) && snapshots(src, op).is_none() {
                self.replay(op, b)?;
            }
        }
        for op in ops {
            let data = src.op(op);
            b.loc = data.loc;
            if data.def.is_terminator() {
                break;
            }
            if ad::JvpCall::is(src, op) {
                self.linear_call(op, b)?;
            } else if data.regions.is_empty() {
                if is_linear(src, op) {
                    self.linear_op(op, b)?;
                }
            } else if self.needs.is_mixed(op) {
                self.linear_region_op(op, b)?;
            }
        }
        Ok(())
    }

    /// Runs a primal op again among the linear code, this time with what is kept of it.
    fn replay(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let mut inputs = Cloner::new();
        for v in free_values(src, op) {
            inputs.insert(v, self.read(v)?);
        }
        b.loc = src.loc(op);
        let primal = std::mem::replace(&mut self.primal, inputs);
        let plain = std::mem::replace(&mut self.plain, false);
        let done = self.primal_any(op, b);
        self.plain = plain;
        let replayed = std::mem::replace(&mut self.primal, primal);
        done?;
        for &r in src.results(op).iter().filter(|&&r| !is_tangent(src.ty(r))) {
            self.access.insert(Key::Value(r), replayed.get(r));
        }
        let mut slot = 0;
        while let Some(&value) = self.slots.get(&(op, slot)) {
            self.access.insert(Key::Slot(op, slot), value);
            slot += 1;
        }
        Ok(())
    }

    fn keep(&mut self, b: &mut Builder<'_>, old: ValueId, new: ValueId) {
        b.body.set_hint(new, self.src.value(old).hint);
        self.tangents.insert(old, new);
    }

    fn linear_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let data = self.src.op(op);
        let mut operands = Vec::new();
        for &v in &data.operands {
            operands.push(if is_tangent(self.src.ty(v)) { self.tangent(v)? } else { self.read(v)? });
        }
        let types: Vec<Type> = data.results.iter().map(|&r| self.src.ty(r)).collect();
        let attrs: Vec<(&str, Attr)> = data.attrs.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        let new = b.create(data.def, &operands, &types, &attrs, 0);
        for (i, &r) in data.results.iter().enumerate() {
            let value = b.body.result(new, i);
            self.keep(b, r, value);
        }
        Ok(())
    }

    fn linear_call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let data = self.src.op(op);
        let results: Vec<ValueId> = data.results.iter().copied().filter(|&r| is_tangent(self.src.ty(r))).collect();
        if results.is_empty() {
            return Ok(());
        }
        let mut operands = vec![self.read_slot(op, 0)?];
        for v in handles(self.src, op) {
            operands.push(self.read(v)?);
        }
        for &v in data.operands.iter().filter(|&&v| is_tangent(self.src.ty(v))) {
            operands.push(self.tangent(v)?);
        }
        let types: Vec<Type> = results.iter().map(|&r| self.src.ty(r)).collect();
        let attrs = super::call_attrs(self.src, op);
        let new = ad::LinearCall::build(b, &operands, &types, &attrs);
        for (i, &r) in results.iter().enumerate() {
            let value = b.body.result(new, i);
            self.keep(b, r, value);
        }
        Ok(())
    }

    /// A loop of which nothing is kept but how often it ran: its states are computed along with the
    /// tangents.
    fn snapshot_op(&mut self, op: OpId, slots: i64, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let is_for = scf::For::is(src, op);
        let tangent = |v: &ValueId| is_tangent(src.ty(*v));
        let bad = || Diagnostic::invalid_ir(data.loc, "a loop without a body");
        let block = src.region_block(op, if is_for { 0 } else { 1 }).ok_or_else(bad)?;
        let end = src.terminator(block).ok_or_else(bad)?;
        let (states, carried): (Vec<ValueId>, Vec<ValueId>) =
            src.args(block)[is_for as usize..].iter().partition(|v| !tangent(v));
        let inits = if is_for { scf::For(op).inits(src) } else { &data.operands[..] };
        let count = if is_for { self.read(data.operands[1])? } else { self.read_slot(op, 0)? };
        let mut operands = vec![count];
        for &v in inits.iter().filter(|v| !tangent(v)) {
            operands.push(self.read(v)?);
        }
        for &v in inits.iter().filter(|v| tangent(v)) {
            operands.push(self.tangent(v)?);
        }
        let results: Vec<ValueId> = data.results.iter().copied().filter(tangent).collect();
        let types: Vec<Type> = results.iter().map(|&r| src.ty(r)).collect();
        let mut outer = Cloner::new();
        for v in free_values(src, op) {
            outer.insert(v, self.read(v)?);
        }
        let mut attrs = vec![("slots", Attr::i64(slots))];
        attrs.extend(src.attr(op, stage::ASCENDING).map(|mark| (stage::ASCENDING, mark)));
        let new = ad::Replay::build(b, &operands, &types, &attrs);
        for k in 0..2 {
            let mut arg_types = vec![Type::index()];
            arg_types.extend(states.iter().map(|&a| src.ty(a)));
            arg_types.extend(carried.iter().filter(|_| k == 1).map(|&a| src.ty(a)));
            let new_block = b.add_block(new, k, &arg_types);
            let args = b.body.args(new_block).to_vec();
            let mut inputs = outer.clone();
            let counter = is_for.then(|| src.args(block)[0]);
            for (&old, &arg) in counter.iter().map(|c| (c, &args[0])).chain(states.iter().zip(&args[1..])) {
                b.body.set_hint(arg, src.value(old).hint);
                inputs.insert(old, arg);
            }
            let mut inner = Builder::at_end(b.body, new_block, data.loc);
            let primal = std::mem::replace(&mut self.primal, inputs);
            let plain = std::mem::replace(&mut self.plain, k == 0);
            let first = std::mem::replace(&mut self.again, true);
            let done = self.primal_block(block, &mut inner);
            self.plain = plain;
            self.again = first;
            let residuals = self.block_residuals(block);
            let replayed = std::mem::replace(&mut self.primal, primal);
            done?;
            inner.loc = src.loc(end);
            if k == 0 {
                let next: Vec<ValueId> =
                    src.operands(end).iter().filter(|v| !tangent(v)).map(|&v| replayed.get(v)).collect();
                ad::Yield::build(&mut inner, &next, &[]);
                continue;
            }
            for &arg in counter.iter().chain(&states) {
                self.access.insert(Key::Value(arg), replayed.get(arg));
            }
            self.access.extend(residuals);
            for (&a, &arg) in carried.iter().zip(&args[1 + states.len()..]) {
                self.keep(&mut inner, a, arg);
            }
            self.linear_block(block, &mut inner)?;
            let yielded = self.yielded_tangents(end)?;
            ad::Yield::build(&mut inner, &yielded, &[]);
        }
        for (i, &r) in results.iter().enumerate() {
            let value = b.body.result(new, i);
            self.keep(b, r, value);
        }
        Ok(())
    }

    /// State whose steps run again, at the head of a loop's linear counterpart.
    fn steps_again(
        &mut self,
        op: OpId,
        states: &[ValueId],
        slots: i64,
        counter: Option<ValueId>,
        b: &mut Builder<'_>,
    ) -> Result<()> {
        let src = self.src;
        let steps = slice::steps(src, states, &|_| true)
            .ok_or_else(|| Diagnostic::internal(src.loc(op), "state without steps is to run again"))?;
        let inits: Vec<ValueId> = steps.inits.iter().map(|&v| self.read(v)).collect::<Result<_>>()?;
        let mut map = Cloner::new();
        for &v in &steps.reads {
            map.insert(v, self.read(v)?);
        }
        let types: Vec<Type> = steps.states.iter().map(|&s| src.ty(s)).collect();
        let new = ad::Again::build(b, &inits, &types, &[("slots", Attr::i64(slots))]);
        let mut arg_types = vec![Type::index()];
        arg_types.extend(&types);
        let block = b.add_block(new, 0, &arg_types);
        let args = b.body.args(block).to_vec();
        for (&old, &arg) in counter.iter().map(|c| (c, &args[0])).chain(steps.states.iter().zip(&args[1..])) {
            map.insert(old, arg);
        }
        let mut inner = Builder::at_end(b.body, block, b.loc);
        for step in steps.ops {
            let copy = map.clone_op(src, step, &mut inner);
            for mark in [stage::RECOMPUTE, stage::ONCE, stage::PRIMAL_ONLY] {
                inner.body.remove_attr(copy, mark);
            }
        }
        let next: Vec<ValueId> = steps.next.iter().map(|&v| map.get(v)).collect();
        ad::Yield::build(&mut inner, &next, &[]);
        for (i, &state) in steps.states.iter().enumerate() {
            let value = b.body.result(new, i);
            b.body.set_hint(value, src.value(state).hint);
            self.access.insert(Key::Value(state), value);
        }
        Ok(())
    }

    /// The linear counterpart of an op with regions: a branch takes the same way again, a loop
    /// counts as often.
    fn linear_region_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        if let Some(slots) = snapshots(src, op) {
            return self.snapshot_op(op, slots, b);
        }
        let data = src.op(op);
        let is_while = scf::While::is(src, op);
        let results: Vec<ValueId> = data.results.iter().copied().filter(|&r| is_tangent(src.ty(r))).collect();
        let types: Vec<Type> = results.iter().map(|&r| src.ty(r)).collect();
        let tangents = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v)));
        let tangents: Vec<ValueId> = tangents.map(|v| self.tangent(v)).collect::<Result<_>>()?;
        let (def, mut operands) = self.control_operands(op, b)?;
        operands.extend(&tangents);
        let mut attrs = data.attrs.clone();
        attrs.retain(|(name, _)| !is_while || ["max_iters", stage::ASCENDING].contains(&name.as_str()));
        let regions: Vec<usize> = if is_while { vec![1] } else { (0..data.regions.len()).collect() };
        let new = b.body.create_op(def, &operands, &types, attrs, regions.len(), data.loc);
        for mark in [stage::RECOMPUTE, stage::SLICE, stage::ROOM, stage::PROMISED] {
            b.body.remove_attr(new, mark);
        }
        if let Some(most) = costs::at_most(src, op).filter(|_| is_while) {
            b.body.set_attr(new, stage::AT_MOST, Attr::i64(most));
        }
        b.body.insert_op(new, b.block, b.before);
        for (n, &k) in regions.iter().enumerate() {
            let Some(block) = src.region_block(op, k) else { continue };
            let new_region = b.body.op(new).regions[n];
            let count = (is_while || scf::For::is(src, op)).then(|| operands[1]);
            self.linear_region(&Region { op, k, block, count }, new_region, b)?;
        }
        let overrun = promised(src, op).map(|most| is_more(b, operands[1], most));
        for (i, &r) in results.iter().enumerate() {
            let value = b.body.result(new, i);
            let value = overrun.map_or(value, |overrun| or_nan(b, overrun, value));
            self.keep(b, r, value);
        }
        Ok(())
    }

    /// The op that a linear counterpart is, and its operands but for tangents: the bounds of a
    /// loop, or the condition.
    fn control_operands(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<(&'static OpDef, Vec<ValueId>)> {
        let data = self.src.op(op);
        if !scf::While::is(self.src, op) {
            let primal = data.operands.iter().copied().filter(|&v| !is_tangent(self.src.ty(v)));
            let count = if scf::For::is(self.src, op) { 3 } else { 1 };
            return Ok((data.def, primal.take(count).map(|v| self.read(v)).collect::<Result<_>>()?));
        }
        // A while has run by now: its counterpart counts to the trip count.
        let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
        let count = self.trip_count(op, b)?;
        Ok((scf::For::DEF, vec![zero, count, one]))
    }

    /// How often a while has run.
    #[mutant(Site::UnzipTripCount => Ok(moved_by(b, self.read_slot(op, 0)?, -1)))]
    fn trip_count(&self, op: OpId, b: &mut Builder<'_>) -> Result<ValueId> {
        self.read_slot(op, 0)
    }

    /// One region of a linear counterpart.
    fn linear_region(&mut self, region: &Region, new_region: RegionId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let &Region { op, block, .. } = region;
        let loc = src.loc(op);
        let carried: Vec<ValueId> = src.args(block).iter().copied().filter(|&a| is_tangent(src.ty(a))).collect();
        let counter = region.count.map(|_| Type::index());
        let arg_types: Vec<Type> = counter.into_iter().chain(carried.iter().map(|&a| src.ty(a))).collect();
        let new_block = b.body.add_block(new_region, &arg_types);
        let args = b.body.args(new_block).to_vec();
        if let Some(old) = region.counter(src) {
            b.body.set_hint(args[0], src.value(old).hint);
            self.access.insert(Key::Value(old), args[0]);
        }
        for (&a, &value) in carried.iter().zip(&args[counter.is_some() as usize..]) {
            self.keep(b, a, value);
        }
        let mut inner = Builder::at_end(b.body, new_block, loc);
        if region.count.is_some() {
            self.states_from_counter(region, args[0], &mut inner)?;
        }
        self.read_residuals(region, args.first().copied(), &mut inner)?;
        self.linear_block(block, &mut inner)?;
        let end = src.terminator(block);
        let end = end.ok_or_else(|| Diagnostic::invalid_ir(loc, "a region without a terminator"))?;
        let yielded = self.yielded_tangents(end)?;
        inner.loc = src.loc(end);
        inner.create(scf::Yield::DEF, &yielded, &[], &[], 0);
        Ok(())
    }

    /// The loop state that is not stored: what follows from the number `k` of the iteration, what
    /// steps that are undone give, and what steps give that run again.
    fn states_from_counter(&mut self, region: &Region, k: ValueId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let &Region { op, block, .. } = region;
        for &arg in src.args(block).iter().filter(|&&a| self.needs.is_needed(a)) {
            let value = if let Some(moves) = induction::of(src, arg) {
                let outer: FxHashMap<ValueId, ValueId> =
                    moves.reads().map(|v| Ok((v, self.read(v)?))).collect::<Result<_>>()?;
                moves.build(b, k, src.ty(arg), &|v| outer[&v])
            } else if let Some(undo) = undo::of(src, arg) {
                // Of a `for` also the counter; a `while` has none that a step could follow from.
                let mut reads: Vec<_> = region.counter(src).map(|old| (old, k)).into_iter().collect();
                for v in undo.reads(src) {
                    reads.push((v, self.read(v)?));
                }
                undone(src, b, &undo, &reads)
            } else {
                continue;
            };
            b.body.set_hint(value, src.value(arg).hint);
            self.access.insert(Key::Value(arg), value);
        }
        if let Some((slots, states)) = slice::marked(src, op)
            && states.iter().any(|&s| self.needs.is_needed(s))
        {
            self.steps_again(op, &states, slots, region.counter(src), b)?;
        }
        Ok(())
    }

    /// A residual of a region; in a loop of so many iterations that of one of them.
    #[mutant(Site::UnzipBranchResidual if in_loop.is_none() && (e.ty.is_scalar() || e.ty.is_vector()) => Ok(arith::zero(b, e.ty)))]
    fn residual(
        &self,
        region: &Region,
        e: &Export,
        in_loop: Option<(ValueId, ValueId)>,
        b: &mut Builder<'_>,
    ) -> Result<ValueId> {
        let stored = self.stored(region, e)?;
        Ok(match in_loop {
            Some(iteration) if !e.once => element(b, stored, iteration, e.ty),
            _ => stored,
        })
    }

    /// What the primal half stored for a residual.
    #[mutant(Site::UnzipOneSlot => self.read_slot(region.op, self.first_slot(region, e)))]
    fn stored(&self, region: &Region, e: &Export) -> Result<ValueId> {
        self.read_slot(region.op, e.slot)
    }

    /// The mistake of telling residuals apart by their types.
    fn first_slot(&self, region: &Region, e: &Export) -> usize {
        let mut all = self.exports.get(&region.op).into_iter().flatten();
        all.find(|o| o.region == region.k && o.ty == e.ty).map_or(e.slot, |first| first.slot)
    }

    /// What the primal half stored in this region: in a loop the element of iteration `k`, unless
    /// it was stored once.
    fn read_residuals(&mut self, region: &Region, k: Option<ValueId>, b: &mut Builder<'_>) -> Result<()> {
        let exports = self.exports.get(&region.op).cloned().unwrap_or_default();
        let here = || exports.iter().filter(|e| e.region == region.k);
        let in_loop = region.count.zip(k);
        for e in here() {
            let value = self.residual(region, e, in_loop, b)?;
            if let Key::Value(v) = e.key
                && in_loop.is_some()
            {
                b.body.set_hint(value, self.src.value(v).hint);
            }
            self.access.insert(e.key, value);
        }
        Ok(())
    }
}

/// A region whose linear counterpart is built.
struct Region {
    op: OpId,
    /// Its number in the op, and its block.
    k: usize,
    block: BlockId,
    /// Of a loop: how often it runs, in the new code.
    count: Option<ValueId>,
}

impl Region {
    /// The counter of a `for`.
    fn counter(&self, src: &Body) -> Option<ValueId> {
        scf::For::is(src, self.op).then(|| src.args(self.block)[0])
    }
}
