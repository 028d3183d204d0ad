//! Rewrites a loop or a call so that it carries its tangents as data, a set for each direction, and
//! puts the product with the Jacobian behind it.

use super::directions::Directions;
use crate::analysis::access::{Step, build_write};
use crate::analysis::costs::is_loop;
use crate::analysis::derivative_links::Links;
use crate::analysis::stage;
use crate::autodiff::lower_linear::on_data;
use crate::autodiff::reach::{either_flag, flag_types, flags_at, same_flag};
use crate::autodiff::space::Spaces;
use crate::autodiff::unzip::needs::is_linear;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent, map_parts, strip_tangent};
use caustic_dialects::{agg, arith, func, scf, strong};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Diagnostic, OpId, Result, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A type without tangents in it.
fn data_type(ty: Type) -> Type {
    if is_tangent(ty) { data_type(strip_tangent(ty)) } else { map_parts(ty, &data_type) }
}

struct Carry<'a> {
    spaces: &'a Spaces,
    links: &'a Links,
    src: &'a Body,
    directions: &'a Directions,
    primal: Cloner,
    /// By direction: the tangents that are not zero for sure.
    tangents: Vec<FxHashMap<ValueId, ValueId>>,
    /// By direction: the tangents that it reaches on every way.
    reached: Vec<FxHashSet<ValueId>>,
}

/// Replaces a loop or a call of a linearized function. `reached` gives, of the tangents that one
/// scalar is, the tangents that it reaches on every way: the zeros among their columns were
/// computed. Another column may be zero since nothing reached it, and holds back cotangents that
/// are infinite; not where each iteration of a loop reaches it, so that it is zero for that reason
/// only if there was none.
pub fn apply(
    spaces: &Spaces,
    links: &Links,
    body: &mut Body,
    op: OpId,
    reached: &dyn Fn(&[ValueId]) -> FxHashSet<ValueId>,
) -> Result<()> {
    let src = body.clone();
    let Some(directions) = Directions::of(&src, op) else {
        return Err(Diagnostic::internal(src.loc(op), "tangents without directions"));
    };
    let Some(mut b) = Builder::before(body, op) else { return Ok(()) };
    b.loc = src.loc(op);
    let mut carry = Carry {
        spaces,
        links,
        src: &src,
        directions: &directions,
        primal: Cloner::new(),
        tangents: vec![FxHashMap::default(); directions.count()],
        reached: (0..directions.count()).map(|d| reached(&directions.scalars(d))).collect(),
    };
    carry.seeds(&mut b);
    if ad::JvpCall::is(&src, op) {
        carry.call(op, &mut b)?
    } else {
        carry.region_op(op, &mut b)?
    }

    let ways = carry.inputs(op, &mut b);
    for &r in src.results(op) {
        let new = if !is_tangent(src.ty(r)) {
            carry.primal.get(r)
        } else {
            let mut sum: Option<ValueId> = None;
            for (d, &way) in ways.iter().enumerate() {
                let Some((&column, way)) = carry.tangents[d].get(&r).zip(way) else { continue };
                let strong = !carry.reached[d].contains(&r);
                let fresh = strong && each_iteration_reaches(&src, op, r, &directions.all()[d].source);
                let mut term = scaled(
                    &mut b,
                    way,
                    column,
                    strip_tangent(src.ty(r)),
                    (strong && !fresh).then_some(ad::Strong::Factor),
                );
                if fresh {
                    let bounds = [scf::For(op).lower(&src), scf::For(op).upper(&src)].map(|v| carry.primal.get(v));
                    let ran = arith::cmpi(&mut b, arith::IntPredicate::Slt, bounds[0], bounds[1]);
                    let none = ad::TZero::build(&mut b, src.ty(r), &[]);
                    term = ad::TSelect::build(&mut b, ran, term, none, &[]);
                }
                sum = Some(sum.map_or(term, |s| ad::TAdd::build(&mut b, s, term, &[])));
            }
            sum.unwrap_or_else(|| ad::TZero::build(&mut b, src.ty(r), &[]))
        };
        b.body.replace_uses(r, new);
        let hint = src.value(r).hint;
        if b.body.value(new).hint.is_none() {
            b.body.set_hint(new, hint);
        }
    }
    body.erase_op(op);
    Ok(())
}

