//! Step 4, transpose: the linear half runs backwards, from cotangents of the results to cotangents of the inputs.
//!
//! Input: an unzipped function. Output: the same primal half, then an `ad.linear` op that takes the cotangents of the active results and gives
//! those of the active inputs (seeds: paper 5.2.2; Radul et al. 2022), and for each of those whether anything reached it (`gates`). The function's tangent inputs become cotangent inputs.
//!
//! Each block goes through in reverse order; primal ops in it (they are pure: residual reads and recomputation) come first. Cotangents stay
//! absent until something flows: zeros are made only where control flow needs a value. A loop's transpose counts down and
//! carries, besides the cotangents of what it carried, the running sum for every tangent from outside that its body reads.
//!
//! Invariant after it: as after unzip, linear code is linear by type.

mod cover;
mod gated;
mod parts;
mod regions;
mod replay;

use super::gates::{Gate, Reached};
use super::space::Spaces;
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::faults::{self, Site};
use caustic_dialects::ad::LinearView as L;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{arith, func, scf};
use caustic_ir::attr::AttrKind;
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueId};
use cover::Cover;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the calls of derivatives that are transposed together.
#[derive(Default)]
pub struct Calls {
    /// Instances whose derivatives are differentiated again.
    pub nested: FxHashSet<Name>,
    /// Of each half, by the instance, and of each part of the cotangents that it gives: whether that has come as a whole where its flag says that it was reached.
    pub gives: FxHashMap<(Name, Form), Vec<bool>>,
}

/// The transposed linear half of an instance in one form, and what came of it.
pub struct Half {
    pub form: Form,
    pub gives: Vec<bool>,
    /// The halves that it calls.
    pub calls: Vec<(Name, Form)>,
}

/// A transposed function: one primal half, and a linear half for each form that is wanted.
pub struct Transposed {
    pub symbol: SymbolOp,
    pub halves: Vec<Half>,
}

