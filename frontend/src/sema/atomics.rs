//! Atomic updates (`InterlockedAdd` and the like), and `groupshared` memory.

use super::builtins::Written;
use super::expr::Res;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// `InterlockedX(place, values…[, out original])`.
    pub(crate) fn interlocked(&mut self, op: AtomicOp, call: Written<'_>) -> Res {
        Res::Val(self.interlocked_value(op, call))
    }

    fn interlocked_value(&mut self, op: AtomicOp, call: Written<'_>) -> Expr {
        let Written { name, args, span, .. } = call;
        let values = if op == AtomicOp::CompareExchange { 2 } else { 1 };
        let stores = name.name.contains("Store");
        let original = match args.len().checked_sub(1 + values) {
            Some(0) if op == AtomicOp::CompareExchange && !stores => None,
            Some(n @ (0 | 1)) if n == 0 || !stores => Some(n == 1),
            _ => None,
        };
        let Some(has_original) = original else {
            let text = match (op, stores) {
                (AtomicOp::Exchange, _) => "a place, the new value, and if wanted a variable for the old one",
                (AtomicOp::CompareExchange, true) => "a place, the expected value and the new one",
                (AtomicOp::CompareExchange, false) => {
                    "a place, the expected value, the new one and a variable for the old one"
                }
                _ => "a place, a value, and if wanted a variable for the old one",
            };
            self.error(codes::E0204, span, format!("`{}` takes {text}", name.name));
            return Expr::error(span);
        };
        let parts: Vec<Expr> = args.iter().map(|a| self.check_value(a)).collect();
        if parts.iter().any(|p| p.ty.is_error()) {
            return Expr::error(span);
        }
        let mut parts = parts.into_iter();
        let Some(place) = parts.next() else { return Expr::error(span) };
        let operands: Vec<Expr> = parts.by_ref().take(values).collect();
        let Some(update) = self.atomic_update(op, place, operands, span) else { return Expr::error(span) };
        let result = match parts.next().filter(|_| has_original) {
            Some(to) => {
                if !self.require_place(&to, "this argument is written to") {
                    return Expr::error(span);
                }
                let ty = to.ty;
                let is_int = |t: Ty| t.as_scalar().filter(|s| s.is_int()).map(|s| s.bits());
                if ty != update.ty && (is_int(ty).is_none() || is_int(ty) != is_int(update.ty)) {
                    let (shown, wanted) = (self.show(ty), self.show(update.ty));
                    let text = format!("the old value is `{wanted}`, and this is `{shown}`");
                    self.error(codes::E0203, to.span, text);
                    return Expr::error(span);
                }
                let value = self.coerce(update, ty);
                Expr { ty, span, kind: ExprKind::Assign { place: to.into(), value: value.into() } }
            }
            None => update,
        };
        // The functions return nothing.
        Expr { ty: Ty::void(), span, kind: ExprKind::Comma(vec![result]) }
    }

    /// The update itself; its value is the one that the place had before.
    pub(crate) fn atomic_update(&mut self, op: AtomicOp, place: Expr, operands: Vec<Expr>, span: Span) -> Option<Expr> {
        let place = self.in_tensor(place);
        let ty = place.ty;
        if !self.require_place(&place, "an atomic operation cannot change this") {
            return None;
        }
        let bits = matches!(op, AtomicOp::And | AtomicOp::Or | AtomicOp::Xor);
        let fits = match ty.as_scalar() {
            Some(s) => s != types::Scalar::Bool && !(bits && s.is_float()),
            None => ty.is_abstract(),
        };
        if !fits {
            let shown = self.show(ty);
            self.error(codes::E0225, place.span, format!("there is no such atomic operation on `{shown}`"));
            return None;
        }
        // The caller decides where such a parameter is (`passed_places`).
        let passed = passed_places::root(&place).filter(|l| self.cx.of_caller.contains(l));
        self.updates_parameters |= passed.is_some();
        if !in_shared_memory(&place) && passed.is_none() {
            let param = match &place.kind {
                ExprKind::Local(l) => Some(&self.cx.locals[l.0 as usize]).filter(|l| l.param.is_some()),
                _ => None,
            };
            let note = match param {
                Some(p) => format!("take a pointer, `{}* {}`, and call with `&…`", self.show(p.ty), p.name),
                None => "other threads cannot see a local variable".to_string(),
            };
            let text = "an atomic operation needs a place in a buffer or in groupshared memory";
            self.error(codes::E0225, place.span, text).notes.push(note);
            return None;
        }
        let mut args = Vec::with_capacity(operands.len());
        for value in operands {
            let value = self.read_uniform(value);
            args.push(self.coerce(value, ty));
        }
        Some(Expr { ty, span, kind: ExprKind::Atomic { op, place: place.into(), args } })
    }

    /// The `T` of an `Atomic<T>`.
    pub(crate) fn atomic_number(&mut self, ty: Ty) -> Option<Ty> {
        self.prelude_argument("Atomic", ty)
    }

    /// A method of `Atomic<T>`. `values` are the object, which holds one number, and the arguments.
    /// Memory orders have no effect.
    pub(crate) fn atomic_method(&mut self, method: &str, ret: Ty, values: Vec<Expr>, span: Span) -> Expr {
        let mut values = values.into_iter();
        let Some(object) = values.next() else { return Expr::error(span) };
        let number = match object.ty.as_struct().and_then(|id| self.fields(id).first().map(|f| f.ty)) {
            Some(ty) => Expr { ty, span: object.span, kind: ExprKind::Field { base: object.into(), index: 0 } },
            None => return Expr::error(span),
        };
        let ty = number.ty;
        let op = match method {
            "add" | "sub" | "increment" | "decrement" => AtomicOp::Add,
            "min" => AtomicOp::Min,
            "max" => AtomicOp::Max,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "compareExchange" => AtomicOp::CompareExchange,
            _ => AtomicOp::Exchange,
        };
        let operands: Vec<Expr> = match method {
            "increment" => vec![self.convert(Expr::int(1, Ty::int(), span), ty)],
            "decrement" => vec![self.convert(Expr::int(-1, Ty::int(), span), ty)],
            "sub" => {
                let negated = values.next().map(|v| self.check_unary(ast::UnOp::Neg, v, span));
                negated.into_iter().map(|v| self.convert(v, ty)).collect()
            }
            "compareExchange" => values.take(2).collect(),
            _ => values.take(1).collect(),
        };
        match self.atomic_update(op, number, operands, span) {
            Some(update) if ret.is_void() => Expr { ty: ret, span, kind: ExprKind::Comma(vec![update]) },
            Some(update) => update,
            None => Expr::error(span),
        }
    }

    /// `place op= value` for an `Atomic<T>`: the atomic operation returns the old value, from which
    /// the operator computes the new one.
    pub(crate) fn atomic_compound(
        &mut self,
        op: ast::BinOp,
        method: &str,
        number: Ty,
        (place, value): (Expr, Expr),
        span: Span,
    ) -> Expr {
        let local = self.hidden_local(number, span);
        let held = Expr { ty: number, span, kind: ExprKind::Local(local) };
        let keep = ExprKind::Assign { place: held.clone().into(), value: value.into() };
        let keep = Expr { ty: number, span, kind: keep };
        let old = self.atomic_method(method, number, vec![place, held.clone()], span);
        if old.ty.is_error() {
            return old;
        }
        let new = self.check_binary(op, old, held, span);
        let new = self.convert(new, number);
        Expr { ty: number, span, kind: ExprKind::Comma(vec![keep, new]) }
    }

    /// `__atomic_reduce_add(place, value)` and the like: an update without a result.
    pub(crate) fn atomic_reduce(&mut self, call: Written<'_>) -> Expr {
        let Written { name, args, span, .. } = call;
        let word = name.name.trim_start_matches("__atomic_reduce_").to_string();
        let steps = matches!(word.as_str(), "inc" | "dec");
        let (place, value) = match (args, steps) {
            ([place], true) => (place, None),
            ([place, value], false) => (place, Some(value)),
            _ => {
                let what = if steps { "a place" } else { "a place and a value" };
                self.error(codes::E0204, span, format!("`{}` takes {what}", name.name));
                return Expr::error(span);
            }
        };
        let place = self.check_value(place);
        let value = match value {
            Some(value) => self.check_value(value),
            None => Expr::int(if word == "inc" { 1 } else { -1 }, Ty::int(), span),
        };
        if place.ty.is_error() || value.ty.is_error() {
            return Expr::error(span);
        }
        let value = self.coerce(value, place.ty);
        let value = if word == "sub" { self.check_unary(ast::UnOp::Neg, value, span) } else { value };
        let op = match word.as_str() {
            "min" => AtomicOp::Min,
            "max" => AtomicOp::Max,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            _ => AtomicOp::Add,
        };
        // The two halves of a `half2` are added one by one.
        let halves = place.ty == Ty::vector(types::Scalar::F16, 2) && op == AtomicOp::Add;
        let mut updates = Vec::new();
        for at in 0..if halves { 2 } else { 1 } {
            let part = |e: &Expr| match halves {
                true => {
                    let kind = ExprKind::Swizzle { base: e.clone().into(), comps: smallvec::smallvec![at] };
                    Expr { ty: Ty::scalar(types::Scalar::F16), span, kind }
                }
                false => e.clone(),
            };
            let (place, value) = (part(&place), part(&value));
            let Some(update) = self.atomic_update(op, place, vec![value], span) else { return Expr::error(span) };
            updates.push(update);
        }
        Expr { ty: Ty::void(), span, kind: ExprKind::Comma(updates) }
    }

    /// The type of the buffer, with one element, that holds a `groupshared` variable of type `ty`.
    pub(crate) fn shared_memory(&mut self, ty: Ty, span: Span) -> Ty {
        if let TyKind::Struct(id) = ty.kind() {
            self.fields(*id);
        }
        match ty.kind() {
            TyKind::Error => ty,
            TyKind::Buffer { .. } | TyKind::Resource(_) | TyKind::Uniform(..) => {
                self.error(codes::E0207, span, "a resource cannot be groupshared");
                Ty::error()
            }
            _ if self.ends_unsized(ty) => {
                self.error(codes::E0207, span, "groupshared memory has a size, and this type has none");
                Ty::error()
            }
            _ => Ty::new(TyKind::Buffer { elem: ty, write: true }),
        }
    }

    /// A `groupshared` variable in a function: the group has one, whichever thread calls the
    /// function.
    pub(crate) fn local_groupshared(&mut self, v: &ast::VarDecl) {
        let span = v.name.span;
        if let Some(init) = &v.init {
            self.error(codes::E0206, init.span, "groupshared memory cannot have an initializer");
        }
        let ty = match &v.ty {
            Some(t) => self.resolve_type(t),
            None => {
                self.error(codes::E0202, span, "groupshared memory needs a type");
                Ty::error()
            }
        };
        let ty = self.require_value_type(ty, span, "a variable");
        let ty = self.shared_memory(ty, span);
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: v.name.name,
            ty,
            span,
            layout: None,
            uniform: false,
            groupshared: true,
            storage: false,
            gens: None,
            block: None,
            given: None,
            seen_as: None,
        });
        self.declare_local_item(v.name.name, Entry::Global(id));
    }

    /// A `static groupshared` variable of a generic type, as the instance for the generic arguments
    /// in force.
    pub(crate) fn group_variable(&mut self, id: GlobalId, s: &generics::Subst, span: Span) -> Expr {
        if self.cx.const_only {
            self.error(codes::E0261, span, "memory of the group is not known at compile time");
            return Expr::error(span);
        }
        let (gens, ty) = (self.globals[id.0 as usize].gens, self.globals[id.0 as usize].ty);
        let args = self.args_of(gens, s);
        let own = args == types::Args::new(self.identity_args(gens));
        let variable = if own { id } else { self.group_instance(id, args) };
        let ty = if variable == id { ty } else { self.globals[variable.0 as usize].ty };
        self.shared_value(Expr { ty, span, kind: ExprKind::Global(variable) })
    }

    /// The instance of a variable for these generic arguments.
    pub(crate) fn group_instance(&mut self, id: GlobalId, args: types::Args) -> GlobalId {
        if let Some(known) = self.group_instances.get(&(id, args)) {
            return *known;
        }
        let mut made = self.globals[id.0 as usize].clone();
        let s = generics::Subst::new(&self.all_params(made.gens), &args);
        made.ty = self.subst(made.ty, &s);
        let texts: Vec<String> = args.iter().map(|a| self.show_arg(*a)).collect();
        made.name = Name::new(&format!("{}.{}", made.name, texts.join(".")));
        // One whose arguments are not known yet has no memory.
        if !self.args_dependent(args) {
            made.gens = None;
        }
        self.globals.push(made);
        let new = GlobalId(self.globals.len() as u32 - 1);
        self.group_instances.insert((id, args), new);
        new
    }

    /// The variable and the generic arguments that an instance was made for.
    pub(crate) fn group_template(&self, id: GlobalId) -> Option<(GlobalId, types::Args)> {
        self.group_instances.iter().find_map(|(of, made)| (*made == id).then_some(*of))
    }

    /// A `groupshared` variable as a place.
    pub(crate) fn shared_value(&mut self, global: Expr) -> Expr {
        let span = global.span;
        let Some(ty) = global.ty.indexed().filter(|_| !global.ty.is_error()) else { return Expr::error(span) };
        let index = Expr::int(0, Ty::int(), span);
        Expr { ty, span, kind: ExprKind::BufferElem { buffer: global.into(), index: index.into() } }
    }
}

/// Whether the place is in a buffer and can be the operand of an atomic op.
fn in_shared_memory(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::BufferElem { .. } => true,
        // A texel can only be updated as a whole.
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => in_buffer(base),
        ExprKind::Swizzle { base, comps } => comps.len() == 1 && in_buffer(base),
        _ => false,
    }
}

fn in_buffer(place: &Expr) -> bool {
    let texel = matches!(&place.kind, ExprKind::BufferElem { buffer, .. } if buffer.ty.as_texture().is_some());
    !texel && in_shared_memory(place)
}
