//! How functions are called: parameters in the order in which the programmer wrote them, results
//! that are returned and results that are left in a place.
//!
//! Invariant: what a caller hands over and what a callee declares follow from one [`Plan`].

use crate::tree::Passed;
use crate::types::{Ty, is_unsigned};
use caustic_dialects::agg::{StorageParams, as_slot};
use caustic_dialects::reflect::DataType;
use caustic_dialects::signature::{Direction, PARAMS, WRITTEN, WRITTEN_RESULT};
use caustic_ir::{Name, SymbolOp};

/// A parameter as text has it.
#[derive(Clone, Debug)]
pub struct TextParam {
    /// The input that it brings.
    pub input: Option<usize>,
    /// The result that it takes back.
    pub result: Option<usize>,
    pub name: Option<Name>,
    pub passed: Passed,
    pub ty: Ty,
    /// The type that the programmer wrote, if it has unsigned integers.
    pub written: Option<DataType>,
    /// Whether its integers are unsigned, if the program says it.
    pub says: Option<bool>,
}

/// How a function is declared.
#[derive(Clone, Debug)]
pub struct Plan {
    pub params: Vec<TextParam>,
    /// The result that is returned.
    pub returned: Option<(usize, Ty)>,
    /// The parameter that takes back what the programmer's function returns.
    pub own_result: Option<usize>,
    /// The type that the programmer wrote for it, if it has unsigned integers.
    pub written_result: Option<DataType>,
}

impl Plan {
    /// `unsigned` says of each input, then of each result, whether its integers are, where the
    /// program does not.
    pub fn of(symbol: &SymbolOp, unsigned: &dyn Fn(bool, usize) -> bool) -> Option<Plan> {
        let (inputs, results) = symbol.function_type()?;
        let storage = StorageParams::of(symbol);
        let carried = |i: usize| storage.as_ref().and_then(|s| s.results.get(i).copied().flatten());
        let in_slots: Vec<usize> = storage.iter().flat_map(|s| s.results.iter().flatten().copied()).collect();
        let all = results.len() + in_slots.len();
        let written: Vec<usize> = (0..all).filter(|j| !in_slots.contains(j)).collect();
        let mut made = Plan { params: Vec::new(), returned: None, own_result: None, written_result: None };
        let mut taken_inputs = vec![false; inputs.len()];
        let mut taken_results = vec![false; results.len()];
        let entries: Vec<Entry> =
            symbol.attr(PARAMS).and_then(|a| a.as_array()).unwrap_or_default().iter().map(entry).collect();
        let outs = entries.iter().filter(|e| e.dir != Direction::In).count();
        let (mut input, mut result) = (0, all.checked_sub(outs)?);
        for entry in entries {
            let dir = entry.dir;
            let own_input = (dir != Direction::Out).then(|| {
                input += 1;
                input - 1
            });
            let own_result = (dir != Direction::In).then(|| {
                result += 1;
                result - 1
            });
            // A result in storage is in the slot that carries it.
            let slot = own_result.and_then(|j| (0..inputs.len()).find(|&i| carried(i) == Some(j)));
            let current = own_result.and_then(|j| written.iter().position(|&w| w == j));
            let own_input = own_input.or(slot).filter(|&i| i < inputs.len() && !taken_inputs[i]);
            if own_input.is_none() && current.is_none() {
                continue;
            }
            own_input.into_iter().for_each(|i| taken_inputs[i] = true);
            current.into_iter().for_each(|k| taken_results[k] = true);
            made.push(symbol, (own_input, current), entry, &carried, unsigned)?;
        }
        // What a function returns in storage is left there, and not read.
        let is_own = |i: usize| symbol.attr(PARAMS).is_some() && carried(i).is_some_and(|j| j + outs < all);
        for i in (0..inputs.len()).filter(|&i| !taken_inputs[i]) {
            let dir = if is_own(i) { Direction::Out } else { Direction::In };
            let before = made.params.len();
            made.push(symbol, (Some(i), None), Entry { dir, ..Entry::default() }, &carried, unsigned)?;
            made.own_result = made.own_result.or(Some(before).filter(|_| is_own(i)));
        }
        let rest: Vec<usize> = (0..results.len()).filter(|&k| !taken_results[k]).collect();
        if let [only] = rest[..] {
            made.written_result = symbol.attr(WRITTEN_RESULT).and_then(DataType::from_attr);
            let says = said(made.written_result.as_ref(), symbol.attr(PARAMS).is_some());
            made.returned = Some((only, Ty::of(results[only], says.unwrap_or_else(|| unsigned(false, only)))?));
        } else {
            for k in rest {
                made.push(symbol, (None, Some(k)), Entry::default(), &carried, unsigned)?;
            }
        }
        Some(made)
    }

