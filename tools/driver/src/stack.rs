//! Work that recurses as deep as a program is nested, on a thread whose stack has room for that.
//!
//! The caller's stack may be small: a thread of a pool, of a plugin, of another language.

use crate::diagnostics::Failure;
use caustic_ir::{Diagnostic, Loc};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Address space, not memory: only what is used is backed by pages.
const STACK_BYTES: usize = 512 << 20;

/// Runs `work` where it has room. A panic in it is a defect of the compiler, and becomes an
/// internal error.
pub(crate) fn with_room<T: Send>(work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    let internal = |text: String| {
        let found = Diagnostic::internal(Loc::unknown(), text);
        let found =
            found.with_note("this is a bug in the compiler, not in the program; please report it with the program");
        Failure::Found(vec![found])
    };
    let guarded = || catch_unwind(AssertUnwindSafe(work));
    let done = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("caustic".into()).stack_size(STACK_BYTES);
        builder.spawn_scoped(scope, guarded).map(|thread| thread.join().unwrap_or_else(Err))
    });
    match done {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => {
            let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(internal(format!("the compiler panicked: {text}")))
        }
        Err(error) => Err(internal(format!("cannot start a thread: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_stack_of_the_caller_does_not_matter() {
        fn depth(n: u32) -> u32 {
            let pad = [n; 64];
            if n == 0 { 0 } else { std::hint::black_box(pad)[3].min(1) + depth(n - 1) }
        }
        let caller = std::thread::Builder::new().stack_size(64 << 10);
        let found = caller.spawn(|| with_room(|| Ok(depth(100_000))).ok()).unwrap().join().unwrap();
        assert_eq!(found, Some(100_000));
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let Err(Failure::Found(found)) = with_room(|| -> Result<(), Failure> { std::panic::panic_any("never mind") })
        else {
            panic!("a panic is a diagnostic")
        };
        assert!(found[0].code == "E9999" && found[0].message.contains("never mind"), "{found:?}");
    }
}
