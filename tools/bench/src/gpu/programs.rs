//! The programs that run on a GPU (`test-suite/bench`), and what they are given: sizes, numbers at
//! random, and where results are.

use caustic_frontend::{MemoryLoader, Options};
use caustic_ir::Module;
use caustic_runtime::KernelInterface;

/// What an entry point is given for a parameter of some name.
pub enum Data {
    /// So many numbers for each thread, at random between two.
    Own(usize, f32, f32),
    /// Numbers that all threads share.
    Shared(usize, f32, f32),
    /// As before, made by a function.
    Made(fn() -> Vec<f32>),
    /// Zeros, of which each thread sets so many.
    Result(usize),
    /// Zeros that threads add to.
    Sums(usize),
    /// A number that follows from the threads.
    Int(fn([u32; 3]) -> u32),
}

/// A program with some macros defined.
pub struct Variant {
    pub label: &'static str,
    pub defines: &'static [(&'static str, &'static str)],
    /// Numbers that are parameters.
    pub ints: &'static [(&'static str, u32)],
}

pub struct Program {
    pub name: &'static str,
    pub title: &'static str,
    pub source: &'static str,
    /// In CUDA, with entry points of the same names; those that it lacks are not measured.
    #[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "only the step that compiles writes it"))]
    pub hand: Option<&'static str>,
    pub variants: &'static [Variant],
    /// Threads in each dimension, to measure and to compare with the CPU.
    pub threads: [[u32; 3]; 2],
    pub data: &'static [(&'static str, Data)],
}

/// What the programs include.
pub const INCLUDED: (&str, &str) =
    ("parameters.slangh", include_str!("../../../../test-suite/bench/parameters.slangh"));
/// What the derivatives by hand include.
#[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "only the step that compiles writes it"))]
pub const INCLUDED_BY_HAND: (&str, &str) = ("hand.cuh", include_str!("../../../../test-suite/bench/hand/hand.cuh"));

/// The code of a program, and one of its entry points.
pub fn compiled(program: &Program, variant: &Variant, entry: &str) -> Result<(Module, KernelInterface), String> {
    let name = format!("{}.slang", program.name);
    let text = |(n, t): (&str, &str)| (n.to_string(), t.to_string());
    let mut loader = MemoryLoader { files: vec![text((&name, program.source)), text(INCLUDED)] };
    let defines = variant.defines.iter().map(|(n, v)| (n.to_string(), Some(v.to_string()))).collect();
    let compiled = caustic_frontend::compile(&mut loader, &name, &Options { defines, ..Options::default() });
    let module = compiled.module.ok_or_else(|| {
        let found = compiled.diagnostics.first();
        found.map_or_else(|| "nothing was found".into(), |d| d.to_string())
    })?;
    let interface = KernelInterface::of_module(&module, Some(entry)).map_err(|e| e.to_string())?;
    Ok((module, interface))
}

pub const ENTRIES: [&str; 3] = ["primal", "forward", "reverse"];

macro_rules! slang {
    ($name:literal) => {
        include_str!(concat!("../../../../test-suite/bench/", $name, ".slang"))
    };
}

macro_rules! hand {
    ($name:literal) => {
        Some(include_str!(concat!("../../../../test-suite/bench/hand/", $name, ".cu")))
    };
}

const PLAIN: &[Variant] = &[Variant { label: "", defines: &[], ints: &[] }];

fn all([x, y, z]: [u32; 3]) -> u32 {
    x * y * z
}

fn width([x, ..]: [u32; 3]) -> u32 {
    x
}

/// The bits number `at` of a sequence (splitmix64; Steele, Lea, Flood, 2014).
pub fn random_bits(at: u64) -> u64 {
    let mut z = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Numbers at random, the same in each run.
pub fn numbers(count: usize, low: f32, high: f32) -> Vec<f32> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((state >> 40) as f32 / (1u64 << 24) as f32)
    };
    (0..count).map(|_| next()).collect()
}

/// Seven numbers for each of 256 shapes: centre and size in pixels of an image of 4096 by 4096,
/// colour.
fn shapes() -> Vec<f32> {
    let unit = numbers(256 * 7, 0.0, 1.0);
    let scaled = |(i, x): (usize, &f32)| match i % 7 {
        0 | 1 => x * 4096.0,
        2 | 3 => 40.0 + x * 300.0,
        _ => *x,
    };
    unit.iter().enumerate().map(scaled).collect()
}

