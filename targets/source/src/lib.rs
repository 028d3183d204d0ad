//! Source text for other compilers: a kernel as C++, CUDA, GLSL, HLSL, WGSL or Metal that keeps the
//! names and the structure of the program it was made of.
//!
//! A module goes through `structure`, which turns structured SSA into a tree of statements and
//! expressions ([`tree`]), and through `print`, which writes the tree in a language ([`lang`]). How
//! ops are spelled is a table ([`ops`]).
//!
//! This crate must not know: `hl`, `ad`, the syntax tree, any code generator, files.

mod description;
pub mod lang;
pub mod layer;
pub mod names;
pub mod ops;
mod print;
mod structure;
mod tree;
mod types;

pub use lang::{LANGUAGES, Language};
pub use print::lines::renumbered;
pub use structure::counts_words;

use caustic_ir::{Diagnostic, Loc, Module, Name};
use caustic_runtime::KernelInterface;

/// A kernel as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    pub text: String,
    /// What a launcher has to know of it, as JSON.
    pub description: String,
    /// Which line of the program each line is from, as a source map, if that is wanted.
    pub map: Option<String>,
    /// What of the program is left out.
    pub warnings: Vec<Diagnostic>,
}

/// A function that a library has for others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    pub symbol: Name,
    /// The function of the program that it is, or that it is the derivative of, and where that
    /// stands.
    pub of: Name,
    pub loc: Loc,
    pub mode: Mode,
}

/// What of a function is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Primal,
    Forward,
    Reverse,
}

impl Mode {
    /// As a description says it.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Primal => "primal",
            Mode::Forward => "forward",
            Mode::Reverse => "reverse",
        }
    }
}

/// How a text is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Nothing looks whether an index of a resource is in range.
    pub trusts_bounds: bool,
    /// Names begin with the name space in languages that have none.
    pub prefixes_names: bool,
    /// How the text says which lines of the program it is from, if it does.
    pub lines: Option<Lines>,
}

/// How a text says which lines of the program it is from.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// The text's own name.
    pub own: Name,
    /// By directives, in a language that has them.
    pub directives: bool,
    /// Beside the text.
    pub map: bool,
    /// Whether a file is of the program's language, and none of the program.
    pub is_library: fn(&str) -> bool,
}

/// Writes the kernel of `interface`, which stands with what it needs in `module`, in a language.
/// Everything global is in the name space `prefix`.
///
/// # Errors
/// What the language has not, at its place in the program.
pub fn emit(
    module: &Module,
    interface: &KernelInterface,
    language: &'static Language,
    options: Options,
    prefix: &str,
) -> Result<Source, Vec<Diagnostic>> {
    library(module, interface, &[], language, options, prefix)
}

/// Writes functions that others call: a text to be included, without an entry point. `interface`
/// has the resources that they use. If none are offered, it is the text of the kernel.
///
/// # Errors
/// What the language has not, at its place in the program.
pub fn library(
    module: &Module,
    interface: &KernelInterface,
    offered: &[Offered],
    language: &'static Language,
    options: Options,
    prefix: &str,
) -> Result<Source, Vec<Diagnostic>> {
    let of = structure::Module::new(module, interface, offered, options).map_err(|e| vec![e])?;
    let program = print::program(language, &of, prefix)?;
    let description = description::of(interface, language, options, &program);
    let mut text = print::wrap::wrapped(&program.text);
    let mut map = None;
    if let Some(lines) = options.lines {
        map = lines.map.then(|| print::lines::map(&text, &of.files, &lines.own));
        text = match language.lines.filter(|_| lines.directives) {
            Some(_) => print::lines::with_directives(&text, &of.files, &lines.own),
            None => print::lines::unmarked(&text),
        };
    }
    Ok(Source { text, description, map, warnings: program.warnings })
}
