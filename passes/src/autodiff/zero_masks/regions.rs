//! Calls and branches: what is known of the cotangents that leave them.
//!
//! The cotangent of a value that only one branch reads is an exact zero in the others, and that of
//! a value that only a call reads is one where the callee does not reach it. Where that depends on
//! what happens inside, there is a *reached flag* for it.

use super::known::{self, Given, Known};
use super::{Analysis, BranchMasks, CallMasks, Condition, ConditionId, Cotangent, CotangentId, Guard, Join, Mask};
use super::{PartFlow, Predicate, Skip};
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{is_tangent, strip_tangent};
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, Diagnostic, OpId, Result, ValueId};

/// What leaves a block: the cotangents of captured tangents, and their masks.
type End = Vec<(Option<CotangentId>, Mask)>;

/// Whether an op runs backwards whatever its cotangents are.
pub fn is_kept_alive(src: &Body, op: OpId) -> bool {
    src.attr(op, stage::KEPT_ALIVE).is_some()
}

/// Tangents from outside of an op that its regions read, in order of first use.
fn captured(src: &Body, op: OpId) -> Vec<ValueId> {
    let mut inside: Vec<BlockId> = Vec::new();
    let mut out: Vec<ValueId> = Vec::new();
    for &region in &src.op(op).regions {
        inside.extend(&src.region(region).blocks);
    }
    for &region in &src.op(op).regions {
        for inner in src.walk(region) {
            for &v in src.operands(inner) {
                let local = src.def_block(v).is_some_and(|d| inside.iter().any(|&i| src.is_block_within(d, i)));
                if is_tangent(src.ty(v)) && !local && !out.contains(&v) {
                    out.push(v);
                }
            }
        }
    }
    out
}

fn flags(src: &Body, value: ValueId) -> usize {
    stage::flags(strip_tangent(src.ty(value)))
}

