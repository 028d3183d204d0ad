//! Builds generic parameters, `where` clauses, and the declarations that are lists of members:
//! structs, interfaces, extensions.

use super::{Ctx, P, Rule};
use crate::ast::*;
use crate::source::Span;
use caustic_ir::Name;
use std::sync::Arc;

/// The parts that the heads of structs, interfaces and extensions have in common.
#[derive(Default)]
struct Head {
    mods: Modifiers,
    name: Option<Ident>,
    generics: Vec<GenericParam>,
    bases: Vec<Expr>,
    constraints: Vec<Constraint>,
    members: Vec<Arc<Decl>>,
}

/// The name of a struct that is declared without one. No name in a program has this form.
fn anonymous(span: Span) -> Ident {
    Ident { name: Name::new(&format!("(struct at {})", span.lo)), span }
}

/// The modifiers of the variables that are declared with a type: all words before the type. In
/// `static struct { … } s;` the variable `s` is static. The type keeps the words that say who sees
/// it.
pub(super) fn words_of_variables(of_type: &mut Modifiers) -> Modifiers {
    let words = of_type.words.clone();
    of_type.words.retain(|w| ["public", "internal", "private", "export", "extern"].iter().any(|kept| w.name == **kept));
    Modifiers { words, ..Modifiers::default() }
}

