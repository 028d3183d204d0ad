//! Generic parameters, their bounds, and substitution.
//!
//! A generic declaration is resolved and checked once, in terms of its own parameters. A use of it
//! names the declaration and the arguments, and its types follow by substitution. Different
//! declarations have different parameters, so one table holds the facts about all parameters of the
//! program.

use super::bounds::Bound;
use super::types::{Args, GArg, InterfaceRef, ParamId, TyKind, Val, ValKind};
use super::*;
use caustic_ir::codes;

/// The generic parameters of one declaration; those of the declarations around it come before them.
pub struct Generics {
    pub outer: Option<GenId>,
    pub params: Vec<ParamId>,
    /// The namespace in which the parameters are declared and the bounds are resolved.
    ns: NsId,
    written: Rc<Written>,
    /// The constraints, in the order in which they are written.
    pub constraints: Vec<Constraint>,
    state: State,
}

/// Parameters and `where` clauses as written.
struct Written {
    params: Vec<ast::GenericParam>,
    wheres: Vec<ast::Constraint>,
}

#[derive(Clone, Debug)]
pub struct Constraint {
    pub ty: Ty,
    pub bound: Bound,
    pub span: Span,
}

pub struct ParamInfo {
    pub name: Name,
    pub span: Span,
    /// The type of a value parameter.
    pub value: Option<Ty>,
    /// That type as written, with its namespace, until it is resolved: the names of enums are not
    /// known from the start.
    written: Option<(ast::Expr, NsId)>,
    default: Option<ast::Expr>,
    /// Whether it is `each T`, which stands for a list of types.
    pub variadic: bool,
    /// Whether the compiler adds it, so that no argument is written for it.
    pub added: bool,
    /// Whether it is the layout of a matrix type. The types of values have no layout, so arguments
    /// do not determine it.
    pub layout: bool,
}

/// The arguments of generic parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subst {
    args: SmallVec<[(ParamId, GArg); 4]>,
    /// The index of the list element that `each` stands for.
    pub element: Option<u32>,
}

impl Subst {
    pub fn new(params: &[ParamId], args: &[GArg]) -> Subst {
        Subst { args: params.iter().copied().zip(args.iter().copied()).collect(), element: None }
    }
    pub fn is_empty(&self) -> bool {
        self.args.is_empty() && self.element.is_none()
    }
    pub fn with_element(&self, i: usize) -> Subst {
        Subst { element: Some(i as u32), ..self.clone() }
    }
    pub fn without_element(&self) -> Subst {
        Subst { element: None, ..self.clone() }
    }
    pub fn get(&self, p: ParamId) -> Option<GArg> {
        self.args.iter().find(|(q, _)| *q == p).map(|(_, a)| *a)
    }
    pub fn set(&mut self, p: ParamId, a: GArg) {
        match self.args.iter_mut().find(|(q, _)| *q == p) {
            Some(slot) => slot.1 = a,
            None => self.args.push((p, a)),
        }
    }
}

/// The deepest nesting of instances. A program beyond that has a generic that needs itself with
/// ever new arguments.
pub(crate) const MAX_INSTANCE_DEPTH: u32 = 64;

/// The first name of a path.
fn root_of(e: &ast::Expr) -> Option<Name> {
    match &e.kind {
        ast::ExprKind::Name { name, .. } => Some(name.name),
        ast::ExprKind::Member { base, .. } => root_of(base),
        _ => None,
    }
}

