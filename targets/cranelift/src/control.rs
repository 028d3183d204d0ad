//! Functions and structured control flow.
//!
//! Nested regions are written with a list of tasks instead of recursion, so that deep nesting costs no native stack.

use crate::emit::{Emit, Flat, MEM, jump_args};
use crate::machine::Clif;
use caustic_dialects::{func, scf};
use caustic_ir::{BlockId, Diagnostic, OpId};
use caustic_native::Leaf;
use caustic_native::ThreadCtx;
use caustic_native::{Failure, Helper};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Switch;
use rustc_hash::{FxHashMap, FxHashSet};

enum Task {
    /// The ops from this one to the end of its block.
    Ops(Option<OpId>),
    /// Goes on in this block.
    Start(Block),
}

/// Where the terminators in an op's regions go.
#[derive(Clone, Copy)]
enum Target {
    Join(Block),
    For { body: Block, exit: Block, index: Value, upper: Value, step: Value, unit: bool },
    While { before: Block, after: Block, exit: Block },
}

#[derive(Default)]
struct Targets(FxHashMap<OpId, Target>);

impl Emit<'_, '_> {
    /// The whole function, from its entry block.
    pub fn function(&mut self, entry: BlockId, check_depth: bool) -> Result<(), Diagnostic> {
        if check_depth {
            let limit = self.context_word(std::mem::offset_of!(ThreadCtx, stack_limit));
            let pointer = self.b.ins().get_stack_pointer(types::I64);
            let deep = self.b.ins().icmp(IntCC::UnsignedLessThan, pointer, limit);
            self.fail_if(deep, Failure::Depth);
            self.look_at_stop();
        }
        self.slots(entry)?;
        let mut targets = Targets::default();
        let mut tasks = vec![Task::Ops(self.body.first_op(entry))];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Start(block) => self.b.switch_to_block(block),
                Task::Ops(first) => {
                    let mut next = first;
                    while let Some(op) = next {
                        next = self.body.next_op(op);
                        self.loc = self.body.loc(op);
                        if self.control(op, &mut targets, &mut tasks)? {
                            break;
                        }
                    }
                }
            }
        }
        self.finish_trap();
        Ok(())
    }

    /// Ends the dispatch if it has been told to. Once an iteration, so that no loop outlasts the time limit.
    fn look_at_stop(&mut self) {
        if self.cx.interruptible {
            let address = self.context_word(std::mem::offset_of!(ThreadCtx, stop));
            // An atomic load: an ordinary one could be taken for that of an outer loop.
            let stop = self.b.ins().atomic_load(types::I32, MEM, address);
            self.fail_if(stop, Failure::Stopped);
        }
    }

    fn fail_if(&mut self, condition: Value, failure: Failure) {
        let (cold, go_on) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        self.b.ins().brif(condition, cold, &[], go_on, &[]);
        self.b.switch_to_block(cold);
        let kind = self.b.ins().iconst(types::I32, failure as i64);
        let site = self.site();
        self.helper(Helper::Fail, &[self.ctx, kind, site]);
        let trap = self.trap_block();
        self.b.ins().jump(trap, &[]);
        self.b.switch_to_block(go_on);
    }

    /// Emits `op`; true if the rest of its block is now a task or does not exist.
    fn control(&mut self, op: OpId, targets: &mut Targets, tasks: &mut Vec<Task>) -> Result<bool, Diagnostic> {
        let rest = Task::Ops(self.body.next_op(op));
        match self.body.op(op).def.name {
            scf::If::NAME => {
                let condition = self.get1(self.body.operand(op, 0))?;
                let join = self.b.create_block();
                self.bind_params(join, self.body.results(op))?;
                targets.0.insert(op, Target::Join(join));
                let then = self.b.create_block();
                let otherwise = self.body.region_block(op, 1).map(|block| (block, self.b.create_block()));
                self.b.ins().brif(condition, then, &[], otherwise.map_or(join, |(_, b)| b), &[]);
                tasks.extend([rest, Task::Start(join)]);
                if let Some((region, block)) = otherwise {
                    tasks.extend([Task::Ops(self.body.first_op(region)), Task::Start(block)]);
                }
                let first = self.region(op, 0)?;
                tasks.extend([Task::Ops(self.body.first_op(first)), Task::Start(then)]);
            }
            scf::IndexSwitch::NAME => {
                let value = self.get1(self.body.operand(op, 0))?;
                let join = self.b.create_block();
                self.bind_params(join, self.body.results(op))?;
                targets.0.insert(op, Target::Join(join));
                tasks.extend([rest, Task::Start(join)]);
                let cases = self.body.attr(op, "cases").and_then(|a| a.as_i64_array()).unwrap_or_default();
                let mut switch = Switch::new();
                let mut seen = FxHashSet::default();
                let default = self.b.create_block();
                for (k, &case) in cases.iter().enumerate() {
                    // Of equal cases the first is taken.
                    if seen.insert(case) {
                        let block = self.b.create_block();
                        switch.set_entry(case as u64 as u128, block);
                        let region = self.region(op, k + 1)?;
                        tasks.extend([Task::Ops(self.body.first_op(region)), Task::Start(block)]);
                    }
                }
                switch.emit(&mut self.b, value, default);
                let region = self.region(op, 0)?;
                tasks.extend([Task::Ops(self.body.first_op(region)), Task::Start(default)]);
            }
            scf::For::NAME => self.enter_for(op, rest, targets, tasks)?,
            scf::While::NAME => {
                let inits = self.get_all(self.body.operands(op))?;
                let (before_region, after_region) = (self.region(op, 0)?, self.region(op, 1)?);
                let (before, after, exit) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
                self.bind_params(before, self.body.args(before_region))?;
                self.bind_params(after, self.body.args(after_region))?;
                self.bind_params(exit, self.body.results(op))?;
                targets.0.insert(op, Target::While { before, after, exit });
                self.b.ins().jump(before, &jump_args(&inits));
                tasks.extend([rest, Task::Start(exit)]);
                tasks.extend([Task::Ops(self.body.first_op(after_region)), Task::Start(after)]);
                tasks.extend([Task::Ops(self.body.first_op(before_region)), Task::Start(before)]);
            }
            scf::Yield::NAME | scf::Condition::NAME => {
                self.leave_region(op, targets)?;
                return Ok(true);
            }
            func::Return::NAME => {
                let values = self.get_all(self.body.operands(op))?;
                self.finish(&values);
                return Ok(true);
            }
            func::Call::NAME => {
                self.call(op)?;
                return Ok(false);
            }
            _ => {
                self.op(op)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn region(&self, op: OpId, index: usize) -> Result<BlockId, Diagnostic> {
        self.body.region_block(op, index).ok_or_else(|| self.internal("a region without code"))
    }

    fn enter_for(
        &mut self,
        op: OpId,
        rest: Task,
        targets: &mut Targets,
        tasks: &mut Vec<Task>,
    ) -> Result<(), Diagnostic> {
        let operands = self.body.operands(op);
        let [lower, upper, step] = [0, 1, 2].map(|i| operands[i]);
        let unit = caustic_dialects::arith::constant_of(self.body, step).and_then(|a| a.as_int()) == Some(1);
        let [lower, upper, step] = [self.get1(lower)?, self.get1(upper)?, self.get1(step)?];
        let inits = self.get_all(&operands[3..])?;
        if !unit {
            let zero = self.iconst(self.leaf_of(operands[2])?, 0);
            let bad = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, step, zero);
            self.fail_if(bad, Failure::Step);
        }
        let region = self.region(op, 0)?;
        let (body, exit) = (self.b.create_block(), self.b.create_block());
        self.bind_params(body, self.body.args(region))?;
        self.bind_params(exit, self.body.results(op))?;
        let index = self.get1(self.body.args(region)[0])?;
        targets.0.insert(op, Target::For { body, exit, index, upper, step, unit });
        let enter = self.b.ins().icmp(IntCC::SignedLessThan, lower, upper);
        let mut first: Flat = Flat::from_slice(&[lower]);
        first.extend_from_slice(&inits);
        self.b.ins().brif(enter, body, &jump_args(&first), exit, &jump_args(&inits));
        tasks.extend([rest, Task::Start(exit), Task::Ops(self.body.first_op(region)), Task::Start(body)]);
        Ok(())
    }

    pub fn leaf_of(&self, value: caustic_ir::ValueId) -> Result<Leaf, Diagnostic> {
        Leaf::of(self.ty(value).elem()).ok_or_else(|| self.internal(format!("no scalar: {}", self.ty(value))))
    }

    /// `scf.yield` and `scf.condition`.
    fn leave_region(&mut self, op: OpId, targets: &Targets) -> Result<(), Diagnostic> {
        let parent = self.body.op(op).block.and_then(|b| self.body.parent_op(b));
        let target = parent.and_then(|p| targets.0.get(&p)).copied();
        let values = self.get_all(self.body.operands(op))?;
        if !matches!(target, Some(Target::Join(_))) {
            self.look_at_stop();
        }
        match target {
            Some(Target::Join(join)) => {
                self.b.ins().jump(join, &jump_args(&values));
            }
            Some(Target::For { body, exit, index, upper, step, unit }) => {
                let next = self.b.ins().iadd(index, step);
                let mut again = self.b.ins().icmp(IntCC::SignedLessThan, next, upper);
                if !unit {
                    // Counting on past the largest integer ends the loop.
                    let no_wrap = self.b.ins().icmp(IntCC::SignedGreaterThan, next, index);
                    again = self.b.ins().band(again, no_wrap);
                }
                let mut carried: Flat = Flat::from_slice(&[next]);
                carried.extend_from_slice(&values);
                self.b.ins().brif(again, body, &jump_args(&carried), exit, &jump_args(&values));
            }
            Some(Target::While { after, exit, .. }) if scf::Condition::is(self.body, op) => {
                let forwarded = jump_args(&values[1..]);
                self.b.ins().brif(values[0], after, &forwarded, exit, &forwarded);
            }
            Some(Target::While { before, .. }) => {
                self.b.ins().jump(before, &jump_args(&values));
            }
            None => return Err(self.internal("a terminator outside of structured control flow")),
        }
        Ok(())
    }

    fn call(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let name = self.body.attr(op, "callee").and_then(|a| a.as_symbol());
        let name = name.ok_or_else(|| self.internal("func.call: no callee"))?;
        let callee = self.cx.callee(name, self.loc)?;
        let f = self.callee(&callee);
        let mut args: Flat = Flat::from_slice(&[self.ctx]);
        let memory = callee.returns_in_memory().then(|| self.stack_memory(callee.results.len() as u64 * 8));
        args.extend(memory);
        args.extend(self.get_all(self.body.operands(op))?);
        let inst = self.b.ins().call(f, &args);
        let returned: Flat = self.b.inst_results(inst).iter().copied().collect();
        self.exit_if(returned[0]);
        let scalars: Flat = match memory {
            Some(at) => (callee.results.iter().enumerate())
                .map(|(i, leaf)| self.b.ins().load(leaf.clif(), MEM, at, (i * 8) as i32))
                .collect(),
            None => returned[1..].iter().copied().collect(),
        };
        let mut scalars = scalars.into_iter();
        for &result in self.body.results(op) {
            let count = self.leaves(self.ty(result))?.len();
            let part = scalars.by_ref().take(count).collect();
            self.set(result, part);
        }
        Ok(())
    }
}
