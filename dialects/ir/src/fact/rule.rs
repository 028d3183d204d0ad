//! What a row's rule of facts is given: the facts of the operands, and the types and attributes of
//! the op.

use super::{Fact, FloatFact, IntFact};
use crate::attr::Attr;
use crate::eval::{Eval, ScalarTypes, Val, normalize};
use crate::intern::Name;
use crate::op::OpDef;
use crate::types::{FloatKind, Type};

/// The fact of an op's only result, given those of its operands.
pub type FactFn = fn(&FactArgs<'_>) -> Fact;

/// An op without a body.
pub struct FactArgs<'a> {
    pub def: &'static OpDef,
    pub attrs: &'a [(Name, Attr)],
    /// The types of the operands, shapes included, and those of their scalars.
    pub types: &'a [Type],
    pub elems: &'a [Type],
    pub result: Type,
    pub facts: &'a [Fact],
    /// A number for each operand; those with the same number are the same value. Empty if nothing
    /// is known of that.
    pub same: &'a [usize],
}

impl FactArgs<'_> {
    /// The scalar type of an operand; that of the result if there is none.
    pub fn elem(&self, operand: usize) -> Type {
        self.elems.get(operand).copied().unwrap_or_else(|| self.result.elem())
    }

    /// What is known of an operand, which is at least its type.
    pub fn fact(&self, operand: usize) -> Fact {
        let top = Fact::top(self.elem(operand));
        self.facts.get(operand).and_then(|f| top.meet(*f)).unwrap_or(top)
    }

    /// What is known of an operand that is a float.
    pub fn float(&self, operand: usize) -> FloatFact {
        self.fact(operand).float().unwrap_or_else(|| FloatFact::top(FloatKind::F64))
    }

    /// What is known of an operand that is an integer.
    pub fn int(&self, operand: usize) -> IntFact {
        self.fact(operand).int().unwrap_or_else(|| IntFact::top(64))
    }

    /// Whether two operands are the same value.
    pub fn are_same(&self, a: usize, b: usize) -> bool {
        self.same.get(a).is_some_and(|n| self.same.get(b) == Some(n))
    }

    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| *a)
    }

    /// The format of a result of floats.
    pub fn format(&self) -> FloatKind {
        self.result.elem().float_kind().unwrap_or(FloatKind::F64)
    }

    /// The width of a result of integers.
    pub fn bits(&self) -> u32 {
        self.result.elem().scalar_bits().unwrap_or(64)
    }

    /// What the reference gives for these scalars, rounded or wrapped to the type; `None` where the
    /// op is not elementwise.
    pub fn eval(&self, values: &[Val]) -> Option<Val> {
        let Eval::Scalar(f) = self.def.eval else { return None };
        let result = self.result.elem();
        let types = ScalarTypes { operands: self.elems, result, attrs: self.attrs };
        Some(normalize(f(values, &types), result))
    }

    /// [`FactArgs::eval`] of floats to a float; NaN where it is no such op.
    pub fn eval_floats<const N: usize>(&self, values: [f64; N]) -> f64 {
        match self.eval(&values.map(Val::Float)) {
            Some(Val::Float(v)) => v,
            _ => f64::NAN,
        }
    }
}
