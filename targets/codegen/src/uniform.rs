//! Which values are the same for all threads that run together.
//!
//! A value is *uniform* if the threads that compute it together get the same one, and *varying*
//! otherwise. Threads leave a loop whose condition varies one after the other: what such a loop
//! gives varies, even if it was the same for those that were still in it. What a wave gives to all
//! of its threads alike is uniform, since those that compute it together are some of them. The
//! answer is on the safe side: local storage holds varying values, whoever wrote them.

use caustic_dialects::simt;
use caustic_dialects::{agg, func, gpu, scf};
use caustic_ir::op::Access;
use caustic_ir::{Attr, Body, Module, Name, OpId, ValueId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of a function for given arguments.
#[derive(Debug)]
pub struct Uniformity {
    varying: Vec<bool>,
    /// For each result whether it varies.
    pub results: Vec<bool>,
}

impl Uniformity {
    pub fn varies(&self, value: ValueId) -> bool {
        self.varying.get(value.index()).copied().unwrap_or(true)
    }
}

/// The dimensions in which threads that run together have ids of their own.
pub type Dimensions = [bool; 3];

/// The answers for the functions of a module.
pub struct Analysis<'m> {
    module: &'m Module,
    ids: Dimensions,
    known: FxHashMap<(Name, Vec<bool>), Rc<Uniformity>>,
}

