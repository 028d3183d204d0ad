//! Comparison and selection.

use super::build::splat_attr;
use super::num::{signed, unsigned};
use crate::classes::{BOOL_LIKE, FLOAT_LIKE, INT_LIKE, SCALAR_LIKE};
use crate::facts::compare;
use caustic_ir::eval::{Eval, ScalarTypes, Val};
use caustic_ir::op::{AdRule, Asm, AsmShape, Fold, Folded, Mirror};
use caustic_ir::{Attr, Body, Builder, Diagnostic, OpId, Type, ValueId, ops};
use std::cmp::Ordering;

/// A set of comparison predicates: their keywords in the order of their numbers.
macro_rules! predicates {
    ($(#[$m:meta])* $name:ident { $($variant:ident $keyword:literal),+ $(,)? }) => {
        $(#[$m])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        pub enum $name { $($variant),+ }
        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];
            pub fn keyword(self) -> &'static str {
                [$($keyword),+][self as usize]
            }
            /// The number that stands for it in the `predicate` attribute.
            pub fn number(self) -> i64 {
                self as i64
            }
            pub fn attr(self) -> Attr {
                Attr::i64(self.number())
            }
            pub fn from_number(number: i64) -> Option<Self> {
                usize::try_from(number).ok().and_then(|n| Self::ALL.get(n).copied())
            }
            pub fn from_keyword(keyword: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|p| p.keyword() == keyword)
            }
            /// The predicate of a comparison.
            pub fn of(body: &Body, op: OpId) -> Option<Self> {
                body.attr(op, "predicate").and_then(|a| a.as_int()).and_then(Self::from_number)
            }
        }
    };
}

predicates! {
    /// Predicates of `arith.cmpi`: equality, then signed, then unsigned order.
    IntPredicate {
        Eq "eq", Ne "ne", Slt "slt", Sle "sle", Sgt "sgt", Sge "sge", Ult "ult", Ule "ule", Ugt "ugt", Uge "uge",
    }
}

predicates! {
    /// Predicates of `arith.cmpf`: `o` is false if either operand is NaN, `u` is true.
    FloatPredicate {
        False "false", Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord",
        Ueq "ueq", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Une "une", Uno "uno", True "true",
    }
}

/// The number of a comparison's predicate, of either kind.
pub fn predicate_of(body: &Body, op: OpId) -> Option<i64> {
    body.attr(op, "predicate")?.as_int()
}

/// The keyword with the order turned around: `lt` and `gt`, `le` and `ge`.
fn turned(keyword: &str) -> String {
    let (head, order) = keyword.split_at(1);
    match order {
        "lt" => format!("{head}gt"),
        "gt" => format!("{head}lt"),
        "le" => format!("{head}ge"),
        "ge" => format!("{head}le"),
        _ => keyword.to_string(),
    }
}

impl IntPredicate {
    /// The predicate that holds of the operands in the other order.
    pub fn swapped(self) -> Self {
        IntPredicate::from_keyword(&turned(self.keyword())).unwrap_or(self)
    }

    /// The predicate that holds where this one does not.
    pub fn inverse(self) -> Self {
        use IntPredicate::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    pub fn holds(self, a: i64, b: i64, ty: Type) -> bool {
        let (sa, sb) = (signed(a, ty), signed(b, ty));
        let (ua, ub) = (unsigned(a, ty), unsigned(b, ty));
        match self {
            IntPredicate::Eq => ua == ub,
            IntPredicate::Ne => ua != ub,
            IntPredicate::Slt => sa < sb,
            IntPredicate::Sle => sa <= sb,
            IntPredicate::Sgt => sa > sb,
            IntPredicate::Sge => sa >= sb,
            IntPredicate::Ult => ua < ub,
            IntPredicate::Ule => ua <= ub,
            IntPredicate::Ugt => ua > ub,
            IntPredicate::Uge => ua >= ub,
        }
    }
}

impl FloatPredicate {
    /// The predicate that holds of the operands in the other order.
    pub fn swapped(self) -> Self {
        FloatPredicate::from_keyword(&turned(self.keyword())).unwrap_or(self)
    }

    /// The predicate that holds where this one does not, of NaN too.
    pub fn inverse(self) -> Self {
        use FloatPredicate::*;
        match self {
            False => True,
            True => False,
            Ord => Uno,
            Uno => Ord,
            // From `oeq` to `une` the numbers mirror each other.
            _ => FloatPredicate::from_number(Une.number() + Oeq.number() - self.number()).unwrap_or(self),
        }
    }

