//! The parser: entry points, tokens and errors, aliases.
//!
//! Modules and symbols are in `parse_module`, ops in `parse_ops`, their declared and irregular
//! syntaxes in `parse_format` and `parse_shapes`, types and attributes in `parse_attr`, locations
//! in `parse_loc`. The parser never panics, goes no deeper than [`MAX_DEPTH`], reads its input once
//! (but for aliases used before their definition and for the text skipped after an error), and
//! reports several errors: after one it goes on with the next op.

use super::format::{self, Piece};
use super::lexer::{Kind, Token, token};
use super::lines::Lines;
use crate::attr::Attr;
use crate::diag::Diagnostic;
use crate::intern::Name;
use crate::loc::Loc;
use crate::module::Module;
use crate::nearest::nearest;
use crate::op::{OpDef, Registry};
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep regions, types and attributes may nest, together.
pub const MAX_DEPTH: u32 = 200;

/// After so many errors the rest is not looked at.
const MAX_ERRORS: usize = 20;

/// Parsing of a part stopped; why has been reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop;

pub type P<T> = Result<T, Stop>;

/// Parses a file: a module, or symbols that make one.
pub fn parse_module(source: &str, file: &str, registry: &Registry) -> Result<Module, Vec<Diagnostic>> {
    let mut p = Parser::new(source, file, registry);
    let module = p.file();
    if p.diagnostics.is_empty() { Ok(module) } else { Err(p.diagnostics) }
}

/// Parses a type that makes up the whole text.
pub fn parse_type(source: &str, registry: &Registry) -> Result<Type, Vec<Diagnostic>> {
    parse_all(source, registry, Parser::ty)
}

/// Parses an attribute that makes up the whole text.
pub fn parse_attr(source: &str, registry: &Registry) -> Result<Attr, Vec<Diagnostic>> {
    parse_all(source, registry, Parser::attr)
}

fn parse_all<'s, T>(
    source: &'s str,
    registry: &'s Registry,
    parse: impl Fn(&mut Parser<'s>) -> P<T>,
) -> Result<T, Vec<Diagnostic>> {
    let mut p = Parser::new(source, "<text>", registry);
    let result = parse(&mut p).and_then(|v| if p.tok.kind == Kind::Eof { Ok(v) } else { p.expected("the end") });
    result.map_err(|Stop| p.diagnostics)
}

/// What `!name` or `#name` stands for.
#[derive(Clone, Copy)]
pub enum Aliased {
    Type(Type),
    Attr(Attr),
    Loc(Loc),
}

enum AliasState {
    /// Defined at this offset, after the `=`.
    At(usize),
    BeingRead,
    Known(Aliased),
    Wrong,
}

