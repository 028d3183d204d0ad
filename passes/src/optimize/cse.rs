//! `cse`: an op that repeats what an op in scope has computed is replaced by that one's results.
//!
//! Scopes are those of dominance in structured code: a region sees what stands before the op around
//! it. Pure ops are shared, with the operands of commutative ones in any order; so are calls of
//! functions that only compute; reads of memory are shared if nothing in between can write. Calls
//! that lead to a custom derivative which acts on memory are not: it is called for each of them.
//!
//! Linear code (`ad.linear`) sees nothing from around it: what it computes again is meant to be
//! computed again (checkpoint).

use crate::analysis::effects::{Effect, Summary};
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::{ad, func};
use caustic_ir::{Attrs, BlockId, Body, OpDef, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;

passes! {
    /// Replaces an op that repeats what one in scope has computed by that one's results.
    ///
    /// Shares pure ops, calls that only compute, and reads with no write in between.
    pub static CSE: "cse" {
        level: function, options: none, before: "func scf arith math vector agg ad", after: "the same", statistics: [],
        run: |symbol: &mut SymbolOp, view: &ModuleView<'_>, _: &mut PassReport| -> PassResult {
            Ok(Changed::from(run(symbol, view.effects())))
        },
    }
}

/// Shares repeated computations within a function; whether any was found.
pub fn run(symbol: &mut SymbolOp, effects: &Summary) -> bool {
    if !std::ptr::eq(symbol.def, func::Func::DEF) {
        return false;
    }
    let Some(entry) = symbol.body.entry() else { return false };
    let body = &mut symbol.body;
    let summary = effects;
    let effects = summary.all_ops(body);
    let mut cse =
        Cse { body, summary, effects, table: FxHashMap::default(), added: Vec::new(), epoch: 0, last_epoch: 0 };
    cse.all(entry)
}

/// What two ops have in common if one can stand for the other.
#[derive(PartialEq, Eq, Hash, Clone)]
pub(super) struct Key {
    /// The row, by its address.
    def: *const OpDef,
    operands: SmallVec<[ValueId; 3]>,
    results: SmallVec<[Type; 1]>,
    attrs: Attrs,
    /// Of an op that reads: the number of the last write before it.
    epoch: Option<u32>,
}

impl Key {
    /// The key of an op of the operands that `operand` puts in place of its own.
    pub(super) fn of(body: &Body, op: OpId, epoch: Option<u32>, operand: impl Fn(ValueId) -> ValueId) -> Key {
        let data = body.op(op);
        let mut key = Key {
            def: data.def,
            operands: SmallVec::from_slice(&data.operands),
            results: data.results.iter().map(|&r| body.ty(r)).collect(),
            attrs: distinguishing(&data.attrs),
            epoch,
        };
        key.operands.iter_mut().for_each(|v| *v = operand(*v));
        if data.def.commutative {
            key.operands.sort();
        }
        key
    }
}

/// The attributes that tell ops apart, in one order.
#[mutant(Site::CseAttributes => Attrs::default())]
fn distinguishing(attrs: &Attrs) -> Attrs {
    let mut attrs = Attrs::from_slice(attrs);
    if attrs.len() > 1 {
        attrs.sort_by_key(|(name, _)| *name);
    }
    attrs
}

enum Task {
    Block(BlockId),
    Op(OpId),
    /// Forget what was added since the table had this many entries.
    Forget(usize),
    /// What reads in the code that follows may see.
    Epoch(Epoch),
    /// Put back what linear code could not see.
    Restore(Box<FxHashMap<Key, OpId>>),
}

enum Epoch {
    Is(u32),
    New,
}

struct Cse<'a> {
    body: &'a mut Body,
    summary: &'a Summary,
    effects: Vec<Effect>,
    table: FxHashMap<Key, OpId>,
    /// Keys in the order in which they were added.
    added: Vec<Key>,
    epoch: u32,
    last_epoch: u32,
}

impl Cse<'_> {
    fn all(&mut self, entry: BlockId) -> bool {
        let mut changed = false;
        let mut tasks = vec![Task::Block(entry)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Block(block) => tasks.extend(self.body.block_ops(block).into_iter().rev().map(Task::Op)),
                Task::Forget(len) => self.forget(len),
                Task::Epoch(Epoch::Is(epoch)) => self.epoch = epoch,
                Task::Epoch(Epoch::New) => self.new_epoch(),
                Task::Restore(table) => self.table = *table,
                Task::Op(op) if self.body.op(op).regions.is_empty() => changed |= self.op(op),
                Task::Op(op) => self.enter(op, &mut tasks),
            }
        }
        changed
    }

    /// A region has ended: its values are not seen behind it.
    #[mutant(Site::CseScope)]
    fn forget(&mut self, len: usize) {
        for key in self.added.drain(len..) {
            self.table.remove(&key);
        }
    }

    /// What is read behind an op that writes is not what was read before.
    #[mutant(Site::CseMemory)]
    fn pass_write(&mut self) {
        self.new_epoch();
    }

    fn new_epoch(&mut self) {
        self.last_epoch += 1;
        self.epoch = self.last_epoch;
    }

    /// Queues the regions of `op`, each as a scope of its own.
    fn enter(&mut self, op: OpId, tasks: &mut Vec<Task>) {
        let data = self.body.op(op);
        let writes = self.effects[op.index()] == Effect::Writes;
        if writes {
            tasks.push(Task::Epoch(Epoch::New));
        }
        let isolated = ad::Linear::is(self.body, op);
        if isolated {
            tasks.push(Task::Restore(Box::new(std::mem::take(&mut self.table))));
        }
        // A loop reads what its last iteration wrote; a branch reads what stood before.
        let fresh = writes && !data.def.runs_regions_once();
        for &region in data.regions.iter().rev() {
            for &block in self.body.region(region).blocks.iter().rev() {
                tasks.push(Task::Forget(self.added.len()));
                tasks.push(Task::Block(block));
                tasks.push(Task::Epoch(if fresh { Epoch::New } else { Epoch::Is(self.epoch) }));
            }
        }
    }

    fn op(&mut self, op: OpId) -> bool {
        let effect = self.effects[op.index()];
        let data = self.body.op(op);
        if effect == Effect::Writes {
            self.pass_write();
            return false;
        }
        if self.summary.is_counted(self.body, op) {
            return false;
        }
        // A read without operands makes a place rather than reading one.
        let reads = effect == Effect::Reads;
        if data.def.is_terminator() || data.results.is_empty() || (reads && data.operands.is_empty()) {
            return false;
        }
        let key = Key::of(self.body, op, reads.then_some(self.epoch), |v| v);
        match self.table.entry(key) {
            Entry::Occupied(first) => {
                let first = *first.get();
                for (old, new) in data.results.clone().into_iter().zip(self.body.results(first).to_vec()) {
                    self.body.replace_uses(old, new);
                }
                self.body.erase_op(op);
                true
            }
            Entry::Vacant(place) => {
                self.added.push(place.key().clone());
                place.insert(op);
                false
            }
        }
    }
}
