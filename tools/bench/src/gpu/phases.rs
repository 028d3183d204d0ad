//! Where the time from source to PTX goes: the steps of `caustic emit --target ptx`, in a process
//! of its own so that nothing is warm.

use super::programs::{Program, Variant, compiled};
use caustic_driver::{Context, Derivatives, Machine, Stage, pipeline};
use caustic_passes::pipelines::{self, MASKS, STORAGE};
use std::time::{Duration, Instant};

/// The steps, in order; what a process takes beyond them is loading it, reading and writing.
pub const STEPS: [&str; 6] = ["front end", "derivatives", "passes", "to LLVM", "LLVM's passes", "to text"];

/// The time of each step, a line each.
pub fn run(program: &Program, variant: &Variant, entry: &str, arch: &str) -> Result<String, String> {
    let told = |found: Vec<caustic_ir::Diagnostic>| found.first().map_or_else(String::new, |d| d.to_string());
    let mut times = [Duration::ZERO; STEPS.len()];
    let mut last = Instant::now();
    let mut step = |number: usize, times: &mut [Duration]| {
        times[number] += last.elapsed();
        last = Instant::now();
    };
    let (mut module, interface) = compiled(program, variant, entry)?;
    step(0, &mut times);
    pipeline::keep_only(&mut module, interface.entry);
    let cx = Context::default();
    let mut lower = |how: Derivatives, times: &mut [Duration]| {
        let module = pipeline::lower(module.clone(), Stage::Ad, &cx)
            .and_then(|module| pipeline::differentiate(module, how, &cx))
            .and_then(|module| pipeline::continue_from(module, Stage::Ad, Stage::Reverse, &cx))
            .map_err(told)?;
        step(1, times);
        let module = pipeline::optimize_for_gpu(module, &cx).map_err(told)?;
        step(2, times);
        Ok::<_, String>(module)
    };
    let how = Derivatives { machine: Machine::Gpu, ..Derivatives::default() };
    let mut lowered = lower(how, &mut times)?;
    if let Some(how) = pipeline::from_snapshots(how).filter(|_| pipeline::has_tapes(&lowered)) {
        lowered = lower(how, &mut times)?;
    }
    let start = Instant::now();
    for standard in [STORAGE, MASKS] {
        pipelines::run(&mut lowered, standard, false).map_err(told)?;
    }
    times[2] += start.elapsed();
    let options = caustic_llvm::PtxOptions { arch: arch.to_string(), ..Default::default() };
    let ptx = caustic_llvm::compile_ptx(&lowered, &interface, &options).map_err(|e| e.to_string())?;
    times[3..].copy_from_slice(&ptx.times);
    Ok(times.iter().map(|t| format!("{}\n", t.as_nanos())).collect())
}

/// What [`run`] printed, in milliseconds.
pub fn read(text: &str) -> Option<[f64; STEPS.len()]> {
    let nanos: Vec<f64> = text.lines().map(str::parse).collect::<Result<_, _>>().ok()?;
    let nanos: [f64; STEPS.len()] = nanos.try_into().ok()?;
    Some(nanos.map(|n| n / 1e6))
}
