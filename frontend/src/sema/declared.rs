//! Checks of declarations that do not depend on their use: the contents of interfaces, the targets
//! of extensions, the subjects of constraints, default values of parameters, the values of setters,
//! and the places where `no_diff` has an effect.

use super::generics::{Constraint, Subst};
use super::types::{GArg, ParamId, TyKind, Val};
use super::*;
use crate::version::Version;
use ast::{DeclKind, ExprKind as E};
use caustic_ir::codes;

impl Checker<'_> {
    /// Runs the checks that need all signatures.
    pub(crate) fn check_declared(&mut self) {
        self.check_parameter_defaults();
        self.check_setters();
        self.check_derivative_members();
        self.check_required_constants();
        self.check_space_functions();
        self.check_dynamic_interfaces();
    }

    /// Checks what stands in a `dyn` interface: a value of it holds a type that is known only when
    /// the program runs, so that nothing in it can depend on that type.
    fn check_dynamic_interfaces(&mut self) {
        for i in 0..self.interfaces.len() {
            let info = &self.interfaces[i];
            let Some(decl) = info.decl.clone().filter(|d| d.mods.has("dyn")) else { continue };
            let DeclKind::Interface(written) = &decl.kind else { continue };
            let version = self.module_of(info.ns).map(|m| self.modules[m.0 as usize].version);
            if version.is_none_or(|v| v < Version::V2026) {
                continue;
            }
            let mut found: Vec<(Span, &str)> = Vec::new();
            if !written.generics.is_empty() {
                found.push((written.name.span, "is generic"));
            }
            for m in &written.members {
                let span = m.name().map_or(m.span, |n| n.span);
                match &m.kind {
                    DeclKind::AssocType(_) => found.push((span, "has an associated type")),
                    DeclKind::Func(f) if !f.generics.is_empty() => found.push((span, "has a generic method")),
                    DeclKind::Func(_) if m.mods.attr("mutating").is_some() => {
                        found.push((span, "has a method that changes its object"));
                    }
                    DeclKind::Func(_) if m.mods.attr("Differentiable").is_some() => {
                        found.push((span, "has a differentiable method"));
                    }
                    _ => {}
                }
            }
            let name = written.name.name;
            for (span, what) in found {
                self.error(codes::E0283, span, format!("`{name}` is `dyn`, and {what}"))
                    .notes
                    .push("what a value of it holds is known only when the program runs".to_string());
            }
        }
    }

    /// Checks `dzero` and `dadd` of a type that declares them: what `IDifferentiable` requires.
    fn check_space_functions(&mut self) {
        for i in 0..self.structs.len() {
            let (id, info) = (StructId(i as u32), &self.structs[i]);
            let declared = info.decl.is_some() && info.instance_of.is_none_or(|(of, _)| of == id);
            let ty = Ty::new(TyKind::Struct(id));
            if !declared || info.synthesized || !self.is_differentiable_type(ty) {
                continue;
            }
            let Some(d) = self.differential(ty).filter(|d| !d.is_error()) else { continue };
            for (name, count) in [("dzero", 0), ("dadd", 2)] {
                self.check_space_function(ty, d, Name::new(name), count);
            }
        }
    }

    fn check_space_function(&mut self, ty: Ty, d: Ty, name: Name, count: usize) {
        let found: Vec<FuncId> = self.own_members(ty, name).iter().filter_map(|m| m.as_func()).collect();
        let mut wrong = None;
        for f in found {
            self.ensure_signature(f);
            let info = &self.funcs[f.0 as usize];
            if info.is_prelude {
                return;
            }
            let required = info.params.iter().filter(|p| p.default.is_none()).count();
            let what = if info.this.is_some() {
                "is not `static`".to_string()
            } else if required != count && info.params.len() != count || info.params.len() < count {
                if count == 0 { "takes something".to_string() } else { "does not take two differentials".to_string() }
            } else if let Some(p) = info.params[..count].iter().find(|p| p.dir != Dir::In || p.ty != d) {
                format!("takes `{}`", self.show_signature("", std::slice::from_ref(p)).trim_matches(['(', ')']))
            } else if info.ret != d {
                format!("returns `{}`", self.show(info.ret))
            } else {
                return;
            };
            wrong = wrong.or(Some((f, what)));
        }
        let Some((f, what)) = wrong else { return };
        let shown = self.show(d);
        let span = self.entry_span(Entry::Func(f)).unwrap_or_default();
        let params = if count == 0 { String::new() } else { format!("{shown} a, {shown} b") };
        self.error(codes::E0233, span, format!("this `{name}` {what}, and cannot be that of `IDifferentiable`"))
            .notes
            .push(format!("it is declared as `static {shown} {name}({params})`"));
    }

    /// Checks that a constant that an interface requires has no floating-point type, as in slangc:
    /// it may be used as a size or to choose code.
    fn check_required_constants(&mut self) {
        for i in 0..self.consts.len() {
            let info = &self.consts[i];
            let ns = info.ns;
            let required = matches!(self.namespaces[ns.0 as usize].owner, Some(Owner::Interface(_)));
            let decl = info.decl.clone();
            let DeclKind::Var(v) = &decl.kind else { continue };
            let Some(written) = v.ty.as_ref().filter(|_| required && self.module_of(ns).is_some()) else { continue };
            let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
            let outer = std::mem::replace(&mut self.cx, cx);
            let ty = self.resolve_type(written);
            self.cx = outer;
            if ty.as_scalar().is_some_and(types::Scalar::is_float) {
                let (shown, name) = (self.show(ty), v.name.name);
                self.error(codes::E0207, written.span, format!("the required constant `{name}` cannot be a `{shown}`"))
                    .notes
                    .push("a static function can be required instead".to_string());
            }
        }
    }

    fn check_parameter_defaults(&mut self) {
        for i in 0..self.funcs.len() {
            let info = &self.funcs[i];
            if info.is_prelude || info.instance_of.is_some() || info.params.iter().all(|p| p.default.is_none()) {
                continue;
            }
            let (params, gens) = (info.params.clone(), info.gens);
            let func = FuncRef { func: FuncId(i as u32), args: Args::new(self.identity_args(gens)) };
            for p in params {
                if let Some(default) = p.default.filter(|_| !p.ty.is_error()) {
                    self.default_argument(func, &default, p.ty);
                }
            }
        }
    }

    /// Checks that a setter takes the type that the getter returns.
    fn check_setters(&mut self) {
        for i in 0..self.properties.len() {
            let info = &self.properties[i];
            let (Some(get), Some(set), name) = (info.get, info.set, info.name.name) else { continue };
            if self.funcs[get.0 as usize].is_prelude {
                continue;
            }
            let (gives, takes) = (self.funcs[get.0 as usize].ret, self.funcs[set.0 as usize].params.last().cloned());
            let Some(takes) = takes.filter(|p| p.ty != gives && !p.ty.is_error() && !gives.is_error()) else {
                continue;
            };
            let (gives, shown) = (self.show(gives), self.show(takes.ty));
            self.error(codes::E0203, takes.span, format!("`{name}` is `{gives}`, and this setter takes `{shown}`"));
        }
    }

    /// Reports `[DerivativeMember]` on a field of a type without a derivative, or on a field
    /// without one.
    fn check_derivative_members(&mut self) {
        for i in 0..self.structs.len() {
            let info = &self.structs[i];
            let Some(decl) = info.decl.clone().filter(|_| info.instance_of.is_none_or(|(of, _)| of.0 as usize == i))
            else {
                continue;
            };
            let DeclKind::Struct(s) = &decl.kind else { continue };
            let ty = Ty::new(TyKind::Struct(StructId(i as u32)));
            for m in &s.members {
                let (Some(a), DeclKind::Var(v)) = (m.mods.attr("DerivativeMember"), &m.kind) else { continue };
                let (name, shown) = (v.name.name, self.show(ty));
                if !self.is_differentiable_type(ty) {
                    let text = format!("`{shown}` is not differentiable, so `{name}` has no derivative");
                    self.error(codes::E0314, a.span, text)
                        .notes
                        .push(format!("let `{shown}` conform to `IDifferentiable`"));
                    // It is meant to be: what else the lack of it spoils is not told as well.
                    self.structs[i].differentiable = true;
                    self.structs[i].differential = Some(Some(Ty::error()));
                    continue;
                }
                let fields = self.fields(StructId(i as u32)).to_vec();
                let field = fields.into_iter().find(|f| f.name == name);
                if let Some(of) = field.filter(|f| !f.ty.is_error()).map(|f| f.ty)
                    && !self.is_differentiable_type(of)
                {
                    let of = self.show(of);
                    self.error(codes::E0314, a.span, format!("`{name}` is of type `{of}`, which has no derivative"));
                }
            }
        }
    }

    /// Returns whether an interface can require the member; reports it otherwise.
    pub(crate) fn may_be_required(&mut self, m: &ast::Decl) -> bool {
        let at = m.name().map_or(m.span, |n| n.span);
        let wrong = match &m.kind {
            DeclKind::Struct(_) | DeclKind::Interface(_) | DeclKind::Enum(_) => Some(("a type", true)),
            DeclKind::Typedef { .. } => Some(("a type alias", true)),
            DeclKind::Extension(_) | DeclKind::Namespace { .. } | DeclKind::CBuffer { .. } => Some(("this", false)),
            DeclKind::Func(f) if f.kind == ast::FuncKind::Constructor && f.body.is_some() => {
                self.error(codes::E0285, at, "a constructor that an interface requires has no body");
                return false;
            }
            DeclKind::Property(p) => {
                if let Some(a) = p.accessors.iter().find(|a| a.body.is_some()) {
                    self.error(codes::E0285, a.span, "an accessor that an interface requires has no body");
                    return false;
                }
                None
            }
            DeclKind::Var(v) if m.mods.has("static") && (m.mods.has("const") || v.is_let) => {
                if let Some(value) = &v.init {
                    let text =
                        format!("`{}` is a requirement: its value comes from the type that conforms", v.name.name);
                    self.error(codes::E0206, value.span, text);
                    return false;
                }
                None
            }
            DeclKind::Var(v) if m.mods.has("static") => {
                self.error(codes::E0236, v.name.span, "an interface requires constants, not variables")
                    .notes
                    .push("write `static const`".to_string());
                return false;
            }
            _ => None,
        };
        let Some((what, has_name)) = wrong else { return true };
        let d = self.error(codes::E0285, at, format!("{what} cannot be declared in an interface"));
        if has_name {
            d.notes.push("what a conforming type has to provide is an `associatedtype`".to_string());
        }
        false
    }

    /// Checks the target of an extension, and that it mentions all generic parameters of the
    /// extension.
    pub(crate) fn check_extended(&mut self, target: Ty, e: &ast::ExtensionDecl, gens: Option<GenId>) {
        if self.loading_prelude || target.is_error() {
            return;
        }
        if let TyKind::Interface(i) = target.kind() {
            let shown = self.show_ref(*i);
            self.error(codes::E0285, e.target.span, format!("the interface `{shown}` cannot be extended"))
                .notes
                .push(format!("`extension<T : {shown}> T` extends all types that conform to it"));
        }
        if e.generics.is_empty() {
            return;
        }
        for p in self.own_params(gens).to_vec() {
            if !self.mentions(target, p) && !self.is_bound_to(gens, p) {
                let (name, span) = (self.params[p.0 as usize].name, self.params[p.0 as usize].span);
                let shown = self.show(target);
                self.error(codes::E0208, span, format!("nothing says what `{name}` is: `{shown}` does not mention it"));
            }
        }
    }

    /// Whether a type mentions a parameter.
    pub(super) fn mentions(&mut self, ty: Ty, p: ParamId) -> bool {
        self.probe(p).is_none_or(|s| self.subst(ty, &s) != ty)
    }

    /// Whether a constraint determines a parameter once another one is known.
    fn is_bound_to(&mut self, gens: Option<GenId>, p: ParamId) -> bool {
        let Some(g) = gens else { return false };
        let Some(s) = self.probe(p) else { return true };
        let own = Ty::new(TyKind::Param(p));
        let constraints = self.generics[g.0 as usize].constraints.clone();
        constraints.into_iter().any(|c| match c.bound {
            bounds::Bound::Equals(_) => true,
            bound => c.ty != own && self.subst_bound(bound, &s) != bound,
        })
    }

    /// A substitution that replaces a parameter by something else; `None` if any type may depend on
    /// it.
    fn probe(&self, p: ParamId) -> Option<Subst> {
        let arg = match self.takes_value(p) {
            _ if self.params[p.0 as usize].layout || self.is_variadic(p) => return None,
            true => GArg::Val(Val::int(1)),
            false => GArg::Ty(Ty::void()),
        };
        Some(Subst::new(&[p], &[arg]))
    }

    /// Checks that a `where` clause is about a generic parameter of its declaration or of one
    /// around it.
    pub(crate) fn check_subject(&mut self, added: &[Constraint], w: &ast::Constraint) {
        for c in added {
            let other = match c.bound {
                bounds::Bound::Equals(t) => Some(t),
                bounds::Bound::MadeFrom { from, .. } => Some(from),
                bounds::Bound::Counts(_) | bounds::Bound::NonEmpty => continue,
                _ => None,
            };
            let free = |c: &Self, t: Ty| !t.is_error() && !c.is_dependent(t);
            if free(self, c.ty) && other.is_none_or(|t| free(self, t)) {
                let shown = self.show(c.ty);
                self.error(codes::E0284, w.span, format!("this clause is about `{shown}`, which is no parameter"))
                    .notes
                    .push("a clause is about parameters of the declaration, and their associated types".to_string());
                return;
            }
        }
    }

    /// Whether a type lacks a constant of the name and type that an interface requires.
    pub(crate) fn lacks_constant(&mut self, c: &conform::Conformance, name: Name, required: ConstId) -> bool {
        let s = self.interface_subst(c.interface, c.ty);
        let (decl, ns) = (self.consts[required.0 as usize].decl.clone(), self.consts[required.0 as usize].ns);
        let DeclKind::Var(v) = &decl.kind else { return false };
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let wanted = v.ty.as_ref().map_or(Ty::error(), |t| self.resolve_type(t));
        self.cx = outer;
        let wanted = self.subst(wanted, &s);
        !self.own_members(c.ty, name).iter().any(|m| match m.entry {
            Entry::Const(found) => {
                let have = self.const_value(found).ty;
                let have = self.subst(have, &m.subst);
                have == wanted || have.is_error() || wanted.is_error()
            }
            _ => false,
        })
    }

    /// Reports a conformance to a `dyn` interface of a type that holds resources: the values of
    /// such an interface are in memory, where resources cannot be.
    pub(crate) fn check_dynamic_conformance(&mut self, c: &conform::Conformance) {
        let decl = self.interfaces[c.interface.id.0 as usize].decl.clone();
        if decl.is_some_and(|d| d.mods.has("dyn")) && self.holds_resource(c.ty) {
            let (shown, interface) = (self.show(c.ty), self.show_ref(c.interface));
            let text = format!("`{shown}` holds a resource, and `{interface}` is `dyn`: its values hold none");
            self.error(codes::E0207, c.span, text);
        }
    }

    /// Whether values of a type contain resources.
    pub(crate) fn holds_resource(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Array(of, _) | TyKind::ArrayOf(of, _) => self.holds_resource(*of),
            TyKind::Struct(id) => self.fields(*id).to_vec().iter().any(|f| self.holds_resource(f.ty)),
            _ => ty.is_resource(),
        }
    }

    /// Reports a field without a value that holds a resource: there is no resource to begin with.
    pub(super) fn lacks_resource(&mut self, id: StructId, f: &Field, span: Span) -> bool {
        if self.cx.in_prelude || f.name == *inherit::BASE_FIELD || !self.holds_resource(f.ty) {
            return false;
        }
        // What a generic struct holds of its parameter's type may be left out.
        let generic = self.structs[id.0 as usize].instance_of.map(|(base, _)| base);
        let declared = generic.and_then(|g| self.fields(g).iter().find(|of| of.name == f.name).map(|of| of.ty));
        if declared.is_some_and(Ty::is_abstract) {
            return false;
        }
        let (at, held, shown) = (self.loc(f.span), self.show(f.ty), self.show(Ty::new(TyKind::Struct(id))));
        let text = match f.ty.is_resource() {
            true => format!("`{shown}` needs a value for `{}`: `{held}` is a resource", f.name),
            false => format!("`{shown}` needs a value for `{}`: `{held}` holds a resource", f.name),
        };
        self.error(codes::E0204, span, text).labels.push((at, "the field".to_string()));
        true
    }

    /// The same for all fields of a struct that is made without values.
    pub(super) fn lacks_resources(&mut self, id: StructId, span: Span) -> bool {
        if self.cx.in_prelude || self.has_plain_constructor(id) {
            return false;
        }
        let fields = self.fields(id).to_vec();
        fields.iter().filter(|f| f.default.is_none()).any(|f| match f.ty.as_struct() {
            Some(base) if f.name == *inherit::BASE_FIELD => self.lacks_resources(base, span),
            _ => self.lacks_resource(id, f, span),
        })
    }

    /// Checks the operand of `no_diff`, which has an effect only on calls in functions with
    /// derivatives.
    pub(crate) fn check_no_diff(&mut self, arg: &ast::Expr, span: Span) {
        if self.cx.in_prelude {
            return;
        }
        let mut inner = arg;
        while let E::Paren(e) = &inner.kind {
            inner = e;
        }
        let takes = matches!(
            inner.kind,
            E::Call { .. }
                | E::Cast { .. }
                | E::Index { .. }
                | E::Ternary { .. }
                | E::Assign { .. }
                | E::Init(_)
                | E::Try(_)
        );
        if !takes {
            self.error(codes::E0316, span, "`no_diff` stands before a call")
                .notes
                .push("write `detach(…)` where the derivative of another value is meant to end".to_string());
        } else if !self.cx.has_derivatives {
            self.error(codes::E0316, span, "`no_diff` says nothing in a function without derivatives");
        }
    }
}
