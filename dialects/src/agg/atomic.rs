//! Atomic updates of a number in a buffer: no other thread of the dispatch comes between reading
//! and writing.

use super::{BUFFER, as_buffer, eval as paths, verify_path};
use crate::classes::{INDEX, INT_OR_INDEX};
use crate::combine::{combine, combine_def};
use caustic_ir::eval::{Eval, EvalResult, Machine, Val};
use caustic_ir::op::{AdRule, Asm, Fold, TypeClass};
use caustic_ir::{Body, Diagnostic, OpId, ops};

static ATOMIC: TypeClass = TypeClass {
    desc: "a number of 8 to 64 bits",
    contains: |t| t.is_scalar() && matches!(t.scalar_bits(), Some(8 | 16 | 32 | 64)),
};

/// The kind of `agg.atomic_rmw` that combines nothing: the new value replaces the old one.
pub const EXCHANGE: &str = "exchange";

/// What an `agg.atomic_rmw` does, if its kind suits the type.
pub fn atomic_kind(body: &Body, op: OpId) -> Option<&'static str> {
    let kind = body.attr(op, "kind")?.as_str()?;
    let ty = body.ty(body.operand(op, 0));
    (kind == EXCHANGE || combine_def(kind, ty).is_some()).then_some(kind)
}

/// Operand `at` is the buffer, the index and the dynamic indices follow; operand 0 has the type of
/// the number.
fn verify_place(body: &Body, op: OpId, at: usize) -> Result<(), Diagnostic> {
    let name = body.op(op).def.name;
    let Some((elem, writable)) = as_buffer(body.ty(body.operand(op, at))) else { return Ok(()) };
    if !writable {
        return Err(Diagnostic::invalid_ir(body.loc(op), format!("{name}: the buffer is read-only")));
    }
    verify_path(body, op, elem, body.ty(body.operand(op, 0)), body.operands(op).len() - at - 2)
}

fn verify_rmw(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    if atomic_kind(body, op).is_none() {
        let text = format!("agg.atomic_rmw: no such operation on {}", body.ty(body.operand(op, 0)));
        return Err(Diagnostic::invalid_ir(body.loc(op), text));
    }
    verify_place(body, op, 1)
}

/// Changes the number that the operands from `at` on lead to.
fn update(
    m: &mut dyn Machine,
    body: &Body,
    op: OpId,
    args: &[Val],
    at: usize,
    change: &mut dyn FnMut(&Val) -> Option<Val>,
) -> EvalResult {
    let ty = body.ty(body.operand(op, at));
    let path = paths::resolve_path(body.attr(op, "path"), &args[at + 2..]);
    Ok(vec![m.buffer_update(&args[at], ty, args[at + 1].as_int(), &path, change, body.loc(op))?])
}

fn eval_rmw(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = body.ty(body.operand(op, 0));
    let kind = atomic_kind(body, op).unwrap_or(EXCHANGE);
    update(m, body, op, &args, 1, &mut |old| {
        if kind == EXCHANGE { Some(args[0].clone()) } else { combine(kind, ty, old, &args[0]) }
    })
}

fn eval_cas(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    let ty = body.ty(body.operand(op, 0));
    let bits = |v: &Val| v.to_attr(ty);
    update(m, body, op, &args, 2, &mut |old| (bits(old) == bits(&args[0])).then(|| args[1].clone()))
}

const REFUSE: &str = "an atomic update of a buffer has no derivative; call `detach` on its operand, or give the function \
     a derivative of its own";

/// The attribute of additions that stand for those of a wave.
pub const GATHERED: &str = "gathered";

ops! { pub static ATOMIC_OPS as AtomicView: [
    /// Combines the number at `path` of an element with `value` and gives the number before; zero
    /// out of range, where nothing is written.
    ///
    /// `kind` is `exchange` or one of
    /// `add mul and or xor minsi minui maxsi maxui minimumf maximumf minnumf maxnumf`. `gathered`
    /// says that the value is a sum of what the lanes of a wave add.
    ///
    /// `%old = agg.atomic_rmw "add" %x, %b, %i[] {path = []} : (i32, !agg.buffer<i32, "rw">, index) -> i32`
    AtomicRmw "agg.atomic_rmw" {
        operands: (value: Class(&ATOMIC), buffer: Class(&BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)),
        results: infer(SameAs(0)), attrs: (kind: String, path: IntArray, gathered: Unit [optional]), regions: (), effects: Writes, memory: (buffer[index]: Updates at path), commutative: false,
        asm: Asm::Format("$kind $value `,` $buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(verify_rmw), fold: Fold::None, eval: Eval::Full(eval_rmw), ad: AdRule::Refuse(REFUSE),
    }
    /// Replaces the number at `path` of an element by `value` if its bits are those of `expected`;
    /// gives the number before.
    ///
    /// `%old = agg.atomic_cas %e, %x, %b, %i[] {path = []} : (i32, i32, !agg.buffer<i32, "rw">, index) -> i32`
    AtomicCas "agg.atomic_cas" {
        operands: (expected: Class(&ATOMIC), value: SameAs(0), buffer: Class(&BUFFER), index: Class(&INDEX); indices: Class(&INT_OR_INDEX)),
        results: infer(SameAs(0)), attrs: (path: IntArray), regions: (), effects: Writes, memory: (buffer[index]: Updates at path), commutative: false,
        asm: Asm::Format("$expected `,` $value `,` $buffer `,` $index `[` $indices `]` attr-dict `:` functional-type"),
        verify: Some(|body, op| verify_place(body, op, 2)), fold: Fold::None, eval: Eval::Full(eval_cas), ad: AdRule::Refuse(REFUSE),
    }
] }
