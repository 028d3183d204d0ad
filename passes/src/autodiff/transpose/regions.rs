//! Calls and branches, transposed; loops are in `sweep`.
//!
//! Where it depends on what happens inside whether a cotangent that leaves an op with regions was
//! reached, the op has a boolean result for it, the *reached flag*; dead code elimination removes
//! those that nobody asks.

use super::{Current, Transposer};
use crate::analysis::stage;
use crate::autodiff::gates::Gate;
use crate::autodiff::zero_masks::{BranchMasks, Guard, Join};
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::scf;
use caustic_ir::{Attr, BlockId, Builder, Diagnostic, OpId, Result, Type, ValueId};

/// Builds the transposed code of an op.
type Run<'r, 't> = dyn FnMut(&mut Transposer<'t>, &mut Builder<'_>) -> Result<()> + 'r;

impl<'t> Transposer<'t> {
    pub(super) fn call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        if !self.src.results(op).iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        self.skipping(op, b, &mut |t, b| t.open_call(op, b))
    }

    /// Calls the backward half, without a branch around.
    fn open_call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let masks = self.masks.call(src, op)?;
        let operands = self.operands_of_backward_call(op, b)?;
        let inputs: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let mut types: Vec<Type> = inputs.iter().map(|&v| src.ty(v)).collect();
        types.extend(stage::flag_types(inputs.iter().map(|&v| strip_tangent(src.ty(v)))));
        let mut attrs: Vec<(&str, Attr)> = data.attrs.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        attrs.extend(stage::form_attrs(masks.form));
        let new = ad::TransposeCall::build(b, &operands, &types, &attrs);
        let results = b.body.results(new).to_vec();
        let (cotangents, flags) = results.split_at(inputs.len());
        self.conditions.extend(masks.flags.iter().copied().zip(flags.iter().copied()));
        for (i, ((&v, &c), parts)) in inputs.iter().zip(cotangents).zip(&masks.given).enumerate() {
            let c = self.masked(b, c, masks.predicate)?;
            for part in parts {
                self.reached(b, part.mask)?;
            }
            self.flow_parts(b, (op, i), v, c)?;
        }
        Ok(())
    }

    /// What a call of a backward half takes: the call's data, the cotangents of its results, and,
    /// where there may be several, their reached flags.
    fn operands_of_backward_call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<Vec<ValueId>> {
        let (src, masks) = (self.src, self.masks.call(self.src, op)?);
        let data = src.op(op);
        self.apply_all(b, &data.results)?;
        let mut operands: Vec<ValueId> =
            data.operands.iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| self.primal.get(v)).collect();
        operands.extend((0..data.results.len()).map(|i| self.handed_back(&data.results, i, b)));
        for &mask in &masks.handed {
            operands.push(self.reached(b, mask)?.flag(b));
        }
        Ok(operands)
    }

    /// The cotangent of a result of a call.
    #[mutant(Site::TransposeCallResult if i + 1 == results.len() => ad::TZero::build(b, self.src.ty(results[i]), &[]))]
    fn handed_back(&self, results: &[ValueId], i: usize, b: &mut Builder<'_>) -> ValueId {
        self.or_zero(b, results[i])
    }

    /// Transposes an op, in a branch if all its cotangents may be exact zeros.
    pub(super) fn skipping(&mut self, op: OpId, b: &mut Builder<'_>, run: &mut Run<'_, 't>) -> Result<()> {
        let masks = self.masks;
        let Some(skip) = masks.skip(op) else { return run(self, b) };
        for &(v, id) in &skip.by_value {
            self.apply(b, v)?;
            let Some(c) = self.cotangents.get(&v).copied() else { continue };
            // A value of its own: `c` may be the cotangent of other values, too.
            let gated = self.masked(b, c.value, masks.get(id).mask.predicate())?;
            self.cotangents.insert(v, Current { value: gated, id, pending: false });
        }
        if let Some(predicate) = skip.predicate {
            self.gate(b, predicate)?;
        }
        match &skip.guard {
            Some(guard) => self.guarded(guard, b, run),
            None => run(self, b),
        }
    }

    /// Transposes an op whose cotangents all stand behind a predicate, in a branch under that.
    fn guarded(&mut self, guard: &Guard, b: &mut Builder<'_>, run: &mut Run<'_, 't>) -> Result<()> {
        let src = self.src;
        let captured = &guard.branch.captured;
        self.apply_all(b, captured)?;
        let types: Vec<Type> = captured.iter().map(|&v| src.ty(v)).collect();
        let condition = self.condition(b, guard.condition)?;
        let new = b.body.create_op(scf::If::DEF, &[condition], &types, Default::default(), 2, b.loc);
        let before = self.saved(captured);
        for &(v, id) in &guard.opened {
            if let Some(c) = self.cotangents.get_mut(&v) {
                *c = Current { id, pending: false, ..*c };
            }
        }
        let mut ends = Vec::new();
        for k in 0..2 {
            let region = b.body.op(new).regions[k];
            let block = b.body.add_block(region, &[]);
            let mut inner = Builder::at_end(b.body, block, b.loc);
            if k == 0 {
                run(self, &mut inner)?;
            } else {
                self.restore(captured, &before);
            }
            ends.push((block, self.ended(&mut inner, captured)?));
        }
        self.join(b, new, &guard.branch, ends)
    }

    fn saved(&self, values: &[ValueId]) -> Vec<Option<Current>> {
        values.iter().map(|v| self.cotangents.get(v).copied()).collect()
    }

    fn restore(&mut self, values: &[ValueId], cotangents: &[Option<Current>]) {
        for (&v, c) in values.iter().zip(cotangents) {
            match c {
                Some(c) => self.cotangents.insert(v, *c),
                None => self.cotangents.remove(&v),
            };
        }
    }

    /// At the end of a block: the cotangents that leave it.
    fn ended(&mut self, b: &mut Builder<'_>, captured: &[ValueId]) -> Result<Vec<ValueId>> {
        self.apply_all(b, captured)?;
        Ok(captured.iter().map(|&v| self.or_zero(b, v)).collect())
    }

    /// Ends the branches of `new`, which is yet to be inserted. It gives the cotangents of the
    /// captured tangents, and reached flags.
    fn join(
        &mut self,
        b: &mut Builder<'_>,
        new: OpId,
        masks: &BranchMasks,
        mut ends: Vec<(BlockId, Vec<ValueId>)>,
    ) -> Result<()> {
        for (flag, ends_of_flag) in masks.joins.iter().filter_map(|j| Some((j.flag?, &j.ends))) {
            for ((block, yielded), &mask) in ends.iter_mut().zip(ends_of_flag) {
                let mut inner = Builder::at_end(b.body, *block, b.loc);
                yielded.push(self.reached(&mut inner, mask)?.flag(&mut inner));
            }
            self.conditions.insert(flag, b.body.add_result(new, Type::i1()));
        }
        for (block, yielded) in &ends {
            scf::Yield::build(&mut Builder::at_end(b.body, *block, b.loc), yielded, &[]);
        }
        b.body.insert_op(new, b.block, b.before);
        for (i, (&v, &Join { after, .. })) in masks.captured.iter().zip(&masks.joins).enumerate() {
            let c = self.current(b, b.body.result(new, i), after)?;
            self.named(v, c.value, b);
            self.cotangents.insert(v, c);
        }
        Ok(())
    }

    /// What decides which branch is taken.
    #[mutant(Site::TransposeBranch if scf::If::is(self.src, op) => vec![self.other_choice(op, b)])]
    fn choice(&self, op: OpId, b: &mut Builder<'_>) -> Vec<ValueId> {
        self.src.operands(op).iter().map(|&v| self.primal.get(v)).collect()
    }

    /// The mistake of taking the other branch.
    fn other_choice(&self, op: OpId, b: &mut Builder<'_>) -> ValueId {
        Gate::side(self.primal.get(self.src.operand(op, 0)), false).value(b)
    }

    /// Each branch begins with what flowed to values before.
    #[mutant(Site::TransposeBranchOuter with outer = &vec![None; captured.len()])]
    fn begin_branch(&mut self, captured: &[ValueId], outer: &[Option<Current>]) {
        self.restore(captured, outer);
    }

    /// If and switch transpose to themselves; each branch passes on the cotangents of what any
    /// branch reads.
    pub(super) fn branch_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        let masks = self.masks.branch(src, op)?;
        let captured = &masks.captured;
        let operands = self.choice(op, b);
        self.apply_all(b, captured)?;
        let types: Vec<Type> = captured.iter().map(|&v| src.ty(v)).collect();
        let results = self.saved(&data.results);
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), b.loc);
        let outer = self.saved(captured);
        for part in masks.parts.iter().flatten() {
            self.reached(b, part.mask)?;
        }
        let mut ends = Vec::new();
        for k in 0..data.regions.len() {
            let (Some(block), region) = (src.region_block(op, k), b.body.op(new).regions[k]) else { continue };
            let new_block = b.body.add_block(region, &[]);
            let mut inner = Builder::at_end(b.body, new_block, b.loc);
            self.begin_branch(captured, &outer);
            let end = src
                .terminator(block)
                .ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a region without a terminator"))?;
            for (i, ct) in results.iter().enumerate() {
                let Some(ct) = ct else { continue };
                self.flow_parts(&mut inner, (end, i), src.operands(end)[i], ct.value)?;
            }
            self.block(block, &mut inner)?;
            ends.push((new_block, self.ended(&mut inner, captured)?));
        }
        self.join(b, new, masks, ends)
    }
}
