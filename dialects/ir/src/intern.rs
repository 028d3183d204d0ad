//! The interner behind types, attributes, names and locations.
//!
//! Interned data lives as long as the process and is reached through `&'static` references, so that handles are `Copy`,
//! `Send` and `Sync`, compare by address, and need no context argument. Interning is the only thing that functions
//! compiled in parallel share. Addresses differ between runs: nothing may order by them.

use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::RwLock;

const SHARDS: usize = 16;

/// An append-only, thread-safe set that hands out `'static` references to its members.
pub struct Interner<T: 'static> {
    shards: [RwLock<FxHashSet<&'static T>>; SHARDS],
}

impl<T: Eq + Hash + Send + Sync + 'static> Interner<T> {
    pub const fn new() -> Self {
        Interner { shards: [const { RwLock::new(HashSet::with_hasher(FxBuildHasher)) }; SHARDS] }
    }

    fn shard(&self, value: &T) -> &RwLock<FxHashSet<&'static T>> {
        &self.shards[(FxBuildHasher.hash_one(value) >> 57) as usize % SHARDS]
    }

    pub fn intern(&self, value: T) -> &'static T {
        let shard = self.shard(&value);
        // A poisoned lock only means that another thread panicked between two complete insertions.
        if let Some(found) = shard.read().unwrap_or_else(|e| e.into_inner()).get(&value) {
            return found;
        }
        let mut set = shard.write().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = set.get(&value) {
            return found;
        }
        let leaked: &'static T = Box::leak(Box::new(value));
        set.insert(leaked);
        leaked
    }
}

impl<T: Eq + Hash + Send + Sync + 'static> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// An interned string.
#[derive(Clone, Copy)]
pub struct Name(&'static str);

static NAMES: RwLock<FxHashSet<&'static str>> = RwLock::new(HashSet::with_hasher(FxBuildHasher));

impl Name {
    pub fn new(text: &str) -> Name {
        if let Some(found) = NAMES.read().unwrap_or_else(|e| e.into_inner()).get(text) {
            return Name(found);
        }
        let mut set = NAMES.write().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = set.get(text) {
            return Name(found);
        }
        let leaked: &'static str = Box::leak(text.into());
        set.insert(leaked);
        Name(leaked)
    }

    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0.as_ptr(), other.0.as_ptr()) && self.0.len() == other.0.len()
    }
}
impl Eq for Name {}
impl Hash for Name {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0.as_ptr() as usize, self.0.len()).hash(state);
    }
}
impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
/// By text, so that the order does not depend on addresses.
impl Ord for Name {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(other.0)
    }
}
impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        self.0
    }
}
impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}
impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}
impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}
