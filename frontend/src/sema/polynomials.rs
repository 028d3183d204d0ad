//! The normal form of compile-time integers that are not known yet.
//!
//! Types compare by identity, so `V<1 + N>` is `V<N + 1>` only if both are one value. Sums,
//! differences and products are therefore kept as polynomials: products of unknowns with a factor,
//! in a fixed order, the constant last. Unknowns are parameters, constants that interfaces require,
//! and operations of other kinds, which compare by structure. Factors wrap like the `int` in which
//! known values are computed, so a normal form has the value of what was written for all arguments.

use super::consts::wrap;
use super::types::{Scalar, Val, ValKind};
use crate::ast::BinOp;
use std::cmp::Ordering;

/// The most products in a normal form. A larger result is kept as it is written.
const MOST: usize = 64;

/// Unknowns multiplied with each other, in order, and a factor that is not zero.
type Product = (Vec<Val>, i64);

/// `a op b` in normal form; `None` if it is no polynomial, or a very long one.
pub(crate) fn combined(op: BinOp, a: Val, b: Val) -> Option<Val> {
    let (a, b) = (products_of(a), products_of(b));
    let all: Vec<Product> = match op {
        BinOp::Add => a.into_iter().chain(b).collect(),
        BinOp::Sub => a.into_iter().chain(b.into_iter().map(|(of, n)| (of, n.wrapping_neg()))).collect(),
        BinOp::Mul if a.len() * b.len() <= MOST => {
            let times = |(x, n): &Product, (y, m): &Product| {
                let mut of = [x.as_slice(), y].concat();
                of.sort_by(order);
                (of, n.wrapping_mul(*m))
            };
            a.iter().flat_map(|x| b.iter().map(move |y| times(x, y))).collect()
        }
        _ => return None,
    };
    let sum = added(all);
    (sum.len() <= MOST).then(|| written(&sum))
}

/// A value as a sum of products.
fn products_of(v: Val) -> Vec<Product> {
    match v.kind() {
        ValKind::Int(0) => Vec::new(),
        ValKind::Int(n) => vec![(Vec::new(), *n)],
        ValKind::Binary(BinOp::Add, a, b) => products_of(*a).into_iter().chain(products_of(*b)).collect(),
        ValKind::Binary(BinOp::Sub, a, b) => products_of(*a)
            .into_iter()
            .chain(products_of(*b).into_iter().map(|(of, n)| (of, n.wrapping_neg())))
            .collect(),
        // In normal form a product has no sums in it, unless it was too long.
        ValKind::Binary(BinOp::Mul, a, b) => match (products_of(*a).as_slice(), products_of(*b).as_slice()) {
            ([(x, n)], [(y, m)]) => vec![([x.as_slice(), y].concat(), n.wrapping_mul(*m))],
            _ => vec![(vec![v], 1)],
        },
        _ => vec![(vec![v], 1)],
    }
}

/// The products in order, equal ones put together.
fn added(mut all: Vec<Product>) -> Vec<Product> {
    // Products of more unknowns come first, so the constant is the last.
    let by_unknowns = |a: &[Val], b: &[Val]| {
        let each = || a.iter().zip(b).map(|(x, y)| order(x, y)).find(|o| o.is_ne());
        b.len().cmp(&a.len()).then_with(|| each().unwrap_or(Ordering::Equal))
    };
    all.sort_by(|(a, _), (b, _)| by_unknowns(a, b));
    let mut sum: Vec<Product> = Vec::with_capacity(all.len());
    for (of, n) in all {
        match sum.last_mut() {
            Some((last, m)) if *last == of => *m = m.wrapping_add(n),
            _ => sum.push((of, n)),
        }
    }
    sum.iter_mut().for_each(|(_, n)| *n = wrap(*n, Scalar::I32));
    sum.retain(|(_, n)| *n != 0);
    sum
}

/// The value of a sum, whose first product is positive if any is: `3 - N`, not `-N + 3`.
fn written(sum: &[Product]) -> Val {
    let first = sum.iter().position(|(_, n)| *n > 0);
    let rest = sum.iter().enumerate().filter(|(i, _)| Some(*i) != first).map(|(_, p)| p);
    let start = first.map_or(Val::int(0), |i| product(&sum[i].0, sum[i].1));
    rest.fold(start, |so_far, (of, n)| {
        let op = if *n < 0 { BinOp::Sub } else { BinOp::Add };
        match so_far.as_int().filter(|_| of.is_empty()) {
            Some(known) => Val::int(wrap(known.wrapping_add(*n), Scalar::I32)),
            None => Val::new(ValKind::Binary(op, so_far, product(of, n.wrapping_abs()))),
        }
    })
}

fn product(of: &[Val], n: i64) -> Val {
    let factor = (n != 1 || of.is_empty()).then(|| Val::int(n));
    let all = factor.into_iter().chain(of.iter().copied());
    all.reduce(|a, b| Val::new(ValKind::Binary(BinOp::Mul, a, b))).unwrap_or(Val::int(n))
}

/// An order of unknowns that is the same in every run: parameters as they are declared, then
/// others.
fn order(a: &Val, b: &Val) -> Ordering {
    match (a.kind(), b.kind()) {
        _ if a == b => Ordering::Equal,
        (ValKind::Param(p), ValKind::Param(q)) => p.cmp(q),
        (ValKind::Param(_), _) => Ordering::Less,
        (_, ValKind::Param(_)) => Ordering::Greater,
        _ => format!("{a:?}").cmp(&format!("{b:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::ParamId;
    use super::*;

    fn n() -> Val {
        Val::new(ValKind::Param(ParamId(1)))
    }
    fn m() -> Val {
        Val::new(ValKind::Param(ParamId(2)))
    }
    fn add(a: Val, b: Val) -> Val {
        Val::binary(BinOp::Add, a, b)
    }
    fn sub(a: Val, b: Val) -> Val {
        Val::binary(BinOp::Sub, a, b)
    }
    fn mul(a: Val, b: Val) -> Val {
        Val::binary(BinOp::Mul, a, b)
    }

    #[test]
    fn sums_and_products_have_one_form() {
        let i = Val::int;
        assert_eq!(add(i(1), n()), add(n(), i(1)));
        assert_eq!(add(n(), m()), add(m(), n()));
        assert_eq!(add(n(), n()), mul(i(2), n()));
        assert_eq!(add(n(), i(0)), n());
        assert_eq!(sub(add(n(), i(1)), i(1)), n());
        assert_eq!(sub(n(), n()), i(0));
        assert_eq!(mul(i(2), add(n(), i(1))), add(mul(n(), i(2)), i(2)));
        assert_eq!(mul(add(n(), m()), sub(n(), m())), sub(mul(n(), n()), mul(m(), m())));
        assert_eq!(sub(i(3), n()), add(sub(i(0), n()), i(3)));
        assert_eq!(mul(i(1 << 31), mul(n(), i(2))), i(0));
        assert_ne!(add(n(), i(1)), add(n(), i(2)));
    }

    #[test]
    fn other_operations_are_unknowns() {
        let half = Val::binary(BinOp::Div, add(Val::int(1), n()), Val::int(2));
        assert_eq!(half, Val::binary(BinOp::Div, add(n(), Val::int(1)), Val::int(2)));
        assert_eq!(add(half, m()), add(m(), half));
        assert_ne!(mul(half, Val::int(2)), add(n(), Val::int(1)));
    }
}
