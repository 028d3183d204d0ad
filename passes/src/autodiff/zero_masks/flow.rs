//! How what is known of a cotangent grows: sums, and values that are taken apart.

use super::known::{Known, Parts};
use super::{Analysis, Cotangent, CotangentId, Flow, Flows, Mask, PartFlow, Predicate, Sum};
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, strip_tangent};
use caustic_dialects::agg;
use caustic_ir::{BlockId, Body, OpId, ValueId};

/// The op that makes a struct in `block`, if parts of it have flags of their own. Cotangents of the
/// struct flow to its parts there.
fn maker_of(src: &Body, value: ValueId, block: Option<BlockId>) -> Option<OpId> {
    let fits = |m: &OpId| ad::TMake::is(src, *m) && src.op(*m).block == block;
    src.def_op(value).filter(|m| stage::flags(strip_tangent(src.ty(value))) > 1 && fits(m))
}

impl Analysis<'_> {
    /// A cotangent that nothing is known of but what is said here.
    pub(super) fn new_cotangent(&mut self, predicate: Option<Predicate>, known: Known) -> CotangentId {
        self.put(Cotangent { mask: Mask::of(predicate), pending: false, known })
    }

    pub(super) fn put(&mut self, cotangent: Cotangent) -> CotangentId {
        self.masks.cotangents.push(cotangent);
        self.masks.cotangents.len() - 1
    }

    pub(super) fn known(&self, id: CotangentId) -> &Cotangent {
        self.masks.get(id)
    }

    /// The cotangent so far of a value.
    pub(super) fn now(&self, value: ValueId) -> Option<CotangentId> {
        self.now.get(&value).copied()
    }

    /// The cotangent after its pending mask is applied.
    pub(super) fn applied(&mut self, id: CotangentId) -> CotangentId {
        if !self.known(id).pending {
            return id;
        }
        let applied = Cotangent { pending: false, ..self.known(id).clone() };
        self.put(applied)
    }

    /// Applies the pending mask of a value's cotangent.
    pub(super) fn apply(&mut self, value: ValueId) {
        if let Some(id) = self.now(value) {
            let applied = self.applied(id);
            self.now.insert(value, applied);
        }
    }

    pub(super) fn is_scalar(&self, p: Predicate) -> bool {
        self.masks.predicates.is_scalar(p)
    }

    pub(super) fn or(&mut self, p: Predicate, q: Predicate) -> Option<Predicate> {
        self.masks.predicates.or(self.src, p, q)
    }

    /// What is known of two masks of which either lets something through.
    fn either(&mut self, x: Mask, y: Mask) -> Mask {
        match (x, y) {
            (Mask::Zero, m) | (m, Mask::Zero) => m,
            (Mask::Masked(p), Mask::Masked(q)) => Mask::of(self.or(p, q)),
            _ => Mask::Dense,
        }
    }

    /// What is known of a cotangent that leaves a region: a mask on lanes ends there, and takes
    /// along which parts are dense.
    pub(super) fn known_at_end(&self, id: CotangentId) -> Known {
        let Cotangent { mask, known, .. } = self.known(id);
        let lanes = mask.predicate().is_some_and(|p| !self.is_scalar(p));
        if lanes { Known { dense: Parts::none(), ..known.clone() } } else { known.clone() }
    }

    /// The mask of a value's cotangent, as one flag can say it.
    #[mutant(Site::TransposeReached => Mask::Zero)]
    pub(super) fn reached(&self, value: ValueId) -> Mask {
        match self.now(value).map(|id| self.known(id).mask) {
            None => Mask::Zero,
            Some(Mask::Masked(p)) if !self.is_scalar(p) => Mask::Dense,
            Some(mask) => mask,
        }
    }

    /// The mask of a part of a value, which is reached by itself or with the whole; whether it is
    /// dense where it lets something through.
    pub(super) fn part_flow(&mut self, whole: ValueId, part: usize) -> PartFlow {
        let ty = strip_tangent(self.src.ty(whole));
        let path = stage::flagged_paths(ty).into_iter().nth(part).unwrap_or_default();
        let part_ty = agg::type_at_path(ty, &path).unwrap_or(ty);
        let Some(split) = self.split.get(&whole) else {
            return PartFlow { mask: self.reached(whole), known: self.known_now(whole).part(&path) };
        };
        let (mask, known) = (split.whole.mask, split.whole.known.part(&path));
        let Some(by_itself) = split.parts.get(&part).cloned() else { return PartFlow { mask, known } };
        let known = known.sum(part_ty, &by_itself.known, mask == by_itself.mask);
        PartFlow { mask: self.either(mask, by_itself.mask), known }
    }

    /// What is known of all that came to a value, at the end of a region.
    pub(super) fn known_now(&self, value: ValueId) -> Known {
        self.now(value).map_or_else(Known::nothing_came, |id| self.known_at_end(id))
    }

    /// The predicate that all cotangents of an op's results stand behind.
    pub(super) fn common_predicate(&mut self, results: &[ValueId]) -> Option<Predicate> {
        let mut common: Option<Predicate> = None;
        for &r in results {
            let Some(id) = self.now(r) else { continue };
            let own = self.known(id).mask.predicate().filter(|&p| self.is_scalar(p))?;
            common = Some(match common {
                Some(p) => self.or(p, own)?,
                None => own,
            });
        }
        common
    }

    /// Adds a cotangent to what has flowed to a value.
    fn add(&mut self, value: ValueId, own: CotangentId) -> Flow {
        let Some(before) = self.now(value) else {
            self.now.insert(value, own);
            return Flow { own, sum: None };
        };
        let (x, y) = (self.known(before).clone(), self.known(own).clone());
        let (p, q) = (x.mask.predicate(), y.mask.predicate());
        let pending = x.pending || y.pending;
        let together = p.is_some() && p == q;
        let apply = |own: &Cotangent| own.mask.predicate().filter(|_| own.pending && !together);
        let (apply_before, apply_own) = (apply(&x), apply(&y));
        let either = p.zip(q).and_then(|(p, q)| self.or(p, q));
        let ty = strip_tangent(self.src.ty(value));
        let mut dense = Parts::none();
        for (cotangent, predicate) in [(&x, p), (&y, q)] {
            if predicate.is_none() || predicate == either {
                dense.put(ty, &[], &cotangent.known.dense);
            }
        }
        // Of two dense cotangents behind predicates the sum is dense where either holds:
        // everywhere, if they are the two sides of one condition.
        let sides = p.zip(q).is_some_and(|(p, q)| p.condition == q.condition);
        if x.is_whole() && y.is_whole() && (either.is_some() || sides) {
            dense = Parts::whole();
        }
        let known = Known { dense, absent: x.known.absent.both(ty, &y.known.absent) };
        let sum = self.put(Cotangent { mask: Mask::of(either), pending: pending && together, known });
        self.now.insert(value, sum);
        Flow { own, sum: Some(Sum { sum, apply_before, apply_own }) }
    }

    /// A cotangent flows to a value by a use of it.
    pub(super) fn flow(&mut self, by: (OpId, usize), value: ValueId, own: CotangentId) {
        let flow = if self.is_absent(own) { Flows::Nothing } else { Flows::Whole(self.add(value, own)) };
        self.masks.flows.insert(by, flow);
    }

    /// Whether a cotangent is an exact zero: nothing flows on then.
    fn is_absent(&self, id: CotangentId) -> bool {
        self.known(id).known.absent.is_whole()
    }

    /// Of a struct that is made in `block` each part gets its own part of the cotangent. `flows`
    /// says what is known of the parts.
    pub(super) fn flow_parts(
        &mut self,
        by: (OpId, usize),
        value: ValueId,
        cotangent: CotangentId,
        flows: &[PartFlow],
        block: Option<BlockId>,
    ) {
        let paths = stage::flagged_paths(strip_tangent(self.src.ty(value)));
        if self.maker(value, block).is_some() && flows.len() == paths.len() {
            let parts: Vec<(&[i64], &PartFlow)> = paths.iter().map(Vec::as_slice).zip(flows).collect();
            let known = self.known(cotangent).known.clone();
            let flows = self.flow_to_parts(value, &known, &parts, block);
            self.masks.flows.insert(by, flows);
            return;
        }
        let any = flows.iter().fold(Mask::Zero, |any, flow| self.either(any, flow.mask));
        let own = match any.predicate() {
            Some(_) => self.put(Cotangent { mask: any, ..self.known(cotangent).clone() }),
            None => cotangent,
        };
        self.flow(by, value, own);
    }

    /// What flows to a struct, or a part of one, by the paths of its parts.
    fn flow_to_parts(
        &mut self,
        value: ValueId,
        known: &Known,
        parts: &[(&[i64], &PartFlow)],
        block: Option<BlockId>,
    ) -> Flows {
        if let [([], flow)] = parts {
            if flow.mask == Mask::Zero {
                return Flows::Nothing;
            }
            let mut own = flow.known.clone();
            own.dense.put(strip_tangent(self.src.ty(value)), &[], &known.dense);
            return self.flow_masked(value, flow.mask, own);
        }
        let Some(maker) = self.maker(value, block) else {
            let any = parts.iter().fold(Mask::Zero, |any, (_, flow)| self.either(any, flow.mask));
            return if any == Mask::Zero { Flows::Nothing } else { self.flow_masked(value, any, known.clone()) };
        };
        let mut all = Vec::new();
        for (k, &part) in (0..).zip(self.src.operands(maker)) {
            let below = parts.iter().filter(|(path, _)| path.first() == Some(&k)).map(|(path, f)| (&path[1..], *f));
            let below: Vec<(&[i64], &PartFlow)> = below.collect();
            all.push(self.flow_to_parts(part, &known.part(&[k]), &below, block));
        }
        Flows::Parts(all)
    }

    fn flow_masked(&mut self, value: ValueId, mask: Mask, known: Known) -> Flows {
        let own = self.new_cotangent(mask.predicate(), known);
        if self.is_absent(own) { Flows::Nothing } else { Flows::Whole(self.add(value, own)) }
    }

    /// [`maker_of`], where sums of the struct are no sums of the programmer's own: these are taken
    /// of the whole.
    pub(super) fn maker(&self, value: ValueId, block: Option<BlockId>) -> Option<OpId> {
        let own = self.spaces.is_given(strip_tangent(self.src.ty(value)));
        maker_of(self.src, value, block).filter(|_| !own)
    }

    /// The values that cotangents of a value flow to: those that it is made of in `block`, and of
    /// what these are made.
    pub(super) fn made_of(&self, value: ValueId, block: Option<BlockId>) -> Vec<ValueId> {
        let made: &[ValueId] = self.maker(value, block).map_or(&[], |maker| self.src.operands(maker));
        made.iter().flat_map(|&part| [vec![part], self.made_of(part, block)].concat()).collect()
    }
}
