//! Checks statements that are decided at compile time: `__target_switch`, `__stage_switch` and
//! `$for`.

use super::capabilities::{STAGE, is_stage, is_target};
use super::types::{Val, ValKind};
use super::*;
use ast::StmtKind as S;
use caustic_ir::codes;

/// The target that code is generated for, by its name in `__target_switch`: that of slangc's C++
/// target.
const TARGET: &str = "cpp";

/// Whether these are the first of those statements.
fn is_same(part: &[ast::Stmt], of: &[ast::Stmt]) -> bool {
    std::ptr::eq(part.as_ptr(), of.as_ptr())
}

impl Checker<'_> {
    /// Reports undeclared names in the statements for another target. Whatever else is wrong there
    /// may be right for that target, which may also have functions and types of its own.
    fn check_names_elsewhere<'s>(&mut self, stmts: impl Iterator<Item = &'s ast::Stmt>) {
        let (outer, known) = (self.cx.clone(), self.diags.len());
        let around = self.missing_values.replace(Vec::new());
        self.enter_target(false);
        self.push_scope();
        stmts.for_each(|s| self.check_stmt(s, &mut Vec::new()));
        let missing = std::mem::replace(&mut self.missing_values, around).unwrap_or_default();
        self.cx = outer;
        self.diags.truncate(known);
        self.missing_values.as_mut().unwrap_or(&mut self.diags).extend(missing);
    }

    /// Checks only the statements for this target; those for others may use features that this
    /// target lacks.
    pub(crate) fn check_target_switch(&mut self, by_stage: bool, body: &[ast::Stmt], span: Span, out: &mut Vec<Stmt>) {
        let fits = |name: &str| if by_stage { name == STAGE } else { name == TARGET };
        self.cx.switches_by_target = true;
        let (mut chosen, mut fallback) = (None, None);
        for (at, s) in body.iter().enumerate() {
            match &s.kind {
                S::Case(ast::Expr { kind: ast::ExprKind::Name { name, args: None }, .. }) => {
                    let known = if by_stage { is_stage(&name.name) } else { is_target(&name.name) };
                    if !known {
                        let what = if by_stage { "stage" } else { "target" };
                        self.error(codes::E0281, name.span, format!("there is no {what} `{}`", name.name));
                    }
                    let at = fits(&name.name).then_some(at);
                    chosen = chosen.or(at);
                }
                S::Case(e) => {
                    let what = if by_stage { "stage" } else { "target" };
                    self.error(codes::E0242, e.span, format!("a label here is the name of a {what}"));
                    return;
                }
                S::Default => fallback = Some(at),
                _ => {}
            }
        }
        let Some(first) = chosen.or(fallback) else {
            let (word, of) = match by_stage {
                true => ("__stage_switch", format!("stage `{STAGE}`")),
                false => ("__target_switch", format!("target `{TARGET}`")),
            };
            return self.cannot_run(format!("`{word}` has no case for the {of}, and no `default:`"), span);
        };
        let is_label = |s: &&ast::Stmt| matches!(s.kind, S::Case(_) | S::Default);
        for other in body.chunk_by(|a, b| !is_label(&a) || is_label(&b)).filter(|g| !is_same(g, &body[first..])) {
            self.check_names_elsewhere(other.iter().filter(|s| !is_label(s)));
        }
        let stmts = body[first..].iter().skip_while(is_label).take_while(|s| !is_label(s));
        self.enter_target(false);
        self.push_scope();
        let mut inner = Vec::new();
        for s in stmts {
            self.check_stmt(s, &mut inner);
        }
        self.end_deferred(&mut inner);
        self.pop_scope();
        let last = matches!(inner.last(), Some(Stmt { kind: StmtKind::Break, .. }));
        if last {
            inner.pop();
        }
        let kind = if reach::has_break(&inner) {
            let value = Expr::int(0, Ty::int(), span);
            StmtKind::Switch { value, groups: vec![SwitchGroup { labels: Vec::new(), is_default: true, body: inner }] }
        } else {
            StmtKind::Block(inner)
        };
        self.leave_target(span, Some(kind), out);
    }

    /// `$for`: in its body the variable is a value parameter, which has another value in each copy
    /// of the body.
    pub(crate) fn check_compile_for(
        &mut self,
        var: ast::Ident,
        from: Option<&ast::Expr>,
        to: &ast::Expr,
        body: &ast::Stmt,
    ) -> Option<StmtKind> {
        let what = "a bound of `$for`";
        let from = match from {
            Some(e) => self.const_val(e, what)?,
            None => Val::int(0),
        };
        let to = self.const_val(to, what)?;
        let param = self.new_param(var.name, var.span, Some(Ty::int()), None);
        self.push_scope();
        self.declare_local_item(var.name, Entry::BoundVal(Val::new(ValKind::Param(param)), Ty::int()));
        let body = self.check_scoped(body);
        self.pop_scope();
        Some(StmtKind::Unroll { copies: Copies::Numbers { param, from, to }, body })
    }
}
