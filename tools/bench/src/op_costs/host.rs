//! Runs the loops on this machine: the interpreter, Cranelift, and LLVM with 16 lanes.

use super::loops::{Case, inputs};
use super::{Prepared, Timer};
use caustic_dialects::all;
use caustic_interp::Interp;
use caustic_ir::text::parse_module;
use caustic_ir::verify::verify_module;
use caustic_ir::{Diagnostic, Module, Registry};
use caustic_passes::pipelines::{self, INSTANCES, STORAGE};
use caustic_runtime::{Bindings, Executor, Grid, KernelInterface, Launch, PrintLog, Traps};
use std::time::{Duration, Instant};

pub fn wrong(error: impl std::fmt::Display) -> String {
    error.to_string()
}

pub fn told(found: &[Diagnostic]) -> String {
    found.first().map_or_else(|| "nothing was found".into(), |d| d.to_string())
}

/// The kernel, as what a target takes.
pub fn parsed(text: &str) -> Result<(Module, KernelInterface), String> {
    let module = parse_module(text, "op-costs", &Registry::new(all())).map_err(|found| told(&found))?;
    let broken = verify_module(&module);
    if !broken.is_empty() {
        return Err(told(&broken));
    }
    let interface = KernelInterface::of_module(&module, Some("main")).map_err(wrong)?;
    Ok((module, interface))
}

fn bytes<const N: usize, T: Copy>(numbers: &[T], of: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    numbers.iter().flat_map(|&n| of(n)).collect()
}

/// Contents of the kernel's buffers.
pub fn contents(case: &Case, threads: usize) -> [(&'static str, Vec<u8>); 3] {
    let (floats, ints) = inputs(case, threads);
    [
        ("floats", bytes(&floats, f32::to_le_bytes)),
        ("ints", bytes(&ints, i32::to_le_bytes)),
        ("result", vec![0; threads * 4]),
    ]
}

fn bindings(case: &Case, interface: &KernelInterface, threads: usize) -> Result<Bindings, String> {
    let mut bindings = Bindings::new(interface);
    for (name, contents) in contents(case, threads) {
        bindings.bind_buffer(interface, name, &contents).map_err(|e| format!("{e:?}"))?;
    }
    Ok(bindings)
}

/// The time of one dispatch of a group.
fn once(executor: &dyn Executor, interface: &KernelInterface, bindings: &Bindings) -> Result<Duration, String> {
    let prints = PrintLog::default();
    let grid = Grid { groups: [1, 1, 1], numthreads: interface.numthreads };
    let launch = Launch { grid, bindings, prints: &prints, traps: Traps::default() };
    let start = Instant::now();
    executor.run(&launch).map_err(wrong)?;
    Ok(start.elapsed())
}

/// The reference evaluator, one thread.
pub fn interp(case: &Case, text: &str) -> Result<Prepared, String> {
    let (module, interface) = parsed(text)?;
    let bindings = bindings(case, &interface, 1)?;
    let timer: Timer = Box::new(move || {
        let interp = Interp::new(&module);
        once(&caustic_interp::Kernel::new(&interp, &interface), &interface, &bindings)
    });
    Ok(Prepared { timer, threads: 1 })
}

fn compiled(
    case: &Case,
    text: &str,
    threads: usize,
    compile: impl Fn(&Module, &KernelInterface) -> Result<caustic_native::Kernel, String>,
) -> Result<Prepared, String> {
    let (mut module, interface) = parsed(text)?;
    for standard in [STORAGE, INSTANCES] {
        pipelines::run(&mut module, standard, false).map_err(|found| told(&found))?;
    }
    let bindings = bindings(case, &interface, threads)?;
    let kernel = compile(&module, &interface)?;
    let timer: Timer = Box::new(move || once(&kernel, &interface, &bindings));
    Ok(Prepared { timer, threads })
}

/// Cranelift, one thread after the other.
pub fn cranelift(case: &Case, text: &str, threads: usize) -> Result<Prepared, String> {
    compiled(case, text, threads, |module, interface| {
        caustic_cranelift::compile_kernel(module, interface, caustic_cranelift::Options::default()).map_err(wrong)
    })
}

/// LLVM, 16 threads at once.
#[cfg(feature = "llvm")]
pub fn lanes(case: &Case, text: &str, threads: usize) -> Result<Prepared, String> {
    compiled(case, text, threads, |module, interface| {
        let options = caustic_llvm::Options { lanes: Some(16), ..caustic_llvm::Options::default() };
        caustic_llvm::compile_kernel(module, interface, options).map_err(wrong)
    })
}
