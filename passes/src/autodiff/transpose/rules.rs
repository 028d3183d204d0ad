//! The transposes of ops without regions: a cotangent of the result becomes cotangents of the operands.
//!
//! Each rule says besides what is known of where these are zero. Calls and ops with regions are in `regions` and
//! `replay`.

use super::dense::DenseParts;
use super::{Flow, SplitFlow, Transposer};
use crate::autodiff::gates::Gate;
use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, LinearView as L, strip_tangent};
use caustic_dialects::{arith, scf, vector};
use caustic_ir::attr::AttrKind;
use caustic_ir::{Attr, Body, Builder, Diagnostic, OpId, Result, Type, ValueId};

/// [`is_finite`] follows choices between so many constants.
const MAX_CHOICES: usize = 8;

/// An op whose result has a cotangent, which stands behind `gate`.
#[derive(Clone, Copy)]
struct Incoming {
    op: OpId,
    ct: ValueId,
    gate: Option<Gate>,
}

impl Transposer<'_> {
    /// Transposes one op: cotangents of its results flow to its operands.
    pub(super) fn op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.regions.is_empty() {
            return match () {
                _ if scf::For::is(src, op) => self.loop_op(op, b),
                _ if ad::Replay::is(src, op) => self.replay_op(op, b),
                _ => self.branch_op(op, b),
            };
        }
        if ad::LinearCall::is(src, op) {
            return self.call(op, b);
        }
        let Some((mut ct, gate)) = data.results.first().and_then(|&r| self.now(r)) else { return Ok(()) };
        let keeps_shape = ad::TAdd::is(src, op) || ad::TNeg::is(src, op) || ad::TScale::is(src, op);
        let same_lanes = |g: Gate| ad::TSelect::is(src, op) && b.ty(g.condition) == src.ty(data.operands[0]);
        if !keeps_shape && !gate.is_some_and(same_lanes) {
            ct = self.gate_applied(b, ct);
        }
        let from = Incoming { op, ct, gate };
        match L::of(src, op) {
            Some(L::TZero(_)) => {}
            Some(L::TAdd(_)) => data.operands.iter().for_each(|&v| self.flow(b, v, ct, gate)),
            Some(L::TNeg(_)) => self.neg(from, b),
            Some(L::TScale(_)) => self.scale(from, b),
            Some(L::TExtract(_)) => self.extract(from, b),
            Some(L::TInsert(_)) => self.insert(from, b),
            Some(L::TAccumulate(_)) => self.accumulate(from, b),
            Some(L::TMake(_)) => self.make(from, b),
            Some(L::TSplat(_)) => self.splat(from, b),
            Some(L::TSum(_)) => self.sum(from, b),
            Some(L::TCast(_)) => {
                let c = ad::TCast::build(b, ct, src.ty(src.operand(op, 0)), &[]);
                self.flow_like(from, c, b);
            }
            Some(L::TSelect(_)) => self.select(from, b),
            Some(L::LinearCall(_) | L::TransposeCall(_)) | None => {
                let text = format!("{} has no transpose", data.def.name);
                return Err(Diagnostic::internal(data.loc, text));
            }
        }
        Ok(())
    }

    /// `c`, which is zero where the cotangent of the op's result is, flows to the first operand.
    fn flow_like(&mut self, from: Incoming, c: ValueId, b: &mut Builder<'_>) {
        self.inherit(from.ct, c);
        self.flow(b, self.src.operand(from.op, 0), c, from.gate);
    }

    /// The path of an op that reads or writes a part, with its steps.
    fn path(&self, op: OpId) -> (Attr, Vec<i64>) {
        let path = self.src.attr(op, "path").unwrap_or_else(|| Attr::array(vec![]));
        (path, path.as_i64_array().unwrap_or_default())
    }

    /// The indices of a path, which are the operands from this one on.
    fn indices(&self, op: OpId, from: usize) -> Vec<ValueId> {
        self.src.operands(op)[from..].iter().map(|&v| self.primal.get(v)).collect()
    }

    fn neg(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let c = if mutants::on(Site::TransposeNeg) { from.ct } else { ad::TNeg::build(b, from.ct, &[]) };
        self.flow_like(from, c, b);
    }

    fn scale(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let Incoming { op, ct, gate } = from;
        let factor = self.primal.get(self.src.operand(op, 1));
        let finite = is_finite(b.body, factor);
        // Exact zeros of a cotangent that is not dense annihilate, and so do factors that may be zero because nothing
        // reached them.
        let own = ad::Strong::of(self.src, op);
        let may_be_zero = self.partly_dense.contains_key(&ct) && !finite;
        let tangent = may_be_zero || own.is_some_and(ad::Strong::tangent);
        let strong = ad::Strong::from_sides(tangent, own.is_some_and(ad::Strong::factor));
        let strong = strong.filter(|_| !mutants::on(Site::TransposeStrong));
        let attrs = ad::Strong::attrs(strong);
        let c = if mutants::on(Site::TransposeScale) { ct } else { ad::TScale::build(b, ct, factor, &attrs) };
        if gate.is_some() && !finite {
            self.gate_pending.insert(c);
        }
        self.inherit(ct, c);
        if own.is_some() {
            self.partly_dense.insert(c, DenseParts::none());
        }
        self.flow(b, self.src.operand(op, 0), c, gate);
    }

    /// Adds to the cotangent of the whole, in place.
    fn extract(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let src = self.src;
        let Incoming { op, mut ct, mut gate } = from;
        let (result, operand) = (src.result(op, 0), src.operand(op, 0));
        let (path, steps) = self.path(op);
        if let Some(&(whole, part)) = self.part_reads.get(&op) {
            self.apply_gate(b, result);
            (ct, gate) = self.now(result).unwrap_or((ct, gate));
            self.note_part(b, (whole, part), result, ct);
        }
        if self.is_dense(ct) {
            self.dense_reads.insert(op);
        }
        // A row's gate says nothing of the matrix.
        gate = self.scalar_gate(b, ct, gate);
        let ix = self.indices(op, 1);
        self.apply_gate(b, operand);
        let before = self.now(operand).map(|(_, gate)| gate);
        let lost = mutants::on(Site::TransposeExtract);
        let base = if lost { ad::TZero::build(b, src.ty(operand), &[]) } else { self.or_zero(b, operand) };
        let sum = ad::TAccumulate::build(b, ct, base, &ix, &[("path", path)]);
        let open = match (before, gate) {
            (None, gate) => gate,
            (Some(Some(g)), Some(h)) => g.or(b, h),
            _ => None,
        };
        if let Some(g) = open {
            self.gates.insert(sum, g);
        }
        // The sum is dense only in parts that are dense wherever its gate is open.
        let holds = |own: Option<Gate>| own.is_none() || own == open;
        let mut dense = DenseParts::none();
        if before.is_some_and(holds) {
            dense = self.dense_parts(base);
        }
        if holds(gate) {
            dense.put(strip_tangent(b.ty(sum)), &steps, &self.dense_parts(ct));
        }
        self.set_dense_parts(sum, dense);
        self.cotangents.insert(operand, sum);
    }

    /// Notes what is known of a part of a value that is taken apart: `result` is the part, and `ct` its cotangent.
    fn note_part(&mut self, b: &mut Builder<'_>, (whole, part): (ValueId, usize), result: ValueId, ct: ValueId) {
        let before = Flow { reached: self.reached(b, whole), dense: self.part_is_dense(b, whole, part) };
        let here = Flow { reached: self.reached(b, result), dense: self.dense_parts_at_end(b, ct).is_whole() };
        let split = self.split.entry(whole);
        let split = split.or_insert_with(|| SplitFlow { whole: before, parts: Default::default() });
        split.parts.insert(part, here);
    }

    /// Reads the part's cotangent, and clears it in that of the base.
    fn insert(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let src = self.src;
        let Incoming { op, ct, gate } = from;
        let (written, base) = (src.operand(op, 0), src.operand(op, 1));
        let (path, steps) = self.path(op);
        let ix = self.indices(op, 2);
        let part = ad::TExtract::build(b, ct, &ix, src.ty(written), &[("path", path)]);
        if !self.dense_writes.contains(&op) || gate.is_some() {
            self.set_dense_parts(part, self.dense_parts(ct).part(&steps));
        }
        if !mutants::on(Site::TransposeInsertPart) {
            let gate = self.gate_of_part(b, gate, part, (&steps, !ix.is_empty()));
            let gate = self.gate_of_write(b, op, gate);
            self.flow(b, written, part, gate);
        }
        let zero = ad::TZero::build(b, src.ty(written), &[]);
        let kept = mutants::on(Site::TransposeClear);
        let cleared = if kept { ct } else { ad::TInsert::build(b, zero, ct, &ix, &[("path", path)]) };
        let whole = strip_tangent(src.ty(src.result(op, 0)));
        self.set_dense_parts(cleared, self.dense_parts(ct).without(whole, &steps));
        self.flow(b, base, cleared, gate);
    }

    /// Reads the part's cotangent; that of the base stays.
    fn accumulate(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let src = self.src;
        let Incoming { op, ct, gate } = from;
        let (added, base) = (src.operand(op, 0), src.operand(op, 1));
        let (path, steps) = self.path(op);
        let ix = self.indices(op, 2);
        let part = ad::TExtract::build(b, ct, &ix, src.ty(added), &[("path", path)]);
        self.set_dense_parts(part, self.dense_parts(ct).part(&steps));
        let gate_of_part = self.gate_of_part(b, gate, part, (&steps, !ix.is_empty()));
        let gate_of_part = self.gate_of_write(b, op, gate_of_part);
        self.flow(b, added, part, gate_of_part);
        if !mutants::on(Site::TransposeAccumulateBase) {
            self.flow(b, base, ct, gate);
        }
    }

    fn make(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let src = self.src;
        let Incoming { op, ct, gate } = from;
        let whole = strip_tangent(src.ty(src.result(op, 0)));
        for (i, &v) in src.operands(op).iter().enumerate() {
            let same = src.ty(v) == src.ty(src.operand(op, 0));
            let i = if same && mutants::on(Site::TransposeMake) { 0 } else { i };
            let steps = part_path(whole, strip_tangent(src.ty(v)), i);
            let part = ad::TExtract::build(b, ct, &[], src.ty(v), &[("path", Attr::i64_array(&steps))]);
            self.set_dense_parts(part, self.dense_parts(ct).part(&steps));
            let gate = self.gate_of_part(b, gate, part, (&steps, false));
            self.flow(b, v, part, gate);
        }
    }

    /// The gate of a part of a cotangent: a gate on lanes gives the lane's own. `path` is the steps to the part, and
    /// whether some of them are computed.
    fn gate_of_part(
        &mut self,
        b: &mut Builder<'_>,
        gate: Option<Gate>,
        part: ValueId,
        (steps, computed): (&[i64], bool),
    ) -> Option<Gate> {
        let lanes = gate.filter(|g| !g.is_scalar(b) && !mutants::on(Site::GateLanes));
        let Some(lanes) = lanes else { return gate };
        if computed || b.ty(lanes.condition).shape().len() < steps.len() {
            return self.scalar_gate(b, part, gate);
        }
        Some(Gate { condition: vector::extract(b, lanes.condition, steps), when: lanes.when })
    }

    /// A gate that holds for what a cotangent is moved to, which has other lanes: one on lanes ends here, and the
    /// cotangent may have zeros that nothing reached.
    fn scalar_gate(&mut self, b: &Builder<'_>, cotangent: ValueId, gate: Option<Gate>) -> Option<Gate> {
        if gate.is_none_or(|g| g.is_scalar(b)) || mutants::on(Site::GateLanes) {
            return gate;
        }
        self.set_dense_parts(cotangent, DenseParts::none());
        None
    }

    /// Sums the lanes up.
    fn splat(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let src = self.src;
        let Incoming { op, ct, gate } = from;
        let ty = src.ty(src.operand(op, 0));
        let first = vec![0; rank(src.ty(src.result(op, 0)))];
        let c = if mutants::on(Site::TransposeSplat) {
            ad::TExtract::build(b, ct, &[], ty, &[("path", Attr::i64_array(&first))])
        } else {
            ad::TSum::build(b, ct, ty, &[])
        };
        // The sum is dense if one lane is.
        if self.dense_parts(ct).is_empty() {
            self.set_dense_parts(c, DenseParts::none());
        }
        let gate = self.scalar_gate(b, c, gate);
        self.flow(b, src.operand(op, 0), c, gate);
    }

    fn sum(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let ty = self.src.ty(self.src.operand(from.op, 0));
        let mut c = ad::TSplat::build(b, from.ct, ty, &[]);
        if mutants::on(Site::TransposeSum) {
            let none = ad::TZero::build(b, ty, &[]);
            let first = vec![0; rank(ty)];
            c = ad::TInsert::build(b, from.ct, none, &[], &[("path", Attr::i64_array(&first))]);
        }
        self.flow_like(from, c, b);
    }

    /// To each side flows the cotangent where that side was selected, behind a gate that says so.
    fn select(&mut self, from: Incoming, b: &mut Builder<'_>) {
        let Incoming { op, ct, gate } = from;
        let condition = self.primal.get(self.src.operand(op, 0));
        for (i, when) in [(1, true), (2, false)] {
            let i = if mutants::on(Site::TransposeSelect) { 3 - i } else { i };
            let taken = Gate::side(condition, when);
            let c = taken.select(b, ct);
            let g = gate.map_or(taken, |outer| outer.and(b, taken));
            self.inherit(ct, c);
            self.flow(b, self.src.operand(op, i), c, Some(g));
        }
    }
}

