//! Mutants of results: the pass manager makes a mistake on what a pass is given or leaves, so that
//! no pass knows of it.
//!
//! A row names the passes, the ops and an edit. Ops are told by what they are or do, so that a new
//! op of the sort has the mutant, too.

use caustic_dialects::{arith, func, gpu, hl, scf, simt};
use caustic_ir::{Body, Builder, Effects, Module, Name, OpDef, OpId, ValueId};
use rustc_hash::FxHashMap;

/// A mutant of what passes are given or leave.
pub struct Row {
    pub name: &'static str,
    /// What goes wrong.
    pub what: &'static str,
    side: Side,
    passes: &'static [&'static str],
    ops: Ops,
    which: Which,
    edit: Edit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

enum Ops {
    Of(&'static OpDef),
    That(fn(&Body, OpId) -> bool),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    /// Those that the pass made.
    Made,
    /// The last one of each function.
    Last,
}

enum Edit {
    Erase,
    /// Another op of the same form.
    Become(&'static OpDef),
    /// The last operand is the first one, where their types agree.
    LastIsFirst,
    /// The first and the last result change places, where their types agree.
    SwapResults,
    /// Operand `n` is what this makes of it.
    Operand(usize, fn(&mut Builder<'_>, ValueId) -> ValueId),
    /// A loop carries the last of its values on as it was.
    KeepCarried,
}

pub const ROWS: &[Row] = &[
    Row {
        name: "dce/writes",
        what: "stores to buffers are removed as if nobody read them",
        side: Side::After,
        passes: &["dce"],
        ops: Ops::That(writes_alone),
        which: Which::All,
        edit: Edit::Erase,
    },
    Row {
        name: "dce/calls",
        what: "calls with effects are removed where nobody reads their results",
        side: Side::After,
        passes: &["dce"],
        ops: Ops::Of(func::Call::DEF),
        which: Which::All,
        edit: Edit::Erase,
    },
    Row {
        name: "inline/argument",
        what: "the last argument of an inlined call is the first, where their types agree",
        side: Side::Before,
        passes: &["inline", "inline-forced"],
        ops: Ops::Of(func::Call::DEF),
        which: Which::All,
        edit: Edit::LastIsFirst,
    },
    Row {
        name: "inline/result",
        what: "the results of an inlined call change places where their types agree",
        side: Side::Before,
        passes: &["inline", "inline-forced"],
        ops: Ops::Of(func::Call::DEF),
        which: Which::All,
        edit: Edit::SwapResults,
    },
    Row {
        name: "exits/continue",
        what: "`continue` leaves the loop",
        side: Side::Before,
        passes: &["normalize-exits"],
        ops: Ops::Of(hl::Continue::DEF),
        which: Which::All,
        edit: Edit::Become(hl::Break::DEF),
    },
    Row {
        name: "exits/break",
        what: "`break` goes on with the next iteration",
        side: Side::Before,
        passes: &["normalize-exits"],
        ops: Ops::Of(hl::Break::DEF),
        which: Which::All,
        edit: Edit::Become(hl::Continue::DEF),
    },
    Row {
        name: "promote/loop",
        what: "a store in a loop is not seen by the next iteration",
        side: Side::After,
        passes: &["promote"],
        ops: Ops::Of(scf::While::DEF),
        which: Which::All,
        edit: Edit::KeepCarried,
    },
    Row {
        name: "uplift-while-to-for/bound",
        what: "a loop that becomes a counted one runs one iteration less",
        side: Side::After,
        passes: &["uplift-while-to-for"],
        ops: Ops::Of(scf::For::DEF),
        which: Which::Made,
        edit: Edit::Operand(1, one_less),
    },
    Row {
        name: "instances/loop",
        what: "threads that meet in a loop meet in any iteration of it",
        side: Side::After,
        passes: &["mark-convergence"],
        ops: Ops::Of(simt::InstanceNext::DEF),
        which: Which::All,
        edit: Edit::Erase,
    },
    Row {
        name: "tiles/barrier",
        what: "what a group adds up is taken before all of its threads have added",
        side: Side::After,
        passes: &["privatize-atomics"],
        ops: Ops::Of(gpu::Barrier::DEF),
        which: Which::Last,
        edit: Edit::Erase,
    },
    Row {
        name: "zeros/branch",
        what: "what is zero unless a condition holds is computed where it does not",
        side: Side::After,
        passes: &["guard-zero-slices"],
        ops: Ops::Of(scf::If::DEF),
        which: Which::Made,
        edit: Edit::Operand(0, negated),
    },
    Row {
        name: "peers/key",
        what: "all lanes of a wave add to the place of the first",
        side: Side::After,
        passes: &["warp-aggregate-atomics"],
        ops: Ops::Of(simt::WaveSumsByKey::DEF),
        which: Which::Made,
        edit: Edit::Operand(1, of_first_lane),
    },
];

/// An op that is there for its effect alone.
fn writes_alone(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    matches!(data.def.effects, Effects::Writes) && data.results.is_empty()
}

fn one_less(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    let one = arith::int(b, 1, b.ty(value));
    arith::SubI::build(b, value, one, &[])
}

fn negated(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    let yes = arith::bool(b, true);
    arith::XOrI::build(b, value, yes, &[])
}

fn of_first_lane(b: &mut Builder<'_>, value: ValueId) -> ValueId {
    simt::WaveReadFirst::build(b, value, &[], &[])
}

/// The mutant that is made on a pass's side, and what was there before the pass.
pub struct Mutation {
    row: Option<&'static Row>,
    /// Ops of each function before the pass, by number.
    known: FxHashMap<Name, usize>,
}

impl Mutation {
    /// Makes the mistake on what the pass is given, if the mutant that is chosen is one of these.
    pub fn before(pass: &str, module: &mut Module) -> Mutation {
        let chosen = caustic_mutants::chosen().and_then(|name| ROWS.iter().find(|row| row.name == name));
        let mut mutation =
            Mutation { row: chosen.filter(|row| row.passes.contains(&pass)), known: FxHashMap::default() };
        if let Some(row) = mutation.row {
            mutation.known = module.symbols().iter().map(|s| (s.name, s.body.num_ops())).collect();
            mutation.make(row, Side::Before, module);
        }
        mutation
    }

    /// Makes the mistake on what the pass leaves; whether it changed anything.
    pub fn after(&self, module: &mut Module) -> bool {
        self.row.is_some_and(|row| self.make(row, Side::After, module))
    }

    fn make(&self, row: &Row, side: Side, module: &mut Module) -> bool {
        let mut changed = false;
        for symbol in module.symbols_mut().iter_mut().filter(|_| row.side == side) {
            let known = self.known.get(&symbol.name).copied().unwrap_or(0);
            let body = &mut symbol.body;
            let takes = |body: &Body, op: OpId| match &row.ops {
                Ops::Of(def) => body.is(op, def),
                Ops::That(holds) => holds(body, op),
            };
            let mut found: Vec<OpId> = body.walk_all().into_iter().filter(|&op| takes(body, op)).collect();
            match row.which {
                Which::All => {}
                Which::Made => found.retain(|op| op.index() >= known),
                Which::Last => drop(found.drain(..found.len().saturating_sub(1))),
            }
            for op in found {
                changed |= row.edit.make(body, op);
            }
        }
        changed
    }
}

impl Edit {
    /// Whether the edit fits the op.
    fn make(&self, body: &mut Body, op: OpId) -> bool {
        match self {
            Edit::Erase => {
                let unused = body.results(op).iter().all(|&v| body.is_unused(v));
                if unused {
                    body.erase_op(op);
                }
                unused
            }
            Edit::Become(def) => {
                body.set_def(op, def);
                true
            }
            Edit::LastIsFirst => {
                let [first, .., last] = *body.operands(op) else { return false };
                let fits = body.ty(first) == body.ty(last);
                if fits {
                    body.set_operand(op, body.operands(op).len() - 1, first);
                }
                fits
            }
            Edit::SwapResults => {
                let [first, .., last] = *body.results(op) else { return false };
                if body.ty(first) != body.ty(last) {
                    return false;
                }
                let uses = [body.uses(first).to_vec(), body.uses(last).to_vec()];
                for (uses, value) in uses.iter().zip([last, first]) {
                    uses.iter().for_each(|u| body.set_operand(u.op, u.index as usize, value));
                }
                true
            }
            Edit::Operand(n, wrong) => {
                let Some(&value) = body.operands(op).get(*n) else { return false };
                let Some(mut b) = Builder::before(body, op) else { return false };
                let value = wrong(&mut b, value);
                body.set_operand(op, *n, value);
                true
            }
            Edit::KeepCarried => {
                let Some(block) = body.region_block(op, 1) else { return false };
                let (Some(&last), Some(end)) = (body.args(block).last(), body.terminator(block)) else { return false };
                body.set_operand(end, body.operands(end).len() - 1, last);
                true
            }
        }
    }
}
