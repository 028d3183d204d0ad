//! The kinds of machines that have costs, by name.

/// A kind of machine, by how it computes floats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Machine {
    /// The reference evaluator: each op takes its turn, whatever it does.
    Interp,
    /// A core that runs one thread after the other; functions are the C library's, of f64.
    Cpu,
    /// A core that runs 16 threads as the lanes of its vectors.
    Simd,
    /// Thousands of threads; quotients and roots are rounded correctly.
    Gpu,
    /// The same with the machine's approximate instructions for f32.
    GpuFast,
}

impl Machine {
    pub const ALL: [Machine; 5] = [Machine::Interp, Machine::Cpu, Machine::Simd, Machine::Gpu, Machine::GpuFast];
    pub(super) const COUNT: usize = Machine::ALL.len();

    pub fn name(self) -> &'static str {
        match self {
            Machine::Interp => "interp",
            Machine::Cpu => "cpu",
            Machine::Simd => "simd",
            Machine::Gpu => "gpu",
            Machine::GpuFast => "gpu-fast",
        }
    }

    pub fn from_name(name: &str) -> Option<Machine> {
        Machine::ALL.into_iter().find(|m| m.name() == name)
    }

    pub fn is_gpu(self) -> bool {
        matches!(self, Machine::Gpu | Machine::GpuFast)
    }
}
