//! Constants: the value of a checked expression at compile time, and `static const` declarations.
//!
//! Folding follows the types exactly (wrap-around, rounding to the type's precision). It returns
//! `None` if a value is not known, and reports nothing.

use super::types::Scalar;
use super::*;
use ast::BinOp;
use caustic_ir::FloatKind;
use caustic_ir::attr::round_to;
use caustic_ir::codes;

/// `v` cut to the width of `s` and extended back by its signedness.
pub(crate) fn wrap(v: i64, s: Scalar) -> i64 {
    match s {
        Scalar::I8 => v as i8 as i64,
        Scalar::I16 => v as i16 as i64,
        Scalar::I32 => v as i32 as i64,
        Scalar::U8 => v as u8 as i64,
        Scalar::U16 => v as u16 as i64,
        Scalar::U32 => v as u32 as i64,
        _ => v,
    }
}

pub(crate) fn round(v: f64, s: Scalar) -> f64 {
    match s {
        Scalar::F16 => round_to(v, FloatKind::F16),
        Scalar::F32 => round_to(v, FloatKind::F32),
        _ => v,
    }
}

pub(crate) fn convert_const(c: Const, from: Scalar, to: Scalar) -> Const {
    use Const::*;
    if to == Scalar::Bool {
        return Bool(match c {
            Const::Bool(b) => b,
            Int(i) => i != 0,
            Float(f) => f != 0.0,
        });
    }
    if to.is_float() {
        let v = match c {
            Const::Bool(b) => f64::from(u8::from(b)),
            Int(i) if from == Scalar::U64 => i as u64 as f64,
            Int(i) => i as f64,
            Float(f) => f,
        };
        return Float(round(v, to));
    }
    Int(match c {
        Const::Bool(b) => i64::from(b),
        Int(i) => wrap(i, to),
        Float(f) => saturated(f, to),
    })
}

/// Converts a float to an integer like `arith` does: it rounds towards zero, values out of range
/// saturate, and NaN becomes 0.
fn saturated(f: f64, to: Scalar) -> i64 {
    match to {
        Scalar::I8 => f as i8 as i64,
        Scalar::I16 => f as i16 as i64,
        Scalar::I32 => f as i32 as i64,
        Scalar::U8 => f as u8 as i64,
        Scalar::U16 => f as u16 as i64,
        Scalar::U32 => f as u32 as i64,
        Scalar::U64 => f as u64 as i64,
        _ => f as i64,
    }
}

