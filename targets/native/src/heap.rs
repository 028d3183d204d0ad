//! A thread's memory for storage that does not belong on the native stack: large slots and the
//! contents of tapes.
//!
//! Blocks have sizes that are powers of two and are reused through free lists; all of it is given
//! back when the thread of the kernel ends, so that code that stops in the middle frees nothing.
//! The total is limited: a program that stores without end gets a trap, not the machine's memory.
//!
//! `unsafe`: compiled code reads and writes this memory through raw addresses. What makes it sound
//! is that every address handed to it is of a block of the right size, that slots of a type with
//! tapes always hold valid tapes (zero is a valid, empty one), and that a tape's contents belong to
//! that tape alone.

use crate::flat;
use caustic_dialects::agg::{self, StructType};
use caustic_ir::Type;
use std::alloc::{Layout, alloc, dealloc};

/// Blocks up to this size are cut from shared chunks.
const SMALL: usize = 1 << 14;
const CHUNK: usize = 1 << 16;
const ALIGN: usize = 16;

pub struct Heap {
    chunks: Vec<(*mut u8, usize)>,
    next: *mut u8,
    left: usize,
    /// Free blocks by the logarithm of their size.
    free: [Vec<*mut u8>; 64],
    used: usize,
    limit: usize,
}

impl Heap {
    pub fn new(limit: usize) -> Heap {
        Heap {
            chunks: Vec::new(),
            next: std::ptr::null_mut(),
            left: 0,
            free: std::array::from_fn(|_| Vec::new()),
            used: 0,
            limit,
        }
    }

    /// A block of at least `size` bytes with unspecified contents; `None` if the limit is reached.
    pub fn alloc(&mut self, size: u64) -> Option<*mut u8> {
        let size = usize::try_from(size).ok()?.max(ALIGN).checked_next_power_of_two()?;
        let class = size.trailing_zeros() as usize;
        if let Some(block) = self.free[class].pop() {
            return Some(block);
        }
        if size > SMALL {
            return self.chunk(size);
        }
        if self.left < size {
            self.next = self.chunk(CHUNK)?;
            self.left = CHUNK;
        }
        let block = self.next;
        // SAFETY: `size <= left`, so the result is inside the chunk or one past its end.
        self.next = unsafe { block.add(size) };
        self.left -= size;
        Some(block)
    }

    fn chunk(&mut self, size: usize) -> Option<*mut u8> {
        let total = self.used.checked_add(size).filter(|&t| t <= self.limit)?;
        let layout = Layout::from_size_align(size, ALIGN).ok()?;
        // SAFETY: the size is at least `ALIGN`.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            return None;
        }
        self.used = total;
        self.chunks.push((block, size));
        Some(block)
    }

    /// Takes back a block that was allocated with this size.
    pub fn free(&mut self, block: *mut u8, size: u64) {
        if let Some(size) = (size as usize).max(ALIGN).checked_next_power_of_two() {
            self.free[size.trailing_zeros() as usize].push(block);
        }
    }

    /// Takes back everything at once.
    #[inline]
    pub fn reset(&mut self) {
        // Most threads ask for nothing.
        if self.chunks.len() <= 1 && self.left == self.used {
            return;
        }
        let keep = self.chunks.first().copied().filter(|&(_, size)| size == CHUNK);
        for (block, size) in self.chunks.drain(keep.is_some() as usize..) {
            // SAFETY: allocated in `chunk` with this layout, and freed once.
            unsafe { dealloc(block, Layout::from_size_align_unchecked(size, ALIGN)) };
        }
        self.free.iter_mut().for_each(Vec::clear);
        (self.next, self.left) = keep.unwrap_or((std::ptr::null_mut(), 0));
        self.used = self.left;
    }

    pub fn limit(&self) -> usize {
        self.limit
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        for (block, size) in self.chunks.drain(..) {
            // SAFETY: as in `reset`.
            unsafe { dealloc(block, Layout::from_size_align_unchecked(size, ALIGN)) };
        }
    }
}

