//! Step 4, transpose: the linear half runs backwards, from cotangents of the results to cotangents of the inputs.
//!
//! Input: an unzipped function. Output: the same primal half, then an `ad.linear` op that takes the cotangents of the
//! active results and gives those of the active inputs (seeds: paper 5.2.2; Radul et al. 2022), and for each of those
//! whether anything reached it (`gates`). The function's tangent inputs become cotangent inputs.
//!
//! Each block goes through in reverse order; primal ops in it (they are pure: residual reads and recomputation) come
//! first. Cotangents stay absent until something flows: zeros are made only where control flow needs a value. A loop's
//! transpose counts down and carries, besides the cotangents of what it carried, the running sum for every tangent from
//! outside that its body reads.
//!
//! Of each cotangent is known where it is zero, since products with infinite partials depend on it. It is one of:
//!  - absent: an exact zero;
//!  - masked: an exact zero where its [`Gate`] is closed (`Transposer::gates`);
//!  - dense: all of it came from results, so that any zero in it was computed;
//!  - partly dense: some parts are dense, the others may be exact zeros and no gate says when
//!    (`Transposer::partly_dense`).
//!
//! Without an entry in either map a cotangent is dense everywhere. With both, the parts are dense where the gate is
//! open.
//!
//! Invariant after it: as after unzip, linear code is linear by type.

mod dense;
mod gated;
mod parts;
mod regions;
mod replay;
mod rules;
mod sweep;

use super::gates::{Gate, Reached};
use super::space::Spaces;
use crate::analysis::derivative_links::Form;
use crate::analysis::stage;
use crate::mutants::{self, Site};
use caustic_dialects::ad::{self, is_tangent, strip_tangent};
use caustic_dialects::{arith, func};
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueId};
use dense::DenseParts;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the calls of derivatives that are transposed together.
#[derive(Default)]
pub struct Calls {
    /// Instances whose derivatives are differentiated again.
    pub nested: FxHashSet<Name>,
    /// Of each half, by instance and form: which parts of the cotangents that it gives are dense wherever their
    /// reached flag is set.
    pub gives: FxHashMap<(Name, Form), Vec<bool>>,
}

/// The transposed linear half of an instance in one form, and what came of it.
pub struct Half {
    pub form: Form,
    /// As in [`Calls::gives`].
    pub gives: Vec<bool>,
    /// The halves that it calls.
    pub calls: Vec<(Name, Form)>,
}

/// A transposed function: one primal half, and a linear half for each form that is wanted.
pub struct Transposed {
    pub symbol: SymbolOp,
    pub halves: Vec<Half>,
}

/// The ops and blocks of an unzipped function that transposition asks for.
#[derive(Clone, Copy)]
struct Function {
    entry: BlockId,
    /// The linear half, and its block.
    linear: OpId,
    linear_block: BlockId,
    /// The function's return.
    end: OpId,
}

impl Function {
    fn of(symbol: &SymbolOp) -> Result<Function> {
        let src = &symbol.body;
        let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
        let entry = src.entry().ok_or_else(|| bad("an unzipped function without code"))?;
        let end = src.terminator(entry).ok_or_else(|| bad("a function without a return"))?;
        let linear = src.block_ops(entry).into_iter().find(|&op| ad::Linear::is(src, op));
        let linear = linear.ok_or_else(|| bad("an unzipped function without linear code"))?;
        let linear_block = src.region_block(linear, 0).ok_or_else(|| bad("linear code without a block"))?;
        Ok(Function { entry, linear, linear_block, end })
    }
}

/// The signature of a transposed function: primal inputs, cotangents of the active results and their reached flags go
/// in; primal results come out, and what each linear half gives.
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

