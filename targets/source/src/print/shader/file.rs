//! A program as a shader: extensions, structs, functions that are made, resources, functions of the
//! program, and the entry point, which is called `main`.

use super::super::place::ir_size;
use super::super::pruned::used;
use super::super::{Frame, Printer, Program, Text};
use super::compact::compact;
use super::exact::{is_plain, returns_computed};
use crate::lang::syntax::{Begin, Declared, Entry, mentions, renamed};
use crate::ops::Accuracy;
use crate::tree::{Function, Passed};
use crate::types::Ty;
use caustic_dialects::agg::{StructType, as_buffer};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::{COUNT, ParamKind, Scalar, resource_type};
use caustic_dialects::simt;
use caustic_ir::Diagnostic;
use caustic_runtime::interface::KernelParam;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The resources while they are declared.
#[derive(Default)]
pub(super) struct Resources {
    pub(super) text: String,
    /// What is declared otherwise: as parameters.
    pub(super) handed: Vec<super::handed::Handed>,
    pub(super) bindings: Vec<Value>,
    next: u32,
    /// How many are read, and how many are written.
    pub(super) registers: [u32; 2],
    /// What the entry point does first.
    pub(super) first: Vec<String>,
}

impl Resources {
    /// The next binding, of words.
    pub(super) fn binding(&mut self, written: bool) -> Declared<'static> {
        let (binding, register) = (self.next, self.registers[usize::from(written)]);
        self.next += 1;
        self.registers[usize::from(written)] += 1;
        Declared {
            name: "",
            block: "",
            word: "uint",
            binding,
            register,
            written,
            exact: false,
            aliased: false,
            single: false,
        }
    }

    /// The next binding, of a block.
    pub(super) fn block(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}

/// A text but for the functions of the program.
pub(in super::super) struct Parts {
    /// Structs, functions and constants that are made, resources, and functions that reach them.
    pub(in super::super) text: [String; 4],
    pub(in super::super) described: Vec<(&'static str, Value)>,
    /// What the entry point does first with the resources.
    first: String,
}

impl Printer<'_> {
    /// What stands before the functions, when these and what pointers need have been printed.
    pub(in super::super) fn shader_parts(&mut self) -> Result<Parts, Diagnostic> {
        let mut resources = Resources::default();
        self.bound_resources(&mut resources)?;
        let structs = self.shader_structs()? + &self.shading.packed.concat();
        let made = self.shading.made.iter().map(|text| compact(text)).collect::<String>() + &self.tables_text();
        let reaches: Vec<String> = self.shading.reaches.iter().map(|text| compact(text)).collect();
        let text = [structs, made, resources.text, reaches.join("\n")];
        let described = vec![
            ("bindings", Value::Array(resources.bindings)),
            ("requires", json!(self.shading.extensions)),
            ("subgroup", self.told_subgroup()),
            ("accuracy", self.told_accuracy()),
        ];
        Ok(Parts { text, described, first: resources.first.concat() })
    }

    /// Refuses functions that call themselves.
    pub(super) fn refuse_recursion(&mut self, functions: &[Function]) -> Result<(), Diagnostic> {
        let recursive = CallGraph::of_calls(self.module.ir).recursive();
        let Some(function) = functions.iter().find(|f| recursive.contains(&f.symbol)) else { return Ok(()) };
        self.loc = function.loc;
        Err(self.refuse(format!("`{}`, which calls itself,", function.symbol)))
    }

