//! Reads beside each other in code that hardly ever runs, as a loop.
//!
//! Where a read has to look whether its index is inside of the buffer it is ten instructions. Of code that reads without looking there is a version that looks
//! (`share-checks`), which runs only with buffers that are too short; as long as the other, or longer, it would take half of the time that a kernel
//! takes to compile. So reads of one buffer at indices that follow each other at one distance become a loop that puts what it reads into an array, from
//! which the values are taken.

use super::kernels::region;
use crate::faults::{self, Site};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, Body, Builder, OpDef, OpId, Type, ValueId};

/// Fewer reads are no more code than the loop.
const FEWEST: usize = 5;

/// What reads beside each other share: the buffer, and of the index, which is a number or one that was converted, all but a constant.
#[derive(PartialEq, Eq, Clone, Copy)]
struct Base {
    buffer: ValueId,
    cast: Option<&'static str>,
    base: Option<ValueId>,
    ty: Type,
}

struct Read {
    op: OpId,
    base: Base,
    constant: i64,
}

impl Read {
    fn of(body: &Body, op: OpId) -> Option<Read> {
        let (buffer, mut value) = (body.operand(op, 0), body.operand(op, 1));
        let mut cast = None;
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
        Some(Read { op, base: Base { buffer, cast, base, ty }, constant })
    }
}

fn conversion(name: &str) -> Option<&'static OpDef> {
    [arith::IndexCast::DEF, arith::IndexCastUI::DEF].into_iter().find(|def| def.name == name)
}

/// Makes loops of reads that stand in one block and may be made at any time.
pub fn roll(body: &mut Body, ops: &[OpId]) {
    let mut groups: Vec<Vec<Read>> = Vec::new();
    for read in ops.iter().filter_map(|&op| Read::of(body, op)) {
        let same = |other: &Read| {
            let (a, b) = (body.op(other.op), body.op(read.op));
            other.base == read.base
                && a.block == b.block
                && a.attrs == b.attrs
                && result_type(body, other.op) == result_type(body, read.op)
        };
        match groups.iter_mut().find(|g| same(&g[0])) {
            Some(group) => group.push(read),
            None => groups.push(vec![read]),
        }
    }
    for mut group in groups.into_iter().filter(|g| g.len() >= FEWEST) {
        group.sort_by_key(|r| r.constant);
        let distance = group[1].constant.wrapping_sub(group[0].constant);
        if distance > 0 && group.windows(2).all(|w| w[1].constant.wrapping_sub(w[0].constant) == distance) {
            in_loop(body, &group, distance);
        }
    }
}

fn result_type(body: &Body, op: OpId) -> Type {
    body.ty(body.result(op, 0))
}

fn in_loop(body: &mut Body, group: &[Read], distance: i64) -> Option<()> {
    let block = body.op(group[0].op).block?;
    let first = body.block_ops(block).into_iter().find(|op| group.iter().any(|r| r.op == *op))?;
    let Base { buffer, cast, base, ty } = group[0].base;
    let (elem, attrs) = (result_type(body, first), body.op(first).attrs.clone());
    let array = agg::array_type(group.len() as u64, elem);
    let mut b = Builder::before(body, first)?;
    let start = arith::int(&mut b, group[0].constant, ty);
    let start = base.map_or(start, |base| arith::AddI::build(&mut b, base, start, &[]));
    let (zero, one, count) =
        (arith::index(&mut b, 0), arith::index(&mut b, 1), arith::index(&mut b, group.len() as i64));
    let distance = arith::int(&mut b, distance, ty);
    let empty = agg::Zero::build(&mut b, array, &[(agg::UNREAD, Attr::unit())]);
    let each = b.create(scf::For::DEF, &[zero, count, one, empty], &[array], &[(scf::COLD, Attr::unit())], 1);
    let inside = region(&mut b, each, 0, &[Type::index(), array]);
    let (counter, filled) = (b.body.args(inside)[0], b.body.args(inside)[1]);
    let end = b.body.last_op(inside)?;
    let mut b = Builder::before(b.body, end)?;
    let number = if ty == Type::index() { counter } else { arith::IndexCast::build(&mut b, counter, ty, &[]) };
    let further = arith::MulI::build(&mut b, number, distance, &[]);
    let mut index = arith::AddI::build(&mut b, start, further, &[]);
    if let Some(name) = cast {
        index = b.create_one(conversion(name)?, &[index], Type::index(), &[]);
    }
    let read = b.create(agg::BufferLoad::DEF, &[buffer, index], &[elem], &[], 0);
    b.body.set_attrs(read, attrs);
    let value = b.body.result(read, 0);
    let path: (&str, Attr) = ("path", Attr::i64_array(&[-1]));
    let next = agg::Insert::build(&mut b, value, filled, &[counter], &[path]);
    b.body.set_operands(end, &[next]);
    let all = b.body.result(each, 0);
    let mut b = Builder::before(body, first)?;
    let last = group.len() as i64 - 1;
    let values: Vec<ValueId> = (0..=last)
        .map(|n| if n == last && faults::on(Site::RolledOrder) { 0 } else { n })
        .map(|n| agg::Extract::build(&mut b, all, &[], elem, &[("path", Attr::i64_array(&[n]))]))
        .collect();
    for (read, value) in group.iter().zip(values) {
        let old = body.result(read.op, 0);
        body.replace_uses(old, value);
        body.erase_op(read.op);
    }
    Some(())
}
