//! Drops what is computed, yielded and carried for nothing: dead code through the regions of `scf`, and carried values that never change.
//!
//! A value is live if an effect, a return, a live op or the control flow around one of those reads it. A carried value of a loop is one
//! slot (initial value, arguments, what is forwarded and yielded, result), live or dead as a whole, so that a canonical `while` stays
//! canonical. A loop that computes nothing live is dropped even if it might never end.
//!
//! Linear in the size of the body.

use caustic_dialects::scf;
use caustic_ir::{BlockId, Body, Effects, OpId, ValueDef, ValueId};

/// Cleans a body of `func.func`.
pub fn run(body: &mut Body) {
    forward_unchanged(body);
    let mut live = Liveness::new(body);
    live.solve();
    let Liveness { ops, values, .. } = live;
    sweep(body, &ops, &values);
}

/// One value carried by a loop, or one result of a branch.
struct Slot {
    result: ValueId,
    /// Block arguments (none for a branch).
    args: Vec<ValueId>,
    /// Operands that feed it: op and index.
    feeds: Vec<(OpId, usize)>,
}

/// What kind of `scf` op with slots this is, if it is well formed.
fn slot_blocks(body: &Body, op: OpId) -> Option<Vec<BlockId>> {
    let known =
        scf::If::is(body, op) || scf::IndexSwitch::is(body, op) || scf::For::is(body, op) || scf::While::is(body, op);
    if !known {
        return None;
    }
    let blocks = (0..body.op(op).regions.len()).map(|i| body.region_block(op, i));
    // Without results the second region of an `scf.if` may be empty.
    if scf::If::is(body, op) && body.results(op).is_empty() {
        Some(blocks.flatten().collect())
    } else {
        blocks.collect()
    }
}

fn slot(body: &Body, op: OpId, blocks: &[BlockId], k: usize) -> Option<Slot> {
    let mut args = Vec::new();
    let mut feeds = Vec::new();
    if scf::While::is(body, op) {
        let [before, after] = blocks else { return None };
        args = vec![*body.args(*before).get(k)?, *body.args(*after).get(k)?];
        feeds = vec![(op, k), (body.terminator(*before)?, k + 1), (body.terminator(*after)?, k)];
    } else if scf::For::is(body, op) {
        let [block] = blocks else { return None };
        args = vec![*body.args(*block).get(k + 1)?];
        feeds = vec![(op, k + 3), (body.terminator(*block)?, k)];
    } else {
        for &block in blocks {
            feeds.push((body.terminator(block)?, k));
        }
    }
    feeds.iter().all(|&(op, i)| i < body.operands(op).len()).then_some(Slot { result: body.result(op, k), args, feeds })
}

/// Operands that an op reads for itself, not for a slot.
fn own_operands(body: &Body, op: OpId) -> &[ValueId] {
    let operands = body.operands(op);
    if scf::While::is(body, op) {
        &[]
    } else if scf::For::is(body, op) {
        &operands[..3.min(operands.len())]
    } else if scf::Condition::is(body, op) {
        &operands[..1.min(operands.len())]
    } else {
        operands
    }
}

/// Replaces carried values that every iteration passes on as they are, and branch results that are the same from all branches.
fn forward_unchanged(body: &mut Body) {
    for op in super::walk::inside_out(body) {
        let Some(blocks) = slot_blocks(body, op) else { continue };
        let is_loop = scf::While::is(body, op) || scf::For::is(body, op);
        for k in 0..body.results(op).len() {
            let Some(slot) = slot(body, op, &blocks, k) else { continue };
            let fed: Vec<ValueId> = slot.feeds.iter().map(|&(op, i)| body.operand(op, i)).collect();
            let Some(&first) = fed.first() else { continue };
            if is_loop {
                if fed[1..].iter().any(|v| *v != first && !slot.args.contains(v)) {
                    continue;
                }
                for &arg in &slot.args {
                    body.replace_uses(arg, first);
                }
            } else if fed.iter().any(|&v| v != first) {
                continue;
            }
            body.replace_uses(slot.result, first);
        }
    }
}

struct Liveness<'a> {
    body: &'a Body,
    ops: Vec<bool>,
    values: Vec<bool>,
    work: Vec<ValueId>,
}

impl<'a> Liveness<'a> {
    fn new(body: &'a Body) -> Self {
        Liveness { body, ops: vec![false; body.num_ops()], values: vec![false; body.num_values()], work: Vec::new() }
    }

