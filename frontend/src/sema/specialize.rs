//! Makes instances of generic functions for the arguments that they are used with, starting from
//! the functions that are not generic. Requirements of interfaces are replaced by the functions
//! that the conforming types provide.
//!
//! Nothing is checked again here, except for what depends on the arguments.

use super::generics::Subst;
use super::types::Scalar;
use super::walk::{Part, TypeFolder};
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// Makes all instances that the program needs.
    pub(crate) fn specialize(&mut self) {
        self.specialize_from(0);
    }

    /// Like `specialize`, for the functions from number `first` on.
    pub(crate) fn specialize_from(&mut self, first: usize) {
        let (mut next, mut without_body) = (first, Vec::new());
        // The loop appends instances, and finds conforming types.
        while next < self.funcs.len()
            || self.bodies_found_late(&mut without_body)
            || self.complete_spaces()
            || self.complete_dispatches()
        {
            if self.cancel.is_cancelled() {
                return;
            }
            if next >= self.funcs.len() {
                continue;
            }
            self.resolve_links();
            let id = FuncId(next as u32);
            next += 1;
            let info = &self.funcs[id.0 as usize];
            if info.gens.is_some() || info.intrinsic.is_some() {
                continue;
            }
            match info.instance_of {
                Some(of) => self.instantiate_body(id, of),
                None => {
                    if self.funcs[id.0 as usize].links.any() {
                        let span = self.funcs[id.0 as usize].decl.span;
                        self.link_instances(id, span, 0);
                    }
                    if !self.specialize_body(id) {
                        without_body.push(id);
                    }
                }
            }
        }
        if !self.circular_conformers() {
            self.check_any_value_sizes();
            self.complete_makers();
        }
    }

    /// Specializes the body of a function that is not generic. Returns whether it has one.
    fn specialize_body(&mut self, id: FuncId) -> bool {
        let Some(body) = self.funcs[id.0 as usize].body.take() else { return false };
        let mut body = Rc::try_unwrap(body).unwrap_or_else(|shared| (*shared).clone());
        let cx = Specializing { subst: &Subst::default(), generation: 0, unroll: false };
        self.stmts_of(&mut body.stmts, &cx);
        self.funcs[id.0 as usize].body = Some(Rc::new(body));
        true
    }

    /// Specializes the bodies of the prelude that were only checked after the turn of their
    /// functions, because an instance calls them. Returns whether there is more to do.
    fn bodies_found_late(&mut self, without_body: &mut Vec<FuncId>) -> bool {
        let known = self.funcs.len();
        self.check_pending();
        let waiting = std::mem::take(without_body);
        let before = waiting.len();
        *without_body = waiting.into_iter().filter(|id| !self.specialize_body(*id)).collect();
        without_body.len() < before || self.funcs.len() > known
    }

    /// Specializes an expression outside of any body.
    pub(crate) fn specialize_expr(&mut self, e: &mut Expr, subst: &Subst) {
        self.expr_of(e, &Specializing { subst, generation: 0, unroll: false });
    }

    fn instantiate_body(&mut self, id: FuncId, of: FuncRef) {
        let generic = of.func;
        self.need_body(generic);
        self.check_pending();
        let Some(body) = self.funcs[generic.0 as usize].body.clone() else { return };
        let mut body = (*body).clone();
        let params = self.all_params(self.funcs[generic.0 as usize].gens);
        let subst = Subst::new(&params, &of.args);
        let (generation, prelude) = (self.funcs[id.0 as usize].generation, self.funcs[id.0 as usize].is_prelude);
        for l in &mut body.locals {
            l.no_diff |= !prelude && self.is_inactive_to_all(l.ty);
            l.ty = self.subst(l.ty, &subst);
            l.ty = self.require_size(l.ty, l.span);
            l.ty = self.value_type(l.ty);
        }
        let cx = Specializing { subst: &subst, generation, unroll: prelude };
        self.stmts_of(&mut body.stmts, &cx);
        self.funcs[id.0 as usize].body = Some(Rc::new(body));
    }

    /// The plain function that a reference stands for when its arguments are known.
    pub(crate) fn instance(&mut self, f: FuncRef, span: Span, generation: u32) -> Option<FuncId> {
        self.instance_for(f, false, span, generation)
    }

    /// Like [`Self::instance`], for a call of the function or of its derivative.
    fn instance_for(&mut self, f: FuncRef, derivative: bool, span: Span, generation: u32) -> Option<FuncId> {
        if self.has_interface_argument(f) {
            let known = self.failed();
            let info = &self.funcs[f.func.0 as usize];
            if derivative && info.this.is_none() && matches!(info.owner, Some(Owner::Interface(_))) {
                return self.opened_static(f, span, generation);
            }
            if let Some(id) = self.opened(f, span, generation) {
                return Some(id);
            }
            if !known && self.failed() {
                return None;
            }
        }
        let Some(found) = self.resolve_requirement(f) else {
            let name = self.funcs[f.func.0 as usize].name;
            let text = format!("`{name}` is not provided by the type it is asked of");
            self.diags.push(Diagnostic::internal(self.loc(span), text));
            return None;
        };
        let asked = &self.funcs[f.func.0 as usize];
        if let (Some(dir), None) = (asked.this, self.funcs[found.func.0 as usize].this) {
            let called = self.plain(found, span, generation)?;
            let this = self.object_type(f)?;
            return Some(self.ignoring_object(called, this, dir, span));
        }
        let called = self.plain(found, span, generation)?;
        let given = self.funcs[f.func.0 as usize].links.outside != [false; 2];
        if derivative && given && !self.funcs[called.0 as usize].is_differentiable() {
            let name = self.funcs[f.func.0 as usize].name;
            self.error(codes::E0302, span, format!("`{name}` is given no derivative for these generic arguments"));
            return None;
        }
        Some(if found.func == f.func { called } else { self.as_required(f.func, called, derivative, span) })
    }

    /// The instance of a function that is not a requirement.
    fn plain(&mut self, f: FuncRef, span: Span, generation: u32) -> Option<FuncId> {
        if self.funcs[f.func.0 as usize].gens.is_none() {
            // Of the prelude only what is called is checked.
            self.need_body(f.func);
            return Some(f.func);
        }
        if let Some(known) = self.instances.get(&f) {
            return Some(*known);
        }
        let generation = generation + 1;
        if generation > generics::MAX_INSTANCE_DEPTH {
            let name = self.funcs[f.func.0 as usize].name;
            self.too_many_instances(name, span);
            return None;
        }
        if self.has_too_large_arguments(self.funcs[f.func.0 as usize].name, &f.args, span) {
            return None;
        }
        Some(self.new_instance(f, generation))
    }

    fn has_interface_argument(&self, f: FuncRef) -> bool {
        f.args.iter().any(|a| matches!(a, types::GArg::Ty(t) if self.interface_type(*t).is_some()))
    }

    /// A function with the arguments in its signature; its body is made later.
    pub(crate) fn new_instance(&mut self, f: FuncRef, generation: u32) -> FuncId {
        self.ensure_signature(f.func);
        let id = FuncId(self.funcs.len() as u32);
        let info = &self.funcs[f.func.0 as usize];
        let (gens, own) = (info.gens, self.own_of(f.func).len());
        let mut made = FuncInfo {
            name: info.name,
            symbol: info.symbol,
            named: false,
            decl: info.decl.clone(),
            ns: info.ns,
            owner: info.owner,
            gens: None,
            declares_generics: false,
            this: info.this,
            params: info.params.clone(),
            ret: info.ret,
            ret_no_diff: info.ret_no_diff,
            attrs: info.attrs.clone(),
            links: info.links,
            intrinsic: info.intrinsic,
            is_prelude: info.is_prelude,
            has_body: info.has_body,
            is_constructor: info.is_constructor,
            instance_of: Some(f),
            dispatch: None,
            sampled: false,
            generation,
            body: None,
            signature: State::Done,
            state: State::Done,
        };
        let base = info.symbol;
        let s = Subst::new(&self.all_params(gens), &f.args);
        // A function of the prelude is right for every type, so its parameters carry derivatives if
        // the types of the instance do. In other functions, a type that no bound makes
        // differentiable carries none.
        let bounded = !made.is_prelude;
        for p in &mut made.params {
            p.no_diff |= bounded && self.is_inactive_to_all(p.ty);
            p.ty = self.subst(p.ty, &s);
            p.ty = self.value_type(p.ty);
        }
        made.ret_no_diff |= bounded && self.is_inactive_to_all(made.ret);
        made.ret = self.subst(made.ret, &s);
        made.ret = self.value_type(made.ret);
        // `length.float.3`; the arguments of the method's type come first.
        let (outer, own) = f.args.split_at(f.args.len() - own.min(f.args.len()));
        let texts: Vec<String> = outer.iter().chain(own).map(|a| self.symbol_of_arg(*a)).collect();
        made.symbol = self.fresh_symbol(&format!("{base}.{}", texts.join(".")));
        made.named = true;
        let mut links = made.links;
        self.funcs.push(made);
        self.instances.insert(f, id);
        for link in links.each_mut().into_iter().flatten() {
            link.args = self.subst_args(link.args, &s);
        }
        self.add_outside_links(f, &mut links);
        self.funcs[id.0 as usize].links = links;
        let span = self.funcs[id.0 as usize].decl.span;
        self.link_instances(id, span, generation);
        id
    }

    /// Makes instances of the functions that a function is linked with.
    fn link_instances(&mut self, id: FuncId, span: Span, generation: u32) {
        let mut links = self.funcs[id.0 as usize].links;
        for slot in links.each_mut() {
            if let Some(link) = *slot {
                *slot = self.instance(link, span, generation).map(|func| FuncRef { func, args: Args::none() });
            }
        }
        self.funcs[id.0 as usize].links = links;
    }

    /// Whether a type has no derivative in the generic declaration, whatever it becomes: no bound
    /// states that it is a number or differentiable.
    pub(crate) fn is_inactive_to_all(&mut self, ty: Ty) -> bool {
        self.is_dependent(ty)
            && !self.is_differentiable_type(ty)
            && self.pointer_differential(ty).is_none()
            && self.element_set(ty).is_none_or(bounds::TypeSet::no_floats)
    }

    /// A copy of an expression with types in place of generic parameters. Its calls are not
    /// specialized.
    pub(crate) fn subst_expr(&mut self, e: &Expr, s: &Subst) -> Expr {
        let mut out = e.clone();
        if !s.is_empty() {
            self.subst_types(&mut out, s);
        }
        out
    }

    fn subst_types(&mut self, e: &mut Expr, s: &Subst) {
        self.subst_own_types(e, s);
        e.for_each_part_mut(&mut |p| self.subst_types(p, s));
        self.decided(e);
    }

    /// Substitutes in the type of an expression and in the types that it names, not in its parts.
    fn subst_own_types(&mut self, e: &mut Expr, s: &Subst) {
        e.ty = self.subst(e.ty, s);
        // `expand` handles the list with all of its elements.
        if !matches!(e.kind, ExprKind::Expand { .. }) {
            e.kind.fold_types(&mut Substitution { checker: self, subst: s });
        }
    }

    /// Replaces an expression whose form the arguments have decided. Returns whether the new
    /// expression is a call, which needs an instance itself.
    fn decided(&mut self, e: &mut Expr) -> bool {
        if let Some(call) = self.decided_operator(e) {
            *e = call;
            return true;
        }
        match &mut e.kind {
            ExprKind::ValueOf(v) => {
                if let Some(n) = v.as_int() {
                    e.kind = ExprKind::Const(Const::Int(n));
                }
            }
            ExprKind::ConvertAny(arg) if !arg.ty.is_abstract() && !e.ty.is_abstract() => {
                let arg = std::mem::replace(&mut **arg, Expr::error(e.span));
                let (ty, span) = (e.ty, e.span);
                *e = match &arg.kind {
                    ExprKind::InitList(parts) if parts.is_empty() => self.default_value(ty, span),
                    _ => self.cast(arg, ty, span),
                };
                return ty.as_struct().is_some() || self.has_defaults(ty);
            }
            ExprKind::SizeOf(t) if !self.is_dependent(*t) => {
                let bytes = self.size_and_align(*t).0;
                e.kind = ExprKind::Const(Const::Int(bytes as i64));
            }
            ExprKind::RequiredConst { of, interface, name } if !self.is_dependent(*of) => {
                let (of, interface, name) = (*of, *interface, *name);
                if let Some(value) = self.provided_const(of, interface, name, e.span) {
                    *e = self.coerce(value, e.ty);
                }
            }
            ExprKind::Upcast(_) | ExprKind::IsType { .. } | ExprKind::Downcast { .. } | ExprKind::MakeDynamic(_) => {
                self.decide_dynamic(e);
            }
            ExprKind::TypeIs { .. } | ExprKind::TypeMeets { .. } => self.decide_type_test(e),
            ExprKind::Binary { op, lhs, .. } if op.is_comparison() => {
                let shape = lhs.ty.shape();
                if !lhs.ty.is_abstract() && e.ty.as_scalar().is_some() && shape != types::Shape::Scalar {
                    let shown = self.show(lhs.ty);
                    let text = format!("vectors have no order: this generic code compares, and is used with `{shown}`");
                    self.error(codes::E0238, e.span, text);
                }
            }
            _ => {}
        }
        false
    }

    /// The value of a constant that an interface requires of a type, when the type is known. The
    /// value of a generic struct may depend on the struct's own parameters.
    pub(super) fn required_val(&mut self, of: Ty, interface: types::InterfaceRef, name: Name) -> types::Val {
        if (!self.is_dependent(of) || of.as_struct().is_some())
            && let Some(value) = self.provided_const(of, interface, name, Span::default())
            && let Some(value) = self.as_val(&value)
        {
            return value;
        }
        types::Val::new(types::ValKind::Required { of, interface, name })
    }

    fn provided_const(&mut self, of: Ty, i: types::InterfaceRef, name: Name, span: Span) -> Option<Expr> {
        let mut found = self.own_members(of, name);
        if found.is_empty() {
            // The default value in the interface.
            let ns = self.interfaces[i.id.0 as usize].ns;
            let entries = self.namespaces[ns.0 as usize].names.get(&name).cloned().unwrap_or_default();
            let subst = self.interface_subst(i, of);
            found = entries
                .into_iter()
                .map(|entry| members::Member { entry, subst: subst.clone(), of_type: true, brought: false })
                .collect();
        }
        found.into_iter().find_map(|m| match m.entry {
            Entry::Const(id) => Some(self.constant(id, &m, span)),
            _ => None,
        })
    }

    /// Checks the bodies that were added to the worklist.
    pub(crate) fn check_pending(&mut self) {
        while let Some(f) = self.worklist.get(self.checked).copied() {
            self.checked += 1;
            self.check_body(f);
            if self.cancel.is_cancelled() {
                return;
            }
        }
    }
}

