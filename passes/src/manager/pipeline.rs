//! Pipelines as values. `Display` gives the text that [`super::parse`] reads.

use super::row::{PassDef, PassOptions, Value};
use caustic_ir::text::MODULE;
use caustic_ir::{Name, SymbolOp};
use std::fmt;

/// Which symbols the passes of a group run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The module as a whole; in a group within it, each nested module.
    Module,
    /// Symbols made by this op, `func.func` for one; passes of a symbol table, if that is what the
    /// op is.
    Op(Name),
    /// All symbols with code.
    Any,
}

impl Anchor {
    pub fn from_text(text: &str) -> Anchor {
        match text {
            MODULE | "module" => Anchor::Module,
            "any" => Anchor::Any,
            op => Anchor::Op(Name::new(op)),
        }
    }
    /// Whether a function pass in a group of this anchor runs on `symbol`.
    pub fn takes(self, symbol: &SymbolOp) -> bool {
        match self {
            Anchor::Module => symbol.def.name == MODULE,
            Anchor::Op(name) => name == symbol.def.name,
            Anchor::Any => symbol.body.entry().is_some(),
        }
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Anchor::Module => f.write_str(MODULE),
            Anchor::Op(name) => write!(f, "{name}"),
            Anchor::Any => f.write_str("any"),
        }
    }
}

/// A pass with its options.
#[derive(Clone, Debug)]
pub struct PassRun {
    pub def: &'static PassDef,
    pub options: PassOptions,
}

impl PassRun {
    pub fn new(def: &'static PassDef) -> PassRun {
        PassRun { def, options: PassOptions::defaults(def) }
    }
    /// The pass with a value for each option, in the order of its row.
    pub fn with(def: &'static PassDef, values: impl IntoIterator<Item = Value>) -> PassRun {
        let mut run = PassRun::new(def);
        values.into_iter().enumerate().for_each(|(i, value)| run.options.set(i, value));
        run
    }
}

impl fmt::Display for PassRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.def.name)?;
        let mut first = true;
        for (i, option) in self.def.options.iter().enumerate() {
            let Some(value) = self.options.value(i).filter(|v| option.kind.parse(option.default).as_ref() != Some(v))
            else {
                continue;
            };
            write!(f, "{}{}={value}", if first { "{" } else { " " }, option.shown())?;
            first = false;
        }
        if first { Ok(()) } else { f.write_str("}") }
    }
}

#[derive(Clone, Debug)]
pub enum Item {
    Pass(PassRun),
    Group(Pipeline),
}

/// Passes in order, and what they run on.
#[derive(Clone, Debug)]
pub struct Pipeline {
    pub anchor: Anchor,
    pub items: Vec<Item>,
}

impl Pipeline {
    /// An empty pipeline on a module.
    pub fn new() -> Pipeline {
        Pipeline { anchor: Anchor::Module, items: Vec::new() }
    }
    /// Adds a pass with its default options; a function pass runs on every function.
    pub fn add(&mut self, def: &'static PassDef) -> &mut Self {
        self.add_run(PassRun::new(def))
    }
    pub fn add_run(&mut self, run: PassRun) -> &mut Self {
        if !run.def.is_function_pass() || self.anchor != Anchor::Module {
            self.items.push(Item::Pass(run));
            return self;
        }
        match self.items.last_mut() {
            Some(Item::Group(group)) if group.anchor == Anchor::Any => group.items.push(Item::Pass(run)),
            _ => self.items.push(Item::Group(Pipeline { anchor: Anchor::Any, items: vec![Item::Pass(run)] })),
        }
        self
    }
    /// Adds all items of another pipeline on a module.
    pub fn append(&mut self, other: Pipeline) -> &mut Self {
        self.items.extend(other.items);
        self
    }
    /// Every pass in order.
    pub fn passes(&self) -> Vec<&PassRun> {
        let mut out = Vec::new();
        self.collect(&mut out);
        out
    }
    fn collect<'p>(&'p self, out: &mut Vec<&'p PassRun>) {
        for item in &self.items {
            match item {
                Item::Pass(run) => out.push(run),
                Item::Group(group) => group.collect(out),
            }
        }
    }
    /// The same with `run` wherever its pass stands.
    pub fn with(mut self, run: &PassRun) -> Pipeline {
        self.set(run);
        self
    }
    fn set(&mut self, run: &PassRun) {
        for item in &mut self.items {
            match item {
                Item::Pass(old) if std::ptr::eq(old.def, run.def) => *old = run.clone(),
                Item::Pass(_) => {}
                Item::Group(group) => group.set(run),
            }
        }
    }
    /// The same with `run` in front of the first pass, or group of passes, that is `def` or has it.
    pub fn with_before(mut self, def: &'static PassDef, run: PassRun) -> Pipeline {
        let has = |item: &Item| match item {
            Item::Pass(pass) => std::ptr::eq(pass.def, def),
            Item::Group(group) => group.passes().iter().any(|pass| std::ptr::eq(pass.def, def)),
        };
        if let Some(at) = self.items.iter().position(has) {
            self.items.insert(at, Item::Pass(run));
        }
        self
    }
    /// The same with another pass, which has the same options, in the place of `old`.
    pub fn in_place_of(mut self, old: &'static PassDef, new: &'static PassDef) -> Pipeline {
        self.replace(old, new);
        self
    }
    fn replace(&mut self, old: &'static PassDef, new: &'static PassDef) {
        for item in &mut self.items {
            match item {
                Item::Pass(run) if std::ptr::eq(run.def, old) => run.def = new,
                Item::Pass(_) => {}
                Item::Group(group) => group.replace(old, new),
            }
        }
    }
    /// The same without a pass, and without groups that had nothing else.
    pub fn without(mut self, def: &'static PassDef) -> Pipeline {
        self.remove(def);
        self
    }
    fn remove(&mut self, def: &'static PassDef) {
        self.items.retain_mut(|item| match item {
            Item::Pass(run) => !std::ptr::eq(run.def, def),
            Item::Group(group) => {
                group.remove(def);
                !group.items.is_empty()
            }
        });
    }
    /// The first `count` passes, in the same groups.
    pub fn prefix(&self, count: usize) -> Pipeline {
        self.part(&mut 0, 0..count)
    }
    /// The passes numbered so, in the same groups.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Pipeline {
        self.part(&mut 0, range)
    }
    fn part(&self, next: &mut usize, range: std::ops::Range<usize>) -> Pipeline {
        let mut items = Vec::new();
        for item in &self.items {
            match item {
                Item::Pass(run) => {
                    if range.contains(next) {
                        items.push(Item::Pass(run.clone()));
                    }
                    *next += 1;
                }
                Item::Group(group) => {
                    let group = group.part(next, range.clone());
                    if !group.items.is_empty() {
                        items.push(Item::Group(group));
                    }
                }
            }
        }
        Pipeline { anchor: self.anchor, items }
    }
}

impl Default for Pipeline {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.anchor)?;
        for (i, item) in self.items.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "," })?;
            match item {
                Item::Pass(run) => write!(f, "{run}")?,
                Item::Group(group) => write!(f, "{group}")?,
            }
        }
        f.write_str(")")
    }
}
