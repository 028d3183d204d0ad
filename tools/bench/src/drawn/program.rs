//! A drawn program: its text, and what its entry points are given.

use super::entries;
use super::kinds::KINDS;
use super::random::Random;
use super::write::{Adds, Writer};

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Pointer,
    Structured,
    Scalar,
}

/// So many, or so many for each thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    Fixed(usize),
    Each(usize),
}

impl Count {
    pub fn of(self, threads: usize) -> usize {
        match self {
            Count::Fixed(n) => n,
            Count::Each(n) => n * threads,
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Contents {
    /// Floats, in items of some floats each with a range.
    Items {
        ranges: Vec<(f64, f64)>,
        items: Count,
    },
    /// Floats of threads: of each range one for all threads, then those of the next.
    Planes(Vec<(f64, f64)>),
    /// Numbers of 32 bits, each below a bound.
    Indices {
        below: Count,
        count: Count,
    },
    /// Floats that kernels write, or add to.
    Zeros(Count),
    Number(u32),
    Threads,
    Width,
    Height,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Argument {
    /// As hosts name it: `scene.centers`.
    pub path: String,
    pub place: Place,
    /// Bytes of an element.
    pub stride: usize,
    pub contents: Contents,
    /// The argument, laid out alike, by which these are the derivatives.
    pub derivatives_of: Option<String>,
}

impl Argument {
    pub fn new(path: impl Into<String>, place: Place, stride: usize, contents: Contents) -> Argument {
        Argument { path: path.into(), place, stride, contents, derivatives_of: None }
    }
    pub fn number(path: impl Into<String>, contents: Contents) -> Argument {
        Argument::new(path, Place::Scalar, 4, contents)
    }
    /// The place where derivatives by `values` are added up, or set.
    pub fn derivatives(self, values: impl Into<String>) -> Argument {
        Argument { derivatives_of: Some(values.into()), ..self }
    }
}

/// A parameter of an entry point.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    One(usize),
    /// A struct that has these as fields.
    Struct(Vec<usize>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub name: &'static str,
    pub slots: Vec<Slot>,
}

impl Entry {
    pub fn arguments(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().flat_map(|slot| match slot {
            Slot::One(at) => vec![*at],
            Slot::Struct(fields) => fields.clone(),
        })
    }
}

/// How large the launch is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Machine {
    Core,
    Gpu,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    pub seed: u64,
    pub kind: String,
    pub text: String,
    pub arguments: Vec<Argument>,
    pub entries: Vec<Entry>,
    pub numthreads: [u32; 3],
    /// About how many operations on floats a thread has.
    pub work: usize,
    cotangent: Option<usize>,
}

/// So many items that all others repeat them.
const DIFFERENT: usize = 1 << 19;

fn repeated(mut bytes: Vec<u8>, len: usize) -> Vec<u8> {
    while bytes.len() < len && !bytes.is_empty() {
        bytes.extend_from_within(..(len - bytes.len()).min(bytes.len()));
    }
    bytes
}

/// What [`Drawn`] is made of.
pub struct Parts {
    pub text: String,
    pub arguments: Vec<Argument>,
    pub entries: Vec<Entry>,
    pub numthreads: [u32; 3],
    pub work: usize,
    /// The name of the buffer that backward derivatives start from.
    pub cotangents: Option<String>,
}

impl Drawn {
    /// Threads in x and y.
    pub fn threads(&self, machine: Machine) -> [u32; 2] {
        let work = self.work.max(1);
        let floats: usize = self.arguments.iter().map(|a| a.contents.floats_of_a_thread()).sum();
        let total = match machine {
            Machine::Core => (12_000_000 / (work + 8 * floats)).clamp(1 << 8, 1 << 17),
            Machine::Gpu => (4_000_000_000 / work).min((1 << 26) / floats.max(1)).clamp(1 << 16, 1 << 22),
        };
        // Not a multiple of the group: guards have something to do.
        let edge = (total as f64).sqrt() as u32;
        if self.numthreads[1] > 1 { [edge | 1, edge | 1] } else { [total as u32 - 7, 1] }
    }

    #[cfg(feature = "llvm")]
    pub fn groups(&self, threads: [u32; 2]) -> [u32; 3] {
        [threads[0].div_ceil(self.numthreads[0]), threads[1].div_ceil(self.numthreads[1]), 1]
    }

    /// What an argument holds before a launch.
    pub fn contents(&self, argument: usize, [width, height]: [u32; 2]) -> Vec<u8> {
        let threads = width as usize * height as usize;
        let mut random = Random::new(self.seed.wrapping_mul(977).wrapping_add(argument as u64));
        let floats = |random: &mut Random, ranges: &[(f64, f64)], items: usize| {
            let mut out = Vec::with_capacity(items * ranges.len() * 4);
            for _ in 0..items.min(DIFFERENT) {
                for &(low, high) in ranges {
                    out.extend((random.real(low, high) as f32).to_le_bytes());
                }
            }
            repeated(out, items * ranges.len() * 4)
        };
        match &self.arguments[argument].contents {
            Contents::Items { ranges, items } => floats(&mut random, ranges, items.of(threads)),
            Contents::Planes(ranges) => ranges.iter().flat_map(|&r| floats(&mut random, &[r], threads)).collect(),
            Contents::Indices { below, count } => {
                let (below, count) = (below.of(threads), count.of(threads));
                let numbers = (0..count.min(DIFFERENT)).flat_map(|_| (random.below(below) as u32).to_le_bytes());
                repeated(numbers.collect(), 4 * count)
            }
            Contents::Zeros(count) => vec![0; 4 * count.of(threads)],
            Contents::Number(n) => n.to_le_bytes().to_vec(),
            Contents::Threads => (threads as u32).to_le_bytes().to_vec(),
            Contents::Width => width.to_le_bytes().to_vec(),
            Contents::Height => height.to_le_bytes().to_vec(),
        }
    }

    /// Whether backward derivatives start from it.
    pub fn is_cotangent(&self, argument: usize) -> bool {
        self.cotangent == Some(argument)
    }

    /// Whether threads add to what they share.
    #[cfg(feature = "llvm")]
    pub fn adds(&self) -> bool {
        [".add(", "InterlockedAdd(", "    addTo("].iter().any(|add| self.text.contains(add))
    }

    pub fn is_result(&self, argument: usize) -> bool {
        matches!(self.arguments[argument].contents, Contents::Zeros(_))
    }
}

impl Contents {
    fn floats_of_a_thread(&self) -> usize {
        match self {
            Contents::Items { ranges, items: Count::Each(n) } => n * ranges.len(),
            Contents::Planes(ranges) => ranges.len(),
            Contents::Indices { count: Count::Each(n), .. } | Contents::Zeros(Count::Each(n)) => *n,
            _ => 0,
        }
    }
}

/// The program of a seed.
pub fn draw(seed: u64, adds: Adds) -> Drawn {
    let mut writer = Writer::new(seed, adds);
    let (kind, write) = writer.random.pick(KINDS);
    let plan = write(&mut writer);
    let Parts { text, arguments, entries, numthreads, work, cotangents } = entries::finish(writer, plan);
    let cotangent = arguments.iter().position(|a| Some(&a.path) == cotangents.as_ref());
    Drawn { seed, kind: kind.into(), text, arguments, entries, numthreads, work, cotangent }
}
