//! `scf`: upstream's structured control flow.

use crate::classes::{ANY, BOOL, INDEX, INT_OR_INDEX};
use crate::structure::{block_with, ends_with, error, types};
use caustic_ir::eval::{Eval, EvalResult, Machine, Trap, Val};
use caustic_ir::op::{AdRule, Asm, AsmShape, Fold};
use caustic_ir::{BlockId, Body, Builder, Diagnostic, Dialect, OpId, Type, ops};

/// Mark of an `scf.for` whose bounds are not known but that never has more than a few iterations.
pub const FEW: &str = "few";
/// Mark of an `scf.for` with known bounds: its iterations are to be straight-line code.
pub const WHOLE: &str = "whole";
/// Mark of an `scf.for` that hardly ever runs: its code is to be short.
pub const COLD: &str = "cold";

/// Mark of an `scf.for`, while derivatives are made: its counter is the distance of an iteration of
/// another loop from the last one.
pub const SWEEP: &str = "sweep";

/// The most iterations that a loop is said to have.
pub fn max_iters(body: &Body, op: OpId) -> Option<i64> {
    For::cast(body, op).map_or_else(|| While::cast(body, op)?.max_iters(body), |l| l.max_iters(body))
}

/// Whether an op runs one of its regions, by its first operand.
pub fn chooses_region(body: &Body, op: OpId) -> bool {
    If::is(body, op) || IndexSwitch::is(body, op)
}

/// The region that such an op runs where its operand is `value`.
pub fn chosen_region(body: &Body, op: OpId, value: i64) -> usize {
    match IndexSwitch::cast(body, op).and_then(|switch| switch.cases(body)) {
        Some(cases) => cases.iter().position(|&c| c == value).map_or(0, |k| k + 1),
        None => usize::from(value == 0),
    }
}

/// How a loop is to be unrolled, if the program says so.
pub fn unroll(body: &Body, op: OpId) -> Option<&'static str> {
    For::cast(body, op).map_or_else(|| While::cast(body, op)?.unroll(body), |l| l.unroll(body))
}

/// Gives region `index` of `op` a block with these arguments that ends at once and yields nothing.
pub fn empty_region(b: &mut Builder<'_>, op: OpId, index: usize, args: &[Type]) -> BlockId {
    let block = b.add_block(op, index, args);
    Yield::build(&mut b.at(block), &[], &[]);
    block
}

pub static DIALECT: Dialect =
    Dialect { name: "scf", doc: "Structured control flow, as upstream's `scf`.", ops: &[SCF_OPS], types: &[] };

fn broken(body: &Body, op: OpId) -> Trap {
    Trap::new(body.loc(op), format!("{}: malformed", body.op(op).def.name))
}

fn eval_if(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    match body.region_block(op, if args[0].as_bool() { 0 } else { 1 }) {
        Some(block) => m.run_block(body, block, vec![]).map(|end| end.values),
        None => Ok(vec![]),
    }
}

fn eval_for(m: &mut dyn Machine, body: &Body, op: OpId, mut args: Vec<Val>) -> EvalResult {
    let block = body.region_block(op, 0).ok_or_else(|| broken(body, op))?;
    let (lower, upper, step) = (args[0].as_int(), args[1].as_int(), args[2].as_int());
    if step <= 0 {
        return Err(Trap::new(body.loc(op), "scf.for: the step must be positive"));
    }
    let mut carried: Vec<Val> = args.drain(3..).collect();
    let mut i = lower;
    while i < upper {
        carried.insert(0, Val::Int(i));
        carried = m.run_block(body, block, carried)?.values;
        i = match i.checked_add(step) {
            Some(next) => next,
            None => break,
        };
    }
    Ok(carried)
}

fn eval_while(m: &mut dyn Machine, body: &Body, op: OpId, mut args: Vec<Val>) -> EvalResult {
    let before = body.region_block(op, 0).ok_or_else(|| broken(body, op))?;
    let after = body.region_block(op, 1).ok_or_else(|| broken(body, op))?;
    loop {
        let mut end = m.run_block(body, before, args)?.values;
        if end.is_empty() {
            return Err(broken(body, op));
        }
        let forwarded = end.split_off(1);
        if !end[0].as_bool() {
            return Ok(forwarded);
        }
        args = m.run_block(body, after, forwarded)?.values;
    }
}

fn eval_switch(m: &mut dyn Machine, body: &Body, op: OpId, args: Vec<Val>) -> EvalResult {
    match body.region_block(op, chosen_region(body, op, args[0].as_int())) {
        Some(block) => m.run_block(body, block, vec![]).map(|end| end.values),
        None => Err(broken(body, op)),
    }
}

