//! Reading, replacing and making the parts of an aggregate, seen alike in `agg`, `vector` and on
//! tangents in `ad`.
//!
//! A path is a list of [`Step`]s. Building an access chooses the op: tangents have their own,
//! vectors and matrices `vector`'s, all else `agg`'s; so code ends up in one form whatever it was
//! written with.

use super::ranges::{Range, range_of};
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::agg::{self, as_array, as_tape, num_parts, part_type};
use caustic_dialects::arith::{self, constant_of};
use caustic_dialects::place::{Place, place_of, places};
use caustic_dialects::vector;
use caustic_ir::op::{Access, MemoryUse};
use caustic_ir::{Attr, AttrKind, BlockId, Body, Builder, OpId, Type, ValueId};

/// One step into an aggregate: a part that is known, or an index computed at run time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    At(i64),
    By(ValueId),
}

pub type Path = Vec<Step>;

/// `from[path]`
pub struct Read {
    pub from: ValueId,
    pub path: Path,
}

/// `into` with `part` at `path`; added to what is there if `adds`.
pub struct Write {
    pub part: ValueId,
    pub into: ValueId,
    pub path: Path,
    pub adds: bool,
}

/// An aggregate made of all its parts.
pub struct Made {
    pub parts: Vec<ValueId>,
    /// A matrix made of its scalars rather than its rows.
    pub flat: bool,
}

fn path_of(place: &Place<'_>) -> Option<Path> {
    let mut dynamic = place.indices.iter();
    let step = |&s: &i64| if s < 0 { dynamic.next().map(|&v| Step::By(v)) } else { Some(Step::At(s)) };
    place.path.as_ref()?.iter().map(step).collect()
}

/// The aggregate that an op reads a part of: [`read_of`] without the path, which costs something.
pub fn read_from(body: &Body, op: OpId) -> Option<ValueId> {
    let def = body.op(op).def;
    let reads = |u: &&MemoryUse| u.access == Access::Projects && !def.operands[u.operand].variadic;
    body.operands(op).get(def.memory.iter().find(reads)?.operand).copied()
}

pub fn read_of(body: &Body, op: OpId) -> Option<Read> {
    let place = place_of(body, op, &[Access::Projects])?;
    Some(Read { from: place.base, path: path_of(&place)? })
}

/// Whether an op may be a [`Write`].
pub fn may_write(body: &Body, op: OpId) -> bool {
    body.op(op).def.memory.iter().any(|entry| matches!(entry.access, Access::Replaces | Access::Adds))
}

pub fn write_of(body: &Body, op: OpId) -> Option<Write> {
    if !may_write(body, op) {
        return None;
    }
    match &places(body, op)[..] {
        [part, into] if part.access == Access::Becomes => {
            Some(Write { part: part.base, into: into.base, path: path_of(into)?, adds: into.access == Access::Adds })
        }
        _ => None,
    }
}

pub fn made_of(body: &Body, op: OpId) -> Option<Made> {
    let def = body.op(op).def;
    let of_all = |entry: &MemoryUse| entry.access == Access::Becomes && def.operands[entry.operand].variadic;
    if !def.memory.iter().any(of_all) {
        return None;
    }
    let ty = strip_tangent(body.ty(body.result(op, 0)));
    let parts = body.operands(op).to_vec();
    let flat = ty.shape().len() > 1 && parts.len() == ty.num_elements() && parts.len() != num_parts(ty)
        || ty.shape().len() > 1 && parts.first().is_some_and(|&p| !strip_tangent(body.ty(p)).is_vector());
    Some(Made { parts, flat })
}

/// A counter with so many values is the same in any integer type.
const MAX_NARROW_COUNT: i64 = 127;

