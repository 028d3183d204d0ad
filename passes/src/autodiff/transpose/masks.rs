//! The masks of cotangents as code: conditions, selects of pending masks, and sums.

use super::{Current, Transposer};
use crate::autodiff::gates::{self, Gate, Reached};
use crate::autodiff::zero_masks::{Condition, ConditionId, CotangentId, Flow, Flows, Mask, Predicate};
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, strip_tangent};
use caustic_dialects::{arith, vector};
use caustic_ir::{Attr, Builder, Diagnostic, OpId, Result, ValueId};

impl Transposer<'_> {
    /// The value that a condition is. It is computed here if it is asked for the first time.
    pub(super) fn condition(&mut self, b: &mut Builder<'_>, id: ConditionId) -> Result<ValueId> {
        if let Some(&known) = self.conditions.get(&id) {
            return Ok(known);
        }
        let masks = self.masks;
        let internal = |text: &str| Diagnostic::internal(b.loc, text);
        let value = match masks.predicates.get(id) {
            Condition::Primal(value) => return Ok(self.primal.get(*value)),
            Condition::Flag | Condition::Arms { .. } => return Err(internal("a reached flag that nothing gives")),
            Condition::Not(p) => self.gate(b, *p)?.value(b),
            Condition::And(p, q) => {
                let (x, y) = self.both_sides(b, *p, *q)?;
                arith::AndI::build(b, x, y, &[])
            }
            Condition::Or(p, q) => {
                let (x, y) = self.both_sides(b, *p, *q)?;
                arith::OrI::build(b, x, y, &[])
            }
            Condition::Lane(lanes, steps) => {
                let lanes = self.condition(b, *lanes)?;
                vector::extract(b, lanes, steps)
            }
            Condition::Inside(op) => {
                let inside = gates::inside(b, self.src, *op, &|v| self.primal.get(v));
                inside.ok_or_else(|| Diagnostic::internal(b.loc, "an index that is inside for sure"))?.value(b)
            }
            Condition::Runs(count) => {
                let zero = arith::index(b, 0);
                arith::cmpi(b, arith::IntPredicate::Sgt, self.primal.get(*count), zero)
            }
            Condition::Nonzero(value) => {
                let current = self.cotangents.get(value).copied();
                let current = current.ok_or_else(|| internal("a condition on a cotangent that is absent"))?;
                let ty = strip_tangent(b.ty(current.value));
                let data = ad::Unwrap::build(b, current.value, ty, &[]);
                let zero = arith::zero(b, ty);
                arith::cmpf(b, arith::FloatPredicate::Une, data, zero)
            }
        };
        self.conditions.insert(id, value);
        Ok(value)
    }

    /// Two predicates as booleans.
    fn both_sides(&mut self, b: &mut Builder<'_>, p: Predicate, q: Predicate) -> Result<(ValueId, ValueId)> {
        let (p, q) = (self.gate(b, p)?, self.gate(b, q)?);
        Ok((p.value(b), q.value(b)))
    }

    /// A predicate in the new code.
    pub(super) fn gate(&mut self, b: &mut Builder<'_>, p: Predicate) -> Result<Gate> {
        Ok(Gate { condition: self.condition(b, p.condition)?, when: p.when })
    }

    /// A mask in the new code.
    pub(super) fn reached(&mut self, b: &mut Builder<'_>, mask: Mask) -> Result<Reached> {
        Ok(match mask {
            Mask::Zero => Reached::Never,
            Mask::Masked(p) => Reached::If(self.gate(b, p)?),
            Mask::Dense => Reached::Always,
        })
    }

    /// A value as the cotangent of which this is known. Its mask is computed before anything else
    /// is, so that it stands before all that it masks.
    pub(super) fn current(&mut self, b: &mut Builder<'_>, value: ValueId, id: CotangentId) -> Result<Current> {
        let known = self.masks.get(id);
        self.reached(b, known.mask)?;
        Ok(Current { value, id, pending: known.pending })
    }

    /// The cotangent after its pending mask is applied: an exact zero where that says so.
    pub(super) fn applied(&mut self, b: &mut Builder<'_>, cotangent: Current) -> Result<Current> {
        let predicate = self.masks.get(cotangent.id).mask.predicate().filter(|_| cotangent.pending);
        let value = self.masked(b, cotangent.value, predicate)?;
        Ok(Current { value, pending: false, ..cotangent })
    }

    /// A cotangent where a predicate holds, if there is one.
    pub(super) fn masked(
        &mut self,
        b: &mut Builder<'_>,
        value: ValueId,
        predicate: Option<Predicate>,
    ) -> Result<ValueId> {
        let Some(predicate) = predicate else { return Ok(value) };
        Ok(self.gate(b, predicate)?.select(b, value))
    }

    /// Applies the pending mask of a value's cotangent.
    pub(super) fn apply(&mut self, b: &mut Builder<'_>, value: ValueId) -> Result<()> {
        if let Some(&c) = self.cotangents.get(&value) {
            let applied = self.applied(b, c)?;
            self.cotangents.insert(value, applied);
        }
        Ok(())
    }

    pub(super) fn apply_all(&mut self, b: &mut Builder<'_>, values: &[ValueId]) -> Result<()> {
        values.iter().try_for_each(|&v| self.apply(b, v))
    }

    /// Adds to what has flowed to `value` a cotangent that comes by the operand of an op.
    pub(super) fn flow(
        &mut self,
        b: &mut Builder<'_>,
        by: (OpId, usize),
        value: ValueId,
        cotangent: ValueId,
    ) -> Result<()> {
        match self.masks.flow(self.src, by)? {
            Some(flow) => self.add(b, value, cotangent, flow),
            None => Ok(()),
        }
    }

    /// What has flowed to a value so far.
    #[mutant(Site::TransposeAccumulate => None)]
    fn flowed(&self, value: ValueId) -> Option<Current> {
        self.cotangents.get(&value).copied()
    }

    fn add(&mut self, b: &mut Builder<'_>, value: ValueId, cotangent: ValueId, flow: Flow) -> Result<()> {
        let own = self.current(b, cotangent, flow.own)?;
        let Some(before) = self.flowed(value) else {
            self.cotangents.insert(value, own);
            return Ok(());
        };
        let sum = flow.sum.ok_or_else(|| Diagnostic::internal(b.loc, "a sum of cotangents that was not foreseen"))?;
        let x = self.masked(b, before.value, sum.apply_before)?;
        let y = self.masked(b, own.value, sum.apply_own)?;
        let both = ad::TAdd::build(b, x, y, &[]);
        let both = self.current(b, both, sum.sum)?;
        self.cotangents.insert(value, both);
        Ok(())
    }

    /// Like [`Self::flow`], of a cotangent whose parts may go to what its struct is made of.
    pub(super) fn flow_parts(
        &mut self,
        b: &mut Builder<'_>,
        by: (OpId, usize),
        value: ValueId,
        cotangent: ValueId,
    ) -> Result<()> {
        let masks = self.masks;
        self.flow_by_parts(b, masks.flows(self.src, by)?, value, cotangent)
    }

    fn flow_by_parts(&mut self, b: &mut Builder<'_>, flows: &Flows, value: ValueId, cotangent: ValueId) -> Result<()> {
        let src = self.src;
        let flows = match flows {
            Flows::Nothing => return Ok(()),
            Flows::Whole(flow) => return self.add(b, value, cotangent, *flow),
            Flows::Parts(flows) => flows,
        };
        let maker = src.def_op(value).ok_or_else(|| Diagnostic::internal(b.loc, "parts of what is not made"))?;
        for (k, (&part, flow)) in src.operands(maker).iter().zip(flows).enumerate() {
            if matches!(flow, Flows::Nothing) {
                continue;
            }
            let path = [("path", Attr::i64_array(&[k as i64]))];
            let c = ad::TExtract::build(b, cotangent, &[], src.ty(part), &path);
            self.flow_by_parts(b, flow, part, c)?;
        }
        Ok(())
    }
}
