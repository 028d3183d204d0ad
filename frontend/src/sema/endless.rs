//! Warns about functions that never return because they call themselves on every way.
//!
//! The functions in question are the greatest set of which each has, on every way through it, a
//! call of one in the set. A loop counts as one that may be left without a call.

use super::*;
use caustic_ir::codes;
use rustc_hash::FxHashSet;

/// What is known of the ways through some statements on which nothing of the set was called.
#[derive(Clone, Copy, Default)]
struct Ways {
    /// One reaches the end.
    end: bool,
    /// One returns.
    returns: bool,
    /// One leaves the innermost loop or `switch`, or goes on with it.
    jumps: bool,
}

impl Ways {
    const ON: Ways = Ways { end: true, returns: false, jumps: false };

    fn or(self, other: Ways) -> Ways {
        Ways { end: self.end || other.end, returns: self.returns || other.returns, jumps: self.jumps || other.jumps }
    }
}

/// The first call of one of `set` that evaluating the expression surely makes.
fn called(e: &Expr, set: &FxHashSet<FuncId>) -> Option<(FuncId, Span)> {
    match &e.kind {
        ExprKind::Logical { lhs, .. } => called(lhs, set),
        ExprKind::Ternary { cond, then, other } => called(cond, set).or_else(|| {
            called(other, set)?;
            called(then, set)
        }),
        // The values of a list may be none.
        ExprKind::Expand { .. } => None,
        kind => {
            let mut found = None;
            e.for_each_part(&mut |part| found = found.or_else(|| called(part, set)));
            match kind {
                ExprKind::Call { func, .. } if set.contains(&func.func) => found.or(Some((func.func, e.span))),
                _ => found,
            }
        }
    }
}

/// All that an expression calls by name.
fn callees_in(e: &Expr, out: &mut FxHashSet<FuncId>) {
    if let ExprKind::Call { func, .. } = &e.kind {
        out.insert(func.func);
    }
    e.for_each_part(&mut |part| callees_in(part, out));
}

fn ways(stmts: &[Stmt], set: &FxHashSet<FuncId>) -> Ways {
    let mut all = Ways::ON;
    for s in stmts {
        let one = ways_through(s, set);
        all = Ways { end: one.end, returns: all.returns || one.returns, jumps: all.jumps || one.jumps };
        if !all.end {
            break;
        }
    }
    all
}

fn ways_through(s: &Stmt, set: &FxHashSet<FuncId>) -> Ways {
    let calls = |e: Option<&Expr>| e.is_some_and(|e| called(e, set).is_some());
    match &s.kind {
        StmtKind::Expr(e) if calls(Some(e)) => Ways::default(),
        StmtKind::Var { init, .. } if calls(init.as_ref()) => Ways::default(),
        StmtKind::Return(value) => Ways { returns: !calls(value.as_ref()), ..Ways::default() },
        StmtKind::Break | StmtKind::Continue => Ways { jumps: true, ..Ways::default() },
        StmtKind::Block(body) => ways(body, set),
        StmtKind::If { cond, .. } if calls(Some(cond)) => Ways::default(),
        StmtKind::If { cond, then, other } => match reach::decided(Some(cond)) {
            Some(true) => ways(then, set),
            Some(false) => ways(other, set),
            None => ways(then, set).or(ways(other, set)),
        },
        StmtKind::Loop { init, cond, body, test_first, .. } => {
            let before = ways(init, set);
            if !before.end || *test_first && calls(cond.as_ref()) {
                return Ways { end: false, jumps: false, ..before };
            }
            let inside = ways(body, set);
            let skipped = *test_first && !reach::is_endless(cond.as_ref());
            let again = (inside.end || inside.jumps) && !(!test_first && calls(cond.as_ref()) && !inside.jumps);
            Ways { end: skipped || again, returns: before.returns || inside.returns, jumps: false }
        }
        StmtKind::Switch { value, .. } if calls(Some(value)) => Ways::default(),
        StmtKind::Switch { groups, .. } => {
            let inside = groups.iter().map(|g| ways(&g.body, set)).fold(Ways::default(), Ways::or);
            let chosen = groups.iter().any(|g| g.is_default);
            // A `continue` in it goes on with the loop around.
            Ways { end: !chosen || inside.end || inside.jumps, ..inside }
        }
        StmtKind::Unroll { body, .. } => Ways { end: true, jumps: false, ..ways(body, set) },
        _ => Ways::ON,
    }
}

