//! Functions that may throw, `try`, `throw`, and `do … catch`.
//!
//! A function that `throws E` returns a struct of its result, an error, and a flag that tells
//! whether it failed. A `try` before a call becomes statements before the statement that contains
//! it: the call, and a jump for the case that it failed. The jump is that of `throw`: to the
//! innermost handler for errors of the type, or out of the function, which then fails itself.
//!
//! The statements of a `do` become the only group of a `switch`, so a jump to the handler is a
//! `break`. Jumps of the program pass through it.

use super::types::{Args, GArg};
use super::*;
use caustic_ir::codes;

/// The state of checking a body in which something may throw.
#[derive(Clone, Default)]
pub(crate) struct Throwing {
    /// The result of the function, if it throws.
    function: Option<Thrown>,
    handlers: Vec<Handler>,
    /// Statements that belong before the one that is being checked.
    before: Vec<Stmt>,
    /// The call after the `try` that is being checked.
    tried: Option<Span>,
}

/// A `catch` around the code that is being checked.
#[derive(Clone, Copy)]
struct Handler {
    /// The type of the errors that it handles; `None` for all.
    ty: Option<Ty>,
    error: Option<LocalId>,
    caught: LocalId,
    target: usize,
}

/// The parts of the struct that a throwing function returns.
#[derive(Clone, Copy)]
pub(crate) struct Thrown {
    ty: Ty,
    pub value: Ty,
    error: Ty,
}