/// Transposes the linear half of an unzipped function, once for each of `forms`.
pub fn transpose(symbol: &SymbolOp, spaces: &Spaces, calls: &Calls, forms: &[Form]) -> Result<Transposed> {
    let src = &symbol.body;
    let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
    let (Some(entry), Some((inputs, results))) = (src.entry(), symbol.function_type()) else {
        return Err(bad("an unzipped function without code"));
    };
    let end = src.terminator(entry).ok_or_else(|| bad("a function without a return"))?;
    let linear = src.block_ops(entry).into_iter().find(|&op| ad::Linear::is(src, op));
    let linear = linear.ok_or_else(|| bad("an unzipped function without linear code"))?;
    let linear_block = src.region_block(linear, 0).ok_or_else(|| bad("linear code without a block"))?;
    let insides = src.args(linear_block).to_vec();
    let mut split = src.clone();
    let parts = parts::split(&mut split, src.op(linear).regions[0], linear_block, &insides, spaces);
    let src = &split;

    let data_types = |types: &[Type]| types.iter().copied().filter(|&t| !is_tangent(t)).collect::<Vec<_>>();
    let tangents = |types: &[Type]| types.iter().copied().filter(|&t| is_tangent(t)).collect::<Vec<_>>();
    let mut new_inputs = data_types(inputs);
    let num_primal = new_inputs.len();
    new_inputs.extend(tangents(results));
    let num_cotangents = tangents(results).len();
    new_inputs.extend(stage::result_flags(tangents(results).into_iter().map(ad::strip_tangent)));
    // What a linear half gives, and whether each of it was reached at all.
    let mut given_types = tangents(inputs);
    given_types.extend(stage::flag_types(tangents(inputs).into_iter().map(ad::strip_tangent)));
    let mut new_results = data_types(results);
    forms.iter().for_each(|_| new_results.extend(&given_types));
    let mut out = stage::new_func(symbol.name, &new_inputs, &new_results, symbol.loc.derived(Name::new("transpose")));
    for (name, value) in &symbol.attrs {
        if *name != "function_type" {
            out.set_attr(name, *value);
        }
    }
    out.set_attr(stage::STAGE, Attr::string(stage::TRANSPOSED));
    stage::set_forms(&mut out, forms);
    let block = out.body.entry().ok_or_else(|| bad("no entry block"))?;
    let new_args = out.body.args(block).to_vec();
    let mut primal = Cloner::new();
    let mut primal_args = new_args[..num_primal].iter();
    for &arg in src.args(entry) {
        if !is_tangent(src.ty(arg))
            && let Some(&new) = primal_args.next()
        {
            out.body.set_hint(new, src.value(arg).hint);
            primal.insert(arg, new);
        }
    }
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    for op in src.block_ops(entry) {
        if op != linear && op != end {
            primal.clone_op(src, op, &mut b);
        }
    }
    let function =
        Function { src, linear, linear_block, end, given_types: &given_types, instance: stage::instance_of(symbol) };
    let mut returned: Vec<ValueId> =
        src.operands(end).iter().filter(|&&v| !is_tangent(src.ty(v))).map(|&v| primal.get(v)).collect();
    let (cotangents, flags) = new_args[num_primal..].split_at(num_cotangents);
    let mut halves = Vec::new();
    for &form in forms {
        let t = Transposer {
            src,
            spaces,
            primal: primal.clone(),
            cotangents: FxHashMap::default(),
            gates: FxHashMap::default(),
            pending: FxHashSet::default(),
            unsure: FxHashMap::default(),
            nested: function.instance.is_some_and(|i| calls.nested.contains(&i)),
            parts: parts.clone(),
            reached: FxHashMap::default(),
            sure: FxHashMap::default(),
            came: FxHashSet::default(),
            untouched: FxHashSet::default(),
            known: calls,
            calls: Vec::new(),
        };
        let shared = forms.len() > 1 && faults::on(Site::FormsShared);
        let handed = if shared { Form::Unsure } else { form };
        let (new, half) = t.half(&function, (form, handed), cotangents, flags, &mut b)?;
        returned.extend(b.body.results(new).to_vec());
        halves.push(half);
    }
    func::Return::build(&mut Builder::at_end(&mut out.body, block, src.loc(end)), &returned, &[]);
    Ok(Transposed { symbol: out, halves })
}

/// An unzipped function that is transposed.
struct Function<'a> {
    src: &'a Body,
    linear: OpId,
    linear_block: BlockId,
    end: OpId,
    given_types: &'a [Type],
    instance: Option<Name>,
}

