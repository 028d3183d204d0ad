//! Differentiable pointers go through differentiated code in pairs with the pointers to their
//! derivatives.
//!
//! A function that a derivative is asked of and that takes differentiable pointers (`agg.struct`
//! with a pointer differential) is differentiated in a *paired* form: these inputs are pairs,
//! handed on as they are to what it calls, and read through their first half elsewhere. To the
//! steps that follow, a pair is a value without a derivative; the custom derivatives that the
//! pointers end in take pairs as their signature says (seeds: user guide, "Differentiable Ptr
//! types"; its reference section on `fwd_diff` and `bwd_diff`).
//!
//! A pointer type may hold others: the pair of the field is made of the fields of the pair. Arrays
//! of pointers that are filled within the function are arrays of pairs.
//!
//! Invariant: the paired form computes what the function computes. A pointer that is no copy of an
//! input, or of a part of one, has no derivative part, and to hand it on to where one is needed is
//! an error.

use super::mirror;
use crate::analysis::derivative_links::{Instance, Role, Variants};
use crate::analysis::{custom_derivatives, stage};
use caustic_dialects::ad::{self, pointer_pair};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::call_graph::{self, CallGraph};
use caustic_dialects::signature::{
    DIFFERENTIABLE, Direction, PRIMAL_SUBSTITUTE, PRIVATE, Param, Signature, VISIBILITY,
};
use caustic_dialects::{arith, func};
use caustic_ir::codes;
use caustic_ir::{Attr, Body, Builder, Diagnostic, Module, Name, OpId, Result, SymbolOp, Type, ValueDef, ValueId};
use rustc_hash::FxHashMap;

fn is_pointer(ty: Type) -> bool {
    StructType::of(ty).is_some_and(|s| s.is_pointer())
}

/// The type of a parameter in the function's derivatives, if these take it as a pair of pointers.
pub fn of_parameter(param: &Param) -> Option<Type> {
    let takes_part = param.dir == Direction::In && !param.no_diff;
    takes_part.then(|| paired_type(param.ty)).flatten()
}

/// The inputs of a function that its derivatives take as pairs.
fn pointer_inputs(symbol: &SymbolOp) -> Vec<usize> {
    let Some(s) = Signature::of(symbol) else { return Vec::new() };
    s.params.iter().filter(|p| of_parameter(p).is_some()).filter_map(|p| p.input).collect()
}

/// Whether a function gives a differentiable pointer and has a forward derivative of its own, which
/// gives the pair: nothing is made of its code.
pub fn gives_pair(symbol: &SymbolOp) -> bool {
    let results = symbol.function_type().map(|(_, results)| results);
    custom_derivatives::derivative(symbol, stage::FORWARD).is_some()
        && results.is_some_and(|r| r.first().is_some_and(|ty| is_pointer(*ty)))
}

/// Puts paired functions in the place of those that requests name, and of all that derivatives flow
/// through from there.
pub fn pair(module: &mut Module) -> Result<()> {
    let mut work: Vec<Name> = Vec::new();
    let mut asked: FxHashMap<Name, Name> = FxHashMap::default();
    let mut variants = Variants::of(module);
    for request in module.symbols() {
        let Some(of) = ad::requested(request).and_then(|n| module.get(n)) else { continue };
        if !ad::is_request(of) && !pointer_inputs(of).is_empty() {
            asked.insert(request.name, variants.name(module, Role::Paired, of.name));
            work.push(of.name);
        }
    }
    if asked.is_empty() {
        return Ok(());
    }
    make(module, variants, work)?;
    for request in module.symbols_mut() {
        if let Some(of) = asked.get(&request.name) {
            request.set_attr("of", Attr::symbol(*of));
        }
    }
    Ok(())
}

/// The function whose paired form a call in paired code becomes a call of: it takes differentiable
/// pointers, and is differentiated here.
fn takes_pairs<'m>(module: &'m Module, body: &Body, op: OpId) -> Option<&'m SymbolOp> {
    // A call with `no_diff` in front takes pointers as they are.
    let callee = call_graph::callee(body, op).filter(|_| !func::Call(op).no_diff(body))?;
    let callee = module.get(callee).filter(|f| f.attr(DIFFERENTIABLE).is_some() || custom_derivatives::any(f))?;
    (gives_pointer(body, op, callee).is_none() && !pointer_inputs(callee).is_empty()).then_some(callee)
}

