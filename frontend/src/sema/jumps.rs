//! Where `break`, `continue` and `return` lead, and which deferred statements they run: labels and
//! `defer`.
//!
//! A `break` that leaves more than one loop or switch sets a flag and leaves the innermost
//! construct; code after each construct on the way tests the flag and leaves the next one. So the
//! tree only has breaks out of the innermost construct. Deferred statements are checked once, where
//! they stand, and copied to every exit of their scope.

use super::*;
use caustic_ir::codes;

/// A loop or a switch around the code that is being checked.
#[derive(Clone)]
struct Target {
    is_loop: bool,
    /// Whether it is the statements of a `do … catch`, which a plain `break` does not leave.
    handled: bool,
    label: Option<ast::Ident>,
    /// How many statements were deferred before it.
    defers: usize,
    /// The flag that a `break` further inside sets to leave this construct.
    flag: Option<LocalId>,
    /// Constructs further out that a jump inside leads to.
    passing: Vec<usize>,
}

#[derive(Clone)]
struct Deferred {
    /// How many scopes were open at the `defer`.
    depth: usize,
    stmts: Vec<Stmt>,
}

/// The jump targets and deferred statements around the code that is being checked.
#[derive(Clone, Default)]
pub(crate) struct Jumps {
    targets: Vec<Target>,
    defers: Vec<Deferred>,
    /// The label of the next statement.
    label: Option<ast::Ident>,
    /// Whether this is a deferred statement, which no jump may leave.
    deferred: bool,
}

