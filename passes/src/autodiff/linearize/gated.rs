//! Records which tangents are exact zeros, and uses that where partials meet tangents.
//!
//! A tangent that control flow makes zero (a select, a branch, a loop that did not run, `max` of
//! something else) is an exact zero, and must stay one where the partial that it meets is infinite:
//! such a product is computed under the tangent's gate, the condition under which the tangent was
//! reached. Reverse mode has the same rule (`gates`), so both modes give the same numbers. A
//! tangent without a gate costs nothing: its product follows IEEE arithmetic.

use super::Linearizer;
use crate::analysis::access::{Step, build_read, build_write};
use crate::analysis::stage;
use crate::autodiff::activity::Instance;
use crate::autodiff::gates::{self, Gate, Reached};
use crate::autodiff::partials::{self, Expr, SingularPoints};
use crate::autodiff::reach::{either_flag, flag_types, flags, flags_at, same_flag};
use crate::mutants::{Site, mutant};
use caustic_dialects::ad;
use caustic_dialects::agg::{self, as_array};
use caustic_dialects::carried::BOUNDS;
use caustic_dialects::{arith, scf, vector};
use caustic_ir::{Attr, Builder, Mirror, OpId, Type, ValueId};

/// The most ops of a condition that are computed once more to tell whether a loop ran.
const MOST_CONDITION: usize = 24;

/// The context in which the partials of an op are built.
pub(super) struct Row<'a> {
    pub ty: Type,
    pub singular: SingularPoints,
    pub lookup: &'a dyn Fn(&str) -> Option<ValueId>,
    /// The value of an operand that is a known number.
    pub known: &'a dyn Fn(&str) -> Option<f64>,
    /// Whether an operand is a number and no infinity, whatever comes.
    pub finite: &'a dyn Fn(&str) -> bool,
}

/// Whether any of the flags in a flag with lanes or elements is set.
fn any(b: &mut Builder<'_>, flag: ValueId) -> ValueId {
    let ty = b.ty(flag);
    if let Some((count, elem)) = as_array(ty) {
        let parts: Vec<ValueId> = (0..count as i64)
            .map(|i| {
                let part = build_read(b, flag, &[Step::At(i)], elem);
                any(b, part)
            })
            .collect();
        let either = |x, y| arith::OrI::build(b, x, y, &[]);
        return parts.into_iter().reduce(either).unwrap_or_else(|| arith::bool(b, false));
    }
    match ty.shape() {
        [] => flag,
        [_] => vector::reduction(b, "or", flag),
        _ => {
            let all = vector::shape_cast(b, flag, Type::vector(&[ty.num_elements() as u32], Type::i1()));
            vector::reduction(b, "or", all)
        }
    }
}

/// Reduces a gate with lanes or elements to one that is open where any of these is.
fn whole(b: &mut Builder<'_>, gate: Gate) -> Gate {
    if gate.is_scalar(b) {
        return gate;
    }
    let flag = gate.value(b);
    Gate::when(any(b, flag))
}

/// A flag of type `ty` that has the value of `flag` in all lanes and elements, if that is scalar.
fn spread(b: &mut Builder<'_>, flag: ValueId, ty: Type) -> ValueId {
    if b.ty(flag) == ty {
        return flag;
    }
    match as_array(ty) {
        Some((count, elem)) => {
            let part = spread(b, flag, elem);
            agg::Make::build(b, &vec![part; count as usize], ty, &[])
        }
        None => vector::Broadcast::build(b, flag, ty, &[]),
    }
}

/// Gives two gates of one tangent the same shape: if one of them has lanes, both do.
pub(super) fn alike(b: &mut Builder<'_>, g: Gate, h: Gate) -> (Gate, Gate) {
    let (x, y) = (b.ty(g.condition), b.ty(h.condition));
    let mut spread = |gate: Gate, ty: Type| Gate { condition: spread(b, gate.condition, ty), ..gate };
    match (x == Type::i1(), y == Type::i1()) {
        (true, false) => (spread(g, y), h),
        (false, true) => (g, spread(h, x)),
        _ => (g, h),
    }
}