/// The forward derivative that a call of `callee` becomes a call of, since it gives a pointer.
fn gives_pointer(body: &Body, op: OpId, callee: &SymbolOp) -> Option<Name> {
    let forward = custom_derivatives::derivative(callee, stage::FORWARD)?;
    body.results(op).first().is_some_and(|&r| is_pointer(body.ty(r))).then_some(forward)
}

/// The paired forms of functions, and of what these hand their pairs on to.
fn make(module: &mut Module, mut variants: Variants, functions: Vec<Name>) -> Result<()> {
    let graph = CallGraph::of_names(module, |symbol, names| {
        let body = &symbol.body;
        names.extend(symbol.symbol_attr(PRIMAL_SUBSTITUTE));
        names.extend(
            body.walk_all().into_iter().filter_map(|op| takes_pairs(module, body, op)).map(|callee| callee.name),
        );
    });
    for name in graph.pre_order_from(functions) {
        let is_made = variants.get(Role::Paired, name).is_some_and(|p| module.contains(p));
        let Some(symbol) = module.get(name).filter(|_| !is_made) else { continue };
        let paired = Pairing { module, variants: &mut variants }.function(symbol)?;
        module.put(paired);
    }
    variants.store(module);
    Ok(())
}

/// The paired form of a function, for a caller that has the pairs at hand; the function itself if
/// it takes no differentiable pointers.
pub fn paired(module: &mut Module, function: Name) -> Result<Name> {
    if module.get(function).is_none_or(|f| pointer_inputs(f).is_empty()) {
        return Ok(function);
    }
    let mut variants = Variants::of(module);
    let paired = variants.name(module, Role::Paired, function);
    make(module, variants, vec![function])?;
    Ok(paired)
}

struct Pairing<'m> {
    module: &'m Module,
    variants: &'m mut Variants,
}