impl Checker<'_> {
    /// The value of a scalar expression, if it is known.
    pub(crate) fn fold(&self, e: &Expr) -> Option<Const> {
        let s = self.scalar_of(e.ty)?;
        match &e.kind {
            ExprKind::Const(c) => Some(*c),
            ExprKind::Zero => Some(convert_const(Const::Int(0), Scalar::I32, s)),
            ExprKind::ValueOf(v) => Some(Const::Int(v.as_int()?)),
            ExprKind::Shared(inner, _) => self.fold(inner),
            ExprKind::Retype(arg) => self.fold(arg),
            ExprKind::Convert(arg) => Some(convert_const(self.fold(arg)?, arg.ty.as_scalar()?, s)),
            ExprKind::Unary { op, arg } => {
                let v = self.fold(arg)?;
                Some(match (op, v) {
                    (UnaryOp::Neg, Const::Int(i)) => Const::Int(wrap(i.wrapping_neg(), s)),
                    (UnaryOp::Neg, Const::Float(f)) => Const::Float(-f),
                    (UnaryOp::BitNot, Const::Int(i)) => Const::Int(wrap(!i, s)),
                    (UnaryOp::Not, Const::Bool(b)) => Const::Bool(!b),
                    _ => return None,
                })
            }
            ExprKind::Binary { op, lhs, rhs } => {
                fold_binary(*op, self.fold(lhs)?, self.fold(rhs)?, lhs.ty.as_scalar()?)
            }
            ExprKind::Logical { and, lhs, rhs } => match (self.fold(lhs)?, and) {
                (Const::Bool(false), true) => Some(Const::Bool(false)),
                (Const::Bool(true), false) => Some(Const::Bool(true)),
                _ => self.fold(rhs),
            },
            ExprKind::Ternary { cond, then, other } => match self.fold(cond)? {
                Const::Bool(true) => self.fold(then),
                Const::Bool(false) => self.fold(other),
                _ => None,
            },
            ExprKind::Detach(inner) => self.fold(inner),
            ExprKind::Swizzle { base, comps } if comps.len() == 1 => self.fold(self.part(base, comps[0] as usize)?),
            ExprKind::Index { base, index } => match self.fold(index)? {
                Const::Int(i) => self.fold(self.part(base, usize::try_from(i).ok()?)?),
                _ => None,
            },
            ExprKind::Field { base, index } => self.fold(self.part(base, *index as usize)?),
            _ => None,
        }
    }

    /// Part `i` of an aggregate whose parts are written in the expression.
    fn part<'e>(&self, e: &'e Expr, i: usize) -> Option<&'e Expr> {
        match &e.kind {
            ExprKind::Shared(inner, _) => self.part(inner, i),
            ExprKind::Splat(inner) => Some(inner),
            ExprKind::Construct(parts) => {
                let by_scalars = matches!(e.ty.kind(), types::TyKind::Vector(..))
                    && parts.iter().any(|p| p.ty.as_scalar().is_none());
                if by_scalars || matches!(e.ty.kind(), types::TyKind::Matrix(..)) { None } else { parts.get(i) }
            }
            _ => None,
        }
    }

    /// The value of `static const` number `id`.
    pub(crate) fn const_value(&mut self, id: ConstId) -> Rc<Expr> {
        if let Some(to) = self.consts[id.0 as usize].linked {
            return self.const_value(to);
        }
        let info = &mut self.consts[id.0 as usize];
        let span = info.decl.name().map_or(info.decl.span, |n| n.span);
        match info.state {
            State::Done => {
                if let Some(v) = &info.value {
                    return v.clone();
                }
            }
            State::Busy => {
                let name = info.name;
                self.error(codes::E0209, span, format!("the value of `{name}` depends on itself"));
                return Rc::new(Expr::error(span));
            }
            State::New => {}
        }
        info.state = State::Busy;
        let (decl, ns) = (info.decl.clone(), info.ns);
        let outer = std::mem::take(&mut self.cx);
        self.cx.ns = Some(ns);
        self.cx.equal = self.equalities_of(self.namespaces[ns.0 as usize].gens);
        self.cx.this_ty = self.this_type_of_ns(ns).map(|t| self.settled(t));
        self.cx.const_only = true;
        self.cx.of_constant = true;
        let value = match &decl.kind {
            ast::DeclKind::Var(v) => {
                let ty = v.ty.as_ref().map(|t| self.resolve_type(t));
                match &v.init {
                    Some(init) => {
                        let e = self.check_init(init, ty);
                        self.simplify(e)
                    }
                    // A constant that an interface requires gets its value in the conforming types.
                    None if matches!(self.owner_of(ns), Some(Owner::Interface(_))) => Expr::error(span),
                    None if decl.mods.has("extern") && ty.is_some() => {
                        let why = format!("no module of the program exports `{}`", v.name.name);
                        let missing = Missing { code: codes::E0247, why, declared: span };
                        let kind = ExprKind::Unavailable(missing.into());
                        Expr { ty: ty.unwrap_or(Ty::error()), span, kind }
                    }
                    None => {
                        self.error(codes::E0206, span, "a constant needs a value");
                        Expr::error(span)
                    }
                }
            }
            _ => Expr::error(span),
        };
        self.cx = outer;
        let value = Rc::new(value);
        let info = &mut self.consts[id.0 as usize];
        info.value = Some(value.clone());
        info.state = State::Done;
        value
    }

    /// The initializer of a local variable, or of a local constant.
    pub(crate) fn check_local_init(&mut self, init: &ast::Expr, declared: Option<Ty>, constant: bool) -> Expr {
        let outer = (self.cx.const_only, self.cx.of_constant);
        self.cx.const_only |= constant;
        self.cx.of_constant |= constant;
        let e = self.check_init(init, declared);
        (self.cx.const_only, self.cx.of_constant) = outer;
        e
    }

    /// The type of a constant. A constant that an interface requires has a type and no value.
    pub(crate) fn const_type(&mut self, id: ConstId) -> Ty {
        let (decl, ns) = (self.consts[id.0 as usize].decl.clone(), self.consts[id.0 as usize].ns);
        match &decl.kind {
            ast::DeclKind::Var(ast::VarDecl { ty: Some(t), .. }) => {
                if matches!(self.consts[id.0 as usize].state, State::Busy) {
                    let (name, span) = (self.consts[id.0 as usize].name, decl.name().map_or(decl.span, |n| n.span));
                    self.error(codes::E0209, span, format!("the type of `{name}` depends on itself"));
                    return Ty::error();
                }
                let before = std::mem::replace(&mut self.consts[id.0 as usize].state, State::Busy);
                let cx = BodyCx { ns: Some(ns), this_ty: self.this_type_of_ns(ns), ..BodyCx::default() };
                let outer = std::mem::replace(&mut self.cx, cx);
                let ty = self.resolve_type(t);
                self.cx = outer;
                self.consts[id.0 as usize].state = before;
                ty
            }
            _ => self.const_value(id).ty,
        }
    }

    /// An integer that is known at compile time, or as soon as generic arguments are.
    pub(crate) fn const_val(&mut self, e: &ast::Expr, what: &str) -> Option<Val> {
        let v = self.check_expr(e);
        if v.ty.is_error() {
            // The value of a variable that is declared later is not known yet.
            if !self.failed() && self.broken.is_empty() {
                self.error(codes::E0261, e.span, format!("{what} must be known at compile time"));
            }
            return None;
        }
        if let Some(Const::Bool(b)) = self.fold(&v) {
            return Some(Val::int(i64::from(b)));
        }
        let v = self.enum_to_int(v);
        let v = self.float_to_int(v);
        let is_int = v.ty.as_scalar().is_some_and(|s| !s.is_float());
        let found = if is_int { self.as_val(&v) } else { None };
        if found.is_none() {
            if self.report_missing(&v) {
                return None;
            }
            if is_int {
                self.error(codes::E0261, e.span, format!("{what} must be known at compile time"));
            } else {
                let shown = self.show(v.ty);
                self.error(codes::E0262, e.span, format!("{what} must be an integer, this is `{shown}`"));
            }
        }
        found
    }

    pub(super) fn as_val(&self, e: &Expr) -> Option<Val> {
        match self.fold(e) {
            Some(Const::Int(n)) => return Some(Val::int(n)),
            Some(Const::Bool(b)) => return Some(Val::int(i64::from(b))),
            _ => {}
        }
        match &e.kind {
            ExprKind::ValueOf(v) => Some(*v),
            ExprKind::RequiredConst { of, interface, name } => {
                Some(Val::new(types::ValKind::Required { of: *of, interface: *interface, name: *name }))
            }
            ExprKind::Shared(inner, _) => self.as_val(inner),
            ExprKind::Retype(inner) => self.as_val(inner),
            // A `bool` counts as one or zero.
            ExprKind::Convert(arg) if self.scalar_of(arg.ty).is_some_and(|s| !s.is_float()) => self.as_val(arg),
            ExprKind::Binary { op, lhs, rhs } if !op.is_logical() => {
                Some(Val::binary(*op, self.as_val(lhs)?, self.as_val(rhs)?))
            }
            ExprKind::Logical { and, lhs, rhs } => {
                let op = if *and { BinOp::LogAnd } else { BinOp::LogOr };
                Some(Val::binary(op, self.as_val(lhs)?, self.as_val(rhs)?))
            }
            ExprKind::Unary { op, arg } => {
                let arg = self.as_val(arg)?;
                Some(match op {
                    UnaryOp::Neg => Val::binary(BinOp::Sub, Val::int(0), arg),
                    UnaryOp::Not => Val::binary(BinOp::Eq, arg, Val::int(0)),
                    UnaryOp::BitNot => Val::binary(BinOp::Xor, arg, Val::int(-1)),
                })
            }
            ExprKind::Ternary { cond, then, other } => {
                Some(Val::choice(self.as_val(cond)?, self.as_val(then)?, self.as_val(other)?))
            }
            _ => None,
        }
    }

    /// A float in place of an integer is truncated, like in other conversions.
    fn float_to_int(&mut self, e: Expr) -> Expr {
        if e.ty.as_scalar().is_some_and(|s| s.is_float()) { self.coerce(e, Ty::int()) } else { e }
    }

    /// Replaces a scalar expression by its value, if that is known.
    pub(crate) fn simplify(&self, e: Expr) -> Expr {
        match self.fold(&e) {
            Some(c) => Expr { kind: ExprKind::Const(c), ..e },
            None => e,
        }
    }

    /// As [`Self::const_int`], where a number with a fraction is an error and not cut off.
    pub(crate) fn whole_int(&mut self, e: &ast::Expr, what: &str) -> Option<i64> {
        let v = self.check_expr(e);
        match self.fold(&v) {
            Some(Const::Float(f)) if f.fract() != 0.0 => {
                self.error(codes::E0262, e.span, format!("{what} must be an integer, this is {f}"));
                None
            }
            _ if v.ty.is_error() => None,
            _ => self.const_int(e, what),
        }
    }

    /// An integer that must be known at compile time.
    pub(crate) fn const_int(&mut self, e: &ast::Expr, what: &str) -> Option<i64> {
        let v = self.check_expr(e);
        if v.ty.is_error() {
            return None;
        }
        let v = self.enum_to_int(v);
        if let Some(Const::Float(f)) = self.fold(&v).filter(|c| matches!(c, Const::Float(f) if f.fract() != 0.0)) {
            self.error(codes::E0262, e.span, format!("{what} must be an integer, this is {f}"));
            return None;
        }
        let v = self.float_to_int(v);
        let is_int = v.ty.as_scalar().is_some_and(|s| !s.is_float());
        match self.fold(&v) {
            Some(Const::Int(i)) if is_int => Some(i),
            Some(Const::Bool(b)) => Some(i64::from(b)),
            _ if self.report_missing(&v) => None,
            _ if !is_int => {
                let shown = self.show(v.ty);
                self.error(codes::E0262, e.span, format!("{what} must be an integer, this is `{shown}`"));
                None
            }
            _ => {
                self.error(codes::E0261, e.span, format!("{what} must be known at compile time"));
                None
            }
        }
    }
}