/// A tape in memory. Elements from `len` up to `cap` hold stale but valid contents.
#[repr(C)]
pub struct Tape {
    pub data: *mut u8,
    pub len: u64,
    pub cap: u64,
}

/// How to copy, clear and free a value of a type in memory.
pub enum Desc {
    /// Bytes without tapes.
    Plain(u64),
    Parts(Vec<Part>),
    Tape {
        elem: Box<Desc>,
        elem_size: u64,
    },
}

pub struct Part {
    offset: u64,
    count: u64,
    stride: u64,
    desc: Desc,
}

impl Desc {
    pub fn of(ty: Type) -> Option<Desc> {
        if let Some(elem) = agg::as_tape(ty) {
            return Some(Desc::Tape { elem: Box::new(Desc::of(elem)?), elem_size: flat::layout(elem)?.size });
        }
        if let Some((count, elem)) = agg::as_array(ty) {
            let (desc, stride) = (Desc::of(elem)?, flat::layout(elem)?.size);
            return match desc {
                Desc::Plain(_) => Some(Desc::Plain(flat::layout(ty)?.size)),
                desc => Some(Desc::Parts(vec![Part { offset: 0, count, stride, desc }])),
            };
        }
        let Some(s) = StructType::of(ty) else { return Some(Desc::Plain(flat::layout(ty)?.size)) };
        let mut parts: Vec<Part> = Vec::new();
        let mut plain = true;
        for i in 0..s.num_fields() {
            let (offset, field) = flat::part_offset(ty, i as i64)?;
            let desc = Desc::of(field)?;
            plain &= matches!(desc, Desc::Plain(_));
            parts.push(Part { offset, count: 1, stride: 0, desc });
        }
        Some(if plain { Desc::Plain(flat::layout(ty)?.size) } else { Desc::Parts(parts) })
    }

    pub fn has_tapes(&self) -> bool {
        !matches!(self, Desc::Plain(_))
    }
}

/// Whether a value of this type in memory is or holds a tape.
pub fn has_tapes(ty: Type) -> bool {
    agg::as_tape(ty).is_some()
        || agg::as_array(ty).is_some_and(|(_, elem)| has_tapes(elem))
        || StructType::of(ty).is_some_and(|s| s.fields().any(|f| has_tapes(f.ty)))
}

impl Part {
    fn places(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).map(|i| (self.offset + i * self.stride) as usize)
    }
}

impl Heap {
    /// Sets the value at `at` to zero.
    ///
    /// # Safety
    /// `at` holds a valid value of the described type in this heap, a slot or fresh zeroed memory.
    pub unsafe fn clear(&mut self, desc: &Desc, at: *mut u8) {
        unsafe {
            match desc {
                Desc::Plain(size) => at.write_bytes(0, *size as usize),
                Desc::Parts(parts) => {
                    for part in parts {
                        part.places().for_each(|offset| self.clear(&part.desc, at.add(offset)));
                    }
                }
                // The capacity stays for what is stored next.
                Desc::Tape { .. } => (*at.cast::<Tape>()).len = 0,
            }
        }
    }

    /// Copies a value over another; false if the limit is reached.
    ///
    /// # Safety
    /// As for [`Heap::clear`], of both; they are the same place or do not overlap.
    pub unsafe fn copy(&mut self, desc: &Desc, to: *mut u8, from: *const u8) -> bool {
        if std::ptr::eq(to, from) {
            return true;
        }
        unsafe {
            match desc {
                Desc::Plain(size) => {
                    to.copy_from_nonoverlapping(from, *size as usize);
                    true
                }
                Desc::Parts(parts) => parts
                    .iter()
                    .all(|part| part.places().all(|offset| self.copy(&part.desc, to.add(offset), from.add(offset)))),
                Desc::Tape { elem, elem_size } => {
                    let source = &*from.cast::<Tape>();
                    let target = to.cast::<Tape>();
                    (*target).len = 0;
                    if source.len == 0 {
                        return true;
                    }
                    if self.grow(elem, *elem_size, target, source.len - 1).is_none() {
                        return false;
                    }
                    match &**elem {
                        Desc::Plain(size) => {
                            (*target).data.copy_from_nonoverlapping(source.data, (*size * source.len) as usize);
                            true
                        }
                        elem => (0..source.len as usize).all(|i| {
                            let at = i * *elem_size as usize;
                            self.copy(elem, (*target).data.add(at), source.data.add(at))
                        }),
                    }
                }
            }
        }
    }

