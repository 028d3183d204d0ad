//! Lambda expressions: each becomes a struct whose fields are the captured values, with an
//! `operator()`.

use super::packs::types_in;
use super::types::{Args, GArg, InterfaceRef, TyKind};
use super::*;
use caustic_ir::codes;

/// The variables that a lambda has captured while it is being checked.
#[derive(Clone)]
pub(crate) struct Captures {
    /// The state of the body around it.
    outer: BodyCx,
    /// The lambda's object in its own body, where `this` means that of the body around it.
    object: LocalId,
    names: FxHashMap<Name, u32>,
    fields: Vec<Field>,
    values: Vec<Expr>,
}

impl Checker<'_> {
    /// Captures a name that the body of a lambda does not declare: returns what it stands for
    /// around the lambda.
    pub(crate) fn capture_name(&mut self, name: Name) -> Option<lookup::Found> {
        let captures = self.cx.captures.as_mut()?;
        if let Some(i) = captures.names.get(&name) {
            let (index, ty) = (*i, captures.fields[*i as usize].ty);
            return Some(lookup::Found::Value(self.captured(index, ty)));
        }
        let found = self.outside(|c| c.local_name(name))?;
        let captures = self.cx.captures.as_mut()?;
        let value = match found {
            lookup::Found::Local(id) => {
                let local = &captures.outer.locals[id.0 as usize];
                let kind = match local.known {
                    Some(c) => ExprKind::Const(c),
                    None => ExprKind::Local(id),
                };
                Expr { ty: local.ty, span: local.span, kind }
            }
            lookup::Found::Value(e) => e,
            other => return Some(other),
        };
        if matches!(value.kind, ExprKind::Const(_)) {
            return Some(lookup::Found::Value(value));
        }
        self.capture_value(name, value).map(lookup::Found::Value)
    }

    /// `this` of the body around a lambda, captured.
    pub(crate) fn capture_this(&mut self) -> Option<Expr> {
        let name = Name::new("this");
        let captures = self.cx.captures.as_ref()?;
        if let Some(i) = captures.names.get(&name) {
            return Some(self.captured(*i, captures.fields[*i as usize].ty));
        }
        let value = self.outside(Self::this_value)?;
        self.capture_value(name, value)
    }

    /// Calls `look` in the body around the lambda.
    fn outside<R>(&mut self, look: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let captures = self.cx.captures.as_mut()?;
        let outer = std::mem::take(&mut captures.outer);
        let inner = std::mem::replace(&mut self.cx, outer);
        let found = look(self);
        let outer = std::mem::replace(&mut self.cx, inner);
        self.cx.captures.as_mut()?.outer = outer;
        found
    }

    fn capture_value(&mut self, name: Name, value: Expr) -> Option<Expr> {
        let captures = self.cx.captures.as_mut()?;
        let (ty, index) = (value.ty, captures.fields.len() as u32);
        captures.fields.push(Field {
            name,
            ty,
            no_diff: false,
            span: value.span,
            default: None,
            is_const: false,
            member: None,
            layout: None,
        });
        captures.names.insert(name, index);
        captures.values.push(value);
        Some(self.captured(index, ty))
    }

    fn captured(&self, index: u32, ty: Ty) -> Expr {
        let Some(captures) = &self.cx.captures else { return Expr::error(Span::default()) };
        let local = &self.cx.locals[captures.object.0 as usize];
        let base = Box::new(Expr { ty: local.ty, span: local.span, kind: ExprKind::Local(captures.object) });
        Expr { ty, span: local.span, kind: ExprKind::Field { base, index } }
    }

    /// The name of the captured variable that a field of the lambda's object stands for.
    pub(crate) fn captured_name(&self, object: &Expr, index: u32) -> Option<Name> {
        let captures = self.cx.captures.as_ref()?;
        let of_lambda = matches!(object.kind, ExprKind::Local(l) if l == captures.object);
        captures.fields.get(index as usize).filter(|_| of_lambda).map(|f| f.name)
    }

    pub(crate) fn check_lambda(&mut self, lambda: &ast::Lambda, span: Span) -> Expr {
        let ns = self.current_ns();
        let id = StructId(self.structs.len() as u32);
        let inner_ns = self.new_namespace(ns, Some(Owner::Struct(id)), "lambda");
        let gens = self.namespaces[ns.0 as usize].gens;
        let path = self.namespaces[inner_ns.0 as usize].path.clone();
        let name = self.fresh_symbol(&path);
        let differentiable = self.cx.differentiable;
        let mut info = StructInfo { bases: State::Done, state: State::Done, ..StructInfo::new(None, span, inner_ns) };
        (info.name, info.path, info.gens, info.differentiable) = (name, name, gens, differentiable);
        if gens.is_some() {
            let args = Args::new(self.identity_args(gens));
            info.instance_of = Some((id, args));
            info.instances.insert(args, id);
        }
        self.structs.push(info);
        let ty = Ty::new(TyKind::Struct(id));
        let decl = self.lambda_decl(lambda, span);
        let f = self.new_func(Name::new("operator()"), &decl, inner_ns, Some(Owner::Struct(id)));
        self.funcs[f.0 as usize].attrs.of_lambda = true;
        let is_prelude = self.cx.in_prelude;

        let params: Vec<Param> = lambda.params.iter().map(|p| self.param(p)).collect();
        let cx = BodyCx {
            ns: Some(ns),
            in_prelude: is_prelude,
            infers_result: true,
            differentiable,
            has_derivatives: self.cx.has_derivatives,
            this_ty: self.cx.this_ty,
            equal: self.cx.equal.clone(),
            ..BodyCx::default()
        };
        let outer = std::mem::replace(&mut self.cx, cx);
        let (names, object) = (FxHashMap::default(), LocalId(0));
        let captures = Captures { outer, object, names, fields: Vec::new(), values: Vec::new() };
        self.cx.captures = Some(Box::new(captures));
        let this = Param::plain("this", ty, span);
        let params: Vec<Param> = std::iter::once(this).chain(params).collect();
        self.push_scope();
        let mut body = Body::default();
        for (i, p) in params.iter().enumerate() {
            let (param, mutable) = (Some(i as u32), i > 0);
            let no_diff = p.no_diff;
            let local = Local { name: p.name, ty: p.ty, span: p.span, mutable, param, no_diff, known: None };
            let local = self.declare_local(local);
            body.params.push(local);
        }
        self.push_scope();
        match &lambda.body {
            ast::LambdaBody::Expr(e) => {
                let value = self.result_of(e, &mut body.stmts);
                self.leave_function(value, e.span, &mut body.stmts);
            }
            ast::LambdaBody::Block { stmts, end } => self.check_block_of_lambda(stmts, *end, &mut body.stmts),
        }
        self.pop_scope();
        self.pop_scope();
        let ret = self.cx.ret.unwrap_or(Ty::void());
        body.locals = std::mem::take(&mut self.cx.locals);
        self.end_unavailable(&mut body);
        let Some(captures) = self.cx.captures.take() else { return Expr::error(span) };
        let Captures { outer, fields, values, .. } = *captures;
        self.cx = outer;

        let types: Vec<Ty> = params[1..].iter().map(|p| p.ty).collect();
        let shown: Vec<String> = types.iter().map(|t| self.show(*t)).collect();
        let shown = format!("({}) => {}", shown.join(", "), self.show(ret));
        let info = &mut self.structs[id.0 as usize];
        info.value_of = Some(Name::new(&shown));
        info.field_index = fields.iter().enumerate().map(|(i, f)| (f.name, i as u32)).collect();
        info.fields = fields;
        info.has_defaults = Some(false);
        self.measure(id);
        let info = &mut self.funcs[f.0 as usize];
        (info.this, info.params, info.ret) = (Some(Dir::In), params, ret);
        info.attrs.differentiable = differentiable;
        (info.signature, info.state) = (State::Done, State::Done);
        if differentiable {
            let cx = std::mem::take(&mut self.cx);
            self.check_derivative_flow(f, &body);
            self.end_lost_derivatives(&mut body.stmts);
            self.cx = cx;
        }
        self.funcs[f.0 as usize].body = Some(Rc::new(body));
        self.define(inner_ns, Name::new("operator()"), Entry::Func(f));
        if ret.is_error() {
            return Expr::error(span);
        }
        self.function_conformances(gens, ty, ret, &types, differentiable, span);
        Expr { ty, span, kind: ExprKind::Construct(values) }
    }

    /// Reports `(x) => …` and `func f(x)`, where a name stands and no type.
    pub(super) fn check_has_type(&mut self, p: &ast::Param) {
        let ast::ExprKind::Name { name, args: None } = &p.ty.kind else { return };
        let small = name.name.starts_with(char::is_lowercase);
        if p.name.is_some() || !small || self.is_broken(name.name) || self.try_type(&p.ty).is_some() {
            return;
        }
        // A type that is misspelt is another mistake.
        let near = self.nearest_name(&name.name, false);
        if near.is_some_and(|near| !spelling::OPERATORS.contains(&near.as_str())) {
            return;
        }
        let text = format!("the parameter `{}` has no type, or `{0}` is a type that is not declared", name.name);
        self.error(codes::E0201, name.span, text).notes.push(format!("write `float {0}`, or `{0}: float`", name.name));
        self.broken.insert(name.name);
    }

    fn check_block_of_lambda(&mut self, stmts: &[ast::Stmt], end: Span, out: &mut Vec<Stmt>) {
        let reported = self.diags.len();
        self.check_stmts(stmts, out);
        self.end_deferred(out);
        let ret = self.cx.ret.unwrap_or(Ty::void());
        if self.ends_without_value(ret, out) {
            if reach::reaches_end(out) && !self.failed_since(reported) {
                let text = "this lambda may end without returning a value; it then returns zero";
                self.warn(codes::W0241, end, text);
            }
            let zero = Expr { ty: ret, span: end, kind: ExprKind::Zero };
            out.push(Stmt { span: end, kind: StmtKind::Return(Some(zero)) });
        }
    }

    /// The interfaces of callables that a lambda conforms to.
    pub(super) fn function_conformances(
        &mut self,
        gens: Option<GenId>,
        ty: Ty,
        ret: Ty,
        params: &[Ty],
        differentiable: bool,
        span: Span,
    ) {
        let list = self.make_pack(params.iter().copied());
        let args = Args::new(vec![GArg::Ty(ret), GArg::Ty(list)]);
        let names: &[&str] = match differentiable {
            true => &["IFunc", "IMutatingFunc", "IDifferentiableFunc", "IDifferentiableMutatingFunc"],
            false => &["IFunc", "IMutatingFunc"],
        };
        for name in names {
            let name = Name::new(name);
            self.load_prelude(name);
            let found = self.namespaces[ROOT.0 as usize].names.get(&name).and_then(|e| e.first().copied());
            if let Some(Entry::Interface(id)) = found {
                self.add_conformance(gens, ty, bounds::Bound::Interface(InterfaceRef { id, args }), span);
            }
        }
    }

    /// A declaration for use in messages and symbols.
    fn lambda_decl(&self, lambda: &ast::Lambda, span: Span) -> Rc<ast::Decl> {
        let func = ast::FuncDecl {
            name: ast::Ident { name: Name::new("operator()"), span },
            kind: ast::FuncKind::Plain,
            generics: Vec::new(),
            constraints: Vec::new(),
            params: lambda.params.clone(),
            ret: None,
            throws: None,
            semantic: None,
            body: Some(Vec::new()),
            end: span,
        };
        Rc::new(ast::Decl { span, mods: ast::Modifiers::default(), kind: ast::DeclKind::Func(func) })
    }

    /// Parameters and directions, with every pack replaced by the list of its parameters.
    pub(crate) fn apart(&self, params: Vec<(Ty, Dir)>) -> Vec<(Ty, Dir)> {
        let mut out = Vec::with_capacity(params.len());
        for (ty, dir) in params {
            match ty.kind() {
                TyKind::Pack(list) => out.extend(types_in(list).map(|t| (t, dir))),
                _ => out.push((ty, dir)),
            }
        }
        out
    }
}
