//! Static assertions about parameters, which the calls decide: those of functions that are always
//! inlined, and of `constexpr` parameters.

use super::*;

/// Conditions that are looked at, at most: recursive functions hand on new ones without end.
const MOST: usize = 1 << 12;

/// A condition about the parameters of a function.
struct Asked {
    of: FuncId,
    cond: Expr,
    message: Option<Rc<str>>,
}

impl Checker<'_> {
    /// The parameters of a function that its calls may have to know.
    pub(in crate::sema) fn parameters_of_calls(&self, f: FuncId, body: &Body) -> Vec<LocalId> {
        let info = &self.funcs[f.0 as usize];
        if !self.all_params(info.gens).is_empty() {
            return Vec::new();
        }
        let written = self.written_in(body);
        let constant = self.constant_params(f);
        let params = body.params.iter().enumerate().zip(&info.params);
        let is_open = |i: usize, local: LocalId, p: &Param| {
            p.dir == Dir::In && !written[local.0 as usize] && (info.attrs.force_inline || constant.contains(&i))
        };
        params.filter(|((i, local), p)| is_open(*i, **local, p)).map(|((_, local), _)| *local).collect()
    }

    /// Decides the assertions that calls decide, and takes them out of the bodies.
    pub(in crate::sema) fn check_assertions_of_calls(&mut self) {
        let mut asked = Vec::new();
        for i in 0..self.funcs.len() {
            let of = FuncId(i as u32);
            let Some(body) = &self.funcs[i].body else { continue };
            let open = self.parameters_of_calls(of, body);
            if let Some(body) = self.funcs[i].body.as_mut().filter(|_| !open.is_empty()) {
                let body = Rc::make_mut(body);
                take(&mut body.stmts, &mut |cond, message| {
                    let takes = calls_decide(cond, &open);
                    if takes {
                        asked.push(Asked { of, cond: cond.clone(), message: message.clone() });
                    }
                    takes
                });
            }
        }
        let mut at = 0;
        while at < asked.len().min(MOST) {
            let found = self.decided_by_calls(&asked[at]);
            for (span, caller, cond) in found {
                let message = asked[at].message.clone();
                match (self.fold(&cond), caller) {
                    (Some(Const::Bool(true)), _) => {}
                    (Some(_), _) => self.assertion_failed(message, span),
                    (None, Some(of)) => asked.push(Asked { of, cond, message }),
                    (None, None) => drop(self.undecided(span)),
                }
            }
            at += 1;
        }
    }

    /// What a condition is at each call: its place, the caller whose own calls decide it, and the
    /// condition there.
    fn decided_by_calls(&self, asked: &Asked) -> Vec<(Span, Option<FuncId>, Expr)> {
        let mut out = Vec::new();
        let Some(params) = self.funcs[asked.of.0 as usize].body.as_ref().map(|body| body.params.clone()) else {
            return out;
        };
        for (i, info) in self.funcs.iter().enumerate() {
            let Some(body) = info.body.as_ref().filter(|_| info.instance_of.is_none()) else { continue };
            let mut calls = Vec::new();
            body.stmts.iter().for_each(|s| s.for_each_expr(&mut |e| calls_of(e, asked.of, &mut calls)));
            if calls.is_empty() {
                continue;
            }
            let caller = FuncId(i as u32);
            let (known, open) = (self.first_values(body), self.parameters_of_calls(caller, body));
            for (span, args) in calls {
                let given: Known = params.iter().copied().zip(args).collect();
                let mut cond = asked.cond.clone();
                replace(&mut cond, &given);
                // A value may name variables that were declared before its own.
                (0..body.locals.len().min(8)).for_each(|_| replace(&mut cond, &known));
                out.push((span, calls_decide(&cond, &open).then_some(caller), cond));
            }
        }
        out
    }

    /// The first values of variables that nothing writes later.
    fn first_values(&self, body: &Body) -> Known {
        let (written, mut known) = (self.written_in(body), Known::default());
        body.stmts.iter().for_each(|s| {
            note_values(s, &mut |local, value| {
                if !written[local.0 as usize] {
                    known.insert(local, value.clone());
                }
            })
        });
        known
    }
}

/// Whether an expression names these parameters, and no other variable.
pub(super) fn calls_decide(e: &Expr, open: &[LocalId]) -> bool {
    fn named(e: &Expr, out: &mut Vec<LocalId>) {
        if let ExprKind::Local(local) = e.kind {
            out.push(local);
        }
        e.for_each_part(&mut |part| named(part, out));
    }
    let mut all = Vec::new();
    named(e, &mut all);
    !all.is_empty() && all.iter().all(|local| open.contains(local))
}

fn calls_of(e: &Expr, of: FuncId, out: &mut Vec<(Span, Vec<Expr>)>) {
    if let ExprKind::Call { func, args } = &e.kind
        && func.func == of
    {
        out.push((e.span, args.clone()));
    }
    e.for_each_part(&mut |part| calls_of(part, of, out));
}

/// The lists of statements within one.
fn inner(stmt: &Stmt) -> Vec<&[Stmt]> {
    match &stmt.kind {
        StmtKind::Block(inner) | StmtKind::Unroll { body: inner, .. } => vec![inner],
        StmtKind::If { then, other, .. } => vec![then, other],
        StmtKind::Loop { init, body, .. } => vec![init, body],
        StmtKind::Switch { groups, .. } => groups.iter().map(|g| &g.body[..]).collect(),
        _ => Vec::new(),
    }
}

fn note_values(stmt: &Stmt, f: &mut dyn FnMut(LocalId, &Expr)) {
    if let StmtKind::Var { local, init: Some(init) } = &stmt.kind {
        f(*local, init);
    }
    inner(stmt).into_iter().flatten().for_each(|s| note_values(s, f));
}

/// Removes the assertions that `takes` says yes to.
fn take(stmts: &mut Vec<Stmt>, takes: &mut dyn FnMut(&Expr, &Option<Rc<str>>) -> bool) {
    stmts.retain(|s| !matches!(&s.kind, StmtKind::Assert { cond, message } if takes(cond, message)));
    for stmt in stmts {
        match &mut stmt.kind {
            StmtKind::Block(inner) | StmtKind::Unroll { body: inner, .. } => take(inner, takes),
            StmtKind::If { then, other, .. } => {
                take(then, takes);
                take(other, takes);
            }
            StmtKind::Loop { init, body, .. } => {
                take(init, takes);
                take(body, takes);
            }
            StmtKind::Switch { groups, .. } => groups.iter_mut().for_each(|g| take(&mut g.body, takes)),
            _ => {}
        }
    }
}
