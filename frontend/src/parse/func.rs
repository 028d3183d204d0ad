//! Builds declarations with parameters or bodies: functions, constructors, subscripts, and
//! properties with their accessors.

use super::expr::no_diff_to_word;
use super::semantics::Behind;
use super::ty::with_dims;
use super::{Ctx, P, Rule};
use crate::ast::*;
use crate::source::Span;
use caustic_ir::Name;

impl Ctx<'_> {
    fn params(&mut self, pair: P) -> Vec<Param> {
        pair.into_inner().filter(|p| p.as_rule() == Rule::param).filter_map(|p| self.param(p)).collect()
    }

    pub(super) fn param(&mut self, pair: P) -> Option<Param> {
        let span = self.span(&pair);
        let mut mods = Modifiers::default();
        let (mut name, mut ty, mut dims, mut default) = (None, None, Vec::new(), None);
        let (mut mesh, mut behind) = (None, Behind::default());
        for q in pair.into_inner() {
            match q.as_rule() {
                Rule::modifiers => self.add_modifiers(q, &mut mods),
                Rule::mesh_word => mesh = Some(self.ident(&q)),
                Rule::ident => name = Some(self.ident(&q)),
                Rule::r#type => ty = Some(self.ty(q)),
                Rule::array_dim => dims.push(self.dim(q)),
                Rule::semantic => self.behind(q, &mut behind),
                Rule::default_value => default = q.into_inner().next().map(|e| self.assign(e)),
                _ => {}
            }
        }
        let ty = no_diff_to_word(ty?, &mut mods);
        let ty = match mesh.and_then(|word: Ident| mesh_output(&word.name)) {
            Some(named) => output_type(named, ty, dims),
            None => with_dims(ty, dims),
        };
        Some(Param { span, mods, name, ty, semantic: behind.semantic, default })
    }

    pub(super) fn func_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let is_ctor = pair.as_rule() == Rule::ctor_decl;
        let mut mods = Modifiers::default();
        let mut func = FuncDecl {
            name: Ident { name: Name::new("__init"), span: self.span(&pair) },
            kind: if is_ctor { FuncKind::Constructor } else { FuncKind::Plain },
            generics: Vec::new(),
            constraints: Vec::new(),
            params: Vec::new(),
            ret: None,
            throws: None,
            semantic: None,
            body: None,
            end: self.end_of(&pair),
        };
        let mut behind = Behind::default();
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => self.add_modifiers(p, &mut mods),
                Rule::generic_prefix | Rule::generic_params => self.add_generics(p, &mut func.generics),
                Rule::kw_init => func.name.span = self.span(&p),
                Rule::func_name => {
                    if let Some(n) = p.into_inner().next() {
                        let is_operator = n.as_rule() == Rule::operator_name;
                        func.name = if is_operator { self.operator_name(&n) } else { self.ident(&n) };
                        func.kind = if is_operator { FuncKind::Operator } else { FuncKind::Plain };
                    }
                }
                Rule::params => func.params = self.params(p),
                Rule::r#type => {
                    let ty = self.ty(p);
                    func.ret = Some(no_diff_to_word(ty, &mut mods));
                }
                Rule::semantic => self.behind(p, &mut behind),
                Rule::throws => func.throws = p.into_inner().next().map(|t| self.ty(t)),
                Rule::where_clause => self.add_constraints(p, &mut func.constraints),
                Rule::block => func.body = Some(self.block(p)),
                _ => {}
            }
        }
        func.semantic = behind.semantic;
        (mods, DeclKind::Func(func))
    }

    pub(super) fn func_extension(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let (mut op, mut target) = (None, None);
        for p in pair.clone().into_inner() {
            match p.as_rule() {
                Rule::ident => op = Some(self.ident(&p)),
                Rule::func_extension_target => target = p.into_inner().next().map(|t| self.type_atom(t)),
                _ => {}
            }
        }
        let (mods, kind) = self.func_decl(pair);
        match (kind, op, target) {
            (DeclKind::Func(mut func), Some(op), Some(target)) => {
                func.name = Ident { name: Name::new(&format!("{}({})", op.name, words_of(&target))), span: op.span };
                (mods, DeclKind::FuncExtension(FuncExtension { op, target, func }))
            }
            _ => (mods, DeclKind::Empty),
        }
    }

    pub(super) fn property_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let span = self.end_of(&pair);
        let mut mods = Modifiers::default();
        let (mut name, mut ty, mut accessors) = (None, None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => self.add_modifiers(p, &mut mods),
                Rule::member_name => name = Some(self.ident(&p)),
                Rule::r#type => ty = Some(no_diff_to_word(self.ty(p), &mut mods)),
                Rule::accessors => accessors = Some(self.accessors(p)),
                _ => {}
            }
        }
        let kind = match (name, ty) {
            (Some(name), Some(ty)) => DeclKind::Property(PropertyDecl {
                name,
                ty,
                accessors: accessors.unwrap_or_else(|| vec![getter(span)]),
            }),
            _ => DeclKind::Empty,
        };
        (mods, kind)
    }

    pub(super) fn subscript_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let end = self.end_of(&pair);
        let mut word = self.span(&pair);
        let mut mods = Modifiers::default();
        let (mut generics, mut params, mut constraints) = (Vec::new(), Vec::new(), Vec::new());
        let (mut ret, mut accessors) = (None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => self.add_modifiers(p, &mut mods),
                Rule::kw_subscript => word = self.span(&p),
                Rule::generic_prefix | Rule::generic_params => self.add_generics(p, &mut generics),
                Rule::params => params = self.params(p),
                Rule::r#type => ret = Some(no_diff_to_word(self.ty(p), &mut mods)),
                Rule::where_clause => self.add_constraints(p, &mut constraints),
                Rule::accessors => accessors = Some(self.accessors(p)),
                _ => {}
            }
        }
        let accessors = accessors.unwrap_or_else(|| vec![getter(end)]);
        let kind = match ret {
            Some(ret) => DeclKind::Subscript(SubscriptDecl { word, generics, params, ret, constraints, accessors }),
            None => DeclKind::Empty,
        };
        (mods, kind)
    }

    fn accessors(&mut self, pair: P) -> Vec<Accessor> {
        let mut out = Vec::new();
        for p in pair.into_inner() {
            let mut accessor = Accessor { span: self.span(&p), ..getter(self.end_of(&p)) };
            for q in p.into_inner() {
                match q.as_rule() {
                    Rule::attributes => accessor.mods.attrs.extend(self.attributes(q)),
                    Rule::access_word => accessor.mods.words.push(self.ident(&q)),
                    Rule::accessor_name => {
                        accessor.span = self.span(&q);
                        accessor.kind = match q.as_str().trim() {
                            "get" => AccessorKind::Get,
                            "set" => AccessorKind::Set,
                            _ => AccessorKind::Modify,
                        };
                    }
                    Rule::accessor_param => {
                        let (mut name, mut ty) = (None, None);
                        for r in q.into_inner() {
                            match r.as_rule() {
                                Rule::modifiers => self.add_modifiers(r, &mut accessor.param_mods),
                                Rule::ident => name = Some(self.ident(&r)),
                                Rule::r#type => ty = Some(no_diff_to_word(self.ty(r), &mut accessor.param_mods)),
                                _ => {}
                            }
                        }
                        accessor.param = name.map(|n| (n, ty));
                    }
                    _ if q.as_rule() == Rule::block => accessor.body = Some(self.block(q)),
                    _ => {}
                }
            }
            out.push(accessor);
        }
        out
    }
}

