//! Names of SSA values in text: the programmer's where there is one, unique within a body, and the
//! same for the same body.

use crate::attr::AttrKind;
use crate::body::{Body, OpId, ValueId};
use crate::op::{Asm, AsmShape};
use crate::types::{Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The names of all values that stand in a body, with the `%`.
#[derive(Default)]
pub struct Names {
    of: Vec<String>,
    used: FxHashSet<String>,
    next_suffix: FxHashMap<String, u32>,
    next_number: u32,
    next_arg: u32,
}

impl Names {
    /// Names every value in the order in which the text defines them.
    pub fn of_body(body: &Body) -> Names {
        let mut names = Names { of: vec![String::new(); body.num_values()], ..Names::default() };
        if let Some(entry) = body.entry() {
            names.args(body, body.args(entry));
        }
        for block in body.region(body.root()).blocks.iter().skip(1) {
            names.args(body, body.args(*block));
        }
        for op in body.walk_all() {
            names.results(body, op);
            for &region in &body.op(op).regions {
                for &block in &body.region(region).blocks {
                    names.args(body, body.args(block));
                }
            }
        }
        names
    }

    /// The name of `value` with its `%`. A value that stands nowhere (an erased op's) has a name
    /// that does not parse.
    pub fn get(&self, value: ValueId) -> String {
        match self.of.get(value.index()) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("%<dead {}>", value.0),
        }
    }

    /// The left side of a definition: `%a, %b` or `%0:2`; empty for an op without results.
    pub fn definition(&self, body: &Body, op: OpId) -> String {
        let results = body.results(op);
        let first = results.first().map(|&r| self.get(r)).unwrap_or_default();
        match first.split_once('#') {
            Some((base, _)) => format!("{base}:{}", results.len()),
            None => results.iter().map(|&r| self.get(r)).collect::<Vec<_>>().join(", "),
        }
    }

    fn args(&mut self, body: &Body, args: &[ValueId]) {
        for &arg in args {
            let name = match body.value(arg).hint.and_then(|h| sanitized(&h)) {
                Some(hint) => self.unique(&hint),
                None => loop {
                    let name = format!("arg{}", self.next_arg);
                    self.next_arg += 1;
                    if self.used.insert(name.clone()) {
                        break name;
                    }
                },
            };
            self.of[arg.index()] = format!("%{name}");
        }
    }

    fn results(&mut self, body: &Body, op: OpId) {
        let results = body.results(op);
        let hint = |value: ValueId| body.value(value).hint.and_then(|h| sanitized(&h)).or_else(|| implied(body, op));
        // Results that are called alike, or nothing, have one name for all of them.
        let shared = results.first().and_then(|&r| hint(r));
        if results.len() > 1 && results.iter().all(|&r| hint(r) == shared) {
            let name = match shared {
                Some(hint) => self.unique(&hint),
                None => self.number(),
            };
            for (i, &r) in results.iter().enumerate() {
                self.of[r.index()] = format!("%{name}#{i}");
            }
            return;
        }
        for &r in results {
            let name = match hint(r) {
                Some(hint) => self.unique(&hint),
                None => self.number(),
            };
            self.of[r.index()] = format!("%{name}");
        }
    }

    fn number(&mut self) -> String {
        let number = self.next_number.to_string();
        self.next_number += 1;
        number
    }

    fn unique(&mut self, base: &str) -> String {
        if self.used.insert(base.to_string()) {
            return base.to_string();
        }
        let next = self.next_suffix.entry(base.to_string()).or_insert(0);
        loop {
            let name = format!("{base}_{next}");
            *next += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A hint as an SSA name: what cannot stand in one becomes `_`. None for what would read as a
/// number or as one of the names given to arguments without a hint.
fn sanitized(hint: &str) -> Option<String> {
    let clean: String =
        hint.chars().map(|c| if c.is_ascii_alphanumeric() || "_$.-".contains(c) { c } else { '_' }).collect();
    match clean.chars().next() {
        None => None,
        Some(c) if c.is_ascii_digit() => Some(format!("_{clean}")),
        Some(_) if is_arg_name(&clean) => None,
        Some(_) => Some(clean),
    }
}

fn is_arg_name(name: &str) -> bool {
    name.strip_prefix("arg").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The name that an op gives to its result by what it is: a constant by its value, as upstream
/// prints it.
fn implied(body: &Body, op: OpId) -> Option<String> {
    if !matches!(body.op(op).def.asm, Asm::Shape(AsmShape::Constant)) {
        return None;
    }
    let value = body.attr(op, "value")?;
    Some(constant_name(value.kind()))
}

fn constant_name(value: &AttrKind) -> String {
    match value {
        AttrKind::Int(v, ty) if ty.is_i1() => (if *v == 0 { "false" } else { "true" }).to_string(),
        AttrKind::Int(v, ty) if *ty == Type::index() => format!("c{v}"),
        AttrKind::Int(v, ty) => match ty.kind() {
            TypeKind::Int(bits) => format!("c{v}_i{bits}"),
            _ => "cst".to_string(),
        },
        _ => "cst".to_string(),
    }
}

/// Whether a name read from text says no more than what the printer would give anyway, so that it
/// is no hint to keep.
pub fn is_default_name(name: &str, constant: Option<crate::attr::Attr>) -> bool {
    if name.starts_with(|c: char| c.is_ascii_digit()) || is_arg_name(name) {
        return true;
    }
    let Some(value) = constant else { return false };
    let base = constant_name(value.kind());
    name.strip_prefix(&base).is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix('_').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    })
}
