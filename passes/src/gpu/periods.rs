//! `unroll-modulo`: a loop whose conditions go round with its counter becomes one of whole rounds.
//!
//! `for (i …) if (i % 2 == 0) … else …` takes both branches in turn. Two iterations in one leave
//! neither test nor branch, and what comes after (additions of all threads to one place, reads that
//! are looked at once) finds straight-line code. A round is 2 or 4 iterations, since the lowest
//! bits of a counter follow from those of its start whatever wraps around; the number of iterations
//! is known and a multiple of it. Loops within it, and those that would become too long, stay as
//! they are.
//!
//! The pass works on kernels after inlining.

use crate::analysis::consts::Constants;

use crate::analysis::ranges::range_of;
use crate::manager::{PassReport, PassResult, each_op_of_kernels};
use crate::mutants::{Site, mutant};
use crate::passes;
use caustic_dialects::carried::ForParts;
use caustic_dialects::{arith, scf};
use caustic_ir::{Body, Builder, Cloner, Module, OpId, Type, ValueDef, ValueId};

/// Ops that a loop may become.
const LOOP_OPS: usize = 640;
/// Ops that the lowest bits of a value are looked for through.
const DEPTH: u32 = 16;

passes! {
    /// Unrolls loops by the period of conditions on the lowest bits of their counters.
    pub static UNROLL_MODULO: "unroll-modulo" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("rounds", "loops")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    each_op_of_kernels(module, |body, op| {
        let unrolled = Round::of(body, op).is_some_and(|round| round.unroll(body).is_some());
        if unrolled {
            report.count("rounds", 1);
        }
        unrolled
    })
}

/// A loop and how it is unrolled.
struct Round {
    op: OpId,
    parts: ForParts,
    step: i64,
    iterations: i64,
    /// What is known in each iteration of a round.
    known: Vec<(ValueId, Vec<i64>)>,
}

impl Round {
    fn of(body: &Body, op: OpId) -> Option<Round> {
        let parts = ForParts::of(body, op)?;
        let (view, mut constants) = (scf::For(op), Constants::default());
        let mut int = |v: ValueId| constants.int(body, v);
        let (lower, upper, step) = (int(view.lower(body))?, int(view.upper(body))?, int(view.step(body))?);
        let length = upper.checked_sub(lower)?;
        if step <= 0 || length <= 0 || length % step != 0 || view.unroll(body).is_some() {
            return None;
        }
        let inner: Vec<OpId> = body.op(op).regions.iter().flat_map(|&r| body.walk(r)).collect();
        if inner.iter().any(|&i| scf::For::is(body, i) || scf::While::is(body, i)) {
            return None;
        }
        let counter = *body.args(parts.body).first()?;
        let mut masks: Vec<(ValueId, i64)> =
            inner.iter().filter_map(|&i| mask_of(body, i).filter(|_| decides(body, i))).collect();
        let counts = |mask: i64| (0..=mask).map(move |k| lower.wrapping_add(k.wrapping_mul(step)));
        masks.retain(|&(value, mask)| counts(mask).all(|at| lowest(body, value, (counter, at), DEPTH).is_some()));
        let iterations = masks.iter().map(|m| m.1 + 1).max()?;
        let trips = length / step;
        if trips % iterations != 0 || trips == iterations || inner.len() * iterations as usize > LOOP_OPS {
            return None;
        }
        let of_round = |(value, mask): (ValueId, i64)| {
            let at = |k: i64| lowest(body, value, (counter, lower.wrapping_add(k.wrapping_mul(step))), DEPTH);
            Some((value, (0..iterations).map(|k| Some(at(k)? & mask)).collect::<Option<Vec<i64>>>()?))
        };
        let known = masks.into_iter().map(of_round).collect::<Option<_>>()?;
        Some(Round { op, parts, step, iterations, known })
    }

