//! Bounds of integer values, from constants, loop bounds and arithmetic on them: enough to see that an index is inside.

use caustic_dialects::{arith, scf};
use caustic_ir::attr::sign_extend;
use caustic_ir::{Body, Type, ValueDef, ValueId};

/// Operations that are looked through; each may look at two operands.
const DEPTH: usize = 6;

/// The least and the greatest value, both included, as values are kept: sign-extended, but for i1.
pub type Range = (i64, i64);

fn full(ty: Type) -> Range {
    match ty.scalar_bits() {
        Some(1) => (0, 1),
        Some(bits @ 2..=63) => (sign_extend(1 << (bits - 1), bits), (1 << (bits - 1)) - 1),
        _ => (i64::MIN, i64::MAX),
    }
}

/// The range if it fits the type, so that nothing wraps; else everything.
fn exact(range: Option<Range>, ty: Type) -> Range {
    let all = full(ty);
    range.filter(|r| r.0 >= all.0 && r.1 <= all.1).unwrap_or(all)
}

/// Where the scalar integer `value` lies.
pub fn range_of(body: &Body, value: ValueId) -> Range {
    range(body, value, DEPTH)
}

fn range(body: &Body, value: ValueId, depth: usize) -> Range {
    let ty = body.ty(value);
    let all = full(ty);
    if depth == 0 {
        return all;
    }
    let op = match body.def(value) {
        ValueDef::Arg { block, index } => {
            let Some(op) = body.parent_op(block).filter(|&op| index == 0 && scf::For::is(body, op)) else { return all };
            let lower = range(body, body.operand(op, 0), depth - 1);
            let upper = range(body, body.operand(op, 1), depth - 1);
            return (lower.0, upper.1.saturating_sub(1).max(lower.0));
        }
        ValueDef::Result { op, .. } => op,
    };
    if let Some(c) = arith::constant_of(body, value) {
        return c.as_int().map_or(all, |v| (v, v));
    }
    let operand = |n: usize| range(body, body.operand(op, n), depth - 1);
    let constant = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
    match () {
        _ if arith::AddI::is(body, op) => {
            let (a, b) = (operand(0), operand(1));
            exact(a.0.checked_add(b.0).zip(a.1.checked_add(b.1)), ty)
        }
        _ if arith::SubI::is(body, op) => {
            let (a, b) = (operand(0), operand(1));
            exact(a.0.checked_sub(b.1).zip(a.1.checked_sub(b.0)), ty)
        }
        _ if arith::MulI::is(body, op) => {
            let (a, b) = (operand(0), operand(1));
            let products = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| x.checked_mul(y));
            let known: Option<Vec<i64>> = products.into_iter().collect();
            exact(known.and_then(|p| p.iter().min().copied().zip(p.iter().max().copied())), ty)
        }
        _ if arith::RemUI::is(body, op) => match constant(1) {
            Some(n @ 1..) => (0, n - 1),
            _ => all,
        },
        _ if arith::AndI::is(body, op) => match constant(1).or(constant(0)) {
            Some(mask @ 0..) => (0, mask),
            _ => all,
        },
        _ if arith::MinSI::is(body, op) && !ty.is_i1() => {
            let (a, b) = (operand(0), operand(1));
            (a.0.min(b.0), a.1.min(b.1))
        }
        _ if arith::MaxSI::is(body, op) && !ty.is_i1() => {
            let (a, b) = (operand(0), operand(1));
            (a.0.max(b.0), a.1.max(b.1))
        }
        _ if arith::Select::is(body, op) => {
            let (a, b) = (operand(1), operand(2));
            (a.0.min(b.0), a.1.max(b.1))
        }
        // The value stays what it is if it fits; an i1 is read as signed.
        _ if (arith::IndexCast::is(body, op) || arith::ExtSI::is(body, op) || arith::TruncI::is(body, op))
            && !ty.is_i1()
            && !body.ty(body.operand(op, 0)).is_i1() =>
        {
            exact(Some(operand(0)), ty)
        }
        _ if arith::ExtUI::is(body, op) || arith::IndexCastUI::is(body, op) => {
            let from = operand(0);
            let bits = body.ty(body.operand(op, 0)).scalar_bits().unwrap_or(64);
            match from {
                (0.., _) => exact(Some(from), ty),
                _ if bits < 63 => exact(Some((0, (1 << bits) - 1)), ty),
                _ => all,
            }
        }
        _ => all,
    }
}
