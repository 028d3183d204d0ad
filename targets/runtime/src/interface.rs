//! What a kernel shows to its host: the entry point, the size of its thread groups, its parameters
//! by name.
//!
//! Extracted from a module's reflection attributes at any level below the front end; the same data,
//! as JSON, is written next to every output.

use crate::buffer::Buffer;
use crate::layout::{Layout, layout_of, struct_layout};
use caustic_dialects::agg::{as_buffer, cell_shift, private_cells};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::{COUNT, DataType, Entry, GROUPSHARED, Outer, Param, ParamKind, resource_type};
use caustic_dialects::signature::BACKWARD_DERIVATIVE;
use caustic_dialects::tex::TextureType;
use caustic_ir::nearest::nearest;
use caustic_ir::{Input, Module, Name, SymbolOp};
use std::collections::HashMap;
use std::fmt::Write;

/// A parameter, with the symbol by which code refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelParam {
    pub symbol: Name,
    /// The symbol by which a host knows it: that of the program, whatever passes made of it.
    pub declared: Name,
    pub name: Name,
    pub kind: ParamKind,
    /// Of an element of a buffer, or of the contents of a uniform.
    pub ty: DataType,
    pub layout: Layout,
    /// What sort of texture it is.
    pub texture: Option<TextureType>,
}

impl KernelParam {
    pub fn is_buffer(&self) -> bool {
        use ParamKind::{RwTexture, Sampler, Texture, Uniform, Unsupported};
        !matches!(self.kind, Uniform | Unsupported | Texture | RwTexture | Sampler)
    }
    /// Whether it is a pointer, of which bytes are counted and not elements.
    pub fn is_pointer(&self) -> bool {
        self.kind == ParamKind::Pointer
    }
    pub fn is_texture(&self) -> bool {
        matches!(self.kind, ParamKind::Texture | ParamKind::RwTexture)
    }
    pub fn is_sampler(&self) -> bool {
        self.kind == ParamKind::Sampler
    }
}

/// Memory that the threads of a group share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedMemory {
    pub symbol: Name,
    pub bytes: usize,
    /// How many cells private memory has; 1 of all other.
    pub cells: u64,
}

impl SharedMemory {
    /// The bytes from which on, and up to which, an address with that offset leads; `None` if it is
    /// in no cell.
    pub fn reach(&self, offset: u64) -> Option<(u64, u64)> {
        let shift = cell_shift(self.cells);
        let (cell, size) = (offset >> shift, self.bytes as u64 / self.cells.max(1));
        let start = cell * size;
        (cell < self.cells).then(|| (start + (offset - (cell << shift)), start + size))
    }
}

/// A kernel as its host sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelInterface {
    /// Symbol of the function to run, once per thread.
    pub entry: Name,
    /// Threads of a group, as they are launched.
    pub numthreads: [u32; 3],
    /// Threads of the program whose work a group does; more where one thread does that of several.
    pub covers: [u32; 3],
    /// In order of declaration; an array of resources is as many parameters in a row, called
    /// `name[k]`.
    pub params: Vec<KernelParam>,
    /// Parameters that have nothing but resources: paths into them lead to `params`.
    pub outer: Vec<Outer>,
    pub shared: Vec<SharedMemory>,
}

/// Why a module has no such kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterfaceError {
    /// No function of that name.
    NoSuchEntry {
        name: String,
        known: Vec<String>,
        /// The nearest name of what can be run.
        near: Option<String>,
    },
    /// No name was given and there is no entry point to take.
    NoEntry,
    /// No name was given and there are several to choose from.
    Ambiguous(Vec<String>),
    /// The function takes parameters, so it cannot be called by itself.
    TakesParameters(String),
    /// A parameter's type has no layout.
    NoLayout(String),
}

impl InterfaceError {
    /// What the host would change.
    pub fn input(&self) -> Option<Input> {
        match self {
            InterfaceError::Ambiguous(_) | InterfaceError::NoSuchEntry { .. } | InterfaceError::TakesParameters(_) => {
                Some(Input::Entry)
            }
            InterfaceError::NoEntry | InterfaceError::NoLayout(_) => None,
        }
    }
}

