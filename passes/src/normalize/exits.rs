//! Step 1, `normalize-exits` (hl -> hl): no break, no continue, one return as the function's last
//! op.
//!
//! Where one branch of an `hl.if` always leaves, what stands behind the `if` moves into the other
//! branch: no flag is needed. Else an exit sets flags, local variables of i1, one for each
//! construct that it leaves, and what stands behind the construct runs under the flag of the
//! innermost one around it. A loop ends through its condition, which includes its flag and computes
//! nothing else with an effect once that is set; its step is skipped too, but for `continue`.
//!
//! Invariant: an op is moved once at most, so the time is linear in the size of the function.

use super::depth;
use super::flow::{Exits, FlowMap, exit_of};
use crate::manager::{Changed, ModuleView, PassReport};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::hints::{RESULT, RETURNED};
use caustic_dialects::{arith, hl};
use caustic_ir::{Attr, BlockId, Body, Builder, Diagnostic, Loc, Name, OpId, Result, SymbolOp, Type, ValueId};

passes! {
    /// Removes break, continue and early return from high-level code.
    ///
    /// What stands behind an `hl.if` of which one branch always leaves moves into the other branch;
    /// else exits set flags, and loops test theirs in their condition. Afterwards a function has
    /// one `hl.return`, its last op.
    pub static NORMALIZE_EXITS: "normalize-exits" {
        level: function, options: none, before: "hl", after: "hl without early exits", statistics: [],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, _: &mut PassReport| run(symbol).map(Changed::from).map_err(|d| vec![d]),
    }
}

/// What an exit may leave.
enum Scope {
    Function,
    /// `stop`: no further iteration. `skip`: nothing more of this iteration's body.
    Loop {
        stop: Option<ValueId>,
        skip: Option<ValueId>,
    },
    Switch {
        left: ValueId,
    },
}

struct Exiter<'a> {
    body: &'a mut Body,
    flows: FlowMap,
    scopes: Vec<Scope>,
    /// Set where the function has an early return: the flag, and the variable that holds what is
    /// returned.
    returned: Option<ValueId>,
    result: Option<ValueId>,
    flags: Vec<ValueId>,
}

/// Removes the early exits of an `hl.func`, other symbols stay as they are; whether anything
/// changed.
pub fn run(symbol: &mut SymbolOp) -> Result<bool> {
    if !std::ptr::eq(symbol.def, hl::Func::DEF) {
        return Ok(false);
    }
    let results = symbol.function_type().map_or(&[][..], |(_, results)| results);
    let Some(entry) = symbol.body.entry() else { return Ok(false) };
    depth::check(&symbol.body, symbol.loc)?;
    let body = &mut symbol.body;
    let mut exits = body.walk_all().into_iter().filter(|&op| exit_of(body, op).is_some());
    if exits.next() == body.last_op(entry) && exits.next().is_none() {
        return Ok(false);
    }
    let flows = FlowMap::compute(body);
    let mut exiter = Exiter { body, flows, scopes: vec![Scope::Function], returned: None, result: None, flags: vec![] };
    exiter.function(entry, results.first().copied(), symbol.loc)?;
    exiter.drop_unread_flags();
    depth::check(&symbol.body, symbol.loc)?;
    Ok(true)
}

