//! A kernel on the reference evaluator: every thread of the grid, one after the other in the order
//! of [`caustic_runtime::dispatch`]; where threads wait for each other, those of a group side by
//! side.

use crate::machine::{Env, Thread};
use crate::{FRAME, INLINE_NESTING, Interp, Limits};
use caustic_ir::Loc;
use caustic_ir::eval::Val;
use caustic_runtime::group::{Rendezvous, Stacks, is_convergent, run_group, run_group_in_any_order};
use caustic_runtime::{Buffer, Executor, KernelInterface, Launch, Trap};

/// The entry point of `interface` in the module that `interp` evaluates.
pub struct Kernel<'a, 'm> {
    interp: &'a Interp<'m>,
    interface: &'a KernelInterface,
    /// What draws the order of threads that wait for each other, if not the order of their numbers.
    schedule: Option<u64>,
}

/// How deep a thread that runs beside others may nest, if it is not known to need less: each has a
/// stack of its own.
const GROUP_DEPTH: usize = 1024;

impl<'a, 'm> Kernel<'a, 'm> {
    pub fn new(interp: &'a Interp<'m>, interface: &'a KernelInterface) -> Kernel<'a, 'm> {
        Kernel { interp, interface, schedule: None }
    }

    /// Runs threads that wait for each other in an order that is drawn, another one for each group.
    /// Wave operations need masks then.
    pub fn in_any_order(self, seed: Option<u64>) -> Kernel<'a, 'm> {
        Kernel { schedule: seed, ..self }
    }

    /// All threads, one after the other.
    fn run_alone(&self, launch: &Launch<'_>, shared: &[Buffer]) -> Result<(), Trap> {
        let grid = launch.grid;
        let mut at = None;
        let env = Env::new(launch, self.interface, shared);
        let result = self.interp.run(self.interface.entry, Some(env), |thread| {
            for group in 0..grid.num_groups() {
                shared.iter().for_each(Buffer::clear);
                for local in 0..grid.threads_per_group() {
                    if let Some(env) = &mut thread.env {
                        env.enter(group, local);
                        at = Some(env.thread);
                    }
                    thread.call_function(self.interface.entry, Vec::new(), Loc::unknown())?;
                }
            }
            Ok(())
        });
        result.map_err(|trap| Trap { thread: at, ..Trap::from(trap) })
    }

    /// Group by group, the threads of each side by side.
    fn run_together(&self, launch: &Launch<'_>, shared: &[Buffer]) -> Result<(), Trap> {
        let entry = self.interface.entry;
        let shallow = self.interp.program.nesting(entry, INLINE_NESTING).is_some();
        let depth = if shallow { self.interp.limits.depth } else { self.interp.limits.depth.min(GROUP_DEPTH) };
        let frames = if shallow { INLINE_NESTING } else { depth };
        let limits = Limits { depth, ..self.interp.limits };
        let mut stacks = Stacks::new((256 << 10) + frames.saturating_mul(FRAME));
        let grid = launch.grid;
        let threads = u32::try_from(grid.threads_per_group()).unwrap_or(u32::MAX);
        for group in 0..grid.num_groups() {
            shared.iter().for_each(Buffer::clear);
            let body = |local: u32, _: usize, rendezvous: &Rendezvous<'_, Vec<Val>>| {
                let mut env = Env::new(launch, self.interface, shared);
                env.enter(group, local as u64);
                let thread = Thread::new(&self.interp.program, limits, Some(env));
                let mut thread = thread.perturbed(self.interp.perturbation.as_ref());
                thread.rendezvous = Some(rendezvous);
                let result = thread.call_function(entry, Vec::new(), Loc::unknown());
                self.interp.count(&thread);
                result.map(|_| ()).map_err(Trap::from)
            };
            let outcome = match self.schedule {
                Some(seed) => run_group_in_any_order(threads, &mut stacks, seed.wrapping_add(group), &body),
                None => run_group(threads, 1, &mut stacks, &body),
            };
            outcome
                .map_err(|(local, trap)| Trap { thread: Some(grid.thread(grid.order(group, local as u64))), ..trap })?;
        }
        Ok(())
    }
}

impl Executor for Kernel<'_, '_> {
    fn run(&self, launch: &Launch<'_>) -> Result<(), Trap> {
        let shared = self.interface.shared_memory();
        if is_convergent(self.interp.program.module, self.interface.entry) {
            self.run_together(launch, &shared)
        } else {
            self.run_alone(launch, &shared)
        }
    }
}
