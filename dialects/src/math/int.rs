//! Functions of integers.

use crate::arith::num::{signed, unsigned, width};
use crate::classes::INT_LIKE;
use crate::facts::{bits, int};
use caustic_ir::eval::{Eval, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Type, ops};

/// Rows of functions of one integer: `name evaluation, facts`.
macro_rules! int_unary {
    ( $( $(#[doc = $doc:literal])+ $view:ident $name:literal $f:expr, $facts:expr; )* ) => {
        ops! { pub static INT_OPS as IntView: [ $(
            $(#[doc = $doc])+
            $view $name {
                operands: (operand: Class(&INT_LIKE)), results: infer(SameAs(0)), attrs: (), regions: (),
                effects: Pure, commutative: false, asm: Asm::Format("$operand attr-dict `:` type($result)"),
                verify: None, fold: Fold::Eval,
                eval: Eval::Scalar(|args, types| {
                    const F: fn(i64, Type) -> i64 = $f;
                    Val::Int(args.first().map_or(0, |a| F(a.as_int(), types.result)))
                }),
                facts: $facts,
                ad: AdRule::Inactive,
            }
        )* ] }
    };
}

int_unary! {
    /// Absolute value as a signed integer; the smallest integer stays itself.
    /// `%b = math.absi %a : i32`
    AbsI "math.absi" |v, ty| signed(v, ty).wrapping_abs(), int::absolute;
    /// Number of set bits. `%b = math.ctpop %a : i32`
    CtPop "math.ctpop" |v, ty| unsigned(v, ty).count_ones() as i64, bits::set_bits;
    /// Number of zero bits above the highest set bit; the width if there is none.
    /// `%b = math.ctlz %a : i32`
    CountLeadingZeros "math.ctlz" |v, ty| (unsigned(v, ty).leading_zeros() as i64) - (64 - width(ty) as i64), bits::leading_zeros;
    /// Number of zero bits below the lowest set bit; the width if there is none.
    /// `%b = math.cttz %a : i32`
    CountTrailingZeros "math.cttz" |v, ty| unsigned(v, ty).trailing_zeros().min(width(ty)) as i64, bits::trailing_zeros;
}
