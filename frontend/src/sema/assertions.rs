//! Static assertions: in functions, where generic arguments and variables may decide them, and
//! outside of functions.

mod calls;

use super::*;
use calls::calls_decide;
use caustic_ir::codes;

pub(super) type Known = FxHashMap<LocalId, Expr>;

impl Checker<'_> {
    /// Checks a static assertion in a function. Returns the condition if it is decided later: by
    /// generic arguments, or by variables that keep the value that they begin with.
    pub(crate) fn static_assert(&mut self, cond: &ast::Expr, message: Option<&ast::Expr>) -> Option<Expr> {
        if message.is_none() {
            self.error(codes::E0204, cond.span, "`static_assert` takes a condition and a message");
        }
        let c = self.check_expr(cond);
        let c = self.coerce(c, Ty::bool());
        // The branch around it may be one that no instance takes.
        let generic = self.cx.ret.is_some() && self.namespaces[self.current_ns().0 as usize].gens.is_some();
        match self.fold(&c) {
            Some(Const::Bool(true)) => None,
            Some(known) if generic => Some(Expr { kind: ExprKind::Const(known), ..c }),
            Some(_) => {
                self.assertion_failed(message.and_then(ast::Expr::text), cond.span);
                None
            }
            None if c.ty.is_error() => None,
            None if c.kind.is_decided_later() || self.names_variable(&c) => Some(c),
            None => {
                self.undecided(cond.span);
                None
            }
        }
    }

    /// Checks a static assertion outside of functions.
    pub(super) fn outer_assertion(&mut self, cond: &ast::Expr, message: Option<&ast::Expr>) {
        if self.static_assert(cond, message).is_some() {
            self.undecided(cond.span)
                .notes
                .push("one that depends on generic arguments stands in a function".to_string());
        }
    }

    pub(crate) fn assertion_failed(&mut self, message: Option<Rc<str>>, span: Span) {
        let text = match message {
            Some(s) => format!("static assertion failed: {s}"),
            None => "static assertion failed".to_string(),
        };
        self.error(codes::E0260, span, text);
    }

    pub(crate) fn undecided(&mut self, span: Span) -> &mut Diagnostic {
        self.error(codes::E0261, span, "the condition of a static assertion must be a constant")
    }

    /// Whether an expression names a variable of the body, or a parameter.
    fn names_variable(&self, e: &Expr) -> bool {
        let mut found = matches!(e.kind, ExprKind::Local(_));
        e.for_each_part(&mut |part| found = found || self.names_variable(part));
        found
    }

    /// Decides the assertions of a body about variables that nothing writes after they have got
    /// their first value.
    pub(super) fn settle_assertions(&mut self, f: FuncId, body: &mut Body) {
        if !has_assertion(&body.stmts) {
            return;
        }
        let (written, open) = (self.written_in(body), self.parameters_of_calls(f, body));
        self.settle(&mut body.stmts, (&written, &open), &mut Known::default());
    }

    /// For each variable of a body whether something may write it after its first value.
    pub(super) fn written_in(&self, body: &Body) -> Vec<bool> {
        let mut written = vec![false; body.locals.len()];
        for s in &body.stmts {
            s.for_each_expr(&mut |e| self.note_written(e, &mut written));
        }
        written
    }

    /// The statements in order; `known` are the variables declared before with known values. What
    /// is about `open` parameters, calls decide.
    fn settle(&mut self, stmts: &mut Vec<Stmt>, (written, open): (&[bool], &[LocalId]), known: &mut Known) {
        let mut at = 0;
        while at < stmts.len() {
            match &mut stmts[at].kind {
                StmtKind::Var { local, init: Some(init) } if !written[local.0 as usize] => {
                    let mut value = init.clone();
                    replace(&mut value, known);
                    if self.fold(&value).is_some() || value.kind.is_decided_later() {
                        known.insert(*local, value);
                    }
                }
                StmtKind::Assert { cond, message } => {
                    replace(cond, known);
                    let decided = self.fold(cond);
                    let (span, message) = (cond.span, message.clone());
                    // A generic function keeps what is known to be false.
                    let kept = match decided {
                        Some(_) => matches!(cond.kind, ExprKind::Const(Const::Bool(false))),
                        None => cond.kind.is_decided_later() || calls_decide(cond, open),
                    };
                    match decided {
                        _ if kept => {
                            at += 1;
                            continue;
                        }
                        Some(Const::Bool(true)) => {}
                        Some(_) => self.assertion_failed(message, span),
                        None => _ = self.undecided(span),
                    }
                    stmts.remove(at);
                    continue;
                }
                StmtKind::Block(inner) | StmtKind::Unroll { body: inner, .. } => {
                    self.settle(inner, (written, open), known)
                }
                StmtKind::If { then, other, .. } => {
                    self.settle(then, (written, open), known);
                    self.settle(other, (written, open), known);
                }
                StmtKind::Loop { init, body, .. } => {
                    self.settle(init, (written, open), known);
                    self.settle(body, (written, open), known);
                }
                StmtKind::Switch { groups, .. } => {
                    groups.iter_mut().for_each(|g| self.settle(&mut g.body, (written, open), known));
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Marks the variables that an expression may write, or whose address it takes.
    fn note_written(&self, e: &Expr, written: &mut [bool]) {
        match &e.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Update { place, .. }
            | ExprKind::IncDec { place, .. }
            | ExprKind::Atomic { place, .. } => mark(place, written),
            ExprKind::Access(a) => a.args.iter().for_each(|a| mark(a, written)),
            ExprKind::Intrinsic { args, .. } => args.iter().for_each(|a| mark(a, written)),
            ExprKind::Call { func, args } | ExprKind::CallOn { func, args } => {
                let params = &self.funcs[func.func.0 as usize].params;
                let fits = params.len() == args.len();
                let passed = args.iter().enumerate().filter(|(i, _)| !fits || params[*i].dir != Dir::In);
                passed.for_each(|(_, a)| mark(a, written));
            }
            ExprKind::CallDeriv { dirs, args, .. } => {
                args.iter().zip(dirs).filter(|(_, d)| **d != Dir::In).for_each(|(a, _)| mark(a, written));
            }
            _ => {}
        }
        e.for_each_part(&mut |part| self.note_written(part, written));
    }
}

/// Marks the variable that a place is a part of.
fn mark(place: &Expr, written: &mut [bool]) {
    match &place.kind {
        ExprKind::Local(l) => written[l.0 as usize] = true,
        ExprKind::Field { base, .. }
        | ExprKind::Index { base, .. }
        | ExprKind::Swizzle { base, .. }
        | ExprKind::PairPart { base, .. }
        | ExprKind::Convert(base)
        | ExprKind::Retype(base) => mark(base, written),
        ExprKind::Access(a) => a.args.iter().for_each(|a| mark(a, written)),
        _ => {}
    }
}

pub(super) fn replace(e: &mut Expr, known: &Known) {
    if let ExprKind::Local(l) = &e.kind
        && let Some(value) = known.get(l)
    {
        *e = Expr { span: e.span, ..value.clone() };
        return;
    }
    e.for_each_part_mut(&mut |part| replace(part, known));
}

fn has_assertion(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match &s.kind {
        StmtKind::Assert { .. } => true,
        StmtKind::Block(inner) | StmtKind::Unroll { body: inner, .. } => has_assertion(inner),
        StmtKind::If { then, other, .. } => has_assertion(then) || has_assertion(other),
        StmtKind::Loop { init, body, .. } => has_assertion(init) || has_assertion(body),
        StmtKind::Switch { groups, .. } => groups.iter().any(|g| has_assertion(&g.body)),
        _ => false,
    })
}