/// Whether an index is the counter of the loop whose body is `block`, which counts to `count` from
/// zero, in whatever integer type.
pub fn is_counter(body: &Body, index: ValueId, block: BlockId, count: i64) -> bool {
    let mut at = index;
    let is_cast = |&op: &OpId| arith::IndexCast::is(body, op) || arith::IndexCastUI::is(body, op);
    while let Some(cast) = body.def_op(at).filter(is_cast) {
        let ty = body.ty(at);
        if ty != Type::index() && ty != Type::i32() && count > MAX_NARROW_COUNT {
            return false;
        }
        at = body.operand(cast, 0);
    }
    body.args(block).first() == Some(&at)
}

/// How two paths into the same aggregate lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    Equal,
    /// The first leads to something that holds what the second leads to.
    Around,
    /// The first leads into what the second leads to.
    Within,
    Disjoint,
    Unknown,
}

pub fn relation(body: &Body, p: &[Step], q: &[Step]) -> Relation {
    let mut same = true;
    for (a, b) in p.iter().zip(q) {
        match (a, b) {
            _ if a == b => {}
            (Step::At(_), Step::At(_)) => return Relation::Disjoint,
            (Step::At(i), Step::By(v)) | (Step::By(v), Step::At(i)) => {
                let (low, high) = range_of(body, *v);
                if *i < low || *i > high {
                    return Relation::Disjoint;
                }
                same = false;
            }
            // A later step may still tell them apart.
            (Step::By(_), Step::By(_)) => same = false,
        }
    }
    match (same, p.len().cmp(&q.len())) {
        (false, _) => Relation::Unknown,
        (_, std::cmp::Ordering::Equal) => Relation::Equal,
        (_, std::cmp::Ordering::Less) => Relation::Around,
        (_, std::cmp::Ordering::Greater) => Relation::Within,
    }
}

/// Number of parts that an index may select; `None` for a tape, which has as many as are asked for.
pub fn count(ty: Type) -> Option<i64> {
    as_tape(ty).is_none().then(|| as_array(ty).map_or_else(|| num_parts(ty) as i64, |(n, _)| n as i64))
}

/// Whether every index on the path is inside for sure, so that a write there happens.
pub fn is_inside(body: &Body, ty: Type, path: &[Step]) -> bool {
    is_inside_by(ty, path, &mut |v| range_of(body, v))
}

/// The same, with the ranges of indices that `range` gives.
pub fn is_inside_by(ty: Type, path: &[Step], range: &mut dyn FnMut(ValueId) -> Range) -> bool {
    let mut ty = strip_tangent(ty);
    for step in path {
        let (low, high) = match step {
            Step::At(i) => (*i, *i),
            Step::By(v) => range(*v),
        };
        if low < 0 || count(ty).is_some_and(|n| high >= n) || high == i64::MAX {
            return false;
        }
        let index = if let Step::At(i) = step { *i } else { -1 };
        match part_type(ty, if ty.is_vector() { index.max(0) } else { index }) {
            Some(part) => ty = part,
            None => return false,
        }
    }
    true
}

/// What replacing constant dynamic indices by known steps gives.
pub enum Resolved {
    Same,
    Path(Path),
    /// An index is outside for sure.
    Outside,
}

pub fn resolve(body: &Body, ty: Type, path: &[Step]) -> Resolved {
    let mut ty = strip_tangent(ty);
    let mut changed = false;
    let mut out = Path::new();
    for &step in path {
        let step = match step {
            Step::By(v) => match constant_of(body, v).and_then(|a| a.as_int()) {
                Some(i) if i < 0 || count(ty).is_some_and(|n| i >= n) => return Resolved::Outside,
                Some(i) => {
                    changed = true;
                    Step::At(i)
                }
                None => step,
            },
            at => at,
        };
        out.push(step);
        let index = if let Step::At(i) = step { i } else { -1 };
        match part_type(ty, if ty.is_vector() { index.max(0) } else { index }) {
            Some(part) => ty = part,
            None => return Resolved::Same,
        }
    }
    if changed { Resolved::Path(out) } else { Resolved::Same }
}

