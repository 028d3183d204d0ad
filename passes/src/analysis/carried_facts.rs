//! What is known of the values that loops carry, and of all that structured ops give: facts that
//! hold before each iteration.
//!
//! Code is followed forwards by the rules in the rows of ops. A loop starts from its initial values
//! and is followed until one more iteration adds nothing. Bounds that still move after a few
//! iterations move on to the next of a few numbers, the last of which are infinite, so that this
//! ends. Where it does not end soon nothing is known.

use super::facts::counter;
use caustic_dialects::arith::constant_of;
use caustic_dialects::carried::{BOUNDS, ForParts, WhileParts};
use caustic_dialects::{facts, scf};
use caustic_ir::fact::{Fact, FloatFact, IntFact};
use caustic_ir::{BlockId, Body, OpId, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Ops that are looked at, for each op of the function.
const LOOKS: usize = 12;
/// Iterations that are followed as they are, and at most.
const PLAIN: u32 = 1;
const MOST: u32 = 6;
/// Bounds of floats that widening tries.
const STEPS: [f64; 5] = [f64::NEG_INFINITY, -1.0, 0.0, 1.0, f64::INFINITY];

/// What is known of values; nothing of those that are missing.
pub type Known = FxHashMap<ValueId, Fact>;

/// What is known of the arguments of blocks and of the results of ops with regions, where the
/// function has a loop that carries something. It is empty for others.
pub fn carried_facts(body: &Body) -> Known {
    let carries = |op: OpId| {
        (scf::For::is(body, op) || scf::While::is(body, op)) && body.results(op).iter().any(|&r| is_plain(body.ty(r)))
    };
    let mut ops = 0;
    let mut any = false;
    for op in body.all_ops() {
        ops += 1;
        any |= carries(op);
    }
    let Some(entry) = body.entry().filter(|_| any) else { return Known::default() };
    let needed = needed(body);
    let mut flow = Flow { body, known: Known::default(), needed, before: FxHashMap::default(), left: LOOKS * ops };
    match flow.block(entry) {
        Some(_) => flow.known,
        None => Known::default(),
    }
}

/// All values that carried ones, and results of branches, are computed of.
fn needed(body: &Body) -> FxHashSet<ValueId> {
    let mut out: FxHashSet<ValueId> = FxHashSet::default();
    let mut pending: Vec<ValueId> = Vec::new();
    for op in body.all_ops() {
        // What ends a region is yielded or carried on.
        if body.op(op).def.is_terminator() || !body.op(op).regions.is_empty() {
            pending.extend(body.operands(op).iter().filter(|&&v| is_plain(body.ty(v))));
        }
    }
    while let Some(value) = pending.pop() {
        if out.insert(value)
            && let Some(op) = body.def_op(value)
            && body.op(op).def.facts.is_some()
        {
            pending.extend(body.operands(op));
        }
    }
    out
}

fn is_plain(ty: Type) -> bool {
    !matches!(Fact::top(ty), Fact::None)
}

struct Flow<'a> {
    body: &'a Body,
    known: Known,
    /// What carried values are computed of.
    needed: FxHashSet<ValueId>,
    /// The facts from which that of a value was computed last: most do not change from one
    /// iteration to the next.
    before: FxHashMap<ValueId, SmallVec<[Fact; 3]>>,
    left: usize,
}