    fn solve(&mut self) {
        for op in self.body.walk_all() {
            let block = self.body.op(op).block;
            let outermost = block.is_none_or(|b| self.body.parent_op(b).is_none());
            let root = match self.body.op(op).def.effects {
                Effects::Writes | Effects::Call | Effects::Symbol => true,
                Effects::Terminator => outermost,
                Effects::Regions => slot_blocks(self.body, op).is_none(),
                Effects::Pure | Effects::Reads => false,
            };
            if root {
                self.mark_op(op);
            }
        }
        while let Some(value) = self.work.pop() {
            self.visit(value);
        }
    }

    fn mark_value(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value.index()], true) {
            self.work.push(value);
        }
    }

    /// The op runs, and so do the ops around it.
    fn mark_op(&mut self, op: OpId) {
        let mut next = Some(op);
        while let Some(op) = next {
            if std::mem::replace(&mut self.ops[op.index()], true) {
                return;
            }
            let body = self.body;
            for &v in own_operands(body, op) {
                self.mark_value(v);
            }
            match slot_blocks(body, op) {
                Some(blocks) => {
                    // What decides whether a while goes on.
                    if let (true, Some(end)) =
                        (scf::While::is(body, op), blocks.first().and_then(|&b| body.terminator(b)))
                        && let Some(&condition) = body.operands(end).first()
                    {
                        self.mark_value(condition);
                    }
                }
                None => {
                    for &region in &body.op(op).regions {
                        for inner in body.walk(region) {
                            self.ops[inner.index()] = true;
                            for &v in body.operands(inner) {
                                self.mark_value(v);
                            }
                        }
                    }
                }
            }
            next = body.op(op).block.and_then(|b| body.parent_op(b));
        }
    }

    fn visit(&mut self, value: ValueId) {
        let body = self.body;
        let (op, k) = match body.def(value) {
            ValueDef::Result { op, index } => (op, Some(index as usize)),
            ValueDef::Arg { block, index } => match body.parent_op(block) {
                None => return,
                // The counter of a `for` is no slot.
                Some(op) if scf::For::is(body, op) => (op, (index as usize).checked_sub(1)),
                Some(op) => (op, Some(index as usize)),
            },
        };
        self.mark_op(op);
        let (Some(blocks), Some(k)) = (slot_blocks(body, op), k) else { return };
        if k >= body.results(op).len() {
            return;
        }
        if let Some(slot) = slot(body, op, &blocks, k) {
            self.mark_value(slot.result);
            for arg in slot.args {
                self.mark_value(arg);
            }
            for (op, i) in slot.feeds {
                self.mark_value(body.operand(op, i));
            }
        }
    }
}

fn sweep(body: &mut Body, live_ops: &[bool], live_values: &[bool]) {
    let all = body.walk_all();
    for &op in all.iter().rev() {
        let Some(blocks) = slot_blocks(body, op).filter(|_| live_ops[op.index()]) else { continue };
        let dead: Vec<bool> = body.results(op).iter().map(|v| !live_values[v.index()]).collect();
        if !dead.contains(&true) {
            continue;
        }
        let is_dead = |i: usize| dead.get(i) == Some(&true);
        if scf::While::is(body, op) {
            trim(body, op, 0, &dead);
            for (block, offset) in blocks.iter().zip([1, 0]) {
                if let Some(end) = body.terminator(*block) {
                    trim(body, end, offset, &dead);
                }
            }
        } else {
            if scf::For::is(body, op) {
                trim(body, op, 3, &dead);
            }
            for &block in &blocks {
                if let Some(end) = body.terminator(block) {
                    trim(body, end, 0, &dead);
                }
            }
        }
        // The arguments' and results' last readers are dead ops, which go below; until then nothing looks at them.
        let first_arg = scf::For::is(body, op) as usize;
        let is_loop = scf::While::is(body, op) || scf::For::is(body, op);
        for &block in blocks.iter().filter(|_| is_loop) {
            body.remove_args(block, |i| i >= first_arg && is_dead(i - first_arg));
        }
        body.remove_results(op, is_dead);
    }
    for &op in all.iter().rev() {
        if !live_ops[op.index()] && !body.op(op).def.is_terminator() && !body.is_erased(op) {
            body.erase_op(op);
        }
    }
}

/// Removes the operands of `op` from `first` on that belong to dead slots.
fn trim(body: &mut Body, op: OpId, first: usize, dead: &[bool]) {
    let operands = body.operands(op);
    let kept: Vec<ValueId> = operands
        .iter()
        .enumerate()
        .filter(|&(i, _)| i < first || dead.get(i - first) != Some(&true))
        .map(|(_, &v)| v)
        .collect();
    if kept.len() != operands.len() {
        body.set_operands(op, &kept);
    }
}
