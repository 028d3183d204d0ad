//! The dialect `soft`: one op.

use caustic_dialects::classes::FLOAT_LIKE;
use caustic_ir::eval::{Eval, Val};
use caustic_ir::op::{AdRule, Asm, Fold};
use caustic_ir::{Dialect, ops};

pub static DIALECT: Dialect = Dialect { name: "soft", doc: "Smooth functions.", ops: &[SOFT_OPS], types: &[] };

ops! { pub static SOFT_OPS as SoftView: [
    /// ln(1 + e^x), which never overflows. `%b = soft.plus %a : f32`
    Plus "soft.plus" {
        operands: (operand: Class(&FLOAT_LIKE)), results: infer(SameAs(0)), attrs: (), regions: (),
        effects: Pure, commutative: false, asm: Asm::Format("$operand attr-dict `:` type($result)"),
        verify: None, fold: Fold::Eval,
        eval: Eval::Scalar(|args, _| Val::Float(args.first().map_or(f64::NAN, |a| plus(a.as_float())))),
        ad: AdRule::Partials(&["1 / (1 + exp(-operand))"]),
    }
] }

fn plus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
