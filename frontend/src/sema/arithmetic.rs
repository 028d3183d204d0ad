//! Types of the program that conform to the builtin interfaces of numbers: `IComparable`,
//! `IArithmetic`, `ILogical`, `IInteger`, `IFloat`.
//!
//! In generic code these interfaces are sets of builtin types, and operators on a parameter are
//! operators. When the parameter is known to be a type of the program, an operator becomes a call
//! of the method that corresponds to it.

use super::bounds::{Bound, TypeSet};
use super::expr::Group;
use super::types::{Scalar, TyKind};
use super::*;
use ast::BinOp;
use caustic_ir::codes;

/// The methods that each interface requires, besides those that it inherits.
const REQUIRED: &[(&str, &[&str])] = &[
    ("IComparable", &["equals", "lessThan", "lessThanOrEquals"]),
    ("IArithmetic", &["add", "sub", "mul", "div", "mod", "neg"]),
    ("ILogical", &["shl", "shr", "bitAnd", "bitOr", "bitXor", "bitNot", "and", "or", "not"]),
    ("IInteger", &["toInt", "toInt64", "toUInt", "toUInt64"]),
    ("IFloat", &["toFloat"]),
];

/// The method that corresponds to an operator, whether the operands change places, and whether the
/// result is negated.
fn method_of(op: BinOp) -> (&'static str, bool, bool) {
    match op {
        BinOp::Add => ("add", false, false),
        BinOp::Sub => ("sub", false, false),
        BinOp::Mul => ("mul", false, false),
        BinOp::Div => ("div", false, false),
        BinOp::Rem => ("mod", false, false),
        BinOp::And => ("bitAnd", false, false),
        BinOp::Or => ("bitOr", false, false),
        BinOp::Xor => ("bitXor", false, false),
        BinOp::LogAnd => ("and", false, false),
        BinOp::LogOr => ("or", false, false),
        BinOp::Shl => ("shl", false, false),
        BinOp::Shr => ("shr", false, false),
        BinOp::Lt => ("lessThan", false, false),
        BinOp::Gt => ("lessThan", true, false),
        BinOp::Le => ("lessThanOrEquals", false, false),
        BinOp::Ge => ("lessThanOrEquals", true, false),
        BinOp::Eq => ("equals", false, false),
        BinOp::Ne => ("equals", false, true),
    }
}

/// The operator that corresponds to a method of builtin numbers.
fn operator_of(method: &str) -> Option<BinOp> {
    use BinOp::*;
    let all = [Add, Sub, Mul, Div, Rem, And, Or, Xor, LogAnd, LogOr, Shl, Shr, Lt, Le, Eq];
    all.into_iter().find(|op| method_of(*op).0 == method)
}

/// Whether builtin numbers have a method of this name.
pub(crate) fn is_number_method(name: &str) -> bool {
    matches!(name, "neg" | "not" | "bitNot" | "scale") || operator_of(name).is_some() || number_of(name).is_some()
}

/// The scalar that a conversion method returns, and whether floats have that method.
fn number_of(method: &str) -> Option<(Scalar, bool)> {
    Some(match method {
        "toInt" => (Scalar::I32, false),
        "toInt64" => (Scalar::I64, false),
        "toUInt" => (Scalar::U32, false),
        "toUInt64" => (Scalar::U64, false),
        "toFloat" => (Scalar::F32, true),
        _ => return None,
    })
}