/// The accessor of a property that declares none.
fn getter(span: crate::source::Span) -> Accessor {
    let (mods, param_mods) = (Modifiers::default(), Modifiers::default());
    Accessor { span, mods, kind: AccessorKind::Get, param: None, param_mods, body: None, end: span }
}

/// The builtin type that a declaration such as `out vertices V name[64]` abbreviates.
fn mesh_output(word: &str) -> Option<&'static str> {
    match word {
        "vertices" => Some("OutputVertices"),
        "indices" => Some("OutputIndices"),
        "primitives" => Some("OutputPrimitives"),
        _ => None,
    }
}

/// The type that [`mesh_output`] names, with the element type and the number of elements as its
/// arguments.
fn output_type(named: &str, elem: Expr, mut dims: Vec<(Option<Expr>, Span)>) -> Expr {
    // Unless there is exactly one size, that argument is left out; checking reports it.
    let size = if dims.len() == 1 { dims.pop().and_then(|(size, _)| size) } else { None };
    let (span, name) = (elem.span, Ident { name: Name::new(named), span: elem.span });
    let args = std::iter::once(elem).chain(size).collect();
    Expr { span, kind: ExprKind::Name { name, args: Some(args) } }
}

/// A path as text: its names, joined by dots.
fn words_of(path: &Expr) -> String {
    match &path.kind {
        ExprKind::Name { name, .. } => name.name.to_string(),
        ExprKind::Member { base, name, .. } => format!("{}.{}", words_of(base), name.name),
        ExprKind::Rooted(inner) => words_of(inner),
        _ => String::new(),
    }
}
