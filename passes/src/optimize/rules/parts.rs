//! Rewrites of reading, replacing and making the parts of aggregates: structs, arrays, vectors,
//! matrices and tangents of them.
//!
//! An index out of range reads zero and writes nothing, so what was written at a dynamic index is
//! found there again only if the index is inside for sure.

use crate::analysis::access::*;
use crate::analysis::ranges::is_surely_inside;
use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::ad::{self, strip_tangent, tangent_type};
use caustic_dialects::agg::{self, as_tape, num_parts, part_type};
use caustic_dialects::arith::constant_of;
use caustic_dialects::vector;
use caustic_ir::{AttrKind, Body, OpId, Type, ValueId};

/// Aggregates with up to this many parts are made of all of them at once rather than by replacing
/// one after the other.
const SMALL: usize = 16;

rewrites! {
    pub static REWRITES: [
        "constant-index-read" Exact [agg::Extract, vector::Extract, ad::TExtract] "a[c] => the part c, or zero if it is outside" constant_index_read;
        "read-of-all" Exact [agg::Extract, ad::TExtract] "a[] => a" read_of_all;
        "read-of-vector" Exact [agg::Extract] "agg.extract of a vector => vector.extract" read_of_vector;
        "read-of-read" Exact [agg::Extract, vector::Extract, ad::TExtract] "a[p][q] => a[p, q]" read_of_read;
        "read-of-write" Exact [agg::Extract, vector::Extract, ad::TExtract] "(a with x at p)[q] => x[q - p] if p is inside, a[q] if p and q are disjoint" read_of_write;
        "read-of-cleared" Exact [agg::Extract, vector::Extract, ad::TExtract] "(a with zero at p)[p] => zero" read_of_cleared;
        "read-of-made" Exact [agg::Extract, vector::Extract, ad::TExtract] "make(x, y)[0, p] => x[p]" read_of_made;
        "read-of-alike" Exact [agg::Extract] "make(x, x)[i] => x if i is inside" read_of_alike;
        "read-of-splat" Exact [vector::Extract] "broadcast(x)[i] => x if i is inside" read_of_splat;
        "read-of-zero" Exact [agg::Extract, vector::Extract, ad::TExtract] "zero[p] => zero" read_of_zero;
        "read-of-transposed" Exact [vector::Extract] "transpose(m)[i, j] => m[j, i]" read_of_transposed;
        "constant-index-write" Exact [agg::Insert, vector::Insert, ad::TInsert, ad::TAccumulate] "(a with x at c) => with x at part c, or a if it is outside" constant_index_write;
        "write-of-all" Exact [agg::Insert, ad::TInsert] "a with x at [] => x" write_of_all;
        "write-to-vector" Exact [agg::Insert] "agg.insert into a vector => vector.insert" write_to_vector;
        "overwritten" Exact [agg::Insert, vector::Insert, ad::TInsert] "(a with x at p) with y at q => a with y at q, if q is or holds p" overwritten;
        "write-of-same" Exact [agg::Insert, vector::Insert, ad::TInsert] "a with a[p] at p => a" write_of_same;
        "write-of-part-of-part" Exact [agg::Insert, vector::Insert, ad::TInsert] "a with (a[p] with x at q) at p => a with x at [p, q]" write_of_part_of_part;
        "write-to-made" Exact [agg::Insert, vector::Insert, ad::TInsert] "make(x, y) with z at 0 => make(z, y)" write_to_made;
        "write-to-constant" Exact [agg::Insert, vector::Insert, ad::TInsert] "zero with x at 0 => make(x, 0), for small aggregates; vector constants alike" write_to_constant;
        "written-all" Exact [agg::Insert, vector::Insert, ad::TInsert] "a with x at 0 with y at 1 => make(x, y), if these are all parts" written_all;
        "zero-to-zero" Exact [agg::Insert, ad::TInsert] "zero with zero at p => zero" zero_to_zero;
        "remade" Exact [agg::Make, vector::FromElements, ad::TMake] "make(a[0], a[1]) => a, if these are all parts" remade;
        "made-of-zeros" Exact [agg::Make, ad::TMake] "make(0, 0) => zero" made_of_zeros;
        "made-of-same" Exact [vector::FromElements] "from_elements(x, x) => broadcast(x)" made_of_same;
    ]
}