impl Transposer<'_> {
    /// The linear half in one form, from cotangents and flags of the results that come as the second form says: the op, and what came of it.
    fn half(
        mut self,
        function: &Function<'_>,
        (form, handed): (Form, Form),
        cotangents: &[ValueId],
        flags: &[ValueId],
        b: &mut Builder<'_>,
    ) -> Result<(OpId, Half)> {
        let &Function { src, linear, linear_block, end, given_types, .. } = function;
        let bad = |text: &str| Diagnostic::invalid_ir(src.loc(linear), text);
        b.loc = src.loc(linear).derived(Name::new("transpose"));
        let attrs: &[_] = if form == Form::Unsure { &[(stage::UNSURE, Attr::unit())] } else { &[] };
        let new_linear = ad::Linear::build(b, cotangents, given_types, attrs);
        let cot_types: Vec<Type> = cotangents.iter().map(|&v| b.ty(v)).collect();
        let inner_block = b.add_block(new_linear, 0, &cot_types);
        let inner_args = b.body.args(inner_block).to_vec();
        let mut inner = Builder::at_end(b.body, inner_block, b.loc);
        let yields = src.terminator(linear_block).ok_or_else(|| bad("linear code without a yield"))?;
        let returned: Vec<ValueId> = src.operands(end).iter().copied().filter(|&v| is_tangent(src.ty(v))).collect();
        let mut given_flags = flags.iter().copied();
        for (i, &returned) in returned.iter().enumerate() {
            let Some(k) = src.results(linear).iter().position(|&r| r == returned) else {
                return Err(bad("a returned tangent that the linear code does not give"));
            };
            let flags = stage::flags(ad::strip_tangent(src.ty(returned)));
            let flag = |f| Reached::If(Gate::when(f));
            let reached: Vec<Reached> = given_flags.by_ref().take(flags).map(flag).collect();
            let sure = vec![handed == Form::Sure; flags];
            if handed == Form::Unsure || reached.len() > 1 {
                self.unsure.insert(inner_args[i], Cover::default());
            }
            self.flow_parts(&mut inner, src.operands(yields)[k], inner_args[i], &reached, &sure, Some(linear_block));
        }
        self.block(linear_block, &mut inner)?;
        let mut given = Vec::new();
        let mut reached = Vec::new();
        let mut gives = Vec::new();
        // The tangent inputs are the linear op's, in order of the function's arguments.
        let entry = src.entry().ok_or_else(|| bad("no entry block"))?;
        for &arg in src.args(entry).iter().filter(|&&a| is_tangent(src.ty(a))) {
            // An input can reach the linear op as several operands, or not at all.
            let mut sum: Option<ValueId> = None;
            let mut flags: Vec<Option<ValueId>> = vec![None; stage::flags(ad::strip_tangent(src.ty(arg)))];
            let mut sure = vec![true; flags.len()];
            for (i, &operand) in src.operands(linear).iter().enumerate() {
                let inside = src.args(linear_block)[i];
                if operand == arg
                    && (sum.is_none() || !faults::on(Site::TransposeInput))
                    && self.cotangents.contains_key(&inside)
                {
                    self.settle(&mut inner, inside);
                    let c = self.or_zero(&mut inner, inside);
                    for (part, flag) in flags.iter_mut().enumerate() {
                        sure[part] &= self.part_sure(&inner, inside, part);
                        let here = self.part_reached(&mut inner, inside, part).flag(&mut inner);
                        *flag = Some(flag.map_or(here, |f| arith::OrI::build(&mut inner, f, here, &[])));
                    }
                    sum = Some(sum.map_or(c, |s| ad::TAdd::build(&mut inner, s, c, &[])));
                }
            }
            given.push(match sum {
                Some(s) => s,
                None => ad::TZero::build(&mut inner, src.ty(arg), &[]),
            });
            gives.extend(sure);
            let mut flag = |f: Option<ValueId>| f.unwrap_or_else(|| arith::bool(&mut inner, false));
            reached.extend(flags.into_iter().map(&mut flag).collect::<Vec<_>>());
        }
        given.extend(reached);
        ad::Yield::build(&mut inner, &given, &[]);
        Ok((new_linear, Half { form, gives, calls: self.calls }))
    }
}

/// Choices between constants are followed so far.
const MOST_CHOICES: usize = 8;

struct Transposer<'a> {
    src: &'a Body,
    spaces: &'a Spaces,
    primal: Cloner,
    /// Cotangent so far of each tangent of the source, in the new code. Absent means zero.
    cotangents: FxHashMap<ValueId, ValueId>,
    /// What is known to be zero of cotangents (new values); see [`gates`].
    gates: FxHashMap<ValueId, Gate>,
    /// Cotangents that may be no numbers where their gate is closed; see [`gated`].
    pending: FxHashSet<ValueId>,
    /// Cotangents that may be exact zeros, in parts, without a gate that says so, and which parts have come for sure; see [`gated`].
    unsure: FxHashMap<ValueId, Cover>,
    /// The derivative is differentiated again.
    nested: bool,
    /// Ops that read a part of an input; see [`parts`].
    parts: FxHashMap<OpId, (ValueId, usize)>,
    /// Whether a part of an input was reached by itself, and, without a number, the whole before its parts were looked at.
    reached: FxHashMap<(ValueId, Option<usize>), Reached>,
    /// Likewise, whether what reached it is all of it.
    sure: FxHashMap<(ValueId, Option<usize>), bool>,
    /// Ops that read an element whose cotangent has come for sure wherever they run.
    came: FxHashSet<OpId>,
    /// Ops that write an element of an array whose cotangent is what has come for sure behind the loop around.
    untouched: FxHashSet<OpId>,
    known: &'a Calls,
    /// The halves of instances that are called.
    calls: Vec<(Name, Form)>,
}

