//! Rules of constants, and of ops that make vectors of scalars and scalars of vectors: a fact holds
//! for each scalar.

use crate::combine::combine_def;
use crate::vector::kind_of;
use caustic_ir::Attr;
use caustic_ir::fact::{Fact, FactArgs};

pub fn constant(x: &FactArgs<'_>) -> Fact {
    x.attr("value").map_or(Fact::None, Fact::constant)
}

/// The same scalars, or some of them.
pub fn moved(x: &FactArgs<'_>) -> Fact {
    x.fact(0)
}

/// The scalars of all operands.
pub fn collected(x: &FactArgs<'_>) -> Fact {
    (0..x.facts.len()).map(|n| x.fact(n)).reduce(Fact::join).unwrap_or(Fact::None)
}

/// A part at a position: zero where that is outside, which only a computed one can be.
pub fn part(x: &FactArgs<'_>) -> Fact {
    let elem = x.result.elem();
    let zero = if elem.is_float() { Attr::float(0.0, elem) } else { Attr::int(0, elem) };
    if x.facts.len() > 1 { x.fact(0).join(Fact::constant(zero)) } else { x.fact(0) }
}

/// A part replaced, or nothing.
pub fn replaced(x: &FactArgs<'_>) -> Fact {
    x.fact(0).join(x.fact(1))
}

/// Scalars combined one after the other.
pub fn reduced(x: &FactArgs<'_>) -> Fact {
    /// Lanes of the longest vector for which it is worth it.
    const MOST: usize = 64;
    let (elem, lanes) = (x.result.elem(), x.types.first().map_or(0, |t| t.num_elements()));
    let combine = x.attr("kind").and_then(kind_of).and_then(|kind| combine_def(kind, elem));
    let Some(def) = combine.filter(|_| (1..=MOST).contains(&lanes)) else { return Fact::None };
    let each = x.fact(0);
    (1..lanes).fold(each, |sum, _| super::of(def, &[], &[elem, elem], elem, &[sum, each]))
}