impl Checker<'_> {
    /// Enters a loop or a switch.
    pub(crate) fn enter_target(&mut self, is_loop: bool) {
        let jumps = &mut self.cx.jumps;
        let (label, defers) = (jumps.label.take(), jumps.defers.len());
        jumps.targets.push(Target { is_loop, handled: false, label, defers, flag: None, passing: Vec::new() });
    }

    /// Enters the statements of a `do … catch`. Returns their index as a target.
    pub(crate) fn enter_handled(&mut self) -> usize {
        let targets = &mut self.cx.jumps.targets;
        let defers = self.cx.jumps.defers.len();
        targets.push(Target { is_loop: false, handled: true, label: None, defers, flag: None, passing: Vec::new() });
        targets.len() - 1
    }

    /// Leaves the innermost target: adds it, and the tests that jumps through it need, to `out`.
    pub(crate) fn leave_target(&mut self, span: Span, kind: Option<StmtKind>, out: &mut Vec<Stmt>) {
        let Some(target) = self.cx.jumps.targets.pop() else { return };
        let Some(kind) = kind else { return };
        if let Some(local) = target.flag {
            let init = Some(Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(false)) });
            out.push(Stmt { span, kind: StmtKind::Var { local, init } });
        }
        out.push(Stmt { span, kind });
        for t in target.passing {
            let Some(flag) = self.cx.jumps.targets.get(t).and_then(|t| t.flag) else { continue };
            let cond = Expr { ty: Ty::bool(), span, kind: ExprKind::Local(flag) };
            let then = vec![Stmt { span, kind: StmtKind::Break }];
            out.push(Stmt { span, kind: StmtKind::If { cond, then, other: Vec::new() } });
        }
    }

    pub(crate) fn check_labeled(&mut self, label: ast::Ident, body: &ast::Stmt, out: &mut Vec<Stmt>) {
        self.cx.jumps.label = Some(label);
        self.check_stmt(body, out);
        // Only loops and switches use the label.
        self.cx.jumps.label = None;
    }

    pub(crate) fn check_break(&mut self, label: Option<ast::Ident>, span: Span, out: &mut Vec<Stmt>) {
        let targets = &self.cx.jumps.targets;
        let last = match (targets.iter().rposition(|t| !t.handled), label) {
            (Some(last), _) => last,
            (None, Some(_)) => 0,
            (None, None) => {
                let text = if self.cx.jumps.deferred {
                    "`break` cannot leave a deferred statement"
                } else {
                    "`break` outside of a loop or switch"
                };
                self.error(codes::E0243, span, text);
                return;
            }
        };
        let to = match label {
            None => last,
            Some(l) => match targets.iter().rposition(|t| t.label.is_some_and(|x| x.name == l.name)) {
                Some(at) => at,
                None => {
                    let known: Vec<String> =
                        targets.iter().filter_map(|t| Some(format!("`{}`", t.label?.name))).collect();
                    let text = format!("no loop or switch around this is labelled `{}`", l.name);
                    let d = self.error(codes::E0243, l.span, text);
                    if !known.is_empty() {
                        d.notes.push(format!("the labels here are {}", known.join(", ")));
                    }
                    return;
                }
            },
        };
        self.break_to(to, span, out);
    }

    /// Leaves a target and everything inside of it.
    pub(crate) fn break_to(&mut self, to: usize, span: Span, out: &mut Vec<Stmt>) {
        let from = self.cx.jumps.targets[to].defers;
        self.run_deferred(from, out);
        if to + 1 != self.cx.jumps.targets.len() {
            let flag = match self.cx.jumps.targets[to].flag {
                Some(flag) => flag,
                None => {
                    let flag = self.jump_local("leave", Ty::bool(), span);
                    self.cx.jumps.targets[to].flag = Some(flag);
                    flag
                }
            };
            for t in &mut self.cx.jumps.targets[to + 1..] {
                if !t.passing.contains(&to) {
                    t.passing.push(to);
                }
            }
            let place = Box::new(Expr { ty: Ty::bool(), span, kind: ExprKind::Local(flag) });
            let value = Box::new(Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(true)) });
            let set = Expr { ty: Ty::bool(), span, kind: ExprKind::Assign { place, value } };
            out.push(Stmt { span, kind: StmtKind::Expr(set) });
        }
        out.push(Stmt { span, kind: StmtKind::Break });
    }

    pub(crate) fn check_continue(&mut self, span: Span, out: &mut Vec<Stmt>) {
        let Some(to) = self.cx.jumps.targets.iter().rposition(|t| t.is_loop) else {
            let text = if self.cx.jumps.deferred {
                "`continue` cannot leave a deferred statement"
            } else {
                "`continue` outside of a loop"
            };
            self.error(codes::E0243, span, text);
            return;
        };
        let from = self.cx.jumps.targets[to].defers;
        self.run_deferred(from, out);
        out.push(Stmt { span, kind: StmtKind::Continue });
    }

    /// A `return` of a value that has been checked.
    pub(crate) fn leave_function(&mut self, value: Option<Expr>, span: Span, out: &mut Vec<Stmt>) {
        self.before(out);
        let value = self.returned(value, span);
        self.return_now(value, span, out);
    }

    /// Leaves the function: evaluates the result first, then runs the deferred statements.
    pub(crate) fn return_now(&mut self, value: Option<Expr>, span: Span, out: &mut Vec<Stmt>) {
        if self.cx.jumps.deferred {
            self.error(codes::E0243, span, "`return` cannot leave a deferred statement, and neither can `throw`");
            return;
        }
        let value = match value {
            Some(v) if !self.cx.jumps.defers.is_empty() && !matches!(v.kind, ExprKind::Const(_) | ExprKind::Error) => {
                let ty = v.ty;
                let local = self.jump_local("result", ty, span);
                out.push(Stmt { span, kind: StmtKind::Var { local, init: Some(v) } });
                Some(Expr { ty, span, kind: ExprKind::Local(local) })
            }
            other => other,
        };
        self.run_deferred(0, out);
        out.push(Stmt { span, kind: StmtKind::Return(value) });
    }

    pub(crate) fn check_defer(&mut self, body: &ast::Stmt) {
        let jumps = std::mem::replace(&mut self.cx.jumps, Jumps { deferred: true, ..Jumps::default() });
        let stmts = self.check_scoped(body);
        self.cx.jumps = jumps;
        let depth = self.cx.scopes.len();
        self.cx.jumps.defers.push(Deferred { depth, stmts });
    }

    /// Ends the innermost scope: runs its deferred statements, if its end is reached.
    pub(crate) fn end_deferred(&mut self, out: &mut Vec<Stmt>) {
        let depth = self.cx.scopes.len();
        let first = self.cx.jumps.defers.iter().position(|d| d.depth >= depth);
        let Some(first) = first else { return };
        if reach::falls_through(out) {
            self.run_deferred(first, out);
        }
        self.cx.jumps.defers.truncate(first);
    }

    /// At a label of a switch: the statements that the group before it deferred in the switch's own
    /// scope run before control falls into the next group, and do not apply there.
    pub(crate) fn at_case_label(&mut self, group: Option<&mut SwitchGroup>) {
        if let Some(group) = group {
            self.end_deferred(&mut group.body);
        }
    }

    fn run_deferred(&self, from: usize, out: &mut Vec<Stmt>) {
        for d in self.cx.jumps.defers[from..].iter().rev() {
            let span = d.stmts.first().map(|s| s.span).unwrap_or_default();
            out.push(Stmt { span, kind: StmtKind::Block(d.stmts.clone()) });
        }
    }

    /// Declares a variable that is not visible to the program.
    pub(crate) fn jump_local(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        let id = LocalId(self.cx.locals.len() as u32);
        let name = Name::new(name);
        self.cx.locals.push(Local { name, ty, span, mutable: true, param: None, no_diff: false, known: None });
        id
    }
}