impl Ctx<'_> {
    /// Adds `p` to the head if it is a part of one; returns it otherwise.
    fn head<'i>(&mut self, head: &mut Head, p: P<'i>) -> Option<P<'i>> {
        match p.as_rule() {
            Rule::modifiers => self.add_modifiers(p, &mut head.mods),
            Rule::attributes => head.mods.attrs.extend(self.attributes(p)),
            Rule::ident => head.name = Some(self.ident(&p)),
            Rule::generic_prefix | Rule::generic_params => self.add_generics(p, &mut head.generics),
            Rule::bases => head.bases = self.types_of(p),
            Rule::where_clause => self.add_constraints(p, &mut head.constraints),
            Rule::decl_block => head.members = self.decl_block(p),
            _ => return Some(p),
        }
        None
    }

    fn types_of(&mut self, pair: P) -> Vec<Expr> {
        pair.into_inner().map(|t| self.ty(t)).collect()
    }

    pub(super) fn struct_decl(&mut self, pair: P, span: Span, out: &mut Vec<Arc<Decl>>) {
        let mut head = Head::default();
        let (mut is_class, mut has_body, mut link) = (false, false, None);
        let mut trailing = None;
        for p in pair.into_inner() {
            let Some(p) = self.head(&mut head, p) else { continue };
            match p.as_rule() {
                Rule::kw_struct => is_class = p.as_str().trim() == "class",
                Rule::struct_body => {
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::declarators => trailing = Some(q),
                            Rule::r#type => link = Some(self.ty(q)),
                            _ => {
                                has_body = true;
                                self.head(&mut head, q);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let Head { mut mods, name, generics, bases, constraints, members } = head;
        let name = name.or_else(|| Some(anonymous(span)));
        let of_variables = if trailing.is_some() { words_of_variables(&mut mods) } else { Modifiers::default() };
        let s = StructDecl { name, generics, bases, constraints, members, is_class, has_body, link };
        out.push(Arc::new(Decl { span, mods, kind: DeclKind::Struct(s) }));
        if let (Some(declarators), Some(name)) = (trailing, name) {
            let ty = Expr { span: name.span, kind: ExprKind::Name { name, args: None } };
            self.declarators(declarators, &of_variables, &ty, out);
        }
    }

    /// `typedef T name;`. If `T` is a struct with a body, the struct is declared first.
    pub(super) fn typedef_decl(&mut self, pair: P, span: Span, out: &mut Vec<Arc<Decl>>) {
        let (mut mods, mut name, mut ty, mut dims) = (Modifiers::default(), None, None, Vec::new());
        let mut unnamed = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => self.add_modifiers(p, &mut mods),
                Rule::ident => name = Some(self.ident(&p)),
                Rule::r#type => ty = Some(self.ty(p)),
                Rule::array_dim => dims.push(self.dim(p)),
                Rule::typedef_struct => {
                    let first = out.len();
                    let at = self.span(&p);
                    self.struct_decl(p, at, out);
                    let Some(DeclKind::Struct(s)) = out.get(first).map(|d| d.kind.clone()) else { continue };
                    let inner = s.name.unwrap_or(anonymous(at));
                    let s = StructDecl { name: Some(inner), has_body: true, ..s };
                    out[first] = Arc::new(Decl { span: at, mods: Modifiers::default(), kind: DeclKind::Struct(s) });
                    ty = Some(Expr { span: inner.span, kind: ExprKind::Name { name: inner, args: None } });
                }
                Rule::typedef_enum => {
                    let first = out.len();
                    let at = self.span(&p);
                    self.enum_decl(p, at, out);
                    let Some(DeclKind::Enum(e)) = out.get(first).map(|d| d.kind.clone()) else { continue };
                    // Without a name of its own it has that of the alias.
                    unnamed = e.name.is_none().then_some(first);
                    let inner = e.name.unwrap_or(anonymous(at));
                    let e = EnumDecl { name: Some(inner), in_typedef: true, ..e };
                    out[first] = Arc::new(Decl { span: at, mods: Modifiers::default(), kind: DeclKind::Enum(e) });
                    ty = Some(Expr { span: inner.span, kind: ExprKind::Name { name: inner, args: None } });
                }
                _ => {}
            }
        }
        if let (Some(name), Some(at), true) = (name, unnamed, dims.is_empty())
            && let Some(DeclKind::Enum(e)) = out.get(at).map(|d| d.kind.clone())
        {
            let e = EnumDecl { name: Some(name), in_typedef: true, ..e };
            out[at] = Arc::new(Decl { span: name.span, mods, kind: DeclKind::Enum(e) });
            return;
        }
        if let (Some(name), Some(ty)) = (name, ty) {
            let ty = super::ty::with_dims(ty, dims);
            let kind = DeclKind::Typedef { name, generics: Vec::new(), constraints: Vec::new(), ty };
            out.push(Arc::new(Decl { span, mods, kind }));
        }
    }

    pub(super) fn interface_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let mut head = Head::default();
        for p in pair.into_inner() {
            self.head(&mut head, p);
        }
        let Head { mods, name, generics, bases, constraints, members } = head;
        let kind = match name {
            Some(name) => DeclKind::Interface(InterfaceDecl { name, generics, bases, constraints, members }),
            None => DeclKind::Empty,
        };
        (mods, kind)
    }

    pub(super) fn extension_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let mut head = Head::default();
        let mut target = None;
        for p in pair.into_inner() {
            if let Some(p) = self.head(&mut head, p)
                && p.as_rule() == Rule::r#type
            {
                target = Some(self.ty(p));
            }
        }
        let Head { mods, generics, bases, constraints, members, .. } = head;
        let kind = match target {
            Some(target) => DeclKind::Extension(ExtensionDecl { generics, target, bases, constraints, members }),
            None => DeclKind::Empty,
        };
        (mods, kind)
    }

    /// `associatedtype` and `type_param`.
    pub(super) fn assoc_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let is_param = pair.as_rule() == Rule::typeparam_decl;
        let mut head = Head::default();
        let mut default = None;
        for p in pair.into_inner() {
            if let Some(p) = self.head(&mut head, p)
                && p.as_rule() == Rule::r#type
            {
                default = Some(self.ty(p));
            }
        }
        let Head { mods, name, bases: bounds, constraints, .. } = head;
        let kind = match name {
            Some(name) => {
                let decl = AssocTypeDecl { name, bounds, constraints, default };
                if is_param { DeclKind::TypeParam(decl) } else { DeclKind::AssocType(decl) }
            }
            None => DeclKind::Empty,
        };
        (mods, kind)
    }

    pub(super) fn alias_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let mut head = Head::default();
        let (mut ty, mut dims): (Option<Expr>, _) = (None, Vec::new());
        for p in pair.into_inner() {
            let Some(p) = self.head(&mut head, p) else { continue };
            match p.as_rule() {
                Rule::r#type => {
                    let next = self.ty(p);
                    // `A & B`, of interfaces.
                    ty = Some(match ty {
                        None => next,
                        Some(first) => {
                            let (span, at) = (first.span.to(next.span), first.span.hi);
                            let (lhs, rhs) = (Box::new(first), Box::new(next));
                            Expr { span, kind: ExprKind::Binary { op: BinOp::And, at, lhs, rhs } }
                        }
                    });
                }
                Rule::array_dim => dims.push(self.dim(p)),
                _ => {}
            }
        }
        let Head { mods, name, generics, constraints, .. } = head;
        let kind = match (name, ty) {
            (Some(name), Some(ty)) => {
                DeclKind::Typedef { name, generics, constraints, ty: super::ty::with_dims(ty, dims) }
            }
            _ => DeclKind::Empty,
        };
        (mods, kind)
    }

    /// `__generic<…>` before a declaration and `<…>` after its name form one list.
    pub(super) fn add_generics(&mut self, pair: P, out: &mut Vec<GenericParam>) {
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::generic_params => self.add_generics(p, out),
                Rule::generic_param => out.extend(self.generic_param(p)),
                _ => {}
            }
        }
    }

    fn generic_param(&mut self, pair: P) -> Option<GenericParam> {
        let (mut name, mut is_value, mut bounds, mut default, mut variadic) = (None, false, Vec::new(), None, false);
        for q in pair.into_inner() {
            match q.as_rule() {
                Rule::kw_let => is_value = true,
                Rule::each => variadic = true,
                Rule::ident => name = Some(self.ident(&q)),
                Rule::bound => bounds = self.types_of(q),
                Rule::wide_arg_value => default = Some(self.const_expr(q)),
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
                _ => {}
            }
        }
        Some(GenericParam { name: name?, is_value, bounds, default, variadic, added: false })
    }

    pub(super) fn add_constraints(&mut self, pair: P, out: &mut Vec<Constraint>) {
        for p in pair.into_inner().filter(|p| p.as_rule() == Rule::constraint) {
            let span = self.span(&p);
            let Some(p) = p.into_inner().next() else { continue };
            let rule = p.as_rule();
            if rule == Rule::counts {
                let (mut pack, mut count) = (None, None);
                for q in p.into_inner() {
                    match q.as_rule() {
                        Rule::ident => pack = Some(self.ident(&q)),
                        Rule::const_expr => count = Some(self.const_expr(q)),
                        _ => {}
                    }
                }
                if let Some(pack) = pack {
                    out.push(Constraint { span, kind: ConstraintKind::Counts { pack, count } });
                }
                continue;
            }
            let (mut optional, mut implicit, mut parts) = (false, false, Vec::new());
            for q in p.into_inner() {
                match q.as_rule() {
                    Rule::kw_optional => optional = true,
                    Rule::kw_implicit => implicit = true,
                    Rule::const_expr => parts.push(self.const_expr(q)),
                    _ => parts.push(self.ty(q)),
                }
            }
            let mut parts = parts.into_iter();
            let (Some(first), Some(second)) = (parts.next(), parts.next()) else { continue };
            let kind = match rule {
                Rule::conforms => {
                    let bounds = std::iter::once(second).chain(parts).collect();
                    ConstraintKind::Conforms { subject: first, bounds, optional }
                }
                Rule::converts => ConstraintKind::Converts { to: first, from: second, implicit },
                _ => ConstraintKind::Equals(first, second),
            };
            out.push(Constraint { span, kind });
        }
    }
}
