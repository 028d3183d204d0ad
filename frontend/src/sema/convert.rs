//! Conversions: which are implicit, what each costs in overload resolution, and the expressions
//! that perform them.

use super::types::{Scalar, Shape, TyKind};
use super::*;
use caustic_ir::codes;

pub(crate) type Cost = u32;

/// The cost of a conversion that is allowed but may lose a part of the value. Such conversions give
/// a warning.
pub(crate) const LOSSY: Cost = 900;
const TO_WIDER: Cost = 150;
pub(super) const SPLAT: Cost = 2;
pub(super) const TO_BASE: Cost = 100;

/// The cost of an implicit conversion between scalars, which are all allowed. Only the order of
/// costs matters, and which are equal: a call with two candidates of equal cost is ambiguous.
pub(crate) fn scalar_cost(from: Scalar, to: Scalar) -> Cost {
    use Scalar::*;
    if from == to {
        return 0;
    }
    match (from, to) {
        (Bool, I32) => 120,
        (Bool, t) if t.is_unsigned() => 250,
        (Bool, t) if t.is_int() => 300,
        (Bool, _) => 500,
        (f, t) if f.is_float() && t.is_float() && t.bits() > f.bits() => TO_WIDER,
        (f, t) if f.is_int() && t.is_int() => {
            let wider = t.bits() > f.bits();
            let same = t.bits() == f.bits();
            match (f.is_unsigned(), t.is_unsigned()) {
                (true, true) | (false, false) if wider => TO_WIDER,
                (true, false) if wider => 200,
                (true, false) if same => 300,
                (false, true) if wider || same => 250,
                _ => LOSSY,
            }
        }
        (f, F16) if f.is_int() => 500,
        (f, t) if f.is_int() && t.is_float() => 400,
        _ => LOSSY,
    }
}