    fn unroll(&self, body: &mut Body) -> Option<()> {
        let view = scf::For(self.op);
        let (lower, upper) = (view.lower(body), view.upper(body));
        let inits = view.inits(body).to_vec();
        let types: Vec<Type> = inits.iter().map(|&v| body.ty(v)).collect();
        let counter_type = body.ty(lower);
        let ops = body.block_ops(self.parts.body);
        let args = body.args(self.parts.body).to_vec();
        let mut b = Builder::before(body, self.op)?;
        let step = arith::int(&mut b, self.step * self.iterations, counter_type);
        let new = scf::For::build(&mut b, lower, upper, step, &inits, &types, &[]);
        let mut inner_types = vec![counter_type];
        inner_types.extend(&types);
        let block = b.add_block(new, 0, &inner_types);
        let mut current = b.body.args(block).to_vec();
        let counter = current.remove(0);
        for k in 0..self.iterations {
            let mut b = b.at(block);
            let mut cloner = Cloner::new();
            let iteration = match k {
                0 => counter,
                _ => {
                    let past = arith::int(&mut b, k * self.step, counter_type);
                    arith::AddI::build(&mut b, counter, past, &[])
                }
            };
            cloner.insert(args[0], iteration);
            args.iter().skip(1).zip(&current).for_each(|(&arg, &value)| cloner.insert(arg, value));
            for &op in ops.iter().filter(|&&op| op != self.parts.end) {
                cloner.clone_within(b.body, op, block, None);
            }
            for (value, of_round) in &self.known {
                let copy = cloner.get(*value);
                let (Some(op), ty) = (b.body.def_op(copy), b.body.ty(copy)) else { continue };
                let constant = arith::int(&mut Builder::before(b.body, op)?, in_iteration(of_round, k as usize), ty);
                b.body.replace_uses(copy, constant);
            }
            current = b.body.operands(self.parts.end).iter().map(|&v| cloner.get(v)).collect();
        }
        scf::Yield::build(&mut b.at(block), &current, &[]);
        for (i, old) in body.results(self.op).to_vec().into_iter().enumerate() {
            let value = body.result(new, i);
            body.replace_uses(old, value);
        }
        body.erase_op(self.op);
        Some(())
    }
}

/// What is known of a value in an iteration of a round.
#[mutant(Site::PeriodPhase with iteration = 0)]
fn in_iteration(of_round: &[i64], iteration: usize) -> i64 {
    of_round[iteration]
}

/// What an op keeps of the lowest bits of a value, if these are one or two: of a sum by `&`, or
/// what a division leaves.
fn mask_of(body: &Body, op: OpId) -> Option<(ValueId, i64)> {
    let constant = |n: usize| arith::constant_of(body, body.operand(op, n)).and_then(|a| a.as_int());
    let mask = if arith::AndI::is(body, op) {
        constant(1).or_else(|| constant(0))?
    } else if arith::RemUI::is(body, op) || arith::RemSI::is(body, op) && range_of(body, body.operand(op, 0)).0 >= 0 {
        constant(1)? - 1
    } else {
        return None;
    };
    matches!(mask, 1 | 3).then(|| (body.result(op, 0), mask))
}

/// Whether something is chosen by a comparison of what the op gives.
fn decides(body: &Body, op: OpId) -> bool {
    let users = |v: ValueId| body.uses(v).iter().map(|u| u.op);
    let chosen = |v: ValueId| users(v).any(|u| scf::If::is(body, u) || arith::Select::is(body, u));
    users(body.result(op, 0)).any(|u| arith::CmpI::is(body, u) && chosen(body.result(u, 0)))
}

/// The value's bits as far as they follow from the counter's; wrong above its two lowest if
/// something is cut off or wraps around.
fn lowest(body: &Body, value: ValueId, counter: (ValueId, i64), depth: u32) -> Option<i64> {
    if value == counter.0 {
        return Some(counter.1);
    }
    if let Some(constant) = arith::constant_of(body, value) {
        return constant.as_int();
    }
    let op = body.def_op(value).filter(|_| depth > 0 && matches!(body.def(value), ValueDef::Result { .. }))?;
    let part = |n: usize| lowest(body, body.operand(op, n), counter, depth - 1);
    let wide = |v: ValueId| body.ty(v) != Type::i1();
    if arith::AddI::is(body, op) {
        return Some(part(0)?.wrapping_add(part(1)?));
    }
    if arith::SubI::is(body, op) {
        return Some(part(0)?.wrapping_sub(part(1)?));
    }
    if arith::MulI::is(body, op) {
        return Some(part(0)?.wrapping_mul(part(1)?));
    }
    if arith::AndI::is(body, op) {
        return Some(part(0)? & part(1)?);
    }
    if arith::RemUI::is(body, op) || arith::RemSI::is(body, op) {
        let (_, mask) = mask_of(body, op)?;
        return Some(part(0)? & mask);
    }
    let casts = [arith::IndexCast::is, arith::IndexCastUI::is, arith::TruncI::is, arith::ExtSI::is, arith::ExtUI::is];
    (casts.iter().any(|is| is(body, op)) && wide(value) && wide(body.operand(op, 0))).then(|| part(0))?
}
