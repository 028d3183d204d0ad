//! Extensions: members and conformances that are added to a type where it is not declared.

use super::generics::Subst;
use super::*;
use ast::DeclKind;

pub struct ExtensionInfo {
    decl: Rc<ast::Decl>,
    pub ns: NsId,
    pub gens: Option<GenId>,
    /// What is extended, in terms of the extension's parameters.
    pub target: Ty,
    state: State,
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

    /// Finds out what the extensions extend that have been collected since the last call.
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
        if !target.is_error() {
            let head = self.head(target);
            self.extensions_by_head.entry(head).or_default().push(id);
            for b in &e.bases {
                if let Some(bound) = self.resolve_bound(b) {
                    self.add_conformance(gens, target, bound, b.span);
                }
            }
        }
        self.cx = outer;
    }

    /// The extensions that apply to `ty`, with what their parameters stand for.
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
        list.into_iter().filter_map(|id| Some((id, self.extension_applies(id, ty)?))).collect()
    }

    fn extension_applies(&mut self, id: ExtId, ty: Ty) -> Option<Subst> {
        let (gens, target) = (self.extensions[id.0 as usize].gens, self.extensions[id.0 as usize].target);
        if target == ty {
            return Some(Subst::default());
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
        let broken = self.broken_constraint(gens, &s).is_some();
        self.search_depth -= 1;
        (!broken).then_some(s)
    }
}

impl Checker<'_> {
    /// The call of a constructor that an extension gives to a number, a vector or a matrix. Where it takes the arguments only after
    /// converting them, what the type itself makes of them comes first.
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

/// A type as written, for the names of its extension's functions.
fn type_words(e: &ast::Expr) -> String {
    match &e.kind {
        ast::ExprKind::Name { name, .. } | ast::ExprKind::Member { name, .. } => name.name.to_string(),
        _ => "extension".to_string(),
    }
}