impl<'m> Analysis<'m> {
    pub fn new(module: &'m Module, ids: Dimensions) -> Analysis<'m> {
        Analysis { module, ids, known: FxHashMap::default() }
    }

    /// For a function whose parameters vary or do not. No function may reach itself.
    pub fn of(&mut self, function: Name, params: &[bool]) -> Rc<Uniformity> {
        let key = (function, params.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut found = Uniformity { varying: Vec::new(), results: Vec::new() };
        if let Some(symbol) = self.module.get(function) {
            let body = &symbol.body;
            found.varying = vec![false; body.num_values()];
            if let Some(entry) = body.entry() {
                for (&param, &varies) in body.args(entry).iter().zip(params) {
                    found.varying[param.index()] = varies;
                }
            }
            let ops = body.walk_all();
            // A value that varies stays so: each round but the last finds one.
            while self.round(body, &ops, &mut found) {}
        }
        let found = Rc::new(found);
        self.known.insert(key, found.clone());
        found
    }

    fn round(&mut self, body: &Body, ops: &[OpId], found: &mut Uniformity) -> bool {
        let mut changed = false;
        for &op in ops {
            self.op(body, op, found, &mut changed);
        }
        changed
    }

    fn op(&mut self, body: &Body, op: OpId, found: &mut Uniformity, changed: &mut bool) {
        let operands = body.operands(op);
        let terminator = |region: usize| {
            let block = body.region_block(op, region)?;
            body.terminator(block).map(|t| body.operands(t))
        };
        let args = |region: usize| body.region_block(op, region).map_or(&[][..], |block| body.args(block));
        let mut marks: Vec<ValueId> = Vec::new();
        let results = body.results(op);
        let mut plain = false;
        match (scf::ScfView::of(body, op), func::FuncView::of(body, op)) {
            (Some(scf::ScfView::If(_) | scf::ScfView::IndexSwitch(_)), _) => {
                let parted = found.varies(operands[0]);
                for region in 0..body.op(op).regions.len() {
                    let yields = terminator(region).unwrap_or_default();
                    marks.extend(results.iter().zip(yields).filter(|(_, y)| parted || found.varies(**y)).map(|p| *p.0));
                }
            }
            (Some(scf::ScfView::For(view)), _) => {
                let [lower, upper, step] =
                    [view.lower(body), view.upper(body), view.step(body)].map(|v| found.varies(v));
                let args = args(0);
                if lower || step {
                    marks.extend(args.first());
                }
                let yields = terminator(0).unwrap_or_default();
                for (i, (&init, &next)) in view.inits(body).iter().zip(yields).enumerate() {
                    let varies = found.varies(init) || found.varies(next);
                    if varies {
                        marks.extend(args.get(i + 1));
                    }
                    if varies || lower || upper || step {
                        marks.extend(results.get(i));
                    }
                }
            }
            (Some(scf::ScfView::While(_)), _) => {
                let (before, after) = (args(0), args(1));
                let condition = terminator(0).unwrap_or_default();
                let yields = terminator(1).unwrap_or_default();
                let inits = before.iter().zip(operands).chain(before.iter().zip(yields));
                marks.extend(inits.filter(|(_, v)| found.varies(**v)).map(|p| *p.0));
                let parted = condition.first().is_some_and(|&c| found.varies(c));
                for (i, &forwarded) in condition.iter().skip(1).enumerate() {
                    if found.varies(forwarded) {
                        marks.extend(after.get(i));
                    }
                    if found.varies(forwarded) || parted {
                        marks.extend(results.get(i));
                    }
                }
            }
            // What they hand on is looked at with the op around them.
            (Some(scf::ScfView::Yield(_) | scf::ScfView::Condition(_)), _) => {}
            (_, Some(func::FuncView::Call(view))) => {
                let params: Vec<bool> = operands.iter().map(|&v| found.varies(v)).collect();
                if let Some(callee) = view.callee(body) {
                    let callee = self.of(callee, &params);
                    marks.extend(results.iter().zip(&callee.results).filter(|(_, varies)| **varies).map(|p| *p.0));
                }
            }
            (_, Some(func::FuncView::Return(_))) => {
                let varies: Vec<bool> = operands.iter().map(|&v| found.varies(v)).collect();
                *changed |= found.results != varies;
                found.results = varies;
            }
            (_, Some(func::FuncView::Func(_)) | None) => plain = true,
        }
        let varies = || self.is_source(body, op) || operands.iter().any(|&v| found.varies(v));
        if plain && !gives_all_alike(body, op, found) && varies() {
            marks.extend(results);
        }
        for value in marks {
            if !std::mem::replace(&mut found.varying[value.index()], true) {
                *changed = true;
            }
        }
    }

    /// Whether an op gives threads something of their own, whatever its operands.
    fn is_source(&self, body: &Body, op: OpId) -> bool {
        let def = body.op(op).def;
        // What a slot holds is a thread's own, and what an update gives is what the thread before
        // it left.
        let own_memory = def.memory.iter().any(|entry| match entry.access {
            Access::Reads => agg::as_slot(body.ty(body.operand(op, entry.operand))).is_some(),
            access => access == Access::Updates,
        });
        let of_dimension = |dimension: Option<Attr>| (0..3).any(|d| self.ids[d] && dimension == Some(gpu::dim_attr(d)));
        use gpu::IdView as V;
        match gpu::IdView::of(body, op) {
            Some(V::ThreadId(id)) => of_dimension(id.dimension(body)),
            Some(V::GlobalId(id)) => of_dimension(id.dimension(body)),
            Some(V::LaneId(_) | V::SubgroupId(_)) => true,
            Some(
                V::BlockId(_) | V::BlockDim(_) | V::GridDim(_) | V::NumSubgroups(_) | V::SubgroupSize(_) | V::Printf(_),
            ) => false,
            None => own_memory || simt::converges(def),
        }
    }
}

/// Whether a wave operation gives the threads that compute it together the same, whatever they
/// bring.
fn gives_all_alike(body: &Body, op: OpId, found: &Uniformity) -> bool {
    use simt::WaveView as W;
    match simt::WaveView::of(body, op) {
        Some(W::WaveReadFirst(_) | W::WaveBallot(_) | W::WaveVote(_) | W::WaveAllEqual(_)) => true,
        Some(W::WaveReadLane(read)) => !found.varies(read.lane(body)),
        Some(W::WaveScan(_) | W::WaveMatch(_) | W::WaveElect(_) | W::WaveSums(_)) => false,
        Some(W::WaveSumsByKey(_) | W::WaveTranspose(_)) => false,
        None => gpu::SubgroupReduce::is(body, op),
    }
}
