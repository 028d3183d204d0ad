//! Functions that the program calls by one name, and arguments that its callers may leave out.
//!
//! Overloads share their name where the language has overloads and their parameters differ so that
//! no conversion makes one of another: in their numbers, in vectors and structs, or floats and
//! integers. Others are called by the numbers that the front end gave them.

use super::{Printer, Text};
use crate::Mode;
use crate::lang::{Language, Threads};
use crate::tree::{Function, Literal};
use crate::types::Ty;
use caustic_dialects::reflect::Entry;
use caustic_dialects::signature::{DEFAULT, OVERLOADS, PARAMS};
use caustic_ir::{Attr, Name, Type};

/// What makes parameters of overloads different.
#[derive(PartialEq)]
enum Sort {
    Float(Vec<u32>),
    Integer(Vec<u32>),
    Other(Type),
    Several,
}

fn sort(ty: &Ty) -> Sort {
    let shape = if let Ty::Vector { shape, .. } = ty { shape.clone() } else { Vec::new() };
    match (ty, ty.scalar()) {
        (_, Some(scalar)) if scalar.is_float() => Sort::Float(shape),
        (_, Some(_)) => Sort::Integer(shape),
        (Ty::Struct(of) | Ty::Handle(of), _) => Sort::Other(*of),
        _ => Sort::Several,
    }
}

fn differ(a: &Ty, b: &Ty) -> bool {
    let (a, b) = (sort(a), sort(b));
    a != b && a != Sort::Several && b != Sort::Several
}

impl Printer<'_> {
    /// The name of a function in the text.
    pub(super) fn function_symbol(&mut self, symbol: Name) -> String {
        if let Some(name) = self.symbols.get(&symbol) {
            return name.clone();
        }
        let Some(base) = self.overloads(symbol).filter(|_| self.has_overloads()) else {
            let name = self.symbol(symbol, &symbol);
            self.overloaded.entry(symbol).or_default().push(symbol);
            return name;
        };
        let all = self.overloaded.get(&base).cloned().unwrap_or_default();
        let shared = all.first().and_then(|first| self.symbols.get(first)).cloned();
        let name = match shared.filter(|_| all.iter().all(|&other| self.are_different(symbol, other))) {
            Some(name) => {
                self.symbols.insert(symbol, name.clone());
                name
            }
            None if all.is_empty() => self.symbol(symbol, &base),
            None => return self.symbol(symbol, &symbol),
        };
        self.overloaded.entry(base).or_default().push(symbol);
        name
    }

    /// Who calls a function of a library finds it by its name.
    fn has_overloads(&self) -> bool {
        !self.is_library() && self.language.shader.is_none_or(|s| s.syntax.statements.overloads)
    }

    /// The symbol that a function would have if no other one were called like it. Derivatives keep
    /// theirs.
    fn overloads(&self, symbol: Name) -> Option<Name> {
        let ir = self.module.ir;
        let name = Name::new(ir.get(symbol)?.attr(OVERLOADS)?.as_str()?);
        // Who launches a kernel knows it by its name.
        ir.get(name).is_none_or(|s| Entry::of(s).is_none()).then_some(name)
    }

    fn are_different(&self, a: Name, b: Name) -> bool {
        let (Some(a), Some(b)) = (self.module.plan(a), self.module.plan(b)) else { return false };
        a.params.len() != b.params.len() || a.params.iter().zip(&b.params).any(|(a, b)| differ(&a.ty, &b.ty))
    }

    /// What stands behind each parameter of a function that a library offers: a value where its
    /// callers may leave the argument out, as they may all that come after it.
    pub(super) fn defaults(&mut self, function: &Function) -> Vec<Option<String>> {
        let none = vec![None; function.params.len()];
        let own = self.module.offered.iter().any(|o| o.symbol == function.symbol && o.mode == Mode::Primal);
        let Some(symbol) = self.module.ir.get(function.symbol).filter(|_| own && has_defaults(self.language)) else {
            return none;
        };
        let Some(entries) = symbol.attr(PARAMS).and_then(|a| a.as_array()) else { return none };
        let mut all = none;
        for (k, (var, _)) in function.params.iter().enumerate().rev() {
            let variable = &function.vars[var.0];
            let entry = entries.iter().find(|e| e.get("name").and_then(|n| n.as_str()) == Some(&variable.name));
            let value = entry.and_then(|e| e.get(DEFAULT)).and_then(|value| literal(value, &variable.ty));
            let Some(Ok(text)) = value.map(|value| self.default_text(value, &variable.ty)) else { break };
            all[k] = Some(text);
        }
        // A function with overloads of fewer parameters could be meant.
        let shares = |name: &String| self.symbols.values().filter(|other| *other == name).count() > 1;
        if self.symbols.get(&function.symbol).is_some_and(shares) { vec![None; all.len()] } else { all }
    }

    fn default_text(&mut self, value: Literal, ty: &Ty) -> Text {
        let text = match self.language.threads {
            Threads::Shader => self.shader_literal(value, ty)?,
            Threads::Host | Threads::Device => self.literal(value, ty)?,
        };
        Ok(text.0)
    }
}

fn has_defaults(language: &Language) -> bool {
    language.threads != Threads::Shader || language.name == "slang"
}

fn literal(value: Attr, ty: &Ty) -> Option<Literal> {
    let scalar = ty.scalar().filter(|_| ty.is_scalar())?;
    Some(match () {
        () if scalar.is_float() => Literal::Float(value.as_float()?),
        () if *ty == crate::types::BOOL => Literal::Bool(value.as_bool()?),
        () => Literal::Int(value.as_int()?),
    })
}
