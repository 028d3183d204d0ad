//! Which integers are unsigned: the IR has no signs, the ops that read a value do.
//!
//! Parameters, results, fields and resources have the types that the program gives them. Each other
//! value collects votes: of what makes it, of what it is used by, and of the values that it is
//! computed with. A tie is signed. A wrong guess costs a conversion in the text and changes
//! nothing.

use super::Module;
use super::signature::Plan;
use crate::ops::{self, Sign};
use crate::types::{Signs, Ty, is_unsigned};
use caustic_dialects::arith::IntPredicate;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts};
use caustic_dialects::place::place_of;
use caustic_dialects::signature::UNSIGNED;
use caustic_dialects::{agg, arith, func, scf, vector};
use caustic_ir::op::Access;
use caustic_ir::{Body, OpId, SymbolOp, Type, ValueId};

/// Rounds in which votes go on to neighbours.
const ROUNDS: usize = 3;
/// Below it a literal is a number, and not a pattern of bits.
const SMALL: u64 = 0x1_0000;
/// What a type that the programmer wrote counts.
const WRITTEN: i32 = 8;
/// The same of a variable, whose name other values may have.
const DECLARED: i32 = 5;

/// What the types say that the programmer wrote, of fields.
pub fn written(module: &caustic_ir::Module) -> Signs {
    let mut signs = Signs::default();
    for symbol in module.symbols().iter().filter(|s| func::Func::of_symbol(s).is_some()) {
        let (Some(plan), Some((inputs, results))) = (Plan::of(symbol, &|_, _| false), symbol.function_type()) else {
            continue;
        };
        for param in &plan.params {
            let ty = param.input.map(|i| inputs[i]).or_else(|| param.result.map(|k| results[k]));
            if let (Some(ty), Some(written)) = (ty, &param.written) {
                signs.learn(agg::as_slot(ty).unwrap_or(ty), written);
            }
        }
        if let (Some((k, _)), Some(written)) = (plan.returned, &plan.written_result) {
            signs.learn(results[k], written);
        }
    }
    // Memory has the type that is described.
    signs.learn_resources(module);
    signs
}

/// For each value of a function whether it is unsigned.
pub fn of(module: &Module<'_>, symbol: &SymbolOp) -> Vec<bool> {
    let body = &symbol.body;
    let mut votes = vec![0i32; body.num_values()];
    let mut alike: Vec<(ValueId, ValueId)> = Vec::new();
    let said = said(symbol);
    for &(value, unsigned) in &said.given {
        votes[value.index()] += if unsigned { WRITTEN } else { -WRITTEN };
    }
    for &(value, unsigned) in &said.returned {
        votes[value.index()] += if unsigned { WRITTEN } else { -WRITTEN };
    }
    let declared = symbol.attr(UNSIGNED).and_then(|names| names.as_array()).unwrap_or_default();
    let declared: Vec<&str> = declared.iter().filter_map(|name| name.as_str()).collect();
    for (value, votes) in votes.iter_mut().enumerate() {
        let called = body.value(ValueId(value as u32)).hint;
        *votes += if called.is_some_and(|name| declared.contains(&name.as_str())) { DECLARED } else { 0 };
    }
    for op in body.walk_all() {
        vote(module, body, op, &mut votes);
        neighbours(body, op, &mut alike);
    }
    for _ in 0..ROUNDS {
        let before = votes.clone();
        for &(a, b) in &alike {
            votes[a.index()] += before[b.index()].signum();
            votes[b.index()] += before[a.index()].signum();
        }
    }
    let integer = |v: usize| {
        let ty = body.ty(ValueId(v as u32));
        ty.elem().is_int() && !ty.elem().is_i1()
    };
    let mut unsigned: Vec<bool> = votes.iter().enumerate().map(|(v, &n)| n > 0 && integer(v)).collect();
    for (value, is) in said.given {
        unsigned[value.index()] = is && integer(value.index());
    }
    // What a callee changes in its place has the callee's type.
    for op in body.walk_all() {
        let Some(plan) = module.callee(body, op) else { continue };
        for (index, &result) in body.results(op).iter().enumerate() {
            if let Some(param) = plan.place_of_result(index) {
                unsigned[result.index()] = param.ty.is_unsigned();
            }
        }
    }
    unsigned
}

