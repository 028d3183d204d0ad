//! Reading and writing for several threads at once.
//!
//! Local storage holds each scalar once for every thread, side by side: all sizes and offsets are
//! as many times larger as threads run together, and an address is that of the first thread's
//! scalar. Other memory is laid out as everywhere. Where the threads' scalars follow each other at
//! equal distances they are read together; whether they do is decided where the code runs, if it
//! cannot be before.

use super::assembler::Wide;
use super::value::{Line, Val};
use crate::ir::{IntCc, Opcode, Ty, Value};
use caustic_codegen::{Assembler, Memory};
use caustic_native::Leaf;

/// Scalars from one thread's to the next up to which all that lies between is read as well.
const NEAR: u64 = 8;

impl Wide<'_, '_> {
    fn scale(&self, memory: Memory) -> i64 {
        if memory == Memory::Local { self.lanes as i64 } else { 1 }
    }

    pub(super) fn moved(&mut self, address: Val, bytes: i64, memory: Memory) -> Val {
        let bytes = bytes * self.scale(memory);
        let amount = self.i64(bytes);
        if !address.varying || self.lane.is_some() {
            let address = self.one(address);
            return Val::uniform(self.s.unit.ir.at(address, amount));
        }
        let line = address.line.map(|line| {
            let first = self.s.unit.ir.at(line.first, amount);
            Line { first, whole: false, ..line }
        });
        Val { line, ..Val::varying(self.s.unit.ir.at(address.v, amount)) }
    }

    pub(super) fn indexed(&mut self, address: Val, index: Val, stride: u64, memory: Memory) -> Val {
        let stride = stride as i64 * self.scale(memory);
        if self.lane.is_some() || !address.varying && !index.varying {
            let (address, index) = (self.one(address), self.one(index));
            return Val::uniform(self.s.element(address, index, stride as u64, Memory::Words));
        }
        let times = |w: &mut Self, x: Value, wide: bool| {
            let ir = &mut w.s.unit.ir;
            let stride =
                if wide { ir.wide(w.lanes, |ir| ir.int(Leaf::I64, stride)) } else { ir.int(Leaf::I64, stride) };
            ir.binary(Opcode::LLVMMul, x, stride)
        };
        let line = match (address.line, index.line) {
            (None, Some(line)) if !address.varying => line.step.checked_mul(stride).map(|step| {
                let bytes = times(self, line.first, false);
                let first = self.s.unit.ir.at(address.v, bytes);
                Line { first, step, valid: line.valid, whole: line.step == 1 }
            }),
            (Some(line), None) if !index.varying => {
                let bytes = times(self, index.v, false);
                let first = self.s.unit.ir.at(line.first, bytes);
                Some(Line { first, whole: false, ..line })
            }
            _ => None,
        };
        let line = line.filter(|_| memory != Memory::Local);
        let bytes = times(self, index.v, index.varying);
        Val { line, ..Val::varying(self.s.unit.ir.at(address.v, bytes)) }
    }

    /// How far the address of a vector can be relied on.
    pub(super) fn align(&self, leaf: Leaf, memory: Memory) -> u32 {
        match memory {
            Memory::Local => (leaf.size() * self.lanes as u64).min(16) as u32,
            Memory::Constant | Memory::Words => leaf.size() as u32,
            Memory::Resource(_) => 1,
        }
    }
    fn in_memory(&self, leaf: Leaf) -> Ty {
        self.wide_ty(if leaf == Leaf::I1 { Leaf::I8 } else { leaf })
    }
    /// A vector as it was read.
    fn as_read(&mut self, leaf: Leaf, raw: Value) -> Value {
        if leaf != Leaf::I1 {
            return raw;
        }
        let ty = self.in_memory(leaf);
        let zero = self.s.unit.ir.null(ty);
        self.s.unit.ir.icmp(IntCc::LLVMIntNE, raw, zero)
    }
    pub(super) fn as_written(&mut self, leaf: Leaf, value: Value) -> Value {
        if leaf != Leaf::I1 {
            return value;
        }
        let ty = self.in_memory(leaf);
        self.s.unit.ir.cast(Opcode::LLVMZExt, value, ty)
    }
    /// The bytes of each thread's own in local storage.
    fn own(&mut self, leaf: Leaf) -> Value {
        let size = leaf.size() as i64;
        let own: Vec<Value> = (0..self.lanes as i64).map(|i| self.i64(i * size)).collect();
        self.s.unit.ir.constants(&own)
    }
    /// The address of this thread's scalar in local storage.
    fn own_address(&mut self, leaf: Leaf, address: Value, memory: Memory) -> Value {
        match self.lane {
            Some(lane) if memory == Memory::Local => self.s.element(address, lane, leaf.size(), Memory::Words),
            _ => address,
        }
    }

