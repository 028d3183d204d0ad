//! What the passes share that bring together what threads add to a buffer.

use caustic_dialects::agg;
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_ir::{Attr, Body, Builder, OpId, ValueId};

/// An atomic addition to an element of `buffer`, whose old value nobody reads.
pub fn is_addition(body: &Body, op: OpId, buffer: ValueId) -> bool {
    agg::AtomicRmw::is(body, op)
        && agg::atomic_kind(body, op) == Some("add")
        && body.operands(op).len() == 3
        && body.operand(op, 1) == buffer
        && body.uses(body.result(op, 0)).is_empty()
}

/// The buffer that a buffer is seen from: itself, or what it shows the floats of.
pub fn seen_from(body: &Body, buffer: ValueId) -> ValueId {
    let view = body.def_op(buffer).filter(|&op| agg::View::is(body, op) && !agg::is_byte_view(body.ty(buffer)));
    view.map_or(buffer, |view| body.operand(view, 0))
}

/// The fields that lead from an element to what is added to: an [`is_addition`] has no dynamic indices in it.
pub fn fields(body: &Body, op: OpId) -> Vec<i64> {
    body.attr(op, "path").and_then(|a| a.as_i64_array()).unwrap_or_default()
}

/// Adds to an element, or to what these fields of it lead to.
pub fn add(b: &mut Builder<'_>, value: ValueId, to: ValueId, place: &[ValueId], fields: &[i64]) -> OpId {
    // The memory of a group is one array, whose element is named by a dynamic index.
    let indexed: &[i64] = if place.len() > 1 { &[-1] } else { &[] };
    let path = [indexed, fields].concat();
    let attrs = [("kind", Attr::string("add")), ("path", Attr::i64_array(&path))];
    b.create(agg::AtomicRmw::DEF, &[&[value, to], place].concat(), &[b.ty(value)], &attrs, 0)
}

/// Whether one of the values, which are of one type, is not zero.
pub fn some(b: &mut Builder<'_>, values: &[ValueId]) -> ValueId {
    let ty = b.ty(values[0]);
    let zero = arith::zero(b, ty);
    let mut some = arith::bool(b, false);
    for &value in values {
        let differs = match ty.is_float() {
            true => arith::cmpf(b, FloatPredicate::Une, value, zero),
            false => arith::cmpi(b, IntPredicate::Ne, value, zero),
        };
        some = arith::OrI::build(b, some, differs, &[]);
    }
    some
}
