//! The instructions that emission is written in: what a code generator provides.
//!
//! Values are scalars and addresses, named by [`Leaf`]s; how wide a leaf is in a register is the
//! assembler's affair. An i1 is 0 or 1 where it is read as a number without sign, and 0 or -1 with
//! one.

use crate::emit::Emit;
use caustic_ir::{Diagnostic, Loc, Module, Name, OpId};
use caustic_native::{Failure, Helper, Leaf, Tables};
use smallvec::SmallVec;

/// The scalars of a value.
pub type Flat<V> = SmallVec<[V; 4]>;

/// Arithmetic on integers that emission itself needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntOp {
    Add,
    Sub,
    Mul,
    And,
    Shl,
    /// Without sign.
    Shr,
    /// Without sign.
    Min,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Equal,
    SignedLess,
    SignedLessEqual,
    UnsignedLess,
}

/// What is known of an access to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// The thread's context, and what does not change while a function runs.
    Constant,
    /// Local storage of the thread.
    Local,
    /// What is passed to and from helpers.
    Words,
    /// The contents of a resource, by its number where that is known.
    Resource(Option<usize>),
}

/// What is known of how often a loop goes round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounds {
    Any,
    Few,
    /// Few enough that all of them stand beside each other.
    All,
    /// It hardly ever runs at all.
    None,
}

/// Which threads are meant.
#[derive(Clone, Copy, Debug)]
pub enum Only<V> {
    /// Those for which this holds.
    If(V),
    /// Those for which this does not hold, which hardly ever happens.
    Unless(V),
}

/// Code that an assembler asks for when it has decided where it goes; for several threads it may be
/// asked for more than once.
pub type Code<'c, 'm, A, T> = &'c mut dyn FnMut(&mut Emit<'m, A>) -> Result<T, Diagnostic>;

/// One lane of an elementwise op.
pub struct Lane<'a, V> {
    pub name: &'static str,
    pub args: &'a [V],
    /// Kinds of the operands and the result.
    pub from: &'a [Leaf],
    pub to: Leaf,
    /// `predicate` of a comparison.
    pub predicate: i64,
}

