//! Conformances: which type conforms to which interface, and which members provide its
//! requirements.
//!
//! A conformance is declared at a struct or an extension. It may be generic; it is checked once,
//! where it is declared. A requirement is provided by a member of the type, or else by the
//! requirement's own body.

use super::bounds::Bound;
use super::generics::Subst;
use super::members::Member;
use super::types::{Args, GArg, InterfaceRef, TyKind};
use super::*;
use caustic_ir::codes;

#[derive(Clone, Debug)]
pub struct Conformance {
    /// The generic parameters that are in force at the declaration.
    pub gens: Option<GenId>,
    pub ty: Ty,
    pub interface: InterfaceRef,
    pub span: Span,
}

/// The outermost constructor of a type, by which conformances and extensions are looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Head {
    Struct(StructId),
    Enum(types::EnumId),
    Scalar(types::Scalar),
    Vector,
    Matrix,
    Array,
    Pair,
    Interface(types::InterfaceId),
    Resource(&'static str),
    /// A bare parameter: `extension<T : IFoo> T : IBar`.
    Any,
}

/// The way in which a type conforms.
pub(crate) enum Found {
    /// A bound of the parameter states it.
    Known,
    Declared,
}

impl Checker<'_> {
    pub(crate) fn head(&self, ty: Ty) -> Head {
        match ty.kind() {
            TyKind::Struct(id) => Head::Struct(self.structs[id.0 as usize].instance_of.map_or(*id, |(base, _)| base)),
            TyKind::Enum(id) => Head::Enum(*id),
            TyKind::Scalar(s) => Head::Scalar(*s),
            TyKind::Vector(..) | TyKind::VectorOf(..) => Head::Vector,
            TyKind::Matrix(..) | TyKind::MatrixOf(..) => Head::Matrix,
            TyKind::Array(..) | TyKind::ArrayOf(..) => Head::Array,
            TyKind::Pair(_) => Head::Pair,
            TyKind::Interface(i) => Head::Interface(i.id),
            TyKind::Buffer { write: false, .. } => Head::Resource("StructuredBuffer"),
            TyKind::Buffer { write: true, .. } => Head::Resource("RWStructuredBuffer"),
            TyKind::Resource(r) => Head::Resource(r.name()),
            _ => Head::Any,
        }
    }

    /// Records that `ty` conforms to `bound` and to everything that `bound` inherits from.
    pub(crate) fn add_conformance(&mut self, gens: Option<GenId>, ty: Ty, bound: Bound, span: Span) {
        match bound {
            Bound::Interface(i) => {
                let head = self.head(ty);
                for b in self.with_bases(i, ty) {
                    match b {
                        Bound::Interface(interface) => {
                            let id = self.conformances.len() as u32;
                            self.conformances.push(Conformance { gens, ty, interface, span });
                            self.by_head.entry(head).or_default().push(id);
                        }
                        other => self.add_conformance(gens, ty, other, span),
                    }
                }
            }
            Bound::Differentiable => match ty.kind() {
                TyKind::Struct(id) => {
                    let base = self.structs[id.0 as usize].instance_of.map_or(*id, |(base, _)| base);
                    self.structs[base.0 as usize].differentiable = true;
                }
                _ if self.is_differentiable_type(ty) => {}
                // Its derivative would be nothing.
                TyKind::Enum(_) => {
                    let shown = self.show(ty);
                    let text = format!("the conformance of `{shown}` to `IDifferentiable` changes nothing");
                    self.warn(codes::W0220, span, text).notes.push("an enum carries no derivative".to_string());
                }
                _ => {
                    let shown = self.show(ty);
                    self.unsupported(span, &format!("conformance of `{shown}` to `IDifferentiable`"));
                }
            },
            Bound::Accumulable => {
                // Whether a type conforms follows from its parts.
                let text = "conformance to `IAccumulable`, which types have by what they are made of";
                self.unsupported(span, text);
            }
            Bound::Default => {
                if let TyKind::Struct(id) = ty.kind() {
                    let base = self.structs[id.0 as usize].instance_of.map_or(*id, |(base, _)| base);
                    self.structs[base.0 as usize].default_initializable = true;
                }
            }
            Bound::Builtin(set) if ty.as_struct().is_some() => {
                if let Some(id) = ty.as_struct() {
                    self.add_arithmetic(id, set, span);
                }
            }
            // The type satisfies the bound already.
            Bound::Builtin(_) if self.satisfies(ty, bound) => {}
            Bound::Builtin(_) => {
                let text = format!("conformance to `{}`", self.show_bound(bound));
                self.unsupported(span, &text);
            }
            Bound::Opaque => {
                let text = "conformance to `IOpaqueDescriptor`, which resources alone have";
                self.unsupported(span, text);
            }
            Bound::Refused => {
                if let TyKind::Struct(id) = ty.kind() {
                    let base = self.structs[id.0 as usize].instance_of.map_or(*id, |(base, _)| base);
                    self.structs[base.0 as usize].refused_base = true;
                }
            }
            Bound::Equals(_) | Bound::MadeFrom { .. } | Bound::Counts(_) | Bound::NonEmpty => {}
        }
    }

    /// Resolves the conformances that a struct declares, once.
    pub(crate) fn ensure_bases(&mut self, id: StructId) {
        let id = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        let info = &mut self.structs[id.0 as usize];
        if info.bases != State::New {
            return;
        }
        info.bases = State::Busy;
        let (decl, ns, gens) = (info.decl.clone(), info.ns, info.gens);
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        if let Some(ast::DeclKind::Struct(s)) = decl.as_deref().map(|d| &d.kind) {
            let this = Ty::new(TyKind::Struct(id));
            let cx = BodyCx { ns: self.namespaces[ns.0 as usize].parent, this_ty: Some(this), ..BodyCx::default() };
            let outer = std::mem::replace(&mut self.cx, cx);
            for (i, b) in s.bases.iter().enumerate() {
                if let Some(base) = self.base_field(id).filter(|_| i == 0) {
                    self.check_open(base.ty, b.span);
                    continue;
                }
                for bound in self.resolve_bounds(b) {
                    self.check_sealed(bound, b.span);
                    self.add_conformance(gens, this, bound, b.span);
                }
            }
            self.cx = outer;
        }
        self.structs[id.0 as usize].bases = State::Done;
    }

    pub(crate) fn conforms(&mut self, ty: Ty, i: InterfaceRef) -> bool {
        self.find_conformance(ty, i).is_some()
    }

    /// How `ty` conforms to `i`, if it does.
    pub(crate) fn find_conformance(&mut self, ty: Ty, i: InterfaceRef) -> Option<Found> {
        if let TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } | TyKind::Interface(_) = ty.kind()
            && self.facts_of(ty).interfaces.contains(&i)
        {
            return Some(Found::Known);
        }
        if matches!(ty.kind(), TyKind::Enum(_)) && self.enum_interface == Some(i.id) {
            return Some(Found::Declared);
        }
        match ty.kind() {
            TyKind::Struct(id) => self.ensure_bases(*id),
            TyKind::Enum(id) => self.ensure_enum(*id),
            _ => {}
        }
        self.ensure_extensions();
        let head = self.head(ty);
        let mut list = self.by_head.get(&head).cloned().unwrap_or_default();
        if head != Head::Any {
            list.extend(self.by_head.get(&Head::Any).into_iter().flatten());
        }
        if self.search_depth > generics::MAX_INSTANCE_DEPTH {
            return None;
        }
        self.search_depth += 1;
        let found = list.into_iter().find_map(|c| self.conformance_applies(c, ty, i));
        let stronger = if found.is_some() { Vec::new() } else { self.stronger_callables(i) };
        let met = stronger.into_iter().find_map(|s| self.find_conformance(ty, s));
        self.search_depth -= 1;
        found.map(|_| Found::Declared).or(met)
    }

    /// The interfaces of callables, with the same arguments, that promise more than this one: a
    /// callable that changes nothing or has derivatives can be used where these are not required.
    fn stronger_callables(&self, i: InterfaceRef) -> Vec<InterfaceRef> {
        const MEETS: &[(&str, &[&str])] = &[
            ("IMutatingFunc", &["IFunc", "IDifferentiableMutatingFunc"]),
            ("IFunc", &["IDifferentiableFunc"]),
            ("IDifferentiableMutatingFunc", &["IDifferentiableFunc"]),
        ];
        let root = &self.namespaces[ROOT.0 as usize].names;
        let named = |name: &str| match root.get(&Name::new(name)).and_then(|e| e.first()) {
            Some(Entry::Interface(id)) => Some(*id),
            _ => None,
        };
        let name = self.interfaces[i.id.0 as usize].name;
        let Some((_, stronger)) = MEETS.iter().find(|(weaker, _)| name == **weaker && named(weaker) == Some(i.id))
        else {
            return Vec::new();
        };
        stronger.iter().filter_map(|s| named(s)).map(|id| InterfaceRef { id, args: i.args }).collect()
    }

    /// The arguments with which a type conforms to an interface.
    pub(crate) fn conformances_to(&mut self, ty: Ty, id: types::InterfaceId) -> Vec<InterfaceRef> {
        let mut out: Vec<InterfaceRef> = Vec::new();
        if let TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } | TyKind::Interface(_) = ty.kind() {
            out.extend(self.facts_of(ty).interfaces.iter().filter(|i| i.id == id));
        }
        if let TyKind::Struct(id) = ty.kind() {
            self.ensure_bases(*id);
        }
        self.ensure_extensions();
        let head = self.head(ty);
        for c in self.by_head.get(&head).cloned().unwrap_or_default() {
            let c = self.conformances[c as usize].clone();
            let mut slots = self.slots(self.all_params(c.gens));
            if c.interface.id == id
                && self.unify(c.ty, ty, &mut slots, false)
                && let Some(s) = slots.complete()
                && self.subst(c.ty, &s) == ty
            {
                let found = self.subst_ref(c.interface, &s);
                if !out.contains(&found) {
                    out.push(found);
                }
            }
        }
        out
    }

    fn conformance_applies(&mut self, c: u32, ty: Ty, i: InterfaceRef) -> Option<Subst> {
        let c = self.conformances[c as usize].clone();
        if c.interface.id != i.id {
            return None;
        }
        let mut slots = self.slots(self.all_params(c.gens));
        if !self.unify(c.ty, ty, &mut slots, false) {
            return None;
        }
        for (a, b) in c.interface.args.iter().zip(i.args.iter()) {
            if !self.unify_args(*a, *b, &mut slots, false) {
                return None;
            }
        }
        let s = slots.complete()?;
        if self.subst(c.ty, &s) != ty || self.subst_ref(c.interface, &s) != i {
            return None;
        }
        let mut at = c.gens;
        while let Some(g) = at {
            if self.broken_constraint(Some(g), &s).is_some() {
                return None;
            }
            at = self.generics[g.0 as usize].outer;
        }
        Some(s)
    }

    /// The type that `ty` provides for an associated type of `i`.
    pub(crate) fn assoc_of(&mut self, ty: Ty, i: InterfaceRef, name: Name) -> Option<Ty> {
        match self.find_conformance(ty, i)? {
            Found::Known => None,
            Found::Declared => {
                if let (TyKind::Enum(id), true) = (ty.kind(), self.enum_interface == Some(i.id)) {
                    return Some(self.enum_base(*id));
                }
                let mut found = self.own_members(ty, name);
                if found.len() > 1 {
                    self.keep_of_conformance(&mut found, ty, i);
                }
                let ident = ast::Ident { name, span: Span::default() };
                found.into_iter().find_map(|m| self.member_type(&m, ident, None))
            }
        }
    }

    /// Keeps, of several members with one name, those of extensions that declare this conformance,
    /// if there are any.
    fn keep_of_conformance(&mut self, found: &mut Vec<Member>, ty: Ty, i: InterfaceRef) {
        let all = self.by_head.get(&self.head(ty)).cloned().unwrap_or_default();
        let mut spans: Vec<Span> = Vec::new();
        for c in all {
            if self.conformances[c as usize].interface.id == i.id && self.conformance_applies(c, ty, i).is_some() {
                spans.push(self.conformances[c as usize].span);
            }
        }
        let says = |c: &Self, m: &Member| match m.entry {
            Entry::Alias(a) => match c.owner_of(c.aliases[a.0 as usize].ns) {
                Some(Owner::Extension(e)) => {
                    let around = c.extension_span(e);
                    spans.iter().any(|s| around.lo <= s.lo && s.hi <= around.hi)
                }
                _ => false,
            },
            _ => false,
        };
        if found.iter().any(|m| says(self, m)) {
            found.retain(|m| says(self, m));
        }
    }

    /// The function that `ty` provides for a required one: a member with its signature, or else the
    /// requirement's own body. The generic arguments of the requirement stand for themselves.
    pub(crate) fn provided(&mut self, ty: Ty, i: InterfaceRef, required: FuncId) -> Option<FuncRef> {
        self.ensure_signature(required);
        let mut s = self.interface_subst(i, ty);
        let info = &self.funcs[required.0 as usize];
        let (name, is_static, params, ret) = (info.name, info.this.is_none(), info.params.clone(), info.ret);
        let (own, has_body, gens) = (self.own_of(required), info.has_body, info.gens);
        self.set_equal(&own, &mut s);
        let want: Vec<(Ty, Dir)> = params.iter().map(|p| (self.subst(p.ty, &s), p.dir)).collect();
        let want = self.apart(want);
        let want_ret = self.subst(ret, &s);
        let equal = s.clone();
        for m in self.own_members(ty, name) {
            let Entry::Func(f) = m.entry else { continue };
            if f == required {
                continue;
            }
            self.ensure_signature(f);
            let found = &self.funcs[f.0 as usize];
            // A static method can provide a requirement with an object, which it ignores.
            let ignores_object = found.this.is_none() && !is_static;
            if is_static && found.this.is_some() {
                continue;
            }
            let want = &want[usize::from(ignores_object)..];
            let (params, ret, found_gens) = (found.params.clone(), found.ret, found.gens);
            let theirs = self.own_of(f);
            if theirs.len() != own.len() {
                continue;
            }
            let mut s = m.subst.clone();
            for (p, q) in theirs.iter().zip(&own) {
                s.set(*p, equal.get(*q).unwrap_or_else(|| self.param_arg(*q)));
            }
            // It must not require more of generic arguments than the requirement does.
            let same_kinds = theirs.iter().zip(&own).all(|(p, q)| self.takes_value(*p) == self.takes_value(*q));
            if !same_kinds || !own.is_empty() && self.broken_constraint(found_gens, &s).is_some() {
                continue;
            }
            let have: Vec<(Ty, Dir)> = params.iter().map(|p| (self.subst(p.ty, &s), p.dir)).collect();
            let have = self.apart(have);
            let methods = usize::from(!is_static && !ignores_object);
            let same = have.len() == want.len()
                && have.iter().zip(want).enumerate().all(|(i, ((ty, dir), (wanted, wanted_dir)))| {
                    let fits = dir == wanted_dir || (i < methods && *wanted_dir == Dir::InOut);
                    fits && ty == wanted
                });
            if same && self.subst(ret, &s) == want_ret {
                let args = self.args_of(found_gens, &s);
                return Some(FuncRef { func: f, args });
            }
        }
        if let Some(f) = self.field_accessor(ty, required) {
            self.ensure_signature(f);
            let found = &self.funcs[f.0 as usize];
            let (gens, field) = (found.gens, found.params.last().map_or(found.ret, |p| p.ty));
            let field = if found.ret.is_void() { field } else { found.ret };
            let s = ty.as_struct().map(|id| self.struct_subst(id)).unwrap_or_default();
            let wanted = if want_ret.is_void() { want.last().map_or(want_ret, |w| w.0) } else { want_ret };
            if self.subst(field, &s) == wanted {
                self.need_body(f);
                let args = self.args_of(gens, &s);
                return Some(FuncRef { func: f, args });
            }
        }
        if has_body {
            let near = self.nearly(ty, required, &want, want_ret);
            return near.or_else(|| Some(FuncRef { func: required, args: self.args_of(gens, &s) }));
        }
        self.compatible(ty, required, &want, want_ret)
    }

    /// A function that takes an object, ignores it, and calls `f`, which takes none.
    pub(crate) fn ignoring_object(&mut self, f: FuncId, object: Ty, dir: Dir, span: Span) -> FuncId {
        if let Some(known) = self.wrappers.get(&(object, f)) {
            return *known;
        }
        let have = self.funcs[f.0 as usize].clone();
        let this = Param { dir, ..Param::plain("this", object, span) };
        let params = std::iter::once(this).chain(have.params).collect();
        let made = self.new_synthesized(have.name, params, have.ret, span);
        self.wrappers.insert((object, f), made);
        let mut body = Body::default();
        let args = self.param_locals(made, &mut body).split_off(1);
        let call = ExprKind::Call { func: FuncRef { func: f, args: Args::none() }, args };
        let call = Expr { ty: have.ret, span, kind: call };
        let kind = if have.ret.is_void() { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
        body.stmts.push(Stmt { span, kind });
        self.need_body(f);
        let info = &mut self.funcs[made.0 as usize];
        info.this = Some(dir);
        info.attrs.differentiable = have.attrs.differentiable;
        info.attrs.forward_only = have.attrs.forward_only;
        (info.body, info.state) = (Some(Rc::new(body)), State::Done);
        made
    }

    /// The function that callers of a requirement call where a type provides `called`. This is
    /// `called` itself, unless the two differ in which parameters and result have derivatives: then
    /// the requirement decides, and a `T` that is not known to be differentiable has no derivative.
    pub(crate) fn as_required(&mut self, required: FuncId, called: FuncId, derivative: bool, span: Span) -> FuncId {
        if let Some(known) = self.adapters.get(&(called, required, derivative)) {
            return *known;
        }
        let (asked, have) = (self.funcs[required.0 as usize].clone(), self.funcs[called.0 as usize].clone());
        if !have.is_differentiable() || asked.params.len() != have.params.len() {
            return called;
        }
        let mut params = have.params.clone();
        for (p, q) in params.iter_mut().zip(&asked.params) {
            // Without derivatives, the caller's value of type `T` has none already.
            p.no_diff = q.no_diff || if derivative { self.is_inactive_to_all(q.ty) } else { p.no_diff };
        }
        let ret_no_diff =
            asked.ret_no_diff || if derivative { self.is_inactive_to_all(asked.ret) } else { have.ret_no_diff };
        let differ = |c: &mut Self, ty: Ty, a: bool, b: bool| a != b && c.is_differentiable_type(ty);
        let parts = params.iter().zip(&have.params).map(|(p, q)| (p.ty, p.no_diff, q.no_diff));
        let all: Vec<_> = parts.chain([(have.ret, ret_no_diff, have.ret_no_diff)]).collect();
        if !all.into_iter().any(|(ty, a, b)| differ(self, ty, a, b)) {
            return called;
        }
        let made = self.new_synthesized(have.name, params, have.ret, span);
        self.adapters.insert((called, required, derivative), made);
        let body = self.passing(made, called, 0, span);
        let info = &mut self.funcs[made.0 as usize];
        (info.this, info.ret_no_diff) = (have.this, ret_no_diff);
        info.attrs.differentiable = true;
        info.attrs.forward_only = have.attrs.forward_only;
        (info.body, info.state) = (Some(Rc::new(body)), State::Done);
        made
    }

    /// The generic parameters that the function itself declares.
    pub(crate) fn own_of(&self, f: FuncId) -> Vec<types::ParamId> {
        let info = &self.funcs[f.0 as usize];
        match info.gens {
            Some(g) if info.declares_generics => self.generics[g.0 as usize].params.clone(),
            _ => Vec::new(),
        }
    }

    /// The arguments that `s` gives to all generic parameters in force.
    pub(crate) fn args_of(&mut self, gens: Option<GenId>, s: &Subst) -> Args {
        let params = self.all_params(gens);
        Args::new(params.into_iter().map(|p| s.get(p).unwrap_or_else(|| self.param_arg(p))).collect())
    }

    /// Checks that every conformance provides what its interface requires.
    pub(crate) fn check_conformances(&mut self) {
        let mut next = 0;
        while next < self.conformances.len() {
            let c = self.conformances[next].clone();
            next += 1;
            self.check_conformance(&c);
        }
        for i in 0..self.funcs.len() {
            let info = &self.funcs[i];
            let decl = info.decl.clone();
            if info.instance_of.is_some()
                || info.is_prelude
                || !decl.mods.has("override")
                || !matches!(info.owner, Some(Owner::Struct(_) | Owner::Enum(_) | Owner::Interface(_)) | None)
                || self.overriding.contains(&FuncId(i as u32))
            {
                continue;
            }
            let (name, at) = (info.name, decl.name().map_or(decl.span, |n| n.span));
            self.error(codes::E0245, at, format!("`{name}` overrides nothing"))
                .notes
                .push("`override` marks what replaces the default implementation of an interface".to_string());
        }
    }

    fn check_conformance(&mut self, c: &Conformance) {
        self.check_dynamic_conformance(c);
        let ns = self.interfaces[c.interface.id.0 as usize].ns;
        let mut required: Vec<(Name, Entry)> = Vec::new();
        for (name, entries) in &self.namespaces[ns.0 as usize].names {
            required.extend(entries.iter().map(|e| (*name, *e)));
        }
        required.sort_by_key(|(n, e)| (self.entry_span(*e).map_or(0, |s| s.lo), n.to_string()));
        for (name, entry) in required {
            if let Entry::Func(f) = entry {
                self.note_overrides(c, name, f);
            }
            let missing = match entry {
                Entry::Func(f) => match self.provided(c.ty, c.interface, f) {
                    Some(found) => {
                        self.require_override(c.ty, c.interface, f, found.func);
                        self.require_derivative(c.ty, c.interface, f, found.func);
                        false
                    }
                    None => true,
                },
                Entry::Assoc(_) => {
                    let Some(found) = self.assoc_of(c.ty, c.interface, name) else {
                        self.missing(c, name, entry);
                        continue;
                    };
                    let bounds = self.assoc_bounds(c.ty, c.interface, name).into_iter().map(|b| (found, b));
                    let mut asked: Vec<(Ty, Bound)> = bounds.collect();
                    asked.extend(self.assoc_clauses(c.ty, c.interface, name, found));
                    for (about, b) in asked {
                        if !self.satisfies(about, b) && !self.may_have_any_member(about) {
                            let (shown, bound) = (self.show(about), self.show_bound(b));
                            let at = self.entry_span(entry).map(|s| self.loc(s));
                            let part = if about == found { "" } else { "a member of " };
                            let text = match b {
                                Bound::Equals(_) => format!("{part}`{name}` is `{shown}`, and not `{bound}`"),
                                _ => format!("{part}`{name}`, which is `{shown}`, does not conform to `{bound}`"),
                            };
                            let declare = match b {
                                Bound::Differentiable => self.struct_to_declare(about),
                                _ => None,
                            };
                            if declare.is_some() {
                                self.noted.undifferentiable.insert(about);
                            }
                            let d = self.error(codes::E0233, c.span, text);
                            d.notes.extend(declare.map(|name| format!("declare `struct {name} : IDifferentiable`")));
                            if let Some(at) = at {
                                d.labels.push((at, "required here".to_string()));
                            }
                        }
                    }
                    false
                }
                Entry::Const(k) if self.consts[k.0 as usize].is_requirement() => self.lacks_constant(c, name, k),
                _ => false,
            };
            if missing && !self.lacks_its_types(c, entry) {
                self.missing(c, name, entry);
            }
        }
    }

    /// Whether a requirement names an associated type that nothing provides, which is the mistake.
    fn lacks_its_types(&mut self, c: &Conformance, required: Entry) -> bool {
        let Entry::Func(f) = required else { return false };
        let s = self.interface_subst(c.interface, c.ty);
        let info = &self.funcs[f.0 as usize];
        let types: Vec<Ty> = info.params.iter().map(|p| p.ty).chain([info.ret]).collect();
        types.into_iter().any(|ty| {
            let ty = self.subst(ty, &s);
            self.names_part_of(ty, c.ty)
        })
    }

    /// Whether a type names an associated type of `of` that is not known, or something refused.
    fn names_part_of(&self, ty: Ty, of: Ty) -> bool {
        let in_args = |args: Args| args.iter().any(|a| matches!(a, GArg::Ty(t) if self.names_part_of(*t, of)));
        match *ty.kind() {
            TyKind::Error => true,
            TyKind::Assoc { base, .. } => base == of || self.names_part_of(base, of),
            TyKind::Array(t, _)
            | TyKind::ArrayOf(t, _)
            | TyKind::VectorOf(t, _)
            | TyKind::MatrixOf(t, ..)
            | TyKind::Pair(t)
            | TyKind::Uniform(t, _) => self.names_part_of(t, of),
            TyKind::Buffer { elem, .. } => self.names_part_of(elem, of),
            TyKind::Struct(id) => self.structs[id.0 as usize].instance_of.is_some_and(|(_, args)| in_args(args)),
            TyKind::Interface(i) => in_args(i.args),
            _ => false,
        }
    }

    /// Notes what says `override` and has the name and the number of parameters of a requirement.
    /// As in slangc, it can take other types where nothing else of that name is there.
    fn note_overrides(&mut self, c: &Conformance, name: Name, required: FuncId) {
        let count = self.funcs[required.0 as usize].params.len();
        let found: Vec<FuncId> = self.own_members(c.ty, name).iter().filter_map(|m| m.as_func()).collect();
        let says = |f: &FuncId| self.funcs[f.0 as usize].decl.mods.has("override");
        if found.iter().filter(|f| **f != required).all(says) {
            let fits = found.into_iter().filter(|f| self.funcs[f.0 as usize].params.len() == count);
            self.overriding.extend(fits);
        }
    }

    /// Reports a member that replaces a default implementation without `override`.
    fn require_override(&mut self, ty: Ty, i: InterfaceRef, required: FuncId, found: FuncId) {
        let found = self.wrapped.get(&found).copied().unwrap_or(found);
        let decl = self.funcs[found.0 as usize].decl.clone();
        if found != required && decl.mods.has("override") {
            self.overriding.insert(found);
        }
        if found == required || !self.funcs[required.0 as usize].has_body || decl.mods.has("override") {
            return;
        }
        // A conformance to a base interface is declared once for each interface that inherits from
        // it.
        let at = decl.name().map_or(decl.span, |n| n.span);
        let (name, shown, interface) = (self.funcs[required.0 as usize].name, self.show(ty), self.show_ref(i));
        let default = self.entry_span(Entry::Func(required)).map(|s| self.loc(s));
        let text = format!("`{shown}.{name}` replaces the default implementation of `{interface}` without saying so");
        let d = self.error(codes::E0245, at, text);
        d.notes.push("write `override`".to_string());
        if let Some(default) = default {
            d.labels.push((default, "the default implementation".to_string()));
        }
    }

    /// Checks that the function that provides a differentiable requirement has the derivatives of
    /// the requirement.
    fn require_derivative(&mut self, ty: Ty, i: InterfaceRef, required: FuncId, found: FuncId) {
        let (want, have) = (&self.funcs[required.0 as usize].attrs, &self.funcs[found.0 as usize]);
        let backward = want.differentiable && !want.forward_only;
        let lacks = !have.is_differentiable() || backward && have.attrs.forward_only;
        if found == required || !want.differentiable || !lacks {
            return;
        }
        let at = have.decl.name().map_or(have.decl.span, |n| n.span);
        let name = have.name;
        let (shown, interface) = (self.show(ty), self.show_ref(i));
        let place = self.entry_span(Entry::Func(required)).map(|s| self.loc(s));
        let text = format!("`{shown}.{name}` is not differentiable as `{interface}` requires");
        let d = self.error(codes::E0312, at, text);
        d.notes.push("mark it `[Differentiable]`".to_string());
        if let Some(place) = place {
            d.labels.push((place, "required here".to_string()));
        }
    }

    /// Reports a requirement that nothing provides. If exactly one member has its name but does not
    /// fit, the error points there, since that is where it can be corrected.
    fn missing(&mut self, c: &Conformance, name: Name, entry: Entry) {
        // An accessor is reported with its property.
        let whole = Name::new(name.split('.').next().unwrap_or(&name));
        if self.is_broken(whole) {
            return;
        }
        let (ty, interface) = (self.show(c.ty), self.show_ref(c.interface));
        let at = self.entry_span(entry).map(|s| self.loc(s));
        let mut near = self.own_members(c.ty, whole);
        near.retain(|m| !matches!(m.entry, Entry::Func(f) if self.funcs[f.0 as usize].is_prelude));
        let differs = match near.as_slice() {
            [m] => self.what_differs(c, entry, m.clone()),
            _ => None,
        };
        let mut near: Vec<Span> = near.into_iter().filter_map(|m| self.entry_span(m.entry)).collect();
        // A field is none of the members that are found by name.
        let field = match (entry, c.ty.as_struct()) {
            (Entry::Const(_), Some(id)) => self.fields(id).iter().find(|f| f.name == name).map(|f| f.span),
            _ => None,
        };
        let differs = differs.or_else(|| field.map(|_| "this is a field, and not `static const`".to_string()));
        near.extend(field);
        let what = match properties::accessor_of(&name) {
            Some((of, accessor)) if of == properties::SUBSCRIPT => format!("the `{accessor}` of a subscript"),
            Some((of, accessor)) => format!("the `{accessor}` of `{of}`"),
            None if name == *properties::SUBSCRIPT => "a subscript".to_string(),
            None => format!("`{name}`"),
        };
        let text = format!("`{ty}` does not provide {what}, which `{interface}` requires");
        let conforms = self.loc(c.span);
        let labels: Vec<Loc> = near.iter().map(|s| self.loc(*s)).collect();
        let similar = match near.as_slice() {
            [] => Self::similar(whole, &self.names_of_type(c.ty)),
            _ => None,
        };
        let lone = <[Span; 1]>::try_from(near).ok();
        let d = self.error(codes::E0233, lone.map_or(c.span, |[span]| span), text);
        if let Some(at) = at {
            d.labels.push((at, "required here".to_string()));
        }
        if lone.is_some() {
            d.notes.push(differs.unwrap_or("what has this name here does not match".to_string()));
            d.labels.push((conforms, "because of this conformance".to_string()));
        } else {
            d.labels.extend(labels.into_iter().map(|n| (n, "this one does not match".to_string())));
            d.notes.extend(similar);
        }
    }

    /// The function that provides a requirement, once the conforming type is known.
    pub(crate) fn resolve_requirement(&mut self, f: FuncRef) -> Option<FuncRef> {
        let info = &self.funcs[f.func.0 as usize];
        // An instance of a default implementation is final.
        let (Some(Owner::Interface(id)), true) = (info.owner, info.gens.is_some()) else { return Some(f) };
        let params = self.interface_params(id);
        let n = params.len();
        let (outer, own) = f.args.split_at(n.min(f.args.len()));
        let (GArg::Ty(this), interface_args) = outer.split_last()? else { return None };
        let i = InterfaceRef { id, args: Args::new(interface_args.to_vec()) };
        let found = self.provided(*this, i, f.func)?;
        // The requirement's own parameters stand for the arguments of this call.
        let s = Subst::new(&self.own_of(f.func), own);
        Some(FuncRef { func: found.func, args: self.subst_args(found.args, &s) })
    }

    /// The type of the object that a requirement is called on, once the conforming type is known.
    pub(crate) fn object_type(&mut self, f: FuncRef) -> Option<Ty> {
        let info = &self.funcs[f.func.0 as usize];
        let (this, gens) = (info.params.first()?.ty, info.gens);
        let s = Subst::new(&self.all_params(gens), &f.args);
        Some(self.subst(this, &s))
    }

    /// The members of a type itself: those that it declares and those of extensions.
    pub(crate) fn own_members(&mut self, ty: Ty, name: Name) -> Vec<Member> {
        self.members_of(ty, name, false)
    }
}
