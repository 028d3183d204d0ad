//! `legalize-bounds`: accesses by indices that are computed, for machines on which an index outside
//! is undefined.
//!
//! Here it reads zero and writes nothing. What only reads a value or local storage is done at index
//! 0 instead, and its result is chosen; an access to a buffer stands in a branch. Accesses that are
//! behind such a check, or need none, are marked `inside`.
//!
//! Views of buffers by bytes are left alone: a machine that has none finds the bytes itself.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::agg::{self, INSIDE, as_array, as_buffer, as_slot, ends_unsized, is_byte_view, part_type};
use caustic_dialects::arith::{self, IntPredicate, cmpi, constant_of, int};
use caustic_dialects::place::places;
use caustic_dialects::reflect::GROUPSHARED;
use caustic_dialects::scf::{self, empty_region};
use caustic_dialects::{func, vector};
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

passes! {
    /// Puts accesses by computed indices behind a check, and marks them `inside`.
    pub static LEGALIZE_BOUNDS: "legalize-bounds" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("chosen", "reads whose result is chosen"), ("branches", "accesses in a branch"), ("inside", "accesses that need no check")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    let shared = module.symbols().iter().filter(|s| s.attr(GROUPSHARED).is_some()).map(|s| s.name).collect();
    let (mut chosen, mut branches, mut inside) = (0, 0, 0);
    for symbol in module.symbols_mut().iter_mut().filter(|s| func::Func::of_symbol(s).is_some()) {
        let body = &mut symbol.body;
        for op in body.walk_all() {
            if body.attr(op, INSIDE).is_some() {
                continue;
            }
            let Some(checks) = checks(body, op, &shared) else { continue };
            if checks.is_empty() {
                body.set_attr(op, INSIDE, Attr::unit());
                inside += 1;
            } else if is_choosable(body, op) {
                choose(body, op, &checks);
                chosen += 1;
            } else {
                branch(body, op, &checks);
                branches += 1;
            }
        }
    }
    report.count("chosen", chosen);
    report.count("branches", branches);
    report.count("inside", inside);
    Ok(Changed::from(chosen + branches + inside > 0))
}

/// What an index has to be below.
#[derive(Clone, Copy)]
enum Bound {
    Count(u64),
    /// The elements of a buffer.
    Length(ValueId),
}

/// An index that is computed, and its bound.
#[derive(Clone, Copy)]
struct Check {
    index: ValueId,
    bound: Bound,
}

/// The checks that an op needs; `None` if it is no access, or one that is left alone.
fn checks(body: &Body, op: OpId, shared: &FxHashSet<Name>) -> Option<Vec<Check>> {
    let operands = body.operands(op);
    if vector::Extract::is(body, op) || vector::Insert::is(body, op) {
        let first = if vector::Extract::is(body, op) { 1 } else { 2 };
        let steps = vector::static_position(body, op);
        let shape = body.ty(operands[first - 1]).shape();
        let dynamic = steps.iter().zip(shape).filter(|(step, _)| **step == vector::DYNAMIC);
        let checks: Vec<Check> = dynamic
            .enumerate()
            .map(|(k, (_, &count))| Check { index: operands[first + k], bound: Bound::Count(u64::from(count)) })
            .collect();
        return if checks.is_empty() { None } else { Some(needed(body, checks)) };
    }
    let mut checks = Vec::new();
    let mut access = false;
    for place in places(body, op) {
        let ty = body.ty(place.base);
        if is_byte_view(ty) {
            return None;
        }
        let held = match (as_buffer(ty), as_slot(ty)) {
            (Some((elem, _)), _) => elem,
            (_, Some(held)) => held,
            _ => ty,
        };
        if let Some(index) = place.element {
            access = true;
            let name = body.def_op(place.base).and_then(|def| agg::resource_name(body, def));
            let zero = constant_of(body, index).and_then(|a| a.as_int()) == Some(0);
            if !(zero && name.is_some_and(|n| shared.contains(&n))) {
                checks.push(Check { index, bound: Bound::Length(place.base) });
            }
        }
        let Some(path) = place.path.filter(|p| p.iter().any(|&s| s < 0)) else { continue };
        // An aggregate and the part that goes into it have one path.
        if place.access == Access::Becomes {
            continue;
        }
        access = true;
        let (mut of, mut indices) = (held, place.indices.iter());
        for step in path {
            if step < 0 {
                let &index = indices.next()?;
                if ends_unsized(of) {
                    return None;
                }
                let count = as_array(of).map_or_else(|| of.shape().first().map(|&n| u64::from(n)), |(n, _)| Some(n));
                checks.push(Check { index, bound: Bound::Count(count?) });
            }
            of = part_type(of, step)?;
        }
    }
    if access { Some(needed(body, checks)) } else { None }
}

/// Without those of constants that are inside.
fn needed(body: &Body, checks: Vec<Check>) -> Vec<Check> {
    let surely = |check: &Check| {
        let index = constant_of(body, check.index).and_then(|a| a.as_int());
        let Bound::Count(count) = check.bound else { return false };
        index.is_some_and(|k| u64::try_from(k).is_ok_and(|k| k < count))
    };
    checks.into_iter().filter(|check| !surely(check)).collect()
}

