//! Step 6, extract: a transposed function becomes a primal half and a linear one, or two forms of
//! it, joined by a context.
//!
//! The primal half takes the primal inputs and gives the primal results and a struct of what the
//! linear half reads, the *context*; the backward half takes the context, the references to
//! resources among the primal inputs, and the cotangents of the active results, and gives those of
//! the active inputs (seeds: paper 5.3.4), then for each of these whether anything reached it: an
//! exact zero must stay one for the caller. Contexts of calls are part of the caller's. Tangents
//! are plain data afterwards.

use super::lower_linear::{data_type, lower_linear};
use super::space::Spaces;
use crate::analysis::derivative_links::Form;
use crate::analysis::derivative_links::{Forms, Links};
use crate::analysis::stage;
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::signature::holds_handle;
use caustic_dialects::{func, signature};
use caustic_ir::codes;
use caustic_ir::{Attr, BlockId, Body, Builder, Cloner, Diagnostic, Name, OpId, Result, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;

/// Context types by instance.
pub type Contexts = FxHashMap<Name, Type>;

/// The forms of the instance that a function of a stage belongs to.
fn forms_of(symbol: &SymbolOp, links: &Links) -> Result<Forms> {
    let forms = stage::instance_of(symbol).and_then(|i| links.forms(i));
    forms.ok_or_else(|| Diagnostic::invalid_ir(symbol.loc, format!("@{} names no `ad.instance`", symbol.name)))
}

/// The halves of a transposed function, the primal one first, and its context type, which serves
/// all forms of the linear half. The contexts of what it calls must be known.
pub fn extract(
    symbol: &SymbolOp,
    contexts: &Contexts,
    spaces: &Spaces,
    links: &Links,
) -> Result<(Vec<SymbolOp>, Type)> {
    let (names, forms) = (forms_of(symbol, links)?, stage::forms(symbol));
    let filled = with_linear_code(symbol, &forms);
    let symbol = filled.as_ref().unwrap_or(symbol);
    let resolve = |name: Name| contexts.get(&name).copied();
    let unnamed = || Diagnostic::invalid_ir(symbol.loc, "a backward half that no `ad.half` names");
    let halves = forms.iter().map(|&form| links.backward(names.instance, form).ok_or_else(unnamed));
    let halves: Vec<(Form, Name)> = forms.iter().copied().zip(halves.collect::<Result<Vec<Name>>>()?).collect();
    let whole = Transposed::of(symbol, names, &halves, &resolve)?;
    let lower = |half: SymbolOp| lower_linear(&half, &resolve, spaces, links);
    let mut halves = vec![lower(whole.primal_half()?)?];
    for half in &whole.linear {
        halves.push(lower(whole.backward_half(half)?)?);
    }
    Ok((halves, whole.context))
}

/// A transposed function and what its halves are made of.
struct Transposed<'a> {
    symbol: &'a SymbolOp,
    names: Forms,
    entry: BlockId,
    end: OpId,
    /// Types of the primal inputs and cotangents. Behind them stand the reached flags of the
    /// cotangents.
    inputs: &'a [Type],
    flags: Vec<Type>,
    /// What the return gives that primal code makes.
    from_primal: &'a [ValueId],
    linear: Vec<LinearHalf<'a>>,
    /// Values that linear code reads from around it and that are kept in the context, with their
    /// types there.
    kept: Vec<(ValueId, Type)>,
    /// Those in whose types there is no scalar, such as the contexts of calls that keep nothing:
    /// one is as good as another.
    empty: Vec<(ValueId, Type)>,
    /// What is made again for linear code that reads it from around it, each after what it reads.
    remade: Vec<OpId>,
    context: Type,
}

/// The linear half of a transposed function in one form.
struct LinearHalf<'a> {
    form: Form,
    /// The function that it becomes.
    name: Name,
    /// Its `ad.linear`.
    op: OpId,
    /// What the function returns of it: cotangents, then whether they were reached.
    returned: &'a [ValueId],
}

