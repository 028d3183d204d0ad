//! Structural equality of modules and bodies: the same ops in the same order, with the same types,
//! attributes and data flow.
//!
//! Ids, dead slots, name hints and the order of attributes do not count; locations do if asked for.

use crate::body::{Attrs, BlockId, Body, OpId, RegionId, ValueId};
use crate::module::{Module, SymbolOp};
use rustc_hash::FxHashMap;

/// The first place where the modules differ, in words; None if they are equal.
pub fn first_difference(a: &Module, b: &Module, locations: bool) -> Option<String> {
    if a.name != b.name {
        return Some(format!("module names: {:?} and {:?}", a.name, b.name));
    }
    attrs_difference(&a.attrs, &b.attrs).map(|d| format!("module: {d}")).or_else(|| {
        if a.symbols().len() != b.symbols().len() {
            return Some(format!("{} and {} symbols", a.symbols().len(), b.symbols().len()));
        }
        a.symbols().iter().zip(b.symbols()).find_map(|(x, y)| symbol_difference(x, y, locations))
    })
}

pub fn symbol_difference(a: &SymbolOp, b: &SymbolOp, locations: bool) -> Option<String> {
    let found = if a.name != b.name || a.def.name != b.def.name {
        Some(format!("{} @{} and {} @{}", a.def.name, a.name, b.def.name, b.name))
    } else if locations && a.loc != b.loc {
        Some(format!("locations {:?} and {:?}", a.loc.kind(), b.loc.kind()))
    } else {
        attrs_difference(&a.attrs, &b.attrs)
            .or_else(|| match (&a.nested, &b.nested) {
                (None, None) => None,
                (Some(x), Some(y)) => first_difference(x, y, locations),
                _ => Some("only one has a symbol table".to_string()),
            })
            .or_else(|| body_difference(&a.body, &b.body, locations))
    };
    found.map(|d| format!("@{}: {d}", a.name))
}

fn attrs_difference(a: &Attrs, b: &Attrs) -> Option<String> {
    if a == b {
        return None;
    }
    let sorted = |attrs: &Attrs| {
        let mut attrs = attrs.clone();
        attrs.sort_by_key(|(n, _)| *n);
        attrs
    };
    let (x, y) = (sorted(a), sorted(b));
    (x != y).then(|| format!("attributes {x:?} and {y:?}"))
}

pub fn body_difference(a: &Body, b: &Body, locations: bool) -> Option<String> {
    let mut comparer = Comparer { a, b, locations, values: FxHashMap::default(), ops: Vec::new() };
    comparer.regions(a.root(), b.root()).or_else(|| comparer.rest())
}

struct Comparer<'c> {
    a: &'c Body,
    b: &'c Body,
    locations: bool,
    values: FxHashMap<ValueId, ValueId>,
    /// Pairs whose regions are still to be compared; a stack, so that depth costs no stack frames.
    ops: Vec<(OpId, OpId)>,
}

impl Comparer<'_> {
    fn rest(&mut self) -> Option<String> {
        while let Some((x, y)) = self.ops.pop() {
            if let Some(found) = self.op(x, y) {
                return Some(format!("{}: {found}", self.a.op(x).def.name));
            }
        }
        None
    }

    fn regions(&mut self, x: RegionId, y: RegionId) -> Option<String> {
        let (xs, ys) = (&self.a.region(x).blocks, &self.b.region(y).blocks);
        if xs.len() != ys.len() {
            return Some(format!("{} and {} blocks", xs.len(), ys.len()));
        }
        let mut pairs = Vec::new();
        for (&x, &y) in xs.iter().zip(ys) {
            if let Some(found) = self.block(x, y, &mut pairs) {
                return Some(found);
            }
        }
        self.ops.extend(pairs.into_iter().rev());
        None
    }

    fn block(&mut self, x: BlockId, y: BlockId, pairs: &mut Vec<(OpId, OpId)>) -> Option<String> {
        if let Some(found) = self.define(self.a.args(x), self.b.args(y)) {
            return Some(format!("arguments: {found}"));
        }
        let (xs, ys) = (self.a.block_ops(x), self.b.block_ops(y));
        if xs.len() != ys.len() {
            return Some(format!("{} and {} ops in a block", xs.len(), ys.len()));
        }
        // Results are paired first: a use may come before its definition in what is not valid.
        for (&x, &y) in xs.iter().zip(&ys) {
            let (da, db) = (self.a.op(x), self.b.op(y));
            if da.def.name != db.def.name {
                return Some(format!("{} and {}", da.def.name, db.def.name));
            }
            if let Some(found) = self.define(&da.results, &db.results) {
                return Some(format!("{}: results: {found}", da.def.name));
            }
            pairs.push((x, y));
        }
        None
    }

    fn define(&mut self, xs: &[ValueId], ys: &[ValueId]) -> Option<String> {
        if xs.len() != ys.len() {
            return Some(format!("{} and {} values", xs.len(), ys.len()));
        }
        for (&x, &y) in xs.iter().zip(ys) {
            if self.a.ty(x) != self.b.ty(y) {
                return Some(format!("types {} and {}", self.a.ty(x), self.b.ty(y)));
            }
            self.values.insert(x, y);
        }
        None
    }

    fn op(&mut self, x: OpId, y: OpId) -> Option<String> {
        let (da, db) = (self.a.op(x), self.b.op(y));
        let same_operands = da.operands.len() == db.operands.len()
            && da.operands.iter().zip(&db.operands).all(|(v, w)| self.values.get(v) == Some(w));
        if !same_operands {
            return Some("operands".to_string());
        }
        if let Some(found) = attrs_difference(&da.attrs, &db.attrs) {
            return Some(found);
        }
        if self.locations && da.loc != db.loc {
            return Some(format!("locations {:?} and {:?}", da.loc.kind(), db.loc.kind()));
        }
        if da.regions.len() != db.regions.len() {
            return Some(format!("{} and {} regions", da.regions.len(), db.regions.len()));
        }
        da.regions.iter().zip(&db.regions).find_map(|(&x, &y)| self.regions(x, y))
    }
}
