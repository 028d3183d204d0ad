//! Conversions of the program's own types by constructors that are marked `__implicit_conversion`.
//!
//! A builtin operator takes such a value as one of its operands: each builtin type that the value
//! converts to is a candidate, and the cheapest is taken. A value is converted once only, never by
//! two such constructors one after the other.

use super::convert::{Cost, LOSSY, SPLAT, TO_BASE, scalar_cost};
use super::types::{Scalar, Shape};
use super::*;
use crate::ast::BinOp;

impl Checker<'_> {
    /// The constructor marked `__implicit_conversion` that converts `e` to `to`, with the cost of
    /// the conversion.
    pub(super) fn converting_constructor(&mut self, e: &Expr, to: Ty) -> Option<(Cost, members::Member)> {
        let name = Name::new("__init");
        // Nearly all types have none, and between builtin types it would change what is builtin.
        let declares = match to.as_struct() {
            Some(id) => {
                let declared = self.structs[id.0 as usize].instance_of.map_or(id, |(base, _)| base);
                let ns = self.structs[declared.0 as usize].ns;
                self.namespaces[ns.0 as usize].names.contains_key(&name)
            }
            None if !to.is_arith() || e.ty.as_struct().is_none() => return None,
            None => false,
        };
        if !declares && self.extensions.is_empty() {
            return None;
        }
        let mut best: Option<(Cost, members::Member)> = None;
        for m in self.own_members(to, name) {
            let Some(f) = m.as_func() else { continue };
            let Some(mark) = self.funcs[f.0 as usize].decl.mods.attr("__implicit_conversion").cloned() else {
                continue;
            };
            self.ensure_signature(f);
            let [param] = self.funcs[f.0 as usize].params.as_slice() else { continue };
            let ty = param.ty;
            let mut s = m.subst.clone();
            if self.funcs[f.0 as usize].declares_generics {
                match self.infer(f, &m.subst, &[], &[ty], &[e.ty]) {
                    Ok(found) => s = found,
                    Err(_) => continue,
                }
            }
            let wanted = self.subst(ty, &s);
            // Only one step: the constructor's argument is not converted by another such
            // constructor.
            let cost = match wanted.as_struct() {
                Some(_) if wanted != e.ty => None,
                _ => self.conversion_cost(e, wanted),
            };
            let own = match mark.args.first().map(|a| &a.kind) {
                Some(ast::ExprKind::Int { value, .. }) => Cost::try_from(*value).unwrap_or(LOSSY),
                _ => TO_BASE,
            };
            if let Some(cost) = cost
                && best.as_ref().is_none_or(|(b, _)| cost.saturating_add(own) < *b)
            {
                best = Some((cost.saturating_add(own), m));
            }
        }
        best
    }

    /// Whether an extension of the builtin type `to` makes it from `e`, a struct.
    pub(crate) fn makes_builtin(&mut self, e: &Expr, to: Ty) -> bool {
        to.is_arith() && self.converting_constructor(e, to).is_some()
    }

    /// The builtin types that extensions make from `e`, and `also`, each with its cost.
    fn builtin_ways(&mut self, e: &Expr, also: Option<Ty>) -> Vec<(Ty, Cost)> {
        if e.ty.as_struct().is_none() {
            return Vec::new();
        }
        let init = Name::new("__init");
        let declares = |x: &&extensions::ExtensionInfo| {
            x.target.is_arith() && self.namespaces[x.ns.0 as usize].names.contains_key(&init)
        };
        let mut targets: Vec<Ty> = self.extensions.iter().filter(declares).map(|x| x.target).collect();
        targets.extend(also.filter(|t| t.is_arith()));
        let mut ways: Vec<(Ty, Cost)> = Vec::new();
        for to in targets {
            if !ways.iter().any(|(t, _)| *t == to)
                && let Some((cost, _)) = self.converting_constructor(e, to)
            {
                ways.push((to, cost));
            }
        }
        ways
    }

    /// `e` as the builtin type that its cheapest conversion makes, of those that are `wanted`. It
    /// stays as it is if there is none, or if two cost the same.
    pub(crate) fn as_builtin(&mut self, e: Expr, wanted: impl Fn(Ty) -> bool) -> Expr {
        let ways: Vec<_> = self.builtin_ways(&e, None).into_iter().filter(|(t, _)| wanted(*t)).collect();
        match cheapest(&ways) {
            Some(&to) => self.convert(e, to),
            None => e,
        }
    }

    /// The operands of a builtin operator, where one of them, or both, is converted by a
    /// constructor of the program. The other becomes what that makes.
    pub(crate) fn as_builtin_operands(&mut self, op: BinOp, lhs: Expr, rhs: Expr) -> (Expr, Expr) {
        let (left, right) = (self.builtin_ways(&lhs, Some(rhs.ty)), self.builtin_ways(&rhs, Some(lhs.ty)));
        let mut ways: Vec<((Ty, Ty), Cost)> = Vec::new();
        let usable = |t: Ty| t.element_scalar().is_some_and(|s| operates_on(op, s));
        for &(to, cost) in left.iter().filter(|(t, _)| usable(*t)) {
            for &(_, other) in right.iter().filter(|(t, _)| *t == to) {
                ways.push(((to, to), cost.saturating_add(other)));
            }
            if let Some((with, other)) = beside(to, rhs.ty) {
                ways.push(((to, with), cost.saturating_add(other)));
            }
        }
        for &(to, cost) in right.iter().filter(|(t, _)| usable(*t)) {
            if let Some((with, other)) = beside(to, lhs.ty) {
                ways.push(((with, to), cost.saturating_add(other)));
            }
        }
        match cheapest(&ways) {
            Some(&(l, r)) => (self.coerce(lhs, l), self.coerce(rhs, r)),
            None => (lhs, rhs),
        }
    }
}

/// The way of least cost, if no other costs the same.
fn cheapest<T>(ways: &[(T, Cost)]) -> Option<&T> {
    let least = ways.iter().map(|(_, cost)| *cost).min()?;
    let mut best = ways.iter().filter(|(_, cost)| *cost == least);
    let (way, _) = best.next()?;
    best.next().is_none().then_some(way)
}

/// What the builtin operand of type `other` becomes beside one of type `made`, and its cost.
fn beside(made: Ty, other: Ty) -> Option<(Ty, Cost)> {
    let (to, from) = (made.element_scalar()?, other.element_scalar().filter(|_| other.is_arith())?);
    let cost = scalar_cost(from, to);
    match (made.shape(), other.shape()) {
        (a, b) if a == b => Some((made, cost)),
        (_, Shape::Scalar) => Some((Ty::scalar(to), cost + SPLAT)),
        (Shape::Scalar, _) => Some((other.with_scalar(to), cost + SPLAT)),
        _ => None,
    }
}

/// Whether the builtin operator is declared for this type itself, without another conversion.
fn operates_on(op: BinOp, s: Scalar) -> bool {
    match op {
        _ if op.is_logical() => s == Scalar::Bool,
        BinOp::Eq | BinOp::Ne => true,
        _ if op.is_shift() => s.is_int(),
        _ if op.is_bitwise() => !s.is_float(),
        _ => s != Scalar::Bool,
    }
}
