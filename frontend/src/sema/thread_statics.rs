//! Passes static variables as parameters.
//!
//! The IR has no storage per thread. A function that is called from outside declares a local
//! variable, with the initial value, for each static that it or its callees use; its callees get a
//! reference to it as one more parameter. So a function that uses statics has two versions: one
//! without these parameters, which a host can call, and one with them. This runs after generics are
//! gone. Programs without static variables pay nothing.
//!
//! Some statics are passed as pointers. If the address of a static is taken anywhere, a reference
//! will not do: it is a copy while the function runs, and the pointer would point elsewhere. The
//! same holds for a static that a custom derivative uses, which must see its value at the time it
//! runs, and for one that code with a backward derivative writes: the write must remain visible,
//! though `bwd_diff` returns nothing but derivatives.
//!
//! A function and its custom derivatives use the same statics, so that the versions with parameters
//! fit each other.

use super::generics::Subst;
use super::types::Args;
use super::*;
use crate::lower::private::LOCAL_ADDRESS;
use std::collections::{BTreeMap, BTreeSet};

/// A static variable, by its declaration and the number of its instance: each instance of a generic
/// type has its own.
type Key = (u32, usize);
type Uses = BTreeSet<Key>;
type Locals = BTreeMap<Key, Holder>;

/// How a function holds a static.
#[derive(Clone, Copy)]
enum Holder {
    Variable(LocalId),
    /// A pointer to the static.
    Pointer(LocalId),
}

/// The prefix of the names of parameters for statics. It has a blank, so no name in a program
/// begins like this.
const PREFIX: &str = "static ";

#[derive(Default)]
struct Plan {
    instances: FxHashMap<(StaticId, Args), usize>,
    args: Vec<Args>,
    /// The initial values, by instance.
    initial: Vec<Option<Expr>>,
    /// By function: the statics that it or its callees use.
    uses: Vec<Uses>,
    /// The statics that are passed as pointers.
    addressed: Uses,
    /// By function: the statics that it writes itself.
    writes: FxHashMap<usize, Uses>,
    /// The functions whose backward derivatives are called.
    reversed: BTreeSet<usize>,
    /// Custom backward derivatives that take the cotangent of a result, before which the statics
    /// stand.
    cotangent_last: BTreeSet<usize>,
    callers: Vec<BTreeSet<usize>>,
    /// The versions of functions with parameters for statics.
    with: FxHashMap<FuncId, FuncId>,
}

