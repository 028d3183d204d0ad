//! Values of interface types: which types conform, which functions are called on such values, and
//! what a call on one means.
//!
//! [`ExprKind::Upcast`] makes a value. A call with a generic argument that is decided by a value of
//! an interface type is *opened*: it becomes a call of a function that dispatches on the type that
//! the value holds ([`Dispatch`]). The entries of a dispatch are plain functions for the conforming
//! types, so requirements, methods of extensions and generic functions are handled alike. Where an
//! entry's signature differs (it returns `This` or an associated type), a function in between
//! converts.
//!
//! The conforming types are those that the program declares, and the instances of generic types of
//! which it makes values. The list only grows, so the tag of a type, its position in the list
//! counted from 1, never changes. The tag of a value that holds nothing yet is 0.

use super::bounds::Bound;
use super::types::{Args, GArg, InterfaceRef, TyKind};
use super::*;
use caustic_ir::codes;

/// A type that values of an interface type can hold.
#[derive(Clone, Debug)]
pub struct Conformer {
    pub ty: Ty,
    /// The number by which the host knows it.
    pub id: i64,
    /// Whether the program or the host asked for this number.
    fixed: bool,
}

/// The functions that are the entries of a dispatch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Target {
    /// The function, with the conforming type as the generic argument of this index.
    Function(FuncRef, usize),
    /// The same for a static function: the value only selects the type.
    Static(FuncRef, usize),
    /// A conversion of the value to this other interface.
    Upcast(InterfaceRef),
    /// The number of the type and the value, as this many words.
    Words(u64),
}

/// A function that dispatches on the type that its first argument holds.
#[derive(Clone)]
pub struct Dispatch {
    pub interface: InterfaceRef,
    /// The function to call, which has no body.
    pub func: FuncId,
    /// The name of its entries.
    pub key: Name,
    /// The entries, in the order of the conforming types.
    pub entries: Vec<FuncId>,
    pub(super) target: Target,
    /// The index of the object among the target's parameters.
    pub(super) object: usize,
    pub(super) span: Span,
    pub(super) generation: u32,
}

#[derive(Default)]
pub struct Existentials {
    conformers: FxHashMap<InterfaceRef, Vec<Conformer>>,
    pub dispatches: Vec<Dispatch>,
    pub(super) by_target: FxHashMap<(InterfaceRef, Target), FuncId>,
    differentials: FxHashMap<InterfaceRef, StructId>,
    /// Conformances that the command line asks for, with the numbers of the types.
    requested: Vec<(Ty, InterfaceRef, Option<i64>)>,
    /// Functions that make a value from a number and data. Their bodies are made when all
    /// conforming types are known.
    pub(super) makers: Vec<Maker>,
    /// The types of which values of interfaces are made.
    pub(super) made: Vec<(InterfaceRef, Ty)>,
    /// Functions that read and write values in memory, by the type of the value.
    pub(super) packers: FxHashMap<Ty, Packer>,
    /// The first place that needs each of them.
    pub(super) packed: Vec<(Ty, Span)>,
}

/// The functions that convert between a value that contains values of interface types and its words
/// in memory.
#[derive(Clone, Copy, Debug)]
pub struct Packer {
    pub unpack: FuncId,
    pub pack: FuncId,
    /// The array of words; its size is known when all conforming types are.
    pub words: Ty,
}

/// A function that makes a value of an interface type from a number and data.
pub(super) struct Maker {
    pub func: FuncId,
    pub interface: InterfaceRef,
    pub data: Ty,
    pub span: Span,
}