impl std::fmt::Display for InterfaceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InterfaceError::NoSuchEntry { name, known, near } => {
                match known.is_empty() {
                    true => write!(f, "the program has no function `{name}` that can be run"),
                    false => write!(f, "the program has no entry point `{name}`"),
                }?;
                match near {
                    Some(near) => write!(f, "; did you mean `{near}`?"),
                    None if known.is_empty() => Ok(()),
                    None => write!(f, "; it has {}", known.join(", ")),
                }
            }
            InterfaceError::NoEntry => f.write_str(
                "the program has no entry point: mark a function with `[shader(\"compute\")]` and `[numthreads(x, y, z)]`, \
                 or call it `computeMain`",
            ),
            InterfaceError::Ambiguous(known) => {
                write!(f, "the program has several entry points: {}", known.join(", "))
            }
            InterfaceError::TakesParameters(name) => {
                write!(f, "`{name}` takes parameters, so it cannot be run by itself")
            }
            InterfaceError::NoLayout(name) => write!(f, "the type of `{name}` has no place in memory"),
        }
    }
}

impl std::error::Error for InterfaceError {}

/// The functions of a module that have a backward derivative of the programmer's, and those
/// derivatives.
pub fn custom_backward_derivatives(module: &Module) -> Vec<(Name, Name)> {
    let given = |s: &SymbolOp| Some((s.name, s.attr(BACKWARD_DERIVATIVE)?.as_symbol()?));
    module.symbols().iter().filter_map(given).collect()
}

/// The functions that can be run by themselves: those without parameters.
fn runnable(module: &Module) -> impl Iterator<Item = &'static str> {
    let alone = |s: &&SymbolOp| s.function_type().is_some_and(|(inputs, _)| inputs.is_empty());
    module.symbols().iter().filter(alone).map(|s| s.name.as_str())
}

/// The memory of groups that an entry point uses; without one, all that there is.
fn memory_of_groups(module: &Module, entry: Option<Name>) -> Result<Vec<SharedMemory>, InterfaceError> {
    let mut declared: Vec<&SymbolOp> = module.symbols().iter().filter(|s| s.attr(GROUPSHARED).is_some()).collect();
    if let Some(entry) = entry.filter(|_| !declared.is_empty()) {
        let used = CallGraph::of_mentions(module).reachable([entry]);
        declared.retain(|s| used.contains(&s.name));
    }
    let memory = declared.into_iter().map(|symbol| {
        let contents = resource_type(symbol).and_then(as_buffer).map(|(elem, _)| elem);
        let layout = contents.and_then(|ty| layout_of(&ty));
        let layout = layout.ok_or_else(|| InterfaceError::NoLayout(symbol.name.to_string()))?;
        Ok(SharedMemory { symbol: symbol.name, bytes: layout.size as usize, cells: private_cells(symbol).unwrap_or(1) })
    });
    memory.collect()
}

/// The parameters of a module: the global ones, and those of the entry points that `takes` takes.
fn params_of(module: &Module, takes: impl Fn(Name) -> bool) -> Result<Vec<KernelParam>, InterfaceError> {
    let mut params = Vec::new();
    for symbol in module.symbols() {
        let Some(Param { name, kind, ty, entry }) = Param::of(symbol) else { continue };
        if entry.is_some_and(|e| !takes(e)) {
            continue;
        }
        let layout = layout_of(&ty).ok_or_else(|| InterfaceError::NoLayout(name.to_string()))?;
        let texture = resource_type(symbol).and_then(TextureType::of);
        match symbol.attr(COUNT).and_then(|a| a.as_int()) {
            None => {
                params.push(KernelParam { symbol: symbol.name, declared: symbol.name, name, kind, ty, layout, texture })
            }
            Some(count) => params.extend((0..count).map(|k| {
                let name = Name::new(&format!("{name}[{k}]"));
                KernelParam { symbol: symbol.name, declared: symbol.name, name, kind, ty: ty.clone(), layout, texture }
            })),
        }
    }
    Ok(params)
}

