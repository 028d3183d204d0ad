//! What the reverse pass stores, and why: read off the marks, so that it is true whoever made them.

use super::schedule::{Schedule, iterations, state_bytes};
use super::slices::Rerun;
use super::{Facts, Report};
use crate::analysis::cost::{self, Frequencies};
use crate::analysis::effects::Effect;
use crate::analysis::stage;
use crate::autodiff::forward::Choice;
use crate::autodiff::unzip::needs::{Needs, is_recomputed, is_replayed, snapshots};
use crate::autodiff::unzip::{follows, slice};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::agg::needs_storage;
use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, Loc, Name, OpId, Type, ValueDef, ValueId};

/// One thing that is stored.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The instance that stores it.
    pub function: Name,
    pub name: String,
    pub loc: Loc,
    /// As the value is; a context has no type yet.
    pub ty: Option<Type>,
    /// Of one value.
    pub bytes: u64,
    /// How often in one call, or a guess if `counted` is false.
    pub times: u64,
    pub counted: bool,
    pub reason: String,
    pub(in crate::autodiff) block: BlockId,
}

/// What linear code reads of the primal values and has no other way to get.
pub fn stored(body: &Body, facts: &Facts<'_>) -> Vec<Stored> {
    let needs = Needs::of(body);
    let frequencies = Frequencies::of(body);
    let mut out = Vec::new();
    let Some(entry) = body.entry() else { return out };
    let mut blocks = vec![entry];
    let replays_around = |mut block: BlockId| {
        // What is kept while an inner loop is replayed lives for that long only.
        while let Some(op) = body.parent_op(block) {
            if is_replayed(body, op) {
                return body.op(op).block;
            }
            match body.op(op).block {
                Some(b) => block = b,
                None => return None,
            }
        }
        None
    };
    let once = |op: OpId| body.attr(op, stage::ONCE).is_some();
    let home = |op: OpId, block: BlockId| {
        let of_loop = super::invariant::home(body, block).unwrap_or(block);
        let outside = body.parent_op(of_loop).and_then(|p| body.op(p).block).filter(|_| once(op));
        outside.unwrap_or(block)
    };
    let row = |name: String, loc: Loc, ty: Option<Type>, bytes: u64, block: BlockId, reason: String| {
        let around = replays_around(block).map_or(1, |b| frequencies.runs(b)).max(1);
        let times = frequencies.runs(block) / around;
        Stored { function: Name::new(""), name, loc, ty, bytes, times, counted: is_counted(body, block), reason, block }
    };
    let value = |out: &mut Vec<Stored>, v: ValueId, loc: Loc, block: BlockId, reason: String| {
        if needs.is_needed(v) && !is_tangent(body.ty(v)) {
            let name = body.value(v).hint.map_or_else(|| "(unnamed)".to_string(), |h| h.to_string());
            out.push(row(name, loc, Some(body.ty(v)), cost::bytes(body.ty(v)), block, reason));
        }
    };
    while let Some(block) = blocks.pop() {
        let owner = body.parent_op(block);
        if let Some((op, slots)) = owner.and_then(|o| Some((o, snapshots(body, o)?))) {
            // Of such a loop the slots are all there is.
            let state = state_bytes(body, op);
            if Some(block) == body.region_block(op, 0) {
                let mut row =
                    row("(snapshots)".into(), body.loc(op), None, state, block, "the loop runs again from them".into());
                (row.times, row.counted) = (slots.max(1) as u64, true);
                out.push(row);
            }
            continue;
        }
        let slots = owner.and_then(|o| Some((o, slice::marked(body, o)?)));
        if let Some((op, (slots, states))) =
            slots.filter(|(_, (_, states))| states.iter().any(|&s| body.def_block(s) == Some(block)))
        {
            let state = states.iter().map(|&s| cost::bytes(body.ty(s))).fold(8, u64::saturating_add);
            let why = "steps of state without a derivative run again from them";
            let mut row = row("(snapshots)".into(), body.loc(op), None, state, block, why.into());
            (row.times, row.counted) = (slots.max(1) as u64, true);
            out.push(row);
        }
        for (i, &arg) in body.args(block).iter().enumerate() {
            let counter = i == 0 && owner.is_some_and(|o| scf::For::is(body, o));
            let (loc, reason) = match owner {
                None => (body.first_op(block).map_or(Loc::unknown(), |o| body.loc(o)), "an input of the function"),
                Some(o) if !facts.is_active(arg) => {
                    (body.loc(o), "state without a derivative, whose steps cannot be undone")
                }
                Some(o) => (body.loc(o), "state that the iteration before has left"),
            };
            if !counter && !follows(body, arg) {
                value(&mut out, arg, loc, block, reason.to_string());
            }
        }
        for op in body.block_ops(block) {
            let data = body.op(op);
            blocks.extend(data.regions.iter().flat_map(|&r| body.region(r).blocks.iter().copied()));
            let again = is_recomputed(body, op) || is_replayed(body, op);
            if !again {
                for &r in &data.results {
                    let why = if once(op) { "the same in each iteration".into() } else { reason(body, facts, op) };
                    value(&mut out, r, data.loc, home(op, block), why);
                }
            }
            let gives_tangents = data.results.iter().any(|&r| is_tangent(body.ty(r)));
            if ad::JvpCall::is(body, op) && gives_tangents && !again {
                let callee = body.attr(op, "callee").and_then(|a| a.as_symbol());
                let callee = callee.map_or(Name::new(""), |c| facts.links.shown(c));
                let bytes = facts.callee(body, op).context_bytes;
                let why = why_not_again(body, facts, op);
                let why = if once(op) { "the same in each iteration".into() } else { why };
                out.push(row(format!("context of {callee}"), data.loc, None, bytes, home(op, block), why));
            }
            if scf::While::is(body, op) && needs.is_mixed(op) {
                out.push(row(
                    "(trip count)".to_string(),
                    data.loc,
                    Some(Type::index()),
                    8,
                    block,
                    "how often the loop ran".into(),
                ));
            }
        }
    }
    out.sort_by_key(|s| (std::cmp::Reverse(s.bytes.saturating_mul(s.times)), s.name.clone()));
    out
}

