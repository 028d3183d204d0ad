//! Parsing modules and symbols.

use super::lexer::{Kind, Token};
use super::parse::{P, Parser, Stop};
use super::parse_ops::Code;
use super::{ARG_ATTRS, MODULE, RES_ATTRS, VISIBILITY};
use crate::attr::Attr;
use crate::body::Attrs;
use crate::diag::Diagnostic;
use crate::intern::Name;
use crate::loc::Loc;
use crate::module::{Module, SymbolOp};
use crate::nearest::nearest;
use crate::op::{Asm, AsmShape, OpDef};
use crate::types::Type;

/// What stands in a module.
enum Entry {
    Symbol(Box<SymbolOp>),
    /// With its name in it, if it has one.
    Module(Module, Loc),
}

impl<'s> Parser<'s> {
    // ----- modules

    /// A whole file: one module, or what makes one.
    pub fn file(&mut self) -> Module {
        let mut entries = Vec::new();
        self.items(&mut |_, entry| entries.push(entry));
        if self.tok.kind != Kind::Eof && !self.is_hopeless() {
            let _: P<()> = self.expected("an op that defines a symbol");
        }
        if let [Entry::Module(module, _)] = entries.as_mut_slice() {
            return std::mem::take(module);
        }
        let mut outer = Module::new();
        entries.into_iter().for_each(|entry| self.add_entry(&mut outer, entry));
        outer
    }

    fn add_entry(&mut self, outer: &mut Module, entry: Entry) {
        match entry {
            Entry::Symbol(symbol) => self.add_symbol(outer, *symbol),
            Entry::Module(module, loc) => self.add_nested_module(outer, module, loc),
        }
    }

    fn add_nested_module(&mut self, outer: &mut Module, mut module: Module, loc: Loc) {
        let (Some(name), Some(def)) = (module.name.take(), self.registry.op(MODULE)) else {
            self.report(Diagnostic::invalid_ir(loc, "a module within a module needs a name"));
            return;
        };
        let mut symbol = SymbolOp::new(def, name, loc);
        symbol.attrs = std::mem::take(&mut module.attrs);
        symbol.nested = Some(Box::new(module));
        self.add_symbol(outer, symbol);
    }

    fn add_symbol(&mut self, module: &mut Module, symbol: SymbolOp) {
        let (name, loc) = (symbol.name, symbol.loc);
        if module.add(symbol).is_err() {
            let mut diagnostic = Diagnostic::invalid_ir(loc, format!("symbol `@{name}` is defined twice"));
            if let Some(first) = module.get(name) {
                diagnostic = diagnostic.with_label_at(first.loc, "first defined here");
            }
            self.report(diagnostic);
        }
    }

    /// What stands in a module, up to `}` or the end.
    fn items(&mut self, add: &mut dyn FnMut(&mut Self, Entry)) {
        while !self.is_hopeless() && self.tok.kind != Kind::Eof && !self.at("}") {
            let start = self.tok.start;
            let entry = match self.tok.kind {
                Kind::Type | Kind::Attr => self.alias_definition().map(|()| None),
                Kind::Value => {
                    self.fail_here("only ops that define symbols stand in a module, and these have no results")
                }
                _ if self.at_module() => self.module_item().map(Some),
                _ => self.symbol().map(|symbol| Some(Entry::Symbol(Box::new(symbol)))),
            };
            match entry {
                Ok(Some(entry)) => add(self, entry),
                Ok(None) => {}
                Err(Stop) => self.recover(start),
            }
        }
    }

    fn at_module(&self) -> bool {
        match self.tok.kind {
            Kind::Ident => self.at("module") || self.at(MODULE),
            Kind::String => self.tok.text.trim_matches('"') == MODULE,
            _ => false,
        }
    }

