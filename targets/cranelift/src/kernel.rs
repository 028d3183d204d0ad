//! Dispatch: an entry point run for every thread of a grid, groups in parallel.

use crate::context::Global;
use crate::jit::{Jit, SPARE_STACK};
use caustic_ir::{Diagnostic, Loc, Module, Name};
use caustic_runtime::dispatch::{Executor, Launch, Trap, TrapCell};
use caustic_runtime::{Buffer, KernelInterface, Slot};
use rayon::prelude::*;

/// A kernel compiled for this machine.
pub struct Kernel {
    jit: Jit,
    entry: Name,
}

impl Kernel {
    pub fn compile(
        module: &Module,
        interface: &KernelInterface,
        options: crate::Options,
    ) -> Result<Kernel, Diagnostic> {
        Ok(Kernel { jit: Jit::compile(module, &[interface.entry], options)?, entry: interface.entry })
    }
}

/// What a run's resources are in memory. Kept apart from [`Global`] so that it can be shared by threads.
struct Globals(Vec<Global>);

// SAFETY: the addresses are of buffers, which all threads of a dispatch share by design, and of uniforms, which nothing writes.
unsafe impl Sync for Globals {}

impl Executor for Kernel {
    fn run(&self, launch: &Launch<'_>) -> Result<(), Trap> {
        let failed = |message: String| Trap { message, loc: Loc::unknown(), thread: None };
        let entry = self.jit.entries.get(&self.entry).ok_or_else(|| failed(format!("no code for @{}", self.entry)))?;
        let empty = Global { data: self.jit.zeros.as_ptr().cast_mut().cast(), len: 0, step: 0, count: 0 };
        let mut globals = Globals(Vec::new());
        for (&name, &size) in self.jit.tables.globals.iter().zip(&self.jit.tables.global_sizes) {
            // What compiled code relies on, since it addresses the contents itself.
            let mismatch = || failed(format!("what is bound to @{name} does not have the layout of its type"));
            globals.0.push(match launch.bindings.of_symbol(name) {
                Some(Slot::Buffer(buffer)) => buffer_global(buffer, size, empty).ok_or_else(mismatch)?,
                Some(Slot::Uniform(bytes)) if bytes.len() as u64 >= size => {
                    Global { data: bytes.as_ptr().cast_mut(), ..empty }
                }
                Some(Slot::Uniform(_)) => return Err(mismatch()),
                None => return Err(failed(format!("nothing is bound to @{name}"))),
            });
        }
        let cell = TrapCell::default();
        let groups = launch.grid.num_groups();
        let run = |first: u64, last: u64, limit: usize| {
            self.run_groups(launch, entry.code, &globals, &cell, first..last, limit)
        };
        // One group is not worth waking other threads for.
        let workers = rayon_workers(groups, launch.grid.threads_per_group());
        if workers <= 1 {
            self.jit.with_stack(entry.stack, |limit| run(0, groups, limit))?;
        } else {
            let pieces = groups.min(workers as u64 * 8);
            let results: Result<(), caustic_ir::eval::Trap> = (0..pieces).into_par_iter().try_for_each(|piece| {
                let bound = |p: u64| (groups as u128 * p as u128 / pieces as u128) as u64;
                self.jit.with_stack(entry.stack, |limit| run(bound(piece), bound(piece + 1), limit))
            });
            results?;
        }
        cell.into_result()
    }
}

/// How many threads to use.
fn rayon_workers(groups: u64, threads: u64) -> usize {
    if groups <= 1 || groups.saturating_mul(threads) < 64 { 1 } else { rayon::current_num_threads() }
}

/// `None` if the buffer's elements are not of this size.
fn buffer_global(buffer: &Buffer, elem_size: u64, empty: Global) -> Option<Global> {
    if buffer.is_empty() {
        return Some(empty);
    }
    let (count, step) = (buffer.len() as u64, buffer.stride() as u64);
    // In a byte-address buffer an element begins at each byte from which it fits.
    let len = if step == 1 && elem_size > 1 { (count + 1).saturating_sub(elem_size) } else { count };
    (step == elem_size || step == 1).then(|| Global { data: buffer.as_ptr(), len, step, count })
}

impl Kernel {
    fn run_groups(
        &self,
        launch: &Launch<'_>,
        code: crate::jit::EntryFn,
        globals: &Globals,
        cell: &TrapCell,
        groups: std::ops::Range<u64>,
        limit: usize,
    ) {
        const { assert!(SPARE_STACK > 0) };
        let grid = &launch.grid;
        let mut host = self.jit.host(launch.trap_oob);
        host.prints = launch.prints;
        let mut cx = self.jit.context(&mut host, &globals.0);
        cx.stack_limit = limit;
        cx.block_dim = grid.numthreads.map(i64::from);
        cx.grid_dim = grid.groups.map(i64::from);
        let mut out = [0u64; 1];
        for group in groups {
            for local in 0..grid.threads_per_group() {
                let order = grid.order(group, local);
                if !cell.should_run(order) {
                    return;
                }
                let thread = grid.thread(order);
                cx.block_id = thread.group.map(i64::from);
                cx.thread_id = thread.local.map(i64::from);
                cx.global_id = thread.global(grid).map(i64::from);
                // SAFETY: `cx.host` is this function's, and nothing else touches it while the code runs.
                unsafe { (*cx.host).order = order };
                // SAFETY: an entry point takes no parameters; at most one word comes back, results of more are refused below.
                let status = unsafe { code(&mut cx, std::ptr::null(), out.as_mut_ptr()) };
                // SAFETY: as above.
                let host = unsafe { &mut *cx.host };
                host.heap.reset();
                if status != 0 {
                    let mut trap: Trap = match host.trap.take() {
                        Some(trap) => trap.into(),
                        None => Trap { message: "stopped without a reason".into(), loc: Loc::unknown(), thread: None },
                    };
                    trap.thread = Some(thread);
                    cell.report(order, trap);
                }
            }
        }
    }
}
