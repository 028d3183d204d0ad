//! Backward derivatives of functions that are given a forward derivative alone.
//!
//! The given function computes J t for tangents t and is linear in them (`linearity`). So its own
//! reverse derivative with respect to t, at t = 0, with the cotangent w, is Jᵀ w. Of `f` with the
//! forward derivative `g` there become: `f.tangent`, the code of `g` from values and tangents to
//! tangents; a request for its backward derivative with respect to the tangents alone; and
//! `f.transposed`, which calls that and has the signature of a backward derivative of `f`. It is
//! then named as the one given. All three are ordinary entities, so that higher derivatives need
//! nothing new.
//!
//! Invariant: only what a reverse derivative is asked of, directly or through calls, gets one.

use super::linearity::{self, Broken};
use crate::analysis::custom_derivatives::any;
use crate::analysis::stage;
use crate::autodiff::boundary::{call, derivative_symbol, made_pair, make_pair, part};
use crate::autodiff::{pairs, space::Spaces};
use crate::optimize::canonicalize;
use caustic_dialects::call_graph::{CallGraph, callees};
use caustic_dialects::signature::{
    BACKWARD_DERIVATIVE, CUSTOM, DIFFERENTIABLE, Direction, FORWARD_DERIVATIVE, PRIMAL_SUBSTITUTE, PRIVATE, Signature,
    VISIBILITY,
};
use caustic_dialects::{ad, func};
use caustic_ir::{Attr, Builder, Cloner, Module, Name, Result, SymbolOp, Type, ValueId};

/// On a request: 0 or 1 for each input of the function, those with respect to which the derivative
/// is wanted.
pub const WRT: &str = "wrt";

/// On a backward derivative made here: the given forward one.
pub const TRANSPOSE_OF: &str = "ad.transpose_of";

/// The custom forward derivative of a function without any other derivative.
fn only_forward<'m>(module: &'m Module, symbol: &SymbolOp) -> Option<&'m SymbolOp> {
    let only = any(symbol)
        && symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str()) == Some(CUSTOM)
        && symbol.attr(BACKWARD_DERIVATIVE).is_none()
        && symbol.attr(PRIMAL_SUBSTITUTE).is_none();
    symbol.symbol_attr(FORWARD_DERIVATIVE).filter(|_| only).and_then(|n| module.get(n))
}

/// Whether a backward derivative can be made of the given forward one.
pub fn is_possible(module: &Module, symbol: &SymbolOp) -> bool {
    only_forward(module, symbol).is_some_and(|given| linearity::prove(module, symbol, given).is_ok())
}

/// Why there is none, if the function is given a forward derivative alone.
pub fn hindrance(module: &Module, symbol: &SymbolOp) -> Option<Broken> {
    linearity::prove(module, symbol, only_forward(module, symbol)?).err()
}

/// The functions that a reverse derivative is asked of, directly or through calls.
fn wanted(module: &Module) -> Vec<Name> {
    let reverse = module.symbols().iter().filter(|s| !ad::asks_forward(s));
    let graph = CallGraph::of_names(module, |symbol, names| {
        // A request of a request: what the inner one is made of is differentiated too.
        names.extend(ad::requested(symbol));
        let linked = [PRIMAL_SUBSTITUTE, BACKWARD_DERIVATIVE, FORWARD_DERIVATIVE];
        names.extend(linked.iter().filter_map(|a| symbol.symbol_attr(a)));
        names.extend(callees(symbol));
    });
    graph.pre_order_from(reverse.filter_map(ad::requested))
}

/// Gives a backward derivative to each function that needs one and is given a forward one that is
/// linear.
pub fn make(module: &mut Module) -> Result<()> {
    if !module.symbols().iter().any(|s| only_forward(module, s).is_some()) {
        return Ok(());
    }
    let spaces = Spaces::of(module);
    for name in wanted(module) {
        let Some(primal) = module.get(name) else { continue };
        let Some(given) = only_forward(module, primal) else { continue };
        if linearity::prove(module, primal, given).is_err() {
            continue;
        }
        let Some(made) = transpose(module, primal, given, &spaces) else { continue };
        let backward = made[2].name;
        for mut symbol in made {
            if symbol.body.entry().is_some() {
                canonicalize::run(&mut symbol)?;
            }
            module.put(symbol);
        }
        for symbol in module.symbols_mut().iter_mut().filter(|s| s.name == name) {
            symbol.set_attr(BACKWARD_DERIVATIVE, Attr::symbol(backward));
        }
    }
    Ok(())
}

