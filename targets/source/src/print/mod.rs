//! From the tree to text of the family of C.
//!
//! A printer holds the names of what is global and notes which snippets the text uses; `file` puts
//! the parts of a program together.
//!
//! Invariant: parentheses stand only where precedence or a compiler's warning asks for them.

mod expr;
mod file;
mod held;
mod kernel;
mod lanes;
mod library;
pub mod lines;
mod overloads;
mod place;
mod prefix;
mod printf;
mod pruned;
mod returned;
mod shader;
mod stmt;
mod tables;
mod texture;
mod wave;
pub mod wrap;

pub use file::{Program, program};

use crate::lang::{Language, Threads};
use crate::names::Scope;
use crate::structure::Ranges;
use crate::tree::{Buffer, Function, Var};
use crate::types::{Ty, is_integer};
use caustic_dialects::agg::{StructType, as_buffer};
use caustic_dialects::reflect::{Scalar, resource_type};
use caustic_dialects::tex;
use caustic_ir::codes;
use caustic_ir::{Diagnostic, Loc, Name, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

pub use crate::structure::Module;

/// What is common to the text of a program.
pub struct Printer<'m> {
    pub language: &'static Language,
    pub module: &'m Module<'m>,
    /// The snippets that the text uses.
    snippets: FxHashSet<&'static str>,
    /// Functions on vectors that are made of those on scalars, by what they are made of.
    lifted: BTreeMap<String, String>,
    /// Names of types with a short one.
    aliases: BTreeMap<String, String>,
    pub names: Scope,
    symbols: FxHashMap<Name, String>,
    /// Functions that share a name, by the symbol that they would have alone.
    overloaded: FxHashMap<Name, Vec<Name>>,
    structs: FxHashMap<Type, Struct>,
    /// In the order in which they are declared.
    declared: Vec<Type>,
    /// The structs that resources hold.
    held: FxHashSet<Type>,
    /// Resources whose hidden counters change, and elements of buffers that a function is given
    /// whose counters do.
    counted: FxHashSet<Name>,
    counted_elements: FxHashSet<Type>,
    /// Functions that are not exact, by the ops' names: how many units in the last place they are
    /// off, of `float` and of `double`.
    inexact: BTreeMap<&'static str, [u32; 2]>,
    /// Functions that write values by their parts, by what they do and the words of their types.
    puts: BTreeMap<(held::Held, String), String>,
    /// Fields of uniforms that functions read, and uniforms that they read as a whole.
    read_uniforms: FxHashSet<(Name, Option<usize>)>,
    /// Arrays of constants that functions share.
    tables: Vec<tables::Table>,
    /// Bytes that the place for what is written out of range has to have.
    lost: u64,
    /// What a shader is made of besides.
    shading: shader::State,
    /// What is left out.
    warnings: Vec<Diagnostic>,
    /// What names that are global begin with, in a language without name spaces.
    prefix: String,
    /// Where what is printed stands.
    loc: Loc,
    /// Where the first access through an address stands.
    addressed_at: Option<Loc>,
}

struct Struct {
    name: String,
    fields: Vec<String>,
}

/// A function while it is printed.
struct Frame<'f> {
    function: &'f Function,
    /// Of its variables.
    names: Vec<String>,
    /// Variables that a compiler has to be told to compute as written.
    exact: FxHashSet<Var>,
    /// Variables that are changed after they are declared.
    assigned: FxHashSet<Var>,
    ranges: Ranges,
    /// Arrays that are no values of the language, but arrays.
    bare: FxHashSet<Var>,
}

impl Frame<'_> {
    fn name(&self, var: Var) -> &str {
        self.names.get(var.0).map_or("", |name| name)
    }
}

/// Room for any scalar.
const LEAST_LOST: u64 = 16;

type Text = Result<String, Diagnostic>;

