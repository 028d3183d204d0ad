//! Properties and subscripts: they are used like variables, and implemented by functions.
//!
//! Each accessor is a function, named `name.get` or `name.set` (`[].get` and `[].set` for a
//! subscript) and declared beside the property. So generics and the requirements of interfaces
//! apply to accessors like to other functions. A `ref` accessor becomes both: a `get` with its
//! body, and a `set` that assigns to the place that it returns.

use super::expr::{Group, Res};
use super::members::Member;
use super::*;
use ast::{AccessorKind, DeclKind};
use caustic_ir::codes;

pub struct PropertyInfo {
    pub name: ast::Ident,
    pub get: Option<FuncId>,
    pub set: Option<FuncId>,
}

/// The name by which subscripts are found.
pub(crate) const SUBSCRIPT: &str = "[]";

/// The default name of a setter's parameter.
const NEW_VALUE: &str = "newValue";

/// The property whose accessor has this name, and the kind of accessor.
pub(crate) fn accessor_of(full: &str) -> Option<(&str, &str)> {
    full.rsplit_once('.').filter(|(_, word)| matches!(*word, "get" | "set"))
}

/// Whether a parameter is that of a setter for what is assigned, and no index.
pub(crate) fn is_assigned(f: &ast::FuncDecl, param: usize) -> bool {
    param + 1 == f.params.len() && accessor_of(&f.name.name).is_some_and(|(_, word)| word == "set")
}