    // ----- reading

    pub(super) fn load_any(
        &mut self,
        leaf: Leaf,
        address: Val,
        offset: i64,
        memory: Memory,
        exists: Option<Val>,
    ) -> Val {
        let single = self.lane.is_some() || !address.varying && memory != Memory::Local;
        if single {
            let base = self.one(address);
            let bytes = self.i64(offset * self.scale(memory));
            let at = self.s.unit.ir.at(base, bytes);
            let at = self.own_address(leaf, at, memory);
            let value = Val::uniform(self.s.load(leaf, at, 0, memory));
            return self.or_zero(leaf, value, exists);
        }
        let line = address.line;
        let at = self.moved(address, offset, memory);
        if !address.varying {
            let value = self.read_vector(leaf, at.v, memory);
            // What was never written must at least be one and the same wherever it is used: it may
            // lead to an address.
            let value = self.s.unit.ir.freeze(value);
            let value = self.as_read(leaf, value);
            return self.or_zero(leaf, Val::varying(value), exists);
        }
        let (Some(line), Some(there)) = (line, at.line) else {
            return Val::varying(self.gather(leaf, at.v, memory, exists));
        };
        // Where all exist nobody has to look at each.
        let all = exists.and_then(|e| if e.varying { e.all } else { None });
        let here = self.everyone(memory, exists);
        let all = self.both(all, here);
        match if self.in_line == Some(true) { None } else { self.both(line.valid, all) } {
            None => {
                let together = self.read_line(leaf, line, there.first, offset, memory);
                if self.in_line == Some(true) {
                    return Val::varying(together);
                }
                self.or_zero(leaf, Val::varying(together), exists)
            }
            Some(valid) => {
                let (fast, slow, join) = (self.block(), self.block(), self.block());
                self.s.branch(valid, fast, &[], slow, &[]);
                self.switch_to(fast);
                let mut together = self.read_line(leaf, line, there.first, offset, memory);
                if exists.is_none_or(|e| !e.varying || e.all.is_none()) {
                    together = self.or_zero(leaf, Val::varying(together), exists).v;
                }
                let fast_end = self.s.unit.ir.here();
                self.s.jump(join, &[]);
                self.switch_to(slow);
                let gathered = self.gather(leaf, at.v, memory, exists);
                let slow_end = self.s.unit.ir.here();
                self.s.jump(join, &[]);
                self.switch_to(join);
                let ty = self.s.unit.ir.type_of(together);
                Val::varying(self.s.unit.ir.phi_here(ty, &[(together, fast_end), (gathered, slow_end)]))
            }
        }
    }

    /// The condition that all threads take part, of a read in a resource that nobody looked at for
    /// those that do not: there may be nothing at their places.
    fn everyone(&mut self, memory: Memory, exists: Option<Val>) -> Option<Value> {
        let mask = self.mask.filter(|_| exists.is_none() && matches!(memory, Memory::Resource(_)))?;
        let bits = self.mask_bits(mask);
        let ir = &mut self.s.unit.ir;
        let ty = ir.type_of(bits);
        let all = ir.all_ones(ty);
        Some(ir.icmp(IntCc::LLVMIntEQ, bits, all))
    }

    fn or_zero(&mut self, leaf: Leaf, value: Val, exists: Option<Val>) -> Val {
        let Some(exists) = exists else { return value };
        let zero = self.zero(leaf);
        let value = self.select(exists, value, zero);
        Val { line: None, ..value }
    }

    fn read_vector(&mut self, leaf: Leaf, address: Value, memory: Memory) -> Value {
        let (ty, align) = (self.in_memory(leaf), self.align(leaf, memory));
        let value = self.s.unit.ir.load(ty, address, align);
        self.s.annotate(value, memory);
        value
    }

