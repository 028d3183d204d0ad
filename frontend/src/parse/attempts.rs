//! What failed while a text was read: how far the reading came, and which rules could have stood
//! there. The account is that of `pest`: of rules that began at one place, only the outer one is
//! named, unless a single inner one failed.
//!
//! This module must not know what any rule is for.

use super::Rule;

/// Why a text does not match.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    /// The offset up to which the text could be read.
    pub at: usize,
    /// The rules that could have stood there, in the order of the grammar.
    pub expected: Vec<Rule>,
}

/// The rules that failed at the farthest place where one did.
#[derive(Default)]
pub(super) struct Attempts {
    at: usize,
    wanted: Vec<Rule>,
    /// Rules that matched where they must not.
    unwanted: Vec<Rule>,
}

/// How many attempts there were when a rule began.
#[derive(Clone, Copy)]
pub(super) struct Before {
    wanted: usize,
    unwanted: usize,
}

impl Attempts {
    /// How many there are of rules that began at offset `at`.
    pub(super) fn count_at(&self, at: usize) -> Before {
        match self.at == at {
            true => Before { wanted: self.wanted.len(), unwanted: self.unwanted.len() },
            false => Before { wanted: 0, unwanted: 0 },
        }
    }

    /// A rule that began at offset `at` failed, or matched where it must not.
    pub(super) fn note(&mut self, rule: Rule, at: usize, unwanted: bool, before: Before) {
        let now = self.count_at(at);
        if now.wanted + now.unwanted == before.wanted + before.unwanted + 1 || at < self.at {
            return;
        }
        // Where the place is a new one, none of the earlier attempts are of it.
        self.wanted.truncate(before.wanted);
        self.unwanted.truncate(before.unwanted);
        self.at = at;
        if unwanted { &mut self.unwanted } else { &mut self.wanted }.push(rule);
    }

    pub(super) fn error(mut self) -> SyntaxError {
        self.wanted.sort();
        self.wanted.dedup();
        SyntaxError { at: self.at, expected: self.wanted }
    }
}
