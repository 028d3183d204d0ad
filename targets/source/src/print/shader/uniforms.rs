//! Uniforms: one block, in which they stand one after the other as C lays out a struct of them.
//!
//! A language whose blocks are laid out otherwise has them as numbers of 32 bits, of which the
//! entry point makes variables: by name if there are few, else in rows of four.

use super::super::{Printer, Text};
use super::file::Resources;
use crate::lang::syntax::{Declared, Uniforms};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::{Scalar, resource_type};
use caustic_ir::{Diagnostic, Type};
use caustic_runtime::interface::KernelParam;
use caustic_runtime::layout::layout_of;
use serde_json::{Value, json};

/// A uniform, and the number of its first byte.
struct Uniform<'a> {
    number: usize,
    param: &'a KernelParam,
    ty: Ty,
    offset: u64,
    size: u64,
}

/// A field of a struct in a uniform: its type, what the text calls it, and its first byte.
struct FieldOfStruct {
    ty: Ty,
    name: String,
    offset: u64,
}

/// A number in a uniform: which, in which byte, and how its variable's part is reached.
struct Number {
    scalar: Scalar,
    offset: u64,
    path: String,
}

impl Printer<'_> {
    /// All uniforms in one block.
    pub(super) fn uniform_block(
        &mut self,
        out: &mut Resources,
        uniforms: &[(usize, &KernelParam, Ty)],
    ) -> Result<(), Diagnostic> {
        if uniforms.is_empty() {
            return Ok(());
        }
        let (mut offset, mut all) = (0u64, Vec::new());
        for (number, param, ty) in uniforms {
            let symbol = self.module.ir.get(param.symbol).ok_or_else(|| self.internal("no such resource"))?;
            let layout = resource_type(symbol).and_then(|ty| layout_of(&ty));
            let layout = layout.ok_or_else(|| self.refuse("a uniform without a layout"))?;
            offset = offset.next_multiple_of(layout.align.max(1));
            all.push(Uniform { number: *number, param, ty: ty.clone(), offset, size: layout.size });
            offset += layout.size;
        }
        let in_storage = offset > MOST_UNIFORM || matches!(self.shader()?.syntax.uniforms, Uniforms::Variable);
        let binding = match self.shader()?.syntax.uniforms {
            Uniforms::Block { member, block } => {
                let binding = out.block();
                let mut members = String::new();
                for uniform in &all {
                    let (word, name) = (self.shader_ty(&uniform.ty, true)?, self.known(uniform.param.symbol)?);
                    members += &format!("    {}\n", member(uniform.offset, &word, &name));
                }
                let name = self.made_name("block of uniforms", "Uniforms").0;
                out.text += &block(binding, in_storage, &name, &members);
                binding
            }
            Uniforms::Variable => self.uniform_variable(out, &all)?,
            Uniforms::Words { block } => self.uniform_words(out, (&all, offset), in_storage, block)?,
        };
        let kind = if in_storage { "storage" } else { "uniform" };
        let registers = self.shader()?.syntax.memory.register;
        let register = registers.map(|of| if in_storage { of(out.registers[0] - 1, false) } else { "b0".to_string() });
        for uniform in all {
            let fields = self.told_fields(&uniform.ty)?;
            out.bindings.push(json!({
                "name": &*uniform.param.name, "parameter": uniform.number, "kind": kind, "set": 0, "binding": binding,
                "access": "read", "layout": "scalar", "offset": uniform.offset, "size": uniform.size, "multiple": 16,
                "majorness": "rows", "fields": fields,
            }));
            if let (Some(register), Some(Value::Object(told))) = (&register, out.bindings.last_mut()) {
                told.insert("register".to_string(), json!(register));
            }
        }
        Ok(())
    }

    /// Uniforms as a variable that is a struct of them, or words; the binding.
    fn uniform_variable(&mut self, out: &mut Resources, all: &[Uniform<'_>]) -> Result<u32, Diagnostic> {
        let (of, name) = (out.binding(false), self.uniforms());
        let declare = self.shader()?.syntax.buffer;
        if all.first().is_some_and(|uniform| self.uniform_in_words(uniform.param.symbol).is_some()) {
            out.text += &declare(&Declared { name: &name, word: self.word(Scalar::U32), ..of });
            return Ok(of.binding);
        }
        let mut members = Vec::new();
        for uniform in all {
            let (word, member) = (self.shader_ty(&uniform.ty, true)?, self.known(uniform.param.symbol)?);
            members.push((self.statements().param)(&word, &member));
        }
        let block = self.made_name("block of uniforms", "Uniforms").0;
        out.text += &(self.statements().structure)(&block, &members);
        self.declared_buffer(out, &Declared { name: &name, word: &block, single: true, ..of })?;
        Ok(of.binding)
    }

    /// Uniforms as numbers of 32 bits; the binding.
    fn uniform_words(
        &mut self,
        out: &mut Resources,
        (all, bytes): (&[Uniform<'_>], u64),
        in_storage: bool,
        block: fn(u32, &str, &str) -> String,
    ) -> Result<u32, Diagnostic> {
        let mut numbers = Vec::new();
        for uniform in all {
            numbers.push(self.numbers_of(uniform)?);
        }
        let named = numbers.iter().all(Option::is_some) && numbers.iter().flatten().flatten().count() <= MOST_NAMED;
        let name = self.made_name("block of uniforms", "Uniforms").0;
        let mut variables = String::new();
        if named && !in_storage {
            let (binding, mut members) = (out.block(), String::new());
            for (uniform, numbers) in all.iter().zip(numbers.into_iter().flatten()) {
                let variable = self.known(uniform.param.symbol)?;
                // A number is its own variable.
                if uniform.ty.is_scalar() {
                    members += &format!("    {} {variable};\n", self.shader_ty(&uniform.ty, false)?);
                    continue;
                }
                let mut names = Vec::new();
                for number in &numbers {
                    let wanted = format!("{variable}{}", number.path.replace(".at", "").replace(['.', '['], "_"));
                    let member = self.made_name(&format!("uniform {wanted}"), &wanted.replace(']', "")).0;
                    members += &format!("    {} {member};\n", (self.language.scalar)(number.scalar));
                    names.push(member);
                }
                let ty = self.shader_ty(&uniform.ty, false)?;
                if self.is_library() {
                    let named = |_: &mut Self, _: &Ty, _: bool, at: u64| {
                        Ok(names.get((at - uniform.offset) as usize / 4).cloned().unwrap_or_default())
                    };
                    let value = self.initial((&uniform.ty, false), uniform.offset, &named)?;
                    variables += &format!("static {ty} {variable} = {value};\n");
                    continue;
                }
                variables += &format!("static {ty} {variable};\n");
                let mut names = names.into_iter();
                self.set_by_names(&uniform.ty, &variable, &mut names, &mut out.first)?;
            }
            out.text += &format!("{}{variables}", block(binding, &name, &members));
            return Ok(binding);
        }
        let (words, word) = (self.made_name("words of uniforms", "uniforms").0, self.uniform_word());
        let row = (self.shader()?.vector)(4, Scalar::U32).unwrap_or_default();
        let binding = if in_storage {
            let of = out.binding(false);
            out.text += &(self.shader()?.syntax.buffer)(&Declared { name: &words, word: &row, ..of });
            of.binding
        } else {
            let binding = out.block();
            out.text += &block(binding, &name, &format!("    {row} {words}[{}];\n", bytes.div_ceil(16)));
            binding
        };
        for uniform in all {
            let variable = self.known(uniform.param.symbol)?;
            let ty = self.shader_ty(&uniform.ty, false)?;
            if self.is_library() {
                if uniform.size > MOST_INITIAL {
                    return Err(self.refuse(format!("a uniform of {} bytes in a library", uniform.size)));
                }
                let number = |of: &mut Self, ty: &Ty, stored: bool, at: u64| match ty.scalar() {
                    // No such number can be made here, and nobody asks for it.
                    Some(Scalar::F64) if !of.is_read(uniform, at)? => of.shader_zero(ty, stored),
                    _ => of.number_at(ty, stored, &at.to_string()),
                };
                let value = self.initial((&uniform.ty, false), uniform.offset, &number)?;
                variables += &format!("static {ty} {variable} = {value};\n");
                continue;
            }
            variables += &format!("static {ty} {variable};\n");
            self.set_by_words((&uniform.ty, false), &variable, &uniform.offset.to_string(), 0, &mut out.first)?;
        }
        self.shading.loops.clear();
        out.text += &variables;
        if !self.is_library() {
            out.text += &format!("uint {word}(uint at) {{ return {words}[at >> 4][at >> 2 & 3u]; }}\n");
        }
        Ok(binding)
    }

    fn uniform_word(&mut self) -> String {
        self.made_name("word of uniforms", "uniform_word").0
    }

    /// The numbers of a uniform, if all of them have 32 bits.
    fn numbers_of(&mut self, uniform: &Uniform<'_>) -> Result<Option<Vec<Number>>, Diagnostic> {
        let scalars = self.scalars_at((&uniform.ty, false), uniform.offset, "")?;
        let wide = scalars.iter().all(|(scalar, ..)| matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::F32));
        let number = |(scalar, offset, path, _)| Number { scalar, offset, path };
        let numbers: Vec<Number> = scalars.into_iter().map(number).collect();
        let dense = numbers.iter().zip(0..).all(|(number, k)| number.offset == uniform.offset + 4 * k);
        Ok((wide && dense).then_some(numbers))
    }

    /// Whether a function reads the field of a uniform in which a byte is.
    fn is_read(&mut self, uniform: &Uniform<'_>, at: u64) -> Result<bool, Diagnostic> {
        let (symbol, mut field) = (uniform.param.symbol, None);
        if let Ty::Struct(of) = uniform.ty {
            for index in 0..StructType(of).num_fields() {
                let first = uniform.offset + self.field_offset(of, index)?;
                field = if first <= at { Some(index) } else { field };
            }
        }
        let read = |part| self.read_uniforms.contains(&(symbol, part));
        Ok(field.is_none() || read(None) || read(field))
    }

    /// The fields of a struct, but for those of types without values.
    fn fields_with_values(&mut self, of: Type) -> Result<Vec<FieldOfStruct>, Diagnostic> {
        let mut fields = Vec::new();
        for index in 0..StructType(of).num_fields() {
            let ty = self.field_ty(of, index)?;
            if !ty.is_empty() {
                let (name, offset) = (self.field_name(of, index)?, self.field_offset(of, index)?);
                fields.push(FieldOfStruct { ty, name, offset });
            }
        }
        Ok(fields)
    }

    /// The value with which a variable of a library begins, of numbers by the bytes at which they
    /// are: there is no entry point that could set it.
    fn initial(
        &mut self,
        (ty, stored): (&Ty, bool),
        at: u64,
        number: &dyn Fn(&mut Self, &Ty, bool, u64) -> Text,
    ) -> Text {
        let mut parts = Vec::new();
        match ty {
            Ty::Struct(of) => {
                let inside = self.stores(ty, stored);
                for field in self.fields_with_values(*of)? {
                    parts.push(self.initial((&field.ty, inside), at + field.offset, number)?);
                }
            }
            Ty::Scalar(_) => return number(self, ty, stored, at),
            _ => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                let size = super::super::place::ir_size(&part).ok_or_else(|| self.refuse("a part without a size"))?;
                let is_native = self.is_native(ty);
                let inside = if is_native { stored } else { self.stores(ty, stored) };
                for k in 0..ty.len().unwrap_or(0) {
                    parts.push(self.initial((&part, inside), at + k * size, number)?);
                }
                if is_native {
                    return Ok(format!("{}({})", self.shader_ty(ty, stored)?, parts.join(", ")));
                }
                // An array may be the only member of a struct.
                if self.item("", ty, "0") != "[0]" {
                    return Ok(format!("{{ {{ {} }} }}", parts.join(", ")));
                }
            }
        }
        Ok(format!("{{ {} }}", parts.join(", ")))
    }

    /// Statements that make a variable of named numbers.
    fn set_by_names(
        &mut self,
        ty: &Ty,
        path: &str,
        names: &mut dyn Iterator<Item = String>,
        out: &mut Vec<String>,
    ) -> Result<(), Diagnostic> {
        match ty {
            Ty::Struct(of) => {
                for field in self.fields_with_values(*of)? {
                    self.set_by_names(&field.ty, &format!("{path}.{}", field.name), names, out)?;
                }
            }
            _ if self.is_native(ty) => {
                let count = ty.len().unwrap_or(1) as usize;
                let parts: Vec<String> = names.take(count).collect();
                let value = match ty {
                    Ty::Scalar(_) => parts.concat(),
                    _ => format!("{}({})", self.shader_ty(ty, false)?, parts.join(", ")),
                };
                out.push(format!("    {path} = {value};\n"));
            }
            _ => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                for k in 0..ty.len().unwrap_or(0) {
                    let item = self.item(path, ty, &k.to_string());
                    self.set_by_names(&part, &item, names, out)?;
                }
            }
        }
        Ok(())
    }

    /// Statements that make a variable of the numbers from a byte on.
    fn set_by_words(
        &mut self,
        (ty, stored): (&Ty, bool),
        path: &str,
        at: &str,
        depth: usize,
        out: &mut Vec<String>,
    ) -> Result<(), Diagnostic> {
        let pad = "    ".repeat(depth + 1);
        match ty {
            Ty::Struct(of) => {
                let inside = self.stores(ty, stored);
                for field in self.fields_with_values(*of)? {
                    let (path, at) = (format!("{path}.{}", field.name), behind(at, field.offset));
                    self.set_by_words((&field.ty, inside), &path, &at, depth, out)?;
                }
            }
            Ty::Scalar(_) => {
                let value = self.number_at(ty, stored, at)?;
                out.push(format!("{pad}{path} = {value};\n"));
            }
            _ if self.is_native(ty) => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                let size = super::super::place::ir_size(&part).unwrap_or(0);
                let mut parts = Vec::new();
                for k in 0..ty.len().unwrap_or(0) {
                    parts.push(self.number_at(&part, stored, &behind(at, k * size))?);
                }
                out.push(format!("{pad}{path} = {}({});\n", self.shader_ty(ty, stored)?, parts.join(", ")));
            }
            _ => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                let size = super::super::place::ir_size(&part).ok_or_else(|| self.refuse("a part without a size"))?;
                let counter = ["i", "j", "k", "l", "m", "n"].get(depth).copied().unwrap_or("n");
                let counter = self.loop_name(&format!("uniform_{counter}"));
                let count = ty.len().unwrap_or(0);
                out.push(format!("{pad}for (uint {counter} = 0u; {counter} < {count}u; {counter}++) {{\n"));
                let (item, at) = (self.item(path, ty, &counter), format!("{at} + {counter} * {size}u"));
                self.set_by_words((&part, self.stores(ty, stored)), &item, &at, depth + 1, out)?;
                out.push(format!("{pad}}}\n"));
            }
        }
        Ok(())
    }

    /// The 32 bits at a byte of the uniforms. What a library's variable begins with calls no
    /// function: not every compiler takes that.
    fn uniform_word_at(&mut self, at: &str) -> String {
        match at.parse::<u64>().ok().filter(|_| self.is_library()) {
            Some(at) => {
                let words = self.made_name("words of uniforms", "uniforms").0;
                format!("{words}[{}][{}]", at / 16, at / 4 % 4)
            }
            None => format!("{}({at})", self.uniform_word()),
        }
    }

    /// The number of these bits in a language that has numbers of this size.
    fn value_of_bits(&self, bits: &str, of: Scalar, scalar: Scalar) -> String {
        let cast = self.language.shader.and_then(|shader| (shader.bits_as)(of, scalar));
        match cast {
            _ if of == scalar => bits.to_string(),
            Some(function) => format!("{function}({bits})"),
            None => format!("{}({bits})", (self.language.scalar)(scalar)),
        }
    }

    /// The number at a byte of the uniforms.
    fn number_at(&mut self, ty: &Ty, stored: bool, at: &str) -> Text {
        let scalar = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
        let word = self.uniform_word_at(at);
        if !self.is_words(Scalar::U64) && scalar.size() == 8 {
            let [low, high] = [word, self.uniform_word_at(&behind(at, 4))];
            let of = (self.language.scalar)(Scalar::U64);
            return Ok(self.value_of_bits(&format!("({of}({high}) << 32 | {of}({low}))"), Scalar::U64, scalar));
        }
        if self.is_library() && scalar == Scalar::F64 {
            return Err(self.refuse("a double in a uniform in a library"));
        }
        let is_small = scalar != Scalar::Bool && scalar.size() < 4;
        if is_small && !self.is_held(scalar) {
            let part = if scalar.size() == 1 { Scalar::U8 } else { Scalar::U16 };
            let bits = format!("{}({word} >> (({at} & 3u) * 8u))", (self.language.scalar)(part));
            return Ok(self.value_of_bits(&bits, part, scalar));
        }
        Ok(match scalar {
            Scalar::U32 => word,
            Scalar::I32 | Scalar::F32 => {
                let from = (self.shader()?.bits_as)(Scalar::U32, scalar);
                format!("{}({word})", from.unwrap_or((self.language.scalar)(scalar)))
            }
            Scalar::Bool => {
                let bits = format!("({word} >> (({at} & 3u) * 8u) & 255u) != 0u");
                if stored { format!("({bits} ? 1u : 0u)") } else { bits }
            }
            // What a library's variable begins with calls no function.
            Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16 if self.is_library() && self.is_held(scalar) => {
                let (width, from) = (scalar.size() as u64 * 8, at.parse::<u64>().unwrap_or(0) % 4 * 8);
                match scalar {
                    Scalar::U8 | Scalar::U16 => format!("({word} >> {from}u & {}u)", (1u64 << width) - 1),
                    _ => format!("(int({word} << {}u) >> {}u)", 32 - width - from, 32 - width),
                }
            }
            _ if self.is_held(scalar) => {
                let bits = format!("({word} >> (({at} & 3u) * 8u))");
                match scalar {
                    Scalar::F16 => self.held_bits(&bits, Scalar::U16, scalar)?,
                    _ => self.cut(&bits, scalar)?,
                }
            }
            Scalar::I64 | Scalar::U64 | Scalar::F64 => {
                let high = self.uniform_word_at(&behind(at, 4));
                let pair = self.pair(&word, &high);
                match (self.shader()?.bits_as)(Scalar::U64, scalar) {
                    Some(function) => {
                        self.instance("double_of_words", scalar, scalar)?;
                        format!("{function}({pair})")
                    }
                    None => pair,
                }
            }
            _ => return Err(self.refuse("such a number in a uniform")),
        })
    }
}

/// A byte behind another.
fn behind(at: &str, offset: u64) -> String {
    match (offset, at.parse::<u64>()) {
        (0, _) => at.to_string(),
        (_, Ok(at)) => (at + offset).to_string(),
        _ => format!("{at} + {offset}u"),
    }
}

/// Bytes of a uniform in a library.
const MOST_INITIAL: u64 = 4096;

/// Numbers that are named.
const MOST_NAMED: usize = 64;

/// Bytes that a uniform block has on every machine.
const MOST_UNIFORM: u64 = 16384;