/// `f.tangent`, the request for its derivative, and `f.transposed`.
fn transpose(module: &Module, primal: &SymbolOp, given: &SymbolOp, spaces: &Spaces) -> Option<[SymbolOp; 3]> {
    let signature = Signature::of(primal)?;
    let s = &signature;
    let with_tangent: Vec<usize> = (0..s.inputs.len()).filter(|&i| s.input_differential(i).is_some()).collect();
    let mut inputs = s.inputs.clone();
    inputs.extend(with_tangent.iter().filter_map(|&i| s.input_differential(i)));
    let fresh = |suffix: &str| module.fresh_name(&format!("{}.{suffix}", primal.name));
    let function = Given { primal, given, signature: s, with_tangent, inputs };

    let tangent = function.tangent(fresh("tangent"))?;
    let mut request = derivative_symbol(&tangent, false)?;
    pairs::lower(&mut request);
    let wrt: Vec<bool> = (0..function.inputs.len()).map(|i| i >= s.inputs.len()).collect();
    request.set_attr(WRT, stage::mask_attr(&wrt));
    let backward = function.backward(fresh("transposed"), &request, spaces)?;
    Some([tangent, request, backward])
}

/// A function whose forward derivative is transposed.
struct Given<'a> {
    primal: &'a SymbolOp,
    /// The forward derivative.
    given: &'a SymbolOp,
    /// The signature of the function.
    signature: &'a Signature,
    /// Its inputs that have a tangent, by number.
    with_tangent: Vec<usize>,
    /// The types of its inputs, then those of the tangents: what `f.tangent` takes.
    inputs: Vec<Type>,
}

/// What `f.transposed` takes: the values of the inputs, and the cotangent of each result that has a
/// derivative.
struct BackwardArgs {
    values: Vec<ValueId>,
    cotangents: Vec<Option<ValueId>>,
}

