//! Builds statements of the syntax tree from the pairs of the grammar.

use super::mend::STATEMENT;
use super::{Ctx, P, Rule};
use crate::ast::{Attribute, Expr, ExprKind, Stmt, StmtKind};
use crate::source::Span;

impl Ctx<'_> {
    /// The statements of a `{ … }`. A statement that cannot be parsed is reported and left out.
    pub(crate) fn block(&mut self, pair: P) -> Vec<Stmt> {
        let mut out = Vec::new();
        for p in pair.into_inner() {
            self.stmt_or_bad(p, &mut out);
        }
        out
    }

    fn stmt_or_bad(&mut self, p: P, out: &mut Vec<Stmt>) {
        match p.as_rule() {
            Rule::stmt => out.push(self.stmt(p)),
            _ => self.report_bad(&p, STATEMENT, &mut |cx, p| cx.stmt_or_bad(p, out)),
        }
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
            Rule::do_stmt => self.do_stmt(p, attrs),
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
            Rule::break_stmt => StmtKind::Break(p.into_inner().nth(1).map(|l| self.ident(&l))),
            Rule::continue_stmt => StmtKind::Continue,
            Rule::return_stmt => StmtKind::Return(p.into_inner().nth(1).map(|e| self.expr(e))),
            Rule::discard_stmt => StmtKind::Discard,
            Rule::defer_stmt => StmtKind::Defer(self.boxed(p.into_inner().nth(1), span)),
            Rule::throw_stmt => {
                StmtKind::Throw(p.into_inner().nth(1).map(|e| self.expr(e)).unwrap_or_else(|| missing(span)))
            }
            Rule::labeled_stmt => {
                let mut inner = p.into_inner();
                match inner.next().map(|l| self.ident(&l)) {
                    Some(label) => StmtKind::Labeled { label, body: self.boxed(inner.next(), span) },
                    None => StmtKind::Empty,
                }
            }
            Rule::target_switch => {
                let mut inner = p.into_inner();
                let by_stage = inner.next().is_some_and(|w| w.as_str().starts_with("__stage"));
                StmtKind::TargetSwitch { by_stage, body: inner.next().map(|b| self.block(b)).unwrap_or_default() }
            }
            Rule::compile_for => self.compile_for(p),
            Rule::intrinsic_asm => StmtKind::TargetCode("`__intrinsic_asm`"),
            Rule::attributed_stmt | Rule::misplaced_stmt => {
                let mut inner = p.into_inner();
                let attrs = inner.next().map(|a| self.attributes(a)).unwrap_or_default();
                return match inner.next() {
                    Some(s) if matches!(s.as_rule(), Rule::for_stmt | Rule::while_stmt | Rule::do_stmt) => {
                        self.stmt_kind(s, attrs)
                    }
                    Some(s) => {
                        let body = Box::new(self.stmt_kind(s, Vec::new()));
                        Stmt { span, kind: StmtKind::Attributed { attrs, body } }
                    }
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
            Some(e) => self.let_condition(e),
            None => missing(span),
        }
    }

    fn let_condition(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let (mut is_let, mut name, mut value) = (false, None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::kw_let => is_let = p.as_str().trim() == "let",
                Rule::ident => name = Some(self.ident(&p)),
                _ => value = Some(Box::new(self.expr(p))),
            }
        }
        match (name, value) {
            (Some(name), Some(value)) => Expr { span, kind: ExprKind::Let { name, is_let, value } },
            _ => missing(span),
        }
    }

    fn do_stmt(&mut self, pair: P, attrs: Vec<Attribute>) -> StmtKind {
        let span = self.span(&pair);
        let (whole, end) = (pair.clone(), pair.start() + pair.as_str().trim_end().len());
        let (mut body, mut cond, mut handlers) = (None, None, Vec::new());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::stmt => body = Some(self.stmt(p)),
                Rule::expr => cond = Some(self.expr(p)),
                Rule::handler => handlers.push(p),
                Rule::no_semicolon => self.report_semicolon(end, "statement", whole.next_line(end)),
                _ => {}
            }
        }
        let body = body.unwrap_or(Stmt { span, kind: StmtKind::Empty });
        if handlers.is_empty() {
            return StmtKind::DoWhile { body: Box::new(body), cond: cond.unwrap_or_else(|| missing(span)), attrs };
        }
        // Each handler covers all that is before it.
        handlers.into_iter().fold(body.kind, |body, handler| {
            let (mut param, mut stmts) = (None, Vec::new());
            for p in handler.into_inner() {
                match p.as_rule() {
                    Rule::param => param = self.param(p),
                    Rule::block => stmts = self.block(p),
                    _ => {}
                }
            }
            let body = match body {
                StmtKind::Block(inner) => inner,
                kind => vec![Stmt { span, kind }],
            };
            StmtKind::DoCatch { body, param, handler: stmts }
        })
    }

    fn compile_for(&mut self, pair: P) -> StmtKind {
        let span = self.span(&pair);
        let (mut var, mut bounds, mut body) = (None, Vec::new(), None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::ident => var = Some(self.ident(&p)),
                Rule::assign => bounds.push(self.assign(p)),
                Rule::stmt => body = Some(self.stmt(p)),
                _ => {}
            }
        }
        match (var, bounds.pop(), body) {
            (Some(var), Some(to), Some(body)) => {
                StmtKind::CompileFor { var, from: bounds.pop(), to, body: Box::new(body) }
            }
            _ => StmtKind::Expr(missing(span)),
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
