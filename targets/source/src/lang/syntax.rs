//! What shading languages write otherwise than each other, the spellings of ops aside.
//!
//! Invariant: a hook is given names and texts and gives text; what stands where is the printer's.

use crate::tree::Compare;
use caustic_dialects::reflect::Scalar;
use std::collections::BTreeSet;

/// How a shading language writes values, memory and entry points.
pub struct Syntax {
    pub values: Values,
    /// A vector of a type with the same scalar in each component.
    pub splat: fn(&str, &str) -> String,
    /// A struct of zeros, by its name, where it is not made of its parts.
    pub zero: Option<fn(&str) -> String>,
    /// The function that compares vectors by components; where there is none, operators do.
    pub compare: Option<fn(Compare) -> &'static str>,
    /// The same for the opposite of truth values.
    pub not: Option<&'static str>,
    /// The function that chooses among the components of two vectors of numbers by truth values:
    /// of the second where they hold.
    pub choose: Option<&'static str>,
    /// What holds a truth value in memory.
    pub truth: Scalar,
    /// An update of memory as a statement: the function, where, what it is given, and the type and
    /// name of the variable for what was there, if it is asked for.
    pub update: fn(&str, &str, &str, Option<(&str, &str)>) -> String,
    /// The function that tells how many elements a buffer has: its name, and the buffer's.
    pub length: Option<fn(&str, &str) -> String>,
    /// Why the language has no such scalar.
    pub lacks: fn(Scalar) -> Option<&'static str>,
    /// Whether numbers of 8 and 16 bits are held by those of 32.
    pub small_in_words: bool,
    /// Whether integers of 64 bits are vectors of two words.
    pub wide_words: bool,
    /// The words of an integer of 64 bits, as a vector.
    pub halves: fn(&str) -> String,
    /// What has to be switched on for updates of 64 bits.
    pub wide_updates: &'static [&'static str],
    pub memory: Memory,
    /// A snippet's text in the language, if it is another one's.
    pub rewritten: fn(&str) -> String,
    /// The name of the entry point, where it is always the same.
    pub entry_name: Option<&'static str>,
    /// What a text begins with.
    pub head: fn(Head<'_>) -> String,
    pub entry: fn(&Entry<'_>) -> EntryText,
    pub buffer: fn(&Declared<'_>) -> String,
    pub uniforms: Uniforms,
}

/// What arrays and structs are as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Arrays are values like others, and a type's name makes one of its parts: `float[2](a, b)`.
    Constructed,
    /// No function gives an array: it is the one member, `at`, of a struct, and functions make it.
    Made,
}

/// What can be said of memory.
pub struct Memory {
    /// What stands before memory of a group.
    pub shared: &'static str,
    /// Whether a buffer can be declared several times, of other elements each. Where it cannot, it
    /// is words if it is needed as several.
    pub views: bool,
    /// Whether arithmetic is kept exact by how the memory that it goes to is declared.
    pub precise: bool,
    /// Whether elements can be laid out as C lays them out, whatever they are. Where they cannot,
    /// a buffer of others is words.
    pub scalar: bool,
    /// Whether buffers are in blocks, which have names.
    pub blocks: bool,
    /// The register of a buffer, by its number and whether it is written, where there are any.
    pub register: Option<fn(u32, bool) -> String>,
}

/// What is known when a text begins.
pub struct Head<'a> {
    /// To be switched on; more may be added.
    pub extensions: &'a mut BTreeSet<&'static str>,
    /// The widths of floats.
    pub floats: &'a BTreeSet<usize>,
    /// Whether memory is declared several times.
    pub aliased: bool,
    /// Threads of a group.
    pub threads: [u32; 3],
}

/// The entry point, and the text inside and outside of it.
pub struct Entry<'a> {
    pub name: &'a str,
    pub threads: [u32; 3],
    pub inside: &'a str,
    pub outside: &'a str,
}

/// How an entry point begins: what is declared before all functions, its head, and its first
/// statements, one a line.
#[derive(Default)]
pub struct EntryText {
    pub declared: String,
    pub head: String,
    pub first: Vec<String>,
}

/// A buffer that is declared.
#[derive(Clone, Copy)]
pub struct Declared<'a> {
    pub name: &'a str,
    /// Of its block, if it is in one.
    pub block: &'a str,
    /// Its elements' type.
    pub word: &'a str,
    pub binding: u32,
    /// Its number among those that are written, or that are not.
    pub register: u32,
    pub written: bool,
    /// Whether results of arithmetic go to it.
    pub exact: bool,
    /// Whether it is declared several times, and written.
    pub aliased: bool,
    /// Whether it is one number.
    pub single: bool,
}

/// What uniforms are declared as.
pub enum Uniforms {
    /// One block whose members have offsets: a member, and the block.
    Block { member: fn(u64, &str, &str) -> String, block: fn(u32, bool, &str, &str) -> String },
    /// Numbers of 32 bits one after the other, or in rows of four, of which the entry point makes
    /// variables: the block, of its binding, name and members.
    Words { block: fn(u32, &str, &str) -> String },
}
