//! The threads that a check runs on: one for each core, with room for the evaluator's recursion.

use std::sync::OnceLock;

/// Address space, not memory: only what is used is backed by pages.
const STACK_BYTES: usize = 512 << 20;

/// Runs `work` where its parallel loops have all cores; on this thread alone where the system
/// denies others.
pub(super) fn on_all<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static SHARED: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK_BYTES).build();
    match SHARED.get_or_init(|| pool(0).or_else(|_| pool(1)).ok()) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}
