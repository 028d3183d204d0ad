//! `Optional<T>`, `none`, `is`, `as` and `if (let x = …)`.
//!
//! `Optional` is a struct of the prelude, so it is copied, passed and stored like any other struct.
//! This module knows its fields and how it compares with `none`.

use super::types::{Args, GArg, TyKind};
use super::*;
use ast::BinOp;
use caustic_ir::codes;

/// The indices of the value, and of the flag that there is one, among the fields.
const VALUE: u32 = 0;
pub(crate) const HAS_VALUE: u32 = 1;

impl Checker<'_> {
    /// A struct that the prelude declares.
    pub(super) fn prelude_struct(&mut self, name: &str) -> Option<StructId> {
        let name = Name::new(name);
        self.load_prelude(name);
        self.namespaces[ROOT.0 as usize].names.get(&name)?.iter().find_map(|e| match e {
            Entry::Struct(id) => Some(*id),
            _ => None,
        })
    }

    /// `name<of>`, for a struct of the prelude that takes one type.
    pub(super) fn prelude_type(&mut self, name: &str, of: Ty) -> Ty {
        match self.prelude_struct(name) {
            Some(base) if !of.is_error() => {
                Ty::new(TyKind::Struct(self.struct_instance(base, Args::new(vec![GArg::Ty(of)]))))
            }
            _ => Ty::error(),
        }
    }

    /// The `T` of `ty`, if that is `name<T>`.
    pub(super) fn prelude_argument(&mut self, name: &str, ty: Ty) -> Option<Ty> {
        let (base, args) = self.structs[ty.as_struct()?.0 as usize].instance_of?;
        // The prelude's struct is only looked up if the name matches, because the lookup would load
        // it.
        let shown = self.structs[base.0 as usize].name;
        if shown.split('<').next() != Some(name) || self.prelude_struct(name) != Some(base) {
            return None;
        }
        match args.first()? {
            GArg::Ty(t) => Some(*t),
            GArg::Val(_) => None,
        }
    }

    pub(crate) fn optional_type(&mut self, of: Ty) -> Ty {
        self.prelude_type("Optional", of)
    }

    /// The type that an `Optional` may hold; `None` if `ty` is not an `Optional`.
    pub(crate) fn optional_of(&mut self, ty: Ty) -> Option<Ty> {
        self.prelude_argument("Optional", ty)
    }

    /// Whether `ty` is an `Optional`. A type is one only after the prelude's struct was loaded.
    pub(crate) fn is_optional(&self, ty: Ty) -> bool {
        let base = ty.as_struct().and_then(|id| self.structs[id.0 as usize].instance_of).map(|(base, _)| base);
        let declared = self.namespaces[ROOT.0 as usize].names.get(&Name::new("Optional"));
        base.is_some_and(|id| declared.is_some_and(|all| all.contains(&Entry::Struct(id))))
    }

    /// `none`. The caller has found no declaration that hides it.
    pub(crate) fn none_value(&mut self, span: Span) -> Option<Expr> {
        let id = self.prelude_struct("none_t")?;
        Some(Expr { ty: Ty::new(TyKind::Struct(id)), span, kind: ExprKind::Zero })
    }

    pub(crate) fn is_none(&mut self, ty: Ty) -> bool {
        ty.as_struct().is_some_and(|id| {
            let info = &self.structs[id.0 as usize];
            info.name == *"none_t" && info.fields.is_empty() && self.prelude_struct("none_t") == Some(id)
        })
    }

    /// The cost of converting a value, or `none`, to an `Optional`.
    pub(crate) fn optional_cost(&mut self, e: &Expr, to: Ty) -> Option<convert::Cost> {
        const FROM_NONE: convert::Cost = 1;
        const FROM_VALUE: convert::Cost = 400;
        let of = self.optional_of(to)?;
        if self.is_none(e.ty) || self.conditional_of(e.ty) == Some(of) {
            return Some(FROM_NONE);
        }
        // What an `Optional` holds is converted, and nothing stays nothing.
        if let Some(from) = self.optional_of(e.ty) {
            let held = Expr { ty: from, span: e.span, kind: ExprKind::Error };
            if let Some(cost) = self.conversion_cost(&held, of) {
                return Some(cost + FROM_VALUE);
            }
        }
        // Only a value of exactly that type is held; conversions to it are not considered.
        let exact = e.ty.is_error()
            || self.canonical(e.ty) == self.canonical(of)
            || matches!(e.ty.kind(), TyKind::InitList)
            || self.interface_type(of).is_some()
            || self.optional_of(of).is_some()
            || self.pointee(of).is_some();
        exact.then(|| self.conversion_cost(e, of).map(|c| c + FROM_VALUE))?
    }

    /// The `T` of a `Conditional<T, c>`.
    pub(crate) fn conditional_of(&mut self, ty: Ty) -> Option<Ty> {
        let (base, args) = self.structs[ty.as_struct()?.0 as usize].instance_of?;
        let known = self.structs[base.0 as usize].name.starts_with("Conditional<");
        match args.first() {
            Some(types::GArg::Ty(t)) if known && self.prelude_struct("Conditional") == Some(base) => Some(*t),
            _ => None,
        }
    }

    pub(crate) fn make_optional(&mut self, e: Expr, to: Ty) -> Expr {
        let span = e.span;
        if self.is_none(e.ty) {
            return Expr { ty: to, span, kind: ExprKind::Zero };
        }
        let Some(of) = self.optional_of(to) else { return Expr::error(span) };
        if self.conditional_of(e.ty) == Some(of) {
            let name = ast::Ident { name: Name::new("get"), span };
            let members = self.own_members(e.ty, name.name);
            let this = Some(Box::new(e));
            let group =
                expr::Group { name, members, this, through_type: false, explicit: None, modes: Vec::new(), span };
            return self.call_group(group, Vec::new(), span);
        }
        if let Some(from) = self.optional_of(e.ty) {
            let held = Expr { ty: from, span, kind: ExprKind::Error };
            if self.conversion_cost(&held, of).is_some() {
                return self.convert_held(e, from, to, of);
            }
        }
        let value = self.convert(e, of);
        self.holding(value, to)
    }

    fn holding(&self, value: Expr, optional: Ty) -> Expr {
        let span = value.span;
        let yes = Expr { ty: Ty::bool(), span, kind: ExprKind::Const(Const::Bool(true)) };
        Expr { ty: optional, span, kind: ExprKind::Construct(vec![value, yes]) }
    }

    /// An `Optional` of another type: with the value converted, if there is one.
    fn convert_held(&mut self, e: Expr, from: Ty, to: Ty, of: Ty) -> Expr {
        let (span, ty) = (e.span, e.ty);
        let held = Expr { ty, span, kind: ExprKind::Local(self.hidden_local(ty, span)) };
        let keep = Expr { ty, span, kind: ExprKind::Assign { place: held.clone().into(), value: e.into() } };
        let value = Expr { ty: from, span, kind: ExprKind::Field { base: held.clone().into(), index: VALUE } };
        let value = self.convert(value, of);
        let then = self.holding(value, to);
        let other = Expr { ty: to, span, kind: ExprKind::Zero };
        let cond = self.has_value(held, span);
        let chosen = ExprKind::Ternary { cond: cond.into(), then: then.into(), other: other.into() };
        let chosen = Expr { ty: to, span, kind: chosen };
        Expr { ty: to, span, kind: ExprKind::Comma(vec![keep, chosen]) }
    }

    /// An `Optional` made from one value in a list or a constructor: it holds the value. `None` for
    /// other types.
    pub(crate) fn optional_of_one(&mut self, one: &Expr, to: Ty, span: Span) -> Option<Expr> {
        let of = self.optional_of(to)?;
        if one.ty.is_error() || one.ty == to {
            return Some(Expr { span, ..one.clone() });
        }
        let value = match self.optional_cost(one, to) {
            Some(_) => one.clone(),
            // The conversion is explicit.
            None => self.coerce(one.clone(), of),
        };
        if value.ty.is_error() {
            return Some(Expr::error(span));
        }
        Some(Expr { span, ..self.make_optional(value, to) })
    }

    fn has_value(&self, optional: Expr, span: Span) -> Expr {
        Expr { ty: Ty::bool(), span, kind: ExprKind::Field { base: optional.into(), index: HAS_VALUE } }
    }

    /// `x == none` and `x != none`.
    pub(crate) fn compare_none(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> Option<Expr> {
        let optional = match (self.is_none(lhs.ty), self.is_none(rhs.ty)) {
            (false, true) => lhs,
            (true, false) => rhs,
            _ => return None,
        };
        self.optional_of(optional.ty)?;
        let has = self.has_value(optional.clone(), span);
        match op {
            BinOp::Ne => Some(has),
            BinOp::Eq => {
                Some(Expr { ty: Ty::bool(), span, kind: ExprKind::Unary { op: UnaryOp::Not, arg: has.into() } })
            }
            _ => None,
        }
    }

    // ---- the type that a value holds ------------------------------------------------------------

    pub(crate) fn check_is(&mut self, value: &ast::Expr, ty: &ast::Expr, span: Span) -> Expr {
        if let Some(subject) = self.try_type(value) {
            if let Some(bound) = self.builtin_bound(ty) {
                let mut test = Expr { ty: Ty::bool(), span, kind: ExprKind::TypeMeets { ty: subject, bound } };
                self.decide_type_test(&mut test);
                return test;
            }
            let of = self.resolve_type(ty);
            if subject.is_error() || of.is_error() {
                return Expr::error(span);
            }
            let mut test = Expr { ty: Ty::bool(), span, kind: ExprKind::TypeIs { ty: subject, of } };
            self.decide_type_test(&mut test);
            return test;
        }
        let value = self.check_value(value);
        let of = self.resolve_type(ty);
        // A concrete type that is tested for its own interface.
        if let Some(i) = self.interface_type(of)
            && self.interface_type(value.ty).is_none()
            && !self.is_dependent(value.ty)
            && self.conforms(value.ty, i)
        {
            let kind = ExprKind::Const(Const::Bool(true));
            let yes = Expr { ty: Ty::bool(), span, kind };
            return Expr { ty: Ty::bool(), span, kind: ExprKind::Comma(vec![value, yes]) };
        }
        if value.ty.is_error() || !self.can_be_held(of, ty.span) || !self.may_be(&value, of, span) {
            return Expr::error(span);
        }
        Expr { ty: Ty::bool(), span, kind: ExprKind::IsType { value: value.into(), of } }
    }

    /// Decides a test on types, once the types are known.
    pub(crate) fn decide_type_test(&mut self, e: &mut Expr) {
        if let ExprKind::TypeMeets { ty, bound } = e.kind {
            if !self.is_dependent(ty) {
                // A type of the program is not a builtin type, even if it conforms to an interface
                // of numbers.
                let builtin = !bounds_only_builtin(bound) || ty.as_struct().is_none();
                e.kind = ExprKind::Const(Const::Bool(builtin && self.satisfies(ty, bound)));
            }
            return;
        }
        let ExprKind::TypeIs { ty, of } = e.kind else { return };
        if self.is_dependent(ty) || self.is_dependent(of) {
            return;
        }
        let holds = match self.interface_type(of) {
            Some(i) => ty == of || self.conforms(ty, i),
            None => ty == of,
        };
        e.kind = ExprKind::Const(Const::Bool(holds));
    }

    /// Assumes what a condition states about types, while the code that it guards is checked.
    /// Returns the facts that were known before.
    pub(crate) fn assume_tested(&mut self, cond: &Expr) -> Option<(Ty, Option<Rc<bounds::Facts>>)> {
        let (ty, bound) = match cond.kind {
            ExprKind::TypeMeets { ty, bound } => (ty, bound),
            ExprKind::TypeIs { ty, of } => (ty, bounds::Bound::Interface(self.interface_type(of)?)),
            _ => return None,
        };
        let before = self.facts.get(&ty).cloned();
        self.assume(ty, bound);
        Some((ty, before))
    }

    pub(crate) fn forget_tested(&mut self, known: Option<(Ty, Option<Rc<bounds::Facts>>)>) {
        match known {
            Some((ty, Some(facts))) => drop(self.facts.insert(ty, facts)),
            Some((ty, None)) => drop(self.facts.remove(&ty)),
            None => {}
        }
    }

    pub(crate) fn check_as(&mut self, value: &ast::Expr, ty: &ast::Expr, span: Span) -> Expr {
        let value = self.check_value(value);
        let of = self.resolve_type(ty);
        if value.ty.is_error() || !self.can_be_held(of, ty.span) || !self.may_be(&value, of, span) {
            return Expr::error(span);
        }
        let ty = self.optional_type(of);
        Expr { ty, span, kind: ExprKind::Downcast { value: value.into(), of } }
    }

    /// Reports a test that is always false, because a value of a concrete type has no other type.
    fn may_be(&mut self, value: &Expr, of: Ty, span: Span) -> bool {
        let open = |c: &Checker<'_>, t: Ty| c.is_dependent(t) || c.interface_type(t).is_some();
        if value.ty == of || open(self, value.ty) || open(self, of) {
            return true;
        }
        let (a, b) = (self.show(value.ty), self.show(of));
        self.error(codes::E0246, span, format!("a value of type `{a}` is never a `{b}`"));
        false
    }

    fn can_be_held(&mut self, of: Ty, span: Span) -> bool {
        if self.interface_type(of).is_some() {
            let shown = self.show(of);
            self.error(codes::E0246, span, format!("`{shown}` is an interface; `is` and `as` ask for one type"))
                .notes
                .push("what is asked of any conforming type is asked through the interface".to_string());
            return false;
        }
        !of.is_error()
    }

    /// `if (let x = e)`: returns the statement before the `if`, its condition, and its first
    /// branch.
    pub(crate) fn check_if_let(
        &mut self,
        name: ast::Ident,
        is_let: bool,
        value: &ast::Expr,
        then: &ast::Stmt,
    ) -> Option<(Vec<Stmt>, Expr, Vec<Stmt>)> {
        let value = self.check_value(value);
        let mut before = self.before_condition();
        let span = name.span;
        if value.ty.is_error() {
            return None;
        }
        let Some(of) = self.optional_of(value.ty) else {
            let shown = self.show(value.ty);
            let text = format!("`if (let …)` takes an `Optional`, this is `{shown}`");
            self.error(codes::E0203, value.span, text).notes.push("`e as T` gives one".to_string());
            return None;
        };
        let ty = value.ty;
        let local = |name: Name, ty: Ty, mutable: bool| Local {
            name,
            ty,
            span,
            mutable,
            param: None,
            no_diff: false,
            known: None,
        };
        self.push_scope();
        let held = self.declare_local(local(Name::new(&format!("optional {}", name.name)), ty, false));
        let optional = Expr { ty, span, kind: ExprKind::Local(held) };
        before.push(Stmt { span, kind: StmtKind::Var { local: held, init: Some(value) } });
        let cond = self.has_value(optional.clone(), span);
        let id = self.declare_local(local(name.name, of, !is_let));
        let part = Expr { ty: of, span, kind: ExprKind::Field { base: optional.into(), index: VALUE } };
        let mut stmts = vec![Stmt { span, kind: StmtKind::Var { local: id, init: Some(part) } }];
        stmts.append(&mut self.check_scoped(then));
        self.pop_scope();
        Some((before, cond, stmts))
    }
}

fn bounds_only_builtin(bound: bounds::Bound) -> bool {
    matches!(bound, bounds::Bound::Builtin(set) if set.is_own())
}
