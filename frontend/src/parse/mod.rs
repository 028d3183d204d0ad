//! Parsing: runs the grammar (`machine`) over a text and turns its pairs into `ast` nodes.
//!
//! The grammar decides what is a declaration, a cast candidate, or a generic application; this
//! module only builds nodes. Errors are returned as diagnostics, several for one text if necessary,
//! together with everything that could be parsed.

mod assembly;
mod attempts;
mod causes;
mod decl;
mod errors;
mod expr;
mod foreign;
mod func;
mod generic;
mod machine;
mod marks;
mod mend;
mod scopes;
mod semantics;
mod slips;
mod stmt;
mod ty;

use crate::ast::{Decl, Ident};
use crate::scan;
use crate::source::{Shown, Span};
use caustic_ir::codes::Code;
use caustic_ir::{Diagnostic, Name};
use rustc_hash::FxHashSet;
use std::sync::Arc;

pub(crate) use causes::meant as word_meant;
pub(crate) use machine::Rule;

pub(crate) type P<'i> = machine::Pair<'i>;

/// The state of building the tree of one text.
pub(crate) struct Ctx<'a> {
    /// Added to every offset, so that it is one of all sources together.
    base: u32,
    /// Names that the text declares as types; they decide whether `(T)-x` is a cast.
    types: &'a TypeNames,
    /// Where to show a span.
    loc: &'a dyn Fn(Span) -> Shown,
    errors: Vec<Diagnostic>,
    broken: FxHashSet<Name>,
    /// How many pieces have been mended.
    mended: u32,
    /// Where the last branch of an `if` ends that was mended.
    branches: Option<u32>,
    /// Where the body of a `typedef` ends that was refused.
    refused_type: Option<u32>,
}

/// The result of parsing a text.
#[derive(Default)]
pub struct Parsed {
    pub decls: Vec<Arc<Decl>>,
    pub errors: Vec<Diagnostic>,
    /// Names that may be declared in the parts that could not be parsed.
    pub broken: FxHashSet<Name>,
}

/// Parses a whole file. `text` has no comments and its nesting has been checked.
pub fn parse_file(text: &str, base: u32, types: &TypeNames, loc: &dyn Fn(Span) -> Shown) -> Parsed {
    let mut cx = Ctx {
        base,
        types,
        loc,
        errors: Vec::new(),
        broken: FxHashSet::default(),
        mended: 0,
        branches: None,
        refused_type: None,
    };
    let mut decls = Vec::new();
    let text = &*types.marked(text);
    match machine::parse(Rule::file, text) {
        Ok(tree) => {
            for pair in tree.pairs().flat_map(|p| p.into_inner()) {
                cx.decl_or_bad(pair, &mut decls);
            }
        }
        Err(e) => cx.report_parse_error(&e, text, 0),
    }
    Parsed { decls, errors: cx.errors, broken: cx.broken }
}

/// The names that a program declares as types, and the names that it declares with generic
/// parameters.
#[derive(Debug, Default)]
pub struct TypeNames {
    types: FxHashSet<Name>,
    generic: FxHashSet<Name>,
}

impl TypeNames {
    /// Adds the names that `text` declares as types. A scan of words is enough, because the names
    /// only decide how `(T)-x` is read.
    pub fn add(&mut self, text: &str) {
        self.note_generic(text);
        let (mut previous, mut typedef) = ("", false);
        for word in scan::words(text) {
            match word {
                ";" if typedef => {
                    self.types.insert(Name::new(previous));
                    typedef = false;
                }
                ";" => {}
                _ => {
                    if matches!(
                        previous,
                        "struct" | "class" | "enum" | "typealias" | "interface" | "typename" | "associatedtype"
                    ) {
                        self.types.insert(Name::new(word));
                    }
                    typedef |= word == "typedef";
                    previous = word;
                }
            }
        }
    }

    pub(crate) fn contains(&self, name: Name) -> bool {
        self.types.contains(&name)
    }
}

impl Ctx<'_> {
    pub(crate) fn span(&self, pair: &P) -> Span {
        let end = pair.start() + pair.as_str().trim_end().len();
        Span::new(self.base + pair.start() as u32, self.base + end as u32)
    }

    /// The span of the last character of a pair: the `}` of a body.
    pub(crate) fn end_of(&self, pair: &P) -> Span {
        let whole = self.span(pair);
        Span::new(whole.hi.saturating_sub(1), whole.hi)
    }

    pub(crate) fn ident(&self, pair: &P) -> Ident {
        Ident { name: Name::new(pair.as_str().trim()), span: self.span(pair) }
    }

    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        let (loc, label) = (self.loc)(span);
        let mut d = Diagnostic::error(code, loc, message);
        d.labels.extend(label);
        self.errors.push(d);
        let last = self.errors.len() - 1;
        &mut self.errors[last]
    }
}

#[cfg(test)]
mod tests;
