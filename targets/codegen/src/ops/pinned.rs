//! Tapes in loops: what their accesses ask is asked once, before the loop.
//!
//! A tape that a loop only reads stays where it is and as long as it is. A tape that a counted loop
//! fills, one element in each iteration, gets room for all of them before the first, and has that
//! length from then on; if there is no such room the dispatch ends there and not in the middle.
//! Nothing else is known of such loops, and other tapes grow as they are written ([`super::tape`]).
//!
//! Only slots of the function itself are looked at, so that all their uses are seen.

use super::storage::{Place, Skip};
use super::value::Step;
use crate::assembler::{Assembler, Compare, Flat, Memory, Only};
use crate::emit::Emit;
use caustic_dialects::place::{self, places};
use caustic_dialects::{agg, arith, scf};
use caustic_ir::op::Access;
use caustic_ir::{BlockId, Body, Diagnostic, OpId, Type, ValueId};
use caustic_native::{Helper, Leaf, flat, has_tapes};

/// One step of a path, as the op names it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    At(i64),
    By(ValueId),
}

/// A tape whose place is known in a loop.
#[derive(Clone)]
pub(crate) struct Pin<V> {
    around: OpId,
    slot: ValueId,
    /// From the slot to the tape.
    path: Vec<Part>,
    tape: Type,
    known: Known<V>,
}

#[derive(Clone, Copy)]
enum Known<V> {
    /// It is only read; in `full` iterations all of it, if that is so.
    Read { numbers: Numbers<V>, full: bool },
    /// Its elements are written where they lie.
    Filled(V),
}

/// Of a tape: where its elements lie, how many there are, and for how many there is room, which
/// only several threads ask.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<V> {
    pub data: V,
    pub len: V,
    pub room: Option<V>,
}

/// What an op does with a slot.
enum Use {
    Reads(Vec<Part>),
    /// Something that takes the whole slot and only reads it.
    ReadsAll,
    Stores(Vec<Part>),
    Other,
}

fn parts(place: &place::Place<'_>) -> Vec<Part> {
    let mut indices = place.indices.iter();
    let part = |&step: &i64| if step < 0 { indices.next().map(|&v| Part::By(v)) } else { Some(Part::At(step)) };
    place.path.iter().flatten().map_while(part).collect()
}

fn use_of(body: &Body, op: OpId, slot: ValueId) -> Use {
    let found = places(body, op);
    let mut named = found.iter().filter(|place| place.base == slot);
    let once = body.operands(op).iter().filter(|&&v| v == slot).count() == 1;
    match named.next().filter(|_| once) {
        Some(place) if place.access == Access::Reads && place.path.is_none() => Use::ReadsAll,
        Some(place) if place.access == Access::Reads => Use::Reads(parts(place)),
        // What else is written may come from a place that is not there.
        Some(place) if agg::Store::is(body, op) => Use::Stores(parts(place)),
        _ => Use::Other,
    }
}

fn is_within(body: &Body, op: OpId, around: OpId) -> bool {
    let mut at = Some(op);
    while let Some(op) = at {
        if op == around {
            return true;
        }
        at = body.op(op).block.and_then(|block| body.parent_op(block));
    }
    false
}

/// Whether a loop finds the value made.
fn is_made_before(body: &Body, value: ValueId, around: OpId) -> bool {
    let block = body.def_block(value);
    !block.is_some_and(|b| {
        body.op(around).regions.iter().any(|&r| body.region(r).blocks.iter().any(|&own| body.is_block_within(b, own)))
    })
}

/// The tapes on a path, by how many steps lead there.
fn tapes_on(ty: Type, path: &[Part]) -> Vec<(usize, Type)> {
    let mut found = Vec::new();
    let mut ty = ty;
    for (at, part) in path.iter().enumerate() {
        if agg::as_tape(ty).is_some() {
            found.push((at, ty));
        }
        let index = if let Part::At(i) = part { *i } else { 0 };
        match agg::as_tape(ty).or_else(|| agg::part_type(ty, index)) {
            Some(part) => ty = part,
            None => break,
        }
    }
    found
}

/// Whether a loop counts from 0 by 1.
fn counts(body: &Body, op: OpId) -> bool {
    let constant = |v: ValueId| arith::constant_of(body, v).and_then(|a| a.as_int());
    scf::For::cast(body, op).is_some_and(|l| constant(l.lower(body)) == Some(0) && constant(l.step(body)) == Some(1))
}

