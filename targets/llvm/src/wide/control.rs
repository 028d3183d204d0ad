//! Functions and structured control flow for several threads at once.
//!
//! A condition that is the same for all is a jump. Where threads part, each side runs for those
//! that take it, one side after the other, and is skipped if there are none; what the sides give is
//! blended. A loop runs as long as any thread is in it; what those that have left it took with them
//! is kept. Like the emission for one thread, it is written with a list of tasks instead of
//! recursion.

use super::assembler::Wide;
use super::value::Val;
use crate::ir::{Block, IntCc, Opcode, Ty, Value};
use caustic_codegen::{Assembler, Compare, Emit, Flat, IntOp, Uniformity, is_unseen_update};
use caustic_dialects::{arith, func, scf};
use caustic_ir::{BlockId, Diagnostic, OpId, ValueId};
use caustic_native::{Failure, Leaf};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Ops of a side up to which it is not worth a jump.
const SHORT: usize = 12;

enum Task {
    /// The ops from this one to the end of its block.
    Ops(Option<OpId>),
    /// Goes on in this block, with these threads.
    Start { block: Block, mask: Option<Value>, params: Vec<(ValueId, Vec<Phi>)> },
}

/// A value that each jump to a block brings.
#[derive(Clone, Copy)]
struct Phi {
    value: Value,
    leaf: Leaf,
    varies: bool,
}

/// Where the terminators in an op's regions go.
#[derive(Clone)]
enum Target {
    /// The same side for all threads.
    Join(Block, Vec<Phi>),
    Sides(Sides),
    For(For),
    While(While),
}

/// An `if` or a switch of which threads take different sides.
#[derive(Clone)]
struct Sides {
    outer: Option<Value>,
    /// Region and who takes it, those that are still to come last first.
    left: Vec<(usize, Value)>,
    /// Who takes the side that is being written.
    condition: Value,
    /// The block that jumps over it, and the one after it.
    skip: Option<(Block, Block)>,
    results: Option<Flat<Val>>,
}

#[derive(Clone)]
struct For {
    leaf: Leaf,
    index: Val,
    upper: Val,
    step: Val,
    unit: bool,
    body: Block,
    phis: Vec<Phi>,
    exit: Block,
    exit_phis: Vec<Phi>,
    /// Where threads leave one after the other.
    parted: Option<Parted>,
}

#[derive(Clone)]
struct Parted {
    /// Who is in the loop, as it comes to the body.
    inside: Value,
    mask_phi: Phi,
    /// What those who left have taken with them; `None` of results that nobody uses.
    taken: Vec<Option<Phi>>,
    taken_values: Vec<Option<Val>>,
}

#[derive(Clone)]
struct While {
    before: Block,
    before_phis: Vec<Phi>,
    after: Block,
    after_phis: Vec<Phi>,
    exit: Block,
    exit_phis: Vec<Phi>,
    parted: Option<Parted>,
    /// Who goes on, as the condition has found.
    staying: Option<Value>,
}

pub struct Control<'e, 'a, 'm> {
    pub e: &'e mut Emit<'m, Wide<'a, 'm>>,
    pub uniformity: Rc<Uniformity>,
    targets: FxHashMap<OpId, Target>,
    tasks: Vec<Task>,
}