/// The most copies that `$for` makes of its body.
const MAX_COPIES: i64 = 4096;

/// Whether a constant's value has a call in it.
fn calls(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Call { .. } => true,
        ExprKind::Shared(value, _) => calls(value),
        _ => {
            let mut found = false;
            e.for_each_part(&mut |part| found = found || calls(part));
            found
        }
    }
}

/// The arguments for specializing a body.
struct Specializing<'s> {
    subst: &'s Subst,
    generation: u32,
    /// Whether loops with `[ForceUnroll]` are unrolled at once.
    unroll: bool,
}

impl Checker<'_> {
    fn stmts_of(&mut self, stmts: &mut Vec<Stmt>, cx: &Specializing<'_>) {
        let mut at = 0;
        while at < stmts.len() {
            let copies = match &stmts[at].kind {
                StmtKind::Unroll { .. } => self.compile_time_copies(&stmts[at], cx),
                _ if cx.unroll => self.unrolled(&stmts[at], cx),
                _ => None,
            };
            if let Some(copies) = copies {
                let n = copies.len();
                stmts.splice(at..=at, copies);
                at += n;
                continue;
            }
            match &mut stmts[at].kind {
                StmtKind::Expr(e) => self.expr_of(e, cx),
                StmtKind::Var { init: Some(e), .. } | StmtKind::Return(Some(e)) => self.expr_of(e, cx),
                StmtKind::Assert { cond, message } => {
                    self.expr_of(cond, cx);
                    let known = self.fold(cond);
                    let (span, message) = (cond.span, message.clone());
                    match known {
                        Some(Const::Bool(true)) => {}
                        Some(_) => self.assertion_failed(message, span),
                        None => _ = self.undecided(span),
                    }
                    stmts.remove(at);
                    continue;
                }
                StmtKind::Block(b) => self.stmts_of(b, cx),
                StmtKind::If { cond, then, other } => {
                    let decided = matches!(
                        cond.kind,
                        ExprKind::TypeIs { .. } | ExprKind::TypeMeets { .. } | ExprKind::ValueOf(_)
                    );
                    self.expr_of(cond, cx);
                    // A branch whose condition is known to be false is dropped, since its code may
                    // need the condition.
                    if decided && let ExprKind::Const(known) = cond.kind {
                        if matches!(known, Const::Bool(true) | Const::Int(1..)) { other.clear() } else { then.clear() }
                    }
                    self.stmts_of(then, cx);
                    self.stmts_of(other, cx);
                }
                StmtKind::Loop { init, cond, step, body, attrs, .. } => {
                    attrs.fold_types(&mut Substitution { checker: self, subst: cx.subst });
                    self.stmts_of(init, cx);
                    for e in cond.iter_mut().chain(step) {
                        self.expr_of(e, cx);
                    }
                    self.stmts_of(body, cx);
                }
                StmtKind::Switch { value, groups } => {
                    self.expr_of(value, cx);
                    for g in groups {
                        self.stmts_of(&mut g.body, cx);
                    }
                }
                StmtKind::Unroll { .. }
                | StmtKind::Var { init: None, .. }
                | StmtKind::Return(None)
                | StmtKind::Break
                | StmtKind::Continue => {}
            }
            at += 1;
        }
    }

    fn expr_of(&mut self, e: &mut Expr, cx: &Specializing<'_>) {
        // Only differentials of dependent types can have other fields than their instances.
        let moved = match &e.kind {
            ExprKind::Field { base, index } => self.differential_field(base.ty, *index),
            _ => None,
        };
        if let ExprKind::Expand { .. } = &e.kind {
            return self.expand(e, cx);
        }
        if let ExprKind::Shared(value, _) = &mut e.kind
            && calls(value)
        {
            *value = self.shared_of(value, cx);
            e.ty = value.ty;
            return;
        }
        let was = e.ty;
        if !cx.subst.is_empty() {
            self.subst_own_types(e, cx.subst);
        }
        if let ExprKind::Global(id) = e.kind
            && let Some(gens) = self.globals[id.0 as usize].gens
        {
            let (of, args) = match self.group_template(id) {
                Some((of, args)) => (of, self.subst_args(args, cx.subst)),
                None => (id, self.args_of(Some(gens), cx.subst)),
            };
            e.kind = ExprKind::Global(self.group_instance(of, args));
        }
        e.ty = self.value_type(e.ty);
        self.in_space(e);
        // A requirement may take a pack whose elements the providing function takes as separate
        // parameters.
        let apart = match &e.kind {
            ExprKind::Call { func, .. } | ExprKind::CallDeriv { func, .. } => self.packed_params(func.func),
            _ => Vec::new(),
        };
        let lists: Vec<bool> = match &e.kind {
            ExprKind::Construct(parts) | ExprKind::InitList(parts) => {
                parts.iter().map(|p| self.is_pack(p.ty)).collect()
            }
            _ => Vec::new(),
        };
        let span = e.span;
        if let ExprKind::Access(a) = &mut e.kind {
            for f in a.get.iter_mut().chain(&mut a.set) {
                match self.instance(*f, span, cx.generation) {
                    Some(id) => *f = FuncRef { func: id, args: Args::none() },
                    None => return,
                }
            }
        }
        let derivative = matches!(e.kind, ExprKind::CallDeriv { .. });
        if let ExprKind::CallOn { func, args } = &mut e.kind {
            let (func, args) = (*func, std::mem::take(args));
            let Some(id) = self.opened_static(func, span, cx.generation) else { return };
            e.kind = ExprKind::Call { func: FuncRef { func: id, args: Args::none() }, args };
        } else if let ExprKind::Call { func, .. } | ExprKind::CallDeriv { func, .. } = &mut e.kind {
            match self.instance_for(*func, derivative, span, cx.generation) {
                Some(id) => *func = FuncRef { func: id, args: Args::none() },
                None => return,
            }
        }
        if matches!(e.kind, ExprKind::BufferElem { .. }) {
            self.need_packer(e.ty, span);
        }
        e.for_each_part_mut(&mut |p| self.expr_of(p, cx));
        if let ExprKind::Reinterpret(arg) = &e.kind {
            self.need_bits(arg.ty, e.ty, span);
        }
        self.open_packs(e, &apart, &lists, cx);
        if let (Some(name), ExprKind::Field { base, index }) = (moved, &mut e.kind)
            && let Some(id) = base.ty.as_struct()
            && let Some(i) = self.structs[id.0 as usize].field_index.get(&name)
        {
            *index = *i;
        }
        self.reorder_parts(e, was);
        // A requirement that an intrinsic provides becomes an op instead of a call.
        if let ExprKind::Call { func, args } = &mut e.kind
            && let Some(op) = self.funcs[func.func.0 as usize].intrinsic
        {
            let args = std::mem::take(args);
            e.kind = ExprKind::Intrinsic { op, args };
        }
        if self.decided(e) {
            self.expr_of(e, &Specializing { subst: &Subst::default(), generation: cx.generation, unroll: false });
        }
    }

    /// The value of a constant with the instances of the functions that it calls. Its uses still
    /// share it.
    fn shared_of(&mut self, value: &Rc<Expr>, cx: &Specializing<'_>) -> Rc<Expr> {
        let key = Rc::as_ptr(value) as usize;
        if let Some((_, done)) = self.shared_instances.get(&key).filter(|_| cx.subst.is_empty()) {
            return done.clone();
        }
        let mut made = (**value).clone();
        self.expr_of(&mut made, cx);
        let made = Rc::new(made);
        if cx.subst.is_empty() {
            self.shared_instances.insert(key, (value.clone(), made.clone()));
        }
        made
    }

    /// Replaces an `expand` by a copy of the pattern for every element.
    fn expand(&mut self, e: &mut Expr, cx: &Specializing<'_>) {
        let ExprKind::Expand { pattern, of } = &e.kind else { return };
        let of = self.subst(*of, &cx.subst.without_element());
        let types::TyKind::Pack(list) = of.kind() else {
            self.diags.push(Diagnostic::internal(self.loc(e.span), "a pack that is not known".to_string()));
            return;
        };
        let mut parts = Vec::with_capacity(list.len());
        for i in 0..list.len() {
            let mut part = (**pattern).clone();
            let subst = cx.subst.with_element(i);
            self.expr_of(&mut part, &Specializing { subst: &subst, ..*cx });
            parts.push(part);
        }
        if e.ty.is_void() {
            e.kind = ExprKind::Comma(parts);
            return;
        }
        let list = self.make_pack(parts.iter().map(|p| p.ty));
        e.ty = self.tuple_type(list);
        e.kind = ExprKind::Construct(parts);
    }

    /// By parameter: whether the declaration of a function has a pack there. Empty if there are
    /// none.
    pub(super) fn packed_params(&self, f: FuncId) -> Vec<bool> {
        let flags: Vec<bool> = self.funcs[f.0 as usize].params.iter().map(|p| self.is_pack(p.ty)).collect();
        if flags.contains(&true) { flags } else { Vec::new() }
    }

    /// Replaces values of pack types by their parts where parts are needed, and `each` by its
    /// element.
    fn open_packs(&mut self, e: &mut Expr, apart: &[bool], lists: &[bool], cx: &Specializing<'_>) {
        match &mut e.kind {
            ExprKind::PackPart { .. } => self.part_of_value(e),
            ExprKind::Each(base) => {
                let index = cx.subst.element.unwrap_or(0);
                let base = std::mem::replace(base, Box::new(Expr::error(e.span)));
                e.kind = ExprKind::Field { base, index };
            }
            ExprKind::Construct(parts) | ExprKind::InitList(parts) if lists.contains(&true) => {
                let mut out = Vec::new();
                for (p, list) in std::mem::take(parts).into_iter().zip(lists) {
                    if *list { self.splice(p, &mut out) } else { out.push(p) }
                }
                if let ExprKind::Construct(parts) | ExprKind::InitList(parts) = &mut e.kind {
                    *parts = out;
                }
            }
            ExprKind::Call { func, args } if !apart.is_empty() => {
                let made = &self.funcs[func.func.0 as usize];
                let declared = made.instance_of.map_or(func.func, |f| f.func);
                if !self.packed_params(declared).is_empty() {
                    return;
                }
                // A function that dispatches takes the pack as a whole.
                if made.params.len() == args.len() && made.params.iter().zip(args.iter()).all(|(p, a)| p.ty == a.ty) {
                    return;
                }
                let mut out = Vec::new();
                for (a, list) in std::mem::take(args).into_iter().zip(apart) {
                    if *list { self.splice(a, &mut out) } else { out.push(a) }
                }
                let ExprKind::Call { args, .. } = &mut e.kind else { return };
                *args = out;
            }
            _ => {}
        }
    }

    /// The name of a field of a differential that was made for a dependent type.
    fn differential_field(&mut self, ty: Ty, index: u32) -> Option<Name> {
        let id = ty.as_struct()?;
        self.structs[id.0 as usize].differential_of?;
        self.structs[id.0 as usize].fields.get(index as usize).map(|f| f.name)
    }

    /// A differential that is constructed for a dependent type may have more parts when the type is
    /// known.
    fn reorder_parts(&mut self, e: &mut Expr, was: Ty) {
        let ExprKind::Construct(parts) = &mut e.kind else { return };
        let (Some(old), Some(new)) = (was.as_struct(), e.ty.as_struct()) else { return };
        if self.structs[old.0 as usize].differential_of.is_none() {
            return;
        }
        let names: Vec<Name> = self.structs[old.0 as usize].fields.iter().map(|f| f.name).collect();
        let mut given: FxHashMap<Name, Expr> = names.into_iter().zip(parts.drain(..)).collect();
        let span = e.span;
        *parts = self
            .fields(new)
            .to_vec()
            .into_iter()
            .map(|f| given.remove(&f.name).unwrap_or(Expr { ty: f.ty, span, kind: ExprKind::Zero }))
            .collect();
    }

    /// The copies of the body of a `$for`, or of what an `expand` repeats.
    fn compile_time_copies(&mut self, s: &Stmt, cx: &Specializing<'_>) -> Option<Vec<Stmt>> {
        let StmtKind::Unroll { copies, body } = &s.kind else { return None };
        let (param, from, to) = match copies {
            Copies::Numbers { param, from, to } => (param, *from, *to),
            Copies::Elements(of) => return self.element_copies(*of, body, s.span, cx),
        };
        let (from, to) = (self.subst_val(from, cx.subst), self.subst_val(to, cx.subst));
        let (from, to) = (from.as_int()?, to.as_int()?);
        if to.saturating_sub(from) > MAX_COPIES {
            self.error(codes::E0264, s.span, format!("`$for` would make {} copies", to.saturating_sub(from)))
                .notes
                .push(format!("at most {MAX_COPIES} are made; write an ordinary loop"));
            return Some(Vec::new());
        }
        let mut out = Vec::new();
        for i in from..to {
            let mut copy = body.clone();
            let mut subst = cx.subst.clone();
            subst.set(*param, types::GArg::Val(types::Val::int(i)));
            self.stmts_of(&mut copy, &Specializing { subst: &subst, ..*cx });
            out.push(Stmt { span: s.span, kind: StmtKind::Block(copy) });
        }
        Some(out)
    }

    /// A copy of statements for every element of a list.
    fn element_copies(&mut self, of: Ty, body: &[Stmt], span: Span, cx: &Specializing<'_>) -> Option<Vec<Stmt>> {
        let of = self.subst(of, &cx.subst.without_element());
        let types::TyKind::Pack(list) = of.kind() else { return None };
        let mut out = Vec::with_capacity(list.len());
        for i in 0..list.len() {
            let mut copy = body.to_vec();
            let subst = cx.subst.with_element(i);
            self.stmts_of(&mut copy, &Specializing { subst: &subst, ..*cx });
            out.push(Stmt { span, kind: StmtKind::Block(copy) });
        }
        Some(out)
    }

    /// Unrolls a counted loop of the prelude over the rows of a matrix,
    /// `for (int i = a; i < b; i++)`, so that the indices are constant.
    fn unrolled(&mut self, s: &Stmt, cx: &Specializing<'_>) -> Option<Vec<Stmt>> {
        let StmtKind::Loop { init, cond: Some(cond), body, attrs, .. } = &s.kind else { return None };
        if !attrs.force_unroll {
            return None;
        }
        let [Stmt { kind: StmtKind::Var { local, init: Some(first) }, .. }] = init.as_slice() else { return None };
        let ExprKind::Binary { op: ast::BinOp::Lt, lhs, rhs } = &cond.kind else { return None };
        if !matches!(lhs.kind, ExprKind::Local(l) if l == *local) {
            return None;
        }
        let (first, last) = (self.subst_expr(first, cx.subst), self.subst_expr(rhs, cx.subst));
        let (Some(Const::Int(from)), Some(Const::Int(to))) = (self.fold(&first), self.fold(&last)) else { return None };
        let mut out = Vec::new();
        for i in from..to {
            let mut copy = body.clone();
            set_local(&mut copy, *local, i);
            self.stmts_of(&mut copy, cx);
            out.push(Stmt { span: s.span, kind: StmtKind::Block(copy) });
        }
        Some(out)
    }
}

