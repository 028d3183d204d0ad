//! The verifier: what every module must keep, checked from the rows.
//!
//! It checks, and reports all diagnostics at once, each at the op's place in the source:
//! - numbers of operands, results and regions; types by [`TypeRule`]; required attributes, and the
//!   class of each attribute that the row lists;
//! - one block per region at most, one terminator per block and at its end, no symbols inside of
//!   code;
//! - every operand is visible where it is read: defined earlier in the same block or in a block
//!   around it;
//! - use lists are exactly the operands that read a value, and parents are consistent;
//! - attributes of class `Symbol` name a symbol of this module or of one around it;
//! - values are signless: none has an unsigned type;
//! - functions: `function_type` is the arguments' types; `return` gives its results; calls agree
//!   with their callee;
//! - whatever the row's own `verify` says, asked only about ops that pass all of the above.
//!
//! It does not check what attributes the row does not list mean, parameters of dialect types,
//! symbols named inside of nested attributes, nor that a program computes anything sensible.

use crate::attr::AttrKind;
use crate::body::{Attrs, BlockId, Body, OpId, Use, ValueDef, ValueId};
use crate::diag::Diagnostic;
use crate::intern::Name;
use crate::loc::Loc;
use crate::module::{Module, SymbolOp};
use crate::op::{AsmShape, AttrClass, OpDef, TypeRule, ValueSpec};
use crate::types::{Type, TypeKind};
use rustc_hash::FxHashMap;

/// After so many diagnostics in a symbol the rest is not reported.
const MAX_DIAGNOSTICS: usize = 100;

/// What one symbol may know of another.
#[derive(Clone, Copy, Debug)]
pub struct SymbolInfo {
    pub def: &'static OpDef,
    pub function_type: Option<Type>,
}

/// The symbols that code can name: a module's, and those of the modules around it.
#[derive(Clone, Default, Debug)]
pub struct SymbolTable<'a> {
    symbols: FxHashMap<Name, SymbolInfo>,
    around: Option<&'a SymbolTable<'a>>,
}

impl<'a> SymbolTable<'a> {
    pub fn of(module: &Module, around: Option<&'a SymbolTable<'a>>) -> SymbolTable<'a> {
        let info =
            |s: &SymbolOp| SymbolInfo { def: s.def, function_type: s.attr("function_type").and_then(|a| a.as_type()) };
        SymbolTable { symbols: module.symbols().iter().map(|s| (s.name, info(s))).collect(), around }
    }
    pub fn get(&self, name: Name) -> Option<SymbolInfo> {
        let mut table = self;
        loop {
            if let Some(info) = table.symbols.get(&name) {
                return Some(*info);
            }
            table = table.around?;
        }
    }
}

/// Everything that is wrong with a module; empty if it is valid.
pub fn verify_module(module: &Module) -> Vec<Diagnostic> {
    verify_nested(module, None)
}

fn verify_nested(module: &Module, around: Option<&SymbolTable<'_>>) -> Vec<Diagnostic> {
    let table = SymbolTable::of(module, around);
    module.symbols().iter().flat_map(|symbol| verify_symbol(symbol, &table)).collect()
}

/// Everything that is wrong with one symbol and what is nested in it; `table` is of the module that
/// it stands in.
pub fn verify_symbol(symbol: &SymbolOp, table: &SymbolTable<'_>) -> Vec<Diagnostic> {
    let mut v = Verifier {
        body: &symbol.body,
        table,
        order: vec![u32::MAX; symbol.body.num_ops()],
        return_name: String::new(),
        return_types: None,
        found: Vec::new(),
    };
    v.symbol(symbol);
    let mut found = v.found;
    if let Some(nested) = &symbol.nested {
        found.extend(verify_nested(nested, Some(table)));
    }
    found
}

