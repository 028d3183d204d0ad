//! Checks places, and the expressions that write to them.

use super::types::{Scalar, TyKind};
use super::*;
use ast::BinOp;
use caustic_ir::codes;

impl Checker<'_> {
    /// Returns whether `e` can be written to; reports it otherwise.
    pub(crate) fn require_place(&mut self, e: &Expr, what: &str) -> bool {
        if e.ty.is_error() {
            return false;
        }
        match self.place_problem(e) {
            None => true,
            Some((text, note)) => {
                self.error(codes::E0218, e.span, format!("{what}: {text}")).notes.extend(note);
                false
            }
        }
    }

    /// Whether this is a constant of the body, or a part of one.
    pub(crate) fn is_of_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id) => {
                let l = &self.cx.locals[id.0 as usize];
                !l.mutable && l.name != *"this" && l.param.is_none()
            }
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.is_of_constant(base),
            _ => false,
        }
    }

    fn place_problem(&self, e: &Expr) -> Option<(String, Option<String>)> {
        match &e.kind {
            ExprKind::Local(id) => {
                let l = &self.cx.locals[id.0 as usize];
                if let TyKind::Uniform(inner, _) = l.ty.kind()
                    && e.ty != l.ty
                {
                    let (shown, copy) = (self.show(l.ty), self.show(*inner));
                    let note = format!("a copy can be changed: `{copy} copy = {};`", l.name);
                    return Some((format!("`{}` is a `{shown}`, which is read-only", l.name), Some(note)));
                }
                if l.mutable {
                    return None;
                }
                let note = if l.name == *"this" {
                    "mark the method `[mutating]`".to_string()
                } else if l.param.is_some() {
                    "it is a `const` parameter".to_string()
                } else {
                    format!("declare it with `var` or a type: `{}` is a constant", l.name)
                };
                Some((format!("`{}` cannot be changed", l.name), Some(note)))
            }
            ExprKind::Field { base, index } if let Some(name) = self.captured_name(base, *index) => {
                let note = "a lambda expression has copies of what it captures: return the new value".to_string();
                Some((format!("`{name}` is captured"), Some(note)))
            }
            ExprKind::Field { base, index } if let Some(why) = self.field_problem(base.ty, *index) => Some(why),
            // An assignment stands for its place.
            ExprKind::Assign { place: base, .. } if !e.ty.is_void() => self.place_problem(base),
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.place_problem(base),
            ExprKind::PairPart { .. } if !self.cx.in_prelude => {
                let note = "make a new pair with `diffPair`".to_string();
                Some(("the parts of a pair cannot be changed".to_string(), Some(note)))
            }
            ExprKind::PairPart { base, .. } => self.place_problem(base),
            ExprKind::Swizzle { base, comps } => {
                let mut seen = [false; 16];
                for &c in comps {
                    if std::mem::replace(&mut seen[c as usize & 15], true) {
                        return Some(("a component occurs twice".to_string(), None));
                    }
                }
                self.place_problem(base)
            }
            ExprKind::BufferElem { .. } if self.is_only_read(e) => {
                let note = "a pointer that writes is `Ptr<T>` or `T*`".to_string();
                Some(("the pointer only reads".to_string(), Some(note)))
            }
            ExprKind::BufferElem { buffer, .. } => match buffer.ty.kind() {
                _ if buffer.ty.writes_elements() => None,
                TyKind::Buffer { .. } => {
                    Some(("the buffer is read-only".to_string(), Some("use `RWStructuredBuffer`".to_string())))
                }
                _ => {
                    let note = buffer.ty.as_texture().map(|_| "use a writable one, like `RWTexture2D`".to_string());
                    Some((format!("`{}` is read-only", self.show(buffer.ty)), note))
                }
            },
            ExprKind::Global(g) => {
                let name = self.globals[g.0 as usize].name;
                Some((format!("`{name}` is a shader parameter, which cannot be changed"), None))
            }
            ExprKind::Static { .. } => None,
            ExprKind::Access(a) => match a.set {
                None => {
                    let note = "declare a `set` for it".to_string();
                    let what = if a.args.len() > usize::from(a.has_this) { "subscript" } else { "property" };
                    Some((format!("this {what} can only be read"), Some(note)))
                }
                Some(set) if a.has_this && self.funcs[set.func.0 as usize].this == Some(Dir::InOut) => {
                    a.args.first().and_then(|base| self.place_problem(base))
                }
                Some(_) => None,
            },
            ExprKind::Shared(..) if matches!(e.ty.kind(), types::TyKind::Str) => {
                Some(("a `String` keeps the text that it is declared with".to_string(), None))
            }
            ExprKind::Shared(..) => Some(("a constant cannot be changed".to_string(), None)),
            ExprKind::Const(_) => {
                let note = "what changes is declared with `var`, or with a type and no `const`".to_string();
                Some(("this is a constant".to_string(), Some(note)))
            }
            _ => Some(("this is a value, not a variable".to_string(), None)),
        }
    }

    /// Why a field cannot be changed, whatever it is a field of.
    fn field_problem(&self, ty: Ty, index: u32) -> Option<(String, Option<String>)> {
        let id = ty.as_struct().filter(|_| !self.cx.in_prelude)?;
        let name = self.structs[id.0 as usize].fields.get(index as usize).filter(|f| f.is_const).map(|f| f.name);
        if let Some(name) = name {
            let note = "it keeps the value that its object is made with: `{ … }` or a default value".to_string();
            return Some((format!("`{name}` is a `const` field"), Some(note)));
        }
        self.is_optional(ty).then(|| {
            let note = "assign to the whole: a value, or `none`".to_string();
            ("the parts of an `Optional` cannot be changed".to_string(), Some(note))
        })
    }

    /// Whether a place is a part of a variable that is `no_diff`.
    fn is_in_no_diff(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Local(id) => {
                let local = &self.cx.locals[id.0 as usize];
                local.no_diff && local.param.is_none()
            }
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Swizzle { base, .. } => {
                self.is_in_no_diff(base)
            }
            _ => false,
        }
    }

    /// `a = 3`, where `a` is an `Atomic<int>`.
    fn store_atomic(&mut self, place: Expr, value: Expr, number: Ty, span: Span) -> Expr {
        let value = self.coerce(value, number);
        match value.ty.is_error() {
            true => value,
            false => self.atomic_method("store", Ty::void(), vec![place, value], span),
        }
    }

    pub(crate) fn check_assign(&mut self, op: Option<BinOp>, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Expr {
        let place = self.check_value(lhs);
        let value = self.check_value(rhs);
        if let Some(op) = op
            && !place.ty.is_error()
            && !value.ty.is_error()
            && self.place_problem(&place).is_none()
            && let Some(done) = self.overloaded_compound(op, &place, &value, span)
        {
            return done;
        }
        if !self.require_place(&place, "cannot assign") || value.ty.is_error() {
            return Expr::error(span);
        }
        let value = if self.cx.differentiable && self.is_in_no_diff(&place) { value.detached() } else { value };
        let ty = place.ty;
        if let (Some(op), Some(number)) = (op, self.atomic_number(ty)) {
            let method = match op {
                BinOp::Add => "add",
                BinOp::Sub => "sub",
                BinOp::And => "and",
                BinOp::Or => "or",
                BinOp::Xor => "xor",
                _ => {
                    let shown = self.show(ty);
                    self.error(codes::E0212, span, format!("`{}=` does not take `{shown}`", op.text()));
                    return Expr::error(span);
                }
            };
            let value = self.coerce(value, number);
            return self.atomic_compound(op, method, number, (place, value), span);
        }
        if let (None, Some(number), true) = (op, self.atomic_number(ty), value.ty != ty) {
            return self.store_atomic(place, value, number, span);
        }
        let Some(op) = op else {
            let value = self.coerce(value, ty);
            return Expr { ty, span, kind: ExprKind::Assign { place: place.into(), value: value.into() } };
        };
        let value = self.read_uniform(value);
        if let TyKind::Enum(_) = ty.kind() {
            return self.enum_compound(op, place, value, span);
        }
        if ty.is_abstract() {
            let Some(op_ty) = self.abstract_compound(op, ty, value.ty, span) else { return Expr::error(span) };
            let value = self.convert(value, op_ty);
            if let TyKind::Param(_) | TyKind::Assoc { .. } = ty.kind() {
                // Which operation the operator is, is decided when the type is known.
                let old = self.hidden_local(ty, span);
                let current = Expr { ty, span, kind: ExprKind::Local(old) };
                let result = Expr { ty, span, kind: ExprKind::Binary { op, lhs: current.into(), rhs: value.into() } };
                let kind = ExprKind::Update { place: place.into(), old, value: result.into() };
                return Expr { ty, span, kind };
            }
            let kind = ExprKind::CompoundAssign { op, place: place.into(), value: value.into(), op_ty };
            return Expr { ty, span, kind };
        }
        // The operator works in the type of the place: `i *= 1.5` multiplies by one.
        let part = ty.element_scalar().map_or(ty, Ty::scalar);
        let value = self.as_builtin(value, |t| t == ty || t == part);
        let Some((joined, _)) = self.binary_types(op, &place, &value, span) else { return Expr::error(span) };
        if joined.shape() != ty.shape() {
            let (a, b) = (self.show(ty), self.show(value.ty));
            self.error(
                codes::E0212,
                span,
                format!("`{}=` cannot put the result of `{a}` and `{b}` into `{a}`", op.text()),
            );
            return Expr::error(span);
        }
        let own = ty.element_scalar().unwrap_or(Scalar::I32);
        let number_in_bool = own == Scalar::Bool && !op.is_bitwise() && !op.is_logical();
        if own.is_float() && op.is_bitwise() || number_in_bool {
            let shown = self.show(ty);
            self.error(codes::E0212, span, format!("`{}=` does not take `{shown}`", op.text()));
            return Expr::error(span);
        }
        let op_ty = ty.with_scalar(own);
        let value = if op.is_shift() {
            self.check_shift_count(op_ty, &value);
            let count = op_ty.with_scalar(value.ty.element_scalar().unwrap_or(Scalar::I32));
            self.convert(value, count)
        } else {
            self.coerce(value, op_ty)
        };
        if matches!(op, BinOp::Div | BinOp::Rem)
            && op_ty.as_scalar().is_some_and(|s| s.is_int())
            && self.fold(&value) == Some(Const::Int(0))
        {
            self.error(codes::E0240, span, "division of an integer by zero");
            return Expr::error(span);
        }
        let kind = ExprKind::CompoundAssign { op, place: place.into(), value: value.into(), op_ty };
        Expr { ty, span, kind }
    }

    pub(crate) fn check_incdec(&mut self, inc: bool, prefix: bool, arg: &ast::Expr, span: Span) -> Expr {
        let place = self.check_value(arg);
        if !self.require_place(&place, "cannot change") {
            return Expr::error(span);
        }
        if let Some(done) = self.overloaded_step(inc, prefix, &place, span) {
            return done;
        }
        let ty = place.ty;
        if let Some(number) = self.atomic_number(ty) {
            let method = if inc { "increment" } else { "decrement" };
            let old = self.atomic_method(method, number, vec![place], span);
            let one = Expr::int(1, Ty::int(), span);
            let one = self.convert(one, number);
            return match prefix {
                true => self.check_binary(if inc { BinOp::Add } else { BinOp::Sub }, old, one, span),
                false => old,
            };
        }
        if self.pointee(ty).is_some() {
            return self.pointer_step(inc, prefix, place, span);
        }
        let counts = match ty.element_scalar() {
            Some(s) => s != Scalar::Bool,
            None => self.element_set(ty).is_some_and(bounds::TypeSet::only_numbers),
        };
        if !counts {
            let (shown, sign) = (self.show(ty), if inc { "++" } else { "--" });
            let declared = self.operator_names.contains(&Name::new(&format!("operator{sign}")));
            let d = self.error(codes::E0212, span, format!("`{sign}` does not take `{shown}`"));
            if declared {
                let (side, word) = if prefix { ("before", "__prefix") } else { ("behind", "__postfix") };
                d.notes.push(format!("an operator that stands {side} its operand is declared with `{word}`"));
            }
            return Expr::error(span);
        }
        Expr { ty, span, kind: ExprKind::IncDec { inc, prefix, place: place.into() } }
    }
}
