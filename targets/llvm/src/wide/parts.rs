//! Scalars that lie beside each other, read or written for each thread together: the parts of a
//! vector or of a structure.
//!
//! Where threads read at places of their own, a gather for each part asks for every scalar by
//! itself. Most processors make as many requests of it, and some take longer than a program that
//! asks one after the other. So what lies side by side is read as one vector for each thread, and
//! the vectors are transposed: two or four parts for one request.

use super::assembler::Wide;
use super::value::{Line, Val};
use crate::ir::{IntCc, Opcode, Value};
use caustic_codegen::{Assembler, Flat, Memory};
use caustic_native::Leaf;

/// Parts of a vector that a thread reads at once.
const MOST: usize = 4;
/// Bytes of a part.
const SIZE: u64 = 4;
/// Parts that are written as vectors: as many vectors, each put together from all parts.
const LONGEST: usize = 4;

impl Wide<'_, '_> {
    /// The parts at these offsets from an address.
    pub(super) fn load_beside(
        &mut self,
        parts: &[(u64, Leaf)],
        address: Val,
        offset: i64,
        memory: Memory,
        exists: Option<Val>,
    ) -> Flat<Val> {
        let apart = self.lane.is_none() && address.varying && address.line.is_none() && memory != Memory::Local;
        let together = apart && self.lanes >= MOST;
        let mut out = Flat::new();
        let mut rest = parts;
        while let Some(&(at, leaf)) = rest.first() {
            let count = if together { beside(rest) } else { 1 };
            let offset = offset + at as i64;
            match count {
                1 => out.push(self.load_any(leaf, address, offset, memory, exists)),
                _ => out.extend(self.load_row(leaf, count, address, offset, memory, exists)),
            }
            rest = &rest[count..];
        }
        out
    }

    /// Two to four scalars that each thread has side by side.
    fn load_row(
        &mut self,
        leaf: Leaf,
        count: usize,
        address: Val,
        offset: i64,
        memory: Memory,
        exists: Option<Val>,
    ) -> Vec<Val> {
        let addresses = self.moved(address, offset, memory).v;
        let addresses = self.readable_by_all(addresses, count, memory, exists);
        let align = self.align(leaf, memory);
        let rows: Vec<Value> = (0..self.lanes)
            .map(|lane| {
                let ir = &mut self.s.unit.ir;
                let lane = ir.int(Leaf::I64, lane as i64);
                let at = ir.element(addresses, lane);
                let ty = if count == 2 { ir.scalar(Leaf::I64) } else { ir.vector(ir.scalar(leaf), count) };
                let row = ir.load(ty, at, align);
                self.s.annotate(row, memory);
                row
            })
            .collect();
        let columns = if count == 2 { self.halves(leaf, &rows) } else { self.columns(&rows, count) };
        let zero = self.zero_of(leaf);
        columns
            .into_iter()
            .map(|column| match exists {
                Some(exists) => {
                    let exists = self.vector(exists);
                    Val::varying(self.s.unit.ir.select(exists, column, zero))
                }
                None => Val::varying(column),
            })
            .collect()
    }

    /// Writes parts at these offsets from an address. Where the threads' parts fill memory without
    /// a gap they are written as vectors, each thread's parts side by side.
    pub(super) fn store_beside(
        &mut self,
        parts: &[(u64, Leaf)],
        values: &[Val],
        address: Val,
        offset: i64,
        memory: Memory,
    ) {
        let Some((line, condition)) = self.filled_line(parts, address, memory) else {
            return self.store_apart(parts, values, address, offset, memory);
        };
        let at = self.i64(offset + parts[0].0 as i64);
        let first = self.s.unit.ir.at(line.first, at);
        let Some(condition) = condition else { return self.write_rows(parts, values, first, memory) };
        let (fast, slow, join) = (self.block(), self.block(), self.block());
        self.s.branch(condition, fast, &[], slow, &[]);
        self.switch_to(fast);
        self.write_rows(parts, values, first, memory);
        self.s.jump(join, &[]);
        self.switch_to(slow);
        let before = self.in_line;
        if line.valid.is_some() {
            self.in_line = self.in_line.or(Some(false));
        }
        self.store_apart(parts, values, address, offset, memory);
        self.in_line = before;
        self.s.jump(join, &[]);
        self.switch_to(join);
    }

    fn store_apart(&mut self, parts: &[(u64, Leaf)], values: &[Val], address: Val, offset: i64, memory: Memory) {
        for (&(at, leaf), &value) in parts.iter().zip(values) {
            self.store_any(leaf, value, address, offset + at as i64, memory);
        }
    }

    /// The line of an address whose parts fill all from one thread's to the next's, and under which
    /// condition they do and all threads take part; `None` if they always do.
    fn filled_line(&mut self, parts: &[(u64, Leaf)], address: Val, memory: Memory) -> Option<(Line, Option<Value>)> {
        let line = address.line.filter(|_| self.lane.is_none() && memory != Memory::Local)?;
        let first = parts.first()?.0;
        let filled = (0u64..).zip(parts).all(|(n, &(at, leaf))| leaf.size() == SIZE && at == first + n * SIZE);
        if !filled || !(2..=LONGEST).contains(&parts.len()) || line.step != (parts.len() as u64 * SIZE) as i64 {
            return None;
        }
        let valid = match self.in_line {
            Some(true) => None,
            Some(false) if line.valid.is_some() => return None,
            Some(false) => None,
            None => line.valid,
        };
        let all = self.mask.map(|mask| {
            let bits = self.mask_bits(mask);
            let ir = &mut self.s.unit.ir;
            let all = ir.all_ones(ir.type_of(bits));
            ir.icmp(IntCc::LLVMIntEQ, bits, all)
        });
        Some((line, self.both(valid, all)))
    }

