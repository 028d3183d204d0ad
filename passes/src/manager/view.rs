//! What a function pass may know of the rest of the module: the heads of its symbols and what
//! calling them may do, taken before the pass started.
//!
//! Since code is not part of it, functions can be changed in parallel and the result cannot depend
//! on the order. A pass that reads one function's code to change another's is a module pass.

use crate::analysis::effects::Summary;
use caustic_ir::module::FUNCTION_TYPE;
use caustic_ir::{Attr, Attrs, Loc, Module, Name, OpDef, SymbolOp, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A symbol without its code.
#[derive(Clone, Debug)]
pub struct SymbolHead {
    pub name: Name,
    pub def: &'static OpDef,
    pub attrs: Attrs,
    pub loc: Loc,
    pub has_code: bool,
}

impl PartialEq for SymbolHead {
    fn eq(&self, other: &SymbolHead) -> bool {
        let all = |head: &SymbolHead| (head.name, head.loc, head.has_code);
        all(self) == all(other) && std::ptr::eq(self.def, other.def) && self.attrs == other.attrs
    }
}

impl SymbolHead {
    pub fn of(symbol: &SymbolOp) -> SymbolHead {
        SymbolHead {
            name: symbol.name,
            def: symbol.def,
            attrs: symbol.attrs.clone(),
            loc: symbol.loc,
            has_code: symbol.body.entry().is_some(),
        }
    }
    pub fn attr(&self, name: &str) -> Option<Attr> {
        self.attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| *a)
    }
    /// Parameter and result types of function-like symbols.
    pub fn function_type(&self) -> Option<(&'static [Type], &'static [Type])> {
        match self.attr(FUNCTION_TYPE)?.as_type()?.kind() {
            TypeKind::Function { inputs, results } => Some((inputs, results)),
            _ => None,
        }
    }
}

/// The symbols of a module and of those around it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ModuleView<'a> {
    heads: Vec<SymbolHead>,
    index: FxHashMap<Name, usize>,
    effects: Summary,
    around: Option<&'a ModuleView<'a>>,
}

impl<'a> ModuleView<'a> {
    pub fn of(module: &Module, around: Option<&'a ModuleView<'a>>) -> ModuleView<'a> {
        let heads: Vec<SymbolHead> = module.symbols().iter().map(SymbolHead::of).collect();
        let index = heads.iter().enumerate().map(|(i, h)| (h.name, i)).collect();
        ModuleView { heads, index, effects: Summary::of(module), around }
    }
    /// Makes this, which was what is known of `module`, so again after the code of `changed`
    /// changed and nothing else did.
    pub fn update(&mut self, module: &Module, changed: &FxHashSet<Name>) {
        self.effects.update(module, changed);
    }
    /// The symbol that `name` means here: this module's, else that of a module around it.
    pub fn get(&self, name: Name) -> Option<&SymbolHead> {
        let mut view = self;
        loop {
            if let Some(&i) = view.index.get(&name) {
                return Some(&view.heads[i]);
            }
            view = view.around?;
        }
    }
    /// What calling the functions of this module may do.
    pub fn effects(&self) -> &Summary {
        &self.effects
    }
    /// The symbols of this module, in order.
    pub fn symbols(&self) -> &[SymbolHead] {
        &self.heads
    }
}
