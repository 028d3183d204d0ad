//! Where values come from: which depend on an input whose derivative is wanted.
//!
//! The others (a texel's coordinates, a random number, a switch's label) are never worth storing:
//! what they are made of is at hand.

use crate::analysis::stage;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::carried::bounds;
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, OpId, SymbolOp, ValueId};

/// By value: it depends on an active input, be it through a condition.
pub fn active(symbol: &SymbolOp) -> Vec<bool> {
    let body = &symbol.body;
    let mut active = vec![false; body.num_values()];
    let Some(entry) = body.entry() else { return active };
    let mask = stage::mask_of(symbol, stage::ACTIVE);
    for (&arg, wanted) in body.args(entry).iter().zip(mask) {
        active[arg.index()] = wanted;
    }
    let ops = body.walk_all();
    // Loops carry it over their back edge: repeat until nothing changes.
    loop {
        let mut changed = false;
        for &op in &ops {
            changed |= step(body, op, &mut active);
        }
        if !changed {
            return active;
        }
    }
}

fn step(body: &Body, op: OpId, active: &mut [bool]) -> bool {
    let data = body.op(op);
    let mut changed = false;
    let mut mark = |active: &mut [bool], v: ValueId| changed |= !std::mem::replace(&mut active[v.index()], true);
    let any = |active: &[bool], vs: &[ValueId]| vs.iter().any(|&v| active[v.index()]);
    if data.regions.is_empty() {
        let differentiated = ad::JvpCall::is(body, op) && data.results.iter().any(|&r| is_tangent(body.ty(r)));
        if differentiated || any(active, &data.operands) {
            data.results.iter().for_each(|&r| mark(active, r));
        }
        return changed;
    }
    // What decides about all that the op gives, where its operands and its regions' arguments
    // begin, and the terminators.
    let blocks: Vec<BlockId> = (0..data.regions.len()).filter_map(|k| body.region_block(op, k)).collect();
    let ends: Vec<&[ValueId]> = blocks.iter().filter_map(|&b| body.terminator(b)).map(|t| body.operands(t)).collect();
    let (deciding, inits, first_arg) = match () {
        _ if scf::For::is(body, op) => (bounds(body, op), scf::For(op).inits(body), 1),
        _ if scf::While::is(body, op) => (ends.first().map_or(&[][..], |e| &e[..1]), &data.operands[..], 0),
        _ => (&data.operands[..], &[][..], 0),
    };
    let decided = any(active, deciding);
    for (i, &r) in data.results.iter().enumerate() {
        let mut slots = vec![r];
        if scf::For::is(body, op) || scf::While::is(body, op) {
            slots.extend(blocks.iter().filter_map(|&b| body.args(b).get(first_arg + i)));
            slots.extend(inits.get(i));
        }
        // A while's condition hands on what it got, behind the condition itself.
        let yields = if scf::While::is(body, op) { &ends[ends.len().saturating_sub(1)..] } else { &ends[..] };
        slots.extend(yields.iter().filter_map(|e| e.get(i)));
        if decided || any(active, &slots) {
            mark(active, r);
            blocks.iter().filter_map(|&b| body.args(b).get(first_arg + i)).for_each(|&a| mark(active, a));
        }
    }
    changed
}
