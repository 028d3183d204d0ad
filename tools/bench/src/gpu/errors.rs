//! `--errors`: how far functions of floats are off on the GPU, in units in the last place of the
//! result.
//!
//! What IEEE 754 defines (division, the square root, and how they are joined here) has to be the
//! same bit for bit: of one f32 for all 2^32 of them, of two for 2^30 pairs. A function of one f32
//! is asked for every 16th of all, one of two, or of f64, for 2^26 numbers or pairs, half of them
//! any bits, half of moderate size. The reference for f32 is the C library's function of f64,
//! rounded by nobody; that for f64 is the same function, which is itself within 1.

use super::programs::random_bits;
use super::run::wrong;
use crate::functions::Reference::{Near, Same};
use crate::functions::{F32, FUNCTIONS, Function, distance, exact};
use caustic_cuda::{Argument, Device, DeviceBuffer};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "only the step that compiles writes it"))]
pub const SOURCE: &str = include_str!("../../../../test-suite/bench/errors.slang");
const GROUP: usize = 256;
/// Numbers of one launch.
const CHUNK: usize = 1 << 24;
/// Launches for a function of f64 or of pairs, and for pairs of what IEEE defines.
const CHUNKS_SOME: usize = 4;
const CHUNKS_PAIRS: usize = 64;
/// Of functions of one f32 each that many are asked for, and all if IEEE defines them.
const STRIDE: usize = 16;

pub fn file(folder: &Path, function: &Function, double: bool) -> PathBuf {
    folder.join(format!("errors.{}.{}.ptx", function.name, if double { "f64" } else { "f32" }))
}

/// A width of numbers.
trait Real: Copy + Default + Send + Sync {
    const DOUBLE: bool;
    /// Any bits, or a number of moderate size.
    fn any(bits: u64) -> Self;
    fn moderate(bits: u64) -> Self;
    fn bytes(self) -> [u8; 8];
    fn read(bytes: &[u8]) -> Self;
    fn wide(self) -> f64;
    /// How far it is from the reference.
    fn error(self, of: &Function, x: Self, y: Self) -> f64;
}

impl Real for f32 {
    const DOUBLE: bool = false;
    fn any(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn moderate(bits: u64) -> f32 {
        let size = ((bits >> 32) as f32 / u32::MAX as f32 * 8.0 - 4.0).exp2();
        if bits & 1 == 0 { size } else { -size }
    }
    fn bytes(self) -> [u8; 8] {
        let b = self.to_le_bytes();
        [b[0], b[1], b[2], b[3], 0, 0, 0, 0]
    }
    fn read(b: &[u8]) -> f32 {
        f32::from_le_bytes([b[0], b[1], b[2], b[3]])
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn error(self, of: &Function, x: f32, y: f32) -> f64 {
        match of.reference {
            Same(same) => {
                let expected = same(x, y);
                let same = expected.to_bits() == self.to_bits() || expected.is_nan() && self.is_nan();
                if same { 0.0 } else { f64::INFINITY }
            }
            Near(op) => distance(self.wide(), exact(op, of.pairs, x.wide(), y.wide()), F32),
        }
    }
}

impl Real for f64 {
    const DOUBLE: bool = true;
    fn any(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn moderate(bits: u64) -> f64 {
        let size = ((bits >> 12) as f64 / (1u64 << 52) as f64 * 8.0 - 4.0).exp2();
        if bits & 1 == 0 { size } else { -size }
    }
    fn bytes(self) -> [u8; 8] {
        self.to_le_bytes()
    }
    fn read(b: &[u8]) -> f64 {
        f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]])
    }
    fn wide(self) -> f64 {
        self
    }
    fn error(self, of: &Function, x: f64, y: f64) -> f64 {
        let Near(op) = of.reference else { return 0.0 };
        let expected = exact(op, of.pairs, x, y);
        if expected.is_infinite() || self.is_infinite() || expected.is_nan() || self.is_nan() {
            let same = expected == self || expected.is_nan() && self.is_nan();
            // One of both may be the last number before infinity.
            let last = expected.abs().min(self.abs()) == f64::MAX;
            return if same || last { 0.0 } else { f64::INFINITY };
        }
        let order = |v: f64| if v < 0.0 { -(v.abs().to_bits() as i64) } else { v.to_bits() as i64 };
        (order(expected).wrapping_sub(order(self))).unsigned_abs() as f64
    }
}

struct Worst {
    error: f64,
    at: (f64, f64),
}

