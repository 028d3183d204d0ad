//! Finds places where derivatives are lost unnoticed: the checks of the user guide on "mixed
//! differentiable and non-differentiable code", by the flow of derivatives through a function.
//!
//! A local carries a derivative if any assignment gives it one, in whatever order. The check is a
//! fixed point over the body, and does not depend on how an expression is written.

use super::*;
use caustic_ir::codes;

struct Flow<'c, 'a> {
    checker: &'c mut Checker<'a>,
    active: Vec<bool>,
    changed: bool,
    report: bool,
    /// Whether the function also has a backward derivative.
    backward: bool,
    /// How many `no_diff` or `detach` expressions surround this one. In them derivatives end on
    /// purpose.
    detached: u32,
    /// How many expressions surround this one that read only parts without floats.
    without_floats: u32,
    /// By local: whether floats are read from it where no `no_diff` ends their derivatives.
    read: Vec<bool>,
    /// Whether the next call is a statement, so that its result is not used.
    unused: bool,
    /// Whether no derivative can come of the value of this expression: it decides a condition, is
    /// an index, becomes an integer, is stored where there is none, or is not used.
    idle: bool,
    /// By local: whether derivatives may come of its value.
    useful: Vec<bool>,
    /// By local: whether it is a parameter whose value does not go back to the caller.
    given: Vec<bool>,
}

impl Checker<'_> {
    /// Checks a function. Returns, by parameter, whether floats are read from it where no `no_diff`
    /// ends their derivatives.
    pub(crate) fn check_derivative_flow(&mut self, f: FuncId, body: &Body) -> Vec<bool> {
        self.resolve_links();
        let mut active = vec![false; body.locals.len()];
        let params = self.funcs[f.0 as usize].params.clone();
        for (p, l) in params.iter().zip(&body.params) {
            active[l.0 as usize] = p.dir != Dir::Out && !p.no_diff && self.is_differentiable_type(p.ty);
        }
        let backward = self.funcs[f.0 as usize].has_derivative(Mode::Backward);
        let read = vec![false; body.locals.len()];
        let mut flow = Flow {
            checker: self,
            active,
            changed: true,
            report: false,
            backward,
            detached: 0,
            without_floats: 0,
            read,
            unused: false,
            idle: false,
            useful: vec![false; body.locals.len()],
            given: vec![false; body.locals.len()],
        };
        for (p, l) in params.iter().zip(&body.params) {
            flow.useful[l.0 as usize] = p.dir != Dir::In;
            flow.given[l.0 as usize] = p.dir == Dir::In;
        }
        while std::mem::take(&mut flow.changed) {
            flow.stmts(&body.stmts, body);
        }
        flow.report = true;
        flow.stmts(&body.stmts, body);
        body.params.iter().map(|l| flow.read[l.0 as usize]).collect()
    }
}

impl Checker<'_> {
    /// Detaches the values whose derivatives are lost: in a struct that carries none, in a field
    /// that is `no_diff`, in a value of an interface without derivatives, and in a value whose type
    /// is not known to have one at this point, even if it turns out to have one. The check has
    /// warned about these.
    pub(crate) fn end_lost_derivatives(&mut self, stmts: &mut [Stmt]) {
        for s in stmts {
            s.for_each_expr_mut(&mut |e| self.end_lost(e));
        }
    }

    fn end_lost(&mut self, e: &mut Expr) {
        e.for_each_part_mut(&mut |part| self.end_lost(part));
        if let ExprKind::Upcast(arg) = &mut e.kind {
            if !self.is_differentiable_type(e.ty) && self.is_differentiable_type(arg.ty) {
                ended(arg);
            }
            return;
        }
        if let ExprKind::Call { func, .. } = &e.kind {
            if !self.funcs[func.func.0 as usize].is_prelude && self.is_inactive_to_all(e.ty) {
                ended(e);
            }
            return;
        }
        let (ExprKind::Construct(parts), Some(id)) = (&mut e.kind, e.ty.as_struct()) else { return };
        let holds = self.is_differentiable_type(e.ty);
        let fields = self.fields(id).to_vec();
        for (part, field) in parts.iter_mut().zip(fields) {
            let constant = matches!(part.kind, ExprKind::Const(_) | ExprKind::Zero | ExprKind::Detach(_));
            if (!holds || field.no_diff) && !constant && self.is_differentiable_type(part.ty) {
                ended(part);
            }
        }
    }
}