impl Given<'_> {
    /// `f.tangent`: the forward derivative with tangents beside the values, and only the tangents
    /// of the results.
    fn tangent(&self, name: Name) -> Option<SymbolOp> {
        let (s, given) = (self.signature, self.given);
        let (taken, returned) = given.function_type()?;
        let results: Vec<_> = (0..s.results.len()).filter_map(|i| s.result_differential(i)).collect();
        let mut tangent = stage::new_func(name, &self.inputs, &results, given.loc);
        tangent.set_attr(DIFFERENTIABLE, Attr::string("both"));
        tangent.set_attr(VISIBILITY, Attr::string(PRIVATE));
        let block = tangent.body.entry()?;
        let args = tangent.body.args(block).to_vec();
        let mut b = Builder::at_end(&mut tangent.body, block, given.loc);
        let mut cloner = Cloner::new();
        let mut tangents = args[s.inputs.len()..].iter();
        let entry = given.body.entry()?;
        for (i, &arg) in given.body.args(entry).iter().enumerate() {
            let value = if self.with_tangent.contains(&i) {
                made_pair(&mut b, args[i], *tangents.next()?, s.inputs[i])?
            } else {
                args[i]
            };
            if b.ty(value) != *taken.get(i)? {
                return None;
            }
            cloner.insert(arg, value);
        }
        cloner.clone_block_ops(&given.body, entry, &mut b);
        let end = tangent.body.terminator(block)?;
        let values = tangent.body.operands(end).to_vec();
        if values.len() != returned.len() || values.len() != s.results.len() {
            return None;
        }
        let mut b = Builder::before(&mut tangent.body, end)?;
        let with_derivative = (0..values.len()).filter(|&i| s.result_differential(i).is_some());
        let derivatives: Vec<_> = with_derivative.map(|i| part(&mut b, values[i], 1)).collect();
        tangent.body.set_operands(end, &derivatives);
        Some(tangent)
    }

    /// `f.transposed`, with the signature of a backward derivative: calls the derivative of
    /// `f.tangent`, which `request` asks for.
    fn backward(&self, name: Name, request: &SymbolOp, spaces: &Spaces) -> Option<SymbolOp> {
        let (s, given) = (self.signature, self.given);
        let mut backward = self.declare_backward(name)?;
        let block = backward.body.entry()?;
        let args = backward.body.args(block).to_vec();
        let mut b = Builder::at_end(&mut backward.body, block, given.loc);
        let BackwardArgs { values, cotangents } = self.backward_args(&args, &mut b)?;
        // Values and tangents that have a derivative go in as pairs of themselves and zero.
        let mut operands = Vec::new();
        let mut places = Vec::new();
        for (i, &ty) in self.inputs.iter().enumerate() {
            let tangent_of = i.checked_sub(s.inputs.len());
            let value = match tangent_of {
                Some(_) => spaces.zero(&mut b, ty),
                None => values[i],
            };
            let Some(d) = ad::differential_type(ty) else {
                operands.push(value);
                continue;
            };
            if let Some(k) = tangent_of {
                places.push((self.with_tangent[k], operands_with_pairs(&self.inputs, i)));
            }
            let zero = spaces.zero(&mut b, d);
            operands.push(make_pair(&mut b, value, zero, ty)?);
        }
        operands.extend(cotangents.iter().flatten());
        let (_, types) = request.function_type()?;
        let found = call(&mut b, request.name, &operands, types);
        let mut out = Vec::new();
        for p in &s.params {
            let (Some(input), Some(_)) = (p.input, p.differential()) else { continue };
            let (_, place) = places.iter().find(|(of, _)| *of == input)?;
            let cotangent = part(&mut b, *found.get(*place)?, 1);
            out.push(made_pair(&mut b, values[input], cotangent, p.ty)?);
        }
        func::Return::build(&mut b, &out, &[]);
        Some(backward)
    }

    fn declare_backward(&self, name: Name) -> Option<SymbolOp> {
        let mut shape = derivative_symbol(self.primal, false)?;
        pairs::lower(&mut shape);
        let (from, to) = shape.function_type()?;
        let mut backward = stage::new_func(name, from, to, self.given.loc);
        backward.set_attr(VISIBILITY, Attr::string(PRIVATE));
        backward.set_attr(TRANSPOSE_OF, Attr::symbol(self.given.name));
        // Its own derivative is right only if that of the forward derivative is.
        if let Some(how) = self.given.attr(DIFFERENTIABLE) {
            backward.set_attr(DIFFERENTIABLE, how);
        }
        if let Some(params) = shape.attr(caustic_dialects::signature::PARAMS) {
            backward.set_attr(caustic_dialects::signature::PARAMS, params);
        }
        Some(backward)
    }

    /// Takes the arguments of a backward derivative apart.
    fn backward_args(&self, args: &[ValueId], b: &mut Builder<'_>) -> Option<BackwardArgs> {
        let s = self.signature;
        let mut next = args.iter().copied();
        let mut values = Vec::new();
        let mut cotangents = vec![None; s.results.len()];
        for p in &s.params {
            match (p.dir, p.differential()) {
                (Direction::Out, None) => {}
                (Direction::Out, Some(_)) => cotangents[p.result?] = Some(next.next()?),
                (_, None) => values.push(next.next()?),
                (dir, Some(_)) => {
                    let pair = next.next()?;
                    values.push(part(b, pair, 0));
                    if dir == Direction::InOut {
                        cotangents[p.result?] = Some(part(b, pair, 1));
                    }
                }
            }
        }
        for (i, slot) in cotangents.iter_mut().enumerate().take(s.num_returned) {
            if s.result_differential(i).is_some() {
                *slot = Some(next.next()?);
            }
        }
        Some(BackwardArgs { values, cotangents })
    }
}

/// Which of the pairs that a backward derivative gives back is that of input `index`.
fn operands_with_pairs(inputs: &[Type], index: usize) -> usize {
    inputs[..index].iter().filter(|&&t| ad::differential_type(t).is_some()).count()
}
