//! Whether interfaces, tables and lists of parameters are well formed: what the rest of
//! specialization relies on. Diagnostics are faults of whoever made the module.

use super::is_def;
use caustic_dialects::hl;
use caustic_dialects::hl::generics::{
    FunctionRef, GENERICS, IntExpr, Param, ParamKind, Witness, generics_of, split_instance,
};
use caustic_ir::{Attr, Diagnostic, Module, Name, SymbolOp};

/// What an interface requires, one of its list.
#[derive(Clone, Copy)]
pub struct Requirement {
    pub key: Name,
    pub kind: RequirementKind,
    /// The whole entry of the list.
    pub attr: Attr,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequirementKind {
    Function,
    Type,
    Witness,
    Constant,
}

impl RequirementKind {
    fn from_keyword(word: &str) -> Option<RequirementKind> {
        Some(match word {
            "function" => RequirementKind::Function,
            "type" => RequirementKind::Type,
            "witness" => RequirementKind::Witness,
            "constant" => RequirementKind::Constant,
            _ => return None,
        })
    }
    fn admits(self, entry: Attr) -> bool {
        match self {
            RequirementKind::Function => FunctionRef::of(entry).is_some(),
            RequirementKind::Type => entry.as_type().is_some(),
            RequirementKind::Witness => Witness::of(entry).is_some(),
            RequirementKind::Constant => IntExpr::of(entry).is_some(),
        }
    }
}

/// The requirements of an interface; `None` if the list is not one.
pub fn requirements(interface: &SymbolOp) -> Option<Vec<Requirement>> {
    let read = |attr: &Attr| {
        let key = Name::new(attr.get("key")?.as_str()?);
        let kind = RequirementKind::from_keyword(attr.get("kind")?.as_str()?)?;
        Some(Requirement { key, kind, attr: *attr })
    };
    hl::Interface::of_symbol(interface)?.requirements(interface)?.as_array()?.iter().map(read).collect()
}

/// Checks every symbol of the module that has to do with generic code.
pub fn check(module: &Module) -> Result<(), Vec<Diagnostic>> {
    let mut found = Vec::new();
    for symbol in module.symbols() {
        let mut report = |text: String| {
            found.push(Diagnostic::invalid_ir(symbol.loc, format!("{} @{}: {text}", symbol.def.name, symbol.name)));
        };
        match generics_of(&symbol.attrs) {
            None => report(format!("`{GENERICS}` is no list of parameters")),
            Some(params) => parameters(module, &params, &mut report),
        }
        if is_def(symbol, hl::Interface::DEF) {
            match requirements(symbol) {
                None => report("`requirements` is no list of requirements".into()),
                Some(list) => {
                    let twice =
                        list.iter().enumerate().find(|(i, r)| list[..*i].iter().any(|other| other.key == r.key));
                    if let Some((_, r)) = twice {
                        report(format!("requires `{}` twice", r.key));
                    }
                }
            }
        }
        if is_def(symbol, hl::WitnessTable::DEF) {
            table(module, symbol, &mut report);
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn interface_of(module: &Module, attr: Option<Attr>) -> Result<&SymbolOp, String> {
    let Some((name, _)) = attr.and_then(split_instance) else {
        return Err("an interface is a symbol, or one with arguments".into());
    };
    module.get(name).filter(|s| is_def(s, hl::Interface::DEF)).ok_or_else(|| format!("@{name} is no interface"))
}

fn parameters(module: &Module, params: &[Param], report: &mut dyn FnMut(String)) {
    for (i, p) in params.iter().enumerate() {
        if params[..i].iter().any(|other| other.name == p.name) {
            report(format!("has two parameters called `{}`", p.name));
        }
        if p.kind == ParamKind::Witness
            && let Err(why) = interface_of(module, p.interface)
        {
            report(format!("parameter `{}`: {why}", p.name));
        }
    }
}

fn table(module: &Module, symbol: &SymbolOp, report: &mut dyn FnMut(String)) {
    let table = hl::WitnessTable::of_symbol(symbol);
    let interface = match interface_of(module, table.and_then(|t| t.interface(symbol))) {
        Ok(interface) => interface,
        Err(why) => return report(why),
    };
    let entries = table.and_then(|t| t.entries(symbol)?.as_dict()).unwrap_or(&[]);
    let required = requirements(interface).unwrap_or_default();
    for r in &required {
        match entries.iter().find(|(key, _)| *key == r.key) {
            None => report(format!("has no entry for `{}`, which @{} requires", r.key, interface.name)),
            Some((_, entry)) if !r.kind.admits(*entry) => {
                report(format!(
                    "the entry for `{}` is {entry}, which is no {}",
                    r.key,
                    format!("{:?}", r.kind).to_lowercase()
                ));
            }
            Some(_) => {}
        }
    }
    for (key, _) in entries.iter().filter(|(key, _)| required.iter().all(|r| r.key != *key)) {
        report(format!("has an entry for `{key}`, which @{} does not require", interface.name));
    }
}
