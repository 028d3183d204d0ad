//! Comparisons that the types of their operands decide: compilers warn of these.
//!
//! Invariant: an integer is within the bounds that are found for it.
//!
//! This module must not know: any language.

use super::exits::{connective, fold_here, specialized, truth};
use super::prune::prune;
use super::simplify::drop_empty_branches;
use crate::tree::{Arg, Compare, Expr, Function, Kind, Literal, Stmt, each_expr, each_list};
use crate::types::{BOOL, Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use rustc_hash::FxHashMap;

/// Leaves out what the types decide, in the end: values that were in variables stand in
/// comparisons now.
pub fn decide_at_last(function: &mut Function) {
    if decide(&mut function.body) {
        drop_empty_branches(&mut function.body);
        prune(&mut function.body, &function.params.iter().map(|(var, _)| *var).collect());
    }
}

/// Leaves out what the types decide; whether there was any.
pub(super) fn decide(body: &mut Vec<Stmt>) -> bool {
    let mut found = false;
    each_expr(body, &mut |e| {
        if let Some(value) = decided(e).filter(|_| !does(e)) {
            *e = Expr::bool(value);
            found = true;
        }
    });
    if !found {
        return false;
    }
    let nothing = FxHashMap::default();
    each_expr(body, &mut |e| {
        connective(e);
        if !does(e) {
            fold_here(e, &nothing);
        }
        if let Kind::Not(inner) = &mut e.kind
            && let Kind::Not(twice) = &mut inner.kind
        {
            *e = std::mem::replace(&mut **twice, Expr::bool(false));
        }
    });
    *body = specialized(body, &nothing);
    each_list(body, &mut |list| {
        list.retain_mut(|stmt| {
            let Stmt::While { condition, .. } = stmt else { return true };
            let known = condition.as_ref().and_then(|c| truth(c, &nothing));
            if known == Some(true) {
                *condition = None;
            }
            known != Some(false)
        });
    });
    true
}

/// Whether a value's computation does something besides. A call in an expression only gives a
/// value, unless it is handed a place.
fn does(e: &Expr) -> bool {
    let mut found = false;
    e.each(&mut |e| {
        found |= match &e.kind {
            Kind::Atomic { .. } | Kind::Count(..) | Kind::Wave { .. } | Kind::TexelUpdate { .. } => true,
            Kind::Call(_, args) => args.iter().any(|arg| matches!(arg, Arg::Place(_))),
            _ => false,
        };
    });
    found
}

/// The least and the greatest number.
type Bounds = (i128, i128);

/// What a comparison gives for all values that its operands may have.
fn decided(e: &Expr) -> Option<bool> {
    let Kind::Compare(how, a, b) = &e.kind else { return None };
    if e.ty != BOOL {
        return None;
    }
    let (a, b) = (bounds(a)?, bounds(b)?);
    let (below, above) = (a.1 < b.0, a.0 > b.1);
    let (not_above, not_below) = (a.1 <= b.0, a.0 >= b.1);
    let either = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
    match how {
        Compare::Less => either(below, not_below),
        Compare::LessEqual => either(not_above, above),
        Compare::Greater => either(above, not_above),
        Compare::GreaterEqual => either(not_below, below),
        Compare::Equal => either(not_above && not_below, below || above),
        Compare::NotEqual => either(below || above, not_above && not_below),
    }
}

/// The integers that an expression may be, as its types say.
fn bounds(e: &Expr) -> Option<Bounds> {
    let Ty::Scalar(scalar) = e.ty else { return None };
    let (least, most) = of_type(scalar)?;
    let found = match &e.kind {
        Kind::Zero => (0, 0),
        Kind::Literal(Literal::Int(value)) => {
            let value = if scalar.is_signed() { i128::from(*value) } else { i128::from(*value as u64) & most };
            (value, value)
        }
        Kind::Convert(inner) => bounds(inner).unwrap_or((least, most)),
        Kind::Choose(_, a, b) => {
            let (a, b) = (bounds(a)?, bounds(b)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        _ => (least, most),
    };
    // What does not fit wraps.
    Some(if found.0 >= least && found.1 <= most { found } else { (least, most) })
}

fn of_type(scalar: Scalar) -> Option<Bounds> {
    if !is_integer(scalar) {
        return None;
    }
    let bits = 8 * scalar.size() as u32;
    Some(if scalar.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Var;

    fn compare(how: Compare, a: Expr, b: Expr) -> Expr {
        Expr::new(BOOL, Kind::Compare(how, Box::new(a), Box::new(b)))
    }

    fn literal(value: i64, of: Scalar) -> Expr {
        Expr::new(Ty::Scalar(of), Kind::Literal(Literal::Int(value)))
    }

    fn converted(value: Expr, to: Scalar) -> Expr {
        Expr::new(Ty::Scalar(to), Kind::Convert(Box::new(value)))
    }

    #[test]
    fn types_decide_what_no_value_changes() {
        let var = |of: Scalar| Expr::var(Var(0), Ty::Scalar(of));
        let small = || var(Scalar::U16);
        let of_small = |value: i64| literal(value, Scalar::U16);
        for (how, value, expected) in [
            (Compare::GreaterEqual, 0, Some(true)),
            (Compare::Less, 0, Some(false)),
            (Compare::LessEqual, -1, Some(true)),
            (Compare::Greater, 65535, Some(false)),
            (Compare::Greater, 0, None),
            (Compare::LessEqual, 0, None),
            (Compare::Less, 65535, None),
            (Compare::Equal, 0, None),
        ] {
            assert_eq!(decided(&compare(how, small(), of_small(value))), expected, "{how:?} {value}");
        }
        let wide = || converted(var(Scalar::U32), Scalar::I64);
        assert_eq!(decided(&compare(Compare::Greater, wide(), literal(-3, Scalar::I64))), Some(true));
        assert_eq!(decided(&compare(Compare::Greater, wide(), literal(3, Scalar::I64))), None);
        // A number that wraps may be any.
        let wraps = converted(var(Scalar::U32), Scalar::I32);
        assert_eq!(decided(&compare(Compare::Less, wraps, literal(0, Scalar::I32))), None);
        let byte = converted(var(Scalar::U8), Scalar::I32);
        assert_eq!(decided(&compare(Compare::NotEqual, byte, literal(1001, Scalar::I32))), Some(true));
    }
}