/// Whether a partial is a number, whatever the operands are: a constant, or one of several.
fn is_finite(body: &Body, factor: ValueId) -> bool {
    let mut todo = vec![factor];
    while let Some(value) = todo.pop() {
        let Some(op) = body.def_op(value) else { return false };
        let number = |a: Attr| a.as_float().is_some_and(f64::is_finite);
        match arith::constant_of(body, value).map(|c| c.kind()) {
            Some(AttrKind::Dense(items, _)) if items.iter().all(|&a| number(a)) => {}
            Some(_) if arith::constant_of(body, value).is_some_and(number) => {}
            None if arith::Select::is(body, op) && todo.len() < MAX_CHOICES => todo.extend(&body.operands(op)[1..]),
            _ => return false,
        }
    }
    true
}

/// How many steps lead to a scalar of a vector or matrix.
fn rank(tangent: Type) -> usize {
    strip_tangent(tangent).shape().len()
}

/// The path to operand `i` of a make: a matrix may be made of its rows or of all its scalars.
fn part_path(whole: Type, part: Type, i: usize) -> Vec<i64> {
    let shape = whole.shape();
    if shape.len() == 2 && !part.is_vector() {
        return vec![(i / shape[1] as usize) as i64, (i % shape[1] as usize) as i64];
    }
    vec![i as i64]
}