impl<'a> Transposed<'a> {
    fn of(
        symbol: &'a SymbolOp,
        names: Forms,
        forms: &[(Form, Name)],
        resolve: &dyn Fn(Name) -> Option<Type>,
    ) -> Result<Transposed<'a>> {
        let src = &symbol.body;
        let bad = |text: &str| Diagnostic::invalid_ir(symbol.loc, text);
        let (Some(entry), Some((inputs, _))) = (src.entry(), symbol.function_type()) else {
            return Err(bad("a transposed function without code"));
        };
        let ops: Option<Vec<OpId>> = forms.iter().map(|&(form, _)| linear_code(symbol, form)).collect();
        let (Some(ops), Some(end)) = (ops.filter(|ops| !ops.is_empty()), src.terminator(entry)) else {
            return Err(bad("a transposed function without linear code"));
        };
        let cotangent_inputs = inputs.iter().filter(|&&t| is_tangent(t)).map(|&t| ad::strip_tangent(t));
        let flags = stage::result_flags(cotangent_inputs);
        let without_flags = inputs.len().wrapping_sub(flags.len());
        let (inputs, _) = inputs.split_at_checked(without_flags).ok_or_else(|| bad("no flags"))?;

        let (mut captured, remade) = captures(src, entry, &ops);
        captured.retain(|v| !src.args(entry)[inputs.len()..].contains(v));
        check_handles(symbol, entry, &captured)?;
        captured.retain(|&v| !holds_handle(src.ty(v)));
        let typed = captured.into_iter().map(|v| (v, data_type(src.ty(v), resolve)));
        let (empty, kept): (Vec<_>, Vec<_>) = typed.partition(|&(_, ty)| holds_nothing(ty));
        let context = context_type(src, &names, &kept);