impl Analysis<'_> {
    pub(super) fn captured(&self, op: OpId) -> Vec<ValueId> {
        captured(self.src, op)
    }

    pub(super) fn call(&mut self, op: OpId) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.now.contains_key(r)) {
            return Ok(());
        }
        let mut reads: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        // Only parts that the call's own block puts together: a branch around the call passes on
        // what it captures itself.
        let made: Vec<ValueId> = reads.iter().flat_map(|&v| self.made_of(v, data.block)).collect();
        reads.extend(made);
        // A custom derivative is called as often as the function was. So is what leads to one: it
        // runs backwards without cotangents, too.
        if src.attr(op, stage::HANDED).is_some() || is_kept_alive(src, op) {
            let predicate = self.common_predicate(&data.results);
            self.masks.skips.insert(op, Skip { predicate, ..Skip::default() });
            self.open_call(op, predicate);
            return Ok(());
        }
        self.skip(op, &reads, &mut |t| {
            t.open_call(op, None);
            Ok(())
        })
    }

    /// The call without a branch around; what it gives is masked by `predicate`.
    fn open_call(&mut self, op: OpId, predicate: Option<Predicate>) {
        let src = self.src;
        let data = src.op(op);
        data.results.iter().for_each(|&r| self.apply(r));
        let types: Vec<_> = data.results.iter().map(|&r| strip_tangent(src.ty(r))).collect();
        let parts: Vec<(ValueId, usize)> =
            data.results.iter().flat_map(|&r| (0..flags(src, r)).map(move |part| (r, part))).collect();
        let takes_flags = !stage::result_flags(types.iter().copied()).is_empty();
        let flows: Vec<PartFlow> = parts.into_iter().map(|(r, part)| self.part_flow(r, part)).collect();
        let handed = flows.iter().map(|flow| flow.mask).filter(|_| takes_flags).collect();
        // A custom derivative has one form: it takes cotangents as dense ones.
        let custom = src.attr(op, stage::HANDED).is_some();
        let types = types.into_iter().flat_map(stage::flagged_parts);
        let known = flows.into_iter().map(|f| if f.mask == Mask::Zero { Known::nothing_came() } else { f.known });
        let known: Vec<_> = types.zip(known).collect();
        let form = if custom { Form::SURE } else { known::form_of(&known) };
        let callee = src.callee(op);
        self.masks.called.extend(callee.filter(|_| !custom).map(|callee| (callee, form)));
        let gives = callee.and_then(|c| self.callees.gives(c, form)).unwrap_or_default();
        let mut gives = gives.into_iter();
        let (mut all_flags, mut given) = (Vec::new(), Vec::new());
        let inputs = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v)));
        for (i, v) in inputs.enumerate() {
            // What a custom derivative gives for a scalar is dense: it was computed.
            let ty = strip_tangent(src.ty(v));
            let own = custom && ty.is_float();
            let mut flows = Vec::new();
            for _ in 0..flags(src, v) {
                let here = self.masks.predicates.scalar(Condition::Flag);
                all_flags.push(here.condition);
                // All that a programmer computes counts as reached.
                let given = gives.next().unwrap_or(Given { known: Known::none(), surely: custom });
                let reached = match predicate {
                    None if given.surely => Mask::Dense,
                    Some(outer) if given.surely => Mask::Masked(outer),
                    outer => Mask::Masked(outer.map_or(here, |outer| self.masks.predicates.and(outer, here))),
                };
                flows.push(PartFlow { mask: reached, known: if own { Known::dense() } else { given.known } });
            }
            let parts: Vec<Known> = flows.iter().map(|flow| flow.known.clone()).collect();
            let c = self.new_cotangent(None, super::of_parts(ty, &parts));
            self.flow_parts((op, i), v, c, &flows, data.block);
            given.push(flows);
        }
        self.masks.calls.insert(op, CallMasks { form, predicate, handed, flags: all_flags, given });
    }

    /// An op that need be transposed only where its results' cotangents are no exact zeros. `reads`
    /// are the tangents that cotangents flow to.
    ///
    /// A scalar that may be an exact zero gets a predicate that asks its value. Where the value is
    /// zero, the op gives zeros whether it runs or not, so this decides about time and about no
    /// number. A derivative of this derivative would take such a zero for a constant and lose its
    /// term: then no value is asked.
    pub(super) fn skip(
        &mut self,
        op: OpId,
        reads: &[ValueId],
        run: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let src = self.src;
        let results = &src.op(op).results;
        let mut skip = Skip::default();
        let asks = |t: &Self, known: &Cotangent, r: ValueId| {
            !t.differentiated_again && !known.is_whole() && strip_tangent(src.ty(r)).is_float()
        };
        let may_be_zero = |t: &Self, r: ValueId| {
            t.now(r)
                .map(|id| t.known(id))
                .is_none_or(|known| known.mask.predicate().is_some_and(|p| t.is_scalar(p)) || asks(t, known, r))
        };
        if results.iter().all(|&r| may_be_zero(self, r)) {
            for &r in results {
                let Some(id) = self.now(r).filter(|&id| asks(self, self.known(id), r)) else { continue };
                let nonzero = self.masks.predicates.scalar(Condition::Nonzero(r));
                let known = self.known_if_skipped(id);
                let gated = self.new_cotangent(Some(nonzero), known);
                self.now.insert(r, gated);
                skip.by_value.push((r, gated));
            }
        }
        skip.predicate = self.common_predicate(results);
        match skip.predicate {
            Some(predicate) => skip.guard = Some(self.guarded(predicate, results, reads, run)?),
            None => run(self)?,
        }
        self.masks.skips.insert(op, skip);
        Ok(())
    }

    /// What is known of a cotangent where it was asked whether it is zero, which says nothing of
    /// what reached it.
    #[mutant(Site::FormsTold => Known::dense())]
    fn known_if_skipped(&self, id: CotangentId) -> Known {
        self.known(id).known.clone()
    }

    /// An op that is transposed in a branch under a predicate, behind which all its cotangents
    /// stand.
    fn guarded(
        &mut self,
        predicate: Predicate,
        results: &[ValueId],
        reads: &[ValueId],
        run: &mut dyn FnMut(&mut Self) -> Result<()>,
    ) -> Result<Guard> {
        let mut captured: Vec<ValueId> = Vec::new();
        for &v in reads {
            if !captured.contains(&v) {
                captured.push(v);
            }
        }
        captured.iter().for_each(|&v| self.apply(v));
        let condition = self.masks.predicates.positive(predicate);
        let before: Vec<Option<CotangentId>> = captured.iter().map(|&v| self.now(v)).collect();
        // In the branch the predicate holds: the cotangents have no mask there.
        let opens = |id: &CotangentId| self.known(*id).mask == Mask::Masked(predicate);
        let masked: Vec<CotangentId> = results.iter().filter_map(|&r| self.now(r)).filter(opens).collect();
        let mut opened = Vec::new();
        for &v in results.iter().chain(&captured) {
            if let Some(id) = self.now(v).filter(|id| masked.contains(id)) {
                let known = self.known(id).known.clone();
                opened.push((v, self.new_cotangent(None, known)));
            }
        }
        self.now.extend(opened.iter().copied());
        run(self)?;
        let mut ends = vec![self.ended(&captured)];
        self.restore(&captured, &before);
        ends.push(self.ended(&captured));
        let joins = self.join(Some(condition.condition), &captured, ends);
        Ok(Guard { condition: condition.condition, opened, branch: BranchMasks { captured, parts: Vec::new(), joins } })
    }

    fn restore(&mut self, values: &[ValueId], cotangents: &[Option<CotangentId>]) {
        for (&v, &id) in values.iter().zip(cotangents) {
            match id {
                Some(id) => self.now.insert(v, id),
                None => self.now.remove(&v),
            };
        }
    }

    /// At the end of a block: the cotangents that leave it.
    fn ended(&mut self, captured: &[ValueId]) -> End {
        captured.iter().for_each(|&v| self.apply(v));
        captured.iter().map(|&v| (self.now(v), self.reached(v))).collect()
    }

    /// What is known of captured tangents behind a branch: its condition masks them, or a reached
    /// flag.
    fn join(&mut self, condition: Option<ConditionId>, captured: &[ValueId], ends: Vec<End>) -> Vec<Join> {
        let mut joins = Vec::new();
        for (i, &v) in captured.iter().enumerate() {
            let states: Vec<Mask> = ends.iter().map(|end| end[i].1).collect();
            let mut flag = None;
            let predicate = match (condition, &states[..]) {
                _ if states.iter().all(|s| *s == Mask::Dense) => None,
                (Some(condition), [Mask::Dense, Mask::Zero]) => Some(Predicate { condition, when: true }),
                (Some(condition), [Mask::Zero, Mask::Dense]) => Some(Predicate { condition, when: false }),
                _ => {
                    let reached = match (condition, &states[..]) {
                        (Some(condition), &[x, y]) => Condition::Arms { condition, ends: [x, y] },
                        _ => Condition::Flag,
                    };
                    let reached = self.masks.predicates.scalar(reached);
                    flag = Some(reached.condition);
                    Some(reached)
                }
            };
            // The mask is zero for the regions that do not reach it.
            let ty = strip_tangent(self.src.ty(v));
            let reaching = ends.iter().map(|end| end[i]).filter(|(_, mask)| *mask != Mask::Zero);
            let known = reaching.map(|(id, _)| id.map_or_else(Known::nothing_came, |id| self.known_at_end(id)));
            let known = known.reduce(|x, y| x.both(ty, &y)).unwrap_or_else(Known::nothing_came);
            let after = self.new_cotangent(predicate, known);
            self.now.insert(v, after);
            joins.push(Join { ends: states, flag, after });
        }
        joins
    }

    /// If and switch: each branch passes on the cotangents of what any branch reads.
    pub(super) fn branch(&mut self, op: OpId) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.now.contains_key(r)) {
            return Ok(());
        }
        let captured = self.captured(op);
        captured.iter().for_each(|&v| self.apply(v));
        let results: Vec<Option<CotangentId>> = data.results.iter().map(|&r| self.now(r)).collect();
        let outer: Vec<Option<CotangentId>> = captured.iter().map(|&v| self.now(v)).collect();
        // Of results that are taken apart behind the op, what is known of each part.
        let mut parts: Vec<Vec<PartFlow>> = Vec::new();
        for &r in &data.results {
            let count = if self.split.contains_key(&r) { flags(src, r) } else { 0 };
            parts.push((0..count).map(|part| self.part_flow(r, part)).collect());
        }
        let mut ends = Vec::new();
        for k in 0..data.regions.len() {
            let Some(block) = src.region_block(op, k) else { continue };
            self.restore(&captured, &outer);
            let end = src
                .terminator(block)
                .ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a region without a terminator"))?;
            for (i, ct) in results.iter().enumerate() {
                let Some(ct) = *ct else { continue };
                let given = src.operands(end)[i];
                if parts[i].len() > 1 {
                    self.flow_parts((end, i), given, ct, &parts[i], Some(block));
                } else {
                    self.flow((end, i), given, ct);
                }
            }
            self.block(block)?;
            ends.push(self.ended(&captured));
        }
        let condition = match scf::If::is(src, op) {
            true => Some(self.masks.predicates.primal(src, data.operands[0], true).condition),
            false => None,
        };
        let joins = self.join(condition, &captured, ends);
        self.masks.branches.insert(op, BranchMasks { captured, parts, joins });
        Ok(())
    }
}
