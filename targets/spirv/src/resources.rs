//! Resources: which binding each has, the variables through which code sees them, and what a host
//! is told of both.
//!
//! A buffer may be seen as elements of several types, each by a variable of its own at the same
//! binding. All uniforms are one block. Bindings are numbers in the order of declaration; what is
//! unused keeps its number.

use crate::assembly::{Id, Operand};
use crate::emit::Emit;
use crate::grammar::{Op, Word, decoration, storage};
use crate::types::{is_empty, is_native};
use caustic_dialects::agg::{self, StructType, as_array, as_buffer, ends_unsized};
use caustic_dialects::reflect::{COUNT, ParamKind, resource_type};
use caustic_ir::{Diagnostic, Name, Type};
use caustic_runtime::interface::KernelParam;
use caustic_runtime::layout::{layout_of, struct_layout};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

/// Bytes that a uniform block has on every machine.
const MOST_UNIFORM: u64 = 16384;

/// A uniform in the block: which member it is, where, and its type.
#[derive(Clone, Copy)]
struct Uniform {
    number: usize,
    member: u32,
    offset: u64,
    size: u64,
    ty: Type,
}

/// A variable that shows a buffer as elements of one type.
#[derive(Clone, Copy)]
pub struct View {
    pub variable: Id,
    block: Id,
}

#[derive(Default)]
pub struct Resources {
    bindings: FxHashMap<Name, u32>,
    counters: FxHashMap<Name, (u32, Option<Id>)>,
    /// In the order in which they were first used.
    views: Vec<((Name, Type), View)>,
    uniforms: FxHashMap<Name, Uniform>,
    uniform_binding: u32,
    uniform_size: u64,
    uniform_block: Option<Id>,
    written: FxHashSet<Name>,
    shared: FxHashMap<Name, Id>,
    /// Memory of the group that is words, since pointers lead to it or its floats are updated.
    worded: FxHashSet<Name>,
}

impl Resources {
    /// Notes that a buffer is written.
    pub fn write(&mut self, name: Name) {
        self.written.insert(name);
    }
}