    /// Makes element `index` exist, zero if it is new; its address, or `None` if the limit is
    /// reached.
    ///
    /// # Safety
    /// `tape` is valid and its elements are of the described type.
    pub unsafe fn grow(&mut self, elem: &Desc, elem_size: u64, tape: *mut Tape, index: u64) -> Option<*mut u8> {
        unsafe {
            let tape = &mut *tape;
            let needed = index.checked_add(1)?;
            if needed > tape.cap {
                // Beyond the limit by itself: no need to try, and the arithmetic below stays in
                // range.
                if elem_size > 0 && needed > self.limit as u64 / elem_size {
                    return None;
                }
                let cap = needed.max(tape.cap.saturating_mul(2)).max(4);
                let (old, new) = ((tape.cap * elem_size) as usize, (cap.checked_mul(elem_size)?) as usize);
                let data = self.alloc(new as u64)?;
                if old > 0 {
                    data.copy_from_nonoverlapping(tape.data, old);
                    self.free(tape.data, old as u64);
                }
                data.add(old).write_bytes(0, new - old);
                (tape.data, tape.cap) = (data, cap);
            }
            if needed > tape.len {
                let first = (tape.len * elem_size) as usize;
                match elem {
                    Desc::Plain(_) => tape.data.add(first).write_bytes(0, (needed * elem_size) as usize - first),
                    elem => {
                        for i in tape.len..needed {
                            self.clear(elem, tape.data.add((i * elem_size) as usize));
                        }
                    }
                }
                tape.len = needed;
            }
            Some(tape.data.add((index * elem_size) as usize))
        }
    }

    /// Makes a tape at least so long, with room for that; where its elements lie, or `None` if the
    /// limit is reached. What new elements are is unspecified.
    ///
    /// # Safety
    /// `tape` is valid, and its elements are plain.
    pub unsafe fn reserve(&mut self, elem_size: u64, tape: *mut Tape, count: u64) -> Option<*mut u8> {
        unsafe {
            let tape = &mut *tape;
            if count > tape.cap {
                if elem_size > 0 && count > self.limit as u64 / elem_size {
                    return None;
                }
                let cap = count.max(4);
                let data = self.alloc(cap.checked_mul(elem_size)?)?;
                if tape.cap * elem_size > 0 {
                    data.copy_from_nonoverlapping(tape.data, (tape.len * elem_size) as usize);
                    self.free(tape.data, tape.cap * elem_size);
                }
                (tape.data, tape.cap) = (data, cap);
            }
            tape.len = tape.len.max(count);
            Some(tape.data)
        }
    }

