//! Functions as values: parameters that take callables, and named functions that are passed to
//! them.
//!
//! A parameter of type `functype (A) -> R`, or of one of the interfaces `IFunc<R, A>` and the like,
//! makes its function generic: every use gets an instance in which the callee is known. The name of
//! a function becomes a value of a struct without fields whose `operator()` calls the function,
//! like a lambda expression.

use super::types::{Args, TyKind};
use super::*;
use ast::ExprKind as E;
use caustic_ir::codes;

/// The interfaces of callables.
const CALLABLE: [&str; 4] = ["IFunc", "IMutatingFunc", "IDifferentiableFunc", "IDifferentiableMutatingFunc"];

impl Checker<'_> {
    /// The declaration with a generic parameter for each parameter that takes a callable; `None` if
    /// there is no such parameter.
    pub(crate) fn with_callables(&mut self, decl: &ast::Decl, f: &ast::FuncDecl, ns: NsId) -> Option<Rc<ast::Decl>> {
        let found: Vec<Option<ast::Expr>> = f.params.iter().map(|p| self.callable_named(&p.ty, ns)).collect();
        if found.iter().all(Option::is_none) {
            return None;
        }
        let (mut f, given) = (f.clone(), f.generics.len());
        for (i, p) in f.params.iter_mut().enumerate() {
            let Some(written) = &found[i] else { continue };
            if p.mods.has("out") {
                continue;
            }
            let bound = match &written.kind {
                E::FuncType { params, ret } => match self.as_interface(params, ret, written.span) {
                    Some(bound) => bound,
                    None => continue,
                },
                _ => written.clone(),
            };
            let name = ast::Ident { name: Name::new(&format!("__F{i}")), span: written.span };
            // A pack takes all remaining arguments, so the new parameter is inserted before it.
            let at = f.generics.iter().position(|g| g.variadic).unwrap_or(f.generics.len());
            let made = ast::GenericParam {
                name,
                is_value: false,
                bounds: vec![bound],
                default: None,
                variadic: false,
                added: true,
            };
            f.generics.insert(at, made);
            p.ty = ast::Expr { span: written.span, kind: E::Name { name, args: None } };
        }
        if f.generics.len() == given {
            return None;
        }
        Some(Rc::new(ast::Decl { span: decl.span, mods: decl.mods.clone(), kind: ast::DeclKind::Func(f) }))
    }

    /// The callable type that a type is, or that an alias declared before it stands for.
    fn callable_named(&self, ty: &ast::Expr, ns: NsId) -> Option<ast::Expr> {
        if let Some(written) = callable(ty) {
            return Some(written.clone());
        }
        let E::Name { name, args: None } = &ty.kind else { return None };
        let mut at = Some(ns);
        while let Some(ns) = at {
            let space = &self.namespaces[ns.0 as usize];
            match space.names.get(&name.name).and_then(|e| e.first()) {
                Some(Entry::Alias(a)) => {
                    let written = callable(&self.aliases[a.0 as usize].ty)?;
                    return Some(ast::Expr { span: ty.span, kind: written.kind.clone() });
                }
                Some(_) => return None,
                None => at = space.parent,
            }
        }
        None
    }

    /// The interface that corresponds to the function type of a variable. The variable itself has
    /// the type of the function that it is given.
    pub(crate) fn function_type_of(&mut self, ty: &ast::Expr) -> Option<Ty> {
        let written = self.callable_named(ty, self.current_ns())?;
        let E::FuncType { params, ret } = &written.kind else { return None };
        let bound = self.as_interface(params, ret, written.span)?;
        Some(self.resolve_type(&bound))
    }

    /// The declaration with a generic parameter for the size of each array parameter without one,
    /// since the arguments of a call have sizes. `None` if there is no such parameter.
    pub(crate) fn with_sizes(&self, decl: &ast::Decl, f: &ast::FuncDecl) -> Option<Rc<ast::Decl>> {
        let unsized_array = |ty: &ast::Expr| matches!(ty.kind, E::ArrayType { size: None, .. });
        // The host binds an array of resources to such a parameter of an entry point.
        let marked = ["shader", "numthreads"].iter().any(|name| decl.mods.attr(name).is_some());
        let is_entry = marked || FuncAttrs::is_kernel(&decl.mods);
        if is_entry || !f.params.iter().any(|p| unsized_array(&p.ty)) {
            return None;
        }
        let mut f = f.clone();
        for (i, p) in f.params.iter_mut().enumerate() {
            let span = p.ty.span;
            let E::ArrayType { size: size @ None, .. } = &mut p.ty.kind else { continue };
            let name = ast::Ident { name: Name::new(&format!("__N{i}")), span };
            let at = f.generics.iter().position(|g| g.variadic).unwrap_or(f.generics.len());
            let int = ast::Ident { name: Name::new("int"), span };
            let bounds = vec![ast::Expr { span, kind: E::Name { name: int, args: None } }];
            let made = ast::GenericParam { name, is_value: true, bounds, default: None, variadic: false, added: true };
            f.generics.insert(at, made);
            *size = Some(Box::new(ast::Expr { span, kind: E::Name { name, args: None } }));
        }
        Some(Rc::new(ast::Decl { span: decl.span, mods: decl.mods.clone(), kind: ast::DeclKind::Func(f) }))
    }

    /// The function that a call of `f` calls: for an entry point, a function with the same body
    /// whose parameters the caller passes.
    pub(crate) fn as_function(&mut self, f: FuncId) -> FuncId {
        if self.funcs[f.0 as usize].attrs.entry.is_none() {
            return f;
        }
        if let Some(known) = self.called_entries.get(&f) {
            return *known;
        }
        self.need_body(f);
        let mut made = self.funcs[f.0 as usize].clone();
        made.attrs.entry = None;
        (made.named, made.body, made.state) = (false, None, State::New);
        self.funcs.push(made);
        let id = FuncId(self.funcs.len() as u32 - 1);
        self.called_entries.insert(f, id);
        id
    }

    /// `IFunc<R, A, …>` for `functype (A, …) -> R`.
    pub(crate) fn as_interface(&self, params: &[ast::Param], ret: &ast::Expr, span: Span) -> Option<ast::Expr> {
        if params.iter().any(|p| p.mods.has("out") || p.mods.has("inout")) {
            return None;
        }
        let args = std::iter::once(ret.clone()).chain(params.iter().map(|p| p.ty.clone())).collect();
        let name = ast::Ident { name: Name::new(CALLABLE[0]), span };
        Some(ast::Expr { span, kind: E::Name { name, args: Some(args) } })
    }

    /// Checks an argument of a call. The name of a function is a value there.
    pub(crate) fn check_argument(&mut self, e: &ast::Expr) -> Expr {
        if !matches!(e.kind, E::Name { .. } | E::Member { .. } | E::Paren(_)) {
            return self.check_value(e);
        }
        match self.resolve(e) {
            expr::Res::Funcs(group) => self.function_value(group, e.span),
            found => self.value_of(found, e.span),
        }
    }

    /// A value that calls the function, which must be a single one that is known here.
    fn function_value(&mut self, group: expr::Group, span: Span) -> Expr {
        if !group.modes.is_empty() {
            return self.derivative_as_value(span);
        }
        let name = group.name.name;
        // As in calls, a function of the program takes precedence over builtins of the same name.
        let own = |m: &&members::Member| m.as_func().is_some_and(|f| !self.funcs[f.0 as usize].is_prelude);
        let own: Vec<&members::Member> = group.members.iter().filter(own).collect();
        let all: Vec<&members::Member> = if own.is_empty() { group.members.iter().collect() } else { own };
        let single = match all.as_slice() {
            [m] if group.modes.is_empty() => m.as_func().map(|f| (f, m.subst.clone())),
            _ => None,
        };
        let Some((f, subst)) = single else {
            self.error(
                codes::E0213,
                span,
                format!("`{name}` stands for several functions; which one is meant is not known"),
            );
            return Expr::error(span);
        };
        self.ensure_signature(f);
        if !self.may_call(f, span) {
            return Expr::error(span);
        }
        let info = &self.funcs[f.0 as usize];
        let (gens, generic) = (info.gens, info.declares_generics);
        let whole = info.this.is_none() && subst.is_empty() && (info.has_body || info.intrinsic.is_some());
        let args = match &group.explicit {
            _ if !whole => None,
            // An instance whose generic arguments are all written.
            Some(given) if generic => match self.complete_args(name, gens, &subst, given, span) {
                Some(args) => Some(args).filter(|args| !self.args_dependent(*args)),
                None => return Expr::error(span),
            },
            Some(_) => None,
            None => (!generic).then(Args::none),
        };
        let Some(args) = args else {
            self.error(codes::E0213, span, format!("`{name}` is a function; it can only be called"));
            return Expr::error(span);
        };
        let f = FuncRef { func: f, args };
        self.need_body(f.func);
        let id = match self.function_values.get(&f) {
            Some(id) => *id,
            None => self.new_function_value(f, span),
        };
        Expr { ty: Ty::new(TyKind::Struct(id)), span, kind: ExprKind::Construct(Vec::new()) }
    }

    fn new_function_value(&mut self, f: FuncRef, span: Span) -> StructId {
        let info = &self.funcs[f.func.0 as usize];
        let (name, mut params, ret, gens) = (info.name, info.params.clone(), info.ret, info.gens);
        let differentiable = info.is_differentiable();
        let s = generics::Subst::new(&self.all_params(gens), &f.args);
        for p in &mut params {
            p.no_diff |= self.is_inactive_to_all(p.ty);
            p.ty = self.subst(p.ty, &s);
        }
        let ret = self.subst(ret, &s);
        let id = StructId(self.structs.len() as u32);
        let ns = self.new_namespace(ROOT, Some(Owner::Struct(id)), &name);
        let mut made = StructInfo::new(None, span, ns);
        let shown = self.fresh_symbol(&format!("{name}.value"));
        (made.name, made.path, made.value_of, made.differentiable) = (shown, shown, Some(name), differentiable);
        (made.bases, made.state, made.has_defaults) = (State::Done, State::Done, Some(false));
        self.structs.push(made);
        self.function_values.insert(f, id);
        let ty = Ty::new(TyKind::Struct(id));
        let operator = Name::new("operator()");
        let all = std::iter::once(Param::plain("this", ty, span)).chain(params.iter().cloned()).collect();
        let call = self.new_synthesized(operator, all, ret, span);
        let mut body = Body::default();
        let args = self.param_locals(call, &mut body).split_off(1);
        let func = f;
        let value = Expr { ty: ret, span, kind: ExprKind::Call { func, args } };
        let kind = if ret.is_void() { StmtKind::Expr(value) } else { StmtKind::Return(Some(value)) };
        body.stmts.push(Stmt { span, kind });
        let info = &mut self.funcs[call.0 as usize];
        (info.this, info.owner, info.ns) = (Some(Dir::In), Some(Owner::Struct(id)), ns);
        info.attrs.differentiable = differentiable;
        (info.body, info.state) = (Some(Rc::new(body)), State::Done);
        self.define(ns, operator, Entry::Func(call));
        let types: Vec<Ty> = params.iter().map(|p| p.ty).collect();
        self.function_conformances(None, ty, ret, &types, differentiable, span);
        id
    }
}

/// The type of a parameter that takes a callable; `None` for others.
fn callable(ty: &ast::Expr) -> Option<&ast::Expr> {
    match &ty.kind {
        E::SomeType(inner) | E::Paren(inner) => callable(inner),
        E::FuncType { .. } => Some(ty),
        E::Name { name, args: Some(_) } if CALLABLE.iter().any(|c| name.name == **c) => Some(ty),
        _ => None,
    }
}
