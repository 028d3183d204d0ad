//! Integer arithmetic, lane by lane.

use super::build::splat_attr;
use super::num::{shift_amount, signed, unsigned};
use crate::classes::INT_LIKE;
use crate::facts::{bits, int};
use caustic_ir::attr::AttrKind;
use caustic_ir::eval::{Eval, Val};
use caustic_ir::op::{AdRule, Asm, Fold, Folded};
use caustic_ir::{Attr, Body, OpId, Type, ops};

/// The integer that a constant holds in every lane.
fn splat_int(attr: Option<Attr>) -> Option<i64> {
    match attr?.kind() {
        AttrKind::Int(v, _) => Some(*v),
        AttrKind::Dense(items, _) => {
            let (first, rest) = items.split_first()?;
            if rest.iter().all(|a| a == first) { first.as_int() } else { None }
        }
        _ => None,
    }
}

/// What an op does when one operand is a certain constant, or when both are the same value.
struct Facts {
    /// `x op c = x`
    right_identity: Option<i64>,
    /// `c op x = x`
    left_identity: Option<i64>,
    /// `x op c = c`
    right_absorbing: Option<i64>,
    /// `c op x = c`
    left_absorbing: Option<i64>,
    same: Same,
}

/// `x op x`
enum Same {
    Nothing,
    Operand,
    Zero,
}

fn fold_facts(body: &Body, op: OpId, constants: &[Option<Attr>], facts: &Facts) -> Option<Folded> {
    let operands = body.operands(op);
    let ty = body.ty(*operands.first()?);
    // i1 constants are kept as 0 and 1, so that "all ones" is 1 there.
    let is = |constant: Option<Attr>, wanted: Option<i64>| {
        let wanted = wanted.map(|w| Attr::int(w, ty.elem()).as_int());
        wanted.is_some_and(|w| w.is_some() && splat_int(constant) == w)
    };
    let (left, right) = (*constants.first()?, *constants.get(1)?);
    if is(right, facts.right_identity) || is(left, facts.left_absorbing) {
        return Some(Folded::Operand(0));
    }
    if is(left, facts.left_identity) || is(right, facts.right_absorbing) {
        return Some(Folded::Operand(1));
    }
    match facts.same {
        Same::Operand if operands[0] == operands[1] => Some(Folded::Operand(0)),
        Same::Zero if operands[0] == operands[1] => Some(Folded::Constant(splat_attr(Attr::int(0, ty.elem()), ty))),
        _ => None,
    }
}

fn apply(args: &[Val], ty: Type, f: fn(i64, i64, Type) -> i64) -> Val {
    match args {
        [a, b] => Val::Int(f(a.as_int(), b.as_int(), ty)),
        _ => Val::Int(0),
    }
}