impl Flow<'_> {
    fn of(&self, value: ValueId) -> Fact {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let top = Fact::top(self.body.ty(value));
        match constant_of(self.body, value) {
            Some(constant) => top.meet(Fact::constant(constant)).unwrap_or(top),
            None => top,
        }
    }

    fn all(&self, values: &[ValueId]) -> Vec<Fact> {
        values.iter().map(|&v| self.of(v)).collect()
    }

    fn set(&mut self, values: &[ValueId], facts: &[Fact]) {
        for (&value, &fact) in values.iter().zip(facts) {
            if !matches!(fact, Fact::None) {
                self.known.insert(value, fact);
            }
        }
    }

    /// Follows a block, of whose arguments the facts are known; its last op. `None` if it takes too
    /// long.
    fn block(&mut self, block: BlockId) -> Option<OpId> {
        let ops = self.body.block_ops(block);
        for &op in &ops {
            self.left = self.left.checked_sub(1)?;
            self.op(op)?;
        }
        ops.last().copied()
    }

    fn op(&mut self, op: OpId) -> Option<()> {
        let body = self.body;
        let data = body.op(op);
        if let Some(parts) = ForParts::of(body, op) {
            return self.counted(op, parts);
        }
        if let Some(parts) = WhileParts::of(body, op) {
            return self.repeated(op, parts);
        }
        if !data.regions.is_empty() {
            return self.regions(op);
        }
        let &[result] = &data.results[..] else { return Some(()) };
        if data.def.facts.is_none() || !is_plain(body.ty(result)) || !self.needed.contains(&result) {
            return Some(());
        }
        let known: SmallVec<[Fact; 3]> = data.operands.iter().map(|&v| self.of(v)).collect();
        if self.before.get(&result) == Some(&known) {
            return Some(());
        }
        let types: SmallVec<[Type; 3]> = data.operands.iter().map(|&v| body.ty(v)).collect();
        let same: SmallVec<[usize; 3]> = data.operands.iter().map(|v| v.index()).collect();
        let fact = facts::of_same(data.def, &data.attrs, &types, body.ty(result), &known, &same);
        self.known.insert(result, fact);
        self.before.insert(result, known);
        Some(())
    }

    /// Branches and whatever else has regions: each runs or does not.
    fn regions(&mut self, op: OpId) -> Option<()> {
        let body = self.body;
        let mut joined: Option<Vec<Fact>> = None;
        for n in 0..body.op(op).regions.len() {
            let Some(block) = body.region_block(op, n) else { continue };
            let end = self.block(block)?;
            let yielded = self.all(body.operands(end));
            joined = Some(match joined {
                None => yielded,
                Some(before) => before.into_iter().zip(yielded).map(|(a, b)| a.join(b)).collect(),
            });
        }
        let results = body.results(op);
        match joined.filter(|facts| scf::If::is(body, op) && facts.len() == results.len()) {
            Some(facts) => self.set(results, &facts),
            None => results.iter().for_each(|r| {
                self.known.remove(r);
            }),
        }
        Some(())
    }

    fn counted(&mut self, op: OpId, parts: ForParts) -> Option<()> {
        let body = self.body;
        let args = body.args(parts.body);
        if let Some(known) = args.first().and_then(|&c| counter(body, c)) {
            self.set(&args[..1], &[known]);
        }
        let mut state = self.all(&body.operands(op)[BOUNDS..]);
        for round in 0.. {
            self.set(&args[1..], &state);
            let end = self.block(parts.body)?;
            let next = self.all(body.operands(end));
            if !advance(&mut state, &next, round) {
                break;
            }
        }
        self.set(body.results(op), &state);
        Some(())
    }

    fn repeated(&mut self, op: OpId, parts: WhileParts) -> Option<()> {
        let body = self.body;
        let mut state = self.all(body.operands(op));
        for round in 0.. {
            self.set(body.args(parts.before), &state);
            self.block(parts.before)?;
            let forwarded = self.all(parts.forwarded(body));
            self.set(body.args(parts.after), &forwarded);
            self.set(body.results(op), &forwarded);
            let end = self.block(parts.after)?;
            let next = self.all(body.operands(end));
            if !advance(&mut state, &next, round) {
                break;
            }
        }
        Some(())
    }
}

/// Adds what one more iteration gives; whether that was something new.
fn advance(state: &mut [Fact], next: &[Fact], round: u32) -> bool {
    let mut moved = false;
    for (old, &new) in state.iter_mut().zip(next) {
        let joined = old.join(new);
        if joined == *old {
            continue;
        }
        moved = true;
        *old = match round {
            0..PLAIN => joined,
            PLAIN..MOST => widened(*old, joined),
            _ => everything(joined),
        };
    }
    moved
}

fn everything(fact: Fact) -> Fact {
    match fact {
        Fact::Float(f) => Fact::Float(FloatFact::top(f.format())),
        Fact::Int(f) => Fact::Int(IntFact::top(f.bits())),
        Fact::None => Fact::None,
    }
}

/// More than both, so that bounds which move get far.
fn widened(old: Fact, new: Fact) -> Fact {
    let wide = match (old, new) {
        (Fact::Float(a), Fact::Float(b)) => {
            let lo = if b.lo < a.lo { STEPS.into_iter().rev().find(|&s| s <= b.lo) } else { Some(b.lo) };
            let hi = if b.hi > a.hi { STEPS.into_iter().find(|&s| s >= b.hi) } else { Some(b.hi) };
            let (lo, hi) = (lo.unwrap_or(f64::NEG_INFINITY), hi.unwrap_or(f64::INFINITY));
            // Kinds of numbers follow from the bounds, but for those that no iteration has.
            FloatFact::new(b.format(), b.kinds, lo, hi).map(Fact::Float)
        }
        (Fact::Int(a), Fact::Int(b)) => {
            let top = IntFact::top(b.bits());
            let lo = if b.signed.0 < a.signed.0 { if b.signed.0 >= 0 { 0 } else { top.signed.0 } } else { b.signed.0 };
            let hi = if b.signed.1 > a.signed.1 { top.signed.1 } else { b.signed.1 };
            let bits = IntFact::with_bits(b.zeros, b.ones, b.bits());
            IntFact::between(lo, hi, b.bits()).zip(bits).and_then(|(range, bits)| range.meet(bits)).map(Fact::Int)
        }
        _ => None,
    };
    wide.map_or_else(|| everything(new), |wide| wide.join(new))
}
