//! Derivatives that are attached to functions from outside: `__func_extension fwd_diff(f)(…)`,
//! `bwd_diff(f)`, `__apply(f)`.
//!
//! The declaration is a function of its own, with a link to it from the target, as
//! `[ForwardDerivative]` makes one. The target may be generic; then the link holds for the
//! instances whose arguments the declaration has, and is made with each of them.
//!
//! `__apply` returns the value and a context, whose `operator()` is the backward pass. Two
//! functions are made of it: one that returns the value alone, which derivatives use in place of
//! the target, and its backward derivative, which makes the context and calls it. So the context is
//! made in the backward pass, from the same arguments.

use super::deriv::Sig;
use super::expr::{Group, Res};
use super::links::Links;
use super::types::{Args, TyKind};
use super::*;
use ast::{DeclKind, ExprKind as E};
use caustic_ir::codes;

/// The declarations, and the links that wait for instances of generic functions.
#[derive(Default)]
pub(crate) struct Outside {
    pub pending: Vec<(Rc<ast::Decl>, NsId)>,
    declared: Vec<Declared>,
    links: Vec<OutsideLink>,
}

#[derive(Clone)]
struct Declared {
    decl: Rc<ast::Decl>,
    func: FuncId,
}

/// A link for the instances of `primal` with these arguments, in terms of the generic parameters
/// `gens`.
#[derive(Clone, Copy)]
struct OutsideLink {
    primal: FuncRef,
    func: FuncId,
    gens: Option<GenId>,
    kind: Given,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    Forward,
    Backward,
    /// A function with a context.
    Apply,
}

const OPERATORS: [(&str, Given); 3] =
    [("fwd_diff", Given::Forward), ("bwd_diff", Given::Backward), ("__apply", Given::Apply)];

fn given(op: ast::Ident) -> Option<Given> {
    OPERATORS.iter().find(|(name, _)| op.name == **name).map(|(_, kind)| *kind)
}

impl Given {
    fn modes(self) -> &'static [Mode] {
        match self {
            Given::Forward => &[Mode::Forward],
            Given::Backward => &[Mode::Backward],
            Given::Apply => &[],
        }
    }
}

