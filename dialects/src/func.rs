//! `func`: upstream's functions.
//!
//! Attributes that normalization carries over from `hl.func`, all discardable to upstream:
//! `params`, `differentiable`, `no_diff_result`, `entry`, `force_inline`, `prefer`, and the
//! functions given for derivatives (`signature`). Results: the return value if there is one, then
//! `out` and `inout` parameters in order.

use crate::classes::ANY;
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, AsmShape, Fold};
use caustic_ir::{Body, Dialect, OpId, ops};

/// Marks a function of which there is to be one copy, however often it is called.
pub const NO_INLINE: &str = "no_inline";

pub static DIALECT: Dialect =
    Dialect { name: "func", doc: "Functions and calls, as upstream's `func`.", ops: &[FUNC_OPS], types: &[] };

fn eval_call(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    match body.callee(op) {
        Some(callee) => m.call(callee, args, body.loc(op)),
        None => Err(Trap::new(body.loc(op), "func.call: no callee")),
    }
}

ops! { pub static FUNC_OPS as FuncView: [
    /// A function with one exit.
    Func "func.func" {
        operands: (), results: none,
        attrs: (sym_name: String, function_type: Type, params: Array [optional], differentiable: String [optional], no_diff_result: Unit [optional], entry: Dict [optional],
                force_inline: Unit [optional], no_inline: Unit [optional], prefer: String [optional], forward_derivative: Symbol [optional], backward_derivative: Symbol [optional],
                primal_substitute: Symbol [optional]),
        regions: (body), effects: Symbol, commutative: false, asm: Asm::Shape(AsmShape::Function),
        verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Custom,
    }
    /// Ends a function.
    Return "func.return" {
        operands: (; values: Class(&ANY)), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Shape(AsmShape::Terminator), verify: None, fold: Fold::None, eval: Eval::Terminator, ad: AdRule::Custom,
    }
    /// Calls a function. `no_diff` marks a call that stops derivatives.
    Call "func.call" {
        operands: (; operands: Class(&ANY)), results: many(Class(&ANY)), attrs: (callee: Symbol, no_diff: Unit [optional]), regions: (), effects: Call, commutative: false,
        asm: Asm::Shape(AsmShape::Call), verify: None, fold: Fold::None, eval: Eval::Full(eval_call), ad: AdRule::Custom,
    }
] }