impl Transposer<'_> {
    /// What has flowed to a value, and its gate.
    fn now(&self, value: ValueId) -> Option<(ValueId, Option<Gate>)> {
        let c = *self.cotangents.get(&value)?;
        Some((c, self.gates.get(&c).copied()))
    }

    fn or_zero(&self, b: &mut Builder<'_>, value: ValueId) -> ValueId {
        match self.cotangents.get(&value) {
            Some(&c) => c,
            None => ad::TZero::build(b, self.src.ty(value), &[]),
        }
    }

    /// Transposes the ops of a block whose results' cotangents have been set.
    fn block(&mut self, block: BlockId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let ops = src.block_ops(block);
        let touches = |op: OpId| {
            let data = src.op(op);
            data.operands.iter().chain(&data.results).any(|&v| is_tangent(src.ty(v)))
        };
        for &op in &ops {
            // The sweep of the loop has undone what can be.
            if !touches(op) && !src.op(op).def.is_terminator() && !ad::Undo::is(src, op) && !ad::Again::is(src, op) {
                self.primal.clone_op(src, op, b);
            }
        }
        for &op in ops.iter().rev() {
            if touches(op) && !src.op(op).def.is_terminator() {
                b.loc = src.loc(op).derived(Name::new("transpose"));
                self.op(op, b)?;
            }
        }
        Ok(())
    }

    fn op(&mut self, op: OpId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let data = src.op(op);
        if !data.regions.is_empty() {
            return match () {
                _ if scf::For::is(src, op) => self.loop_op(op, b),
                _ if ad::Replay::is(src, op) => self.replay_op(op, b),
                _ => self.branch_op(op, b),
            };
        }
        if ad::LinearCall::is(src, op) {
            return self.call(op, b);
        }
        let Some(mut ct) = data.results.first().and_then(|r| self.cotangents.get(r)).copied() else { return Ok(()) };
        let mut gate = self.gates.get(&ct).copied();
        let keeps_shape = ad::TAdd::is(src, op) || ad::TNeg::is(src, op) || ad::TScale::is(src, op);
        let same_lanes = |g: Gate| ad::TSelect::is(src, op) && b.ty(g.condition) == src.ty(data.operands[0]);
        if !keeps_shape && !gate.is_some_and(same_lanes) {
            ct = self.settled(b, ct);
        }
        let operand = |i: usize| data.operands[i];
        let primal = |t: &Self, i: usize| t.primal.get(data.operands[i]);
        let path =
            data.attrs.iter().find(|(n, _)| *n == "path").map(|(_, a)| *a).unwrap_or_else(|| Attr::array(vec![]));
        let steps = path.as_i64_array().unwrap_or_default();
        let indices =
            |t: &Self, from: usize| data.operands[from..].iter().map(|&v| t.primal.get(v)).collect::<Vec<_>>();
        match ad::LinearView::of(src, op) {
            Some(L::TZero(_)) => {}
            Some(L::TAdd(_)) => {
                self.flow(b, operand(0), ct, gate);
                self.flow(b, operand(1), ct, gate);
            }
            Some(L::TNeg(_)) => {
                let c = if faults::on(Site::TransposeNeg) { ct } else { ad::TNeg::build(b, ct, &[]) };
                self.inherit(ct, c);
                self.flow(b, operand(0), c, gate);
            }
            Some(L::TScale(_)) => {
                let factor = primal(self, 1);
                let finite = is_finite(b.body, factor);
                // What is unsure annihilates by its own zeros, and so do factors that may be zero because nothing reached them.
                let own = ad::Strong::of(src, op);
                let unsure = self.unsure.contains_key(&ct) && !finite;
                let tangent = unsure || own.is_some_and(ad::Strong::tangent);
                let strong = ad::Strong::from_sides(tangent, own.is_some_and(ad::Strong::factor));
                let strong = strong.filter(|_| !faults::on(Site::TransposeStrong));
                let attrs = ad::Strong::attrs(strong);
                let c = if faults::on(Site::TransposeScale) { ct } else { ad::TScale::build(b, ct, factor, &attrs) };
                if gate.is_some() && !finite {
                    self.pending.insert(c);
                }
                self.inherit(ct, c);
                if own.is_some() {
                    self.unsure.insert(c, Cover::default());
                }
                self.flow(b, operand(0), c, gate);
            }
            Some(L::TExtract(_)) => {
                if let Some(&(whole, part)) = self.parts.get(&op) {
                    self.settle(b, data.results[0]);
                    (ct, gate) = self.now(data.results[0]).unwrap_or((ct, gate));
                    let (before, sure) = (self.reached(b, whole), self.part_sure(b, whole, part));
                    self.reached.entry((whole, None)).or_insert(before);
                    self.sure.entry((whole, None)).or_insert(sure);
                    let here = self.reached(b, data.results[0]);
                    self.reached.insert((whole, Some(part)), here);
                    let sure = self.leaving(b, ct).is_whole();
                    self.sure.insert((whole, Some(part)), sure);
                }
                if self.is_sure(ct) {
                    self.came.insert(op);
                }
                let ix = indices(self, 1);
                self.settle(b, operand(0));
                let before = self.cotangents.get(&operand(0)).map(|c| self.gates.get(c).copied());
                let lost = faults::on(Site::TransposeExtract);
                let base =
                    if lost { ad::TZero::build(b, src.ty(operand(0)), &[]) } else { self.or_zero(b, operand(0)) };
                let sum = ad::TAccumulate::build(b, ct, base, &ix, &[("path", path)]);
                let open = match (before, gate) {
                    (None, gate) => gate,
                    (Some(Some(g)), Some(h)) => g.or(b, h),
                    _ => None,
                };
                if let Some(g) = open {
                    self.gates.insert(sum, g);
                }
                // The rest may have got nothing.
                let holds = |own: Option<Gate>| own.is_none() || own == open;
                let mut cover = Cover::default();
                if before.is_some_and(holds) {
                    cover = self.cover(base);
                }
                if holds(gate) {
                    cover.put(ad::strip_tangent(b.ty(sum)), &steps, &self.cover(ct));
                }
                self.doubt(sum, cover);
                self.cotangents.insert(operand(0), sum);
            }
            Some(L::TInsert(_)) => {
                let ix = indices(self, 2);
                let part_ty = src.ty(operand(0));
                let part = ad::TExtract::build(b, ct, &ix, part_ty, &[("path", path)]);
                if !self.untouched.contains(&op) || gate.is_some() {
                    self.doubt(part, self.cover(ct).part(&steps));
                }
                if !faults::on(Site::TransposeInsertPart) {
                    let gate = self.made(b, op, gate);
                    self.flow(b, operand(0), part, gate);
                }
                let zero = ad::TZero::build(b, part_ty, &[]);
                let kept = faults::on(Site::TransposeClear);
                let cleared = if kept { ct } else { ad::TInsert::build(b, zero, ct, &ix, &[("path", path)]) };
                self.doubt(cleared, self.cover(ct).without(ad::strip_tangent(src.ty(data.results[0])), &steps));
                self.flow(b, operand(1), cleared, gate);
            }
            Some(L::TAccumulate(_)) => {
                let ix = indices(self, 2);
                let part = ad::TExtract::build(b, ct, &ix, src.ty(operand(0)), &[("path", path)]);
                self.doubt(part, self.cover(ct).part(&steps));
                let written = self.made(b, op, gate);
                self.flow(b, operand(0), part, written);
                if !faults::on(Site::TransposeAccumulateBase) {
                    self.flow(b, operand(1), ct, gate);
                }
            }
            Some(L::TMake(_)) => {
                let whole = ad::strip_tangent(src.ty(data.results[0]));
                for (i, &v) in data.operands.iter().enumerate() {
                    let same = src.ty(v) == src.ty(operand(0));
                    let i = if same && faults::on(Site::TransposeMake) { 0 } else { i };
                    let steps = part_path(whole, ad::strip_tangent(src.ty(v)), i);
                    let part = ad::TExtract::build(b, ct, &[], src.ty(v), &[("path", Attr::i64_array(&steps))]);
                    self.doubt(part, self.cover(ct).part(&steps));
                    self.flow(b, v, part, gate);
                }
            }
            Some(L::TSplat(_)) => {
                let ty = src.ty(operand(0));
                let first = vec![0; rank(src.ty(data.results[0]))];
                let c = if faults::on(Site::TransposeSplat) {
                    ad::TExtract::build(b, ct, &[], ty, &[("path", Attr::i64_array(&first))])
                } else {
                    ad::TSum::build(b, ct, ty, &[])
                };
                // One lane that has come is enough.
                if self.cover(ct).is_empty() {
                    self.doubt(c, Cover::default());
                }
                self.flow(b, operand(0), c, gate);
            }
            Some(L::TSum(_)) => {
                let mut c = ad::TSplat::build(b, ct, src.ty(operand(0)), &[]);
                if faults::on(Site::TransposeSum) {
                    let none = ad::TZero::build(b, src.ty(operand(0)), &[]);
                    let first = vec![0; rank(src.ty(operand(0)))];
                    c = ad::TInsert::build(b, ct, none, &[], &[("path", Attr::i64_array(&first))]);
                }
                self.inherit(ct, c);
                self.flow(b, operand(0), c, gate);
            }
            Some(L::TCast(_)) => {
                let c = ad::TCast::build(b, ct, src.ty(operand(0)), &[]);
                self.inherit(ct, c);
                self.flow(b, operand(0), c, gate);
            }
            Some(L::TSelect(_)) => {
                let condition = primal(self, 0);
                for (i, when) in [(1, true), (2, false)] {
                    let i = if faults::on(Site::TransposeSelect) { 3 - i } else { i };
                    let taken = Gate::side(condition, when);
                    let c = taken.select(b, ct);
                    let g = gate.map_or(taken, |outer| outer.and(b, taken));
                    self.inherit(ct, c);
                    self.flow(b, operand(i), c, Some(g));
                }
            }
            Some(L::LinearCall(_) | L::TransposeCall(_)) | None => {
                let text = format!("{} has no transpose ({} steps)", data.def.name, steps.len());
                return Err(Diagnostic::internal(data.loc, text));
            }
        }
        Ok(())
    }
}