/// Replaces a variable that is only read by a number.
fn set_local(stmts: &mut [Stmt], local: LocalId, value: i64) {
    fn in_expr(e: &mut Expr, local: LocalId, value: i64) {
        if matches!(e.kind, ExprKind::Local(l) if l == local) {
            e.kind = ExprKind::Const(Const::Int(consts::wrap(value, e.ty.as_scalar().unwrap_or(Scalar::I32))));
            return;
        }
        e.for_each_part_mut(&mut |p| in_expr(p, local, value));
    }
    for s in stmts {
        s.for_each_expr_mut(&mut |e| in_expr(e, local, value));
    }
}

/// Replaces generic parameters in types by their arguments.
struct Substitution<'c, 'a, 's> {
    checker: &'c mut Checker<'a>,
    subst: &'s Subst,
}

impl TypeFolder for Substitution<'_, '_, '_> {
    fn ty(&mut self, ty: Ty) -> Ty {
        self.checker.subst(ty, self.subst)
    }
    fn val(&mut self, val: types::Val) -> types::Val {
        self.checker.subst_val(val, self.subst)
    }
    fn args(&mut self, args: Args) -> Args {
        self.checker.subst_args(args, self.subst)
    }
    fn interface(&mut self, interface: types::InterfaceRef) -> types::InterfaceRef {
        self.checker.subst_ref(interface, self.subst)
    }
    fn bound(&mut self, bound: bounds::Bound) -> bounds::Bound {
        self.checker.subst_bound(bound, self.subst)
    }
    fn shared(&mut self, value: &Expr) -> Expr {
        self.checker.subst_expr(value, self.subst)
    }
}
