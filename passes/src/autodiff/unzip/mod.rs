//! Step 3, unzip: primal code first, then linear code, with the residuals between them made
//! explicit.
//!
//! Input: a linearized function. Output: a function whose body is primal code, then one `ad.linear`
//! op that holds all tangent code (seeds: paper 5.2.2). What tangent code reads of primal values
//! that are out of its reach becomes a *residual*: an extra result of the if or loop that computes
//! it; of a loop, one value for each iteration, in an array where the trip count is a constant and
//! in a tape where it is not. Nested loops nest their arrays, so a residual is found by the whole
//! tuple of iteration numbers.
//!
//! Values marked `ad.recompute` by the step before (and constants) are not stored but computed
//! again in the linear code, from what is. A branch, a loop or a call with the mark is *replayed*:
//! the primal half runs it plainly, and the linear half runs it once more where it is needed, this
//! time keeping its residuals. An inner loop that is replayed keeps one round of residuals, not one
//! for each round of the loop around it.
//!
//! Invariant after it: outside of `ad.linear` no op touches a tangent but calls of primal halves;
//! inside, every op is linear in its tangents.

mod ends;
pub mod induction;
mod linear;
pub mod needs;
mod primal;
pub mod slice;
pub mod undo;

use crate::analysis::derivative_links::Links;
use crate::analysis::stage;
use crate::autodiff::verify::checked;
use crate::autodiff::{Errors, ungate};
use crate::manager::{PassReport, Threads};
use crate::passes;
use caustic_dialects::ad;
use caustic_dialects::{func, signature};
use caustic_ir::{Attr, Body, Builder, Cloner, Diagnostic, Module, Name, OpId, Result, SymbolOp, Type, ValueId};
use needs::Needs;
pub use primal::follows;
use rustc_hash::FxHashMap;

passes! {
    /// Splits linearized functions into primal code and linear code, with residuals between them.
    pub static UNZIP: "ad-unzip" {
        level: module, options: none, before: "linearized functions", after: "unzipped functions beside them", statistics: [],
        run: |module: &mut Module, _: &mut PassReport| {
            let result = unzip_module(module);
            checked(module, result)
        },
    }
}

/// Something computed by primal code that linear code reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// A value of the linearized function.
    Value(ValueId),
    /// Residual `n` of an op of the linearized function: an export of an if or loop, the context of
    /// a call.
    Slot(OpId, usize),
}

/// A residual that leaves a region.
#[derive(Clone, Copy, Debug)]
struct Export {
    region: usize,
    key: Key,
    /// Its number among the op's residuals.
    slot: usize,
    ty: Type,
    /// The same in each iteration of the loop that it stands in, so that the last one's is kept.
    once: bool,
}

struct Unzip<'a> {
    src: &'a Body,
    needs: Needs,
    primal: Cloner,
    /// What is copied now is run again later: nothing is kept of this copy.
    plain: bool,
    /// What is copied now has run before: what it did besides computing is done.
    again: bool,
    /// Residuals by op, in slot order.
    exports: FxHashMap<OpId, Vec<Export>>,
    /// Values of residuals in the block where their op stands.
    slots: FxHashMap<(OpId, usize), ValueId>,
    /// Residuals that branches hand out, with the region that computes each.
    branches: FxHashMap<ValueId, usize>,
    tangents: FxHashMap<ValueId, ValueId>,
    /// What linear code uses for a key; set when the linear counterpart of its block is entered.
    access: FxHashMap<Key, ValueId>,
}

/// The attributes that a call keeps in its halves.
fn call_attrs(src: &Body, op: OpId) -> Vec<(&'static str, Attr)> {
    let kept = ["callee", "active", "active_results", stage::HANDED, stage::KEPT_ALIVE];
    kept.into_iter().filter_map(|name| Some((name, src.attr(op, name)?))).collect()
}