impl Emit<'_> {
    /// What a resource holds: an element of a buffer, or the contents of a uniform.
    pub fn contents(&self, name: Name) -> Result<Type, Diagnostic> {
        let ty = self.ir.get(name).and_then(resource_type);
        let ty = ty.ok_or_else(|| self.internal("no such resource"))?;
        Ok(as_buffer(ty).map_or(ty, |(elem, _)| elem))
    }

    fn param(&self, name: Name) -> Option<&KernelParam> {
        self.interface.param_of_symbol(name).map(|k| &self.interface.params[k])
    }

    /// Whether a host binds it as bytes, which are words here, or its elements go on behind their
    /// struct.
    pub fn is_bytes(&self, name: Name) -> bool {
        use ParamKind::{ByteAddressBuffer, Pointer, RwByteAddressBuffer};
        self.param(name).is_some_and(|p| matches!(p.kind, ByteAddressBuffer | RwByteAddressBuffer | Pointer))
            || self.contents(name).is_ok_and(ends_unsized)
    }

    /// Whether it is words here whatever the program sees: bytes, a texture.
    pub fn is_words(&self, name: Name) -> bool {
        self.is_bytes(name) || self.param(name).is_some_and(|p| p.is_texture() || p.is_sampler())
    }

    pub fn is_shared(&self, name: Name) -> bool {
        self.interface.shared.iter().any(|s| s.symbol == name)
    }

    /// Whether memory of the group is words.
    pub fn is_worded(&self, name: Name) -> bool {
        self.resources.worded.contains(&name)
    }

    /// Memory of the group whose address is taken, which is seen as other types, or whose floats
    /// or small numbers are updated.
    fn find_worded(&self) -> FxHashSet<Name> {
        let mut found = FxHashSet::default();
        for symbol in self.ir.symbols() {
            let body = &symbol.body;
            for op in body.all_ops() {
                let changed = || {
                    let ty = body.ty(body.operand(op, 0));
                    ty.is_float() || ty.scalar_bits().is_some_and(|bits| bits < 32)
                };
                let buffer = if let Some(v) = agg::Address::cast(body, op) {
                    v.buffer(body)
                } else if let Some(v) = agg::View::cast(body, op) {
                    v.buffer(body)
                } else if let Some(v) = agg::AtomicRmw::cast(body, op).filter(|_| changed()) {
                    v.buffer(body)
                } else if let Some(v) = agg::AtomicCas::cast(body, op).filter(|_| changed()) {
                    v.buffer(body)
                } else {
                    continue;
                };
                let of = body.def_op(buffer).and_then(|def| agg::resource_name(body, def));
                found.extend(of.filter(|&name| self.is_shared(name)));
            }
        }
        found
    }

    /// Gives resources their bindings.
    pub fn number_resources(&mut self) -> Result<(), Diagnostic> {
        self.resources.worded = self.find_worded();
        let counted = self.counted();
        let (mut next, mut offset, mut member) = (0, 0u64, 0);
        let mut seen = FxHashSet::default();
        for (number, param) in self.interface.params.iter().enumerate() {
            let Some(symbol) = self.ir.get(param.symbol) else { continue };
            let Some(ty) = resource_type(symbol) else { continue };
            if !seen.insert(param.symbol) || symbol.attr(COUNT).is_some() {
                continue;
            }
            if param.kind == ParamKind::Uniform {
                if is_empty(ty) {
                    continue;
                }
                self.loc = symbol.loc;
                let layout = layout_of(&ty).ok_or_else(|| self.refuse("a uniform without a layout"))?;
                offset = offset.next_multiple_of(layout.align.max(1));
                let uniform = Uniform { number, member, offset, size: layout.size, ty };
                self.resources.uniforms.insert(param.symbol, uniform);
                offset += layout.size;
                member += 1;
            } else if as_buffer(ty).is_some() || param.is_texture() || param.is_sampler() {
                self.resources.bindings.insert(param.symbol, next);
                next += 1;
                if counted.contains(&param.symbol) {
                    self.resources.counters.insert(param.symbol, (next, None));
                    next += 1;
                }
            }
        }
        self.resources.uniform_binding = next;
        self.resources.uniform_size = offset;
        Ok(())
    }

    /// Buffers whose hidden counters code changes.
    fn counted(&self) -> FxHashSet<Name> {
        let mut found = FxHashSet::default();
        for symbol in self.ir.symbols() {
            let body = &symbol.body;
            for op in body.all_ops() {
                let Some(v) = agg::BufferCount::cast(body, op) else { continue };
                let of = body.def_op(v.buffer(body)).and_then(|def| agg::resource_name(body, def));
                found.extend(of);
            }
        }
        found
    }

    // ----- variables

    fn global(&mut self, class: Word, ty: Id, name: &str) -> Id {
        let pointer = self.out.pointer(class, ty);
        let id = self.out.distinct(Op::Variable, Some(pointer), vec![class.into()]);
        self.out.name(id, name);
        self.variables.push(id);
        id
    }

    fn bind(&mut self, variable: Id, binding: u32) {
        self.out.decorate(variable, decoration::DESCRIPTOR_SET, Some(0));
        self.out.decorate(variable, decoration::BINDING, Some(binding));
    }

    /// The variable that shows a buffer as elements of a type.
    pub fn view(&mut self, name: Name, elem: Type) -> Result<View, Diagnostic> {
        if let Some((_, view)) = self.resources.views.iter().find(|(key, _)| *key == (name, elem)) {
            return Ok(*view);
        }
        let binding = self.resources.bindings.get(&name).copied();
        let binding = binding.ok_or_else(|| self.refuse("such a resource"))?;
        let stride = self.size(elem)?.max(1);
        let held = self.memory_ty(elem)?;
        self.note_memory(elem, false);
        let array = self.out.distinct(Op::TypeRuntimeArray, None, vec![Operand::Id(held)]);
        self.out.decorate(array, decoration::ARRAY_STRIDE, Some(stride as u32));
        let block = self.out.distinct(Op::TypeStruct, None, vec![Operand::Id(array)]);
        self.out.decorate(block, decoration::BLOCK, None);
        self.out.decorate_member(block, 0, decoration::OFFSET, Some(0));
        let known = self.resource_name(name);
        let own = self.contents(name)? == elem && !self.is_bytes(name);
        let known = if own { known } else { format!("{known}.{elem}") };
        self.out.name(block, &format!("{known}.block"));
        let variable = self.global(storage::STORAGE_BUFFER, block, &known);
        self.bind(variable, binding);
        let view = View { variable, block };
        self.resources.views.push(((name, elem), view));
        Ok(view)
    }

    /// What the program calls a resource.
    pub fn resource_name(&self, name: Name) -> String {
        self.param(name).map_or(name, |p| p.name).to_string()
    }

    /// The pointer to the counter of a buffer.
    pub fn counter(&mut self, name: Name) -> Result<Id, Diagnostic> {
        let uint = self.out.int(32);
        let zero = self.out.word(0);
        let known = self.resources.counters.get(&name).copied();
        let (binding, variable) = known.ok_or_else(|| self.refuse("the counter of such a buffer"))?;
        let variable = match variable {
            Some(known) => known,
            None => {
                let block = self.out.distinct(Op::TypeStruct, None, vec![Operand::Id(uint)]);
                self.out.decorate(block, decoration::BLOCK, None);
                self.out.decorate_member(block, 0, decoration::OFFSET, Some(0));
                let title = format!("{}.count", self.resource_name(name));
                let made = self.global(storage::STORAGE_BUFFER, block, &title);
                self.bind(made, binding);
                self.resources.counters.insert(name, (binding, Some(made)));
                made
            }
        };
        let pointer = self.out.pointer(storage::STORAGE_BUFFER, uint);
        Ok(self.op(Op::AccessChain, pointer, &[variable, zero]))
    }

    /// The class of the block of uniforms.
    pub fn uniform_class(&self) -> Word {
        if self.resources.uniform_size > MOST_UNIFORM { storage::STORAGE_BUFFER } else { storage::UNIFORM }
    }

    /// The block of uniforms, which of its members a uniform is, and its type.
    pub fn uniform(&mut self, name: Name) -> Result<Option<(Id, u32, Type)>, Diagnostic> {
        let Some(found) = self.resources.uniforms.get(&name).copied() else { return Ok(None) };
        let block = match self.resources.uniform_block {
            Some(block) => block,
            None => self.declare_uniforms()?,
        };
        Ok(Some((block, found.member, found.ty)))
    }

    fn declare_uniforms(&mut self) -> Result<Id, Diagnostic> {
        let mut all: Vec<(Name, Uniform)> = self.resources.uniforms.iter().map(|(n, u)| (*n, *u)).collect();
        all.sort_by_key(|(_, u)| u.member);
        let class = self.uniform_class();
        let mut members = Vec::new();
        for (_, uniform) in &all {
            self.note_memory(uniform.ty, class == storage::UNIFORM);
            members.push(Operand::Id(self.memory_ty(uniform.ty)?));
        }
        let block = self.out.distinct(Op::TypeStruct, None, members);
        self.out.decorate(block, decoration::BLOCK, None);
        self.out.name(block, "Uniforms");
        for (name, uniform) in all {
            self.out.decorate_member(block, uniform.member, decoration::OFFSET, Some(uniform.offset as u32));
            if class == storage::STORAGE_BUFFER {
                self.out.decorate_member(block, uniform.member, decoration::NON_WRITABLE, None);
            }
            let title = self.resource_name(name);
            self.out.member_name(block, uniform.member, &title);
        }
        let variable = self.global(class, block, "uniforms");
        self.bind(variable, self.resources.uniform_binding);
        self.resources.uniform_block = Some(variable);
        Ok(variable)
    }

    /// The memory of a group.
    pub fn shared(&mut self, name: Name) -> Result<Id, Diagnostic> {
        if let Some(&known) = self.resources.shared.get(&name) {
            return Ok(known);
        }
        let ty = match self.is_worded(name) {
            true => {
                let (uint, count) = (self.out.int(32), self.shared_words(name)?);
                let count = self.out.word(count);
                self.out.unique(Op::TypeArray, None, vec![Operand::Id(uint), Operand::Id(count)])
            }
            false => {
                let contents = self.contents(name)?;
                self.ty(contents)?
            }
        };
        let id = self.global(storage::WORKGROUP, ty, &name);
        self.resources.shared.insert(name, id);
        Ok(id)
    }

    /// Words of memory of the group.
    pub fn shared_words(&self, name: Name) -> Result<u32, Diagnostic> {
        let bytes = self.size(self.contents(name)?)?;
        u32::try_from(bytes.div_ceil(4).max(1)).map_err(|_| self.refuse("memory as large as that"))
    }

    /// Makes the memory of the group zero, which is what it is when a group begins.
    pub fn clear_shared(&mut self) -> Result<(), Diagnostic> {
        let used = self.used_shared();
        if used.is_empty() {
            return Ok(());
        }
        let threads: u32 = self.interface.numthreads.iter().product();
        for name in used {
            let contents = self.contents(name)?;
            if is_empty(contents) {
                continue;
            }
            let variable = self.shared(name)?;
            let place = crate::memory::Place::whole(variable, storage::WORKGROUP, false, contents);
            let me = self.local_index()?;
            if self.is_worded(name) {
                let (count, step) = (self.shared_words(name)?, self.out.word(threads));
                let (count, zero) = (self.out.word(count), self.out.word(0));
                self.counted_loop((me, count, step), &mut |e, index| {
                    let word = e.element((name, Type::i32()), index)?;
                    e.store(word, zero)
                })?;
                continue;
            }
            match as_array(contents) {
                Some((count, _)) => {
                    let count = self.out.word(count as u32);
                    let step = self.out.word(threads);
                    self.counted_loop((me, count, step), &mut |e, index| {
                        let part = e.part(place, index, -1)?;
                        e.clear(part)
                    })?;
                }
                None => {
                    let (bool, zero) = (self.out.bool(), self.out.word(0));
                    let first = self.op(Op::IEqual, bool, &[me, zero]);
                    self.only_if(first, &mut |e| e.clear(place))?;
                }
            }
        }
        self.barrier("group");
        Ok(())
    }

    /// The memory of groups that functions name.
    fn used_shared(&self) -> Vec<Name> {
        let mut named = FxHashSet::default();
        for name in self.functions.keys() {
            let Some(symbol) = self.ir.get(*name) else { continue };
            named.extend(symbol.body.all_ops().filter_map(|op| agg::resource_name(&symbol.body, op)));
        }
        self.interface.shared.iter().map(|s| s.symbol).filter(|s| named.contains(s)).collect()
    }

    // ----- what a host is told

    /// All bindings, when everything is written.
    pub fn bindings(&mut self) -> Result<Vec<Value>, Diagnostic> {
        self.decorate_views();
        let mut told = Vec::new();
        let mut uniforms: Vec<(Name, Uniform)> = Vec::new();
        let mut seen = FxHashSet::default();
        for (number, param) in self.interface.params.iter().enumerate() {
            if !seen.insert(param.symbol) {
                continue;
            }
            if let Some(uniform) = self.resources.uniforms.get(&param.symbol) {
                uniforms.push((param.name, *uniform));
                continue;
            }
            let Some(&binding) = self.resources.bindings.get(&param.symbol) else {
                let empty = param.kind == ParamKind::Uniform;
                if !empty {
                    told.push(json!({ "name": &*param.name, "parameter": number, "kind": "unused" }));
                }
                continue;
            };
            let written = self.resources.written.contains(&param.symbol);
            let access = if written { "read_write" } else { "read" };
            if param.is_texture() || param.is_sampler() {
                let layout = if param.is_sampler() { "sampler" } else { "texels" };
                told.push(json!({
                    "name": &*param.name, "parameter": number, "kind": "storage", "set": 0, "binding": binding,
                    "access": access, "layout": layout, "stride": 4, "multiple": 4,
                }));
                continue;
            }
            let contents = self.contents(param.symbol)?;
            let bytes = self.is_bytes(param.symbol);
            let stride = if bytes { 4 } else { self.size(contents)? };
            // Words are seen of all buffers but those of larger numbers.
            let multiple = if bytes || !stride.is_multiple_of(4) { 4 } else { 1 };
            told.push(json!({
                "name": &*param.name, "parameter": number, "kind": "storage", "set": 0, "binding": binding,
                "access": access, "layout": "scalar", "stride": stride,
                "multiple": multiple, "majorness": "rows", "fields": fields(contents),
            }));
            if let Some((binding, _)) = self.resources.counters.get(&param.symbol) {
                told.push(json!({
                    "name": &*param.name, "parameter": number, "kind": "counter", "set": 0, "binding": binding,
                    "access": "read_write", "layout": "scalar", "stride": 4,
                }));
            }
        }
        let kind = if self.uniform_class() == storage::UNIFORM { "uniform" } else { "storage" };
        for (name, u) in uniforms {
            told.push(json!({
                "name": &*name, "parameter": u.number, "kind": kind, "set": 0,
                "binding": self.resources.uniform_binding, "access": "read", "layout": "scalar",
                "offset": u.offset, "size": u.size, "multiple": 16, "majorness": "rows", "fields": fields(u.ty),
            }));
        }
        Ok(told)
    }

    /// Says of variables what is known at the end: whether others show the same memory, and whether
    /// it is written.
    fn decorate_views(&mut self) {
        let views = self.resources.views.clone();
        for ((name, _), view) in &views {
            if views.iter().filter(|((other, _), _)| other == name).count() > 1 {
                self.out.decorate(view.variable, decoration::ALIASED, None);
            }
            if !self.resources.written.contains(name) {
                self.out.decorate_member(view.block, 0, decoration::NON_WRITABLE, None);
            } else if self.coherent {
                self.out.decorate_member(view.block, 0, decoration::COHERENT, None);
            }
        }
    }
}

/// Names and offsets of the fields of a struct.
fn fields(ty: Type) -> Value {
    let Some(s) = StructType::of(ty).filter(|_| !is_native(ty)) else { return json!([]) };
    let types: Vec<Type> = s.fields().map(|f| f.ty).collect();
    let offsets = struct_layout(&types).map(|(_, offsets)| offsets).unwrap_or_default();
    let told = s.fields().zip(offsets).filter(|(f, _)| !is_empty(f.ty));
    Value::Array(told.map(|(f, offset)| json!({ "name": f.name, "offset": offset })).collect())
}
