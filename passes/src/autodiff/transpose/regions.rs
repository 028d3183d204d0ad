//! Calls and branches, transposed; loops are in `sweep`.
//!
//! Of each cotangent that leaves an op with regions is known whether it was reached at all: that of a value that only
//! one branch reads is an exact zero in the others, and that of a value that only a loop reads is if the loop does not
//! run. Where that depends on what happens inside, the op has a boolean result for it, the *reached flag*; dead code
//! elimination removes those that nobody asks.

use super::dense::DenseParts;
use super::{Flow, Transposer};
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::autodiff::gates::{Gate, Reached};
use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::scf;
use caustic_ir::{Attr, BlockId, Builder, Diagnostic, OpId, Result, Type, ValueId};

impl Transposer<'_> {
    pub(super) fn call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        let mut inputs: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        // Only parts that the call's own block puts together: a branch around the call passes on what it captures
        // itself.
        let flags = |v: ValueId| stage::flags(strip_tangent(src.ty(v)));
        let makers: Vec<OpId> = inputs.iter().filter_map(|&v| self.maker_of(v, flags(v), data.block)).collect();
        inputs.extend(makers.into_iter().flat_map(|m| src.operands(m).to_vec()));
        let given = src.attr(op, stage::HANDED).is_some() || self.is_kept_alive(op);
        let gate = if given { self.common_gate(b, &data.results) } else { self.skip_gate(b, &data.results) };
        match gate {
            // A custom derivative is called as often as the function was. So is what leads to one: it runs backwards
            // without cotangents, too.
            Some(gate) if !given => {
                self.guarded(gate, &data.results, &inputs, b, &mut |t, b| t.ungated_call(op, None, b))
            }
            gate => self.ungated_call(op, gate, b),
        }
    }

    /// Whether an op runs backwards whatever its cotangents are.
    pub(super) fn is_kept_alive(&self, op: OpId) -> bool {
        self.src.attr(op, stage::KEPT_ALIVE).is_some()
    }

    /// Calls the backward half without a branch around; what it gives is masked by `gate`.
    fn ungated_call(&mut self, op: OpId, gate: Option<Gate>, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let operands = self.operands_of_backward_call(op, b);
        let parts = |r: &ValueId| stage::flags(strip_tangent(src.ty(*r)));
        let mut handed = data.results.iter().flat_map(|r| (0..parts(r)).map(|part| (*r, part)));
        let all_dense = handed.all(|(r, part)| self.part_is_dense(b, r, part));
        // A custom derivative has one form: it takes cotangents as dense ones.
        let custom = src.attr(op, stage::HANDED).is_some();
        let form = if custom || all_dense { Form::Sure } else { Form::Unsure };
        let callee = src.attr(op, "callee").and_then(|a| a.as_symbol());
        self.called.extend(callee.filter(|_| !custom).map(|callee| (callee, form)));
        let gives = callee.and_then(|c| self.callees.gives.get(&(c, form))).map(Vec::as_slice).unwrap_or_default();
        let inputs: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let mut types: Vec<Type> = inputs.iter().map(|&v| src.ty(v)).collect();
        types.extend(stage::flag_types(inputs.iter().map(|&v| strip_tangent(src.ty(v)))));
        let mut attrs: Vec<(&str, Attr)> = data.attrs.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        if form == Form::Unsure {
            attrs.push((stage::UNSURE, Attr::unit()));
        }
        let new = ad::TransposeCall::build(b, &operands, &types, &attrs);
        // Flags in order of the inputs and their parts.
        let mut flag = 0;
        for (i, &v) in inputs.iter().enumerate() {
            let mut c = b.body.result(new, i);
            if let Some(g) = gate {
                c = g.select(b, c);
            }
            let flags = flag..flag + stage::flags(strip_tangent(src.ty(v)));
            // What a custom derivative gives for a scalar is dense: it was computed.
            let own = custom && strip_tangent(src.ty(v)).is_float();
            let mut flow = |k: usize| {
                let here = Gate::when(b.body.result(new, inputs.len() + k));
                let reached = Reached::If(gate.map_or(here, |g| g.and(b, here)));
                Flow { reached, dense: own || gives.get(k).copied().unwrap_or(false) }
            };
            flag = flags.end;
            let flows: Vec<Flow> = flags.map(&mut flow).collect();
            if flows.len() != 1 || !flows[0].dense {
                self.partly_dense.insert(c, DenseParts::none());
            }
            self.flow_parts(b, v, c, &flows, data.block);
        }
        Ok(())
    }

    /// What a call of a backward half takes: the call's data, the cotangents of its results, and, where there may be
    /// several, their reached flags.
    fn operands_of_backward_call(&mut self, op: OpId, b: &mut Builder<'_>) -> Vec<ValueId> {
        let src = self.src;
        let data = src.op(op);
        data.results.iter().for_each(|&r| self.apply_gate(b, r));
        let mut operands: Vec<ValueId> =
            data.operands.iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| self.primal.get(v)).collect();
        for &r in &data.results {
            let lost = Some(&r) == data.results.last() && mutants::on(Site::TransposeCallResult);
            operands.push(if lost { ad::TZero::build(b, src.ty(r), &[]) } else { self.or_zero(b, r) });
        }
        let types = || data.results.iter().map(|&r| strip_tangent(src.ty(r)));
        if !stage::result_flags(types()).is_empty() {
            for (&r, ty) in data.results.iter().zip(types()) {
                for part in 0..stage::flags(ty) {
                    let reached = self.part_reached(b, r, part);
                    operands.push(reached.flag(b));
                }
            }
        }
        operands
    }

    /// Transposes an op whose cotangents all stand behind a gate, in a branch under that gate. `reads` are the tangents
    /// that cotangents flow to.
    pub(super) fn guarded(
        &mut self,
        gate: Gate,
        results: &[ValueId],
        reads: &[ValueId],
        b: &mut Builder<'_>,
        run: &mut dyn FnMut(&mut Self, &mut Builder<'_>) -> Result<()>,
    ) -> Result<()> {
        let src = self.src;
        let mut captured: Vec<ValueId> = Vec::new();
        for &v in reads {
            if !captured.contains(&v) {
                captured.push(v);
            }
        }
        captured.iter().for_each(|&v| self.apply_gate(b, v));
        let types: Vec<Type> = captured.iter().map(|&v| src.ty(v)).collect();
        let condition = gate.value(b);
        let new = b.body.create_op(scf::If::DEF, &[condition], &types, Default::default(), 2, b.loc);
        let before: Vec<Option<ValueId>> = captured.iter().map(|v| self.cotangents.get(v).copied()).collect();
        // In the branch the gate is open: the cotangents have none there.
        let is_it = |g: &Gate| g.condition == gate.condition && g.when == gate.when;
        let cotangents: Vec<ValueId> = results.iter().filter_map(|r| self.cotangents.get(r).copied()).collect();
        let mut hidden: Vec<(ValueId, Gate)> = Vec::new();
        for c in cotangents {
            if let Some(g) = self.gates.get(&c).copied().filter(|g| is_it(g)) {
                self.gates.remove(&c);
                hidden.push((c, g));
            }
        }
        let mut ends = Vec::new();
        for k in 0..2 {
            let region = b.body.op(new).regions[k];
            let block = b.body.add_block(region, &[]);
            let mut inner = Builder::at_end(b.body, block, b.loc);
            if k == 0 {
                run(self, &mut inner)?;
                ends.push((block, self.ended(&mut inner, &captured)));
                self.gates.extend(hidden.drain(..));
            } else {
                for (&v, c) in captured.iter().zip(&before) {
                    match c {
                        Some(c) => self.cotangents.insert(v, *c),
                        None => self.cotangents.remove(&v),
                    };
                }
                ends.push((block, self.ended(&mut inner, &captured)));
            }
        }
        self.join(b, new, Some(condition), &captured, ends);
        Ok(())
    }

    /// At the end of a block: the cotangents that leave it, and whether they were reached.
    fn ended(&mut self, b: &mut Builder<'_>, captured: &[ValueId]) -> Vec<(ValueId, Reached)> {
        captured.iter().for_each(|&v| self.apply_gate(b, v));
        let reached: Vec<Reached> = captured.iter().map(|&v| self.reached(b, v)).collect();
        captured.iter().zip(reached).map(|(&v, r)| (self.or_zero(b, v), r)).collect()
    }

    /// Ends the branches of `new`, which is yet to be inserted. It gives the cotangents of the captured tangents, with
    /// gates: the branch taken, or a reached flag.
    fn join(
        &mut self,
        b: &mut Builder<'_>,
        new: OpId,
        condition: Option<ValueId>,
        captured: &[ValueId],
        ends: Vec<(BlockId, Vec<(ValueId, Reached)>)>,
    ) {
        let mut yielded: Vec<(BlockId, Vec<ValueId>)> =
            ends.iter().map(|(block, end)| (*block, end.iter().map(|e| e.0).collect())).collect();
        let mut gates: Vec<Option<Gate>> = Vec::new();
        for i in 0..captured.len() {
            let states: Vec<Reached> = ends.iter().map(|(_, end)| end[i].1).collect();
            let gate = match (condition, &states[..]) {
                _ if states.iter().all(|s| *s == Reached::Always) => None,
                (Some(c), [Reached::Always, Reached::Never]) => Some(Gate::when(c)),
                (Some(c), [Reached::Never, Reached::Always]) => Some(Gate::side(c, false)),
                _ => {
                    for ((block, yielded), state) in yielded.iter_mut().zip(&states) {
                        let mut inner = Builder::at_end(b.body, *block, b.loc);
                        yielded.push(state.flag(&mut inner));
                    }
                    Some(Gate::when(b.body.add_result(new, Type::i1())))
                }
            };
            gates.push(gate);
        }
        for (block, yielded) in &yielded {
            scf::Yield::build(&mut Builder::at_end(b.body, *block, b.loc), yielded, &[]);
        }
        b.body.insert_op(new, b.block, b.before);
        for (i, &v) in captured.iter().enumerate() {
            let c = b.body.result(new, i);
            self.cotangents.insert(v, c);
            let ty = strip_tangent(b.ty(c));
            // The gate is closed for the branches that do not reach it.
            let reaching = ends.iter().map(|(_, end)| end[i]).filter(|(_, reached)| *reached != Reached::Never);
            let dense = reaching.map(|(c, _)| self.dense_parts_at_end(b, c)).reduce(|x, y| x.both(ty, &y));
            self.set_dense_parts(c, dense.unwrap_or_else(DenseParts::whole));
            if let Some(g) = gates[i] {
                self.gates.insert(c, g);
            }
        }
    }

    /// Tangents from outside of `op` that its regions read, in order of first use.
    pub(super) fn captured(&self, op: OpId) -> Vec<ValueId> {
        let src = self.src;
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

    /// If and switch transpose to themselves; each branch passes on the cotangents of what any branch reads.
    pub(super) fn branch_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        let captured = self.captured(op);
        let mut operands: Vec<ValueId> = data.operands.iter().map(|&v| self.primal.get(v)).collect();
        if scf::If::is(src, op) && mutants::on(Site::TransposeBranch) {
            operands[0] = Gate::side(operands[0], false).value(b);
        }
        captured.iter().for_each(|&v| self.apply_gate(b, v));
        let types: Vec<Type> = captured.iter().map(|&v| src.ty(v)).collect();
        let results: Vec<Option<ValueId>> = data.results.iter().map(|r| self.cotangents.get(r).copied()).collect();
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), b.loc);
        let outer: Vec<Option<ValueId>> = captured.iter().map(|v| self.cotangents.get(v).copied()).collect();
        // Of results that are taken apart behind the op, what is known of each part.
        let mut flows: Vec<Vec<Flow>> = Vec::new();
        for &r in &data.results {
            let count = if self.split.contains_key(&r) { stage::flags(strip_tangent(src.ty(r))) } else { 0 };
            flows.push((0..count).map(|part| self.part_flow(b, r, part)).collect());
        }
        let mut ends = Vec::new();
        for k in 0..data.regions.len() {
            let (Some(block), region) = (src.region_block(op, k), b.body.op(new).regions[k]) else { continue };
            let new_block = b.body.add_block(region, &[]);
            let mut inner = Builder::at_end(b.body, new_block, b.loc);
            for (v, c) in captured.iter().zip(&outer) {
                match c {
                    Some(c) if !mutants::on(Site::TransposeBranchOuter) => self.cotangents.insert(*v, *c),
                    _ => self.cotangents.remove(v),
                };
            }
            let end = src
                .terminator(block)
                .ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a region without a terminator"))?;
            for (i, ct) in results.iter().enumerate() {
                let Some(ct) = ct else { continue };
                if flows[i].len() > 1 {
                    self.flow_parts(&mut inner, src.operands(end)[i], *ct, &flows[i], Some(block));
                } else {
                    let gate = self.gates.get(ct).copied();
                    self.flow(&mut inner, src.operands(end)[i], *ct, gate);
                }
            }
            self.block(block, &mut inner)?;
            ends.push((new_block, self.ended(&mut inner, &captured)));
        }
        let condition = scf::If::is(src, op).then(|| operands[0]);
        self.join(b, new, condition, &captured, ends);
        Ok(())
    }
}