/// Whether each iteration of a counted loop adds to what it gives as `result` something of
/// `source`, a tangent from outside, that no condition decides about. What the loop starts with
/// then has no part of it.
fn each_iteration_reaches(src: &Body, op: OpId, result: ValueId, source: &ValueId) -> bool {
    let Some(block) = src.region_block(op, 0).filter(|_| scf::For::is(src, op)) else { return false };
    let results = src.results(op).iter().position(|&r| r == result);
    let end = src.terminator(block).map(|end| src.operands(end)).unwrap_or_default();
    if src.operands(op).contains(source) {
        return false;
    }
    let (mut todo, mut seen) = (results.and_then(|i| end.get(i)).map_or(vec![], |&v| vec![v]), FxHashSet::default());
    while let Some(value) = todo.pop() {
        if value == *source {
            return true;
        }
        let Some(d) = src.def_op(value).filter(|&d| src.op(d).block == Some(block) && seen.insert(d)) else { continue };
        let whole = ad::TAdd::is(src, d) || ad::TNeg::is(src, d) || ad::TCast::is(src, d);
        if whole || ad::TScale::is(src, d) && ad::Strong::of(src, d).is_none() {
            todo.extend(src.operands(d).iter().filter(|&&v| is_tangent(src.ty(v))));
        }
    }
    false
}

/// The part of a column times a scalar tangent, as a tangent of the column's type.
#[mutant(Site::CarryColumn with strong = strong.map(|_| ad::Strong::Both))]
fn scaled(b: &mut Builder<'_>, mut way: ValueId, column: ValueId, ty: Type, strong: Option<ad::Strong>) -> ValueId {
    let attrs = &ad::Strong::attrs(strong)[..];
    let tangent = ad::tangent_type(ty);
    if ty == Type::i1() {
        // A flag is no number.
        return ad::TZero::build(b, tangent, &[]);
    }
    if ty.is_scalar() || ty.is_vector() {
        // The loop may compute in another float type than what went in.
        let elem = ad::tangent_type(ty.elem());
        if b.ty(way) != elem {
            way = ad::TCast::build(b, way, elem, &[]);
        }
    }
    if ty.is_scalar() {
        return ad::TScale::build(b, way, column, attrs);
    }
    if ty.is_vector() {
        let splat = ad::TSplat::build(b, way, tangent, &[]);
        return ad::TScale::build(b, splat, column, attrs);
    }
    let mut parts = Vec::new();
    for i in 0..agg::num_parts(ty) as i64 {
        let Some(part_ty) = agg::part_type(ty, i) else { continue };
        let part = agg::Extract::build(b, column, &[], part_ty, &[("path", Attr::i64_array(&[i]))]);
        parts.push(scaled(b, way, part, part_ty, strong));
    }
    ad::TMake::build(b, &parts, tangent, &[])
}

/// What a direction starts from.
#[mutant(Site::CarrySeed => arith::float(b, 2.0, scalar))]
fn seed(b: &mut Builder<'_>, scalar: Type) -> ValueId {
    arith::float(b, 1.0, scalar)
}

/// The flags of a tangent of which only the scalar at `path` was reached.
fn seed_flags(b: &mut Builder<'_>, differential: Type, path: &[i64]) -> Vec<ValueId> {
    let at = flags_at(differential, path);
    let steps: Vec<Step> = at.steps.iter().map(|&k| Step::At(path[k])).collect();
    let types = flag_types(differential).into_iter().enumerate();
    types
        .map(|(k, ty)| match at.range.contains(&k) {
            true if !steps.is_empty() => {
                let (none, one) = (same_flag(b, false, ty), arith::bool(b, true));
                build_write(b, one, none, &steps, false)
            }
            reached => same_flag(b, reached, ty),
        })
        .collect()
}