/// Detaches a value. The value is wrapped first, because a detached call would be a `no_diff` call,
/// whose `out` arguments lose their derivatives too.
fn ended(e: &mut Expr) {
    let (ty, span) = (e.ty, e.span);
    let value = std::mem::replace(e, Expr::error(span));
    *e = Expr { ty, span, kind: ExprKind::Comma(vec![value]) }.detached();
}

/// Whether this is a local or a part of one that is accessed without a call.
fn is_part_of_local(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) => true,
        ExprKind::Field { base, .. } => is_part_of_local(base),
        ExprKind::Index { base, index } => is_part_of_local(base) && matches!(index.kind, ExprKind::Const(_)),
        _ => false,
    }
}

impl Flow<'_, '_> {
    fn stmts(&mut self, stmts: &[Stmt], body: &Body) {
        for s in stmts {
            match &s.kind {
                StmtKind::Expr(e) => {
                    self.unused = matches!(e.kind, ExprKind::Call { .. } | ExprKind::Assign { .. });
                    self.idly(e, body);
                    self.unused = false;
                }
                StmtKind::Var { local, init } => {
                    if let Some(e) = init
                        && self.within(!self.useful[local.0 as usize], |f| f.expr(e, body))
                    {
                        let l = &body.locals[local.0 as usize];
                        if l.no_diff {
                            self.lost(e.span, Some(l.span));
                        } else {
                            self.activate(*local, body);
                        }
                    }
                }
                StmtKind::Block(b) | StmtKind::Unroll { body: b, .. } => self.stmts(b, body),
                StmtKind::If { cond, then, other } => {
                    self.idly(cond, body);
                    self.stmts(then, body);
                    self.stmts(other, body);
                }
                StmtKind::Loop { init, cond, step, body: inner, .. } => {
                    self.stmts(init, body);
                    for e in cond.iter().chain(step) {
                        self.idly(e, body);
                    }
                    self.stmts(inner, body);
                }
                StmtKind::Switch { value, groups } => {
                    self.idly(value, body);
                    for g in groups {
                        self.stmts(&g.body, body);
                    }
                }
                StmtKind::Return(Some(e)) => {
                    self.expr(e, body);
                }
                StmtKind::Return(None) | StmtKind::Assert { .. } | StmtKind::Break | StmtKind::Continue => {}
            }
        }
    }

    /// Checks an expression of whose value no derivative comes.
    fn idly(&mut self, e: &Expr, body: &Body) -> bool {
        self.within(true, |f| f.expr(e, body))
    }

