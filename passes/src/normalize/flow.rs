//! Which code can run to its end, and which early exits can leave it: facts about `hl` code,
//! computed once, bottom up.

use caustic_dialects::hl;
use caustic_ir::{BlockId, Body, OpId};
use rustc_hash::FxHashMap;

/// The early exits that leave a piece of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exits {
    pub breaks: bool,
    pub continues: bool,
    pub returns: bool,
}

impl Exits {
    pub fn any(self) -> bool {
        self.breaks || self.continues || self.returns
    }
    fn join(self, other: Exits) -> Exits {
        Exits {
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
            returns: self.returns || other.returns,
        }
    }
}

/// What may happen when a piece of code runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flow {
    /// It may go on with what stands behind it.
    pub completes: bool,
    pub exits: Exits,
}

const FALLS_THROUGH: Flow = Flow { completes: true, exits: Exits { breaks: false, continues: false, returns: false } };

/// The flow of an op with regions: as seen from outside, and of each region.
pub struct OpFlow {
    pub outside: Flow,
    pub regions: Vec<Flow>,
}

/// The flow of all ops with regions.
#[derive(Default)]
pub struct FlowMap(FxHashMap<OpId, OpFlow>);

impl FlowMap {
    pub fn compute(body: &Body) -> FlowMap {
        let mut map = FlowMap::default();
        // A walk lists ops before those nested in them, so that its reverse is bottom up.
        for op in body.walk_all().into_iter().rev() {
            if body.op(op).regions.is_empty() {
                continue;
            }
            let regions: Vec<Flow> = (0..body.op(op).regions.len())
                .map(|i| body.region_block(op, i).map_or(FALLS_THROUGH, |block| map.block(body, block)))
                .collect();
            let mut outside = Flow { completes: false, exits: Exits::default() };
            for flow in &regions {
                outside.completes |= flow.completes;
                outside.exits = outside.exits.join(flow.exits);
            }
            if hl::Loop::is(body, op) {
                let exits = Exits { returns: outside.exits.returns, ..Exits::default() };
                outside = Flow { completes: true, exits };
            } else if hl::Switch::is(body, op) {
                outside.completes |= outside.exits.breaks;
                outside.exits.breaks = false;
            }
            map.0.insert(op, OpFlow { outside, regions });
        }
        map
    }

    /// The flow of a block whose nested ops are known.
    pub fn block(&self, body: &Body, block: BlockId) -> Flow {
        let mut flow = FALLS_THROUGH;
        let mut next = body.first_op(block);
        while let Some(op) = next {
            if let Some(inner) = self.0.get(&op) {
                flow.exits = flow.exits.join(inner.outside.exits);
                if !inner.outside.completes {
                    flow.completes = false;
                    return flow;
                }
            }
            match exit_of(body, op) {
                Some(exit) => return Flow { completes: false, exits: flow.exits.join(exit) },
                None => next = body.next_op(op),
            }
        }
        flow
    }

    pub fn get(&self, op: OpId) -> Option<&OpFlow> {
        self.0.get(&op)
    }
    /// Forgets an op, whose exits are gone.
    pub fn take(&mut self, op: OpId) -> Option<OpFlow> {
        self.0.remove(&op)
    }
}

/// The exit that a terminator is.
pub fn exit_of(body: &Body, op: OpId) -> Option<Exits> {
    let none = Exits::default();
    if hl::Break::is(body, op) {
        Some(Exits { breaks: true, ..none })
    } else if hl::Continue::is(body, op) {
        Some(Exits { continues: true, ..none })
    } else if hl::Return::is(body, op) {
        Some(Exits { returns: true, ..none })
    } else {
        None
    }
}
