//! The printer: modules, symbols, regions, and the generic form of ops.
//!
//! The pretty forms are in `print_format` (declarative) and `print_shapes` (upstream's irregular
//! ones); both first ask whether the form can say everything about the op, and leave it to the
//! generic form if not.

use super::names::Names;
use super::write::{self, Aliases};
use super::{MODULE, format};
use crate::attr::{Attr, AttrKind, write_symbol};
use crate::body::{BlockId, Body, OpId, RegionId, ValueId};
use crate::intern::Name;
use crate::loc::Loc;
use crate::module::{Module, SymbolOp};
use crate::op::{Asm, AsmShape, OpDef};
use crate::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// Every op in MLIR's generic form.
    pub generic: bool,
    /// `loc(…)` after every op.
    pub locations: bool,
    /// Big dialect types by aliases at the head of the module; never in the generic form, for
    /// upstream keeps the parameters of types it does not know as text, in which an alias would
    /// lose its meaning.
    pub aliases: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { generic: false, locations: false, aliases: true }
    }
}

/// A whole module, ending with a newline.
pub fn print_module(module: &Module, options: &PrintOptions) -> String {
    let mut p = Printer::new(options);
    if options.aliases && !options.generic {
        p.define_aliases(module);
    }
    p.module(module);
    p.newline();
    p.out
}

/// One symbol as it stands in a module, without aliases.
pub fn print_symbol(symbol: &SymbolOp, options: &PrintOptions) -> String {
    let mut p = Printer::new(options);
    p.symbol(symbol);
    p.newline();
    p.out
}

/// One op with its regions, named as within its whole body.
pub fn print_op(body: &Body, op: OpId, options: &PrintOptions) -> String {
    let mut p = Printer::new(options);
    p.names = Names::of_body(body);
    p.op(body, op);
    p.out
}

pub(super) struct Printer<'a> {
    pub out: String,
    pub options: &'a PrintOptions,
    pub aliases: Aliases,
    pub names: Names,
    indent: usize,
    formats: FxHashMap<*const OpDef, Option<Rc<Vec<format::Piece>>>>,
}

impl<'a> Printer<'a> {
    fn new(options: &'a PrintOptions) -> Self {
        Printer {
            out: String::new(),
            options,
            aliases: Aliases::default(),
            names: Names::default(),
            indent: 0,
            formats: FxHashMap::default(),
        }
    }