impl Checker<'_> {
    /// The cost of converting `e` to `to` implicitly; `None` if there is no such conversion.
    pub(crate) fn conversion_cost(&mut self, e: &Expr, to: Ty) -> Option<Cost> {
        let from = e.ty;
        if from == to || from.is_error() || to.is_error() {
            return Some(0);
        }
        if let types::TyKind::Pack(_) = to.kind() {
            return self.pack_cost(e, to);
        }
        if let ExprKind::InitList(parts) = &e.kind {
            return self.init_list_fits(parts, to).then_some(10);
        }
        if let (Some(f), Some(t)) = (from.element_scalar(), to.element_scalar()) {
            // A literal that fits the type costs little more than one that has it.
            let base = match (&e.kind, f.is_int() && t.is_int()) {
                (ExprKind::Const(Const::Int(v)), true) if holds_literal(*v, t) => {
                    let cost = match (f.is_unsigned(), t.is_unsigned()) {
                        (true, false) => 81,
                        (false, true) => 32,
                        _ => 23,
                    };
                    cost.min(scalar_cost(f, t))
                }
                _ => scalar_cost(f, t),
            };
            return match (from.shape(), to.shape()) {
                (a, b) if a == b => Some(base),
                (Shape::Scalar, Shape::Vector(_)) => Some(base + SPLAT),
                // As in slangc: a matrix is made implicitly of a scalar of its type, and one of
                // floats of an `int` or a `float`.
                (Shape::Scalar, Shape::Matrix(..)) => {
                    let made = f == t || t.is_float() && matches!(f, Scalar::I32 | Scalar::F32);
                    (made || self.cx.in_prelude).then_some(base + 10)
                }
                (Shape::Vector(1), Shape::Scalar) => Some(base + 1),
                (Shape::Vector(1), Shape::Vector(_)) => Some(base + SPLAT + 1),
                _ => None,
            };
        }
        // A block of constants is read before anything holds what is in it.
        if let TyKind::Uniform(t, _) = from.kind()
            && !matches!(to.kind(), TyKind::Uniform(..))
        {
            let inner = Expr { ty: t.as_value(), span: e.span, kind: ExprKind::Error };
            return self.conversion_cost(&inner, to).map(|c| c + 10);
        }
        if self.optional_of(to).is_some() {
            return self.optional_cost(e, to);
        }
        if let Some(cost) = self.pointer_cost(e, to) {
            return Some(cost);
        }
        let (same_from, same_to) = (self.canonical(from), self.canonical(to));
        if (same_from, same_to) != (from, to) {
            let same = Expr { ty: same_from, span: e.span, kind: ExprKind::Error };
            return if same_from == same_to { Some(0) } else { self.conversion_cost(&same, same_to) };
        }
        if let Some(i) = self.interface_type(to) {
            return self.upcast_cost(from, i);
        }
        if let Some(steps) = self.inherits(from, to) {
            return Some(TO_BASE * steps);
        }
        if let Some((cost, _)) = self.converting_constructor(e, to) {
            return Some(cost);
        }
        if let TyKind::Enum(id) = from.kind() {
            return self.enum_cost(*id, to);
        }
        if to == Ty::bool() && self.is_any_enum(from) {
            return Some(LOSSY - 1);
        }
        if from.is_abstract() || to.is_abstract() {
            return self.abstract_cost(from, to);
        }
        if self.is_descriptor_of(from, to) {
            return Some(TO_BASE);
        }
        match (from.kind(), to.kind()) {
            (TyKind::Array(a, Some(_)), TyKind::Array(b, None)) if a == b => Some(30),
            (TyKind::Buffer { elem: a, write: true }, TyKind::Buffer { elem: b, write: false }) if a == b => None,
            _ => None,
        }
    }

    /// Whether a type is a generic parameter that stands for enums.
    pub(crate) fn is_any_enum(&mut self, ty: Ty) -> bool {
        let Some(id) = self.enum_interface.filter(|_| ty.is_abstract()) else { return false };
        self.facts_of(ty).interfaces.iter().any(|i| i.id == id)
    }

    /// Converts `e` to `to`, or reports that it cannot be converted.
    pub(crate) fn coerce(&mut self, e: Expr, to: Ty) -> Expr {
        if e.ty == to || e.ty.is_error() {
            return e;
        }
        if to.is_error() {
            return Expr { ty: to, ..e };
        }
        match self.conversion_cost(&e, to) {
            Some(cost) => {
                if (cost >= LOSSY || exceeds_half(e.ty, to)) && !self.cx.in_prelude {
                    self.warn_lossy(&e, to);
                }
                self.convert(e, to)
            }
            None if gives_up_its_size(e.ty, to) => {
                self.cannot_run("what an array without a size holds is not copied".to_string(), e.span);
                Expr { ty: to, span: e.span, kind: ExprKind::Zero }
            }
            None => {
                if !self.conformance_unknown(e.ty, to) {
                    self.mismatch(&e, to);
                }
                Expr::error(e.span)
            }
        }
    }

    /// Whether a value may be one of an interface for all that is known: a base of its type was
    /// refused.
    pub(super) fn conformance_unknown(&mut self, from: Ty, to: Ty) -> bool {
        let to = self.optional_of(to).unwrap_or(to);
        matches!(to.kind(), TyKind::Interface(_)) && self.may_have_any_member(from)
    }

    pub(super) fn warn_lossy(&mut self, e: &Expr, to: Ty) {
        // A value that is known and does not change needs no warning.
        let value = match e.kind {
            ExprKind::Const(c) => Some(c),
            _ => self.fold(e).filter(|c| matches!(c, Const::Int(_))),
        };
        if let (Some(c), Some(f), Some(t)) = (&value, e.ty.as_scalar(), to.element_scalar()) {
            if f.is_float() && t.is_float() {
                let (Const::Float(was), Const::Float(is)) = (*c, consts::convert_const(*c, f, t)) else { return };
                if is.is_infinite() && !was.is_infinite() || is == 0.0 && was != 0.0 {
                    let (shown, becomes) = (t.name(), if is == 0.0 { "zero" } else { "infinity" });
                    let text = format!("this number does not fit in `{shown}` and becomes {becomes}");
                    self.warn(codes::W0210, e.span, text);
                }
                return;
            }
            if consts::convert_const(consts::convert_const(*c, f, t), t, f) == *c {
                return;
            }
        }
        let (from, into) = (self.show(e.ty), self.show(to));
        let is_float = |ty: Ty| ty.element_scalar().is_some_and(Scalar::is_float);
        let ends = self.cx.differentiable && is_float(e.ty) && !is_float(to) && !matches!(e.kind, ExprKind::Const(_));
        let d = self.warn(codes::W0211, e.span, format!("implicit conversion from `{from}` to `{into}` may lose data"));
        d.notes.push(format!("write `{into}(…)` if it is meant"));
        if ends {
            d.notes.push(format!("no derivative passes through `{into}`"));
        }
    }

    fn mismatch(&mut self, e: &Expr, to: Ty) {
        let (from, into) = (self.show(e.ty), self.show(to));
        let narrower = match (e.ty.kind(), to.kind()) {
            (TyKind::Vector(_, n), TyKind::Vector(_, m)) if n > m => Some(*m as usize),
            (TyKind::Vector(..), TyKind::Scalar(_)) => Some(1),
            _ => None,
        };
        let wider = match (e.ty.kind(), to.kind()) {
            (TyKind::Vector(_, n), TyKind::Vector(_, m)) if n < m => Some(*m - *n),
            _ => None,
        };
        let differential = matches!(e.ty.kind(), TyKind::Pair(_)) != matches!(to.kind(), TyKind::Pair(_));
        let text = if e.ty == Ty::new(TyKind::InitList) {
            format!("this initializer list does not fit `{into}`")
        } else {
            format!("expected `{into}`, found `{from}`")
        };
        let d = self.error(codes::E0203, e.span, text);
        if let Some(m) = narrower {
            d.notes.push(format!("take the first components with `.{}`", &"xyzw"[..m]));
        } else if let Some(more) = wider {
            d.notes.push(format!("give the other components: `{into}(…{})`", ", 0".repeat(more as usize)));
        } else if matches!(e.ty.kind(), TyKind::Enum(_)) || matches!(to.kind(), TyKind::Enum(_)) {
            d.notes.push(format!("write `{into}(…)` if it is meant"));
        } else if differential {
            d.notes.push("`diffPair(primal, differential)` makes a pair; `.p` and `.d` are its parts".to_string());
        }
    }

    /// Performs a conversion that is known to be possible.
    pub(crate) fn convert(&mut self, e: Expr, to: Ty) -> Expr {
        if e.ty == to || e.ty.is_error() {
            return e;
        }
        let span = e.span;
        if let types::TyKind::Pack(_) = to.kind() {
            return self.convert_pack(e, to);
        }
        if let ExprKind::InitList(_) = e.kind {
            return self.init_from_list(e, to);
        }
        if let TyKind::Uniform(t, _) = e.ty.kind() {
            let inner = Expr { ty: t.as_value(), ..e };
            return self.convert(inner, to);
        }
        // Types that a clause states to be equal.
        let (same_from, same_to) = (self.canonical(e.ty), self.canonical(to));
        if (same_from, same_to) != (e.ty, to) {
            let same = Expr { ty: same_from, span, kind: ExprKind::Retype(e.into()) };
            let made = if same_from == same_to { same } else { self.convert(same, same_to) };
            return Expr { ty: to, span, kind: ExprKind::Retype(made.into()) };
        }
        if self.optional_of(to).is_some() {
            return self.make_optional(e, to);
        }
        if self.pointer_cost(&e, to).is_some() {
            return self.convert_pointer(e, to);
        }
        if self.interface_type(to).is_some() {
            return Expr { ty: to, span, kind: ExprKind::Upcast(e.into()) };
        }
        if self.inherits(e.ty, to).is_some() {
            return self.as_base(e, to);
        }
        if let Some((_, constructor)) = self.converting_constructor(&e, to) {
            let name = ast::Ident { name: Name::new("__init"), span };
            let members = vec![constructor];
            let group =
                expr::Group { name, members, this: None, through_type: true, explicit: None, modes: Vec::new(), span };
            return self.call_group(group, vec![e], span);
        }
        if let TyKind::Enum(_) = e.ty.kind() {
            return self.convert_enum(e, to);
        }
        if e.ty.is_abstract() || to.is_abstract() {
            return Expr { ty: to, span, kind: ExprKind::ConvertAny(e.into()) };
        }
        if self.is_descriptor_of(e.ty, to) {
            return self.typed_descriptor(e, to);
        }
        let (Some(f), Some(t)) = (e.ty.element_scalar(), to.element_scalar()) else {
            return Expr { ty: to, ..e };
        };
        let scalar_first = if f == t {
            e
        } else {
            let ty = e.ty.with_scalar(t);
            let folded = match &e.kind {
                ExprKind::Const(c) => Some(ExprKind::Const(consts::convert_const(*c, f, t))),
                _ => None,
            };
            Expr { ty, span, kind: folded.unwrap_or_else(|| ExprKind::Convert(Box::new(e))) }
        };
        match (scalar_first.ty.shape(), to.shape()) {
            (a, b) if a == b => scalar_first,
            (Shape::Scalar, Shape::Vector(1)) => Expr { ty: to, span, kind: ExprKind::Construct(vec![scalar_first]) },
            (Shape::Scalar, _) => Expr { ty: to, span, kind: ExprKind::Splat(Box::new(scalar_first)) },
            (Shape::Vector(1), Shape::Vector(_) | Shape::Matrix(..)) => {
                let scalar = self.convert(scalar_first, Ty::scalar(t));
                self.convert(scalar, to)
            }
            (Shape::Vector(_), Shape::Scalar) => {
                let comps = smallvec::smallvec![0];
                Expr { ty: to, span, kind: ExprKind::Swizzle { base: Box::new(scalar_first), comps } }
            }
            (Shape::Vector(_), Shape::Vector(m)) => {
                let comps = (0..m as u8).collect();
                Expr { ty: to, span, kind: ExprKind::Swizzle { base: Box::new(scalar_first), comps } }
            }
            _ => Expr { ty: to, span, kind: ExprKind::TruncateMatrix(Box::new(scalar_first)) },
        }
    }

    /// A place as the argument of an `out` or `inout` parameter. Integers of the other signedness
    /// are converted in both directions; of a derived struct, its base is passed.
    pub(crate) fn place_as(&mut self, place: Expr, to: Ty) -> Expr {
        if place.ty == to || to.is_error() {
            return place;
        }
        if self.inherits(place.ty, to).is_some() {
            return self.as_base(place, to);
        }
        let span = place.span;
        let kind = match self.canonical(place.ty) == self.canonical(to) {
            true => ExprKind::Retype(place.into()),
            false => ExprKind::Convert(place.into()),
        };
        Expr { ty: to, span, kind }
    }

    /// Converts a condition to `bool`.
    pub(crate) fn condition(&mut self, e: Expr) -> Expr {
        match e.ty.kind() {
            TyKind::Scalar(Scalar::Bool) | TyKind::Error => e,
            TyKind::Scalar(_) | TyKind::Enum(_) => self.convert(e, Ty::bool()),
            TyKind::Vector(_, 1) => self.convert(e, Ty::bool()),
            _ if self.makes_builtin(&e, Ty::bool()) => self.convert(e, Ty::bool()),
            _ => {
                if self.pointee(e.ty).is_some() {
                    return self.is_set(e);
                }
                if let Some(c) = self.abstract_condition(e.clone()) {
                    return c;
                }
                let shown = self.show(e.ty);
                let d = self.error(codes::E0203, e.span, format!("a condition must be a scalar, this is `{shown}`"));
                if e.ty.is_arith() {
                    d.notes.push("use `any(…)` or `all(…)`".to_string());
                }
                Expr::error(e.span)
            }
        }
    }
}

/// Whether the type has all bits of a literal: a negative one is one of as many bits with a sign.
fn holds_literal(value: i64, ty: Scalar) -> bool {
    let signed = match ty.bits() {
        8 => i64::from(value as i8),
        16 => i64::from(value as i16),
        32 => i64::from(value as i32),
        _ => value,
    };
    if value < 0 { signed == value } else { consts::wrap(value, ty) == value }
}

/// Whether an array with a size that is known, or will be, converts to one without a size.
fn gives_up_its_size(from: Ty, to: Ty) -> bool {
    let TyKind::Array(of, None) = to.kind() else { return false };
    matches!(from.kind(), TyKind::Array(elem, _) | TyKind::ArrayOf(elem, _) if elem == of)
}

/// Whether integers of a type can be too large or too exact for a `half`.
fn exceeds_half(from: Ty, to: Ty) -> bool {
    to.element_scalar() == Some(Scalar::F16) && from.element_scalar().is_some_and(|s| s.is_int() && s.bits() > 8)
}
