//! Branches and loops: what they assign becomes what they yield and carry.

use super::variables::Var;
use super::{Assigned, Promoter};
use crate::mutants::{Site, mutant};
use caustic_dialects::{arith, hl, scf};
use caustic_ir::attr::sign_extend;
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Effects, Loc, OpId, Result, Type, ValueId};

/// A translated region of a branch: its block, what it yields, what it assigned.
struct Arm {
    block: BlockId,
    yielded: Vec<ValueId>,
    assigned: Assigned,
}

impl Arm {
    /// What a variable holds at the end of the region; `before` is what it held around the branch.
    #[mutant(Site::PromoteBranch => before)]
    fn value_of(&self, var: Var, before: ValueId) -> ValueId {
        self.assigned.binary_search_by_key(&var, |e| e.0).map_or(before, |at| self.assigned[at].1)
    }
}

impl Promoter<'_> {
    pub(super) fn branch(&mut self, op: OpId, to: BlockId) -> Result<()> {
        let loc = self.old.loc(op);
        let condition = self.value(hl::If(op).condition(self.old), loc)?;
        let new = scf::If::build(&mut Builder::at_end(&mut self.new, to, loc), condition, &[], &[]);
        self.arms(op, new, loc)
    }

    pub(super) fn switch(&mut self, op: OpId, to: BlockId) -> Result<()> {
        let (old, loc) = (self.old, self.old.loc(op));
        let value = self.value(hl::Switch(op).value(old), loc)?;
        let ty = self.new.ty(value);
        let cases = hl::Switch(op).cases(old).unwrap_or_default();
        if cases.len() + 1 != old.op(op).regions.len() {
            return Err(Diagnostic::invalid_ir(
                loc,
                "hl.switch: one region for the default and one for each case is needed",
            ));
        }
        // Case labels are compared in the type of the value; the cast below keeps the sign as the
        // labels do.
        let cases: Vec<i64> = cases.iter().map(|&c| sign_extend(c, ty.scalar_bits().unwrap_or(64))).collect();
        let mut b = Builder::at_end(&mut self.new, to, loc);
        let value = match ty {
            t if t.is_index() => value,
            t if t.is_i1() => arith::IndexCastUI::build(&mut b, value, Type::index(), &[]),
            _ => arith::IndexCast::build(&mut b, value, Type::index(), &[]),
        };
        let attrs = [("cases", Attr::i64_array(&cases))];
        let new = b.create(scf::IndexSwitch::DEF, &[value], &[], &attrs, cases.len() + 1);
        self.arms(op, new, loc)
    }

    /// Translates the regions of `op` into those of `new`, whose results become those of `op` and
    /// the assigned variables.
    fn arms(&mut self, op: OpId, new: OpId, loc: Loc) -> Result<()> {
        let old = self.old;
        let mut arms = Vec::new();
        for (i, &region) in self.new.op(new).regions.clone().iter().enumerate() {
            let block = self.new.add_block(region, &[]);
            let mark = self.open_scope();
            let yielded = match old.region_block(op, i) {
                Some(from) => {
                    let end = self.block(from, block)?;
                    self.expect_yield(end)?;
                    self.operands(end)?
                }
                None => Vec::new(),
            };
            if yielded.len() != old.results(op).len() {
                let text = format!("{}: a region yields {} values", old.op(op).def.name, yielded.len());
                return Err(Diagnostic::invalid_ir(loc, text));
            }
            arms.push(Arm { block, yielded, assigned: self.close_scope(mark) });
        }
        let mut vars: Vec<Var> = arms.iter().flat_map(|arm| arm.assigned.iter().map(|&(var, _)| var)).collect();
        vars.sort_unstable();
        vars.dedup();
        let mut merged = Vec::new();
        for var in vars {
            let before = self.current(var, loc)?;
            let finals: Vec<ValueId> = arms.iter().map(|arm| arm.value_of(var, before)).collect();
            // The same value from several arms was there before; what the only arm of a switch
            // gives may be its own.
            if finals.iter().all(|&v| v == finals[0]) && (arms.len() > 1 || finals[0] == before) {
                self.assign(var, finals[0]);
                continue;
            }
            for (arm, value) in arms.iter_mut().zip(finals) {
                arm.yielded.push(value);
            }
            merged.push(var);
        }
        for arm in &arms {
            scf::Yield::build(&mut Builder::at_end(&mut self.new, arm.block, loc), &arm.yielded, &[]);
        }
        for (i, &result) in old.results(op).iter().enumerate() {
            let value = self.new.add_result(new, old.ty(result));
            self.define(op, i, value)?;
        }
        for var in merged {
            let value = self.new.add_result(new, self.variables.ty(var));
            self.assign(var, value);
        }
        Ok(())
    }

    fn expect_yield(&self, end: OpId) -> Result<()> {
        if hl::Yield::is(self.old, end) {
            return Ok(());
        }
        let text = format!("{} where hl.yield has to stand", self.old.op(end).def.name);
        Err(Diagnostic::invalid_ir(self.old.loc(end), text))
    }

    /// A loop whose condition is pure is tested at the top of each iteration. Else, and for
    /// `do … while`, the condition's value is carried as one more value: computed before the loop
    /// (or true) and at the end of each iteration.
    pub(super) fn loop_op(&mut self, op: OpId, to: BlockId) -> Result<()> {
        let (old, loc) = (self.old, self.old.loc(op));
        let region =
            |i: usize| old.region_block(op, i).ok_or_else(|| Diagnostic::invalid_ir(loc, "hl.loop: an empty region"));
        let (condition, body, step) = (region(0)?, region(1)?, region(2)?);
        let test_first = hl::Loop(op).test_first(old).unwrap_or(true);
        let carry_condition = !test_first || !self.is_pure(condition);
        let mut inits = Vec::new();
        if carry_condition {
            inits.push(if test_first {
                self.condition(condition, to)?
            } else {
                arith::bool(&mut Builder::at_end(&mut self.new, to, loc), true)
            });
        }
        let carried = self.variables.assigned_in(op).to_vec();
        for &var in &carried {
            inits.push(self.current(var, loc)?);
        }
        let types: Vec<Type> = inits.iter().map(|&v| self.new.ty(v)).collect();
        let attrs: Vec<(&str, Attr)> =
            ["max_iters", "unroll"].into_iter().filter_map(|name| Some((name, old.attr(op, name)?))).collect();
        let first_var = carry_condition as usize;

        let mut b = Builder::at_end(&mut self.new, to, loc);
        let new = scf::While::build(&mut b, &inits, &types, &attrs);
        let before = b.add_block(new, 0, &types);
        let after = b.add_block(new, 1, &types);

        let args = self.new.args(before).to_vec();
        let mark = self.open_scope();
        self.assign_all(&carried, &args[first_var..]);
        let test = if carry_condition { args[0] } else { self.condition(condition, before)? };
        self.close_scope(mark);
        scf::Condition::build(&mut Builder::at_end(&mut self.new, before, loc), test, &args, &[]);

        let args = self.new.args(after).to_vec();
        let mark = self.open_scope();
        self.assign_all(&carried, &args[first_var..]);
        for part in [body, step] {
            let end = self.block(part, after)?;
            self.expect_yield(end)?;
        }
        let mut next = Vec::new();
        if carry_condition {
            next.push(self.condition(condition, after)?);
        }
        for &var in &carried {
            next.push(self.current(var, loc)?);
        }
        self.close_scope(mark);
        scf::Yield::build(&mut Builder::at_end(&mut self.new, after, loc), &next, &[]);

        let results = self.new.results(new).to_vec();
        self.assign_all(&carried, &results[first_var..]);
        Ok(())
    }

    fn assign_all(&mut self, vars: &[Var], values: &[ValueId]) {
        for (&var, &value) in vars.iter().zip(values) {
            self.assign(var, value);
        }
    }

    /// Translates a condition region to the end of `to`; returns the condition.
    fn condition(&mut self, from: BlockId, to: BlockId) -> Result<ValueId> {
        let end = self.block(from, to)?;
        match hl::Condition::cast(self.old, end) {
            Some(end) => self.value(end.condition(self.old), self.old.loc(end.0)),
            None => {
                Err(Diagnostic::invalid_ir(self.old.loc(end), "hl.loop: the condition does not end with hl.condition"))
            }
        }
    }

    /// Whether the block only computes: it reads no memory but variables, and assigns none but its
    /// own.
    fn is_pure(&self, block: BlockId) -> bool {
        let old = self.old;
        let reads_variable = |op: OpId| self.variables.of_ref(old.operand(op, 0)).is_some();
        let assigns_own = |op: OpId| {
            let var = self.variables.of_ref(old.operand(op, 1));
            var.is_some_and(|v| old.is_block_within(self.variables.declared_in(v), block))
        };
        nested_ops(old, block).into_iter().all(|op| {
            matches!(old.op(op).def.effects, Effects::Pure | Effects::Terminator)
                || hl::If::is(old, op)
                || hl::Var::is(old, op)
                || (hl::Load::is(old, op) && reads_variable(op))
                || (hl::Store::is(old, op) && assigns_own(op))
        })
    }
}

fn nested_ops(body: &Body, block: BlockId) -> Vec<OpId> {
    let mut ops = Vec::new();
    for op in body.block_ops(block) {
        ops.push(op);
        for &region in &body.op(op).regions {
            ops.extend(body.walk(region));
        }
    }
    ops
}
