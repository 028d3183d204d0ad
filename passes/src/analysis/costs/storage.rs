//! What storing values costs, for each kind of machine, and which table of ops belongs to it.

use super::Machine;

/// What a kind of machine asks for: a row for each, in units of one simple operation on a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    pub machine: Machine,
    /// Storing a byte in each iteration and reading it back: it goes through memory, and the more
    /// of it there is the farther away it lies.
    pub keep_byte: u64,
    /// Storing anything in each iteration, whatever its size: finding its place, twice.
    pub keep_each: u64,
    /// An element of a tape that is made anew in each iteration of a loop: it is copied as a part
    /// of what that iteration keeps, by calls.
    pub keep_on_inner_tape: u64,
    /// A byte of what stands outside of all loops: it is written once, and often not at all once
    /// halves are inlined.
    pub keep_byte_once: u64,
    /// An inner loop whose residuals would take more than this over all rounds of the loops around
    /// it is run again instead.
    pub largest_footprint: u64,
    /// Room for the snapshots of one loop, in bytes.
    pub snapshots: u64,
    /// The most iterations of a loop that runs whenever its function does for which residuals have
    /// arrays.
    pub largest_array: i64,
    /// What storing costs where all that a function stores in its loops lies close by.
    pub near: Option<Near>,
}

/// Storage that is quicker, and of which there is little.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// Bytes that a function may store in its loops in all.
    pub room: u64,
    pub keep_byte: u64,
    pub keep_each: u64,
}

/// A core with caches of its own.
pub static CPU: Costs = Costs {
    machine: Machine::Cpu,
    keep_byte: 4,
    keep_each: 2,
    keep_on_inner_tape: 40,
    keep_byte_once: 1,
    largest_footprint: 1 << 18,
    snapshots: 1 << 16,
    largest_array: 1 << 20,
    near: None,
};

/// Thousands of threads that share a cache: what each stores in a loop goes to the memory of the
/// device. But for a little: the first-level cache has 128 bytes for each thread that a processor
/// can have (256 KB for 2048).
///
/// On an H200 the derivatives of two programs that choose differently, in ms, by `keep_byte` and
/// `keep_each`: a path tracer, which stores 416, 384 and 256 bytes, takes 0.479 with 3 and 2, 0.403
/// with 4 to 12 and 2 to 4, 0.452 with 24 and 8 and more; a mixture 0.202 with the first, which
/// stores 100 bytes in place of computing 25 exponentials again, 0.222 with the others. Other
/// kernels of the bench store the same with all of them.
pub static GPU: Costs = Costs {
    machine: Machine::Gpu,
    keep_byte: 12,
    keep_each: 4,
    // There are none.
    keep_on_inner_tape: 0,
    // Twice the sum of its accesses: what is kept also holds a register until it is read.
    keep_byte_once: 2,
    largest_footprint: 1 << 13,
    snapshots: 1 << 10,
    largest_array: super::frequency::LARGEST_ARRAY,
    near: Some(Near { room: 128, keep_byte: 3, keep_each: 2 }),
};

/// Kinds of machines differ in what ops cost more than in their memories.
static OTHERS: [Costs; 3] = [
    Costs { machine: Machine::Interp, ..CPU },
    Costs { machine: Machine::Simd, ..CPU },
    Costs { machine: Machine::GpuFast, ..GPU },
];

impl Costs {
    /// The costs of a machine.
    pub fn of_machine(machine: Machine) -> &'static Costs {
        let [interp, simd, fast] = &OTHERS;
        match machine {
            Machine::Interp => interp,
            Machine::Cpu => &CPU,
            Machine::Simd => simd,
            Machine::Gpu => &GPU,
            Machine::GpuFast => fast,
        }
    }

    /// The same with storage that is close by.
    pub fn with(&self, near: Near) -> Costs {
        Costs { keep_byte: near.keep_byte, keep_each: near.keep_each, ..*self }
    }

    /// Storing each of some bytes that are made in a block so deep in loops, and what comes on top
    /// of that.
    pub fn keep(&self, depth: u32) -> (u64, u64) {
        if depth == 0 { (self.keep_byte_once, 0) } else { (self.keep_byte, self.keep_each) }
    }
}