/// Whether `later` stands behind `op` in its block.
fn follows(body: &Body, op: OpId, later: OpId) -> bool {
    let mut next = body.next_op(op);
    while let Some(op) = next.filter(|&op| op != later) {
        next = body.next_op(op);
    }
    next.is_some()
}

/// Whether `op` has run whenever `later` does, in this iteration of what is around it.
fn stands_before(body: &Body, op: OpId, later: OpId) -> bool {
    let mut at = Some(later);
    while let Some(outer) = at {
        if body.op(outer).block == body.op(op).block {
            return follows(body, op, outer);
        }
        at = body.op(outer).block.and_then(|block| body.parent_op(block));
    }
    false
}

/// Whether a step is the number of an iteration of a counted loop, from the beginning or from the
/// end.
fn is_below_count(body: &Body, step: Part, around: OpId) -> bool {
    let (Part::By(index), Some(block)) = (step, body.region_block(around, 0)) else { return false };
    let (counter, count) = (body.args(block)[0], scf::For(around).upper(body));
    let constant = |v: ValueId| arith::constant_of(body, v).and_then(|a| a.as_int());
    let last = |v: ValueId| {
        let op = body.def_op(v);
        op.and_then(|op| arith::AddI::cast(body, op))
            .is_some_and(|a| a.lhs(body) == count && constant(a.rhs(body)) == Some(-1))
            || op
                .and_then(|op| arith::SubI::cast(body, op))
                .is_some_and(|s| s.lhs(body) == count && constant(s.rhs(body)) == Some(1))
    };
    let from_end = body.def_op(index).and_then(|op| arith::SubI::cast(body, op));
    index == counter || from_end.is_some_and(|s| s.rhs(body) == counter && last(s.lhs(body)))
}

