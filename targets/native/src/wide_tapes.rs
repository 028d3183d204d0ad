//! Tapes of several threads whose local storage lies side by side: each scalar once for each
//! thread, so that all sizes and offsets are as many times larger as there are threads.
//!
//! The addresses of a tape's elements and the room for them are the same for all threads, each of
//! which has its own count. A helper works for one thread and leaves the numbers of the others
//! alone, but for what they share.
//!
//! `unsafe`: as in [`crate::heap`].

use crate::flat::{self, Leaf};
use crate::heap::Heap;
use caustic_dialects::agg::{self, StructType};
use caustic_ir::Type;

/// How to copy and clear a value of a type, down to its scalars.
pub enum WideDesc {
    /// A scalar of this many bytes.
    Scalar(u64),
    Parts(Vec<WidePart>),
    Tape {
        elem: Box<WideDesc>,
        elem_size: u64,
    },
}

pub struct WidePart {
    offset: u64,
    count: u64,
    stride: u64,
    desc: WideDesc,
}

/// Some of the threads that run together.
#[derive(Clone, Copy)]
pub struct Lanes {
    /// A bit for each of them.
    pub who: u64,
    /// How many run together.
    pub lanes: u64,
}

/// Bytes from a tape's beginning to its numbers, for one thread.
const LEN: u64 = 8;
const CAP: u64 = 16;

impl WideDesc {
    pub fn of(ty: Type) -> Option<WideDesc> {
        if let Some(elem) = agg::as_tape(ty) {
            return Some(WideDesc::Tape { elem: Box::new(WideDesc::of(elem)?), elem_size: flat::layout(elem)?.size });
        }
        if let Some((count, elem)) = agg::as_array(ty) {
            let (desc, stride) = (WideDesc::of(elem)?, flat::layout(elem)?.size);
            return Some(WideDesc::Parts(vec![WidePart { offset: 0, count, stride, desc }]));
        }
        if let Some(s) = StructType::of(ty) {
            let mut parts = Vec::new();
            for i in 0..s.num_fields() {
                let (offset, field) = flat::part_offset(ty, i as i64)?;
                parts.push(WidePart { offset, count: 1, stride: 0, desc: WideDesc::of(field)? });
            }
            return Some(WideDesc::Parts(parts));
        }
        let size = Leaf::of(ty.elem())?.size();
        if ty.is_vector() {
            let count = ty.num_elements() as u64;
            let desc = WideDesc::Scalar(size);
            return Some(WideDesc::Parts(vec![WidePart { offset: 0, count, stride: size, desc }]));
        }
        Some(WideDesc::Scalar(size))
    }

    fn has_tapes(&self) -> bool {
        match self {
            WideDesc::Scalar(_) => false,
            WideDesc::Parts(parts) => parts.iter().any(|p| p.desc.has_tapes()),
            WideDesc::Tape { .. } => true,
        }
    }
}

impl WidePart {
    fn places(&self, lanes: u64) -> impl Iterator<Item = usize> + '_ {
        (0..self.count).map(move |i| ((self.offset + i * self.stride) * lanes) as usize)
    }
}

impl Lanes {
    /// Their numbers, the lowest first.
    fn each(self) -> impl Iterator<Item = u64> {
        let mut left = self.who;
        std::iter::from_fn(move || {
            let lane = (left != 0).then(|| u64::from(left.trailing_zeros()));
            left &= left.wrapping_sub(1);
            lane
        })
    }
    fn all(lanes: u64) -> Lanes {
        Lanes { who: u64::MAX >> (64 - lanes.clamp(1, 64)), lanes }
    }
    fn are_all(self) -> bool {
        self.who == Lanes::all(self.lanes).who
    }
    fn only(self, meant: impl Fn(u64) -> bool) -> Lanes {
        let who = self.each().filter(|&lane| meant(lane)).fold(0, |who, lane| who | 1 << lane);
        Lanes { who, ..self }
    }
    /// A thread's own number of a tape at `at`.
    unsafe fn number(self, at: *mut u8, offset: u64, lane: u64) -> *mut u64 {
        unsafe { at.add((offset * self.lanes + lane * 8) as usize).cast() }
    }
    unsafe fn len(self, at: *const u8, lane: u64) -> u64 {
        unsafe { self.number(at.cast_mut(), LEN, lane).read() }
    }
}

