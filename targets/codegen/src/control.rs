//! Functions and structured control flow.
//!
//! Nested regions are written with a list of tasks instead of recursion, so that deep nesting costs
//! no native stack.

use crate::assembler::{Assembler, Compare, Flat, IntOp, Rounds};
use crate::emit::Emit;
use caustic_dialects::{func, scf};
use caustic_ir::{BlockId, Diagnostic, OpId};
use caustic_native::{Failure, Leaf, ThreadCtx};
use rustc_hash::{FxHashMap, FxHashSet};

enum Task<B> {
    /// The ops from this one to the end of its block.
    Ops(Option<OpId>),
    /// Goes on in this block.
    Start(B),
}

/// Where the terminators in an op's regions go.
#[derive(Clone, Copy)]
enum Target<V, B> {
    Join(B),
    For { body: B, exit: B, leaf: Leaf, index: V, upper: V, step: V, unit: bool, rounds: Rounds },
    While { before: B, after: B, exit: B },
}

struct Targets<V, B>(FxHashMap<OpId, Target<V, B>>);

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// The whole function, from its entry block.
    pub fn function(&mut self, entry: BlockId, check_depth: bool) -> Result<(), Diagnostic> {
        if check_depth {
            let limit = self.context_field(Leaf::I64, std::mem::offset_of!(ThreadCtx, stack_limit));
            let pointer = self.a.stack_pointer();
            let deep = self.a.compare(Compare::UnsignedLess, Leaf::I64, pointer, limit);
            self.fail_if(deep, Failure::Depth);
            self.look_at_stop();
        }
        self.slots(entry)?;
        let mut targets = Targets(FxHashMap::default());
        let mut tasks = vec![Task::Ops(self.body.first_op(entry))];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Start(block) => self.a.switch_to(block),
                Task::Ops(first) => {
                    let mut next = first;
                    while let Some(op) = next {
                        next = self.body.next_op(op);
                        self.begin(op);
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

    /// Ends the dispatch if it has been told to. Once an iteration, so that no loop outlasts the
    /// time limit.
    pub fn look_at_stop(&mut self) {
        if self.a.interruptible() {
            let address = self.context_field(Leaf::Addr, std::mem::offset_of!(ThreadCtx, stop));
            let stop = self.a.load_shared(address);
            let stop = self.a.resize(Leaf::I32, Leaf::I1, stop, false);
            self.fail_if(stop, Failure::Stopped);
        }
    }

    /// Emits `op`; true if the rest of its block is now a task or does not exist.
    fn control(
        &mut self,
        op: OpId,
        targets: &mut Targets<A::Value, A::Block>,
        tasks: &mut Vec<Task<A::Block>>,
    ) -> Result<bool, Diagnostic> {
        let rest = Task::Ops(self.body.next_op(op));
        match (scf::ScfView::of(self.body, op), func::FuncView::of(self.body, op)) {
            (Some(view), _) => self.structured(op, view, rest, targets, tasks)?,
            (_, Some(func::FuncView::Return(view))) => {
                let values = self.get_all(view.values(self.body))?;
                self.finish(&values);
            }
            (_, Some(func::FuncView::Call(_))) => {
                self.call(op)?;
                return Ok(false);
            }
            (_, Some(func::FuncView::Func(_)) | None) => {
                self.op(op)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn structured(
        &mut self,
        op: OpId,
        view: scf::ScfView,
        rest: Task<A::Block>,
        targets: &mut Targets<A::Value, A::Block>,
        tasks: &mut Vec<Task<A::Block>>,
    ) -> Result<(), Diagnostic> {
        use scf::ScfView as V;
        match view {
            V::If(view) => {
                let condition = self.get1(view.condition(self.body))?;
                let join = self.a.block();
                self.bind_params(join, self.body.results(op))?;
                targets.0.insert(op, Target::Join(join));
                let then = self.a.block();
                let otherwise = view.otherwise(self.body).map(|block| (block, self.a.block()));
                self.a.branch(condition, then, &[], otherwise.map_or(join, |(_, b)| b), &[]);
                tasks.extend([rest, Task::Start(join)]);
                if let Some((region, block)) = otherwise {
                    tasks.extend([Task::Ops(self.body.first_op(region)), Task::Start(block)]);
                }
                let first = self.region(op, 0)?;
                tasks.extend([Task::Ops(self.body.first_op(first)), Task::Start(then)]);
            }
            V::IndexSwitch(view) => {
                let value = self.get1(view.value(self.body))?;
                let join = self.a.block();
                self.bind_params(join, self.body.results(op))?;
                targets.0.insert(op, Target::Join(join));
                tasks.extend([rest, Task::Start(join)]);
                let cases = view.cases(self.body).unwrap_or_default();
                let mut table = Vec::with_capacity(cases.len());
                let mut seen = FxHashSet::default();
                let default = self.a.block();
                for (k, &case) in cases.iter().enumerate() {
                    // Of equal cases the first is taken.
                    if seen.insert(case) {
                        let block = self.a.block();
                        table.push((case, block));
                        let region = self.region(op, k + 1)?;
                        tasks.extend([Task::Ops(self.body.first_op(region)), Task::Start(block)]);
                    }
                }
                self.a.switch(value, &table, default);
                let region = self.region(op, 0)?;
                tasks.extend([Task::Ops(self.body.first_op(region)), Task::Start(default)]);
            }
            V::For(_) => self.enter_for(op, rest, targets, tasks)?,
            V::While(view) => {
                self.pin_tapes(op)?;
                let inits = self.get_all(view.inits(self.body))?;
                let (before_region, after_region) = (self.region(op, 0)?, self.region(op, 1)?);
                let (before, after, exit) = (self.a.block(), self.a.block(), self.a.block());
                self.bind_params(before, self.body.args(before_region))?;
                self.bind_params(after, self.body.args(after_region))?;
                self.bind_params(exit, self.body.results(op))?;
                targets.0.insert(op, Target::While { before, after, exit });
                self.a.jump(before, &inits);
                tasks.extend([rest, Task::Start(exit)]);
                tasks.extend([Task::Ops(self.body.first_op(after_region)), Task::Start(after)]);
                tasks.extend([Task::Ops(self.body.first_op(before_region)), Task::Start(before)]);
            }
            V::Yield(_) | V::Condition(_) => self.leave_region(op, targets)?,
        }
        Ok(())
    }

    pub fn region(&self, op: OpId, index: usize) -> Result<BlockId, Diagnostic> {
        self.body.region_block(op, index).ok_or_else(|| self.internal("a region without code"))
    }

    fn enter_for(
        &mut self,
        op: OpId,
        rest: Task<A::Block>,
        targets: &mut Targets<A::Value, A::Block>,
        tasks: &mut Vec<Task<A::Block>>,
    ) -> Result<(), Diagnostic> {
        self.pin_tapes(op)?;
        let (view, body) = (scf::For(op), self.body);
        let [lower, upper, step] = [view.lower(body), view.upper(body), view.step(body)];
        let leaf = self.leaf_of(lower)?;
        let unit = caustic_dialects::arith::constant_of(self.body, step).and_then(|a| a.as_int()) == Some(1);
        let [lower, upper, step] = [self.get1(lower)?, self.get1(upper)?, self.get1(step)?];
        let inits = self.get_all(view.inits(body))?;
        if !unit {
            let zero = self.a.int(leaf, 0);
            let bad = self.a.compare(Compare::SignedLessEqual, leaf, step, zero);
            self.fail_if(bad, Failure::Step);
        }
        let region = self.region(op, 0)?;
        let (body, exit) = (self.a.block(), self.a.block());
        self.bind_params(body, self.body.args(region))?;
        self.bind_params(exit, self.body.results(op))?;
        let index = self.get1(self.body.args(region)[0])?;
        let rounds = match () {
            _ if self.body.attr(op, scf::COLD).is_some() => Rounds::None,
            _ if self.body.attr(op, scf::WHOLE).is_some() => Rounds::All,
            _ if self.body.attr(op, scf::FEW).is_some() => Rounds::Few,
            _ => Rounds::Any,
        };
        targets.0.insert(op, Target::For { body, exit, leaf, index, upper, step, unit, rounds });
        let enter = self.a.compare(Compare::SignedLess, leaf, lower, upper);
        let mut first: Flat<A::Value> = Flat::from_slice(&[lower]);
        first.extend_from_slice(&inits);
        self.a.branch(enter, body, &first, exit, &inits);
        tasks.extend([rest, Task::Start(exit), Task::Ops(self.body.first_op(region)), Task::Start(body)]);
        Ok(())
    }

    /// `scf.yield` and `scf.condition`.
    fn leave_region(&mut self, op: OpId, targets: &Targets<A::Value, A::Block>) -> Result<(), Diagnostic> {
        let parent = self.body.op(op).block.and_then(|b| self.body.parent_op(b));
        let target = parent.and_then(|p| targets.0.get(&p)).copied();
        let values = self.get_all(self.body.operands(op))?;
        if !matches!(target, Some(Target::Join(_))) {
            self.look_at_stop();
        }
        match target {
            Some(Target::Join(join)) => {
                self.a.jump(join, &values);
            }
            Some(Target::For { body, exit, leaf, index, upper, step, unit, rounds }) => {
                let next = self.a.binary(IntOp::Add, leaf, index, step);
                let mut again = self.a.compare(Compare::SignedLess, leaf, next, upper);
                if !unit {
                    // Counting on past the largest integer ends the loop.
                    let no_wrap = self.a.compare(Compare::SignedLess, leaf, index, next);
                    again = self.and(again, no_wrap);
                }
                let mut carried: Flat<A::Value> = Flat::from_slice(&[next]);
                carried.extend_from_slice(&values);
                self.a.again(again, body, &carried, exit, &values, rounds);
            }
            Some(Target::While { after, exit, .. }) if scf::Condition::is(self.body, op) => {
                let forwarded = &values[1..];
                self.a.branch(values[0], after, forwarded, exit, forwarded);
            }
            Some(Target::While { before, .. }) => {
                self.a.jump(before, &values);
            }
            None => return Err(self.internal("a terminator outside of structured control flow")),
        }
        Ok(())
    }

    /// `func.call`.
    pub fn call(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let name = func::Call(op).callee(self.body);
        let name = name.ok_or_else(|| self.internal("func.call: no callee"))?;
        let args = self.get_all(self.body.operands(op))?;
        let (stopped, scalars) = self.a.call(name, self.loc, &args)?;
        self.exit_if(stopped);
        let mut scalars = scalars.into_iter();
        for &result in self.body.results(op) {
            let count = self.leaves(self.ty(result))?.len();
            let part = scalars.by_ref().take(count).collect();
            self.set(result, part);
        }
        Ok(())
    }
}
