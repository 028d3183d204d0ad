//! `trust-bounds`: accesses to resources whose indices are in range by the programmer's word.
//!
//! A pointer has no length in the language (user guide, "Pointers"), and what it leads to out of
//! range is nobody's; a buffer has one, and gives zero there. So `pointers` marks accesses through
//! pointers alone.
//!
//! What is marked may not be moved in front of the condition that it stands behind: the passes that
//! follow move reads only to where they happen anyway.
//!
//! Of an index `x + 3` of an `int` the sum does not wrap around, since it would be out of range. So
//! it is added to the address, and neighbours share what is computed for `x`. A `uint` may have
//! come from below zero, and wraps around.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::func;
use caustic_dialects::place::place_of;
use caustic_dialects::reflect;
use caustic_dialects::{agg, arith};
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

passes! {
    /// Marks accesses to resources as inside: nothing looks at their indices.
    pub static TRUST_BOUNDS: "trust-bounds" {
        level: module,
        options: TrustOptions {
            pointers: bool = "false", "Accesses through pointers only: buffers, which have a length, are looked at.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("accesses", "accesses that were marked")],
        run: |module: &mut Module, options: &TrustOptions, report: &mut PassReport| run(module, options, report),
    }
}

fn run(module: &mut Module, options: &TrustOptions, report: &mut PassReport) -> PassResult {
    let pointers: FxHashSet<Name> =
        module.symbols().iter().filter(|s| reflect::is_pointer_of_program(s)).map(|s| s.name).collect();
    let trusted = |resource: Name| !options.pointers || pointers.contains(&resource);
    let mut marked = 0;
    for symbol in module.symbols_mut().iter_mut().filter(|s| func::Func::of_symbol(s).is_some()) {
        let body = &mut symbol.body;
        let ops: Vec<OpId> = body.all_ops().filter(|&op| accessed(body, op).is_some_and(trusted)).collect();
        marked += ops.len();
        for op in ops {
            body.set_attr(op, agg::INSIDE, Attr::unit());
            share_index(body, op);
        }
    }
    report.count("accesses", marked as u64);
    Ok(Changed::from(marked > 0))
}

/// Constants that are added to an index are smaller than this.
const OFFSETS: i64 = 1 << 20;
/// Ops that an index is looked through.
const DEPTH: u32 = 8;

/// Adds constants of an access's index behind the conversion to the width of an address.
fn share_index(body: &mut Body, op: OpId) {
    let Some(index) = place_of(body, op, &[Access::Reads, Access::Writes, Access::Updates]).and_then(|p| p.element)
    else {
        return;
    };
    let Some(mut b) = Builder::before(body, op) else { return };
    let Some(shared) = apart(&mut b, index, DEPTH) else { return };
    let operands = body.operands(op).to_vec();
    for n in (0..operands.len()).filter(|&n| operands[n] == index) {
        body.set_operand(op, n, shared);
    }
}

/// An index whose constants are added last; `None` if it has none that are added before.
fn apart(b: &mut Builder<'_>, index: ValueId, depth: u32) -> Option<ValueId> {
    let op = b.body.def_op(index).filter(|_| depth > 0 && b.ty(index) == Type::index())?;
    if arith::AddI::is(b.body, op) {
        let parts = [b.body.operand(op, 0), b.body.operand(op, 1)];
        let new = parts.map(|part| apart(b, part, depth - 1));
        return new.iter().any(Option::is_some).then(|| {
            let [lhs, rhs] = [new[0].unwrap_or(parts[0]), new[1].unwrap_or(parts[1])];
            arith::AddI::build(b, lhs, rhs, &[])
        });
    }
    let mut number = arith::IndexCast::cast(b.body, op)?.operand(b.body);
    let mut offset = 0;
    for _ in 0..depth {
        let Some((rest, more)) = sum_with_constant(b.body, number) else { break };
        (number, offset) = (rest, offset + more);
    }
    (offset != 0).then(|| {
        let (wide, offset) = (arith::IndexCast::build(b, number, Type::index(), &[]), arith::index(b, offset));
        arith::AddI::build(b, wide, offset, &[])
    })
}

/// What a constant is added to in 32 bits, and the constant.
fn sum_with_constant(body: &Body, value: ValueId) -> Option<(ValueId, i64)> {
    let op = body.def_op(value).filter(|_| body.ty(value) == Type::i32())?;
    let constant = |n: usize| arith::constant_of(body, body.operand(op, n))?.as_int().filter(|c| c.abs() < OFFSETS);
    match () {
        _ if arith::AddI::is(body, op) => Some((body.operand(op, 0), constant(1)?)),
        _ if arith::SubI::is(body, op) => Some((body.operand(op, 0), -constant(1)?)),
        _ => None,
    }
}

/// The resource that a host binds whose element an op accesses, as whatever it is seen.
fn accessed(body: &Body, op: OpId) -> Option<Name> {
    let place = place_of(body, op, &[Access::Reads, Access::Writes, Access::Updates])?;
    place.element?;
    let mut buffer = place.base;
    loop {
        let op = body.def_op(buffer)?;
        match agg::resource_name(body, op) {
            Some(name) => return Some(name),
            None if agg::View::is(body, op) => buffer = body.operand(op, 0),
            None => return None,
        }
    }
}
