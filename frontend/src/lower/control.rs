//! Lowers statements and control flow.

use super::func::{FuncLower, Slot};
use crate::sema::tree::*;
use caustic_dialects::arith::{self, IntPredicate, build};
use caustic_dialects::hl;
use caustic_ir::{Attr, BlockId, Type, ValueId};

impl FuncLower<'_, '_, '_> {
    /// Lowers statements up to the first after which control does not go on. Returns whether
    /// control reaches the end.
    pub(crate) fn stmts(&mut self, stmts: &[Stmt]) -> bool {
        for s in stmts {
            if !self.stmt(s) {
                return false;
            }
        }
        true
    }

    /// Returns whether control goes on after the statement.
    fn stmt(&mut self, s: &Stmt) -> bool {
        self.loc = self.lw.checker.loc(s.span);
        match &s.kind {
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Var { local, init } => self.variable(*local, init.as_ref()),
            StmtKind::Block(b) => return self.stmts(b),
            StmtKind::If { cond, then, other } => {
                let c = self.value(cond);
                self.loc = self.lw.checker.loc(s.span);
                let op = hl::If::build(&mut self.b(), c, &[], &[]);
                let then_block = self.body_block(op, 0);
                let other_block = self.body_block(op, 1);
                let t = self.region(then_block, |f| f.stmts(then));
                let o = self.region(other_block, |f| f.stmts(other));
                return t || o;
            }
            StmtKind::Loop { init, cond, step, body, test_first, attrs } => {
                if !self.stmts(init) {
                    return false;
                }
                self.loc = self.lw.checker.loc(s.span);
                self.lower_loop(cond.as_ref(), step.as_ref(), body, *test_first, attrs);
            }
            StmtKind::Switch { value, groups } => self.switch(value, groups),
            StmtKind::Unroll { .. } | StmtKind::Assert { .. } => {
                let text = "a statement that specialization should have replaced".to_string();
                self.lw.problems.push(caustic_ir::Diagnostic::internal(self.loc, text));
            }
            StmtKind::Break => {
                hl::Break::build(&mut self.b(), &[]);
                return false;
            }
            StmtKind::Continue => {
                hl::Continue::build(&mut self.b(), &[]);
                return false;
            }
            StmtKind::Return(value) => {
                let values: Vec<ValueId> = value.iter().map(|e| self.value(e)).collect();
                self.loc = self.lw.checker.loc(s.span);
                hl::Return::build(&mut self.b(), &values, &[]);
                return false;
            }
        }
        true
    }

    /// A variable that is never written is represented by its value; others get an address.
    fn variable(&mut self, local: LocalId, init: Option<&Expr>) {
        let l = local.0 as usize;
        if let Slot::Ref(reference) = self.locals[l]
            && self.hoisted[l]
        {
            let v = match init {
                Some(e) => self.value(e),
                None => self.zero(self.tree.locals[l].ty),
            };
            hl::Store::build(&mut self.b(), v, reference, &[]);
            return;
        }
        match init {
            Some(e) if !self.written[l] => {
                let v = self.value(e);
                let v = self.detached(v, local);
                let name = self.tree.locals[l].name;
                if self.body.value(v).hint.is_none() {
                    self.body.set_hint(v, Some(name));
                }
                self.locals[l] = Slot::Value(v);
            }
            _ => {
                // The initializer comes first: it cannot see the variable.
                let v = init.map(|e| self.value(e));
                let reference = self.declare(local);
                if let Some(v) = v {
                    let v = self.detached(v, local);
                    hl::Store::build(&mut self.b(), v, reference, &[]);
                }
            }
        }
    }

    /// The value to store in a variable: without its derivative if the variable is `no_diff`.
    fn detached(&mut self, v: ValueId, local: LocalId) -> ValueId {
        let l = &self.tree.locals[local.0 as usize];
        let (no_diff, ty) = (l.no_diff, l.ty);
        if no_diff && self.lw.checker.differential(ty).is_some() {
            return caustic_dialects::ad::Detach::build(&mut self.b(), v, &[]);
        }
        v
    }

    pub(crate) fn declare(&mut self, local: LocalId) -> ValueId {
        if self.addressed[local.0 as usize] {
            return self.declare_private(local);
        }
        let l = &self.tree.locals[local.0 as usize];
        let (name, ty) = (l.name, l.ty);
        let ir = self.lw.ty(ty);
        let reference = hl::Var::build(&mut self.b(), hl::ref_type(ir), &[("name", Attr::string(&name))]);
        self.body.set_hint(reference, Some(name));
        self.locals[local.0 as usize] = Slot::Ref(reference);
        reference
    }

    /// Adds a block to region `index` of a new op.
    pub(crate) fn body_block(&mut self, op: caustic_ir::OpId, index: usize) -> BlockId {
        let region = self.body.op(op).regions[index];
        self.body.add_block(region, &[])
    }

    /// Fills a block; ends it with `hl.yield` if its end is reached.
    pub(crate) fn region(&mut self, block: BlockId, fill: impl FnOnce(&mut Self) -> bool) -> bool {
        let outer = (self.block, self.before, self.loc);
        (self.block, self.before) = (block, None);
        let end = fill(self);
        // The last statement can be an `if` that never completes: the block needs a terminator
        // though control does not reach it.
        if end || self.body.terminator(block).is_none() {
            self.loc = outer.2;
            hl::Yield::build(&mut self.b(), &[], &[]);
        }
        (self.block, self.before, self.loc) = outer;
        end
    }

    /// An `hl.if` with a result.
    pub(crate) fn if_value(
        &mut self,
        cond: ValueId,
        ty: Type,
        then: impl FnOnce(&mut Self) -> ValueId,
        other: impl FnOnce(&mut Self) -> ValueId,
    ) -> ValueId {
        let op = hl::If::build(&mut self.b(), cond, &[ty], &[]);
        let blocks = [self.body_block(op, 0), self.body_block(op, 1)];
        let outer = (self.block, self.before, self.loc);
        (self.block, self.before) = (blocks[0], None);
        let v = then(self);
        hl::Yield::build(&mut self.b(), &[v], &[]);
        (self.block, self.before, self.loc) = (blocks[1], None, outer.2);
        let v = other(self);
        hl::Yield::build(&mut self.b(), &[v], &[]);
        (self.block, self.before, self.loc) = outer;
        self.body.result(op, 0)
    }

    fn lower_loop(&mut self, cond: Option<&Expr>, step: Option<&Expr>, body: &[Stmt], test_first: bool, a: &LoopAttrs) {
        let mut attrs = vec![("test_first", Attr::bool(test_first))];
        if let Some(n) = a.max_iters.and_then(|n| n.as_int()) {
            attrs.push(("max_iters", Attr::i64(n)));
        }
        let unroll = match (a.force_unroll, a.unroll, a.no_unroll) {
            (true, ..) => Some("force"),
            (_, true, _) => Some("hint"),
            (_, _, true) => Some("never"),
            _ => None,
        };
        if let Some(text) = unroll {
            attrs.push(("unroll", Attr::string(text)));
        }
        let op = hl::Loop::build(&mut self.b(), &attrs);
        let blocks = [self.body_block(op, 0), self.body_block(op, 1), self.body_block(op, 2)];
        let outer = (self.block, self.before, self.loc);
        (self.block, self.before) = (blocks[0], None);
        let c = match cond {
            Some(e) => self.value(e),
            None => build::bool(&mut self.b(), true),
        };
        hl::Condition::build(&mut self.b(), c, &[]);
        (self.block, self.before, self.loc) = outer;
        self.region(blocks[1], |f| f.stmts(body));
        self.region(blocks[2], |f| {
            if let Some(e) = step {
                f.effect(e);
            }
            true
        });
    }

    fn switch(&mut self, value: &Expr, groups: &[SwitchGroup]) {
        let loc = self.loc;
        let v = self.value(value);
        self.loc = loc;
        // A variable declared directly in a switch is visible in the groups after it, so it is
        // declared before the switch.
        for g in groups {
            for s in &g.body {
                if let StmtKind::Var { local, .. } = &s.kind {
                    self.declare(*local);
                    self.hoisted[local.0 as usize] = true;
                }
            }
        }
        // The statements of a group with several labels must be emitted only once, so the switch is
        // then over the numbers of the groups.
        let several = groups.iter().any(|g| g.labels.len() > 1 || (g.is_default && !g.labels.is_empty()));
        let default = groups.iter().position(|g| g.is_default);
        let mut cases: Vec<i64> = Vec::new();
        let mut numbers: Vec<usize> = Vec::new();
        let selector = if several {
            let mut selector = build::int(&mut self.b(), -1, Type::i32());
            for (k, g) in groups.iter().enumerate().filter(|(_, g)| !g.is_default) {
                for label in &g.labels {
                    let ir = self.body.ty(v);
                    let label = build::int(&mut self.b(), *label, ir);
                    let hit = arith::cmpi(&mut self.b(), IntPredicate::Eq, v, label);
                    let number = build::int(&mut self.b(), k as i64, Type::i32());
                    selector = self.b().create_one(arith::Select::DEF, &[hit, number, selector], Type::i32(), &[]);
                }
                if !g.labels.is_empty() {
                    cases.push(k as i64);
                    numbers.push(k);
                }
            }
            selector
        } else {
            for (k, g) in groups.iter().enumerate() {
                if let [label] = g.labels.as_slice() {
                    cases.push(*label);
                    numbers.push(k);
                }
            }
            v
        };
        let attrs = [("cases", Attr::i64_array(&cases))];
        let op = self.b().create(hl::Switch::DEF, &[selector], &[], &attrs, cases.len() + 1);
        let block = self.body_block(op, 0);
        self.region(block, |f| default.is_none_or(|k| f.groups_from(groups, k)));
        for (i, k) in numbers.into_iter().enumerate() {
            let block = self.body_block(op, i + 1);
            self.region(block, |f| f.groups_from(groups, k));
        }
    }

    /// The statements of a group and of those that it falls through to; a `break` at the end
    /// becomes the end of the region.
    fn groups_from(&mut self, groups: &[SwitchGroup], first: usize) -> bool {
        for g in &groups[first..] {
            let body = match g.body.split_last() {
                Some((Stmt { kind: StmtKind::Break, .. }, rest)) => {
                    return self.stmts(rest);
                }
                _ => &g.body,
            };
            if !self.stmts(body) {
                return false;
            }
        }
        true
    }
}
