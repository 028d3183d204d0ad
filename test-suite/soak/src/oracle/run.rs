//! Compiles and runs programs in this process: source to modules, passes one at a time, kernels on
//! a back end.

use crate::tree::print::Layout;
use caustic_frontend::MemoryLoader;
use caustic_interp::{Interp, Limits};
use caustic_ir::{Diagnostic, Loc, Module, Severity};
use caustic_passes::manager::parse::parse_pipeline;
use caustic_passes::manager::{Pipeline, RunOptions, run_pipeline};
use caustic_passes::pipelines::{self, Standard};
use caustic_runtime::{BindError, Bindings, Executor, Grid, KernelInterface, Launch, PrintLog, Traps};

/// The most ops of one dispatch in the interpreter. Generated programs need far fewer.
const STEPS: u64 = 1 << 28;

fn shown(found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|d| d.severity == Severity::Error);
    errors.take(4).map(|d| format!("{d}\n")).collect()
}

/// Compiles source to `hl`.
pub fn compile(text: &str) -> Result<Module, String> {
    let mut files = MemoryLoader::new("program.slang", text);
    let compiled = caustic_frontend::compile(&mut files, "program.slang", &Default::default());
    match compiled.module {
        Some(module) if !compiled.diagnostics.iter().any(|d| d.severity == Severity::Error) => Ok(module),
        _ => Err(shown(&compiled.diagnostics)),
    }
}

/// The passes of a standard pipeline, each as a pipeline of its own.
pub fn passes(standard: Standard) -> Result<Vec<(String, Pipeline)>, String> {
    let whole = pipelines::pipeline(standard).map_err(|e| e.to_string())?;
    let names: Vec<String> = whole.passes().iter().map(|p| p.def.name.to_string()).collect();
    Ok(names.into_iter().enumerate().map(|(i, name)| (name, whole.slice(i..i + 1))).collect())
}

/// The pipeline that this text says.
pub fn pipeline(text: &str) -> Result<Pipeline, String> {
    parse_pipeline(text, &caustic_passes::registry()).map_err(|e| e.to_string())
}

/// Runs some passes, and verifies the module after each.
pub fn apply(module: &mut Module, pipeline: &Pipeline) -> Result<(), String> {
    apply_verified(module, pipeline, true)
}

fn apply_verified(module: &mut Module, pipeline: &Pipeline, verify_each: bool) -> Result<(), String> {
    let options = RunOptions { verify_each, reproducer: false, threads: Some(1), ..RunOptions::default() };
    let outcome = run_pipeline(module, pipeline, &options, &mut ());
    if outcome.ok { Ok(()) } else { Err(shown(&outcome.diagnostics)) }
}

/// Runs a standard pipeline. The results of its passes are verified where passes are checked one by
/// one.
pub fn apply_all(module: &mut Module, standard: Standard) -> Result<(), String> {
    apply_verified(module, &pipelines::pipeline(standard).map_err(|e| e.to_string())?, false)
}

/// Compiles source to the form that back ends take.
pub fn lowered(text: &str) -> Result<Module, String> {
    let mut module = compile(text)?;
    for pipeline in [pipelines::NORMALIZE, pipelines::DIFFERENTIATE, pipelines::OPTIMIZE] {
        apply_all(&mut module, pipeline)?;
    }
    Ok(module)
}

/// The contents of the buffers, for some threads.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub data: Vec<f64>,
    pub ints: Vec<i32>,
    pub threads: usize,
}

/// The contents of the table, which functions may read besides their arguments.
pub const TABLE: [f64; 8] = [0.5, -0.75, 1.25, 0.25, -1.5, 1.0, 0.125, -0.375];

/// The results of a batch, by thread.
pub type Numbers = Vec<Vec<f64>>;

pub fn bytes(values: &[f64], narrow: bool) -> Vec<u8> {
    if narrow {
        values.iter().flat_map(|&v| (v as f32).to_le_bytes()).collect()
    } else {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }
}

pub fn reals(bytes: &[u8], narrow: bool) -> Vec<f64> {
    if narrow {
        bytes.as_chunks::<4>().0.iter().map(|c| f64::from(f32::from_le_bytes(*c))).collect()
    } else {
        bytes.as_chunks::<8>().0.iter().map(|c| f64::from_le_bytes(*c)).collect()
    }
}

/// A kernel that a back end has made ready.
pub struct Ready<'m> {
    interface: KernelInterface,
    executor: Box<dyn Fn(&KernelInterface, &Launch<'_>) -> Result<(), String> + 'm>,
}

/// A back end: lowers the module as far as necessary, and makes a kernel ready.
pub type Backend = for<'m> fn(&'m Module, &str) -> Result<Ready<'m>, String>;

/// Every back end of this build. The first one is the reference.
pub const BACKENDS: &[(&str, Backend)] = &[
    ("interp", interp),
    ("cranelift", cranelift),
    #[cfg(feature = "llvm")]
    ("llvm", |module, entry| llvm(module, entry, 1)),
    #[cfg(feature = "llvm")]
    ("llvm with 8 lanes", |module, entry| llvm(module, entry, 8)),
];