    pub(in super::super) fn assemble_shader(&mut self, functions: &[Function]) -> Result<Program, Diagnostic> {
        self.refuse_textures()?;
        if self.hands_over() {
            return self.assemble_handed(functions);
        }
        self.refuse_recursion(functions)?;
        let entry = self.module.interface.entry;
        let mut bodies = String::new();
        for function in functions {
            if function.symbol != entry {
                let _ = writeln!(bodies, "{}", self.function(function)?);
            }
        }
        let main = functions.iter().find(|f| f.symbol == entry).ok_or_else(|| self.internal("no entry point"))?;
        let ids = &main.ids;
        let (returns, called) = (main.result.is_some(), self.known(entry)?);
        let main = self.function(main)?;
        self.write_pointers()?;
        let (shared, cleared) = match self.in_words() {
            true => {
                self.uniform_barriers(functions)?;
                (self.group_variables()?, String::new())
            }
            false => self.shared_resources()?,
        };
        let mut parts = self.shader_parts()?;
        let threads = match self.module.interface.numthreads {
            [x, y, z] if self.in_a_row() => [x * y * z, 1, 1],
            threads => threads,
        };
        // What the entry point does first, and then.
        let name = match self.shader()?.syntax.entry_name {
            Some(name) => name.to_string(),
            None if returns => self.names.declare(MAIN),
            None => called.clone(),
        };
        let inside = match returns {
            true => format!("    {called}();\n}}\n"),
            false => main.split_once("{\n").map_or(String::new(), |(_, body)| body.to_string()),
        };
        if returns {
            let _ = writeln!(bodies, "{main}");
        }
        // The text may have words for what has a struct in the program.
        let rest = [&parts.text[1..].concat(), &parts.first, &bodies, &inside, &shared].map(|text| &**text).concat();
        parts.text[0] = used(&parts.text[0], &rest);
        let mut inside = [&parts.first[..], &cleared, &inside].concat();
        let [structs, made, resources, reaches] = &parts.text;
        let outside = [&made[..], reaches, &bodies].concat();
        let entry = Entry { name: &name, threads, inside: &inside, outside: &outside };
        let mut entry = (self.shader()?.syntax.entry)(&entry);
        for (id, called) in ids {
            let Some(variable) = (self.language.id)(*id).filter(|v| !mentions(&outside, v)) else { continue };
            let own = self.shader()?.syntax.ids.iter().any(|(name, ..)| *name == variable);
            let called = self.names.declare(called);
            if own && !mentions(&inside, &called) {
                inside = renamed(&inside, variable, &called);
                entry.head = renamed(&entry.head, variable, &called);
            }
        }
        let begin_text = self.shader()?.syntax.begin;
        let begin = Begin {
            extensions: &mut self.shading.extensions,
            floats: &self.shading.floats,
            aliased: self.shading.aliased,
            threads,
        };
        let mut out = begin_text(begin);
        for part in [structs, &entry.declared, made, resources, &shared, reaches] {
            if !part.is_empty() {
                let _ = write!(out, "{}{part}", if out.is_empty() { "" } else { "\n" });
            }
        }
        let first: String = entry.first.iter().map(|line| format!("    {line}\n")).collect();
        let _ = write!(out, "\n{bodies}{} {{\n{first}{inside}", entry.head);
        // Writing the entry point may have switched on more.
        let enabled = parts.described.iter_mut().filter(|(key, _)| *key == "requires");
        enabled.for_each(|(_, told)| *told = json!(self.shading.extensions));
        Ok(Program {
            text: out,
            launcher: name,
            names: self.told_names(),
            described: parts.described,
            warnings: std::mem::take(&mut self.warnings),
        })
    }

    /// What is before a function's body.
    pub(in super::super) fn shader_head(&mut self, f: &Frame<'_>) -> Text {
        let function = f.function;
        if let Some(most) = self.statements().most_params.filter(|&most| function.params.len() > most) {
            self.loc = function.loc;
            let (name, count) = (self.called(function.symbol).unwrap_or_default(), function.params.len());
            return Err(
                self.refuse(format!("`{name}`, a function of {count} parameters, of which {most} are allowed,"))
            );
        }
        let (mut result, mut params) = (None, Vec::new());
        if let Some(ty) = &function.result {
            let exact = returns_computed(function) && (is_plain(ty) || !self.makes_values());
            let exact = if exact { self.statements().precise } else { "" };
            result = Some(format!("{exact}{}", self.shader_ty(ty, false)?));
        }
        let defaults = self.defaults(function);
        for ((var, passed), default) in function.params.iter().zip(defaults) {
            let ty = self.var_ty(f, *var)?;
            let in_place = matches!(passed, Passed::InOut | Passed::Out);
            let exact = if f.exact.contains(var) && in_place { self.statements().precise } else { "" };
            let default = default.map_or(String::new(), |value| format!(" = {value}"));
            params.push(format!("{exact}{}{default}", (self.statements().passed)(&ty, f.name(*var), *passed)));
        }
        Ok((self.statements().head)(result.as_deref(), &self.known(function.symbol)?, &params))
    }

