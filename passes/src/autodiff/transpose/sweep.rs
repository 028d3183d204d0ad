//! Loops, transposed: reverse sweeps.
//!
//! The sweep carries the cotangents of what the loop carried, for every tangent from outside that
//! the body reads the sum of its cotangents, and reached flags of these sums where it depends on
//! the iterations if they are zero.

use super::Transposer;
use crate::analysis::stage;
use crate::autodiff::meet;
use crate::autodiff::zero_masks::{CotangentId, SweepMasks};
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::carried;
use caustic_dialects::{arith, scf};
use caustic_ir::{Attrs, BlockId, Body, Builder, Diagnostic, OpId, Result, Type, ValueId};

/// A loop whose reverse sweep is wanted.
pub(super) struct Sweep<'a> {
    /// The loop, and which of its regions steps the tangents.
    pub op: OpId,
    pub region: usize,
    /// Bounds and step of the sweep's counter, and the attributes of the new loop.
    pub bounds: [ValueId; 3],
    pub attrs: Attrs,
    /// Whether it begins with the first iteration.
    pub ascending: bool,
    /// Primal values that the sweep carries, too, as they are before its first iteration.
    pub extra: &'a [ValueId],
}

/// Is asked at the head of each iteration of a sweep, with the number of the loop's iteration and
/// the current extra values, for the next ones. It binds what the region reads.
pub(super) type Step<'a, 't> =
    dyn FnMut(&mut Transposer<'t>, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<Vec<ValueId>> + 'a;

/// The block of a loop that steps the tangents.
struct Stepping<'m> {
    block: BlockId,
    /// The tangents among the block's arguments, one for each result of the loop.
    args: Vec<ValueId>,
    masks: &'m SweepMasks,
    /// Cotangents of captured tangents before the sweep.
    before: Vec<Option<ValueId>>,
}

/// The new loop of a sweep, and what its block takes after the counter.
struct NewLoop {
    op: OpId,
    block: BlockId,
    /// Cotangents of carried tangents, sums for captured ones, reached flags of sums, and extra
    /// values.
    carried: Vec<ValueId>,
    sums: Vec<ValueId>,
    flags: Vec<ValueId>,
    extra: Vec<ValueId>,
}

