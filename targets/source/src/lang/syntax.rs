//! What shading languages write otherwise than each other, the spellings of ops aside: statements
//! and heads of functions, values, memory and entry points.
//!
//! Invariant: a hook is given names and texts and gives text; what stands where is the printer's.

use crate::tree::{Compare, Passed};
use caustic_dialects::reflect::Scalar;
use std::collections::BTreeSet;

/// How a shading language writes statements, values, memory and entry points.
pub struct Syntax {
    pub statements: Statements,
    pub values: Values,
    /// A vector of a type with the same scalar in each component.
    pub splat: fn(&str, &str) -> String,
    /// All scalars of a type zero, where the language can say that of a type.
    pub zero: Option<Zero>,
    /// The function that compares vectors by components; where there is none, operators do.
    pub compare: Option<fn(Compare) -> &'static str>,
    /// The same for the opposite of truth values.
    pub not: Option<&'static str>,
    /// A choice among the components of two vectors of numbers by truth values: of the second
    /// where they hold.
    pub mix: Option<fn(&str, &str, &str) -> String>,
    /// A matrix whose parts are its rows, of so many and so many columns of a scalar, if there is
    /// one; else it is an array of its rows.
    pub matrix: Option<fn(u64, u64, &str) -> String>,
    /// What holds a truth value in memory.
    pub truth: Scalar,
    /// An update of memory as a statement: the function, where, what it is given, and the type and
    /// name of the variable for what was there, if it is asked for.
    pub update: fn(&str, &str, &str, Option<(&str, &str)>) -> String,
    /// A pointer to a scalar that is updated, where functions that update are given one: whether it
    /// is in the memory of a group, its type and its place.
    pub pointed: Option<fn(bool, &str, &str) -> String>,
    /// The function that tells how many elements a buffer has, if there has to be one: its name,
    /// and the buffer's.
    pub length: Option<fn(&str, &str) -> String>,
    /// Who cuts and rounds numbers of 8 and 16 bits that are held by those of 32, if they are.
    pub small: Small,
    /// Whether functions take halves; else they take the floats that these are.
    pub halves_called: bool,
    /// Whether a struct may have no fields.
    pub empty_structs: bool,
    /// Whether texels can be read.
    pub texels: bool,
    /// Words that may stand before a type or in a declaration, so that no type is called so.
    pub modifiers: &'static [&'static str],
    /// Whether functions return arrays.
    pub returns_arrays: bool,
    /// Whether integers of 64 bits are vectors of two words.
    pub wide_words: bool,
    /// The words of an integer of 64 bits, as a vector, and the integer without sign of its words.
    pub halves: fn(&str) -> String,
    pub joined: fn(&str, &str) -> String,
    /// What has to be switched on for updates of 64 bits.
    pub wide_updates: &'static [&'static str],
    pub memory: Memory,
    /// A snippet's text in the language, if it is another one's.
    pub rewritten: fn(&str) -> String,
    /// The name of the entry point, where it is always the same.
    pub entry_name: Option<&'static str>,
    /// Variables of the text that hold ids of a thread: their names, what the language calls them,
    /// and their types. The name with an underscore behind it is the text's, too.
    pub ids: &'static [(&'static str, &'static str, &'static str)],
    /// What a text begins with.
    pub begin: fn(Begin<'_>) -> String,
    /// What stands around a text that others include.
    pub around: fn(Around<'_>) -> (String, String),
    pub entry: fn(&Entry<'_>) -> EntryText,
    pub buffer: fn(&Declared<'_>) -> String,
    pub uniforms: Uniforms,
    /// Whether functions are handed what they reach of resources, memory of the group and ids:
    /// these are parameters and variables of the entry point.
    pub handed: bool,
}

/// Zeros of a type.
#[derive(Clone, Copy)]
pub struct Zero {
    /// By the type's name, and whether it is an array.
    pub of: fn(&str, bool) -> String,
    /// Whether that is as good for large types.
    pub large: bool,
    /// Whether it is as good for vectors as their scalars are.
    pub vectors: bool,
}

/// What numbers of 8 and 16 bits are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Small {
    /// Numbers of the language.
    Native,
    /// Held by wider ones; a pass wrote their arithmetic with that of 32 bits.
    Legalized,
    /// Held by wider ones; the printer cuts what comes of each operation.
    Cut,
}

/// What arrays and structs are as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Arrays are values like others, and a type's name makes one of its parts: `float[2](a, b)`.
    Constructed,
    /// The same, where braces are around the parts of arrays and structs.
    Listed,
    /// The same, where braces alone make an array wherever its type is expected.
    Braces,
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
    /// Whether a struct ends where its last field ends, so that what C has behind it is a field.
    pub pads: bool,
    /// What stands before the name of a vector for the one that memory holds, which is aligned as
    /// its scalar is.
    pub packed: Option<&'static str>,
    /// Whether it is scalars of 32 bits and structs of these; what holds others, is read as several
    /// types, or is updated and no integer, is words.
    pub words: bool,
    /// Whether buffers are in blocks, which have names.
    pub blocks: bool,
    /// Whether one number can be declared where a host sees it, and not only a buffer of such.
    pub single: bool,
    /// The register of a buffer, by its number and whether it is written, where there are any.
    pub register: Option<fn(u32, bool) -> String>,
}

/// What is known when a text begins.
pub struct Begin<'a> {
    /// To be switched on; more may be added.
    pub extensions: &'a mut BTreeSet<&'static str>,
    /// The widths of floats.
    pub floats: &'a BTreeSet<usize>,
    /// Whether memory is declared several times.
    pub aliased: bool,
    /// Threads of a group.
    pub threads: [u32; 3],
}

