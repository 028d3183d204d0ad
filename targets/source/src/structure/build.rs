//! Statements of a function's blocks.

use super::Module;
use super::decided::decide;
use super::fold::{Fold, Folding};
use super::order::Order;
use super::prune::prune;
use super::signature::Plan;
use super::simplify::simplify;
use super::variables::{Input, Variables};
use crate::tree::{
    Arg, Compare, Expr, Function, Id, InstanceStep, Kind, Passed, Place, Root, Stmt, UNNAMED, Var, Variable,
};
use crate::types::{INDEX, Ty};
use caustic_dialects::agg;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts};
use caustic_dialects::{func, gpu, scf, simt, tex, vector};
use caustic_ir::codes;
use caustic_ir::{BlockId, Body, Diagnostic, Loc, Name, OpId, SymbolOp, ValueDef, ValueId};
use caustic_runtime::directives;
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of one function's building.
pub(super) struct Build<'m> {
    pub module: &'m Module<'m>,
    pub body: &'m Body,
    pub symbol: &'m SymbolOp,
    pub plan: &'m Plan,
    pub folding: Folding,
    pub order: Order,
    pub variables: Variables,
    unsigned: &'m [bool],
    vars: Vec<Variable>,
    /// The variable of a class.
    of_class: FxHashMap<usize, Var>,
    declared: FxHashSet<Var>,
    /// Classes by the op before which they are declared.
    pending: FxHashMap<OpId, Vec<usize>>,
    /// Variables of results that parameters take back, and which.
    outs: Vec<(usize, Var)>,
    /// What the program calls ids of the thread.
    pub ids: Vec<(Id, Name)>,
    pub loc: Loc,
}

pub(super) type Out = Vec<Stmt>;