impl<'m> Printer<'m> {
    /// A printer of a text that uses these snippets.
    fn new(
        language: &'static Language,
        module: &'m Module<'m>,
        used: &FxHashSet<&'static str>,
        name_space: &str,
    ) -> Printer<'m> {
        let mut names = language.scope();
        let prefixed = module.options.prefixes_names && language.threads == Threads::Shader;
        let prefix = if prefixed { format!("{name_space}_") } else { String::new() };
        let mut shading = shader::State::default();
        if module.options.lines.is_some_and(|lines| lines.directives) {
            shading.extensions.extend(language.lines.unwrap_or_default());
        }
        // What a program's names would hide is ours, and goes by another name where they do.
        for snippet in language.snippets.iter().filter(|s| prefixed || used.contains(s.id)) {
            for name in snippet.names {
                names.lend(name);
                names.lend(&format!("{prefix}{name}"));
            }
        }
        Printer {
            language,
            module,
            snippets: FxHashSet::default(),
            lifted: BTreeMap::new(),
            aliases: BTreeMap::new(),
            names,
            symbols: FxHashMap::default(),
            overloaded: FxHashMap::default(),
            structs: FxHashMap::default(),
            declared: Vec::new(),
            held: module.held(),
            counted: FxHashSet::default(),
            counted_elements: FxHashSet::default(),
            inexact: BTreeMap::new(),
            puts: BTreeMap::new(),
            read_uniforms: FxHashSet::default(),
            tables: Vec::new(),
            lost: LEAST_LOST,
            shading,
            warnings: Vec::new(),
            prefix,
            loc: Loc::unknown(),
            addressed_at: None,
        }
    }

    fn need(&mut self, snippet: &'static str) {
        let snippet = match snippet {
            "buffer" if self.module.options.trusts_bounds => "trusting_buffer",
            _ => snippet,
        };
        if !snippet.is_empty() && self.snippets.insert(snippet) {
            let row = self.language.snippets.iter().find(|s| s.id == snippet);
            row.iter().flat_map(|s| s.needs).for_each(|id| self.need(id));
        }
    }

    /// Whether the language has a snippet.
    fn has(&self, snippet: &str) -> bool {
        self.language.snippets.iter().any(|s| s.id == snippet)
    }

    fn refuse(&self, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error(codes::E0853, self.loc, format!("{what} cannot be written in {}", self.language.title()))
            .with_note("run it on the CPU, or leave out what needs it")
    }

    fn internal(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::internal(self.loc, message)
    }

    /// The name of a symbol of the program, which `wanted` is what the programmer called it.
    pub fn symbol(&mut self, symbol: Name, wanted: &str) -> String {
        if let Some(name) = self.symbols.get(&symbol) {
            return name.clone();
        }
        let name = self.own_name(wanted);
        self.symbols.insert(symbol, name.clone());
        name
    }

    /// What a variable is called after that comes from a symbol: a resource's name, or that of a
    /// function without its types.
    fn called(&self, symbol: Name) -> Option<String> {
        match resource_type(self.module.ir.get(symbol)?).is_some() {
            true => {
                let name = self.symbols.get(&symbol)?.trim_end_matches('_');
                Some(name.strip_prefix(&self.prefix).unwrap_or(name).to_string())
            }
            false => {
                let parts = symbol.split(['.', '(', ')']).filter(|part| !part.is_empty());
                let own = |part: &&str| !["bwd_diff", "fwd_diff"].contains(part);
                parts.into_iter().find(own).map(str::to_string)
            }
        }
    }

    fn known(&self, symbol: Name) -> Text {
        self.symbols.get(&symbol).cloned().ok_or_else(|| self.internal(format!("`{symbol}` has no name")))
    }

    /// Notes that a buffer's hidden counter changes.
    fn note_counter(&mut self, buffer: &Buffer) {
        match buffer {
            Buffer::Resource(name, _) => {
                self.counted.insert(*name);
            }
            Buffer::Value(value) => {
                let elem = if let Ty::Handle(of) = value.ty { as_buffer(of) } else { None };
                self.counted_elements.extend(elem.map(|(elem, _)| elem));
            }
            _ => {}
        }
    }

    // ----- types

    pub fn ty(&mut self, ty: &Ty) -> Text {
        if self.language.threads == Threads::Shader {
            return self.shader_ty(ty, false);
        }
        Ok(match ty {
            Ty::Scalar(s) => {
                self.need_scalar(*s);
                (self.language.scalar)(*s).to_string()
            }
            Ty::Vector { shape, elem } => self.vector(shape, *elem),
            Ty::Struct(of) => self.structure(*of)?,
            Ty::Array(count, elem) => {
                self.need("array");
                format!("array<{}, {count}>", self.ty(elem)?)
            }
            Ty::Tape(elem) => {
                if !self.has("tape") {
                    return Err(self.refuse("an array that grows"));
                }
                self.need("tape");
                format!("tape<{}>", self.ty(elem)?)
            }
            Ty::Handle(of) => self.handle(*of)?,
        })
    }

    fn need_scalar(&mut self, scalar: Scalar) {
        match scalar {
            Scalar::U32 => self.need("uint"),
            Scalar::F16 => self.need("half"),
            _ => {}
        }
    }

    /// Vectors and matrices of usual sizes have the short names of shading languages.
    fn vector(&mut self, shape: &[u32], elem: Scalar) -> String {
        self.need("vec");
        self.need_scalar(elem);
        // The header writes vectors by their parts, of which the widest are rows.
        let row: u64 = shape.iter().skip(1).map(|&n| u64::from(n)).product();
        self.lost = self.lost.max(row * elem.size() as u64);
        let usual = shape.iter().all(|n| (2..=4).contains(n));
        let word = (self.language.scalar)(elem);
        let short = usual && !word.ends_with("_t");
        let full = (self.language.vector)(shape, elem);
        if !short {
            return full;
        }
        let sizes: Vec<String> = shape.iter().map(|n| n.to_string()).collect();
        let name = format!("{word}{}", sizes.join("x"));
        self.aliases.insert(name.clone(), full);
        name
    }

    fn handle(&mut self, ty: Type) -> Text {
        if tex::TextureType::of(ty).is_some() || tex::is_sampler(ty) {
            self.need("texture");
            return Ok(if tex::is_sampler(ty) { "Sampler" } else { "Texture" }.to_string());
        }
        let Some((elem, _)) = as_buffer(ty) else {
            return Err(self.refuse(format!("a value of type {ty}")));
        };
        if caustic_dialects::agg::is_byte_view(ty) {
            self.need("bytes");
            return Ok("Bytes".to_string());
        }
        self.need("buffer");
        let elem = Ty::of(elem, false).ok_or_else(|| self.refuse(format!("a buffer of {elem}")))?;
        Ok(format!("Buffer<{}>", self.ty(&elem)?))
    }

    /// The name of a struct, which is declared with what its fields need.
    pub fn structure(&mut self, ty: Type) -> Text {
        if let Some(known) = self.structs.get(&ty) {
            return Ok(known.name.clone());
        }
        let of = StructType(ty);
        let mut fields = self.language.scope();
        self.language.snippets.iter().flat_map(|s| s.names).for_each(|name| fields.lend(name));
        fields.lend(shader::COUNTS);
        // A field may not be called as a type of the struct.
        for index in 0..of.num_fields() {
            let field = self.field_ty(ty, index)?;
            if !field.is_empty() {
                let word = match self.language.threads {
                    Threads::Shader => self.shader_ty(&field, self.held.contains(&ty))?,
                    Threads::Host | Threads::Device => self.ty(&field)?,
                };
                word.split(|c: char| !c.is_alphanumeric() && c != '_').for_each(|word| fields.reserve(word));
            }
        }
        let wanted: Vec<&str> = of.fields().map(|f| f.name).collect();
        let names = fields.declare_all_own(&wanted);
        let word = self.struct_word(of);
        if self.language.shader.is_some_and(|s| s.syntax.modifiers.contains(&&*word)) {
            self.names.reserve(&word);
        }
        let name = self.own_name(&word);
        self.structs.insert(ty, Struct { name: name.clone(), fields: names });
        self.declared.push(ty);
        Ok(name)
    }

    /// A struct's name without what is no letter: types in it by their words.
    fn struct_word(&self, of: StructType) -> String {
        if of.is_pair()
            && let Some(primal) = of.field(0).and_then(|f| Ty::of(f.ty, false))
        {
            let inner = match &primal {
                Ty::Struct(of) => self.struct_word(StructType(*of)),
                other => crate::lang::type_word(self.language, other),
            };
            return format!("DifferentialPair_{inner}");
        }
        of.name().to_string()
    }

    fn field_ty(&self, ty: Type, index: usize) -> Result<Ty, Diagnostic> {
        let field = self.module.signs.field(ty, index);
        field.ok_or_else(|| self.refuse(format!("a field of type {ty}")))
    }

    fn field_name(&mut self, ty: Type, index: usize) -> Text {
        self.structure(ty)?;
        let name = self.structs.get(&ty).and_then(|s| s.fields.get(index)).cloned();
        name.ok_or_else(|| self.internal("no such field"))
    }
}

/// Whether a scalar widens to another of 64 bits in any expression by itself.
fn widens(from: Scalar, to: Scalar) -> bool {
    is_integer(from)
        && is_integer(to)
        && from.size() < to.size()
        && (from.is_signed() == to.is_signed() || to.is_signed())
}
