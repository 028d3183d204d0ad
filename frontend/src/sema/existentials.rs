//! Values of an interface's type: which types conform, what such a value is called with, and what a call on one means.
//!
//! A value is made by [`ExprKind::Upcast`]. A call that a generic argument of interface type decides is *opened*: it becomes a call of a
//! function that chooses by the type that the value holds ([`Dispatch`]); its entries are the plain functions for the conforming types, so a
//! requirement, an extension's method and a generic function that is given such a value are one case. Where an entry's signature differs
//! (it returns `This`, or an associated type), a function between the two converts.
//!
//! The conforming types are those that the program declares and the instances of generic ones that it makes values of. The list only grows,
//! so the tag of a type, its place in the list from 1, never changes; 0 is the tag of a value that is nothing yet.

use super::bounds::Bound;
use super::types::{Args, GArg, InterfaceRef, TyKind};
use super::*;

/// A type that values of an interface's type can hold.
#[derive(Clone, Debug)]
pub struct Conformer {
    pub ty: Ty,
    /// The number that the host knows it by.
    pub id: i64,
    /// The number was asked for.
    fixed: bool,
}

/// What the entries of a dispatch are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Target {
    /// The function, with the conforming type for the generic argument of this index.
    Function(FuncRef, usize),
    /// The value as one of this other interface.
    Upcast(InterfaceRef),
}

/// A function that chooses by the type that its first argument holds.
pub struct Dispatch {
    pub interface: InterfaceRef,
    /// The function to call; it has no body.
    pub func: FuncId,
    /// The name that its entries go by.
    pub key: Name,
    /// For the conforming types, in their order.
    pub entries: Vec<FuncId>,
    target: Target,
    /// Where the object stands among the target's parameters.
    object: usize,
    span: Span,
    generation: u32,
}

#[derive(Default)]
pub struct Existentials {
    conformers: FxHashMap<InterfaceRef, Vec<Conformer>>,
    pub dispatches: Vec<Dispatch>,
    by_target: FxHashMap<(InterfaceRef, Target), FuncId>,
    differentials: FxHashMap<InterfaceRef, StructId>,
    /// Types that shall conform, with their numbers, as the command line says.
    requested: Vec<(Ty, InterfaceRef, Option<i64>)>,
    /// Functions that make a value from a number and data; their bodies wait for all conforming types.
    pub(super) makers: Vec<Maker>,
}

/// A function that makes a value of an interface's type from a number and data.
pub(super) struct Maker {
    pub func: FuncId,
    pub interface: InterfaceRef,
    pub data: Ty,
    pub span: Span,
}

