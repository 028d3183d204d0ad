//! Where numbers that are not finite come from.
//!
//! A watched thread keeps, beside each value of its frames that is not finite, the op that made the
//! first such number on the way to it. What a select or a branch leaves out is never asked about:
//! only a number that comes to a buffer is a trap. An infinity that the program reads or writes
//! down is meant and passes.
//!
//! Large values are not looked through: one of more than [`LOOKED_THROUGH`] scalars counts as not
//! finite once such a number was put into it, and what is taken out of it is looked at again.
//!
//! It knows no op: one without operands that are numbers gives what it reads, every other one makes
//! what it gives.

use crate::code::{Code, Instr};
use crate::machine::Thread;
use caustic_ir::Loc;
use caustic_ir::eval::{Eval, RegionEnd, Trap, Val};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// Scalars of a value that are looked at, at most.
const LOOKED_THROUGH: usize = 64;

/// What a value is, as far as it was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Finite,
    Infinite,
    Nan,
    /// Too large to be looked through.
    Large,
}

impl Kind {
    pub fn of(value: &Val) -> Kind {
        Kind::within(value, &mut LOOKED_THROUGH.clone())
    }

    fn within(value: &Val, budget: &mut usize) -> Kind {
        match value {
            Val::Float(x) if x.is_nan() => Kind::Nan,
            Val::Float(x) if x.is_infinite() => Kind::Infinite,
            Val::Agg(parts) => {
                let mut kind = Kind::Finite;
                for part in parts.iter() {
                    let Some(rest) = budget.checked_sub(1) else { return Kind::Large };
                    *budget = rest;
                    match Kind::within(part, budget) {
                        Kind::Finite => {}
                        Kind::Infinite => kind = Kind::Infinite,
                        worst => return worst,
                    }
                }
                kind
            }
            _ => Kind::Finite,
        }
    }
}

/// Where a number that is not finite began.
#[derive(Clone)]
pub(crate) enum Origin {
    /// The op that made it, and the values that it made it of.
    Made(Arc<Made>),
    /// The program read it, or has it written down.
    Given(Loc),
}

pub(crate) struct Made {
    loc: Loc,
    what: &'static str,
    of: Vec<String>,
    result: String,
}

#[derive(Default)]
pub(crate) struct Watch {
    /// By slot of all frames, as the values are.
    origins: Vec<Option<Origin>>,
    /// Those of the values that were handed on last: an op's operands, a terminator's.
    handed: Vec<Option<Origin>>,
    /// Of what lies in local storage, by its handle.
    cells: FxHashMap<usize, Origin>,
    /// Whether the op that has just run ran blocks or functions.
    nested: bool,
}

impl Watch {
    /// The frames of all active calls are that long now.
    pub fn resize(&mut self, frames: usize) {
        self.origins.resize(frames, None);
    }

    /// A block has ended.
    pub fn left_block(&mut self) {
        self.nested = true;
    }

    fn put(&mut self, slot: usize, origin: Option<Origin>) {
        if let Some(place) = self.origins.get_mut(slot) {
            *place = origin;
        }
    }

    /// The origin of the value number `index` of `count` that another block or function handed on.
    /// Such lists agree at their ends: in front of them may stand what is not carried (bounds,
    /// conditions).
    fn handed_on(&self, index: usize, count: usize) -> Option<Origin> {
        let at = (self.handed.len() + index).checked_sub(count)?;
        self.handed.get(at).cloned().flatten()
    }

    /// A block's argument has got its value.
    pub fn argument(&mut self, slot: Option<usize>, value: &Val, index: usize, count: usize) {
        let Some(slot) = slot else { return };
        let origin = if Kind::of(value) == Kind::Finite { None } else { self.handed_on(index, count) };
        self.put(slot, origin);
    }

    /// The trap for a value that goes to the element `index` of `buffer`, if it is one.
    pub fn stored(&self, value: &Val, buffer: &str, index: i64, loc: Loc) -> Option<Trap> {
        let kind = Kind::of(value);
        if !matches!(kind, Kind::Nan | Kind::Infinite) {
            return None;
        }
        let place = format!("element {index} of `{buffer}`");
        match self.handed.iter().flatten().next() {
            Some(Origin::Made(made)) => {
                let derivative = if made.loc.is_derived() { " in a derivative" } else { "" };
                let of = made.of.join(", ");
                let here =
                    if made.loc.source() == loc.source() { "here".into() } else { format!("at {}", loc.start_text()) };
                let text =
                    format!("`{}` of ({of}) is {}{derivative}; it comes to {place} {here}", made.what, made.result);
                Some(Trap::new(made.loc, text))
            }
            // Infinities are given as bounds; a NaN is nobody's wish.
            Some(Origin::Given(_)) | None if kind == Kind::Infinite => None,
            Some(Origin::Given(from)) => Some(Trap::new(*from, format!("a NaN is read, and comes to {place}"))),
            None => Some(Trap::new(loc, format!("a NaN comes to {place}"))),
        }
    }
}

