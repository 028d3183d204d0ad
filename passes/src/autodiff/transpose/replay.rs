//! `ad.replay`, transposed: a reverse sweep that keeps a few states and computes the others again.
//!
//! The schedule is binomial (Griewank and Walther's *revolve*), decided as the sweep goes, so that
//! the trip count need not be known before. With the state at `p` at hand and `f` free slots, the
//! way to `k` is gone in legs; with r the least number for which C(f + 1 + r, r) covers the rest of
//! the way, no state is computed more than r times again, and that is the least possible. Nothing
//! is allocated: the slots are arrays of fixed size.

use super::Transposer;
use super::sweep::{Sweep, is_ascending};
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::agg::{self, array_type};
use caustic_dialects::{arith, scf};
use caustic_ir::{Attr, Builder, Cloner, Diagnostic, OpDef, OpId, Result, Type, ValueId};

/// More slots than this are not kept, whatever is asked for.
const MOST_SLOTS: i64 = 1 << 12;

fn at() -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(&[-1]))]
}

fn load(b: &mut Builder<'_>, array: ValueId, index: ValueId) -> ValueId {
    let elem = agg::as_array(b.ty(array)).map_or(Type::index(), |(_, elem)| elem);
    agg::Extract::build(b, array, &[index], elem, &at())
}

fn int_op(b: &mut Builder<'_>, def: &'static OpDef, x: ValueId, y: ValueId) -> ValueId {
    let ty = b.ty(x);
    b.create_one(def, &[x, y], ty, &[])
}