    /// How many lanes a subgroup may have, if lanes exchange values: they are threads in a row, and
    /// those of one wave of the program are in one subgroup.
    pub(super) fn told_subgroup(&self) -> Value {
        let threads: u32 = self.module.interface.numthreads.iter().product();
        if !self.shading.waves {
            return Value::Null;
        }
        let (least, most) = simt::lanes_of_groups(threads);
        json!({ "least": least, "most": most })
    }

    pub(super) fn told_accuracy(&self) -> Value {
        let told = |accuracy: &Accuracy| match *accuracy {
            Accuracy::Exact => json!({}),
            Accuracy::Ulps(n) => json!({ "ulps": n }),
            Accuracy::Absolute(bits) => json!({ "absolute": 2f64.powi(-(bits as i32)) }),
            Accuracy::Either(n, bits) => json!({ "ulps": n, "absolute": 2f64.powi(-(bits as i32)) }),
        };
        let all: Map<String, Value> = self.shading.accuracy.iter().map(|(op, a)| (op.to_string(), told(a))).collect();
        Value::Object(all)
    }

    pub(super) fn shader_structs(&mut self) -> Text {
        let mut out = String::new();
        let mut at = 0;
        // Declaring one may name others.
        loop {
            // Arrays of the structs before, and those that the next one has.
            self.shading.arrays.iter().filter(|(before, _)| *before == at).for_each(|(_, text)| out += text);
            let Some(&ty) = self.declared.get(at) else { return Ok(out) };
            at += 1;
            let name = self.structure(ty)?;
            let (param, mut members) = (self.statements().param, Vec::new());
            // A struct has a field in most languages.
            if Ty::Struct(ty).is_empty() && !self.shader()?.syntax.empty_structs {
                members.push(param(self.word(Scalar::U32), "nothing"));
            }
            for index in 0..StructType(ty).num_fields() {
                if !self.field_ty(ty, index)?.is_empty() {
                    let (word, field) = (self.stored_field(ty, index)?, self.field_name(ty, index)?);
                    members.push(param(&word, &field));
                }
            }
            if let Some(padding) = self.padding_field(ty)? {
                let word = self.shader_ty(&padding, true)?;
                members.push(param(&word, &self.padding_name(ty)));
            }
            out += &(self.statements().structure)(&name, &members);
        }
    }

    /// Memory of a group, and what makes it zero.
    pub(super) fn shared_resources(&mut self) -> Result<(String, String), Diagnostic> {
        let (mut out, mut cleared) = (String::new(), String::new());
        let threads: u32 = self.module.interface.numthreads.iter().product();
        let (index, memory) = (self.shader()?.thread_number, &self.shader()?.syntax.memory);
        let shared_word = memory.shared;
        for shared in &self.module.interface.shared {
            let ty = self.module.contents(shared.symbol).ok_or_else(|| self.internal("memory without a type"))?;
            if ty.is_empty() {
                continue;
            }
            if self.shading.worded.contains(&shared.symbol) {
                let (name, count) = (self.known(shared.symbol)?, shared.bytes.div_ceil(4));
                let _ = writeln!(out, "{shared_word} uint {name}[{count}];");
                let _ =
                    writeln!(cleared, "    for (uint at = {index}; at < {count}u; at += {threads}u) {name}[at] = 0u;");
                continue;
            }
            let (bare, name) = (self.shading.bare.is_shared(shared.symbol), self.known(shared.symbol)?);
            let declared = match bare {
                true => (self.statements().param)(&self.bare_ty(&ty)?, &name),
                false => format!("{} {name}", self.shader_ty(&ty, false)?),
            };
            let exact = if memory.precise && self.shading.exact.contains(&shared.symbol) { "precise " } else { "" };
            let _ = writeln!(out, "{exact}{shared_word} {declared};");
            if let Ty::Array(count, elem) = &ty {
                let zero = self.shader_zero(elem, true)?;
                let item = if bare { format!("{name}[at]") } else { self.item(&name, &ty, "at") };
                let _ =
                    writeln!(cleared, "    for (uint at = {index}; at < {count}u; at += {threads}u) {item} = {zero};");
            } else {
                let zero = self.shader_zero(&ty, false)?;
                let _ = writeln!(cleared, "    if ({index} == 0u) {name} = {zero};");
            }
        }
        if !cleared.is_empty() {
            let _ = writeln!(cleared, "    {}", self.shader()?.waiting.group_barrier);
        }
        Ok((out, cleared))
    }