/// Whether a call asks of each operand whether it was reached, as soon as some were and others were
/// not.
#[mutant(Site::CarryApart => false)]
fn is_apart(src: &Body, call: OpId) -> bool {
    src.attr(call, stage::APART).is_some()
}

impl Carry<'_> {
    fn ty(&self, value: ValueId) -> Type {
        data_type(self.src.ty(value))
    }

    /// One in the direction's own scalar, zero in the rest of what it is a part of.
    fn seeds(&mut self, b: &mut Builder<'_>) {
        for (d, direction) in self.directions.all().iter().enumerate() {
            let parts = self.directions.parts.keys().copied();
            for v in parts.chain([direction.source]).collect::<Vec<_>>() {
                let Some(path) = self.directions.seed(d, v) else { continue };
                let ty = self.ty(v);
                let scalar = agg::type_at_path(ty, path).unwrap_or(ty);
                let one = seed(b, scalar);
                let seed = if path.is_empty() {
                    one
                } else {
                    let rest = self.spaces.zero(b, ty);
                    agg::Insert::build(b, one, rest, &[], &[("path", Attr::i64_array(path))])
                };
                self.tangents[d].insert(v, seed);
            }
        }
    }

    /// The scalar tangent of each direction that reaches a result.
    fn inputs(&self, op: OpId, b: &mut Builder<'_>) -> Vec<Option<ValueId>> {
        (0..self.directions.all().len()).map(|d| self.input(op, d, b)).collect()
    }

    #[mutant(Site::CarryDirection if d + 1 == self.directions.all().len() => None)]
    fn input(&self, op: OpId, d: usize, b: &mut Builder<'_>) -> Option<ValueId> {
        let direction = &self.directions.all()[d];
        let mut used = self.src.results(op).iter().filter(|&&r| !self.src.is_unused(r));
        if !used.any(|r| self.tangents[d].contains_key(r)) {
            return None;
        }
        if direction.path.is_empty() {
            return Some(direction.source);
        }
        let ty = strip_tangent(b.ty(direction.source));
        let scalar = ad::tangent_type(agg::type_at_path(ty, &direction.path).unwrap_or(ty));
        Some(ad::TExtract::build(b, direction.source, &[], scalar, &[("path", Attr::i64_array(&direction.path))]))
    }

    fn block(&mut self, block: BlockId, b: &mut Builder<'_>) -> Result<()> {
        for op in self.src.block_ops(block) {
            let data = self.src.op(op);
            b.loc = data.loc;
            match () {
                _ if data.def.is_terminator() => break,
                _ if ad::JvpCall::is(self.src, op) => self.call(op, b)?,
                _ if !data.regions.is_empty() => self.region_op(op, b)?,
                _ if is_linear(self.src, op) => self.linear(op, b)?,
                _ => {
                    self.primal.clone_op(self.src, op, b);
                }
            }
        }
        Ok(())
    }

    /// The tangent in a direction, made if it is zero.
    fn tangent(&self, b: &mut Builder<'_>, direction: usize, value: ValueId) -> ValueId {
        self.tangents
            .get(direction)
            .and_then(|t| t.get(&value))
            .copied()
            .unwrap_or_else(|| self.spaces.zero(b, self.ty(value)))
    }

    fn linear(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let result = src.result(op, 0);
        for d in 0..self.directions.count() {
            if !self.directions.reaches(d, result) || self.tangents[d].contains_key(&result) {
                continue;
            }
            // A sum with nothing.
            let present: Vec<ValueId> =
                src.operands(op).iter().filter_map(|v| self.tangents[d].get(v).copied()).collect();
            let value = if ad::TAdd::is(src, op) && present.len() == 1 {
                present[0]
            } else {
                let args: Vec<ValueId> = src
                    .operands(op)
                    .iter()
                    .map(|&v| if is_tangent(src.ty(v)) { self.tangent(b, d, v) } else { self.primal.get(v) })
                    .collect();
                match args[..] {
                    // What one direction of several leaves out is an exact zero.
                    [t, partial] if self.is_gated(d, op) && b.ty(t) == b.ty(partial) => {
                        strong::GatedMulF::build(b, t, partial, &[])
                    }
                    _ => on_data(self.spaces, b, src, op, &args, self.ty(result))?
                        .ok_or_else(|| Diagnostic::internal(src.loc(op), "an op on tangents that is not linear"))?,
                }
            };
            self.tangents[d].insert(result, value);
        }
        Ok(())
    }

    /// Whether a product takes a zero of this direction for an exact one: the partial may be no
    /// number, and where the tangent has come by other directions this one may have no part in it.
    #[mutant(Site::CarryGated => false)]
    fn is_gated(&self, direction: usize, product: OpId) -> bool {
        let comes = self.reached[direction].contains(&self.src.operand(product, 0));
        self.src.attr(product, stage::STEEP).is_some() && self.directions.count() > 1 && !comes
    }

    fn call(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let callee = src.callee(op);
        let Some(forms) = callee.and_then(|c| self.links.forms(c)) else {
            return Err(Diagnostic::invalid_ir(data.loc, "a call of a derivative that names no `ad.instance`"));
        };
        let primal: Vec<ValueId> =
            data.operands.iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| self.primal.get(v)).collect();
        let types: Vec<Type> = data.results.iter().map(|&r| self.ty(r)).collect();
        let mut first = true;
        let count = self.directions.count();
        let primal_operands = ad::JvpCall(op).active(src).map_or(0, |a| a.len());
        let primal_results = ad::JvpCall(op).active_results(src).map_or(0, |a| a.len());
        let (is_gated, apart) = (src.attr(op, stage::GATED).is_some(), is_apart(src, op));
        let going: Vec<ValueId> = data.operands.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        // By result: whether any direction reached it.
        let mut reached_by: FxHashMap<ValueId, ValueId> = FxHashMap::default();
        // The primal results are needed even if no direction passes through, or there is none.
        for d in 0..count.max(1) {
            let reached = d < count && data.results.iter().any(|&r| self.directions.reaches(d, r));
            let last = d + 1 >= count;
            if !(reached || first && last) {
                continue;
            }
            // What a direction does not go through is not reached.
            let comes = |v: &ValueId| self.tangents.get(d).is_some_and(|t| t.contains_key(v));
            let seed = |v: ValueId| self.directions.all().get(d).filter(|way| way.source == v && !way.path.is_empty());
            let in_parts =
                going.iter().any(comes) && !going.iter().all(comes) || going.iter().any(|&v| seed(v).is_some());
            let gated = is_gated || apart && in_parts;
            let mut operands = primal[..primal_operands].to_vec();
            let mut told = primal[primal_operands..].iter().copied();
            for v in going.iter().filter(|_| gated) {
                let differential = strip_tangent(src.ty(*v));
                let seeded = seed(*v).map(|way| seed_flags(b, differential, &way.path));
                for (k, ty) in flag_types(differential).into_iter().enumerate() {
                    let flag = told.next().filter(|_| comes(v));
                    let flag = seeded.as_ref().and_then(|flags| flags.get(k).copied()).or(flag);
                    operands.push(flag.unwrap_or_else(|| same_flag(b, comes(v), ty)));
                }
            }
            for &v in &going {
                operands.push(self.tangent(b, d, v));
            }
            let mut types = types.clone();
            if gated && !is_gated {
                let moved = data.results.iter().filter(|&&r| is_tangent(src.ty(r)));
                let flags: Vec<Type> = moved.flat_map(|&r| flag_types(strip_tangent(src.ty(r)))).collect();
                types.splice(primal_results..primal_results, flags);
            }
            let attrs =
                [("callee", Attr::symbol(forms.forward(gated))), (stage::FORWARD_OF, Attr::symbol(forms.instance))];
            let new = func::Call::build(b, &operands, &types, &attrs);
            let more = types.len() - data.results.len();
            for (i, &r) in data.results.iter().enumerate() {
                let value = b.body.result(new, if i < primal_results { i } else { i + more });
                if !is_tangent(src.ty(r)) {
                    if i >= primal_results {
                        let before = reached_by.get(&r).copied();
                        reached_by.insert(r, before.map_or(value, |f| either_flag(b, f, value)));
                    } else if first {
                        self.primal.insert(r, value);
                    }
                } else if reached {
                    self.tangents[d].insert(r, value);
                }
            }
            first = false;
        }
        for (r, flag) in reached_by {
            self.primal.insert(r, flag);
        }
        Ok(())
    }

    /// The carried or yielded values of an op: the primal ones, then the tangents of each
    /// direction. `slots` are the op's own tangents, which say which directions have one.
    fn spread(&self, b: &mut Builder<'_>, values: &[ValueId], slots: &[ValueId]) -> Vec<ValueId> {
        let src = self.src;
        let mut out: Vec<ValueId> =
            values.iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| self.primal.get(v)).collect();
        let tangents: Vec<ValueId> = values.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        for d in 0..self.directions.count() {
            for (&v, &slot) in tangents.iter().zip(slots) {
                if self.directions.reaches(d, slot) {
                    out.push(self.tangent(b, d, v));
                }
            }
        }
        out
    }

    /// Binds what [`Carry::spread`] lays out.
    fn bind(&mut self, body: &mut Body, old: &[ValueId], new: &[ValueId], slots: &[ValueId]) {
        let src = self.src;
        let mut next = new.iter().copied();
        for &v in old.iter().filter(|&&v| !is_tangent(src.ty(v))) {
            if let Some(n) = next.next() {
                body.set_hint(n, src.value(v).hint);
                self.primal.insert(v, n);
            }
        }
        let tangents: Vec<ValueId> = old.iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        for d in 0..self.directions.count() {
            for (&v, &slot) in tangents.iter().zip(slots) {
                if self.directions.reaches(d, slot)
                    && let Some(n) = next.next()
                {
                    body.set_hint(n, src.value(v).hint);
                    self.tangents[d].insert(v, n);
                }
            }
        }
    }

    fn spread_types(&self, values: &[ValueId], slots: &[ValueId]) -> Vec<Type> {
        let src = self.src;
        let mut out: Vec<Type> = values.iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| src.ty(v)).collect();
        for d in 0..self.directions.count() {
            out.extend(slots.iter().filter(|&&s| self.directions.reaches(d, s)).map(|&s| self.ty(s)));
        }
        out
    }

    fn region_op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        let slots: Vec<ValueId> = data.results.iter().copied().filter(|&r| is_tangent(src.ty(r))).collect();
        let carries = is_loop(src, op);
        let operands = self.spread(b, &data.operands, if carries { &slots } else { &[] });
        let types = self.spread_types(&data.results, &slots);
        let new = b.body.create_op(data.def, &operands, &types, data.attrs.clone(), data.regions.len(), data.loc);
        b.body.insert_op(new, b.block, b.before);
        for k in 0..data.regions.len() {
            let Some(block) = src.region_block(op, k) else { continue };
            let old = src.args(block).to_vec();
            let arg_types = self.spread_types(&old, if carries { &slots } else { &[] });
            let region = b.body.op(new).regions[k];
            let new_block = b.body.add_block(region, &arg_types);
            let args = b.body.args(new_block).to_vec();
            self.bind(b.body, &old, &args, if carries { &slots } else { &[] });
            let mut inner = Builder::at_end(b.body, new_block, data.loc);
            self.block(block, &mut inner)?;
            let Some(end) = src.terminator(block) else {
                return Err(Diagnostic::internal(data.loc, "a region without a terminator"));
            };
            let yielded = self.spread(&mut inner, src.operands(end), &slots);
            inner.loc = src.loc(end);
            inner.create(src.op(end).def, &yielded, &[], &[], 0);
        }
        let results = b.body.results(new).to_vec();
        self.bind(b.body, &data.results, &results, &slots);
        Ok(())
    }
}