struct Verifier<'v> {
    body: &'v Body,
    table: &'v SymbolTable<'v>,
    /// The position of each op in its block; `u32::MAX` for what stands nowhere.
    order: Vec<u32>,
    /// The op that returns from the function, and what it must return.
    return_name: String,
    return_types: Option<&'static [Type]>,
    found: Vec<Diagnostic>,
}

impl Verifier<'_> {
    fn report(&mut self, loc: Loc, message: String) {
        if self.found.len() < MAX_DIAGNOSTICS {
            self.found.push(Diagnostic::invalid_ir(loc, message));
        }
    }

    fn report_op(&mut self, op: OpId, message: impl std::fmt::Display) {
        let name = self.body.op(op).def.name;
        self.report(self.body.loc(op), format!("{name}: {message}"));
    }

    // ----- the symbol

    fn symbol(&mut self, symbol: &SymbolOp) {
        let body = self.body;
        let name = format!("{} @{}", symbol.def.name, symbol.name);
        if !symbol.def.is_symbol() {
            self.report(symbol.loc, format!("{name}: defines no symbol"));
        }
        self.attrs(&name, symbol.def, &symbol.attrs, symbol.loc);
        if symbol.def.asm.is_shape(AsmShape::Module) != symbol.nested.is_some() {
            self.report(symbol.loc, format!("{name}: only a symbol table has symbols, and it must"));
        }
        let blocks = &body.region(body.root()).blocks;
        let has_regions = !symbol.def.regions.is_empty() && symbol.nested.is_none();
        if blocks.len() > usize::from(has_regions) {
            self.report(symbol.loc, format!("{name}: has {} blocks, which is too many", blocks.len()));
        }
        if symbol.def.asm.is_shape(AsmShape::Function) {
            self.function(symbol, &name);
        }
        let ops = body.walk_all();
        self.number_ops(&ops);
        for &block in blocks {
            self.block(block, symbol.loc, &name);
        }
        for &op in &ops {
            self.op(op);
        }
        self.uses(&ops, symbol.loc);
    }

    fn function(&mut self, symbol: &SymbolOp, name: &str) {
        let Some((inputs, results)) = symbol.function_type() else {
            return self.report(symbol.loc, format!("{name}: `function_type` is no function type"));
        };
        self.return_name = format!("{}.return", symbol.def.dialect());
        self.return_types = Some(results);
        if let Some(entry) = self.body.entry() {
            let args = self.types(self.body.args(entry));
            if let Some(ty) = args.iter().find(|ty| ty.elem().is_unsigned()) {
                self.report(symbol.loc, format!("{name}: an argument has type {ty}, but values are signless"));
            }
            if args != inputs {
                let text = format!("{name}: its arguments are ({}), its type says ({})", list(&args), list(inputs));
                self.report(symbol.loc, text);
            }
        }
    }

    fn types(&self, values: &[ValueId]) -> Vec<Type> {
        values.iter().map(|&v| self.body.ty(v)).collect()
    }

    // ----- blocks

    fn number_ops(&mut self, ops: &[OpId]) {
        for &op in ops {
            let before = self.body.prev_op(op).map(|p| self.order[p.index()]);
            self.order[op.index()] = before.map_or(0, |n| n.saturating_add(1));
        }
    }

    fn block(&mut self, block: BlockId, loc: Loc, around: &str) {
        let mut next = self.body.first_op(block);
        while let Some(op) = next {
            next = self.body.next_op(op);
            if self.body.op(op).def.is_terminator() && next.is_some() {
                self.report_op(op, "ends a block, but other ops follow");
            }
        }
        match self.body.last_op(block) {
            None => self.report(loc, format!("{around}: has a block without a terminator")),
            Some(last) if !self.body.op(last).def.is_terminator() => {
                self.report_op(last, format!("stands last in a block of {around}, but is no terminator"));
            }
            Some(_) => {}
        }
    }

    // ----- ops

    fn op(&mut self, op: OpId) {
        let before = self.found.len();
        let body = self.body;
        let data = body.op(op);
        let def = data.def;
        if def.is_symbol() {
            return self.report_op(op, "defines a symbol and cannot stand in code");
        }
        self.attrs(def.name, def, &data.attrs, data.loc);
        let operands = self.types(&data.operands);
        let results = self.types(&data.results);
        self.values(op, "operand", def.operands, &operands, &operands);
        self.values(op, "result", def.results, &results, &operands);

        let fixed = def.regions.len() - usize::from(def.has_variadic_regions());
        if data.regions.len() < fixed || (data.regions.len() > fixed && !def.has_variadic_regions()) {
            self.report_op(op, format!("has {} regions instead of {fixed}", data.regions.len()));
        }
        for &region in &data.regions {
            let blocks = &body.region(region).blocks;
            if blocks.len() > 1 {
                self.report_op(op, "has a region of several blocks; control flow is structured here");
            }
            for &block in blocks {
                self.block(block, data.loc, def.name);
            }
        }
        for (i, &value) in data.operands.iter().enumerate() {
            if let Err(why) = self.visible(op, value) {
                let name = operand_name(def, i);
                self.report_op(op, format!("operand `{name}` {why}"));
            }
        }
        if def.asm.is_shape(AsmShape::Call) {
            self.call(op, &operands, &results);
        }
        if let Some(expected) = self.return_types
            && def.name == self.return_name
            && operands != expected
        {
            self.report_op(op, format!("returns ({}), the function's type says ({})", list(&operands), list(expected)));
        }
        if let Some(verify) = def.verify
            && self.found.len() == before
            && let Err(diagnostic) = verify(body, op)
            && self.found.len() < MAX_DIAGNOSTICS
        {
            self.found.push(diagnostic);
        }
    }

    fn values(&mut self, op: OpId, what: &str, specs: &[ValueSpec], types: &[Type], operands: &[Type]) {
        let variadic = specs.last().is_some_and(|s| s.variadic);
        let fixed = specs.len() - usize::from(variadic);
        if types.len() < fixed || (types.len() > fixed && !variadic) {
            let least = if variadic { "at least " } else { "" };
            return self.report_op(op, format!("has {} {what}s instead of {least}{fixed}", types.len()));
        }
        for (i, &ty) in types.iter().enumerate() {
            if ty.elem().is_unsigned() {
                self.report_op(op, format!("{what} #{i} has type {ty}, but values are signless"));
            }
            let Some(spec) = specs.get(i.min(specs.len().saturating_sub(1))) else { continue };
            if let Some(expected) = mismatch(spec.rule, ty, operands) {
                self.report_op(op, format!("{what} `{}` has type {ty}, but must be {expected}", spec.name));
            }
        }
    }

    fn attrs(&mut self, name: &str, def: &OpDef, attrs: &Attrs, loc: Loc) {
        for spec in def.attrs {
            if def.is_symbol() && spec.name == "sym_name" {
                continue;
            }
            let Some((_, attr)) = attrs.iter().find(|(n, _)| *n == spec.name) else {
                if spec.required {
                    self.report(loc, format!("{name}: attribute `{}` is missing", spec.name));
                }
                continue;
            };
            if !spec.class.contains(*attr) {
                let text =
                    format!("{name}: attribute `{}` is {attr}, but must be {}", spec.name, described(spec.class));
                self.report(loc, text);
            }
            if let (AttrClass::Symbol, AttrKind::Symbol(target)) = (spec.class, attr.kind())
                && self.table.get(*target).is_none()
            {
                self.report(loc, format!("{name}: there is no symbol `@{target}`"));
            }
        }
    }

    fn call(&mut self, op: OpId, operands: &[Type], results: &[Type]) {
        let callee = self.body.callee(op);
        let Some(info) = callee.and_then(|name| self.table.get(name)) else { return };
        let Some(TypeKind::Function { inputs, results: outputs }) = info.function_type.map(Type::kind) else {
            return self.report_op(op, "calls what is no function");
        };
        if operands != inputs {
            self.report_op(op, format!("passes ({}) to a function of ({})", list(operands), list(inputs)));
        }
        if results != outputs {
            self.report_op(op, format!("expects ({}) of a function that gives ({})", list(results), list(outputs)));
        }
    }

    // ----- values

    /// Whether `value` is defined where `op` can read it.
    fn visible(&self, op: OpId, value: ValueId) -> Result<(), &'static str> {
        let body = self.body;
        let def = body.def(value);
        let home = match def {
            ValueDef::Result { op, .. } if self.order[op.index()] == u32::MAX => {
                return Err("is the result of an op that stands nowhere");
            }
            ValueDef::Result { op, .. } => body.op(op).block,
            ValueDef::Arg { block, .. } => Some(block),
        };
        let known = match def {
            ValueDef::Result { op, index } => body.results(op).get(index as usize) == Some(&value),
            ValueDef::Arg { block, index } => body.args(block).get(index as usize) == Some(&value),
        };
        if !known {
            return Err("is a value that was removed");
        }
        // The op around the reader that stands in the block of the definition.
        let mut reader = op;
        loop {
            let block = body.op(reader).block;
            if block == home {
                break;
            }
            match block.and_then(|b| body.parent_op(b)) {
                Some(up) => reader = up,
                None => return Err("is defined where it cannot be seen from here"),
            }
        }
        match def {
            ValueDef::Result { op, .. } if op == reader => Err("is a result of the op around it, or its own"),
            ValueDef::Result { op, .. } if self.order[op.index()] > self.order[reader.index()] => {
                Err("is defined only later")
            }
            _ => Ok(()),
        }
    }

    /// Every use of a value is an operand that reads it, and there are as many of the one as of the
    /// other.
    fn uses(&mut self, ops: &[OpId], loc: Loc) {
        let body = self.body;
        let mut operands = 0usize;
        for &op in ops {
            operands += body.operands(op).len();
        }
        let mut uses = 0usize;
        for value in (0..body.num_values() as u32).map(ValueId) {
            for &Use { op, index } in body.uses(value) {
                uses += 1;
                let stands = self.order.get(op.index()).is_some_and(|&n| n != u32::MAX);
                if !stands || body.operands(op).get(index as usize) != Some(&value) {
                    let text = format!("value {} has a use that is none: operand {index} of op {}", value.0, op.0);
                    return self.found.push(Diagnostic::internal(loc, text));
                }
            }
        }
        if uses != operands {
            let text = format!("{operands} operands, but {uses} uses of values");
            self.found.push(Diagnostic::internal(loc, text));
        }
    }
}

