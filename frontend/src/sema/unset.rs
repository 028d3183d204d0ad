//! Reports variables of interface types that are used before they are set, and calls on the default
//! value of an interface. Such a variable or value holds no type, so a call on it has nothing to
//! dispatch on.
//!
//! The check is one pass over a body in the order of execution. A variable only changes from unset
//! to set, so the state at the head of a loop is the one before the loop. Bodies without such a
//! variable are skipped.

use super::flow::Flow;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

type Locals = SmallVec<[LocalId; 4]>;

/// The most levels of structs and arrays that are looked into for values of interfaces.
const MOST_LEVELS: usize = 4;

/// What is known at a place of the program.
#[derive(Clone, Default)]
struct State {
    /// The variables that may be unset.
    unset: Locals,
    /// The variables that have the default value, and structs and arrays of which no part was set.
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
    locals: &'c [Local],
}

impl Checker<'_> {
    pub(crate) fn check_unset(&mut self, body: &Body) {
        let mut has_variable = false;
        for l in body.locals.iter().filter(|l| l.param.is_none()) {
            has_variable |= self.misses_interface(l.ty, MOST_LEVELS);
        }
        if !has_variable && !self.calls_defaults(body) {
            return;
        }
        let (breaks, continues) = (Vec::new(), Vec::new());
        let mut walk = Walk { checker: self, breaks, continues, reported: Locals::new(), locals: &body.locals };
        walk.stmts(&body.stmts, Some(State::default()));
    }

    /// Whether a type is an interface, or holds a value of one that nothing gives a default.
    pub(super) fn misses_interface(&mut self, ty: Ty, levels: usize) -> bool {
        match *ty.kind() {
            TyKind::Interface(_) => true,
            TyKind::Array(element, _) if levels > 0 => self.misses_interface(element, levels - 1),
            // What says that it has no value is no mistake.
            TyKind::Struct(id) if levels > 0 && !self.has_defaults(ty) && self.optional_of(ty).is_none() => {
                let fields: Vec<Ty> = self.fields(id).iter().map(|f| f.ty).collect();
                fields.into_iter().any(|f| self.misses_interface(f, levels - 1))
            }
            _ => false,
        }
    }

    /// Whether a body has the default value of an interface.
    fn calls_defaults(&self, body: &Body) -> bool {
        let mut found = false;
        for s in &body.stmts {
            s.for_each_expr(&mut |e| found |= has_default(e));
        }
        found
    }
}

/// Whether this is the default value of an interface.
fn is_default(e: &Expr) -> bool {
    matches!((&e.kind, e.ty.kind()), (ExprKind::Zero, TyKind::Interface(_)))
}

fn has_default(e: &Expr) -> bool {
    let mut found = is_default(e);
    e.for_each_part(&mut |part| found |= has_default(part));
    found
}

/// Whether nothing in a value is given.
fn is_empty(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Zero => true,
        ExprKind::Construct(parts) => parts.iter().all(is_empty),
        _ => false,
    }
}

/// The variable that a place is a part of, or all of.
fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(l) => Some(*l),
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => root(base),
        _ => None,
    }
}

fn add(to: &mut Locals, more: &[LocalId]) {
    for l in more {
        if !to.contains(l) {
            to.push(*l);
        }
    }
}

impl Flow for Walk<'_, '_> {
    type State = State;

    fn meet(mut a: State, b: &State) -> State {
        a.join(b);
        a
    }

    fn breaks(&mut self) -> &mut Vec<Option<State>> {
        &mut self.breaks
    }

