//! Resolves what a program leaves open: `extern` declarations, by the `export`s of other modules;
//! and `type_param`, shader parameters of interface types and generic entry points, by types from
//! the command line.
//!
//! All of this happens by name, before anything is resolved: an open name becomes another name for
//! the declaration that closes it. The rest of the compiler meets no open names.

use super::access::Visibility;
use super::types::TyKind;
use super::*;
use ast::ExprKind as E;
use caustic_ir::Input;
use caustic_ir::codes;
use rustc_hash::FxHashSet;

/// The open declarations, in the order of declaration.
#[derive(Default)]
pub(crate) struct Linkage {
    /// `extern` declarations: namespace, name, and entry.
    externs: Vec<(NsId, ast::Ident, Entry)>,
    /// `export` declarations, by path.
    exports: FxHashMap<Name, Entry>,
    /// `struct S : I = T;`.
    links: FxHashSet<AliasId>,
    /// The visibility of exported declarations that have become visible by being linked.
    visibilities: FxHashMap<Entry, Visibility>,
    /// The declarations that `Entry::Open` numbers: `extern` declarations that no module exports.
    open: Vec<ast::Ident>,
    /// The declarations that take the host's types, in order.
    parameters: Vec<Open>,
    /// Types that must conform, which is checked when they are known.
    promises: Vec<(AliasId, Vec<ast::Expr>, NsId)>,
}

enum Open {
    /// `type_param`, with its default.
    Type(AliasId, Option<ast::Expr>),
    Global(GlobalId, ast::Expr, NsId),
}

impl Linkage {
    /// Whether it is a struct of its own to those who see it, which says nothing of the other one.
    pub(crate) fn is_link(&self, alias: AliasId) -> bool {
        self.links.contains(&alias)
    }

    /// What an exported declaration is where it is declared; nothing if it is what it seems.
    pub(crate) fn visibility_of_export(&self, entry: Entry) -> Option<Visibility> {
        self.visibilities.get(&entry).copied()
    }
}

