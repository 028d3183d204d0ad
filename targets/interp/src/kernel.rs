//! A kernel on the reference evaluator: every thread of the grid, one after the other in the order of
//! [`caustic_runtime::dispatch`].

use crate::Interp;
use crate::machine::Env;
use caustic_ir::Loc;
use caustic_runtime::{Executor, KernelInterface, Launch, Trap};

/// The entry point of `interface` in the module that `interp` evaluates.
pub struct Kernel<'a, 'm> {
    interp: &'a Interp<'m>,
    interface: &'a KernelInterface,
}

impl<'a, 'm> Kernel<'a, 'm> {
    pub fn new(interp: &'a Interp<'m>, interface: &'a KernelInterface) -> Kernel<'a, 'm> {
        Kernel { interp, interface }
    }
}

impl Executor for Kernel<'_, '_> {
    fn run(&self, launch: &Launch<'_>) -> Result<(), Trap> {
        let grid = launch.grid;
        let mut at = None;
        let result = self.interp.run(self.interface.entry, Some(Env::new(launch, self.interface)), |thread| {
            for group in 0..grid.num_groups() {
                for local in 0..grid.threads_per_group() {
                    let order = grid.order(group, local);
                    let id = grid.thread(order);
                    if let Some(env) = &mut thread.env {
                        (env.thread, env.order) = (id, order);
                    }
                    at = Some(id);
                    thread.call_function(self.interface.entry, Vec::new(), Loc::unknown())?;
                }
            }
            Ok(())
        });
        result.map_err(|trap| Trap { thread: at, ..Trap::from(trap) })
    }
}