fn result(r: &Rewriter<'_>, op: OpId) -> (ValueId, Type) {
    let value = r.body.result(op, 0);
    (value, r.body.ty(value))
}

fn replace_with_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (_, ty) = result(r, op);
    let zero = build_zero(&mut r.before(op), ty);
    r.replace_op(op, &[zero])
}

fn replace_with_read(r: &mut Rewriter<'_>, op: OpId, from: ValueId, path: &[Step]) -> bool {
    let (_, ty) = result(r, op);
    let value = build_read(&mut r.before(op), from, path, ty);
    r.replace_op(op, &[value])
}

fn replace_with_write(r: &mut Rewriter<'_>, op: OpId, part: ValueId, into: ValueId, path: &[Step], adds: bool) -> bool {
    let value = build_write(&mut r.before(op), part, into, path, adds);
    r.replace_op(op, &[value])
}

/// A read, and what `find` finds where its aggregate is made. That is asked first: most reads are
/// of something else.
fn read_of_found<T>(r: &Rewriter<'_>, op: OpId, find: impl FnOnce(&Body, OpId) -> Option<T>) -> Option<(Read, T)> {
    let found = find(r.body, r.body.def_op(read_from(r.body, op)?)?)?;
    Some((read_of(r.body, op)?, found))
}

fn constant_index_read(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(read) = read_of(r.body, op) else { return false };
    match resolve(r.body, r.body.ty(read.from), &read.path) {
        Resolved::Same => false,
        Resolved::Path(path) => replace_with_read(r, op, read.from, &path),
        Resolved::Outside => replace_with_zero(r, op),
    }
}

fn read_of_all(r: &mut Rewriter<'_>, op: OpId) -> bool {
    read_of(r.body, op).is_some_and(|read| read.path.is_empty() && r.replace_op(op, &[read.from]))
}

fn read_of_vector(r: &mut Rewriter<'_>, op: OpId) -> bool {
    if !read_from(r.body, op).is_some_and(|from| r.body.ty(from).is_vector()) {
        return false;
    }
    let Some(read) = read_of(r.body, op) else { return false };
    let index = |s: &Step| if let Step::By(v) = s { r.body.ty(*v).is_index() } else { true };
    let fits = !read.path.is_empty() && read.path.iter().all(index);
    fits && replace_with_read(r, op, read.from, &read.path)
}

fn read_of_read(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, inner)) = read_of_found(r, op, read_of) else { return false };
    let path: Path = inner.path.into_iter().chain(read.path).collect();
    replace_with_read(r, op, inner.from, &path)
}

fn read_of_write(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, ())) = read_of_found(r, op, |b, d| may_write(b, d).then_some(())) else { return false };
    // All writes elsewhere are passed at once: one by one, reading back what a long list of writes
    // made would take its square.
    let mut from = read.from;
    let last = loop {
        let Some(write) = r.body.def_op(from).and_then(|d| write_of(r.body, d)) else { break None };
        match relation(r.body, &write.path, &read.path) {
            Relation::Disjoint => from = write.into,
            found => break Some((write, found)),
        }
    };
    match last {
        Some((write, Relation::Equal | Relation::Around))
            if !write.adds && is_inside(r.body, r.body.ty(write.into), &write.path) =>
        {
            let rest = &read.path[write.path.len()..];
            replace_with_read(r, op, write.part, rest)
        }
        // The write into the whole goes away: it has no other reader.
        Some((write, Relation::Within))
            if from == read.from
                && r.body.uses(from).len() == 1
                && is_inside(r.body, r.body.ty(write.into), &read.path) =>
        {
            let (_, ty) = result(r, op);
            let mut b = r.before(op);
            let part = build_read(&mut b, write.into, &read.path, ty);
            let value = build_write(&mut b, write.part, part, &write.path[read.path.len()..], write.adds);
            r.replace_op(op, &[value])
        }
        _ => from != read.from && replace_with_read(r, op, from, &read.path),
    }
}