impl Checker<'_> {
    /// The result type of a function that returns a `value` and throws an `error`.
    pub(crate) fn thrown_type(&mut self, value: Ty, error: Ty) -> Ty {
        if value.is_error() || error.is_error() {
            return Ty::error();
        }
        let (name, args) = match value.is_void() {
            true => ("__ThrownVoid", vec![GArg::Ty(error)]),
            false => ("__Thrown", vec![GArg::Ty(value), GArg::Ty(error)]),
        };
        match self.prelude_struct(name) {
            Some(base) => Ty::new(types::TyKind::Struct(self.struct_instance(base, Args::new(args)))),
            None => Ty::error(),
        }
    }

    pub(crate) fn thrown(&self, ty: Ty) -> Option<Thrown> {
        let (base, args) = self.structs[ty.as_struct()?.0 as usize].instance_of?;
        let info = &self.structs[base.0 as usize];
        match (info.path.as_str(), &*args) {
            ("__Thrown", [GArg::Ty(value), GArg::Ty(error)]) => Some(Thrown { ty, value: *value, error: *error }),
            ("__ThrownVoid", [GArg::Ty(error)]) => Some(Thrown { ty, value: Ty::void(), error: *error }),
            _ => None,
        }
    }

    /// Begins a body whose function returns `ret`. Returns the type that its `return` statements
    /// take.
    pub(crate) fn begin_throwing(&mut self, ret: Ty) -> Ty {
        self.cx.throwing.function = self.thrown(ret);
        self.cx.throwing.function.map_or(ret, |t| t.value)
    }

    /// The value that `return` returns, if the function may throw.
    pub(crate) fn returned(&self, value: Option<Expr>, span: Span) -> Option<Expr> {
        let Some(t) = self.cx.throwing.function else { return value };
        Some(t.done(value, span))
    }

    /// Reports a call of a throwing function outside of `try`.
    pub(crate) fn require_try(&mut self, call: Expr) -> Expr {
        if self.cx.throwing.tried == Some(call.span) || self.thrown(call.ty).is_none() {
            return call;
        }
        self.error(codes::E0270, call.span, "this call may throw, and nothing says what happens then")
            .notes
            .push("write `try` before it, inside of `do { … } catch` or in a function that `throws`".to_string());
        Expr::error(call.span)
    }

    pub(crate) fn check_try(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let outer = self.cx.throwing.tried.replace(inner.span);
        let call = self.check_expr(inner);
        self.cx.throwing.tried = outer;
        if call.ty.is_error() {
            return call;
        }
        let Some(t) = self.thrown(call.ty) else {
            self.error(codes::E0272, span, "`try` stands before the call of a function that throws");
            return Expr::error(span);
        };
        if self.cx.expands.len() > 1 {
            self.unsupported(span, "`try` inside of an `expand` in another one");
            return Expr::error(span);
        }
        let local = self.jump_local("tried", t.ty, span);
        self.cx.throwing.before.push(Stmt { span, kind: StmtKind::Var { local, init: Some(call) } });
        let mut then = Vec::new();
        let error = t.part(local, t.error_index(), span);
        self.raise(error, span, &mut then);
        let (cond, other) = (t.part(local, t.error_index() + 1, span), Vec::new());
        self.cx.throwing.before.push(Stmt { span, kind: StmtKind::If { cond, then, other } });
        match t.value.is_void() {
            true => {
                let kind = ExprKind::Comma(vec![Expr::int(0, Ty::int(), span)]);
                Expr { ty: Ty::void(), span, kind }
            }
            false => t.part(local, 0, span),
        }
    }

    pub(crate) fn check_throw(&mut self, e: &ast::Expr, span: Span, out: &mut Vec<Stmt>) {
        let error = self.check_value(e);
        self.before(out);
        if !error.ty.is_error() {
            self.raise(error, span, out);
        }
    }

    /// Appends the jump from an error to its handler.
    fn raise(&mut self, error: Expr, span: Span, out: &mut Vec<Stmt>) {
        let takes = |h: &&Handler| h.ty.is_none_or(|t| t == error.ty);
        if let Some(h) = self.cx.throwing.handlers.iter().rev().find(takes).copied() {
            if let Some(local) = h.error {
                out.push(assign(local, error, span));
            }
            let yes = Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(true)) };
            out.push(assign(h.caught, yes, span));
            return self.break_to(h.target, span, out);
        }
        match self.cx.throwing.function {
            Some(t) if t.error == error.ty => {
                let result = t.make(None, error, true, span);
                self.return_now(Some(result), span, out);
            }
            found => {
                let shown = self.show(error.ty);
                let instead = found.map(|t| self.show(t.error));
                let d = self.error(codes::E0271, span, format!("nothing takes this error of type `{shown}`"));
                d.notes.push(match instead {
                    Some(other) => format!("the function throws `{other}`"),
                    None => format!(
                        "put it in `do {{ … }} catch (e : {shown}) {{ … }}`, or declare the function `throws {shown}`"
                    ),
                });
            }
        }
    }

    pub(crate) fn check_do_catch(
        &mut self,
        body: &[ast::Stmt],
        param: Option<&ast::Param>,
        handler: &[ast::Stmt],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let ty = param.map(|p| self.resolve_type(&p.ty));
        let error = ty.map(|t| self.jump_local("error", t, span));
        let caught = self.jump_local("caught", Ty::bool(), span);
        if let Some(local) = error {
            out.push(Stmt { span, kind: StmtKind::Var { local, init: None } });
        }
        let no = Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(false)) };
        out.push(Stmt { span, kind: StmtKind::Var { local: caught, init: Some(no) } });
        let target = self.enter_handled();
        self.cx.throwing.handlers.push(Handler { ty, error, caught, target });
        let stmts = self.check_block(body, |_| {});
        self.cx.throwing.handlers.pop();
        let ends = reach::falls_through(&stmts);
        let value = Expr::int(0, Ty::int(), span);
        let groups = vec![SwitchGroup { labels: Vec::new(), is_default: true, body: stmts }];
        self.leave_target(span, Some(StmtKind::Switch { value, groups }), out);
        let stmts = self.check_block(handler, |c| {
            let (Some(p), Some(local)) = (param, error) else { return };
            let Some(name) = p.name else { return };
            c.cx.locals[local.0 as usize].name = name.name;
            c.name_local(name.name, local);
        });
        // If the end of the statements is not reached, only an error leaves them.
        let kind = match ends {
            true => {
                let cond = Expr { ty: Ty::bool(), span, kind: ExprKind::Local(caught) };
                StmtKind::If { cond, then: stmts, other: Vec::new() }
            }
            false => StmtKind::Block(stmts),
        };
        out.push(Stmt { span, kind });
    }

    /// Appends the statements that belong before the current one.
    pub(crate) fn before(&mut self, out: &mut Vec<Stmt>) {
        out.append(&mut self.cx.throwing.before);
    }

    /// The statements that a condition needs before it, each time it is evaluated.
    pub(crate) fn before_condition(&mut self) -> Vec<Stmt> {
        std::mem::take(&mut self.cx.throwing.before)
    }

    /// Declares a variable in front of the statement.
    pub(crate) fn declare_before(&mut self, local: LocalId, span: Span) {
        self.cx.throwing.before.push(Stmt { span, kind: StmtKind::Var { local, init: None } });
    }

    /// The number of statements so far, as a mark for `tried_since`.
    pub(crate) fn tries(&self) -> usize {
        self.cx.throwing.before.len()
    }

    /// Removes and returns the statements since the mark, which belong before a part that may not
    /// be evaluated.
    pub(crate) fn tried_since(&mut self, mark: usize) -> Vec<Stmt> {
        self.cx.throwing.before.split_off(mark)
    }

    /// `expand pattern` over the list `of` where the pattern needs statements before it: these and
    /// the pattern are repeated for every element, so that nothing is evaluated behind an error.
    pub(crate) fn expand_trying(&mut self, pattern: Expr, of: Ty, mut stmts: Vec<Stmt>, span: Span) -> Expr {
        let ty = pattern.ty;
        let value = if ty.is_void() {
            stmts.push(Stmt { span, kind: StmtKind::Expr(pattern) });
            Expr { ty, span, kind: ExprKind::Comma(vec![Expr::int(0, Ty::int(), span)]) }
        } else {
            let local = self.jump_local("expanded", ty, span);
            stmts.push(Stmt { span, kind: StmtKind::Var { local, init: Some(pattern) } });
            let list = self.expand_type(ty, of);
            Expr { ty: list, span, kind: ExprKind::Local(local) }
        };
        // What holds another type, or has to last, for each element is a list of all of them.
        let mut lists = Vec::new();
        declared_in(&stmts, &mut lists);
        let lasts = |local: LocalId| matches!(value.kind, ExprKind::Local(l) if l == local);
        lists.retain(|l| lasts(*l) || self.pack_named_in(self.cx.locals[l.0 as usize].ty).is_some());
        for &local in &lists {
            let element = self.cx.locals[local.0 as usize].ty;
            let list = self.expand_type(element, of);
            self.cx.locals[local.0 as usize].ty = list;
            in_list(&mut stmts, local, list);
            self.cx.throwing.before.push(Stmt { span, kind: StmtKind::Var { local, init: None } });
        }
        let kind = StmtKind::Unroll { copies: Copies::Elements(of), body: stmts };
        self.cx.throwing.before.push(Stmt { span, kind });
        value
    }

    /// `a ? b : c`, `a && b` or `a || b` whose operands need statements before them: becomes a
    /// variable and an `if` that sets it. `then` belongs to the operand that is evaluated if `a` is
    /// true, `other` to the one that is evaluated if it is false.
    pub(crate) fn choose_trying(&mut self, e: Expr, mut then: Vec<Stmt>, mut other: Vec<Stmt>) -> Expr {
        if then.is_empty() && other.is_empty() {
            return e;
        }
        let (ty, span) = (e.ty, e.span);
        let local = self.jump_local("chosen", ty, span);
        let (cond, yes, no) = match e.kind {
            ExprKind::Ternary { cond, then, other } => (*cond, *then, *other),
            ExprKind::Logical { and, lhs, rhs } => {
                let short = Expr { ty, span, kind: ExprKind::Const(Const::Bool(!and)) };
                if and { (*lhs, *rhs, short) } else { (*lhs, short, *rhs) }
            }
            _ => {
                if !ty.is_error() {
                    self.unsupported(span, "`try` in what is not chosen by a single `bool`");
                }
                return Expr::error(span);
            }
        };
        then.push(assign(local, yes, span));
        other.push(assign(local, no, span));
        let before = &mut self.cx.throwing.before;
        before.push(Stmt { span, kind: StmtKind::Var { local, init: None } });
        before.push(Stmt { span, kind: StmtKind::If { cond, then, other } });
        Expr { ty, span, kind: ExprKind::Local(local) }
    }

    /// Makes statements run at the beginning of every iteration of a loop except for the first one.
    /// Returns the statement that belongs before the loop.
    pub(crate) fn but_not_first(&mut self, mut stmts: Vec<Stmt>, span: Span, body: &mut Vec<Stmt>) -> Stmt {
        let first = self.jump_local("first", Ty::bool(), span);
        let truth = |b: bool| Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(b)) };
        let cond = Expr { ty: Ty::bool(), span, kind: ExprKind::Local(first) };
        let then = vec![assign(first, truth(false), span)];
        let mut all = vec![Stmt { span, kind: StmtKind::If { cond, then, other: std::mem::take(&mut stmts) } }];
        all.append(body);
        *body = all;
        Stmt { span, kind: StmtKind::Var { local: first, init: Some(truth(true)) } }
    }
}

