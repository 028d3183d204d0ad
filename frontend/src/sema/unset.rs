//! Reports variables of interface types that are used before they are set, and calls on the default
//! value of an interface. Such a variable or value holds no type, so a call on it has nothing to
//! dispatch on.
//!
//! The check is one pass over a body in the order of execution. A variable only changes from unset
//! to set, so the state at the head of a loop is the one before the loop. Bodies without such a
//! variable are skipped.

use super::types::TyKind;
use super::*;
use caustic_ir::codes;

type Locals = SmallVec<[LocalId; 4]>;

/// What is known at a place of the program.
#[derive(Clone, Default)]
struct State {
    /// The variables that may be unset.
    unset: Locals,
    /// The variables that have the default value.
    default: Locals,
}

impl State {
    fn set(&mut self, l: LocalId) {
        self.unset.retain(|u| *u != l);
        self.default.retain(|u| *u != l);
    }

    /// Adds the state of another way to the same place.
    fn join(&mut self, other: &State) {
        add(&mut self.unset, &other.unset);
        self.default.retain(|l| other.default.contains(l));
    }
}

struct Walk<'c, 'a> {
    checker: &'c mut Checker<'a>,
    /// By enclosing loop or switch: the unset variables at jumps out of it, and at jumps to the
    /// next iteration.
    breaks: Vec<Option<State>>,
    continues: Vec<Option<State>>,
    reported: Locals,
    names: Vec<(Name, Span)>,
}

impl Checker<'_> {
    pub(crate) fn check_unset(&mut self, body: &Body) {
        let of_interface = |l: &Local| l.param.is_none() && matches!(l.ty.kind(), TyKind::Interface(_));
        if !body.locals.iter().any(of_interface) && !self.calls_defaults(body) {
            return;
        }
        let names = body.locals.iter().map(|l| (l.name, l.span)).collect();
        let (breaks, continues) = (Vec::new(), Vec::new());
        let mut walk = Walk { checker: self, breaks, continues, reported: Locals::new(), names };
        walk.stmts(&body.stmts, &body.locals, Some(State::default()));
    }

    /// Whether a body has the default value of an interface.
    fn calls_defaults(&self, body: &Body) -> bool {
        let mut found = false;
        for s in &body.stmts {
            s.for_each_expr(&mut |e| found |= is_default(e));
        }
        found
    }
}

/// Whether this is the default value of an interface.
fn is_default(e: &Expr) -> bool {
    matches!((&e.kind, e.ty.kind()), (ExprKind::Zero, TyKind::Interface(_)))
}

/// The state where two control flows meet. `None` stands for code that is not reached.
fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.join(&b);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

fn add(to: &mut Locals, more: &[LocalId]) {
    for l in more {
        if !to.contains(l) {
            to.push(*l);
        }
    }
}

impl Walk<'_, '_> {
    fn stmts(&mut self, list: &[Stmt], locals: &[Local], mut at: Option<State>) -> Option<State> {
        for s in list {
            at = Some(self.stmt(s, locals, at?)?);
        }
        at
    }