    // ----- small pieces; writing to a string cannot fail

    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }
    pub fn newline(&mut self) {
        self.out.push('\n');
    }
    pub fn start_line(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }
    pub fn ty(&mut self, ty: Type) {
        let _ = write::write_type(&mut self.out, ty, &self.aliases);
    }
    pub fn types(&mut self, types: &[Type]) {
        let _ = write::write_types(&mut self.out, types, &self.aliases);
    }
    pub fn result_types(&mut self, types: &[Type]) {
        let _ = write::write_results(&mut self.out, types, &self.aliases);
    }
    pub fn attr(&mut self, attr: Attr) {
        let _ = write::write_attr(&mut self.out, attr, &self.aliases);
    }
    pub fn typed_attr(&mut self, attr: Attr) {
        let _ = write::write_typed_attr(&mut self.out, attr, &self.aliases);
    }
    pub fn dict(&mut self, attrs: &[(Name, Attr)]) {
        let _ = write::write_dict(&mut self.out, attrs, &self.aliases);
    }
    pub fn symbol_name(&mut self, name: Name) {
        let _ = write_symbol(&mut self.out, &name);
    }
    pub fn value(&mut self, value: ValueId) {
        let name = self.names.get(value);
        self.out.push_str(&name);
    }
    pub fn values(&mut self, values: &[ValueId]) {
        for (i, &v) in values.iter().enumerate() {
            self.push(if i == 0 { "" } else { ", " });
            self.value(v);
        }
    }
    pub fn location(&mut self, loc: Loc) {
        if self.options.locations {
            self.out.push(' ');
            let _ = write::write_loc(&mut self.out, loc);
        }
    }
    /// `prefix` and the attributes but those named, if any are left.
    pub fn attr_dict(&mut self, prefix: &str, attrs: &[(Name, Attr)], without: &[&str]) {
        let left: Vec<(Name, Attr)> = attrs.iter().filter(|(n, _)| !without.contains(&n.as_str())).copied().collect();
        if !left.is_empty() {
            self.push(prefix);
            self.dict(&left);
        }
    }

    /// The compiled format of a row that has a valid one.
    pub fn format_of(&mut self, def: &'static OpDef) -> Option<Rc<Vec<format::Piece>>> {
        let Asm::Format(text) = def.asm else { return None };
        self.formats.entry(def as *const OpDef).or_insert_with(|| format::compile(def, text).ok().map(Rc::new)).clone()
    }

    // ----- modules and symbols

    fn module(&mut self, module: &Module) {
        if self.options.generic {
            self.push(&format!("\"{MODULE}\"() ({{\n"));
            self.symbols(module);
            self.push("})");
            let mut attrs: Vec<(Name, Attr)> = Vec::new();
            attrs.extend(module.name.map(|n| (Name::new("sym_name"), Attr::string(&n))));
            attrs.extend(module.attrs.iter().copied());
            self.attr_dict(" ", &attrs, &[]);
            self.push(" : () -> ()");
            return;
        }
        self.push("module");
        if let Some(name) = module.name {
            self.push(" ");
            self.symbol_name(name);
        }
        self.attr_dict(" attributes ", &module.attrs, &[]);
        self.push(" {\n");
        self.symbols(module);
        self.push("}");
    }

    pub fn symbols(&mut self, module: &Module) {
        // A region of a module has a block even if nothing stands in it.
        if self.options.generic && module.symbols().is_empty() {
            self.start_line();
            self.push("^bb0:\n");
        }
        self.indent += 1;
        for symbol in module.symbols() {
            self.start_line();
            self.symbol(symbol);
            self.newline();
        }
        self.indent -= 1;
        self.start_line();
    }

    fn symbol(&mut self, symbol: &SymbolOp) {
        self.names = Names::of_body(&symbol.body);
        if self.options.generic || !self.pretty_symbol(symbol) {
            self.generic_symbol(symbol);
        }
        self.location(symbol.loc);
    }

    fn generic_symbol(&mut self, symbol: &SymbolOp) {
        self.push(&format!("\"{}\"()", symbol.def.name));
        let has_code = symbol.body.entry().is_some();
        if let Some(nested) = &symbol.nested {
            self.push(" ({\n");
            self.symbols(nested);
            self.push("})");
        } else if has_code || !symbol.def.regions.is_empty() {
            self.push(" (");
            self.region(&symbol.body, symbol.body.root(), true);
            self.push(")");
        }
        let mut attrs = vec![(Name::new("sym_name"), Attr::string(&symbol.name))];
        attrs.extend(symbol.attrs.iter().copied());
        if let Some(nested) = &symbol.nested {
            attrs.extend(nested.attrs.iter().copied());
        }
        self.push(" ");
        self.dict(&attrs);
        self.push(" : () -> ()");
    }

    // ----- regions and ops

    /// `{ … }`. The labels of the first block's arguments are left out where the op's own syntax
    /// names them.
    pub fn region(&mut self, body: &Body, region: RegionId, labelled: bool) {
        self.push("{\n");
        self.region_inside(body, region, labelled, None);
        self.push("}");
    }

    /// As [`Self::region`], without `implied`: a terminator that the parser puts back.
    pub fn region_inside(&mut self, body: &Body, region: RegionId, labelled: bool, implied: Option<OpId>) {
        let blocks = &body.region(region).blocks;
        for (i, &block) in blocks.iter().enumerate() {
            let bare = i == 0 && body.args(block).is_empty() && (body.first_op(block).is_some() || !labelled);
            if (i > 0 || labelled) && !bare {
                self.start_line();
                self.label(body, block, i);
            }
            self.indent += 1;
            let mut next = body.first_op(block);
            while let Some(op) = next {
                if Some(op) != implied {
                    self.op(body, op);
                }
                next = body.next_op(op);
            }
            self.indent -= 1;
        }
        self.start_line();
    }

    fn label(&mut self, body: &Body, block: BlockId, index: usize) {
        self.push(&format!("^bb{index}"));
        if !body.args(block).is_empty() {
            self.push("(");
            self.typed_values(body, body.args(block));
            self.push(")");
        }
        self.push(":\n");
    }

    /// `%a: f32, %b: i32`
    pub fn typed_values(&mut self, body: &Body, values: &[ValueId]) {
        for (i, &v) in values.iter().enumerate() {
            self.push(if i == 0 { "" } else { ", " });
            self.value(v);
            self.push(": ");
            self.ty(body.ty(v));
        }
    }

    /// One op on lines of its own.
    pub fn op(&mut self, body: &Body, op: OpId) {
        self.start_line();
        if !body.results(op).is_empty() {
            let definition = self.names.definition(body, op);
            self.push(&definition);
            self.push(" = ");
        }
        if self.options.generic || !self.pretty_op(body, op) {
            self.generic_op(body, op);
        }
        self.location(body.loc(op));
        self.newline();
    }

    fn pretty_op(&mut self, body: &Body, op: OpId) -> bool {
        match body.op(op).def.asm {
            Asm::Generic => false,
            Asm::Format(_) => self.formatted_op(body, op),
            Asm::Shape(shape) => self.shaped_op(body, op, shape),
        }
    }

    fn pretty_symbol(&mut self, symbol: &SymbolOp) -> bool {
        match symbol.def.asm {
            Asm::Shape(AsmShape::Function) => self.function(symbol),
            Asm::Shape(AsmShape::Module) => self.nested_module(symbol),
            Asm::Shape(AsmShape::Symbol) => self.plain_symbol(symbol),
            _ => false,
        }
    }

    fn generic_op(&mut self, body: &Body, op: OpId) {
        let data = body.op(op);
        self.push(&format!("\"{}\"(", data.def.name));
        self.values(&data.operands);
        self.push(")");
        if !data.regions.is_empty() {
            self.push(" (");
            for (i, &region) in data.regions.iter().enumerate() {
                self.push(if i == 0 { "" } else { ", " });
                self.region(body, region, true);
            }
            self.push(")");
        }
        self.attr_dict(" ", &data.attrs, &[]);
        self.push(" : ");
        self.functional_type(body, &data.operands, &data.results);
    }

    pub fn functional_type(&mut self, body: &Body, operands: &[ValueId], results: &[ValueId]) {
        let types = |values: &[ValueId]| values.iter().map(|&v| body.ty(v)).collect::<Vec<_>>();
        self.push("(");
        self.types(&types(operands));
        self.push(") -> ");
        self.result_types(&types(results));
    }

    // ----- aliases

    /// Gives a name to every dialect type that is long and stands more than once, and prints the
    /// definitions.
    fn define_aliases(&mut self, module: &Module) {
        let mut found = TypeUses::default();
        found.module(module);
        let mut taken: FxHashSet<String> = FxHashSet::default();
        // Parts come before what is made of them, so a definition reads only what stands above it.
        for &ty in &found.order {
            let TypeKind::Dialect { name, params } = ty.kind() else { continue };
            if found.count.get(&ty).copied().unwrap_or(0) < 2 {
                continue;
            }
            let mut text = String::new();
            let _ = write::write_type_in_full(&mut text, ty, &self.aliases);
            if text.len() < MIN_ALIASED {
                continue;
            }
            let alias = alias_base(*name, params);
            let alias = std::iter::once(alias.clone())
                .chain((0u32..).map(|i| format!("{alias}_{i}")))
                .find(|a| !taken.contains(a))
                .unwrap_or(alias);
            taken.insert(alias.clone());
            self.push(&format!("!{alias} = {text}\n"));
            self.aliases.insert(ty, alias);
        }
    }
}