impl Checker<'_> {
    pub(crate) fn collect_property(
        &mut self,
        decl: &Rc<ast::Decl>,
        p: &ast::PropertyDecl,
        ns: NsId,
        owner: Option<Owner>,
    ) {
        if !self.unique(ns, p.name) {
            return;
        }
        let written = Written { decl, name: p.name, params: &[], ty: &p.ty, ns, inner: ns, owner };
        let made = self.collect_accessors(written, &p.accessors);
        self.define(ns, p.name.name, Entry::Property(made));
    }

    pub(crate) fn collect_subscript(
        &mut self,
        decl: &Rc<ast::Decl>,
        s: &ast::SubscriptDecl,
        ns: NsId,
        owner: Option<Owner>,
    ) {
        let inner = self.declare_generics(&s.generics, &s.constraints, ns);
        let name = ast::Ident { name: Name::new(SUBSCRIPT), span: s.word };
        let written = Written { decl, name, params: &s.params, ty: &s.ret, ns, inner, owner };
        let made = self.collect_accessors(written, &s.accessors);
        self.define(ns, name.name, Entry::Property(made));
    }

    /// Declares the accessors of a property.
    fn collect_accessors(&mut self, w: Written<'_>, accessors: &[ast::Accessor]) -> PropId {
        let name = w.name;
        let mut info = PropertyInfo { name, get: None, set: None };
        // `property p : T;` and `__subscript(…) -> T;` can be read.
        let plain = ast::Accessor {
            span: name.span,
            mods: ast::Modifiers::default(),
            kind: AccessorKind::Get,
            param: None,
            param_mods: ast::Modifiers::default(),
            body: None,
            end: name.span,
        };
        let implied = [plain];
        let accessors = if accessors.is_empty() { &implied[..] } else { accessors };
        for a in accessors {
            if let Some((param, _)) = a.param.as_ref().filter(|_| a.kind == AccessorKind::Get) {
                self.error(codes::E0285, param.span, "a `get` takes nothing: only a `set` has a parameter");
            }
            let reads = a.kind != AccessorKind::Set;
            let writes = a.kind != AccessorKind::Get;
            if reads && info.get.is_none() {
                info.get = Some(self.accessor_function(w, a, false));
            } else if reads && a.kind == AccessorKind::Get {
                self.error(codes::E0205, a.span, format!("`{}` has two `get`", name.name));
            }
            if writes && info.set.is_none() {
                let set = self.accessor_function(w, a, true);
                info.set = Some(set);
                if a.kind == AccessorKind::Modify {
                    self.ref_accessors.insert(set);
                }
            } else if writes && a.kind == AccessorKind::Set {
                self.error(codes::E0205, a.span, format!("`{}` has two `set`", name.name));
            }
        }
        self.properties.push(info);
        PropId(self.properties.len() as u32 - 1)
    }

    fn accessor_function(&mut self, w: Written<'_>, a: &ast::Accessor, set: bool) -> FuncId {
        let Written { decl, name, params, ty, ns, inner, owner } = w;
        let mut mods = a.mods.clone();
        mods.attrs.extend(decl.mods.attrs.iter().cloned());
        mods.words.extend(decl.mods.words.iter().copied());
        let mut params = params.to_vec();
        let mut body = a.body.clone();
        if set {
            let value = match &a.param {
                Some((name, _)) => *name,
                None => ast::Ident { name: Name::new(NEW_VALUE), span: a.span },
            };
            let written = a.param.as_ref().and_then(|(_, t)| t.clone());
            // A value that has no derivative when it is read has none when it is written.
            let mut of_value = ast::Modifiers::default();
            of_value
                .words
                .extend(a.param_mods.words.iter().chain(&mods.words).filter(|w| w.name == *"no_diff").copied());
            params.push(ast::Param {
                span: value.span,
                mods: of_value,
                name: Some(value),
                ty: written.unwrap_or(ty.clone()),
                semantic: None,
                default: None,
            });
            // A setter changes the object unless it is declared otherwise.
            if mods.attr("nonmutating").is_none() && mods.attr("mutating").is_none() {
                let word = ast::Ident { name: Name::new("mutating"), span: a.span };
                mods.attrs.push(ast::Attribute { span: a.span, name: word, args: Vec::new() });
            }
            if a.kind == AccessorKind::Modify
                && let Some(stmts) = &mut body
            {
                stmts.iter_mut().for_each(|s| assign_returned(s, value));
            }
        }
        if !set
            && a.kind == AccessorKind::Modify
            && let Some(stmts) = &mut body
        {
            stmts.iter_mut().for_each(|s| each_return(s, &mut |e| *e = without_address(e.clone())));
        }
        let suffix = if set { "set" } else { "get" };
        let full = ast::Ident { name: Name::new(&format!("{}.{suffix}", name.name)), span: name.span };
        let f = ast::FuncDecl {
            name: full,
            kind: ast::FuncKind::Plain,
            generics: Vec::new(),
            constraints: Vec::new(),
            params,
            ret: (!set).then(|| ty.clone()),
            throws: None,
            semantic: None,
            body,
            end: a.end,
        };
        let made = Rc::new(ast::Decl { span: a.span, mods, kind: DeclKind::Func(f) });
        let id = self.new_func(full.name, &made, inner, owner);
        self.funcs[id.0 as usize].declares_generics = inner != ns;
        self.define(ns, full.name, Entry::Func(id));
        id
    }

    /// A property as a place; `base` is the object.
    pub(crate) fn property(&mut self, m: &Member, base: Option<Expr>, span: Span) -> Expr {
        let Entry::Property(p) = m.entry else { return Expr::error(span) };
        self.access(p, &m.subst, base, Vec::new(), span)
    }

    /// The place that accessors implement, for an object and arguments. `s` has the arguments of
    /// all generic parameters.
    fn access(&mut self, p: PropId, s: &generics::Subst, base: Option<Expr>, mut args: Vec<Expr>, span: Span) -> Expr {
        let (name, get, set) = {
            let info = &self.properties[p.0 as usize];
            (info.name.name, info.get, info.set)
        };
        let Some(first) = get.or(set) else { return Expr::error(span) };
        for f in get.iter().chain(&set) {
            self.ensure_signature(*f);
            self.need_body(*f);
        }
        if !self.may_call(first, span) {
            return Expr::error(span);
        }
        if self.cx.const_only {
            self.error(codes::E0261, span, format!("`{name}` is not known at compile time"));
            return Expr::error(span);
        }
        let info = &self.funcs[first.0 as usize];
        let (gens, is_static) = (info.gens, info.this.is_none());
        let ty = match get {
            Some(g) => self.funcs[g.0 as usize].ret,
            None => info.params.last().map_or(Ty::error(), |p| p.ty),
        };
        let ty = self.subst(ty, s);
        let has_this = !is_static;
        if has_this {
            let Some(base) = base else {
                self.error(codes::E0214, span, format!("property `{name}` needs an object"));
                return Expr::error(span);
            };
            if let Some(g) = get
                && self.funcs[g.0 as usize].this == Some(Dir::InOut)
                && self.is_of_constant(&base)
                && !self.require_place(&base, &format!("reading `{name}` changes its object"))
            {
                return Expr::error(span);
            }
            let func = FuncRef { func: first, args: self.args_of(gens, s) };
            args.insert(0, self.object_for(base, func));
        }
        let all = self.args_of(gens, s);
        let of = |f: FuncId| FuncRef { func: f, args: all };
        let access = Access {
            get: get.map(of),
            set: set.map(of),
            args,
            has_this,
            get_statics: Vec::new(),
            set_statics: Vec::new(),
        };
        Expr { ty, span, kind: ExprKind::Access(access.into()) }
    }

    /// `base[args]`, if the type of `base` has subscripts; `None` otherwise.
    pub(crate) fn subscript(&mut self, base: &Expr, args: &[Expr], span: Span) -> Option<Expr> {
        let name = Name::new(SUBSCRIPT);
        let found = self.type_members(base.ty, name);
        if found.is_empty() {
            return None;
        }
        let mut members = Vec::new();
        for m in &found {
            let Entry::Property(p) = m.entry else { continue };
            let info = &self.properties[p.0 as usize];
            // A subscript without a getter is chosen by its setter, whose last parameter is the
            // value.
            if let Some(f) = info.get
                && !self.hides(&members, f, &m.subst)
            {
                members.push(Member { entry: Entry::Func(f), ..m.clone() });
            }
        }
        if members.is_empty() {
            return Some(self.write_only_subscript(&found, base, args, span));
        }
        if args.iter().any(|a| a.ty.is_error()) {
            return Some(Expr::error(span));
        }
        let ident = ast::Ident { name, span };
        let this = Some(Box::new(base.clone()));
        let group = Group { name: ident, members, this, through_type: false, explicit: None, modes: Vec::new(), span };
        let Some(chosen) = self.choose(&group, args, span) else { return Some(Expr::error(span)) };
        let Some(p) = (0..self.properties.len()).find(|p| self.properties[*p].get == Some(chosen.func.func)) else {
            return Some(Expr::error(span));
        };
        let mut values = Vec::with_capacity(args.len());
        for (p, a) in chosen.sig.params.iter().zip(args) {
            let a = self.coerce(a.clone(), p.ty);
            values.push(self.simplify(a));
        }
        self.add_defaults(chosen.func, &chosen.sig.params, &mut values);
        let params = self.all_params(self.funcs[chosen.func.func.0 as usize].gens);
        let s = generics::Subst::new(&params, &chosen.func.args);
        Some(self.access(PropId(p as u32), &s, Some(base.clone()), values, span))
    }

    /// Appends the default values of the indices that are not given.
    fn add_defaults(&mut self, func: FuncRef, indices: &[Param], values: &mut Vec<Expr>) {
        for p in &indices[values.len()..] {
            if let Some(d) = p.default.clone() {
                values.push(self.default_argument(func, &d, p.ty));
            }
        }
    }

    /// Whether a function found before takes the same indices: it declares an inherited requirement
    /// again.
    fn hides(&mut self, found: &[Member], f: FuncId, s: &generics::Subst) -> bool {
        let indices = |c: &mut Self, f: FuncId, s: &generics::Subst| -> Vec<Ty> {
            c.ensure_signature(f);
            let params: Vec<Ty> = c.funcs[f.0 as usize].params.iter().skip(1).map(|p| p.ty).collect();
            params.into_iter().map(|t| c.subst(t, s)).collect()
        };
        let of_interface = |c: &Self, f: FuncId| matches!(c.funcs[f.0 as usize].owner, Some(Owner::Interface(_)));
        if !of_interface(self, f) {
            return false;
        }
        let mine = indices(self, f, s);
        found.iter().any(|m| match m.entry {
            Entry::Func(g) => of_interface(self, g) && indices(self, g, &m.subst) == mine,
            _ => false,
        })
    }

    fn write_only_subscript(&mut self, found: &[Member], base: &Expr, args: &[Expr], span: Span) -> Expr {
        for m in found {
            let Entry::Property(p) = m.entry else { continue };
            let Some(set) = self.properties[p.0 as usize].set else { continue };
            self.ensure_signature(set);
            let mut indices: Vec<Param> = self.funcs[set.0 as usize].params.iter().skip(1).cloned().collect();
            indices.pop();
            let least = indices.iter().position(|p| p.default.is_some()).unwrap_or(indices.len());
            if (least..=indices.len()).contains(&args.len()) {
                let mut values = Vec::with_capacity(indices.len());
                for (p, a) in indices.iter().zip(args) {
                    let ty = self.subst(p.ty, &m.subst);
                    values.push(self.coerce(a.clone(), ty));
                }
                let func = FuncRef { func: set, args: self.args_of(self.funcs[set.0 as usize].gens, &m.subst) };
                self.add_defaults(func, &indices, &mut values);
                return self.access(p, &m.subst, Some(base.clone()), values, span);
            }
        }
        self.error(codes::E0204, span, "no subscript takes so many indices");
        Expr::error(span)
    }

    /// A property that is named without an object: one of `this`, or a static one.
    pub(crate) fn own_property(&mut self, m: &Member, span: Span) -> Res {
        let this = self.this_value().map(|this| Expr { span, ..this });
        Res::Val(self.property(m, this, span))
    }

    /// The accessor that reads or writes a field, for a property that an interface requires and
    /// that `ty` has as a field.
    pub(crate) fn field_accessor(&mut self, ty: Ty, required: FuncId) -> Option<FuncId> {
        let full = self.funcs[required.0 as usize].name;
        let (name, word) = accessor_of(&full)?;
        let (name, set) = (Name::new(name), word == "set");
        let id = ty.as_struct()?;
        let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        self.resolve_fields(base);
        let index = self.structs[base.0 as usize].field_index.get(&name).copied();
        let field = index.map(|i| self.structs[base.0 as usize].fields[i as usize].clone());
        let ns = self.structs[base.0 as usize].ns;
        let known = self.namespaces[ns.0 as usize].names.get(&full).and_then(|e| e.first().copied());
        if let Some(Entry::Func(f)) = known {
            return Some(f);
        }
        let decl = self.structs[base.0 as usize].decl.clone()?;
        let DeclKind::Struct(s) = &decl.kind else { return None };
        let (written, mods, span) = s.members.iter().find_map(|m| match &m.kind {
            DeclKind::Var(v) if v.name.name == name => Some((v.ty.clone()?, &m.mods, m.span)),
            _ => None,
        })?;
        // A static member is one value for all objects.
        let has_object = self.funcs[required.0 as usize].this.is_some();
        if field.is_none() && (!has_object || !mods.has("static") || set && mods.has("const")) {
            return None;
        }
        let ident = |n: Name| ast::Ident { name: n, span };
        let read = |n: Name| ast::Expr { span, kind: ast::ExprKind::Name { name: ident(n), args: None } };
        let this = ast::ExprKind::Member { base: Box::new(read(Name::new("this"))), name: ident(name), args: None };
        let place = if field.is_some() { ast::Expr { span, kind: this } } else { read(name) };
        let body = match set {
            false => ast::StmtKind::Return(Some(place)),
            true => {
                let rhs = Box::new(read(Name::new(NEW_VALUE)));
                let kind = ast::ExprKind::Assign { op: None, lhs: Box::new(place), rhs };
                ast::StmtKind::Expr(ast::Expr { span, kind })
            }
        };
        let differentiable = !mods.has("no_diff");
        let mut mods = ast::Modifiers::default();
        self.ensure_bases(base);
        let this = types::Ty::new(types::TyKind::Struct(base));
        if differentiable
            && self.is_differentiable_type(this)
            && field.is_some_and(|f| self.is_differentiable_type(f.ty))
        {
            let name = ident(Name::new("Differentiable"));
            mods.attrs.push(ast::Attribute { span, name, args: Vec::new() });
        }
        let a = ast::Accessor {
            span,
            mods,
            kind: if set { AccessorKind::Set } else { AccessorKind::Get },
            param: None,
            param_mods: ast::Modifiers::default(),
            body: Some(vec![ast::Stmt { span, kind: body }]),
            end: span,
        };
        let around = ast::Decl { span, mods: ast::Modifiers::default(), kind: DeclKind::Empty };
        let (decl, owner) = (&Rc::new(around), Some(Owner::Struct(base)));
        let w = Written { decl, name: ident(name), params: &[], ty: &written, ns, inner: ns, owner };
        Some(self.accessor_function(w, &a, set))
    }
}

