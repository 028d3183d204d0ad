//! A program as a kernel that a machine runs in many threads: a struct of the program's resources
//! whose methods are the program's functions, and the kernel, whose parameters are the resources.
//!
//! Functions reach resources by their names, as in the program, though each thread is given them
//! anew. The kernel's list of parameters is that of kernels in PTX, so that one launcher serves
//! both.

use super::place::ir_size;
use super::{Printer, Text};
use crate::names::Scope;
use crate::tree::Function;
use crate::types::Ty;
use caustic_dialects::agg::{as_buffer, cell_shift};
use caustic_dialects::reflect::{COUNT, ParamKind, Scalar, resource_type};
use caustic_ir::Diagnostic;
use caustic_runtime::interface::KernelParam;
use caustic_runtime::texture::{SAMPLER_BYTES, TEXTURE_BYTES};
use rustc_hash::FxHashSet;
use serde_json::{Value, json};
use std::fmt::Write;

use super::Program;

/// Bytes that a group may share, and those of a kernel's list of parameters.
const MOST_SHARED: usize = 48 << 10;
const MOST_PARAMETERS: u64 = 32764;

/// What one line of text may be wide.
const WIDTH: usize = 110;

/// The resources while they are declared.
#[derive(Default)]
pub(super) struct Resources {
    /// Members of the struct, and what they begin with.
    pub(super) members: String,
    values: Vec<String>,
    /// Memory of a group.
    shared: String,
    cleared: String,
    /// Parameters of the kernel.
    params: Vec<String>,
    /// For each parameter of the program its offset and size in the kernel's list, and whether the
    /// address of a counter is in it.
    places: Vec<(u64, u64)>,
    counters: Vec<bool>,
    /// The bytes of pointers, which are no multiple of their elements' size.
    pointers: Vec<(usize, String)>,
    /// The kernel's variable of the struct.
    program: String,
}

/// How the kernel's parameter for a resource may be called.
struct Given<'a> {
    name: String,
    /// The names that parameters have.
    scope: &'a mut Scope,
    /// Whether the resource is an element of an array.
    in_array: bool,
}

/// How a resource comes to the kernel.
#[derive(Default)]
struct Taken {
    /// The member's type; there is none for what holds nothing.
    member: Option<String>,
    value: String,
    /// Of the parameters.
    size: u64,
    align: u64,
    /// The parameter that counts elements or bytes.
    count: String,
}

