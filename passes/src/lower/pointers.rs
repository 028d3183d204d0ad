//! `resolve-pointers`: what a pointer leads to is found when the kernel is compiled, where one
//! resource alone can be meant.
//!
//! An address is a number that names its resource. An access by one looks the resource up while the
//! kernel runs, which may cost more than all else that a kernel does, and in source text looks like
//! nothing that the programmer wrote. Most addresses are the begin of a resource and an offset: the
//! access is one to the resource itself then, at that offset.
//!
//! Invariant: an access reaches what it did, but that a sum which leaves a resource reaches nothing
//! also where it would be an address in another one.
//!
//! With `elements` a pointer whose accesses are all to whole elements of one type is a buffer of
//! these: `p[i]` is element `i`. An element of which not all bytes are bound does not exist then.
//!
//! This module must not know: how a target finds a resource.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::layout::layout_of;
use caustic_dialects::reflect::{AS_BUFFER, DataType, PARAM, Param, ParamKind, is_bound, is_pointer};
use caustic_dialects::{agg, arith, func};
use caustic_ir::{Attr, Body, Builder, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Makes accesses by an address those to the resource that the address begins with.
    pub static RESOLVE_POINTERS: "resolve-pointers" {
        level: module,
        options: PointersOptions {
            elements: bool = "false", "A pointer whose accesses are to whole elements of one type is a buffer of these.";
            apart: bool = "false", "With `elements`, none that is read and written and whose elements have parts: a host that makes its last element whole would be seen.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("pointees", "what was looked up by an address, and is not any more"), ("buffers", "pointers that are buffers of elements")],
        run: |module: &mut Module, options: &PointersOptions, report: &mut PassReport| run(module, options, report),
    }
}

/// How far back an address is followed.
const FUEL: u32 = 24;
/// Offsets and factors beyond this are not looked at: an address has no more bits.
const MOST: i64 = 1 << agg::OFFSET_BITS;

/// A sum of values times factors; of addresses apart.
#[derive(Clone, Default)]
struct Sum {
    constant: i64,
    terms: Vec<(ValueId, i64)>,
    resources: Vec<(ValueId, i64)>,
}

impl Sum {
    fn of(body: &Body, value: ValueId, fuel: u32) -> Sum {
        Sum::parts(body, value, fuel).unwrap_or_else(|| Sum { terms: vec![(value, 1)], ..Sum::default() })
    }

    fn parts(body: &Body, value: ValueId, fuel: u32) -> Option<Sum> {
        let constant = |value: ValueId| arith::constant_of(body, value).and_then(|a| a.as_int());
        if let Some(constant) = constant(value) {
            return Some(Sum { constant, ..Sum::default() });
        }
        let (op, fuel) = (body.def_op(value)?, fuel.checked_sub(1)?);
        let operand = |n: usize| Sum::of(body, body.operand(op, n), fuel);
        let is_wide = |value: ValueId| [Type::i64(), Type::index()].contains(&body.ty(value));
        match () {
            // An index is as wide as an address.
            () if arith::IndexCast::is(body, op) && is_wide(value) && is_wide(body.operand(op, 0)) => Some(operand(0)),
            () if agg::Address::is(body, op) => {
                Some(Sum { resources: vec![(body.operand(op, 0), 1)], ..Sum::default() })
            }
            () if arith::AddI::is(body, op) => operand(0).plus(operand(1)),
            () if is_distance(body, op) => None,
            () if arith::SubI::is(body, op) => operand(0).plus(operand(1).times(-1)?),
            () if agg::Extract::is(body, op) && body.operands(op).len() == 1 => {
                Some(Sum::of(body, part_of(body, body.operand(op, 0), agg::path_of(body, op), fuel)?, fuel))
            }
            () if arith::MulI::is(body, op) => match (constant(body.operand(op, 0)), constant(body.operand(op, 1))) {
                (_, Some(factor)) => operand(0).times(factor),
                (Some(factor), None) => operand(1).times(factor),
                (None, None) => None,
            },
            () if arith::ShLI::is(body, op) => {
                let by = constant(body.operand(op, 1)).filter(|by| (0..i64::from(agg::OFFSET_BITS)).contains(by))?;
                operand(0).times(1 << by)
            }
            () => None,
        }
    }

    fn plus(mut self, other: Sum) -> Option<Sum> {
        self.constant = small(self.constant.checked_add(other.constant)?)?;
        for (mine, others) in [(&mut self.terms, other.terms), (&mut self.resources, other.resources)] {
            for (value, factor) in others {
                match mine.iter_mut().find(|t| t.0 == value) {
                    Some(term) => term.1 = small(term.1.checked_add(factor)?)?,
                    None => mine.push((value, factor)),
                }
            }
            mine.retain(|t| t.1 != 0);
        }
        Some(self)
    }

    fn times(mut self, by: i64) -> Option<Sum> {
        self.constant = small(self.constant.checked_mul(by)?)?;
        for term in self.terms.iter_mut().chain(&mut self.resources) {
            term.1 = small(term.1.checked_mul(by)?)?;
        }
        Some(self)
    }

    /// The sum of parts that are so many bytes each; `None` unless all are whole.
    fn divided(&self, by: i64) -> Option<Sum> {
        let whole = by > 0 && self.constant % by == 0 && self.terms.iter().all(|t| t.1 % by == 0);
        let terms = self.terms.iter().map(|&(value, factor)| (value, factor / by)).collect();
        whole.then(|| Sum { constant: self.constant / by, terms, resources: Vec::new() })
    }

    /// The sum without addresses, as an index.
    fn build(&self, b: &mut Builder<'_>) -> ValueId {
        let mut sum: Option<ValueId> = None;
        for &(value, factor) in &self.terms {
            let wide = as_index(b, value);
            let part = match factor {
                1 => wide,
                _ => {
                    let factor = arith::index(b, factor);
                    arith::MulI::build(b, wide, factor, &[])
                }
            };
            sum = Some(sum.map_or(part, |s| arith::AddI::build(b, s, part, &[])));
        }
        match sum {
            Some(sum) if self.constant == 0 => sum,
            _ => {
                let constant = arith::index(b, self.constant);
                sum.map_or(constant, |s| arith::AddI::build(b, s, constant, &[]))
            }
        }
    }
}

/// Whether an op gives how far an address that nothing is known of is from the begin of a resource,
/// to which it is added again (`bind-pointers`).
fn is_distance(body: &Body, op: OpId) -> bool {
    let is_begin = |value: ValueId| body.def_op(value).is_some_and(|op| agg::Address::is(body, op));
    let handed = |value: ValueId| match body.def_op(value) {
        Some(op) => agg::Extract::is(body, op) && body.def_op(body.operand(op, 0)).is_none(),
        None => true,
    };
    arith::SubI::is(body, op) && is_begin(body.operand(op, 1)) && handed(body.operand(op, 0))
}

/// The value that a part of another one was made of.
fn part_of(body: &Body, mut whole: ValueId, mut path: Vec<i64>, fuel: u32) -> Option<ValueId> {
    for _ in 0..fuel {
        if path.is_empty() {
            return Some(whole);
        }
        let op = body.def_op(whole)?;
        if agg::Make::is(body, op) {
            whole = *body.operands(op).get(usize::try_from(path.remove(0)).ok()?)?;
        } else if agg::Extract::is(body, op) && body.operands(op).len() == 1 {
            path = [agg::path_of(body, op), path].concat();
            whole = body.operand(op, 0);
        } else if agg::Insert::is(body, op) && body.operands(op).len() == 2 {
            let inserted = agg::path_of(body, op);
            match path.strip_prefix(&inserted[..]) {
                Some(rest) => (whole, path) = (body.operand(op, 0), rest.to_vec()),
                None => whole = body.operand(op, 1),
            }
        } else {
            return None;
        }
    }
    None
}

fn small(value: i64) -> Option<i64> {
    (-MOST..=MOST).contains(&value).then_some(value)
}

/// A number of 64 bits as an index, which is as wide.
fn as_index(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    if b.body.ty(value) == Type::index() {
        return value;
    }
    if let Some(op) = b.body.def_op(value) {
        if arith::ExtSI::is(b.body, op) {
            let narrow = b.body.operand(op, 0);
            return arith::IndexCast::build(b, narrow, Type::index(), &[]);
        }
        if arith::ExtUI::is(b.body, op) {
            let narrow = b.body.operand(op, 0);
            return arith::IndexCastUI::build(b, narrow, Type::index(), &[]);
        }
    }
    arith::IndexCast::build(b, value, Type::index(), &[])
}

/// What an address leads to: a resource, and the offset in it.
struct Pointee {
    function: usize,
    op: OpId,
    /// The type of its elements.
    elem: Type,
    resource: Name,
    /// The resource, in the function.
    base: ValueId,
    offset: Sum,
    /// The accesses to it, and which operand of each chooses an element.
    accesses: Vec<(OpId, usize)>,
}

fn run(module: &mut Module, options: &PointersOptions, report: &mut PassReport) -> PassResult {
    let bound: FxHashSet<Name> = module.symbols().iter().filter(|s| is_bound(s)).map(|s| s.name).collect();
    let pointers: FxHashSet<Name> = module.symbols().iter().filter(|s| is_pointer(s)).map(|s| s.name).collect();
    if options.elements {
        module.symbols_mut().iter_mut().for_each(|symbol| point(&mut symbol.body, &pointers));
    }
    let mut found = Vec::new();
    for (function, symbol) in module.symbols().iter().enumerate() {
        if func::Func::of_symbol(symbol).is_some() {
            find(&symbol.body, function, &bound, &mut found);
        }
    }
    if found.is_empty() {
        return Ok(Changed::No);
    }
    let buffers = if options.elements { elements(module, &found, options.apart) } else { FxHashMap::default() };
    report.count("pointees", found.len() as u64);
    report.count("buffers", buffers.len() as u64);
    for pointee in &found {
        let body = &mut module.symbols_mut()[pointee.function].body;
        match buffers.get(&pointee.resource) {
            Some(_) => as_element(body, pointee),
            None => as_view(body, pointee),
        };
    }
    for symbol in module.symbols_mut() {
        let name = symbol.name;
        if let Some(&ty) = buffers.get(&name) {
            symbol.set_attr("type", Attr::ty(ty));
            symbol.set_attr(AS_BUFFER, Attr::unit());
            let writable = agg::as_buffer(ty).is_some_and(|(_, writable)| writable);
            let kind = if writable { ParamKind::RwBuffer } else { ParamKind::Buffer };
            if let Some(param) = Param::of(symbol) {
                symbol.set_attr(PARAM, Param { kind, ..param }.to_attr());
            }
        }
        let globals: Vec<(OpId, Type)> = symbol
            .body
            .all_ops()
            .filter(|&op| agg::Global::is(&symbol.body, op))
            .filter_map(|op| Some((op, *buffers.get(&agg::resource_name(&symbol.body, op)?)?)))
            .collect();
        for (op, ty) in globals {
            let result = symbol.body.result(op, 0);
            symbol.body.set_type(result, ty);
        }
    }
    Ok(Changed::Yes)
}

fn find(body: &Body, function: usize, bound: &FxHashSet<Name>, found: &mut Vec<Pointee>) {
    for op in body.walk_all().into_iter().filter(|&op| agg::Pointee::is(body, op)) {
        let mut offset = Sum::of(body, body.operand(op, 0), FUEL);
        let [(base, 1)] = offset.resources[..] else { continue };
        offset.resources.clear();
        let resource =
            body.def_op(base).filter(|&g| agg::Global::is(body, g)).and_then(|g| agg::resource_name(body, g));
        let Some(resource) = resource.filter(|name| bound.contains(name)) else { continue };
        let pointee = body.result(op, 0);
        let Some((elem, _)) = agg::as_buffer(body.ty(pointee)) else { continue };
        let Some(accesses) = accesses(body, pointee) else { continue };
        found.push(Pointee { function, op, elem, resource, base, offset, accesses });
    }
}

/// Makes accesses to views of pointers by bytes those by addresses that they have been: each has an
/// offset of its own.
fn point(body: &mut Body, pointers: &FxHashSet<Name>) {
    for view in body.walk_all().into_iter().filter(|&op| agg::View::is(body, op)).collect::<Vec<_>>() {
        let base = body.operand(view, 0);
        let global = body.def_op(base).filter(|&g| agg::Global::is(body, g));
        let name = global.and_then(|g| agg::resource_name(body, g));
        let result = body.result(view, 0);
        let ty = body.ty(result);
        if !name.is_some_and(|name| pointers.contains(&name)) || !agg::is_pointee(ty) {
            continue;
        }
        let Some(found) = accesses(body, result) else { continue };
        for (op, element) in found {
            let index = body.operand(op, element);
            let buffers: Vec<usize> = (0..body.operands(op).len()).filter(|&n| body.operand(op, n) == result).collect();
            let Some(mut b) = Builder::before(body, op) else { continue };
            let begin = agg::Address::build(&mut b, base, Type::i64(), &[]);
            let offset = arith::IndexCast::build(&mut b, index, Type::i64(), &[]);
            let address = arith::AddI::build(&mut b, begin, offset, &[]);
            let pointee = agg::Pointee::build(&mut b, address, ty, &[]);
            let zero = arith::index(&mut b, 0);
            body.set_operand(op, element, zero);
            for n in buffers {
                body.set_operand(op, n, pointee);
            }
        }
        body.erase_op(view);
    }
}

/// The accesses to elements of a buffer, if it has no other uses.
fn accesses(body: &Body, buffer: ValueId) -> Option<Vec<(OpId, usize)>> {
    let access = |u: &caustic_ir::Use| {
        let memory = body.op(u.op).def.memory;
        let entry =
            memory.iter().find(|m| m.operand == u.index as usize && !body.op(u.op).def.operands[m.operand].variadic)?;
        Some((u.op, entry.element?))
    };
    body.uses(buffer).iter().map(access).collect()
}

/// The access is one to a view of the resource by bytes.
fn as_view(body: &mut Body, pointee: &Pointee) -> Option<()> {
    let old = body.result(pointee.op, 0);
    let ty = body.ty(old);
    let mut b = Builder::before(body, pointee.op)?;
    let view = agg::View::build(&mut b, pointee.base, ty, &[]);
    let offset = pointee.offset.build(&mut b);
    replace(body, pointee, (view, offset))
}

/// The access is one to an element of the resource.
fn as_element(body: &mut Body, pointee: &Pointee) -> Option<()> {
    let size = size_of(pointee.elem)?;
    let index = pointee.offset.divided(size)?;
    let mut b = Builder::before(body, pointee.op)?;
    let index = index.build(&mut b);
    replace(body, pointee, (pointee.base, index))
}

fn replace(body: &mut Body, pointee: &Pointee, (buffer, start): (ValueId, ValueId)) -> Option<()> {
    for &(op, element) in &pointee.accesses {
        let further = body.operand(op, element);
        let zero = arith::constant_of(body, further).and_then(|a| a.as_int()) == Some(0);
        let index = match zero {
            true => start,
            false => arith::AddI::build(&mut Builder::before(body, op)?, start, further, &[]),
        };
        body.set_operand(op, element, index);
    }
    let old = body.result(pointee.op, 0);
    body.replace_uses(old, buffer);
    body.erase_op(pointee.op);
    Some(())
}

fn size_of(ty: Type) -> Option<i64> {
    i64::try_from(layout_of(&ty)?.size).ok().filter(|&size| size > 0)
}

/// The pointers all of whose accesses are to whole elements of one type, with their types as
/// buffers.
fn elements(module: &Module, found: &[Pointee], apart: bool) -> FxHashMap<Name, Type> {
    // What a host binds to each, and what the program makes of it.
    let mut sizes: FxHashMap<Name, Option<u64>> = FxHashMap::default();
    let mut types: FxHashMap<Name, Option<Type>> = FxHashMap::default();
    for symbol in module.symbols() {
        if let Some(param) = Param::of(symbol).filter(|p| p.kind == ParamKind::Pointer) {
            sizes.insert(symbol.name, layout_of::<DataType>(&param.ty).map(|l| l.size));
            types.insert(symbol.name, None);
        }
    }
    let mut written: FxHashSet<Name> = FxHashSet::default();
    let (mut left, mut read): (FxHashSet<Name>, FxHashSet<Name>) = Default::default();
    for pointee in found {
        let body = &module.symbols()[pointee.function].body;
        let Some(of) = types.get_mut(&pointee.resource) else { continue };
        let size = size_of(pointee.elem);
        let declared = sizes.get(&pointee.resource).copied().flatten().and_then(|size| i64::try_from(size).ok());
        let whole = size.is_some_and(|size| declared == Some(size) && pointee.offset.divided(size).is_some());
        let first = |&(op, element): &(OpId, usize)| {
            arith::constant_of(body, body.operand(op, element)).and_then(|a| a.as_int()) == Some(0)
        };
        let same = of.is_none_or(|ty| ty == pointee.elem);
        if !whole || !same || !is_plain(pointee.elem) || !pointee.accesses.iter().all(first) {
            left.insert(pointee.resource);
        }
        *of = Some(pointee.elem);
        if pointee.accesses.iter().any(|&(op, _)| !agg::BufferLoad::is(body, op)) {
            written.insert(pointee.resource);
        }
        let reads = |op: OpId| body.results(op).iter().any(|&r| !body.is_unused(r));
        if pointee.elem.scalar_bits().is_none() && pointee.accesses.iter().any(|&(op, _)| reads(op)) {
            read.insert(pointee.resource);
        }
    }
    if apart {
        left.extend(read.intersection(&written));
    }
    // If some address leads to what nobody here knows, it may be any that is used otherwise.
    let pointees = |s: &SymbolOp| s.body.all_ops().filter(|&op| agg::Pointee::is(&s.body, op)).count();
    let all = module.symbols().iter().map(pointees).sum::<usize>() == found.len();
    let resolved: FxHashSet<(usize, OpId)> = found.iter().map(|p| (p.function, p.op)).collect();
    for (function, symbol) in module.symbols().iter().enumerate() {
        let body = &symbol.body;
        for op in body.all_ops().filter(|&op| agg::Global::is(body, op)) {
            let Some(name) = agg::resource_name(body, op).filter(|name| types.contains_key(name)) else { continue };
            let ends = |op: OpId| resolved.contains(&(function, op));
            if !body
                .uses(body.result(op, 0))
                .iter()
                .all(|u| agg::Address::is(body, u.op) && (all || only_leads(body, u.op, &ends, FUEL)))
            {
                left.insert(name);
            }
        }
    }
    let buffer = |(name, ty): (Name, Option<Type>)| {
        Some((name, agg::buffer_type(ty.filter(|_| !left.contains(&name))?, written.contains(&name))))
    };
    types.into_iter().filter_map(buffer).collect()
}

/// Whether what an op gives is used in sums alone that end in some of these ops.
fn only_leads(body: &Body, op: OpId, ends: &dyn Fn(OpId) -> bool, fuel: u32) -> bool {
    let sums = |op: OpId| [arith::AddI::is(body, op), arith::SubI::is(body, op)].contains(&true);
    let leads = |op: OpId| ends(op) || sums(op) && fuel > 0 && only_leads(body, op, ends, fuel - 1);
    body.results(op).iter().all(|&result| body.uses(result).iter().all(|u| leads(u.op)))
}

/// Whether all of an element is read and written with it: scalars, vectors, matrices, and structs
/// of these.
fn is_plain(ty: Type) -> bool {
    match agg::StructType::of(ty) {
        Some(s) => s.fields().all(|f| is_plain(f.ty)),
        // A byte that a host writes for a truth value may be any.
        None => ty.elem() != Type::i1() && (ty.scalar_bits().is_some() || ty.is_vector()),
    }
}
