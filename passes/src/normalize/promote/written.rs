//! What functions write of their `inout` parameters.
//!
//! A call copies such a parameter in and out. Where the argument lies in memory, only what the
//! function may write goes back: another thread, or a pointer that the function has, may have
//! written the rest meanwhile. Parts are paths of fields and components; an element whose index is
//! computed stands for the whole array. Nothing here knows what pointers are.

use super::{directions_of, hl};
use caustic_dialects::agg;
use caustic_dialects::signature::Direction;
use caustic_ir::{Body, Module, Name, SymbolOp, ValueId};
use rustc_hash::FxHashMap;

/// Parts that are written, none within another; an empty path is the whole.
pub type Parts = Vec<Vec<i64>>;

/// More parts than these are taken for the whole.
const MOST: usize = 8;

/// What a call has to know of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Callee {
    /// Of its parameters, as written.
    pub directions: Vec<Direction>,
    /// For each parameter what is written of it, where that is known.
    pub written: Option<Vec<Parts>>,
}

/// The function-like symbols of a module; all that promotion knows of other symbols.
pub type Callees = FxHashMap<Name, Callee>;

pub fn callees(module: &Module) -> Callees {
    let mut found = Callees::default();
    let mut bodies: Vec<&SymbolOp> = Vec::new();
    for symbol in module.symbols() {
        let Some(directions) = directions_of(symbol) else { continue };
        // Before anything is known of the others nobody writes anything.
        let has_body = std::ptr::eq(symbol.def, hl::Func::DEF) && symbol.body.entry().is_some();
        let written = has_body.then(|| vec![Parts::new(); directions.len()]);
        if has_body && directions.iter().any(|&d| d != Direction::In) {
            bodies.push(symbol);
        }
        found.insert(symbol.name, Callee { directions, written });
    }
    // What is written only grows, and there are only so many parts.
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for symbol in &bodies {
            let written = written_by(symbol, &found);
            if let Some(known) = found.get_mut(&symbol.name)
                && known.written.as_ref() != Some(&written)
            {
                known.written = Some(written);
                changed = true;
            }
        }
    }
    found
}

/// A part of a parameter: its number, the path, and whether parts of it have paths.
type Place = (usize, Vec<i64>, bool);

fn written_by(symbol: &SymbolOp, known: &Callees) -> Vec<Parts> {
    let body = &symbol.body;
    let directions = known.get(&symbol.name).map_or(&[][..], |c| &c.directions);
    let mut written: Vec<Parts> = directions.iter().map(|_| Parts::new()).collect();
    let Some(entry) = body.entry() else { return written };
    let mut places: FxHashMap<ValueId, Place> = FxHashMap::default();
    for (n, &arg) in body.args(entry).iter().enumerate() {
        if hl::as_ref(body.ty(arg)).is_some() {
            places.insert(arg, (n, Vec::new(), true));
        }
        // What begins as zero is written as a whole.
        if directions.get(n) == Some(&Direction::Out) {
            written[n] = vec![Vec::new()];
        }
    }
    for op in body.walk_all() {
        if hl::Load::is(body, op) {
            continue;
        }
        let callee = body.callee(op).and_then(|name| known.get(&name));
        for (k, operand) in body.operands(op).iter().enumerate() {
            let Some((n, path, has_paths)) = places.get(operand).cloned() else { continue };
            if hl::Field::is(body, op) || hl::Element::is(body, op) {
                let step = has_paths.then(|| step(body, op)).flatten();
                let inner = path.iter().copied().chain(step).collect();
                places.insert(body.result(op, 0), (n, inner, step.is_some()));
                continue;
            }
            let parts = callee.and_then(|c| c.written.as_ref()).and_then(|w| w.get(k));
            match parts.filter(|_| hl::Call::is(body, op)) {
                Some(parts) if has_paths => parts.iter().for_each(|p| add(&mut written, n, [&path[..], p].concat())),
                Some(parts) if parts.is_empty() => {}
                _ => add(&mut written, n, path),
            }
        }
    }
    written
}

/// The field or component that an address leads to, if it is one of the type.
fn step(body: &Body, op: caustic_ir::OpId) -> Option<i64> {
    let index = hl::Field::cast(body, op)?.index(body).filter(|&i| i >= 0)?;
    let whole = hl::as_ref(body.ty(body.operand(op, 0)))?;
    agg::part_type(whole, index).map(|_| index)
}

fn add(written: &mut [Parts], n: usize, path: Vec<i64>) {
    let Some(parts) = written.get_mut(n) else { return };
    if parts.iter().any(|p| path.starts_with(p)) {
        return;
    }
    parts.retain(|p| !p.starts_with(&path));
    parts.push(path);
    parts.sort();
    if parts.len() > MOST {
        *parts = vec![Vec::new()];
    }
}