impl Checker<'_> {
    /// Records what a new declaration leaves open or closes.
    pub(crate) fn note_linkage(&mut self, decl: &ast::Decl, name: ast::Ident, ns: NsId, entry: Entry) {
        if decl.mods.has("extern") {
            self.linkage.externs.push((ns, name, entry));
        } else if decl.mods.has("export") {
            let path = self.path_of(ns, name.name);
            self.linkage.exports.insert(path, entry);
        }
    }

    fn path_of(&self, ns: NsId, name: Name) -> Name {
        match self.namespaces[ns.0 as usize].path.as_str() {
            "" => name,
            path => Name::new(&format!("{path}.{name}")),
        }
    }

    /// `struct S : I = T;` and `extern struct S : I;`.
    pub(crate) fn collect_linked_struct(&mut self, decl: &ast::Decl, s: &ast::StructDecl, name: ast::Ident, ns: NsId) {
        let entry = match &s.link {
            Some(ty) => {
                let id = self.new_alias(name, ty.clone(), ns);
                self.linkage.links.insert(id);
                self.linkage.promises.push((id, s.bases.clone(), ns));
                Entry::Alias(id)
            }
            None => Entry::Unsupported,
        };
        self.define(ns, name.name, entry);
        self.note_linkage(decl, name, ns, entry);
    }

    /// `type_param T : I;`
    pub(crate) fn collect_type_param(&mut self, p: &ast::AssocTypeDecl, ns: NsId) {
        if !self.unique(ns, p.name) {
            return;
        }
        let open = ast::Expr { span: p.name.span, kind: E::Unsupported("a type that nothing gives") };
        let id = self.new_alias(p.name, open, ns);
        self.linkage.promises.push((id, p.bounds.clone(), ns));
        self.linkage.parameters.push(Open::Type(id, p.default.clone()));
        self.define(ns, p.name.name, Entry::Alias(id));
    }

    /// Records a shader parameter, whose type may turn out to be an interface.
    pub(crate) fn note_parameter(&mut self, id: GlobalId, ty: &ast::Expr, ns: NsId) {
        self.linkage.parameters.push(Open::Global(id, ty.clone(), ns));
    }

    /// Closes what is open, once all modules are collected.
    pub(crate) fn close_linkage(&mut self, types: &[String], stand_ins: bool) {
        self.link_externs();
        let mut given = types.iter();
        for open in std::mem::take(&mut self.linkage.parameters) {
            match open {
                Open::Type(alias, default) => {
                    let written = given.next().and_then(|text| self.written_expr(text));
                    let ns = if written.is_some() { self.main_ns() } else { self.aliases[alias.0 as usize].ns };
                    match written.or(default).or_else(|| self.stand_in(alias, stand_ins)) {
                        Some(ty) => {
                            let info = &mut self.aliases[alias.0 as usize];
                            (info.ty, info.ns) = (ty, ns);
                        }
                        None => {
                            let name = self.aliases[alias.0 as usize].name;
                            let d = self.error(
                                codes::E0247,
                                name.span,
                                format!("nothing says what type `{}` is", name.name),
                            );
                            d.input = Some(Input::GlobalTypes);
                            let info = &mut self.aliases[alias.0 as usize];
                            (info.resolved, info.state) = (Some(Ty::error()), State::Done);
                        }
                    }
                }
                Open::Global(id, ty, ns) => {
                    if !given.as_slice().is_empty() && self.names_interface(&ty, ns) {
                        let written = given.next().and_then(|text| self.written_expr(text));
                        self.globals[id.0 as usize].given = written.map(Rc::new);
                    }
                }
            }
        }
        if let Some(left) = given.next() {
            let text = format!("the type `{left}` is one too many: the program leaves fewer open");
            self.error(codes::E0247, Span::default(), text).input = Some(Input::GlobalTypes);
        }
    }

    fn link_externs(&mut self) {
        for (ns, name, own) in std::mem::take(&mut self.linkage.externs) {
            let path = self.path_of(ns, name.name);
            let entry = match self.linkage.exports.get(&path) {
                Some(entry) => *entry,
                None => {
                    // Others have a default, or are an error where code that runs needs them.
                    if own != Entry::Unsupported {
                        continue;
                    }
                    self.linkage.open.push(name);
                    Entry::Open(self.linkage.open.len() as u32 - 1)
                }
            };
            // Code that can see the `extern` declaration may name the exported one.
            if let Some(hidden) = self.hidden.remove(&entry) {
                self.linkage.visibilities.insert(entry, hidden.visibility);
            }
            let ns = self.whole(ns);
            if let Some(entries) = self.namespaces[ns.0 as usize].names.get_mut(&name.name) {
                entries.iter_mut().filter(|e| **e == own).for_each(|e| *e = entry);
            }
            if let (Entry::Const(from), Entry::Const(to)) = (own, entry) {
                self.consts[from.0 as usize].linked = Some(to);
            }
        }
    }

    /// Reports the use of an `extern` declaration that nothing closes. One that is not used may be
    /// meant for another program.
    pub(crate) fn report_open(&mut self, open: u32, span: Span) {
        let declared = self.linkage.open[open as usize];
        let at = self.loc(declared.span);
        let d = self.error(codes::E0247, span, format!("no module of the program exports `{}`", declared.name));
        d.labels.push((at, "declared here".to_string()));
        d.notes.push("give it a default, or import a module that declares it with `export`".to_string());
    }

    /// The first type of the program that is declared to conform. It stands in for an open type if
    /// a program is only checked.
    fn stand_in(&mut self, alias: AliasId, allowed: bool) -> Option<ast::Expr> {
        if !allowed {
            return None;
        }
        let (_, bounds, _) = self.linkage.promises.iter().find(|(id, ..)| *id == alias)?;
        let wanted: Vec<Name> = bounds.iter().filter_map(last_name).collect();
        let found = self.structs.iter().find_map(|s| {
            let decl = s.decl.as_ref().filter(|_| s.gens.is_none())?;
            let ast::DeclKind::Struct(d) = &decl.kind else { return None };
            let says = wanted.iter().all(|w| d.bases.iter().filter_map(last_name).any(|b| b == *w));
            d.name.filter(|_| says)
        })?;
        Some(ast::Expr { span: found.span, kind: E::Name { name: found, args: None } })
    }

    /// Whether a written type is an interface or a parameter block of one.
    fn names_interface(&mut self, ty: &ast::Expr, ns: NsId) -> bool {
        match &ty.kind {
            E::Name { name, args: Some(args) } if matches!(name.name.as_str(), "ParameterBlock" | "ConstantBuffer") => {
                args.first().is_some_and(|a| self.names_interface(a, ns))
            }
            E::Name { name, .. } => {
                let found = self.lookup_from(ns, name.name);
                found.is_some_and(|f| matches!(f.first().map(|m| m.entry), Some(Entry::Interface(_))))
            }
            _ => false,
        }
    }

    /// Checks that the given types satisfy the bounds that are required of them.
    pub(crate) fn check_promises(&mut self) {
        for (alias, bounds, ns) in std::mem::take(&mut self.linkage.promises) {
            let ty = self.resolve_alias(alias);
            let name = self.aliases[alias.0 as usize].name;
            let outer = std::mem::replace(&mut self.cx, BodyCx { ns: Some(ns), ..BodyCx::default() });
            let asked: Vec<bounds::Bound> = bounds.iter().flat_map(|b| self.resolve_bounds(b)).collect();
            for bound in asked {
                if self.may_have_any_member(ty) || self.satisfies(ty, bound) {
                    continue;
                }
                let (shown, wanted) = (self.show(ty), self.show_bound(bound));
                self.error(
                    codes::E0239,
                    name.span,
                    format!("`{}` is `{shown}`, which does not conform to `{wanted}`", name.name),
                );
            }
            self.cx = outer;
        }
    }

    /// The type that replaces the interface type of a shader parameter, as given by the host.
    pub(crate) fn given_type(&mut self, id: GlobalId, declared: Ty, span: Span) -> Option<Ty> {
        let written = self.globals[id.0 as usize].given.clone()?;
        let (interface, block) = match declared.kind() {
            TyKind::Uniform(t, block) => (*t, Some(*block)),
            _ => (declared, None),
        };
        let TyKind::Interface(i) = *interface.kind() else { return None };
        let cx = BodyCx { ns: Some(self.main_ns()), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let ty = self.resolve_type(&written);
        self.cx = outer;
        if ty.is_error() {
            return None;
        }
        if self.may_have_any_member(ty) {
            return None;
        }
        if !self.conforms(ty, i) {
            let (shown, interface) = (self.show(ty), self.show_ref(i));
            self.error(codes::E0239, span, format!("`{shown}` does not conform to `{interface}`"));
            return None;
        }
        Some(block.map_or(ty, |block| Ty::new(TyKind::Uniform(ty, block))))
    }

    /// Makes the instance of the generic entry point for the types in the options.
    pub(crate) fn request_entry(&mut self, entry: Option<&str>, types: &[String]) {
        if types.is_empty() {
            return;
        }
        let found = (0..self.funcs.len()).map(|i| FuncId(i as u32)).find(|f| {
            let info = &self.funcs[f.0 as usize];
            let named = entry.is_none_or(|e| info.name == *e);
            named && info.attrs.entry.is_some() && info.declares_generics && info.owner.is_none()
        });
        let Some(f) = found else {
            self.error(
                codes::E0247,
                Span::default(),
                "types are given for a generic entry point, and the program has none",
            )
            .input = Some(Input::EntryTypes);
            return;
        };
        let mut given = Vec::new();
        for text in types {
            let Some((ty, _)) = self.written_type(text) else { return };
            given.push(types::GArg::Ty(ty));
        }
        let (name, gens) = (self.funcs[f.0 as usize].name, self.funcs[f.0 as usize].gens);
        let span = self.entry_span(Entry::Func(f)).unwrap_or_default();
        let none = generics::Subst::default();
        let Some(args) = self.complete_args(name, gens, &none, &given, span) else { return };
        let made = self.new_instance(FuncRef { func: f, args }, 0);
        // The host knows the instance by its plain name.
        self.funcs[made.0 as usize].symbol = self.funcs[f.0 as usize].symbol;
    }
}

fn last_name(e: &ast::Expr) -> Option<Name> {
    match &e.kind {
        E::Name { name, .. } | E::Member { name, .. } => Some(name.name),
        _ => None,
    }
}