    /// `module @name attributes {…} { … }`, or the same in generic form.
    fn module_item(&mut self) -> P<Entry> {
        self.nested(|p| {
            let own_loc = p.token_loc(p.tok);
            let generic = p.tok.kind == Kind::String;
            p.advance();
            let mut module = Module::new();
            if generic {
                p.expect("(")?;
                p.expect(")")?;
                let mut attrs = if p.eat("<") { p.properties()? } else { Vec::new() };
                p.expect("(")?;
                p.module_body(&mut module)?;
                p.expect(")")?;
                attrs.extend(p.optional_dict()?);
                p.no_type()?;
                if let Some(at) = attrs.iter().position(|(n, _)| *n == "sym_name") {
                    module.name = attrs.remove(at).1.as_str().map(Name::new);
                }
                module.attrs = Attrs::from_vec(attrs);
            } else {
                if p.tok.kind == Kind::Symbol {
                    module.name = Some(p.symbol_name()?);
                }
                if p.eat("attributes") {
                    module.attrs = Attrs::from_vec(p.dict()?);
                }
                p.module_body(&mut module)?;
            }
            let loc = p.optional_loc()?.unwrap_or(own_loc);
            Ok(Entry::Module(module, loc))
        })
    }

    fn module_body(&mut self, module: &mut Module) -> P<()> {
        self.expect("{")?;
        if self.tok.kind == Kind::Block {
            self.advance();
            self.expect(":")?;
        }
        self.items(&mut |p, entry| p.add_entry(module, entry));
        if self.is_hopeless() {
            return Err(Stop);
        }
        self.expect("}")
    }

    // ----- symbols