    /// Each thread's scalar from an address of its own; zero where it does not exist.
    pub(super) fn gather(&mut self, leaf: Leaf, addresses: Value, memory: Memory, exists: Option<Val>) -> Value {
        let addresses = if memory == Memory::Local {
            let own = self.own(leaf);
            self.s.unit.ir.at(addresses, own)
        } else {
            addresses
        };
        let ty = self.in_memory(leaf);
        let exists = exists.map(|e| self.vector(e));
        // Addresses of threads that do not take part can be read, too, but for those in buffers
        // that such a thread never chose, and those in local storage whose index is inside for all
        // that do take part and was never looked at.
        let mask = match memory {
            Memory::Constant | Memory::Resource(None) | Memory::Local => self.active(),
            Memory::Resource(_) if exists.is_none() => self.active(),
            _ => {
                let all = Val::uniform(self.s.unit.ir.flag(true));
                self.vector(all)
            }
        };
        let pointers = self.s.unit.ir.type_of(addresses);
        let zero = self.s.unit.ir.null(ty);
        let align = if memory == Memory::Local { leaf.size() } else { u64::from(self.align(leaf, memory)) };
        let align = self.s.unit.ir.constant_int(self.s.unit.ir.bits(32), align);
        let raw = self.s.unit.ir.intrinsic("llvm.masked.gather", &[ty, pointers], &[addresses, align, mask, zero]);
        self.s.annotate(raw, memory);
        let raw = if memory == Memory::Local { self.s.unit.ir.freeze(raw) } else { raw };
        let raw = match exists {
            Some(exists) => self.s.unit.ir.select(exists, raw, zero),
            None => raw,
        };
        self.as_read(leaf, raw)
    }

    /// The scalars at `offset` from the addresses of a line, the first of which is `first`.
    fn read_line(&mut self, leaf: Leaf, line: Line, first: Value, offset: i64, memory: Memory) -> Value {
        let (size, step) = (leaf.size() as i64, line.step);
        if step == size {
            let raw = self.read_vector(leaf, first, memory);
            return self.as_read(leaf, raw);
        }
        let near = line.whole && step > 0 && step % size == 0 && (step / size) as u64 <= NEAR;
        if near && offset % size == 0 && offset >= 0 && offset + size <= step && leaf != Leaf::Addr {
            let apart = (step / size) as usize;
            let elem = self.s.unit.ir.scalar(if leaf == Leaf::I1 { Leaf::I8 } else { leaf });
            let ty = self.s.unit.ir.vector(elem, self.lanes * apart);
            let everything = self.s.unit.ir.load(ty, line.first, 1);
            self.s.annotate(everything, memory);
            let picks: Vec<usize> = (0..self.lanes).map(|i| (offset / size) as usize + i * apart).collect();
            let raw = self.s.unit.ir.shuffle(everything, everything, &picks);
            return self.as_read(leaf, raw);
        }
        let ty = self.wide_ty(leaf);
        let apart = step / size;
        if step > 0 && step % size == 0 && apart * 2 <= self.lanes as i64 && leaf != Leaf::Addr {
            let raw = self.read_pieces(leaf, first, apart, memory);
            return self.as_read(leaf, raw);
        }
        let mut out = self.s.unit.ir.null(ty);
        for i in 0..self.lanes as i64 {
            let (bytes, lane) = (self.i64(i * step), self.i64(i));
            let at = self.s.unit.ir.at(first, bytes);
            let one = self.s.load(leaf, at, 0, memory);
            out = self.s.unit.ir.with_element(out, one, lane);
        }
        out
    }

    /// The scalars at equal distances, by vectors in each of which there are several. Nothing
    /// before the first scalar nor behind the last is read.
    fn read_pieces(&mut self, leaf: Leaf, first: Value, apart: i64, memory: Memory) -> Value {
        let (lanes, size) = (self.lanes as i64, leaf.size() as i64);
        let ty = self.in_memory(leaf);
        let last = (lanes - 1) * apart;
        let mut so_far: Option<Value> = None;
        let mut done = 0;
        while done < lanes {
            // The last vector ends with the last scalar.
            let start = (done * apart).min(last + 1 - lanes);
            let held = (start + lanes - 1) / apart + 1;
            let bytes = self.i64(start * size);
            let at = self.s.unit.ir.at(first, bytes);
            let piece = self.s.unit.ir.load(ty, at, 1);
            self.s.annotate(piece, memory);
            let picks: Vec<usize> = (0..lanes)
                .map(|i| match i {
                    _ if i < done => i as usize,
                    _ if i < held => (lanes + i * apart - start) as usize,
                    _ => lanes as usize,
                })
                .collect();
            let before = so_far.unwrap_or(piece);
            so_far = Some(self.s.unit.ir.shuffle(before, piece, &picks));
            done = held.min(lanes);
        }
        so_far.unwrap_or_else(|| self.s.unit.ir.null(ty))
    }

