//! Operators that the program declares: functions named `operator+` and so on, both free functions
//! and members of the operands' types.
//!
//! If the language has an operator for numbers, vectors and matrices, no declaration replaces it,
//! as in slangc. For other builtin types a declared operator is used if it fits without
//! conversions. For operands of other types only declared operators exist. `a += b` calls
//! `operator+=` if there is one, and is `a = a + b` otherwise, with the place evaluated once.

use super::expr::Group;
use super::members::Member;
use super::types::TyKind;
use super::*;
use ast::{BinOp, UnOp};

/// The text of a unary operator.
pub(crate) fn unary_text(op: UnOp) -> &'static str {
    match op {
        UnOp::Plus => "+",
        UnOp::Neg => "-",
        UnOp::Not => "!",
        UnOp::BitNot => "~",
        UnOp::Deref => "*",
        UnOp::AddrOf => "&",
    }
}

impl Checker<'_> {
    /// Whether operators on the type are builtin.
    fn has_builtin_operators(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Enum(_) => true,
            _ => ty.element().is_some() && self.element_set(ty).is_some() || ty.is_error(),
        }
    }

    /// Whether the language itself has non-assigning operators for operands of these types.
    fn is_builtin_arithmetic(&mut self, types: &[Ty]) -> bool {
        let shapes_fit = match types {
            [a, b] if a == b => true,
            [a, b] => a.shape() == b.shape() || a.as_scalar().is_some() || b.as_scalar().is_some(),
            _ => true,
        };
        shapes_fit && types.iter().all(|t| t.is_arith() || t.is_abstract() && self.has_builtin_operators(*t))
    }

    /// All functions of this name that are visible here or are members of one of the types.
    fn operator_members(&mut self, name: Name, types: &[Ty]) -> Vec<Member> {
        let mut out: Vec<Member> = Vec::new();
        let mut at = Some(self.current_ns());
        while let Some(id) = at {
            let space = &self.namespaces[id.0 as usize];
            at = space.parent;
            // A name space may be seen from several scopes.
            if space.owner.is_none() {
                let seen = self.seen_in(id, name).into_iter().map(Member::global);
                let new: Vec<Member> = seen.filter(|m| !out.iter().any(|o| o.entry == m.entry)).collect();
                out.extend(new);
            }
        }
        for (i, ty) in types.iter().enumerate() {
            if types[..i].contains(ty) {
                continue;
            }
            for m in self.type_members(*ty, name) {
                if !out.iter().any(|o| o.entry == m.entry && o.subst == m.subst) {
                    out.push(m);
                }
            }
        }
        out.retain(|m| matches!(m.entry, Entry::Func(_)));
        out
    }

    /// Whether a declared operator may take operands of these types. If both have builtin
    /// operators, only a free function may.
    fn may_be_declared(&mut self, symbol: &str, types: [Ty; 2]) -> bool {
        let name = Name::new(&format!("operator{symbol}"));
        if !self.operator_names.contains(&name) {
            return false;
        }
        if self.is_builtin_arithmetic(&types) {
            return false;
        }
        let builtin = types.iter().all(|t| self.has_builtin_operators(*t));
        !builtin || !self.operator_members(name, &types).is_empty()
    }

    /// The call of a declared operator, if one takes the operands, or if only a declared operator
    /// could.
    fn call_operator(&mut self, symbol: &str, operands: &[Expr], postfix: bool, span: Span) -> Option<Expr> {
        let name = Name::new(&format!("operator{symbol}"));
        if !self.operator_names.contains(&name) {
            return None;
        }
        let types: Vec<Ty> = operands.iter().map(|o| o.ty).collect();
        let assigns = symbol.ends_with('=') && !matches!(symbol, "==" | "!=" | "<=" | ">=");
        if !assigns && self.is_builtin_arithmetic(&types) {
            return None;
        }
        let builtin = types.iter().all(|t| self.has_builtin_operators(*t));
        let (mut methods, mut others) = (Vec::new(), Vec::new());
        for m in self.operator_members(name, &types) {
            let Entry::Func(f) = m.entry else { continue };
            self.ensure_signature(f);
            let info = &self.funcs[f.0 as usize];
            if info.decl.mods.has("__postfix") != postfix {
                continue;
            }
            // `++` and `--` may stand on both sides, so the word is required.
            let unclear = matches!(symbol, "++" | "--") && !postfix && info.this.is_none();
            if unclear && !info.decl.mods.has("__prefix") {
                continue;
            }
            if info.this.is_some() { methods.push(m) } else { others.push(m) }
        }
        let ident = ast::Ident { name, span };
        let group = |members: Vec<Member>, this: Option<Expr>| Group {
            name: ident,
            members,
            through_type: this.is_none(),
            this: this.map(Box::new),
            explicit: None,
            modes: Vec::new(),
            span,
        };
        let free = group(others, None);
        if builtin {
            return self.applies(&free, operands, !assigns).then(|| self.call_group(free, operands.to_vec(), span));
        }
        if self.applies(&free, operands, false) {
            return Some(self.call_group(free, operands.to_vec(), span));
        }
        let (object, rest) = operands.split_first()?;
        let method = group(methods, Some(object.clone()));
        if self.applies(&method, rest, false) {
            return Some(self.call_group(method, rest.to_vec(), span));
        }
        None
    }

    pub(crate) fn overloaded_binary(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        if let Some(product) = self.glsl_product(op, lhs, rhs, span) {
            return Some(product);
        }
        // The operands are copied only if the copies may be used, because chains of operators can
        // have thousands of terms.
        if self.may_be_declared(op.text(), [lhs.ty, rhs.ty])
            && let Some(call) = self.call_operator(op.text(), &[lhs.clone(), rhs.clone()], false, span)
        {
            return Some(call);
        }
        // A type of the program that is a number has the operators of its interface.
        if lhs.ty != rhs.ty || !self.is_number(lhs.ty) {
            return None;
        }
        let ty = if op.is_comparison() { Ty::bool() } else { lhs.ty };
        let kind = ExprKind::Binary { op, lhs: lhs.clone().into(), rhs: rhs.clone().into() };
        self.decided_operator(&Expr { ty, span, kind })
    }

    fn is_number(&mut self, ty: Ty) -> bool {
        ty.as_struct()
            .is_some_and(|id| bounds::TypeSet::named("IComparable").is_some_and(|s| self.is_arithmetic(id, s)))
    }

    pub(crate) fn overloaded_unary(&mut self, op: UnOp, arg: &Expr, span: Span) -> Option<Expr> {
        if let Some(call) = self.call_operator(unary_text(op), std::slice::from_ref(arg), false, span) {
            return Some(call);
        }
        let unary = match op {
            UnOp::Neg => UnaryOp::Neg,
            UnOp::Not => UnaryOp::Not,
            UnOp::BitNot => UnaryOp::BitNot,
            _ => return None,
        };
        if !self.is_number(arg.ty) {
            return None;
        }
        let kind = ExprKind::Unary { op: unary, arg: arg.clone().into() };
        self.decided_operator(&Expr { ty: arg.ty, span, kind })
    }

    /// `place op= value` by a declared operator.
    pub(crate) fn overloaded_compound(&mut self, op: BinOp, place: &Expr, value: &Expr, span: Span) -> Option<Expr> {
        if let Some(product) = self.glsl_product_into(op, place, value, span) {
            return Some(product);
        }
        let own = format!("{}=", op.text());
        if let Some(call) = self.call_operator(&own, &[place.clone(), value.clone()], false, span) {
            return Some(call);
        }
        let name = Name::new(&format!("operator{}", op.text()));
        let own = self.operator_names.contains(&name) || self.is_number(place.ty);
        if !own || self.has_builtin_operators(place.ty) {
            return None;
        }
        let old = self.hidden_local(place.ty, span);
        let current = Expr { ty: place.ty, span, kind: ExprKind::Local(old) };
        let value = self.overloaded_binary(op, &current, value, span)?;
        let value = self.coerce(value, place.ty);
        if value.ty.is_error() {
            return Some(value);
        }
        let kind = ExprKind::Update { place: place.clone().into(), old, value: value.into() };
        Some(Expr { ty: place.ty, span, kind })
    }

    /// `++place` and the like by a declared operator.
    pub(crate) fn overloaded_step(&mut self, inc: bool, prefix: bool, place: &Expr, span: Span) -> Option<Expr> {
        self.call_operator(if inc { "++" } else { "--" }, std::slice::from_ref(place), !prefix, span)
    }

    /// `value(args)` by `operator()`.
    pub(crate) fn call_value(&mut self, value: Expr, args: Vec<Expr>, span: Span) -> Option<Expr> {
        let name = Name::new("operator()");
        let members = self.type_members(value.ty, name);
        if members.is_empty() {
            return None;
        }
        let ident = ast::Ident { name, span };
        let this = Some(Box::new(value));
        let group = Group { name: ident, members, this, through_type: false, explicit: None, modes: Vec::new(), span };
        Some(self.call_group(group, args, span))
    }

    /// Declares a variable that no name refers to.
    pub(crate) fn hidden_local(&mut self, ty: Ty, span: Span) -> LocalId {
        let id = LocalId(self.cx.locals.len() as u32);
        let name = Name::new("");
        let no_diff = false;
        self.cx.locals.push(Local { name, ty, span, mutable: false, param: None, no_diff, known: None });
        id
    }
}
