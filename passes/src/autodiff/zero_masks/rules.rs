//! The linear ops without regions: what is known of the cotangents that their transposes give to
//! their operands.

use super::known::{Known, Parts};
use super::{
    Analysis, Condition, Cotangent, CotangentId, Flow, Flows, Mask, PartFlow, Predicate, SplitFlow, ZeroMasks,
};
use crate::analysis::facts::is_finite;
use crate::autodiff::gates;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, LinearView as L, is_tangent, strip_tangent};
use caustic_dialects::{agg, scf};
use caustic_ir::{AdRule, Body, Diagnostic, OpId, Result, ValueId};

/// Where in an aggregate an op reads or writes: the steps, and whether some of them are computed.
struct Place {
    steps: Vec<i64>,
    computed: bool,
}

impl Place {
    /// Of an op whose indices are its operands from this one on.
    fn of(src: &Body, op: OpId, from: usize) -> Place {
        let steps = agg::path_of(src, op);
        Place { steps, computed: src.operands(op).len() > from }
    }
}

impl ZeroMasks {
    /// Whether the transpose of an op leaves a pending mask so: the cotangent keeps its shape.
    pub fn keeps_pending(&self, src: &Body, op: OpId, ct: CotangentId) -> bool {
        let same_lanes = |p: Predicate| ad::TSelect::is(src, op) && self.predicates.ty(p) == src.ty(src.operand(op, 0));
        let keeps_shape = ad::TAdd::is(src, op) || ad::TNeg::is(src, op) || ad::TScale::is(src, op);
        keeps_shape || self.get(ct).mask.predicate().is_some_and(same_lanes)
    }
}