impl Thrown {
    fn error_index(&self) -> u32 {
        u32::from(!self.value.is_void())
    }

    fn part(&self, local: LocalId, index: u32, span: Span) -> Expr {
        let ty = match index.checked_sub(self.error_index()) {
            None => self.value,
            Some(0) => self.error,
            Some(_) => Ty::bool(),
        };
        let base = Box::new(Expr { ty: self.ty, span, kind: ExprKind::Local(local) });
        Expr { ty, span, kind: ExprKind::Field { base, index } }
    }

    /// What a function returns that has not thrown.
    pub(crate) fn done(&self, value: Option<Expr>, span: Span) -> Expr {
        self.make(value, Expr { ty: self.error, span, kind: ExprKind::Zero }, false, span)
    }

    fn make(&self, value: Option<Expr>, error: Expr, failed: bool, span: Span) -> Expr {
        let failed = Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(failed)) };
        let value = value.unwrap_or(Expr { ty: self.value, span, kind: ExprKind::Zero });
        let parts = match self.value.is_void() {
            true => vec![error, failed],
            false => vec![value, error, failed],
        };
        Expr { ty: self.ty, span, kind: ExprKind::Construct(parts) }
    }
}

fn assign(local: LocalId, value: Expr, span: Span) -> Stmt {
    let ty = value.ty;
    let place = Box::new(Expr { ty, span, kind: ExprKind::Local(local) });
    Stmt { span, kind: StmtKind::Expr(Expr { ty, span, kind: ExprKind::Assign { place, value: value.into() } }) }
}

