//! Running a kernel over a grid of thread groups: what a target is given, and how it reports that a
//! thread went wrong.
//!
//! Threads have one order, by group and then within the group, x fastest. Nothing a host sees
//! depends on how many ran at once: of several traps the one of the first thread in that order is
//! reported, and printed text comes in that order.

#![warn(missing_docs)]

use crate::binding::Bindings;
use crate::print::PrintLog;
use caustic_ir::Loc;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// The extent of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Thread groups in each dimension.
    pub groups: [u32; 3],
    /// Threads of a group in each dimension.
    pub numthreads: [u32; 3],
}

/// A thread of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadId {
    /// Its group within the dispatch.
    pub group: [u32; 3],
    /// Within the group.
    pub local: [u32; 3],
}

#[inline]
fn volume(extent: [u32; 3]) -> u64 {
    // Saturating: a dispatch that large never ends anyway.
    extent.into_iter().fold(1u64, |n, e| n.saturating_mul(e as u64))
}

#[inline]
fn coordinates(index: u64, extent: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = extent.map(|e| e.max(1) as u64);
    // Divisions take longer than a small kernel.
    if index < x {
        return [index as u32, 0, 0];
    }
    if let (Ok(index), Ok(row)) = (u32::try_from(index), u32::try_from(x * y))
        && index < row
    {
        return [index % extent[0].max(1), index / extent[0].max(1), 0];
    }
    [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
}

impl Grid {
    /// Groups of the dispatch.
    pub fn num_groups(&self) -> u64 {
        volume(self.groups)
    }
    /// Threads of a group.
    #[inline]
    pub fn threads_per_group(&self) -> u64 {
        volume(self.numthreads)
    }
    /// The `index`-th group in order.
    #[inline]
    pub fn group(&self, index: u64) -> [u32; 3] {
        coordinates(index, self.groups)
    }
    /// The thread that stands at `order` among all of the dispatch.
    #[inline]
    pub fn thread(&self, order: u64) -> ThreadId {
        let size = self.threads_per_group().max(1);
        ThreadId { group: self.group(order / size), local: coordinates(order % size, self.numthreads) }
    }
    /// The `local`-th thread of the `group`-th group.
    #[inline]
    pub fn thread_of(&self, group: u64, local: u64) -> ThreadId {
        ThreadId { group: self.group(group), local: coordinates(local, self.numthreads) }
    }
    /// Position of the `local`-th thread of the `group`-th group among all.
    #[inline]
    pub fn order(&self, group: u64, local: u64) -> u64 {
        group.saturating_mul(self.threads_per_group()).saturating_add(local)
    }
}

impl ThreadId {
    /// `SV_DispatchThreadID`.
    #[inline]
    pub fn global(&self, grid: &Grid) -> [u32; 3] {
        std::array::from_fn(|i| self.group[i].wrapping_mul(grid.numthreads[i]).wrapping_add(self.local[i]))
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([gx, gy, gz], [x, y, z]) = (self.group, self.local);
        write!(f, "thread ({x}, {y}, {z}) of group ({gx}, {gy}, {gz})")
    }
}

/// A thread did what has no meaning, or ran into a limit; the dispatch stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// What happened.
    pub message: String,
    /// Where in the program.
    pub loc: Loc,
    /// Which thread it was, if that is known.
    pub thread: Option<ThreadId>,
}

impl From<caustic_ir::eval::Trap> for Trap {
    fn from(trap: caustic_ir::eval::Trap) -> Trap {
        Trap { message: trap.message, loc: trap.loc, thread: None }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: trap: {}", self.loc.start_text(), self.message)?;
        match &self.thread {
            Some(thread) => write!(f, " ({thread})"),
            None => Ok(()),
        }
    }
}

/// Where the threads of a dispatch report traps; keeps the one of the first thread in order.
#[derive(Debug)]
pub struct TrapCell {
    first: AtomicU64,
    trap: Mutex<Option<(u64, Trap)>>,
}

impl Default for TrapCell {
    fn default() -> Self {
        TrapCell { first: AtomicU64::new(u64::MAX), trap: Mutex::new(None) }
    }
}

