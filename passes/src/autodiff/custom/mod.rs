//! Derivatives that the programmer gives: the halves of an instance made from the named function
//! instead of by the steps.
//!
//! The forward derivative, or the primal and the backward half, are the interface through which
//! callers see an instance (`stage`); here they call what is named by `forward_derivative` or
//! `backward_derivative`. A custom backward derivative is handed the function's inputs by its
//! caller; its context holds nothing but the flags of results, which cotangents have, too. The
//! function itself is still called for its primal result, so what it does besides happens once.
//! Where a forward derivative alone is given, the backward one is its transpose (`transposed`).

use caustic_ir::codes;
mod linearity;
pub mod transposed;

use crate::analysis::custom_derivatives::{CUSTOM_CALL, any, derivative, leading_to};
use crate::analysis::derivative_links::{Forms, Instance};
use crate::analysis::stage;
use crate::autodiff::boundary::{call, kept_for_flags, made_pair, make_pair, part};
use crate::autodiff::space::Spaces;
use crate::mutants::{Site, mutant};
use caustic_dialects::agg::{self, StructType};
use caustic_dialects::signature::{CUSTOM, DIFFERENTIABLE, Direction, PRIVATE, Signature, VISIBILITY, ZERO};
use caustic_dialects::{ad, arith, func};
use caustic_ir::{Attr, Builder, Diagnostic, Loc, Module, Name, Result, SymbolOp, Type, ValueId};
use rustc_hash::FxHashSet;

/// The functions that have no derivative in this mode, because one that they lead to is only given
/// one in the other mode. They can be differentiated in the other mode all the same.
pub fn lacking(module: &Module, mode: &str) -> FxHashSet<Name> {
    let differentiable = |s: &SymbolOp| s.attr(DIFFERENTIABLE).and_then(|a| a.as_str());
    let lacks = |s: &&SymbolOp| match differentiable(s) {
        Some(CUSTOM) => {
            let transposed = mode == stage::REVERSE && transposed::is_possible(module, s);
            any(s) && derivative(s, mode).is_none() && !transposed
        }
        Some("forward") => mode == stage::REVERSE,
        _ => false,
    };
    let found = module.symbols().iter().filter(lacks).map(|s| s.name).collect();
    let passes_on = |s: &SymbolOp| derivative(s, mode).is_none() && differentiable(s) != Some(ZERO);
    leading_to(module, found, passes_on)
}

/// The error for a derivative that is asked for in a mode in which neither the code nor the
/// programmer gives one.
pub fn missing(module: &Module, symbol: &SymbolOp, mode: &str) -> Diagnostic {
    let (this, other, attribute) = match mode {
        stage::FORWARD => ("forward", "backward", "[ForwardDerivative]"),
        _ => ("backward", "forward", "[BackwardDerivative]"),
    };
    let text = format!("'{}' has no {this} derivative, and one is needed here", symbol.name);
    let found = Diagnostic::error(codes::E0606, symbol.loc, text)
        .with_label(format!("only a {other} derivative is given"))
        .with_note(format!(
            "give it one with `{attribute}`, or mark it `[Differentiable]` to have it made from its code"
        ));
    let found = match call_of(module, symbol.name) {
        Some((caller, loc)) => {
            found.with_label_at(loc, format!("'{caller}' is differentiated, and calls '{}' here", symbol.name))
        }
        None => found,
    };
    match transposed::hindrance(module, symbol).filter(|_| mode == stage::REVERSE) {
        Some(broken) => {
            found.with_label_at(broken.loc, format!("the forward derivative cannot be transposed: {}", broken.why))
        }
        None => found,
    }
}

/// A call by which a derivative of this function is needed: one in a function whose derivative is
/// made from its code.
fn call_of(module: &Module, callee: Name) -> Option<(Name, Loc)> {
    let is_made = |s: &&SymbolOp| {
        let how = s.attr(DIFFERENTIABLE).and_then(|a| a.as_str());
        how.is_some_and(|how| ![CUSTOM, ZERO].contains(&how)) && s.attr(stage::STAGE).is_none()
    };
    module.symbols().iter().filter(is_made).find_map(|s| {
        let call = s.body.all_ops().find(|&op| func::Call::is(&s.body, op) && s.body.callee(op) == Some(callee))?;
        Some((s.name, s.body.loc(call)))
    })
}