pub trait Assembler<'m>: Sized {
    type Value: Copy;
    type Block: Copy;

    /// Whether there is a host to call while the code runs.
    const HOSTED: bool;
    /// Whether what does not exist is read from zeros in its place; else some memory is read and
    /// not used.
    const ZEROS: bool = Self::HOSTED;
    /// Whether one instruction adds a product to an address, so that several addresses of one
    /// beginning are an instruction each.
    const ADDS_TO_ADDRESSES: bool = false;

    fn module(&self) -> &'m Module;
    fn tables(&mut self) -> &mut Tables;
    /// Whether loops and recursive functions look whether the dispatch is to end.
    fn interruptible(&self) -> bool;

    /// Code for ops that the machine does in its own way; false leaves the op to the common one.
    fn special(_emit: &mut Emit<'m, Self>, _op: OpId) -> Result<bool, Diagnostic> {
        Ok(false)
    }
    /// What is asked for next is for an op at that place.
    fn written_at(&mut self, _loc: Loc) {}

    // ----- blocks

    fn block(&mut self) -> Self::Block;
    /// A block that hardly ever runs.
    fn cold_block(&mut self) -> Self::Block;
    fn param(&mut self, block: Self::Block, leaf: Leaf) -> Self::Value;
    fn switch_to(&mut self, block: Self::Block);
    fn jump(&mut self, to: Self::Block, args: &[Self::Value]);
    /// The two blocks differ.
    fn branch(
        &mut self,
        condition: Self::Value,
        then: Self::Block,
        then_args: &[Self::Value],
        other: Self::Block,
        other_args: &[Self::Value],
    );
    /// The branch at the end of an iteration.
    fn again(
        &mut self,
        condition: Self::Value,
        body: Self::Block,
        args: &[Self::Value],
        exit: Self::Block,
        exit_args: &[Self::Value],
        _rounds: Rounds,
    ) {
        self.branch(condition, body, args, exit, exit_args);
    }
    /// Cases are distinct, of an i64.
    fn switch(&mut self, value: Self::Value, cases: &[(i64, Self::Block)], default: Self::Block);

    // ----- several threads at once

    /// Whether the code being written is for one thread. Otherwise values differ between threads,
    /// and some of the threads may not take part.
    fn alone(&self) -> bool {
        true
    }
    /// How many threads' local storage lies side by side, each scalar once for each of them.
    fn together(&self) -> u64 {
        1
    }
    /// A bit for each of them that the code being written is for.
    fn own_bits(&mut self) -> Self::Value {
        self.int(Leaf::I64, 1)
    }
    /// Whether a value is one and the same for all of them.
    fn is_common(&self, _value: Self::Value) -> bool {
        true
    }
    /// Reads a number in local storage that is the same for all threads.
    fn load_common(&mut self, leaf: Leaf, address: Self::Value, offset: i64) -> Self::Value {
        self.load(leaf, address, offset, Memory::Local)
    }
    /// The condition, the same for all, that this holds for one of them.
    fn any_of(&mut self, condition: Self::Value) -> Self::Value {
        condition
    }
    /// Lets only those threads go on for which this holds, until [`Self::leave`]; gives the
    /// condition, the same for all, that there are any.
    fn enter(&mut self, condition: Self::Value) -> Self::Value {
        condition
    }
    fn leave(&mut self) {}
    /// Whether the function can be left here. Where it cannot, a thread that has trapped goes on as
    /// if it had not; nobody sees what it does.
    fn may_exit(&self) -> bool {
        true
    }
    /// Runs `code` for the threads that `only` names, one after the other. Its results are scalars
    /// of these kinds; for other threads they are zero.
    fn each(
        emit: &mut Emit<'m, Self>,
        only: Option<Only<Self::Value>>,
        leaves: &[Leaf],
        code: Code<'_, 'm, Self, Flat<Self::Value>>,
    ) -> Result<Flat<Self::Value>, Diagnostic> {
        emit.for_one(only, leaves, code)
    }
    /// Runs `code` for the threads for which this holds, all at once.
    fn when(emit: &mut Emit<'m, Self>, condition: Self::Value, code: Code<'_, 'm, Self, ()>) -> Result<(), Diagnostic> {
        emit.when(condition, code)
    }

    // ----- values

    fn zero(&mut self, leaf: Leaf) -> Self::Value {
        match leaf {
            Leaf::Addr => self.null(),
            leaf if leaf.is_float() => self.float(leaf, 0.0),
            leaf => self.int(leaf, 0),
        }
    }
    fn int(&mut self, leaf: Leaf, value: i64) -> Self::Value;
    fn float(&mut self, leaf: Leaf, value: f64) -> Self::Value;
    fn null(&mut self) -> Self::Value;
    fn binary(&mut self, op: IntOp, leaf: Leaf, x: Self::Value, y: Self::Value) -> Self::Value;
    fn compare(&mut self, how: Compare, leaf: Leaf, x: Self::Value, y: Self::Value) -> Self::Value;
    fn select(&mut self, condition: Self::Value, x: Self::Value, y: Self::Value) -> Self::Value;
    /// An integer in another width: extended by its sign or zeros, or cut.
    fn resize(&mut self, from: Leaf, to: Leaf, x: Self::Value, signed: bool) -> Self::Value;
    /// Code for a lane; `None` if there is none and the reference evaluation is to be called.
    fn lane(&mut self, lane: &Lane<'_, Self::Value>) -> Option<Self::Value>;
    /// A float as f64.
    fn widen(&mut self, leaf: Leaf, value: Self::Value) -> Self::Value;
    /// An f64 whose value is one of `leaf`.
    fn narrow(&mut self, leaf: Leaf, value: Self::Value) -> Self::Value;
    /// A scalar as the word that helpers take: integers sign-extended (i1 as 0 or 1), floats as the
    /// bits of an f64.
    fn word_of(&mut self, leaf: Leaf, value: Self::Value) -> Self::Value;
    fn scalar_of(&mut self, leaf: Leaf, word: Self::Value) -> Self::Value;
    /// A scalar of `leaf` with the bits of an integer as wide as it.
    fn with_bits(&mut self, leaf: Leaf, bits: Self::Value) -> Self::Value;
    fn to_bits(&mut self, leaf: Leaf, value: Self::Value) -> Self::Value;

    // ----- memory

    fn offset(&mut self, address: Self::Value, bytes: i64, memory: Memory) -> Self::Value;
    /// `address + index * stride`, with an i64.
    fn element(&mut self, address: Self::Value, index: Self::Value, stride: u64, memory: Memory) -> Self::Value;
    /// The address without its last bits, so that it is a multiple of `size`.
    fn align_down(&mut self, address: Self::Value, size: u64) -> Self::Value;
    fn load(&mut self, leaf: Leaf, address: Self::Value, offset: i64, memory: Memory) -> Self::Value;
    fn store(&mut self, leaf: Leaf, value: Self::Value, address: Self::Value, offset: i64, memory: Memory);
    /// A number that may not exist: zero then, though memory is read all the same.
    fn load_if(
        &mut self,
        leaf: Leaf,
        address: Self::Value,
        offset: i64,
        memory: Memory,
        exists: Self::Value,
    ) -> Self::Value {
        let value = self.load(leaf, address, offset, memory);
        let zero = self.zero(leaf);
        self.select(exists, value, zero)
    }
    /// Numbers at these offsets from an address, each of which may not exist.
    fn load_parts(
        &mut self,
        parts: &[(u64, Leaf)],
        address: Self::Value,
        offset: i64,
        memory: Memory,
        exists: Option<Self::Value>,
    ) -> Flat<Self::Value> {
        let load = |&(at, leaf): &(u64, Leaf)| {
            let offset = offset + at as i64;
            match exists {
                Some(exists) => self.load_if(leaf, address, offset, memory, exists),
                None => self.load(leaf, address, offset, memory),
            }
        };
        parts.iter().map(load).collect()
    }
    /// Writes numbers at these offsets from an address.
    fn store_parts(
        &mut self,
        parts: &[(u64, Leaf)],
        values: &[Self::Value],
        address: Self::Value,
        offset: i64,
        memory: Memory,
    ) {
        for (&(at, leaf), &value) in parts.iter().zip(values) {
            self.store(leaf, value, address, offset + at as i64, memory);
        }
    }
    /// Whether a value in local storage is moved as the bytes that it is anywhere.
    fn moves_bytes(&self) -> bool {
        true
    }
    /// Whether scalars lie at multiples of their sizes, in resources too, and it matters to know of
    /// bytes that are moved. What is moved is said to be aligned only then.
    fn is_aligned(&self) -> bool {
        false
    }
    fn fill_zero(&mut self, address: Self::Value, size: u64, align: u64);
    /// The places are the same or do not overlap.
    fn copy(&mut self, to: Self::Value, from: Self::Value, size: u64, align: u64);
    /// Bytes that local storage of this size takes.
    fn local_size(&self, size: u64) -> u64 {
        size
    }
    /// Memory of the stack for the function's duration.
    fn stack_memory(&mut self, size: u64) -> Self::Value;
    fn stack_pointer(&mut self) -> Self::Value;
    fn fence(&mut self);
    /// An i32 that others write meanwhile.
    fn load_shared(&mut self, address: Self::Value) -> Self::Value;
    /// Notes an atomic update whose result nobody looks at, of all threads for which its place
    /// exists: it is made by [`Self::settle`] at the latest. False if each has to make it now.
    fn note_update(
        &mut self,
        _kind: &str,
        _leaf: Leaf,
        _address: Self::Value,
        _exists: Option<Self::Value>,
        _value: Self::Value,
    ) -> bool {
        false
    }
    /// Makes what was noted. This comes before anything that could tell whether it has been.
    fn settle(&mut self) {}
    /// The number before; `None` if there is no instruction for it.
    fn atomic_rmw(&mut self, kind: &str, leaf: Leaf, address: Self::Value, value: Self::Value) -> Option<Self::Value>;
    fn atomic_cas(
        &mut self,
        leaf: Leaf,
        address: Self::Value,
        expected: Self::Value,
        value: Self::Value,
    ) -> Self::Value;

    // ----- functions

    /// The context that the function was called with.
    fn context(&self) -> Self::Value;
    /// Calls a function of the module: whether it stopped early, and its results.
    fn call(
        &mut self,
        name: Name,
        loc: Loc,
        args: &[Self::Value],
    ) -> Result<(Self::Value, Flat<Self::Value>), Diagnostic>;
    /// Returns; without values, early.
    fn ret(&mut self, values: Option<&[Self::Value]>);
    /// Calls a function of the host.
    fn helper(&mut self, helper: Helper, args: &[Self::Value]) -> Option<Self::Value>;
    /// Records that the thread stops here.
    fn fail(&mut self, failure: Failure, site: u32);
}
