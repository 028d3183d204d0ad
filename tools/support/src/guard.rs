//! Runs the tool's work where deep input and bugs do no harm: on a thread with a large stack, with
//! panics turned into a report.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Address space, not memory: only what is used is backed by pages.
const STACK_BYTES: usize = 512 << 20;

thread_local! {
    /// What a panic on a guarded thread said; `None` on threads that are not guarded.
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the default report of panics off standard error for guarded threads: they make their own.
fn install_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let guarded = LAST_PANIC.with_borrow_mut(|last| match last {
                Some(text) => {
                    *text = info.to_string();
                    true
                }
                None => false,
            });
            if !guarded {
                default(info);
            }
        }));
    });
}

/// Runs `work` guarded; the error says what a panic said.
pub(crate) fn guarded<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    install_hook();
    let run = move || {
        LAST_PANIC.set(Some(String::new()));
        let result = catch_unwind(AssertUnwindSafe(work));
        let said = LAST_PANIC.take().unwrap_or_default();
        result.map_err(|_| said)
    };
    std::thread::scope(|scope| {
        match std::thread::Builder::new().name("tool".into()).stack_size(STACK_BYTES).spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err("the working thread died".into())),
            Err(error) => Err(format!("cannot start the working thread: {error}")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_reported_and_results_returned() {
        assert_eq!(guarded(|| 7), Ok(7));
        let said = guarded(|| -> i32 { std::panic::panic_any("never mind".to_string()) }).unwrap_err();
        assert!(said.contains("guard.rs"), "{said}");
        // The thread that called is not guarded by that.
        assert!(LAST_PANIC.with_borrow(Option::is_none));
    }

    #[test]
    fn deep_recursion_has_room() {
        fn depth(n: u32) -> u32 {
            let pad = [n; 64];
            if n == 0 { 0 } else { std::hint::black_box(pad)[3].min(1) + depth(n - 1) }
        }
        assert_eq!(guarded(|| depth(200_000)), Ok(200_000));
    }
}