/// Whether a block belongs to an op's regions.
pub(in crate::autodiff) fn is_inside(body: &Body, block: BlockId, op: OpId) -> bool {
    body.op(op).regions.iter().any(|&r| body.region(r).blocks.iter().any(|&o| body.is_block_within(block, o)))
}

/// Whether the trip counts of all loops around are constants, or have small bounds.
fn is_counted(body: &Body, block: BlockId) -> bool {
    let mut block = block;
    while let Some(op) = body.parent_op(block) {
        if cost::is_loop(body, op) && !cost::is_counted(body, op) && cost::room(body, op).is_none() {
            return false;
        }
        match body.op(op).block {
            Some(b) => block = b,
            None => break,
        }
    }
    true
}

fn why_not_again(body: &Body, facts: &Facts<'_>, op: OpId) -> String {
    let callee = facts.callee(body, op);
    if callee.prefer == Some(super::Prefer::Checkpoint) {
        "[PreferCheckpoint]".into()
    } else if callee.may_run_again {
        format!("calling again costs {}, more than keeping it", callee.work)
    } else {
        "the call has effects".into()
    }
}

fn reason(body: &Body, facts: &Facts<'_>, op: OpId) -> String {
    let data = body.op(op);
    let reads_state = |&v: &ValueId| {
        needs_storage(body.ty(v))
            && matches!(body.def(v), ValueDef::Arg { block, .. } if body.parent_op(block).is_some())
    };
    let in_region = data.block.is_some_and(|b| body.parent_op(b).is_some());
    match () {
        _ if ad::JvpCall::is(body, op) => why_not_again(body, facts, op),
        _ if cost::is_loop(body, op) => "made by a loop".into(),
        _ if !facts.may_run_again(op) => match facts.effects.get(op.index()) {
            Some(Effect::Reads) => "read from memory that may change".into(),
            _ => "made by something with effects".into(),
        },
        _ if !data.regions.is_empty() => "made by a branch".into(),
        _ if data.operands.iter().any(reads_state) => "read from an array that the loop changes".into(),
        _ if in_region && !data.results.iter().any(|&r| facts.is_active(r)) => {
            "it follows from state without a derivative, whose steps cannot be undone".into()
        }
        _ => format!(
            "computing it again costs {}, with what that needs more than keeping it",
            facts.costs.work(body, op)
        ),
    }
}

impl Stored {
    fn total(&self) -> u64 {
        self.bytes.saturating_mul(self.times)
    }
}