impl Printer<'_> {
    pub(super) fn assemble_kernel(&mut self, functions: &[Function], prefix: &str) -> Result<Program, Diagnostic> {
        self.need("numbers");
        let mut bodies = String::new();
        for function in functions {
            let text = self.function(function)?;
            text.lines().for_each(|line| {
                let _ = if line.is_empty() { writeln!(bodies) } else { writeln!(bodies, "    {line}") };
            });
            bodies.push('\n');
        }
        let mut resources = Resources::default();
        self.shared_memory(&mut resources)?;
        self.declare_resources(&mut resources)?;
        if self.snippets.contains("pointee") {
            bodies.push_str(&self.pointee(&resources)?);
        }
        while bodies.ends_with("\n\n") {
            bodies.pop();
        }
        let kernel = self.kernel(&resources)?;
        let structs = self.structs()?;
        let program = self.names.declare("Program");
        let kernel = kernel.replace(PROGRAM, &program);
        let mut rest = String::new();
        for part in [&structs, &self.tables_text(), &resources.shared] {
            if !part.is_empty() {
                let _ = write!(rest, "\n{part}");
            }
        }
        let gap = if resources.members.is_empty() { "" } else { "\n" };
        let _ = write!(
            rest,
            "\n// What is bound to the program, and its functions.\nstruct {program} {{\n{}{gap}{bodies}}};\n\n{kernel}\n}}  // namespace {prefix}\n",
            resources.members
        );
        let out = format!("namespace {prefix} {{\n\n{}{rest}", self.header(&rest));
        let entry = self.known(self.module.interface.entry)?;
        Ok(Program {
            text: out,
            launcher: format!("{prefix}::{entry}"),
            names: self.told_names(),
            described: self.described(&resources, &entry, &program),
            warnings: Vec::new(),
        })
    }

    /// What a launcher is told besides the interface.
    fn described(&self, resources: &Resources, entry: &str, program: &str) -> Vec<(&'static str, Value)> {
        let places: Vec<Value> = resources.places.iter().map(|(offset, size)| json!([offset, size])).collect();
        let shared: usize = self.module.interface.shared.iter().map(|s| s.bytes).sum();
        vec![
            ("entry", json!(entry)),
            ("program", json!(program)),
            ("arguments", json!(places)),
            ("counters", json!(resources.counters)),
            ("shared_bytes", json!(shared)),
            ("accuracy", json!(self.inexact)),
        ]
    }

    fn shared_memory(&mut self, resources: &mut Resources) -> Result<(), Diagnostic> {
        let interface = self.module.interface;
        let bytes: usize = interface.shared.iter().map(|s| s.bytes).sum();
        for shared in &interface.shared {
            let symbol = self.module.ir.get(shared.symbol).ok_or_else(|| self.internal("memory without a symbol"))?;
            self.loc = symbol.loc;
            if bytes > MOST_SHARED {
                return Err(self.refuse(format!("memory of {bytes} bytes for a group (there are {MOST_SHARED})")));
            }
            let ty = self.module.contents(shared.symbol).ok_or_else(|| self.internal("memory without a type"))?;
            if ty.is_empty() {
                continue;
            }
            self.need("clear");
            let (word, name) = (self.ty(&ty)?, self.known(shared.symbol)?);
            let _ = writeln!(resources.shared, "static __shared__ {word} {name};");
            let _ = writeln!(resources.cleared, "    clear({name});");
        }
        Ok(())
    }

    /// The members that the program's resources are, and the parameters that they come in.
    pub(super) fn declare_resources(&mut self, resources: &mut Resources) -> Result<(), Diagnostic> {
        let (interface, ir) = (self.module.interface, self.module.ir);
        let mut scope = self.names.clone();
        resources.program = scope.declare("program");
        let mut end = 0u64;
        let mut seen = FxHashSet::default();
        let mut all_bytes = String::new();
        for (number, param) in interface.params.iter().enumerate() {
            let symbol = ir.get(param.symbol).ok_or_else(|| self.internal("a parameter without a symbol"))?;
            self.loc = symbol.loc;
            let of = resource_type(symbol).ok_or_else(|| self.internal("a parameter that is no resource"))?;
            let ty = self.module.contents(param.symbol);
            let ty = ty.ok_or_else(|| self.refuse(format!("a resource of {of}")))?;
            let name = self.known(param.symbol)?;
            let count = symbol.attr(COUNT).and_then(|a| a.as_int());
            let first = interface.params.iter().position(|p| p.symbol == param.symbol).unwrap_or(number);
            let wanted = if count.is_some() { format!("{name}_{}", number - first) } else { name.clone() };
            // A parameter may be called as the member that it becomes.
            let given = if count.is_some() { scope.declare(&wanted) } else { wanted };
            let in_array = count.is_some();
            let given = Given { name: given, scope: &mut scope, in_array };
            let Taken { member, value, size, align, count: bytes_given } =
                self.resource(param, &ty, given, resources)?;
            let offset = end.next_multiple_of(align.max(1));
            resources.places.push((offset, size));
            end = offset + size;
            let Some(member) = member else { continue };
            let bytes_given = (param.is_pointer() && self.snippets.contains("pointee")).then_some(bytes_given);
            let bytes_given = bytes_given.map(|given| format!("int64_t({given})"));
            match count {
                None => {
                    let _ = writeln!(resources.members, "    {member}{name};");
                    resources.values.push(value);
                    if let Some(given) = bytes_given {
                        let bytes = scope.declare(&format!("{name}_bytes"));
                        let _ = writeln!(resources.members, "    int64_t {bytes};");
                        resources.values.push(given);
                        resources.pointers.push((number, bytes));
                    }
                }
                Some(count) => {
                    let k = (number - first) as i64;
                    if seen.insert(param.symbol) {
                        let _ = writeln!(resources.members, "    {member}{name}[{count}];");
                        resources.values.push(String::new());
                        if bytes_given.is_some() {
                            all_bytes = scope.declare(&format!("{name}_bytes"));
                            let _ = writeln!(resources.members, "    int64_t {all_bytes}[{count}];");
                            resources.values.push(String::new());
                        }
                    }
                    resources.pointers.extend(bytes_given.as_ref().map(|_| (number, format!("{all_bytes}[{k}]"))));
                    // The lists stand last.
                    let given = [Some(value), bytes_given].into_iter().flatten().collect::<Vec<_>>();
                    let lists = resources.values.iter_mut().rev().take(given.len());
                    lists.zip(given.into_iter().rev()).for_each(|(list, given)| element_value(list, k, count, &given));
                }
            }
        }
        if end > MOST_PARAMETERS {
            return Err(self.refuse(format!("{end} bytes of parameters (a kernel takes {MOST_PARAMETERS})")));
        }
        Ok(())
    }

    /// How a resource is given to the kernel.
    fn resource(
        &mut self,
        param: &KernelParam,
        ty: &Ty,
        given: Given<'_>,
        resources: &mut Resources,
    ) -> Result<Taken, Diagnostic> {
        let Given { name: given, scope, in_array } = given;
        let mut counter = None;
        let taken = if matches!(param.kind, ParamKind::Uniform) && ty.is_empty() {
            resources.params.push("char".to_string());
            Taken { size: 1, align: 1, ..Taken::default() }
        } else if param.is_buffer() {
            self.need("buffer");
            let word = self.ty(ty)?;
            let what = if param.is_pointer() { "bytes" } else { "count" };
            let count = scope.declare(&format!("{given}_{what}"));
            let elem = self.module.ir.get(param.symbol).and_then(resource_type).and_then(as_buffer);
            let by_element = elem.is_some_and(|(elem, _)| self.counted_elements.contains(&elem));
            if !param.is_pointer() && (by_element || self.counted.contains(&param.symbol)) {
                counter = Some(scope.declare(&format!("{given}_counter")));
            }
            resources.params.push(format!("{word}* {given}"));
            resources.params.push(format!("uint64_t {count}"));
            resources.params.extend(counter.iter().map(|counter| format!("uint32_t* {counter}")));
            let elements = if param.is_pointer() { format!("{count} / sizeof({word})") } else { count.clone() };
            let value = format!("{{{given}, int64_t({elements}), {}}}", counter.as_deref().unwrap_or("nullptr"));
            let size = if counter.is_some() { 24 } else { 16 };
            Taken { member: Some(format!("Buffer<{word}> ")), value, size, align: 8, count }
        } else {
            let (size, align) = match param.kind {
                ParamKind::Unsupported => return Err(self.refuse(format!("the parameter `{}`", param.name))),
                ParamKind::Uniform => (param.layout.size.max(1), param.layout.align),
                ParamKind::Sampler => (SAMPLER_BYTES, 1),
                _ => (TEXTURE_BYTES, 8),
            };
            let word = self.ty(ty)?;
            // What is large is read where it is.
            let small = ty.is_scalar() || ty.is_vector() || in_array;
            let (held, passed) = match small {
                true => (word.clone(), word),
                false => (format!("const {word}&"), format!("const __grid_constant__ {word}")),
            };
            // A byte that a host writes for a truth value may be any.
            let (passed, value) = match ty.is_scalar() && ty.scalar() == Some(Scalar::Bool) {
                true => ("uint8_t".to_string(), format!("{given} != 0")),
                false => (passed, given.clone()),
            };
            resources.params.push(format!("{passed} {given}"));
            Taken { member: Some(format!("{held} ")), value, size, align, count: String::new() }
        };
        resources.counters.push(counter.is_some());
        Ok(taken)
    }

    /// The method that finds what an address leads to.
    fn pointee(&mut self, resources: &Resources) -> Text {
        let interface = self.module.interface;
        let mut cases = String::new();
        let mut case = |number: usize, place: String| {
            let _ = writeln!(cases, "            case {}: return reached(address, {place});", number + 1);
        };
        for (number, param) in interface.params.iter().enumerate().filter(|(_, p)| p.is_buffer()) {
            let mut name = self.known(param.symbol)?;
            if self.module.ir.get(param.symbol).is_some_and(|s| s.attr(COUNT).is_some()) {
                let first = interface.param_of_symbol(param.symbol).unwrap_or(number);
                let _ = write!(name, "[{}]", number - first);
            }
            let size = match resources.pointers.iter().find(|(n, _)| *n == number) {
                Some((_, bytes)) => bytes.clone(),
                None => format!("{name}.size * {}", param.layout.size.max(1)),
            };
            case(number, format!("reinterpret_cast<char*>({name}.data), {size}"));
        }
        for (number, shared) in interface.shared.iter().enumerate() {
            let ty = self.module.contents(shared.symbol).filter(|ty| !ty.is_empty());
            if ty.as_ref().and_then(ir_size).is_none() {
                continue;
            }
            let name = self.known(shared.symbol)?;
            let cells = match shared.cells {
                0 | 1 => String::new(),
                cells => format!(", {cells}, {}", cell_shift(cells)),
            };
            case(interface.params.len() + number, format!("reinterpret_cast<char*>(&{name}), sizeof {name}{cells}"));
        }
        Ok(format!(
            "    {}Bytes pointee(int64_t address) {{\n        switch (uint64_t(address) >> {}) {{\n{cases}            default: return {{}};\n        }}\n    }}\n",
            self.language.function,
            caustic_dialects::agg::OFFSET_BITS
        ))
    }

    /// The kernel, for a struct whose name is not known yet.
    fn kernel(&mut self, resources: &Resources) -> Text {
        let interface = self.module.interface;
        let entry = self.known(interface.entry)?;
        let [x, y, z] = interface.numthreads;
        let threads = x * y * z;
        let head = format!("extern \"C\" __global__ void __launch_bounds__({threads}) {entry}(");
        let params = list(&head, &resources.params, ") {");
        let program = &resources.program;
        let made = list(&format!("    {PROGRAM} {program}{{"), &resources.values, "};");
        let wait = if resources.cleared.is_empty() { "" } else { "    __syncthreads();\n" };
        Ok(format!(
            "// Runs in groups of {x} x {y} x {z} threads.\n{params}\n{}{wait}{made}\n    {program}.{entry}();\n}}\n",
            resources.cleared
        ))
    }
}

/// Puts the value of an element of an array of resources into the array's list.
fn element_value(list: &mut String, k: i64, count: i64, value: &str) {
    let (open, close) = (if k == 0 { "{" } else { ", " }, if k + 1 == count { "}" } else { "" });
    let _ = write!(list, "{open}{value}{close}");
}

/// Stands for the struct's name, which is chosen last. No identifier can be this.
const PROGRAM: &str = "$program";

/// A list in one line, or with an item a line where that is too wide.
fn list(head: &str, items: &[String], tail: &str) -> String {
    let indent = head.len() - head.trim_start().len() + 8;
    let line = format!("{head}{}{tail}", items.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    let pad = " ".repeat(indent);
    format!("{head}\n{pad}{}{tail}", items.join(&format!(",\n{pad}")))
}