impl Pairing<'_> {
    /// The symbol of a function's paired form, whether or not it is made.
    fn paired(&mut self, function: Name) -> Name {
        self.variants.name(self.module, Role::Paired, function)
    }

    fn function(mut self, symbol: &SymbolOp) -> Result<SymbolOp> {
        let mut out = symbol.clone();
        out.name = self.paired(symbol.name);
        out.set_attr(VISIBILITY, Attr::string(PRIVATE));
        for entry in ["entry", "sym_name"] {
            out.remove_attr(entry);
        }
        if let Some(substitute) = symbol.symbol_attr(PRIMAL_SUBSTITUTE) {
            out.set_attr(PRIMAL_SUBSTITUTE, Attr::symbol(self.paired(substitute)));
        }
        let inputs = pointer_inputs(symbol);
        let (Some((types, results)), Some(entry)) = (symbol.function_type(), symbol.body.entry()) else {
            return Err(Diagnostic::invalid_ir(symbol.loc, "a function without code"));
        };
        let mut types = types.to_vec();
        for &i in &inputs {
            let arg = out.body.args(entry)[i];
            if let Some(pair) = pointer_pair(types[i]) {
                types[i] = pair;
                out.body.set_type(arg, pair);
            }
        }
        out.set_attr("function_type", Attr::ty(Type::function(&types, results)));
        self.carried(&mut out);
        for op in out.body.walk_all() {
            self.op(&mut out, op)?;
        }
        Ok(out)
    }

    /// Pointers that control flow hands on are pairs as well.
    fn carried(&self, out: &mut SymbolOp) {
        for index in 0..out.body.num_values() {
            let value = ValueId(index as u32);
            let hands_on = match out.body.def(value) {
                ValueDef::Result { op, .. } => !out.body.op(op).regions.is_empty() || arith::Select::is(&out.body, op),
                ValueDef::Arg { block, .. } => out.body.entry() != Some(block),
            };
            if hands_on && let Some(pair) = paired_type(out.body.ty(value)) {
                out.body.set_type(value, pair);
            }
        }
    }

    /// Parts of pairs and of arrays of pairs; whether the op is settled.
    fn moved(&self, out: &mut SymbolOp, op: OpId) -> Result<bool> {
        let body = &out.body;
        let operands = body.operands(op).to_vec();
        let Some(&result) = body.results(op).first() else { return Ok(false) };
        let paired = |body: &Body, v: &ValueId| is_paired(body.ty(*v));
        if agg::Zero::is(body, op) {
            // A pointer without a value yet.
            if let Some(ty) = paired_type(body.ty(result)).filter(|_| !is_assembled(body, result)) {
                out.body.set_type(result, ty);
            }
            return Ok(true);
        }
        if agg::Make::is(body, op) && agg::as_array(body.ty(result)).is_some() {
            let Some(ty) = paired_type(body.ty(result)) else { return Ok(false) };
            match operands.iter().filter(|v| paired(body, v)).count() {
                0 => {}
                n if n == operands.len() => out.body.set_type(result, ty),
                _ => return Err(no_derivative_part(out, op)),
            }
            return Ok(true);
        }
        let path = mirror::path_of(body, op);
        if agg::Insert::is(body, op) && operands.get(1).is_some_and(|v| paired(body, v)) {
            let whole = body.ty(operands[1]);
            let inside = agg::type_at_path(whole, &path).is_some_and(|t| t == body.ty(operands[0]));
            if !inside || is_pointer_pair(whole) {
                return Err(no_derivative_part(out, op));
            }
            out.body.set_type(result, whole);
            return Ok(true);
        }
        if !agg::Extract::is(body, op) || !operands.first().is_some_and(|v| paired(body, v)) {
            return Ok(false);
        }
        // Down to the pair; what is left of the path leads into its halves.
        let mut ty = body.ty(operands[0]);
        let mut steps = 0;
        while !is_pointer_pair(ty) && steps < path.len() {
            let Some(part) = agg::part_type(ty, path[steps].max(0)) else { return Ok(false) };
            (ty, steps) = (part, steps + 1);
        }
        if steps == path.len() {
            out.body.set_type(result, ty);
            return Ok(true);
        }
        let half = |which: i64| {
            let mut all = path[..steps].to_vec();
            all.push(which);
            all.extend(&path[steps..]);
            all
        };
        let wanted = pointer_pair(body.ty(result)).filter(|_| is_pointer(body.ty(result)));
        let of_pair = |path: &[i64]| agg::type_at_path(body.ty(operands[0]), path);
        let (first, second) = (half(0), half(1));
        let parts = of_pair(&first).zip(of_pair(&second));
        let fits = wanted.filter(|pair| {
            StructType::of(*pair).map(|s| s.fields().map(|f| f.ty).collect()) == parts.map(|(a, b)| vec![a, b])
        });
        let Some(pair) = fits else {
            out.body.set_attr(op, "path", Attr::i64_array(&first));
            return Ok(true);
        };
        let Some(mut b) = Builder::before(&mut out.body, op) else { return Ok(false) };
        let Some((p, d)) = parts else { return Ok(false) };
        let at = |b: &mut Builder<'_>, ty: Type, path: &[i64]| {
            agg::Extract::build(b, operands[0], &operands[1..], ty, &[("path", Attr::i64_array(path))])
        };
        let halves = [at(&mut b, p, &first), at(&mut b, d, &second)];
        let value = agg::Make::build(&mut b, &halves, pair, &[]);
        out.body.replace_uses(result, value);
        out.body.erase_op(op);
        Ok(true)
    }

    fn op(&mut self, out: &mut SymbolOp, op: OpId) -> Result<()> {
        if self.moved(out, op)? {
            return Ok(());
        }
        let operands = out.body.operands(op).to_vec();
        let is_pair = |out: &SymbolOp, v: ValueId| is_paired(out.body.ty(v));
        if !operands.iter().any(|&v| is_pair(out, v) || paired_type(out.body.ty(v)).is_some()) {
            return Ok(());
        }
        let hands_on = !out.body.op(op).regions.is_empty()
            || out.body.op(op).def.is_terminator()
            || arith::Select::is(&out.body, op);
        let called = call_graph::callee(&out.body, op).filter(|_| !func::Call(op).no_diff(&out.body));
        let called = called.and_then(|n| self.module.get(n));
        if let Some(forward) = called.and_then(|f| gives_pointer(&out.body, op, f)) {
            return self.moved_forward(out, op, forward);
        }
        let callee = takes_pairs(self.module, &out.body, op);
        let wanted: Vec<usize> = match callee {
            Some(callee) => pointer_inputs(callee),
            None if hands_on => (0..operands.len()).collect(),
            None => Vec::new(),
        };
        for (i, &v) in operands.iter().enumerate() {
            match (is_pair(out, v), wanted.contains(&i)) {
                // Arrays of pairs are known to this function alone.
                (true, false) if !is_pointer_pair(out.body.ty(v)) => return Err(no_derivative_part(out, op)),
                (true, false) => {
                    let Some(mut b) = Builder::before(&mut out.body, op) else { continue };
                    let Some(primal) = StructType::of(b.ty(v)).and_then(|s| s.field(0)) else { continue };
                    let path = [("path", Attr::i64_array(&[0]))];
                    let half = agg::Extract::build(&mut b, v, &[], primal.ty, &path);
                    out.body.set_operand(op, i, half);
                }
                (false, true) if paired_type(out.body.ty(v)).is_some() => return Err(no_derivative_part(out, op)),
                _ => {}
            }
        }
        if let Some(f) = callee {
            out.body.set_attr(op, "callee", Attr::symbol(self.paired(f.name)));
        }
        Ok(())
    }
}

