//! What compiled code is given to run with: the thread's ids, the resources, and the host's side of
//! it.
//!
//! [`ThreadCtx`] is read by compiled code at fixed offsets; everything behind its `host` pointer is
//! touched by the helpers only.

use crate::heap::Heap;
use caustic_ir::Loc;
use caustic_ir::eval::Trap;
use caustic_runtime::PrintLog;
use caustic_runtime::group::{Instance, Rendezvous};

/// A resource of the module, by its number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Global {
    /// First byte of a buffer's or a uniform's contents.
    pub data: *mut u8,
    /// Elements of a buffer.
    pub len: u64,
    /// Bytes from one to the next.
    pub step: u64,
    /// The hidden counter of a buffer.
    pub counter: *mut u32,
}

#[repr(C)]
pub struct ThreadCtx {
    pub block_id: [i64; 3],
    pub thread_id: [i64; 3],
    pub global_id: [i64; 3],
    pub block_dim: [i64; 3],
    pub grid_dim: [i64; 3],
    /// Within the wave, the wave within the group, and how many waves there are.
    pub lane_id: i64,
    pub subgroup_id: i64,
    pub num_subgroups: i64,
    pub globals: *const Global,
    /// How many there are; never none.
    pub num_globals: u64,
    /// Zeros, as many as the largest value that is read at once.
    pub zeros: *const u8,
    /// A recursive function must not run with its stack pointer below this.
    pub stack_limit: usize,
    /// Not zero once the dispatch shall end; never null. Others write it while the thread runs.
    pub stop: *const u32,
    pub host: *mut Host,
    /// What the last rare helper returned.
    pub answer: u64,
    /// Where threads run together with this context: which of them calls a helper, counted from the
    /// one whose ids these are.
    pub caller: u64,
    /// Not zero once one of them has trapped.
    pub trapped: u32,
}

/// The scalars that a thread brings to a wave operation, a word each.
pub type Words = Box<[u64]>;

/// What threads that run together bring to a wave operation.
#[derive(Clone)]
pub struct WideWords {
    /// A bit for each that takes part.
    pub who: u32,
    /// Each scalar of all of them, side by side.
    pub words: Vec<u64>,
}

/// The helpers' side of a running thread.
pub struct Host {
    pub heap: Heap,
    pub trap: Option<Trap>,
    /// Which of the threads that run together it is of, the first that has one.
    pub trap_of: u64,
    /// How many threads run together, which share the heap.
    pub together: u32,
    /// Where `printf` goes, and the thread's place in the order of all.
    pub prints: *const PrintLog,
    pub order: u64,
    /// How to wait for the other threads of the group; null unless they run side by side.
    pub rendezvous: *const Rendezvous<'static, Words>,
    /// The same where threads run together with one context, beside others.
    pub wide_rendezvous: *const Rendezvous<'static, WideWords>,
    pub instance: Instance,
    /// Names of the resources, for messages.
    pub globals: *const [caustic_ir::Name],
    /// Locations that compiled code refers to by number.
    pub sites: *const [Loc],
}

impl Host {
    pub fn site(&self, site: u32) -> Loc {
        // SAFETY: points to the compiled module's table, which outlives every run.
        unsafe { &*self.sites }.get(site as usize).copied().unwrap_or_else(Loc::unknown)
    }
}

/// Records the trap of the thread that calls, unless it or one before it has trapped already.
///
/// # Safety
/// The context is that of a running thread, which is the caller's alone.
pub unsafe fn fail(ctx: *mut ThreadCtx, loc: Loc, message: impl Into<String>) {
    // SAFETY: the caller's.
    let (ctx, host) = unsafe { (&mut *ctx, &mut *(*ctx).host) };
    ctx.trapped = 1;
    if host.trap.is_none() || ctx.caller < host.trap_of {
        (host.trap, host.trap_of) = (Some(Trap::new(loc, message)), ctx.caller);
    }
}
