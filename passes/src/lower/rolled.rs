//! Loops in the place of code that hardly ever runs and does the same many times: of reads beside
//! each other, and of additions (`warp-reduce-atomics`).
//!
//! Where a read has to look whether its index is inside of the buffer it is ten instructions. Of
//! code that reads without looking there is a version that looks (`version-loops`), which runs only
//! with buffers that are too short; as long as the other, or longer, it would take half of the time
//! that a kernel takes to compile. So reads of one buffer at indices that follow each other at one
//! distance become a loop that puts what it reads into an array, from which the values are taken.

use crate::mutants::{Site, mutant};
use caustic_dialects::scf::empty_region;
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, BlockId, Body, Builder, OpDef, OpId, Type, ValueId};

/// Fewer reads are no more code than the loop.
const FEWEST: usize = 5;

/// Of an index, which is a number or one that was converted, all but the constant that is added.
#[derive(PartialEq, Eq, Clone, Copy)]
struct Base {
    cast: Option<&'static str>,
    base: Option<ValueId>,
    ty: Type,
}

impl Base {
    fn of(body: &Body, index: ValueId) -> (Base, i64) {
        let (mut value, mut cast) = (index, None);
        if let Some(def) = body.def_op(value).filter(|&d| conversion(body.op(d).def.name).is_some()) {
            cast = Some(body.op(def).def.name);
            value = body.operand(def, 0);
        }
        let ty = body.ty(value);
        let mut constant = 0i64;
        let number = |v: ValueId| arith::constant_of(body, v).and_then(|a| a.as_int());
        let base = loop {
            if let Some(c) = number(value) {
                constant = constant.wrapping_add(c);
                break None;
            }
            let sum = body.def_op(value).filter(|&d| arith::AddI::is(body, d));
            let Some((sum, c)) = sum.and_then(|d| Some((d, number(body.operand(d, 1))?))) else { break Some(value) };
            constant = constant.wrapping_add(c);
            value = body.operand(sum, 0);
        };
        (Base { cast, base, ty }, constant)
    }
}

fn conversion(name: &str) -> Option<&'static OpDef> {
    [arith::IndexCast::DEF, arith::IndexCastUI::DEF].into_iter().find(|def| def.name == name)
}

/// Indices that follow each other at one distance.
pub struct Row {
    base: Base,
    start: i64,
    distance: i64,
}

impl Row {
    /// The row that indices are, and which of them stands where in it.
    pub fn of(body: &Body, indices: &[ValueId]) -> Option<(Row, Vec<usize>)> {
        let found: Vec<(Base, i64)> = indices.iter().map(|&v| Base::of(body, v)).collect();
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&i| found[i].1);
        let (base, start) = found[*order.first()?];
        let distance = found[*order.get(1)?].1.wrapping_sub(start);
        let follows = |w: &[usize]| found[w[1]].1.wrapping_sub(found[w[0]].1) == distance;
        let is_row = distance > 0 && found.iter().all(|f| f.0 == base) && order.windows(2).all(follows);
        is_row.then_some((Row { base, start, distance }, order))
    }

    /// The index at a place in the row.
    pub fn index(&self, b: &mut Builder<'_>, place: ValueId) -> ValueId {
        let Base { cast, base, ty } = self.base;
        let number = if ty == Type::index() { place } else { arith::IndexCast::build(b, place, ty, &[]) };
        let (distance, start) = (arith::int(b, self.distance, ty), arith::int(b, self.start, ty));
        let further = arith::MulI::build(b, number, distance, &[]);
        let start = base.map_or(start, |base| arith::AddI::build(b, base, start, &[]));
        let index = arith::AddI::build(b, start, further, &[]);
        match cast.and_then(conversion) {
            Some(def) => b.create_one(def, &[index], Type::index(), &[]),
            None => index,
        }
    }
}

/// A loop that hardly ever runs, over places from zero up to a number by a step; what is carried
/// from its beginning on, and a builder in it.
pub fn cold_loop(b: &mut Builder<'_>, (count, step): (i64, i64), carried: &[ValueId]) -> (OpId, BlockId) {
    let [zero, step, count] = [0, step, count].map(|n| arith::index(b, n));
    let types: Vec<Type> = carried.iter().map(|&v| b.ty(v)).collect();
    let operands = [&[zero, count, step], carried].concat();
    let each = b.create(scf::For::DEF, &operands, &types, &[(scf::COLD, Attr::unit())], 1);
    let inside = empty_region(b, each, 0, &[&[Type::index()], &types[..]].concat());
    (each, inside)
}

/// Makes loops of reads that stand in one block and may be made at any time.
pub fn roll(body: &mut Body, ops: &[OpId]) {
    let mut groups: Vec<Vec<OpId>> = Vec::new();
    for &op in ops {
        let same = |&other: &OpId| {
            let (a, b) = (body.op(other), body.op(op));
            a.operands[0] == b.operands[0]
                && a.block == b.block
                && a.attrs == b.attrs
                && result_type(body, other) == result_type(body, op)
                && Base::of(body, a.operands[1]).0 == Base::of(body, b.operands[1]).0
        };
        match groups.iter_mut().find(|g| same(&g[0])) {
            Some(group) => group.push(op),
            None => groups.push(vec![op]),
        }
    }
    for group in groups.into_iter().filter(|g| g.len() >= FEWEST) {
        let indices: Vec<ValueId> = group.iter().map(|&op| body.operand(op, 1)).collect();
        if let Some((row, order)) = Row::of(body, &indices) {
            let group: Vec<OpId> = order.into_iter().map(|i| group[i]).collect();
            in_loop(body, &group, &row);
        }
    }
}

fn result_type(body: &Body, op: OpId) -> Type {
    body.ty(body.result(op, 0))
}

fn in_loop(body: &mut Body, group: &[OpId], row: &Row) -> Option<()> {
    let block = body.op(*group.first()?).block?;
    let first = body.block_ops(block).into_iter().find(|op| group.contains(op))?;
    let (buffer, elem, attrs) = (body.operand(first, 0), result_type(body, first), body.op(first).attrs.clone());
    let mut b = Builder::before(body, first)?;
    let array = agg::array_type(group.len() as u64, elem);
    let empty = agg::Zero::build(&mut b, array, &[(agg::UNREAD, Attr::unit())]);
    let (each, inside) = cold_loop(&mut b, (group.len() as i64, 1), &[empty]);
    let (place, filled) = (b.body.args(inside)[0], b.body.args(inside)[1]);
    let end = b.body.last_op(inside)?;
    let mut b = Builder::before(b.body, end)?;
    let index = row.index(&mut b, place);
    let read = b.create(agg::BufferLoad::DEF, &[buffer, index], &[elem], &[], 0);
    b.body.set_attrs(read, attrs);
    let value = b.body.result(read, 0);
    let next = agg::Insert::build(&mut b, value, filled, &[place], &[("path", Attr::i64_array(&[-1]))]);
    b.body.set_operands(end, &[next]);
    let all = b.body.result(each, 0);
    for (n, &read) in group.iter().enumerate() {
        // Taken where it was read, so that no more values are alive than before.
        let value = read_of(&mut Builder::before(body, read)?, all, n as i64, elem);
        let old = body.result(read, 0);
        body.replace_uses(old, value);
        body.erase_op(read);
    }
    Some(())
}

/// What the `n`-th of the reads gives.
#[mutant(Site::RolledOrder if n > 0 with n = n - 1)]
fn read_of(b: &mut Builder<'_>, all: ValueId, n: i64, elem: Type) -> ValueId {
    agg::Extract::build(b, all, &[], elem, &[("path", Attr::i64_array(&[n]))])
}