    fn push(
        &mut self,
        symbol: &SymbolOp,
        (input, result): (Option<usize>, Option<usize>),
        Entry { name, dir, written }: Entry,
        carried: &dyn Fn(usize) -> Option<usize>,
        unsigned: &dyn Fn(bool, usize) -> bool,
    ) -> Option<()> {
        let (inputs, results) = symbol.function_type()?;
        let slot = input.filter(|&i| as_slot(inputs[i]).is_some());
        // A result may take the place of a parameter that is only given: that one comes in there.
        let comes_in = |i: usize| StorageParams::of(symbol).is_some_and(|s| i < s.inputs);
        let passed = match (slot, input, result) {
            (Some(i), ..) if carried(i).is_some() && dir == Direction::Out && !comes_in(i) => Passed::Out,
            (Some(i), ..) if carried(i).is_some() => Passed::InOut,
            (Some(_), ..) => Passed::Constant,
            (_, Some(_), Some(_)) => Passed::InOut,
            (_, None, _) => Passed::Out,
            (_, Some(_), None) => Passed::Value,
        };
        let says = said(written.as_ref(), name.is_some());
        let ty = match (input, result) {
            (Some(i), _) => Ty::of(inputs[i], says.unwrap_or_else(|| unsigned(true, i)))?,
            (None, Some(k)) => Ty::of(results[k], says.unwrap_or_else(|| unsigned(false, k)))?,
            (None, None) => return None,
        };
        let hint = input.and_then(|i| {
            let entry = symbol.body.entry()?;
            symbol.body.value(*symbol.body.args(entry).get(i)?).hint
        });
        let returned = result.and_then(|k| {
            let end = symbol.body.entry().and_then(|block| symbol.body.terminator(block))?;
            symbol.body.value(*symbol.body.operands(end).get(k)?).hint
        });
        self.params.push(TextParam { input, result, name: name.or(hint).or(returned), passed, ty, written, says });
        Some(())
    }

    /// Whether a call is a statement: nothing is returned, or places are handed over.
    pub fn takes_places(&self) -> bool {
        self.returned.is_none() || self.params.iter().any(|p| p.passed != Passed::Value)
    }

    /// Which parameter takes a result back.
    pub fn place_of_result(&self, result: usize) -> Option<&TextParam> {
        self.params.iter().find(|p| p.result == Some(result))
    }
}

/// Whether integers of a type are unsigned, which is written down if they are. Arrays do not become
/// arrays of another type by a conversion, so those of functions are as all others.
fn said(written: Option<&DataType>, declared: bool) -> Option<bool> {
    match written {
        Some(DataType::Array { .. }) => None,
        Some(ty) => Some(is_unsigned(ty)),
        None => declared.then_some(false),
    }
}

/// A parameter as the programmer wrote it.
struct Entry {
    name: Option<Name>,
    dir: Direction,
    written: Option<DataType>,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry { name: None, dir: Direction::In, written: None }
    }
}

fn entry(attr: &caustic_ir::Attr) -> Entry {
    let name = attr.get("name").and_then(|n| n.as_str()).filter(|n| !n.is_empty()).map(Name::new);
    let dir = attr.get("dir").and_then(|d| d.as_str()).and_then(Direction::from_keyword);
    let written = attr.get(WRITTEN).and_then(DataType::from_attr);
    Entry { name, dir: dir.unwrap_or(Direction::In), written }
}