impl<'t> Transposer<'t> {
    /// t(k+1) = L_k(t(k), c) becomes a loop with k counting down that carries t̄, the sums of c̄,
    /// and reached flags; up, if L_k only adds to t(k).
    pub(super) fn loop_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let bounds: Vec<ValueId> = carried::bounds(self.src, op).iter().map(|&v| self.primal.get(v)).collect();
        let src = self.src;
        let ascending = is_ascending(src, op);
        let mut attrs = src.op(op).attrs.clone();
        attrs.retain(|(name, _)| *name != stage::ASCENDING);
        let body = src.region_block(op, 0).map(|block| src.block_ops(block)).unwrap_or_default();
        let undone: Vec<OpId> = body.iter().copied().filter(|&o| ad::Undo::is(src, o)).collect();
        let mut extra: Vec<ValueId> = undone.iter().map(|&o| self.primal.get(src.operand(o, 0))).collect();
        // What runs again, and where what is carried for it begins.
        let mut again: Vec<(OpId, usize)> = Vec::new();
        for op in body.into_iter().filter(|&o| ad::Again::is(src, o)) {
            again.push((op, extra.len()));
            extra.extend(self.again_kept(op, ascending, b));
        }
        let bounds = [bounds[0], bounds[1], bounds[2]];
        let sweep = Sweep { op, region: 0, bounds, attrs, ascending, extra: &extra };
        self.sweep(&sweep, b, &mut |t, b, k, extra| {
            let mut next: Vec<ValueId> =
                undone.iter().zip(extra).map(|(&o, &after)| t.undo(o, after, b)).collect::<Result<_>>()?;
            for (i, &(op, from)) in again.iter().enumerate() {
                let to = again.get(i + 1).map_or(extra.len(), |(_, next)| *next);
                next.extend(t.again(op, ascending, b, k, &extra[from..to])?);
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

    /// The reverse sweep of a loop. It is left out where no cotangent comes in, since then none
    /// arises.
    pub(super) fn sweep(&mut self, sweep: &Sweep<'_>, b: &mut Builder<'_>, step: &mut Step<'_, 't>) -> Result<()> {
        if !self.src.results(sweep.op).iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        self.skipping(sweep.op, b, &mut |t, b| t.open_sweep(sweep, b, step))
    }

    /// The sweep without a branch around.
    fn open_sweep(&mut self, sweep: &Sweep<'_>, b: &mut Builder<'_>, step: &mut Step<'_, 't>) -> Result<()> {
        let src = self.src;
        let data = src.op(sweep.op);
        let masks = self.masks.sweep(src, sweep.op)?;
        let bad = |text: &str| Diagnostic::invalid_ir(data.loc, text);
        let block = src.region_block(sweep.op, sweep.region).ok_or_else(|| bad("a loop without a body"))?;
        let end = src.terminator(block).ok_or_else(|| bad("a region without a terminator"))?;
        let args: Vec<ValueId> = src.args(block).iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        self.apply_all(b, &data.results)?;
        self.apply_all(b, &masks.captured)?;
        let before = masks.captured.iter().map(|v| self.cotangents.get(v).map(|c| c.value)).collect();
        let stepping = Stepping { block, args, masks, before };
        let new = self.build_loop(sweep, masks, b)?;
        let mut inner = Builder::at_end(b.body, new.block, b.loc);
        let counter = self.begin_iteration(sweep, &stepping, &new, &mut inner)?;
        let next_extra = step(self, &mut inner, counter, &new.extra)?;
        for (i, (&v, &c)) in src.operands(end).iter().zip(&new.carried).enumerate() {
            self.flow(&mut inner, (end, i), v, c)?;
        }
        self.block(block, &mut inner)?;
        self.end_iteration(&stepping, &next_extra, &mut inner)?;
        self.flow_from_sweep(sweep, &stepping, &new, b)
    }

    /// The loop of a sweep, with an empty block.
    fn build_loop(&mut self, sweep: &Sweep<'_>, masks: &SweepMasks, b: &mut Builder<'_>) -> Result<NewLoop> {
        let results = &self.src.op(sweep.op).results;
        let mut inits: Vec<ValueId> = results.iter().chain(&masks.captured).map(|&v| self.or_zero(b, v)).collect();
        for &mask in masks.flagged(&masks.before) {
            inits.push(self.reached(b, mask)?.flag(b));
        }
        inits.extend(sweep.extra);
        let types: Vec<Type> = inits.iter().map(|&v| b.ty(v)).collect();
        let mut operands = bounds(b, sweep);
        operands.extend(&inits);
        let op = b.body.create_op(scf::For::DEF, &operands, &types, meet::mark(sweep.attrs.clone()), 1, b.loc);
        b.body.insert_op(op, b.block, b.before);
        let mut arg_types = vec![Type::index()];
        arg_types.extend(&types);
        let region = b.body.op(op).regions[0];
        let block = b.body.add_block(region, &arg_types);
        let mut args = b.body.args(block)[1..].iter().copied();
        let mut next = |n: usize| args.by_ref().take(n).collect::<Vec<_>>();
        let (carried, sums) = (next(results.len()), next(masks.captured.len()));
        let (flags, extra) = (next(masks.flags.iter().flatten().count()), next(sweep.extra.len()));
        for (&v, &c) in self.src.results(sweep.op).iter().zip(&carried) {
            self.named(v, c, b);
        }
        Ok(NewLoop { op, block, carried, sums, flags, extra })
    }

    /// Binds what an iteration of the sweep begins with; the number of the loop's iteration that it
    /// sweeps over.
    fn begin_iteration(
        &mut self,
        sweep: &Sweep<'_>,
        stepping: &Stepping<'_>,
        new: &NewLoop,
        b: &mut Builder<'_>,
    ) -> Result<ValueId> {
        let (src, masks) = (self.src, stepping.masks);
        let k = b.body.args(new.block)[0];
        let counter = if sweep.ascending { k } else { from_the_end(b, sweep.bounds[1], k) };
        let index = src.args(stepping.block)[0];
        b.body.set_hint(counter, src.value(index).hint);
        self.primal.insert(index, counter);
        self.conditions.extend(masks.flags.iter().flatten().copied().zip(new.flags.iter().copied()));
        self.begin_captured(masks, &new.sums, b)?;
        self.forget(&stepping.args);
        Ok(counter)
    }

    /// What an iteration begins with flows to what the loop reads from outside.
    #[mutant(Site::TransposeCaptured => { self.forget(&masks.captured); Ok(()) })]
    fn begin_captured(&mut self, masks: &SweepMasks, sums: &[ValueId], b: &mut Builder<'_>) -> Result<()> {
        self.set_all(b, &masks.captured, sums, &masks.sums)
    }

    fn forget(&mut self, values: &[ValueId]) {
        for v in values {
            self.cotangents.remove(v);
        }
    }

    /// The cotangents of values, and what is known of them.
    fn set_all(
        &mut self,
        b: &mut Builder<'_>,
        values: &[ValueId],
        cotangents: &[ValueId],
        known: &[CotangentId],
    ) -> Result<()> {
        for ((&v, &c), &id) in values.iter().zip(cotangents).zip(known) {
            let current = self.current(b, c, id)?;
            self.named(v, c, b);
            self.cotangents.insert(v, current);
        }
        Ok(())
    }

    /// Ends the sweep's block.
    fn end_iteration(&mut self, stepping: &Stepping<'_>, next_extra: &[ValueId], b: &mut Builder<'_>) -> Result<()> {
        let &Stepping { ref args, masks, .. } = stepping;
        self.apply_all(b, args)?;
        self.apply_all(b, &masks.captured)?;
        let mut yielded = self.passed_on(args, b);
        yielded.extend(masks.captured.iter().map(|&v| self.or_zero(b, v)));
        for &mask in masks.flagged(&masks.ends) {
            yielded.push(self.reached(b, mask)?.flag(b));
        }
        yielded.extend(next_extra);
        scf::Yield::build(b, &yielded, &[]);
        Ok(())
    }

    /// The cotangents that an iteration passes on to the one before it.
    #[mutant(Site::TransposeCarried => args.iter().map(|&v| ad::TZero::build(b, self.src.ty(v), &[])).collect())]
    fn passed_on(&self, args: &[ValueId], b: &mut Builder<'_>) -> Vec<ValueId> {
        args.iter().map(|&v| self.or_zero(b, v)).collect()
    }

    /// The cotangents that the sweep gives become those of what the loop read.
    fn flow_from_sweep(
        &mut self,
        sweep: &Sweep<'_>,
        stepping: &Stepping<'_>,
        new: &NewLoop,
        b: &mut Builder<'_>,
    ) -> Result<()> {
        let masks = stepping.masks;
        let results = b.body.results(new.op).to_vec();
        let (carried, rest) = results.split_at(new.carried.len());
        let (sums, flags) = rest.split_at(new.sums.len());
        let after = masks.flagged(&masks.flags_after).zip(flags);
        self.conditions.extend(after.filter_map(|(id, &flag)| Some(((*id)?, flag))));
        self.end_captured(sweep, stepping, sums, b)?;
        self.flow_to_inits(sweep, carried, b)
    }

    /// What the sweep has summed up has flowed to what the loop reads from outside.
    #[mutant(Site::TransposeCapturedTwice if self.is_in_loop(sweep.op) => self.end_captured_twice(stepping, sums, b))]
    fn end_captured(
        &mut self,
        sweep: &Sweep<'_>,
        stepping: &Stepping<'_>,
        sums: &[ValueId],
        b: &mut Builder<'_>,
    ) -> Result<()> {
        self.set_all(b, &stepping.masks.captured, sums, &stepping.masks.sums_after)
    }

    /// The mistake of adding what flowed to it before once more.
    fn end_captured_twice(&mut self, stepping: &Stepping<'_>, sums: &[ValueId], b: &mut Builder<'_>) -> Result<()> {
        let masks = stepping.masks;
        self.set_all(b, &masks.captured, sums, &masks.sums_after)?;
        for (v, &before) in masks.captured.iter().zip(&stepping.before) {
            let (Some(c), Some(before)) = (self.cotangents.get_mut(v), before) else { continue };
            c.value = ad::TAdd::build(b, c.value, before, &[]);
        }
        Ok(())
    }

    fn is_in_loop(&self, op: OpId) -> bool {
        let outer = self.src.op(op).block.and_then(|outer| self.src.parent_op(outer));
        outer.is_some_and(|p| scf::For::is(self.src, p))
    }

    #[mutant(Site::TransposeInit => Ok(()))]
    fn flow_to_inits(&mut self, sweep: &Sweep<'_>, carried: &[ValueId], b: &mut Builder<'_>) -> Result<()> {
        let (src, data) = (self.src, self.src.op(sweep.op));
        let inits = (0..data.operands.len()).filter(|&i| is_tangent(src.ty(data.operands[i])));
        for (i, &c) in inits.zip(carried) {
            self.flow(b, (sweep.op, i), data.operands[i], c)?;
        }
        Ok(())
    }
}

/// Whether the sweep of a loop of linear code begins with the first iteration.
pub(super) fn is_ascending(src: &Body, op: OpId) -> bool {
    src.attr(op, stage::ASCENDING).is_some()
}

/// The bounds of a sweep's loop.
#[mutant(Site::TransposeIterations => shortened(b, sweep))]
fn bounds(b: &mut Builder<'_>, sweep: &Sweep<'_>) -> Vec<ValueId> {
    sweep.bounds.to_vec()
}

/// The mistake of leaving an iteration out.
fn shortened(b: &mut Builder<'_>, sweep: &Sweep<'_>) -> Vec<ValueId> {
    let upper = arith::SubI::build(b, sweep.bounds[1], sweep.bounds[2], &[]);
    vec![sweep.bounds[0], upper, sweep.bounds[2]]
}

/// Normalized loops count from 0 by 1, so iteration n - 1 - k is the k-th from the end.
#[mutant(Site::TransposeCounter => k)]
fn from_the_end(b: &mut Builder<'_>, count: ValueId, k: ValueId) -> ValueId {
    let one = arith::index(b, 1);
    let last = arith::SubI::build(b, count, one, &[]);
    arith::SubI::build(b, last, k, &[])
}