/// A property or a subscript as declared.
#[derive(Clone, Copy)]
struct Written<'a> {
    decl: &'a Rc<ast::Decl>,
    name: ast::Ident,
    params: &'a [ast::Param],
    ty: &'a ast::Expr,
    /// The namespace that declares it, and the one with its own parameters.
    ns: NsId,
    inner: NsId,
    owner: Option<Owner>,
}

/// Makes `return place;` into `{ place = value; return; }`.
fn assign_returned(s: &mut ast::Stmt, value: ast::Ident) {
    each_return(s, &mut |place| {
        let span = place.span;
        let lhs = Box::new(without_address(place.clone()));
        let rhs = Box::new(ast::Expr { span, kind: ast::ExprKind::Name { name: value, args: None } });
        place.kind = ast::ExprKind::Assign { op: None, lhs, rhs };
    });
    end_returns(s);
}

/// `return &x;` in a `ref` accessor also returns the place.
fn without_address(e: ast::Expr) -> ast::Expr {
    match e.kind {
        ast::ExprKind::Unary { op: ast::UnOp::AddrOf, arg } => *arg,
        _ => e,
    }
}

/// Calls `f` for the value of each `return`.
fn each_return(s: &mut ast::Stmt, f: &mut dyn FnMut(&mut ast::Expr)) {
    if let ast::StmtKind::Return(Some(e)) = &mut s.kind {
        return f(e);
    }
    each_part(s, &mut |p| each_return(p, f));
}

/// Replaces each `return` by the evaluation of its value and a `return` without one.
fn end_returns(s: &mut ast::Stmt) {
    let span = s.span;
    if let ast::StmtKind::Return(value @ Some(_)) = &mut s.kind {
        let Some(e) = value.take() else { return };
        let effect = ast::Stmt { span, kind: ast::StmtKind::Expr(e) };
        s.kind = ast::StmtKind::Block(vec![effect, ast::Stmt { span, kind: ast::StmtKind::Return(None) }]);
        return;
    }
    each_part(s, &mut end_returns);
}

/// Calls `f` for every direct child statement.
fn each_part(s: &mut ast::Stmt, f: &mut dyn FnMut(&mut ast::Stmt)) {
    use ast::StmtKind as S;
    match &mut s.kind {
        S::Block(stmts) | S::Switch { body: stmts, .. } => stmts.iter_mut().for_each(f),
        S::If { then, other, .. } => {
            f(then);
            if let Some(o) = other {
                f(o);
            }
        }
        S::For { body, .. }
        | S::While { body, .. }
        | S::DoWhile { body, .. }
        | S::Attributed { body, .. }
        | S::Labeled { body, .. } => f(body),
        _ => {}
    }
}