/// Where the elements lie and for how many there is room.
unsafe fn common(at: *const u8, lanes: u64) -> (*mut u8, u64) {
    unsafe { (at.cast::<*mut u8>().read(), at.add((CAP * lanes) as usize).cast::<u64>().read()) }
}

impl Heap {
    /// Sets the threads' values at `at` to zero.
    ///
    /// # Safety
    /// `at` holds a valid value of the described type for each thread, in this heap, a slot or
    /// fresh zeroed memory.
    pub unsafe fn clear_wide(&mut self, desc: &WideDesc, at: *mut u8, of: Lanes) {
        unsafe {
            match desc {
                WideDesc::Scalar(size) if of.are_all() => at.write_bytes(0, (size * of.lanes) as usize),
                WideDesc::Scalar(size) => {
                    of.each().for_each(|lane| at.add((lane * size) as usize).write_bytes(0, *size as usize));
                }
                WideDesc::Parts(parts) => {
                    for part in parts {
                        part.places(of.lanes).for_each(|place| self.clear_wide(&part.desc, at.add(place), of));
                    }
                }
                // The room stays for what is stored next.
                WideDesc::Tape { .. } => of.each().for_each(|lane| of.number(at, LEN, lane).write(0)),
            }
        }
    }

    /// Copies the threads' values over others; false if the limit is reached.
    ///
    /// # Safety
    /// As for [`Heap::clear_wide`], of both; they are the same place or do not overlap.
    pub unsafe fn copy_wide(&mut self, desc: &WideDesc, to: *mut u8, from: *const u8, of: Lanes) -> bool {
        if std::ptr::eq(to, from) {
            return true;
        }
        unsafe {
            match desc {
                WideDesc::Scalar(size) if of.are_all() => {
                    to.copy_from_nonoverlapping(from, (size * of.lanes) as usize);
                    true
                }
                WideDesc::Scalar(size) => {
                    for own in of.each().map(|lane| (lane * size) as usize) {
                        to.add(own).copy_from_nonoverlapping(from.add(own), *size as usize);
                    }
                    true
                }
                WideDesc::Parts(parts) => parts.iter().all(|part| {
                    let mut places = part.places(of.lanes);
                    places.all(|place| self.copy_wide(&part.desc, to.add(place), from.add(place), of))
                }),
                WideDesc::Tape { elem, elem_size } => {
                    let most = of.each().map(|lane| of.len(from, lane)).max().unwrap_or(0);
                    for lane in of.each() {
                        of.number(to, LEN, lane).write(0);
                    }
                    if most == 0 {
                        return true;
                    }
                    for (count, with) in groups(of, |lane| of.len(from, lane)) {
                        if count > 0 && !self.grow_wide(elem, *elem_size, to, count - 1, with) {
                            return false;
                        }
                    }
                    let (target, source) = (common(to, of.lanes).0, common(from, of.lanes).0);
                    (0..most).all(|i| {
                        let place = (i * elem_size * of.lanes) as usize;
                        let with = of.only(|lane| i < of.len(from, lane));
                        self.copy_wide(elem, target.add(place), source.add(place), with)
                    })
                }
            }
        }
    }

    /// Makes room for `needed` elements of each thread: if there is not, for `more`. False if the
    /// limit is reached.
    ///
    /// # Safety
    /// `tape` is valid and its elements have this size.
    unsafe fn make_room(&mut self, elem_size: u64, tape: *mut u8, needed: u64, more: u64, lanes: u64) -> bool {
        unsafe {
            let (data, cap) = common(tape, lanes);
            if needed <= cap {
                return true;
            }
            let bytes = elem_size.saturating_mul(lanes);
            // Beyond the limit by itself: no need to try, and the arithmetic below stays in range.
            if bytes > 0 && needed > self.limit() as u64 / bytes {
                return false;
            }
            let more = more.max(4);
            let (old, Some(new)) = ((cap * bytes) as usize, more.checked_mul(bytes)) else { return false };
            let Some(larger) = self.alloc(new) else { return false };
            if old > 0 {
                larger.copy_from_nonoverlapping(data, old);
                self.free(data, old as u64);
            }
            larger.add(old).write_bytes(0, new as usize - old);
            let all = Lanes::all(lanes);
            for lane in 0..lanes {
                all.number(tape, 0, lane).cast::<*mut u8>().write(larger);
                all.number(tape, CAP, lane).write(more);
            }
            true
        }
    }

