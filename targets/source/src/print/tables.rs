//! Arrays of constants: each is declared once in a text, whichever functions read it.

use super::{Printer, Text};
use crate::lang::{Language, Threads};
use crate::tree::{Constant, Function, Literal, Passed};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

/// What a table is called that the program has no name for.
const UNNAMED: &str = "table";

pub(super) struct Table {
    /// What it holds.
    key: String,
    name: String,
    /// Its declaration.
    text: String,
}

/// Whether a table can be handed to a parameter that is read in place.
pub(super) fn takes_tables(language: &Language) -> bool {
    let Some(shader) = language.shader else { return true };
    // What a reference is to is in the memory of a function.
    let passed = |how| (shader.syntax.statements.passed)("T", "a", how);
    passed(Passed::Constant).trim_start_matches("const ") == passed(Passed::Value)
}

/// Whether what a table of this type holds can be written where nothing is computed.
pub(super) fn holds(language: &Language, ty: &Ty) -> bool {
    match ty {
        Ty::Scalar(s) | Ty::Vector { elem: s, .. } => *s != Scalar::F16 || language.threads != Threads::Device,
        Ty::Array(_, elem) => holds(language, elem),
        Ty::Struct(of) => StructType(*of).fields().all(|f| Ty::of(f.ty, false).is_some_and(|ty| holds(language, &ty))),
        Ty::Tape(_) | Ty::Handle(_) => false,
    }
}

pub(super) fn key(ty: &Ty, value: &Constant) -> String {
    format!("{ty:?} {value:?}")
}

impl Printer<'_> {
    /// Declares what functions have as tables.
    pub(super) fn declare_tables(&mut self, functions: &[Function]) -> Result<(), Diagnostic> {
        let mut all: Vec<(String, &str, &Ty, &Constant)> = Vec::new();
        for function in functions {
            for (var, value) in &function.tables {
                let variable = &function.vars[var.0];
                let key = key(&variable.ty, value);
                match all.iter_mut().find(|(known, ..)| *known == key) {
                    Some((_, name, ..)) if !name.is_empty() => {}
                    Some((_, name, ..)) => *name = &variable.name,
                    None => all.push((key, &variable.name, &variable.ty, value)),
                }
            }
        }
        for (key, name, ty, value) in all {
            let name = self.global_name(if name.is_empty() { UNNAMED } else { name });
            let (word, value) = match self.language.threads {
                Threads::Shader => {
                    let bare = self.shading.bare.is_table(&key);
                    let word = if bare { self.bare_ty(ty)? } else { self.shader_ty(ty, false)? };
                    let value = self.shader_constant(ty, value, false)?;
                    // A struct of an array has two pairs of braces.
                    (word, if bare { value[1..value.len() - 1].to_string() } else { value })
                }
                Threads::Host | Threads::Device => (self.ty(ty)?, self.constant(ty, value)?),
            };
            let text = match self.language.threads {
                Threads::Shader => (self.statements().table)(&word, &name, &value),
                Threads::Host if self.is_library() => format!("inline const {word} {name} = {value};"),
                Threads::Host => format!("static const {word} {name} = {value};"),
                Threads::Device => format!("static __device__ const {word} {name} = {value};"),
            };
            self.tables.push(Table { key, name, text: text + "\n" });
        }
        Ok(())
    }

    pub(super) fn tables_text(&self) -> String {
        self.tables.iter().map(|table| &*table.text).collect()
    }

    pub(super) fn table_name(&self, ty: &Ty, value: &Constant) -> Text {
        let key = key(ty, value);
        let table = self.tables.iter().find(|table| table.key == key);
        table.map(|table| table.name.clone()).ok_or_else(|| self.internal("a table that is not declared"))
    }

    /// The parts of a constant, with their types.
    pub(super) fn parts_of_constant(&self, ty: &Ty, value: &Constant) -> Result<Vec<(Ty, Constant)>, Diagnostic> {
        let count = match ty {
            Ty::Struct(of) => StructType(*of).num_fields() as u64,
            _ => ty.len().ok_or_else(|| self.internal("a constant without parts"))?,
        };
        let mut all = Vec::new();
        for at in 0..usize::try_from(count).unwrap_or(0) {
            let part = match ty {
                Ty::Struct(of) => self.module.signs.field(*of, at),
                _ => self.module.signs.part(ty, -1),
            };
            let part = part.ok_or_else(|| self.internal("a constant without a type"))?;
            let value = match value {
                Constant::Parts(parts) => parts.get(at).cloned().unwrap_or(Constant::Zero),
                _ => Constant::Zero,
            };
            if !part.is_empty() {
                all.push((part, value));
            }
        }
        Ok(all)
    }

    /// Within braces, as C++ has it.
    fn constant(&mut self, ty: &Ty, value: &Constant) -> Text {
        if let Ty::Scalar(scalar) = ty {
            return Ok(self.literal(number(value, *scalar), ty)?.0);
        }
        if *value == Constant::Zero {
            return Ok("{}".to_string());
        }
        let parts = self.parts_of_constant(ty, value)?;
        let texts = parts.iter().map(|(ty, value)| self.constant(ty, value)).collect::<Result<Vec<_>, _>>()?;
        let named = match ty {
            Ty::Vector { shape, .. } => shape.first().is_some_and(|n| (2..=4).contains(n)),
            other => matches!(other, Ty::Struct(_)),
        };
        Ok(braces(&texts, named))
    }
}

/// What a scalar of this type is.
pub(super) fn number(value: &Constant, scalar: Scalar) -> Literal {
    match (value, scalar) {
        (Constant::Scalar(Literal::Bool(value)), Scalar::Bool) => Literal::Bool(*value),
        (Constant::Scalar(Literal::Bool(value)), _) => Literal::Int(i64::from(*value)),
        (Constant::Scalar(Literal::Int(value)), Scalar::Bool) => Literal::Bool(*value != 0),
        (Constant::Scalar(literal), _) => *literal,
        (_, Scalar::Bool) => Literal::Bool(false),
        (_, scalar) if scalar.is_float() => Literal::Float(0.0),
        _ => Literal::Int(0),
    }
}

/// Parts that are members of their own, or elements of the one member.
pub(super) fn braces(parts: &[String], members: bool) -> String {
    let parts = parts.join(", ");
    if members { format!("{{{parts}}}") } else { format!("{{{{{parts}}}}}") }
}
