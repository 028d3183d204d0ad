//! Declarations from pairs.

use super::expr::with_dims;
use super::{Ctx, P, Rule};
use crate::ast::*;
use crate::source::Span;
use caustic_ir::Name;
use std::rc::Rc;

impl Ctx<'_> {
    pub(crate) fn decl(&mut self, pair: P, out: &mut Vec<Rc<Decl>>) {
        if let Some(p) = pair.into_inner().next() {
            self.decl_kind(p, out);
        }
    }

    pub(crate) fn decl_block(&mut self, pair: P) -> Vec<Rc<Decl>> {
        let mut out = Vec::new();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::decl => self.decl(p, &mut out),
                _ => self.report_bad(&p, Rule::one_decl),
            }
        }
        out
    }

    /// Appends the declaration; `int a, b;` becomes two.
    pub(crate) fn decl_kind(&mut self, p: P, out: &mut Vec<Rc<Decl>>) {
        let span = self.span(&p);
        let rule = p.as_rule();
        let unsupported = |what, name| DeclKind::Unsupported { what, name };
        let (mods, kind) = match rule {
            Rule::var_decl => return self.var_decl(p, span, out),
            Rule::func_decl | Rule::modern_func | Rule::ctor_decl => self.func_decl(p),
            Rule::struct_decl => return self.struct_decl(p, span, out),
            Rule::enum_decl => self.enum_decl(p),
            Rule::typedef_decl => {
                let (mut ty, mut name, mut dims) = (None, None, Vec::new());
                for q in p.into_inner() {
                    match q.as_rule() {
                        Rule::r#type => ty = Some(self.ty(q)),
                        Rule::ident => name = Some(self.ident(&q)),
                        Rule::array_dim => dims.push(self.dim(q)),
                        _ => {}
                    }
                }
                match (ty, name) {
                    (Some(ty), Some(name)) => (
                        Modifiers::default(),
                        DeclKind::Typedef { name, generics: Vec::new(), ty: with_dims(ty, dims) },
                    ),
                    _ => (Modifiers::default(), DeclKind::Empty),
                }
            }
            Rule::typealias_decl => {
                let (mut mods, mut ty, mut name, mut generics) = (Modifiers::default(), None, None, Vec::new());
                for q in p.into_inner() {
                    match q.as_rule() {
                        Rule::modifiers => mods = self.modifiers(q),
                        Rule::r#type => ty = Some(self.ty(q)),
                        Rule::ident => name = Some(self.ident(&q)),
                        Rule::generic_params => generics = self.generic_params(q),
                        _ => {}
                    }
                }
                match (ty, name) {
                    (Some(ty), Some(name)) => (mods, DeclKind::Typedef { name, generics, ty }),
                    _ => (mods, DeclKind::Empty),
                }
            }
            Rule::namespace_decl => {
                let (mut mods, mut path, mut members) = (Modifiers::default(), Vec::new(), Vec::new());
                for q in p.into_inner() {
                    match q.as_rule() {
                        Rule::modifiers => mods = self.modifiers(q),
                        Rule::ident => path.push(self.ident(&q)),
                        Rule::decl_block => members = self.decl_block(q),
                        _ => {}
                    }
                }
                (mods, DeclKind::Namespace { path, members })
            }
            Rule::cbuffer_decl => {
                let (mut mods, mut name, mut members) = (Modifiers::default(), None, Vec::new());
                for q in p.into_inner() {
                    match q.as_rule() {
                        Rule::modifiers => mods = self.modifiers(q),
                        Rule::ident => name = Some(self.ident(&q)),
                        Rule::decl_block => members = self.decl_block(q),
                        _ => {}
                    }
                }
                (mods, DeclKind::CBuffer { name, members })
            }
            Rule::static_assert => {
                let mut parts: Vec<Expr> =
                    p.into_inner().filter(|q| q.as_rule() == Rule::assign).map(|q| self.assign(q)).collect();
                let message = if parts.len() > 1 { parts.pop() } else { None };
                match parts.pop() {
                    Some(cond) => (Modifiers::default(), DeclKind::StaticAssert { cond, message }),
                    None => (Modifiers::default(), DeclKind::Empty),
                }
            }
            Rule::empty_decl => (Modifiers::default(), DeclKind::Empty),
            Rule::module_decl => (Modifiers::default(), DeclKind::Empty),
            other => {
                let what = match other {
                    Rule::import_decl => "`import`",
                    Rule::using_decl => "`using`",
                    Rule::interface_decl => "an interface",
                    Rule::extension_decl => "an extension",
                    Rule::assoc_decl => "an associated type",
                    Rule::typeparam_decl => "a global type parameter",
                    Rule::property_decl => "a property",
                    Rule::subscript_decl => "a subscript",
                    _ => "this declaration",
                };
                let mut name = None;
                for q in p.into_inner() {
                    if q.as_rule() == Rule::ident && name.is_none() {
                        name = Some(self.ident(&q));
                    }
                }
                (Modifiers::default(), unsupported(what, name))
            }
        };
        out.push(Rc::new(Decl { span, mods, kind }));
    }

    fn dim(&mut self, pair: P) -> (Option<Expr>, Span) {
        let span = self.span(&pair);
        (pair.into_inner().next().map(|e| self.const_expr(e)), span)
    }

    fn var_decl(&mut self, pair: P, span: Span, out: &mut Vec<Rc<Decl>>) {
        let mut mods = Modifiers::default();
        let mut ty = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => mods = self.modifiers(p),
                Rule::r#type => ty = Some(self.ty(p)),
                Rule::let_binding => {
                    let (mut is_let, mut name, mut ty, mut init, mut semantic) = (false, None, None, None, None);
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::kw_let => is_let = q.as_str().trim() == "let",
                            Rule::ident => name = Some(self.ident(&q)),
                            Rule::r#type => ty = Some(self.ty(q)),
                            Rule::assign => init = Some(self.assign(q)),
                            Rule::semantic => semantic = self.semantic(q),
                            _ => {}
                        }
                    }
                    if let Some(name) = name {
                        let kind = DeclKind::Var(VarDecl { name, ty, is_let, semantic, init });
                        out.push(Rc::new(Decl { span, mods: mods.clone(), kind }));
                    }
                }
                Rule::declarators => {
                    if let Some(ty) = &ty {
                        self.declarators(p, &mods, ty, out);
                    }
                }
                _ => {}
            }
        }
    }

    fn declarators(&mut self, pair: P, mods: &Modifiers, ty: &Expr, out: &mut Vec<Rc<Decl>>) {
        for d in pair.into_inner() {
            let span = ty.span.to(self.span(&d));
            let (mut name, mut dims, mut init, mut semantic) = (None, Vec::new(), None, None);
            for q in d.into_inner() {
                match q.as_rule() {
                    Rule::ident => name = Some(self.ident(&q)),
                    Rule::array_dim_full => dims.push(self.dim(q)),
                    Rule::assign => init = Some(self.assign(q)),
                    Rule::semantic => semantic = self.semantic(q),
                    _ => {}
                }
            }
            let Some(name) = name else { continue };
            let ty = Some(with_dims(ty.clone(), dims));
            let kind = DeclKind::Var(VarDecl { name, ty, is_let: false, semantic, init });
            out.push(Rc::new(Decl { span, mods: mods.clone(), kind }));
        }
    }

    fn semantic(&mut self, pair: P) -> Option<Ident> {
        let inner = pair.into_inner().next()?;
        Some(self.ident(&inner))
    }

    pub(crate) fn modifiers(&mut self, pair: P) -> Modifiers {
        let mut mods = Modifiers::default();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::attributes => mods.attrs.extend(self.attributes(p)),
                Rule::modifier => mods.words.push(self.ident(&p)),
                Rule::intrinsic => {
                    let text = p.into_inner().next().map(|s| s.as_str().trim_matches('"').to_string());
                    mods.intrinsic = text.map(|t| Name::new(&t));
                }
                _ => {}
            }
        }
        mods
    }

    pub(crate) fn attributes(&mut self, pair: P) -> Vec<Attribute> {
        let mut out = Vec::new();
        for a in pair.into_inner() {
            let span = self.span(&a);
            let mut inner = a.into_inner();
            let Some(name) = inner.next().map(|n| self.ident(&n)) else { continue };
            let args = inner.next().map(|x| self.arguments(x)).unwrap_or_default();
            out.push(Attribute { span, name, args });
        }
        out
    }

    fn generic_params(&mut self, pair: P) -> Vec<GenericParam> {
        let mut out = Vec::new();
        for p in pair.into_inner() {
            let (mut name, mut is_value, mut bounds, mut default, mut variadic) =
                (None, false, Vec::new(), None, false);
            for q in p.into_inner() {
                match q.as_rule() {
                    Rule::kw_let => is_value = true,
                    Rule::each => variadic = true,
                    Rule::ident => name = Some(self.ident(&q)),
                    Rule::bound => bounds.extend(q.into_inner().map(|t| self.ty(t))),
                    Rule::r#type => {
                        let t = self.ty(q);
                        match (&name, is_value) {
                            (None, _) => {
                                // `int N`: a value parameter in the older spelling.
                                is_value = true;
                                bounds.push(t);
                            }
                            (Some(_), true) => bounds.push(t),
                            (Some(_), false) => default = Some(t),
                        }
                    }
                    Rule::const_expr => default = Some(self.const_expr(q)),
                    _ => {}
                }
            }
            if let Some(name) = name {
                out.push(GenericParam { name, is_value, bounds, default, variadic });
            }
        }
        out
    }

    fn params(&mut self, pair: P) -> Vec<Param> {
        let mut out = Vec::new();
        for p in pair.into_inner().filter(|p| p.as_rule() == Rule::param) {
            let span = self.span(&p);
            let mut mods = Modifiers::default();
            let (mut name, mut ty, mut dims, mut semantic, mut default) = (None, None, Vec::new(), None, None);
            for q in p.into_inner() {
                match q.as_rule() {
                    Rule::modifiers => {
                        let more = self.modifiers(q);
                        mods.attrs.extend(more.attrs);
                        mods.words.extend(more.words);
                    }
                    Rule::ident => name = Some(self.ident(&q)),
                    Rule::r#type => ty = Some(self.ty(q)),
                    Rule::array_dim => dims.push(self.dim(q)),
                    Rule::semantic => semantic = self.semantic(q),
                    Rule::default_value => default = q.into_inner().next().map(|e| self.assign(e)),
                    _ => {}
                }
            }
            let Some(mut ty) = ty else { continue };
            if let ExprKind::Modified { no_diff: true, ty: inner } = ty.kind {
                mods.words.push(Ident { name: Name::new("no_diff"), span: ty.span });
                ty = *inner;
            }
            out.push(Param { span, mods, name, ty: with_dims(ty, dims), semantic, default });
        }
        out
    }

    fn func_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let end = self.span(&pair);
        let end = Span::new(end.hi.saturating_sub(1), end.hi);
        let is_ctor = pair.as_rule() == Rule::ctor_decl;
        let mut mods = Modifiers::default();
        let mut func = FuncDecl {
            name: Ident { name: Name::new("__init"), span: self.span(&pair) },
            kind: if is_ctor { FuncKind::Constructor } else { FuncKind::Plain },
            generics: Vec::new(),
            has_where: false,
            params: Vec::new(),
            ret: None,
            body: None,
            end,
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => {
                    let more = self.modifiers(p);
                    mods.attrs.extend(more.attrs);
                    mods.words.extend(more.words);
                    mods.intrinsic = mods.intrinsic.or(more.intrinsic);
                }
                Rule::generic_prefix => {
                    if let Some(g) = p.into_inner().nth(1) {
                        func.generics.extend(self.generic_params(g));
                    }
                }
                Rule::kw_init => func.name.span = self.span(&p),
                Rule::func_name => {
                    func.name = self.ident(&p);
                    if p.into_inner().next().is_some_and(|n| n.as_rule() == Rule::operator_name) {
                        func.kind = FuncKind::Operator;
                    }
                }
                Rule::generic_params => func.generics.extend(self.generic_params(p)),
                Rule::params => func.params = self.params(p),
                Rule::r#type => {
                    let ty = self.ty(p);
                    func.ret = Some(match ty.kind {
                        ExprKind::Modified { no_diff: true, ty: inner } => {
                            mods.words.push(Ident { name: Name::new("no_diff"), span: ty.span });
                            *inner
                        }
                        _ => ty,
                    });
                }
                Rule::where_clause => func.has_where = true,
                Rule::block => func.body = Some(self.block(p)),
                _ => {}
            }
        }
        (mods, DeclKind::Func(func))
    }

    fn struct_decl(&mut self, pair: P, span: Span, out: &mut Vec<Rc<Decl>>) {
        let mut mods = Modifiers::default();
        let mut s =
            StructDecl { name: None, generics: Vec::new(), bases: Vec::new(), members: Vec::new(), is_class: false };
        let mut trailing = Vec::new();
        let mut opaque = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => mods = self.modifiers(p),
                Rule::attributes => mods.attrs.extend(self.attributes(p)),
                Rule::kw_struct => s.is_class = p.as_str().trim() == "class",
                Rule::ident => s.name = Some(self.ident(&p)),
                Rule::generic_params => s.generics = self.generic_params(p),
                Rule::bases => s.bases = p.into_inner().map(|t| self.ty(t)).collect(),
                Rule::where_clause => opaque = Some("a `where` clause on a struct"),
                Rule::struct_body => {
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::decl_block => s.members = self.decl_block(q),
                            Rule::declarators => {
                                if let Some(name) = s.name {
                                    let ty = Expr { span: name.span, kind: ExprKind::Name { name, args: None } };
                                    self.declarators(q, &Modifiers::default(), &ty, &mut trailing);
                                }
                            }
                            _ => opaque = Some("a struct link"),
                        }
                    }
                }
                _ => {}
            }
        }
        let kind = match opaque {
            Some(what) => DeclKind::Unsupported { what, name: s.name },
            None => DeclKind::Struct(s),
        };
        out.push(Rc::new(Decl { span, mods, kind }));
        out.extend(trailing);
    }

    fn enum_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let mut mods = Modifiers::default();
        let mut e = EnumDecl { name: None, base: None, cases: Vec::new() };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => mods = self.modifiers(p),
                Rule::ident => e.name = Some(self.ident(&p)),
                Rule::bases => e.base = p.into_inner().next().map(|t| self.ty(t)),
                Rule::enum_case => {
                    let (mut name, mut value) = (None, None);
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::ident => name = Some(self.ident(&q)),
                            Rule::assign => value = Some(self.assign(q)),
                            _ => {}
                        }
                    }
                    if let Some(name) = name {
                        e.cases.push((name, value));
                    }
                }
                _ => {}
            }
        }
        (mods, DeclKind::Enum(e))
    }
}