    /// Makes the threads' tapes at least so long, with room for that; false if the limit is
    /// reached. What new elements are is unspecified.
    ///
    /// # Safety
    /// `tape` is valid, and its elements have this size and hold no tapes.
    pub unsafe fn reserve_wide(&mut self, elem_size: u64, tape: *mut u8, count: u64, of: Lanes) -> bool {
        unsafe {
            if of.who == 0 {
                return true;
            }
            if !self.make_room(elem_size, tape, count, count, of.lanes) {
                return false;
            }
            for lane in of.each() {
                let len = of.number(tape, LEN, lane);
                len.write(len.read().max(count));
            }
            true
        }
    }

    /// Makes element `index` of the threads' tapes exist, zero where it is new; false if the limit
    /// is reached.
    ///
    /// # Safety
    /// `tape` is valid and its elements are of the described type.
    pub unsafe fn grow_wide(&mut self, elem: &WideDesc, elem_size: u64, tape: *mut u8, index: u64, of: Lanes) -> bool {
        unsafe {
            let Some(needed) = index.checked_add(1) else { return false };
            let more = needed.max(common(tape, of.lanes).1.saturating_mul(2));
            if !self.make_room(elem_size, tape, needed, more, of.lanes) {
                return false;
            }
            let bytes = elem_size.saturating_mul(of.lanes);
            let data = common(tape, of.lanes).0;
            let least = of.each().map(|lane| of.len(tape, lane)).min().unwrap_or(needed);
            for i in least..needed {
                let with = of.only(|lane| of.len(tape, lane) <= i);
                self.clear_wide(elem, data.add((i * bytes) as usize), with);
            }
            for lane in of.each() {
                let len = of.number(tape, LEN, lane);
                len.write(len.read().max(needed));
            }
            true
        }
    }

    /// Frees what the tapes of all threads' values own; they must not be used afterwards.
    ///
    /// # Safety
    /// As for [`Heap::clear_wide`].
    pub unsafe fn release_wide(&mut self, desc: &WideDesc, at: *mut u8, lanes: u64) {
        unsafe {
            match desc {
                WideDesc::Scalar(_) => {}
                WideDesc::Parts(parts) => {
                    for part in parts.iter().filter(|p| p.desc.has_tapes()) {
                        part.places(lanes).for_each(|place| self.release_wide(&part.desc, at.add(place), lanes));
                    }
                }
                WideDesc::Tape { elem, elem_size } => {
                    let (data, cap) = common(at, lanes);
                    let bytes = elem_size * lanes;
                    if elem.has_tapes() {
                        (0..cap).for_each(|i| self.release_wide(elem, data.add((i * bytes) as usize), lanes));
                    }
                    if cap * bytes > 0 {
                        self.free(data, cap * bytes);
                    }
                }
            }
        }
    }
}