/// Those of them that have nothing but resources.
fn outer_of(module: &Module, takes: impl Fn(Name) -> bool) -> Vec<Outer> {
    let mut all: Vec<Outer> = Vec::new();
    for symbol in module.symbols() {
        let Some(outer) = Outer::of(symbol) else { continue };
        let taken = Param::of(symbol).is_some_and(|p| p.entry.is_none_or(&takes));
        if taken && all.iter().all(|o| o.name != outer.name) {
            all.push(outer);
        }
    }
    all
}

impl KernelInterface {
    /// The kernel `entry` of `module`. Without a name it is the only entry point, else
    /// `computeMain`. An ordinary function without parameters can be named too: it runs once.
    pub fn of_module(module: &Module, entry: Option<&str>) -> Result<KernelInterface, InterfaceError> {
        let entries: Vec<(Name, Entry)> =
            module.symbols().iter().filter_map(|s| Entry::of(s).map(|e| (s.name, e))).collect();
        let names = || entries.iter().map(|(n, _)| n.to_string()).collect::<Vec<_>>();
        let chosen = match (entry, entries.as_slice()) {
            (Some(name), _) => Name::new(name),
            (None, [(only, _)]) => *only,
            (None, several) => {
                let default = Name::new("computeMain");
                if module.get(default).is_some() {
                    default
                } else if several.is_empty() {
                    return Err(InterfaceError::NoEntry);
                } else {
                    return Err(InterfaceError::Ambiguous(names()));
                }
            }
        };
        let no_such = || {
            let all = entries.iter().map(|(name, _)| name.as_str()).chain(runnable(module));
            let near = nearest(chosen.as_str(), all).map(str::to_string);
            InterfaceError::NoSuchEntry { name: chosen.to_string(), known: names(), near }
        };
        let function = module.get(chosen).ok_or_else(no_such)?;
        let (inputs, _) = function.function_type().ok_or_else(no_such)?;
        if !inputs.is_empty() {
            return Err(InterfaceError::TakesParameters(chosen.to_string()));
        }
        let (numthreads, covers) = sizes(function);
        let params = params_of(module, |entry| entry == chosen)?;
        Ok(KernelInterface {
            entry: chosen,
            numthreads,
            covers,
            params,
            outer: outer_of(module, |entry| entry == chosen),
            shared: memory_of_groups(module, Some(chosen))?,
        })
    }

    /// All global parameters of a module, for calls of its functions one by one: there is no entry
    /// point.
    pub fn of_resources(module: &Module) -> Result<KernelInterface, InterfaceError> {
        let params = params_of(module, |_| false)?;
        let shared = memory_of_groups(module, None)?;
        let outer = outer_of(module, |_| false);
        Ok(KernelInterface { entry: Name::new(""), numthreads: [1; 3], covers: [1; 3], params, outer, shared })
    }

    /// The same with the groups that `module` has now: passes may have given them memory, or fewer
    /// threads.
    pub fn with_groups_of(&self, module: &Module) -> Result<KernelInterface, InterfaceError> {
        let (numthreads, covers) = module.get(self.entry).map_or((self.numthreads, self.covers), sizes);
        let entry = module.get(self.entry).map(|s| s.name);
        Ok(KernelInterface { shared: memory_of_groups(module, entry)?, numthreads, covers, ..self.clone() })
    }

    /// The same with the symbols and kinds that resources have in `module` now: passes may have
    /// taken arrays of them apart, and made buffers of pointers.
    pub fn with_resources_of(&self, module: &Module) -> KernelInterface {
        let named = module.symbols().iter().filter_map(|s| Some((Param::of(s)?.name, s.name)));
        let named: HashMap<Name, Name> = named.collect();
        let mut interface = self.clone();
        for param in interface.params.iter_mut().filter(|p| module.get(p.symbol).is_none()) {
            param.symbol = named.get(&param.name).copied().unwrap_or(param.symbol);
        }
        for param in interface.params.iter_mut().filter(|p| p.kind == ParamKind::Pointer) {
            if let Some(now) = module.get(param.symbol).and_then(Param::of) {
                param.kind = now.kind;
            }
        }
        interface
    }

    /// Memory for the groups that one thread of the host runs, one after the other.
    pub fn shared_memory(&self) -> Vec<Buffer> {
        self.shared.iter().map(|s| Buffer::new(&vec![0; s.bytes], s.bytes)).collect()
    }

