//! What the reverse pass stores, and why: read off the marks, so that it is true whoever made them.

use super::schedule::{Kept, Schedule, iterations, state_bytes};
use super::slices::Rerun;
use super::{Facts, Report};
use crate::analysis::costs::{self, Frequencies};
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
    let Some(entry) = body.entry() else { return Vec::new() };
    let (needs, frequencies) = (Needs::of(body), Frequencies::of(body));
    let mut collector = Collector { body, facts, needs, frequencies, out: Vec::new() };
    let mut blocks = vec![entry];
    while let Some(block) = blocks.pop() {
        let owner = body.parent_op(block);
        if let Some((op, slots)) = owner.and_then(|o| Some((o, snapshots(body, o)?))) {
            // Such a loop stores its slots and nothing else.
            if Some(block) == body.region_block(op, 0) {
                let why = "the loop runs again from them";
                collector.slots(op, block, slots, state_bytes(body, op), why);
            }
            continue;
        }
        if let Some((op, (slots, states))) = owner.and_then(|o| Some((o, slice::marked(body, o)?)))
            && states.iter().any(|&s| body.def_block(s) == Some(block))
        {
            let bytes = states.iter().map(|&s| costs::bytes(body.ty(s))).fold(8, u64::saturating_add);
            collector.slots(op, block, slots, bytes, "steps of state without a derivative run again from them");
        }
        collector.args(block, owner);
        for op in body.block_ops(block) {
            blocks.extend(body.op(op).regions.iter().flat_map(|&r| body.region(r).blocks.iter().copied()));
            collector.op(op, block);
        }
    }
    let mut out = collector.out;
    out.sort_by_key(|s| (std::cmp::Reverse(s.bytes.saturating_mul(s.times)), s.name.clone()));
    out
}

/// Collects the rows of [`stored`].
struct Collector<'a> {
    body: &'a Body,
    facts: &'a Facts<'a>,
    needs: Needs,
    frequencies: Frequencies,
    out: Vec<Stored>,
}

impl Collector<'_> {
    fn row(&self, name: String, loc: Loc, ty: Option<Type>, bytes: u64, block: BlockId, reason: String) -> Stored {
        let body = self.body;
        let around = replays_around(body, block).map_or(1, |b| self.frequencies.runs(b)).max(1);
        let times = self.frequencies.runs(block) / around;
        Stored { function: Name::new(""), name, loc, ty, bytes, times, counted: is_counted(body, block), reason, block }
    }

    /// The states that a loop keeps, to run again from them; the first one, if its sweep goes the
    /// same way.
    fn slots(&mut self, op: OpId, block: BlockId, slots: i64, bytes: u64, why: &str) {
        let (name, why, slots) = match self.body.attr(op, stage::ASCENDING) {
            Some(_) => ("(state)", "what the loop begins with: it steps along with the sweep", 1),
            None => ("(snapshots)", why, slots),
        };
        let mut row = self.row(name.into(), self.body.loc(op), None, bytes, block, why.into());
        (row.times, row.counted) = (slots.max(1) as u64, true);
        self.out.push(row);
    }

    fn value(&mut self, v: ValueId, loc: Loc, block: BlockId, reason: String) {
        let ty = self.body.ty(v);
        if self.needs.is_needed(v) && !is_tangent(ty) {
            let name = self.body.value(v).hint.map_or_else(|| "(unnamed)".to_string(), |h| h.to_string());
            self.out.push(self.row(name, loc, Some(ty), costs::bytes(ty), block, reason));
        }
    }

    /// The arguments of a block that an op owns, or the function.
    fn args(&mut self, block: BlockId, owner: Option<OpId>) {
        let body = self.body;
        for (i, &arg) in body.args(block).iter().enumerate() {
            let counter = i == 0 && owner.is_some_and(|o| scf::For::is(body, o));
            let (loc, reason) = match owner {
                None => (body.first_op(block).map_or(Loc::unknown(), |o| body.loc(o)), "an input of the function"),
                Some(o) if !self.facts.is_active(arg) => {
                    (body.loc(o), "state without a derivative, whose steps cannot be undone")
                }
                Some(o) => (body.loc(o), "state that the iteration before has left"),
            };
            if !counter && !follows(body, arg) {
                self.value(arg, loc, block, reason.to_string());
            }
        }
    }

    /// What is kept of an op: its results, the context of a call, the trip count of a `while`.
    fn op(&mut self, op: OpId, block: BlockId) {
        let (body, facts) = (self.body, self.facts);
        let data = body.op(op);
        let once = body.attr(op, stage::ONCE).is_some();
        let why = |other: String| if once { "the same in each iteration".into() } else { other };
        let again = is_recomputed(body, op) || is_replayed(body, op);
        if !again {
            for &r in &data.results {
                self.value(r, data.loc, home(body, op, block), why(reason(body, facts, op)));
            }
        }
        let gives_tangents = data.results.iter().any(|&r| is_tangent(body.ty(r)));
        if ad::JvpCall::is(body, op) && gives_tangents && !again {
            let callee = body.callee(op).map_or(Name::new(""), |c| facts.links.shown(c));
            let bytes = facts.callee(body, op).context_bytes;
            let why = why(why_not_again(body, facts, op));
            let row = self.row(format!("context of {callee}"), data.loc, None, bytes, home(body, op, block), why);
            self.out.push(row);
        }
        if scf::While::is(body, op) && self.needs.is_mixed(op) {
            let (name, why) = ("(trip count)".to_string(), "how often the loop ran".into());
            self.out.push(self.row(name, data.loc, Some(Type::index()), 8, block, why));
        }
    }
}