/// Types whose text is shorter than this are written out.
const MIN_ALIASED: usize = 24;

/// A type is called as its first parameter says, if that is a string, else by its kind.
fn alias_base(name: Name, params: &[Attr]) -> String {
    let own = params.first().and_then(|p| p.as_str());
    let base = own.unwrap_or_else(|| name.split_once('.').map_or(name.as_str(), |(_, t)| t));
    let clean: String = base.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    // What looks like a builtin type's name would read as one.
    match clean.chars().next() {
        Some(c) if c.is_ascii_uppercase() => clean,
        _ => format!("t_{clean}"),
    }
}

/// How often each type stands in a module, types within types counted once per enclosing type.
#[derive(Default)]
struct TypeUses {
    count: FxHashMap<Type, u32>,
    /// Each type once, parts first.
    order: Vec<Type>,
    attrs: FxHashSet<Attr>,
}

impl TypeUses {
    fn ty(&mut self, ty: Type) {
        let count = self.count.entry(ty).or_insert(0);
        *count = count.saturating_add(1);
        if *count > 1 {
            return;
        }
        match ty.kind() {
            TypeKind::Vector { elem, .. } => self.ty(*elem),
            TypeKind::Function { inputs, results } => inputs.iter().chain(results).for_each(|&t| self.ty(t)),
            TypeKind::Dialect { params, .. } => params.iter().for_each(|&p| self.attr(p)),
            _ => {}
        }
        self.order.push(ty);
    }
    fn attr(&mut self, attr: Attr) {
        match attr.kind() {
            AttrKind::Type(t) => self.ty(*t),
            AttrKind::Array(items) if self.attrs.insert(attr) => items.iter().for_each(|&a| self.attr(a)),
            AttrKind::Dict(items) if self.attrs.insert(attr) => items.iter().for_each(|&(_, a)| self.attr(a)),
            _ => {}
        }
    }
    fn module(&mut self, module: &Module) {
        module.attrs.iter().for_each(|&(_, a)| self.attr(a));
        for symbol in module.symbols() {
            symbol.attrs.iter().for_each(|&(_, a)| self.attr(a));
            let body = &symbol.body;
            if let Some(entry) = body.entry() {
                body.args(entry).iter().for_each(|&v| self.ty(body.ty(v)));
            }
            for op in body.walk_all() {
                let data = body.op(op);
                data.results.iter().for_each(|&v| self.ty(body.ty(v)));
                data.attrs.iter().for_each(|&(_, a)| self.attr(a));
            }
            if let Some(nested) = &symbol.nested {
                self.module(nested);
            }
        }
    }
}