    pub fn shared_of_symbol(&self, symbol: Name) -> Option<usize> {
        self.shared.iter().position(|s| s.symbol == symbol)
    }

    /// The parameter with that symbol; of an array of resources the first.
    pub fn param_of_symbol(&self, symbol: Name) -> Option<usize> {
        self.params.iter().position(|p| p.symbol == symbol)
    }

    /// Element `index` of an array of resources, the last one if there are fewer.
    pub fn element_of_symbol(&self, symbol: Name, index: i64) -> Option<usize> {
        let first = self.param_of_symbol(symbol)?;
        let count = self.params[first..].iter().take_while(|p| p.symbol == symbol).count();
        Some(first + usize::try_from(index).unwrap_or(usize::MAX).min(count - 1))
    }

    /// The reflection as JSON text.
    pub fn to_json(&self) -> String {
        let mut out = String::new();
        let [x, y, z] = self.numthreads;
        out.push_str("{\n  \"entry\": ");
        push_string(&mut out, &self.entry);
        let _ = write!(out, ",\n  \"numthreads\": [{x}, {y}, {z}]");
        if self.covers != self.numthreads {
            let [x, y, z] = self.covers;
            let _ = write!(out, ",\n  \"covers\": [{x}, {y}, {z}]");
        }
        out.push_str(",\n  \"parameters\": [");
        for (i, p) in self.params.iter().enumerate() {
            out.push_str(if i == 0 { "\n    {\"name\": " } else { ",\n    {\"name\": " });
            push_string(&mut out, &p.name);
            if p.declared != p.name {
                out.push_str(", \"symbol\": ");
                push_string(&mut out, &p.declared);
            }
            let _ = write!(
                out,
                ", \"kind\": \"{}\", \"size\": {}, \"align\": {}, \"type\": ",
                p.kind.name(),
                p.layout.size,
                p.layout.align
            );
            push_type(&mut out, &p.ty);
            if let Some(texture) = p.texture {
                let array = if texture.array { " array" } else { "" };
                let _ = write!(out, ", \"shape\": \"{}{array}\"", texture.shape.name());
            }
            out.push('}');
        }
        out.push_str(if self.params.is_empty() { "]\n}\n" } else { "\n  ]\n}\n" });
        out
    }
}

/// Threads of a group of an entry point: as launched, and of the program.
fn sizes(function: &caustic_ir::SymbolOp) -> ([u32; 3], [u32; 3]) {
    Entry::of(function).map_or(([1; 3], [1; 3]), |e| (e.numthreads, e.covers))
}

/// A JSON string.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn push_type(out: &mut String, ty: &DataType) {
    match ty {
        DataType::Scalar(s) => push_string(out, s.name()),
        DataType::Vector { len, elem } => {
            let _ = write!(out, "{{\"vector\": {len}, \"of\": \"{elem}\"}}");
        }
        DataType::Matrix { rows, cols, elem, by_columns } => {
            let layout = if *by_columns { ", \"layout\": \"column\"" } else { "" };
            let _ = write!(out, "{{\"matrix\": [{rows}, {cols}], \"of\": \"{elem}\"{layout}}}");
        }
        DataType::Array { len, elem } => {
            let _ = write!(out, "{{\"array\": {len}, \"of\": ");
            push_type(out, elem);
            out.push('}');
        }
        DataType::Resource(symbol) => {
            out.push_str("{\"resource\": ");
            push_string(out, symbol);
            out.push('}');
        }
        DataType::Struct { name, fields } => {
            out.push_str("{\"struct\": ");
            push_string(out, name);
            out.push_str(", \"fields\": [");
            let types: Vec<DataType> = fields.iter().map(|(_, t)| t.clone()).collect();
            let offsets = struct_layout::<DataType>(&types).map(|(_, offsets)| offsets).unwrap_or_default();
            for (i, (name, ty)) in fields.iter().enumerate() {
                out.push_str(if i == 0 { "{\"name\": " } else { ", {\"name\": " });
                push_string(out, name);
                if let Some(offset) = offsets.get(i) {
                    let _ = write!(out, ", \"offset\": {offset}");
                }
                out.push_str(", \"type\": ");
                push_type(out, ty);
                out.push('}');
            }
            out.push_str("]}");
        }
    }
}
