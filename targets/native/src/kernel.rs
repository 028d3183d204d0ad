//! Dispatch: an entry point run for every thread of a grid, groups in parallel, the threads of a
//! group one after the other or, where they wait for each other, side by side.

use crate::code::{Code, Entry, SPARE_STACK};
use crate::context::{Global, Host, ThreadCtx, WideWords, Words};
use crate::tables::GlobalEntry;
use caustic_ir::{Loc, Module, Name};
use caustic_runtime::dispatch::{Executor, Launch, STOPPED_MESSAGE, ThreadId, Trap, TrapCell};
use caustic_runtime::group::{Rendezvous, Stacks, WAVE_SIZE, is_convergent, run_group};
use caustic_runtime::{Buffer, KernelInterface, Slot};
use rayon::prelude::*;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// A kernel compiled for this machine.
pub struct Kernel {
    code: Code,
    entry: Name,
    /// Whether threads of a group wait for each other.
    convergent: bool,
    /// Whether the code runs all threads of a group, whose number it is given.
    whole_groups: bool,
    /// How many threads run together: a call of the code is given the number of the first of them,
    /// unless it runs the whole group.
    lanes: u32,
    /// The numbers of the resources that are a group's own memory, and their sizes.
    shared: Vec<(usize, usize)>,
}

impl Kernel {
    /// The entry point of `interface`, one of the roots that `code` was made for from `module`.
    pub fn new(code: Code, module: &Module, interface: &KernelInterface) -> Kernel {
        let shared = code.tables.global_entries.iter().enumerate().filter_map(|(number, entry)| {
            let shared = interface.shared_of_symbol(entry.symbol).and_then(|i| interface.shared.get(i))?;
            Some((number, shared.bytes))
        });
        let shared = shared.collect();
        let convergent = is_convergent(module, interface.entry);
        Kernel { code, entry: interface.entry, convergent, whole_groups: false, lanes: 1, shared }
    }

    /// The code of the entry runs all threads of a group, so many at once; those that wait for each
    /// other are all of them.
    pub fn of_whole_groups(mut self, lanes: u32) -> Kernel {
        (self.convergent, self.whole_groups, self.lanes) = (false, true, lanes);
        self
    }

    /// The code of the entry takes the number of a thread within its group and runs it together
    /// with those that follow, so many in all.
    pub fn of_lanes(mut self, lanes: u32) -> Kernel {
        self.lanes = lanes;
        self
    }
}

/// What a run's resources are in memory. Kept apart from [`Global`] so that it can be shared by
/// threads.
struct Globals(Vec<Global>);

// SAFETY: the addresses are of buffers, which all threads of a dispatch share by design, and of
// uniforms, which nothing writes.
unsafe impl Sync for Globals {}