    /// Writes each thread's parts side by side, from an address on.
    fn write_rows(&mut self, parts: &[(u64, Leaf)], values: &[Val], first: Value, memory: Memory) {
        let (lanes, count) = (self.lanes, parts.len());
        let mut columns = Vec::new();
        let words = self.wide_ty(Leaf::I32);
        for (&value, &(_, leaf)) in values.iter().zip(parts) {
            let column = self.vector(value);
            let is_word = leaf == Leaf::I32;
            columns.push(if is_word { column } else { self.s.unit.ir.cast(Opcode::LLVMBitCast, column, words) });
        }
        for row in 0..count {
            // Scalar `row * lanes + i` of memory is one of part `part(i)`, of thread `thread(i)`.
            let part = |i: usize| (row * lanes + i) % count;
            let thread = |i: usize| (row * lanes + i) / count;
            let mut so_far = columns[0];
            for (n, &column) in columns.iter().enumerate().skip(1) {
                let picks: Vec<usize> = (0..lanes)
                    .map(|i| match part(i) {
                        p if p == n => lanes + thread(i),
                        _ if n > 1 => i,
                        _ => thread(i),
                    })
                    .collect();
                so_far = self.s.unit.ir.shuffle(so_far, column, &picks);
            }
            let bytes = self.i64((row * lanes) as i64 * SIZE as i64);
            let at = self.s.unit.ir.at(first, bytes);
            let store = self.s.unit.ir.store(so_far, at, 1);
            self.s.annotate(store, memory);
        }
    }

    fn zero_of(&self, leaf: Leaf) -> Value {
        let ty = self.wide_ty(leaf);
        self.s.unit.ir.null(ty)
    }

    /// Addresses that can be read for every thread: those of threads that do not take part lead to
    /// zeros, where it is not known that they can be read (as in `gather`).
    fn readable_by_all(&mut self, addresses: Value, count: usize, memory: Memory, exists: Option<Val>) -> Value {
        let anybody =
            matches!(memory, Memory::Words) || matches!(memory, Memory::Resource(Some(_))) && exists.is_some();
        let Some(mask) = self.mask.filter(|_| !anybody) else { return addresses };
        let ir = &mut self.s.unit.ir;
        let zeros = ir.zeros(count as u64 * SIZE);
        let zeros = ir.splat(zeros, self.lanes);
        ir.select(mask, addresses, zeros)
    }

    /// The two columns of rows that are words of 64 bits.
    fn halves(&mut self, leaf: Leaf, rows: &[Value]) -> Vec<Value> {
        let lanes = self.lanes;
        let ir = &mut self.s.unit.ir;
        let ty = ir.vector(ir.scalar(Leaf::I64), lanes);
        let mut all = ir.undef(ty);
        for (lane, &row) in rows.iter().enumerate() {
            let lane = ir.int(Leaf::I64, lane as i64);
            all = ir.with_element(all, row, lane);
        }
        let ty = ir.vector(ir.scalar(leaf), 2 * lanes);
        let all = ir.cast(Opcode::LLVMBitCast, all, ty);
        let column = |n: usize| (0..lanes).map(move |lane| 2 * lane + n).collect::<Vec<_>>();
        (0..2).map(|n| ir.shuffle(all, all, &column(n))).collect()
    }

    /// The columns of rows of three or four: transposed in squares of four, as processors shuffle
    /// within 16 bytes.
    fn columns(&mut self, rows: &[Value], count: usize) -> Vec<Value> {
        let lanes = self.lanes;
        let ir = &mut self.s.unit.ir;
        // Vector j has the rows of every fourth lane from j on.
        let sets: Vec<Value> = (0..4)
            .map(|j| {
                let mut parts: Vec<Value> = rows.iter().skip(j).step_by(4).copied().collect();
                if count == 3 {
                    parts = parts.into_iter().map(|row| ir.shuffle(row, row, &[0, 1, 2, 2])).collect();
                }
                let mut width = 4;
                while parts.len() > 1 {
                    let picks: Vec<usize> = (0..2 * width).collect();
                    parts = parts.chunks(2).map(|pair| ir.shuffle(pair[0], pair[1], &picks)).collect();
                    width *= 2;
                }
                parts[0]
            })
            .collect();
        // Of each 16 bytes of two vectors; numbers from 4 on are of the second.
        let mut mixed = |x: Value, y: Value, picks: [usize; 4]| {
            let place = |square: usize, pick: usize| match pick {
                0..4 => square + pick,
                _ => lanes + square + pick - 4,
            };
            let all: Vec<usize> =
                (0..lanes).step_by(4).flat_map(|square| picks.map(|pick| place(square, pick))).collect();
            ir.shuffle(x, y, &all)
        };
        let (low, high) = ([0, 4, 1, 5], [2, 6, 3, 7]);
        let first = [mixed(sets[0], sets[1], low), mixed(sets[2], sets[3], low)];
        let last = [mixed(sets[0], sets[1], high), mixed(sets[2], sets[3], high)];
        let (even, odd) = ([0, 1, 4, 5], [2, 3, 6, 7]);
        let mut out = vec![mixed(first[0], first[1], even), mixed(first[0], first[1], odd)];
        out.push(mixed(last[0], last[1], even));
        if count == 4 {
            out.push(mixed(last[0], last[1], odd));
        }
        out
    }
}

/// How many parts from the first on are of one kind and side by side.
fn beside(parts: &[(u64, Leaf)]) -> usize {
    let Some(&(at, leaf)) = parts.first() else { return 0 };
    if leaf.size() != SIZE {
        return 1;
    }
    let mut next = (0u64..).map(|n| at + n * SIZE);
    parts.iter().take(MOST).take_while(|part| Some(**part) == next.next().map(|at| (at, leaf))).count()
}
