//! Enums: distinct types over an integer, whose cases are constants.
//!
//! Below checking, a value of an enum is a value of its integer type. It converts to integers
//! implicitly, and back only by a cast. Bitwise operators on enums give a value of the enum.

use super::types::{EnumId, Scalar, Shape, TyKind};
use super::*;
use ast::BinOp;
use caustic_ir::codes;

pub struct EnumInfo {
    /// The name in messages.
    pub name: Name,
    decl: Rc<ast::Decl>,
    pub span: Span,
    /// The namespace of its cases.
    pub ns: NsId,
    pub base: Scalar,
    flags: bool,
    /// The values of the cases that have been resolved so far.
    values: Vec<Option<i64>>,
    /// The cases that are being resolved: each is defined by the next.
    resolving: Vec<usize>,
    state: State,
}

/// The costs of converting an enum to its integer type, and to `bool`.
const TO_INT: convert::Cost = 100;
const TO_BOOL: convert::Cost = 500;

impl Checker<'_> {
    /// Declares the enum and its cases.
    pub(crate) fn collect_enum(&mut self, decl: &Rc<ast::Decl>, e: &ast::EnumDecl, ns: NsId) {
        if let Some(name) = e.name
            && !self.unique(ns, name)
        {
            return;
        }
        let id = self.new_enum(decl, e, ns);
        if let Some(name) = e.name {
            self.define(ns, name.name, Entry::Enum(id));
        }
    }

    /// Makes the enum, whose cases are declared in it.
    pub(crate) fn new_enum(&mut self, decl: &Rc<ast::Decl>, e: &ast::EnumDecl, ns: NsId) -> EnumId {
        let id = EnumId(self.enums.len() as u32);
        let shown = e.name.map_or("enum".to_string(), |n| n.name.to_string());
        let inner = self.new_namespace(ns, Some(Owner::Enum(id)), &shown);
        let name = Name::new(&self.namespaces[inner.0 as usize].path);
        self.enums.push(EnumInfo {
            name,
            decl: decl.clone(),
            span: e.name.map_or(decl.span, |n| n.span),
            ns: inner,
            base: Scalar::I32,
            flags: decl.mods.attr("Flags").is_some(),
            values: Vec::new(),
            resolving: Vec::new(),
            state: State::New,
        });
        // The cases of an enum without a name are also declared outside of it, and so are those of
        // an unscoped one.
        let unscoped = e.name.is_none() || decl.mods.attr("UnscopedEnum").is_some() && !e.is_class;
        for (i, case) in e.cases.iter().enumerate() {
            if self.unique(inner, case.name) {
                self.define(inner, case.name.name, Entry::Case(id, i as u32));
            }
            // Where it is named, it must be the only one of its name.
            if unscoped {
                self.define(ns, case.name.name, Entry::Case(id, i as u32));
            }
        }
        id
    }

    /// Adds the conformance to what stands behind the `:` of an enum. Returns whether it is an
    /// interface. What the interface requires, extensions of the enum provide.
    fn enum_conforms(&mut self, id: EnumId, written: &ast::Expr) -> bool {
        let ns = self.enums[id.0 as usize].ns;
        let around = self.namespaces[ns.0 as usize].parent;
        let outer = std::mem::replace(&mut self.cx, BodyCx { ns: around, ..BodyCx::default() });
        let known = self.diags.len();
        let is_interface = self.builtin_bound(written).is_some()
            || self.try_type(written).is_some_and(|ty| matches!(ty.kind(), TyKind::Interface(_)));
        self.diags.truncate(known);
        if is_interface {
            for bound in self.resolve_bounds(written) {
                self.check_sealed(bound, written.span);
                self.add_conformance(None, Ty::new(TyKind::Enum(id)), bound, written.span);
            }
        }
        self.cx = outer;
        is_interface
    }

    pub(crate) fn case_span(&self, id: EnumId, case: u32) -> Option<Span> {
        match &self.enums[id.0 as usize].decl.kind {
            ast::DeclKind::Enum(e) => e.cases.get(case as usize).map(|c| c.name.span),
            _ => None,
        }
    }

    /// Resolves the integer type and the values of the cases, once.
    pub(crate) fn ensure_enum(&mut self, id: EnumId) {
        let info = &mut self.enums[id.0 as usize];
        if info.state != State::New {
            return;
        }
        info.state = State::Busy;
        let (decl, ns) = (info.decl.clone(), info.ns);
        let ast::DeclKind::Enum(e) = &decl.kind else { return };
        let cx = BodyCx { ns: Some(ns), const_only: true, ..BodyCx::default() };
        let outer = std::mem::replace(&mut self.cx, cx);
        let mut base = Scalar::I32;
        if let Some(written) = e.base.as_ref().filter(|written| !self.enum_conforms(id, written)) {
            let ty = self.resolve_type(written);
            match ty.as_scalar() {
                Some(s) if s.is_int() => base = s,
                // An 8-bit integer is as wide and holds the same values.
                Some(Scalar::Bool) => base = Scalar::U8,
                _ if ty.is_error() => {}
                _ => {
                    let shown = self.show(ty);
                    self.error(codes::E0226, written.span, format!("an enum cannot be made of `{shown}`"))
                        .notes
                        .push("its values are integers of any width".to_string());
                }
            }
        }
        self.enums[id.0 as usize].base = base;
        for written in &e.more {
            if self.enum_conforms(id, written) {
                continue;
            }
            let ty = self.resolve_type(written);
            if ty.as_scalar().is_some() {
                self.error(codes::E0226, written.span, "an enum is made of one type, which stands first");
            }
        }
        self.enums[id.0 as usize].values = vec![None; e.cases.len()];
        for i in 0..e.cases.len() {
            self.ensure_case(id, e, i);
        }
        self.cx = outer;
        self.enums[id.0 as usize].state = State::Done;
    }

    /// Resolves the value of a case, and of those by which it is defined, wherever they stand.
    fn ensure_case(&mut self, id: EnumId, e: &ast::EnumDecl, i: usize) {
        // What a long list without values begins with comes first, so that the recursion is short.
        let info = &self.enums[id.0 as usize];
        let is_known = |k: usize| info.values.get(k).is_none_or(Option::is_some);
        if is_known(i) {
            return;
        }
        let first = (0..=i).rev().find(|&k| k == 0 || is_known(k - 1) || e.cases[k].value.is_some()).unwrap_or(i);
        for k in first..=i {
            if self.enums[id.0 as usize].resolving.contains(&k) {
                return;
            }
            self.enums[id.0 as usize].resolving.push(k);
            let value = self.case_value(id, e, k);
            let info = &mut self.enums[id.0 as usize];
            info.resolving.pop();
            info.values[k] = Some(value);
        }
    }

    /// The value of a case, where that before it is known or this one is given.
    fn case_value(&mut self, id: EnumId, e: &ast::EnumDecl, i: usize) -> i64 {
        let info = &self.enums[id.0 as usize];
        let (base, flags) = (info.base, info.flags);
        let last = i.checked_sub(1).and_then(|k| info.values[k]);
        let next = match last {
            None => i64::from(flags),
            Some(last) if flags && last > 0 => next_bit(last),
            Some(last) => last.wrapping_add(1),
        };
        let case = &e.cases[i];
        let value = match &case.value {
            None if last.is_some_and(|last| !flags && is_greatest(last, base)) => {
                let (name, shown) = (case.name.name, base.name());
                let text = format!("`{name}` follows the greatest `{shown}`, and is `{}`", consts::wrap(next, base));
                self.warn(codes::W0226, case.name.span, text);
                next
            }
            None => next,
            Some(v) => {
                let v = self.check_expr(v);
                let v = match v.ty.kind() {
                    // A case can be defined by other cases of the same enum.
                    TyKind::Enum(other) if *other == id => v,
                    _ => self.coerce(v, Ty::scalar(base)),
                };
                match self.fold(&v) {
                    Some(Const::Int(n)) => n,
                    _ => {
                        if !v.ty.is_error() {
                            self.error(codes::E0261, v.span, "the value of a case must be known at compile time");
                        }
                        next
                    }
                }
            }
        };
        consts::wrap(value, base)
    }

    /// A case as a value.
    pub(crate) fn enum_case(&mut self, id: EnumId, case: u32, span: Span) -> Expr {
        self.ensure_enum(id);
        let decl = self.enums[id.0 as usize].decl.clone();
        if let (ast::DeclKind::Enum(e), State::Busy) = (&decl.kind, self.enums[id.0 as usize].state) {
            self.ensure_case(id, e, case as usize);
        }
        let ty = Ty::new(TyKind::Enum(id));
        match self.enums[id.0 as usize].values.get(case as usize).copied().flatten() {
            Some(v) => Expr { ty, span, kind: ExprKind::Const(Const::Int(v)) },
            None => {
                self.error(codes::E0209, span, "the value of this case is defined in terms of itself");
                Expr::error(span)
            }
        }
    }

    pub(crate) fn enum_base(&mut self, id: EnumId) -> Ty {
        self.ensure_enum(id);
        Ty::scalar(self.enums[id.0 as usize].base)
    }

    /// The scalar type of a value; for an enum, its integer type.
    pub(crate) fn scalar_of(&self, ty: Ty) -> Option<Scalar> {
        match ty.kind() {
            TyKind::Enum(id) => Some(self.enums[id.0 as usize].base),
            _ => ty.as_scalar(),
        }
    }

    /// Converts a value of an enum to its integer type. Other values stay as they are.
    pub(crate) fn enum_to_int(&mut self, e: Expr) -> Expr {
        let TyKind::Enum(id) = e.ty.kind() else { return e };
        let ty = self.enum_base(*id);
        let span = e.span;
        match e.kind {
            ExprKind::Const(c) => Expr { ty, span, kind: ExprKind::Const(c) },
            _ => Expr { ty, span, kind: ExprKind::Retype(e.into()) },
        }
    }

    /// Converts an integer to an enum.
    fn int_to_enum(&mut self, e: Expr, id: EnumId) -> Expr {
        let base = self.enum_base(id);
        let e = self.convert(e, base);
        let (ty, span) = (Ty::new(TyKind::Enum(id)), e.span);
        match e.kind {
            ExprKind::Const(c) => Expr { ty, span, kind: ExprKind::Const(c) },
            _ => Expr { ty, span, kind: ExprKind::Retype(e.into()) },
        }
    }

    /// The cost of converting an enum to `to`: it converts to its own integer type and to `bool`
    /// only, and to vectors of these.
    pub(crate) fn enum_cost(&mut self, id: EnumId, to: Ty) -> Option<convert::Cost> {
        let scalar = Ty::scalar(to.element_scalar()?);
        let spread = match to.shape() {
            Shape::Scalar => 0,
            Shape::Vector(_) => convert::SPLAT,
            Shape::Matrix(..) => return None,
        };
        if scalar == self.enum_base(id) {
            return Some(TO_INT + spread);
        }
        (scalar == Ty::bool()).then_some(TO_BOOL + spread)
    }

    /// Converts an enum to an integer type, when that is known to be possible.
    pub(crate) fn convert_enum(&mut self, e: Expr, to: Ty) -> Expr {
        let e = self.enum_to_int(e);
        self.convert(e, to)
    }

    /// `E(x)`, `(E)x` and `float(e)`.
    pub(crate) fn enum_cast(&mut self, e: Expr, to: Ty) -> Option<Expr> {
        match (e.ty.kind(), to.kind()) {
            (TyKind::Enum(_), TyKind::Enum(id)) => {
                let e = self.enum_to_int(e);
                Some(self.int_to_enum(e, *id))
            }
            (TyKind::Scalar(_), TyKind::Enum(id)) => Some(self.int_to_enum(e, *id)),
            (TyKind::Enum(_), TyKind::Scalar(_) | TyKind::Vector(..) | TyKind::Matrix(..)) => {
                let e = self.enum_to_int(e);
                let span = e.span;
                Some(self.cast(e, to, span))
            }
            _ => None,
        }
    }

    /// A binary operator with an operand of an enum type.
    pub(crate) fn enum_binary(&mut self, op: BinOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        if op.is_shift() && !lhs.ty.is_error() && !rhs.ty.is_error() {
            let (a, b) = (self.show(lhs.ty), self.show(rhs.ty));
            self.error(codes::E0212, span, format!("`{}` does not take `{a}` and `{b}`", op.text()))
                .notes
                .push("bits are shifted in integers only; convert the enum: `int(e)`".to_string());
            return Expr::error(span);
        }
        let is_number = |c: &Self, ty: Ty| {
            matches!(ty.kind(), TyKind::Enum(_)) || ty.element_scalar().is_some() || c.is_dependent(ty) || ty.is_error()
        };
        if !is_number(self, lhs.ty) || !is_number(self, rhs.ty) {
            let (a, b) = (self.show(lhs.ty), self.show(rhs.ty));
            self.error(codes::E0212, span, format!("`{}` does not take `{a}` and `{b}`", op.text()));
            return Expr::error(span);
        }
        let same = lhs.ty == rhs.ty;
        let ty = lhs.ty;
        let (lhs, rhs) = (self.enum_to_int(lhs), self.enum_to_int(rhs));
        let e = self.check_binary(op, lhs, rhs, span);
        match ty.kind() {
            TyKind::Enum(id) if same && op.is_bitwise() && !e.ty.is_error() => self.int_to_enum(e, *id),
            _ => e,
        }
    }

    /// A unary operator on an enum.
    pub(crate) fn enum_unary(&mut self, op: ast::UnOp, arg: Expr, span: Span) -> Expr {
        let TyKind::Enum(id) = arg.ty.kind() else { return Expr::error(span) };
        let arg = self.enum_to_int(arg);
        let e = self.check_unary(op, arg, span);
        match op {
            ast::UnOp::BitNot if !e.ty.is_error() => self.int_to_enum(e, *id),
            _ => e,
        }
    }

    /// `place op= value`, where the place has an enum type.
    pub(crate) fn enum_compound(&mut self, op: BinOp, place: Expr, value: Expr, span: Span) -> Expr {
        let TyKind::Enum(id) = place.ty.kind() else { return Expr::error(span) };
        let ty = place.ty;
        if !op.is_bitwise() || value.ty != ty {
            let (a, b) = (self.show(ty), self.show(value.ty));
            self.error(codes::E0212, span, format!("`{}=` does not take `{a}` and `{b}`", op.text()));
            return Expr::error(span);
        }
        let op_ty = self.enum_base(*id);
        let value = self.enum_to_int(value);
        Expr { ty, span, kind: ExprKind::CompoundAssign { op, place: place.into(), value: value.into(), op_ty } }
    }
}

/// Whether no value of the type is greater.
fn is_greatest(value: i64, of: Scalar) -> bool {
    let next = consts::wrap(value.wrapping_add(1), of);
    if of.is_unsigned() { (next as u64) <= value as u64 } else { next <= value }
}

/// The bit above the highest bit that is set in `value`.
fn next_bit(value: i64) -> i64 {
    1i64.checked_shl(64 - value.leading_zeros()).unwrap_or(0)
}