    pub(super) fn bound_resources(&mut self, out: &mut Resources) -> Result<(), Diagnostic> {
        let interface = self.module.interface;
        let mut uniforms: Vec<(usize, &KernelParam, Ty)> = Vec::new();
        let mut seen = FxHashSet::default();
        for (number, param) in interface.params.iter().enumerate() {
            let Some(symbol) = self.module.ir.get(param.symbol) else { continue };
            let Some(ty) = resource_type(symbol) else { continue };
            let several = symbol.attr(COUNT).is_some();
            if !seen.insert(param.symbol) {
                continue;
            }
            if self.shading.textures.contains(&param.symbol) && !several {
                self.bound_texture(out, number, param)?;
                continue;
            }
            let contents =
                self.module.contents(param.symbol).ok_or_else(|| self.refuse(format!("a resource of {ty}")))?;
            match param.kind {
                _ if several => self.unused(out, number, param)?,
                ParamKind::Uniform if contents.is_empty() => {}
                ParamKind::Uniform => uniforms.push((number, param, contents)),
                _ if as_buffer(ty).is_some() => self.bound_buffer(out, number, param, &contents)?,
                _ => self.unused(out, number, param)?,
            }
        }
        self.uniform_block(out, &uniforms)
    }

    /// A resource that the text cannot declare, and does not use: what uses it was refused.
    fn unused(&mut self, out: &mut Resources, number: usize, param: &KernelParam) -> Result<(), Diagnostic> {
        out.bindings.push(json!({ "name": &*param.name, "parameter": number, "kind": "unused" }));
        Ok(())
    }

    fn bound_buffer(
        &mut self,
        out: &mut Resources,
        number: usize,
        param: &KernelParam,
        contents: &Ty,
    ) -> Result<(), Diagnostic> {
        let name = self.known(param.symbol)?;
        let bytes = self.is_bytes(param.symbol);
        let word = if bytes { self.word(Scalar::U32).to_string() } else { self.shader_ty(contents, true)? };
        let word = self.updated_ty(&name, word);
        let written = self.is_writable(param);
        let exact = self.shading.exact.contains(&param.symbol);
        let binding = out.binding(written);
        let views = self.shading.views.iter().filter(|(_, (name, _))| *name == param.symbol);
        let views: Vec<(String, Ty)> = views.map(|(view, (_, elem))| (view.clone(), elem.clone())).collect();
        // What is written by one name is read by another.
        let aliased = written && !views.is_empty();
        self.shading.aliased |= aliased;
        let of = Declared { word: &word, written, exact, aliased, ..binding };
        self.declare(out, &name, name.trim_end_matches('_'), of)?;
        for (view, elem) in views {
            let word = self.shader_ty(&elem, true)?;
            self.declare(out, &view, &view, Declared { word: &word, ..of })?;
        }
        self.told_buffer(out, (number, param, contents), (of, bytes))
    }