fn operand_name(def: &OpDef, index: usize) -> String {
    match def.operands.get(index) {
        Some(spec) if !spec.variadic => spec.name.to_string(),
        _ => format!("#{index}"),
    }
}

fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// What the type should have been.
fn mismatch(rule: TypeRule, ty: Type, operands: &[Type]) -> Option<String> {
    if let TypeRule::Class(class) = rule {
        return (!(class.contains)(ty)).then(|| class.desc.to_string());
    }
    let known: Vec<Option<Type>> = operands.iter().map(|&t| Some(t)).collect();
    match rule.infer(&known) {
        Some(expected) if expected == ty => None,
        Some(expected) => Some(expected.to_string()),
        None => Some("what a missing operand says".to_string()),
    }
}

fn described(class: AttrClass) -> &'static str {
    match class {
        AttrClass::Any => "anything",
        AttrClass::Unit => "`unit`",
        AttrClass::Bool => "`true` or `false`",
        AttrClass::Int => "an integer",
        AttrClass::String => "a string",
        AttrClass::Symbol | AttrClass::MaybeSymbol => "a symbol",
        AttrClass::Type => "a type",
        AttrClass::Array => "an array",
        AttrClass::IntArray => "an array of integers",
        AttrClass::Dict => "a dictionary",
        AttrClass::Constant => "an int, float or dense constant",
        AttrClass::Opaque => "an attribute of an upstream dialect",
    }
}