impl Exiter<'_> {
    fn function(&mut self, entry: BlockId, result: Option<Type>, loc: Loc) -> Result<()> {
        let early =
            self.body.block_ops(entry).iter().any(|&op| self.flows.get(op).is_some_and(|f| f.outside.exits.returns));
        let last = self.body.last_op(entry);
        if !early && last.is_some_and(|op| hl::Return::is(self.body, op)) {
            return self.block(entry, true);
        }
        let first = self.body.first_op(entry);
        let mut b = Builder { body: self.body, block: entry, before: first, loc };
        self.result = result.map(|ty| variable(&mut b, ty, RESULT));
        self.returned = Some(variable(&mut b, Type::i1(), RETURNED));
        self.flags.extend(self.returned);
        self.block(entry, false)?;
        if let Some(end) = self.body.terminator(entry) {
            self.body.erase_op(end);
        }
        let mut b = Builder::at_end(self.body, entry, last.map_or(loc, |_| loc));
        let values: Vec<ValueId> = match (self.result, result) {
            (Some(var), Some(ty)) => vec![hl::Load::build(&mut b, var, ty, &[])],
            _ => vec![],
        };
        hl::Return::build(&mut b, &values, &[]);
        Ok(())
    }

    /// Removes the exits in `block`. `keep_return`: its terminator is the function's only return.
    fn block(&mut self, block: BlockId, keep_return: bool) -> Result<()> {
        let ops = self.body.block_ops(block);
        if let Some(&last) = ops.last()
            && !keep_return
        {
            self.exit(last)?;
        }
        // From the last to the first: what stands behind an op has no exits any more when it is
        // moved.
        for &op in ops.iter().rev() {
            if self.body.is_erased(op) {
                continue;
            }
            let Some(flow) = self.flows.take(op) else { continue };
            let exits = flow.outside.exits;
            if hl::Loop::is(self.body, op) {
                self.loop_op(op, flow.regions.get(1).map_or(Exits::default(), |f| f.exits))?;
            } else if hl::Switch::is(self.body, op) {
                self.switch(op, flow.regions.iter().any(|f| f.exits.any()))?;
            } else {
                if exits.any() {
                    self.check_no_results(op)?;
                    let ends: Vec<bool> = flow.regions.iter().map(|f| f.completes).collect();
                    if self.sink_rest(block, op, &ends) {
                        self.regions(op)?;
                        continue;
                    }
                }
                self.regions(op)?;
            }
            if exits.any() {
                self.guard_rest(block, op);
            }
        }
        Ok(())
    }

    fn regions(&mut self, op: OpId) -> Result<()> {
        for i in 0..self.body.op(op).regions.len() {
            if let Some(block) = self.body.region_block(op, i) {
                self.block(block, false)?;
            }
        }
        Ok(())
    }

    fn check_no_results(&self, op: OpId) -> Result<()> {
        if self.body.results(op).is_empty() {
            return Ok(());
        }
        let text = format!("{}: an early exit inside of an op with results", self.body.op(op).def.name);
        Err(Diagnostic::invalid_ir(self.body.loc(op), text))
    }

    fn loop_op(&mut self, op: OpId, exits: Exits) -> Result<()> {
        let loc = self.body.loc(op);
        let mut stop = None;
        if exits.breaks || exits.returns {
            let Some(mut b) = Builder::before(self.body, op) else { return Ok(()) };
            stop = Some(variable(&mut b, Type::i1(), "stop"));
        }
        let Some(body_block) = self.body.region_block(op, 1) else {
            return Err(Diagnostic::invalid_ir(loc, "hl.loop: no body"));
        };
        let mut skip = None;
        if exits.continues {
            let first = self.body.first_op(body_block);
            skip = Some(variable(
                &mut Builder { body: self.body, block: body_block, before: first, loc },
                Type::i1(),
                "skip",
            ));
        }
        self.flags.extend(stop);
        self.flags.extend(skip);
        self.scopes.push(Scope::Loop { stop, skip });
        self.block(body_block, false)?;
        self.scopes.pop();
        for region in [0, 2] {
            if let Some(block) = self.body.region_block(op, region) {
                // Conditions and steps are expressions: they have regions, but no exits.
                self.block(block, false)?;
                if let Some(stop) = stop {
                    if region == 0 { self.stop_condition(block, stop)? } else { self.stop_step(block, stop) }
                }
            }
        }
        Ok(())
    }

    fn switch(&mut self, op: OpId, exits: bool) -> Result<()> {
        if !exits {
            return self.regions(op);
        }
        let Some(mut b) = Builder::before(self.body, op) else { return Ok(()) };
        let left = variable(&mut b, Type::i1(), "left");
        self.flags.push(left);
        self.scopes.push(Scope::Switch { left });
        self.regions(op)?;
        self.scopes.pop();
        Ok(())
    }

    /// The flag by which what stands behind a branch is not run once the function has returned.
    #[mutant(Site::ExitsReturn => None)]
    fn has_returned(&self) -> Option<ValueId> {
        self.returned
    }

    /// Replaces a terminator that is an exit: sets the flags of what it leaves, and falls through.
    fn exit(&mut self, op: OpId) -> Result<()> {
        let Some(exit) = exit_of(self.body, op) else { return Ok(()) };
        let loc = self.body.loc(op);
        let value = self.body.operands(op).first().copied();
        let mut flags = Vec::new();
        let mut found = exit.returns;
        for scope in self.scopes.iter().rev() {
            match scope {
                Scope::Function => flags.extend(self.has_returned()),
                Scope::Loop { stop, skip } => {
                    flags.extend(*skip);
                    if !exit.continues {
                        flags.extend(*stop);
                    }
                    found |= exit.continues || exit.breaks;
                }
                Scope::Switch { left } => {
                    flags.push(*left);
                    found |= exit.breaks;
                }
            }
            if found && !exit.returns {
                break;
            }
        }
        if !found {
            return Err(Diagnostic::invalid_ir(loc, format!("{}: not in a loop", self.body.op(op).def.name)));
        }
        let Some(mut b) = Builder::before(self.body, op) else { return Ok(()) };
        if let (Some(var), Some(value)) = (self.result, value) {
            hl::Store::build(&mut b, value, var, &[]);
        }
        if !flags.is_empty() {
            let yes = arith::bool(&mut b, true);
            for flag in flags {
                hl::Store::build(&mut b, yes, flag, &[]);
            }
        }
        hl::Yield::build(&mut b, &[], &[]);
        self.body.erase_op(op);
        Ok(())
    }

    /// Where at most one branch of an `hl.if` completes, moves what stands behind it into that
    /// branch, or erases it if there is none.
    fn sink_rest(&mut self, block: BlockId, op: OpId, completes: &[bool]) -> bool {
        let open: Vec<usize> = (0..completes.len()).filter(|&i| completes[i]).collect();
        let rest = self.rest(op);
        let loc = self.body.loc(op);
        match open.as_slice() {
            [] => {
                for &dead in rest.iter().rev() {
                    self.body.erase_op(dead);
                }
            }
            [branch] => {
                let Some(target) = self.body.region_block(op, *branch) else { return false };
                if let Some(end) = self.body.terminator(target) {
                    self.body.erase_op(end);
                }
                for &moved in &rest {
                    self.body.move_op(moved, target, None);
                }
            }
            _ => return false,
        }
        hl::Yield::build(&mut Builder::at_end(self.body, block, loc), &[], &[]);
        true
    }

    fn rest(&self, op: OpId) -> Vec<OpId> {
        std::iter::successors(self.body.next_op(op), |&op| self.body.next_op(op)).collect()
    }

    /// Puts what stands behind `op` under the flag of the construct around.
    fn guard_rest(&mut self, block: BlockId, op: OpId) {
        let rest = self.rest(op);
        if rest.len() <= 1 {
            return;
        }
        let flag = match self.scopes.last() {
            Some(Scope::Loop { stop, skip }) => skip.or(*stop),
            Some(Scope::Switch { left }) => Some(*left),
            Some(Scope::Function) | None => self.returned,
        };
        let Some(flag) = flag else { return };
        let loc = self.body.loc(op);
        let mut b = Builder::at_end(self.body, block, loc);
        let set = hl::Load::build(&mut b, flag, Type::i1(), &[]);
        let guard = hl::If::build(&mut b, set, &[], &[]);
        let skipped = b.add_block(guard, 0, &[]);
        hl::Yield::build(&mut b.at(skipped), &[], &[]);
        let target = b.add_block(guard, 1, &[]);
        hl::Yield::build(&mut b, &[], &[]);
        for moved in rest {
            self.body.move_op(moved, target, None);
        }
    }

    /// condition -> condition and not stopped; computed only if not stopped where that could
    /// matter.
    fn stop_condition(&mut self, block: BlockId, stop: ValueId) -> Result<()> {
        let end = self.body.terminator(block).and_then(|op| hl::Condition::cast(self.body, op));
        let Some(end) = end else {
            let loc = self.body.last_op(block).map_or(Loc::unknown(), |op| self.body.loc(op));
            return Err(Diagnostic::invalid_ir(loc, "hl.loop: the first region does not end with hl.condition"));
        };
        let loc = self.body.loc(end.0);
        let condition = end.condition(self.body);
        let ops: Vec<OpId> = self.body.block_ops(block).into_iter().filter(|&op| op != end.0).collect();
        let harmless = ops.iter().all(|&op| {
            let def = self.body.op(op).def;
            (def.is_pure() || hl::Load::is(self.body, op)) && def.regions.is_empty()
        });
        let mut b = Builder { body: self.body, block, before: Some(end.0), loc };
        let stopped = hl::Load::build(&mut b, stop, Type::i1(), &[]);
        let combined = if harmless {
            let yes = arith::bool(&mut b, true);
            let go = arith::XOrI::build(&mut b, stopped, yes, &[]);
            let always = arith::constant_of(b.body, condition).and_then(|c| c.as_bool()) == Some(true);
            if always { go } else { arith::AndI::build(&mut b, condition, go, &[]) }
        } else {
            let test = hl::If::build(&mut b, stopped, &[Type::i1()], &[]);
            let ended = b.add_block(test, 0, &[]);
            let mut e = b.at(ended);
            let no = arith::bool(&mut e, false);
            hl::Yield::build(&mut e, &[no], &[]);
            let open = b.add_block(test, 1, &[]);
            for op in ops {
                b.body.move_op(op, open, None);
            }
            hl::Yield::build(&mut b.at(open), &[condition], &[]);
            b.body.result(test, 0)
        };
        self.body.set_operand(end.0, 0, combined);
        Ok(())
    }

    fn stop_step(&mut self, block: BlockId, stop: ValueId) {
        let ops = self.body.block_ops(block);
        let [first, .., _] = ops.as_slice() else { return };
        let loc = self.body.loc(*first);
        let mut b = Builder { body: self.body, block, before: Some(*first), loc };
        let stopped = hl::Load::build(&mut b, stop, Type::i1(), &[]);
        let guard = hl::If::build(&mut b, stopped, &[], &[]);
        let ended = b.add_block(guard, 0, &[]);
        hl::Yield::build(&mut b.at(ended), &[], &[]);
        let open = b.add_block(guard, 1, &[]);
        for op in ops {
            b.body.move_op(op, open, None);
        }
        hl::Yield::build(&mut Builder::at_end(self.body, block, loc), &[], &[]);
    }

    fn drop_unread_flags(&mut self) {
        for flag in std::mem::take(&mut self.flags) {
            let users: Vec<OpId> = self.body.uses(flag).iter().map(|u| u.op).collect();
            if !users.iter().all(|&op| hl::Store::is(self.body, op)) {
                continue;
            }
            for op in users {
                let value = self.body.operand(op, 0);
                self.body.erase_op(op);
                if let Some(constant) = self.body.def_op(value).filter(|_| self.body.is_unused(value)) {
                    self.body.erase_op(constant);
                }
            }
            if let Some(var) = self.body.def_op(flag) {
                self.body.erase_op(var);
            }
        }
    }
}

fn variable(b: &mut Builder<'_>, ty: Type, name: &str) -> ValueId {
    let var = hl::Var::build(b, hl::ref_type(ty), &[("name", Attr::string(name))]);
    b.body.set_hint(var, Some(Name::new(name)));
    var
}