/// The table: one line for each loop and call that might be carried forward, one for each loop that cannot store, and
/// one for each stored value, the largest of each function first. `place` shows a location.
pub fn to_text(report: &Report, place: &dyn Fn(Loc) -> String) -> String {
    let rows = &report.stored[..];
    let mut out = String::new();
    for c in &report.choices {
        let (what, how) = match (c.callee, c.forward) {
            (None, true) => ("a loop".to_string(), "tangents carried forward"),
            (None, false) => ("a loop".to_string(), "reverse sweep"),
            (Some(callee), true) => (format!("a call of {callee}"), "tangents carried forward"),
            (Some(callee), false) => (format!("a call of {callee}"), "its backward derivative"),
        };
        out.push_str(&format!(
            "{}: {}: {what} with {} scalar(s) to differentiate by: {how} (forward costs {}, reverse {})\n",
            c.function,
            place(c.loc),
            c.directions,
            c.forward_cost,
            c.reverse_cost
        ));
    }
    for s in &report.schedules {
        let how = match s.slots {
            Ok(slots) => format!(
                "{slots} snapshot(s) of {} bytes; up to {} iterations run again once, up to {} twice, up to {} three times",
                s.bytes,
                iterations(slots, 1),
                iterations(slots, 2),
                iterations(slots, 3)
            ),
            Err((at, why)) => format!("stores on a tape, since it cannot run again: {why} ({})", place(at)),
        };
        out.push_str(&format!("{}: {}: a loop without a constant trip count: {how}\n", s.function, place(s.loc)));
    }
    for r in &report.reruns {
        let how = match r.slots {
            Some(slots) => format!("its steps run again from {slots} snapshot(s) of {} bytes", r.bytes),
            None => "stored".to_string(),
        };
        let costs = format!("again costs {}, storing {}", r.again, r.keep);
        out.push_str(&format!("{}: {}: state without a derivative: {how} ({costs})\n", r.function, place(r.loc)));
    }
    let mut rest = rows;
    while let Some(first) = rest.first() {
        let count = rest.iter().take_while(|r| r.function == first.function).count();
        let (own, others) = rest.split_at(count);
        let exact = own.iter().all(|r| r.counted);
        let total: u64 = own.iter().map(Stored::total).fold(0, u64::saturating_add);
        let guess = if exact { "" } else { ", where a loop without a known trip count runs 64 times" };
        out.push_str(&format!("{}: {total} bytes a call{guess}\n", first.function));
        for r in own {
            let times = match (r.counted, r.times) {
                (true, 1) => String::new(),
                (true, n) => format!(" x {n}"),
                (false, _) => " x each iteration".to_string(),
            };
            let ty = r.ty.map_or_else(|| "(context)".to_string(), |t| t.to_string());
            out.push_str(&format!("  {}: {} : {ty}, {} bytes{times}: {}\n", place(r.loc), r.name, r.bytes, r.reason));
        }
        rest = others;
    }
    out
}

/// The same as JSON: an object with a list of each sort.
pub fn to_json(report: &Report, place: &dyn Fn(Loc) -> String) -> String {
    let text = |s: &str| {
        let mut out = String::from("\"");
        for c in s.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
                c => out.push(c),
            }
        }
        out.push('"');
        out
    };
    let choice = |c: &Choice| {
        let callee = c.callee.map(|n| format!("\"callee\": {}, ", text(&n))).unwrap_or_default();
        format!(
            "{{\"function\": {}, {callee}\"at\": {}, \"mode\": \"{}\", \"directions\": {}, \"forward\": {}, \"reverse\": {}}}",
            text(&c.function),
            text(&place(c.loc)),
            if c.forward { "forward" } else { "reverse" },
            c.directions,
            c.forward_cost,
            c.reverse_cost
        )
    };
    let choices = |of_calls: bool| -> Vec<String> {
        report.choices.iter().filter(|c| c.callee.is_some() == of_calls).map(choice).collect()
    };
    let schedule = |s: &Schedule| {
        let how = match s.slots {
            Ok(slots) => format!("\"snapshots\": {slots}"),
            Err((at, why)) => {
                format!("\"snapshots\": null, \"reason\": {}, \"because\": {}", text(why), text(&place(at)))
            }
        };
        let (function, at) = (text(&s.function), text(&place(s.loc)));
        format!("{{\"function\": {function}, \"at\": {at}, \"bytes\": {}, {how}}}", s.bytes)
    };
    let schedules: Vec<String> = report.schedules.iter().map(schedule).collect();
    let rerun = |r: &Rerun| {
        let slots = r.slots.map_or("null".to_string(), |n| n.to_string());
        let (function, at) = (text(&r.function), text(&place(r.loc)));
        let costs = format!("\"again\": {}, \"storing\": {}", r.again, r.keep);
        format!("{{\"function\": {function}, \"at\": {at}, \"bytes\": {}, \"snapshots\": {slots}, {costs}}}", r.bytes)
    };
    let reruns: Vec<String> = report.reruns.iter().map(rerun).collect();
    let rows: Vec<String> = report
        .stored
        .iter()
        .map(|r| {
            format!(
                "{{\"function\": {}, \"value\": {}, \"at\": {}, \"type\": {}, \"bytes\": {}, \"times\": {}, \"exact\": {}, \"reason\": {}}}",
                text(&r.function),
                text(&r.name),
                text(&place(r.loc)),
                text(&r.ty.map_or_else(|| "context".to_string(), |t| t.to_string())),
                r.bytes,
                r.times,
                r.counted,
                text(&r.reason)
            )
        })
        .collect();
    format!(
        "{{\"loops\": [{}],\n \"calls\": [{}],\n \"schedules\": [{}],\n \"reruns\": [{}],\n \"stored\": [{}]}}\n",
        choices(false).join(",\n  "),
        choices(true).join(",\n  "),
        schedules.join(",\n  "),
        reruns.join(",\n  "),
        rows.join(",\n  ")
    )
}
