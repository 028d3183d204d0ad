//! Step 5, `unroll`: loops marked `unroll = "force"` become straight-line code.
//!
//! Outer loops go first, so that the trip count of an inner one may depend on the outer counter. A
//! `while` is unrolled by evaluating its condition as it goes along. Where that takes run-time
//! values, each copy is put under the condition: one behind the other if a counter bounds the loop,
//! else one inside of the other, where the values of the rounds before are known, until a round is
//! reached that certainly is not entered. A loop that can be unrolled in neither way, or that would
//! grow too large, is an error at the loop.

use super::keep_loops;
use crate::analysis::bound;
use crate::analysis::consts::Constants;
use crate::analysis::while_loops::WhileLoop;
use crate::manager::{Changed, ModuleView, PassReport};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::{arith, scf};
use caustic_ir::codes;
use caustic_ir::{BlockId, Body, Builder, Cloner, Diagnostic, OpId, RegionId, Result, SymbolOp, Type, ValueId};

passes! {
    /// Replaces loops marked `unroll = "force"` by copies of their body; an error where that cannot
    /// be done. Long loops that only add up stay: their derivatives need less memory.
    pub static UNROLL: "unroll" {
        level: function, options: none, before: "scf", after: "scf without loops marked so",
        statistics: [("unrolled", "loops"), ("kept", "loops that are long and gain nothing")],
        run: |symbol: &mut SymbolOp, _: &ModuleView<'_>, report: &mut PassReport| {
            let kept = keep_loops::unmark(symbol);
            let loops = run(symbol).map_err(|d| vec![d])?;
            report.count("unrolled", loops);
            report.count("kept", kept);
            Ok(Changed::from(loops + kept > 0))
        },
    }
}

/// Ops that unrolling may add to one function.
pub const MAX_OPS: usize = 200_000;

/// Rounds that may be put inside of one another.
const MAX_NESTED: usize = 64;

/// Unrolls the loops of a function that are marked; how many there were.
pub fn run(symbol: &mut SymbolOp) -> Result<u64> {
    let body = &mut symbol.body;
    let mut work = Vec::new();
    for &block in &body.region(body.root()).blocks {
        for op in body.block_ops(block) {
            forced_loops(body, op, &mut work);
        }
    }
    if work.is_empty() {
        return Ok(0);
    }
    let mut loops = 0;
    work.reverse();
    let mut budget = MAX_OPS;
    while let Some(op) = work.pop() {
        let mut made = Vec::new();
        loops += 1;
        if scf::For::is(body, op) {
            unroll_for(body, op, &mut budget, &mut made)?;
        } else {
            unroll_while(body, op, &mut budget, &mut made)?;
        }
        let mut inner = Vec::new();
        for op in made {
            forced_loops(body, op, &mut inner);
        }
        work.extend(inner.into_iter().rev());
    }
    Ok(loops)
}

/// The outermost loops to unroll within `op`, itself included, in order.
fn forced_loops(body: &Body, op: OpId, found: &mut Vec<OpId>) {
    let mut stack = vec![op];
    while let Some(op) = stack.pop() {
        if scf::unroll(body, op) == Some("force") {
            found.push(op);
            continue;
        }
        let regions: Vec<RegionId> = body.op(op).regions.to_vec();
        for region in regions.into_iter().rev() {
            for &block in &body.region(region).blocks {
                stack.extend(body.block_ops(block).into_iter().rev());
            }
        }
    }
}

/// Copies of one block of a loop, one after the other.
struct Copier {
    ops: Vec<OpId>,
    size: usize,
}

impl Copier {
    fn new(body: &Body, block: BlockId) -> Copier {
        let ops: Vec<OpId> = body.block_ops(block).into_iter().filter(|&op| !body.op(op).def.is_terminator()).collect();
        let size =
            ops.iter().map(|&op| 1 + body.op(op).regions.iter().map(|&r| body.walk(r).len()).sum::<usize>()).sum();
        Copier { ops, size }
    }

    /// Copies the ops before `before`, or at the end of `block`.
    fn copy(
        &self,
        body: &mut Body,
        cloner: &mut Cloner,
        at: (BlockId, Option<OpId>),
        budget: &mut usize,
        made: &mut Vec<OpId>,
        loop_op: OpId,
    ) -> Result<()> {
        let loc = body.loc(loop_op);
        *budget = budget.checked_sub(self.size + 1).ok_or_else(|| {
            Diagnostic::error(codes::E0403, loc, format!("unrolling this loop makes more than {MAX_OPS} operations"))
                .with_label("this loop is marked [ForceUnroll]")
                .with_note("remove the mark; loops are differentiated without it too")
        })?;
        for &op in &self.ops {
            made.push(cloner.clone_within(body, op, at.0, at.1));
        }
        Ok(())
    }
}

fn unknown_count(body: &Body, op: OpId) -> Diagnostic {
    Diagnostic::error(
        codes::E0402,
        body.loc(op),
        "this loop cannot be unrolled: how often it runs is not known at compile time",
    )
    .with_label("this loop is marked [ForceUnroll]")
    .with_note("give the loop a constant bound, or use [MaxIters(n)] in place of [ForceUnroll]")
}

