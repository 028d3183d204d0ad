//! The op rows of `hl`.

use super::as_ref;
use super::generics::part_type;
use super::verify::{verify_exit, verify_if, verify_loop, verify_switch};
use crate::agg::BUFFER;
use crate::classes::{ANY, BOOL, INDEX, INT_OR_INDEX};
use caustic_ir::eval::Eval;
use caustic_ir::op::{AdRule, Asm, AsmShape, Fold, TypeClass};
use caustic_ir::{Body, Diagnostic, OpId, ops};

pub static REF: TypeClass = TypeClass { desc: "a ref", contains: |t| as_ref(t).is_some() };

const GONE: AdRule = AdRule::Refuse("high-level code is normalized before it is differentiated");

fn verify_access(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (reference, value) = if Load::is(body, op) {
        (body.operand(op, 0), body.result(op, 0))
    } else {
        (body.operand(op, 1), body.operand(op, 0))
    };
    if as_ref(body.ty(reference)) == Some(body.ty(value)) {
        return Ok(());
    }
    let text = format!("{}: {} is not what {} points to", body.op(op).def.name, body.ty(value), body.ty(reference));
    Err(Diagnostic::invalid_ir(body.loc(op), text))
}

fn verify_part(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let step = body.attr(op, "index").and_then(|a| a.as_int()).unwrap_or(-1);
    let from = as_ref(body.ty(body.operand(op, 0)));
    let to = as_ref(body.ty(body.result(op, 0)));
    match from.and_then(|t| part_type(t, step)) {
        part if part.is_some() && part == to => Ok(()),
        _ => Err(Diagnostic::invalid_ir(
            body.loc(op),
            format!("{}: the result is no ref to that part", body.op(op).def.name),
        )),
    }
}

