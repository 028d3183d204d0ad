//! What compiled code is given to run with: the thread's ids, the resources, and the host's side of it.
//!
//! [`ThreadCtx`] is read by compiled code at fixed offsets; everything behind its `host` pointer is touched by the helpers only.

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
}

/// The scalars that a thread brings to a wave operation, a word each.
pub type Words = Box<[u64]>;

/// The helpers' side of a running thread.
pub struct Host {
    pub heap: Heap,
    pub trap: Option<Trap>,
    pub trap_oob: bool,
    /// Where `printf` goes, and the thread's place in the order of all.
    pub prints: *const PrintLog,
    pub order: u64,
    /// How to wait for the other threads of the group; null unless they run side by side.
    pub rendezvous: *const Rendezvous<'static, Words>,
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
    pub fn fail(&mut self, site: u32, message: impl Into<String>) {
        let loc = self.site(site);
        self.trap.get_or_insert_with(|| Trap::new(loc, message));
    }
}