    /// What the description says of a buffer, and its counter.
    fn told_buffer(
        &mut self,
        out: &mut Resources,
        (number, param, contents): (usize, &KernelParam, &Ty),
        (of, bytes): (Declared<'_>, bool),
    ) -> Result<(), Diagnostic> {
        let stride = match bytes {
            // How many there are is told.
            true if self.hands_over() => 1,
            true => 4,
            false => ir_size(contents).unwrap_or(0),
        };
        out.bindings.push(json!({
            "name": &*param.name, "parameter": number, "kind": "storage", "set": 0, "binding": of.binding,
            "access": if of.written { "read_write" } else { "read" }, "layout": "scalar", "stride": stride,
            "multiple": if bytes { 4 } else { 1 },
            "majorness": "rows", "fields": self.told_fields(contents)?,
        }));
        self.told_register(out, of);
        if self.counted.contains(&param.symbol) {
            let (counter, binding) = (self.counter(param.symbol)?, out.binding(true));
            // A counter is always updated.
            self.note_updated(&counter);
            let word = self.updated_ty(&counter, self.word(Scalar::U32).to_string());
            let single = self.shader()?.syntax.memory.single;
            self.declare(out, &counter, &counter, Declared { word: &word, single, ..binding })?;
            out.bindings.push(json!({
                "name": &*param.name, "parameter": number, "kind": "counter", "set": 0, "binding": binding.binding,
                "access": "read_write", "layout": "scalar", "stride": 4,
            }));
            self.told_register(out, binding);
        }
        Ok(())
    }

    /// Whether a resource is declared as one that is written: as it is in the program, where its
    /// register follows from that.
    fn is_writable(&self, param: &KernelParam) -> bool {
        use ParamKind::{AppendBuffer, ConsumeBuffer, Pointer, RwBuffer, RwByteAddressBuffer, RwTexture};
        let by_program = self.language.shader.is_some_and(|s| s.syntax.memory.register.is_some());
        let writable = [RwBuffer, AppendBuffer, ConsumeBuffer, Pointer, RwByteAddressBuffer, RwTexture];
        self.shading.written.contains(&param.symbol) || by_program && writable.contains(&param.kind)
    }

    /// Says the register of what was bound last.
    fn told_register(&self, out: &mut Resources, of: Declared<'_>) {
        let register = self.language.shader.and_then(|s| s.syntax.memory.register);
        if let (Some(register), Some(Value::Object(told))) = (register, out.bindings.last_mut()) {
            told.insert("register".to_string(), json!(register(of.register, of.written)));
        }
    }

    /// Declares a buffer; its block is called as `base` is.
    fn declare(&mut self, out: &mut Resources, name: &str, base: &str, of: Declared<'_>) -> Result<(), Diagnostic> {
        let syntax = self.shader()?.syntax;
        let block = match syntax.memory.blocks {
            true => self.made_name(&format!("block {name}"), &format!("{base}_buffer")).0,
            false => String::new(),
        };
        self.declared_buffer(out, &Declared { name, block: &block, ..of })
    }

    /// A texture or a sampler: words, of which the first say what it is.
    fn bound_texture(&mut self, out: &mut Resources, number: usize, param: &KernelParam) -> Result<(), Diagnostic> {
        let name = self.known(param.symbol)?;
        let written = self.is_writable(param);
        let of = out.binding(written);
        let word = self.updated_ty(&name, self.word(Scalar::U32).to_string());
        self.declare(out, &name, name.trim_end_matches('_'), Declared { word: &word, ..of })?;
        let binding = of.binding;
        let layout = if param.is_sampler() { "sampler" } else { "texels" };
        // Of words, a text that is told lengths is told bytes.
        let stride = if self.hands_over() { 1 } else { 4 };
        out.bindings.push(json!({
            "name": &*param.name, "parameter": number, "kind": "storage", "set": 0, "binding": binding,
            "access": if written { "read_write" } else { "read" }, "layout": layout, "stride": stride, "multiple": 4,
        }));
        self.told_register(out, of);
        Ok(())
    }

    /// Offsets of the fields of a struct.
    pub(super) fn told_fields(&mut self, ty: &Ty) -> Result<Value, Diagnostic> {
        let Ty::Struct(of) = ty else { return Ok(json!([])) };
        let mut all = Vec::new();
        for index in 0..StructType(*of).num_fields() {
            let field = self.field_ty(*of, index)?;
            if !field.is_empty() {
                let (name, offset) = (self.field_name(*of, index)?, self.field_offset(*of, index)?);
                all.push(json!({ "name": name, "offset": offset }));
            }
        }
        Ok(Value::Array(all))
    }
}

/// The name of an entry point that has to have another one than its function.
pub(super) const MAIN: &str = "main";