pub(crate) fn fold_binary(op: BinOp, l: Const, r: Const, s: Scalar) -> Option<Const> {
    use BinOp::*;
    Some(match (l, r) {
        (Const::Int(a), Const::Int(b)) => {
            let (ua, ub) = (a as u64, b as u64);
            let unsigned = s.is_unsigned();
            let compare = || if unsigned { ua.cmp(&ub) } else { a.cmp(&b) };
            if op.is_comparison() {
                return Some(Const::Bool(ordering_holds(op, compare())));
            }
            // Shift counts are taken modulo the width.
            let count = (b as u32) % s.bits();
            Const::Int(wrap(
                match op {
                    Add => a.wrapping_add(b),
                    Sub => a.wrapping_sub(b),
                    Mul => a.wrapping_mul(b),
                    Div if b == 0 => return None,
                    Rem if b == 0 => return None,
                    Div if unsigned => (ua / ub) as i64,
                    Rem if unsigned => (ua % ub) as i64,
                    Div => a.wrapping_div(b),
                    Rem => a.wrapping_rem(b),
                    And => a & b,
                    Or => a | b,
                    Xor => a ^ b,
                    Shl => a.wrapping_shl(count),
                    Shr if unsigned => (ua >> count) as i64,
                    Shr => a >> count,
                    _ => return None,
                },
                s,
            ))
        }
        (Const::Float(a), Const::Float(b)) => {
            if op.is_comparison() {
                return Some(Const::Bool(match op {
                    Lt => a < b,
                    Le => a <= b,
                    Gt => a > b,
                    Ge => a >= b,
                    Eq => a == b,
                    _ => a != b,
                }));
            }
            Const::Float(round(
                match op {
                    Add => a + b,
                    Sub => a - b,
                    Mul => a * b,
                    Div => a / b,
                    Rem => a % b,
                    _ => return None,
                },
                s,
            ))
        }
        (Const::Bool(a), Const::Bool(b)) => Const::Bool(match op {
            Eq => a == b,
            Ne | Xor => a != b,
            And | LogAnd => a && b,
            Or | LogOr => a || b,
            _ => return None,
        }),
        _ => return None,
    })
}

fn ordering_holds(op: BinOp, o: std::cmp::Ordering) -> bool {
    match op {
        BinOp::Lt => o.is_lt(),
        BinOp::Le => o.is_le(),
        BinOp::Gt => o.is_gt(),
        BinOp::Ge => o.is_ge(),
        BinOp::Eq => o.is_eq(),
        _ => o.is_ne(),
    }
}
