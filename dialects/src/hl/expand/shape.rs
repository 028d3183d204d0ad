//! Making values of builtin types, and their parts.

use crate::agg;
use crate::arith::{self, build};
use crate::hl::source::{erase, is_number};
use crate::vector;
use caustic_ir::{Attr, Builder, Type, ValueId};
use smallvec::{SmallVec, smallvec};

/// Which part of an aggregate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Constant(i64),
    /// A value of type `index`.
    Dynamic(ValueId),
}

impl Step {
    /// The path attribute of `agg` ops and its dynamic index.
    fn path(self) -> (Attr, SmallVec<[ValueId; 1]>) {
        match self {
            Step::Constant(i) => (Attr::i64_array(&[i]), SmallVec::new()),
            Step::Dynamic(v) => (Attr::i64_array(&[-1]), smallvec![v]),
        }
    }
}

/// All scalars zero.
pub fn zero(b: &mut Builder<'_>, of: Type) -> ValueId {
    let ty = erase(of);
    if is_number(of) { build::zero(b, ty) } else { agg::Zero::build(b, ty, &[]) }
}

/// 1 in every component of a type of numbers.
pub fn one(b: &mut Builder<'_>, of: Type) -> ValueId {
    let ty = erase(of);
    build::constant(b, build::number_attr(1.0, ty), ty)
}

/// A scalar in every component.
pub fn splat(b: &mut Builder<'_>, v: ValueId, to: Type) -> ValueId {
    vector::broadcast(b, v, erase(to))
}

/// A vector or matrix from scalars, vectors and matrices in order.
pub fn construct(b: &mut Builder<'_>, parts: &[ValueId], to: Type) -> ValueId {
    let mut scalars = Vec::with_capacity(to.num_elements());
    for &part in parts {
        let ty = b.ty(part);
        if !ty.is_vector() {
            scalars.push(part);
            continue;
        }
        for i in 0..ty.num_elements() {
            scalars.push(vector::extract(b, part, &component_position(ty, i as i64)));
        }
    }
    vector::from_elements(b, &scalars, erase(to))
}

/// The upper left part of a matrix.
pub fn truncate(b: &mut Builder<'_>, v: ValueId, to: Type) -> ValueId {
    let &[rows, cols] = to.shape() else { return v };
    let places = (0..rows as i64).flat_map(|r| (0..cols as i64).map(move |c| [r, c]));
    let scalars: Vec<ValueId> = places.map(|place| vector::extract(b, v, &place)).collect();
    vector::from_elements(b, &scalars, erase(to))
}

/// The position of scalar `i` of a vector, or of a matrix counted row by row.
pub fn component_position(ty: Type, i: i64) -> SmallVec<[i64; 2]> {
    match ty.shape() {
        &[_, cols] => smallvec![i / cols as i64, i % cols as i64],
        _ => smallvec![i],
    }
}

/// Generic code may name components that only longer vectors have.
fn has_component(ty: Type, c: u8) -> bool {
    u64::from(c) < ty.shape().iter().map(|&n| n as u64).product()
}

fn component(b: &mut Builder<'_>, whole: ValueId, c: u8) -> ValueId {
    let ty = b.ty(whole);
    match has_component(ty, c) {
        true => vector::extract(b, whole, &component_position(ty, c.into())),
        false => arith::zero(b, ty.elem()),
    }
}

/// Components of a vector, or of a matrix counted row by row; one component gives a scalar.
pub fn swizzle(b: &mut Builder<'_>, whole: ValueId, components: &[u8], to: Type) -> ValueId {
    let parts: Vec<ValueId> = components.iter().map(|&c| component(b, whole, c)).collect();
    match parts.as_slice() {
        [one] => *one,
        _ => vector::from_elements(b, &parts, erase(to)),
    }
}

/// `whole` with these components replaced by those of `new`, a scalar if there is one only.
pub fn with_swizzle(b: &mut Builder<'_>, new: ValueId, whole: ValueId, components: &[u8]) -> ValueId {
    let ty = b.ty(whole);
    let several = b.ty(new).is_vector();
    let there = components.iter().enumerate().filter(|(_, c)| has_component(ty, **c));
    there.fold(whole, |whole, (i, &c)| {
        let part = if several { vector::extract(b, new, &[i as i64]) } else { new };
        vector::insert(b, part, whole, &component_position(ty, c as i64))
    })
}

/// A number that the type has no part for is an index like one that is computed: reading there
/// gives zero. Only generic code writes one unnoticed.
fn within(b: &mut Builder<'_>, whole: ValueId, step: Step) -> Step {
    match step {
        Step::Constant(i) if i < 0 || agg::part_type(b.ty(whole), i).is_none() => {
            Step::Dynamic(arith::constant(b, Attr::int(i, Type::index()), Type::index()))
        }
        step => step,
    }
}

/// A field of a struct, an element of an array, a component of a vector, a row of a matrix.
pub fn part(b: &mut Builder<'_>, whole: ValueId, step: Step, to: Type) -> ValueId {
    let step = within(b, whole, step);
    if b.ty(whole).is_vector() {
        return match step {
            Step::Constant(i) => vector::extract(b, whole, &[i]),
            Step::Dynamic(i) => vector::extract_at(b, whole, &[i]),
        };
    }
    let (path, indices) = step.path();
    agg::Extract::build(b, whole, &indices, erase(to), &[("path", path)])
}

/// `whole` with one part replaced.
pub fn with_part(b: &mut Builder<'_>, new: ValueId, whole: ValueId, step: Step) -> ValueId {
    let (path, indices) = within(b, whole, step).path();
    agg::Insert::build(b, new, whole, &indices, &[("path", path)])
}