    fn within<R>(&mut self, idle: bool, check: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.idle, idle);
        let found = check(self);
        self.idle = outer;
        found
    }

    /// Whether no derivative comes of what is written to a place.
    fn is_idle_place(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Local(l) => !self.useful[l.0 as usize],
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.is_idle_place(base)
            }
            ExprKind::BufferElem { .. } | ExprKind::Static { .. } | ExprKind::Global(_) => true,
            _ => false,
        }
    }

    fn activate(&mut self, l: LocalId, body: &Body) {
        let local = &body.locals[l.0 as usize];
        if !self.active[l.0 as usize] && !local.no_diff && self.checker.is_differentiable_type(local.ty) {
            self.active[l.0 as usize] = true;
            self.changed = true;
        }
    }

    /// Like `write`, of a whole value. A `no_diff` parameter carries a derivative once it is
    /// assigned, unless its value goes back to the caller: the word speaks of the argument.
    fn write_whole(&mut self, place: &Expr, value_span: Span, body: &Body) {
        match place.kind {
            ExprKind::Local(l) if self.given[l.0 as usize] && self.checker.is_differentiable_type(place.ty) => {
                self.changed |= !std::mem::replace(&mut self.active[l.0 as usize], true);
            }
            _ => self.write(place, value_span, body),
        }
    }

    fn lost(&mut self, span: Span, declared: Option<Span>) {
        if !self.report || self.detached > 0 {
            return;
        }
        let at = declared.map(|s| self.checker.loc(s));
        let d = self.checker.error(
            codes::E0310,
            span,
            "the derivative of this value is lost: it is assigned to a location that carries none",
        );
        if let Some(at) = at {
            d.labels.push((at, "declared here".to_string()));
        }
        d.notes.push("write `detach(…)` if the derivative is meant to end here".to_string());
    }

    /// Reports that an active value converts to a type that is not known to have a derivative: a
    /// generic parameter or an interface.
    fn loses_type(&mut self, span: Span, ty: Ty) {
        if !self.report || self.detached > 0 {
            return;
        }
        let shown = self.checker.show(ty);
        let text = format!(
            "the derivative of this value is lost: nothing says that `{shown}`, as which it is used, is differentiable"
        );
        let d = self.checker.warn(codes::W0311, span, text);
        let how = if matches!(ty.kind(), types::TyKind::Interface(_)) {
            "let that interface inherit from `IDifferentiable`"
        } else {
            "bound that type by `IDifferentiable` too"
        };
        d.notes.push(format!("{how}, or write `detach(…)` if the derivative is meant to end here"));
    }

    /// Reports that a constructor stores an active value in a field that is `no_diff`.
    fn loses_field(&mut self, span: Span, field: &Field) {
        if !self.report || self.detached > 0 {
            return;
        }
        let at = self.checker.loc(field.span);
        let text = format!("the derivative of this value is lost: `{}` carries none", field.name);
        let d = self.checker.warn(codes::W0311, span, text);
        d.labels.push((at, "declared here".to_string()));
        d.notes.push("write `detach(…)` if the derivative is meant to end here".to_string());
    }

    /// Records that an active value is written to `place`.
    fn write(&mut self, place: &Expr, value_span: Span, body: &Body) {
        let mut at = place;
        loop {
            match &at.kind {
                ExprKind::Local(l) => {
                    let local = &body.locals[l.0 as usize];
                    if local.no_diff || !self.checker.is_differentiable_type(local.ty) {
                        let span = local.span;
                        self.lost(value_span, Some(span));
                    } else {
                        self.activate(*l, body);
                    }
                    return;
                }
                ExprKind::Field { base, index } => {
                    if let Some(id) = base.ty.as_struct() {
                        let field = self.checker.fields(id)[*index as usize].clone();
                        let carries = self.checker.is_differentiable_type(base.ty);
                        let told = self.report && self.detached == 0 && !field.no_diff && !carries;
                        if told && self.checker.lost_in_struct(base.ty, value_span) {
                            return;
                        }
                        if field.no_diff || !carries {
                            return self.lost(value_span, Some(field.span));
                        }
                    }
                    at = base;
                }
                ExprKind::Index { base, .. }
                | ExprKind::Swizzle { base, .. }
                | ExprKind::PairPart { base, .. }
                | ExprKind::Each(base)
                | ExprKind::Assign { place: base, .. } => at = base,
                ExprKind::Access(a) => {
                    let setter = a.set.map(|f| &self.checker.funcs[f.func.0 as usize]);
                    // A setter that does not change its object keeps the value and its derivative
                    // elsewhere.
                    let changes = setter.is_some_and(|f| f.this == Some(Dir::InOut));
                    match a.args.first() {
                        _ if !setter.is_some_and(|f| f.is_differentiable()) => return self.lost(value_span, None),
                        Some(base) if a.has_this && changes => at = base,
                        _ => return,
                    }
                }
                _ => return self.lost(value_span, None),
            }
        }
    }

    fn any(&mut self, parts: &[Expr], body: &Body) -> bool {
        let mut found = false;
        for p in parts {
            found |= self.expr(p, body);
        }
        found
    }

    /// Whether the value of an expression carries a derivative. Also checks its parts.
    fn expr(&mut self, e: &Expr, body: &Body) -> bool {
        match &e.kind {
            ExprKind::Binary { .. } => self.binary_chain(e, body),
            ExprKind::Local(l) => {
                if !self.idle && !std::mem::replace(&mut self.useful[l.0 as usize], true) {
                    self.changed = true;
                }
                self.read[l.0 as usize] |= self.detached == 0 && self.without_floats == 0;
                self.active[l.0 as usize]
            }
            ExprKind::Field { base, index } => self.field(e, base, *index, body),
            ExprKind::Index { base, index } => {
                self.idly(index, body);
                self.expr(base, body)
            }
            ExprKind::Swizzle { base, .. }
            | ExprKind::PairPart { base, .. }
            | ExprKind::Each(base)
            | ExprKind::PackPart { value: base, .. }
            | ExprKind::Reinterpret(base)
            | ExprKind::Expand { pattern: base, .. } => self.expr(base, body),
            ExprKind::Unary { op, arg } => {
                let a = self.expr(arg, body);
                a && *op == UnaryOp::Neg && self.checker.is_differentiable_type(e.ty)
            }
            ExprKind::Logical { lhs: a, rhs: b, .. } | ExprKind::BufferElem { buffer: a, index: b } => {
                self.idly(a, body);
                self.idly(b, body);
                false
            }
            ExprKind::Ternary { cond, then, other } | ExprKind::Select { cond, then, other } => {
                self.idly(cond, body);
                let t = self.expr(then, body);
                self.expr(other, body) || t
            }
            ExprKind::Assign { place, value } => self.assign(place, value, body),
            ExprKind::CompoundAssign { place, value, op_ty, .. } => self.compound_assign(place, value, *op_ty, body),
            ExprKind::Update { place, old, value } => self.update(place, *old, value, body),
            ExprKind::Access(a) => match a.get {
                Some(get) => self.call(e, get, &a.args, body),
                None => self.any(&a.args, body),
            },
            ExprKind::IncDec { place, .. } => self.step(place, body),
            ExprKind::Convert(arg)
            | ExprKind::ConvertAny(arg)
            | ExprKind::Splat(arg)
            | ExprKind::TruncateMatrix(arg)
            | ExprKind::Downcast { value: arg, .. } => self.converted(e.ty, arg, body),
            ExprKind::Upcast(arg) => self.upcast(e, arg, body),
            ExprKind::Retype(arg)
            | ExprKind::BufferLen(arg)
            | ExprKind::IsType { value: arg, .. }
            | ExprKind::Bitcast(arg) => {
                self.expr(arg, body);
                false
            }
            ExprKind::Construct(parts) => self.construct(e, parts, body),
            ExprKind::Call { func, args } => self.call(e, *func, args, body),
            ExprKind::CallDeriv { args, dirs, .. } => self.call_derivative(e, args, dirs, body),
            ExprKind::Atomic { place, args, .. } => self.atomic(e, place, args, body),
            ExprKind::Intrinsic { op, args } => self.intrinsic(e, op, args, body),
            ExprKind::CallOn { args, .. } => {
                self.within(false, |f| f.any(args, body)) && self.checker.is_differentiable_type(e.ty)
            }
            ExprKind::Printf { args, .. } => {
                self.any(args, body);
                false
            }
            ExprKind::Comma(parts) => self.comma(parts, body),
            ExprKind::Detach(arg) => self.detach(arg, body),
            ExprKind::DAdd(a, b) | ExprKind::DMul(a, b) => {
                let a = self.expr(a, body);
                self.expr(b, body) || a
            }
            ExprKind::Const(_)
            | ExprKind::Str(_)
            | ExprKind::Zero
            | ExprKind::ValueOf(_)
            | ExprKind::SizeOf(_)
            | ExprKind::RequiredConst { .. }
            | ExprKind::Global(_)
            | ExprKind::Static { .. }
            | ExprKind::Shared(..)
            | ExprKind::DZero
            | ExprKind::MakeDynamic(_)
            | ExprKind::TypeMeets { .. }
            | ExprKind::TypeIs { .. }
            | ExprKind::InitList(_)
            | ExprKind::Unavailable(_)
            | ExprKind::Error => false,
        }
    }

    /// A value as one of another type: a number becomes another one, or an integer.
    fn converted(&mut self, to: Ty, arg: &Expr, body: &Body) -> bool {
        let carries = self.checker.is_differentiable_type(to);
        let ends = !carries && to.element_scalar().is_some();
        self.within(self.idle || ends, |f| f.expr(arg, body)) && carries
    }

    fn comma(&mut self, parts: &[Expr], body: &Body) -> bool {
        let Some((last, before)) = parts.split_last() else { return false };
        before.iter().for_each(|p| _ = self.idly(p, body));
        self.expr(last, body)
    }

    fn atomic(&mut self, e: &Expr, place: &Expr, args: &[Expr], body: &Body) -> bool {
        self.within(false, |f| {
            f.expr(place, body);
            if f.any(args, body) {
                f.lost(e.span, None);
            }
        });
        false
    }

    fn step(&mut self, place: &Expr, body: &Body) -> bool {
        let idle = self.idle && self.is_idle_place(place);
        let old = self.within(idle, |f| f.expr(place, body));
        self.set(place, old, body);
        old
    }

    fn detach(&mut self, arg: &Expr, body: &Body) -> bool {
        self.detached += 1;
        self.expr(arg, body);
        self.detached -= 1;
        false
    }

    /// Chains of operators, which are long in generated code, are walked without recursion.
    fn binary_chain(&mut self, e: &Expr, body: &Body) -> bool {
        let mut at = e;
        let mut found = false;
        while let ExprKind::Binary { op, lhs, rhs } = &at.kind {
            let float = self.checker.is_differentiable_type(at.ty);
            let ends = op.is_comparison() || !float && at.ty.element_scalar().is_some();
            let r = self.within(self.idle || ends, |f| f.expr(rhs, body));
            if op.is_comparison() || !float {
                self.within(self.idle || ends, |f| f.expr(lhs, body));
                return found;
            }
            found |= r;
            at = lhs;
        }
        self.expr(at, body) || found
    }

    fn field(&mut self, e: &Expr, base: &Expr, index: u32, body: &Body) -> bool {
        let without = u32::from(is_part_of_local(base) && !self.checker.holds_floats(e.ty));
        self.without_floats += without;
        let inside = self.expr(base, body);
        self.without_floats -= without;
        match base.ty.as_struct() {
            Some(id) if inside => {
                !self.checker.fields(id)[index as usize].no_diff && self.checker.is_differentiable_type(e.ty)
            }
            _ => inside,
        }
    }

    fn assign(&mut self, place: &Expr, value: &Expr, body: &Body) -> bool {
        let unused = std::mem::take(&mut self.unused);
        let idle = self.idle && self.is_idle_place(place);
        let v = self.within(idle, |f| f.expr(value, body));
        match &place.kind {
            ExprKind::Access(a) => _ = self.within(false, |f| f.any(&a.args, body)),
            _ => _ = self.within(idle || self.is_idle_place(place), |f| f.expr(place, body)),
        }
        self.assigned(place, value, v, body);
        match &place.kind {
            // The value of an assignment to a property is what the getter makes of it.
            ExprKind::Access(_) if !idle && !unused => self.expr(place, body),
            _ => v,
        }
    }

    fn compound_assign(&mut self, place: &Expr, value: &Expr, op_ty: Ty, body: &Body) -> bool {
        let idle = self.idle && self.is_idle_place(place);
        let v = self.within(idle, |f| f.expr(value, body)) && self.checker.is_differentiable_type(op_ty);
        let old = self.within(idle, |f| f.expr(place, body));
        let v = v && self.checker.is_differentiable_type(place.ty);
        self.set(place, v || old, body);
        if v {
            self.write_whole(place, value.span, body);
        }
        v || old
    }

    fn update(&mut self, place: &Expr, old: LocalId, value: &Expr, body: &Body) -> bool {
        let idle = self.idle && self.is_idle_place(place);
        if self.within(idle, |f| f.expr(place, body)) {
            self.activate(old, body);
        }
        let v = self.within(idle, |f| f.expr(value, body));
        self.assigned(place, value, v, body);
        v
    }

    /// Records that `value`, which carries a derivative if `active`, is assigned to `place`.
    fn assigned(&mut self, place: &Expr, value: &Expr, active: bool, body: &Body) {
        self.set(place, active, body);
        if active {
            self.write_whole(place, value.span, body);
        }
    }

    fn upcast(&mut self, e: &Expr, arg: &Expr, body: &Body) -> bool {
        let active = self.expr(arg, body);
        let carries = self.checker.is_differentiable_type(e.ty);
        if active && !carries {
            self.loses_type(arg.span, e.ty);
        }
        active && carries
    }

    fn call_derivative(&mut self, e: &Expr, args: &[Expr], dirs: &[Dir], body: &Body) -> bool {
        let found = self.within(false, |f| f.any(args, body));
        if found {
            for (a, d) in args.iter().zip(dirs) {
                if *d != Dir::In && self.checker.is_differentiable_type(a.ty) {
                    self.write(a, a.span, body);
                }
            }
        }
        found && self.checker.is_differentiable_type(e.ty)
    }

    fn intrinsic(&mut self, e: &Expr, op: &str, args: &[Expr], body: &Body) -> bool {
        // The op may write to an argument.
        let found = self.within(false, |f| f.any(args, body)) && self.checker.is_differentiable_type(e.ty);
        let Some(what) = from_elsewhere(op) else { return found };
        if found && self.report && self.detached == 0 {
            let text = format!("what comes from {what} has no derivative: that of the arguments is lost");
            self.checker
                .error(codes::E0311, e.span, text)
                .notes
                .push("write `no_diff` before the call, or give the function around it a derivative".to_string());
        }
        false
    }

    fn construct(&mut self, e: &Expr, parts: &[Expr], body: &Body) -> bool {
        let fields = match e.ty.as_struct() {
            Some(id) => self.checker.fields(id).to_vec(),
            None => Vec::new(),
        };
        let holds = self.checker.is_differentiable_type(e.ty);
        let mut found = false;
        for (i, p) in parts.iter().enumerate() {
            if !self.expr(p, body) {
                continue;
            }
            match fields.get(i) {
                // As in slangc, a constructor accepts any value; only an assignment must not lose a
                // derivative.
                Some(_) if !holds => self.loses_type(p.span, e.ty),
                Some(f) if f.no_diff => self.loses_field(p.span, f),
                _ => found = true,
            }
        }
        found && holds
    }

    /// Records a write to `place`. If the place is a property or a part of one, the setter is
    /// called with the object and the indices.
    fn set(&mut self, place: &Expr, value: bool, body: &Body) {
        let mut at = place;
        let access = loop {
            match &at.kind {
                ExprKind::Access(a) => break a,
                ExprKind::Field { base, .. }
                | ExprKind::Index { base, .. }
                | ExprKind::Swizzle { base, .. }
                | ExprKind::PairPart { base, .. }
                | ExprKind::Assign { place: base, .. } => at = base,
                _ => return,
            }
        };
        let Some(set) = access.set else { return };
        // A value with a derivative is reported where it is written.
        if value && !self.checker.funcs[set.func.0 as usize].is_differentiable() {
            return;
        }
        let report = std::mem::take(&mut self.report);
        let mut active: Vec<bool> = access.args.iter().map(|a| self.expr(a, body)).collect();
        self.report = report;
        active.push(value);
        self.called(place.span, Ty::void(), set, &access.args, &active, body);
    }

    fn call(&mut self, e: &Expr, func: FuncRef, args: &[Expr], body: &Body) -> bool {
        let unused = std::mem::take(&mut self.unused);
        let params = self.checker.funcs[func.func.0 as usize].params.clone();
        // What is not used of the result may be written to an argument.
        let info = &self.checker.funcs[func.func.0 as usize];
        let differentiable = info.is_differentiable();
        let writes =
            params.iter().any(|p| p.dir != Dir::In) || differentiable && self.has_other_derivatives(func.func, &params);
        let outer = self.idle;
        self.idle &= !writes;
        let mut active = Vec::with_capacity(args.len());
        for (i, a) in args.iter().enumerate() {
            // The declaration of the parameter states that the derivative ends.
            let said = u32::from(is_part_of_local(a) && params.get(i).is_some_and(|p| p.no_diff));
            self.without_floats += said;
            active.push(self.expr(a, body));
            self.without_floats -= said;
        }
        for (a, _) in args.iter().zip(&params).filter(|(_, p)| p.dir != Dir::In) {
            let value = active.contains(&true) && self.checker.is_differentiable_type(a.ty);
            self.set(a, value, body);
        }
        self.unused = unused;
        self.idle = outer;
        self.called(e.span, e.ty, func, args, &active, body)
    }

    /// Whether derivatives may go through a differentiable function past its arguments and results:
    /// it accesses a view, memory by a pointer, or a global one of these, here or in what it calls.
    /// As in slangc, all functions of a program may.
    fn has_other_derivatives(&mut self, func: FuncId, params: &[Param]) -> bool {
        let info = &self.checker.funcs[func.0 as usize];
        if !info.is_prelude {
            let is_written = !matches!(info.decl.kind, ast::DeclKind::Empty);
            return is_written && info.name.as_str() != "__init";
        }
        let has_one = info.has_derivative(Mode::Backward);
        let leads_elsewhere = |p: &Param| p.ty.as_struct().is_some() && !self.checker.is_differentiable_type(p.ty);
        has_one && params.iter().any(leads_elsewhere)
    }

    /// The local of which a place is a part carries a derivative.
    fn activate_root(&mut self, place: &Expr, body: &Body) {
        match &place.kind {
            ExprKind::Local(l) => self.activate(*l, body),
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.activate_root(base, body);
            }
            _ => {}
        }
    }

    /// Checks a call, given which arguments carry derivatives. The arguments of a setter do not
    /// include the last one, which is the new value.
    fn called(&mut self, span: Span, ty: Ty, func: FuncRef, args: &[Expr], active: &[bool], body: &Body) -> bool {
        let FuncRef { func, args: generic } = func;
        let unused = std::mem::take(&mut self.unused);
        let info = &self.checker.funcs[func.0 as usize];
        let (name, differentiable, mut params, ret_no_diff) =
            (info.name, info.is_differentiable(), info.params.clone(), info.ret_no_diff);
        let (prelude, gens, has_body) = (info.is_prelude, info.gens, info.has_body);
        // What is wrong about it has been reported.
        if params.iter().any(|p| p.ty.is_error()) || info.ret.is_error() {
            return false;
        }
        let only_forward = differentiable && self.backward && !info.has_derivative(Mode::Backward);
        let s = generics::Subst::new(&self.checker.all_params(gens), &generic);
        let declared: Vec<Ty> = params.iter().map(|p| p.ty).collect();
        for p in &mut params {
            p.ty = self.checker.subst(p.ty, &s);
        }
        let (mut found, mut gives, mut into_plain) = (false, false, None);
        for (i, (p, declared)) in params.iter().zip(declared).enumerate() {
            let active = active.get(i).is_some_and(|a| *a);
            // Generic code treats the value by the bounds of its type.
            let unknown = !prelude && has_body && self.checker.is_inactive_to_all(declared);
            if active && differentiable && unknown && p.dir != Dir::Out && !p.no_diff {
                self.loses_type(args.get(i).map_or(span, |a| a.span), declared);
            }
            found |= active && p.dir != Dir::Out && !p.no_diff;
            gives |= p.dir != Dir::In && !p.no_diff && self.checker.is_differentiable_type(p.ty);
            if p.dir != Dir::In && !p.no_diff && self.checker.may_hide_floats(p.ty, differentiable) {
                into_plain = Some(p.ty);
            }
        }
        if !ty.is_void() && !unused && !ret_no_diff && self.checker.may_hide_floats(ty, differentiable) {
            into_plain = Some(ty);
        }
        let result = !ty.is_void() && !unused && !ret_no_diff && self.checker.is_differentiable_type(ty);
        if !found {
            let gives_some = differentiable && self.has_other_derivatives(func, &params);
            if gives_some && gives {
                let written = args.iter().zip(&params).filter(|(_, p)| p.dir != Dir::In && !p.no_diff);
                written.for_each(|(a, _)| self.activate_root(a, body));
            }
            return gives_some && result;
        }
        if !differentiable {
            let result = result && !self.idle;
            // A derivative that was given and refused is one mistake.
            if self.checker.misdeclared.contains(&func) {
                return result;
            }
            if (result || gives) && self.report && self.detached == 0 {
                let declared = self.checker.entry_span(Entry::Func(func)).unwrap_or_default();
                let at = self.checker.loc(declared);
                let text = format!("`{name}` is not differentiable: the derivative of its arguments is lost");
                // As in slangc, only a result must not lose a derivative; what is written to a
                // variable carries none.
                let d = match result {
                    true => self.checker.error(codes::E0311, span, text),
                    false => self.checker.warn(codes::W0311, span, text),
                };
                if prelude {
                    d.notes.push(format!("write `no_diff {name}(…)` if the derivative is meant to end here"));
                } else {
                    d.labels.push((at, "declared here".to_string()));
                    d.notes.push(match properties::accessor_of(&name) {
                        Some((of, accessor)) => format!("mark the `{accessor}` of `{of}` with `[Differentiable]`"),
                        None => format!("mark `{name}` with `[Differentiable]`, or write `no_diff {name}(…)`"),
                    });
                }
            } else if let Some(ty) = into_plain.filter(|_| !prelude) {
                self.loses_type(span, ty);
            }
            return false;
        }
        if let Some(ty) = into_plain.filter(|_| !prelude) {
            self.loses_type(span, ty);
        }
        if only_forward && (result || gives) && self.report && self.detached == 0 {
            let declared = self.checker.entry_span(Entry::Func(func)).unwrap_or_default();
            let at = self.checker.loc(declared);
            let text = format!("`{name}` has no backward derivative: the derivative of its arguments is lost");
            let d = self.checker.error(codes::E0311, span, text);
            d.labels.push((at, "declared here".to_string()));
            d.notes.push(format!(
                "give `{name}` one with `[BackwardDerivative]`, or mark this function `[ForwardDifferentiable]`"
            ));
        }
        if gives {
            for (a, p) in args.iter().zip(&params) {
                if p.dir != Dir::In && !p.no_diff && self.checker.is_differentiable_type(p.ty) {
                    self.write(a, a.span, body);
                }
            }
        }
        result
    }
}
