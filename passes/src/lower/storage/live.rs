//! Where values are needed: exact liveness over structured control flow, without sets.
//!
//! Every op has a number at which it reads its operands and a later one at which it writes its
//! results; what is nested in it lies between. For each value and each block between its uses and
//! its definition the last number at which the block needs it is kept. A value is live after a
//! point if its block needs it later, or an enclosing loop reads it at all, or a block further out
//! needs it after the op that the point lies in.

use caustic_dialects::agg::needs_storage;
use caustic_dialects::func;
use caustic_ir::{BlockId, Body, OpId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A place in the program: after number `at` of `block`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    pub block: BlockId,
    pub at: u32,
}

#[derive(Default)]
pub struct Liveness {
    /// When each op reads and writes.
    reads: Vec<u32>,
    writes: Vec<u32>,
    starts: FxHashMap<BlockId, u32>,
    /// Loops around each op.
    depth: Vec<u32>,
    last: FxHashMap<(ValueId, BlockId), u32>,
    /// Values from outside that a loop reads.
    in_loop: FxHashSet<(ValueId, OpId)>,
}

enum Step {
    Block(BlockId),
    Op(OpId),
    End(OpId),
}

impl Liveness {
    /// `reads_during` says whether operand `index` of a call is still read while its results are
    /// written.
    pub fn new(body: &Body, reads_during: &dyn Fn(OpId, usize) -> bool) -> Liveness {
        let mut live = Liveness {
            reads: vec![0; body.num_ops()],
            writes: vec![0; body.num_ops()],
            depth: vec![0; body.num_ops()],
            ..Liveness::default()
        };
        live.number(body);
        for op in body.walk_all() {
            for (i, &value) in body.operands(op).iter().enumerate() {
                if needs_storage(body.ty(value)) {
                    let during = func::Call::is(body, op) && reads_during(op, i);
                    live.add_use(
                        body,
                        value,
                        op,
                        if during { live.writes[op.index()] + 1 } else { live.reads[op.index()] },
                    );
                }
            }
        }
        live
    }

    fn number(&mut self, body: &Body) {
        let mut n = 0;
        let mut todo: Vec<Step> = body.entry().map(Step::Block).into_iter().collect();
        while let Some(step) = todo.pop() {
            n += 1;
            match step {
                Step::Block(block) => {
                    self.starts.insert(block, n);
                    let at = todo.len();
                    let mut next = body.last_op(block);
                    while let Some(op) = next {
                        todo.push(Step::Op(op));
                        next = body.prev_op(op);
                    }
                    debug_assert!(todo.len() >= at);
                }
                Step::Op(op) => {
                    self.reads[op.index()] = n;
                    let parent = body.op(op).block.and_then(|b| body.parent_op(b));
                    self.depth[op.index()] = parent.map_or(0, |p| self.depth[p.index()] + is_loop(body, p) as u32);
                    todo.push(Step::End(op));
                    for &region in body.op(op).regions.iter().rev() {
                        todo.extend(body.region(region).blocks.iter().rev().map(|&b| Step::Block(b)));
                    }
                }
                Step::End(op) => {
                    // One number on each side is for uses in regions and for operands that are read
                    // meanwhile.
                    n += 1;
                    self.writes[op.index()] = n;
                    n += 1;
                }
            }
        }
    }

    fn add_use(&mut self, body: &Body, value: ValueId, user: OpId, at: u32) {
        let Some(home) = body.def_block(value) else { return };
        let (mut op, mut at) = (user, at);
        while let Some(block) = body.op(op).block {
            let last = self.last.entry((value, block)).or_insert(0);
            *last = (*last).max(at);
            if block == home {
                return;
            }
            let Some(parent) = body.parent_op(block) else { return };
            if is_loop(body, parent) {
                self.in_loop.insert((value, parent));
            }
            op = parent;
            at = self.writes[op.index()] - 1;
        }
    }

    /// Where a value is written first.
    pub fn def_point(&self, body: &Body, value: ValueId) -> Option<Point> {
        Some(match body.def(value) {
            ValueDef::Result { op, .. } => Point { block: body.op(op).block?, at: self.writes[op.index()] },
            ValueDef::Arg { block, .. } => Point { block, at: self.starts.get(&block).copied()? },
        })
    }

    /// Whether `value`, which is written at `def`, is still needed after `point`.
    pub fn live_after(&self, body: &Body, value: ValueId, def: Point, point: Point) -> bool {
        let Point { mut block, mut at } = point;
        loop {
            let needed = self.last.get(&(value, block)).is_some_and(|&last| last > at);
            if block == def.block {
                return def.at < at && needed;
            }
            if needed {
                return true;
            }
            let Some(parent) = body.parent_op(block) else { return false };
            if is_loop(body, parent) && self.in_loop.contains(&(value, parent)) {
                return true;
            }
            let Some(outer) = body.op(parent).block else { return false };
            (block, at) = (outer, self.writes[parent.index()] - 1);
        }
    }

    /// The last number at which the value's own block needs it; nothing needs it later.
    pub fn end(&self, value: ValueId, def: Point) -> u32 {
        self.last.get(&(value, def.block)).copied().unwrap_or(def.at)
    }

    pub fn depth(&self, op: OpId) -> u32 {
        self.depth[op.index()]
    }

    /// Whether `a` comes before `b` in the order of the text.
    pub fn before(&self, a: OpId, b: OpId) -> bool {
        self.reads[a.index()] < self.reads[b.index()]
    }
}

fn is_loop(body: &Body, op: OpId) -> bool {
    !body.op(op).regions.is_empty() && !body.op(op).def.runs_regions_once()
}