/// A value for a message: scalars and short vectors as they are.
fn show(value: &Val) -> String {
    match value {
        Val::Int(v) => v.to_string(),
        Val::Float(v) if v.is_nan() => "NaN".into(),
        Val::Float(v) => format!("{v:?}"),
        Val::Agg(parts) if parts.len() <= 16 => {
            format!("[{}]", parts.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        Val::Agg(_) | Val::Handle(_) => "…".into(),
    }
}

/// An operand before its op runs, which may move it away.
struct Before {
    kind: Kind,
    origin: Option<Origin>,
    text: Option<String>,
    /// The address of a handle.
    cell: Option<usize>,
    is_number: bool,
}

fn has_floats(value: &Val) -> bool {
    match value {
        Val::Float(_) => true,
        Val::Agg(parts) => parts.first().is_some_and(has_floats) || parts.iter().skip(1).take(15).any(has_floats),
        _ => false,
    }
}

impl<'a, 'm> Thread<'a, 'm> {
    /// What [`Thread::run_instrs`] does, watching.
    pub(crate) fn run_watched(&mut self, code: &'a Code<'m>, instrs: &'a [Instr]) -> Result<Option<RegionEnd>, Trap> {
        for instr in instrs {
            let before = self.operands_of(instr);
            if let Some(watch) = &mut self.watch {
                watch.nested = false;
                watch.handed.clear();
                watch.handed.extend(before.iter().map(|b| b.origin.clone()));
            }
            if let Some(end) = self.run_instr(code, instr)? {
                return Ok(Some(end));
            }
            self.results_of(instr, &before);
        }
        Ok(None)
    }

    fn operands_of(&self, instr: &Instr) -> SmallVec<[Before; 3]> {
        let Some(watch) = &self.watch else { return SmallVec::new() };
        let one = |slot: usize| {
            let value = self.values.get(slot)?.as_ref()?;
            let kind = Kind::of(value);
            let origin = watch.origins.get(slot).cloned().flatten();
            let cell =
                if let Val::Handle(handle) = value { Some(Arc::as_ptr(handle).cast::<()>() as usize) } else { None };
            // Kept for the message, since the op may move the value away; only what is short.
            let text = matches!(instr.eval, Eval::Scalar(_)).then(|| show(value));
            Some(Before { kind, origin, text, cell, is_number: has_floats(value) })
        };
        let missing = || Before { kind: Kind::Finite, origin: None, text: None, cell: None, is_number: false };
        let slots = instr.operands.iter().map(|o| self.base + o.slot as usize);
        slots.map(|slot| one(slot).unwrap_or_else(missing)).collect()
    }

    fn results_of(&mut self, instr: &Instr, before: &[Before]) {
        let (base, values) = (self.base, &self.values);
        let Some(watch) = &mut self.watch else { return };
        let count = instr.results.len();
        for (index, slot) in instr.results.iter().enumerate() {
            let Some(slot) = slot.map(|s| base + s as usize) else { continue };
            let Some(value) = values.get(slot).and_then(Option::as_ref) else { continue };
            let origin = match Kind::of(value) {
                Kind::Finite => None,
                _ if watch.nested => watch.handed_on(index, count),
                kind => origin_of(watch, instr, before, kind, value),
            };
            watch.put(slot, origin);
        }
        // What goes into local storage is found there again.
        if let Some(origin) = before.iter().find_map(|b| b.origin.clone()) {
            for cell in before.iter().filter_map(|b| b.cell) {
                watch.cells.insert(cell, origin.clone());
            }
        }
    }
}

/// The origin of an op's result that is not finite.
fn origin_of(watch: &Watch, instr: &Instr, before: &[Before], kind: Kind, value: &Val) -> Option<Origin> {
    let inherited = |same: bool| before.iter().filter(|b| !same || b.kind == kind).find_map(|b| b.origin.clone());
    if kind == Kind::Large {
        return inherited(false);
    }
    if let Some(origin) = inherited(true) {
        return Some(origin);
    }
    // A NaN of an infinity that was meant is made here.
    match inherited(false) {
        Some(Origin::Given(_)) if kind == Kind::Nan => {}
        Some(origin) => return Some(origin),
        None => {}
    }
    if !before.iter().any(|b| b.is_number) {
        let stored = before.iter().filter_map(|b| b.cell).find_map(|cell| watch.cells.get(&cell));
        return Some(stored.cloned().unwrap_or(Origin::Given(instr.loc)));
    }
    let what = instr.def.name.split_once('.').map_or(instr.def.name, |(_, short)| short);
    let of = before.iter().map(|b| b.text.clone().unwrap_or_else(|| "…".into())).collect();
    Some(Origin::Made(Arc::new(Made { loc: instr.loc, what, of, result: show(value) })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let agg = |v: &[f64]| Val::agg(v.iter().map(|&x| Val::Float(x)).collect());
        assert_eq!(Kind::of(&agg(&[1.0, f64::INFINITY, f64::NAN])), Kind::Nan);
        assert_eq!(Kind::of(&agg(&[1.0, f64::INFINITY])), Kind::Infinite);
        assert_eq!(Kind::of(&Val::agg(vec![agg(&[0.0; 60]), agg(&[f64::NAN; 60])])), Kind::Nan);
        assert_eq!(Kind::of(&agg(&[0.0; 100])), Kind::Large);
        assert_eq!(Kind::of(&Val::Int(3)), Kind::Finite);
    }
}