ops! { pub static HL_OPS as HlView: [
    /// A function as written. The body's arguments: a value for an `in` parameter, a ref for `out`
    /// and `inout`; at most one result.
    ///
    /// Attributes: `function_type` (as the arguments are), `params` (an array with
    /// `{name, dir = "in"|"out"|"inout", no_diff}` for each), `differentiable` (`"both"`,
    /// `"forward"`, `"zero"` or `"custom"`), `no_diff_result`, `entry = {numthreads = [x, y, z]}`
    /// for a compute entry point, `force_inline`, `prefer = "checkpoint"|"recompute"`; `generics`,
    /// its parameters, if there are any; `forward_derivative`, `backward_derivative` and
    /// `primal_substitute`, the functions that the programmer gives in the place of what
    /// differentiation makes.
    Func "hl.func" {
        operands: (), results: none,
        attrs: (sym_name: String, function_type: Type, params: Array [optional], differentiable: String [optional], no_diff_result: Unit [optional], entry: Dict [optional],
                force_inline: Unit [optional], prefer: String [optional], forward_derivative: Symbol [optional], backward_derivative: Symbol [optional],
                primal_substitute: Symbol [optional], generics: Array [optional]),
        regions: (body), effects: Symbol, commutative: false, asm: Asm::Shape(AsmShape::Function),
        verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Returns from the function, from any depth.
    Return "hl.return" {
        operands: (; values: Class(&ANY)), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Shape(AsmShape::Terminator), verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// A local variable, zero at first. A variable that stands in a loop is a new one each
    /// iteration.
    ///
    /// `%x = hl.var {name = "x"} : !hl.ref<f32>`
    Var "hl.var" {
        operands: (), results: one(Class(&REF)), attrs: (name: String [optional]), regions: (), effects: Reads, commutative: false,
        asm: Asm::Format("attr-dict `:` type($result)"), verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Reads what the ref points to.
    Load "hl.load" {
        operands: (reference: Class(&REF)), results: one(Class(&ANY)), attrs: (), regions: (), effects: Reads, commutative: false,
        asm: Asm::Format("$reference attr-dict `:` functional-type"), verify: Some(verify_access), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Writes what the ref points to.
    Store "hl.store" {
        operands: (value: Class(&ANY), reference: Class(&REF)), results: none, attrs: (), regions: (), effects: Writes, commutative: false,
        asm: Asm::Format("$value `,` $reference attr-dict `:` functional-type"), verify: Some(verify_access), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// The address of a field, or of an element, row or component with a constant index.
    ///
    /// `%y = hl.field %r {index = 1} : (!hl.ref<…>) -> !hl.ref<f32>`
    Field "hl.field" {
        operands: (reference: Class(&REF)), results: one(Class(&REF)), attrs: (index: Int), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$reference attr-dict `:` functional-type"), verify: Some(verify_part), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// The address of an element of an array, component of a vector or row of a matrix. Out of
    /// range it reads zero and drops writes.
    Element "hl.element" {
        operands: (reference: Class(&REF), index: Class(&INT_OR_INDEX)), results: one(Class(&REF)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$reference `[` $index `]` attr-dict `:` functional-type"), verify: Some(verify_part), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// The address of an element of a buffer.
    BufferElement "hl.buffer_element" {
        operands: (buffer: Class(&BUFFER), index: Class(&INDEX)), results: one(Class(&REF)), attrs: (), regions: (), effects: Pure, commutative: false,
        asm: Asm::Format("$buffer `[` $index `]` attr-dict `:` functional-type"), verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Runs one of two regions, each ending with `hl.yield` or an early exit. With results it is
    /// `?:`, `&&` or `||`.
    If "hl.if" {
        operands: (condition: Class(&BOOL)), results: many(Class(&ANY)), attrs: (), regions: (then, otherwise), effects: Regions, commutative: false,
        asm: Asm::Format("$condition attr-dict `:` functional-type regions"), verify: Some(verify_if), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// A loop: `condition` ends with `hl.condition`, `body` with `hl.yield` or an early exit,
    /// `step` with `hl.yield`. `continue` goes on with `step`. `test_first = false` is
    /// `do … while`. `max_iters` is the programmer's bound; `unroll` is `"force"`, `"hint"` or
    /// `"never"`.
    Loop "hl.loop" {
        operands: (), results: none, attrs: (test_first: Bool, max_iters: Int [optional], unroll: String [optional]), regions: (condition, body, step),
        effects: Regions, commutative: false, asm: Asm::Format("attr-dict regions"), verify: Some(verify_loop), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Ends a loop's condition.
    Condition "hl.condition" {
        operands: (condition: Class(&BOOL)), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Format("$condition attr-dict"), verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Runs the region whose number in `cases` equals the value (region k + 1 for `cases[k]`), else
    /// the first region, the default. Every region ends with `hl.yield` (falls out of the switch),
    /// `hl.break` or another early exit; the front end has resolved fallthrough.
    Switch "hl.switch" {
        operands: (value: Class(&INT_OR_INDEX)), results: none, attrs: (cases: IntArray), regions: (default, more_cases), effects: Regions, commutative: false,
        asm: Asm::Format("$value attr-dict `:` type($value) regions"), verify: Some(verify_switch), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Ends a region normally.
    Yield "hl.yield" {
        operands: (; values: Class(&ANY)), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Shape(AsmShape::Terminator), verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Leaves the innermost loop or switch.
    Break "hl.break" {
        operands: (), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Shape(AsmShape::Terminator), verify: Some(verify_exit), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Goes on with the next iteration of the innermost loop.
    Continue "hl.continue" {
        operands: (), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Shape(AsmShape::Terminator), verify: Some(verify_exit), fold: Fold::None, eval: Eval::None, ad: GONE,
    }
    /// Calls a function or a derivative function (`ad.derivative`): values for `in` parameters,
    /// refs for `out` and `inout` (copied in before and out after the call, in parameter order).
    /// `no_diff` marks a call that stops derivatives.
    Call "hl.call" {
        operands: (; operands: Class(&ANY)), results: many(Class(&ANY)), attrs: (callee: Symbol, no_diff: Unit [optional]), regions: (), effects: Call, commutative: false,
        asm: Asm::Shape(AsmShape::Call), verify: None, fold: Fold::None, eval: Eval::None, ad: GONE,
    }
] }
