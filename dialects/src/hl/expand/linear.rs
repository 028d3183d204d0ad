//! Differentials as a vector space: sums and multiples, component by component, through structs,
//! arrays and pairs.

use super::{BinaryOp, Step, binary, convert, part, splat};
use crate::ad::{self, as_pair, differential_type};
use crate::agg;
use crate::hl::source::{erase, is_number};
use caustic_ir::{Builder, Type, ValueId};

/// Source types of the fields of a struct or the elements of an array.
fn parts(ty: Type) -> Vec<Type> {
    agg::part_types(ty).unwrap_or_default()
}

/// One half of a pair.
pub fn pair_part(b: &mut Builder<'_>, pair: ValueId, differential: bool, to: Type) -> ValueId {
    if differential {
        ad::Differential::build(b, pair, erase(to), &[])
    } else {
        ad::Primal::build(b, pair, erase(to), &[])
    }
}

/// The same function of both halves of pairs, or of all parts of aggregates.
fn map(
    b: &mut Builder<'_>,
    values: &[ValueId],
    of: Type,
    f: &mut dyn FnMut(&mut Builder<'_>, &[ValueId], Type) -> ValueId,
) -> ValueId {
    if let Some(primal) = as_pair(of) {
        let halves = [(false, primal), (true, differential_type(primal).unwrap_or(primal))];
        let [p, d] = halves.map(|(differential, ty)| {
            let inner: Vec<ValueId> = values.iter().map(|&v| pair_part(b, v, differential, ty)).collect();
            f(b, &inner, ty)
        });
        return ad::MakePair::build(b, p, d, erase(of), &[]);
    }
    let mut made = Vec::new();
    for (i, ty) in parts(of).into_iter().enumerate() {
        let inner: Vec<ValueId> = values.iter().map(|&v| part(b, v, Step::Constant(i as i64), ty)).collect();
        made.push(f(b, &inner, ty));
    }
    agg::Make::build(b, &made, erase(of), &[])
}

/// `x + y` of two differentials (`dadd`).
pub fn add_differentials(b: &mut Builder<'_>, x: ValueId, y: ValueId, of: Type) -> ValueId {
    if is_number(of) {
        return binary(b, BinaryOp::Add, x, y, of, of);
    }
    map(b, &[x, y], of, &mut |b, v, ty| add_differentials(b, v[0], v[1], ty))
}

/// The differential `x` times the scalar `s` of type `from` (`dmul`).
pub fn scale_differential(b: &mut Builder<'_>, s: ValueId, from: Type, x: ValueId, of: Type) -> ValueId {
    if is_number(of) {
        let s = convert(b, s, from, of.elem());
        let s = splat(b, s, of);
        return binary(b, BinaryOp::Mul, s, x, of, of);
    }
    map(b, &[x], of, &mut |b, v, ty| scale_differential(b, s, from, v[0], ty))
}
