//! Atomic updates of several threads at once, whose results nobody looks at.
//!
//! They are noted where the program makes them, and made before anything that could tell the
//! difference. Memory is read for all of them before the first is written: a locked instruction
//! waits for what comes before it, and nothing behind it begins earlier. What has changed in
//! between is read again.
//!
//! Where all threads update one place, what they bring is added up in registers, in their order:
//! memory has the same bits as if they had come one after the other. Otherwise they take turns,
//! each with all updates that are noted.
//!
//! Updates of one kind, of numbers of one type, can be made in any order; others are not noted
//! together.

use super::assembler::Wide;
use super::value::Val;
use crate::ir::{IntCc, Opcode, Rmw, Value};
use caustic_codegen::{Assembler, Memory};
use caustic_native::Leaf;

/// Updates of one thread that are made at once: of more, registers could not hold the numbers.
const AT_ONCE: usize = 4;

/// A kind of update.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    /// Of floats.
    Sum,
    /// Of integers: LLVM's name of what reduces a vector, and the number that changes nothing.
    Int(Rmw, &'static str, i64),
}

pub struct Update {
    kind: Kind,
    leaf: Leaf,
    address: Val,
    /// The threads that make it; `None` if all do.
    by: Option<Value>,
    value: Val,
}

fn kind_of(name: &str, leaf: Leaf) -> Option<Kind> {
    let (least, most) = match leaf {
        Leaf::F32 | Leaf::F64 => return (name == "add" || name == "addf").then_some(Kind::Sum),
        Leaf::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Leaf::I64 => (i64::MIN, i64::MAX),
        _ => return None,
    };
    Some(match name {
        "add" => Kind::Int(Rmw::LLVMAtomicRMWBinOpAdd, "llvm.vector.reduce.add", 0),
        "and" => Kind::Int(Rmw::LLVMAtomicRMWBinOpAnd, "llvm.vector.reduce.and", -1),
        "or" => Kind::Int(Rmw::LLVMAtomicRMWBinOpOr, "llvm.vector.reduce.or", 0),
        "xor" => Kind::Int(Rmw::LLVMAtomicRMWBinOpXor, "llvm.vector.reduce.xor", 0),
        "minsi" => Kind::Int(Rmw::LLVMAtomicRMWBinOpMin, "llvm.vector.reduce.smin", most),
        "maxsi" => Kind::Int(Rmw::LLVMAtomicRMWBinOpMax, "llvm.vector.reduce.smax", least),
        "minui" => Kind::Int(Rmw::LLVMAtomicRMWBinOpUMin, "llvm.vector.reduce.umin", -1),
        "maxui" => Kind::Int(Rmw::LLVMAtomicRMWBinOpUMax, "llvm.vector.reduce.umax", 0),
        _ => return None,
    })
}

impl Wide<'_, '_> {
    /// Notes an update by those threads for which its place exists; false if it cannot be.
    pub(super) fn note(&mut self, name: &str, leaf: Leaf, address: Val, exists: Option<Val>, value: Val) -> bool {
        let Some(kind) = kind_of(name, leaf).filter(|_| self.lane.is_none()) else { return false };
        if self.updates.first().is_some_and(|u| (u.kind, u.leaf) != (kind, leaf)) {
            self.make_updates();
        }
        let by = match exists {
            None => self.mask,
            Some(exists) => {
                let exists = self.vector(exists);
                Some(self.and_mask(exists))
            }
        };
        self.updates.push(Update { kind, leaf, address, by, value });
        true
    }

    /// Makes the updates that are noted.
    pub(super) fn make_updates(&mut self) {
        let (turns, together): (Vec<Update>, Vec<Update>) = self.updates.drain(..).partition(|u| u.address.varying);
        self.update_together(&together);
        self.update_in_turn(&turns);
    }

    /// A place for what is not to be written. It is read as well.
    fn nowhere(&mut self) -> Value {
        let (place, zero) = (self.slot(0), self.i64(0));
        self.s.unit.ir.store(zero, place, 8);
        place
    }

