//! `privatize-atomics`: what the threads of a group add to a buffer comes together in the group's
//! own memory first.
//!
//! On a GPU an atomic addition to a place that everybody adds to (the gradient of a weight, a bin
//! of a histogram) takes its turn among those of the whole dispatch; one in the memory of a group
//! takes it among those of the group, and is many times faster. So the first elements of the buffer
//! get a copy in every group, which is added to the buffer when the group ends: one atomic
//! operation for a group and place.
//!
//! Right if nobody can tell: the program only adds to the buffer, atomically, and reads neither
//! what was there before nor the buffer. Sums of floats come in another order, as those of atomic
//! additions do anyway. The pass works on kernels after inlining; a buffer that is named in another
//! function is left alone.

use super::additions::{self, is_addition};
use crate::analysis::kernels::numthreads;
use crate::analysis::threads::Threads;
use crate::manager::{Changed, PassReport, PassResult, each_kernel};
use crate::passes;
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_dialects::call_graph::callees;
use caustic_dialects::gpu;
use caustic_dialects::reflect::{COUNT, GROUPSHARED, resource_type};
use caustic_dialects::scf::empty_region;
use caustic_dialects::simt::WAVE_SIZE;
use caustic_dialects::{func, scf};
use caustic_ir::{Attr, Body, Builder, Loc, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashSet;

/// Elements that a group has a copy of. 8 KiB of 32 bits: four groups of 512 threads, of as many
/// buffers as [`MAX_BUFFERS`], fit a processor of 100 KiB.
const ELEMENTS: i64 = 2048;
const MAX_BUFFERS: usize = 3;

passes! {
    /// Adds up in the memory of a group what its threads add to the same elements of a buffer.
    ///
    /// For buffers that a kernel does nothing with but adding atomically, at least once to an
    /// element that is the same for all threads of a group. Elements beyond the first 2048 are
    /// added to as before. Of elements made of floats that are added to by themselves (`agg.view`)
    /// the floats count.
    pub static PRIVATIZE_ATOMICS: "privatize-atomics" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("buffers", "buffers that are added to through the memory of a group")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    each_kernel(module, |module, kernel| {
        let mut changed = false;
        for (buffer, added) in buffers(module, kernel) {
            let elem = added.scalar;
            let tile = module.fresh_name(&format!("{buffer}.tile"));
            let loc = module.get(buffer).map_or_else(Loc::unknown, |s| s.loc);
            let mut memory = SymbolOp::new(agg::Resource::DEF, tile, loc);
            memory.set_attr("type", Attr::ty(tile_type(elem)));
            memory.set_attr(GROUPSHARED, Attr::unit());
            module.put(memory);
            if let Some(symbol) = module.get_mut(kernel) {
                let numthreads = numthreads(symbol);
                redirect(&mut symbol.body, buffer, &added, tile);
                flush(&mut symbol.body, buffer, &added, tile, numthreads);
                report.count("buffers", 1);
                changed = true;
            }
        }
        Ok(Changed::from(changed))
    })
}

/// How additions see the elements of a buffer.
#[derive(Clone, PartialEq)]
pub(super) struct Added {
    /// The type of the elements.
    whole: Type,
    pub scalar: Type,
    /// From an element to the one scalar in it; where it is the floats that are counted, none.
    fields: Vec<i64>,
    floats: bool,
}

impl Added {
    /// A buffer of these elements, as additions see it.
    fn seen(&self) -> Type {
        agg::buffer_type(if self.floats { self.scalar } else { self.whole }, true)
    }

    /// What is added to of a buffer that an op names.
    fn places(&self, body: &Body, named: ValueId) -> Vec<ValueId> {
        if !self.floats {
            return vec![named];
        }
        let views = body.uses(named).iter().filter(|u| agg::View::is(body, u.op)).map(|u| body.result(u.op, 0));
        views.filter(|&view| body.ty(view) == self.seen()).collect()
    }
}

/// The scalar that a type is but for structs around it, and the fields that lead to it:
/// `Atomic<float>` is one.
fn only_scalar(ty: Type) -> Option<(Type, Vec<i64>)> {
    let Some(s) = StructType::of(ty) else { return ty.is_scalar().then(|| (ty, Vec::new())) };
    let mut fields = s.fields();
    let (only, None) = (fields.next()?, fields.next()) else { return None };
    let (scalar, rest) = only_scalar(only.ty)?;
    Some((scalar, [vec![0], rest].concat()))
}

/// A buffer of one element, as memory of a group is.
fn tile_type(elem: Type) -> Type {
    agg::buffer_type(agg::array_type(ELEMENTS as u64, elem), true)
}

/// The buffers that the kernel only adds to and for which it is worth it, in the order of their
/// names' first use. Each element is one number, or floats that all additions count.
pub(super) fn buffers(module: &Module, kernel: Name) -> Vec<(Name, Added)> {
    let Some(symbol) = module.get(kernel) else { return Vec::new() };
    let numthreads = numthreads(symbol);
    if numthreads.iter().product::<i64>() <= i64::from(WAVE_SIZE) {
        return Vec::new();
    }
    let body = &symbol.body;
    let threads = Threads { body, numthreads, constant: &|_| false };
    let references: Vec<(Name, OpId)> =
        body.walk_all().into_iter().filter_map(|op| Some((agg::resource_name(body, op)?, op))).collect();
    let of = |name: Name| references.iter().filter(move |(n, _)| *n == name).map(|&(_, op)| body.result(op, 0));
    let only_added_to = |value: ValueId, added: &Added| {
        let places = added.places(body, value);
        let adds =
            |op: OpId, place: ValueId| is_addition(body, op, place) && additions::fields(body, op) == added.fields;
        let asked = |op: OpId| agg::BufferLen::is(body, op);
        let seen = |op: OpId| added.floats && body.results(op).first().is_some_and(|r| places.contains(r));
        let fits = |place: ValueId| body.uses(place).iter().all(|u| adds(u.op, place) || asked(u.op));
        places.iter().all(|&p| fits(p)) && (!added.floats || body.uses(value).iter().all(|u| seen(u.op) || asked(u.op)))
    };
    let shared = |place: ValueId| {
        let same = |op: OpId| {
            let gathered = || body.attr(op, agg::GATHERED).is_some();
            is_addition(body, op, place) && (gathered() || threads.is_uniform(body.operand(op, 2), true))
        };
        body.uses(place).iter().any(|u| same(u.op))
    };
    let tiled = |name: Name| {
        let declared = module.get(name)?;
        let (whole, writable) = agg::as_buffer(resource_type(declared)?)?;
        if !writable || declared.attr(GROUPSHARED).is_some() || declared.attr(COUNT).is_some() {
            return None;
        }
        let one = only_scalar(whole).map(|(scalar, fields)| Added { whole, scalar, fields, floats: false });
        let floats = agg::scalars_of(whole).map(|scalar| Added { whole, scalar, fields: Vec::new(), floats: true });
        let mut ways = [one, floats].into_iter().flatten();
        let added = ways.find(|added| {
            (added.scalar == Type::f32() || added.scalar == Type::int(32)) && of(name).all(|v| only_added_to(v, added))
        })?;
        let worth = of(name).any(|value| added.places(body, value).into_iter().any(shared));
        worth.then_some((name, added))
    };
    // What the kernel does not call does nothing for it.
    let called = called_by(module, kernel);
    let elsewhere = |name: Name| {
        let mut others = module.symbols().iter().filter(|s| called.contains(&s.name));
        others.any(|s| s.body.all_ops().any(|op| agg::resource_name(&s.body, op) == Some(name)))
    };
    let mut seen = FxHashSet::default();
    let names = references.iter().map(|(name, _)| *name).filter(|name| seen.insert(*name));
    names.filter_map(tiled).filter(|(name, _)| !elsewhere(*name)).take(MAX_BUFFERS).collect()
}

/// The functions that a kernel leads to.
fn called_by(module: &Module, kernel: Name) -> FxHashSet<Name> {
    let (mut found, mut work) = (FxHashSet::default(), vec![kernel]);
    while let Some(name) = work.pop() {
        let Some(symbol) = module.get(name) else { continue };
        work.extend(callees(symbol).filter(|&name| found.insert(name)));
    }
    found
}

/// Every addition to `buffer` goes to the tile, if its element is in it.
fn redirect(body: &mut Body, buffer: Name, added: &Added, tile: Name) {
    let elem = added.scalar;
    let references: Vec<OpId> =
        body.walk_all().into_iter().filter(|&op| agg::resource_name(body, op) == Some(buffer)).collect();
    let places: Vec<ValueId> = references.iter().flat_map(|&op| added.places(body, body.result(op, 0))).collect();
    for from in places {
        let additions: Vec<OpId> =
            body.uses(from).iter().map(|u| u.op).filter(|&op| is_addition(body, op, from)).collect();
        for op in additions {
            let (value, index) = (body.operand(op, 0), body.operand(op, 2));
            let Some(mut b) = Builder::before(body, op) else { continue };
            let count = arith::index(&mut b, ELEMENTS);
            let inside = arith::cmpi(&mut b, IntPredicate::Ult, index, count);
            let branch = b.create(scf::If::DEF, &[inside], &[], &[], 2);
            let then = empty_region(&mut b, branch, 0, &[]);
            let mut t = b.before_end(then);
            let memory = agg::Global::build(&mut t, tile_type(elem), &[("name", Attr::symbol(tile))]);
            let zero = arith::index(&mut t, 0);
            additions::add(&mut t, value, memory, &[zero, index], &[]);
            let other = empty_region(&mut b, branch, 1, &[]);
            let end = b.body.last_op(other);
            b.body.move_op(op, other, end);
        }
    }
}

/// At the kernel's end, the group's sums are added to the buffer.
fn flush(body: &mut Body, buffer: Name, added: &Added, tile: Name, numthreads: [i64; 3]) {
    let elem = added.scalar;
    let last = body.entry().and_then(|entry| body.last_op(entry));
    let Some(end) = last.filter(|&op| func::Return::is(body, op)) else { return };
    let Some(mut b) = Builder::before(body, end) else { return };
    gpu::Barrier::build(&mut b, &[("memory", Attr::string("group"))]);
    let mut into = agg::Global::build(&mut b, agg::buffer_type(added.whole, true), &[("name", Attr::symbol(buffer))]);
    if added.floats {
        into = agg::View::build(&mut b, into, added.seen(), &[]);
    }
    let memory = agg::Global::build(&mut b, tile_type(elem), &[("name", Attr::symbol(tile))]);
    // The thread's number in the group.
    let mut me = gpu::build_id(&mut b, gpu::ThreadId::DEF, 2);
    for d in [1, 0] {
        let size = arith::index(&mut b, numthreads[d]);
        let (number, scaled) =
            (gpu::build_id(&mut b, gpu::ThreadId::DEF, d), arith::MulI::build(&mut b, me, size, &[]));
        me = arith::AddI::build(&mut b, scaled, number, &[]);
    }
    let zero = arith::index(&mut b, 0);
    let (count, most) = (agg::BufferLen::build(&mut b, into, Type::index(), &[]), arith::index(&mut b, ELEMENTS));
    let count = arith::MinSI::build(&mut b, count, most, &[]);
    let size = arith::index(&mut b, numthreads.iter().product());
    let each = b.create(scf::For::DEF, &[me, count, size], &[], &[], 1);
    let block = empty_region(&mut b, each, 0, &[Type::index()]);
    let at = b.body.args(block)[0];
    let mut l = b.before_end(block);
    let path = [("path", Attr::i64_array(&[-1]))];
    let sum = l.create_one(agg::BufferLoad::DEF, &[memory, zero, at], elem, &path);
    let nothing = arith::zero(&mut l, elem);
    let some = match elem.is_float() {
        true => arith::cmpf(&mut l, FloatPredicate::Une, sum, nothing),
        false => arith::cmpi(&mut l, IntPredicate::Ne, sum, nothing),
    };
    let branch = l.create(scf::If::DEF, &[some], &[], &[], 2);
    let then = empty_region(&mut l, branch, 0, &[]);
    additions::add(&mut l.before_end(then), sum, into, &[at], &added.fields);
    empty_region(&mut l, branch, 1, &[]);
}
