//! A buffer in memory, shared by all threads of a dispatch.
//!
//! Accesses are bounds-checked as in D3D: reading out of range gives zero and writing out of range
//! is dropped; the caller is told, and may turn it into a trap. The storage is made of atomic
//! words, so that kernels whose threads race (which is their right) stay defined for this process:
//! an access of up to eight bytes inside one aligned eight-byte word never tears.
//!
//! Compiled code goes through [`Buffer::as_ptr`]: it may read and write `byte_len` bytes from there
//! for as long as the buffer lives, must check bounds itself, and must not assume that other
//! threads keep away.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

const WORD: usize = 8;

#[derive(Debug)]
pub struct Buffer {
    words: Box<[AtomicU64]>,
    bytes: usize,
    stride: usize,
    /// Bytes at the end that are there only to make the last element a whole one.
    spare: usize,
    counter: AtomicU32,
}

impl Buffer {
    /// A buffer with these contents, of elements of `stride` bytes; bytes left over at the end
    /// belong to no element.
    pub fn new(contents: &[u8], stride: usize) -> Buffer {
        let words = contents.chunks(WORD).map(|chunk| {
            let mut word = [0; WORD];
            word[..chunk.len()].copy_from_slice(chunk);
            AtomicU64::new(u64::from_ne_bytes(word))
        });
        Buffer { words: words.collect(), bytes: contents.len(), stride, spare: 0, counter: AtomicU32::new(0) }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.bytes.checked_div(self.stride).unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The same bytes as elements of another size. With `whole` an element at the end of which not
    /// all bytes are there gets the others, which are zero, until elements are counted anew.
    pub fn set_stride(&mut self, stride: usize, whole: bool) {
        let missing = |bytes: usize| (stride - bytes % stride.max(1)) % stride.max(1);
        let bytes = self.bytes - self.spare;
        let spare = if whole { missing(bytes) } else { 0 };
        if spare != self.spare {
            let mut contents = self.to_bytes();
            contents.truncate(bytes);
            contents.resize(bytes + spare, 0);
            let counter = self.counter.load(Ordering::Relaxed);
            *self = Buffer { spare, ..Buffer::new(&contents, stride) };
            self.counter.store(counter, Ordering::Relaxed);
        }
        self.stride = stride;
    }

    pub fn byte_len(&self) -> usize {
        self.bytes
    }

    /// The hidden counter of append and consume buffers; it wraps around.
    pub fn counter(&self) -> &AtomicU32 {
        &self.counter
    }

    /// The first byte, aligned to eight. The words are atomics, so writing through the pointer is
    /// allowed.
    pub fn as_ptr(&self) -> *mut u8 {
        self.words.as_ptr().cast_mut().cast()
    }

    /// Where `size` bytes at `offset` inside element `index` begin, if the element exists and they
    /// lie inside it.
    pub fn locate(&self, index: i64, offset: usize, size: usize) -> Option<usize> {
        let index = usize::try_from(index).ok().filter(|&i| i < self.len())?;
        let inside = offset.checked_add(size)? <= self.stride;
        inside.then_some(index * self.stride + offset)
    }

    /// Reads `out.len()` bytes at byte `at`. Out of range, `out` is filled with zeros and the
    /// result is false.
    pub fn read(&self, at: usize, out: &mut [u8]) -> bool {
        if !self.in_range(at, out.len()) {
            out.fill(0);
            return false;
        }
        for (word, skip, part) in pieces(at, out.len()) {
            let bytes = self.words[word].load(Ordering::Relaxed).to_ne_bytes();
            let len = part.len();
            out[part].copy_from_slice(&bytes[skip..skip + len]);
        }
        true
    }

    /// Writes `data` at byte `at`. Out of range, nothing is written and the result is false.
    pub fn write(&self, at: usize, data: &[u8]) -> bool {
        if !self.in_range(at, data.len()) {
            return false;
        }
        for (word, skip, part) in pieces(at, data.len()) {
            let data = &data[part];
            let word = &self.words[word];
            match <[u8; WORD]>::try_from(data) {
                Ok(all) => word.store(u64::from_ne_bytes(all), Ordering::Relaxed),
                // The neighbours in the word may be written by other threads at the same time, so
                // they are kept by an exchange and not by a load and a store.
                Err(_) => {
                    let _ = word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
                        let mut bytes = old.to_ne_bytes();
                        bytes[skip..skip + data.len()].copy_from_slice(data);
                        Some(u64::from_ne_bytes(bytes))
                    });
                }
            }
        }
        true
    }

    /// Makes everything zero.
    pub fn clear(&self) {
        self.words.iter().for_each(|w| w.store(0, Ordering::Relaxed));
        self.counter.store(0, Ordering::Relaxed);
    }

    /// A copy of the contents.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out: Vec<u8> = self.words.iter().flat_map(|w| w.load(Ordering::Relaxed).to_ne_bytes()).collect();
        out.truncate(self.bytes);
        out
    }

    fn in_range(&self, at: usize, len: usize) -> bool {
        at.checked_add(len).is_some_and(|end| end <= self.bytes)
    }
}

/// The words that bytes `at..at + len` lie in: word number, bytes to skip in it, and which part of
/// the whole it is.
fn pieces(at: usize, len: usize) -> impl Iterator<Item = (usize, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let (word, skip) = ((at + done) / WORD, (at + done) % WORD);
        let count = (WORD - skip).min(len - done);
        let part = done..done + count;
        done += count;
        Some((word, skip, part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn out_of_range_is_harmless_and_reported() {
        let buffer = Buffer::new(&[1, 2, 3, 4, 5, 6, 7, 8, 9], 4);
        assert_eq!(buffer.len(), 2);
        assert_eq!(buffer.locate(1, 0, 4), Some(4));
        assert_eq!(buffer.locate(1, 2, 4), None);
        assert_eq!(buffer.locate(2, 0, 1), None);
        assert_eq!(buffer.locate(-1, 0, 4), None);
        let mut out = [9; 4];
        assert!(!buffer.read(6, &mut out));
        assert_eq!(out, [0; 4]);
        assert!(!buffer.write(usize::MAX, &[1, 2]));
        assert!(!buffer.write(8, &[1, 2]));
        assert_eq!(buffer.to_bytes(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(Buffer::new(&[1, 2], 0).len(), 0);
    }

    #[test]
    fn neighbours_written_by_threads_survive() {
        let buffer = Buffer::new(&[0; 64], 1);
        std::thread::scope(|scope| {
            for t in 0..64 {
                let buffer = &buffer;
                scope.spawn(move || {
                    for value in 0..=t {
                        assert!(buffer.write(t, &[value as u8]));
                    }
                });
            }
        });
        assert_eq!(buffer.to_bytes(), (0..64).collect::<Vec<u8>>());
    }

    proptest! {
        /// Reads and writes agree with the same accesses on a plain vector.
        #[test]
        fn behaves_like_a_vector(size in 0usize..40, writes in prop::collection::vec((0usize..48, prop::collection::vec(any::<u8>(), 0..20)), 0..12)) {
            let buffer = Buffer::new(&vec![0; size], 1);
            let mut model = vec![0; size];
            for (at, data) in writes {
                let fits = at + data.len() <= size;
                prop_assert_eq!(buffer.write(at, &data), fits);
                if fits {
                    model[at..at + data.len()].copy_from_slice(&data);
                }
                let mut out = vec![0; data.len()];
                prop_assert_eq!(buffer.read(at, &mut out), fits);
            }
            prop_assert_eq!(buffer.to_bytes(), model);
        }
    }
}
