//! Statistics about the programs of a run: counts each construct, by the control flow around it, in
//! programs whose first and second derivatives were checked.

use crate::tree::idioms::IDIOMS;
use crate::tree::{FuncKind, Kind, Node, Program, Ty};
use std::collections::BTreeMap;

/// The innermost control flow around a construct.
pub const SHAPES: [&str; 8] =
    ["straight", "if", "switch", "for, constant", "for, data", "while", "do", "loop in a loop"];

/// Counts of constructs: for each shape, the programs whose first derivatives were checked and
/// those whose second ones were.
#[derive(Clone, Debug, Default)]
pub struct Coverage(pub BTreeMap<String, [[u64; 2]; SHAPES.len()]>);

impl Coverage {
    pub fn add(&mut self, p: &Program) {
        for f in p.functions() {
            if let FuncKind::Idiom(row) = f.kind {
                self.count(format!("idiom: {}", IDIOMS[row].0), 0, p.second);
            }
            let declared = match &f.kind {
                FuncKind::Idiom(_) => "idiom",
                FuncKind::Free => "function",
                FuncKind::Method(_, false) => "method",
                FuncKind::Method(_, true) => "mutating method",
                FuncKind::Interface(_) => "method of an interface",
                FuncKind::Generic => "generic function",
                FuncKind::Dispatch(_) => "value of an interface",
                FuncKind::Custom(_) => "custom derivatives",
                FuncKind::Slope(_, true) => "fwd_diff inside",
                FuncKind::Slope(..) => "bwd_diff inside",
            };
            self.count(declared.to_string(), 0, p.second);
            if let Some(home) = f.home.and_then(|h| p.homes.get(h)) {
                let held = if home.is_space { "function in a name space" } else { "static method" };
                self.count(held.to_string(), 0, p.second);
            }
            for param in &f.params {
                self.count(format!("{:?} parameter", param.mode).to_lowercase(), 0, p.second);
            }
            self.node(&f.body, 0, 0, p.second);
        }
    }

    fn count(&mut self, what: String, shape: usize, second: bool) {
        let cell = &mut self.0.entry(what).or_default()[shape];
        cell[0] += 1;
        cell[1] += u64::from(second);
    }

    fn node(&mut self, n: &Node, shape: usize, loops: usize, second: bool) {
        let inside = |kind: usize| if loops > 0 { 7 } else { kind };
        let name = match &n.kind {
            Kind::Spell(text) | Kind::Builtin(text) => match text.find(|c: char| c.is_alphabetic()) {
                // The function that matters is the last one whose name stands before `(`.
                Some(_) => function_of(text),
                None => (*text).to_string(),
            },
            Kind::Un(op) | Kind::Bin(op) | Kind::Assign(op) => (*op).to_string(),
            Kind::Call(_) => "call".into(),
            Kind::Index => match n.kids[0].ty {
                Ty::Array(..) => "array element",
                _ => "component by index",
            }
            .into(),
            Kind::Field(_) => "field".into(),
            Kind::Swizzle(_) => "swizzle".into(),
            Kind::Cond => "?:".into(),
            Kind::Cast => "conversion".into(),
            Kind::Make | Kind::Braces => "made of parts".into(),
            Kind::Decl(_) => "declaration".into(),
            Kind::If => "if".into(),
            Kind::For(_) => "for".into(),
            Kind::While(_) => "while".into(),
            Kind::Do(_) => "do".into(),
            Kind::Switch => "switch".into(),
            Kind::Break => "break".into(),
            Kind::Continue => "continue".into(),
            Kind::Return if shape > 0 => "early return".into(),
            _ => String::new(),
        };
        if !name.is_empty() {
            self.count(name, shape, second);
        }
        let (inner, around) = match &n.kind {
            Kind::If => (if loops > 0 { shape } else { 1 }, loops),
            Kind::Switch => (2, loops),
            Kind::For(_) => (inside(if matches!(n.kids[0].kind, Kind::Int(_)) { 3 } else { 4 }), loops + 1),
            Kind::While(_) => (inside(5), loops + 1),
            Kind::Do(_) => (inside(6), loops + 1),
            _ => (shape, loops),
        };
        n.kids.iter().for_each(|k| self.node(k, inner, around, second));
    }

    pub fn merge(&mut self, other: &Coverage) {
        for (name, cells) in &other.0 {
            let mine = self.0.entry(name.clone()).or_default();
            for (a, b) in mine.iter_mut().zip(cells) {
                a[0] += b[0];
                a[1] += b[1];
            }
        }
    }

    /// Each construct, with its counts in all programs and in those whose second derivatives were
    /// checked.
    pub fn sums(&self) -> impl Iterator<Item = (&str, [u64; 2])> {
        let sum = |cells: &[[u64; 2]], i: usize| cells.iter().map(|c| c[i]).sum();
        self.0.iter().map(move |(name, cells)| (name.as_str(), [sum(cells, 0), sum(cells, 1)]))
    }
}

/// The builtin function in a text.
fn function_of(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').collect();
    let known = |w: &&&str| {
        w.chars().next().is_some_and(char::is_alphabetic) && !matches!(**w, "real" | "low" | "int" | "no_diff")
    };
    match words.iter().find(known) {
        Some(word) => (*word).to_string(),
        None => text.replace("real(0.25) * ", "").replace("real(0.5) * ", ""),
    }
}
