//! `canonicalize`: folds constants, applies the rewrites of [`super::rules`] and removes what
//! becomes dead on the way, until nothing matches.
//!
//! One worklist, ops in order: an op is looked at once and again when something it reads, or
//! something that reads it, has changed, so that the work is proportional to the number of changes.
//! Changes are counted: rewrites that undo each other are an error that names them, and a limit
//! from outside stops at exactly that change, to find the one that breaks a program.

use super::rewrite::Rewriter;
use super::rules;
use crate::analysis::effects::Effect;
use crate::manager::{Changed, ModuleView, PassReport, PassResult};
use crate::mutants;
use crate::passes;
use caustic_dialects::arith;
use caustic_ir::attr::AttrKind;
use caustic_ir::eval::{Eval, Val, eval_scalar_op};
use caustic_ir::op::{Fold, Folded};
use caustic_ir::{Attr, Body, Diagnostic, OpId, Result, SymbolOp};

passes! {
    /// Folds constants and applies the rewrites that make code simpler, until none applies.
    ///
    /// The rewrites are listed in the documentation of optimization, each with what it needs of
    /// floats.
    pub static CANONICALIZE: "canonicalize" {
        level: function,
        options: CanonicalizeOptions {
            stop_after: i64 = "-1", "Stop after this many changes in a function; -1 for no limit. To find the change that breaks a program.";
            keep_non_finite: bool = "false", "Fold nothing that makes a NaN or an infinity of finite numbers: who watches values wants to see it happen.";
        },
        before: "any", after: "the same", statistics: [("rewrites", "changes made")],
        run: run_canonicalize,
    }
}

fn run_canonicalize(
    symbol: &mut SymbolOp,
    _: &ModuleView<'_>,
    options: &CanonicalizeOptions,
    report: &mut PassReport,
) -> PassResult {
    let fuel = Fuel { stop_after: u64::try_from(options.stop_after).ok(), keep_non_finite: options.keep_non_finite };
    let changes = run_with(symbol, fuel).map_err(|e| vec![e])?;
    report.count("rewrites", changes);
    Ok(Changed::from(changes > 0))
}

/// How much may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fuel {
    /// Stop, without an error, after this many changes in a function.
    pub stop_after: Option<u64>,
    /// Leave what makes a number that is not finite of finite ones.
    pub keep_non_finite: bool,
}

/// Changes that are surely too many for a function with this many ops.
fn budget(ops: usize) -> u64 {
    2_000 + 200 * ops as u64
}

/// Simplifies the code of a symbol; whether anything changed.
pub fn run(symbol: &mut SymbolOp) -> Result<bool> {
    Ok(run_with(symbol, Fuel::default())? > 0)
}

/// [`run`] with a limit; how many changes were made.
pub fn run_with(symbol: &mut SymbolOp, fuel: Fuel) -> Result<u64> {
    run_traced(symbol, fuel, &mut |_| {})
}