    /// Memory of the stack by its number, for a scalar of each thread; what uses it has done so
    /// before others do.
    fn slot(&mut self, number: usize) -> Value {
        while self.slots.len() <= number {
            let slot = self.s.unit.ir.alloca(self.s.function, 8 * self.lanes as u64, 64);
            self.slots.push(slot);
        }
        self.slots[number]
    }

    /// Each thread's update of the one place.
    fn update_together(&mut self, updates: &[Update]) {
        let mut ready: Vec<(Value, Value)> = Vec::new();
        let mut nowhere = None;
        for u in updates {
            let (mut address, mut value) = (u.address.v, self.vector(u.value));
            if let Some(by) = u.by {
                let any = self.any(by);
                let nowhere = *nowhere.get_or_insert_with(|| self.nowhere());
                let ir = &mut self.s.unit.ir;
                address = ir.select(any, address, nowhere);
                let nothing = match u.kind {
                    Kind::Sum => ir.float(u.leaf, -0.0),
                    Kind::Int(_, _, nothing) => ir.int(u.leaf, nothing),
                };
                let nothing = ir.splat(nothing, self.lanes);
                value = ir.select(by, value, nothing);
            }
            ready.push((address, value));
        }
        let sum = |w: &mut Self, u: &Update, before: Value, value: Value| match u.kind {
            Kind::Sum => {
                let ty = w.s.unit.ir.type_of(value);
                let before = w.s.with_bits(u.leaf, before);
                let after = w.s.unit.ir.intrinsic("llvm.vector.reduce.fadd", &[ty], &[before, value]);
                w.s.to_bits(u.leaf, after)
            }
            Kind::Int(_, name, _) => {
                let ty = w.s.unit.ir.type_of(value);
                w.s.unit.ir.intrinsic(name, &[ty], &[value])
            }
        };
        self.make(updates, &ready, sum);
    }

    /// Makes updates of these places by these numbers: `sum` gives the bits after an update from
    /// those before.
    fn make(
        &mut self,
        updates: &[Update],
        by: &[(Value, Value)],
        sum: impl Fn(&mut Self, &Update, Value, Value) -> Value,
    ) {
        let befores: Vec<Value> = updates.iter().zip(by).map(|(u, &(address, _))| self.before(u, address)).collect();
        let mut afters = Vec::new();
        for ((u, &(_, value)), &before) in updates.iter().zip(by).zip(&befores) {
            afters.push(sum(self, u, before, value));
        }
        for (at, u) in updates.iter().enumerate() {
            let (address, value) = by[at];
            self.write(u, address, befores[at], afters[at], |w, before| sum(w, u, before, value));
        }
    }

    /// The bits at an address before an update, if these are needed.
    fn before(&mut self, u: &Update, address: Value) -> Value {
        match u.kind {
            Kind::Sum => {
                let ir = &mut self.s.unit.ir;
                let ty = ir.scalar(u.leaf.bits_leaf());
                ir.atomic_load(ty, address, u.leaf.size() as u32)
            }
            Kind::Int(..) => self.i64(0),
        }
    }

    /// Writes what was computed from `before` if that is still there, else what `again` computes
    /// from what is.
    fn write(
        &mut self,
        u: &Update,
        address: Value,
        before: Value,
        after: Value,
        again: impl Fn(&mut Self, Value) -> Value,
    ) {
        if let Kind::Int(how, _, _) = u.kind {
            self.s.unit.ir.atomic_rmw(how, address, after);
            return;
        }
        let (retry, done) = (self.cold_block(), self.block());
        let ir = &mut self.s.unit.ir;
        let found = ir.atomic_cas(address, before, after);
        let same = ir.icmp(IntCc::LLVMIntEQ, found, before);
        let (first, ty) = (ir.here(), ir.type_of(found));
        self.s.branch(same, done, &[], retry, &[]);
        self.switch_to(retry);
        let expected = self.s.unit.ir.phi_here(ty, &[(found, first)]);
        let after = again(self, expected);
        let ir = &mut self.s.unit.ir;
        let found = ir.atomic_cas(address, expected, after);
        let same = ir.icmp(IntCc::LLVMIntEQ, found, expected);
        let end = ir.here();
        ir.add_incoming(expected, found, end);
        self.s.branch(same, done, &[], retry, &[]);
        self.switch_to(done);
    }