    fn stmt(&mut self, s: &Stmt, mut at: State) -> Option<State> {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::Assert { cond: e, .. } => self.expr(e, &mut at),
            StmtKind::Var { local, init: Some(e) } => {
                self.expr(e, &mut at);
                self.assign(*local, e, &mut at);
            }
            StmtKind::Var { local, init: None } => {
                let ty = self.locals[local.0 as usize].ty;
                if matches!(ty.kind(), TyKind::Interface(_)) {
                    add(&mut at.unset, &[*local]);
                } else if self.checker.misses_interface(ty, MOST_LEVELS) {
                    add(&mut at.default, &[*local]);
                }
            }
            StmtKind::Block(b) | StmtKind::Unroll { body: b, .. } => return self.stmts(b, Some(at)),
            StmtKind::If { cond, then, other } => return self.branch(cond, [then, other], at),
            StmtKind::Loop { init, cond, step, body, test_first, .. } => {
                let mut at = self.stmts(init, Some(at))?;
                if *test_first && let Some(c) = cond {
                    self.expr(c, &mut at);
                }
                let endless = reach::is_endless(cond.as_ref());
                let before = at.clone();
                self.breaks.push(None);
                self.continues.push(None);
                let end = self.stmts(body, Some(at));
                let mut end = Self::join(end, self.continues.pop().flatten());
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
                    (false, true) => Self::join(Self::join(Some(before), end), out),
                    (false, false) => Self::join(end, out),
                };
            }
            StmtKind::Switch { value, groups } => return self.switch(value, groups, at),
            StmtKind::Break => {
                self.leave(at);
                return None;
            }
            StmtKind::Continue => {
                if let Some(c) = self.continues.last_mut() {
                    *c = Self::join(c.take(), Some(at));
                }
                return None;
            }
            StmtKind::Return(value) => {
                if let Some(e) = value {
                    self.passed(e, &mut at);
                }
                return None;
            }
        }
        Some(at)
    }

    fn expr(&mut self, e: &Expr, at: &mut State) {
        match &e.kind {
            ExprKind::Assign { place, value } => {
                self.expr(value, at);
                match place.kind {
                    ExprKind::Local(l) => self.assign(l, value, at),
                    _ => {
                        self.expr(place, at);
                        self.written(place, at);
                    }
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
                self.passed(then, at);
                self.passed(other, &mut on_other);
                at.join(&on_other);
            }
            ExprKind::Call { func, args } => {
                if let Some(object) = args.first().filter(|_| self.dispatches(func.func)) {
                    self.dispatch(object, at);
                }
                let dirs: Vec<Dir> = self.checker.funcs[func.func.0 as usize].params.iter().map(|p| p.dir).collect();
                for (a, dir) in args.iter().zip(&dirs) {
                    match dir {
                        Dir::Out => self.expr(a, at),
                        _ => self.passed(a, at),
                    }
                }
                for (a, _) in args.iter().zip(dirs).filter(|(_, dir)| *dir != Dir::In) {
                    self.written(a, at);
                }
            }
            ExprKind::CallOn { args, .. } => {
                if let Some(object) = args.first() {
                    self.dispatch(object, at);
                }
                for a in args {
                    self.passed(a, at);
                }
            }
            ExprKind::Access(access) => {
                for a in &access.args {
                    self.passed(a, at);
                }
            }
            // The op may write to the variable through its address.
            ExprKind::Intrinsic { args, .. } | ExprKind::CallDeriv { args, .. } => {
                for a in args {
                    if !matches!(a.kind, ExprKind::Local(_)) {
                        self.expr(a, at);
                    }
                    self.written(a, at);
                }
            }
            _ => {
                let mut parts = std::mem::take(at);
                e.for_each_part(&mut |p| self.expr(p, &mut parts));
                *at = parts;
            }
        }
    }
}

impl Walk<'_, '_> {
    /// The variable has the value of `e` from here on.
    fn assign(&mut self, l: LocalId, e: &Expr, at: &mut State) {
        let from = root(e);
        let holds = self.checker.misses_interface(e.ty, MOST_LEVELS);
        let default = holds && is_empty(e) || from.is_some_and(|from| at.default.contains(&from));
        let unset = matches!(e.kind, ExprKind::Local(_)) && from.is_some_and(|from| at.unset.contains(&from));
        at.set(l);
        if default {
            add(&mut at.default, &[l]);
        } else if unset {
            add(&mut at.unset, &[l]);
        }
    }

    /// A part of a variable, or all of it, has a value from here on.
    fn written(&mut self, place: &Expr, at: &mut State) {
        let changed = match &place.kind {
            // A setter may change its object.
            ExprKind::Access(access) => access.args.first().and_then(root),
            _ => root(place),
        };
        if let Some(l) = changed {
            at.set(l);
        }
    }

    /// Whether a function is a requirement, whose calls lead to what the object has.
    fn dispatches(&self, f: FuncId) -> bool {
        let info = &self.checker.funcs[f.0 as usize];
        matches!(info.owner, Some(Owner::Interface(_))) && info.this.is_some()
    }

    /// Reports a call on the default value of an interface.
    fn dispatch(&mut self, object: &Expr, at: &State) {
        let local = match root(object) {
            Some(l) if at.default.contains(&l) && !self.reported.contains(&l) => Some(l),
            _ if is_default(object) => None,
            _ => return,
        };
        self.reported.extend(local);
        let shown = self.checker.show(object.ty);
        let what = match local {
            Some(l) => format!("`{}` holds no value here", self.locals[l.0 as usize].name),
            None => format!("a default `{shown}` holds no value"),
        };
        self.checker
            .error(codes::E0248, object.span, what)
            .notes
            .push(format!("the default of an interface is of no type that conforms to it: no `{shown}` is called"));
    }

    /// A value that other code gets, which may call on it.
    fn passed(&mut self, e: &Expr, at: &mut State) {
        match e.kind {
            ExprKind::Local(l) => self.read(l, e.span, at),
            _ => self.expr(e, at),
        }
    }

    /// Reports the use of a variable that may be unset.
    fn read(&mut self, l: LocalId, span: Span, at: &State) {
        if !at.unset.contains(&l) || self.reported.contains(&l) {
            return;
        }
        self.reported.push(l);
        let Local { name, span: declared, .. } = self.locals[l.0 as usize];
        let declared = self.checker.loc(declared);
        let d = self.checker.error(codes::E0248, span, format!("`{name}` may hold no value here"));
        d.labels.push((declared, "declared without one".to_string()));
        d.notes
            .push("which type a call leads to is known only once a value was assigned on every way here".to_string());
    }
}