impl Pairing<'_> {
    /// The call of a function that gives a pointer: its forward derivative gives the pair, also
    /// where the derivative goes backward.
    fn moved_forward(&self, out: &mut SymbolOp, op: OpId, forward: Name) -> Result<()> {
        let types = self
            .module
            .get(forward)
            .and_then(|f| f.function_type().map(|(inputs, results)| (inputs.to_vec(), results.to_vec())));
        let Some((inputs, results)) = types else {
            return Err(Diagnostic::internal(out.body.loc(op), "a forward derivative that does not exist"));
        };
        let operands = out.body.operands(op).to_vec();
        let found = out.body.results(op).to_vec();
        let fits = operands.len() == inputs.len() && operands.iter().zip(&inputs).all(|(v, ty)| out.body.ty(*v) == *ty);
        let (Some(&pair), true, 1) = (results.first(), fits, found.len()) else {
            return Err(no_derivative_part(out, op));
        };
        out.body.set_attr(op, "callee", Attr::symbol(forward));
        out.body.set_type(found[0], pair);
        Ok(())
    }
}

/// The error of a call of a function with a custom derivative from code that is not paired: the
/// pointers that it hands on have come in a struct or an array, or without a derivative.
pub fn check_call(module: &Module, caller: &SymbolOp, op: OpId, callee: &Instance) -> Option<Diagnostic> {
    let takes_pointers = module.get(callee.func).is_some_and(|f| !pointer_inputs(f).is_empty());
    takes_pointers.then(|| no_derivative_part(caller, op))
}

/// A pointer with the one to its derivative.
pub fn is_pointer_pair(ty: Type) -> bool {
    let primal = StructType::of(ty).and_then(|s| s.field(0));
    primal.is_some_and(|p| pointer_pair(p.ty) == Some(ty))
}

/// A pair, or an array of pairs.
fn is_paired(ty: Type) -> bool {
    is_pointer_pair(ty) || agg::as_array(ty).is_some_and(|(_, elem)| is_paired(elem))
}

/// What a pointer, or an array of pointers, is in a paired form.
fn paired_type(ty: Type) -> Option<Type> {
    match agg::as_array(ty) {
        Some((len, elem)) => Some(agg::array_type(len, paired_type(elem)?)),
        None => pointer_pair(ty).filter(|_| is_pointer(ty)),
    }
}

/// Whether fields are written to the pointer that begins as this value: it is made here then.
fn is_assembled(body: &Body, value: ValueId) -> bool {
    body.uses(value).iter().any(|u| {
        let whole = agg::Insert::is(body, u.op) && u.index == 1;
        whole && agg::type_at_path(body.ty(value), &mirror::path_of(body, u.op)).is_some_and(|t| !is_pointer(t))
    })
}

fn no_derivative_part(out: &SymbolOp, op: OpId) -> Diagnostic {
    Diagnostic::error(codes::E0608, out.body.loc(op), "this differentiable pointer has no derivative part")
        .with_label("its derivative is needed here")
        .with_note("only parameters of a differentiable pointer type, their fields and copies of these have one, not what comes in other structs or in arrays, or is put together here; pass the pointer itself, or write `no_diff` in front of the call if it shall have none")
}