        let returned = src.operands(end);
        let cotangents: Vec<Type> = returned.iter().map(|&v| src.ty(v)).filter(|&t| is_tangent(t)).collect();
        let reached = stage::flag_types(cotangents.iter().map(|&t| ad::strip_tangent(t))).len();
        let (from_primal, from_linear) = returned
            .split_at_checked(returned.len().wrapping_sub(cotangents.len() + reached))
            .ok_or_else(|| bad("no reached flags"))?;
        let each = from_linear.len() / ops.len();
        let halves = forms.iter().zip(ops).enumerate();
        let linear = halves
            .map(|(n, (&(form, name), op))| LinearHalf { form, name, op, returned: &from_linear[n * each..][..each] })
            .collect();
        Ok(Transposed { symbol, names, entry, end, inputs, flags, from_primal, linear, kept, empty, remade, context })
    }

    fn bad(&self, text: &str) -> Diagnostic {
        Diagnostic::invalid_ir(self.symbol.loc, text)
    }

    /// The arguments for the primal inputs and cotangents.
    fn args(&self) -> &'a [ValueId] {
        &self.symbol.body.args(self.entry)[..self.inputs.len()]
    }

    /// The function on data that gives the primal results and the context; calls in it are yet to
    /// be lowered.
    fn primal_half(&self) -> Result<SymbolOp> {
        let src = &self.symbol.body;
        let inputs: Vec<Type> = self.inputs.iter().filter(|t| !is_tangent(**t)).copied().collect();
        let mut result_types: Vec<Type> = self.from_primal.iter().map(|&v| src.ty(v)).collect();
        result_types.push(self.context);
        let mut primal = stage::new_func(self.names.primal, &inputs, &result_types, self.symbol.loc);
        set_made(&mut primal);
        let block = primal.body.entry().ok_or_else(|| self.bad("no entry block"))?;
        let new_args = primal.body.args(block).to_vec();
        let mut map = Cloner::new();
        for (&arg, &new) in self.args().iter().filter(|&&arg| !is_tangent(src.ty(arg))).zip(&new_args) {
            primal.body.set_hint(new, src.value(arg).hint);
            map.insert(arg, new);
        }
        let mut b = Builder::at_end(&mut primal.body, block, self.symbol.loc);
        for op in src.block_ops(self.entry) {
            if op != self.end && !self.linear.iter().any(|half| half.op == op) {
                map.clone_op(src, op, &mut b);
            }
        }
        let parts: Vec<ValueId> = self.kept.iter().map(|&(v, _)| map.get(v)).collect();
        b.loc = self.symbol.loc;
        let context = agg::Make::build(&mut b, &parts, self.context, &[]);
        let mut results: Vec<ValueId> = self.from_primal.iter().map(|&v| map.get(v)).collect();
        results.push(context);
        b.loc = src.loc(self.end);
        func::Return::build(&mut b, &results, &[]);
        Ok(primal)
    }

    /// The function that a linear half becomes; calls in it are yet to be lowered.
    fn backward_half(&self, half: &LinearHalf<'_>) -> Result<SymbolOp> {
        let src = &self.symbol.body;
        let mut bwd = self.declare_backward(half);
        let block = bwd.body.entry().ok_or_else(|| self.bad("no entry block"))?;
        let linear_block = src.region_block(half.op, 0).ok_or_else(|| self.bad("linear code without a block"))?;
        let mut map = Cloner::new();
        let cotangents = self.bind_backward_args(&mut bwd, block, &mut map);
        let mut b = Builder::at_end(&mut bwd.body, block, src.loc(half.op));
        self.read_context(&mut map, &mut b);
        for &op in &self.remade {
            map.clone_op(src, op, &mut b);
        }
        for (operand, &arg) in src.operands(half.op).iter().zip(src.args(linear_block)) {
            let cotangent = cotangents.get(operand).copied();
            map.insert(arg, cotangent.ok_or_else(|| self.bad("linear code whose operands are no inputs"))?);
        }
        let yields = src.terminator(linear_block).ok_or_else(|| self.bad("linear code without a yield"))?;
        for op in src.block_ops(linear_block) {
            if op != yields {
                map.clone_op(src, op, &mut b);
            }
        }
        // The function returns the linear op's results, in the order of the return. A flag that is
        // always the same may have become a constant.
        let mut given = Vec::new();
        for &v in half.returned {
            if let Some(k) = src.results(half.op).iter().position(|&r| r == v) {
                given.push(map.get(src.operands(yields)[k]));
                continue;
            }
            let constant = src.def_op(v).filter(|&d| src.op(d).def.is_pure() && src.operands(d).is_empty());
            let constant = constant.ok_or_else(|| self.bad("a returned tangent that the linear code does not give"))?;
            map.clone_op(src, constant, &mut b);
            given.push(map.get(v));
        }
        func::Return::build(&mut b, &given, &[]);
        Ok(bwd)
    }

    /// The backward half without code: it takes the context, resources, cotangents and their
    /// reached flags.
    fn declare_backward(&self, half: &LinearHalf<'_>) -> SymbolOp {
        let handles = self.inputs.iter().copied().filter(|&t| !is_tangent(t) && holds_handle(t));
        let cotangents = self.inputs.iter().copied().filter(|&t| is_tangent(t));
        let flags = self.flags.iter().copied();
        let inputs: Vec<Type> = std::iter::once(self.context).chain(handles).chain(cotangents).chain(flags).collect();
        let results: Vec<Type> = half.returned.iter().map(|&v| self.symbol.body.ty(v)).collect();
        let mut bwd = stage::new_func(half.name, &inputs, &results, self.symbol.loc);
        set_made(&mut bwd);
        if let Some((name, value)) = stage::form_attrs(half.form) {
            bwd.set_attr(name, value);
        }
        if let Some(gives) = stage::gives(self.symbol, half.form) {
            bwd.set_attr(stage::GIVES, gives);
        }
        bwd
    }

    /// Binds resources and flags to the backward half's arguments; the argument for each cotangent.
    fn bind_backward_args(&self, bwd: &mut SymbolOp, block: BlockId, map: &mut Cloner) -> FxHashMap<ValueId, ValueId> {
        let src = &self.symbol.body;
        let new_args = bwd.body.args(block).to_vec();
        bwd.body.set_hint(new_args[0], Some(Name::new("context")));
        let (more, new_flags) = new_args[1..].split_at(new_args.len() - 1 - self.flags.len());
        let num_handles = more.iter().filter(|&&v| !is_tangent(bwd.body.ty(v))).count();
        let (handles, cotangents) = more.split_at(num_handles);
        let mut found = FxHashMap::default();
        let args = || self.args().iter();
        for (&arg, &new) in args().filter(|&&arg| is_tangent(src.ty(arg))).zip(cotangents) {
            bwd.body.set_hint(new, src.value(arg).hint);
            found.insert(arg, new);
        }
        let is_handle = |ty: Type| !is_tangent(ty) && holds_handle(ty);
        for (&arg, &new) in args().filter(|&&arg| is_handle(src.ty(arg))).zip(handles) {
            bwd.body.set_hint(new, src.value(arg).hint);
            map.insert(arg, new);
        }
        for (&old, &new) in src.args(self.entry)[self.inputs.len()..].iter().zip(new_flags) {
            map.insert(old, new);
        }
        found
    }

    /// Reads all fields of the context, the backward half's first argument.
    fn read_context(&self, map: &mut Cloner, b: &mut Builder<'_>) {
        let context = b.body.args(b.block)[0];
        for (i, &(v, ty)) in self.kept.iter().enumerate() {
            let path = [("path", Attr::i64_array(&[i as i64]))];
            let value = agg::Extract::build(b, context, &[], ty, &path);
            b.body.set_hint(value, self.symbol.body.value(v).hint);
            map.insert(v, value);
        }
        for &(v, ty) in &self.empty {
            let value = agg::Zero::build(b, ty, &[]);
            map.insert(v, value);
        }
    }
}