/// The threads by a number of each.
fn groups(of: Lanes, number: impl Fn(u64) -> u64) -> Vec<(u64, Lanes)> {
    let mut found: Vec<(u64, Lanes)> = Vec::new();
    for lane in of.each() {
        let number = number(lane);
        match found.iter_mut().find(|(n, _)| *n == number) {
            Some((_, with)) => with.who |= 1 << lane,
            None => found.push((number, Lanes { who: 1 << lane, ..of })),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::agg::{array_type, tape_type};

    #[test]
    fn threads_share_room_and_nothing_else() {
        // tape of array of tape of i32
        let desc = WideDesc::of(tape_type(array_type(2, tape_type(Type::i32())))).unwrap();
        let WideDesc::Tape { elem, elem_size } = &desc else { panic!() };
        let WideDesc::Parts(parts) = &**elem else { panic!() };
        let WideDesc::Tape { elem: leaf, .. } = &parts[0].desc else { panic!() };
        const LANES: u64 = 4;
        let mut heap = Heap::new(1 << 20);
        let mut memory = [[0u64; 3 * LANES as usize]; 2];
        let [a, b] = memory.each_mut().map(|m| m.as_mut_ptr().cast::<u8>());
        let of = |lane: u64| Lanes { who: 1 << lane, lanes: LANES };
        // SAFETY: the tapes above are valid and empty, and the descriptions fit.
        unsafe {
            let inner = |tape: *mut u8, outer: u64| {
                common(tape, LANES).0.add((outer * elem_size * LANES + 24 * LANES) as usize)
            };
            let put = |heap: &mut Heap, tape, lane, outer, index: u64, value: i32| {
                assert!(heap.grow_wide(elem, *elem_size, tape, outer, of(lane)));
                let at = inner(tape, outer);
                assert!(heap.grow_wide(leaf, 4, at, index, of(lane)));
                common(at, LANES).0.add((index * 4 * LANES + lane * 4) as usize).cast::<i32>().write(value);
            };
            let get = |tape: *mut u8, lane, outer: u64, index: u64| {
                if outer >= of(lane).len(tape, lane) {
                    return 0;
                }
                let at = inner(tape, outer);
                let data = common(at, LANES).0.add((index * 4 * LANES + lane * 4) as usize);
                if index < of(lane).len(at, lane) { data.cast::<i32>().read() } else { 0 }
            };
            put(&mut heap, a, 1, 3, 5, 7);
            put(&mut heap, a, 2, 6, 90, 8);
            assert_eq!([get(a, 1, 3, 5), get(a, 1, 3, 4), get(a, 1, 6, 90), get(a, 2, 6, 90)], [7, 0, 0, 8]);
            assert!(heap.copy_wide(&desc, b, a, of(1)));
            put(&mut heap, a, 1, 3, 5, 9);
            assert_eq!([get(a, 1, 3, 5), get(b, 1, 3, 5), get(b, 2, 6, 90)], [9, 7, 0]);
            heap.clear_wide(&desc, a, of(1));
            put(&mut heap, a, 1, 4, 0, 1);
            assert_eq!(
                [get(a, 1, 3, 5), get(a, 2, 6, 90)],
                [0, 8],
                "what was stored before one thread's was cleared is gone, of that thread"
            );
            assert!(!heap.grow_wide(elem, *elem_size, a, 1 << 40, of(0)));
            // What a loop is to fill: the others stay as long as they are, and keep what they have.
            let filled = inner(a, 3);
            put(&mut heap, a, 3, 3, 2, 5);
            assert!(heap.reserve_wide(4, filled, 1000, of(0)) && !heap.reserve_wide(4, filled, 1 << 40, of(0)));
            assert_eq!([0, 3].map(|lane| of(lane).len(filled, lane)), [1000, 3]);
            assert_eq!(get(a, 3, 3, 2), 5);
            assert!(heap.reserve_wide(4, filled, 10, of(0)) && of(0).len(filled, 0) == 1000);
            // Several at once, with tapes that are not equally long.
            let three = Lanes { who: 0b1011, lanes: LANES };
            put(&mut heap, a, 3, 1, 1, 6);
            assert!(heap.copy_wide(&desc, b, a, three));
            let all = [(0, 3, 0), (1, 4, 0), (3, 3, 2), (3, 1, 1), (2, 6, 90)];
            assert_eq!(all.map(|(l, o, i)| get(b, l, o, i)), [0, 1, 5, 6, 0]);
            heap.clear_wide(&desc, b, three);
            assert_eq!(all.map(|(l, o, i)| get(b, l, o, i)), [0; 5]);
            assert_eq!(all.map(|(l, o, i)| get(a, l, o, i)), [0, 1, 5, 6, 8]);
            heap.release_wide(&desc, a, LANES);
            heap.release_wide(&desc, b, LANES);
        }
    }
}