/// The variables that statements declare, those of blocks as well.
fn declared_in(stmts: &[Stmt], found: &mut Vec<LocalId>) {
    for s in stmts {
        match &s.kind {
            StmtKind::Var { local, .. } => found.push(*local),
            StmtKind::Block(b) => declared_in(b, found),
            StmtKind::If { then, other, .. } => {
                declared_in(then, found);
                declared_in(other, found);
            }
            _ => {}
        }
    }
}

/// Puts one element of a list in the place of a variable that statements declare.
fn in_list(stmts: &mut Vec<Stmt>, local: LocalId, list: Ty) {
    fn in_expr(e: &mut Expr, local: LocalId, list: Ty) {
        if matches!(e.kind, ExprKind::Local(l) if l == local) {
            let whole = Expr { ty: list, span: e.span, kind: ExprKind::Local(local) };
            e.kind = ExprKind::Each(whole.into());
        } else {
            e.for_each_part_mut(&mut |part| in_expr(part, local, list));
        }
    }
    let is_declared = |s: &Stmt| matches!(s.kind, StmtKind::Var { local: l, init: None } if l == local);
    stmts.retain(|s| !is_declared(s));
    for s in stmts {
        if let StmtKind::Var { local: l, init: Some(value) } = &mut s.kind
            && *l == local
        {
            let value = std::mem::replace(value, Expr::error(s.span));
            *s = assign(local, value, s.span);
        }
        match &mut s.kind {
            StmtKind::Block(b) => in_list(b, local, list),
            StmtKind::If { cond, then, other } => {
                in_expr(cond, local, list);
                in_list(then, local, list);
                in_list(other, local, list);
            }
            _ => s.for_each_expr_mut(&mut |e| in_expr(e, local, list)),
        }
    }
}