fn verify_if(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let results = types(body, body.results(op));
    let has_else = body.region_block(op, 1).is_some();
    for region in 0..if has_else || !results.is_empty() { 2 } else { 1 } {
        ends_with(body, block_with(body, op, region, &[])?, Yield::DEF, 0, &results)?;
    }
    Ok(())
}

fn verify_for(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let operands = types(body, body.operands(op));
    let (bounds, inits) = operands.split_at(3);
    if inits != types(body, body.results(op)) {
        return error(body, op, "its results must have the types of the values it starts with");
    }
    let block = block_with(body, op, 0, &[&bounds[..1], inits].concat())?;
    ends_with(body, block, Yield::DEF, 0, inits)
}

fn verify_while(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let (inits, results) = (types(body, body.operands(op)), types(body, body.results(op)));
    ends_with(body, block_with(body, op, 0, &inits)?, Condition::DEF, 1, &results)?;
    ends_with(body, block_with(body, op, 1, &results)?, Yield::DEF, 0, &inits)
}

fn verify_switch(body: &Body, op: OpId) -> Result<(), Diagnostic> {
    let mut cases = IndexSwitch(op).cases(body).unwrap_or_default();
    let regions = body.op(op).regions.len();
    if regions != cases.len() + 1 {
        return error(body, op, format!("has {} cases, but {} regions besides the default", cases.len(), regions - 1));
    }
    cases.sort_unstable();
    if cases.windows(2).any(|pair| pair[0] == pair[1]) {
        return error(body, op, "has a case twice");
    }
    let results = types(body, body.results(op));
    (0..regions).try_for_each(|i| ends_with(body, block_with(body, op, i, &[])?, Yield::DEF, 0, &results))
}

ops! { pub static SCF_OPS as ScfView: [
    /// Runs one of two regions; its results are what that region yields. Without results the second
    /// region may be empty.
    If "scf.if" {
        operands: (condition: Class(&BOOL)), results: many(Class(&ANY)), attrs: (), regions: (then, otherwise), effects: Regions, commutative: false,
        asm: Asm::Shape(AsmShape::If), verify: Some(verify_if), fold: Fold::None, eval: Eval::Full(eval_if), ad: AdRule::Custom,
    }
    /// Counts from `lower` to below `upper` (signed); the carried values go in as arguments after
    /// the counter, and out as results. Normalized loops count an index from 0 by 1.
    For "scf.for" {
        operands: (lower: Class(&INT_OR_INDEX), upper: SameAs(0), step: SameAs(0); inits: Class(&ANY)), results: many(Class(&ANY)),
        attrs: (max_iters: Int [optional], unroll: String [optional]), regions: (body), effects: Regions, commutative: false,
        asm: Asm::Shape(AsmShape::For), verify: Some(verify_for), fold: Fold::None, eval: Eval::Full(eval_for), ad: AdRule::Custom,
    }
    /// Runs `before`; while its condition holds, runs `after` with what `before` forwards and
    /// starts again with what that yields. In normalized code `before` is pure and forwards exactly
    /// its arguments.
    While "scf.while" {
        operands: (; inits: Class(&ANY)), results: many(Class(&ANY)), attrs: (max_iters: Int [optional], unroll: String [optional]), regions: (before, after), effects: Regions, commutative: false,
        asm: Asm::Shape(AsmShape::While), verify: Some(verify_while), fold: Fold::None, eval: Eval::Full(eval_while), ad: AdRule::Custom,
    }
    /// Ends the first region of a while.
    Condition "scf.condition" {
        operands: (condition: Class(&BOOL); args: Class(&ANY)), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Format("`(` $condition `)` attr-dict ($args^ `:` type($args))?"), verify: None, fold: Fold::None, eval: Eval::Terminator, ad: AdRule::Custom,
    }
    /// Runs region k + 1 where `cases[k]` equals the value, else the first, the default.
    IndexSwitch "scf.index_switch" {
        operands: (value: Class(&INDEX)), results: many(Class(&ANY)), attrs: (cases: IntArray), regions: (default, more_cases), effects: Regions, commutative: false,
        asm: Asm::Shape(AsmShape::IndexSwitch), verify: Some(verify_switch), fold: Fold::None, eval: Eval::Full(eval_switch), ad: AdRule::Custom,
    }
    /// Ends a region; its operands are the results of the op around it, or what the next iteration
    /// starts with.
    Yield "scf.yield" {
        operands: (; values: Class(&ANY)), results: none, attrs: (), regions: (), effects: Terminator, commutative: false,
        asm: Asm::Shape(AsmShape::Terminator), verify: None, fold: Fold::None, eval: Eval::Terminator, ad: AdRule::Custom,
    }
] }