/// Whether values of a type have no scalars, however many there are.
fn holds_nothing(ty: Type) -> bool {
    if let Some(s) = StructType::of(ty) {
        return s.fields().all(|f| holds_nothing(f.ty));
    }
    agg::as_tape(ty).or(agg::as_array(ty).map(|(_, elem)| elem)).is_some_and(holds_nothing)
}

/// What linear code reads from around it, in order of first use, and what is made again for it:
/// constants, and resources that are put together or chosen of what both halves are given.
fn captures(src: &Body, entry: BlockId, linears: &[OpId]) -> (Vec<ValueId>, Vec<OpId>) {
    let mut captured: Vec<ValueId> = Vec::new();
    let mut remade: Vec<OpId> = Vec::new();
    let is_remade = |op: OpId| {
        let data = src.op(op);
        let is_handle = || data.results.iter().any(|&r| holds_handle(src.ty(r)));
        data.def.is_pure() && data.regions.is_empty() && (data.operands.is_empty() || is_handle())
    };
    for op in linears.iter().flat_map(|&linear| src.walk(src.op(linear).regions[0])) {
        // A value, and whether what it is made of was looked at.
        let around = src.operands(op).iter().rev().filter(|&&v| src.def_block(v) == Some(entry));
        let mut work: Vec<(ValueId, bool)> = around.map(|&v| (v, false)).collect();
        while let Some((v, is_ready)) = work.pop() {
            match src.def_op(v).filter(|&d| is_remade(d)) {
                Some(d) if remade.contains(&d) => {}
                Some(d) if is_ready => remade.push(d),
                Some(d) => {
                    work.push((v, true));
                    work.extend(src.operands(d).iter().rev().map(|&v| (v, false)));
                }
                None if !captured.contains(&v) => captured.push(v),
                None => {}
            }
        }
    }
    (captured, remade)
}

/// Only resources among the inputs can be captured: the caller hands them to both halves.
fn check_handles(symbol: &SymbolOp, entry: BlockId, captured: &[ValueId]) -> Result<()> {
    let src = &symbol.body;
    let is_input = |v: ValueId| src.args(entry).contains(&v);
    let Some(&v) = captured.iter().find(|&&v| holds_handle(src.ty(v)) && !is_input(v)) else { return Ok(()) };
    let loc = src.def_op(v).map_or(symbol.loc, |op| src.loc(op));
    let text = "the reverse pass needs a resource that was chosen here, and cannot choose it again";
    Err(Diagnostic::error(codes::E0609, loc, text)
        .with_note("resources that come from the function's parameters or from globals can be used, and a choice among them by a value that this function computes itself: `bool second = …; if (second) b = q;`"))
}