fn measure<T: Real>(device: &Arc<Device>, text: &str, function: &Function) -> Result<Worst, String> {
    let said = |e: caustic_cuda::CudaError| e.message;
    let module = device.load(text).map_err(said)?;
    let kernel = module.function("apply").map_err(said)?;
    let size = std::mem::size_of::<T>();
    let buffers: Vec<DeviceBuffer> =
        (0..3).map(|_| device.alloc(CHUNK * size)).collect::<Result<_, _>>().map_err(said)?;
    let count = (CHUNK as u64).to_le_bytes();
    let words: Vec<[u8; 8]> = buffers.iter().flat_map(|b| [b.address().to_le_bytes(), count]).collect();
    let exhaustive = !function.pairs && !T::DOUBLE;
    let defined = matches!(function.reference, Same(_));
    let stride = if exhaustive && !defined { STRIDE } else { 1 };
    let chunks = match (exhaustive, defined && !T::DOUBLE) {
        (true, _) => (1usize << 32) / CHUNK / stride,
        (_, true) => CHUNKS_PAIRS,
        _ => CHUNKS_SOME,
    };
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let part = CHUNK.div_ceil(workers);
    let mut worst = Worst { error: 0.0, at: (0.0, 0.0) };
    let (mut xs, mut ys) = (vec![0u8; CHUNK * size], vec![0u8; CHUNK * size]);
    for chunk in 0..chunks {
        std::thread::scope(|scope| {
            for (w, (xs, ys)) in xs.chunks_mut(part * size).zip(ys.chunks_mut(part * size)).enumerate() {
                scope.spawn(move || {
                    for (i, (x, y)) in xs.chunks_mut(size).zip(ys.chunks_mut(size)).enumerate() {
                        let at = (chunk * CHUNK + w * part + i) as u64;
                        let (a, b) = (random_bits(2 * at), random_bits(2 * at + 1));
                        // Of pairs each may be moderate by itself.
                        let draw = |bits: u64, any: bool| if any { T::any(bits) } else { T::moderate(bits) };
                        let value = if exhaustive {
                            T::any(at * stride as u64 + a % stride as u64)
                        } else {
                            draw(a, at & 1 == 0)
                        };
                        x.copy_from_slice(&value.bytes()[..size]);
                        y.copy_from_slice(&draw(b, at & 2 == 0).bytes()[..size]);
                    }
                });
            }
        });
        buffers[0].write(&xs).map_err(said)?;
        if function.pairs {
            buffers[1].write(&ys).map_err(said)?;
        }
        let list: Vec<Argument<'_>> = words.iter().map(|w| Argument::Contents(w)).collect();
        // SAFETY: the buffers have as many elements as they are said to have, and each thread its
        // own.
        unsafe { kernel.launch([(CHUNK / GROUP) as u32, 1, 1], [GROUP as u32, 1, 1], &list, None) }.map_err(said)?;
        let found = buffers[2].read().map_err(said)?;
        let of_parts: Vec<Worst> = std::thread::scope(|scope| {
            let parts = found.chunks(part * size).zip(xs.chunks(part * size).zip(ys.chunks(part * size)));
            let running: Vec<_> = parts
                .map(|(found, (xs, ys))| {
                    scope.spawn(move || {
                        let mut worst = Worst { error: 0.0, at: (0.0, 0.0) };
                        for (found, (x, y)) in found.chunks(size).zip(xs.chunks(size).zip(ys.chunks(size))) {
                            let (x, y) = (T::read(x), T::read(y));
                            let error = T::read(found).error(function, x, y);
                            if error > worst.error {
                                worst = Worst { error, at: (x.wide(), y.wide()) };
                            }
                        }
                        worst
                    })
                })
                .collect();
            running.into_iter().filter_map(|r| r.join().ok()).collect()
        });
        worst = of_parts.into_iter().fold(worst, |a, b| if b.error > a.error { b } else { a });
    }
    Ok(worst)
}

/// The table of all functions whose names contain `only`.
pub fn run(folder: &Path, only: &str) -> Result<String, String> {
    let device = Device::open(0).map_err(|e| e.message)?;
    let mut out = String::from("| function | f32, ulp | worst at | f64, ulp from the C library's | worst at |\n");
    out += "| --- | ---: | --- | ---: | --- |\n";
    for function in FUNCTIONS.iter().filter(|f| f.apply.is_some() && f.name.contains(only)) {
        let mut row = format!("| {} |", function.name);
        for double in [false, true] {
            let Ok(text) = std::fs::read_to_string(file(folder, function, double)) else {
                row += " | |";
                continue;
            };
            let worst = if double {
                measure::<f64>(&device, &text, function)
            } else {
                measure::<f32>(&device, &text, function)
            }?;
            let at = if function.pairs {
                format!("{:e}, {:e}", worst.at.0, worst.at.1)
            } else {
                format!("{:e}", worst.at.0)
            };
            let _ = write!(row, " {:.2} | {at} |", worst.error);
        }
        out += &row;
        out.push('\n');
        std::fs::write(folder.join("errors.md"), &out).map_err(wrong)?;
    }
    Ok(out)
}
