//! Languages: a table each, of what differs between them.
//!
//! Invariant: a table holds no code that knows an op; how ops are spelled is in `ops`.

pub mod cpp;
pub mod cuda;
pub mod glsl;
pub mod hlsl;
pub mod metal;
pub mod slang;
pub mod syntax;
pub mod wgsl;

use crate::names::Scope;
use crate::ops::{Column, Row, Shading, Spelling};
use crate::tree::Id;
use crate::types::Ty;
use caustic_dialects::agg::EXCHANGE;
use caustic_dialects::reflect::Scalar;
use syntax::{Small, Syntax};

/// Who runs the threads of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// A function of the text itself, one after the other; it binds resources too.
    Host,
    /// The machine: the text is a kernel, whose parameters are the resources.
    Device,
    /// The machine: the text is a shader, in which the resources are declared.
    Shader,
}

/// A piece of text that stands before a program that uses it. `$fn` stands before each of its
/// functions, `$lost` for the bytes of the place for what is written out of range.
pub struct Snippet {
    pub id: &'static str,
    /// What it uses.
    pub needs: &'static [&'static str],
    /// The names that it declares, which no name of the program may be.
    pub names: &'static [&'static str],
    pub text: &'static str,
}

/// What a snippet's words stand for that depend on a float's format.
pub struct TypeWords {
    /// The integers of the same width.
    pub unsigned: Scalar,
    pub signed: Scalar,
    /// Functions from a float to its bits and back.
    pub to_bits: &'static str,
    pub from_bits: &'static str,
    /// The bits of infinity, and that of the sign.
    pub infinity: &'static str,
    pub sign: &'static str,
    /// How many bits of a number stand behind its exponent.
    pub mantissa: u32,
}

/// What a language without templates adds: its own vectors, and snippets that are written once for
/// each type that a program uses them for. In these `$T` stands for the type, `$R` for that of the
/// result where it is another one, and other words for what follows from the type, see
/// `print/shader/instance.rs`.
pub struct Shader {
    /// Its column of the rows.
    pub shading: fn(&Row) -> Shading,
    /// A vector of this size, if the language has it.
    pub vector: fn(u32, Scalar) -> Option<String>,
    pub words: fn(Scalar) -> Option<TypeWords>,
    /// What has to be switched on for a scalar: to compute with it, and to have it in memory.
    pub extensions: fn(Scalar, bool) -> &'static [&'static str],
    /// The function that takes the bits of one scalar as another, where there is one.
    pub bits_as: fn(Scalar, Scalar) -> Option<&'static str>,
    /// What a scalar is that the language does not compute with.
    pub lacks: fn(Scalar) -> Option<&'static str>,
    /// What `printf` needs besides.
    pub printing: &'static [&'static str],
    /// What no name begins with.
    pub no_name_begins: Option<&'static str>,
    /// How a literal of an integer type ends.
    pub literal: fn(Scalar) -> &'static str,
    /// How many elements a buffer has, an expression of its name.
    pub length: fn(&str) -> String,
    /// The function that updates an integer in memory, by the kind of the update.
    pub atomic: fn(&str) -> Option<&'static str>,
    /// The number of a thread in its group.
    pub thread_number: &'static str,
    pub waiting: &'static Waiting,
    pub lanes: &'static Lanes,
    pub syntax: &'static Syntax,
}

/// The statements by which threads wait for each other, and for memory.
pub struct Waiting {
    /// For all threads of the group, and for what they have written anywhere.
    pub barrier: &'static [&'static str],
    /// For what the thread has written to the memory of the group.
    pub group: &'static [&'static str],
    /// For what it has written anywhere.
    pub memory: &'static [&'static str],
    /// For all threads of the group, and for what they have written to its memory.
    pub group_barrier: &'static str,
}

/// How the lanes of a wave exchange values.
pub struct Lanes {
    pub exchange: Exchange,
    /// The function that gives the number of the lowest bit that is set.
    pub first_bit: &'static str,
}

pub enum Exchange {
    /// As lanes of a subgroup.
    Subgroup {
        /// What has to be switched on, and what else for values of this type.
        extensions: &'static [&'static str],
        extended: fn(Scalar) -> Option<&'static str>,
        /// The function that gives the value of another lane.
        read: &'static str,
        /// Whether it takes all scalars, and any lane's; else it takes numbers of up to 32 bits, of
        /// lanes that are active.
        all: bool,
        /// The lanes in which a condition holds, as a number.
        ballot: fn(&str) -> String,
    },
    /// Through memory of the group, between barriers to which all of its threads come.
    Memory,
}