pub const PROGRAMS: &[Program] = &[
    Program {
        name: "sine",
        title: "Taylor series of sin, 2^28 arguments",
        source: slang!("sine"),
        hand: hand!("sine"),
        variants: &[
            Variant { label: "16 terms", defines: &[], ints: &[("terms", 16)] },
            Variant { label: "32 terms", defines: &[], ints: &[("terms", 32)] },
            Variant { label: "64 terms", defines: &[], ints: &[("terms", 64)] },
            Variant { label: "128 terms", defines: &[], ints: &[("terms", 128)] },
            Variant { label: "16 terms, constant", defines: &[("TERMS", "16")], ints: &[("terms", 16)] },
            Variant { label: "128 terms, constant", defines: &[("TERMS", "128")], ints: &[("terms", 128)] },
        ],
        threads: [[1 << 28, 1, 1], [1 << 12, 1, 1]],
        data: &[("x", Data::Own(1, -3.0, 3.0)), ("result", Data::Result(1))],
    },
    Program {
        name: "shapes",
        title: "Shapes behind an interface, 4096 by 4096 pixels",
        source: slang!("shapes"),
        hand: hand!("shapes"),
        variants: &[
            Variant { label: "16 shapes", defines: &[("SHAPES", "16")], ints: &[] },
            Variant { label: "64 shapes", defines: &[("SHAPES", "64")], ints: &[] },
            Variant { label: "256 shapes", defines: &[("SHAPES", "256")], ints: &[] },
        ],
        threads: [[4096, 4096, 1], [256, 256, 1]],
        data: &[
            ("values", Data::Made(shapes)),
            ("cotangents", Data::Shared((1 << 16) + 2, 0.0, 1.0)),
            ("sums", Data::Sums(256 * 7)),
            ("result", Data::Result(3)),
            ("width", Data::Int(width)),
            ("count", Data::Int(all)),
        ],
    },
    Program {
        name: "pbr",
        title: "PBR shading of 8 by 1024 by 1024 numbers",
        source: slang!("pbr"),
        hand: hand!("pbr"),
        variants: PLAIN,
        threads: [[1 << 20, 1, 1], [1 << 12, 1, 1]],
        data: &[("planes", Data::Own(8, 0.15, 0.85)), ("result", Data::Result(5)), ("count", Data::Int(all))],
    },
    Program {
        name: "loss",
        title: "Loss of an image in logarithms of sRGB, 4096 by 4096 pixels",
        source: slang!("loss"),
        hand: hand!("loss"),
        variants: PLAIN,
        threads: [[1 << 24, 1, 1], [1 << 14, 1, 1]],
        data: &[
            ("image", Data::Own(3, 0.001, 1.0)),
            ("target", Data::Own(3, 0.0, 0.7)),
            ("exposure", Data::Shared(1, 0.8, 0.9)),
            ("sums", Data::Sums(1)),
            ("result", Data::Result(3)),
            ("count", Data::Int(all)),
        ],
    },
    Program {
        name: "normal",
        title: "Normals from tangent space, 2^22",
        source: slang!("normal"),
        hand: hand!("normal"),
        variants: PLAIN,
        threads: [[1 << 22, 1, 1], [1 << 12, 1, 1]],
        data: &[("planes", Data::Own(9, 0.1, 0.95)), ("result", Data::Result(9)), ("count", Data::Int(all))],
    },
    Program {
        name: "vertex",
        title: "2^24 vertices by a matrix of 4 by 4",
        source: slang!("vertex"),
        hand: hand!("vertex"),
        variants: PLAIN,
        threads: [[1 << 24, 1, 1], [1 << 14, 1, 1]],
        data: &[
            ("vertices", Data::Own(4, -1.0, 1.0)),
            ("cotangents", Data::Own(4, 0.1, 1.0)),
            ("matrix", Data::Shared(16, -1.0, 1.0)),
            ("sums", Data::Sums(16)),
            ("result", Data::Result(4)),
        ],
    },
    Program {
        name: "sampler",
        title: "A texture of 1024 by 1024 in a buffer, filtered at 2^22 places",
        source: slang!("sampler"),
        hand: hand!("sampler"),
        variants: PLAIN,
        threads: [[1 << 22, 1, 1], [1 << 12, 1, 1]],
        data: &[
            ("places", Data::Own(2, 0.0, 3.0)),
            ("texels", Data::Shared(4 << 20, 0.0, 1.0)),
            ("sums", Data::Sums(4 << 20)),
            ("result", Data::Result(4)),
            ("width", Data::Int(|_| 1024)),
        ],
    },
    Program {
        name: "mlp",
        title: "Dense layers 32, 32, 32, 3, 2^18 inputs",
        source: slang!("mlp"),
        hand: hand!("mlp"),
        variants: &[
            Variant { label: "by the inputs", defines: &[], ints: &[] },
            Variant { label: "by the weights, too", defines: &[("WEIGHTS", "1")], ints: &[] },
        ],
        threads: [[1 << 18, 1, 1], [1 << 10, 1, 1]],
        data: &[
            ("inputs", Data::Own(32, -1.0, 1.0)),
            ("weights", Data::Shared(67 * 33, -0.3, 0.3)),
            ("sums", Data::Sums(67 * 33)),
            ("result", Data::Result(32)),
            ("count", Data::Int(all)),
        ],
    },
    Program {
        name: "mixture",
        title: "Gaussian mixture, 10 dimensions, 25 components, 2^20 points",
        source: slang!("mixture"),
        hand: hand!("mixture"),
        variants: &[
            Variant { label: "by the points", defines: &[], ints: &[] },
            Variant { label: "by the components, too", defines: &[("COMPONENTS", "1")], ints: &[] },
        ],
        threads: [[1 << 20, 1, 1], [1 << 12, 1, 1]],
        data: &[
            ("points", Data::Own(10, 0.0, 1.5)),
            ("components", Data::Shared(25 * 21, 0.2, 1.2)),
            ("sums", Data::Sums(25 * 21)),
            ("result", Data::Result(10)),
            ("count", Data::Int(all)),
        ],
    },
    Program {
        name: "bundle",
        title: "Bundle adjustment, Jacobians of 2^20 observations",
        source: slang!("bundle"),
        hand: hand!("bundle"),
        variants: PLAIN,
        threads: [[1 << 20, 1, 1], [1 << 12, 1, 1]],
        data: &[("planes", Data::Own(17, 0.1, 0.6)), ("result", Data::Result(30)), ("count", Data::Int(all))],
    },
    Program {
        name: "paths",
        title: "A small path tracer, 2^22 paths",
        source: slang!("paths"),
        hand: hand!("paths"),
        variants: PLAIN,
        threads: [[1 << 22, 1, 1], [1 << 12, 1, 1]],
        data: &[
            ("values", Data::Shared(10, 0.4, 0.8)),
            ("sums", Data::Sums(10)),
            ("result", Data::Result(1)),
            ("width", Data::Int(|_| 64)),
        ],
    },
];