impl Checker<'_> {
    /// Warns about such functions of the program.
    pub(super) fn check_endless_calls(&mut self) {
        let mut set = self.functions_in_circles();
        loop {
            let returns = |f: &FuncId| {
                self.funcs[f.0 as usize].body.as_ref().is_none_or(|body| {
                    let found = ways(&body.stmts, &set);
                    body.unavailable.is_some() || found.end || found.returns
                })
            };
            let kept: FxHashSet<FuncId> = set.iter().filter(|f| !returns(f)).copied().collect();
            if kept.len() == set.len() {
                break;
            }
            set = kept;
        }
        let mut found: Vec<FuncId> = set.iter().copied().collect();
        found.sort_unstable_by_key(|f| f.0);
        let mut said: FxHashSet<FuncId> = FxHashSet::default();
        for f in found {
            self.warn_endless(f, &set, &mut said);
        }
    }

    /// The functions of the program from which calls lead into a circle.
    fn functions_in_circles(&self) -> FxHashSet<FuncId> {
        let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
        let mut open: FxHashMap<FuncId, usize> = FxHashMap::default();
        for (i, info) in self.funcs.iter().enumerate().filter(|(_, info)| !info.is_prelude) {
            let Some(body) = &info.body else { continue };
            let f = FuncId(i as u32);
            let mut callees: FxHashSet<FuncId> = FxHashSet::default();
            body.stmts.iter().for_each(|s| s.for_each_expr(&mut |e| callees_in(e, &mut callees)));
            open.insert(f, callees.len());
            callees.into_iter().for_each(|callee| callers.entry(callee).or_default().push(f));
        }
        // What calls nothing that is left is in none.
        let known = |f: &FuncId| !open.contains_key(f);
        let mut done: Vec<FuncId> = callers.keys().filter(|f| known(f)).copied().collect();
        done.extend(open.iter().filter(|(_, calls)| **calls == 0).map(|(f, _)| *f));
        while let Some(f) = done.pop() {
            open.remove(&f);
            for caller in callers.remove(&f).unwrap_or_default() {
                if let Some(left) = open.get_mut(&caller) {
                    *left -= 1;
                    if *left == 0 {
                        done.push(caller);
                    }
                }
            }
        }
        open.into_keys().collect()
    }

    /// Follows the first calls from `f` on, and warns if they come back to it.
    fn warn_endless(&mut self, f: FuncId, set: &FxHashSet<FuncId>, said: &mut FxHashSet<FuncId>) {
        let mut chain = vec![f];
        let mut call = None;
        loop {
            let at = chain[chain.len() - 1];
            let Some(body) = self.funcs[at.0 as usize].body.clone() else { return };
            let mut first = None;
            body.stmts.iter().for_each(|s| s.for_each_expr(&mut |e| first = first.or_else(|| called(e, set))));
            let Some((next, span)) = first else { return };
            call = call.or(Some(span));
            if next == f {
                break;
            }
            // A circle behind it is another function's.
            if chain.contains(&next) || said.contains(&next) {
                return;
            }
            chain.push(next);
        }
        said.extend(chain.iter().copied());
        let name = self.funcs[f.0 as usize].name;
        let others: Vec<String> = chain[1..].iter().map(|g| format!("`{}`", self.funcs[g.0 as usize].name)).collect();
        let text = match others.is_empty() {
            true => format!("`{name}` calls itself on every way through it, and so never returns"),
            false => format!("`{name}` calls itself on every way, through {}, and so never returns", others.join(", ")),
        };
        let at = self.entry_span(Entry::Func(f)).unwrap_or_default();
        let call = self.loc(call.unwrap_or(at));
        let d = self.warn(codes::W0247, at, text);
        d.labels.push((call, "the call".to_string()));
        d.notes.push("a condition that ends it has to stand in front of the call".to_string());
    }
}