impl Checker<'_> {
    /// Records that a struct conforms to a builtin interface.
    pub(crate) fn add_arithmetic(&mut self, id: StructId, set: TypeSet, span: Span) {
        let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        self.structs[base.0 as usize].number_sets.push((set, span));
        if set.only_floats() {
            self.structs[base.0 as usize].differentiable = true;
        }
    }

    /// Whether a struct is declared to conform to the interface of this set.
    pub(crate) fn is_arithmetic(&mut self, id: StructId, set: TypeSet) -> bool {
        self.ensure_bases(id);
        self.ensure_extensions();
        let base = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
        self.structs[base.0 as usize].number_sets.iter().any(|(s, _)| s.implies(set))
    }

    /// Checks that every struct has the methods that its interfaces require.
    pub(crate) fn check_arithmetic(&mut self) {
        for i in 0..self.structs.len() {
            let ty = Ty::new(TyKind::Struct(StructId(i as u32)));
            for (set, span) in self.structs[i].number_sets.clone() {
                for (interface, methods) in REQUIRED {
                    let Some(inherited) = TypeSet::named(interface).filter(|s| set.implies(*s)) else { continue };
                    for method in *methods {
                        let found = self.own_members(ty, Name::new(method));
                        if !found.iter().any(|m| matches!(m.entry, Entry::Func(_))) {
                            let (shown, bound) = (self.show(ty), self.show_bound(Bound::Builtin(inherited)));
                            let text = format!("`{shown}` does not provide `{method}`, which `{bound}` requires");
                            self.error(codes::E0233, span, text);
                            break;
                        }
                    }
                }
            }
        }
    }

    fn method_call(&mut self, object: Expr, method: &str, args: Vec<Expr>, span: Span) -> Expr {
        let name = Name::new(method);
        let members = self.own_members(object.ty, name);
        if members.is_empty() {
            let shown = self.show(object.ty);
            self.error(codes::E0217, span, format!("`{shown}` has no method `{method}`"));
            return Expr::error(span);
        }
        let name = ast::Ident { name, span };
        let this = Some(Box::new(object));
        let group = Group { name, members, this, through_type: false, explicit: None, modes: Vec::new(), span };
        self.call_group(group, args, span)
    }

    /// The expression for an operator on a parameter that is now known to be a struct or an enum;
    /// `None` if the operator is builtin for the type.
    pub(crate) fn decided_operator(&mut self, e: &Expr) -> Option<Expr> {
        let span = e.span;
        match &e.kind {
            ExprKind::Binary { op, lhs, rhs } if matches!(lhs.ty.kind(), TyKind::Enum(_)) => {
                Some(self.enum_binary(*op, (**lhs).clone(), (**rhs).clone(), span))
            }
            ExprKind::Unary { op: UnaryOp::BitNot, arg } if matches!(arg.ty.kind(), TyKind::Enum(_)) => {
                Some(self.enum_unary(ast::UnOp::BitNot, (**arg).clone(), span))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                lhs.ty.as_struct()?;
                // Tuples are compared by lowering.
                if self.tuple_elements(lhs.ty).is_some() {
                    return None;
                }
                let (method, swapped, negated) = method_of(*op);
                let (mut a, mut b) = ((**lhs).clone(), (**rhs).clone());
                if swapped {
                    std::mem::swap(&mut a, &mut b);
                }
                let call = self.method_call(a, method, vec![b], span);
                Some(match negated {
                    true => Expr { ty: Ty::bool(), span, kind: ExprKind::Unary { op: UnaryOp::Not, arg: call.into() } },
                    false => call,
                })
            }
            ExprKind::Unary { op, arg } => {
                arg.ty.as_struct()?;
                let method = match op {
                    UnaryOp::Neg => "neg",
                    UnaryOp::Not => "not",
                    UnaryOp::BitNot => "bitNot",
                };
                Some(self.method_call((**arg).clone(), method, Vec::new(), span))
            }
            _ => None,
        }
    }

    /// `a.add(b)`, if `a` is a builtin number or a parameter that stands for one.
    pub(crate) fn number_method(
        &mut self,
        object: &Expr,
        name: ast::Ident,
        args: &[ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        if object.ty.is_error() || object.ty.as_struct().is_some() || self.element_set(object.ty).is_none() {
            return None;
        }
        if !self.type_members(object.ty, name.name).is_empty() {
            return None;
        }
        match (name.name.as_str(), args) {
            ("neg", []) => Some(self.check_unary(ast::UnOp::Neg, object.clone(), span)),
            ("bitNot", []) => Some(self.check_unary(ast::UnOp::BitNot, object.clone(), span)),
            ("not", []) => Some(self.check_unary(ast::UnOp::Not, object.clone(), span)),
            (method, []) => {
                let (scalar, of_floats) = number_of(method)?;
                let set = self.element_set(object.ty)?;
                let known = if of_floats { set.only_floats() } else { set.only_ints() };
                known.then(|| self.cast(object.clone(), object.ty.with_scalar(scalar), span))
            }
            ("shl" | "shr", [count]) => {
                let op = operator_of(&name.name)?;
                let count = self.check_value(count);
                let count = self.cast(count, object.ty, span);
                Some(self.check_binary(op, object.clone(), count, span))
            }
            ("scale", [by]) => {
                self.element_set(object.ty).filter(|set| set.only_floats())?;
                let by = self.check_value(by);
                let by = self.cast(by, object.ty, span);
                Some(self.check_binary(BinOp::Mul, object.clone(), by, span))
            }
            (method, [other]) => {
                let op = operator_of(method)?;
                let other = self.check_value(other);
                let other = self.coerce(other, object.ty);
                Some(self.check_binary(op, object.clone(), other, span))
            }
            _ => None,
        }
    }
}
