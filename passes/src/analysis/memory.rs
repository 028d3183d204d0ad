//! Which buffers a program may write, also where they come through structs and parameters.
//!
//! Every value that is a buffer belongs to a *place*: a resource, a field of a type of structs,
//! whatever else has the type of the value, or what pointers lead to. Places that a buffer may go
//! between are one (Steensgaard's union of what may alias, by fields), and a place is written if
//! anything that belongs to it is. A resource that is named where it is used is written if it is so
//! by name, or anything is that it may have come to. What this does not understand writes.
//!
//! A pointer may lead to every resource whose address is taken, whatever the types: what is written
//! through one may be any of these, and what is read through one was written to any. Two resources
//! whose addresses are taken are not each other's for that.
//!
//! Parameters are bound by the calls in the module: nothing is known of them in a module without
//! entry points, whose functions others call.
//!
//! What code does with places ([`Flow`]) is found for each function by itself ([`Flows`]), so that
//! a function that did not change need not be looked at again.

use crate::mutants::{Site, mutant};
use caustic_dialects::place::{memory_use, place_of};
use caustic_dialects::reflect::Entry;
use caustic_dialects::{ad, agg, arith};
use caustic_ir::op::Access;
use caustic_ir::{Body, Effects, Module, Name, OpId, Type, TypeKind, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    Resource(Name),
    Field(Type, usize),
    /// All others of this type.
    Of(Type),
    /// What pointers lead to.
    Pointee,
}

/// What code does with places.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Flow {
    /// A buffer may go from one to the other.
    Join(Place, Place),
    Write(Place),
    /// The address of the buffer is taken: pointers may lead to it.
    Expose(Place),
}

/// The places of a module.
#[derive(PartialEq, Clone, Debug, Default)]
pub struct Written {
    parents: FxHashMap<Place, Place>,
    /// Of representatives.
    written: FxHashSet<Place>,
    /// Representatives of what is written where no name says which of its resources it is.
    unnamed: FxHashSet<Place>,
    /// Resources that are written by their names.
    named: FxHashSet<Name>,
    exposed: Vec<Place>,
    /// Whether nothing but resources is known.
    open: bool,
}

/// The part of `ty` at `path`: a field of the innermost struct on the way, whatever array it is in.
fn part(ty: Type, path: &[i64]) -> Option<Place> {
    let (mut at, mut place) = (ty, None);
    for &step in path {
        if agg::StructType::of(at).is_some() {
            place = Some(Place::Field(at, usize::try_from(step).ok()?));
        }
        at = agg::part_type(at, step.max(-1))?;
    }
    agg::as_buffer(at)?;
    Some(place.unwrap_or(Place::Of(at)))
}

fn is_pointee(body: &Body, value: ValueId) -> bool {
    body.def_op(value).is_some_and(|op| agg::Pointee::is(body, op))
}

/// The place that a buffer belongs to.
#[mutant(Site::PointeesAlone if is_pointee(body, value) => Place::Of(body.ty(value)))]
pub fn place(body: &Body, value: ValueId) -> Place {
    let other = Place::Of(body.ty(value));
    let ValueDef::Result { op, .. } = body.def(value) else { return other };
    if let Some(name) = agg::resource_name(body, op) {
        return Place::Resource(name);
    }
    if is_pointee(body, value) {
        return Place::Pointee;
    }
    match place_of(body, op, &[Access::Views, Access::Projects]) {
        // The same memory, seen as elements of another type.
        Some(viewed) if viewed.access == Access::Views => place(body, viewed.base),
        Some(whole) => part(body.ty(whole.base), &whole.path.unwrap_or_default()).unwrap_or(other),
        None => other,
    }
}

/// The fields of buffers in a type, at any depth.
fn buffers_in(ty: Type, out: &mut Vec<Place>) {
    let mut seen = FxHashSet::default();
    let mut work = vec![ty];
    while let Some(ty) = work.pop() {
        if !seen.insert(ty) {
            continue;
        }
        if let Some(s) = agg::StructType::of(ty) {
            for (i, field) in s.fields().enumerate() {
                match innermost(field.ty) {
                    inner if agg::as_buffer(inner).is_some() => out.push(Place::Field(ty, i)),
                    inner => work.push(inner),
                }
            }
        } else {
            match innermost(ty) {
                inner if agg::as_buffer(inner).is_some() => out.push(Place::Of(inner)),
                inner if inner != ty => work.push(inner),
                _ => {}
            }
        }
    }
}

/// The fields of buffers in types that were asked for: most types hold none, and each is asked for
/// at many ops.
#[derive(Default)]
struct Held(FxHashMap<Type, Rc<[Place]>>);

impl Held {
    fn of(&mut self, ty: Type) -> Rc<[Place]> {
        let find = || {
            let mut found = Vec::new();
            buffers_in(ty, &mut found);
            found.into()
        };
        self.0.entry(ty).or_insert_with(find).clone()
    }
}

/// Without arrays, pairs, slots and tapes around it.
fn innermost(mut ty: Type) -> Type {
    loop {
        let inner = agg::as_array(ty).map(|(_, elem)| elem).or_else(|| agg::as_slot(ty)).or_else(|| agg::as_tape(ty));
        match inner.or_else(|| ad::as_pair(ty)).or_else(|| ad::as_tangent(ty)) {
            Some(inner) => ty = inner,
            None => return ty,
        }
    }
}

/// What the code of one function after the other does with places.
#[derive(Default)]
pub struct Flows {
    held: Held,
    found: Vec<Flow>,
}