impl Executor for Kernel {
    fn run(&self, launch: &Launch<'_>) -> Result<(), Trap> {
        let failed = |message: String| Trap { message, loc: Loc::unknown(), thread: None };
        if launch.traps.watch_values() {
            return Err(failed("compiled code cannot be watched: it runs on the reference evaluator".into()));
        }
        let entry = self.code.entries.get(&self.entry).ok_or_else(|| failed(format!("no code for @{}", self.entry)))?;
        let counter = AtomicU32::new(0);
        let empty = self.code.empty_global(&counter);
        let mut globals = Globals(Vec::new());
        for &GlobalEntry { symbol: name, element, size, .. } in &self.code.tables.global_entries {
            // What compiled code relies on, since it addresses the contents itself.
            let mismatch = || failed(format!("what is bound to @{name} does not have the layout of its type"));
            if self.shared.iter().any(|(number, _)| *number == globals.0.len()) {
                // Each thread of the host fills in its own.
                globals.0.push(empty);
                continue;
            }
            globals.0.push(match launch.bindings.of_symbol(name, element) {
                Some(Slot::Buffer(buffer)) => {
                    size.and_then(|s| buffer_global(buffer, s, empty)).ok_or_else(mismatch)?
                }
                Some(Slot::Texture(texture)) if size.is_none() => object_global(texture, empty),
                Some(Slot::Sampler(sampler)) if size.is_none() => object_global(sampler, empty),
                Some(Slot::Uniform(bytes)) if size.is_some_and(|size| bytes.len() as u64 >= size) => {
                    Global { data: bytes.as_ptr().cast_mut(), ..empty }
                }
                Some(_) => return Err(mismatch()),
                None => return Err(failed(format!("nothing is bound to @{name}"))),
            });
        }
        if globals.0.is_empty() {
            globals.0.push(empty);
        }
        let cell = TrapCell::default();
        let groups = launch.grid.num_groups();
        let run = |first: u64, last: u64, limit: usize| {
            let job = Job { kernel: self, launch, entry, cell: &cell };
            job.run(&globals, first..last, limit);
        };
        // Side by side, each thread has a stack of its own.
        let stack = if self.convergent { Some(0) } else { entry.stack };
        // One group is not worth waking other threads for.
        let workers = rayon_workers(groups, launch.grid.threads_per_group());
        if workers <= 1 {
            self.code.with_stack(stack, |limit| run(0, groups, limit))?;
        } else {
            let pieces = groups.min(workers as u64 * 8);
            let results: Result<(), caustic_ir::eval::Trap> = (0..pieces).into_par_iter().try_for_each(|piece| {
                let bound = |p: u64| (groups as u128 * p as u128 / pieces as u128) as u64;
                self.code.with_stack(stack, |limit| run(bound(piece), bound(piece + 1), limit))
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
    let counter = buffer.counter().as_ptr();
    if buffer.is_empty() {
        return Some(Global { counter, ..empty });
    }
    let (len, step) = (buffer.len() as u64, buffer.stride() as u64);
    (step == elem_size).then(|| Global { data: buffer.as_ptr(), len, step, counter })
}

/// A texture or sampler, which only helpers look into.
fn object_global<T>(object: &T, empty: Global) -> Global {
    Global { data: (&raw const *object).cast_mut().cast(), ..empty }
}

/// A part of a dispatch, run by one thread of the host.
struct Job<'a> {
    kernel: &'a Kernel,
    launch: &'a Launch<'a>,
    entry: &'a Entry,
    cell: &'a TrapCell,
}

/// Bytes of stack for a thread that runs beside others, if its calls recurse.
const DEEP_FIBER: u64 = 4 << 20;

fn stopped(thread: ThreadId) -> Trap {
    Trap { message: STOPPED_MESSAGE.into(), loc: Loc::unknown(), thread: Some(thread) }
}

impl Job<'_> {
    fn run(&self, globals: &Globals, groups: std::ops::Range<u64>, limit: usize) {
        const { assert!(SPARE_STACK > 0) };
        let memory: Vec<Buffer> =
            self.kernel.shared.iter().map(|&(_, bytes)| Buffer::new(&vec![0; bytes], bytes)).collect();
        let mut globals = globals.0.clone();
        for (&(number, bytes), buffer) in self.kernel.shared.iter().zip(&memory) {
            globals[number] = buffer_global(buffer, bytes as u64, globals[number]).unwrap_or(globals[number]);
        }
        let need = self.entry.stack.unwrap_or(DEEP_FIBER);
        let mut stacks = Stacks::new((need + 2 * SPARE_STACK) as usize);
        let mut host = self.host();
        let mut cx = self.kernel.code.context(&mut host, &globals);
        cx.stack_limit = limit;
        self.set_stop(&mut cx);
        for group in groups {
            if !self.cell.should_run(self.launch.grid.order(group, 0)) {
                return;
            }
            memory.iter().for_each(Buffer::clear);
            if self.kernel.convergent {
                self.run_together(&globals, group, &mut stacks);
            } else if !self.run_alone(&mut cx, group) {
                return;
            }
        }
    }

    /// The threads of a group, one after the other; false if the rest need not run.
    fn run_alone(&self, cx: &mut ThreadCtx, group: u64) -> bool {
        if self.kernel.whole_groups {
            return self.run_whole(cx, group);
        }
        for local in 0..self.launch.grid.threads_per_group() {
            let order = self.launch.grid.order(group, local);
            if !self.cell.should_run(order) {
                return false;
            }
            let outcome = if self.is_stopped() {
                Err(stopped(self.launch.grid.thread(order)))
            } else {
                self.run_thread(cx, group, local)
            };
            if let Err(trap) = outcome {
                self.cell.report(order, trap);
            }
        }
        true
    }

    /// The threads of a group by one call; false if the rest need not run.
    fn run_whole(&self, cx: &mut ThreadCtx, group: u64) -> bool {
        let outcome = if self.is_stopped() {
            Err(stopped(self.launch.grid.thread(self.launch.grid.order(group, 0))))
        } else {
            self.run_code(cx, group, 0, &[])
        };
        if let Err(trap) = outcome {
            let local = trap.thread.map_or(0, |t| self.local(t));
            self.cell.report(self.launch.grid.order(group, local), trap);
        }
        true
    }

    /// The number of a thread within its group.
    fn local(&self, thread: ThreadId) -> u64 {
        let [x, y, _] = self.launch.grid.numthreads.map(u64::from);
        let local = thread.local.map(u64::from);
        (local[2] * y + local[1]) * x + local[0]
    }

    /// The threads of a group, side by side.
    fn run_together(&self, globals: &[Global], group: u64, stacks: &mut Stacks) {
        let threads = u32::try_from(self.launch.grid.threads_per_group()).unwrap_or(u32::MAX);
        let context = |host: &mut Host, bottom: usize| {
            let mut cx = self.kernel.code.context(host, globals);
            cx.stack_limit = bottom + SPARE_STACK as usize;
            self.set_stop(&mut cx);
            cx
        };
        let outcome = match self.kernel.lanes {
            1 => run_group::<Words>(threads, 1, stacks, &|local, bottom, rendezvous| {
                let mut host = self.host();
                // SAFETY: only the lifetime changes, and the helpers use it only while the thread
                // runs.
                host.rendezvous = (rendezvous as *const Rendezvous<'_, Words>).cast();
                self.run_thread(&mut context(&mut host, bottom), group, local as u64)
            }),
            lanes => run_group::<WideWords>(threads, lanes, stacks, &|first, bottom, rendezvous| {
                let mut host = self.host();
                // SAFETY: as above.
                host.wide_rendezvous = (rendezvous as *const Rendezvous<'_, WideWords>).cast();
                self.run_code(&mut context(&mut host, bottom), group, 0, &[u64::from(first)])
            }),
        };
        if let Err((local, trap)) = outcome {
            let local = trap.thread.map_or(u64::from(local), |t| self.local(t));
            let order = self.launch.grid.order(group, local);
            self.cell.report(order, Trap { thread: Some(self.launch.grid.thread(order)), ..trap });
        }
    }

    fn set_stop(&self, cx: &mut ThreadCtx) {
        if let Some(stop) = self.launch.traps.stop {
            cx.stop = stop.as_ptr();
        }
    }

    /// Whether the time is over. Code without loops does not look itself.
    fn is_stopped(&self) -> bool {
        self.launch.traps.stop.is_some_and(|stop| stop.load(Relaxed) != 0)
    }

    fn host(&self) -> Host {
        let mut host = self.kernel.code.wide_host(self.kernel.lanes);
        host.prints = self.launch.prints;
        host
    }

    fn run_thread(&self, cx: &mut ThreadCtx, group: u64, local: u64) -> Result<(), Trap> {
        self.run_code(cx, group, local, &[])
    }

    fn run_code(&self, cx: &mut ThreadCtx, group: u64, local: u64, words: &[u64]) -> Result<(), Trap> {
        let grid = &self.launch.grid;
        let order = grid.order(group, local);
        let thread = grid.thread_of(group, local);
        let wave = WAVE_SIZE as u64;
        cx.block_dim = grid.numthreads.map(i64::from);
        cx.grid_dim = grid.groups.map(i64::from);
        cx.block_id = thread.group.map(i64::from);
        cx.thread_id = thread.local.map(i64::from);
        cx.global_id = thread.global(grid).map(i64::from);
        (cx.lane_id, cx.subgroup_id) = ((local % wave) as i64, (local / wave) as i64);
        cx.num_subgroups = grid.threads_per_group().div_ceil(wave) as i64;
        // SAFETY: `cx.host` is the caller's, and nothing else touches it while the code runs.
        unsafe { (*cx.host).order = order };
        let mut out = [0u64; 1];
        // SAFETY: an entry point takes no parameters; at most one word comes back, results of more
        // are refused below.
        let status = unsafe { (self.entry.code)(cx, words.as_ptr(), out.as_mut_ptr()) };
        // SAFETY: as above.
        let host = unsafe { &mut *cx.host };
        host.heap.reset();
        if status == 0 && cx.trapped == 0 {
            return Ok(());
        }
        let thread = if self.kernel.lanes > 1 { grid.thread(order + host.trap_of) } else { thread };
        (cx.caller, cx.trapped, host.trap_of) = (0, 0, 0);
        let trap: Trap = match host.trap.take() {
            Some(trap) => trap.into(),
            None => Trap { message: "stopped without a reason".into(), loc: Loc::unknown(), thread: None },
        };
        Err(Trap { thread: Some(thread), ..trap })
    }
}