/// Inside of the aggregate or not.
fn read_of_cleared(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, write)) = read_of_found(r, op, write_of) else { return false };
    !write.adds && write.path == read.path && is_zero(r.body, write.part) && replace_with_zero(r, op)
}

/// The type of a part of `whole`, which may be a tangent.
fn part_of(whole: Type, index: i64) -> Option<Type> {
    let part = part_type(strip_tangent(whole), index)?;
    Some(if ad::is_tangent(whole) { tangent_type(part) } else { part })
}

fn read_of_made(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, made)) = read_of_found(r, op, made_of) else { return false };
    let Some(&Step::At(first)) = read.path.first() else { return false };
    if !made.flat {
        let Some(&part) = made.parts.get(first as usize) else { return false };
        return replace_with_read(r, op, part, &read.path[1..]);
    }
    let (_, ty) = result(r, op);
    let columns = strip_tangent(r.body.ty(read.from)).shape().get(1).map_or(1, |&n| n as usize);
    let Some(row) = made.parts.get(first as usize * columns..(first as usize + 1) * columns) else { return false };
    match read.path.get(1) {
        Some(&Step::At(second)) => row.get(second as usize).is_some_and(|&part| r.replace_op(op, &[part])),
        Some(_) => {
            let Some(row_ty) = part_of(r.body.ty(read.from), first) else { return false };
            let mut b = r.before(op);
            let row = build_made(&mut b, row, row_ty);
            let value = build_read(&mut b, row, &read.path[1..], ty);
            r.replace_op(op, &[value])
        }
        None => {
            let value = build_made(&mut r.before(op), row, ty);
            r.replace_op(op, &[value])
        }
    }
}

fn read_of_alike(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, made)) = read_of_found(r, op, agg::Make::cast) else { return false };
    let parts = made.0;
    let Some(&first) = r.body.operands(parts).first().filter(|_| matches!(read.path.first(), Some(Step::By(_)))) else {
        return false;
    };
    let constant = constant_of(r.body, first);
    let alike = |&v: &ValueId| v == first || constant.is_some() && constant_of(r.body, v) == constant;
    if !r.body.operands(parts).iter().all(alike) || !is_surely_inside(r.body, op, r.body.ty(read.from), &read.path[..1])
    {
        return false;
    }
    replace_with_read(r, op, first, &read.path[1..])
}

fn read_of_splat(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, splat)) = read_of_found(r, op, vector::Broadcast::cast) else { return false };
    if !is_inside(r.body, r.body.ty(read.from), &read.path) {
        return false;
    }
    let (scalar, (_, ty)) = (splat.source(r.body), result(r, op));
    let value = vector::broadcast(&mut r.before(op), scalar, ty);
    r.replace_op(op, &[value])
}

fn read_of_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    read_from(r.body, op).is_some_and(|from| is_zero(r.body, from))
        && read_of(r.body, op).is_some()
        && replace_with_zero(r, op)
}

fn read_of_transposed(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some((read, t)) = read_of_found(r, op, vector::Transpose::cast) else { return false };
    let [row, column] = &read.path[..] else { return false };
    let matrix = t.vector(r.body);
    replace_with_read(r, op, matrix, &[*column, *row])
}

fn constant_index_write(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    match resolve(r.body, r.body.ty(write.into), &write.path) {
        Resolved::Same => false,
        Resolved::Path(path) => replace_with_write(r, op, write.part, write.into, &path, write.adds),
        Resolved::Outside => r.replace_op(op, &[write.into]),
    }
}

