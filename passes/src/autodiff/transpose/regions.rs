//! Calls, branches and loops, transposed.
//!
//! What leaves an op with regions says whether it was reached at all: the cotangent of a value that only one branch reads is zero for sure in
//! the others, and that of a value that only a loop reads is if the loop does not run. Where that depends on what happens inside, the op has a
//! boolean result for it, the *reached flag*; dead code elimination removes those that nobody asks.

use super::Transposer;
use super::cover::Cover;
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::autodiff::gates::{Gate, Reached};
use crate::faults::{self, Site};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{arith, scf};
use caustic_ir::{Attr, Attrs, BlockId, Builder, Diagnostic, OpId, Result, Type, ValueId};

impl Transposer<'_> {
    pub(super) fn call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        let mut inputs: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        // No others: what is captured here a branch around the call hands out too, and of that it knows what its own code reads.
        let flags = |v: ValueId| stage::flags(ad::strip_tangent(src.ty(v)));
        let makers: Vec<OpId> = inputs.iter().filter_map(|&v| self.taken_apart(v, flags(v), data.block)).collect();
        inputs.extend(makers.into_iter().flat_map(|m| src.operands(m).to_vec()));
        let given = src.attr(op, stage::HANDED).is_some() || self.is_anchored(op);
        let gate = if given { self.common_gate(b, &data.results) } else { self.skips(b, &data.results) };
        match gate {
            // A derivative of the programmer's is called as often as the function was, and what leads to one that no cotangent leads to runs backwards.
            Some(gate) if !given => {
                self.guarded(gate, &data.results, &inputs, b, &mut |t, b| t.ungated_call(op, None, b))
            }
            gate => self.ungated_call(op, gate, b),
        }
    }

    /// Whether it runs backwards whatever its cotangents are.
    fn is_anchored(&self, op: OpId) -> bool {
        self.src.attr(op, stage::ANCHORED).is_some()
    }

    fn ungated_call(&mut self, op: OpId, gate: Option<Gate>, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        data.results.iter().for_each(|&r| self.settle(b, r));
        let mut operands: Vec<ValueId> =
            data.operands.iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| self.primal.get(v)).collect();
        for &r in &data.results {
            let lost = Some(&r) == data.results.last() && faults::on(Site::TransposeCallResult);
            operands.push(if lost { ad::TZero::build(b, src.ty(r), &[]) } else { self.or_zero(b, r) });
        }
        let parts = |r: &ValueId| stage::flags(ad::strip_tangent(src.ty(*r)));
        if !stage::result_flags(data.results.iter().map(|&r| ad::strip_tangent(src.ty(r)))).is_empty() {
            for r in &data.results {
                for part in 0..parts(r) {
                    let reached = self.part_reached(b, *r, part);
                    operands.push(reached.flag(b));
                }
            }
        }
        let callee = src.attr(op, "callee").and_then(|a| a.as_symbol());
        let handed = data.results.iter().flat_map(|r| (0..parts(r)).map(|part| (*r, part)));
        let handed: Vec<bool> = handed.map(|(r, part)| self.part_sure(b, r, part)).collect();
        // A derivative of the programmer's has one form: it is handed what has come.
        let given = src.attr(op, stage::HANDED).is_some();
        let form = if given || handed.iter().all(|sure| *sure) { Form::Sure } else { Form::Unsure };
        self.calls.extend(callee.filter(|_| !given).map(|callee| (callee, form)));
        let gives = callee.and_then(|c| self.known.gives.get(&(c, form))).map(Vec::as_slice).unwrap_or_default();
        let inputs: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let mut types: Vec<Type> = inputs.iter().map(|&v| src.ty(v)).collect();
        types.extend(stage::flag_types(inputs.iter().map(|&v| ad::strip_tangent(src.ty(v)))));
        let mut attrs: Vec<(&str, Attr)> = data.attrs.iter().map(|(n, a)| (n.as_str(), *a)).collect();
        if form == Form::Unsure {
            attrs.push((stage::UNSURE, Attr::unit()));
        }
        let new = ad::TransposeCall::build(b, &operands, &types, &attrs);
        let mut next_flag = inputs.len();
        for (i, &v) in inputs.iter().enumerate() {
            let mut c = b.body.result(new, i);
            if let Some(g) = gate {
                c = g.select(b, c);
            }
            let flags = stage::flags(ad::strip_tangent(src.ty(v)));
            // What the programmer gives for a scalar is no zero that nothing reached.
            let own = given && ad::strip_tangent(src.ty(v)).is_float();
            let part = |k: usize| own || gives.get(k - inputs.len()).copied().unwrap_or(false);
            let sure: Vec<bool> = (next_flag..next_flag + flags).map(part).collect();
            if sure != [true] {
                self.unsure.insert(c, Cover::default());
            }
            let reached: Vec<Reached> = (next_flag..next_flag + flags)
                .map(|k| {
                    let here = Gate::when(b.body.result(new, k));
                    Reached::If(gate.map_or(here, |g| g.and(b, here)))
                })
                .collect();
            next_flag += flags;
            self.flow_parts(b, v, c, &reached, &sure, data.block);
        }
        Ok(())
    }

    /// Transposes an op whose cotangents all lie behind a gate: nothing is done where that is closed. `reads` are the tangents that cotangents flow to.
    fn guarded(
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
        captured.iter().for_each(|&v| self.settle(b, v));
        let types: Vec<Type> = captured.iter().map(|&v| src.ty(v)).collect();
        let condition = gate.value(b);
        let new = b.body.create_op(scf::If::DEF, &[condition], &types, Default::default(), 2, b.loc);
        let before: Vec<Option<ValueId>> = captured.iter().map(|v| self.cotangents.get(v).copied()).collect();
        // Behind the open gate it says nothing.
        let behind = |g: &Gate| g.condition == gate.condition && g.when == gate.when;
        let cotangents: Vec<ValueId> = results.iter().filter_map(|r| self.cotangents.get(r).copied()).collect();
        let mut hidden: Vec<(ValueId, Gate)> = Vec::new();
        for c in cotangents {
            if let Some(g) = self.gates.get(&c).copied().filter(|g| behind(g)) {
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
        captured.iter().for_each(|&v| self.settle(b, v));
        let reached: Vec<Reached> = captured.iter().map(|&v| self.reached(b, v)).collect();
        captured.iter().zip(reached).map(|(&v, r)| (self.or_zero(b, v), r)).collect()
    }

    /// Ends the branches of `new`, which is yet to be inserted; what comes out are the cotangents of the captured tangents, with gates: the branch taken, or a flag.
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
            let ty = ad::strip_tangent(b.ty(c));
            // Where nothing came the gate is closed.
            let came = ends.iter().map(|(_, end)| end[i]).filter(|(_, reached)| *reached != Reached::Never);
            let cover = came.map(|(c, _)| self.leaving(b, c)).reduce(|x, y| x.both(ty, &y));
            self.doubt(c, cover.unwrap_or_else(Cover::whole));
            if let Some(g) = gates[i] {
                self.gates.insert(c, g);
            }
        }
    }

    /// Tangents from outside of `op` that its regions read, in order of first use.
    fn captured(&self, op: OpId) -> Vec<ValueId> {
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
        if scf::If::is(src, op) && faults::on(Site::TransposeBranch) {
            operands[0] = Gate::side(operands[0], false).value(b);
        }
        captured.iter().for_each(|&v| self.settle(b, v));
        let types: Vec<Type> = captured.iter().map(|&v| src.ty(v)).collect();
        let results: Vec<Option<ValueId>> = data.results.iter().map(|r| self.cotangents.get(r).copied()).collect();
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), b.loc);
        let outer: Vec<Option<ValueId>> = captured.iter().map(|v| self.cotangents.get(v).copied()).collect();
        // Of structs that are taken apart behind the op, what is known of each part.
        let mut parts: Vec<Vec<(Reached, bool)>> = Vec::new();
        for &r in &data.results {
            let count =
                if self.reached.contains_key(&(r, None)) { stage::flags(ad::strip_tangent(src.ty(r))) } else { 0 };
            let part = |part: usize| (self.part_reached(b, r, part), self.part_sure(b, r, part));
            parts.push((0..count).map(part).collect());
        }
        let mut ends = Vec::new();
        for k in 0..data.regions.len() {
            let (Some(block), region) = (src.region_block(op, k), b.body.op(new).regions[k]) else { continue };
            let new_block = b.body.add_block(region, &[]);
            let mut inner = Builder::at_end(b.body, new_block, b.loc);
            for (v, c) in captured.iter().zip(&outer) {
                match c {
                    Some(c) if !faults::on(Site::TransposeBranchOuter) => self.cotangents.insert(*v, *c),
                    _ => self.cotangents.remove(v),
                };
            }
            let end = src
                .terminator(block)
                .ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a region without a terminator"))?;
            for (i, ct) in results.iter().enumerate() {
                let Some(ct) = ct else { continue };
                if parts[i].len() > 1 {
                    let (reached, sure): (Vec<Reached>, Vec<bool>) = parts[i].iter().copied().unzip();
                    self.flow_parts(&mut inner, src.operands(end)[i], *ct, &reached, &sure, Some(block));
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
        self.sweep(op, 0, [bounds[0], bounds[1], bounds[2]], attrs, b, &extra, &mut |t, b, k, extra| {
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

    /// The reverse sweep of the loop whose tangents region `k` of `op` steps. The sweep also carries the primal values `extra`; `step` is asked at
    /// the head of each iteration, with its number and the current ones, for the next ones, and binds what the region reads.
    pub(super) fn sweep(
        &mut self,
        op: OpId,
        k: usize,
        bounds: [ValueId; 3],
        attrs: Attrs,
        b: &mut Builder<'_>,
        extra: &[ValueId],
        step: &mut dyn FnMut(&mut Self, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<Vec<ValueId>>,
    ) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.results.iter().any(|r| self.cotangents.contains_key(r)) {
            return Ok(());
        }
        if src.op(op).regions.iter().any(|&r| src.walk(r).into_iter().any(|o| self.is_anchored(o))) {
            return self.open_sweep(op, k, bounds, attrs, b, extra, step);
        }
        // Where no cotangent comes in, none arises.
        let Some(gate) = self.skips(b, &data.results) else {
            return self.open_sweep(op, k, bounds, attrs, b, extra, step);
        };
        let mut reads: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        reads.extend(self.captured(op));
        self.guarded(gate, &data.results, &reads, b, &mut |t, b| {
            t.open_sweep(op, k, bounds, attrs.clone(), b, extra, step)
        })
    }

    fn open_sweep(
        &mut self,
        op: OpId,
        k: usize,
        bounds: [ValueId; 3],
        attrs: Attrs,
        b: &mut Builder<'_>,
        extra: &[ValueId],
        step: &mut dyn FnMut(&mut Self, &mut Builder<'_>, ValueId, &[ValueId]) -> Result<Vec<ValueId>>,
    ) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let block = src.region_block(op, k).ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a loop without a body"))?;
        let end =
            src.terminator(block).ok_or_else(|| Diagnostic::invalid_ir(data.loc, "a region without a terminator"))?;
        let inits: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let block_tangents: Vec<ValueId> = src.args(block).iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let captured = self.captured(op);
        data.results.iter().chain(&captured).for_each(|&v| self.settle(b, v));
        // Captured tangents that may be reached or not, with what is known before the loop.
        let flagged: Vec<(usize, Reached)> = captured
            .iter()
            .enumerate()
            .map(|(i, &v)| (i, self.reached(b, v)))
            .filter(|(_, r)| *r != Reached::Always)
            .collect();
        let nested = src.op(op).block.and_then(|outer| src.parent_op(outer)).is_some_and(|p| scf::For::is(src, p));
        let twice = nested && faults::on(Site::TransposeCapturedTwice);
        let before: Vec<_> = captured.iter().filter_map(|v| Some((*v, *self.cotangents.get(v)?))).collect();
        // What is carried has come for sure if it does after the loop, and if each iteration passes it on.
        let comes = |t: &Self, v: &ValueId| t.cotangents.get(v).is_some_and(|&c| t.is_sure(c));
        let ends: Vec<(ValueId, ValueId)> = src.operands(end).iter().copied().zip(block_tangents.clone()).collect();
        let whole: Vec<bool> = data
            .results
            .iter()
            .zip(&ends)
            .map(|(r, &(to, from))| comes(self, r) && self.passes_whole(from, to))
            .collect();
        let count = arith::constant_of(b.body, bounds[1]).and_then(|a| a.as_int());
        let sure = data.results.iter().zip(&ends).filter(|(r, _)| comes(self, r));
        let untouched: Vec<OpId> =
            sure.filter_map(|(_, &(to, from))| self.written_once(from, to, block, count)).collect();
        self.untouched.extend(untouched);
        // Of what is summed up, what has come before.
        let known: Vec<Cover> = captured
            .iter()
            .map(|v| self.cotangents.get(v).map_or_else(Cover::whole, |&c| self.leaving(b, c)))
            .collect();
        let mut carried: Vec<ValueId> = data.results.iter().map(|&r| self.or_zero(b, r)).collect();
        carried.extend(captured.iter().map(|&v| self.or_zero(b, v)).collect::<Vec<_>>());
        carried.extend(flagged.iter().map(|&(_, r)| r.flag(b)).collect::<Vec<_>>());
        carried.extend(extra);
        let types: Vec<Type> = carried.iter().map(|&v| b.ty(v)).collect();
        let mut operands = bounds.to_vec();
        if faults::on(Site::TransposeIterations) {
            operands[1] = arith::SubI::build(b, bounds[1], bounds[2], &[]);
        }
        operands.extend(&carried);
        let new = b.body.create_op(scf::For::DEF, &operands, &types, attrs, 1, b.loc);
        b.body.insert_op(new, b.block, b.before);
        let mut arg_types = vec![Type::index()];
        arg_types.extend(&types);
        let region = b.body.op(new).regions[0];
        let new_block = b.body.add_block(region, &arg_types);
        let args = b.body.args(new_block).to_vec();
        let loc = b.loc;
        let mut inner = Builder::at_end(b.body, new_block, loc);
        // Normalized loops count from 0 by 1, so iteration n - 1 - k is the k-th from the end.
        let one = arith::index(&mut inner, 1);
        let last = arith::SubI::build(&mut inner, bounds[1], one, &[]);
        let up = faults::on(Site::TransposeCounter);
        let counter = if up { args[0] } else { arith::SubI::build(&mut inner, last, args[0], &[]) };
        inner.body.set_hint(counter, src.value(src.args(block)[0]).hint);
        self.primal.insert(src.args(block)[0], counter);
        let n = data.results.len();
        let first_flag = 1 + n + captured.len();
        let first_extra = first_flag + flagged.len();
        for (i, &v) in captured.iter().enumerate() {
            self.cotangents.insert(v, args[1 + n + i]);
            if faults::on(Site::TransposeCaptured) {
                self.cotangents.remove(&v);
            }
        }
        for (k, &(i, _)) in flagged.iter().enumerate() {
            self.gates.insert(args[1 + n + i], Gate::when(args[first_flag + k]));
        }
        for a in &block_tangents {
            self.cotangents.remove(a);
        }
        for (i, _) in whole.iter().enumerate().filter(|(_, whole)| !**whole) {
            self.doubt(args[1 + i], Cover::default());
        }
        for (i, cover) in known.iter().enumerate() {
            self.doubt(args[1 + n + i], cover.clone());
        }
        let next_extra = step(self, &mut inner, counter, &args[first_extra..])?;
        for (i, &v) in src.operands(end).iter().enumerate() {
            self.flow(&mut inner, v, args[1 + i], None);
        }
        self.block(block, &mut inner)?;
        block_tangents.iter().chain(&captured).for_each(|&v| self.settle(&mut inner, v));
        // What no iteration leaves out has come after the loop: it is open if there was one, or before it.
        let after: Vec<Cover> = captured
            .iter()
            .zip(&known)
            .map(|(v, before)| {
                if self.reaches_all(*v, block, count) {
                    return Cover::whole();
                }
                let cover = self.cotangents.get(v).map_or_else(Cover::whole, |&c| self.leaving(&inner, c));
                cover.both(ad::strip_tangent(src.ty(*v)), before)
            })
            .collect();
        let reached: Vec<Reached> = flagged.iter().map(|&(i, _)| self.reached(&inner, captured[i])).collect();
        if faults::on(Site::TransposeCarried) {
            block_tangents.iter().for_each(|a| {
                self.cotangents.remove(a);
            });
        }
        let mut yielded: Vec<ValueId> = block_tangents.iter().map(|&a| self.or_zero(&mut inner, a)).collect();
        yielded.extend(captured.iter().map(|&v| self.or_zero(&mut inner, v)).collect::<Vec<_>>());
        yielded.extend(reached.iter().map(|&r| r.flag(&mut inner)).collect::<Vec<_>>());
        yielded.extend(next_extra);
        scf::Yield::build(&mut inner, &yielded, &[]);
        for (i, &v) in captured.iter().enumerate() {
            let c = b.body.result(new, n + i);
            self.cotangents.insert(v, c);
        }
        for (i, _) in whole.iter().enumerate().filter(|(_, whole)| !**whole) {
            self.doubt(b.body.result(new, i), Cover::default());
        }
        for (i, cover) in after.into_iter().enumerate() {
            self.doubt(b.body.result(new, n + i), cover);
        }
        for (v, c) in before.into_iter().filter(|_| twice) {
            self.flow(b, v, c, None);
        }
        let runs = count.is_some_and(|n| n > 0);
        for (k, &(i, before)) in flagged.iter().enumerate() {
            let after = match (reached[k], before) {
                (Reached::Always, _) if runs => None,
                // Every iteration reaches it: it is enough that there was one.
                (Reached::Always, before) => {
                    let zero = arith::index(b, 0);
                    let ran = Gate::when(arith::cmpi(b, arith::IntPredicate::Sgt, bounds[1], zero));
                    if let Reached::If(g) = before { g.or(b, ran) } else { Some(ran) }
                }
                _ => Some(Gate::when(b.body.result(new, n + captured.len() + k))),
            };
            if let Some(g) = after {
                self.gates.insert(b.body.result(new, n + i), g);
            }
        }
        for (i, &init) in inits.iter().enumerate().take(if faults::on(Site::TransposeInit) { 0 } else { n }) {
            let c = b.body.result(new, i);
            self.flow(b, init, c, None);
        }
        Ok(())
    }
}