/// Rows of ops of two integers:
/// `name: evaluation, facts; right identity, left identity, right absorbing, left absorbing, same`.
macro_rules! int_binary {
    ( $( $(#[doc = $doc:literal])+ $view:ident $name:literal $comm:literal $f:expr, $facts:expr;
         $ri:expr, $li:expr, $ra:expr, $la:expr, $same:ident )* ) => {
        ops! { pub static INT_OPS as IntView: [ $(
            $(#[doc = $doc])+
            $view $name {
                operands: (lhs: Class(&INT_LIKE), rhs: SameAs(0)), results: infer(SameAs(0)), attrs: (), regions: (),
                effects: Pure, commutative: $comm,
                asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($result)"),
                verify: None,
                fold: Fold::With(|body, op, constants| {
                    const FACTS: Facts = Facts {
                        right_identity: $ri, left_identity: $li, right_absorbing: $ra, left_absorbing: $la,
                        same: Same::$same,
                    };
                    fold_facts(body, op, constants, &FACTS)
                }),
                eval: Eval::Scalar(|args, types| apply(args, types.result, $f)),
                facts: $facts,
                ad: AdRule::Inactive,
            }
        )* ] }
    };
}

int_binary! {
    /// Sum, wrapping. `%c = arith.addi %a, %b : i32`
    AddI "arith.addi" true |a, b, _| a.wrapping_add(b), int::add; Some(0), Some(0), None, None, Nothing
    /// Difference, wrapping. `%c = arith.subi %a, %b : i32`
    SubI "arith.subi" false |a, b, _| a.wrapping_sub(b), int::subtract; Some(0), None, None, None, Zero
    /// Product, wrapping. `%c = arith.muli %a, %b : i32`
    MulI "arith.muli" true |a, b, _| a.wrapping_mul(b), int::multiply; Some(1), Some(1), Some(0), Some(0), Nothing
    /// Signed quotient, rounded towards zero; 0 if the divisor is 0, and the smallest integer
    /// divided by -1 is itself. `%c = arith.divsi %a, %b : i32`
    DivSI "arith.divsi" false |a, b, ty| {
        let (a, b) = (signed(a, ty), signed(b, ty));
        if b == 0 { 0 } else { a.wrapping_div(b) }
    }, int::divide_signed; Some(1), None, Some(0), Some(0), Nothing
    /// Unsigned quotient; 0 if the divisor is 0. `%c = arith.divui %a, %b : i32`
    DivUI "arith.divui" false |a, b, ty| unsigned(a, ty).checked_div(unsigned(b, ty)).unwrap_or(0) as i64, int::divide_unsigned;
        Some(1), None, Some(0), Some(0), Nothing
    /// Signed remainder, with the sign of the dividend; 0 if the divisor is 0.
    /// `%c = arith.remsi %a, %b : i32`
    RemSI "arith.remsi" false |a, b, ty| {
        let (a, b) = (signed(a, ty), signed(b, ty));
        if b == 0 { 0 } else { a.wrapping_rem(b) }
    }, int::remainder_signed; None, None, Some(0), Some(0), Zero
    /// Unsigned remainder; 0 if the divisor is 0. `%c = arith.remui %a, %b : i32`
    RemUI "arith.remui" false |a, b, ty| unsigned(a, ty).checked_rem(unsigned(b, ty)).unwrap_or(0) as i64, int::remainder_unsigned;
        None, None, Some(0), Some(0), Zero
    /// Bitwise and. `%c = arith.andi %a, %b : i32`
    AndI "arith.andi" true |a, b, _| a & b, bits::and; Some(-1), Some(-1), Some(0), Some(0), Operand
    /// Bitwise or. `%c = arith.ori %a, %b : i32`
    OrI "arith.ori" true |a, b, _| a | b, bits::or; Some(0), Some(0), Some(-1), Some(-1), Operand
    /// Bitwise exclusive or. `%c = arith.xori %a, %b : i32`
    XOrI "arith.xori" true |a, b, _| a ^ b, bits::exclusive_or; Some(0), Some(0), None, None, Zero
    /// Shift to the left; the amount is taken modulo the width. `%c = arith.shli %a, %b : i32`
    ShLI "arith.shli" false |a, b, ty| a << shift_amount(b, ty), bits::shift_left; Some(0), None, None, Some(0), Nothing
    /// Shift to the right that repeats the sign; the amount is taken modulo the width.
    /// `%c = arith.shrsi %a, %b : i32`
    ShRSI "arith.shrsi" false |a, b, ty| signed(a, ty) >> shift_amount(b, ty), bits::shift_right_signed; Some(0), None, None, Some(0), Nothing
    /// Shift to the right that fills with zeros; the amount is taken modulo the width.
    /// `%c = arith.shrui %a, %b : i32`
    ShRUI "arith.shrui" false |a, b, ty| (unsigned(a, ty) >> shift_amount(b, ty)) as i64, bits::shift_right_unsigned; Some(0), None, None, Some(0), Nothing
    /// The lesser as signed integers. `%c = arith.minsi %a, %b : i32`
    MinSI "arith.minsi" true |a, b, ty| signed(a, ty).min(signed(b, ty)), int::min_signed; None, None, None, None, Operand
    /// The greater as signed integers. `%c = arith.maxsi %a, %b : i32`
    MaxSI "arith.maxsi" true |a, b, ty| signed(a, ty).max(signed(b, ty)), int::max_signed; None, None, None, None, Operand
    /// The lesser as unsigned integers. `%c = arith.minui %a, %b : i32`
    MinUI "arith.minui" true |a, b, ty| unsigned(a, ty).min(unsigned(b, ty)) as i64, int::min_unsigned; Some(-1), Some(-1), Some(0), Some(0), Operand
    /// The greater as unsigned integers. `%c = arith.maxui %a, %b : i32`
    MaxUI "arith.maxui" true |a, b, ty| unsigned(a, ty).max(unsigned(b, ty)) as i64, int::max_unsigned; Some(0), Some(0), Some(-1), Some(-1), Operand
}