    /// Frees what the tapes of a value own; the value must not be used afterwards.
    ///
    /// # Safety
    /// As for [`Heap::clear`].
    pub unsafe fn release(&mut self, desc: &Desc, at: *mut u8) {
        unsafe {
            match desc {
                Desc::Plain(_) => {}
                Desc::Parts(parts) => {
                    for part in parts.iter().filter(|p| p.desc.has_tapes()) {
                        part.places().for_each(|offset| self.release(&part.desc, at.add(offset)));
                    }
                }
                Desc::Tape { elem, elem_size } => {
                    let tape = &*at.cast::<Tape>();
                    if elem.has_tapes() {
                        (0..tape.cap).for_each(|i| self.release(elem, tape.data.add((i * elem_size) as usize)));
                    }
                    if tape.cap * elem_size > 0 {
                        self.free(tape.data, tape.cap * elem_size);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::agg::{array_type, tape_type};

    #[test]
    fn blocks_are_reused_and_limited() {
        let mut heap = Heap::new(1 << 20);
        let a = heap.alloc(100).unwrap();
        heap.free(a, 100);
        assert_eq!(heap.alloc(120), Some(a), "the same size class");
        assert!(heap.alloc(1 << 21).is_none());
        assert!(heap.alloc(u64::MAX).is_none());
        let big = heap.alloc(600_000);
        assert!(big.is_none(), "rounded up to 1 MiB beside the first chunk");
        heap.reset();
        assert!(heap.alloc(300_000).is_some());
    }

    #[test]
    fn room_for_more_keeps_what_is_there() {
        let mut heap = Heap::new(1 << 20);
        let mut tape = Tape { data: std::ptr::null_mut(), len: 0, cap: 0 };
        // SAFETY: the tape is valid and empty, and of plain elements.
        unsafe {
            heap.grow(&Desc::Plain(4), 4, &mut tape, 2).unwrap().cast::<i32>().write(7);
            let data = heap.reserve(4, &mut tape, 500).unwrap().cast::<i32>();
            assert_eq!((data.add(1).read(), data.add(2).read(), tape.len), (0, 7, 500));
            assert_eq!(heap.reserve(4, &mut tape, 3), Some(data.cast()));
            assert!(heap.reserve(4, &mut tape, 1 << 20).is_none() && heap.reserve(4, &mut tape, u64::MAX).is_none());
            assert_eq!(tape.len, 500);
        }
    }

    #[test]
    fn nested_tapes_keep_value_semantics() {
        // tape of array of tape of i32
        let ty = tape_type(array_type(2, tape_type(Type::i32())));
        let desc = Desc::of(ty).unwrap();
        let Desc::Tape { elem, elem_size } = &desc else { panic!() };
        let Desc::Parts(parts) = &**elem else { panic!() };
        let Desc::Tape { elem: leaf, .. } = &parts[0].desc else { panic!() };
        let mut heap = Heap::new(1 << 20);
        let mut a = Tape { data: std::ptr::null_mut(), len: 0, cap: 0 };
        let mut b = Tape { data: std::ptr::null_mut(), len: 0, cap: 0 };
        let (pa, pb) = (&mut a as *mut Tape, &mut b as *mut Tape);
        // SAFETY: the tapes above are valid and empty, and the descriptions fit.
        unsafe {
            let put = |heap: &mut Heap, tape, outer: u64, which: usize, inner: u64, value: i32| {
                let at = heap.grow(elem, *elem_size, tape, outer).unwrap().add(which * 24).cast::<Tape>();
                heap.grow(leaf, 4, at, inner).unwrap().cast::<i32>().write(value);
            };
            let get = |tape: *mut Tape, outer: usize, which: usize, inner: usize| {
                let at = &*(*tape).data.add(outer * 48 + which * 24).cast::<Tape>();
                if (inner as u64) < at.len { at.data.cast::<i32>().add(inner).read() } else { 0 }
            };
            put(&mut heap, pa, 3, 1, 5, 7);
            assert_eq!((get(pa, 3, 1, 5), get(pa, 3, 1, 4), get(pa, 0, 0, 0)), (7, 0, 0));
            assert!(heap.copy(&desc, pb.cast(), pa.cast()));
            put(&mut heap, pa, 3, 1, 5, 8);
            assert_eq!((get(pa, 3, 1, 5), get(pb, 3, 1, 5)), (8, 7));
            heap.clear(&desc, pb.cast());
            put(&mut heap, pb, 3, 0, 0, 1);
            assert_eq!(get(pb, 3, 1, 5), 0, "what was stored before the tape was cleared is gone");
            heap.release(&desc, pa.cast());
            heap.release(&desc, pb.cast());
        }
    }
}