/// Transposes the linear half of an unzipped function, once for each of `forms`.
pub fn transpose(symbol: &SymbolOp, spaces: &Spaces, calls: &Calls, forms: &[Form]) -> Result<Transposed> {
    let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
    let types = symbol.function_type().ok_or_else(|| bad("an unzipped function without code"))?;
    let (function, signature) = (Function::of(symbol)?, Signature::of(types, forms.len()));
    let mut src = symbol.body.clone();
    let insides = src.args(function.linear_block).to_vec();
    let region = src.op(function.linear).regions[0];
    let part_reads = parts::split(&mut src, region, function.linear_block, &insides, spaces);
    let src = &src;

    let mut out = declare(symbol, &signature, forms);
    let block = out.body.entry().ok_or_else(|| bad("no entry block"))?;
    let args = out.body.args(block).to_vec();
    let (primal_args, linear_args) = args.split_at(signature.num_primal);
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    let primal = clone_primal_half(src, &function, primal_args, &mut b);
    let data = src.operands(function.end).iter().filter(|&&v| !is_tangent(src.ty(v)));
    let mut returned: Vec<ValueId> = data.map(|&v| primal.get(v)).collect();
    let (cotangents, flags) = linear_args.split_at(signature.num_cotangents);
    let differentiated_again = stage::instance_of(symbol).is_some_and(|i| calls.nested.contains(&i));
    let mut halves = Vec::new();
    for &form in forms {
        let t = Transposer {
            src,
            spaces,
            primal: primal.clone(),
            cotangents: FxHashMap::default(),
            gates: FxHashMap::default(),
            gate_pending: FxHashSet::default(),
            partly_dense: FxHashMap::default(),
            differentiated_again,
            part_reads: part_reads.clone(),
            split: FxHashMap::default(),
            dense_reads: FxHashSet::default(),
            dense_writes: FxHashSet::default(),
            callees: calls,
            called: Vec::new(),
        };
        let shared = forms.len() > 1 && mutants::on(Site::FormsShared);
        let handed = if shared { Form::Unsure } else { form };
        let (new, half) = t.half(&function, (form, handed), &signature.given, cotangents, flags, &mut b)?;
        returned.extend(b.body.results(new).to_vec());
        halves.push(half);
    }
    func::Return::build(&mut Builder::at_end(&mut out.body, block, src.loc(function.end)), &returned, &[]);
    Ok(Transposed { symbol: out, halves })
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
fn clone_primal_half(src: &Body, function: &Function, new_args: &[ValueId], b: &mut Builder<'_>) -> Cloner {
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

/// Whether a value that is taken apart, or a part of it, was reached by a cotangent, and if what reached it is dense.
#[derive(Clone, Copy)]
struct Flow {
    reached: Reached,
    dense: bool,
}

/// What flowed to an input or result that `parts` takes apart.
struct SplitFlow {
    /// To the whole, before its parts were looked at.
    whole: Flow,
    /// To parts by themselves, by number.
    parts: FxHashMap<usize, Flow>,
}

struct Transposer<'a> {
    src: &'a Body,
    spaces: &'a Spaces,
    primal: Cloner,
    /// Cotangent so far of each tangent of the source, in the new code. Absent means zero.
    cotangents: FxHashMap<ValueId, ValueId>,
    /// Zero masks of cotangents (new values): an exact zero where the gate is closed; see [`super::gates`].
    gates: FxHashMap<ValueId, Gate>,
    /// Masked cotangents to which their gate is yet to be applied: they may be NaN where it is closed; see [`gated`].
    gate_pending: FxHashSet<ValueId>,
    /// Cotangents that are not dense even where their gate is open, with the parts that are; see [`gated`].
    partly_dense: FxHashMap<ValueId, DenseParts>,
    /// The derivative is differentiated again.
    differentiated_again: bool,
    /// Ops that read a part of an input, with the input and the part's number; see [`parts`].
    part_reads: FxHashMap<OpId, (ValueId, usize)>,
    /// What flowed to inputs and results whose parts were reached by now.
    split: FxHashMap<ValueId, SplitFlow>,
    /// Ops that read an element whose cotangent is dense wherever they run.
    dense_reads: FxHashSet<OpId>,
    /// Ops that write an element of an array to which no other iteration of the loop around writes, where the array's
    /// cotangent is dense after the loop: so the element's is, where the op runs.
    dense_writes: FxHashSet<OpId>,
    callees: &'a Calls,
    /// The halves of instances that are called.
    called: Vec<(Name, Form)>,
}

impl Transposer<'_> {
    /// The linear half in one form, from cotangents and flags of the results that come as the second form says: the op,
    /// and what came of it.
    fn half(
        mut self,
        function: &Function,
        (form, handed): (Form, Form),
        given_types: &[Type],
        cotangents: &[ValueId],
        flags: &[ValueId],
        b: &mut Builder<'_>,
    ) -> Result<(OpId, Half)> {
        b.loc = self.src.loc(function.linear).derived(Name::new("transpose"));
        let attrs: &[_] = if form == Form::Unsure { &[(stage::UNSURE, Attr::unit())] } else { &[] };
        let linear = ad::Linear::build(b, cotangents, given_types, attrs);
        let types: Vec<Type> = cotangents.iter().map(|&v| b.ty(v)).collect();
        let block = b.add_block(linear, 0, &types);
        let cotangents = b.body.args(block).to_vec();
        let mut inner = Builder::at_end(b.body, block, b.loc);
        self.flow_from_results(function, handed, &cotangents, flags, &mut inner)?;
        self.block(function.linear_block, &mut inner)?;
        let gives = self.yield_to_inputs(function, &mut inner);
        Ok((linear, Half { form, gives, calls: self.called }))
    }

    /// The cotangents of the function's active results flow to what gives these results.
    fn flow_from_results(
        &mut self,
        function: &Function,
        handed: Form,
        cotangents: &[ValueId],
        flags: &[ValueId],
        b: &mut Builder<'_>,
    ) -> Result<()> {
        let src = self.src;
        let &Function { linear, linear_block, end, .. } = function;
        let bad = |text: &str| Diagnostic::invalid_ir(src.loc(linear), text);
        let yields = src.terminator(linear_block).ok_or_else(|| bad("linear code without a yield"))?;
        let mut flags = flags.iter().copied();
        let returned = src.operands(end).iter().copied().filter(|&v| is_tangent(src.ty(v)));
        for (returned, &cotangent) in returned.zip(cotangents) {
            let Some(k) = src.results(linear).iter().position(|&r| r == returned) else {
                return Err(bad("a returned tangent that the linear code does not give"));
            };
            let parts = stage::flags(strip_tangent(src.ty(returned)));
            let dense = handed == Form::Sure;
            let flow = |f| Flow { reached: Reached::If(Gate::when(f)), dense };
            let flows: Vec<Flow> = flags.by_ref().take(parts).map(flow).collect();
            if !dense || flows.len() > 1 {
                self.partly_dense.insert(cotangent, DenseParts::none());
            }
            self.flow_parts(b, src.operands(yields)[k], cotangent, &flows, Some(linear_block));
        }
        Ok(())
    }

    /// Yields the cotangents of the function's active inputs and their reached flags; for each flag, whether its part
    /// is dense where the flag is set.
    fn yield_to_inputs(&mut self, function: &Function, b: &mut Builder<'_>) -> Vec<bool> {
        let src = self.src;
        let (mut given, mut reached, mut gives) = (Vec::new(), Vec::new(), Vec::new());
        // The tangent inputs are the linear op's, in order of the function's arguments.
        for &arg in src.args(function.entry).iter().filter(|&&a| is_tangent(src.ty(a))) {
            // An input can reach the linear op as several operands, or not at all.
            let mut sum: Option<ValueId> = None;
            let mut flags: Vec<Option<ValueId>> = vec![None; stage::flags(strip_tangent(src.ty(arg)))];
            let mut dense = vec![true; flags.len()];
            for (i, &operand) in src.operands(function.linear).iter().enumerate() {
                let inside = src.args(function.linear_block)[i];
                let lost = sum.is_some() && mutants::on(Site::TransposeInput);
                if operand != arg || lost || !self.cotangents.contains_key(&inside) {
                    continue;
                }
                self.apply_gate(b, inside);
                let c = self.or_zero(b, inside);
                for (part, flag) in flags.iter_mut().enumerate() {
                    dense[part] &= self.part_is_dense(b, inside, part);
                    let here = self.part_reached(b, inside, part).flag(b);
                    *flag = Some(flag.map_or(here, |f| arith::OrI::build(b, f, here, &[])));
                }
                sum = Some(sum.map_or(c, |s| ad::TAdd::build(b, s, c, &[])));
            }
            given.push(sum.unwrap_or_else(|| ad::TZero::build(b, src.ty(arg), &[])));
            gives.extend(dense);
            reached.extend(flags.into_iter().map(|f| f.unwrap_or_else(|| arith::bool(b, false))));
        }
        given.extend(reached);
        ad::Yield::build(b, &given, &[]);
        gives
    }

    /// The cotangent of a value so far, with its gate.
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
}