/// The struct that holds what is kept, with fields named after the values.
fn context_type(src: &Body, names: &Forms, kept: &[(ValueId, Type)]) -> Type {
    let mut field_names: Vec<String> = Vec::new();
    for (i, &(v, _)) in kept.iter().enumerate() {
        let name = src.value(v).hint.map_or_else(|| word_for(src, v), |h| h.to_string());
        let taken = field_names.contains(&name);
        field_names.push(if taken { format!("{name}_{i}") } else { name });
    }
    let fields: Vec<(&str, Type, bool)> =
        field_names.iter().zip(kept).map(|(name, &(_, ty))| (name.as_str(), ty, false)).collect();
    StructType::get(&names.context(), true, &fields)
}

/// What a value without a name is called: after what makes it, and of what.
fn word_for(src: &Body, v: ValueId) -> String {
    if src.ty(v).is_i1() {
        return "condition".to_string();
    }
    let Some(op) = src.def_op(v) else { return "value".to_string() };
    let name = src.op(op).def.name.rsplit('.').next().unwrap_or_default();
    let word = match name {
        "select" | "if" => return "chosen".to_string(),
        "call" => return "result".to_string(),
        "for" | "while" => return "values".to_string(),
        "addf" | "addi" => "sum",
        "subf" | "subi" => "difference",
        "mulf" | "muli" => "product",
        "divf" | "divsi" | "divui" => "quotient",
        _ if src.op(op).def.name.starts_with("math.") => name,
        _ => "value",
    };
    let of = src.operands(op).iter().find_map(|&operand| src.value(operand).hint);
    of.map_or_else(|| word.to_string(), |of| format!("{of}_{word}"))
}

/// The attributes of all functions that differentiation makes.
fn set_made(symbol: &mut SymbolOp) {
    symbol.set_attr(signature::DIFFERENTIABLE, Attr::string("both"));
    symbol.set_attr(signature::VISIBILITY, Attr::string(signature::PRIVATE));
}

/// The linear code in this form of a transposed function.
fn linear_code(symbol: &SymbolOp, form: Form) -> Option<OpId> {
    let body = &symbol.body;
    let is_it = |&op: &OpId| ad::Linear::is(body, op) && stage::form_of(body, op) == form;
    body.block_ops(body.entry()?).into_iter().find(is_it)
}

/// The function with an empty `ad.linear` of each form that has none: where nothing is active, what
/// is left of it has been removed as dead.
fn with_linear_code(symbol: &SymbolOp, forms: &[Form]) -> Option<SymbolOp> {
    let missing: Vec<Form> = forms.iter().copied().filter(|&form| linear_code(symbol, form).is_none()).collect();
    if missing.is_empty() {
        return None;
    }
    let mut out = symbol.clone();
    let end = out.body.terminator(out.body.entry()?)?;
    for form in missing {
        let mut b = Builder::before(&mut out.body, end)?;
        let attrs: Vec<_> = stage::form_attrs(form).into_iter().collect();
        let linear = ad::Linear::build(&mut b, &[], &[], &attrs);
        let block = b.add_block(linear, 0, &[]);
        ad::Yield::build(&mut b.at(block), &[], &[]);
    }
    Some(out)
}

/// The forward derivative as a function on data: the linearization without tangents.
pub fn extract_forward(symbol: &SymbolOp, spaces: &Spaces, links: &Links) -> Result<SymbolOp> {
    let forms = forms_of(symbol, links)?;
    let mut out = lower_linear(symbol, &|_| None, spaces, links)?;
    out.name = forms.forward(symbol.attr(stage::GATED).is_some());
    stage::forget(&mut out);
    set_made(&mut out);
    Ok(out)
}

/// The instances whose contexts a function's code mentions.
pub fn context_keys(symbol: &SymbolOp) -> Vec<Name> {
    let body = &symbol.body;
    let calls = body.walk_all().into_iter().filter(|&op| ad::PrimalCall::is(body, op));
    calls.filter_map(|op| body.callee(op)).collect()
}
