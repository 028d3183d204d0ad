//! What a custom backward derivative reads again although it was overwritten.
//!
//! Derivatives that are made here keep what they need. One that the programmer gives may read a
//! resource that its function read; between the two the rest of the primal code ran. If that
//! changed the element, the derivative is of another function: nothing else would say so.

use caustic_ir::eval::Trap;
use caustic_ir::{Loc, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What the active calls mean for what they read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Other,
    /// Within a function with a custom backward derivative.
    Primal,
    /// Within such a derivative.
    Backward,
}

/// A byte of a resource: its buffer's address and the offset.
type Place = (usize, usize);

pub(crate) struct Overwrites {
    backwards: FxHashSet<Name>,
    primals: FxHashSet<Name>,
    roles: Vec<Role>,
    clock: u64,
    read: FxHashMap<Place, (u64, Loc)>,
    written: FxHashMap<Place, (u64, Loc)>,
}

impl Overwrites {
    /// `given`: functions, and the backward derivatives that are given for them.
    pub fn new(given: impl IntoIterator<Item = (Name, Name)>) -> Overwrites {
        let (primals, backwards) = given.into_iter().unzip();
        let (read, written) = (FxHashMap::default(), FxHashMap::default());
        Overwrites { backwards, primals, roles: Vec::new(), clock: 0, read, written }
    }

    pub fn enter(&mut self, function: Name) {
        let role = if self.backwards.contains(&function) {
            Role::Backward
        } else if self.primals.contains(&function) {
            Role::Primal
        } else {
            self.roles.last().copied().unwrap_or(Role::Other)
        };
        self.roles.push(role);
    }

    pub fn leave(&mut self) {
        self.roles.pop();
    }

    /// The thread reads these bytes of the buffer at that address.
    pub fn read(&mut self, buffer: usize, bytes: Range<usize>, name: &str, loc: Loc) -> Result<(), Trap> {
        self.clock += 1;
        for place in bytes.map(|b| (buffer, b)) {
            match self.roles.last() {
                Some(Role::Primal) => {
                    self.read.insert(place, (self.clock, loc));
                }
                Some(Role::Backward) => {
                    let (Some((then, first)), Some((since, by))) = (self.read.get(&place), self.written.get(&place))
                    else {
                        continue;
                    };
                    if then < since {
                        let text = format!(
                            "the backward derivative reads a value of `{name}` that was overwritten at {} after its function read it at {}",
                            by.start_text(),
                            first.start_text()
                        );
                        return Err(Trap::new(loc, text));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub fn write(&mut self, buffer: usize, bytes: Range<usize>, loc: Loc) {
        self.clock += 1;
        for place in bytes.map(|b| (buffer, b)) {
            self.written.insert(place, (self.clock, loc));
        }
    }
}
