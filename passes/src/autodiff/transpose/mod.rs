//! Step 4, transpose: the linear half runs backwards, from cotangents of the results to cotangents
//! of the inputs.
//!
//! Input: an unzipped function, and its [`ZeroMasks`]. Output: the same primal half, then an
//! `ad.linear` op that takes the cotangents of the active results and gives those of the active
//! inputs (seeds: paper 5.2.2; Radul et al. 2022), and for each of those whether anything reached
//! it. The function's tangent inputs become cotangent inputs.
//!
//! Each block goes through in reverse order; primal ops in it (they are pure: residual reads and
//! recomputation) come first. Cotangents stay absent until something flows: zeros are made only
//! where control flow needs a value. A loop's transpose counts down and carries, besides the
//! cotangents of what it carried, the running sum for every tangent from outside that its body
//! reads.
//!
//! Where a cotangent is zero has been found before (`zero_masks`): by each use of a value, what
//! comes, and what the sum is. Here the conditions among that become code, each where the first
//! cotangent arises that it masks, and pending masks become selects. Nothing is found out about
//! zeros here.
//!
//! Invariant after it: as after unzip, linear code is linear by type.

mod masks;
mod regions;
mod replay;
mod rules;
mod sweep;

use super::zero_masks::{self, ConditionId, CotangentId, Unzipped, ZeroMasks};
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::mutants::{Site, mutant};
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::{arith, func};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;

/// The signature of a transposed function: primal inputs, cotangents of the active results and
/// their reached flags go in; primal results come out, and what each linear half gives.
struct Signature {
    inputs: Vec<Type>,
    results: Vec<Type>,
    /// How many of the inputs are primal, and how many after these are cotangents.
    num_primal: usize,
    num_cotangents: usize,
    /// What a linear half gives: the cotangents of the active inputs, and their reached flags.
    given: Vec<Type>,
}

impl Signature {
    /// Of the transpose of an unzipped function with these types, which has as many linear halves.
    fn of((inputs, results): (&[Type], &[Type]), halves: usize) -> Signature {
        let data_types = |types: &[Type]| types.iter().copied().filter(|&t| !is_tangent(t)).collect::<Vec<_>>();
        let tangents = |types: &[Type]| types.iter().copied().filter(|&t| is_tangent(t)).collect::<Vec<_>>();
        let mut given = tangents(inputs);
        given.extend(stage::flag_types(tangents(inputs).into_iter().map(strip_tangent)));
        let mut new_inputs = data_types(inputs);
        let num_primal = new_inputs.len();
        let cotangents = tangents(results);
        new_inputs.extend(&cotangents);
        new_inputs.extend(stage::result_flags(cotangents.iter().map(|&t| strip_tangent(t))));
        let mut new_results = data_types(results);
        (0..halves).for_each(|_| new_results.extend(&given));
        Signature { inputs: new_inputs, results: new_results, num_primal, num_cotangents: cotangents.len(), given }
    }
}

/// Transposes the linear half of an unzipped function, once for each of these forms with its masks.
pub fn transpose(symbol: &SymbolOp, function: &Unzipped, forms: &[(Form, ZeroMasks)]) -> Result<SymbolOp> {
    let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
    let types = symbol.function_type().ok_or_else(|| bad("an unzipped function without code"))?;
    let signature = Signature::of(types, forms.len());
    let src = &function.body;
    let mut out = declare(symbol, &signature, &forms.iter().map(|(form, _)| *form).collect::<Vec<_>>());
    let block = out.body.entry().ok_or_else(|| bad("no entry block"))?;
    let args = out.body.args(block).to_vec();
    let (primal_args, linear_args) = args.split_at(signature.num_primal);
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    let primal = clone_primal_half(function, primal_args, &mut b);
    let data = src.operands(function.end).iter().filter(|&&v| !is_tangent(src.ty(v)));
    let mut returned: Vec<ValueId> = data.map(|&v| primal.get(v)).collect();
    let (cotangents, flags) = linear_args.split_at(signature.num_cotangents);
    for (form, masks) in forms {
        let (primal, cotangents_so_far, conditions) = (primal.clone(), FxHashMap::default(), FxHashMap::default());
        let t = Transposer { src, function, masks, primal, cotangents: cotangents_so_far, conditions };
        let new = t.half(*form, &signature.given, cotangents, flags, &mut b)?;
        returned.extend(b.body.results(new).to_vec());
    }
    func::Return::build(&mut Builder::at_end(&mut out.body, block, src.loc(function.end)), &returned, &[]);
    Ok(out)
}