/// The functions of an instance in one mode.
pub fn functions(
    module: &Module,
    symbol: &SymbolOp,
    signature: &Signature,
    instance: &Instance,
    forms: Forms,
    active_results: &[bool],
    mode: &str,
    spaces: &Spaces,
) -> Result<Vec<SymbolOp>> {
    let target = derivative(symbol, mode);
    let Some(given) = target.and_then(|n| module.get(n)) else {
        return Err(missing(module, symbol, mode));
    };
    let bad = || {
        let text = format!("'{}' does not have the signature of a derivative of '{}'", given.name, symbol.name);
        Diagnostic::invalid_ir(given.loc, text)
    };
    let make = Make { symbol, given, signature, instance, active_results, forms, spaces };
    if mode == stage::FORWARD { Ok(vec![make.forward().ok_or_else(bad)?]) } else { make.reverse().ok_or_else(bad) }
}

struct Make<'a> {
    symbol: &'a SymbolOp,
    given: &'a SymbolOp,
    signature: &'a Signature,
    instance: &'a Instance,
    active_results: &'a [bool],
    forms: Forms,
    spaces: &'a Spaces,
}

impl Make<'_> {
    fn func(&self, name: Name, inputs: &[Type], results: &[Type]) -> SymbolOp {
        let mut out = stage::new_func(name, inputs, results, self.symbol.loc.derived(Name::new("derivative")));
        out.set_attr(DIFFERENTIABLE, Attr::string("both"));
        out.set_attr(VISIBILITY, Attr::string(PRIVATE));
        out.set_attr(stage::CUSTOM, Attr::unit());
        out
    }

    fn call_given(&self, b: &mut Builder<'_>, operands: &[ValueId]) -> Option<Vec<ValueId>> {
        let (inputs, results) = self.given.function_type()?;
        let fits = inputs.len() == operands.len() && operands.iter().zip(inputs).all(|(&v, &t)| b.ty(v) == t);
        if !fits {
            return None;
        }
        let attrs = [("callee", Attr::symbol(self.given.name)), (CUSTOM_CALL, Attr::unit())];
        let op = func::Call::build(b, operands, results, &attrs);
        Some(b.body.results(op).to_vec())
    }

    /// The differentials of the active ones of some values.
    fn active_types(&self, mask: &[bool], differential: impl Fn(usize) -> Option<Type>) -> Vec<Type> {
        (0..mask.len()).filter(|&i| mask[i]).filter_map(differential).collect()
    }

    fn forward(&self) -> Option<SymbolOp> {
        let s = self.signature;
        let mut inputs = s.inputs.clone();
        inputs.extend(self.active_types(&self.instance.active, |i| s.input_differential(i)));
        let mut results = s.results.clone();
        results.extend(self.active_types(self.active_results, |i| s.result_differential(i)));
        let mut out = self.func(self.forms.fwd, &inputs, &results);
        let block = out.body.entry()?;
        let args = out.body.args(block).to_vec();
        let mut b = Builder::at_end(&mut out.body, block, self.symbol.loc);
        let mut tangents = args[s.inputs.len()..].iter().copied();
        let mut operands = Vec::new();
        for (i, &primal) in args[..s.inputs.len()].iter().enumerate() {
            operands.push(match s.input_differential(i) {
                None => primal,
                Some(d) => {
                    let tangent = if self.is_moved(i) { tangents.next()? } else { self.spaces.zero(&mut b, d) };
                    made_pair(&mut b, primal, tangent, s.inputs[i])?
                }
            });
        }
        let values = self.call_given(&mut b, &operands)?;
        let mut returned = Vec::new();
        let mut differentials = Vec::new();
        for (i, &v) in values.iter().enumerate() {
            if s.result_differential(i).is_none() {
                returned.push(v);
                continue;
            }
            returned.push(part(&mut b, v, 0));
            if self.active_results.get(i) == Some(&true) {
                differentials.push(part(&mut b, v, 1));
            }
        }
        returned.extend(differentials);
        func::Return::build(&mut b, &returned, &[]);
        Some(out)
    }

    /// Whether an input comes with a tangent.
    #[mutant(Site::GivenForward => false)]
    fn is_moved(&self, input: usize) -> bool {
        self.instance.active[input]
    }

    /// Whether a result's cotangent comes in.
    #[mutant(Site::GivenIgnored => false)]
    fn has_cotangent(&self, result: usize) -> bool {
        self.active_results[result]
    }

    /// A differential that is zero and has the flags of the result.
    #[mutant(Site::GivenFlags => Some(self.spaces.zero(b, of)))]
    fn zero_with_flags(&self, b: &mut Builder<'_>, of: Type, returned: ValueId, result: usize) -> Option<ValueId> {
        let zero = self.spaces.zero(b, of);
        Some(ad::with_presence(b, zero, returned, self.signature.results[result]))
    }

    fn reverse(&self) -> Option<Vec<SymbolOp>> {
        let s = self.signature;
        let kept = kept_for_flags(s, self.active_results);
        let names: Vec<String> = kept.iter().map(|i| format!("r{i}")).collect();
        let types: Option<Vec<Type>> = kept.iter().map(|&i| s.result_differential(i)).collect();
        let fields: Vec<(&str, Type, bool)> =
            names.iter().zip(types?).map(|(name, ty)| (name.as_str(), ty, true)).collect();
        let context = StructType::get(&self.forms.context(), true, &fields);

        let mut results = s.results.clone();
        results.push(context);
        let mut primal = self.func(self.forms.primal, &s.inputs, &results);
        let block = primal.body.entry()?;
        let args = primal.body.args(block).to_vec();
        let mut b = Builder::at_end(&mut primal.body, block, self.symbol.loc);
        let mut returned = call(&mut b, self.symbol.name, &args, &s.results);
        let held: Option<Vec<ValueId>> =
            kept.iter().map(|&i| self.zero_with_flags(&mut b, s.result_differential(i)?, returned[i], i)).collect();
        let held = held?;
        returned.push(agg::Make::build(&mut b, &held, context, &[]));
        func::Return::build(&mut b, &returned, &[]);

        let mut inputs = vec![context];
        inputs.extend(&s.inputs);
        let cotangents = self.active_types(self.active_results, |i| s.result_differential(i));
        inputs.extend(&cotangents);
        inputs.extend(stage::result_flags(cotangents));
        let mut results = self.active_types(&self.instance.active, |i| s.input_differential(i));
        // What the programmer computes is computed: all of it counts as reached.
        let flags = stage::flag_types(results.clone());
        results.extend(&flags);
        let mut bwd = self.func(self.forms.bwd, &inputs, &results);
        let block = bwd.body.entry()?;
        let args = bwd.body.args(block).to_vec();
        let mut b = Builder::at_end(&mut bwd.body, block, self.symbol.loc);
        let read = |input: usize| args.get(1 + input).copied();
        let mut cotangents = args[1 + s.inputs.len()..].iter().copied();
        let mut by_result: Vec<Option<ValueId>> = Vec::new();
        for i in 0..s.results.len() {
            by_result.push(match s.result_differential(i) {
                Some(d) if self.has_cotangent(i) => {
                    let cotangent = cotangents.next()?;
                    Some(match kept.iter().position(|&k| k == i) {
                        Some(k) => {
                            let flags = part(&mut b, args[0], k as i64);
                            ad::with_presence(&mut b, cotangent, flags, d)
                        }
                        None => cotangent,
                    })
                }
                Some(d) => Some(self.spaces.zero(&mut b, d)),
                None => None,
            });
        }
        let mut operands = Vec::new();
        // Which input each result of the given function belongs to.
        let mut written = Vec::new();
        for p in &s.params {
            match (p.dir, p.differential()) {
                (Direction::Out, None) => {}
                (Direction::Out, Some(_)) => operands.push(by_result[p.result?]?),
                (_, None) => operands.push(read(p.input?)?),
                (dir, Some(d)) => {
                    let value = read(p.input?)?;
                    operands.push(match dir {
                        // The flags are those of what the function leaves in the parameter.
                        Direction::InOut => make_pair(&mut b, value, by_result[p.result?]?, p.ty)?,
                        _ => {
                            let zero = self.spaces.zero(&mut b, d);
                            made_pair(&mut b, value, zero, p.ty)?
                        }
                    });
                    written.push(p.input?);
                }
            }
        }
        operands.extend(by_result.iter().take(s.num_returned).copied().flatten());
        let values = self.call_given(&mut b, &operands)?;
        let mut returned = Vec::new();
        for (i, &active) in self.instance.active.iter().enumerate() {
            if active {
                let at = written.iter().position(|&w| w == i)?;
                returned.push(part(&mut b, *values.get(at)?, 1));
            }
        }
        let reached = arith::bool(&mut b, true);
        returned.extend(vec![reached; flags.len()]);
        func::Return::build(&mut b, &returned, &[]);
        Some(vec![primal, bwd])
    }
}