    fn stmt(&mut self, s: &Stmt, locals: &[Local], mut at: State) -> Option<State> {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::Assert { cond: e, .. } => self.expr(e, &mut at),
            StmtKind::Var { local, init: Some(e) } => {
                self.expr(e, &mut at);
                self.assign(*local, e, &mut at);
            }
            StmtKind::Var { local, init: None } => {
                if matches!(locals[local.0 as usize].ty.kind(), TyKind::Interface(_)) {
                    add(&mut at.unset, &[*local]);
                }
            }
            StmtKind::Block(b) | StmtKind::Unroll { body: b, .. } => return self.stmts(b, locals, Some(at)),
            StmtKind::If { cond, then, other } => {
                self.expr(cond, &mut at);
                let then = self.stmts(then, locals, Some(at.clone()));
                let other = self.stmts(other, locals, Some(at));
                return join(then, other);
            }
            StmtKind::Loop { init, cond, step, body, test_first, .. } => {
                let mut at = self.stmts(init, locals, Some(at))?;
                if *test_first && let Some(c) = cond {
                    self.expr(c, &mut at);
                }
                let endless = cond.is_none();
                let before = at.clone();
                self.breaks.push(None);
                self.continues.push(None);
                let end = self.stmts(body, locals, Some(at));
                let mut end = join(end, self.continues.pop().flatten());
                if let Some(end) = &mut end {
                    if let Some(e) = step {
                        self.expr(e, end);
                    }
                    if !*test_first && let Some(c) = cond {
                        self.expr(c, end);
                    }
                }
                let out = self.breaks.pop().flatten();
                return match (endless, *test_first) {
                    (true, _) => out,
                    // The body may have replaced a default value.
                    (false, true) => join(join(Some(before), end), out),
                    (false, false) => join(end, out),
                };
            }
            StmtKind::Switch { value, groups } => {
                self.expr(value, &mut at);
                self.breaks.push(None);
                let mut end = None;
                for g in groups {
                    // A group can fall through to the next.
                    end = self.stmts(&g.body, locals, join(Some(at.clone()), end));
                }
                let out = self.breaks.pop().flatten();
                let otherwise = (!groups.iter().any(|g| g.is_default)).then_some(at);
                return join(join(end, out), otherwise);
            }
            StmtKind::Break => {
                if let Some(b) = self.breaks.last_mut() {
                    *b = join(b.take(), Some(at));
                }
                return None;
            }
            StmtKind::Continue => {
                if let Some(c) = self.continues.last_mut() {
                    *c = join(c.take(), Some(at));
                }
                return None;
            }
            StmtKind::Return(value) => {
                if let Some(e) = value {
                    self.expr(e, &mut at);
                }
                return None;
            }
        }
        Some(at)
    }

    /// The variable has the value of `e` from here on.
    fn assign(&mut self, l: LocalId, e: &Expr, at: &mut State) {
        let default = is_default(e) || matches!(e.kind, ExprKind::Local(from) if at.default.contains(&from));
        at.set(l);
        if default {
            add(&mut at.default, &[l]);
        }
    }

    fn expr(&mut self, e: &Expr, at: &mut State) {
        match &e.kind {
            ExprKind::Assign { place, value } => {
                self.expr(value, at);
                match place.kind {
                    ExprKind::Local(l) => self.assign(l, value, at),
                    _ => self.expr(place, at),
                }
            }
            ExprKind::Logical { lhs, rhs, .. } => {
                self.expr(lhs, at);
                // The right side may not be evaluated.
                self.expr(rhs, &mut at.clone());
            }
            ExprKind::Ternary { cond, then, other } => {
                self.expr(cond, at);
                let mut on_other = at.clone();
                self.expr(then, at);
                self.expr(other, &mut on_other);
                at.join(&on_other);
            }
            ExprKind::Call { func, args } => {
                if let Some(object) = args.first().filter(|_| self.dispatches(func.func)) {
                    self.dispatch(object, at);
                }
                let dirs: Vec<Dir> = self.checker.funcs[func.func.0 as usize].params.iter().map(|p| p.dir).collect();
                for (a, dir) in args.iter().zip(&dirs) {
                    match a.kind {
                        ExprKind::Local(l) if *dir != Dir::Out => self.read(l, a.span, at),
                        _ => self.expr(a, at),
                    }
                }
                for (a, dir) in args.iter().zip(dirs) {
                    if let (ExprKind::Local(l), Dir::Out | Dir::InOut) = (&a.kind, dir) {
                        at.set(*l);
                    }
                }
            }
            ExprKind::CallOn { args, .. } => {
                if let Some(object) = args.first() {
                    self.dispatch(object, at);
                }
                for a in args {
                    match a.kind {
                        ExprKind::Local(l) => self.read(l, a.span, at),
                        _ => self.expr(a, at),
                    }
                }
            }
            ExprKind::Access(access) => {
                for a in &access.args {
                    match a.kind {
                        ExprKind::Local(l) => self.read(l, a.span, at),
                        _ => self.expr(a, at),
                    }
                }
            }
            // The op may write to the variable through its address.
            ExprKind::Intrinsic { args, .. } | ExprKind::CallDeriv { args, .. } => {
                for a in args {
                    match a.kind {
                        ExprKind::Local(l) => at.set(l),
                        _ => self.expr(a, at),
                    }
                }
            }
            _ => {
                let mut parts = std::mem::take(at);
                e.for_each_part(&mut |p| self.expr(p, &mut parts));
                *at = parts;
            }
        }
    }

    /// Whether a function is a requirement, whose calls lead to what the object has.
    fn dispatches(&self, f: FuncId) -> bool {
        let info = &self.checker.funcs[f.0 as usize];
        matches!(info.owner, Some(Owner::Interface(_))) && info.this.is_some()
    }

    /// Reports a call on the default value of an interface.
    fn dispatch(&mut self, object: &Expr, at: &State) {
        let local = match object.kind {
            ExprKind::Local(l) if at.default.contains(&l) && !self.reported.contains(&l) => Some(l),
            _ if is_default(object) => None,
            _ => return,
        };
        self.reported.extend(local);
        let shown = self.checker.show(object.ty);
        let what = match local {
            Some(l) => format!("`{}` holds no value here", self.names[l.0 as usize].0),
            None => format!("a default `{shown}` holds no value"),
        };
        self.checker
            .error(codes::E0248, object.span, what)
            .notes
            .push(format!("the default of an interface is of no type that conforms to it: no `{shown}` is called"));
    }

    /// Reports the use of a variable that may be unset.
    fn read(&mut self, l: LocalId, span: Span, at: &State) {
        if !at.unset.contains(&l) || self.reported.contains(&l) {
            return;
        }
        self.reported.push(l);
        let (name, declared) = self.names[l.0 as usize];
        let declared = self.checker.loc(declared);
        let d = self.checker.error(codes::E0248, span, format!("`{name}` may hold no value here"));
        d.labels.push((declared, "declared without one".to_string()));
        d.notes
            .push("which type a call leads to is known only once a value was assigned on every way here".to_string());
    }
}