/// [`run_with`], telling the name of each change.
pub fn run_traced(symbol: &mut SymbolOp, fuel: Fuel, trace: &mut dyn FnMut(&'static str)) -> Result<u64> {
    let limit = budget(symbol.body.num_ops());
    let mut rewriter = Rewriter::new(&mut symbol.body);
    let mut changes = 0u64;
    let mut last: [&'static str; 8] = [""; 8];
    while let Some(op) = rewriter.pop() {
        if fuel.stop_after.is_some_and(|stop| changes >= stop) {
            break;
        }
        let Some(name) = step(&mut rewriter, op, fuel) else { continue };
        last[(changes % 8) as usize] = name;
        changes += 1;
        trace(name);
        if changes > limit {
            return Err(ping_pong(symbol, &last, limit));
        }
    }
    Ok(changes)
}

/// One change at `op`, if there is one to make; its name.
fn step(r: &mut Rewriter<'_>, op: OpId, fuel: Fuel) -> Option<&'static str> {
    if is_trivially_dead(r.body, op) {
        r.erase(op);
        return Some("dead");
    }
    let first_new = r.body.num_ops();
    if fold(r, op, fuel) {
        return Some("fold");
    }
    for rule in rules::starting_from(r.body.op(op).def) {
        r.wrong = mutants::rewrite(rule.name());
        let applied = rule.apply(r, op);
        r.wrong = false;
        if applied {
            r.touch_new(first_new);
            if !r.body.is_erased(op) {
                r.touch(op);
                for value in r.body.results(op).to_vec() {
                    r.touch_users(value);
                }
            }
            return Some(rule.name());
        }
    }
    None
}

/// An unused op without regions that only computes or reads.
fn is_trivially_dead(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    let effect = match data.def.effects {
        caustic_ir::Effects::Pure => Effect::Pure,
        caustic_ir::Effects::Reads => Effect::Reads,
        _ => Effect::Writes,
    };
    effect < Effect::Writes && data.regions.is_empty() && data.results.iter().all(|&r| body.is_unused(r))
}

/// What the row says that the op's only result equals.
pub fn folded(body: &Body, op: OpId) -> Option<Folded> {
    let data = body.op(op);
    if data.results.len() != 1 || arith::Constant::is(body, op) {
        return None;
    }
    let facts = match data.def.fold {
        Fold::None => return None,
        Fold::Eval => None,
        Fold::With(facts) => Some(facts),
    };
    let constants: Vec<Option<Attr>> = data.operands.iter().map(|&v| arith::constant_of(body, v)).collect();
    if let Some(found) = facts.and_then(|f| f(body, op, &constants)) {
        return Some(found);
    }
    let Eval::Scalar(eval) = data.def.eval else { return None };
    let args: Option<Vec<Val>> = constants.into_iter().map(|c| c.and_then(Val::from_attr)).collect();
    let value = eval_scalar_op(body, op, eval, &args?);
    value.to_attr(body.ty(data.results[0])).map(Folded::Constant)
}

fn is_finite(constant: Attr) -> bool {
    match constant.kind() {
        AttrKind::Float(bits, _) => f64::from_bits(*bits).is_finite(),
        AttrKind::Dense(items, _) => items.iter().all(|&item| is_finite(item)),
        _ => true,
    }
}

/// Whether the constant is the first that is not finite on the way to it.
fn makes_non_finite(body: &Body, op: OpId, constant: Attr) -> bool {
    let operands = body.operands(op).iter().filter_map(|&v| arith::constant_of(body, v));
    !is_finite(constant) && operands.into_iter().all(is_finite)
}

fn fold(r: &mut Rewriter<'_>, op: OpId, fuel: Fuel) -> bool {
    let Some(found) = folded(r.body, op) else { return false };
    if let Folded::Constant(value) = found
        && fuel.keep_non_finite
        && makes_non_finite(r.body, op, value)
    {
        return false;
    }
    let ty = r.body.ty(r.body.result(op, 0));
    let value = match found {
        Folded::Operand(n) => r.body.operands(op).get(n).copied(),
        Folded::Constant(value) => r.constant(op, value),
    };
    let wrong = mutants::fold(r.body.op(op).def.name);
    let zero = |r: &mut Rewriter<'_>| (ty.is_scalar() || ty.is_vector()).then(|| arith::zero(&mut r.before(op), ty));
    let value = if wrong { zero(r).or(value) } else { value };
    // A row that folds to another type is left to the verifier.
    match value.filter(|&v| r.body.ty(v) == ty && v != r.body.result(op, 0)) {
        Some(value) => r.replace_op(op, &[value]),
        None => false,
    }
}

fn ping_pong(symbol: &SymbolOp, last: &[&'static str], limit: u64) -> Diagnostic {
    let mut names: Vec<&str> = Vec::new();
    for &name in last {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort();
    Diagnostic::internal(symbol.loc, format!("canonicalize: @{} still changes after {limit} rewrites", symbol.name))
        .with_note(format!("the last ones are: {}; they may undo each other", names.join(", ")))
}
