//! Loops: what is known of the cotangents that their reverse sweeps carry and give.

use super::known::{Known, Parts};
use super::regions::is_kept_alive;
use super::{Analysis, Condition, Mask, SweepMasks};
use caustic_dialects::ad::{is_tangent, strip_tangent};
use caustic_dialects::arith;
use caustic_ir::{Diagnostic, OpId, Result, ValueId};

impl Analysis<'_> {
    /// A loop of `count` iterations whose region of this number steps the tangents.
    pub(super) fn sweep(&mut self, op: OpId, region: usize, count: ValueId) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.now.contains_key(r)) {
            return Ok(());
        }
        if data.regions.iter().any(|&r| src.walk(r).into_iter().any(|o| is_kept_alive(src, o))) {
            return self.open_sweep(op, region, count);
        }
        let mut reads: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        reads.extend(self.captured(op));
        self.skip(op, &reads, &mut |t| t.open_sweep(op, region, count))
    }

    /// The sweep without a branch around.
    fn open_sweep(&mut self, op: OpId, region: usize, bound: ValueId) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let bad = |text: &str| Diagnostic::invalid_ir(data.loc, text);
        let block = src.region_block(op, region).ok_or_else(|| bad("a loop without a body"))?;
        let end = src.terminator(block).ok_or_else(|| bad("a region without a terminator"))?;
        let args: Vec<ValueId> = src.args(block).iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let captured = self.captured(op);
        let count = arith::constant_of(src, bound).and_then(|a| a.as_int());
        data.results.iter().chain(&captured).for_each(|&v| self.apply(v));
        let before: Vec<Mask> = captured.iter().map(|&v| self.reached(v)).collect();
        let mut stays_dense = Vec::new();
        for ((&r, &next), &arg) in data.results.iter().zip(src.operands(end)).zip(&args) {
            let dense = self.now(r).is_some_and(|id| self.known(id).is_dense());
            stays_dense.push(dense && self.passes_all_parts(arg, next));
            let write = self.written_once(arg, next, block, count).filter(|_| dense);
            self.dense_writes.extend(write);
        }
        let dense_before: Vec<Parts> = captured.iter().map(|&v| self.known_now(v).dense).collect();

        // An iteration.
        let carry = |t: &mut Self| -> Vec<_> {
            let known = stays_dense.iter().map(|&stays| if stays { Known::dense() } else { Known::none() });
            known.map(|known| t.new_cotangent(None, known)).collect()
        };
        let (mut sums, mut flags) = (Vec::new(), Vec::new());
        for ((&v, mask), dense) in captured.iter().zip(&before).zip(&dense_before) {
            let flag = (*mask != Mask::Dense).then(|| self.masks.predicates.scalar(Condition::Flag));
            let sum = self.new_cotangent(flag, dense.clone().into());
            self.now.insert(v, sum);
            sums.push(sum);
            flags.push(flag.map(|f| f.condition));
        }
        for arg in &args {
            self.now.remove(arg);
        }
        let carried = carry(self);
        for (i, (&v, &c)) in src.operands(end).iter().zip(&carried).enumerate() {
            self.flow((end, i), v, c);
        }
        self.block(block)?;
        args.iter().chain(&captured).for_each(|&v| self.apply(v));
        let ends: Vec<Mask> = captured.iter().map(|&v| self.reached(v)).collect();

        // After the sweep. What no iteration leaves out is dense: it was reached if there was an
        // iteration, or before.
        let carried_after = carry(self);
        let (mut sums_after, mut flags_after) = (Vec::new(), Vec::new());
        let runs = count.is_some_and(|n| n > 0);
        for (i, &v) in captured.iter().enumerate() {
            let all = self.reaches_all(v, block, count);
            let here = || self.known_now(v).dense.both(strip_tangent(src.ty(v)), &dense_before[i]);
            let dense = if all { Parts::whole() } else { here() };
            let mut flag = None;
            let predicate = match (ends[i], before[i]) {
                (_, Mask::Dense) => None,
                (Mask::Dense, _) if runs => None,
                // Every iteration reaches it: it is enough that there was one.
                (Mask::Dense, before) => {
                    let ran = self.masks.predicates.scalar(Condition::Runs(bound));
                    if let Mask::Masked(p) = before { self.or(p, ran) } else { Some(ran) }
                }
                _ => {
                    let reached = self.masks.predicates.scalar(Condition::Flag);
                    flag = Some(reached.condition);
                    Some(reached)
                }
            };
            sums_after.push(self.new_cotangent(predicate, dense.into()));
            flags_after.push(flag);
        }
        self.now.extend(captured.iter().copied().zip(sums_after.iter().copied()));
        let inits: Vec<usize> = (0..data.operands.len()).filter(|&i| is_tangent(src.ty(data.operands[i]))).collect();
        for (&i, &c) in inits.iter().zip(&carried_after) {
            self.flow((op, i), data.operands[i], c);
        }
        let sweep = SweepMasks { captured, before, ends, sums, sums_after, flags, flags_after };
        self.masks.sweeps.insert(op, sweep);
        Ok(())
    }
}
