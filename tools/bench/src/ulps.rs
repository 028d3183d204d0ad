//! `--ulps`: how far functions of f32 are from the exact result, for all 2^32 arguments (2^30 pairs
//! of those of two): the code for this machine's processor beside what f64 gives. NaN, infinities
//! and the signs of zeros must be the same, and so must be all bits whether one thread runs or 8 or
//! 16 run together (which is looked at for one of 16 arguments).

use crate::functions::{F32, FUNCTIONS, distance, exact};
use caustic_dialects::math as m;
use caustic_driver::pipeline;
use caustic_frontend::MemoryLoader;
use caustic_ir::op::OpDef;
use caustic_ir::text::{PrintOptions, parse_module, print_module};
use caustic_ir::{Module, Registry};
use caustic_native::Kernel;
use caustic_passes::pipelines::{self, DIFFERENTIATE, NORMALIZE, OPTIMIZE, STORAGE};
use caustic_runtime::{Bindings, Executor, Grid, KernelInterface, Launch, PrintLog, Traps};
use rayon::prelude::*;
use std::fmt::Write;

/// Arguments of a dispatch, and threads of a group.
const AT_ONCE: usize = 1 << 18;
const GROUP: usize = 256;
/// Of so many dispatches one is made by one thread after the other and by 8 at once, too.
const COMPARED: u64 = 16;