pub struct Parser<'s> {
    pub source: &'s str,
    pub tok: Token<'s>,
    /// Where the token before `tok` ends.
    pub last_end: usize,
    pub registry: &'s Registry,
    pub diagnostics: Vec<Diagnostic>,
    file: Name,
    lines: Lines<'s>,
    depth: u32,
    aliases: FxHashMap<&'s str, AliasState>,
    formats: FxHashMap<*const OpDef, Rc<Vec<Piece>>>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, file: &str, registry: &'s Registry) -> Parser<'s> {
        let mut p = Parser {
            source,
            tok: token(source, 0),
            last_end: 0,
            registry,
            diagnostics: Vec::new(),
            file: Name::new(file),
            lines: Lines::new(source),
            depth: 0,
            aliases: FxHashMap::default(),
            formats: FxHashMap::default(),
        };
        p.find_aliases();
        p
    }

    // ----- tokens

    pub fn advance(&mut self) {
        self.jump(self.tok.end());
    }
    /// Goes on at byte `at`.
    pub fn jump(&mut self, at: usize) {
        self.last_end = at;
        self.tok = token(self.source, at);
    }
    pub fn at(&self, text: &str) -> bool {
        self.tok.text == text
    }
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text) && self.tok.kind != Kind::Eof;
        if found {
            self.advance();
        }
        found
    }
    pub fn expect(&mut self, text: &str) -> P<()> {
        if self.eat(text) { Ok(()) } else { self.expected(&format!("`{text}`")) }
    }
    /// Items with commas up to `close`, which is eaten.
    pub fn list<T>(&mut self, close: &str, mut item: impl FnMut(&mut Self) -> P<T>) -> P<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(",") {
                return self.expected(&format!("`,` or `{close}`"));
            }
        }
    }
    /// Runs `inner` one level deeper.
    pub fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> P<T>) -> P<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail_here(format!("nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
    pub fn is_first_on_line(&self) -> bool {
        self.lines.is_first_on_line(self.tok.start)
    }

    // ----- errors

    pub fn loc_of(&self, start: usize, len: usize) -> Loc {
        let end = (start + len).min(self.source.len());
        Loc::span(self.file, self.lines.at(start), self.lines.at(end))
    }
    pub fn token_loc(&self, token: Token<'s>) -> Loc {
        self.loc_of(token.start, token.text.len())
    }
    pub fn report(&mut self, diagnostic: Diagnostic) -> Stop {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
        Stop
    }
    pub fn is_hopeless(&self) -> bool {
        self.diagnostics.len() >= MAX_ERRORS
    }
    pub fn fail<T>(&mut self, start: usize, len: usize, message: impl Into<String>) -> P<T> {
        let loc = self.loc_of(start, len);
        Err(self.report(Diagnostic::invalid_ir(loc, message)))
    }
    pub fn fail_at<T>(&mut self, token: Token<'s>, message: impl Into<String>) -> P<T> {
        self.fail(token.start, token.text.len(), message)
    }
    pub fn fail_here<T>(&mut self, message: impl Into<String>) -> P<T> {
        self.fail_at(self.tok, message)
    }
    pub fn fail_near<T>(&mut self, token: Token<'s>, message: String, near: Option<&str>) -> P<T> {
        let mut diagnostic = Diagnostic::invalid_ir(self.token_loc(token), message);
        if let Some(near) = near {
            diagnostic = diagnostic.with_note(format!("did you mean `{near}`?"));
        }
        Err(self.report(diagnostic))
    }
    pub fn expected<T>(&mut self, what: &str) -> P<T> {
        let found = match self.tok.kind {
            Kind::Eof => "the end of the text".to_string(),
            Kind::Bad if self.tok.text.starts_with('"') => "a string that is not closed on its line".to_string(),
            _ => format!("`{}`", self.tok.text),
        };
        self.fail_here(format!("expected {what}, found {found}"))
    }

    // ----- aliases

    /// Notes where each `!name = …` and `#name = …` at the start of a line is, for uses may come
    /// first.
    fn find_aliases(&mut self) {
        let mut at = 0;
        for line in self.source.split_inclusive('\n') {
            if line.starts_with(['!', '#']) {
                let name = token(self.source, at);
                let equals = token(self.source, name.end());
                if equals.text == "=" && !name.text.contains('.') {
                    self.aliases.entry(name.text).or_insert(AliasState::At(equals.end()));
                }
            }
            at += line.len();
        }
    }

    /// What the alias stands for; goes past it.
    pub fn alias(&mut self, alias: Token<'s>) -> P<Aliased> {
        self.advance();
        let start = match self.aliases.get(alias.text) {
            Some(AliasState::Known(known)) => return Ok(*known),
            Some(AliasState::Wrong) => return Err(Stop),
            Some(AliasState::At(start)) => *start,
            Some(AliasState::BeingRead) => {
                return self.fail_at(alias, format!("`{}` is defined by itself", alias.text));
            }
            None => {
                let near = nearest(alias.text, self.aliases.keys().copied()).map(str::to_string);
                return self.fail_near(alias, format!("there is no alias `{}`", alias.text), near.as_deref());
            }
        };
        let here = (self.tok, self.last_end);
        self.aliases.insert(alias.text, AliasState::BeingRead);
        self.jump(start);
        let value = self.nested(|p| p.alias_value(alias.text));
        (self.tok, self.last_end) = here;
        self.aliases.insert(alias.text, value.map_or(AliasState::Wrong, AliasState::Known));
        value
    }

    fn alias_value(&mut self, name: &str) -> P<Aliased> {
        if name.starts_with('!') {
            return Ok(Aliased::Type(self.ty()?));
        }
        match self.optional_loc()? {
            Some(loc) => Ok(Aliased::Loc(loc)),
            None => Ok(Aliased::Attr(self.attr()?)),
        }
    }

    pub fn alias_definition(&mut self) -> P<()> {
        let name = self.tok;
        self.advance();
        self.expect("=")?;
        let first = matches!(self.aliases.get(name.text), Some(AliasState::At(at)) if *at == self.last_end);
        let known = matches!(self.aliases.get(name.text), Some(AliasState::Known(_) | AliasState::Wrong));
        let value = self.alias_value(name.text)?;
        if first {
            self.aliases.insert(name.text, AliasState::Known(value));
        } else if !known {
            return self.fail_at(name, format!("`{}` is defined twice, or not at the start of a line", name.text));
        }
        Ok(())
    }

    // ----- shared pieces

    pub fn optional_dict(&mut self) -> P<Vec<(Name, Attr)>> {
        if self.at("{") { self.dict() } else { Ok(Vec::new()) }
    }

    /// What follows `<` in `<{…}>`: upstream's attributes that belong to the op itself.
    pub fn properties(&mut self) -> P<Vec<(Name, Attr)>> {
        let attrs = self.dict()?;
        self.expect(">")?;
        Ok(attrs)
    }

    /// `: () -> ()`
    pub fn no_type(&mut self) -> P<()> {
        for text in [":", "(", ")", "->", "(", ")"] {
            self.expect(text)?;
        }
        Ok(())
    }

    pub fn format_of(&mut self, def: &'static OpDef, text: &'static str) -> P<Rc<Vec<Piece>>> {
        if let Some(pieces) = self.formats.get(&(def as *const OpDef)) {
            return Ok(pieces.clone());
        }
        match format::compile(def, text) {
            Ok(pieces) => {
                let pieces = Rc::new(pieces);
                self.formats.insert(def, pieces.clone());
                Ok(pieces)
            }
            Err(what) => self.fail_here(format!("{what}; only the generic form can be read")),
        }
    }

    /// After an error in the op that starts at `start`: goes to the start of the next one, or to
    /// the end of the block.
    pub fn recover(&mut self, start: usize) {
        // What ran into the end of the text left nothing to go on with.
        if self.tok.kind == Kind::Eof || self.is_hopeless() {
            return self.jump(self.source.len());
        }
        self.jump(start);
        let mut open = 0usize;
        loop {
            match self.tok.text {
                _ if self.tok.kind == Kind::Eof => return,
                "{" | "(" | "[" => open += 1,
                "}" if open == 0 => return,
                "}" | ")" | "]" => open = open.saturating_sub(1),
                _ => {}
            }
            self.advance();
            let starts_op = match self.tok.kind {
                Kind::Ident => !CONTINUES_OP.contains(&self.tok.text),
                kind => matches!(kind, Kind::Value | Kind::String | Kind::Block | Kind::Type | Kind::Attr),
            };
            if open == 0 && starts_op && self.is_first_on_line() {
                return;
            }
        }
    }
}

/// Words that a line within an op may start with.
const CONTINUES_OP: [&str; 5] = ["case", "default", "do", "else", "attributes"];
