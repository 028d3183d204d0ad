//! What the passes share that bring together what threads add to a buffer: which ops are such
//! additions, which of a block come together, and how one is written.

use crate::analysis::effects::{Effect, Summary};
use crate::analysis::kernels::numthreads;
use crate::analysis::threads::Threads;
use caustic_dialects::agg;
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_dialects::reflect::GROUPSHARED;
use caustic_dialects::simt::WAVE_SIZE;
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

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

/// The fields that lead from an element to what is added to: an [`is_addition`] has no dynamic
/// indices in it.
pub fn fields(body: &Body, op: OpId) -> Vec<i64> {
    agg::path_of(body, op)
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

/// The buffer to which `op` adds, if that can be done for a wave.
pub fn target(module: &Module, body: &Body, op: OpId) -> Option<Name> {
    let buffer = *body.operands(op).get(1).filter(|_| agg::AtomicRmw::is(body, op))?;
    let source = body.def_op(seen_from(body, buffer));
    let name = agg::resource_name(body, source.filter(|&op| agg::Global::is(body, op))?)?;
    let elem = body.ty(body.operand(op, 0));
    let suits = is_addition(body, op, buffer) && (elem.is_float() || elem == Type::int(32));
    (suits && module.get(name)?.attr(GROUPSHARED).is_none()).then_some(name)
}

/// Whether `op`, with what is nested in it, neither touches the buffer nor brings threads together.
pub fn leaves_alone(body: &Body, summary: &Summary, op: OpId, buffer: Name) -> bool {
    let of = |op: OpId| {
        if summary.op(body, op) < Effect::Reads {
            return true;
        }
        let place = match () {
            _ if agg::BufferLoad::is(body, op) => 0,
            _ if agg::BufferStore::is(body, op) || agg::AtomicRmw::is(body, op) => 1,
            _ => return false,
        };
        let source = body.operands(op).get(place).and_then(|&b| body.def_op(seen_from(body, b)));
        source.and_then(|s| agg::resource_name(body, s)).is_some_and(|name| name != buffer)
    };
    of(op) && body.op(op).regions.iter().all(|&r| body.walk(r).into_iter().all(of))
}

/// Additions of a block to the same part of elements of one buffer, that may all be made where the
/// last one stands.
pub struct Group {
    pub buffer: Name,
    /// As what all of them see it: elements are counted, or the floats in them.
    pub seen: Type,
    /// From an element to what is added to.
    pub fields: Vec<i64>,
    /// What all of their places are made of, by adding constants, if that is asked for.
    pub key: Option<ValueId>,
    pub additions: Vec<OpId>,
}

/// The buffer that an addition is brought together for, and the key of its place, if it is one of
/// those that are.
type Wanted<'a> = dyn Fn(&Threads<'_>, OpId) -> Option<(Name, Option<ValueId>)> + 'a;

/// Which additions come together.
pub struct Gather<'a> {
    /// So many at most.
    pub most: usize,
    pub wanted: &'a Wanted<'a>,
    /// What else additions may move past.
    pub passed: &'a dyn Fn(OpId) -> bool,
}

/// The additions of a kernel that come together, if it has a whole wave.
pub fn groups(module: &Module, kernel: Name, summary: &Summary, gather: &Gather<'_>) -> Vec<Group> {
    let Some(symbol) = module.get(kernel) else { return Vec::new() };
    let numthreads = numthreads(symbol);
    if numthreads.iter().product::<i64>() < i64::from(WAVE_SIZE) {
        return Vec::new();
    }
    let body = &symbol.body;
    let constant = |name: Name| !summary.is_written(name);
    let threads = Threads { body, numthreads, constant: &constant };
    let effects = summary.all_ops(body);
    let mut done: Vec<Group> = Vec::new();
    let mut seen = FxHashSet::default();
    let blocks = body.walk_all().into_iter().filter_map(|op| body.op(op).block).filter(|&block| seen.insert(block));
    for block in blocks {
        let mut open: Vec<Group> = Vec::new();
        for op in body.block_ops(block) {
            if let Some((buffer, key)) = (gather.wanted)(&threads, op) {
                let (fields, seen) = (fields(body, op), body.ty(body.operand(op, 1)));
                let same = |g: &Group| g.buffer == buffer && g.seen == seen && g.fields == fields && g.key == key;
                match open.iter_mut().find(|g| same(g) && g.additions.len() < gather.most) {
                    Some(group) => group.additions.push(op),
                    None => open.push(Group { buffer, seen, fields, key, additions: vec![op] }),
                }
            } else if effects[op.index()] >= Effect::Reads && !(gather.passed)(op) {
                let (keep, close) = open.into_iter().partition(|g| leaves_alone(body, summary, op, g.buffer));
                open = keep;
                done.extend::<Vec<Group>>(close);
            }
        }
        done.extend(open);
    }
    done
}
