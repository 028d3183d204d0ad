//! The interner behind types, attributes, names and locations.
//!
//! Interned data lives as long as the process and is reached through `&'static` references, so that
//! handles are `Copy`, `Send` and `Sync`, compare by address, and need no context argument.
//! Interning is the only thing that functions compiled in parallel share. Addresses differ between
//! runs: nothing may order by them.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::RwLock;

const SHARDS: usize = 16;

/// An append-only, thread-safe set that hands out `'static` references to its members. Each stands
/// with its hash, so that nothing is hashed twice.
pub struct Interner<T: ?Sized + 'static> {
    shards: [RwLock<HashTable<(u64, &'static T)>>; SHARDS],
}

impl<T: ?Sized + Eq + Hash + Send + Sync + 'static> Interner<T> {
    pub const fn new() -> Self {
        Interner { shards: [const { RwLock::new(HashTable::new()) }; SHARDS] }
    }

    /// The member that equals `value`; if there is none yet, `value` as `keep` makes it last.
    fn find_or_insert<V: std::borrow::Borrow<T>>(&self, value: V, keep: impl FnOnce(V) -> &'static T) -> &'static T {
        let hash = FxBuildHasher.hash_one(value.borrow());
        let is_it = |(h, known): &(u64, &'static T)| *h == hash && *known == value.borrow();
        // The table tells its members apart by the highest and lowest bits.
        let shard = &self.shards[(hash >> 32) as usize % SHARDS];
        // A poisoned lock only means that another thread panicked between two complete insertions.
        if let Some((_, found)) = shard.read().unwrap_or_else(|e| e.into_inner()).find(hash, is_it) {
            return found;
        }
        let mut set = shard.write().unwrap_or_else(|e| e.into_inner());
        if let Some((_, found)) = set.find(hash, is_it) {
            return found;
        }
        let kept = keep(value);
        set.insert_unique(hash, (hash, kept), |(h, _)| *h);
        kept
    }
}

impl<T: Eq + Hash + Send + Sync + 'static> Interner<T> {
    pub fn intern(&self, value: T) -> &'static T {
        self.find_or_insert(value, |value| Box::leak(Box::new(value)))
    }
}

impl<T: ?Sized + Eq + Hash + Send + Sync + 'static> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// An interned string.
#[derive(Clone, Copy)]
pub struct Name(&'static str);

static NAMES: Interner<str> = Interner::new();

impl Name {
    pub fn new(text: &str) -> Name {
        Name(NAMES.find_or_insert(text, |text| Box::leak(text.into())))
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