fn interface(module: &Module, entry: &str) -> Result<KernelInterface, String> {
    KernelInterface::of_module(module, Some(entry)).map_err(|e| e.to_string())
}

pub fn interp<'m>(module: &'m Module, entry: &str) -> Result<Ready<'m>, String> {
    let interp = Interp::with_limits(module, Limits { steps: STEPS, ..Limits::default() });
    let executor = Box::new(move |interface: &KernelInterface, launch: &Launch<'_>| {
        caustic_interp::Kernel::new(&interp, interface).run(launch).map_err(|t| t.to_string())
    });
    Ok(Ready { interface: interface(module, entry)?, executor })
}

pub fn cranelift<'m>(module: &'m Module, entry: &str) -> Result<Ready<'m>, String> {
    compiled(module, entry)
}

/// A kernel as machine code, which no longer depends on the module.
pub fn compiled(module: &Module, entry: &str) -> Result<Ready<'static>, String> {
    let interface = interface(module, entry)?;
    let mut module = module.clone();
    apply_all(&mut module, pipelines::STORAGE)?;
    apply_all(&mut module, pipelines::INSTANCES)?;
    let options = caustic_cranelift::Options { verify: true, ..Default::default() };
    let kernel = caustic_cranelift::compile_kernel(&module, &interface, options).map_err(|e| e.to_string())?;
    let executor =
        Box::new(move |_: &KernelInterface, launch: &Launch<'_>| kernel.run(launch).map_err(|t| t.to_string()));
    Ok(Ready { interface, executor })
}

/// LLVM's back end with this many threads at once.
#[cfg(feature = "llvm")]
pub fn llvm<'m>(module: &'m Module, entry: &str, lanes: usize) -> Result<Ready<'m>, String> {
    let interface = interface(module, entry)?;
    let mut module = module.clone();
    for pipeline in [pipelines::OPTIMIZE_LLVM, pipelines::STORAGE, pipelines::INSTANCES] {
        apply_all(&mut module, pipeline)?;
    }
    let options = caustic_llvm::Options { lanes: Some(lanes), ..Default::default() };
    let kernel = caustic_llvm::compile_kernel(&module, &interface, options).map_err(|e| e.to_string())?;
    let executor =
        Box::new(move |_: &KernelInterface, launch: &Launch<'_>| kernel.run(launch).map_err(|t| t.to_string()));
    Ok(Ready { interface, executor })
}

fn unbound(error: BindError) -> String {
    error.into_diagnostic(Loc::unknown()).to_string()
}

impl Ready<'_> {
    /// Runs this many threads, and those that fill up their groups, with these contents. Returns
    /// the final contents of the buffers in `read`.
    pub fn dispatch(
        &self,
        threads: usize,
        contents: &[(&str, Vec<u8>)],
        read: &[&str],
    ) -> Result<Vec<Vec<u8>>, String> {
        self.dispatch_with(threads, contents, read, Traps::default())
    }

    /// Like [`Self::dispatch`], with these traps.
    pub fn dispatch_with(
        &self,
        threads: usize,
        contents: &[(&str, Vec<u8>)],
        read: &[&str],
        traps: Traps<'_>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let mut bindings = Bindings::new(&self.interface);
        for (name, contents) in contents {
            bindings.bind_buffer(&self.interface, name, contents).map_err(unbound)?;
        }
        let prints = PrintLog::default();
        let numthreads = self.interface.numthreads;
        let grid = Grid { groups: [(threads as u32).div_ceil(numthreads[0].max(1)), 1, 1], numthreads };
        let launch = Launch { grid, bindings: &bindings, prints: &prints, traps };
        (self.executor)(&self.interface, &launch)?;
        let bytes =
            |name: &&str| bindings.read_buffer(&self.interface, name).map(|(b, _)| b.to_bytes()).map_err(unbound);
        read.iter().map(bytes).collect()
    }

    /// Runs all threads of the batch in one dispatch.
    pub fn run(&self, batch: &Batch, layout: &Layout, narrow: bool) -> Result<Numbers, String> {
        let stride = layout.result_stride();
        let size = if narrow { 4 } else { 8 };
        let contents = [
            ("table", bytes(&TABLE, narrow)),
            ("data", bytes(&batch.data, narrow)),
            ("ints", batch.ints.iter().flat_map(|v| v.to_le_bytes()).collect()),
            ("result", vec![0; stride * batch.threads * size]),
        ];
        let got = self.dispatch(batch.threads, &contents, &["result"])?;
        let numbers = got.first().map(|b| reals(b, narrow)).unwrap_or_default();
        Ok(numbers.chunks(stride).map(<[f64]>::to_vec).collect())
    }

    /// Runs the threads of the batch in a dispatch each.
    pub fn run_one_by_one(&self, batch: &Batch, layout: &Layout) -> Result<Numbers, String> {
        let mut out = Vec::new();
        for t in 0..batch.threads {
            let part = |s: usize| t * s..(t + 1) * s;
            let one = Batch {
                data: batch.data[part(layout.data_stride())].to_vec(),
                ints: batch.ints[part(layout.ints)].to_vec(),
                threads: 1,
            };
            out.extend(self.run(&one, layout, false)?);
        }
        Ok(out)
    }
}
