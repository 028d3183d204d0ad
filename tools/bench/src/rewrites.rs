//! `--rewrites`: how long the e-graph takes for each entry point of the programs of
//! `test-suite/bench`, and what it gains by the costs of a machine.

use crate::gpu::programs::{PROGRAMS, Program, Variant, compiled};
use caustic_driver::{Context, Derivatives, Machine, Stage, pipeline};
use caustic_ir::text::parse_module;
use caustic_ir::{Diagnostic, Module, Registry};
use caustic_passes::manager::{Outcome, Pipeline, RunOptions, parse_pipeline};
use caustic_passes::{pipelines, registry};
use std::fmt::Write;
use std::time::{Duration, Instant};

const ENTRIES: [&str; 3] = ["primal", "forward", "reverse"];
/// Runs that are timed together: the system counts in steps of some milliseconds.
const TIMES: usize = 20;

/// What is done to the code before, by machine.
const BEFORE: [(Machine, &str); 2] = [
    (Machine::Cpu, "symbol-dce,inline,tidy,resolve-pointers,choose-aggregation,simplify,symbol-dce{entries-only=true}"),
    (
        Machine::Gpu,
        "symbol-dce,inline{small=2000 once=16000},tidy,resolve-pointers{elements=true apart=true},tidy,choose-aggregation,\
         simplify,unroll-gpu,reduce-gpu,symbol-dce{entries-only=true}",
    ),
];

/// The classes, and the costs by machine.
const WAYS: [(&str, [&str; 2]); 3] = [
    ("exact", ["class=exact costs=cpu", "class=exact costs=gpu"]),
    ("contract", ["class=contract costs=cpu", "class=contract costs=gpu fuse=false"]),
    ("fast", ["class=fast costs=cpu", "class=fast costs=gpu-fast fuse=false"]),
];

/// The tables; `only` is a part of a program's name.
pub fn report(only: &str) -> Result<String, String> {
    let mut out = String::new();
    for (number, (machine, before)) in BEFORE.into_iter().enumerate() {
        let title = if machine == Machine::Cpu { "CPU" } else { "GPU" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "### the e-graph, costs of a {title}\n");
        let _ = writeln!(out, "| | pure ops | exact ms | contract ms | fast ms | exact | contract | fast |");
        let _ = writeln!(out, "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for program in PROGRAMS.iter().filter(|p| p.name.contains(only)) {
            for variant in program.variants {
                for entry in ENTRIES {
                    let module = code(program, variant, entry, machine, before)?;
                    let pure = |op| module_is_pure(&module, op);
                    let ops: usize = (0..module.symbols().len()).map(pure).sum();
                    let (mut times, mut gains) = (String::new(), String::new());
                    for (_, options) in WAYS {
                        let (time, [cost_before, cost_after]) = measure(&module, options[number], TIMES)?;
                        let _ = write!(times, " {:.1} |", time.as_secs_f64() * 1e3);
                        let _ = write!(gains, " {:.3} |", cost_after as f64 / cost_before.max(1) as f64);
                    }
                    let _ = writeln!(out, "| {} {}, {entry} | {ops} |{times}{gains}", program.name, variant.label);
                }
            }
        }
        out.push('\n');
    }
    if only.is_empty() || "growth".contains(only) {
        out.push_str(&growth()?);
    }
    Ok(out)
}

/// How the time grows with a function: sums of products. The limits of nodes are tests of the suite
/// (`rewrites/growth-…`).
fn growth() -> Result<String, String> {
    let mut out = "### the e-graph, sums of products\n\n| products | exact ms | contract ms | fast ms |\n".to_string();
    out.push_str("| ---: | ---: | ---: | ---: |\n");
    for n in [10, 100, 1_000, 9_900] {
        let module = sum_of_products(n)?;
        let mut times = String::new();
        for (_, options) in WAYS {
            let (time, _) = measure(&module, options[0], if n > 100 { 1 } else { TIMES })?;
            let _ = write!(times, " {:.1} |", time.as_secs_f64() * 1e3);
        }
        let _ = writeln!(out, "| {n} |{times}");
    }
    Ok(out)
}

/// A function that adds up so many products of its 100 parameters.
fn sum_of_products(n: usize) -> Result<Module, String> {
    let parameters: Vec<String> = (0..100).map(|i| format!("%x{i}: f32")).collect();
    let (mut body, mut sum) = (String::new(), "%x0".to_string());
    for i in 0..n {
        let (a, b) = (i % 100, (i / 100 + i * 7 + 1) % 100);
        let _ = writeln!(body, "  %p{i} = arith.mulf %x{a}, %x{b} : f32\n  %s{i} = arith.addf {sum}, %p{i} : f32");
        sum = format!("%s{i}");
    }
    let text = format!("func.func @f({}) -> f32 {{\n{body}  func.return {sum} : f32\n}}\n", parameters.join(", "));
    parse_module(&text, "growth.mlir", &Registry::new(caustic_dialects::all())).map_err(told)
}

fn module_is_pure(module: &Module, symbol: usize) -> usize {
    let body = &module.symbols()[symbol].body;
    body.all_ops().filter(|&op| body.op(op).def.is_pure()).count()
}

fn told(found: Vec<Diagnostic>) -> String {
    found.first().map_or_else(String::new, |d| d.to_string())
}

fn parsed(text: &str) -> Result<Pipeline, String> {
    parse_pipeline(text, &registry()).map_err(|d| d.to_string())
}

fn run(module: &mut Module, pipeline: &Pipeline) -> Result<Outcome, String> {
    let options = RunOptions { verify_each: false, threads: Some(1), ..RunOptions::default() };
    pipelines::run_as(module, pipeline, options, &mut ()).map_err(told)
}

/// The code of an entry point as the e-graph gets it.
fn code(program: &Program, variant: &Variant, entry: &str, machine: Machine, before: &str) -> Result<Module, String> {
    let (mut module, interface) = compiled(program, variant, entry)?;
    pipeline::keep_only(&mut module, interface.entry);
    let cx = Context::default();
    let how = Derivatives { machine, ..Derivatives::default() };
    let mut module = pipeline::lower(module, Stage::Ad, &cx)
        .and_then(|module| pipeline::differentiate(module, how, &cx))
        .and_then(|module| pipeline::continue_from(module, Stage::Ad, Stage::Reverse, &cx))
        .map_err(told)?;
    run(&mut module, &parsed(before)?)?;
    Ok(module)
}

/// How long this thread has had a core, where the system tells: what else the machine does counts
/// less then.
fn on_core() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The time of the pass on a core, and the costs before and after it.
fn measure(module: &Module, options: &str, times: usize) -> Result<(Duration, [u64; 2]), String> {
    let pipeline = parsed(&format!("any(egraph{{{options}}})"))?;
    let mut modules = vec![module.clone(); times];
    let (start, began) = (on_core(), Instant::now());
    let mut costs = [0; 2];
    for module in &mut modules {
        let outcome = run(module, &pipeline)?;
        let of = |name: &str| outcome.statistics.iter().filter(|s| s.1 == name).map(|s| s.2).sum();
        costs = [of("cost-before"), of("cost-after")];
    }
    let time = on_core().zip(start).map_or(began.elapsed(), |(end, start)| end - start);
    Ok((time / times as u32, costs))
}