impl TrapCell {
    /// The thread at `order` has trapped.
    pub fn report(&self, order: u64, trap: Trap) {
        let mut slot = self.trap.lock().unwrap_or_else(|e| e.into_inner());
        if slot.as_ref().is_none_or(|(first, _)| order < *first) {
            *slot = Some((order, trap));
            self.first.store(order, Ordering::Relaxed);
        }
    }

    /// Whether the thread at `order` still has to run: not if one before it has trapped.
    pub fn should_run(&self, order: u64) -> bool {
        order < self.first.load(Ordering::Relaxed)
    }

    /// The trap that is reported, if there is one.
    pub fn into_result(self) -> Result<(), Trap> {
        match self.trap.into_inner().unwrap_or_else(|e| e.into_inner()) {
            Some((_, trap)) => Err(trap),
            None => Ok(()),
        }
    }
}

/// One dispatch of a kernel.
pub struct Launch<'a> {
    /// How many threads run.
    pub grid: Grid,
    /// What the kernel's parameters are bound to; buffers are written in place.
    pub bindings: &'a Bindings,
    /// Where threads print.
    pub prints: &'a PrintLog,
    /// What ends it early.
    pub traps: Traps<'a>,
}

/// What ends a dispatch that could go on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Traps<'a> {
    /// A number that is not finite and comes to memory. Only the reference evaluator can say where
    /// it was made.
    pub non_finite: bool,
    /// A custom backward derivative reads what was overwritten since its function read it. Only the
    /// reference evaluator sees this.
    pub overwritten: bool,
    /// Not zero once the dispatch shall end; loops look at it.
    pub stop: Option<&'a AtomicU32>,
}

impl Traps<'_> {
    /// Whether what runs has to be watched value by value.
    pub fn watch_values(&self) -> bool {
        self.non_finite || self.overwritten
    }
}

/// The message of a trap by [`Traps::stop`].
pub const STOPPED_MESSAGE: &str = "the time limit is reached";

/// Runs `job` with a flag that is set after `limit`.
pub fn with_time_limit<T>(limit: Option<Duration>, job: impl FnOnce(Option<&AtomicU32>) -> T) -> T {
    let Some(limit) = limit else { return job(None) };
    let (stop, (done, wait)) = (AtomicU32::new(0), mpsc::channel::<()>());
    let flag = &stop;
    std::thread::scope(move |scope| {
        scope.spawn(move || {
            // Ends early when the job's end of the channel is dropped.
            if wait.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                flag.store(1, Ordering::Relaxed);
            }
        });
        let result = job(Some(flag));
        drop(done);
        result
    })
}

/// A kernel made ready to run by a target.
pub trait Executor {
    /// Runs it for every thread of the grid.
    fn run(&self, launch: &Launch<'_>) -> Result<(), Trap>;
}

/// The message of a trap for an access out of range, the same on all targets.
/// Elements of one byte are counted as what a pointer leads to is.
pub fn out_of_range_message(buffer: &str, index: i64, len: usize, size: usize) -> String {
    let (what, of) = if size == 1 { ("byte", "byte") } else { ("index", "element") };
    format!("{what} {index} is out of range: `{buffer}` has {len} {of}{}", if len == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_ordered_by_group_then_x_first() {
        let grid = Grid { groups: [2, 1, 3], numthreads: [4, 2, 1] };
        assert_eq!((grid.num_groups(), grid.threads_per_group()), (6, 8));
        let id = grid.thread(grid.order(3, 5));
        assert_eq!(id, ThreadId { group: [1, 0, 1], local: [1, 1, 0] });
        assert_eq!(id.global(&grid), [5, 1, 1]);
        assert_eq!(Grid { groups: [0, 1, 1], ..grid }.num_groups(), 0);
    }

    #[test]
    fn the_first_trap_in_order_wins() {
        let trap = |message: &str| Trap { message: message.into(), loc: Loc::unknown(), thread: None };
        let cell = TrapCell::default();
        assert!(cell.should_run(7));
        cell.report(5, trap("five"));
        cell.report(9, trap("nine"));
        assert!(cell.should_run(4) && !cell.should_run(5) && !cell.should_run(6));
        cell.report(2, trap("two"));
        assert_eq!(cell.into_result(), Err(trap("two")));
        assert_eq!(TrapCell::default().into_result(), Ok(()));
    }
}