/// The transposed function, still without code.
fn declare(symbol: &SymbolOp, signature: &Signature, forms: &[Form]) -> SymbolOp {
    let loc = symbol.loc.derived(Name::new("transpose"));
    let mut out = stage::new_func(symbol.name, &signature.inputs, &signature.results, loc);
    for (name, value) in &symbol.attrs {
        if *name != "function_type" {
            out.set_attr(name, *value);
        }
    }
    out.set_attr(stage::STAGE, Attr::string(stage::TRANSPOSED));
    stage::set_forms(&mut out, forms);
    out
}

/// Clones all but the linear half; what stands for the values of the source.
fn clone_primal_half(function: &Unzipped, new_args: &[ValueId], b: &mut Builder<'_>) -> Cloner {
    let src = &function.body;
    let mut primal = Cloner::new();
    let args = src.args(function.entry).iter().filter(|&&arg| !is_tangent(src.ty(arg)));
    for (&arg, &new) in args.zip(new_args) {
        b.body.set_hint(new, src.value(arg).hint);
        primal.insert(arg, new);
    }
    for op in src.block_ops(function.entry) {
        if op != function.linear && op != function.end {
            primal.clone_op(src, op, b);
        }
    }
    primal
}

/// A cotangent in the new code.
#[derive(Clone, Copy)]
struct Current {
    value: ValueId,
    /// What is known of it.
    id: CotangentId,
    /// Its mask is yet to be applied.
    pending: bool,
}

struct Transposer<'a> {
    src: &'a Body,
    function: &'a Unzipped,
    masks: &'a ZeroMasks,
    primal: Cloner,
    /// Cotangent so far of each tangent of the source. Absent means zero.
    cotangents: FxHashMap<ValueId, Current>,
    /// The values that conditions have become.
    conditions: FxHashMap<ConditionId, ValueId>,
}