impl<'m, A: Assembler<'m>> Emit<'m, A> {
    /// Before a loop: what is known of the tapes in it.
    pub fn pin_tapes(&mut self, op: OpId) -> Result<(), Diagnostic> {
        if self.tape_slots.is_empty() {
            return Ok(());
        }
        let body = self.body;
        for slot in self.tape_slots.clone() {
            let mut inside: Vec<OpId> =
                body.uses(slot).iter().map(|u| u.op).filter(|&user| user != op && is_within(body, user, op)).collect();
            inside.dedup();
            let uses: Vec<(OpId, Use)> = inside.into_iter().map(|user| (user, use_of(body, user, slot))).collect();
            if uses.iter().all(|(_, u)| matches!(u, Use::Reads(_) | Use::ReadsAll)) {
                for (_, found) in &uses {
                    if let Use::Reads(path) = found {
                        self.pin_read(op, slot, path)?;
                    }
                }
            } else if let Some(filled) = self.filled(op, slot, &uses) {
                for (path, tape) in filled {
                    self.pin_filled(op, slot, path, tape)?;
                }
            }
        }
        Ok(())
    }

    fn is_pinned(&self, op: OpId, slot: ValueId, path: &[Part]) -> bool {
        self.pins.iter().any(|pin| pin.slot == slot && pin.path == path && is_within(self.body, op, pin.around))
    }

    fn slot_type(&self, slot: ValueId) -> Result<Type, Diagnostic> {
        agg::as_slot(self.ty(slot)).ok_or_else(|| self.internal("not a slot"))
    }

    /// Whether an address that the indices lead to can be one for all threads.
    fn is_common(&self, path: &[Part]) -> bool {
        self.a.together() == 1 || path.iter().all(|part| matches!(part, Part::At(_)))
    }

    /// Whether a tape has an element for each iteration of a loop: one that stands before and runs
    /// as often has filled it, and nobody has written it since.
    fn is_full(&self, op: OpId, slot: ValueId, path: &[Part]) -> bool {
        let body = self.body;
        let fills = |pin: &&Pin<A::Value>| {
            pin.slot == slot
                && pin.path == path
                && matches!(pin.known, Known::Filled(_))
                && counts(body, op)
                && scf::For(pin.around).upper(body) == scf::For(op).upper(body)
                && stands_before(body, pin.around, op)
        };
        let Some(fill) = self.pins.iter().find(fills).map(|pin| pin.around) else { return false };
        let cleared = |user: OpId| agg::Clear::is(body, user) && follows(body, user, fill);
        body.uses(slot).iter().all(|u| {
            is_within(body, u.op, fill)
                || cleared(u.op)
                || matches!(use_of(body, u.op, slot), Use::Reads(_) | Use::ReadsAll)
        })
    }

    fn steps_of(&mut self, path: &[Part], inside: bool) -> Result<Vec<Step<A::Value>>, Diagnostic> {
        let mut steps = Vec::new();
        for part in path {
            steps.push(match *part {
                Part::At(i) => Step::Static(i),
                Part::By(v) if inside => Step::Inside(self.index(v)?),
                Part::By(v) => Step::Dynamic(self.index(v)?),
            });
        }
        Ok(steps)
    }

    /// The deepest tape on the way that is known here, and how many steps lead to it.
    fn pin_of(&self, op: OpId, slot: ValueId, path: &[Part]) -> Option<&Pin<A::Value>> {
        let fits = |pin: &&Pin<A::Value>| {
            pin.slot == slot
                && pin.path.len() < path.len()
                && path.starts_with(&pin.path)
                && is_within(self.body, op, pin.around)
        };
        self.pins.iter().filter(fits).max_by_key(|pin| pin.path.len())
    }

    /// The place in a slot that an op reads, with the steps of its path.
    pub(super) fn find_in_slot(
        &mut self,
        op: OpId,
        place: &place::Place<'_>,
        steps: &[Step<A::Value>],
    ) -> Result<Place<A::Value>, Diagnostic> {
        let path = if self.pins.is_empty() { Vec::new() } else { parts(place) };
        self.find_along(op, place.base, &path, steps)
    }

    fn find_along(
        &mut self,
        op: OpId,
        slot: ValueId,
        path: &[Part],
        steps: &[Step<A::Value>],
    ) -> Result<Place<A::Value>, Diagnostic> {
        let (addr, ty) = (self.get1(slot)?, self.slot_type(slot)?);
        let mut place = Place { addr, offset: 0, ty, exists: None, memory: Memory::Local };
        let found = self.pin_of(op, slot, path).map(|pin| (pin.path.len(), pin.tape, pin.known, pin.around));
        let Some((at, tape, Known::Read { numbers, full }, around)) = found else { return self.follow(place, steps) };
        let elem = agg::as_tape(tape).ok_or_else(|| self.internal("not a tape"))?;
        if full && is_below_count(self.body, path[at], around) {
            place.addr = numbers.data;
            let index = self.step_value(steps[at]);
            self.element(&mut place, index, elem)?;
        } else {
            self.tape_element(&mut place, numbers, steps[at], elem)?;
        }
        self.follow(place, &steps[at + 1..])
    }

    /// The place that an op fills, if that is known.
    pub(super) fn filled_place(
        &mut self,
        op: OpId,
        place: &place::Place<'_>,
        steps: &[Step<A::Value>],
    ) -> Result<Option<Place<A::Value>>, Diagnostic> {
        if self.pins.is_empty() {
            return Ok(None);
        }
        let path = parts(place);
        let found = self.pin_of(op, place.base, &path).map(|pin| (pin.tape, pin.known));
        let (Some((tape, Known::Filled(data))), Some(&last)) = (found, steps.last()) else { return Ok(None) };
        let elem = agg::as_tape(tape).ok_or_else(|| self.internal("not a tape"))?;
        let mut place = Place { addr: data, offset: 0, ty: tape, exists: None, memory: Memory::Local };
        let index = self.step_value(last);
        self.element(&mut place, index, elem)?;
        Ok(Some(place))
    }

    fn pin_read(&mut self, op: OpId, slot: ValueId, path: &[Part]) -> Result<(), Diagnostic> {
        let (body, ty) = (self.body, self.slot_type(slot)?);
        let made = |part: &Part| if let Part::By(v) = part { is_made_before(body, *v, op) } else { true };
        let known = |&(at, _): &(usize, Type)| path[..at].iter().all(made) && self.is_common(&path[..at]);
        let Some((at, tape)) = tapes_on(ty, path).into_iter().rev().find(known) else { return Ok(()) };
        if self.is_pinned(op, slot, &path[..at]) {
            return Ok(());
        }
        let path = path[..at].to_vec();
        let steps = self.steps_of(&path, false)?;
        let place = self.find_along(op, slot, &path, &steps)?;
        let known = Known::Read { numbers: self.tape_numbers(place), full: self.is_full(op, slot, &path) };
        self.pins.push(Pin { around: op, slot, path, tape, known });
        Ok(())
    }

    /// The tapes that a loop fills, if that is all that it does with the slot: it counts from 0 by
    /// 1 and stores the element that has its number, as a whole, whatever happens.
    fn filled(&self, op: OpId, slot: ValueId, uses: &[(OpId, Use)]) -> Option<Vec<(Vec<Part>, Type)>> {
        let body = self.body;
        let block: BlockId = body.region_block(op, 0).filter(|_| counts(body, op))?;
        let counter = *body.args(block).first().filter(|&&counter| self.ty(counter) == Type::index())?;
        let ty = self.slot_type(slot).ok()?;
        let mut found: Vec<(Vec<Part>, Type)> = Vec::new();
        for (user, used) in uses {
            let Use::Stores(path) = used else { return None };
            let (last, before) = path.split_last()?;
            let &(at, tape) = tapes_on(ty, path).last()?;
            let made = |part: &Part| if let Part::By(v) = part { is_made_before(body, *v, op) } else { true };
            let elem = agg::as_tape(tape)?;
            // Where an index is not inside for sure, there may be no such tape.
            let there =
                before.iter().all(|part| matches!(part, Part::At(_))) || body.attr(*user, agg::INSIDE).is_some();
            let fits = there
                && *last == Part::By(counter)
                && at == before.len()
                && body.op(*user).block == Some(block)
                && before.iter().all(made)
                && self.is_common(before)
                && !has_tapes(elem)
                && flat::leaf_offsets(elem).is_some();
            if !fits || self.is_pinned(op, slot, before) {
                return None;
            }
            if !found.iter().any(|(path, _)| path == before) {
                found.push((before.to_vec(), tape));
            }
        }
        Some(found)
    }

    fn pin_filled(&mut self, op: OpId, slot: ValueId, path: Vec<Part>, tape: Type) -> Result<(), Diagnostic> {
        let count = self.get1(scf::For(op).upper(self.body))?;
        let none = self.i64(0);
        let any = self.a.compare(Compare::SignedLess, Leaf::I64, none, count);
        let (desc, ty) = (self.tape_desc(tape)?, self.slot_type(slot)?);
        let steps = self.steps_of(&path, true)?;
        let base = self.get1(slot)?;
        let data = if self.a.together() > 1 {
            let place = self.find(base, ty, &steps, Memory::Local)?;
            let at = self.address(place);
            let count = self.a.select(any, count, none);
            let mut reserve = |e: &mut Self| {
                let (context, who, together) = (e.a.context(), e.a.own_bits(), e.i64(e.a.together() as i64));
                let (desc, site) = (e.i64(desc), e.site());
                let failed = e.helper1(Helper::ReserveWide, &[context, at, count, desc, who, together, site]);
                Ok(Flat::from_slice(&[e.a.resize(Leaf::I32, Leaf::I1, failed, false)]))
            };
            let failed = match self.a.is_common(count) && self.a.is_common(at) {
                true => reserve(self)?,
                false => A::each(self, Some(Only::If(any)), &[Leaf::I1], &mut reserve)?,
            };
            let failed = self.a.any_of(failed[0]);
            self.exit_if(failed);
            self.a.load_common(Leaf::Addr, at, 0)
        } else {
            let (some, done) = (self.a.block(), self.a.block());
            let data = self.a.param(done, Leaf::Addr);
            let null = self.a.null();
            self.a.branch(any, some, &[], done, &[null]);
            self.a.switch_to(some);
            let mut skip = Skip::new();
            let place = self.target(base, ty, &steps, &mut skip)?;
            if skip.is_possible() {
                return Err(self.internal("a tape that may not be there is filled"));
            }
            let at = self.address(place);
            let (context, desc, site) = (self.a.context(), self.i64(desc), self.site());
            let room = self.helper1(Helper::Reserve, &[context, at, count, desc, site]);
            self.exit_if_null(room);
            self.a.jump(done, &[room]);
            self.a.switch_to(done);
            data
        };
        self.pins.push(Pin { around: op, slot, path, tape, known: Known::Filled(data) });
        Ok(())
    }
}
