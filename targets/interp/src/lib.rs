//! The reference evaluator: runs a module at any level below `hl`, slowly and obviously rightly.
//!
//! It knows no op by name: what an op computes is its row's reference semantics, and this crate is
//! the machine under it (frames, calls, memory, limits). It is the judge in differential tests, so
//! it must not share code with a compiling target beyond rows, layout and buffers.
//!
//! Nothing a program does can crash it: steps, nesting and the size of values are limited, and
//! breaking a limit is a trap.

mod code;
mod kernel;
mod machine;
mod memory;
mod observe;
mod overwrite;
mod perturb;
mod watch;

pub use kernel::Kernel;
pub use observe::Observer;
pub use perturb::{OpError, Perturbation};

use caustic_ir::eval::{EvalResult, Trap, Val};
use caustic_ir::{Loc, Module, Name};
use caustic_runtime::{KernelInterface, Launch};
use code::Program;
use machine::{Env, Thread};
use std::sync::atomic::{AtomicU64, Ordering};

/// How much a program may use before it is stopped. Counts, never wall time, so that results do not
/// depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Ops executed by one call or one dispatch.
    pub steps: u64,
    /// Calls and regions within each other.
    pub depth: usize,
    /// Scalars of one value, as its type says.
    pub value_scalars: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 1 << 36, depth: 10_000, value_scalars: 1 << 24 }
    }
}

/// An evaluator of one module.
pub struct Interp<'m> {
    program: Program<'m>,
    limits: Limits,
    steps: AtomicU64,
    float_ops: AtomicU64,
    perturbation: Option<Perturbation>,
    observer: Option<&'m dyn Observer>,
}

impl<'m> Interp<'m> {
    pub fn new(module: &'m Module) -> Interp<'m> {
        Interp::with_limits(module, Limits::default())
    }

    pub fn with_limits(module: &'m Module, limits: Limits) -> Interp<'m> {
        let (steps, float_ops) = (AtomicU64::new(0), AtomicU64::new(0));
        Interp { program: Program::new(module), limits, steps, float_ops, perturbation: None, observer: None }
    }

    /// The results of some ops are off by so much.
    pub fn perturbed(self, perturbation: Option<Perturbation>) -> Interp<'m> {
        Interp { perturbation, ..self }
    }

    /// Ops are seen by this observer as they run.
    pub fn observed(self, observer: &'m dyn Observer) -> Interp<'m> {
        Interp { observer: Some(observer), ..self }
    }

    /// Calls the function `name`. There are no resources: reading a global traps.
    pub fn call(&self, name: &str, args: Vec<Val>) -> EvalResult {
        let name = Name::new(name);
        self.run(name, None, |thread| thread.call_function(name, args, Loc::unknown()))
    }

    /// Calls the function `name` as the only thread of a dispatch: resources are what `launch`
    /// binds to the parameters of `interface`.
    pub fn call_bound(
        &self,
        name: &str,
        args: Vec<Val>,
        interface: &KernelInterface,
        launch: &Launch<'_>,
    ) -> EvalResult {
        let name = Name::new(name);
        let shared = interface.shared_memory();
        let env = Env::new(launch, interface, &shared);
        self.run(name, Some(env), |thread| thread.call_function(name, args, Loc::unknown()))
    }

    /// Ops executed so far, all calls together.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Operations on floats among them: `+ - * /` and functions count once a scalar, a multiply-add
    /// twice.
    pub fn float_ops(&self) -> u64 {
        self.float_ops.load(Ordering::Relaxed)
    }

    fn count(&self, thread: &Thread<'_, '_>) {
        self.steps.fetch_add(thread.steps(), Ordering::Relaxed);
        self.float_ops.fetch_add(thread.float_ops(), Ordering::Relaxed);
    }

    /// Runs `job`, which calls `entry`: here, if little nesting can come of it, else on a thread
    /// whose stack holds the deepest nesting that the limits allow.
    fn run<'a, T: Send>(
        &'a self,
        entry: Name,
        env: Option<Env<'a>>,
        job: impl FnOnce(&mut Thread<'a, 'm>) -> Result<T, Trap> + Send,
    ) -> Result<T, Trap> {
        let work = move || {
            let thread = Thread::new(&self.program, self.limits, env).observed(self.observer);
            let mut thread = thread.perturbed(self.perturbation.as_ref());
            let result = job(&mut thread);
            self.count(&thread);
            result
        };
        if self.program.nesting(entry, INLINE_NESTING).is_some() {
            return work();
        }
        std::thread::scope(|scope| {
            let bytes = (1 << 20) + self.limits.depth.saturating_mul(FRAME);
            let builder = std::thread::Builder::new().name("evaluator".into()).stack_size(bytes);
            let handle = builder
                .spawn_scoped(scope, work)
                .map_err(|e| Trap::new(Loc::unknown(), format!("the evaluator's thread could not be started: {e}")))?;
            // A panic is a defect of this compiler: it goes on to whoever guards against those.
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

/// Bytes of stack for one block inside another. An unoptimized build uses less than half of it.
const FRAME: usize = 16 << 10;
/// Blocks that any caller's stack has room for.
const INLINE_NESTING: usize = 32;