impl Transposer<'_> {
    /// The linear half in one form, from cotangents and flags of the results.
    fn half(
        mut self,
        form: Form,
        given_types: &[Type],
        cotangents: &[ValueId],
        flags: &[ValueId],
        b: &mut Builder<'_>,
    ) -> Result<OpId> {
        b.loc = self.src.loc(self.function.linear).derived(Name::new("transpose"));
        let attrs: Vec<_> = stage::form_attrs(form).into_iter().collect();
        self.name_given(cotangents, b);
        let linear = ad::Linear::build(b, cotangents, given_types, &attrs);
        let types: Vec<Type> = cotangents.iter().map(|&v| b.ty(v)).collect();
        let block = b.add_block(linear, 0, &types);
        let cotangents = b.body.args(block).to_vec();
        self.name_given(&cotangents, b);
        let mut inner = Builder::at_end(b.body, block, b.loc);
        self.flow_from_results(&cotangents, flags, &mut inner)?;
        self.block(self.function.linear_block, &mut inner)?;
        self.yield_to_inputs(&mut inner)?;
        Ok(linear)
    }

    /// The cotangents that a function is given are called after what it returns.
    fn name_given(&self, cotangents: &[ValueId], b: &mut Builder<'_>) {
        let src = self.src;
        let returned = src.operands(self.function.end).iter().filter(|&&v| is_tangent(src.ty(v)));
        for (&returned, &cotangent) in returned.zip(cotangents) {
            let hint = src.value(returned).hint.unwrap_or_else(|| Name::new("result_d"));
            b.body.set_hint(cotangent, Some(hint));
        }
    }

    /// A cotangent to which nothing is added any more is called as its tangent is.
    fn named(&self, value: ValueId, cotangent: ValueId, b: &mut Builder<'_>) {
        if b.body.value(cotangent).hint.is_none() {
            b.body.set_hint(cotangent, self.src.value(value).hint);
        }
    }

    /// The cotangents of the function's active results flow to what gives these results.
    fn flow_from_results(&mut self, cotangents: &[ValueId], flags: &[ValueId], b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let &Unzipped { linear, linear_block, end, .. } = self.function;
        let bad = |text: &str| Diagnostic::invalid_ir(src.loc(linear), text);
        let yields = src.terminator(linear_block).ok_or_else(|| bad("linear code without a yield"))?;
        let conditions = self.masks.result_flags.iter().copied();
        self.conditions.extend(conditions.zip(flags.iter().copied()));
        let returned = src.operands(end).iter().copied().filter(|&v| is_tangent(src.ty(v)));
        for (i, (returned, &cotangent)) in returned.zip(cotangents).enumerate() {
            let Some(k) = src.results(linear).iter().position(|&r| r == returned) else {
                return Err(bad("a returned tangent that the linear code does not give"));
            };
            self.flow_parts(b, (end, i), src.operands(yields)[k], cotangent)?;
        }
        Ok(())
    }

    /// Yields the cotangents of the function's active inputs and their reached flags.
    fn yield_to_inputs(&mut self, b: &mut Builder<'_>) -> Result<()> {
        let (src, function, masks) = (self.src, self.function, self.masks);
        let (mut given, mut reached) = (Vec::new(), Vec::new());
        // The tangent inputs are the linear op's, in order of the function's arguments.
        for &arg in src.args(function.entry).iter().filter(|&&a| is_tangent(src.ty(a))) {
            // An input can reach the linear op as several operands, or not at all.
            let mut sum: Option<ValueId> = None;
            let mut flags: Vec<Option<ValueId>> = vec![None; stage::flags(strip_tangent(src.ty(arg)))];
            for (i, &operand) in src.operands(function.linear).iter().enumerate() {
                let inside = src.args(function.linear_block)[i];
                if operand != arg || !self.cotangents.contains_key(&inside) {
                    continue;
                }
                self.apply(b, inside)?;
                let c = self.or_zero(b, inside);
                for (flag, &mask) in flags.iter_mut().zip(masks.input(i)) {
                    let here = self.reached(b, mask)?.flag(b);
                    *flag = Some(flag.map_or(here, |f| arith::OrI::build(b, f, here, &[])));
                }
                sum = Some(joined(b, sum, c));
            }
            let sum = sum.unwrap_or_else(|| ad::TZero::build(b, src.ty(arg), &[]));
            self.named(arg, sum, b);
            given.push(sum);
            reached.extend(flags.into_iter().map(|f| f.unwrap_or_else(|| arith::bool(b, false))));
        }
        given.extend(reached);
        ad::Yield::build(b, &given, &[]);
        Ok(())
    }

    fn or_zero(&self, b: &mut Builder<'_>, value: ValueId) -> ValueId {
        match self.cotangents.get(&value) {
            Some(c) => c.value,
            None => ad::TZero::build(b, self.src.ty(value), &[]),
        }
    }

    /// Transposes the ops of a block whose results' cotangents have been set.
    fn block(&mut self, block: BlockId, b: &mut Builder<'_>) -> Result<()> {
        let src = self.src;
        let ops = src.block_ops(block);
        let (linear, primal): (Vec<OpId>, Vec<OpId>) = ops.into_iter().partition(|&op| zero_masks::is_linear(src, op));
        for op in primal {
            // The sweep of the loop has undone what can be.
            if !src.op(op).def.is_terminator() && !ad::Undo::is(src, op) && !ad::Again::is(src, op) {
                self.primal.clone_op(src, op, b);
            }
        }
        for &op in linear.iter().rev() {
            b.loc = src.loc(op).derived(Name::new("transpose"));
            self.op(op, b)?;
        }
        Ok(())
    }
}

/// The sum of the ways from an input into linear code so far and one more.
#[mutant(Site::TransposeInput if sum.is_some() => sum.unwrap_or(way))]
fn joined(b: &mut Builder<'_>, sum: Option<ValueId>, way: ValueId) -> ValueId {
    sum.map_or(way, |sum| ad::TAdd::build(b, sum, way, &[]))
}