fn unroll_for(body: &mut Body, op: OpId, budget: &mut usize, made: &mut Vec<OpId>) -> Result<()> {
    let view = scf::For(op);
    let mut constants = Constants::default();
    let mut int = |v: ValueId| constants.int(body, v);
    let range = (int(view.lower(body)), int(view.upper(body)), int(view.step(body)));
    let (Some(lower), Some(upper), Some(step)) = range else { return Err(unknown_count(body, op)) };
    let (Some(block), Some(home)) = (body.region_block(op, 0), body.op(op).block) else {
        return Err(Diagnostic::invalid_ir(body.loc(op), "scf.for: an empty region"));
    };
    let Some(end) = body.terminator(block).filter(|_| step > 0) else {
        return Err(Diagnostic::invalid_ir(body.loc(op), "scf.for: no terminator, or a step that is not positive"));
    };
    let copier = Copier::new(body, block);
    let ty = body.ty(view.lower(body));
    let args = body.args(block).to_vec();
    let mut current = view.inits(body).to_vec();
    for k in 0..count(lower, upper, step) {
        let mut cloner = Cloner::new();
        if let Some(mut b) = Builder::before(body, op)
            && let Some(&counter) = args.first()
        {
            cloner.insert(counter, arith::int(&mut b, counter_of(lower, step, k), ty));
        }
        for (&arg, &value) in args.iter().skip(1).zip(&current) {
            cloner.insert(arg, value);
        }
        copier.copy(body, &mut cloner, (home, Some(op)), budget, made, op)?;
        current = body.operands(end).iter().map(|&v| cloner.get(v)).collect();
    }
    replace(body, op, &current);
    Ok(())
}

/// How many iterations a loop has.
#[mutant(Site::UnrollOneLess with upper = upper.wrapping_sub(step))]
fn count(lower: i64, upper: i64, step: i64) -> u64 {
    if lower < upper { (upper.abs_diff(lower) - 1) / step.unsigned_abs() + 1 } else { 0 }
}

/// The counter of a loop in one of its iterations.
#[mutant(Site::UnrollCounter with iteration = 0)]
fn counter_of(lower: i64, step: i64, iteration: u64) -> i64 {
    lower.wrapping_add(step.wrapping_mul(iteration as i64))
}

fn replace(body: &mut Body, op: OpId, values: &[ValueId]) {
    let results = body.results(op).to_vec();
    for (&result, &value) in results.iter().zip(values) {
        body.replace_uses(result, value);
    }
    body.erase_op(op);
}

fn unroll_while(body: &mut Body, op: OpId, budget: &mut usize, made: &mut Vec<OpId>) -> Result<()> {
    let (Some(shape), Some(home)) = (WhileLoop::of(body, op), body.op(op).block) else {
        return Err(Diagnostic::invalid_ir(body.loc(op), "scf.while: not in canonical form"));
    };
    let (test, iteration) = (Copier::new(body, shape.before), Copier::new(body, shape.after));
    let (before_args, after_args) = (body.args(shape.before).to_vec(), body.args(shape.after).to_vec());
    let next = body.operands(shape.yields).to_vec();
    let types: Vec<Type> = body.results(op).iter().map(|&v| body.ty(v)).collect();
    let bound = bound::proven(body, op);
    let mut current = body.operands(op).to_vec();
    let mut constants = Constants::default();
    let mut run = 0;
    // Where the next copy goes, and the branches that it is inside of.
    let mut at = (home, Some(op));
    let mut around: Vec<OpId> = Vec::new();
    loop {
        let mut cloner = Cloner::new();
        for (&arg, &value) in before_args.iter().zip(&current) {
            cloner.insert(arg, value);
        }
        // What stands inside of a branch is looked at with the branch.
        let mut inner = Vec::new();
        test.copy(body, &mut cloner, at, budget, if around.is_empty() { &mut *made } else { &mut inner }, op)?;
        let condition = cloner.get(shape.condition);
        let known = constants.get(body, condition).and_then(|a| a.as_bool());
        let mut cloner = Cloner::new();
        for (&arg, &value) in after_args.iter().zip(&current) {
            cloner.insert(arg, value);
        }
        if known == Some(false) || known.is_none() && bound == Some(run) {
            break;
        }
        let mut inside = None;
        if known.is_none() {
            if bound.is_none() && around.len() == MAX_NESTED {
                return Err(unknown_count(body, op));
            }
            let loc = body.loc(op);
            let mut b = match at.1 {
                Some(before) => match Builder::before(body, before) {
                    Some(b) => b,
                    None => return Ok(()),
                },
                None => Builder::at_end(body, at.0, loc),
            };
            let guarded = scf::If::build(&mut b, condition, &types, &[]);
            let (then, otherwise) = (b.add_block(guarded, 0, &[]), b.add_block(guarded, 1, &[]));
            scf::Yield::build(&mut b.at(otherwise), &current, &[]);
            inside = Some((guarded, then));
        }
        match inside {
            None => {
                let found = if around.is_empty() { &mut *made } else { &mut inner };
                iteration.copy(body, &mut cloner, at, budget, found, op)?;
            }
            Some((guarded, then)) => {
                iteration.copy(body, &mut cloner, (then, None), budget, &mut inner, op)?;
                made.extend(around.is_empty().then_some(guarded));
            }
        }
        current = next.iter().map(|&v| cloner.get(v)).collect();
        if let Some((guarded, then)) = inside {
            if bound.is_some() {
                end_branch(body, op, then, &current);
                current = body.results(guarded).to_vec();
            } else {
                around.push(guarded);
                at = (then, None);
            }
        }
        run += 1;
    }
    while let Some(guarded) = around.pop() {
        if let Some(then) = body.region_block(guarded, 0) {
            end_branch(body, op, then, &current);
        }
        current = body.results(guarded).to_vec();
    }
    replace(body, op, &current);
    Ok(())
}

/// Ends a branch that one copy of the loop `op` stands in.
fn end_branch(body: &mut Body, op: OpId, then: BlockId, values: &[ValueId]) {
    let loc = body.loc(op);
    scf::Yield::build(&mut Builder::at_end(body, then, loc), values, &[]);
}