fn write_of_all(r: &mut Rewriter<'_>, op: OpId) -> bool {
    write_of(r.body, op).is_some_and(|write| write.path.is_empty() && r.replace_op(op, &[write.part]))
}

fn write_to_vector(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    let index = |s: &Step| if let Step::By(v) = s { r.body.ty(*v).is_index() } else { true };
    let fits = r.body.ty(write.into).is_vector() && !write.path.is_empty() && write.path.iter().all(index);
    fits && replace_with_write(r, op, write.part, write.into, &write.path, false)
}

fn overwritten(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    let Some(inner) = r.body.def_op(write.into).and_then(|d| write_of(r.body, d)) else { return false };
    match relation(r.body, &write.path, &inner.path) {
        Relation::Equal | Relation::Around => replace_with_write(r, op, write.part, inner.into, &write.path, false),
        _ => false,
    }
}

fn write_of_same(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    let Some(read) = r.body.def_op(write.part).and_then(|d| read_of(r.body, d)) else { return false };
    read.from == write.into && read.path == write.path && r.replace_op(op, &[write.into])
}

fn write_of_part_of_part(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(outer) = write_of(r.body, op) else { return false };
    let Some(inner) = r.body.def_op(outer.part).and_then(|d| write_of(r.body, d)) else { return false };
    let Some(read) = r.body.def_op(inner.into).and_then(|d| read_of(r.body, d)) else { return false };
    if read.from != outer.into || read.path != outer.path {
        return false;
    }
    let path: Path = outer.path.into_iter().chain(inner.path).collect();
    replace_with_write(r, op, inner.part, outer.into, &path, inner.adds)
}

/// Also for writes that add.
pub(super) fn write_to_made(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    let Some(made_op) = r.body.def_op(write.into) else { return false };
    let Some(made) = made_of(r.body, made_op) else { return false };
    // What nobody else reads is changed in place; else only a short list is worth a copy.
    let alone = r.body.uses(write.into).len() == 1 && r.body.op(made_op).block == r.body.op(op).block;
    if made.parts.len() > SMALL && !alone {
        return false;
    }
    let (_, ty) = result(r, op);
    let Some(&Step::At(first)) = write.path.first() else { return false };
    let (at, depth) = match (made.flat, write.path.get(1)) {
        (false, _) => (first as usize, 1),
        (true, Some(&Step::At(second))) => {
            (first as usize * strip_tangent(ty).shape()[1] as usize + second as usize, 2)
        }
        _ => return false,
    };
    let mut parts = made.parts;
    let Some(&old) = parts.get(at) else { return false };
    let mut b = r.before(op);
    let part = build_write(&mut b, write.part, old, &write.path[depth..], write.adds);
    let home = b.block;
    if alone {
        r.body.move_op(made_op, home, Some(op));
        r.set_operand(made_op, at, part);
        r.touch(made_op);
        return r.replace_op(op, &[write.into]);
    }
    parts[at] = part;
    let value = build_made(&mut r.before(op), &parts, ty);
    r.replace_op(op, &[value])
}

/// The number of scalars or parts that an aggregate of this type is made of, if it is small.
fn small_parts(ty: Type) -> Option<usize> {
    let ty = strip_tangent(ty);
    let n = if ty.is_vector() { ty.num_elements() } else { num_parts(ty) };
    (as_tape(ty).is_none() && (1..=SMALL).contains(&n)).then_some(n)
}

