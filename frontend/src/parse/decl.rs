//! Builds declarations of the syntax tree from the pairs of the grammar.

use super::expr::no_diff_to_word;
use super::generic::words_of_variables;
use super::mend::DECLARATION;
use super::semantics::Behind;
use super::ty::with_dims;
use super::{Ctx, P, Rule};
use crate::ast::*;
use crate::source::Span;
use caustic_ir::Name;
use caustic_ir::codes;
use std::sync::Arc;

impl Ctx<'_> {
    pub(crate) fn decl(&mut self, pair: P, out: &mut Vec<Arc<Decl>>) {
        if let Some(p) = pair.into_inner().next() {
            self.decl_kind(p, out);
        }
    }

    pub(crate) fn decl_block(&mut self, pair: P) -> Vec<Arc<Decl>> {
        let mut out = Vec::new();
        for p in pair.into_inner() {
            self.decl_or_bad(p, &mut out);
        }
        out
    }

    /// Appends the declaration that `p` holds, or reports a text that could not be parsed as one.
    pub(crate) fn decl_or_bad(&mut self, p: P, out: &mut Vec<Arc<Decl>>) {
        match p.as_rule() {
            Rule::decl => self.decl(p, out),
            Rule::EOI => {}
            _ => self.report_bad(&p, DECLARATION, &mut |cx, p| cx.decl_or_bad(p, out)),
        }
    }

    /// Appends the declarations in `p`; `int a, b;` is two.
    pub(crate) fn decl_kind(&mut self, p: P, out: &mut Vec<Arc<Decl>>) {
        let span = self.span(&p);
        let (mods, kind) = match p.as_rule() {
            Rule::var_decl => return self.var_decl(p, span, out),
            Rule::ignored_block => return,
            Rule::spliced_decls => {
                let block = p.into_inner().find(|q| q.as_rule() == Rule::decl_block);
                out.extend(block.map(|b| self.decl_block(b)).unwrap_or_default());
                return;
            }
            Rule::struct_decl => {
                self.end_of_type(&p);
                return self.struct_decl(p, span, out);
            }
            Rule::typedef_decl => return self.typedef_decl(p, span, out),
            Rule::func_decl | Rule::modern_func | Rule::ctor_decl => self.func_decl(p),
            Rule::func_extension => self.func_extension(p),
            Rule::interface_decl => self.interface_decl(p),
            Rule::extension_decl => self.extension_decl(p),
            Rule::property_decl => self.property_decl(p),
            Rule::subscript_decl => self.subscript_decl(p),
            Rule::assoc_decl | Rule::typeparam_decl => self.assoc_decl(p),
            Rule::typealias_decl => self.alias_decl(p),
            Rule::enum_decl => {
                self.end_of_type(&p);
                return self.enum_decl(p, span, out);
            }
            Rule::namespace_decl | Rule::cbuffer_decl => self.space_decl(p),
            Rule::import_decl | Rule::module_decl => self.module_word(p),
            Rule::using_decl => {
                let ty = p.into_inner().find(|q| q.as_rule() == Rule::r#type).map(|t| self.ty(t));
                (Modifiers::default(), ty.map_or(DeclKind::Empty, DeclKind::Using))
            }
            Rule::static_assert => {
                let mut parts = p.into_inner().filter(|q| q.as_rule() == Rule::assign);
                let cond = parts.next().map(|q| self.assign(q));
                let message = parts.next().map(|q| self.assign(q));
                (Modifiers::default(), cond.map_or(DeclKind::Empty, |cond| DeclKind::StaticAssert { cond, message }))
            }
            _ => (Modifiers::default(), DeclKind::Empty),
        };
        out.push(Arc::new(Decl { span, mods, kind }));
    }

    /// A type without a `;` ends its line, as in slangc: what follows there would be a variable.
    fn end_of_type(&mut self, pair: &P) {
        let text = pair.as_str().trim_end();
        let next = pair.rest_of_line().trim_start();
        if text.ends_with('}') && !next.is_empty() {
            self.report_semicolon(pair.start() + text.len(), "declaration", None);
        }
    }

    /// A namespace or a constant buffer.
    fn space_decl(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let is_namespace = pair.as_rule() == Rule::namespace_decl;
        let whole = self.span(&pair);
        let (mut mods, mut path, mut members) = (Modifiers::default(), Vec::new(), Vec::new());
        let (mut behind, mut class) = (Behind::default(), 'b');
        for q in pair.into_inner() {
            match q.as_rule() {
                Rule::modifiers => self.add_modifiers(q, &mut mods),
                Rule::ident => path.push(self.ident(&q)),
                Rule::decl_block => members = self.decl_block(q),
                Rule::semantic => self.behind(q, &mut behind),
                Rule::kw_cbuffer => class = if q.as_str().trim() == "cbuffer" { 'b' } else { 't' },
                _ => {}
            }
        }
        if let Some(r) = behind.register.filter(|r| !r.name.starts_with(class)) {
            self.error(codes::E0286, r.span, format!("`{}` is no register for a block of constants", r.name));
        }
        if !is_namespace && path.is_empty() {
            self.error(codes::E0100, whole, "a block of constants has a name");
        }
        let kind = match is_namespace {
            true => DeclKind::Namespace { path, members },
            false => DeclKind::CBuffer { name: path.first().copied(), members },
        };
        (mods, kind)
    }

    /// `import`, `__include`, `implementing` and `module`.
    fn module_word(&mut self, pair: P) -> (Modifiers, DeclKind) {
        let mut mods = Modifiers::default();
        let (mut import, mut path) = (None, None);
        for q in pair.into_inner() {
            match q.as_rule() {
                Rule::modifiers => self.add_modifiers(q, &mut mods),
                Rule::kw_import => {
                    import = Some(match q.as_str().trim() {
                        "__include" => ImportKind::Include,
                        "implementing" => ImportKind::Implementing,
                        _ => ImportKind::Import,
                    });
                }
                Rule::module_path => {
                    let text = q.as_str().trim();
                    let quoted = text.starts_with('"');
                    let text = Ident { name: Name::new(text.trim_matches('"')), span: self.span(&q) };
                    path = Some(ModulePath { text, quoted });
                }
                _ => {}
            }
        }
        let kind = match (path, import) {
            (Some(path), Some(kind)) => DeclKind::Import { kind, path },
            (Some(path), None) => DeclKind::Module(path),
            (None, _) => DeclKind::Empty,
        };
        (mods, kind)
    }

    pub(super) fn dim(&mut self, pair: P) -> (Option<Expr>, Span) {
        let span = self.span(&pair);
        let size = pair.into_inner().next().map(|e| match e.as_rule() {
            Rule::assign => self.assign(e),
            _ => self.const_expr(e),
        });
        (size, span)
    }

    fn var_decl(&mut self, pair: P, span: Span, out: &mut Vec<Arc<Decl>>) {
        let mut mods = Modifiers::default();
        let mut ty = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => self.add_modifiers(p, &mut mods),
                Rule::r#type => ty = Some(no_diff_to_word(self.ty(p), &mut mods)),
                Rule::plain_type => {
                    let name = self.ident(&p);
                    ty = Some(Expr { span: name.span, kind: ExprKind::Name { name, args: None } });
                }
                Rule::let_binding => {
                    let (mut is_let, mut name, mut ty, mut init) = (false, None, None, None);
                    let mut behind = Behind::default();
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::kw_let => is_let = q.as_str().trim() == "let",
                            Rule::ident => name = Some(self.ident(&q)),
                            Rule::r#type => ty = Some(no_diff_to_word(self.ty(q), &mut mods)),
                            Rule::assign => init = Some(self.assign(q)),
                            Rule::semantic => self.behind(q, &mut behind),
                            _ => {}
                        }
                    }
                    if let Some(name) = name {
                        let Behind { semantic, register, access } = behind;
                        let kind =
                            DeclKind::Var(VarDecl { name, ty, is_let, semantic, register, access, bits: None, init });
                        out.push(Arc::new(Decl { span, mods: mods.clone(), kind }));
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

    pub(super) fn declarators(&mut self, pair: P, mods: &Modifiers, ty: &Expr, out: &mut Vec<Arc<Decl>>) {
        // A `*` belongs to one declared name. `ty` includes those of the first name, which do not
        // apply to the others.
        let mut plain = ty;
        while let ExprKind::PointerType(to) = &plain.kind {
            plain = to;
        }
        for (k, d) in pair.into_inner().enumerate() {
            let span = ty.span.to(self.span(&d));
            let mut ty = if k == 0 { ty.clone() } else { plain.clone() };
            let (mut name, mut dims, mut init, mut bits) = (None, Vec::new(), None, None);
            let mut behind = Behind::default();
            for q in d.into_inner() {
                match q.as_rule() {
                    Rule::ident => name = Some(self.ident(&q)),
                    Rule::ptr => ty = Expr { span: ty.span, kind: ExprKind::PointerType(ty.into()) },
                    Rule::array_dim_full => dims.push(self.dim(q)),
                    Rule::assign => init = Some(self.assign(q)),
                    Rule::semantic => self.behind(q, &mut behind),
                    Rule::bit_width => bits = q.into_inner().next().map(|w| self.literal(&w)),
                    _ => {}
                }
            }
            let Some(name) = name else { continue };
            let ty = Some(with_dims(ty, dims));
            let bits = match bits {
                Some(ExprKind::Int { value, .. }) => Some(u32::try_from(value).unwrap_or(u32::MAX)),
                _ => None,
            };
            let Behind { semantic, register, access } = behind;
            let kind = DeclKind::Var(VarDecl { name, ty, is_let: false, semantic, register, access, bits, init });
            out.push(Arc::new(Decl { span, mods: mods.clone(), kind }));
        }
    }

    pub(super) fn add_modifiers(&mut self, pair: P, mods: &mut Modifiers) {
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::attributes => mods.attrs.extend(self.attributes(p)),
                Rule::modifier => mods.words.push(self.ident(&p)),
                Rule::layout_modifier => mods.attrs.extend(self.layout(p)),
                Rule::implicit_conversion => {
                    let span = self.span(&p);
                    let name = Ident { name: Name::new("__implicit_conversion"), span };
                    let args = p.into_inner().map(|cost| Expr { span, kind: self.literal(&cost) }).collect();
                    mods.attrs.push(Attribute { span, name, args });
                }
                // A body for another target only.
                Rule::target_modifier if is_for_other_target(p.as_str()) => mods.elsewhere = true,
                Rule::intrinsic => {
                    let text = p.into_inner().next().map(|s| s.as_str().trim_matches('"').to_string());
                    mods.intrinsic = text.map(|t| Name::new(&t));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn attributes(&mut self, pair: P) -> Vec<Attribute> {
        let mut out = Vec::new();
        for a in pair.into_inner() {
            let span = self.span(&a);
            let mut inner = a.into_inner();
            let Some(name) = inner.next().map(|n| self.ident(&n)) else { continue };
            let args = inner.next().map(|x| x.into_inner().filter_map(|a| self.attr_arg(a)).collect());
            out.push(Attribute::written(span, name, args.unwrap_or_default()));
        }
        out
    }

    pub(super) fn enum_decl(&mut self, pair: P, span: Span, out: &mut Vec<Arc<Decl>>) {
        let (mut mods, mut trailing) = (Modifiers::default(), None);
        let mut e = EnumDecl {
            name: None,
            is_class: false,
            in_typedef: false,
            base: None,
            more: Vec::new(),
            cases: Vec::new(),
        };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifiers => self.add_modifiers(p, &mut mods),
                Rule::enum_class => e.is_class = true,
                Rule::ident => e.name = Some(self.ident(&p)),
                Rule::declarators => trailing = Some(p),
                Rule::bases => {
                    let mut bases = p.into_inner();
                    e.base = bases.next().map(|t| self.ty(t));
                    e.more = bases.map(|t| self.ty(t)).collect();
                }
                Rule::enum_case => {
                    let (mut attrs, mut name, mut value) = (Vec::new(), None, None);
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::attributes => attrs = self.attributes(q),
                            Rule::ident => name = Some(self.ident(&q)),
                            _ => value = Some(self.assign(q)),
                        }
                    }
                    e.cases.extend(name.map(|name| EnumCase { name, attrs, value }));
                }
                _ => {}
            }
        }
        let of_variables = if trailing.is_some() { words_of_variables(&mut mods) } else { Modifiers::default() };
        // The cases of an enum without a name are integers.
        let name = e.name.unwrap_or(Ident { name: Name::new("int"), span });
        out.push(Arc::new(Decl { span, mods, kind: DeclKind::Enum(e) }));
        if let Some(declarators) = trailing {
            let ty = Expr { span: name.span, kind: ExprKind::Name { name, args: None } };
            self.declarators(declarators, &of_variables, &ty, out);
        }
    }
}

/// Whether a modifier restricts the declaration to a target other than a CPU, which is what this
/// compiler counts as.
fn is_for_other_target(modifier: &str) -> bool {
    let target = modifier.strip_prefix("__specialized_for_target").map(|rest| rest.trim_matches([' ', '\n', '(', ')']));
    target.is_some_and(|t| !matches!(t, "cpp" | "c" | "host" | "cpu"))
}