/// A language.
pub struct Language {
    /// As the command line says it.
    pub name: &'static str,
    /// Its column of the rows.
    pub spelled: fn(&Row) -> Spelling,
    /// What else that column says.
    pub column: fn(&Row) -> Column,
    pub threads: Threads,
    /// What stands before a function.
    pub function: &'static str,
    /// The same of one that others include.
    pub inline: &'static str,
    /// The function that prints.
    pub printf: &'static str,
    /// A variable that holds an id of the thread.
    pub id: fn(Id) -> Option<&'static str>,
    /// What is put for parts of snippets.
    pub rewrites: &'static [(&'static str, &'static str)],
    /// Words that are no names: of the language, and of what its headers declare.
    pub reserved: &'static [&'static [&'static str]],
    /// Macros of its headers, in lines of words: no name of the program may be one.
    pub macros: &'static [&'static str],
    /// What its headers declare outside of name spaces, in lines of words: the program's own name
    /// space may not be called so.
    pub globals: &'static [&'static str],
    pub scalar: fn(Scalar) -> &'static str,
    /// How a literal of a float type ends.
    pub suffix: fn(Scalar) -> &'static str,
    /// In the order in which they are written.
    pub snippets: &'static [Snippet],
    /// A vector's or matrix's type: its shape and scalar.
    pub vector: fn(&[u32], Scalar) -> String,
    /// What has to be switched on to compile what is emitted.
    pub requires: &'static [&'static str],
    /// What has to be switched on for directives that say which line of which file is next, if
    /// there are such.
    pub lines: Option<&'static [&'static str]>,
    /// What it has in place of templates.
    pub shader: Option<&'static Shader>,
}

impl Language {
    /// A scope in which nothing is declared yet.
    pub fn scope(&self) -> Scope {
        let words = self.reserved.iter().flat_map(|list| list.iter().copied());
        let macros = self.macros.iter().flat_map(|text| text.split_whitespace());
        Scope::with_reserved(words.chain(macros)).without(self.shader.and_then(|s| s.no_name_begins))
    }

    /// As its users call it.
    pub fn title(&self) -> String {
        match self.name {
            "cpp" => "C++".to_string(),
            "metal" => "Metal".to_string(),
            "slang" => "Slang".to_string(),
            name => name.to_uppercase(),
        }
    }

    /// Whether numbers of 8 and 16 bits are held by wider ones, so that no arithmetic on them may
    /// come to the printer.
    pub fn lacks_small_numbers(&self) -> bool {
        self.shader.is_some_and(|s| s.syntax.small == Small::Legalized)
    }

    /// Whether it computes in 32 bits and has functions of floats for few operands.
    pub fn computes_in_words(&self) -> bool {
        self.shader.is_some_and(|s| s.syntax.memory.words)
    }

    /// A snippet's text, or what is made like one.
    pub fn snippet(&self, text: &str) -> String {
        self.rewrites.iter().fold(text.to_string(), |text, (from, to)| text.replace(from, to))
    }

    /// Whether something outside of all name spaces has this name.
    pub fn is_global(&self, name: &str) -> bool {
        self.global_names().any(|global| global == name)
    }

    fn global_names(&self) -> impl Iterator<Item = &'static str> {
        self.globals.iter().flat_map(|text| text.split_whitespace())
    }

    /// A name space for a file.
    pub fn name_space(&self, file: &str) -> String {
        let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
        self.free_name(stem.split('.').next().unwrap_or(stem))
    }

    /// A name space for what a user calls so.
    pub fn free_name(&self, wanted: &str) -> String {
        let mut outside = self.scope();
        self.global_names().for_each(|name| outside.reserve(name));
        outside.declare(wanted)
    }
}

pub static LANGUAGES: [&Language; 7] = [
    &cpp::LANGUAGE,
    &cuda::LANGUAGE,
    &glsl::LANGUAGE,
    &hlsl::LANGUAGE,
    &wgsl::LANGUAGE,
    &metal::LANGUAGE,
    &slang::LANGUAGE,
];

/// The functions that update integers where the language calls them as GLSL and WGSL do, but for
/// the one that exchanges what is as expected.
fn atomic(kind: &str, compare: &'static str) -> Option<&'static str> {
    Some(match kind {
        "add" => "atomicAdd",
        EXCHANGE => "atomicExchange",
        "and" => "atomicAnd",
        "or" => "atomicOr",
        "xor" => "atomicXor",
        "minsi" | "minui" => "atomicMin",
        "maxsi" | "maxui" => "atomicMax",
        "cas" => compare,
        _ => return None,
    })
}

/// A name for a type, as part of other names: `float3`.
pub fn type_word(language: &Language, ty: &Ty) -> String {
    match ty {
        Ty::Scalar(s) => (language.scalar)(*s).to_string(),
        Ty::Vector { shape, elem } => {
            let sizes: Vec<String> = shape.iter().map(|n| n.to_string()).collect();
            let scalar = (language.scalar)(*elem);
            let gap = if scalar.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
            format!("{scalar}{gap}{}", sizes.join("x"))
        }
        Ty::Array(count, elem) => format!("{}_{count}", type_word(language, elem)),
        _ => "value".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_space_is_no_word_and_nothing_that_headers_have() {
        let given = ["dir/brdf.slang", "int.slang", "sin.slang", "std.slang", "random.slang", "M_PI.slang", "3d.slang"];
        let wanted = ["brdf", "int_", "sin_", "std_", "random_", "M_PI_", "n3d"];
        assert_eq!(given.map(|file| cpp::LANGUAGE.name_space(file)), wanted);
        // CUDA has more without any header.
        let names = ["max.slang", "rsqrt.slang", "sin.slang", "float4.slang", "brdf.slang", "NULL.slang"];
        let wanted = ["max_", "rsqrt_", "sin_", "float4_", "brdf", "NULL_"];
        assert_eq!(names.map(|file| cuda::LANGUAGE.name_space(file)), wanted);
    }
}