/// Whether a partial is a number, whatever the operands are: a constant, or one of several.
fn is_finite(body: &Body, factor: ValueId) -> bool {
    let mut todo = vec![factor];
    while let Some(value) = todo.pop() {
        let Some(op) = body.def_op(value) else { return false };
        let number = |a: Attr| a.as_float().is_some_and(f64::is_finite);
        match arith::constant_of(body, value).map(|c| c.kind()) {
            Some(AttrKind::Dense(items, _)) if items.iter().all(|&a| number(a)) => {}
            Some(_) if arith::constant_of(body, value).is_some_and(number) => {}
            None if arith::Select::is(body, op) && todo.len() < MOST_CHOICES => todo.extend(&body.operands(op)[1..]),
            _ => return false,
        }
    }
    true
}

/// How many steps lead to a scalar of a vector or matrix.
fn rank(tangent: Type) -> usize {
    ad::strip_tangent(tangent).shape().len()
}

/// The path to operand `i` of a make: a matrix may be made of its rows or of all its scalars.
fn part_path(whole: Type, part: Type, i: usize) -> Vec<i64> {
    let shape = whole.shape();
    if shape.len() == 2 && !part.is_vector() {
        return vec![(i / shape[1] as usize) as i64, (i % shape[1] as usize) as i64];
    }
    vec![i as i64]
}