fn write_to_constant(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    let (_, ty) = result(r, op);
    let Some(n) = small_parts(ty) else { return false };
    let whole = strip_tangent(ty);
    let rank = whole.shape().len().max(1);
    if write.path.len() < rank || !write.path[..rank].iter().all(|s| matches!(s, Step::At(_))) {
        return false;
    }
    let constant = constant_of(r.body, write.into);
    if constant.is_none() && !is_zero(r.body, write.into) || is_zero(r.body, write.part) && is_zero(r.body, write.into)
    {
        return false;
    }
    let items = match constant.map(|a| a.kind()) {
        Some(AttrKind::Dense(items, _)) => Some(items),
        _ => None,
    };
    let mut at = 0usize;
    for (k, step) in write.path[..rank].iter().enumerate() {
        let Step::At(i) = step else { return false };
        at = at * whole.shape().get(k).map_or(1, |&s| s as usize) + *i as usize;
    }
    let mut parts = Vec::new();
    for i in 0..n {
        let part_ty = if whole.is_vector() { Some(whole.elem()) } else { part_type(whole, i as i64) };
        let Some(part_ty) = part_ty else { return false };
        let part_ty = if ad::is_tangent(ty) { tangent_type(part_ty) } else { part_ty };
        let part = match items {
            Some(items) => match items.get(i).and_then(|&a| r.constant(op, a)) {
                Some(part) => part,
                None => return false,
            },
            None => build_zero(&mut r.before(op), part_ty),
        };
        parts.push(part);
    }
    let Some(&old) = parts.get(at) else { return false };
    let mut b = r.before(op);
    parts[at] = build_write(&mut b, write.part, old, &write.path[rank..], write.adds);
    let value = build_made(&mut b, &parts, ty);
    r.replace_op(op, &[value])
}

fn written_all(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (mut value, ty) = result(r, op);
    // Matrices are left: their rows and scalars would have to be told apart.
    if strip_tangent(ty).shape().len() > 1 {
        return false;
    }
    let Some(n) = small_parts(ty) else { return false };
    let mut parts: Vec<Option<ValueId>> = vec![None; n];
    let mut missing = n;
    // Further up than this there is more to gain elsewhere.
    for _ in 0..4 * n {
        if missing == 0 {
            break;
        }
        let Some(write) = r.body.def_op(value).and_then(|d| write_of(r.body, d)) else { return false };
        let (&[Step::At(i)], false) = (&write.path[..], write.adds) else { return false };
        let Some(slot) = parts.get_mut(i as usize) else { return false };
        if slot.is_none() {
            *slot = Some(write.part);
            missing -= 1;
        }
        value = write.into;
    }
    if missing > 0 {
        return false;
    }
    let parts: Vec<ValueId> = parts.into_iter().flatten().collect();
    let made = build_made(&mut r.before(op), &parts, ty);
    r.replace_op(op, &[made])
}

fn zero_to_zero(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(write) = write_of(r.body, op) else { return false };
    is_zero(r.body, write.part) && is_zero(r.body, write.into) && r.replace_op(op, &[write.into])
}

fn remade(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let Some(made) = made_of(r.body, op) else { return false };
    let (_, ty) = result(r, op);
    let Some(&first) = made.parts.first() else { return false };
    let Some(whole) = r.body.def_op(first).and_then(|d| read_of(r.body, d)) else { return false };
    if r.body.ty(whole.from) != ty {
        return false;
    }
    let columns = strip_tangent(ty).shape().get(1).map_or(1, |&n| n as i64);
    let all = made.parts.iter().enumerate().all(|(i, &part)| {
        let Some(read) = r.body.def_op(part).and_then(|d| read_of(r.body, d)) else { return false };
        let i = i as i64;
        let path = if made.flat { vec![Step::At(i / columns), Step::At(i % columns)] } else { vec![Step::At(i)] };
        read.from == whole.from && read.path == path
    });
    all && r.replace_op(op, &[whole.from])
}

fn made_of_zeros(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let parts = r.body.operands(op);
    let zeros = !parts.is_empty() && parts.iter().all(|&p| is_zero(r.body, p));
    zeros && replace_with_zero(r, op)
}

fn made_of_same(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (_, ty) = result(r, op);
    let [first, rest @ ..] = r.body.operands(op) else { return false };
    if rest.is_empty() || rest.iter().any(|v| v != first) {
        return false;
    }
    let first = *first;
    let value = vector::broadcast(&mut r.before(op), first, ty);
    r.replace_op(op, &[value])
}