/// What a signature says of arguments and of what is returned.
#[derive(Default)]
struct Said {
    given: Vec<(ValueId, bool)>,
    returned: Vec<(ValueId, bool)>,
}

fn said(symbol: &SymbolOp) -> Said {
    let mut said = Said::default();
    let Some((plan, entry)) = Plan::of(symbol, &|_, _| false).zip(symbol.body.entry()) else { return said };
    let (args, end) = (symbol.body.args(entry), symbol.body.terminator(entry));
    let returned = end.map(|t| symbol.body.operands(t)).unwrap_or_default();
    for param in &plan.params {
        let Some(unsigned) = param.says.or(param.written.as_ref().map(is_unsigned)) else { continue };
        said.given.extend(param.input.and_then(|i| args.get(i)).map(|&v| (v, unsigned)));
        said.returned.extend(param.result.and_then(|k| returned.get(k)).map(|&v| (v, unsigned)));
    }
    if let (Some((k, _)), Some(written)) = (&plan.returned, &plan.written_result) {
        said.returned.extend(returned.get(*k).map(|&v| (v, is_unsigned(written))));
    }
    said
}

fn vote(module: &Module<'_>, body: &Body, op: OpId, votes: &mut [i32]) {
    let mut cast = |value: ValueId, unsigned: Option<bool>, weight: i32| {
        if let Some(unsigned) = unsigned {
            votes[value.index()] += if unsigned { weight } else { -weight };
        }
    };
    let data = body.op(op);
    if let Some(row) = ops::rows_of(data.def).next() {
        data.operands.iter().for_each(|&v| cast(v, row.sign.operands(), 2));
        // Ids and sizes that are cut to a number are unsigned.
        let unsigned = if arith::IndexCastUI::is(body, op) { Some(true) } else { row.sign.result() };
        data.results.iter().for_each(|&v| cast(v, unsigned, 2));
    }
    if arith::CmpI::is(body, op) {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let unsigned = match IntPredicate::of(body, op) {
            Some(Slt | Sle | Sgt | Sge) => Some(false),
            Some(Ult | Ule | Ugt | Uge) => Some(true),
            Some(Eq | Ne) | None => None,
        };
        data.operands.iter().for_each(|&v| cast(v, unsigned, 2));
    }
    // A choice of a direction, and not one of bits.
    if let Some(v) = arith::Select::cast(body, op) {
        let number = |value: ValueId| arith::constant_of(body, value).and_then(|c| c.as_int()).unwrap_or(0);
        let sides = [number(v.true_value(body)), number(v.false_value(body))];
        let is_small = |n: i64| n != 0 && n.unsigned_abs() < SMALL;
        if sides.iter().all(|&n| is_small(n)) && sides.iter().any(|&n| n < 0) && sides.iter().any(|&n| n > 0) {
            data.results.iter().for_each(|&v| cast(v, Some(false), 2));
        }
    }
    if let Some(plan) = module.callee(body, op) {
        for param in &plan.params {
            let unsigned = Some(param.ty.is_unsigned());
            param.input.and_then(|i| data.operands.get(i)).into_iter().for_each(|&v| cast(v, unsigned, 4));
            param.result.and_then(|k| data.results.get(k)).into_iter().for_each(|&v| cast(v, unsigned, 4));
        }
        let returned = plan.returned.as_ref().and_then(|(k, ty)| Some((*data.results.get(*k)?, ty.is_unsigned())));
        returned.into_iter().for_each(|(v, unsigned)| cast(v, Some(unsigned), 4));
    }
    if let Some(ty) = read_type(module, body, op) {
        data.results.iter().for_each(|&v| cast(v, Some(ty.is_unsigned()), WRITTEN));
    }
    if let Some(ty) = written_type(module, body, op)
        && let Some(&value) = data.operands.first()
    {
        cast(value, Some(ty.is_unsigned()), WRITTEN);
    }
}

