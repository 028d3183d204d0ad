//! Statements from pairs.

use super::{Ctx, P, Rule};
use crate::ast::{Attribute, Expr, ExprKind, Stmt, StmtKind};
use crate::source::Span;

impl Ctx<'_> {
    /// The statements of a `{ … }`; a statement that does not parse is reported and left out.
    pub(crate) fn block(&mut self, pair: P) -> Vec<Stmt> {
        let mut out = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::stmt => out.push(self.stmt(p)),
                _ => self.report_bad(&p, Rule::one_stmt),
            }
        }
        out
    }

    pub(crate) fn stmt(&mut self, pair: P) -> Stmt {
        let span = self.span(&pair);
        match pair.into_inner().next() {
            Some(p) => self.stmt_kind(p, Vec::new()),
            None => Stmt { span, kind: StmtKind::Empty },
        }
    }

    fn stmt_kind(&mut self, p: P, attrs: Vec<Attribute>) -> Stmt {
        let span = self.span(&p);
        let rule = p.as_rule();
        let kind = match rule {
            Rule::block => StmtKind::Block(self.block(p)),
            Rule::if_stmt => return self.if_stmt(p),
            Rule::for_stmt => self.for_stmt(p, attrs),
            Rule::while_stmt => {
                let mut inner = p.into_inner().skip(1);
                let cond = self.opt_condition(inner.next(), span);
                let body = self.boxed(inner.next(), span);
                StmtKind::While { cond, body, attrs }
            }
            Rule::do_stmt => {
                let mut inner = p.into_inner().skip(1);
                let body = self.boxed(inner.next(), span);
                let cond = inner.nth(1).map(|e| self.expr(e)).unwrap_or_else(|| missing(span));
                StmtKind::DoWhile { body, cond, attrs }
            }
            Rule::switch_stmt => {
                let mut inner = p.into_inner().skip(1);
                let value = inner.next().map(|e| self.expr(e)).unwrap_or_else(|| missing(span));
                let body = inner.next().map(|b| self.block(b)).unwrap_or_default();
                StmtKind::Switch { value, body }
            }
            Rule::case_label => {
                StmtKind::Case(p.into_inner().nth(1).map(|e| self.expr(e)).unwrap_or_else(|| missing(span)))
            }
            Rule::default_label => StmtKind::Default,
            Rule::break_stmt => match p.into_inner().nth(1) {
                Some(_) => StmtKind::Unsupported("a labelled `break`"),
                None => StmtKind::Break,
            },
            Rule::continue_stmt => StmtKind::Continue,
            Rule::return_stmt => StmtKind::Return(p.into_inner().nth(1).map(|e| self.expr(e))),
            Rule::discard_stmt => StmtKind::Unsupported("`discard`"),
            Rule::defer_stmt => StmtKind::Unsupported("`defer`"),
            Rule::try_stmt => StmtKind::Unsupported("`try`/`throw`"),
            Rule::labeled_stmt => StmtKind::Unsupported("a labelled statement"),
            Rule::attributed_stmt => {
                let mut inner = p.into_inner();
                let attrs = inner.next().map(|a| self.attributes(a)).unwrap_or_default();
                return match inner.next() {
                    Some(s) => self.stmt_kind(s, attrs),
                    None => Stmt { span, kind: StmtKind::Empty },
                };
            }
            Rule::var_stmt | Rule::rare_decl => {
                let mut decls = Vec::new();
                if let Some(d) = p.into_inner().next() {
                    self.decl_kind(d, &mut decls);
                }
                StmtKind::Decl(decls)
            }
            Rule::expr_stmt => {
                StmtKind::Expr(p.into_inner().next().map(|e| self.expr(e)).unwrap_or_else(|| missing(span)))
            }
            _ => StmtKind::Empty,
        };
        Stmt { span, kind }
    }

    fn boxed(&mut self, pair: Option<P>, span: Span) -> Box<Stmt> {
        Box::new(pair.map(|s| self.stmt(s)).unwrap_or(Stmt { span, kind: StmtKind::Empty }))
    }

    fn opt_condition(&mut self, pair: Option<P>, span: Span) -> Expr {
        match pair.and_then(|c| c.into_inner().next()) {
            Some(e) if e.as_rule() == Rule::expr => self.expr(e),
            Some(e) => Expr { span: self.span(&e), kind: ExprKind::Unsupported("a declaration as a condition") },
            None => missing(span),
        }
    }

    fn if_stmt(&mut self, pair: P) -> Stmt {
        let end = self.span(&pair);
        let mut arms = Vec::new();
        let mut other = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::if_arm => {
                    let span = self.span(&p);
                    let mut inner = p.into_inner().skip(1);
                    let cond = self.opt_condition(inner.next(), span);
                    let then = self.boxed(inner.next(), span);
                    arms.push((span, cond, then));
                }
                Rule::stmt => other = Some(Box::new(self.stmt(p))),
                _ => {}
            }
        }
        while let Some((span, cond, then)) = arms.pop() {
            let span = Span::new(span.lo, end.hi);
            let stmt = Stmt { span, kind: StmtKind::If { cond, then, other } };
            other = Some(Box::new(stmt));
        }
        other.map_or(Stmt { span: end, kind: StmtKind::Empty }, |s| *s)
    }

    fn for_stmt(&mut self, pair: P, attrs: Vec<Attribute>) -> StmtKind {
        let span = self.span(&pair);
        let (mut init, mut cond, mut step) = (None, None, None);
        let mut body = None;
        for p in pair.into_inner() {
            let at = self.span(&p);
            match p.as_rule() {
                Rule::for_init => match p.into_inner().next() {
                    Some(d) if d.as_rule() == Rule::var_decl => {
                        let mut decls = Vec::new();
                        self.decl_kind(d, &mut decls);
                        init = Some(Box::new(Stmt { span: at, kind: StmtKind::Decl(decls) }));
                    }
                    Some(e) => init = Some(Box::new(Stmt { span: at, kind: StmtKind::Expr(self.expr(e)) })),
                    None => {}
                },
                Rule::for_cond => cond = p.into_inner().next().map(|e| self.expr(e)),
                Rule::for_step => step = p.into_inner().next().map(|e| self.expr(e)),
                Rule::stmt => body = Some(self.stmt(p)),
                _ => {}
            }
        }
        let body = Box::new(body.unwrap_or(Stmt { span, kind: StmtKind::Empty }));
        StmtKind::For { init, cond, step, body, attrs }
    }
}

fn missing(span: Span) -> Expr {
    Expr { span, kind: ExprKind::Unsupported("this") }
}
