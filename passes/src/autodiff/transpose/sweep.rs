//! Loops, transposed: reverse sweeps.
//!
//! The sweep carries the cotangents of what the loop carried, for every tangent from outside that the body reads the
//! sum of its cotangents, and reached flags of these sums where it depends on the iterations if they are zero.

use super::Transposer;
use super::dense::DenseParts;
use crate::autodiff::gates::{Gate, Reached};
use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::{arith, scf};
use caustic_ir::{Attrs, BlockId, Builder, Diagnostic, OpId, Result, Type, ValueId};

/// A loop whose reverse sweep is wanted.
pub(super) struct Sweep<'a> {
    /// The loop, and which of its regions steps the tangents.
    pub op: OpId,
    pub region: usize,
    /// Bounds and step of the sweep's counter, and the attributes of the new loop.
    pub bounds: [ValueId; 3],
    pub attrs: Attrs,
    /// Primal values that the sweep carries, too, as they are before its first iteration.
    pub extra: &'a [ValueId],
}

/// Is asked at the head of each iteration of a sweep, with the number of the loop's iteration and the current extra
/// values, for the next ones. It binds what the region reads.
pub(super) type Step<'a, 't> =
    dyn FnMut(&mut Transposer<'t>, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<Vec<ValueId>> + 'a;

/// What is known of a loop before its sweep is built.
struct Plan {
    /// The block that steps the tangents, and its terminator.
    block: BlockId,
    end: OpId,
    /// The tangents among the block's arguments, one for each result of the loop.
    args: Vec<ValueId>,
    /// Tangents from outside that the block reads.
    captured: Vec<ValueId>,
    /// Captured tangents, by number, whose cotangent may be an exact zero before the loop, and when it is none.
    flagged: Vec<(usize, Reached)>,
    /// Of each result: whether its cotangent is dense after the loop and each iteration passes it on as a whole.
    stays_dense: Vec<bool>,
    /// The dense parts of the cotangent of each captured tangent, as it is before the sweep.
    dense_before: Vec<DenseParts>,
    /// Cotangents of captured tangents before the sweep.
    before: Vec<(ValueId, ValueId)>,
    /// The trip count, if it is a constant.
    count: Option<i64>,
}

/// The new loop of a sweep, and what its block takes after the counter.
struct NewLoop {
    op: OpId,
    block: BlockId,
    /// Cotangents of carried tangents, sums for captured ones, reached flags of sums, and extra values.
    carried: Vec<ValueId>,
    sums: Vec<ValueId>,
    flags: Vec<ValueId>,
    extra: Vec<ValueId>,
}

/// What is known of the sums at the end of an iteration.
struct IterationEnd {
    /// The dense parts of each sum after the sweep, where its gate is open.
    dense: Vec<DenseParts>,
    /// Of each flagged one: whether it was reached.
    reached: Vec<Reached>,
}

impl<'t> Transposer<'t> {
    /// t(k+1) = L_k(t(k), c) becomes a loop with k counting down that carries t̄, the sums of c̄, and reached flags.
    pub(super) fn loop_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let bounds: Vec<ValueId> = self.src.operands(op)[..3].iter().map(|&v| self.primal.get(v)).collect();
        let attrs = self.src.op(op).attrs.clone();
        let src = self.src;
        let body = src.region_block(op, 0).map(|block| src.block_ops(block)).unwrap_or_default();
        let undone: Vec<OpId> = body.iter().copied().filter(|&o| ad::Undo::is(src, o)).collect();
        let mut extra: Vec<ValueId> = undone.iter().map(|&o| self.primal.get(src.operand(o, 0))).collect();
        // What runs again, and where what is carried for it begins.
        let mut again: Vec<(OpId, usize)> = Vec::new();
        for op in body.into_iter().filter(|&o| ad::Again::is(src, o)) {
            again.push((op, extra.len()));
            extra.extend(self.again_kept(op, b));
        }
        let sweep = Sweep { op, region: 0, bounds: [bounds[0], bounds[1], bounds[2]], attrs, extra: &extra };
        self.sweep(&sweep, b, &mut |t, b, k, extra| {
            let mut next: Vec<ValueId> =
                undone.iter().zip(extra).map(|(&o, &after)| t.undo(o, after, b)).collect::<Result<_>>()?;
            for (i, &(op, from)) in again.iter().enumerate() {
                let to = again.get(i + 1).map_or(extra.len(), |(_, next)| *next);
                next.extend(t.again(op, b, k, &extra[from..to])?);
            }
            Ok(next)
        })
    }

    /// The state before an iteration, from that after it.
    fn undo(&mut self, op: OpId, after: ValueId, b: &mut Builder<'_>) -> Result<ValueId> {
        let src = self.src;
        let bad = || Diagnostic::invalid_ir(src.loc(op), "state that is undone by nothing");
        let block = src.region_block(op, 0).ok_or_else(bad)?;
        let end = src.terminator(block).ok_or_else(bad)?;
        self.primal.insert(*src.args(block).first().ok_or_else(bad)?, after);
        for step in src.block_ops(block).into_iter().filter(|&o| o != end) {
            self.primal.clone_op(src, step, b);
        }
        let before = self.primal.get(*src.operands(end).first().ok_or_else(bad)?);
        self.primal.insert(src.result(op, 0), before);
        Ok(before)
    }

    /// The reverse sweep of a loop. It is left out where no cotangent comes in, since then none arises.
    pub(super) fn sweep(&mut self, sweep: &Sweep<'_>, b: &mut Builder<'_>, step: &mut Step<'_, 't>) -> Result<()> {
        let src = self.src;
        let data = src.op(sweep.op);
        if !data.results.iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        if data.regions.iter().any(|&r| src.walk(r).into_iter().any(|o| self.is_kept_alive(o))) {
            return self.open_sweep(sweep, b, step);
        }
        let Some(gate) = self.skip_gate(b, &data.results) else {
            return self.open_sweep(sweep, b, step);
        };
        let mut reads: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        reads.extend(self.captured(sweep.op));
        self.guarded(gate, &data.results, &reads, b, &mut |t, b| t.open_sweep(sweep, b, step))
    }

    /// The sweep without a branch around.
    fn open_sweep(&mut self, sweep: &Sweep<'_>, b: &mut Builder<'_>, step: &mut Step<'_, 't>) -> Result<()> {
        let plan = self.plan_sweep(sweep, b)?;
        let new = self.build_loop(sweep, &plan, b);
        let mut inner = Builder::at_end(b.body, new.block, b.loc);
        let counter = self.begin_iteration(sweep, &plan, &new, &mut inner);
        let next_extra = step(self, &mut inner, counter, &new.extra)?;
        for (&v, &c) in self.src.operands(plan.end).iter().zip(&new.carried) {
            self.flow(&mut inner, v, c, None);
        }
        self.block(plan.block, &mut inner)?;
        let end = self.end_iteration(&plan, &next_extra, &mut inner);
        self.flow_from_sweep(sweep, &plan, &new, end, b);
        Ok(())
    }

    /// Finds what a sweep carries and what is known of it before; applies pending gates of all that goes in.
    fn plan_sweep(&mut self, sweep: &Sweep<'_>, b: &mut Builder<'_>) -> Result<Plan> {
        let src = self.src;
        let data = src.op(sweep.op);
        let bad = |text: &str| Diagnostic::invalid_ir(data.loc, text);
        let block = src.region_block(sweep.op, sweep.region).ok_or_else(|| bad("a loop without a body"))?;
        let end = src.terminator(block).ok_or_else(|| bad("a region without a terminator"))?;
        let args: Vec<ValueId> = src.args(block).iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let captured = self.captured(sweep.op);
        data.results.iter().chain(&captured).for_each(|&v| self.apply_gate(b, v));
        let flagged = captured.iter().map(|&v| self.reached(b, v)).enumerate();
        let flagged = flagged.filter(|(_, r)| *r != Reached::Always).collect();
        let before = captured.iter().filter_map(|v| Some((*v, *self.cotangents.get(v)?))).collect();
        let is_dense = |t: &Self, r: ValueId| t.cotangents.get(&r).is_some_and(|&c| t.is_dense(c));
        let count = arith::constant_of(b.body, sweep.bounds[1]).and_then(|a| a.as_int());
        let mut stays_dense = Vec::new();
        for ((&r, &next), &arg) in data.results.iter().zip(src.operands(end)).zip(&args) {
            let dense = is_dense(self, r);
            stays_dense.push(dense && self.passes_all_parts(arg, next));
            let write = self.written_once(arg, next, block, count).filter(|_| dense);
            self.dense_writes.extend(write);
        }
        let dense_at_end =
            |v| self.cotangents.get(v).map_or_else(DenseParts::whole, |&c| self.dense_parts_at_end(b, c));
        let dense_before = captured.iter().map(dense_at_end).collect();
        Ok(Plan { block, end, args, captured, flagged, stays_dense, dense_before, before, count })
    }

    /// The loop of a sweep, with an empty block.
    fn build_loop(&mut self, sweep: &Sweep<'_>, plan: &Plan, b: &mut Builder<'_>) -> NewLoop {
        let results = &self.src.op(sweep.op).results;
        let mut inits: Vec<ValueId> = results.iter().chain(&plan.captured).map(|&v| self.or_zero(b, v)).collect();
        inits.extend(plan.flagged.iter().map(|&(_, r)| r.flag(b)).collect::<Vec<_>>());
        inits.extend(sweep.extra);
        let types: Vec<Type> = inits.iter().map(|&v| b.ty(v)).collect();
        let mut operands = sweep.bounds.to_vec();
        if mutants::on(Site::TransposeIterations) {
            operands[1] = arith::SubI::build(b, sweep.bounds[1], sweep.bounds[2], &[]);
        }
        operands.extend(&inits);
        let op = b.body.create_op(scf::For::DEF, &operands, &types, sweep.attrs.clone(), 1, b.loc);
        b.body.insert_op(op, b.block, b.before);
        let mut arg_types = vec![Type::index()];
        arg_types.extend(&types);
        let region = b.body.op(op).regions[0];
        let block = b.body.add_block(region, &arg_types);
        let mut args = b.body.args(block)[1..].iter().copied();
        let mut next = |n: usize| args.by_ref().take(n).collect::<Vec<_>>();
        let (carried, sums) = (next(results.len()), next(plan.captured.len()));
        let (flags, extra) = (next(plan.flagged.len()), next(sweep.extra.len()));
        NewLoop { op, block, carried, sums, flags, extra }
    }

    /// Binds what an iteration of the sweep begins with; the number of the loop's iteration that it sweeps over.
    fn begin_iteration(&mut self, sweep: &Sweep<'_>, plan: &Plan, new: &NewLoop, b: &mut Builder<'_>) -> ValueId {
        let src = self.src;
        // Normalized loops count from 0 by 1, so iteration n - 1 - k is the k-th from the end.
        let one = arith::index(b, 1);
        let last = arith::SubI::build(b, sweep.bounds[1], one, &[]);
        let k = b.body.args(new.block)[0];
        let counter = if mutants::on(Site::TransposeCounter) { k } else { arith::SubI::build(b, last, k, &[]) };
        let index = src.args(plan.block)[0];
        b.body.set_hint(counter, src.value(index).hint);
        self.primal.insert(index, counter);
        for (&v, &sum) in plan.captured.iter().zip(&new.sums) {
            self.cotangents.insert(v, sum);
            if mutants::on(Site::TransposeCaptured) {
                self.cotangents.remove(&v);
            }
        }
        for (&(i, _), &flag) in plan.flagged.iter().zip(&new.flags) {
            self.gates.insert(new.sums[i], Gate::when(flag));
        }
        for arg in &plan.args {
            self.cotangents.remove(arg);
        }
        self.note_carried(plan, &new.carried);
        for (&sum, dense) in new.sums.iter().zip(&plan.dense_before) {
            self.set_dense_parts(sum, dense.clone());
        }
        counter
    }

    /// Of cotangents that the sweep carries, in its block or after it: those that do not stay dense.
    fn note_carried(&mut self, plan: &Plan, cotangents: &[ValueId]) {
        for (&c, _) in cotangents.iter().zip(&plan.stays_dense).filter(|(_, dense)| !**dense) {
            self.set_dense_parts(c, DenseParts::none());
        }
    }

    /// Ends the sweep's block.
    fn end_iteration(&mut self, plan: &Plan, next_extra: &[ValueId], b: &mut Builder<'_>) -> IterationEnd {
        let src = self.src;
        plan.args.iter().chain(&plan.captured).for_each(|&v| self.apply_gate(b, v));
        // What no iteration leaves out is dense after the sweep: its gate is open if there was an iteration, or before.
        let mut dense = Vec::new();
        for (&v, before) in plan.captured.iter().zip(&plan.dense_before) {
            let here = || self.cotangents.get(&v).map_or_else(DenseParts::whole, |&c| self.dense_parts_at_end(b, c));
            let all = self.reaches_all(v, plan.block, plan.count);
            dense.push(if all { DenseParts::whole() } else { here().both(strip_tangent(src.ty(v)), before) });
        }
        let reached: Vec<Reached> = plan.flagged.iter().map(|&(i, _)| self.reached(b, plan.captured[i])).collect();
        if mutants::on(Site::TransposeCarried) {
            plan.args.iter().for_each(|a| {
                self.cotangents.remove(a);
            });
        }
        let mut yielded: Vec<ValueId> = plan.args.iter().chain(&plan.captured).map(|&v| self.or_zero(b, v)).collect();
        yielded.extend(reached.iter().map(|&r| r.flag(b)).collect::<Vec<_>>());
        yielded.extend(next_extra);
        scf::Yield::build(b, &yielded, &[]);
        IterationEnd { dense, reached }
    }

    /// The cotangents that the sweep gives become those of what the loop read, with their gates.
    fn flow_from_sweep(
        &mut self,
        sweep: &Sweep<'_>,
        plan: &Plan,
        new: &NewLoop,
        end: IterationEnd,
        b: &mut Builder<'_>,
    ) {
        let src = self.src;
        let data = src.op(sweep.op);
        let results = b.body.results(new.op).to_vec();
        let (carried, rest) = results.split_at(new.carried.len());
        let (sums, flags) = rest.split_at(new.sums.len());
        for (&v, &sum) in plan.captured.iter().zip(sums) {
            self.cotangents.insert(v, sum);
        }
        self.note_carried(plan, carried);
        for (&sum, dense) in sums.iter().zip(end.dense) {
            self.set_dense_parts(sum, dense);
        }
        let outer = data.block.and_then(|outer| src.parent_op(outer));
        if outer.is_some_and(|p| scf::For::is(src, p)) && mutants::on(Site::TransposeCapturedTwice) {
            plan.before.iter().for_each(|&(v, c)| self.flow(b, v, c, None));
        }
        let runs = plan.count.is_some_and(|n| n > 0);
        for ((&(i, before), reached), &flag) in plan.flagged.iter().zip(end.reached).zip(flags) {
            let gate = match (reached, before) {
                (Reached::Always, _) if runs => None,
                // Every iteration reaches it: it is enough that there was one.
                (Reached::Always, before) => {
                    let zero = arith::index(b, 0);
                    let ran = Gate::when(arith::cmpi(b, arith::IntPredicate::Sgt, sweep.bounds[1], zero));
                    if let Reached::If(g) = before { g.or(b, ran) } else { Some(ran) }
                }
                _ => Some(Gate::when(flag)),
            };
            if let Some(g) = gate {
                self.gates.insert(sums[i], g);
            }
        }
        let inits = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v)));
        let flowing = if mutants::on(Site::TransposeInit) { 0 } else { carried.len() };
        for (init, &c) in inits.zip(carried).take(flowing) {
            self.flow(b, init, c, None);
        }
    }
}