/// The type that a programmer wrote for what an op reads.
fn read_type(module: &Module<'_>, body: &Body, op: OpId) -> Option<Ty> {
    if agg::BufferLoad::is(body, op) {
        return typed_place(module, body, op, Access::Reads);
    }
    match agg::AggView::of(body, op)? {
        agg::AggView::Global(v) => module.contents(v.name(body)?),
        agg::AggView::Extract(v) => {
            let ty = body.ty(v.aggregate(body));
            part(&module.signs, Ty::of(ty, false)?, &v.path(body)?)
        }
        _ => None,
    }
}

fn written_type(module: &Module<'_>, body: &Body, op: OpId) -> Option<Ty> {
    if agg::BufferStore::is(body, op) {
        return typed_place(module, body, op, Access::Writes);
    }
    None
}

fn typed_place(module: &Module<'_>, body: &Body, op: OpId, access: Access) -> Option<Ty> {
    let place = place_of(body, op, &[access])?;
    let of = body.def_op(place.base).and_then(|op| agg::resource_name(body, op));
    let elem = of.and_then(|name| module.contents(name)).or_else(|| words(body.ty(place.base)))?;
    part(&module.signs, elem, &place.path.unwrap_or_default())
}

/// What is read from a buffer of bytes: numbers without a sign, which most programs keep in one.
/// Arrays have to agree with variables and fields, which have signed ones.
pub fn words(buffer: Type) -> Option<Ty> {
    let (elem, _) = agg::as_buffer(buffer).filter(|_| agg::is_byte_view(buffer) && !agg::is_pointee(buffer))?;
    Ty::of(elem, agg::as_array(elem).is_none())
}

/// The type at a path.
pub fn part(signs: &Signs, ty: Ty, path: &[i64]) -> Option<Ty> {
    path.iter().try_fold(ty, |ty, &step| signs.part(&ty, step))
}

/// Values that an op wants to be alike.
fn neighbours(body: &Body, op: OpId, out: &mut Vec<(ValueId, ValueId)>) {
    let data = body.op(op);
    let mut pair = |a: &ValueId, b: &ValueId| out.push((*a, *b));
    if ops::rows_of(data.def).next().is_some_and(|row| row.sign == Sign::Tied) || arith::CmpI::is(body, op) {
        let results = if arith::CmpI::is(body, op) { &[][..] } else { &data.results[..] };
        data.operands.iter().zip(data.operands.iter().skip(1)).for_each(|(a, b)| pair(a, b));
        data.operands.iter().zip(results).for_each(|(a, b)| pair(a, b));
    }
    if let Some(v) = arith::Select::cast(body, op) {
        data.results.iter().for_each(|r| pair(r, &v.true_value(body)));
        data.results.iter().for_each(|r| pair(r, &v.false_value(body)));
    }
    if vector::ShapeView::of(body, op).is_some() || vector::AccessView::of(body, op).is_some() {
        let first = data.operands.first();
        first.iter().for_each(|v| data.results.iter().for_each(|r| pair(r, v)));
    }
    if let Some(parts) = ForParts::of(body, op) {
        let inits = &data.operands[BOUNDS..];
        parts.carried_args(body).iter().zip(inits).for_each(|(a, b)| pair(a, b));
        parts.carried_args(body).iter().zip(body.operands(parts.end)).for_each(|(a, b)| pair(a, b));
        parts.carried_args(body).iter().zip(&data.results).for_each(|(a, b)| pair(a, b));
    }
    if let Some(parts) = WhileParts::of(body, op) {
        body.args(parts.before).iter().zip(&data.operands).for_each(|(a, b)| pair(a, b));
        body.args(parts.before).iter().zip(body.operands(parts.end)).for_each(|(a, b)| pair(a, b));
        body.args(parts.after).iter().zip(parts.forwarded(body)).for_each(|(a, b)| pair(a, b));
        data.results.iter().zip(parts.forwarded(body)).for_each(|(a, b)| pair(a, b));
    }
    if scf::If::is(body, op) || scf::IndexSwitch::is(body, op) {
        let ends = (0..data.regions.len()).filter_map(|r| body.terminator(body.region_block(op, r)?));
        ends.for_each(|end| body.operands(end).iter().zip(&data.results).for_each(|(a, b)| pair(a, b)));
    }
}
