//! Structured control flow: selections and loops with their merges. What regions yield becomes
//! `OpPhi`.

use crate::assembly::{Id, Inst, Number, Operand};
use crate::chains::MOST_BRANCHES;
use crate::emit::Emit;
use crate::grammar::{Op, std450};
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts};
use caustic_dialects::scf;
use caustic_ir::{BlockId, Diagnostic, OpId, Type, ValueId};

/// Neither unrolled nor flattened on demand.
const NO_CONTROL: Operand = Operand::Word(("None", 0));

/// Where a loop's parts begin.
struct Labels {
    header: Id,
    test: Id,
    body: Id,
    next: Id,
    merge: Id,
}

/// A value that a loop carries: the instruction that chooses it, and what it is.
struct Carried {
    at: usize,
    id: Id,
}

impl Emit<'_> {
    fn labels(&mut self) -> Labels {
        let [header, test, body, next, merge] = std::array::from_fn(|_| self.out.id());
        Labels { header, test, body, next, merge }
    }

    pub fn begin_selection(&mut self, merge: Id) {
        self.push(Inst::new(Op::SelectionMerge, vec![Operand::Id(merge), NO_CONTROL]));
    }

    /// Does something if a condition holds.
    pub fn only_if(
        &mut self,
        condition: Id,
        then: &mut dyn FnMut(&mut Self) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (yes, merge) = (self.out.id(), self.out.id());
        self.begin_selection(merge);
        self.run(Op::BranchConditional, &[condition, yes, merge]);
        self.begin(yes);
        then(self)?;
        self.branch(merge);
        self.begin(merge);
        Ok(())
    }

    /// What `then` gives if a condition holds, else `otherwise`, which is there already.
    pub fn value_if(
        &mut self,
        condition: Id,
        (ty, otherwise): (Id, Id),
        then: &mut dyn FnMut(&mut Self) -> Result<Id, Diagnostic>,
    ) -> Result<Id, Diagnostic> {
        let (yes, merge, before) = (self.out.id(), self.out.id(), self.code.label);
        self.begin_selection(merge);
        self.run(Op::BranchConditional, &[condition, yes, merge]);
        self.begin(yes);
        let value = then(self)?;
        let end = self.code.label;
        self.branch(merge);
        self.begin(merge);
        Ok(self.op(Op::Phi, ty, &[value, end, otherwise, before]))
    }

    /// Does something for a number of 32 bits from `start` on, by `step`, while it is below `end`.
    pub fn counted_loop(
        &mut self,
        (start, end, step): (Id, Id, Id),
        each: &mut dyn FnMut(&mut Self, Id) -> Result<(), Diagnostic>,
    ) -> Result<(), Diagnostic> {
        let (uint, bool) = (self.out.int(32), self.out.bool());
        let labels = self.labels();
        let before = self.code.label;
        self.branch(labels.header);
        self.begin(labels.header);
        let counter = self.carry(uint, start, before);
        self.begin_loop(&labels);
        let goes_on = self.op(Op::ULessThan, bool, &[counter.id, end]);
        self.run(Op::BranchConditional, &[goes_on, labels.body, labels.merge]);
        self.begin(labels.body);
        each(self, counter.id)?;
        self.branch(labels.next);
        self.begin(labels.next);
        let next = self.op(Op::IAdd, uint, &[counter.id, step]);
        self.come_back(&[(counter, next)], &labels);
        Ok(())
    }

    /// Does something for the number of each bit that is set, the lowest first, with values (each
    /// given by its type and its beginning) that each time gives to the next, and the last one to
    /// the caller.
    pub fn each_bit(
        &mut self,
        bits: Id,
        begin: &[(Id, Id)],
        each: &mut dyn FnMut(&mut Self, Id, &[Id]) -> Result<Vec<Id>, Diagnostic>,
    ) -> Result<Vec<Id>, Diagnostic> {
        let (uint, bool, zero, one) = (self.out.int(32), self.out.bool(), self.out.word(0), self.out.word(1));
        let labels = self.labels();
        let before = self.code.label;
        self.branch(labels.header);
        self.begin(labels.header);
        let left = self.carry(uint, bits, before);
        let carried: Vec<Carried> = begin.iter().map(|&(ty, start)| self.carry(ty, start, before)).collect();
        let values: Vec<Id> = carried.iter().map(|c| c.id).collect();
        self.begin_loop(&labels);
        let goes_on = self.op(Op::INotEqual, bool, &[left.id, zero]);
        self.run(Op::BranchConditional, &[goes_on, labels.body, labels.merge]);
        self.begin(labels.body);
        let number = self.std450(std450::FIND_I_LSB, uint, &[left.id]);
        let given = each(self, number, &values)?;
        self.branch(labels.next);
        self.begin(labels.next);
        let lower = self.op(Op::ISub, uint, &[left.id, one]);
        let rest = self.op(Op::BitwiseAnd, uint, &[left.id, lower]);
        let mut back: Vec<(Carried, Id)> = carried.into_iter().zip(given).collect();
        back.push((left, rest));
        self.come_back(&back, &labels);
        Ok(values)
    }

    /// Does something again and again until it says that it is done, and gives its last value.
    pub fn until(&mut self, each: &mut dyn FnMut(&mut Self) -> Result<(Id, Id), Diagnostic>) -> Result<Id, Diagnostic> {
        let labels = self.labels();
        self.branch(labels.header);
        self.begin(labels.header);
        self.begin_loop(&labels);
        let (done, value) = each(self)?;
        self.branch(labels.next);
        self.begin(labels.next);
        self.run(Op::BranchConditional, &[done, labels.merge, labels.header]);
        self.begin(labels.merge);
        Ok(value)
    }

    /// Chooses at the beginning of a loop between what comes from before and what the last
    /// iteration gave, which is not known yet.
    fn carry(&mut self, ty: Id, start: Id, before: Id) -> Carried {
        let id = self.op(Op::Phi, ty, &[start, before]);
        Carried { at: self.code.insts.len() - 1, id }
    }

    fn begin_loop(&mut self, labels: &Labels) {
        let operands = vec![Operand::Id(labels.merge), Operand::Id(labels.next), NO_CONTROL];
        self.push(Inst::new(Op::LoopMerge, operands));
        self.branch(labels.test);
        self.begin(labels.test);
    }

    /// Goes back to the beginning, with these values for the next iteration.
    fn come_back(&mut self, carried: &[(Carried, Id)], labels: &Labels) {
        let from = self.code.label;
        for (carried, value) in carried {
            self.code.insts[carried.at].operands.extend([Operand::Id(*value), Operand::Id(from)]);
        }
        self.branch(labels.header);
        self.begin(labels.merge);
    }

    // ----- ops

    /// The region's ops, and what it yields.
    pub fn region(&mut self, block: BlockId) -> Result<Vec<Id>, Diagnostic> {
        let end = self.block(block)?;
        self.loc = self.body.loc(end);
        self.body.operands(end).iter().map(|&v| self.value(v)).collect()
    }

    pub fn bind_results(&mut self, op: OpId, ids: Vec<Id>) {
        for (&result, id) in self.body.results(op).iter().zip(ids) {
            self.bind_value(result, id);
        }
    }

    /// What a value is from now on.
    pub fn bind_value(&mut self, value: ValueId, id: Id) {
        if let Some(hint) = self.body.value(value).hint {
            self.out.name(id, &hint);
        }
        self.code.values.insert(value, id);
    }

    /// The values that branches give, each with the block that it comes from.
    fn merge(&mut self, op: OpId, ends: &[(Vec<Id>, Id)]) -> Result<(), Diagnostic> {
        let body = self.body;
        let mut ids = Vec::new();
        for (k, &result) in body.results(op).iter().enumerate() {
            let ty = self.ty(body.ty(result))?;
            let operands: Vec<Id> = ends.iter().flat_map(|(values, label)| [values[k], *label]).collect();
            ids.push(self.op(Op::Phi, ty, &operands));
        }
        self.bind_results(op, ids);
        Ok(())
    }

    pub fn branch_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let chain = self.chain(op);
        if chain.len() > MOST_BRANCHES {
            return self.chain_op(chain);
        }
        let body = self.body;
        let condition = self.value(body.operand(op, 0))?;
        let (yes, no, merge) = (self.out.id(), self.out.id(), self.out.id());
        let blocks = [body.region_block(op, 0), body.region_block(op, 1)];
        let short = body.results(op).is_empty() && self.is_empty(blocks[1]);
        self.begin_selection(merge);
        self.run(Op::BranchConditional, &[condition, yes, if short { merge } else { no }]);
        let mut ends = Vec::new();
        for (block, label) in blocks.into_iter().zip([yes, no]) {
            if label == no && short {
                continue;
            }
            self.begin(label);
            let values = match block {
                Some(block) => self.region(block)?,
                None => Vec::new(),
            };
            ends.push((values, self.code.label));
            self.branch(merge);
        }
        self.begin(merge);
        self.merge(op, &ends)
    }

    /// Whether a branch is without code, so that it goes to the end right away.
    fn is_empty(&self, block: Option<BlockId>) -> bool {
        block.is_none_or(|b| self.body.first_op(b) == self.body.terminator(b))
    }

    pub fn switch_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        let v = scf::IndexSwitch(op);
        let cases = v.cases(body).unwrap_or_default();
        let value = v.value(body);
        // A number of 32 bits that was widened is compared as it was.
        let narrow = self.code.narrow.get(&value).filter(|(_, signed)| *signed).map(|(id, _)| *id);
        let fits = cases.iter().all(|&c| i32::try_from(c).is_ok());
        let (selector, bits) = match narrow.filter(|_| fits) {
            Some(narrow) => (narrow, 32),
            None => (self.value(value)?, 64),
        };
        let merge = self.out.id();
        let labels: Vec<Id> = (0..=cases.len()).map(|_| self.out.id()).collect();
        self.begin_selection(merge);
        let mut operands = vec![Operand::Id(selector), Operand::Id(labels[0])];
        for (&case, &label) in cases.iter().zip(&labels[1..]) {
            let case = if bits == 32 { u64::from(case as u32) } else { case as u64 };
            operands.extend([Operand::Number(Number::Int(case, bits)), Operand::Id(label)]);
        }
        self.push(Inst::new(Op::Switch, operands));
        let mut ends = Vec::new();
        for (k, &label) in labels.iter().enumerate() {
            let block = body.region_block(op, k).ok_or_else(|| self.internal("a case without code"))?;
            self.begin(label);
            let values = self.region(block)?;
            ends.push((values, self.code.label));
            self.branch(merge);
        }
        self.begin(merge);
        self.merge(op, &ends)
    }

    pub fn for_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        let parts = ForParts::of(body, op).ok_or_else(|| self.internal("a malformed loop"))?;
        let operands = body.operands(op).to_vec();
        let ids = operands.iter().map(|&v| self.value(v)).collect::<Result<Vec<Id>, _>>()?;
        let [lower, upper, step] = [ids[0], ids[1], ids[2]];
        let counter_ty = self.ty(body.ty(operands[0]))?;
        let types: Vec<Type> = body.results(op).iter().map(|&r| body.ty(r)).collect();
        let types = types.into_iter().map(|ty| self.ty(ty)).collect::<Result<Vec<Id>, _>>()?;
        let labels = self.labels();
        let before = self.code.label;
        self.branch(labels.header);
        self.begin(labels.header);
        let counter = self.carry(counter_ty, lower, before);
        let carried: Vec<Carried> =
            ids[BOUNDS..].iter().zip(&types).map(|(&init, &ty)| self.carry(ty, init, before)).collect();
        let args = body.args(parts.body).to_vec();
        self.bind_value(args[0], counter.id);
        for (&arg, carried) in args[1..].iter().zip(&carried) {
            self.bind_value(arg, carried.id);
        }
        let results: Vec<Id> = carried.iter().map(|c| c.id).collect();
        self.begin_loop(&labels);
        let bool = self.out.bool();
        let goes_on = self.op(Op::SLessThan, bool, &[counter.id, upper]);
        self.run(Op::BranchConditional, &[goes_on, labels.body, labels.merge]);
        self.begin(labels.body);
        let yielded = self.region(parts.body)?;
        self.branch(labels.next);
        self.begin(labels.next);
        let next = self.op(Op::IAdd, counter_ty, &[counter.id, step]);
        let mut back: Vec<(Carried, Id)> = carried.into_iter().zip(yielded).collect();
        back.push((counter, next));
        self.come_back(&back, &labels);
        self.bind_results(op, results);
        Ok(())
    }

    pub fn while_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.body;
        let parts = WhileParts::of(body, op).ok_or_else(|| self.internal("a malformed loop"))?;
        let labels = self.labels();
        let inits = body.operands(op).to_vec();
        let ids = inits.iter().map(|&v| self.value(v)).collect::<Result<Vec<Id>, _>>()?;
        let types = inits.iter().map(|&v| self.ty(body.ty(v))).collect::<Result<Vec<Id>, _>>()?;
        let before = self.code.label;
        self.branch(labels.header);
        self.begin(labels.header);
        let carried: Vec<Carried> = ids.iter().zip(&types).map(|(&id, &ty)| self.carry(ty, id, before)).collect();
        for (&arg, carried) in body.args(parts.before).to_vec().iter().zip(&carried) {
            self.bind_value(arg, carried.id);
        }
        self.begin_loop(&labels);
        self.block(parts.before)?;
        let goes_on = self.value(parts.decides(body))?;
        let forwarded = parts.forwarded(body).to_vec();
        let forwarded = forwarded.into_iter().map(|v| self.value(v)).collect::<Result<Vec<Id>, _>>()?;
        self.run(Op::BranchConditional, &[goes_on, labels.body, labels.merge]);
        self.begin(labels.body);
        for (&arg, &id) in body.args(parts.after).to_vec().iter().zip(&forwarded) {
            self.code.values.insert(arg, id);
        }
        let yielded = self.region(parts.after)?;
        self.branch(labels.next);
        self.begin(labels.next);
        let back: Vec<(Carried, Id)> = carried.into_iter().zip(yielded).collect();
        self.come_back(&back, &labels);
        self.bind_results(op, forwarded);
        Ok(())
    }
}
