//! A flag by which the caller of a long computation asks it to end.
//!
//! Invariant: once set, it stays set. Whoever sees it set gives up and returns no result; the
//! caller that holds the flag tells that from a failure by asking it again.

#![warn(missing_docs)]

use crate::diag::{Diagnostic, Result};
use crate::loc::Loc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A flag that ends work. Its clones are one flag, so it is set from another thread or from a
/// handler of signals.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicU32>);

impl CancelToken {
    /// A flag that is not set.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks for the end of whatever works under this flag.
    pub fn cancel(&self) {
        self.0.store(1, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Gives up if the end was asked for.
    ///
    /// # Errors
    /// A diagnostic for whoever holds no flag; who does asks it again and tells of no error.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Diagnostic::internal(Loc::unknown(), "the work was cancelled")) } else { Ok(()) }
    }

    /// The word itself, which is not zero once the flag is set: for compiled code.
    pub fn word(&self) -> &AtomicU32 {
        &self.0
    }
}
