//! Functions that dispatch on the type that a value holds: makes their entries, and the functions
//! that convert where signatures differ.

use super::existentials::{Dispatch, Target};
use super::types::{Args, GArg, InterfaceRef};
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    pub(super) fn add_dispatch(
        &mut self,
        interface: InterfaceRef,
        func: FuncId,
        target: Target,
        object: usize,
        span: Span,
        generation: u32,
    ) {
        let mut key = self.funcs[func.0 as usize].name.to_string();
        if let Target::Function(f, _) | Target::Static(f, _) = target {
            let own = self.own_of(f.func).len();
            let texts: Vec<String> =
                f.args[f.args.len() - own.min(f.args.len())..].iter().map(|a| self.show_arg(*a)).collect();
            if !texts.is_empty() {
                key = format!("{key}<{}>", texts.join(", "));
            }
        }
        // Overloads have the same name.
        let same =
            |d: &&Dispatch| d.interface == interface && (*d.key == *key || d.key.starts_with(&format!("{key} #")));
        let n = self.existentials.dispatches.iter().filter(same).count();
        let key = if n == 0 { Name::new(&key) } else { Name::new(&format!("{key} #{n}")) };
        let info = &mut self.funcs[func.0 as usize];
        info.dispatch = Some(self.existentials.dispatches.len() as u32);
        info.instance_of = None;
        info.has_body = false;
        let new = Dispatch { interface, func, key, entries: Vec::new(), target, object, span, generation };
        self.existentials.dispatches.push(new);
    }

    /// Gives every dispatch its entries. Returns whether some were missing.
    pub(crate) fn complete_dispatches(&mut self) -> bool {
        let mut progress = false;
        let mut next = 0;
        while next < self.existentials.dispatches.len() {
            let (interface, have) = {
                let d = &self.existentials.dispatches[next];
                (d.interface, d.entries.len())
            };
            match self.conformers(interface).get(have).map(|c| c.ty) {
                Some(ty) if !self.failed() => {
                    let entry = self.entry(next, ty);
                    let failed = self.existentials.dispatches[next].func;
                    self.existentials.dispatches[next].entries.push(entry.unwrap_or(failed));
                    progress = true;
                }
                _ => next += 1,
            }
        }
        progress
    }

    /// The entry for a conforming type: it has the signature of the dispatch, with this type as
    /// that of the object.
    fn entry(&mut self, dispatch: usize, ty: Ty) -> Option<FuncId> {
        let d = &self.existentials.dispatches[dispatch];
        let (func, target, object, span, generation) = (d.func, d.target, d.object, d.span, d.generation);
        let d_interface = d.interface;
        let mut params = self.funcs[func.0 as usize].params.clone();
        params[0].ty = ty;
        let ret = self.funcs[func.0 as usize].ret;
        let inner = match target {
            Target::Upcast(_) | Target::Words(_) => None,
            Target::Function(f, at) | Target::Static(f, at) => {
                let mut args = f.args.to_vec();
                args[at] = GArg::Ty(ty);
                let inner = self.instance(FuncRef { func: f.func, args: Args::new(args) }, span, generation)?;
                let found = &self.funcs[inner.0 as usize];
                let same = |p: &Param, q: &Param| p.ty == q.ty && p.dir == q.dir;
                if object == 0
                    && matches!(target, Target::Function(..))
                    && found.ret == ret
                    && found.params.len() == params.len()
                    && found.params.iter().zip(&params).all(|(p, q)| same(p, q))
                {
                    return Some(inner);
                }
                Some(inner)
            }
        };
        let entry = self.synthesized(func, params, Some(ty));
        let body = match inner {
            None if matches!(target, Target::Words(_)) => self.words_body(entry, d_interface, ret),
            None => {
                let mut body = Body::default();
                let value = self.param_locals(entry, &mut body)[0].clone();
                let result = self.adapt(value, ret, span)?;
                body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(result)) });
                Some(body)
            }
            Some(inner) => {
                let object = matches!(target, Target::Function(..)).then_some(object);
                let apart = self.taken_apart(target, inner);
                self.converting(entry, inner, object, &apart, span)
            }
        };
        let Some(body) = body else {
            let name = self.funcs[func.0 as usize].name;
            let text = format!("`{name}` cannot be called on a value of an interface's type");
            let d = self.error(codes::E0237, span, text);
            d.notes.push("its signature depends on the type that the value holds, which is not known here".to_string());
            return None;
        };
        self.funcs[entry.0 as usize].body = Some(Rc::new(body));
        Some(entry)
    }

    /// By parameter of a dispatch's target: whether it is a pack that the function for a conforming
    /// type takes as separate parameters.
    fn taken_apart(&self, target: Target, inner: FuncId) -> Vec<bool> {
        let (Target::Function(f, _) | Target::Static(f, _)) = target else { return Vec::new() };
        let made = &self.funcs[inner.0 as usize];
        let declared = made.instance_of.map_or(inner, |f| f.func);
        if !self.packed_params(declared).is_empty() {
            return Vec::new();
        }
        self.packed_params(f.func)
    }

    // ---- functions made here --------------------------------------------------------------------

    /// Makes a function like `of` with other parameters. The name of `ty` becomes a part of its
    /// name.
    pub(super) fn synthesized(&mut self, of: FuncId, params: Vec<Param>, ty: Option<Ty>) -> FuncId {
        let info = &self.funcs[of.0 as usize];
        let (name, ret, attrs, no_diff) = (info.name, info.ret, info.attrs.clone(), info.ret_no_diff);
        let span = info.decl.name().map_or(info.decl.span, |n| n.span);
        let decl = info.decl.clone();
        let id = self.new_synthesized(name, params, ret, span);
        let base = match ty {
            Some(ty) => format!("{name}.{}", self.show(ty)),
            None => name.to_string(),
        };
        let symbol = self.fresh_symbol(&base);
        let info = &mut self.funcs[id.0 as usize];
        (info.symbol, info.attrs, info.ret_no_diff, info.decl) = (symbol, attrs, no_diff, decl);
        id
    }

    pub(super) fn new_synthesized(&mut self, name: Name, params: Vec<Param>, ret: Ty, span: Span) -> FuncId {
        let id = FuncId(self.funcs.len() as u32);
        let symbol = self.fresh_symbol(&name);
        let decl = ast::Decl { span, mods: ast::Modifiers::default(), kind: ast::DeclKind::Empty };
        self.funcs.push(FuncInfo {
            name,
            symbol,
            named: true,
            decl: Rc::new(decl),
            ns: ROOT,
            owner: None,
            gens: None,
            declares_generics: false,
            this: None,
            params,
            ret,
            ret_no_diff: false,
            attrs: FuncAttrs { differentiable: true, ..FuncAttrs::default() },
            links: links::Links::default(),
            intrinsic: None,
            is_prelude: true,
            has_body: true,
            is_constructor: false,
            instance_of: None,
            dispatch: None,
            sampled: false,
            generation: 0,
            body: None,
            signature: State::Done,
            state: State::Done,
        });
        id
    }

    /// Declares the parameters of a function as locals of its body. Returns an expression for each.
    pub(super) fn param_locals(&self, f: FuncId, body: &mut Body) -> Vec<Expr> {
        let params = self.funcs[f.0 as usize].params.clone();
        let mut out = Vec::with_capacity(params.len());
        for (i, p) in params.iter().enumerate() {
            let id = LocalId(body.locals.len() as u32);
            body.locals.push(Local {
                name: p.name,
                ty: p.ty,
                span: p.span,
                mutable: true,
                param: Some(i as u32),
                no_diff: p.no_diff,
                known: None,
            });
            body.params.push(id);
            out.push(Expr { ty: p.ty, span: p.span, kind: ExprKind::Local(id) });
        }
        out
    }

    /// A body that calls `to` with the parameter `object` as the first argument.
    pub(super) fn passing(&mut self, from: FuncId, to: FuncId, object: usize, span: Span) -> Body {
        let mut body = Body::default();
        let mut args = self.param_locals(from, &mut body);
        let moved = args.remove(object);
        args.insert(0, moved);
        let ty = self.funcs[from.0 as usize].ret;
        let call = Expr { ty, span, kind: ExprKind::Call { func: FuncRef { func: to, args: Args::none() }, args } };
        let kind = if ty.is_void() { StmtKind::Expr(call) } else { StmtKind::Return(Some(call)) };
        body.stmts.push(Stmt { span, kind });
        body
    }

    /// A body that calls `to`, and converts arguments and result to the types that are needed. The
    /// first parameter is passed as the argument `object`, if there is one. A parameter for which
    /// `apart` holds is a pack, whose elements `to` takes one by one.
    fn converting(
        &mut self,
        from: FuncId,
        to: FuncId,
        object: Option<usize>,
        apart: &[bool],
        span: Span,
    ) -> Option<Body> {
        let mut body = Body::default();
        let mut values = self.param_locals(from, &mut body);
        let moved = values.remove(0);
        if let Some(object) = object {
            values.insert(object.min(values.len()), moved);
        }
        if apart.contains(&true) {
            let mut parts = Vec::new();
            for (value, list) in values.into_iter().zip(apart) {
                if *list { self.splice(value, &mut parts) } else { parts.push(value) }
            }
            values = parts;
        }
        let wanted = self.funcs[to.0 as usize].params.clone();
        let (ret, inner_ret) = (self.funcs[from.0 as usize].ret, self.funcs[to.0 as usize].ret);
        let mut args = Vec::with_capacity(values.len());
        let mut back = Vec::new();
        for (value, p) in values.into_iter().zip(&wanted) {
            if value.ty == p.ty {
                args.push(value);
                continue;
            }
            if p.dir == Dir::In {
                args.push(self.adapt(value, p.ty, span)?);
                continue;
            }
            let local = LocalId(body.locals.len() as u32);
            body.locals.push(Local {
                name: p.name,
                ty: p.ty,
                span,
                mutable: true,
                param: None,
                no_diff: p.no_diff,
                known: None,
            });
            let init = if p.dir == Dir::InOut { Some(self.adapt(value.clone(), p.ty, span)?) } else { None };
            body.stmts.push(Stmt { span, kind: StmtKind::Var { local, init } });
            let held = Expr { ty: p.ty, span, kind: ExprKind::Local(local) };
            args.push(held.clone());
            let ty = value.ty;
            let new = self.adapt(held, ty, span)?;
            let kind = ExprKind::Assign { place: value.into(), value: new.into() };
            back.push(Stmt { span, kind: StmtKind::Expr(Expr { ty, span, kind }) });
        }
        let func = FuncRef { func: to, args: Args::none() };
        let call = Expr { ty: inner_ret, span, kind: ExprKind::Call { func, args } };
        if ret.is_void() {
            body.stmts.push(Stmt { span, kind: StmtKind::Expr(call) });
            body.stmts.extend(back);
            return Some(body);
        }
        let local = LocalId(body.locals.len() as u32);
        let name = Name::new("result");
        body.locals.push(Local { name, ty: inner_ret, span, mutable: true, param: None, no_diff: false, known: None });
        body.stmts.push(Stmt { span, kind: StmtKind::Var { local, init: Some(call) } });
        body.stmts.extend(back);
        let result = Expr { ty: inner_ret, span, kind: ExprKind::Local(local) };
        let result = self.adapt(result, ret, span)?;
        body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(result)) });
        Some(body)
    }
}
