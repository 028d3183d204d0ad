//! A module: symbols in order, each with its own code, and a table of their names.

use crate::attr::Attr;
use crate::body::{Attrs, Body, set_attr};
use crate::intern::Name;
use crate::loc::Loc;
use crate::op::OpDef;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// A top-level op that defines a name: a function, a global, a nested module. It is isolated: its
/// body reads no value from outside.
#[derive(Clone, Debug)]
pub struct SymbolOp {
    pub def: &'static OpDef,
    pub name: Name,
    /// All attributes but `sym_name`.
    pub attrs: Attrs,
    pub loc: Loc,
    pub body: Body,
    /// The symbols of a nested module; such a symbol has no body.
    pub nested: Option<Box<Module>>,
}

/// The attribute of function-like symbols that holds their type.
pub const FUNCTION_TYPE: &str = "function_type";

impl SymbolOp {
    pub fn new(def: &'static OpDef, name: Name, loc: Loc) -> SymbolOp {
        SymbolOp { def, name, attrs: Attrs::new(), loc, body: Body::new(), nested: None }
    }
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| *a)
    }
    /// The symbol that the attribute of this name holds.
    pub fn symbol_attr(&self, name: &str) -> Option<Name> {
        self.attr(name)?.as_symbol()
    }
    pub fn set_attr(&mut self, name: &str, attr: Attr) {
        set_attr(&mut self.attrs, name, attr);
    }
    pub fn remove_attr(&mut self, name: &str) {
        self.attrs.retain(|(n, _)| *n != name);
    }
    /// The type of a function-like symbol.
    pub fn signature_type(&self) -> Option<Type> {
        self.attr(FUNCTION_TYPE)?.as_type()
    }
    /// Its parameter and result types.
    pub fn function_type(&self) -> Option<(&'static [Type], &'static [Type])> {
        match self.signature_type()?.kind() {
            crate::types::TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }
}

/// An ordered symbol table.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The module's own name, if it has one.
    pub name: Option<Name>,
    pub attrs: Attrs,
    symbols: Vec<SymbolOp>,
    index: FxHashMap<Name, usize>,
}

impl Module {
    pub fn new() -> Module {
        Module::default()
    }
    pub fn symbols(&self) -> &[SymbolOp] {
        &self.symbols
    }
    /// The symbols, to be changed in place. Their names must stay.
    pub fn symbols_mut(&mut self) -> &mut [SymbolOp] {
        &mut self.symbols
    }
    pub fn get(&self, name: Name) -> Option<&SymbolOp> {
        self.index.get(&name).map(|&i| &self.symbols[i])
    }
    pub fn get_mut(&mut self, name: Name) -> Option<&mut SymbolOp> {
        self.index.get(&name).map(|&i| &mut self.symbols[i])
    }
    pub fn contains(&self, name: Name) -> bool {
        self.index.contains_key(&name)
    }
    /// Adds a symbol at the end; gives it back if the name is taken.
    pub fn add(&mut self, symbol: SymbolOp) -> Result<(), Box<SymbolOp>> {
        if self.index.contains_key(&symbol.name) {
            return Err(Box::new(symbol));
        }
        self.index.insert(symbol.name, self.symbols.len());
        self.symbols.push(symbol);
        Ok(())
    }
    /// Adds a symbol or replaces the one of that name in its place.
    pub fn put(&mut self, symbol: SymbolOp) {
        match self.index.get(&symbol.name) {
            Some(&i) => self.symbols[i] = symbol,
            None => {
                self.index.insert(symbol.name, self.symbols.len());
                self.symbols.push(symbol);
            }
        }
    }
    pub fn remove(&mut self, name: Name) -> Option<SymbolOp> {
        let at = self.index.get(&name).copied()?;
        let symbol = self.symbols.remove(at);
        self.reindex();
        Some(symbol)
    }
    pub fn retain(&mut self, keep: impl FnMut(&SymbolOp) -> bool) {
        self.symbols.retain(keep);
        self.reindex();
    }
    /// Takes all symbols out, to be put back changed.
    pub fn take_symbols(&mut self) -> Vec<SymbolOp> {
        self.index.clear();
        std::mem::take(&mut self.symbols)
    }
    fn reindex(&mut self) {
        self.index = self.symbols.iter().enumerate().map(|(i, s)| (s.name, i)).collect();
    }
    /// A name that is not taken, made from `base`.
    pub fn fresh_name(&self, base: &str) -> Name {
        let first = Name::new(base);
        if !self.contains(first) {
            return first;
        }
        let mut n = 1;
        loop {
            let name = Name::new(&format!("{base}_{n}"));
            if !self.contains(name) {
                return name;
            }
            n += 1;
        }
    }
}
