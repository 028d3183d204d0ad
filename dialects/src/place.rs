//! Places: where in memory, or in an aggregate, an op acts, as its row's field `memory` says.
//!
//! This module must not know: any op by name.

use caustic_ir::op::{Access, MemoryUse};
use caustic_ir::{Body, OpId, ValueId};

/// An entry of a row's `memory`, at an op.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    /// The slot, buffer or aggregate; of a part of an aggregate, the part.
    pub base: ValueId,
    pub access: Access,
    /// The index that chooses an element of the base first.
    pub element: Option<ValueId>,
    /// The steps from there to the part; a negative one is given by the next of `indices`. `None`
    /// if the row names no path: the whole is meant.
    pub path: Option<Vec<i64>>,
    pub indices: &'a [ValueId],
}

/// What the row says of operand `n`, and the operand's number among several that the entry stands
/// for.
pub fn memory_use(body: &Body, op: OpId, n: usize) -> Option<(&'static MemoryUse, usize)> {
    let def = body.op(op).def;
    let covers = |u: &&MemoryUse| u.operand == n || (u.operand < n && def.operands[u.operand].variadic);
    def.memory.iter().find(covers).map(|u| (u, n - u.operand))
}

/// The steps that an attribute of the op has; none if it is missing.
fn steps(body: &Body, op: OpId, path: &str) -> Vec<i64> {
    body.attr(op, path).and_then(|a| a.as_i64_array()).unwrap_or_default()
}

/// The places of an op, in the order of its row. What stands for several operands is no place of
/// its own.
pub fn places(body: &Body, op: OpId) -> Vec<Place<'_>> {
    let def = body.op(op).def;
    let operands = body.operands(op);
    let fixed = def.operands.iter().filter(|o| !o.variadic).count();
    let mut rest = operands.get(fixed..).unwrap_or_default();
    // The part and the aggregate that it goes into have one path.
    let mut last: Option<(&str, &[ValueId])> = None;
    let mut found = Vec::new();
    for entry in def.memory.iter().filter(|u| !def.operands[u.operand].variadic) {
        let Some(&base) = operands.get(entry.operand) else { continue };
        let path = entry.path.map(|name| (name, steps(body, op, name)));
        let indices = match (&path, last) {
            (None, _) => &[],
            (Some((name, _)), Some((same, indices))) if *name == same => indices,
            (Some((name, steps)), _) => {
                let dynamic = steps.iter().filter(|&&step| step < 0).count();
                let (own, others) = rest.split_at(dynamic.min(rest.len()));
                rest = others;
                last = Some((name, own));
                own
            }
        };
        let element = entry.element.and_then(|n| operands.get(n)).copied();
        found.push(Place { base, access: entry.access, element, path: path.map(|(_, steps)| steps), indices });
    }
    found
}

/// The first place of an op that is accessed in one of these ways.
pub fn place_of<'a>(body: &'a Body, op: OpId, accesses: &[Access]) -> Option<Place<'a>> {
    let has = body.op(op).def.memory.iter().any(|u| accesses.contains(&u.access));
    let mut all = if has { places(body, op) } else { Vec::new() };
    let at = all.iter().position(|p| accesses.contains(&p.access))?;
    Some(all.swap_remove(at))
}