    /// The row of the op named by the token, which is gone past.
    pub fn op_name(&mut self, default_dialect: &str) -> P<&'static OpDef> {
        let token = self.tok;
        let generic = token.kind == Kind::String;
        let name = token.text.trim_matches('"');
        if !generic && token.kind != Kind::Ident {
            return self.expected("an op");
        }
        let def = self
            .registry
            .op(name)
            .or_else(|| if generic { None } else { self.registry.op(&format!("{default_dialect}.{name}")) });
        match def {
            Some(def) => {
                self.advance();
                Ok(def)
            }
            None => {
                let dialects = self.registry.dialects().iter();
                let known: Vec<&str> = dialects.flat_map(|d| d.all_ops().map(|op| op.name)).collect();
                let near = near_op(name, &known);
                self.fail_near(token, format!("there is no op `{name}`"), near)
            }
        }
    }

    fn symbol(&mut self) -> P<SymbolOp> {
        let token = self.tok;
        let generic = token.kind == Kind::String;
        let def = self.op_name("builtin")?;
        let mut loc = self.token_loc(token);
        if !def.is_symbol() {
            return self.fail_at(token, format!("`{}` defines no symbol and cannot stand in a module", def.name));
        }
        let mut symbol = match def.asm {
            _ if generic => self.generic_symbol(def, token)?,
            Asm::Shape(AsmShape::Function) => self.function(def)?,
            Asm::Shape(AsmShape::Module) => self.other_module(def)?,
            Asm::Shape(AsmShape::Symbol) => self.plain_symbol(def)?,
            _ => return self.fail_at(token, format!("`{}` has only the generic form", def.name)),
        };
        if let Some(given) = self.optional_loc()? {
            loc = given;
        }
        symbol.loc = loc;
        Ok(symbol)
    }

    /// `"func.func"() ({ … }) {sym_name = "f", …} : () -> ()`
    fn generic_symbol(&mut self, def: &'static OpDef, token: Token<'s>) -> P<SymbolOp> {
        let mut symbol = SymbolOp::new(def, Name::new(""), Loc::unknown());
        self.expect("(")?;
        self.expect(")")?;
        let mut attrs = if self.eat("<") { self.properties()? } else { Vec::new() };
        if self.eat("(") {
            if def.asm.is_shape(AsmShape::Module) {
                let mut module = Module::new();
                self.nested(|p| p.module_body(&mut module))?;
                symbol.nested = Some(Box::new(module));
            } else {
                let mut code = Code::new(def.dialect());
                let root = code.body.root();
                self.region(&mut code, root, None)?;
                symbol.body = code.body;
            }
            self.expect(")")?;
        }
        attrs.extend(self.optional_dict()?);
        self.no_type()?;
        let at = attrs.iter().position(|(n, _)| *n == "sym_name");
        match at.map(|at| attrs.remove(at).1).and_then(Attr::as_str) {
            Some(name) if !name.is_empty() => symbol.name = Name::new(name),
            _ => return self.fail_at(token, "a symbol needs its name as the string attribute `sym_name`"),
        }
        symbol.attrs = Attrs::from_vec(attrs);
        Ok(symbol)
    }

    /// `hl.global @g attributes {…} { … }`
    fn plain_symbol(&mut self, def: &'static OpDef) -> P<SymbolOp> {
        let mut symbol = SymbolOp::new(def, self.symbol_name()?, Loc::unknown());
        if self.eat("attributes") {
            symbol.attrs = Attrs::from_vec(self.dict()?);
        }
        if self.at("{") {
            let mut code = Code::new(def.dialect());
            let root = code.body.root();
            self.region(&mut code, root, None)?;
            symbol.body = code.body;
        }
        Ok(symbol)
    }

    /// A symbol table that is not the builtin one, in the builtin one's syntax.
    fn other_module(&mut self, def: &'static OpDef) -> P<SymbolOp> {
        let mut symbol = SymbolOp::new(def, self.symbol_name()?, Loc::unknown());
        if self.eat("attributes") {
            symbol.attrs = Attrs::from_vec(self.dict()?);
        }
        let mut module = Module::new();
        self.nested(|p| p.module_body(&mut module))?;
        symbol.nested = Some(Box::new(module));
        Ok(symbol)
    }

    /// `func.func private @f(%a: T {…}) -> T attributes {…} { … }`
    fn function(&mut self, def: &'static OpDef) -> P<SymbolOp> {
        let visibility = match self.tok.text {
            text @ ("public" | "private" | "nested") => {
                self.advance();
                Some(text)
            }
            _ => None,
        };
        let mut symbol = SymbolOp::new(def, self.symbol_name()?, Loc::unknown());
        self.expect("(")?;
        let mut args = Vec::new();
        let mut inputs = Vec::new();
        let mut arg_notes = Vec::new();
        self.list(")", |p| {
            let name = (p.tok.kind == Kind::Value).then_some(p.tok);
            if let Some(name) = name {
                p.advance();
                p.expect(":")?;
                args.push(name);
            }
            inputs.push(p.ty()?);
            arg_notes.push(Attr::dict(p.optional_dict()?));
            p.optional_loc()?;
            Ok(())
        })?;
        let mut result_notes = Vec::new();
        let mut results = Vec::new();
        if self.eat("->") {
            if self.eat("(") {
                results = self.list(")", |p| {
                    let ty = p.ty()?;
                    result_notes.push(Attr::dict(p.optional_dict()?));
                    Ok(ty)
                })?;
            } else {
                results.push(self.ty()?);
            }
        }
        symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, &results)));
        if let Some(visibility) = visibility {
            symbol.set_attr(VISIBILITY, Attr::string(visibility));
        }
        let empty = Attr::dict(Vec::new());
        for (name, notes) in [(ARG_ATTRS, arg_notes), (RES_ATTRS, result_notes)] {
            if notes.iter().any(|&n| n != empty) {
                symbol.set_attr(name, Attr::array(notes));
            }
        }
        if self.eat("attributes") {
            let start = self.tok;
            for (name, attr) in self.dict()? {
                if symbol.attr(&name).is_some() || name == "sym_name" {
                    return self.fail_at(start, format!("attribute `{name}` is already given by the function's head"));
                }
                symbol.attrs.push((name, attr));
            }
        }
        if self.at("{") {
            if args.len() != inputs.len() {
                return self.fail_here("the parameters of a function with code need names");
            }
            let mut code = Code::new(def.dialect());
            let root = code.body.root();
            let args: Vec<_> = args.into_iter().zip(inputs).collect();
            self.region(&mut code, root, Some(&args))?;
            symbol.body = code.body;
        }
        Ok(symbol)
    }
}

/// The op that is meant: one of the dialect with a similar word, else one of another dialect.
fn near_op<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    fn parts(op: &str) -> (&str, &str) {
        op.split_once('.').unwrap_or(("", op))
    }
    let (dialect, word) = parts(name);
    let by_word = |own: bool| {
        let ops = || known.iter().copied().filter(|op| !own || parts(op).0 == dialect);
        let near = nearest(word, ops().map(|op| parts(op).1))?;
        ops().find(|op| parts(op).1 == near)
    };
    by_word(true).or_else(|| by_word(false)).or_else(|| nearest(name, known.iter().copied()))
}