/// A flag of type `ty` that tells in which lanes and elements a tangent was reached.
pub(super) fn flag(b: &mut Builder<'_>, reached: Reached, ty: Type) -> ValueId {
    match reached {
        Reached::Never => same_flag(b, false, ty),
        Reached::Always => same_flag(b, true, ty),
        Reached::If(gate) => {
            let value = gate.value(b);
            spread(b, value, ty)
        }
    }
}

/// Whether any of these parts was reached.
pub(super) fn merged(b: &mut Builder<'_>, parts: Vec<Reached>) -> Reached {
    parts.into_iter().fold(Reached::Never, |all, part| {
        let part = match part {
            Reached::If(gate) => Reached::If(whole(b, gate)),
            known => known,
        };
        all.or(b, part)
    })
}

/// A path as numbers, -1 for an index that is computed.
pub(super) fn numbers(path: &[Step]) -> Vec<i64> {
    path.iter().map(|step| if let Step::At(i) = step { *i } else { -1 }).collect()
}

impl Linearizer<'_> {
    /// The tangent, replaced by an exact zero where its gate is closed.
    pub(super) fn held(&self, b: &mut Builder<'_>, gate: Gate, tangent: ValueId) -> ValueId {
        let held = gate.select(b, tangent);
        if let Some(op) = b.body.def_op(held).filter(|_| held != tangent) {
            b.body.set_attr(op, stage::HOLDS, Attr::unit());
        }
        held
    }

    /// Whether the parts of a value's tangent were reached, one entry for each flag of the tangent.
    pub(super) fn reached(&self, b: &mut Builder<'_>, value: ValueId) -> Vec<Reached> {
        let types = flags(self.src, value);
        let Some(t) = self.tangents.get(&value) else { return vec![Reached::Never; types.len()] };
        if let Some(parts) = self.parts.get(t).filter(|parts| parts.len() == types.len()) {
            return parts.clone();
        }
        let gate = self.gates.get(t).copied();
        let gate = gate.map(|g| if types[..] == [b.ty(g.condition)] { g } else { whole(b, g) });
        vec![gate.map_or(Reached::Always, Reached::If); types.len()]
    }

    /// Whether any part of a value's tangent was reached.
    pub(super) fn any_reached(&self, b: &mut Builder<'_>, value: ValueId) -> Reached {
        let parts = self.reached(b, value);
        merged(b, parts)
    }

    /// Replaces what is known of the part at `path` by what is known of the tangent of `value`.
    pub(super) fn put(
        &self,
        b: &mut Builder<'_>,
        parts: &mut [Reached],
        differential: Type,
        path: &[Step],
        value: ValueId,
    ) {
        let at = flags_at(differential, &numbers(path));
        let types = flag_types(differential);
        let new = self.reached(b, value);
        let Some(old) = parts.get_mut(at.range.clone()) else { return };
        let steps: Vec<Step> = at.steps.iter().map(|&k| path[k]).collect();
        let alone = at.alone && old.len() == new.len();
        // A part that shares its flag with others: the two are merged.
        let new = if alone { new } else { vec![merged(b, new); old.len()] };
        for ((old, new), &ty) in old.iter_mut().zip(new).zip(&types[at.range]) {
            if alone && steps.is_empty() {
                *old = new;
            } else if !alone && steps.is_empty() {
                *old = merged(b, vec![*old, new]);
            } else if !(*old == new && new.is_known()) {
                let into = flag(b, *old, ty);
                let inner = numbers(&steps);
                let Some(part_ty) = agg::type_at_path(ty, &inner) else { continue };
                let mut part = flag(b, new, part_ty);
                if !alone {
                    let before = build_read(b, into, &steps, part_ty);
                    part = either_flag(b, before, part);
                }
                *old = Reached::If(Gate::when(build_write(b, part, into, &steps, false)));
            }
        }
    }

    #[mutant(Site::LinearizeReached => flags(self.src, value).into_iter().map(|ty| flag(b, Reached::Always, ty)).collect())]
    pub(super) fn flags(&self, b: &mut Builder<'_>, value: ValueId) -> Vec<ValueId> {
        let parts = self.reached(b, value).into_iter().zip(flags(self.src, value));
        parts.map(|(r, ty)| flag(b, r, ty)).collect()
    }

    /// Records which parts of a tangent were reached.
    pub(super) fn set_reached(&mut self, tangent: ValueId, parts: &[Reached]) {
        self.gates.remove(&tangent);
        match parts {
            [Reached::If(gate)] => {
                self.gates.insert(tangent, *gate);
            }
            parts if parts.iter().all(|&r| r == Reached::Always) => {}
            parts => {
                self.parts.insert(tangent, parts.to_vec());
            }
        }
    }

    /// [`Self::set_reached`] for a value's tangent, from the flags that begin at index `next` of
    /// `values`. Returns the index at which the flags of the next value begin.
    pub(super) fn set_reached_by_flags(&mut self, value: ValueId, values: &[ValueId], next: usize) -> usize {
        let end = next + flags(self.src, value).len();
        let parts = values.get(next..end).unwrap_or_default().iter().map(|&f| Reached::If(Gate::when(f)));
        let parts: Vec<Reached> = parts.collect();
        if let Some(&t) = self.tangents.get(&value) {
            self.set_reached(t, &parts);
        }
        end
    }

    /// The product of a partial and a tangent, or `None` if it is zero. Where the partial is a
    /// select with a zero arm, the tangent is selected instead.
    pub(super) fn term(
        &mut self,
        b: &mut Builder<'_>,
        expr: &Expr,
        t: ValueId,
        row: &Row<'_>,
    ) -> std::result::Result<Option<ValueId>, String> {
        let gate = self.gates.get(&t).copied();
        match (expr.as_number(), expr) {
            (Some(0.0), _) => return Ok(None),
            (Some(1.0), _) => return Ok(Some(t)),
            (Some(-1.0), _) => {
                let term = ad::TNeg::build(b, t, &[]);
                self.gates.extend(gate.map(|g| (term, g)));
                return Ok(Some(term));
            }
            (_, Expr::Call(name, args)) if name == "singular" && args.len() == 2 => {
                return self.term(b, &args[usize::from(row.singular == SingularPoints::Ieee)], t, row);
            }
            (_, Expr::Call(name, args)) if name == "select" && args.len() == 3 && expr.may_be_zero(row.singular) => {
                let condition = partials::build(b, &args[0], row.ty, row.singular, row.lookup)?;
                let (x, y) = (self.term(b, &args[1], t, row)?, self.term(b, &args[2], t, row)?);
                let taken = |when: bool| Gate::side(condition, when);
                let inner = |l: &Self, v: Option<ValueId>| v.and_then(|v| l.gates.get(&v).copied());
                let open = match (x, y) {
                    (None, None) => return Ok(None),
                    (Some(x), None) => Some(inner(self, Some(x)).map_or(taken(true), |g| taken(true).and(b, g))),
                    (None, Some(y)) => Some(inner(self, Some(y)).map_or(taken(false), |g| taken(false).and(b, g))),
                    (Some(x), Some(y)) => match (inner(self, Some(x)), inner(self, Some(y))) {
                        (Some(g), Some(h)) => g.or(b, h),
                        // Open where the arm without a gate is taken, and where the gate of the
                        // other arm is open.
                        (None, Some(h)) => taken(true).or(b, h),
                        (Some(g), None) => taken(false).or(b, g),
                        (None, None) => None,
                    },
                };
                let mut or_zero = |v: Option<ValueId>| v.unwrap_or_else(|| ad::TZero::build(b, b.ty(t), &[]));
                let (x, y) = (or_zero(x), or_zero(y));
                let term = ad::TSelect::build(b, condition, x, y, &[]);
                self.gates.extend(open.map(|g| (term, g)));
                return Ok(Some(term));
            }
            _ => {}
        }
        let factor = partials::build(b, expr, row.ty, row.singular, row.lookup)?;
        let mut term = ad::TScale::build(b, t, factor, &ad::Strong::attrs(expr.strong()));
        let steep = expr.may_be_infinite(row.known, row.finite);
        if let Some(op) = b.body.def_op(term).filter(|_| steep && expr.strong().is_none()) {
            b.body.set_attr(op, stage::STEEP, Attr::unit());
        }
        if let Some(g) = gate {
            if steep {
                term = self.held(b, g, term);
            }
            self.gates.insert(term, g);
        }
        Ok(Some(term))
    }

    /// Records what is known of the tangent of an op that moves data.
    pub(super) fn moved_gate(&mut self, b: &mut Builder<'_>, op: OpId, kind: Mirror, tangent: ValueId) {
        if let Some(parts) = self.moved_parts(b, op, kind) {
            let parts = match parts[..] {
                [Reached::Never] => {
                    let never = flags(self.src, self.src.result(op, 0)).first().map(|&ty| flag(b, Reached::Never, ty));
                    never.map(|f| Reached::If(Gate::when(f))).into_iter().collect()
                }
                _ => parts,
            };
            return self.set_reached(tangent, &parts);
        }
        let operands = &self.src.op(op).operands;
        let of = |l: &Self, v: ValueId| l.tangents.get(&v).map(|t| l.gates.get(t).copied());
        let gate = match kind {
            Mirror::Select => {
                let condition = self.primal.get(operands[0]);
                match (of(self, operands[1]), of(self, operands[2])) {
                    (Some(g), None) => Some((g, true)),
                    (None, Some(g)) => Some((g, false)),
                    _ => None,
                }
                .map(|(inner, when)| {
                    let taken = Gate::side(condition, when);
                    inner.map_or(taken, |g| taken.and(b, g))
                })
            }
            // The result has lanes of another shape, so a gate with lanes is dropped below.
            Mirror::Make => {
                let gates: Vec<Option<Gate>> = operands.iter().filter_map(|&v| of(self, v)).collect();
                let first = gates.first().copied().flatten();
                gates.into_iter().skip(1).fold(first, |all, g| all.zip(g).and_then(|(g, h)| g.or(b, h)))
            }
            Mirror::Insert => None,
            Mirror::Extract | Mirror::Splat | Mirror::Sum | Mirror::Cast | Mirror::Reshape | Mirror::Detach => {
                of(self, operands[0]).flatten()
            }
        };
        let same_shape = matches!(kind, Mirror::Select | Mirror::Cast);
        let mut told = match gate {
            Some(g) if !same_shape && !g.is_scalar(b) => self.gate_of_lanes(b, op, kind, g),
            gate => gate,
        };
        if kind == Mirror::Extract {
            let inside = gates::inside(b, self.src, op, &|v| self.primal.get(v));
            told = match (told, inside) {
                (Some(g), Some(inside)) => Some(g.and(b, inside)),
                (told, inside) => told.or(inside),
            };
        }
        self.gates.extend(told.map(|g| (tangent, g)));
    }

    /// The gate of a result, from the gate of the lanes of its operand: for one lane, or for the
    /// sum of all. `None` for other ops.
    fn gate_of_lanes(&self, b: &mut Builder<'_>, op: OpId, kind: Mirror, lanes: Gate) -> Option<Gate> {
        let data = self.src.op(op);
        let shape = |v: ValueId| self.src.ty(v).shape().to_vec();
        let ty = b.ty(lanes.condition);
        let fits = data.operands.first().is_some_and(|&v| self.src.ty(v).is_vector() && *shape(v) == *ty.shape());
        match kind {
            Mirror::Sum if fits => Some(whole(b, lanes)),
            Mirror::Extract if fits && data.operands.len() == 1 && !self.src.ty(data.results[0]).is_vector() => {
                let attrs: Vec<_> = data.attrs.iter().map(|(name, attr)| (name.as_str(), *attr)).collect();
                let one = b.create_one(data.def, &[lanes.condition], Type::i1(), &attrs);
                Some(Gate { condition: one, ..lanes })
            }
            _ => None,
        }
    }

    /// The gate that control flow gives to the tangent of result `index`: of a branch with a side
    /// that has no tangent, or of a loop that may not run. `ran` is the flag of a `while` that
    /// carries whether it ran.
    pub(super) fn region_gate(
        &self,
        b: &mut Builder<'_>,
        op: OpId,
        index: usize,
        ran: Option<ValueId>,
    ) -> Option<Gate> {
        let (src, data) = (self.src, self.src.op(op));
        let operand = |i: usize| self.primal.get(data.operands[i]);
        if scf::If::is(src, op) {
            let has = |k: usize| {
                let end = src.region_block(op, k).and_then(|block| src.terminator(block))?;
                Some(self.tangents.contains_key(src.operands(end).get(index)?))
            };
            return match (has(0)?, has(1)?) {
                (true, false) => Some(Gate::side(operand(0), true)),
                (false, true) => Some(Gate::side(operand(0), false)),
                _ => None,
            };
        }
        let first = if scf::For::is(src, op) { BOUNDS } else { 0 };
        let before = self.starts_closed(*data.operands.get(first + index)?)?;
        let ran = if scf::For::is(src, op) {
            Gate::when(arith::cmpi(b, arith::IntPredicate::Slt, operand(0), operand(1)))
        } else if scf::While::is(src, op) {
            self.while_gate(b, op, index, ran)?
        } else {
            return None;
        };
        match before {
            Some(g) => whole(b, g).or(b, ran),
            None => Some(ran),
        }
    }

    /// Whether a loop's tangent may start as an exact zero: `Some(None)` if it always does, and
    /// `Some` of a gate if it does where the gate is closed.
    fn starts_closed(&self, init: ValueId) -> Option<Option<Gate>> {
        match self.tangents.get(&init) {
            None => Some(None),
            Some(t) => self.gates.get(t).copied().map(Some),
        }
    }

    /// Whether a `while` has to carry a flag that tells whether it ran, because its condition
    /// cannot be computed once more.
    pub(super) fn carries_ran<'i>(&self, op: OpId, mut active: impl Iterator<Item = &'i usize>) -> bool {
        let data = self.src.op(op);
        scf::While::is(self.src, op)
            && self.condition(op).is_none()
            && active.any(|&i| self.starts_closed(data.operands[i]).is_some())
    }

    /// The ops of a `while`'s condition, if they are few and without effects.
    fn condition(&self, op: OpId) -> Option<Vec<OpId>> {
        let src = self.src;
        let block = src.region_block(op, 0)?;
        let end = src.terminator(block)?;
        // Branches are allowed, since `a && b` is one.
        let plain = |&o: &OpId| {
            let branch = scf::If::is(src, o);
            src.op(o).def.is_terminator() || branch || src.op(o).def.is_pure() && src.op(o).regions.is_empty()
        };
        let all: Vec<OpId> = src.op(op).regions.first().map(|&r| src.walk(r)).unwrap_or_default();
        let asked = all.len() <= MOST_CONDITION && all.iter().all(plain);
        asked.then(|| src.block_ops(block).into_iter().filter(|&o| o != end).collect())
    }

    /// The gate that tells whether a `while` ran: `ran` if the loop carries that, otherwise its
    /// condition on the initial values, computed once more.
    fn while_gate(&self, b: &mut Builder<'_>, op: OpId, index: usize, ran: Option<ValueId>) -> Option<Gate> {
        let (src, data) = (self.src, self.src.op(op));
        let block = src.region_block(op, 0)?;
        let end = src.terminator(block)?;
        // A loop that did not run gives its initial value only if the condition's region passes it
        // on.
        if src.operands(end).get(1 + index) != src.args(block).get(index) {
            return None;
        }
        if let Some(ran) = ran {
            return Some(Gate::when(ran));
        }
        let mut first = self.primal.clone();
        for (&arg, &init) in src.args(block).iter().zip(&data.operands) {
            first.insert(arg, self.primal.get(init));
        }
        for op in self.condition(op)? {
            first.clone_op(src, op, b);
        }
        Some(Gate::when(first.get(src.operand(end, 0))))
    }

    /// The gate of a call's result tangents. A call is linear: if no incoming tangent was reached,
    /// all of its result tangents are zero. This does not hold for calls whose results view memory.
    pub(super) fn call_gate(&self, b: &mut Builder<'_>, op: OpId, instance: &Instance) -> Option<Gate> {
        let data = self.src.op(op);
        let incoming = data.operands.iter().zip(&instance.active).filter(|(_, active)| **active);
        let incoming: Vec<ValueId> = incoming.map(|(v, _)| *v).filter(|v| self.tangents.contains_key(v)).collect();
        match incoming.iter().fold(Reached::Never, |all, &v| {
            let here = self.any_reached(b, v);
            all.or(b, here)
        }) {
            Reached::If(gate) => Some(gate),
            _ => None,
        }
    }
}