/// The path as the op's attribute and dynamic operands.
fn split(path: &[Step], marker: i64) -> (Attr, Vec<ValueId>) {
    let steps: Vec<i64> = path.iter().map(|s| if let Step::At(i) = s { *i } else { marker }).collect();
    let dynamic = path.iter().filter_map(|s| if let Step::By(v) = s { Some(*v) } else { None }).collect();
    (Attr::i64_array(&steps), dynamic)
}

fn takes_vector_ops(b: &Builder<'_>, aggregate: Type, path: &[Step]) -> bool {
    aggregate.is_vector() && path.iter().all(|s| if let Step::By(v) = s { b.ty(*v).is_index() } else { true })
}

/// `from[path]`, of type `ty`.
pub fn build_read(b: &mut Builder<'_>, from: ValueId, path: &[Step], ty: Type) -> ValueId {
    let whole = b.ty(from);
    if path.is_empty() {
        return from;
    }
    if takes_vector_ops(b, whole, path) {
        let (steps, dynamic) = split(path, vector::DYNAMIC);
        return vector::Extract::build(b, from, &dynamic, ty, &[("static_position", steps)]);
    }
    let (steps, dynamic) = split(path, -1);
    if is_tangent(whole) {
        return ad::TExtract::build(b, from, &dynamic, ty, &[("path", steps)]);
    }
    agg::Extract::build(b, from, &dynamic, ty, &[("path", steps)])
}

/// `into` with `part` at `path`.
pub fn build_write(b: &mut Builder<'_>, part: ValueId, into: ValueId, path: &[Step], adds: bool) -> ValueId {
    let whole = b.ty(into);
    if path.is_empty() {
        return if adds { ad::TAdd::build(b, into, part, &[]) } else { part };
    }
    if takes_vector_ops(b, whole, path) {
        let (steps, dynamic) = split(path, vector::DYNAMIC);
        return vector::Insert::build(b, part, into, &dynamic, &[("static_position", steps)]);
    }
    let (steps, dynamic) = split(path, -1);
    match (is_tangent(whole), adds) {
        (true, true) => ad::TAccumulate::build(b, part, into, &dynamic, &[("path", steps)]),
        (true, false) => ad::TInsert::build(b, part, into, &dynamic, &[("path", steps)]),
        _ => agg::Insert::build(b, part, into, &dynamic, &[("path", steps)]),
    }
}

/// An aggregate of type `ty` from its parts, or a vector or matrix from its scalars.
pub fn build_made(b: &mut Builder<'_>, parts: &[ValueId], ty: Type) -> ValueId {
    if is_tangent(ty) {
        return ad::TMake::build(b, parts, ty, &[]);
    }
    if ty.is_vector() && parts.first().is_some_and(|&p| b.ty(p).is_scalar()) {
        return vector::FromElements::build(b, parts, ty, &[]);
    }
    agg::Make::build(b, parts, ty, &[])
}

/// The zero of a type, in the form that its dialect prefers.
pub fn build_zero(b: &mut Builder<'_>, ty: Type) -> ValueId {
    if is_tangent(ty) {
        ad::TZero::build(b, ty, &[])
    } else if ty.is_scalar() || ty.is_vector() {
        arith::zero(b, ty)
    } else {
        agg::Zero::build(b, ty, &[])
    }
}

/// Whether `value` is zero in every scalar, and stays so; of a float the positive one.
pub fn is_zero(body: &Body, value: ValueId) -> bool {
    fn zero(attr: Attr) -> bool {
        match attr.kind() {
            AttrKind::Int(v, _) => *v == 0,
            AttrKind::Float(bits, _) => *bits == 0,
            AttrKind::Dense(items, _) => items.iter().all(|&a| zero(a)),
            _ => false,
        }
    }
    match body.def_op(value) {
        // What replaces an `unread` zero is needed, even by zeros.
        Some(op) if agg::Zero::is(body, op) => body.attr(op, agg::UNREAD).is_none(),
        Some(op) => ad::TZero::is(body, op) || constant_of(body, value).is_some_and(zero),
        None => false,
    }
}