/// What is known of a text that others include.
pub struct Around<'a> {
    /// Of the text.
    pub name: &'a str,
    /// To be switched on.
    pub extensions: &'a mut BTreeSet<&'static str>,
    /// Whether it declares resources, and memory several times.
    pub bound: bool,
    pub aliased: bool,
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
    /// A variable in memory like that of buffers: a struct, with a uniform as a member each, or
    /// words, if one of the uniforms holds what memory cannot.
    Variable,
}

/// How a language writes what the printer itself writes: declarations, heads of functions,
/// statements under a condition. Types and values are given as text.
pub struct Statements {
    /// A parameter: its type and name.
    pub param: fn(&str, &str) -> String,
    /// A struct: its name, and its members as parameters are written.
    pub structure: fn(&str, &[String]) -> String,
    /// What is before a function's body: its result, name and parameters.
    pub head: fn(Option<&str>, &str, &[String]) -> String,
    /// A parameter of the program: its type with what stands before it, its name, and how it is
    /// handed over.
    pub passed: fn(&str, &str, Passed) -> String,
    /// A variable: its type and name, and what it holds first.
    pub variable: fn(&str, &str, &str) -> String,
    /// The same of one of the program that nothing is assigned to.
    pub unassigned: fn(&str, &str, &str) -> String,
    /// The same of one that nobody can write.
    pub constant: fn(&str, &str, &str) -> String,
    /// The same outside of functions.
    pub table: fn(&str, &str, &str) -> String,
    /// A statement under a condition.
    pub when: fn(&str, &str) -> String,
    /// A statement for each number below a count, which has this name.
    pub repeat: fn(&str, &str, &str) -> String,
    /// The head of a loop that is left from inside.
    pub forever: &'static str,
    /// Before the body of a case: its labels.
    pub labels: fn(&[String]) -> String,
    /// Whether there are switches over 64 bits.
    pub wide_switches: bool,
    /// How many blocks may be around a statement, if compilers refuse more.
    pub most_nested: Option<usize>,
    /// How many parameters a function may have, if compilers refuse more.
    pub most_params: Option<usize>,
    /// One of two values by a condition; both may be evaluated.
    pub choose: fn(&str, &str, &str) -> String,
    /// Whether that is a call, also for vectors and of truth values in a vector.
    pub chooses_by_call: bool,
    /// Whether a compiler takes `!=` of floats to be false where one is no number.
    pub unequal_is_ordered: bool,
    /// An array of arrays of a type, by their sizes.
    pub array: fn(&str, &[u64]) -> String,
    /// Whether operators of bits, and comparisons among others, need parentheses in all operators.
    pub strict: bool,
    /// Whether functions for several types may have one name.
    pub overloads: bool,
    /// Whether operators make an `int` of what is smaller.
    pub promotes: bool,
    /// What stands before variables whose sums and products are not put together.
    pub precise: &'static str,
    /// The operator on vectors of truth values for one on truth values, if there is one, and how
    /// strongly it binds.
    pub on_truths: fn(&str) -> Option<(&'static str, u8)>,
}

/// The way of C.
pub const C: Statements = Statements {
    param: |ty, name| format!("{ty} {name}"),
    structure: |name, members| {
        let members: String = members.iter().map(|member| format!("    {member};\n")).collect();
        format!("struct {name} {{\n{members}}};\n")
    },
    head: |result, name, params| format!("{} {name}({})", result.unwrap_or("void"), params.join(", ")),
    passed: |ty, name, how| match how {
        Passed::Value => format!("{ty} {name}"),
        Passed::Constant => format!("const {ty} {name}"),
        Passed::InOut => format!("inout {ty} {name}"),
        Passed::Out => format!("out {ty} {name}"),
    },
    variable: |ty, name, value| format!("{ty} {name} = {value};"),
    unassigned: |ty, name, value| format!("{ty} {name} = {value};"),
    constant: |ty, name, value| format!("const {ty} {name} = {value};"),
    table: |ty, name, value| format!("const {ty} {name} = {value};"),
    when: |condition, statement| format!("if ({condition}) {statement}"),
    repeat: |name, count, statement| format!("for (uint {name} = 0u; {name} < {count}; {name}++) {statement}"),
    forever: "while (true)",
    labels: |all| all.iter().map(|label| format!("case {label}:")).collect::<Vec<_>>().join(" "),
    wide_switches: false,
    most_nested: None,
    most_params: Some(255),
    choose: |condition, yes, no| format!("{condition} ? {yes} : {no}"),
    chooses_by_call: false,
    unequal_is_ordered: false,
    array: |word, sizes| format!("{word}{}", sizes.iter().map(|n| format!("[{n}]")).collect::<String>()),
    strict: false,
    overloads: true,
    promotes: false,
    precise: "precise ",
    on_truths: |_| None,
};

/// What keeps a text from being included twice, where there is a preprocessor.
pub fn guard(name: &str) -> (String, String) {
    let mut name = name.to_uppercase();
    // Two underscores are a compiler's own.
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    (format!("#ifndef {name}\n#define {name}\n"), "\n#endif\n".to_string())
}

/// A condition without parentheses around all of it.
pub fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    inner
}

/// Whether a text has a word.
pub fn mentions(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

/// A text in which a word is another one.
pub fn renamed(text: &str, word: &str, other: &str) -> String {
    let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut out, mut from) = (String::new(), 0);
    for (at, _) in text.match_indices(word) {
        let whole = !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part);
        out += &text[from..at];
        out += if whole { other } else { word };
        from = at + word.len();
    }
    out + &text[from..]
}