impl Checker<'_> {
    /// Declares the functions, once all names are collected.
    pub(crate) fn declare_func_extensions(&mut self) {
        for (decl, ns) in std::mem::take(&mut self.outside.pending) {
            let DeclKind::FuncExtension(e) = &decl.kind else { continue };
            let Some(kind) = given(e.op) else {
                let text = format!("`{}` is not what a function can be extended by", e.op.name);
                self.error(codes::E0307, e.op.span, text)
                    .notes
                    .push("it must be `fwd_diff`, `bwd_diff` or `__apply`".to_string());
                continue;
            };
            let made =
                Rc::new(ast::Decl { span: decl.span, mods: decl.mods.clone(), kind: DeclKind::Func(e.func.clone()) });
            self.cx = BodyCx { ns: Some(ns), ..BodyCx::default() };
            let of_type = match &e.target.kind {
                E::Member { base, .. } if kind == Given::Apply && self.namespace_scope(base).is_none() => Some(base),
                _ => None,
            };
            self.cx = BodyCx::default();
            let func = FuncId(self.funcs.len() as u32);
            match of_type {
                // The body of a method's derivative has an object.
                Some(base) => {
                    let member = ast::FuncDecl { generics: Vec::new(), constraints: Vec::new(), ..e.func.clone() };
                    let member = ast::Decl { kind: DeclKind::Func(member), ..(*made).clone() };
                    let extension = ast::ExtensionDecl {
                        generics: e.func.generics.clone(),
                        target: (**base).clone(),
                        bases: Vec::new(),
                        constraints: e.func.constraints.clone(),
                        members: vec![Rc::new(member)],
                    };
                    let around = ast::Decl { kind: DeclKind::Extension(extension.clone()), ..(*made).clone() };
                    self.collect_extension(&Rc::new(around), &extension, ns);
                }
                None => {
                    let inner = self.declare_generics(&e.func.generics, &e.func.constraints, ns);
                    self.new_func(e.func.name.name, &made, inner, None);
                    self.funcs[func.0 as usize].declares_generics = inner != ns;
                    if kind == Given::Apply {
                        self.define(ns, e.func.name.name, Entry::Func(func));
                    }
                }
            }
            if self.funcs.len() as u32 > func.0 {
                self.outside.declared.push(Declared { decl: decl.clone(), func });
            }
        }
    }

    /// Resolves the target of each declaration, and links it.
    pub(crate) fn link_func_extensions(&mut self) {
        for Declared { decl, func } in self.outside.declared.clone() {
            let DeclKind::FuncExtension(e) = &decl.kind else { continue };
            let Some(kind) = given(e.op) else { continue };
            self.ensure_signature(func);
            let Some(group) = self.target_of(&e.target, func) else { continue };
            match self.matching(&group, func, kind) {
                Some(primal) => self.link_from_outside(primal, func, kind, e),
                None => self.report_no_target(&group, func, kind, e),
            }
        }
    }

    /// The functions that a target names.
    fn target_of(&mut self, target: &ast::Expr, func: FuncId) -> Option<Group> {
        let ns = self.funcs[func.0 as usize].ns;
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let accessor = self.accessor_named(target);
        let found = match accessor {
            Some(group) => Res::Funcs(group),
            None => self.resolve(target),
        };
        self.cx = outer;
        match found {
            Res::Funcs(group) => Some(group),
            Res::Val(v) if v.ty.is_error() => None,
            _ => {
                self.error(codes::E0307, target.span, "a derivative is given to a function, and this is none");
                None
            }
        }
    }

    /// The accessor that `S::property::get` or `S::__subscript::set` names.
    fn accessor_named(&mut self, target: &ast::Expr) -> Option<Group> {
        let E::Member { base, name, args: None } = &target.kind else { return None };
        let E::Member { base: of, name: property, args: None } = &base.kind else { return None };
        if !matches!(name.name.as_str(), "get" | "set") {
            return None;
        }
        let ty = self.try_type(of)?;
        let property = if property.name == *"__subscript" { properties::SUBSCRIPT } else { property.name.as_str() };
        let full = Name::new(&format!("{property}.{}", name.name));
        let members = self.type_members(ty, full);
        let span = target.span;
        let group =
            Group { name: *name, members, this: None, through_type: true, explicit: None, modes: Vec::new(), span };
        (!group.members.is_empty()).then_some(group)
    }

    /// The function of the group for which `func` has the right signature.
    fn matching(&mut self, group: &Group, func: FuncId, kind: Given) -> Option<FuncRef> {
        for m in &group.members {
            let Some(primal) = m.as_func().filter(|f| *f != func) else { continue };
            let Some((sig, primal)) = self.signature_for(primal, m, group, func, kind) else { continue };
            let own = &self.funcs[func.0 as usize];
            let (params, ret) = (own.params.clone(), own.ret);
            let same = params.len() == sig.params.len()
                && params.iter().zip(&sig.params).all(|(p, w)| {
                    let of_object = p.name == *"this" && w.name == *"this";
                    (of_object || p.dir == w.dir) && self.canonical(p.ty) == self.canonical(w.ty)
                });
            let gives = match kind {
                Given::Apply => self.tuple_elements(ret).is_some_and(|parts| parts.len() == 2 && parts[0] == sig.ret),
                _ => self.canonical(ret) == self.canonical(sig.ret),
            };
            if same && gives {
                return Some(primal);
            }
        }
        None
    }

    /// The signature that `func` needs as this kind of derivative of a function, and that function
    /// with the generic arguments for it.
    fn signature_for(
        &mut self,
        primal: FuncId,
        m: &members::Member,
        group: &Group,
        func: FuncId,
        kind: Given,
    ) -> Option<(Sig, FuncRef)> {
        self.ensure_signature(primal);
        let info = &self.funcs[primal.0 as usize];
        let (declares, gens, ret, ret_no_diff) = (info.declares_generics, info.gens, info.ret, info.ret_no_diff);
        let mut params = info.params.clone();
        let mut s = m.subst.clone();
        if declares {
            let patterns: Vec<Ty> = params.iter().map(|p| p.ty).collect();
            let given = self.funcs[func.0 as usize].params.clone();
            let plain = |p: &Param| match p.ty.kind() {
                TyKind::Pair(t) => *t,
                _ => p.ty,
            };
            let types: Vec<Ty> = given.iter().map(plain).collect();
            s = self.infer(primal, &s, group.explicit.as_deref().unwrap_or(&[]), &patterns, &types).ok()?;
        }
        for p in &mut params {
            p.no_diff |= self.is_inactive_to_all(p.ty);
            p.ty = self.subst(p.ty, &s);
        }
        let mut sig = Sig { params, ret: self.subst(ret, &s), ret_no_diff };
        for mode in kind.modes() {
            sig = self.derive(&sig, *mode);
        }
        Some((sig, FuncRef { func: primal, args: self.args_of(gens, &s) }))
    }

    fn report_no_target(&mut self, group: &Group, func: FuncId, kind: Given, e: &ast::FuncExtension) {
        let name = group.name.name;
        let mut wanted = None;
        for m in &group.members {
            if let (None, Some(f)) = (&wanted, m.as_func()) {
                wanted = self.signature_for(f, m, group, func, kind).map(|(sig, _)| sig);
            }
        }
        let text = format!("no `{name}` has the signature that this `{}` is for", e.op.name);
        let note = wanted.map(|sig| {
            let ret = self.show(sig.ret);
            let ret = if kind == Given::Apply { format!("Tuple<{ret}, C>") } else { ret };
            let first = usize::from(kind == Given::Apply && sig.params.first().is_some_and(|p| p.name == *"this"));
            format!("it must be `{ret} {}`", self.show_signature("", &sig.params[first..]))
        });
        self.error(codes::E0306, e.op.span, text).notes.extend(note);
    }

    fn link_from_outside(&mut self, primal: FuncRef, func: FuncId, kind: Given, e: &ast::FuncExtension) {
        if self.funcs[primal.func.0 as usize].intrinsic.is_some() {
            let name = self.funcs[primal.func.0 as usize].name;
            let text = format!("`{name}` is a builtin operation, whose derivative is known");
            self.error(codes::E0307, e.target.span, text)
                .notes
                .push(format!("give the derivative to a function of your own that calls `{name}`"));
            return;
        }
        let func = match kind {
            Given::Apply => match self.with_context(func, e) {
                Some(value) => value,
                None => return,
            },
            _ => func,
        };
        let gens = self.funcs[func.0 as usize].gens;
        let link = FuncRef { func, args: Args::new(self.identity_args(gens)) };
        let links = &mut self.funcs[primal.func.0 as usize].links;
        let (slot, modes) = match kind {
            Given::Forward => (&mut links.forward, [true, false]),
            Given::Backward => (&mut links.backward, [false, true]),
            Given::Apply => (&mut links.substitute, [false, true]),
        };
        let twice = slot.is_some();
        if primal.args.is_empty() {
            *slot = Some(link);
        } else {
            links.outside = [links.outside[0] || modes[0], links.outside[1] || modes[1]];
            self.outside.links.push(OutsideLink { primal, func, gens, kind });
        }
        let links = self.funcs[primal.func.0 as usize].links;
        // The substitute has all derivatives of the function.
        if let (Some(value), true) = (links.substitute, primal.args.is_empty()) {
            let of_value = &mut self.funcs[value.func.0 as usize].links;
            of_value.forward = of_value.forward.or(links.forward);
        }
        if twice {
            let name = self.funcs[primal.func.0 as usize].name;
            self.error(codes::E0307, e.op.span, format!("`{name}` is given two derivatives of this kind"));
        }
    }

    /// Adds the links that were attached from outside for the arguments of an instance.
    pub(crate) fn add_outside_links(&mut self, f: FuncRef, links: &mut Links) {
        links.outside = [false; 2];
        for link in self.outside.links.clone() {
            if link.primal.func != f.func {
                continue;
            }
            let mut slots = self.slots(self.all_params(link.gens));
            let fits =
                link.primal.args.iter().zip(f.args.iter()).all(|(p, a)| self.unify_args(*p, *a, &mut slots, false));
            let Some(s) = slots.complete().filter(|_| fits) else { continue };
            let mut at = link.gens;
            let mut broken = false;
            while let Some(g) = at {
                broken |= self.broken_constraint(Some(g), &s).is_some();
                at = self.generics[g.0 as usize].outer;
            }
            if broken {
                continue;
            }
            let given = FuncRef { func: link.func, args: self.args_of(link.gens, &s) };
            let slot = match link.kind {
                Given::Forward => &mut links.forward,
                Given::Backward => &mut links.backward,
                Given::Apply => &mut links.substitute,
            };
            *slot = Some(given);
        }
    }

    // ---- with a context -------------------------------------------------------------------------

    /// The function that returns the value alone, with its backward derivative.
    fn with_context(&mut self, apply: FuncId, e: &ast::FuncExtension) -> Option<FuncId> {
        let span = e.op.span;
        let written = match e.func.ret.as_ref().map(|t| &t.kind) {
            Some(E::Name { args: Some(args), .. }) if args.len() == 2 => args[0].clone(),
            _ => {
                self.error(codes::E0306, span, "the result of `__apply` is written `Tuple<R, C>`");
                return None;
            }
        };
        let info = &self.funcs[apply.0 as usize];
        let (ns, owner, declares, params, this) =
            (info.ns, info.owner, info.declares_generics, info.params.clone(), info.this);
        if let Some(p) = params.iter().find(|p| p.dir != Dir::In) {
            self.unsupported(p.span, "a context for a function that changes a parameter");
            return None;
        }
        let value_ty = self.tuple_elements(info_ret(self, apply)).and_then(|parts| parts.first().copied())?;
        let of = Writer { span };
        let generic = if owner.is_none() { &e.func.generics[..] } else { &[] };
        let value = of.value_alone(e, generic, written);
        // `void backward(inout DifferentialPair<A> a, …, R.Differential dResult)`
        let (mut made, mut stmts, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut passed = Vec::new();
        let mut add = |c: &mut Self, name: ast::Ident, ty: ast::Expr, of_ty: Ty, no_diff: bool| -> bool {
            let active = !no_diff && c.is_differentiable_type(of_ty);
            let pair = of.generic("DifferentialPair", ty.clone());
            made.push(of.param(name, if active { pair } else { ty.clone() }, active.then_some("inout")));
            if active {
                let d = of.ident(&format!("d of {}", name.name));
                stmts.push(of.declare(d, Some(of.member(ty, "Differential")), None));
                passed.push(of.name(d.name));
                let new =
                    of.call(of.name(Name::new("diffPair")), vec![of.member(of.name(name.name), "p"), of.name(d.name)]);
                after.push(of.assign(of.name(name.name), new));
            }
            active
        };
        let object = of.ident("object of __apply");
        let mut active = Vec::new();
        let mut of_object = false;
        if let (Some(_), E::Member { base, .. }) = (this, &e.target.kind) {
            of_object = add(self, object, (**base).clone(), params[0].ty, params[0].no_diff);
        }
        for (p, q) in e.func.params.iter().zip(&params[usize::from(this.is_some())..]) {
            let Some(name) = p.name else {
                self.error(codes::E0306, p.span, "the parameters of `__apply` need names");
                return None;
            };
            if add(self, name, p.ty.clone(), q.ty, q.no_diff) {
                active.push(name.name);
            }
        }
        let primal = |n: ast::Ident| match active.contains(&n.name) {
            true => of.member(of.name(n.name), "p"),
            false => of.name(n.name),
        };
        let callee = match this {
            Some(_) if of_object => of.member(of.member(of.name(object.name), "p"), &e.func.name.name),
            Some(_) => of.member(of.name(object.name), &e.func.name.name),
            None => of.instance(e.func.name, generic),
        };
        let kept = of.ident("context");
        let context =
            of.member(of.call(callee, e.func.params.iter().filter_map(|p| p.name).map(primal).collect()), "_1");
        let mut body = vec![of.declare(kept, None, Some(context))];
        body.append(&mut stmts);
        if self.is_differentiable_type(value_ty) {
            let result = of.ident("dResult");
            let ty = of.member(value.ret.clone()?, "Differential");
            made.push(of.param(result, ty, None));
            passed.push(of.name(result.name));
        }
        body.push(of.stmt(ast::StmtKind::Expr(of.call(of.name(kept.name), passed))));
        body.append(&mut after);
        let backward = ast::FuncDecl {
            name: of.ident(&format!("backward of {}", e.func.name.name)),
            params: made,
            ret: Some(of.name(Name::new("void"))),
            body: Some(body),
            ..value.clone()
        };
        let declare = |c: &mut Self, f: ast::FuncDecl, words: Vec<ast::Ident>| {
            let mods = ast::Modifiers { words, ..ast::Modifiers::default() };
            let name = f.name.name;
            let decl = Rc::new(ast::Decl { span, mods, kind: DeclKind::Func(f) });
            let id = c.new_func(name, &decl, ns, owner);
            c.funcs[id.0 as usize].declares_generics = declares;
            c.ensure_signature(id);
            id
        };
        let value = declare(self, value, Vec::new());
        let word = if owner.is_some() { vec![of.ident("static")] } else { Vec::new() };
        let backward = declare(self, backward, word);
        let gens = self.funcs[backward.0 as usize].gens;
        let link = FuncRef { func: backward, args: Args::new(self.identity_args(gens)) };
        self.funcs[value.0 as usize].links.backward = Some(link);
        Some(value)
    }
}