impl Flows {
    /// What has been found since this was asked last.
    pub fn take(&mut self) -> Vec<Flow> {
        std::mem::take(&mut self.found)
    }

    fn join(&mut self, a: Place, b: Place) {
        self.found.push(Flow::Join(a, b));
    }

    fn write(&mut self, place: Place) {
        self.found.push(Flow::Write(place));
    }

    /// Adds what an op does with places. `is_known`: whether the module has the code that a call
    /// leads to, so that what it does with its operands is seen there.
    pub fn add(&mut self, body: &Body, op: OpId, is_known: impl Fn() -> bool) {
        let data = body.op(op);
        let passes_on = matches!(data.def.effects, Effects::Pure | Effects::Regions | Effects::Terminator)
            || (data.def.effects == Effects::Call && is_known())
            || agg::Load::is(body, op)
            || agg::Store::is(body, op);
        for (n, &value) in data.operands.iter().enumerate() {
            let ty = body.ty(value);
            // Numbers and vectors hold no buffers.
            if !matches!(ty.kind(), TypeKind::Dialect { .. }) {
                continue;
            }
            if agg::as_buffer(ty).is_none() {
                self.flow_of_parts(body, op, n, passes_on);
                continue;
            }
            let from = place(body, value);
            let entry = memory_use(body, op, n);
            match entry.map(|(entry, _)| entry.access) {
                Some(Access::Reads | Access::Asks | Access::Views) => {}
                Some(Access::Writes | Access::Updates) => self.write(from),
                Some(Access::Becomes) => {
                    let number = entry.map_or(0, |(_, number)| number as i64);
                    let path = place_of(body, op, &[Access::Becomes]).and_then(|place| place.path);
                    let whole = body.ty(body.result(op, 0));
                    self.join(from, part(whole, &path.unwrap_or(vec![number])).unwrap_or(Place::Of(ty)));
                }
                Some(Access::Exposes) => self.found.push(Flow::Expose(from)),
                // Of aggregates, which no buffer is.
                Some(Access::Projects | Access::Replaces | Access::Adds) => self.write(from),
                None if passes_on => {
                    self.join(from, Place::Of(ty));
                    for &result in body.results(op) {
                        if agg::as_buffer(body.ty(result)).is_some() {
                            self.join(from, place(body, result));
                        }
                    }
                }
                None => self.write(from),
            }
        }
    }

    /// Operand `n` of `op` may hold buffers: they keep their places, or nobody knows.
    fn flow_of_parts(&mut self, body: &Body, op: OpId, n: usize, passes_on: bool) {
        let own = self.held.of(body.ty(body.operand(op, n)));
        if own.is_empty() {
            return;
        }
        let accessed = memory_use(body, op, n).map(|(entry, _)| entry.access);
        let keeps = matches!(accessed, Some(Access::Becomes | Access::Replaces | Access::Projects));
        // What an op makes of a struct is the same struct, alone or in a pair.
        let held = &mut self.held;
        let mut same = || body.results(op).iter().all(|&r| held.of(body.ty(r)).iter().all(|p| own.contains(p)));
        let moves = passes_on && (body.op(op).def.effects != Effects::Pure || arith::Select::is(body, op) || same());
        if !keeps && !moves {
            own.iter().for_each(|&p| self.write(p));
        }
    }
}

impl Written {
    /// From what all code does.
    pub fn of<'f>(module: &Module, flows: impl IntoIterator<Item = &'f Flow>) -> Written {
        let mut places =
            Written { open: !module.symbols().iter().any(|s| Entry::of(s).is_some()), ..Written::default() };
        for &flow in flows {
            match flow {
                Flow::Join(a, b) => places.join(a, b),
                Flow::Write(place) => places.write(place),
                Flow::Expose(place) => places.exposed.push(place),
            }
        }
        // Others may write through the pointers that they have.
        if places.open {
            places.write(Place::Pointee);
        }
        places
    }

    fn root(&self, mut place: Place) -> Place {
        while let Some(&parent) = self.parents.get(&place) {
            place = parent;
        }
        place
    }

    fn join(&mut self, a: Place, b: Place) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parents.insert(a, b);
            for places in [&mut self.written, &mut self.unnamed] {
                if places.remove(&a) {
                    places.insert(b);
                }
            }
        }
    }

    fn write(&mut self, place: Place) {
        let root = self.root(place);
        self.written.insert(root);
        match place {
            Place::Resource(name) => _ = self.named.insert(name),
            _ => _ = self.unnamed.insert(root),
        }
    }

    /// Whether something in the module may write the resource.
    pub fn resource(&self, name: Name) -> bool {
        self.reached(Place::Resource(name))
    }

    /// Whether the buffers that belong to a place are written, by their names or through pointers.
    fn reached(&self, place: Place) -> bool {
        let (at, pointee) = (self.root(place), self.root(Place::Pointee));
        let mut exposed = self.exposed.iter().map(|&place| self.root(place));
        // Resources may go the same ways, and one of them be written that stands there by name.
        let written = match place {
            Place::Resource(name) => self.named.contains(&name) || self.unnamed.contains(&at),
            _ => self.written.contains(&at),
        };
        written
            || at == pointee && exposed.any(|place| self.written.contains(&place))
            || self.written.contains(&pointee) && exposed.any(|place| place == at)
    }

    /// Whether something in the module may write this buffer.
    pub fn value(&self, body: &Body, buffer: ValueId) -> bool {
        self.place(place(body, buffer))
    }

    /// Whether something in the module may write a buffer that belongs there.
    pub fn place(&self, place: Place) -> bool {
        (self.open && !matches!(place, Place::Resource(_))) || self.reached(place)
    }
}