impl Checker<'_> {
    /// The types that values of the interface's type can hold, in the order of their tags.
    pub(crate) fn conformers(&mut self, i: InterfaceRef) -> &[Conformer] {
        if !self.existentials.conformers.contains_key(&i) {
            self.existentials.conformers.insert(i, Vec::new());
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
                if c.gens.is_none() && c.interface == i && !matches!(c.ty.kind(), TyKind::Interface(_)) {
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
        // Those without a number of their own get the smallest that are left.
        let taken: Vec<i64> = list.iter().filter(|c| c.fixed).map(|c| c.id).collect();
        let mut free = (0..).filter(|n| !taken.contains(n));
        for c in list.iter_mut().filter(|c| !c.fixed) {
            c.id = free.next().unwrap_or(0);
        }
    }

    /// A conformance that the command line asks for.
    pub(crate) fn request_conformer(&mut self, ty: Ty, i: InterfaceRef, id: Option<i64>) {
        self.existentials.requested.push((ty, i, id));
    }

    // ---- conversions ------------------------------------------------------------------------------------------------

    /// The cost of making a value of the interface's type.
    pub(crate) fn upcast_cost(&mut self, from: Ty, i: InterfaceRef) -> Option<convert::Cost> {
        const TO_INTERFACE: convert::Cost = 50;
        self.conforms(from, i).then_some(TO_INTERFACE)
    }

    /// The value as one of another type where one of the two depends on the type that a value holds.
    fn adapt(&mut self, e: Expr, to: Ty, span: Span) -> Option<Expr> {
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

    /// Decides what conversions to and from an interface's type are, once the types are known.
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

    // ---- opening ----------------------------------------------------------------------------------------------------

    /// The generic argument that a value of an interface's type among the arguments decides, and the interface.
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
            // A type that may be anything may be an interface's too.
            let bounded = !self.facts_of(ty).interfaces.is_empty();
            let passed = self.funcs[f.func.0 as usize].params.iter().any(|q| q.ty == ty);
            ((own.contains(p) || extended) && bounded && passed).then_some(found)
        })
    }

    pub(crate) fn needs_object(&mut self, name: Name, interface: InterfaceRef, span: Span) -> Expr {
        let shown = self.show_ref(interface);
        let text = format!("`{name}` needs an object: which type `{shown}` stands for is not known");
        self.error("E0237", span, text).notes.push("call it on a value, or through a conforming type".to_string());
        Expr::error(span)
    }

    /// The function that chooses what `f` is by the value it is called with, if it has to.
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
        // The object comes first in what chooses; `func` is what passes the arguments on.
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

    /// The function that makes a value of the one interface's type one of the other's.
    fn upcaster(&mut self, from: InterfaceRef, to: InterfaceRef, span: Span) -> FuncId {
        let target = Target::Upcast(to);
        if let Some(known) = self.existentials.by_target.get(&(from, target)) {
            return *known;
        }
        let param = Param {
            name: Name::new("value"),
            ty: Ty::new(TyKind::Interface(from)),
            dir: Dir::In,
            no_diff: false,
            span,
            semantic: None,
            uniform: false,
            default: None,
        };
        let ret = Ty::new(TyKind::Interface(to));
        let name = format!("as {}", self.show_ref(to));
        let func = self.new_synthesized(Name::new(&name), vec![param], ret, span);
        self.existentials.by_target.insert((from, target), func);
        self.add_dispatch(from, func, target, 0, span, 0);
        func
    }

    fn add_dispatch(
        &mut self,
        interface: InterfaceRef,
        func: FuncId,
        target: Target,
        object: usize,
        span: Span,
        generation: u32,
    ) {
        let mut key = self.funcs[func.0 as usize].name.to_string();
        if let Target::Function(f, _) = target {
            let own = self.own_of(f.func).len();
            let texts: Vec<String> =
                f.args[f.args.len() - own.min(f.args.len())..].iter().map(|a| self.show_arg(*a)).collect();
            if !texts.is_empty() {
                key = format!("{key}<{}>", texts.join(", "));
            }
        }
        // Overloads have one name.
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

    /// Gives every dispatch its entries; whether there was anything to do.
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

    /// The function for a conforming type, with the signature that the dispatch has but for its object.
    fn entry(&mut self, dispatch: usize, ty: Ty) -> Option<FuncId> {
        let d = &self.existentials.dispatches[dispatch];
        let (func, target, object, span, generation) = (d.func, d.target, d.object, d.span, d.generation);
        let mut params = self.funcs[func.0 as usize].params.clone();
        params[0].ty = ty;
        let ret = self.funcs[func.0 as usize].ret;
        let inner = match target {
            Target::Upcast(_) => None,
            Target::Function(f, at) => {
                let mut args = f.args.to_vec();
                args[at] = GArg::Ty(ty);
                let inner = self.instance(FuncRef { func: f.func, args: Args::new(args) }, span, generation)?;
                let found = &self.funcs[inner.0 as usize];
                let same = |p: &Param, q: &Param| p.ty == q.ty && p.dir == q.dir;
                if object == 0
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
            None => {
                let mut body = Body::default();
                let value = self.param_locals(entry, &mut body)[0].clone();
                let result = self.adapt(value, ret, span)?;
                body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(result)) });
                Some(body)
            }
            Some(inner) => self.converting(entry, inner, object, span),
        };
        let Some(body) = body else {
            let name = self.funcs[func.0 as usize].name;
            let text = format!("`{name}` cannot be called on a value of an interface's type");
            let d = self.error("E0237", span, text);
            d.notes.push("its signature depends on the type that the value holds, which is not known here".to_string());
            return None;
        };
        self.funcs[entry.0 as usize].body = Some(Rc::new(body));
        Some(entry)
    }

    // ---- functions made here ----------------------------------------------------------------------------------------

    /// A function like `of`, with other parameters; `ty` goes into its name.
    fn synthesized(&mut self, of: FuncId, params: Vec<Param>, ty: Option<Ty>) -> FuncId {
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
            intrinsic: None,
            is_prelude: true,
            has_body: true,
            is_constructor: false,
            instance_of: None,
            dispatch: None,
            generation: 0,
            body: None,
            signature: State::Done,
            state: State::Done,
        });
        id
    }

    /// Declares the parameters of a function in its body, and names them.
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

    /// A body that calls `to` with the parameter `object` first.
    fn passing(&mut self, from: FuncId, to: FuncId, object: usize, span: Span) -> Body {
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

    /// A body that calls `to` and converts what has another type there; the first parameter is its parameter `object`.
    fn converting(&mut self, from: FuncId, to: FuncId, object: usize, span: Span) -> Option<Body> {
        let mut body = Body::default();
        let mut values = self.param_locals(from, &mut body);
        let moved = values.remove(0);
        values.insert(object.min(values.len()), moved);
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

    // ---- derivatives ------------------------------------------------------------------------------------------------

    /// The differential of a value of the interface's type: one of the type that the value holds, with nothing to be seen of it here.
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

    /// The interface whose values this is the differential of.
    pub(crate) fn differential_of_interface(&self, id: StructId) -> Option<InterfaceRef> {
        let info = &self.structs[id.0 as usize];
        if !info.synthesized || !info.fields.is_empty() {
            return None;
        }
        self.existentials.differentials.iter().find(|(_, s)| **s == id).map(|(i, _)| *i)
    }

    // ---- associated types -------------------------------------------------------------------------------------------

    /// The associated type of a value whose type is not known: a value of what bounds it.
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