/// A kernel with the function `NAME` of one argument or two; the op is put in the place of this
/// one.
const SOURCE: &str = "
StructuredBuffer<float> x;
StructuredBuffer<float> y;
RWStructuredBuffer<float> result;
[shader(\"compute\")] [numthreads(256, 1, 1)]
void one(uint3 id : SV_DispatchThreadID) { result[id.x] = sinh(x[id.x]); }
[shader(\"compute\")] [numthreads(256, 1, 1)]
void two(uint3 id : SV_DispatchThreadID) { result[id.x] = pow(x[id.x], y[id.x]); }
";

struct Function {
    interface: KernelInterface,
    /// For 16 threads at once, one after the other, 8 at once.
    kernels: Vec<Kernel>,
}

fn wrong(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn lowered(entry: &str) -> Result<(Module, KernelInterface), String> {
    let told = |found: Vec<caustic_ir::Diagnostic>| found.first().map_or_else(String::new, |d| d.to_string());
    const FILE: &str = "ulps.slang";
    let options = caustic_frontend::Options::default();
    let compiled = caustic_frontend::compile(&mut MemoryLoader::new(FILE, SOURCE), FILE, &options);
    let mut module = compiled.module.ok_or_else(|| told(compiled.diagnostics))?;
    let interface = KernelInterface::of_module(&module, Some(entry)).map_err(wrong)?;
    pipeline::keep_only(&mut module, interface.entry);
    for standard in [NORMALIZE, DIFFERENTIATE, OPTIMIZE, STORAGE] {
        pipelines::run(&mut module, standard, false).map_err(told)?;
    }
    Ok((module, interface))
}

fn function(op: &OpDef, two: bool) -> Result<Function, String> {
    let (module, _) = lowered(if two { "two" } else { "one" })?;
    let place = if two { m::PowF::NAME } else { m::Sinh::NAME };
    let text = print_module(&module, &PrintOptions::default()).replace(&format!("{place} "), &format!("{} ", op.name));
    let module = parse_module(&text, "ulps", &Registry::new(caustic_dialects::all()))
        .map_err(|found| found.first().map_or_else(String::new, |d| d.to_string()))?;
    let interface = KernelInterface::of_module(&module, Some(if two { "two" } else { "one" })).map_err(wrong)?;
    let kernels: Result<Vec<Kernel>, String> = [16, 1, 8]
        .into_iter()
        .map(|lanes| {
            let options = caustic_llvm::Options { lanes: Some(lanes), ..caustic_llvm::Options::default() };
            caustic_llvm::compile_kernel(&module, &interface, options).map_err(wrong)
        })
        .collect();
    Ok(Function { interface, kernels: kernels? })
}

fn results(f: &Function, kernel: &Kernel, x: &[f32], y: &[f32]) -> Result<Vec<u8>, String> {
    let mut bindings = Bindings::new(&f.interface);
    for (name, contents) in [("x", x), ("y", y), ("result", &vec![0.0; x.len()])] {
        // Functions of one argument have no other.
        let mut bytes = vec![0; contents.len() * 4];
        bytes.chunks_exact_mut(4).zip(contents).for_each(|(bytes, v)| bytes.copy_from_slice(&v.to_le_bytes()));
        let bound = bindings.bind_buffer(&f.interface, name, &bytes);
        if name != "y" {
            bound.map_err(|e| format!("{e:?}"))?;
        }
    }
    let prints = PrintLog::default();
    let grid = Grid { groups: [(x.len() / GROUP) as u32, 1, 1], numthreads: f.interface.numthreads };
    let launch = Launch { grid, bindings: &bindings, prints: &prints, traps: Traps::default() };
    kernel.run(&launch).map_err(wrong)?;
    let (buffer, _) = bindings.read_buffer(&f.interface, "result").map_err(|e| format!("{e:?}"))?;
    Ok(buffer.to_bytes().to_vec())
}

/// What was found of some arguments.
#[derive(Clone, Copy, Default)]
struct Found {
    /// In ulps of the result.
    most: f64,
    at: [f32; 2],
    /// Results that are not the nearest float.
    others: u64,
    /// Results that are not numbers where they should be, or the other way round, or zeros with the
    /// other sign.
    wrong: u64,
}

impl Found {
    fn with(self, other: Found) -> Found {
        let most = if other.most > self.most { other } else { self };
        Found { others: self.others + other.others, wrong: self.wrong + other.wrong, ..most }
    }
    fn of(got: f32, exact: f64, at: [f32; 2]) -> Found {
        let nearest = exact as f32;
        if got.to_bits() == nearest.to_bits() || got.is_nan() && nearest.is_nan() {
            let most = if got.is_finite() { distance(got.into(), exact, F32) } else { 0.0 };
            return Found { most, at, ..Found::default() };
        }
        let wrong = got.is_nan() || exact.is_nan() || got == nearest || exact.is_infinite();
        let most = if wrong { f64::INFINITY } else { distance(got.into(), exact, F32) };
        Found { most, at, others: 1, wrong: wrong.into() }
    }
}

/// Bits without a pattern.
fn mixed(n: u64) -> u64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A pair of arguments: a quarter have any bits, or are small integers, zeros and ends; of the
/// others, most powers are numbers.
fn pair(n: u64) -> [f32; 2] {
    const ENDS: [f32; 12] =
        [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.5, 2.0, -3.0, f32::MAX, 1e-45];
    let bits = mixed(n);
    let [x, y] = [bits as u32, (bits >> 32) as u32];
    let unit = |v: u32| (f64::from(v) + 0.5) / 4_294_967_296.0;
    match n % 16 {
        0..3 => [f32::from_bits(x), f32::from_bits(y)],
        3 => [ENDS[x as usize % 12], if y & 1 == 0 { ENDS[(y >> 1) as usize % 12] } else { (y >> 1) as f32 - 1e9 }],
        4 => [f32::from_bits(x), ((y % 41) as f32 - 20.0) * 0.5],
        5..9 => {
            // A base near 1 and a great exponent.
            let near = (1.0 + (unit(x) - 0.5) * 0.01) as f32;
            [near, ((unit(y) - 0.5) * 256.0 / f64::from(near).log2()) as f32]
        }
        _ => {
            let base = f32::from_bits(x & 0x7fff_ffff);
            [base, ((unit(y) - 0.5) * 280.0 / f64::from(base).log2()) as f32]
        }
    }
}

/// One of `fewer` arguments.
fn measure(op: &OpDef, two: bool, fewer: u64) -> Result<Found, String> {
    let f = function(op, two)?;
    let all = if two { 1u64 << 30 } else { 1 << 32 };
    let found: Result<Vec<Found>, String> = (0..all / AT_ONCE as u64 / fewer)
        .into_par_iter()
        .map(|number| {
            let first = number * AT_ONCE as u64;
            let arguments = (first..first + AT_ONCE as u64)
                .map(|n| if two { pair(n) } else { [f32::from_bits((n * fewer) as u32), 0.0] });
            let (x, y): (Vec<f32>, Vec<f32>) = arguments.map(|[x, y]| (x, y)).unzip();
            let bits = results(&f, &f.kernels[0], &x, &y)?;
            for (kernel, lanes) in f.kernels[1..].iter().zip([1, 8]) {
                if number % COMPARED == 0 && results(&f, kernel, &x, &y)? != bits {
                    return Err(format!("{}: {lanes} threads at once get other bits than 16", op.name));
                }
            }
            let got = bits.chunks_exact(4).map(|w| f32::from_le_bytes([w[0], w[1], w[2], w[3]]));
            let each = got.zip(x.iter().zip(&y)).map(|(got, (&x, &y))| {
                let exact = exact(op, two, x.into(), y.into());
                Found::of(got, exact, [x, y])
            });
            Ok(each.fold(Found::default(), Found::with))
        })
        .collect();
    Ok(found?.into_iter().fold(Found::default(), Found::with))
}

/// The table of functions whose name contains `only`; with a number in front, of that many times
/// fewer arguments.
pub fn report(words: &[&str]) -> Result<String, String> {
    let fewer = words.iter().find_map(|w| w.parse::<u64>().ok()).unwrap_or(1).max(1);
    let only = words.iter().find(|w| w.parse::<u64>().is_err()).copied().unwrap_or("");
    let mut out = String::from(
        "| function | most, in ulp | at | not the nearest | wrong |\n| --- | ---: | --- | ---: | ---: |\n",
    );
    let all = FUNCTIONS.iter().filter_map(|f| Some((f.op()?, f.pairs)));
    for (op, two) in all.filter(|(op, _)| op.name.contains(only)) {
        let found = measure(op, two, fewer)?;
        let at = if two { format!("{:e}, {:e}", found.at[0], found.at[1]) } else { format!("{:e}", found.at[0]) };
        let name = op.name.trim_start_matches("math.");
        let _ = writeln!(out, "| {name} | {:.4} | {at} | {} | {} |", found.most, found.others, found.wrong);
        eprint!("{}", out.lines().last().map_or_else(String::new, |line| format!("{line}\n")));
    }
    Ok(out)
}
