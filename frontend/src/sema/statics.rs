//! Checks `static` variables that can be written to: each thread has its own. `thread_statics`
//! passes them to the functions that use them.

use super::generics::Subst;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

pub struct StaticInfo {
    pub name: Name,
    pub span: Span,
    decl: Rc<ast::Decl>,
    pub ns: NsId,
    pub ty: Ty,
    pub init: Option<Rc<Expr>>,
    state: State,
}

impl Checker<'_> {
    /// Declares a static variable. Returns the entry for its name.
    pub(crate) fn new_static(&mut self, decl: &Rc<ast::Decl>, v: &ast::VarDecl, ns: NsId) -> Entry {
        let id = StaticId(self.statics.len() as u32);
        self.statics.push(StaticInfo {
            name: v.name.name,
            span: v.name.span,
            decl: decl.clone(),
            ns,
            ty: Ty::error(),
            init: None,
            state: State::New,
        });
        Entry::Static(id)
    }

    /// A static variable in a function. Its initializer can use the declarations around it, but no
    /// variables.
    pub(crate) fn local_static(&mut self, decl: &Rc<ast::Decl>, v: &ast::VarDecl, out: &mut Vec<Stmt>) {
        let ns = self.current_ns();
        let entry = self.new_static(decl, v, ns);
        let Entry::Static(id) = entry else { return };
        let said = self.diags.len();
        let outer = std::mem::replace(&mut self.cx.const_only, true);
        self.resolve_static(id, v);
        self.cx.const_only = outer;
        let at_run_time = self.diags[said..].iter().any(|d| d.code == codes::E0261) || self.reads_object(id);
        if at_run_time && let Some(init) = &v.init {
            self.diags.truncate(said);
            self.begin_static(id, decl, v, init, out);
        }
        self.declare_local_item(v.name.name, entry);
    }

    /// Whether the initializer reads the object of the method around it, or another local variable:
    /// these are known when the declaration is reached.
    fn reads_object(&self, id: StaticId) -> bool {
        fn reads(e: &Expr) -> bool {
            let mut found = matches!(e.kind, ExprKind::Local(_));
            e.for_each_part(&mut |part| found |= reads(part));
            found
        }
        self.statics[id.0 as usize].init.as_deref().is_some_and(reads)
    }

    /// A static variable that is initialized when a thread reaches its declaration for the first
    /// time.
    fn begin_static(
        &mut self,
        id: StaticId,
        decl: &Rc<ast::Decl>,
        v: &ast::VarDecl,
        init: &ast::Expr,
        out: &mut Vec<Stmt>,
    ) {
        let (ns, span) = (self.current_ns(), v.name.span);
        let declared = v.ty.as_ref().map(|t| self.resolve_type(t));
        let value = self.check_init(init, declared);
        if value.ty.is_error() {
            return;
        }
        let ty = self.require_value_type(value.ty, span, "a static variable");
        let begun = ast::Ident { name: Name::new(&format!("{} begun", v.name.name)), span };
        let flag = ast::VarDecl { name: begun, ty: None, init: None, ..v.clone() };
        let Entry::Static(flag) = self.new_static(decl, &flag, ns) else { return };
        for (id, ty) in [(id, ty), (flag, Ty::bool())] {
            let info = &mut self.statics[id.0 as usize];
            (info.ty, info.init, info.state) = (ty, None, State::Done);
        }
        let none = Subst::default();
        let (place, flag) = (self.static_place(id, &none, span), self.static_place(flag, &none, span));
        let yes = Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(true)) };
        let not = ExprKind::Unary { op: UnaryOp::Not, arg: flag.clone().into() };
        let cond = Expr { ty: Ty::bool(), span, kind: not };
        self.before(out);
        let assign = |place: Expr, value: Expr| {
            let ty = place.ty;
            let kind = ExprKind::Assign { place: place.into(), value: value.into() };
            Stmt { span, kind: StmtKind::Expr(Expr { ty, span, kind }) }
        };
        let then = vec![assign(flag, yes), assign(place, value)];
        out.push(Stmt { span, kind: StmtKind::If { cond, then, other: Vec::new() } });
    }

    pub(crate) fn ensure_static(&mut self, id: StaticId) {
        let info = &self.statics[id.0 as usize];
        if info.state != State::New {
            if info.state == State::Busy {
                let (name, span) = (info.name, info.span);
                self.error(codes::E0209, span, format!("`{name}` is defined in terms of itself"));
            }
            return;
        }
        let (decl, ns) = (info.decl.clone(), info.ns);
        let ast::DeclKind::Var(v) = &decl.kind else { return };
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        self.resolve_static(id, v);
        self.cx = outer;
    }

    fn resolve_static(&mut self, id: StaticId, v: &ast::VarDecl) {
        self.statics[id.0 as usize].state = State::Busy;
        let declared = v.ty.as_ref().map(|t| self.resolve_type(t));
        let init = v.init.as_ref().map(|i| self.check_init(i, declared));
        let ty = match (&init, declared) {
            (Some(e), None) => e.ty,
            (Some(e), Some(t)) if matches!(t.kind(), TyKind::Array(_, None)) => e.ty,
            (_, Some(t)) => t,
            (None, None) => {
                self.error(codes::E0202, v.name.span, format!("`{}` needs a type or a value", v.name.name));
                Ty::error()
            }
        };
        let ty = match ty.kind() {
            TyKind::Array(_, None) if init.is_none() => {
                self.error(codes::E0207, v.name.span, "this array needs a size or an initializer");
                Ty::error()
            }
            _ => self.require_value_type(ty, v.name.span, "a static variable"),
        };
        if self.cx.locals.is_empty() && !self.cx.const_only && self.holds_resource(ty) {
            let shown = self.show(ty);
            self.error(
                codes::E0260,
                v.name.span,
                format!("a static variable cannot hold a resource, as `{shown}` does"),
            )
            .notes
            .push("a shader parameter has no `static`; a constant is `static const`".to_string());
        }
        let info = &mut self.statics[id.0 as usize];
        info.ty = ty;
        info.init = init.filter(|e| !e.ty.is_error()).map(Rc::new);
        info.state = State::Done;
    }

    /// A static variable as a place.
    pub(crate) fn static_place(&mut self, id: StaticId, s: &Subst, span: Span) -> Expr {
        if self.cx.const_only {
            let name = self.statics[id.0 as usize].name;
            self.error(codes::E0261, span, format!("the value of `{name}` is not known at compile time"));
            return Expr::error(span);
        }
        self.ensure_static(id);
        let (ns, ty) = (self.statics[id.0 as usize].ns, self.statics[id.0 as usize].ty);
        let gens = self.namespaces[ns.0 as usize].gens;
        let args = self.args_of(gens, s);
        let ty = self.subst(ty, s);
        Expr { ty, span, kind: ExprKind::Static { id, args } }
    }
}