/// Whether the access may be done at index 0 instead, since it only reads what is there.
fn is_choosable(body: &Body, op: OpId) -> bool {
    let reads = [agg::Extract::is, agg::Load::is, vector::Extract::is].iter().any(|is| is(body, op));
    let result = body.results(op).first().map(|&r| body.ty(r));
    reads && result.is_some_and(|ty| ty.is_scalar() || ty.is_vector())
}

/// Whether all indices are inside.
fn condition(b: &mut Builder<'_>, checks: &[Check]) -> Option<ValueId> {
    let mut all = None;
    for check in checks {
        let one = is_below(b, check.index, check.bound);
        all = Some(match all {
            None => one,
            Some(before) => arith::AndI::build(b, before, one, &[]),
        });
    }
    all
}

/// The number of 32 bits that an index was made of.
fn narrow(body: &Body, index: ValueId) -> Option<ValueId> {
    let widened = |op: &OpId| arith::IndexCast::is(body, *op) || arith::IndexCastUI::is(body, *op);
    let narrow = body.def_op(index).filter(widened).map(|op| body.operand(op, 0));
    narrow.filter(|&v| body.ty(v) == Type::i32())
}

/// An index that was widened from 32 bits is compared as it was: no buffer has 2^31 elements.
fn is_below(b: &mut Builder<'_>, index: ValueId, bound: Bound) -> ValueId {
    let constant = constant_of(b.body, index).and_then(|a| a.as_int());
    let index = match (narrow(b.body, index), constant.filter(|k| i32::try_from(*k).is_ok_and(|k| k >= 0))) {
        (Some(narrow), _) => narrow,
        (None, Some(k)) => int(b, k, Type::i32()),
        (None, None) => index,
    };
    let ty = b.ty(index);
    let bound = match bound {
        // A bound that the type does not hold is one that no index gets to.
        Bound::Count(count) => {
            let bits = ty.scalar_bits().unwrap_or(64);
            let most = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
            int(b, count.min(most) as i64, ty)
        }
        Bound::Length(buffer) => {
            let length = agg::BufferLen::build(b, buffer, Type::index(), &[]);
            match ty {
                _ if ty == Type::index() => length,
                _ => arith::IndexCastUI::build(b, length, ty, &[]),
            }
        }
    };
    cmpi(b, IntPredicate::Ult, index, bound)
}

/// Reads at index 0 where an index is outside, and chooses zero then.
fn choose(body: &mut Body, op: OpId, checks: &[Check]) -> Option<()> {
    let result = body.result(op, 0);
    let next = body.next_op(op)?;
    let mut b = Builder::before(body, op)?;
    let inside = condition(&mut b, checks)?;
    // Operands behind the first are indices.
    for k in 1..b.body.operands(op).len() {
        let index = b.body.operand(op, k);
        if checks.iter().any(|check| check.index == index) {
            let narrow = narrow(b.body, index);
            let of = narrow.unwrap_or(index);
            let (ty, wide) = (b.ty(of), b.ty(index));
            let first = int(&mut b, 0, ty);
            let mut index = arith::Select::build(&mut b, inside, of, first, &[]);
            if narrow.is_some() {
                index = arith::IndexCastUI::build(&mut b, index, wide, &[]);
            }
            b.body.set_operand(op, k, index);
        }
    }
    body.set_attr(op, INSIDE, Attr::unit());
    let mut b = Builder::before(body, next)?;
    let ty = b.ty(result);
    let zero = arith::zero(&mut b, ty);
    let placeholder = arith::Select::build(&mut b, inside, zero, zero, &[]);
    body.replace_uses(result, placeholder);
    let select = body.def_op(placeholder)?;
    body.set_operand(select, 1, result);
    let hint = body.value(result).hint;
    body.set_hint(placeholder, hint);
    body.set_hint(result, None);
    Some(())
}

/// Moves an access into a branch; elsewhere its result is zero, or the aggregate as it was.
fn branch(body: &mut Body, op: OpId, checks: &[Check]) -> Option<()> {
    body.set_attr(op, INSIDE, Attr::unit());
    let results = body.results(op).to_vec();
    let types: Vec<Type> = results.iter().map(|&r| body.ty(r)).collect();
    let mut b = Builder::before(body, op)?;
    let inside = condition(&mut b, checks)?;
    let made = scf::If::build(&mut b, inside, &types, &[]);
    for (k, &result) in results.iter().enumerate() {
        let new = body.result(made, k);
        let hint = body.value(result).hint;
        body.set_hint(new, hint);
        body.set_hint(result, None);
        body.replace_uses(result, new);
    }
    let mut b = Builder::before(body, made)?;
    let then = b.add_block(made, 0, &[]);
    if results.is_empty() {
        scf::Yield::build(&mut b.at(then), &[], &[]);
        empty_region(&mut b, made, 1, &[]);
    } else {
        scf::Yield::build(&mut b.at(then), &results, &[]);
        let otherwise = b.add_block(made, 1, &[]);
        let mut inner = b.at(otherwise);
        let kept = match agg::Insert::is(inner.body, op) || vector::Insert::is(inner.body, op) {
            true => vec![inner.body.operand(op, 1)],
            false => types.iter().map(|&ty| agg::Zero::build(&mut inner, ty, &[])).collect(),
        };
        scf::Yield::build(&mut inner, &kept, &[]);
    }
    let end = body.last_op(then);
    body.move_op(op, then, end);
    Some(())
}
