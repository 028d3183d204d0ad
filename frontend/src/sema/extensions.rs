//! Extensions: members and conformances that are added to a type where it is not declared.

use super::generics::Subst;
use super::*;
use ast::DeclKind;
use caustic_ir::codes;

pub struct ExtensionInfo {
    decl: Rc<ast::Decl>,
    pub ns: NsId,
    pub gens: Option<GenId>,
    /// The extended type, in terms of the extension's parameters.
    pub target: Ty,
    state: State,
}

impl ExtensionInfo {
    pub fn modifiers(&self) -> &ast::Modifiers {
        &self.decl.mods
    }
}

impl Checker<'_> {
    pub(crate) fn collect_extension(&mut self, decl: &Rc<ast::Decl>, e: &ast::ExtensionDecl, ns: NsId) {
        let outer = self.declare_generics(&e.generics, &e.constraints, ns);
        let id = ExtId(self.extensions.len() as u32);
        let inner = self.new_namespace(outer, Some(Owner::Extension(id)), &type_words(&e.target));
        let gens = self.namespaces[inner.0 as usize].gens;
        self.extensions.push(ExtensionInfo {
            decl: decl.clone(),
            ns: inner,
            gens,
            target: Ty::error(),
            state: State::New,
        });
        self.pending_extensions.push(id);
        self.collect(&e.members, inner, Some(Owner::Extension(id)));
    }

    /// Resolves the targets of the extensions that were collected since the last call.
    pub(crate) fn ensure_extensions(&mut self) {
        while let Some(id) = self.pending_extensions.pop() {
            self.resolve_extension(id);
        }
    }

    fn resolve_extension(&mut self, id: ExtId) {
        let info = &mut self.extensions[id.0 as usize];
        if info.state != State::New {
            return;
        }
        info.state = State::Busy;
        let (decl, ns, gens) = (info.decl.clone(), info.ns, info.gens);
        let DeclKind::Extension(e) = &decl.kind else { return };
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        let cx = BodyCx { ns: self.namespaces[ns.0 as usize].parent, ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let target = self.resolve_type(&e.target);
        let info = &mut self.extensions[id.0 as usize];
        info.target = target;
        info.state = State::Done;
        self.cx.this_ty = Some(target);
        self.check_extended(target, e, gens);
        if target.is_error() {
            // That the type which was meant does not have them is no other mistake.
            self.broken.extend(e.members.iter().filter_map(|m| m.name()).map(|n| n.name));
        } else {
            let head = self.head(target);
            self.extensions_by_head.entry(head).or_default().push(id);
            for b in &e.bases {
                for bound in self.resolve_bounds(b) {
                    self.check_sealed(bound, b.span);
                    self.add_conformance(gens, target, bound, b.span);
                }
            }
        }
        self.cx = outer;
    }

    /// The extensions that apply to `ty`, with the arguments of their parameters.
    pub(crate) fn extensions_of(&mut self, ty: Ty) -> Vec<(ExtId, Subst)> {
        let head = self.head(ty);
        if let conform::Head::Resource(name) = head {
            self.load_prelude(crate::prelude::extension_of(name));
        }
        self.ensure_extensions();
        if self.extensions.is_empty() {
            return Vec::new();
        }
        let mut list = self.extensions_by_head.get(&head).cloned().unwrap_or_default();
        if head != conform::Head::Any {
            list.extend(self.extensions_by_head.get(&conform::Head::Any).into_iter().flatten());
        }
        list.sort_by_key(|id| self.extension_rank(*id));
        list.into_iter().filter_map(|id| Some((id, self.extension_applies(id, ty)?))).collect()
    }

    /// What to say of a member that an extension adds in a module that is not imported here.
    pub(crate) fn extension_not_imported(&mut self, ty: Ty, name: Name) -> Option<String> {
        let all = self.extensions_of(ty).into_iter().map(|(id, _)| self.extensions[id.0 as usize].ns);
        let adds = |ns: &NsId| self.namespaces[ns.0 as usize].names.contains_key(&name);
        let ns = all.filter(adds).find(|ns| !self.imports_module_of(*ns))?;
        let module = self.modules[self.module_of(ns)?.0 as usize].name;
        Some(format!("module `{module}`, which is not imported here, has an extension that adds it"))
    }

    /// How general the target of an extension is: one type, the instances of a generic one, or any
    /// type.
    pub(crate) fn extension_rank(&self, id: ExtId) -> u32 {
        let info = &self.extensions[id.0 as usize];
        match info.target.kind() {
            types::TyKind::Param(_) => 3,
            _ if info.gens.is_some() => 2,
            _ => 1,
        }
    }

    pub(crate) fn extension_span(&self, id: ExtId) -> Span {
        self.extensions[id.0 as usize].decl.span
    }

    /// The rank of a function by its owner: the type itself, or an extension of some generality.
    pub(crate) fn extension_rank_of(&self, f: FuncId) -> u32 {
        match self.funcs[f.0 as usize].owner {
            Some(Owner::Extension(id)) => self.extension_rank(id),
            _ => 0,
        }
    }

    fn extension_applies(&mut self, id: ExtId, ty: Ty) -> Option<Subst> {
        let (gens, target) = (self.extensions[id.0 as usize].gens, self.extensions[id.0 as usize].target);
        if target == ty {
            return Some(Subst::default());
        }
        // What an extension asks of a type is no reason for the extension itself. Extensions that
        // ask for members of the type in turn are followed a few steps only.
        const STEPS: usize = 3;
        let around = self.asked.iter().filter(|(_, of)| *of == ty).count();
        if around > STEPS || self.asked.contains(&(id, ty)) {
            return None;
        }
        let mut slots = self.slots(self.all_params(gens));
        if !self.unify(target, ty, &mut slots, false) {
            return None;
        }
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        if self.search_depth <= generics::MAX_INSTANCE_DEPTH {
            self.infer_from_constraints(gens, &Subst::default(), &mut slots);
        }
        let s = slots.complete()?;
        if self.subst(target, &s) != ty || self.search_depth > generics::MAX_INSTANCE_DEPTH {
            return None;
        }
        self.search_depth += 1;
        let (outer, before) = (self.deciding.replace(self.resolving.len()), self.circular.take());
        self.asked.push((id, ty));
        let broken = self.broken_constraint(gens, &s).is_some();
        self.asked.pop();
        let unknown = self.circular.is_some();
        self.circular = before.into_iter().chain(self.circular).min();
        self.deciding = outer;
        self.search_depth -= 1;
        (!broken && !unknown).then_some(s)
    }
}