impl Checker<'_> {
    /// The types that values of an interface can hold, in the order of their tags.
    pub(crate) fn conformers(&mut self, i: InterfaceRef) -> &[Conformer] {
        if let std::collections::hash_map::Entry::Vacant(entry) = self.existentials.conformers.entry(i) {
            entry.insert(Vec::new());
            for (ty, interface, id) in self.existentials.requested.clone() {
                if interface == i {
                    self.note_conformer(i, ty, id);
                }
            }
            self.ensure_extensions();
            let mut next = 0;
            while next < self.conformances.len() {
                let c = self.conformances[next].clone();
                next += 1;
                if c.gens.is_none()
                    && c.interface == i
                    && !matches!(c.ty.kind(), TyKind::Interface(_))
                    && !self.contains_itself(c.ty, i)
                {
                    self.note_conformer(i, c.ty, None);
                }
            }
        }
        self.existentials.conformers.get(&i).map_or(&[], |list| list)
    }

    fn note_conformer(&mut self, i: InterfaceRef, ty: Ty, id: Option<i64>) {
        let Some(list) = self.existentials.conformers.get_mut(&i) else { return };
        if list.iter().any(|c| c.ty == ty) {
            return;
        }
        list.push(Conformer { ty, id: id.unwrap_or(-1), fixed: id.is_some() });
        // Types without a number of their own get the smallest ones that are free.
        let taken: Vec<i64> = list.iter().filter(|c| c.fixed).map(|c| c.id).collect();
        let mut free = (0..).filter(|n| !taken.contains(n));
        for c in list.iter_mut().filter(|c| !c.fixed) {
            c.id = free.next().unwrap_or(0);
        }
    }

    /// Records a conformance that the command line asks for.
    pub(crate) fn request_conformer(&mut self, ty: Ty, i: InterfaceRef, id: Option<i64>) {
        self.existentials.requested.push((ty, i, id));
        // `sizeof` may have used the list of types without it: the list is made again, with the
        // sizes that depend on it.
        if self.existentials.conformers.remove(&i).is_some() {
            for s in &mut self.structs {
                (s.layout, s.natural) = (None, None);
            }
        }
    }

    /// Reports types that contain values of an interface that they conform to, directly or
    /// indirectly. Returns whether there are any.
    pub(crate) fn circular_conformers(&mut self) -> bool {
        let all: Vec<InterfaceRef> = self.existentials.conformers.keys().copied().collect();
        let mut found: Vec<(Span, String)> = Vec::new();
        for i in all {
            for c in self.conformers(i).to_vec() {
                if self.contains_itself(c.ty, i) {
                    let (shown, interface) = (self.show(c.ty), self.show_ref(i));
                    let span = c.ty.as_struct().map_or(Span::default(), |id| self.structs[id.0 as usize].span);
                    found.push((
                        span,
                        format!("`{shown}` conforms to `{interface}` and holds a value of it: it contains itself"),
                    ));
                }
            }
        }
        found.sort_by_key(|(span, _)| span.lo);
        for (span, text) in &found {
            self.error(codes::E0209, *span, text.clone());
        }
        !found.is_empty()
    }

    /// Whether values of the type contain values of the interface, directly or indirectly. Such a
    /// type is only among the conforming types if a value of the interface is made of it, which is
    /// then an error.
    fn contains_itself(&mut self, ty: Ty, i: InterfaceRef) -> bool {
        let mut seen = Vec::new();
        self.interfaces_in(ty, &mut seen);
        let mut next = 0;
        while next < seen.len() && !seen.contains(&i) {
            for inner in self.conformers(seen[next]).to_vec() {
                self.interfaces_in(inner.ty, &mut seen);
            }
            next += 1;
        }
        seen.contains(&i)
    }

    /// Collects the interfaces of which values of the type contain values.
    pub(crate) fn interfaces_in(&mut self, ty: Ty, out: &mut Vec<InterfaceRef>) {
        match ty.kind() {
            TyKind::Interface(i) if !out.contains(i) => out.push(*i),
            TyKind::Array(t, _) | TyKind::Pair(t) | TyKind::Uniform(t, _) => self.interfaces_in(*t, out),
            TyKind::Struct(id) => {
                let fields: Vec<Ty> = self.fields(*id).iter().map(|f| f.ty).collect();
                fields.into_iter().for_each(|t| self.interfaces_in(t, out));
            }
            _ => {}
        }
    }

    // ---- conversions ----------------------------------------------------------------------------

    /// The cost of converting a value to an interface type.
    pub(crate) fn upcast_cost(&mut self, from: Ty, i: InterfaceRef) -> Option<convert::Cost> {
        const TO_INTERFACE: convert::Cost = 50;
        self.conforms(from, i).then_some(TO_INTERFACE)
    }

    /// Converts a value if its type or the other one depends on the type that a value holds.
    pub(super) fn adapt(&mut self, e: Expr, to: Ty, span: Span) -> Option<Expr> {
        if e.ty == to {
            return Some(e);
        }
        if let TyKind::Interface(i) = to.kind()
            && self.conforms(e.ty, *i)
        {
            let mut e = Expr { ty: to, span, kind: ExprKind::Upcast(e.into()) };
            self.decide_dynamic(&mut e);
            return Some(e);
        }
        if matches!(e.ty.kind(), TyKind::Interface(_)) {
            return Some(Expr { ty: to, span, kind: ExprKind::Downcast { value: e.into(), of: to } });
        }
        None
    }

    /// Decides conversions to and from interface types, once the types are known.
    pub(crate) fn decide_dynamic(&mut self, e: &mut Expr) {
        let span = e.span;
        let ty = e.ty;
        match &mut e.kind {
            ExprKind::Upcast(arg) => {
                let (TyKind::Interface(to), false) = (ty.kind(), self.is_dependent(arg.ty)) else { return };
                let to = *to;
                if arg.ty == ty {
                    *e = std::mem::replace(&mut **arg, Expr::error(span));
                } else if let TyKind::Interface(from) = arg.ty.kind() {
                    let arg = std::mem::replace(&mut **arg, Expr::error(span));
                    let func = self.upcaster(*from, to, span);
                    e.kind = ExprKind::Call { func: FuncRef { func, args: Args::none() }, args: vec![arg] };
                } else {
                    let held = arg.ty;
                    self.conformers(to);
                    self.note_conformer(to, held, None);
                    if !self.existentials.made.contains(&(to, held)) {
                        self.existentials.made.push((to, held));
                    }
                }
            }
            ExprKind::MakeDynamic(args) => {
                let open = self.is_dependent(ty) || args.iter().any(|a| self.is_dependent(a.ty));
                if let (TyKind::Interface(i), false) = (ty.kind(), open) {
                    let args = std::mem::take(args);
                    e.kind = self.call_maker(*i, args, span);
                }
            }
            ExprKind::IsType { value, of } => {
                if self.is_dependent(value.ty)
                    || self.is_dependent(*of)
                    || matches!(value.ty.kind(), TyKind::Interface(_))
                {
                    return;
                }
                let same = value.ty == *of;
                e.kind = ExprKind::Const(Const::Bool(same));
            }
            ExprKind::Downcast { value, of } => {
                if self.is_dependent(value.ty)
                    || self.is_dependent(*of)
                    || matches!(value.ty.kind(), TyKind::Interface(_))
                {
                    return;
                }
                let (same, optional) = (value.ty == *of, ty != *of);
                let value = std::mem::replace(&mut **value, Expr::error(span));
                e.kind = match (same, optional) {
                    (true, true) => {
                        let yes = Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(true)) };
                        ExprKind::Construct(vec![value, yes])
                    }
                    (true, false) => value.kind,
                    (false, _) => ExprKind::Zero,
                };
            }
            _ => {}
        }
    }

    // ---- opening --------------------------------------------------------------------------------

    /// The index of the generic argument that an argument of an interface type decides, with the
    /// interface.
    pub(crate) fn open_argument(&mut self, f: FuncRef) -> Option<(usize, InterfaceRef)> {
        let interface_at = |at: usize| match f.args.get(at) {
            Some(GArg::Ty(t)) => match t.kind() {
                TyKind::Interface(i) => Some((at, *i)),
                _ => None,
            },
            _ => None,
        };
        let info = &self.funcs[f.func.0 as usize];
        if let Some(Owner::Interface(id)) = info.owner
            && let Some(found) = interface_at(self.interface_params(id).len() - 1)
        {
            return Some(found);
        }
        let (owner, gens) = (info.owner, info.gens);
        let all = self.all_params(gens);
        let own = self.own_of(f.func);
        all.iter().enumerate().find_map(|(at, p)| {
            let found = interface_at(at)?;
            let ty = Ty::new(TyKind::Param(*p));
            let extended = matches!(owner, Some(Owner::Extension(x)) if self.extensions[x.0 as usize].target == ty);
            // An unbounded type may also be an interface type.
            let bounded = !self.facts_of(ty).interfaces.is_empty();
            let passed = self.funcs[f.func.0 as usize].params.iter().any(|q| q.ty == ty);
            ((own.contains(p) || extended) && bounded && passed).then_some(found)
        })
    }

    /// Returns whether a requirement may be called on a value of an interface type: an argument of
    /// type `This` must be that value or be made from it, because other values may hold another
    /// type. Reports it otherwise.
    pub(crate) fn require_same_this(&mut self, f: FuncRef, object: &Expr, args: &[Expr]) -> bool {
        let info = &self.funcs[f.func.0 as usize];
        let (Some(Owner::Interface(id)), name) = (info.owner, info.name) else { return true };
        if self.interface_type(object.ty).is_none() {
            return true;
        }
        let this = Ty::new(TyKind::Param(self.interfaces[id.0 as usize].this));
        let first = usize::from(info.this.is_some());
        let asked: Vec<bool> = info.params.iter().skip(first).map(|p| p.ty == this).collect();
        for (a, _) in args.iter().zip(asked).filter(|(_, asked)| *asked) {
            if self.holds_type_of(a, object) && self.interface_type(a.ty).is_some() || a.ty.is_error() {
                continue;
            }
            let shown = self.show(object.ty);
            let at = self.loc(object.span);
            let d =
                self.error(codes::E0203, a.span, format!("`{name}` takes a value of the type that this object holds"));
            d.labels.push((at, format!("the type in this `{shown}` is not known to be the same")));
            d.notes.push("write a generic function, `f<T : I>(T a, T b)`, where both are of one type".to_string());
            return false;
        }
        self.require_same_types(f, object, args)
    }

    /// The same for arguments of the interface's associated types: what another object has given is
    /// of that object's type.
    fn require_same_types(&mut self, f: FuncRef, object: &Expr, args: &[Expr]) -> bool {
        let info = &self.funcs[f.func.0 as usize];
        let first = usize::from(info.this.is_some());
        let associated = |p: &Param| matches!(p.ty.kind(), TyKind::Assoc { .. });
        let asked: Vec<bool> = info.params.iter().skip(first).map(associated).collect();
        let (ExprKind::Local(own), name) = (&object.kind, info.name) else { return true };
        for (a, _) in args.iter().zip(asked).filter(|(_, asked)| *asked) {
            let ExprKind::Call { args: given, .. } = &a.kind else { continue };
            let Some(Expr { kind: ExprKind::Local(other), ty, span }) = given.first() else { continue };
            if other == own || self.interface_type(*ty).is_none() || self.cx.held.contains(other) {
                continue;
            }
            let at = self.loc(*span);
            let text = format!("`{name}` takes a value of a type that belongs to this object");
            let d = self.error(codes::E0203, a.span, text);
            d.labels.push((at, "this object may hold another type".to_string()));
            d.notes.push("write a generic function, `f<T : I>(T a, T b)`, where both are of one type".to_string());
            return false;
        }
        true
    }

    /// Whether a value of an interface type is the object or made from it, so that both hold the
    /// same type.
    fn holds_type_of(&self, value: &Expr, object: &Expr) -> bool {
        match (&value.kind, &object.kind) {
            (ExprKind::Local(l), ExprKind::Local(o)) => l == o || self.cx.held.contains(l),
            (ExprKind::Local(l), _) => self.cx.held.contains(l),
            (ExprKind::Field { .. } | ExprKind::Index { .. } | ExprKind::BufferElem { .. }, _) => false,
            _ => true,
        }
    }

    /// The same, where a call makes a value of the type of its object only.
    fn surely_holds_type_of(&self, value: &Expr, object: &Expr) -> bool {
        match &value.kind {
            ExprKind::Call { args, .. } => args.first().is_some_and(|a| self.surely_holds_type_of(a, object)),
            ExprKind::Local(_) => self.holds_type_of(value, object),
            _ => false,
        }
    }

    /// Returns whether a generic function may be called with these values of interface types. A
    /// parameter that one of them decides is the type that this one holds, and another value may
    /// hold another. An interface type itself is an argument only where no requirement speaks of
    /// the type that a value holds. Reports it otherwise.
    pub(crate) fn require_one_type(&mut self, f: FuncRef, object: Option<&Expr>, args: &[Expr], span: Span) -> bool {
        let info = &self.funcs[f.func.0 as usize];
        if info.gens.is_none() || matches!(info.owner, Some(Owner::Interface(_))) {
            return true;
        }
        let (name, all) = (info.name, self.all_params(info.gens));
        let opened = self.open_argument(f).map(|(at, _)| at);
        if let Some(p) = opened.and_then(|at| all.get(at)) {
            let ty = Ty::new(TyKind::Param(*p));
            let params = &self.funcs[f.func.0 as usize].params;
            let written = args.iter().zip(params.iter().skip(usize::from(object.is_some())));
            let mut written = written.filter(|(a, p)| p.ty == ty && p.dir != Dir::In && !a.ty.is_error());
            // A parameter of a function's type has a generic parameter that nobody wrote.
            let generic = self.params[p.0 as usize].name;
            let decl = &self.funcs[f.func.0 as usize].decl;
            let is_written = matches!(&decl.kind, ast::DeclKind::Func(d)
                if d.generics.iter().any(|g| g.name.name == generic && !g.added));
            if let (Some((a, _)), true) = (written.next(), is_written) {
                let (here, shown) = (a.span, self.show(a.ty));
                let text = format!("`{name}` changes a value of a type that is known, and this is `{shown}`");
                let note = "what is stored in it might be of another type".to_string();
                self.error(codes::E0203, here, text).notes.push(note);
                return false;
            }
            let passed = object.into_iter().chain(args).zip(params);
            let mut passed = passed.filter(|(_, p)| p.ty == ty).map(|(a, _)| a);
            let Some(first) = passed.next() else { return true };
            if let Some(other) = passed.find(|a| !a.ty.is_error() && !self.surely_holds_type_of(a, first)) {
                let (at, here, shown) = (self.loc(first.span), other.span, self.show(first.ty));
                let text = format!("`{name}` takes values of one type, and this one may hold another");
                let d = self.error(codes::E0203, here, text);
                d.labels.push((at, format!("the type that this `{shown}` holds decides")));
                d.notes.push("give it values of a type that is known, or two generic parameters".to_string());
                return false;
            }
        }
        for (at, p) in all.iter().enumerate().filter(|(at, _)| Some(*at) != opened) {
            let Some(GArg::Ty(given)) = f.args.get(at) else { continue };
            let (Some(interface), false) =
                (self.interface_type(*given), self.facts_of(Ty::new(TyKind::Param(*p))).interfaces.is_empty())
            else {
                continue;
            };
            if let Some(asks) = self.asks_for_this(interface) {
                let (shown, param) = (self.show(*given), self.params[p.0 as usize].name);
                let text = format!("`{shown}` cannot stand for `{param}` in `{name}`");
                let note = format!(
                    "`{asks}` takes a value of the type that the object holds, and two `{shown}` may hold different ones"
                );
                self.error(codes::E0203, span, text).notes.push(note);
                return false;
            }
        }
        true
    }

    /// A requirement of an interface that takes a value of the conforming type, or of a type that
    /// depends on it.
    fn asks_for_this(&mut self, i: InterfaceRef) -> Option<Name> {
        let this = self.interfaces[i.id.0 as usize].this;
        let mut ids: Vec<types::InterfaceId> = vec![i.id];
        ids.extend(self.with_bases(i, Ty::new(TyKind::Param(this))).into_iter().filter_map(|b| match b {
            Bound::Interface(b) => Some(b.id),
            _ => None,
        }));
        for f in 0..self.funcs.len() {
            let info = &self.funcs[f];
            let Some(Owner::Interface(id)) = info.owner else { continue };
            if !ids.contains(&id) || info.this.is_none() {
                continue;
            }
            let (name, this) = (info.name, self.interfaces[id.0 as usize].this);
            let types: Vec<Ty> = info.params.iter().skip(1).map(|p| p.ty).collect();
            if types.into_iter().any(|ty| self.mentions(ty, this)) {
                return Some(name);
            }
        }
        None
    }

    /// The value of `I.f()` or `I.N`. It is checked but cannot be run, because nothing decides the
    /// conforming type.
    pub(crate) fn of_no_type(&mut self, name: Name, interface: InterfaceRef, ty: Ty, span: Span) -> Expr {
        if ty.is_error() || ty.is_abstract() {
            return self.needs_object(name, interface, span);
        }
        let shown = self.show_ref(interface);
        let why = format!("`{name}` is said of `{shown}`, and not of a type that conforms to it");
        let missing = Missing { code: codes::E0303, why, declared: span };
        Expr { ty, span, kind: ExprKind::Unavailable(missing.into()) }
    }

    pub(crate) fn needs_object(&mut self, name: Name, interface: InterfaceRef, span: Span) -> Expr {
        let shown = self.show_ref(interface);
        let text = format!("`{name}` needs an object: which type `{shown}` stands for is not known");
        self.error(codes::E0237, span, text).notes.push("call it on a value, or through a conforming type".to_string());
        Expr::error(span)
    }

    /// A constant that the interface of a value requires: a static function returns the constant of
    /// the type that the value holds.
    pub(crate) fn constant_of_held(
        &mut self,
        id: ConstId,
        object: &Expr,
        m: &members::Member,
        span: Span,
    ) -> Option<Expr> {
        self.interface_type(object.ty)?;
        let info = &self.consts[id.0 as usize];
        let (ns, name, decl) = (info.ns, info.name, info.decl.clone());
        let (Some(Owner::Interface(owner)), true) = (self.owner_of(ns), info.is_requirement()) else { return None };
        let ast::DeclKind::Var(ast::VarDecl { name: written, ty: Some(ty), .. }) = &decl.kind else { return None };
        let getter = Name::new(&format!("{name}.get"));
        let known = self.namespaces[ns.0 as usize].names.get(&getter).and_then(|e| e.first().copied());
        let func = match known {
            Some(Entry::Func(f)) => f,
            _ => {
                let span = written.span;
                let value = ast::Expr { span, kind: ast::ExprKind::Name { name: *written, args: None } };
                let f = ast::FuncDecl {
                    name: ast::Ident { name: getter, span },
                    kind: ast::FuncKind::Plain,
                    generics: Vec::new(),
                    constraints: Vec::new(),
                    params: Vec::new(),
                    ret: Some(ty.clone()),
                    throws: None,
                    semantic: None,
                    body: Some(vec![ast::Stmt { span, kind: ast::StmtKind::Return(Some(value)) }]),
                    end: span,
                };
                let word = ast::Ident { name: Name::new("static"), span };
                let mods = ast::Modifiers { words: vec![word], ..ast::Modifiers::default() };
                let decl = Rc::new(ast::Decl { span, mods, kind: ast::DeclKind::Func(f) });
                let f = self.new_func(getter, &decl, ns, Some(Owner::Interface(owner)));
                self.define(ns, getter, Entry::Func(f));
                f
            }
        };
        self.ensure_signature(func);
        self.need_body(func);
        let (gens, ret) = (self.funcs[func.0 as usize].gens, self.funcs[func.0 as usize].ret);
        let func = FuncRef { func, args: self.args_of(gens, &m.subst) };
        let ty = self.subst(ret, &m.subst);
        Some(Expr { ty, span, kind: ExprKind::CallOn { func, args: vec![object.clone()] } })
    }

    /// `object.f(…)`, where `f` is a static function of the type that the object holds.
    pub(crate) fn static_call(
        &mut self,
        chosen: overload::Candidate,
        object: Expr,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let mut values = vec![object];
        for (p, a) in chosen.sig.params.iter().zip(args) {
            values.push(if p.dir == Dir::In { self.coerce(a, p.ty) } else { a });
        }
        if values.len() != chosen.sig.params.len() + 1 || values.iter().any(|v| v.ty.is_error()) {
            self.error(codes::E0204, span, "a static function called through a value takes all its arguments");
            return Expr::error(span);
        }
        self.need_body(chosen.func.func);
        Expr { ty: chosen.sig.ret, span, kind: ExprKind::CallOn { func: chosen.func, args: values } }
    }

    /// The function that dispatches `f` on the type that an argument holds; `None` if no argument
    /// decides it.
    pub(crate) fn opened(&mut self, f: FuncRef, span: Span, generation: u32) -> Option<FuncId> {
        let (at, interface) = self.open_argument(f)?;
        self.ensure_signature(f.func);
        let param = self.all_params(self.funcs[f.func.0 as usize].gens).get(at).copied()?;
        let wanted = Ty::new(TyKind::Param(param));
        let target = Target::Function(f, at);
        if let Some(known) = self.existentials.by_target.get(&(interface, target)) {
            return Some(*known);
        }
        let name = self.funcs[f.func.0 as usize].name;
        let Some(object) = self.funcs[f.func.0 as usize].params.iter().position(|p| p.ty == wanted) else {
            self.needs_object(name, interface, span);
            return None;
        };
        let func = self.new_instance(f, generation);
        let mut params = self.funcs[func.0 as usize].params.clone();
        if object == 0 {
            self.existentials.by_target.insert((interface, target), func);
            self.add_dispatch(interface, func, target, 0, span, generation);
            return Some(func);
        }
        // The function that dispatches takes the object first; `func` passes the arguments on in
        // that order.
        let chooser = self.synthesized(func, params.clone(), None);
        let moved = params.remove(object);
        params.insert(0, moved);
        self.funcs[chooser.0 as usize].params = params;
        self.existentials.by_target.insert((interface, target), func);
        self.add_dispatch(interface, chooser, target, object, span, generation);
        let body = self.passing(func, chooser, object, span);
        let info = &mut self.funcs[func.0 as usize];
        info.instance_of = None;
        info.body = Some(Rc::new(body));
        Some(func)
    }

    /// The function that calls the static function `f` of the type that its first argument holds.
    pub(crate) fn opened_static(&mut self, f: FuncRef, span: Span, generation: u32) -> Option<FuncId> {
        let (at, interface) = self.open_argument(f)?;
        let target = Target::Static(f, at);
        if let Some(known) = self.existentials.by_target.get(&(interface, target)) {
            return Some(*known);
        }
        let func = self.new_instance(f, generation);
        // Only the type of the value matters.
        let value = Param { no_diff: true, ..Param::plain("value", Ty::new(TyKind::Interface(interface)), span) };
        self.funcs[func.0 as usize].params.insert(0, value);
        self.existentials.by_target.insert((interface, target), func);
        self.add_dispatch(interface, func, target, 0, span, generation);
        Some(func)
    }

    /// The function that converts a value of one interface to another.
    fn upcaster(&mut self, from: InterfaceRef, to: InterfaceRef, span: Span) -> FuncId {
        let target = Target::Upcast(to);
        if let Some(known) = self.existentials.by_target.get(&(from, target)) {
            return *known;
        }
        let param = Param::plain("value", Ty::new(TyKind::Interface(from)), span);
        let ret = Ty::new(TyKind::Interface(to));
        let name = format!("as {}", self.show_ref(to));
        let func = self.new_synthesized(Name::new(&name), vec![param], ret, span);
        self.existentials.by_target.insert((from, target), func);
        self.add_dispatch(from, func, target, 0, span, 0);
        func
    }

    // ---- derivatives ----------------------------------------------------------------------------

    /// The differential of a value of an interface: that of the type that the value holds, whose
    /// fields are not visible here.
    pub(crate) fn interface_differential(&mut self, i: InterfaceRef) -> Option<Ty> {
        if !self.facts_of(Ty::new(TyKind::Interface(i))).differentiable {
            return None;
        }
        if let Some(known) = self.existentials.differentials.get(&i) {
            return Some(Ty::new(TyKind::Struct(*known)));
        }
        let id = StructId(self.structs.len() as u32);
        let (span, shown) = (self.interfaces[i.id.0 as usize].span, self.show_ref(i));
        let ns = self.new_namespace(ROOT, Some(Owner::Struct(id)), "Differential");
        let ty = Ty::new(TyKind::Struct(id));
        self.structs.push(StructInfo {
            name: Name::new(&format!("{shown}.Differential")),
            differentiable: true,
            synthesized: true,
            has_defaults: Some(false),
            differential: Some(Some(ty)),
            bases: State::Done,
            state: State::Done,
            ..StructInfo::new(None, span, ns)
        });
        self.existentials.differentials.insert(i, id);
        Some(ty)
    }

    /// The interface of whose values this is the differential.
    pub(crate) fn differential_of_interface(&self, id: StructId) -> Option<InterfaceRef> {
        let info = &self.structs[id.0 as usize];
        if !info.synthesized || !info.fields.is_empty() {
            return None;
        }
        self.existentials.differentials.iter().find(|(_, s)| **s == id).map(|(i, _)| *i)
    }

    // ---- associated types -----------------------------------------------------------------------

    /// The associated type of a value whose type is not known: an interface that bounds it.
    pub(crate) fn assoc_of_interface(&mut self, base: Ty, i: InterfaceRef, name: Name) -> Option<Ty> {
        let mut found = self.assoc_bounds(base, i, name).into_iter().filter_map(|b| match b {
            Bound::Interface(i) => Some(i),
            _ => None,
        });
        let first = found.next()?;
        found.next().is_none().then(|| Ty::new(TyKind::Interface(first)))
    }

    pub(crate) fn interface_type(&self, ty: Ty) -> Option<InterfaceRef> {
        match ty.kind() {
            TyKind::Interface(i) => Some(*i),
            _ => None,
        }
    }
}
