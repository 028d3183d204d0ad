//! What a pass tells besides its result: counts, diagnostics that are no errors, and data of its
//! own. And what it is told: whether to give up.

use caustic_ir::{CancelToken, Diagnostic};
use std::any::Any;

#[derive(Default, Debug)]
pub struct PassReport {
    counts: Vec<(&'static str, u64)>,
    /// Warnings and notes for the programmer.
    pub diagnostics: Vec<Diagnostic>,
    /// What passes say of their own, for who knows the types.
    pub told: Vec<Box<dyn Any + Send>>,
    cancel: CancelToken,
}

impl PassReport {
    /// The report of a pass that `cancel` ends.
    pub fn under(cancel: CancelToken) -> PassReport {
        PassReport { cancel, ..PassReport::default() }
    }
    /// For a pass that takes long. If the flag is set, it may return at once, whatever the module
    /// is then.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }
    /// Adds to a statistic that the pass's row lists.
    pub fn count(&mut self, statistic: &'static str, by: u64) {
        match self.counts.iter_mut().find(|(name, _)| *name == statistic) {
            Some((_, n)) => *n += by,
            None => self.counts.push((statistic, by)),
        }
    }
    pub fn warn(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
    /// Hands out what only this pass knows, such as what it has decided.
    pub fn tell(&mut self, data: impl Any + Send) {
        self.told.push(Box::new(data));
    }
    pub fn counts(&self) -> &[(&'static str, u64)] {
        &self.counts
    }
    /// Adds what another report of the same pass says.
    pub fn merge(&mut self, other: PassReport) {
        for (name, n) in other.counts {
            self.count(name, n);
        }
        self.diagnostics.extend(other.diagnostics);
        self.told.extend(other.told);
    }
}