impl Checker<'_> {
    /// The call of a constructor that an extension adds to a number, a vector or a matrix. If it
    /// takes the arguments only after conversions, the constructors of the type itself come first.
    pub(crate) fn extended_construct(&mut self, ty: Ty, args: &[Expr], span: Span) -> Option<Expr> {
        use types::TyKind::*;
        if !matches!(ty.kind(), Scalar(_) | Vector(..) | Matrix(..) | VectorOf(..) | MatrixOf(..)) {
            return None;
        }
        let name = Name::new("__init");
        let added = |c: &Self, m: &members::Member| {
            m.as_func().is_some_and(|f| matches!(c.funcs[f.0 as usize].owner, Some(Owner::Extension(_))))
        };
        let members: Vec<_> = self.own_members(ty, name).into_iter().filter(|m| added(self, m)).collect();
        if members.is_empty() {
            return None;
        }
        let name = ast::Ident { name, span };
        let group =
            expr::Group { name, members, this: None, through_type: true, explicit: None, modes: Vec::new(), span };
        let own = match args {
            [arg] => ty.is_abstract() || self.conversion_cost(arg, ty).is_some(),
            _ => args.iter().map(|a| a.ty.shape().count()).sum::<u32>() == ty.shape().count(),
        };
        self.applies(&group, args, own).then(|| self.call_group(group, args.to_vec(), span))
    }
}

impl Checker<'_> {
    /// Fields that an extension of a struct names again (`extern T x;`) to put attributes on them.
    fn fields_named_again(&self, id: ExtId) -> Vec<Rc<ast::Decl>> {
        let DeclKind::Extension(e) = &self.extensions[id.0 as usize].decl.kind else { return Vec::new() };
        let named = |m: &&Rc<ast::Decl>| matches!(m.kind, DeclKind::Var(_)) && m.mods.has("extern");
        e.members.iter().filter(named).cloned().collect()
    }

    /// The `[DerivativeMember]` that an extension puts on a field of a struct.
    pub(crate) fn derivative_member_given(&mut self, id: StructId, field: Name) -> Option<Rc<ast::Attribute>> {
        self.ensure_extensions();
        let head = self.head(Ty::new(types::TyKind::Struct(id)));
        let all = self.extensions_by_head.get(&head).cloned().unwrap_or_default();
        let decls = all.into_iter().flat_map(|e| self.fields_named_again(e)).collect::<Vec<_>>();
        let found = decls.into_iter().find(|d| d.name().is_some_and(|n| n.name == field))?;
        found.mods.attr("DerivativeMember").cloned().map(Rc::new)
    }

    /// Checks that fields that are named again exist and have that type.
    pub(crate) fn check_fields_named_again(&mut self) {
        for i in 0..self.extensions.len() {
            let id = ExtId(i as u32);
            let (target, ns) = (self.extensions[i].target, self.extensions[i].ns);
            for decl in self.fields_named_again(id) {
                let DeclKind::Var(v) = &decl.kind else { continue };
                let field = target.as_struct().and_then(|s| {
                    let found = self.fields(s).iter().find(|f| f.name == v.name.name);
                    found.map(|f| (f.ty, f.span))
                });
                let Some((ty, at)) = field else {
                    let (shown, name) = (self.show(target), v.name.name);
                    self.error(codes::E0236, v.name.span, format!("`{shown}` has no field `{name}`"))
                        .notes
                        .push("an extension adds no fields; `extern` names one that is there".to_string());
                    continue;
                };
                let cx = BodyCx { ns: Some(ns), this_ty: Some(target), ..BodyCx::default() };
                let outer = std::mem::replace(&mut self.cx, cx);
                let written = v.ty.as_ref().map(|t| self.resolve_type(t));
                self.cx = outer;
                if let Some(written) = written.filter(|w| *w != ty && !w.is_error()) {
                    let (want, found, at) = (self.show(ty), self.show(written), self.loc(at));
                    let text = format!("field `{}` is of type `{want}`, and not `{found}`", v.name.name);
                    self.error(codes::E0203, v.name.span, text).labels.push((at, "declared here".to_string()));
                }
            }
        }
    }
}

/// A type as text, for the names of the extension's functions.
fn type_words(e: &ast::Expr) -> String {
    match &e.kind {
        ast::ExprKind::Name { name, .. } | ast::ExprKind::Member { name, .. } => name.name.to_string(),
        _ => "extension".to_string(),
    }
}