/// The function as statements.
pub(super) fn function<'m>(module: &'m Module<'m>, symbol: &'m SymbolOp) -> Result<Function, Diagnostic> {
    let body = &symbol.body;
    let internal = |text: &str| Diagnostic::internal(symbol.loc, text);
    let plan = module.plans.get(&symbol.name).ok_or_else(|| internal("a function without a plan"))?;
    let unsigned = module.unsigned.get(&symbol.name).ok_or_else(|| internal("a function without signs"))?;
    let order = Order::of(body);
    let folding = Folding::of(body, &order, module);
    let types = |v: ValueId| Ty::of(body.ty(v), unsigned[v.index()]);
    let variables = Variables::of(&Input { module, body, order: &order, folding: &folding, plan, types: &types });
    let (of_class, declared, pending) = (FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
    let build = Build {
        module,
        body,
        symbol,
        plan,
        folding,
        order,
        variables,
        unsigned,
        vars: Vec::new(),
        of_class,
        declared,
        pending,
        outs: Vec::new(),
        ids: Vec::new(),
        loc: symbol.loc,
    };
    build.run()
}

impl<'m> Build<'m> {
    fn run(mut self) -> Result<Function, Diagnostic> {
        let entry = self.body.entry().ok_or_else(|| self.internal("a function without code"))?;
        let params = self.declare_params(entry)?;
        self.place_declarations();
        let mut out = Out::new();
        self.block(entry, &mut out)?;
        decide(&mut out);
        prune(&mut out, &params.iter().map(|(var, _)| *var).collect());
        simplify(&mut out);
        tidy(&mut out);
        if matches!(out.last(), Some(Stmt::Return(None))) {
            out.pop();
        }
        Ok(Function {
            symbol: self.symbol.name,
            loc: self.symbol.loc,
            params,
            result: self.plan.returned.as_ref().map(|(_, ty)| ty.clone()),
            own_result: self.plan.own_result,
            vars: self.vars,
            ids: self.ids,
            body: out,
            tables: Vec::new(),
        })
    }

    pub fn internal(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::internal(self.loc, message)
    }

    /// What the text of no language can say, and why.
    pub fn refuse(&self, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error(codes::E0853, self.loc, format!("{what} cannot be written as source text"))
            .with_note("run it on the CPU, or leave out what needs it")
    }

    pub fn ty(&self, value: ValueId) -> Result<Ty, Diagnostic> {
        let ty = Ty::of(self.body.ty(value), self.unsigned[value.index()]);
        ty.ok_or_else(|| self.refuse(format!("a value of type {}", self.body.ty(value))))
    }

    // ----- variables

    pub fn fresh(&mut self, name: Option<&str>, ty: Ty) -> Var {
        self.vars.push(Variable { name: name.unwrap_or(UNNAMED).to_string(), ty });
        Var(self.vars.len() - 1)
    }

    fn declare_params(&mut self, entry: BlockId) -> Result<Vec<(Var, Passed)>, Diagnostic> {
        let mut params = Vec::new();
        let mut out = self.body.num_values();
        let plan = self.plan;
        for param in &plan.params {
            let class = match param.input {
                Some(i) => self.body.args(entry).get(i).ok_or_else(|| self.internal("no such input"))?.index(),
                None => {
                    out += 1;
                    out - 1
                }
            };
            let class = self.variables.class(class);
            let name = param.name.or(self.variables.name(class)).map(|n| n.to_string());
            let left = param.input.is_none() || param.passed == Passed::Out;
            let other = if left { "result" } else { "given" };
            let var = self.fresh(Some(name.as_deref().unwrap_or(other)), param.ty.clone());
            self.of_class.insert(class, var);
            self.declared.insert(var);
            params.push((var, param.passed));
            self.outs.extend(param.result.map(|k| (k, var)));
        }
        Ok(params)
    }

    /// Finds out before which op each variable is declared.
    fn place_declarations(&mut self) {
        let mut seen = FxHashSet::default();
        let mut by_block: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
        for value in 0..self.body.num_values() as u32 {
            let class = self.variables.class(value as usize);
            if self.folding.value(ValueId(value)) != Fold::Variable || self.variables.ty(class).is_none() {
                continue;
            }
            let used = !self.body.is_unused(ValueId(value)) || self.is_left_in_place(ValueId(value));
            if !used || self.of_class.contains_key(&class) || !seen.insert(class) {
                continue;
            }
            if let Some(block) = self.variables.block(class) {
                by_block.entry(block).or_default().push(class);
            }
        }
        for (block, mut classes) in by_block {
            classes.sort_by_key(|&c| (self.variables.first(c), c));
            let ops = self.body.block_ops(block);
            for class in classes {
                // A definition just before its op belongs to that op.
                let first = self.variables.first(class);
                let at = ops.partition_point(|&op| 4 * self.order.end(op) < first);
                let Some(&op) = ops.get(at.min(ops.len().saturating_sub(1))) else { continue };
                self.pending.entry(op).or_default().push(class);
            }
        }
    }

    /// Whether a call leaves the value in a place.
    fn is_left_in_place(&self, value: ValueId) -> bool {
        let ValueDef::Result { op, index } = self.body.def(value) else { return false };
        self.module.callee(self.body, op).is_some_and(|plan| plan.place_of_result(index as usize).is_some())
    }

    /// The variable of a class; it has one from the first time on.
    fn var_of_class(&mut self, class: usize) -> Result<Var, Diagnostic> {
        if let Some(&var) = self.of_class.get(&class) {
            return Ok(var);
        }
        let ty = self.variables.ty(class).cloned().ok_or_else(|| self.internal("a variable without a type"))?;
        let name = self.variables.name(class).map(|n| n.to_string());
        let var = self.fresh(name.as_deref(), ty);
        self.of_class.insert(class, var);
        Ok(var)
    }

    pub fn var(&mut self, value: ValueId) -> Result<Var, Diagnostic> {
        self.var_of_class(self.variables.class(value.index()))
    }

    pub fn var_ty(&self, var: Var) -> Ty {
        self.vars[var.0].ty.clone()
    }

    /// Declares what an op's code assigns further inside.
    fn declare_pending(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        for class in self.pending.get(&op).cloned().unwrap_or_default() {
            let var = self.var_of_class(class)?;
            self.declare(var, out);
        }
        Ok(())
    }

    /// Declares a variable unless it is.
    pub fn declare(&mut self, var: Var, out: &mut Out) {
        if self.declared.insert(var) {
            out.push(Stmt::Declare(var, None));
        }
    }

    /// Assigns, or declares with a first value.
    pub fn assign(&mut self, var: Var, value: Expr, out: &mut Out) {
        if self.declared.insert(var) {
            out.push(Stmt::Declare(var, Some(value)));
            return;
        }
        let is_itself =
            matches!(&value.kind, Kind::Read(p) if p.steps.is_empty() && matches!(p.root, Root::Var(v) if v == var));
        if !is_itself {
            out.push(Stmt::Assign(Place::var(var, self.var_ty(var)), value));
        }
    }

    /// Assigns all at once: none of the expressions sees what the others assign.
    fn assign_all(&mut self, moves: Vec<(Var, Expr)>, out: &mut Out) {
        let is_itself = |(var, value): &(Var, Expr)| matches!(&value.kind, Kind::Read(p) if p.steps.is_empty() && matches!(p.root, Root::Var(v) if v == *var));
        let mut moves: Vec<(Var, Expr)> = moves.into_iter().filter(|m| !is_itself(m)).collect();
        while !moves.is_empty() {
            let free = moves.iter().position(|(var, _)| {
                moves.iter().filter(|(other, value)| other != var && value.reads(*var)).count() == 0
            });
            let at = free.unwrap_or(0);
            let (var, value) = moves.remove(at);
            if free.is_none() {
                // All are in circles: one is kept aside.
                let ty = self.var_ty(var);
                let kept = self.fresh(None, ty.clone());
                self.assign(kept, Expr::var(var, ty), out);
                moves.iter_mut().for_each(|(_, value)| value.rename(var, kept));
            }
            self.assign(var, value, out);
        }
    }

    fn moves(&mut self, to: &[ValueId], from: &[ValueId]) -> Result<Vec<(Var, Expr)>, Diagnostic> {
        let mut moves = Vec::new();
        for (&to, &from) in to.iter().zip(from) {
            let var = self.var(to)?;
            let value = self.expr_as(from, &self.var_ty(var))?;
            moves.push((var, value));
        }
        Ok(moves)
    }

    // ----- blocks

    /// The ops of a block but for what ends it.
    fn block(&mut self, block: BlockId, out: &mut Out) -> Result<(), Diagnostic> {
        let mut next = self.body.first_op(block);
        while let Some(op) = next {
            next = self.body.next_op(op);
            self.loc = self.body.loc(op);
            if self.folding.is_folded(self.body, op) || self.is_dead(op) {
                continue;
            }
            self.op(op, out)?;
        }
        Ok(())
    }

    /// Whether nothing needs what an op without an effect gives.
    fn is_dead(&self, op: OpId) -> bool {
        let data = self.body.op(op);
        !data.results.is_empty()
            && data.regions.is_empty()
            && data.results.iter().all(|&v| self.body.is_unused(v))
            && self.module.summary.op(self.body, op) != super::effects::Effect::Writes
            && !agg::Alloca::is(self.body, op)
    }

    fn op(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        let body = self.body;
        if let Some(view) = scf::ScfView::of(body, op) {
            return self.structured(op, view, out);
        }
        match func::FuncView::of(body, op) {
            Some(func::FuncView::Return(v)) => return self.return_op(v, out),
            Some(func::FuncView::Call(_)) => return self.call(op, out),
            Some(func::FuncView::Func(_)) | None => {}
        }
        if let Some(view) = agg::StorageView::of(body, op) {
            return self.storage(op, view, out);
        }
        if agg::Insert::is(body, op) || vector::Insert::is(body, op) {
            return self.insert(op, out);
        }
        if agg::CheckIndex::is(body, op) || agg::CheckBounds::is(body, op) {
            return Err(self.refuse("a check that ends the program"));
        }
        if let Some(v) = agg::BufferStore::cast(body, op) {
            let place = self.buffer_place(op, v.buffer(body), v.index(body))?;
            return self.store(place, v.value(body), out);
        }
        if let Some(step) = instance_step(body, op) {
            out.push(Stmt::Instance(step));
            return Ok(());
        }
        if gpu::Barrier::is(body, op) {
            out.push(Stmt::Barrier { loc: body.loc(op), instance: simt::instance_of(body, op) });
            return Ok(());
        }
        if let Some(v) = simt::Fence::cast(body, op) {
            out.push(Stmt::Fence { group: v.memory(body) == Some("group") });
            return Ok(());
        }
        if let Some(v) = gpu::Printf::cast(body, op) {
            let args = v.args(body).iter().map(|&a| self.expr(a)).collect::<Result<Vec<_>, _>>()?;
            let format = v.format(body).unwrap_or("").to_string();
            if directives::pieces(&format).is_none() {
                return Err(self.refuse("`printf` with a width that is computed"));
            }
            out.push(Stmt::Print { format, args, loc: body.loc(op) });
            return Ok(());
        }
        if let Some(v) = tex::Store::cast(body, op) {
            let texture = self.expr(v.texture(body))?;
            let args = vec![self.expr(v.value(body))?, self.expr(v.place(body))?];
            out.push(Stmt::TexelStore { texture, args });
            return Ok(());
        }
        if simt::is_wave_op(body.op(op).def) {
            return self.wave(op, out);
        }
        self.declare_first(op, out)
    }

    /// An op whose only result is a variable.
    fn declare_first(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        let value = self.op_expr(op)?;
        match self.body.results(op) {
            [result] if !self.body.is_unused(*result) || self.body.op(op).def.is_pure() => {
                let var = self.var(*result)?;
                let value = self.coerce(value, &self.var_ty(var))?;
                self.assign(var, value, out);
            }
            _ => out.push(Stmt::Do(value)),
        }
        Ok(())
    }

    fn wave(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        self.declare_pending_but(op, out)?;
        for index in 0..self.body.results(op).len() {
            let result = self.body.result(op, index);
            let value = self.wave_expr(op, index)?;
            let var = self.var(result)?;
            let value = self.coerce(value, &self.var_ty(var))?;
            self.assign(var, value, out);
        }
        Ok(())
    }

    fn return_op(&mut self, view: func::Return, out: &mut Out) -> Result<(), Diagnostic> {
        let values = view.values(self.body).to_vec();
        let mut moves = Vec::new();
        for (result, var) in self.outs.clone() {
            let &value = values.get(result).ok_or_else(|| self.internal("too few results"))?;
            let value = self.expr_as(value, &self.var_ty(var))?;
            moves.push((var, value));
        }
        let plan = self.plan;
        let mut returned = match &plan.returned {
            Some((k, ty)) => {
                let &value = values.get(*k).ok_or_else(|| self.internal("too few results"))?;
                Some(self.expr_as(value, ty)?)
            }
            None => None,
        };
        if let Some(value) = &mut returned
            && moves.iter().any(|(var, _)| value.reads(*var))
        {
            let kept = self.fresh(None, value.ty.clone());
            let ty = value.ty.clone();
            let value = std::mem::replace(value, Expr::var(kept, ty));
            self.assign(kept, value, out);
        }
        self.assign_all(moves, out);
        out.push(Stmt::Return(returned));
        Ok(())
    }

    fn call(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        let body = self.body;
        let plan = self.module.callee(body, op).ok_or_else(|| self.internal("a call of nothing"))?;
        self.declare_pending_but(op, out)?;
        let (mut args, mut moves) = (Vec::new(), Vec::new());
        for param in &plan.params {
            let operand = param.input.map(|i| body.operand(op, i));
            args.push(match (param.passed, operand, param.result) {
                (Passed::Value, Some(v), _) => Arg::Value(self.expr_as(v, &param.ty)?),
                (Passed::Constant | Passed::InOut | Passed::Out, Some(v), None) => Arg::Place(self.slot_place(v)?),
                (_, operand, Some(k)) => {
                    let var = self.var(body.result(op, k))?;
                    if let Some(v) = operand {
                        moves.push((var, self.expr_as(v, &param.ty)?));
                    } else {
                        self.declare(var, out);
                    }
                    Arg::Place(Place::var(var, self.var_ty(var)))
                }
                (_, _, None) => return Err(self.internal("a parameter for nothing")),
            });
        }
        self.assign_all(moves, out);
        let callee = body.callee(op).ok_or_else(|| self.internal("a call of nothing"))?;
        let ty = plan.returned.as_ref().map_or(INDEX, |(_, ty)| ty.clone());
        let call = Expr::new(ty, Kind::Call(callee, args));
        match &plan.returned {
            Some((k, _)) if !body.is_unused(body.result(op, *k)) => {
                let var = self.var(body.result(op, *k))?;
                let call = self.coerce(call, &self.var_ty(var))?;
                self.assign(var, call, out);
            }
            _ => out.push(Stmt::Do(call)),
        }
        Ok(())
    }

    /// Declares what an op assigns, but for what its results are assigned to first.
    fn declare_pending_but(&mut self, op: OpId, out: &mut Out) -> Result<(), Diagnostic> {
        for class in self.pending.get(&op).cloned().unwrap_or_default() {
            let results = self.body.results(op);
            if !results.iter().any(|v| self.variables.class(v.index()) == class) {
                let var = self.var_of_class(class)?;
                self.declare(var, out);
            }
        }
        Ok(())
    }

    fn structured(&mut self, op: OpId, view: scf::ScfView, out: &mut Out) -> Result<(), Diagnostic> {
        use scf::ScfView as V;
        match view {
            V::If(v) if self.folding.is_choice_op(v.0) => self.declare_first(op, out),
            V::If(v) => self.if_op(v, out),
            V::For(v) => self.for_op(v, out),
            V::While(v) => self.while_op(v, out),
            V::IndexSwitch(v) => self.switch_op(v, out),
            V::Yield(_) | V::Condition(_) => Ok(()),
        }
    }

    /// The code of a region, and the values that it yields in the variables of `results`.
    fn region(&mut self, op: OpId, region: usize, results: &[ValueId]) -> Result<Out, Diagnostic> {
        let mut out = Out::new();
        let Some(block) = self.body.region_block(op, region) else { return Ok(out) };
        self.block(block, &mut out)?;
        if let Some(end) = self.body.terminator(block) {
            self.declare_pending(end, &mut out)?;
            let used: Vec<(ValueId, ValueId)> = results
                .iter()
                .zip(self.body.operands(end))
                .filter(|(r, _)| !self.body.is_unused(**r))
                .map(|(&r, &v)| (r, v))
                .collect();
            let (to, from): (Vec<_>, Vec<_>) = used.into_iter().unzip();
            let moves = self.moves(&to, &from)?;
            self.assign_all(moves, &mut out);
        }
        Ok(out)
    }

    fn if_op(&mut self, view: scf::If, out: &mut Out) -> Result<(), Diagnostic> {
        let op = view.0;
        self.declare_pending(op, out)?;
        let condition = self.expr(view.condition(self.body))?;
        let results = self.body.results(op).to_vec();
        let then = self.region(op, 0, &results)?;
        let otherwise = self.region(op, 1, &results)?;
        if then.is_empty() && otherwise.is_empty() {
            return Ok(());
        }
        if then.is_empty() {
            out.push(Stmt::If { condition: negate(condition), then: otherwise, otherwise: then });
        } else {
            out.push(Stmt::If { condition, then, otherwise });
        }
        Ok(())
    }

    fn for_op(&mut self, view: scf::For, out: &mut Out) -> Result<(), Diagnostic> {
        let (body, op) = (self.body, view.0);
        let parts = ForParts::of(body, op).ok_or_else(|| self.internal("a malformed loop"))?;
        let (args, results) = (parts.carried_args(body).to_vec(), body.results(op).to_vec());
        let inits = body.operands(op)[BOUNDS..].to_vec();
        let moves = self.moves(&args, &inits)?;
        self.assign_all(moves, out);
        let counter = self.var(body.args(parts.body)[0])?;
        self.declared.insert(counter);
        self.declare_pending(op, out)?;
        let ty = self.var_ty(counter);
        let from = self.expr_as(view.lower(body), &ty)?;
        let below = self.expr_as(view.upper(body), &ty)?;
        let step = self.expr_as(view.step(body), &ty)?;
        let mut inner = Out::new();
        self.block(parts.body, &mut inner)?;
        self.declare_pending(parts.end, &mut inner)?;
        let yielded = body.operands(parts.end).to_vec();
        let moves = self.moves(&args, &yielded)?;
        self.assign_all(moves, &mut inner);
        out.push(Stmt::For { counter, from, test: Compare::Less, below, step, body: inner });
        self.take_over(&results, &args, out)
    }

    /// Results that are not in the variables that the loop carries are assigned after it.
    fn take_over(&mut self, results: &[ValueId], args: &[ValueId], out: &mut Out) -> Result<(), Diagnostic> {
        let mut moves = Vec::new();
        for (&result, &arg) in results.iter().zip(args) {
            if self.body.is_unused(result) {
                continue;
            }
            let (to, from) = (self.var(result)?, self.var(arg)?);
            moves.push((to, Expr::var(from, self.var_ty(from))));
        }
        let moves = moves
            .into_iter()
            .map(|(to, value)| Ok((to, self.coerce(value, &self.var_ty(to))?)))
            .collect::<Result<Vec<_>, Diagnostic>>()?;
        self.assign_all(moves, out);
        Ok(())
    }

    fn while_op(&mut self, view: scf::While, out: &mut Out) -> Result<(), Diagnostic> {
        let (body, op) = (self.body, view.0);
        let parts = WhileParts::of(body, op).ok_or_else(|| self.internal("a malformed loop"))?;
        let before = body.args(parts.before).to_vec();
        let inits = body.operands(op).to_vec();
        let moves = self.moves(&before, &inits)?;
        self.assign_all(moves, out);
        self.declare_pending(op, out)?;
        let mut inner = Out::new();
        self.block(parts.before, &mut inner)?;
        self.declare_pending(parts.condition, &mut inner)?;
        let mut condition = self.expr(parts.decides(body))?;
        let forwarded = parts.forwarded(body).to_vec();
        let mut to: Vec<ValueId> = Vec::new();
        let mut from: Vec<ValueId> = Vec::new();
        let args = body.args(parts.after).to_vec();
        for (k, &value) in forwarded.iter().enumerate() {
            let mut classes = Vec::new();
            for target in [args.get(k), body.results(op).get(k)].into_iter().flatten() {
                let class = self.variables.class(target.index());
                if !body.is_unused(*target) && !classes.contains(&class) {
                    classes.push(class);
                    to.push(*target);
                    from.push(value);
                }
            }
        }
        let moves = self.moves(&to, &from)?;
        let mut forwards = Out::new();
        let moved: Vec<Var> = moves.iter().map(|(var, _)| *var).collect();
        self.assign_all(moves, &mut forwards);
        let simple = inner.is_empty() && forwards.is_empty();
        if !simple {
            if !forwards.is_empty() && moved.iter().any(|&var| condition.reads(var)) {
                let kept = self.fresh(None, condition.ty.clone());
                let ty = condition.ty.clone();
                self.assign(kept, std::mem::replace(&mut condition, Expr::var(kept, ty)), &mut inner);
            }
            inner.append(&mut forwards);
            inner.push(Stmt::If {
                condition: negate(condition.clone()),
                then: vec![Stmt::Break],
                otherwise: Vec::new(),
            });
        }
        self.block(parts.after, &mut inner)?;
        self.declare_pending(parts.end, &mut inner)?;
        let yielded = body.operands(parts.end).to_vec();
        let moves = self.moves(&before, &yielded)?;
        self.assign_all(moves, &mut inner);
        let condition = simple.then_some(condition);
        out.push(Stmt::While { condition, body: inner });
        Ok(())
    }

    fn switch_op(&mut self, view: scf::IndexSwitch, out: &mut Out) -> Result<(), Diagnostic> {
        let op = view.0;
        self.declare_pending(op, out)?;
        let value = self.expr(view.value(self.body))?;
        let results = self.body.results(op).to_vec();
        let cases = view.cases(self.body).unwrap_or_default();
        let default = self.region(op, 0, &results)?;
        let mut all = Vec::new();
        for (k, number) in cases.into_iter().enumerate() {
            all.push((vec![number], self.region(op, k + 1, &results)?));
        }
        out.push(Stmt::Switch { value, cases: all, default });
        Ok(())
    }

    /// The symbol of a resource by its name.
    pub fn resource_number(&self, name: Name) -> Result<usize, Diagnostic> {
        let interface = self.module.interface;
        let shared = || interface.shared_of_symbol(name).map(|k| interface.params.len() + k);
        interface.param_of_symbol(name).or_else(shared).ok_or_else(|| self.internal("no such resource"))
    }
}

/// The condition that holds where this one does not.
pub(super) fn negate(condition: Expr) -> Expr {
    match condition.kind {
        Kind::Not(inner) => *inner,
        _ => Expr::new(condition.ty.clone(), Kind::Not(Box::new(condition))),
    }
}

fn instance_step(body: &Body, op: OpId) -> Option<InstanceStep> {
    match simt::ConvergeView::of(body, op)? {
        simt::ConvergeView::InstanceBegin(v) => Some(InstanceStep::Begin(v.number(body).unwrap_or(0))),
        simt::ConvergeView::InstanceNext(_) => Some(InstanceStep::Next),
        simt::ConvergeView::InstanceEnd(_) => Some(InstanceStep::End),
        simt::ConvergeView::Fence(_) => None,
    }
}

/// Branches at the end of a function return early, so that what follows stands further out.
fn tidy(out: &mut Out) {
    let Some(Stmt::Return(None)) = out.last() else { return };
    let at = out.len().wrapping_sub(2);
    let Some(Stmt::If { condition, otherwise, then }) = out.get(at) else { return };
    let (long, short) = (otherwise.len(), then.len());
    // Where the rest is in the other branch, the program returned.
    if long == 0 && short < 3 && !matches!(condition.kind, Kind::Not(_)) {
        return;
    }
    let Some(Stmt::If { condition, mut then, mut otherwise }) = (at < out.len()).then(|| out.remove(at)) else {
        return;
    };
    let end = out.pop();
    let (condition, first, mut rest) = if then.len() > otherwise.len() && otherwise.len() < 2 {
        (negate(condition), otherwise, then)
    } else {
        (condition, std::mem::take(&mut then), std::mem::take(&mut otherwise))
    };
    let mut first = first;
    first.extend(end.clone());
    out.push(Stmt::If { condition, then: first, otherwise: Vec::new() });
    rest.extend(end);
    tidy(&mut rest);
    out.append(&mut rest);
}