impl Checker<'_> {
    /// Reports a generic declaration whose instances nest too deeply.
    pub(crate) fn too_many_instances(&mut self, name: Name, span: Span) {
        let text = format!("instances of `{name}` nest deeper than {MAX_INSTANCE_DEPTH} levels");
        let note = "either it needs itself with ever new arguments, or its arguments have too many levels";
        self.error(codes::E0231, span, text).notes.push(note.to_string());
    }

    /// Declares the generic parameters of a declaration in a namespace of their own, and returns
    /// it; returns `ns` if there are none.
    pub(crate) fn declare_generics(
        &mut self,
        params: &[ast::GenericParam],
        wheres: &[ast::Constraint],
        ns: NsId,
    ) -> NsId {
        if params.is_empty() && wheres.is_empty() {
            return ns;
        }
        let outer = self.namespaces[ns.0 as usize].gens;
        let scope = self.scope_namespace(ns);
        let id = GenId(self.generics.len() as u32);
        let mut ids = Vec::with_capacity(params.len());
        for (k, p) in params.iter().enumerate() {
            if !p.variadic
                && let Some(pack) = params[..k].iter().find(|q| q.variadic)
            {
                let text = format!("`{}` stands after the pack `{}`", p.name.name, pack.name.name);
                self.error(codes::E0265, p.name.span, text).notes.push("packs are the last parameters".to_string());
            }
            if p.is_value && p.bounds.is_empty() && p.default.is_none() && !p.variadic && !self.loading_prelude {
                let text = format!("the generic parameter `{}` has no type", p.name.name);
                self.error(codes::E0202, p.name.span, text)
                    .notes
                    .push(format!("`let {} : int` is a number; without `let` it is a type", p.name.name));
            }
            let value = p.is_value.then(|| match p.bounds.first() {
                // Declared types are not known yet, so a value parameter has a builtin type or the
                // integers of an enum.
                Some(ast::Expr { kind: ast::ExprKind::Name { name, args: None }, .. }) => {
                    types::builtin_type(&name.name).filter(|t| t.as_scalar().is_some()).unwrap_or(Ty::int())
                }
                _ => Ty::int(),
            });
            let twice = params[..k].iter().any(|q| q.name.name == p.name.name);
            // What cannot be inferred is no other mistake.
            let default = match twice {
                true => Some(ast::Expr { span: p.name.span, kind: ast::ExprKind::Name { name: p.name, args: None } }),
                false => p.default.clone(),
            };
            let pid = self.new_param(p.name.name, p.name.span, value, default);
            if let (true, Some(written)) = (p.is_value, p.bounds.first()) {
                // A type parameter beside it is no type of values, and is named to be refused.
                let of_types = |root: Name| params.iter().any(|q| !q.is_value && q.name.name == root);
                let at = if root_of(written).is_some_and(of_types) { scope } else { ns };
                self.params[pid.0 as usize].written = Some((written.clone(), at));
            }
            (self.params[pid.0 as usize].variadic, self.params[pid.0 as usize].added) = (p.variadic, p.added);
            let entry = match value {
                Some(ty) if !p.variadic => Entry::BoundVal(Val::new(ValKind::Param(pid)), ty),
                _ => Entry::Bound(Ty::new(TyKind::Param(pid))),
            };
            match twice {
                true => {
                    let text = format!("there are two parameters `{}`", p.name.name);
                    self.error(codes::E0205, p.name.span, text);
                }
                false => self.define(scope, p.name.name, entry),
            }
            ids.push(pid);
        }
        let written = Rc::new(Written { params: params.to_vec(), wheres: wheres.to_vec() });
        self.generics.push(Generics {
            outer,
            params: ids,
            ns: scope,
            written,
            constraints: Vec::new(),
            state: State::New,
        });
        self.namespaces[scope.0 as usize].gens = Some(id);
        scope
    }

    pub(crate) fn new_param(
        &mut self,
        name: Name,
        span: Span,
        value: Option<Ty>,
        default: Option<ast::Expr>,
    ) -> ParamId {
        self.params.push(ParamInfo {
            name,
            span,
            value,
            written: None,
            default,
            variadic: false,
            added: false,
            layout: false,
        });
        ParamId(self.params.len() as u32 - 1)
    }

    /// The type of a value parameter.
    pub(crate) fn value_param_type(&mut self, p: ParamId) -> Ty {
        if let Some((written, ns)) = self.params[p.0 as usize].written.take() {
            let outer = std::mem::replace(&mut self.cx, BodyCx { ns: Some(ns), ..BodyCx::default() });
            let ty = self.resolve_type(&written);
            self.cx = outer;
            let is_number = matches!(ty.kind(), TyKind::Scalar(_) | TyKind::Enum(_));
            if is_number && self.scalar_of(ty).is_some_and(|s| !s.is_float()) {
                self.params[p.0 as usize].value = Some(ty);
            } else if !ty.is_error() {
                let shown = self.show(ty);
                self.error(
                    codes::E0208,
                    written.span,
                    format!("a generic parameter cannot be a value of type `{shown}`"),
                )
                .notes
                .push("values of generic parameters are integers, bools or cases of enums".to_string());
            }
        }
        self.params[p.0 as usize].value.unwrap_or(Ty::int())
    }

    /// Makes a declaration generic by a parameter that the compiler adds (`This` of an interface).
    pub(crate) fn implicit_generics(&mut self, ns: NsId, param: ParamId) {
        let outer = self.namespaces[ns.0 as usize].gens;
        let written = Rc::new(Written { params: Vec::new(), wheres: Vec::new() });
        let id = GenId(self.generics.len() as u32);
        let info = Generics { outer, params: vec![param], ns, written, constraints: Vec::new(), state: State::Done };
        self.generics.push(info);
        self.namespaces[ns.0 as usize].gens = Some(id);
    }

    /// All parameters in force inside of a declaration, the outermost first.
    pub(crate) fn all_params(&self, gens: Option<GenId>) -> Vec<ParamId> {
        let mut levels = Vec::new();
        let mut at = gens;
        while let Some(g) = at {
            levels.push(g);
            at = self.generics[g.0 as usize].outer;
        }
        levels.iter().rev().flat_map(|g| self.generics[g.0 as usize].params.iter().copied()).collect()
    }

    pub(crate) fn own_params(&self, gens: Option<GenId>) -> &[ParamId] {
        gens.map_or(&[], |g| &self.generics[g.0 as usize].params)
    }

    /// The parameters as their own arguments.
    pub(crate) fn identity_args(&self, gens: Option<GenId>) -> Vec<GArg> {
        self.all_params(gens).into_iter().map(|p| self.param_arg(p)).collect()
    }

    pub(crate) fn param_arg(&self, p: ParamId) -> GArg {
        match self.takes_value(p) {
            true => GArg::Val(Val::new(ValKind::Param(p))),
            false => GArg::Ty(Ty::new(TyKind::Param(p))),
        }
    }

    /// Whether a parameter stands for one value. Lists of values are passed like lists of types.
    pub(crate) fn takes_value(&self, p: ParamId) -> bool {
        let info = &self.params[p.0 as usize];
        info.value.is_some() && !info.variadic
    }

    /// Whether a type is a generic parameter of a declaration around the one that has the
    /// parameters `own`.
    fn is_outer_param(&self, ty: Ty, own: &[ParamId]) -> bool {
        matches!(ty.kind(), TyKind::Param(p) if !own.contains(p)) && !self.loading_prelude
    }

    fn clause_about_outer(&mut self, ty: Ty, span: Span) {
        let name = self.show(ty);
        self.error(codes::E0284, span, format!("this clause is about `{name}`, a parameter of what is around"))
            .notes
            .push("members that need more than their type says are written in a generic extension of it".to_string());
    }

    /// Resolves the bounds of a declaration's parameters, once, and records them.
    pub(crate) fn ensure_generics(&mut self, g: GenId) {
        if let Some(outer) = self.generics[g.0 as usize].outer {
            self.ensure_generics(outer);
        }
        let info = &mut self.generics[g.0 as usize];
        if info.state != State::New {
            return;
        }
        info.state = State::Busy;
        let (written, ns, ids) = (info.written.clone(), info.ns, info.params.clone());
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let mut constraints = Vec::new();
        for (p, id) in written.params.iter().zip(&ids) {
            if p.is_value {
                self.value_param_type(*id);
                continue;
            }
            let ty = self.element_of(Ty::new(TyKind::Param(*id)));
            for b in &p.bounds {
                for bound in self.resolve_bounds(b) {
                    // Later constraints may need this one (`T : I, U : J<T>`,
                    // `where T : I where T.A : J`).
                    self.assume(ty, bound);
                    constraints.push(Constraint { ty, bound, span: b.span });
                }
            }
        }
        for w in &written.wheres {
            let first = constraints.len();
            if written.params.is_empty() && !self.loading_prelude {
                self.error(
                    codes::E0284,
                    w.span,
                    "a `where` clause belongs to generic parameters, and there are none here",
                )
                .notes
                .push(
                    "members that need more than their type says are written in a generic extension of it".to_string(),
                );
                continue;
            }
            self.clause_constraints(w, &ids, &mut constraints);
            self.check_subject(&constraints[first..], w);
            for c in &constraints[first..] {
                if !c.ty.is_error() {
                    self.assume(c.ty, c.bound);
                }
            }
        }
        for default in written.params.iter().filter_map(|p| p.default.as_ref()) {
            // A default argument is resolved even if it is not used, so that its errors are
            // reported.
            if !self.loading_prelude {
                self.generic_args(std::slice::from_ref(default));
            }
        }
        self.cx = outer;
        let info = &mut self.generics[g.0 as usize];
        info.constraints = constraints;
        info.state = State::Done;
    }

    /// Adds the constraints of a `where` clause. A clause that cannot stand here is reported and
    /// adds none.
    fn clause_constraints(&mut self, w: &ast::Constraint, ids: &[ParamId], out: &mut Vec<Constraint>) {
        match &w.kind {
            ast::ConstraintKind::Conforms { subject, bounds, optional } => {
                // A constraint on a pack holds for every element.
                let ty = self.resolve_type(subject);
                if self.is_outer_param(ty, ids) {
                    self.clause_about_outer(ty, subject.span);
                    return;
                }
                let ty = self.element_of(ty);
                for b in bounds {
                    // An optional constraint is only asked for by `T is I`.
                    for bound in self.resolve_bounds(b) {
                        if !*optional {
                            out.push(Constraint { ty, bound, span: b.span });
                        }
                    }
                }
            }
            ast::ConstraintKind::Equals(ty, other) => {
                let (ty, other) = (self.resolve_type(ty), self.resolve_type(other));
                if self.is_outer_param(ty, ids) && (!self.is_dependent(other) || self.is_outer_param(other, ids)) {
                    self.clause_about_outer(ty, w.span);
                    return;
                }
                let ty = self.element_of(ty);
                out.push(Constraint { ty, bound: Bound::Equals(other), span: w.span });
            }
            ast::ConstraintKind::Counts { pack, count } => {
                let name = ast::ExprKind::Name { name: *pack, args: None };
                let ty = self.resolve_type(&ast::Expr { span: pack.span, kind: name });
                let bound = match count {
                    Some(count) => self.const_val(count, "the number of elements").map(Bound::Counts),
                    None => Some(Bound::NonEmpty),
                };
                if let Some(bound) = bound {
                    out.push(Constraint { ty, bound, span: w.span });
                }
            }
            ast::ConstraintKind::Converts { to, from, implicit } => {
                let (ty, from) = (self.resolve_type(to), self.resolve_type(from));
                let bound = Bound::MadeFrom { from, implicit: *implicit };
                out.push(Constraint { ty, bound, span: w.span });
            }
        }
    }

    // ---- substitution ---------------------------------------------------------------------------

    pub(crate) fn subst(&mut self, ty: Ty, s: &Subst) -> Ty {
        if s.is_empty() {
            return ty;
        }
        match ty.kind() {
            TyKind::Param(p) => match s.get(*p) {
                Some(GArg::Ty(t)) => t.as_value(),
                _ => ty,
            },
            TyKind::Each(of) => self.subst_each(*of, s),
            TyKind::Expand(pattern, of) => self.subst_expand(*pattern, *of, s),
            TyKind::Part(of, part) => {
                let of = self.subst(*of, &s.without_element());
                self.part_of(of, *part)
            }
            TyKind::Pack(list) => {
                let list: Vec<GArg> = list.iter().map(|a| self.subst_arg(*a, s)).collect();
                self.make_list(list)
            }
            TyKind::Assoc { base, interface, name } => {
                let base = self.subst(*base, s);
                let interface = self.subst_ref(*interface, s);
                self.assoc(base, interface, *name)
            }
            TyKind::VectorOf(t, n) => {
                let (t, n) = (self.subst(*t, s), self.subst_val(*n, s));
                Ty::vector_of(t, n)
            }
            TyKind::MatrixOf(t, r, c) => {
                let (t, r, c) = (self.subst(*t, s), self.subst_val(*r, s), self.subst_val(*c, s));
                Ty::matrix_of(t, r, c)
            }
            TyKind::ArrayOf(t, n) => {
                let (t, n) = (self.subst(*t, s), self.subst_val(*n, s));
                Ty::array_of(t, n)
            }
            TyKind::Array(t, n) => Ty::array(self.subst(*t, s), *n),
            TyKind::Struct(id) => {
                let info = &self.structs[id.0 as usize];
                if let Some(of) = info.differential_of {
                    let of = self.subst(of, s);
                    return self.differential(of).unwrap_or(Ty::error());
                }
                match info.instance_of {
                    Some((base, args)) => {
                        let args = self.subst_args(args, s);
                        Ty::new(TyKind::Struct(self.struct_instance(base, args)))
                    }
                    None => ty,
                }
            }
            TyKind::Buffer { elem, write } => {
                Ty::new(TyKind::Buffer { elem: self.subst_in_memory(*elem, s), write: *write })
            }
            TyKind::Uniform(t, block) => Ty::new(TyKind::Uniform(self.subst_in_memory(*t, s), *block)),
            TyKind::Resource(r) => match r.elem() {
                Some(t) => Ty::new(TyKind::Resource(r.with_elem(self.subst_in_memory(t, s)))),
                None => ty,
            },
            TyKind::Pair(t) => Ty::pair(self.subst(*t, s)),
            TyKind::Interface(i) => Ty::new(TyKind::Interface(self.subst_ref(*i, s))),
            _ => ty,
        }
    }

    pub(crate) fn subst_val(&mut self, v: Val, s: &Subst) -> Val {
        match v.kind() {
            ValKind::Int(_) => v,
            ValKind::Param(p) => match s.get(*p) {
                Some(GArg::Val(v)) => v,
                _ => v,
            },
            ValKind::Each(p) => self.subst_each_value(*p, s),
            ValKind::Binary(op, a, b) => {
                let (a, b) = (self.subst_val(*a, s), self.subst_val(*b, s));
                Val::binary(*op, a, b)
            }
            ValKind::Choice(cond, a, b) => {
                let cond = self.subst_val(*cond, s);
                match cond.as_int() {
                    Some(0) => self.subst_val(*b, s),
                    Some(_) => self.subst_val(*a, s),
                    None => {
                        let (a, b) = (self.subst_val(*a, s), self.subst_val(*b, s));
                        Val::choice(cond, a, b)
                    }
                }
            }
            ValKind::SizeOf(t) | ValKind::AlignOf(t) | ValKind::CountOf(t) | ValKind::FloatOf(t) => {
                let t = self.subst(*t, s);
                self.measure_val(v, t)
            }
            ValKind::DescriptorKind(t) | ValKind::DescriptorAccess(t) => {
                let t = self.subst(*t, s);
                self.descriptor_val(v, t)
            }
            ValKind::LaidBy { align, ty, layout } => {
                let (ty, layout) = (self.subst(*ty, s), self.subst(*layout, s));
                self.measure_by(*align, ty, layout)
            }
            ValKind::Required { of, interface, name } => {
                let (of, interface, name) = (self.subst(*of, s), self.subst_ref(*interface, s), *name);
                self.required_val(of, interface, name)
            }
        }
    }

    /// The type in memory that a parameter stands for, whose matrices may have a layout of their
    /// own.
    fn subst_in_memory(&mut self, ty: Ty, s: &Subst) -> Ty {
        match ty.kind() {
            TyKind::Param(p) => match s.get(*p) {
                Some(GArg::Ty(t)) => t,
                _ => ty,
            },
            _ => self.subst(ty, s),
        }
    }

    pub(crate) fn subst_arg(&mut self, a: GArg, s: &Subst) -> GArg {
        match a {
            GArg::Ty(t) => GArg::Ty(self.subst_in_memory(t, s)),
            GArg::Val(v) => GArg::Val(self.subst_val(v, s)),
        }
    }

    pub(crate) fn subst_args(&mut self, args: Args, s: &Subst) -> Args {
        if s.is_empty() || args.is_empty() {
            return args;
        }
        let list = args.iter().map(|a| self.subst_arg(*a, s)).collect();
        Args::new(list)
    }

    pub(crate) fn subst_ref(&mut self, i: InterfaceRef, s: &Subst) -> InterfaceRef {
        InterfaceRef { id: i.id, args: self.subst_args(i.args, s) }
    }

    pub(crate) fn subst_bound(&mut self, b: Bound, s: &Subst) -> Bound {
        match b {
            Bound::Interface(i) => Bound::Interface(self.subst_ref(i, s)),
            Bound::Equals(t) => Bound::Equals(self.subst(t, s)),
            Bound::MadeFrom { from, implicit } => Bound::MadeFrom { from: self.subst(from, s), implicit },
            Bound::Counts(n) => Bound::Counts(self.subst_val(n, s)),
            other => other,
        }
    }

    /// Whether a type mentions a parameter.
    pub(crate) fn is_dependent(&self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Param(_)
            | TyKind::Each(_)
            | TyKind::Part(..)
            | TyKind::Expand(..)
            | TyKind::Assoc { .. }
            | TyKind::VectorOf(..)
            | TyKind::MatrixOf(..)
            | TyKind::ArrayOf(..) => true,
            TyKind::Array(t, _) | TyKind::Uniform(t, _) | TyKind::Pair(t) | TyKind::Buffer { elem: t, .. } => {
                self.is_dependent(*t)
            }
            TyKind::Struct(id) => {
                let info = &self.structs[id.0 as usize];
                info.differential_of.is_some() || info.instance_of.is_some_and(|(_, args)| self.args_dependent(args))
            }
            TyKind::Interface(i) => self.args_dependent(i.args),
            TyKind::Resource(r) => r.elem().is_some_and(|t| self.is_dependent(t)),
            TyKind::Pack(list) => self.args_dependent(*list),
            _ => false,
        }
    }

    pub(crate) fn args_dependent(&self, args: Args) -> bool {
        args.iter().any(|a| match a {
            GArg::Ty(t) => self.is_dependent(*t),
            GArg::Val(v) => v.as_int().is_none(),
        })
    }

    // ---- instances of structs -------------------------------------------------------------------

    /// The arguments of the parameters of a struct's declaration in this instance.
    pub(crate) fn struct_subst(&self, id: StructId) -> Subst {
        match self.structs[id.0 as usize].instance_of {
            Some((base, args)) if base != id => {
                let params = self.all_params(self.structs[base.0 as usize].gens);
                Subst::new(&params, &args)
            }
            _ => Subst::default(),
        }
    }

    /// The instance of a generic struct. Its fields are resolved on demand.
    pub(crate) fn struct_instance(&mut self, base: StructId, args: Args) -> StructId {
        if let Some(known) = self.structs[base.0 as usize].instances.get(&args) {
            return *known;
        }
        let info = &self.structs[base.0 as usize];
        let own = self.own_params(info.gens).len();
        let (outer, own) = args.split_at(args.len() - own.min(args.len()));
        let mut shown = info.path.to_string();
        let (id, argument_types) = (StructId(self.structs.len() as u32), self.types_in_args(&args));
        if argument_types > argument_sizes::MAX_ARGUMENT_TYPES {
            // Who needs an instance reports it.
            shown.push_str(&format!("<… {}>", id.0));
        } else {
            let texts: Vec<String> = outer.iter().chain(own).map(|a| self.show_arg(*a)).collect();
            shown.push_str(&format!("<{}>", texts.join(", ")));
        }
        let info = &self.structs[base.0 as usize];
        let new = StructInfo {
            name: Name::new(&shown),
            instance_of: Some((base, args)),
            argument_types,
            ..StructInfo::new(info.decl.clone(), info.span, info.ns)
        };
        self.structs.push(new);
        self.structs[base.0 as usize].instances.insert(args, id);
        id
    }

    /// Checks the written arguments of a generic declaration (kinds, number, bounds) and adds
    /// defaults. `s` are the arguments of the declarations around it. Returns all arguments; the
    /// outer ones come first.
    pub(crate) fn complete_args(
        &mut self,
        name: Name,
        gens: Option<GenId>,
        s: &Subst,
        given: &[GArg],
        span: Span,
    ) -> Option<Args> {
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        let own: Vec<ParamId> = self.own_params(gens).to_vec();
        let given = &self.pack_given(&own, given, true)[..];
        let mut subst = s.clone();
        let count = |n: usize| {
            let (plural, be) = (if own.len() == 1 { "" } else { "s" }, if n == 1 { "is" } else { "are" });
            format!("`{name}` takes {} generic argument{plural}, {n} {be} given", own.len())
        };
        if given.len() > own.len() {
            self.error(codes::E0208, span, count(given.len()));
            return None;
        }
        for (i, p) in own.iter().enumerate() {
            let arg = match given.get(i) {
                Some(a) => *a,
                None => match self.default_arg(*p, gens, &subst) {
                    Some(a) => a,
                    None => {
                        self.error(codes::E0208, span, count(given.len()));
                        return None;
                    }
                },
            };
            if self.takes_value(*p) != matches!(arg, GArg::Val(_)) || !self.is_list_for(*p, arg) {
                let want = self.kind_of_argument(*p);
                let shown = self.params[p.0 as usize].name;
                self.error(codes::E0208, span, format!("generic parameter `{shown}` of `{name}` is {want}"));
                return None;
            }
            subst.set(*p, arg);
        }
        if let Some(failed) = self.broken_constraint(gens, &subst) {
            self.report_constraint(&failed, span);
            return None;
        }
        let all = self.all_params(gens);
        Some(Args::new(all.into_iter().map(|p| subst.get(p).unwrap_or_else(|| self.param_arg(p))).collect()))
    }

    /// What a parameter's argument has to be.
    pub(crate) fn kind_of_argument(&self, p: ParamId) -> &'static str {
        match &self.params[p.0 as usize] {
            ParamInfo { value: Some(_), variadic: true, .. } => "a pack of integers",
            ParamInfo { value: None, variadic: true, .. } => "a pack of types",
            ParamInfo { value: Some(_), .. } => "an integer",
            _ => "a type",
        }
    }

    /// The argument of a parameter where none is written.
    pub(crate) fn default_arg(&mut self, p: ParamId, gens: Option<GenId>, s: &Subst) -> Option<GArg> {
        let default = self.params[p.0 as usize].default.clone()?;
        let ns = self.generics[gens?.0 as usize].ns;
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let found = self.generic_args(std::slice::from_ref(&default));
        self.cx = outer;
        let arg = *found?.first()?;
        Some(self.subst_arg(arg, s))
    }

    /// Whether the declaration with these parameters can be used without arguments.
    pub(crate) fn all_have_defaults(&mut self, gens: Option<GenId>) -> bool {
        if let Some(g) = gens {
            self.ensure_generics(g);
        }
        self.own_params(gens).iter().all(|p| self.params[p.0 as usize].default.is_some())
    }

    /// The first constraint that does not hold for these arguments.
    pub(crate) fn broken_constraint(&mut self, gens: Option<GenId>, s: &Subst) -> Option<Constraint> {
        let g = gens?;
        self.ensure_generics(g);
        for c in self.generics[g.0 as usize].constraints.clone() {
            // A constraint on `each T` holds for every type of the pack.
            let elements = match c.ty.kind() {
                TyKind::Each(of) => match self.subst(*of, s).kind() {
                    TyKind::Pack(list) => (0..list.len()).map(|i| s.with_element(i)).collect(),
                    _ => vec![s.clone()],
                },
                _ => vec![s.clone()],
            };
            for s in &elements {
                let ty = self.subst(c.ty, s);
                let bound = self.subst_bound(c.bound, s);
                if !ty.is_error() && !self.satisfies(ty, bound) {
                    return Some(Constraint { ty, bound, span: c.span });
                }
            }
        }
        None
    }

    pub(crate) fn show_arg(&self, a: GArg) -> String {
        match a {
            GArg::Ty(t) => self.show(t),
            GArg::Val(v) => self.show_val(v),
        }
    }

    pub(crate) fn show_val(&self, v: Val) -> String {
        match v.kind() {
            ValKind::Int(n) => n.to_string(),
            ValKind::Param(p) => self.params[p.0 as usize].name.to_string(),
            ValKind::Each(p) => format!("each {}", self.params[p.0 as usize].name),
            ValKind::Binary(ast::BinOp::Sub, a, b) if a.as_int() == Some(0) => format!("-{}", self.show_operand(*b)),
            ValKind::Binary(op, a, b) => {
                // A chain of sums or of products needs no parentheses.
                let chain = |v: &Val| match (op, v.kind()) {
                    (ast::BinOp::Add | ast::BinOp::Sub, ValKind::Binary(inner, ..)) => {
                        matches!(inner, ast::BinOp::Add | ast::BinOp::Sub | ast::BinOp::Mul)
                    }
                    (ast::BinOp::Mul, ValKind::Binary(inner, ..)) => *inner == ast::BinOp::Mul,
                    _ => false,
                };
                let left = if chain(a) { self.show_val(*a) } else { self.show_operand(*a) };
                let is_product = matches!(b.kind(), ValKind::Binary(ast::BinOp::Mul, ..));
                let right = if is_product && chain(b) { self.show_val(*b) } else { self.show_operand(*b) };
                format!("{left} {} {right}", op.text())
            }
            ValKind::Choice(cond, a, b) => {
                format!("{} ? {} : {}", self.show_val(*cond), self.show_val(*a), self.show_val(*b))
            }
            ValKind::SizeOf(t) => format!("sizeof({})", self.show(*t)),
            ValKind::AlignOf(t) => format!("alignof({})", self.show(*t)),
            ValKind::LaidBy { align, ty, layout } => {
                let what = if *align { "alignof" } else { "sizeof" };
                format!("{what}({}, {})", self.show(*ty), self.show(*layout))
            }
            ValKind::CountOf(t) => format!("countof({})", self.show(*t)),
            ValKind::FloatOf(t) => format!("__floatSize({})", self.show(*t)),
            ValKind::DescriptorKind(t) => format!("{}.kind", self.show(*t)),
            ValKind::DescriptorAccess(t) => format!("{}.descriptorAccess", self.show(*t)),
            ValKind::Required { of, name, .. } => format!("{}.{name}", self.show(*of)),
        }
    }

    /// A value as an operand of an operator.
    fn show_operand(&self, v: Val) -> String {
        match v.kind() {
            ValKind::Binary(..) | ValKind::Choice(..) => format!("({})", self.show_val(v)),
            _ => self.show_val(v),
        }
    }

    pub(crate) fn show_ref(&self, i: InterfaceRef) -> String {
        let name = self.interfaces[i.id.0 as usize].name;
        if i.args.is_empty() {
            return name.to_string();
        }
        let texts: Vec<String> = i.args.iter().map(|a| self.show_arg(*a)).collect();
        format!("{name}<{}>", texts.join(", "))
    }
}