/// Splits a linearized function.
pub fn unzip(symbol: &SymbolOp, links: &Links) -> Result<SymbolOp> {
    let src = &symbol.body;
    let Some(forms) = stage::instance_of(symbol).and_then(|i| links.forms(i)) else {
        return Err(Diagnostic::invalid_ir(symbol.loc, format!("@{} names no `ad.instance`", symbol.name)));
    };
    let (Some(entry), Some((inputs, results))) = (src.entry(), symbol.function_type()) else {
        return Err(Diagnostic::invalid_ir(symbol.loc, "a linearized function without code"));
    };
    let Some(end) = src.terminator(entry) else {
        return Err(Diagnostic::invalid_ir(symbol.loc, "a function without a return"));
    };
    let mut out = stage::new_func(forms.rev, inputs, results, symbol.loc.derived(Name::new("unzip")));
    for attr in [stage::INSTANCE, stage::ACTIVE, signature::DIFFERENTIABLE] {
        if let Some(value) = symbol.attr(attr) {
            out.set_attr(attr, value);
        }
    }
    out.set_attr(stage::STAGE, Attr::string(stage::UNZIPPED));
    let Some(block) = out.body.entry() else { return Err(Diagnostic::internal(symbol.loc, "no entry block")) };
    let mut unzip = Unzip {
        src,
        needs: Needs::of(src),
        primal: Cloner::new(),
        plain: false,
        again: false,
        exports: FxHashMap::default(),
        slots: FxHashMap::default(),
        branches: FxHashMap::default(),
        tangents: FxHashMap::default(),
        access: FxHashMap::default(),
    };
    let args = out.body.args(block).to_vec();
    let mut tangent_args = Vec::new();
    for (&old, &new) in src.args(entry).iter().zip(&args) {
        out.body.set_hint(new, src.value(old).hint);
        unzip.primal.insert(old, new);
        if ad::is_tangent(src.ty(old)) {
            tangent_args.push((old, new));
        }
    }
    let mut b = Builder::at_end(&mut out.body, block, symbol.loc);
    unzip.primal_block(entry, &mut b)?;
    for (key, value) in unzip.block_residuals(entry) {
        unzip.access.insert(key, value);
    }

    let linear_results: Vec<Type> = results.iter().copied().filter(|&t| ad::is_tangent(t)).collect();
    let operands: Vec<ValueId> = tangent_args.iter().map(|&(_, v)| v).collect();
    b.loc = out.loc;
    let linear = ad::Linear::build(&mut b, &operands, &linear_results, &[]);
    let types: Vec<Type> = operands.iter().map(|&v| b.ty(v)).collect();
    let linear_block = b.add_block(linear, 0, &types);
    for (i, &(old, _)) in tangent_args.iter().enumerate() {
        let arg = b.body.args(linear_block)[i];
        b.body.set_hint(arg, src.value(old).hint);
        unzip.tangents.insert(old, arg);
    }
    let mut inner = Builder::at_end(b.body, linear_block, out.loc);
    unzip.linear_block(entry, &mut inner)?;
    let yielded = unzip.yielded_tangents(end)?;
    ad::Yield::build(&mut inner, &yielded, &[]);

    let mut tangents = out.body.results(linear).to_vec().into_iter();
    let mut returned = Vec::new();
    for &v in src.operands(end) {
        let value = if ad::is_tangent(src.ty(v)) { tangents.next() } else { Some(unzip.primal.get(v)) };
        returned.extend(value);
    }
    let mut b = Builder::at_end(&mut out.body, block, src.loc(end));
    func::Return::build(&mut b, &returned, &[]);
    Ok(out)
}

/// Unzips every linearized function whose reverse derivative is wanted.
pub fn unzip_module(module: &mut Module) -> std::result::Result<bool, Errors> {
    ungate::free_module(module);
    let wanted = |s: &&SymbolOp| stage::is_stage(s, stage::LINEARIZED) && s.attr(stage::REVERSE).is_some();
    let links = Links::of(module);
    let mut made = Vec::new();
    let mut errors = Errors::new();
    let selected: Vec<&SymbolOp> = module.symbols().iter().filter(wanted).collect();
    for result in Threads::Shared.map_symbols(selected, |s| unzip(s, &links)) {
        match result {
            Ok(f) => made.push(f),
            Err(e) => errors.push(e),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let changed = !made.is_empty();
    for f in made {
        module.put(f);
    }
    Ok(changed)
}
