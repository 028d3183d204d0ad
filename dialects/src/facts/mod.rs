//! What is known of an op's result, given what is known of its operands: how the rules in the rows
//! are asked, and what they are made of.
//!
//! A rule gives a set that holds each value that the op may give on any target, for operands within
//! their facts. Where targets may differ from the reference evaluation, as in functions of floats,
//! the row says by how many units in the last place. Under contracted and fast arithmetic a
//! program's values are near those that facts speak of, not within them.
//!
//! This module must not know: bodies, passes, targets.

pub mod bits;
pub mod compare;
pub mod convert;
pub mod float;
pub mod function;
pub mod int;
mod pieces;
pub mod shape;

use caustic_ir::fact::{Fact, FactArgs};
use caustic_ir::{Attr, Name, OpDef, Type};
use smallvec::SmallVec;

/// What is known of the only result of an op: everything of its type if its row has no rule.
pub fn of(def: &'static OpDef, attrs: &[(Name, Attr)], operand_types: &[Type], result: Type, facts: &[Fact]) -> Fact {
    of_same(def, attrs, operand_types, result, facts, &[])
}

/// [`of`], where operands with the same number in `same` are known to be the same value: `x * x` is
/// never negative.
pub fn of_same(
    def: &'static OpDef,
    attrs: &[(Name, Attr)],
    operand_types: &[Type],
    result: Type,
    facts: &[Fact],
    same: &[usize],
) -> Fact {
    let top = Fact::top(result);
    let Some(rule) = def.facts else { return top };
    let elems: SmallVec<[Type; 4]> = operand_types.iter().map(|t| t.elem()).collect();
    let args = FactArgs { def, attrs, types: operand_types, elems: &elems, result, facts, same };
    // A rule that contradicts the type of the result says nothing.
    top.meet(rule(&args)).unwrap_or(top)
}
