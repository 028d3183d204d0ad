//! Checks expressions: resolves what a node names (a value, a type, functions, a namespace), and
//! converts that to a value where one is needed.

use super::lookup::Found;
use super::members::Member;
use super::types::{GArg, TyKind, Val};
use super::*;
use ast::ExprKind as E;
use caustic_ir::codes;

/// The functions that a name stands for, before one of them is chosen for a call.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub name: ast::Ident,
    pub members: Vec<Member>,
    /// The object that a method is called on.
    pub this: Option<Box<Expr>>,
    /// Whether it is named through its type: `T.f`.
    pub through_type: bool,
    pub explicit: Option<Vec<GArg>>,
    /// The derivative operators that are applied; the innermost comes first.
    pub modes: Vec<Mode>,
    pub span: Span,
}

pub(crate) enum Res {
    Val(Expr),
    Ty(Ty),
    Funcs(Group),
    Ns(NsId),
}

impl Checker<'_> {
    /// The value of `e`; reports if it has none.
    pub(crate) fn check_expr(&mut self, e: &ast::Expr) -> Expr {
        let found = self.resolve(e);
        self.expr_found(found, e.span)
    }

    fn expr_found(&mut self, found: Res, span: Span) -> Expr {
        match found {
            Res::Val(v) => v,
            Res::Ty(t) => {
                if !t.is_error() {
                    let shown = self.show(t);
                    self.error(codes::E0213, span, format!("`{shown}` is a type, a value is needed"));
                }
                Expr::error(span)
            }
            Res::Funcs(g) if !g.modes.is_empty() => self.derivative_as_value(span),
            Res::Funcs(g) => {
                self.error(codes::E0213, span, format!("`{}` is a function; it can only be called", g.name.name));
                Expr::error(span)
            }
            Res::Ns(_) => {
                self.error(codes::E0213, span, "a name space is not a value");
                Expr::error(span)
            }
        }
    }

    /// Reports `fwd_diff(f)` where a value is needed.
    pub(super) fn derivative_as_value(&mut self, span: Span) -> Expr {
        self.error(codes::E0213, span, "a derivative is no value: it can only be called")
            .notes
            .push("declare a function that calls it, `fwd_diff(f)(…)` or `bwd_diff(f)(…)`".to_string());
        Expr::error(span)
    }

    /// A value of a type other than `void`; reports if there is none.
    pub(crate) fn check_value(&mut self, e: &ast::Expr) -> Expr {
        let found = self.resolve(e);
        self.value_of(found, e.span)
    }

    pub(crate) fn value_of(&mut self, found: Res, span: Span) -> Expr {
        let v = self.expr_found(found, span);
        if v.ty.is_void() {
            self.error(codes::E0213, span, "this has no value: the function returns `void`");
            return Expr::error(span);
        }
        v
    }

    pub(crate) fn resolve(&mut self, e: &ast::Expr) -> Res {
        match self.resolve_as_written(e) {
            found if self.cx.equal.is_none() => found,
            Res::Val(v) => Res::Val(Expr { ty: self.settled(v.ty), ..v }),
            Res::Ty(t) => Res::Ty(self.settled(t)),
            found => found,
        }
    }

    fn resolve_as_written(&mut self, e: &ast::Expr) -> Res {
        let span = e.span;
        let value = match &e.kind {
            E::Int { value, suffix, radix } => self.int_literal(*value, *suffix, *radix, span),
            E::Float { value, suffix } => self.float_literal(*value, *suffix, span),
            E::Bool(b) => Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(*b)) },
            E::Str(s) => Expr { ty: Ty::new(TyKind::Str), span, kind: ExprKind::Str(s.clone()) },
            E::Name { name, args } => return self.resolve_name(*name, args.as_deref(), e),
            E::Member { base, name, args } => return self.resolve_member(base, *name, args.as_deref(), e),
            E::Rooted(inner) => return self.resolve_rooted(inner),
            // From version 2026 on, a list in parentheses is a tuple.
            E::Paren(inner) => match &inner.kind {
                E::Comma(parts) | E::Tuple(parts) if self.module().is_some_and(|m| m.tuples_in_parentheses) => {
                    let parts = parts.iter().flat_map(|p| self.check_part(p)).collect();
                    self.make_tuple(parts, span)
                }
                _ => return self.resolve(inner),
            },
            E::Index { base, args } => return self.resolve_index(base, args, e),
            E::Call { callee, args } => return self.resolve_call(callee, args, span),
            E::Each(inner) if let Some(value) = self.each_of_values(inner, span) => value,
            E::Each(inner) => match self.each_type(inner) {
                Some(t) => return Res::Ty(t),
                None => self.each_value(inner, span),
            },
            E::Lambda(lambda) => self.check_lambda(lambda, span),
            E::Expand(inner) => self.expanded_value(inner, span),
            E::ArrayType { .. }
            | E::Modified { .. }
            | E::Layout { .. }
            | E::PointerType(_)
            | E::SomeType(_)
            | E::DynType(_)
            | E::FuncType { .. } => return Res::Ty(self.resolve_type(e)),
            E::Unary { op, arg } => match literal::smallest(*op, &arg.kind, span) {
                Some(least) => least,
                None => {
                    let value = self.check_value(arg);
                    // `p->x` is read as `(*p).x`, and its `*` stands where `p` does.
                    let value = match op {
                        ast::UnOp::Deref => Expr { span: arg.span, ..value },
                        _ => value,
                    };
                    self.check_unary(*op, value, span)
                }
            },
            E::Binary { .. } => self.check_binary_chain(e),
            E::Ternary { cond, then, other } => {
                let c = self.check_value(cond);
                let tries = self.tries();
                let t = self.check_value(then);
                let then = self.tried_since(tries);
                let o = self.check_value(other);
                let other = self.tried_since(tries);
                let chosen = self.check_ternary(c, t, o, span);
                self.choose_trying(chosen, then, other)
            }
            E::Assign { op, lhs, rhs } => self.check_assign(*op, lhs, rhs, span),
            E::IncDec { inc, prefix, arg } => self.check_incdec(*inc, *prefix, arg, span),
            E::Tuple(_) => {
                self.error(codes::E0100, span, "syntax error: only a tuple is written like this")
                    .notes
                    .push("tuples in parentheses are there from `#language slang 2026` on".to_string());
                Expr::error(span)
            }
            E::Comma(parts) => self.check_comma(parts, span),
            E::Cast { ty, arg } => return self.resolve_cast(ty, arg, span),
            E::Init(parts) => {
                let parts: Vec<Expr> = parts.iter().flat_map(|p| self.check_part(p)).collect();
                if parts.iter().any(|p| p.ty.is_error()) {
                    Expr::error(span)
                } else {
                    Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(parts) }
                }
            }
            E::NoDiff(arg) => {
                self.check_no_diff(arg, span);
                let v = self.check_expr(arg);
                if v.ty.is_error() { v } else { Expr { ty: v.ty, span, kind: ExprKind::Detach(v.into()) } }
            }
            E::Try(inner) => self.check_try(inner, span),
            E::Is { value, ty } => self.check_is(value, ty, span),
            E::As { value, ty } => self.check_as(value, ty, span),
            E::Assembly(code) => self.assembly(code, span),
            E::TargetCode(word) => {
                self.target_code(word, span);
                Expr::error(span)
            }
            other => {
                self.unsupported(span, other.words());
                Expr::error(span)
            }
        };
        Res::Val(value)
    }

    /// Chains `a + b + c + …` are walked without recursion, because generated code can have
    /// thousands of terms.
    fn check_binary_chain(&mut self, e: &ast::Expr) -> Expr {
        let mut chain = Vec::new();
        let mut at = e;
        while let E::Binary { op, at: sign, lhs, rhs } = &at.kind {
            chain.push((*op, *sign, &**rhs, at.span));
            at = lhs;
        }
        if let Some((ast::BinOp::Lt, _, rhs, span)) = chain.last()
            && self.reads_as_comparison(at, rhs)
        {
            // `S<"a"> x;`
            if let Some((ast::BinOp::Gt, _, ast::Expr { kind: E::Name { name, .. }, .. }, _)) =
                chain.iter().rev().nth(1)
            {
                self.broken.insert(name.name);
            }
            return Expr::error(*span);
        }
        let mut value = match self.cast_of_prefix(at, &mut chain) {
            Some(cast) => cast,
            None => self.check_value(at),
        };
        let mut before = None;
        while let Some((op, sign, rhs, span)) = chain.pop() {
            let tries = self.tries();
            let known = self.diags.len();
            let r = self.check_value(rhs);
            self.check_compared(before.replace(op), op, &value, &r);
            // `x ** 2`
            if op == ast::BinOp::Mul
                && matches!(rhs.kind, E::Unary { op: ast::UnOp::Deref, .. })
                && let Some(d) = self.diags.get_mut(known).filter(|d| d.code == codes::E0212)
            {
                d.notes.push("there is no operator for powers: `pow(x, y)`".to_string());
            }
            let tried = if op.is_logical() { self.tried_since(tries) } else { Vec::new() };
            let known = self.diags.len();
            value = self.check_binary(op, value, r, span);
            self.tell_at_operator(known, span, Span::new(sign, sign + op.text().len() as u32));
            value = match op {
                ast::BinOp::LogAnd => self.choose_trying(value, tried, Vec::new()),
                _ => self.choose_trying(value, Vec::new(), tried),
            };
        }
        value
    }

    /// `(T)*p` and `(T)&x`, where `T` is a type that the parser did not know as one: a generic
    /// parameter or a member. They are read as a product and as a conjunction.
    fn cast_of_prefix<'e>(
        &mut self,
        at: &'e ast::Expr,
        chain: &mut Vec<(ast::BinOp, u32, &'e ast::Expr, Span)>,
    ) -> Option<Expr> {
        let E::Paren(ty) = &at.kind else { return None };
        let &(op, _, operand, span) = chain.last()?;
        let op = match op {
            ast::BinOp::Mul => ast::UnOp::Deref,
            ast::BinOp::And if !matches!(operand.kind, E::Binary { .. }) => ast::UnOp::AddrOf,
            _ => return None,
        };
        if !matches!(ty.kind, E::Name { .. } | E::Member { .. }) || self.try_type(ty).is_none() {
            return None;
        }
        chain.pop();
        let prefixed = E::Unary { op, arg: Box::new(operand.clone()) };
        let found = self.resolve_cast(ty, &ast::Expr { span: operand.span, kind: prefixed }, span);
        Some(self.value_of(found, span))
    }

    /// Moves what has been found wrong with an expression, which goes over several lines, to its
    /// operator: of the diagnostics from index `first` on, those of the whole expression.
    fn tell_at_operator(&mut self, first: usize, whole: Span, operator: Span) {
        if self.diags.len() == first {
            return;
        }
        let (at, to) = (self.sources.shown(whole).0, self.sources.shown(operator).0);
        if line_of(at) != line_of(to) {
            self.diags[first..].iter_mut().filter(|d| d.loc == at).for_each(|d| d.loc = to);
        }
    }

    fn resolve_cast(&mut self, ty: &ast::Expr, arg: &ast::Expr, span: Span) -> Res {
        if let Some(t) = self.try_type(ty) {
            let v = self.check_value(arg);
            // `(T){…}` and `(float3)0`.
            return Res::Val(match v.kind {
                ExprKind::InitList(parts) if !t.is_error() => {
                    let list = Expr { ty: Ty::new(TyKind::InitList), span, kind: ExprKind::InitList(parts) };
                    self.coerce_init(list, t)
                }
                _ => match self.handle_conversion(ty, t, std::slice::from_ref(&v), span) {
                    Some(done) => done,
                    None => self.cast(v, t, span),
                },
            });
        }
        // `(f)(x)` is a call.
        match &arg.kind {
            E::Paren(inner) => {
                let args = match &inner.kind {
                    E::Comma(parts) | E::Tuple(parts) => parts.clone(),
                    _ => vec![(**inner).clone()],
                };
                self.resolve_call(ty, &args, span)
            }
            _ => {
                self.resolve_type(ty);
                Res::Val(Expr::error(span))
            }
        }
    }

    /// Whether `this` is a name that the program declares, which it may be where there is no
    /// object.
    fn declares_this(&mut self) -> bool {
        self.cx.this.is_none() && self.cx.this_ty.is_none() && self.lookup(Name::new("this")).is_some()
    }

    fn resolve_name(&mut self, name: ast::Ident, args: Option<&[ast::Expr]>, e: &ast::Expr) -> Res {
        let span = e.span;
        if name.name == *"this" && args.is_none() && !self.declares_this() {
            return Res::Val(self.this_expr(span));
        }
        match self.lookup(name.name) {
            Some(Found::Local(id)) => {
                let local = &self.cx.locals[id.0 as usize];
                let ty = local.ty;
                if let Some(c) = local.known {
                    return Res::Val(Expr { ty, span, kind: ExprKind::Const(c) });
                }
                if self.cx.const_only {
                    self.error(
                        codes::E0261,
                        span,
                        format!("the value of `{}` is not known at compile time", name.name),
                    );
                    return Res::Val(Expr::error(span));
                }
                Res::Val(Expr { ty, span, kind: ExprKind::Local(id) })
            }
            Some(Found::Value(v)) => Res::Val(Expr { span, ..v }),
            Some(Found::Members(mut found)) => {
                if found.first().is_some_and(|m| m.of_type) {
                    self.keep_called(&mut found, span);
                }
                self.check_one(&found, name);
                self.resolve_members(found, name, args, e, false)
            }
            None => {
                if let Some(field) = self.field_of_this(name) {
                    return Res::Val(field);
                }
                if let Some(t) = self.try_type(e) {
                    return Res::Ty(t);
                }
                if name.name == *"__return_val"
                    && let Some(result) = self.result_place(span)
                {
                    return Res::Val(result);
                }
                if name.name == *"nullptr"
                    && let Some(null) = self.null_pointer(span)
                {
                    return Res::Val(null);
                }
                if name.name == *"none"
                    && let Some(none) = self.none_value(span)
                {
                    return Res::Val(none);
                }
                if let Some(variable) = self.glsl_variable(name) {
                    return Res::Val(variable);
                }
                let known = self.diags.len();
                self.undeclared(&name, args.is_some());
                if args.is_none()
                    && self.cx.callee != Some(span)
                    && let (Some(missing), Some(d)) = (&mut self.missing_values, self.diags.get(known))
                {
                    missing.push(d.clone());
                }
                Res::Val(Expr::error(span))
            }
        }
    }

    /// A name at the top of the module: declarations in or around the body do not count.
    fn resolve_rooted(&mut self, e: &ast::Expr) -> Res {
        let root = self.module().map_or(ROOT, |m| m.ns);
        match &e.kind {
            E::Name { name, args } => match self.lookup_from(root, name.name) {
                Some(found) => {
                    self.check_one(&found, *name);
                    self.resolve_members(found, *name, args.as_deref(), e, true)
                }
                None => self.resolve(e),
            },
            _ => self.resolve(e),
        }
    }

    /// `this` of the body, or of the one around a lambda.
    pub(crate) fn this_value(&mut self) -> Option<Expr> {
        match self.cx.this {
            Some(id) => {
                let local = &self.cx.locals[id.0 as usize];
                Some(Expr { ty: local.ty, span: local.span, kind: ExprKind::Local(id) })
            }
            None => self.capture_this(),
        }
    }

    /// `this`; reports if there is none.
    fn this_expr(&mut self, span: Span) -> Expr {
        match self.this_value() {
            Some(this) => Expr { span, ..this },
            None => {
                self.error(codes::E0214, span, "there is no `this` here");
                Expr::error(span)
            }
        }
    }

    /// A field that is named without an object in a method.
    fn field_of_this(&mut self, name: ast::Ident) -> Option<Expr> {
        let owner = self.cx.this_ty?.as_struct()?;
        // While the fields are being resolved, a size in one of them cannot name a field.
        if self.structs[owner.0 as usize].state == State::Busy {
            return None;
        }
        self.resolve_fields(owner);
        let Some(index) = self.structs[owner.0 as usize].field_index.get(&name.name).copied() else {
            self.base_of(self.cx.this_ty?)?;
            let this = self.this_value()?;
            let field = self.inherited_field(&this, name.name)?;
            return Some(self.seen_field(Expr { span: name.span, ..field }, name));
        };
        if !self.may_name_field(owner, name) {
            return Some(Expr::error(name.span));
        }
        let ty = self.structs[owner.0 as usize].fields[index as usize].ty;
        let Some(this) = self.this_value() else {
            self.error(
                codes::E0214,
                name.span,
                format!("field `{}` needs an object; there is no `this` here", name.name),
            );
            return Some(Expr::error(name.span));
        };
        let base = Box::new(Expr { span: name.span, ..this });
        Some(Expr { ty, span: name.span, kind: ExprKind::Field { base, index } })
    }

    /// Converts what a name stands for to an expression. `scoped`: it was named through a type or a
    /// namespace.
    pub(crate) fn resolve_members(
        &mut self,
        found: Vec<Member>,
        name: ast::Ident,
        args: Option<&[ast::Expr]>,
        e: &ast::Expr,
        scoped: bool,
    ) -> Res {
        let span = e.span;
        let Some(first) = found.first().cloned() else { return Res::Val(Expr::error(span)) };
        // `Ptr<T, Access.Read>(p)`.
        if args.is_some_and(|a| a.len() > 1)
            && self.is_builtin_pointer(name.name, first.entry)
            && let Some(ty) = self.try_type(e)
        {
            return Res::Ty(ty);
        }
        // A field takes precedence over names outside of the struct, and over functions of an
        // extension that are not called.
        let hidden = match first.of_type {
            true => matches!(first.entry, Entry::Func(_)) && !self.is_called(span),
            false => true,
        };
        if !scoped
            && hidden
            && args.is_none()
            && !matches!(first.entry, Entry::Bound(_) | Entry::BoundVal(..))
            && let Some(field) = self.field_of_this(name)
        {
            return Res::Val(field);
        }
        if !matches!(first.entry, Entry::Func(_) | Entry::Property(_)) && !self.may_name(first.entry, name) {
            return Res::Val(Expr::error(span));
        }
        match first.entry {
            Entry::Func(_) => self.func_group(found, name, args, span, scoped),
            Entry::BoundVal(v, ty) => {
                let ty = match v.kind() {
                    types::ValKind::Param(p) => self.value_param_type(*p),
                    _ => ty,
                };
                Res::Val(match v.as_int() {
                    Some(n) => Expr::int(n, ty, span),
                    None => Expr { ty, span, kind: ExprKind::ValueOf(v) },
                })
            }
            Entry::Case(id, i) => Res::Val(self.enum_case(id, i, span)),
            Entry::Const(id) => Res::Val(self.constant(id, &first, span)),
            Entry::Global(g) if self.globals[g.0 as usize].gens.is_some() => {
                Res::Val(self.group_variable(g, &first.subst, span))
            }
            Entry::Global(g) => {
                let ty = self.globals[g.0 as usize].ty;
                if self.cx.const_only {
                    self.error(codes::E0261, span, "a shader parameter is not known at compile time");
                    return Res::Val(Expr::error(span));
                }
                let info = &self.globals[g.0 as usize];
                let (shared, seen_as) = (info.groupshared || info.storage, info.seen_as);
                let e = Expr { ty, span, kind: ExprKind::Global(g) };
                Res::Val(match seen_as {
                    _ if shared => self.shared_value(e),
                    Some(interface) => {
                        let value = self.read_uniform(e);
                        self.coerce(value, interface)
                    }
                    None => e,
                })
            }
            Entry::Static(id) => Res::Val(self.static_place(id, &first.subst, span)),
            Entry::Property(_) => self.own_property(&first, span),
            Entry::Namespace(ns) => Res::Ns(ns),
            Entry::Unsupported => Res::Val(Expr::error(span)),
            Entry::Open(open) => {
                self.report_open(open, span);
                Res::Val(Expr::error(span))
            }
            _ => match self.member_type(&first, name, args) {
                Some(t) => Res::Ty(t),
                None => Res::Val(Expr::error(span)),
            },
        }
    }

    /// A constant that is declared, or that an interface requires.
    pub(crate) fn constant(&mut self, id: ConstId, m: &Member, span: Span) -> Expr {
        let owner = self.owner_of(self.consts[id.0 as usize].ns);
        if let Some(Owner::Interface(i)) = owner
            && self.consts[id.0 as usize].is_requirement()
        {
            let (name, ty) = (self.consts[id.0 as usize].name, self.const_type(id));
            let params = self.interface_params(i);
            let mut args: Vec<GArg> =
                params.iter().map(|p| m.subst.get(*p).unwrap_or_else(|| self.param_arg(*p))).collect();
            let Some(GArg::Ty(of)) = args.pop() else { return Expr::error(span) };
            let interface = types::InterfaceRef { id: i, args: Args::new(args) };
            let ty = self.subst(ty, &m.subst);
            if let Some(i) = self.interface_type(of) {
                return self.of_no_type(name, i, ty, span);
            }
            return Expr { ty, span, kind: ExprKind::RequiredConst { of, interface, name } };
        }
        let value = self.const_value(id);
        if value.ty.is_error() {
            return Expr::error(span);
        }
        let value = if m.subst.is_empty() { value } else { Rc::new(self.subst_expr(&value, &m.subst)) };
        let kind = match &value.kind {
            ExprKind::Const(c) => ExprKind::Const(*c),
            ExprKind::ValueOf(v) => ExprKind::ValueOf(*v),
            ExprKind::Unavailable(missing) => ExprKind::Unavailable(missing.clone()),
            // A constructor of the program may depend on more than its arguments, so every use of
            // the constant calls it.
            _ if self.calls_constructor(&value) => value.kind.clone(),
            _ => ExprKind::Shared(value.clone(), self.consts[id.0 as usize].name),
        };
        Expr { ty: value.ty, span, kind }
    }

    fn calls_constructor(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Call { func, .. } if self.funcs[func.func.0 as usize].is_constructor => true,
            ExprKind::Shared(value, _) => self.calls_constructor(value),
            _ => {
                let mut found = false;
                e.for_each_part(&mut |part| found = found || self.calls_constructor(part));
                found
            }
        }
    }

    fn func_group(
        &mut self,
        members: Vec<Member>,
        name: ast::Ident,
        args: Option<&[ast::Expr]>,
        span: Span,
        through_type: bool,
    ) -> Res {
        let explicit = match args {
            Some(a) => match self.generic_args(a) {
                Some(g) => Some(g),
                None => return Res::Val(Expr::error(span)),
            },
            None => None,
        };
        // A method named inside another method is called on `this`.
        let this = match !through_type && members.iter().any(|m| m.of_type) {
            true => self.this_value().map(|this| Box::new(Expr { span, ..this })),
            false => None,
        };
        Res::Funcs(Group { name, members, this, through_type, explicit, modes: Vec::new(), span })
    }

    fn resolve_index(&mut self, base: &ast::Expr, args: &[ast::Expr], e: &ast::Expr) -> Res {
        let span = e.span;
        let b = match self.resolve(base) {
            Res::Ty(t) if t.is_error() => return Res::Val(Expr::error(span)),
            Res::Ty(_) => return Res::Ty(self.resolve_type(e)),
            Res::Val(v) => v,
            _ => self.check_expr(base),
        };
        // Types with builtin elements are indexed without `__subscript`.
        let builtin = b.ty.indexed().is_some() && args.len() == 1;
        let user = !builtin && !b.ty.is_error();
        if user {
            let object = self.read_uniform(b.clone());
            let indices: Vec<Expr> = args.iter().flat_map(|a| self.check_part(a)).collect();
            if let [index] = indices.as_slice()
                && let Some(place) = self.pointer_element(&object, index.clone(), span)
            {
                return Res::Val(place);
            }
            if let [index] = indices.as_slice()
                && self.is_texel_place(object.ty, index.ty)
            {
                return Res::Val(self.index(b, index.clone(), span));
            }
            if let Some(place) = self.subscript(&object, &indices, span) {
                return Res::Val(place);
            }
            if let [index] = indices.as_slice() {
                return Res::Val(self.index(b, index.clone(), span));
            }
        }
        if b.ty.is_error() {
            args.iter().for_each(|a| drop(self.check_value(a)));
            return Res::Val(b);
        }
        if args.len() != 1 {
            self.error(codes::E0204, span, "an index is one number");
            return Res::Val(Expr::error(span));
        }
        let index = self.check_value(&args[0]);
        Res::Val(self.index(b, index, span))
    }

    fn index(&mut self, base: Expr, index: Expr, span: Span) -> Expr {
        let base = self.read_uniform(base);
        if base.ty.is_error() || index.ty.is_error() {
            return Expr::error(span);
        }
        if let Some(texture) = base.ty.as_texture().filter(|t| !t.combined) {
            let index = self.read_uniform(index);
            return self.texel(texture, base, index, span);
        }
        let Some(ty) = base.ty.indexed() else {
            // A subscript that could not be read has been reported.
            if base.ty.as_struct().is_some() && self.is_broken(Name::new("__subscript")) {
                return Expr::error(span);
            }
            let shown = self.show(base.ty);
            self.error(codes::E0215, span, format!("`{shown}` cannot be indexed"));
            return Expr::error(span);
        };
        let index = self.read_uniform(index);
        let index = self.enum_to_int(index);
        let index = self.as_builtin(index, |t| t == Ty::int());
        let Some(s) = index.ty.as_scalar() else {
            let shown = self.show(index.ty);
            self.error(codes::E0215, index.span, format!("an index must be an integer, this is `{shown}`"));
            return Expr::error(span);
        };
        let index = if s == types::Scalar::Bool || s.is_float() { self.coerce(index, Ty::int()) } else { index };
        // A size that is not known yet is passed by itself, and by what is more.
        if let TyKind::ArrayOf(_, n) = base.ty.kind()
            && let Some(beyond) = self.as_val(&index).and_then(|i| Val::binary(ast::BinOp::Sub, i, *n).as_int())
            && beyond >= 0
        {
            let (i, shown) = (self.as_val(&index).map(|i| self.show_val(i)).unwrap_or_default(), self.show(base.ty));
            self.error(codes::E0216, index.span, format!("index {i} is out of range for `{shown}`"));
            return Expr::error(span);
        }
        let count = match base.ty.kind() {
            TyKind::Array(_, n) => *n,
            TyKind::Vector(_, n) => Some(*n),
            TyKind::Matrix(_, r, _) => Some(*r),
            _ => None,
        };
        if let (Some(n), Some(Const::Int(i))) = (count, self.fold(&index))
            && !(0..n as i64).contains(&i)
        {
            let shown = self.show(base.ty);
            self.error(codes::E0216, index.span, format!("index {i} is out of range for `{shown}`"))
                .notes
                .push(if n == 0 { "it has no elements".into() } else { format!("valid indices are 0 to {}", n - 1) });
            return Expr::error(span);
        }
        let index = self.simplify(index);
        let kind = if base.ty.is_resource() && s.is_float() {
            // As in slangc, such an index reads an element and is not a place.
            let kind = ExprKind::BufferElem { buffer: base.into(), index: index.into() };
            ExprKind::Comma(vec![Expr { ty, span, kind }])
        } else if base.ty.is_resource() {
            ExprKind::BufferElem { buffer: base.into(), index: index.into() }
        } else {
            ExprKind::Index { base: base.into(), index: index.into() }
        };
        Expr { ty, span, kind }
    }
}