    pub fn holds(self, a: f64, b: f64) -> bool {
        // Bits 0, 1, 2: whether equal, greater, less make it true. The numbers from `ueq` to `une`
        // repeat those from `oeq`.
        let number = self as u8;
        let (mask, unordered) = match self {
            FloatPredicate::Uno => (0, true),
            FloatPredicate::True => (7, true),
            _ if number >= FloatPredicate::Ueq as u8 => (number - 7, true),
            _ => (number, false),
        };
        match a.partial_cmp(&b) {
            Some(Ordering::Equal) => mask & 1 != 0,
            Some(Ordering::Greater) => mask & 2 != 0,
            Some(Ordering::Less) => mask & 4 != 0,
            None => unordered,
        }
    }
}

fn predicate_number(types: &ScalarTypes<'_>) -> i64 {
    types.attrs.iter().find(|(name, _)| *name == "predicate").and_then(|(_, a)| a.as_int()).unwrap_or(-1)
}

fn eval_cmpi(args: &[Val], types: &ScalarTypes<'_>) -> Val {
    let ty = types.operands.first().copied().unwrap_or_else(Type::index);
    match (IntPredicate::from_number(predicate_number(types)), args) {
        (Some(p), [a, b]) => Val::bool(p.holds(a.as_int(), b.as_int(), ty)),
        _ => Val::bool(false),
    }
}

fn eval_cmpf(args: &[Val], types: &ScalarTypes<'_>) -> Val {
    match (FloatPredicate::from_number(predicate_number(types)), args) {
        (Some(p), [a, b]) => Val::bool(p.holds(a.as_float(), b.as_float())),
        _ => Val::bool(false),
    }
}

fn verify_predicate(body: &Body, op: OpId, known: bool) -> Result<(), Diagnostic> {
    if known {
        return Ok(());
    }
    let name = body.op(op).def.name;
    Err(Diagnostic::invalid_ir(body.loc(op), format!("{name}: the predicate number is not one of this op's")))
}

fn constant_result(body: &Body, op: OpId, value: bool) -> Folded {
    Folded::Constant(splat_attr(Attr::bool(value), body.ty(body.result(op, 0))))
}

fn fold_cmpi(body: &Body, op: OpId, _: &[Option<Attr>]) -> Option<Folded> {
    let (a, b) = (CmpI(op).lhs(body), CmpI(op).rhs(body));
    let predicate = IntPredicate::of(body, op)?;
    (a == b).then(|| constant_result(body, op, predicate.holds(0, 0, Type::i64())))
}

fn fold_cmpf(body: &Body, op: OpId, _: &[Option<Attr>]) -> Option<Folded> {
    match FloatPredicate::of(body, op)? {
        FloatPredicate::False => Some(constant_result(body, op, false)),
        FloatPredicate::True => Some(constant_result(body, op, true)),
        // Strict orders are false for equal operands and for NaN; the others depend on NaN.
        FloatPredicate::Ogt | FloatPredicate::Olt | FloatPredicate::One if CmpF(op).lhs(body) == CmpF(op).rhs(body) => {
            Some(constant_result(body, op, false))
        }
        _ => None,
    }
}

fn verify_select(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let condition = body.ty(Select(op).condition(body));
    let value = body.ty(Select(op).true_value(body));
    if condition.is_i1() || (condition.is_vector() && condition == value.with_elem(Type::i1())) {
        return Ok(());
    }
    Err(Diagnostic::invalid_ir(
        body.loc(op),
        format!("arith.select: the condition has type {condition}, which is neither i1 nor i1 in the shape of {value}"),
    ))
}

fn fold_select(body: &Body, op: OpId, constants: &[Option<Attr>]) -> Option<Folded> {
    let operands = body.operands(op);
    if operands.get(1) == operands.get(2) {
        return Some(Folded::Operand(1));
    }
    let condition = constants.first().copied().flatten()?;
    let all = |wanted: bool| match condition.kind() {
        caustic_ir::AttrKind::Dense(items, _) => items.iter().all(|a| a.as_bool() == Some(wanted)),
        _ => condition.as_bool() == Some(wanted),
    };
    if all(true) { Some(Folded::Operand(1)) } else { all(false).then_some(Folded::Operand(2)) }
}

fn eval_select(args: &[Val], _: &ScalarTypes<'_>) -> Val {
    match args {
        [c, a, b] => {
            if c.as_bool() {
                a.clone()
            } else {
                b.clone()
            }
        }
        _ => Val::Int(0),
    }
}

ops! { pub static CMP_OPS as CmpView: [
    /// Comparison of integers: `eq ne`, signed `slt sle sgt sge`, unsigned `ult ule ugt uge`
    /// (attribute `predicate`, 0 to 9).
    ///
    /// `%c = arith.cmpi slt, %a, %b : i32`
    CmpI "arith.cmpi" {
        operands: (lhs: Class(&INT_LIKE), rhs: SameAs(0)), results: infer(BoolLike(0)), attrs: (predicate: Int), regions: (),
        effects: Pure, commutative: false, asm: Asm::Shape(AsmShape::Compare),
        verify: Some(|body, op| verify_predicate(body, op, IntPredicate::of(body, op).is_some())),
        fold: Fold::With(fold_cmpi), eval: Eval::Scalar(eval_cmpi), facts: compare::ints,
        ad: AdRule::Inactive,
    }
    /// Comparison of floats: `false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true`
    /// (attribute `predicate`, 0 to 15). `o…` is false if either operand is NaN, `u…` is true.
    ///
    /// `%c = arith.cmpf olt, %a, %b : f32`
    CmpF "arith.cmpf" {
        operands: (lhs: Class(&FLOAT_LIKE), rhs: SameAs(0)), results: infer(BoolLike(0)), attrs: (predicate: Int), regions: (),
        effects: Pure, commutative: false, asm: Asm::Shape(AsmShape::Compare),
        verify: Some(|body, op| verify_predicate(body, op, FloatPredicate::of(body, op).is_some())),
        fold: Fold::With(fold_cmpf), eval: Eval::Scalar(eval_cmpf), facts: compare::floats,
        ad: AdRule::Inactive,
    }
    /// The second operand if the condition is true, else the third; one condition for all, or one a
    /// lane. Both are computed already: nothing is skipped.
    ///
    /// `%r = arith.select %c, %a, %b : f32`,
    /// `%r = arith.select %c, %a, %b : vector<2xi1>, vector<2xf32>`
    ///
    /// Derivative: that of the operand taken; what is not taken gets an exact zero, even against an
    /// infinite partial upstream.
    Select "arith.select" {
        operands: (condition: Class(&BOOL_LIKE), true_value: Class(&SCALAR_LIKE), false_value: SameAs(1)),
        results: infer(SameAs(1)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Shape(AsmShape::Select),
        verify: Some(verify_select), fold: Fold::With(fold_select), eval: Eval::Scalar(eval_select), facts: compare::select,
        ad: AdRule::Mirror(Mirror::Select),
    }
] }

/// Builds an integer comparison.
pub fn cmpi(b: &mut Builder<'_>, predicate: IntPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
    CmpI::build(b, lhs, rhs, &[("predicate", predicate.attr())])
}

/// Builds a float comparison.
pub fn cmpf(b: &mut Builder<'_>, predicate: FloatPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
    CmpF::build(b, lhs, rhs, &[("predicate", predicate.attr())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_have_upstream_numbers() {
        assert_eq!(IntPredicate::Slt.number(), 2);
        assert_eq!(IntPredicate::Uge.number(), 9);
        assert_eq!(FloatPredicate::Olt.number(), 4);
        assert_eq!(FloatPredicate::True.number(), 15);
        assert_eq!(FloatPredicate::from_keyword("uno"), Some(FloatPredicate::Uno));
        assert_eq!(FloatPredicate::from_number(16), None);
        assert_eq!(IntPredicate::from_number(-1), None);
    }

    #[test]
    fn float_predicates_follow_their_names() {
        for &p in FloatPredicate::ALL {
            for (a, b) in [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (f64::NAN, 1.0), (0.0, -0.0)] {
                let unordered = f64::is_nan(a) || f64::is_nan(b);
                let expected = match p.keyword() {
                    "false" => false,
                    "true" => true,
                    "ord" => !unordered,
                    "uno" => unordered,
                    name => {
                        let ordered = match &name[1..] {
                            "eq" => a == b,
                            "ne" => !unordered && a != b,
                            "gt" => a > b,
                            "ge" => a >= b,
                            "lt" => a < b,
                            _ => a <= b,
                        };
                        ordered || (unordered && name.starts_with('u'))
                    }
                };
                assert_eq!(p.holds(a, b), expected, "{} {a} {b}", p.keyword());
            }
        }
    }

    #[test]
    fn swapped_and_inverse_predicates_hold_where_they_should() {
        let numbers = [1.0, 2.0, f64::NAN, 0.0, -0.0];
        for (a, b) in numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| (a, b))) {
            for &p in FloatPredicate::ALL {
                assert_eq!(p.holds(a, b), p.swapped().holds(b, a), "{} {a} {b}", p.keyword());
                assert_eq!(p.holds(a, b), !p.inverse().holds(a, b), "{} {a} {b}", p.keyword());
            }
            for &p in IntPredicate::ALL {
                let (a, b) = (a as i64 - 1, b as i64 - 1);
                assert_eq!(p.holds(a, b, Type::i32()), p.swapped().holds(b, a, Type::i32()));
                assert_eq!(p.holds(a, b, Type::i32()), !p.inverse().holds(a, b, Type::i32()));
            }
        }
    }

    #[test]
    fn booleans_compare_as_one_bit() {
        // A set i1 is -1 as signed.
        assert!(IntPredicate::Slt.holds(1, 0, Type::i1()));
        assert!(IntPredicate::Ugt.holds(1, 0, Type::i1()));
        assert!(IntPredicate::Ult.holds(1, -1, Type::i32()));
    }
}