    // ----- writing

    pub(super) fn store_any(&mut self, leaf: Leaf, value: Val, address: Val, offset: i64, memory: Memory) {
        if self.lane.is_some() || !address.varying && memory != Memory::Local {
            let base = self.one(address);
            let bytes = self.i64(offset * self.scale(memory));
            let at = self.s.unit.ir.at(base, bytes);
            let at = self.own_address(leaf, at, memory);
            // Of all that write to one place the last one stays.
            let value = match value.varying && self.lane.is_none() {
                true => {
                    let last = self.last_active();
                    self.s.unit.ir.element(value.v, last)
                }
                false => self.one(value),
            };
            self.s.store(leaf, value, at, 0, memory);
            return;
        }
        let at = self.moved(address, offset, memory);
        let value = self.vector(value);
        let value = self.as_written(leaf, value);
        let align = self.align(leaf, memory);
        if !address.varying {
            let value = match self.mask {
                Some(mask) => {
                    // What is there is the thread's own: it can be written back.
                    let before = self.read_vector(leaf, at.v, memory);
                    self.s.unit.ir.select(mask, value, before)
                }
                None => value,
            };
            let store = self.s.unit.ir.store(value, at.v, align);
            self.s.annotate(store, memory);
            return;
        }
        let size = leaf.size() as i64;
        match at.line {
            Some(line) if line.step == size && (line.valid.is_none() || self.in_line == Some(true)) => {
                self.write_vector(value, line.first, align, memory);
            }
            Some(Line { first, step, valid: Some(valid), .. }) if step == size && self.in_line.is_none() => {
                let (fast, slow, join) = (self.block(), self.block(), self.block());
                self.s.branch(valid, fast, &[], slow, &[]);
                self.switch_to(fast);
                self.write_vector(value, first, align, memory);
                self.s.jump(join, &[]);
                self.switch_to(slow);
                self.scatter(leaf, value, at.v, memory);
                self.s.jump(join, &[]);
                self.switch_to(join);
            }
            Some(line) if self.mask.is_none() && (line.valid.is_none() || self.in_line == Some(true)) => {
                for i in 0..self.lanes as i64 {
                    let (bytes, lane) = (self.i64(i * line.step), self.i64(i));
                    let at = self.s.unit.ir.at(line.first, bytes);
                    let one = self.s.unit.ir.element(value, lane);
                    let store = self.s.unit.ir.store(one, at, 1);
                    self.s.annotate(store, memory);
                }
            }
            _ => self.scatter(leaf, value, at.v, memory),
        }
    }

    fn write_vector(&mut self, value: Value, address: Value, align: u32, memory: Memory) {
        let store = match self.mask {
            None => self.s.unit.ir.store(value, address, align),
            Some(mask) => {
                let (ty, pointer) = (self.s.unit.ir.type_of(value), self.s.unit.ir.scalar(Leaf::Addr));
                let align = self.s.unit.ir.constant_int(self.s.unit.ir.bits(32), align.into());
                self.s.unit.ir.intrinsic("llvm.masked.store", &[ty, pointer], &[value, address, align, mask])
            }
        };
        self.s.annotate(store, memory);
    }

    /// Each thread's scalar to an address of its own, in the threads' order.
    fn scatter(&mut self, leaf: Leaf, value: Value, addresses: Value, memory: Memory) {
        let addresses = if memory == Memory::Local {
            let own = self.own(leaf);
            self.s.unit.ir.at(addresses, own)
        } else {
            addresses
        };
        let mask = self.active();
        let (ty, pointers) = (self.s.unit.ir.type_of(value), self.s.unit.ir.type_of(addresses));
        let align = if memory == Memory::Local { leaf.size() } else { u64::from(self.align(leaf, memory)) };
        let align = self.s.unit.ir.constant_int(self.s.unit.ir.bits(32), align);
        let store = self.s.unit.ir.intrinsic("llvm.masked.scatter", &[ty, pointers], &[value, addresses, align, mask]);
        self.s.annotate(store, memory);
    }
}
