//! `narrow-induction-variables`: loops whose trip count is known when they begin, and fits 32 bits,
//! count in 32 bits.
//!
//! An index has 64 bits, which are two registers of a GPU, and each step and each comparison two
//! instructions. Loops of programs mostly count an `int` up to another; what is made of the counter
//! is mostly an `int` again. Loops with constant bounds stay: LLVM unrolls them better by the wide
//! counter.
//!
//! `i <= n` never ends if `n` is the greatest integer: the trip count is chosen between the number
//! of 32 bits and one that no loop gets to. Such a loop gets a version for each, of which the
//! endless one does nothing but going on. A loop without results keeps its counter then.
//!
//! The pass works on kernels after inlining, last of all: other passes take what does nothing for
//! something that ends.

use crate::analysis::ranges::range_of;
use crate::analysis::trip_count::NEVER_ENDS;
use crate::manager::{PassReport, PassResult, each_op_of_kernels};
use crate::passes;
use caustic_dialects::carried::ForParts;
use caustic_dialects::scf::empty_region;
use caustic_dialects::{arith, scf};
use caustic_ir::{Body, Builder, Module, OpId, Type, ValueId};

passes! {
    /// Makes counters of loops 32 bits wide where their bounds fit.
    pub static NARROW_INDUCTION_VARIABLES: "narrow-induction-variables" {
        level: module,
        options: none,
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("narrow", "loops"), ("endless", "loops of which a version never ends")],
        run: |module: &mut Module, report: &mut PassReport| run(module, report),
    }
}

fn run(module: &mut Module, report: &mut PassReport) -> PassResult {
    each_op_of_kernels(module, |body, op| {
        let Some(count) = Count::of(body, op).filter(|count| count.narrow(body, op).is_some()) else { return false };
        report.count("narrow", 1);
        report.count("endless", count.endless.is_some().into());
        true
    })
}

/// Bounds that fit.
struct Count {
    parts: ForParts,
    upper: ValueId,
    /// If this holds the loop never ends.
    endless: Option<ValueId>,
}

impl Count {
    fn of(body: &Body, op: OpId) -> Option<Count> {
        let parts = ForParts::of(body, op)?;
        let (view, constant) = (scf::For(op), |v| arith::constant_of(body, v).and_then(|a| a.as_int()));
        let (lower, upper, step) = (view.lower(body), view.upper(body), constant(view.step(body))?);
        let fits = |value: ValueId| {
            let (least, greatest) = range_of(body, value);
            least >= 0 && greatest <= i64::from(i32::MAX) - step
        };
        // A step of one ends at the bound exactly; others may go beyond it once.
        let ends = |value: ValueId| fits(value) || step == 1 && range_of(body, value).1 <= i64::from(i32::MAX);
        if body.ty(lower) != Type::index() || step <= 0 || !fits(lower) || constant(upper).is_some() {
            return None;
        }
        if ends(upper) {
            return Some(Count { parts, upper, endless: None });
        }
        // The choice is among numbers of 64 bits, which then become an index.
        let wide = body.def_op(upper).filter(|&c| arith::IndexCast::is(body, c)).map_or(upper, |c| body.operand(c, 0));
        let is_wide = body.ty(wide) == Type::i64() || body.ty(wide) == Type::index();
        let chosen = body.def_op(wide).filter(|&s| arith::Select::is(body, s) && is_wide)?;
        let [endless, never, upper] = *body.operands(chosen) else { return None };
        let fits = constant(never) == Some(NEVER_ENDS) && ends(upper) && !body.results(op).is_empty();
        fits.then_some(Count { parts, upper, endless: Some(endless) })
    }

    fn narrow(&self, body: &mut Body, op: OpId) -> Option<()> {
        let mut b = Builder::before(body, op)?;
        let bounds = [scf::For(op).lower(b.body), self.upper, scf::For(op).step(b.body)];
        let narrow = bounds.map(|v| match arith::constant_of(b.body, v).and_then(|a| a.as_int()) {
            Some(constant) => arith::int(&mut b, constant, Type::int(32)),
            None if b.ty(v) == Type::index() => arith::IndexCast::build(&mut b, v, Type::int(32), &[]),
            None => arith::TruncI::build(&mut b, v, Type::int(32), &[]),
        });
        let counter = *body.args(self.parts.body).first()?;
        body.set_type(counter, Type::int(32));
        let mut inside = Builder::before(body, body.first_op(self.parts.body)?)?;
        let index = arith::IndexCastUI::build(&mut inside, counter, Type::index(), &[]);
        let cast = body.def_op(index)?;
        body.replace_uses(counter, index);
        body.set_operand(cast, 0, counter);
        narrow.into_iter().enumerate().for_each(|(i, v)| body.set_operand(op, i, v));
        match self.endless {
            Some(endless) => versions(body, op, endless),
            None => Some(()),
        }
    }
}

/// The loop where it ends, and one that goes on for ever where it does not.
fn versions(body: &mut Body, op: OpId, endless: ValueId) -> Option<()> {
    let inits = scf::For(op).inits(body).to_vec();
    let types: Vec<Type> = inits.iter().map(|&v| body.ty(v)).collect();
    let mut b = Builder::before(body, op)?;
    let branch = b.create(scf::If::DEF, &[endless], &types, &[], 2);
    let (then, other) = (empty_region(&mut b, branch, 0, &[]), empty_region(&mut b, branch, 1, &[]));
    let (then_end, other_end) = (body.last_op(then)?, body.last_op(other)?);
    let mut t = Builder::before(body, then_end)?;
    let going = t.create(scf::While::DEF, &inits, &types, &[], 2);
    let (before, after) = (t.add_block(going, 0, &types), t.add_block(going, 1, &types));
    let on = arith::int(&mut t.at(before), 1, Type::i1());
    let values = t.body.args(before).to_vec();
    scf::Condition::build(&mut t.at(before), on, &values, &[]);
    let values = t.body.args(after).to_vec();
    scf::Yield::build(&mut t.at(after), &values, &[]);
    for (i, old) in body.results(op).to_vec().into_iter().enumerate() {
        let value = body.result(branch, i);
        body.replace_uses(old, value);
    }
    body.move_op(op, other, Some(other_end));
    let (going, made) = (body.results(going).to_vec(), body.results(op).to_vec());
    body.set_operands(then_end, &going);
    body.set_operands(other_end, &made);
    Some(())
}
