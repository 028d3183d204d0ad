//! Builds types and the constants in them. A type is the same kind of node as an expression.

use super::expr::{Infix, Prefix, apply_prefix, push_infix, reduce};
use super::{Ctx, P, Rule, marks};
use crate::ast::{Expr, ExprKind, UnOp};
use crate::source::Span;
use caustic_ir::codes;

impl Ctx<'_> {
    pub(crate) fn ty(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let mut base: Option<Expr> = None;
        let mut words: Vec<P> = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::type_mod => words.push(p),
                Rule::type_atom => base = Some(self.type_atom(p)),
                _ => {
                    // `int[2][3] x` is an array of three arrays of two, unlike `int x[2][3]`: each
                    // `[…]` applies to the type before it.
                    let Some(inner) = base else { return Expr { span, kind: ExprKind::Unsupported("this type") } };
                    base = Some(self.type_suffix(inner, p));
                }
            }
        }
        let mut ty = base.unwrap_or(Expr { span, kind: ExprKind::Unsupported("this type") });
        while let Some(word) = words.pop() {
            let span = self.span(&word).to(ty.span);
            let inner = Box::new(ty);
            let kind = match word.as_str().trim() {
                "no_diff" => ExprKind::Modified { no_diff: true, ty: inner },
                "row_major" => ExprKind::Layout { row_major: true, ty: inner },
                "column_major" => ExprKind::Layout { row_major: false, ty: inner },
                "some" => ExprKind::SomeType(inner),
                "dyn" => ExprKind::DynType(inner),
                "each" => ExprKind::Each(inner),
                "expand" => ExprKind::Expand(inner),
                "const" => {
                    let span = self.span(&word);
                    self.error(codes::E0283, span, "`const` is no part of a type")
                        .notes
                        .push("it stands first in the declaration of a variable or a parameter".to_string());
                    inner.kind
                }
                // `unorm` and `snorm` make no other type.
                _ => inner.kind,
            };
            ty = Expr { span, kind };
        }
        ty
    }

    fn type_suffix(&mut self, inner: Expr, pair: P) -> Expr {
        let span = inner.span.to(self.span(&pair));
        let inner = Box::new(inner);
        let kind = match pair.into_inner().next() {
            Some(d) if d.as_rule() == Rule::array_dim => {
                let size = d.into_inner().next().map(|e| Box::new(self.const_expr(e)));
                ExprKind::ArrayType { elem: inner, size }
            }
            _ => ExprKind::PointerType(inner),
        };
        Expr { span, kind }
    }

    fn func_type(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let (mut params, mut ret) = (Vec::new(), None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::func_type_param => params.extend(self.short_param(p)),
                Rule::r#type => ret = Some(Box::new(self.ty(p))),
                _ => {}
            }
        }
        let kind = match ret {
            Some(ret) => ExprKind::FuncType { params, ret },
            None => ExprKind::Unsupported("this type"),
        };
        Expr { span, kind }
    }

    /// `__first(T)` and `__packBranch(T, A, B)`, as calls.
    fn pack_part(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let Some(name) = inner.next() else {
            return Expr { span, kind: ExprKind::Unsupported("this type") };
        };
        let name = self.ident(&name);
        let args = inner.map(|of| self.ty(of)).collect();
        let callee = Box::new(Expr { span: name.span, kind: ExprKind::Name { name, args: None } });
        Expr { span, kind: ExprKind::Call { callee, args } }
    }

    pub(super) fn type_atom(&mut self, pair: P) -> Expr {
        let (mut out, mut rooted): (Option<Expr>, bool) = (None, false);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::func_type => return self.func_type(p),
                Rule::pack_part => return self.pack_part(p),
                Rule::each_type => {
                    out = p.into_inner().next().map(|of| self.ty(of));
                    continue;
                }
                Rule::global_scope => {
                    rooted = true;
                    continue;
                }
                _ => {}
            }
            let span = self.span(&p);
            let mut inner = p.into_inner();
            let Some(name) = inner.next().map(|n| self.ident(&n)) else { continue };
            let args = inner.next().map(|g| self.generic_args(g));
            out = Some(match out {
                None => {
                    let first = Expr { span, kind: ExprKind::Name { name, args } };
                    if rooted { Expr { span, kind: ExprKind::Rooted(Box::new(first)) } } else { first }
                }
                Some(base) => {
                    Expr { span: base.span.to(span), kind: ExprKind::Member { base: Box::new(base), name, args } }
                }
            });
        }
        out.unwrap_or(Expr { span: Span::default(), kind: ExprKind::Unsupported("this type") })
    }

    pub(crate) fn generic_args(&mut self, pair: P) -> Vec<Expr> {
        let mut out = Vec::new();
        self.refuse_greater(&pair);
        for arg in pair.into_inner() {
            if arg.as_rule() == Rule::wide_arg {
                let parts = [Rule::type_mod, Rule::type_atom, Rule::type_suffix];
                let is_type = arg.clone().into_inner().all(|p| parts.contains(&p.as_rule()));
                out.push(if is_type { bool_name(self.ty(arg)) } else { self.const_expr(arg) });
                continue;
            }
            if let Some(p) = arg.into_inner().next() {
                out.push(if p.as_rule() == Rule::r#type { bool_name(self.ty(p)) } else { self.const_expr(p) });
            }
        }
        out
    }

    /// As in slangc, the first `>` ends generic arguments, wherever it stands.
    fn refuse_greater(&mut self, pair: &P) {
        for p in pair.clone().into_inner() {
            match p.as_rule() {
                // Their own arguments are checked where they are built.
                Rule::generic_args => {}
                Rule::wide_op if p.as_str().starts_with('>') => {
                    let text = "syntax error: a `>` in generic arguments ends them, even in parentheses";
                    let span = self.span(&p);
                    let note = "give the value a name before: `static const int n = …;`";
                    self.error(codes::E0100, span, text).notes.push(note.to_string());
                }
                _ => self.refuse_greater(&p),
            }
        }
    }

    /// An argument of an attribute.
    pub(crate) fn attr_arg(&mut self, pair: P) -> Option<Expr> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let p = inner.next()?;
        Some(match p.as_rule() {
            Rule::string_lit => Expr { span, kind: self.string_literal(&p, inner) },
            Rule::operator_name => {
                let name = self.operator_name(&p);
                Expr { span, kind: ExprKind::Name { name, args: None } }
            }
            Rule::r#type => bool_name(self.ty(p)),
            _ => self.const_expr(p),
        })
    }

    /// `const_expr` and `wide_const` differ in the operators only.
    pub(crate) fn const_expr(&mut self, pair: P) -> Expr {
        let mut values = Vec::new();
        let mut pending: Vec<Infix> = Vec::new();
        let mut prefixes: Vec<(Prefix, Span)> = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::const_prefix => {
                    let op = match p.as_str() {
                        "-" => UnOp::Neg,
                        "~" => UnOp::BitNot,
                        _ => UnOp::Not,
                    };
                    prefixes.push((Prefix::Op(op), self.span(&p)));
                }
                Rule::const_op | Rule::wide_op | Rule::wide_arg_op | Rule::less => {
                    let text = if p.as_str() == marks::LESS { "<" } else { p.as_str() };
                    push_infix(&mut values, &mut pending, Infix { text, at: self.span(&p).lo, then: None })
                }
                Rule::wide_arg_choice | Rule::wide_choice => {
                    let at = self.span(&p).lo;
                    let then = p.into_inner().next().map(|e| self.const_expr(e));
                    push_infix(&mut values, &mut pending, Infix { text: "?", at, then });
                }
                // The grammar reads the beginning of a value as a type.
                Rule::type_atom => values.push(bool_name(self.type_atom(p))),
                Rule::const_call => {
                    if let Some(callee) = values.pop() {
                        values.push(self.const_call(callee, p));
                    }
                }
                _ => {
                    let mut v = self.const_atom(p);
                    while let Some((prefix, span)) = prefixes.pop() {
                        v = apply_prefix(prefix, span, v);
                    }
                    values.push(v);
                }
            }
        }
        while let Some(infix) = pending.pop() {
            reduce(&mut values, infix);
        }
        values.pop().unwrap_or(Expr { span: Span::default(), kind: ExprKind::Unsupported("this constant") })
    }

    fn const_call(&mut self, callee: Expr, pair: P) -> Expr {
        let span = callee.span.to(self.span(&pair));
        let args = pair.into_inner().map(|a| self.const_expr(a)).collect();
        Expr { span, kind: ExprKind::Call { callee: Box::new(callee), args } }
    }

    fn const_atom(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let Some(p) = inner.next() else {
            return Expr { span, kind: ExprKind::Unsupported("this constant") };
        };
        match p.as_rule() {
            Rule::type_atom => {
                let named = bool_name(self.type_atom(p));
                match inner.next() {
                    Some(call) => self.const_call(named, call),
                    None => named,
                }
            }
            Rule::const_cast => {
                let mut parts = p.into_inner();
                let (Some(ty), Some(value)) = (parts.next(), parts.next()) else {
                    return Expr { span, kind: ExprKind::Unsupported("this constant") };
                };
                let (ty, arg) = (self.ty(ty), self.const_atom(value));
                Expr { span, kind: ExprKind::Cast { ty: Box::new(ty), arg: Box::new(arg) } }
            }
            Rule::wide_const => {
                let inner = self.const_expr(p);
                Expr { span, kind: ExprKind::Paren(Box::new(inner)) }
            }
            Rule::const_name => {
                let mut out: Option<Expr> = None;
                for q in p.into_inner() {
                    if q.as_rule() == Rule::const_call {
                        let args = q.into_inner().map(|a| self.const_expr(a)).collect();
                        out = out.map(|c| Expr { span, kind: ExprKind::Call { callee: Box::new(c), args } });
                        continue;
                    }
                    let name = self.ident(&q);
                    out = Some(match out {
                        None => Expr { span: name.span, kind: ExprKind::Name { name, args: None } },
                        Some(base) => Expr {
                            span: base.span.to(name.span),
                            kind: ExprKind::Member { base: Box::new(base), name, args: None },
                        },
                    });
                }
                bool_name(out.unwrap_or(Expr { span, kind: ExprKind::Unsupported("this constant") }))
            }
            _ => Expr { span, kind: self.literal(&p) },
        }
    }
}

/// `true` and `false` read as names where a type is possible.
fn bool_name(mut e: Expr) -> Expr {
    if let ExprKind::Name { name, .. } = &e.kind
        && (name.name == *"true" || name.name == *"false")
    {
        e.kind = ExprKind::Bool(name.name == *"true");
    }
    e
}

/// Wraps a type in the array sizes written after a declared name, outermost first.
pub(crate) fn with_dims(ty: Expr, dims: Vec<(Option<Expr>, Span)>) -> Expr {
    dims.into_iter().rev().fold(ty, |elem, (size, span)| Expr {
        span: elem.span.to(span),
        kind: ExprKind::ArrayType { elem: Box::new(elem), size: size.map(Box::new) },
    })
}