impl<'e, 'a, 'm> Control<'e, 'a, 'm> {
    pub fn new(e: &'e mut Emit<'m, Wide<'a, 'm>>, uniformity: Rc<Uniformity>) -> Control<'e, 'a, 'm> {
        Control { e, uniformity, targets: FxHashMap::default(), tasks: Vec::new() }
    }

    /// The whole function, from its entry block.
    pub fn function(&mut self, entry: BlockId) -> Result<(), Diagnostic> {
        self.e.slots(entry)?;
        self.tasks.push(Task::Ops(self.e.body.first_op(entry)));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Start { block, mask, params } => {
                    self.e.a.switch_to(block);
                    self.e.a.mask = mask;
                    for (value, phis) in params {
                        let scalars = phis.iter().map(|phi| self.value_of(*phi)).collect();
                        self.e.set(value, scalars);
                    }
                }
                Task::Ops(first) => {
                    let mut next = first;
                    while let Some(op) = next {
                        next = self.e.body.next_op(op);
                        self.e.begin(op);
                        if self.control(op)? {
                            break;
                        }
                    }
                }
            }
        }
        self.e.finish_trap();
        Ok(())
    }

    // ----- phis

    fn phi_ty(&mut self, leaf: Leaf, varies: bool) -> Ty {
        let w = &mut self.e.a;
        match (varies, leaf) {
            // Masks have the width of numbers where they are kept: machines without registers for
            // masks blend by these.
            (true, Leaf::I1) => w.wide_ty(Leaf::I32),
            (true, leaf) => w.wide_ty(leaf),
            (false, leaf) => w.s.unit.ir.scalar(leaf),
        }
    }
    fn phi(&mut self, block: Block, leaf: Leaf, varies: bool) -> Phi {
        let ty = self.phi_ty(leaf, varies);
        Phi { value: self.e.a.s.unit.ir.phi(block, ty), leaf, varies }
    }
    /// What a phi stands for, once its block has begun.
    fn value_of(&mut self, phi: Phi) -> Val {
        match (phi.varies, phi.leaf) {
            (true, Leaf::I1) => {
                let ir = &mut self.e.a.s.unit.ir;
                let zero = ir.null(ir.type_of(phi.value));
                Val::varying(ir.icmp(IntCc::LLVMIntSLT, phi.value, zero))
            }
            (true, _) => Val::varying(phi.value),
            (false, _) => Val::uniform(phi.value),
        }
    }
    /// A value as a phi takes it.
    fn brought(&mut self, x: Val, leaf: Leaf, varies: bool) -> Value {
        let w = &mut self.e.a;
        if !varies {
            return w.one(x);
        }
        let v = w.vector(x);
        if leaf == Leaf::I1 {
            let ty = w.wide_ty(Leaf::I32);
            return w.s.unit.ir.cast(Opcode::LLVMSExt, v, ty);
        }
        v
    }
    fn bring_all(&mut self, values: &[Val], phis: &[Phi]) -> Vec<Value> {
        values.iter().zip(phis).map(|(&x, phi)| self.brought(x, phi.leaf, phi.varies)).collect()
    }
    fn phis_of(&mut self, block: Block, values: &[ValueId]) -> Result<Vec<(ValueId, Vec<Phi>)>, Diagnostic> {
        let mut out = Vec::new();
        for &value in values {
            let varies = self.uniformity.varies(value);
            let leaves = self.e.leaves(self.e.ty(value))?;
            out.push((value, leaves.iter().map(|&leaf| self.phi(block, leaf, varies)).collect()));
        }
        Ok(out)
    }
    fn flat(params: &[(ValueId, Vec<Phi>)]) -> Vec<Phi> {
        params.iter().flat_map(|(_, phis)| phis.iter().copied()).collect()
    }
    fn start(&mut self, block: Block, mask: Option<Value>, params: Vec<(ValueId, Vec<Phi>)>) {
        self.tasks.push(Task::Start { block, mask, params });
    }
    fn ops(&mut self, op: OpId, region: usize) -> Result<(), Diagnostic> {
        let block = self.e.region(op, region)?;
        self.tasks.push(Task::Ops(self.e.body.first_op(block)));
        Ok(())
    }

    // ----- ops

    /// Emits `op`; true if the rest of its block is now a task or does not exist.
    fn control(&mut self, op: OpId) -> Result<bool, Diagnostic> {
        use scf::ScfView as V;
        let body = self.e.body;
        if !body.op(op).def.is_pure() && !is_unseen_update(body, op) {
            self.e.a.settle();
        }
        match (V::of(body, op), func::FuncView::of(body, op)) {
            (Some(V::If(_) | V::IndexSwitch(_)), _) => self.enter_sides(op)?,
            (Some(V::For(_)), _) => self.enter_for(op)?,
            (Some(V::While(_)), _) => self.enter_while(op)?,
            (Some(V::Yield(_) | V::Condition(_)), _) => self.leave_region(op)?,
            (_, Some(func::FuncView::Return(view))) => {
                let values = self.e.get_all(view.values(body))?;
                self.e.finish(&values);
            }
            (_, Some(func::FuncView::Call(_))) => {
                self.e.call(op)?;
                self.agree(op)?;
                return Ok(false);
            }
            (_, Some(func::FuncView::Func(_)) | None) => {
                self.e.op(op)?;
                self.agree(op)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is the same for all, though each thread has worked it out by itself, is a scalar.
    fn agree(&mut self, op: OpId) -> Result<(), Diagnostic> {
        for &result in self.e.body.results(op) {
            if self.uniformity.varies(result) {
                continue;
            }
            let scalars = self.e.get(result)?;
            if scalars.iter().any(|x| x.varying) {
                let scalars = scalars.iter().map(|&x| Val::uniform(self.e.a.one(x))).collect();
                self.e.set(result, scalars);
            }
        }
        Ok(())
    }

    fn rest(&mut self, op: OpId) {
        self.tasks.push(Task::Ops(self.e.body.next_op(op)));
    }

    /// The values that select each region of an `if` or a switch, and the region that is taken
    /// otherwise.
    fn cases(&self, op: OpId) -> (Vec<(i64, usize)>, Option<usize>) {
        let body = self.e.body;
        if scf::If::is(body, op) {
            return (vec![(1, 0)], body.region_block(op, 1).map(|_| 1));
        }
        let cases = scf::IndexSwitch(op).cases(body).unwrap_or_default();
        let mut seen = FxHashSet::default();
        // Of equal cases the first is taken.
        let cases = cases.iter().enumerate().filter(|(_, case)| seen.insert(**case)).map(|(k, &case)| (case, k + 1));
        (cases.collect(), Some(0))
    }

    fn enter_sides(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let value = self.e.get1(self.e.body.operand(op, 0))?;
        let (cases, default) = self.cases(op);
        self.rest(op);
        if value.varying {
            return self.part(op, value, &cases, default);
        }
        let mask = self.e.a.mask;
        let join = self.e.a.block();
        let params = self.phis_of(join, self.e.body.results(op))?;
        self.targets.insert(op, Target::Join(join, Self::flat(&params)));
        self.start(join, mask, params);
        let other = if default.is_some() { self.e.a.block() } else { join };
        if let Some(default) = default {
            self.ops(op, default)?;
            self.start(other, mask, Vec::new());
        }
        let mut table = Vec::new();
        for &(case, region) in &cases {
            let block = self.e.a.block();
            table.push((case, block));
            self.ops(op, region)?;
            self.start(block, mask, Vec::new());
        }
        match table.as_slice() {
            &[(_, then)] if scf::If::is(self.e.body, op) => self.e.a.branch(value, then, &[], other, &[]),
            table => self.e.a.switch(value, table, other),
        }
        Ok(())
    }

    // ----- sides that threads take separately

    fn part(&mut self, op: OpId, value: Val, cases: &[(i64, usize)], default: Option<usize>) -> Result<(), Diagnostic> {
        let mut left = Vec::new();
        let leaf = self.e.leaf_of(self.e.body.operand(op, 0))?;
        let mut others: Option<Value> = None;
        for &(case, region) in cases {
            let condition = if leaf == Leaf::I1 {
                value.v
            } else {
                let case = self.e.a.int(leaf, case);
                self.e.a.compare(Compare::Equal, leaf, value, case).v
            };
            left.push((region, condition));
            let not = self.e.a.not(condition);
            others = Some(match others {
                Some(so_far) => self.e.a.s.unit.ir.binary(Opcode::LLVMAnd, so_far, not),
                None => not,
            });
        }
        if let Some(region) = default {
            let rest = match others {
                Some(others) => others,
                None => self.e.a.active(),
            };
            left.push((region, rest));
        }
        // In the order of the regions, which is that of the instances of ops that bring threads
        // together.
        left.sort_by_key(|&(region, _)| std::cmp::Reverse(region));
        let outer = self.e.a.mask;
        let condition = self.e.a.active();
        let sides = Sides { outer, left, condition, skip: None, results: None };
        self.next_side(op, sides)
    }

    /// Begins the next side, or goes on after the last.
    fn next_side(&mut self, op: OpId, mut sides: Sides) -> Result<(), Diagnostic> {
        self.e.a.mask = sides.outer;
        let Some((region, condition)) = sides.left.pop() else {
            let mut scalars = sides.results.unwrap_or_default().into_iter();
            for &result in self.e.body.results(op) {
                let count = self.e.leaves(self.e.ty(result))?.len();
                let part = scalars.by_ref().take(count).collect();
                self.e.set(result, part);
            }
            return Ok(());
        };
        let mask = self.e.a.and_mask(condition);
        sides.condition = condition;
        sides.skip = None;
        if !self.is_short(op, region) {
            let any = self.e.a.any(mask);
            let (side, after) = (self.e.a.block(), self.e.a.block());
            sides.skip = Some((self.e.a.s.unit.ir.here(), after));
            self.e.a.s.branch(any, side, &[], after, &[]);
            self.e.a.switch_to(side);
        }
        self.e.a.mask = Some(mask);
        self.targets.insert(op, Target::Sides(sides));
        self.ops(op, region)
    }

    /// Whether a side can run even if nobody takes it, and costs little.
    fn is_short(&self, op: OpId, region: usize) -> bool {
        let body = self.e.body;
        let Some(block) = body.region_block(op, region) else { return false };
        let mut next = body.first_op(block);
        let mut count = 0;
        while let Some(op) = next {
            let def = body.op(op).def;
            let cheap = def.is_pure() && crate::math::function(def.name).is_none() && body.op(op).regions.is_empty();
            count += 1;
            if !(cheap || scf::Yield::is(body, op)) || count > SHORT {
                return false;
            }
            next = body.next_op(op);
        }
        true
    }

    fn leave_side(&mut self, parent: OpId, mut sides: Sides, values: Flat<Val>) -> Result<(), Diagnostic> {
        let mut values = values;
        if let Some((before, after)) = sides.skip {
            let leaves: Vec<Leaf> = {
                let mut all = Vec::new();
                for &result in self.e.body.results(parent) {
                    all.extend(self.e.leaves(self.e.ty(result))?);
                }
                all
            };
            let brought: Vec<Value> =
                values.iter().zip(&leaves).map(|(&x, &leaf)| self.brought(x, leaf, x.varying)).collect();
            let end = self.e.a.s.unit.ir.here();
            self.e.a.s.jump(after, &[]);
            self.e.a.switch_to(after);
            let mut phis = Vec::new();
            for ((x, &leaf), value) in values.iter().zip(&leaves).zip(brought) {
                let ir = &mut self.e.a.s.unit.ir;
                let ty = ir.type_of(value);
                let nothing = ir.null(ty);
                phis.push(Phi { value: ir.phi_here(ty, &[(value, end), (nothing, before)]), leaf, varies: x.varying });
            }
            values = phis.into_iter().map(|phi| self.value_of(phi)).collect();
        }
        sides.results = Some(match sides.results {
            None => values,
            Some(so_far) => {
                let mut blended = Flat::new();
                for (&new, &old) in values.iter().zip(&so_far) {
                    let (new, old) = (self.e.a.vector(new), self.e.a.vector(old));
                    blended.push(Val::varying(self.e.a.s.unit.ir.select(sides.condition, new, old)));
                }
                blended
            }
        });
        self.next_side(parent, sides)
    }

    // ----- loops

    /// The phis of a loop that threads leave one after the other: who is inside, and what the
    /// others have taken with them.
    fn parted(&mut self, op: OpId, block: Block) -> Result<Parted, Diagnostic> {
        let mask_phi = self.phi(block, Leaf::I1, true);
        let mut taken = Vec::new();
        for &result in self.e.body.results(op) {
            let used = !self.e.body.is_unused(result);
            for leaf in self.e.leaves(self.e.ty(result))? {
                taken.push(used.then(|| self.phi(block, leaf, true)));
            }
        }
        Ok(Parted { inside: mask_phi.value, mask_phi, taken, taken_values: Vec::new() })
    }
    /// Once the block of the phis has begun.
    fn begin_parted(&mut self, parted: &mut Parted) {
        parted.inside = self.value_of(parted.mask_phi).v;
        parted.taken_values = parted.taken.clone().into_iter().map(|phi| phi.map(|p| self.value_of(p))).collect();
        self.e.a.mask = Some(parted.inside);
    }
    /// What a loop's region reads, from the phis of its block, which has begun.
    fn begin_region(&mut self, params: Vec<(ValueId, Vec<Phi>)>, parted: Option<&mut Parted>) {
        for (value, phis) in params {
            let scalars = phis.iter().map(|phi| self.value_of(*phi)).collect();
            self.e.set(value, scalars);
        }
        if let Some(parted) = parted {
            self.begin_parted(parted);
        }
    }
    /// What each result is for those that are inside, and for those that have left.
    fn take(&mut self, parted: &Parted, values: &[Val]) -> Vec<Option<Val>> {
        let mut out = Vec::new();
        for (&value, kept) in values.iter().zip(&parted.taken_values) {
            out.push(kept.map(|kept| {
                let (new, kept) = (self.e.a.vector(value), self.e.a.vector(kept));
                Val::varying(self.e.a.s.unit.ir.select(parted.inside, new, kept))
            }));
        }
        out
    }
    fn bring_parted(&mut self, parted: &Parted, inside: Value, taken: &[Option<Val>]) -> Vec<Value> {
        let mut out = vec![self.brought(Val::varying(inside), Leaf::I1, true)];
        for (phi, value) in parted.taken.iter().zip(taken) {
            if let Some(phi) = phi {
                let value = match value {
                    Some(value) => *value,
                    None => self.e.a.zero(phi.leaf),
                };
                out.push(self.brought(value, phi.leaf, true));
            }
        }
        out
    }
    /// The phis of the results that are used, for the block after the loop.
    fn result_phis(&mut self, op: OpId, exit: Block, parted: bool) -> Result<Vec<(ValueId, Vec<Phi>)>, Diagnostic> {
        let body = self.e.body;
        let results: Vec<ValueId> =
            body.results(op).iter().copied().filter(|&r| !parted || !body.is_unused(r)).collect();
        let mut params = Vec::new();
        for result in results {
            let varies = parted || self.uniformity.varies(result);
            let leaves = self.e.leaves(self.e.ty(result))?;
            params.push((result, leaves.iter().map(|&leaf| self.phi(exit, leaf, varies)).collect()));
        }
        Ok(params)
    }

    fn enter_for(&mut self, op: OpId) -> Result<(), Diagnostic> {
        self.e.pin_tapes(op)?;
        let body = self.e.body;
        let view = scf::For(op);
        let bounds = [view.lower(body), view.upper(body), view.step(body)];
        let unit = arith::constant_of(body, bounds[2]).and_then(|a| a.as_int()) == Some(1);
        let [lower, upper, step] = [self.e.get1(bounds[0])?, self.e.get1(bounds[1])?, self.e.get1(bounds[2])?];
        let inits = self.e.get_all(view.inits(body))?;
        let leaf = self.e.leaf_of(bounds[0])?;
        let mut bad = None;
        if !unit {
            let zero = self.e.a.int(leaf, 0);
            let wrong = self.e.a.compare(Compare::SignedLessEqual, leaf, step, zero);
            if wrong.varying {
                // Those threads have trapped: they do not take part.
                let not = self.e.a.not(wrong.v);
                self.fail_each(wrong)?;
                bad = Some(not);
            } else {
                self.e.fail_if(wrong, Failure::Step);
            }
        }
        let region = self.e.region(op, 0)?;
        let (block, exit) = (self.e.a.block(), self.e.a.block());
        let params = self.phis_of(block, body.args(region))?;
        let phis = Self::flat(&params);
        let apart = bounds.iter().any(|&v| self.uniformity.varies(v));
        let mut enter = self.e.a.compare(Compare::SignedLess, leaf, lower, upper);
        let mut first: Flat<Val> = Flat::from_slice(&[lower]);
        first.extend_from_slice(&inits);
        let mut brought = self.bring_all(&first, &phis);
        let mut parted = if apart { Some(self.parted(op, block)?) } else { None };
        let results = self.result_phis(op, exit, apart)?;
        let exit_phis = Self::flat(&results);
        let outer = self.e.a.mask;
        let leaving = self.kept(op, &inits, apart)?;
        let leaving = self.bring_all(&leaving, &exit_phis);
        if let Some(parted) = &mut parted {
            let condition = self.e.a.vector(enter);
            let mut inside = self.e.a.and_mask(condition);
            if let Some(good) = bad {
                inside = self.e.a.s.unit.ir.binary(Opcode::LLVMAnd, inside, good);
            }
            let taken: Vec<Option<Val>> = inits.iter().map(|&v| Some(v)).collect();
            brought.extend(self.bring_parted(parted, inside, &taken));
            enter = Val::uniform(self.e.a.any(inside));
        }
        self.e.a.s.branch(enter.v, block, &brought, exit, &leaving);
        self.rest(op);
        self.start(exit, outer, results);
        // The body begins here, since what it needs is read from its phis.
        self.e.a.switch_to(block);
        self.begin_region(params, parted.as_mut());
        let index = self.e.get1(body.args(region)[0])?;
        let target = For { leaf, index, upper, step, unit, body: block, phis, exit, exit_phis, parted };
        self.targets.insert(op, Target::For(target));
        self.ops(op, 0)
    }

    /// The scalars of those results that have phis after the loop.
    fn kept(&mut self, op: OpId, values: &[Val], parted: bool) -> Result<Vec<Val>, Diagnostic> {
        let mut out = Vec::new();
        let mut at = 0;
        for &result in self.e.body.results(op) {
            let count = self.e.leaves(self.e.ty(result))?.len();
            if !parted || !self.e.body.is_unused(result) {
                out.extend(values.get(at..at + count).unwrap_or_default());
            }
            at += count;
        }
        Ok(out)
    }

    fn fail_each(&mut self, condition: Val) -> Result<(), Diagnostic> {
        let site = {
            let loc = self.e.loc;
            self.e.a.tables().site(loc)
        };
        Wide::each(self.e, Some(caustic_codegen::Only::If(condition)), &[], &mut |e| {
            let context = e.a.context();
            let args = [context, e.a.int(Leaf::I32, Failure::Step as i64), e.a.int(Leaf::I32, site.into())];
            e.a.helper(caustic_native::Helper::Fail, &args);
            Ok(Flat::new())
        })?;
        Ok(())
    }

    fn next_of_for(&mut self, f: &For, values: &Flat<Val>) -> Result<(), Diagnostic> {
        let leaf = f.leaf;
        let next = self.e.a.binary(IntOp::Add, leaf, f.index, f.step);
        let mut again = self.e.a.compare(Compare::SignedLess, leaf, next, f.upper);
        if !f.unit {
            // Counting on past the largest integer ends the loop.
            let no_wrap = self.e.a.compare(Compare::SignedLess, leaf, f.index, next);
            again = self.e.a.binary(IntOp::And, Leaf::I1, again, no_wrap);
        }
        let mut carried: Flat<Val> = Flat::from_slice(&[next]);
        carried.extend_from_slice(values);
        let mut brought = self.bring_all(&carried, &f.phis);
        let Some(parted) = &f.parted else {
            let leaving = self.bring_all(values, &f.exit_phis);
            self.e.a.s.branch(again.v, f.body, &brought, f.exit, &leaving);
            return Ok(());
        };
        let taken = self.take(parted, values);
        let again = self.e.a.vector(again);
        let inside = self.e.a.s.unit.ir.binary(Opcode::LLVMAnd, parted.inside, again);
        brought.extend(self.bring_parted(parted, inside, &taken));
        let results: Vec<Val> = taken.into_iter().flatten().collect();
        let leaving = self.bring_all(&results, &f.exit_phis);
        let any = self.e.a.any(inside);
        self.e.a.s.branch(any, f.body, &brought, f.exit, &leaving);
        Ok(())
    }

    fn enter_while(&mut self, op: OpId) -> Result<(), Diagnostic> {
        self.e.pin_tapes(op)?;
        let body = self.e.body;
        let inits = self.e.get_all(body.operands(op))?;
        let (before_region, after_region) = (self.e.region(op, 0)?, self.e.region(op, 1)?);
        let (before, after, exit) = (self.e.a.block(), self.e.a.block(), self.e.a.block());
        let before_params = self.phis_of(before, body.args(before_region))?;
        let after_params = self.phis_of(after, body.args(after_region))?;
        let condition = body.terminator(before_region).and_then(|t| body.operands(t).first().copied());
        let apart = condition.is_some_and(|c| self.uniformity.varies(c));
        let before_phis = Self::flat(&before_params);
        let after_phis = Self::flat(&after_params);
        let mut brought = self.bring_all(&inits, &before_phis);
        let outer = self.e.a.mask;
        let mut parted = if apart { Some(self.parted(op, before)?) } else { None };
        if let Some(parted) = &mut parted {
            let inside = self.e.a.active();
            let taken = vec![None; parted.taken.len()];
            brought.extend(self.bring_parted(parted, inside, &taken));
        }
        let results = self.result_phis(op, exit, apart)?;
        let exit_phis = Self::flat(&results);
        self.e.a.s.jump(before, &brought);
        self.rest(op);
        self.start(exit, outer, results);
        self.e.a.switch_to(before);
        self.begin_region(before_params, parted.as_mut());
        // The other region follows when the condition is written: only then is it known who goes
        // on.
        let target = While { before, before_phis, after, after_phis, exit, exit_phis, parted, staying: None };
        self.targets.insert(op, Target::While(target));
        self.ops(op, 0)
    }

    fn condition(&mut self, parent: OpId, mut w: While, values: &[Val]) -> Result<(), Diagnostic> {
        let forwarded = &values[1..];
        let on = self.bring_all(forwarded, &w.after_phis);
        match &w.parted {
            None => {
                let leaving = self.bring_all(forwarded, &w.exit_phis);
                let condition = self.e.a.one(values[0]);
                self.e.a.s.branch(condition, w.after, &on, w.exit, &leaving);
                w.staying = self.e.a.mask;
            }
            Some(parted) => {
                let parted = parted.clone();
                let taken = self.take(&parted, forwarded);
                let condition = self.e.a.vector(values[0]);
                let staying = self.e.a.s.unit.ir.binary(Opcode::LLVMAnd, parted.inside, condition);
                let results: Vec<Val> = taken.iter().copied().flatten().collect();
                let leaving = self.bring_all(&results, &w.exit_phis);
                let any = self.e.a.any(staying);
                self.e.a.s.branch(any, w.after, &on, w.exit, &leaving);
                w.staying = Some(staying);
                w.parted = Some(Parted { taken_values: taken, ..parted });
            }
        }
        let after_region = self.e.region(parent, 1)?;
        let mut params = Vec::new();
        let mut at = 0;
        for &arg in self.e.body.args(after_region) {
            let count = self.e.leaves(self.e.ty(arg))?.len();
            params.push((arg, w.after_phis[at..at + count].to_vec()));
            at += count;
        }
        self.ops(parent, 1)?;
        self.start(w.after, w.staying, params);
        self.targets.insert(parent, Target::While(w));
        Ok(())
    }

    fn back(&mut self, w: &While, values: &[Val]) {
        let mut brought = self.bring_all(values, &w.before_phis);
        if let (Some(parted), Some(staying)) = (&w.parted, w.staying) {
            let taken = parted.taken_values.clone();
            brought.extend(self.bring_parted(parted, staying, &taken));
        }
        self.e.a.s.jump(w.before, &brought);
    }

    /// `scf.yield` and `scf.condition`.
    fn leave_region(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let body = self.e.body;
        let parent = body.op(op).block.and_then(|b| body.parent_op(b));
        let target = parent.and_then(|p| Some((p, self.targets.get(&p)?.clone())));
        let values = self.e.get_all(body.operands(op))?;
        let Some((parent, target)) = target else {
            return Err(self.e.internal("a terminator outside of structured control flow"));
        };
        if matches!(target, Target::For(_) | Target::While(_)) {
            self.e.look_at_stop();
        }
        match target {
            Target::Join(join, phis) => {
                let brought = self.bring_all(&values, &phis);
                self.e.a.s.jump(join, &brought);
                Ok(())
            }
            Target::Sides(sides) => self.leave_side(parent, sides, values),
            Target::For(f) => self.next_of_for(&f, &values),
            Target::While(w) if scf::Condition::is(body, op) => self.condition(parent, w, &values),
            Target::While(w) => {
                self.back(&w, &values);
                Ok(())
            }
        }
    }
}