fn info_ret(c: &Checker<'_>, f: FuncId) -> Ty {
    c.funcs[f.0 as usize].ret
}

/// Makes syntax whose nodes all have one span.
#[derive(Clone, Copy)]
struct Writer {
    span: Span,
}

impl Writer {
    /// `R value(params) { return __apply(params)._0; }`
    fn value_alone(self, e: &ast::FuncExtension, generic: &[ast::GenericParam], ret: ast::Expr) -> ast::FuncDecl {
        let args = e.func.params.iter().filter_map(|p| p.name).map(|n| self.name(n.name)).collect();
        let call = self.call(self.instance(e.func.name, generic), args);
        let body = vec![self.stmt(ast::StmtKind::Return(Some(self.member(call, "_0"))))];
        ast::FuncDecl {
            name: self.ident(&format!("value of {}", e.func.name.name)),
            ret: Some(ret),
            body: Some(body),
            generics: Vec::new(),
            constraints: Vec::new(),
            ..e.func.clone()
        }
    }
    fn ident(self, text: &str) -> ast::Ident {
        ast::Ident { name: Name::new(text), span: self.span }
    }
    fn expr(self, kind: E) -> ast::Expr {
        ast::Expr { span: self.span, kind }
    }
    fn name(self, name: Name) -> ast::Expr {
        self.expr(E::Name { name: ast::Ident { name, span: self.span }, args: None })
    }
    fn generic(self, text: &str, arg: ast::Expr) -> ast::Expr {
        self.expr(E::Name { name: self.ident(text), args: Some(vec![arg]) })
    }
    /// A function applied to its own generic parameters.
    fn instance(self, name: ast::Ident, generics: &[ast::GenericParam]) -> ast::Expr {
        let args = (!generics.is_empty()).then(|| generics.iter().map(|g| self.name(g.name.name)).collect());
        self.expr(E::Name { name, args })
    }
    fn member(self, base: ast::Expr, text: &str) -> ast::Expr {
        self.expr(E::Member { base: Box::new(base), name: self.ident(text), args: None })
    }
    fn call(self, callee: ast::Expr, args: Vec<ast::Expr>) -> ast::Expr {
        self.expr(E::Call { callee: Box::new(callee), args })
    }
    fn stmt(self, kind: ast::StmtKind) -> ast::Stmt {
        ast::Stmt { span: self.span, kind }
    }
    fn assign(self, lhs: ast::Expr, rhs: ast::Expr) -> ast::Stmt {
        let kind = E::Assign { op: None, lhs: Box::new(lhs), rhs: Box::new(rhs) };
        self.stmt(ast::StmtKind::Expr(self.expr(kind)))
    }
    fn declare(self, name: ast::Ident, ty: Option<ast::Expr>, init: Option<ast::Expr>) -> ast::Stmt {
        let var = ast::VarDecl {
            name,
            ty,
            is_let: false,
            semantic: None,
            register: None,
            access: Vec::new(),
            bits: None,
            init,
        };
        let decl = ast::Decl { span: self.span, mods: ast::Modifiers::default(), kind: DeclKind::Var(var) };
        self.stmt(ast::StmtKind::Decl(vec![Rc::new(decl)]))
    }
    fn param(self, name: ast::Ident, ty: ast::Expr, word: Option<&str>) -> ast::Param {
        let words = word.into_iter().map(|w| self.ident(w)).collect();
        let mods = ast::Modifiers { words, ..ast::Modifiers::default() };
        ast::Param { span: self.span, mods, name: Some(name), ty, semantic: None, default: None }
    }
}