impl Analysis<'_> {
    /// What is known of cotangents of an op's results goes to its operands.
    pub(super) fn op(&mut self, op: OpId) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.regions.is_empty() {
            return match () {
                _ if scf::For::is(src, op) => self.sweep(op, 0, src.operand(op, 1)),
                _ if ad::Replay::is(src, op) => self.sweep(op, 1, src.operand(op, 0)),
                _ => self.branch(op),
            };
        }
        if ad::LinearCall::is(src, op) {
            return self.call(op);
        }
        let Some(mut ct) = data.results.first().and_then(|&r| self.now(r)) else { return Ok(()) };
        if !self.masks.keeps_pending(src, op, ct) {
            ct = self.applied(ct);
        }
        match L::of(src, op) {
            Some(L::TZero(_)) => {}
            Some(L::TAdd(_)) => (0..2).for_each(|i| self.flow((op, i), src.operand(op, i), ct)),
            Some(L::TNeg(_) | L::TCast(_) | L::TSum(_)) => {
                let own = self.put(self.known(ct).clone());
                self.flow((op, 0), src.operand(op, 0), own);
            }
            Some(L::TScale(_)) => self.scale(op, ct),
            Some(L::TExtract(_)) => self.extract(op, ct),
            Some(L::TInsert(_)) => self.insert(op, ct),
            Some(L::TAccumulate(_)) => self.accumulate(op, ct),
            Some(L::TMake(_)) => self.make(op, ct),
            Some(L::TSplat(_)) => self.splat(op, ct),
            Some(L::TSelect(_)) => self.select(op, ct),
            _ => return self.any_linear(op, ct),
        }
        Ok(())
    }

    /// Of an op of which no more is known than that its transpose is linear, too: where the
    /// cotangent of its result is an exact zero, so are those of its operands. Which of their parts
    /// are dense cannot be told.
    fn any_linear(&mut self, op: OpId, ct: CotangentId) -> Result<()> {
        let data = self.src.op(op);
        if !matches!(data.def.ad, AdRule::Linear(_)) {
            return Err(Diagnostic::internal(data.loc, format!("{} has no transpose", data.def.name)));
        }
        let (predicate, _) = self.scalar_predicate(self.known(ct).mask.predicate(), Known::none());
        for (i, &v) in data.operands.iter().enumerate().filter(|(_, v)| is_tangent(self.src.ty(**v))) {
            let own = self.new_cotangent(predicate, Known::none());
            self.flow((op, i), v, own);
        }
        Ok(())
    }

    fn scale(&mut self, op: OpId, ct: CotangentId) {
        let src = self.src;
        let mut own = self.known(ct).clone();
        own.pending |= own.mask.predicate().is_some() && !is_finite(src, src.operand(op, 1));
        // A factor that may be zero because nothing reached it.
        if ad::Strong::of(src, op).is_some() {
            own.known.dense = Parts::none();
        }
        let own = self.put(own);
        self.flow((op, 0), src.operand(op, 0), own);
    }

    /// The part is added to the cotangent of the whole, in place.
    fn extract(&mut self, op: OpId, ct: CotangentId) {
        let src = self.src;
        let operand = src.operand(op, 0);
        let place = Place::of(src, op, 1);
        if let Some(&(whole, part)) = self.function.part_reads.get(&op) {
            self.note_part((whole, part), src.result(op, 0), ct);
        }
        let known = self.known(ct).clone();
        if known.is_dense() {
            self.dense_reads.insert(op);
        }
        // A row's mask says nothing of the matrix.
        let (predicate, part) = self.scalar_predicate(known.mask.predicate(), known.known);
        self.apply(operand);
        let before = self.now(operand).map(|id| self.known(id).clone());
        let either = match before.as_ref().map(|b| b.mask) {
            None => predicate,
            Some(mask) => mask.predicate().zip(predicate).and_then(|(p, q)| self.or(p, q)),
        };
        // The sum is dense only in parts that are dense wherever its mask lets something through.
        let holds = |own: Option<Predicate>| own.is_none() || own == either;
        let whole = strip_tangent(src.ty(operand));
        let here = part.at(whole, &place.steps);
        let absent = before.as_ref().map_or(here.absent.clone(), |b| b.known.absent.both(whole, &here.absent));
        let mut dense = before.filter(|b| holds(b.mask.predicate())).map_or_else(Parts::none, |b| b.known.dense);
        if holds(predicate) {
            dense.put(whole, &place.steps, &part.dense);
        }
        let own = self.new_cotangent(either, Known { dense, absent });
        self.now.insert(operand, own);
        self.masks.flows.insert((op, 0), Flows::Whole(Flow { own, sum: None }));
    }

    /// Notes what is known of a part of a value that is taken apart: `result` is the part, and `ct`
    /// its cotangent.
    fn note_part(&mut self, (whole, part): (ValueId, usize), result: ValueId, ct: CotangentId) {
        let before = PartFlow { mask: self.reached(whole), known: self.known_now(whole) };
        let here = PartFlow { mask: self.reached(result), known: self.known_at_end(ct) };
        let split = self.split.entry(whole);
        let split = split.or_insert_with(|| SplitFlow { whole: before, parts: Default::default() });
        split.parts.insert(part, here);
    }

    /// The part's cotangent is read, and cleared in that of the base.
    fn insert(&mut self, op: OpId, ct: CotangentId) {
        let src = self.src;
        let place = Place::of(src, op, 2);
        let known = self.known(ct).clone();
        let predicate = known.mask.predicate();
        let written_once = self.dense_writes.contains(&op) && predicate.is_none();
        let part = if written_once { Known::dense() } else { known.known.part(&place.steps) };
        let (of_part, part) = self.predicate_of_part(predicate, part, &place);
        let of_part = self.predicate_of_write(op, of_part);
        let own = self.new_cotangent(of_part, part);
        self.flow((op, 0), src.operand(op, 0), own);
        let whole = strip_tangent(src.ty(src.result(op, 0)));
        let own = self.new_cotangent(predicate, known.known.cleared(whole, &place.steps));
        self.flow((op, 1), src.operand(op, 1), own);
    }

    /// The part's cotangent is read; that of the base stays.
    fn accumulate(&mut self, op: OpId, ct: CotangentId) {
        let src = self.src;
        let place = Place::of(src, op, 2);
        let known = self.known(ct).clone();
        let part = known.known.part(&place.steps);
        let (of_part, part) = self.predicate_of_part(known.mask.predicate(), part, &place);
        let of_part = self.predicate_of_write(op, of_part);
        let own = self.new_cotangent(of_part, part);
        self.flow((op, 0), src.operand(op, 0), own);
        self.flow((op, 1), src.operand(op, 1), ct);
    }

    fn make(&mut self, op: OpId, ct: CotangentId) {
        let src = self.src;
        for (i, &v) in src.operands(op).iter().enumerate() {
            let known = self.known(ct).clone();
            let place = Place { steps: part_path(src, op, i), computed: false };
            let part = known.known.part(&place.steps);
            let (predicate, part) = self.predicate_of_part(known.mask.predicate(), part, &place);
            let own = self.new_cotangent(predicate, part);
            self.flow((op, i), v, own);
        }
    }

    /// The lanes are summed up: the sum is dense if one lane is, and it is reached where one is of
    /// those that are no exact zeros.
    fn splat(&mut self, op: OpId, ct: CotangentId) {
        let known = self.known(ct).clone();
        let own = self.sum_of_lanes(op, &known).unwrap_or_else(|| {
            let dense = if known.known.dense.is_empty() { Parts::none() } else { Parts::whole() };
            let (predicate, known) = self.scalar_predicate(known.mask.predicate(), dense.into());
            self.new_cotangent(predicate, known)
        });
        self.flow((op, 0), self.src.operand(op, 0), own);
    }

    /// What is known of the sum of lanes behind a predicate on lanes, where each that may come is
    /// dense.
    #[mutant(Site::GateLanes => None)]
    fn sum_of_lanes(&mut self, op: OpId, ct: &Cotangent) -> Option<CotangentId> {
        let ty = strip_tangent(self.src.ty(self.src.result(op, 0)));
        let lanes = ct.mask.predicate().filter(|&p| !self.is_scalar(p))?;
        let coming = ct.known.absent.lanes(ty).filter(|all| ty.shape().len() == 1 && all.len() <= 4)?;
        let coming: Vec<i64> = (0..).zip(coming).filter(|(_, absent)| !absent).map(|(lane, _)| lane).collect();
        if !coming.iter().all(|&lane| ct.known.dense.has(&[lane])) {
            return None;
        }
        let mut any: Option<Predicate> = None;
        for lane in coming {
            let lane = self.masks.predicates.lane(lanes, &[lane]);
            any = Some(match any {
                None => lane,
                Some(any) => self.or(any, lane)?,
            });
        }
        Some(self.new_cotangent(Some(any?), Known::dense()))
    }

    /// Each side has the cotangent where that side was selected.
    fn select(&mut self, op: OpId, ct: CotangentId) {
        let src = self.src;
        for (i, when) in [(1, true), (2, false)] {
            let known = self.known(ct).clone();
            let taken = self.masks.predicates.primal(src, src.operand(op, 0), when);
            let outer = known.mask.predicate();
            let both = outer.map_or(taken, |outer| self.masks.predicates.and(outer, taken));
            let own = self.put(Cotangent { mask: Mask::Masked(both), ..known });
            self.flow((op, i), src.operand(op, i), own);
        }
    }

    /// The predicate of a part of a cotangent, and what is known of the part then: a predicate on
    /// lanes gives the lane's own.
    #[mutant(Site::GateLanes => (predicate, part))]
    fn predicate_of_part(
        &mut self,
        predicate: Option<Predicate>,
        part: Known,
        place: &Place,
    ) -> (Option<Predicate>, Known) {
        let lanes = predicate.filter(|&p| !self.is_scalar(p));
        let Some(lanes) = lanes else { return (predicate, part) };
        if place.computed || self.masks.predicates.ty(lanes).shape().len() < place.steps.len() {
            return self.scalar_predicate(predicate, part);
        }
        (Some(self.masks.predicates.lane(lanes, &place.steps)), part)
    }

    /// A predicate that holds for what a cotangent is moved to, which has other lanes: one on lanes
    /// ends here, and the cotangent may have zeros that nothing reached.
    #[mutant(Site::GateLanes => (predicate, known))]
    fn scalar_predicate(&self, predicate: Option<Predicate>, known: Known) -> (Option<Predicate>, Known) {
        if predicate.is_none_or(|p| self.is_scalar(p)) {
            return (predicate, known);
        }
        (None, Known { dense: Parts::none(), ..known })
    }

    /// The predicate of the cotangent of what an op writes, if that of the whole stands behind
    /// `predicate`. An index out of range writes nothing, so the cotangent is an exact zero there.
    fn predicate_of_write(&mut self, op: OpId, predicate: Option<Predicate>) -> Option<Predicate> {
        if !gates::may_be_outside(self.src, op) {
            return predicate;
        }
        let inside = self.masks.predicates.scalar(Condition::Inside(op));
        Some(predicate.map_or(inside, |outer| self.masks.predicates.and(outer, inside)))
    }
}

/// The path to operand `i` of a make: a matrix may be made of its rows or of all its scalars.
pub fn part_path(src: &Body, op: OpId, i: usize) -> Vec<i64> {
    let whole = strip_tangent(src.ty(src.result(op, 0)));
    let part = strip_tangent(src.ty(src.operand(op, i)));
    let shape = whole.shape();
    if shape.len() == 2 && !part.is_vector() {
        return vec![(i / shape[1] as usize) as i64, (i % shape[1] as usize) as i64];
    }
    vec![i as i64]
}
