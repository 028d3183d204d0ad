//! Values that are made: of their parts, and all of zeros; and arrays where a language has none as
//! values.

use super::super::{Printer, Text};
use crate::lang::syntax::Values;
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Type};

/// Scalars of the largest zero that is written out.
pub(super) const MOST_WRITTEN: u64 = 8;

impl Printer<'_> {
    /// Whether arrays are members of structs, and functions make values.
    pub(super) fn makes_values(&self) -> bool {
        self.language.shader.is_some_and(|s| s.syntax.values == Values::Made)
    }

    /// The struct that an array is where it is a value.
    pub(super) fn array_struct(&mut self, word: &str, count: u64) -> String {
        let (name, new) = self.made_name(&format!("array {word} {count}"), &format!("{word}_{count}"));
        if new {
            let text = format!("struct {name} {{ {word} at[{count}]; }};\n");
            self.shading.arrays.push((self.declared.len(), text));
        }
        name
    }

    /// A part of a value by an index.
    pub(super) fn item(&self, whole: &str, ty: &Ty, index: &str) -> String {
        format!("{whole}{}[{index}]", self.member(ty))
    }

    /// The member in which the parts of such a value are.
    pub(super) fn member(&self, ty: &Ty) -> &'static str {
        if self.makes_values() && !self.is_native(ty) { ".at" } else { "" }
    }

    /// A value of its parts, which have the types that they have in it.
    pub(super) fn construct(&mut self, ty: &Ty, stored: bool, parts: &[String]) -> Text {
        let word = self.shader_ty(ty, stored)?;
        if self.is_native(ty) {
            return Ok(format!("{word}({})", parts.join(", ")));
        }
        if !self.makes_values() {
            let is_array = self.is_array(ty, stored)?;
            return self.listed(&word, is_array, parts);
        }
        let name = self.function_name(&format!("make_{word}"));
        if self.shading.seen.insert(format!("make {word}")) {
            let members = self.members(ty, stored, parts.len())?;
            // A name that no member has.
            let whole = ["made", "whole", "value"].into_iter().find(|n| members.iter().all(|(_, name, _)| name != n));
            let whole = whole.unwrap_or("made_");
            let param = self.statements().param;
            let params: Vec<String> = members.iter().map(|(word, name, _)| param(word, name)).collect();
            let set: String = members.iter().map(|(_, name, at)| format!("    {whole}{at} = {name};\n")).collect();
            self.shading.made.push(format!(
                "{word} {name}({}) {{\n    {word} {whole};\n{set}    return {whole};\n}}\n",
                params.join(", ")
            ));
        }
        Ok(format!("{name}({})", parts.join(", ")))
    }

    /// Whether a type is an array in the text.
    fn is_array(&mut self, ty: &Ty, stored: bool) -> Result<bool, Diagnostic> {
        Ok(!self.parts_of_ty(ty, stored)?.1.is_empty())
    }

    /// A struct or array of its parts, where the language says that without a function.
    pub(super) fn listed(&self, word: &str, is_array: bool, parts: &[String]) -> Text {
        let parts = parts.join(", ");
        Ok(match self.shader()?.syntax.values {
            Values::Listed => format!("{word}{{{parts}}}"),
            Values::Braces if is_array => format!("{{ {parts} }}"),
            _ => format!("{word}({parts})"),
        })
    }

    /// The members of a struct or array in the text: of which type, a name, and how each is
    /// reached.
    fn members(&mut self, ty: &Ty, stored: bool, count: usize) -> Result<Vec<(String, String, String)>, Diagnostic> {
        let Ty::Struct(of) = ty else {
            let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
            let word = self.shader_ty(&part, self.stores(ty, stored))?;
            let member = |k: usize| (word.clone(), format!("a{k}"), self.item("", ty, &k.to_string()));
            return Ok((0..count).map(member).collect());
        };
        let mut all = Vec::new();
        for index in 0..StructType(*of).num_fields() {
            if !self.field_ty(*of, index)?.is_empty() {
                let name = self.field_name(*of, index)?;
                let at = format!(".{name}");
                all.push((self.stored_field(*of, index)?, name, at));
            }
        }
        if let Some(padding) = self.padding_field(*of)? {
            let name = self.padding_name(*of);
            let at = format!(".{name}");
            all.push((self.shader_ty(&padding, true)?, name, at));
        }
        if all.is_empty() {
            all.push(("uint".to_string(), "nothing".to_string(), ".nothing".to_string()));
        }
        Ok(all)
    }

    /// A name that none of the struct's fields has.
    pub(super) fn padding_name(&self, ty: Type) -> String {
        let fields = self.structs.get(&ty).map(|s| s.fields.clone()).unwrap_or_default();
        let mut names = (1..).map(|n| if n == 1 { "padding".to_string() } else { format!("padding_{n}") });
        names.find(|name| !fields.contains(name)).unwrap_or_default()
    }

    /// A vector of the language with the same scalar in each component.
    pub(super) fn splat_of(&self, word: &str, value: &str) -> Text {
        Ok((self.shader()?.syntax.splat)(word, value))
    }

    // ----- zeros

    pub(super) fn scalars_in(&self, ty: &Ty) -> u64 {
        match ty {
            Ty::Scalar(_) => 1,
            Ty::Vector { .. } if self.is_native(ty) => 1,
            Ty::Vector { shape, .. } => shape.iter().map(|&n| u64::from(n)).product(),
            Ty::Struct(of) => (0..StructType(*of).num_fields())
                .filter_map(|k| self.module.signs.field(*of, k))
                .map(|f| self.scalars_in(&f))
                .fold(0, u64::saturating_add),
            Ty::Array(count, elem) => self.scalars_in(elem).saturating_mul(*count),
            Ty::Tape(_) | Ty::Handle(_) => 1,
        }
    }

    /// All scalars zero.
    pub(super) fn shader_zero(&mut self, ty: &Ty, stored: bool) -> Text {
        let word = self.shader_ty(ty, stored)?;
        let zero = self.shader()?.syntax.zero;
        match ty {
            Ty::Scalar(s) => {
                let scalar = self.stored_scalar(*s, stored);
                return self.scalar_zero(scalar);
            }
            Ty::Vector { elem, .. } if self.is_native(ty) && !zero.is_some_and(|zero| zero.vectors) => {
                let scalar = self.stored_scalar(*elem, stored);
                let zero = self.scalar_zero(scalar)?;
                return self.splat_of(&word, &zero);
            }
            _ => {}
        }
        if let Some(zero) = zero.filter(|zero| zero.large) {
            return Ok((zero.of)(&word, self.is_array(ty, stored)?));
        }
        if self.scalars_in(ty) > MOST_WRITTEN {
            let wanted = format!("zero_{}", self.word_of_ty(ty, stored)?);
            let (name, new) = self.made_name(&format!("zero {word}"), &wanted);
            if new {
                let body = self.zero_by_parts(ty, stored)?;
                self.shading.made.push(format!("{word} {name}() {{\n    {word} a;\n{body}    return a;\n}}\n"));
            }
            return Ok(format!("{name}()"));
        }
        if let Some(zero) = zero {
            return Ok((zero.of)(&word, self.is_array(ty, stored)?));
        }
        let inside = self.stores(ty, stored);
        let mut parts = Vec::new();
        if let Ty::Struct(of) = ty {
            for index in 0..StructType(*of).num_fields() {
                let field = self.field_ty(*of, index)?;
                if !field.is_empty() {
                    parts.push(self.shader_zero(&field, inside)?);
                }
            }
            if let Some(padding) = self.padding_field(*of)? {
                parts.push(self.shader_zero(&padding, true)?);
            }
            if parts.is_empty() && !self.shader()?.syntax.empty_structs {
                parts.push("0u".to_string());
            }
        } else {
            let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
            let zero = self.shader_zero(&part, inside)?;
            parts = vec![zero; usize::try_from(ty.len().unwrap_or(0).max(1)).unwrap_or(0)];
        }
        self.construct(ty, stored, &parts)
    }

    /// What makes a variable `a` of a large type zero, which is as in memory if it is `stored`.
    fn zero_by_parts(&mut self, ty: &Ty, stored: bool) -> Text {
        let mut body = String::new();
        match ty {
            Ty::Struct(of) => {
                let inside = self.held.contains(of);
                for index in 0..StructType(*of).num_fields() {
                    let field = self.field_ty(*of, index)?;
                    if field.is_empty() {
                        continue;
                    }
                    let name = format!("a.{}", self.field_name(*of, index)?);
                    let cleared = match &field {
                        Ty::Array(count, elem) if self.is_bare_field(*of, index) => {
                            Some(self.bare_cleared(&name, *count, elem)?)
                        }
                        _ => self.cleared(&name, &field, inside)?,
                    };
                    let text = match cleared {
                        Some(text) => text,
                        None => format!("{name} = {};", self.shader_zero(&field, inside)?),
                    };
                    body += &format!("    {text}\n");
                }
            }
            _ => {
                let part = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
                let inside = self.stores(ty, stored);
                let (count, zero) = (ty.len().unwrap_or(0), self.shader_zero(&part, inside)?);
                let item = self.item("a", ty, "i");
                body += &format!("    for (uint i = 0u; i < {count}u; i++) {item} = {zero};\n");
            }
        }
        Ok(body)
    }

    fn scalar_zero(&mut self, scalar: Scalar) -> Text {
        Ok(match scalar {
            Scalar::Bool => "false".to_string(),
            Scalar::I32 | Scalar::U32 => self.integer_literal(0, scalar).0,
            Scalar::I64 | Scalar::U64 if self.is_words(scalar) => self.integer_literal(0, scalar).0,
            Scalar::F32 => self.float_literal(0.0, scalar)?.0,
            Scalar::F16 if self.is_held(scalar) => self.float_literal(0.0, scalar)?.0,
            other => format!("{}(0)", (self.language.scalar)(other)),
        })
    }
}
