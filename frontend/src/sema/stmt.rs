//! Checks function bodies and statements.

use super::types::TyKind;
use super::*;
use ast::{DeclKind, StmtKind as S};
use caustic_ir::codes;

impl Checker<'_> {
    pub(crate) fn check_body(&mut self, id: FuncId) {
        let info = &self.funcs[id.0 as usize];
        let (decl, ns, owner, ret, params) = (info.decl.clone(), info.ns, info.owner, info.ret, info.params.clone());
        let equal = self.equalities_of(info.gens);
        let info = &self.funcs[id.0 as usize];
        let (is_constructor, prelude, differentiable) =
            (info.is_constructor, info.is_prelude, info.attrs.differentiable && !info.links.replace_the_body());
        let this_dir = info.this;
        let has_derivatives = info.is_differentiable();
        let DeclKind::Func(f) = &decl.kind else { return };
        let Some(stmts) = &f.body else { return };
        let known = self.diags.len();
        self.cx =
            BodyCx { ns: Some(ns), equal, in_prelude: prelude, differentiable, has_derivatives, ..BodyCx::default() };
        self.cx.this_ty = owner.map(|o| self.this_type(o)).map(|t| self.settled(t));
        let ret = self.settled(ret);
        let params: Vec<Param> = params.into_iter().map(|p| Param { ty: self.settled(p.ty), ..p }).collect();
        let value = self.begin_throwing(ret);
        self.cx.ret = Some(value);
        self.push_scope();
        let held = self.declare_parameters(f, &params, this_dir.is_some());
        let mut body = Body { params: held, ..Body::default() };
        if is_constructor {
            self.cx.made = params.is_empty().then_some(ret);
            let local = Local {
                name: Name::new("this"),
                ty: ret,
                span: f.name.span,
                mutable: true,
                param: None,
                no_diff: false,
                known: None,
            };
            let lid = self.declare_local(local);
            self.cx.this = Some(lid);
            let init = ret.as_struct().and_then(|id| self.constructor_start(id, f.name.span));
            body.stmts.push(Stmt { span: f.name.span, kind: StmtKind::Var { local: lid, init } });
        }
        // Parameters have a scope of their own: a local may hide a parameter.
        self.push_scope();
        let (first, reported) = (body.stmts.len(), self.diags.len());
        self.check_stmts(stmts, &mut body.stmts);
        self.end_deferred(&mut body.stmts);
        self.pop_scope();
        self.pop_scope();
        if let Some(local) = self.cx.result {
            let span = f.name.span;
            body.stmts.insert(first, Stmt { span, kind: StmtKind::Var { local, init: None } });
            if reach::falls_through(&body.stmts) {
                let result = Expr { ty: value, span: f.end, kind: ExprKind::Local(local) };
                body.stmts.push(Stmt { span: f.end, kind: StmtKind::Return(Some(result)) });
            }
        }
        if is_constructor {
            let this = self.cx.this.map(|l| Expr { ty: ret, span: f.end, kind: ExprKind::Local(l) });
            body.stmts.push(Stmt { span: f.end, kind: StmtKind::Return(this) });
        } else if self.ends_without_value(ret, &body.stmts) {
            let name = f.name.name;
            if differentiable && !prelude && !reach::has_return(&body.stmts) && !self.failed_since(reported) {
                let text =
                    format!("`{name}` is differentiable and returns nothing, and its result is what has a derivative");
                self.error(codes::E0244, f.end, text);
            }
            // A throwing function without a result succeeds when its end is reached. What is wrong
            // in the body may have been the `return`.
            let is_whole = !self.cx.lacks_statement && !self.failed_since(reported);
            if !value.is_void() && reach::reaches_end(&body.stmts) && is_whole {
                self.warn(
                    codes::W0241,
                    f.end,
                    format!("`{name}` may end without returning a value; it then returns zero"),
                );
            }
            body.stmts.push(Stmt {
                span: f.end,
                kind: StmtKind::Return(Some(Expr { ty: ret, span: f.end, kind: ExprKind::Zero })),
            });
        }
        body.locals = std::mem::take(&mut self.cx.locals);
        self.settle_assertions(id, &mut body);
        self.note_host(id);
        self.end_unavailable(&mut body);
        self.funcs[id.0 as usize].attrs.switches_by_target = self.cx.switches_by_target;
        let watched = std::mem::take(&mut self.cx.without_value);
        self.cx = BodyCx::default();
        // What an error left without a value is no second mistake.
        if !self.diags[known.min(self.diags.len())..].iter().any(|d| d.severity == caustic_ir::Severity::Error) {
            self.check_unset(&body);
            self.check_untouched(id, &body, &watched);
        }
        if differentiable && !prelude && body.unavailable.is_none() {
            self.check_pointers(id);
            let read = self.check_derivative_flow(id, &body);
            self.check_held_constant(id, &read);
            self.end_lost_derivatives(&mut body.stmts);
        }
        let info = &mut self.funcs[id.0 as usize];
        info.body = Some(Rc::new(body));
        info.state = State::Done;
    }

    /// The locals that hold a function's parameters.
    fn declare_parameters(&mut self, f: &ast::FuncDecl, params: &[Param], has_this: bool) -> Vec<LocalId> {
        let mut locals = Vec::with_capacity(params.len());
        for (i, p) in params.iter().enumerate() {
            let is_this = has_this && i == 0;
            let source = if is_this { None } else { f.params.get(i - usize::from(has_this)) };
            let is_const = source.is_some_and(|s| ["const", "constref", "__constref"].iter().any(|w| s.mods.has(w)));
            let mutable = if is_this { p.dir == Dir::InOut } else { !is_const };
            let local = Local {
                name: p.name,
                ty: p.ty,
                span: p.span,
                mutable,
                param: Some(i as u32),
                no_diff: p.no_diff,
                known: None,
            };
            let lid = self.declare_local(local);
            if is_this {
                self.cx.this = Some(lid);
            }
            if p.dir != Dir::In {
                self.cx.of_caller.insert(lid);
            }
            locals.push(lid);
        }
        locals
    }

    /// Whether control may reach the end of a body that has to return a value.
    pub(crate) fn ends_without_value(&self, ret: Ty, stmts: &[Stmt]) -> bool {
        !self.is_unavailable() && !ret.is_void() && !ret.is_error() && reach::falls_through(stmts)
    }

    pub(crate) fn check_stmts(&mut self, stmts: &[ast::Stmt], out: &mut Vec<Stmt>) {
        let mut said = false;
        for (i, s) in stmts.iter().enumerate() {
            self.check_stmt(s, out);
            said = said || self.check_reached(s, &stmts[i + 1..]);
        }
    }

    pub(crate) fn check_scoped(&mut self, s: &ast::Stmt) -> Vec<Stmt> {
        match &s.kind {
            S::Block(stmts) => self.check_block(stmts, |_| {}),
            _ => self.check_block(std::slice::from_ref(s), |_| {}),
        }
    }

    /// Checks statements in a scope of their own, in which `declare` first declares names.
    pub(crate) fn check_block(&mut self, stmts: &[ast::Stmt], declare: impl FnOnce(&mut Self)) -> Vec<Stmt> {
        let mut out = Vec::new();
        let ns = self.cx.ns;
        self.push_scope();
        declare(self);
        self.check_stmts(stmts, &mut out);
        self.end_deferred(&mut out);
        self.pop_scope();
        self.cx.ns = ns;
        out
    }

    /// A condition, which is a constant if it is known.
    fn check_condition(&mut self, e: &ast::Expr) -> Expr {
        if self.assigns_by_mistake(e) {
            return Expr::error(e.span);
        }
        let c = self.check_value(e);
        let c = self.read_uniform(c);
        let c = self.condition(c);
        self.simplify(c)
    }

    pub(crate) fn check_stmt(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = s.span;
        self.noted.statement = span.lo;
        let kind = match &s.kind {
            S::Empty => return,
            S::Block(_) => StmtKind::Block(self.check_scoped(s)),
            S::Expr(e) => {
                self.check_is_used(e);
                let e = self.check_expr(e);
                self.before(out);
                if e.ty.is_error() {
                    return;
                }
                StmtKind::Expr(e)
            }
            S::Decl(decls) => {
                for d in decls {
                    self.check_local_decl(d, out);
                }
                return;
            }
            S::If { .. } => self.check_if(s),
            S::For { init, cond, step, body, attrs } => {
                let attrs = self.begin_loop(attrs);
                let kind = self.check_for(init.as_deref(), cond.as_ref(), step.as_ref(), body, attrs, span);
                return self.leave_target(span, Some(kind), out);
            }
            S::While { cond, body, attrs } => {
                let attrs = self.begin_loop(attrs);
                let kind = self.check_while(cond, body, attrs);
                return self.leave_target(span, Some(kind), out);
            }
            S::DoWhile { body, cond, attrs } => {
                let attrs = self.begin_loop(attrs);
                let kind = self.check_do_while(body, cond, attrs, span);
                return self.leave_target(span, Some(kind), out);
            }
            S::Switch { value, body } => {
                self.enter_target(false);
                let kind = self.check_switch(value, body, out);
                return self.leave_target(span, kind, out);
            }
            S::TargetSwitch { by_stage, body } => return self.check_target_switch(*by_stage, body, span, out),
            S::CompileFor { var, from, to, body } => match self.check_compile_for(*var, from.as_ref(), to, body) {
                Some(kind) => kind,
                None => return,
            },
            S::Labeled { label, body } => return self.check_labeled(*label, body, out),
            S::Defer(body) => return self.check_defer(body),
            S::Case(_) | S::Default => {
                self.error(codes::E0242, span, "a label can only stand directly inside a `switch`");
                return;
            }
            S::Break(label) => return self.check_break(*label, span, out),
            S::Continue => return self.check_continue(span, out),
            S::Return(value) => {
                let value = self.check_return(value.as_ref(), span, out);
                return self.leave_function(value, span, out);
            }
            S::Attributed { body, .. } => return self.check_stmt(body, out),
            S::Throw(e) => return self.check_throw(e, span, out),
            S::DoCatch { body, param, handler } => {
                return self.check_do_catch(body, param.as_ref(), handler, span, out);
            }
            S::Discard => {
                let name = ast::Ident { name: Name::new("__discard"), span };
                let callee = ast::Expr { span, kind: ast::ExprKind::Name { name, args: None } };
                let call = ast::ExprKind::Call { callee: callee.into(), args: Vec::new() };
                StmtKind::Expr(self.check_expr(&ast::Expr { span, kind: call }))
            }
            S::TargetCode(word) => return self.target_code(word, span),
        };
        self.before(out);
        out.push(Stmt { span, kind });
    }

    /// Enters a loop, which is a target of `break` and `continue`.
    fn begin_loop(&mut self, attrs: &[ast::Attribute]) -> LoopAttrs {
        let attrs = self.loop_attrs(attrs);
        self.enter_target(true);
        attrs
    }

    fn check_while(&mut self, cond: &ast::Expr, body: &ast::Stmt, attrs: LoopAttrs) -> StmtKind {
        let mut cond = Some(self.check_condition(cond));
        let before = self.before_condition();
        let mut body = self.check_scoped(body);
        test_inside(before, &mut cond, &mut body);
        StmtKind::Loop { init: Vec::new(), cond, step: None, body, test_first: true, attrs }
    }

    fn check_for(
        &mut self,
        init: Option<&ast::Stmt>,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        attrs: LoopAttrs,
        span: Span,
    ) -> StmtKind {
        self.push_scope();
        let mut init_out = Vec::new();
        match init {
            Some(ast::Stmt { kind: S::Expr(e), span }) if matches!(e.kind, ast::ExprKind::Comma(_)) => {
                let e = self.check_in_head(e);
                self.before(&mut init_out);
                init_out.push(Stmt { span: *span, kind: StmtKind::Expr(e) });
            }
            Some(i) => self.check_stmt(i, &mut init_out),
            None => {}
        }
        let mut cond = cond.map(|c| self.check_condition(c));
        let before = self.before_condition();
        let mut step = step.map(|e| self.check_in_head(e));
        if !self.check_direction(cond.as_ref(), step.as_ref()) {
            self.check_runs(&init_out, cond.as_ref());
        }
        let mut trying = self.before_condition();
        let mut body = self.check_scoped(body);
        if !trying.is_empty() {
            trying.extend(step.take().map(|e| Stmt { span, kind: StmtKind::Expr(e) }));
            test_after(before, &mut cond, &mut body);
            init_out.push(self.but_not_first(trying, span, &mut body));
        } else {
            test_inside(before, &mut cond, &mut body);
        }
        self.pop_scope();
        StmtKind::Loop { init: init_out, cond, step, body, test_first: true, attrs }
    }

    fn check_do_while(&mut self, body: &ast::Stmt, cond: &ast::Expr, attrs: LoopAttrs, span: Span) -> StmtKind {
        let mut body = self.check_scoped(body);
        let mut cond = Some(self.check_condition(cond));
        let before = self.before_condition();
        let mut init = Vec::new();
        if !before.is_empty() {
            let mut tests = Vec::new();
            test_inside(before, &mut cond, &mut tests);
            init.push(self.but_not_first(tests, span, &mut body));
        }
        StmtKind::Loop { init, cond, step: None, body, test_first: false, attrs }
    }

    /// Checks an `if`. Chains of `else if` are walked without recursion.
    fn check_if(&mut self, s: &ast::Stmt) -> StmtKind {
        let mut arms = Vec::new();
        let mut at = s;
        let mut last = loop {
            let S::If { cond, then, other } = &at.kind else {
                self.check_not_empty(at);
                break self.check_scoped(at);
            };
            match &cond.kind {
                ast::ExprKind::Let { name, is_let, value } => match self.check_if_let(*name, *is_let, value, then) {
                    Some((before, c, t)) => arms.push((at.span, before, c, t)),
                    None => arms.push((at.span, Vec::new(), Expr::error(cond.span), Vec::new())),
                },
                _ => {
                    let c = self.check_condition(cond);
                    let before = self.before_condition();
                    let known = self.assume_tested(&c);
                    self.check_not_empty(then);
                    let t = self.check_scoped(then);
                    self.forget_tested(known);
                    arms.push((at.span, before, c, t));
                }
            }
            match other {
                Some(o) => at = o,
                None => break Vec::new(),
            }
        };
        loop {
            let Some((span, before, cond, then)) = arms.pop() else { return StmtKind::Block(last) };
            let mut kind = StmtKind::If { cond, then, other: last };
            if !before.is_empty() {
                let stmts = before.into_iter().chain([Stmt { span, kind }]).collect();
                kind = StmtKind::Block(stmts);
            }
            if arms.is_empty() {
                return kind;
            }
            last = vec![Stmt { span, kind }];
        }
    }

    /// `__return_val`: the place of the result, which is returned at the end of the function.
    pub(crate) fn result_place(&mut self, span: Span) -> Option<Expr> {
        let ty = self.cx.ret.filter(|ret| !ret.is_void() && !self.cx.infers_result)?;
        let local = match self.cx.result {
            Some(local) => local,
            None => {
                let local = LocalId(self.cx.locals.len() as u32);
                let name = Name::new("__return_val");
                let (param, no_diff, known) = (None, false, None);
                self.cx.locals.push(Local { name, ty, span, mutable: true, param, no_diff, known });
                self.cx.result = Some(local);
                local
            }
        };
        Some(Expr { ty, span, kind: ExprKind::Local(local) })
    }

    /// The value of a `return` that decides the result type of a lambda.
    pub(crate) fn result_of(&mut self, e: &ast::Expr, out: &mut Vec<Stmt>) -> Option<Expr> {
        let v = self.check_expr(e);
        let v = self.read_uniform(v);
        let ty = if v.ty == Ty::new(TyKind::InitList) {
            self.error(codes::E0202, e.span, "the result of a lambda cannot be found from an initializer list");
            Ty::error()
        } else {
            v.ty
        };
        self.cx.ret = Some(ty);
        if ty.is_void() {
            self.only_done(v, out);
            return None;
        }
        (!ty.is_error()).then_some(v)
    }

    /// `return f();`, where `f` has no result.
    fn only_done(&mut self, v: Expr, out: &mut Vec<Stmt>) {
        self.before(out);
        if v.ty.is_void() {
            out.push(Stmt { span: v.span, kind: StmtKind::Expr(v) });
        }
    }

    /// The value that a `return` returns.
    fn check_return(&mut self, value: Option<&ast::Expr>, span: Span, out: &mut Vec<Stmt>) -> Option<Expr> {
        if let (true, None, Some(e)) = (self.cx.infers_result, self.cx.ret, value) {
            return self.result_of(e, out);
        }
        let ret = self.cx.ret.unwrap_or(Ty::void());
        let in_constructor =
            self.cx.this.is_some_and(|l| self.cx.locals[l.0 as usize].param.is_none() && !ret.is_void());
        match value {
            None if in_constructor => self.cx.this.map(|l| Expr { ty: ret, span, kind: ExprKind::Local(l) }),
            None => {
                if !ret.is_void() && !ret.is_error() {
                    let shown = self.show(ret);
                    self.error(codes::E0244, span, format!("`return` needs a value of type `{shown}`"));
                }
                None
            }
            Some(e) => {
                let v = self.check_expr(e);
                if ret.is_void() {
                    if !v.ty.is_void() && !v.ty.is_error() {
                        self.error(codes::E0244, e.span, "this function returns no value");
                    }
                    self.only_done(v, out);
                    return None;
                }
                if v.ty.is_void() {
                    let shown = self.show(ret);
                    self.error(codes::E0203, e.span, format!("expected `{shown}`, found `void`"));
                    return None;
                }
                // The first result of a lambda expression decides the type of the others.
                if self.cx.infers_result && v.ty != ret && !v.ty.is_error() && !matches!(v.kind, ExprKind::InitList(_))
                {
                    let (want, found) = (self.show(ret), self.show(v.ty));
                    self.error(
                        codes::E0203,
                        e.span,
                        format!("this lambda expression returned `{want}` before, and now `{found}`"),
                    );
                    return None;
                }
                if self.loses_result_derivative(&v, ret) {
                    return None;
                }
                Some(self.coerce_init(v, ret))
            }
        }
    }

    /// Reports a differentiable function that returns a float as an integer without saying so, as
    /// slangc does.
    fn loses_result_derivative(&mut self, v: &Expr, ret: Ty) -> bool {
        let is_float = |ty: Ty| ty.element_scalar().is_some_and(types::Scalar::is_float);
        let known = ret.element_scalar().is_some_and(|s| s.is_int());
        if !self.cx.differentiable || !known || !is_float(v.ty) || matches!(v.kind, ExprKind::Const(_)) {
            return false;
        }
        let (from, into) = (self.show(v.ty), self.show(ret));
        let d = self.error(codes::E0203, v.span, format!("expected `{into}`, found `{from}`"));
        d.notes.push(format!(
            "the derivative of the result would be lost: write `{into}(…)` if it is meant, or return `{from}`"
        ));
        true
    }

    fn check_local_decl(&mut self, d: &Rc<ast::Decl>, out: &mut Vec<Stmt>) {
        // `extern` says nothing about a variable of a function.
        let variable = matches!(&d.kind, DeclKind::Var(_)) && !d.mods.has("static");
        if d.mods.has("extern") && !variable || d.mods.has("export") {
            return self.unsupported(d.span, "linkage of what a function declares");
        }
        match &d.kind {
            DeclKind::Var(v) => self.check_local_var(d, v, out),
            DeclKind::Typedef { name, generics, ty, .. } => {
                if !generics.is_empty() {
                    return self.unsupported(name.span, "a generic type alias");
                }
                let ty = self.resolve_type(ty);
                self.declare_local_item(name.name, Entry::Bound(ty));
            }
            DeclKind::Struct(s) => {
                let Some(name) = s.name else { return self.unsupported(d.span, "a struct without a name") };
                let ns = self.current_ns();
                let id = self.new_struct(name.name, d, ns);
                self.declare_local_item(name.name, Entry::Struct(id));
                // Methods find the struct's own name in its namespace.
                let inner = self.structs[id.0 as usize].ns;
                self.define(inner, name.name, Entry::Struct(id));
                let first = self.funcs.len();
                self.collect_members(id);
                self.resolve_fields(id);
                for f in first..self.funcs.len() {
                    self.ensure_signature(FuncId(f as u32));
                    self.need_body(FuncId(f as u32));
                }
            }
            // Only the name of a type is declared here, as in slangc.
            DeclKind::Enum(e) if e.in_typedef => {
                let ns = self.current_ns();
                let id = self.new_enum(d, e, ns);
                if let Some(name) = e.name {
                    self.declare_local_item(name.name, Entry::Enum(id));
                }
            }
            DeclKind::Enum(e) => {
                let span = e.name.map_or(d.span, |n| n.span);
                // That it is not found is no other mistake.
                self.broken.extend(e.name.map(|n| n.name));
                self.error(codes::E0226, span, "an enum cannot be declared inside a function");
            }
            DeclKind::StaticAssert { cond, message } => {
                if let Some(cond) = self.static_assert(cond, message.as_ref()) {
                    let message = message.as_ref().and_then(ast::Expr::text);
                    out.push(Stmt { span: d.span, kind: StmtKind::Assert { cond, message } });
                }
            }
            DeclKind::Using(path) => self.use_in_body(path),
            DeclKind::Func(f) => {
                // That it is not found is no other mistake.
                self.broken.insert(f.name.name);
                self.unsupported(f.name.span, "a function inside a function");
            }
            DeclKind::Empty => {}
            _ => self.unsupported(d.span, "this declaration inside a function"),
        }
    }

    fn check_local_var(&mut self, d: &Rc<ast::Decl>, v: &ast::VarDecl, out: &mut Vec<Stmt>) {
        let span = v.name.span;
        let is_static = d.mods.has("static");
        let is_const = d.mods.has("const") || d.mods.has("constexpr") || v.is_let;
        if d.mods.has("groupshared") {
            return self.local_groupshared(v);
        }
        if is_static && !is_const {
            return self.local_static(d, v, out);
        }
        let no_diff = d.mods.has("no_diff");
        let function = match (&v.ty, &v.init) {
            (Some(t), Some(_)) => self.function_type_of(t),
            _ => None,
        };
        let declared = v.ty.as_ref().filter(|_| function.is_none()).map(|t| self.resolve_type(t));
        let called = match (&v.ty, &v.init, is_static) {
            (None, Some(call @ ast::Expr { kind: ast::ExprKind::Call { .. }, .. }), false) => {
                Some(self.check_expr(call))
            }
            _ => v.init.as_ref().and_then(|i| self.handle_of_list(v, declared?, i)),
        };
        if let Some(value) = called.as_ref().filter(|value| value.ty.is_void()) {
            return self.declare_void(v, value.clone(), out);
        }
        let init = v.init.as_ref().map(|i| {
            let e = called.unwrap_or_else(|| self.check_local_init(i, declared, is_static));
            self.check_described(&e, function);
            e
        });
        self.note_handle_or_value(span, v.ty.as_ref().zip(declared), init.as_ref());
        if init.is_none() && is_static {
            self.error(codes::E0206, span, "a constant needs a value");
        }
        let ty = match (&init, declared) {
            (Some(e), None) => e.ty,
            (Some(e), Some(t)) if matches!(t.kind(), TyKind::Array(_, None)) => e.ty,
            (_, Some(t)) => t,
            (None, None) => {
                self.error(codes::E0202, span, format!("`{}` needs a type or a value", v.name.name));
                Ty::error()
            }
        };
        let ty = match ty.kind() {
            TyKind::Array(_, None) => {
                self.error(codes::E0207, span, "this array needs a size or an initializer");
                Ty::error()
            }
            // A string with known text is a constant.
            TyKind::Str => match init {
                Some(value) if self.text_of(&value).is_some() => return self.local_constant(d, v.name.name, value),
                Some(_) => ty,
                None => {
                    self.error(codes::E0261, span, "a string needs a value");
                    return self.declare_local_item(v.name.name, Entry::Unsupported);
                }
            },
            _ => self.require_value_type(ty, span, "a variable"),
        };
        let init = init.map(|e| {
            let e = self.read_uniform(e);
            self.simplify(e)
        });
        if !no_diff && self.name_place(v.name.name, init.as_ref(), declared, out) {
            return;
        }
        if is_static && let Some(value) = &init {
            return self.local_constant(d, v.name.name, value.clone());
        }
        if let Some(value) = init.as_ref().filter(|value| is_const && !no_diff && self.is_decided_later(value)) {
            return self.local_constant(d, v.name.name, value.clone());
        }
        let known = match &init {
            Some(Expr { kind: ExprKind::Const(c), .. }) if is_const => Some(*c),
            _ => None,
        };
        let held = declared.is_none()
            && self.interface_type(ty).is_some()
            && matches!(init, Some(Expr { kind: ExprKind::Call { .. } | ExprKind::CallOn { .. }, .. }));
        let init = match init {
            // A variable without an initializer is zero, unless its type has to be initialized.
            None if self.begins_initialized(ty) => Some(self.default_value(ty, span)),
            other => other.filter(|e| !matches!(e.kind, ExprKind::Error)),
        };
        // A `no_diff` variable is initialized without the derivative of the value.
        let init = match init {
            Some(e) if no_diff && self.cx.differentiable => Some(e.detached()),
            other => other,
        };
        let local = Local { name: v.name.name, ty, span, mutable: !is_const, param: None, no_diff, known };
        let id = self.declare_local(local);
        if init.is_none() {
            self.cx.without_value.push(id);
        }
        if held {
            self.cx.held.insert(id);
        }
        self.before(out);
        out.push(Stmt { span: d.span, kind: StmtKind::Var { local: id, init } });
    }

    /// Checks that a value is a function as the declared type of its variable describes it.
    fn check_described(&mut self, e: &Expr, function: Option<Ty>) {
        if let Some(TyKind::Interface(asked)) = function.map(Ty::kind)
            && !e.ty.is_error()
            && !self.conforms(e.ty, *asked)
        {
            let (want, found) = (self.show_ref(*asked), self.show(e.ty));
            self.error(codes::E0203, e.span, format!("`{found}` is not a function as `{want}` describes it"));
        }
    }

    /// Whether generic arguments decide a number: it is a constant, too.
    fn is_decided_later(&self, e: &Expr) -> bool {
        !matches!(e.kind, ExprKind::Const(_)) && e.ty.as_scalar().is_some() && self.as_val(e).is_some()
    }

    /// `let x = f();`, where `f` has no result: the call is kept, and the variable has no value.
    fn declare_void(&mut self, v: &ast::VarDecl, value: Expr, out: &mut Vec<Stmt>) {
        let span = v.name.span;
        if !value.ty.is_error() {
            self.warn(codes::W0213, span, format!("`{}` is of type `void`: the function returns nothing", v.name.name));
        }
        self.before(out);
        if !value.ty.is_error() {
            out.push(Stmt { span: value.span, kind: StmtKind::Expr(value) });
        }
        let name = v.name.name;
        self.declare_local(Local {
            name,
            ty: Ty::void(),
            span,
            mutable: false,
            param: None,
            no_diff: false,
            known: None,
        });
    }

    fn local_constant(&mut self, d: &Rc<ast::Decl>, name: Name, value: Expr) {
        let id = ConstId(self.consts.len() as u32);
        let ns = self.current_ns();
        let value = Some(Rc::new(value));
        self.consts.push(ConstInfo { name, decl: d.clone(), ns, value, linked: None, state: State::Done });
        self.declare_local_item(name, Entry::Const(id));
    }

    /// The type of what is in a block of constants.
    pub(crate) fn read_type(&self, ty: Ty) -> Ty {
        match ty.kind() {
            TyKind::Uniform(t, _) => t.as_value(),
            _ => ty,
        }
    }
}

/// Moves the test of a loop into its body, if the condition needs statements before it.
fn test_inside(before: Vec<Stmt>, cond: &mut Option<Expr>, body: &mut Vec<Stmt>) {
    if !before.is_empty() {
        test_after(before, cond, body);
    }
}

/// Moves the test of a loop into its body.
fn test_after(mut before: Vec<Stmt>, cond: &mut Option<Expr>, body: &mut Vec<Stmt>) {
    if let Some(cond) = cond.take() {
        let span = cond.span;
        let other = vec![Stmt { span, kind: StmtKind::Break }];
        before.push(Stmt { span, kind: StmtKind::If { cond, then: Vec::new(), other } });
    }
    before.append(body);
    *body = before;
}
