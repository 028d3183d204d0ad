//! What holds after each step, checked.
//!
//! Linearized: only linear ops, structured control flow, calls of linearizations and returns touch
//! tangents. Unzipped and transposed: one `ad.linear` op in the entry block, of a transposed
//! function one for each form; outside of it nothing but it and the return touches a tangent. That
//! linear ops are linear is their declaration's word; that nothing else computes on tangents is
//! this file's. Lowered: no type or op of `ad` is left but tapes.

use crate::analysis::stage;
use crate::manager::{Changed, PassResult};
use caustic_dialects::ad::{self, is_tangent};
use caustic_dialects::{func, scf};
use caustic_ir::{Body, Diagnostic, Module, OpDef, OpId, SymbolOp};

fn tangent_ops() -> impl Iterator<Item = &'static OpDef> {
    let regions =
        [scf::If::DEF, scf::For::DEF, scf::While::DEF, scf::IndexSwitch::DEF, scf::Yield::DEF, scf::Condition::DEF];
    let others = [
        ad::JvpCall::DEF,
        ad::Linear::DEF,
        ad::Replay::DEF,
        ad::Yield::DEF,
        ad::Wrap::DEF,
        ad::Unwrap::DEF,
        func::Return::DEF,
    ];
    ad::LINEAR_OPS.iter().copied().chain(regions).chain(others)
}

fn touches_tangent(body: &Body, op: OpId) -> bool {
    let data = body.op(op);
    data.operands.iter().chain(&data.results).any(|&v| is_tangent(body.ty(v)))
}

/// What a step gives back as a pass: its result, or what it broke.
pub(super) fn checked(module: &Module, result: Result<bool, Vec<Diagnostic>>) -> PassResult {
    let changed = result?;
    let broken: Vec<Diagnostic> = module.symbols().iter().flat_map(verify).collect();
    if broken.is_empty() { Ok(Changed::from(changed)) } else { Err(broken) }
}

/// Checks a function against the invariant of its stage.
pub fn verify(symbol: &SymbolOp) -> Vec<Diagnostic> {
    let body = &symbol.body;
    let mut out = Vec::new();
    let stage = symbol.attr(stage::STAGE).and_then(|a| a.as_str());
    let mut report = |op: OpId, text: &str| {
        let name = body.op(op).def.name;
        out.push(Diagnostic::invalid_ir(body.loc(op), format!("@{}: {name} {text}", symbol.name)));
    };
    let split = matches!(stage, Some(stage::UNZIPPED | stage::TRANSPOSED));
    for op in body.walk_all() {
        if !touches_tangent(body, op) {
            continue;
        }
        if stage.is_none() {
            report(op, "touches a tangent outside of the differentiator's steps");
        } else if !tangent_ops().any(|d| std::ptr::eq(d, body.op(op).def)) {
            report(op, "is no linear op, but touches a tangent");
        } else if split {
            let mut block = body.op(op).block;
            let mut inside = ad::Linear::is(body, op) || func::Return::is(body, op);
            while let Some(parent) = block.and_then(|b| body.parent_op(b)) {
                inside |= ad::Linear::is(body, parent);
                block = body.op(parent).block;
            }
            if !inside {
                report(op, "touches a tangent outside of the linear half");
            }
        }
    }
    if split && let Some(entry) = body.entry() {
        let linear = body.block_ops(entry).into_iter().filter(|&op| ad::Linear::is(body, op)).count();
        let most = if stage == Some(stage::TRANSPOSED) { stage::forms(symbol).len() } else { 1 };
        if !(1..=most).contains(&linear) {
            out.push(Diagnostic::invalid_ir(symbol.loc, format!("@{}: {linear} linear halves", symbol.name)));
        }
    }
    out
}