/// A canonical while: `condition` and `next` are built from the carried values.
fn build_while(
    b: &mut Builder<'_>,
    inits: &[ValueId],
    condition: &mut dyn FnMut(&mut Builder<'_>, &[ValueId]) -> ValueId,
    next: &mut dyn FnMut(&mut Builder<'_>, &[ValueId]) -> Vec<ValueId>,
) -> Vec<ValueId> {
    let types: Vec<Type> = inits.iter().map(|&v| b.ty(v)).collect();
    let new = b.body.create_op(scf::While::DEF, inits, &types, Default::default(), 2, b.loc);
    b.body.insert_op(new, b.block, b.before);
    let before = b.add_block(new, 0, &types);
    let args = b.body.args(before).to_vec();
    let mut inner = b.at(before);
    let mut handed = vec![condition(&mut inner, &args)];
    handed.extend(args);
    inner.create(scf::Condition::DEF, &handed, &[], &[], 0);
    let after = b.add_block(new, 1, &types);
    let args = b.body.args(after).to_vec();
    let mut inner = b.at(after);
    let yielded = next(&mut inner, &args);
    scf::Yield::build(&mut inner, &yielded, &[]);
    b.body.results(new).to_vec()
}

/// One of two numbers of iterations, each computed where it is asked for.
fn choose(
    b: &mut Builder<'_>,
    condition: ValueId,
    yes: impl FnOnce(&mut Builder<'_>) -> ValueId,
    no: impl FnOnce(&mut Builder<'_>) -> ValueId,
) -> ValueId {
    let new = scf::If::build(b, condition, &[Type::index()], &[]);
    let block = b.add_block(new, 0, &[]);
    let mut inner = b.at(block);
    let value = yes(&mut inner);
    scf::Yield::build(&mut inner, &[value], &[]);
    let block = b.add_block(new, 1, &[]);
    let mut inner = b.at(block);
    let value = no(&mut inner);
    scf::Yield::build(&mut inner, &[value], &[]);
    b.body.result(new, 0)
}

/// How far to go before the next snapshot, with `free` slots (at least one) and `rest` states to
/// sweep over (at least two).
fn leg(b: &mut Builder<'_>, rest: ValueId, free: ValueId) -> ValueId {
    let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
    let s = int_op(b, arith::AddI::DEF, free, one);
    // t = C(s + r, r), until it covers the rest.
    let found =
        build_while(b, &[one, zero], &mut |b, v| arith::cmpi(b, arith::IntPredicate::Slt, v[0], rest), &mut |b, v| {
            let one = arith::index(b, 1);
            let r = int_op(b, arith::AddI::DEF, v[1], one);
            let up = int_op(b, arith::AddI::DEF, s, r);
            let product = int_op(b, arith::MulI::DEF, v[0], up);
            vec![int_op(b, arith::DivUI::DEF, product, r), r]
        });
    // What lies behind the snapshot has one slot less: at most C(s - 1 + r, r) = t s / (s + r)
    // states. And so many lie before it, at least, that one repetition less would not do for them:
    // C(s + r - 2, s).
    let product = int_op(b, arith::MulI::DEF, found[0], s);
    let all = int_op(b, arith::AddI::DEF, s, found[1]);
    let behind = int_op(b, arith::DivUI::DEF, product, all);
    let product = int_op(b, arith::MulI::DEF, found[0], found[1]);
    let once_less = int_op(b, arith::DivUI::DEF, product, all);
    let r_less = int_op(b, arith::SubI::DEF, found[1], one);
    let product = int_op(b, arith::MulI::DEF, once_less, r_less);
    let all_less = int_op(b, arith::SubI::DEF, all, one);
    let before = int_op(b, arith::DivUI::DEF, product, all_less);
    let before = int_op(b, arith::MaxUI::DEF, before, one);
    let most = int_op(b, arith::SubI::DEF, rest, before);
    let behind = int_op(b, arith::MinUI::DEF, behind, most);
    let behind = int_op(b, arith::MaxUI::DEF, behind, one);
    int_op(b, arith::SubI::DEF, rest, behind)
}

fn slots_of(src: &caustic_ir::Body, op: OpId) -> i64 {
    let slots = ad::Replay::cast(src, op).map(|replay| replay.slots(src));
    let slots = slots.or_else(|| Some(ad::Again::cast(src, op)?.slots(src)));
    slots.flatten().unwrap_or(1).clamp(1, MOST_SLOTS)
}

/// What a sweep begins with: the number of the last snapshot, where the snapshots were taken, and
/// the states there.
fn kept(b: &mut Builder<'_>, slots: i64, states: &[ValueId]) -> Vec<ValueId> {
    // One more place for what is not kept. Only what has been kept is read.
    let unread = [(agg::UNREAD, Attr::unit())];
    let begun = |b: &mut Builder<'_>, first: ValueId| {
        let ty = b.ty(first);
        let empty = agg::Zero::build(b, array_type(slots as u64 + 1, ty), &unread);
        agg::Insert::build(b, first, empty, &[], &[("path", Attr::i64_array(&[0]))])
    };
    let start = arith::index(b, 0);
    let mut extra = vec![start, begun(b, start)];
    extra.extend(states.iter().map(|&state| begun(b, state)).collect::<Vec<_>>());
    extra
}

impl Transposer<'_> {
    /// Carried in the sweep: where the snapshots were taken, the states there, and the number of
    /// the last one.
    pub(super) fn replay_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let bad = || Diagnostic::invalid_ir(data.loc, "ad.replay without its regions");
        let (step, body) = (src.region_block(op, 0).ok_or_else(bad)?, src.region_block(op, 1).ok_or_else(bad)?);
        let step_end = src.terminator(step).ok_or_else(bad)?;
        let slots = slots_of(src, op);
        let states: Vec<ValueId> =
            data.operands[1..].iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| self.primal.get(v)).collect();
        let count = self.primal.get(data.operands[0]);
        let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
        let ascending = is_ascending(src, op);
        let extra = if ascending { states } else { kept(b, slots, &states) };
        let attrs = Default::default();
        let sweep = Sweep { op, region: 1, bounds: [zero, count, one], attrs, ascending, extra: &extra };
        self.sweep(&sweep, b, &mut |t, b, k, extra| {
            let (now, next) = match ascending {
                true => (extra.to_vec(), t.stepped(b, (step, step_end), k, extra)),
                false => t.states_at(b, (step, step_end), slots, k, extra),
            };
            for (&arg, &value) in src.args(body)[1..].iter().zip(&now) {
                t.primal.insert(arg, value);
            }
            Ok(next)
        })
    }

    /// What a sweep carries for the states of `ad.again`.
    pub(super) fn again_kept(&mut self, op: OpId, ascending: bool, b: &mut Builder<'_>) -> Vec<ValueId> {
        let states: Vec<ValueId> = self.src.operands(op).iter().map(|&v| self.primal.get(v)).collect();
        if ascending { states } else { kept(b, slots_of(self.src, op), &states) }
    }

    /// The states of `ad.again` in iteration `k` of the sweep; what it carries on.
    pub(super) fn again(
        &mut self,
        op: OpId,
        ascending: bool,
        b: &mut Builder<'_>,
        k: ValueId,
        extra: &[ValueId],
    ) -> Result<Vec<ValueId>> {
        let src = self.src;
        let bad = || Diagnostic::invalid_ir(src.loc(op), "ad.again without its steps");
        let step = src.region_block(op, 0).ok_or_else(bad)?;
        let end = src.terminator(step).ok_or_else(bad)?;
        let (now, next) = match ascending {
            true => (extra.to_vec(), self.stepped(b, (step, end), k, extra)),
            false => self.states_at(b, (step, end), slots_of(src, op), k, extra),
        };
        for (&r, &value) in src.results(op).iter().zip(&now) {
            self.primal.insert(r, value);
        }
        Ok(next)
    }

    /// The states in iteration `k`, from the last one kept before it; then what is kept.
    fn states_at(
        &mut self,
        b: &mut Builder<'_>,
        (step, step_end): (caustic_ir::BlockId, OpId),
        slots: i64,
        k: ValueId,
        extra: &[ValueId],
    ) -> (Vec<ValueId>, Vec<ValueId>) {
        let one = arith::index(b, 1);
        let (last, positions) = (extra[0], extra[1]);
        // The last snapshot is of no use any more once the sweep has passed it.
        let newest = load(b, positions, last);
        let passed = arith::cmpi(b, arith::IntPredicate::Sgt, newest, k);
        let before = int_op(b, arith::SubI::DEF, last, one);
        let last = arith::Select::build(b, passed, before, last, &[]);
        let position = load(b, positions, last);
        let mut carried = vec![position, last, positions];
        carried.extend(&extra[2..]);
        carried.extend(extra[2..].iter().map(|&a| load(b, a, last)).collect::<Vec<_>>());
        let m = extra.len() - 2;
        let here =
            build_while(b, &carried, &mut |b, v| arith::cmpi(b, arith::IntPredicate::Slt, v[0], k), &mut |b, v| {
                let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
                let capacity = arith::index(b, slots - 1);
                let free = int_op(b, arith::SubI::DEF, capacity, v[1]);
                let keeps = arith::cmpi(b, arith::IntPredicate::Sgt, free, zero);
                let way = int_op(b, arith::SubI::DEF, k, v[0]);
                let rest = int_op(b, arith::AddI::DEF, way, one);
                let two = arith::index(b, 2);
                let reach = int_op(b, arith::AddI::DEF, free, two);
                let all_kept = arith::cmpi(b, arith::IntPredicate::Sle, rest, reach);
                // With a slot for each state the next one is kept.
                let near = |b: &mut Builder<'_>| choose(b, all_kept, |_| one, |b| leg(b, rest, free));
                let steps = choose(b, keeps, near, |_| way);
                let now = self.advance(b, (step, step_end), v[0], steps, &v[3 + m..]);
                let position = int_op(b, arith::AddI::DEF, v[0], steps);
                let next = int_op(b, arith::AddI::DEF, v[1], one);
                let dropped = arith::index(b, slots);
                let place = arith::Select::build(b, keeps, next, dropped, &[]);
                let mut out = vec![position, arith::Select::build(b, keeps, next, v[1], &[])];
                out.push(agg::Insert::build(b, position, v[2], &[place], &at()));
                for i in 0..m {
                    out.push(agg::Insert::build(b, now[i], v[3 + i], &[place], &at()));
                }
                out.extend(now);
                out
            });
        let mut next = vec![here[1], here[2]];
        next.extend(&here[3..3 + m]);
        (state_of(&here, &carried, 3 + m), next)
    }

    /// The states behind iteration `k`, from those in front of it.
    fn stepped(
        &self,
        b: &mut Builder<'_>,
        (step, end): (caustic_ir::BlockId, OpId),
        k: ValueId,
        states: &[ValueId],
    ) -> Vec<ValueId> {
        let src = self.src;
        let mut map = Cloner { map: self.primal.map.clone() };
        for (&arg, &value) in src.args(step).iter().zip(std::iter::once(&k).chain(states)) {
            map.insert(arg, value);
        }
        for op in src.block_ops(step).into_iter().filter(|&op| op != end) {
            map.clone_op(src, op, b);
        }
        src.operands(end).iter().map(|&v| map.get(v)).collect()
    }

    /// Runs the primal step a number of times, from iteration `first` on.
    fn advance(
        &self,
        b: &mut Builder<'_>,
        (step, end): (caustic_ir::BlockId, OpId),
        first: ValueId,
        count: ValueId,
        states: &[ValueId],
    ) -> Vec<ValueId> {
        let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
        let types: Vec<Type> = states.iter().map(|&v| b.ty(v)).collect();
        let new = scf::For::build(b, zero, count, one, states, &types, &[]);
        let mut arg_types = vec![Type::index()];
        arg_types.extend(&types);
        let block = b.add_block(new, 0, &arg_types);
        let args = b.body.args(block).to_vec();
        let mut inner = b.at(block);
        let k = replayed(&mut inner, first, args[0]);
        let next = self.stepped(&mut inner, (step, end), k, &args[1..]);
        scf::Yield::build(&mut inner, &next, &[]);
        debug_assert!(ad::Yield::is(self.src, end));
        b.body.results(new).to_vec()
    }
}

/// The state after the steps that follow a snapshot, which itself is what the loop carried. States
/// begin at `first`.
#[mutant(Site::SnapshotState with stepped = snapshot)]
fn state_of(stepped: &[ValueId], snapshot: &[ValueId], first: usize) -> Vec<ValueId> {
    stepped[first..].to_vec()
}

/// The number of the iteration that step `k` behind the first one replays.
#[mutant(Site::SnapshotIteration => k)]
fn replayed(b: &mut Builder<'_>, first: ValueId, k: ValueId) -> ValueId {
    int_op(b, arith::AddI::DEF, first, k)
}