impl Plan {
    /// Records that function `f` writes the static that a place is a part of.
    fn note_write(&mut self, place: &Expr, f: usize) {
        let mut place = place;
        loop {
            match &place.kind {
                ExprKind::Field { base, .. }
                | ExprKind::Index { base, .. }
                | ExprKind::Swizzle { base, .. }
                | ExprKind::PairPart { base, .. } => place = base,
                ExprKind::Retype(inner) | ExprKind::Convert(inner) | ExprKind::Detach(inner) => place = inner,
                ExprKind::Access(a) => match a.args.first().filter(|_| a.has_this) {
                    Some(this) => place = this,
                    None => return,
                },
                ExprKind::Static { id, args } => {
                    if let Some(at) = self.instances.get(&(*id, *args)) {
                        self.writes.entry(f).or_default().insert((id.0, *at));
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Passes the statics that reverse code writes as pointers, since `bwd_diff` would not return
    /// them.
    fn address_what_reverse_code_writes(&mut self) {
        let mut callees: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (callee, callers) in self.callers.iter().enumerate() {
            callers.iter().for_each(|caller| callees.entry(*caller).or_default().push(callee));
        }
        let mut work: Vec<usize> = self.reversed.iter().copied().collect();
        let mut seen = self.reversed.clone();
        while let Some(f) = work.pop() {
            self.addressed.extend(self.writes.get(&f).cloned().unwrap_or_default());
            for &callee in callees.get(&f).map_or(&[][..], |c| c) {
                if seen.insert(callee) {
                    work.push(callee);
                }
            }
        }
    }

    /// Whether the statics of a function stand before its last parameter.
    fn cotangent_of(&self, f: FuncId) -> Option<()> {
        self.cotangent_last.contains(&(f.0 as usize)).then_some(())
    }
}

impl Checker<'_> {
    /// Passes statics to every function that uses them. All bodies must be specialized.
    pub(crate) fn pass_statics(&mut self) {
        if self.statics.is_empty() {
            return;
        }
        let mut plan = Plan::default();
        let mut f = 0;
        // Initial values may need more functions.
        while f < self.funcs.len() {
            let info = &self.funcs[f];
            if let (None, Some(body)) = (info.gens, info.body.clone()) {
                for s in &body.stmts {
                    s.for_each_expr(&mut |e| self.note(e, f, &mut plan));
                }
            }
            f += 1;
        }
        let count = self.funcs.len();
        plan.uses.resize(count, Uses::new());
        plan.callers.resize(count, BTreeSet::new());
        // The entries of a dispatch all take the statics that one of them uses.
        for d in &self.existentials.dispatches {
            for entry in &d.entries {
                plan.callers[entry.0 as usize].insert(d.func.0 as usize);
                plan.callers[d.func.0 as usize].insert(entry.0 as usize);
            }
        }
        let given = self.custom_derivatives(&mut plan);
        let mut queue: Vec<usize> = (0..count).filter(|f| !plan.uses[*f].is_empty()).collect();
        while let Some(f) = queue.pop() {
            for caller in plan.callers[f].clone() {
                let (before, more) = (plan.uses[caller].len(), plan.uses[f].clone());
                plan.uses[caller].extend(more);
                if plan.uses[caller].len() > before {
                    queue.push(caller);
                }
            }
        }
        for f in given {
            plan.addressed.extend(plan.uses[f].clone());
        }
        plan.address_what_reverse_code_writes();
        let users: Vec<usize> = (0..count).filter(|f| !plan.uses[*f].is_empty()).collect();
        for &f in &users {
            let version = self.version_with(FuncId(f as u32), &plan);
            plan.with.insert(FuncId(f as u32), version);
        }
        for version in plan.with.values() {
            for link in self.funcs[version.0 as usize].links.each_mut().into_iter().flatten() {
                link.func = plan.with.get(&link.func).copied().unwrap_or(link.func);
            }
        }
        for f in users {
            self.rewrite_function(FuncId(f as u32), &plan);
        }
        for at in 0..self.existentials.dispatches.len() {
            self.version_of_dispatch(at, &plan);
        }
    }

    /// Makes functions use the same statics as their custom derivatives and substitutes. Returns
    /// the derivatives.
    fn custom_derivatives(&mut self, plan: &mut Plan) -> BTreeSet<usize> {
        let mut given = BTreeSet::new();
        for f in 0..plan.callers.len() {
            let links = self.funcs[f].links;
            for link in [links.forward, links.backward, links.substitute].into_iter().flatten() {
                let to = link.func.0 as usize;
                plan.callers[to].insert(f);
                plan.callers[f].insert(to);
            }
            given.extend([links.forward, links.backward].into_iter().flatten().map(|link| link.func.0 as usize));
            if let Some(backward) = links.backward
                && self.has_result_cotangent(FuncId(f as u32))
            {
                plan.cotangent_last.insert(backward.func.0 as usize);
            }
        }
        given
    }

    /// Adds a dispatch whose entries are the versions with parameters.
    fn version_of_dispatch(&mut self, at: usize, plan: &Plan) {
        let mut made = self.existentials.dispatches[at].clone();
        let Some(version) = plan.with.get(&made.func).copied() else { return };
        made.func = version;
        made.key = Name::new(&format!("{PREFIX}{}", made.key));
        for e in &mut made.entries {
            *e = plan.with.get(e).copied().unwrap_or(*e);
        }
        self.funcs[version.0 as usize].dispatch = Some(self.existentials.dispatches.len() as u32);
        self.existentials.dispatches.push(made);
    }

    /// Records the statics and functions that an expression of function `f` uses.
    fn note(&mut self, e: &Expr, f: usize, plan: &mut Plan) {
        let most = f + 1;
        if plan.uses.len() < most {
            plan.uses.resize(most, Uses::new());
        }
        e.for_each_part(&mut |p| self.note(p, f, plan));
        let called = |g: FuncId, plan: &mut Plan| {
            let g = g.0 as usize;
            if plan.callers.len() <= g {
                plan.callers.resize(g + 1, BTreeSet::new());
            }
            plan.callers[g].insert(f);
        };
        match &e.kind {
            ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Update { place, .. }
            | ExprKind::IncDec { place, .. } => plan.note_write(place, f),
            ExprKind::CallDeriv { func, modes, dirs, args } => {
                called(func.func, plan);
                if modes.contains(&Mode::Backward) {
                    plan.reversed.insert(func.func.0 as usize);
                }
                let written = args.iter().zip(dirs).filter(|(_, dir)| **dir != Dir::In);
                written.for_each(|(place, _)| plan.note_write(place, f));
            }
            ExprKind::Call { func, args } => {
                called(func.func, plan);
                let params = &self.funcs[func.func.0 as usize].params;
                let written = args.iter().zip(params).filter(|(_, p)| p.dir != Dir::In);
                written.for_each(|(place, _)| plan.note_write(place, f));
            }
            ExprKind::Access(a) => a.get.iter().chain(&a.set).for_each(|g| called(g.func, plan)),
            ExprKind::Shared(inner, _) => self.note(inner, f, plan),
            ExprKind::Intrinsic { op, args } if *op == *LOCAL_ADDRESS => {
                if let Some(ExprKind::Static { id, args }) = args.first().map(|e| &e.kind)
                    && let Some(at) = plan.instances.get(&(*id, *args))
                {
                    plan.addressed.insert((id.0, *at));
                }
            }
            ExprKind::Static { id, args } => {
                let (id, args) = (*id, *args);
                let at = match plan.instances.get(&(id, args)) {
                    Some(at) => *at,
                    None => {
                        let at = plan.args.len();
                        plan.instances.insert((id, args), at);
                        plan.args.push(args);
                        plan.initial.push(None);
                        plan.initial[at] = self.initial_value(id, args);
                        at
                    }
                };
                // The initial value is computed where the variable is declared.
                if plan.uses[f].insert((id.0, at))
                    && let Some(init) = plan.initial[at].clone()
                {
                    self.note(&init, f, plan);
                }
            }
            _ => {}
        }
    }

    fn initial_value(&mut self, id: StaticId, args: Args) -> Option<Expr> {
        let info = &self.statics[id.0 as usize];
        let (ns, init) = (info.ns, info.init.clone()?);
        let params = self.all_params(self.namespaces[ns.0 as usize].gens);
        let mut e = (*init).clone();
        let first = self.funcs.len();
        self.specialize_expr(&mut e, &Subst::new(&params, &args));
        if self.funcs.len() > first {
            self.specialize_from(first);
        }
        Some(e)
    }

    fn static_variable(&mut self, key: Key, plan: &Plan) -> (Name, Ty, Span) {
        let info = &self.statics[key.0 as usize];
        let (name, ty, span, ns) = (info.name, info.ty, info.span, info.ns);
        let params = self.all_params(self.namespaces[ns.0 as usize].gens);
        let s = Subst::new(&params, &plan.args[key.1]);
        (name, self.subst(ty, &s), span)
    }

    /// A copy of the function with a parameter for each static.
    fn version_with(&mut self, f: FuncId, plan: &Plan) -> FuncId {
        let symbol = self.symbol_of(f);
        let mut made = self.funcs[f.0 as usize].clone();
        made.symbol = self.fresh_symbol(&format!("{symbol}.statics"));
        // The version is emitted where it is called.
        made.instance_of = Some(FuncRef { func: f, args: Args::none() });
        made.attrs.entry = None;
        made.attrs.takes_statics = true;
        let last = plan.cotangent_of(f).and_then(|_| made.params.pop());
        for key in &plan.uses[f.0 as usize] {
            let (name, ty, span) = self.static_variable(*key, plan);
            let (ty, dir) = match plan.addressed.contains(key) {
                true => (self.pointer_type(ty), Dir::In),
                false => (ty, Dir::InOut),
            };
            made.params.push(Param {
                name: Name::new(&format!("{PREFIX}{name}")),
                ty,
                dir,
                no_diff: true,
                span,
                semantic: None,
                uniform: false,
                by_reference: false,
                default: None,
                layout: None,
            });
        }
        made.params.extend(last);
        self.funcs.push(made);
        FuncId(self.funcs.len() as u32 - 1)
    }

    fn rewrite_function(&mut self, f: FuncId, plan: &Plan) {
        let (Some(body), Some(version)) = (self.funcs[f.0 as usize].body.clone(), plan.with.get(&f).copied()) else {
            return;
        };
        let mut own = (*body).clone();
        let mut locals = Locals::new();
        for key in &plan.uses[f.0 as usize] {
            let (name, ty, span) = self.static_variable(*key, plan);
            locals.insert(*key, Holder::Variable(LocalId(own.locals.len() as u32)));
            own.locals.push(Local { name, ty, span, mutable: true, param: None, no_diff: true, known: None });
        }
        // The version with parameters: the statics are those of the caller.
        let mut passed = own.clone();
        let mut given = Locals::new();
        let last = plan.cotangent_of(f).and_then(|_| passed.params.pop());
        for (key, holder) in &locals {
            let (Holder::Variable(l) | Holder::Pointer(l)) = *holder;
            let local = &mut passed.locals[l.0 as usize];
            local.param = Some(passed.params.len() as u32);
            passed.params.push(l);
            let holder = match plan.addressed.contains(key) {
                true => {
                    local.ty = self.pointer_type(local.ty);
                    Holder::Pointer(l)
                }
                false => Holder::Variable(l),
            };
            given.insert(*key, holder);
        }
        if let Some(l) = last {
            passed.locals[l.0 as usize].param = Some(passed.params.len() as u32);
            passed.params.push(l);
        }
        for (tree, holders) in [(&mut own, &locals), (&mut passed, &given)] {
            for s in &mut tree.stmts {
                s.for_each_expr_mut(&mut |e| self.rewrite(e, plan, holders));
            }
        }
        self.funcs[version.0 as usize].body = Some(Rc::new(passed));
        let is_written = |key: &Key| plan.writes.values().any(|keys| keys.contains(key));
        let begun = plan.uses[f.0 as usize].iter().find(|key| is_written(key)).copied();
        self.funcs[f.0 as usize].attrs.begins_static = begun.map(|key| self.static_variable(key, plan).0);
        // The version without: it declares the statics, in the order of their declarations.
        let mut stmts = Vec::with_capacity(own.stmts.len() + locals.len());
        for (key, holder) in &locals {
            let (Holder::Variable(local) | Holder::Pointer(local)) = holder;
            let (_, ty, span) = self.static_variable(*key, plan);
            let mut init = match &plan.initial[key.1] {
                Some(e) => e.clone(),
                None => Expr { ty, span, kind: ExprKind::Zero },
            };
            self.rewrite(&mut init, plan, &locals);
            stmts.push(Stmt { span, kind: StmtKind::Var { local: *local, init: Some(init) } });
        }
        stmts.append(&mut own.stmts);
        own.stmts = stmts;
        self.funcs[f.0 as usize].body = Some(Rc::new(own));
    }

    /// Replaces statics by local variables, and passes these to calls.
    fn rewrite(&mut self, e: &mut Expr, plan: &Plan, locals: &Locals) {
        e.for_each_part_mut(&mut |p| self.rewrite(p, plan, locals));
        let span = e.span;
        match &mut e.kind {
            ExprKind::Static { id, args } => {
                let at = plan.instances.get(&(*id, *args)).and_then(|at| locals.get(&(id.0, *at)));
                match at {
                    Some(Holder::Variable(l)) => e.kind = ExprKind::Local(*l),
                    Some(Holder::Pointer(l)) => *e = self.pointed_to(*l, e.ty, span),
                    None => {}
                }
            }
            // The address of a static that is passed as a pointer is the pointer's own.
            ExprKind::Intrinsic { op, args } if *op == *LOCAL_ADDRESS => {
                if let Some(address) = args.first().and_then(|place| self.address_of_pointee(place)) {
                    *e = address;
                }
            }
            ExprKind::Shared(inner, _) => {
                let mut own = (**inner).clone();
                self.rewrite(&mut own, plan, locals);
                *inner = Rc::new(own);
            }
            ExprKind::Call { func, args } => {
                if let Some(version) = plan.with.get(&func.func) {
                    let last = plan.cotangent_of(func.func).and_then(|_| args.pop());
                    args.extend(self.statics_for(func.func, plan, locals, span));
                    args.extend(last);
                    func.func = *version;
                }
            }
            ExprKind::CallDeriv { func, modes, dirs, args } => {
                let Some(version) = plan.with.get(&func.func).copied() else { return };
                let mut statics = self.statics_for(func.func, plan, locals, span).into_iter();
                let sig = self.derived_signature(version, modes);
                let mut given = std::mem::take(args).into_iter().zip(std::mem::take(dirs));
                for p in &sig.params {
                    let next = match p.name.starts_with(PREFIX) {
                        true => statics.next().map(|e| (e, p.dir)),
                        false => given.next(),
                    };
                    if let Some((arg, dir)) = next {
                        args.push(arg);
                        dirs.push(dir);
                    }
                }
                func.func = version;
            }
            ExprKind::Access(a) => {
                let a = &mut **a;
                for (f, statics) in [(&mut a.get, &mut a.get_statics), (&mut a.set, &mut a.set_statics)] {
                    if let Some(f) = f
                        && let Some(version) = plan.with.get(&f.func)
                    {
                        *statics = self.statics_for(f.func, plan, locals, span);
                        f.func = *version;
                    }
                }
            }
            _ => {}
        }
    }

    /// The arguments for the statics that `f` uses.
    fn statics_for(&mut self, f: FuncId, plan: &Plan, locals: &Locals, span: Span) -> Vec<Expr> {
        let mut out = Vec::new();
        for key in &plan.uses[f.0 as usize] {
            let (_, ty, _) = self.static_variable(*key, plan);
            let pointer = plan.addressed.contains(key).then(|| self.pointer_type(ty));
            let local = |l: &LocalId, ty: Ty| Expr { ty, span, kind: ExprKind::Local(*l) };
            out.extend(locals.get(key).map(|holder| match (holder, pointer) {
                (Holder::Variable(l), Some(to)) => self.local_pointer(local(l, ty), to),
                (Holder::Variable(l), None) => local(l, ty),
                (Holder::Pointer(l), _) => local(l, pointer.unwrap_or(ty)),
            }));
        }
        out
    }
}
