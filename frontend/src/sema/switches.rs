//! Checks `switch` statements: their labels, and what stands before the first one.

use super::types::{Scalar, TyKind};
use super::*;
use ast::StmtKind as S;
use caustic_ir::codes;

impl Checker<'_> {
    pub(crate) fn check_switch(
        &mut self,
        value: &ast::Expr,
        body: &[ast::Stmt],
        before: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        let v = self.check_value(value);
        self.before(before);
        let v = self.read_uniform(v);
        let of = v.ty;
        let v = self.enum_to_int(v);
        let v = match v.ty.as_scalar() {
            Some(Scalar::Bool) => self.convert(v, Ty::int()),
            Some(s) if s.is_int() => v,
            _ => {
                self.cx.lacks_statement = true;
                if !v.ty.is_error() {
                    let shown = self.show(v.ty);
                    self.error(codes::E0203, value.span, format!("`switch` takes an integer, this is `{shown}`"));
                }
                return None;
            }
        };
        let ty = v.ty;
        let mut groups: Vec<SwitchGroup> = Vec::new();
        let mut seen: FxHashMap<i64, Span> = FxHashMap::default();
        let mut default_seen: Option<Span> = None;
        let (mut after_label, mut unreachable) = (false, false);
        self.push_scope();
        for s in body {
            if matches!(s.kind, S::Case(_) | S::Default) {
                self.at_case_label(groups.last_mut());
            }
            let label = match &s.kind {
                S::Case(e) => match self.case_label(e, of, ty, &mut seen) {
                    Some(i) => Some(Some(i)),
                    None => {
                        // What follows is not said to be without a label.
                        unreachable = true;
                        continue;
                    }
                },
                S::Default => {
                    if let Some(old) = default_seen {
                        let earlier = self.loc(old);
                        self.error(codes::E0242, s.span, "`default` occurs twice")
                            .labels
                            .push((earlier, "first here".to_string()));
                        continue;
                    }
                    default_seen = Some(s.span);
                    Some(None)
                }
                _ => None,
            };
            match label {
                Some(l) => {
                    if !after_label {
                        groups.push(SwitchGroup { labels: Vec::new(), is_default: false, body: Vec::new() });
                    }
                    after_label = true;
                    if let Some(g) = groups.last_mut() {
                        match l {
                            Some(i) => g.labels.push(i),
                            None => g.is_default = true,
                        }
                    }
                }
                None => {
                    after_label = false;
                    let mut out = Vec::new();
                    self.check_stmt(s, &mut out);
                    match groups.last_mut() {
                        Some(g) => g.body.extend(out),
                        // Statements before the first label are dropped. What they declare is
                        // in scope in all groups, without its value.
                        None => {
                            let only_declares = declare_only(out, before);
                            if !only_declares && !unreachable {
                                unreachable = true;
                                self.warn(
                                    codes::W0242,
                                    s.span,
                                    "this is never run: no label of the switch leads to it",
                                );
                            }
                        }
                    }
                }
            }
        }
        if let Some(g) = groups.last_mut() {
            self.end_deferred(&mut g.body);
        }
        self.pop_scope();
        Some(StmtKind::Switch { value: v, groups })
    }

    /// Returns the value of a case label of a switch over `of`, whose values are integers of type
    /// `ty`, or `None` after it reported that there is none or that it is in `seen`.
    fn case_label(&mut self, e: &ast::Expr, of: Ty, ty: Ty, seen: &mut FxHashMap<i64, Span>) -> Option<i64> {
        let c = self.check_value(e);
        // A label of a switch over an enum is a value of that enum.
        let c = if matches!(of.kind(), TyKind::Enum(_)) { self.coerce(c, of) } else { c };
        let c = self.enum_to_int(c);
        let c = self.coerce(c, ty);
        let Some(Const::Int(i)) = self.fold(&c) else {
            if !c.ty.is_error() {
                self.error(codes::E0261, e.span, "a case label must be known at compile time");
            }
            return None;
        };
        if let Some(&old) = seen.get(&i) {
            let earlier = self.loc(old);
            let text = match &e.kind {
                ast::ExprKind::Member { name, .. } | ast::ExprKind::Name { name, .. } => {
                    format!("case `{}` occurs twice", name.name)
                }
                _ => format!("case {i} occurs twice"),
            };
            let found = self.error(codes::E0242, e.span, text);
            found.labels.push((earlier, "first here".to_string()));
            return None;
        }
        seen.insert(i, e.span);
        Some(i)
    }
}

/// Declares the variables of statements that are not run. Returns whether nothing is lost.
fn declare_only(stmts: Vec<Stmt>, out: &mut Vec<Stmt>) -> bool {
    let mut all = true;
    for mut s in stmts {
        match &mut s.kind {
            StmtKind::Var { init, .. } => all &= init.take().is_none(),
            _ => {
                all = false;
                continue;
            }
        }
        out.push(s);
    }
    all
}
