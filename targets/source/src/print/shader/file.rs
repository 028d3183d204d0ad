//! A program as a shader: extensions, structs, functions that are made, resources, functions of the
//! program, and the entry point, which is called `main`.

use super::super::place::ir_size;
use super::super::{Frame, Printer, Program, Text};
use super::exact::returns_computed;
use crate::ops::Accuracy;
use crate::tree::{Function, Passed};
use crate::types::Ty;
use caustic_dialects::agg::{StructType, as_buffer};
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::reflect::{COUNT, ParamKind, Scalar, resource_type};
use caustic_dialects::simt;
use caustic_ir::Diagnostic;
use caustic_runtime::interface::KernelParam;
use caustic_runtime::layout::layout_of;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The resources while they are declared.
#[derive(Default)]
pub(super) struct Resources {
    pub text: String,
    pub bindings: Vec<Value>,
    pub next: u32,
}

impl Printer<'_> {
    pub(in super::super) fn assemble_shader(&mut self, functions: &[Function]) -> Result<Program, Diagnostic> {
        let recursive = CallGraph::of_calls(self.module.ir).recursive();
        let entry = self.module.interface.entry;
        let mut bodies = String::new();
        for function in functions {
            if recursive.contains(&function.symbol) {
                self.loc = function.loc;
                return Err(self.refuse(format!("`{}`, which calls itself,", function.symbol)));
            }
            if function.symbol != entry {
                let _ = writeln!(bodies, "{}", self.function(function)?);
            }
        }
        let main = functions.iter().find(|f| f.symbol == entry).ok_or_else(|| self.internal("no entry point"))?;
        let returns = main.result.is_some();
        if self.in_words() {
            return self.assemble_variables(functions, bodies, main);
        }
        let mut main = self.function(main)?;
        if returns {
            let called = self.known(entry)?;
            main = format!("{main}\nvoid {MAIN}() {{\n    {called}();\n}}\n");
        }
        self.write_pointers()?;
        let (shared, cleared) = self.shared_resources()?;
        let start = format!("void {MAIN}() {{\n");
        let main = main.replacen(&start, &format!("{start}{cleared}"), 1);
        let mut resources = Resources::default();
        self.bound_resources(&mut resources)?;
        let structs = self.shader_structs()?;
        let mut out = String::from("#version 460\n");
        self.shading.extensions.insert("GL_EXT_scalar_block_layout");
        if !self.shading.floats.is_empty() {
            self.shading.extensions.insert("GL_EXT_spirv_intrinsics");
        }
        for extension in &self.shading.extensions {
            let _ = writeln!(out, "#extension {extension} : require");
        }
        // Zeros keep their signs, infinities and what is no number stay what they are, and what is
        // rounded is rounded to the nearest. Glslang keeps one width: that of `float`, if it is
        // used.
        let widths = &self.shading.floats;
        if let Some(width) = widths.get(&32).or_else(|| widths.last()) {
            for (capability, mode) in FLOAT_MODES {
                let _ = writeln!(
                    out,
                    "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [{capability}], {mode}, {width});"
                );
            }
        }
        let [x, y, z] = match self.module.interface.numthreads {
            [x, y, z] if self.in_a_row() => [x * y * z, 1, 1],
            threads => threads,
        };
        let _ = writeln!(out, "\nlayout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;");
        let made = self.shading.made.concat();
        let reaches = self.shading.reaches.join("\n");
        for part in [&structs, &made, &resources.text, &shared, &reaches] {
            if !part.is_empty() {
                let _ = write!(out, "\n{part}");
            }
        }
        let _ = write!(out, "\n{bodies}{main}");
        let described = vec![
            ("bindings", Value::Array(resources.bindings)),
            ("requires", json!(self.shading.extensions)),
            ("subgroup", self.told_subgroup()),
            ("accuracy", self.told_accuracy()),
        ];
        Ok(Program { text: out, launcher: "main".to_string(), names: self.told_names(), described })
    }

    /// What is before a function's body.
    pub(in super::super) fn shader_head(&mut self, f: &Frame<'_>) -> Text {
        let function = f.function;
        let (mut result, mut params) = (None, Vec::new());
        if let Some(ty) = &function.result {
            let exact = if returns_computed(function) { self.syntax().precise } else { "" };
            result = Some(format!("{exact}{}", self.shader_ty(ty, false)?));
        }
        for (var, passed) in &function.params {
            let ty = self.shader_ty(&function.vars[var.0].ty, false)?;
            let in_place = matches!(passed, Passed::InOut | Passed::Out);
            let exact = if f.exact.contains(var) && in_place { self.syntax().precise } else { "" };
            params.push(format!("{exact}{}", (self.syntax().passed)(&ty, f.name(*var), *passed)));
        }
        Ok((self.syntax().head)(result.as_deref(), &self.known(function.symbol)?, &params))
    }

    /// How many lanes a subgroup may have, if lanes exchange values: they are threads in a row, and
    /// those of one wave of the program are in one subgroup.
    fn told_subgroup(&self) -> Value {
        let threads: u32 = self.module.interface.numthreads.iter().product();
        if !self.shading.waves {
            return Value::Null;
        }
        let most = if threads > simt::WAVE_SIZE { json!(simt::WAVE_SIZE) } else { Value::Null };
        json!({ "least": threads.min(simt::WAVE_SIZE), "most": most })
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
        while let Some(&ty) = self.declared.get(at) {
            at += 1;
            let name = self.structure(ty)?;
            let _ = writeln!(out, "struct {name} {{");
            let (param, end) = (self.syntax().param, if self.in_words() { "," } else { ";" });
            // A struct has a field in this language.
            if Ty::Struct(ty).is_empty() {
                let _ = writeln!(out, "    {}{end}", param(self.word(Scalar::U32), "nothing"));
            }
            for index in 0..StructType(ty).num_fields() {
                if !self.field_ty(ty, index)?.is_empty() {
                    let (word, field) = (self.stored_field(ty, index)?, self.field_name(ty, index)?);
                    let _ = writeln!(out, "    {}{end}", param(&word, &field));
                }
            }
            if let Some(padding) = self.padding_field(ty)? {
                let word = self.shader_ty(&padding, true)?;
                let _ = writeln!(out, "    {}{end}", param(&word, &self.padding_name(ty)));
            }
            let _ = writeln!(out, "}}{}", if self.in_words() { "" } else { ";" });
        }
        Ok(out)
    }

    /// A name that none of the struct's fields has.
    fn padding_name(&self, ty: caustic_ir::Type) -> String {
        let fields = self.structs.get(&ty).map(|s| s.fields.clone()).unwrap_or_default();
        let mut names = (1..).map(|n| if n == 1 { "padding".to_string() } else { format!("padding_{n}") });
        names.find(|name| !fields.contains(name)).unwrap_or_default()
    }

    /// Memory of a group, and what makes it zero.
    fn shared_resources(&mut self) -> Result<(String, String), Diagnostic> {
        let (mut out, mut cleared) = (String::new(), String::new());
        let threads: u32 = self.module.interface.numthreads.iter().product();
        let index = self.shader()?.thread_number;
        for shared in &self.module.interface.shared {
            let ty = self.module.contents(shared.symbol).ok_or_else(|| self.internal("memory without a type"))?;
            if ty.is_empty() {
                continue;
            }
            if self.shading.worded.contains(&shared.symbol) {
                let (name, count) = (self.known(shared.symbol)?, shared.bytes.div_ceil(4));
                let _ = writeln!(out, "shared uint {name}[{count}];");
                let _ =
                    writeln!(cleared, "    for (uint at = {index}; at < {count}u; at += {threads}u) {name}[at] = 0u;");
                continue;
            }
            let (word, name) = (self.shader_ty(&ty, false)?, self.known(shared.symbol)?);
            let exact = if self.shading.exact.contains(&shared.symbol) { "precise " } else { "" };
            let _ = writeln!(out, "{exact}shared {word} {name};");
            if let Ty::Array(count, elem) = &ty {
                let zero = self.shader_zero(elem, true)?;
                let _ = writeln!(
                    cleared,
                    "    for (uint at = {index}; at < {count}u; at += {threads}u) {name}[at] = {zero};"
                );
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
        let written = self.shading.written.contains(&param.symbol);
        let binding = out.next;
        out.next += 1;
        if self.in_words() {
            let access = if written { "read_write" } else { "read" };
            let elem = self.updated_ty(&name, word);
            self.declare_variable(&mut out.text, binding, access, &name, &format!("array<{elem}>"));
            return self.told_buffer(out, (number, param, contents), (binding, bytes, written));
        }
        let base = name.trim_end_matches('_').to_string();
        let block = self.made_name(&format!("block {name}"), &format!("{base}_buffer")).0;
        let views = self.shading.views.iter().filter(|(_, (name, _))| *name == param.symbol);
        let views: Vec<(String, Ty)> = views.map(|(view, (_, elem))| (view.clone(), elem.clone())).collect();
        // What is written by one name is read by another.
        let aliased = if written && !views.is_empty() { ALIASED } else { "" };
        if !aliased.is_empty() {
            self.shading.extensions.insert("GL_EXT_spirv_intrinsics");
        }
        let (read, exact) = (
            if written { aliased } else { "readonly " },
            if self.shading.exact.contains(&param.symbol) { "precise " } else { "" },
        );
        let _ = writeln!(
            out.text,
            "layout(scalar, set = 0, binding = {binding}) {read}buffer {block} {{ {exact}{word} {name}[]; }};"
        );
        for (view, elem) in views {
            let block = self.made_name(&format!("block {view}"), &format!("{view}_buffer")).0;
            let word = self.shader_ty(&elem, true)?;
            let _ = writeln!(
                out.text,
                "layout(scalar, set = 0, binding = {binding}) {read}buffer {block} {{ {exact}{word} {view}[]; }};"
            );
        }
        self.told_buffer(out, (number, param, contents), (binding, bytes, written))
    }

    /// What the description says of a buffer, and its counter.
    fn told_buffer(
        &mut self,
        out: &mut Resources,
        (number, param, contents): (usize, &KernelParam, &Ty),
        (binding, bytes, written): (u32, bool, bool),
    ) -> Result<(), Diagnostic> {
        let stride = if bytes { 4 } else { ir_size(contents).unwrap_or(0) };
        out.bindings.push(json!({
            "name": &*param.name, "parameter": number, "kind": "storage", "set": 0, "binding": binding,
            "access": if written { "read_write" } else { "read" }, "layout": "scalar", "stride": stride,
            "multiple": if bytes { 4 } else { 1 },
            "majorness": "rows", "fields": self.told_fields(contents)?,
        }));
        if self.counted.contains(&param.symbol) {
            let (counter, binding) = (self.counter(param.symbol)?, out.next);
            out.next += 1;
            if self.in_words() {
                self.declare_variable(&mut out.text, binding, "read_write", &counter, "atomic<u32>");
            } else {
                let block = self.made_name(&format!("block {counter}"), &format!("{counter}_buffer")).0;
                let _ = writeln!(
                    out.text,
                    "layout(scalar, set = 0, binding = {binding}) buffer {block} {{ uint {counter}; }};"
                );
            }
            out.bindings.push(json!({
                "name": &*param.name, "parameter": number, "kind": "counter", "set": 0, "binding": binding,
                "access": "read_write", "layout": "scalar", "stride": 4,
            }));
        }
        Ok(())
    }

    /// A texture or a sampler: words, of which the first say what it is.
    fn bound_texture(&mut self, out: &mut Resources, number: usize, param: &KernelParam) -> Result<(), Diagnostic> {
        let (name, binding) = (self.known(param.symbol)?, out.next);
        out.next += 1;
        let block = self.made_name(&format!("block {name}"), &format!("{}_buffer", name.trim_end_matches('_'))).0;
        let written = self.shading.written.contains(&param.symbol);
        let read = if written { "" } else { "readonly " };
        let _ = writeln!(
            out.text,
            "layout(scalar, set = 0, binding = {binding}) {read}buffer {block} {{ uint {name}[]; }};"
        );
        out.bindings.push(json!({
            "name": &*param.name, "parameter": number, "kind": "storage", "set": 0, "binding": binding,
            "access": if written { "read_write" } else { "read" }, "layout": "texels", "stride": 4, "multiple": 4,
        }));
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

    /// All uniforms in one block, one after the other as C lays out a struct of them.
    fn uniform_block(&mut self, out: &mut Resources, uniforms: &[(usize, &KernelParam, Ty)]) -> Result<(), Diagnostic> {
        if uniforms.is_empty() {
            return Ok(());
        }
        let binding = out.next;
        out.next += 1;
        let (mut offset, mut members, mut told) = (0u64, String::new(), Vec::new());
        for (number, param, contents) in uniforms {
            let symbol = self.module.ir.get(param.symbol).ok_or_else(|| self.internal("no such resource"))?;
            let layout = resource_type(symbol).and_then(|ty| layout_of(&ty));
            let layout = layout.ok_or_else(|| self.refuse("a uniform without a layout"))?;
            offset = offset.next_multiple_of(layout.align.max(1));
            let (word, name) = (self.shader_ty(contents, true)?, self.known(param.symbol)?);
            let _ = match self.in_words() {
                true => writeln!(members, "    {name}: {word},"),
                false => writeln!(members, "    layout(offset = {offset}) {word} {name};"),
            };
            told.push((*number, param.name, offset, layout.size, self.told_fields(contents)?));
            offset += layout.size;
        }
        let kind = if offset > MOST_UNIFORM || self.in_words() { "storage" } else { "uniform" };
        let declared = if kind == "storage" { "readonly buffer" } else { "uniform" };
        let block = self.made_name("block of uniforms", "Uniforms").0;
        let in_words = uniforms.first().and_then(|(_, param, _)| self.uniform_in_words(param.symbol));
        if in_words.is_some() {
            let name = self.uniforms();
            self.declare_variable(&mut out.text, binding, "read", &name, "array<u32>");
        } else if self.in_words() {
            let _ = writeln!(out.text, "struct {block} {{\n{members}}}");
            let name = self.uniforms();
            self.declare_variable(&mut out.text, binding, "read", &name, &block);
        } else {
            let _ =
                writeln!(out.text, "layout(scalar, set = 0, binding = {binding}) {declared} {block} {{\n{members}}};");
        }
        for (number, name, at, size, fields) in told {
            out.bindings.push(json!({
                "name": &*name, "parameter": number, "kind": kind, "set": 0, "binding": binding, "access": "read",
                "layout": "scalar", "offset": at, "size": size, "multiple": 16, "majorness": "rows", "fields": fields,
            }));
        }
        Ok(())
    }
}

/// SPIR-V's decoration of variables in the same memory.
const ALIASED: &str = "spirv_decorate(20) ";

/// SPIR-V's SignedZeroInfNanPreserve and RoundingModeRTE, each with its capability.
const FLOAT_MODES: [(u32, u32); 2] = [(4466, 4461), (4467, 4462)];

/// Bytes that a uniform block has on every machine.
const MOST_UNIFORM: u64 = 16384;

/// The name of the entry point.
pub(in super::super) const MAIN: &str = "main";
