//! Checks calls of functions, methods, constructors and derivative operators. Builtins with their
//! own rules for types are rows of `builtins`.

use super::expr::{Group, Res};
use super::generics::Subst;
use super::types::{Scalar, TyKind};
use super::*;
use ast::ExprKind as E;
use caustic_ir::{LocKind, codes};

/// The scalar type that a number is cast to. The cast takes precedence over a function of the
/// program that has the name of the type.
fn builtin_cast(callee: &ast::Expr, args: &[Expr]) -> Option<Ty> {
    let (E::Name { name, args: None }, [arg]) = (&callee.kind, args) else { return None };
    arg.ty.as_scalar()?;
    types::scalar_by_name(&name.name).map(Ty::scalar)
}

impl Checker<'_> {
    pub(crate) fn resolve_call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Res {
        if let Some(done) = self.typed_builtin(callee, args, span) {
            return done;
        }
        // `let (a, b) = c`: that the names are not declared is no other mistake.
        if let E::Name { name, args: None } = &callee.kind
            && matches!(name.name.as_str(), "let" | "var")
            && self.lookup(name.name).is_none()
        {
            self.undeclared(name, false);
            return Res::Val(Expr::error(span));
        }
        let target = if let E::Member { base, name, args: None } = &callee.kind {
            if matches!(name.name.as_str(), "dzero" | "dadd" | "dmul")
                && let Some(t) = self.try_type(base)
                && !self.declares_member(t, name.name)
            {
                return Res::Val(self.vector_space_member(t, *name, base, args, span));
            }
            if name.name == *"getPi"
                && args.is_empty()
                && let Some(t) = self.try_type(base)
                && let Some(pi) = self.pi(t, span)
            {
                return Res::Val(pi);
            }
            // Resolved only once, because chains of calls are nested in their objects.
            let object = self.resolve(base);
            if let Res::Val(v) = &object
                && let Some(v) = self.builtin_method(v, *name, args, span)
            {
                return Res::Val(v);
            }
            // Static functions, and so of a value those of its type.
            if let Res::Val(Expr { ty, .. }) = object
                && matches!(name.name.as_str(), "dzero" | "dadd" | "dmul")
                && self.is_differentiable_type(ty)
                && !self.declares_member(ty, name.name)
            {
                return Res::Val(self.vector_space_member(ty, *name, base, args, span));
            }
            let outer = self.cx.callee.replace(callee.span);
            let found = self.member_of(object, *name, None, callee);
            self.cx.callee = outer;
            found
        } else if let E::Name { name, args: None } = &callee.kind
            && matches!(name.name.as_str(), "dzero" | "dadd" | "dmul")
            && let Some(this) = self.cx.this_ty
            && self.lookup(name.name).is_none()
            && self.is_differentiable_type(this)
        {
            return Res::Val(self.vector_space_member(this, *name, callee, args, span));
        } else {
            let outer = self.cx.callee.replace(callee.span);
            let found = self.resolve(callee);
            self.cx.callee = outer;
            found
        };
        let args: Vec<Expr> = args.iter().flat_map(|a| self.check_spread(a)).collect();
        Res::Val(match target {
            Res::Funcs(group) => {
                if let Some(ty) = builtin_cast(callee, &args) {
                    return Res::Val(self.construct(ty, args, span));
                }
                let call = self.call_group(group, args, span);
                self.require_try(call)
            }
            Res::Ty(t) => match self.handle_conversion(callee, t, &args, span) {
                Some(done) => done,
                None => self.construct(t, args, span),
            },
            Res::Val(v) => {
                if let Some(call) = self.call_value(v.clone(), args, span) {
                    return Res::Val(call);
                }
                if !v.ty.is_error() {
                    let shown = self.show(v.ty);
                    self.error(codes::E0213, callee.span, format!("a value of type `{shown}` cannot be called"));
                }
                Expr::error(span)
            }
            Res::Ns(_) => {
                self.error(codes::E0213, callee.span, "a name space cannot be called");
                Expr::error(span)
            }
        })
    }

    /// `T.getPi()` for floats.
    fn pi(&mut self, ty: Ty, span: Span) -> Option<Expr> {
        self.element_set(ty).filter(|set| set.only_floats())?;
        let double = Ty::scalar(Scalar::F64);
        let value = Expr { ty: double, span, kind: ExprKind::Const(Const::Float(std::f64::consts::PI)) };
        Some(self.cast(value, ty, span))
    }

    pub(crate) fn derivative_of(&mut self, mode: Mode, args: &[ast::Expr], span: Span) -> Res {
        let operator = if mode == Mode::Forward { "fwd_diff" } else { "bwd_diff" };
        let [of] = args else {
            self.error(codes::E0204, span, format!("`{operator}` takes one function"));
            return Res::Val(Expr::error(span));
        };
        let outer = self.cx.callee.replace(of.span);
        let found = self.resolve(of);
        self.cx.callee = outer;
        match found {
            Res::Funcs(mut g) => {
                g.modes.push(mode);
                g.span = span;
                Res::Funcs(g)
            }
            Res::Val(v) if v.ty.is_error() => Res::Val(v),
            _ => {
                self.error(codes::E0304, of.span, format!("`{operator}` takes the name of a function"))
                    .notes
                    .push(format!("write `{operator}(f)(…)`"));
                Res::Val(Expr::error(span))
            }
        }
    }

    /// Whether the object is among the arguments of a call of methods' derivatives.
    fn gives_object(&mut self, group: &Group, given: usize) -> bool {
        let funcs: Vec<FuncId> = group.members.iter().filter_map(|m| m.as_func()).collect();
        !group.modes.is_empty()
            && !funcs.is_empty()
            && funcs.into_iter().all(|f| {
                self.ensure_signature(f);
                self.funcs[f.0 as usize].this.is_some() && self.derived_signature(f, &group.modes).params.len() == given
            })
    }

    pub(crate) fn call_group(&mut self, mut group: Group, args: Vec<Expr>, span: Span) -> Expr {
        if args.iter().any(|a| a.ty.is_error()) {
            return Expr::error(span);
        }
        // `p.f.fwd_diff(diffPair(p), …)`: the arguments have the pair of the object.
        if group.this.is_some() && self.gives_object(&group, args.len()) {
            (group.this, group.through_type) = (None, true);
        }
        let args = match self.takes_block(&group) {
            true => args,
            false => args.into_iter().map(|a| self.read_uniform(a)).collect(),
        };
        let Some(chosen) = self.choose(&group, &args, span) else { return Expr::error(span) };
        if !self.may_call(chosen.func.func, span) {
            return Expr::error(span);
        }
        self.check_deprecated(Entry::Func(chosen.func.func), group.name.span);
        let func = FuncRef { func: self.as_function(chosen.func.func), ..chosen.func };
        let f = func.func;
        let is_requirement = matches!(self.funcs[f.0 as usize].owner, Some(Owner::Interface(_)));
        let info = &self.funcs[f.0 as usize];
        let (this, name) = (info.this, info.name);
        if is_requirement
            && let Some(object) = &group.this
            && !self.require_same_this(func, object, &args)
        {
            return Expr::error(span);
        }
        let object = group.this.as_deref().filter(|_| this.is_some());
        if !self.require_one_type(func, object, &args, span) {
            return Expr::error(span);
        }
        if this.is_none()
            && is_requirement
            && let Some((_, interface)) = self.open_argument(func)
        {
            return match group.this {
                Some(object) if group.modes.is_empty() => self.static_call(chosen, *object, args, span),
                Some(object) if self.require_callable(f, &Group { this: None, ..group.clone() }, span) => {
                    // The object only decides which function is called; it has no derivative.
                    let mut passed = (vec![*object], vec![Dir::In]);
                    if !self.pass_arguments(func, &chosen.sig.params, args, &mut passed) {
                        return Expr::error(span);
                    }
                    self.need_body(f);
                    let ((args, dirs), modes) = (passed, group.modes);
                    Expr { ty: chosen.sig.ret, span, kind: ExprKind::CallDeriv { func, modes, dirs, args } }
                }
                Some(_) => Expr::error(span),
                None => self.of_no_type(name, interface, chosen.sig.ret, span),
            };
        }
        if !self.require_callable(f, &group, span) {
            return Expr::error(span);
        }
        let Group { this: object, modes, span: named, .. } = group;
        let object = match (this, object) {
            (Some(dir), Some(object)) => {
                let object = self.object_for(*object, func);
                if !self.require_object(func.func, &object, dir, &modes, named) {
                    return Expr::error(span);
                }
                Some(object)
            }
            // With derivative operators, `T.f` takes `this` as a parameter.
            (Some(_), None) if !modes.is_empty() => None,
            (Some(_), None) => {
                self.error(codes::E0214, span, format!("method `{name}` needs an object"));
                return Expr::error(span);
            }
            (None, Some(object)) if matches!(object.kind, ExprKind::Error) => return Expr::error(span),
            (None, _) => None,
        };
        let this = match modes.contains(&Mode::Backward) {
            true => Dir::In,
            false => this.unwrap_or(Dir::In),
        };
        let mut passed = object.map(|o| (vec![o], vec![this])).unwrap_or_default();
        let args = chosen.args.unwrap_or(args);
        self.check_aliases(&chosen.sig.params, &args);
        if !self.pass_arguments(func, &chosen.sig.params, args, &mut passed) {
            return Expr::error(span);
        }
        let (values, dirs) = passed;
        if values.iter().any(|v| v.ty.is_error() && matches!(v.kind, ExprKind::Error)) {
            return Expr::error(span);
        }
        let ret = chosen.sig.ret;
        if modes.is_empty() {
            return self.plain_call(func, values, ret, span);
        }
        self.need_body(f);
        Expr { ty: ret, span, kind: ExprKind::CallDeriv { func, modes, dirs, args: values } }
    }

    /// Whether one of the functions takes a block of constants itself, and not what is in it.
    fn takes_block(&mut self, group: &Group) -> bool {
        group.members.iter().filter_map(|m| m.as_func()).any(|f| {
            self.ensure_signature(f);
            self.funcs[f.0 as usize].params.iter().any(|p| matches!(p.ty.kind(), TyKind::Uniform(..)))
        })
    }

    /// Returns whether a function can be called here in these modes, whatever the arguments;
    /// reports it otherwise.
    fn require_callable(&mut self, f: FuncId, group: &Group, span: Span) -> bool {
        let info = &self.funcs[f.0 as usize];
        let name = info.name;
        let (is_constructor, inner) = (info.is_constructor, self.cx.ret.is_some());
        // A constant of a type or of a function may be what a function computes; sizes may not.
        let is_inner = inner || self.owner_of(self.current_ns()).is_some();
        let makes_constant = self.cx.of_constant && (is_constructor || is_inner);
        let info = &self.funcs[f.0 as usize];
        if self.cx.const_only && info.intrinsic.is_none() && !makes_constant && !self.is_mathematical(f) {
            self.error(codes::E0261, span, format!("the call of `{name}` is not known at compile time"));
            return false;
        }
        // Functions of the prelude for the host.
        if info.is_prelude && info.attrs.host {
            self.cx.is_host = true;
            return true;
        }
        group.modes.is_empty() || self.require_differentiable(f, &group.modes, group.span)
    }

    /// Whether a function of the prelude only computes. Constants may call such functions.
    fn is_mathematical(&self, f: FuncId) -> bool {
        let info = &self.funcs[f.0 as usize];
        info.is_prelude
            && !info.ret.is_void()
            && info.params.iter().all(|p| p.dir == Dir::In)
            && matches!(self.loc(info.decl.span).kind(), LocKind::Span { file, .. } if crate::prelude::is_mathematics(file))
    }

    /// Returns whether a method, or its derivative by these modes, can be called on an object;
    /// reports it otherwise. `named` is the span of the method's name.
    fn require_object(&mut self, f: FuncId, object: &Expr, dir: Dir, modes: &[Mode], named: Span) -> bool {
        let info = &self.funcs[f.0 as usize];
        let (name, no_diff) = (info.name, info.attrs.no_diff_this);
        if modes.is_empty() {
            if dir != Dir::InOut {
                return true;
            }
            self.check_changed_copy(f, object, named);
            return self.require_place(object, &format!("cannot call mutating `{name}`"));
        }
        if no_diff || !self.is_differentiable_type(object.ty) {
            return true;
        }
        let shown = self.show(object.ty);
        let text = format!("the derivative of method `{name}` needs a pair for `this`");
        let how = format!("`fwd_diff({shown}.{name})(diffPair(object, …), …)`");
        self.error(codes::E0305, named, text).notes.push(format!("write {how}, or mark the method `[NoDiffThis]`"));
        false
    }

    /// Appends the arguments, and the defaults of those that are not given, to the values that are
    /// passed already.
    fn pass_arguments(
        &mut self,
        func: FuncRef,
        params: &[Param],
        args: Vec<Expr>,
        (values, dirs): &mut (Vec<Expr>, Vec<Dir>),
    ) -> bool {
        let given = args.len();
        for (p, a) in params.iter().zip(args) {
            dirs.push(p.dir);
            match p.dir {
                Dir::In => {
                    let a = self.coerce(a, p.ty);
                    values.push(self.simplify(a));
                }
                _ => {
                    if !self.require_place(&a, "this argument is written to") {
                        return false;
                    }
                    values.push(self.place_as(a, p.ty));
                }
            }
        }
        for p in &params[given..] {
            let Some(d) = p.default.clone() else { continue };
            dirs.push(p.dir);
            values.push(self.default_argument(func, &d, p.ty));
        }
        true
    }

    /// The call of a function without derivative operators. It may be an op.
    fn plain_call(&mut self, func: FuncRef, args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        let Some(op) = self.funcs[func.func.0 as usize].intrinsic else {
            self.need_body(func.func);
            return Expr { ty, span, kind: ExprKind::Call { func, args } };
        };
        if let Some(method) = op.strip_prefix("atomic.") {
            return self.atomic_method(method, ty, args, span);
        }
        let e = Expr { ty, span, kind: ExprKind::Intrinsic { op, args } };
        if *op == *"ad.detach" { self.detach(e) } else { e }
    }

    fn detach(&mut self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Intrinsic { mut args, .. } if args.len() == 1 => {
                let kind = ExprKind::Detach(args.remove(0).into());
                Expr { kind, ..e }
            }
            _ => e,
        }
    }

    /// A default value, checked in the scope of the function's declaration.
    pub(crate) fn default_argument(&mut self, f: FuncRef, e: &ast::Expr, ty: Ty) -> Expr {
        let (ns, gens) = (self.funcs[f.func.0 as usize].ns, self.funcs[f.func.0 as usize].gens);
        let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let v = self.check_expr(e);
        self.cx = outer;
        let s = Subst::new(&self.all_params(gens), &f.args);
        let v = self.subst_expr(&v, &s);
        self.coerce_init(v, ty)
    }

    /// Whether a struct declares constructors that all need arguments.
    pub(crate) fn needs_arguments(&mut self, id: StructId) -> bool {
        let found = self.own_members(Ty::new(TyKind::Struct(id)), Name::new("__init"));
        let own: Vec<FuncId> = found.iter().filter_map(|m| m.as_func()).collect();
        own.iter().any(|f| !matches!(self.funcs[f.0 as usize].owner, Some(Owner::Extension(_))))
            && own.iter().all(|f| {
                self.ensure_signature(*f);
                self.funcs[f.0 as usize].params.iter().any(|p| p.default.is_none())
            })
    }

    /// The call of a declared constructor, if the struct has one that takes this number of
    /// arguments.
    pub(crate) fn constructor_call(&mut self, id: StructId, args: &[Expr], span: Span) -> Option<Expr> {
        let name = Name::new("__init");
        let members = self.own_members(Ty::new(TyKind::Struct(id)), name);
        // A constructor in an extension does not replace the memberwise one.
        let funcs: Vec<FuncId> = members.iter().filter_map(|m| m.as_func()).collect();
        if funcs.iter().all(|f| matches!(self.funcs[f.0 as usize].owner, Some(Owner::Extension(_)))) {
            funcs.iter().for_each(|f| self.ensure_signature(*f));
            let takes = |f: &FuncId| {
                let params = &self.funcs[f.0 as usize].params;
                let needed = params.iter().filter(|p| p.default.is_none()).count();
                (needed..=params.len()).contains(&args.len())
            };
            if !funcs.iter().any(takes) {
                return None;
            }
        }
        if args.is_empty() && self.needs_arguments(id) && self.is_asked_for_default(id) {
            return Some(self.default_fields(id, span));
        }
        let ident = ast::Ident { name, span };
        let group =
            Group { name: ident, members, this: None, through_type: true, explicit: None, modes: Vec::new(), span };
        Some(self.call_group(group, args.to_vec(), span))
    }

    /// `T.dzero()`, `T.dadd(…)` and the like, which every differentiable type has.
    fn vector_space_member(&mut self, t: Ty, name: ast::Ident, of: &ast::Expr, args: &[ast::Expr], span: Span) -> Expr {
        let d = self.differential_or_error(t, of.span);
        let args: Vec<Expr> = args.iter().map(|a| self.check_value(a)).collect();
        self.vector_space_call(&name.name, d, args, span)
    }

    /// Checks methods of builtin types; `None` if the call has to be checked like others.
    fn builtin_method(&mut self, object: &Expr, name: ast::Ident, args: &[ast::Expr], span: Span) -> Option<Expr> {
        if arithmetic::is_number_method(&name.name)
            && let Some(v) = self.number_method(object, name, args, span)
        {
            return Some(v);
        }
        match (object.ty.kind(), name.name.as_str()) {
            (TyKind::Pair(t), "getPrimal" | "getDifferential") => {
                let differential = name.name == *"getDifferential";
                let ty = if differential { self.differential(*t)? } else { *t };
                if !args.is_empty() {
                    self.error(codes::E0204, span, format!("`{}` takes no arguments", name.name));
                }
                Some(Expr { ty, span, kind: ExprKind::PairPart { base: object.clone().into(), differential } })
            }
            (TyKind::Buffer { .. }, "Load") => {
                let ([index] | [index, _]) = args else {
                    self.error(codes::E0204, span, "`Load` takes an index, and a variable for the status");
                    return Some(Expr::error(span));
                };
                let status = args.get(1).map(|status| self.loaded_status(status));
                let index = self.check_value(index);
                let index = self.coerce(index, Ty::int());
                let elem = object.ty.indexed()?;
                let kind = ExprKind::BufferElem { buffer: object.clone().into(), index: index.into() };
                // The value can be read but not written to.
                let read = Expr { ty: elem, span, kind };
                Some(Expr { ty: elem, span, kind: ExprKind::Comma(status.into_iter().chain([read]).collect()) })
            }
            (TyKind::Buffer { elem, .. }, "GetDimensions") => self.get_dimensions(object.clone(), *elem, args, span),
            (TyKind::Vector(_, n) | TyKind::Array(_, Some(n)), "getCount") => {
                Some(Expr::int(*n as i64, Ty::int(), span))
            }
            (TyKind::ArrayOf(_, n), "getCount") => Some(Expr { ty: Ty::int(), span, kind: ExprKind::ValueOf(*n) }),
            _ => None,
        }
    }

    /// The status of an access: always success, because all memory that is bound exists.
    fn loaded_status(&mut self, status: &ast::Expr) -> Expr {
        let (place, span) = (self.check_value(status), status.span);
        if !self.require_place(&place, "this argument is written to") {
            return Expr::error(span);
        }
        let ty = place.ty;
        let value = self.coerce(Expr::int(1, Ty::uint(), span), ty);
        Expr { ty: Ty::void(), span, kind: ExprKind::Assign { place: place.into(), value: value.into() } }
    }

    fn get_dimensions(&mut self, buffer: Expr, elem: Ty, args: &[ast::Expr], span: Span) -> Option<Expr> {
        if !(1..=2).contains(&args.len()) {
            self.error(codes::E0204, span, "`GetDimensions` takes a variable for the count and one for the stride");
            return Some(Expr::error(span));
        }
        let mut parts = Vec::new();
        for (target, is_count) in args.iter().zip([true, false]) {
            let place = self.check_value(target);
            if !self.require_place(&place, "this argument is written to") {
                return Some(Expr::error(span));
            }
            let value = if is_count {
                Expr { ty: Ty::uint(), span, kind: ExprKind::BufferLen(buffer.clone().into()) }
            } else {
                self.size_of(elem, span)
            };
            let ty = place.ty;
            let value = self.coerce(value, ty);
            parts.push(Expr {
                ty: Ty::void(),
                span,
                kind: ExprKind::Assign { place: place.into(), value: value.into() },
            });
        }
        Some(Expr { ty: Ty::void(), span, kind: ExprKind::Comma(parts) })
    }

    /// Size and alignment in memory, in C's layout.
    pub(crate) fn size_and_align(&mut self, ty: Ty) -> (u64, u64) {
        let ty = ty.as_value();
        match ty.kind() {
            TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix(s, ..) => {
                let n = if *s == Scalar::Bool { 1 } else { s.bits() as u64 / 8 };
                (n * ty.shape().count() as u64, n)
            }
            TyKind::Enum(id) => {
                let base = self.enum_base(*id);
                self.size_and_align(base)
            }
            TyKind::Array(t, n) => {
                let (size, align) = self.size_and_align(*t);
                (size * n.unwrap_or(0) as u64, align)
            }
            TyKind::Struct(id) => {
                if let Some(known) = self.structs[id.0 as usize].layout {
                    return known;
                }
                let fields: Vec<Ty> = self.fields(*id).iter().map(|f| f.ty).collect();
                // A struct that contains itself through an interface is reported elsewhere; this
                // stops the recursion.
                self.structs[id.0 as usize].layout = Some((0, 1));
                let found = self.size_of_fields(&fields);
                self.structs[id.0 as usize].layout = Some(found);
                found
            }
            TyKind::Pair(t) => {
                let d = self.differential(*t).unwrap_or(*t);
                self.size_of_fields(&[*t, d])
            }
            TyKind::Interface(i) => (self.interface_size(*i), 4),
            // In memory, these are handles.
            _ if ty.is_resource() => (8, 8),
            _ => (0, 1),
        }
    }

    fn size_of_fields(&mut self, fields: &[Ty]) -> (u64, u64) {
        let (mut at, mut most) = (0u64, 1u64);
        for f in fields {
            let (size, align) = self.size_and_align(*f);
            at = at.next_multiple_of(align) + size;
            most = most.max(align);
        }
        (at.next_multiple_of(most), most)
    }

    fn vector_space_call(&mut self, name: &str, d: Ty, mut args: Vec<Expr>, span: Span) -> Expr {
        if d.is_error() || args.iter().any(|a| a.ty.is_error()) {
            return Expr::error(span);
        }
        match (name, args.len()) {
            ("dzero", 0) => Expr { ty: d, span, kind: ExprKind::DZero },
            ("dadd", 2) => {
                let b = args.pop().map(|b| self.coerce(b, d));
                let a = args.pop().map(|a| self.coerce(a, d));
                match (a, b) {
                    (Some(a), Some(b)) => Expr { ty: d, span, kind: ExprKind::DAdd(a.into(), b.into()) },
                    _ => Expr::error(span),
                }
            }
            ("dmul", 2) => {
                let x = args.pop().map(|x| self.coerce(x, d));
                let Some(s) = args.pop() else { return Expr::error(span) };
                if s.ty.as_scalar().is_none() {
                    let shown = self.show(s.ty);
                    self.error(codes::E0203, s.span, format!("`dmul` scales by a number, this is `{shown}`"));
                    return Expr::error(span);
                }
                let s = if s.ty.as_scalar().is_some_and(Scalar::is_float) { s } else { self.convert(s, Ty::float()) };
                match x {
                    Some(x) => Expr { ty: d, span, kind: ExprKind::DMul(s.into(), x.into()) },
                    None => Expr::error(span),
                }
            }
            (_, n) => {
                self.error(codes::E0204, span, format!("`{name}` does not take {n} arguments"));
                Expr::error(span)
            }
        }
    }
}