    /// Each thread's updates, one thread after the other.
    fn update_in_turn(&mut self, updates: &[Update]) {
        let Some(first) = updates.first() else { return };
        let by = if updates.iter().all(|u| u.by == first.by) {
            first.by
        } else {
            // Who makes only some makes the others nowhere.
            updates.iter().map(|u| u.by).reduce(|a, b| Some(self.s.unit.ir.binary(Opcode::LLVMOr, a?, b?))).flatten()
        };
        // Kept in memory, where each thread's can be read by its number.
        let mut kept: Vec<(Value, Option<Value>)> = Vec::new();
        for (at, u) in updates.iter().enumerate() {
            let mut address = u.address.v;
            if let Some(own) = u.by.filter(|_| u.by != by) {
                let nowhere = self.nowhere();
                let nowhere = self.s.unit.ir.splat(nowhere, self.lanes);
                address = self.s.unit.ir.select(own, address, nowhere);
            }
            let (addresses, values) = (self.slot(1 + 2 * at), self.slot(2 + 2 * at));
            self.s.unit.ir.store(address, addresses, 64);
            if u.value.varying {
                self.s.unit.ir.store(u.value.v, values, 64);
            }
            kept.push((addresses, u.value.varying.then_some(values)));
        }
        let by = match by {
            Some(by) => by,
            None => {
                let one = self.s.unit.ir.flag(true);
                self.s.unit.ir.constants(&vec![one; self.lanes])
            }
        };
        let (looped, join) = (self.block(), self.block());
        let any = self.any(by);
        let bits = self.mask_bits(by);
        let entered = self.s.unit.ir.here();
        self.s.branch(any, looped, &[], join, &[]);
        self.switch_to(looped);
        let ty = self.s.unit.ir.type_of(bits);
        let left = self.s.unit.ir.phi_here(ty, &[(bits, entered)]);
        let lane = self.lowest(left);
        for (some, kept) in updates.chunks(AT_ONCE).zip(kept.chunks(AT_ONCE)) {
            self.take_turn(some, kept, lane);
        }
        let ir = &mut self.s.unit.ir;
        let (one, zero) = (ir.constant_int(ty, 1), ir.constant_int(ty, 0));
        let less = ir.binary(Opcode::LLVMSub, left, one);
        let rest = ir.binary(Opcode::LLVMAnd, left, less);
        let more = ir.icmp(IntCc::LLVMIntNE, rest, zero);
        let end = ir.here();
        ir.add_incoming(left, rest, end);
        self.s.branch(more, looped, &[], join, &[]);
        self.switch_to(join);
    }

    /// Some of one thread's updates.
    fn take_turn(&mut self, updates: &[Update], kept: &[(Value, Option<Value>)], lane: Value) {
        let mut own: Vec<(Value, Value)> = Vec::new();
        for (u, &(addresses, values)) in updates.iter().zip(kept) {
            let read = |w: &mut Self, from: Value, leaf: Leaf| {
                let at = w.s.element(from, lane, leaf.size(), Memory::Words);
                let ty = w.s.unit.ir.scalar(leaf);
                w.s.unit.ir.load(ty, at, leaf.size() as u32)
            };
            let address = read(self, addresses, Leaf::Addr);
            let value = match values {
                Some(values) => read(self, values, u.leaf),
                None => u.value.v,
            };
            own.push((address, value));
        }
        let sum = |w: &mut Self, u: &Update, before: Value, value: Value| match u.kind {
            Kind::Sum => {
                let before = w.s.with_bits(u.leaf, before);
                let after = w.s.unit.ir.binary(Opcode::LLVMFAdd, before, value);
                w.s.to_bits(u.leaf, after)
            }
            Kind::Int(..) => value,
        };
        self.make(updates, &own, sum);
    }
}