/// The block of the innermost op around that is replayed: what is kept inside lives as long as one
/// replay.
fn replays_around(body: &Body, mut block: BlockId) -> Option<BlockId> {
    loop {
        let op = body.parent_op(block)?;
        if is_replayed(body, op) {
            return body.op(op).block;
        }
        block = body.op(op).block?;
    }
}

/// The block in which results of an op are kept: outside of the loop, for what is the same in each
/// iteration.
fn home(body: &Body, op: OpId, block: BlockId) -> BlockId {
    let of_loop = super::invariant::home(body, block).unwrap_or(block);
    let outside = body.parent_op(of_loop).and_then(|p| body.op(p).block);
    outside.filter(|_| body.attr(op, stage::ONCE).is_some()).unwrap_or(block)
}

/// Whether a block belongs to an op's regions.
pub(in crate::autodiff) fn is_inside(body: &Body, block: BlockId, op: OpId) -> bool {
    body.op(op).regions.iter().any(|&r| body.region(r).blocks.iter().any(|&o| body.is_block_within(block, o)))
}

/// Whether the trip counts of all loops around are constants, or have small bounds.
fn is_counted(body: &Body, block: BlockId) -> bool {
    let mut block = block;
    while let Some(op) = body.parent_op(block) {
        if costs::is_loop(body, op) && !costs::is_counted(body, op) && costs::room(body, op).is_none() {
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
        _ if costs::is_loop(body, op) => "made by a loop".into(),
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
            facts.costs.work_again(body, op)
        ),
    }
}

impl Stored {
    fn total(&self) -> u64 {
        self.bytes.saturating_mul(self.times)
    }
}

/// The table: one line for each loop and call that might be carried forward, one for each loop that
/// cannot store, and one for each stored value, the largest of each function first. `place` shows a
/// location.
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
        let how = match s.kept {
            Kept::Snapshots(slots) => format!(
                "{slots} snapshot(s) of {} bytes; up to {} iterations run again once, up to {} twice, up to {} three times",
                s.bytes,
                iterations(slots, 1),
                iterations(slots, 2),
                iterations(slots, 3)
            ),
            Kept::First => "runs again along with its sweep, which begins with the first iteration".to_string(),
            Kept::Iterations(n) => format!("stores {n} iterations, since the program promises no more"),
            Kept::Tape(at, why) => format!("stores on a tape, since it cannot run again: {why} ({})", place(at)),
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
        let how = match s.kept {
            Kept::Snapshots(slots) => format!("\"snapshots\": {slots}"),
            Kept::First => "\"snapshots\": 1".to_string(),
            Kept::Iterations(n) => format!("\"snapshots\": null, \"iterations\": {n}"),
            Kept::Tape(at, why) => {
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
